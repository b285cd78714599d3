"""Requests over a real network, by aiohttp."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import httpx
from httpx_aiohttp.transport import map_aiohttp_exceptions

from toolkit.net.connection import MOST_OPEN

if TYPE_CHECKING:
    from toolkit.net.transport import Reply, Sent

__all__ = ["NetworkWire"]


class NetworkWire:
    """Carries requests by aiohttp itself; what fails is said as httpx says it.

    Every request has its body at hand, is wanted whole, and has one limit of time around it: the objects that httpx
    makes of a request and an answer would take a fifth of a run's time.
    """

    def __init__(self, connect_within: float) -> None:
        self._timeout = aiohttp.ClientTimeout(total=None, sock_connect=connect_within)
        self._session: aiohttp.ClientSession | None = None

    async def carry(self, sent: Sent) -> Reply:
        """Send a request and return the whole answer, its body as it came."""
        if self._session is None:
            self._session = _session()
        try:
            async with self._session.request(
                sent.method,
                sent.address,
                headers=sent.headers,
                data=sent.content,
                allow_redirects=False,
                timeout=self._timeout,
            ) as response:
                return response.status, response.raw_headers, await response.read()
        except Exception:
            with map_aiohttp_exceptions():
                raise

    async def aclose(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None


def _session() -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(limit=MOST_OPEN, ssl=httpx.create_ssl_context(trust_env=False))
    session = aiohttp.ClientSession(connector=connector, auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar())
    # It would send a GET again by itself when the connection ends without an answer; what may be paid for is sent again
    # by whoever knows that.
    session._retry_connection = False  # noqa: SLF001 - there is no public switch
    return session
