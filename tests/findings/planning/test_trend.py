"""Trends: what moved the same sites together is called and dated, what flips or drifts by itself is not."""

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from tests.benchmarks.validity.trend import CALLED, drifting, flipping, found_in, frames_of, planted
from toolkit.findings import drift, shares, trend, trend_changes
from toolkit.interface.errors import InputError

DATES = ["2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01"]
SITES = [f"s{number}.example" for number in range(40)]


def run(have, sites=SITES, **more):
    """Return a codes frame in which the first so many sites are cooks, the others divers."""
    codes = ["Cook" if number < have else "Diver" for number in range(len(sites))]
    return pd.DataFrame({"target": sites, "dimension": "persona", "code": codes, **more})


def runs(*have):
    return {date: run(count) for date, count in zip(DATES, have, strict=False)}


def test_answers_that_flip_and_sites_that_change_each_on_their_own_are_no_trend():
    rng = np.random.default_rng(1)
    shape = (4, 60, 40)
    made = [(flipping(shape, rng), 1) for _ in range(5)] + [(drifting(shape, rng), 1) for _ in range(5)]
    made += [(drifting(shape, rng, pages=6), 6) for _ in range(5)]
    called = [found_in(*one)["verdict"].isin(CALLED).sum() for one in made]
    # A test that took pages or dates as independent calls several in most of the runs.
    assert sum(count > 0 for count in called) <= 2
    assert sum(called) <= 2


def incomes(seed, known, rise=0.0):
    """Return codes frames of sites of which income is known with these chances, and some of which become rich."""
    rng = np.random.default_rng(seed)
    high, told, gains = rng.random(40) < 0.6, rng.random(40), rng.random(40) < rise
    frames = {}
    for step, (date, chance) in enumerate(zip(DATES, known, strict=True)):
        values = np.where(high | (gains & (step >= 2)), "high", "low")[told < chance]
        sites = np.array(SITES)[told < chance]
        frames[date] = pd.DataFrame({"target": sites, "dimension": "income_level", "code": values})
    return frames


def test_that_more_comes_to_be_known_is_no_change():
    for seed in range(20):
        frames = incomes(seed, (0.4, 0.4, 0.95, 0.95))
        found = trend_changes(frames, sites=dict.fromkeys(frames, SITES))
        assert not found["verdict"].isin(CALLED).any()
        assert found[["gained", "lost"]].to_numpy().sum() == 0


def test_what_changes_where_it_is_known_is_called_and_its_shares_are_of_those():
    verdicts = []
    for seed in range(20):
        frames = incomes(seed, (0.9, 0.8, 0.8, 0.9), rise=0.7)
        row = trend_changes(frames, sites=dict.fromkeys(frames, SITES)).set_index("code").loc["high"]
        verdicts.append(row["verdict"])
        same = set.intersection(*(set(frame["target"]) for frame in frames.values()))
        own = [frame[frame["target"].isin(same)]["code"].eq("high").mean() for frame in frames.values()]
        if row["verdict"] == "rose":
            assert (row["share_before"], row["share_after"]) == pytest.approx((np.mean(own[:2]), np.mean(own[2:])))
    assert verdicts.count("rose") >= 17


def test_a_field_that_is_known_of_few_shows_nothing_and_one_that_nobody_knows_has_no_share():
    frames = {date: run(20) for date in DATES[:3]}
    for number, (date, frame) in enumerate(frames.items()):
        known = pd.DataFrame({"target": SITES[:4], "dimension": "income_level", "code": "high" if number else "low"})
        frames[date] = pd.concat([frame, known])
    found = trend_changes(frames).set_index("code")["verdict"]
    assert found.to_dict() == {
        "high": "too few",
        "low": "too few",
        "Cook": "no change shown",
        "Diver": "no change shown",
    }
    frames[DATES[1]] = run(20)
    told = trend(frames).set_index("code").loc["high"]
    assert told["n"].tolist() == [4, 0, 4]
    assert told["panel_n"].tolist() == [0, 0, 0]
    assert told[["list_changed", "sites_changed", "flips"]].isna().all(axis=None)


def test_a_trend_counts_on_the_base_of_shares():
    codes = tk.sample_run().codes()
    found = trend(dict.fromkeys(DATES[:3], codes), repeat=codes)
    expected = shares(codes, cluster="domain").set_index(["dimension", "code"])
    assert expected["n"].nunique() > 5
    for _, part in found.groupby("date"):
        own = part.set_index(["dimension", "code"]).loc[expected.index]
        columns = ["n", "with_code", "share"]
        pd.testing.assert_frame_equal(own[columns], expected[columns])
        assert (own["panel_n"] == own["n"]).all()
    assert found["noise"].eq(0).all()
    assert set(trend_changes(dict.fromkeys(DATES[:3], codes))["verdict"]) == {"no change shown", "too few"}


def test_a_step_is_called_and_dated():
    rng = np.random.default_rng(2)
    for at in (1, 2, 3):
        found = found_in(planted((4, 60, 30), at, 0.6, rng))
        row = found.iloc[0]
        assert row[["code", "verdict"]].tolist() == ["INT.C000", "rose"]
        assert row["until"] == pd.Timestamp(DATES[at])
        assert row["after"] == pd.Timestamp(DATES[at - 1])
        assert row["change_low"] < row["change"] < row["change_high"]
        assert not found["verdict"].iloc[1:].isin(CALLED).any()


def test_two_steps_of_one_code_are_two_changes():
    frames = dict(zip([f"2026-01-{day:02}" for day in range(1, 7)], map(run, (2, 2, 20, 20, 38, 38)), strict=True))
    found = trend_changes(frames)
    cooks = found[found["code"] == "Cook"]
    assert sorted(cooks["until"]) == [pd.Timestamp("2026-01-03"), pd.Timestamp("2026-01-05")]
    assert cooks["verdict"].tolist() == ["rose", "rose"]
    assert cooks["share_after"].max() == 38 / 40


def test_a_change_says_what_the_sites_gained_and_what_the_list_added():
    frames = runs(4, 4, 24)
    frames[DATES[2]] = pd.concat([frames[DATES[2]], run(10, [f"new{number}.example" for number in range(10)])])
    found = trend_changes(frames, dimensions="persona")
    row = found[found["code"] == "Cook"].iloc[0]
    assert row[["gained", "lost", "share_before", "share_after"]].tolist() == [20, 0, 0.1, 0.6]
    assert row["change"] == pytest.approx(0.5)
    assert row["list_changed"] == pytest.approx(34 / 50 - 0.1 - 0.5)
    assert found.attrs["about"]["panel"] == 40


def test_shares_of_each_date_are_those_of_single_runs_and_the_parts_add_up():
    frames = runs(4, 9, 24)
    frames[DATES[1]] = frames[DATES[1]].iloc[:30]
    found = trend(frames)
    for date, part in frames.items():
        own = found[found["date"] == date].set_index("code")
        expected = shares(part).set_index("code")
        columns = ["n", "with_code", "share", "share_low", "share_high"]
        np.testing.assert_allclose(own.loc[expected.index, columns], expected[columns])
    cooks = found[found["code"] == "Cook"]
    np.testing.assert_allclose((cooks["list_changed"] + cooks["sites_changed"])[1:], np.diff(cooks["share"]))
    split = drift(frames[DATES[0]], frames[DATES[2]]).set_index("code").loc["Cook"]
    last = trend({**runs(4, 4), DATES[2]: frames[DATES[2]]}).query("code == 'Cook'").iloc[-1]
    assert last["sites_changed"] == pytest.approx(split["sites_changed"])
    assert cooks["panel_n"].tolist() == [30, 30, 30]
    assert cooks["flips"].tolist()[1:] == [5 / 30, 15 / 30]


def test_dates_at_which_something_changed_are_marked_and_the_order_given_does_not_matter():
    frames = runs(4, 4, 30, 30)
    found = trend(dict(reversed(frames.items())))
    assert found.loc[found["changed"], ["code", "date"]].values.tolist() == [
        ["Cook", pd.Timestamp(DATES[2])],
        ["Diver", pd.Timestamp(DATES[2])],
    ]
    pd.testing.assert_frame_equal(found, trend(frames))


def test_pages_of_a_domain_widen_the_intervals():
    pages = [f"s{number // 10}.example/{number}" for number in range(40)]
    single, clustered = (trend({date: run(20, sites) for date in DATES[:3]}).iloc[0] for sites in (SITES, pages))
    assert clustered["share"] == single["share"]
    assert clustered["share_high"] - clustered["share_low"] > 1.3 * (single["share_high"] - single["share_low"])


def test_what_a_repeat_does_as_well_is_within_noise():
    frames = runs(8, 8, 24)
    assert trend_changes(frames)["verdict"].tolist() == ["rose", "fell"]
    calm, wild = (trend_changes(frames, repeat=run(count)) for count in (25, 8))
    assert calm["verdict"].tolist() == ["rose", "fell"]
    assert wild["verdict"].tolist() == ["within noise", "within noise"]
    assert wild["noise"].tolist() == [pytest.approx(-0.4), pytest.approx(0.4)]
    assert (wild["noise_low"] < wild["noise"]).all()
    told = trend(frames, repeat=run(25))
    assert told["noise"].unique().tolist() == [1 / 40]
    assert told.attrs["about"]["repeat"]
    assert trend(frames)["noise"].isna().all()


def test_a_service_that_answers_otherwise_for_many_sites_at_once_is_told_by_its_repeat():
    rng = np.random.default_rng(4)
    truth = flipping((1, 150, 40), rng, 0.0)[0]
    moods = np.clip(0.1 + rng.normal(0, 0.1, (5, 1, 40)), 0, 1)
    tables = truth ^ (rng.random((5, 150, 40)) < moods)
    alone, beside = (found_in(tables[:4], repeat=again)["verdict"] for again in (None, tables[4]))
    assert alone.isin(CALLED).mean() > 0.2
    assert beside.isin(CALLED).mean() < 0.1
    assert (beside == "within noise").mean() > 0.1


def test_what_only_a_new_vocabulary_has_is_the_vocabularys():
    frames = {date: run(0, vocab_version=version) for date, version in zip(DATES, ("1.0", "1.0", "1.1"), strict=False)}
    more = pd.DataFrame({"target": SITES[:20], "dimension": "persona", "code": "New", "vocab_version": "1.1"})
    frames[DATES[2]] = pd.concat([frames[DATES[2]], more])
    found = trend_changes(frames).set_index("code")["verdict"]
    assert found.to_dict() == {"New": "vocabulary", "Diver": "no change shown"}


def test_few_sites_show_nothing():
    frames = {date: run(count, SITES[:4]) for date, count in zip(DATES, (0, 0, 4), strict=False)}
    found = trend_changes(frames)
    assert found["verdict"].tolist() == ["too few", "too few"]
    assert found[["after", "until"]].isna().all(axis=None)


def test_sites_that_share_no_date_are_no_panel():
    frames = {date: run(2, SITES[start : start + 10]) for date, start in zip(DATES, (0, 10, 20), strict=False)}
    assert trend(frames)["panel_share"].isna().all()
    assert (trend_changes(frames)["verdict"] == "too few").all()


def test_sites_answered_with_nothing_count_where_they_are_named():
    frames, who = frames_of(flipping((3, 30, 2), np.random.default_rng(3)))
    assert trend(frames, sites=who)["n"].tolist() == [30] * 6


def test_runs_are_dated_by_their_last_answer(tmp_path):
    run_ = tk.sample_run()
    with pytest.raises(InputError, match=r"Two runs are of \d{4}-\d\d-\d\d\. Pass one of them as repeat"):
        run_.trend([run_])
    with pytest.raises(InputError, match="A trend is of runs, not of DataFrame"):
        run_.trend_changes([run_.codes()])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: trend(runs(1, 2)), "three or more dates; given are 2. For two runs there is run.drift"),
        (lambda: trend({"soon": run(1), **runs(1, 2)}), "'soon' is no date"),
        (lambda: trend({pd.Timestamp(DATES[0]): run(1), **runs(1, 2)}), "2026-01-01 stands twice. Pass the second"),
        (lambda: trend([run(1)] * 3), "a mapping of dates, not list"),
        (lambda: trend({**runs(1, 2), DATES[2]: "x"}), "is str, no frame"),
    ],
)
def test_what_is_no_trend_is_refused_in_words(call, words):
    with pytest.raises(InputError, match=words):
        call()
