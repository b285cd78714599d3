"""``toolkit serve``: the embedded service under uvicorn."""

from __future__ import annotations

import multiprocessing
import os
import secrets
import sys
import threading
from typing import TYPE_CHECKING, Final

import uvicorn

from toolkit.cli.given import given_secrets
from toolkit.interface.errors import ConfigurationError
from toolkit.service.settings import Settings
from toolkit.webhooks.receiver import is_loopback

if TYPE_CHECKING:
    import argparse
    import socket
    from types import FrameType

    from toolkit.service.app import Service

__all__ = ["serve"]

_KEYS: Final = "TOOLKIT_SERVE_KEYS"
_WEBHOOK_SECRET: Final = "TOOLKIT_SERVE_WEBHOOK_SECRET"  # noqa: S105 - a name


#: Seconds that requests have to end once the service is to stop, and after which the process is gone in any case.
_GRACE_SECONDS: Final = 3
_LAST_SECONDS: Final = 4.5
#: Workers where none are asked for: more would take memory that nobody has offered.
_MOST_WORKERS: Final = 8


class _AnnouncingServer(uvicorn.Server):
    """Says where it listens once it does."""

    generated_key: str | None = None
    service: Service

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self.service.is_stopping = True
        # Whatever is under way by then is left behind; what must last is in the database at any moment.
        last = threading.Timer(_LAST_SECONDS, _leave, (128 + sig,))
        last.daemon = True
        last.start()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.should_exit or not self.servers:
            return
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        base = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        print(
            f"The embedded service is ready. Stop it with Ctrl-C.\nTOOLKIT_BASE_URL={base}\nTOOLKIT_V1_BASE_URL={base}"
        )
        if self.generated_key:
            print(f"TOOLKIT_API_KEY={self.generated_key}")
        print(f"Vocabulary: {base}/audience-segmentation-taxonomy.php", flush=True)


def serve(arguments: argparse.Namespace) -> int:
    """Run the service until it is stopped.

    An address that is not on loopback is refused, as the service has no transport encryption.
    """
    if not is_loopback(arguments.host):
        raise ConfigurationError(
            f"{arguments.host} is not a loopback address, and the service does not encrypt. Listen on 127.0.0.1 and "
            "put a reverse proxy with TLS before it."
        )
    keys = given_secrets(arguments.key_file, _KEYS)
    if arguments.database and not keys:
        raise ConfigurationError(
            "A database keeps accounts by their keys, and without one of yours every start makes a new one. Name a "
            f"file of keys with --key-file, or set {_KEYS}."
        )
    generated = None if keys else secrets.token_urlsafe(24)
    webhook_secrets = given_secrets(arguments.webhook_secret_file, _WEBHOOK_SECRET)
    if len(webhook_secrets) > 1:
        raise ConfigurationError("There is more than one webhook secret to sign with. Give one.")
    faults = None
    if arguments.faults:
        from toolkit.service import Faults  # noqa: PLC0415 - only where faults are asked for

        faults = Faults.parse(arguments.faults)
    settings = Settings(
        keys=keys or (generated or ""),
        monthly_quota=arguments.quota,
        total_credits=arguments.credits,
        rate_per_second=arguments.rate,
        burst=arguments.burst,
        allow_private=arguments.allow_private,
        sample_web=not arguments.no_samples,
        webhook_url=arguments.webhook_url,
        webhook_secret=webhook_secrets[0] if webhook_secrets else None,
        database=arguments.database,
        faults=faults,
        workers=min(_cores(), _MOST_WORKERS) if arguments.workers is None else arguments.workers,
        # Left out, the environment names the list.
        **({"ranked_domains": arguments.ranked_domains} if arguments.ranked_domains else {}),
    )
    from toolkit.service.app import create_app  # noqa: PLC0415 - takes a second; options are checked before
    from toolkit.service.web.connections import Connection  # noqa: PLC0415

    app = create_app(settings)
    if app.state.service.ranking is not None:
        # A bad line is told before the service says that it is ready, not to the first who asks.
        app.state.service.ranking.load()
    config = uvicorn.Config(
        app,
        host=arguments.host,
        port=arguments.port,
        http=Connection,
        ws="none",
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    server = _AnnouncingServer(config)
    server.generated_key = generated
    if settings.webhook_url and settings.webhook_secret is None:
        print(
            f"Notifications to --webhook-url are not signed. Set {_WEBHOOK_SECRET}, or name a file with "
            "--webhook-secret-file.",
            file=sys.stderr,
        )
    server.service = app.state.service
    try:
        server.run()
    except SystemExit:  # uvicorn leaves so when it cannot bind; it has said why
        return 1
    return 0 if server.started else 1


def _cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _leave(status: int) -> None:
    for worker in multiprocessing.active_children():
        worker.kill()
    os._exit(status)
