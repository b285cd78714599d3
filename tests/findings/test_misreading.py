"""Shares beyond what a classifier reports, of frames."""

import numpy as np
import pandas as pd
import pytest
from saved_runs import failing

import toolkit as tk
from toolkit.findings import compare, corrected_shares, expected_shares, explained_away, shares
from toolkit.interface.errors import InputError, UnknownCodeError

SITES = [f"{number:03}.example" for number in range(200)]


@pytest.fixture
def codes():
    """Of 200 sites 60 are said to have a persona and 20 an interest."""
    persona = pd.DataFrame({"target": SITES[:60], "dimension": "persona", "code": "Cook", "label": "Cooks"})
    interest = pd.DataFrame({"target": SITES[:20], "dimension": "interest", "code": "INT.PETS.DOGS", "label": "Dogs"})
    return pd.concat([persona, interest], ignore_index=True)


def labelled(code="Cook", every=4, true=40):
    """Every fourth site is labelled: the first `true` sites have the code."""
    return pd.DataFrame({"target": SITES[::every], "code": code, "truth": [n < true for n in range(0, 200, every)]})


def test_corrected_shares_are_those_of_the_textbook(codes):
    row = corrected_shares(codes, labelled(), sites=SITES).iloc[0]
    assert row[["n", "with_code", "share", "labelled", "labelled_true"]].tolist() == [200, 60, 0.3, 50, 10]
    assert (row["sensitivity"], row["specificity"]) == (1, pytest.approx(35 / 40))
    assert row["rogan_gladen"] == pytest.approx((0.3 + 35 / 40 - 1) / (1 + 35 / 40 - 1))
    assert row["prediction_powered"] == pytest.approx(0.3 * 10 / 15)
    for name in ("sensitivity", "specificity", "rogan_gladen", "prediction_powered"):
        assert 0 <= row[f"{name}_low"] <= row[name] <= row[f"{name}_high"] <= 1
    assert pd.isna(row["baseline"])
    assert np.isnan(row["prediction_powered_index"])


def rich(seed):
    """Return incomes that are known of fewer of the first 80 sites, and labels of half of all sites.

    Half of all sites are rich in truth, and of nine in ten the service says what is true, if it says anything.
    """
    rng = np.random.default_rng(seed)
    truth = rng.random(200) < 0.5
    said = np.where(rng.random(200) < 0.9, truth, ~truth)
    known = rng.random(200) < np.where(np.arange(200) < 80, 0.35, 0.95)
    sites = np.array(SITES)
    incomes = pd.DataFrame({"target": sites, "dimension": "income_level", "code": np.where(said, "high", "low")})[known]
    drawn = rng.choice(200, 100, replace=False)
    return incomes, pd.DataFrame({"target": sites[drawn], "code": "high", "truth": truth[drawn]}), known


def test_that_little_is_known_of_a_group_is_no_error_of_the_service():
    rows = []
    for seed in range(30):
        incomes, labels, _ = rich(seed)
        rows.append(corrected_shares(incomes, labels, {"few": SITES[:80]}, "rest", sites=SITES).iloc[0])
    found = pd.DataFrame(rows)
    # To take what is not known for a no puts the index at 28, with limits that hold 100 in none of the lists.
    for name in ("rogan_gladen_index", "prediction_powered_index"):
        assert found[[f"{name}_low", f"{name}_high"]].sub(100).prod(axis=1).le(0).mean() >= 0.85
        assert found[name].median() == pytest.approx(100, abs=15)


def test_shares_and_labels_are_of_the_sites_of_which_the_service_knows_the_field():
    incomes, labels, known = rich(0)
    row = corrected_shares(incomes, labels, sites=SITES)
    expected = shares(incomes, sites=SITES).set_index("code").loc["high"]
    columns = ["n", "with_code", "share", "share_low", "share_high"]
    assert row.iloc[0][columns].tolist() == expected[columns].tolist()
    assert row["n"].tolist() == [known.sum()]
    silent = int((~pd.Series(known, SITES)[labels["target"]]).sum())
    assert (row["labelled"].tolist(), row.attrs["about"]["labels_not_known"]) == ([100 - silent], silent)
    unknown = labels[(~pd.Series(known, SITES)[labels["target"]]).to_numpy()]
    nothing = corrected_shares(incomes, unknown, sites=SITES).iloc[0]
    assert nothing["labelled"] == 0
    assert nothing[["sensitivity", "rogan_gladen", "prediction_powered"]].isna().all()


def test_sites_of_which_a_field_is_not_known_are_no_others_of_its_groups_here_either():
    run = tk.sample_run()
    labels = run.audiences()[["target"]].assign(code="INT.TRAVEL", truth=True)
    for baseline in ("rest", None):
        found = run.corrected_shares(labels, "income_level", baseline, dimensions="interest_group")
        compared = run.compare("income_level", baseline, dimensions="interest_group").query("code == 'INT.TRAVEL'")
        both = found.merge(compared, on="group", suffixes=("", "_compared"))
        assert len(both) == len(found)
        np.testing.assert_allclose(both["index"], both["index_compared"])


def test_labels_are_taken_as_a_series_and_by_any_form_of_a_target(codes):
    frame = labelled()
    series = frame.set_index(["target", "code"])["truth"]
    urls = frame.assign(target="https://www." + frame["target"] + "/", truth=frame["truth"].astype(int))
    expected = corrected_shares(codes, frame, sites=SITES)
    pd.testing.assert_frame_equal(corrected_shares(codes, series, sites=SITES), expected)
    shown = corrected_shares(codes, pd.concat([frame, urls]), sites=SITES)
    pd.testing.assert_frame_equal(shown, expected)


def test_the_same_seed_gives_the_same_intervals_whatever_else_is_labelled(codes):
    both = pd.concat([labelled(), labelled("INT.PETS.DOGS", true=20)])
    alone, among = (corrected_shares(codes, labels, sites=SITES) for labels in (labelled(), both))
    assert among["code"].tolist() == ["INT.PETS.DOGS", "Cook"]
    assert among["basis"].astype("str").tolist() == ["measured", "inferred"]
    pd.testing.assert_frame_equal(among.iloc[1:].reset_index(drop=True), alone)
    other = corrected_shares(codes, labelled(), sites=SITES, seed=7)
    assert other["rogan_gladen_low"].iloc[0] == pytest.approx(alone["rogan_gladen_low"].iloc[0], abs=0.01)


def test_groups_have_corrected_indices(codes):
    groups = {"first": SITES[:100], "last": SITES[100:]}
    found = corrected_shares(codes, labelled(), groups, "rest", sites=SITES).set_index("group")
    first = found.loc["first"]
    assert (first["baseline"], first["index"]) == ("rest", np.inf)
    assert first["labelled"] == 25
    assert first["prediction_powered"] == pytest.approx(0.6 * 10 / 15)
    whole = corrected_shares(codes, labelled(), groups, sites=SITES).set_index("group").loc["first"]
    assert whole["index"] == 200
    assert whole["rogan_gladen_index_high"] <= 200
    same = corrected_shares(codes, labelled(), groups, "first", sites=SITES).set_index("group").loc["first"]
    assert (same["prediction_powered_index_low"], same["prediction_powered_index_high"]) == (100, 100)


def test_labels_of_other_sites_are_told_and_do_not_count(codes):
    more = pd.concat([labelled(), pd.DataFrame({"target": ["elsewhere.example"], "code": "Cook", "truth": True})])
    found = corrected_shares(codes, more, sites=SITES)
    assert found["labelled"].tolist() == [50]
    assert found.attrs["about"]["unmatched_labels"] == 1
    with pytest.raises(InputError, match="No label is of a site that counts"):
        corrected_shares(codes, more.iloc[-1:], sites=SITES)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"truth": "yes"}, "neither True nor False"),
        ({"target": SITES[0], "truth": [True, False] * 25}, "labelled both true and false"),
    ],
)
def test_labels_that_cannot_be_used_are_refused(codes, change, words):
    with pytest.raises(InputError, match=words):
        corrected_shares(codes, labelled().assign(**change), sites=SITES)


def test_a_code_that_nobody_has_or_that_is_in_two_dimensions_is_refused(codes):
    with pytest.raises(UnknownCodeError, match="Cook"):
        corrected_shares(codes, labelled("Cok"), sites=SITES)
    twice = pd.concat([codes, codes.assign(dimension="job_function")])
    with pytest.raises(InputError, match="several dimensions"):
        corrected_shares(twice, labelled(), sites=SITES)
    one = corrected_shares(twice, labelled().assign(dimension="persona"), sites=SITES)
    assert one["dimension"].tolist() == ["persona"]
    with pytest.raises(InputError, match="no group"):
        corrected_shares(codes, labelled(), {"shops": SITES[:9]}, "shop", sites=SITES)


def test_what_would_explain_findings_away_is_told_of_called_rows(codes):
    compared = compare(codes, {"first": SITES[:100]}, "rest", sites=SITES)
    half = compare(codes, {"half": SITES[30:130]}, "rest", sites=SITES)
    assert set(compared["verdict"]) == {"over"}
    # In the rest nobody has the code: no sensitivity explains that, nor could so many be made up.
    found = explained_away(compared)
    assert found.loc[found["code"] == "Cook", "sensitivity_difference"].isna().all()
    assert len(explained_away(half)) == half["verdict"].isin(["over", "under"]).sum()
    assert explained_away(compared.iloc[:0]).empty


def test_expected_shares_are_sums_of_confidences_with_limits():
    confidence = [0.9] * 10 + [None] * 2
    rows = {"target": SITES[:12], "taxonomy": "content-v3", "id": "1", "name": "Cars", "confidence": confidence}
    frame = pd.DataFrame(rows)
    row = expected_shares(frame, sites=SITES[:20]).iloc[0]
    assert row[["n", "with_code", "unstated", "expected_low", "expected_high"]].tolist() == [20, 12, 2, 7, 12]
    assert row["expected"] == pytest.approx(9)
    assert row[["expected_share_low", "expected_share", "expected_share_high"]].tolist() == [0.35, 0.45, 0.6]
    grouped = expected_shares(frame, {"a": SITES[:5], "b": SITES[5:20], "c": SITES[19:20]}, sites=SITES[:20])
    assert grouped[["group", "n", "with_code"]].values.tolist() == [["a", 5, 5], ["b", 15, 7]]
    assert frame["confidence"].isna().sum() == 2
    assert expected_shares(frame.iloc[:0]).empty
    with pytest.raises(InputError, match="not between 0 and 1"):
        expected_shares(frame.assign(confidence=7.0))


def test_sites_whose_question_failed_are_in_no_expected_share():
    run = failing(tk.sample_run(), categorize_content=range(9))
    categories = run.categories()
    answered = set(categories.loc[categories["taxonomy"] == "content-v2", "normal"])
    assert len(answered) == 55
    found = expected_shares(categories)
    assert set(found.loc[found["dimension"] == "content-v2", "n"]) == {55}
    assert set(found.loc[found["dimension"] == "content-v3", "n"]) == {62}
    expected = shares(categories).set_index(["dimension", "code"])["share"]
    mine = found.set_index(["dimension", "code"])["share"]
    pd.testing.assert_series_equal(mine.sort_index(), expected.sort_index())


def test_a_run_gives_both():
    run = tk.sample_run()
    expected = run.expected_shares()
    assert set(expected["dimension"]) == {"content-v3"}
    assert (expected["n"] == 62).all()
    assert (expected["expected"] <= expected["with_code"]).all()
    persona = run.shares().query("dimension == 'persona'")["code"].iloc[0]
    audiences = run.audiences().query("audience_type.notna()")
    sites = audiences["target"]
    labels = pd.DataFrame({"target": sites[:20], "code": persona, "truth": [True, False] * 10})
    found = run.corrected_shares(labels, "audience_type")
    assert set(found["group"]) == set(audiences["audience_type"]) >= {"b2b", "b2c"}
    assert found["labelled"].sum() == 20


def test_confidences_that_a_file_made_texts_are_read():
    rows = {"target": ["a.example", "b.example"], "taxonomy": "content-v3", "id": "1", "name": "Cars"}
    frames = [pd.DataFrame(rows | {"confidence": stated}) for stated in ([0.5, 0.9], ["0.5", "0.9"])]
    as_numbers, as_texts = map(expected_shares, frames)
    pd.testing.assert_frame_equal(as_numbers, as_texts)


def test_pages_that_are_alike_are_as_sure_as_their_domains():
    def row(each, **options):
        names = [[f"https://d{number:02}.example/{page}" for page in range(each)] for number in range(60)]
        said = [name for number in range(0, 60, 3) for name in names[number]]
        frame = pd.DataFrame({"target": said, "dimension": "persona", "code": "Cook"})
        # Of every other domain all pages are labelled, and one in six is misread.
        labels = [(name, number % 3 == 0 and number % 9 != 0) for number in range(0, 60, 2) for name in names[number]]
        labels = pd.DataFrame(labels, columns=["target", "truth"]).assign(code="Cook")
        every = [name for some in names for name in some]
        return corrected_shares(frame, labels, sites=every, **options).iloc[0]

    pages, domains, counted = row(5), row(1), row(5, cluster=None)
    for name in ("share", "rogan_gladen", "prediction_powered", "sensitivity"):
        wide, usual, narrow = (found[f"{name}_high"] - found[f"{name}_low"] for found in (pages, domains, counted))
        assert pages[name] == domains[name] == counted[name]
        assert wide == pytest.approx(usual, rel=0.15)
        assert wide > 1.7 * narrow
    assert (pages["n"], pages["labelled"]) == (300, 150)
    # What the service says has the interval that shares have.
    assert pages["share_high"] != counted["share_high"]


def test_what_the_service_says_has_the_limits_of_shares():
    rng = np.random.default_rng(4)
    names = [f"https://d{number:02}.example/{page}" for number in range(30) for page in range(4)]
    frame = pd.DataFrame({"target": [name for name in names if rng.random() < 0.3], "dimension": "persona"})
    frame = frame.assign(code="Cook")
    labels = pd.DataFrame({"target": names[::7], "code": "Cook", "truth": True})
    found = corrected_shares(frame, labels, sites=names)
    same = shares(frame, sites=names)
    for name in ("share", "share_low", "share_high"):
        assert found[name].tolist() == pytest.approx(same[name].tolist())
    assert found.attrs["about"]["cluster"] == same.attrs["about"]["cluster"] == {"by": "domain", "clusters": 30}


def test_what_belongs_together_may_be_a_column_of_the_run():
    run = tk.sample_run()
    travel = set(run.codes().query("code == 'INT.TRAVEL'")["target"])
    labels = run.audiences()[["target"]].iloc[::2].assign(code="INT.TRAVEL")
    labels["truth"] = labels["target"].isin(travel)
    found = run.corrected_shares(labels, cluster="audience_type")
    assert found.attrs["about"]["cluster"]["by"] == "audience_type"
    assert "cluster" not in run.corrected_shares(labels).attrs["about"]
