"""Shares of a weight, such as of spend, with intervals that know how few sites carry most of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse, stats

from toolkit.findings.statistics.proportions import quantile, score_limits
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

__all__ = ["WeightedShares", "effective_n", "weighted_shares"]


class WeightedShares(NamedTuple):
    """Shares of a weight.

    Attributes
    ----------
    share, low, high : array of float
        Of each code the part of the weight that stands on the sites that have it, and its interval; nan without weight.
    n : array of float
        Of each code so many sites of equal weight, and of clusters of their own, would have told as much of it.
    """

    share: Floats
    low: Floats
    high: Floats
    n: Floats


class _Clusters(NamedTuple):
    """How codes lie in clusters: the variance of each share, how alike a cluster's sites are, and what corrects n."""

    linear: Floats
    alike: Floats
    largest: float
    correction: float


def effective_n(weight: ArrayLike) -> float:
    """Return how many sites of equal weight tell as much as these (Kish 1965): the squared sum by the sum of squares.

    >>> effective_n([5, 5, 5, 5]), round(effective_n([97, 1, 1, 1]), 2)
    (4.0, 1.06)
    """
    scaled = _scaled(weight)
    squares = float(scaled @ scaled)
    return float(scaled.sum() ** 2 / squares) if squares else 0.0


def weighted_shares(
    has: Any, weight: ArrayLike, level: float = 0.95, clusters: ArrayLike | None = None
) -> WeightedShares:
    """Return which part of a weight stands on the sites that have each code.

    The interval is Wilson's with as many sites as have the share's variance. That is the linearised one of a ratio
    (Taylor's; Korn and Graubard 1998 put it into an interval that stays between 0 and 1), but never less than it would
    be if the code did not depend on the weight, which Kish's effective n says: where few sites carry most of the
    weight and none of them happens to have the code, the linearised one alone is far too small. Equal weights give
    Wilson's interval of the counts.

    With clusters the linearised variance is of their sums, and never less than that of sites as alike within their
    cluster as they are found to be when each counts once; n is made smaller for how few clusters there are, as the
    quantiles of Student's t are wider, with as many degrees of freedom as there are effective clusters less one.

    Parameters
    ----------
    has : array or csr_array
        Sites × codes: 1 where a site has a code.
    weight : array of float
        Of each site, from 0; a site without any is as if it were not there.
    level : float
        Part of the intervals that hold the true share.
    clusters : array, optional
        Of each site the cluster it is in, such as its domain; by default each is one of its own.

    Examples
    --------
    >>> found = weighted_shares([[1], [0], [0], [0]], [100, 100, 100, 100])
    >>> [round(float(part[0]), 3) for part in found]
    [0.25, 0.046, 0.699, 4.0]
    >>> round(float(weighted_shares([[1], [0], [0], [0]], [700, 100, 100, 100]).share[0]), 3)
    0.7
    """
    z = quantile(level)
    scaled = _scaled(weight)
    there = scaled > 0
    table, scaled = sparse.csr_array(has)[there], scaled[there]
    if not scaled.size:
        unknown = np.full(table.shape[1], np.nan)
        return WeightedShares(unknown, unknown, unknown, np.zeros(table.shape[1]))
    part = scaled / scaled.sum()
    have = np.asarray(table.sum(axis=0), dtype=np.float64).ravel()
    # At the ends a sum in another order would give them but for rounding.
    share = np.select([have == 0, have == scaled.size], [0.0, 1.0], (table.T @ scaled) / scaled.sum())
    spread = share * (1 - share)
    even = 1 / effective_n(scaled)
    if clusters is None:
        linear = (table.T @ (part * part)) * (1 - 2 * share) + share * share * even
        variance, most, correction = np.maximum(linear, spread * even), even, 1.0
    else:
        found = _of_clusters(table, part, np.asarray(clusters)[there], share, level)
        model = (1 - found.alike) * even + found.alike * found.largest
        variance = np.maximum(found.linear, spread * np.maximum(model, even))
        most, correction = found.largest, found.correction
    with np.errstate(invalid="ignore", divide="ignore"):
        # Where all or none have it, nothing says how alike a cluster's sites are: they are taken for one each.
        n = correction * np.where(spread > 0, spread / variance, 1 / most)
    return WeightedShares(share, *score_limits(share * n, n, z), n)


def _of_clusters(
    table: sparse.csr_array, part: Floats, clusters: NDArray[Any], share: Floats, level: float
) -> _Clusters:
    place = np.unique(clusters, return_inverse=True)[1]
    n, count = part.size, int(place.max()) + 1
    inside = sparse.csr_array((np.ones(n), (place, np.arange(n))), shape=(count, n))
    linear = _between(inside, table, part, share)
    largest = float(((inside @ part) ** 2).sum())
    size = inside @ np.ones(n)
    pairs, mean = float((size**2).sum()) - n, np.asarray(table.sum(axis=0)).ravel() / n
    with np.errstate(invalid="ignore", divide="ignore"):
        within = n * mean * (1 - mean)
        alike = (_between(inside, table, np.ones(n), mean) - within) / (pairs * mean * (1 - mean))
    alike = np.clip(np.nan_to_num(alike, nan=0.0, posinf=0.0, neginf=0.0), 0, 1)
    tail = (1 + level) / 2
    wider = stats.t.ppf(tail, max(n - 1, 1)) / stats.t.ppf(tail, max(1 / largest - 1, 1))
    small = 1.0 if count == 1 else count / (count - 1) * (n - 1) / n
    return _Clusters(small * linear, alike, largest, float(wider * wider))


def _between(inside: sparse.csr_array, table: sparse.csr_array, part: Floats, share: Floats) -> Floats:
    """Return of each code the sum over clusters of their squared distance from what the share would give them."""
    on = sparse.csr_array(inside @ sparse.diags_array(part) @ table)
    whole = inside @ part
    squares = np.asarray(on.power(2).sum(axis=0), dtype=np.float64).ravel()
    distance: Floats = squares - 2 * share * (on.T @ whole) + share * share * float(whole @ whole)
    return np.maximum(distance, 0.0)


def _scaled(weight: ArrayLike) -> Floats:
    """Return weights between 0 and 1, by a power of two, so that no digit is lost and no sum too large."""
    given = np.asarray(weight, dtype=np.float64)
    if given.ndim != 1 or not (np.isfinite(given) & (given >= 0)).all():
        raise InputError("A weight is negative, missing or infinite. Pass one number from 0 for each site.")
    found: Floats = np.ldexp(given, -int(np.frexp(given.max(initial=0.0))[1]))
    return found
