"""Charts that PowerPoint draws itself, from numbers that can be edited there."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, cast

import pandas as pd
from lxml import etree
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.chart.xlsx import CategoryWorkbookWriter, XyWorkbookWriter
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION, XL_TICK_LABEL_POSITION, XL_TICK_MARK
from pptx.oxml.ns import qn
from pptx.util import Emu, Pt
from xlsxwriter import Workbook

from toolkit.interface.text import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from toolkit.reports.contents import Chart, Series

__all__ = ["add_native"]

_INK: Final = "1B1B1B"
_GRID: Final = "D9D9D9"
_FORMATS: Final = {"percent": "0%", "whole": "#,##0", "number": "#,##0.0", "text": "General"}
_LONGEST: Final = 52
#: Space between bars in per cent of their width: few bars would look like walls.
_GAP_ALONE, _GAP_GROUPED, _GAP_FEW = 45, 60, 150
#: Parts of a chart: free at its edges, least and most for labels of bars, height of the bars with a legend and without.
_MARGIN, _LEFT, _HIGH, _HIGH_ALONE = 0.02, (0.12, 0.36), 0.77, 0.83
#: Width of a letter as a part of the type size.
_LETTER: Final = 0.52
_FEW: Final = 3
_MANY: Final = 8


def add_native(slide: Any, chart: Chart, box: Sequence[int], name: str, at: datetime) -> Any:
    """Put a chart on a slide and return its shape; of a matrix, which is a table, there is none.

    `box` is left, top, width and height in EMU; `at` is when the numbers behind the chart say that they were made.
    """
    kind, data = _lines_data(chart, at) if chart.kind == "lines" else _bars_data(chart, at)
    shape = slide.shapes.add_chart(kind, *box, data)
    shape.name = name
    shape._element.nvGraphicFramePr.cNvPr.set("descr", chart.says)  # noqa: SLF001 - the library has no door to alt text
    drawn = shape.chart
    drawn.has_title = False
    drawn.font.size = Pt(11 if len(chart.frame) > _MANY and chart.kind != "lines" else 12)
    drawn.font.color.rgb = _color(_INK)
    drawn.has_legend = len(chart.series) > 1
    if drawn.has_legend:
        drawn.legend.position = XL_LEGEND_POSITION.BOTTOM
        drawn.legend.include_in_layout = False
    _finish_axes(drawn, chart)
    if chart.kind == "lines":
        _finish_lines(drawn, chart)
    else:
        _finish_bars(drawn, chart)
        _make_room(drawn, chart, Emu(box[2]).pt)
    return shape


def _color(digits: str) -> Any:
    return cast("Any", RGBColor).from_string(digits)


class _Texts:
    """Writes the numbers behind a chart into a workbook in which every text is text.

    A label such as ``=cmd|…`` would otherwise be a formula for whoever edits the data.
    """

    at: datetime

    @contextmanager
    def _open_worksheet(self, file: Any) -> Iterator[tuple[Any, Any]]:
        options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
        workbook = Workbook(file, options)
        workbook.set_properties({"created": self.at})
        yield workbook, workbook.add_worksheet()
        workbook.close()


class _CategoryWriter(_Texts, CategoryWorkbookWriter):
    pass


class _XyWriter(_Texts, XyWorkbookWriter):
    pass


def _of(data: Any, writer: Any, at: datetime) -> Any:
    made = writer(data)
    made.at = at
    data.__dict__["_workbook_writer"] = made  # where the library keeps the one that it makes on first use
    return data


def _bars_data(chart: Chart, at: datetime) -> tuple[Any, Any]:
    data = _of(cast("Any", CategoryChartData)(number_format=_FORMATS[chart.form]), _CategoryWriter, at)
    data.categories = [shortened(str(label), _LONGEST) for label in chart.frame[chart.labels]]
    for series in chart.series:
        data.add_series(series.label, [_number(value) for value in chart.frame[series.name]])
    return XL_CHART_TYPE.BAR_STACKED if chart.kind == "stacked" else XL_CHART_TYPE.BAR_CLUSTERED, data


def _lines_data(chart: Chart, at: datetime) -> tuple[Any, Any]:
    data = _of(cast("Any", XyChartData)(number_format=_FORMATS[chart.form]), _XyWriter, at)
    for series in chart.series:
        points = data.add_series(series.label)
        for place, value in zip(chart.frame[chart.labels], chart.frame[series.name], strict=True):
            if pd.notna(value):
                points.add_data_point(float(place), float(value))
    return XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS, data


def _number(value: Any) -> float | None:
    return float(value) if pd.notna(value) and math.isfinite(value) else None


def _finish_axes(drawn: Any, chart: Chart) -> None:
    values, places = drawn.value_axis, drawn.category_axis
    values.has_title = bool(chart.axis)
    if chart.axis:
        _entitle(values, chart.axis)
    values.tick_labels.number_format = _FORMATS[chart.form]
    values.tick_labels.number_format_is_linked = False
    values.minimum_scale, values.maximum_scale = 0, chart.top
    places.format.line.color.rgb = _color("8A8A8A")
    if chart.kind == "index":
        values.crosses_at, values.major_unit = chart.start, chart.step
        # The line at which all bars begin: without marks, which would look like ends of intervals.
        places.format.line.color.rgb, places.format.line.width = _color(_INK), Pt(1.5)
        places.major_tick_mark = XL_TICK_MARK.NONE
    values.major_gridlines.format.line.color.rgb = _color(_GRID)
    values.format.line.fill.background()
    places.has_major_gridlines = False
    if chart.kind == "lines":
        places.minimum_scale = 0
        places.maximum_scale = float(chart.frame[chart.labels].max())
        if chart.across:
            _entitle(places, chart.across)
        return
    # The first row stands on top, and the values below the last.
    places.reverse_order = True
    skip = etree.SubElement(places._element, qn("c:tickLblSkip"))  # noqa: SLF001 - every bar has its label
    skip.set("val", "1")
    places._element.find(qn("c:noMultiLvlLbl")).addprevious(skip)  # noqa: SLF001 - the format has an order
    places.tick_label_position = XL_TICK_LABEL_POSITION.LOW
    values.tick_label_position = XL_TICK_LABEL_POSITION.HIGH


def _entitle(axis: Any, words: str) -> None:
    axis.has_title = True
    frame = axis.axis_title.text_frame
    frame.text = words
    font = frame.paragraphs[0].runs[0].font
    font.size, font.bold, font.color.rgb = Pt(12), False, _color(_INK)


def _finish_bars(drawn: Any, chart: Chart) -> None:
    plot = drawn.plots[0]
    wide = len(chart.frame) <= _FEW
    plot.gap_width = _GAP_FEW if wide else _GAP_ALONE if len(chart.series) == 1 else _GAP_GROUPED
    plot.overlap = 100 if chart.kind == "stacked" else 0
    for color, series, bars in zip(chart.colors, chart.series, plot.series, strict=True):
        bars.format.fill.solid()
        bars.format.fill.fore_color.rgb = _color(color)
        bars.invert_if_negative = False
        if series.hollow:
            bars.format.line.color.rgb = _color(color)
            for place, hollow in enumerate(chart.frame[series.hollow]):
                if hollow:
                    _hollow(bars.points[place].format, color)
        if series.low:
            _add_whiskers(bars._element, chart, series)  # noqa: SLF001 - the library has no door to error bars
        elif chart.kind == "bars":
            labels = bars.data_labels
            labels.show_value = True
            labels.number_format, labels.number_format_is_linked = _FORMATS[chart.form], False
            labels.font.size = Pt(12)


def _make_room(drawn: Any, chart: Chart, width: float) -> None:
    """Give labels of bars the room that the longest needs: where programs share it out, some leave out labels."""
    longest = max(len(shortened(str(label), _LONGEST)) for label in chart.frame[chart.labels])
    left = min(max(_MARGIN + longest * drawn.font.size.pt * _LETTER / width, _LEFT[0]), _LEFT[1])
    area = drawn._chartSpace.chart.plotArea  # noqa: SLF001 - the library has no door to the layout
    for old in area.findall(qn("c:layout")):
        area.remove(old)
    layout = etree.Element(qn("c:layout"))
    area.insert(0, layout)
    places = etree.SubElement(layout, qn("c:manualLayout"))
    high = _HIGH if len(chart.series) > 1 else _HIGH_ALONE
    for tag, value in (
        ("layoutTarget", "inner"),
        ("xMode", "edge"),
        ("yMode", "edge"),
        ("x", f"{left:.4g}"),
        ("y", f"{_MARGIN:.4g}"),
        ("w", f"{1 - left - 2 * _MARGIN:.4g}"),
        ("h", f"{high:.4g}"),
    ):
        etree.SubElement(places, qn(f"c:{tag}")).set("val", value)


def _hollow(look: Any, color: str) -> None:
    look.fill.solid()
    look.fill.fore_color.rgb = _color("FFFFFF")
    look.line.color.rgb = _color(color)
    look.line.width = Pt(1.25)


def _finish_lines(drawn: Any, chart: Chart) -> None:
    for number, (color, line) in enumerate(zip(chart.colors, drawn.plots[0].series, strict=True)):
        line.smooth = False
        line.format.line.width = Pt(3 if number == 0 else 1.5)
        line.format.line.color.rgb = _color(color)


def _add_whiskers(element: Any, chart: Chart, series: Series) -> None:
    downs, ups = chart.whiskers(series)
    bars = etree.SubElement(element, qn("c:errBars"))
    for tag, value in (("errBarType", "both"), ("errValType", "cust"), ("noEndCap", "0")):
        etree.SubElement(bars, qn(f"c:{tag}")).set("val", value)
    for tag, lengths in (("plus", ups), ("minus", downs)):
        numbers = etree.SubElement(etree.SubElement(bars, qn(f"c:{tag}")), qn("c:numLit"))
        etree.SubElement(numbers, qn("c:formatCode")).text = "General"
        etree.SubElement(numbers, qn("c:ptCount")).set("val", str(len(lengths)))
        for place, length in enumerate(lengths):
            if pd.notna(length):
                point = etree.SubElement(numbers, qn("c:pt"))
                point.set("idx", str(place))
                etree.SubElement(point, qn("c:v")).text = f"{length:.6g}"
    line = etree.SubElement(etree.SubElement(bars, qn("c:spPr")), qn("a:ln"))
    line.set("w", "12700")
    fill = etree.SubElement(etree.SubElement(line, qn("a:solidFill")), qn("a:srgbClr"))
    fill.set("val", "1B1B1B")
    # The format has an order: before the categories.
    element.find(qn("c:cat")).addprevious(bars)
