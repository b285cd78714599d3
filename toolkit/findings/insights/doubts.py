"""What speaks against a finding: said beside it, never left to the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from toolkit.findings.insights.features import site_column
from toolkit.findings.insights.sentences import named
from toolkit.findings.insights.tautologies import INFERRED, answer_of
from toolkit.frames.about import answered, site_of
from toolkit.frames.schemas import STATED

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

    from toolkit.findings.insights.features import Features

    Bools = NDArray[np.bool_]

__all__ = ["FEW", "NOT_MEASURED", "UNKNOWN", "UNSURE", "Doubts", "is_hardly_known", "unknown_of"]

#: With fewer sites than this behind one of the two numbers, a finding rests on small numbers.
FEW: Final = 5
#: Facts of a company that say who owns a site.
_OWNERS: Final = ("parent_company", "legal_name")
#: An owner has a few of the sites of a list; what more of them have in common is a kind of site.
_MOST_OF_ONE: Final = 0.34
#: The doubt of what is inferred.
NOT_MEASURED: Final = "inferred: general knowledge of who reads such pages, not measured on them"
#: How the doubt begins that takes a finding's clearness.
UNSURE: Final = "the service is unsure of"
#: How the doubt begins that something is not known of some sites.
UNKNOWN: Final = "it is not known of"
#: What is not known of more than this part of the sites is never clear.
_MOST_UNKNOWN: Final = 0.2


class Doubts:
    """Knows of the sites who owns them, and of what the service was unsure."""

    def __init__(
        self, frames: Mapping[str, pd.DataFrame], table: pd.DataFrame | None, known: Features, groups: Collection[str]
    ) -> None:
        self._known = known
        own = None if table is None else table.loc[:, [str(title) not in groups for title in table.columns]]
        self._owners = list(_owners(frames, own, known))
        self._unsure = _unsure(frames)

    def of(self, dimension: str, code: str, sites: Bools, sizes: tuple[int, ...]) -> tuple[str, ...]:
        """Return what speaks against a finding: its sites, and the numbers of sites that it rests on."""
        said = []
        if dimension in INFERRED:
            said.append(NOT_MEASURED)
        if sizes and min(sizes) < FEW:
            said.append(f"rests on small numbers: {named(min(sizes))} sites")
        said += self._of_one_owner(sites)
        if (unsure := self._known_unsure(dimension, code, sites)) * 2 >= max(int(sites.sum()), 1):
            said.append(f"{UNSURE} {_of(unsure, int(sites.sum()))}")
        mine = self._known.codes["dimension"].eq(dimension).to_numpy()
        if mine.any():
            silent, every = int((~self._known.asked[:, mine].any(axis=1)).sum()), len(self._known.sites)
            # What is known of some says less of all.
            if is_hardly_known(silent, every):
                said.append(unknown_of(silent, every))
            elif silent and answer_of(dimension) == "enrich" and dimension not in STATED:
                said.append(f"{silent} sites have no company answer")
        return tuple(said)

    def _of_one_owner(self, sites: Bools) -> list[str]:
        number = int(sites.sum())
        for name, column in self._owners:
            values, counts = np.unique(column[sites & (column != "")], return_counts=True)
            if counts.size and counts.max() > 1 and counts.max() * 3 >= number:
                place = int(counts.argmax())
                return [f"{_of(int(counts[place]), number)} are of the same {name}: {values[place]}"]
        return []

    def _known_unsure(self, dimension: str, code: str, sites: Bools) -> int:
        unsure = self._unsure.get((dimension, code))
        if unsure is None:
            return 0
        rows = self._known.pages[self._known.pages.index.isin(unsure)].to_numpy()
        return int(np.isin(np.flatnonzero(sites), rows).sum())


def is_hardly_known(silent: int, every: int) -> bool:
    """Tell whether something is not known of so many sites that nothing of it is clear."""
    return silent > _MOST_UNKNOWN * every


def unknown_of(silent: int, every: int) -> str:
    """Return the doubt that something is not known of some sites."""
    return f"{UNKNOWN} {silent:,} of the {every:,} sites"


def _of(part: int, whole: int) -> str:
    return f"{named(part)} of the {named(whole)}" if part < whole else f"all {named(whole)}"


def _owners(
    frames: Mapping[str, pd.DataFrame], table: pd.DataFrame | None, known: Features
) -> list[tuple[str, NDArray[np.object_]]]:
    """Return columns that name who a site belongs to: facts of companies, and columns of few sites a value."""
    found = []
    if "companies" in frames:
        good = answered(frames["companies"])
        owners = [fact for fact in _OWNERS if fact in good]
        found += [(fact.replace("_", " "), pd.Series(good[fact].array, index=site_of(good))) for fact in owners]
    if table is not None:
        titles = list(table.columns)
        for title in (title for title in titles if titles.count(title) == 1):
            column = table[title]
            if not (pd.api.types.is_string_dtype(column.dtype) or isinstance(column.dtype, pd.CategoricalDtype)):
                continue
            counts = column.value_counts()
            if len(counts) and 1 < counts.iloc[0] <= _MOST_OF_ONE * len(column):
                found.append((str(title), column))
    columns = []
    for name, column in found:
        by_site = site_column(column, known.pages.index).fillna("").astype(object)
        first = by_site.groupby(known.pages.to_numpy()).first()
        columns.append((name, np.array([str(value) for value in first], dtype=object)))
    return columns


def _unsure(frames: Mapping[str, pd.DataFrame]) -> dict[tuple[str, str], pd.Index]:
    """Return the sites of each code of which the service says that it is unsure."""
    if "codes" not in frames or "confidence" not in frames["codes"]:
        return {}
    low = answered(frames["codes"])
    low = low[low["confidence"].eq("low")]
    rows = pd.DataFrame({"site": site_of(low), "dimension": low["dimension"].astype("str"), "code": low["code"]})
    return {
        (str(kind), str(code)): pd.Index(part["site"]) for (kind, code), part in rows.groupby(["dimension", "code"])
    }
