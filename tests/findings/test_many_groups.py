"""Comparisons of more groups than anybody reads: they keep what can be a finding, and test all there is."""

import numpy as np
import pandas as pd
import pytest

from toolkit import charts
from toolkit.findings import compare

GROUPS, SITES, CODES = 130, 12, 40


@pytest.fixture(scope="module")
def frame():
    """Return sites in many groups; in one of them, and only there, all have a code that few others have."""
    chance = np.random.default_rng(0)
    has = chance.random((GROUPS * SITES, CODES)) < np.linspace(0.02, 0.3, CODES)
    group = np.arange(GROUPS * SITES) // SITES
    has[group == 7, 3] = True
    has[:, -1] = True
    site, code = np.nonzero(has)
    return pd.DataFrame(
        {
            "target": [f"site-{number}.example" for number in site],
            "dimension": "persona",
            "code": [f"Code {number:02}" for number in code],
            "group": [f"group {number:03}" for number in group[site]],
        }
    )


@pytest.fixture(scope="module")
def every(frame):
    return compare(frame, "group", "rest", most=None)


def test_the_footer_of_a_chart_says_what_was_left_out(frame, every):
    left = every.attrs["about"]["rows_left_out"]
    for draw in (charts.comparison, charts.heatmap):
        footer = draw(every).layout.title.text.replace("<br>", " ")
        assert f"{left:,} rows that are no finding are not in the table" in footer
        assert "not in the table" not in draw(compare(frame[frame["group"] < "group 020"], "group")).layout.title.text


def test_rows_that_no_outcome_could_have_made_a_finding_are_left_out_and_counted(every):
    assert every.attrs["about"]["groups"] == GROUPS
    assert len(every) + every.attrs["about"]["rows_left_out"] == GROUPS * CODES
    assert every.attrs["about"]["tested"] == len(every)
    # All have the last code, so that nothing could be shown of it.
    assert "Code 39" not in set(every["code"])
    assert "too few" not in set(every["verdict"])


def test_of_many_rows_those_called_stay_and_others_by_p_with_the_numbers_they_had_among_all(frame, every):
    found = compare(frame, "group", "rest", most=50)
    called = every.index[every["verdict"].isin(["over", "under"])]
    assert ("group 007", "Code 03") in set(every.loc[called, ["group", "code"]].itertuples(index=False, name=None))
    others = every.drop(called)["p"].sort_values(kind="stable").index[: 50 - len(called)]
    expected = every.loc[sorted([*called, *others])].reset_index(drop=True)
    pd.testing.assert_frame_equal(found, expected, check_exact=True)
    about = found.attrs["about"]
    assert (about["tested"], about["rows_left_out"]) == (len(every), GROUPS * CODES - 50)


def test_no_called_row_is_left_out_however_few_are_wanted(frame, every):
    found = compare(frame, "group", "rest", most=1)
    assert set(found["verdict"]) <= {"over", "under"}
    assert len(found) == every["verdict"].isin(["over", "under"]).sum() >= 1


def test_a_hundred_groups_have_all_their_rows(frame):
    few = frame[frame["group"] < "group 100"]
    whole = compare(few, "group", "rest", most=10)
    assert len(whole) == 100 * CODES
    assert "rows_left_out" not in whole.attrs["about"]


def test_weight_and_clusters_hold_of_the_rows_that_are_kept(frame):
    targets = frame["target"].unique()
    spend = pd.Series(np.where(np.arange(len(targets)) % 5, 1.0, 3.0), index=targets)
    owner = pd.Series([f"owner {number // 2}" for number in range(len(targets))], index=targets)
    options = {"weight": spend, "cluster": owner}
    whole, some = (compare(frame, "group", "rest", most=most, **options) for most in (None, 60))
    key = ["group", "code"]
    same = whole.merge(some[key], on=key)
    pd.testing.assert_frame_equal(some.reset_index(drop=True), same, check_exact=True)
    told = some["verdict"].isin(["over", "under"]) | some["weighted_verdict"].isin(["over", "under"])
    assert told.any()


def test_charts_draw_what_is_kept(every):
    for draw in (charts.comparison, charts.heatmap):
        assert draw(every).data
