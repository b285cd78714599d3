"""Runs: many targets, paid for once."""

from __future__ import annotations

import json
import queue
from concurrent.futures import wait
from dataclasses import replace
from functools import partial
from heapq import merge
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Literal, Self, cast

from toolkit.answered import Answered
from toolkit.interface.errors import ConfigurationError, InputError
from toolkit.interface.models import LegacySegmentation, Outcome
from toolkit.interface.words.labels import question_label
from toolkit.net.blocking import run_blocking, start_background
from toolkit.runs.batches.journal import BatchJournal
from toolkit.runs.batches.sender import Batches, BatchSender
from toolkit.runs.budget import EMBEDDED_PRICE, Price, budget_of
from toolkit.runs.engine import Engine, rate_of
from toolkit.runs.inputs import open_targets
from toolkit.runs.journal import Journal, Standing
from toolkit.runs.keeping import Keeping, checked_name, keep_table
from toolkit.runs.pace import Pace
from toolkit.runs.plan import Plan, planned
from toolkit.runs.progress import Progress, ProgressBar
from toolkit.runs.questions import questions_of
from toolkit.runs.results import DONE, outcome_of_entry, outcome_of_row, record_of
from toolkit.store.answers import Store, moment_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    import pandas as pd

    from toolkit.frames.records import Record
    from toolkit.interface.calls import Question
    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.net.cache import Window
    from toolkit.net.session import Session
    from toolkit.runs.budget import Budget
    from toolkit.runs.counts import Counts
    from toolkit.runs.engine import Sender
    from toolkit.runs.inputs import Source
    from toolkit.runs.tasks import Entry

__all__ = ["Run"]

_SHOWN_EVERY: Final = 0.2
_BATCHED: Final = "categorize"
#: Why a run as of a time stops.
_OF_THEN: Final = "the store has no more answers of that time"


class Run(Answered):
    """Questions about many targets: planned, sent once, kept, and gone on with after any end.

    Made by `Client.run`. The same call continues an unfinished run of the same inputs and questions in the same store.

    Parameters
    ----------
    targets : iterable of str, Series, DataFrame, path, or stream
        Domains or URLs: a list, a column, a CSV, Parquet or text file, or ``"-"`` for standard input. Files are read a
        line at a time.
    ask : str or iterable of str
        Of ``segment``, ``categorize``, ``categorize_content`` and ``enrich``.
    options : mapping of str to mapping, optional
        For a question the keyword arguments of the method: ``{"enrich": {"include": "company"}}``.
    column : str, optional
        The column of a DataFrame or a file.
    by : {"request", "batch"} or Batches
        Whether each question is a request, or domains are sent by the thousand in jobs of the service, which only
        ``categorize`` can; `toolkit.runs.batches.Batches` says how these are waited for.
    budget : int, optional
        Credits that the run may spend: looked at before each send, never exceeded by what answers are known to cost.
    prices : mapping of str to int, optional
        Credits that an answer of a question costs at most; by default the most that answers so far stated.
    concurrency : int
        The most requests at a time, up to 1000. The run begins with a few and finds what the service bears.
    store : Store, str, Path or False, optional
        The file that keeps the answers and the journal; by default the client's, else the project's
        (`Store.of_project`), in which `toolkit.runs` finds the run again. False keeps nothing longer than the run.
    name : str, optional
        The name that the run is kept under; by default that of its file or first site with the date. The same call
        goes on with the run after any end, and pays for nothing twice; a name of another run is refused.
    stale : bool
        Whether stored answers of any age are used.
    refresh : bool
        Whether everything is asked anew.

    Raises
    ------
    InputError
        If an argument cannot work.
    ConfigurationError
        If a base URL or key is missing for a question.
    StoreError
        If the store cannot be used.

    Examples
    --------
    >>> import toolkit as tk
    >>> with tk.Client() as client, client.run(["ledgerline.example", "nowhere.example"], "segment") as run:
    ...     plan = run.plan()
    ...     sites = run.start(progress=False).audiences()
    >>> plan.to_send, sites["status"].tolist()
    (2, [200, 411])
    """

    def __init__(
        self,
        session: Session,
        targets: Source,
        ask: str | Iterable[str] = ("segment",),
        *,
        options: Mapping[str, Mapping[str, Any]] | None = None,
        column: str | None = None,
        by: Literal["request", "batch"] | Batches = "request",
        budget: int | Budget | None = None,
        prices: Mapping[str, int] | None = None,
        concurrency: int | Pace = 50,
        store: Store | str | Path | Literal[False] | None = None,
        name: str | None = None,
        stale: bool = False,
        refresh: bool = False,
    ) -> None:
        self._session = session
        self.questions = questions_of(ask, options)
        self._services = session.connection.services(self.questions)
        self._source = open_targets(targets, column)
        # Runs that share a limit bring their own.
        self._budget = budget_of(budget, prices)
        self._pace = concurrency if isinstance(concurrency, Pace) else Pace(concurrency)
        self._batches = _batches_of(by, self.questions)
        self._name = None if name is None else checked_name(name)
        self._asked_as = {"ask": self.asked, "options": options or {}, "by": "request" if by == "request" else "batch"}
        self._opened: Store | None = None
        self._closed = False
        self.store = self._opened_store(store)
        self._cache = session.cache_of(self.store, stale=stale, refresh=refresh)
        if self._batches is not None and self._cache.reading.as_of is not None:
            self.close()
            raise InputError("A batch asks the service, and as_of is for the store alone. Leave it out.")
        self._journal: Journal | None = None
        self._engine: Sender | None = None
        self._state, self._reason = "ready", ""
        self._watchers: list[Callable[[Progress], None]] = []
        self._outcomes: queue.SimpleQueue[Outcome | None] | None = None
        self._base: Progress | None = None
        self._future: Future[None] | None = None

    def __repr__(self) -> str:
        asked = ", ".join(question_label(name) for name in self.asked).lower()
        state = "closed" if self._closed else "not planned yet"
        if self._journal and not self._closed:
            state = f"{self.counts()}; {self.progress}"
        return f"<Run of {asked} over {self._source.name}: {state}>"

    # Planning and running -----------------------------------------------------------------------------------------

    def plan(self) -> Plan:
        """Read the inputs and tell what the run will do and cost. Nothing is sent.

        Returns
        -------
        Plan
            What the list holds, what is kept, too old and to be asked; credits expected and at most; time.

        Raises
        ------
        InputError
            If the inputs cannot be read.
        StoreError
            If the store cannot be used.
        """
        journal, is_embedded = self._ready(), self._session.connection.embedded
        return planned(
            journal,
            self._windows(),
            [self._price(place) for place in range(len(self.questions))],
            budget=self._budget,
            # A batch is submitted once a call, whatever comes of it; the embedded service charges no failure.
            attempts=1 if is_embedded or self._batches is not None else self._session.retries.attempts,
            is_embedded=is_embedded,
            is_of_then=self._cache.reading.as_of is not None,
            is_begun=self._engine is not None,
        )

    def counts(self) -> Counts:
        """Return how many sites it has and what came of them so far."""
        return self._ready().counts()

    def start(self, *, progress: bool = True) -> Self:
        """Send what is to be sent, and wait for the end.

        An interrupt stops it: what is under way is kept, and the KeyboardInterrupt goes on, so that a loop over runs
        ends. The same call, or `start` of the exception's `run`, sends what is left.

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
        begun = self._begin()
        bar = ProgressBar() if progress else None
        future, interrupt = cast("Future[None] | None", None), cast("KeyboardInterrupt | None", None)
        try:
            future = start_background(self._go, begun, stop=self.stop)
            while not future.done():
                try:
                    wait((future,), _SHOWN_EVERY)
                    self._show(bar)
                except KeyboardInterrupt as error:
                    if self._reason:
                        raise
                    # What is under way is paid for: it is waited for and written.
                    interrupt = error
                    self.stop("interrupted")
            future.result()
        except BaseException:
            if future is None or not future.done():
                self.stop("interrupted")
            if future is not None:
                future.cancel()
            raise
        finally:
            self._show(bar)
            if bar is not None:
                bar.close()
        if interrupt is not None:
            vars(interrupt)["run"] = self
            interrupt.add_note(f"What was answered is kept, and the same call goes on: {self.progress}")
            raise interrupt
        return self

    async def start_async(self) -> Self:
        """Send what is to be sent, as `start` does, within a running event loop."""
        await self._go(self._begin())
        return self

    def start_background(self, ended: Callable[[], object] | None = None) -> Self:
        """Begin to send and return at once; see `progress`, `wait` and `stop`.

        Parameters
        ----------
        ended : callable, optional
            Called once it has ended, in the thread that sends.
        """
        self._future = start_background(self._go, self._begin(), stop=self.stop)
        if ended is not None:
            self._future.add_done_callback(lambda _: ended())
        return self

    @property
    def is_under_way(self) -> bool:
        """Whether it is sending in the background."""
        return self._future is not None and not self._future.done()

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
        """Send nothing more. Requests under way are waited for, batches are not; the same call goes on later."""
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
        journal.begin(self._budget, self._windows())
        journal.let_go(reason="not at its end")
        for place, question in enumerate(self.questions):
            self._check_served(question)
            for row in journal.results(place, once=True):
                if row.state in DONE:
                    yield outcome_of_row(question, row)
        self._outcomes = queue.SimpleQueue()
        future = start_background(self._go, self._begin(), stop=self.stop)
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

    def outcomes(self) -> list[Outcome]:
        """Return what came so far, typed: for each input in order one a question.

        Returns
        -------
        list of Outcome
            An answer, or the error in its place; inputs that were not asked yet have one too.
        """
        found: list[tuple[int, int, Outcome]] = []
        for place, question in enumerate(self.questions):
            self._check_served(question)
            found += [(row.position, place, outcome_of_row(question, row)) for row in self._ready().results(place)]
        return [outcome for *_, outcome in sorted(found, key=lambda entry: entry[:2])]

    def retry_failed(self, *, progress: bool = True) -> Self:
        """Send again what failed for good: server errors, broken connections, odd answers. 410 and 411 are facts.

        Parameters
        ----------
        progress : bool
            Whether to show a bar.
        """
        self._ready().retry()
        return self.start(progress=progress)

    def count_credits(self) -> None:
        """Count into the budget what the run has spent before; runs that share a limit do so before they begin."""
        self._ready().count(self._budget)

    @property
    def is_elsewhere(self) -> bool | None:
        """Whether another process is at it: True on another machine, False on this one, None where nobody is."""
        return self._ready().is_elsewhere

    def watch(self, watcher: Callable[[Progress], None]) -> None:
        """Call a function with the progress now and then while `start` waits, in the thread that waits."""
        self._watchers.append(watcher)

    @property
    def progress(self) -> Progress:
        """How far the run is."""
        journal, engine = self._ready(), self._engine
        # While it runs the engine's counts are added to those of its beginning: counting a million tasks takes a while.
        base = self._base if engine is not None and self._state == "running" and self._base else None
        answered, failed = (engine.answered, engine.failed) if base is not None and engine else (0, 0)
        if base is None:
            stands = Standing.sum(journal.standing([None] * len(self.questions)))
            base = Progress(total=stands.total, answered=stands.answered, stored=stands.stored, failed=stands.failed)
        rate = rate_of(engine) if engine is not None else 0.0
        progress = replace(
            base,
            state=self._state if self._state != "ready" or journal.name is None else base.left_as,
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

    def without_answer(self) -> dict[str, int]:
        """Return how many questions have no answer, by question and status: ``{"segment 411": 2}``."""
        return self._ready().without_answer()

    @property
    def batches(self) -> list[str]:
        """Identifiers of the batches that the service took, those of earlier calls that were gone on with included."""
        journal = self._ready()
        return journal.batch_ids() if isinstance(journal, BatchJournal) else []

    @property
    def unknown(self) -> list[dict[str, Any]]:
        """Items of batches for domains that were not submitted; they are mapped onto no input."""
        journal = self._ready()
        self._check_served(self.questions[0])
        return journal.unknown() if isinstance(journal, BatchJournal) else []

    @property
    def name(self) -> str | None:
        """The name that it is kept under, once it has begun."""
        return self._ready().name

    def close(self) -> None:
        """Close the store if the run opened it; of one that keeps nothing the answers are deleted."""
        if self._opened is not None:
            self._opened.close()
            self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What it has --------------------------------------------------------------------------------------------------

    @property
    def inputs(self) -> int:
        """How many inputs the run has."""
        return self._ready().rows

    @property
    def asked(self) -> tuple[str, ...]:
        """What is asked of each input, such as ``("segment", "enrich")``."""
        return tuple(question.endpoint for question in self.questions)

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the segmentations, as the service gives it now."""
        return run_blocking(self._session.filters)

    @property
    def is_legacy(self) -> bool:
        """Whether the segmentations are in free text."""
        return any(question.model is LegacySegmentation for question in self.questions)

    @property
    def _is_of_bands(self) -> bool:
        """Whether its answers are read with the vocabulary."""
        return "segment" in self.asked and not self.is_legacy

    def _own_table(self) -> pd.DataFrame | None:
        return self._source.table()

    def _records(self, endpoints: Sequence[str], first: int = 0, last: int | None = None) -> Iterator[Record]:
        places = [place for place, question in enumerate(self.questions) if question.endpoint in endpoints]
        # By input, and not by question: so the parts of a frame, one after another, are the frame.
        return merge(*(self._records_of(place, first, last) for place in places), key=attrgetter("row"))

    def _records_of(self, place: int, first: int, last: int | None) -> Iterator[Record]:
        question = self.questions[place]
        self._check_served(question)
        for row in self._ready().results(place, first, last):
            yield record_of(question, row)

    def _check_served(self, question: Question) -> None:
        """Show nothing of an earlier process to a key that the service has never accepted."""
        if self._ready().resumed and not self._cache.may_serve(question.family):
            raise ConfigurationError(
                "The service has not accepted this key yet, so nothing that is stored is shown. Start the run first; "
                "if it stops with 401, check the key."
            )

    # Inside -------------------------------------------------------------------------------------------------------

    def _opened_store(self, store: Store | str | Path | Literal[False] | None) -> Store:
        if store is None and self._session.cache is not None:
            return self._session.cache.store
        if isinstance(store, Store):
            return store
        named = Store.passing if store is False else Store.of_project if store is None else partial(Store, store)
        self._opened = named()
        return self._opened

    def _ready(self) -> Journal:
        if self._journal is None:
            moment = self._cache.reading.as_of
            journal: Journal
            if self._batches is None:
                # As of a time it is another run: what this one was answered is not of that time.
                kind = "" if moment is None else f"as of {moment_of(moment).isoformat()}"
                journal = Journal(self.store, self.questions, self._services, kind, None if moment else self._keeping())
            else:
                journal = BatchJournal(self.store, self.questions, self._services, self._keeping())
            if self._source.kept is None:
                journal.open(self._source)
            else:
                journal.open_kept(self._source.kept)
            self._journal = journal
        return self._journal

    def _keeping(self) -> Keeping:
        # Who names a file goes on with what is unfinished in it; who names none finds a finished run again too.
        again = self._windows if self.store.is_projects and not self._cache.reading.refresh else None
        return Keeping(self._name, self._source.file, json.dumps(self._asked_as, default=list), again)

    def _windows(self) -> list[Window | None]:
        return [self._cache.window(question) for question in self.questions]

    def _price(self, place: int) -> Price | None:
        """Return what an answer costs: as those so far stated, and at most what was given or has been seen."""
        stated, most = self._ready().price(place), self._budget.prices.get(self.questions[place].endpoint)
        if stated is None and most is None and self._session.connection.embedded:
            return EMBEDDED_PRICE
        if most is None:
            return stated
        return Price(most, most, most) if stated is None else replace(stated, high=most)

    def _begin(self) -> bool:
        """Note that the run begins, and return True; False if it is under way already."""
        journal = self._ready()
        if self._state == "running":
            return False
        if self._source.has_table and self._source.kept is None:
            keep_table(self.store, journal.run, self._source, journal.rows)
        # Here and not in the loop's thread: who stops it from now on is heard.
        self._state, self._reason, self._engine = "running", "", None
        return True

    async def _go(self, begun: bool) -> None:
        journal = self._ready()
        try:
            standing = journal.begin(self._budget, self._windows())
        except BaseException:
            if begun:
                self._state = "ready"
            raise
        remaining: int | None = None
        try:
            self._base = Progress(
                total=standing.total, answered=standing.answered, stored=standing.stored, failed=standing.failed
            )
            if self._cache.reading.as_of is not None:
                self._reason = self._reason or "" if self._base.done == self._base.total else _OF_THEN
                self._state = "stopped" if self._reason else "finished"
                for place, question in enumerate(self.questions):
                    journal.note([place], None, self._cache.lacks(question), InputError.__name__)
                return
            if not self._session.is_looked_at and self._is_of_bands and self._base.done < self._base.total:
                await self._session.look_at_vocabulary()
            engine = self._engine = self._sender(journal)
            if self._reason:  # it was stopped while the store was looked through
                engine.stop(self._reason)
            try:
                await engine.run()
            finally:
                self._reason = engine.reason
                self._state = "stopped" if engine.reason else "finished"
                remaining = engine.remaining
        except BaseException:
            self._state, self._reason = "stopped", self._reason or "interrupted"
            raise
        finally:
            journal.let_go(remaining, reason=self._reason)

    def _sender(self, journal: Journal) -> Sender:
        way = self._session.transport
        if self._batches is not None and isinstance(journal, BatchJournal):
            return BatchSender(
                way, self._cache, journal, budget=self._budget, batches=self._batches, watch=self._written
            )
        return Engine(way, self._cache, journal, pace=self._pace, budget=self._budget, watch=self._written)

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


def _batches_of(by: object, questions: Sequence[Question]) -> Batches | None:
    if by == "request":
        return None
    if by != "batch" and not isinstance(by, Batches):
        raise InputError(f"by must be 'request', 'batch' or Batches(…), not {by!r:.80}.")
    if [question.endpoint for question in questions] != [_BATCHED]:
        asked = ", ".join(question.endpoint for question in questions)
        raise InputError(f"Batches ask {_BATCHED} alone, not {asked}. Pass ask={_BATCHED!r}, or by='request'.")
    return by if isinstance(by, Batches) else Batches()
