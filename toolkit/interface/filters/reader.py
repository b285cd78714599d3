"""Walking through a filters document: codes wherever they stand, enumerations under any plausible name.

The interface says what the document holds, not how it is built. What was found and could not be read is told.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface.filters.codes import code_of, codes_in, full_code, prefix_of
from toolkit.interface.filters.entries import entry_of, enumeration, inline_of, label_of, text_of
from toolkit.interface.filters.headings import (
    FIELDS,
    KINDS,
    SIZES,
    field_of,
    kind_of,
    role_of,
    says_nothing,
    stated_size,
)
from toolkit.interface.filters.shapes import listed, plain
from toolkit.interface.text import counted, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.interface.filters.headings import Prefix

__all__ = ["FiltersReader"]

_VERSIONS: Final = ("vocab_version", "vocabulary_version", "version", "taxonomy_version")
_SHOWN: Final = 120
#: More are no help to anybody.
_MOST_UNREAD: Final = 100
#: Entries beyond which no document is a vocabulary; the interface's has some 1,500.
_LARGEST: Final = 100_000
_PAIR: Final = 2
_WIDEST_ROW: Final = 6


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a part of the document stands, and what is known of it from what stands above."""

    where: str = "$"
    #: The prefix that its codes have, and the group that they are in.
    kind: Prefix | None = None
    group: str = ""
    #: The groups of the codes below a kind's heading, where these lack the prefix alone.
    roots: frozenset[str] = frozenset()
    #: The field under whose heading it stands.
    field: str = ""
    #: Whether it is an item of a list, or a cell of such an item.
    is_item: bool = False
    is_cell: bool = False

    def at(self, key: str | int) -> _Place:
        step = f"[{key}]" if isinstance(key, int) else f".{shortened(key, _SHOWN)}"
        is_item = isinstance(key, int)
        return replace(self, where=self.where + step, is_item=is_item, is_cell=self.is_item and not is_item)

    def within(self, code: str) -> _Place:
        return replace(self, kind=prefix_of(code), group=code)

    def of_kind(self, kind: Prefix, node: Any) -> _Place:
        return replace(self, kind=kind, group="", roots=frozenset(_roots(node)))

    def code_of(self, text: Any, *, is_token: bool = False) -> str | None:
        """Return the code that a text is here; a word in small letters is one only where there is a sign of it."""
        is_root = isinstance(text, str) and text.upper() in self.roots
        return code_of(text, self.kind, self.group, is_token=is_token or is_root)


class FiltersReader:
    """Collects what a filters document holds while it walks through it.

    These are the `version` as the document states it; `labels`, every code with its label; `enumerations`, values with
    their labels by field; and `unread`, what was not understood: where it stands, what it was to be, what it says, and
    why it is no part of the vocabulary. What the document does not give is empty.

    >>> reader = FiltersReader()
    >>> reader.read({"ages": {"0": "18_24"}, "interests": {"PETS": {"DOGS": "Dogs"}}, "colours": ["red"]})
    >>> reader.labels, reader.enumerations
    ({'INT.PETS': '', 'INT.PETS.DOGS': 'Dogs'}, {'age_bracket': {'18_24': '18 24'}})
    >>> reader.unread[0]
    ('$.colours', 'colours', '["red"]', 'is under a name that is none of a known field')
    """

    def __init__(self) -> None:
        self.version = ""
        self.labels: dict[str, str] = {}
        self.enumerations: dict[str, dict[str, str]] = {}
        self.unread: list[tuple[str, str, str, str]] = []
        #: Every code and enumeration, as often as it was met.
        self._met: list[str] = []
        self._stated: dict[str, int] = {}

    def read(self, document: Any) -> None:
        """Walk through a document."""
        tree = plain(document)
        _check_size(tree)
        self._walk(tree, _Place())
        self._count()

    # Walking ------------------------------------------------------------------------------------------------------

    def _walk(self, node: Any, place: _Place) -> None:
        if isinstance(node, dict):
            self._walk_mapping(node, place)
        elif isinstance(node, list):
            if row := _coded_row(node, place):
                self._add(*row)
            else:
                for position, item in enumerate(node):
                    self._walk(item, place.at(position))
        elif isinstance(node, str):
            self._read_text(node, place)

    def _read_text(self, text: str, place: _Place) -> None:
        if found := codes_in(text):
            for code, label in found:
                self._add(code, label)
        elif place.kind:
            found = [_inline_code(part, place) for part in listed(text)]
            # A label may have a comma.
            found = found if all(code for code, _ in found) else [_inline_code(text, place)]
            for code, label in found:
                if code:
                    self._add(code, label)
                elif text.strip():
                    self._leave(place.where, KINDS[place.kind][0], text, "is no code")

    def _walk_mapping(self, node: dict[str, Any], place: _Place) -> None:
        self.version = self.version or _stated_version(node)
        told = {} if _leads_to_codes(node, place) else _told(node)
        heading, place = self._read_record(node, told, place)
        before = len(self._met)
        for key, value in node.items():
            # What describes the record was read with it.
            if key not in told:
                self._read_named(key, value, place.at(key))
        if heading and not kind_of(heading, alone=True):
            self._label_group(heading, before)

    def _read_record(self, node: dict[str, Any], told: dict[str, str], place: _Place) -> tuple[str, _Place]:
        """Read what a mapping says of one code or value; return the heading it is, and what is known of its parts."""
        for key, text in told.items():
            # What a record is about may stand in any of its properties, if it goes on with a list of its own.
            names_field = role_of(key) == "field"
            kind = None if place.group else kind_of(text, alone=place.kind is not None)
            if kind and kind != place.kind and (names_field or _lists(node)):
                place = place.of_kind(kind, node)
            elif (field := field_of(text)) and not place.kind:
                if values := enumeration(_parts(node)) if _lists(node) else {}:
                    self._enumerate(field, values, stated_size(text))
                elif names_field and not _lists(node) and not _code_in(told, place):
                    self._enumerate_entry(field, entry_of({k: v for k, v in node.items() if k != key}))
        if _lists(node):  # the name of a kind or field is the heading of its list, and no code
            told = {key: text for key, text in told.items() if not _names_list(text)}
        group, group_label = _group_in(told, place)
        group_place = place.within(group) if group else place
        code = _code_in(told, group_place)
        own_label = label_of({key: text for key, text in told.items() if not full_code(text)}, told.get("code", ""))
        if group and (group != code):
            # What stands under a code's own name speaks of that code, not of the group that it is in.
            is_of_code = bool(code or (place.group and not place.is_item))
            self._add(group, group_label or ("" if is_of_code else own_label))
        if code:
            self._add(code, own_label)
            if group_label and not group:
                self._add(_group_of(code), group_label)
            return "", place.within(code)
        return "" if group else group_label or own_label, group_place

    def _read_named(self, key: str, value: Any, place: _Place) -> None:
        """Read what stands under a name: a kind of codes, a field, a code, a label, or a name that says nothing."""
        before = len(self._met)
        is_full = full_code(key) is not None
        if not is_full and (kind := kind_of(key, alone=place.kind is not None)):
            self._walk(value, place if kind == place.kind or place.group else place.of_kind(kind, value))
        elif not is_full and not place.kind and (field := field_of(key)):
            self._read_field(field, key, value, place)
        elif code := self._code_of_name(key, value, place):
            label = value if isinstance(value, str) and not codes_in(value) else label_of(value)
            self._add(code, label)
            if not isinstance(value, str) or codes_in(value):
                self._walk(value, place.within(code))
        elif (
            isinstance(value, str)
            and not says_nothing(key)
            and (code := place.code_of(value))
            and _may_be_label(key, value)
        ):
            self._add(code, self.labels.get(code) or key)
        elif isinstance(value, list | dict) or (isinstance(value, str) and (codes_in(value) or says_nothing(key))):
            self._walk(value, place)
            if not says_nothing(key):
                self._label_below(key, value, before, place)
        is_telling = _texts(value) if isinstance(value, list | dict) else isinstance(value, str) and bool(place.kind)
        if len(self._met) == before and is_telling and not says_nothing(key) and not role_of(key):
            self._leave_named(key, value, place)

    def _read_field(self, field: str, key: str, value: Any, place: _Place) -> None:
        if values := enumeration(value):
            self._enumerate(field, values, stated_size(key))
        elif place.is_cell or isinstance(value, list | dict):
            before = len(self._met)
            self._walk(value, replace(place, field=field))
            if len(self._met) == before and isinstance(value, str):
                self._enumerate_entry(field, (value.strip(), ""))

    def _code_of_name(self, key: str, value: Any, place: _Place) -> str | None:
        """Return the code that a name is; a single word is one only if nothing below belongs to another group."""
        if full := full_code(key):
            return full
        if not place.kind or says_nothing(key) or role_of(key) or isinstance(value, int | float):
            return None
        is_list = _lists_more(value)
        if isinstance(value, dict) and _code_in(_told(value), place):
            return None
        code = place.code_of(key, is_token=is_list and not place.roots)
        if code is None or (isinstance(value, str) and "." in value and place.code_of(value)):
            return None
        if is_list and place.roots and not place.group and code.split(".")[1] not in place.roots:
            return None
        inner = next(_codes_just_below(value), code)
        return code if inner == code or inner.startswith(f"{code}.") else None

    # What was found -----------------------------------------------------------------------------------------------

    def _add(self, code: str, label: str = "") -> None:
        self._met.append(code)
        if label.strip() and not full_code(label):
            self.labels[code] = label.strip()
        else:
            self.labels.setdefault(code, "")

    def _label_below(self, heading: str, value: Any, since: int, place: _Place) -> None:
        """Take a heading for the label of the code below it, or of the group that all codes below it are in."""
        code = _code_in(_told(value), place) if isinstance(value, dict) else ""
        if code and not self.labels.get(code):
            self._add(code, heading)
        elif place.kind and not code:
            self._label_group(heading, since)

    def _label_group(self, label: str, since: int) -> None:
        """Take a heading for the label of the group that all codes below it are in."""
        groups = {_group_of(code) for code in self._met[since:]}
        if len(groups) == 1 and (group := groups.pop()) not in FIELDS and not self.labels.get(group):
            if group in self.labels:
                self.labels[group] = label.strip()
            else:  # a group stands before its members
                members = {code: self.labels.pop(code) for code in dict.fromkeys(self._met[since:])}
                self.labels |= {group: label.strip(), **members}

    def _enumerate(self, field: str, values: dict[str, str], stated: int | None) -> None:
        self._met.append(field)
        self.enumerations.setdefault(field, {}).update(values)
        if stated is not None:
            self._stated[field] = stated

    def _enumerate_entry(self, field: str, entry: tuple[str, str]) -> None:
        if values := enumeration([list(entry)] if entry[1] else [entry[0]]):
            self._enumerate(field, values, None)

    # What was not understood --------------------------------------------------------------------------------------

    def _leave(self, where: str, name: str, value: str, why: str) -> None:
        if len(self.unread) < _MOST_UNREAD:
            self.unread.append((where, name, shortened(value, _SHOWN), why))

    def _leave_named(self, key: str, value: Any, place: _Place) -> None:
        if len(self.unread) >= _MOST_UNREAD:
            return
        kind = place.kind or kind_of(key)
        known = KINDS[kind][0] if kind else field_of(key) or place.field
        why = "could not be read" if known else "is under a name that is none of a known field"
        if not any(
            where == place.where or where.startswith((f"{place.where}.", f"{place.where}["))
            for where, *_ in self.unread
        ):
            self._leave(place.where, shortened(known or key, _SHOWN), _shown(value), why)

    def _count(self) -> None:
        """Compare what was found with what the interface, and the document's own headings, say that there is."""
        told: list[tuple[str, str, str]] = []
        for prefix, (name, members, groups) in KINDS.items():
            codes = [code for code in self.labels if prefix_of(code) == prefix]
            found_groups = {_group_of(code) for code in codes}
            found = (len(set(codes) - found_groups), len(found_groups))
            if found != (members, groups):
                said = f"{counted(found[0], 'code')} in {counted(found[1], 'group')}"
                told.append((name, said, f"is not what the interface states: {members} codes in {groups} groups"))
        for field in FIELDS:
            number, stated = len(self.enumerations.get(field, ())), self._stated.get(field, SIZES.get(field))
            if not number and field != "confidence":
                told.append((field, "", "is missing"))
            elif number and stated is not None and number != stated:
                told.append((field, counted(number, "value"), f"is not what is stated: {stated}"))
        self.unread += [("$", *problem) for problem in told]


def _check_size(node: Any) -> None:
    """Refuse a document that is too large to be a vocabulary, before it takes minutes."""
    waiting, seen = [node], 0
    while waiting:
        part = waiting.pop()
        if isinstance(part, list | dict):
            seen += len(part)
            waiting += part.values() if isinstance(part, dict) else part
        if seen > _LARGEST:
            raise OverflowError


def _stated_version(node: dict[str, Any]) -> str:
    stated = (node.get(key) for key in _VERSIONS)
    return next((str(v) for v in stated if v and isinstance(v, str | int | float) and not isinstance(v, bool)), "")


def _group_of(code: str) -> str:
    return ".".join(code.split(".")[:2])


def _coded_row(node: list[Any], place: _Place) -> tuple[str, str] | None:
    """Return code and label of a row that holds one of each, in any order, perhaps with the code of its group."""
    if not _PAIR <= len(node) <= _WIDEST_ROW or not all(isinstance(part, str) for part in node):
        return None
    codes = {part: code for part in node if (code := place.code_of(part))}
    if any("." in part for part in codes):  # another that looks like a code is a label: TV
        deepest = max((code for part, code in codes.items() if "." in part), key=len)
        codes = {part: code for part, code in codes.items() if "." in part or deepest.startswith(f"{code}.")}
    labels = [part for part in node if part not in codes and part.strip() and not codes_in(part)]
    deepest = max(codes.values(), key=len, default="")
    if not labels or not all(deepest == code or deepest.startswith(f"{code}.") for code in codes.values()):
        return None
    return (deepest, labels[-1]) if deepest and (len(labels) == 1 or len(codes) > 1) else None


def _inline_code(text: str, place: _Place) -> tuple[str, str]:
    """Return the code that a text is, or begins with, and its label; empty texts if it is none."""
    if code := place.code_of(text):
        return code, ""
    name, label = inline_of(text) or ("", "")
    return place.code_of(name, is_token=True) or "", label


def _leads_to_codes(node: dict[str, Any], place: _Place) -> bool:
    """Tell whether a mapping leads from labels to codes, rather than describing one code by its properties."""
    return bool(node) and all(
        place.code_of(value) and not codes_in(key) and role_of(key) != "code" for key, value in node.items()
    )


def _told(node: dict[str, Any]) -> dict[str, str]:
    """Return what a record says of itself: its properties that are texts, and no lists in a text."""
    own = {key: value for key, value in node.items() if role_of(key) and not field_of(key)}
    texts = {key: text for key, value in own.items() if (text := text_of(value))}
    return {key: text for key, text in texts.items() if role_of(key) != "code" or len(listed(text)) == 1}


def _code_in(told: dict[str, str], place: _Place) -> str:
    """Return the code that a record's properties tell: one in full before one without prefix."""
    texts = [(role_of(key), text) for key, text in told.items() if role_of(key) in {"code", "label"}]
    full = next((code for _, text in texts if (code := full_code(text))), "")
    likely = (place.code_of(text, is_token=True) for role, text in texts if role == "code")
    return full or next((code for code in likely if code), "")


def _group_in(told: dict[str, str], place: _Place) -> tuple[str, str]:
    """Return the code and the label of the group that a record says it is in."""
    texts = [text for key, text in told.items() if role_of(key) == "group"]
    codes = [code for text in texts if (code := _above(text, place) or place.code_of(text, is_token=not place.group))]
    labels = [text for key, text in told.items() if role_of(key) == "group label"]
    labels += [text for text in texts if not place.code_of(text, is_token=True)]
    return next(iter(codes), ""), next(iter(labels), "")


def _above(text: str, place: _Place) -> str:
    """Return the code that a place is in, or one above that, if a text names it without what stands before it."""
    steps = place.group.split(".")
    above = [".".join(steps[:number]) for number in range(len(steps), 1, -1)]
    return next((code for code in above if code.endswith(f".{text.upper()}")), "")


def _names_list(text: str) -> bool:
    return kind_of(text, alone=True) is not None or field_of(text) is not None


def _lists(node: dict[str, Any]) -> bool:
    return bool(_parts(node))


def _parts(node: dict[str, Any]) -> dict[str, Any]:
    """Return what a record lists, without what it says of itself."""
    found = {key: value for key, value in node.items() if isinstance(value, list | dict) and value}
    texts = {key: v for key, v in node.items() if isinstance(v, str) and says_nothing(key) and len(listed(v)) > 1}
    return found or {key: value for key, value in texts.items() if role_of(key) in {None, "code"}}


def _may_be_label(key: str, value: str) -> bool:
    """Tell whether a name may be the label of the code below it: a code of one word is none below another such word."""
    return "." in value or " " in key or not key.islower()


def _lists_more(node: Any) -> bool:
    """Tell whether a node lists further codes or values, rather than say something of one."""
    if isinstance(node, dict):
        return any(part if _is_list(part) else not _is_property(key) for key, part in node.items())
    return isinstance(node, list)


def _is_list(node: Any) -> bool:
    return isinstance(node, list | dict)


def _is_property(name: str) -> bool:
    return role_of(name) is not None or says_nothing(name)


def _codes_just_below(node: Any) -> Iterator[str]:
    """Yield the codes in full that stand just below a name."""
    parts: list[Any] = [*node, *node.values()] if isinstance(node, dict) else node if isinstance(node, list) else [node]
    for part in parts:
        for text in part.values() if isinstance(part, dict) else part if isinstance(part, list) else [part]:
            if isinstance(text, str):
                yield from (code for code, _ in codes_in(text))


def _roots(node: Any) -> Iterator[str]:
    """Yield the first parts of all texts in a node that are written like a code without its prefix."""
    if isinstance(node, str):
        for part in listed(node):
            text = (inline_of(part) or (part,))[0]
            if not full_code(text) and (code := code_of(text, "INT")) and "." in text:
                yield code.split(".")[1]
    elif isinstance(node, list | dict):
        for part in [*node, *node.values()] if isinstance(node, dict) else node:
            yield from _roots(part)


def _texts(node: Any) -> bool:
    """Tell whether a node lists something, under names or as texts."""
    if isinstance(node, dict):
        return any((not says_nothing(key) and not role_of(key)) or _texts(part) for key, part in node.items())
    return any(map(_texts, node)) if isinstance(node, list) else isinstance(node, str) and bool(node.strip())


def _shown(node: Any) -> str:
    return shortened(json.dumps(node, ensure_ascii=False), _SHOWN)
