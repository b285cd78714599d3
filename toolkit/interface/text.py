"""Texts and small HTML tables as people see them. Everything remote is made harmless here."""

from __future__ import annotations

import math
from datetime import datetime
from decimal import ROUND_HALF_UP, Context, Decimal
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "counted",
    "day",
    "days",
    "definition_table",
    "duration",
    "percentage",
    "printable",
    "rounded",
    "shortened",
    "text_block",
]

_REORDERING: Final = (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)
_CONTROLS: Final = (*range(0x20), *range(0x7F, 0xA0))
_LINE_BREAKS: Final = (*range(0x09, 0x0E), *range(0x1C, 0x20), 0x85, 0x2028, 0x2029)
_SURROGATES: Final = range(0xD800, 0xE000)
#: What stands on the screen for each character that would hide, reorder or break text, or cannot be encoded.
_SHOWN: Final[dict[int, str]] = {
    **dict.fromkeys((*_REORDERING, *_CONTROLS), ""),
    **dict.fromkeys(_LINE_BREAKS, " "),
    **dict.fromkeys(_SURROGATES, "\N{REPLACEMENT CHARACTER}"),
}
#: Digits behind those that are shown, from which on a number only says how it was computed.
_COMPUTED: Final = 9
_HALVES_UP: Final = Context(prec=400, rounding=ROUND_HALF_UP)
_MINUTE: Final = 60
_HOUR: Final = 3_600
_MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
#: Notebooks look for formulas everywhere else.
_NO_FORMULAS: Final = "mathjax_ignore"
_STYLE: Final = "text-align:left;vertical-align:top;padding:2px 12px 2px 0;"


def printable(text: str) -> str:
    r"""Return a text as one line that every encoding of Unicode can carry.

    Line breaks and tabs become spaces; control characters, marks that reorder the line, and halves of characters go.

    >>> printable("kites\u202egnp.exe")
    'kitesgnp.exe'
    """
    return text.translate(_SHOWN)


def shortened(text: str, limit: int) -> str:
    """Return a text of at most `limit` characters, with ``…`` at the end of one that was cut.

    >>> shortened("trailhead", 6), shortened("trail", 6)
    ('trail…', 'trail')
    """
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "site"), counted(1200, "category", "categories")
    ('1 site', '1,200 categories')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def percentage(share: float, digits: int = 0) -> str:
    """Return a share as every surface writes it, with a blank before the sign.

    >>> percentage(0.294), percentage(0.125), percentage(0.0625, 1)
    ('29 %', '13 %', '6.3 %')
    """
    return f"{rounded(100 * share, digits)} %"


def rounded(number: float, digits: int = 0) -> Decimal:
    """Return a number to so many digits behind its point, halves away from zero, as grids and sheets show it.

    Every number that a person reads is rounded here: 1 of 8 sites is 13 % in a sentence, a picture and a table. Python
    itself would round to the even neighbour, and what is a half by its digits may lie beside it in the machine.

    >>> str(rounded(12.5)), str(rounded(-0.5)), str(rounded(100 * 0.285)), f"{rounded(1234.56, 1):,}"
    ('13', '-1', '29', '1,234.6')
    >>> str(rounded(-0.4)), str(rounded(float("inf")))
    ('0', 'Infinity')
    """
    if not math.isfinite(number):
        return Decimal(number)
    exact = Decimal(repr(round(float(number), digits + _COMPUTED)))
    shown = exact.quantize(Decimal(1).scaleb(-digits), context=_HALVES_UP)
    # Nothing has no sign.
    return abs(shown) if shown.is_zero() else shown


def duration(seconds: float) -> str:
    """Return a time in words that a person would say.

    >>> duration(0.2), duration(44.6), duration(90), duration(5400)
    ('1 s', '45 s', '2 min', '1.5 h')
    """
    if seconds < _MINUTE:
        return f"{rounded(max(seconds, 1))} s"
    return f"{rounded(seconds / _MINUTE)} min" if seconds < _HOUR else f"{rounded(seconds / _HOUR, 1)} h"


def text_block(html: str, *, name: str = "", style: str = "") -> str:
    """Return HTML in a block whose texts a notebook leaves as they are: no formula between two dollar signs.

    Parameters
    ----------
    html : str
        What stands in it, its texts escaped.
    name, style : str
        Further classes and the style of the block.

    >>> text_block("from $616 to $320")
    '<div class="mathjax_ignore">from $616 to $320</div>'
    """
    styled = f' style="{style}"' if style else ""
    return f'<div class="{f"{name} {_NO_FORMULAS}".strip()}"{styled}>{html}</div>'


def definition_table(title: str, rows: Iterable[tuple[str, str | Sequence[str]]], footer: str = "") -> str:
    """Build an HTML table of names and values, in which every text is escaped.

    The footer stands below in small letters. A sequence of values stands as one line each; empty values are left out.

    >>> "<img" in definition_table("<img src=x>", [("name", "<img src=x>")])
    False
    """
    lines = []
    for name, value in rows:
        values = [value] if isinstance(value, str) else list(value)
        shown = "<br>".join(escape(printable(part)) for part in values if part)
        if shown:
            head = f'<th scope="row" style="{_STYLE}">{escape(printable(name))}</th>'
            lines.append(f'<tr>{head}<td style="{_STYLE}">{shown}</td></tr>')
    foot = f'<div style="font-size:smaller;opacity:.75">{escape(printable(footer))}</div>' if footer else ""
    return text_block(f"<strong>{escape(printable(title))}</strong><table>{''.join(lines)}</table>{foot}")


def day(date: str | datetime | None) -> str:
    """Return a date in words.

    Examples
    --------
    >>> day("2026-11-22"), day(None)
    ('22 November 2026', 'date not known')
    """
    if date is None:
        return "date not known"
    moment = datetime.fromisoformat(date) if isinstance(date, str) else date
    # Not by strftime, whose words depend on the machine's language.
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


def days(first: str | datetime | None, last: str | datetime | None) -> str:
    """Return from when to when in words, as one day where it is the same.

    Examples
    --------
    >>> days("2026-11-22", "2026-11-22"), days("2026-11-22", "2026-12-01")
    ('22 November 2026', '22 November 2026 to 1 December 2026')
    """
    begin, end = day(first or last), day(last or first)
    return begin if begin == end else f"{begin} to {end}"
