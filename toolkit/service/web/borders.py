"""What a request may not do, whatever it asks: drip its body, tell its length in two ways, outlive the service."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request

from toolkit.service.failures import Failure
from toolkit.service.web.answers import answer_failure

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.types import Message

__all__ = ["BODY_SECONDS", "Borders"]

#: Seconds in which a body must be complete.
BODY_SECONDS: Final = 10.0
_CLOSE: Final = (b"connection", b"close")


class Borders:
    """Middleware that answers what is none of the service's business; `is_stopping` tells whether the service ends."""

    def __init__(self, app: Callable[..., Awaitable[None]], is_stopping: Callable[[], bool]) -> None:
        self._app = app
        self._is_stopping = is_stopping

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, receive, send)
        names = {name for name, _ in scope["headers"]}
        if {b"content-length", b"transfer-encoding"} <= names:
            # Where a proxy believes the one and the service the other, one request hides another.
            await exchange.refuse(Failure(400, "the body is chunked and has a length too; send one of both"))
            return
        try:
            await self._app(scope, exchange.receive, exchange.send)
        except asyncio.CancelledError:
            if exchange.has_begun or not self._is_stopping():
                raise
            await exchange.refuse(Failure(503, "the service is being stopped; ask again later", retry_after=1))


class _Exchange:
    """A request on its way in, and its answer on the way out."""

    def __init__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._until = asyncio.get_running_loop().time() + BODY_SECONDS
        self._is_complete = False
        self._is_last = False
        self.has_begun = False

    async def receive(self) -> Message:
        if self._is_complete:
            # What else there is to hear of is when the client has gone.
            found: Message = await self._receive()
            return found
        try:
            async with asyncio.timeout_at(self._until):
                message: Message = await self._receive()
        except TimeoutError:
            self._is_last = True
            raise Failure(408, f"the body was not complete within {BODY_SECONDS:g} seconds; send it at once") from None
        self._is_complete = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_begun = True
            if self._is_last:
                message["headers"] = [*message["headers"], _CLOSE]
        await self._send(message)

    async def refuse(self, failure: Failure) -> None:
        """Answer with an error, after which nothing more is taken from the connection."""
        self._is_last = True
        response = await answer_failure(Request(self._scope), failure)
        await response(self._scope, self._receive, self.send)
