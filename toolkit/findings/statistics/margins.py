"""Groups against baselines that may share some of their sites: what is compared, their ratio, and its test.

A group and its baseline are two samples only where no site is in both. So the sites in both are left out, and what is
found of the parts is carried over to the whole groups; where each has sites of its own besides common ones, three parts
are told apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from toolkit.findings.statistics.clusters import Clustered, ClusterTests, clustered_interval, clustered_tests
from toolkit.findings.statistics.discoveries import discoveries
from toolkit.findings.statistics.proportions import (
    FALSE_DISCOVERIES,
    is_exact,
    overlap_log_ratio,
    overlap_ratio_interval,
    ratio_interval,
    smallest_p,
    two_proportion_p,
)
from toolkit.findings.statistics.shrinkage import Measured, shrunken_ratios
from toolkit.findings.statistics.weighted import Sums, Worth, weighted_overlap_interval

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray
    from scipy import sparse

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]
    Bools = NDArray[np.bool_]
    Part = tuple[Floats, Floats]

__all__ = ["Margins", "Parts", "Tested", "Worths", "called", "divided", "parted", "tested_once", "tests_of_parts"]


class Parts(NamedTuple):
    """What is tested: the part of the group and the part of the baseline, without a common site.

    Attributes
    ----------
    have1, n1 : array of int
        Of each row the sites with the code, and the sites at all, of the part of the group.
    have2, n2 : array of int
        The same of the part of the baseline.
    """

    have1: Counts
    n1: Counts
    have2: Counts
    n2: Counts


class Tested(NamedTuple):
    """What the tests of rows say.

    Attributes
    ----------
    p, adjusted : array of float
        Of the test, and adjusted for all rows that were tested.
    word : array of int
        0 where the group has more, 1 where it has less, 2 where no difference is shown, 3 where there are too few.
    can : array of bool
        Which rows were tested: those that some outcome could have made a finding.
    """

    p: Floats
    adjusted: Floats
    word: NDArray[Any]
    can: Bools

    @property
    def tested(self) -> int:
        """How many rows were tested."""
        return int(self.can.sum())


class Worths(NamedTuple):
    """For each row what its sites tell of shares of a weight.

    Attributes
    ----------
    group, base : Worth
        Of the whole group, and of its whole baseline.
    first, second : Worth
        Of their parts that are tested, as of `Margins.parts`.
    both : Worth
        Of the sites in both, where the two cross; of others it says nothing.
    rarest : array of float
        What no p is below.
    """

    group: Worth
    base: Worth
    first: Worth
    second: Worth
    both: Worth
    rarest: Floats

    @classmethod
    def of(cls, counts: Margins, group: Sums, base: Sums, both: Sums) -> Worths:
        """Return what sites tell of which each counts by itself."""
        first, second = (Sums(*part) for part in zip(*map(counts.apart, group, base, both), strict=True))
        whole, parts = (Worth.of(group), Worth.of(base)), (Worth.of(first), Worth.of(second))
        return cls(*whole, *parts, Worth.of(both), np.zeros(len(counts.n)))

    @classmethod
    def of_clusters(
        cls,
        has: sparse.csr_array,
        weight: Floats,
        cluster: Counts,
        sides: Iterable[tuple[Bools, Bools]],
        level: float,
    ) -> Worths:
        """Return what sites tell that come in clusters; `sides` are of each group which sites are in it and its base.

        The parts are tested at 0.05, and so count no more than at that level.
        """
        test_level, rows, rarest = max(level, 1 - FALSE_DISCOVERIES), [], []
        for group, base in sides:
            first, second = parted(group, base)
            both = group & base if (group & ~base).any() and (base & ~group).any() else np.zeros_like(group)
            levels = (level, level, *(test_level,) * 3)
            of_sites = zip((group, base, first, second, both), levels, strict=True)
            rows.append([Worth.of_clusters(has[who], weight[who], cluster[who], lev) for who, lev in of_sites])
            there = (first | second) & (weight > 0)
            number = np.unique(cluster[there], return_inverse=True)[1]
            inside = np.bincount(number[first[there]], minlength=number.max(initial=-1) + 1)[None, :].astype(np.float64)
            rarest.append(np.repeat(Clustered.of(has[there], number).rarest(inside), has.shape[1]))
        whole, base_whole, one, other, common = map(Worth.joined, zip(*rows, strict=True))
        return cls(whole, base_whole, one, other, common, np.concatenate(rarest))

    @property
    def parts(self) -> Parts:
        """What is tested: of each part as many sites of equal weight as tell as much, in whole numbers."""
        return Parts(*(values.astype(np.int64) for part in (self.first, self.second) for values in part.counts()))


class Margins(NamedTuple):
    """For each row the sites with the code, and the sites at all: of the group, of its baseline, and in both.

    Attributes
    ----------
    have, base_have, both_have : array of int
        Sites with the code.
    n, base_n, both_n : array of int
        Sites at all.

    Examples
    --------
    >>> rows = Margins(*(np.array([count]) for count in (4, 5, 4, 4, 30, 4)))  # 4 of 4, which are among 5 of 30
    >>> [int(count[0]) for count in rows.parts]
    [4, 4, 1, 26]
    """

    have: Counts
    base_have: Counts
    both_have: Counts
    n: Counts
    base_n: Counts
    both_n: Counts

    def only(self, rows: Counts) -> Margins:
        """Return these rows."""
        return Margins(*(values[rows] for values in self))

    @property
    def ratio(self) -> Floats:
        """The group's share as a part of the baseline's; 1 where both are the same sites."""
        found: Floats = np.where(
            self.same, 1.0, divided(divided(self.have, self.n), divided(self.base_have, self.base_n))
        )
        return found

    @property
    def same(self) -> Bools:
        """Whether the group and its baseline are the same sites."""
        same: Bools = (self.n == self.both_n) & (self.base_n == self.both_n) & (self.n > 0)
        return same

    @property
    def crossed(self) -> Bools:
        """Whether the group has sites in common with its baseline, and both have others besides."""
        crossed: Bools = (self.both_n > 0) & (self.n != self.both_n) & (self.base_n != self.both_n)
        return crossed

    @property
    def parts(self) -> Parts:
        """The two without the sites in both, but where the group or the baseline would be empty then."""
        have1, have2 = self.apart(self.have, self.base_have, self.both_have)
        n1, n2 = self.apart(self.n, self.base_n, self.both_n)
        return Parts(have1, n1, have2, n2)

    def apart(self, group: Any, base: Any, both: Any) -> tuple[Any, Any]:
        """Return sums over the sites of the part of the group and of that of the baseline, as `parts` has them."""
        inside = (self.n == self.both_n) & ~self.same
        outside = (self.base_n == self.both_n) & ~inside & ~self.same
        return np.where(inside, group, group - both), np.where(outside, base, base - both)

    def ratio_limits(self, effect: Floats, level: float) -> Floats:
        """Return the limits of the ratio of the group's share to the baseline's, given each row's design effect."""
        k1, n1, k2, n2 = (values / effect for values in self.parts)
        limits = self.carried(np.stack(ratio_interval(k1, n1, k2, n2, level)), (self.n, self.base_n))
        crossed = np.flatnonzero(self.crossed)
        if crossed.size:
            limits[:, crossed] = overlap_ratio_interval(*self._three_parts(crossed, effect), level=level)
            least, most = self._possible(crossed, effect, level)
            limits[:, crossed] = np.fmax(limits[0, crossed], least), np.fmin(limits[1, crossed], most)
        return np.where(self.same, 1.0, limits)

    def weighted_ratio(self, worths: Worths, level: float) -> tuple[Floats, Floats, Floats]:
        """Return the ratio of the group's share of the weight to the baseline's, and its limits."""
        group, base, first, second, both, _ = worths
        limits = self.carried(np.stack(ratio_interval(*worths.parts, level)), (group.total, base.total))
        crossed = np.flatnonzero(self.crossed)
        if crossed.size:
            one, two, common = (Worth(*(values[crossed] for values in part)) for part in (first, second, both))
            limits[:, crossed] = weighted_overlap_interval(one, two, common, level)
            # As of sites: the other share is at most 1.
            least, most = group.limits(level)[0][crossed], divided(1, base.limits(level)[0][crossed])
            limits[:, crossed] = np.fmax(limits[0, crossed], least), np.fmin(limits[1, crossed], most)
        ratio = np.where(self.same, 1.0, divided(group.share, base.share))
        # Counts that were made whole may lie a little beside the shares.
        low, high = np.fmin(limits[0], ratio), np.fmax(limits[1], ratio)
        return ratio, np.where(self.same, 1.0, low), np.where(self.same, 1.0, high)

    def shrunken_ratios(self, family: NDArray[Any], effect: Floats, level: float) -> Floats:
        """Return the ratios that are to be believed, and their limits: see `toolkit.findings.statistics.shrinkage`.

        `family` names of each row the one whose ratios are shrunken together; nan where neither has the code.
        """
        parts, same = self.parts, self.same
        known = (self.have + self.base_have > 0) & (self.n > 0) & (self.base_n > 0) & ~same
        known &= (parts.n1 > 0) & (parts.n2 > 0)
        measured = np.zeros((2, same.size))
        crossed = np.flatnonzero(self.crossed & known)
        measured[:, crossed] = overlap_log_ratio(*self._three_parts(crossed, effect))
        of_family = np.unique(family[known], return_inverse=True)[1]
        shrunken = np.full((3, same.size), np.nan)
        counted = (*(values / effect for values in parts), *measured)
        shrunken[:, known] = shrunken_ratios(Measured(*(values[known] for values in counted)), of_family, level)
        shrunken[:, crossed] = np.clip(shrunken[:, crossed], *self._possible(crossed, effect, level))
        return np.where(same, 1.0, self.carried(shrunken, (self.n, self.base_n)))

    def carried(self, ratio: Floats, whole: tuple[Any, Any]) -> Floats:
        """Return ratios of the group's share to the baseline's, given those of the parts without a common site.

        `whole` is how much the group and its baseline count: their sites, or their weight.
        """
        shared = (self.both_n > 0) & ~self.same
        inside = shared & (self.n == self.both_n)
        outside = shared & (self.base_n == self.both_n) & ~inside
        sizes = divided(*whole), divided(*whole[::-1])
        with np.errstate(invalid="ignore", divide="ignore"):
            # A part of the baseline: share ÷ whole is r ÷ (w r + 1 - w), if r is share ÷ rest and w the part's size.
            carried = np.where(np.isinf(ratio), 1 / sizes[0], ratio / (sizes[0] * ratio + 1 - sizes[0]))
            carried = np.minimum(carried, 1 / sizes[0])
            # The baseline is a part: whole ÷ share is w + (1 - w) r, if r is rest ÷ share.
            return np.select([inside, outside], [carried, sizes[1] + (1 - sizes[1]) * ratio], ratio)

    def tested(
        self,
        index: Floats,
        once: Counts,
        parts: Parts,
        effective: Parts | None = None,
        rarest: ArrayLike = 0.0,
        *,
        itself: Bools | None = None,
    ) -> Tested:
        """Return what tests say of each row.

        Parameters
        ----------
        index : array of float
            The ratio of the whole groups, in per cent.
        once : array of int
            For each row the first that has the same test.
        parts : Parts
            What is compared: `parts`, or those by weight.
        effective : Parts, optional
            As many that do not belong together, which are tested; by default `parts`.
        rarest : array of float
            What no p is below; by default nothing.
        itself : array of bool, optional
            Whether a group of the same sites as its baseline is so by what it is, as one that is held against itself,
            and not because nothing is known of the others; by default it is.
        """
        same = self.same
        have = parts.have1 + parts.have2
        alike = same | (have == 0) | (have == parts.n1 + parts.n2)
        counts = parts if effective is None else effective
        k1, n1, k2, n2 = counts
        least = np.where(same, 0.0, rarest)
        p = np.maximum(two_proportion_p(k1, n1, k2, n2), least)
        can = ~alike
        can[can] = np.maximum(smallest_p(*(values[can] for values in counts)), least[can]) < FALSE_DISCOVERIES
        # Where all are alike nothing is tested: the question is whether any number of sites with it could have told.
        smallest = np.maximum(smallest_p(n1, n1, 0, n2), least)
        told = self.n > 0 if itself is None else (self.n > 0) & itself
        enough = np.where(same, told, smallest < FALSE_DISCOVERIES)
        own = can & (once == np.arange(len(once)))
        margins = np.stack([n1, n2, k1 + k2], axis=1)
        adjusted = discoveries(np.where(own, p, np.nan), margins, exact=is_exact(*margins.T))[once]
        over, under = called(adjusted, parts, index)
        words = np.select([over, under, can | (alike & enough)], [0, 1, 2], 3)
        return Tested(p, adjusted, words, can)

    def _three_parts(self, rows: Counts, effect: Floats) -> tuple[Part, Part, Part]:
        """Return the effective sites with the code, and at all, of the group alone, the baseline alone, and of both."""
        have, base_have, both_have, n, base_n, both_n = (values[rows] for values in self)
        parts = (have - both_have, n - both_n), (base_have - both_have, base_n - both_n), (both_have, both_n)
        # Sites are whole: of their quotients one could be greater than another by rounding.
        only1, only2, both = ((some / effect[rows], all_ / effect[rows]) for some, all_ in parts)
        return only1, only2, both

    def _possible(self, rows: Counts, effect: Floats, level: float) -> tuple[Floats, Floats]:
        """Return between what a ratio must lie if the other share is at most 1, whatever the delta method says."""
        have, n, base_have, base_n = (values[rows] for values in (self.have, self.n, self.base_have, self.base_n))
        ratio = divided(have * base_n, n * base_have)
        low, base_low = (
            clustered_interval(k, size, effect[rows], np.inf, level)[0] for k, size in ((have, n), (base_have, base_n))
        )
        least, most = low, divided(1, base_low)
        return np.fmin(least, ratio), np.fmax(most, ratio)


def called(adjusted: Floats, parts: Parts, index: Floats) -> tuple[Bools, Bools]:
    """Return which rows are called over, and which under, by their adjusted p.

    >>> one = Parts(*(np.array([count]) for count in (4, 4, 1, 26)))
    >>> [bool(found[0]) for found in called(np.array([0.01]), one, np.array([600.0]))]
    [True, False]
    """
    with np.errstate(invalid="ignore"):
        shown = adjusted < FALSE_DISCOVERIES
        higher = divided(parts.have1, parts.n1) > divided(parts.have2, parts.n2)
        # With common sites the parts and the whole groups may point different ways; then nothing is claimed.
        return shown & higher & (index > 100), shown & ~higher & (index < 100)  # noqa: PLR2004


def parted(group: Bools, base: Bools) -> tuple[Bools, Bools]:
    """Return which sites are in the part of the group and in that of the baseline, as `Margins.parts` has them.

    >>> [part.tolist() for part in parted(np.array([True, False, False]), np.array([True, True, True]))]
    [[True, False, False], [False, True, True]]
    """
    first, second = group & ~base, base & ~group
    first = first if first.any() else group
    return first, second if second.any() else base & ~first


def tests_of_parts(has: sparse.csr_array, cluster: Counts, sides: Iterable[tuple[Bools, Bools]]) -> ClusterTests:
    """Return the tests of what `Margins.parts` leaves of each group and its baseline, where sites come in clusters.

    `sides` are of each group which sites are in it and which in its baseline.
    """
    tests = []
    for first, second in (parted(*both) for both in sides):
        rows = np.flatnonzero(first | second)
        tests.append(clustered_tests(has[rows], cluster[rows], first[rows][None, :].astype(np.int64)))
    return ClusterTests.joined(tests)


def tested_once(members: sparse.csr_array) -> Counts:
    """Return for each group the first that is the rest of it, or itself: against the rest, both are one test.

    >>> from scipy import sparse
    >>> tested_once(sparse.csr_array([[1, 1, 0], [0, 0, 1], [1, 0, 0]])).tolist()
    [0, 0, 2]
    """
    sizes = np.asarray(members.sum(axis=1))
    first = np.arange(len(sizes))
    for group, size in enumerate(sizes):
        for other in np.flatnonzero(sizes[:group] == members.shape[1] - size):
            if not (members[[group], :] @ members[[other], :].T).sum():
                first[group] = other
                break
    return first


def divided(above: Any, below: Any) -> Floats:
    """Return quotients: infinite or nan, without a warning, where the lower number is 0.

    >>> divided([1, 1, 0], [2, 0, 0]).tolist()
    [0.5, inf, nan]
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.asarray(np.divide(above, below), dtype=np.float64)
    return found
