"""How a run is kept under a name: what is kept of it, when it is taken up again, and why it cannot be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from toolkit.interface.errors import ConfigurationError, InputError
from toolkit.runs.saving import packed_table, table_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

    import pandas as pd

    from toolkit.net.cache import Window
    from toolkit.runs.inputs import TargetSource
    from toolkit.store.answers import Store

__all__ = ["Keeping", "check_service", "checked_name", "is_fresh", "keep_table", "kept_table", "taken"]

#: Rows up to which the table that a run was made of is kept with it.
_MOST_ROWS: Final = 200_000
#: What any system takes as the name of a file.
_SAFE: Final = re.compile(r"\w(?:[\w .()+&,'-]{0,58}[\w)+])?")


@dataclass(frozen=True, slots=True)
class Keeping:
    """Under which name a run is kept, and what is kept to open it again by that.

    `source` is the file of its inputs, where they are of one, `asked` its questions as JSON. `windows`, where a
    finished run is taken up again, tells the times of answers that need not be asked anew.
    """

    name: str | None
    source: str
    asked: str
    windows: Callable[[], Sequence[Window | None]] | None = None


def checked_name(name: object) -> str:
    """Return the name of a run; one that is no name of a file everywhere is an InputError.

    >>> checked_name("spring plan")
    'spring plan'
    """
    if not isinstance(name, str) or not _SAFE.fullmatch(name):
        raise InputError(
            f"{name!r:.80} cannot be the name of a run. Take up to 60 letters, digits, spaces and . _ - ( ), "
            "beginning with a letter or digit."
        )
    return name


def taken(name: str) -> str:
    """Return what is told where another run has a name."""
    return (
        f"{name} is the name of another run that is kept, of another list or other questions. Choose another name, or "
        "rename or delete that run."
    )


def is_fresh(connection: sqlite3.Connection, run: int, windows: Sequence[Window | None]) -> bool:
    """Tell whether nothing of a run would be asked anew."""
    return all(
        window is not None
        and not connection.execute(
            "SELECT 1 FROM task t JOIN answer a ON a.id = t.answer WHERE t.run = ? AND t.place = ? AND "
            "a.fetched_at < CASE a.status WHEN 200 THEN ? ELSE ? END LIMIT 1",
            (run, place, window.answers, window.failures),
        ).fetchall()
        for place, window in enumerate(windows)
    )


def check_service(connection: sqlite3.Connection, run: int, services: Sequence[str]) -> None:
    """Raise a ConfigurationError where a run that is kept asked others than these."""
    of = "SELECT q.service FROM asked k JOIN question q ON q.id = k.question WHERE k.run = ? ORDER BY k.place"
    asked = [service for (service,) in connection.execute(of, (run,))]
    if asked != list(services):
        first, second = (", ".join(dict.fromkeys(names)) for names in (asked, services))
        raise ConfigurationError(
            f"This run asked {first}, and the client asks {second}. Open it with a client of the same service."
        )


def keep_table(store: Store, run: int, source: TargetSource, rows: int) -> None:
    """Keep the table that a run was made of with it, once."""
    if rows > _MOST_ROWS or store.database.read("SELECT 1 FROM own_table WHERE run = ?", (run,)):
        return
    try:
        table = source.table()
        content = None if table is None else packed_table(table)
    except InputError:
        return  # whoever asks for the table is told
    if content is not None:
        with store.database.writing() as connection:
            connection.execute("INSERT OR IGNORE INTO own_table VALUES (?, ?)", (run, content))


def kept_table(store: Store, run: int) -> pd.DataFrame | None:
    """Return the table that a run was made of, as it was kept; None where it was made of none."""
    found = store.database.read("SELECT content FROM own_table WHERE run = ?", (run,))
    return table_of(found[0][0]) if found else None
