"""What sends the tasks of a run: as many at a time as the service bears, each marked before and written after."""

from __future__ import annotations

import asyncio
import gc
import heapq
import itertools
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from toolkit.interface.errors import (
    ConfigurationError,
    ConnectionFailedError,
    ContentError,
    InputError,
    InvalidKeyError,
    MovedError,
    QuotaExceededError,
    RateLimitedError,
    ResponseError,
    ServerError,
    ServiceError,
    StoreError,
    ToolkitError,
)
from toolkit.interface.reading import credits_used, read_json, stated_by
from toolkit.interface.text import shortened
from toolkit.runs.tasks import Entry, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolkit.interface.calls import Call, Family
    from toolkit.interface.reading import Stated
    from toolkit.net.cache import Cache
    from toolkit.net.transport import Transport
    from toolkit.runs.budget import Budget
    from toolkit.runs.journal import Journal
    from toolkit.runs.pace import Pace
    from toolkit.runs.tasks import Task

__all__ = ["Engine", "Sender", "fewer_collections", "rate_of"]

#: Tasks that are marked as sent in one transaction.
#: Seconds of which the rate is.
_RATED_SECONDS: Final = 20.0
_CLAIMED: Final = 32
_READ_AHEAD: Final = 2_000
#: Answers that are written in one transaction, and seconds that one waits for others.
_WRITTEN: Final = 128
_LONGEST_WAIT: Final = 0.005
#: Requests in a row that found no service, after which the run stops and keeps what is left for later.
_MOST_UNREACHED: Final = 20
_SHOWN_ERROR: Final = 500
#: With hundreds of open requests the collector's usual 700 new objects are a few requests: every round walks over all
#: that are open and frees nothing. This many took a third of a run's time away, and hold a few megabytes longer.
_OBJECTS: Final = 20_000

_lock = threading.Lock()
_usual: list[tuple[int, int, int]] = []


class Sender(ABC):
    """Sends what is to be sent, and counts it; `watch` is called with each entry once it is written."""

    def __init__(
        self,
        transport: Transport,
        cache: Cache,
        *,
        budget: Budget,
        watch: Callable[[Entry], None] | None = None,
    ) -> None:
        self._transport = transport
        self._cache = cache
        self.budget = budget
        self._watch = watch
        #: Why it stopped; empty where it did not.
        self.reason = ""
        self.sent = self.open = self.slowed = self.answered = self.failed = 0
        self.remaining: int | None = None
        #: When the last answers and failures came.
        self.recent: deque[float] = deque(maxlen=512)
        self._loop: asyncio.AbstractEventLoop | None = None

    @abstractmethod
    async def run(self) -> None:
        """Send until nothing is left to be sent, or something stops it; `reason` says what."""

    @abstractmethod
    def stop(self, reason: str) -> None:
        """Send nothing more. It may be called from any thread."""

    def _call_soon(self, function: Callable[[], object]) -> None:
        """Call a function in the loop that sends, if there is one."""
        if self._loop is not None and not self._loop.is_closed():
            # A loop that closes just now has nothing left to stop.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(function)

    def _came(self, entry: Entry, now: float) -> None:
        """Count what came of a task, and tell it to who watches."""
        self.recent.append(now)
        if entry.state is State.ANSWERED:
            self.answered += 1
        else:
            self.failed += 1
        if self._watch is not None:
            self._watch(entry)


class Engine(Sender):
    """Sends each task as a request of its own."""

    def __init__(
        self,
        transport: Transport,
        cache: Cache,
        journal: Journal,
        *,
        pace: Pace,
        budget: Budget,
        watch: Callable[[Entry], None] | None = None,
    ) -> None:
        super().__init__(transport, cache, budget=budget, watch=watch)
        self._journal = journal
        self.pace = pace
        self._retries = transport.retries
        self._after = 0
        self._families = [question.family for question in journal.questions]
        self._read: deque[Task] = deque()
        self._claimed: deque[Task] = deque()
        self._exhausted = False
        self._again: list[tuple[float, int, Task]] = []
        self._order = itertools.count()
        self._held: dict[int, int] = {}
        self._attempts: dict[int, int] = {}
        self._refusals: dict[int, int] = {}
        self._returned: list[Task] = []
        self._workers: set[asyncio.Task[None]] = set()
        self._living = 0
        self._all_ended = asyncio.Event()
        self._pending: list[Entry] = []
        self._written: asyncio.Future[None] | None = None
        self._flushing: asyncio.TimerHandle | None = None
        self._unreached = 0
        self._refused_families: dict[Family, str] = {}
        self._spent = self._unreachable = ""
        self._slow_since: float | None = None
        self._counted = (0, 0.0)
        self._stopping: asyncio.Event | None = None
        self._problem: BaseException | None = None

    async def run(self) -> None:
        """Send until nothing is left to be sent, or something stops it; `reason` says what."""
        self._stopping, self._loop = asyncio.Event(), asyncio.get_running_loop()
        self._after = self._journal.before
        self._counted = (0, time.monotonic())
        try:
            with fewer_collections():
                self._spawn()
                await self._all_ended.wait()
        finally:
            for worker in tuple(self._workers):
                worker.cancel()
            await asyncio.gather(*self._workers, return_exceptions=True)
            if not isinstance(self._problem, StoreError):
                self._flush()
                left = [*self._claimed, *self._returned, *(task for *_, task in self._again)]
                self._journal.unsend(left)
                self._note_refusals()
        if self._problem is not None:
            raise self._problem

    def stop(self, reason: str) -> None:
        """Send nothing more; what is under way is waited for and written. It may be called from any thread."""
        self.reason = self.reason or reason
        if self._stopping is not None:
            self._call_soon(self._stopping.set)

    # Workers ------------------------------------------------------------------------------------------------------

    def _spawn(self) -> None:
        self._living += 1
        worker = asyncio.get_running_loop().create_task(self._work())
        self._workers.add(worker)
        worker.add_done_callback(self._ended)

    def _ended(self, worker: asyncio.Task[None]) -> None:
        self._workers.discard(worker)
        if not self._workers:
            self._all_ended.set()
        if not worker.cancelled() and (problem := worker.exception()) is not None:
            self._problem = self._problem or problem
            self.stop("an error")

    async def _work(self) -> None:
        try:
            await self._work_on()
        finally:
            # At once, and not when the loop comes to it: too many would end at a time.
            self._living -= 1

    async def _work_on(self) -> None:
        while not self.reason:
            if self._living > max(self.pace.limit, 1):
                return
            if (pause := self.pace.resumes_at - time.monotonic()) > 0:
                await self._sleep(pause)
                continue
            task = self._next()
            if task is None:
                if not await self._wait_for_more():
                    return
                continue
            if self._families[task.place] in self._refused_families:
                self._returned.append(task)
                continue
            if not self._affords(task):
                heapq.heappush(self._again, (0.0, next(self._order), task))
                if not self.budget.is_waiting:
                    self.stop("the budget is used up" if self.budget.ceiling else "the budget is 0")
                    return
                await self._sleep(0.01)
                continue
            if self._living < self.pace.limit and (self._claimed or self._read or not self._exhausted):
                self._spawn()
            await self._one(task)

    async def _sleep(self, seconds: float) -> None:
        assert self._stopping is not None  # noqa: S101 - set when the run begins
        try:
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
        except TimeoutError:
            pass

    def _next(self) -> Task | None:
        """Return the next task: one that is due again, else the next of the inputs."""
        if self._again and self._again[0][0] <= time.monotonic():
            return heapq.heappop(self._again)[2]
        if not self._claimed:
            if not self._read and not self._exhausted:
                self._read.extend(self._journal.waiting(self._after, _READ_AHEAD))
                self._exhausted = len(self._read) < _READ_AHEAD
                if self._read:
                    self._after = self._read[-1].id
            claimed = list(itertools.islice(self._read, min(_CLAIMED, self.pace.limit)))
            if claimed:
                self._journal.send(claimed)
                self._claimed.extend(claimed)
                for _ in claimed:
                    self._read.popleft()
        return self._claimed.popleft() if self._claimed else None

    async def _wait_for_more(self) -> bool:
        """Wait for a task that is due later; False if there will be none."""
        if not self._again:
            return False
        await self._sleep(max(self._again[0][0] - time.monotonic(), 0.001))
        return True

    def _affords(self, task: Task) -> bool:
        endpoint = self._journal.questions[task.place].endpoint
        held = self.budget.hold(endpoint)
        if held is None:
            return False
        self._held[task.id] = held
        return True

    # One request --------------------------------------------------------------------------------------------------

    async def _one(self, task: Task) -> None:
        call = self._journal.questions[task.place].call(task.target)
        self._attempts[task.id] = self._attempts.get(task.id, 0) + 1
        sent_at = time.monotonic()
        self.sent += 1
        self.open += 1
        try:
            try:
                received = await self._transport.exchange(call)
            finally:
                self.open -= 1
            raw = read_json(call, received)
        except ContentError as error:
            body = error.raw if isinstance(error.raw, dict) else {}
            source = stated_by(received, body)
            self._settle(task, call, source, answered=False)
            await self._write(Entry(task, State.ANSWERED, error.status, None, call, received, source, error))
        except RateLimitedError as error:
            self._slowed(task, call, sent_at, error)
        except (InvalidKeyError, QuotaExceededError) as error:
            self._refused(task, call, error)
        except (ConfigurationError, InputError):
            self._release(task, call)
            self._returned.append(task)
            raise
        except ToolkitError as error:
            await self._went_wrong(task, call, error)
        else:
            source = stated_by(received, raw)
            self._settle(task, call, source, answered=True)
            self.pace.went_well()
            self._slow_since, self._unreached = None, 0
            self._cache.prove(call.family)
            if source.remaining_credits is not None:
                self.remaining = source.remaining_credits
            await self._write(Entry(task, State.ANSWERED, 200, None, call, received, source))

    def _settle(self, task: Task, call: Call, source: Stated | None, *, answered: bool) -> None:
        stated = source.credits_used if source is not None else None
        self.budget.settle(call.endpoint, self._held.pop(task.id, 0), stated, answered=answered)

    def _release(self, task: Task, call: Call) -> None:
        """Count a request that has certainly cost nothing."""
        self.budget.settle(call.endpoint, self._held.pop(task.id, 0), 0, answered=False)

    def _slowed(self, task: Task, call: Call, sent_at: float, error: RateLimitedError) -> None:
        """Wait as the service asks, and send again: it is no failure of the task."""
        self._release(task, call)
        now = time.monotonic()
        self.slowed += 1
        self._attempts[task.id] -= 1
        self._slow_since = now if self._slow_since is None else self._slow_since
        times = self._refusals[task.id] = self._refusals.get(task.id, 0) + 1
        # The service says when to come back: that is for all. Otherwise fewer are sent, and this one waits ever longer.
        asked = error.retry_after or 0.0
        wait = asked or self._retries.wait(times)
        if asked > self._retries.longest_retry_after:
            self.stop(f"the service asks to wait {asked:,.0f} s")
        elif now - self._slow_since > self._retries.seconds:
            self.stop(f"for {self._retries.seconds:,.0f} s the service has only asked to slow down")
        self.pace.slow_down(sent_at, now, min(asked, self._retries.longest_retry_after))
        heapq.heappush(self._again, (now + wait, next(self._order), task))

    def _refused(self, task: Task, call: Call, error: ServiceError) -> None:
        """Send nothing more that would be refused too: the quota is the account's, a key its family's."""
        self._release(task, call)
        self._returned.append(task)
        words = shortened(str(error), _SHOWN_ERROR)
        if isinstance(error, InvalidKeyError):
            self._cache.refuse(call.family)
            self._refused_families[call.family] = words
        else:
            self._spent = self._spent or words
        if self._spent:
            self.stop("the quota is used up (403)")
        elif set(self._families) <= set(self._refused_families):
            self.stop("the key was refused (401)")

    def _note_refusals(self) -> None:
        """Write why what is left was not asked, in the words of the service."""
        for family, words in self._refused_families.items():
            self._journal.note((place for place, own in enumerate(self._families) if own == family), 401, words)
            self.reason = self.reason or "the key was refused (401)"
        if self._spent:
            open_ = (place for place, family in enumerate(self._families) if family not in self._refused_families)
            self._journal.note(open_, 403, self._spent)
        if self._unreachable:
            kind = ConnectionFailedError.__name__
            self._journal.note(range(len(self._families)), None, self._unreachable, kind)

    async def _went_wrong(self, task: Task, call: Call, error: ToolkitError) -> None:
        """Try again later what may pass; write down what will not, or was tried often enough."""
        has_moved = isinstance(error, MovedError)
        was_sent = not has_moved and not (isinstance(error, ConnectionFailedError) and error.was_not_sent)
        if isinstance(error, ServiceError):
            stated = credits_used(error.raw) if isinstance(error.raw, dict) else None
            self.budget.settle(call.endpoint, self._held.pop(task.id, 0), stated, answered=False)
        elif was_sent:
            self._settle(task, call, None, answered=False)  # it may have been charged: nobody knows
        else:
            self._release(task, call)
        attempts = self._attempts[task.id]
        if not was_sent:
            self._unreached += 1
            # That is never about the target, so it is no failure of the task.
            is_lasting = has_moved or (isinstance(error, ConnectionFailedError) and error.is_lasting)
            if self._unreached >= _MOST_UNREACHED or attempts >= self._retries.attempts or is_lasting:
                self._unreachable = shortened(str(error), _SHOWN_ERROR)
                self.stop("the service cannot be reached")
        passes = isinstance(error, ServerError | MovedError | ConnectionFailedError | ResponseError)
        if passes and (attempts < self._retries.attempts or self.reason):
            wait = self._retries.wait(attempts)
            if isinstance(error, ServerError) and error.retry_after is not None:
                wait = min(error.retry_after, self._retries.longest_retry_after)
            heapq.heappush(self._again, (time.monotonic() + wait, next(self._order), task))
            return
        status = error.status if isinstance(error, ServiceError) else None
        await self._write(Entry(task, State.FAILED, status, shortened(str(error), _SHOWN_ERROR), call, problem=error))

    # Writing ------------------------------------------------------------------------------------------------------

    async def _write(self, entry: Entry) -> None:
        """Write an entry together with others, and wait until it is written."""
        loop = asyncio.get_running_loop()
        self._attempts.pop(entry.task.id, None)
        self._refusals.pop(entry.task.id, None)
        self._pending.append(entry)
        if self._written is None:
            self._written = loop.create_future()
        written = self._written
        # Half of a few: while these are written, the answers to the others come.
        if len(self._pending) >= min(_WRITTEN, self._living // 2 or 1):
            self._flush()
        elif self._flushing is None:
            self._flushing = loop.call_later(_LONGEST_WAIT, self._flush)
        await written

    def _flush(self) -> None:
        if self._flushing is not None:
            self._flushing.cancel()
            self._flushing = None
        entries, self._pending = self._pending, []
        written, self._written = self._written, None
        now = time.monotonic()
        sent, since = self._counted
        try:
            self._journal.record(entries, spent=self.budget.spent, sent=self.sent - sent, seconds=now - since)
        except Exception as error:  # noqa: BLE001 - whatever it is, those who wait for it must hear of it
            if written is not None and not written.done():
                written.set_exception(error)
            self._problem = self._problem or error
            return
        self._counted = (self.sent, now)
        for entry in entries:
            self._came(entry, now)
        if written is not None and not written.done():
            written.set_result(None)


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


def rate_of(sender: Sender) -> float:
    """Return the answers a second of the last seconds."""
    moments, now = list(sender.recent), time.monotonic()
    recent = [moment for moment in moments if now - moment <= _RATED_SECONDS]
    return len(recent) / max(now - recent[0], 1e-3) if len(recent) > 1 else 0.0
