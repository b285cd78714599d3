"""Tables of slides: dense ones of rows, and matrices with shaded cells."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import pandas as pd
from lxml import etree
from pptx.oxml.ns import qn
from pptx.util import Emu, Pt

from toolkit.reports.deck.colours import readable_on, shade, solid
from toolkit.reports.deck.text import LINE, SMALL, cut, lines_of, name_cut, wide
from toolkit.reports.words import lowered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolkit.reports.contents import Chart, Column, Table
    from toolkit.reports.deck.boxes import Box
    from toolkit.reports.deck.colours import Look
    from toolkit.reports.deck.page import Page

__all__ = ["Sheet", "add_heatmap", "add_sheet", "least_height", "sheets_of"]

#: The format's name of a table without lines and fills of its own, so that it looks alike in every theme.
_PLAIN: Final = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}"
#: Points: beside the text of a cell, of a shaded one, and above it; the narrowest column, and the widest that is not
#: stretched.
_BESIDE, _CLOSE, _ABOVE, _NARROW, _BROAD = 5.0, 1.0, 1.0, 50.0, 250.0
#: The part of the width that a column has at most, where there is not room for all.
_MOST: Final = 0.24
#: In so many rows two columns are not alike by chance.
_MANY_ROWS: Final = 10
#: Lines of a cell, and of a heading.
_LINES, _HEADING = 2, 3
#: Points that upright headings of a matrix have at least, and columns from which names of rows take less.
_LOWEST_HEAD: Final = 44.0
_MANY: Final = 8
#: Of a matrix: the part that names of rows have, heights of rows and of upright headings in points.
_SIDE, _ROW, _UPRIGHT, _WIDEST = (0.1, 0.34, 0.26), (17.0, 43.0), 130.0, 150.0
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

    def airy(self, height: float) -> Sheet:
        """Return the same rows twice as high, or as high as there is room for."""
        times = min(2.0, max(height / (self.head + sum(self.heights)), 1.0))
        return replace(self, head=self.head * times, heights=tuple(times * one for one in self.heights))


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
    distinct, told = _told_once(table)
    columns = distinct[: max(int(width // _NARROW), 1)]
    rows = [row[: len(columns)] for row in told]
    widths = _widths(
        [[column.heading, *texts] for column, texts in zip(columns, zip(*rows, strict=True), strict=True)], width
    )
    heads = [
        cut(column.heading, room, _HEADING, SMALL, bold=True)
        for column, room in zip(columns, _rooms(widths), strict=True)
    ]
    head = max(_high(text, room, bold=True) for text, room in zip(heads, _rooms(widths), strict=True))
    right = tuple(column.form in _NUMBERS for column in columns)
    fitting: list[tuple[tuple[str, ...], float]] = []
    for row in rows:
        first, *others = zip(row, _rooms(widths), strict=True)
        cells = (_short(*first, lines), *(cut(text, room, lines, SMALL) for text, room in others))
        fitting.append((cells, max(_high(text, room) for text, room in zip(cells, _rooms(widths), strict=True))))
    free = [Emu(box.height).pt - head for box in boxes]
    counts = _shared([high for _, high in fitting], free)
    sheets: list[Sheet] = []
    place = 0
    for count in counts:
        kept, heights = zip(*fitting[place : place + count], strict=True)
        whole = tuple(tuple(row) for row in rows[place : place + count])
        sheets.append(Sheet(tuple(heads), kept, tuple(widths), head, heights, right, place, whole))
        place += count
    return sheets, len(distinct) - len(columns)


def _shared(heights: Sequence[float], free: Sequence[float]) -> list[int]:
    """Return how many rows stand on each slide: on as few as can be, and about as many on each.

    >>> _shared([10.0] * 7, [60.0, 60.0, 60.0]), _shared([10.0] * 9, [40.0, 40.0]), _shared([], [40.0])
    ([4, 3], [4, 4], [])
    """
    found = _filled(heights, free, len(heights))
    if len(found) > 1 and sum(found) == len(heights):
        for most in range(-(-len(heights) // len(found)), max(found)):
            even = _filled(heights, free, most)
            if len(even) == len(found) and sum(even) == len(heights):
                return even
    return found


def _filled(heights: Sequence[float], free: Sequence[float], most: int) -> list[int]:
    """Return how many rows fill each slide, at most so many; a row that is higher than its slide is alone on it."""
    counts: list[int] = []
    place = 0
    for room in free:
        count, used = 0, 0.0
        while place < len(heights) and count < most and (not count or used + heights[place] <= room):
            used += heights[place]
            count, place = count + 1, place + 1
        counts += [count] if count else []
    return counts


def _told_once(table: Table) -> tuple[list[Column], list[list[str]]]:
    """Return columns and rows of a table: what says the same as another in each of many rows stands there once."""
    rows = table.rows()
    columns: dict[tuple[object, ...], tuple[int, Column]] = {}
    for place, column in enumerate(table.read):
        cells = tuple(row[place] for row in rows)
        is_telling = column.form == "text" and len(rows) >= _MANY_ROWS and len(set(cells)) > 1
        key = cells if is_telling else (place,)
        first, known = columns.get(key, (place, None))
        both = column if known is None else replace(known, heading=f"{known.heading} and {lowered(column.heading)}")
        columns[key] = first, both
    kept = list(columns.values())
    return [column for _, column in kept], [[row[place] for place, _ in kept] for row in rows]


def _rooms(widths: Sequence[float]) -> list[float]:
    return [width - 2 * _BESIDE for width in widths]


def _high(text: str, room: float, *, bold: bool = False) -> float:
    return len(lines_of(text, room, SMALL, bold=bold)) * SMALL * LINE + 2 * _ABOVE


def _widths(columns: Sequence[Sequence[str]], width: float) -> list[float]:
    """Return widths for columns of texts: as many cells as there is room for stand in one line."""
    found = [_needed(texts) for texts in columns]
    needed = [min(max(head, *cells), width) for _, head, cells in found]
    if sum(needed) <= width:
        # A table of few columns does not tear what belongs together apart.
        return [min(one * width / sum(needed), max(one, _BROAD)) for one in needed]
    most = [min(one, width * _MOST) for one in needed]
    least = [min(low, end) for (low, _, _), end in zip(found, most, strict=True)]
    if sum(least) >= width:
        return _levelled(least, width)
    widths = _narrowed(most, least, [cells for _, _, cells in found], width)
    # What is free goes first to columns that have less than the usual, and then to all that need more.
    for ends in (most, needed):
        wanted = sum(ends) - sum(widths)
        part = min((width - sum(widths)) / wanted, 1) if wanted > 0 else 0
        widths = [one + (end - one) * part for one, end in zip(widths, ends, strict=True)]
    return widths


def _needed(texts: Sequence[str]) -> tuple[float, float, list[float]]:
    """Return the widths that a column has at least, that its heading needs in one line, and each cell."""
    head, *cells = texts[:200]
    whole = max(wide(head, SMALL, bold=True) + 2 * _BESIDE, _NARROW)
    # A little more, so that rounding breaks none.
    needed = [wide(text, SMALL) + 2 * _BESIDE + 0.1 for text in cells] or [0.0]
    word = max(wide(text, SMALL, bold=True) for text in head.split(" ")) + 2 * _BESIDE
    # Lines do not end where the room does, but where a word does.
    return max(word, max(needed) / _LINES * 1.2, _NARROW), whole, needed


def _narrowed(
    most: Sequence[float], least: Sequence[float], cells: Sequence[Sequence[float]], width: float
) -> list[float]:
    """Return widths that have room beside each other, where few rows are higher than a line.

    Columns give way in small steps, each time the one that breaks the fewest cells by it; because what a step breaks
    says little of those behind it, each column is also kept whole in turn.
    """
    tried = [_given_way(most, least, cells, width, kept) for kept in (None, *range(len(most)))]
    return min((one for one in tried if one is not None), key=lambda one: _high_rows(cells, one))


def _high_rows(cells: Sequence[Sequence[float]], widths: Sequence[float]) -> int:
    """Return how many rows have a cell of more than a line."""
    return sum(any(one > end for one, end in zip(row, widths, strict=True)) for row in zip(*cells, strict=True))


def _given_way(
    most: Sequence[float], least: Sequence[float], cells: Sequence[Sequence[float]], width: float, kept: int | None
) -> list[float] | None:
    """Return widths that have room while one column is kept whole, if there are any."""
    widths = list(most)
    high = {row for column, end in zip(cells, widths, strict=True) for row, one in enumerate(column) if one > end}
    while sum(widths) > width:
        steps = []
        for place, (column, now, low) in enumerate(zip(cells, widths, least, strict=True)):
            if now > low and place != kept:
                then = max([low, *(one for one in column if one < now)])
                broken = {row for row, one in enumerate(column) if one > then} - high
                steps.append((len(broken) / (now - then), place, then, broken))
        if not steps:
            return None
        _, place, widths[place], broken = min(steps, key=lambda step: step[:2])
        high |= broken
    return widths


def _levelled(needed: Sequence[float], width: float) -> list[float]:
    """Return what columns need, and of the widest ones as much as there is room for."""
    low, high = 0.0, width
    while high - low > 1:
        middle = (low + high) / 2
        low, high = (middle, high) if sum(min(one, middle) for one in needed) <= width else (low, middle)
    return [min(one, low) for one in needed]


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
    side = min(max(longest, width * _SIDE[0]), width * _SIDE[1 + (len(chart.series) > _MANY)])
    each = min((width - side) / len(chart.series), _WIDEST)
    heads = [series.label for series in chart.series]
    room = each - 2 * _BESIDE
    is_upright = each < _WIDEST and any(
        wide(word, SMALL, bold=True) > room for head in heads for word in head.split(" ")
    )
    if is_upright:
        top = max(wide(head, SMALL, bold=True) for head in heads) + 2 * _BESIDE
        top = min(top, _UPRIGHT, max(height - _ROW[0] * len(labels), _LOWEST_HEAD))
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
    return "\n".join(lines_of(_short(head, room, most, bold=True), room, SMALL, bold=True))


def _short(name: str, room: float, most: int, *, bold: bool = False) -> str:
    """Return a name that takes at most so many lines, cut in its middle."""
    text, width = name, room * most
    while len(lines_of(text, room, SMALL, bold=bold)) > most:
        width *= 0.9
        text = name_cut(name, width, SMALL, bold=bold)
    return text


def least_height(chart: Chart) -> float:
    """Return the height in points at which a matrix can be read well."""
    return _ROW[0] * len(chart.frame) + 2 * _LOWEST_HEAD


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
