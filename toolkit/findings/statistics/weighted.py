"""Shares of a weight, such as of spend, with intervals that know how few sites carry most of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import scipy  # its `stats` take a second to import, and are read where they are asked for
from scipy import sparse

from toolkit.findings.statistics.clusters import Clustered
from toolkit.findings.statistics.proportions import quantile, score_limits
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

__all__ = [
    "Sums",
    "WeightedShares",
    "Worth",
    "effective_counts",
    "effective_n",
    "share_and_n",
    "weighted_overlap_interval",
    "weighted_shares",
]

#: What an effective n may lack of a whole number by rounding.
_ROUNDING: Final = 1e-6


class WeightedShares(NamedTuple):
    """Shares of a weight.

    Attributes
    ----------
    share, low, high : array of float
        Of each code the part of the weight that stands on the sites that have it, and its interval; nan without weight.
    n : array of float
        Of each code so many sites of equal weight, and of clusters of their own, would have told as much of it.
    kish : array of float
        The same, if the code did not depend on the weight: Kish's effective n, by how alike sites of a cluster are.
    """

    share: Floats
    low: Floats
    high: Floats
    n: Floats
    kish: Floats


class Sums(NamedTuple):
    """What is known of some sites and a code: arrays of one shape, or shapes that go together.

    Attributes
    ----------
    have, n : array of float
        How many sites have the code, and how many there are; sites without a weight do not count.
    on, on_squares : array of float
        The weight of those that have it, and the sum of its squares.
    total, total_squares : array of float
        The same of all.
    """

    have: Floats
    n: Floats
    on: Floats
    on_squares: Floats
    total: Floats
    total_squares: Floats


class Worth(NamedTuple):
    """What some sites tell of weighted shares: arrays of one shape, or shapes that go together.

    Attributes
    ----------
    share : array of float
        The part of the weight that stands on sites with the code; nan without weight.
    n, kish : array of float
        How many sites of equal weight, and of clusters of their own, would tell as much: as of `WeightedShares`.
    on, total : array of float
        The weight of the sites with the code, and of all.
    """

    share: Floats
    n: Floats
    kish: Floats
    on: Floats
    total: Floats

    @classmethod
    def of(cls, sums: Sums) -> Worth:
        """Return what sites tell of which each counts by itself."""
        with np.errstate(invalid="ignore", divide="ignore"):
            kish = np.where(sums.n > 0, sums.total**2 / sums.total_squares, 0.0)
        return cls(*share_and_n(sums), kish, sums.on, sums.total)

    @classmethod
    def of_clusters(cls, has: sparse.csr_array, weight: Floats, clusters: NDArray[Any], level: float) -> Worth:
        """Return what sites tell that come in clusters."""
        found = weighted_shares(has, weight, level, clusters)
        on = np.asarray(has.T @ weight, dtype=np.float64)
        return cls(found.share, found.n, found.kish, on, np.full(on.shape, weight.sum()))

    @classmethod
    def joined(cls, parts: Sequence[Worth]) -> Worth:
        """Return what all tell, some after some."""
        return cls(*(np.concatenate(values) for values in zip(*parts, strict=True)))

    def limits(self, level: float) -> tuple[Floats, Floats]:
        """Return the interval of each share: see `weighted_shares`."""
        return score_limits(self.share * self.n, self.n, quantile(level))

    def counts(self) -> tuple[Floats, Floats]:
        """Return as whole numbers how many sites of equal weight, of how many, tell as much; see `effective_counts`."""
        return effective_counts(self.share, self.n)


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
    cluster as `toolkit.findings.statistics.clusters.Clustered.correlation` says, by this code and, the fewer clusters
    tell of it, by all of them; n is made smaller for how few clusters there are, as the quantiles of Student's t are
    wider, with as many degrees of freedom as there are effective clusters less one.

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
    [0.25, 0.046, 0.699, 4.0, 4.0]
    >>> round(float(weighted_shares([[1], [0], [0], [0]], [700, 100, 100, 100]).share[0]), 3)
    0.7
    """
    scaled = _scaled(weight)
    there = scaled > 0
    table, scaled = sparse.csr_array(has)[there], scaled[there]
    if not scaled.size:
        unknown = np.full(table.shape[1], np.nan)
        return WeightedShares(unknown, unknown, unknown, *np.zeros((2, table.shape[1])))
    squares, have = scaled * scaled, np.asarray(table.sum(axis=0), dtype=np.float64).ravel()
    of_all = (np.asarray(scaled.sum()), np.asarray(squares.sum()))
    share, n = share_and_n(Sums(have, np.asarray(float(scaled.size)), table.T @ scaled, table.T @ squares, *of_all))
    kish = np.full(share.shape, effective_n(scaled))
    if clusters is not None:
        n, kish = _of_clusters(table, scaled / scaled.sum(), np.asarray(clusters)[there], (share, n), level)
    return WeightedShares(share, *score_limits(share * n, n, quantile(level)), n, kish)


def share_and_n(sums: Sums) -> tuple[Floats, Floats]:
    """Return the weighted share, and how many sites of equal weight would tell as much: see `weighted_shares`.

    >>> share, n = share_and_n(Sums(*(np.array(value) for value in (1, 4, 2.0, 4.0, 8.0, 16.0))))
    >>> float(share), float(n)
    (0.25, 4.0)
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        # At the ends sums in another order would give them but for rounding.
        share = np.select([sums.n == 0, sums.have == 0, sums.have == sums.n], [np.nan, 0.0, 1.0], sums.on / sums.total)
        even, squares = sums.total_squares / sums.total**2, sums.on_squares / sums.total**2
        linear = squares * (1 - 2 * share) + share * share * even
        spread = share * (1 - share)
        n = np.where(spread > 0, spread / np.maximum(linear, spread * even), 1 / even)
    return share, np.where(sums.n > 0, n, 0.0)


def effective_counts(share: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Return as whole numbers how many sites of equal weight, of how many, tell as much as a weighted share of n.

    Intervals and exact tests of proportions hold for them, and those of equal weights are the sites themselves.

    >>> effective_counts(np.array([0.25, 0.7]), np.array([4.0, 5.9]))
    (array([1., 4.]), array([4., 5.]))
    """
    whole = np.maximum(np.floor(n + _ROUNDING), np.minimum(np.ceil(n), 1))
    return np.minimum(np.rint(np.nan_to_num(share) * whole), whole), whole


def weighted_overlap_interval(only1: Worth, only2: Worth, both: Worth, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return the limits of an interval for the ratio of weighted shares of groups that share some of their sites.

    As `toolkit.findings.statistics.proportions.overlap_ratio_interval`, which it is for equal weights: the delta method
    over the three parts, each with as many sites as its weight is worth.
    """
    z = quantile(level)
    with np.errstate(invalid="ignore", divide="ignore"):
        known = [part.counts() for part in (only1, only2, both)]
        rates = [(k + 0.5) / (n + 1) for k, n in known]
        first, second = (part.total / (part.total + both.total) for part in (only1, only2))
        share1, share2 = (part * rate + (1 - part) * rates[2] for part, rate in ((first, rates[0]), (second, rates[1])))
        slopes = (first / share1, second / share2, (1 - first) / share1 - (1 - second) / share2)
        parts = zip(known, rates, slopes, strict=True)
        variance = sum(
            np.where(n > 0, rate * (1 - rate) / np.maximum(n, 1), 0) * slope**2 for (_, n), rate, slope in parts
        )
        half, middle = z * np.sqrt(variance), np.log(share1) - np.log(share2)
        on1, on2 = (part.on + both.on for part in (only1, only2))
        ratio = (on1 / (only1.total + both.total)) / (on2 / (only2.total + both.total))
        low = np.where(on1 == 0, 0.0, np.fmin(np.exp(middle - half), ratio))
        high = np.where(on2 == 0, np.inf, np.fmax(np.exp(middle + half), ratio))
    return low, high


def _of_clusters(
    table: sparse.csr_array, part: Floats, clusters: NDArray[Any], known: tuple[Floats, Floats], level: float
) -> tuple[Floats, Floats]:
    """Return how many sites, of equal weight and of clusters of their own, would tell as much of each share.

    The second is of the weights and of how alike sites of a cluster are alone, before it is made smaller for how few
    clusters there are.
    """
    (share, alone), n = known, part.size
    place = np.unique(clusters, return_inverse=True)[1]
    count = int(place.max()) + 1
    inside = sparse.csr_array((np.ones(n), (place, np.arange(n))), shape=(count, n))
    even, most = 1 / effective_n(part), float(((inside @ part) ** 2).sum())
    small = 1.0 if count == 1 else count / (count - 1) * (n - 1) / n
    spread = share * (1 - share)
    with np.errstate(invalid="ignore", divide="ignore"):
        # Where all or none have it, nothing says how alike a cluster's sites are: they are taken for one each.
        alike = np.where(spread > 0, Clustered.of(table, place).correlation, 1.0)
        model = (1 - alike) * even + alike * most
        variance = np.maximum(small * _between(inside, table, part, share), np.maximum(model, 1 / alone) * spread)
        found = np.where(spread > 0, spread / variance, 1 / most)
    tail = (1 + level) / 2
    wider = scipy.stats.t.ppf(tail, max(n - 1, 1)) / scipy.stats.t.ppf(tail, max(1 / most - 1, 1))
    return found * float(wider * wider), 1 / model


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
