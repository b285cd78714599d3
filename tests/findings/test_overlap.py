"""Overlap and reach of groups of sites, against plain sets."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

import toolkit as tk
from toolkit.findings.overlap import overlap, reach
from toolkit.interface.errors import InputError

GROUPS = st.dictionaries(st.sampled_from("ABCD"), st.lists(st.integers(0, 7).map("{}.example".format)), max_size=4)


@pytest.fixture(scope="module")
def run(sample):
    return sample


@settings(max_examples=60)
@given(GROUPS)
def test_overlaps_are_those_of_plain_sets(groups):
    found = overlap(groups)
    assert list(zip(found["group"], found["other"], strict=True)) == [(one, two) for one in groups for two in groups]
    for row in found.itertuples():
        one, two = set(groups[row.group]), set(groups[row.other])
        rest = set().union(*(sites for name, sites in groups.items() if name != row.group))
        assert (row.sites, row.other_sites, row.both) == (len(one), len(two), len(one & two))
        assert row.unique == len(one - rest)
        assert row.jaccard == pytest.approx(len(one & two) / len(one | two) if one | two else np.nan, nan_ok=True)
        assert row.containment == pytest.approx(len(one & two) / len(one) if one else np.nan, nan_ok=True)
        assert np.isnan(row.lift)


@settings(max_examples=60)
@given(GROUPS)
def test_each_step_of_reach_adds_as_much_as_any_group_could(groups):
    left = {name: set(sites) for name, sites in groups.items()}
    seen, every = set(), set().union(*left.values())
    found = reach(groups)
    for row in found.itertuples():
        best = max(len(sites - seen) for sites in left.values())
        assert row.group == min(name for name, sites in left.items() if len(sites - seen) == best)
        assert row.adds == best
        seen |= left.pop(row.group)
        assert row.cumulative == len(seen)
        assert row.share == pytest.approx(len(seen) / len(every) if every else np.nan, nan_ok=True)
    assert not left
    assert seen == every


def test_a_group_with_itself_is_wholly_the_same():
    found = overlap({"one": ["a.example", "b.example"]})
    assert found[["both", "jaccard", "containment", "unique"]].values.tolist() == [[2, 1, 1, 2]]


def test_jaccard_is_the_same_both_ways_and_containment_is_not():
    found = overlap({"one": ["a.example"], "two": ["a.example", "b.example"]}).set_index(["group", "other"])
    assert found.loc[("one", "two"), "jaccard"] == found.loc[("two", "one"), "jaccard"] == 0.5
    assert found.loc[("one", "two"), "containment"] == 1
    assert found.loc[("two", "one"), "containment"] == 0.5


def test_spellings_of_one_site_are_one_site():
    found = overlap({"one": ["WWW.A.example", "https://a.example/", "a.example"], "two": ["http://a.example"]})
    assert found["sites"].tolist() == [1, 1, 1, 1]
    assert found["both"].tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("target", ["two words", "", None, 5])
def test_a_target_that_cannot_be_read_is_named_with_its_group(target):
    with pytest.raises(InputError, match=r"Group 'mine': ") as caught:
        overlap({"mine": ["a.example", target]})
    assert repr(target) in str(caught.value) or type(target).__name__ in str(caught.value) or not target


@pytest.fixture(scope="module")
def inside():
    """Sites of an intranet, one of them failed, as a run names them."""
    hosts = ["localhost:8080/a", "localhost:8080/b", "wiki", "[::1]:81"]
    targets = [f"http://{host}" for host in hosts]
    return pd.DataFrame({"target": targets, "normal": hosts, "error": [None, None, None, "no answer"]})


@pytest.mark.parametrize("finding", [overlap, reach])
def test_sites_are_taken_by_the_names_that_a_run_prints(inside, finding):
    by_target = {"one": inside["target"].tolist()[:2], "two": inside["target"].tolist()[1:]}
    by_name = {"one": inside["normal"].tolist()[:2], "two": inside["normal"].tolist()[1:]}
    pairs = [(name, site) for name, sites in by_name.items() for site in sites]
    series = pd.Series([name for name, _ in pairs], index=[site for _, site in pairs])
    table = pd.DataFrame({"target": series.index, "group": series.array})
    expected = finding(by_target, inside)
    assert expected["sites"].max() == 2
    for groups in (by_name, series, table):
        found = finding(groups, inside)
        assert_frame_equal(found, expected)
        assert found.attrs["about"] == expected.attrs["about"]


def test_a_host_without_a_dot_that_the_run_does_not_know_is_refused(inside):
    with pytest.raises(InputError, match=r"Group 'one': 'wikis' has no dot"):
        overlap({"one": ["wiki", "wikis"]}, inside)


@pytest.mark.parametrize("finding", [overlap, reach])
def test_sites_that_are_not_counted_are_told_by_group_as_compare_tells_them(run, finding):
    failed = "https://localhost:8080/a"
    sites = pd.concat([run.sites(), pd.DataFrame({"target": [failed], "normal": ["localhost:8080/a"], "error": "no"})])
    groups = {
        "some": ["torque-journal.example", "zzz.example", "www.zzz.example/", "yyy.example", failed],
        "all": ["torque-journal.example"],
        "none": ["zzz.example"],
    }
    about = finding(groups, sites).attrs["about"]
    assert about["unmatched"] == {"some": 3, "none": 1}
    assert tk.findings.compare(run.codes(), groups, sites=sites["target"]).attrs["about"]["unmatched"].keys() == {
        "some",
        "none",
    }
    assert finding(groups).attrs["about"]["unmatched"] == {}


def test_a_run_tells_of_sites_that_it_does_not_know(run):
    groups = {"mine": ["torque-journal.example", "zzz.example"]}
    unmatched = {"mine": 1}
    assert run.run.overlap(groups).attrs["about"]["unmatched"] == unmatched
    assert run.run.compare(groups).attrs["about"]["unmatched"] == unmatched


def test_every_form_of_groups_gives_the_same(run):
    audiences = run.audiences()
    good = audiences[audiences["error"].isna()]
    by_name = {name: rows["target"].tolist() for name, rows in good.groupby(good["audience_type"].astype("str"))}
    series = good.set_index("target")["audience_type"].astype("str")
    frame = pd.DataFrame({"target": series.index, "group": series.to_numpy()})
    frames = {name: good[good["audience_type"] == name] for name in by_name}
    expected = overlap(by_name)
    for groups in (series, frame, frames):
        assert_frame_equal(overlap(groups), expected)
    column = overlap("audience_type", audiences)
    lift = ["lift"]
    order = ["group", "other"]
    assert_frame_equal(
        column.drop(columns=lift).sort_values(order, ignore_index=True),
        expected.drop(columns=lift).sort_values(order, ignore_index=True),
    )


def test_a_categorical_column_keeps_its_order(run):
    found = overlap("income_level", run.audiences())
    order = run.audiences()["income_level"].cat.categories.tolist()
    assert list(dict.fromkeys(found["group"])) == [name for name in order if name in set(found["group"])]


def test_only_answered_sites_of_the_frame_count(run):
    failed = run.audiences().loc[run.audiences()["error"].notna(), "target"].tolist()
    groups = {"mine": ["torque-journal.example", *failed], "unknown": ["elsewhere.example"]}
    assert overlap(groups)["sites"].tolist() == [1 + len(failed)] * 2 + [1, 1]
    assert overlap(groups, run.audiences())["sites"].tolist() == [1, 1, 0, 0]


def test_lift_is_100_percent_where_groups_have_nothing_to_do_with_each_other():
    frame = pd.DataFrame({"target": [f"{number}.example" for number in range(12)]})
    groups = {"half": frame["target"][:6], "third": frame["target"][::3]}
    found = overlap(groups, frame).set_index(["group", "other"])["lift"]
    assert found["half", "third"] == pytest.approx(1)
    assert found["half", "half"] == pytest.approx(2)


def test_that_a_field_is_not_known_of_all_sites_makes_no_values_of_it_go_together(run):
    rng = np.random.default_rng(1)
    sites = [f"{number}.example" for number in range(600)]
    frame, known = pd.DataFrame({"target": sites}), sites[:300]
    groups = {name: [site for site in known if rng.random() < 0.5] for name in ("young", "old")}
    assert overlap(groups, frame)["lift"].iloc[1] > 1.7
    found = overlap(groups, frame, among=known)
    assert found["lift"].iloc[1] == pytest.approx(1, abs=0.15)
    assert found.attrs["about"]["not_grouped"] == 300
    # A group's own sites always are among them.
    assert overlap(groups, frame, among=[]).attrs["about"]["not_grouped"] == 600 - len(
        {*groups["young"], *groups["old"]}
    )
    incomes = tk.sample_run().overlap("income_level").set_index(["group", "other"])
    values = run.audiences()["income_level"]
    assert values.notna().sum() < run.audiences()["error"].isna().sum()
    assert incomes.loc[("middle", "middle"), "lift"] == pytest.approx(values.notna().sum() / values.eq("middle").sum())


def test_a_site_with_several_values_of_a_column_is_in_several_groups(run):
    codes = run.codes()
    found = overlap("code", codes[codes["dimension"] == "age_bracket"]).set_index(["group", "other"])
    ages = codes[codes["dimension"] == "age_bracket"].groupby("code")["normal"].agg(set)
    assert found.loc[("25_34", "35_44"), "both"] == len(ages["25_34"] & ages["35_44"]) > 0


@pytest.mark.parametrize("finding", [overlap, reach])
def test_rows_in_another_order_change_nothing(run, finding):
    codes = run.codes()
    assert_frame_equal(finding("code", codes), finding("code", codes.sample(frac=1, random_state=3)))


@pytest.mark.parametrize("finding", [overlap, reach])
def test_no_group_gives_a_frame_without_rows_and_the_same_dtypes(finding):
    assert finding({}).empty
    assert finding({}).dtypes.equals(finding({"one": ["a.example"]}).dtypes)
    assert finding({"empty": []}).dtypes.equals(finding({"one": ["a.example"]}).dtypes)


@pytest.mark.parametrize(
    ("groups", "frame", "said"),
    [
        (5, None, "int"),
        ("audience_type", None, "need its frame"),
        ("nothing", pd.DataFrame({"target": ["a.example"]}), "no column 'nothing'"),
        (pd.DataFrame({"target": ["a.example"], "x": 1, "y": 2}), None, "'group'"),
        ({"one": 5}, None, "Group 'one'"),
    ],
)
def test_groups_that_are_none_are_refused(groups, frame, said):
    with pytest.raises(InputError, match=said):
        overlap(groups, frame)


def test_the_groups_are_left_as_they_were():
    groups = {"one": ["WWW.A.example"]}
    series = pd.Series(["one"], index=["WWW.A.example"])
    overlap(groups)
    reach(series)
    assert groups == {"one": ["WWW.A.example"]}
    assert series.index.tolist() == ["WWW.A.example"]


def many(number):
    """Return groups of two sites each, of which one is also the next group's, and one large group of them all."""
    groups = {f"g{n:04}": [f"s{n}.example", f"s{n + 1}.example"] for n in range(number)}
    return groups | {"every": [f"s{n}.example" for n in range(number + 1)], "none": []}


def test_of_thousands_of_groups_only_pairs_that_share_sites_have_a_row_and_the_rest_is_counted():
    found = overlap(many(3_000), most=None)
    assert (found["both"] > 0)[found["group"] != "none"].all()
    assert len(found) == 3_002 + 2 * (2_999 + 3_000)
    about = found.attrs["about"]
    assert (about["groups"], about["pairs_left_out"]) == (3_002, 3_002**2 - len(found))


def test_of_the_pairs_that_share_sites_so_many_are_kept_as_are_asked_for_those_with_most_in_common():
    found = overlap(many(3_000), most=100)
    pairs = found[found["group"] != found["other"]]
    assert len(pairs) == 100
    assert set(map(frozenset, zip(pairs["group"], pairs["other"], strict=True))) == {
        frozenset(("every", f"g{n:04}")) for n in range(50)
    }
    assert pairs["both"].eq(2).all()
    assert len(overlap(many(3_000))) <= 10_000 + 3_002


def test_the_rows_of_many_groups_are_those_of_a_table_of_all_pairs():
    groups = many(120)
    few = overlap(groups, most=None).set_index(["group", "other"])
    half = {name: groups[name] for name in [*list(groups)[:60], "every", "none"]}
    whole = overlap(half).set_index(["group", "other"])
    shared = whole[(whole["both"] > 0) | (whole.index.get_level_values(0) == whole.index.get_level_values(1))]
    columns = ["sites", "other_sites", "both", "jaccard", "containment", "lift"]
    assert whole.attrs["about"]["pairs_left_out"] == 0
    assert_frame_equal(few.loc[shared.index, columns], shared[columns])
