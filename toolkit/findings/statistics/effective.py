"""Shares of sites that count differently, or stand together as pages of a domain: by how many sites of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from toolkit.findings.statistics.proportions import quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["clustered_shares", "effective_share"]


def effective_share(
    has: NDArray[np.bool_], weights: Floats, clusters: Integers, level: float = 0.95
) -> tuple[float, float, float]:
    """Return the weighted share, and the limits of Wilson's interval with as many sites as have its variance.

    The variance is linearised, sums within a cluster being taken together; where all or none have it, Kish's effective
    number of clusters stands for it. Equal weights and clusters of one site give Wilson's interval (1927) itself.

    >>> has = np.array([True, False, False, False, True])
    >>> [round(value, 3) for value in effective_share(has, np.ones(5), np.arange(5))]
    [0.4, 0.118, 0.769]
    """
    share, low, high = _shares(
        np.bincount(clusters, weights * has)[:, None], np.bincount(clusters, weights).astype(float), level
    )
    return float(share[0]), float(low[0]), float(high[0])


def clustered_shares(has: Any, clusters: Integers, level: float = 0.95) -> tuple[Floats, Floats, Floats]:
    """Return the share of the sites that has each code of a sparse table, with its limits, as `effective_share` does.

    >>> table = sparse.csr_array(np.array([[1, 1], [1, 0], [1, 0]]))
    >>> clustered_shares(table, np.array([0, 1, 1]))[0].round(2).tolist()
    [1.0, 0.33]
    """
    rows = np.arange(len(clusters))
    size = int(clusters.max(initial=-1)) + 1
    sums = sparse.csr_array((np.ones(len(clusters)), (clusters, rows)), shape=(size, len(clusters))) @ has
    return _shares(sums, np.bincount(clusters, minlength=size).astype(np.float64), level)


def _shares(have: Any, sizes: Floats, level: float) -> tuple[Floats, Floats, Floats]:
    """Return shares and limits, from the weight that has each code in each cluster, and the weight of each cluster."""
    whole, square = sizes.sum(), (sizes**2).sum()
    count = np.asarray(have.sum(axis=0), dtype=np.float64)
    if not whole > 0:
        unknown = np.full(count.shape, np.nan)
        return unknown, unknown, unknown
    share = count / whole
    squares = np.asarray((have**2).sum(axis=0) if isinstance(have, np.ndarray) else have.power(2).sum(axis=0))
    crossed = np.asarray(have.T @ sizes)
    variance = np.maximum(squares - 2 * share * crossed + share**2 * square, 0.0) / whole**2
    open_ = (count > 0) & (count < whole) & (variance > 0)
    n = np.full(share.shape, whole**2 / square)
    n[open_] = share[open_] * (1 - share[open_]) / variance[open_]
    z = quantile(level)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low = np.where(count > 0, np.maximum(middle - half, 0.0), 0.0)
    high = np.where(count < whole, np.minimum(middle + half, 1.0), 1.0)
    return share, low, high
