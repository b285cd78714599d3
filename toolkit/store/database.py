"""The store's file: a connection for each thread, which a forked process leaves to its parent."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from toolkit.files.sqlite import Kind, SqliteFile, Trouble, transaction
from toolkit.interface.errors import StoreError
from toolkit.store import layout

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

__all__ = ["RESCUE", "Database"]

#: Seconds to wait for another process that writes.
_PATIENCE: Final = 60.0
_CACHE_KILOBYTES: Final = 32_000
#: Pages of the log after which it is written into the file.
_CHECKPOINT_PAGES: Final = 4_000
#: Connections of a parent process, which may be neither used nor closed in its child.
_PARENTS: Final[list[sqlite3.Connection]] = []

RESCUE: Final = (
    "Keep the file: `sqlite3 FILE .recover` may save what is in it. Restore a copy, or name another file to begin anew."
)


class Database:
    """A SQLite file in WAL mode: what is committed survives the end of the process at any moment."""

    def __init__(self, path: str | Path) -> None:
        if "\0" in str(path):
            raise StoreError(f"{str(path)!r} is no name of a file. Name another file for the stored answers.")
        # Absolute: each thread opens the file for itself, perhaps after the working folder has changed.
        self.path = Path(path).absolute()
        kind = Kind(layout.APPLICATION_ID, layout.MIGRATIONS)
        self._file = SqliteFile(str(self.path), kind, partial(_error, self.path), _PATIENCE)
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._closed = False
        self._process = os.getpid()
        try:
            with self._file.said():
                self._file.lay_out(self.connection)
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
        with self._file.said():
            yield self.connection

    def read(self, question: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self._file.said():
            return self.connection.execute(question, tuple(values)).fetchall()

    def stream(self, question: str, values: Iterable[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query as they are read."""
        with self._file.said():
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
        with self._file.said(), transaction(self.connection):
            yield self.connection

    def check(self) -> None:
        """Read the whole file and compare it with itself."""
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
        found = self._file.connect()
        with self._lock:
            self._opened.append(found)
        # Before anything is changed: in a file of another program the mode would be.
        self._file.version(found)
        self._file.write_ahead(found)
        found.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
        found.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        return found


def _error(path: Path, trouble: Trouble, words: str) -> StoreError:
    said = {
        Trouble.FOREIGN: "is a database of another program. Name another file for the stored answers.",
        Trouble.NEWER: f"was written by a newer toolkit ({words}). Update the toolkit, or name another file.",
        Trouble.DAMAGED: f"is damaged or no store ({words}). {RESCUE}",
        Trouble.BUSY: "is in use by another process for too long. Wait for it, or end it.",
        Trouble.UNUSABLE: f"cannot be used ({words}). Check the folder, its rights and the free space.",
    }
    return StoreError(f"{path} {said[trouble]}")
