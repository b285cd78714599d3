"""The way over the network: by which proxies, trusting whose certificates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import httpx

from toolkit.net.certificates import Verify, context_of
from toolkit.net.proxies import Proxy, ProxyOption, proxy_for

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable

__all__ = ["Ways"]


@dataclass(frozen=True, slots=True)
class Ways:
    """By which proxy each origin is reached, where by one, and how certificates are checked, where there are any."""

    proxies: dict[str, Proxy] = field(default_factory=dict)
    context: ssl.SSLContext | None = field(default=None, repr=False)

    @classmethod
    def resolve(cls, base_urls: Iterable[str], proxy: ProxyOption = None, verify: Verify = True) -> Ways:
        """Join arguments and environment, for these base URLs; an argument wins."""
        urls = set(base_urls)
        found = {_origin(url): way for url in urls if (way := proxy_for(url, proxy)) is not None}
        is_secure = any(url.lower().startswith("https:") for url in (*urls, *(way.url for way in found.values())))
        return cls(found, context_of(verify) if is_secure else None)

    def proxy_of(self, url: str) -> Proxy | None:
        """Return the proxy by which a URL is reached, if by one."""
        return self.proxies.get(_origin(url)) if self.proxies else None


def _origin(url: str) -> str:
    # Addresses of requests have the form that httpx gives them, base URLs that of whoever wrote them.
    parts = httpx.URL(url)
    return f"{parts.scheme}://{parts.netloc.decode()}"
