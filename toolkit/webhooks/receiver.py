"""The HTTP receiver of notifications: a small app, and a server for it that runs beside a notebook."""

from __future__ import annotations

import ipaddress
import logging
import socket
import threading
from typing import TYPE_CHECKING, Any, Final, Self

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from toolkit.interface.errors import ConfigurationError, EventError, OutsideWindowError, SignatureError, WebhookError
from toolkit.interface.text import printable
from toolkit.webhooks.inbox import Inbox
from toolkit.webhooks.verify import TOLERANCE, check_sealed, check_tolerance, seal, verify

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import SecretStr

__all__ = ["LONGEST_BODY", "Receiver", "is_loopback", "receiver_app"]

#: Bytes of a notification; that of a failed batch carries the results of up to 1,000 domains.
LONGEST_BODY: Final = 5_000_000
_THREAD: Final = "toolkit-receiver"
_MOST_CONNECTIONS: Final = 100
#: Seconds that requests under way have to end when the receiver is closed.
_PATIENCE: Final = 1
_LAST_PORT: Final = 65_535


def receiver_app(
    inbox: Inbox,
    secrets: str | SecretStr | Iterable[str | SecretStr],
    tolerance: float = TOLERANCE,
    path: str = "/",
) -> Starlette:
    """Return an ASGI app that puts genuine notifications into an inbox, and notes there why others were refused.

    It answers 200 for an event that was taken or had come before, 400 for a body that is no event, 401 for a signature
    or a timestamp that is not right, 413 for more than 5 MB, and 503 where the inbox cannot keep the event, so that it
    is sent again. No secret, or a `tolerance` or `path` that is not as it must be, is a `ConfigurationError`.
    """
    secrets = seal(secrets)
    check_sealed(secrets)
    check_tolerance(tolerance)
    _check_path(path)
    known = secrets

    async def receive(request: Request) -> Response:
        try:
            body = await _read(request)
        except ClientDisconnect:
            return Response(status_code=400)  # nobody reads it
        if body is None:
            inbox.refuse(EventError(f"The notification has more than {LONGEST_BODY:,} bytes. Check what is sent."))
            return PlainTextResponse("too long", 413, {"connection": "close"})
        # Away from the event loop: a long body takes its time, and so may the inbox's file.
        return await run_in_threadpool(_answer, inbox, body, request.headers, known, tolerance)

    app = Starlette(routes=[Route(path, receive, methods=["POST"])])
    app.router.redirect_slashes = False  # a sender follows no redirect
    return app


class Receiver:
    """Receives notifications at an address of this machine, in a thread of its own, from now until it is closed.

    It works in a script and beside a notebook's running event loop, and listens on loopback. A service elsewhere needs
    a way in: a reverse proxy or a tunnel, which is also where TLS belongs, as the receiver does not encrypt.

    Parameters
    ----------
    secrets : str, SecretStr or iterable of them
        The webhook secret, or several of which any may have signed.
    host : str
        Address to listen on.
    port : int
        Port; 0 takes a free one.
    path : str
        Where notifications are posted to.
    inbox : Inbox, optional
        Takes the events. Left out, one in memory.
    tolerance : float
        Seconds that a notification's timestamp may be away from this clock.
    allow_public : bool
        Whether to listen on an address that other machines can reach.

    Attributes
    ----------
    inbox : Inbox
        The events that came; its `wait_for` waits for one.
    url : str
        Where it listens, for ``webhook_url``.

    Raises
    ------
    ConfigurationError
        If there is no secret, the address cannot be listened on, or is not on loopback although `allow_public` is not
        set.

    Examples
    --------
    >>> with Receiver("s3cret") as receiver:
    ...     receiver.url.startswith("http://127.0.0.1:"), receiver.inbox.events
    (True, [])
    """

    def __init__(
        self,
        secrets: str | SecretStr | Iterable[str | SecretStr],
        host: str = "127.0.0.1",
        port: int = 0,
        path: str = "/",
        *,
        inbox: Inbox | None = None,
        tolerance: float = TOLERANCE,
        allow_public: bool = False,
    ) -> None:
        secrets = seal(secrets)
        if not (allow_public or is_loopback(host)):
            raise ConfigurationError(
                f"{printable(str(host))} is not a loopback address, and the receiver does not encrypt. Listen on "
                "127.0.0.1 and put a reverse proxy with TLS before it, or allow a public address if one stands before "
                "it elsewhere."
            )
        self.inbox = Inbox() if inbox is None else inbox
        app = receiver_app(self.inbox, secrets, tolerance, path)
        listener = _listener(host, port)
        self.url = _address(listener, path)
        config = uvicorn.Config(
            app,
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_graceful_shutdown=_PATIENCE,
        )
        # Added again it does nothing, and it lets the lines of an application's own servers through.
        logging.getLogger("uvicorn.error").addFilter(_not_ours)
        self._listener = listener
        self._server = uvicorn.Server(config)
        # The port takes connections already; they are answered as soon as the thread is there.
        self._thread = threading.Thread(target=self._server.run, args=([listener],), name=_THREAD, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening, and end the thread. What came stays in the inbox."""
        self._server.should_exit = True
        self._thread.join()
        self._listener.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise ConfigurationError("A receiver holds a secret and is not pickled. Make one where it is used.")

    def __repr__(self) -> str:
        if "_thread" not in vars(self):  # a traceback may show one that was refused
            return "<Receiver, never open>"
        state = "at" if self._thread.is_alive() else "closed, was at"
        return f"<Receiver {state} {self.url}>"


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach an address.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _read(request: Request) -> bytes | None:
    """Return the body, or None if it is too long, whether or not it tells its length."""
    told = request.headers.get("content-length", "")
    if told.isdigit() and int(told) > LONGEST_BODY:
        return None
    parts, length = [], 0
    async for part in request.stream():
        length += len(part)
        if length > LONGEST_BODY:
            return None
        parts.append(part)
    return b"".join(parts)


def _answer(
    inbox: Inbox, body: bytes, headers: Any, secrets: tuple[SecretStr, ...], tolerance: float
) -> PlainTextResponse:
    """Take a notification; the sender learns what it was refused for only in outline."""
    try:
        new = inbox.take(verify(body, headers, secrets, tolerance=tolerance))
    except (SignatureError, OutsideWindowError) as error:
        inbox.refuse(error)
        return PlainTextResponse("not signed rightly, or not now", 401)
    except EventError as error:
        inbox.refuse(error)
        return PlainTextResponse("not an event", 400)
    except WebhookError as error:
        inbox.refuse(error)
        return PlainTextResponse("not kept; send it again", 503)
    return PlainTextResponse("taken" if new else "known")


def _listener(host: str, port: int) -> socket.socket:
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= _LAST_PORT:
        raise ConfigurationError(f"port must be a whole number from 0 to {_LAST_PORT}, not {port!r}.")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        words = getattr(error, "strerror", None) or str(error)
        raise ConfigurationError(
            f"The receiver cannot listen on {printable(host)} port {port}: {words}. Choose another; port 0 takes a "
            "free one."
        ) from None


def _address(listener: socket.socket, path: str) -> str:
    host, port = listener.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:  # every address of this machine, of which one has to be named
        host = "::1" if ":" in host else "127.0.0.1"
    return f"http://[{host}]:{port}{path}" if ":" in host else f"http://{host}:{port}{path}"


def _check_path(path: str) -> None:
    if not (isinstance(path, str) and path.startswith("/") and path.isascii() and path.isprintable()) or set(
        path
    ) & set(" {}?#%"):
        raise ConfigurationError(
            f"path must be the path of an address, such as /notifications, without characters that need escaping, "
            f"not {path!r}."
        )


def _not_ours(record: logging.LogRecord) -> bool:
    return record.threadName != _THREAD
