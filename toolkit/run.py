"""Runs: many targets, paid for once."""

from __future__ import annotations

import queue
import shutil
import tempfile
import time
import weakref
from concurrent.futures import wait
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from toolkit.interface.errors import InputError
from toolkit.interface.targets import parse_target
from toolkit.net.blocking import start_background
from toolkit.net.cache import Cache
from toolkit.run_frames import RunFrames
from toolkit.runs.budget import Budget, Price
from toolkit.runs.engine import Engine
from toolkit.runs.inputs import open_targets
from toolkit.runs.journal import Journal
from toolkit.runs.pace import Pace
from toolkit.runs.plan import Plan, PlannedQuestion
from toolkit.runs.progress import Progress, ProgressBar
from toolkit.runs.questions import questions_of
from toolkit.runs.results import (
    DONE,
    outcome_of_entry,
    outcome_of_row,
)
from toolkit.store.answers import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from concurrent.futures import Future

    from toolkit.aclient import AsyncClient
    from toolkit.interface.models import Outcome
    from toolkit.runs.journal import Entry
    from toolkit.runs.questions import Question

__all__ = ["Run"]

_SHOWN_EVERY: Final = 0.2
_RATED_SECONDS: Final = 20.0


class Run(RunFrames):
    """Questions about many targets: planned, sent once, kept, and gone on with after any end.

    Made by `Client.run`. The same call continues an unfinished run of the same inputs and questions in the same store.

    Parameters
    ----------
    client : AsyncClient
        Asks.
    targets : iterable, Series, DataFrame, path or stream
        See `Client.run`.
    ask, options, column, budget, prices, concurrency, store, stale, refresh
        See `Client.run`.
    """

    def __init__(
        self,
        client: AsyncClient,
        targets: Any,
        ask: str | Iterable[str] = ("segment",),
        *,
        options: Mapping[str, Mapping[str, Any]] | None = None,
        column: str | None = None,
        budget: int | Budget | None = None,
        prices: Mapping[str, int] | None = None,
        concurrency: int | Pace = 50,
        store: Store | str | Path | None = None,
        stale: bool = False,
        refresh: bool = False,
    ) -> None:
        self._client = client
        self._transport = client._transport  # noqa: SLF001 - the same package
        self.questions = questions_of(ask, options)
        for question in self.questions:
            self._transport.check(question.endpoint, question.family)
        if stale and refresh:
            raise InputError("stale and refresh contradict each other. Pass one of them.")
        self._source = open_targets(targets, column)
        # Runs that share a limit bring their own.
        self._budget = budget if isinstance(budget, Budget) else Budget(budget, _checked_prices(prices))
        self._pace = concurrency if isinstance(concurrency, Pace) else Pace(concurrency)
        self._stale, self._refresh = stale, refresh
        self._folder: weakref.finalize[..., Any] | None = None
        self._opened: Store | None = None
        self._closed = False
        self.store = self._opened_store(store)
        self._cache = Cache(self.store, self._transport)
        self._journal: Journal | None = None
        self._engine: Engine | None = None
        self._state, self._reason = "ready", ""
        self._watchers: list[Callable[[Progress], None]] = []
        self._outcomes: queue.SimpleQueue[Outcome | None] | None = None
        self._base: Progress | None = None
        self._future: Future[None] | None = None

    def __repr__(self) -> str:
        asked = ", ".join(self.asked)
        if self._closed:
            return f"<Run of {asked} over {self._source.name}: closed>"
        return f"<Run of {asked} over {self._source.name}: {self.progress if self._journal else 'not planned yet'}>"

    # Planning and running -----------------------------------------------------------------------------------------

    def plan(self) -> Plan:
        """Read the inputs and tell what the run will do and cost. Nothing is sent.

        Returns
        -------
        Plan
            Duplicates, what is stored, stale and to be sent; credits at least, expected and at most; time.

        Raises
        ------
        InputError
            If the inputs cannot be read.
        StoreError
            If the store cannot be used.
        """
        journal = self._ready()
        planned = []
        for place, question in enumerate(self.questions):
            stands = journal.standing(place, stale=self._stale, refresh=self._refresh or not self._may_serve(question))
            planned.append(
                PlannedQuestion(
                    endpoint=question.endpoint,
                    targets=stands.answered + stands.stored + stands.failed + stands.waiting,
                    answered=stands.answered + stands.stored,
                    stored=stands.fresh + (stands.stale if self._stale else 0),
                    stale=0 if self._stale else stands.stale,
                    failed=stands.failed,
                    to_send=stands.to_send,
                    price=self._price(place),
                )
            )
        return Plan(
            rows=journal.rows,
            unreadable=journal.problems(),
            questions=tuple(planned),
            budget=self._budget.ceiling,
            spent=journal.spent(),
            credits_left=journal.remaining(),
            rate=journal.rate(),
            attempts=self._client._transport.retries.attempts,  # noqa: SLF001 - the same package
            resumed=journal.resumed or self._engine is not None,
        )

    def start(self, *, progress: bool = True) -> Self:
        """Send what is to be sent, and wait for the end. An interrupt stops it and keeps what was answered.

        Parameters
        ----------
        progress : bool
            Whether to show a bar.

        Returns
        -------
        Run
            Itself; `progress` tells whether it finished, or why it stopped.

        Raises
        ------
        ConfigurationError
            If a key or base URL is missing, or another process is at the same run.
        StoreError
            If the store cannot be written.
        """
        future = start_background(self._go, self._begin())
        bar = ProgressBar() if progress else None
        try:
            while not future.done():
                try:
                    wait((future,), _SHOWN_EVERY)
                    self._show(bar)
                except KeyboardInterrupt:
                    if self._reason:
                        raise
                    # What is under way is paid for: it is waited for and written.
                    self.stop("interrupted")
            future.result()
        except BaseException:
            future.cancel()
            raise
        finally:
            self._show(bar)
            if bar is not None:
                bar.close()
        return self

    async def start_async(self) -> Self:
        """Send what is to be sent, as `start` does, within a running event loop."""
        await self._go(self._begin())
        return self

    def start_background(self) -> Self:
        """Begin to send and return at once; see `progress`, `wait` and `stop`."""
        self._future = start_background(self._go, self._begin())
        return self

    def wait(self, timeout: float | None = None) -> Self:
        """Wait until a run in the background has ended, at most so many seconds."""
        if self._future is not None:
            try:
                self._future.result(timeout)
            except TimeoutError:
                if self._future.done():
                    raise
        return self

    def stop(self, reason: str = "stopped") -> None:
        """Send nothing more. What is under way is waited for; the same call goes on later."""
        self._reason = self._reason or reason
        engine = self._engine
        if engine is not None:
            engine.stop(reason)

    def results(self) -> Iterator[Outcome]:
        """Run, and yield what comes of each task as it comes: first what is known already.

        Yields
        ------
        Outcome
            One a task: an answer, or the error in its place.
        """
        journal = self._ready()
        self._use_stored()
        for place, question in enumerate(self.questions):
            self._check_served(question)
            seen: set[str] = set()
            for row in journal.results(place):
                if row[4] in DONE and (subject := question.subject(parse_target(row[1]))) not in seen:
                    seen.add(subject)
                    yield outcome_of_row(question, row)
        self._outcomes = queue.SimpleQueue()
        future = start_background(self._go, self._begin())
        future.add_done_callback(lambda _: self._outcomes.put(None) if self._outcomes else None)
        try:
            while (outcome := self._outcomes.get()) is not None:
                yield outcome
            future.result()
        finally:
            if not future.done():
                self.stop()
                future.result()
            self._outcomes = None

    def retry_failed(self, *, progress: bool = True) -> Self:
        """Send again what failed for good: server errors, broken connections, odd answers. 410 and 411 are facts.

        Parameters
        ----------
        progress : bool
            Whether to show a bar.
        """
        journal = self._ready()
        journal.hold()
        try:
            journal.retry(None)
        finally:
            journal.let_go()
        return self.start(progress=progress)

    def watch(self, watcher: Callable[[Progress], None]) -> None:
        """Call a function with the progress now and then while `start` waits, in the thread that waits."""
        self._watchers.append(watcher)

    @property
    def progress(self) -> Progress:
        """How far the run is."""
        journal, engine = self._ready(), self._engine
        # While it runs the engine's counts are added to those of its beginning: counting a million tasks takes a while.
        base = self._base if engine is not None and self._state == "running" and self._base else self._standing()
        answered, failed = (engine.answered, engine.failed) if base is self._base and engine else (0, 0)
        rate = _rate(engine) if engine is not None else 0.0
        progress = replace(
            base,
            state=self._state,
            answered=base.answered + answered,
            failed=base.failed + failed,
            sent=engine.sent if engine else 0,
            open=engine.open if engine else 0,
            slowed=engine.slowed if engine else 0,
            credits_used=self._budget.spent if engine else journal.spent(),
            credits_left=engine.remaining if engine and engine.remaining is not None else journal.remaining(),
            rate=rate,
            reason=self._reason if self._state == "stopped" else "",
        )
        left = progress.total - progress.done
        return replace(progress, seconds_left=left / rate if rate else None)

    def _standing(self) -> Progress:
        journal = self._ready()
        stands = [journal.standing(place, stale=False, refresh=True) for place in range(len(self.questions))]
        return Progress(
            total=sum(stand.answered + stand.stored + stand.failed + stand.waiting for stand in stands),
            answered=sum(stand.answered for stand in stands),
            stored=sum(stand.stored for stand in stands),
            failed=sum(stand.failed for stand in stands),
        )

    def close(self) -> None:
        """Close the store if the run opened it; one that was not named is deleted."""
        if self._opened is not None:
            self._opened.close()
            self._closed = True
        if self._folder is not None:
            self._folder()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Inside -------------------------------------------------------------------------------------------------------

    def _opened_store(self, store: Store | str | Path | None) -> Store:
        if isinstance(store, Store):
            return store
        if store is None and self._client.store is not None:
            return self._client.store
        if store is None:
            folder = tempfile.mkdtemp(prefix="toolkit-run-")
            # Also where nobody closes the run.
            self._folder = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            store = Path(folder) / "answers.db"
        self._opened = Store(store)
        return self._opened

    def _ready(self) -> Journal:
        if self._journal is None:
            services = [self._transport.service(question.family) for question in self.questions]
            journal = Journal(self.store, self.questions, services)
            journal.open(self._source)
            self._journal = journal
        return self._journal

    def _may_serve(self, question: Question) -> bool:
        return self._cache.may_serve(question.call("a.example"))

    def _use_stored(self) -> None:
        for place, question in enumerate(self.questions):
            if not self._refresh and self._may_serve(question):
                self._ready().use_stored(place, stale=self._stale)

    def _count_credits(self) -> None:
        """Count what the run has spent, and learn of the store what answers cost."""
        journal = self._ready()
        for place, question in enumerate(self.questions):
            price = journal.price(place)
            self._budget.learn({question.endpoint: price} if price else {})
        journal.settle_uncertain(self._budget.prices)
        self._budget.spent = journal.spent()

    def _price(self, place: int) -> Price | None:
        """Return what an answer costs: as those so far stated, and at most what was given or has been seen."""
        stated, most = self._ready().price(place), self._budget.prices.get(self.questions[place].endpoint)
        if most is None:
            return stated
        return Price(most, most, most) if stated is None else replace(stated, high=most)

    def _begin(self) -> bool:
        """Note that the run begins, and return True; False if it is under way already."""
        self._ready()
        if self._state == "running":
            return False
        # Here and not in the loop's thread: who stops it from now on is heard.
        self._state, self._reason, self._engine = "running", "", None
        return True

    async def _go(self, begun: bool) -> None:
        journal = self._ready()
        try:
            journal.hold()
        except BaseException:
            if begun:
                self._state = "ready"
            raise
        try:
            self._count_credits()
            self._use_stored()
            self._base = self._standing()
            engine = self._engine = Engine(
                self._transport,
                self._cache,
                journal,
                pace=self._pace,
                budget=self._budget,
                retries=self._transport.retries,
                watch=self._written,
            )
            if self._reason:  # it was stopped while the store was looked through
                engine.stop(self._reason)
            try:
                await engine.run()
            finally:
                self._reason = engine.reason
                self._state = "stopped" if engine.reason else "finished"
                if engine.remaining is not None:
                    journal.note_account(None, engine.remaining)
            if not engine.reason and self._standing().done == self._standing().total:
                journal.finish()
        except BaseException:
            self._state, self._reason = "stopped", self._reason or "interrupted"
            raise
        finally:
            journal.let_go()

    def _written(self, entry: Entry) -> None:
        if self._outcomes is not None:
            self._outcomes.put(outcome_of_entry(self.questions[entry.task.place], entry))

    def _show(self, bar: ProgressBar | None) -> None:
        if bar is None and not self._watchers:
            return
        progress = self.progress
        if bar is not None:
            bar(progress)
        for watcher in self._watchers:
            watcher(progress)


def _checked_prices(prices: Mapping[str, int] | None) -> dict[str, int]:
    try:
        return dict(prices or {})
    except (TypeError, ValueError):
        raise InputError("prices must be a mapping of questions to credits: {'segment': 1}.") from None


def _rate(engine: Engine) -> float:
    """Return the answers a second of the last seconds."""
    moments, now = list(engine.recent), time.monotonic()
    recent = [moment for moment in moments if now - moment <= _RATED_SECONDS]
    return len(recent) / max(now - recent[0], 1e-3) if len(recent) > 1 else 0.0
