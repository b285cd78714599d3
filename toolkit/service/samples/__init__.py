"""The sample web: small made-up sites under ``.example`` hosts, bundled as plain HTML files.

They are inputs like any page of the web; nothing about their answers is stored. A host is a folder under ``sites/``,
``/`` is ``index.html`` and ``/boots`` is ``boots.html``; ``_site.toml`` says what differs (status, location, headers,
media type, charset).
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

import httpx

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["SampleSite", "SampleWeb", "sample_sites"]

_SAFE_STEP: Final = re.compile(r"^[\w][\w.-]*$")
_CONFIGURATION: Final = "_site.toml"


@dataclass(frozen=True, slots=True)
class SampleSite:
    """One site of the sample web.

    Attributes
    ----------
    host : str
        Its host, ending in ``.example``.
    about : str
        What it is, in a line.
    paths : tuple of str
        Paths that have a page or an answer of their own, ``/`` first.
    """

    host: str
    about: str
    paths: tuple[str, ...]


@cache
def sample_sites() -> tuple[SampleSite, ...]:
    """Return the sites of the sample web, sorted by host.

    Examples
    --------
    >>> [site.paths[0] for site in sample_sites() if site.host == "trailhead-outfitters.example"]
    ['/']
    """
    folders = sorted((folder for folder in _root().iterdir() if folder.is_dir()), key=lambda folder: folder.name)
    return tuple(_site(folder) for folder in folders)


class SampleWeb(httpx.AsyncBaseTransport):
    """A transport that answers requests to ``.example`` hosts from the bundled files."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request.

        Raises
        ------
        httpx.ConnectError
            If there is no such host, as for a name that does not resolve.
        """
        host = request.url.host
        folder = _root() / host
        if not _SAFE_STEP.match(host) or not folder.is_dir():
            folder = _root() / host.removeprefix("www.")
            if not _SAFE_STEP.match(host) or not folder.is_dir():
                raise httpx.ConnectError("the name does not resolve", request=request)
        configuration = _configuration(folder.name)
        path = unquote(request.url.path).rstrip("/") or "/"
        page: dict[str, Any] = configuration.get("pages", {}).get(path, {})
        file = _file(folder, page.get("file") or _file_name(path))
        status = page.get("status") or (200 if file else 404)
        charset = f"; charset={page.get('charset', 'utf-8')}" if page.get("charset") != "" else ""
        kind = page.get("type", "text/html")
        headers = {**configuration.get("headers", {}), **page.get("headers", {})}
        headers["content-type"] = kind + (charset if kind.startswith("text/") and "charset" not in kind else "")
        if "location" in page:
            headers["location"] = page["location"]
        return httpx.Response(status, headers=headers, stream=httpx.ByteStream(file.read_bytes() if file else b""))


def _root() -> Traversable:
    return files("toolkit.service.samples") / "sites"


@cache
def _configuration(host: str) -> dict[str, Any]:
    file = _root() / host / _CONFIGURATION
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _file_name(path: str) -> str:
    return "index.html" if path == "/" else f"{path.strip('/')}.html"


def _file(folder: Traversable, name: str) -> Traversable | None:
    found = folder
    for step in name.split("/"):
        if not _SAFE_STEP.match(step):
            return None
        found = found / step
    return found if found.is_file() and found.name != _CONFIGURATION else None


def _site(folder: Traversable) -> SampleSite:
    configuration = _configuration(folder.name)
    paths = {*_pages(folder, ""), *configuration.get("pages", {})}
    return SampleSite(folder.name, configuration.get("about", ""), tuple(sorted(paths)))


def _pages(folder: Traversable, prefix: str) -> list[str]:
    found: list[str] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _pages(entry, f"{prefix}/{entry.name}")
        elif entry.name.endswith(".html"):
            name = entry.name.removesuffix(".html")
            found.append("/" if not prefix and name == "index" else f"{prefix}/{name}")
    return found
