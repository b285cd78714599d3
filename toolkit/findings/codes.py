"""Codes and categories as columns of a table: which code each row of a frame has, in an order, with its words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import pandas as pd

from toolkit.findings.counting import ORDER
from toolkit.frames.records import CATEGORIZED
from toolkit.frames.schemas import DIMENSIONS, LEVELS
from toolkit.interface.checks import check_number
from toolkit.interface.errors import InputError, UnknownCodeError, nearest_to
from toolkit.interface.taxonomy import PATH_SEPARATOR

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

__all__ = ["Weights", "code_columns", "columns_of", "in_order", "is_of_codes", "ranks", "row_weights", "wanted_kinds"]

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
    rows: pd.DataFrame, of_codes: bool, wanted: list[str] | None, site: Integers
) -> tuple[pd.DataFrame, Integers]:
    """Return the codes of the rows that count, in order, and the place of each row's code among them (-1: none).

    Rows with a site of -1 do not count. The codes are a frame of ``dimension``, ``code``, ``label`` and ``parent``; for
    categories these are the taxonomy, the identifier (where there is none, the path), the name and the top category.
    Where rows have other words for a code, the first site's count.
    """
    kind, found = pd.factorize(rows["dimension" if of_codes else "taxonomy"])
    kinds = pd.Index(np.asarray(found, dtype=object), dtype="str")
    code, texts = pd.factorize(rows["code"]) if of_codes else _identifiers(rows)
    width = max(len(texts), 1)
    chosen = (site >= 0) & (kind >= 0) & (code >= 0)
    if wanted is not None:
        chosen &= np.append(kinds.isin(wanted), False)[kind]
    # What is not chosen goes into a last place that is nobody's.
    last = len(kinds) * width
    key = np.where(chosen, kind * width + code, last)
    present = np.flatnonzero(np.bincount(key, minlength=last + 1)[:last])
    table = in_order(
        pd.DataFrame(
            {
                "dimension": kinds.take(present // width),
                "code": pd.Index(texts, dtype="str").take(present % width),
            }
        )
    )
    place = np.full(last + 1, -1)
    place[present] = ranks(table.index.to_numpy())
    column = place[key]
    table = table.reset_index(drop=True)
    first = np.full(len(table) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, column, site)
    some = np.flatnonzero((site == first[column]) & (column >= 0))
    for name, source in (("label", "label" if of_codes else "name"), ("parent", "group" if of_codes else "level_1")):
        words = _words(rows, source, column, some, len(table))
        bare = words.isna().to_numpy()
        if bare.any():
            words = words.fillna(
                _words(rows, source, column, np.flatnonzero(np.append(bare, False)[column]), len(table))
            )
        table[name] = words
    return table, column


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


def row_weights(rows: pd.DataFrame, of_codes: bool, weights: Weights) -> NDArray[np.float64] | None:
    """Return what each row counts by its confidence, from 0 to 1; None if that is not asked for."""
    if weights is None or weights is False:
        return None
    if "confidence" not in rows.columns:
        raise InputError("The frame has no column 'confidence' to weight by. Leave confidence_weights out.")
    if not of_codes:
        if weights is not True:
            raise InputError(
                "Categories have a number for confidence, no band. Pass confidence_weights=True to weight by it."
            )
        return rows["confidence"].fillna(1.0).to_numpy(dtype=np.float64)
    table = dict(_BANDS if weights is True else {None: 1.0, **_checked_weights(weights)})
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


def _identifiers(rows: pd.DataFrame) -> tuple[Integers, pd.Index]:
    """Return each category's identifier, or its path where it has none."""
    code, found = pd.factorize(rows["id"])
    levels = [name for name in LEVELS if name in rows.columns]
    bare = np.flatnonzero((code < 0) & rows["taxonomy"].notna().to_numpy())
    texts: list[str] = pd.Index(found).tolist()
    if not bare.size or not levels:
        return code, pd.Index(texts, dtype="str")
    key = np.zeros(bare.size, dtype=np.int64)
    for name in levels:
        # Numbered anew at each level, or the numbers of four levels of many names would be too large.
        place, names = pd.factorize(rows[name].iloc[bare])
        key = pd.factorize(key * (len(names) + 1) + place + 1)[0]
    first = np.unique(key, return_index=True)[1]
    paths = [
        PATH_SEPARATOR.join(level for level in path if isinstance(level, str))
        for path in rows[levels].iloc[bare[first]].itertuples(index=False, name=None)
    ]
    places = {text: place for place, text in enumerate(dict.fromkeys([*texts, *paths]))}
    code = code.copy()
    code[bare] = np.array([places[path] if path else -1 for path in paths])[key]
    return code, pd.Index(list(places), dtype="str")


def _words(rows: pd.DataFrame, name: str, column: Integers, some: Integers, count: int) -> pd.Series:
    """Return for each code the first text by name that some rows have; missing where none has one."""
    words = pd.Series([None] * count, dtype="str")
    if name in rows.columns:
        some = some[rows[name].notna().to_numpy()[some]]
        said = pd.DataFrame({"column": column[some], "text": rows[name].array[some]})
        first = said.sort_values(["column", "text"], kind="stable").drop_duplicates("column")
        words.iloc[first["column"].to_numpy()] = first["text"].to_numpy()
    return words
