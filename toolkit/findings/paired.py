"""Whether the same sites changed one way more than chance would have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

__all__ = ["paired_p", "smallest_paired_p"]


def paired_p(gained: ArrayLike, lost: ArrayLike) -> Floats:
    """Return the p of the exact test of changes in pairs, two-sided (McNemar 1947, with binomial probabilities).

    Sites that did not change say nothing of the direction. If nothing but chance were at work, each of the others would
    as likely have gained as lost.

    Parameters
    ----------
    gained, lost : array_like of int
        How many of the same sites have it only later, and only earlier.

    Returns
    -------
    ndarray of float
        Probability of changes as uneven as these or more; 1 where nothing changed.

    Raises
    ------
    InputError
        If a count is no whole number from 0.

    Examples
    --------
    >>> paired_p([6, 4, 0], [0, 2, 0]).tolist()
    [0.03125, 0.6875, 1.0]
    """
    more, fewer = _counts(gained), _counts(lost)
    p: Floats = np.minimum(2 * stats.binom.cdf(np.minimum(more, fewer), more + fewer, 0.5), 1.0)
    return p


def smallest_paired_p(changed: ArrayLike) -> Floats:
    """Return the smallest p that so many changes can have: that of all in one direction.

    Parameters
    ----------
    changed : array_like of int
        How many of the same sites gained or lost it.

    Returns
    -------
    ndarray of float
        `paired_p` of the most uneven changes.

    Raises
    ------
    InputError
        If a count is no whole number from 0.

    Examples
    --------
    >>> smallest_paired_p([5, 6]).tolist()
    [0.0625, 0.03125]
    """
    counts = _counts(changed)
    return paired_p(counts, np.zeros_like(counts))


def _counts(values: ArrayLike) -> Floats:
    try:
        counts = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"A count is not a number: {values!r:.80}. Pass how many sites changed.") from None
    if not (np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts))).all():
        raise InputError("A count is no whole number from 0. Pass how many sites changed.")
    return counts
