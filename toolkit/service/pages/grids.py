"""Large tables of plain cells, handed through the extraction of the main text as one paragraph each.

The extraction takes some thirty microseconds a cell, most of a second on a page of statistics, and leaves such a table
as it is. In its place stands one paragraph of the same text, which is put back into rows afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from unicodedata import normalize

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["fold_grids", "unfold_grids"]

_LEAST_CELLS: Final = 50
#: What the extraction looks at in a table: links, parts with a text of their own, cells wider or higher than one.
_NOT_PLAIN: Final = (
    "a, blockquote, br, caption, div, dl, form, h1, h2, h3, h4, h5, h6, ol, p, pre, q, script, style, ul, "
    "[colspan], [rowspan], [hidden]"
)


def fold_grids(tree: LexborHTMLParser) -> dict[str, str]:
    """Replace the large plain tables of a page by one paragraph each.

    Returned are for the text of each paragraph the table's rows, a line each, as the extraction writes them.
    """
    found: dict[str, str] = {}
    for table in tree.css("table"):
        is_large = len(table.css("td, th")) >= _LEAST_CELLS
        # A node is among what is found below it.
        if not is_large or table.css_first(_NOT_PLAIN) is not None or len(table.css("table")) > 1:
            continue
        rows = normalize("NFC", _rows(table))
        line = " ".join(rows.split())
        paragraph = tree.create_node("p")
        paragraph.insert_child(line)
        table.replace_with(paragraph)
        found[line] = rows
    return found


def unfold_grids(text: str, grids: dict[str, str]) -> str:
    """Return a text with the paragraphs put back into rows."""
    return "\n".join(grids.get(line.strip(), line) for line in text.split("\n")) if grids else text


def _rows(table: LexborNode) -> str:
    rows = [list(row.iter()) for row in table.css("tr")]
    width = max(map(len, rows))
    has_head = False
    lines: list[str] = []
    for row in rows:
        cells = [" ".join(cell.text().split()) for cell in row]
        if not any(cells):
            continue
        lines.append(f"| {' | '.join(cells)}{' | ' * (width - len(cells))} | ")
        if not has_head and any(cell.tag == "th" for cell in row):
            has_head = True
            lines.append(f"|{'---|' * width}")
    return "\n".join(lines)
