"""Which process is at a run: two at a time would pay for everything twice."""

from __future__ import annotations

import os
import socket
from typing import Final

__all__ = ["holder_name", "is_held"]

#: Microseconds after which a process of another machine that was not heard of is taken to have ended.
_SILENT: Final = 120_000_000


def holder_name() -> str:
    """Return this process's name in the file: the machine and the number of the process."""
    return f"{socket.gethostname()}:{os.getpid()}"


def is_held(holder: str | None, held_at: int | None, now: int) -> bool:
    """Tell whether a process is still at a run: one of this machine if it lives, another one if it was heard of."""
    if holder is None or holder == holder_name():
        return False
    machine, _, number = holder.rpartition(":")
    if machine != socket.gethostname() or os.name == "nt":  # there a signal of 0 would end it
        return now - (held_at or 0) < _SILENT
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OSError):
        return True
    return True
