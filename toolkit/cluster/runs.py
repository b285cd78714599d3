"""Runs on a Dask cluster: a column of a Dask DataFrame, partition by partition, under one limit and one budget."""

from __future__ import annotations

import uuid
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from toolkit.cluster.outcome import DaskReport, PartitionReport, dask_library
from toolkit.frames.records import frames_given_by
from toolkit.interface.checks import is_number
from toolkit.interface.errors import ConfigurationError, InputError, ToolkitError
from toolkit.interface.text import printable, shortened
from toolkit.interface.version import __version__
from toolkit.net.connection import Connection
from toolkit.runs.budget import budget_of
from toolkit.runs.pace import Pace
from toolkit.runs.questions import questions_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolkit.cluster.parts import Job, Survey
    from toolkit.frames.records import FrameName
    from toolkit.interface.calls import Family

__all__ = ["run_dask"]

_URLS: Final[dict[Family, str]] = {"a": "v1_base_url", "b": "base_url"}
_SHOWN: Final = 200


def run_dask(
    frame: Any,
    column: str,
    folder: str | Path,
    *,
    ask: str | Iterable[str] = ("segment",),
    options: Mapping[str, Mapping[str, Any]] | None = None,
    frames: Sequence[FrameName] | None = None,
    budget: int | None = None,
    prices: Mapping[str, int] | None = None,
    concurrency: int = 50,
    rate: float | None = None,
    connection: Mapping[str, str] | None = None,
    cluster: Any = None,
) -> DaskReport:
    """Ask about a column of a Dask DataFrame on a Dask cluster, under one limit and one budget.

    Each partition is a run of its own on a worker: ``folder/stores/part-00000.db`` keeps its answers, and once it is
    finished its frames stand in ``folder/codes/part-00000.parquet`` and so on. The same call goes on after any end:
    partitions that are done are kept, others go on from their stores. A frame is read twice, to be counted and to be
    asked; one that is dear to compute is better persisted. A target that stands in several partitions is asked, and
    paid for, in each.

    It needs the extra: ``pip install 'audience-toolkit[dask]'``, at the scheduler and the workers too. Workers take
    their keys from their own environment (``TOOLKIT_API_KEY``, ``TOOLKIT_V1_API_KEY``); a key never travels through
    the cluster. Where no base URL is set, each worker asks the embedded service.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
        Holds the targets.
    column : str
        The column of domains or URLs.
    folder : str or Path
        A folder that the caller and all workers see under the same path. At a time one process writes to a store in
        it, so that a network drive does where it locks files.
    ask, options
        As `Client.run`.
    frames : sequence of str, optional
        The frames to write; by default all that the run can give, with ``failures``.
    budget : int, optional
        Credits that may be spent on this folder in all: what earlier calls spent there counts. What a lost worker
        had been given counts as spent until the call ends. As with `Client.run` only the first answer of a
        question can cost more than was known.
    prices : mapping of str to int, optional
        As `Client.run`. Where a price is unknown, one request goes alone to find it out.
    concurrency : int
        The most requests at a time of the whole cluster, up to 1000.
    rate : float, optional
        The most requests a second of the whole cluster.
    connection : mapping of str to str, optional
        ``base_url`` and ``v1_base_url`` for the workers; by default the caller's environment, then the workers' own.
    cluster : distributed.Client, cluster or str, optional
        A client of the cluster, the cluster itself or its scheduler's address; by default the client that was made
        last.

    Returns
    -------
    DaskReport
        What came of each partition, and the frames. A refused key (401), a quota that is used up (403) and a service
        that cannot be reached stop all partitions; it says so.

    Raises
    ------
    ConfigurationError
        If the extra, a cluster, a base URL or a key is missing, a worker does not see the folder, or workers would
        ask different services.
    InputError
        If an argument cannot work, or a partition cannot be computed.
    StoreError
        If a store cannot be used.
    """
    dask = dask_library()
    if not isinstance(frame, dask.dataframe.DataFrame):
        raise InputError(f"A Dask DataFrame is needed, not {type(frame).__name__}. For a pandas one use Client.run.")
    if column not in frame.columns:
        raise InputError(f"The frame has no column {column!r}. It has {', '.join(map(repr, frame.columns))}.")
    from toolkit.cluster.parts import Job  # noqa: PLC0415 - where a cluster is used

    given = {name: dict(values) for name, values in (options or {}).items()}
    asked = tuple(question.endpoint for question in questions_of(ask, given))
    job = Job(
        name=f"toolkit-ledger-{uuid.uuid4().hex}",
        folder=str(Path(folder).expanduser().absolute()),
        ask=asked,
        options=given,
        frames=_chosen(asked, frames),
        prices=budget_of(budget, prices).prices,
        concurrency=concurrency,
        **_base_urls(connection),
    )
    Pace(concurrency)
    if rate is not None and not (is_number(rate, 0) and rate):
        raise InputError(f"rate must be a number of requests a second above 0, not {rate!r}.")
    with _client(cluster) as client:
        _check_workers(client, job)
        parts = frame[column].to_delayed()
        surveys = _survey(client, job, parts)
        return _Call(client, job, parts, surveys).run(budget, rate)


class _Call:
    """One call: the partitions, and what came of them so far."""

    def __init__(self, client: Any, job: Job, parts: Sequence[Any], surveys: Sequence[Survey]) -> None:
        self._client = client
        self._job = job
        self._parts = parts
        self._surveys = surveys
        self._reports: dict[int, PartitionReport] = {}
        self._problem: ToolkitError | None = None

    def run(self, budget: int | None, rate: float | None) -> DaskReport:
        """Run what is not done, and report."""
        from toolkit.cluster.allowance import Ledger  # noqa: PLC0415 - as the next
        from toolkit.cluster.parts import install, uninstall  # noqa: PLC0415 - where a cluster is used

        ledger = Ledger(
            budget=budget,
            spent=sum(survey.credits for survey in self._surveys) + self._spent_elsewhere(),
            prices=self._prices(),
            concurrency=self._job.concurrency,
            rate=rate,
        )
        self._client.run_on_scheduler(install, self._job.name, ledger, self._client.id)
        try:
            self._run_parts()
        finally:
            self._client.run_on_scheduler(uninstall, self._job.name)
        if self._problem is not None:
            raise self._problem
        reports = tuple(self._reports[number] for number in range(len(self._parts)))
        return DaskReport(Path(self._job.folder), self._job.frames, reports)

    def _prices(self) -> dict[str, int]:
        """Return the prices that were given, else the most that answers of earlier calls stated."""
        found = dict(self._job.prices)
        for survey in self._surveys:
            for endpoint, price in survey.prices.items():
                if endpoint not in self._job.prices:
                    found[endpoint] = max(found.get(endpoint, 0), price)
        return found

    def _spent_elsewhere(self) -> int:
        """Return what was spent on partitions that the frame no longer has."""
        from toolkit.cluster.parts import credits_of  # noqa: PLC0415 - where a cluster is used

        ours = {self._job.store(number) for number in range(len(self._parts))}
        found = sorted(Path(self._job.folder).glob("stores/part-*.db"))
        return sum(credits_of(path, self._job.prices) for path in found if path not in ours)

    def _run_parts(self) -> None:
        from dask.delayed import delayed  # noqa: PLC0415 - of the extra

        from toolkit.cluster.parts import run_part, tell_stop  # noqa: PLC0415 - where a cluster is used

        tasks, numbers, first_row = [], [], 0
        for number, (part, survey) in enumerate(zip(self._parts, self._surveys, strict=True)):
            if self._is_done(number, survey, first_row):
                counts = {name: survey.done[name] for name in ("answered", "stored", "failed")}
                self._reports[number] = PartitionReport(
                    number, survey.rows, **counts, credits=survey.credits, state="kept"
                )
            else:
                tasks.append(delayed(run_part, pure=False)(part, self._job, number, first_row, survey.digest))
                numbers.append(number)
            first_row += survey.rows
        futures = dict(zip(self._client.compute(tasks), numbers, strict=True))
        waiting = set(futures)
        interrupt: KeyboardInterrupt | None = None
        while waiting:
            try:
                for future in _distributed().as_completed(list(waiting)):
                    self._take(futures[future], future)
                    waiting.discard(future)
            except KeyboardInterrupt as error:
                if interrupt is not None:
                    raise
                # What is under way is paid for: it is waited for and written.
                interrupt = error
                self._client.run_on_scheduler(tell_stop, self._job.name, "interrupted")
        if interrupt is not None:
            raise interrupt

    def _is_done(self, number: int, survey: Survey, first_row: int) -> bool:
        done = survey.done
        return (
            (done.get("digest"), done.get("first_row")) == (survey.digest, first_row)
            and set(self._job.frames) <= set(done.get("frames", ()))
            and all(self._job.parquet(name, number).exists() for name in self._job.frames)
        )

    def _take(self, number: int, future: Any) -> None:
        survey, error = self._surveys[number], _error_of(future)
        if error is None:
            self._reports[number] = PartitionReport(number, **future.result())
            return
        if isinstance(error, ToolkitError):
            self._problem = self._problem or error
        self._reports[number] = PartitionReport(
            number, survey.rows, credits=survey.credits, reason=f"its worker failed: {_words(error)}"
        )


# Before anything is sent ---------------------------------------------------------------------------------------------


def _distributed() -> Any:
    import distributed  # noqa: PLC0415 - of the extra

    return distributed


def _chosen(asked: Iterable[str], frames: Sequence[FrameName] | None) -> tuple[FrameName, ...]:
    possible = frames_given_by(asked)
    chosen = tuple(dict.fromkeys(possible if frames is None else frames))
    if not chosen or not set(chosen) <= set(possible):
        raise InputError(f"frames must name some of {', '.join(possible)} for this ask, not {frames!r}.")
    return chosen


def _base_urls(connection: Mapping[str, str] | None) -> dict[str, str | None]:
    """Return the base URLs for the workers; never a key."""
    given = dict(connection or {})
    if stray := sorted(set(given) - set(_URLS.values())):
        # Without the values: one may be a key.
        raise InputError(
            f"connection may hold base_url and v1_base_url, not {', '.join(map(repr, stray))}. Keys belong into the "
            "environment of the workers: TOOLKIT_API_KEY and TOOLKIT_V1_API_KEY."
        )
    routes = {} if (resolved := Connection.resolve(**given)).embedded else resolved.routes
    return {name: routes[family].base_url if family in routes else None for family, name in _URLS.items()}


@contextmanager
def _client(cluster: Any) -> Iterator[Any]:
    distributed = _distributed()
    if isinstance(cluster, distributed.Client):
        yield cluster
        return
    if cluster is None:
        try:
            found = distributed.default_client()
        except ValueError:
            raise ConfigurationError(
                "There is no Dask cluster. Make a client first, such as distributed.Client(), or pass cluster=…."
            ) from None
        yield found
        return
    try:
        opened = distributed.Client(cluster, set_as_default=False)
    except (OSError, TypeError, ValueError) as error:
        raise ConfigurationError(f"The Dask cluster cannot be reached: {_words(error)}. Check cluster=….") from None
    with opened:
        yield opened


def _check_workers(client: Any, job: Job) -> None:
    """Check that every worker sees the folder, and that all would ask the same."""
    from toolkit.cluster.parts import check_worker  # noqa: PLC0415 - where a cluster is used

    marker, text = Path(job.folder) / f".marker-{uuid.uuid4().hex}", uuid.uuid4().hex
    try:
        marker.parent.mkdir(parents=True, exist_ok=True)
        marker.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{job.folder} cannot be written: {error.strerror or error}. Name another folder.") from None
    try:
        found = client.run(check_worker, job, marker.name, text, on_error="return")
    finally:
        marker.unlink(missing_ok=True)
    if not found:
        raise ConfigurationError("The Dask cluster has no worker. Start one, or wait until one is there.")
    for worker, said in found.items():
        if isinstance(said, ToolkitError):
            raise ConfigurationError(f"Worker {worker}: {said}")
        if isinstance(said, BaseException):
            raise ConfigurationError(
                f"Worker {worker} cannot use the toolkit: {_words(said)}. Install audience-toolkit[dask] {__version__} "
                "there."
            )
    kinds = {tuple(said) for said in found.values()}
    if len(kinds) > 1 or next(iter(kinds))[0] != __version__:
        listed = "; ".join(sorted({f"toolkit {version} asks {', '.join(asks)}" for version, *asks in kinds}))
        raise ConfigurationError(
            f"The workers differ, or differ from here (toolkit {__version__}): {listed}. Give all the same version and "
            "the same TOOLKIT_BASE_URL and TOOLKIT_V1_BASE_URL, or pass connection=…."
        )


def _survey(client: Any, job: Job, parts: Sequence[Any]) -> list[Survey]:
    from dask.delayed import delayed  # noqa: PLC0415 - of the extra

    from toolkit.cluster.parts import survey_part  # noqa: PLC0415 - where a cluster is used

    surveying = delayed(survey_part, pure=False)
    futures = client.compute([surveying(part, job, number) for number, part in enumerate(parts)])
    for number, future in enumerate(futures):
        error = _error_of(future)
        if isinstance(error, ToolkitError):
            raise error
        if error is not None:
            raise InputError(f"Partition {number} of the frame cannot be computed: {_words(error)}.") from None
    return list(client.gather(futures))


def _error_of(future: Any) -> BaseException | None:
    """Wait for a future, and return its error, also where the cluster has dropped it."""
    error: BaseException | None = future.exception()
    if error is None and future.status != "finished":
        return ConfigurationError(f"The cluster has dropped a partition ({future.status}). Check it, and call again.")
    return error


def _words(error: BaseException) -> str:
    return printable(shortened(f"{type(error).__name__}: {error}", _SHOWN)).rstrip(".")
