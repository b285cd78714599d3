"""How many categories ever more sites show, and how many no site has shown yet.

The formulae are in :mod:`toolkit.findings.richness`. They take the sites for a random sample of those they stand for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.findings.coverage import coverage
from toolkit.findings.proportions import quantile
from toolkit.findings.richness import chao2, expected_seen, further_sites, sample_coverage
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolkit.interface.vocabulary import Vocabulary

    Floats = np.ndarray[Any, np.dtype[np.float64]]

__all__ = ["accumulation", "unseen"]

#: Shares of the estimate for which :func:`unseen` says how many more sites they take, in percent.
_GOALS: Final = (90, 95, 99)
_COVERED: Final = ("tier", "sites", "direct", "seen")


def accumulation(
    frame: pd.DataFrame,
    taxonomy: str = "content-v3",
    *,
    threshold: float | str = 0.0,
    vocabulary: Vocabulary | None = None,
    sites: Iterable[str] | pd.DataFrame | None = None,
    tier: int | None = None,
    until: int | None = None,
    points: int = 200,
    level: float = 0.95,
) -> pd.DataFrame:
    """Return how many categories any so many of the sites show on average, and what further ones would add.

    Parameters
    ----------
    frame : DataFrame
        A categories or codes frame, or the result of :func:`toolkit.findings.coverage.coverage`, for which `taxonomy`,
        `threshold`, `vocabulary` and `sites` are not asked again.
    taxonomy, threshold, vocabulary, sites : optional
        As for :func:`toolkit.findings.coverage.coverage`.
    tier : int, optional
        Count the categories of this tier only.
    until : int, optional
        Up to how many sites; by default twice those there are. Further than that the curve is a guess.
    points : int
        At most so many rows.
    level : float
        Of the intervals.

    Returns
    -------
    DataFrame
        One row a number of sites, from 1 on, always with the number there is: ``sites`` (int64), ``seen`` (float64,
        the expected number of categories; exact up to the sites there are), ``low`` and ``high`` (float64, what
        another sample of so many sites would show; missing with fewer than two sites or where nothing is seen),
        ``error`` (float64, its standard error) and ``kind`` (str, "interpolated" or "extrapolated"). Empty without
        sites. No number is above that of the categories there are.

    Raises
    ------
    InputError
        If an argument is not as described, or as for `coverage`.

    See Also
    --------
    toolkit.findings.richness.expected_seen : the formulae and their sources.

    Examples
    --------
    >>> from toolkit import Client
    >>> from toolkit.frames.typed import categories
    >>> client = Client()
    >>> answers = [client.categorize_content(url=f"{name}.example") for name in ("torque-journal", "ledgerline")]
    >>> accumulation(categories(answers), tier=1)[["sites", "seen", "kind"]].to_numpy().tolist()[:2]
    [[1, 1.0, 'interpolated'], [2, 2.0, 'interpolated']]
    """
    covered = _covered(frame, taxonomy, tier, threshold=threshold, vocabulary=vocabulary, sites=sites)
    n, counts, nodes = _counts(covered)
    if until is None:
        until = 2 * n
    for name, number, least in (("until", until, 0 if n == 0 else 1), ("points", points, 3)):
        if not isinstance(number, int | np.integer) or isinstance(number, bool) or number < least:
            raise InputError(f"{name}={number!r} must be a whole number of at least {least}.")
    at = _grid(n, int(until), int(points))
    expected, error = expected_seen(counts, n, at)
    reach = quantile(level) * error
    curve = pd.DataFrame(
        {
            "sites": at,
            "seen": np.minimum(expected, nodes),
            "low": np.clip(expected - reach, 0, nodes),
            "high": np.clip(expected + reach, 0, nodes),
            "error": error,
            "kind": np.where(at <= n, "interpolated", "extrapolated"),
        }
    ).astype({"sites": "int64", "kind": "str"})
    curve.attrs["about"] = {**covered.attrs["about"], "tier": tier, "level": level}
    return curve


def unseen(
    frame: pd.DataFrame,
    taxonomy: str = "content-v3",
    *,
    threshold: float | str = 0.0,
    vocabulary: Vocabulary | None = None,
    sites: Iterable[str] | pd.DataFrame | None = None,
    tier: int | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Estimate how many categories further sites like these would show, and how many sites that takes.

    Parameters
    ----------
    frame, taxonomy, threshold, vocabulary, sites, tier, level : optional
        As for :func:`accumulation`.

    Returns
    -------
    DataFrame
        One row: ``sites``, ``seen``, ``once``, ``twice`` (int64), ``estimate``, ``low``, ``high`` (float64, of Chao2: a
        lower bound of all that further sites like these could show, with its interval), ``more_sites_for_90``,
        ``more_sites_for_95`` and ``more_sites_for_99`` (Int64, to see that percentage of the estimate), ``nodes``
        (int64: categories there are), ``capped`` (bool: whether the estimate was above that and is cut down to it),
        ``error`` (float64, standard error of the estimate before it is cut), ``completeness`` (float64, ``seen`` of
        the estimate) and ``sample_coverage`` (float64: of the categories that one more site shows, the share that is
        seen already; Chao & Jost 2012). What needs the estimate is missing with fewer than two sites or where nothing
        is seen.

    Raises
    ------
    InputError
        As for `accumulation`.

    See Also
    --------
    toolkit.findings.richness.chao2 : the estimate and its sources.
    toolkit.findings.richness.further_sites : the formula for more sites.
    """
    covered = _covered(frame, taxonomy, tier, threshold=threshold, vocabulary=vocabulary, sites=sites)
    n, counts, nodes = _counts(covered)
    found = chao2(counts, n, level=level)
    estimate = min(found.estimate, nodes)
    more = [further_sites(counts, n, goal / 100, most=nodes) for goal in _GOALS]
    row: dict[str, Any] = {
        "sites": n,
        "seen": found.seen,
        "once": found.once,
        "twice": found.twice,
        "estimate": estimate,
        "low": min(found.low, nodes),
        "high": min(found.high, nodes),
        **{f"more_sites_for_{goal}": number for goal, number in zip(_GOALS, more, strict=True)},
        "nodes": nodes,
        "capped": bool(found.estimate > nodes),
        "error": found.error,
        "completeness": found.seen / estimate if estimate else np.nan,
        "sample_coverage": sample_coverage(counts, n),
    }
    frame = pd.DataFrame({name: [value] for name, value in row.items()})
    frame = frame.astype({f"more_sites_for_{goal}": "Int64" for goal in _GOALS})
    frame.attrs["about"] = {**covered.attrs["about"], "tier": tier, "level": level}
    return frame


def _grid(sites: int, until: int, points: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return numbers of sites: the first, the last, the number there is, and others between, denser at the start."""
    if not sites:
        return np.empty(0, dtype=np.int64)
    inside = min(sites, until)
    beyond = min(max(round(points * (until - inside) / until), 1), points - 2) if until > inside else 0
    # The curve is steep where it begins.
    first = (
        1 + (inside - 1) * np.linspace(0, 1, points - beyond) ** 2 if inside > points - beyond else range(1, inside + 1)
    )
    numbers = np.append(np.asarray(first, dtype=np.float64), np.linspace(inside, until, beyond + 1)[1:])
    return np.unique(np.rint(numbers).astype(np.int64))


def _covered(frame: pd.DataFrame, taxonomy: str, tier: int | None, **options: Any) -> pd.DataFrame:
    """Return the coverage of a frame, or the frame where it is one, of the tier if one is given."""
    if isinstance(frame, pd.DataFrame) and set(_COVERED) <= set(frame.columns):
        covered = frame
        if "sites" not in covered.attrs.get("about", {}):
            raise InputError("This coverage lost its attrs, which say how many sites it is of. Pass coverage(…) as is.")
    else:
        covered = coverage(frame, taxonomy, **options)
    if tier is None:
        return covered
    rows = covered[covered["tier"] == tier]
    if rows.empty:
        raise InputError(f"There is no tier {tier!r}. Pass one of {sorted(set(covered['tier']))}.")
    return rows


def _counts(covered: pd.DataFrame) -> tuple[int, Floats, int]:
    return covered.attrs["about"]["sites"], covered["sites"].to_numpy(dtype=np.float64), len(covered)
