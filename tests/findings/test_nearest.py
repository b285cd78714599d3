"""Nearest sites, against scipy's cosine over a plain table."""

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from scipy.spatial.distance import cosine

from toolkit.findings.nearest import nearest, nearest_codes
from toolkit.interface.errors import InputError, UnknownCodeError

SITE = "torque-journal.example"


@pytest.fixture(scope="module")
def run(sample):
    return sample


@pytest.fixture(scope="module")
def codes(run):
    return run.codes()


@pytest.fixture(scope="module")
def weighted(codes):
    """Sites by codes, each code weighted by its rarity: a plain dense table."""
    rows = codes[codes["error"].isna()]
    table = pd.crosstab(rows["normal"], rows["dimension"].astype("str") + "=" + rows["code"]).clip(upper=1)
    return table * np.log(1 + len(table) / table.sum())


def test_similarities_are_scipy_s_cosine(codes, weighted):
    found = nearest(codes, SITE, most=None, least=0).set_index("site")
    for site in weighted.index.drop(SITE):
        expected = 1 - cosine(weighted.loc[SITE], weighted.loc[site])
        assert found["similarity"].get(site, 0) == pytest.approx(expected, abs=1e-9)
    assert SITE not in found.index


def test_similarities_to_a_profile_are_scipy_s_cosine(codes, weighted):
    names = ["interest_group=INT.AUTOMOTIVE", "gender_skew=balanced"]
    weights = weighted.max()
    asked = weights.where(weights.index.isin(names), 0)
    profile = ["INT.AUTOMOTIVE", "gender_skew=balanced"]
    found = nearest(codes, profile, most=None, least=0).set_index("site")["similarity"]
    for site in weighted.index:
        assert found.get(site, 0) == pytest.approx(1 - cosine(asked, weighted.loc[site]), abs=1e-9)


def test_contributions_add_up_to_the_similarity(codes):
    near, because = nearest(codes, SITE), nearest_codes(codes, SITE)
    totals = because.groupby("site", sort=False)
    assert list(totals.groups) == near["site"].tolist() or set(totals.groups) == set(near["site"])
    np.testing.assert_allclose(totals["contribution"].sum()[near["site"]], near["similarity"])
    assert totals.size()[near["site"]].tolist() == near["shared"].tolist()


def test_the_reasons_are_the_labels_of_the_codes_that_add_most(codes):
    near, because = nearest(codes, SITE), nearest_codes(codes, SITE)
    for row in near.itertuples():
        mine = because[because["site"] == row.site]
        assert mine["contribution"].is_monotonic_decreasing
        rarer = mine[mine["sites"] * 2 < 62]
        assert row.near_because == ", ".join(rarer["label"].head(3))


def test_shared_codes_are_those_that_both_have(codes):
    held = codes.groupby("normal")[["dimension", "code"]].apply(
        lambda rows: set(rows.itertuples(index=False, name=None))
    )
    because = nearest_codes(codes, SITE, most=None)
    for site, rows in because.groupby("site"):
        assert set(zip(rows["dimension"], rows["code"], strict=True)) == held[SITE] & held[site]


def test_what_half_of_the_sites_have_is_no_reason(codes):
    held = codes[codes["error"].isna()].groupby(["dimension", "code"])["normal"].nunique()
    common = set(held[held * 2 >= 62].index)
    labels = {pair: set(rows["label"]) for pair, rows in codes.groupby(["dimension", "code"])}
    said = set().union(*(labels[pair] for pair in common)) - set().union(
        *(names for pair, names in labels.items() if pair not in common)
    )
    assert labels["gender_skew", "balanced"] | labels["home_ownership", "mixed"] <= said
    for site in ("calmwater-yoga.example", "vinyl-attic.example", SITE):
        for reasons in nearest(codes, site, most=None)["near_because"].dropna():
            assert not said & set(reasons.split(", "))


def test_a_site_near_by_what_half_of_the_sites_have_has_no_reason():
    rows = [("a", "X"), ("b", "X"), ("c", "X"), ("d", "Y"), ("e", "Y")]
    assert nearest(_frame(rows), "a.example")["near_because"].isna().all()
    assert nearest(_frame(rows), "d.example")["near_because"].tolist() == ["Y"]


def test_the_list_ends_before_sites_that_are_hardly_alike(codes):
    every = nearest(codes, "calmwater-yoga.example", least=0)
    assert len(every) == 10
    assert nearest(codes, "calmwater-yoga.example").equals(every[every["similarity"] >= 0.2])
    assert every["similarity"].min() < 0.2 < every["similarity"].max()
    assert "clearwater-bank.example" in set(nearest(codes, "calmwater-yoga.example", least=0, most=None)["site"])
    assert_frame_equal(nearest(codes, "calmwater-yoga.example", least=0.15), every[every["similarity"] >= 0.15])


def test_the_list_of_a_profile_ends_where_sites_are_half_as_like_it_as_the_nearest(codes):
    found = nearest(codes, ["INT.AUTOMOTIVE"], most=None)
    every = nearest(codes, ["INT.AUTOMOTIVE"], least=0, most=None)
    assert len(found)
    assert_frame_equal(found, every[every["similarity"] * 2 >= every["similarity"].iloc[0]])


@pytest.mark.parametrize("least", [-0.1, 1.5, "0.2", True])
def test_a_least_similarity_that_is_none_is_refused(codes, least):
    with pytest.raises(InputError, match="least is"):
        nearest(codes, SITE, least=least)


def test_a_rarer_code_makes_nearer():
    rows = [("a", "Rare"), ("b", "Rare"), ("a", "Common"), ("c", "Common"), ("d", "Common"), ("e", "Common")]
    frame = _frame(rows)
    found = nearest(frame, "a.example")
    assert found["site"].iloc[0] == "b.example"
    assert found["site"].tolist()[1:] == ["c.example", "d.example", "e.example"]


def test_equal_codes_are_similarity_1_even_where_every_site_has_them():
    found = nearest(_frame([("a", "X"), ("b", "X"), ("c", "X")]), "a.example")
    assert found["similarity"].tolist() == [1.0, 1.0]


def test_a_site_that_shares_nothing_is_not_near():
    assert nearest(_frame([("a", "X"), ("b", "Y")]), "a.example").empty


def _frame(rows):
    sites, codes = zip(*rows, strict=True)
    return pd.DataFrame({"target": [f"{site}.example" for site in sites], "dimension": "persona", "code": codes})


def test_any_spelling_of_a_site_finds_it(codes):
    assert_frame_equal(nearest(codes, f"HTTPS://WWW.{SITE}/"), nearest(codes, SITE))


def test_only_these_dimensions_are_compared(codes):
    because = nearest_codes(codes, SITE, dimensions=["interest_group", "persona"])
    assert set(because["dimension"]) <= {"interest_group", "persona"}
    assert len(because)


def test_categories_have_nearest_sites_too(run):
    found = nearest(run.categories(), SITE, taxonomy="content-v3")
    assert found["near_because"].str.contains("Automotive").iloc[0]


@pytest.mark.parametrize("finding", [nearest, nearest_codes])
def test_rows_in_another_order_or_twice_change_nothing(codes, finding):
    other = pd.concat([codes, codes]).sample(frac=1, random_state=5)
    assert_frame_equal(finding(other, SITE), finding(codes, SITE))


@pytest.mark.parametrize("finding", [nearest, nearest_codes])
def test_no_near_site_gives_the_same_columns_and_dtypes(codes, finding):
    alone = codes[codes["normal"] == SITE]
    assert finding(alone, SITE).empty
    assert finding(alone, SITE).dtypes.equals(finding(codes, SITE).dtypes)


def test_at_most_so_many_sites_are_given(codes):
    site = "trailhead-outfitters.example"
    assert len(nearest(codes, site, most=3)) == 3
    assert_frame_equal(nearest(codes, site, most=3), nearest(codes, site, most=None).head(3))
    with pytest.raises(InputError, match="most is -1"):
        nearest(codes, SITE, most=-1)


def test_an_unknown_site_is_named_with_the_nearest(codes):
    with pytest.raises(InputError, match=r"'torque-jurnal.example' is not among the 62 .* torque-journal.example"):
        nearest(codes, "torque-jurnal.example")


def test_a_failed_site_is_said_to_have_failed(codes):
    failed = codes.loc[codes["error"].notna(), "target"].iloc[0]
    with pytest.raises(InputError, match="only a failure"):
        nearest(codes, failed)


def test_a_code_in_the_place_of_a_site_is_told_how_to_ask(codes):
    with pytest.raises(InputError, match=r"\['INT.AUTOMOTIVE'\]"):
        nearest(codes, "INT.AUTOMOTIVE")


def test_a_code_that_no_site_has_is_named_with_the_nearest(codes):
    with pytest.raises(UnknownCodeError, match=r"Nearest: .*INT.AUTOMOTIVE"):
        nearest(codes, ["INT.AUTOMOTIV"])
    with pytest.raises(UnknownCodeError, match="income_level=hihg"):
        nearest(codes, {"income_level": "hihg"})


def test_a_value_of_several_dimensions_wants_its_own():
    frame = pd.DataFrame({"target": "a.example", "dimension": ["income_level", "price_signals"], "code": "high"})
    with pytest.raises(InputError, match="'income_level=high'"):
        nearest(frame, ["high"])
    assert nearest(frame, ["income_level=high"])["shared"].tolist() == [1]
    assert_frame_equal(nearest(frame, ["income_level=high"]), nearest(frame, {"income_level": "high"}))


@pytest.mark.parametrize("profile", [[], {}, 5, [5], [None]])
def test_a_profile_that_is_none_is_refused(codes, profile):
    with pytest.raises(InputError):
        nearest(codes, profile)


def test_the_frame_is_left_as_it_was(codes):
    before = codes.copy()
    nearest(codes, SITE)
    nearest_codes(codes, ["INT.AUTOMOTIVE"])
    assert_frame_equal(codes, before)


@pytest.mark.parametrize("profile", [{"income_level": 5}, {"income_level": None}, {"income_level": ["high", 5]}, [5]])
def test_values_of_a_profile_that_are_no_texts_are_refused_with_an_example(codes, profile):
    with pytest.raises(InputError, match=r"is no code: codes are text, not \w+\. Pass text, such as \{'income_level'"):
        nearest(codes, profile)


@pytest.mark.parametrize("finding", [nearest, nearest_codes])
def test_something_else_than_a_frame_is_refused(codes, finding):
    with pytest.raises(InputError, match=r"A frame is needed, not dict\. Pass a codes or categories frame of a run\."):
        finding({"mine": codes}, SITE)
