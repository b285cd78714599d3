"""Proportions of pages that come in clusters, such as those of one domain, which say less than as many domains would.

Within a cluster pages are alike; between clusters nothing is assumed but that any cluster could have stood in any
group. What a code's pages say is told by its *design effect*: how many times greater the variance is than that of as
many pages of clusters of their own (Kish 1965). Counts divided by it are effective counts, for which every interval and
exact test of proportions holds as it does for pages that are independent (Rao & Scott 1992).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from scipy import sparse, special

from toolkit.findings.statistics.proportions import quantile, smallest_p, two_proportion_p
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = [
    "ClusterChanges",
    "ClusterTests",
    "Clustered",
    "clustered_changes",
    "clustered_interval",
    "clustered_tests",
    "effective_counts",
]

#: A code in so many clusters is as much believed in its own correlation as in that of all codes.
_HALF_BELIEVED: Final = 10
#: Clusters are of about one size up to this power of two between them.
_ABOUT: Final = 2
#: Clusters of about one size are taken for so many more that are like those of all sizes: of one or two little is told.
_LIKE_ALL: Final = 4
#: Cells of a table of groups that are worked on at a time.
_CELLS: Final = 10_000_000


@dataclass(frozen=True)
class Clustered:
    """How many sites of each cluster have each code.

    Attributes
    ----------
    sums : csr_array
        Clusters × codes: how many of a cluster's sites have a code.
    sizes : array of float
        Sites of each cluster, at least one.
    """

    sums: sparse.csr_array
    sizes: Floats

    @classmethod
    def of(cls, has: sparse.csr_array, cluster: Integers) -> Clustered:
        """Return the sums of sites × codes, given the number of each site's cluster.

        >>> import numpy as np
        >>> from scipy import sparse
        >>> has = sparse.csr_array(np.array([[1, 0], [1, 1], [0, 1]]))
        >>> Clustered.of(has, np.array([4, 4, 7])).sums.toarray().tolist()
        [[2.0, 1.0], [0.0, 1.0]]
        """
        if cluster.shape != (has.shape[0],):
            raise InputError(f"There are {cluster.size} clusters of {has.shape[0]} sites. Pass one of each site.")
        found, place = np.unique(cluster, return_inverse=True)
        rows = np.arange(cluster.size)
        ones = np.ones(cluster.size)
        members = sparse.csr_array((ones, (place, rows)), shape=(found.size, cluster.size))
        return cls(sparse.csr_array(members @ has.astype(np.float64)), np.bincount(place).astype(np.float64))

    @cached_property
    def n(self) -> float:
        """How many sites there are."""
        return float(self.sizes.sum())

    @cached_property
    def have(self) -> Floats:
        """How many sites have each code."""
        return np.asarray(self.sums.sum(axis=0), dtype=np.float64)

    @cached_property
    def pairs(self) -> float:
        """How many ordered pairs of sites share a cluster."""
        return float((self.sizes * (self.sizes - 1)).sum())

    @cached_property
    def odds(self) -> Floats:
        """The variance of a single site, for each code: share × (1 - share)."""
        share = self.have / self.n
        found: Floats = share * (1 - share)
        return found

    @cached_property
    def kinds(self) -> tuple[Floats, Integers, Integers]:
        """The sizes that clusters have, which of them each cluster has, and how many clusters have each."""
        return np.unique(self.sizes, return_inverse=True, return_counts=True)

    @cached_property
    def squares(self) -> Floats:
        """Sums of (sites with a code - those expected) squared over the clusters of each size: sizes by codes."""
        kinds, kind, often = self.kinds
        place = (kind, np.arange(kind.size))
        of_kind = sparse.csr_array((np.ones(kind.size), place), shape=(kinds.size, kind.size))
        share, sizes = self.have / self.n, kinds[:, None]
        middle = 2 * share * sizes * (of_kind @ self.sums).toarray()
        found = (of_kind @ self.sums.power(2)).toarray() - middle + (share * sizes) ** 2 * often[:, None]
        squares: Floats = np.maximum(found, 0) / np.maximum(1 - sizes / self.n, 1 / self.n)
        return squares

    @cached_property
    def spread(self) -> Floats:
        """The variance of the number of sites with each code, linearised, whatever the clusters' sizes.

        What is expected of a cluster has its own sites in it, which is corrected for (Bell & McCaffrey 2002).
        """
        found: Floats = self.squares.sum(axis=0)
        return found

    @cached_property
    def correlation(self) -> Floats:
        """How alike sites of one cluster are in each code, from 0 (as any others) to 1 (all or none have it).

        By moments (Ridout, Demétrio & Firth 1999), and no less than a mean of it and that of all codes, which weighs
        more the fewer clusters tell of the code: of few clusters it is mostly found too small.
        """
        if not self.pairs:
            return np.zeros(self.have.size)
        excess = self.spread - self.n * self.odds
        with np.errstate(invalid="ignore", divide="ignore"):
            own = np.clip(np.nan_to_num(excess / (self.odds * self.pairs)), 0, 1)
        whole = self.odds.sum() * self.pairs
        common = float(np.clip(excess.sum() / whole, 0, 1)) if whole else 0.0
        cells = self.sums.tocoo()
        full = np.bincount(cells.coords[1][cells.data == self.sizes[cells.coords[0]]], minlength=own.size)
        some = np.bincount(cells.coords[1], minlength=own.size)
        telling = np.minimum(some, self.sizes.size - full)
        part = telling / (telling + _HALF_BELIEVED)
        found: Floats = np.maximum(own, part * own + (1 - part) * common)
        return found

    @cached_property
    def effect(self) -> Floats:
        """The design effect of each code's share, from 1 on: by its own spread, and by how alike sites are.

        Where all or none have a code nothing is known of its spread, and the correlation of all codes counts.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            own = np.nan_to_num(self.spread / (self.n * self.odds), nan=1.0, posinf=1.0)
        found: Floats = np.maximum(np.maximum(own, 1 + self.correlation * self.pairs / self.n), 1.0)
        return np.minimum(found, self.n)

    @cached_property
    def freedom(self) -> Floats:
        """Degrees of freedom of each code's variance (Satterthwaite 1946): clusters but one, if all are of a size."""
        sizes, alike = self.sizes, self.correlation
        steps = [(sizes**2 * (sizes - 1) ** power).sum() for power in range(3)]
        fourth = steps[0] + 2 * alike * steps[1] + alike**2 * steps[2]
        found: Floats = (self.n + alike * self.pairs) ** 2 / fourth - 1
        return found

    def effects(self, inside: Floats, moved: Floats) -> Floats:
        """Return the design effect of each group's difference from the other sites: groups × codes.

        `inside` is how many of each cluster's sites are in each group: groups × clusters. The difference is, but for
        a factor, the number of the group's sites with a code above that expected. Its variance without a difference
        is that over two permutations, one after the other: of whole clusters, which changes who has the group's part
        of a cluster, and of the sites in a cluster that is split (Mantel & Haenszel 1959); or, if that is more, as
        great as `moved` says, the sum of squares over clusters of the group's sites with a code above those expected
        in that cluster, for sites of a cluster that are in one group may be more alike (Liang & Zeger 1986).
        """
        sizes, n = self.sizes, self.n
        part, chosen = inside / sizes, inside.sum(axis=1, keepdims=True)
        between = self._between((part - chosen / n) ** 2)
        with np.errstate(invalid="ignore", divide="ignore"):
            split = np.where(sizes > 1, part * (1 - part) / (sizes - 1), 0.0)
            within = (split * sizes) @ self.sums - split @ self.sums.power(2)
            spread = between + np.maximum(within, moved)
            # So many independent sites have as great a variance, drawn without laying back.
            found = n / (1 + self.odds * chosen * (n - chosen) / spread)
        return np.clip(np.where(spread > 0, found, 1.0), 1.0, n)

    def _between(self, parts: Floats) -> Floats:
        """Return the variance of differences over permutations of whole clusters, of squared parts of each cluster.

        Clusters of different sizes change places after they were put on one scale, by how alike their sites are; or
        mostly clusters of about one size change places, if that gives more, for the scale may not fit them.
        """
        kinds, kind, often = self.kinds
        scale = kinds[:, None] * (1 + (kinds[:, None] - 1) * self.correlation)
        units = self.squares / scale
        place = (np.arange(kind.size), kind)
        of_kind = sparse.csr_array((np.ones(kind.size), place), shape=(kind.size, kinds.size))
        wanted: Floats = np.asarray(parts @ of_kind)
        common = units.sum(axis=0) / often.sum()
        together = common * (wanted @ scale)
        apart = np.zeros_like(together)
        about = np.floor(np.log2(kinds) / _ABOUT)
        for size in np.unique(about):
            here = about == size
            own = (units[here].sum(axis=0) + _LIKE_ALL * common) / (often[here].sum() + _LIKE_ALL)
            apart += own * (wanted[:, here] @ scale[here])
        found: Floats = np.maximum(together, apart)
        return found

    def rarest(self, inside: Floats) -> Floats:
        """Return of each group how probable each single arrangement of clusters, and of sites in split ones, is.

        No outcome has a smaller p than that, whatever the sites show.
        """
        sizes = self.sizes
        full, none = (inside == sizes).sum(axis=1), (inside == 0).sum(axis=1)
        ways = special.gammaln(sizes.size + 1) - special.gammaln(full + 1) - special.gammaln(none + 1)
        chosen = special.gammaln(sizes + 1) - special.gammaln(inside + 1) - special.gammaln(sizes - inside + 1)
        found: Floats = np.exp(-(ways + chosen.sum(axis=1)))
        return found


def clustered_interval(
    have: ArrayLike, n: ArrayLike, effect: ArrayLike, freedom: ArrayLike, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Return the limits of the score interval (Wilson 1927) of effective counts, with Student's t for the normal.

    With an effect of 1 and endless freedom it is Wilson's. It is 0 to 1 where there is no freedom; nan where n is 0.

    >>> low, high = clustered_interval(20, 100, 4.0, 24.0)
    >>> round(float(low), 3), round(float(high), 3)
    (0.085, 0.402)
    """
    quantile(level)
    k, size, deff, df = np.broadcast_arrays(*(np.asarray(values, float) for values in (have, n, effect, freedom)))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        t = special.stdtrit(np.maximum(df, 1e-9), (1 + level) / 2)
        share, z = k / size, t * t * deff / size
        middle = (share + z / 2) / (1 + z)
        half = np.sqrt(z * share * (1 - share) + z * z / 4) / (1 + z)
    unsure = ~np.isfinite(z) | (df <= 0)
    low = np.where(unsure | (k == 0), 0.0, middle - half)
    high = np.where(unsure | (k == size), 1.0, middle + half)
    return np.where(size > 0, low, np.nan), np.where(size > 0, high, np.nan)


class ClusterTests(NamedTuple):
    """Tests of groups against the others, of each group and code.

    Attributes
    ----------
    p : array of float
        Two-sided; nan where a group or the others are empty.
    smallest : array of float
        The smallest that p could have been with these sites.
    effect : array of float
        The design effects: the n of each, divided by it, is its effective n.
    tables : array of float
        Effective whole counts, four for each: of the group those with the code, and all; of the others the same.
    rarest : array of float
        How probable a single arrangement of the clusters is, which no p is below.
    """

    p: Floats
    smallest: Floats
    effect: Floats
    tables: Floats
    rarest: Floats

    @classmethod
    def joined(cls, parts: Sequence[ClusterTests]) -> ClusterTests:
        """Return the tests of all groups, given those of some after some."""
        p, smallest, effect, tables, rarest = (np.concatenate(found, axis=-2) for found in zip(*parts, strict=True))
        return cls(p, smallest, effect, tables, rarest)


def clustered_tests(has: sparse.csr_array, cluster: Integers, members: sparse.csr_array | NDArray[Any]) -> ClusterTests:
    """Test whether groups of sites have codes more or less often than the other sites, where sites come in clusters.

    Parameters
    ----------
    has : csr_array
        Sites × codes: 1 where a site has a code. All sites are here that are compared, and no others.
    cluster : array of int
        The number of each site's cluster. Where every site has its own, p is that of
        `toolkit.findings.statistics.proportions.two_proportion_p`.
    members : csr_array or array
        Groups × sites: 1 where a site is in a group. The others are those of `has` that are not.

    Returns
    -------
    ClusterTests
        Arrays of groups × codes.

    Notes
    -----
    The variance over permutations of whole clusters, and of sites in clusters that groups split (`Clustered.effects`),
    gives the design effect of each difference, and so effective counts, which are tested exactly (Fisher 1935; the
    score test for large ones). So a p is that of a permutation of clusters, but needs no drawing: it is the same every
    time, and can be as small as many tests at once need. It is never less than that of a single arrangement.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> has = sparse.csr_array(np.repeat([[1], [0], [0], [0]], 25, axis=0))
    >>> first = np.repeat([[1, 0, 0, 0]], 25, axis=1)
    >>> clustered_tests(has, np.arange(100) // 25, first).p.round(2).tolist()  # 25 pages, but one of four domains
    [[0.25]]
    """
    groups, values = sparse.csr_array(members).astype(np.float64), has.astype(np.float64)
    if not cluster.size:
        shape = (groups.shape[0], values.shape[1])
        unknown, ones = np.full(shape, np.nan), np.ones(shape)
        return ClusterTests(unknown, unknown, ones, np.zeros((4, *shape)), ones)
    every = Clustered.of(has, cluster)
    place = np.unique(cluster, return_inverse=True)[1]
    in_cluster = sparse.csr_array((np.ones(place.size), (np.arange(place.size), place)))
    step = max(1, _CELLS // max(every.sizes.size, values.shape[1], 1))
    starts = range(0, max(groups.shape[0], 1), step)
    return ClusterTests.joined([_tested(every, values, place, groups[at : at + step], in_cluster) for at in starts])


def _tested(
    every: Clustered, has: sparse.csr_array, place: Integers, groups: sparse.csr_array, in_cluster: sparse.csr_array
) -> ClusterTests:
    """Return the tests of some groups, given each site's cluster and the same as a table."""
    inside = (groups @ in_cluster).toarray()
    have = (groups @ has).toarray()
    n = np.broadcast_to(inside.sum(axis=1, keepdims=True), have.shape)
    effect = every.effects(inside, _moved(every, has, place, groups, inside))
    (k1, n1), (k2, n2) = effective_counts(have, n, effect), effective_counts(every.have - have, every.n - n, effect)
    rarest = np.broadcast_to(every.rarest(inside)[:, None], have.shape)
    p, smallest = (np.fmax(found(k1, n1, k2, n2), rarest) for found in (two_proportion_p, smallest_p))
    unknown = (n == 0) | (n == every.n)
    p, smallest = (np.where(unknown, np.nan, values) for values in (p, smallest))
    return ClusterTests(p, smallest, effect, np.stack([k1, n1, k2, n2]), rarest)


def _moved(
    every: Clustered, has: sparse.csr_array, place: Integers, groups: sparse.csr_array, inside: Floats
) -> Floats:
    """Return for each group and code the sum of squares over split clusters of the sites with it above expected."""
    found = np.zeros((groups.shape[0], has.shape[1]))
    split = (inside > 0) & (inside < every.sizes)
    for number in np.flatnonzero(split.any(axis=1)):
        clusters = np.flatnonzero(split[number])
        rank = np.full(every.sizes.size, -1)
        rank[clusters] = np.arange(clusters.size)
        mine = groups.indices[groups.indptr[number] : groups.indptr[number + 1]]
        mine = mine[rank[place[mine]] >= 0]
        counted = sparse.csr_array((np.ones(mine.size), (rank[place[mine]], mine)), shape=(clusters.size, has.shape[0]))
        part = sparse.diags_array(inside[number, clusters] / every.sizes[clusters])
        found[number] = ((counted @ has) - part @ every.sums[clusters]).power(2).sum(axis=0)
    return found


def effective_counts(have: Floats, n: Floats, effect: Floats) -> tuple[Floats, Floats]:
    """Return effective counts as whole numbers, none of which is lost where there is any site.

    >>> import numpy as np
    >>> [values.tolist() for values in effective_counts(np.array([20.0]), np.array([50.0]), np.array([4.0]))]
    [[5.0], [12.0]]
    """
    whole = np.maximum(np.rint(n / effect), np.minimum(n, 1))
    return np.minimum(np.rint(have / effect), whole), whole


class ClusterChanges(NamedTuple):
    """Effective counts of sites that gained and lost each code.

    Attributes
    ----------
    gained, lost : array of float
        Effective whole counts, for the exact test of changes in pairs.
    effect : array of float
        The design effects.
    rarest : array of float
        The smallest p that any outcome can have: of all changed clusters in one direction.
    """

    gained: Floats
    lost: Floats
    effect: Floats
    rarest: Floats


def clustered_changes(changed: sparse.csr_array, cluster: Integers | None) -> ClusterChanges:
    """Return effective counts of changes of the same sites, where sites come in clusters.

    Without a change of the whole, each cluster's changes could as well have gone the other way. The variance of their
    sum over all such turns gives the design effect; with as many clusters as sites that changed, it is 1.

    Parameters
    ----------
    changed : csr_array
        Sites × codes: 1 where a site gained a code, -1 where it lost it.
    cluster : array of int
        The number of each site's cluster.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> gained = sparse.csr_array(np.ones((30, 1)))
    >>> clustered_changes(gained, np.arange(30) // 5)[:2]  # 30 pages, but six domains
    (array([6.]), array([0.]))
    """
    gained, lost = (
        np.bincount(changed.indices[sign * changed.data > 0], minlength=changed.shape[1]).astype(np.float64)
        for sign in (1, -1)
    )
    every = gained + lost
    if cluster is None:
        return ClusterChanges(gained, lost, np.ones_like(every), np.minimum(2.0 ** (1 - every), 1.0))
    net = Clustered.of(changed, cluster).sums
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = np.fmax(np.asarray(net.power(2).sum(axis=0)) / every, 1.0)
    turned = np.bincount(net.indices[net.data != 0], minlength=every.size).astype(np.float64)
    rarest = np.minimum(2.0 ** (1 - turned), 1.0)
    return ClusterChanges(np.rint(gained / effect), np.rint(lost / effect), effect, rarest)
