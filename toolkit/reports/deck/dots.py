"""Dot plots and slopes: what groups and dates have of each row, as native charts with the rows' names in them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import pandas as pd
from lxml import etree
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION, XL_LEGEND_POSITION, XL_MARKER_STYLE
from pptx.oxml.ns import qn
from pptx.util import Emu, Pt

from toolkit.reports.contrast import contrast
from toolkit.reports.deck.charts import (
    FORMATS,
    LABEL,
    ROW,
    axis_words,
    clear_axis,
    colours_of,
    finish,
    fit_plot,
    hide_entries,
    legend_height,
    quieted,
    row_names,
    scale,
    shrunk,
    start,
)
from toolkit.reports.deck.colours import PALE, QUIET, paint, solid
from toolkit.reports.deck.numbers import categories, number, places
from toolkit.reports.deck.text import LINE, SMALL, name_cut, names_cut, wide
from toolkit.reports.words import said

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from toolkit.reports.contents import Chart, Series
    from toolkit.reports.deck.boxes import Box
    from toolkit.reports.deck.page import Page

__all__ = ["add_dots", "add_slope"]

_MARKERS: Final = (
    XL_MARKER_STYLE.CIRCLE,
    XL_MARKER_STYLE.DIAMOND,
    XL_MARKER_STYLE.SQUARE,
    XL_MARKER_STYLE.TRIANGLE,
)
_MARK, _REST = 12, 10
#: What stands below the rows in points, and how far apart marks are that meet.
_BELOW, _APART = 46.0, 0.17
#: Marks meet that are nearer than this part of the axis.
_NEAR: Final = 0.025
#: Numbers above marks meet that are nearer than this; and points of a row that has room for them.
_WORDS, _ROOMY = 0.12, 32.0
#: How much paler marks are that the claim is not about, on light paper and on dark.
_PALER, _DARKER = 0.65, -0.5
_SPACE: Final = 2 * "\N{NO-BREAK SPACE}"
#: Of a slope: the parts of its width that names and values have, its height in points, and between two labels.
_NAMES, _PLOT, _HIGH, _BETWEEN = 0.42, 0.62, 330.0, 3.0
_ENDS: Final = 2
#: What a value beside a name takes, in points.
_VALUE: Final = 60.0


def add_dots(page: Page, chart: Chart, box: Box, at: datetime) -> Any:
    """Draw a row a code and a mark a series; the names of rows are labels of points on the axis."""
    look, count = page.design.look, len(chart.frame)
    legend = legend_height([series.label for series in chart.series], box)
    box = shrunk(box, (count + 1) * ROW + _BELOW + legend)
    height = Emu(box.height).pt
    # One line each: programs break labels of points where they like.
    names, left = row_names(chart, box, 0)
    # The rest is drawn first, so that it lies behind.
    series = sorted(chart.series, key=lambda one: not one.is_rest)
    rows = _heights(chart)
    labels = names_cut([one.label for one in series], LABEL, SMALL)
    points = [
        (
            label,
            [(number(value, chart.form), rows[one.name][place]) for place, value in enumerate(chart.frame[one.name])],
        )
        for label, one in zip(labels, series, strict=True)
    ]
    start_at = -chart.top if (chart.frame[[one.name for one in series]] < 0).any(axis=None) else 0.0
    points.append(("Rows", [(number(start_at, chart.form), float(count - place)) for place in range(count)]))
    drawn, shape = start(page, XL_CHART_TYPE.XY_SCATTER, box, places(points, FORMATS[chart.form], at), chart)
    along, up = drawn.category_axis, drawn.value_axis
    clear_axis(along, look)
    axis_words(along, chart.axis, look)
    scale(along, chart)
    along.has_major_gridlines = True
    quieted(along.major_gridlines.format.line, look.line)
    clear_axis(up, look, is_bare=True)
    up.has_major_gridlines = True
    quieted(up.major_gridlines.format.line, look.line)
    up.minimum_scale, up.maximum_scale, up.major_unit = 0, count + 1, 1
    colours = colours_of(chart, look, QUIET)
    for place, (one, marks) in enumerate(zip(series, drawn.plots[0].series, strict=False)):
        _mark(marks, colours[one.name], _REST if one.is_rest else _MARK)
        marks.marker.style = XL_MARKER_STYLE.CIRCLE if one.is_rest else _MARKERS[place % len(_MARKERS)]
        if chart.strong and not one.is_rest:
            _paled(marks, colours[one.name], look.paper, chart.frame[chart.strong])
    strong = list(chart.frame[chart.strong]) if chart.strong else [False] * count
    if (height - legend - 4 - _BELOW) / (count + 1) >= _ROOMY:
        for one, marks in zip(series, drawn.plots[0].series, strict=False):
            _say_values(marks, one, chart, strong)
    _name_rows(drawn.plots[0].series[len(series)], names, strong)
    drawn.has_legend = True
    drawn.legend.position, drawn.legend.include_in_layout = XL_LEGEND_POSITION.TOP, False
    drawn.legend.font.size = Pt(SMALL)
    hide_entries(drawn.legend, range(len(series), len(series) + 1))
    fit_plot(drawn, left, (legend + 4) / height, 1 - left - 0.03, 1 - (legend + 4 + _BELOW) / height)
    return finish(page, shape, chart)


def _heights(chart: Chart) -> dict[str, list[float]]:
    """Return how high the marks of each series stand: on their rows, and side by side where they would meet."""
    count, near = len(chart.frame), _NEAR * chart.top
    heights = {series.name: [0.0] * count for series in chart.series}
    for place, (_, row) in enumerate(chart.frame.iterrows()):
        meeting: list[list[str]] = []
        last = None
        found = ((value, one.name) for one in chart.series if (value := number(row[one.name])) is not None)
        for value, name in sorted(found):
            if last is not None and value - last < near:
                meeting[-1].append(name)
            else:
                meeting.append([name])
            last = value
        for names in meeting:
            for number_, name in enumerate(names):
                heights[name][place] = count - place + _APART * ((len(names) - 1) / 2 - number_)
    return heights


def _mark(series: Any, colour: str, size: int) -> None:
    series.format.line.fill.background()
    series.marker.size = size
    paint(series.marker.format.fill, colour)
    # What lies behind a mark is told from it by its edge.
    series.marker.format.line.width = Pt(0.75)
    paint(series.marker.format.line.fill, "bg1")


def _paled(series: Any, colour: str, paper: str, strong: Iterable[bool]) -> None:
    """Pale the marks of rows that the claim is not about: of these it proves nothing.

    Not hollow: some programs draw no edges of marks, and these would be gone.
    """
    is_dark = contrast(paper, "FFFFFF") > contrast(paper, "000000")
    for place, is_strong in enumerate(strong):
        if not is_strong:
            marker = series.points[place].marker
            # Some programs see that a point is another one by its size alone.
            marker.size, marker.style = _REST, series.marker.style
            paint(marker.format.fill, colour)
            marker.format.fill.fore_color.brightness = _DARKER if is_dark else _PALER
            marker.format.line.width = Pt(1)
            paint(marker.format.line.fill, colour)


def _say_values(marks: Any, series: Series, chart: Chart, strong: list[bool]) -> None:
    """Write above the marks of what the claim is about how much it is, unless two numbers would meet."""
    rows, near = chart.frame[[one.name for one in chart.series]].astype(float), _WORDS * chart.top
    for place, is_strong in enumerate(strong):
        values = sorted(rows.iloc[place].dropna())
        is_close = any(high - low < near for low, high in pairwise(values))
        value = rows[series.name].iloc[place]
        if not is_strong or is_close or pd.isna(value):
            continue
        label = marks.points[place].data_label
        label.has_text_frame = True
        label.text_frame.text = said(value, chart.form)
        label.text_frame.word_wrap = False
        font = label.text_frame.paragraphs[0].runs[0].font
        font.size, font.bold = Pt(SMALL), not series.is_rest
        label.position = XL_LABEL_POSITION.ABOVE


def _name_rows(series: Any, names: list[str], strong: list[bool]) -> None:
    series.format.line.fill.background()
    series.marker.style = XL_MARKER_STYLE.NONE
    for place, name in enumerate(names):
        label = series.points[place].data_label
        label.has_text_frame = True
        # A mark at the beginning of the axis does not touch the name.
        label.text_frame.text = f"{name}{_SPACE}"
        label.text_frame.word_wrap = False
        font = label.text_frame.paragraphs[0].runs[0].font
        font.size, font.bold = Pt(SMALL), bool(strong[place])
        label.position = XL_LABEL_POSITION.LEFT


def add_slope(page: Page, chart: Chart, box: Box, at: datetime) -> Any:
    """Draw a line a row from one end to the other, with names and values at the ends."""
    look = page.design.look
    box = shrunk(box, _HIGH)
    width, height = Emu(box.width).pt, Emu(box.height).pt
    ends = [name_cut(series.label, width * 0.28, SMALL) for series in chart.series]
    room = width * _NAMES - _VALUE
    names = names_cut([str(label) for label in chart.frame[chart.labels]], room, SMALL)
    values = [[number(row[series.name], chart.form) for series in chart.series] for _, row in chart.frame.iterrows()]
    data = categories(ends, list(zip(names, values, strict=True)), FORMATS[chart.form], at)
    drawn, shape = start(page, XL_CHART_TYPE.LINE_MARKERS, box, data, chart)
    drawn.has_legend = False
    along, up = drawn.category_axis, drawn.value_axis
    clear_axis(along, look)
    axis_words(along, chart.axis, look)
    clear_axis(up, look, is_bare=True)
    up.format.line.fill.background()
    scale(up, chart)
    needed = max(wide(name, SMALL) for name in names) + _VALUE
    left = min(max(needed / width, 0.2), _NAMES)
    part = (height - _BELOW - 10) / height
    # The ends stand a quarter of the plot within it.
    fit_plot(drawn, max(left - _PLOT / 4, 0.01), 10 / height, _PLOT, part)
    strong = list(chart.frame[chart.strong]) if chart.strong else [True] * len(names)
    highlight = colours_of(chart, look, QUIET)[chart.series[-1].name]
    for place, line in enumerate(drawn.plots[0].series):
        colour = highlight if strong[place] else PALE
        line.smooth = False
        line.format.line.width = Pt(2.5 if strong[place] else 1.5)
        paint(line.format.line.fill, colour)
        _mark(line, colour, _REST)
        line.format.line.width = Pt(2.5 if strong[place] else 1.5)
        paint(line.format.line.fill, colour)
        line.marker.style = XL_MARKER_STYLE.CIRCLE
    low, high = float(up.minimum_scale), float(up.maximum_scale)
    for end in range(_ENDS):
        shifts = _shifts([pair[end] for pair in values], (low, high), part * height)
        for place, line in enumerate(drawn.plots[0].series):
            if values[place][end] is not None:
                _label_end(line, end, shifts[place] / height, chart.form, look.ink)
    return finish(page, shape, chart)


def _shifts(values: list[float | None], ends: tuple[float, float], height: float) -> list[float]:
    """Return how far labels go down from their points, in points, so that none lies over another."""
    step = SMALL * LINE + _BETWEEN
    order = sorted(
        (place for place, value in enumerate(values) if value is not None), key=lambda at: -(values[at] or 0)
    )
    wanted = {place: (ends[1] - (values[place] or 0)) / (ends[1] - ends[0]) * height for place in order}
    placed: list[tuple[float, list[int]]] = []
    # Labels that meet make a block around the middle of their points.
    for place in order:
        block = [place]
        while True:
            middle = sum(wanted[one] for one in block) / len(block)
            if not placed or placed[-1][0] + len(placed[-1][1]) * step / 2 <= middle - len(block) * step / 2:
                break
            block = [*placed.pop()[1], *block]
        placed.append((middle, block))
    shifts = [0.0] * len(values)
    for middle, block in placed:
        first = min(max(middle - (len(block) - 1) * step / 2, 0), max(height - (len(block) - 1) * step, 0))
        for number_, place in enumerate(block):
            shifts[place] = first + number_ * step - wanted[place]
    return shifts


def _label_end(line: Any, end: int, shift: float, form: str, ink: str) -> None:
    """Write a label of a point: at the first with the row's name, both from the data."""
    element = line.points[end].data_label._get_or_add_dLbl()  # noqa: SLF001 - the library has no door to what it shows
    place = element.find(qn("c:idx"))
    for child in list(element):
        if child is not place:
            element.remove(child)
    if abs(shift) > 0.001:  # noqa: PLR2004 - less is not seen
        moved = etree.SubElement(etree.SubElement(element, qn("c:layout")), qn("c:manualLayout"))
        for tag, part in (("x", 0), ("y", shift)):
            etree.SubElement(moved, qn(f"c:{tag}"), val=f"{part:.4g}")
    etree.SubElement(element, qn("c:numFmt"), formatCode=FORMATS[form], sourceLinked="0")
    words = etree.SubElement(element, qn("c:txPr"))
    # Without this programs break names where they like.
    etree.SubElement(words, qn("a:bodyPr"), wrap="none")
    etree.SubElement(words, qn("a:lstStyle"))
    style = etree.SubElement(etree.SubElement(words, qn("a:p")), qn("a:pPr"))
    etree.SubElement(style, qn("a:defRPr"), sz=str(100 * SMALL)).append(solid(ink))
    for tag, value in (
        ("dLblPos", "l" if end == 0 else "r"),
        ("showLegendKey", "0"),
        ("showVal", "1"),
        ("showCatName", "0"),
        ("showSerName", str(int(end == 0))),
        ("showPercent", "0"),
        ("showBubbleSize", "0"),
    ):
        etree.SubElement(element, qn(f"c:{tag}"), val=value)
    if end == 0:
        etree.SubElement(element, qn("c:separator")).text = "  "
