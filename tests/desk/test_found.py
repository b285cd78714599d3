"""A segment over a run: who counts, and what is handed over."""

import json
from html import unescape

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from saved_runs import failing

import toolkit as tk
from toolkit.segments import export_segment, segment_overlap

TEXTS = ("INT.SPORTS.* and income_level >= middle", "content-v3 = 'Sports'", "INT.SPORTS.* or content-v3 = 'Travel'")


@pytest.fixture(scope="module")
def run():
    return tk.sample_run()


@pytest.fixture(scope="module")
def torn(run):
    """The sample run, in which the segmentation of nine sites and the categories of five others failed."""
    return failing(run, segment=range(9), categorize_content=range(9, 14), enrich=range(14))


@pytest.mark.parametrize("text", TEXTS)
def test_segment_of_a_run_counts_who_was_answered_by_what_decides(torn, text):
    segment = torn.segment(text)
    part = "categories" if text.startswith("content") else "codes"
    plain = tk.Segment.parse(text, torn.vocabulary)
    wanted = plain.match(torn.codes(), torn.categories(), sites=torn.sites(part))
    assert_frame_equal(segment.match(), wanted)
    assert segment.size()["answered"].item() == len(wanted) < 62
    assert segment.sites() == wanted.loc[wanted["matches"], "site"].tolist()


def test_segment_of_a_run_takes_frames_as_any_segment_does(run):
    segment = run.segment("INT.SPORTS.*")
    codes = run.codes().query("row < 30")
    plain = tk.Segment.parse("INT.SPORTS.*", run.vocabulary)
    assert_frame_equal(segment.match(codes), plain.match(codes))
    assert_frame_equal(segment.size(codes), plain.size(codes))
    assert segment.sites(codes) == plain.sites(codes)
    assert len(segment_overlap([segment, run.segment("INT.TRAVEL.*")], codes)) == 2


@pytest.mark.parametrize("text", ["any(INT.SPORTS.*, INT.TRAVEL.*) and income_level >= middle", "INT.TRAVEL.* and b2b"])
def test_only_sites_that_match_are_planned(run, text):
    segment = run.segment(text.replace("b2b", "audience_type = b2b"))
    planned = set(segment.plan().sites["site"])
    assert planned <= set(segment.sites())
    held = set(run.segment("any(INT.SPORTS.*, INT.TRAVEL.*)").sites())
    assert held - set(segment.sites())  # there are some that have a wanted code and do not match


@pytest.mark.parametrize("kind", ["csv", "xlsx", "json"])
def test_segment_of_a_run_is_handed_over_as_a_file(run, tmp_path, kind):
    segment = run.segment(TEXTS[2], name="Active")
    files = segment.export(tmp_path / f"own.{kind}", plan=segment.plan(most=3))
    wanted = export_segment(
        tk.Segment.parse(TEXTS[2], run.vocabulary, name="Active"),
        run.codes(),
        tmp_path / f"plain.{kind}",
        vocabulary=run.vocabulary,
        categories=run.categories(),
        plan=segment.plan(most=3),
        sites=run.sites("codes"),
    )
    assert [file.read_bytes() for file in files] == [file.read_bytes() for file in wanted]


def test_exported_file_says_how_many_were_answered(torn, tmp_path):
    segment = torn.segment("INT.SPORTS.*")
    [file] = segment.export(tmp_path / "own.json")
    assert json.loads(file.read_text(encoding="utf-8"))["sites"] == [
        {"site": site, "why": why, "planned": None}
        for site, matches, why in segment.match()[["site", "matches", "why"]].itertuples(index=False, name=None)
        if matches
    ]


def test_overlap_with_other_segments_is_of_who_was_answered(torn):
    one, other = torn.segment("INT.SPORTS.*", name="one"), torn.segment("content-v3 = 'Sports'", name="other")
    wanted = segment_overlap([one, other], torn.codes(), torn.categories(), sites=torn.sites("codes"))
    assert_frame_equal(one.overlap(other), wanted)


def test_findings_are_shown_whole_in_a_notebook_and_in_a_terminal(run):
    found = run.findings()
    assert isinstance(found, pd.DataFrame)
    for shown in (repr(found), unescape(found._repr_html_())):
        assert all(sentence in shown for sentence in found["sentence"])
        assert all(against in shown for against in found["against"].dropna())
    lines = repr(found).splitlines()
    assert lines[: len(found)] == found.lines()
    assert all(
        line.split()[:2] == [str(rank), certainty.split()[0]]
        for line, rank, certainty in zip(lines, found["rank"], found["certainty"], strict=False)
    )


def test_rows_of_findings_are_findings_and_columns_are_not_cut(run):
    found = run.findings()
    some = found[found["kind"] == "gap"]
    places = [place for place, kind in enumerate(found["kind"]) if kind == "gap"]
    assert [line.split() for line in some.lines()] == [found.lines()[place].split() for place in places]
    assert len(some.evidence(int(some["rank"].iloc[0])))
    columns = found[["sentence", "n"]]
    assert all(found["sentence"].iloc[0] in shown for shown in (repr(columns), columns._repr_html_()))
    with pytest.raises(tk.errors.InputError, match="columns of findings alone"):
        columns.evidence(1)


def test_findings_shown_leave_no_mark_up_and_no_control_characters_to_a_site(run):
    found = run.findings().head(1)
    found["sentence"] = "<b>bold</b> \x1b[31mred"
    assert "\x1b" not in repr(found)
    assert "<b>" not in found._repr_html_()


def test_many_findings_are_shown_as_many_as_rows_of_a_frame(run):
    with pd.option_context("display.max_rows", 3):
        shown = repr(run.findings())
    assert len(shown.splitlines()) == 5
    assert "of which 3 are shown" in shown


def test_an_overlap_says_when_its_sites_were_asked():
    about = tk.sample_run().overlap("income_level").attrs["about"]
    assert about["first"] == about["last"] == tk.sample_run().coverage("content-v3").attrs["about"]["last"]
