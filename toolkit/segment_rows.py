"""What the sites of a run have, as arrays: one entry a site and value, with its highest confidence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from toolkit.about import site_of
from toolkit.schemas import CODED, CONFIDENCE, LEVELS
from toolkit.segment_tree import CODE
from toolkit.taxonomy import PATH_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

__all__ = ["BY_PATH", "Had", "Rows", "category_rows", "code_rows", "had_of", "nothing"]

#: Begins a category's key where it has no identifier: the path follows.
BY_PATH: Final = ">"


@dataclass(frozen=True)
class Rows:
    """The answered rows of a frame that the conditions need.

    Attributes
    ----------
    names, failed : Index
        The answered sites, and those with nothing but failures.
    sites : array of int
        Of each row its site's position among `names`.
    kinds, keys, labels : Series
        Dimension or taxonomy, code or identifier, and label.
    strength : array of float
        Confidence; nan where there is none.
    """

    names: pd.Index[str]
    failed: pd.Index[str]
    sites: Integers
    kinds: pd.Series
    keys: pd.Series
    labels: pd.Series
    strength: NDArray[np.float64]


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
    said : DataFrame
        Columns ``value`` and ``label``: what the rows call each value.
    """

    sites: Integers
    values: Integers
    strength: NDArray[np.float64]
    kinds: NDArray[np.object_]
    keys: NDArray[np.object_]
    said: pd.DataFrame

    @cached_property
    def labels(self) -> NDArray[np.object_]:
        """Label of each value: of several the first by name, of none the key."""
        known = self.said.drop_duplicates().dropna().sort_values("label").drop_duplicates("value")
        labels = self.keys.copy()
        labels[known["value"].to_numpy()] = known["label"].to_numpy(dtype=object)
        return labels


def nothing() -> Had:
    """Return that no site has anything."""
    no, none = np.empty(0, dtype=np.int64), np.empty(0, dtype=object)
    return Had(no, no, np.empty(0), none, none, pd.DataFrame({"value": no, "label": none}))


def code_rows(codes: pd.DataFrame, subjects: Iterable[str]) -> Rows:
    """Return the rows of a codes frame that some subjects of conditions need."""
    kinds = {kind for subject in subjects for kind in (CODED if subject == CODE else (subject,))}
    rows, sites, names, failed = _sited(codes, ("dimension", "code", "label", "confidence"))
    wanted = (rows["dimension"].isin(kinds) & rows["code"].notna()).to_numpy()
    rows, sites = rows[wanted], sites[wanted]
    labels = rows["label"] if "label" in rows.columns else rows["code"]
    strength = np.full(len(rows), np.nan)
    if "confidence" in rows.columns:
        bands = rows["confidence"].astype(CONFIDENCE).cat.codes.to_numpy()
        strength = np.where(bands < 0, np.nan, bands)
    return Rows(names, failed, sites, rows["dimension"], rows["code"], labels, strength)


def category_rows(categories: pd.DataFrame, subjects: Iterable[str]) -> Rows:
    """Return the rows of a categories frame that some subjects of conditions need."""
    rows, sites, names, failed = _sited(categories, ("taxonomy", "id", "name", *LEVELS, "confidence"))
    wanted = (rows["taxonomy"].isin(list(subjects)) & rows["name"].notna()).to_numpy()
    rows, sites = rows[wanted], sites[wanted]
    keys = rows["id"]
    if (bare := keys.isna()).any():
        path = rows.loc[bare, "level_1"].where(rows.loc[bare, "level_1"].notna(), rows.loc[bare, "name"]).astype("str")
        for level in LEVELS[1:]:
            if level in rows.columns:
                more = rows.loc[bare, level]
                path += (PATH_SEPARATOR + more.astype("str")).where(more.notna(), "")
        keys = keys.astype("str").mask(bare, (BY_PATH + path).reindex(keys.index))
    strength = np.full(len(rows), np.nan)
    if "confidence" in rows.columns:
        strength = rows["confidence"].to_numpy(dtype=float, na_value=np.nan)
    return Rows(names, failed, sites, rows["taxonomy"], keys, rows["name"], strength)


def _sited(frame: pd.DataFrame, columns: Iterable[str]) -> tuple[pd.DataFrame, Integers, pd.Index[str], pd.Index[str]]:
    """Return the answered rows with their sites' places, the sites' names, and the sites that only failed."""
    used = [column for column in ("target", "normal", "error", *columns) if column in frame.columns]
    every = frame[used].reset_index(drop=True)
    sites, named = pd.factorize(site_of(every))
    names: pd.Index[str] = pd.Index(named, dtype="str")
    good = np.ones(len(every), dtype=bool)
    if "error" in every.columns:
        good = every["error"].isna().to_numpy()
    good = good & (sites >= 0)
    some = np.zeros(len(names), dtype=bool)
    some[sites[good]] = True
    place = np.cumsum(some) - 1
    every = every.drop(columns=["target", "normal", "error"], errors="ignore")
    rows = every if good.all() else every[good]
    return rows, place[sites[good]], names[some], names[~some]


def had_of(rows: Rows, sites: pd.Index[str]) -> Had:
    """Return one entry a site and value, with the highest confidence of its rows."""
    kind_at, kind_names = pd.factorize(rows.kinds, sort=True)
    key_at, key_names = pd.factorize(rows.keys, sort=True)
    site_at = sites.get_indexer(rows.names)[rows.sites]
    if not (site_at >= 0).any():
        return nothing()
    every = len(kind_names) * len(key_names)
    pair = kind_at.astype(np.int64) * len(key_names) + key_at
    seen = np.zeros(every, dtype=bool)
    seen[pair] = True
    pairs = np.flatnonzero(seen)
    value_at = (np.cumsum(seen) - 1)[pair]
    entry = site_at * np.int64(len(pairs)) + value_at
    order = np.argsort(entry, kind="stable")
    order = order[np.searchsorted(entry, 0, sorter=order) :]  # what stands before is of sites that do not count
    entry, strength = entry[order], rows.strength[order]
    first = np.flatnonzero(np.append(True, entry[1:] != entry[:-1]))
    return Had(
        entry[first] // len(pairs),
        entry[first] % len(pairs),
        np.fmax.reduceat(strength, first),
        np.asarray(kind_names, dtype=object)[pairs // len(key_names)],
        np.asarray(key_names, dtype=object)[pairs % len(key_names)],
        pd.DataFrame({"value": value_at, "label": rows.labels.to_numpy(dtype=object)}),
    )
