"""What the sites of a run have, as arrays: one entry a site and value, with its highest confidence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from toolkit.frames.about import dated, site_of
from toolkit.frames.asked import Counted, counted
from toolkit.frames.records import CATEGORIZED
from toolkit.frames.schemas import CODED, CONFIDENCE, LEVELS
from toolkit.interface.taxonomy import PATH_SEPARATOR
from toolkit.segments.tree import CODE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

__all__ = ["BY_PATH", "Had", "Rows", "category_rows", "code_rows", "had_of", "nothing"]

#: Begins a category's key where it has no identifier: the path follows.
BY_PATH: Final = ">"


class Named(NamedTuple):
    """Texts by number: of each row its number, and the different texts."""

    place: Integers
    texts: NDArray[np.object_]


@dataclass(frozen=True)
class Rows:
    """The answered rows of a frame that the conditions need.

    Attributes
    ----------
    names : Index
        The sites with a row of an answer.
    who : Counted
        The sites that were answered, also with nothing, and those with nothing but failures.
    rows : array of int
        Their places in the frame.
    sites : array of int
        Of each its site's position among `names`.
    kinds, keys : Named
        Dimension or taxonomy, and code or identifier.
    labels : Series
        What every row of the frame calls its value.
    strength : array of float
        Confidence; nan where there is none.
    dated : tuple of list
        The first and the last time of all answers in the frame, and their vocabularies' versions.
    """

    names: pd.Index[str]
    who: Counted
    rows: Integers
    sites: Integers
    kinds: Named
    keys: Named
    labels: pd.Series
    strength: NDArray[np.float64]
    dated: tuple[list[Any], list[str]]


@dataclass(frozen=True)
class Had:
    """What the sites have: one entry a site and value, sorted by both.

    Attributes
    ----------
    sites, values : array of int
        Positions among the sites and among `keys`.
    strength : array of float
        The highest confidence; nan where there is none.
    kinds, keys : array of str
        Dimension or taxonomy, and code or identifier of each value.
    said : tuple of array of int, array of int and Series
        The places of rows in a frame, the position of each row's value, and what every row of the frame calls its.
    """

    sites: Integers
    values: Integers
    strength: NDArray[np.float64]
    kinds: NDArray[np.object_]
    keys: NDArray[np.object_]
    said: tuple[Integers, Integers, pd.Series]

    @cached_property
    def labels(self) -> NDArray[np.object_]:
        """Label of each value: of several the first by name, of none the key."""
        rows, values, said = self.said
        number, texts = pd.factorize(said, sort=True)
        number = number[rows]
        least = np.full(len(self.keys), len(texts))
        np.minimum.at(least, values[number >= 0], number[number >= 0])
        labels = self.keys.copy()
        known = least < len(texts)
        labels[known] = np.asarray(texts, dtype=object)[least[known]]
        return labels


def nothing() -> Had:
    """Return that no site has anything."""
    no, none = np.empty(0, dtype=np.int64), np.empty(0, dtype=object)
    return Had(no, no, np.empty(0), none, none, (no, no, pd.Series(dtype="str")))


def code_rows(codes: pd.DataFrame, subjects: Iterable[str]) -> Rows:
    """Return the rows of a codes frame that some subjects of conditions need."""
    wanted = {kind for subject in subjects for kind in (CODED if subject == CODE else (subject,))}
    strength = np.full(len(codes), np.nan)
    if "confidence" in codes.columns:
        bands = codes["confidence"].astype(CONFIDENCE).cat.codes.to_numpy()
        strength = np.where(bands < 0, np.nan, bands)
    labels = codes["label" if "label" in codes.columns else "code"]
    return _rows(codes, codes["dimension"], wanted, lambda _: _named(codes["code"]), labels=labels, strength=strength)


def category_rows(categories: pd.DataFrame, subjects: Iterable[str]) -> Rows:
    """Return the rows of a categories frame that some subjects of conditions need."""
    strength = np.full(len(categories), np.nan)
    if "confidence" in categories.columns:
        strength = categories["confidence"].to_numpy(dtype=float, na_value=np.nan)
    kinds, keys, named = categories["taxonomy"], partial(_identifiers, categories), categories["name"]
    wanted = set(subjects)
    parts = sorted(wanted.intersection(CATEGORIZED))
    return _rows(categories, kinds, wanted, keys, labels=named, strength=strength, parts=parts)


def _rows(
    frame: pd.DataFrame,
    kind: pd.Series,
    wanted: set[str],
    key: Callable[[Integers], Named],
    *,
    labels: pd.Series,
    strength: NDArray[np.float64],
    parts: Iterable[str] | None = None,
) -> Rows:
    site, named = pd.factorize(site_of(frame))
    names: pd.Index[str] = pd.Index(named, dtype="str")
    good = site >= 0
    if "error" in frame.columns:
        good &= frame["error"].isna().to_numpy()
    some = np.zeros(len(names), dtype=bool)
    some[site[good]] = True
    # Numbers are cut to the rows that are needed, not texts: cutting texts takes longer than numbering them.
    kinds = _named(kind)
    rows = np.flatnonzero(good & np.array([*(text in wanted for text in kinds.texts), False])[kinds.place])
    keys = key(rows)
    rows = rows[keys.place[rows] >= 0]
    return Rows(
        names[some],
        counted(frame, site, names, good, parts),
        rows,
        (np.cumsum(some) - 1)[site[rows]],
        Named(kinds.place[rows], kinds.texts),
        Named(keys.place[rows], keys.texts),
        labels,
        strength[rows],
        dated(frame, good),
    )


def _named(column: pd.Series) -> Named:
    place, texts = pd.factorize(column)
    return Named(place, np.asarray(texts, dtype=object))


def _identifiers(categories: pd.DataFrame, rows: Integers) -> Named:
    """Return the identifiers of categories; of these rows, where there is none, the path."""
    known = _named(categories["id"])
    bare = rows[known.place[rows] < 0]
    if not len(bare):
        return known
    few = categories.iloc[bare]
    path = few["level_1"].where(few["level_1"].notna(), few["name"]).astype("str")
    for level in LEVELS[1:]:
        if level in few.columns:
            path += (PATH_SEPARATOR + few[level].astype("str")).where(few[level].notna(), "")
    paths = _named(BY_PATH + path)
    place = known.place.copy()
    place[bare] = np.where(paths.place < 0, -1, paths.place + len(known.texts))
    return Named(place, np.append(known.texts, paths.texts))


def had_of(rows: Rows, sites: pd.Index[str]) -> Had:
    """Return one entry a site and value, with the highest confidence of its rows."""
    site_at = _places(rows.names, sites)[rows.sites]
    if not (site_at >= 0).any():
        return nothing()
    (kind_at, kind_texts), (key_at, key_texts) = _sorted(rows.kinds), _sorted(rows.keys)
    pair = kind_at * len(key_texts) + key_at
    seen = np.zeros(len(kind_texts) * len(key_texts), dtype=bool)
    seen[pair] = True
    pairs = np.flatnonzero(seen)
    value_at = (np.cumsum(seen) - 1)[pair]
    entry = site_at * np.int64(len(pairs)) + value_at
    order = np.argsort(entry, kind="stable")  # rows of a site stand together mostly, which this kind makes use of
    order = order[np.searchsorted(entry, 0, sorter=order) :]  # what stands before is of sites that do not count
    entry, strength = entry[order], rows.strength[order]
    first = np.flatnonzero(np.append(True, entry[1:] != entry[:-1]))
    return Had(
        entry[first] // len(pairs),
        entry[first] % len(pairs),
        np.fmax.reduceat(strength, first),
        kind_texts[pairs // len(key_texts)],
        key_texts[pairs % len(key_texts)],
        (rows.rows, value_at, rows.labels),
    )


def _places(names: pd.Index[str], sites: pd.Index[str]) -> Integers:
    """Return the place of each name among the sites, or -1; three times as quick as `pandas.Index.get_indexer`."""
    texts, known = (pa.array(index.array, type=pa.large_string()) for index in (names, sites))
    found = pc.index_in(texts, value_set=known)
    return np.asarray(pc.fill_null(found, -1).to_numpy(zero_copy_only=False), dtype=np.int64)


def _sorted(named: Named) -> Named:
    """Return the same texts, of those that are there, numbered in their order."""
    there = np.flatnonzero(np.bincount(named.place, minlength=len(named.texts)))
    order = there[np.argsort(named.texts[there])]
    rank = np.empty(len(named.texts), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return Named(rank[named.place], named.texts[order])
