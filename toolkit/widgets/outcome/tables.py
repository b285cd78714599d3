"""Tables of a report as grids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolkit.widgets.grid.box import Grid
from toolkit.widgets.grid.columns import Column

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolkit.reports.contents import Column as Written
    from toolkit.reports.contents import Table

__all__ = ["grid_of"]

_PERCENT: Final = 100


def grid_of(
    table: Table, name: str, on_row: Callable[[int], None] | None = None, noun: tuple[str, str] = ("row", "rows")
) -> Grid:
    """Return a table of a report as a grid; what only a workbook has is left out until somebody chooses it."""
    frame = table.frame.reset_index(drop=True)
    points = [column.name for column in table.columns if column.form == "points"]
    frame = frame.assign(**{name: _PERCENT * frame[name] for name in points})
    columns = [_column(column) for column in table.columns]
    return Grid(frame, columns=columns, on_row=on_row, name=name, label=table.caption, noun=noun)


def _column(column: Written) -> Column:
    match column.form:
        case "percent":
            return Column(column.name, column.heading, "share", hidden=column.is_detail)
        case "points":
            return Column(column.name, column.heading, "number", hidden=column.is_detail)
        case "whole" | "number":
            digits = 0 if column.form == "whole" else 2
            return Column(column.name, column.heading, "number", digits, hidden=column.is_detail)
        case _:
            return Column(column.name, column.heading, hidden=column.is_detail)
