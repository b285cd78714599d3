"""The sample web: small made-up sites under ``.example`` hosts, bundled as plain HTML files.

They are inputs like any page of the web; nothing about their answers is stored. A host is a folder under ``sites/``,
``/`` is ``index.html`` and ``/boots`` is ``boots.html``; ``_site.toml`` says what differs (status, location, headers,
media type, charset).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

import httpx

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["SampleSite", "SampleWeb", "sample_sites"]

_CONFIGURATION: Final = "_site.toml"


@dataclass(frozen=True, slots=True)
class SampleSite:
    """One site of the sample web."""

    #: Its host, ending in ``.example``.
    host: str
    #: What it is, in a line.
    about: str
    #: Paths that have a page or an answer of their own, ``/`` first.
    paths: tuple[str, ...]


@cache
def sample_sites() -> tuple[SampleSite, ...]:
    """Return the sites of the sample web, sorted by host.

    >>> [site.paths[0] for site in sample_sites() if site.host == "trailhead-outfitters.example"]
    ['/']
    """
    return tuple(_site(folder) for _, folder in sorted(_folders(_root()).items()))


class SampleWeb(httpx.AsyncBaseTransport):
    """A transport that answers requests to ``.example`` hosts from the bundled files."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request; no such host is an `httpx.ConnectError`, as for a name that does not resolve."""
        host = request.url.host
        folder = _folders(_root()).get(host) or _folders(_root()).get(host.removeprefix("www."))
        if folder is None:
            raise httpx.ConnectError("the name does not resolve", request=request)
        configuration = _configuration(folder)
        path = unquote(request.url.path).rstrip("/") or "/"
        page: dict[str, Any] = configuration.get("pages", {}).get(path, {})
        file = _site_files(folder).get(page.get("file") or _file_name(path))
        status = page.get("status") or (200 if file else 404)
        charset = f"; charset={page.get('charset', 'utf-8')}" if page.get("charset") != "" else ""
        kind = page.get("type", "text/html")
        headers = {**configuration.get("headers", {}), **page.get("headers", {})}
        headers["content-type"] = kind + (charset if kind.startswith("text/") and "charset" not in kind else "")
        if "location" in page:
            headers["location"] = page["location"]
        return httpx.Response(status, headers=headers, stream=httpx.ByteStream(file.read_bytes() if file else b""))


def _root() -> Path:
    return Path(__file__).parent / "sites"


@cache
def _folders(root: Path) -> dict[str, Path]:
    return {folder.name: folder for folder in root.iterdir() if folder.is_dir()}


@cache
def _configuration(folder: Path) -> dict[str, Any]:
    file = folder / _CONFIGURATION
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _file_name(path: str) -> str:
    return "index.html" if path == "/" else f"{path.removeprefix('/')}.html"


@cache
def _site_files(folder: Path) -> dict[str, Path]:
    """Return a site's files by their path in it: what is asked for is looked up here and never made a path."""
    found = dict(_walked(folder, ""))
    found.pop(_CONFIGURATION, None)
    return found


def _walked(folder: Path, prefix: str) -> Iterator[tuple[str, Path]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walked(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry


def _site(folder: Path) -> SampleSite:
    configuration = _configuration(folder)
    paths = {_path(name) for name in _site_files(folder) if name.endswith(".html")} | {*configuration.get("pages", {})}
    return SampleSite(folder.name, configuration.get("about", ""), tuple(sorted(paths)))


def _path(name: str) -> str:
    return "/" if name == "index.html" else f"/{name.removesuffix('.html')}"
