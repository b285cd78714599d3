"""Proxies: by which one a base URL is reached, as an argument or the environment says."""

from __future__ import annotations

import base64
import ipaddress
import os
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from pydantic import SecretStr

from toolkit.interface.errors import ConfigurationError

__all__ = ["Proxy", "ProxyOption", "proxy_for"]

#: An address, which may hold a name and password; False for none, whatever the environment says; None for that.
ProxyOption: TypeAlias = "str | SecretStr | Literal[False] | None"

_PORTS: Final = {"http": 80, "https": 443}
_FORM: Final = "Give it as http://host:port, or http://name:password@host:port."


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy's address without its name and password, and the header that has these."""

    url: str
    host: str
    login: SecretStr | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return self.url.partition("://")[2]

    @property
    def headers(self) -> dict[str, str]:
        """The headers that the proxy wants."""
        return {} if self.login is None else {"Proxy-Authorization": self.login.get_secret_value()}


def proxy_for(url: str, given: ProxyOption = None) -> Proxy | None:
    """Return the proxy by which a URL is reached: the one given, else that of the environment or the system.

    >>> proxy_for("https://api.example.com", "http://ann:secret@proxy.example:3128")
    Proxy(url='http://proxy.example:3128', host='proxy.example')
    >>> proxy_for("https://api.example.com", False) is None
    True
    """
    if given is False:
        return None
    if given is not None and not isinstance(given, str | SecretStr):
        raise ConfigurationError(f"proxy must be a URL, or False for none, not a {type(given).__name__}. {_FORM}")
    text = given.get_secret_value() if isinstance(given, SecretStr) else given or ""
    if text.strip():
        return _read(text.strip(), "proxy")
    scheme, host = urlsplit(url).scheme, urlsplit(url).hostname or ""
    known = getproxies()
    name = scheme if known.get(scheme) else "all"
    if not known.get(name) or _is_direct(urlsplit(url).netloc, host):
        return None
    return _read(known[name], f"{name.upper()}_PROXY")


def _is_direct(place: str, host: str) -> bool:
    """Tell whether NO_PROXY, or the system's settings, name a host."""
    if proxy_bypass(place):
        return True
    # Names such as *.example.com, and networks such as 10.0.0.0/8, are written by many and read by others, but not by
    # the standard library.
    named = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
    parts = [part.strip().lower() for part in named.split(",")]
    return any(host.endswith(part[1:]) if part.startswith("*.") else _holds(part, host) for part in parts)


def _holds(network: str, host: str) -> bool:
    try:
        return "/" in network and ipaddress.ip_address(host) in ipaddress.ip_network(network, strict=False)
    except ValueError:
        return False


def _read(text: str, name: str) -> Proxy:
    """Read a proxy's address; no message shows it, as it may hold a password."""
    if "://" not in text:
        text = f"http://{text}"
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ConfigurationError(f"{name} is no address of a proxy. {_FORM}") from None
    if parts.scheme not in _PORTS:
        raise ConfigurationError(
            f"{name} names a proxy of the kind {parts.scheme[:20]!r}, and the toolkit speaks with HTTP proxies. "
            f"{_FORM} Or set HTTPS_PROXY to the HTTP proxy of the network, NO_PROXY for a direct way, or proxy=False."
        )
    if not host:
        raise ConfigurationError(f"{name} is no address of a proxy. {_FORM}")
    shown = f"[{host}]" if ":" in host else host
    login = None
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        login = SecretStr(f"Basic {base64.b64encode(pair.encode()).decode()}")
    return Proxy(f"{parts.scheme}://{shown}:{port or _PORTS[parts.scheme]}", host, login)
