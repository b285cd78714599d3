"""Tables of slides: dense ones of rows, and matrices with shaded cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pandas as pd
from lxml import etree
from pptx.oxml.ns import qn
from pptx.util import Emu, Pt

from toolkit.reports.deck.colours import readable_on, shade, solid
from toolkit.reports.deck.text import LINE, SMALL, cut, lines_of, name_cut, wide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolkit.reports.contents import Chart, Table
    from toolkit.reports.deck.boxes import Box
    from toolkit.reports.deck.colours import Look
    from toolkit.reports.deck.page import Page

__all__ = ["Sheet", "add_heatmap", "add_sheet", "sheets_of"]

#: The format's name of a table without lines and fills of its own, so that it looks alike in every theme.
_PLAIN: Final = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}"
#: Points: beside the text of a cell, of a shaded one, and above it; the narrowest column, and the widest that is not
#: stretched.
_BESIDE, _CLOSE, _ABOVE, _NARROW, _BROAD = 5.0, 1.0, 2.0, 50.0, 250.0
#: The part of the width that names of rows have at most, where there is not room for all columns.
_FIRST: Final = 0.24
#: Lines of a cell, and of a heading.
_LINES, _HEADING = 3, 3
#: Of a matrix: the part that names of rows have, heights of rows and of upright headings in points.
_SIDE, _ROW, _UPRIGHT, _WIDEST = (0.1, 0.34), (17.0, 34.0), 130.0, 120.0
_NUMBERS: Final = ("whole", "number", "percent", "points")


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of a table that one slide shows, as they fit."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    #: Points of each column, of the headings, and of each row.
    widths: tuple[float, ...]
    head: float
    heights: tuple[float, ...]
    #: Which columns are numbers.
    right: tuple[bool, ...]
    #: Place of the first row, from 0, and the rows as they are, for the notes.
    first: int
    whole: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    ink: str
    bold: bool = False
    align: str = "l"
    fill: str = ""
    line: str = ""
    upright: bool = False


def sheets_of(table: Table, boxes: Sequence[Box], lines: int = _LINES) -> tuple[list[Sheet], int]:
    """Return what slides with these boxes show of a table, and how many columns none of them has room for."""
    width = min(Emu(box.width).pt for box in boxes)
    columns = table.read[: max(int(width // _NARROW), 1)]
    rows = [row[: len(columns)] for row in table.rows()]
    widths = _widths(
        [[column.heading, *cells] for column, cells in zip(columns, zip(*rows, strict=True), strict=True)], width
    )
    heads = [
        cut(column.heading, room, _HEADING, SMALL, bold=True)
        for column, room in zip(columns, _rooms(widths), strict=True)
    ]
    head = max(_high(text, room, bold=True) for text, room in zip(heads, _rooms(widths), strict=True))
    right = tuple(column.form in _NUMBERS for column in columns)
    sheets: list[Sheet] = []
    place = 0
    for box in boxes:
        kept: list[tuple[str, ...]] = []
        heights: list[float] = []
        free = Emu(box.height).pt - head
        while place + len(kept) < len(rows):
            cells = tuple(
                cut(text, room, lines, SMALL)
                for text, room in zip(rows[place + len(kept)], _rooms(widths), strict=True)
            )
            high = max(_high(text, room) for text, room in zip(cells, _rooms(widths), strict=True))
            if sum(heights) + high > free and kept:
                break
            kept.append(cells)
            heights.append(high)
        if kept:
            whole = tuple(tuple(row) for row in rows[place : place + len(kept)])
            sheets.append(Sheet(tuple(heads), tuple(kept), tuple(widths), head, tuple(heights), right, place, whole))
        place += len(kept)
    return sheets, len(table.read) - len(columns)


def _rooms(widths: Sequence[float]) -> list[float]:
    return [width - 2 * _BESIDE for width in widths]


def _high(text: str, room: float, *, bold: bool = False) -> float:
    return len(lines_of(text, room, SMALL, bold=bold)) * SMALL * LINE + 2 * _ABOVE


def _widths(columns: Sequence[Sequence[str]], width: float) -> list[float]:
    """Return widths for columns of texts: what they need, the widest ones less where there is no room for all."""
    needed = [
        min(
            max(
                max(wide(text, SMALL, bold=not place) for place, text in enumerate(texts[:200])) + 2 * _BESIDE, _NARROW
            ),
            width,
        )
        for texts in columns
    ]
    if sum(needed) <= width:
        # A table of few columns does not tear what belongs together apart.
        return [min(one * width / sum(needed), max(one, _BROAD)) for one in needed]
    # What names the rows is not broken, if there is room.
    first = min(needed[0], width * _FIRST)
    low, high = 0.0, width
    while high - low > 1:
        middle = (low + high) / 2
        is_low = first + sum(min(one, middle) for one in needed[1:]) <= width
        low, high = (middle, high) if is_low else (low, middle)
    return [first, *(min(one, low) for one in needed[1:])]


def add_sheet(page: Page, sheet: Sheet, box: Box) -> Any:
    """Put rows on a slide and return their shape."""
    look = page.design.look
    head = [
        _Cell(text, look.ink, bold=True, align="r" if right else "l", line=look.strong)
        for text, right in zip(sheet.headings, sheet.right, strict=True)
    ]
    rows = [
        [
            _Cell(text, look.ink, align="r" if right else "l", line=look.line)
            for text, right in zip(row, sheet.right, strict=True)
        ]
        for row in sheet.rows
    ]
    return _add(page, [head, *rows], sheet.widths, [sheet.head, *sheet.heights], box)


def add_heatmap(page: Page, chart: Chart, box: Box) -> tuple[Any, int]:
    """Put a matrix with shaded cells on a slide, and return its shape and where it ends."""
    width, height = Emu(box.width).pt, Emu(box.height).pt
    labels = [str(label) for label in chart.frame[chart.labels]]
    longest = max(wide(label, SMALL) for label in labels) + 2 * _BESIDE
    side = min(max(longest, width * _SIDE[0]), width * _SIDE[1])
    each = min((width - side) / len(chart.series), _WIDEST)
    heads = [series.label for series in chart.series]
    room = each - 2 * _BESIDE
    is_upright = each < _WIDEST and any(
        wide(word, SMALL, bold=True) > room for head in heads for word in head.split(" ")
    )
    if is_upright:
        top = max(wide(head, SMALL, bold=True) for head in heads) + 2 * _BESIDE
        top = min(top, _UPRIGHT, max(height - _ROW[0] * len(labels), _UPRIGHT / 2))
        most = max(int((each - 2) / (SMALL * LINE)), 1)
        heads = [_broken(head, top - 2 * _BESIDE, most) for head in heads]
    else:
        heads = [_broken(head, room, _HEADING) for head in heads]
        top = max(len(head.split("\n")) for head in heads) * SMALL * LINE + 2 * _ABOVE
    row = min(max((height - top) / len(labels), _ROW[0]), _ROW[1])
    most = max(int((row - _ABOVE) / (SMALL * LINE)), 1)
    look = page.design.look
    cells = [
        [
            _Cell("", look.ink),
            *(
                _Cell(head, look.ink, bold=True, align="l" if is_upright else "ctr", upright=is_upright)
                for head in heads
            ),
        ]
    ]
    for label, (_, values) in zip(labels, chart.frame.iterrows(), strict=True):
        name = cut(label, side - 2 * _BESIDE, most, SMALL) if most > 1 else name_cut(label, side - 2 * _BESIDE, SMALL)
        names = _Cell(name, look.ink)
        cells.append(
            [
                names,
                *(
                    _shaded(values[one.name], values[one.words] if one.words else None, chart.top, each, look)
                    for one in chart.series
                ),
            ]
        )
    widths = [side, *[each] * len(chart.series)]
    shape = _add(page, cells, widths, [top, *[row] * len(labels)], box)
    return shape, box.top + int(Pt(top + row * len(labels)))


def _broken(head: str, room: float, most: int) -> str:
    """Return a heading in its lines, of at most so many: programs do not agree where upright texts break."""
    lines, width = lines_of(head, room, SMALL, bold=True), room * most
    while len(lines) > most:
        width *= 0.9
        lines = lines_of(name_cut(head, width, SMALL, bold=True), room, SMALL, bold=True)
    return "\n".join(lines)


def _shaded(value: Any, text: Any, top: float, room: float, look: Look) -> _Cell:
    if pd.isna(value):
        return _Cell("–", "1B1B1B", align="ctr", fill="ECECEC", line=look.paper)
    fill = shade(value / top)
    words = cut(str(text), room - 2 * _CLOSE, 1, SMALL) if pd.notna(text) else ""
    return _Cell(words, readable_on(fill), align="ctr", fill=fill, line=look.paper)


def _add(
    page: Page, cells: Sequence[Sequence[_Cell]], widths: Sequence[float], heights: Sequence[float], box: Box
) -> Any:
    size = int(Pt(sum(widths))), int(Pt(sum(heights)))
    shape = page.slide.shapes.add_table(len(cells), len(widths), box.left, box.top, *size)
    drawn = shape.table._tbl  # noqa: SLF001 - cell by cell through the library is slow
    drawn.tblPr.find(qn("a:tableStyleId")).text = _PLAIN
    drawn.tblPr.set("bandRow", "0")
    for column, width in zip(shape.table.columns, widths, strict=True):
        column.width = Pt(width)
    for row, height, line in zip(drawn.tr_lst, heights, cells, strict=True):
        row.set("h", str(int(Pt(height))))
        for old, cell in zip(row.tc_lst, line, strict=True):
            _write_cell(old, cell)
    return shape


def _write_cell(element: Any, cell: _Cell) -> None:
    paragraph = element.txBody.find(qn("a:p"))
    etree.SubElement(paragraph, qn("a:pPr"), algn=cell.align)
    for place, words in enumerate(cell.text.split("\n") if cell.text else ()):
        if place:
            etree.SubElement(etree.SubElement(paragraph, qn("a:br")), qn("a:rPr"), sz=str(100 * SMALL))
        run = etree.SubElement(paragraph, qn("a:r"))
        font = etree.SubElement(run, qn("a:rPr"), sz=str(100 * SMALL), b=str(int(cell.bold)))
        font.append(solid(cell.ink))
        etree.SubElement(run, qn("a:t")).text = words
    # An empty cell is as high as its type, too.
    etree.SubElement(paragraph, qn("a:endParaRPr"), sz=str(100 * SMALL))
    look = element.get_or_add_tcPr()
    for side in ("marL", "marR"):
        look.set(side, str(int(Pt(_CLOSE if cell.fill else _BESIDE))))
    for side in ("marT", "marB"):
        look.set(side, str(int(Pt(1))))
    look.set("anchor", "b" if cell.upright else "ctr")
    if cell.upright:
        look.set("vert", "vert270")
        look.set("anchor", "ctr")
    sides = ("lnR", "lnB") if cell.fill else ("lnB",)
    for side in sides if cell.line else ():
        line = etree.SubElement(look, qn(f"a:{side}"), w="9525")
        line.append(solid(cell.line))
    if cell.fill:
        look.append(solid(cell.fill))
    else:
        etree.SubElement(look, qn("a:noFill"))
