"""The database of the service: what must outlive its process, be it killed at any moment."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import weakref
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from toolkit.files.sqlite import Kind, SqliteFile, Trouble, make_private, transaction
from toolkit.interface.errors import ConfigurationError
from toolkit.service.accounts.records import Batch, Delivery, Submission, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolkit.service.accounts.records import Item

__all__ = ["Ledger"]

#: Seconds to wait for one who looks into the file, and for a service before this one to end.
_PATIENCE: Final = 1.0
#: Seconds after which a write that the disk refused is tried again.
_PAUSE: Final = 10.0
_KEPT_BATCHES: Final = 1_000
_KEPT_DELIVERIES: Final = 1_000
_TABLES: Final = """
CREATE TABLE accounts(
    digest TEXT PRIMARY KEY,
    month TEXT NOT NULL,
    used_this_month INTEGER NOT NULL,
    credits_used INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE batches(
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    domains TEXT NOT NULL,
    results_url TEXT NOT NULL,
    webhook_url TEXT,
    webhook_secret TEXT,
    state TEXT NOT NULL,
    started_at REAL NOT NULL,
    seconds REAL NOT NULL
);
CREATE INDEX running ON batches(number) WHERE state = 'processing';
CREATE TABLE batch_items(
    batch TEXT NOT NULL REFERENCES batches(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    item TEXT NOT NULL,
    PRIMARY KEY(batch, position)
);
CREATE TABLE deliveries(
    number INTEGER PRIMARY KEY,
    webhook_id TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    body BLOB NOT NULL,
    attempts INTEGER NOT NULL,
    next_at REAL NOT NULL,
    state TEXT NOT NULL,
    outcome TEXT
);
CREATE INDEX pending ON deliveries(number) WHERE state = 'pending';
"""
_SUBMISSIONS: Final = """
CREATE TABLE submissions(
    account TEXT NOT NULL,
    key TEXT NOT NULL,
    payload TEXT NOT NULL,
    batch TEXT NOT NULL REFERENCES batches(id) ON DELETE CASCADE,
    PRIMARY KEY(account, key)
) WITHOUT ROWID;
CREATE INDEX submission_of_batch ON submissions(batch);
"""
#: Its mark is "tksv".
_KIND: Final = Kind(0x746B7376, (_TABLES, _SUBMISSIONS))


class Ledger:
    """Accounts, batch jobs and deliveries in a SQLite database, for one service at a time.

    What is committed survives the end of the process at any moment. Calls take less than a millisecond, so they are
    made in the event loop. The file is made for its owner only, as it holds webhook secrets; without a path everything
    is kept in memory. All that can be wrong with it is a `ConfigurationError`.

    >>> from toolkit.service.accounts.records import Usage
    >>> ledger = Ledger(None)
    >>> ledger.write_usage("5f2a", Usage("2031-01", this_month=3, credits=40))
    >>> ledger.usage("5f2a").credits
    40
    >>> ledger.close()
    """

    def __init__(self, path: Path | str | None) -> None:
        self._name = "The service's database in memory" if path is None else f"The service's database {path}"
        # A path, lest a name such as ":memory:" mean something else.
        place = ":memory:" if path is None else str(Path(path).absolute())
        self._place = place
        self._file = SqliteFile(place, _KIND, partial(_error, self._name, place), _PATIENCE)
        with self._file.said(), self._opened():
            if path is not None:
                make_private(place)
            self._connection = self._lock = self._file.connect()
            try:
                self._file.version(self._connection)
                if path is not None:
                    self._lock = self._locked("-lock")
                    Path(place).chmod(0o600)
                self._prepare()
            except BaseException:
                self.close()
                raise
        # Services that nobody closes are dropped in a process that goes on. Not at its end: a loop in another thread
        # may be in the middle of a statement, and what is committed stays.
        weakref.finalize(self, _close, self._connection, self._lock).atexit = False

    def close(self) -> None:
        """Close the file; nothing can be read or written any more."""
        _close(self._connection, self._lock)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep all that is written within, or nothing; in another transaction, as a part of that.

        Nothing may be awaited within: what other tasks write meanwhile would be part of it.
        """
        with self._file.said(), transaction(self._connection):
            yield

    async def lasting(self, write: Callable[[], None]) -> None:
        """Make a write, again and again for as long as the file refuses it.

        For what has happened already and cannot be told to anybody: it is lost only if the process ends before the
        operator has made room on the disk.
        """
        while True:
            try:
                write()
            except ConfigurationError:
                await asyncio.sleep(_PAUSE)
            else:
                return

    # Accounts -----------------------------------------------------------------------------------------------------

    def usage(self, digest: str) -> Usage:
        """Return what an account has used; nothing if it is not known."""
        rows = self._read("SELECT month, used_this_month, credits_used FROM accounts WHERE digest = ?", digest)
        return Usage(*rows[0]) if rows else Usage("", 0, 0)

    def write_usage(self, digest: str, usage: Usage) -> None:
        """Keep what an account has used."""
        self._write(
            "INSERT OR REPLACE INTO accounts VALUES (?, ?, ?, ?)", digest, usage.month, usage.this_month, usage.credits
        )

    # Batches ------------------------------------------------------------------------------------------------------

    def add_batch(self, batch: Batch, submission: Submission | None = None) -> None:
        """Keep a new batch, perhaps with the mark of its submission; forget the oldest finished ones beyond 1,000."""
        with self.transaction():
            self._write(
                "INSERT INTO batches(id, account, domains, results_url, webhook_url, webhook_secret, state, "
                "started_at, seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                batch.id,
                batch.account,
                json.dumps(batch.domains),
                batch.results_url,
                batch.webhook_url,
                batch.webhook_secret,
                batch.state,
                batch.started_at,
                batch.seconds,
            )
            if submission is not None:
                self._write(
                    "INSERT INTO submissions VALUES (?, ?, ?, ?)",
                    batch.account,
                    submission.key,
                    submission.payload,
                    batch.id,
                )
            self._write(
                "DELETE FROM batches WHERE state <> 'processing' AND number <= (SELECT max(number) FROM batches) - ?",
                _KEPT_BATCHES,
            )

    def submitted(self, account: str, key: str) -> tuple[str, str] | None:
        """Return the digest of what an account has submitted with an idempotency key, and its batch; None if nothing.

        A key is forgotten with its batch.
        """
        rows = self._read("SELECT payload, batch FROM submissions WHERE account = ? AND key = ?", account, key)
        return next(((payload, batch) for payload, batch in rows), None)

    def add_item(self, batch_id: str, position: int, item: Item) -> None:
        """Keep what came of a batch's domain; refused if there is something already."""
        self._write("INSERT INTO batch_items VALUES (?, ?, ?)", batch_id, position, json.dumps(item))

    def finish_batch(self, batch_id: str, state: str, seconds: float) -> None:
        """Keep that a batch is completed or failed. Its secret has done its work."""
        self._write(
            "UPDATE batches SET state = ?, seconds = ?, webhook_secret = NULL WHERE id = ?", state, seconds, batch_id
        )

    def batch(self, batch_id: str) -> Batch | None:
        """Return a batch with its items, or None."""
        rows = self._read(
            "SELECT id, account, domains, results_url, webhook_url, webhook_secret, state, started_at, seconds "
            "FROM batches WHERE id = ?",
            batch_id,
        )
        if not rows:
            return None
        identifier, account, domains, *others = rows[0]
        batch = Batch(identifier, account, json.loads(domains), *others)
        batch.items = [None] * len(batch.domains)
        for position, item in self._read("SELECT position, item FROM batch_items WHERE batch = ?", batch_id):
            batch.items[position] = json.loads(item)
        return batch

    def running_batches(self) -> list[str]:
        """Return the identifiers of the batches that are not finished, oldest first."""
        return [row[0] for row in self._read("SELECT id FROM batches WHERE state = 'processing' ORDER BY number")]

    # Deliveries ---------------------------------------------------------------------------------------------------

    def add_delivery(self, delivery: Delivery) -> None:
        """Keep a new delivery."""
        self._write(
            "INSERT INTO deliveries(webhook_id, url, secret, body, attempts, next_at, state) "
            "VALUES (?, ?, ?, ?, ?, ?, 'pending')",
            delivery.webhook_id,
            delivery.url,
            delivery.secret,
            delivery.body,
            delivery.attempts,
            delivery.next_at,
        )

    def pending_delivery(self, webhook_id: str) -> Delivery | None:
        """Return a delivery that is neither acknowledged nor given up, or None."""
        rows = self._read(
            "SELECT webhook_id, url, secret, body, attempts, next_at FROM deliveries "
            "WHERE webhook_id = ? AND state = 'pending'",
            webhook_id,
        )
        return Delivery(*rows[0]) if rows else None

    def pending_deliveries(self) -> list[str]:
        """Return the identifiers of the deliveries that are neither acknowledged nor given up, oldest first."""
        return [
            row[0] for row in self._read("SELECT webhook_id FROM deliveries WHERE state = 'pending' ORDER BY number")
        ]

    def put_off_delivery(self, webhook_id: str, next_at: float, outcome: str) -> None:
        """Count an attempt that failed, and keep when the next one is due."""
        self._write(
            "UPDATE deliveries SET attempts = attempts + 1, next_at = ?, outcome = ? WHERE webhook_id = ?",
            next_at,
            outcome,
            webhook_id,
        )

    def settle_delivery(self, webhook_id: str, state: str, outcome: str) -> None:
        """Count the last attempt of a delivery that is ``delivered`` or ``given_up``.

        Its payload and secret are not needed any more. The 1,000 newest are kept for the operator to look at.
        """
        with self.transaction():
            self._write(
                "UPDATE deliveries SET attempts = attempts + 1, state = ?, outcome = ?, body = x'', secret = '' "
                "WHERE webhook_id = ?",
                state,
                outcome,
                webhook_id,
            )
            self._write(
                "DELETE FROM deliveries WHERE state <> 'pending' "
                "AND number <= (SELECT max(number) FROM deliveries) - ?",
                _KEPT_DELIVERIES,
            )

    # The file -----------------------------------------------------------------------------------------------------

    def _locked(self, beside: str) -> sqlite3.Connection:
        """Hold a lock that ends with the process, however it ends.

        Two services on one file would send every delivery twice. The file itself stays readable for others.
        """
        make_private(f"{self._place}{beside}")
        lock = self._file.connect(beside=beside)
        try:
            # A journal in memory, as one on the disk would stay there after a kill.
            lock.execute("PRAGMA journal_mode = MEMORY")
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            lock.close()
            if "locked" not in str(error):
                raise
            raise ConfigurationError(
                f"{self._name} is in use by another service. Stop that one, or name another file."
            ) from None
        return lock

    def _prepare(self) -> None:
        self._file.write_ahead(self._connection)
        self._read("PRAGMA foreign_keys = ON")
        self._read("PRAGMA secure_delete = ON")  # a webhook secret that has done its work is not left in a free page
        # Here, where it can be told to who starts the service, and not to the first who asks for something.
        if (found := self._read("PRAGMA quick_check(1)")) != [("ok",)]:
            raise sqlite3.DatabaseError(f"malformed: {found[0][0]}")
        self._file.lay_out(self._connection)

    def _read(self, question: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._file.said(), closing(self._connection.execute(question, values)) as cursor:
            return cursor.fetchall()

    def _write(self, statement: str, *values: Any) -> None:
        with self._file.said():
            self._connection.execute(statement, values)

    @contextmanager
    def _opened(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:  # a null byte in the name is a ValueError
            words = getattr(error, "strerror", None) or error
            problem = f"{self._name} cannot be opened: {words}. Check the folder and its rights."
        else:
            return
        raise ConfigurationError(problem)


def _error(name: str, place: str, trouble: Trouble, words: str) -> ConfigurationError:
    if trouble is Trouble.FOREIGN:
        return ConfigurationError(f"{place} is a database of another program. Name another file.")
    if trouble is Trouble.NEWER:
        problem = f"was written by a newer toolkit ({words}). Update the toolkit, or name another file."
    elif trouble is Trouble.DAMAGED:
        problem = f"is damaged or no database ({words}). Restore a copy, or name another file."
    else:
        problem = f"cannot be used ({words}). Check the folder, its rights and the free space."
    return ConfigurationError(f"{name} {problem}")


def _close(*connections: sqlite3.Connection) -> None:
    for connection in connections:
        connection.close()
