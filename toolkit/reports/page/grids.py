"""Charts that are tables: many groups by many codes, a cell shaded by how far it is from nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolkit.reports.page.rows import Key, key_of
from toolkit.reports.page.scale import is_drawn
from toolkit.reports.page.theme import SHADES
from toolkit.reports.words import clean, said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.reports.contents import Chart

__all__ = ["Cell", "Grid", "grid_of"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a heatmap."""

    #: From -5 to 5, as a style sheet has shades.
    shade: int
    #: What it says where it is clear, and otherwise nothing.
    words: str
    #: Its value, for those who point at it or have it read.
    text: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A heatmap."""

    keys: tuple[Key, ...]
    #: Of each row its name, what else is said of it, and its cells.
    rows: tuple[tuple[str, str, tuple[Cell, ...]], ...]
    #: Of the paler and the stronger end: what the shades mean.
    ends: tuple[str, str]


def grid_of(chart: Chart, groups: Mapping[str, int]) -> Grid:
    """Return a heatmap as a table of shades; `groups` are the places of the report's groups."""
    keys = tuple(key_of(series, place, chart, groups) for place, series in enumerate(chart.series))
    rows = []
    for values in chart.frame.to_dict("records"):
        cells = []
        for series in chart.series:
            value = values[series.name]
            shade = round(SHADES * value / chart.top) if is_drawn(value) else 0
            words = values[series.words] if series.words else ""
            cells.append(Cell(shade, clean(words) if isinstance(words, str) else "", said(value, chart.form)))
        tip = values[chart.tips] if chart.tips else ""
        rows.append((said(values[chart.labels]), clean(tip) if isinstance(tip, str) else "", tuple(cells)))
    names = [series.name for series in chart.series]
    least = -chart.top if float(chart.frame[names].min().min()) < 0 else 0.0
    return Grid(keys, tuple(rows), (said(least, chart.form), said(chart.top, chart.form)))
