"""How often the test of two shares finds a difference that is there: exact sums over all outcomes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import scipy  # its `stats` take a second to import, and are read where they are asked for
from scipy import special

from toolkit.findings.statistics.proportions import two_proportion_p

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]

__all__ = ["chance_to_find", "largest_rest", "share_to_find", "sites_to_find"]

#: Outcomes that are rarer than this on each side are left out of the sums.
_RARE: Final = 1e-9
#: Halvings until a share is known to five digits.
_STEPS: Final = 18
#: An exact test's power falls now and then as sites are added, within stretches that are shorter than this.
_STRETCH: Final = 25
_TOGETHER: Final = 16
_UNKNOWN: Final = -2


def largest_rest(counts: ArrayLike, n1: int, n2: int, threshold: float) -> Counts:
    """Return how many of the n2 may have it at most so that a group's count out of n1 is found to be more; -1: none.

    Found is what has a p up to the threshold, by the test of `two_proportion_p`.

    >>> largest_rest([0, 4, 8], 8, 20, 0.05).tolist()
    [-1, 2, 11]
    """
    k1 = np.asarray(counts, dtype=np.int64)
    low = np.full(k1.shape, -1, dtype=np.int64)
    # With so many the rest would have as large a share.
    high = np.ceil(k1 * n2 / n1).astype(np.int64)
    while (high - low > 1).any():
        middle = (low + high) // 2
        inside = middle > low
        found = inside & (two_proportion_p(k1, n1, np.maximum(middle, 0), n2) <= threshold)
        low, high = np.where(found, middle, low), np.where(inside & ~found, middle, high)
    return low


def chance_to_find(share1: ArrayLike, n1: int, share2: ArrayLike, n2: int, threshold: float) -> Floats:
    """Return how often a group of n1 sites with a true share is found to differ from n2 others with another, that way.

    >>> chance_to_find([0.5, 0.2], 40, 0.2, 120, 0.05).round(3).tolist()
    [0.932, 0.02]
    """
    wanted, rest = (np.asarray(values, dtype=np.float64) for values in np.broadcast_arrays(share1, share2))
    # Less of something is more of its absence.
    fewer = wanted < rest
    return _Test(n1, n2, threshold).chance(np.where(fewer, 1 - wanted, wanted), np.where(fewer, 1 - rest, rest))


def share_to_find(share2: ArrayLike, n1: int, n2: int, threshold: float, power: float) -> Floats:
    """Return the smallest share of a group of n1 sites that is found, with this power, to be above that of n2 others.

    It is nan where even a share of 1 is found less often.

    >>> share_to_find([0.1, 0.9], 20, 100, 0.05, 0.8).round(2).tolist()
    [0.38, nan]
    """
    rest = np.asarray(share2, dtype=np.float64)
    if not n1 or not n2:
        return np.full(rest.shape, np.nan)
    test = _Test(n1, n2, threshold)
    low, high = rest.copy(), np.ones(rest.shape)
    possible = test.chance(high, rest) >= power
    for _ in range(_STEPS):
        middle = (low + high) / 2
        enough = test.chance(middle, rest) >= power
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.where(possible, high, np.nan)


def sites_to_find(
    shares: tuple[float, float], ratio: float, threshold: Callable[[int], float], power: float, most: int
) -> int | None:
    """Return from how many sites on a group is found to differ, with this power, from `ratio` times as many others.

    The shares are the group's and that of the others. The threshold may depend on how many sites the group has; None
    stands for more than `most`.

    >>> sites_to_find((0.5, 0.2), 3, lambda n: 0.05, 0.8, 1000)
    27
    """

    def enough(n: int) -> bool:
        return bool(chance_to_find(shares[0], n, shares[1], max(round(ratio * n), 1), threshold(n)) >= power)

    low, high = 0, 1
    while not enough(high):
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    last = max((n for n in range(high, min(high + _STRETCH, most) + 1) if not enough(n)), default=high - 1)
    return last + 1


class _Test:
    """The test of a group of n1 sites against n2 others: which outcomes it finds, each worked out once."""

    def __init__(self, n1: int, n2: int, threshold: float) -> None:
        self._n1, self._n2, self._threshold = n1, n2, threshold
        self._critical = np.full(n1 + 1, _UNKNOWN)

    def chance(self, share1: Floats, share2: Floats) -> Floats:
        """Return how often the group is found to have more."""
        flat1, flat2 = share1.ravel(), share2.ravel()
        found = np.empty(flat1.size)
        # Like shares have like outcomes, of which few tables are needed then.
        order = np.argsort(flat1)
        for at in range(0, flat1.size, _TOGETHER):
            part = order[at : at + _TOGETHER]
            first = int(scipy.stats.binom.ppf(_RARE, self._n1, flat1[part[0]]))
            last = int(scipy.stats.binom.ppf(1 - _RARE, self._n1, flat1[part[-1]]))
            counts = np.arange(max(first, 0), last + 1)
            often = scipy.stats.binom.pmf(counts, self._n1, flat1[part, None])
            below = special.bdtr(self._limits(counts), self._n2, flat2[part, None])
            found[part] = np.where(np.isnan(below), 0.0, often * below).sum(axis=1)
        return found.reshape(share1.shape)

    def _limits(self, counts: Counts) -> Floats:
        """Return for each count the largest one of the rest with which the group is found to have more; nan: none."""
        new = counts[self._critical[counts] == _UNKNOWN]
        self._critical[new] = largest_rest(new, self._n1, self._n2, self._threshold)
        return self._critical[counts].astype(np.float64)
