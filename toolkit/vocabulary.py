"""The vocabulary of the segmentation: every code and value that it can emit.

The interface says what the ``filters`` document holds, not how it is built. :meth:`Vocabulary.parse` therefore looks
for ``INT.*`` and ``PI.*`` codes wherever they stand and for enumerations under any plausible name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from rapidfuzz import fuzz, process

from toolkit.errors import DataError, UnknownCodeError, nearest_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pandas as pd

__all__ = ["CODE_PATTERN", "FIELDS", "ORDERED_FIELDS", "Code", "Problem", "Vocabulary", "VocabularyDiff"]

Kind = Literal["interest", "purchase_intent"]

CODE_PATTERN: Final = re.compile(r"^(INT|PI)(\.[A-Z0-9_]+)+\Z")
_LEADING_CODE: Final = re.compile(r"^((?:INT|PI)(?:\.[A-Z0-9_]+)+)\s*[-\u2013\u2014:=|]\s*(\S.*)$")
_KINDS: Final[dict[str, Kind]] = {"INT": "interest", "PI": "purchase_intent"}

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

#: Fields whose values form a scale, lowest first, in the order in which the document lists them.
ORDERED_FIELDS: Final = frozenset(
    {
        "age_bracket",
        "gender_skew",
        "income_level",
        "education_level",
        "company_size_employees",
        "seniority",
        "reading_level",
        "confidence",
    }
)
_CONFIDENCE: Final = {"low": "Low", "medium": "Medium", "high": "High"}

_CODE_KEYS: Final = ("code", "id", "value", "key", "slug")
_VALUE_KEYS: Final = ("value", "code", "id", "key", "slug", "name", "label")
_LABEL_KEYS: Final = ("label", "name", "title", "text", "display_name", "description")
_LIST_KEYS: Final = ("values", "options", "enum", "items", "choices", "buckets", "bands", "levels")
_NAME_KEYS: Final = ("field", "dimension", *_LABEL_KEYS, *_CODE_KEYS)
_VERSION_KEYS: Final = ("vocab_version", "vocabulary_version", "version", "taxonomy_version")
_NEAREST: Final = 3
#: Fields of the structured response that hold nothing but codes.
_CODE_FIELDS: Final = frozenset({"tier1", "tier2", "codes"})


@dataclass(frozen=True, slots=True)
class Code:
    """An ``INT.*`` or ``PI.*`` code.

    Attributes
    ----------
    code : str
        The code, such as ``INT.PETS.DOGS``.
    label : str
        Label for people; made from the code where the document gives none.
    kind : {"interest", "purchase_intent"}
        What the code speaks of.
    group : str
        Code of the group; a group is its own.
    """

    code: str
    label: str
    kind: Kind
    group: str

    @property
    def is_group(self) -> bool:
        """Whether the code is a group rather than one of its members."""
        return self.code == self.group


@dataclass(frozen=True, slots=True)
class Problem:
    """A code or value that the vocabulary does not have.

    Attributes
    ----------
    where : str
        JSON path of the value.
    field : str
        Name of the field, or ``code`` for INT.* and PI.* codes.
    value : str
        The unknown value.
    nearest : tuple of str
        Known values with a similar spelling, best first.
    """

    where: str
    field: str
    value: str
    nearest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VocabularyDiff:
    """What changed from one vocabulary to another.

    Codes stand as they are, enumerated values as ``field=value``.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    relabelled: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.relabelled)


class Vocabulary:
    """The codes and enumerated values of one vocabulary version.

    Attributes
    ----------
    version : str
        Version as the document states it; empty where it does not.
    codes : dict of str to Code
        Every INT.* and PI.* code, groups included, in the document's order.
    values : dict of str to dict
        For every enumerated field its values with their labels, in the document's order.
    raw : object
        The document.

    Examples
    --------
    >>> vocabulary = Vocabulary.parse(
    ...     {
    ...         "vocab_version": "1.1",
    ...         "interests": [{"code": "INT.PETS.DOGS", "label": "Dogs"}, {"code": "INT.PETS.CATS", "label": "Cats"}],
    ...         "income_bands": ["low", "middle", "high"],
    ...     }
    ... )
    >>> vocabulary.label("INT.PETS.DOGS")
    'Dogs'
    >>> vocabulary.nearest("INT.PETS.DOG")
    ('INT.PETS.DOGS', 'INT.PETS', 'INT.PETS.CATS')
    """

    def __init__(
        self, version: str, codes: dict[str, Code], values: dict[str, dict[str, str]], raw: Any = None
    ) -> None:
        self.version = version
        self.codes = codes
        self.values = values
        self.raw = raw

    @classmethod
    def parse(cls, document: Any) -> Vocabulary:
        """Read a ``filters`` document of any inner structure.

        Parameters
        ----------
        document : object
            Decoded JSON.

        Returns
        -------
        Vocabulary
            What was found. A group that stands only as part of its members' codes is added with a label made from it.

        Raises
        ------
        DataError
            If there is neither a code nor an enumeration in the document, or it is nested too deeply.
        """
        reader = _Reader()
        try:
            reader.read(document)
        except RecursionError:
            raise DataError("The filters document is nested too deeply to be one. Check where it comes from.") from None
        if not reader.labels and not reader.enumerations:
            raise DataError("The filters document holds no INT.* or PI.* code and no enumeration that is known here.")
        values = {name: reader.enumerations[name] for name in FIELDS if name in reader.enumerations}
        values.setdefault("confidence", dict(_CONFIDENCE))
        return cls(reader.version, _coded(reader.labels), values, document)

    def __repr__(self) -> str:
        names: dict[Kind, str] = {"interest": "interests", "purchase_intent": "purchase intents"}
        found = ", ".join(
            f"{len(self.members(kind))} {name} in {len(self.groups(kind))} groups" for kind, name in names.items()
        )
        return f"<Vocabulary {self.version or 'without version'}: {found}; {len(self.values)} enumerations>"

    def __contains__(self, code: object) -> bool:
        return code in self.codes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return NotImplemented
        return self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]  # a vocabulary holds dicts

    def groups(self, kind: Kind) -> tuple[Code, ...]:
        """Return the groups of a kind: ``"interest"`` or ``"purchase_intent"``."""
        return tuple(code for code in self.codes.values() if code.kind == kind and code.is_group)

    def members(self, kind: Kind, group: str | None = None) -> tuple[Code, ...]:
        """Return the codes below the groups of a kind, of one group if it is given."""
        return tuple(
            code
            for code in self.codes.values()
            if code.kind == kind and not code.is_group and (group is None or code.group == group)
        )

    def label(self, code: str) -> str:
        """Return a code's label.

        Raises
        ------
        UnknownCodeError
            If the code is not in the vocabulary; the error names the nearest.
        """
        return self.check(code).label

    def check(self, code: str) -> Code:
        """Return a code, or raise an error that names the nearest known ones.

        Raises
        ------
        UnknownCodeError
            If the code is not in the vocabulary.
        """
        try:
            return self.codes[code]
        except KeyError:
            raise UnknownCodeError(code, among=self._described, nearest=self.nearest(code)) from None

    def check_value(self, name: str, value: str) -> str:
        """Return an enumerated value, or raise an error that names the field's nearest values.

        Raises
        ------
        UnknownCodeError
            If the field or the value is not in the vocabulary.
        """
        known = self._field(name)
        if value not in known:
            raise UnknownCodeError(value, among=f"{name} of {self._described}", nearest=self.nearest(value, name))
        return value

    def nearest(self, value: str, name: str | None = None, limit: int = _NEAREST) -> tuple[str, ...]:
        """Return the known codes, or values of the field `name`, spelt most like a value."""
        known = self.codes if name is None else self._field(name)
        return nearest_to(value, known, limit)

    def search(self, text: str, limit: int = 20) -> tuple[Code, ...]:
        """Return the codes whose label or code is nearest to a text, best first."""
        wanted = text.lower()
        names = {code.code: f"{code.label} {_code_words(code.code)}".lower() for code in self.codes.values()}
        containing = [code for code, name in names.items() if wanted in name]
        containing += [code for code in self.codes if wanted in code.lower()]
        similar = process.extract(wanted, names, scorer=fuzz.WRatio, limit=limit, score_cutoff=60)
        ranked = dict.fromkeys([*containing, *(hit[2] for hit in similar)])
        return tuple(self.codes[code] for code in list(ranked)[:limit])

    def problems(self, document: Any) -> tuple[Problem, ...]:
        """Return every unknown code and value of a segmentation response, with its place.

        Parameters
        ----------
        document : object
            Decoded JSON of a structured response, or any part of one.

        Returns
        -------
        tuple of Problem
            Empty if everything is known. Codes are checked wherever they stand, values in their own fields; what
            stands in a field of codes is one, whatever it looks like.
        """
        return tuple(self._problems(document))

    def diff(self, newer: Vocabulary) -> VocabularyDiff:
        """Return what was added, removed and relabelled from this vocabulary to a newer one."""
        before, after = self._entries(), newer._entries()
        return VocabularyDiff(
            added=tuple(entry for entry in after if entry not in before),
            removed=tuple(entry for entry in before if entry not in after),
            relabelled={
                entry: (label, after[entry]) for entry, label in before.items() if after.get(entry, label) != label
            },
        )

    def dtype(self, name: str) -> pd.CategoricalDtype:
        """Return the categorical dtype of an enumerated field, ordered where the values form a scale.

        Raises
        ------
        UnknownCodeError
            If the vocabulary does not have the field.
        """
        import pandas as pd  # noqa: PLC0415 - heavy, so on first use

        return pd.CategoricalDtype(list(self._field(name)), ordered=name in ORDERED_FIELDS)

    @property
    def _described(self) -> str:
        return f"vocabulary {self.version}" if self.version else "the vocabulary"

    def _field(self, name: str) -> dict[str, str]:
        try:
            return self.values[name]
        except KeyError:
            nearest = nearest_to(name, self.values)
            raise UnknownCodeError(name, among=f"the fields of {self._described}", nearest=nearest) from None

    def _content(self) -> tuple[object, ...]:
        # Mappings are equal in any order, but the order of a scale is what it says.
        scales = {name: list(values) for name, values in self.values.items() if name in ORDERED_FIELDS}
        return self.version, self.codes, self.values, scales

    def _entries(self) -> dict[str, str]:
        entries = {code.code: code.label for code in self.codes.values()}
        for name, values in self.values.items():
            entries |= {f"{name}={value}": label for value, label in values.items()}
        return entries

    def _problems(self, document: Any) -> Iterator[Problem]:
        # With a stack of its own: an answer that was paid for is checked however deeply it is nested.
        waiting: list[tuple[Any, str, str | None]] = [(document, "$", None)]
        while waiting:
            node, where, name = waiting.pop()
            parts: list[tuple[Any, str, str | None]] = []
            if isinstance(node, dict):
                for key, value in node.items():
                    place = f"{where}.{key}"
                    parts += [(key, place, None), (value, place, self._checked_as(key))]
            elif isinstance(node, list):
                parts = [(value, f"{where}[{position}]", name) for position, value in enumerate(node)]
            elif isinstance(node, str) and node:
                if name == "code" or CODE_PATTERN.match(node):
                    if node not in self.codes:
                        yield Problem(where, "code", node, self.nearest(node))
                elif name is not None and node not in self.values[name]:
                    yield Problem(where, name, node, self.nearest(node, name))
            waiting += reversed(parts)

    def _checked_as(self, key: str) -> str | None:
        return "code" if key in _CODE_FIELDS else key if key in self.values else None


class _Reader:
    """Collects codes, enumerations and the version while it walks a document."""

    def __init__(self) -> None:
        self.version = ""
        self.labels: dict[str, str] = {}
        self.enumerations: dict[str, dict[str, str]] = {}

    def read(self, node: Any) -> None:
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


def _coded(labels: dict[str, str]) -> dict[str, Code]:
    codes: dict[str, Code] = {}
    for code in labels:
        prefix, *rest = code.split(".")
        group = f"{prefix}.{rest[0]}"
        for member in dict.fromkeys((group, code)):
            label = labels.get(member) or _code_words(member)
            codes.setdefault(member, Code(member, label, _KINDS[prefix], group))
    return codes


def _code_words(code: str) -> str:
    return _words(code.rsplit(".", 1)[-1])


def _words(value: str) -> str:
    return value.replace("_", " ").capitalize()


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
    return {value: label if label and label != value else _words(value) for value, label, *_ in entries if value}


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
