"""Requests over a real network, by aiohttp."""

from __future__ import annotations

import asyncio
import os
import weakref
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import aiohttp

from toolkit.net.body import SMALL, arrived
from toolkit.net.connection import MOST_OPEN

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from toolkit.net.transport import Reply, Sent
    from toolkit.net.ways import Ways

__all__ = ["NetworkWire"]


class NetworkWire:
    """Carries requests by aiohttp itself, and raises what aiohttp raises.

    Every request has its body at hand, is wanted whole, and has one limit of time around it: the objects that httpx
    makes of a request and an answer would take a fifth of a run's time.

    Parameters
    ----------
    connect_within : float
        Seconds for a connection.
    largest : int
        Bytes of an answer as it comes, at most.
    network : Ways
        By which proxies, and trusting whose certificates.
    """

    def __init__(self, connect_within: float, largest: int, network: Ways) -> None:
        self._timeout = aiohttp.ClientTimeout(total=None, sock_connect=connect_within)
        self._largest = largest
        self._network = network
        self._session: aiohttp.ClientSession | None = None
        self._closing: AsyncGenerator[None, None] | None = None

    async def carry(self, sent: Sent) -> Reply:
        """Send a request and return the whole answer, its body as it came."""
        if self._session is None:
            self._session = await self._opened()
        through, headers = self._through(sent) if self._network.proxies else ({}, sent.headers)
        async with self._session.request(
            sent.method,
            sent.address,
            headers=headers,
            data=sent.content,
            allow_redirects=False,
            timeout=self._timeout,
            **through,
        ) as response:
            needs_login = response.status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED
            if through and needs_login and "Proxy-Authenticate" in response.headers:
                # Of the proxy, not of the service, whose 407 says something else. In a tunnel aiohttp tells them apart.
                raise aiohttp.ClientHttpProxyError(response.request_info, (), status=response.status)
            # In pieces only where it may be large: each of them costs as much as all of a small one.
            length = response.content_length
            is_small = length is not None and length <= SMALL
            body = await (response.read() if is_small else arrived(response.content.iter_any(), self._largest))
            return response.status, response.raw_headers, body

    async def aclose(self) -> None:
        """Close the connections."""
        if self._closing is not None:
            self._session, closing, self._closing = None, self._closing, None
            await closing.aclose()

    def _through(self, sent: Sent) -> tuple[dict[str, Any], dict[str, str]]:
        """Return what sends a request through its proxy, and the request's headers."""
        proxy = self._network.proxy_of(sent.address)
        if proxy is None:
            return {}, sent.headers
        if sent.address.startswith("https:"):  # the request itself is no business of the proxy's
            return {"proxy": proxy.url, "proxy_headers": proxy.headers}, sent.headers
        return {"proxy": proxy.url}, {**sent.headers, **proxy.headers}

    async def _opened(self) -> aiohttp.ClientSession:
        connector = _Connector(limit=MOST_OPEN, ssl=self._network.context or True)
        session = aiohttp.ClientSession(connector=connector, auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar())
        # It would send a GET again by itself when the connection ends without an answer; what may be paid for is sent
        # again by whoever knows that.
        session._retry_connection = False  # noqa: SLF001 - there is no public switch
        self._closing = _closing(session)
        await anext(self._closing)
        # By itself aiohttp would print pages about each session that a program did not close.
        weakref.finalize(self, _let_go, session, self._closing, asyncio.get_running_loop(), os.getpid())
        return session


class _Connector(aiohttp.TCPConnector):
    """Connections that say nothing when they are forgotten: they are closed with their session, or by the system."""

    def __del__(self, *_: object) -> None:
        pass


async def _closing(session: aiohttp.ClientSession) -> AsyncGenerator[None, None]:
    """Close a session at its end, which comes with that of the event loop at the latest."""
    try:
        yield
    finally:
        await session.close()


def _let_go(
    session: aiohttp.ClientSession, closing: AsyncGenerator[None, None], loop: asyncio.AbstractEventLoop, process: int
) -> None:
    """Close the connections of a client that was forgotten; in a forked process they are the parent's, and stay."""
    if session.closed:
        return
    if os.getpid() == process and loop.is_running():
        loop.call_soon_threadsafe(lambda: loop.create_task(closing.aclose()))
    else:
        session.detach()
