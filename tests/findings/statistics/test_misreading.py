"""Corrected shares: each number beside an independent computation, and intervals held against simulation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tests.benchmarks.validity.misreading import NOBODY, Group, List, covered, group_covered
from toolkit.findings.statistics.misreading import (
    central_counts,
    corrected,
    explaining_sensitivity,
    explaining_specificity,
    prediction_powered,
    rates,
    rogan_gladen,
)

ZERO = [0, 0]


def reported(share, sensitivity, specificity):
    return share * sensitivity + (1 - share) * (1 - specificity)


def of_all(cells, others, **options):
    return corrected([NOBODY, NOBODY, cells, NOBODY], [ZERO, ZERO, others, ZERO], **options)


def test_an_index_of_300_is_reported_as_183_and_corrected_to_300():
    said = reported(np.array([0.0545, 0.0545 / 3]), 0.8, 0.98)
    assert round(100 * said[0] / said[1]) == 183
    true = rogan_gladen(said, 0.8, 0.98)
    assert true[0] / true[1] == pytest.approx(3)


def test_a_classifier_that_knows_nothing_corrects_nothing():
    assert np.isnan(rogan_gladen(0.3, 0.4, 0.6))
    assert rogan_gladen([0.01, 0.99], 0.8, 0.98).tolist() == [0, 1]


@given(st.lists(st.integers(0, 40), min_size=4, max_size=4), st.integers(0, 400), st.integers(1, 400))
@settings(max_examples=60)
def test_prediction_powered_is_ppi_with_the_power_that_makes_its_variance_least(cells, said, unsaid):
    cells = np.array(cells) + 1
    n, others = cells.sum(), said + unsaid
    true, answered = (cells[0] + cells[1]) / n, (cells[0] + cells[2]) / n
    power = (cells[0] / n - true * answered) / (answered * (1 - answered)) / (1 + n / others)
    expected = true + power * (said / others - answered)
    share = (said + cells[0] + cells[2]) / (n + others)
    assert float(prediction_powered(share, cells)) == pytest.approx(expected)


def test_where_all_sites_are_labelled_both_corrections_are_the_labelled_share():
    found = of_all([8, 2, 1, 39], ZERO)
    assert found["rogan_gladen"].value == pytest.approx(0.2)
    assert found["prediction_powered"].value == pytest.approx(0.2)
    low, high = stats.beta.ppf([0.025, 0.975], 10.5, 40.5)
    assert found["prediction_powered"].low == pytest.approx(low, abs=0.02)
    assert found["rogan_gladen"].high == pytest.approx(high, abs=0.02)


@given(st.lists(st.integers(0, 12), min_size=24, max_size=24))
@settings(max_examples=12)
def test_no_limit_leaves_what_is_possible(counts):
    cells, others = np.array(counts[:16]).reshape(4, 4), np.array(counts[16:]).reshape(4, 2)
    cells[0], others[0] = 0, 0  # the group is a part of its baseline
    sizes = cells.sum(axis=1) + others.sum(axis=1)
    for name, (value, low, high) in corrected(cells, others).items():
        most = 1.0 if not name.endswith("_ratio") else (sizes[1] + sizes[2]) / sizes[2] if sizes[2] else np.inf
        assert 0 <= low <= high <= most + 1e-9
        assert np.isnan(value) or value >= 0


def test_few_labels_say_little_and_none_nothing():
    few, many = of_all([4, 1, 1, 19], [190, 760]), of_all([40, 10, 10, 190], [190, 760])
    for name in ("rogan_gladen", "prediction_powered"):
        assert few[name].high - few[name].low > 2 * (many[name].high - many[name].low)
    none = of_all([0, 0, 1, 1], [190, 760])["rogan_gladen"]
    assert np.isnan(none.value)
    assert (none.low, none.high) == (0, 1)


@pytest.mark.parametrize(
    "case", [List(600, 60, 0.3, 0.8, 0.98), List(1000, 200, 0.1, 0.8, 0.98), List(300, 150, 0.5, 0.9, 0.9)]
)
def test_intervals_of_corrected_shares_cover_what_is_true(monkeypatch, case):
    monkeypatch.setattr("toolkit.findings.statistics.misreading.DRAWS", 400)
    found = covered(case, lists=300, seed=5)
    for name in ("rogan_gladen", "prediction_powered"):
        assert 0.91 <= found[name] <= 0.985


def test_intervals_of_corrected_indices_cover_what_is_true(monkeypatch):
    monkeypatch.setattr("toolkit.findings.statistics.misreading.DRAWS", 400)
    alike = group_covered(Group(600, 200, 0.4, 0.3, 0.1, (0.8, 0.98), (0.8, 0.98)), lists=250, seed=5)
    assert min(alike.values()) >= 0.91
    # Where errors differ, only labels of the group itself are right.
    unlike = group_covered(Group(2000, 600, 0.5, 0.2, 0.2, (0.9, 0.9), (0.8, 0.98)), lists=100, seed=5)
    assert unlike["prediction_powered_ratio"] >= 0.91
    assert unlike["rogan_gladen_ratio"] < 0.5


def smallest(share, baseline, least, which):
    """Return the smallest difference that a grid of true shares and rates has, by the forward formula."""
    best = np.nan
    true = np.linspace(0, 1, 501)[1:-1]
    for other in np.linspace(0, 1, 101):
        if which == "sensitivity":
            mine, base = (one / true - (1 / true - 1) * other for one in (share, baseline))
            good = np.minimum(mine, base) >= least - 1e-9
        else:
            mine, base = ((one - true * other) / (1 - true) for one in (share, baseline))
            good = np.maximum(mine, base) <= 1 - least + 1e-9
        good &= (np.minimum(mine, base) >= 0) & (np.maximum(mine, base) <= 1)
        if good.any():
            best = np.fmin(best, np.abs(mine - base)[good].min())
    return best


@pytest.mark.parametrize(
    ("share", "baseline", "least"),
    [(0.3, 0.2, 0.5), (0.2, 0.3, 0.5), (0.12, 0.08, 0.9), (0.08, 0.12, 0.9), (0.3, 0.2, 0.8), (0.6, 0.3, 0.5)],
)
def test_no_smaller_difference_of_the_classifier_explains_a_finding(share, baseline, least):
    for which, function in (("sensitivity", explaining_sensitivity), ("specificity", explaining_specificity)):
        group, base = (float(one) for one in function(share, baseline, least))
        expected = smallest(share, baseline, least, which)
        assert abs(group - base) == pytest.approx(expected, abs=0.006, nan_ok=True)
        if not np.isnan(group):
            # What finds more reports more, what errs more reports more.
            assert (group > base) == ((share > baseline) == (which == "sensitivity"))


def test_what_no_difference_explains_is_missing():
    assert np.isnan(explaining_sensitivity([0.3, 0.2, 0.0], [0.05, 0.0, 0.2], 0.5)).all()
    assert np.isnan(explaining_specificity(0.9, 0.3, 0.9)).all()


@pytest.mark.parametrize("chances", [[0.3], [0.2, 0.9, 0.5], [1.0, 1.0, 0.0], np.linspace(0.1, 0.9, 40).tolist()])
def test_limits_of_a_count_are_quantiles_of_all_outcomes(chances):
    of_count = np.ones(1)
    for chance in chances:
        of_count = np.convolve(of_count, [1 - chance, chance])
    below = np.cumsum(of_count)
    low, high = central_counts(chances)
    assert below[low] >= 0.025 - 1e-9
    assert low == 0 or below[low - 1] < 0.025
    assert below[high] >= 0.975 - 1e-9
    assert high == 0 or below[high - 1] < 0.975


def test_limits_of_many_are_those_of_the_exact_distribution():
    chances = np.random.default_rng(3).beta(8, 1, size=1200)
    exact = stats.binom.ppf([0.025, 0.975], 1200, 0.9)
    assert np.abs(np.array(central_counts(np.full(1200, 0.9))) - exact).max() <= 1
    low, high = central_counts(chances)
    drawn = (np.random.default_rng(4).random((4000, 1200)) < chances).sum(axis=1)
    assert 0.94 <= ((drawn >= low) & (drawn <= high)).mean() <= 0.97
    assert central_counts([]) == (0, 0)


def test_rates_of_nobody_are_missing():
    assert np.isnan(rates([0, 0, 3, 4])[0])
