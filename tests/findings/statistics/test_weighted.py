"""Shares of a weight: equal weights, clusters, the ends, and how often the interval holds the true share."""

import numpy as np
import pytest
from benchmarks.validity.weighted import coverage_of_clusters, coverage_of_intervals, rejections
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import sparse

from toolkit.findings.statistics.proportions import wilson
from toolkit.findings.statistics.weighted import effective_n, weighted_shares
from toolkit.interface.errors import InputError


@settings(max_examples=60)
@given(st.lists(st.booleans(), min_size=1, max_size=60), st.floats(1e-6, 1e9), st.booleans())
def test_equal_weights_give_wilsons_interval_of_the_counts(has, weight, alone):
    table = np.array(has, dtype=int)[:, None]
    found = weighted_shares(table, [weight] * len(has), clusters=np.arange(len(has)) if alone else None)
    low, high = wilson(sum(has), len(has))
    assert_allclose(
        [found.share[0], found.low[0], found.high[0], found.n[0]],
        [sum(has) / len(has), low, high, len(has)],
        rtol=1e-9,
        atol=1e-12,
    )


@settings(max_examples=60)
@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1e6)), min_size=2, max_size=30), st.booleans())
@example([(False, 512872.125), (True, 0.001953125)], False)
def test_an_interval_lies_within_0_and_1_and_holds_the_share(rows, clustered):
    has, weight = np.array(rows, dtype=float).T
    clusters = np.arange(len(rows)) // 3 if clustered else None
    found = weighted_shares(has[:, None], weight, clusters=clusters)
    if not weight.any():
        assert np.isnan(found.share[0])
    else:
        assert 0 <= found.low[0] <= found.share[0] + 1e-12
        assert found.share[0] - 1e-12 <= found.high[0] <= 1


def test_the_linearised_variance_is_that_of_the_formula():
    """Both codes: one where the weight and the code go together, one where the floor of independence holds."""
    weight = np.array([4.0, 2.0, 2.0, 1.0, 1.0])
    has = np.array([[1, 0, 0, 0, 0], [0, 0, 0, 1, 1]]).T
    part = weight / weight.sum()
    share = part @ has
    linear = (part[:, None] ** 2 * (has - share) ** 2).sum(axis=0)
    independent = share * (1 - share) * (part @ part)
    expected = share * (1 - share) / np.maximum(linear, independent)
    assert (linear > independent).tolist() == [True, False]
    assert_allclose(weighted_shares(has, weight).n, expected)


def test_a_scale_of_the_weight_changes_nothing():
    random = np.random.default_rng(3)
    weight, has = random.lognormal(0, 1, 50), random.random((50, 4)) < 0.3
    for one, other in zip(weighted_shares(has, weight), weighted_shares(has, weight * 1e-7), strict=True):
        assert_allclose(one, other)


def test_sites_without_weight_are_as_if_they_were_not_there():
    has, weight = [[1], [0], [1], [1]], [3.0, 2.0, 0.0, 0.0]
    assert weighted_shares(has, weight) == weighted_shares(has[:2], weight[:2])
    assert np.isnan(weighted_shares(has, [0, 0, 0, 0]).share[0])


def test_pages_of_one_domain_tell_less_than_as_many_domains():
    has = np.repeat([1, 0, 1, 0, 0, 0], 5)[:, None]
    weight = np.ones(30)
    alone, pages = weighted_shares(has, weight), weighted_shares(has, weight, clusters=np.repeat(np.arange(6), 5))
    assert alone.n[0] == pytest.approx(30)
    assert pages.n[0] < 6
    assert pages.low[0] < alone.low[0] < alone.high[0] < pages.high[0]


def test_a_sparse_table_gives_the_same_as_a_dense_one():
    random = np.random.default_rng(5)
    has, weight = (random.random((40, 6)) < 0.2).astype(int), random.lognormal(0, 1, 40)
    clusters = random.integers(0, 9, 40)
    for one, other in zip(
        weighted_shares(has, weight, clusters=clusters),
        weighted_shares(sparse.csr_array(has), weight, clusters=clusters),
        strict=True,
    ):
        assert_allclose(one, other)


@pytest.mark.parametrize("wrong", [[1, -1], [1, np.nan], [1, np.inf]])
def test_a_weight_that_is_none_is_refused(wrong):
    with pytest.raises(InputError, match=r"negative, missing or infinite. Pass one number from 0"):
        effective_n(wrong)


@pytest.mark.parametrize("depends", [0.0, 0.5])
def test_intervals_hold_the_true_share_also_where_few_sites_carry_the_weight(depends):
    """With the linearised variance alone it is 70 to 90 % where few sites carry most of the weight."""
    cases = [(sigma, share) for sigma in (0.5, 1.5) for share in (0.05, 0.3)]
    held = [coverage_of_intervals(40, *case, depends, runs=80, seed=7) for case in cases]
    assert min(held) >= 0.92


def test_intervals_of_clusters_hold_the_true_share():
    """Sites taken as independent hold it in some 60 % of these."""
    assert coverage_of_clusters(40, 1.0, 0.3, 0.5, runs=60, seed=7) >= 0.91


@pytest.mark.parametrize("depends", [0.0, 0.5])
@pytest.mark.parametrize("sizes", [(6, 60), (20, 60)])
def test_effective_counts_show_a_difference_where_there_is_none_no_more_often_than_said(sizes, depends):
    for sigma, share in ((0.5, 0.5), (1.5, 0.2)):
        five, one = rejections(sizes, sigma, share, depends, runs=3000, seed=11)
        assert 0 < five <= 0.05
        assert one <= 0.015
