"""Scores of likeness to some members of a set: weights of codes, and how well the scores tell members apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from toolkit.findings.statistics.proportions import quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

__all__ = ["auc_interval", "code_weights", "precision"]

#: The part of codes that is thought to differ before anything is seen, and the variance of their log odds ratios.
_DIFFERING: Final = 0.1
_VARIANCE: Final = 1.5**2
_STEPS: Final = 60


def code_weights(have1: Any, n1: Any, have2: Any, n2: Any) -> Floats:
    """Return what having each code adds to the log odds of being of the first group, shrunk by how sure that is.

    The log odds ratio, with one site of the common share added to each group, times the chance that the code differs
    at all (a normal prior for one code in ten, the others at nothing) and the normal shrinkage of those.

    >>> code_weights([9, 3, 1], 10, [10, 30, 0], 100).round(2).tolist()
    [2.79, 0.0, 0.02]
    """
    have1, n1, have2, n2 = (np.asarray(values, dtype=np.float64) for values in (have1, n1, have2, n2))
    common = (have1 + have2 + 0.5) / (n1 + n2 + 1)
    cells = (have1 + common, n1 - have1 + 1 - common, have2 + common, n2 - have2 + 1 - common)
    ratio = np.log(cells[0] * cells[3] / (cells[1] * cells[2]))
    noise = sum(1 / cell for cell in cells)
    kept = _VARIANCE / (noise + _VARIANCE)
    bayes = np.sqrt(1 - kept) * np.exp(ratio**2 * kept / noise / 2)
    found: Floats = ratio * kept * _DIFFERING * bayes / (1 - _DIFFERING + _DIFFERING * bayes)
    return found


def auc_interval(auc: float, members: int, others: int, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of an AUC: all that lie so near by the variance that they would have (Newcombe 2006).

    >>> tuple(round(end, 3) for end in auc_interval(1.0, 10, 50))
    (0.88, 1.0)
    """
    z = quantile(level)

    def spread(value: float) -> float:
        more = (members + others) / 2 - 1
        pairs = 1 + more * ((1 - value) / (2 - value) + value / (1 + value))
        return z * float(np.sqrt(value * (1 - value) * pairs / (members * others)))

    ends = []
    for edge in (0.0, 1.0):
        inside, outside = auc, edge
        for _ in range(_STEPS):
            middle = (inside + outside) / 2
            near = abs(middle - auc) <= spread(middle)
            inside, outside = (middle, outside) if near else (inside, middle)
        ends.append(inside)
    return ends[0], ends[1]


def precision(scores: Floats, members: Bools, k: int) -> float:
    """Return which part of the k highest scores are members'; among ties as many as there are on average.

    >>> precision(np.array([3.0, 2.0, 2.0, 1.0]), np.array([True, True, False, False]), 2)
    0.75
    """
    cut = np.partition(scores, -k)[-k]
    above, tied = scores > cut, scores == cut
    return float((members[above].sum() + (k - above.sum()) * members[tied].mean()) / k)
