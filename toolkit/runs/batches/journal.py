"""The journal of a batch call: which domains went in which batch, and what came back, in the store's file.

It is the journal of a run that asks ``categorize``, whose tasks travel in batches. A batch stands in the file before it
is submitted, then with its identifier, and at last with its results, so that after an end at any moment only a
submission whose answer had not come is sent again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from toolkit.runs.journal import Journal, State, now

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from toolkit.interface.calls import Question
    from toolkit.runs.batches.items import Item
    from toolkit.store.answers import Store

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
    """One run that sends its questions in batches, in the file.

    Parameters
    ----------
    store, questions, services
        As of `Journal`.
    """

    def __init__(self, store: Store, questions: Sequence[Question], services: Sequence[str]) -> None:
        super().__init__(store, questions, services, "batch")
        self._after = 0

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
                connection.execute("INSERT INTO batch(run, sent_at) VALUES (?, ?)", (self.run, now())).lastrowid or 0
            )
            connection.executemany(
                "UPDATE task SET state = 1, batch = ?, attempts = attempts + 1, sent_at = ?, status = NULL, "
                "error = NULL WHERE id = ?",
                [(number, now(), task) for task, _ in rows],
            )
        self._after = int(rows[-1][0])
        return Chunk(number, {domain: int(task) for task, domain in rows})

    @property
    def is_left(self) -> bool:
        """Whether there is something to be claimed."""
        return bool(
            self._database.read(
                "SELECT 1 FROM task WHERE run = ? AND id > ? AND state = 0 AND batch IS NULL LIMIT 1",
                (self.run, self._after),
            )
        )

    def submitted(self, chunk: Chunk, batch_id: str, results_url: str | None) -> Chunk:
        """Write that the service has taken a batch."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE batch SET batch_id = ?, results_url = ?, submitted_at = ? WHERE id = ?",
                (batch_id, results_url, now(), chunk.id),
            )
        return Chunk(chunk.id, chunk.tasks, batch_id, results_url)

    def take_back(self, chunk: Chunk, spent: int) -> None:
        """Forget a batch that was not taken, or may not have been: its domains wait again."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE task SET state = CASE state WHEN 1 THEN 0 ELSE state END, batch = NULL WHERE batch = ?",
                (chunk.id,),
            )
            connection.execute("DELETE FROM batch WHERE id = ?", (chunk.id,))
            connection.execute("UPDATE run SET spent = ? WHERE id = ?", (spent, self.run))

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
