"""Codes and categories as columns of a table: which code each row of a frame has, in an order, with its words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import pandas as pd

from toolkit.findings.counting import ORDER
from toolkit.frames.numbering import numbered, numbered_columns, numbered_lists
from toolkit.frames.records import CATEGORIZED
from toolkit.frames.schemas import DIMENSIONS, LEVELS
from toolkit.interface.checks import check_number
from toolkit.interface.errors import InputError, UnknownCodeError, nearest_to
from toolkit.interface.taxonomy import PATH_SEPARATOR

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[Any]

__all__ = [
    "Weights",
    "code_columns",
    "columns_of",
    "identifiers",
    "in_order",
    "is_of_codes",
    "ranks",
    "row_weights",
    "wanted_kinds",
]

Weights: TypeAlias = Mapping[str | None, float] | bool | None

#: A block without a word on its confidence counts in full: nothing says that it is doubtful.
_BANDS: Final[dict[str | None, float]] = {"low": 0.25, "medium": 0.5, "high": 1.0, None: 1.0}


def is_of_codes(frames: Iterable[pd.DataFrame]) -> bool:
    """Return whether frames are of codes, else they are of categories; refuse what is neither, or both."""
    kinds = set()
    for frame in frames:
        if {"dimension", "code"} <= set(frame.columns):
            kinds.add(True)
        elif {"taxonomy", "id"} <= set(frame.columns):
            kinds.add(False)
        else:
            raise InputError(
                "The frame has neither the columns 'dimension' and 'code' nor 'taxonomy' and 'id'; it has "
                f"{', '.join(map(str, frame.columns)) or 'none'}. Pass run.codes() or run.categories()."
            )
    if len(kinds) > 1:
        raise InputError("Some frames are of codes and some of categories. Pass frames of one kind.")
    return kinds.pop()


def wanted_kinds(
    of_codes: bool, dimensions: str | Iterable[str] | None, taxonomy: str | Iterable[str] | None
) -> list[str] | None:
    """Return the dimensions or taxonomies asked for, None for all; refuse dimensions of categories and the reverse."""
    given, other = (dimensions, taxonomy) if of_codes else (taxonomy, dimensions)
    if other is not None:
        kind, right = ("codes", "dimensions") if of_codes else ("categories", "taxonomy")
        raise InputError(f"Of a {kind} frame a part is chosen by {right}. Pass {right}=… instead.")
    if given is None:
        return None
    known, among = (DIMENSIONS, "the dimensions") if of_codes else (CATEGORIZED, "the taxonomies")
    if not isinstance(given, Iterable):
        raise InputError(f"Parts of a frame are chosen by name, not by {type(given).__name__}. Pass names.")
    named = [given] if isinstance(given, str) else list(given)
    for name in named:
        if name not in known:
            raise UnknownCodeError(name, among=f"{among} of a frame", nearest=nearest_to(name, known))
    return named


def columns_of(of_codes: bool) -> list[str]:
    """Return the columns that are read, where a frame has them."""
    own = ["dimension", "code", "label", "group"] if of_codes else ["taxonomy", "id", "name", *LEVELS]
    return ["target", "normal", "error", "confidence", "fetched_at", "vocab_version", *own]


def code_columns(
    parts: Sequence[pd.DataFrame], of_codes: bool, wanted: list[str] | None, site: Sequence[Integers]
) -> tuple[pd.DataFrame, list[Integers]]:
    """Return the codes of the rows that count, in order, and the place of each row's code among them (-1: none).

    The rows are of one or several runs. Rows with a site of -1 do not count. The codes are a frame of ``dimension``,
    ``code``, ``label`` and ``parent``; for categories these are the taxonomy, the identifier (where there is none, the
    path), the name and the top category. Where rows have other words for a code, the first site's count.
    """
    kind, kinds = numbered_columns([rows["dimension" if of_codes else "taxonomy"] for rows in parts])
    code, texts = numbered_columns([rows["code"] for rows in parts]) if of_codes else identifiers(parts)
    width = max(len(texts), 1)
    # What is not chosen goes into a last place that is nobody's.
    last = len(kinds) * width
    shift = np.append(np.arange(len(kinds)) * width, last)
    if wanted is not None:
        shift[:-1][~kinds.isin(wanted)] = last
    key = [_keys(shift, last, *own) for own in zip(kind, code, site, strict=True)]
    found = np.zeros(last + 1, dtype=bool)
    for own in key:
        found[own] = True
    present = np.flatnonzero(found[:last])
    table = in_order(pd.DataFrame({"dimension": kinds.take(present // width), "code": texts.take(present % width)}))
    place = np.full(last + 1, -1, dtype=np.int32)
    place[present] = ranks(table.index.to_numpy())
    column = [place[own] for own in key]
    table = table.reset_index(drop=True)
    first = np.full(len(table) + 1, np.iinfo(np.int32).max, dtype=np.int32)
    for own, unit in zip(column, site, strict=True):
        np.minimum.at(first, own, unit)
    some = [np.flatnonzero((unit == first[own]) & (own >= 0)) for own, unit in zip(column, site, strict=True)]
    for name, source in (("label", "label" if of_codes else "name"), ("parent", "group" if of_codes else "level_1")):
        words = _words(parts, source, column, some, len(table))
        bare = words.isna().to_numpy()
        if bare.any():
            rest = [np.flatnonzero(np.append(bare, False)[own]) for own in column]
            words = words.fillna(_words(parts, source, column, rest, len(table)))
        table[name] = words
    return table, column


def _keys(shift: Integers, last: int, kind: Integers, code: Integers, site: Integers) -> Integers:
    """Return one number for the kind and code of each row, the last where the row has none, or does not count."""
    small: Any = np.int32 if 2 * last < np.iinfo(np.int32).max else np.int64
    key: Integers = shift.astype(small)[kind]
    np.add(key, code, out=key)
    key[(key > last) | (site < 0) | (code < 0)] = last
    return key


def in_order(codes: pd.DataFrame) -> pd.DataFrame:
    """Return codes by dimension, as frames order them, and by name."""
    known = {name: place for place, name in enumerate(ORDER)}
    place = codes["dimension"].map(lambda name: known.get(name, len(known))).astype("int64")
    return codes.assign(place=place).sort_values(["place", "dimension", "code"], kind="stable").drop(columns="place")


def ranks(order: Integers) -> Integers:
    """Return for each thing its place, given the things in order."""
    rank = np.empty(order.size, dtype=np.int64)
    rank[order] = np.arange(order.size)
    return rank


def row_weights(parts: Sequence[pd.DataFrame], of_codes: bool, weights: Weights) -> list[NDArray[np.float64]] | None:
    """Return what each row counts by its confidence, from 0 to 1; None if that is not asked for."""
    if weights is None or weights is False:
        return None
    if not any("confidence" in rows.columns for rows in parts):
        raise InputError("The frame has no column 'confidence' to weight by. Leave confidence_weights out.")
    if not of_codes:
        if weights is not True:
            raise InputError(
                "Categories have a number for confidence, no band. Pass confidence_weights=True to weight by it."
            )
        return [
            rows["confidence"].fillna(1.0).to_numpy(dtype=np.float64)
            if "confidence" in rows.columns
            else np.ones(len(rows))
            for rows in parts
        ]
    table = dict(_BANDS if weights is True else {None: 1.0, **_checked_weights(weights)})
    return [_band_weights(rows, table) for rows in parts]


def _band_weights(rows: pd.DataFrame, table: Mapping[str | None, float]) -> NDArray[np.float64]:
    if "confidence" not in rows.columns:
        return np.full(len(rows), table[None])
    place, bands = pd.factorize(rows["confidence"])
    for band in bands:
        if band not in table:
            raise InputError(f"The weights say nothing of the band {band!r}. Add it, such as {{{band!r}: 0.5}}.")
    return np.array([*(table[band] for band in bands), table[None]])[place]


def _checked_weights(weights: Any) -> dict[str | None, float]:
    if not isinstance(weights, Mapping):
        raise InputError(f"Weights are a mapping of bands to numbers, or True, not {type(weights).__name__}.")
    for band, weight in weights.items():
        check_number(weight, f"The weight of {band!r}", 0, 1)
    return dict(weights)


def identifiers(parts: Sequence[pd.DataFrame]) -> tuple[list[Integers], pd.Index]:
    """Return each category's identifier, or its path where it has none."""
    code, texts = numbered_columns([rows["id"] for rows in parts])
    bare = [
        np.flatnonzero((own < 0) & rows["taxonomy"].notna().to_numpy()) for own, rows in zip(code, parts, strict=True)
    ]
    paths = [_paths(rows, some) for rows, some in zip(parts, bare, strict=True)]
    if not any(map(len, bare)):
        return code, texts
    (_, *places), texts = numbered_lists([texts, *(words for _, words in paths)])
    with_paths = [own.copy() for own in code]
    for own, some, (number, _), place in zip(with_paths, bare, paths, places, strict=True):
        own[some] = np.append(place, -1)[number]
    return with_paths, texts


def _paths(rows: pd.DataFrame, some: Integers) -> tuple[Integers, pd.Index]:
    """Return the number of the path of some rows, -1 where there is none, and the paths."""
    levels = [name for name in LEVELS if name in rows.columns]
    if not some.size or not levels:
        return np.full(some.size, -1), pd.Index([], dtype="str")
    key = np.zeros(some.size, dtype=np.int64)
    for name in levels:
        # Numbered anew at each level, or the numbers of four levels of many names would be too large.
        place, names = numbered(rows[name].iloc[some])
        key = pd.factorize(key * (len(names) + 1) + place + 1)[0]
    first = np.unique(key, return_index=True)[1]
    paths = [
        PATH_SEPARATOR.join(level for level in path if isinstance(level, str))
        for path in rows[levels].iloc[some[first]].itertuples(index=False, name=None)
    ]
    places = {path: place for place, path in enumerate(dict.fromkeys(filter(None, paths)))}
    return np.array([places.get(path, -1) for path in paths])[key], pd.Index(list(places), dtype="str")


def _words(
    parts: Sequence[pd.DataFrame], name: str, column: Sequence[Integers], some: Sequence[Integers], count: int
) -> pd.Series:
    """Return for each code the first text by name that some rows have; missing where none has one."""
    words = pd.Series([None] * count, dtype="str")
    said = []
    for rows, own, where in zip(parts, column, some, strict=True):
        if name in rows.columns:
            there = where[rows[name].notna().to_numpy()[where]]
            said.append(pd.DataFrame({"column": own[there], "text": rows[name].array[there]}))
    if said:
        every = pd.concat(said, ignore_index=True)
        first = every.sort_values(["column", "text"], kind="stable").drop_duplicates("column")
        words.iloc[first["column"].to_numpy()] = first["text"].to_numpy()
    return words
