"""The store's file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from toolkit.files.sqlite import Kind, SharedFile, Trouble
from toolkit.interface.checks import check_path
from toolkit.interface.errors import StoreError
from toolkit.store import layout

__all__ = ["RESCUE", "Database"]

#: Seconds to wait for another process that writes.
_PATIENCE: Final = 60.0
#: The cache is in kilobytes; after so many pages the log is written into the file.
_PRAGMAS: Final = ("cache_size = -32000", "wal_autocheckpoint = 4000")

RESCUE: Final = (
    "Keep the file: `sqlite3 FILE .recover` may save what is in it. Restore a copy, or name another file to begin anew."
)


class Database(SharedFile):
    """The store's file, with errors that say what to do."""

    def __init__(self, path: str | Path) -> None:
        if "\0" in str(path):
            raise StoreError(f"{str(path)!r} is no name of a file. Name another file for the stored answers.")
        # Absolute: each thread opens the file for itself, perhaps after the working folder has changed.
        try:
            place = Path(path).absolute()
        except TypeError:
            check_path(path, "answers.db")
            raise
        kind = Kind(layout.APPLICATION_ID, layout.MIGRATIONS)
        super().__init__(place, kind, partial(_error, place), _PATIENCE, _PRAGMAS)

    def check(self) -> None:
        """Read the whole file and compare it with itself."""
        found = [str(words) for (words,) in self.read("PRAGMA integrity_check(3)")]
        if found != ["ok"]:
            raise StoreError(f"{self.path} is damaged: {'; '.join(found)[:300]}. {RESCUE}")


def _error(path: Path, trouble: Trouble, words: str) -> StoreError:
    if trouble is Trouble.CLOSED:
        return StoreError(f"The store {path} is closed. Open it again with Store({str(path)!r}).")
    said = {
        Trouble.FOREIGN: "is a database of another program. Name another file for the stored answers.",
        Trouble.NEWER: f"was written by a newer toolkit ({words}). Update the toolkit, or name another file.",
        Trouble.DAMAGED: f"is damaged or no store ({words}). {RESCUE}",
        Trouble.BUSY: "is in use by another process for too long. Wait for it, or end it.",
        Trouble.UNUSABLE: f"cannot be used ({words}). Check the folder, its rights and the free space.",
    }
    return StoreError(f"{path} {said[trouble]}")
