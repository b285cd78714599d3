"""Widgets over findings: Compare, CoverageExplorer and SegmentBuilder, driven as a script drives them."""

import asyncio
import base64
import json
import re
import sys
import time
from dataclasses import replace

import pandas as pd
import pytest
from cases import every
from pandas.testing import assert_frame_equal
from saved_runs import failing, part_of, without_categories

import toolkit as tk
from toolkit.interface.errors import InputError
from toolkit.segments import plan_sites
from toolkit.segments.language import SUBJECTS, parse_segment
from toolkit.widgets import Compare, CoverageExplorer, SegmentBuilder
from toolkit.widgets.segments.text import in_words, with_part

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def run():
    return tk.sample_run()


@pytest.fixture(scope="module")
def frames(run):
    return {name: run.frame(name) for name in run.frames}


def executed(code, run=None, **names):
    """Run the code that a widget gives to copy, as in a cell below it."""
    names["run"] = run
    exec(compile(code, "copied", "exec"), names)  # noqa: S102 - that is what it is for
    return names


async def settled(widget, *steps):
    while tasks := [task for part in (widget, *steps) for task in part._beside.tasks]:
        await asyncio.gather(*tasks)
        await asyncio.sleep(0)  # what is due next begins in a callback


def shown(widget):
    return widget.static_view()


def asked_only(run, *endpoints):
    """The run as if it had asked fewer questions."""
    return part_of(run, lambda record: record.endpoint in endpoints, asked=endpoints)


def all_failed(run):
    return part_of(run, change=lambda record: replace(record, raw=None, error="no answer"))


# Compare ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def compare(run):
    """Kinds of audience, compared in one dimension."""
    return in_interests(Compare(run, "audience_type"))


@pytest.fixture(scope="module")
def shared_compare(run):
    return in_interests(Compare(run, "audience_type"))


@pytest.fixture
def against(shared_compare):
    """The same, of which a test changes at most what is held against what."""
    shared_compare._only.value = shared_compare._only.options[0][1]
    shared_compare._against.value = "rest"
    return shared_compare


def in_interests(widget):
    widget._dimension.value = "Interests in detail"
    return widget


@pytest.fixture(scope="module")
def shared_types(run):
    """The run without sites that share their type of audience with no other: such a group would not be compared."""
    audiences = run.audiences()
    alone = audiences.loc[~audiences["audience_type"].duplicated(keep=False), "target"].tolist()
    return part_of(run, lambda record: record.target not in alone, table=run.table)


def test_compare_shows_the_finding_of_what_is_chosen(against, run):
    groups = run.audiences().set_index("target")["audience_type"].dropna()
    groups = groups[groups.duplicated(keep=False)]
    assert_frame_equal(against.value, tk.findings.compare(run.codes(), groups, "rest", dimensions="interest"))


@pytest.mark.parametrize("dimension", ["Personas", "Topics", "Web-filtering categories"])
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
        assert "run.compare(" in compare.code, label
        assert_frame_equal(executed(compare.code, run)["compared"], compare.value)


def test_groups_of_a_column_go_by_its_name_in_copied_code(shared_types):
    widget = in_interests(Compare(shared_types, "audience_type"))
    assert "compared = run.compare('audience_type', baseline='rest', dimensions='interest')\n" in widget.code


def test_column_of_the_users_table_is_not_taken_for_that_of_the_audiences(shared_types):
    table = shared_types.table.assign(audience_type="all the same", content_type="all the same")
    own = part_of(shared_types, table=table)
    widget = in_interests(Compare(own, "audience_type"))
    assert set(widget.value["group"]) == set(shared_types.audiences()["audience_type"].dropna()) >= {"b2b", "b2c"}
    assert_frame_equal(executed(widget.code, own)["compared"], widget.value)


@pytest.mark.parametrize("kind", ["lists", "series", "frame"])
def test_copied_code_of_given_groups_takes_them_by_a_name(run, kind):
    lists = {"one": ["trailhead-outfitters.example"], "two": ["ledgerline.example", "peakcycle.example"]}
    series = pd.Series({target: name for name, targets in lists.items() for target in targets})
    frame = series.rename("group").rename_axis("target").reset_index()
    groups = {"lists": lists, "series": series, "frame": frame}[kind]
    widget = Compare(run, groups)
    assert_frame_equal(executed(widget.code, run, groups=groups)["compared"], widget.value)
    assert "# groups = " in widget.code


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
    assert widget._against.options[:2] == (("one", "one"), ("two", "two"))
    assert set(widget.value["baseline"]) == {"two"}


@pytest.mark.parametrize("groups", [7, pd.DataFrame({"a": [1]})])
def test_odd_groups_are_refused(run, groups):
    with pytest.raises(InputError, match="groups must be"):
        Compare(run, groups)


def test_groups_that_the_run_does_not_have_are_refused(run):
    with pytest.raises(InputError, match=r"no groups 'audience'.*Name one of 'audience_type'"):
        Compare(run, "audience")


def test_chart_tells_nothing_of_a_topic_among_the_sites_that_are_about_it(run):
    compare = Compare(run, "main category")
    compare._dimension.value = "Interests"
    drawn = tk.charts.data_of(compare.figure)
    assert len(drawn)
    assert not (drawn["label"] == drawn["group"]).any()
    listed = compare.value
    assert (listed["label"].astype("str") == listed["group"].astype("str")).any()


def test_chart_of_a_comparison_is_that_of_its_value(against):
    _, output = against._chart.outputs
    drawn = output["data"]["application/vnd.plotly.v1+json"]["layout"]["title"]["text"]
    assert drawn == against.figure.layout.title.text


def test_run_without_anything_to_compare_is_refused(frames):
    with pytest.raises(InputError, match="no codes, categories, technologies or companies"):
        Compare({"failures": frames["failures"]})
    with pytest.raises(InputError, match="must be a run"):
        Compare(7)


def test_names_of_groups_and_codes_are_shown_as_text(frames):
    codes = frames["codes"].copy()
    codes["label"] = codes["label"].mask(codes["dimension"] == "persona", HOSTILE)
    widget = Compare({"codes": codes}, {HOSTILE: ["trailhead-outfitters.example"], "b": ["ledgerline.example"]})
    widget._dimension.value = "Personas"
    assert "onerror" in shown(widget)
    assert "<img" not in shown(widget)


def test_compare_in_a_kernel_does_its_work_beside_the_loop(run):
    async def drive():
        widget = Compare(run, "audience_type")
        first = widget.value
        widget._dimension.value = "Personas"
        assert widget._beside.is_busy
        widget._dimension.value = "Seniority"  # while the other is under way
        await settled(widget)
        return first, widget.value

    first, last = asyncio.run(drive())
    assert {"price_signals", "reading_level"} <= set(first["dimension"])
    assert set(last["dimension"]) == {"seniority"}


@pytest.mark.parametrize("endpoint", ["segment", "categorize_content", "enrich"])
def test_runs_of_one_question_can_be_compared_and_copied(run, endpoint):
    part = asked_only(run, endpoint)
    widget = Compare(part)
    assert_frame_equal(executed(widget.code, part)["compared"], widget.value)


def test_sites_without_a_category_count_in_comparisons_of_categories(run):
    part = asked_only(without_categories(run), "categorize_content")
    widget = Compare(part, {"all": part.sites()["target"].tolist(), "one": ["trailhead-outfitters.example"]})
    widget._dimension.value = "Topics"
    assert widget.value.set_index("group")["n"]["all"].unique().tolist() == [62]


def test_where_no_site_of_a_group_has_a_value_nothing_can_be_compared(run):
    codes, audiences = run.codes(), run.audiences()
    sized = codes.loc[codes["dimension"] == "company_size_employees", "target"]
    without = audiences.loc[audiences["error"].isna() & ~audiences["target"].isin(sized), "target"].tolist()
    widget = Compare(run, {"ours": without[:3], "theirs": without[3:6]})
    widget._dimension.value = "Employees of the company"
    assert widget.value.empty
    assert "<b>Nothing can be compared</b>: no site that is in a group has a value here." in shown(widget)
    assert widget.figure.layout.title.text.startswith("There is nothing to compare")


OURS = ["trailhead-outfitters.example", "campfire-rv.example", "peakcycle.example"]
THEIRS = ["ledgerline.example", "fairway-club.example"]


def paste_lists(compare, ours=OURS, theirs=THEIRS):
    compare._by.value = "Lists that I paste"
    compare._texts[0].value, compare._texts[1].value = "\n".join(ours), "\n".join(theirs)


def test_pasted_lists_are_held_against_each_other(compare, run):
    paste_lists(compare)
    lists = {"Ours": OURS, "Theirs": THEIRS}
    assert compare._against.label == "Theirs"
    wanted = tk.findings.compare(run.codes(), lists, "Theirs", dimensions="interest", sites=run.sites("codes"))
    assert_frame_equal(compare.value, wanted)
    assert_frame_equal(executed(compare.code, run)["compared"], wanted)


def test_other_baselines_of_pasted_lists_say_what_they_are(compare):
    paste_lists(compare)
    assert [label for label, _ in compare._against.options] == [
        "Ours",
        "Theirs",
        "All sites of the run",
        "All other sites of the run",
    ]
    compare._against.value = "rest"
    assert compare.value.set_index("group")["baseline_n"]["Ours"].unique().tolist() == [62 - len(OURS)]
    assert "against all other sites;" in shown(compare)


def test_list_that_is_renamed_is_still_the_baseline(compare):
    paste_lists(compare)
    compare._names[1].value = "Rivals"
    assert compare._against.label == "Rivals"
    assert set(compare.value["baseline"]) == {"Rivals"}
    compare._names[1].value = ""
    assert compare.value is None
    compare._names[1].value = "Rest of them"
    assert set(compare.value["baseline"]) == {"Rest of them"}
    compare._against.value = "Ours"
    compare._names[0].value = "We"
    assert compare._against.label == "We"
    assert set(compare.value["baseline"]) == {"We"}


def test_lists_are_compared_when_nobody_types_any_more(run, monkeypatch):
    monkeypatch.setattr("toolkit.widgets.findings.box._PAUSE", 0.1)

    async def drive():
        widget = Compare(run)
        widget._by.value = "Lists that I paste"
        await settled(widget)
        began = []
        monkeypatch.setattr(widget._beside, "_started", lambda: began.append(widget._texts[1].value))
        widget._texts[0].value = "\n".join(OURS)
        for end in (5, 10, len(THEIRS[0])):
            widget._texts[1].value = THEIRS[0][:end]
            await asyncio.sleep(0.01)
        assert began == []
        await asyncio.sleep(0.3)
        await settled(widget)
        return began, widget.value

    began, value = asyncio.run(drive())
    assert began == [THEIRS[0]]
    assert set(value["group"]) == {"Ours", "Theirs"}


def test_targets_without_an_answer_are_named_up_to_a_few(compare):
    lost = [f"lost{number}.example" for number in range(7)]
    paste_lists(compare, [*OURS, *lost, "www.lost1.example"], THEIRS)
    assert f"7 of Ours ({', '.join(lost[:5])} and 2 more)" in shown(compare)


@pytest.mark.parametrize("targets", ["elsewhere.example", pd.DataFrame({"target": ["elsewhere.example"]})])
def test_targets_without_an_answer_are_named_however_a_list_is_given(run, targets):
    assert "1 of b (elsewhere.example)" in shown(Compare(run, {"a": OURS, "b": targets}))


@pytest.mark.parametrize("kind", ["series", "frame"])
def test_targets_without_an_answer_are_named_of_other_kinds_of_groups(run, kind):
    groups = pd.Series({**dict.fromkeys(OURS, "a"), **dict.fromkeys(THEIRS, "b"), "elsewhere.example": "b"})
    given = groups if kind == "series" else groups.rename_axis("target").rename("group").reset_index()
    assert "1 of b (elsewhere.example)" in shown(Compare(run, given))


def test_interval_beyond_100_without_a_difference_is_explained(compare):
    # Of everything no intervals are shown; all others are shown by the same words.
    for label in compare._dimension.options[1::4]:
        compare._dimension.value = label
        value = compare.value
        beyond = (value["index_low"] > 100) | (value["index_high"] < 100)
        doubted = beyond & (value["verdict"] == "no difference shown") & (value["group"] != value["baseline"])
        tested = value.attrs["about"]["tested"]
        said = shown(compare)
        assert ("A verdict allows for the number of comparisons" in said) == doubted.any()
        assert said.count(f"not certain once {tested} comparisons are allowed for") == doubted.sum()


def test_an_interval_beyond_100_without_a_difference_is_there_to_be_explained(compare):
    explained = {}
    for label in compare._by.options[:-1]:
        compare._by.value = label
        value = compare.value
        beyond = (value["index_low"] > 100) | (value["index_high"] < 100)
        doubted = beyond & (value["verdict"] == "no difference shown") & (value["group"] != value["baseline"])
        explained[label] = "not certain once" in shown(compare)
        assert explained[label] == doubted.any(), label
    assert any(explained.values())


def test_groups_of_codes_go_by_their_labels_and_stay_codes_in_the_value(compare, run):
    words = {"b2c": "Consumers", "b2b": "Businesses", "mixed": "Consumers and businesses alike"}
    sizes = run.audiences()["audience_type"].value_counts()
    compared = sizes[sizes >= 2].index
    assert compare._against.options[2:] == tuple((words[code], code) for code in compared)
    compare._against.value = "b2c"
    said = shown(compare)
    assert f"Businesses ({sizes['b2b']} sites)" in said
    assert "b2b" not in said
    assert set(compare.value["group"]) == set(compared)
    assert "baseline='b2c'" in compare.code
    assert "Businesses" in compare.figure.layout.title.text
    compare._by.value = "Kind of pages"
    assert dict(compare._only.options[1:]) == {
        "Company sites": "corporate",
        "Shop listings": "category_page",
        "News sites": "news",
        "Landing pages": "landing_page",
    }


def test_groups_of_codes_have_words_where_the_run_has_no_labels(frames):
    part = {name: frames[name] for name in ("audiences", "categories")}
    widget = Compare(part)
    widget._by.value = "Income"
    assert ("Upper middle income", "upper_middle") in widget._only.options


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
    assert "1 of Theirs (elsewhere.example)" in shown(compare)


@pytest.fixture(scope="module")
def runs(run):
    """Two lists that were run, with five sites in both."""
    hosts = run.sites()["target"].tolist()

    def of(targets):
        return part_of(run, lambda record: record.target in targets)

    return {"ours": of(hosts[:40]), "theirs": of(hosts[35:])}


def test_several_runs_are_the_groups(runs):
    widget = in_interests(Compare(runs))
    wanted = tk.findings.compare({name: run.codes() for name, run in runs.items()}, None, "rest", dimensions="interest")
    assert_frame_equal(widget.value, wanted)
    assert widget._by.layout.display == "none"
    assert [label for label, _ in widget._against.options][-2:] == ["ours", "theirs"]


@pytest.mark.parametrize("dimension", ["Personas", "Topics", "Web-filtering categories"])
def test_copied_code_of_runs_gives_the_same_finding(runs, dimension):
    widget = Compare(runs)
    widget._dimension.value = dimension
    widget._against.value = "theirs"
    widget._only.value = "ours"
    assert_frame_equal(executed(widget.code, runs=runs)["compared"].reset_index(drop=True), widget.value)
    assert set(widget.value["group"]) == {"ours"}
    assert set(widget.value["baseline"]) == {"theirs"}


def test_sites_without_a_category_count_in_comparisons_of_runs(runs):
    part = {name: asked_only(without_categories(run), "categorize_content") for name, run in runs.items()}
    answered = {name: run.sites()["error"].isna().sum() for name, run in part.items()}
    found = {name: run.categories().query("error.isna()")["target"].nunique() for name, run in part.items()}
    assert {name: answered[name] - found[name] for name in part} == {"ours": 2, "theirs": 2}
    widget = Compare(part)
    assert widget.value.drop_duplicates("group").set_index("group")["n"].to_dict() == answered


def test_sites_in_several_runs_are_told_of(run, runs):
    hosts = set(runs["ours"].sites()["target"])
    one, two = (set(run.sites().query("error.isna()")["target"]) for run in runs.values())
    assert one & two
    assert f"{len(one | two)} different sites" in shown(Compare(runs))
    apart = part_of(runs["theirs"], lambda record: record.target not in hosts)
    assert "different sites" not in shown(Compare({"ours": runs["ours"], "theirs": apart}))


def test_runs_are_shown_and_drawn_as_one_run_is(runs):
    widget = in_interests(Compare(runs))
    assert re.search(r"ours \(\d+ sites\)", shown(widget))
    assert widget.figure is not None
    assert "<table" in widget._repr_mimebundle_()["text/html"]
    assert "The runs" in repr(widget)


def test_runs_that_asked_different_questions_are_compared_in_what_both_have(runs):
    part = {"ours": runs["ours"], "theirs": asked_only(runs["theirs"], "categorize_content")}
    widget = Compare(part)
    assert set(widget._dimension.options) == {
        "everything",
        "Topics",
        "Topics of the earlier list",
        "Web-filtering categories",
    }
    assert_frame_equal(executed(widget.code, runs=part)["compared"], widget.value)
    with pytest.raises(InputError, match="none in common"):
        Compare({"one": asked_only(runs["ours"], "segment"), "two": asked_only(runs["ours"], "categorize_content")})


def test_one_run_by_name_groups_of_runs_and_odd_runs_are_refused(runs):
    with pytest.raises(InputError, match="at least two runs"):
        Compare({"ours": runs["ours"]})
    with pytest.raises(InputError, match="groups themselves"):
        Compare(runs, {"a": ["trailhead-outfitters.example"]})
    with pytest.raises(InputError, match="must be a run"):
        Compare({"ours": runs["ours"], "theirs": 7})
    with pytest.raises(InputError, match="name of its own"):
        Compare({1: runs["ours"], "1": runs["theirs"], "two": runs["theirs"]})


def test_runs_by_name_can_be_frames_by_name(runs):
    frames = {name: {kind: run.frame(kind) for kind in ("codes", "audiences")} for name, run in runs.items()}
    assert_frame_equal(in_interests(Compare(frames)).value, in_interests(Compare(runs)).value)


def test_what_is_chosen_is_seen_to_be_chosen(compare, runs):
    for widget in (compare, Compare(runs)):
        for chooser in (widget._by, widget._against, widget._dimension, widget._only):
            assert chooser.index is not None
    compare._against.value = "b2c"
    assert compare._against.label == "Consumers"
    compare._by.value = compare._by.options[1]
    assert compare._against.label == "All other sites of the run"


def test_baseline_is_not_listed_against_itself(against):
    against._against.value = "b2c"
    assert "<td>Businesses</td>" in shown(against)
    assert "<td>Consumers</td>" not in shown(against)
    against._only.value = "b2c"
    assert "<td>Consumers</td>" in shown(against)


def test_share_that_the_baseline_lacks_is_infinitely_larger(against):
    against._against.value = "b2c"
    assert "∞ (" in shown(against)


def test_lists_to_paste_are_seen_where_there_is_nothing_else_to_group_by(frames):
    widget = Compare({"codes": frames["codes"]})
    assert widget._by.options == ("Lists that I paste",)
    assert widget._lists.layout.display != "none"


def test_groups_of_few_sites_are_left_out_of_the_groupings(compare):
    compare._by.value = "Main topic"
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
    assert_frame_equal(explorer.value, tk.findings.coverage(run.categories(), "content-v3", sites=run.audiences()))


def test_tier_branch_and_threshold_narrow_the_finding(explorer, run):
    explorer._within[0].value = "Sports"
    explorer._tier.value = 2
    explorer._confidence.value = 0.5
    whole = tk.findings.coverage(run.categories(), "content-v3", threshold=0.5, sites=run.audiences())
    wanted = whole[(whole["level_1"] == "Sports") & (whole["tier"] == 2)].reset_index(drop=True)
    assert_frame_equal(explorer.value, wanted)
    found = executed(explorer.code, run)["of_tier"].reset_index(drop=True)
    assert_frame_equal(found, wanted)


@pytest.mark.parametrize("picture", ["treemap", "sunburst", "icicle", "accumulation"])
def test_every_picture_is_drawn_and_its_code_runs(explorer, run, picture):
    explorer._picture.value = picture
    assert explorer.figure is not None
    assert picture in explorer.code
    assert "covered = run.coverage('content-v3')\n" in explorer.code
    assert_frame_equal(executed(explorer.code, run)["covered"], explorer.value)


@pytest.mark.parametrize(("label", "nodes"), [("Interests", 314), ("Purchase intents", 317)])
def test_interests_and_intents_take_a_band_as_threshold(explorer, run, label, nodes):
    explorer._taxonomy.value = label
    assert len(explorer.value) == nodes
    everything = explorer.value["seen"].sum()
    explorer._band.value = "high"
    assert explorer.value["seen"].sum() <= everything
    assert_frame_equal(executed(explorer.code, run)["covered"], explorer.value)


@pytest.mark.parametrize("endpoint", ["segment", "categorize_content", "enrich"])
def test_runs_of_one_question_can_be_explored_and_copied(run, endpoint):
    part = asked_only(run, endpoint)
    widget = CoverageExplorer(part)
    assert widget.value.attrs["about"]["sites"] == 62
    assert_frame_equal(executed(widget.code, part)["covered"], widget.value)


def test_a_click_on_a_part_of_the_picture_goes_into_it_and_all_around_it_follows(explorer, run):
    explorer._picture.value = "treemap"
    covered = tk.findings.coverage(run.categories(), "content-v3", sites=run.audiences())
    ids = covered.set_index("path")["id"]
    click = explorer._clicks._handle_custom_msg
    click({"node": ids["Sports > Extreme Sports"]}, [])
    assert explorer._branch() == ["Sports", "Extreme Sports"]
    click({"node": ids["Sports"]}, [])
    assert explorer._branch() == ["Sports"]
    assert set(explorer.value["level_1"]) == {"Sports"}
    assert "topics in Sports seen" in explorer.figure.layout.title.text
    assert "in Sports seen" in explorer._status.value
    for odd in ({"node": ids["Sports > Cycling"]}, {"node": "smaller ones"}, {}, None, {"node": None}):
        click(odd, [])
        assert explorer._branch() == ["Sports"]
    click({"node": ids["Sports"]}, [])  # where one is leads out
    assert explorer._branch() == []
    assert len(explorer.value) == 703


@pytest.mark.parametrize(("label", "noun"), [("Topics", "topic"), ("Interests", "interest")])
def test_the_first_picture_says_what_it_counts(explorer, label, noun):
    explorer._taxonomy.value = label
    assert f"The {noun} itself and those in it that some site shows, number" in explorer._drawn.value


def test_what_is_unseen_of_a_branch_is_of_the_branch(explorer, run):
    explorer._within[0].value = "Sports"
    explorer._picture.value = "accumulation"
    seen = int(explorer.value["seen"].sum())
    assert f" {seen} " in explorer.figure.layout.title.text
    found = executed(explorer.code, run)["covered"].reset_index(drop=True)
    assert_frame_equal(found, explorer.value)


@pytest.mark.parametrize("control", ["_taxonomy", "_confidence", "_picture"])
def test_coverage_is_worked_out_once_a_change(explorer, monkeypatch, control):
    explorer._within[0].value = "Sports"
    explorer._tier.value = 2
    module = sys.modules[tk.findings.coverage.__module__]
    calls = []
    work = module.nodes_of
    monkeypatch.setattr(module, "nodes_of", lambda *given: calls.append(given) or work(*given))
    values = {"_taxonomy": "Interests", "_confidence": 0.5, "_picture": "icicle"}
    getattr(explorer, control).value = values[control]
    assert len(calls) == 1


def test_tiers_and_branches_follow_the_taxonomy(explorer, run):
    assert explorer._tier.options == ("all", 1, 2, 3, 4)
    assert explorer._within[0].options[1][0] == "Business and Finance"  # the most seen first
    explorer._within[0].value = "Sports"
    explorer._confidence.value = 0.5
    assert explorer._within[0].value == "Sports"
    explorer._taxonomy.value = "Purchase intents"
    assert (explorer._within[0].value, explorer._tier.value) == ("", "all")
    assert explorer._tier.options == ("all", 1, 2)
    groups = {group.label for group in run.vocabulary.groups("purchase_intent")}
    assert {name for _, name in explorer._within[0].options[1:]} == groups
    assert len(explorer.value) == 317


def test_explorer_in_a_kernel_offers_what_the_taxonomy_has_when_it_is_there(run):
    async def drive():
        widget = CoverageExplorer(run)
        widget._taxonomy.value = "Interests"
        await asyncio.sleep(0)
        time.sleep(0.05)  # noqa: ASYNC251 - the thread begins, and the loop does not hear of its end yet
        widget._taxonomy.value = "Purchase intents"
        assert widget._within[0].options == (("all", ""),)
        await settled(widget)
        return widget

    widget = asyncio.run(drive())
    assert set(widget.value["taxonomy"]) == {"purchase_intent"}
    assert len(widget._within[0].options) == 1 + len(run.vocabulary.groups("purchase_intent"))


def seen_choosers(explorer):
    return [chooser.options for chooser in explorer._within if chooser.layout.display != "none"]


def test_one_goes_into_branches_down_to_the_last(explorer, run):
    explorer._picture.value = "treemap"
    assert len(seen_choosers(explorer)) == 1
    explorer._within[0].value = "Travel"
    given = run.categories().query("taxonomy == 'content-v3' and level_1 == 'Travel'")
    sites = given.groupby("level_2")["target"].nunique()
    inside = sorted(["Travel Locations", "Travel Type"], key=lambda name: (-sites.get(name, 0), name))
    assert [name for _, name in seen_choosers(explorer)[1]] == ["", *inside]
    explorer._within[1].value = "Travel Type"
    whole = tk.findings.coverage(run.categories(), "content-v3", sites=run.audiences())
    below = whole["path"].str.startswith("Travel > Travel Type")
    assert_frame_equal(explorer.value, whole[below].reset_index(drop=True))
    assert_frame_equal(executed(explorer.code, run)["covered"].reset_index(drop=True), explorer.value)
    assert "in Travel › Travel Type" in shown(explorer)
    assert "Travel Type" in explorer.figure.layout.title.text


def test_going_into_a_branch_shows_all_its_tiers(explorer):
    explorer._tier.value = 1
    explorer._within[0].value = "Sports"
    assert explorer._tier.value == "all"
    assert len(explorer.value) > 40
    assert not explorer.value["seen"].all()


def test_order_of_the_table_is_said_as_it_is(explorer):
    assert "Unseen first" in shown(explorer)
    explorer._within[0].value = "Sports"
    explorer._tier.value = 1
    assert explorer.value["seen"].tolist() == [True]
    assert "Unseen first" not in shown(explorer)
    assert "All of these are seen" in shown(explorer)
    explorer._confidence.value = 1.0
    assert "None is seen" in shown(explorer)


def test_what_is_covered_are_categories(explorer):
    assert "of 703 topics seen" in shown(explorer)
    assert "node" not in shown(explorer)


def test_what_is_inside_is_left_with_its_branch(explorer):
    explorer._within[0].value = "Travel"
    explorer._within[1].value = "Travel Type"
    explorer._within[0].value = "Sports"
    assert explorer._within[1].value == ""
    assert set(explorer.value["level_1"]) == {"Sports"}
    assert len(set(explorer.value["level_2"].dropna())) > 40
    explorer._within[0].value = ""
    assert len(seen_choosers(explorer)) == 1
    assert len(explorer.value) == 703


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


@pytest.fixture(scope="module")
def shared_builder(run):
    return SegmentBuilder(run)


@pytest.fixture
def written(shared_builder):
    """A builder of which a test changes the text, and what is done with it, alone."""
    shared_builder._text.value = ""
    return shared_builder


def choose(builder, search):
    """Search; the first that is found is chosen."""
    builder._search.value = search


def labels(builder):
    return [entry["label"] for entry in builder._tree.entries]


def press(builder, label):
    next(button for button in (*builder._buttons, builder._undo) if button.description == label).click()


def test_clicked_codes_become_a_segment_and_its_sites(builder, run):
    assert builder.segment is None
    assert not builder.value["matches"].any()
    choose(builder, "camping")
    press(builder, "and has")
    choose(builder, "gender somewhat more men")
    press(builder, "but not")
    assert builder.segment.text.startswith("INT.TRAVEL.CAMPING and not gender_skew")
    assert_frame_equal(builder.value, builder.segment.match(run.codes(), run.categories()))
    assert builder.value["matches"].any()
    assert "segment = run.segment(" in builder.code
    assert_frame_equal(executed(builder.code, run)["matches"], builder.value)


def test_copied_code_of_a_segment_counts_the_same_sites(run):
    torn = failing(run, segment=range(9), categorize_content=range(9, 14), enrich=range(14))
    for text in ("INT.SPORTS.*", "content-v3 = 'Sports'", "INT.SPORTS.* or content-v3 = 'Travel'"):
        widget = SegmentBuilder(torn, text)
        assert len(widget.value) < 62
        assert_frame_equal(executed(widget.code, torn)["matches"], widget.value)


def test_undo_takes_the_last_click_back(builder):
    choose(builder, "camping")
    press(builder, "and has")
    press(builder, "Undo")
    assert builder.segment is None
    press(builder, "Undo")  # nothing left


def test_search_shows_what_has_all_words_below_its_branches_which_are_open(builder):
    choose(builder, "int. golf sports")
    assert [(entry["label"], entry["level"]) for entry in builder._tree.entries] == [
        ("Interests", 1),
        ("Sports", 2),
        ("Golf", 3),
    ]
    assert builder._tree.opened == ["INT.*", "INT.SPORTS.*"]
    assert builder._tree.value == "INT.SPORTS.GOLF"
    assert [entry["label"] for entry in builder._tree.entries if entry["found"]] == ["Golf"]
    assert "1 found" in builder._tree.label
    choose(builder, "golf")
    assert "4 found" in builder._tree.label
    seen = {"INT.*", "INT.SPORTS.*", "persona = *", "content-v3 = *", 'content-v3 = "Sports"'}
    assert set(builder._tree.opened) == seen | {"content-v2 = *", 'content-v2 = "Sports"'}


def test_branch_that_is_found_keeps_what_is_inside_and_is_closed(builder):
    choose(builder, "int.travel")
    assert builder._tree.value == "INT.TRAVEL.*"
    assert "INT.TRAVEL.*" not in builder._tree.opened
    assert labels(builder)[:3] == ["Interests", "Travel", "Beach Travel"]
    assert [entry["label"] for entry in builder._tree.entries if entry["found"]] == ["Travel"]


def test_nothing_found_is_said_and_cannot_be_added(builder):
    choose(builder, "no such thing")
    assert builder._tree.entries == []
    assert "Untick" in builder._tree.empty
    assert all(button.disabled for button in builder._buttons)
    press(builder, "and has")
    assert builder.segment is None
    assert builder._undo.disabled


def test_after_a_search_those_branches_are_open_that_were_and_what_was_chosen(builder):
    builder._tree.opened = ["INT.*", "INT.PETS.*"]
    entries = builder._tree.entries
    choose(builder, "golf sports int.")
    choose(builder, "")
    assert builder._tree.value == "INT.SPORTS.GOLF"
    assert builder._tree.opened == ["INT.*", "INT.PETS.*", "INT.SPORTS.*"]
    assert builder._tree.entries == entries


def test_only_what_the_sites_have_is_offered_unless_all_is_wanted(builder, run):
    assert all(entry["sites"] for entry in builder._tree.entries)
    builder._present.value = False
    keys = {entry["key"] for entry in builder._tree.entries}
    assert len(keys) == len(builder._tree.entries) > 2_000
    codes = run.vocabulary.codes.values()
    assert {code.code for code in codes} <= {key.removesuffix(".*") for key in keys}
    for name in ("content-v3", "content-v2"):
        assert {f'{name} = "{category.path}"' for category in tk.Taxonomy.load(name)} <= keys


def test_tree_says_where_each_entry_stands_among_those_beside_it(builder):
    builder._present.value = False
    beside = {}
    above = []
    for entry in builder._tree.entries:
        above = [*above[: entry["level"] - 1], entry["key"]]
        assert len(above) == entry["level"]
        beside.setdefault(tuple(above[:-1]), []).append(entry)
    for siblings in beside.values():
        assert [(one["place"], one["of"]) for one in siblings] == [
            (place, len(siblings)) for place in range(1, len(siblings) + 1)
        ]
    assert {parent[-1] for parent in beside if parent} == {
        entry["key"] for entry in builder._tree.entries if entry["branch"]
    }


def test_tree_tells_how_many_sites_have_an_entry(builder, run):
    choose(builder, "int.travel.camping")
    codes = run.codes()
    having = codes.loc[codes["code"] == "INT.TRAVEL.CAMPING", "target"].nunique()
    assert builder._tree.entries[-1]["sites"] == having


def test_all_that_the_language_can_ask_for_is_on_offer(builder):
    builder._present.value = False
    keys = [entry["key"] for entry in builder._tree.entries]
    asked = {key.split(" ")[0] for key in keys if " = " in key}
    assert asked == set(SUBJECTS)
    assert {key.split(".")[0] for key in keys if " " not in key} == {"INT", "PI"}


def test_fields_that_the_vocabulary_does_not_list_are_offered_with_what_the_sites_have(frames, run):
    other = tk.Vocabulary.parse(run.vocabulary.raw)
    other.values.pop("urbanicity")
    widget = SegmentBuilder(frames, vocabulary=other)
    had = set(frames["codes"].query("dimension == 'urbanicity'")["code"].dropna())
    offered = {entry["key"] for entry in widget._tree.entries if entry["key"].startswith("urbanicity = ")}
    assert offered == {"urbanicity = *", *(f"urbanicity = {value}" for value in had)}


def test_what_the_language_has_no_word_for_cannot_be_added(builder):
    choose(builder, "audience and firms")
    assert all(button.disabled for button in builder._buttons)
    choose(builder, "income")
    assert not any(button.disabled for button in builder._buttons)
    press(builder, "and has")
    assert builder.segment == tk.Segment.parse("income_level = *")
    assert builder.value["matches"].any()


def test_sites_of_an_entry_are_those_that_match_it(builder, run):
    codes, categories = run.codes(), run.categories()
    offered = [entry for entry in builder._tree.entries if entry["key"] != "Audience and firms"]
    whole = [entry for entry in offered if entry["level"] == 1 or entry["key"].endswith(" = *")]
    for entry in [*offered[::12], *whole]:
        segment = tk.Segment.parse(entry["key"], run.vocabulary)
        assert len(segment.sites(codes, categories)) == entry["sites"], entry["key"]


def test_names_in_the_tree_that_need_quotes_are_read_back(frames, run):
    categories = frames["categories"].copy()
    odd = 'Half "Pint" \\ Fans'
    categories.loc[categories["taxonomy"] == "filtering", ["name", "level_1"]] = odd
    widget = SegmentBuilder({"categories": categories}, vocabulary=run.vocabulary)
    choose(widget, "pint")
    press(widget, "and has")
    sites = next(entry["sites"] for entry in widget._tree.entries if entry["label"] == odd)
    assert widget.value["matches"].sum() == sites > 0


@pytest.mark.parametrize("name", ["Export", "Plan sites"])
def test_with_a_segment_that_is_written_wrongly_nothing_can_be_done(written, name):
    steps = (written._export_step, written._plan_step)
    [button] = [button for step in steps for button in step._buttons if button.description == name]
    assert not button.disabled
    written._text.value = "INT.SPORTS.* and ("
    assert button.disabled
    assert button.tooltip == "Correct the text of the segment first."
    written._text.value = "INT.SPORTS.*"
    assert not button.disabled
    assert button.tooltip == ""


def test_segment_is_read_and_matched_once_a_change(written, monkeypatch):
    calls = []
    module = sys.modules[tk.Segment.__module__]
    for name in ("parse_segment", "facts_of"):
        work = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given, name=name, work=work: calls.append(name) or work(*given))
    written._text.value = "INT.SPORTS.*"
    assert calls == ["parse_segment", "facts_of"]
    assert written.segment.text == "INT.SPORTS.*"


def test_reach_is_the_size_of_the_segment(written, run):
    written._text.value = "INT.SPORTS.*"
    size = written.segment.size(run.codes(), run.categories()).iloc[0]
    said = re.sub(r"<[^>]+>", "", shown(written))
    assert f"{size['sites']} of {size['n']} sites match" in said
    assert f"{100 * size['share_low']:.0f} to {100 * size['share_high']:.0f} %" in said


def test_of_one_site_no_share_is_told(run):
    """It was 1 of 1 site match (100 %; of sites like these 21 to 100 %, 95 % interval)."""
    site = run.sites("codes")["target"].iloc[:1].tolist()
    alone = tk.Client().ask(site, "segment", store=False)
    widget = SegmentBuilder(alone, "")
    widget._text.value = "audience_type = b2b or audience_type = b2c"
    said = re.sub(r"<[^>]+>", "", shown(widget))
    assert "1 of 1 site matches" in said
    assert "%" not in said


def test_slip_in_the_text_is_shown_in_place(written):
    written._text.value = "INT.SPORT.*"
    assert written.segment is None
    assert written.value is None
    assert "INT.SPORTS" in shown(written)


def test_slip_is_shown_with_its_place_below_it(written):
    written._text.value = "INT.SPORTS.* and INT.SPORTZ.*"
    [place] = re.findall(r"<pre[^>]*>(.*?)</pre>", shown(written), re.DOTALL)
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
    given = run.categories()
    sports = given[given["taxonomy"].eq("content-v3") & given["name"].eq("Sports")]
    assert widget.value["matches"].sum() == sports["target"].nunique() > 0
    assert_frame_equal(executed(widget.code, part)["matches"], widget.value)


def test_export_writes_the_file_that_is_named(written, tmp_path):
    written._text.value = "INT.SPORTS.*"
    export(written, tmp_path / "segment.json")
    assert json.loads((tmp_path / "segment.json").read_text(encoding="utf-8"))
    assert "cannot be written" in export(written, tmp_path / "none" / "segment.csv")


def export(builder, path):
    """Press Export, and return what is said then."""
    builder._export_step._file.value = str(path)
    builder._export_step._export.click()
    return builder._export_step._said.value


def test_export_of_nothing_is_refused(written, tmp_path):
    assert "Build a segment first" in export(written, tmp_path / "segment.csv")


def test_every_file_of_an_export_has_a_link_that_saves_it(written, tmp_path):
    written._text.value = "INT.SPORTS.*"
    said = export(written, tmp_path / "segment.csv")
    files = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert len(files) == 4
    linked = re.findall(r"download='([^']+)' href='data:[^,]+;base64,([^']+)'", said)
    assert {name: base64.b64decode(data) for name, data in linked} == files
    assert str(tmp_path.resolve()) in said


def test_what_was_written_of_another_segment_is_no_longer_said(written, tmp_path):
    written._text.value = "INT.SPORTS.*"
    assert "Download" in export(written, tmp_path / "segment.json")
    written._text.value = "INT.TRAVEL.*"
    assert "Download" not in written._export_step._said.value


def test_export_in_a_kernel_leaves_the_number_of_matching_sites(run, tmp_path):
    async def drive():
        widget = SegmentBuilder(run, "INT.SPORTS.*")
        before = shown(widget)
        export(widget, tmp_path / "segment.xlsx")
        assert "Writing" in widget._export_step._said.value
        assert shown(widget) == before
        await settled(widget, widget._export_step)
        return before, shown(widget), widget._export_step._said.value

    before, after, said = asyncio.run(drive())
    assert "of 62 sites match" in before
    assert after == before
    assert "segment.xlsx" in said


def test_export_that_ends_after_the_segment_changed_is_not_told_of_the_new_one(run, tmp_path):
    async def drive():
        widget = SegmentBuilder(run, "INT.SPORTS.*")
        export(widget, tmp_path / "segment.json")
        widget._text.value = "INT.TRAVEL.*"
        await settled(widget, widget._export_step)
        return widget._export_step._said.value

    assert "Download" not in asyncio.run(drive())


def plan(builder, most=5):
    """Press Plan sites, and return what is said then."""
    builder._plan_step._most.value = most
    builder._plan_step._button.click()
    return builder._plan_step._said.value


def test_planned_sites_are_shown_with_what_each_adds_and_given_to_the_next_cell(written, run):
    written._text.value = "INT.SPORTS.* and income_level >= middle"
    plan(written, 3)
    [grid] = written._plan_step._rows.children
    shown_rows = grid.static_view()
    wanted = plan_sites(run.codes(), written.segment, most=3, vocabulary=run.vocabulary, categories=run.categories())
    assert_frame_equal(written.plan.sites, wanted.sites)
    for site, adds in wanted.sites[["site", "adds"]].itertuples(index=False, name=None):
        assert site in shown_rows
        assert adds in shown_rows
    assert written.code.endswith("plan = segment.plan(most=3)\nplan.sites")
    assert_frame_equal(executed(written.code, run)["plan"].sites, wanted.sites)


def test_plan_is_of_the_segment_and_the_number_that_are_shown(written):
    assert "Build a segment first" in plan(written)
    written._text.value = "INT.SPORTS.*"
    plan(written, 2)
    assert len(written.plan) == 2
    written._plan_step._most.value = 3
    assert written.plan is None
    assert "plan" not in written.code
    plan(written, 3)
    written._text.value = "INT.TRAVEL.*"
    assert written.plan is None
    assert "plan" not in written.code
    assert written._plan_step._said.value == ""


def test_a_plan_says_of_how_many_sites_that_match_it_is(written):
    """Only sites that match are taken, and it is of these that none has what is missing."""
    written._text.value = "INT.SPORTS.* and income_level >= middle"
    matching = int(written.value["matches"].sum())
    said = plan(written, 2)
    assert f"2 of the {matching} sites that match, with " in said
    assert re.search(r"none that matches has the other \d+\.", said)
    [grid] = written._plan_step._rows.children
    headings = re.findall(r"<th[^>]*>([^<]+)</th>", grid.static_view())
    assert headings == ["Site", "New", "Adds", "Covered so far", "Share covered"]


def test_where_no_site_matches_there_is_none_to_take_and_no_empty_table(written):
    written._text.value = "INT.PETS.DOGS and INT.TRAVEL.*"
    assert "There is no site to take</b>: none matches the segment." in plan(written)
    assert not written._plan_step._rows.children


def test_a_site_of_which_it_is_not_known_is_not_said_to_match_not(written):
    written._text.value = "any(INT.SPORTS.*, INT.TRAVEL.*) and income_level >= middle"
    [grid] = written._rows.children
    said = dict(zip(grid.frame["site"], grid.frame["matches"], strict=True))
    for row in written.value.itertuples():
        assert said[row.site] == ("yes" if row.matches else "may" if row.may else "no")
    assert "may" in said.values()


def test_why_a_site_does_not_match_is_said_without_codes(written):
    written._text.value = "income_level >= upper_middle and gender_skew = lean_male"
    [grid] = written._rows.children
    why = "; ".join(grid.frame["why"])
    assert "income: Middle income, not at least Upper middle income" in why
    assert "gender: Women and men alike, not Somewhat more men" in why
    assert "_" not in why


def test_plan_that_cannot_be_is_said_in_place(written):
    written._text.value = "income_level >= middle"
    said = plan(written)
    assert written.plan is None
    assert "sites are chosen for the topics, interests and purchase intents that a segment asks for" in said
    assert "run.categories()" not in said
    assert "<table" not in said


def test_plan_of_a_run_of_one_question_can_be_copied(run):
    for endpoint, text in (("segment", "INT.SPORTS.*"), ("categorize_content", 'content-v3 = "Sports"')):
        part = asked_only(run, endpoint)
        widget = SegmentBuilder(part, text)
        plan(widget)
        assert_frame_equal(executed(widget.code, part)["plan"].sites, widget.plan.sites)


def test_plan_is_handed_over_with_the_segment(written, tmp_path):
    written._text.value = "INT.SPORTS.*"
    plan(written, 2)
    export(written, tmp_path / "segment.csv")
    assert len(pd.read_csv(tmp_path / "segment-plan.csv")) == 2


def test_bands_in_an_order_can_be_asked_for_with_those_beyond(builder):
    choose(builder, "income_level=middle")
    builder._tree.value = "income_level = middle"
    at_least, at_most = builder._bands
    at_least.click()
    assert builder.segment.text == "income_level >= middle"
    builder._tree.value = "income_level = high"
    at_most.click()
    assert builder.segment.text == "income_level >= middle and income_level <= high"
    press(builder, "Undo")
    assert builder.segment.text == "income_level >= middle"


@pytest.mark.parametrize("key", ["audience_type = b2c", "income_level = *", "INT.*", "Audience and firms"])
def test_what_has_no_order_cannot_be_asked_for_with_those_beyond(builder, key):
    builder._search.value = ""
    builder._tree.value = key
    assert all(button.disabled for button in builder._bands)
    builder._bands[0].click()
    assert builder.segment is None


def test_reasons_are_shown_with_names_in_place_of_codes(written):
    written._text.value = "INT.TRAVEL.CAMPING and content-v3 = Travel"
    said = set(written._rows.children[0].frame["why"])
    assert {"no Camping", 'no topic "Travel"'} <= {part for reason in said for part in reason.split("; ")}
    assert not any("INT." in reason or "content-v3" in reason for reason in said)


def test_segment_is_said_in_plain_words(written):
    written._text.value = "INT.TRAVEL.* and income_level in (middle, high) and not audience_type = b2b"
    assert written._words.value.endswith(
        "In words: the interest Travel (or any in it) and income is one of Middle income, High income "
        "and not (type of audience is Businesses).</div>"
    )
    written._text.value = "INT.TRAVLE.*"
    assert "In words" not in written._words.value
    # What is wrong stands in the place of the words, below the text that it is about.
    assert "INT.TRAVLE" in written._words.value
    assert written._status.value == ""
    written._text.value = f'persona = "{HOSTILE}"'
    assert "<img" not in written._words.value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("INT.*", "any interest"),
        ("any(PI.*, INT.PETS.DOGS with confidence >= high)", "confidence at least high"),
        ("at least 2 of (INT.PETS.*, INT.SPORTS.*, INT.TRAVEL.*)", "at least 2 of (the interest Pets"),
        ("not (INT.PETS.* and INT.SPORTS.*)", "not (the interest Pets (or any in it) and "),
        ("income_level between middle and high", "income is from Middle income to High income"),
        ("income_level = *", "income is known"),
        ('content-v3 = "Sports"', "the topic Sports"),
        ("filtering = *", "any web-filtering category"),
    ],
)
def test_every_part_of_the_language_has_words(run, text, words):
    assert words in in_words(parse_segment(text, run.vocabulary), run.vocabulary)


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


PETS, GOLF, HIGH, MIDDLE = "INT.PETS.*", "INT.SPORTS.GOLF", "income_level = high", "income_level = middle"


@every(
    ("text", "added", "whole"),
    [
        (f"{PETS} and {HIGH}", MIDDLE, f"{PETS} and income_level in (high, middle)"),
        (f"{PETS} and income_level in (high, low)", MIDDLE, f"{PETS} and income_level in (high, low, middle)"),
        (f"{HIGH} and {PETS}", GOLF, f"{HIGH} and ({PETS} or {GOLF})"),
        (f"{HIGH} and ({PETS} or {GOLF})", "INT.TRAVEL.*", f"{HIGH} and ({PETS} or {GOLF} or INT.TRAVEL.*)"),
        (f"{PETS} and {HIGH}", GOLF, f"({PETS} and {HIGH}) or {GOLF}"),
        (f"{HIGH} and {PETS}", "PI.PETS.*", f"({HIGH} and {PETS}) or PI.PETS.*"),
        (f"{PETS} and not {HIGH}", MIDDLE, f"({PETS} and not {HIGH}) or {MIDDLE}"),
        (f"{PETS} and income_level >= high", MIDDLE, f"{PETS} and (income_level >= high or {MIDDLE})"),
        (
            f"{PETS} and {HIGH} with confidence >= high",
            MIDDLE,
            f"{PETS} and ({HIGH} with confidence >= high or {MIDDLE})",
        ),
        (f"{PETS} and {HIGH}", HIGH, f"{PETS} and {HIGH}"),
        (HIGH, MIDDLE, "income_level in (high, middle)"),
        (PETS, GOLF, f"{PETS} or {GOLF}"),
        (f"{PETS} # mine", GOLF, f"{PETS} or {GOLF}"),
        ("income_level = *", HIGH, f"income_level = * or {HIGH}"),
    ],
)
def test_an_alternative_is_one_to_the_last_condition_of_the_same_field(text, added, whole):
    joined = with_part(text, added, "or")
    assert tk.Segment.parse(joined) == tk.Segment.parse(whole)
    assert ("(" in joined) == ("(" in whole)


def test_what_is_added_behind_a_comment_is_no_part_of_it():
    assert tk.Segment.parse(with_part(f"{PETS} or {HIGH} # mine", GOLF, "and")).text == f"({PETS} or {HIGH}) and {GOLF}"


# All ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Compare, CoverageExplorer, SegmentBuilder])
def test_static_view_has_the_finding_where_no_kernel_runs(run, kind):
    widget = kind(run)
    view = widget._repr_mimebundle_()["text/html"]
    assert "<table" in view or "Choose a topic" in view
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
