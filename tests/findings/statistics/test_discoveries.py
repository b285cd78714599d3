"""The control of false discoveries: beside the formula written plainly, a published case, and simulations."""

import numpy as np
import pytest
from scipy import stats

from tests.benchmarks.validity.discoveries import benjamini_hochberg
from toolkit.findings.statistics.discoveries import discoveries, paired_discoveries
from toolkit.findings.statistics.proportions import two_proportion_p
from toolkit.findings.statistics.tables import paired_p
from toolkit.interface.errors import InputError

#: The example of S. Döhler, S. Durand, E. Roquain, New FDR bounds for discrete and heterogeneous tests, Electronic
#: Journal of Statistics 12 (2018), 1867-1900: nine kinds of events in 148 and 132 people.
FIRST = np.array([4, 2, 2, 14, 6, 9, 4, 0, 1])
SECOND = np.array([0, 0, 1, 3, 2, 1, 2, 2, 2])


def judged(k1, n1, k2, n2):
    """Return p and the margins of tables."""
    k1, n1, k2, n2 = np.broadcast_arrays(k1, n1, k2, n2)
    return two_proportion_p(k1, n1, k2, n2), np.stack([n1, n2, k1 + k2], axis=-1)


def plainly(p, margins, alternative="two-sided"):
    """Return the adjusted p by the formula, a test at a time."""
    attainable = []
    for n1, n2, have in margins:
        x = range(max(have - n2, 0), min(have, n1) + 1)
        rows = [[[a, n1 - a], [have - a, n2 - have + a]] for a in x]
        attainable.append(np.array([stats.fisher_exact(row, alternative).pvalue for row in rows]))
    return plainly_stepped(p, attainable)


def plainly_stepped(p, attainable):
    """Return the adjusted p by the formula, given the values that each test can have."""
    order, worst, adjusted = np.argsort(p, kind="stable"), 0.0, np.empty(len(p))
    for rank, place in enumerate(order, 1):
        chances = [max([*values[values <= p[place] * (1 + 1e-7)], 0.0]) for values in attainable]
        total = sum(np.inf if chance > 1 - 1e-9 else chance / (1 - chance) for chance in chances)
        worst = max(worst, total / rank)
        adjusted[place] = min(worst, 1.0)
    return adjusted


def test_the_published_case_has_two_findings_where_benjamini_and_hochberg_have_none():
    p, margins = judged(FIRST, 148, SECOND, 132)
    found = discoveries(p, margins)
    assert (benjamini_hochberg(p) < 0.05).sum() == 0
    assert (found < 0.05).sum() == 2
    assert found[[3, 5]] == pytest.approx([0.03819796, 0.03819796], abs=1e-8)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_formula(seed, alternative):
    chance = np.random.default_rng(seed)
    n1, n2 = chance.integers(1, 25, (2, 60))
    k1, k2 = chance.binomial(n1, 0.3), chance.binomial(n2, chance.choice([0.3, 0.8], 60))
    rows = zip(k1, n1, k2, n2, strict=True)
    p = np.array([stats.fisher_exact([[a, m - a], [b, n - b]], alternative).pvalue for a, m, b, n in rows])
    margins = np.stack([n1, n2, k1 + k2], axis=1)
    theirs = plainly(p, margins, alternative)
    np.testing.assert_allclose(discoveries(p, margins, alternative=alternative), theirs, rtol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_of_changes_in_pairs_it_is_the_formula_with_binomial_probabilities(seed):
    chance = np.random.default_rng(seed)
    changed = chance.integers(0, 30, 60)
    gained = chance.binomial(changed, chance.choice([0.5, 0.9], 60))
    p = np.array([stats.binomtest(int(k), int(n)).pvalue if n else 1.0 for k, n in zip(gained, changed, strict=True)])
    attainable = [
        np.array([stats.binomtest(k, int(n)).pvalue for k in range(n + 1)]) if n else np.ones(1) for n in changed
    ]
    theirs = plainly_stepped(p, attainable)
    np.testing.assert_allclose(paired_discoveries(p, changed), theirs, rtol=1e-6)
    with_none = paired_discoveries(np.append(p, np.nan), np.append(changed, 7))
    np.testing.assert_allclose(with_none, np.append(theirs, np.nan), rtol=1e-6)


def test_many_changes_and_tiny_p_are_adjusted_as_well():
    gained, lost = np.array([500_000, 60_000, 40_000]), np.array([501_000, 20_000, 40_100])
    p = paired_p(gained, lost)
    found = paired_discoveries(p, gained + lost)
    assert p[1] < 1e-300
    assert found[1] <= 3 * p[1]
    assert ((p <= found * 1.001) & (found <= 1)).all()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([0.5, 2.0], [1, 1]), "A p is not between 0 and 1"),
        (([0.5], [1, 1]), r"shapes \(1,\) and \(2,\)"),
        (([0.5], [-1]), "A count is no whole number"),
        ((["x"], [1]), "p is no number"),
    ],
)
def test_what_are_no_tests_of_changes_is_refused_with_words(arguments, said):
    with pytest.raises(InputError, match=said):
        paired_discoveries(*arguments)


def test_a_test_that_can_have_any_p_counts_with_the_p_itself():
    p = np.array([0.001, 0.01, 0.4])
    odds = p / (1 - p)
    found = discoveries(p, [[500, 500, 400]] * 3, exact=[False] * 3)
    assert found == pytest.approx([3 * odds[0], 3 * odds[1] / 2, 3 * odds[2] / 3])
    mixed = discoveries([1e-4, 2e-4], [[5000, 5000, 4000], [1, 29, 3]], exact=[False, True])
    assert mixed[0] == pytest.approx(1e-4 / 0.9999)


def test_large_tables_and_tiny_p_are_adjusted_as_well():
    p, margins = judged([900, 15_000, 0], [1_000, 30_000, 40], [100, 500, 3], [900_000, 970_000, 80])
    found = discoveries(p, margins)
    assert (found[:2] <= 3 * p[:2]).all()
    assert (found >= 0).all()
    assert 0.5 < found[2] <= 1
    assert discoveries([0.0], [[10**6, 10**6, 10**6]]).tolist() == [0.0]


def test_tests_that_can_show_nothing_cost_nothing_and_what_was_not_tested_stays_out():
    p, margins = judged([4], 4, [1], 26)
    more = np.tile([1, 29, 3], (500, 1))
    alone = discoveries(p, margins)
    assert alone[0] < 0.001
    among = discoveries(np.append(p, np.full(500, 0.1)), np.append(margins, more, axis=0))
    assert among[0] == alone[0]
    with_none = discoveries(np.append(p, np.nan), np.append(margins, [[30, 30, 30]], axis=0))
    np.testing.assert_array_equal(with_none, [alone[0], np.nan])
    assert discoveries([], np.empty((0, 3))).shape == (0,)


def simulated(chance, share1, share2, n1, n2):
    """Return the adjusted p of one made-up family of independent tests, by both procedures."""
    p, margins = judged(chance.binomial(n1, share1), n1, chance.binomial(n2, share2), n2)
    return discoveries(p, margins), benjamini_hochberg(p)


def test_without_any_difference_hardly_a_family_in_twenty_has_a_finding():
    chance = np.random.default_rng(5)
    share = np.minimum(chance.beta(0.6, 4, (400, 150)), 0.9)
    any_found = [(simulated(chance, part, part, 10, 50)[0] < 0.05).any() for part in share]
    assert 0.005 < np.mean(any_found) < 0.07


def test_it_finds_more_than_benjamini_and_hochberg_with_as_few_false_ones():
    chance = np.random.default_rng(6)
    found, plain, false = 0, 0, []
    for _ in range(60):
        share1 = np.minimum(chance.beta(0.6, 4, 150), 0.9)
        share2 = share1.copy()
        share1[:8], share2[:8] = 0.9, 0.15
        ours, theirs = simulated(chance, share1, share2, 6, 54)
        found, plain = found + (ours[:8] < 0.05).sum(), plain + (theirs[:8] < 0.05).sum()
        false.append((ours[8:] < 0.05).sum() / max((ours < 0.05).sum(), 1))
    assert found > 1.1 * plain
    assert np.mean(false) < 0.05


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([0.5, 2.0], [[1, 1, 1]] * 2), "A p is not between 0 and 1"),
        (([0.5], [[1, 1]]), r"shapes \(1,\) and \(1, 2\)"),
        (([0.5], [[1, 1, 3]]), "A margin is no count"),
        (([0.5], [[1, 1, 0.5]]), "A margin is no count"),
        ((["x"], [[1, 1, 1]]), "are no numbers"),
    ],
)
def test_what_is_no_family_of_tests_is_refused_with_words(arguments, said):
    with pytest.raises(InputError, match=said):
        discoveries(*arguments)
    with pytest.raises(InputError, match="'both' is not known"):
        discoveries([0.5], [[1, 1, 1]], alternative="both")
    with pytest.raises(InputError, match="exact has the shape"):
        discoveries([0.5], [[1, 1, 1]], exact=[True, True])
