"""The runs that a file keeps, by their names: what they are, and renaming and deleting them."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface.errors import ConfigurationError, InputError, StoreError
from toolkit.interface.text import counted
from toolkit.runs.counts import counts_of_run
from toolkit.runs.inputs import TargetSource
from toolkit.runs.journal import drop, is_under_way
from toolkit.runs.keeping import checked_name, kept_table, taken
from toolkit.runs.questions import questions_of
from toolkit.store.answers import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pandas as pd

__all__ = ["KeptRun", "delete", "inputs_of", "kept_run", "kept_runs", "rename"]


@dataclass(frozen=True, slots=True)
class KeptRun:
    """What is told of a run that is kept.

    Attributes
    ----------
    name : str
        Its name.
    begun : datetime
        When it was made, in the time of this place.
    sites : int
        How many different sites its inputs are.
    answered : int
        How many of these have an answer to at least one question.
    failed : int
        How many have none, and are not asked again by themselves.
    credits : int
        What it has spent.
    size : int
        Bytes on disk: its answers, inputs and table. An answer that two runs have counts in both.
    state : str
        ``finished``, ``stopped`` or ``running``.
    asked : dict
        Its questions: ``ask``, ``options`` and ``by``, as `Client.run` takes them.
    number : int
        Its number in the journal.
    """

    name: str
    begun: datetime
    sites: int
    answered: int
    failed: int
    credits: int
    size: int
    state: str
    asked: dict[str, Any]
    number: int

    def __str__(self) -> str:
        cost = counted(self.credits, "credit")
        if self.state == "finished":
            return f"{counted(self.answered, 'answer')}, {cost}"
        return f"{self.state}, {self.answered:,} of {counted(self.sites, 'answer')}, {cost}"


_RUNS: Final = """
SELECT k.name, run.created_at, run.spent, run.state, run.holder, run.held_at, k.asked, run.id,
    (SELECT total(length(body)) FROM answer WHERE id IN (SELECT answer FROM task WHERE task.run = run.id))
    + (SELECT total(length(given)) FROM row WHERE row.run = run.id)
    + (SELECT total(length(content)) FROM own_table WHERE own_table.run = run.id)
FROM kept k JOIN run ON run.id = k.run
"""


def kept_runs(store: Store) -> list[KeptRun]:
    """Return the runs that a file keeps, the newest first."""
    return [_kept(store, row) for row in store.database.read(f"{_RUNS} ORDER BY run.id DESC")]


def kept_run(store: Store, name: str) -> KeptRun:
    """Return a run that a file keeps."""
    rows = store.database.read(f"{_RUNS} WHERE k.name = ?", (name,))
    if not rows:
        names = [name for (name,) in store.database.read("SELECT name FROM kept ORDER BY run DESC LIMIT 8")]
        listed = f"There are {', '.join(names)}" if names else "No run is kept there yet"
        raise InputError(f"No run is kept as {str(name)[:80]!r} in {store.path}. {listed}; tk.runs() lists them.")
    return _kept(store, rows[0])


def rename(store: Store, old: str, new: str) -> None:
    """Give a run another name; its file stays the same."""
    checked_name(new)
    run = kept_run(store, old)
    with store.database.writing() as connection:
        if connection.execute("SELECT 1 FROM kept WHERE name = ? AND run != ?", (new, run.number)).fetchall():
            raise InputError(taken(new))
        connection.execute("UPDATE kept SET name = ? WHERE run = ?", (new, run.number))


def delete(store: Store, name: str) -> None:
    """Delete a run, and those of its answers that no other run has, and give back their place on the disk."""
    run = kept_run(store, name)
    if run.state == "running":
        raise ConfigurationError(f"The run {run.name} is under way. Stop it first, then delete it.")
    with store.database.writing() as connection:
        answers = connection.execute(
            "SELECT DISTINCT answer FROM task WHERE run = ? AND answer IS NOT NULL", (run.number,)
        ).fetchall()
        drop(connection, run.number)
        shared = "SELECT 1 FROM task WHERE answer = ? LIMIT 1"
        alone = [found for found in answers if not connection.execute(shared, found).fetchall()]
        connection.executemany("DELETE FROM answer WHERE id = ?", alone)
    with suppress(StoreError):  # where another process reads, the place is used again later
        store.database.read("VACUUM")


def inputs_of(path: Path, run: KeptRun) -> TargetSource:
    """Return the inputs of a run that is kept, with the table that it was made of."""

    def read() -> Iterator[str]:
        with Store(path) as store:
            for (given,) in store.database.stream(
                "SELECT given FROM row WHERE run = ? ORDER BY position", (run.number,)
            ):
                yield given

    def table() -> pd.DataFrame | None:
        with Store(path) as store:
            return kept_table(store, run.number)

    return TargetSource(run.name, read, table=table, kept=run.number)


def _kept(store: Store, row: tuple[Any, ...]) -> KeptRun:
    name, created_at, spent, state, holder, held_at, asked, number, size = row
    given = json.loads(asked)
    if is_under_way(store, number, holder, held_at):
        state = "running"
    about_domain = [question.about_domain for question in questions_of(given["ask"])]
    counts = counts_of_run(store.database, number, about_domain)
    return KeptRun(
        name=name,
        begun=datetime.fromtimestamp(created_at / 1e6, UTC).astimezone(),
        sites=counts.sites,
        answered=counts.answered,
        failed=counts.thin + counts.unopened + counts.failed,
        credits=spent,
        size=int(size),
        state="stopped" if state == "open" else state,
        asked=given,
        number=number,
    )
