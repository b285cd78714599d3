"""A report as a deck of slides: one finding a slide, with charts that PowerPoint can edit."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any, Final, cast

import pandas as pd
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.oxml.ns import qn
from pptx.util import Inches

from toolkit.reports.deck.charts import add_native
from toolkit.reports.deck.text import BLUE, INK, fill, fitted, put, row_heights, unbroken, write, write_fitted
from toolkit.reports.words import said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from toolkit.reports.contents import Chart, Methods, Report, Section, Table

__all__ = ["BARS_INSTEAD", "NO_CHROMIUM", "deck"]

#: What stands on a slide in place of a picture.
NO_CHROMIUM: Final = (
    "PowerPoint has no chart of this kind, and there was no Chromium to draw a picture, so the table stands here."
)
BARS_INSTEAD: Final = (
    "PowerPoint has no chart of this kind, and there was no Chromium to draw a picture, so bars stand here."
)
_WIDTH, _HEIGHT = Inches(13.333), Inches(7.5)
_LEFT, _FULL = Inches(0.6), Inches(12.13)
_SOFT, _STRIPE, _WHITE, _OWN = (
    cast("Any", RGBColor).from_string(color) for color in ("4A4A4A", "F3F6F9", "FFFFFF", "ECECEC")
)
_ROWS: Final = 11
_ROW: Final = Inches(0.36)
_COLUMNS: Final = 5
_FACTS: Final = 12
#: Rows of a table on a slide of its own, and how many such slides a table has at most.
_LONG: Final = 13
_PAGES: Final = 8
#: Rows of a table that may stand below texts, the height for both, and the least type size of the texts.
_BELOW: Final = 6
_TEXTS: Final = Inches(5.2)
_READ: Final = 12
#: Space between two columns of texts, and between two facts.
_BETWEEN: Final = Inches(0.5)
_APART: Final = Inches(0.12)
#: Rows and columns of a matrix, the least type size in it, and how high its cells are at most.
_SQUARE: Final = 10
_LEAST: Final = 8
_CELL: Final = Inches(0.62)
#: Columns whose headings fit a line; more have headings of this height, and more room for the names of rows.
_LEVEL: Final = 5
_HEAD: Final = Inches(0.75)
_SIDE: Final = (0.2, 0.26)
#: Height of the line below it.
_AXIS: Final = Inches(0.6)
_MADE: Final = (1980, 1, 1, 0, 0, 0)


def deck(report: Report, pictures: Mapping[int, bytes] | None = None) -> bytes:
    """Return a report as a PowerPoint deck; what does not fit on a slide is in its notes.

    `pictures` are PNG files for charts that PowerPoint does not have, by the section's place from 0. Where one is
    missing a table stands with a note.
    """
    drawn = pictures or {}
    slides = Presentation()
    _widen(slides)
    core = slides.core_properties
    core.title, core.subject, core.author = report.title[:255], report.subtitle[:255], "Audience toolkit"
    core.last_modified_by, core.revision, core.language = "Audience toolkit", 1, "en"
    core.created = core.modified = report.at
    _title_slide(slides, report)
    _summary_slides(slides, report)
    for place, section in enumerate(report.sections):
        _finding_slide(slides, section, drawn.get(place), report.at)
    _methods_slides(slides, report.methods)
    file = io.BytesIO()
    slides.save(file)
    return _undated(file.getvalue())


def _widen(slides: Any) -> None:
    """Make the slides 16:9, with the layouts that people will add slides of."""
    scale = _WIDTH / slides.slide_width
    slides.slide_width, slides.slide_height = _WIDTH, _HEIGHT
    for page in (slides.slide_master, *slides.slide_layouts):
        for shape in page.shapes:
            if shape._element.spPr.find(qn("a:xfrm")) is not None:  # noqa: SLF001 - others take the master's place
                shape.left, shape.width = int(shape.left * scale), int(shape.width * scale)


def _slide(slides: Any, title: str, kicker: str = "", largest: float = 28) -> Any:
    page = slides.slides.add_slide(slides.slide_layouts[5])
    bar = page.shapes.add_shape(MSO_SHAPE.RECTANGLE, 0, 0, Inches(0.18), _HEIGHT)
    bar.fill.solid()
    bar.fill.fore_color.rgb = BLUE
    bar.line.fill.background()
    bar.name = "Edge"
    if kicker:
        write(page, (_LEFT, Inches(0.35), _FULL, Inches(0.34)), [kicker], 14, color=BLUE, name="About", bold=True)
    box = (_LEFT, Inches(0.68), _FULL, Inches(1.0))
    words, size = fitted(title, box[2], box[3], largest, 16)
    put(page.shapes.title, box)
    fill(page.shapes.title.text_frame, [words], size, INK, bold=True)
    page.shapes.title.text_frame.vertical_anchor = MSO_ANCHOR.TOP
    return page


def _title_slide(slides: Any, report: Report) -> None:
    page = slides.slides.add_slide(slides.slide_layouts[0])
    band = page.shapes.add_shape(MSO_SHAPE.RECTANGLE, 0, 0, Inches(0.5), _HEIGHT)
    band.fill.solid()
    band.fill.fore_color.rgb = BLUE
    band.line.fill.background()
    band.name = "Edge"
    shapes = (page.shapes.title, page.placeholders[1])
    boxes = ((Inches(1.2), Inches(2.0), Inches(11.2), Inches(2.2)), (Inches(1.2), Inches(4.4), Inches(11.2), Inches(1)))
    for shape, box, text, size, color in zip(
        shapes, boxes, (report.title, report.subtitle), (44, 20), (INK, _SOFT), strict=True
    ):
        words, chosen = fitted(text, box[2], box[3], size, 12)
        put(shape, box)
        fill(shape.text_frame, [words], chosen, color, bold=shape is shapes[0])
    shapes[0].text_frame.vertical_anchor = MSO_ANCHOR.BOTTOM
    page.notes_slide.notes_text_frame.text = f"{report.title}\n{report.subtitle}"


def _summary_slides(slides: Any, report: Report) -> None:
    if not report.sections:
        return
    page = _slide(slides, "The findings in short")
    texts = [f"{section.name}: {section.title}" for section in report.sections]
    write_fitted(page, (_LEFT, Inches(1.6), _FULL, Inches(5.4)), texts, 20, "Findings", space=8, lead=True)
    page.notes_slide.notes_text_frame.text = "\n".join(texts)


def _finding_slide(slides: Any, section: Section, picture: bytes | None, at: datetime) -> None:
    page = _slide(slides, section.title, section.name)
    chart, footer = section.chart, section.footer
    box: tuple[int, ...] = (_LEFT, Inches(1.8), Inches(8.5), Inches(4.95))
    remarks = []
    if chart is not None and chart.picture and picture is not None:
        _add_picture(page, picture, box, chart.alt)
        # It says what the numbers and widths of the figure are.
        footer = section.caption or footer
    elif chart is not None and chart.kind == "matrix":
        remarks = _add_matrix(page, chart, box)
    elif chart is not None and (not chart.picture or chart.own_alt):
        add_native(page, chart, box, "Chart", at)
        remarks = [BARS_INSTEAD] if chart.picture else []
    elif section.table is not None and not section.table.frame.empty:
        _add_table(page, section.table, box)
        remarks = [NO_CHROMIUM] if chart is not None else []
    else:
        box = (_LEFT, box[1], 0, box[3])
    left = box[0] + box[2] + (Inches(0.35) if box[2] else 0)
    side = (left, Inches(1.8), _LEFT + _FULL - left, Inches(4.95))
    write_fitted(page, side, [*section.text, *remarks], 16, "What was found")
    if footer:
        _footer(page, footer)
    notes = [section.title, *section.text, *section.notes, *remarks, *dict.fromkeys((footer, section.footer))]
    page.notes_slide.notes_text_frame.text = "\n\n".join(text for text in notes if text)


def _methods_slides(slides: Any, methods: Methods) -> None:
    facts = list(methods.facts)
    for first in range(0, len(facts), _FACTS):
        page = _slide(slides, "How these findings were got", "Methods")
        part = facts[first : first + _FACTS]
        _add_facts(page, part)
        page.notes_slide.notes_text_frame.text = "\n".join(f"{name}: {value}" for name, value in part)
    parts = [
        (title, texts)
        for title, texts in (
            ("How the numbers are computed", methods.text),
            ("What this report cannot say", methods.limits),
        )
        if texts
    ]
    tables = [table for table in methods.tables if not table.frame.empty]
    if parts:
        below = tables[0] if tables and _fit_above(parts, tables[0]) else None
        _text_columns(slides, parts, below)
        tables = tables[1:] if below else tables
    for table in tables:
        _table_slides(slides, table)


def _fit_above(parts: Sequence[tuple[str, Sequence[str]]], table: Table) -> bool:
    """Return whether texts can be read well beside each other above a table on one slide."""
    rows = len(table.frame)
    if rows > _BELOW:
        return False
    return _size_of(parts, _TEXTS - _under(rows)) >= _READ


def _size_of(parts: Sequence[tuple[str, Sequence[str]]], high: int) -> float:
    """Return the type size at which texts beside each other fit into a height."""
    wide, gap = _wide(len(parts)), Inches(0.1)
    return min(
        row_heights([f"•  {text}" for text in texts], wide, high - gap * len(texts), 16)[1] for _, texts in parts
    )


def _under(rows: int) -> int:
    """Return how high a table with its heading is below texts."""
    return int(Inches(0.6) + _ROW * (rows + 1))


def _wide(number: int) -> int:
    return int((_FULL - _BETWEEN * (number - 1)) // number)


def _text_columns(slides: Any, parts: Sequence[tuple[str, Sequence[str]]], table: Table | None) -> None:
    """Put lists of texts beside each other on one slide, each below its title, and a short table below them."""
    first, *others = (title for title, _ in parts)
    page = _slide(slides, "; ".join([first, *(f"{title[0].lower()}{title[1:]}" for title in others)]), "Methods")
    wide, high = _wide(len(parts)), _TEXTS - (_under(len(table.frame)) if table else 0)
    size = _size_of(parts, high)
    for place, (title, texts) in enumerate(parts):
        left = _LEFT + place * (wide + _BETWEEN)
        if others:
            write(page, (left, Inches(1.6), wide, Inches(0.4)), [title], 16, name=f"{title}, heading", bold=True)
        listed = [f"•  {text}" for text in texts]
        write_fitted(page, (left, Inches(2.0), wide, high), listed, size, title)
    notes = [text for _, texts in parts for text in texts]
    if table:
        top = Inches(2.0) + high + Inches(0.1)
        write(page, (_LEFT, top, _FULL, Inches(0.4)), [table.caption], 16, name="Table, heading", bold=True)
        _add_table(page, table, (_LEFT, top + Inches(0.45), _FULL, _ROW * (len(table.frame) + 1)))
        notes += [table.caption, "\n".join(": ".join(row) for row in table.rows())]
    page.notes_slide.notes_text_frame.text = "\n\n".join(notes)


def _table_slides(slides: Any, table: Table) -> None:
    """Put a table on slides of its own: as many as it needs, up to a limit that the last one tells."""
    rows = table.rows(_LONG * _PAGES)
    pages = -(-len(rows) // _LONG)
    # As many rows on the last as on the others.
    each = -(-len(rows) // pages)
    for number in range(pages):
        title = f"{table.caption} ({number + 1} of {pages})" if pages > 1 else table.caption
        page = _slide(slides, title, "Appendix", largest=24)
        part = range(number * each, min((number + 1) * each, len(rows)))
        _add_table(page, table, (_LEFT, Inches(1.6), _FULL, Inches(5.2)), part, last=number == pages - 1)
        page.notes_slide.notes_text_frame.text = "\n".join(": ".join(rows[place]) for place in part)


def _add_picture(page: Any, picture: bytes, box: Sequence[int], alt: str) -> None:
    shape = page.shapes.add_picture(io.BytesIO(picture), box[0], box[1], width=box[2])
    if shape.height > box[3]:
        shape.width, shape.height = int(shape.width * box[3] / shape.height), box[3]
    shape.name = "Picture"
    shape._element.nvPicPr.cNvPr.set("descr", alt)  # noqa: SLF001 - the library has no door to alt text


def _add_table(page: Any, table: Table, box: Sequence[int], part: range = range(_ROWS), *, last: bool = True) -> None:
    """Put rows of a table on a slide, and below the last a sentence about those that no slide has."""
    columns = table.read[:_COLUMNS]
    rows = [row[:_COLUMNS] for row in table.rows(part.stop)[part.start :]]
    shape = page.shapes.add_table(len(rows) + 1, len(columns), box[0], box[1], box[2], _ROW * (len(rows) + 1))
    shape.name = "Table"
    shape._element.nvGraphicFramePr.cNvPr.set("descr", table.caption)  # noqa: SLF001 - as above
    grid = shape.table
    wanted = [min(max(map(len, cells)), 48) + 3 for cells in zip([c.heading for c in columns], *rows, strict=True)]
    for place, share in enumerate(wanted):
        grid.columns[place].width = int(box[2] * share / sum(wanted))
    for number, row in enumerate([[column.heading for column in columns], *rows]):
        grid.rows[number].height = _ROW
        for place, text in enumerate(row):
            cell = grid.cell(number, place)
            words, size = fitted(text, grid.columns[place].width - Inches(0.16), _ROW - Inches(0.04), 13, 11)
            cell.margin_left = cell.margin_right = Inches(0.08)
            cell.margin_top = cell.margin_bottom = Inches(0.02)
            cell.vertical_anchor = MSO_ANCHOR.MIDDLE
            cell.fill.solid()
            cell.fill.fore_color.rgb = BLUE if number == 0 else _STRIPE if number % 2 else _WHITE
            fill(cell.text_frame, [words], size, _WHITE if number == 0 else INK, bold=number == 0)
    if last and table.left_out(part.stop):
        more = (box[0], box[1] + _ROW * (len(rows) + 1) + Inches(0.05), box[2], Inches(0.4))
        write_fitted(page, more, [table.left_out(part.stop)], 11, "Rows left out", color=_SOFT)


def _add_matrix(page: Any, chart: Chart, box: Sequence[int]) -> list[str]:
    """Put a table with shaded cells on a slide, and return a sentence about what it leaves out."""
    series, rows = chart.series[:_SQUARE], chart.frame.head(_SQUARE)
    many = len(series) > _LEVEL
    height = min(_CELL, (box[3] - _AXIS - _HEAD * many) // (len(rows) + 1 - many))
    head = _HEAD if many else height
    high = head + height * len(rows)
    shape = page.shapes.add_table(len(rows) + 1, len(series) + 1, box[0], box[1], box[2], high)
    shape.name = "Matrix"
    shape._element.nvGraphicFramePr.cNvPr.set("descr", chart.says)  # noqa: SLF001 - as above
    grid = shape.table
    grid.first_col = True
    side = int(box[2] * _SIDE[many])
    for place, column in enumerate(grid.columns):
        column.width = side if place == 0 else (box[2] - side) // len(series)
    for number, text in enumerate([chart.across, *(one.label for one in series)]):
        _fill_cell(
            grid.cell(0, number),
            text,
            (grid.columns[number].width, head),
            BLUE,
            _WHITE,
            bold=True,
            center=number > 0,
        )
    for number, (_, row) in enumerate(rows.iterrows(), 1):
        _fill_cell(grid.cell(number, 0), str(row[chart.labels]), (side, height), _STRIPE, INK, bold=True)
        for place, one in enumerate(series, 1):
            value = row[one.name]
            ground = _OWN if pd.isna(value) else cast("Any", RGBColor).from_string(chart.shade(value))
            words = str(row[one.words]) if one.words else said(value, chart.form)
            _fill_cell(grid.cell(number, place), words, (grid.columns[place].width, height), ground, INK, center=True)
    for number, line in enumerate(grid.rows):
        line.height = height if number else head
    below = (box[0], box[1] + high + Inches(0.05), box[2], _AXIS)
    write_fitted(page, below, [chart.axis], 12, "How to read it", color=_SOFT)
    left = len(chart.frame) - len(rows)
    return [f"The first {len(rows)} of {len(chart.frame):,}; a workbook (.xlsx) has all of them."] if left else []


def _fill_cell(
    cell: Any, text: str, box: tuple[int, int], ground: RGBColor, ink: RGBColor, *, center: bool = False, **style: Any
) -> None:
    width, height = box[0] - Inches(0.02), box[1] - Inches(0.02)
    words, size = fitted(text, width, height, unbroken(text, width, 13, _LEAST), _LEAST)
    cell.vertical_anchor = MSO_ANCHOR.MIDDLE
    cell.fill.solid()
    cell.fill.fore_color.rgb = ground
    fill(cell.text_frame, [words], size, ink, **style)
    cell.margin_left = cell.margin_right = Inches(0.05)
    cell.margin_top = cell.margin_bottom = Inches(0.01)
    if center:
        cell.text_frame.paragraphs[0].alignment = PP_ALIGN.CENTER


def _add_facts(page: Any, facts: Sequence[tuple[str, str]]) -> None:
    top, wide = int(Inches(1.75)), int(_FULL - Inches(3.2))
    heights, size = row_heights([value for _, value in facts], wide, Inches(5.35) - _APART * len(facts), 14)
    for number, ((name, value), height) in enumerate(zip(facts, heights, strict=True)):
        box = height + _APART
        write_fitted(page, (_LEFT, top, Inches(3.1), box), [name], size, f"Name {number + 1}", bold=True)
        write_fitted(page, (_LEFT + Inches(3.2), top, wide, box), [value], size, f"Value {number + 1}")
        top += box


def _footer(page: Any, text: str) -> None:
    write_fitted(page, (_LEFT, Inches(6.82), _FULL, Inches(0.5)), [text], 12, "Footer", color=_SOFT)


def _undated(file: bytes) -> bytes:
    """Return the same package without the time at which it was written."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(file)) as old, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(name, _MADE), old.read(name), zipfile.ZIP_DEFLATED)
    return written.getvalue()
