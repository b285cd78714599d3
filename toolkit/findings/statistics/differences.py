"""How far two shares are apart: an interval, and a size that does not depend on where on the scale they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from toolkit.findings.statistics.proportions import wilson

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

__all__ = ["difference_interval", "distance"]


def difference_interval(
    k1: ArrayLike, n1: ArrayLike, k2: ArrayLike, n2: ArrayLike, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Return the limits of the hybrid score interval of the difference of two independent shares (Newcombe 1998).

    It never leaves -1 to 1; nan where n1 or n2 is 0.

    >>> low, high = difference_interval(56, 70, 48, 80)
    >>> round(float(low), 4), round(float(high), 4)
    (0.0524, 0.3339)
    """
    first, size1, second, size2 = (np.asarray(value, dtype=np.float64) for value in (k1, n1, k2, n2))
    with np.errstate(invalid="ignore", divide="ignore"):
        share1, share2 = first / size1, second / size2
    low1, high1 = wilson(first, size1, level)
    low2, high2 = wilson(second, size2, level)
    gap = share1 - share2
    low: Floats = gap - np.hypot(share1 - low1, high2 - share2)
    high: Floats = gap + np.hypot(high1 - share1, share2 - low2)
    return low, high


def distance(k1: ArrayLike, n1: ArrayLike, k2: ArrayLike, n2: ArrayLike) -> Floats:
    """Return how far two shares are apart, from -1 to 1, on the scale of their arcs (Cohen 1988).

    Both are drawn to the share of all by two sites, so that a few sites do not look like more than they are.

    >>> round(float(distance(9, 11, 2, 50)), 2)
    0.51
    """
    first, size1, second, size2 = (np.asarray(value, dtype=np.float64) for value in (k1, n1, k2, n2))
    with np.errstate(invalid="ignore", divide="ignore"):
        whole = (first + second) / (size1 + size2)
        shares = [(k + 2 * whole) / (n + 2) for k, n in ((first, size1), (second, size2))]
    found: Floats = (np.arcsin(np.sqrt(shares[0])) - np.arcsin(np.sqrt(shares[1]))) * 2 / np.pi
    return found
