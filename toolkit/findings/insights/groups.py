"""The groups that are looked at: those asked for, or sensible columns of the user's table and what the sites are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from toolkit.findings.given.groups import MAIN_CATEGORY, grouped_sites
from toolkit.findings.incidence import incidence
from toolkit.findings.insights.features import FEWEST, site_column
from toolkit.findings.insights.tautologies import OWN, own
from toolkit.frames.about import answered, site_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from toolkit.findings.incidence import Groups
    from toolkit.findings.insights.features import Features

    Bools = NDArray[np.bool_]

__all__ = ["Grouping", "given", "sensible", "top_categories"]

#: A column of more groups than this is a list of names.
_MOST_GROUPS: Final = 12
#: Columns that are looked at where none is asked for, in the order of the table.
_MOST_COLUMNS: Final = 5
#: Of all sites, those that the groups of a column must hold.
_LEAST_HELD: Final = 0.5


@dataclass(frozen=True)
class Grouping:
    """Groups of one kind.

    Attributes
    ----------
    name : str
        How the caller asks for them: ``groups``, or the name of a column.
    dimension : str
        What they are made of.
    names : list of str
        The groups.
    members : array of bool
        Groups × sites.
    grouped : array of bool
        Of which sites it is known in which group they are: only these are others.
    """

    name: str
    dimension: str
    names: list[str]
    members: Bools
    grouped: Bools


def given(
    groups: Groups, known: Features, name: str, dimension: str, frames: Mapping[str, pd.DataFrame] | None = None
) -> Grouping:
    """Return the groups that a caller asks for, as every finding takes them.

    `frames` say of which sites they are known; without them a site that is in no group is one of the others.
    """
    # Who is in which group does not depend on what the sites have.
    everybody = pd.DataFrame({"target": known.pages.index, "dimension": "", "code": None})
    among = None if frames is None else grouped_sites(name, frames)
    found = incidence(everybody, groups, known.pages.index, among=among)
    table = found.members.toarray() > 0
    place = known.pages.index.get_indexer(found.sites)
    members = np.zeros((len(table), len(known.pages)), dtype=bool)
    members[:, place] = table
    grouped = np.ones(len(known.pages), dtype=bool)
    grouped[place] = True if found.grouped is None else found.grouped
    return Grouping(name, dimension, found.names, *_by_site(members, grouped, known))


def sensible(frames: Mapping[str, pd.DataFrame], table: pd.DataFrame | None, known: Features) -> list[Grouping]:
    """Return the columns of a table that make groups of sites, the kinds of audience and the main categories."""
    found = list(_columns(table, known)) if table is not None else []
    for name, dimension, column in _own_kinds(frames):
        if (made := _grouping(name, dimension, column, known, grouped_sites(name, frames))) is not None:
            found.append(made)
    return found


def top_categories(categories: pd.DataFrame) -> pd.Series:
    """Return the main category of each site: the top one that the service is surest of."""
    good = answered(categories)
    tops = good[good["taxonomy"].eq("content-v3") & good["tier"].eq(1)]
    first = tops.assign(site=site_of(tops)).sort_values(["site", "rank"], kind="stable").drop_duplicates("site")
    return pd.Series(first["name"].array, index=pd.Index(first["site"], dtype="str"), name=MAIN_CATEGORY)


def _columns(table: pd.DataFrame, known: Features) -> Iterator[Grouping]:
    tried = 0
    for title in table.columns:
        if list(table.columns).count(title) > 1 or tried >= _MOST_COLUMNS:
            continue
        column = table[title]
        if pd.api.types.is_datetime64_any_dtype(column.dtype) or pd.api.types.is_float_dtype(column.dtype):
            continue
        if (made := _grouping(str(title), own(str(title)), column, known)) is not None:
            tried += 1
            yield made


def _own_kinds(frames: Mapping[str, pd.DataFrame]) -> Iterator[tuple[str, str, pd.Series]]:
    if "audiences" in frames:
        good = answered(frames["audiences"])
        yield "audience_type", "audience_type", pd.Series(good["audience_type"].array, index=site_of(good))
    if "categories" in frames:
        yield MAIN_CATEGORY, MAIN_CATEGORY, top_categories(frames["categories"])


def _grouping(
    name: str, dimension: str, column: pd.Series, known: Features, among: pd.Index | None = None
) -> Grouping | None:
    """Return the groups of a column that are large enough; None where it makes no two of them.

    `among` are the sites of which it is known in which group they are, by default all.
    """
    every = site_column(column, known.pages.index)
    number, values = pd.factorize(every.astype("str").where(every.notna()).str.strip().replace("", None), sort=True)
    texts = [str(value) for value in values]
    pages = known.pages.index
    grouped = np.ones(len(pages), dtype=bool) if among is None else np.asarray(pages.isin(among))
    members, grouped = _by_site(number[None, :] == np.arange(len(texts))[:, None], grouped, known)
    large = members.sum(axis=1) >= FEWEST
    if len(texts) < 2:  # noqa: PLR2004 - all in one group
        return None
    enough = members[large].any(axis=0).mean() >= _LEAST_HELD
    if not large.any() or (not enough and dimension.startswith(OWN)) or large.sum() > _MOST_GROUPS:
        return None
    keep = np.flatnonzero(large)
    return Grouping(name, dimension, [texts[place] for place in keep], members[keep], grouped)


def _by_site(members: Bools, grouped: Bools, known: Features) -> tuple[Bools, Bools]:
    """Return groups × sites, and of which sites it is known in which group they are, given both of pages."""
    found = np.array([known.mostly(row) for row in members], dtype=bool).reshape(len(members), len(known.sites))
    return found, found.any(axis=0) | known.mostly(grouped)
