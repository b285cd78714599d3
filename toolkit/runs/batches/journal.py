"""The journal of a run in batches: which domains went in which batch, and what came back, in the store's file.

It is the journal of a run that asks ``categorize``, whose tasks travel in batches. A batch stands in the file before it
is submitted, then with its identifier, and at last with its results, so that after an end at any moment only a
submission whose answer had not come is sent again: the same domains with the same idempotency key.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from toolkit.runs.journal import Journal, Standing, now
from toolkit.runs.tasks import State, Task

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from toolkit.interface.calls import Question
    from toolkit.net.cache import Window
    from toolkit.runs.batches.items import Item
    from toolkit.runs.budget import Budget
    from toolkit.runs.keeping import Keeping
    from toolkit.store.answers import Store

__all__ = ["NO_RESULT", "BatchJournal", "Chunk"]

#: Words of a domain that a finished batch has nothing about.
NO_RESULT: Final = "The service returned no result for this domain. Ask again, or categorize it alone."

_COLUMNS: Final = "subject, id, place, target, attempts"


@dataclass(frozen=True, slots=True)
class Chunk:
    """The domains of one batch."""

    id: int
    #: By domain, in the order submitted.
    tasks: dict[str, Task]
    #: The same whenever it is submitted, and of no other batch.
    mark: str = ""
    batch_id: str | None = None
    #: Whether it may have been taken by a submission without an answer, and was counted as charged.
    is_doubted: bool = False


class BatchJournal(Journal):
    """One run that sends its questions in batches, in the file."""

    def __init__(
        self, store: Store, questions: Sequence[Question], services: Sequence[str], keeping: Keeping | None = None
    ) -> None:
        super().__init__(store, questions, services, "batch", keeping)
        self._after = 0

    def begin(self, budget: Budget, windows: Sequence[Window | None]) -> Standing:
        """Take the run for this process, as `Journal.begin` does; this call submits what an earlier one left."""
        self._after = 0
        return super().begin(budget, windows)

    # Submitting ---------------------------------------------------------------------------------------------------

    def claim(self, most: int) -> Chunk | None:
        """Put the next domains in a batch that is about to be submitted; None if none is left."""
        with self._database.writing() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM task WHERE run = ? AND id > ? AND state = 0 AND batch IS NULL "  # noqa: S608 - columns of this module
                "ORDER BY id LIMIT ?",
                (self.run, self._after, most),
            ).fetchall()
            if not rows:
                return None
            moment = now()
            number = int(
                connection.execute("INSERT INTO batch(run, sent_at) VALUES (?, ?)", (self.run, moment)).lastrowid or 0
            )
            mark = self._mark(connection, number, moment)
            connection.executemany(
                "UPDATE task SET state = 1, batch = ?, attempts = attempts + 1, sent_at = ?, status = NULL, "
                "error = NULL WHERE id = ?",
                [(number, now(), task) for _, task, *_ in rows],
            )
        tasks = _by_domain(rows)
        self._after = max(task.id for task in tasks.values())
        return Chunk(number, tasks, mark)

    def _mark(self, connection: sqlite3.Connection, number: int, sent_at: int) -> str:
        # With the moments, as another file, or a later batch, may have the same numbers.
        [(digest, created_at)] = connection.execute(
            "SELECT digest, created_at FROM run WHERE id = ?", (self.run,)
        ).fetchall()
        return f"{digest}:{created_at}:{number}:{sent_at}"

    @property
    def is_left(self) -> bool:
        """Whether there is something to be claimed."""
        return bool(
            self._database.read(
                "SELECT 1 FROM task WHERE run = ? AND id > ? AND state = 0 AND batch IS NULL LIMIT 1",
                (self.run, self._after),
            )
        )

    def submitted(self, chunk: Chunk, batch_id: str, spent: int) -> Chunk:
        """Write that the service has taken a batch."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE batch SET batch_id = ?, submitted_at = ? WHERE id = ?", (batch_id, now(), chunk.id)
            )
            connection.execute("UPDATE run SET spent = ? WHERE id = ?", (spent, self.run))
        return replace(chunk, batch_id=batch_id)

    def doubt(self, chunk: Chunk, spent: int) -> Chunk:
        """Write that a batch may have been taken, and is counted as charged: it is submitted again as it is."""
        with self._database.writing() as connection:
            connection.execute("UPDATE batch SET submitted_at = ? WHERE id = ?", (now(), chunk.id))
            connection.execute("UPDATE run SET spent = ? WHERE id = ?", (spent, self.run))
        return replace(chunk, is_doubted=True)

    def take_back(self, chunk: Chunk, spent: int) -> None:
        """Forget a batch that was not taken: its domains wait again."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE task SET state = CASE state WHEN 1 THEN 0 ELSE state END, batch = NULL WHERE batch = ?",
                (chunk.id,),
            )
            connection.execute("DELETE FROM batch WHERE id = ?", (chunk.id,))
            connection.execute("UPDATE run SET spent = ? WHERE id = ?", (spent, self.run))

    def unfinished(self) -> list[Chunk]:
        """Return the batches whose results are not in the file, in the order in which they were submitted."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id, sent_at, batch_id, submitted_at FROM batch WHERE run = ? AND finished_at IS NULL "
                "ORDER BY id",
                (self.run,),
            ).fetchall()
            return [
                Chunk(
                    number,
                    _by_domain(
                        connection.execute(f"SELECT {_COLUMNS} FROM task WHERE batch = ? ORDER BY id", (number,))  # noqa: S608 - as above
                    ),
                    self._mark(connection, number, sent_at),
                    batch_id,
                    is_doubted=batch_id is None and submitted_at is not None,
                )
                for number, sent_at, batch_id, submitted_at in rows
            ]

    def touch(self) -> None:
        """Write that this process is still at it, for those on other machines."""
        with self._database.writing() as connection:
            connection.execute("UPDATE run SET held_at = ? WHERE id = ?", (now(), self.run))

    # Results ------------------------------------------------------------------------------------------------------

    def settle(
        self, chunk: Chunk, found: Mapping[str, Item], unknown: Collection[Mapping[str, Any]], spent: int
    ) -> None:
        """Write the results of a batch, all in one transaction."""
        with self._database.writing() as connection:
            for domain, task in chunk.tasks.items():
                item = found.get(domain)
                if item is None:
                    connection.execute(
                        "UPDATE task SET state = ?, error = ? WHERE id = ? AND state = 1",
                        (State.FAILED, NO_RESULT, task.id),
                    )
                    continue
                if item.is_stored:
                    answer = self.store.insert(
                        connection, self._asked[0], item.call, item.received, item.source, item.status or 0
                    )
                    connection.execute(
                        "UPDATE task SET state = ?, answer = ?, status = ?, error = NULL WHERE id = ?",
                        (State.ANSWERED, answer, item.status, task.id),
                    )
                    continue
                state, batch = (State.WAITING, None) if item.is_unserved else (State.FAILED, chunk.id)
                connection.execute(
                    "UPDATE task SET state = ?, status = ?, error = ?, batch = ? WHERE id = ? AND state = 1",
                    (state, item.status, item.error, batch, task.id),
                )
            connection.execute(
                "UPDATE batch SET finished_at = ?, unknown = ? WHERE id = ?",
                (now(), json.dumps(list(unknown)) if unknown else None, chunk.id),
            )
            connection.execute("UPDATE run SET held_at = ?, spent = ? WHERE id = ?", (now(), spent, self.run))

    def lose(self, chunk: Chunk, status: int, words: str, spent: int) -> None:
        """Write that the service does not know a batch any more: its domains wait again, with its words."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE task SET state = 0, batch = NULL, status = ?, error = ? WHERE batch = ? AND state = 1",
                (status, words, chunk.id),
            )
            connection.execute("UPDATE batch SET finished_at = ? WHERE id = ?", (now(), chunk.id))
            connection.execute("UPDATE run SET spent = ? WHERE id = ?", (spent, self.run))

    def submit_again(self) -> None:
        """Let `claim` find what waits again within the same call."""
        self._after = 0

    def retry(self) -> None:
        """Let failed tasks wait again, for another batch."""
        with self._database.writing() as connection:
            connection.execute("UPDATE task SET batch = NULL WHERE run = ? AND state = 4", (self.run,))
        super().retry()

    def forget_words(self) -> None:
        """Forget why tasks waited at the end of an earlier call."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE task SET status = NULL, error = NULL WHERE run = ? AND state IN (0, 1) AND error IS NOT NULL",
                (self.run,),
            )

    def note_left(self, status: int | None, words: str) -> None:
        """Write why tasks wait, where the service has said nothing of them."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE task SET status = ?, error = ? WHERE run = ? AND state IN (0, 1) AND error IS NULL",
                (status, words, self.run),
            )

    def batch_ids(self) -> list[str]:
        """Return the identifiers of the batches that the service took, in order."""
        rows = self._database.read(
            "SELECT batch_id FROM batch WHERE run = ? AND batch_id IS NOT NULL ORDER BY id", (self.run,)
        )
        return [batch_id for (batch_id,) in rows]

    def unknown(self) -> list[dict[str, Any]]:
        """Return the items for domains that were not submitted."""
        rows = self._database.read(
            "SELECT unknown FROM batch WHERE run = ? AND unknown IS NOT NULL ORDER BY id", (self.run,)
        )
        return [entry for (entries,) in rows for entry in json.loads(entries)]


def _by_domain(rows: Iterable[tuple[Any, ...]]) -> dict[str, Task]:
    return {domain: Task(*task) for domain, *task in rows}
