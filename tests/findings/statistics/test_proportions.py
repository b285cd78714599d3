"""Proportions: each number beside an independent computation, and what is promised checked by simulation."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint, proportions_ztest

from toolkit.findings.statistics.proportions import (
    EXACT_BELOW,
    overlap_ratio_interval,
    ratio_interval,
    smallest_p,
    two_proportion_p,
    wilson,
)
from toolkit.interface.errors import InputError


@st.composite
def tables(draw, most=60):
    n1, n2 = draw(st.integers(1, most)), draw(st.integers(1, most))
    return draw(st.integers(0, n1)), n1, draw(st.integers(0, n2)), n2


def every_table(n1, n2):
    k1, k2 = np.meshgrid(np.arange(n1 + 1), np.arange(n2 + 1), indexing="ij")
    return k1, n1, k2, n2


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_examples_of_newcombe_1998(k, n, low, high):
    # R. G. Newcombe, Two-sided confidence intervals for the single proportion: comparison of seven methods, Statistics
    # in Medicine 17 (1998), 857-872, table I, method 3.
    assert [round(float(limit), 4) for limit in wilson(k, n)] == [low, high]


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_wilson_is_that_of_statsmodels(level):
    n = np.repeat([1, 2, 9, 40, 1000], 11)
    k = np.rint(np.tile(np.linspace(0, 1, 11), 5) * n)
    theirs = proportion_confint(k, n, 1 - level, method="wilson")
    np.testing.assert_allclose(wilson(k, n, level), theirs, atol=1e-12)


def test_wilson_holds_the_true_share_as_often_as_it_says():
    chance = np.random.default_rng(1)
    share = chance.uniform(0.02, 0.98, 40_000)
    n = chance.integers(10, 200, share.size)
    low, high = wilson(chance.binomial(n, share), n)
    assert 0.945 < np.mean((low <= share) & (share <= high)) < 0.962


def test_the_ratio_gives_the_published_example_of_koopman_1984():
    # P. A. R. Koopman, Confidence intervals for the ratio of two binomial proportions, Biometrics 40 (1984), 513-517:
    # 36 of 40 against 16 of 80 has 2.94 to 7.15 (page 517).
    assert [round(float(limit), 2) for limit in ratio_interval(36, 40, 16, 80)] == [2.94, 7.15]


@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize("table", [(5, 20, 9, 30), (1, 12, 7, 9), (29, 30, 3, 40), (200, 1000, 150, 5000)])
def test_the_ratio_is_that_of_statsmodels(table, level):
    theirs = confint_proportions_2indep(*table, compare="ratio", method="score", correction=False, alpha=1 - level)
    np.testing.assert_allclose(ratio_interval(*table, level), theirs, rtol=1e-5)


@given(tables())
def test_the_ratio_lies_in_its_interval_and_turns_round_with_the_groups(table):
    k1, n1, k2, n2 = table
    low, high = map(float, ratio_interval(*table))
    back_low, back_high = map(float, ratio_interval(k2, n2, k1, n1))
    if k2:
        assert low <= (k1 / n1) / (k2 / n2) * (1 + 1e-9) + 1e-12
        assert high >= (k1 / n1) / (k2 / n2) * (1 - 1e-9)
    assert low == (0 if not k1 else pytest.approx(1 / back_high))
    assert high == (math.inf if not k2 else pytest.approx(1 / back_low if back_low else math.inf))


@given(tables())
def test_the_ratio_leaves_one_out_just_where_the_score_test_rejects(table):
    k1, n1, k2, n2 = table
    if 0 < k1 + k2 < n1 + n2:
        p = proportions_ztest([k1, k2], [n1, n2])[1]
        low, high = map(float, ratio_interval(*table))
        if abs(p - 0.05) > 1e-6:
            assert (low > 1 or high < 1) == (p < 0.05)


@pytest.mark.parametrize(
    ("n1", "n2", "share", "ratio"), [(20, 60, 0.3, 1.5), (50, 50, 0.1, 1), (200, 40, 0.5, 0.6), (30, 300, 0.2, 3)]
)
def test_the_ratio_interval_holds_the_true_ratio_as_often_as_it_says(n1, n2, share, ratio):
    chance = np.random.default_rng(2)
    k1, k2 = chance.binomial(n1, share * ratio, 20_000), chance.binomial(n2, share, 20_000)
    low, high = ratio_interval(k1, n1, k2, n2)
    assert 0.94 < np.mean((low <= ratio) & (ratio <= high)) < 0.975


@pytest.mark.parametrize(
    ("sizes", "shares"),
    [((40, 60, 30), (0.4, 0.3, 0.2)), ((80, 30, 100), (0.2, 0.2, 0.5)), ((200, 150, 50), (0.05, 0.1, 0.6))],
)
def test_the_interval_of_groups_with_common_members_holds_the_true_ratio_as_often_as_it_says(sizes, shares):
    chance = np.random.default_rng(3)
    (na, nb, nc), (pa, pb, pc) = sizes, shares
    ratio = ((na * pa + nc * pc) / (na + nc)) / ((nb * pb + nc * pc) / (nb + nc))
    parts = [(chance.binomial(n, p, 20_000), n) for n, p in zip(sizes, shares, strict=True)]
    low, high = overlap_ratio_interval(*parts)
    assert 0.94 < np.mean((low <= ratio) & (ratio <= high)) < 0.975


def test_the_interval_of_groups_without_common_members_is_that_of_katz():
    # D. Katz and others, Obtaining confidence intervals for the risk ratio in cohort studies, Biometrics 34 (1978),
    # 469-474: the variance is (1 - share) / (n share) of either group. Half a case is added to each side.
    k1, n1, k2, n2 = 30, 80, 20, 90
    low, high = overlap_ratio_interval((k1, n1), (k2, n2), (0, 0))
    variance = sum((1 - share) / (n * share) for n, share in ((n1, 30.5 / 81), (n2, 20.5 / 91)))
    middle = math.log(30.5 / 81) - math.log(20.5 / 91)
    assert float(np.log(low * high)) / 2 == pytest.approx(middle)
    assert float(np.log(high / low)) / 2 == pytest.approx(1.959964 * math.sqrt(variance))


def test_small_tables_are_tested_exactly():
    # R. A. Fisher, The Design of Experiments (1935), chapter II: of the 70 ways to choose four of eight cups, 16 have
    # three rightly and 1 all four. As many err as far the other way, which a test to both sides counts too: 34 of 70.
    assert float(two_proportion_p(3, 4, 1, 4)) == pytest.approx(34 / 70)


@pytest.mark.parametrize(("n1", "n2"), [(1, 1), (3, 7), (10, 10), (12, 25)])
def test_every_small_table_has_the_p_of_scipy(n1, n2):
    ours = two_proportion_p(*every_table(n1, n2))
    for (k1, k2), p in np.ndenumerate(ours):
        assert p == pytest.approx(stats.fisher_exact([[k1, n1 - k1], [k2, n2 - k2]]).pvalue, rel=1e-8), (k1, k2)


@pytest.mark.parametrize("table", [(3, 40_000, 0, 60_000), (9, 1000, 700, 200_000), (5, 6, 90_000, 100_000)])
def test_rare_codes_among_many_sites_are_tested_exactly(table):
    k1, n1, k2, n2 = table
    theirs = stats.fisher_exact([[k1, n1 - k1], [k2, n2 - k2]]).pvalue
    assert float(two_proportion_p(*table)) == pytest.approx(theirs, rel=1e-6)


@given(st.integers(1, 3000), st.integers(1, 60_000), st.data())
def test_every_table_below_the_limit_has_the_p_of_scipy(n1, n2, data):
    k1, k2 = data.draw(st.integers(0, n1)), data.draw(st.integers(0, n2))
    assume(0 < min(n1, n2) * min(k1 + k2, n1 + n2 - k1 - k2) / (n1 + n2) < EXACT_BELOW)
    theirs = stats.fisher_exact([[k1, n1 - k1], [k2, n2 - k2]]).pvalue
    assert float(two_proportion_p(k1, n1, k2, n2)) == pytest.approx(theirs, rel=1e-6, abs=1e-290)


@pytest.mark.parametrize("table", [(4000, 9000, 3800, 9100), (3000, 20_000, 10_000, 70_000)])
def test_large_tables_have_the_p_of_the_score_test(table):
    k1, n1, k2, n2 = table
    assert min(n1, n2) * min(k1 + k2, n1 + n2 - k1 - k2) / (n1 + n2) >= EXACT_BELOW
    assert float(two_proportion_p(*table)) == pytest.approx(proportions_ztest([k1, k2], [n1, n2])[1])


@pytest.mark.parametrize(("n1", "n2", "share"), [(8, 60, 0.1), (30, 50, 0.2), (60, 60, 0.3), (400, 90, 0.5)])
def test_where_there_is_no_difference_p_is_below_its_level_no_more_often_than_it_says(n1, n2, share):
    chance = np.random.default_rng(4)
    p = two_proportion_p(chance.binomial(n1, share, 20_000), n1, chance.binomial(n2, share, 20_000), n2)
    for level in (0.05, 0.01, 0.001):
        assert np.mean(p < level) < level * 1.1 + 3 * math.sqrt(level / p.size)


@pytest.mark.parametrize(("n1", "n2", "times"), [(100, 10_000, 400), (400, 40_000, 300), (9000, 200_000, 300)])
def test_hundreds_of_codes_of_a_small_group_and_a_large_one_show_no_difference_where_there_is_none(n1, n2, times):
    # Adjusting for 700 codes asks for p below 0.0001, where the score test of so uneven groups is wrong by far.
    chance = np.random.default_rng(5)
    share = chance.uniform(0.1, 0.14, (times, 700))
    p = two_proportion_p(chance.binomial(n1, share), n1, chance.binomial(n2, share), n2)
    called = np.array([(stats.false_discovery_control(row) < 0.05).any() for row in p])
    assert called.mean() <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / times)


@given(tables())
def test_p_does_not_depend_on_which_group_comes_first_or_on_what_is_counted(table):
    k1, n1, k2, n2 = table
    p = float(two_proportion_p(*table))
    assert 0 < p <= 1
    assert p == pytest.approx(float(two_proportion_p(k2, n2, k1, n1)), rel=1e-6)
    assert p == pytest.approx(float(two_proportion_p(n1 - k1, n1, n2 - k2, n2)), rel=1e-6)


@given(st.integers(1, 14), st.integers(1, 14), st.data())
def test_no_table_of_the_same_margins_has_a_p_below_the_smallest(n1, n2, data):
    have = data.draw(st.integers(0, n1 + n2))
    k1 = np.arange(max(0, have - n2), min(have, n1) + 1)
    p = [stats.fisher_exact([[k, n1 - k], [have - k, n2 - have + k]]).pvalue for k in k1]
    np.testing.assert_allclose(smallest_p(k1, n1, have - k1, n2), min(p), rtol=1e-6)


def test_with_nobody_asked_nothing_is_known():
    found = [
        *wilson(0, 0),
        *ratio_interval(0, 0, 1, 2),
        *ratio_interval(1, 2, 0, 0),
        *overlap_ratio_interval((0, 0), (1, 2), (0, 0)),
        two_proportion_p(0, 0, 1, 2),
        smallest_p(0, 0, 1, 2),
    ]
    assert np.isnan(found).all()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: wilson(3, 2), "A count k is no whole number from 0 to n"),
        (lambda: wilson(-1, 2), "A count k is no whole number"),
        (lambda: wilson(0.5, 2), "A count k is no whole number"),
        (lambda: wilson(1, float("nan")), "A count k is no whole number"),
        (lambda: wilson("many", 2), "A count is not a number"),
        (lambda: wilson(1, 2, level=95), "The level 95 is not between 0 and 1"),
        (lambda: ratio_interval([1, 2], [3, 4], [1, 2, 3], 5), "shapes that do not fit"),
    ],
)
def test_what_is_no_count_is_refused_with_words(call, said):
    with pytest.raises(InputError, match=said):
        call()
