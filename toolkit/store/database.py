"""A SQLite file opened for many threads and processes, with errors in the toolkit's own words."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from toolkit.interface.errors import StoreError
from toolkit.store.layout import check_owner, migrate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["RESCUE", "Database"]

#: Seconds to wait for another process that writes.
_PATIENCE: Final = 60.0
_PAUSE: Final = 0.01
_CACHE_KILOBYTES: Final = 32_000
#: Pages of the log after which it is written into the file.
_CHECKPOINT_PAGES: Final = 4_000
_DAMAGED: Final = ("malformed", "not a database", "corrupt", "disk image", "decode to UTF-8")
#: Connections of a parent process, which may be neither used nor closed in its child.
_PARENTS: Final[list[sqlite3.Connection]] = []

RESCUE: Final = (
    "Keep the file: `sqlite3 FILE .recover` may save what is in it. Restore a copy, or name another file to begin anew."
)


class Database:
    """A SQLite file in WAL mode: what is committed survives the end of the process at any moment.

    Parameters
    ----------
    path : str or Path
        The file; made where there is none.

    Raises
    ------
    StoreError
        If it cannot be opened, is damaged, is no such file or of a newer toolkit.
    """

    def __init__(self, path: str | Path) -> None:
        if "\0" in str(path):
            raise StoreError(f"{str(path)!r} is no name of a file. Name another file for the stored answers.")
        # Absolute: each thread opens the file for itself, perhaps after the working folder has changed.
        self.path = Path(path).absolute()
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._closed = False
        self._process = os.getpid()
        try:
            with self._said():
                migrate(self.connection, str(self.path))
        except BaseException:
            self.close()
            raise

    @property
    def connection(self) -> sqlite3.Connection:
        """The thread's own connection."""
        self._check_open()
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            found = self._local.connection = self._connected()
        return found

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for several queries."""
        with self._said():
            yield self.connection

    def read(self, question: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self._said():
            return self.connection.execute(question, tuple(values)).fetchall()

    def stream(self, question: str, values: Iterable[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query as they are read."""
        with self._said():
            self._check_open()
            # One of its own: a query that is not at its end keeps its connection from writing after others did.
            connection = self._connected()
            try:
                for row in connection.execute(question, tuple(values)):  # noqa: UP028 - that would close the cursor
                    yield row
            finally:
                connection.close()
                with self._lock:
                    self._opened = [other for other in self._opened if other is not connection]

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for one transaction: all of it is kept, or nothing."""
        with self._said():
            connection = self.connection
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:  # some errors end the transaction themselves
                    connection.execute("ROLLBACK")
                raise

    def check(self) -> None:
        """Read the whole file and compare it with itself.

        Raises
        ------
        StoreError
            If something is damaged.
        """
        found = [str(words) for (words,) in self.read("PRAGMA integrity_check(3)")]
        if found != ["ok"]:
            raise StoreError(f"{self.path} is damaged: {'; '.join(found)[:300]}. {RESCUE}")

    def close(self) -> None:
        """Close every thread's connection."""
        self._leave_parents()
        with self._lock:
            self._closed = True
            while self._opened:
                self._opened.pop().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check_open(self) -> None:
        self._leave_parents()
        if self._closed:
            raise StoreError(f"The store {self.path} is closed. Open it again with Store({str(self.path)!r}).")

    def _leave_parents(self) -> None:
        if self._process != os.getpid():
            _PARENTS.extend(self._opened)
            self._process, self._local, self._opened = os.getpid(), threading.local(), []
            self._lock = threading.Lock()

    def _connected(self) -> sqlite3.Connection:
        # A thread's connection is closed by whichever thread closes the store.
        found = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
        with self._lock:
            self._opened.append(found)
        # Before anything is changed: in a file of another program the mode would be.
        check_owner(found, str(self.path))
        _write_ahead(found)
        found.execute("PRAGMA synchronous = NORMAL")
        found.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
        found.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        return found

    @contextmanager
    def _said(self) -> Iterator[None]:
        problem: str
        try:
            yield
        except UnicodeDecodeError:
            problem = f"{self.path} is damaged or no store (text that is none). {RESCUE}"
        except sqlite3.DatabaseError as error:
            words = str(error)
            if any(mark in words for mark in _DAMAGED):
                problem = f"{self.path} is damaged or no store ({words}). {RESCUE}"
            elif "locked" in words or "busy" in words:
                problem = f"{self.path} is in use by another process for too long. Wait for it, or end it."
            else:
                problem = f"{self.path} cannot be used ({words}). Check the folder, its rights and the free space."
        else:
            return
        raise StoreError(problem)


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log; where others do so at the same moment SQLite does not wait by itself."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(_PAUSE)
        else:
            return
