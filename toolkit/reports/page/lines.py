"""Charts of lines: values over places, as paths that stretch to any width beneath texts that do not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from toolkit.reports.page.rows import Key, key_of
from toolkit.reports.page.scale import Scale, Tick, is_drawn, scale_of
from toolkit.reports.words import Form, said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.reports.contents import Chart

__all__ = ["Line", "Lines", "lines_of"]

#: Places that are named below: numbers are short, and round ones, dates are not.
_NUMBERS: Final = 6
_TEXTS: Final = 3
_ROUND: Final = (1, 2, 2.5, 5, 10)
#: With its first number further than this part along, an axis begins there.
_NEAR: Final = 0.25


@dataclass(frozen=True, slots=True)
class Line:
    """A line, and the band of its interval, as paths in a square of 100 by 100."""

    key: Key
    path: str
    band: str
    #: How it is drawn: its place among the lines, or a word of `toolkit.reports.contents`.
    stroke: str
    #: Where the only value of a point stands; None where it is no point.
    point: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Lines:
    """A chart of lines."""

    lines: tuple[Line, ...]
    keys: tuple[Key, ...]
    ticks: tuple[Tick, ...]
    across: tuple[Tick, ...]
    #: Of each place: how far along it is, what it is called, and of each line how high and what it says.
    points: tuple[tuple[float, str, tuple[tuple[float | None, str], ...]], ...]

    @property
    def has_bands(self) -> bool:
        """Whether any line has an interval."""
        return any(line.band for line in self.lines)


def lines_of(chart: Chart, groups: Mapping[str, int]) -> Lines:
    """Return a chart of lines; `groups` are the places of the report's groups."""
    scale = scale_of(chart)
    keys = tuple(key_of(series, place, chart, groups) for place, series in enumerate(chart.series))
    labels = chart.frame[chart.labels]
    is_number = pd.api.types.is_numeric_dtype(labels) and bool(labels.notna().all())
    places = labels.astype(float) if is_number else pd.Series(range(len(labels)), dtype=float)
    least, most = float(places.min()), float(places.max())
    # An axis of numbers begins with nothing, unless that would leave most of it empty.
    least = 0.0 if is_number and 0 < least <= _NEAR * most else least
    along = [round(100 * (place - least) / (most - least), 2) if most > least else 50.0 for place in places]
    form: Form = "text" if not is_number else "whole" if bool((places % 1 == 0).all()) else "number"
    names = [said(label, form) for label in labels]
    lines = [_line(chart, place, key, along, scale) for place, key in enumerate(keys)]
    points = tuple(
        (
            x,
            names[row],
            tuple(
                (100 - scale.at(value) if is_drawn(value) else None, said(value, chart.form))
                for value in (chart.frame[series.name].iloc[row] for series in chart.series)
            ),
        )
        for row, x in enumerate(along)
    )
    across = _numbered(least, most, form) if is_number and most > least else _named(along, names)
    return Lines(tuple(lines), keys, tuple(scale.ticks()), across, points)


def _line(chart: Chart, place: int, key: Key, along: list[float], scale: Scale) -> Line:
    series = chart.series[place]
    values = chart.frame[series.name]
    path = _path(along, values, scale)
    stroke = str(place % 4) if series.stroke == "solid" else series.stroke
    if series.stroke == "point":
        drawn = [(x, 100 - scale.at(value)) for x, value in zip(along, values, strict=True) if is_drawn(value)]
        return Line(key, "", "", stroke, drawn[0] if drawn else None)
    if not series.low:
        return Line(key, path, "", stroke)
    ends = zip(along, chart.frame[series.low], chart.frame[series.high], strict=True)
    kept = [(x, low, high) for x, low, high in ends if is_drawn(low) and is_drawn(high)]
    there = [f"{x:g} {100 - scale.at(high):g}" for x, _, high in kept]
    back = [f"{x:g} {100 - scale.at(low):g}" for x, low, _ in reversed(kept)]
    return Line(key, path, f"M{'L'.join(there + back)}Z" if kept else "", stroke)


def _path(along: list[float], values: pd.Series[Any], scale: Scale) -> str:
    """Return a path with a gap where a value is missing."""
    parts, is_open = [], False
    for x, value in zip(along, values, strict=True):
        if is_drawn(value):
            parts.append(f"{'L' if is_open else 'M'}{x:g} {100 - scale.at(value):g}")
        is_open = is_drawn(value)
    return "".join(parts)


def _named(along: list[float], names: list[str]) -> tuple[Tick, ...]:
    """Return the places that are named: both ends, and some between them that are as far apart as may be."""
    most = min(_TEXTS, len(along))
    rows = sorted({round(step * (len(along) - 1) / max(most - 1, 1)) for step in range(most)})
    return tuple(Tick(along[row], names[row]) for row in rows)


def _numbered(least: float, most: float, form: Form) -> tuple[Tick, ...]:
    """Return round numbers along an axis."""
    unit = 10 ** math.floor(math.log10((most - least) / _NUMBERS))
    steps = [part * unit for part in _ROUND if form != "whole" or part * unit % 1 == 0] or [1.0]
    step = next((one for one in steps if (most - least) / one <= _NUMBERS), steps[-1])
    first, last = math.ceil(least / step), math.floor(most / step)
    return tuple(
        Tick(round(100 * (step * place - least) / (most - least), 2), said(step * place, form))
        for place in range(first, last + 1)
    )
