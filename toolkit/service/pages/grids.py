"""Large tables of plain cells, handed through the extraction of the main text as one paragraph each.

The extraction takes some thirty microseconds a cell, most of a second on a page of statistics, and leaves such a table
as it is. In its place stands one paragraph of the same text, which is put back into rows afterwards.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["fold_grids", "is_sprawling", "unfold_grids"]

_LEAST_CELLS: Final = 50
#: Steps from a table up to the one around it.
_FURTHEST: Final = 20
#: Cells of a page's tables once every row is filled up to the widest one, as the extraction does.
_MOST_FILLED: Final = 300_000
_SPAN: Final = re.compile(r"[0-9]{1,4}")
_WIDEST_SPAN: Final = 1_000
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
    tables = tree.css("table") if len(tree.css("td, th")) >= _LEAST_CELLS else []
    # Found in one go: to look into each of many nested tables for others takes the square of their number.
    outer = {_around(inner) for inner in tree.css("td table, th table")} if tables else set()
    if None in outer:
        return found
    for table in tables:
        # A node is among what is found below it.
        if table.mem_id in outer or len(table.css("td, th")) < _LEAST_CELLS:
            continue
        if table.css_first(_NOT_PLAIN) is not None or is_sprawling(table):
            continue
        rows = normalize("NFC", _rows(table))
        line = " ".join(rows.split())
        paragraph = tree.create_node("p")
        paragraph.insert_child(line)
        table.replace_with(paragraph)
        found[line] = rows
    return found


def is_sprawling(part: LexborHTMLParser | LexborNode) -> bool:
    """Tell whether tables would have too many cells once every row is as wide as the widest one."""
    rows = part.css("tr")
    widest = max((sum(map(_width, row.iter())) for row in rows), default=0)
    return widest * len(rows) > _MOST_FILLED


def _around(table: LexborNode) -> int | None:
    """Return which table stands around one, None where that is further off than in any layout."""
    node: LexborNode | None = table
    for _ in range(_FURTHEST):
        node = node.parent if node is not None else None
        if node is not None and node.tag == "table":
            return node.mem_id
    return None


def _width(cell: LexborNode) -> int:
    found = _SPAN.match(cell.attributes.get("colspan") or "")
    return min(int(found[0]), _WIDEST_SPAN) if found else 1


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
