"""The journal of a batch call: which domains went in which batch, and what came back, in the store's file.

It is the journal of a run that asks ``categorize``, whose tasks travel in batches. A batch stands in the file before it
is submitted, then with its identifier, and at last with its results, so that after an end at any moment only a
submission whose answer had not come is sent again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from toolkit.runs.journal import Journal, State, _now
from toolkit.runs.questions import questions_of
from toolkit.store.freshness import age_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from toolkit.runs.batches.items import Item
    from toolkit.store.answers import Store
    from toolkit.store.freshness import Age

__all__ = ["NO_RESULT", "BatchJournal", "Chunk"]

#: Words of a domain that a finished batch has nothing about.
NO_RESULT: Final = "The service returned no result for this domain. Ask again, or categorize it alone."
#: Statuses of an item that was not worked on, because the key or the quota did not let it.
_UNSERVED: Final = (401, 403)


@dataclass(frozen=True, slots=True)
class Chunk:
    """The domains of one batch.

    Attributes
    ----------
    id : int
        Its number in the file.
    tasks : dict of str to int
        Number of the task by domain, in the order submitted.
    batch_id, results_url : str or None
        As the service's answer to the submission states them.
    """

    id: int
    tasks: dict[str, int]
    batch_id: str | None = None
    results_url: str | None = None


class BatchJournal(Journal):
    """One batch call in the file.

    Parameters
    ----------
    store : Store
        The file.
    service : str
        Whom it asks.
    max_age : timedelta or float, optional
        How old a stored answer may be to be used; by default as the store says.
    """

    def __init__(self, store: Store, service: str, max_age: Age | None = None) -> None:
        super().__init__(store, questions_of("categorize"), [service])
        self._max_age = max_age
        self._after = 0

    def _read(self, run: int, targets: Iterator[str]) -> tuple[str, int]:
        digest, count = super()._read(run, targets)
        # A run with the same inputs is another one: it would send what is under way in a batch.
        return f"batch:{digest}", count

    def _cutoffs(self, place: int) -> tuple[int, int]:
        if self._max_age is None:
            return super()._cutoffs(place)
        oldest = _now() - round(1e6 * age_of(self._max_age).total_seconds())
        return oldest, oldest

    # Submitting ---------------------------------------------------------------------------------------------------

    def claim(self, most: int) -> Chunk | None:
        """Put the next domains in a batch that is about to be submitted; None if none is left."""
        with self._database.writing() as connection:
            rows = connection.execute(
                "SELECT id, subject FROM task WHERE run = ? AND id > ? AND state = 0 AND batch IS NULL "
                "ORDER BY id LIMIT ?",
                (self.run, self._after, most),
            ).fetchall()
            if not rows:
                return None
            number = int(
                connection.execute("INSERT INTO batch(run, sent_at) VALUES (?, ?)", (self.run, _now())).lastrowid or 0
            )
            connection.executemany(
                "UPDATE task SET state = 1, batch = ?, attempts = attempts + 1, sent_at = ?, status = NULL, "
                "error = NULL WHERE id = ?",
                [(number, _now(), task) for task, _ in rows],
            )
        self._after = int(rows[-1][0])
        return Chunk(number, {domain: int(task) for task, domain in rows})

    def submitted(self, chunk: Chunk, batch_id: str, results_url: str | None) -> Chunk:
        """Write that the service has taken a batch."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE batch SET batch_id = ?, results_url = ?, submitted_at = ? WHERE id = ?",
                (batch_id, results_url, _now(), chunk.id),
            )
        return Chunk(chunk.id, chunk.tasks, batch_id, results_url)

    def take_back(self, chunk: Chunk) -> None:
        """Forget a batch that was not taken, or may not have been: its domains wait again."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE task SET state = CASE state WHEN 1 THEN 0 ELSE state END, batch = NULL WHERE batch = ?",
                (chunk.id,),
            )
            connection.execute("DELETE FROM batch WHERE id = ?", (chunk.id,))

    def unfinished(self) -> list[Chunk]:
        """Return the batches whose results are not in the file, in the order in which they were submitted."""
        rows = self._database.read(
            "SELECT id, batch_id, results_url FROM batch WHERE run = ? AND finished_at IS NULL ORDER BY id", (self.run,)
        )
        return [
            Chunk(
                number,
                dict(self._database.read("SELECT subject, id FROM task WHERE batch = ? ORDER BY id", (number,))),
                batch_id,
                results_url,
            )
            for number, batch_id, results_url in rows
        ]

    def touch(self) -> None:
        """Write that this process is still at it, for those on other machines."""
        with self._database.writing() as connection:
            connection.execute("UPDATE run SET held_at = ? WHERE id = ?", (_now(), self.run))

    # Results ------------------------------------------------------------------------------------------------------

    def settle(self, chunk: Chunk, found: Mapping[str, Item], unknown: Collection[Mapping[str, Any]]) -> None:
        """Write the results of a batch, all in one transaction."""
        with self._database.writing() as connection:
            for domain, task in chunk.tasks.items():
                item = found.get(domain)
                if item is None:
                    connection.execute(
                        "UPDATE task SET state = ?, error = ? WHERE id = ? AND state = 1",
                        (State.FAILED, NO_RESULT, task),
                    )
                    continue
                if item.is_stored:
                    answer = self.store.insert(
                        connection, self._asked[0], item.call, item.received, item.source, item.status or 0
                    )
                    connection.execute(
                        "UPDATE task SET state = ?, answer = ?, status = ?, error = NULL WHERE id = ?",
                        (State.ANSWERED, answer, item.status, task),
                    )
                    continue
                waits = item.status in _UNSERVED
                connection.execute(
                    "UPDATE task SET state = ?, status = ?, error = ?, batch = ? WHERE id = ? AND state = 1",
                    (
                        State.WAITING if waits else State.FAILED,
                        item.status,
                        item.error,
                        None if waits else chunk.id,
                        task,
                    ),
                )
            connection.execute(
                "UPDATE batch SET finished_at = ?, unknown = ? WHERE id = ?",
                (_now(), json.dumps(list(unknown)) if unknown else None, chunk.id),
            )
            connection.execute("UPDATE run SET held_at = ? WHERE id = ?", (_now(), self.run))

    def lose(self, chunk: Chunk, status: int, words: str) -> None:
        """Write that the service does not know a batch any more: its domains wait again, with its words."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE task SET state = 0, batch = NULL, status = ?, error = ? WHERE batch = ? AND state = 1",
                (status, words, chunk.id),
            )
            connection.execute("UPDATE batch SET finished_at = ? WHERE id = ?", (_now(), chunk.id))

    def submit_again(self) -> None:
        """Let `claim` find what waits again within the same call."""
        self._after = 0

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
