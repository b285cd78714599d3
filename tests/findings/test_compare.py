"""Comparing groups: every number recomputed in another way, the promises simulated, and what users do wrong."""

import json
import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import toolkit as tk
from toolkit.findings.compare import VERDICTS, compare
from toolkit.findings.incidence import incidence
from toolkit.findings.statistics.discoveries import discoveries
from toolkit.frames.schemas import SCHEMAS, STATED
from toolkit.interface.errors import InputError, UnknownCodeError

COLUMNS = {
    "group": "str", "dimension": "str", "code": "str", "label": "str", "parent": "str",
        "basis": "category",
    "n": "int64", "with_code": "int64", "share": "float64", "share_low": "float64", "share_high": "float64",
    "n_effective": "float64",
    "baseline": "str", "baseline_n": "int64", "baseline_with": "int64", "baseline_share": "float64",
    "both_n": "int64", "both_with": "int64",
    "index": "float64", "index_low": "float64", "index_high": "float64",
    "shrunken_index": "float64", "shrunken_low": "float64", "shrunken_high": "float64",
    "design_effect": "float64", "least_p": "float64", "p": "float64", "p_adjusted": "float64", "verdict": VERDICTS,
    "confident_share": "float64", "baseline_confident_share": "float64", "confident_index": "float64",
}  # fmt: skip
KEY = ["group", "dimension", "code"]


@pytest.fixture(scope="module")
def run():
    """The frames of the sample run, some of whose sites failed."""
    run = tk.sample_run()
    return {"audiences": run.audiences(), "codes": run.codes(), "categories": run.categories()}


@pytest.fixture(scope="module")
def kinds(run):
    return run["audiences"].set_index("target")["audience_type"]


def codes_frame(has, sites=None, confidence=None):
    """Return a codes frame of a table of sites × codes; every site has an answer."""
    has = np.asarray(has, dtype=bool)
    sites = [f"s{number:05}.example" for number in range(len(has))] if sites is None else sites
    row, column = np.nonzero(has)
    names = np.array([f"c{number:05}" for number in range(has.shape[1])])
    frame = pd.DataFrame(
        {
            "target": [*np.array(sites, dtype=object)[row], *sites],
            "dimension": [*["persona"] * len(row), *["content_type"] * len(sites)],
            "code": [*names[column], *["shop"] * len(sites)],
        }
    )
    return frame.assign(confidence=confidence).astype({"target": "str", "dimension": "str", "code": "str"})


def of(found, group, code):
    return found[(found["group"] == group) & (found["code"] == code)].iloc[0]


def answers(frame):
    """Return the sites that have an answer, and which codes each has."""
    good = frame[frame["error"].isna()]
    has = {}
    for site, dimension, code in zip(good["normal"], good["dimension"], good["code"], strict=True):
        has.setdefault((dimension, code), set()).add(site)
    return set(good["normal"]), has


def known_of(dimension, every, has):
    """Return the sites of which a dimension is known: of a field those with a value, of what one has or not all."""
    if dimension not in STATED:
        return every
    return set().union(*(who for (kind, _), who in has.items() if kind == dimension))


@pytest.mark.parametrize("baseline", [None, "rest", "b2b", "list"])
def test_every_number_is_that_of_a_plain_recount(run, kinds, baseline):
    every, has = answers(run["codes"])
    firms = {site for site in every if kinds.get(site) == "b2b"}
    groups = {"b2b": firms, "others": every - firms}
    listed = set(sorted(every)[::2])
    found = compare(run["codes"], groups, sorted(listed) if baseline == "list" else baseline)
    rows, p, margins = [], [], []
    for (name, group), (key, who) in product(groups.items(), sorted(has.items())):
        known = known_of(key[0], every, has)
        base = {None: every, "rest": every - group, "b2b": groups["b2b"], "list": listed}[baseline]
        members, base = group & known, base & known
        if not any(who & (others | base) for others in groups.values()) and baseline != "rest":
            continue
        row = of(found[found["dimension"] == key[0]], name, key[1])
        assert [row["n"], row["with_code"], row["baseline_n"], row["baseline_with"]] == [
            len(members), len(members & who), len(base), len(base & who),
        ]  # fmt: skip
        if row["n"]:
            assert [row["share_low"], row["share_high"]] == pytest.approx(
                proportion_confint(row["with_code"], row["n"], method="wilson"), abs=1e-9
            )
        if members != base and row["baseline_with"] and row["n"]:
            assert row["index"] == pytest.approx(100 * (row["with_code"] / row["n"]) / (len(base & who) / len(base)))
        first = members if members < base else members - base
        second = base - first if members < base else base if base < members else base - members
        rows.append(row)
        p.append(p_of(first, second, who))
        margins.append((len(first), len(second), len(first & who) + len(second & who)))
        assert row["p"] == pytest.approx(p[-1], nan_ok=True), key
    assert len(rows) == len(found)
    expected = adjusted(found, p, margins, once=baseline in {None, "rest"})
    np.testing.assert_allclose([row["p_adjusted"] for row in rows], expected, atol=1e-12)
    for row, q in zip(rows, expected, strict=True):
        shown = q < 0.05
        assert (row["verdict"] in {"over", "under"}) == bool(shown)
        if shown:
            assert row["verdict"] == ("over" if row["index"] > 100 else "under")


def p_of(first, second, who):
    """Return p as scipy has it."""
    a, b = len(first & who), len(second & who)
    n1, n2 = len(first), len(second)
    if not n1 or not n2:
        return math.nan
    return stats.fisher_exact([[a, n1 - a], [b, n2 - b]]).pvalue


def adjusted(found, p, margins, *, once):
    """Return p adjusted over what was tested: all that has an adjusted p in what was found, of two halves once."""
    tested = found.sort_values(KEY)["p_adjusted"].notna().to_numpy()
    assert tested.sum() == found.attrs["about"]["tested"]
    values = np.where(tested, p, np.nan)
    if not once:
        return discoveries(values, np.array(margins))
    half = len(values) // 2
    return np.tile(discoveries(values[:half], np.array(margins[:half])), 2)


def test_rows_are_too_few_just_where_no_outcome_could_have_been_shown(run, kinds):
    found = compare(run["codes"], kinds, "rest")
    assert {"too few", "no difference shown"} <= set(found["verdict"])
    for row in found.itertuples():
        have, n1, n2 = row.with_code + row.baseline_with, row.n, row.baseline_n
        possible = [
            stats.fisher_exact([[k, n1 - k], [have - k, n2 - have + k]]).pvalue
            for k in range(max(0, have - n2), min(have, n1) + 1)
        ]
        if have in {0, n1 + n2}:
            # What all have shows no difference, if any number of so many sites could have shown one.
            shown = min(n1, n2) and stats.fisher_exact([[n1, 0], [0, n2]]).pvalue < 0.05
            assert row.verdict == ("no difference shown" if shown else "too few")
        elif min(possible) >= 0.05:
            assert row.verdict == "too few"
            assert math.isnan(row.p_adjusted)
        else:
            assert row.verdict != "too few"


def test_four_of_four_sites_against_one_of_26_is_a_difference():
    frame = codes_frame(np.arange(30)[:, None] < 5)
    groups = {"small": frame["target"].unique()[:4].tolist()}
    for baseline in (None, "rest"):
        row = of(compare(frame, groups, baseline), "small", "c00000")
        assert [row["with_code"], row["n"], row["verdict"]] == [4, 4, "over"]
        assert row["p"] == pytest.approx(stats.fisher_exact([[4, 0], [1, 25]]).pvalue)


def test_where_all_are_alike_there_are_too_few_only_if_no_number_with_the_code_could_have_told():
    for rest, verdict in ((25, "no difference shown"), (3, "too few")):
        frame = codes_frame(np.ones((rest + 2, 1)))
        groups = {"pair": frame["target"].unique()[:2].tolist()}
        smallest = 1 / math.comb(rest + 2, 2)
        assert (smallest < 0.05) == (verdict != "too few")
        assert of(compare(frame, groups, "rest"), "pair", "c00000")["verdict"] == verdict
    nobody = compare(codes_frame(np.ones((9, 1))), {"none": []})
    assert set(nobody["verdict"]) == {"too few"}


@pytest.mark.parametrize("name", ["codes", "categories"])
def test_columns_and_dtypes_are_the_same_for_none_one_and_many_rows_and_failures(run, name):
    frame = run[name]
    failed = frame[frame["error"].notna()]
    assert len(failed)
    for part in (frame.iloc[:0], frame.iloc[:1], frame, failed):
        found = compare(part, baseline="rest")
        assert found.dtypes.astype(str).to_dict() == {
            k: str(v) if k != "verdict" else "category" for k, v in COLUMNS.items()
        }
        assert found["verdict"].dtype == VERDICTS
        assert isinstance(found.index, pd.RangeIndex)
    assert compare(failed).empty
    assert compare(failed).attrs["about"]["failed"] == failed["normal"].nunique()


@pytest.mark.parametrize("name", ["codes", "categories"])
@pytest.mark.parametrize("baseline", [None, "rest", "b2c"])
def test_the_order_of_the_rows_changes_nothing(run, kinds, name, baseline):
    frame, sites = run[name], run["audiences"]
    mixed = frame.sample(frac=1, random_state=5)
    twice = pd.concat([mixed, frame], ignore_index=True)
    kinds = kinds.dropna()
    found = compare(frame, kinds, baseline, sites=sites, confidence_weights=True)
    for other in (mixed, twice):
        again = compare(
            other, kinds.sample(frac=1, random_state=6), baseline, sites=sites[::-1], confidence_weights=True
        )
        assert_frame_equal(found, again)
        assert found.attrs == again.attrs


def test_nothing_of_the_caller_is_changed(run, kinds):
    before = {name: frame.copy(deep=True) for name, frame in run.items()}
    groups = {"a": ["agrifields-coop.example"], "b": []}
    compare(run["codes"], groups, run["codes"], confidence_weights=True)
    compare(run["categories"], kinds, sites=run["audiences"])
    for name, frame in before.items():
        assert_frame_equal(frame, run[name])
    assert groups == {"a": ["agrifields-coop.example"], "b": []}


@given(st.data())
@settings(max_examples=20)
def test_a_group_against_itself_is_100_and_shows_no_difference(data):
    shape = data.draw(st.integers(1, 30)), data.draw(st.integers(1, 5))
    has = np.random.default_rng(data.draw(st.integers(0, 99))).random(shape) < 0.4
    frame = codes_frame(has)
    chosen = data.draw(st.sets(st.integers(0, shape[0] - 1), min_size=1))
    groups = {"mine": [f"s{number:05}.example" for number in chosen]}
    for found in (compare(frame, groups, "mine"), compare(frame, groups, groups["mine"]), compare(frame)):
        assert (found[["index", "index_low", "index_high"]] == 100).all(axis=None)
        assert found["p_adjusted"].isna().all()
        assert (found[["shrunken_index", "shrunken_low", "shrunken_high"]] == 100).all(axis=None)
        assert set(found["verdict"]) == {"no difference shown"}


@given(st.integers(0, 500), st.integers(2, 25), st.integers(2, 25), st.integers(0, 25))
@settings(max_examples=30)
def test_intervals_hold_what_they_are_about_and_verdicts_agree_with_them(seed, first, second, both):
    chance = np.random.default_rng(seed)
    has = chance.random((first + second + both + 3, 6)) < chance.random(6)
    names = [f"s{number:05}.example" for number in range(len(has))]
    groups = {"a": names[: first + both], "b": names[first : first + both + second]}
    found = compare(codes_frame(has), groups, "b")
    known = found[found["index"].notna()]
    assert (known["index_low"] <= known["index"] * (1 + 1e-9) + 1e-9).all()
    assert (known["index_high"] >= known["index"] * (1 - 1e-9)).all()
    assert (found["share_low"] <= found["share"] + 1e-12).all()
    assert (found["share_high"] >= found["share"] - 1e-12).all()
    assert (found.loc[found["verdict"] == "over", "index"] > 100).all()
    assert (found.loc[found["verdict"] == "under", "index"] < 100).all()


def test_against_the_whole_the_test_is_that_against_the_rest(run, kinds):
    whole, rest = compare(run["codes"], kinds), compare(run["codes"], kinds, "rest")
    # Where nothing is known of the others, the whole is the group itself.
    both = rest["baseline_n"].gt(0) & rest["n"].gt(0)
    assert rest.loc[~both, "verdict"].eq("too few").all()
    assert whole.loc[~both, "verdict"].eq("too few").all()
    whole, rest = whole[both], rest[both]
    np.testing.assert_allclose(whole["p"], rest["p"])
    assert whole["verdict"].tolist() == rest["verdict"].tolist()
    part = whole["n"] / whole["baseline_n"]
    ratio = rest["index"] / 100
    carried = np.where(np.isinf(ratio), 1 / part, ratio / (part * ratio + 1 - part)) * 100
    np.testing.assert_allclose(whole["index"], carried)


@pytest.mark.parametrize(("part", "baseline"), [(60, None), (60, "rest"), (15, None), (190, None), (150, "inner")])
def test_the_index_interval_holds_the_true_index_as_often_as_it_says(part, baseline):
    chance = np.random.default_rng(7)
    n, inner, codes = 240, 50, 3000
    mine, others = chance.uniform(0.03, 0.9, (2, codes))
    rates = np.where(np.arange(n)[:, None] < part, mine, others)
    if baseline == "inner":
        rates[:inner] = others
    names = [f"s{number:05}.example" for number in range(n)]
    true = {
        None: mine / (mine * part / n + others * (1 - part / n)),
        "rest": mine / others,
        "inner": (mine * (part - inner) + others * inner) / part / others,
    }
    frame = codes_frame(chance.random((n, codes)) < rates)
    found = compare(frame, {"mine": names[:part], "inner": names[:inner]}, baseline, dimensions="persona")
    found = found[found["group"] == "mine"]
    assert len(found) == codes
    inside = (found["index_low"] <= 100 * true[baseline]) & (100 * true[baseline] <= found["index_high"])
    assert 0.94 < inside.mean() < 0.972


def test_the_index_interval_of_crossing_groups_holds_the_true_index_as_often_as_it_says():
    chance = np.random.default_rng(8)
    codes, sizes = 3000, (60, 50, 70)
    shares = chance.uniform(0.05, 0.8, (3, codes))
    has = chance.random((sum(sizes), codes)) < np.repeat(shares, sizes, axis=0)
    names = [f"s{number:05}.example" for number in range(len(has))]
    groups = {"a": names[:110], "b": names[60:]}
    true = (60 * shares[0] + 50 * shares[1]) / 110 / ((50 * shares[1] + 70 * shares[2]) / 120)
    found = compare(codes_frame(has), groups, "b", dimensions="persona")
    found = found[found["group"] == "a"]
    assert 0.94 < ((found["index_low"] <= 100 * true) & (100 * true <= found["index_high"])).mean() < 0.965


@pytest.mark.parametrize(("baseline", "different"), [(None, 0.25), ("rest", 0.0), ("other", 0.1)])
def test_no_more_of_the_findings_are_false_than_is_said(baseline, different):
    chance = np.random.default_rng(9)
    codes, times, false = 150, 30, []
    names = [f"s{number:05}.example" for number in range(120)]
    # The two groups share forty sites; differences lie outside of them.
    groups = {"mine": names[:60], "other": names[20:90]} if baseline == "other" else {"mine": names[:50]}
    for _ in range(times):
        share = chance.uniform(0.02, 0.6, codes)
        apart = np.arange(codes) < different * codes
        rates = np.tile(share, (120, 1))
        rates[:20, apart] = np.minimum(share[apart] + 0.4, 1)
        found = compare(codes_frame(chance.random((120, codes)) < rates), groups, baseline, dimensions="persona")
        called = found[found["verdict"].isin(["over", "under"]) & (found["group"] == "mine")]
        wrong = called["code"].str[1:].astype(int) >= different * codes
        false.append(wrong.mean() if len(called) else 0.0)
    assert np.mean(false) <= 0.05 + 2 * np.std(false) / math.sqrt(times)
    if different:
        assert np.mean(false) < 0.06
        assert len(called) > 0


def test_two_runs_are_compared_though_the_same_sites_are_in_both():
    has = np.arange(60)[:, None] < [10, 40]
    later = np.arange(60)[:, None] < [45, 40]
    found = compare(
        {"earlier": codes_frame(has), "later": codes_frame(later)}, baseline="earlier", dimensions="persona"
    )
    row = of(found, "later", "c00000")
    assert [row["n"], row["with_code"], row["baseline_n"], row["baseline_with"]] == [60, 45, 60, 10]
    assert row["p"] == pytest.approx(stats.fisher_exact([[45, 15], [10, 50]]).pvalue, rel=1e-6)
    assert row["verdict"] == "over"
    assert found.attrs["about"]["sites"] == 60
    assert of(found, "later", "c00001")["verdict"] == "no difference shown"
    assert (found.loc[found["group"] == "earlier", "index"] == 100).all()
    whole = compare({"earlier": codes_frame(has), "later": codes_frame(later)})
    assert of(whole, "later", "c00000")["baseline_n"] == 120


def test_where_the_same_sites_are_asked_twice_differences_are_not_overstated():
    chance = np.random.default_rng(10)
    share = chance.uniform(0.05, 0.5, 4000)
    before = chance.random((80, 4000)) < share
    # A fifth of the sites is answered anew; nothing has changed.
    after = np.where(chance.random((80, 4000)) < 0.2, chance.random((80, 4000)) < share, before)
    found = compare({"before": codes_frame(before), "after": codes_frame(after)}, baseline="before")
    rows = found[(found["group"] == "after") & (found["dimension"] == "persona")]
    assert (rows["p"] < 0.05).mean() < 0.05
    assert not rows["verdict"].isin(["over", "under"]).any()


def test_a_frame_as_baseline_is_a_run_of_its_own():
    mine, others = codes_frame(np.ones((20, 1))), codes_frame(np.eye(30, 2), [f"o{i}.example" for i in range(30)])
    found = compare(mine, baseline=others)
    row = of(found, "all sites", "c00000")
    assert [row["n"], row["with_code"], row["baseline_n"], row["baseline_with"]] == [20, 20, 30, 1]
    assert [of(found, "all sites", "c00001")["with_code"], row["baseline"], row["verdict"]] == [0, "baseline", "over"]
    by_list = compare(pd.concat([mine, others]), {"mine": mine["target"].unique()}, others["target"].unique())
    numbers = ["n", "with_code", "baseline_n", "baseline_with", "index", "p", "p_adjusted"]
    assert_frame_equal(found[numbers], by_list[numbers])


def test_a_baseline_run_brings_the_sites_that_have_no_code():
    mine, theirs = (pd.DataFrame({"target": [f"{run}{i}.example" for i in range(50)]}) for run in ("a", "b"))
    frames = [frame.assign(dimension="persona", code="Cook") for frame in (mine, theirs)]
    every = [[f"{run}{i}.example" for i in range(200)] for run in ("a", "b")]
    found = compare(frames[0], baseline=frames[1], sites=every[0], baseline_sites=every[1])
    row = of(found, "all sites", "Cook")
    assert [row["with_code"], row["n"], row["baseline_with"], row["baseline_n"]] == [50, 200, 50, 200]
    assert [row["index"], row["p"], row["verdict"]] == [100, 1, "no difference shown"]

    class Theirs:
        """What a baseline has to know."""

        def codes(self):
            return frames[1]

        def categories(self):
            raise AssertionError

        def sites(self, of=None):
            assert of == "codes"
            return pd.DataFrame({"target": every[1]})

    assert_frame_equal(compare(frames[0], baseline=Theirs(), sites=every[0]), found)


@pytest.mark.parametrize("of_what", ["codes", "categories", "content-v3"])
def test_a_run_is_compared_with_a_run(of_what):
    run = tk.sample_run()
    found = run.compare("audience_type", run, of=of_what)
    answered = run.sites(of_what)["error"].isna().sum()
    of_all = found[~found["dimension"].isin(STATED)]
    assert set(of_all["baseline_n"]) == {answered}
    assert found.attrs["about"]["baseline"] == "baseline"
    frame = run.codes() if of_what == "codes" else run.categories()
    by_frame = run.compare("audience_type", frame, of=of_what, baseline_sites=run.sites(of_what))
    assert_frame_equal(found, by_frame)
    every = run.compare(baseline=run, of=of_what)
    assert (every["index"] == 100).all()
    assert set(every["verdict"]) <= {"no difference shown", "too few"}


@pytest.mark.parametrize("baseline", [None, "rest", "part", "list"])
def test_no_interval_leaves_what_is_possible(baseline):
    rows = []
    for n, base in [(1, 3), (2, 7), (4, 26), (5, 5), (12, 2)]:
        k1, k2 = (k.ravel() for k in np.meshgrid(np.arange(n + 1), np.arange(base + 1)))
        has = np.concatenate([np.arange(n)[:, None] < k1, np.arange(base)[:, None] < k2])
        names = [f"s{i:05}.example" for i in range(n + base)]
        groups = {"mine": names[:n], "part": names[: max(1, n // 2)]}
        against = names[n // 3 :] if baseline == "list" else baseline
        rows.append(compare(codes_frame(has, names), groups, against, dimensions="persona"))
    found = pd.concat(rows)
    found = found[found["group"] == "mine"]
    assert (found["share_low"] >= 0).all()
    assert (found["share_high"] <= 1).all()
    # Of a code that only the group has, or only the part of it that is the baseline has.
    most = found["baseline_n"] / found["n"] if baseline is None else math.inf
    least = found["baseline_n"] / found["n"] if baseline == "part" else 0
    for low, value, high in (("index_low", "index", "index_high"), ("shrunken_low", "shrunken_index", "shrunken_high")):
        known = found[value].notna()
        assert known.any()
        assert (found[low] <= found[value] * (1 + 1e-9))[known].all()
        assert (found[value] <= found[high] * (1 + 1e-9))[known].all()
        assert (found[low] >= 100 * least * (1 - 1e-12))[known].all()
        assert (found[high] <= 100 * most * (1 + 1e-12))[known].all()


def test_where_groups_cross_no_share_above_one_is_supposed():
    names = [f"s{i:05}.example" for i in range(90)]
    has = np.column_stack([np.arange(90) < have for have in (20, 40, 60, 90)])
    found = compare(codes_frame(has, names), {"a": names[:20], "b": names[10:]}, "b", dimensions="persona")
    rows = found[found["group"] == "a"]
    low = proportion_confint(rows["baseline_with"], rows["baseline_n"], method="wilson")[0]
    assert (rows["share"] == 1).all()
    for high in (rows["index_high"], rows["shrunken_high"]):
        assert (high <= 100 / low * (1 + 1e-9)).all()
    assert (rows["index_low"] >= 100 * rows["share_low"] * (1 - 1e-9)).all()


def test_what_is_called_is_not_overstated_by_the_shrunken_index_and_its_interval_holds_it():
    chance = np.random.default_rng(21)
    sites, part, codes = 80, 16, 200
    names = [f"s{number:05}.example" for number in range(sites)]
    kept = []
    for _ in range(25):
        base = np.clip(chance.beta(0.8, 4, codes), 0.01, 0.9)
        mine = np.minimum(base * np.exp(np.where(chance.random(codes) < 0.25, chance.normal(0, 1.2, codes), 0)), 0.97)
        rates = np.where(np.arange(sites)[:, None] < part, mine, base)
        found = compare(
            codes_frame(chance.random((sites, codes)) < rates), {"mine": names[:part]}, dimensions="persona"
        )
        true = 100 * mine / (mine * part / sites + base * (1 - part / sites))
        found["true"] = true[found["code"].str[1:].astype(int)]
        kept.append(found[found["verdict"].isin(["over", "under"])])
    called = pd.concat(kept)
    over = called[called["verdict"] == "over"]
    assert len(over) > 100
    assert over["index"].mean() > 1.08 * over["true"].mean()
    assert over["shrunken_index"].mean() == pytest.approx(over["true"].mean(), rel=0.05)
    assert ((called["shrunken_low"] <= called["true"]) & (called["true"] <= called["shrunken_high"])).mean() >= 0.93
    assert ((called["index_low"] <= called["true"]) & (called["true"] <= called["index_high"])).mean() < 0.93


def test_two_halves_are_tested_once_and_have_the_same_verdicts_turned_round():
    has = np.random.default_rng(4).random((40, 12)) < np.where(np.arange(40)[:, None] < 9, 0.6, 0.25)
    names = [f"s{number:05}.example" for number in range(40)]
    both = compare(codes_frame(has), {"few": names[:9], "many": names[9:]}, "rest")
    alone = compare(codes_frame(has), {"few": names[:9]}, "rest")
    few, many = (both[both["group"] == name].reset_index(drop=True) for name in ("few", "many"))
    np.testing.assert_allclose(few["p_adjusted"], alone["p_adjusted"])
    np.testing.assert_allclose(few["p_adjusted"], many["p_adjusted"])
    assert few["verdict"].map({"over": "under", "under": "over"}).dropna().tolist() == [
        verdict for verdict in many["verdict"] if verdict in {"over", "under"}
    ]


def test_groups_are_given_in_many_ways_that_mean_the_same(run, kinds):
    kinds = kinds.astype("str").dropna()
    sites = run["codes"].assign(kind=run["codes"]["target"].map(kinds))
    lists = {name: kinds[kinds == name].index.tolist() for name in sorted(set(kinds))}
    table = kinds.rename("group").reset_index()
    spelt = {name: [f"https://www.{target.upper()}" for target in targets] for name, targets in lists.items()}
    expected = compare(sites, "kind")
    for groups in (kinds, lists, table, table.rename(columns={"group": "kind"}), spelt):
        assert_frame_equal(compare(run["codes"], groups), expected)
    series = {name: pd.Series(targets) for name, targets in lists.items()}
    assert_frame_equal(compare(run["codes"], series), expected)


def test_a_site_of_several_rows_and_spellings_counts_once():
    frame = codes_frame(np.ones((3, 1)))
    frame = frame.assign(normal=frame["target"], error=None)
    again = frame.assign(target="https://www." + frame["target"] + "/?utm_source=x", dimension="persona", code="c00000")
    failed = frame.iloc[:1].assign(dimension=None, code=None, error="410")
    row = of(compare(pd.concat([frame, again, failed])), "all sites", "c00000")
    assert [row["n"], row["with_code"]] == [3, 3]


def test_sites_without_a_category_count_if_they_are_named(run):
    categories, every = run["categories"], run["audiences"]
    answered = set(every.loc[every["error"].isna(), "normal"])
    bare = categories.loc[categories["error"].isna() & (categories["normal"] != "agrifields-coop.example")]
    half = bare[bare["normal"].isin(sorted(set(bare["normal"]))[:9])]
    assert set(compare(half)["n"]) == {9}
    assert set(compare(half, sites=every)["n"]) == {len(answered)}
    assert set(compare(half, sites=sorted(answered))["n"]) == {len(answered)}
    assert compare(half, sites=every).attrs["about"]["sites"] == len(answered)
    # A site that the frame itself knows as failed was not answered, whatever the list says.
    failing = categories.loc[categories["error"].notna(), "target"].tolist()
    assert failing
    found = compare(categories, sites=[*answered, *failing, "two words"])
    assert set(found["n"]) == {len(answered - set(failing))}


def test_categories_have_their_names_and_those_without_an_identifier_their_path(run):
    found = compare(run["categories"], taxonomy=["content-v3", "filtering"], sites=run["audiences"])
    assert list(dict.fromkeys(found["dimension"])) == ["content-v3", "filtering"]
    row = found[(found["dimension"] == "content-v3") & (found["code"] == "52")].iloc[0]
    assert [row["label"], row["parent"]] == ["Business and Finance", "Business and Finance"]
    named = run["categories"][run["categories"]["taxonomy"] == "filtering"]
    assert set(found.loc[found["dimension"] == "filtering", "label"]) == set(named["name"])
    assert found[["label", "parent"]].notna().all(axis=None)
    counted = run["categories"].groupby(["taxonomy", "id"])["normal"].nunique()
    for row in found[found["dimension"] == "content-v3"].itertuples():
        assert counted[row.dimension, row.code] == row.with_code


def test_categories_without_an_identifier_are_told_apart_by_their_whole_path():
    paths = [("Food", "Meals", None), ("Food", "Drinks", None), ("Sport", "Meals", None), ("Food", None, None)]
    frame = pd.DataFrame(paths, columns=["level_1", "level_2", "level_3"]).assign(
        target=["a.example", "a.example", "b.example", "b.example"], taxonomy="filtering", id=None, name="x"
    )
    found = compare(frame, baseline="rest")
    assert found["code"].tolist() == ["Food", "Food > Drinks", "Food > Meals", "Sport > Meals"]
    assert found["with_code"].tolist() == [1, 1, 1, 1]
    assert found["parent"].tolist() == ["Food", "Food", "Food", "Sport"]


def test_nothing_is_claimed_where_common_sites_make_the_groups_and_their_own_sites_point_different_ways():
    # Ten sites only in a, none has it; fifty in both, all have it; two hundred only in b, 80 have it.
    has = np.repeat([False, True, True, False], [10, 50, 80, 120])[:, None]
    names = [f"s{number:05}.example" for number in range(260)]
    row = of(compare(codes_frame(has), {"a": names[:60], "b": names[10:]}, "b"), "a", "c00000")
    assert row["index"] == pytest.approx(100 * (50 / 60) / (130 / 250))
    assert row["p_adjusted"] < 0.05
    assert row["verdict"] == "no difference shown"


def test_weights_count_each_site_by_its_highest_confidence_and_leave_the_tests_alone():
    frame = codes_frame(np.ones((4, 1)), confidence="low")
    persona = frame["dimension"] == "persona"
    frame["confidence"] = np.where(
        persona & (frame.index == 0), "high", np.where(persona & (frame.index == 1), None, "low")
    )
    frame = pd.concat([frame, frame.iloc[[2]].assign(confidence="medium")])
    weights = {"low": 0.1, "medium": 0.4, "high": 1, None: 0.2}
    groups = {"two": ["s00000.example", "s00001.example"]}
    found = compare(frame, groups, confidence_weights=weights)
    row = of(found, "two", "c00000")
    assert row["confident_share"] == pytest.approx((1 + 0.2) / 2)
    assert row["baseline_confident_share"] == pytest.approx((1 + 0.2 + 0.4 + 0.1) / 4)
    assert row["confident_index"] == pytest.approx(100 * 0.6 / 0.425)
    rest = of(
        compare(frame, groups, "rest", confidence_weights={"low": 0.1, "medium": 0.4, "high": 1}), "two", "c00000"
    )
    assert [rest["confident_share"], rest["baseline_confident_share"]] == pytest.approx([1.0, 0.25])
    plain = compare(frame, groups)
    assert plain["confident_share"].isna().all()
    weighted = ["confident_share", "baseline_confident_share", "confident_index"]
    assert_frame_equal(plain.drop(columns=weighted), found.drop(columns=weighted))


def test_weights_of_one_give_the_plain_shares(run, kinds):
    ones = {"low": 1, "medium": 1, "high": 1, None: 1}
    for baseline in (None, "rest", "b2c", run["codes"]):
        found = compare(run["codes"], kinds, baseline, confidence_weights=ones)
        np.testing.assert_allclose(found["confident_share"], found["share"])
        np.testing.assert_allclose(found["baseline_confident_share"], found["baseline_share"])
    found = compare(run["categories"], confidence_weights=True)
    assert (found["confident_share"] < found["share"]).any()
    assert (found["confident_share"] <= found["share"] + 1e-12).all()


def test_what_it_is_about_goes_with_it(run, kinds):
    said = compare(run["codes"], kinds, "rest", level=0.9).attrs["about"]
    codes = run["codes"]
    assert said["sites"] == codes.loc[codes["error"].isna(), "normal"].nunique()
    assert said["failed"] == codes.loc[codes["error"].notna(), "normal"].nunique()
    assert [said["baseline"], said["level"]] == ["rest", 0.9]
    assert said["vocabularies"] == sorted(codes["vocab_version"].dropna().unique())
    assert said["first"] == f"{codes['fetched_at'].min():%Y-%m-%d}"


def test_the_tables_say_who_is_where(run):
    found = incidence(run["codes"], {"mine": ["agrifields-coop.example"], "none": []}, dimensions="persona")
    assert found.sites.is_monotonic_increasing
    assert found.names == ["mine", "none"]
    at = found.sites.get_loc("agrifields-coop.example")
    assert found.members.toarray().sum(axis=1).tolist() == [1, 0]
    assert found.members.toarray()[0, at] == 1
    mine = run["codes"][
        (run["codes"]["normal"] == "agrifields-coop.example") & (run["codes"]["dimension"] == "persona")
    ]
    assert set(found.codes["code"][found.has.toarray()[at] == 1]) == set(mine["code"])


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"groups": "audience_type"}, InputError, r"no column 'audience_type' to group by.*set_index"),
        ({"groups": {}}, InputError, "Groups are a column's name"),
        ({"groups": pd.Series([], dtype="str")}, InputError, "The groups have no values: no site is in any."),
        ({"groups": pd.Series([None], ["a"], name="kind")}, InputError, "The groups of 'kind' have no values"),
        ({"groups": 3}, InputError, "Groups are a column's name.*given int"),
        ({"groups": {"a": 3}}, InputError, "Targets are a list of texts, not int"),
        ({"groups": pd.Series(["a"])}, InputError, "A target is 0, not text"),
        ({"groups": pd.DataFrame({"target": ["a.example"], "x": 1, "y": 2})}, InputError, "a column 'group'"),
        (
            {"groups": pd.Series([None], ["a.example"], pd.CategoricalDtype([]), name="income_level")},
            InputError,
            "The groups 'income_level' are a band without values: the vocabulary .* Make the frame again",
        ),
        ({"groups": {"b2b": []}, "baseline": "b2c"}, InputError, "The baseline 'b2c' is no group. Nearest: b2b"),
        ({"groups": {"rest": []}, "baseline": "rest"}, InputError, "A group is called 'rest'"),
        ({"baseline": 5}, InputError, "Targets are a list of texts, not int"),
        ({"baseline": [5]}, InputError, "A target is 5, not text"),
        ({"dimensions": "persons"}, UnknownCodeError, "'persons' is not in the dimensions.*persona"),
        ({"taxonomy": "content-v3"}, InputError, "a part is chosen by dimensions"),
        ({"level": 95}, InputError, "The level 95 is not between 0 and 1"),
        ({"baseline_sites": ["a.example"]}, InputError, "baseline_sites says which sites of another run .* Pass a run"),
        ({"confidence_weights": {"low": 2}}, InputError, "The weight of 'low' is 2"),
        ({"confidence_weights": {"low": 0.5}}, InputError, "The weights say nothing of the band"),
        ({"confidence_weights": 0.5}, InputError, "Weights are a mapping of bands"),
    ],
)
def test_wrong_arguments_are_refused_with_words(run, arguments, error, said):
    with pytest.raises(error, match=said):
        compare(run["codes"], **arguments)


def test_wrong_frames_are_refused_with_words(run):
    codes, categories = run["codes"], run["categories"]
    for frame, arguments, said in [
        (run["audiences"], {}, "neither the columns 'dimension' and 'code'"),
        ([codes], {}, "not list"),
        ({}, {}, "not dict"),
        ({"a": codes, "b": categories}, {}, "frames of one kind"),
        ({"a": codes}, {"groups": {"x": []}}, "Several runs are the groups themselves"),
        ({"a": codes, "b": codes}, {"sites": ["a.example"]}, "A?a? ?mapping of the same names: a, b"),
        (codes.drop(columns="target"), {}, "no column 'target'"),
        (categories, {"dimensions": "persona"}, "a part is chosen by taxonomy"),
        (categories, {"confidence_weights": {"low": 1}}, "Categories have a number for confidence"),
        (codes.drop(columns="confidence"), {"confidence_weights": True}, "no column 'confidence'"),
    ]:
        with pytest.raises(InputError, match=said):
            compare(frame, **arguments)
    assert list(SCHEMAS["codes"]) == list(codes.columns)


# Targets that do not count ------------------------------------------------------------------------------------------


def test_targets_of_a_group_that_are_no_answered_sites_are_told(run):
    failed = run["codes"].loc[run["codes"]["error"].notna(), "target"].tolist()
    lists = {
        "shops": [
            "nobody.example",
            "https://nobody.example/",
            "no target at all",
            "nor this",
            "peakcycle.example",
            None,
        ],
        "rest of them": ["https://peakcycle.example/", *failed],
        "found": ["torque-journal.example"],
    }
    told = compare(run["codes"], lists).attrs["about"]["unmatched"]
    assert told == {"shops": 3, "rest of them": len(failed)}
    assert json.loads(json.dumps(told)) == told
    one_each = pd.Series({target: name for name, targets in lists.items() for target in targets if target})
    assert compare(run["codes"], one_each).attrs["about"]["unmatched"] == told
    frame = one_each.rename("group").rename_axis("target").reset_index()
    assert compare(run["codes"], frame).attrs["about"]["unmatched"] == told


def test_targets_of_a_baseline_that_are_no_answered_sites_are_told(run):
    failed = sorted(run["codes"].loc[run["codes"]["error"].notna(), "normal"].unique())
    given = ["peakcycle.example", "https://peakcycle.example/", "nobody.example", "no target at all", *failed]
    about = compare(run["codes"], {"one": ["torque-journal.example"]}, given).attrs["about"]
    assert (about["baseline"], about["baseline_unmatched"]) == ("baseline", 2 + len(failed))
    assert compare(run["codes"], {"one": given[:1]}).attrs["about"]["baseline_unmatched"] == 0


def test_failed_sites_of_a_column_and_sites_that_were_not_asked_for_are_told_too(run):
    codes = run["codes"].assign(campaign="spring")
    failed = codes.loc[codes["error"].notna(), "target"].nunique()
    assert compare(codes, "campaign").attrs["about"]["unmatched"] == {"spring": failed}
    assert failed
    sites = ["peakcycle.example", "torque-journal.example"]
    about = compare(codes, {"two": sites, "one": sites[:1]}, sites=sites[:1]).attrs["about"]
    assert about["unmatched"] == {"two": 1}


def test_a_failure_of_a_site_that_was_answered_too_is_not_told():
    codes = pd.DataFrame(
        {
            "target": ["a.example", "a.example", "b.example"],
            "dimension": ["persona", None, "persona"],
            "code": ["Cook", None, "Cook"],
            "error": [None, "no answer", None],
            "kind": ["one", "one", "two"],
        }
    )
    assert compare(codes, "kind").attrs["about"]["unmatched"] == {}


def test_nothing_is_told_where_all_targets_count(run, kinds):
    for groups in (None, kinds, "dimension"):
        assert compare(run["codes"], groups).attrs["about"]["unmatched"] == {}
    assert compare({"a": run["codes"], "b": run["codes"]}).attrs["about"]["unmatched"] == {}


@pytest.mark.parametrize(
    ("by", "baseline"), [("audience_type", "rest"), ("audience_type", None), ("income_level", None)]
)
def test_comparisons_put_together_say_what_one_of_everything_says(by, baseline):
    run = tk.sample_run()
    dimensions = ["content_type", "interest", "persona", "age_bracket", "urbanicity", "price_signals"]
    whole = run.compare(by, baseline, dimensions=dimensions)
    parts = [run.compare(by, baseline, dimensions=some) for some in (dimensions[:2], dimensions[2:3], dimensions[3:])]
    found = tk.findings.one_family(parts)
    assert found.attrs["about"]["tested"] == whole.attrs["about"]["tested"] > 20
    columns = ["p_adjusted", "verdict"]
    assert_frame_equal(found.set_index(KEY)[columns].sort_index(), whole.set_index(KEY)[columns].sort_index())
    apart = pd.concat(parts).set_index(KEY)["p_adjusted"]
    assert not apart.sort_index().equals(whole.set_index(KEY)["p_adjusted"].sort_index())


def test_one_family_holds_false_findings_where_each_comparison_by_itself_does_not():
    """Of a dozen comparisons of nothing, each of a few tests, some call a difference; together they hardly ever do."""
    rng = np.random.default_rng(5)
    alone = together = 0
    sites = [f"s{number:03}.example" for number in range(80)]
    groups = pd.Series(np.where(np.arange(80) < 40, "one", "other"), index=sites)
    for _ in range(5):
        tables = [codes_frame(rng.random((80, 2)) < 0.4, sites) for _ in range(12)]
        parts = [compare(table, groups, "rest", dimensions="persona") for table in tables]
        alone += any(part["verdict"].isin(["over", "under"]).any() for part in parts)
        together += tk.findings.one_family(parts)["verdict"].isin(["over", "under"]).any()
    assert alone >= 2
    assert not together


def test_what_cannot_be_put_together_is_refused():
    with pytest.raises(InputError, match="no comparison to put together"):
        tk.findings.one_family([])
    run = tk.sample_run()
    spend = dict.fromkeys(run.audiences()["target"], 1.0)
    with pytest.raises(InputError, match="by weight"):
        tk.findings.one_family([run.compare("audience_type", weight=spend)])
    compared = run.compare("audience_type")
    with pytest.raises(InputError, match="A frame is needed, not str"):
        tk.findings.one_family(compared)
    with pytest.raises(InputError, match="no column 'p'"):
        tk.findings.one_family([compared.drop(columns="p")])
    compared.attrs = {}
    with pytest.raises(InputError, match="does not say how many"):
        tk.findings.one_family([compared])


def test_what_makes_the_groups_is_not_among_what_is_compared():
    """All sites of a group have its value: a test that is sure to be passed makes others look proven."""
    run = tk.sample_run()
    assert "audience_type" not in set(run.compare("audience_type", "rest")["dimension"])
    assert "country" not in set(run.compare("country", "rest", of="companies")["dimension"])
    asked = run.compare("audience_type", "rest", dimensions="audience_type")
    assert set(asked["dimension"]) == {"audience_type"}
