"""Who was asked and answered: what a frame of a run says beside its rows, and what findings make of it."""

import copy
import json
import pickle
import warnings

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from saved_runs import SILENT, without_categories

import toolkit as tk
from toolkit.findings import (
    compare,
    confidence_bands,
    coverage,
    drift,
    empty_blocks,
    nearest,
    overlap,
    persona_links,
    shares,
    technology_shares,
    unseen,
)
from toolkit.frames import DenominatorWarning, asked, joined
from toolkit.frames.about import about, counted_sites
from toolkit.frames.readers import frame_of
from toolkit.frames.records import Record

ANSWERED = 62


@pytest.fixture(scope="module")
def run():
    """A run in which three of the answered sites have no category."""
    return without_categories(tk.sample_run())


@pytest.fixture(scope="module")
def categories(run):
    return run.categories()


@pytest.fixture(scope="module")
def codes(run):
    return run.codes()


def sites(finding):
    return finding.attrs["about"]["sites"]


def numbers(frame):
    found = counted_sites(frame)
    return len(found.answered), len(found.failed), found.told


def test_findings_count_all_that_were_answered_with_nothing_else_passed(run, codes, categories):
    groups = run.audiences().set_index("target")["audience_type"].dropna()
    found = {
        "compare codes": compare(codes, groups),
        "compare categories": compare(categories, groups),
        "coverage v3": coverage(categories),
        "coverage v2": coverage(categories, "content-v2"),
        "coverage interests": coverage(codes, "interest", vocabulary=run.vocabulary),
        "technologies": technology_shares(run.technologies()),
        "shares": shares(categories, taxonomy="content-v3"),
        "bands": confidence_bands(codes),
        "blocks": empty_blocks(codes),
        "links": persona_links(codes, categories),
        "unseen": unseen(categories),
        "nearest": nearest(categories, categories.loc[categories["error"].isna(), "target"].iloc[0]),
    }
    assert {name: sites(finding) for name, finding in found.items()} == dict.fromkeys(found, ANSWERED)
    assert {name for name, finding in found.items() if "untold" in finding.attrs["about"]} == set()
    assert technology_shares(run.technologies())["n"].unique().tolist() == [ANSWERED]
    assert compare(categories).loc[0, "baseline_n"] == ANSWERED


def test_the_same_sites_count_as_where_they_are_passed(run, codes, categories):
    for frame, finding, of in (
        (codes, shares, "codes"),
        (categories, shares, "categories"),
        (categories, coverage, "content-v3"),
        (run.technologies(), technology_shares, "technologies"),
        (codes, compare, "codes"),
    ):
        assert_frame_equal(finding(frame), finding(frame, sites=run.sites(of)))


def test_sites_that_are_passed_decide(categories):
    few = categories["target"].dropna().unique()[:5]
    assert sites(coverage(categories, sites=few)) < ANSWERED


def test_overlap_and_drift_count_them_too(run, categories):
    found = overlap({"some": categories["target"].unique()[:30], "others": run.audiences()["target"][20:]}, categories)
    one = found.iloc[1]
    assert one["lift"] == pytest.approx(one["both"] * ANSWERED / one["sites"] / one["other_sites"])
    assert drift(categories, categories)["n_before"].eq(ANSWERED).all()


def test_segments_count_them_too(run, codes, categories):
    segment = tk.Segment.parse("content-v3 = *", run.vocabulary)
    matched = segment.match(codes, categories)
    assert len(matched) == ANSWERED
    assert matched["matches"].sum() == categories.loc[categories["taxonomy"] == "content-v3", "target"].nunique()
    assert segment.size(categories=categories)["n"].tolist() == [ANSWERED]


def within_an_answer(frame):
    """A place beyond a few sites that has rows of the same answer on both sides: whole sites are no loss of rows."""
    own = frame["target"] + frame["endpoint"]
    return next(place for place in range(47, len(frame)) if own.iloc[place - 1] == own.iloc[place])


OPERATIONS = {
    "mask of a value": lambda frame: frame[frame["confidence"] > 0.9],
    "mask of a taxonomy": lambda frame: frame[frame["taxonomy"] == "content-v3"],
    "mask of a top category": lambda frame: frame[frame["level_1"] == "Science"],
    "nothing left": lambda frame: frame[frame["confidence"] > 1],
    "query": lambda frame: frame.query("confidence > 0.5"),
    "loc": lambda frame: frame.loc[frame["confidence"] > 0.5],
    "iloc": lambda frame: frame.iloc[3 : within_an_answer(frame)],
    "head": lambda frame: frame.head(within_an_answer(frame)),
    "sample": lambda frame: frame.sample(20, random_state=1),
    "sort_values": lambda frame: frame.sort_values("confidence"),
    "dropna": lambda frame: frame.dropna(subset=["id"]),
    "drop_duplicates": lambda frame: frame.drop_duplicates("target"),
    "columns": lambda frame: frame[["target", "taxonomy", "id", "confidence"]],
    "assign": lambda frame: frame.assign(more=1),
    "rename": lambda frame: frame.rename(columns={"rank": "place"}),
    "reset_index": lambda frame: frame.reset_index(drop=True),
    "copy": lambda frame: frame.copy(),
    "copied deeply": copy.deepcopy,
    "pickle": lambda frame: pickle.loads(pickle.dumps(frame)),
    "get_group": lambda frame: frame.groupby("taxonomy").get_group("content-v3"),
    "groups": lambda frame: dict(iter(frame.groupby("taxonomy")))["content-v3"],
    "head of groups": lambda frame: frame.groupby("target").head(1),
    # Cut within a site: where whole sites are taken out, those that are left count.
    "concat": lambda frame: pd.concat([frame.head(41), frame.tail(301)]),
    "map instead of merge": lambda frame: frame.assign(group=frame["target"].map({"a.example": "A"})),
    "merge with itself": lambda frame: frame.merge(frame[["target", "id"]].drop_duplicates(), on=["target", "id"]),
}


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_pandas_does_not_lose_them(categories, operation):
    before = numbers(categories)
    assert numbers(operation(categories)) == before == (ANSWERED, 6, True)


def test_merging_with_another_table_and_joining_parts_is_what_loses_them(run, categories):
    table = pd.DataFrame({"target": ["a.example"], "group": ["A"]})
    parts = [run.frame("categories", 0, 30), run.frame("categories", 30)]
    for lost in (categories.merge(table, how="left"), pd.concat(parts)):
        assert asked.asked_of(lost) is None
        assert not numbers(lost)[2]
    assert numbers(joined(parts)) == (ANSWERED, 6, True)
    assert_frame_equal(joined(parts), categories)
    assert joined(parts).attrs == {"asked": asked.Asked.joined([asked.asked_of(part) for part in parts])}
    with pytest.raises(tk.errors.InputError, match="There are no parts to join"):
        joined([])


def test_a_parquet_file_keeps_them(categories, tmp_path):
    path = tmp_path / "categories.parquet"
    categories.to_parquet(path)
    back = pd.read_parquet(path)
    assert numbers(back) == (ANSWERED, 6, True)
    assert asked.asked_of(back) == categories.attrs["asked"]
    assert sites(coverage(back[back["confidence"] > 0.9])) == ANSWERED


def test_they_are_json_and_what_is_not_theirs_is_nobody_s_word(categories):
    document = json.loads(json.dumps(categories.attrs))
    assert asked.Asked.read(document["asked"]) == categories.attrs["asked"]
    for strange in ({}, {"records": "?"}, {"records": "AAAA"}, {"records": 3}):
        assert asked.Asked.read(strange) is None
    assert repr(categories.attrs["asked"]) == "<Asked: 62 of 68 sites answered>"


def test_copies_are_the_same_thing_and_another_run_s_is_not_equal(categories, codes):
    mine = categories.attrs["asked"]
    assert copy.deepcopy(mine) is copy.copy(mine) is mine
    assert mine != codes.attrs["asked"]
    assert mine == pickle.loads(pickle.dumps(mine))


def test_where_whole_sites_were_taken_out_those_left_count(codes, categories):
    # Every answered site has codes, so that those left are all there are; of categories nobody can say.
    left = codes[codes["target"] > "h"]
    good = left[left["error"].isna()]
    assert numbers(left) == (good["normal"].nunique(), (left["error"].notna()).sum(), True)
    assert sites(shares(left)) == good["normal"].nunique()
    some = categories[categories["target"] > "h"]
    assert numbers(some)[::2] == (some.loc[some["error"].isna(), "normal"].nunique(), False)
    assert coverage(some).attrs["about"]["untold"] is True
    mine = good["target"].unique()
    assert sites(shares(codes, sites=mine)) == sites(shares(left))


def test_where_failures_alone_were_kept_no_site_counts(categories):
    assert numbers(categories[categories["error"].notna()]) == (0, 6, True)


def test_rows_that_were_added_make_it_another_frame(categories):
    more = pd.concat([categories, categories.assign(target="new.example", normal="new.example").head(1)])
    assert not numbers(more)[2]


def record(row, endpoint, body=None):
    site = f"{row}.example"
    if body is None:
        return Record(row, site, site, endpoint, 411, "FETCH FAILED: no page")
    return Record(row, site, site, endpoint, 200, raw=json.dumps(body).encode())


def test_a_taxonomy_counts_who_answered_the_questions_that_hold_it():
    content = {"iab_taxonomy_v3": [], "iab_taxonomy_v2": [], "filtering_taxonomy": []}
    category = {"id": "150", "name": "Attractions", "confidence": 0.9}
    frame = frame_of(
        "categories",
        [
            record(0, "categorize", {"categories": []}),
            record(0, "categorize_content"),
            record(1, "categorize", {"categories": []}),
            record(1, "categorize_content", content | {"iab_taxonomy_v2": [category]}),
            record(2, "categorize_content", content),
            record(3, "categorize"),
        ],
    )
    said = {name: coverage(frame, name).attrs["about"] for name in ("content-v3", "content-v2")}
    assert [(found["sites"], found["failed"]) for found in said.values()] == [(3, 1), (2, 1)]
    assert about(frame)["sites"] == 3


def test_nobody_told_is_warned_of_once_and_said(monkeypatch, categories, codes):
    bare = categories.copy()
    bare.attrs = {}
    monkeypatch.setattr(asked, "_warned", [])
    with pytest.warns(DenominatorWarning, match="Nobody said which sites were answered") as caught:
        found = coverage(bare)
    assert caught[0].filename == __file__
    assert sites(found) == ANSWERED - len(SILENT)
    assert found.attrs["about"]["untold"] is True
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compare(bare).attrs["about"]["untold"] is True
    other = codes.copy()
    other.attrs = {}
    for finding in (shares(bare), nearest(other, other["target"].iloc[0]), persona_links(other, categories)):
        assert finding.attrs["about"]["untold"] is True


def test_frames_with_a_row_a_site_need_nobody_s_word(monkeypatch, run):
    monkeypatch.setattr(asked, "_warned", [])
    bare = run.audiences()
    bare.attrs = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sites(empty_blocks(bare)) == ANSWERED
        assert about(bare, run.companies())["sites"] == ANSWERED


def test_footers_say_that_nobody_told(categories):
    bare = categories.copy()
    bare.attrs = {}
    drawn = tk.charts.coverage_sunburst(coverage(bare))
    assert "answered sites without a row may be missing" in drawn.layout.title.text
    assert "without a row" not in tk.charts.coverage_sunburst(coverage(categories)).layout.title.text
