"""Tasks performed by processes: as many at once as there are, and each ended where it takes too long or too much.

Workers are forked from a process that has loaded all they need and runs no threads, so that they share it; where
there is no such way each loads for itself.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import time
import traceback
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from anyio import CapacityLimiter, Lock, to_thread

from toolkit.interface.errors import ConfigurationError
from toolkit.service.failures import Failure
from toolkit.service.knowledge.arithmetic import one_thread
from toolkit.service.work.tasks import Done, Source, Task, overdue, perform

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkServerContext, SpawnContext

__all__ = ["Processes"]

#: Seconds within which a worker is ready, on the slowest of machines.
_PATIENCE: Final = 120.0
#: Bytes read by a worker before another takes its place: not all memory that large pages take is given back.
_MOST_READ: Final = 50_000_000
#: Bytes from which a page may take a second. Such pages get half of the workers, so that others are always read too.
_LARGE: Final = 500_000
#: Seconds after which a worker ends itself, should the process be gone that would end it.
_GRACE: Final = 5
#: How much workers leave to others who want the processor, such as the loop that answers everybody.
_NICENESS: Final = 5
_READY: Final = b"ready"
_DONE: Final = b"done"
_FAILED: Final = b"failed"
_BROKEN: Final = b"broken"


class _EndedError(Failure):
    """A worker ended while it performed a task."""


class Processes:
    """Performs tasks in so many processes, each for so many seconds at most."""

    def __init__(self, number: int, seconds: float) -> None:
        self._number = number
        self._seconds = seconds
        self._places = CapacityLimiter(number)
        # Beside the others' places: who has one of either waits with the others for the next worker.
        self._large = CapacityLimiter(max(number // 2, 1))
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self._workers: set[_Worker] = set()
        self._starting = Lock()
        self._closed = False

    async def start(self) -> None:
        """Start the workers, once; they are ready when this returns."""
        async with self._starting:
            if not self._workers:
                await to_thread.run_sync(self._start_all)

    async def perform(self, source: Source, task: Task) -> Done:
        """Perform a task. Where its worker ends another tries; if that ends too, it alone is answered with 500."""
        if not self._workers:
            await self.start()
        size = _size(source)
        return await to_thread.run_sync(
            partial(self._perform, pickle.dumps((source, task)), size),
            abandon_on_cancel=True,
            limiter=self._large if size > _LARGE else self._places,
        )

    async def close(self) -> None:
        """End the workers, whatever they do."""
        self._closed = True
        # Whoever waits for one of them hears of its end, and clears up after it.
        for worker in list(self._workers):
            worker.kill()

    def _start_all(self) -> None:
        for worker in [_Worker(self._seconds) for _ in range(self._number)]:
            worker.wait_ready()
            self._workers.add(worker)
            self._idle.put(worker)

    def _perform(self, work: bytes, size: int) -> Done:
        try:
            return self._performed(work, size)
        except _EndedError:  # perhaps by somebody else, or for want of memory; a page that ends two has done it itself
            return self._performed(work, size)

    def _performed(self, work: bytes, size: int) -> Done:
        # There may be fewer than come here: some read large pages, or go on for a request that was cancelled.
        worker = self._idle.get()
        try:
            return worker.perform(work, size)
        finally:
            self._idle.put(worker if worker.is_fit else self._another(worker))

    def _another(self, worker: _Worker) -> _Worker:
        worker.end()
        self._workers.discard(worker)
        if self._closed:
            return worker
        another = _Worker(self._seconds)
        self._workers.add(another)
        return another


class _Worker:
    """A process that performs one task after another."""

    def __init__(self, seconds: float) -> None:
        context = _context()
        self._seconds = seconds
        self._left = _MOST_READ
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, seconds), daemon=True)
        self._process.start()
        theirs.close()
        self._is_ready = False
        self.is_fit = True

    def wait_ready(self) -> None:
        """Wait until it has loaded all it needs."""
        if self._is_ready:
            return
        with suppress(EOFError, OSError):
            self._is_ready = self._connection.poll(_PATIENCE) and self._connection.recv_bytes() == _READY
        if not self._is_ready:
            self.end()
            raise ConfigurationError(
                "A worker process of the service did not start. Free memory, or do without workers; a script that asks "
                'for them must guard what it does by if __name__ == "__main__".'
            )

    def perform(self, work: bytes, size: int) -> Done:
        """Perform a task; one who cannot perform another afterwards is not fit."""
        self._left -= size
        self.is_fit = False
        try:
            self.wait_ready()
            self._connection.send_bytes(work)
            in_time = self._connection.poll(self._seconds)
            outcome, first, second = (self._connection.recv_bytes() for _ in range(3)) if in_time else (b"",) * 3
        except (EOFError, OSError, ConfigurationError):
            raise _EndedError(500, "the process that read the content has ended; ask again") from None
        if not in_time:
            raise overdue(self._seconds)
        self.is_fit = self._left > 0
        if outcome == _FAILED:
            raise Failure(int(first), second.decode())
        if outcome == _BROKEN:
            raise RuntimeError(f"A worker process failed:\n{first.decode()}")
        return Done(first, second)

    def kill(self) -> None:
        """End the process, whatever it does."""
        if self._process.is_alive():
            self._process.kill()

    def end(self) -> None:
        """End the process and let go of it; for whoever alone uses it."""
        self.kill()
        self._process.join(_GRACE)
        self._connection.close()


def _context() -> SpawnContext | ForkServerContext:
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["toolkit.service.work.nursery"])
    return context


def _size(source: Source) -> int:
    return len(source if isinstance(source, str | bytes) else source.body)


def _work(connection: Connection, seconds: float) -> None:
    """Perform tasks until nobody is there to send one."""
    import toolkit.service.work.nursery  # noqa: F401, PLC0415 - loads all that is needed, unless it is there already

    # An interrupt of the terminal is for the process that ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    with suppress(EOFError, OSError), one_thread():
        connection.send_bytes(_READY)
        while True:
            for part in _outcome(connection.recv_bytes(), seconds):
                connection.send_bytes(part)


def _outcome(work: bytes, seconds: float) -> tuple[bytes, bytes, bytes]:
    if hasattr(signal, "alarm"):
        signal.alarm(int(seconds) + _GRACE)
    try:
        source, task = pickle.loads(work)  # noqa: S301 - from the process that has started this one
        return _DONE, *perform(source, task, time.monotonic() + seconds)
    except Failure as failure:
        return _FAILED, b"%d" % failure.status, failure.detail.encode()
    except Exception:  # noqa: BLE001 - told to whoever asked, whose answer it is
        return _BROKEN, traceback.format_exc().encode(errors="backslashreplace"), b""
    finally:
        if hasattr(signal, "alarm"):
            signal.alarm(0)
