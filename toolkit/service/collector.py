"""The garbage collector while a page is read: it would walk over all that is made of it, time and again, in vain."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["uncollected"]


@contextmanager
def uncollected() -> Iterator[None]:
    """Let the collector rest; what is made of a page is freed without it, as nothing there refers to itself.

    Of several threads the first to come puts it off, and puts it on when it leaves. One that is off stays so.

    >>> with uncollected():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    is_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_on:
            gc.enable()
