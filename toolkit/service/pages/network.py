"""The way to the network: private addresses are refused where names are resolved, and every error is httpx's."""

from __future__ import annotations

import errno
import os
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx

from toolkit.service.pages.addresses import is_public_address

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    import aiohttp
    from aiohttp.abc import ResolveResult

__all__ = ["network_transport"]


def network_transport(*, allow_private: bool) -> httpx.AsyncBaseTransport:
    """Return a transport to the network that refuses private addresses at the resolver, unless they are allowed.

    A name that is at no public address is to it one that nobody has. It raises `httpx.TransportError` for all that
    fails, answers that break the protocol included. It must be called in the event loop that uses it.
    """
    import aiohttp  # noqa: PLC0415 - only where a network is used
    from httpx_aiohttp import AiohttpTransport  # noqa: PLC0415

    def session() -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(resolver=_public_resolver(allow_private=allow_private), use_dns_cache=False)
        return aiohttp.ClientSession(connector=connector, auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar())

    return _Transport(AiohttpTransport(client=session))


class _Transport(httpx.AsyncBaseTransport):
    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        with _errors_of_httpx():
            response = await self._inner.handle_async_request(request)
        response.stream = _Stream(response.stream)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Stream(httpx.AsyncByteStream):
    def __init__(self, inner: httpx.SyncByteStream | httpx.AsyncByteStream) -> None:
        assert isinstance(inner, httpx.AsyncByteStream)  # noqa: S101 - an asynchronous transport gives no other
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _errors_of_httpx():
            async for chunk in self._inner:
                yield chunk

    async def aclose(self) -> None:
        with _errors_of_httpx():
            await self._inner.aclose()


@contextmanager
def _errors_of_httpx() -> Iterator[None]:
    """Raise what `AiohttpTransport` leaves unmapped, such as broken headers, as an error of httpx."""
    import aiohttp  # noqa: PLC0415

    try:
        yield
    except aiohttp.ClientError as error:
        raise httpx.RemoteProtocolError(type(error).__name__) from error


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
                # As of a name that nobody has: which private names there are is nobody's business.
                raise OSError(errno.ENOENT, os.strerror(errno.ENOENT))
            return public

    return PublicResolver()
