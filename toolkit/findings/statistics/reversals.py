"""Whether the same sites moved one way: exact tests of the signs of their changes."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import scipy  # its `stats` take a second to import, and are read where they are asked for
from scipy import special

from toolkit.findings.statistics.discoveries import step_down
from toolkit.findings.statistics.tables import paired_p

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

    Integers = NDArray[np.int64]
    Floats = NDArray[np.float64]

__all__ = ["Signs", "sign_discoveries", "sign_p", "signs", "smallest_sign_p"]

#: The sizes of changes, in the largest unit that divides them all, and how many there are of each.
Signs: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]

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
    unit = int(np.gcd.reduce(some))
    return _p(*signs(changes), int(abs(some.sum())) // unit)


def signs(changes: Integers) -> Signs:
    """Return of changes what their p can depend on besides their sum.

    >>> signs(np.array([4, 2, -2, 0]))
    ((1, 2), (2, 1))
    """
    every = np.bincount(np.abs(changes[changes != 0]))
    sizes = np.flatnonzero(every)
    unit = int(np.gcd.reduce(sizes)) if sizes.size else 1
    return tuple((sizes // unit).tolist()), tuple(every[sizes].tolist())


def sign_discoveries(p: ArrayLike, kinds: Sequence[Signs]) -> Floats:
    """Return p adjusted as by `toolkit.findings.statistics.discoveries.discoveries`, for tests of signs.

    Given are p as of `sign_p`, nan for what was not tested, and of each test the `signs` of its changes.

    >>> kinds = [signs(np.array(changes)) for changes in ([1] * 9, [1] * 6, [2, 1, 1])]
    >>> sign_discoveries([2 / 2**9, 1.0, 1.0], kinds).round(4).tolist()
    [0.0039, 1.0, 1.0]
    """
    given = np.asarray(p, dtype=np.float64)
    often = Counter(kind for kind, value in zip(kinds, given, strict=True) if not np.isnan(value))
    normal = sum(number for kind, number in often.items() if _is_normal(kind))
    return step_down(given, _supports(often), continuous=normal)


def _supports(often: Counter[Signs]) -> Iterator[tuple[Integers, Floats]]:
    for kind, number in often.items():
        if not _is_normal(kind):
            yield np.array([number]), _values(kind)[None, :]


def _is_normal(kind: Signs) -> bool:
    return len(kind[0]) > 1 and sum(kind[1]) > _MANY


def _values(kind: Signs) -> Floats:
    """Return every p that changes of these sizes can have, rising."""
    sizes, often = kind
    if len(sizes) <= 1:
        few = np.arange(sum(often) // 2 + 1)
        return paired_p(sum(often) - few, few)
    law = _law(sizes, often)
    tail = np.cumsum(law[::-1])[: len(law) // 2 + 1]
    return np.minimum(1.0, 2 * tail[law[::-1][: tail.size] > 0])


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
        return float(min(1.0, 2 * scipy.stats.binom.sf((often[0] + observed // sizes[0]) // 2 - 1, often[0], 0.5)))
    if _is_normal((sizes, often)):
        spread = np.sqrt(sum(size * size * count for size, count in zip(sizes, often, strict=True)))
        return float(min(1.0, 2 * special.ndtr(-(observed - 1) / spread)))
    law = _law(sizes, often)
    # What went up adds its size, so that the sum of those lies half as far from the middle.
    return float(min(1.0, 2 * law[(len(law) - 1 + observed) // 2 :].sum()))


@lru_cache(maxsize=10_000)
def _law(sizes: tuple[int, ...], often: tuple[int, ...]) -> Floats:
    """Return how probable each sum of the changes that went up is, if each would as likely have gone down."""
    law = np.ones(1)
    for size, count in zip(sizes, often, strict=True):
        part = np.zeros(size * count + 1)
        part[::size] = scipy.stats.binom.pmf(np.arange(count + 1), count, 0.5)
        law = np.convolve(law, part)
    return law
