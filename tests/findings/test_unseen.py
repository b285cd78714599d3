"""Accumulation: exact curves, and estimates of the unseen against their sources and against simulated truth."""

import itertools
from fractions import Fraction
from math import comb, exp, log, prod, sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal
from scipy.stats import hypergeom

from toolkit import frames
from toolkit.findings.coverage import coverage
from toolkit.findings.unseen import accumulation, chao2, expected_seen, further_sites, sample_coverage, unseen
from toolkit.interface.errors import InputError
from toolkit.interface.taxonomy import Taxonomy

CURVE = {
    "sites": "int64",
    "seen": "float64",
    "low": "float64",
    "high": "float64",
    "error": "float64",
    "kind": "str",
}
ROW = {
    **dict.fromkeys(("sites", "seen", "once", "twice"), "int64"),
    **dict.fromkeys(("estimate", "low", "high"), "float64"),
    **{f"more_sites_for_{goal}": "Int64" for goal in (90, 95, 99)},
    "nodes": "int64",
    "capped": "bool",
    **dict.fromkeys(("error", "completeness", "sample_coverage"), "float64"),
}
#: Trees of Barro Colorado Island in 50 plots: 225 species, 21 of them in one plot and 19 in two. The `specpool` of R's
#: package vegan prints for them chao 236.3732 and chao.se 6.54361; what the other species' plots are does not matter.
BARRO_COLORADO = [1] * 21 + [2] * 19 + [10] * 185
#: Camera traps of the vignette on rarefaction and extrapolation of R's package ct, of which two versions print what R's
#: package iNEXT finds: 2,182 days with 148 records of 10 species, 4 on one day, one on two, one on six; and 260 days
#: with 119 of 10, 5 on one, one on two, one on ten. The other species' days are not printed; only their sum enters the
#: results compared here.
CAMERAS = [1, 1, 1, 1, 2, 6, 34, 34, 34, 34]
FEW_CAMERAS = [1, 1, 1, 1, 1, 2, 10, 34, 34, 34]


def categories(shown):
    """A categories frame of the ids of each site."""
    rows = [(f"{site}.example", name) for site, names in enumerate(shown) for name in names or [None]]
    frame = pd.DataFrame(rows, columns=["target", "id"]).astype("str")
    return frame.assign(normal=frame["target"], taxonomy="content-v3", confidence=0.9, error=None)


def curve_of(counts, sites, at):
    return expected_seen(counts, sites, at)[0].tolist()


def simulated(chances, sites, times, seed):
    """Numbers of sites that show each category, of many samples."""
    return np.random.default_rng(seed).binomial(sites, chances, size=(times, len(chances)))


@pytest.fixture(scope="session")
def frame(client):
    names = ["torque-journal", "ledgerline", "trailhead-outfitters", "cityherald-news", "azure-cove-resort", "nowhere"]
    return client.ask([f"{name}.example" for name in names], ["categorize_content"]).categories()


@given(shown=st.lists(st.sets(st.integers(0, 7)), min_size=1, max_size=6))
@settings(max_examples=60)
def test_curve_is_the_mean_over_all_choices_of_sites(shown):
    n = len(shown)
    counts = [sum(name in names for names in shown) for name in range(8)]
    for size, found in zip(range(1, n + 1), curve_of(counts, n, range(1, n + 1)), strict=True):
        choices = [len(set().union(*chosen)) for chosen in itertools.combinations(shown, size)]
        assert found == pytest.approx(float(Fraction(sum(choices), len(choices))), abs=1e-9)


def test_curve_of_a_frame_is_the_mean_over_all_orders_of_its_sites(frame):
    covered = coverage(frame)
    taxonomy = Taxonomy.load()
    known = frame[frame["taxonomy"] == "content-v3"].dropna(subset="id")
    shown = [
        {found for name in names for found in (name, *(above.id for above in taxonomy.ancestors(name)))}
        for _, names in known.groupby("normal")["id"]
    ]
    orders = list(itertools.permutations(shown))
    mean = [np.mean([len(set().union(*order[:size])) for order in orders]) for size in range(1, 6)]
    for given_frame in (frame, covered):
        curve = accumulation(given_frame, until=5)
        assert curve["sites"].tolist() == [1, 2, 3, 4, 5]
        assert curve["seen"].tolist() == pytest.approx(mean)
    assert mean[-1] == covered["seen"].sum()


def test_curve_is_the_hypergeometric_distribution_of_scipy():
    counts, n = np.array([1, 2, 3, 17, 400, 999, 1000]), 1000
    at = np.array([1, 10, 500, 998, 999, 1000])
    wanted = [(1 - hypergeom.pmf(0, n, counts, size)).sum() for size in at]
    assert curve_of(counts, n, at) == pytest.approx(wanted, rel=1e-9)


def test_curve_stays_exact_for_a_million_sites():
    n, count, size = 10**6, 7, 250_000
    without = prod(Fraction(n - size - step, n - step) for step in range(count))
    assert curve_of([count], n, [size])[0] == pytest.approx(float(1 - without), rel=1e-7)


def test_error_of_the_curve_is_that_of_colwell_mao_and_chang():
    counts, n, size = [1, 1, 1, 2, 2, 3], 5, 2
    times = {1: 3, 2: 2, 3: 1}
    chance = {count: 1 - comb(n - count, size) / comb(n, size) for count in times}
    expected = sum(chance[count] * number for count, number in times.items())
    every = 6 + 4 / 5 * 3**2 / (2 * 2)
    variance = sum(chance[count] ** 2 * number for count, number in times.items()) - expected**2 / every
    found, error = expected_seen(counts, n, [size])
    assert (found[0], error[0]) == pytest.approx((expected, sqrt(variance)))


def test_estimate_is_that_of_vegan_for_barro_colorado():
    found = chao2(BARRO_COLORADO, 50)
    assert (found.seen, found.once, found.twice) == (225, 21, 19)
    assert found.estimate == pytest.approx(236.3732, abs=5e-5)
    assert found.error == pytest.approx(6.54361, abs=5e-6)


@pytest.mark.parametrize(
    ("counts", "sites", "estimate", "seen_by", "covered"),
    [
        (CAMERAS, 2182, 17.996334, {1: 0.06782768, 2182: 10, 3216: 11.68742261, 4364: 13.14714588}, 0.9729792),
        (FEW_CAMERAS, 260, 22.451923, {1: 0.4576923, 260: 10, 383: 12.1527849, 520: 14.1154484}, 0.9580480),
    ],
)
def test_estimate_and_curve_are_those_of_inext(counts, sites, estimate, seen_by, covered):
    assert chao2(counts, sites).estimate == pytest.approx(estimate, abs=5e-7)
    assert curve_of(counts, sites, list(seen_by)) == pytest.approx(list(seen_by.values()), abs=5e-8)
    assert sample_coverage(counts, sites) == pytest.approx(covered, abs=5e-8)


def test_interval_is_chaos_by_hand():
    # 21 once, 19 twice of 225 in 50: 0.98 * 441 / 38 = 11.3732 unseen; error 6.5436.
    hidden, error = 0.98 * 441 / 38, 6.54361
    factor = exp(1.959964 * sqrt(log(1 + (error / hidden) ** 2)))
    found = chao2(BARRO_COLORADO, 50)
    assert (found.low, found.high) == pytest.approx((225 + hidden / factor, 225 + hidden * factor), abs=1e-3)


def test_without_categories_of_two_sites_the_corrected_form_is_used():
    # Four of one site, two of five, in 10 sites: 0.9 * 4 * 3 / 2 = 5.4 unseen.
    found = chao2([1, 1, 1, 1, 5, 5], 10)
    assert found.estimate == pytest.approx(6 + 5.4)
    variance = 0.9 * 4 * 3 / 2 + 0.81 * 4 * 7**2 / 4 - 0.81 * 4**4 / 4 / 11.4
    assert found.error == pytest.approx(sqrt(variance))
    assert sample_coverage([1, 1, 1, 1, 5, 5], 10) == pytest.approx(1 - 4 / 14 * 27 / 29)


@pytest.mark.parametrize("counts", [[3, 4, 5], [1, 4, 5]])
def test_with_no_sign_of_unseen_ones_the_estimate_is_what_is_seen(counts):
    found = chao2(counts, 6)
    assert found.estimate == found.low == 3
    assert 3 < found.high < 5
    assert further_sites(counts, 6, 0.99) == 0
    missed = exp(-sum(counts) / 3)
    assert found.error == pytest.approx(sqrt(3 * missed * (1 - missed)))
    assert found.high == pytest.approx(3 / (1 - missed) + 1.959964 * sqrt(3 * missed / (1 - missed)), rel=1e-6)


def test_more_sites_are_those_of_chao_and_others_2009():
    once, twice, sites, seen = 21, 19, 50, 225
    estimate = chao2(BARRO_COLORADO, sites).estimate
    for share in (0.96, 0.98, 0.99, 0.999):
        part = 1 - sites / (sites - 1) * 2 * twice / once**2 * (share * estimate - seen)
        wanted = log(part) / log(1 - 2 * twice / ((sites - 1) * once + 2 * twice))
        assert further_sites(BARRO_COLORADO, sites, share) == int(np.ceil(wanted))
    assert further_sites(BARRO_COLORADO, sites, 0.95) == 0


@given(counts=st.lists(st.integers(0, 9), max_size=30), share=st.floats(0, 0.999))
@settings(max_examples=150)
def test_the_curve_reaches_the_share_with_so_many_more_sites_and_no_fewer(counts, share):
    found, more = chao2(counts, 9), further_sites(counts, 9, share)
    if not any(counts):
        assert more is None
        return
    reached = curve_of(counts, 9, [9 + more, 9 + max(more - 1, 0)])
    assert reached[0] >= share * found.estimate - 1e-9
    if more:
        assert reached[1] < share * found.estimate


@given(counts=st.lists(st.integers(0, 12), max_size=40), extra=st.integers(0, 5))
@settings(max_examples=200)
def test_an_estimate_is_never_less_than_what_is_seen(counts, extra):
    sites = 12 + extra
    found = chao2(counts, sites)
    seen = sum(count > 0 for count in counts)
    assert found.seen == seen
    if not seen:
        assert np.isnan([found.estimate, found.error, found.low, found.high]).all()
        return
    assert seen <= found.low <= found.estimate + 1e-9
    assert found.estimate <= found.high + 1e-9
    assert found.error >= 0
    assert 0 <= sample_coverage(counts, sites) <= 1
    at = np.arange(1, 3 * sites)
    expected, error = expected_seen(counts, sites, at)
    assert (np.diff(expected) >= -1e-9).all()
    assert (np.diff(expected, 2) <= 1e-9).all()
    assert expected[sites - 1] == pytest.approx(seen)
    assert (expected <= found.estimate + 1e-9).all()
    assert not np.isnan(error).any()


@given(once=st.integers(2, 30), twice=st.integers(0, 20), more=st.integers(0, 30), sites=st.integers(5, 99))
@settings(max_examples=100)
def test_errors_of_the_curve_meet_at_the_sample_and_end_at_the_estimates(once, twice, more, sites):
    counts = [1] * once + [2] * twice + [4] * more
    found = chao2(counts, sites)
    error = expected_seen(counts, sites, [sites, sites + 1e-9, 10**9])[1]
    # A root hides what rounding leaves of a variance that is 0, so variances are compared.
    assert error[0] ** 2 == pytest.approx(error[1] ** 2, abs=1e-5)
    assert error[2] ** 2 == pytest.approx(found.error**2, rel=1e-6, abs=1e-6)


def test_intervals_hold_the_truth_where_categories_are_equally_frequent():
    chances, sites = np.full(200, 0.03), 60
    found = [chao2(counts, sites) for counts in simulated(chances, sites, 1000, seed=11)]
    held = np.mean([one.low <= 200 <= one.high for one in found])
    assert 0.92 <= held <= 0.97
    assert np.mean([one.estimate for one in found]) == pytest.approx(200, rel=0.02)
    assert np.std([one.estimate for one in found]) == pytest.approx(np.mean([one.error for one in found]), rel=0.1)


def test_the_estimate_is_a_lower_bound_where_categories_differ():
    chances = np.random.default_rng(5).beta(0.5, 8, 300)
    sites = 60
    found = [chao2(counts, sites) for counts in simulated(chances, sites, 600, seed=12)]
    seen = (1 - (1 - chances) ** sites).sum()
    once = (sites * chances * (1 - chances) ** (sites - 1)).sum()
    twice = (comb(sites, 2) * chances**2 * (1 - chances) ** (sites - 2)).sum()
    bound = seen + (sites - 1) / sites * once**2 / (2 * twice)
    assert bound < 300
    assert np.mean([one.estimate for one in found]) == pytest.approx(bound, rel=0.02)
    # The interval is one of the bound; it rarely reaches the truth, and never lies above it.
    assert np.mean([one.low <= bound <= one.high for one in found]) >= 0.92
    assert np.mean([one.low <= 300 <= one.high for one in found]) < 0.5
    assert np.mean([one.low > 300 for one in found]) <= 0.025


def test_curve_and_its_errors_are_those_of_simulated_further_samples():
    chances, sites, at = np.full(200, 0.03), 60, np.array([20, 60, 120])
    curves, errors = zip(
        *(expected_seen(counts, sites, at) for counts in simulated(chances, sites, 600, seed=13)), strict=True
    )
    truth = [(1 - (1 - chances) ** size).sum() for size in at]
    assert np.mean(curves, axis=0) == pytest.approx(truth, rel=0.01)
    # Of the expected number of another sample: that spreads as the curves of samples do.
    assert np.mean(errors, axis=0) == pytest.approx(np.std(curves, axis=0), rel=0.12)


def test_columns_and_dtypes_are_the_same_for_no_site_one_and_many(frame):
    for shown in ([], [["1"]], [["1", "2"], ["150"]], [[]]):
        some = categories(shown)
        assert {name: str(kind) for name, kind in accumulation(some).dtypes.items()} == CURVE
        row = unseen(some)
        assert {name: str(kind) for name, kind in row.dtypes.items()} == ROW
        assert len(row) == 1
        assert len(accumulation(some)) == (0 if not shown else 2 * len(shown))
    assert {name: str(kind) for name, kind in unseen(frame).dtypes.items()} == ROW


def test_nothing_is_estimated_from_one_site_or_from_nothing():
    for shown in ([], [["1"]], [[], []]):
        row = unseen(categories(shown)).iloc[0]
        needing = ["estimate", "low", "high", "more_sites_for_95", "error", "completeness", "sample_coverage"]
        assert row[needing].isna().all()
        assert not row["capped"]


def test_one_row_of_the_frame_is_what_the_counts_say(frame):
    covered = coverage(frame)
    row = unseen(frame).iloc[0]
    found = chao2(covered["sites"], 5)
    assert row["sites"] == 5
    assert row["seen"] == covered["seen"].sum() == found.seen
    assert row[["once", "twice"]].tolist() == [found.once, found.twice]
    assert row[["estimate", "low", "high"]].tolist() == pytest.approx([found.estimate, found.low, found.high])
    assert row["more_sites_for_95"] == further_sites(covered["sites"], 5, 0.95) > 0
    assert row["completeness"] == found.seen / found.estimate
    assert row["nodes"] == 703
    about = unseen(frame).attrs["about"]
    assert (about["taxonomy"], about["tier"], about["level"], about["failed"]) == ("content-v3", None, 0.95, 1)


def test_no_number_is_above_that_of_the_categories_there_are():
    tops = [category.id for category in Taxonomy.load().tier(1)]
    some = categories([[name] for name in tops[:30]])
    row, curve = unseen(some, tier=1).iloc[0], accumulation(some, tier=1)
    assert chao2([1] * 30, 30).estimate > 37
    assert row[["estimate", "high", "nodes"]].tolist() == [37, 37, 37]
    assert row["capped"]
    assert curve[["seen", "low", "high"]].max().tolist() == [37, 37, 37]
    reached = curve_of([1] * 30, 30, [30 + row["more_sites_for_95"]])
    assert reached[0] == pytest.approx(0.95 * 37, abs=1)
    assert unseen(some, tier=1).attrs["about"]["tier"] == 1


def test_a_tier_is_counted_by_itself(frame):
    covered = coverage(frame)
    for tier in (1, 2, 3):
        rows = covered[covered["tier"] == tier]
        assert unseen(frame, tier=tier).loc[0, "seen"] == rows["seen"].sum()
        assert_frame_equal(unseen(rows), unseen(frame, tier=tier))


def test_a_coverage_may_be_given_instead_of_the_frame(frame):
    covered = coverage(frame, "content-v2", threshold=0.5, sites=["ledgerline.example", "torque-journal.example"])
    same = {"threshold": 0.5, "sites": ["ledgerline.example", "torque-journal.example"]}
    assert_frame_equal(accumulation(covered), accumulation(frame, "content-v2", **same))
    assert_frame_equal(unseen(covered), unseen(frame, "content-v2", **same))


def test_interests_accumulate_too(client, vocabulary):
    answers = frames.codes(
        [client.segment(f"{name}.example") for name in ("torque-journal", "ledgerline", "careerlift")]
    )
    curve = accumulation(answers, "interest", vocabulary=vocabulary, threshold="low")
    assert curve["seen"].iloc[2] == coverage(answers, "interest", vocabulary=vocabulary, threshold="low")["seen"].sum()
    assert unseen(answers, "purchase_intent", vocabulary=vocabulary).loc[0, "sites"] == 3


@pytest.mark.parametrize(("points", "until"), [(200, None), (3, None), (50, 100_000), (7, 40), (4, 1)])
def test_the_grid_has_few_points_and_always_the_sites_there_are(points, until):
    tops = [category.id for category in Taxonomy.load().tier(1)]
    curve = accumulation(categories([[tops[site % 30]] for site in range(300)]), points=points, until=until)
    last = 600 if until is None else until
    assert len(curve) <= points
    assert curve["sites"].is_unique
    assert curve["sites"].is_monotonic_increasing
    assert curve["sites"].iloc[-1] == last
    assert (300 in curve["sites"].tolist()) == (last >= 300)
    assert (curve["kind"] == np.where(curve["sites"] <= 300, "interpolated", "extrapolated")).all()
    assert (curve["low"] <= curve["seen"]).all()
    assert (curve["seen"] <= curve["high"]).all()


def test_wider_levels_give_wider_intervals(frame):
    narrow, wide = (unseen(frame, level=level).iloc[0] for level in (0.5, 0.99))
    assert wide["low"] < narrow["low"] < narrow["estimate"] == wide["estimate"] < narrow["high"] < wide["high"]
    curves = [accumulation(frame, level=level) for level in (0.5, 0.99)]
    assert (curves[0]["high"] < curves[1]["high"]).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda frame: accumulation(frame, until=0), "until=0 must be a whole number of at least 1"),
        (lambda frame: accumulation(frame, until=2.5), r"until=2\.5 must be a whole number"),
        (lambda frame: accumulation(frame, points=1), "points=1 must be a whole number of at least 3"),
        (lambda frame: accumulation(frame, level=95), "The level 95 is not between 0 and 1"),
        (lambda frame: unseen(frame, level="high"), "The level 'high' is not between 0 and 1"),
        (lambda frame: unseen(frame, tier=5), r"There is no tier 5\. Pass one of \[1, 2, 3, 4\]"),
        (lambda frame: unseen(frame, "interest"), r"Pass vocabulary="),
        (lambda frame: unseen([1, 2]), "not list"),
        (lambda frame: unseen(lost(coverage(frame))), "This coverage lost its attrs"),
        (lambda frame: chao2([3], 2), "counts must be whole numbers from 0 to the 2 sites"),
        (lambda frame: chao2([-1], 2), "counts must be whole numbers"),
        (lambda frame: expected_seen([0.5], 2, [1]), "counts must be whole numbers"),
        (lambda frame: further_sites([1], 2, 1), r"share=1 is out of reach"),
    ],
)
def test_wrong_arguments_are_refused_at_the_door(frame, call, message):
    with pytest.raises(InputError, match=message):
        call(frame)


def lost(covered):
    covered.attrs = {}
    return covered


@pytest.mark.parametrize(("counts", "sites"), [([2] * 40, 12), ([3] * 1000, 50)])
def test_the_interval_holds_the_estimate_where_nothing_speaks_for_unseen_categories(counts, sites):
    found = chao2(counts, sites)
    assert (found.estimate, found.low) == (len(counts), len(counts))
    assert found.high > found.low
