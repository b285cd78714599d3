"""The file of an inbox: which notifications came, so that none is taken twice after a restart."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface.errors import EventError, InboxError
from toolkit.interface.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

__all__ = ["InboxFile"]

#: Marks the file as an inbox, and no other program's.
_MARK: Final = 0x77_68_69_6E
_VERSION: Final = 1
_LOCK_SECONDS: Final = 5.0
_SCHEMA: Final = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY,
    webhook_id TEXT NOT NULL UNIQUE,
    event TEXT NOT NULL
);
PRAGMA application_id = {_MARK};
PRAGMA user_version = {_VERSION};
COMMIT;
"""


class InboxFile:
    """Events by their id, in a small SQLite file.

    The file is open only while it is read or written, so that there is nothing to close, and several processes may
    share it: an event that one of them has taken is known to all.

    Parameters
    ----------
    path : str or path-like
        The file; made if it is missing, with its owner's rights only.

    Raises
    ------
    InboxError
        If it cannot be opened, or is something else.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self._path = Path(path).absolute()
        try:
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise InboxError(
                f"The inbox {self} cannot be used: {error.strerror}. Name a file in a folder you can write to."
            ) from None
        with self._opened() as file:
            mark, version = (
                file.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
            )
            tables = file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if (mark != _MARK and (mark or tables)) or version > _VERSION:
                raise InboxError(
                    f"{self} is not an inbox, or one of a newer version. It was left as it is; name another file."
                )
            if mark != _MARK:
                file.executescript(_SCHEMA)

    def add(self, webhook_id: str, event: dict[str, Any]) -> bool:
        """Keep an event; False if its id is there.

        Raises
        ------
        InboxError
            If the file cannot be written.
        EventError
            If the event is nested too deeply to be written.
        """
        try:
            text = json.dumps(event)
        except RecursionError:
            raise EventError(
                "The notification is signed, but nested too deeply to be kept. Check what is sent."
            ) from None
        with self._opened() as file:
            done = file.execute("INSERT OR IGNORE INTO events (webhook_id, event) VALUES (?, ?)", (webhook_id, text))
            return done.rowcount == 1

    def latest(self, count: int) -> list[str]:
        """Return the latest events as JSON, in the order they came."""
        with self._opened() as file:
            rows = file.execute("SELECT event FROM events ORDER BY position DESC LIMIT ?", (count,)).fetchall()
        return [text for (text,) in reversed(rows)]

    def __str__(self) -> str:
        return printable(str(self._path))

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        # mode=rw: a file that was deleted meanwhile is an error, not a fresh inbox that others can read.
        address = f"{self._path.as_uri()}?mode=rw"
        try:
            with closing(sqlite3.connect(address, timeout=_LOCK_SECONDS, isolation_level=None, uri=True)) as connection:
                yield connection
        except sqlite3.Error as error:
            raise InboxError(
                f"The inbox {self} cannot be used: {printable(str(error))}. Check the file and the free space, "
                "or name another file."
            ) from None
