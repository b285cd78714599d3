"""How many categories ever more sites show, and how many no site has shown yet.

A site either shows a category or not, and sites are taken for a random sample of those they stand for. The sources of
the formulae call them species and sampling units; their Q1 and Q2 are the numbers of categories of exactly one and
exactly two sites.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from scipy.special import gammaln

from toolkit.findings.coverage import coverage
from toolkit.findings.given.clustering import AUTO
from toolkit.findings.statistics.proportions import quantile
from toolkit.interface.checks import is_whole
from toolkit.interface.errors import InputError
from toolkit.interface.text import rounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import ArrayLike

    from toolkit.findings.given.clustering import Cluster
    from toolkit.interface.vocabulary import Vocabulary

    Floats = np.ndarray[Any, np.dtype[np.float64]]

__all__ = [
    "Estimate",
    "accumulation",
    "chao2",
    "estimate_in_words",
    "expected_seen",
    "further_sites",
    "sample_coverage",
    "unseen",
]

#: Shares of the estimate for which :func:`unseen` says how many more sites they take, in percent.
_GOALS: Final = (90, 95, 99)
_COVERED: Final = ("tier", "sites", "direct", "seen")
_LEAST_SITES: Final = 2


def accumulation(
    frame: pd.DataFrame,
    taxonomy: str = "content-v3",
    *,
    threshold: float | str = 0.0,
    vocabulary: Vocabulary | None = None,
    sites: Iterable[str] | pd.DataFrame | None = None,
    cluster: Cluster = AUTO,
    tier: int | None = None,
    until: int | None = None,
    points: int = 200,
    level: float = 0.95,
) -> pd.DataFrame:
    """Return how many categories any so many of the sites show on average, and what further ones would add.

    Parameters
    ----------
    frame : DataFrame
        A categories or codes frame, or the result of :func:`toolkit.findings.coverage`, for which `taxonomy`,
        `threshold`, `vocabulary`, `sites` and `cluster` are not asked again.
    taxonomy, threshold, vocabulary, sites, cluster : optional
        As for :func:`toolkit.findings.coverage`. Where sites belong together, what is beyond the list and all intervals
        are by cluster: another list would be of other domains, of as many pages each.
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
    toolkit.findings.unseen.expected_seen : the formulae and their sources.

    Examples
    --------
    >>> from toolkit import Client
    >>> from toolkit.frames.typed import categories
    >>> client = Client()
    >>> answers = [client.categorize_content(url=f"{name}.example") for name in ("torque-journal", "ledgerline")]
    >>> accumulation(categories(answers), tier=1)[["sites", "seen", "kind"]].to_numpy().tolist()[:2]
    [[1, 1.0, 'interpolated'], [2, 2.0, 'interpolated']]
    """
    options: dict[str, Any] = {"threshold": threshold, "vocabulary": vocabulary, "sites": sites, "cluster": cluster}
    covered = _covered(frame, taxonomy, tier, **options)
    n, counts, nodes = _counts(covered)
    if until is None:
        until = 2 * n
    for name, number, least in (("until", until, 0 if n == 0 else 1), ("points", points, 3)):
        if not is_whole(number, least):
            raise InputError(f"{name}={number!r} must be a whole number of at least {least}.")
    at = _grid(n, int(until), int(points))
    units, shown = _units(covered)
    expected, error = expected_seen(shown, units, at * (units / n) if n else at)
    if units < n:
        # A choice of the list's own sites needs no other domains.
        expected[at <= n] = expected_seen(counts, n, at[at <= n])[0]
    reach = quantile(level) * error
    # More sites never show less: what is sure of fewer sites is sure of more, and so the limits do not fall.
    low, high = (np.maximum.accumulate(np.clip(expected + side * reach, 0, nodes)) for side in (-1, 1))
    curve = pd.DataFrame(
        {
            "sites": at,
            "seen": np.minimum(expected, nodes),
            "low": low,
            "high": high,
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
    cluster: Cluster = AUTO,
    tier: int | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Estimate how many categories further sites like these would show, and how many sites that takes.

    Parameters
    ----------
    frame, taxonomy, threshold, vocabulary, sites, cluster, tier, level : optional
        As for :func:`accumulation`. Where sites belong together, a category counts as seen once that the sites of one
        domain show, however many these are, and further sites are of further domains, of as many pages each.

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
    toolkit.findings.unseen.chao2 : the estimate and its sources.
    toolkit.findings.unseen.further_sites : the formula for more sites.
    """
    options: dict[str, Any] = {"threshold": threshold, "vocabulary": vocabulary, "sites": sites, "cluster": cluster}
    covered = _covered(frame, taxonomy, tier, **options)
    n, _, nodes = _counts(covered)
    units, shown = _units(covered)
    found = chao2(shown, units, level=level)
    estimate = min(found.estimate, nodes)
    further = [further_sites(shown, units, goal / 100, most=nodes) for goal in _GOALS]
    more = [None if number is None else -(-number * n // max(units, 1)) for number in further]
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
        "sample_coverage": sample_coverage(shown, units),
    }
    frame = pd.DataFrame({name: [value] for name, value in row.items()})
    frame = frame.astype({f"more_sites_for_{goal}": "Int64" for goal in _GOALS})
    frame.attrs["about"] = {**covered.attrs["about"], "tier": tier, "level": level}
    return frame


def estimate_in_words(estimate: Mapping[Any, Any]) -> str:
    r"""Return a row of `unseen` as every text has it: how many there may be in all, with the interval.

    Chao's formula tends to say too few, but what its interval reaches below is as possible: "at least" would be wrong.

    Examples
    --------
    >>> estimate_in_words({"estimate": 230.6, "low": 160.9, "high": 370.6})
    '231 (161\xa0to\xa0371)'
    >>> estimate_in_words({"estimate": 12.0, "low": float("nan"), "high": float("nan")})
    '12'
    """
    low, high = float(estimate["low"]), float(estimate["high"])
    # No line ends within it.
    interval = f" ({rounded(low):,}\u00a0to\u00a0{rounded(high):,})" if np.isfinite(low) and np.isfinite(high) else ""
    return f"{rounded(float(estimate['estimate'])):,}{interval}"


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


def _units(covered: pd.DataFrame) -> tuple[int, Floats]:
    """Return how many clusters there are, and how many show each category; sites, where nothing belongs together."""
    about = covered.attrs["about"]
    if "cluster" not in about:
        return about["sites"], covered["sites"].to_numpy(dtype=np.float64)
    return about["cluster"]["clusters"], covered["clusters"].to_numpy(dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate of how many categories there are, seen and unseen.

    Attributes
    ----------
    seen : int
        Categories that any site shows.
    once, twice : int
        Those that exactly one site and exactly two sites show.
    estimate : float
        Seen and unseen together; never less than `seen`. NaN with fewer than two sites, or where nothing is seen.
    error : float
        Standard error of the estimate.
    low, high : float
        The interval; `low` is never less than `seen`.
    """

    seen: int
    once: int
    twice: int
    estimate: float
    error: float
    low: float
    high: float


def expected_seen(counts: ArrayLike, sites: int, at: ArrayLike) -> tuple[Floats, Floats]:
    """Return the expected number of categories that each number of sites shows, and its standard error.

    `counts` has for each category the number of the `sites` that show it. The errors are those of another sample of
    so many sites, not of a part of this one, so they are not 0 where all sites are taken; they are missing where
    `chao2` gives no estimate.

    Up to `sites`, the exact mean over all choices of so many of the sites: hypergeometric, Ugland, Gray & Ellingsen
    (2003); Colwell, Mao & Chang (2004), their "Mao Tau", whose equation 6 is the error, with Chao2 for the number
    of all categories. Beyond, the extrapolation of Colwell et al. (2012) with Chao2's number of unseen ones; its
    error by their delta method, which gives the same where both meet and that of Chao2 far out.

    >>> expected_seen([2, 1], sites=2, at=[1, 2])[0].tolist()
    [1.5, 2.0]
    """
    counts = _checked(counts, sites)
    found = chao2(counts, sites)
    numbers = np.asarray(at, dtype=np.float64).reshape(-1)
    expected, variance = np.empty(len(numbers)), np.empty(len(numbers))
    inside = numbers <= sites
    expected[inside], variance[inside] = _interpolated(counts, sites, numbers[inside], found)
    expected[~inside], variance[~inside] = _extrapolated(sites, numbers[~inside] - sites, found)
    # Rounding may leave a variance just below 0 where every choice of sites shows the same.
    return expected, np.sqrt(np.maximum(variance, 0))


def chao2(counts: ArrayLike, sites: int, *, level: float = 0.95) -> Estimate:
    """Estimate from the rare categories how many there are, seen and unseen.

    It is a lower bound. In simulations with all categories equally frequent 94 of 100 intervals of level 0.95 hold
    the number there is; where frequencies differ much, most intervals end below it, as
    tests/findings/test_unseen.py shows.

    Chao (1987), with the bias-corrected form where no category has exactly two sites, and her log-normal interval
    of the number of unseen ones; variances as in Colwell's guide to EstimateS, appendix B, and where nothing is
    estimated to be unseen the upper limit for that case (equation 14). The lower one is then the number seen: the
    published one is above the estimate where categories were seen at few sites each, though nothing speaks for
    unseen ones.

    >>> chao2([1] * 21 + [2] * 19 + [10] * 185, sites=50).estimate.__round__(2)
    236.37
    """
    counts, z = _checked(counts, sites), quantile(level)
    counts = counts[counts > 0]
    seen, once, twice = len(counts), int((counts == 1).sum()), int((counts == _LEAST_SITES).sum())
    if sites < _LEAST_SITES or not seen:
        return Estimate(seen, once, twice, *[np.nan] * 4)
    hidden, *_ = _hidden(once, twice, sites)
    estimate = seen + hidden
    if hidden > 0:
        a = (sites - 1) / sites
        if twice:
            ratio = once / twice
            variance = twice * (a / 2 * ratio**2 + a**2 * ratio**3 + a**2 / 4 * ratio**4)
        else:
            variance = a * once * (once - 1) / 2 + a**2 * once * (2 * once - 1) ** 2 / 4 - a**2 * once**4 / 4 / estimate
        factor = np.exp(z * np.sqrt(np.log1p(variance / hidden**2)))
        low, high = seen + hidden / factor, seen + hidden * factor
    else:
        missed = np.exp(-counts.sum() / seen)
        variance = seen * missed * (1 - missed)
        middle, reach = seen / (1 - missed), z * np.sqrt(seen * missed / (1 - missed))
        low, high = float(seen), middle + reach
    return Estimate(seen, once, twice, float(estimate), float(np.sqrt(variance)), float(low), float(high))


def further_sites(counts: ArrayLike, sites: int, share: float, *, most: float = np.inf) -> int | None:
    """Return how many more sites it takes to see a share, below 1, of the categories that there are by Chao2.

    0 where that is seen already, None where `chao2` gives no estimate, which is cut down to `most` if it is above.
    Chao, Colwell, Lin & Gotelli (2009), their formula for incidence in sampling units.

    >>> further_sites([1] * 21 + [2] * 19 + [10] * 185, sites=50, share=0.99)
    44
    """
    if not 0 <= share < 1:
        raise InputError(f"share={share!r} is out of reach. Pass a number from 0 to less than 1.")
    found = chao2(counts, sites)
    if np.isnan(found.estimate):
        return None
    if (wanted := share * min(found.estimate, most) - found.seen) <= 0:
        return 0
    hidden, *_ = _hidden(found.once, found.twice, sites)
    rate = found.once / (found.once + sites * hidden)
    return int(np.ceil(np.log1p(-wanted / hidden) / np.log1p(-rate)))


def sample_coverage(counts: ArrayLike, sites: int) -> float:
    """Return the share, of the categories that one more site shows, of those that are seen already.

    Chao & Jost (2012), their estimator for incidence in sampling units; nan where `chao2` gives no estimate.

    >>> round(sample_coverage([1, 1, 1, 1, 2, 6, 34, 34, 34, 34], sites=2182), 4)
    0.973
    """
    found = chao2(counts, sites)
    if np.isnan(found.estimate):
        return np.nan
    once, twice = (found.once, found.twice) if found.twice else (found.once - 1, 1)
    if once <= 0:
        return 1.0
    return float(1 - found.once / np.sum(counts) * (sites - 1) * once / ((sites - 1) * once + 2 * twice))


def _interpolated(counts: Floats, sites: int, at: Floats, found: Estimate) -> tuple[Floats, Floats]:
    values, times = np.unique(counts[counts > 0], return_counts=True)
    left = sites - values[None, :] - at[:, None]
    logs = gammaln(sites - values + 1)[None, :] + gammaln(sites - at + 1)[:, None] - gammaln(sites + 1)
    logs = np.where(left >= 0, logs - gammaln(np.maximum(left, 0) + 1), -np.inf)
    shown = -np.expm1(np.minimum(logs, 0))
    weights = times.astype(np.float64)
    expected = shown @ weights
    return expected, shown**2 @ weights - expected**2 / found.estimate


def _extrapolated(sites: int, more: Floats, found: Estimate) -> tuple[Floats, Floats]:
    hidden, by_once, by_twice = _hidden(found.once, found.twice, sites)
    if not hidden > 0:
        nothing = np.full(len(more), found.seen - found.seen**2 / found.estimate)
        return np.full(len(more), float(found.seen)), nothing
    whole = found.once + sites * hidden
    rate = found.once / whole
    missed = (1 - rate) ** more
    expected = found.seen + hidden * (1 - missed)
    # The delta method over the numbers of categories of one site, of two, and of more, which are multinomial.
    steep = hidden * more * (1 - rate) ** (more - 1) * sites / whole**2
    slopes = (
        (1 + by_once * (1 - missed) + steep * (hidden - found.once * by_once), found.once),
        (1 + by_twice * (1 - missed) - steep * found.once * by_twice, found.twice),
        (np.ones(len(more)), found.seen - found.once - found.twice),
    )
    squares, sums = np.zeros(len(more)), np.zeros(len(more))
    for slope, number in slopes:
        squares += slope**2 * number
        sums += slope * number
    return expected, squares - sums**2 / found.estimate


def _hidden(once: int, twice: int, sites: int) -> tuple[float, float, float]:
    """Return Chao2's number of unseen categories, and how it changes with those of one and of two sites."""
    a = (sites - 1) / sites if sites else np.nan
    if twice:
        return a * once**2 / (2 * twice), a * once / twice, -a * once**2 / (2 * twice**2)
    return a * once * (once - 1) / 2, a * (2 * once - 1) / 2, 0.0


def _checked(counts: ArrayLike, sites: int) -> Floats:
    numbers = np.asarray(counts, dtype=np.float64).reshape(-1)
    if not ((numbers >= 0) & (numbers <= sites) & (numbers == np.rint(numbers))).all():
        raise InputError(f"counts must be whole numbers from 0 to the {sites} sites there are.")
    return numbers
