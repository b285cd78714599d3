"""What a worker of a Dask cluster does with one partition: a run in a store of its own, under a shared ledger."""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from toolkit.client import Client
from toolkit.cluster.allowance import Allowance, Answer, Ledger, Report
from toolkit.frames.records import FRAMES
from toolkit.interface.errors import ConfigurationError, InputError
from toolkit.interface.version import __version__
from toolkit.net.connection import Connection
from toolkit.runs.inputs import open_targets
from toolkit.runs.pace import Pace
from toolkit.runs.questions import questions_of
from toolkit.store.answers import Store

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from toolkit.frames.records import FrameName
    from toolkit.run import Run

__all__ = [
    "Job",
    "Survey",
    "check_worker",
    "credits_of",
    "install",
    "run_part",
    "survey_part",
    "tell_stop",
    "uninstall",
]

#: Seconds between two reports to the ledger: while all goes well, and at least.
_BEAT: Final = 0.2
_LEAST: Final = 0.02
#: Newest answers of a store of which prices are learnt.
_PRICED: Final = 1_000
#: Seconds until a process that ended is known to have: of this machine, and of another.
_GONE_HERE: Final = 10.0
_GONE_ELSEWHERE: Final = 130.0


@dataclass(frozen=True, slots=True)
class Job:
    """What every partition has in common. It travels in the task graph, so it holds no key."""

    #: Name of the ledger's handler at the scheduler.
    name: str
    #: The folder that all workers see.
    folder: str
    #: As `toolkit.cluster.runs.run_dask`.
    ask: tuple[str, ...]
    options: dict[str, dict[str, Any]]
    frames: tuple[FrameName, ...]
    prices: dict[str, int]
    concurrency: int
    #: Base URLs; None for those of the worker's environment.
    base_url: str | None
    v1_base_url: str | None

    def store(self, number: int) -> Path:
        """Return the file of a partition's answers."""
        return Path(self.folder) / "stores" / f"part-{number:05}.db"

    def parquet(self, frame: str, number: int) -> Path:
        """Return the file of a partition's part of a frame."""
        return Path(self.folder) / frame / f"part-{number:05}.parquet"

    def done(self, number: int) -> Path:
        """Return the file that tells that a partition is done."""
        return Path(self.folder) / "done" / f"part-{number:05}.json"

    def services(self) -> list[str]:
        """Return whom each question asks, as this process is set up; never a key."""
        connection = Connection.resolve(base_url=self.base_url, v1_base_url=self.v1_base_url)
        return connection.services(questions_of(self.ask, self.options))


@dataclass(frozen=True, slots=True)
class Survey:
    """What is known of a partition before anything is sent."""

    rows: int
    #: Stands for its inputs, what is asked, and whom.
    digest: str
    credits: int
    prices: dict[str, int]
    #: What the file says that tells that it is done; empty where there is none.
    done: dict[str, Any]


# At the scheduler ----------------------------------------------------------------------------------------------------


def install(name: str, ledger: Ledger, caller: str, dask_scheduler: Any = None) -> None:
    """Let the scheduler answer reports to a ledger, and tell it of lost workers and of the caller's end."""
    from distributed import SchedulerPlugin  # noqa: PLC0415 - of the extra

    class Watch(SchedulerPlugin):
        def __init__(self) -> None:
            self.ledger = ledger

        def remove_worker(self, scheduler: Any, worker: str, **_: Any) -> None:  # noqa: ARG002 - its signature
            ledger.lose(worker)

        def remove_client(self, scheduler: Any, client: str) -> None:  # noqa: ARG002 - its signature
            if client == caller:
                ledger.stop("the program that began it has ended")

    def answer(report: dict[str, Any]) -> dict[str, Any]:
        return asdict(ledger.exchange(Report(**report)))

    dask_scheduler.handlers[name] = answer
    dask_scheduler.add_plugin(Watch(), name=name)


def tell_stop(name: str, reason: str, dask_scheduler: Any = None) -> None:
    """Let all runs of a ledger stop."""
    dask_scheduler.plugins[name].ledger.stop(reason)


def uninstall(name: str, dask_scheduler: Any = None) -> None:
    """Forget a ledger."""
    dask_scheduler.handlers.pop(name, None)
    if name in dask_scheduler.plugins:
        dask_scheduler.remove_plugin(name=name)


# At the workers ------------------------------------------------------------------------------------------------------


def check_worker(job: Job, marker: str, text: str) -> list[str]:
    """Check that a worker sees the folder and can ask, and return whom it asks."""
    try:
        seen = (Path(job.folder) / marker).read_text(encoding="utf-8")
    except OSError:
        seen = ""
    if seen != text:
        raise ConfigurationError(
            f"it does not see the folder {job.folder}. Name one that all workers see under the same path, such as one "
            "on a network drive."
        )
    return [__version__, *job.services()]


def survey_part(part: pd.Series, job: Job, number: int) -> Survey:
    """Look at a partition and at what earlier calls have left of it."""
    found: dict[str, Any] = {}
    if job.done(number).exists():
        try:
            found = json.loads(job.done(number).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            found = {}  # it is done again, from the store
    store = job.store(number)
    return Survey(len(part), _digest(part, job), credits_of(store, job.prices), prices_of(store), found)


def _digest(part: pd.Series, job: Job) -> str:
    asked = [(question.endpoint, question.options) for question in questions_of(job.ask, job.options)]
    digest = hashlib.sha256(repr((job.services(), asked)).encode())
    for given in open_targets(part):
        encoded = given.encode("utf-8", "surrogatepass")
        digest.update(b"%d:%b" % (len(encoded), encoded))
    return digest.hexdigest()


def prices_of(path: Path) -> dict[str, int]:
    """Return the most that the newest answers in a store have cost, by question."""
    if not path.exists():
        return {}
    with Store(path) as store:
        return dict(
            store.database.read(
                "SELECT q.endpoint, max(a.credits) FROM answer a JOIN question q ON q.id = a.question "
                "WHERE a.id > (SELECT max(id) FROM answer) - ? AND a.status = 200 AND a.credits IS NOT NULL "
                "GROUP BY q.endpoint",
                (_PRICED,),
            )
        )


def credits_of(path: Path, prices: Mapping[str, int]) -> int:
    """Return the credits that all runs in a store have spent, those of requests that may have been charged included."""
    if not path.exists():
        return 0
    with Store(path) as store:
        [(spent,)] = store.database.read("SELECT coalesce(sum(spent), 0) FROM run")
        uncertain = store.database.read(
            "SELECT q.id, q.endpoint, count(*) FROM task t JOIN asked k ON k.run = t.run AND k.place = t.place "
            "JOIN question q ON q.id = k.question WHERE t.state = 1 GROUP BY q.id"
        )
        for question, endpoint, count in uncertain:
            [(price,)] = store.database.read(
                "SELECT max(credits) FROM answer WHERE question = ? AND status = 200", (question,)
            )
            spent += count * max(price or 0, prices.get(endpoint, 0))
    return int(spent)


class _Link:
    """A partition's way to the ledger."""

    def __init__(self, job: Job, number: int, allowance: Allowance, pace: Pace) -> None:
        from distributed import get_worker  # noqa: PLC0415 - of the extra

        self._worker = get_worker()
        self._name = job.name
        self._lease = uuid.uuid4().hex
        self._part = str(number)
        self._allowance = allowance
        self._pace = pace
        self._ended = False
        self.stop = ""

    def exchange(self) -> Answer:
        """Report, and take what is given."""
        answer = self._send(self._allowance.report(self._lease, self._part, str(self._worker.address)))
        self._allowance.take(answer)
        self._pace.resize(max(answer.limit, 1))
        self.stop = answer.stop
        return answer

    def end(self, reason: str = "") -> None:
        """Give back what was not used; a reason stops all others too."""
        if not self._ended:
            self._ended = True
            last = self._allowance.report(self._lease, self._part, str(self._worker.address))
            self._send(Report(self._lease, self._part, last.holder, spent=last.spent, ended=True, reason=reason))

    def _send(self, report: Report) -> Answer:
        from distributed.utils import sync  # noqa: PLC0415 - of the extra

        try:
            answer = sync(self._worker.loop, getattr(self._worker.scheduler, self._name), report=asdict(report))
        except OSError:
            answer = None
        return Answer(stop="the scheduler does not answer") if answer is None else Answer(**answer)


def run_part(part: pd.Series, job: Job, number: int, first_row: int, digest: str) -> dict[str, Any]:
    """Run a partition, write its frames and say that it is done; return its counts, with ``state`` and ``reason``."""
    allowance, pace = Allowance(job.prices), Pace(job.concurrency)
    link = _Link(job, number, allowance, pace)
    try:
        _check_digest(part, job, number, digest)
        job.store(number).parent.mkdir(parents=True, exist_ok=True)
        with (
            Client(base_url=job.base_url, v1_base_url=job.v1_base_url) as client,
            client.run(
                part,
                job.ask,
                options=job.options,
                budget=allowance,
                concurrency=pace,
                store=job.store(number),
            ) as run,
        ):
            state, reason = _run(run, job, allowance, link)
            found = _counts(run, job, number)
            if state == "finished":
                _write(run, job, number, first_row)
                done = {"digest": digest, "first_row": first_row, "frames": list(job.frames), **found}
                _write_whole(job.done(number), json.dumps(done))
            return {**found, "state": state, "reason": reason}
    except BaseException:
        link.end("another partition ended with an error")
        raise
    finally:
        link.end()


def _check_digest(part: pd.Series, job: Job, number: int, digest: str) -> None:
    if _digest(part, job) != digest:
        raise InputError(
            f"Partition {number} gives other inputs, or its worker asks another service, than a moment ago. Persist "
            "the frame, give all workers the same environment, and call again."
        )


def _run(run: Run, job: Job, allowance: Allowance, link: _Link) -> tuple[str, str]:
    """Run, and return the state and why it stopped."""
    run.count_credits()
    allowance.begin()
    link.exchange()
    _wait_for_holder(run, link)
    if link.stop:
        return "stopped", link.stop
    run.start_background(allowance.news.set)
    _follow(run, allowance, link)
    run.wait()
    progress = run.progress
    complete = progress.state == "finished" and progress.done == progress.total
    complete = complete and _fetch_vocabulary(run, job, allowance, link)
    # What the ledger has stopped is no news to it.
    link.end("" if complete or link.stop else progress.reason)
    return ("finished", "") if complete else ("stopped", progress.reason or link.stop)


def _counts(run: Run, job: Job, number: int) -> dict[str, int]:
    progress = run.progress
    return {
        "rows": run.inputs,
        "answered": progress.answered,
        "stored": progress.stored,
        "failed": progress.failed,
        "credits": credits_of(job.store(number), job.prices),
    }


def _wait_for_holder(run: Run, link: _Link) -> None:
    """Wait until it is known that a lost worker has ended, whose run this one goes on with."""
    began = time.monotonic()
    while not link.stop and (elsewhere := run.is_elsewhere) is not None:
        if time.monotonic() - began > (_GONE_ELSEWHERE if elsewhere else _GONE_HERE):
            return
        time.sleep(_BEAT)
        link.exchange()


def _follow(run: Run, allowance: Allowance, link: _Link) -> None:
    """Report to the ledger until the run has ended: at once where it needs something, and now and then."""
    pause = _LEAST
    while run.is_under_way:
        allowance.news.wait(_BEAT)
        answer = link.exchange()
        if answer.stop:
            run.stop(answer.stop)
        given = answer.credits or answer.sends or answer.probe
        pause = _LEAST if given else min(2 * pause, _BEAT)
        run.wait(pause)


def _fetch_vocabulary(run: Run, job: Job, allowance: Allowance, link: _Link) -> bool:
    """Fetch what the frames of a segmentation need, within the limits; False if it was stopped before."""
    if not any(FRAMES.get(name) == ("segment",) for name in job.frames):
        return True
    while not allowance.admits():
        if link.exchange().stop:
            return False
        time.sleep(_LEAST)
    try:
        _ = run.vocabulary
    finally:
        allowance.settle_free()
    return True


def _write(run: Run, job: Job, number: int, first_row: int) -> None:
    for name in job.frames:
        frame = run.frame(name)
        # The parts together are one run.
        frame["row"] += first_row
        path = job.parquet(name, number)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            frame.to_parquet(path.with_suffix(".tmp"))
            path.with_suffix(".tmp").replace(path)
        except OSError as error:
            raise InputError(_unwritable(path, error)) from None


def _write_whole(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".tmp").write_text(text, encoding="utf-8")
        path.with_suffix(".tmp").replace(path)
    except OSError as error:
        raise InputError(_unwritable(path, error)) from None


def _unwritable(path: Path, error: OSError) -> str:
    return f"{path} cannot be written: {error.strerror or error}. Name another folder, or make room there."
