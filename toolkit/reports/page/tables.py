"""Tables of a page: what each cell says, and the number that it is sorted by and copied as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from toolkit.reports.page.scale import is_drawn
from toolkit.reports.words import said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.reports.contents import Column, Table

__all__ = ["Cell", "Grid", "table_of"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table."""

    text: str
    #: The number, in the unit of the heading; empty where it is a text or missing.
    number: str = ""
    #: Its interval: as people read it, and its ends as numbers.
    interval: str = ""
    ends: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as a page shows it."""

    caption: str
    columns: tuple[Column, ...]
    #: Of each row the place of its group or -1, the id of its site's card or nothing, and its cells.
    rows: tuple[tuple[int, str, tuple[Cell, ...]], ...]
    has_groups: bool


def table_of(table: Table, groups: Mapping[str, int], cards: Mapping[str, str]) -> Grid:
    """Return a table; `groups` are the places of the report's groups, `cards` the ids of its sites' cards."""
    frame = table.frame
    columns = [_cells(frame, column) for column in table.read]
    members = frame[table.group].map(groups).fillna(-1).astype(int) if table.group else [-1] * len(frame)
    sites = frame[table.site].map(cards).fillna("") if table.site else [""] * len(frame)
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
        both = (_number(low, column), _number(high, column))
        cells.append(Cell(said(value, column.form), _number(value, column), interval, both))
    return cells


def _number(value: float, column: Column) -> str:
    if not is_drawn(value):
        return ""
    return f"{100 * value if column.form in {'percent', 'points'} else value:.10g}"
