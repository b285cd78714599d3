"""A report as a workbook: one finding a sheet, its numbers as numbers, and a chart of them beside it."""

from __future__ import annotations

import io
import math
import re
from typing import TYPE_CHECKING, Any, Final

import pandas as pd
import xlsxwriter
from xlsxwriter.utility import xl_range_abs

from toolkit.charts.colours import NATIVE_SHADES
from toolkit.interface.text import shortened
from toolkit.reports.words import said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolkit.reports.contents import Chart, Column, Report, Section, Series, Table
    from toolkit.reports.words import Form

__all__ = ["book", "sheet_names"]

_UNFIT: Final = re.compile(r"[\[\]:*?/\\]")
_LONGEST_NAME: Final = 31
_LONGEST_CELL: Final = 32_000
_FORMATS: Final = {"text": "@", "whole": "#,##0", "number": "#,##0.0##", "percent": "0.0%"}
_WIDEST: Final = 60
_NARROWEST: Final = 10
_TEXT_WIDTH: Final = 110
_HEAD_ROW: Final = 6
_CHART_SIZE: Final = (860, 520)
#: Columns of ordinary width that lie under a chart.
_CHART_COLUMNS: Final = 14
#: Rows that it covers.
_CHART_ROWS: Final = 28
#: Columns that the texts above a table lie over.
_TEXT_COLUMNS: Final = 10
_TAKEN: Final = frozenset({"methods", "history"})


def book(report: Report) -> bytes:
    """Return a report as an Excel workbook, in which no text is a formula or a link.

    The first sheet has the methods and a list of the others; then come a sheet a finding and the methods' tables.
    """
    file = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(file, {**options, "nan_inf_to_errors": False}) as workbook:
        workbook.set_properties({"title": report.title[:255], "subject": report.subtitle[:255], "created": report.at})
        _Writer(workbook).write(report)
    return file.getvalue()


def sheet_names(names: Iterable[str]) -> list[str]:
    """Return names that sheets may have, each another one.

    Examples
    --------
    >>> sheet_names(["Groups: a/b", "Groups* a b", "Methods"])
    ['Groups a b', 'Groups a b (2)', 'Methods (2)']
    """
    given: list[str] = []
    taken = set(_TAKEN)
    for name in names:
        plain = " ".join(_UNFIT.sub(" ", name).split()).strip("' ") or "Sheet"
        wording, number = plain[:_LONGEST_NAME].strip("' "), 2
        while wording.casefold() in taken:
            mark = f" ({number})"
            wording, number = plain[: _LONGEST_NAME - len(mark)].rstrip() + mark, number + 1
        taken.add(wording.casefold())
        given.append(wording)
    return given


class _Writer:
    """Writes the sheets of one workbook."""

    def __init__(self, workbook: Any) -> None:
        self._book = workbook
        base = {"font_name": "Calibri", "font_size": 11, "font_color": "#1B1B1B", "valign": "top"}
        self._plain = workbook.add_format(base)
        self._text = workbook.add_format({**base, "text_wrap": True})
        self._name = workbook.add_format({**base, "bold": True, "text_wrap": True})
        self._title = workbook.add_format({**base, "bold": True, "font_size": 18})
        self._part = workbook.add_format({**base, "bold": True, "font_size": 13, "font_color": "#00507D"})
        self._soft = workbook.add_format({**base, "font_color": "#4A4A4A", "text_wrap": True})
        self._link = workbook.add_format({**base, "font_color": "#00507D", "underline": 1})
        self._head = workbook.add_format(
            {
                **base,
                "bold": True,
                "font_color": "#FFFFFF",
                "bg_color": "#00507D",
                "text_wrap": True,
                "valign": "vcenter",
            }
        )
        self._row = workbook.add_format({**base, "bold": True})
        self._axis = workbook.add_format({**base, "font_color": "#4A4A4A"})
        middle = {**base, "align": "center", "border": 1, "border_color": "#FFFFFF"}
        self._own = workbook.add_format({**middle, "bg_color": "#ECECEC"})
        codes = {**_FORMATS, "percent": "0%"}
        self._shaded = {form: workbook.add_format({**middle, "num_format": code}) for form, code in codes.items()}
        self._cells = {form: workbook.add_format({**base, "num_format": code}) for form, code in _FORMATS.items()}

    def write(self, report: Report) -> None:
        tables = report.methods.tables
        names = sheet_names([section.name for section in report.sections] + [_sheet_of(table) for table in tables])
        self._write_cover(report, names)
        for section, name in zip(report.sections, names, strict=False):
            self._write_finding(section, name)
        for table, name in zip(tables, names[len(report.sections) :], strict=True):
            sheet = self._sheet(name)
            self._write_title(sheet, table.caption)
            self._write_back(sheet)
            self._write_table(sheet, table)

    def _write_cover(self, report: Report, names: list[str]) -> None:
        sheet = self._sheet("Methods")
        sheet.set_column(0, 0, 26)
        sheet.set_column(1, 1, _TEXT_WIDTH)
        self._write_title(sheet, report.title)
        sheet.write_string(1, 0, _fit(report.subtitle), self._plain)
        row = 3
        titles = [section.title for section in report.sections] + [table.caption for table in report.methods.tables]
        row = self._begin(sheet, row, "In this workbook")
        for name, title in zip(names, titles, strict=True):
            sheet.write_url(row, 0, _place(name), self._link, name)
            self._write_words(sheet, row, title)
            row += 1
        row = self._begin(sheet, row + 1, "How these findings were got")
        for name, value in report.methods.facts:
            sheet.write_string(row, 0, _fit(name), self._name)
            self._write_words(sheet, row, value)
            row += 1
        for heading, texts in (
            ("How the numbers are computed", report.methods.text),
            ("What this report cannot say", report.methods.limits),
        ):
            if texts:
                row = self._begin(sheet, row + 1, heading)
            for text in texts:
                self._write_words(sheet, row, text)
                row += 1
        sheet.freeze_panes(2, 0)

    def _write_words(self, sheet: Any, row: int, text: str) -> None:
        sheet.write_string(row, 1, _fit(text), self._text)
        sheet.set_row(row, _height(text, _TEXT_WIDTH))

    def _begin(self, sheet: Any, row: int, heading: str) -> int:
        sheet.write_string(row, 0, heading, self._part)
        return row + 1

    def _write_finding(self, section: Section, name: str) -> None:
        sheet = self._sheet(name)
        self._write_title(sheet, section.title)
        texts = (
            (" ".join(section.text), self._text),
            (" ".join(section.notes), self._soft),
            (section.footer, self._soft),
        )
        for row, (text, style) in enumerate(texts, 1):
            sheet.merge_range(row, 0, row, _TEXT_COLUMNS - 1, "", style)
            sheet.write_string(row, 0, _fit(text), style)
            sheet.set_row(row, _height(text, _TEXT_WIDTH))
        self._write_back(sheet)
        beside = 0
        if section.table is not None:
            beside = self._write_table(sheet, section.table) + 1
        rows, columns = max(len(section.table.frame) if section.table else 0, _CHART_ROWS), 0
        if section.chart is not None and section.chart.kind == "matrix":
            self._write_matrix(sheet, section.chart, beside)
            rows, columns = max(rows, len(section.chart.frame)), len(section.chart.series) + 1
        elif section.chart is not None:
            self._write_chart(sheet, name, section.chart, beside)
            columns = _CHART_COLUMNS
        # Without the chart's own numbers, which would make a printed page tiny.
        sheet.print_area(0, 0, _HEAD_ROW + rows, max(beside + columns, _TEXT_COLUMNS) - 1)

    def _write_title(self, sheet: Any, text: str) -> None:
        sheet.write_string(0, 0, _fit(text), self._title)
        sheet.set_row(0, 28)

    def _write_back(self, sheet: Any) -> None:
        sheet.write_url(4, 0, _place("Methods"), self._link, "Methods and contents")

    def _write_table(self, sheet: Any, table: Table) -> int:
        """Write a table below the texts, and return its width."""
        sheet.set_row(_HEAD_ROW, 34)
        columns = [(name, heading, column.form) for column in table.columns for name, heading in _spread(column)]
        for place, (name, heading, form) in enumerate(columns):
            sheet.write_string(_HEAD_ROW, place, _fit(heading), self._head)
            self._write_column(sheet, place, table.frame[name], form)
            longest = max((len(str(value)) for value in table.frame[name] if form == "text"), default=0)
            sheet.set_column(place, place, min(max(longest, len(heading) * 0.8, _NARROWEST), _WIDEST) + 2)
        sheet.freeze_panes(_HEAD_ROW + 1, 1)
        if len(table.frame):
            sheet.autofilter(_HEAD_ROW, 0, _HEAD_ROW + len(table.frame), len(columns) - 1)
        return len(columns)

    def _write_column(self, sheet: Any, place: int, values: pd.Series, form: Form) -> None:
        style = self._cells[form]
        for row, value in enumerate(values, _HEAD_ROW + 1):
            if pd.isna(value):
                sheet.write_blank(row, place, None, style)
            elif form == "text" or not math.isfinite(value):
                # A spreadsheet has no number without end.
                sheet.write_string(row, place, _fit(said(value, form)), style)
            else:
                sheet.write_number(row, place, float(value), style)

    def _write_chart(self, sheet: Any, name: str, chart: Chart, beside: int) -> None:
        """Put a chart beside the table, and the numbers that it draws behind it."""
        first = beside + _CHART_COLUMNS
        columns = [chart.labels, *(series.name for series in chart.series)]
        headings = [chart.across or "Chart", *(series.label for series in chart.series)]
        forms: list[Form] = ["number" if chart.kind == "lines" else "text", *([chart.form] * len(chart.series))]
        for place, (column, heading, form) in enumerate(zip(columns, headings, forms, strict=True), first):
            sheet.write_string(_HEAD_ROW, place, _fit(heading), self._head)
            # A sign for what is without end would be drawn as nothing at all.
            values = chart.frame[column] if form == "text" else chart.frame[column].replace([math.inf, -math.inf], None)
            self._write_column(sheet, place, values, form)
            sheet.set_column(place, place, 16)
        drawn = self._book.add_chart(_kind(chart))
        last = _HEAD_ROW + len(chart.frame)
        quoted = "'" + name.replace("'", "''") + "'"
        ends = first + len(columns)
        for number, series in enumerate(chart.series):
            places = xl_range_abs(_HEAD_ROW + 1, first, last, first)
            values = xl_range_abs(_HEAD_ROW + 1, first + 1 + number, last, first + 1 + number)
            color = f"#{chart.colors[number]}"
            look: dict[str, Any] = (
                {"line": {"color": color, "width": 2.5 if number == 0 else 1.25}, "marker": {"type": "none"}}
                if chart.kind == "lines"
                else {"fill": {"color": color}, "gap": 50, **_points(chart, series, color)}
            )
            drawn.add_series(
                {
                    "name": [name, _HEAD_ROW, first + 1 + number],
                    "categories": f"={quoted}!{places}",
                    "values": f"={quoted}!{values}",
                    **look,
                    **self._whiskers(sheet, chart, series, quoted, ends + 2 * number),
                }
            )
        _finish(drawn, chart)
        sheet.insert_chart(_HEAD_ROW, beside, drawn, {"description": chart.says, "object_position": 2})

    def _whiskers(self, sheet: Any, chart: Chart, series: Series, quoted: str, first: int) -> dict[str, Any]:
        """Write how far intervals reach to both sides of the bars, and return the chart's option for them."""
        if not series.low or chart.kind == "lines":
            return {}
        downs, ups = chart.whiskers(series)
        places = []
        for place, heading, lengths in ((first, "up", ups), (first + 1, "down", downs)):
            sheet.write_string(_HEAD_ROW, place, _fit(f"{series.label}, {heading}"), self._head)
            self._write_column(sheet, place, lengths, chart.form)
            places.append(f"={quoted}!{xl_range_abs(_HEAD_ROW + 1, place, _HEAD_ROW + len(lengths), place)}")
        line = {"color": "#1B1B1B", "width": 1}
        # A bar lies along the horizontal axis, but its values are still called y.
        return {"y_error_bars": {"type": "custom", "plus_values": places[0], "minus_values": places[1], "line": line}}

    def _write_matrix(self, sheet: Any, chart: Chart, beside: int) -> None:
        """Write a matrix beside the table: numbers that Excel shades, and texts where a cell has none."""
        last = beside + len(chart.series)
        longest = max(len(str(label)) for label in chart.frame[chart.labels])
        sheet.set_column(beside, beside, min(max(longest, _NARROWEST), _WIDEST) + 2)
        sheet.set_column(beside + 1, last, 14)
        # The texts above lie over the table, so this stands in the row between.
        sheet.write_string(_HEAD_ROW - 1, beside, _fit(chart.axis), self._axis)
        sheet.write_string(_HEAD_ROW, beside, _fit(chart.across), self._head)
        for row, label in enumerate(chart.frame[chart.labels], _HEAD_ROW + 1):
            sheet.write_string(row, beside, _fit(str(label)), self._row)
        for place, series in enumerate(chart.series, beside + 1):
            sheet.write_string(_HEAD_ROW, place, _fit(series.label), self._head)
            words = chart.frame[series.words] if series.words else [""] * len(chart.frame)
            for row, (value, text) in enumerate(zip(chart.frame[series.name], words, strict=True), _HEAD_ROW + 1):
                if pd.isna(value):
                    sheet.write_string(row, place, _fit(str(text)), self._own)
                else:
                    sheet.write_number(row, place, float(value), self._shaded[chart.form])
        low, high = (f"#{color}" for color in NATIVE_SHADES)
        scale = {"type": "2_color_scale", "min_type": "num", "max_type": "num", "min_value": 0, "max_value": chart.top}
        cells = (_HEAD_ROW + 1, beside + 1, _HEAD_ROW + len(chart.frame), last)
        # What a cell without a number says can be digits, of which Excel would complain.
        sheet.ignore_errors({"number_stored_as_text": xl_range_abs(*cells).replace("$", "")})
        sheet.conditional_format(*cells, {**scale, "min_color": low, "max_color": high})

    def _sheet(self, name: str) -> Any:
        sheet = self._book.add_worksheet(name)
        sheet.hide_gridlines(2)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        return sheet


def _points(chart: Chart, series: Series, color: str) -> dict[str, Any]:
    """Return the option of a chart for bars that are drawn hollow."""
    if not series.hollow:
        return {}
    line = {"color": color, "width": 1.25}
    empty = {"fill": {"color": "#FFFFFF"}, "border": line}
    return {"border": line, "points": [empty if hollow else None for hollow in chart.frame[series.hollow]]}


def _kind(chart: Chart) -> dict[str, str]:
    if chart.kind == "lines":
        return {"type": "scatter", "subtype": "straight"}
    return {"type": "bar", "subtype": "stacked"} if chart.kind == "stacked" else {"type": "bar"}


def _finish(drawn: Any, chart: Chart) -> None:
    values = {
        "name": chart.axis,
        "name_font": {"bold": False},
        "num_format": "0%" if chart.form == "percent" else _FORMATS[chart.form],
        "min": 0,
        "max": chart.top,
        "major_gridlines": {"visible": True, "line": {"color": "#D9D9D9"}},
    }
    if chart.kind == "lines":
        drawn.set_x_axis(
            {
                "name": chart.across,
                "name_font": {"bold": False},
                "min": 0,
                "max": float(chart.frame[chart.labels].max()),
            }
        )
        drawn.set_y_axis(values)
    else:
        # The first row stands on top, and the values below the last.
        labels = {"reverse": True, "label_position": "low", "interval_unit": 1}
        if chart.kind == "index":
            values |= {"crossing": chart.start, "major_unit": chart.step}
            labels |= {"line": {"color": "#1B1B1B", "width": 1.5}, "major_tick_mark": "none"}
        drawn.set_y_axis(labels)
        drawn.set_x_axis({**values, "label_position": "high"})
    drawn.set_title({"none": True})
    drawn.set_legend({"position": "bottom"} if len(chart.series) > 1 else {"none": True})
    drawn.set_size({"width": _CHART_SIZE[0], "height": _CHART_SIZE[1]})


def _spread(column: Column) -> list[tuple[str, str]]:
    """Return the columns of a sheet for a column of a table: an interval has two of its own."""
    ends = [(column.low, f"{column.heading}, at least"), (column.high, f"{column.heading}, at most")]
    return [(column.name, column.heading), *(end for end in ends if end[0])]


def _place(name: str) -> str:
    quoted = name.replace("'", "''")
    return f"internal:'{quoted}'!A1"


def _sheet_of(table: Table) -> str:
    return table.caption.split(":")[0].split(",")[0]


def _height(text: str, width: int) -> float:
    """Return the height of a row with a wrapped text, which some programs do not find out themselves."""
    return float(16 * min(max(-(-len(text) // width), 1), 8))


def _fit(text: str) -> str:
    return shortened(text, _LONGEST_CELL)
