"""Probabilities of two-by-two tables: of two groups with their margins given, and of changes of the same sites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import scipy  # its `stats` take a second to import, and are read where they are asked for
from scipy import special

from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

__all__ = ["SAME", "changes", "log_probability", "paired_p", "smallest_paired_p", "two_sided_p"]

#: Tables count as equally probable up to this part; without it rounding would leave out the observed table's mirror.
SAME: Final = 1e-9
#: Terms that are held at a time.
_TERMS: Final = 2_000_000
#: Terms below e^-40 of the first one change no digit of the sum.
_SMALLEST: Final = 40.0
#: More terms than a normal tail has, for tails that are longer on one side.
_MORE: Final = 1.3
_LEAST: Final = 20


def log_probability(x: Any, n1: Any, n2: Any, have: Any) -> Any:
    """Return the logarithm of the probability that x of the `have` are among the n1, the others among the n2."""

    def choose(n: Any, k: Any) -> Any:
        return special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)

    return choose(n1, x) + choose(n2, have - x) - choose(n1 + n2, have)


def two_sided_p(x: Floats, n1: Floats, n2: Floats, have: Floats) -> Floats:
    """Return of each table the probability of all with its margins that are no more probable than it.

    Given are whole numbers: those of the first group that have it, the groups' sizes, and all that have it.
    """
    mode = np.floor((n1 + 1) * (have + 1) / (n1 + n2 + 2))
    # The groups change places where that puts the table above the mode, its own tail upwards.
    fewer = x < mode
    x, n1, n2 = np.where(fewer, have - x, x), np.where(fewer, n2, n1), np.where(fewer, n1, n2)
    mode = np.where(fewer, have - mode, mode)
    here = log_probability(x, n1, n2, have)
    p = np.ones(x.shape)
    some = np.flatnonzero(here < log_probability(mode, n1, n2, have) - SAME)
    if not some.size:
        return p
    x, n1, n2, have, mode, here = (values[some] for values in (x, n1, n2, have, mode, here))
    first = np.maximum(have - n2, 0)
    other = _mirror(here, mode, n1, n2, have)
    there, other = other >= first, np.maximum(other, first)
    above = np.exp(here) * _tail(x, mode, n1, n2, have)
    # Going down is going up as the second group sees it.
    below = np.exp(log_probability(other, n1, n2, have)) * _tail(have - other, have - mode, n2, n1, have)
    p[some] = above + np.where(there, below, 0.0)
    return np.minimum(p, 1.0)


def _mirror(here: Floats, mode: Floats, n1: Floats, n2: Floats, have: Floats) -> Floats:
    """Return the largest count below the mode that is no more probable; one below the least count where none is."""
    low, high = np.maximum(have - n2, 0) - 1, mode
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        inside = middle > low
        fits = log_probability(np.where(inside, middle, mode), n1, n2, have) <= here + SAME
        low, high = np.where(inside & fits, middle, low), np.where(inside & ~fits, middle, high)
    return low


def _tail(x: Floats, mode: Floats, n1: Floats, n2: Floats, have: Floats) -> Floats:
    """Return the sum of the probabilities from x up, as a multiple of that of x."""
    total = n1 + n2
    variance = n1 * n2 * have * (total - have) / (total * total * np.maximum(total - 1, 1))
    far = np.maximum(x - mode, 0)
    terms = _MORE * (np.sqrt(far * far + 2 * _SMALLEST * variance) - far) + _LEAST
    terms = np.minimum(terms, np.minimum(n1, have) - x + 1).astype(np.intp)
    sums = np.ones(x.shape)
    order = np.argsort(terms)
    # Tables with tails of about one length go together, as rows of one array.
    start = 0
    while start < order.size:
        size = 1
        while start + size < order.size and (size + 1) * terms[order[start + size]] <= _TERMS:
            size += 1
        rows = order[start : start + size]
        at = x[rows][:, None] + np.arange(max(int(terms[rows[-1]]) - 1, 0))
        n1_, n2_, have_ = n1[rows][:, None], n2[rows][:, None], have[rows][:, None]
        steps = np.maximum((n1_ - at) * (have_ - at), 0) / ((at + 1) * np.maximum(n2_ - have_ + at + 1, 1))
        sums[rows] += np.cumprod(steps, axis=1).sum(axis=1)
        start += size
    return sums


def paired_p(gained: ArrayLike, lost: ArrayLike) -> Floats:
    """Return the p of the exact test of changes in pairs, two-sided (McNemar 1947, with binomial probabilities).

    Sites that did not change say nothing of the direction. If nothing but chance were at work, each of the others
    would as likely have gained as lost. It is 1 where nothing changed.

    >>> paired_p([6, 4, 0], [0, 2, 0]).tolist()
    [0.03125, 0.6875, 1.0]
    """
    more, fewer = changes(gained), changes(lost)
    p: Floats = np.minimum(2 * scipy.stats.binom.cdf(np.minimum(more, fewer), more + fewer, 0.5), 1.0)
    return p


def smallest_paired_p(changed: ArrayLike) -> Floats:
    """Return the smallest p that so many changes can have: that of all in one direction.

    >>> smallest_paired_p([5, 6]).tolist()
    [0.0625, 0.03125]
    """
    counts = changes(changed)
    return paired_p(counts, np.zeros_like(counts))


def changes(values: ArrayLike) -> Floats:
    """Return numbers of changes as an array; refuse what is no count.

    >>> changes([3, 0]).tolist()
    [3.0, 0.0]
    """
    try:
        counts = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"A count is not a number: {values!r:.80}. Pass how many sites changed.") from None
    if not (np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts))).all():
        raise InputError("A count is no whole number from 0. Pass how many sites changed.")
    return counts
