"""The garbage collector while much is made at a time that it would look at, and not free."""

from __future__ import annotations

import gc
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["fewer_collections"]

#: With hundreds of open requests the collector's usual 700 new objects are a few requests, and of a page that is read a
#: tenth: every round walks over all that is open and frees nothing. This many took a third of a run's time away and a
#: twentieth of a page's, and hold a few megabytes longer.
_OBJECTS: Final = 20_000

_lock = threading.Lock()
_usual: list[tuple[int, int, int]] = []


@contextmanager
def fewer_collections() -> Iterator[None]:
    """Let the collector start only after many new objects; the process's own setting is back when the last has left.

    A collector that is switched off, or starts yet more rarely, stays as it is.

    Examples
    --------
    >>> usual = gc.get_threshold()
    >>> with fewer_collections():
    ...     gc.get_threshold()[0] >= 20_000
    True
    >>> gc.get_threshold() == usual
    True
    """
    with _lock:
        usual = gc.get_threshold()
        _usual.append(usual)
        if 0 < usual[0] < _OBJECTS:
            gc.set_threshold(_OBJECTS, *usual[1:])
    try:
        yield
    finally:
        with _lock:
            first = _usual[0]
            _usual.pop()
            if not _usual:
                gc.set_threshold(*first)
