"""Fetching a page of the web, or of the sample web, safely.

No private address is reached, whatever a name resolves to and wherever a redirect points; size, time and redirects are
bounded. Addresses are checked by the resolver that the connection itself uses, so a name cannot change in between.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin

import httpx

from toolkit.files.unpacking import ENCODINGS, Unpacker, UnpackingError
from toolkit.interface.errors import TargetError
from toolkit.interface.targets import Target, parse_target
from toolkit.service.pages.addresses import is_public_address
from toolkit.service.pages.limits import FetchLimits
from toolkit.service.pages.network import network_transport
from toolkit.service.pages.problems import FetchProblem
from toolkit.service.samples import SampleWeb

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator

__all__ = ["Fetched", "Fetcher"]

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_TEXT_TYPES: Final = ("text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml")
_SAMPLE_ENDING: Final = ".example"
_HEADERS: Final = {
    "user-agent": "Mozilla/5.0 (compatible; audience-toolkit; page classification)",
    "accept": "text/html,application/xhtml+xml,text/plain;q=0.8",
    "accept-encoding": "gzip, deflate",
    "accept-language": "en,*;q=0.5",
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """A fetched page."""

    #: Where the page was found, after redirects.
    url: str
    #: Response headers, names in lower case.
    headers: dict[str, str]
    #: Decompressed body, cut at the limit.
    body: bytes
    #: Media type without parameters.
    media_type: str
    #: As the header states it.
    charset: str | None


class Fetcher:
    """Fetches pages within limits; `allow_private` and `sample_web` are those of the service's settings."""

    def __init__(
        self, limits: FetchLimits | None = None, *, allow_private: bool = False, sample_web: bool = True
    ) -> None:
        self._limits = FetchLimits() if limits is None else limits
        self._allow_private = allow_private
        self._samples = SampleWeb() if sample_web else None
        self._network: httpx.AsyncBaseTransport | None = None

    async def fetch(self, target: Target) -> Fetched:
        """Fetch a page, or raise a `FetchProblem`.

        Where the target was given without a scheme, ``https``, then for a registrable domain ``https`` with ``www.``
        (without it where it was given), then ``http`` are tried. Each may take its share of the time to connect.
        Problems are: no connection, a private address, an error status, too many redirects, too slow, not text.
        """
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._first_reachable(target)
        except TimeoutError:
            raise FetchProblem(f"no complete answer within {self._limits.seconds:g} seconds") from None

    async def close(self) -> None:
        """Close the connections."""
        network, self._network = self._network, None
        if network is not None:
            await network.aclose()

    async def _first_reachable(self, target: Target) -> Fetched:
        candidates = _candidates(target)
        patience = self._limits.seconds / len(candidates)
        for url in candidates:
            try:
                return await self._follow(url, patience)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
            except httpx.HTTPError as error:
                raise FetchProblem(f"the connection failed ({type(error).__name__})") from None
        raise FetchProblem(f"no connection to {target.host}")

    async def _follow(self, url: str, patience: float) -> Fetched:
        target = self._checked(url)
        for _ in range(self._limits.redirects + 1):
            async with self._stream(target, patience) as response:
                location = response.headers.get("location")
                if response.status_code not in _REDIRECTS or not location:
                    return await _read(response, target.url, self._limits)
            target = self._checked(location, base=target.url)
        raise FetchProblem(f"more than {self._limits.redirects} redirects")

    def _checked(self, url: str, base: str = "") -> Target:
        try:
            target = parse_target(urljoin(base, url))
        except (TargetError, ValueError) as error:
            raise FetchProblem(f"a redirect points to no web address ({error})") from None
        if not self._allow_private:
            try:
                public = is_public_address(target.host)
            except ValueError:
                public = True  # a name: the resolver checks what it resolves to
            if not public:
                raise FetchProblem(f"{target.host} is not a public address")
        return target

    @asynccontextmanager
    async def _stream(self, target: Target, patience: float) -> AsyncIterator[httpx.Response]:
        seconds = self._limits.seconds
        timeouts = {"connect": patience, "pool": patience, "read": seconds, "write": seconds}
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
            self._network = network_transport(allow_private=self._allow_private)
        return self._network


def _candidates(target: Target) -> list[str]:
    if "://" in target.given or target.host.endswith(_SAMPLE_ENDING):
        return [target.url]
    tail = target.url.removeprefix("https://")
    candidates = [target.url, f"http://{tail}"]
    if target.domain == target.registrable:
        is_short = target.host == target.domain
        candidates.insert(1, f"https://www.{tail}" if is_short else f"https://{tail.removeprefix('www.')}")
    return candidates


async def _read(response: httpx.Response, url: str, limits: FetchLimits) -> Fetched:
    if response.status_code != httpx.codes.OK:
        raise FetchProblem(f"the site answered with HTTP status {response.status_code}")
    declared = response.headers.get("content-type", "")
    media_type = declared.split(";", 1)[0].strip().lower()
    if media_type and media_type not in _TEXT_TYPES:
        raise FetchProblem(f"the address serves {media_type}, not a page of text")
    body = bytearray()
    stream = response.stream
    if not isinstance(stream, httpx.AsyncByteStream):
        raise FetchProblem("the connection gave no body")
    async for part in _unpacked(stream, response.headers.get("content-encoding", "")):
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


async def _unpacked(stream: AsyncIterable[bytes], encoding: str) -> AsyncIterator[bytes]:
    """Yield a body as it was before its ``Content-Encoding``, a compressed one in pieces of at most 65,536 bytes.

    An encoding that was not asked for, and a body that is damaged or cut off, is a `FetchProblem`.
    """
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        async for chunk in stream:
            yield chunk
        return
    if encoding not in ENCODINGS:
        raise FetchProblem(f"the site sent the encoding {encoding}, which was not asked for")
    unpacker = Unpacker(encoding)
    try:
        async for chunk in stream:
            for piece in unpacker.feed(chunk):
                yield piece
        unpacker.finish()
    except UnpackingError as error:
        raise FetchProblem(f"the compressed body is {error}") from None
