"""Plain values with their labels, from every usual way to list them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface.filters.codes import codes_in, words_of_code
from toolkit.interface.filters.headings import field_of, role_of, says_nothing
from toolkit.interface.filters.shapes import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["entry_of", "enumeration", "inline_of", "label_of", "text_of"]

#: Properties in the order in which they are believed.
_VALUES: Final = ("value", "code", "key", "slug", "id", "name", "label")
_LABELS: Final = ("label", "name", "title", "text", "display_name", "description")
#: What else a list says of itself.
_ASIDES: Final = frozenset({"count", "total", "size", "number", "version", "multiple", "required", "order"})
_SIGNS: Final = (":", "=", "|", "\t")
_PAIR: Final = 2
#: Levels beyond which nothing is one enumeration.
_DEEPEST: Final = 6
_INLINE: Final = re.compile(r"([A-Za-z0-9_+<>.]+)(?:\s?[:=|\u2013\u2014]\s?| - )(\S.*)\Z")
#: The same, roughest last: a value is written more like a name than its label is.
_STYLES: Final = tuple(map(re.compile, (r"[a-z0-9_]+\Z", r"[A-Z0-9_]+\Z|[a-z0-9_.+<>-]+\Z", r"[^\s]+\Z")))

Entry = tuple[str, str]


def enumeration(node: Any) -> dict[str, str]:
    """Return values with labels if a plain node lists them; empty if it does not, or lists codes.

    >>> enumeration({"18 to 24 years": "18_24", "25 to 34 years": "25_34"})
    {'18_24': '18 to 24 years', '25_34': '25 to 34 years'}
    >>> enumeration("low; middle; high")
    {'low': 'Low', 'middle': 'Middle', 'high': 'High'}
    """
    found = _entries(node, _DEEPEST)
    # One code is enough to show that this is a group of codes which happens to be named like a field.
    if not found or any(codes_in(text) for entry in found for text in entry):
        return {}
    return {value: label if label and label != value else words_of_code(value) for value, label in found if value}


def inline_of(text: str) -> Entry | None:
    """Return the value and the label of a text that holds both.

    >>> inline_of("18_24: 18 to 24 years"), inline_of("18 to 24 years")
    (('18_24', '18 to 24 years'), None)
    """
    match = _INLINE.match(text)
    return (match[1], match[2].strip()) if match else None


def entry_of(record: Mapping[str, Any]) -> Entry:
    """Return the value that a record describes, and its label; empty texts where it describes none."""
    value = _property(record, _VALUES, "code") or _property(record, _LABELS, "label")
    return value, label_of(record, value)


def label_of(record: Any, value: str = "") -> str:
    """Return the label in a record, which is another text than the value."""
    if not isinstance(record, dict):
        return ""
    told = [text_of(record[name]) for name in _ordered(record, _LABELS, "label")]
    return next((text for text in told if text and text != value), "")


def text_of(node: Any) -> str:
    """Return a text or a number as text; empty for anything else."""
    if isinstance(node, str):
        return node.strip()
    return str(node) if isinstance(node, int | float) and not isinstance(node, bool) else ""


def _property(record: Mapping[str, Any], names: Sequence[str], role: str) -> str:
    told = [text for name in _ordered(record, names, role) if (text := text_of(record[name]))]
    # The number of a row is a value only where there is no other.
    return next((text for text in told if not text.isdigit()), next(iter(told), ""))


def _ordered(record: Mapping[str, Any], names: Sequence[str], role: str) -> list[str]:
    """Return the names of a record's properties that may tell something, the surest first."""
    folded = {name.casefold(): name for name in record}
    usual = [folded[name] for name in names if name in folded]
    return usual + [name for name in record if name not in usual and role_of(name) == role]


def _entries(node: Any, levels: int) -> list[Entry]:
    if isinstance(node, str):
        parts = listed(node)
        return _of_list(parts, levels) if len(parts) > 1 else []
    if isinstance(node, list) and levels:
        return _of_list(node, levels - 1)
    return _of_mapping(node, levels - 1) if isinstance(node, dict) and levels else []


def _of_list(items: list[Any], levels: int) -> list[Entry]:
    items = [item for item in items if item is not None]
    if len(items) == 1 and isinstance(items[0], str):
        parts = listed(items[0])
        items = parts if _roughness(parts) < len(_STYLES) or len(parts) > _PAIR else items
    if all(isinstance(item, dict) for item in items):
        return [entry for item in items if isinstance(item, dict) for entry in _of_item(item, levels)]
    if all(isinstance(item, list) for item in items):
        return _of_rows([[text_of(cell) for cell in row] for row in items])
    texts = [text_of(item) for item in items]
    if pairs := _inline(texts):
        return pairs
    if not any(isinstance(item, list | dict) for item in items):
        return [(text, "") for text in texts]
    mixed = [_entries([item], levels) if isinstance(item, list | dict) else [(text_of(item), "")] for item in items]
    return [entry for found in mixed for entry in found]


def _inline(texts: list[str]) -> list[Entry]:
    """Return the values and labels of texts that all hold both, in either order; none if any does not."""
    inline = [inline_of(text) for text in texts]
    if all(inline):
        return [entry for entry in inline if entry]
    sign = next((sign for sign in _SIGNS if all(text.count(sign) == 1 for text in texts)), None)
    return _of_rows([[part.strip() for part in text.split(sign)] for text in texts]) if sign and len(texts) > 1 else []


def _of_item(item: dict[str, Any], levels: int) -> list[Entry]:
    """Return what an item of a list tells: a record one value, a mapping one an entry."""
    if not any(role_of(name) in {"code", "label"} for name in item):
        return _of_mapping(item, levels)
    return [entry_of(item)]


def _of_rows(rows: list[list[str]]) -> list[Entry]:
    width = min(map(len, rows), default=0)
    columns = list(zip(*(row[:width] for row in rows), strict=True))
    told = [column for column in columns if not all(text.isdigit() for text in column)] or columns
    if not told:
        return []
    value = min(told, key=_roughness)
    label = next((column for column in told if column is not value), ("",) * len(rows))
    return list(zip(value, label, strict=True))


def _of_mapping(node: dict[str, Any], levels: int) -> list[Entry]:
    if inner := _under_a_heading(node, levels):
        return inner
    node = {name: value for name, value in node.items() if not _is_aside(name, value)} or node
    if any(isinstance(value, list) for value in node.values()):
        return _of_groups(node, levels)
    if any(isinstance(value, dict) for value in node.values()):
        return _of_described(node, levels)
    names, labels = list(node), [value if isinstance(value, str) else "" for value in node.values()]
    if _roughness(labels) < _roughness(names) and all(labels):
        names, labels = labels, names
    return list(zip((name.strip() for name in names), (label.strip() for label in labels), strict=True))


def _under_a_heading(node: dict[str, Any], levels: int) -> list[Entry]:
    """Return what a property lists whose name says no more than that it is a list: ``values``, ``options``."""
    if not all(role_of(name) or says_nothing(name) or name.casefold() in _ASIDES for name in node):
        return []
    for name, value in node.items():
        is_list = isinstance(value, list | dict) or (isinstance(value, str) and role_of(name) in {None, "code"})
        if is_list and says_nothing(name) and (found := _entries(value, levels)):
            return found
    return []


def _of_groups(node: dict[str, Any], levels: int) -> list[Entry]:
    """Return the values of groups one after another; none if the groups are fields of their own."""
    if any(field_of(name) for name in node):
        return []
    return [entry for value in node.values() for entry in _entries(value, levels)]


def _of_described(node: dict[str, Any], levels: int) -> list[Entry]:
    """Return values that are described, each under its name or its label."""
    found = []
    for name, value in node.items():
        if not isinstance(value, dict):
            found.append((name, text_of(value)))
        elif any(isinstance(part, list | dict) for part in value.values()):
            return _of_groups(node, levels)
        elif not value or any(role_of(part) for part in value):
            told = _property(value, ("value", "code", "key", "slug"), "code")
            own = told if told and not told.isdigit() and _roughness([told]) < _roughness([name]) else name
            found.append((own, label_of(value, own) or (name if own != name else "")))
        else:
            return _of_groups(node, levels)
    return found


def _is_aside(name: str, value: Any) -> bool:
    """Tell whether an entry describes the list itself, and is no value of it."""
    if value is None or isinstance(value, list | dict) or not (role_of(name) or name.casefold() in _ASIDES):
        return False
    return not isinstance(value, str) or value.casefold() != name.replace("_", " ").casefold()


def _roughness(texts: Iterable[str]) -> int:
    """Return how little some texts look like values, all in all."""
    return sum(next((n for n, style in enumerate(_STYLES) if style.match(text)), len(_STYLES)) for text in texts)
