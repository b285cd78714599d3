"""How many sites it takes: against simulated outcomes of the test that comparisons use."""

import numpy as np
import pandas as pd
import pytest

from tests.benchmarks.validity.samples import called, family_of, shown
from toolkit.findings import compare, shares, sites_needed, smallest_index
from toolkit.interface.errors import InputError

POINTS = 0.03


@pytest.mark.parametrize(
    ("base", "index", "groups", "family"), [(0.2, 200, 2, 1), (0.05, 300, 4, 100), (0.3, 40, 3, 400)]
)
def test_power_with_so_many_sites_is_as_simulated(base, index, groups, family):
    row = sites_needed(base, index, groups, family, baseline="rest").iloc[0]
    n = int(row["sites"])
    sizes = n, n * (groups - 1)
    found = shown(tuple(row[["group_share", "rest_share"]]), sizes, 0.05 / family, np.random.default_rng(1))
    assert found == pytest.approx(row["power"], abs=POINTS)
    assert 0.8 <= row["power"] < 0.8 + POINTS
    assert row["all_sites"] == n * groups
    fewer = round(0.8 * n)
    sizes = fewer, fewer * (groups - 1)
    found = shown(tuple(row[["group_share", "rest_share"]]), sizes, 0.05 / family, np.random.default_rng(1))
    assert found < 0.8 - POINTS


def test_power_in_a_family_of_known_shares_is_that_of_the_procedure_of_comparisons():
    rng = np.random.default_rng(3)
    shares = family_of(50, 0.1, rng)
    row = sites_needed(0.1, 400, 3, pd.DataFrame({"share": shares}), baseline="rest").iloc[0]
    n = int(row["sites"])
    found = called((row["group_share"], 0.1), n, shares, 3, rng, runs=600)
    # Three points, and two standard errors of 600 runs.
    assert found == pytest.approx(row["power"], abs=POINTS + 2 * np.sqrt(0.16 / 600))
    assert n < sites_needed(0.1, 400, 3, 150, baseline="rest")["sites"].iloc[0]


@pytest.mark.parametrize(("n", "rest", "base"), [(20, 60, 0.1), (40, 100, 0.3), (60, 120, 0.7)])
def test_smallest_and_largest_index_are_shown_as_often_as_said(n, rest, base):
    row = smallest_index(n, rest, base, family=20).iloc[0]
    assert row["smallest_index"] == pytest.approx(100 * row["smallest_share"] / base)
    for name in ("smallest_share", "largest_share"):
        if not np.isnan(row[name]):
            found = shown((row[name], base), (n, rest), 0.05 / 20, np.random.default_rng(2))
            assert found == pytest.approx(0.8, abs=POINTS)


def test_the_two_answers_agree():
    n = int(sites_needed(0.2, 250, 4, 60, baseline="rest")["sites"].iloc[0])
    index = smallest_index(n, 3 * n, 0.2, family=60)["smallest_index"].iloc[0]
    assert index == pytest.approx(250, abs=3)


def test_index_is_of_all_sites_unless_the_rest_is_asked_for():
    whole, rest = (sites_needed(0.2, 150, 4, baseline=name).iloc[0] for name in (None, "rest"))
    assert whole["group_share"] == rest["group_share"] == pytest.approx(0.3)
    # A quarter has 0.3 and all together 0.2: three quarters have 0.5 / 3.
    assert whole["rest_share"] == pytest.approx(0.5 / 3)
    assert rest["rest_share"] == 0.2
    assert whole["sites"] < rest["sites"]


def test_one_row_a_share_and_index_and_more_is_needed_for_less():
    found = sites_needed([0.1, 0.2], [130, 150, 190], 2, 10)
    assert found[["base_share", "index"]].values.tolist() == [[b, i] for b in (0.1, 0.2) for i in (130, 150, 190)]
    sites = found["sites"].to_numpy(dtype=int).reshape(2, 3)
    assert (np.diff(sites, axis=1) < 0).all()
    assert (np.diff(sites, axis=0) < 0).all()
    about = {"baseline": "all sites", "design_effect": 1.0, "power": 0.8, "level": 0.05}
    assert found.attrs["about"] == about


def test_what_is_out_of_reach_is_missing():
    row = sites_needed(0.2, 101, most=1000).iloc[0]
    assert row[["sites", "all_sites", "power"]].isna().all()


def comparison(shops, others):
    """Return a comparison of 12 shops and 28 other sites with one code."""
    targets = [f"s{number}.example" for number in range(40)]
    have = targets[:shops] + targets[12 : 12 + others]
    frame = pd.DataFrame({"target": have, "dimension": "persona", "code": "Cook"})
    return frame, {"shops": targets[:12], "rest of them": targets[12:]}, targets


@pytest.mark.parametrize("baseline", [None, "rest", "rest of them"])
def test_a_finished_comparison_is_told_the_share_and_index_it_could_have_shown(baseline):
    frame, groups, targets = comparison(4, 7)
    compared = compare(frame, groups, baseline, sites=targets)
    found = smallest_index(compared)
    assert len(found) == len(compared)
    row = found.iloc[0]
    assert row[["n", "rest_n", "rest_share"]].tolist() == [12, 28, 0.25]
    share = shown((row["smallest_share"], 0.25), (12, 28), found.attrs["about"]["threshold"], np.random.default_rng(4))
    assert share == pytest.approx(0.8, abs=POINTS)
    base = 0.25 if baseline else (12 * row["smallest_share"] + 28 * 0.25) / 40
    assert row["smallest_index"] == pytest.approx(100 * row["smallest_share"] / base)
    if baseline == "rest of them":
        assert found.iloc[1][["smallest_share", "smallest_index", "largest_share"]].isna().all()


def test_what_nobody_else_has_has_a_share_but_no_index():
    frame, groups, targets = comparison(4, 0)
    row = smallest_index(compare(frame, groups, "rest", sites=targets)).iloc[0]
    assert 0 < row["smallest_share"] < 1
    assert np.isnan(row["smallest_index"])


def pages(domains, each, have, group):
    """Return a codes frame of domains with so many pages that are all alike, groups of domains, and all pages."""
    names = [[f"https://d{number:03}.example/{page}" for page in range(each)] for number in range(domains)]
    rows = [(name, code) for code, places in have.items() for place in places for name in names[place]]
    frame = pd.DataFrame(rows, columns=["target", "code"]).assign(dimension="persona")
    mine = [name for place in group for name in names[place]]
    return frame, {"mine": mine}, [name for some in names for name in some]


HAVE = {"Cook": range(0, 60, 4), "Gardener": range(1, 60, 3), "Cyclist": range(5)}


@pytest.mark.parametrize("baseline", [None, "rest"])
def test_pages_that_are_alike_could_have_shown_what_as_many_sites_as_domains_could(baseline):
    several, single = (pages(60, each, HAVE, range(20)) for each in (5, 1))
    found, alone = (
        smallest_index(compare(frame, groups, baseline, sites=names)) for frame, groups, names in (several, single)
    )
    assert found["n"].tolist() == (5 * alone["n"]).tolist()
    assert found["n_effective"].tolist() == pytest.approx(alone["n"], rel=0.1)
    assert found["smallest_share"].tolist() == pytest.approx(alone["smallest_share"], rel=0.1)
    uncounted = smallest_index(compare(*several[:2], baseline, sites=several[2], cluster=None))
    told = uncounted["smallest_index"].notna()
    assert (found["smallest_index"] > 1.2 * uncounted["smallest_index"])[told].all()


def test_two_domains_of_ten_could_have_shown_nothing_however_many_pages_they_have():
    rng = np.random.default_rng(8)
    frame, groups, names = pages(10, 30, {"Cook": range(0, 10, 3)}, range(2))
    # Of pages that differ within each domain, too, the counts alone would tell more than the domains can.
    frame = frame[rng.random(len(frame)) < 0.4]
    more = pd.DataFrame({"target": [name for name in names if rng.random() < 0.2]})
    frame = pd.concat([frame, more.assign(code="Cyclist", dimension="persona")])
    compared = compare(frame, groups, "rest", sites=names)
    assert (compared["least_p"] > 0.02).all()
    found = smallest_index(compared, level=0.01)
    assert found["n_effective"].max() > 2
    assert found[["smallest_share", "smallest_index", "largest_share", "largest_index"]].isna().all(axis=None)


def test_sites_that_are_in_the_group_and_in_its_baseline_are_not_tested_against_themselves():
    frame, groups, targets = comparison(4, 7)
    mine, rest = groups.values()
    crossed = smallest_index(compare(frame, {"mine": mine}, mine[:6] + rest, sites=targets)).iloc[0]
    apart = smallest_index(compare(frame, {"mine": mine[6:]}, rest, sites=targets)).iloc[0]
    assert crossed[["n", "rest_n"]].tolist() == [6, 28]
    assert crossed["smallest_share"] == apart["smallest_share"]
    # Of the six in both four have it: the group would have them beside what its own six had.
    share = (6 * crossed["smallest_share"] + 4) / 12
    assert crossed["smallest_index"] == pytest.approx(100 * share / ((7 + 4) / 34))
    same = smallest_index(compare(frame, {"mine": mine}, mine, sites=targets))
    assert same[["smallest_share", "smallest_index"]].isna().all(axis=None)


def test_rows_that_were_tested_and_taken_out_since_still_count():
    frame, groups, names = pages(60, 1, HAVE, range(20))
    compared = compare(frame, groups, "rest", sites=names)
    every, some = smallest_index(compared), smallest_index(compared[compared["code"].eq("Cook")])
    assert some.attrs["about"]["family"] == every.attrs["about"]["family"] == 3
    assert some["smallest_share"].iloc[0] >= every.loc[every["code"].eq("Cook"), "smallest_share"].iloc[0]


def test_two_halves_are_one_test_and_not_two():
    frame, one, names = pages(60, 1, HAVE, range(20))
    both = one | {"others": names[20:]}
    thresholds = [
        smallest_index(compare(frame, groups, baseline, sites=names)).attrs["about"]["threshold"]
        for groups in (one, both)
        for baseline in (None, "rest")
    ]
    assert len(set(thresholds)) == 1


def test_pages_of_domains_take_as_many_times_more_as_they_say_less():
    frame, _, names = pages(60, 5, HAVE, ())
    family = shares(frame, sites=names)
    effect = family["n"].sum() / family["n_effective"].sum()
    alone = sites_needed(0.2, 250, 2, family.drop(columns="n_effective"), baseline="rest").iloc[0]
    found = sites_needed(0.2, 250, 2, family, baseline="rest")
    assert effect == pytest.approx(5, rel=0.1)
    assert found["sites"].iloc[0] == np.ceil(effect * alone["sites"])
    assert found["power"].iloc[0] == alone["power"]
    assert found.attrs["about"]["design_effect"] == effect
    assert sites_needed(0.2, 150, design_effect=3)["sites"].iloc[0] == 3 * sites_needed(0.2, 150)["sites"].iloc[0]
    assert sites_needed(0.2, 110, design_effect=3, most=4000)["sites"].isna().all()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sites_needed(0.2, 150, design_effect=0.5), "design_effect is 0.5. Give a number from 1"),
        (lambda: sites_needed(0, 150), "base share 0 is not between 0 and 1"),
        (lambda: sites_needed(0.5, 100), "An index of 100 is no difference"),
        (lambda: sites_needed(0.5, 300), r"index 300 of a base share of 0.5 is not possible.*between 0 and 200\."),
        (lambda: sites_needed(0.2, 150, 1), "groups is 1. Give a whole number from 2"),
        (lambda: sites_needed(0.2, 150, family=0), "family is 0. Give codes × groups"),
        (lambda: sites_needed(0.2, 150, family=pd.DataFrame({"share": []})), "no shares. Pass run.shares"),
        (lambda: sites_needed(0.2, "many"), "index is 'many'"),
        (lambda: sites_needed(0.2, 150, power=0.04), "Pass 0 < level < power < 1"),
        (lambda: sites_needed(0.2, 150, baseline="all"), "baseline must be one of None, 'rest'"),
        (lambda: smallest_index(pd.DataFrame({"n": [1]})), "has no column 'group'"),
        (lambda: smallest_index(20, base_share=0.2), "rest is None"),
        (lambda: smallest_index(pd.DataFrame(), 20), "Leave out rest and base_share"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_words(call, words):
    with pytest.raises(InputError, match=words):
        call()
