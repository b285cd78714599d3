"""The vocabulary of the segmentation: every code and value that it can emit.

The interface says what the ``filters`` document holds, not how it is built. :meth:`Vocabulary.parse` therefore looks
for ``INT.*`` and ``PI.*`` codes wherever they stand and for enumerations under any plausible name.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from toolkit.interface.checks import check_list, check_text
from toolkit.interface.errors import DataError, InputError, UnknownCodeError, nearest_to
from toolkit.interface.filters.codes import CODE_PATTERN, words_of_code
from toolkit.interface.filters.headings import FIELDS
from toolkit.interface.filters.reader import FiltersReader
from toolkit.interface.text import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pandas as pd

__all__ = [
    "CODE_PATTERN",
    "FIELDS",
    "ORDERED_FIELDS",
    "Code",
    "Problem",
    "Vocabulary",
    "VocabularyDiff",
    "VocabularyWarning",
]

Kind = Literal["interest", "purchase_intent"]

_KINDS: Final[dict[str, Kind]] = {"INT": "interest", "PI": "purchase_intent"}

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

_NEAREST: Final = 3
_SHOWN: Final = 120
_WORD: Final = re.compile(r"[^\W_]+")
_SMALL_WORDS: Final = frozenset({"and", "for", "of", "or", "the"})
#: Shorter texts stand within too many words: `cat` in Education.
_SHORTEST_PART: Final = 4
#: From this likeness on, from 0 to 100, a word is taken for a misspelt other one.
_ALIKE: Final = 85
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


class VocabularyWarning(UserWarning):
    """A vocabulary lists no values, or an answer has one that it does not list; the cell is missing in the frame."""


#: Stands for no document, as None is one.
_OWN: Final = object()


@dataclass(frozen=True, slots=True)
class Problem:
    """A code or value that the vocabulary does not have, or a part of its own document that was not understood.

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
    reason : str
        Why it is a problem, in words.
    """

    where: str
    field: str
    value: str
    nearest: tuple[str, ...]
    reason: str = "is not in the vocabulary"

    def __str__(self) -> str:
        said = f" {self.value!r}" if self.value else ""
        hint = f" (nearest: {', '.join(self.nearest)})" if self.nearest else ""
        return printable(f"{self.where}: {self.field}{said} {self.reason}{hint}")


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
        self,
        version: str,
        codes: dict[str, Code],
        values: dict[str, dict[str, str]],
        raw: Any = None,
        unread: tuple[Problem, ...] = (),
    ) -> None:
        self.version = version
        self.codes = codes
        self.values = values
        self.raw = raw
        self._unread = unread

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
            What was found; `problems` names what was not understood. Codes are in capitals and with their prefix,
            however the document writes them. A group that stands only as part of its members' codes is added with a
            label made from it.

        Raises
        ------
        DataError
            If there is neither a code nor an enumeration in the document, or it is nested too deeply or too large.
        """
        reader = FiltersReader()
        try:
            reader.read(document)
        except RecursionError:
            raise DataError("The filters document is nested too deeply to be one. Check where it comes from.") from None
        except OverflowError:
            raise DataError("The filters document is too large to be one. Check where it comes from.") from None
        if not reader.labels and not reader.enumerations:
            raise DataError(
                "The filters document holds no INT.* or PI.* code and no enumeration that is known here"
                f"{_opening(document)}. Check the base URL, and that the address gives the vocabulary."
            )
        values = {name: reader.enumerations[name] for name in FIELDS if name in reader.enumerations}
        values.setdefault("confidence", dict(_CONFIDENCE))
        unread = (
            Problem(where, name, value, nearest_to(name, FIELDS) if name not in FIELDS else (), why)
            for where, name, value, why in reader.unread
        )
        return cls(reader.version, _coded(reader.labels), values, document, tuple(unread))

    def __repr__(self) -> str:
        names: dict[Kind, str] = {"interest": "interests", "purchase_intent": "purchase intents"}
        found = ", ".join(
            f"{len(self.members(kind))} {name} in {len(self.groups(kind))} groups" for kind, name in names.items()
        )
        version = printable(shortened(self.version, _SHOWN)) or "without version"
        return f"<Vocabulary {version}: {found}; {len(self.values)} fields with named values>"

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
        """Return the codes whose words, or those of their group, are like the words of a text, best first.

        Parameters
        ----------
        text : str
            Words, or a code; capitals do not matter. An empty text is like every code.
        limit : int
            At most so many are returned.

        Returns
        -------
        tuple of Code
            Those of which every word is found; if there is none, those of which any is. The same word comes before
            one that begins like it, one that contains it (from 4 letters on), and one that is spelt like it; a code's
            own words come before its group's.

        Examples
        --------
        >>> from toolkit import Client
        >>> [code.label for code in Client().filters().search("cat")][:2]
        ['Cats', 'Catering']
        """
        check_text(text, "text", "Pass the words to search for.")
        wanted = _words(text)
        if not wanted:
            return () if text.strip() else tuple(self.codes.values())[:limit]
        ranked: list[tuple[Any, ...]] = []
        for code in self.codes.values():
            own = _words(f"{code.label} {words_of_code(code.code)}") | (wanted & {code.code.split(".")[0].casefold()})
            group = self.codes.get(code.group, code)
            others = _words(f"{group.label} {words_of_code(group.code)}") - own
            likeness = [found for word in wanted if (found := _likeness(word, own, others))]
            if likeness:
                missed = len(wanted) - len(likeness)
                exact = code.code.casefold() == text.strip().casefold()
                ranked.append((not exact, missed, *map(sum, zip(*likeness, strict=True)), len(own), code))
        complete = any(not missed for _, missed, *_ in ranked)
        best = sorted((entry for entry in ranked if not (complete and entry[1])), key=lambda entry: entry[:-1])
        return tuple(entry[-1] for entry in best[:limit])

    @property
    def lists_values(self) -> bool:
        """Whether the document lists values of any field; without them no band of an answer can be read."""
        return any(name != "confidence" for name in self.values)

    def problems(self, document: Any = _OWN) -> tuple[Problem, ...]:
        """Return every unknown code and value of a segmentation response, or what the vocabulary itself leaves open.

        Parameters
        ----------
        document : object
            Decoded JSON of a structured response, or any part of one. Left out, it is the document that the vocabulary
            was read from: what in it was not understood, which fields are missing, and which numbers of codes and
            values are not those that the interface states.

        Returns
        -------
        tuple of Problem
            Empty if everything is known. Codes are checked wherever they stand, values in their own fields; what
            stands in a field of codes is one, whatever it looks like.

        Examples
        --------
        >>> from toolkit import Client
        >>> Client().filters().problems()
        ()
        >>> found = Vocabulary.parse({"income": ["low", "high"], "colours": ["red"]}).problems()
        >>> print(found[0])
        $.colours: colours '["red"]' is under a name that is none of a known field
        """
        return self._unread if document is _OWN else tuple(self._problems(document))

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

    def validate(self, found: pd.DataFrame | pd.Series | Iterable[str]) -> pd.DataFrame:
        """Check codes and values.

        Parameters
        ----------
        found : DataFrame, Series or iterable of str
            A codes frame, or INT.* and PI.* codes.

        Returns
        -------
        DataFrame
            One row an unknown code or value; str columns ``where`` (target, or position), ``field``, ``value`` and
            ``nearest`` (known ones, best first, joined with ", "). Empty if everything is known.

        Raises
        ------
        InputError
            If a frame has no columns ``dimension`` and ``code``.

        Examples
        --------
        >>> from toolkit import Client
        >>> Client().filters().validate(["INT.PETS.DOGS", "INT.PETS.DOG"])[["where", "value"]].values.tolist()
        [['[1]', 'INT.PETS.DOG']]
        """
        import pandas as pd  # noqa: PLC0415 - heavy, so on first use

        rows = []
        for where, name, value in _named(found):
            try:
                if name == "code":
                    self.check(value)
                else:
                    self.check_value(name, value)
            except UnknownCodeError as error:
                rows.append((where, name, value, ", ".join(error.nearest)))
        return pd.DataFrame(rows, columns=["where", "field", "value", "nearest"], dtype="str")

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
        return f"vocabulary {printable(shortened(self.version, _SHOWN))}" if self.version else "the vocabulary"

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


def _opening(document: Any) -> str:
    """Return what a document holds instead, in a few words."""
    if not isinstance(document, dict | list) or not document:
        return ""
    return f"; it begins with {printable(shortened(json.dumps(document, ensure_ascii=False, default=str), _SHOWN))}"


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold())) - _SMALL_WORDS


def _likeness(wanted: str, own: set[str], others: set[str]) -> tuple[int, int] | None:
    """Return how like a word is to the likest of a code's words, less being liker: kind of likeness, letters more."""
    found = [(kind, abs(len(word) - len(wanted))) for word in own if (kind := _kind_of_likeness(wanted, word))]
    found += [(kind + 4, abs(len(word) - len(wanted))) for word in others if (kind := _kind_of_likeness(wanted, word))]
    return min(found, default=None)


def _kind_of_likeness(wanted: str, word: str) -> int:
    """Return 1 for the same word, 2 for its beginning, 3 for a part, 4 for a like spelling, 0 for none of them."""
    if wanted == word:
        return 1
    if word.startswith(wanted):
        return 2
    if len(wanted) >= _SHORTEST_PART and wanted in word:
        return 3
    from rapidfuzz import fuzz  # noqa: PLC0415 - only where something is searched for

    return 4 if fuzz.ratio(wanted, word, score_cutoff=_ALIKE) else 0


def _coded(labels: dict[str, str]) -> dict[str, Code]:
    codes: dict[str, Code] = {}
    for code in labels:
        prefix, *rest = code.split(".")
        group = f"{prefix}.{rest[0]}"
        for member in dict.fromkeys((group, code)):
            label = labels.get(member) or words_of_code(member)
            codes.setdefault(member, Code(member, label, _KINDS[prefix], group))
    return codes


def _named(found: pd.DataFrame | pd.Series | Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yield where a code or value stands, its field and itself."""
    import pandas as pd  # noqa: PLC0415 - heavy, so on first use

    check_list(found, "codes, such as ['INT.PETS.DOGS'], or run.codes()")
    if not isinstance(found, pd.DataFrame):
        for position, code in enumerate([found] if isinstance(found, str) else found):
            if pd.notna(code):
                yield f"[{position}]", "code", str(code)
        return
    missing = [name for name in ("dimension", "code") if name not in found.columns]
    if missing:
        raise InputError(
            f"The frame has no column {' and no column '.join(map(repr, missing))}; it has "
            f"{', '.join(map(str, found.columns))}. Pass a codes frame."
        )
    where = found["target"] if "target" in found.columns else found.index.to_series().map("[{}]".format)
    fields = {"interest": "code", "interest_group": "code", "purchase_intent": "code"}
    for place, dimension, code in zip(where, found["dimension"], found["code"], strict=True):
        if pd.notna(code) and dimension != "persona":
            yield str(place), fields.get(str(dimension), str(dimension)), str(code)
