"""Raw segmentations into the rows of the audiences and codes frames.

What is done for each answer is left to functions of the interpreter wherever there is one; that is most of the speed.
"""

from __future__ import annotations

from operator import getitem, itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np
import pandas as pd

from toolkit.frames.asked import FIELDS
from toolkit.frames.columns import Bands, Columns, Integers, Reader, Runs, band_dtype
from toolkit.frames.plain import OddShapeError, block, listed, text
from toolkit.frames.schemas import BASES, BASIS, BLOCKS, CONFIDENCE, DIMENSIONS, LISTS, SCALARS, SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolkit.interface.vocabulary import Vocabulary

__all__ = ["Audiences", "Codes"]

_NAMES: Final = ("demographics", "b2b", "interests", "purchase_intent", "content_context")
_CODES: Final = (("interests", "tier1"), ("interests", "tier2"), ("purchase_intent", "codes"))
_LISTS: Final = (*_CODES, *LISTS.values())
_ALL_LISTS: Final = (list,) * len(_LISTS)
_COUNTS: Final = ("interests", "purchase_intents", "personas")

#: The fields of each block, missing.
_NOTHING: Final[dict[str, dict[str, Any]]] = {
    name: {
        **{field: [] for at, field in _LISTS if at == name},
        **{field: None for at, field in SCALARS.values() if at == name},
        **({"confidence": None} if name in BLOCKS else {}),
    }
    for name in _NAMES
}
_NO_PERSONA: Final = {"persona": None, "mapped_from": None, "source": None}

#: Where the confidences of an answer stand, and where each place of the codes frame has its own.
_WHERE: Final = ("", *BLOCKS, "content_context")
_STATED_AT: Final = [
    _WHERE.index(at)
    for at in (
        *("", "interests", "interests", "purchase_intent", ""),  # those of a failure, the codes and the personas
        *(at for at, _ in (*LISTS.values(), *SCALARS.values())),
    )
]
#: What labels are where they stand by code.
_TEXTS: Final = frozenset({str, type(None)})
#: The number of each dimension's basis, and at last that of a failure's, which has none.
_BASES: Final = np.append([BASES.categories.tolist().index(BASIS[name]) for name in DIMENSIONS], -1).astype(np.int8)
_FAILURE: Final = (1, *(0,) * len(DIMENSIONS))

_persona = itemgetter(*_NO_PERSONA)
_people_lists, _people = (
    itemgetter(*(field for at, field in fields if at == "demographics")) for fields in (_LISTS, SCALARS.values())
)
_firm_lists = itemgetter(*(field for at, field in _LISTS if at == "b2b"))
_context = itemgetter(*(field for at, field in SCALARS.values() if at == "content_context"))
_blocks = itemgetter(*_NAMES, "personas")
_marks = itemgetter("url", "vocab_version")


class _Segmentations(Reader):
    """What both frames have in common: answers are read as if nothing was missing, and completed where it is."""

    endpoints: ClassVar[frozenset[str]] = frozenset({"segment"})

    def read(self, endpoint: str, raw: dict[str, Any]) -> None:  # noqa: ARG002 - there is but one
        """Add an answer's rows, or nothing and an error where it is not of the plain form."""
        try:
            self._read(raw)
        except (OddShapeError, KeyError, TypeError):
            self._read(_completed(raw))

    def _read(self, raw: dict[str, Any]) -> None:
        raise NotImplementedError


def _completed(raw: dict[str, Any]) -> dict[str, Any]:
    """Return an answer in which nothing is missing."""
    found: dict[str, Any] = {"url": None, "vocab_version": None, "audience_type": None, "labels": None, **raw}
    for name in _NAMES:
        found[name] = _NOTHING[name] | block(raw.get(name))
    for name, field in _LISTS:
        found[name][field] = listed(found[name][field])
    found["personas"] = [_NO_PERSONA | block(persona) for persona in listed(raw.get("personas"))]
    return found


def _taken_apart(raw: dict[str, Any]) -> tuple[Any, ...]:
    """Return lists, scalars, personas and confidences of a complete answer; no list is checked any further."""
    for mark in _marks(raw):
        if type(mark) is not str:
            text(mark)
    people, firm, interests, intent, context, personas = _blocks(raw)
    lists = (interests["tier1"], interests["tier2"], intent["codes"], *_people_lists(people), *_firm_lists(firm))
    if tuple(map(type, lists)) != _ALL_LISTS or type(personas) is not list:
        raise OddShapeError
    scalars = (raw["audience_type"], *_people(people), firm["company_size_employees"], *_context(context))
    stated = (people["confidence"], firm["confidence"], interests["confidence"], intent["confidence"])
    return lists, scalars, map(_persona, personas), stated


def _check_texts(texts: Iterable[object]) -> None:
    """Raise an error if one of them is no text, is blank, or has space around it."""
    for found in texts:
        if type(found) is not str or not found or found != found.strip():
            raise OddShapeError


def _check_persona(persona: tuple[Any, Any, Any]) -> None:
    name, mapped_from, source = persona
    if type(name) is not str:
        raise OddShapeError
    text(mapped_from)
    text(source)


class Audiences(_Segmentations):
    """Rows of the audiences frame, of numbers alone: bands, confidences and counts."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        declared = SCHEMAS["audiences"]
        self._bands = {name: Bands(band_dtype(name, declared[name], vocabulary)) for name in SCALARS}
        self._bands |= {f"{name}_confidence": Bands(CONFIDENCE, lower=True) for name in BLOCKS}
        self._in_order = tuple(self._bands.values())
        self._rows = Integers(len(self._bands) + len(_COUNTS))
        self._texts: set[str] = set()
        self._personas: set[tuple[str, str | None, str | None]] = set()

    def _read(self, raw: dict[str, Any]) -> None:
        lists, scalars, personas, stated = _taken_apart(raw)
        row = [*map(getitem, self._in_order, (*scalars, *stated))]
        texts = [found for part in lists for found in part]
        if not self._texts.issuperset(texts):
            _check_texts(texts)
            self._texts.update(texts)
        named = [*personas]
        if not self._personas.issuperset(named):
            for persona in named:
                _check_persona(persona)
            self._personas.update(named)
        row += (len(lists[1]), len(lists[2]), len(named))
        self._rows.values += row

    def fail(self) -> None:
        """Add the row of a failure."""
        self._rows.values += [-1] * (len(self._bands) + len(_COUNTS))

    def pack(self) -> None:
        """Pack away what was added so far."""
        self._rows.pack()

    def columns(self) -> tuple[np.ndarray | None, dict[str, Any]]:
        """Return the frame's own columns, and whose row each is."""
        table = self._rows.table()
        found: dict[str, Any] = {}
        for number, (name, bands) in enumerate(self._bands.items()):
            found[name] = bands.column(name, table[:, number])
        for name, counts in zip(_COUNTS, table[:, len(self._bands) :].T, strict=True):
            found[name] = pd.arrays.IntegerArray(counts.astype(np.int64), counts < 0)
        return None, found


class _Entries:
    """Every code that was seen once, with its label and group; number 0 is none."""

    def __init__(self) -> None:
        self.rows: list[tuple[str | None, str | None, str | None]] = [(None, None, None)]

    def add(self, code: str, label: str | None, group: str | None) -> int:
        self.rows.append((code, label, group))
        return len(self.rows) - 1


class _Coded(dict[tuple[str, str | None], int]):
    """Numbers of INT.* and PI.* codes by code and the answer's own label."""

    def __init__(self, entries: _Entries, vocabulary: Vocabulary | None) -> None:
        super().__init__()
        self._entries, self._known = entries, vocabulary.codes if vocabulary else {}

    def __missing__(self, key: tuple[Any, Any]) -> int:
        code, own = key
        _check_texts((code,))
        if own is not None and type(own) is not str:
            raise OddShapeError
        known = self._known.get(code)
        label = own or (known.label if known else None)
        self[key] = number = self._entries.add(code, label, ".".join(code.split(".")[:2]))
        return number


class _Named(dict[tuple[str, str | None, str | None], int]):
    """Numbers of personas."""

    def __init__(self, entries: _Entries) -> None:
        super().__init__()
        self._entries = entries

    def __missing__(self, key: tuple[Any, Any, Any]) -> int:
        _check_persona(key)
        self[key] = number = self._entries.add(key[0], key[0], text(key[1]))
        return number


class _Valued(dict[str | None, int]):
    """Numbers of an enumeration's values; -1 stands for a missing one, which is no row."""

    def __init__(self, entries: _Entries, labels: dict[str, str], *, missing: bool) -> None:
        super().__init__({None: -1} if missing else {})
        self._entries, self._labels = entries, labels

    def __missing__(self, value: Any) -> int:
        _check_texts((value,))
        self[value] = number = self._entries.add(value, self._labels.get(value), None)
        return number


class Codes(_Segmentations):
    """Rows of the codes frame: the number of each code, and how many codes an answer has of each dimension."""

    def __init__(self, vocabulary: Vocabulary | None) -> None:
        values = vocabulary.values if vocabulary else {}
        self._entries = _Entries()
        self._coded = _Coded(self._entries, vocabulary)
        self._named = _Named(self._entries)
        self._listed = [_Valued(self._entries, values.get(name, {}), missing=False) for name in LISTS]
        self._scalars = [_Valued(self._entries, values.get(name, {}), missing=True) for name in SCALARS]
        self._confidences = Bands(CONFIDENCE, lower=True)
        self._found = Integers(1)
        self._lengths = Integers(len(_FAILURE))
        self._stated = Integers(len(_WHERE))
        self._filled = np.empty(0, np.int32)

    def _read(self, raw: dict[str, Any]) -> None:
        lists, scalars, personas, stated = _taken_apart(raw)
        labels = raw["labels"] or {}
        if type(labels) is not dict or not _TEXTS.issuperset(map(type, labels.values())):
            raise OddShapeError
        label_of = labels.get
        codes = [*lists[0], *lists[1], *lists[2]]
        found = [*map(self._coded.__getitem__, zip(codes, map(label_of, codes), strict=True))]
        found += map(self._named.__getitem__, personas)
        named = len(found) - len(codes)
        for numbers, values in zip(self._listed, lists[3:], strict=True):
            if values:
                found += [numbers[value] for value in values]
        found += map(getitem, self._scalars, scalars)
        bands = [-1, *map(self._confidences.__getitem__, stated)]
        bands.append(self._confidences.exact(raw["content_context"].get("confidence")))

        first, second, third, *others = map(len, lists)
        self._lengths.values += (0, first, second, third, named, *others, *(1,) * len(scalars))
        self._stated.values += bands
        self._found.values += found

    def fail(self) -> None:
        """Add the row of a failure."""
        self._lengths.values += _FAILURE
        self._stated.values += (-1,) * len(_WHERE)
        self._found.values.append(0)

    def pack(self) -> None:
        """Pack away what was added so far."""
        for numbers in (self._lengths, self._stated, self._found):
            numbers.pack()

    def columns(self) -> tuple[np.ndarray | None, dict[str, Any]]:
        """Return the frame's own columns, and whose row each is."""
        found, lengths = self._found.table()[:, 0], self._lengths.table()
        runs = Runs(lengths, found >= 0)
        filled = np.zeros(lengths.shape, dtype=bool)
        filled[runs.owner, runs.place] = True
        # The fields are the last places of the dimensions.
        self._filled = filled[:, -len(FIELDS) :] @ (1 << np.arange(len(FIELDS), dtype=np.int32))
        entries = Columns(dict.fromkeys(("code", "label", "group"), "str"))
        entries.pack(zip(*self._entries.rows, strict=True))
        stated = self._stated.table()[:, _STATED_AT]
        return runs.owner, {
            "dimension": pd.Categorical.from_codes(runs.place - 1, dtype=SCHEMAS["codes"]["dimension"]),
            "basis": pd.Categorical.from_codes(_BASES[runs.place - 1], dtype=BASES),
            "confidence": self._confidences.column("confidence", runs.spread(stated)),
            "rank": pd.arrays.IntegerArray(runs.rank, runs.place == 0),
            **entries.columns(found[found >= 0]),
        }

    def fields(self) -> np.ndarray:
        """Return of which fields each answer has a value, once the columns are made."""
        return self._filled
