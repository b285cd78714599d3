"""Batch calls: many domains in batches of the service, submitted once, waited for, and mapped back."""

from __future__ import annotations

import asyncio
import tempfile
import threading
import time
from functools import partial
from pathlib import Path
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
from toolkit.net.blocking import run_blocking, start_background
from toolkit.net.cache import Cache, Reading
from toolkit.runs.batches.answers import check_results_url, is_finished, read_submission, shown
from toolkit.runs.batches.items import read_items
from toolkit.runs.batches.journal import BatchJournal
from toolkit.runs.batches.report import BatchReport
from toolkit.runs.inputs import open_targets
from toolkit.runs.progress import Progress, ProgressBar
from toolkit.store.answers import Store

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.aclient import AsyncClient
    from toolkit.interface.models import Provenance, WebhookEvent
    from toolkit.runs.batches.journal import Chunk
    from toolkit.runs.inputs import Source
    from toolkit.webhooks.inbox import Inbox
    from toolkit.webhooks.receiver import Receiver

__all__ = ["BatchReport", "Batching"]

#: Batches that are under way at a time.
_MOST_UNDER_WAY: Final = 4
_SHOWN_EVERY: Final = 0.2
#: Seconds that an interrupted call has to end.
_PATIENCE: Final = 5.0
_LONGEST: Final = 31 * 86_400
_SHOWN_ERROR: Final = 500
_EVENTS: Final = ("batch.completed", "batch.failed")
_SUCCESSES: Final = range(200, 300)


class Batching:
    """One call of `Client.batch`, which see.

    Parameters
    ----------
    client : AsyncClient
        Asks.
    domains, column, store, receiver, webhook_url, webhook_secret, timeout, poll
        See `Client.batch`.
    """

    def __init__(
        self,
        client: AsyncClient,
        domains: Source,
        *,
        column: str | None = None,
        store: Store | str | Path | None = None,
        receiver: Receiver | Inbox | None = None,
        webhook_url: str | None = None,
        webhook_secret: str | None = None,
        timeout: float = 3600.0,
        poll: tuple[float, float] = (2.0, 60.0),
    ) -> None:
        self._transport = client._transport  # noqa: SLF001 - the same package
        self._transport.check("batch", "a")
        self._timeout, self._poll = _checked_times(timeout, poll)
        self._inbox: Inbox | None = None if receiver is None else cast("Inbox", getattr(receiver, "inbox", receiver))
        url = webhook_url if webhook_url is not None else getattr(receiver, "url", None)
        if receiver is not None and (url is None or webhook_secret is None):
            raise InputError(
                "A receiver takes signed notifications alone. Pass webhook_secret=…, one that the receiver knows, and "
                "with an Inbox webhook_url=… too."
            )
        if url is None and webhook_secret is not None:
            raise InputError("webhook_secret signs what is sent to webhook_url. Pass webhook_url=… or receiver=… too.")
        self._submission = partial(calls.submit_batch, webhook_url=url, webhook_secret=webhook_secret)
        self._submission(["a.example"])  # what cannot work is refused before anything is read
        kept = client._cache  # noqa: SLF001 - the same package
        self._reading = Reading() if kept is None else kept._reading  # noqa: SLF001 - as above
        if self._reading.as_of is not None:
            raise InputError("A batch asks the service, and as_of is for the store alone. Leave it out.")
        self._source = open_targets(domains, column)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._opened: Store | None = None
        self._store = self._opened_store(store, client.store)
        self._cache = Cache(self._store, self._transport, self._reading)
        self._journal = BatchJournal(self._store, self._transport.service("a"), self._reading.max_age)
        self._reason = ""
        self._is_interrupted = False
        self._waits: set[asyncio.Task[None]] = set()
        self._progress = Progress()
        self._bar: ProgressBar | None = None
        self._ended = threading.Event()

    def run(self, *, progress: bool = True) -> BatchReport:
        """Do it all from blocking code. An interrupt stops it; what was submitted is not submitted again."""
        bar = ProgressBar() if progress else None
        try:
            self._journal.open(self._source)
            future = start_background(self._go)
            while True:
                try:
                    future.result(timeout=_SHOWN_EVERY)
                except TimeoutError:
                    if future.done():
                        raise
                    self._show(bar)
                except KeyboardInterrupt:
                    if self._reason:
                        future.cancel()
                        self._ended.wait(_PATIENCE)
                        raise
                    run_blocking(self._interrupted)
                else:
                    break
            self._show(bar)
            return self._report()
        finally:
            self._close(bar)

    async def run_async(self, *, progress: bool = True) -> BatchReport:
        """Do it all within a running event loop."""
        self._bar = bar = ProgressBar() if progress else None
        try:
            self._journal.open(self._source)
            await self._go()
            return self._report()
        finally:
            self._close(bar)

    # Submitting ---------------------------------------------------------------------------------------------------

    async def _go(self) -> None:
        try:
            self._journal.hold()
            try:
                await self._all()
            finally:
                self._journal.let_go()
        finally:
            self._ended.set()

    async def _all(self) -> None:
        journal = self._journal
        if not self._reading.refresh and self._may_serve():
            journal.use_stored(0, stale=self._reading.stale)
        try:
            for chunk in journal.unfinished():
                if chunk.batch_id is None:
                    journal.take_back(chunk)  # nobody knows whether it was taken
                else:
                    self._await(chunk, adopted=True)
            self._count()
            await self._submit_all()
        finally:
            for wait in self._waits:
                wait.cancel()
            await asyncio.gather(*self._waits, return_exceptions=True)
        if not self._reason:
            journal.finish()
            if self._progress.answered and not self._may_serve():
                self._stop("the service has not accepted this key yet; the next call asks it")

    async def _submit_all(self) -> None:
        while True:
            while not self._reason and len(self._waits) < _MOST_UNDER_WAY:
                chunk = self._journal.claim(calls.MOST_BATCH_DOMAINS)
                if chunk is None:
                    break
                await self._submit(chunk)
            if not self._waits:
                return
            done, self._waits = await asyncio.wait(self._waits, return_when=asyncio.FIRST_COMPLETED)
            for wait in done:
                if not wait.cancelled():
                    wait.result()
            self._count()

    async def _submit(self, chunk: Chunk) -> None:
        call = self._submission(list(chunk.tasks))
        try:
            answer = await self._transport.send(call, partial(read_submission, call))
        except (ConfigurationError, InputError):
            self._journal.take_back(chunk)
            raise
        except InvalidKeyError as error:
            self._journal.take_back(chunk)
            self._cache.refuse(call)
            self._stop(_words(error))
        except ToolkitError as error:
            self._journal.take_back(chunk)
            sent = isinstance(error, ServerError | ResponseError) or (
                isinstance(error, ConnectionFailedError) and not error.was_not_sent
            )
            doubt = "a batch was submitted and may have been taken, but that was not answered: " if sent else ""
            self._stop(f"{doubt}{_words(error)}")
        else:
            chunk = self._journal.submitted(chunk, answer.batch_id, answer.results_url)
            self._cache.prove(call)
            self._check(answer.batch_id, answer.results_url)
            if not self._is_interrupted:
                self._await(chunk, adopted=False)

    # Waiting ------------------------------------------------------------------------------------------------------

    def _await(self, chunk: Chunk, *, adopted: bool) -> None:
        self._waits.add(asyncio.get_running_loop().create_task(self._wait(chunk, adopted=adopted)))

    async def _wait(self, chunk: Chunk, *, adopted: bool) -> None:
        """Wait until a batch is finished, and write what it brought."""
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
                    self._cache.refuse(calls.batch_results(batch_id))
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
        self._cache.prove(call)
        stated = raw.get("batch_id")
        if stated is not None and str(stated) != batch_id:
            raise ResponseError(
                f"batch_results for {batch_id}: the answer is about batch {shown(stated)}.", path="$.batch_id", raw=raw
            )
        return (raw, provenance(call, received, raw)) if is_finished(raw) else None

    def _settle(self, chunk: Chunk, raw: Mapping[str, Any], source: Provenance) -> None:
        found, unknown = read_items(chunk.tasks.keys(), raw, source)
        self._journal.settle(chunk, found, unknown)
        statuses = {item.status for item in found.values()}
        for status, words in ((401, "the key was refused (401)"), (403, "the quota is used up (403)")):
            if status in statuses:
                self._stop(words)

    def _lost(self, chunk: Chunk, error: NotFoundError, event: WebhookEvent | None, *, adopted: bool) -> None:
        partial_results = event.data.get("partial_results") if event and event.event == "batch.failed" else None
        if isinstance(partial_results, list):
            source = provenance(calls.batch_results(chunk.batch_id or ""), Received(200, {}, b""), {})
            self._settle(chunk, {"results": partial_results}, source)
        elif adopted and self._transport.connection.embedded:
            # The embedded service of an earlier process has ended with it.
            self._journal.take_back(chunk)
            self._journal.submit_again()
        else:
            self._journal.lose(chunk, error.status, shortened(str(error), _SHOWN_ERROR))
            self._stop(
                f"the service does not know batch {chunk.batch_id} (404): it is another account's, or kept no longer"
            )

    def _check(self, batch_id: str, url: object) -> None:
        check_results_url(url, self._transport.connection.route("a").base_url, batch_id)

    # The call -----------------------------------------------------------------------------------------------------

    def _stop(self, reason: str) -> None:
        self._reason = self._reason or reason

    async def _interrupted(self) -> None:
        self._stop("interrupted")
        self._is_interrupted = True
        for wait in self._waits:
            wait.cancel()

    def _may_serve(self) -> bool:
        return self._cache.may_serve(calls.categorize("a.example"))

    def _report(self) -> BatchReport:
        # What another key has paid for is not told to one that the service has not accepted.
        return BatchReport.of_journal(self._journal, self._reason, may_serve=self._may_serve())

    def _count(self) -> None:
        stands = self._journal.standing(0, stale=False, refresh=True)
        self._progress = Progress(
            state="running",
            total=stands.answered + stands.stored + stands.failed + stands.waiting,
            answered=stands.answered,
            stored=stands.stored,
            failed=stands.failed,
        )
        self._show(self._bar)

    def _show(self, bar: ProgressBar | None) -> None:
        if bar is not None:
            bar(self._progress)

    def _opened_store(self, store: Store | str | Path | None, of_client: Store | None) -> Store:
        if isinstance(store, Store):
            return store
        if store is None and of_client is not None:
            return of_client
        if store is None:
            self._folder = tempfile.TemporaryDirectory(prefix="toolkit-batch-")
            store = Path(self._folder.name) / "answers.db"
        self._opened = Store(store)
        return self._opened

    def _close(self, bar: ProgressBar | None) -> None:
        if bar is not None:
            bar.close()
        if self._opened is not None:
            self._opened.close()
        if self._folder is not None:
            self._folder.cleanup()


def _words(error: ToolkitError) -> str:
    if isinstance(error, InvalidKeyError):
        return "the key was refused (401)"
    if isinstance(error, QuotaExceededError):
        return "the quota is used up (403)"
    return shortened(str(error), _SHOWN_ERROR)


def _checked_times(timeout: float, poll: tuple[float, float]) -> tuple[float, tuple[float, float]]:
    def is_seconds(value: object) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= _LONGEST

    if not is_seconds(timeout):
        raise InputError(f"timeout must be a number of seconds above 0 up to {_LONGEST:,}, not {timeout!r}.")
    pair = tuple(poll) if isinstance(poll, tuple | list) else ()
    if len(pair) != 2 or not all(map(is_seconds, pair)) or pair[0] > pair[1]:  # noqa: PLR2004 - a pair
        raise InputError(f"poll must be two numbers of seconds, the first wait and the longest one, not {poll!r}.")
    return timeout, (pair[0], pair[1])
