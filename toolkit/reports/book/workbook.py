"""The sheets of a report's workbook: which there are, and how each is written."""

from __future__ import annotations

import io
import math
import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Any, Final

import pandas as pd
import xlsxwriter
from xlsxwriter.utility import quote_sheetname, xl_range, xl_range_abs, xl_rowcol_to_cell

from toolkit.charts.colours import DIVERGING
from toolkit.findings.insights.told import COUNT
from toolkit.interface.text import counted, day
from toolkit.reports.book.charts import HEIGHT, VALUES, WIDTH, Numbers, scale
from toolkit.reports.book.sizes import (
    LINE,
    MOST_LINES,
    ORDINARY,
    TEXT_WIDTH,
    WIDEST,
    fits_upright,
    fitting,
    head_lines,
    height,
    logo_scale,
    reach,
    spread,
    tall,
    widths_of,
)
from toolkit.reports.book.styles import Styles
from toolkit.reports.contents import Column, Part, Table
from toolkit.reports.words import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolkit.reports.brand import Brand
    from toolkit.reports.contents import Advice, Chart, Report
    from toolkit.reports.words import Form

__all__ = ["book", "sheet_names"]

_UNFIT: Final = re.compile(r"[\[\]:*?/\\]")
_LONGEST_NAME: Final = 31
#: Excel keeps this name for itself.
_TAKEN: Final = "history"
#: Characters that a cell takes, and rows that a sheet takes, and room for what stands around a table.
_LONGEST_CELL: Final = 32_767
MOST_ROWS: Final = 1_048_576 - 16
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?")
#: Before it, Excel counts days in another way.
_FIRST_DAY: Final = datetime(1900, 3, 1)  # noqa: DTZ001 - a sheet knows no zones
#: Rows of a sheet: the texts above the table, its caption and its headings.
_TITLE, _TEXT, _SAID, _LINKS, _CAPTION, _HEAD = range(6)
#: Rows of a table below which a picture is still on the screen.
_SHORT: Final = 14
#: Letters that a page in landscape has room for: more stand on several beside each other.
_PAGE_WIDTH: Final = 340
_EVERY: Final = "Everything by site"
_METHODS: Final = "Methods"
_FRONT_WIDTHS: Final = (31, 88, 13, 13, 31)
#: More sites than these stand on a sheet of their own.
_FEW_SITES: Final = 12
#: Height of a row of headings in points, and lines that it has room for.
_HEAD_HEIGHT: Final = 34
_HEAD_LINES: Final = 2
#: Size of ordinary letters, and height of a row without any.
_LETTERS, _GAP = 11, 4
_MIDNIGHT: Final = time()
_PIXELS: Final = (64, 20)
_KINDS: Final = {"proofs": "Finding", "changes": "Change", "leads": "Lead"}
_ADVICE: Final = {"sites": "Sites to take", "audience": "Audience to name", "gap": "Gap to fill"}
#: What the sites of an advice are.
_LISTED: Final = {
    "sites": "The sites to take, in order",
    "audience": "The sites that match the segment",
    "gap": "The sites of the gap",
}
_LESS, _SAME, _MORE = DIVERGING[1][1], DIVERGING[2][1], DIVERGING[3][1]


@dataclass(slots=True)
class _Sheet:
    """One sheet: a table, or a picture, and what is said of it."""

    name: str
    title: str
    table: Table | None = None
    #: What it is of; None where it is of no part.
    part: Part | Advice | None = None
    chart: Chart | None = None
    #: How each value of a column is shown, by the column's name, where that is not the same in a whole column.
    forms: Mapping[str, Sequence[Form]] = field(default_factory=dict)
    is_shaded: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether all rows are printed: of what is looked things up in, a page says enough on paper."""
        is_list = isinstance(self.part, Part) and self.part.of == "sites"
        return is_list or self.name == _METHODS or self.name == _ADVICE["sites"]


def book(report: Report, brand: Brand) -> bytes:
    """Return a report as an Excel workbook, in which no text is a formula or a link.

    The first sheet has the answer, the findings and the advice, each with a link to its sheet; then come a sheet a
    table, in the order of the report, with the chart beside it.
    """
    file = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(file, {**options, "nan_inf_to_errors": False}) as workbook:
        about = {"title": report.title, "subject": report.subtitle, "company": report.client}
        workbook.set_properties({**{name: text[:255] for name, text in about.items()}, "created": report.at})
        _Writer(workbook, report, brand).write()
    return file.getvalue()


def sheet_names(names: Iterable[str]) -> list[str]:
    """Return names that sheets may have, each another one.

    Examples
    --------
    >>> sheet_names(["Groups: a/b", "Groups* a b", "History"])
    ['Groups a b', 'Groups a b (2)', 'History (2)']
    """
    given: list[str] = []
    taken = {_TAKEN}
    for name in names:
        plain = " ".join(_UNFIT.sub(" ", name).split()).strip("' ") or "Sheet"
        wording, number = _cut(plain, _LONGEST_NAME).strip("' "), 2
        while wording.casefold() in taken:
            mark = f" ({number})"
            wording, number = _cut(plain, _LONGEST_NAME - len(mark)).rstrip() + mark, number + 1
        taken.add(wording.casefold())
        given.append(wording)
    return given


# Which sheets there are ----------------------------------------------------------------------------------------------


def _sheets(report: Report) -> list[_Sheet]:
    """Return the sheets behind the first, in the order of the report, and last what belongs to several of them."""
    sheets: list[_Sheet] = []
    for name in dict.fromkeys(report.order):
        match name:
            case "proofs":
                # What a proof and a part of the profile are about may have one name.
                parts = tuple(
                    replace(part, name=f"Proof {place} - {part.name}") for place, part in enumerate(report.proofs, 1)
                )
            case "advice":
                sheets += [sheet for advice in report.advice if (sheet := _of_advice(advice))]
                continue
            case "methods":
                sheets += _of_methods(report)
                continue
            case _:
                parts = report.parts_of(name)
        sheets += [sheet for part in parts for sheet in _of_part(part)]
        if name == "sites" and report.cards:
            sheets.append(_Sheet(_EVERY, "All that is known of each site", _cards(report)))
    return sheets


def _of_part(part: Part) -> list[_Sheet]:
    chart = part.chart
    if chart is not None and chart.kind == "heatmap":
        shades = _Sheet(part.name, part.title, _as_table(chart), part, chart, is_shaded=True)
        return [shades] + ([_Sheet(f"{part.name}, table", part.title, part.table, part)] if part.table else [])
    table = part.table or (None if chart is None else _as_table(chart))
    return [_Sheet(part.name, part.title, table, part, chart)]


def _as_table(chart: Chart) -> Table:
    """Return the numbers of a chart as a table: a row a row, a column a series."""
    places = Column(chart.labels, chart.across or "What", "number" if chart.kind == "lines" else "text")
    unit = "".join(chart.axis.rpartition(", ")[1:]) if chart.kind != "heatmap" else ""
    values = [Column(series.name, series.label + unit, chart.form, series.low, series.high) for series in chart.series]
    tips = [Column(chart.tips, "Of which")] if chart.tips else []
    return Table(chart.axis or chart.alt, chart.frame, (places, *values, *tips))


def _of_advice(advice: Advice) -> _Sheet | None:
    table = advice.table
    if table is None and len(advice.sites) > _FEW_SITES:
        table = Table(_LISTED[advice.kind], pd.DataFrame({"site": advice.sites}), (Column("site", "Site"),))
    return None if table is None else _Sheet(_ADVICE[advice.kind], advice.what, table, advice)


def _of_methods(report: Report) -> list[_Sheet]:
    methods = report.methods
    rows = list(methods.facts)
    told = {"How the numbers are computed": methods.text, "What this report cannot say": methods.limits}
    for name, texts in told.items():
        rows += [("" if place else name, text) for place, text in enumerate(texts)]
    columns = (Column("name", "What"), Column("text", "In words"))
    table = Table("How these findings were made", pd.DataFrame(rows, columns=[c.name for c in columns]), columns)
    others = [_Sheet(re.split(r"[:,]", table.caption)[0], table.caption, table) for table in methods.tables]
    return [_Sheet(_METHODS, "How these findings were made, and what they cannot say", table), *others]


def _cards(report: Report) -> Table:
    facts = ((card, heading, fact) for card in report.cards for heading, every in card.facts for fact in every)
    rows = [(card.site, card.group, head, fact.name, fact.value, fact.basis, fact.why) for card, head, fact in facts]
    names = ("Site", "Group", "About", "What", "Value", "Measured or inferred", "Why")
    frame = pd.DataFrame(rows, columns=names)
    return Table("One row a fact of a site", frame, tuple(Column(name, name) for name in names))


def _notes(sheets: Sequence[_Sheet]) -> Table:
    """Return what stands behind each part in words, and which sites show it, a row each."""
    rows: list[tuple[str, str, str]] = []
    told: set[int] = set()
    for sheet in sheets:
        if isinstance(sheet.part, Part) and id(sheet.part) not in told:
            told.add(id(sheet.part))
            rows += [(sheet.name, "How to read it", note) for note in sheet.part.reading]
            rows += [(sheet.name, "Site that shows it", site) for site in sheet.part.sites]
    columns = (Column("sheet", "Sheet"), Column("kind", "What"), Column("text", "Note or site"))
    return Table(
        "What a presenter says of each sheet, and the sites that show it",
        pd.DataFrame(rows, columns=[column.name for column in columns]),
        columns,
    )


# How they are written ------------------------------------------------------------------------------------------------


class _Writer:
    """Writes the sheets of one workbook."""

    def __init__(self, workbook: Any, report: Report, brand: Brand) -> None:
        self._book, self._report, self._brand = workbook, report, brand
        self._styles = Styles(workbook, brand)
        self._numbers = Numbers()
        self._sheets = self._planned()
        self._colours = {group.name: f"#{group.color}" for group in report.groups}
        notes = next((sheet.table for sheet in self._sheets if sheet.name == self._notes_name), None)
        #: The first note of each sheet, by the sheet's name.
        self._noted = (
            {}
            if notes is None
            else {name: row for row, name in reversed([*enumerate(notes.frame["sheet"], _HEAD + 1)])}
        )

    def _planned(self) -> list[_Sheet]:
        """Return all sheets but the first under their own names; what charts draw is known by then."""
        sheets = _sheets(self._report)
        front = "Answer" if "answer" in self._report.order else "Contents"
        names = sheet_names([front, *(sheet.name for sheet in sheets), "Notes", "Chart numbers"])
        self._front, *own, self._notes_name, self._numbers_name = names
        for sheet, name in zip(sheets, own, strict=True):
            sheet.name = name
            if sheet.chart is not None:
                self._numbers.take(sheet.chart, name)
        if len((notes := _notes(sheets)).frame):
            sheets.append(_Sheet(self._notes_name, "How to read the sheets", notes))
        if self._numbers.rows:
            table, forms = self._numbers.table, self._numbers.forms[:MOST_ROWS]
            sheets.append(_Sheet(self._numbers_name, "Chart numbers", table, forms=dict.fromkeys(VALUES, forms)))
        return sheets

    def write(self) -> None:
        self._write_front(self._add_sheet(self._front))
        for sheet in self._sheets:
            self._write_sheet(self._add_sheet(sheet.name), sheet)

    # The first sheet ----------------------------------------------------------------------------------------------

    def _write_front(self, page: Any) -> None:
        report, styles = self._report, self._styles
        last = len(_FRONT_WIDTHS) - 1
        for place, width in enumerate(_FRONT_WIDTHS):
            page.set_column(place, place, width)
        self._merged(page, 0, last, report.title, styles.title)
        under = _joined((report.client, report.subtitle, f"as of {day(report.at)}"))
        self._merged(page, 1, last, under, styles.soft)
        row = 3
        if "answer" in report.order:
            self._merged(page, row, last, report.answer, styles.answer)
            row += 2
        row = self._write_findings(page, row)
        if "advice" in report.order and report.advice:
            row = self._write_advice(page, row)
        if report.groups:
            row = self._write_groups(page, row)
        # Links are for the screen.
        end = row - 1
        row = self._begin(page, row, "In this workbook")
        for sheet in self._sheets:
            self._link(page, (row, 0), sheet.name)
            self._wrapped(page, row, 1, sheet.title if sheet.part else sheet.table.caption if sheet.table else "")
            row += 1
        if self._brand.logo:
            options = {"description": "Logo", "object_position": 3, **logo_scale(self._brand.logo)}
            page.insert_image(0, last + 1, "logo", {"image_data": io.BytesIO(self._brand.logo), **options})
        page.freeze_panes(1, 0)
        page.print_area(0, 0, end, last + (1 if self._brand.logo else 0))

    def _write_findings(self, page: Any, row: int) -> int:
        """Write proofs, changes and leads in the order of the report, and return the row below."""
        told: dict[int, tuple[Part, str]] = {}
        for sheet in self._sheets:
            if isinstance(sheet.part, Part) and sheet.part.of in _KINDS:
                told.setdefault(id(sheet.part), (sheet.part, sheet.name))
        if not told:
            return row
        row = self._begin(page, row, "What was found", "", "Certainty", "Basis", "Sheet")
        for part, name in told.values():
            page.write_string(row, 0, _KINDS[part.of], self._styles.name)
            self._wrapped(page, row, 1, part.title + (f" Against it: {part.doubts}." if part.doubts else ""))
            page.write_string(row, 2, part.certainty or (COUNT if part.of == "proofs" else ""), self._styles.text)
            page.write_string(row, 3, part.basis, self._styles.text)
            self._link(page, (row, 4), name)
            row += 1
        return row + 1

    def _write_advice(self, page: Any, row: int) -> int:
        row = self._begin(page, row, "What to do")
        sheets = {id(sheet.part): sheet.name for sheet in self._sheets}
        for advice in self._report.advice:
            page.write_string(row, 0, _ADVICE[advice.kind], self._styles.name)
            self._wrapped(page, row, 1, f"{advice.what} {advice.why}")
            if (name := sheets.get(id(advice))) is not None:
                self._link(page, (row, 4), name)
            row += 1
            sites = ", ".join(advice.sites[:_FEW_SITES])
            if len(advice.sites) > _FEW_SITES:
                sites += f" and {len(advice.sites) - _FEW_SITES:,} more on their sheet"
            for name, text, style in (
                ("Sites", sites, self._styles.text),
                ("Segment text", advice.segment, self._styles.code),
            ):
                if text:
                    page.write_string(row, 0, name, self._styles.soft)
                    self._wrapped(page, row, 1, text, style)
                    row += 1
        return row + 1

    def _write_groups(self, page: Any, row: int) -> int:
        row = self._begin(page, row, "Groups", "Answered sites")
        for group in self._report.groups:
            self._wrapped(page, row, 0, group.name, self._styles.head_in(f"#{group.color}"))
            page.write_number(row, 1, group.sites, self._styles.left)
            row += 1
        return row + 1

    def _begin(self, page: Any, row: int, *headings: str) -> int:
        for place in range(len(_FRONT_WIDTHS)):
            page.write_string(row, place, "".join(headings[place : place + 1]), self._styles.section)
        return row + 1

    def _wrapped(self, page: Any, row: int, place: int, text: str, style: Any = None) -> None:
        page.write_string(row, place, _fit(text), style or self._styles.text)
        page.set_row(row, height(text, _FRONT_WIDTHS[place]))

    # The others ---------------------------------------------------------------------------------------------------

    def _write_sheet(self, page: Any, sheet: _Sheet) -> None:
        widths = _widths(sheet)
        for place, width in enumerate(widths):
            page.set_column(place, place, width)
        last = reach(widths)
        self._write_texts(page, sheet, last)
        rows, most = 0, MOST_ROWS
        if sheet.table is not None:
            most = MOST_ROWS if sheet.is_whole else fitting(sheet.table, sum(widths))
            rows = self._write_table(page, sheet, sheet.table, last, most)
        is_one, rows, columns, beside = rows > most, min(rows, most), max(last, len(widths) - 1), ""
        if sheet.chart is not None and not sheet.is_shaded:
            is_below, end = self._write_chart(page, sheet, sheet.chart, widths)
            if is_below:
                is_one, rows, columns = True, end[0] - _HEAD - 1, max(last, _of_all(sheet) - 1)
            elif sum(widths) <= TEXT_WIDTH:
                is_one, rows, columns = True, max(rows, end[0] - _HEAD - 1), max(columns, end[1])
            else:
                beside = self._write_beside(page, sheet, len(widths) + 1, end)
        self._print(page, sheet, xl_range_abs(0, 0, _HEAD + rows + 1, columns), beside)
        width = sum(widths[: columns + 1]) + ORDINARY * max(columns + 1 - len(widths), 0)
        if width > _PAGE_WIDTH:
            page.fit_to_pages(math.ceil(width / _PAGE_WIDTH), 0)
            page.repeat_columns(0)
        elif is_one and not beside:
            # Neither a picture nor the last rows of a page go over to another.
            page.fit_to_pages(1, 1)
        elif sheet.name == _METHODS and sheet.table is not None:
            # Long texts in few columns: lying, they went over three pages.
            page.set_portrait()
            page.fit_to_pages(1, int(fits_upright(sheet.table, width)))

    def _write_texts(self, page: Any, sheet: _Sheet, last: int) -> None:
        part = sheet.part
        self._merged(page, _TITLE, last, sheet.title, self._styles.title)
        if isinstance(part, Part):
            against = f"Against it: {part.doubts}." if part.doubts else ""
            self._merged(page, _TEXT, last, " ".join(filter(None, (*part.text, against))), self._styles.text)
            about = (part.certainty, part.basis, part.footer)
            self._merged(page, _SAID, last, _joined(about), self._styles.soft)
        else:
            self._merged(page, _TEXT, last, "" if part is None else part.why, self._styles.text)
            page.set_row(_SAID, _GAP)
        self._link(page, (_LINKS, 0), self._front, f"Back to {self._front}")
        if sheet.name in self._noted:
            self._link(page, (_LINKS, 1), self._notes_name, "How to read it", (self._noted[sheet.name], 0))

    def _write_chart(
        self, page: Any, sheet: _Sheet, chart: Chart, widths: Sequence[float]
    ) -> tuple[bool, tuple[int, int]]:
        """Draw a chart below a short table or beside a long one; return whether it is below, and its last cell."""
        rows = 0 if sheet.table is None else len(sheet.table.frame)
        # Below a long table it would be out of sight. Beside a wide one it is too: then a link leads to it.
        is_below = rows <= _SHORT
        at = (_HEAD + rows + 2, 0) if is_below else (_HEAD, len(widths) + 1)
        drawn = self._numbers.drawn(self._book, chart, self._brand, self._numbers_name, _HEAD)
        page.insert_chart(at[0], at[1], drawn, {"description": chart.alt, "object_position": 3})
        if sum(widths) > TEXT_WIDTH:
            self._link(page, (_LINKS, 2), sheet.name, "To the picture", at)
        return is_below, (at[0] + HEIGHT // _PIXELS[1] + 2, at[1] + WIDTH // _PIXELS[0])

    def _write_beside(self, page: Any, sheet: _Sheet, place: int, end: tuple[int, int]) -> str:
        """Write above a chart that stands beside a table, and is printed after it, what it is of; return its range."""
        about = (sheet.name, sheet.part.footer if isinstance(sheet.part, Part) else "")
        page.merge_range(_CAPTION, place, _CAPTION, end[1], _joined(about), self._styles.caption)
        return str(xl_range_abs(_CAPTION, place, *end))

    def _print(self, page: Any, sheet: _Sheet, table: str, beside: str) -> None:
        """Print a table, and after it on a page of its own what stands beside it, so that both can be read.

        Of what is in the appendix the picture is enough: the table has what is too seldom to be drawn.
        """
        if not beside:
            page.print_area(table.replace("$", ""))
            return
        name = quote_sheetname(sheet.name)
        is_alone = isinstance(sheet.part, Part) and sheet.part.is_appendix
        areas = ",".join(f"{name}!{area}" for area in ([beside] if is_alone else [table, beside]))
        self._book.define_name(f"{name}!_xlnm.Print_Area", f"={areas}")

    def _write_table(self, page: Any, sheet: _Sheet, table: Table, last: int, most: int) -> int:
        """Write a table below the texts, which lie over the columns up to `last`, and return the number of its rows.

        At most so many rows are printed.
        """
        shown = table.frame.head(MOST_ROWS)
        caption = table.caption
        if len(shown) < len(table.frame):
            caption += f" (the first {len(shown):,} of {counted(len(table.frame), 'row')}: a sheet takes no more)"
        elif most < len(shown):
            caption += f"; printed are the first {most:,} of {counted(len(shown), 'row')}"
        self._merged(page, _CAPTION, last, caption, self._styles.caption)
        columns, widths = spread(table), widths_of(table)
        lines = max(head_lines(heading, width) for (_, heading, _), width in zip(columns, widths, strict=True))
        page.set_row(_HEAD, _HEAD_HEIGHT + LINE * min(max(lines - _HEAD_LINES, 0), MOST_LINES))
        for place, (name, head, usual) in enumerate(columns):
            values, heading, form = _suited(shown[name], head, usual)
            colour = self._colours.get(heading) if sheet.is_shaded else None
            style = self._styles.head_at(place, form) if colour is None else self._styles.head_in(colour)
            page.write_string(_HEAD, place, _fit(heading), style)
            self._write_column(page, place, values, sheet.forms.get(name, [form] * len(values)))
        for row, points in tall(replace(table, frame=shown)):
            page.set_row(_HEAD + 1 + row, points)
        page.freeze_panes(_HEAD + 1, 1)
        page.repeat_rows(_HEAD)
        if len(shown):
            end = (_HEAD + len(shown), len(columns) - 1)
            page.autofilter(_HEAD, 0, *end)
            # Codes such as 150 are texts.
            page.ignore_errors({"number_stored_as_text": xl_range(_HEAD + 1, 0, *end)})
            self._shade(page, sheet)
        return len(shown)

    def _write_column(self, page: Any, place: int, values: pd.Series, forms: Sequence[Form]) -> None:
        styles = self._styles
        for row, (value, form) in enumerate(zip(values, forms, strict=True), _HEAD + 1):
            if isinstance(value, datetime):
                page.write_datetime(row, place, value, styles.date if value.time() == _MIDNIGHT else styles.time)
            elif isinstance(value, str):
                text = _fit(value)
                is_long = len(text) > WIDEST
                page.write_string(row, place, text, styles.text_at(place, is_long=is_long))
            elif pd.isna(value):
                page.write_blank(row, place, None, styles.plain)
            elif isinstance(value, bool):
                page.write_boolean(row, place, value, styles.plain)
            elif not math.isfinite(value):
                # A spreadsheet has no number without end.
                page.write_string(row, place, said(value, "number"), styles.plain)
            else:
                page.write_number(row, place, scale(form) * float(value), styles.cells[form])

    def _shade(self, page: Any, sheet: _Sheet) -> None:
        """Shade the cells of a heatmap around nothing, and make those bold that are clear."""
        chart = sheet.chart
        if chart is None or not sheet.is_shaded:
            return
        frame, times = chart.frame, scale(chart.form)
        for place, series in enumerate(chart.series, 1):
            words = frame[series.words] if series.words else pd.Series("", frame.index)
            for row, (value, word) in enumerate(zip(frame[series.name], words, strict=True), _HEAD + 1):
                if math.isfinite(value):
                    page.write_number(row, place, times * float(value), self._styles.shaded[bool(word)])
        end = times * chart.top
        colours = {"min_color": _LESS, "mid_color": _SAME, "max_color": _MORE}
        kinds = {f"{name}_type": "num" for name in ("min", "mid", "max")}
        scaled = {"type": "3_color_scale", "min_value": -end, "mid_value": 0, "max_value": end, **kinds, **colours}
        page.conditional_format(_HEAD + 1, 1, _HEAD + len(frame), len(chart.series), scaled)

    def _add_sheet(self, name: str) -> Any:
        page = self._book.add_worksheet(name)
        page.hide_gridlines(2)
        page.set_landscape()
        page.set_paper(9)
        page.fit_to_pages(1, 0)
        page.set_margins(left=0.4, right=0.4, top=0.5, bottom=0.6)
        page.set_footer("&L&A&RPage &P of &N")
        return page

    def _merged(self, page: Any, row: int, last: int, text: str, style: Any) -> None:
        """Write a text over several columns, as high as it needs: no program finds that out for merged cells."""
        page.merge_range(row, 0, row, last, "", style)
        page.write_string(row, 0, _fit(text), style)
        times = style.font_size / _LETTERS
        page.set_row(row, times * height(text, int(TEXT_WIDTH / times)) if text else _GAP)

    def _link(
        self, page: Any, place: tuple[int, int], sheet: str, said: str = "", to: tuple[int, int] = (0, 0)
    ) -> None:
        address = f"internal:{quote_sheetname(sheet)}!{xl_rowcol_to_cell(*to)}"
        page.write_url(*place, address, self._styles.link, said or sheet)


def _widths(sheet: _Sheet) -> list[float]:
    """Return how wide the columns of a sheet are: those of all sites as wide as the picture that is printed below."""
    widths = [] if sheet.table is None else widths_of(sheet.table)
    if sheet.table is not None and len(sheet.table.frame) <= _SHORT and (of_all := _of_all(sheet)) < len(widths):
        widths[0] += max(TEXT_WIDTH - sum(widths[:of_all]), 0)
    return widths


def _of_all(sheet: _Sheet) -> int:
    """Return how many columns of a table are of all sites: those of each group stand behind them, for the screen."""
    names = [] if sheet.table is None else [name for name, _, _ in spread(sheet.table)]
    if sheet.chart is None:
        return len(names)
    aside = {own.column for own in sheet.chart.by_group} - {series.name for series in sheet.chart.series}
    return next((place for place, name in enumerate(names) if name in aside), len(names))


def _joined(texts: Iterable[str]) -> str:
    """Return texts as a line, which begins with a capital."""
    line = " \N{MIDDLE DOT} ".join(filter(None, texts))
    return line[:1].upper() + line[1:]


def _suited(values: pd.Series, heading: str, form: Form) -> tuple[pd.Series, str, Form]:
    """Return a column as it is best shown, with its heading and form.

    Texts that all are days or times become these, in UTC where they name a zone; numbers without fractions are whole.
    """
    found = values.dropna()
    if form == "number" and all(float(value).is_integer() for value in found):
        return values, heading, "whole"
    if form != "text" or found.empty or not all(isinstance(text, str) and _DATE.fullmatch(text) for text in found):
        return values, heading, form
    try:
        times = [datetime.fromisoformat(text) for text in found]
        plain = [moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment for moment in times]
    except (ValueError, OverflowError):
        return values, heading, form
    if min(plain) < _FIRST_DAY:
        return values, heading, form
    dated = pd.Series(plain, found.index, dtype=object).reindex(values.index)
    return dated, f"{heading} (UTC)" if any(moment.tzinfo for moment in times) else heading, form


def _fit(text: str) -> str:
    """Return a text that a cell takes, with ``…`` where it was cut."""
    return text if _units(text) <= _LONGEST_CELL else f"{_cut(text, _LONGEST_CELL - 1)}…"


def _cut(text: str, most: int) -> str:
    """Return as much of a text as has so many units: of a rare letter, Excel counts two."""
    return text.encode("utf-16-le")[: 2 * most].decode("utf-16-le", "ignore")


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
