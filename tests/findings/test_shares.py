"""Shares of codes, confidences, technologies and empty blocks, against plain counting and statsmodels."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal
from statsmodels.stats.proportion import proportion_confint

import toolkit as tk
from toolkit.findings.links import persona_links
from toolkit.findings.shares import (
    confidence_bands,
    confidence_bins,
    empty_blocks,
    shares,
    technology_shares,
)
from toolkit.frames.about import about, answered
from toolkit.frames.schemas import SCALARS, STATED
from toolkit.interface.errors import InputError, UnknownCodeError


@pytest.fixture(scope="module")
def run(sample):
    return sample


FINDINGS = {
    "shares of codes": lambda run: shares(run.codes()),
    "shares of categories": lambda run: shares(run.categories(), sites=run.audiences()),
    "confidence_bands": lambda run: confidence_bands(run.codes()),
    "confidence_bins": lambda run: confidence_bins(run.categories()),
    "technology_shares": lambda run: technology_shares(run.technologies(), run.companies()),
    "empty_blocks of codes": lambda run: empty_blocks(run.codes()),
    "empty_blocks of audiences": lambda run: empty_blocks(run.audiences()),
    "persona_links": lambda run: persona_links(run.codes(), run.categories()),
}


class Changed:
    """A run whose frames went through a change."""

    def __init__(self, run, change):
        self.run = run
        self.change = change

    def __getattr__(self, name):
        return lambda: self.change(getattr(self.run, name)())


@pytest.fixture(params=FINDINGS)
def finding(request):
    return FINDINGS[request.param]


def test_permuted_rows_give_the_same_finding(run, finding):
    shuffled = Changed(run, lambda frame: frame.sample(frac=1, random_state=7))
    assert_frame_equal(finding(run), finding(shuffled))


def test_a_run_asked_twice_gives_the_same_finding(run, finding):
    doubled = Changed(run, lambda frame: pd.concat([frame, frame], ignore_index=True))
    assert_frame_equal(finding(run), finding(doubled))


@pytest.mark.parametrize("rows", [0, 1])
def test_columns_and_dtypes_are_the_same_for_0_and_1_rows(run, finding, rows):
    assert finding(Changed(run, lambda frame: frame.iloc[:rows])).dtypes.equals(finding(run).dtypes)


def test_failures_alone_give_a_finding_of_no_site(run, finding):
    failed = finding(Changed(run, lambda frame: frame[frame["error"].notna()]))
    assert failed.dtypes.equals(finding(run).dtypes)
    assert failed.attrs["about"]["sites"] == 0
    assert failed.attrs["about"]["failed"] > 0


def test_the_frames_given_are_left_as_they_were(run, finding):
    kept = {name: getattr(run, name)().copy() for name in ("codes", "categories", "audiences", "technologies")}
    finding(run)
    for name, frame in kept.items():
        assert_frame_equal(getattr(run, name)(), frame)


def test_every_finding_says_what_it_is_about(run, finding):
    about = finding(run).attrs["about"]
    assert about["sites"] in {62, run.categories().loc[run.categories()["error"].isna(), "normal"].nunique()}
    assert about["failed"] == 6


def test_shares_are_counts_of_different_sites_among_the_answered(run):
    codes = run.codes()
    held = {}
    for row in codes[codes["error"].isna()].itertuples():
        held.setdefault((str(row.dimension), row.code), set()).add(row.normal)
    found = shares(codes)
    assert {(row.dimension, row.code): row.with_code for row in found.itertuples()} == {
        key: len(sites) for key, sites in held.items()
    }
    known = {dimension: set() for dimension, _ in held}
    for (dimension, _), sites in held.items():
        known[dimension] |= sites
    assert {row.dimension: row.n for row in found.itertuples()} == {
        dimension: len(sites) if dimension in STATED else 62 for dimension, sites in known.items()
    }
    np.testing.assert_allclose(found["share"], found["with_code"] / found["n"])


def test_intervals_are_statsmodels_wilson(run):
    for found, name in (
        (shares(run.codes()), "with_code"),
        (technology_shares(run.technologies()), "with_technology"),
        (empty_blocks(run.codes()), "empty"),
    ):
        low, high = proportion_confint(found[name].to_numpy(), found["n"].to_numpy(), method="wilson")
        np.testing.assert_allclose(found["share_low"], low, atol=1e-12)
        np.testing.assert_allclose(found["share_high"], high, atol=1e-12)


def test_a_lower_level_gives_narrower_intervals(run):
    wide, narrow = shares(run.codes()), shares(run.codes(), level=0.5)
    assert (narrow["share_high"] - narrow["share_low"] < wide["share_high"] - wide["share_low"]).all()


def test_shares_come_by_dimension_then_most_frequent_then_by_code(run):
    found = shares(run.codes())
    order = list(dict.fromkeys(found["dimension"]))
    assert order == [name for name in tk.frames.DIMENSIONS if name in order]
    for _, rows in found.groupby("dimension"):
        keys = list(zip(-rows["with_code"], rows["code"], strict=True))
        assert keys == sorted(keys)


def test_only_the_dimensions_asked_for_are_there(run):
    assert set(shares(run.codes(), dimensions=["persona", "interest"])["dimension"]) == {"persona", "interest"}
    assert set(shares(run.categories(), taxonomy="content-v2")["dimension"]) == {"content-v2"}


def test_a_category_from_two_endpoints_counts_once(run):
    categories = run.categories()
    assert (categories[categories["taxonomy"] == "content-v3"].groupby("endpoint").size() > 0).sum() == 2
    expected = categories[categories["taxonomy"] == "content-v3"].groupby("id")["normal"].nunique()
    found = shares(categories, taxonomy="content-v3").set_index("code")["with_code"]
    assert found.to_dict() == expected.to_dict()


def test_sites_given_are_the_denominator_and_failed_ones_do_not_count(run):
    failed = run.codes().loc[run.codes()["error"].notna(), "target"].iloc[0]
    found = shares(run.codes(), sites=["torque-journal.example", "https://www.ledgerline.example/", failed])
    assert set(found.loc[~found["dimension"].isin(STATED), "n"]) == {2}
    assert found["with_code"].max() <= 2


def test_a_misspelt_dimension_is_named_with_the_nearest(run):
    with pytest.raises(UnknownCodeError, match="interest"):
        shares(run.codes(), dimensions="intrest")


def test_a_frame_of_another_kind_is_refused(run):
    for finding in (shares, confidence_bands, confidence_bins, technology_shares, empty_blocks):
        with pytest.raises(InputError, match="frame"):
            finding(run.failures())
        with pytest.raises(InputError, match="frame"):
            finding([1])


def test_bands_count_each_site_of_a_dimension_once(run):
    codes = run.codes()
    found = confidence_bands(codes)
    for dimension, rows in found.groupby("dimension"):
        sites = codes.loc[codes["dimension"] == dimension, "normal"].nunique()
        assert rows["sites"].sum() == sites
        assert set(rows["n"]) == {sites}
        assert rows["share"].sum() == pytest.approx(1)


def test_bands_are_those_of_the_audiences_frame(run):
    expected = run.audiences()["interests_confidence"].value_counts()
    with_interests = run.audiences().loc[run.audiences()["interests"] > 0, "interests_confidence"].value_counts()
    found = confidence_bands(run.codes()).set_index(["dimension", "confidence"])["sites"]["interest"]
    assert {band: found[band] for band in ("low", "medium", "high")} == with_interests.to_dict()
    assert with_interests.sum() < expected.sum()


def test_a_site_with_two_bands_in_a_dimension_counts_with_the_highest():
    codes = pd.DataFrame({"target": "a.example", "dimension": "interest", "code": ["A", "B"]})
    found = confidence_bands(codes.assign(confidence=["high", "low"]))
    assert found["sites"].tolist() == [0, 0, 1, 0]


def test_a_band_that_is_not_stated_is_missing(run):
    found = confidence_bands(run.codes())
    personas = found[found["dimension"] == "persona"]
    assert personas["confidence"].isna().tolist() == [False, False, False, True]
    assert personas["sites"].tolist() == [0, 0, 0, personas["n"].iloc[0]]


def test_bins_are_numpy_s_histogram_of_the_highest_confidences(run):
    categories = run.categories()
    v3 = categories[categories["taxonomy"] == "content-v3"].groupby(["normal", "id"])["confidence"].max()
    counts, edges = np.histogram(v3, bins=4, range=(0, 1))
    found = confidence_bins(categories, bins=4)
    assert found["count"].tolist() == counts.tolist()
    assert found["low"].tolist() == edges[:-1].tolist()
    assert found["share"].sum() == pytest.approx(1)


def test_a_confidence_of_1_is_in_the_last_step_and_a_missing_one_in_none():
    frame = _categories([1.0, 0.5, None])
    found = confidence_bins(frame, bins=2)
    assert found["count"].tolist() == [0, 2]
    assert found.attrs["about"]["unstated"] == 1


def _categories(confidences):
    rows = {"target": "a.example", "taxonomy": "content-v3", "id": [str(place) for place in range(len(confidences))]}
    levels = dict.fromkeys(["level_1", "level_2", "level_3", "level_4"])
    return pd.DataFrame(rows | {"confidence": confidences, "name": "Category"} | levels)


@pytest.mark.parametrize("wrong", [1.5, -0.1])
def test_a_confidence_beyond_0_and_1_is_refused(wrong):
    with pytest.raises(InputError, match="not between 0 and 1"):
        confidence_bins(_categories([0.4, wrong]))


@pytest.mark.parametrize("bins", [0, -1, 2.5, True, "10"])
def test_a_number_of_bins_that_is_none_is_refused(run, bins):
    with pytest.raises(InputError, match="bins is"):
        confidence_bins(run.categories(), bins=bins)


def test_a_technology_s_share_counts_all_companies_that_answered(run):
    technologies = run.technologies()
    found = technology_shares(technologies, run.companies()).set_index("technology")
    expected = technologies.groupby("technology")["normal"].nunique()
    assert found["with_technology"].to_dict() == expected.to_dict()
    assert set(found["n"]) == {62}


def test_a_technology_without_a_category_has_a_missing_one():
    rows = {"target": ["a.example", "b.example"], "technology": ["nginx", "nginx"], "category": [None, "Web server"]}
    found = technology_shares(pd.DataFrame(rows))
    assert found["category"].isna().tolist() == [True, False]
    assert found["with_technology"].tolist() == [1, 1]


def test_a_block_is_empty_where_a_site_has_none_of_its_codes(run):
    codes = run.codes()
    found = empty_blocks(codes).set_index("block")["empty"]
    b2b = ["seniority", "job_function", "industry", "company_size_employees"]
    assert found["b2b"] == 62 - codes.loc[codes["dimension"].isin(b2b), "normal"].nunique()
    assert found["personas"] == 62 - codes.loc[codes["dimension"] == "persona", "normal"].nunique()


def test_both_frames_agree_on_the_blocks_without_lists(run):
    blocks = ["interests", "purchase_intent", "personas", "content_context"]
    of_codes, of_audiences = (empty_blocks(frame).set_index("block") for frame in (run.codes(), run.audiences()))
    # An audiences frame counts sub-interests alone; a site may have a group of interests without one.
    assert of_codes.loc["interests", "empty"] <= of_audiences.loc["interests", "empty"]
    assert_frame_equal(of_codes.loc[blocks[1:]], of_audiences.loc[blocks[1:]])


def test_links_count_the_sites_with_both(run):
    codes, categories = run.codes(), run.categories()
    personas = codes[codes["dimension"] == "persona"]
    tops = categories[categories["taxonomy"] == "content-v3"]
    found = persona_links(codes, categories, most=None)
    for link in found.itertuples():
        one = set(personas.loc[personas["code"] == link.persona, "normal"])
        two = set(tops.loc[tops["level_1"] == link.category, "normal"])
        assert (link.sites, link.persona_sites, link.category_sites) == (len(one & two), len(one), len(two))
    pairs = personas[["normal", "code"]].merge(tops[["normal", "level_1"]].drop_duplicates(), on="normal")
    assert len(found) == len(pairs[["code", "level_1"]].drop_duplicates())
    assert found["mapped"].any()


def test_at_most_so_many_links_are_given_the_largest_first(run):
    every = persona_links(run.codes(), run.categories(), most=None)
    found = persona_links(run.codes(), run.categories(), most=3)
    assert_frame_equal(found, every.head(3))
    assert found.attrs["about"]["links"] == len(every)
    with pytest.raises(InputError, match="most is 0"):
        persona_links(run.codes(), run.categories(), most=0)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from("ABC")), max_size=30))
def test_any_rows_give_the_shares_of_plain_sets(rows):
    frame = pd.DataFrame(rows, columns=["site", "code"]).assign(dimension="persona")
    frame["target"] = frame["site"].map("{}.example".format).astype("str")
    found = shares(frame.astype({"code": "str"}))
    sites = {site for site, _ in rows}
    assert {row.code: (row.n, row.with_code) for row in found.itertuples()} == {
        code: (len(sites), len({site for site, has in rows if has == code})) for code in {code for _, code in rows}
    }


@pytest.mark.parametrize("bins", [10, 20, 100])
def test_what_is_exactly_the_end_of_a_step_is_in_the_next_one(bins):
    names = dict.fromkeys(["level_1", "level_2", "level_3", "level_4", "name"])
    ends = np.arange(bins) / bins
    frame = pd.DataFrame(
        {"target": [f"s{number}.example" for number in range(bins)], "taxonomy": "content-v3", "confidence": ends}
    ).assign(id="1", **names)
    assert confidence_bins(frame, bins=bins)["count"].tolist() == [1] * bins


def test_an_answer_that_is_empty_throughout_counts_where_the_sites_are_told(run):
    codes, audiences = run.codes(), run.audiences()
    silent = "nothing-in-it.example"
    row = audiences.iloc[[0]].assign(target=silent, normal=silent)
    row = row.assign(**dict.fromkeys([*SCALARS, "interests", "purchase_intents", "personas"]))
    told = pd.concat([audiences, row.astype(audiences.dtypes)], ignore_index=True)
    plain, known = empty_blocks(codes), empty_blocks(codes, sites=told)
    assert (known["n"] - plain["n"]).eq(1).all()
    assert (known["empty"] - plain["empty"]).eq(1).all()
    assert empty_blocks(told)["n"].tolist() == known["n"].tolist()


def test_links_of_personas_say_what_they_are_about(run):
    codes, categories = run.codes(), run.categories()
    known = persona_links(codes, categories).attrs["about"]
    both = set(answered(run.audiences())["normal"]) & set(answered(run.companies())["normal"])
    assert {name: known[name] for name in about(codes)} == about(codes, categories, sites=both)
