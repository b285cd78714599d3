"""Charts of which each row is a line of its own: bars, dots, and two dates side by side.

A row is drawn as wide as the page has room, so that all places across are percentages and all heights pixels.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from toolkit.interface.text import counted
from toolkit.reports.page.scale import Scale, Tick, is_drawn, scale_of
from toolkit.reports.words import clean, lowered, said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.reports.contents import Chart, OwnValues, Series

__all__ = ["SHAPES", "Key", "Row", "Rows", "key_of", "rows_of"]

#: Marks of series, in order: no two look alike without their colours.
SHAPES: Final = (
    "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z",
    "M-5 -5h10v10h-10z",
    "M0 -7l7 7l-7 7l-7 -7z",
    "M0 -6.5l6.5 11.5h-13z",
    "M0 6.5l6.5 -11.5h-13z",
    "M-2 -6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
)
#: Of what others are held against, and of where something was before.
_REST: Final = "rest"
_BEFORE: Final = "before"
#: Marks that are nearer than this, in percent of the width, stand below one another.
_NEAR: Final = 5.0
_LANE: Final = 14
_MIDDLE: Final = 12
_BAR: Final = 18
#: What is said of a row in so few characters stands below its name.
_SHORT: Final = 30
#: Of more series than these a row's values are not written at its end.
_WRITTEN: Final = 2


@dataclass(frozen=True, slots=True)
class Key:
    """How a series looks, for the legend and its marks."""

    label: str
    css: str
    #: Its mark: a place in `SHAPES`, or ``rest`` or ``before``.
    shape: str
    #: Its place among the report's groups; -1 where it is none.
    group: int
    #: What it is called beside a group that is chosen, which may be among "all other sites"; or empty.
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar from nothing to a value, with its interval and its value at the end."""

    x: float
    width: float
    y: int
    key: Key
    end: float
    text: str
    #: Ends of the interval.
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark at a value."""

    x: float
    y: int
    key: Key


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a chart."""

    name: str
    #: What stands below its name.
    under: str
    is_strong: bool
    height: int
    #: Each value, as it is told to those who point at the row or have it read.
    told: tuple[str, ...]
    #: The values at the row's end; empty where they are in the drawing or too many.
    ends: tuple[str, ...] = ()
    bars: tuple[Bar, ...] = ()
    marks: tuple[Mark, ...] = ()
    #: A line between the marks of two dates.
    way: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Own:
    """What a group that is chosen has of each row."""

    #: What the values are, with their base.
    axis: str
    #: Row by row where its value stands, what it says, and how many of the group's sites that is.
    rows: tuple[tuple[float | None, str, str], ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """A chart of rows."""

    rows: tuple[Row, ...]
    keys: tuple[Key, ...]
    ticks: tuple[Tick, ...]
    zero: float
    #: Of each group that has values of its own, by its place.
    own: dict[int, Own] = field(default_factory=dict)


def key_of(series: Series, place: int, chart: Chart, groups: Mapping[str, int]) -> Key:
    """Return how a series looks: a group's shape goes with its place among the groups, as its colour does."""
    group = groups.get(series.label, -1)
    if series.is_rest:
        first = chart.series[0].label
        others = f"all but {first if first in groups else lowered(first)}"
        return Key(series.label, "rest", _REST, group, others if place else "")
    if chart.kind == "slope" and place == 0:
        return Key(series.label, "rest", _BEFORE, group)
    shape = (group if group >= 0 else place) % len(SHAPES)
    plain = "hue" if place == 0 or chart.kind == "slope" or series.is_of_first else "beside"
    return Key(series.label, f"c-{series.color.upper()}" if series.color else plain, str(shape), group)


def rows_of(chart: Chart, groups: Mapping[str, int]) -> Rows:
    """Return a chart of bars, dots or a slope as rows; `groups` are the places of the report's groups."""
    # Bars have no axis: they are as long as there is room, and the script shortens them where a group's are longer.
    scale = scale_of(replace(chart, by_group=()) if chart.kind == "bars" else chart)
    keys = tuple(key_of(series, place, chart, groups) for place, series in enumerate(chart.series))
    draw = _bars if chart.kind == "bars" else _marks
    tips = [clean(tip) if isinstance(tip, str) else "" for tip in chart.frame[chart.tips]] if chart.tips else []
    # Those of a chart are all shown, or none is.
    shown = tips if max(map(len, tips), default=0) <= _SHORT else []
    rows = []
    for place, values in enumerate(chart.frame.to_dict("records")):
        told = [
            f"{series.label}: {_valued(values, series, chart)}" if len(keys) > 1 else _valued(values, series, chart)
            for series in chart.series
        ]
        tip = tips[place] if tips else ""
        strong = not chart.strong or bool(values[chart.strong])
        rows.append(
            Row(
                name=said(values[chart.labels]),
                under=shown[place] if shown else "",
                is_strong=strong,
                # What stands below the name is read there.
                told=(*told, *([tip] if tip and not shown else [])),
                **draw(chart, values, keys, scale),
            )
        )
    ticks = () if chart.kind == "bars" else tuple(scale.ticks())
    return Rows(tuple(rows), keys, ticks, scale.at(0), _own(chart, scale, groups))


def _valued(values: Mapping[Any, Any], series: Series, chart: Chart) -> str:
    """Return a value as people read it, with its interval."""
    text = said(values[series.name], chart.form)
    if not series.low or pd.isna(values[series.low]) or pd.isna(values[series.high]):
        return text
    return f"{text} ({said(values[series.low], chart.form)} to {said(values[series.high], chart.form)})"


def _bars(chart: Chart, values: Mapping[Any, Any], keys: tuple[Key, ...], scale: Scale) -> dict[str, Any]:
    bars = []
    zero = scale.at(0)
    for lane, (series, key) in enumerate(zip(chart.series, keys, strict=True)):
        value = values[series.name]
        at = scale.at(value) if is_drawn(value) else zero
        low, high = (
            scale.at(values[name]) if name and is_drawn(values[name]) else None for name in (series.low, series.high)
        )
        end = max(at, zero, high if high is not None else zero)
        x, width = min(at, zero), round(abs(at - zero), 2)
        bars.append(Bar(x, width, lane * _BAR, key, end, said(value, chart.form), low, high))
    return {"bars": tuple(bars), "height": len(bars) * _BAR + 4}


def _marks(chart: Chart, values: Mapping[Any, Any], keys: tuple[Key, ...], scale: Scale) -> dict[str, Any]:
    placed = [
        (scale.at(values[series.name]), key)
        for series, key in zip(chart.series, keys, strict=True)
        if is_drawn(values[series.name])
    ]
    # What others are held against is a thin line across the row, behind their marks.
    lanes: list[float] = []
    marks = []
    for x, key in sorted((one for one in placed if one[1].shape != _REST), key=lambda one: one[0]):
        lane = next((lane for lane, end in enumerate(lanes) if x - end >= _NEAR), len(lanes))
        lanes[lane : lane + 1] = [x]
        marks.append(Mark(x, lane * _LANE + _MIDDLE, key))
    height = max(len(lanes), 1) * _LANE + 10
    drawn = (*(Mark(x, height // 2, key) for x, key in placed if key.shape == _REST), *marks)
    texts = tuple(said(values[series.name], chart.form) for series in chart.series)
    if chart.kind == "slope":
        is_way = len(placed) == len(keys)
        # Two dates of the same thing stand on one line, also where they are near.
        drawn = tuple(Mark(x, _MIDDLE, key) for x, key in placed)
        return {
            "marks": drawn,
            "height": 2 * _MIDDLE,
            "ends": texts,
            "way": (placed[0][0], placed[1][0]) if is_way else None,
        }
    return {
        "marks": drawn,
        "height": height,
        "ends": texts if len(texts) <= _WRITTEN else (),
    }


def _own(chart: Chart, scale: Scale, groups: Mapping[str, int]) -> dict[int, Own]:
    return {
        groups[own.group]: Own(
            own.axis or chart.axis,
            tuple(
                (scale.at(value) if is_drawn(value) else None, said(value, chart.form), _counts(row, own))
                for value, row in zip(chart.frame[own.column], chart.frame.to_dict("records"), strict=True)
            ),
        )
        for own in chart.by_group
        if own.group in groups
    }


def _counts(row: Mapping[Any, Any], own: OwnValues) -> str:
    """Return how many sites of a group a value is of; nothing where none of them tells."""
    if not own.count or not row[own.of]:
        return ""
    return f"{said(row[own.count], 'whole')} of {counted(int(row[own.of]), 'site')}"
