"""The journal of a run: its rows, what is to be asked, and what has been sent and answered, in the store's file.

A row is an input, a task something to be asked once: rows with the same target share it. Before a request is sent its
task is marked, and again when its answer is written, so that after an end at any moment it is known what to send again.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface.errors import ConfigurationError, TargetError
from toolkit.interface.targets import parse_target
from toolkit.interface.text import shortened
from toolkit.runs.budget import Price
from toolkit.runs.holders import holder_name, is_held

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolkit.interface.calls import Call
    from toolkit.interface.errors import ToolkitError
    from toolkit.interface.models import Provenance
    from toolkit.interface.reading import Received
    from toolkit.runs.questions import Question
    from toolkit.store.answers import Store

__all__ = ["Entry", "Journal", "Standing", "State", "Task"]

_ROWS_AT_ONCE: Final = 5_000
_SHOWN_ERROR: Final = 1_000
#: Answers of an endpoint, newest first, of which its price is learnt.
_PRICED: Final = 500


class State(IntEnum):
    """Where a task stands."""

    WAITING = 0
    SENT = 1
    ANSWERED = 2
    STORED = 3
    FAILED = 4


@dataclass(frozen=True, slots=True)
class Task:
    """Something to be asked once: its number, which question, of what target, and the attempts so far."""

    id: int
    place: int
    target: str
    attempts: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How many tasks of a question are in which state; `fresh` and `stale` are stored answers for those to be done."""

    answered: int = 0
    stored: int = 0
    failed: int = 0
    fresh: int = 0
    stale: int = 0
    waiting: int = 0
    to_send: int = 0


class Journal:
    """One run in the file.

    Parameters
    ----------
    store : Store
        The file.
    questions : sequence of Question
        What is asked.
    services : sequence of str
        Whom each question asks.
    """

    def __init__(self, store: Store, questions: Sequence[Question], services: Sequence[str]) -> None:
        self.store = store
        self._database = store.database
        self.questions = questions
        self.services = services
        self._asked = [
            store.question_of(question.call("a.example"), service)
            for question, service in zip(questions, services, strict=True)
        ]
        self.run = 0
        self.rows = 0
        self.resumed = False

    # Opening ------------------------------------------------------------------------------------------------------

    def open(self, targets: Iterable[str]) -> None:
        """Read the inputs, and take up the unfinished run that had the same inputs and questions; else a new one."""
        self._sweep()
        with self._database.writing() as connection:
            cursor = connection.execute(
                "INSERT INTO run(digest, created_at, state, holder, held_at) VALUES ('', ?, 'reading', ?, ?)",
                (_now(), holder_name(), _now()),
            )
            run = int(cursor.lastrowid or 0)
            connection.executemany(
                "INSERT INTO asked VALUES (?, ?, ?)", [(run, place, asked) for place, asked in enumerate(self._asked)]
            )
        try:
            digest, self.rows = self._read(run, iter(targets))
        except BaseException:
            self._drop(run)
            raise
        with self._database.writing() as connection:
            [(earlier,)] = connection.execute(
                "SELECT max(id) FROM run WHERE digest = ? AND state = 'open'", (digest,)
            ).fetchall()
            if earlier is None:
                connection.execute(
                    "UPDATE run SET digest = ?, state = 'open', rows = ?, holder = NULL WHERE id = ?",
                    (digest, self.rows, run),
                )
        self.run = run if earlier is None else int(earlier)
        self.resumed = earlier is not None
        if self.resumed:
            self._drop(run)

    def _read(self, run: int, targets: Iterator[str]) -> tuple[str, int]:
        digest, position = hashlib.sha256(repr((self.services, self._asked)).encode()), 0
        while chunk := list(islice(targets, _ROWS_AT_ONCE)):
            rows: list[tuple[Any, ...]] = []
            tasks: dict[tuple[int, str], tuple[Any, ...]] = {}
            for given in chunk:
                encoded = given.encode("utf-8", "surrogatepass")
                digest.update(b"%d:%b" % (len(encoded), encoded))  # an input may hold any separator
                rows.append(self._row(run, position, given, tasks))
                position += 1
            with self._database.writing() as connection:
                connection.executemany("INSERT INTO row VALUES (?, ?, ?, ?, ?, ?)", rows)
                connection.executemany(
                    "INSERT OR IGNORE INTO task(run, place, subject, target) VALUES (?, ?, ?, ?)", tasks.values()
                )
        return digest.hexdigest(), position

    def _row(
        self, run: int, position: int, given: str, tasks: dict[tuple[int, str], tuple[Any, ...]]
    ) -> tuple[Any, ...]:
        try:
            target = parse_target(given)
        except TargetError as error:
            kept = given.encode("utf-8", "replace").decode()
            return (run, position, shortened(kept, _SHOWN_ERROR), None, None, shortened(str(error), _SHOWN_ERROR))
        for place, question in enumerate(self.questions):
            subject = question.subject(target)
            tasks.setdefault((place, subject), (run, place, subject, target.given))
        normal, domain = target.normal, target.domain
        # What is the same is not written twice.
        return (
            run,
            position,
            target.given,
            None if normal == target.given else normal,
            None if domain == normal else domain,
            None,
        )

    def first(self) -> int:
        """Return the number before that of the first task."""
        [(first,)] = self._database.read("SELECT min(id) FROM task WHERE run = ?", (self.run,))
        return int(first or 1) - 1

    def hold(self) -> None:
        """Take the run for this process: two at a time would send, and pay, everything twice.

        Raises
        ------
        ConfigurationError
            If another process, or another `Run` in this one, is at it.
        """
        with self._database.writing() as connection:
            [(holder, held_at)] = connection.execute(
                "SELECT holder, held_at FROM run WHERE id = ?", (self.run,)
            ).fetchall()
            if self.run in _ACTIVE.get(str(self.store.path.resolve()), ()) or is_held(holder, held_at, _now()):
                raise ConfigurationError(
                    f"This run is under way already in process {holder}. Wait for it, or stop it there; then ask again."
                )
            connection.execute("UPDATE run SET holder = ?, held_at = ? WHERE id = ?", (holder_name(), _now(), self.run))
        _ACTIVE.setdefault(str(self.store.path.resolve()), set()).add(self.run)

    def let_go(self) -> None:
        """Give the run free for others."""
        _ACTIVE.get(str(self.store.path.resolve()), set()).discard(self.run)
        with self._database.writing() as connection:
            connection.execute("UPDATE run SET holder = NULL WHERE id = ?", (self.run,))

    def _sweep(self) -> None:
        """Delete what runs that ended while they read their inputs left behind."""
        for run, holder, held_at in self._database.read("SELECT id, holder, held_at FROM run WHERE state = 'reading'"):
            if not is_held(holder, held_at, _now()) and holder != holder_name():
                self._drop(run)

    def _drop(self, run: int) -> None:
        with self._database.writing() as connection:
            for table in ("row", "task", "asked"):
                connection.execute(f"DELETE FROM {table} WHERE run = ?", (run,))  # noqa: S608 - names of this module
            connection.execute("DELETE FROM run WHERE id = ?", (run,))

    # Planning -----------------------------------------------------------------------------------------------------

    def standing(self, place: int, *, stale: bool, refresh: bool) -> Standing:
        """Count where the tasks of a question stand, and what stored answers there are for those to be done."""
        counts = dict(
            self._database.read(
                "SELECT state, count(*) FROM task WHERE run = ? AND place = ? GROUP BY state", (self.run, place)
            )
        )
        fresh, old = (0, 0) if refresh else self._usable(place)
        to_do = counts.get(State.WAITING, 0) + counts.get(State.SENT, 0)
        return Standing(
            answered=counts.get(State.ANSWERED, 0),
            stored=counts.get(State.STORED, 0),
            failed=counts.get(State.FAILED, 0),
            fresh=fresh,
            stale=old,
            waiting=to_do,
            to_send=to_do - fresh - (old if stale else 0),
        )

    def _usable(self, place: int) -> tuple[int, int]:
        [(fresh, old)] = self._database.read(
            "SELECT count(CASE WHEN last / 1000 >= CASE last % 1000 WHEN 200 THEN ? ELSE ? END THEN 1 END), "
            "count(CASE WHEN last / 1000 < CASE last % 1000 WHEN 200 THEN ? ELSE ? END THEN 1 END) FROM ("
            "SELECT (SELECT max(fetched_at * 1000 + status) FROM answer a WHERE a.question = ? "
            "AND a.subject = t.subject) AS last FROM task t WHERE t.run = ? AND t.place = ? AND t.state IN (0, 1))",
            (*self._cutoffs(place), *self._cutoffs(place), self._asked[place], self.run, place),
        )
        return int(fresh), int(old)

    def _cutoffs(self, place: int) -> tuple[int, int]:
        """Return since when answers and failures of a question are fresh, in microseconds."""
        now, endpoint = _now(), self.questions[place].endpoint
        return tuple(  # type: ignore[return-value]  # of two
            now - round(1e6 * self.store.fresh.limit(endpoint, status).total_seconds()) for status in (200, 410)
        )

    def use_stored(self, place: int, *, stale: bool) -> int:
        """Give tasks of a question their stored answers, and return how many had one: fresh ones, or of any age."""
        answers, failures = (0, 0) if stale else self._cutoffs(place)
        with self._database.writing() as connection:
            cursor = connection.execute(
                "UPDATE task SET state = 3, status = found.status, answer = found.id FROM ("
                "SELECT t.id AS task, a.id AS id, a.status AS status, max(a.fetched_at) AS fetched_at FROM task t "
                "JOIN answer a ON a.question = ? AND a.subject = t.subject "
                "WHERE t.run = ? AND t.place = ? AND t.state IN (0, 1) GROUP BY t.id"
                ") AS found WHERE task.id = found.task "
                "AND found.fetched_at >= CASE found.status WHEN 200 THEN ? ELSE ? END",
                (self._asked[place], self.run, place, answers, failures),
            )
        return cursor.rowcount

    def settle_uncertain(self, prices: Mapping[str, int]) -> int:
        """Count the requests whose answer never came to the file as charged, once, and let their tasks wait again.

        Parameters
        ----------
        prices : mapping of str to int
            Credits that an answer of an endpoint costs; nothing is counted where that is unknown.

        Returns
        -------
        int
            How many there were: an earlier process ended while they were under way.
        """
        with self._database.writing() as connection:
            lost = connection.execute(
                "SELECT place, count(*) FROM task WHERE run = ? AND state = 1 GROUP BY place", (self.run,)
            ).fetchall()
            cost = sum(count * prices.get(self.questions[place].endpoint, 0) for place, count in lost)
            connection.execute("UPDATE run SET spent = spent + ? WHERE id = ?", (cost, self.run))
            connection.execute("UPDATE task SET state = 0 WHERE run = ? AND state = 1", (self.run,))
        return sum(count for _, count in lost)

    def price(self, place: int) -> Price | None:
        """Return what answers to a question cost so far; None where none states it."""
        [(low, mean, high)] = self._database.read(
            "SELECT min(credits), avg(credits), max(credits) FROM (SELECT credits FROM answer WHERE question = ? "
            "AND status = 200 AND credits IS NOT NULL ORDER BY id DESC LIMIT ?)",
            (self._asked[place], _PRICED),
        )
        return None if low is None else Price(int(low), float(mean), int(high))

    def rate(self) -> float | None:
        """Return the answers a second of the last runs that asked the same service; None where there was none."""
        [(sent, seconds)] = self._database.read(
            "SELECT sum(sent), sum(seconds) FROM (SELECT sent, seconds FROM run r WHERE sent > 0 AND EXISTS ("
            "SELECT 1 FROM asked k JOIN question q ON q.id = k.question WHERE k.run = r.id AND q.service = ?) "
            "ORDER BY id DESC LIMIT 3)",
            (self.services[0],),
        )
        return sent / seconds if seconds else None

    def spent(self) -> int:
        """Return the credits that the run has spent so far."""
        [(spent,)] = self._database.read("SELECT spent FROM run WHERE id = ?", (self.run,))
        return int(spent)

    def remaining(self) -> int | None:
        """Return the credits that were left when the service last said so."""
        found = self._database.read("SELECT remaining_credits FROM account WHERE service = ?", (self.services[0],))
        return found[0][0] if found else None

    # Running ------------------------------------------------------------------------------------------------------

    def waiting(self, after: int, most: int) -> list[Task]:
        """Return the next tasks to be done, in the order of the inputs, beginning after a number."""
        rows = self._database.read(
            "SELECT id, place, target, attempts FROM task WHERE run = ? AND id > ? AND state IN (0, 1) "
            "ORDER BY id LIMIT ?",
            (self.run, after, most),
        )
        return [Task(*row) for row in rows]

    def send(self, tasks: Sequence[Task]) -> None:
        """Mark tasks as sent: they are about to be."""
        now = _now()
        with self._database.writing() as connection:
            connection.executemany(
                "UPDATE task SET state = 1, attempts = attempts + 1, sent_at = ? WHERE id = ?",
                [(now, task.id) for task in tasks],
            )

    def unsend(self, tasks: Sequence[Task]) -> None:
        """Mark tasks as waiting: it is known that they are not under way."""
        with self._database.writing() as connection:
            connection.executemany(
                "UPDATE task SET state = 0 WHERE id = ? AND state = 1", [(task.id,) for task in tasks]
            )

    def record(self, entries: Sequence[Entry], *, spent: int, sent: int, seconds: float) -> None:
        """Write what came of tasks, all in one transaction, and where the run stands."""
        with self._database.writing() as connection:
            for entry in entries:
                answer = None
                if entry.received is not None and entry.call is not None and entry.source is not None:
                    asked = self._asked[entry.task.place]
                    answer = self.store.insert(
                        connection, asked, entry.call, entry.received, entry.source, entry.status or 0
                    )
                connection.execute(
                    "UPDATE task SET state = ?, answer = ?, status = ?, error = ? WHERE id = ?",
                    (entry.state, answer, entry.status, entry.error, entry.task.id),
                )
            connection.execute(
                "UPDATE run SET spent = ?, sent = sent + ?, seconds = seconds + ?, held_at = ? WHERE id = ?",
                (spent, sent, seconds, _now(), self.run),
            )

    def note_account(self, total: int | None, remaining: int | None) -> None:
        """Write how many credits are left, as the service has last said."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO account VALUES (?, ?, ?, ?) ON CONFLICT(service) DO UPDATE SET "
                "total_credits = coalesce(excluded.total_credits, total_credits), "
                "remaining_credits = excluded.remaining_credits, seen_at = excluded.seen_at",
                (self.services[0], total, remaining, _now()),
            )

    def finish(self) -> None:
        """Mark the run as finished: nothing is to be done any more."""
        with self._database.writing() as connection:
            connection.execute("UPDATE run SET state = 'finished' WHERE id = ?", (self.run,))

    def retry(self, statuses: Sequence[int | None] | None) -> int:
        """Let failed tasks wait again, and return how many: those with these statuses, or all."""
        chosen, values = "", []
        if statuses is not None:
            known = [status for status in statuses if status is not None]
            chosen = (
                f" AND (status IN ({', '.join('?' * len(known))}){' OR status IS NULL' if None in statuses else ''})"
            )
            values = known
        with self._database.writing() as connection:
            cursor = connection.execute(
                "UPDATE task SET state = 0, attempts = 0, error = NULL, status = NULL "  # noqa: S608 - marks alone
                f"WHERE run = ? AND state = 4{chosen}",
                (self.run, *values),
            )
            connection.execute("UPDATE run SET state = 'open' WHERE id = ?", (self.run,))
        return cursor.rowcount

    # Results ------------------------------------------------------------------------------------------------------

    def results(self, place: int, first: int = 0, last: int | None = None) -> Iterator[tuple[Any, ...]]:
        """Yield a tuple a row of the input, in order, for one question.

        Each is position, given, normal, problem, state, status, error, request_id, vocab_version, fetched_at
        (microseconds), credits, normal of the answer, media type, packed, body.
        """
        subject = "coalesce(r.domain, r.normal, r.given)" if self.questions[place].about_domain else _NORMAL
        return self._database.stream(
            f"SELECT r.position, r.given, {_NORMAL}, r.problem, t.state, t.status, t.error, a.request_id, "  # noqa: S608 - columns of this module
            "a.vocab_version, a.fetched_at, a.credits, a.normal, a.media, a.packed, a.body FROM row r "
            f"LEFT JOIN task t ON t.run = r.run AND t.place = ? AND r.problem IS NULL AND t.subject = {subject} "
            "LEFT JOIN answer a ON a.id = t.answer WHERE r.run = ? AND r.position >= ? AND r.position < ? "
            "ORDER BY r.position",
            (place, self.run, first, self.rows if last is None else last),
        )

    def failures(self) -> dict[str, int]:
        """Return how many tasks failed or could not be read, by status and endpoint."""
        rows = self._database.read(
            "SELECT place, status, count(*) FROM task WHERE run = ? AND (state = 4 OR status IN (410, 411)) "
            "GROUP BY place, status",
            (self.run,),
        )
        return {f"{self.questions[place].endpoint} {status or 'no answer'}": count for place, status, count in rows}

    def problems(self) -> int:
        """Return the number of rows that are no target."""
        [(count,)] = self._database.read("SELECT count(*) FROM row WHERE run = ? AND problem IS NOT NULL", (self.run,))
        return int(count)


#: Runs that this process is at, by file.
_ACTIVE: Final[dict[str, set[int]]] = {}


def _now() -> int:
    return time.time_ns() // 1000


_NORMAL: Final = "coalesce(r.normal, r.given)"


@dataclass(frozen=True, slots=True)
class Entry:
    """What came of a task, to be written."""

    task: Task
    state: State
    status: int | None = None
    error: str | None = None
    call: Call | None = None
    received: Received | None = None
    source: Provenance | None = None
    problem: ToolkitError | None = None
