"""What sends the tasks of a run in batches: many domains each, submitted once, waited for, and mapped back."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from toolkit.interface import calls
from toolkit.interface.errors import (
    AnswerTimeoutError,
    ConfigurationError,
    ConnectionFailedError,
    InputError,
    InvalidKeyError,
    NotFoundError,
    QuotaExceededError,
    RateLimitedError,
    ResponseError,
    ServerError,
    ServiceError,
    ToolkitError,
)
from toolkit.interface.reading import Received, provenance, read_json
from toolkit.interface.text import shortened
from toolkit.runs.batches.answers import check_results_url, is_finished, read_submission, shown
from toolkit.runs.batches.items import read_items
from toolkit.runs.journal import Entry, State, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolkit.interface.models import Provenance, WebhookEvent
    from toolkit.net.cache import Cache
    from toolkit.net.transport import Transport
    from toolkit.runs.batches.items import Item
    from toolkit.runs.batches.journal import BatchJournal, Chunk
    from toolkit.runs.budget import Budget
    from toolkit.webhooks.inbox import Inbox
    from toolkit.webhooks.receiver import Receiver

__all__ = ["BatchSender", "Batches"]

#: Batches that are under way at a time.
_MOST_UNDER_WAY: Final = 4
_LONGEST: Final = 31 * 86_400
_SHOWN_ERROR: Final = 500
_EVENTS: Final = ("batch.completed", "batch.failed")
_SUCCESSES: Final = range(200, 300)
_OK: Final = 200
_ENDPOINT: Final = "categorize"


@dataclass(frozen=True)
class Batches:
    """How a run is sent in batches of 1,000 domains; the same as ``by="batch"`` where nothing is given.

    Attributes
    ----------
    receiver : Receiver or Inbox, optional
        Waits for the notification that a batch has ended, rather than ask for it often. It needs `webhook_secret`.
    webhook_url : str, optional
        Address that is notified; by default the receiver's.
    webhook_secret : str, optional
        Secret that signs the notifications; one that the receiver knows.
    timeout : float
        Seconds to wait for one batch.
    poll : tuple of float
        Seconds before the results of a batch are asked for first, doubled each time up to the second number.

    Raises
    ------
    InputError
        If an argument cannot work, alone or with the others.
    """

    receiver: Receiver | Inbox | None = None
    webhook_url: str | None = None
    webhook_secret: str | None = field(default=None, repr=False)
    timeout: float = 3600.0
    poll: tuple[float, float] = (2.0, 60.0)

    def __post_init__(self) -> None:
        _check_times(self.timeout, self.poll)
        url = self.webhook_url if self.webhook_url is not None else getattr(self.receiver, "url", None)
        if self.receiver is not None and (url is None or self.webhook_secret is None):
            raise InputError(
                "A receiver takes signed notifications alone. Pass webhook_secret=…, one that the receiver knows, and "
                "with an Inbox webhook_url=… too."
            )
        if url is None and self.webhook_secret is not None:
            raise InputError("webhook_secret signs what is sent to webhook_url. Pass webhook_url=… or receiver=… too.")
        object.__setattr__(self, "webhook_url", url)
        calls.submit_batch(["a.example"], url, self.webhook_secret)  # what cannot work is refused before anything else

    @property
    def inbox(self) -> Inbox | None:
        """Where notifications come in."""
        return None if self.receiver is None else cast("Inbox", getattr(self.receiver, "inbox", self.receiver))


class BatchSender:
    """Sends what is to be sent in batches. It is what `Engine` is for single requests, and has the same attributes.

    Parameters
    ----------
    transport : Transport
        The way to the service.
    cache : Cache
        Knows the store and which keys were accepted.
    journal : BatchJournal
        What is to be done, and where it is written what was.
    budget : Budget
        How dear.
    batches : Batches
        How.
    watch : callable, optional
        Called with each entry once it is written.
    """

    def __init__(
        self,
        transport: Transport,
        cache: Cache,
        journal: BatchJournal,
        *,
        budget: Budget,
        batches: Batches,
        watch: Callable[[Entry], None] | None = None,
    ) -> None:
        self._transport = transport
        self._cache = cache
        self._journal = journal
        self.budget = budget
        self._inbox = batches.inbox
        self._timeout, self._poll = batches.timeout, batches.poll
        self._submission = partial(
            calls.submit_batch, webhook_url=batches.webhook_url, webhook_secret=batches.webhook_secret
        )
        self._watch = watch
        self.reason = ""
        self.sent = self.open = self.slowed = self.answered = self.failed = 0
        self.remaining: int | None = None
        self.recent: deque[float] = deque(maxlen=512)
        self._held: dict[int, list[int]] = {}
        self._is_interrupted = False
        self._waits: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def run(self) -> None:
        """Submit, wait and fetch until nothing is left to be done, or something stops it; `reason` says what.

        Raises
        ------
        StoreError
            If the file cannot be written.
        ConfigurationError, InputError, ResponseError
            If the asking itself is wrong, or results are said to be at another address than the base URL's.
        """
        self._loop = asyncio.get_running_loop()
        try:
            for chunk in self._journal.unfinished():
                if chunk.batch_id is None:
                    self._take_back(chunk)  # nobody knows whether it was taken
                else:
                    self._await(chunk, adopted=True)
            await self._submit_all()
        finally:
            for wait in self._waits:
                wait.cancel()
            await asyncio.gather(*self._waits, return_exceptions=True)

    def stop(self, reason: str) -> None:
        """Submit nothing more, and wait for nothing: the same run goes on with what is under way.

        It may be called from any thread.
        """
        self._stop(reason)
        if self._loop is not None and not self._loop.is_closed():
            # A loop that closes just now has nothing left to stop.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._interrupt)

    def _interrupt(self) -> None:
        self._is_interrupted = True
        for wait in self._waits:
            wait.cancel()

    def _stop(self, reason: str) -> None:
        self.reason = self.reason or reason

    # Submitting ---------------------------------------------------------------------------------------------------

    async def _submit_all(self) -> None:
        while True:
            while not self.reason and len(self._waits) < _MOST_UNDER_WAY:
                held = self._affordable()
                chunk = self._journal.claim(len(held)) if held else None
                for price in held[0 if chunk is None else len(chunk.tasks) :]:
                    self.budget.settle(_ENDPOINT, price, 0, answered=False)
                if chunk is None:
                    if not held and self._journal.is_left and not self._waits:
                        self._stop("the budget is used up" if self.budget.ceiling else "the budget is 0")
                    break
                self._held[chunk.id] = held[: len(chunk.tasks)]
                await self._submit(chunk)
            if not self._waits:
                return
            done, self._waits = await asyncio.wait(self._waits, return_when=asyncio.FIRST_COMPLETED)
            for wait in done:
                if not wait.cancelled():
                    wait.result()

    def _affordable(self) -> list[int]:
        """Set aside what the domains of a batch may cost, and return it: as many as may be afforded."""
        held: list[int] = []
        while len(held) < calls.MOST_BATCH_DOMAINS and (price := self.budget.hold(_ENDPOINT)) is not None:
            held.append(price)
        return held

    def _take_back(self, chunk: Chunk, *, in_doubt: bool = False) -> None:
        """Let the domains of a batch wait again; where it may have been taken, it may have been charged too."""
        for price in self._held.pop(chunk.id, ()):
            self.budget.settle(_ENDPOINT, price, None if in_doubt else 0, answered=False)
        self._journal.take_back(chunk, self.budget.spent)

    async def _submit(self, chunk: Chunk) -> None:
        call = self._submission(list(chunk.tasks))
        self.sent += 1
        try:
            answer = await self._transport.send(call, partial(read_submission, call))
        except (ConfigurationError, InputError):
            self._take_back(chunk)
            raise
        except InvalidKeyError as error:
            self._take_back(chunk)
            self._cache.refuse(call.family)
            self._stop(_words(error))
        except ToolkitError as error:
            sent = isinstance(error, ServerError | ResponseError) or (
                isinstance(error, ConnectionFailedError) and not error.was_not_sent
            )
            self._take_back(chunk, in_doubt=sent)
            doubt = "a batch was submitted and may have been taken, but that was not answered: " if sent else ""
            self._stop(f"{doubt}{_words(error)}")
        else:
            chunk = self._journal.submitted(chunk, answer.batch_id, answer.results_url)
            self._cache.prove(call.family)
            self._check(answer.batch_id, answer.results_url)
            if not self._is_interrupted:
                self._await(chunk, adopted=False)

    # Waiting ------------------------------------------------------------------------------------------------------

    def _await(self, chunk: Chunk, *, adopted: bool) -> None:
        self._waits.add(asyncio.get_running_loop().create_task(self._wait(chunk, adopted=adopted)))

    async def _wait(self, chunk: Chunk, *, adopted: bool) -> None:
        """Wait until a batch is finished, and write what it brought."""
        self.open += 1
        try:
            await self._wait_for(chunk, adopted=adopted)
        finally:
            self.open -= 1

    async def _wait_for(self, chunk: Chunk, *, adopted: bool) -> None:
        batch_id, inbox = chunk.batch_id or "", self._inbox
        self._check(batch_id, chunk.results_url)
        first, longest = self._poll
        # A batch of an earlier process may be finished, and may have notified where nobody listens any more.
        pause = 0.0 if adopted else longest if inbox else first
        step = first if adopted else longest if inbox else min(first * 2, longest)
        deadline = time.monotonic() + self._timeout
        event: WebhookEvent | None = None
        while True:
            left = max(deadline - time.monotonic(), 0.0)
            came = await self._notified(batch_id, inbox, min(pause, left))
            if came is not None:
                event, inbox, step = came, None, first  # if the results are not there yet they will be soon
                self._check(batch_id, event.data.get("results_url"))
            asked: float | None = None
            problem = ""
            try:
                found = await self._fetch(batch_id)
            except NotFoundError as error:
                self._lost(chunk, error, event, adopted=adopted)
                return
            except (RateLimitedError, ServerError, ConnectionFailedError, ResponseError) as error:
                asked, problem = getattr(error, "retry_after", None), f" Last: {_words(error)}"
            except ServiceError as error:
                if isinstance(error, InvalidKeyError):
                    self._cache.refuse("a")
                self._stop(_words(error))
                return
            else:
                if found is not None:
                    self._settle(chunk, *found)
                    return
            self._journal.touch()
            pause, step = max(asked or 0.0, step), min(step * 2, longest)
            if time.monotonic() >= deadline or (asked or 0.0) > deadline - time.monotonic():
                self._stop(f"batch {batch_id} was not finished within {self._timeout:g} s.{problem}")
                return

    async def _notified(self, batch_id: str, inbox: Inbox | None, seconds: float) -> WebhookEvent | None:
        """Pause for so many seconds, or until a notification that the batch has ended."""
        if inbox is None:
            await asyncio.sleep(seconds)
            return None
        try:
            return await inbox.next_for(lambda event: event.event in _EVENTS, batch_id=batch_id, timeout=seconds)
        except AnswerTimeoutError:
            return None

    async def _fetch(self, batch_id: str) -> tuple[Mapping[str, Any], Provenance] | None:
        """Return the results of a batch once it is finished; None before."""
        call = calls.batch_results(batch_id)
        received = await self._transport.exchange(call)
        try:
            raw = read_json(call, received)
        except ServerError as error:
            # A failed job may say so where others have the code of the answer.
            if received.http_status not in _SUCCESSES or not isinstance(error.raw, dict) or "results" not in error.raw:
                raise
            raw = error.raw
        self._cache.prove(call.family)
        stated = raw.get("batch_id")
        if stated is not None and str(stated) != batch_id:
            raise ResponseError(
                f"batch_results for {batch_id}: the answer is about batch {shown(stated)}.", path="$.batch_id", raw=raw
            )
        return (raw, provenance(call, received, raw)) if is_finished(raw) else None

    def _settle(self, chunk: Chunk, raw: Mapping[str, Any], source: Provenance) -> None:
        found, unknown = read_items(chunk.tasks.keys(), raw, source)
        answered = [domain for domain, item in found.items() if item.status == _OK]
        found = _priced(found, answered, source.credits_used)
        if source.remaining_credits is not None:
            self.remaining = source.remaining_credits
        self._count(chunk, source.credits_used, len(answered))
        self._journal.settle(chunk, found, unknown, self.budget.spent)
        for domain, task in chunk.tasks.items():
            item = found.get(domain)
            state = State.ANSWERED if item is not None and item.is_stored else State.FAILED
            self.recent.append(time.monotonic())
            self.answered += state is State.ANSWERED
            self.failed += state is State.FAILED
            if self._watch is not None and item is not None:
                kept = (item.call, item.received, item.source) if item.is_stored else (None, None, None)
                self._watch(Entry(Task(task, 0, domain, 1), state, item.status, item.error, *kept))
        statuses = {item.status for item in found.values()}
        for status, words in ((401, "the key was refused (401)"), (403, "the quota is used up (403)")):
            if status in statuses:
                self._stop(words)

    def _count(self, chunk: Chunk, stated: int | None, answered: int) -> None:
        """Count what a batch has cost: what it states, else the price of each domain with an answer."""
        price = self.budget.prices.get(_ENDPOINT, 0)
        cost = answered * price if stated is None else stated
        each = -(-stated // answered) if stated is not None and answered else None
        for place, held in enumerate(self._held.pop(chunk.id, [0])):
            self.budget.settle(_ENDPOINT, held, 0 if place else cost, answered=False)
        if each is not None:
            self.budget.prices[_ENDPOINT] = max(price, each)

    def _lost(self, chunk: Chunk, error: NotFoundError, event: WebhookEvent | None, *, adopted: bool) -> None:
        partial_results = event.data.get("partial_results") if event and event.event == "batch.failed" else None
        if isinstance(partial_results, list):
            source = provenance(calls.batch_results(chunk.batch_id or ""), Received(200, {}, b""), {})
            self._settle(chunk, {"results": partial_results}, source)
        elif adopted and self._transport.connection.embedded:
            # The embedded service of an earlier process has ended with it.
            self._take_back(chunk)
            self._journal.submit_again()
        else:
            for price in self._held.pop(chunk.id, ()):
                self.budget.settle(_ENDPOINT, price, None, answered=False)
            self._journal.lose(chunk, error.status, shortened(str(error), _SHOWN_ERROR), self.budget.spent)
            self._stop(
                f"the service does not know batch {chunk.batch_id} (404): it is another account's, or kept no longer"
            )

    def _check(self, batch_id: str, url: object) -> None:
        check_results_url(url, self._transport.connection.route("a").base_url, batch_id)


def _priced(found: Mapping[str, Item], answered: list[str], stated: int | None) -> dict[str, Item]:
    """Return items with what each has cost, so that they sum to what the batch states."""
    if stated is None or not answered:
        return dict(found)
    each, rest = divmod(stated, len(answered))
    costs = {domain: each + (place < rest) for place, domain in enumerate(answered)}
    return {
        domain: item
        if item.source.credits_used is not None
        else replace(item, source=item.source.model_copy(update={"credits_used": costs.get(domain)}))
        for domain, item in found.items()
    }


def _words(error: ToolkitError) -> str:
    if isinstance(error, InvalidKeyError):
        return "the key was refused (401)"
    if isinstance(error, QuotaExceededError):
        return "the quota is used up (403)"
    return shortened(str(error), _SHOWN_ERROR)


def _check_times(timeout: float, poll: tuple[float, float]) -> None:
    def is_seconds(value: object) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= _LONGEST

    if not is_seconds(timeout):
        raise InputError(f"timeout must be a number of seconds above 0 up to {_LONGEST:,}, not {timeout!r}.")
    pair = tuple(poll) if isinstance(poll, tuple | list) else ()
    if len(pair) != 2 or not all(map(is_seconds, pair)) or pair[0] > pair[1]:  # noqa: PLR2004 - a pair
        raise InputError(f"poll must be two numbers of seconds, the first wait and the longest one, not {poll!r}.")
