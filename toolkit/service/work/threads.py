"""Tasks performed by threads of this process: for a notebook or a script, which would wait for others to start."""

from __future__ import annotations

import asyncio
import atexit
import os
import time
from concurrent.futures import Future
from functools import partial
from threading import Event, Lock, Thread, current_thread
from typing import TYPE_CHECKING, Final, TypeVar

from anyio import CapacityLimiter

from toolkit.service.failures import Failure
from toolkit.service.knowledge.arithmetic import one_thread
from toolkit.service.work.tasks import Done, Source, Task, is_prepared, overdue, perform, prepare

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Threads"]

T = TypeVar("T")

#: Tasks at once; they take turns at the interpreter, so that more would only take more memory.
_MOST: Final = 4
#: What is under way, each until when; and whether the program ends, so that nothing more begins.
_running: Final[dict[Thread, float]] = {}
_ending: Final = Event()
#: Held while one begins, so that whoever waits at the program's end finds none that is not started yet.
_beginning: Final = Lock()


class Threads:
    """Performs tasks in threads of this process, each for so many seconds at most.

    A thread cannot be ended from outside: what takes too long is answered without it, and it ends at its next step. How
    long a step may take is bounded by what is read of a page.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._places = CapacityLimiter(min(_MOST, os.cpu_count() or 1))

    async def start(self) -> None:
        """Load what tasks need."""
        await _in_thread(prepare, self._seconds)

    async def perform(self, source: Source, task: Task) -> Done:
        """Perform a task; the first of its kind waits for what it needs to be loaded, which takes none of its time."""
        async with self._places:
            if not is_prepared(task.body):
                await _in_thread(partial(prepare, task.body), self._seconds)
            until = time.monotonic() + self._seconds
            try:
                async with asyncio.timeout(self._seconds):
                    return await _in_thread(partial(_performed, source, task, until), self._seconds)
            except TimeoutError:
                raise overdue(self._seconds) from None

    async def close(self) -> None:
        """Leave what is under way; nobody waits for it."""


def _performed(source: Source, task: Task, until: float) -> Done:
    with one_thread():
        return perform(source, task, until)


async def _in_thread(function: Callable[[], T], seconds: float) -> T:
    """Return what a function returns in a thread of its own, which is left behind where nobody waits any more."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()
    # A daemon: nothing waits for its end without bound.
    thread = Thread(target=_report, args=(future, function), daemon=True)
    with _beginning:
        if _ending.is_set():
            raise Failure(503, "the program ends")
        _running[thread] = time.monotonic() + seconds
        thread.start()
    return await asyncio.wrap_future(future)


def _report(future: Future[T], function: Callable[[], T]) -> None:
    try:
        future.set_result(function())
    except BaseException as error:  # noqa: BLE001 - whoever waits hears of it
        future.set_exception(error)
    finally:
        _running.pop(current_thread(), None)


@atexit.register
def _finish() -> None:
    """Wait for what is under way: a thread that is cut off within a library's code would end the process as a crash."""
    with _beginning:
        _ending.set()
        waited_for = list(_running.items())
    for thread, until in waited_for:
        thread.join(max(until - time.monotonic(), 0))
