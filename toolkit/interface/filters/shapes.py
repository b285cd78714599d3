"""The shapes in which a list may be written, all turned into plain ones: lists, mappings and records.

Sparse arrays of PHP, which JSON has as mappings of numbers, are lists; tables of rows, of columns and of parallel lists
are lists of records; JSON within a text is read.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface.filters.headings import field_of, kind_of, role_of, says_nothing

if TYPE_CHECKING:
    from collections.abc import Callable

    _Finder = Callable[[str], re.Match[str] | None]

__all__ = ["listed", "plain"]

#: Names of a table's headings beside its rows.
_HEADINGS: Final = ("headers", "header", "columns", "cols", "fields", "keys", "names", "thead")
_ROWS: Final = ("rows", "data", "values", "records", "body", "items", "index_rows", "tbody")
#: What stands between the parts of a list in one text; the first that is in it.
_BETWEEN: Final = ("\n", "|", ";", ",")
#: Levels beyond which no document is a vocabulary.
DEEPEST: Final = 40
#: A pair of a value and a label in one text, either of them first.
_VALUE_FIRST: Final = re.compile(r"\s?[A-Za-z0-9_+<>.$-]{1,60}\s?[:=]")
_VALUE_LAST: Final = re.compile(r"[:=]\s?[A-Za-z0-9_+<>.$-]{1,60}\s?\Z")
_PLACE: Final = re.compile(r"[0-9]{1,18}")
_WIDEST: Final = 100


def plain(node: Any, levels: int = DEEPEST) -> Any:
    """Return a document of lists, mappings, records and scalars alone; one with more levels is a RecursionError.

    >>> plain({"1": "18_24", "3": "25_34"})
    ['18_24', '25_34']
    >>> plain([["code", "label"], ["INT.PETS", "Pets"]])
    [{'code': 'INT.PETS', 'label': 'Pets'}]
    >>> plain({"code": ["INT.PETS", "INT.CARS"], "label": ["Pets", "Cars"]})
    {'values': [{'code': 'INT.PETS', 'label': 'Pets'}, {'code': 'INT.CARS', 'label': 'Cars'}]}
    """
    if not levels:
        raise RecursionError
    if isinstance(node, str):
        inner = _json_of(node)
        return node if inner is None else plain(inner, levels - 1)
    if isinstance(node, list):
        table = _table(node[0], node[1:], levels - 1) if node else None
        return table or [plain(item, levels - 1) for item in node]
    return _mapping(node, levels - 1) if isinstance(node, dict) else node


def listed(text: str) -> list[str]:
    """Return the parts of a list that is written in one text; the text alone if it is none.

    Where they are pairs of a value and a label, what stands between two pairs belongs to a label.

    >>> listed("low | middle | high"), listed("low")
    (['low', 'middle', 'high'], ['low'])
    >>> listed("1_10=1 to 10, 1001_plus=1,001 and more")
    ['1_10=1 to 10', '1001_plus=1,001 and more']
    """
    between = next((sign for sign in _BETWEEN if sign in text.strip()), "\n")
    parts = [part for part in text.split(between) if part.strip()]
    for begins, ends in ((_VALUE_FIRST.match, None), (None, _VALUE_LAST.search)):
        pairs = _joined(parts, between, begins, ends)
        if len(pairs) > 1:
            return [pair.strip() for pair in pairs]
    return [part.strip() for part in parts]


def _joined(parts: list[str], between: str, begins: _Finder | None, ends: _Finder | None) -> list[str]:
    """Return parts joined to those that begin or end a pair; none if the first, or the last, does not."""
    joined: list[list[str]] = []
    is_open = False
    for part in parts:
        if (begins and begins(part)) or (ends and not is_open):
            joined.append([part])
        elif joined:
            joined[-1].append(part)
        else:
            return []
        is_open = bool(ends and not ends(part))
    return [] if is_open else [between.join(pair) for pair in joined]


def _json_of(text: str) -> Any:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


def _mapping(node: dict[str, Any], levels: int) -> Any:
    for headings in _HEADINGS:
        for rows in _ROWS:
            if headings in node and (table := _table(node[headings], node.get(rows), levels)):
                others = {name: plain(value, levels) for name, value in node.items() if name not in {headings, rows}}
                return {**others, "values": table} if others else table
    places = [name for name in node if _PLACE.fullmatch(name)]
    if places and all(_PLACE.fullmatch(name) or _is_property(name) for name in node):
        items = plain([node[name] for name in sorted(places, key=int)], levels)
        others = {name: plain(value, levels) for name, value in node.items() if not _PLACE.fullmatch(name)}
        return {**others, "values": items} if others else items
    found = {name: plain(value, levels) for name, value in node.items()}
    return _with_parallel_lists_joined(found)


def _is_property(name: str) -> bool:
    return role_of(name) is not None or says_nothing(name)


def _table(headings: Any, rows: Any, levels: int) -> list[dict[str, Any]] | None:
    """Return the rows of a table as records; None if it is none."""
    headings, rows = (plain(part, levels) if isinstance(part, dict) else part for part in (headings, rows))
    if not (isinstance(headings, list) and isinstance(rows, list) and rows and 0 < len(headings) <= _WIDEST):
        return None
    names: list[Any] = [next(iter(cell.values()), None) if isinstance(cell, dict) else cell for cell in headings]
    told = [_column(name) for name in names]
    if None in told or len(set(told)) < len(told) or (len(told) == 1 and len(rows) == 1):
        return None
    rows = [plain(row, levels) if isinstance(row, dict) else row for row in rows]
    if not all(isinstance(row, list) and len(row) <= len(names) for row in rows):
        return None
    return [{name: plain(cell, levels) for name, cell in zip(names, row, strict=False)} for row in rows]


def _column(name: Any) -> str | None:
    """Return what a column of this name tells; None if that is nothing that a vocabulary has."""
    if not isinstance(name, str):
        return None
    return field_of(name) or kind_of(name) or (name.casefold() if role_of(name) else None)


def _with_parallel_lists_joined(node: dict[str, Any]) -> dict[str, Any]:
    """Turn lists of codes and of what belongs to them, in the same order, into one list of records."""
    columns = {name: value for name, value in node.items() if role_of(name) and _is_flat(value)}
    lengths = {len(value) for value in columns.values()}
    roles = {role_of(name) for name in columns}
    values = next((name for name in columns if role_of(name) == "code"), None)
    labels = next((name for name in node if role_of(name) == "label"), None)
    if len(columns) > 1 and len(lengths) == 1 and {"code", "label"} & roles and len(roles) > 1:
        records: list[Any] = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    elif values and labels and isinstance(node[labels], dict) and set(node[labels]) <= set(map(str, columns[values])):
        columns = {values: columns[values], labels: node[labels]}
        records = [{"value": value, "label": node[labels].get(str(value))} for value in columns[values]]
    else:
        return node
    return {**{name: value for name, value in node.items() if name not in columns}, "values": records}


def _is_flat(node: Any) -> bool:
    return isinstance(node, list) and bool(node) and not any(isinstance(item, list | dict) for item in node)
