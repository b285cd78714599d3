"""From scores to confidences: siblings rival each other, branch by branch, from the top down."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.interface.taxonomy import Taxonomy, TaxonomyName

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Hierarchy", "load_hierarchy"]

#: How sharply scores become shares, below and at the top, and how a branch pools its members; set on the development
#: pages.
_TEMPERATURE: Final = 0.2
_TOP_TEMPERATURE: Final = 0.3
_POOLING: Final = 0.05
#: What the mean of all members says of a branch beside its best one; how many members that say nothing are thought
#: beside them, for the mean of one or two is mostly chance; and what terms that literally stand in a text count beyond
#: their part of a score: they tell branches apart better than their members. Set on the development pages and on
#: passages of other hands' continuous prose, which want more and less of the mean: 8 and 2.
_MEAN_WEIGHT: Final = 5.0
_SILENT: Final = 8
_TERMS_MORE: Final = 0.6
#: Shares, and how many answers of that share are right on the development pages (tests/benchmarks/calibration.py) and,
#: nearly alike, on passages of other hands: of the first top category, of the other top categories, and of those below
#: as a share of their top category's.
_RIGHT_FIRST: Final = (
    (0.0, 0.05, 0.08, 0.10, 0.14, 0.18, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95, 0.99, 1.0),
    (0.0, 0.12, 0.25, 0.40, 0.56, 0.61, 0.71, 0.77, 0.81, 0.84, 0.88, 0.90, 0.92, 0.94, 0.96, 0.985),
)
_RIGHT_AT_TOP: Final = (
    (0.0, 0.02, 0.04, 0.065, 0.10, 0.14, 0.18, 0.25, 0.4, 1.0),
    (0.0, 0.04, 0.13, 0.21, 0.30, 0.37, 0.44, 0.55, 0.55, 0.60),
)
_RIGHT_BELOW: Final = (
    (0.0, 0.01, 0.04, 0.10, 0.20, 0.31, 0.45, 0.60, 0.80, 0.93, 0.98, 0.997, 1.0),
    (0.0, 0.02, 0.08, 0.22, 0.35, 0.49, 0.62, 0.71, 0.76, 0.82, 0.86, 0.93, 0.95),
)
#: The same of the first and of the other top categories of a page that says enough to be likened to examples, on pages
#: that taught none: what these say makes shares surer, and they are no longer the least that can be said.
_LIKENED_FIRST: Final = (
    (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0),
    (0.0, 0.28, 0.42, 0.48, 0.54, 0.63, 0.74, 0.82, 0.88, 0.93, 0.95, 0.97, 0.985),
)
_LIKENED_AT_TOP: Final = (
    (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5),
    (0.0, 0.08, 0.2, 0.32, 0.42, 0.5, 0.54, 0.6),
)
#: How much it takes from the first top category that nothing is near to it, and how near something must be to take
#: nothing; and how much of the doubt goes where all is near.
_NOTHING_NEAR, _SOME_NEAR, _NEAR_TOO = 0.25, 0.25, 0.5
#: How much what is near to others of its branch takes from a category.
_NEAR_OTHERS: Final = 0.25
#: No other top category is surer than this share of the first.
_LESS_SURE: Final = 0.99


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """A taxonomy as arrays, one entry a category."""

    #: Identifiers, in the taxonomy's order.
    ids: tuple[str, ...]
    #: Position of each category's parent; -1 at the top.
    parents: NDArray[np.intp]
    #: Tier of each category, 1 at the top.
    tiers: NDArray[np.intp]
    #: Position of the top category of each category's branch.
    roots: NDArray[np.intp]
    #: Positions of the top categories, and in these that of the top category of each category's branch.
    tops: NDArray[np.intp]
    branch: NDArray[np.intp]
    #: Positions of the categories branch by branch, where in these each branch begins, and how many each has.
    order: NDArray[np.intp]
    starts: NDArray[np.intp]
    sizes: NDArray[np.intp]
    #: Positions of the categories of each tier, from the top down.
    below: tuple[NDArray[np.intp], ...]

    def pooled(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the score of each category's whole branch: about that of its best member, more where several agree."""
        highest = float(scores.max())
        found = np.exp((scores - highest) / _POOLING)
        for below in reversed(self.below[1:]):
            found += np.bincount(self.parents[below], found[below], len(found))
        pooled: NDArray[np.float64] = _POOLING * np.log(found) + highest
        return pooled

    def of_scores(self, likened: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what the top categories are likened by (see `shares`) as a part of the score of each category."""
        found: NDArray[np.float64] = _TOP_TEMPERATURE * likened[self.branch]
        return found

    def of_near(self, near: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how much higher a score below the top leaves as little doubt as what makes it likely by itself."""
        found: NDArray[np.float64] = np.where(self.tiers > 1, -_TEMPERATURE * np.log1p(-near), 0.0)
        return found

    def branches(self, scores: NDArray[np.floating], terms: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return what speaks for the branch of each category: its best member, and all of them on average.

        Parameters
        ----------
        scores : ndarray, shape (texts, categories)
            The categories' scores.
        terms : ndarray, shape (texts, categories)
            The part of them that terms which literally stand in the texts have.
        """
        told = (scores + _TERMS_MORE * terms)[:, self.order].astype(np.float64)
        means = np.add.reduceat(told, self.starts, axis=1) / (self.sizes + _SILENT)
        spoken = np.maximum.reduceat(told, self.starts, axis=1) + _MEAN_WEIGHT * means
        found: NDArray[np.float64] = spoken[:, self.branch]
        return found

    def firsts(
        self, scores: NDArray[np.floating], terms: NDArray[np.floating], decided: NDArray[np.floating]
    ) -> NDArray[np.intp]:
        """Return the position of each text's first category: the best of the branch for which most speaks.

        What decides among siblings (`decided`) is asked within the branch alone.
        """
        branches = self.branches(scores, terms)
        best = branches == branches.max(axis=1, keepdims=True)
        found: NDArray[np.intp] = np.where(best, scores + decided, -np.inf).argmax(axis=1)
        return found

    def in_first(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Tell which categories are of the branch whose top category has the greatest value."""
        found: NDArray[np.bool_] = self.branch == values[self.tops].argmax()
        return found

    def shares(
        self,
        scores: NDArray[np.float64],
        terms: NDArray[np.float64],
        decided: NDArray[np.float64],
        likened: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Share certainty among the categories of one text, from 0 to 1.

        The top categories' shares add up to 1; those of a category's children to less than its own, since the category
        itself is their rival. What decides among siblings (`decided`) is asked below the top alone, and what the page
        is likened to (`likened`, one a top category) at the top alone.
        """
        shares = np.zeros(len(scores))
        rivals = self.branches(scores[np.newaxis], terms[np.newaxis])[0][self.tops] / _TOP_TEMPERATURE + likened
        shares[self.tops] = np.exp(rivals - np.logaddexp.reduce(rivals))
        told = scores + decided
        pooled = self.pooled(told)
        highest = float(pooled.max())
        weights = np.exp((pooled - highest) / _TEMPERATURE)
        totals = np.exp((told - highest) / _TEMPERATURE)
        for here in self.below[1:]:
            above = self.parents[here]
            totals += np.bincount(above, weights[here], len(totals))
            shares[here] = shares[above] * weights[here] / totals[above]
        return shares

    def confidences(
        self,
        scores: NDArray[np.float64],
        terms: NDArray[np.float64],
        decided: NDArray[np.float64],
        *,
        likened: NDArray[np.float64],
        belief: float = 0.0,
        near: NDArray[np.float64] | None = None,
    ) -> NDArray[np.float64]:
        """Return how likely each category of one text is right, 0 to 1, as measured on pages of known subjects.

        They do not add up to 1: a page may be about several things. That of a category below the top is that of its top
        category, times how surely it is this one below; it is never greater than its parent's. `belief` is how far what
        the page is likened to is believed, from 0 to 1, and `near` how likely it makes each category below the top by
        itself: such a one is wrong only where that and the scores both are, and less likely where others of its branch
        are near. The first top category is surer the nearer it is made, and less sure where hardly anything is near.
        """
        shares = self.shares(scores, terms, decided, likened)
        tops = shares[self.roots]
        below = np.divide(shares, tops, out=np.zeros_like(shares), where=tops > 0)
        told = np.interp(below, *_RIGHT_BELOW)
        first = (1 - belief) * np.interp(tops, *_RIGHT_FIRST) + belief * np.interp(tops, *_LIKENED_FIRST)
        others = (1 - belief) * np.interp(tops, *_RIGHT_AT_TOP) + belief * np.interp(tops, *_LIKENED_AT_TOP)
        if near is not None:
            around = near[self.roots]
            first *= 1 - belief * _NOTHING_NEAR * np.maximum(1 - around / _SOME_NEAR, 0)
            first = 1 - (1 - first) * (1 - _NEAR_TOO * around)
            told = (1 - (1 - told) * (1 - near)) * (1 - _NEAR_OTHERS * (around - near))
        most = _LESS_SURE * first[self.tops[shares[self.tops].argmax()]]
        sure = np.where(self.in_first(shares), first, np.minimum(others, most))
        return np.where(self.tiers == 1, sure, sure * told)


@cache
def load_hierarchy(name: TaxonomyName) -> Hierarchy:
    """Build a taxonomy's arrays once."""
    taxonomy = Taxonomy.load(name)
    ids = tuple(category.id for category in taxonomy)
    places = {identifier: position for position, identifier in enumerate(ids)}
    parents = [-1 if category.parent is None else places[category.parent] for category in taxonomy]
    roots = np.array(
        [places[next((step.id for step in taxonomy.ancestors(identifier)), identifier)] for identifier in ids]
    )
    order = np.argsort(roots, kind="stable")
    starts = np.flatnonzero(np.diff(roots[order], prepend=-1))
    tiers = np.array([category.tier for category in taxonomy])
    below = tuple(np.flatnonzero(tiers == tier) for tier in range(1, int(tiers.max()) + 1))
    return Hierarchy(
        ids=ids,
        parents=np.array(parents),
        tiers=tiers,
        roots=roots,
        tops=below[0],
        branch=below[0].searchsorted(roots),
        order=order,
        starts=starts,
        sizes=np.diff(starts, append=len(order)),
        below=below,
    )
