"""Whether the same sites moved one way: exact tests of the signs of their changes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import special, stats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

__all__ = ["sign_p", "smallest_sign_p"]

#: From so many changes of several sizes on, their sum is taken as normal.
_MANY: Final = 150


def sign_p(changes: Integers) -> float:
    """Return how probable so large a sum of changes is where each would as likely have gone the other way, two-sided.

    Given are whole numbers, one a site or domain. Changes of one size have the binomial distribution of McNemar's test
    (1947); the sum of several sizes is worked out exactly, and for many changes taken as normal.

    >>> [round(sign_p(np.array(changes)), 5) for changes in ([1, 1, 1, 1, 1, 1], [2, 1, -1, 0])]
    [0.03125, 0.75]
    """
    some = changes[changes != 0]
    if not some.size:
        return 1.0
    every = np.bincount(np.abs(some))
    sizes = np.flatnonzero(every)
    often = every[sizes]
    unit = int(np.gcd.reduce(sizes))
    return _p(tuple((sizes // unit).tolist()), tuple(often.tolist()), int(abs(some.sum())) // unit)


def smallest_sign_p(changed: Integers) -> NDArray[np.float64]:
    """Return the smallest p that so many changes can have: that of all in one direction.

    >>> smallest_sign_p(np.array([0, 5, 6])).tolist()
    [1.0, 0.0625, 0.03125]
    """
    found: NDArray[np.float64] = np.minimum(1.0, 2.0 ** (1 - changed.astype(np.float64)))
    return found


@lru_cache(maxsize=100_000)
def _p(sizes: tuple[int, ...], often: tuple[int, ...], observed: int) -> float:
    """Return the p of a sum of changes, so many of each size; many codes have the same few."""
    if not observed:
        return 1.0
    if len(sizes) == 1:
        # Of n changes, (n + sum) ÷ 2 went up.
        return float(min(1.0, 2 * stats.binom.sf((often[0] + observed // sizes[0]) // 2 - 1, often[0], 0.5)))
    if sum(often) > _MANY:
        spread = np.sqrt(sum(size * size * count for size, count in zip(sizes, often, strict=True)))
        return float(min(1.0, 2 * special.ndtr(-(observed - 1) / spread)))
    law = np.ones(1)
    for size, count in zip(sizes, often, strict=True):
        part = np.zeros(size * count + 1)
        part[::size] = stats.binom.pmf(np.arange(count + 1), count, 0.5)
        law = np.convolve(law, part)
    # What went up adds its size, so that the sum of those lies half as far from the middle.
    return float(min(1.0, 2 * law[(len(law) - 1 + observed) // 2 :].sum()))
