"""Widgets over findings: Compare, CoverageExplorer and SegmentBuilder, driven as a script drives them."""

import asyncio
import json
import re
from dataclasses import replace

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import toolkit as tk
from toolkit.errors import InputError
from toolkit.saved_run import SavedRun
from toolkit.widgets import Compare, CoverageExplorer, SegmentBuilder
from toolkit.widgets.segment_choices import with_part

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def run():
    return tk.sample_run()


@pytest.fixture(scope="module")
def frames(run):
    return {name: run.frame(name) for name in run.frames}


def executed(code, run):
    """Run the code that a widget gives to copy, as in a cell below it."""
    names = {"run": run}
    exec(compile(code, "copied", "exec"), names)  # noqa: S102 - that is what it is for
    return names


async def settled(widget):
    while widget._beside.tasks:
        await asyncio.gather(*widget._beside.tasks)
        await asyncio.sleep(0)  # what is due next begins in a callback


def shown(widget):
    return widget.static_view()


def asked_only(run, *endpoints):
    """The run as if it had asked fewer questions."""
    kept = [record for record in run._records if record.endpoint in endpoints]
    return SavedRun(kept, endpoints, run.vocabulary)


def all_failed(run):
    records = [replace(record, raw=None, error="no answer") for record in run._records]
    return SavedRun(records, run.asked, run.vocabulary)


# Compare ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def compare(run):
    return Compare(run)


def test_compare_shows_the_finding_of_what_is_chosen(compare, run):
    groups = run.audiences().set_index("target")["audience_type"].dropna()
    assert_frame_equal(compare.value, tk.compare(run.codes(), groups, dimensions="interest"))


@pytest.mark.parametrize("dimension", ["Persona", "Content categories (taxonomy 3)", "Web-filtering categories"])
def test_copied_code_of_a_comparison_gives_the_same_finding(compare, run, dimension):
    compare._dimension.value = dimension
    compare._against.value = "b2c"
    compare._only.value = "b2b"
    found = executed(compare.code, run)["compared"].reset_index(drop=True)
    assert_frame_equal(found, compare.value)
    assert set(found["group"]) == {"b2b"}


def test_every_grouping_on_offer_can_be_compared_and_copied(compare, run):
    for label in compare._by.options[:-1]:
        compare._by.value = label
        assert compare.value is not None, label
        assert len(set(compare.value["group"])) > 1, label
    assert_frame_equal(executed(compare.code, run)["compared"], compare.value)


def test_pasted_lists_are_groups(compare):
    compare._by.value = "Lists that I paste"
    assert compare.value is None
    assert "Paste at least two lists" in shown(compare)
    compare._texts[0].value = "trailhead-outfitters.example, campfire-rv.example"
    compare._texts[1].value = "ledgerline.example"
    assert compare.value.drop_duplicates("group").set_index("group")["n"].to_dict() == {"Ours": 2, "Theirs": 1}


def test_given_groups_are_the_first_choice(run):
    widget = Compare(run, {"one": ["trailhead-outfitters.example"], "two": ["ledgerline.example"]})
    assert set(widget.value["group"]) == {"one", "two"}
    assert widget._against.options[-1] == ("two", "two")


@pytest.mark.parametrize("groups", [7, "audience_type", pd.DataFrame({"a": [1]})])
def test_odd_groups_are_refused(run, groups):
    with pytest.raises(InputError, match="groups must be"):
        Compare(run, groups)


def test_chart_of_a_comparison_is_that_of_its_value(compare):
    [output] = compare._chart.outputs
    drawn = output["data"]["application/vnd.plotly.v1+json"]["layout"]["title"]["text"]
    assert drawn == compare.figure.layout.title.text


def test_run_without_codes_and_categories_is_refused(frames):
    with pytest.raises(InputError, match="no codes and no categories"):
        Compare({"companies": frames["companies"]})
    with pytest.raises(InputError, match="must be a run"):
        Compare(7)


def test_names_of_groups_and_codes_are_shown_as_text(frames):
    codes = frames["codes"].copy()
    codes["label"] = codes["label"].mask(codes["dimension"] == "persona", HOSTILE)
    widget = Compare({"codes": codes}, {HOSTILE: ["trailhead-outfitters.example"], "b": ["ledgerline.example"]})
    widget._dimension.value = "Persona"
    assert "onerror" in shown(widget)
    assert "<img" not in shown(widget)


def test_compare_in_a_kernel_does_its_work_beside_the_loop(run):
    async def drive():
        widget = Compare(run)
        first = widget.value
        widget._dimension.value = "Persona"
        assert widget._beside.is_busy
        widget._dimension.value = "Seniority"  # while the other is under way
        await settled(widget)
        return first, widget.value

    first, last = asyncio.run(drive())
    assert set(first["dimension"]) == {"interest"}
    assert set(last["dimension"]) == {"seniority"}


@pytest.mark.parametrize("endpoint", ["segment", "categorize_content", "enrich"])
def test_runs_of_one_question_can_be_compared_and_copied(run, endpoint):
    part = asked_only(run, endpoint)
    widget = Compare(part)
    assert_frame_equal(executed(widget.code, part)["compared"], widget.value)


def test_sites_without_a_category_count_in_comparisons_of_categories(run):
    part = asked_only(run, "categorize_content")
    widget = Compare(part, {"all": part.sites()["target"].tolist(), "one": ["trailhead-outfitters.example"]})
    widget._dimension.value = "Content categories (taxonomy 3)"
    assert widget.value.set_index("group")["n"]["all"].unique().tolist() == [62]


def test_lists_of_the_same_name_are_refused(compare):
    compare._by.value = "Lists that I paste"
    compare._texts[0].value, compare._texts[1].value = "trailhead-outfitters.example", "ledgerline.example"
    compare._names[1].value = "Ours"
    assert compare.value is None
    assert "the same name" in shown(compare)


def test_targets_that_the_run_does_not_have_are_counted(compare):
    compare._by.value = "Lists that I paste"
    compare._texts[0].value, compare._texts[1].value = (
        "trailhead-outfitters.example",
        "elsewhere.example ledgerline.example",
    )
    assert "1 of the targets of Theirs" in shown(compare)


def test_groups_of_few_sites_are_left_out_of_the_groupings(compare):
    compare._by.value = "Main category (content-v3)"
    assert len(set(compare.value["group"])) == len(compare._against.options) - 2 <= 8


@pytest.mark.parametrize("frame", [5, pd.DataFrame({"target": ["a.example"]})])
def test_frames_of_another_kind_are_refused(frame):
    with pytest.raises(InputError, match="no codes frame"):
        Compare({"codes": frame})


def test_run_without_answers_is_refused_with_where_to_look(run):
    with pytest.raises(InputError, match="No site of the run has an answer"):
        Compare(all_failed(run))


# CoverageExplorer ---------------------------------------------------------------------------------------------------


@pytest.fixture
def explorer(run):
    return CoverageExplorer(run)


def test_explorer_begins_with_the_whole_taxonomy(explorer, run):
    assert_frame_equal(explorer.value, tk.coverage(run.categories(), "content-v3", sites=run.audiences()))


def test_tier_branch_and_threshold_narrow_the_finding(explorer, run):
    explorer._branch.value = "Sports"
    explorer._tier.value = 2
    explorer._confidence.value = 0.5
    whole = tk.coverage(run.categories(), "content-v3", threshold=0.5, sites=run.audiences())
    wanted = whole[(whole["level_1"] == "Sports") & (whole["tier"] == 2)].reset_index(drop=True)
    assert_frame_equal(explorer.value, wanted)
    found = executed(explorer.code, run)["of_tier"].reset_index(drop=True)
    assert_frame_equal(found, wanted)


@pytest.mark.parametrize("picture", ["treemap", "sunburst", "icicle", "accumulation"])
def test_every_picture_is_drawn_and_its_code_runs(explorer, run, picture):
    explorer._picture.value = picture
    assert explorer.figure is not None
    assert picture in explorer.code
    executed(explorer.code, run)


@pytest.mark.parametrize(("label", "nodes"), [("Interests", 314), ("Purchase intent", 317)])
def test_interests_and_intents_take_a_band_as_threshold(explorer, run, label, nodes):
    explorer._taxonomy.value = label
    assert len(explorer.value) == nodes
    everything = explorer.value["seen"].sum()
    explorer._band.value = "high"
    assert explorer.value["seen"].sum() <= everything
    executed(explorer.code, run)


@pytest.mark.parametrize("endpoint", ["segment", "categorize_content", "enrich"])
def test_runs_of_one_question_can_be_explored_and_copied(run, endpoint):
    part = asked_only(run, endpoint)
    widget = CoverageExplorer(part)
    assert widget.value.attrs["about"]["sites"] == 62
    assert_frame_equal(executed(widget.code, part)["covered"], widget.value)


def test_what_is_unseen_of_a_branch_is_of_the_branch(explorer, run):
    explorer._branch.value = "Sports"
    explorer._picture.value = "accumulation"
    seen = int(explorer.value["seen"].sum())
    assert f" {seen} " in explorer.figure.layout.title.text
    executed(explorer.code, run)


def test_explorer_of_a_run_without_answers_sees_nothing(run):
    assert not CoverageExplorer(all_failed(run)).value["seen"].any()


def test_explorer_of_frames_needs_a_vocabulary_for_codes(frames, run):
    assert "Interests" not in CoverageExplorer(frames)._taxonomy.options
    assert "Interests" in CoverageExplorer(frames, run.vocabulary)._taxonomy.options
    with pytest.raises(InputError, match="vocabulary"):
        CoverageExplorer({"codes": frames["codes"]})


# SegmentBuilder -----------------------------------------------------------------------------------------------------


@pytest.fixture
def builder(run):
    return SegmentBuilder(run)


def choose(builder, kind, search):
    builder._kind.value = kind
    builder._search.value = search
    builder._tree.value = builder._tree.options[-1][1]


def press(builder, label):
    next(button for button in builder._buttons if button.description == label).click()


def test_clicked_codes_become_a_segment_and_its_sites(builder, run):
    assert builder.segment is None
    assert not builder.value["matches"].any()
    choose(builder, "Interests", "camping")
    press(builder, "and has")
    choose(builder, "Audience and firms", "gender strongly male")
    press(builder, "but not")
    assert builder.segment.text.startswith("INT.TRAVEL.CAMPING and not gender_skew")
    assert_frame_equal(builder.value, builder.segment.match(run.codes(), run.categories()))
    assert builder.value["matches"].any()
    assert_frame_equal(executed(builder.code, run)["matches"], builder.value)


def test_undo_takes_the_last_click_back(builder):
    choose(builder, "Interests", "camping")
    press(builder, "and has")
    press(builder, "Undo")
    assert builder.segment is None
    press(builder, "Undo")  # nothing left


def test_search_finds_all_words_anywhere_in_the_path(builder):
    builder._present.value = False
    builder._search.value = "sports golf"
    assert [value for _, value in builder._tree.options] == ["INT.SPORTS.GOLF"]
    builder._search.value = "no such thing"
    assert builder._tree.options == ()
    assert all(button.disabled for button in builder._buttons)


def test_list_tells_how_many_sites_have_an_entry(builder, run):
    builder._search.value = "camping"
    [(line, code)] = builder._tree.options
    codes = run.codes()
    assert line.strip() == f"Camping ({codes[codes['code'] == code]['target'].nunique()})"


def test_every_expression_on_offer_can_be_read(builder, run):
    for choices in builder._choices.values():
        for choice in choices[:: max(len(choices) // 40, 1)]:
            tk.Segment.parse(choice.expression, run.vocabulary)


def test_sites_of_an_entry_are_those_that_match_it(builder, run):
    codes, categories = run.codes(), run.categories()
    for choices in builder._choices.values():
        for choice in [one for one in choices if one.sites][::15]:
            segment = tk.Segment.parse(choice.expression, run.vocabulary)
            assert len(segment.sites(codes, categories)) == choice.sites, choice.expression


def test_slip_in_the_text_is_shown_in_place(builder):
    builder._text.value = "INT.SPORT.*"
    assert builder.segment is None
    assert builder.value is None
    assert "INT.SPORTS" in shown(builder)


def test_slip_is_shown_with_its_place_below_it(builder):
    builder._text.value = "INT.SPORTS.* and INT.SPORTZ.*"
    [place] = re.findall(r"<pre[^>]*>(.*?)</pre>", shown(builder), re.DOTALL)
    line, carets = place.split("\n")[-2:]
    assert line[carets.index("^") :].startswith("INT.SPORTZ")


def test_run_of_segments_alone_can_be_built_of_and_copied(run):
    part = asked_only(run, "segment")
    widget = SegmentBuilder(part, "INT.SPORTS.*")
    assert_frame_equal(executed(widget.code, part)["matches"], widget.value)


def test_run_of_categories_alone_can_be_built_of_and_copied(run):
    part = asked_only(run, "categorize_content")
    widget = SegmentBuilder(part)
    assert len(widget.value) == 62
    widget._text.value = 'content-v3 = "Sports"'
    assert widget.value["matches"].sum() == 8
    assert_frame_equal(executed(widget.code, part)["matches"], widget.value)


def test_export_writes_the_file_that_is_named(builder, tmp_path):
    builder._text.value = "INT.SPORTS.*"
    builder._file.value = str(tmp_path / "segment.json")
    builder._export.click()
    assert json.loads((tmp_path / "segment.json").read_text(encoding="utf-8"))
    builder._file.value = str(tmp_path / "none" / "segment.csv")
    builder._export.click()
    assert "cannot be written" in builder._said.value


def test_export_of_nothing_is_refused(builder):
    builder._export.click()
    assert "Build a segment first" in builder._said.value


@pytest.mark.parametrize(
    ("text", "how", "whole"),
    [
        ("", "and", "X"),
        ("", "not", "not X"),
        ("A", "or", "A or X"),
        ("A and B", "and", "A and B and X"),
        ("A or B", "and", "(A or B) and X"),
        ("A and B", "or", "(A and B) or X"),
        ("A or B", "not", "(A or B) and not X"),
    ],
)
def test_parts_are_joined_so_that_nobody_needs_to_know_what_binds_first(text, how, whole):
    assert with_part(text, "X", how) == whole


# All ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Compare, CoverageExplorer, SegmentBuilder])
def test_static_view_has_the_finding_where_no_kernel_runs(run, kind):
    widget = kind(run)
    view = widget._repr_mimebundle_()["text/html"]
    assert "<table" in view or "Choose a code" in view
    assert len(repr(widget)) < 200


@pytest.mark.parametrize("kind", [Compare, CoverageExplorer, SegmentBuilder])
def test_widgets_leave_the_frames_of_the_caller_alone(frames, run, kind):
    before = {name: frame.copy() for name, frame in frames.items()}
    if kind is Compare:
        kind(frames)
    else:
        kind(frames, vocabulary=run.vocabulary)
    for name, frame in frames.items():
        assert_frame_equal(frame, before[name])
