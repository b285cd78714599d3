"""Charts that PowerPoint draws itself, from numbers that can be edited there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pandas as pd
from lxml import etree
from pptx.enum.chart import (
    XL_AXIS_CROSSES,
    XL_CHART_TYPE,
    XL_LABEL_POSITION,
    XL_LEGEND_POSITION,
    XL_MARKER_STYLE,
    XL_TICK_LABEL_POSITION,
    XL_TICK_MARK,
)
from pptx.enum.dml import MSO_LINE
from pptx.oxml.ns import qn
from pptx.util import Emu, Pt

from toolkit.reports.deck.colours import PALE, QUIET, WHISKER, paint
from toolkit.reports.deck.numbers import categories, number, places
from toolkit.reports.deck.text import LINE, SMALL, cut, lines_of, name_cut, names_cut, wide

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from toolkit.reports.contents import Chart, Series, Stroke
    from toolkit.reports.deck.boxes import Box
    from toolkit.reports.deck.colours import Look
    from toolkit.reports.deck.page import Page

__all__ = [
    "BELOW",
    "FORMATS",
    "LABEL",
    "NAMES",
    "NAME_EDGE",
    "ROW",
    "add_bars",
    "add_lines",
    "axis_words",
    "clear_axis",
    "colours_of",
    "finish",
    "fit_plot",
    "hide_entries",
    "legend_height",
    "quieted",
    "row_names",
    "scale",
    "shrunk",
    "start",
    "stepped",
]

#: How Excel shows values: of points the number is a hundred times the difference.
FORMATS: Final = {
    "percent": "0 %",
    "points": "+0;\N{MINUS SIGN}0;0",
    "whole": "#,##0",
    "number": "#,##0.0",
    "text": "General",
}
#: Height of a row in points where there are few: they would look like walls; and what stands below the rows.
ROW: Final = 43.0
BELOW: Final = 34.0
#: The part of a chart that names of rows have at most, with points beside them, and what a value behind a bar takes.
NAMES: Final = 0.42
NAME_EDGE: Final = 14.0
_VALUE: Final = 58.0
_GAP_ALONE, _GAP_GROUPED = 55, 40
#: What stands beside the words of a legend, in points.
_KEY: Final = 36.0
#: Names of series are at most so wide.
LABEL: Final = 250.0
#: The size of a mark on a line, and how lines are drawn.
_POINT: Final = 9
_DASHES: Final = {"dashed": MSO_LINE.DASH, "dotted": MSO_LINE.ROUND_DOT}
_ACCENTS: Final = tuple(f"accent{number_}" for number_ in range(1, 7))


def add_bars(page: Page, chart: Chart, box: Box, at: datetime) -> Any:
    """Draw sorted bars with their values, and intervals as quiet lines."""
    rows = len(chart.frame)
    legend = legend_height([series.label for series in chart.series], box) if len(chart.series) > 1 else 0.0
    box = shrunk(box, rows * ROW * max(1, len(chart.series) * 0.7) + BELOW + legend)
    names, left = row_names(chart, box, (Emu(box.height).pt - BELOW - legend) / rows)
    labels = names_cut([one.label for one in chart.series], LABEL, SMALL)
    series = [
        (label, [number(value, chart.form) for value in chart.frame[one.name]])
        for label, one in zip(labels, chart.series, strict=True)
    ]
    drawn, shape = start(
        page, XL_CHART_TYPE.BAR_CLUSTERED, box, categories(names, series, FORMATS[chart.form], at), chart
    )
    values, rowed = drawn.value_axis, drawn.category_axis
    clear_axis(rowed, page.design.look)
    rowed.reverse_order = True
    rowed.crosses = XL_AXIS_CROSSES.MAXIMUM
    _every_label(rowed)
    clear_axis(values, page.design.look, is_bare=True)
    values.format.line.fill.background()
    axis_words(values, chart.axis, page.design.look)
    plot = Emu(box.width).pt * (1 - left) - 8
    scale(values, chart, room=1 / max(1 - _VALUE / plot, 0.5))
    drawn.plots[0].gap_width = _GAP_ALONE if len(series) == 1 else _GAP_GROUPED
    drawn.plots[0].overlap = 0
    drawn.has_legend = bool(legend)
    for one, bars in zip(chart.series, drawn.plots[0].series, strict=True):
        _finish_bars(bars, chart, one, page.design.look)
    if legend:
        _place_legend(drawn)
    height = Emu(box.height).pt
    fit_plot(drawn, left, (legend + 4) / height, 1 - left - 0.01, 1 - (legend + 4 + BELOW) / height)
    return finish(page, shape, chart)


def add_lines(page: Page, chart: Chart, box: Box, at: datetime) -> Any:
    """Draw lines over places, with both axes; intervals are quiet lines beside them."""
    across = chart.frame[chart.labels]
    look = page.design.look
    series: list[tuple[str, str, Stroke | None]] = [(one.name, one.label, one.stroke) for one in chart.series]
    # What is quiet has no stroke of its own, and all of it is one thing in the legend.
    series += [(name, "95 % interval", None) for one in chart.series for name in (one.low, one.high) if name]
    # LibreOffice draws no line that stands before a longer one.
    series.sort(key=lambda one: int(chart.frame[one[0]].isna().sum()))
    points = [
        (
            name_cut(label, LABEL, SMALL),
            [(place, number(value, chart.form)) for place, value in zip(across, chart.frame[name], strict=True)],
        )
        for name, label, _ in series
    ]
    kind = XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS
    drawn, shape = start(page, kind, box, places(points, FORMATS[chart.form], at), chart)
    values, along = drawn.value_axis, drawn.category_axis
    for axis, words in ((values, chart.axis), (along, chart.across)):
        clear_axis(axis, look)
        axis_words(axis, words, look)
    values.has_major_gridlines = True
    quieted(values.major_gridlines.format.line, look.line)
    scale(values, chart)
    values.tick_labels.number_format = (
        "#,##0" if chart.form == "number" and chart.top >= SMALL // 4 else FORMATS[chart.form]
    )
    first, last = float(across.min()), float(across.max())
    along.minimum_scale, along.maximum_scale = min(first, 0.0), last if last > first else first + 1
    along.tick_labels.number_format, along.tick_labels.number_format_is_linked = "#,##0", False
    drawn.has_legend = len(series) > 1
    colours = colours_of(chart, look, QUIET)
    for (name, _, stroke), line in zip(series, drawn.plots[0].series, strict=True):
        line.smooth = False
        colour = WHISKER if stroke is None else colours[name]
        if stroke == "point":
            line.format.line.fill.background()
            line.marker.style, line.marker.size = XL_MARKER_STYLE.CIRCLE, _POINT
            paint(line.marker.format.fill, colour)
            paint(line.marker.format.line.fill, colour)
            continue
        line.format.line.width = Pt(1 if stroke is None else 2.5)
        paint(line.format.line.fill, colour)
        if stroke in _DASHES:
            line.format.line.dash_style = _DASHES[stroke]
    if drawn.has_legend:
        quiet = [place for place, (_, _, stroke) in enumerate(series) if stroke is None]
        _place_legend(drawn, hidden=quiet[1:])
    return finish(page, shape, chart)


# What the charts share ------------------------------------------------------------------------------------------


def start(page: Page, kind: Any, box: Box, data: Any, chart: Chart) -> tuple[Any, Any]:
    """Put a chart on a slide, with one size and font of all its texts."""
    shape = page.slide.shapes.add_chart(kind, *box, data)
    drawn = shape.chart
    drawn.has_title = False
    drawn.font.size = Pt(SMALL)
    drawn.font.name = "+mn-lt"
    paint(drawn.font.fill, page.design.look.ink)
    drawn.has_legend = len(chart.series) > 1
    return drawn, shape


def finish(page: Page, shape: Any, chart: Chart) -> Any:
    """Name a chart, and say what it shows to people who do not see it."""
    page.hold(shape, "Chart", chart.alt)
    return shape


def shrunk(box: Box, height: float) -> Box:
    """Return the middle of a box, as high as so many points."""
    high = min(box.height, int(Pt(height)))
    return box._replace(top=box.top + (box.height - high) // 2, height=high)


def colours_of(chart: Chart, look: Look, rest: str) -> dict[str, str]:
    """Return the colour of each series: its own, and otherwise the highlight, and then the theme's next ones."""
    free = iter([look.strong, *(accent for accent in _ACCENTS if accent != look.strong)] * len(chart.series))
    found: dict[str, str] = {}
    for one in chart.series:
        own = rest if one.is_rest else one.color.removeprefix("#").upper()
        found[one.name] = own or (found[chart.series[0].name] if one.is_of_first else next(free))
    return found


def row_names(chart: Chart, box: Box, row: float) -> tuple[list[str], float]:
    """Return names of rows as they fit beside them, and the part of the chart's width that they take."""
    width = Emu(box.width).pt
    names = [str(label) for label in chart.frame[chart.labels]]
    if chart.tips and chart.form == "whole":
        names = [
            f"{name} ({tip})" if pd.notna(tip) else name
            for name, tip in zip(names, chart.frame[chart.tips], strict=True)
        ]
    most = max(int((row - 2) / (SMALL * LINE)), 1)
    room = width * NAMES - NAME_EDGE
    names = names_cut(names, room, SMALL) if most == 1 else [cut(name, room, 2, SMALL) for name in names]
    # Breaking a line a little sooner than counted needs room too.
    needed = max(wide(line, SMALL) for name in names for line in lines_of(name, room, SMALL))
    return names, min((needed + 18) / width, NAMES)


def clear_axis(axis: Any, look: Look, *, is_bare: bool = False) -> None:
    """Leave of an axis its labels and a quiet line; of a bare one nothing but its title."""
    axis.has_major_gridlines = axis.has_minor_gridlines = False
    axis.major_tick_mark = axis.minor_tick_mark = XL_TICK_MARK.NONE
    axis.tick_label_position = XL_TICK_LABEL_POSITION.NONE if is_bare else XL_TICK_LABEL_POSITION.LOW
    quieted(axis.format.line, look.line)


def quieted(line: Any, colour: str) -> None:
    """Draw a thin line."""
    line.width = Pt(0.75)
    paint(line.fill, colour)


def axis_words(axis: Any, words: str, look: Look) -> None:
    """Write what the values of an axis are."""
    axis.has_title = bool(words)
    if words:
        frame = axis.axis_title.text_frame
        frame.text = words
        font = frame.paragraphs[0].runs[0].font
        font.size, font.bold = Pt(SMALL), False
        paint(font.fill, look.ink)


def scale(axis: Any, chart: Chart, *, room: float = 1.0) -> None:
    """Let an axis of values run from nothing, or from as far below as above, to the chart's end."""
    top = chart.top * (100 if chart.form == "points" else 1)
    names = [series.name for series in chart.series]
    axis.minimum_scale = -top * room if (chart.frame[names] < 0).any(axis=None) else 0
    axis.maximum_scale = top * room
    axis.tick_labels.number_format, axis.tick_labels.number_format_is_linked = FORMATS[chart.form], False
    if room == 1:
        axis.major_unit = stepped(top)


def stepped(top: float) -> float:
    """Return the distance of marks on an axis, a round one.

    Examples
    --------
    >>> stepped(1.0), stepped(0.8), stepped(0.15), stepped(12)
    (0.2, 0.2, 0.05, 2.0)
    """
    round_ones = (f"{top / parts:.3e}" for parts in (5, 4, 3, 6, 2))
    return float(next((text for text in round_ones if float(text.split("e")[0]) in {1, 2, 2.5, 5}), f"{top / 4:.6g}"))


def legend_height(labels: Sequence[str], box: Box) -> float:
    """Return how high a legend of these labels is over the width of a box, in points."""
    # Some programs set it in columns, each as wide as the widest label.
    each = max(wide(name_cut(label, LABEL, SMALL), SMALL) for label in labels) + _KEY
    across = max(int(Emu(box.width).pt * 0.9 // each), 1)
    return -(-len(labels) // across) * SMALL * LINE + 8


def _place_legend(drawn: Any, hidden: Sequence[int] = ()) -> None:
    legend = drawn.legend
    legend.position, legend.include_in_layout = XL_LEGEND_POSITION.TOP, False
    legend.font.size = Pt(SMALL)
    hide_entries(legend, hidden)


def hide_entries(legend: Any, hidden: Sequence[int]) -> None:
    """Take series from a legend that are no marks of their own."""
    place = legend._element.find(qn("c:legendPos"))  # noqa: SLF001 - the library has no door to these entries
    for number_ in reversed(hidden):
        entry = etree.Element(qn("c:legendEntry"))
        etree.SubElement(entry, qn("c:idx"), val=str(number_))
        etree.SubElement(entry, qn("c:delete"), val="1")
        place.addnext(entry)


def fit_plot(drawn: Any, left: float, top: float, width: float, height: float) -> None:
    """Give the plot its part of the chart: where programs share the room out, some leave out labels."""
    area = drawn._chartSpace.chart.plotArea  # noqa: SLF001 - the library has no door to the layout
    for old in area.findall(qn("c:layout")):
        area.remove(old)
    layout = etree.Element(qn("c:layout"))
    area.insert(0, layout)
    inner = etree.SubElement(layout, qn("c:manualLayout"))
    for tag, value in (("layoutTarget", "inner"), ("xMode", "edge"), ("yMode", "edge")):
        etree.SubElement(inner, qn(f"c:{tag}"), val=value)
    for tag, part in (("x", left), ("y", top), ("w", width), ("h", height)):
        etree.SubElement(inner, qn(f"c:{tag}"), val=f"{part:.4g}")


def _every_label(axis: Any) -> None:
    skip = etree.Element(qn("c:tickLblSkip"), val="1")
    axis._element.find(qn("c:noMultiLvlLbl")).addprevious(skip)  # noqa: SLF001 - the format has an order


def _finish_bars(bars: Any, chart: Chart, series: Series, look: Look) -> None:
    bars.invert_if_negative = False
    paint(bars.format.fill, colours_of(chart, look, PALE)[series.name])
    if chart.strong and len(chart.series) == 1:
        for place, is_strong in enumerate(chart.frame[chart.strong]):
            if not is_strong:
                paint(bars.points[place].format.fill, PALE)
    labels = bars.data_labels
    labels.show_value = True
    labels.number_format, labels.number_format_is_linked = FORMATS[chart.form], False
    labels.position = XL_LABEL_POSITION.OUTSIDE_END
    labels.font.size = Pt(SMALL)
    paint(labels.font.fill, look.ink)
    # A value of four signs is one line, also where programs find it too wide.
    for body in labels._element.iter(qn("a:bodyPr")):  # noqa: SLF001 - the library has no door to how labels break
        body.set("wrap", "none")
