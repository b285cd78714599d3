"""Tables of a page: what each cell says, and the number that it is sorted by and copied as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pandas as pd

from toolkit.reports.contents import MOST_ROWS
from toolkit.reports.page.scale import is_drawn
from toolkit.reports.words import said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.reports.contents import Column, Table

__all__ = ["FIRST", "Cell", "Grid", "table_of"]

#: Rows that are shown and printed of a long table before a reader asks for all.
FIRST: Final = 50
#: Columns that paper has room for.
_MOST_COLUMNS: Final = 8
#: Digits behind the point of percentages and points.
_DIGITS: Final = 3


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table."""

    text: str
    #: The number, in the unit of the heading, and behind it the ends of its interval; empty where it is missing.
    numbers: str = ""
    #: Its interval, as people read it.
    interval: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as a page shows it."""

    caption: str
    columns: tuple[Column, ...]
    #: Of each row the place of its group or -1, the id of its site's card or nothing, and its cells.
    rows: tuple[tuple[int, str, tuple[Cell, ...]], ...]
    has_groups: bool

    @property
    def is_long(self) -> bool:
        """Whether it has more rows than a picture: it stays folded, and off paper unless it is opened."""
        return len(self.rows) > MOST_ROWS

    @property
    def is_wide(self) -> bool:
        """Whether paper is too narrow for it: it is not printed unless it is opened."""
        return len(self.columns) > _MOST_COLUMNS


def table_of(table: Table, groups: Mapping[str, int], cards: Mapping[str, str]) -> Grid:
    """Return a table; `groups` are the places of the report's groups, `cards` the ids of its sites' cards."""
    frame = table.frame
    columns = [_cells(frame, column) for column in table.read]
    members = frame[table.group].map(groups).fillna(-1).astype(int) if table.group else [-1] * len(frame)
    sites = [cards.get(site, "") for site in frame[table.site]] if table.site else [""] * len(frame)
    rows = zip(members, sites, zip(*columns, strict=True), strict=True)
    return Grid(table.caption, table.read, tuple(rows), bool(table.group and groups))


def _cells(frame: pd.DataFrame, column: Column) -> list[Cell]:
    values = frame[column.name]
    if column.form == "text":
        return [Cell(said(value)) for value in values]
    if not column.low:
        return [Cell(said(value, column.form), _number(value, column)) for value in values]
    cells = []
    for value, low, high in zip(values, frame[column.low], frame[column.high], strict=True):
        ends = f"{said(low, column.form)} to {said(high, column.form)}"
        interval = "" if pd.isna(low) or pd.isna(high) else f"({ends})"
        numbers = " ".join(_number(number, column) for number in (value, low, high)) if interval else ""
        cells.append(Cell(said(value, column.form), numbers or _number(value, column), interval))
    return cells


def _number(value: float, column: Column) -> str:
    if not is_drawn(value):
        return ""
    return f"{round(100 * value, _DIGITS) if column.form in {'percent', 'points'} else value:.10g}"
