"""The linear algebra library kept to one thread: a page's products are so small that more only wait for each other."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

import numpy as np  # noqa: F401 - the library must be there to be found

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["one_thread"]


class _Limit:
    """How many are within, and what puts the threads back: their number is the whole process's."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.within = 0
        self.limiter: Any = None


_limit = _Limit()


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute within with one thread; the last who leaves puts back what the first has found.

    >>> with one_thread():
    ...     {library["num_threads"] for library in _libraries().info()}
    {1}
    """
    with _limit.lock:
        if not _limit.within:
            _apart(_set)
        _limit.within += 1
    try:
        yield
    finally:
        with _limit.lock:
            _limit.within -= 1
            if not _limit.within:
                _apart(_limit.limiter.restore_original_limits)


def _set() -> None:
    _limit.limiter = _libraries().limit(limits=1)


def _apart(function: Callable[[], object]) -> None:
    """Call a function in a thread that ends with it.

    Only one thread may set the number, for as long as it lives, and the last who leaves need not be the first who came.
    Where the user has such a thread, what it has set stays.
    """
    thread = Thread(target=function)
    thread.start()
    thread.join()


@cache
def _libraries() -> Any:
    """Return the libraries of linear algebra that are loaded; to look for them takes a while."""
    from threadpoolctl import ThreadpoolController  # noqa: PLC0415 - it comes with the service's extra

    return ThreadpoolController().select(user_api="blas")
