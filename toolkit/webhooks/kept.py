"""The file of an inbox: which notifications came, so that none is taken twice after a restart."""

from __future__ import annotations

import json
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from toolkit.files.sqlite import Kind, SqliteFile, Trouble, make_private
from toolkit.interface.checks import check_path
from toolkit.interface.errors import EventError, InboxError
from toolkit.interface.text import printable

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from os import PathLike

__all__ = ["InboxFile"]

_LOCK_SECONDS: Final = 5.0
_EVENTS: Final = """
CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    webhook_id TEXT NOT NULL UNIQUE,
    event TEXT NOT NULL
);
"""
#: Its mark is "whin".
_KIND: Final = Kind(0x7768696E, (_EVENTS,))


class InboxFile:
    """Events by their id, in a small SQLite file, which is made with its owner's rights only.

    The file is open only while it is read or written, so that there is nothing to close, and several processes may
    share it: an event that one of them has taken is known to all.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        check_path(path, "inbox.db")
        self._path = Path(path).absolute()
        try:
            make_private(self._path)
        except OSError as error:
            raise InboxError(
                f"The inbox {self} cannot be used: {error.strerror}. Name a file in a folder you can write to."
            ) from None
        self._file = SqliteFile(str(self._path), _KIND, partial(_error, str(self)), _LOCK_SECONDS)
        with self._opened() as connection:
            self._file.lay_out(connection)

    def add(self, webhook_id: str, event: dict[str, Any]) -> bool:
        """Keep an event; False if its id is there."""
        try:
            text = json.dumps(event)
        except RecursionError:
            raise EventError(
                "The notification is signed, but nested too deeply to be kept. Check what is sent."
            ) from None
        with self._opened() as connection:
            done = connection.execute(
                "INSERT OR IGNORE INTO events (webhook_id, event) VALUES (?, ?)", (webhook_id, text)
            )
            return done.rowcount == 1

    def latest(self, count: int) -> list[str]:
        """Return the latest events as JSON, in the order they came."""
        with self._opened() as connection:
            rows = connection.execute("SELECT event FROM events ORDER BY position DESC LIMIT ?", (count,)).fetchall()
        return [text for (text,) in reversed(rows)]

    def __str__(self) -> str:
        return printable(str(self._path))

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        # A file that was deleted meanwhile is an error, not a fresh inbox that others can read.
        with self._file.said(), closing(self._file.connect(existing=True)) as connection:
            yield connection


def _error(name: str, trouble: Trouble, words: str) -> InboxError:
    if trouble in (Trouble.FOREIGN, Trouble.NEWER):
        return InboxError(
            f"{name} is not an inbox, or one of a newer version. It was left as it is; name another file."
        )
    return InboxError(
        f"The inbox {name} cannot be used: {printable(words)}. Check the file and the free space, or name another file."
    )
