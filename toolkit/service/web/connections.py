"""Connections to the service: so many at once, and each with so long to send what it has to say."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from toolkit.service.failures import Failure

if TYPE_CHECKING:
    import asyncio

__all__ = ["Connection"]

_MOST: Final = 1_000
#: Open files that are left for pages, workers and the database.
_OTHER_FILES: Final = 200
_LEAST: Final = 50
#: Seconds in which a request must have arrived; a body that is late is told so before.
_SECONDS: Final = 20.0
#: Seconds in which who is refused may go on sending.
_DROPPED: Final = 1.0


def _most() -> int:
    with suppress(ImportError):
        import resource  # noqa: PLC0415 - not everywhere

        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if files != resource.RLIM_INFINITY:
            return max(min(_MOST, files - _OTHER_FILES), _LEAST)
    return _MOST


class Connection(H11Protocol):
    """A connection that is refused where there are too many, and closed where a request does not arrive in time."""

    #: Connections at once.
    most = _most()
    #: Seconds for a request, from its first byte, or from the opening of the connection.
    seconds = _SECONDS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._arrival: asyncio.TimerHandle | None = None
        self._is_refused = False
        self._is_told = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count a new connection."""
        super().connection_made(transport)
        self._is_refused = len(self.connections) > self.most
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Take what was sent; the time for a request ends with the last of it."""
        if self._is_refused:
            # Not before something was sent, and once: to close with what is unread would take the answer back.
            if not self._is_told:
                self._refuse()
            return
        before = self.cycle
        super().data_received(data)
        # The server keeps the last request until the head of the next one is complete.
        is_head = self.cycle is before and (before is None or before.response_complete)
        if is_head or self.cycle.more_body:
            self._expect()
        else:
            self._forget()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._forget()
        super().connection_lost(exc)

    def _expect(self) -> None:
        if self._arrival is None:
            self._arrival = self.loop.call_later(self.seconds, self._close)

    def _forget(self) -> None:
        if self._arrival is not None:
            self._arrival.cancel()
            self._arrival = None

    def _close(self) -> None:
        self._arrival = None
        self.transport.close()

    def _refuse(self) -> None:
        failure = Failure(503, f"there are {self.most} connections already; ask again later")
        body = json.dumps({"status": failure.status, "error": failure.message, "credits_used": 0}).encode()
        head = (
            "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 1\r\n"
            f"connection: close\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        self._is_told = True
        self.transport.write(head.encode() + body)
        self.transport.write_eof()
        # What is still sent is read and dropped.
        self._forget()
        self._arrival = self.loop.call_later(_DROPPED, self._close)
