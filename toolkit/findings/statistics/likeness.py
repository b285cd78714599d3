"""Scores of likeness to some members of a set: weights of codes, and how well the scores tell members apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from toolkit.findings.statistics.proportions import quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["Places", "auc_interval", "code_weights", "ranks_among"]

#: The part of codes that is thought to differ before anything is seen, and the variance of their log odds ratios.
_DIFFERING: Final = 0.1
_VARIANCE: Final = 1.5**2
_STEPS: Final = 60
#: Scores are sorted in the time in which so many are held against all.
_MANY: Final = 100


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


def ranks_among(scores: Floats, some: Floats) -> Floats:
    """Return the ranks of some scores among all, from the lowest; ties have the mean of theirs.

    >>> ranks_among(np.array([2.0, 1.0, 3.0, 2.0]), np.array([3.0, 2.0])).tolist()
    [4.0, 2.5]
    """
    if len(some) > _MANY:
        scores = np.sort(scores)
        below, upto = (np.searchsorted(scores, some, side) for side in ("left", "right"))
    else:
        below, upto = (
            np.array([np.count_nonzero(found(scores, score)) for score in some], dtype=np.int64)
            for found in (np.less, np.less_equal)
        )
    ranks: Floats = (below + upto + 1) / 2
    return ranks


class Places(NamedTuple):
    """Where things stand by their scores, from 0 to 1, as far as the first of them; and where members stand.

    Attributes
    ----------
    place, often : array
        The different places, and how many stand there; ties stand on the mean of theirs.
    members : array of float
        The members' places.
    """

    place: Floats
    often: Integers
    members: Floats

    @classmethod
    def of(cls, scores: Floats, ranks: Floats, first: int) -> Places:
        """Return the first places, and their ties, given all scores and the members' ranks."""
        size = len(scores)
        top = np.sort(np.partition(scores, max(size - first, 0))[max(size - first, 0) :])
        ends = np.append(np.flatnonzero(top[1:] != top[:-1]) + 1, len(top))
        often = np.diff(ends, prepend=0)
        # The last of them may have ties below.
        often[0] = np.count_nonzero(scores == top[0])
        above = size - np.cumsum(often[::-1])[::-1]
        return cls((above + (often + 1) / 2 - 0.5) / size, often, (ranks - 0.5) / size)

    @classmethod
    def joined(cls, parts: Sequence[Places]) -> Places:
        """Return the places of several parts together."""
        place, often, members = (np.concatenate(values) for values in zip(*parts, strict=True))
        return cls(place, often, members)

    def precision(self, k: int) -> float:
        """Return which part of the first k are members; among ties as many as there are on average.

        >>> Places.of(np.array([2.0, 1.0, 3.0, 2.0]), np.array([4.0, 2.5]), 2).precision(2)
        0.75
        """
        order = np.argsort(-self.place)
        cut = self.place[order][np.searchsorted(np.cumsum(self.often[order]), k)]
        above, tied = self.often[self.place > cut].sum(), self.often[self.place == cut].sum()
        part = (self.members == cut).sum() / tied
        return float(((self.members > cut).sum() + (k - above) * part) / k)
