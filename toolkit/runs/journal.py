"""The journal of a run: its rows, what is to be asked, and what has been sent and answered, in the store's file.

A row is an input, a task something to be asked once: rows with the same target share it. Before a request is sent its
task is marked, and again when its answer is written, so that after an end at any moment it is known what to send again.
"""

from __future__ import annotations

import hashlib
import os
import re
import socket
import time
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from itertools import count, islice, starmap
from typing import TYPE_CHECKING, Any, Final

from toolkit.files.unpacking import UnpackingError, unpacked
from toolkit.interface.errors import ConfigurationError, InputError, TargetError
from toolkit.interface.reading import Received, is_usable
from toolkit.interface.targets import parse_target
from toolkit.interface.text import shortened
from toolkit.runs.budget import Price
from toolkit.runs.counts import counts_of_run
from toolkit.runs.keeping import check_service, is_fresh, taken
from toolkit.runs.tasks import Row, State, Task

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from hashlib import _Hash as _Digest

    from toolkit.interface.calls import Question
    from toolkit.interface.errors import ToolkitError
    from toolkit.net.cache import Window
    from toolkit.runs.budget import Budget
    from toolkit.runs.counts import Counts
    from toolkit.runs.keeping import Keeping
    from toolkit.runs.tasks import Entry
    from toolkit.store.answers import Store

__all__ = ["Journal", "Standing", "drop", "is_under_way", "kind_of", "now"]

_ROWS_AT_ONCE: Final = 5_000
_SHOWN_ERROR: Final = 1_000
#: Microseconds after which a process of another machine that was not heard of is taken to have ended.
_SILENT: Final = 120_000_000
#: Microseconds after which a plan that was never carried out is forgotten.
_UNUSED: Final = 86_400_000_000
#: Answers of an endpoint, newest first, of which its price is learnt.
_PRICED: Final = 500
_NORMAL: Final = "coalesce(r.normal, r.given)"
#: What `Journal._judge` makes known to SQLite.
_USABLE: Final = "(a.status != 200 OR is_answer(a.target, a.http_status, a.media, a.packed, a.body))"
_UNSAFE: Final = re.compile(r"[^\w.-]+")
_LONGEST_BASE: Final = 40
_NO_ANSWER: Final = "What an earlier version kept as its answer is none. Start the run again to ask anew."
#: Runs that this process is at, by file.
_ACTIVE: Final[dict[str, set[int]]] = {}


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
    total: int = 0

    @classmethod
    def sum(cls, standings: Iterable[Standing]) -> Standing:
        """Return the tasks of several questions together."""
        return cls(*map(sum, zip(*map(astuple, standings), strict=True)))


class Journal:
    """One run in the file.

    `kind` says what sends: a run of the same inputs with another sender is another run, as what is under way differs.
    """

    def __init__(
        self,
        store: Store,
        questions: Sequence[Question],
        services: Sequence[str],
        kind: str = "",
        keeping: Keeping | None = None,
    ) -> None:
        self.store = store
        self._database = store.database
        self.questions = questions
        self.services = services
        self._asked = [
            store.question_of(service, question.endpoint, question.parameters)
            for question, service in zip(questions, services, strict=True)
        ]
        self._kind = kind
        self._keeping = keeping
        #: Under which the run is kept, once it has begun.
        self.name: str | None = None
        self._file = str(store.database.path.resolve())
        self.run = 0
        #: The number before that of the first task, once it has begun.
        self.before = 0
        self.rows = 0
        self.resumed = False

    # Opening ------------------------------------------------------------------------------------------------------

    def open(self, targets: Iterable[str]) -> None:
        """Read the inputs, and take up the unfinished run that had the same inputs and questions; else a new one."""
        digest = hashlib.sha256(repr((self.services, self._asked)).encode())
        chunks = self._read(iter(targets), digest)
        # The first before anything is written: it may be all there is, and then it is one transaction.
        rows, tasks, is_last = next(chunks)
        with self._database.writing() as connection:
            self._sweep(connection)
            cursor = connection.execute(
                "INSERT INTO run(digest, created_at, state, holder, held_at) VALUES ('', ?, 'reading', ?, ?)",
                (now(), _own_name(), now()),
            )
            self.run = int(cursor.lastrowid or 0)
            connection.executemany(
                "INSERT INTO asked VALUES (?, ?, ?)",
                [(self.run, place, asked) for place, asked in enumerate(self._asked)],
            )
            self._add(connection, rows, tasks)
            if is_last:
                self._opened(connection, digest.hexdigest())
        if is_last:
            return
        own = self.run
        try:
            for rows, tasks, is_last in chunks:
                with self._database.writing() as connection:
                    self._add(connection, rows, tasks)
                    if is_last:
                        self._opened(connection, digest.hexdigest())
        except BaseException:
            with self._database.writing() as connection:
                drop(connection, own)
            raise

    def _read(
        self, targets: Iterator[str], digest: _Digest
    ) -> Iterator[tuple[list[tuple[Any, ...]], list[tuple[Any, ...]], bool]]:
        """Yield rows and tasks of the inputs, some thousand at a time, and whether these are the last."""
        self.rows = 0
        is_last = False
        while not is_last:
            chunk = list(islice(targets, _ROWS_AT_ONCE))
            is_last = len(chunk) < _ROWS_AT_ONCE
            rows: list[tuple[Any, ...]] = []
            tasks: dict[tuple[int, str], tuple[Any, ...]] = {}
            for given in chunk:
                encoded = given.encode("utf-8", "surrogatepass")
                digest.update(b"%d:%b" % (len(encoded), encoded))  # an input may hold any separator
                rows.append(self._row(given, tasks))
                self.rows += 1
            yield rows, list(tasks.values()), is_last

    def _row(self, given: str, tasks: dict[tuple[int, str], tuple[Any, ...]]) -> tuple[Any, ...]:
        position = self.rows
        try:
            target = parse_target(given)
        except TargetError as error:
            kept = given.encode("utf-8", "replace").decode()
            return (position, shortened(kept, _SHOWN_ERROR), None, None, shortened(str(error), _SHOWN_ERROR))
        normal, domain = target.normal, target.site
        for place, question in enumerate(self.questions):
            subject = domain if question.about_domain else normal
            tasks.setdefault((place, subject), (place, subject, target.given, position))
        # What is the same is not written twice.
        return (
            position,
            target.given,
            None if normal == target.given else normal,
            None if domain == normal else domain,
            None,
        )

    def _add(self, connection: sqlite3.Connection, rows: list[tuple[Any, ...]], tasks: list[tuple[Any, ...]]) -> None:
        connection.executemany(f"INSERT INTO row VALUES ({self.run}, ?, ?, ?, ?, ?)", rows)  # noqa: S608 - a number
        connection.executemany(
            f"INSERT OR IGNORE INTO task(run, place, subject, target, first) VALUES ({self.run}, ?, ?, ?, ?)",  # noqa: S608 - as above
            tasks,
        )

    def _opened(self, connection: sqlite3.Connection, digest: str) -> None:
        """Give the run that was read its mark, or drop it for the unfinished one that has the same."""
        mark = f"{self._kind}:{digest}" if self._kind else digest
        earlier = self._earlier(connection, mark)
        if earlier is not None:
            drop(connection, self.run)
            self._go_on_with(connection, earlier)
            return
        connection.execute(
            "UPDATE run SET digest = ?, state = 'open', rows = ?, holder = NULL WHERE id = ?",
            (mark, self.rows, self.run),
        )

    def open_kept(self, run: int) -> None:
        """Take up a run that is kept, by its number."""
        with self._database.writing() as connection:
            [(self.rows,)] = connection.execute("SELECT rows FROM run WHERE id = ?", (run,)).fetchall()
            check_service(connection, run, self.services)
            self._go_on_with(connection, run)

    def _earlier(self, connection: sqlite3.Connection, mark: str) -> int | None:
        """Return the run to go on with: of the name that was given, or of the same inputs and questions."""
        keeping = self._keeping
        if keeping is not None and keeping.name is not None:
            named = "SELECT run, digest FROM kept JOIN run ON id = run WHERE name = ?"
            for run, digest in connection.execute(named, (keeping.name,)).fetchall():
                if digest != mark:
                    raise InputError(taken(keeping.name))
                return int(run)
        given = None if keeping is None else keeping.name
        [(unfinished,)] = connection.execute(
            "SELECT max(id) FROM run WHERE digest = ?1 AND state = 'open' AND "
            "(?2 IS NULL OR NOT EXISTS (SELECT 1 FROM kept WHERE run = id))",
            (mark, given),
        ).fetchall()
        if unfinished is not None or keeping is None or given is not None or keeping.windows is None:
            return None if unfinished is None else int(unfinished)
        finished = "SELECT max(id) FROM run JOIN kept ON run = id WHERE digest = ? AND state = 'finished'"
        [(run,)] = connection.execute(finished, (mark,)).fetchall()
        return None if run is None or not is_fresh(connection, run, keeping.windows()) else int(run)

    def _go_on_with(self, connection: sqlite3.Connection, run: int) -> None:
        self.run, self.resumed = run, True
        self.name = self._name_of(connection)
        for place in range(len(self.questions)):
            self._ask_again(connection, place)

    def _name_of(self, connection: sqlite3.Connection) -> str | None:
        found = connection.execute("SELECT name FROM kept WHERE run = ?", (self.run,)).fetchall()
        return found[0][0] if found else None

    def _ask_again(self, connection: sqlite3.Connection, place: int) -> None:
        """Let the tasks wait again whose answers are errors, as bodies are read today."""
        self._judge(connection, place)
        connection.execute(
            "UPDATE task SET state = 0, answer = NULL, status = NULL, error = ?, kind = NULL, batch = NULL WHERE id IN "  # noqa: S608 - words of this module
            "(SELECT t.id FROM task t JOIN answer a ON a.id = t.answer WHERE t.run = ? AND t.place = ? "
            f"AND t.state IN (2, 3) AND NOT {_USABLE})",
            (_NO_ANSWER, self.run, place),
        )

    def _judge(self, connection: sqlite3.Connection, place: int) -> None:
        """Make known to SQLite what an answer to a question is."""
        question = self.questions[place]

        def is_answer(target: str, http_status: int, media: str, packed: int, body: bytes) -> bool:
            try:
                body = unpacked(body) if packed else body
            except UnpackingError:  # which is said where it is read
                return True
            return is_usable(question.call(target), 200, Received(http_status, {"content-type": media}, body))

        connection.create_function("is_answer", 5, is_answer, deterministic=True)

    def _sweep(self, connection: sqlite3.Connection) -> None:
        """Delete what runs that ended while they read their inputs left behind."""
        # What was planned long ago and never begun has nothing that could be lost.
        unused = (
            "SELECT id FROM run r WHERE state = 'open' AND sent = 0 AND created_at < ? AND NOT EXISTS "
            "(SELECT 1 FROM kept WHERE run = r.id) AND NOT EXISTS (SELECT 1 FROM task WHERE run = r.id AND state != 0)"
        )
        for (run,) in connection.execute(unused, (now() - _UNUSED,)).fetchall():
            drop(connection, run)
        reading = connection.execute("SELECT id, holder, held_at FROM run WHERE state = 'reading'").fetchall()
        for run, holder, held_at in reading:
            if not _is_held(holder, held_at) and holder != _own_name():
                drop(connection, run)

    # Beginning ----------------------------------------------------------------------------------------------------

    def count(self, budget: Budget) -> None:
        """Count into a budget what the run has spent, and teach it what answers cost."""
        with self._database.reading() as connection:
            self._count(connection, budget)

    def _count(self, connection: sqlite3.Connection, budget: Budget) -> None:
        for place, question in enumerate(self.questions):
            if (price := self._price(connection, place)) is not None:
                budget.learn({question.endpoint: price})
        [(budget.spent,)] = connection.execute("SELECT spent FROM run WHERE id = ?", (self.run,)).fetchall()

    @property
    def is_elsewhere(self) -> bool | None:
        """Whether another process is at the run: True on another machine, False on this one, None where nobody is."""
        [(holder, held_at)] = self._database.read("SELECT holder, held_at FROM run WHERE id = ?", (self.run,))
        return None if not _is_held(holder, held_at) else not holder.startswith(f"{socket.gethostname()}:")

    def begin(self, budget: Budget, windows: Sequence[Window | None]) -> Standing:
        """Take the run for this process, give its tasks the stored answers, and return where they stand then.

        Two at a time would send, and pay, everything twice.
        """
        with self._database.writing() as connection:
            self._take(connection)
            self._keep(connection)
            self._count(connection, budget)
            budget.spent += self._settle_uncertain(connection, budget.prices)
            for place, window in enumerate(windows):
                self._use_stored(connection, place, window)
            standing = Standing.sum([self._standing(connection, place, None) for place in range(len(self.questions))])
            [(first,)] = connection.execute("SELECT min(id) FROM task WHERE run = ?", (self.run,)).fetchall()
        self.before = (first or 1) - 1
        _ACTIVE.setdefault(self._file, set()).add(self.run)
        return standing

    def _take(self, connection: sqlite3.Connection) -> None:
        [(holder, held_at)] = connection.execute("SELECT holder, held_at FROM run WHERE id = ?", (self.run,)).fetchall()
        if self.run in _ACTIVE.get(self._file, ()) or _is_held(holder, held_at):
            raise ConfigurationError(
                f"This run is under way already in process {holder}. Wait for it, or stop it there; then ask again."
            )
        connection.execute("UPDATE run SET holder = ?, held_at = ? WHERE id = ?", (_own_name(), now(), self.run))

    def _keep(self, connection: sqlite3.Connection) -> None:
        """Give the run its name: the one that was given, else of its file or first site and the day."""
        keeping = self._keeping
        # Another process may have begun it since it was opened.
        self.name = self._name_of(connection)
        if keeping is None or self.name is not None:
            return
        names = {name for (name,) in connection.execute("SELECT lower(name) FROM kept")}
        if keeping.name is not None and keeping.name.lower() in names:
            raise InputError(taken(keeping.name))
        first = "SELECT coalesce(domain, normal, given) FROM row WHERE run = ? AND problem IS NULL LIMIT 1"
        base = keeping.source or next((site for (site,) in connection.execute(first, (self.run,))), "")
        base = _UNSAFE.sub("-", base)[:_LONGEST_BASE].strip("-._") or "run"
        dated = f"{base}-{datetime.now(UTC).astimezone():%Y-%m-%d}"
        numbered = (dated if number == 1 else f"{dated}-{number}" for number in count(1))
        self.name = keeping.name or next(name for name in numbered if name.lower() not in names)
        connection.execute("INSERT INTO kept VALUES (?, ?, ?, ?)", (self.run, self.name, keeping.source, keeping.asked))

    def let_go(self, remaining: int | None = None, *, reason: str = "") -> None:
        """Give the run free for others: finished if nothing is left to be done, and nothing stopped it."""
        _ACTIVE.get(self._file, set()).discard(self.run)
        with self._database.writing() as connection:
            connection.execute("UPDATE run SET holder = NULL WHERE id = ?", (self.run,))
            if remaining is not None:
                connection.execute(
                    "INSERT INTO account VALUES (?, NULL, ?, ?) ON CONFLICT(service) DO UPDATE SET "
                    "remaining_credits = excluded.remaining_credits, seen_at = excluded.seen_at",
                    (self.services[0], remaining, now()),
                )
            if not reason:
                connection.execute(
                    "UPDATE run SET state = 'finished' WHERE id = ?1 AND NOT EXISTS "
                    "(SELECT 1 FROM task WHERE run = ?1 AND state IN (0, 1))",
                    (self.run,),
                )

    # Planning -----------------------------------------------------------------------------------------------------

    def standing(self, windows: Sequence[Window | None]) -> tuple[Standing, ...]:
        """Count where the tasks of each question stand, and what stored answers there are for those to be done."""
        with self._database.reading() as connection:
            return tuple(self._standing(connection, place, window) for place, window in enumerate(windows))

    def _standing(self, connection: sqlite3.Connection, place: int, window: Window | None) -> Standing:
        counts: dict[int, int] = dict(
            connection.execute(
                "SELECT state, count(*) FROM task WHERE run = ? AND place = ? GROUP BY state", (self.run, place)
            ).fetchall()
        )
        to_do = counts.get(State.WAITING, 0) + counts.get(State.SENT, 0)
        fresh = old = 0
        if window is not None and to_do:
            self._judge(connection, place)
            [(fresh, old)] = connection.execute(
                "SELECT total(last / 1000 >= CASE last % 1000 WHEN 200 THEN ?1 ELSE ?2 END), "  # noqa: S608 - words of this module
                "total(last / 1000 < CASE last % 1000 WHEN 200 THEN ?1 ELSE ?2 END) FROM ("
                "SELECT (SELECT max(fetched_at * 1000 + status) FROM answer a WHERE a.question = ?3 "
                f"AND a.subject = t.subject AND a.fetched_at <= ?4 AND {_USABLE}) AS last FROM task t "
                "WHERE t.run = ?5 AND t.place = ?6 AND t.state IN (0, 1))",
                (window.answers, window.failures, self._asked[place], window.until, self.run, place),
            ).fetchall()
        return Standing(
            answered=counts.get(State.ANSWERED, 0),
            stored=counts.get(State.STORED, 0),
            failed=counts.get(State.FAILED, 0),
            fresh=int(fresh),
            stale=int(old),
            waiting=to_do,
            to_send=to_do - int(fresh),
            total=sum(counts.values()),
        )

    def _use_stored(self, connection: sqlite3.Connection, place: int, window: Window | None) -> None:
        """Give tasks of a question their stored answers: the newest of the window."""
        if window is None:
            return
        self._judge(connection, place)
        # The order of the join is said: every answer of the file would be judged, however few are asked for.
        connection.execute(
            "UPDATE task SET state = 3, status = found.status, error = NULL, answer = found.id FROM ("  # noqa: S608 - words of this module
            "SELECT t.id AS task, a.id AS id, a.status AS status, max(a.fetched_at) AS fetched_at FROM task t "
            f"CROSS JOIN answer a ON a.question = ? AND a.subject = t.subject AND a.fetched_at <= ? AND {_USABLE} "
            "WHERE t.run = ? AND t.place = ? AND t.state IN (0, 1) GROUP BY t.id"
            ") AS found WHERE task.id = found.task "
            "AND found.fetched_at >= CASE found.status WHEN 200 THEN ? ELSE ? END",
            (self._asked[place], window.until, self.run, place, window.answers, window.failures),
        )

    def _settle_uncertain(self, connection: sqlite3.Connection, prices: Mapping[str, int]) -> int:
        """Count the requests whose answer never came to the file as charged, once, and let their tasks wait again.

        An earlier process ended while they were under way. Nothing is counted where a price is unknown.
        """
        lost = connection.execute(
            "SELECT place, count(*) FROM task WHERE run = ? AND state = 1 AND batch IS NULL GROUP BY place", (self.run,)
        ).fetchall()
        cost: int = sum(count * prices.get(self.questions[place].endpoint, 0) for place, count in lost)
        connection.execute("UPDATE run SET spent = spent + ? WHERE id = ?", (cost, self.run))
        connection.execute("UPDATE task SET state = 0 WHERE run = ? AND state = 1 AND batch IS NULL", (self.run,))
        return cost

    def price(self, place: int) -> Price | None:
        """Return what answers to a question cost so far; None where none states it."""
        with self._database.reading() as connection:
            return self._price(connection, place)

    def _price(self, connection: sqlite3.Connection, place: int) -> Price | None:
        [(low, mean, high)] = connection.execute(
            "SELECT min(credits), avg(credits), max(credits) FROM (SELECT credits FROM answer WHERE question = ? "
            "AND status = 200 AND credits IS NOT NULL ORDER BY id DESC LIMIT ?)",
            (self._asked[place], _PRICED),
        ).fetchall()
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
        return list(starmap(Task, rows))

    def send(self, tasks: Sequence[Task]) -> None:
        """Mark tasks as sent: they are about to be."""
        marks = [(now(), task.id) for task in tasks]
        with self._database.writing() as connection:
            connection.executemany(
                "UPDATE task SET state = 1, attempts = attempts + 1, sent_at = ? WHERE id = ?", marks
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
                    "UPDATE task SET state = ?, answer = ?, status = ?, error = ?, kind = ? WHERE id = ?",
                    (entry.state, answer, entry.status, entry.error, kind_of(entry.problem), entry.task.id),
                )
            connection.execute(
                "UPDATE run SET spent = ?, sent = sent + ?, seconds = seconds + ?, held_at = ? WHERE id = ?",
                (spent, sent, seconds, now(), self.run),
            )

    def note(self, places: Iterable[int], status: int | None, words: str, kind: str | None = None) -> None:
        """Write why tasks of some questions wait: the same call goes on with them."""
        with self._database.writing() as connection:
            connection.executemany(
                "UPDATE task SET status = ?, error = ?, kind = ? WHERE run = ? AND place = ? AND state IN (0, 1)",
                [(status, words, kind, self.run, place) for place in places],
            )

    def retry(self) -> None:
        """Let failed tasks wait again."""
        with self._database.writing() as connection:
            self._take(connection)
            connection.execute(
                "UPDATE task SET state = 0, attempts = 0, error = NULL, status = NULL WHERE run = ? AND state = 4",
                (self.run,),
            )
            connection.execute("UPDATE run SET state = 'open', holder = NULL WHERE id = ?", (self.run,))

    # Results ------------------------------------------------------------------------------------------------------

    def results(self, place: int, first: int = 0, last: int | None = None, *, once: bool = False) -> Iterator[Row]:
        """Yield the rows of the input, in order, for one question; `once` leaves out further rows of a task."""
        subject = "coalesce(r.domain, r.normal, r.given)" if self.questions[place].about_domain else _NORMAL
        found = self._database.stream(
            f"SELECT r.position, r.given, {_NORMAL}, r.problem, t.state, t.status, t.error, a.request_id, "  # noqa: S608 - columns of this module
            "a.vocab_version, a.fetched_at, "
            "CASE WHEN t.state = 2 AND coalesce(t.first, r.position) = r.position THEN a.credits ELSE 0 END, "
            "a.normal, t.kind, a.media, a.packed, a.body FROM row r "
            f"LEFT JOIN task t ON t.run = r.run AND t.place = ? AND r.problem IS NULL AND t.subject = {subject} "
            "LEFT JOIN answer a ON a.id = t.answer WHERE r.run = ? AND r.position >= ? AND r.position < ? "
            f"{'AND coalesce(t.first, r.position) = r.position ' if once else ''}"
            "ORDER BY r.position",
            (place, self.run, first, self.rows if last is None else last),
        )
        return map(Row._make, found)

    def without_answer(self) -> dict[str, int]:
        """Return how many tasks failed or could not be read, by status and endpoint."""
        rows = self._database.read(
            "SELECT place, status, count(*) FROM task WHERE run = ? AND (state = 4 OR status IN (410, 411)) "
            "GROUP BY place, status",
            (self.run,),
        )
        return {f"{self.questions[place].endpoint} {status or 'no answer'}": count for place, status, count in rows}

    def counts(self, *, is_begun: bool = True) -> Counts:
        """Return how many sites there are and what came of them; `is_begun` is as of `counts_of_run`."""
        about_domain = [question.about_domain for question in self.questions]
        return counts_of_run(self._database, self.run, about_domain, is_begun=is_begun)


def kind_of(problem: ToolkitError | None) -> str | None:
    """Return the name of an error's class, of those that are known outside the package."""
    if problem is None:
        return None
    return next(kind.__name__ for kind in type(problem).mro() if not kind.__name__.startswith("_"))


def now() -> int:
    """Return the time in microseconds since 1970."""
    return time.time_ns() // 1000


def is_under_way(store: Store, run: int, holder: str | None, held_at: int | None) -> bool:
    """Tell whether a run is being sent, here or by another process."""
    return run in _ACTIVE.get(str(store.database.path.resolve()), ()) or _is_held(holder, held_at)


def drop(connection: sqlite3.Connection, run: int) -> None:
    """Delete a run, but for its answers."""
    for table in ("row", "task", "asked", "batch", "kept", "own_table"):
        connection.execute(f"DELETE FROM {table} WHERE run = ?", (run,))  # noqa: S608 - names of this module
    connection.execute("DELETE FROM run WHERE id = ?", (run,))


def _own_name() -> str:
    """Return this process's name in the file: the machine and the number of the process."""
    return f"{socket.gethostname()}:{os.getpid()}"


def _is_held(holder: str | None, held_at: int | None) -> bool:
    """Tell whether a process is still at a run: one of this machine if it lives, another one if it was heard of."""
    if holder is None or holder == _own_name():
        return False
    machine, _, number = holder.rpartition(":")
    if machine != socket.gethostname() or os.name == "nt":  # there a signal of 0 would end it
        return now() - (held_at or 0) < _SILENT
    try:
        os.kill(int(number), 0)
    except OSError as error:
        return not isinstance(error, ProcessLookupError)
    return True
