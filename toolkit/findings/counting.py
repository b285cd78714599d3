"""Counting of rows and sites, for the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from toolkit.findings.statistics.clusters import clustered_interval
from toolkit.findings.statistics.proportions import wilson
from toolkit.frames.numbering import numbered
from toolkit.frames.records import CATEGORIZED
from toolkit.frames.schemas import BASES, BASIS, DIMENSIONS
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from toolkit.findings.statistics.clusters import Clustered

__all__ = [
    "ORDER",
    "check_band",
    "combined",
    "good_rows",
    "in_both",
    "joined",
    "places",
    "ratio",
    "share_columns",
    "with_basis",
]

#: Numbers below it have half the width.
_SMALL: Final = 2**31
#: The order of dimensions and taxonomies in findings.
ORDER: Final = (*DIMENSIONS, *CATEGORIZED)


def share_columns(
    count: NDArray[Any], sites: int | NDArray[Any], name: str, level: float, clustered: Clustered | None = None
) -> dict[str, Any]:
    """Return the columns that say which part of the sites has something, with Wilson's interval (1927).

    Where sites come in clusters, `clustered` has their sums of what is counted.
    """
    whole = np.broadcast_to(np.asarray(sites, dtype=np.int64), count.shape).copy()
    if clustered is None:
        effect = np.ones(len(count))
        low, high = wilson(count, whole, level)
    else:
        effect = clustered.effect
        low, high = clustered_interval(count, whole, effect, clustered.freedom, level)
    return {
        "n": whole,
        name: count.astype(np.int64),
        "share": ratio(count, whole),
        "share_low": np.asarray(low, dtype=np.float64),
        "share_high": np.asarray(high, dtype=np.float64),
        "n_effective": whole / effect,
    }


def with_basis(finding: pd.DataFrame) -> pd.DataFrame:
    """Return a finding's table with the column ``basis`` behind what names a code: measured or inferred."""
    number, names = places(finding["dimension"])
    known = [BASIS.get(name, "measured" if name in CATEGORIZED else None) for name in names]
    bases = pd.Categorical([*known, None], dtype=BASES)
    last = [place for place, name in enumerate(finding.columns) if name in {"dimension", "label", "parent"}][-1]
    finding.insert(last + 1, "basis", pd.Series(bases[number], index=finding.index))
    return finding


def ratio(part: NDArray[Any], whole: NDArray[Any]) -> NDArray[np.float64]:
    """Return part / whole, missing where there is no whole."""
    found: NDArray[np.float64] = np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0)
    return found


def places(values: pd.Series, order: tuple[str, ...] = ()) -> tuple[NDArray[np.int64], list[str]]:
    """Return each value's place, -1 where missing, among the values there are: in this order, and then by name."""
    numbers, found = numbered(values)
    names = [str(name) for name in found]
    ranks = {name: rank for rank, name in enumerate(order)}
    ordered = sorted(names, key=lambda name: (ranks.get(name, len(ranks)), name))
    places = {name: place for place, name in enumerate(ordered)}
    table = np.array([*(places[name] for name in names), -1], dtype=np.int64)
    return table[numbers], ordered


def combined(*columns: pd.Series) -> NDArray[np.int64]:
    """Return the number of each row's combination of values, of which missing is one of its own."""
    number = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        places, found = numbered(column)
        number, _ = pd.factorize(number * (len(found) + 1) + places + 1, sort=False)
    return number.astype(np.int64)


def check_band(groups: pd.Series) -> None:
    """Refuse a band that has no values: the vocabulary that its frame was made with does not list the field."""
    if isinstance(groups.dtype, pd.CategoricalDtype) and not len(groups.cat.categories) and len(groups):
        raise InputError(
            f"The groups {groups.name!r} are a band without values: the vocabulary that the frame was made with does "
            "not list them. Make the frame again with client.filters(refresh=True), or pass the groups as text."
        )


def joined(rows: NDArray[Any], columns: NDArray[Any], words: NDArray[Any], *, size: int, most: int) -> pd.Series:
    """Return for each of `size` rows its first `most` words, by the place of their column; missing where none is."""
    width = max(len(words), 1)
    kind: Any = np.int32 if max(size * width, len(rows)) < _SMALL else np.int64
    key: NDArray[Any] = rows.astype(kind)
    np.multiply(key, width, out=key)
    np.add(key, columns, out=key, casting="same_kind")
    if (key[1:] <= key[:-1]).any():
        key.sort()
    row = key // width
    starts = np.flatnonzero(np.append(True, row[1:] != row[:-1])[: row.size]).astype(kind)
    place = np.arange(row.size, dtype=kind)
    place -= np.repeat(starts, np.diff(starts, append=kind(row.size)))
    kept = place < most
    table = np.full((most, size), -1, dtype=np.int32)
    table[place[kept], row[kept]] = key[kept] % width
    texts = pa.array(words, type=pa.large_string(), from_pandas=True)
    first, *others = [texts.take(pa.array(at, mask=at < 0)) for at in table]
    comma, nothing = (pa.scalar(text, pa.large_string()) for text in (", ", ""))
    more = [pc.binary_join_element_wise(comma, words, nothing).fill_null("") for words in others]
    return pd.Series(pc.binary_join_element_wise(first, *more, nothing).to_pandas(), dtype="str")


def good_rows(frame: pd.DataFrame) -> NDArray[np.bool_]:
    """Return which rows are no failures."""
    if "error" not in frame.columns:
        return np.ones(len(frame), dtype=bool)
    found: NDArray[np.bool_] = frame["error"].isna().to_numpy()
    return found


def in_both(first: NDArray[Any], second: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where in each of two lists of different places those are that are in both, in the order of the second."""
    at = np.full(int(max(first.max(initial=-1), second.max(initial=-1))) + 1, -1)
    at[first] = np.arange(len(first))
    there = at[second]
    kept = there >= 0
    return there[kept], np.flatnonzero(kept)
