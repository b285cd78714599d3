"""What can be claimed: tests of one share against another, and how false discoveries are held over all of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from toolkit.findings.statistics.differences import distance
from toolkit.findings.statistics.discoveries import discoveries
from toolkit.findings.statistics.tables import two_sided_p

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

__all__ = ["CHANGES", "DIFFERENCES", "LEADS", "TOGETHER", "Claims", "adjusted", "alike", "exact_p", "twins"]

#: False discoveries that are allowed in each family of tests: one in twenty in all.
DIFFERENCES: Final = 0.04
TOGETHER: Final = 0.01
#: Taken from the differences where an earlier run is given.
CHANGES: Final = 0.01
#: What is not proven is a lead up to this, and from this distance on.
LEADS: Final = 0.2
LEAD_DISTANCE: Final = 0.2
#: Site sets with more in common than this say the same thing.
_ALIKE: Final = 0.6


@dataclass(frozen=True)
class Claims:
    """Tests of one family, one place each: who is held against whom, of which feature, and what came of it.

    Attributes
    ----------
    left : array of int
        Whom it is said of: a group, or of a pair the feature that makes the group.
    right : array of int
        The feature that is said of it.
    k, n, other_k, other_n : array of int
        How many have it, of how many are known; and of those that they are held against.
    q : array of float
        The adjusted p.
    score : array of float
        How far apart the shares are, from -1 to 1.
    """

    left: Integers
    right: Integers
    k: Integers
    n: Integers
    other_k: Integers
    other_n: Integers
    q: Floats
    score: Floats

    def __len__(self) -> int:
        return len(self.left)

    @classmethod
    def of(cls, left: Any, right: Any, counts: tuple[Any, Any, Any, Any]) -> Claims:
        """Return what is to be tested: `adjusted` says what came of it."""
        k, n, other_k, other_n = (np.asarray(values, dtype=np.int64) for values in counts)
        untested = np.full(len(k), np.nan)
        return cls(
            np.asarray(left), np.asarray(right), k, n, other_k, other_n, untested, distance(k, n, other_k, other_n)
        )

    def where(self, some: Bools | Integers) -> Claims:
        """Return some of the claims."""
        return replace(self, **{name: values[some] for name, values in vars(self).items()})


def exact_p(k: Integers, n: Integers, other_k: Integers, other_n: Integers) -> Floats:
    """Return Fisher's p of each table, every different one worked out once."""
    tables = np.stack([k, n, other_n, k + other_k])
    different, back = np.unique(tables, axis=1, return_inverse=True)
    p: Floats = two_sided_p(*different.astype(np.float64))[back.ravel()]
    return p


def adjusted(parts: Sequence[tuple[Claims, Integers]]) -> list[Claims]:
    """Return claims with their adjusted p, all as one family in which those of one number are one test."""
    whole = [
        np.concatenate([getattr(claims, name) for claims, _ in parts]) for name in ("k", "n", "other_k", "other_n")
    ]
    if not whole[0].size:
        return [claims for claims, _ in parts]
    number = np.concatenate(
        [np.stack([np.full(len(twin), place), twin]) for place, (_, twin) in enumerate(parts)], axis=1
    )
    _, first, back = np.unique(number, axis=1, return_index=True, return_inverse=True)
    k, n, other_k, other_n = (values[first] for values in whole)
    q = discoveries(exact_p(k, n, other_k, other_n), np.stack([n, other_n, k + other_k], axis=1))[back.ravel()]
    ends = np.cumsum([len(claims) for claims, _ in parts])[:-1]
    return [replace(claims, q=part) for (claims, _), part in zip(parts, np.split(q, ends), strict=True)]


def twins(has: Bools, asked: Bools) -> Integers:
    """Return a number of each feature, the same for those that the same sites have, or just the others of them."""
    if not len(has):
        return np.arange(has.shape[1])
    flipped = np.where((has & asked)[asked.argmax(axis=0), np.arange(has.shape[1])], ~has & asked, has & asked)
    packed = np.packbits(np.concatenate([flipped, asked]), axis=0).T
    found: Integers = np.unique(packed, axis=0, return_inverse=True)[1].ravel()
    return found


def alike(one: Bools, other: Bools) -> bool:
    """Tell whether two sets of sites are nearly the same."""
    return bool((one & other).sum() >= _ALIKE * max((one | other).sum(), 1))
