"""Rows of a finding for a grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolkit.widgets.grid.box import Grid
from toolkit.widgets.grid.cells import said, table_of

if TYPE_CHECKING:
    import pandas as pd

    from toolkit.widgets.grid.columns import Column

__all__ = ["Rows"]


@dataclass(frozen=True, slots=True)
class Rows:
    """What a grid shows of a finding: all rows, the most telling first."""

    frame: pd.DataFrame
    columns: tuple[Column, ...]
    #: Name of the file in which it is saved, and what is said above it.
    name: str
    caption: str
    noun: tuple[str, str] = ("row", "rows")

    def grid(self) -> Grid:
        """Return the grid."""
        return Grid(self.frame, columns=self.columns, name=self.name, height=360, label=self.caption, noun=self.noun)

    def html(self, most: int = 40) -> str:
        """Return the first rows as HTML, for where no kernel runs."""
        shown = [column for column in self.columns if not column.hidden]
        cells = [[said(value, column) for value in self.frame[column.name].head(most)] for column in shown]
        return table_of([column.title for column in shown], list(zip(*cells, strict=True)), self.caption)
