"""Which process is at a run: the machine and the process stand in the file, and whether it still lives is found out."""

from __future__ import annotations

import os
import socket
import time
from typing import Final

__all__ = ["is_held", "own_name"]

#: Microseconds after which a process of another machine that was not heard of is taken to have ended.
_SILENT: Final = 120_000_000


def own_name() -> str:
    """Return this process's name in the file: the machine and the number of the process."""
    return f"{socket.gethostname()}:{os.getpid()}"


def is_held(holder: str | None, held_at: int | None) -> bool:
    """Tell whether a process is still at a run: one of this machine if it lives, another one if it was heard of."""
    if holder is None or holder == own_name():
        return False
    machine, _, number = holder.rpartition(":")
    if machine != socket.gethostname() or os.name == "nt":  # there a signal of 0 would end it
        return time.time_ns() // 1000 - (held_at or 0) < _SILENT
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OSError):
        return True
    return True
