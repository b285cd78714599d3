"""One worker of the campaign: it sends cases to the clients and to runs, and writes what came of each."""

from __future__ import annotations

import asyncio
import gzip
import json
import tempfile
import time
import warnings
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

import toolkit as tk
from toolkit.frames import DenominatorWarning, VocabularyWarning
from toolkit.interface.errors import ConfigurationError
from toolkit.runs.batches import Batches

from .cases import case_of, good_case
from .judge import RIGHT, Verdict, judge, judge_frame, leaked, leaks_of_file
from .server import MutantServer
from .truth import KEY, V1_KEY, Case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

#: One line of the results.
Line = dict[str, Any]
ONCE: Final = tk.Retries(attempts=1, first_wait=0.0, longest_wait=0.0)
#: Numbers of the answers that are as described and stand among the others in a run.
_GOOD: Final = 10_000_000
#: Questions of a run: endpoint of the cases, question, options, frames.
QUESTIONS: Final[dict[str, tuple[str, dict[str, Any], tuple[str, ...]]]] = {
    "segment": ("segment", {}, ("audiences", "codes")),
    "legacy": ("segment", {"format": "legacy"}, ("audiences",)),
    "categorize": ("categorize", {}, ("categories",)),
    "content_url": ("categorize_content", {"personas": True}, ("categories",)),
    "enrich": ("enrich", {}, ("companies", "technologies", "categories")),
    "enrich_xml": ("enrich", {"format": "xml"}, ("companies", "technologies", "categories")),
}


def line_of(case: Case, way: str, verdict: Verdict) -> Line:
    """Return what is kept of a verdict."""
    return {
        "way": way,
        "index": case.index,
        "kind": case.kind,
        "endpoint": case.endpoint,
        "outcome": verdict.outcome,
        "detail": verdict.detail.encode("utf-8", "backslashreplace").decode(),
        "notes": case.notes.encode("utf-8", "backslashreplace").decode(),
    }


def asking(client: Any, case: Case) -> Any:
    """Ask what a case answers, with a client of either kind."""
    target = case.target
    if case.endpoint == "segment":
        return client.segment(target)
    if case.endpoint == "legacy":
        return client.segment(target, format="legacy")
    if case.endpoint == "categorize":
        return client.categorize(target)
    if case.endpoint == "content_url":
        return client.categorize_content(target, personas=True)
    if case.endpoint == "content_text":
        return client.categorize_content(text=target, personas=True)
    if case.endpoint == "enrich":
        return client.enrich(target)
    if case.endpoint == "enrich_xml":
        return client.enrich(target, format="xml")
    if case.endpoint == "submit_batch":
        return client.submit_batch([target])
    if case.endpoint == "batch_results":
        return client.batch_results(target)
    return client.filters(refresh=True)


class Worker:
    """Sends cases, a chunk at a time.

    Parameters
    ----------
    seed : int
        Of the cases.
    begin : callable
        Called with a number before each piece of work, for a watchdog: a case's, or below 0 for a run.
    timeout : float
        Of the clients; on a busy machine a short one is no fault of theirs.
    """

    def __init__(self, seed: int, begin: Callable[[int], None] = lambda _: None, timeout: float = 4.0) -> None:
        self.seed = seed
        self._timeout = timeout
        self._begin = begin
        self.server = MutantServer()
        self._dtypes: dict[str, dict[str, pd.Series]] = {}
        warnings.simplefilter("ignore", VocabularyWarning)
        warnings.simplefilter("ignore", DenominatorWarning)
        # A connection that is left to the collector is told of in a warning, which is another fact's test.
        warnings.simplefilter("ignore", ResourceWarning)

    def client(self, kind: Any, **options: Any) -> Any:
        """Return a client of the server."""
        url = self.server.url
        given = {"api_key": KEY, "base_url": url, "v1_api_key": V1_KEY, "v1_base_url": url, "timeout": self._timeout}
        return kind(**{**given, "retries": ONCE, **options})

    def close(self) -> None:
        """End the server."""
        self.server.close()

    def chunk(self, indices: Iterable[int], *, runs: bool = True) -> Iterator[Line]:
        """Send some cases, and yield what came of each."""
        cases = [case_of(self.seed, index) for index in indices]
        self.server.cases = {case.index: case for case in cases}
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            yield from asyncio.run(self._singly(cases, Path(folder)))
            yield from self._blocking(cases)
            yield from self._jobs([case for case in cases if case.script], Path(folder))
            if runs:
                for endpoint in QUESTIONS:
                    chosen = [case for case in cases if case.calm and case.endpoint == endpoint and case.key is None]
                    if chosen:
                        self._begin(-1 - chosen[0].index)
                        yield from self._run(endpoint, chosen, Path(folder))

    # Singly -----------------------------------------------------------------------------------------------------------

    async def _singly(self, cases: list[Case], folder: Path) -> list[Line]:
        lines: list[Line] = []
        store = folder / "single.db"
        async with (
            self.client(tk.AsyncClient, store=store) as client,
            self.client(tk.AsyncClient, timeout=0.4) as hasty,
        ):
            for case in cases:
                if case.script:
                    continue
                self._begin(case.index)
                used = hasty if case.reply.stall else client
                own = self._own_client(case)
                result, seconds = await self._asked(own or used, case)
                verdict = judge(case, result, seconds)
                lines.append(line_of(case, "client", verdict))
                if verdict.outcome in RIGHT and own is None and not case.reply.stall:
                    # What was kept is as right as what came.
                    again = judge(case, *await self._asked(used, case))
                    lines += [line_of(case, "store", again)] if again.outcome not in RIGHT else []
                if own is not None:
                    await own.aclose()
        lines += [
            {
                "way": "store",
                "index": cases[0].index,
                "kind": "keys in the store's file",
                "endpoint": "",
                "outcome": "KEY",
                "detail": leak,
                "notes": "",
            }
            for leak in leaks_of_file(store)
        ]
        return lines

    def _own_client(self, case: Case) -> Any:
        if case.key is not None:
            return self.client(tk.AsyncClient, api_key=case.key, v1_api_key=case.key)
        return None

    async def _asked(self, client: Any, case: Case) -> tuple[Any, float]:
        began = time.perf_counter()
        self.server.vocabulary = case.index if case.endpoint == "filters" else None
        try:
            result = await asyncio.wait_for(asking(client, case), self._timeout + 6)
        except Exception as error:
            result = error
        self.server.vocabulary = None
        return result, time.perf_counter() - began

    def _blocking(self, cases: list[Case]) -> Iterator[Line]:
        """Send every fourth case to the client that waits; nobody keeps anything."""
        with self.client(tk.Client) as client:
            for case in cases:
                if case.index % 4 or case.script or case.reply.stall or case.endpoint == "filters" or case.key:
                    continue
                self._begin(case.index)
                began = time.perf_counter()
                try:
                    result = asking(client, case)
                except Exception as error:
                    result = error
                yield line_of(case, "blocking", judge(case, result, time.perf_counter() - began))

    # Jobs -------------------------------------------------------------------------------------------------------------

    def _jobs(self, cases: list[Case], folder: Path) -> Iterator[Line]:
        with self.client(tk.Client) as client:
            for case in cases:
                self._begin(case.index)
                yield line_of(case, "batch", self._job(client, case, folder / f"job-{case.index}.db"))

    def _job(self, client: tk.Client, case: Case, store: Path) -> Verdict:
        try:
            return self._mapped(client, case, store)
        except tk.ToolkitError as error:
            return Verdict("RAISED", f"in place of rows: {type(error).__name__}: {error}"[:300])
        except Exception as error:
            return Verdict("FOREIGN", f"{type(error).__name__}: {error}"[:300])

    def _mapped(self, client: tk.Client, case: Case, store: Path) -> Verdict:
        wanted = case.truth.content["domains"]
        way = Batches(poll=(0.002, 0.02), timeout=3.0)
        with client.ask(case.script["domains"], "categorize", by=way, store=store) as run:
            outcomes = run.outcomes()
            frame = run.categories()
            jobs, progress = run.batches, run.progress
        found = {outcome.target: outcome for outcome in outcomes}
        lost, wrong, empty = [], [], []
        for domain, names in wanted.items():
            outcome = found.get(domain)
            if outcome is None or (outcome.answer is None and outcome.error is None):
                return Verdict("NO ROW", domain)
            had = None if outcome.answer is None else frozenset(one.name for one in outcome.answer.categories)
            if names is None:
                wrong += [f"{domain}: {sorted(had)}" for _ in range(had is not None)]
            elif had is None:
                lost.append(f"{domain}: {outcome.error}")
            elif not had and names:
                empty.append(domain)
            elif had != names:
                wrong.append(f"{domain}: {sorted(had)}, not {sorted(names)}")
        if self.server.submitted[case.index] > 1:
            return Verdict("SENT TWICE", f"{self.server.submitted[case.index]} submissions")
        if wrong:
            return Verdict("WRONG", "; ".join(wrong)[:300])
        if empty:
            return Verdict("EMPTY", "; ".join(empty)[:300])
        # Who was answered with nothing has no row.
        if set(frame["target"]) | {domain for domain, names in wanted.items() if names == frozenset()} != set(wanted):
            return Verdict("FRAME", "not a row for every domain")
        if lost:
            words = f"{progress.state} {progress.reason}: {'; '.join(lost)}"[:300]
            if not jobs and not any(word in words for word in ("identifier", "batch_id")):
                return Verdict("JOB LOST", words)
            return Verdict({"must": "REFUSED", "named": "LOST"}.get(case.truth.level, "refused"), words)
        return Verdict("ok")

    # Runs -------------------------------------------------------------------------------------------------------------

    def _run(self, endpoint: str, cases: list[Case], folder: Path) -> Iterator[Line]:
        question, options, frames = QUESTIONS[endpoint]
        good = [good_case(self.seed, _GOOD + number, endpoint) for number in range(5)]
        self.server.cases |= {case.index: case for case in good}
        mixed = [*cases, *good]
        Random(cases[0].index).shuffle(mixed)
        targets = [case.target for case in mixed]
        store, saved = folder / f"run-{endpoint}.db", folder / f"run-{endpoint}.gz"
        asked = {"ask": question, "options": {question: options}, "store": store}
        about = Case(cases[0].index, f"run of {endpoint}", endpoint, "", cases[0].reply, cases[0].truth)
        about.notes = f"{len(cases)} cases from {cases[0].index} to {cases[-1].index}"
        made: dict[str, pd.DataFrame] = {}
        wanted = self._wanted(endpoint)
        with self.client(tk.Client) as client, client.run(targets, **asked) as run:
            try:
                yield from self._finished(run, about)
                outcomes = run.outcomes()
            except Exception as error:
                yield line_of(about, "run", Verdict("RUN", f"{type(error).__name__}: {error}"[:300]))
                return
            for case, outcome in zip(mixed, outcomes, strict=True):
                result = outcome.answer or outcome.error
                verdict = judge(case, result)
                if verdict.outcome in RIGHT and outcome.answer is None and outcome.status == 200:
                    verdict = Verdict("ERROR SAYS 200", str(outcome.error)[:200])
                if case.index >= _GOOD and verdict.outcome != "ok":
                    verdict = Verdict("A GOOD ONE LOST", f"{verdict.outcome}: {verdict.detail}")
                yield line_of(case, "run", verdict)
            for name in (*frames, "failures"):
                try:
                    made[name] = getattr(run, name)()
                    wrong = judge_frame(name, made[name], wanted[name], _with_rows(name, outcomes))
                except Exception as error:
                    wrong = f"{name}: {type(error).__name__}: {error}"[:300]
                    culprits = self._culprits(name, mixed, outcomes)
                    for case in culprits:
                        yield line_of(case, "frame", Verdict("FRAME", wrong))
                    if culprits:
                        continue
                yield line_of(about, "frame", Verdict("FRAME", wrong) if wrong else Verdict("ok"))
            try:
                run.save(saved)
            except Exception as error:
                yield line_of(about, "saved", Verdict("SAVED", f"{type(error).__name__}: {error}"[:300]))
        answered = [case for case, outcome in zip(mixed, outcomes, strict=True) if outcome.answer is not None]
        yield from self._read_again(about, made, targets, asked, saved, answered)
        for leak in [*leaks_of_file(store), *([] if not saved.exists() else [_leak_of_saved(saved)])]:
            if leak:
                yield line_of(about, "file", Verdict("KEY", leak))

    def _finished(self, run: Any, about: Case) -> Iterator[Line]:
        """Start a run until it is at its end; one that stops for an odd answer stops the others, and is told of."""
        done = -1
        for _ in range(12):
            run.start(progress=False)
            progress = run.progress
            if progress.state == "finished":
                return
            # An error of no stated code may rightly be taken for a refused key, by its words.
            outcome = "refused" if "401" in progress.reason else "STOPPED"
            yield line_of(about, "run", Verdict(outcome, progress.reason))
            if progress.done == done:
                return
            done = progress.done

    def _wanted(self, endpoint: str) -> dict[str, pd.Series]:
        """Return the dtypes of the frames of answers that are as described."""
        if endpoint not in self._dtypes:
            question, options, frames = QUESTIONS[endpoint]
            cases = [good_case(self.seed, _GOOD + 10 + number, endpoint) for number in range(2)]
            self.server.cases |= {case.index: case for case in cases}
            with (
                self.client(tk.Client) as client,
                client.ask([case.target for case in cases], question, options={question: options}) as run,
            ):
                self._dtypes[endpoint] = {name: getattr(run, name)().dtypes for name in (*frames, "failures")}
        return self._dtypes[endpoint]

    def _culprits(self, name: str, cases: list[Case], outcomes: list[Any]) -> list[Case]:
        """Return the cases of which alone no frame can be made."""
        found = []
        if name == "failures":
            return found
        make = getattr(tk.frames, name)
        with self.client(tk.Client) as client:
            extra = (client.filters(),) if name in {"audiences", "codes"} else ()
        for case, outcome in zip(cases, outcomes, strict=True):
            try:
                make([outcome], *extra).to_csv().encode()
            except Exception:
                found.append(case)
        return found

    def _read_again(
        self,
        about: Case,
        made: dict[str, pd.DataFrame],
        targets: list[str],
        asked: dict[str, Any],
        saved: Path,
        answered: list[Case],
    ) -> Iterator[Line]:
        """Make the frames again, from the store and from the saved run: they are the same, and cost nothing."""
        before = {case.index: self.server.asked[case.index] for case in answered}
        for way in ("stored", "saved"):
            if way == "saved" and not saved.exists():
                continue
            try:
                with self.client(tk.Client) as client:
                    kept = client.run(targets, **asked) if way == "stored" else tk.load_run(saved)
                    if way == "stored":
                        kept.start(progress=False)
                    # Failures that pass are asked for again, and so have another time.
                    changing = {"from_cache", "credits_used", "fetched_at"}
                    for name, frame in made.items():
                        columns = [column for column in frame if column not in changing]
                        pd.testing.assert_frame_equal(getattr(kept, name)()[columns], frame[columns])
                    if way == "stored":
                        kept.close()
                verdict = Verdict("ok")
            except ConfigurationError as error:  # the key was refused again
                verdict = Verdict("refused", str(error))
            except Exception as error:
                verdict = Verdict("READ AGAIN", f"{way}: {type(error).__name__}: {error}"[:400].replace("\n", " "))
            yield line_of(about, way, verdict)
        again = [case for case in answered if self.server.asked[case.index] > before[case.index]]
        for case in again:
            yield line_of(case, "stored", Verdict("ASKED AGAIN", "an answer that was kept"))


def _with_rows(name: str, outcomes: list[Any]) -> set[str]:
    """Return the targets of which a frame has rows whatever they were answered; an answer may have no codes."""
    if name in {"audiences", "companies"}:
        return {outcome.target for outcome in outcomes}
    return {outcome.target for outcome in outcomes if outcome.answer is None}


def _leak_of_saved(path: Path) -> str:
    return leaked(gzip.decompress(path.read_bytes()).decode("latin-1"))


def work(seed: int, indices: list[int], runs: bool, path: str, mark: Any) -> None:
    """Send one chunk in a process of its own; its results are written at its end."""

    def begin(number: int) -> None:
        mark[0], mark[1] = number, time.monotonic()

    worker = Worker(seed, begin)
    lines = list(worker.chunk(indices, runs=runs))
    worker.close()
    Path(path).write_text(json.dumps(lines), encoding="utf-8")
