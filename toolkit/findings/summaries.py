"""Summaries of a coverage: by tier and group, gaps, and how concentrated the sites are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["concentration", "coverage_by_group", "coverage_by_tier", "gaps"]

_NAMES: Final = ("taxonomy", "id", "parent", "name", "tier", "level_1", "level_2", "level_3", "level_4", "path")


def coverage_by_tier(covered: pd.DataFrame) -> pd.DataFrame:
    """Return how much of each tier is seen.

    Parameters
    ----------
    covered : DataFrame
        The result of :func:`toolkit.findings.coverage.coverage`, or rows of it.

    Returns
    -------
    DataFrame
        One row a tier, the top first: ``tier``, ``nodes``, ``seen``, ``unseen`` (int64) and ``share`` (float64, of its
        nodes that are seen).

    Raises
    ------
    InputError
        If it is no coverage.

    Examples
    --------
    >>> from toolkit.findings.coverage import coverage
    >>> from toolkit.frames.typed import categories
    >>> coverage_by_tier(coverage(categories([])))[["tier", "nodes", "unseen"]].to_numpy().tolist()
    [[1, 37, 37], [2, 322, 322], [3, 275, 275], [4, 69, 69]]
    """
    _check(covered, ("tier", "seen"))
    seen = covered.groupby("tier")["seen"].agg(["size", "sum"])
    return _kept(covered, {"tier": seen.index.to_numpy("int64"), **_parts(seen)})


def coverage_by_group(covered: pd.DataFrame) -> pd.DataFrame:
    """Return how much below each top category is seen, and by how many sites.

    Parameters
    ----------
    covered : DataFrame
        The result of :func:`toolkit.findings.coverage.coverage`, or rows of it.

    Returns
    -------
    DataFrame
        One row a top category, those with most sites first, then by name: ``level_1`` (str), ``nodes``, ``seen``,
        ``unseen`` (int64, itself included), ``share`` (float64, of its nodes that are seen) and ``sites`` (int64).

    Raises
    ------
    InputError
        If it is no coverage.
    """
    _check(covered, ("level_1", "seen", "sites"))
    grouped = covered.groupby("level_1")
    seen = grouped["seen"].agg(["size", "sum"])
    frame = _kept(
        covered, {"level_1": seen.index.to_numpy(), **_parts(seen), "sites": grouped["sites"].max().to_numpy()}
    )
    ordered = frame.sort_values(["sites", "level_1"], ascending=[False, True], ignore_index=True)
    return ordered.astype({"level_1": "str", "sites": "int64"})


def gaps(covered: pd.DataFrame) -> pd.DataFrame:
    """Return what no site shows, the largest gaps first.

    Parameters
    ----------
    covered : DataFrame
        The result of :func:`toolkit.findings.coverage.coverage`, or rows of it.

    Returns
    -------
    DataFrame
        One row an unseen node: its names as in the coverage, ``below`` (int64: nodes below it, all unseen too),
        ``topmost`` (bool: whether no node above it is unseen). The topmost stand first, those with most nodes below
        before others, then by path; the others follow by tier and path.

    Raises
    ------
    InputError
        If it is no coverage.
    """
    _check(covered, (*_NAMES, "seen", "below"))
    unseen = covered.loc[~covered["seen"], [*_NAMES, "below"]]
    frame = unseen.assign(topmost=~unseen["parent"].isin(unseen["id"]))
    frame = frame.assign(
        first=~frame["topmost"],
        most=-frame["below"].where(frame["topmost"], 0),
        depth=frame["tier"].where(~frame["topmost"], 0),
    )
    ordered = frame.sort_values(["first", "most", "depth", "path", "id"], ignore_index=True)
    return ordered.drop(columns=["first", "most", "depth"])


def concentration(covered: pd.DataFrame, *, tier: int | None = None) -> pd.DataFrame:
    """Return whether the sites are spread over the categories or crowd in a few.

    Parameters
    ----------
    covered : DataFrame
        The result of :func:`toolkit.findings.coverage.coverage`, or rows of it.
    tier : int, optional
        Weigh the categories of this tier by the sites that show them. By default every category counts with the
        sites for which it is one of the most specific (``direct``).

    Returns
    -------
    DataFrame
        One row: ``categories`` (int64, with any weight), ``effective`` (float64: the exponential of Shannon's entropy
        of the weights' shares, Hill's number of order 1: so many equally frequent categories would be as diverse),
        ``inverse_simpson`` (float64: Hill's number of order 2, which gives rare ones less weight), ``largest`` (str,
        path of the heaviest category; the first by path of several), ``largest_sites`` (int64) and ``largest_share``
        (float64, of the weight). Missing where no category is seen.

    Notes
    -----
    Hill, M. O. (1973). Diversity and evenness: a unifying notation and its consequences. Ecology 54, 427-432.

    Raises
    ------
    InputError
        If it is no coverage, or has no such tier.
    """
    weight = "direct" if tier is None else "sites"
    _check(covered, ("tier", "path", "id", weight))
    rows = covered if tier is None else covered[covered["tier"] == tier]
    if tier is not None and len(covered) and not len(rows):
        raise InputError(f"The coverage has no tier {tier!r}. Pass one of {sorted(set(covered['tier']))}.")
    heavy = rows[rows[weight] > 0].sort_values([weight, "path", "id"], ascending=[False, True, True])
    shares = heavy[weight].to_numpy(dtype="float64") / max(1, heavy[weight].sum())
    some = len(heavy) > 0
    row = {
        "categories": len(heavy),
        "effective": np.exp(-(shares * np.log(shares)).sum()) if some else np.nan,
        "inverse_simpson": 1 / (shares**2).sum() if some else np.nan,
        "largest": heavy["path"].iloc[0] if some else None,
        "largest_sites": int(heavy[weight].iloc[0]) if some else 0,
        "largest_share": shares[0] if some else np.nan,
    }
    return _kept(covered, {name: [value] for name, value in row.items()}).astype({"largest": "str"})


def _parts(seen: pd.DataFrame) -> dict[str, Any]:
    nodes, found = seen["size"].to_numpy("int64"), seen["sum"].to_numpy("int64")
    return {"nodes": nodes, "seen": found, "unseen": nodes - found, "share": found / nodes}


def _kept(covered: pd.DataFrame, columns: dict[str, Any]) -> pd.DataFrame:
    frame = pd.DataFrame(columns)
    frame.attrs.update(covered.attrs)
    return frame


def _check(covered: pd.DataFrame, needed: Iterable[str]) -> None:
    missing = [name for name in needed if name not in getattr(covered, "columns", ())]
    if missing:
        raise InputError(f"This is no coverage: it has no column {', '.join(map(repr, missing))}. Pass coverage(…).")
