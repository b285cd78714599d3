"""Requests over a real network, by aiohttp behind the interface of an httpx transport."""

from __future__ import annotations

import aiohttp
import httpx
from httpx_aiohttp.transport import AiohttpTransport, map_aiohttp_exceptions

from toolkit.net.connection import MOST_OPEN

__all__ = ["NetworkTransport"]


class NetworkTransport(AiohttpTransport):
    """The adapter of httpx for aiohttp, without what the toolkit's requests do not need.

    Every request has its body at hand, is wanted whole, and has one limit of time around it: the adapter's own streams,
    timers and copies of headers would take a third of a run's time.
    """

    def __init__(self, connect_within: float) -> None:
        super().__init__(client=_session)
        self._timeout = aiohttp.ClientTimeout(total=None, sock_connect=connect_within)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request and return the whole response, its body as it came."""
        if not isinstance(self.client, aiohttp.ClientSession):
            self.client = _session()
        with map_aiohttp_exceptions():
            async with self.client.request(
                request.method,
                str(request.url),
                headers=[(name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers.raw],
                data=request.content or None,
                allow_redirects=False,
                timeout=self._timeout,
            ) as response:
                body = await response.read()
        return httpx.Response(response.status, headers=response.raw_headers, stream=httpx.ByteStream(body))


def _session() -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(limit=MOST_OPEN, ssl=httpx.create_ssl_context(trust_env=False))
    session = aiohttp.ClientSession(connector=connector, auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar())
    # It would send a GET again by itself when the connection ends without an answer; what may be paid for is sent again
    # by whoever knows that.
    session._retry_connection = False  # noqa: SLF001 - there is no public switch
    return session
