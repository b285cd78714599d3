"""Reading a ``filters`` document, whatever its inner structure.

The interface says what the document holds, not how it is built: ``INT.*`` and ``PI.*`` codes are found wherever they
stand, with labels where they are given in any usual way, and enumerations under any plausible name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODE_PATTERN", "FIELDS", "FiltersReader", "words_of_code"]

CODE_PATTERN: Final = re.compile(r"^(INT|PI)(\.[A-Z0-9_]+)+\Z")
_LEADING_CODE: Final = re.compile(r"^((?:INT|PI)(?:\.[A-Z0-9_]+)+)\s*[-\u2013\u2014:=|]\s*(\S.*)$")

#: Enumerated fields of the structured response, and the names a filters document may give them
#: (folded: lower case, letters and digits only, no plural "s").
FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "age_bracket": ("agebracket", "age", "agerange", "agegroup", "ageband"),
    "gender_skew": ("genderskew", "gender"),
    "income_level": ("incomelevel", "income", "incomeband", "incomebracket", "householdincome"),
    "education_level": ("educationlevel", "education"),
    "life_stage": ("lifestage", "lifecyclestage"),
    "household_composition": ("householdcomposition", "household", "householdtype"),
    "employment_status": ("employmentstatu", "employment", "employmentstatuse"),
    "home_ownership": ("homeownership", "ownership", "housing", "hometenure"),
    "urbanicity": ("urbanicity", "urbanicitie", "urbanization", "urbanisation"),
    "company_size_employees": ("companysizeemployee", "companysize", "employee", "employeeband", "companysizeband"),
    "seniority": ("seniority", "senioritie", "senioritylevel"),
    "job_function": ("jobfunction", "function", "jobrole"),
    "industry": ("industry", "industrie", "b2bindustry", "b2bindustrie"),
    "audience_type": ("audiencetype", "audience"),
    "content_type": ("contenttype",),
    "reading_level": ("readinglevel",),
    "price_signals": ("pricesignal", "price", "pricelevel"),
    "confidence": ("confidence", "confidenceband", "confidencelevel"),
}

_CODE_KEYS: Final = ("code", "id", "value", "key", "slug")
_VALUE_KEYS: Final = ("value", "code", "id", "key", "slug", "name", "label")
_LABEL_KEYS: Final = ("label", "name", "title", "text", "display_name", "description")
_LIST_KEYS: Final = ("values", "options", "enum", "items", "choices", "buckets", "bands", "levels")
_NAME_KEYS: Final = ("field", "dimension", *_LABEL_KEYS, *_CODE_KEYS)
_VERSION_KEYS: Final = ("vocab_version", "vocabulary_version", "version", "taxonomy_version")


class FiltersReader:
    """Collects what a filters document holds while it walks through it.

    These are the `version` as the document states it; `labels`, every code with its label; and `enumerations`, values
    with their labels by field. What the document does not give is empty.

    >>> reader = FiltersReader()
    >>> reader.read({"ages": ["18_24"], "dogs": {"code": "INT.PETS.DOGS", "label": "Dogs"}})
    >>> reader.labels, reader.enumerations
    ({'INT.PETS.DOGS': 'Dogs'}, {'age_bracket': {'18_24': '18 24'}})
    """

    def __init__(self) -> None:
        self.version = ""
        self.labels: dict[str, str] = {}
        self.enumerations: dict[str, dict[str, str]] = {}

    def read(self, node: Any) -> None:
        """Walk through a document, or any part of one."""
        if isinstance(node, dict):
            self._read_mapping(node)
        elif isinstance(node, list):
            if pair := _labelled_pair(node):
                self._add(*pair)
            else:
                for item in node:
                    self.read(item)
        elif isinstance(node, str):
            if CODE_PATTERN.match(node):
                self._add(node)
            elif found := _LEADING_CODE.match(node):
                self._add(found[1], found[2])

    def _read_mapping(self, node: Mapping[str, Any]) -> None:
        self.version = self.version or _stated_version(node)
        label = _first_text(node, _LABEL_KEYS)
        for key in _CODE_KEYS:
            if isinstance(node.get(key), str) and CODE_PATTERN.match(node[key]):
                self._add(node[key], label)
        for key in _NAME_KEYS:
            name = _field_name(node.get(key))
            if name and (values := _listed(node)):
                self._enumerate(name, values)
        labels_first = _has_labels_first(node)
        for key, value in node.items():
            if labels_first:
                self._add(value, self.labels.get(value) or key)
            elif CODE_PATTERN.match(key):
                self._add(key, value if isinstance(value, str) else _label_of(value))
            elif (name := _field_name(key)) and (values := _enumeration(value)):
                self._enumerate(name, values)
            self.read(value)

    def _add(self, code: str, label: str = "") -> None:
        if label.strip() and not CODE_PATTERN.match(label):
            self.labels[code] = label.strip()
        else:
            self.labels.setdefault(code, "")

    def _enumerate(self, name: str, values: dict[str, str]) -> None:
        self.enumerations.setdefault(name, {}).update(values)


def _stated_version(node: Mapping[str, Any]) -> str:
    stated = (node.get(key) for key in _VERSION_KEYS)
    return next((str(v) for v in stated if v and isinstance(v, str | int | float) and not isinstance(v, bool)), "")


def words_of_code(value: str) -> str:
    """Return a label made from a code or a value.

    >>> words_of_code("INT.PETS.LARGE_ANIMALS"), words_of_code("upper_middle")
    ('Large animals', 'Upper middle')
    """
    name = value.rsplit(".", 1)[-1] if CODE_PATTERN.match(value) else value
    return name.replace("_", " ").capitalize()


def _field_name(key: object) -> str | None:
    if not isinstance(key, str):
        return None
    folded = re.sub(r"[^a-z0-9]", "", key.lower())
    for name, aliases in FIELDS.items():
        if folded in aliases or folded.removesuffix("s") in aliases:
            return name
    return None


def _is_coded(text: object) -> bool:
    return isinstance(text, str) and bool(CODE_PATTERN.match(text) or _LEADING_CODE.match(text))


def _labelled_pair(node: list[Any]) -> tuple[str, str] | None:
    """Return code and label of a pair that holds one of each, in either order."""
    if len(node) != 2 or not all(isinstance(part, str) for part in node):  # noqa: PLR2004 - a pair
        return None
    code, label = node if CODE_PATTERN.match(node[0]) else reversed(node)
    return (code, label) if CODE_PATTERN.match(code) and not _is_coded(label) else None


def _has_labels_first(node: Mapping[str, Any]) -> bool:
    """Tell whether a mapping leads from labels to codes, rather than describing one code by its properties."""
    return bool(node) and all(
        isinstance(value, str) and CODE_PATTERN.match(value) and not _is_coded(key) and key not in _CODE_KEYS
        for key, value in node.items()
    )


def _enumeration(node: Any) -> dict[str, str]:
    """Return values with labels if a node lists plain values, in any of the usual ways."""
    if isinstance(node, str) and "," in node:
        node = [part.strip() for part in node.split(",")]
    if isinstance(node, dict):
        if listed := _listed(node):
            return listed
        if not all(value is None or isinstance(value, str) or _is_described(value) for value in node.values()):
            return {}
        node = [
            {**value, "value": key} if isinstance(value, dict) else [key, value or ""] for key, value in node.items()
        ]
    if not isinstance(node, list):
        return {}
    entries = [_entry(item) for item in node]
    # One code is enough to show that this is a group of codes which happens to be named like a field.
    if any(_is_coded(text) for entry in entries for text in entry):
        return {}
    return {value: label if label and label != value else words_of_code(value) for value, label, *_ in entries if value}


def _entry(item: Any) -> tuple[str, ...]:
    """Return an item's value, its label and whatever else it says of itself; empty texts where it says nothing."""
    if isinstance(item, dict):
        told = (item.get(key) for key in (*_CODE_KEYS, *_LABEL_KEYS))
        return _first_text(item, _VALUE_KEYS), _first_text(item, _LABEL_KEYS), *(t for t in told if isinstance(t, str))
    if isinstance(item, list) and item and all(isinstance(part, str) for part in item):
        return item[0], item[-1]
    return (str(item), "") if isinstance(item, str | int) else ("", "")


def _is_described(node: Any) -> bool:
    """Tell whether a node is a label rather than a list of further values."""
    return bool(_label_of(node)) and not any(key in node for key in _LIST_KEYS)


def _listed(node: Mapping[str, Any]) -> dict[str, str]:
    return next((found for key in _LIST_KEYS if (found := _enumeration(node.get(key)))), {})


def _first_text(node: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((node[key] for key in keys if isinstance(node.get(key), str) and node[key]), "")


def _label_of(node: Any) -> str:
    return _first_text(node, _LABEL_KEYS) if isinstance(node, dict) else ""
