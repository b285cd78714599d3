"""Tests and intervals of pages that come in clusters, against permutation by hand and in simulation."""

from itertools import combinations

import numpy as np
import pytest
from scipy import sparse

from tests.benchmarks.validity.discoveries import benjamini_hochberg
from toolkit.findings.statistics.clusters import Clustered, clustered_changes, clustered_interval, clustered_tests
from toolkit.findings.statistics.proportions import two_proportion_p, wilson
from toolkit.interface.errors import InputError


def table(*columns):
    return sparse.csr_array(np.array(columns, dtype=np.int64).T)


def drawn(rng, sizes, share, icc):
    """Return sites × codes with beta-binomial clusters, and each site's cluster."""
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    chance = np.broadcast_to(share, (len(sizes), len(share)))
    if icc:
        chance = rng.beta(share * (1 / icc - 1), (1 - share) * (1 / icc - 1), size=chance.shape)
    return sparse.csr_array((rng.random((cluster.size, len(share))) < chance[cluster]).astype(np.int64)), cluster


def called(found):
    """Return which rows are findings among those that could be."""
    return benjamini_hochberg(np.where(found.smallest < 0.05, found.p, np.nan).ravel()) < 0.05


def test_sites_of_clusters_of_their_own_are_tested_as_independent_ones():
    rng = np.random.default_rng(1)
    has = sparse.csr_array((rng.random((60, 40)) < 0.2).astype(np.int64))
    group = (np.arange(60) < 14).astype(np.int64)
    found = clustered_tests(has, np.arange(60), group[None, :])
    have, every = (group @ has), np.asarray(has.sum(axis=0))
    assert found.p[0] == pytest.approx(two_proportion_p(have, 14, every - have, 46))
    assert found.effect.max() == pytest.approx(1)


def test_the_variance_is_that_of_all_ways_to_choose_the_clusters_of_the_group():
    rng = np.random.default_rng(2)
    has, cluster = drawn(rng, [5] * 8, np.array([0.3, 0.5, 0.7]), 0.4)
    dense = has.toarray()
    sums = [dense[np.isin(cluster, some)].sum(axis=0) for some in combinations(range(8), 3)]
    effect = clustered_tests(has, cluster, (cluster < 3).astype(np.int64)[None, :]).effect[0]
    share = dense.mean(axis=0)
    # The variance of effective counts, drawn without laying back, as one of sites.
    assert share * (1 - share) * 15 * 25 / (40 / effect - 1) == pytest.approx(np.var(sums, axis=0))
    assert effect.min() > 1.2


def test_no_p_is_smaller_than_that_of_one_arrangement_of_clusters():
    cluster = np.repeat(np.arange(10), 30)
    has = table(cluster < 2)
    found = clustered_tests(has, cluster, (cluster < 2).astype(np.int64)[None, :])
    assert found.p == pytest.approx(1 / 45, rel=1e-6)
    assert found.smallest == pytest.approx(1 / 45, rel=1e-6)


def test_a_difference_that_whole_domains_show_is_found():
    cluster = np.repeat(np.arange(40), 25)
    found = clustered_tests(table(cluster < 10), cluster, (cluster < 10).astype(np.int64)[None, :])
    assert found.p[0, 0] < 1e-7
    # Ten domains of forty, whatever their pages.
    assert found.tables[1][0, 0] == 10


def test_a_difference_inside_split_domains_is_found():
    cluster = np.repeat(np.arange(30), 10)
    inside = np.tile(np.arange(10) < 5, 30)
    found = clustered_tests(table(inside, cluster < 15), cluster, inside.astype(np.int64)[None, :])
    assert found.p[0, 0] < 1e-4
    assert found.p[0, 1] == 1


@pytest.mark.parametrize("split", [False, True], ids=["whole domains", "split domains"])
@pytest.mark.parametrize("icc", [0, 0.2, 0.5])
def test_few_false_differences_are_found_among_pages_of_domains(icc, split):
    rng = np.random.default_rng(3)
    share = np.repeat([0.02, 0.05, 0.1, 0.3, 0.5], 40)
    rows = wrong = naive = 0
    for _ in range(5):
        has, cluster = drawn(rng, [25] * 40, share, icc)
        group = rng.integers(0, 4, cluster.size) if split else rng.permutation(40)[cluster] % 4
        members = (group == np.arange(4)[:, None]).astype(np.int64)
        found = clustered_tests(has, cluster, members)
        have, n = members @ has, members.sum(axis=1)[:, None]
        every = np.asarray(has.sum(axis=0))
        rows += found.p.size
        wrong += called(found).sum()
        naive += (benjamini_hochberg(two_proportion_p(have, n, every - have, 1000 - n).ravel()) < 0.05).sum()
    assert wrong / rows < 0.005
    assert (naive / rows > 0.2) == (icc > 0 and not split)


@pytest.mark.parametrize("sizes", [[25] * 40, [1] * 150 + [3] * 20 + [20] * 10 + [100] * 3], ids=["equal", "unequal"])
def test_false_differences_are_few_where_the_large_domains_are_one_group(sizes):
    rng = np.random.default_rng(4)
    share, rows, wrong = np.repeat([0.02, 0.1, 0.5], 50), 0, 0
    for _ in range(5):
        has, cluster = drawn(rng, sizes, share, 0.2)
        found = clustered_tests(has, cluster, (np.array(sizes)[cluster] >= 20)[None, :] & (cluster % 5 > 0))
        rows += found.p.size
        wrong += (found.p < 0.01).sum()
    assert wrong / rows < 0.02


@pytest.mark.parametrize("icc", [0, 0.05, 0.2, 0.5])
def test_intervals_of_shares_hold_the_share(icc):
    rng = np.random.default_rng(5)
    share = np.repeat([0.02, 0.05, 0.1, 0.3, 0.5, 0.9], 40)
    held, naive = [], []
    for _ in range(6):
        every = Clustered.of(*drawn(rng, [25] * 40, share, icc))
        low, high = clustered_interval(every.have, every.n, every.effect, every.freedom)
        held.append((low <= share) & (share <= high))
        low, high = wilson(every.have, every.n)
        naive.append((low <= share) & (share <= high))
    assert 0.93 <= np.mean(held) <= 0.985
    assert icc < 0.2 or np.mean(naive) < 0.75


def test_an_interval_of_none_or_all_is_as_wide_as_the_other_codes_say():
    cluster = np.repeat(np.arange(20), 10)
    every = Clustered.of(table(cluster % 2 == 0, cluster < 0, cluster >= 0), cluster)
    low, high = clustered_interval(every.have, every.n, every.effect, every.freedom)
    # Sites of a domain agree in the first code, so that the others are known of 20 domains, not of 200 sites.
    assert every.n / every.effect == pytest.approx([20, 20, 20], rel=0.1)
    assert low[1] == 0
    assert high[1] == pytest.approx(0.18, abs=0.01)
    assert (low[2], high[2]) == (pytest.approx(0.82, abs=0.01), 1)


def test_of_one_domain_nothing_is_known():
    every = Clustered.of(table([1, 0, 1]), np.zeros(3, dtype=np.int64))
    assert np.ravel(clustered_interval(every.have, every.n, every.effect, every.freedom)).tolist() == [0, 1]


def test_changes_of_one_domain_count_once():
    cluster = np.repeat(np.arange(8), 5)
    changed = sparse.csr_array(np.array([cluster == 0, cluster < 6, np.where(cluster < 4, 1, -1)], dtype=np.int64).T)
    found = clustered_changes(changed, cluster)
    assert found.gained.tolist() == [1, 6, 4]
    assert found.lost.tolist() == [0, 0, 4]
    assert found.rarest.tolist() == [1, 2 / 2**6, 2 / 2**8]


def test_a_cluster_of_each_site_is_wanted():
    with pytest.raises(InputError, match="3 clusters of 2 sites"):
        Clustered.of(table([1, 0]), np.arange(3))
