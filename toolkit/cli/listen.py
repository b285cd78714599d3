"""``toolkit listen``: notifications as lines of JSON, as they come."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING, Final

from toolkit.cli.given import given_secrets
from toolkit.cli.streams import json_text
from toolkit.interface.text import printable
from toolkit.webhooks.inbox import Inbox
from toolkit.webhooks.receiver import Receiver
from toolkit.webhooks.verify import event_json, seal

if TYPE_CHECKING:
    import argparse

    from pydantic import SecretStr

    from toolkit.interface.errors import WebhookError
    from toolkit.interface.models import WebhookEvent

__all__ = ["listen"]

_VARIABLE: Final = "TOOLKIT_WEBHOOK_SECRET"


class _TellingInbox(Inbox):
    """Says what was refused, so that a wrong secret or clock is noticed while it can be mended."""

    def refuse(self, error: WebhookError) -> None:
        super().refuse(error)
        _say(f"refused: {error}")


def listen(arguments: argparse.Namespace) -> int:
    """Print every event that comes, a JSON object a line, until it is stopped.

    Standard output has the events and nothing else; what a person needs to know goes to standard error. An address that
    is not on loopback is refused unless it was allowed.
    """
    generated, known = _secrets(arguments.secret_file)
    inbox = _TellingInbox(arguments.inbox)
    earlier = inbox.events
    last = earlier[-1] if earlier else None
    with Receiver(
        known, arguments.host, arguments.port, arguments.path, inbox=inbox, allow_public=arguments.allow_public
    ) as receiver:
        _say(f"Listening for notifications at {receiver.url} - stop with Ctrl-C.")
        if generated:
            _say(f"{_VARIABLE}={generated}")
        while True:
            last = inbox.wait_for(after=last, timeout=None)
            sys.stdout.write(f"{_line(last)}\n")
            sys.stdout.flush()  # a pipe's reader gets it now, not when there are many
            if arguments.once:
                return 0


def _secrets(file: str | None) -> tuple[str | None, tuple[SecretStr, ...]]:
    """Return a secret that was made because none was given, and the secrets to verify with."""
    known = given_secrets(file, _VARIABLE)
    generated = None if known else secrets.token_urlsafe(32)
    return generated, known or seal(generated)


def _line(event: WebhookEvent) -> str:
    # No text of JSON spans lines, so that only indentation goes.
    text = json_text(event_json(event), sys.stdout.encoding or "utf-8")
    return " ".join(line.strip() for line in text.split("\n"))


def _say(words: str) -> None:
    sys.stderr.write(f"{printable(words)}\n")
    sys.stderr.flush()
