"""Proportions: intervals, tests and the control of false discoveries, for arrays of counts.

Everything takes arrays or numbers that broadcast, and gives arrays. Nothing is known where nobody was asked: with
n = 0 the answer is nan, without a warning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import special

from toolkit.findings.statistics.tables import SAME, log_probability, two_sided_p
from toolkit.interface.checks import is_number
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

__all__ = [
    "EXACT_BELOW",
    "FALSE_DISCOVERIES",
    "different",
    "is_exact",
    "likeliest_shares",
    "overlap_log_ratio",
    "overlap_ratio_interval",
    "quantile",
    "ratio_interval",
    "score_limits",
    "smallest_p",
    "two_proportion_p",
    "wilson",
]

#: The exact test is used where the smallest expected count of the four cells is below this: where a small group is
#: compared with a large one, the tails of the score test, by which many codes are judged, are far too thin before.
EXACT_BELOW: Final = 1_000.0
#: Part of what is called a finding that may be so by chance.
FALSE_DISCOVERIES: Final = 0.05
#: Limits of a ratio lie within e^±40, whatever can be counted.
_WIDEST: Final = 40.0
_STEPS: Final = 100
_CLOSE: Final = 1e-10


def wilson(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return the limits of the score interval of proportions k of n (Wilson 1927); nan where n is 0.

    >>> low, high = wilson(15, 148)
    >>> round(float(low), 4), round(float(high), 4)
    (0.0624, 0.1605)
    """
    k, n = _checked((k, n))
    return score_limits(k, n, quantile(level))


def score_limits(k: Floats, n: Floats, z: float) -> tuple[Floats, Floats]:
    """Return the limits that are z standard errors away, of k of n that need not be whole; see `wilson`."""
    with np.errstate(invalid="ignore", divide="ignore"):
        middle = (k + z * z / 2) / (n + z * z)
        half = z * np.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    # At the ends, and near them, the formula gives 0 and 1 but for rounding.
    low = np.where(k == 0, np.where(n == 0, np.nan, 0.0), np.maximum(middle - half, 0.0))
    high = np.where(k == n, np.where(n == 0, np.nan, 1.0), np.minimum(middle + half, 1.0))
    return low, high


def ratio_interval(
    k1: ArrayLike, n1: ArrayLike, k2: ArrayLike, n2: ArrayLike, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Return the limits of the score interval of the ratio of two independent proportions (Koopman 1984).

    It holds every ratio that a score test does not reject, and so agrees with the test and stands zeros: ``low`` is
    0 where k1 is 0, ``high`` infinite where k2 is 0; both are nan where n1 or n2 is 0.

    >>> low, high = ratio_interval(36, 40, 16, 80)
    >>> round(float(low), 2), round(float(high), 2)
    (2.94, 7.15)
    """
    k1, n1, k2, n2 = _checked((k1, n1, k2, n2), whole=False)
    z, shape = quantile(level), k1.shape
    table, back = different(k1, n1, k2, n2)
    known = (table[1] > 0) & (table[3] > 0)
    low, high = np.full(known.shape, np.nan), np.full(known.shape, np.nan)
    low[known], high[known] = 0.0, np.inf
    some = known & (table[0] > 0)
    low[some] = _koopman(table[:, some], z)
    some = known & (table[2] > 0)
    # The upper limit of a ratio is one over the lower limit of the ratio turned round.
    high[some] = 1 / _koopman(table[:, some][[2, 3, 0, 1]], z)
    return low[back].reshape(shape), high[back].reshape(shape)


def overlap_ratio_interval(
    only1: tuple[ArrayLike, ArrayLike],
    only2: tuple[ArrayLike, ArrayLike],
    both: tuple[ArrayLike, ArrayLike],
    level: float = 0.95,
) -> tuple[Floats, Floats]:
    """Return the limits of an interval for the ratio of two proportions of groups that share some of their members.

    Given are how many have it, of how many: of those only in the first group, only in the second, and in both. The
    logarithm of the ratio is taken as normal (Katz and others 1978), its variance by the delta method over the
    three parts, half a case added to each side of each part. ``low`` is 0 where none of the first has it, ``high``
    infinite where none of the second; nan where a group is empty.

    >>> low, high = overlap_ratio_interval((30, 60), (15, 60), (20, 40))
    >>> round(float(low), 2), round(float(high), 2)
    (1.11, 1.82)
    """
    ka, na, kb, nb, kc, nc = _checked((*only1, *only2, *both), whole=False)
    middle, error = overlap_log_ratio(only1, only2, both)
    half = quantile(level) * error
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = ((ka + kc) / (na + nc)) / ((kb + kc) / (nb + nc))
        low = np.where(ka + kc == 0, 0.0, np.fmin(np.exp(middle - half), ratio))
        high = np.where(kb + kc == 0, np.inf, np.fmax(np.exp(middle + half), ratio))
    unknown = (na + nc == 0) | (nb + nc == 0)
    return np.where(unknown, np.nan, low), np.where(unknown, np.nan, high)


def overlap_log_ratio(
    only1: tuple[ArrayLike, ArrayLike], only2: tuple[ArrayLike, ArrayLike], both: tuple[ArrayLike, ArrayLike]
) -> tuple[Floats, Floats]:
    """Return the logarithm of the ratio that `overlap_ratio_interval` is about, and its standard error.

    >>> middle, error = overlap_log_ratio((30, 60), (15, 60), (20, 40))
    >>> round(float(middle), 2), round(float(error), 2)
    (0.35, 0.13)
    """
    ka, na, kb, nb, kc, nc = _checked((*only1, *only2, *both), whole=False)
    with np.errstate(invalid="ignore", divide="ignore"):
        rates = [(k + 0.5) / (n + 1) for k, n in ((ka, na), (kb, nb), (kc, nc))]
        have1, have2 = na * rates[0] + nc * rates[2], nb * rates[1] + nc * rates[2]
        slopes = (1 / have1, 1 / have2, 1 / have1 - 1 / have2)
        parts = zip((na, nb, nc), rates, slopes, strict=True)
        error = np.sqrt(sum(n * rate * (1 - rate) * slope**2 for n, rate, slope in parts))
        return np.log(have1 / (na + nc)) - np.log(have2 / (nb + nc)), error


def is_exact(n1: ArrayLike, n2: ArrayLike, have: ArrayLike) -> NDArray[np.bool_]:
    """Return which tables with these margins `two_proportion_p` tests exactly.

    >>> is_exact([40, 40_000], [80, 80_000], [30, 30_000]).tolist()
    [True, False]
    """
    m1, m2, has = (_numbers(values, "A count") for values in (n1, n2, have))
    total = m1 + m2
    with np.errstate(invalid="ignore", divide="ignore"):
        least: Floats = np.minimum(m1, m2) * np.minimum(has, total - has) / total
    return least < EXACT_BELOW


def two_proportion_p(k1: ArrayLike, n1: ArrayLike, k2: ArrayLike, n2: ArrayLike) -> Floats:
    """Return how probable so great a difference of two proportions is where there is none.

    Exact (Fisher 1935, two-sided as by Irwin 1935: all tables of these margins that are no more probable than this
    one) where the smallest expected count is below `EXACT_BELOW`, else the score test with the pooled share
    (Pearson 1900). It is 1 where all or none have it, nan where n1 or n2 is 0.

    >>> round(float(two_proportion_p(8, 10, 1, 6)), 4)
    0.035
    """
    k1, n1, k2, n2 = _checked((k1, n1, k2, n2))
    table, back = different(k1, n1, k2, n2)
    a, m1, b, m2 = table
    total, have = m1 + m2, a + b
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(have / total * (1 - have / total) * (1 / m1 + 1 / m2))
        p = 2 * special.ndtr(-np.abs(a / m1 - b / m2) / spread)
    alike = (have == 0) | (have == total)
    p[alike] = 1.0
    exact = ~alike & (np.minimum(m1, m2) > 0) & is_exact(m1, m2, have)
    p[exact] = two_sided_p(a[exact], m1[exact], m2[exact], have[exact])
    p[(m1 == 0) | (m2 == 0)] = np.nan
    found: Floats = p[back].reshape(k1.shape)
    return found


def smallest_p(k1: ArrayLike, n1: ArrayLike, k2: ArrayLike, n2: ArrayLike) -> Floats:
    """Return the smallest exact p that any table with the same margins has (Tarone 1990); nan where n1 or n2 is 0.

    Where even that is large, no outcome could have shown a difference: there are too few to ask. It depends on the
    margins only, and so leaving such tables out of a family of tests does not favour small p, also where false
    discoveries are controlled (Gilbert 2005).

    >>> round(float(smallest_p(2, 10, 0, 10)), 3)
    0.474
    """
    k1, n1, k2, n2 = _checked((k1, n1, k2, n2))
    have = k1 + k2
    first, last = np.maximum(have - n2, 0), np.minimum(have, n1)
    ends = [np.exp(log_probability(x, n1, n2, have)) for x in (first, last)]
    least = np.where(np.isclose(ends[0], ends[1], rtol=SAME, atol=0), ends[0] + ends[1], np.minimum(ends[0], ends[1]))
    least = np.where(first == last, 1.0, np.minimum(least, 1.0))
    return np.where((n1 == 0) | (n2 == 0), np.nan, least)


def different(*counts: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Return the different tables as rows of counts, and where each given one is among them.

    Hundreds of codes share few tables, and the exact test is dear.

    >>> tables, place = different(np.array([3.0, 1.0, 3.0]), np.array([4.0, 4.0, 4.0]))
    >>> tables.tolist(), place.tolist()
    ([[1.0, 3.0], [4.0, 4.0]], [1, 0, 1])
    """
    flat = np.stack([count.ravel() for count in counts])
    order = np.lexsort(flat)
    ordered = flat[:, order]
    new = np.ones(order.size, dtype=bool)
    new[1:] = (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)
    back = np.empty(order.size, dtype=np.intp)
    back[order] = np.cumsum(new) - 1
    return ordered[:, new], back


def likeliest_shares(ratio: Floats, k1: Floats, n1: Floats, k2: Floats, n2: Floats) -> tuple[Floats, Floats]:
    """Return the likeliest two shares of which the first is `ratio` times the second (Koopman 1984).

    >>> first, second = likeliest_shares(np.array([1.0, 2.0]), 8, 10, 4, 10)
    >>> first.round(2).tolist(), second.round(2).tolist()
    ([0.6, 0.8], [0.6, 0.4])
    """
    linear = ratio * (n1 + k2) + k1 + n2
    root = np.sqrt(np.maximum(linear * linear - 4 * (n1 + n2) * ratio * (k1 + k2), 0))
    second = 2 * (k1 + k2) / (linear + root)
    return np.minimum(ratio * second, 1), np.minimum(second, 1)


def _numbers(values: ArrayLike, what: str) -> Floats:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{what} is not a number or an array of numbers: {values!r:.80}. Pass numbers.") from None


def _checked(given: tuple[ArrayLike, ...], *, whole: bool = True) -> tuple[Floats, ...]:
    """Return counts as arrays of one shape; given are pairs of k and n, which may be effective ones if not whole."""
    values = [_numbers(value, "A count") for value in given]
    try:
        counts = np.broadcast_arrays(*values)
    except ValueError:
        shapes = ", ".join(str(value.shape) for value in values)
        raise InputError(f"The counts have shapes that do not fit: {shapes}. Pass arrays of one length.") from None
    for k, n in zip(counts[::2], counts[1::2], strict=True):
        fine = (k >= 0) & (k <= n) & np.isfinite(n)
        if whole:
            fine = fine & (k == np.floor(k)) & (n == np.floor(n))
        if not fine.all():
            number = "whole number" if whole else "number"
            raise InputError(f"A count k is no {number} from 0 to n. Pass how many have it, of how many.")
    return tuple(counts)


def quantile(level: float) -> float:
    """Return how many standard errors an interval of a level between 0 and 1 reaches to each side."""
    if not is_number(level) or not 0 < level < 1:
        raise InputError(f"The level {level!r} is not between 0 and 1. Pass 0.95, for example.")
    return float(special.ndtri((1 + level) / 2))


def _koopman(table: Floats, z: float) -> Floats:
    """Return the lower limits: where the score of a supposed ratio falls to z."""
    k1, n1, k2, n2 = table
    bottom, top = np.full(k1.shape, -_WIDEST), np.full(k1.shape, _WIDEST)
    with np.errstate(divide="ignore"):
        # The score is 0 at the ratio itself.
        top = np.where(k2 > 0, np.log(k1 / n1) - np.log(k2 / n2), top)
    for _ in range(_STEPS):
        middle = (bottom + top) / 2
        high = _score(np.exp(middle), k1, n1, k2, n2) > z
        bottom, top = np.where(high, middle, bottom), np.where(high, top, middle)
        if (top - bottom < _CLOSE).all():
            break
    return np.exp((bottom + top) / 2)


def _score(ratio: Floats, k1: Floats, n1: Floats, k2: Floats, n2: Floats) -> Floats:
    """Return the score of a supposed ratio, with the likeliest shares that have it."""
    share1, share2 = likeliest_shares(ratio, k1, n1, k2, n2)
    variance = share1 * (1 - share1) / n1 + ratio * ratio * share2 * (1 - share2) / n2
    difference = k1 / n1 - ratio * k2 / n2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(difference == 0, 0.0, difference / np.sqrt(variance))
