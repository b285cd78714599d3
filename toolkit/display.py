"""Small HTML tables for results in a notebook. Everything remote is escaped here."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["definition_table", "printable"]

#: Characters that reorder or hide text on the screen.
_INVISIBLE = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C, *range(0x20), 0x7F])
_STYLE = "text-align:left;vertical-align:top;padding:2px 12px 2px 0;"


def printable(text: str) -> str:
    """Return a text without control characters and without marks that reorder it.

    Examples
    --------
    >>> printable("kites\\u202egnp.exe")
    'kitesgnp.exe'
    """
    return text.replace("\t", " ").replace("\n", " ").translate(_INVISIBLE)


def definition_table(title: str, rows: Iterable[tuple[str, str | Sequence[str]]], footer: str = "") -> str:
    """Build a table of names and values.

    Parameters
    ----------
    title : str
        Stands above the table.
    rows : iterable of tuple
        Name and value; a sequence of values stands as one line each. Empty values are left out.
    footer : str
        Stands below in small letters.

    Returns
    -------
    str
        HTML in which every text is escaped.

    Examples
    --------
    >>> "<img" in definition_table("<img src=x>", [("name", "<img src=x>")])
    False
    """
    lines = []
    for name, value in rows:
        values = [value] if isinstance(value, str) else list(value)
        shown = "<br>".join(escape(printable(part)) for part in values if part)
        if shown:
            lines.append(
                f'<tr><th scope="row" style="{_STYLE}">{escape(printable(name))}</th><td style="{_STYLE}">{shown}</td></tr>'
            )
    foot = f'<div style="font-size:smaller;opacity:.75">{escape(printable(footer))}</div>' if footer else ""
    return f"<div><strong>{escape(printable(title))}</strong><table>{''.join(lines)}</table>{foot}</div>"
