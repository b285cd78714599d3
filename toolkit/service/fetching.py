"""Fetching a page of the web, or of the sample web, safely.

No private address is reached, whatever a name resolves to and wherever a redirect points; size, time and redirects are
bounded. Addresses are checked by the resolver that the connection itself uses, so a name cannot change in between.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import zlib
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin

import httpx

from toolkit.errors import TargetError, ToolkitError
from toolkit.service.samples import SampleWeb
from toolkit.targets import Target, parse_target

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    import aiohttp
    from aiohttp.abc import ResolveResult

    from toolkit.service.settings import FetchLimits, Settings

__all__ = ["FetchProblem", "Fetched", "Fetcher", "is_public_address", "network_transport"]

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_TEXT_TYPES: Final = ("text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml")
_SAMPLE_ENDING: Final = ".example"
_PIECE: Final = 65_536
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
_HEADERS: Final = {
    "user-agent": "Mozilla/5.0 (compatible; audience-toolkit; page classification)",
    "accept": "text/html,application/xhtml+xml,text/plain;q=0.8",
    "accept-encoding": "gzip, deflate",
    "accept-language": "en,*;q=0.5",
}


class FetchProblem(ToolkitError):  # noqa: N818 - a fact about a page, reported in its answer
    """A page could not be fetched; the message says why, for the answer's error text."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A fetched page.

    Attributes
    ----------
    url : str
        Where the page was found, after redirects.
    headers : dict of str to str
        Response headers, names in lower case.
    body : bytes
        Decompressed body, cut at the limit.
    media_type : str
        Media type without parameters.
    charset : str or None
        As the header states it.
    """

    url: str
    headers: dict[str, str]
    body: bytes
    media_type: str
    charset: str | None


def is_public_address(address: str) -> bool:
    """Tell whether an IP address is reachable for everyone, seen through IPv6 wrappings of IPv4.

    Examples
    --------
    >>> [is_public_address(a) for a in ("127.0.0.1", "::ffff:10.0.0.1", "169.254.169.254", "1.1.1.1")]
    [False, False, False, True]
    """
    ip = ipaddress.ip_address(address.split("%", 1)[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)
        if inner is not None:
            return is_public_address(str(inner))
    return ip.is_global and not ip.is_multicast


class Fetcher:
    """Fetches pages under the service's settings.

    Parameters
    ----------
    settings : Settings
        Limits, and whether private addresses and the sample web are allowed.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._samples = SampleWeb() if settings.sample_web else None
        self._network: httpx.AsyncBaseTransport | None = None

    async def fetch(self, target: Target) -> Fetched:
        """Fetch a page.

        Parameters
        ----------
        target : Target
            What to fetch. Where it was given without a scheme, ``https``, then ``https`` with ``www.``, then
            ``http`` are tried.

        Returns
        -------
        Fetched
            The page.

        Raises
        ------
        FetchProblem
            If there is no page to classify: no connection, a private address, an error status, too many redirects,
            too slow, or not text.
        """
        try:
            async with asyncio.timeout(self._settings.fetch.seconds):
                return await self._first_reachable(target)
        except TimeoutError:
            raise FetchProblem(f"no complete answer within {self._settings.fetch.seconds:g} seconds") from None

    async def close(self) -> None:
        """Close the connections."""
        if self._network is not None:
            await self._network.aclose()

    async def _first_reachable(self, target: Target) -> Fetched:
        candidates = [target.url]
        if "://" not in target.given and not target.host.endswith(_SAMPLE_ENDING):
            tail = target.url.removeprefix("https://")
            candidates += [f"https://www.{tail}"] if target.domain == target.registrable else []
            candidates += [f"http://{tail}"]
        for url in candidates:
            try:
                return await self._follow(url)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
            except httpx.HTTPError as error:
                raise FetchProblem(f"the connection failed ({type(error).__name__})") from None
        raise FetchProblem(f"no connection to {target.host}")

    async def _follow(self, url: str) -> Fetched:
        for _ in range(self._settings.fetch.redirects + 1):
            target = self._checked(url)
            async with self._stream(target) as response:
                location = response.headers.get("location")
                if response.status_code in _REDIRECTS and location:
                    url = urljoin(target.url, location)
                    continue
                return await _read(response, target.url, self._settings.fetch)
        raise FetchProblem(f"more than {self._settings.fetch.redirects} redirects")

    def _checked(self, url: str) -> Target:
        try:
            target = parse_target(url)
        except TargetError as error:
            raise FetchProblem(f"a redirect points to no web address ({error})") from None
        if not self._settings.allow_private:
            try:
                public = is_public_address(target.host)
            except ValueError:
                public = True  # a name: the resolver checks what it resolves to
            if not public:
                raise FetchProblem(f"{target.host} is not a public address")
        return target

    @asynccontextmanager
    async def _stream(self, target: Target) -> AsyncIterator[httpx.Response]:
        timeouts = dict.fromkeys(("connect", "read", "write", "pool"), self._settings.fetch.seconds)
        request = httpx.Request("GET", target.url, headers=_HEADERS, extensions={"timeout": timeouts})
        response = await self._transport(target.host).handle_async_request(request)
        try:
            yield response
        finally:
            await response.aclose()

    def _transport(self, host: str) -> httpx.AsyncBaseTransport:
        if host.endswith(_SAMPLE_ENDING):
            if self._samples is None:
                raise FetchProblem(f"{host} does not exist")
            return self._samples
        if self._network is None:
            self._network = network_transport(allow_private=self._settings.allow_private)
        return self._network


def network_transport(*, allow_private: bool) -> httpx.AsyncBaseTransport:
    """Return a transport to the network that refuses private addresses at the resolver.

    Must be called in the event loop that uses it.
    """
    import aiohttp  # noqa: PLC0415 - only where a network is used
    from httpx_aiohttp import AiohttpTransport  # noqa: PLC0415

    def session() -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(resolver=_public_resolver(allow_private=allow_private), use_dns_cache=False)
        return aiohttp.ClientSession(connector=connector, auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar())

    return AiohttpTransport(client=session)


def _public_resolver(*, allow_private: bool) -> aiohttp.abc.AbstractResolver:
    import aiohttp  # noqa: PLC0415

    class PublicResolver(aiohttp.ThreadedResolver):
        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
        ) -> list[ResolveResult]:
            found = await super().resolve(host, port, family)
            if allow_private:
                return found
            public = [entry for entry in found if is_public_address(entry["host"])]
            if not public:
                raise FetchProblem(f"{host} is not at a public address")
            return public

    return PublicResolver()


async def _read(response: httpx.Response, url: str, limits: FetchLimits) -> Fetched:
    if response.status_code != httpx.codes.OK:
        raise FetchProblem(f"the site answered with HTTP status {response.status_code}")
    declared = response.headers.get("content-type", "")
    media_type = declared.split(";", 1)[0].strip().lower()
    if media_type and media_type not in _TEXT_TYPES:
        raise FetchProblem(f"the address serves {media_type}, not a page of text")
    body = bytearray()
    async for part in _decompressed(response):
        body += part[: limits.body_bytes - len(body)]
        if len(body) >= limits.body_bytes:
            break
    return Fetched(
        url=url,
        headers={name.lower(): value for name, value in response.headers.items()},
        body=bytes(body),
        media_type=media_type or "text/html",
        charset=response.charset_encoding,
    )


async def _decompressed(response: httpx.Response) -> AsyncIterator[bytes]:
    """Yield the body in pieces of bounded size, so that a small body cannot unfold into the memory."""
    encoding = response.headers.get("content-encoding", "").strip().lower()
    stream = response.stream
    if not isinstance(stream, httpx.AsyncByteStream):
        raise FetchProblem("the connection gave no body")
    if encoding in ("", "identity"):
        async for chunk in stream:
            yield chunk
        return
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise FetchProblem(f"the site sent the encoding {encoding}, which was not asked for")
    unpacker = _Unpacker(gzip="gzip" in encoding)
    async for chunk in stream:
        for piece in unpacker.feed(chunk):
            yield piece
    unpacker.finish()


class _Unpacker:
    """Decompresses a body in pieces of at most `_PIECE` bytes."""

    def __init__(self, *, gzip: bool) -> None:
        self._unpack: Any = zlib.decompressobj(wbits=47 if gzip else 15)
        self._may_be_bare = not gzip

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield what a chunk unfolds into."""
        pending = chunk
        while pending and not self._unpack.eof:
            yield self._next(pending)
            pending = self._unpack.unconsumed_tail

    def finish(self) -> None:
        """Check that the body was whole."""
        if not self._unpack.eof:
            raise FetchProblem("the compressed body is cut off")

    def _next(self, pending: bytes) -> bytes:
        bare, self._may_be_bare = self._may_be_bare, False
        try:
            piece: bytes = self._unpack.decompress(pending, _PIECE)
        except zlib.error:
            if not bare:
                raise FetchProblem("the compressed body is damaged") from None
            # "deflate" without its wrapping, as some servers send it.
            self._unpack = zlib.decompressobj(wbits=-15)
            return self._next(pending)
        return piece
