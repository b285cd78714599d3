"""The HTTP receiver of notifications: a server that runs beside a notebook."""

from __future__ import annotations

import ipaddress
import logging
import socket
import threading
from typing import TYPE_CHECKING, Any, Final, Self

from toolkit.interface.checks import check_whole
from toolkit.interface.errors import ConfigurationError, need
from toolkit.interface.text import printable
from toolkit.webhooks.inbox import Inbox
from toolkit.webhooks.verify import TOLERANCE, seal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import SecretStr

__all__ = ["Receiver", "is_loopback"]

_THREAD: Final = "toolkit-receiver"
_MOST_CONNECTIONS: Final = 100
#: Seconds that requests under way have to end when the receiver is closed.
_PATIENCE: Final = 1
_LAST_PORT: Final = 65_535


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
        set; or if the extra ``service`` is not installed.

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
        need("service", "A receiver of notifications", "starlette", "uvicorn")
        import uvicorn  # noqa: PLC0415 - of the extra

        from toolkit.webhooks.app import receiver_app  # noqa: PLC0415 - as above

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


def _listener(host: str, port: int) -> socket.socket:
    port = check_whole(port, "port", 0, _LAST_PORT, error=ConfigurationError)
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


def _not_ours(record: logging.LogRecord) -> bool:
    return record.threadName != _THREAD
