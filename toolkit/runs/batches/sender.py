"""What sends the tasks of a run in batches: many domains each, submitted once, waited for, and mapped back."""

from __future__ import annotations

import asyncio
import itertools
import time
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from toolkit.interface import calls
from toolkit.interface.batches import entries_of, has_ended, has_results, identifier_of, next_of, odd_state_of
from toolkit.interface.checks import check_seconds, is_number
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
from toolkit.runs.batches.answers import read_submission, shown
from toolkit.runs.batches.items import read_items
from toolkit.runs.batches.journal import NO_RESULT
from toolkit.runs.engine import Sender
from toolkit.runs.tasks import Entry, State

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from toolkit.interface.calls import Call
    from toolkit.interface.models import Provenance, WebhookEvent
    from toolkit.net.cache import Cache
    from toolkit.net.transport import Transport
    from toolkit.runs.batches.items import Item
    from toolkit.runs.batches.journal import BatchJournal, Chunk
    from toolkit.runs.budget import Budget
    from toolkit.runs.tasks import Task
    from toolkit.webhooks.inbox import Inbox
    from toolkit.webhooks.receiver import Receiver

__all__ = ["BatchSender", "Batches"]

#: Batches that are under way at a time.
_MOST_UNDER_WAY: Final = 4
#: Pages of results of one batch: one a domain.
_MOST_PAGES: Final = 1_000
_LONGEST: Final = 31 * 86_400
_SHOWN_ERROR: Final = 500
_EVENTS: Final = ("batch.completed", "batch.failed")
_SUCCESSES: Final = range(200, 300)
_OK: Final = 200
_REFUSED: Final = 401
_ENDPOINT: Final = "categorize"
_FAMILY: Final = "a"


@dataclass(frozen=True)
class Batches:
    """How a run is sent in batches of 1,000 domains; the same as ``by="batch"`` where nothing is given.

    Under a budget each domain is held at the price of an answer until its batch has ended; one of unknown price goes
    alone first. What answers cost is what they state, or else their batch, shared among them.

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

    Examples
    --------
    >>> import toolkit as tk
    >>> with tk.Client() as client:
    ...     run = client.ask(["ledgerline.example", "nowhere.example"], "categorize", by=Batches(poll=(0.1, 5)))
    ...     run.categories()["status"].unique().tolist(), len(run.batches), run.progress.credits_used
    ([200, 411], 1, 1)
    """

    receiver: Receiver | Inbox | None = None
    webhook_url: str | None = None
    webhook_secret: str | None = field(default=None, repr=False)
    timeout: float = 3600.0
    poll: tuple[float, float] = (2.0, 60.0)

    def __post_init__(self) -> None:
        _check_times(self.timeout, self.poll)
        url = self.webhook_url if self.webhook_url is not None else getattr(self.receiver, "url", None)
        if self.receiver is not None and (url is None or not self.webhook_secret):
            raise InputError(
                "A receiver takes signed notifications alone. Pass webhook_secret=…, one that the receiver knows, and "
                "with an Inbox webhook_url=… too."
            )
        if url is None and self.webhook_secret:
            raise InputError("webhook_secret signs what is sent to webhook_url. Pass webhook_url=… or receiver=… too.")
        object.__setattr__(self, "webhook_url", url)
        calls.submit_batch(["a.example"], url, self.webhook_secret)  # what cannot work is refused before anything else

    @property
    def inbox(self) -> Inbox | None:
        """Where notifications come in."""
        return None if self.receiver is None else cast("Inbox", getattr(self.receiver, "inbox", self.receiver))


class BatchSender(Sender):
    """Sends tasks in batches."""

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
        super().__init__(transport, cache, budget=budget, watch=watch)
        self._journal = journal
        self._inbox = batches.inbox
        self._timeout, self._poll = batches.timeout, batches.poll
        self._submission = partial(
            calls.submit_batch, webhook_url=batches.webhook_url, webhook_secret=batches.webhook_secret
        )
        self._held: dict[int, list[int]] = {}
        self._is_interrupted = False
        #: What the service said to a key or quota that it refused.
        self._refusal: tuple[int, str] | None = None
        self._waits: set[asyncio.Task[None]] = set()
        #: Batches of earlier calls of which nobody knows whether they were taken.
        self._doubtful: list[Chunk] = []
        #: Whether the service takes submissions with the same idempotency key once.
        self._is_once = transport.connection.embedded

    async def run(self) -> None:
        """Submit, wait and fetch until nothing is left to be done, or something stops it; `reason` says what."""
        self._loop = asyncio.get_running_loop()
        try:
            self._journal.forget_words()
            self._adopt()
            while self._waits and self.budget.ceiling is not None:
                # What these cost is known before anything more is spent.
                await self._one_ended()
            for chunk in self._doubtful:
                await self._submit_again(chunk)
            await self._submit_all()
        finally:
            for wait in self._waits:
                wait.cancel()
            await asyncio.gather(*self._waits, return_exceptions=True)
        if self.reason:
            left = f"No result yet: {self.reason.rstrip('.')}. The same call goes on with what is left."
            self._journal.note_left(*(self._refusal or (None, left)))

    def stop(self, reason: str) -> None:
        """Submit nothing more, and wait for nothing: the same run goes on with what is under way.

        It may be called from any thread.
        """
        self._stop(reason)
        self._is_interrupted = True
        self._call_soon(self._interrupt)

    def _interrupt(self) -> None:
        for wait in self._waits:
            wait.cancel()

    def _stop(self, reason: str) -> None:
        self.reason = self.reason or reason

    def _refuse(self, status: int, words: str) -> None:
        """Stop as the service refuses a key or has no quota left; the words are for what was not asked."""
        self._refusal = self._refusal or (None if self.reason else (status, words))
        self._stop("the key was refused (401)" if status == _REFUSED else "the quota is used up (403)")

    # Submitting ---------------------------------------------------------------------------------------------------

    def _adopt(self) -> None:
        """Go on with what an earlier call had under way."""
        for chunk in self._journal.unfinished():
            self._held[chunk.id] = [0] * len(chunk.tasks)
            if chunk.batch_id is None:
                self._doubtful.append(chunk)
            elif not self._is_interrupted:
                self._await(chunk, adopted=True)

    async def _submit_all(self) -> None:
        while True:
            while not self.reason and len(self._waits) < _MOST_UNDER_WAY:
                held = self._affordable(calls.MOST_BATCH_DOMAINS)
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
            await self._one_ended()

    async def _one_ended(self) -> None:
        """Wait until a batch that is under way has ended."""
        done, self._waits = await asyncio.wait(self._waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in done:
            if not wait.cancelled():
                wait.result()

    def _affordable(self, most: int) -> list[int]:
        """Set aside what the domains of a batch may cost, and return it: as many as may be afforded."""
        held: list[int] = []
        while len(held) < most and (price := self.budget.hold(_ENDPOINT)) is not None:
            held.append(price)
        return held

    def _take_back(self, chunk: Chunk) -> None:
        """Let the domains of a batch that was not taken wait again."""
        self._release(chunk, 0)
        self._journal.take_back(chunk, self.budget.spent)

    def _release(self, chunk: Chunk, credits_used: int | None) -> None:
        for price in self._held.pop(chunk.id):
            self.budget.settle(_ENDPOINT, price, credits_used, answered=False)

    def _doubt(self, chunk: Chunk) -> Chunk:
        """Count a batch that may have been taken as charged."""
        self._release(chunk, None)
        return self._journal.doubt(chunk, self.budget.spent)

    async def _submit_again(self, chunk: Chunk) -> None:
        """Submit what an earlier call has submitted without an answer, as it was: the service may take it for one."""
        while len(self._waits) >= _MOST_UNDER_WAY:
            await self._one_ended()
        if self.reason:
            return
        before = self.budget.spent
        chunk = chunk if chunk.is_doubted else self._doubt(chunk)
        doubted = self.budget.spent - before
        held = self._held[chunk.id] = self._affordable(len(chunk.tasks))
        if len(held) < len(chunk.tasks):
            self._take_back(chunk)
        else:
            await self._submit(chunk, doubted)

    async def _submit(self, chunk: Chunk, doubted: int = 0) -> None:
        """Submit a batch; `doubted` is what this call has counted as charged for a submission before this one."""
        call = self._submission(list(chunk.tasks), mark=chunk.mark)
        retries = self._transport.retries
        for attempt in itertools.count(1):
            self.sent += 1
            try:
                taken = await self._transport.send(call, partial(read_submission, call))
            except (ConfigurationError, InputError):
                self._take_back(chunk)
                raise
            except (InvalidKeyError, QuotaExceededError) as error:
                self._put_off(chunk)
                self._refused(error)
            except ToolkitError as error:
                words = shortened(str(error), _SHOWN_ERROR)
                if not _may_have_been_taken(error):
                    waits = isinstance(error, RateLimitedError | ConnectionFailedError)
                    self._put_off(chunk) if waits else self._take_back(chunk)
                    self._stop(words)
                elif self._is_once and attempt < retries.attempts and not self.reason:
                    await asyncio.sleep(retries.wait(attempt))
                    continue
                else:
                    self._doubt(chunk)
                    self._stop(f"a batch was submitted and may have been taken, but that was not answered: {words}")
            else:
                self._is_once = self._is_once or taken.is_once
                if taken.is_once:
                    self.budget.spent -= doubted
                self._accepted(self._journal.submitted(chunk, taken.batch_id, self.budget.spent))
            return

    def _put_off(self, chunk: Chunk) -> None:
        """Leave a batch that the service did not take for now: one in doubt as it is."""
        if chunk.is_doubted:
            self._release(chunk, 0)
        else:
            self._take_back(chunk)

    def _accepted(self, chunk: Chunk) -> None:
        self._cache.prove(_FAMILY)
        if not self._is_interrupted:
            self._await(chunk, adopted=False)

    def _refused(self, error: ServiceError) -> None:
        if isinstance(error, InvalidKeyError):
            self._cache.refuse(_FAMILY)
        self._refuse(error.status, shortened(str(error), _SHOWN_ERROR))

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
            asked: float | None = None
            problem = ""
            try:
                found = await self._fetch(batch_id)
            except NotFoundError as error:
                self._lost(chunk, error, event, adopted=adopted)
                return
            except (RateLimitedError, ServerError, ConnectionFailedError, ResponseError) as error:
                asked, problem = getattr(error, "retry_after", None), f" Last: {shortened(str(error), _SHOWN_ERROR)}"
            except (InvalidKeyError, QuotaExceededError) as error:
                self._refused(error)
                return
            except ServiceError as error:
                self._stop(shortened(str(error), _SHOWN_ERROR))
                return
            else:
                if not isinstance(found, str):
                    self._settle(chunk, *found)
                    return
                problem = (
                    f" The service says that it is {found!r}, which is no state that is known here." if found else ""
                )
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

    async def _fetch(self, batch_id: str) -> tuple[Mapping[str, Any], Provenance] | str:
        """Return the results of a batch once it has ended; before, its state where that is none that is known."""
        call = calls.batch_results(batch_id)
        received = await self._transport.exchange(call)
        try:
            raw = read_json(call, received)
        except ServerError as error:
            # A failed job may say so where others have the code of the answer.
            if not _is_of_the_job(error, received, batch_id):
                raise
            raw = cast("dict[str, Any]", error.raw)
        self._cache.prove(call.family)
        stated = raw.get("batch_id")
        if stated is not None and str(stated) != batch_id:
            raise ResponseError(
                f"batch_results for {batch_id}: the answer is about batch {shown(stated)}.", path="$.batch_id", raw=raw
            )
        if not has_ended(raw):
            return shown(odd_state_of(raw))
        entries = [entry async for entry in self._entries(call, received, raw)]
        return {**raw, "results": entries}, provenance(call, received, raw)

    async def _entries(self, call: Call, received: Received, raw: Mapping[str, Any]) -> AsyncIterator[Any]:
        """Yield the entries of all pages of results."""
        seen: list[object] = []
        while True:
            for entry in entries_of(raw):
                yield entry
            step = next_of(raw, call.path, received.headers.get("link", ""))
            if step is None or step in seen or len(seen) >= _MOST_PAGES:
                return
            seen.append(step)
            page = replace(call, path=step[0], params=step[1])
            received = await self._transport.exchange(page)
            raw = read_json(page, received)

    def _settle(self, chunk: Chunk, raw: Mapping[str, Any], source: Provenance) -> None:
        found, unknown = read_items(chunk.tasks.keys(), raw, source)
        found, cost = _priced(found, source.credits_used, self.budget.prices.get(_ENDPOINT, 0))
        if source.remaining_credits is not None:
            self.remaining = source.remaining_credits
        self._count(chunk, found, cost)
        self._journal.settle(chunk, found, unknown, self.budget.spent)
        for domain, task in chunk.tasks.items():
            self._tell(task, found.get(domain))

    def _tell(self, task: Task, item: Item | None) -> None:
        """Count what came of a task, and tell it to who watches."""
        if item is not None and item.is_unserved:
            self._refuse(item.status or 0, item.error or "")
            return
        if item is None:
            entry = Entry(task, State.FAILED, None, NO_RESULT)
        elif item.is_stored:
            known = (item.call, item.received, item.source, item.problem)
            entry = Entry(task, State.ANSWERED, item.status, None, *known)
        else:
            entry = Entry(task, State.FAILED, item.status, item.error, problem=item.problem)
        self._came(entry, time.monotonic())

    def _count(self, chunk: Chunk, found: Mapping[str, Item], cost: int) -> None:
        """Count what a batch has cost, and learn what an answer does."""
        for place, held in enumerate(self._held.pop(chunk.id)):
            self.budget.settle(_ENDPOINT, held, 0 if place else cost, answered=False)
        stated = [item.source.credits_used for item in found.values() if item.status == _OK]
        if (most := max((each for each in stated if each is not None), default=None)) is not None:
            self.budget.prices[_ENDPOINT] = max(self.budget.prices.get(_ENDPOINT, 0), most)

    def _lost(self, chunk: Chunk, error: NotFoundError, event: WebhookEvent | None, *, adopted: bool) -> None:
        partial_results = event.data.get("partial_results") if event and event.event == "batch.failed" else None
        if event and isinstance(partial_results, list):
            source = provenance(calls.batch_results(chunk.batch_id or ""), Received(200, {}, b""), event.data)
            self._settle(chunk, {"results": partial_results}, source)
        elif adopted and self._transport.connection.embedded:
            # The embedded service of an earlier process has ended with it.
            self._take_back(chunk)
            self._journal.submit_again()
        else:
            self._release(chunk, None)
            self._journal.lose(chunk, error.status, shortened(str(error), _SHOWN_ERROR), self.budget.spent)
            self._stop(
                f"the service does not know batch {chunk.batch_id} (404): it is another account's, or kept no longer"
            )


def _may_have_been_taken(error: ToolkitError) -> bool:
    """Tell whether a submission may have been taken although it was not answered as such."""
    if isinstance(error, ConnectionFailedError):
        return not error.was_not_sent
    return isinstance(error, ServerError | ResponseError)


def _is_of_the_job(error: ServerError, received: Received, batch_id: str) -> bool:
    """Tell whether an error is one of the job, which has ended with it, and not one of the answer."""
    raw = error.raw
    if received.http_status not in _SUCCESSES or not isinstance(raw, dict):
        return False
    return has_results(raw) or (identifier_of(raw) == batch_id and has_ended(raw))


def _priced(found: dict[str, Item], stated: int | None, price: int) -> tuple[dict[str, Item], int]:
    """Return items with what each has cost, and what all have.

    That is as the items state, or else the batch, so that they sum to it; where neither does, the price an answer.
    """
    own = sum(item.source.credits_used or 0 for item in found.values())
    silent = [name for name, item in found.items() if item.status == _OK and item.source.credits_used is None]
    if stated is None:
        return dict(found), own + price * len(silent)
    each, rest = divmod(max(stated - own, 0), max(len(silent), 1))
    costs = {name: each + (place < rest) for place, name in enumerate(silent)}
    priced = {name: found[name].source.model_copy(update={"credits_used": cost}) for name, cost in costs.items()}
    return found | {name: replace(found[name], source=source) for name, source in priced.items()}, max(stated, own)


def _check_times(timeout: float, poll: tuple[float, float]) -> None:
    check_seconds(timeout, "timeout", _LONGEST, error=InputError)
    pair = tuple(poll) if isinstance(poll, tuple | list) else ()
    are_seconds = all(is_number(value, 0, _LONGEST) and value for value in pair)
    if len(pair) != 2 or not are_seconds or pair[0] > pair[1]:  # noqa: PLR2004 - a pair
        raise InputError(f"poll must be two numbers of seconds, the first wait and the longest one, not {poll!r}.")
