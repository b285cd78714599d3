"""A SQLite file opened for many threads and processes, with errors in the words of whoever keeps it."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["Kind", "SharedFile", "SqliteFile", "Trouble", "make_private", "transaction"]

_PAUSE: Final = 0.01
#: Connections of a parent process, which may be neither used nor closed in its child.
_PARENTS: Final[list[_Held]] = []
_DAMAGED: Final = ("malformed", "not a database", "corrupt", "disk image", "decode to UTF-8")


class Trouble(Enum):
    """What is wrong with a file; of a newer one the words say both versions, of those after it what SQLite says."""

    FOREIGN = auto()
    NEWER = auto()
    DAMAGED = auto()
    BUSY = auto()
    UNUSABLE = auto()
    CLOSED = auto()


@dataclass(frozen=True, slots=True)
class Kind:
    """What a file holds: the mark by which it is known, and the statements that take it from each version to the next.

    The mark is SQLite's application identifier, four letters as a number.
    """

    mark: int
    steps: tuple[str, ...]


class SqliteFile:
    """How a file of a kind is opened, laid out and read; the connections are the caller's.

    `error` makes the exception for a trouble and the words for it. `patience` is how many seconds another process that
    writes is waited for.
    """

    def __init__(self, place: str, kind: Kind, error: Callable[[Trouble, str], Exception], patience: float) -> None:
        self._place = place
        self._kind = kind
        self._error = error
        self._patience = patience

    def connect(self, *, beside: str = "", existing: bool = False) -> sqlite3.Connection:
        """Open the file, or the one `beside` it whose name goes on so; every statement is a transaction of its own.

        A connection may be used and closed by any thread, one at a time. Of an `existing` file that was deleted
        meanwhile no new one is made.
        """
        place = f"{self._place}{beside}"
        if existing:
            place = f"{Path(place).as_uri()}?mode=rw"
        return sqlite3.connect(
            place, timeout=self._patience, isolation_level=None, check_same_thread=False, uri=existing
        )

    def version(self, connection: sqlite3.Connection) -> int:
        """Return the file's version, 0 of a new one; a foreign or newer file is an error. Nothing is changed in it."""
        # In one transaction: another process may lay the file out between two of the questions.
        connection.execute("BEGIN")
        try:
            [(mark,)], [(version,)], [(tables,)] = (
                connection.execute(question).fetchall()
                for question in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
            )
        finally:
            connection.execute("ROLLBACK")
        if mark != self._kind.mark and (mark or tables):
            raise self._error(Trouble.FOREIGN, "")
        if version > len(self._kind.steps):
            raise self._error(Trouble.NEWER, f"layout {version}; this one knows {len(self._kind.steps)}")
        return int(version)

    def lay_out(self, connection: sqlite3.Connection) -> None:
        """Bring the file to the newest version, whole or not at all."""
        newest = len(self._kind.steps)
        if self.version(connection) == newest:
            return
        with transaction(connection):
            # Another process may have done it while this one waited.
            [(version,)] = connection.execute("PRAGMA user_version").fetchall()
            for step in self._kind.steps[version:]:
                for statement in filter(str.strip, step.split(";")):
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {self._kind.mark}")
            connection.execute(f"PRAGMA user_version = {max(version, newest)}")

    def write_ahead(self, connection: sqlite3.Connection) -> None:
        """Switch to the write-ahead log, in which what is committed survives the end of the process at any moment."""
        # Where others switch at the same moment SQLite does not wait by itself.
        until = time.monotonic() + self._patience
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
                time.sleep(_PAUSE)
            else:
                break
        connection.execute("PRAGMA synchronous = NORMAL")

    @contextmanager
    def said(self) -> Iterator[None]:
        """Raise what SQLite says is wrong within as an error of the caller's."""
        try:
            yield
        except UnicodeDecodeError:
            trouble, words = Trouble.DAMAGED, "text that is none"
        except sqlite3.Error as error:
            words = str(error)
            if any(mark in words for mark in _DAMAGED):
                trouble = Trouble.DAMAGED
            else:
                trouble = Trouble.BUSY if "locked" in words or "busy" in words else Trouble.UNUSABLE
        else:
            return
        raise self._error(trouble, words)


class _Held:
    """A connection, and the lock of those who use it: SQLite crashes where one is closed while another uses it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        # A thread closes what it uses itself.
        self.lock = threading.RLock()

    def rows(self, question: str, values: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query; between two of them the connection may be closed."""
        with self.lock:
            cursor = self.connection.execute(question, values)
        while True:
            with self.lock:
                row = cursor.fetchone()
            if row is None:
                return
            yield row

    def close(self) -> None:
        """Close the connection once nobody uses it."""
        with self.lock:
            self.connection.close()


class SharedFile(SqliteFile):
    """A file with a connection for each thread, which a forked process leaves to its parent.

    It is in WAL mode: what is committed survives the end of the process at any moment. `pragmas` are set on each
    connection.
    """

    def __init__(
        self,
        path: Path,
        kind: Kind,
        error: Callable[[Trouble, str], Exception],
        patience: float,
        pragmas: Iterable[str] = (),
    ) -> None:
        super().__init__(str(path), kind, error, patience)
        self.path = path
        self._pragmas = tuple(pragmas)
        self._local = threading.local()
        self._opened: list[_Held] = []
        self._lock = threading.Lock()
        self._closed = False
        self._process = os.getpid()
        try:
            with self.said():
                with suppress(OSError):  # where no file can be, SQLite says so
                    make_private(path)
                with self._in_use() as connection:
                    self.lay_out(connection)
        except BaseException:
            self.close()
            raise

    @contextmanager
    def _in_use(self) -> Iterator[sqlite3.Connection]:
        """Give the thread's own connection, which no other thread closes meanwhile."""
        self._check_open()
        held: _Held | None = getattr(self._local, "held", None)
        if held is None:
            held = self._local.held = self._connected()
        with held.lock:
            self._check_open()
            yield held.connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for several queries."""
        with self.said(), self._in_use() as connection:
            yield connection

    def read(self, question: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self.reading() as connection:
            return connection.execute(question, tuple(values)).fetchall()

    def stream(self, question: str, values: Iterable[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query as they are read."""
        with self.said():
            self._check_open()
            # One of its own: a query that is not at its end keeps its connection from writing after others did.
            held = self._connected()
            try:
                yield from held.rows(question, tuple(values))
            finally:
                held.close()
                with self._lock:
                    self._opened = [other for other in self._opened if other is not held]

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for one transaction: all of it is kept, or nothing."""
        with self.reading() as connection, transaction(connection):
            yield connection

    def close(self) -> None:
        """Close every thread's connection, each as soon as what its thread does with it is done."""
        self._leave_parents()
        with self._lock:
            self._closed = True
            opened, self._opened = self._opened, []
        for held in opened:
            held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check_open(self) -> None:
        self._leave_parents()
        if self._closed:
            raise self._error(Trouble.CLOSED, "")

    def _leave_parents(self) -> None:
        if self._process != os.getpid():
            _PARENTS.extend(self._opened)
            self._process, self._local, self._opened = os.getpid(), threading.local(), []
            self._lock = threading.Lock()

    def _connected(self) -> _Held:
        found = self.connect()
        held = _Held(found)
        with held.lock:
            with self._lock:
                self._opened.append(held)
            # Before anything is changed: in a file of another program the mode would be.
            self.version(found)
            self.write_ahead(found)
            for pragma in self._pragmas:
                found.execute(f"PRAGMA {pragma}")
        return held


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Keep all that is written within, or nothing; in another transaction, as a part of that."""
    is_part = connection.in_transaction
    if is_part:
        yield
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite ends it by itself after some errors, such as a full disk
            connection.execute("ROLLBACK")
        raise


def make_private(place: str | Path) -> None:
    """Make a file for its owner only where there is none: SQLite would make it for everybody to read.

    The files that SQLite puts beside it get the same rights.
    """
    os.close(os.open(place, os.O_RDONLY | os.O_CREAT, 0o600))
