"""How wide and high what stands on a sheet is, and how much of it a printed page takes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

import pandas as pd
from xlsxwriter.image import Image

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolkit.reports.contents import Table
    from toolkit.reports.words import Form

__all__ = [
    "LINE",
    "MOST_LINES",
    "ORDINARY",
    "TEXT_WIDTH",
    "WIDEST",
    "fits_upright",
    "fitting",
    "head_lines",
    "height",
    "logo_scale",
    "reach",
    "spread",
    "tall",
    "widths_of",
]

#: Letters of a column: of the widest, the narrowest, and one of which nothing is said.
WIDEST, _NARROWEST, ORDINARY = 60, 9, 9
_JUST: Final = 72
#: Letters that a line of text above a table has room for, at least.
TEXT_WIDTH: Final = 110
#: Height of a row of letters in points; lines that a row has at most.
LINE, MOST_LINES = 15.5, 6
#: How much wider letters of headings are, and letters that the edges of a cell and its filter take.
_BOLD, _INDENT = 1.15, 3.0
#: How many letters stand where a column has room for a digit, and how much wider a capital is.
_NARROWER, _CAPITAL = 1.12, 0.3
#: Letters and points of height of a page in landscape, and points that the texts above a table take.
_ACROSS, _DOWN, _ABOVE = 149, 515, 150
#: The same of a page upright, and by how much letters may be smaller on one than its width asks for: 7 points are read.
_ACROSS_UPRIGHT, _DOWN_UPRIGHT, _SMALLER = 102, 762, 1.3
#: Width and height of a logo in pixels, at most.
_LOGO: Final = (180, 48)


def spread(table: Table) -> list[tuple[str, str, Form]]:
    """Return the columns of a sheet: name, heading and form; an interval has two of its own."""
    return [
        (name, heading, column.form)
        for column in table.columns
        for name, heading in (
            (column.name, column.heading),
            (column.low, f"{column.heading}, at least"),
            (column.high, f"{column.heading}, at most"),
        )
        if name
    ]


def widths_of(table: Table) -> list[float]:
    """Return how wide the columns of a table are, in letters."""
    widths: list[float] = []
    for name, heading, _ in spread(table):
        texts = [len(value) for value in table.frame[name] if isinstance(value, str)]
        # A heading has three lines, but no word of it is broken.
        head = min(max(len(heading) / 2, *(1.1 * len(word) for word in [*heading.split(), ""])), WIDEST / 3)
        # What is hardly longer than the widest column has a line all the same.
        end = WIDEST if max(texts, default=0) > _JUST else _JUST
        widths.append(min(max(max(texts, default=0), head, _NARROWEST), end) + 2)
    return widths


def head_lines(heading: str, width: float) -> int:
    """Return how many lines a heading takes: its letters are bold, and no line ends within a word.

    >>> head_lines("Difference, percentage points", 16), head_lines("Sites", 16)
    (3, 1)
    """
    lines, used = 1, 0.0
    for word in heading.split():
        needed = _BOLD * len(word)
        lines += bool(used) and used + _BOLD + needed > width - _INDENT
        used = needed if not used or used + _BOLD + needed > width - _INDENT else used + _BOLD + needed
    return lines


def tall(table: Table) -> Iterator[tuple[int, float]]:
    """Yield the rows that have a text of several lines, with their heights: not every program finds these out."""
    frame = table.frame
    most = [1] * len(frame)
    for (name, _, _), width in zip(spread(table), widths_of(table), strict=True):
        for row, text in enumerate(frame[name] if not pd.api.types.is_numeric_dtype(frame[name]) else ()):
            if isinstance(text, str) and len(text) > WIDEST:
                most[row] = max(most[row], _lines(text, width))
    yield from ((row, LINE * min(lines, MOST_LINES)) for row, lines in enumerate(most) if lines > 1)


def reach(widths: Sequence[float]) -> int:
    """Return the last column that the texts above a table lie over."""
    last, wide = 0, widths[0] if widths else ORDINARY
    while wide < TEXT_WIDTH:
        last += 1
        wide += widths[last] if last < len(widths) else ORDINARY
    return max(last, 1)


def height(text: str, width: int) -> float:
    """Return the height of a row with a wrapped text in a column so wide.

    >>> height("Kites", 60), height("Kites and boots " * 6, 60)
    (15.5, 31.0)
    """
    return LINE * min(_lines(text, width), MOST_LINES)


def _lines(text: str, width: float) -> int:
    """Return how many lines a text takes, which end between words.

    Columns are measured in digits, and most letters are narrower.
    """
    room, lines, used = width * _NARROWER, 1, 0.0
    for word in text.split():
        needed = len(word) + _CAPITAL * sum(map(str.isupper, word))
        if used and used + 1 + needed > room:
            lines, used = lines + 1, needed
        else:
            used += needed + bool(used)
        # A word that is wider than a line is broken itself.
        lines, used = lines + int((used - 1) // room), (used - 1) % room + 1
    return lines


def fitting(table: Table, width: float) -> int:
    """Return how many rows of a table, so wide, a page takes: it is made as small as its width asks for."""
    left = _DOWN * max(width / _ACROSS, 1) - _ABOVE
    for row, points in enumerate(_heights(table)):
        left -= points
        if left < 0:
            return max(row, 1)
    return len(table.frame)


def fits_upright(table: Table, width: float) -> bool:
    """Return whether a page upright takes a whole table, so wide, in letters that can be read."""
    return sum(_heights(table)) <= _DOWN_UPRIGHT * max(width / _ACROSS_UPRIGHT, 1) * _SMALLER - _ABOVE


def _heights(table: Table) -> list[float]:
    """Return how high each row of a table is, in points."""
    heights = dict(tall(table))
    return [heights.get(row, LINE) for row in range(len(table.frame))]


def logo_scale(logo: bytes) -> dict[str, float]:
    """Return the options for a logo of one height, whatever it is on disk."""
    image = Image(io.BytesIO(logo))
    by = min(_LOGO[0] * image.x_dpi / 96 / image.width, _LOGO[1] * image.y_dpi / 96 / image.height)
    return {"x_scale": by, "y_scale": by}
