"""What is unusual together: pairs of features of different answers that the same sites have more often than by chance.

Within one answer such pairs would show how the service infers one thing of another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import special

from toolkit.findings.insights.claims import TOGETHER, Claims, alike, exact_p, twins
from toolkit.findings.insights.features import FEWEST
from toolkit.findings.insights.tautologies import answer_of, follows
from toolkit.findings.statistics.differences import distance
from toolkit.findings.statistics.discoveries import discoveries
from toolkit.findings.statistics.tables import log_probability

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from toolkit.findings.insights.features import Features

    Bools = NDArray[np.bool_]
    Integers = NDArray[np.int64]

__all__ = ["pairs", "told"]

#: What the quick test finds less surprising is not tested exactly, and counts as no surprise at all.
_WORTH_A_TEST: Final = 0.05
#: What one feature goes together with, at most so often.
_MOST: Final = 2
#: Nobody reads more pairs than this.
_MOST_TOLD: Final = 12


def pairs(known: Features, without: Collection[str] = ()) -> Claims:
    """Test pairs of features: the sites with the rarer one against the others; `without` are dimensions left out."""
    first, second = _candidates(known, without)
    has, asked = (known.has & known.asked).astype(np.float32), known.asked.astype(np.float32)
    # Of the sites of which both are known.
    sides = ((has, has), (has, asked), (asked, has), (asked, asked))
    both, here, there, total = (np.rint(one.T @ other) for one, other in sides)
    k, a, b, n = (values[first, second].astype(np.int64) for values in (both, here, there, total))
    turned = a > b
    left, right = np.where(turned, second, first), np.where(turned, first, second)
    a, b = np.minimum(a, b), np.maximum(a, b)
    counts = np.stack([k, a, b - k, n - a])
    fits = (a >= FEWEST) & (n - b > 0) & (n - a >= FEWEST)
    with np.errstate(invalid="ignore"):
        # What no outcome could show adds nothing to the family.
        fits[fits] = np.exp(log_probability(*(values[fits] for values in (a, a, n - a, b)))) <= TOGETHER
    left, right, counts = left[fits], right[fits], counts[:, fits]
    q = _adjusted(known, left, right, counts)
    k, n, other_k, other_n = counts
    return Claims(left, right, k, n, other_k, other_n, q, distance(k, n, other_k, other_n))


def told(known: Features, found: Claims) -> list[int]:
    """Return which pairs are worth saying, the strongest first: those that go together, nothing twice."""
    some = np.flatnonzero((found.q <= TOGETHER) & (found.score > 0) & (found.k >= FEWEST))
    part = found.where(some)
    absent = known.absent[part.left] | known.absent[part.right]
    order = some[np.lexsort((part.right, part.left, np.round(part.q, 12), -np.round(part.score, 6), absent))]
    kept: dict[int, Bools] = {}
    often: dict[int, int] = {}
    for at in order.tolist():
        one, two = int(found.left[at]), int(found.right[at])
        if max(often.get(one, 0), often.get(two, 0)) >= _MOST:
            continue
        sites = known.has[:, one] & known.has[:, two]
        if any(alike(sites, other) for other in kept.values()):
            continue
        for place in (one, two):
            often[place] = often.get(place, 0) + 1
        kept[at] = sites
        if len(kept) == _MOST_TOLD:
            break
    return list(kept)


def _candidates(known: Features, without: Collection[str]) -> tuple[Integers, Integers]:
    """Return pairs of features of different answers that do not follow from each other."""
    dimensions = known.codes["dimension"].tolist()
    kinds = list(dict.fromkeys(dimensions))
    of_kind = np.array([kinds.index(name) for name in dimensions], dtype=np.int64)
    apart = np.array(
        [
            [
                answer_of(one) != answer_of(other)
                and not follows(one, other, is_group=False)
                and one not in without
                and other not in without
                for other in kinds
            ]
            for one in kinds
        ],
        dtype=bool,
    ).reshape(len(kinds), len(kinds))
    has = (known.has & known.asked).sum(axis=0)
    usable = np.flatnonzero((has >= FEWEST) & (has < known.asked.sum(axis=0)))
    # Of features that the same sites have, one a kind stands for all.
    twin = twins(known.has, known.asked)[usable]
    usable = usable[np.sort(np.unique(np.stack([twin, of_kind[usable]]), axis=1, return_index=True)[1])]
    allowed = np.triu(apart[np.ix_(of_kind[usable], of_kind[usable])], 1)
    one, other = np.nonzero(allowed)
    first, second = usable[one], usable[other]
    return first, second


def _adjusted(known: Features, left: Integers, right: Integers, counts: Integers) -> NDArray[np.float64]:
    """Return the adjusted p of the pairs; of those of the same two sets of sites one is tested."""
    if not left.size:
        return np.empty(0)
    twin = twins(known.has, known.asked)
    key = np.sort(np.stack([twin[left], twin[right]]), axis=0)
    _, first, back = np.unique(key[0] * (twin.max() + 1) + key[1], return_index=True, return_inverse=True)
    k, n, other_k, other_n = counts[:, first]
    p = np.ones(first.size)
    worth = _quick_p(k, n, other_k, other_n) <= _WORTH_A_TEST
    p[worth] = exact_p(*(values[worth] for values in (k, n, other_k, other_n)))
    q: NDArray[np.float64] = discoveries(p, np.stack([n, other_n, k + other_k], axis=1))[back.ravel()]
    return q


def _quick_p(k: Integers, n: Integers, other_k: Integers, other_n: Integers) -> NDArray[np.float64]:
    """Return the p of the score test, which is below the exact one wherever that matters."""
    total, have = n + other_n, k + other_k
    expected = n * have / total
    spread = np.sqrt(expected * (1 - have / total) * other_n / total)
    p: NDArray[np.float64] = 2 * special.ndtr(-np.abs(k - expected) / spread)
    return p
