"""Charts that Excel draws itself, from numbers that stand on one sheet of the workbook."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pandas as pd
from xlsxwriter.utility import quote_sheetname, xl_range_abs

from toolkit.charts.colours import INK, PAPER
from toolkit.interface.text import shortened
from toolkit.reports.book.styles import FORMATS
from toolkit.reports.contents import Column, Series, Table
from toolkit.reports.words import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from xlsxwriter.workbook import Workbook

    from toolkit.reports.brand import Brand
    from toolkit.reports.contents import Chart
    from toolkit.reports.words import Form

__all__ = ["HEIGHT", "VALUES", "WIDTH", "Numbers", "scale"]

#: Of a chart, in pixels.
WIDTH: Final = 760
HEIGHT: Final = 460
_GREY: Final = "#BFBFBF"
_REST: Final = "#8A8A8A"
_GRID: Final = "#E3E3E3"
_QUIET: Final = "#595959"
#: Pixels of a letter of a row's name, and the part of a chart that names have at most.
_LETTER, _MOST_NAMES = 7.0, 0.42
#: Between a name and a mark at the end of the axis.
_APART: Final = "\N{NO-BREAK SPACE}" * 3
#: How much paler marks are of rows that the claim is not about: as on slides.
_PALER: Final = 0.65
_AXES: Final[dict[Form, str]] = {**FORMATS, "percent": "0 %", "number": "#,##0.##"}
_COLUMNS: Final = (
    Column("sheet", "Sheet"),
    Column("row", "Row of the chart"),
    Column("place", "Place across, or from below", "number"),
    Column("series", "Series"),
    Column("value", "Value", "number", low="low", high="high"),
    Column("axis", "What the value is"),
    Column("tip", "Of which"),
    Column("down", "From at least to the value", "number"),
    Column("up", "From the value to at most", "number"),
)
_PLACES: Final = {name: place for place, name in enumerate(name for column in _COLUMNS for name in column.names)}
#: The columns whose numbers are shown as their chart shows them.
VALUES: Final = ("value", "low", "high", "down", "up")


@dataclass(frozen=True, slots=True)
class _Line:
    """Marks of a chart that belong together, and the rows in which their numbers stand."""

    series: Series
    first: int
    last: int
    #: Whether their labels are the names of the rows.
    is_names: bool = False
    #: Whether they are of rows that the claim is not about.
    is_beside: bool = False


@dataclass(slots=True)
class Numbers:
    """What all charts of a workbook draw, a mark a row: nothing moves on them when a table is sorted or filtered."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    #: How the values of each row are shown.
    forms: list[Form] = field(default_factory=list)
    _lines: dict[int, list[_Line]] = field(default_factory=dict)

    def take(self, chart: Chart, sheet: str) -> None:
        """Add what a chart draws, and what a page shows in its place where a group is chosen."""
        if chart.kind != "heatmap":
            self._lines[id(chart)] = [self._add(chart, sheet, marks) for marks in _lines(chart)]
        if chart.kind == "dots":
            self._lines[id(chart)].append(self._add_names(chart, sheet))
        drawn = {series.name for series in chart.series}
        for own in chart.by_group:
            if own.column not in drawn:
                for row in range(len(chart.frame)):
                    self._append(chart, sheet, row, Series(own.column, own.group))

    @property
    def table(self) -> Table:
        """The rows as a table."""
        numbers = [name for column in _COLUMNS if column.form == "number" for name in column.names]
        frame = pd.DataFrame(self.rows, columns=[*_PLACES]).astype(dict.fromkeys(numbers, float))
        # What is without end would be drawn as nothing at all.
        frame[numbers] = frame[numbers].where(frame[numbers].abs() < math.inf)
        return Table("What the charts draw: one row a mark", frame, _COLUMNS)

    def drawn(self, workbook: Workbook, chart: Chart, brand: Brand, sheet: str, head: int) -> Any:
        """Return a chart of numbers that stand on a sheet below a row with headings."""
        made = workbook.add_chart(_KINDS[chart.kind])
        lines = self._lines[id(chart)]
        across = _ACROSS.get(chart.kind, "row")
        # Values of dots lie along the horizontal axis, a row a row, as everywhere else.
        across, up = ("value", "place") if chart.kind == "dots" else (across, "value")
        named = "row" if chart.kind == "slope" else "series"
        for place, line in enumerate(lines):
            first, last = head + 1 + line.first, head + 1 + line.last

            def reached(name: str, first: int = first, last: int = last) -> str:
                return f"={quote_sheetname(sheet)}!{xl_range_abs(first, _PLACES[name], last, _PLACES[name])}"

            made.add_series(
                {
                    "name": [sheet, first, _PLACES[named]],
                    "categories": reached(across),
                    "values": reached(up),
                    **(_names(chart, brand) if line.is_names else _look(chart, line, brand, place)),
                    **_whiskers(chart, line.series, reached),
                }
            )
            if _is_labelled_behind(chart, line.series):
                ends = {"categories": reached(across), "values": reached("high")}
                made.add_series({"name": "at most", **ends, **_ends(chart, line.series, brand)})
        full = {line.series.name for line in lines if not line.is_beside}
        unnamed = [
            place for place, line in enumerate(lines) if line.is_names or (line.is_beside and line.series.name in full)
        ]
        _finish(made, chart, brand, unnamed)
        return made

    def _add(self, chart: Chart, sheet: str, marks: _Marks) -> _Line:
        first = len(self.rows)
        for row in marks.rows:
            for end in marks.ends:
                self._append(chart, sheet, row, end)
        return _Line(marks.series, first, len(self.rows) - 1, is_beside=marks.is_beside)

    def _add_names(self, chart: Chart, sheet: str) -> _Line:
        """Add marks that nobody sees, at the left end of each row: their labels are the rows' names."""
        first, names = len(self.rows), Series("", "names of the rows")
        for row in range(len(chart.frame)):
            self._append(chart, sheet, row, names, _least(chart))
        return _Line(names, first, len(self.rows) - 1, is_names=True)

    def _append(self, chart: Chart, sheet: str, row: int, series: Series, at: float | None = None) -> None:
        found = chart.frame.iloc[row]
        value = found[series.name] if at is None else at
        place = {"lines": found[chart.labels], "dots": float(len(chart.frame) - row)}.get(chart.kind)
        low, high = (found[name] if name else None for name in (series.low, series.high))
        self.forms.append(chart.form)
        self.rows.append(
            {
                "sheet": sheet,
                "row": "" if chart.kind == "lines" else found[chart.labels],
                "place": place,
                "series": series.label,
                "value": value,
                "low": low,
                "high": high,
                "axis": chart.axis,
                "tip": found[chart.tips] if chart.tips and series in chart.series else None,
                "down": None if low is None else max(value - low, 0),
                "up": None if high is None else max(high - value, 0),
            }
        )


def scale(form: Form) -> int:
    """Return what a value is written times."""
    return 100 if form == "points" else 1


class _Marks(NamedTuple):
    """What becomes one line of a chart: of a slope a row, from its first series to its second."""

    series: Series
    rows: Sequence[int]
    ends: tuple[Series, ...]
    is_beside: bool = False


def _lines(chart: Chart) -> Iterator[_Marks]:
    """Yield the marks of each line.

    Of dots, those of the rows that the claim is about are one line and the others another: not every program knows
    marks of one line that look otherwise than the rest of it.
    """
    every = range(len(chart.frame))
    if chart.kind == "slope":
        yield from (_Marks(chart.series[0], [row], chart.series) for row in every)
        return
    for series in chart.series:
        rows: Sequence[int] = every
        if chart.kind == "dots" and chart.strong and not series.is_rest:
            about = [row for row in every if chart.frame[chart.strong].iloc[row]]
            others = [row for row in every if row not in about]
            yield from (_Marks(series, kept, (series,), kept is others) for kept in (about, others) if kept)
            continue
        if chart.kind == "lines" and (drawn := [row for row in every if pd.notna(chart.frame[series.name].iloc[row])]):
            rows = range(drawn[0], drawn[-1] + 1)  # each line has its own stretch
        yield _Marks(series, rows, (series,))


_KINDS: Final = {
    "bars": {"type": "bar"},
    "dots": {"type": "scatter"},
    "slope": {"type": "line"},
    "lines": {"type": "scatter", "subtype": "straight"},
}
_DASHES: Final = {"dashed": "dash", "dotted": "round_dot"}
#: The column of what stands along the chart, where it is not the row.
_ACROSS: Final = {"slope": "series", "lines": "place"}


def _look(chart: Chart, line: _Line, brand: Brand, place: int) -> dict[str, Any]:
    """Return how marks look: what the sentence is about in its colour, the others grey, or pale as on slides."""
    series = line.series
    colour = f"#{series.color or brand.colour}" if not series.is_rest else _REST
    strong = [bool(row) for row in chart.frame[chart.strong]] if chart.strong else [True] * len(chart.frame)
    match chart.kind:
        case "bars":
            points = [None if row else {"fill": {"color": _GREY}} for row in strong]
            label = {"value": True, "num_format": _AXES[chart.form], "font": {"color": INK, "name": brand.font}}
            return {
                "fill": {"color": colour},
                "gap": 60,
                **({"points": points} if chart.strong else {}),
                **({"overlap": 100} if _is_labelled_behind(chart, series) else {"data_labels": label}),
            }
        case "dots":
            shape = "diamond" if series.is_rest else "circle"
            # Of rows that the claim is not about it proves nothing.
            fill, edge = (_paled(colour), colour) if line.is_beside else (colour, PAPER)
            marker = {"type": shape, "size": 10, "fill": {"color": fill}, "border": {"color": edge}}
            return {"line": {"none": True}, "marker": marker}
        case "slope":
            shade = f"#{brand.colour}" if strong[place] else _GREY
            label = {"series_name": True, "value": False, "position": "right", "custom": [{"delete": True}]}
            marker = {"type": "circle", "size": 7, "fill": {"color": shade}, "border": {"color": shade}}
            return {"line": {"color": shade, "width": 2.25}, "marker": marker, "data_labels": label}
    if series.stroke == "point":
        mark = {"type": "circle", "size": 9, "fill": {"color": colour}, "border": {"color": colour}}
        return {"line": {"none": True}, "marker": mark}
    if series.stroke == "dotted":
        colour = f"#{brand.accent}"
    drawn = {
        "color": colour,
        "width": 2.5,
        **({"dash_type": _DASHES[series.stroke]} if series.stroke in _DASHES else {}),
    }
    return {"line": drawn, "marker": {"type": "none"}}


def _paled(colour: str) -> str:
    """Return a colour with so much white.

    >>> _paled("#00507D"), _paled("#FFFFFF")
    ('#A6C2D2', '#FFFFFF')
    """
    parts = [int(colour.lstrip("#")[place : place + 2], 16) for place in (0, 2, 4)]
    return "#" + "".join(f"{round(part + _PALER * (255 - part)):02X}" for part in parts)


def _is_labelled_behind(chart: Chart, series: Series) -> bool:
    """Return whether values stand behind the intervals, whose lines would cross them at the ends of the bars."""
    return chart.kind == "bars" and bool(series.low) and len(chart.series) == 1


def _ends(chart: Chart, series: Series, brand: Brand) -> dict[str, Any]:
    """Return how bars look that nobody sees: they reach to the end of an interval, and the value stands there."""
    values = [said(value, chart.form) for value in chart.frame[series.name]]
    font = {"color": INK, "name": brand.font}
    labels = {"value": True, "font": font, "custom": [{"value": text, "font": font} for text in values]}
    return {"fill": {"none": True}, "border": {"none": True}, "data_labels": labels}


def _whiskers(chart: Chart, series: Series, reached: Callable[[str], str]) -> dict[str, Any]:
    """Return the option of a chart for quiet lines over the intervals."""
    is_crossing = chart.kind == "bars" and not _is_labelled_behind(chart, series)
    if not series.low or chart.kind == "slope" or is_crossing:
        return {}
    ends = {"plus_values": reached("up"), "minus_values": reached("down")}
    # A bar lies along the horizontal axis, but its values are still called y.
    return {"y_error_bars": {"type": "custom", **ends, "end_style": 0, "line": {"color": _REST, "width": 1}}}


def _finish(made: Any, chart: Chart, brand: Brand, unnamed: list[int]) -> None:
    font = {"name": brand.font, "color": _QUIET}
    named = {"num_font": font, "name_font": {**font, "bold": False}, "line": {"color": _GREY}}
    values = {
        **named,
        "name": _title(chart.axis),
        "num_format": _AXES[chart.form],
        "min": scale(chart.form) * _least(chart),
        "max": scale(chart.form) * _end(chart),
        "major_gridlines": {"visible": True, "line": {"color": _GRID}},
        "line": {"none": True},
    }
    labels = {**named, "label_position": "low", "interval_unit": 1}
    if chart.kind == "bars":
        # The first row stands on top, and the values below the last.
        made.set_y_axis({**labels, "reverse": True, "major_tick_mark": "none"})
        made.set_x_axis({**values, "label_position": "high"})
    elif chart.kind == "dots":
        made.set_x_axis({**values, "label_position": "low"})
        line = {"major_gridlines": {"visible": True, "line": {"color": _GRID}}, "line": {"none": True}}
        made.set_y_axis({"min": 0, "max": len(chart.frame) + 1, "major_unit": 1, "label_position": "none", **line})
        left = _name_room(chart)
        made.set_plotarea({"layout": {"x": left, "y": 0.12, "width": 0.96 - left, "height": 0.7}})
    elif chart.kind == "lines":
        places = chart.frame[chart.labels]
        made.set_x_axis({**named, "name": _title(chart.across), "min": 0, "max": float(places.max())})
        made.set_y_axis(values)
    else:
        made.set_x_axis(labels)
        made.set_y_axis(values)
    made.set_title({"none": True})
    # A line of a slope has its name at its end.
    is_told = len(chart.series) > 1 and chart.kind != "slope"
    names = {"delete_series": unnamed} if unnamed else {}
    made.set_legend({"position": "top", "font": font, **names} if is_told else {"none": True})
    made.set_size({"width": WIDTH, "height": HEIGHT})
    # Who filters the numbers does not mean the picture.
    made.show_hidden_data()


def _end(chart: Chart) -> float:
    """Return where the axis of values ends: only a page shows other groups in the same picture."""
    return replace(chart, by_group=()).top


def _least(chart: Chart) -> float:
    """Return where the axis of values begins."""
    drawn = chart.frame[[name for series in chart.series for name in (series.name, series.low) if name]]
    return -_end(chart) if float(drawn.min().min()) < 0 else 0.0


def _name_room(chart: Chart) -> float:
    """Return the part of a chart's width that the names of its rows take."""
    longest = max(len(str(label)) for label in chart.frame[chart.labels])
    return min((longest * _LETTER + 20) / WIDTH, _MOST_NAMES)


def _names(chart: Chart, brand: Brand) -> dict[str, Any]:
    """Return how marks look that stand for the names of rows."""
    most = int((WIDTH * _MOST_NAMES - 20) / _LETTER)
    font = {"color": INK, "name": brand.font}
    told = [
        {"value": f"{shortened(str(label), most)}{_APART}", "font": {**font, "bold": bool(chart.strong and row)}}
        for label, row in zip(
            chart.frame[chart.labels], chart.frame[chart.strong] if chart.strong else chart.frame.index, strict=True
        )
    ]
    labels = {"value": True, "position": "left", "font": font, "custom": told}
    return {"line": {"none": True}, "marker": {"type": "none"}, "data_labels": labels}


def _title(text: str) -> str:
    """Return a text that is not taken for the place of a cell."""
    return text.lstrip("=").replace("!", "! ")
