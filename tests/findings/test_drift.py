"""Drift between two runs: worked by hand, and what holds of any two runs."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar

import toolkit as tk
from toolkit.findings.drift import drift, drift_sites
from toolkit.findings.shares import shares
from toolkit.findings.statistics.tables import paired_p, smallest_paired_p
from toolkit.interface.errors import InputError

PARTS = ["list_changed", "sites_changed", "vocabulary_changed"]
ROWS = st.sets(st.tuples(st.integers(0, 5), st.sampled_from(["INT.A.B", "INT.A.C", "INT.A.D"])))


@pytest.fixture(scope="module")
def run(sample):
    return sample


def _codes(rows, dimension="interest", version=None):
    """Codes of sites; a row without a code is a site that answered without any."""
    frame = pd.DataFrame(list(rows), columns=["site", "code"]).astype({"code": "str"})
    frame["target"] = frame["site"].map("{}.example".format).astype("str")
    return frame.assign(dimension=dimension, vocab_version=version)


def _vocabulary(*codes):
    return tk.Vocabulary.parse({"interests": [{"code": code, "label": code} for code in codes]})


def test_a_worked_example_adds_up_by_hand():
    # Earlier a, b, c, d: Cook at a and b, so 2 of 4. Later b, c, d, e, f: Cook at b, c, d and e, so 4 of 5.
    # Of the same sites b, c and d it was 1 of 3 and is 3 of 3: the sites changed it by 2/3.
    # The list changed it by (4/5 - 3/3) - (2/4 - 1/3) = -1/5 - 1/6 = -11/30. Together 2/3 - 11/30 = 3/10 = 4/5 - 2/4.
    earlier = _codes([("a", "Cook"), ("b", "Cook"), ("c", None), ("d", None)], "persona")
    later = _codes([("b", "Cook"), ("c", "Cook"), ("d", "Cook"), ("e", "Cook"), ("f", None)], "persona")
    row = drift(earlier, later).iloc[0]
    assert (row["with_before"], row["n_before"], row["with_after"], row["n_after"]) == (2, 4, 4, 5)
    assert (row["same_sites"], row["gained"], row["lost"]) == (3, 2, 0)
    assert row["sites_changed"] == pytest.approx(2 / 3)
    assert row["list_changed"] == pytest.approx(-11 / 30)
    assert row["vocabulary_changed"] == 0
    assert row["change"] == pytest.approx(3 / 10)


def test_a_code_that_only_the_later_vocabulary_has_is_the_vocabulary_s_change():
    earlier = _codes([("a", "INT.A.B"), ("b", None)])
    later = _codes([("a", "INT.A.B"), ("a", "INT.A.C"), ("c", "INT.A.C")])
    found = drift(
        earlier, later, earlier_vocabulary=_vocabulary("INT.A.B"), later_vocabulary=_vocabulary("INT.A.B", "INT.A.C")
    ).set_index("code")
    assert found.loc["INT.A.C", [*PARTS, "change"]].tolist() == [0, 0, 1, 1]
    assert found["known"].to_dict() == {"INT.A.C": "only later", "INT.A.B": "both"}
    assert found.loc["INT.A.B", "vocabulary_changed"] == 0
    assert found.attrs["about"]["known_from"] == "vocabularies"


def test_a_code_that_both_vocabularies_have_is_the_sites_change_though_one_run_has_none():
    both = _vocabulary("INT.A.B", "INT.A.C")
    earlier, later = _codes([("a", "INT.A.B")]), _codes([("a", "INT.A.B"), ("a", "INT.A.C")])
    found = drift(earlier, later, earlier_vocabulary=both, later_vocabulary=both).set_index("code")
    assert found.loc["INT.A.C", PARTS].tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("versions", "parts", "known_from"),
    [
        (("1.1", "1.1"), [0, 1, 0], "versions"),
        (("1.1", "1.2"), [0, 0, 1], "codes seen"),
        ((None, "1.2"), [0, 1, 0], "versions"),
    ],
)
def test_without_vocabularies_the_versions_say_who_could_know_a_code(versions, parts, known_from):
    earlier = _codes([("a", "INT.A.B")], version=versions[0])
    later = _codes([("a", "INT.A.B"), ("a", "INT.A.C")], version=versions[1])
    found = drift(earlier, later)
    assert found.set_index("code").loc["INT.A.C", PARTS].tolist() == parts
    assert found.attrs["about"]["known_from"] == known_from


def test_a_persona_is_in_no_vocabulary_and_so_never_the_vocabulary_s_change():
    earlier, later = _codes([("a", "Cook")], "persona", "1.1"), _codes([("a", "Diver")], "persona", "1.2")
    assert (drift(earlier, later)["vocabulary_changed"] == 0).all()
    found = drift(earlier, later, earlier_vocabulary=_vocabulary("INT.A.B"), later_vocabulary=_vocabulary("INT.A.C"))
    assert found["known"].tolist() == ["both", "both"]


@settings(max_examples=25)
@given(ROWS, ROWS, st.sets(st.sampled_from(["INT.A.B", "INT.A.C", "INT.A.D"]), min_size=1), st.booleans())
def test_the_parts_add_up_to_the_change(before, after, known, with_vocabularies):
    vocabularies = (
        {"earlier_vocabulary": _vocabulary(*known), "later_vocabulary": _vocabulary("INT.A.B", "INT.A.C")}
        if with_vocabularies
        else {}
    )
    found = drift(_codes(before), _codes(after), **vocabularies)
    np.testing.assert_allclose(found[PARTS].sum(axis=1, skipna=False), found["change"], rtol=0, atol=1e-15)
    np.testing.assert_array_equal(found["change"], found["share_after"] - found["share_before"])


@settings(max_examples=25)
@given(ROWS)
def test_a_run_against_itself_changed_nothing(rows):
    found = drift(_codes(rows), _codes(rows))
    assert (found[[*PARTS, "change", "gained", "lost"]] == 0).all(axis=None)


@settings(max_examples=25)
@given(ROWS, ROWS)
def test_where_the_same_sites_kept_their_codes_only_the_list_changed(rows, more):
    earlier = _codes(rows)
    later = _codes({*((site, code) for site, code in rows if site != 0), *((site + 10, code) for site, code in more)})
    found = drift(earlier, later)
    assert (found[["sites_changed", "vocabulary_changed"]].fillna(0) == 0).all(axis=None)
    np.testing.assert_array_equal(found["list_changed"], found["change"])


@settings(max_examples=25)
@given(ROWS, ROWS)
def test_where_the_list_is_the_same_only_the_sites_changed(before, after):
    answered = {(site, None) for site in range(6)}
    found = drift(_codes({*before, *answered}), _codes({*after, *answered}))
    assert (found[["list_changed", "vocabulary_changed"]] == 0).all(axis=None)
    np.testing.assert_allclose(found["sites_changed"], (found["gained"] - found["lost"]) / 6, atol=1e-15)


@settings(max_examples=25)
@given(ROWS, ROWS)
def test_turned_round_every_part_changes_its_sign(before, after):
    keys = ["dimension", "code"]
    there = drift(_codes(before), _codes(after)).set_index(keys).sort_index()
    back = drift(_codes(after), _codes(before)).set_index(keys).sort_index()
    np.testing.assert_allclose(there[[*PARTS, "change"]], -back[[*PARTS, "change"]], atol=1e-15)


def test_without_a_site_in_both_the_whole_change_is_the_list_s():
    found = drift(_codes([("a", "INT.A.B")]), _codes([("b", None)]))
    assert found[[*PARTS, "change", "same_sites"]].values.tolist() == [[-1, 0, 0, -1, 0]]


def test_of_a_run_without_an_answer_no_change_is_known(run):
    codes = run.codes()
    found = drift(codes[codes["error"].notna()], codes)
    assert found[[*PARTS, "change", "share_before"]].isna().all(axis=None)
    assert (found["with_after"] > 0).all()


def test_shares_are_those_of_shares(run):
    codes = run.codes()
    half = codes[codes["normal"] < "n"]
    found = drift(half, codes).set_index(["dimension", "code"])
    for name, frame in (("share_before", half), ("share_after", codes)):
        expected = shares(frame).set_index(["dimension", "code"])["share"]
        np.testing.assert_allclose(found.loc[expected.index, name], expected)


def test_categories_drift_too(run):
    categories = run.categories()
    found = drift(categories[categories["normal"] < "n"], categories, taxonomy="content-v3")
    assert set(found["dimension"]) == {"content-v3"}
    assert (found["known"] == "both").all()
    assert (found["sites_changed"] == 0).all()


@pytest.mark.parametrize("finding", [drift, drift_sites])
def test_rows_in_another_order_or_twice_change_nothing(run, finding):
    codes = run.codes()
    half = codes[codes["rank"] < 2]
    other = [pd.concat([frame, frame]).sample(frac=1, random_state=4) for frame in (half, codes)]
    assert_frame_equal(finding(*other), finding(half, codes))


@pytest.mark.parametrize("finding", [drift, drift_sites])
def test_columns_and_dtypes_are_the_same_for_no_rows(run, finding):
    codes = run.codes()
    assert finding(codes.iloc[:0], codes.iloc[:0]).dtypes.equals(finding(codes, codes).dtypes)


@pytest.mark.parametrize("finding", [drift, drift_sites])
def test_frames_of_two_kinds_are_refused(run, finding):
    with pytest.raises(InputError, match="one kind"):
        finding(run.codes(), run.categories())
    with pytest.raises(InputError, match="frame"):
        finding(run.codes(), run.failures())


def test_the_largest_change_comes_first(run):
    codes = run.codes()
    found = drift(codes[codes["normal"] < "n"], codes)
    assert found["change"].abs().round(9).is_monotonic_decreasing


def test_each_site_says_what_it_gained_and_lost():
    earlier = _codes([("a", "INT.A.B"), ("a", "INT.A.C"), ("b", "INT.A.B")])
    later = _codes([("a", "INT.A.B"), ("a", "INT.A.D"), ("c", "INT.A.B")])
    found = drift_sites(earlier, later).set_index("site")
    assert found["status"].to_dict() == {"a.example": "both", "b.example": "only earlier", "c.example": "only later"}
    row = found.loc["a.example"]
    assert row[["before", "after", "gained", "lost", "kept"]].tolist() == [2, 2, 1, 1, 1]
    assert row["similarity"] == pytest.approx(1 / 3)
    assert row[["gained_codes", "lost_codes"]].tolist() == ["INT.A.D", "INT.A.C"]
    assert found.loc[["b.example", "c.example"], ["similarity", "gained_codes", "lost_codes"]].isna().all(axis=None)
    assert found.loc["c.example", ["before", "after", "gained"]].tolist() == [0, 1, 0]


def test_a_site_that_failed_in_one_run_is_said_to_have_failed():
    earlier = _codes([("a", "INT.A.B"), ("b", "INT.A.B"), ("c", None)]).assign(error=[None, None, "no answer"])
    later = _codes([("a", "INT.A.B"), ("b", None), ("c", None)]).assign(error=[None, "no answer", "no answer"])
    found = drift_sites(earlier, later).set_index("site")["status"].to_dict()
    assert found == {"a.example": "both", "b.example": "failed later", "c.example": "failed"}


def test_values_stand_with_their_field_in_what_a_site_gained():
    earlier, later = _codes([("a", "low")], "income_level"), _codes([("a", "high")], "income_level")
    found = drift_sites(earlier, later)
    assert found[["gained_codes", "lost_codes"]].values.tolist() == [["income_level=high", "income_level=low"]]


@settings(max_examples=25)
@given(ROWS, ROWS)
def test_the_sites_changes_are_the_codes_changes(before, after):
    by_code, by_site = drift(_codes(before), _codes(after)), drift_sites(_codes(before), _codes(after))
    assert by_code["gained"].sum() == by_site["gained"].sum()
    assert by_code["lost"].sum() == by_site["lost"].sum()


def test_the_frames_are_left_as_they_were(run):
    codes = run.codes()
    kept = codes.copy()
    drift(codes, codes)
    drift_sites(codes, codes)
    assert_frame_equal(codes, kept)


@pytest.mark.parametrize("finding", [drift, drift_sites])
@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("wrong", [{"a": pd.DataFrame()}, [1], None, 5])
def test_runs_that_are_no_frames_are_refused(run, finding, place, wrong):
    frames = [run.codes(), run.codes()]
    frames[place] = wrong
    with pytest.raises(
        InputError, match=rf"A frame is needed, not {type(wrong).__name__}\. Pass a codes or categories"
    ):
        finding(*frames)


def test_what_is_no_vocabulary_is_refused(run):
    with pytest.raises(InputError, match=r"of type str\. Pass client\.filters\(\), or None\."):
        drift(run.codes(), run.codes(), later_vocabulary="1.1")


def test_what_many_of_the_same_sites_gained_is_called_so_and_what_few_did_is_not():
    names = [f"s{number}" for number in range(40)]
    earlier = _codes([(name, None) for name in names] + [(name, "Steady") for name in names], "persona")
    later = _codes(
        [(name, "Steady") for name in names]
        + [(name, "Many") for name in names[:12]]
        + [(name, "Few") for name in names[:5]],
        "persona",
    )
    found = drift(earlier, later).set_index("code")
    assert found["verdict"].to_dict() == {"Many": "gained", "Few": "too few", "Steady": "no change shown"}
    # All of twelve gained: 2 / 2^12. It is the only row that could show anything, so its odds are all there are.
    assert found.loc["Many", ["p", "p_adjusted"]].tolist() == pytest.approx([2 / 2**12, 2 / (2**12 - 2)])
    assert (found.attrs["about"]["tested"], np.isnan(found.loc["Few", "p_adjusted"])) == (1, True)
    back = drift(later, earlier).set_index("code")
    assert back["verdict"].to_dict() == {"Many": "lost", "Few": "too few", "Steady": "no change shown"}


def test_codes_that_changed_at_few_sites_do_not_hide_one_that_changed_at_eight():
    """Each of the others changed at six sites, three a way: only one outcome in 32 could have counted against it."""
    names = [f"s{number}" for number in range(40)]
    others = [f"Code {number}" for number in range(30)]
    kept = [(name, "Steady") for name in names]
    earlier = _codes(kept + [(name, code) for code in others for name in names[:3]], "persona")
    later = _codes(
        kept + [(name, "New") for name in names[:9]] + [(name, code) for code in others for name in names[3:6]],
        "persona",
    )
    found = drift(earlier, later).set_index("code")
    assert found.loc["New", "p"] == pytest.approx(2 / 2**9)
    assert found.loc["New", "p"] * found.attrs["about"]["tested"] > 0.05
    assert found.loc["New", "verdict"] == "gained"
    assert set(found.loc[others, "verdict"]) == {"no change shown"}


def test_of_what_only_one_vocabulary_knows_nothing_is_tested():
    names = [f"s{number}" for number in range(20)]
    earlier = _codes([(name, None) for name in names], version="1.1")
    later = _codes([(name, "INT.A.B") for name in names], version="1.2")
    row = drift(earlier, later).iloc[0]
    assert (row["known"], row[["p", "p_adjusted", "verdict"]].isna().all()) == ("only later", True)


def test_the_list_alone_shows_no_change_of_sites():
    kept = [(f"s{number}", "Cook") for number in range(10)]
    more = [(f"t{number}", "Diver") for number in range(30)]
    found = drift(_codes(kept, "persona"), _codes(kept + more, "persona"))
    assert set(found["verdict"]) == {"no change shown"}
    assert found["p"].tolist() == [1.0, 1.0]


@settings(max_examples=25)
@given(st.integers(0, 60), st.integers(0, 60))
def test_the_test_of_changes_is_the_binomial_s_and_statsmodels_mcnemar(gained, lost):
    found = float(paired_p(gained, lost))
    assert found == pytest.approx(mcnemar([[3, lost], [gained, 4]], exact=True).pvalue, rel=1e-9)
    assert found == pytest.approx(binomtest(gained, gained + lost).pvalue if gained + lost else 1, rel=1e-9)
    assert float(smallest_paired_p(gained + lost)) <= found * (1 + 1e-9)


@pytest.mark.parametrize("wrong", [-1, 0.5, "many", float("nan")])
def test_changes_that_are_no_counts_are_refused(wrong):
    with pytest.raises(InputError, match="count"):
        paired_p(wrong, 1)


def test_false_findings_of_drift_stay_rare():
    # 300 codes that come and go at random at 80 sites: whatever is called a change is false.
    chance, called = np.random.default_rng(3), 0
    for _ in range(40):
        before, after = (
            pd.DataFrame(np.argwhere(chance.random((80, 300)) < 0.2), columns=["site", "code"]) for _ in range(2)
        )
        frames = [
            frame.assign(target=frame["site"].map("{}.example".format), dimension="persona").astype({"code": "str"})
            for frame in (before, after)
        ]
        called += drift(*frames)["verdict"].isin(["gained", "lost"]).any()
    # Where nothing is true, the part of runs with any finding is the false discovery rate. Of 40 at 0.05, more than 6
    # would have a probability of 0.3 %.
    assert called <= 6


def test_a_site_that_was_answered_with_nothing_is_one_that_lost_all_it_had():
    earlier = pd.DataFrame({"target": ["a.example", "b.example"], "taxonomy": "content-v3", "id": "1"})
    earlier = earlier.assign(name="Attractions", level_1="Attractions")
    later = earlier.iloc[:1]
    both = ["a.example", "b.example"]
    row = drift(earlier, later, later_sites=both).iloc[0]
    assert (row["n_after"], row["share_after"], row["sites_changed"], row["list_changed"]) == (2, 0.5, -0.5, 0)
    sites = drift_sites(earlier, later, later_sites=both).set_index("site")
    assert sites.loc["b.example", ["status", "lost"]].tolist() == ["both", 1]
    back = drift_sites(later, earlier, earlier_sites=both).set_index("site")
    assert back.loc["b.example", ["status", "gained"]].tolist() == ["both", 1]
    # Without being told, the frames do not say that it was answered.
    assert drift_sites(earlier, later).set_index("site").loc["b.example", "status"] == "only earlier"
