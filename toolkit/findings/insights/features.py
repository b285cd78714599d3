"""What can be said of each site: a table of sites × features, and of whom each question was answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from scipy import sparse

from toolkit.findings.given.clustering import AUTO, clustering, domain_of
from toolkit.findings.incidence import incidence
from toolkit.findings.insights.facts import company_codes, own_codes, technology_codes
from toolkit.findings.insights.sentences import is_absence, value_in_words
from toolkit.frames.about import normal_of
from toolkit.frames.asked import asked_for, asked_of
from toolkit.frames.records import CATEGORIZED
from toolkit.frames.schemas import FACTS, SCALARS
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]

__all__ = ["FEWEST", "Features", "features", "site_column"]

#: Fewer sites than this are no finding.
FEWEST: Final = 3
#: What a site has one of.
_SINGLE: Final = (*SCALARS, *(name for name in FACTS.values() if name != "business_model"))


@dataclass(frozen=True)
class Features:
    """What is known of which sites.

    Attributes
    ----------
    sites : Index
        The sites; where a domain has several pages on the list, the domain stands for them.
    codes : DataFrame
        One row a feature: ``dimension``, ``code``, ``label``, ``parent``.
    has : array of bool
        Sites × features.
        Of a domain with several pages: what at least half of those have of which it is known, if it is of the domain;
        of what a site has one of, such as an income, what more than half have.
    asked : array of bool
        Sites × features: whether it is known if the site has it; see `toolkit.findings.incidence.Incidence.known_of`.
        Of a domain with several pages: whether it is of at least half of them, for of one page in ten nobody knows what
        the domain is, and whether they agree on what a site has one of.
    pages : Series
        Of each page or site that was answered, by name, the row of `has` that it is part of.
    some : array of bool
        Sites × features: whether any page of the site has it. What no page has is on none of the sites.
    answered : mapping of str to array of bool
        Of each question that the run asked, by the name of its frame or taxonomy, the pages that answered, also with
        nothing.
    """

    sites: pd.Index
    codes: pd.DataFrame
    has: Bools
    asked: Bools
    pages: pd.Series = field(repr=False)
    some: Bools = field(repr=False)
    answered: Mapping[str, Bools] = field(repr=False)

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def is_merged(self) -> bool:
        """Whether domains with several pages count once."""
        return len(self.pages) > len(self.sites)

    @cached_property
    def absent(self) -> Bools:
        """Which features say what is not there, as that a site shows no prices."""
        pairs = zip(self.codes["dimension"], self.codes["code"], strict=True)
        return np.array([is_absence(str(kind), str(code)) for kind, code in pairs], dtype=bool)

    @cached_property
    def rows(self) -> list[tuple[Any, ...]]:
        """The rows of `codes`, of which each is looked up many times."""
        return list(self.codes.itertuples(index=False, name=None))

    def word(self, place: int) -> str:
        """Return a feature as one says it in a sentence."""
        dimension, code, label, _ = self.rows[place]
        return value_in_words(dimension, code, label)

    def mostly(self, values: Bools) -> Bools:
        """Return of which sites something holds, given for each page: of a domain, for at least half of its pages."""
        rows = self.pages.to_numpy()
        found: Bools = np.bincount(rows, values.astype(np.float64)) * 2 >= np.bincount(rows)
        return found

    def wholly(self, values: Bools) -> Bools:
        """Return of which sites something holds, given for each page: of a domain, for all of its pages."""
        rows = self.pages.to_numpy()
        found: Bools = np.bincount(rows, values.astype(np.float64)) == np.bincount(rows)
        return found


def features(frames: Mapping[str, pd.DataFrame], table: pd.DataFrame | None = None) -> Features:
    """Return the features of the sites of a run's frames, and of the columns of a table indexed by target."""
    kinds, parts = [], []
    for kind, frame, taxonomy in _answers(frames):
        kinds.append(kind)
        parts.append(incidence(frame, taxonomy=taxonomy))
    names = pd.Index(sorted({site for part in parts for site in part.sites.tolist()}), dtype="str")
    answered = {kind: names.isin(part.sites[part.known_of(kind)]) for kind, part in zip(kinds, parts, strict=True)}
    if table is not None and len(names):
        parts.append(incidence(own_codes(table), sites=names))
    if not parts:
        raise InputError("There is nothing to find: no frame was given. Pass run.codes() as 'codes', for example.")
    codes = pd.concat([part.codes for part in parts], ignore_index=True)
    has, asked = np.zeros((2, len(names), len(codes)), dtype=bool)
    first = 0
    for part in parts:
        place, last = names.get_indexer(part.sites), first + len(part.codes)
        for columns, rows in part.parts():
            asked[np.ix_(place, first + columns)] = rows[:, None]
        has[place, first:last] = part.has.toarray() > 0
        first = last
    together = clustering(AUTO, names)
    number = np.arange(len(names)) if together is None else together.cluster
    pages = pd.Series(number, index=names, dtype="int64")
    if together is None:
        return Features(names, codes, has, asked, pages, has, answered)
    first_pages = names.take(np.unique(number, return_index=True)[1])
    every = np.bincount(number)
    sites = [page if only else domain_of(page) for page, only in zip(first_pages, every == 1, strict=True)]
    known = sparse.csr_array((np.ones(len(number)), (number, np.arange(len(number)))))
    of_any, of_has = (known @ values.astype(np.float32) for values in (asked, has))
    told = of_any * 2 >= every[:, None]
    merged = told & (of_has * 2 >= np.maximum(of_any, 1))
    dimensions = codes["dimension"].to_numpy(dtype=object)
    for kind in dict.fromkeys(dimensions[np.isin(dimensions, _SINGLE)]):
        # Pages that differ, half and half, do not tell which it is.
        mine = np.flatnonzero(dimensions == kind)
        merged[:, mine] &= of_has[:, mine] * 2 > of_any[:, mine]
        told[:, mine] &= merged[:, mine].any(axis=1, keepdims=True)
    return Features(pd.Index(sites, dtype="str"), codes, merged, told, pages, of_has > 0, answered)


def site_column(column: pd.Series, names: pd.Index) -> pd.Series:
    """Return a column by target as one of sites, by name: the first row of a site counts."""
    targets = pd.Index(column.index, dtype="str")
    strange = ~targets.isin(names) & targets.notna()
    if strange.any():
        normal = [normal_of(str(name)) if odd else name for name, odd in zip(targets, strange, strict=True)]
        targets = pd.Index(normal, dtype="str")
    moved = column.set_axis(targets, axis="index")
    found: pd.Series = moved[targets.notna() & ~targets.duplicated()].reindex(names)
    return found


def _answers(frames: Mapping[str, pd.DataFrame]) -> Iterator[tuple[str, pd.DataFrame, str | None]]:
    """Yield what was asked, by name, with the frames of codes and categories that hold the answers.

    Each taxonomy is one by itself, for not all are asked for by one question.
    """
    if "codes" in frames:
        yield "codes", frames["codes"], None
    for taxonomy in CATEGORIZED if "categories" in frames else ():
        asked = asked_of(frames["categories"])
        is_asked = asked is not None and bool(asked_for(frames["categories"], [taxonomy]))
        if is_asked or frames["categories"]["taxonomy"].eq(taxonomy).any():
            yield taxonomy, frames["categories"], taxonomy
    if "technologies" in frames:
        yield "technologies", technology_codes(frames["technologies"]), None
    if "companies" in frames:
        yield "companies", company_codes(frames["companies"]), None
