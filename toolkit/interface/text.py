"""Texts and small HTML tables as people see them. Everything remote is made harmless here."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["counted", "definition_table", "duration", "percentage", "printable", "shortened", "text_block"]

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
_MINUTE: Final = 60
_HOUR: Final = 3_600
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

    >>> percentage(0.294), percentage(0.0625, 1)
    ('29 %', '6.2 %')
    """
    return f"{100 * share:.{digits}f} %"


def duration(seconds: float) -> str:
    """Return a time in words that a person would say.

    >>> duration(0.2), duration(44.6), duration(90), duration(5400)
    ('1 s', '45 s', '2 min', '1.5 h')
    """
    if seconds < _MINUTE:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / _MINUTE:.0f} min" if seconds < _HOUR else f"{seconds / _HOUR:.1f} h"


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
