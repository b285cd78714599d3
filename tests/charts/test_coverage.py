"""Charts of coverage, accumulation, confidence, technologies: never blank, true to their frames, safe to show."""

import html
import itertools
import json
import re

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toolkit as tk
from toolkit.charts import (
    accumulation_curve,
    alt_text,
    colours,
    confidence_distribution,
    coverage_icicle,
    coverage_sunburst,
    coverage_treemap,
    data_of,
    technologies,
)
from toolkit.charts.pictures import can_draw, draw_pictures
from toolkit.findings.coverage import coverage
from toolkit.findings.shares import confidence_bands, confidence_bins, technology_shares
from toolkit.findings.unseen import accumulation, unseen
from toolkit.interface.errors import InputError
from toolkit.interface.words.labels import field_label

PAGES = ["torque-journal.example", "northgate-motors.example", "ledgerline.example"]
TAXONOMIES = ["content-v3", "content-v2", "interest", "purchase_intent"]
TREES = {"treemap": coverage_treemap, "sunburst": coverage_sunburst, "icicle": coverage_icicle}
HOSTILE = "<img src=x onerror=alert(1)></script>&amp;%{customdata}<a href='x'>"
TAG = re.compile(r"<\s*/?\s*([a-zA-Z]\w*)")
OWN_TAGS = {"b", "br", "sub", "extra"}
#: The field of a treemap that holds parts too small for a name.
GATHERED = "smaller ones"
#: Steps of lightness (L* of CIELAB) below which two areas side by side look the same in grey.
LEAST_STEP = 8
ABOUT = {
    "sites": 10,
    "first": "2026-03-04",
    "last": "2026-03-04",
    "vocabularies": [],
    "source": "classification service",
    "taxonomy": "content-v3",
    "threshold": 0.0,
}

every_tree = pytest.mark.parametrize("draw", TREES.values(), ids=TREES)


def node(name, parent=None, *, sites=0, size=1, tier=None, taxonomy="content-v3", **more):
    """One row of a coverage; its id is its name."""
    return {
        "taxonomy": taxonomy,
        "id": name,
        "parent": parent,
        "name": name,
        "tier": tier or (2 if parent else 1),
        "path": f"{parent} > {name}" if parent else name,
        "sites": sites,
        "share": sites / 10,
        "seen": sites > 0,
        "value_nodes": size,
        **more,
    }


def covered_of(*rows, **about):
    frame = pd.DataFrame(list(rows)).astype({"parent": "str"})
    frame.attrs["about"] = {**ABOUT, **about}
    return frame


SMALL = (
    node("Sports", size=2, sites=4),
    node("Darts", "Sports", sites=4),
    node("Golf", "Sports"),
    node("Travel", size=3),
    node("Law", sites=1),
)


def tree_of(figure):
    """The hierarchy of a figure: id to (parent, value)."""
    trace = figure.data[0]
    return dict(zip(trace.ids, zip(trace.parents, trace.values, strict=True), strict=True))


def nodes_of(tree):
    """The ids of a hierarchy without those of fields that hold what is too small for a name."""
    return [name for name in tree if not name.startswith(GATHERED)]


def plain(text):
    return html.unescape(text.replace("<br>", " ").replace("\u00a0", " "))


def title_of(figure):
    return plain(figure.layout.title.text.split("<br><sub>")[0])


def footer_of(figure):
    return plain(figure.layout.title.text.split("<br><sub>")[1].removesuffix("</sub>").replace("<br>", " · "))


def texts_of(value):
    if isinstance(value, dict):
        return [text for name, part in value.items() if name != "meta" for text in texts_of(part)]
    if isinstance(value, list):
        return [text for part in value for text in texts_of(part)]
    return [value] if isinstance(value, str) else []


def tags_of(figure):
    written = texts_of(json.loads(figure.to_json()))
    assert not [text for text in written if "%{customdata}" in text]
    return {tag for text in written for tag in TAG.findall(text)} - OWN_TAGS


def luminance(color):
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def lightness(color):
    value = luminance(color)
    return 116 * value ** (1 / 3) - 16 if value > 0.008856 else 903.3 * value


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.fixture(scope="module")
def categories(client):
    return tk.frames.categories([client.categorize_content(url=page) for page in PAGES])


@pytest.fixture(scope="module")
def codes(client, vocabulary):
    return tk.frames.codes([client.segment(page) for page in PAGES], vocabulary)


@pytest.fixture(scope="module")
def coverages(categories, codes, vocabulary):
    frames = {name: categories if name.startswith("content") else codes for name in TAXONOMIES}
    return {name: coverage(frame, name, vocabulary=vocabulary) for name, frame in frames.items()}


# Hierarchies --------------------------------------------------------------------------------------------------------


@every_tree
@pytest.mark.parametrize("taxonomy", TAXONOMIES)
def test_every_node_of_a_tree_holds_exactly_what_is_below_it(coverages, draw, taxonomy):
    figure = draw(coverages[taxonomy])
    tree = tree_of(figure)
    assert len(tree) == len(figure.data[0].ids)
    assert len(nodes_of(tree)) == len(coverages[taxonomy]) + 1
    assert [name for name, (parent, _) in tree.items() if parent == ""] == [figure.data[0].ids[0]]
    sums = {}
    for parent, value in tree.values():
        assert value >= 1
        sums[parent] = sums.get(parent, 0) + value
    assert set(sums) - {""} <= set(tree)
    assert all(tree[name][1] == total for name, total in sums.items() if name)
    assert figure.data[0].branchvalues == "total"


def test_all_703_categories_are_in_the_tree_and_the_root_is_their_leaves(coverages):
    leaves = [
        category
        for category in tk.Taxonomy.load("content-v3")
        if not tk.Taxonomy.load("content-v3").children(category.id)
    ]
    tree = tree_of(coverage_treemap(coverages["content-v3"]))
    assert len(nodes_of(tree)) == 704
    assert next(iter(tree.values())) == ("", len(leaves))


@pytest.mark.skipif(not can_draw(), reason="there is no Chromium here")
def test_chromium_draws_each_tree_with_its_parts_and_names(coverages):
    figures = {name: draw(coverages["content-v3"]) for name, draw in TREES.items()}
    for (name, _), picture in draw_pictures(figures, "svg", scale=1).items():
        drawn = picture.decode()
        assert len(re.findall(r'<path class="surface', drawn)) > 20, name
        assert "Automotive" in drawn, name
        assert 'class="slicetext"' in drawn, name
        assert re.search(r"<pattern[^>]+id=", drawn), name


@settings(max_examples=25)
@given(chosen=st.sets(st.integers(0, 702), min_size=1, max_size=40), draw=st.sampled_from(list(TREES.values())))
def test_any_part_of_a_coverage_is_a_tree_under_one_root(coverages, chosen, draw):
    part = coverages["content-v3"].iloc[sorted(chosen)]
    tree = tree_of(draw(part))
    several = (~part["parent"].isin(part["id"])).sum() > 1
    assert len(nodes_of(tree)) == len(part) + several
    assert next(iter(tree.values()))[0] == ""
    below = {}
    for parent, value in tree.values():
        below[parent] = below.get(parent, 0) + value
    assert set(below) <= {"", *tree}
    assert all(tree[name][1] >= total for name, total in below.items() if name)


@every_tree
def test_the_order_of_rows_changes_nothing(coverages, draw):
    covered = coverages["content-v3"]
    shuffled = covered.sample(frac=1, random_state=7)
    assert draw(shuffled).to_json() == draw(covered).to_json()


@every_tree
def test_the_callers_frame_is_unchanged(coverages, draw):
    before = coverages["content-v3"].copy()
    draw(coverages["content-v3"])
    pd.testing.assert_frame_equal(coverages["content-v3"], before)


@every_tree
def test_edges_have_one_width_or_plotly_loses_the_way_back(draw):
    trace = draw(covered_of(*SMALL)).data[0]
    assert isinstance(trace.marker.line.width, int | float)


@pytest.mark.parametrize("draw", [coverage_sunburst, coverage_icicle])
def test_leaves_have_the_colours_of_the_legend(draw):
    assert draw(covered_of(*SMALL)).data[0].leaf.opacity == 1


@every_tree
@pytest.mark.parametrize("depth", [1, 2, 4])
def test_depth_is_the_number_of_levels_below_the_root(coverages, draw, depth):
    assert draw(coverages["content-v3"], depth=depth).data[0].maxdepth == depth + 1
    assert draw(coverages["content-v3"]).data[0].maxdepth == (2 if draw is coverage_treemap else 3)


@every_tree
def test_unseen_parts_are_hatched_and_paler_than_any_seen_part(draw):
    trace = draw(covered_of(*SMALL)).data[0]
    look = dict(zip(trace.ids, zip(trace.marker.pattern.shape, trace.marker.colors, strict=True), strict=True))
    assert {name for name, (shape, _) in look.items() if shape} == {"Golf", "Travel"}
    assert look["Golf"][1] == look["Travel"][1]
    assert lightness(look["Golf"][1]) >= lightness(look["Law"][1]) + LEAST_STEP


def seen_in_part(*parts):
    """Return a coverage of parents of twenty topics each, of which so many are seen, each on eight sites."""
    return covered_of(
        *(
            row
            for seen in parts
            for row in (
                node(f"P{seen:02}", sites=8 * bool(seen), size=19),
                *(node(f"P{seen:02}.{at}", f"P{seen:02}", sites=8 * (at < seen)) for at in range(1, 20)),
            )
        )
    )


@every_tree
def test_a_parent_is_as_dark_as_it_is_seen_however_many_sites_one_child_has(draw):
    trace = draw(seen_in_part(0, 2, 5, 10, 20)).data[0]
    colors = dict(zip(trace.ids, trace.marker.colors, strict=True))
    steps = [lightness(colors[name]) for name in ("P00", "P02", "P05", "P10", "P20")]
    assert min(one - other for one, other in itertools.pairwise(steps)) >= LEAST_STEP
    assert colors["P02.1"] == colors["P20"]


def test_names_can_be_read_on_every_shade():
    trace = coverage_treemap(seen_in_part(0, 2, 5, 10, 20)).data[0]
    assert len(set(trace.marker.colors)) == 6
    assert all(contrast(*pair) >= 4.5 for pair in zip(trace.textfont.color, trace.marker.colors, strict=True))


def test_the_legend_names_each_shade_that_is_there():
    names = [bar.name for bar in coverage_treemap(covered_of(*SMALL)).data[1:]]
    assert names == ["not seen", "more"]
    every = [bar.name for bar in coverage_treemap(seen_in_part(0, 2, 5, 10, 20)).data[1:]]
    assert every == ["not seen", "up to 10 % seen", "up to 25 %", "up to 50 %", "more"]


@pytest.mark.skipif(not can_draw(), reason="there is no Chromium here")
@pytest.mark.parametrize("width", [640, 1100])
def test_a_treemap_has_no_field_without_a_name(sampled, width):
    figure = coverage_treemap(sampled)
    trace = figure.data[0]
    fields = [name for name, parent in zip(trace.labels, trace.parents, strict=True) if parent == trace.ids[0]]
    drawn = draw_pictures({"tree": figure}, "svg", width=width, scale=1)["tree", "svg"].decode()
    shown = [found for found in re.findall(r"<text[^>]*>.*?</text>", drawn) if "scale(0)" not in found]
    said = {re.sub(r"\W+", "", plain(re.sub(r"<[^>]+>", "", found))) for found in shown}
    assert len(fields) > 20
    assert [name for name in fields if re.sub(r"\W+", "", plain(name)) not in said] == []
    assert "14 smaller main topics" in set(map(plain, fields))


@pytest.mark.skipif(not can_draw(), reason="there is no Chromium here")
@pytest.mark.parametrize("draw", [coverage_sunburst, coverage_icicle])
def test_what_is_too_small_for_a_name_is_gathered_and_counted(sampled, draw):
    trace = draw(sampled).data[0]
    size = dict(zip(trace.ids, trace.values, strict=True))
    first = [name for name, parent in zip(trace.ids, trace.parents, strict=True) if parent == trace.ids[0]]
    assert min(size[name] for name in first) >= 0.015 * size[trace.ids[0]]
    named = {plain(label) for label in trace.labels}
    assert {"51 sub-topics", "15 smaller sub-topics"} <= {name.replace("sub- ", "sub-") for name in named}
    drawn = {re.sub(r"\W+", "", name) for name in drawn_names(draw(sampled))}
    fields = [plain(trace.labels[list(trace.ids).index(name)]).rsplit(" (", 1)[0] for name in first]
    assert [name for name in fields if re.sub(r"\W+", "", name) not in drawn] == []


@pytest.mark.parametrize("draw", [coverage_treemap, coverage_sunburst, coverage_icicle])
def test_a_branch_is_its_own_root(sampled, draw):
    trace = draw(parts_of(sampled)["branch"]).data[0]
    assert plain(trace.labels[0]) == "Sports (6)"
    assert trace.parents[0] == ""


@every_tree
def test_the_legend_of_a_tree_stands_where_its_picture_begins(draw):
    figure = draw(covered_of(*SMALL))
    legend = figure.layout.legend
    assert legend.yref == "paper"
    assert legend.y > 0.99


def test_a_name_of_several_is_broken_between_them():
    rows = [node("Snooker/Pool/Billiards", sites=1), node("Darts")]
    assert "Snooker/<br>Pool/<br>Billiards<br>(1)" in coverage_treemap(covered_of(*rows)).data[0].labels


def test_a_coverage_is_plotted_as_bars_that_say_how_much_of_each_topic_is_seen():
    covered = tk.sample_run().coverage("content-v3")
    figure = covered.plot()
    whole, part = figure.data
    groups = covered.by_group().set_index("level_1")
    widest = groups["seen"].idxmax()
    told = f"{groups.loc[widest, 'seen']} of {groups.loc[widest, 'nodes']}"
    assert title_of(figure) == f"{covered['seen'].sum()} of 703 topics seen, most of {widest}: {told}"
    assert [plain(whole.y[0]), whole.text[0]] == [widest, f"<b>{told}</b>"]
    assert list(part.x) == sorted(groups["seen"], reverse=True)[:12]
    names = list(map(plain, whole.y))
    assert list(part.x) == groups["seen"].loc[names].tolist()
    assert list(whole.x) == groups["nodes"].loc[names].tolist()
    assert len({*part.marker.color[1:]}) == 1
    assert part.marker.color[0] not in part.marker.color[1:]
    seen = int((groups["seen"] > 0).sum())
    assert f"the first 12 of {seen} that are seen · {37 - seen} of 37 main topics are on no site" in footer_of(figure)
    assert figure.layout.xaxis.title.text == "The main topic itself and those in it; filled: what some site shows"
    assert covered.plot(depth=2).data[0].type == "treemap"


def test_bars_of_a_coverage_without_sites_say_so(categories):
    figure = tk.charts.coverage_bars(coverage(categories.iloc[:0]))
    assert title_of(figure) == "None of 703 topics seen"
    assert not any(figure.data[1].x)
    assert title_of(tk.charts.coverage_bars(covered_of(*SMALL).iloc[:0])) == "There is nothing to draw"


def test_the_legend_has_the_colours_of_the_tree(coverages):
    tree, *bars = coverage_treemap(coverages["content-v3"]).data
    assert {bar.marker.color for bar in bars} == set(tree.marker.colors[1:])


@pytest.mark.parametrize(
    ("rows", "title"),
    [
        (SMALL, "3 of 5 topics seen; nothing in Travel"),
        ((node("A", sites=1), node("B"), node("C", size=2)), "1 of 3 topics seen; nothing in C or B"),
        (
            (node("A", sites=1), *(node(name) for name in "FEDC")),
            "1 of 5 topics seen; nothing in C, D and 2 more main topics",
        ),
        (
            (node("A", sites=1, size=2), node("B", "A", sites=1), node("C", "A"), node("D", sites=1)),
            "3 of 4 topics seen; something in every main topic",
        ),
        (
            (node("A", sites=1, size=2), node("B", "A", sites=1), node("C", "A")),
            "2 of 3 topics in A seen; nothing in C",
        ),
        (
            (node("A", sites=1, size=2), node("B", "A", sites=1, size=2), node("C", "B", tier=3)),
            "2 of 3 topics in A seen; something in every sub-topic",
        ),
        ((node("A"), node("B")), "None of 2 topics seen"),
        (
            (node("A", sites=1, taxonomy="interest"), *(node(name, taxonomy="interest") for name in "BCD")),
            "1 of 4 interests seen; nothing in B, C and 1 more group",
        ),
    ],
)
def test_the_title_says_how_much_is_seen_and_which_largest_parts_are_not(rows, title):
    assert title_of(coverage_treemap(covered_of(*rows))) == title


def parts_of(covered):
    """Parts that analysts cut out of a coverage."""
    sports = covered["level_1"] == "Sports"
    return {
        "branch": covered[sports],
        "below": covered[sports & (covered["tier"] > 1)],
        "children": covered[sports & (covered["tier"] == 2)],
        "tier 1": covered[covered["tier"] == 1],
        "tier 2": covered[covered["tier"] == 2],
        "seen": covered[covered["seen"]],
        "seen of the branch": covered[sports & covered["seen"]],
        "two branches": covered[sports | (covered["level_1"] == "Automotive")],
    }


@pytest.fixture(scope="module")
def sampled():
    run = tk.sample_run()
    return coverage(run.categories(), sites=run.audiences())


@pytest.mark.parametrize(
    ("part", "title"),
    [
        ("branch", r"\d+ of \d+ topics in Sports seen; nothing in .+ more sub-topics"),
        ("below", r"\d+ of \d+ topics in Sports seen; nothing in .+ more sub-topics"),
        ("children", r"\d+ of \d+ sub-topics in Sports seen; nothing in .+ and \d+ more"),
        ("tier 1", r"\d+ of 37 main topics seen; nothing in .+ and \d+ more"),
        ("tier 2", r"\d+ of 322 sub-topics seen; nothing in .+ and \d+ more"),
        ("seen", r"All \d+ topics drawn here are seen"),
        ("seen of the branch", r"All \d+ topics in Sports drawn here are seen"),
        (
            "two branches",
            r"\d+ of \d+ topics seen; something in every main topic drawn here",
        ),
    ],
)
def test_the_title_of_a_part_speaks_of_that_part_alone(sampled, part, title):
    frame = parts_of(sampled)[part]
    said = title_of(coverage_treemap(frame))
    assert re.fullmatch(title, said)
    seen = int(frame["seen"].sum())
    assert said.startswith((f"{seen} of {len(frame)} ", f"All {seen} "))


def test_the_title_of_a_branch_names_what_is_unseen_on_the_level_below(sampled):
    frame = parts_of(sampled)["branch"]
    unseen_below = frame[(frame["tier"] == 2) & ~frame["seen"]].sort_values("value_nodes", ascending=False)
    said = title_of(coverage_icicle(frame))
    assert f"nothing in {unseen_below['name'].iloc[0]}, " in said
    assert said.endswith(f" and {len(unseen_below) - 2} more sub-topics")


def test_only_a_whole_taxonomy_can_have_nothing_missing():
    rows = (node("A", sites=1), node("B", sites=1))
    whole = coverage_treemap(covered_of(*rows, nodes=2))
    assert title_of(whole) == "2 of 2 topics seen; nothing is missing"
    assert title_of(coverage_treemap(covered_of(*rows, nodes=3))) == ("All 2 main topics drawn here are seen")
    assert title_of(coverage_treemap(covered_of(*rows))) == "All 2 topics drawn here are seen"
    assert title_of(coverage_treemap(covered_of(*rows[:1]))) == "The one topic drawn here is seen"


def test_interests_of_the_second_level_are_no_groups(coverages):
    covered = coverages["interest"]
    said = title_of(coverage_treemap(covered[covered["level_1"] == covered["level_1"].iloc[0]]))
    assert "group" not in said
    assert re.search(r"interests in .+ seen", said)


def drawn_names(figure):
    """Texts that Chromium shows, and does not hide, of each part."""
    picture = draw_pictures({"tree": figure}, "svg", scale=1)["tree", "svg"].decode()
    shown = [found for found in re.findall(r"<text[^>]*>.*?</text>", picture) if "scale(0)" not in found]
    return {plain(re.sub(r"<[^>]+>", " ", found)).strip().rsplit(" (", 1)[0] for found in shown}


@pytest.mark.skipif(not can_draw(), reason="there is no Chromium here")
def test_an_icicle_names_each_top_category_that_is_not_tiny(sampled):
    tops = sampled[sampled["tier"] == 1]
    large = tops[tops["value_nodes"] >= 0.015 * tops["value_nodes"].sum()]
    assert len(large) > 20
    assert set(large["name"]) <= drawn_names(coverage_icicle(sampled))


def test_an_icicle_of_few_parts_is_no_higher_than_a_treemap():
    rows = [node(name, sites=1) for name in "ABCDE"]
    assert coverage_icicle(covered_of(*rows)).layout.height <= coverage_treemap(covered_of(*rows)).layout.height
    many = covered_of(*(node(f"N{number:02}", sites=1) for number in range(60)))
    assert coverage_icicle(many).layout.height > coverage_treemap(many).layout.height


@every_tree
def test_the_background_of_the_hatching_is_one_colour_or_plotly_warns_of_a_list(draw):
    trace = draw(covered_of(*SMALL)).data[0]
    look = dict(zip(trace.ids, trace.marker.colors, strict=True))
    assert trace.marker.pattern.bgcolor == look["Golf"]


@every_tree
def test_the_footer_has_number_date_and_source(draw):
    assert footer_of(draw(covered_of(*SMALL))) == ("n = 10 sites · 4 March 2026 · source: classification service")
    strict = draw(covered_of(*SMALL, threshold=0.5, sites=1))
    assert footer_of(strict) == "n = 1 site · 4 March 2026 · source: classification service · confidence 0.5 or more"


@pytest.mark.parametrize("taxonomy", TAXONOMIES)
def test_no_footer_names_a_taxonomy_or_a_vocabulary_by_its_version(coverages, taxonomy):
    footer = footer_of(coverage_treemap(coverages[taxonomy]))
    assert not re.search(r"vocabulary|taxonomy|content-v", footer)


@pytest.mark.parametrize(("name", "draw"), TREES.items(), ids=TREES)
def test_the_alt_text_says_what_the_picture_says(name, draw):
    alt = alt_text(draw(covered_of(*SMALL)))
    assert alt.startswith(f"A{'n' if name == 'icicle' else ''} {name} of the topics: 3 of 5 ")
    assert "Most sites: Sports (4 sites, 40 %), Law (1 site, 10 %)." in alt


@every_tree
def test_the_data_is_the_frames(coverages, draw):
    covered = coverages["content-v3"]
    data = data_of(draw(covered))
    expected = covered.sort_values("path", kind="stable", ignore_index=True)[list(data.columns)]
    pd.testing.assert_frame_equal(data, expected)


def test_hover_texts_have_sites_share_and_what_is_seen_below():
    trace = coverage_treemap(covered_of(*SMALL)).data[0]
    hover = dict(zip(trace.ids, trace.hovertext, strict=True))
    assert hover["Sports"] == "<b>Sports</b><br>4 of 10 sites (40 %)<br>1 of 2 below it seen"
    assert hover["Golf"] == "<b>Sports › Golf</b><br>not seen"


def test_seen_names_carry_their_number_of_sites():
    labels = {plain(label) for label in coverage_treemap(covered_of(*SMALL)).data[0].labels}
    assert labels == {"topics: 3 of 5 seen", "Sports (4)", "Darts (4)", "Golf", "Travel", "Law (1)"}


@every_tree
def test_a_coverage_without_sites_is_drawn_unseen(categories, draw):
    figure = draw(coverage(categories.iloc[:0]))
    assert title_of(figure) == "None of 703 topics seen"
    assert len(nodes_of(tree_of(figure))) == 704
    assert not re.search(r"\bnan\b", " ".join(texts_of(json.loads(figure.to_json()))), re.IGNORECASE)


@every_tree
def test_a_coverage_without_rows_says_so(draw):
    figure = draw(covered_of(*SMALL).iloc[:0])
    assert not figure.data
    assert title_of(figure) == "There is nothing to draw"


@every_tree
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda frame: frame.drop(columns="value_nodes"),
            "The frame has no column 'value_nodes'. Pass a coverage frame.",
        ),
        (lambda frame: pd.concat([frame, frame]), "has no id, or one that another has"),
        (lambda frame: frame.assign(id=frame["id"].where(frame["id"] != "Law")), "has no id, or one that another has"),
        (lambda frame: frame.assign(value_nodes=0), "has no size in 'value_nodes'"),
        (lambda frame: frame.assign(value_nodes=np.nan), "has no size in 'value_nodes'"),
        (lambda frame: frame.assign(value_nodes=np.inf), "has no size in 'value_nodes'"),
        (lambda frame: frame.assign(value_nodes=1), "'Sports' has a smaller 'value_nodes' than what is below it"),
        (lambda frame: covered_of(node("A", "B"), node("B", "A")), "is its own ancestor"),
        (lambda frame: frame.assign(taxonomy=["a", "b", "b", "b", "b"]), "The coverage is of 2 taxonomies"),
        (lambda frame: "no frame", "A str cannot be drawn"),
    ],
)
def test_what_plotly_would_leave_blank_is_refused(draw, change, message):
    with pytest.raises(InputError, match=re.escape(message)):
        draw(change(covered_of(*SMALL)))


@every_tree
@pytest.mark.parametrize("depth", [0, -1, 1.5, True, None, "2"])
def test_a_depth_that_is_no_number_of_levels_is_refused(draw, depth):
    with pytest.raises(InputError, match=r"^depth is .+ Give a number of levels, at least 1\.$"):
        draw(covered_of(*SMALL), depth=depth)


@every_tree
@pytest.mark.parametrize("field", ["name", "path", "taxonomy", "id"])
def test_hostile_names_are_text_in_a_tree(draw, field):
    figure = draw(
        covered_of(node("A", sites=1, size=2), {**node("B", sites=1), "taxonomy": "content-v3", field: HOSTILE})
        if field != "taxonomy"
        else covered_of(node("A", sites=1, taxonomy=HOSTILE), taxonomy=HOSTILE)
    )
    written = json.loads(figure.to_json())
    for part in written["data"]:
        part.pop("ids", None)  # plotly does not write these
        part.pop("parents", None)
    assert not {tag for text in texts_of(written) for tag in TAG.findall(text)} - OWN_TAGS
    assert html.unescape(alt_text(figure))


# Accumulation -------------------------------------------------------------------------------------------------------


def curve_of(*rows, **about):
    frame = pd.DataFrame(rows, columns=["sites", "seen", "low", "high", "kind"])
    frame.attrs["about"] = {**ABOUT, "sites": 2, "tier": None, "level": 0.95, **about}
    return frame


CURVE = ((1, 3.0, 2.0, 4.0, "interpolated"), (2, 5.0, 4.0, 6.0, "interpolated"), (4, 8.0, 5.0, 11.0, "extrapolated"))


def estimate_of(**values):
    row = {"sites": 2, "seen": 5, "estimate": 20.0, "low": 12.0, "high": 30.0, "more_sites_for_95": 8, "capped": False}
    return pd.DataFrame([{**row, **values}]).astype({"more_sites_for_95": "Int64"})


def lines_of(figure):
    return {trace.line.dash: trace for trace in figure.data if trace.mode == "lines" and trace.line.dash}


def test_the_curve_is_solid_up_to_the_sites_there_are_and_dashed_beyond():
    lines = lines_of(accumulation_curve(curve_of(*CURVE)))
    assert (list(lines["solid"].x), list(lines["solid"].y)) == ([1, 2], [3, 5])
    assert (list(lines["dash"].x), list(lines["dash"].y)) == ([2, 4], [5, 8])


def test_the_band_goes_round_the_intervals():
    band = accumulation_curve(curve_of(*CURVE)).data[0]
    assert (list(band.x), list(band.y)) == ([1, 2, 4, 4, 2, 1], [4, 6, 11, 5, 4, 2])
    assert band.fill == "toself"


def test_a_real_curve_is_drawn_point_by_point(coverages):
    curve = accumulation(coverages["content-v3"])
    lines = lines_of(accumulation_curve(curve, unseen(coverages["content-v3"])))
    assert list(lines["solid"].y) == curve.loc[curve["kind"] == "interpolated", "seen"].tolist()
    assert list(lines["dash"].y)[1:] == curve.loc[curve["kind"] == "extrapolated", "seen"].tolist()


def test_the_estimate_is_a_labelled_line_with_its_interval():
    figure = accumulation_curve(curve_of(*CURVE), estimate_of())
    band, line = figure.layout.shapes
    assert (band.y0, band.y1) == (12, 30)
    assert (line.y0, line.y1, line.line.dash) == (20, 20, "dot")
    assert "estimate of all: 20 (12 to 30)" in [plain(note.text) for note in figure.layout.annotations]
    assert figure.layout.yaxis.range[1] > 30


def test_an_interval_far_above_everything_does_not_flatten_the_curve():
    figure = accumulation_curve(curve_of(*CURVE), estimate_of(high=100_000.0))
    assert 20 < figure.layout.yaxis.range[1] < 100
    assert "12 to 100,000" in plain(figure.layout.annotations[1].text)


@pytest.mark.parametrize(
    ("rows", "estimate", "title"),
    [
        (CURVE, estimate_of(), "2 sites show 5 topics of an estimated 20 (12 to 30)"),
        (
            CURVE,
            estimate_of(capped=True),
            "2 sites show 5 topics of an estimated 20 (12 to 30)",
        ),
        (CURVE, None, "2 sites show 5 topics; 2 more would add about 3"),
        (CURVE[:2], None, "2 sites show 5 topics"),
        (CURVE[:1], None, "Any 1 of the 2 sites shows on average 3 topics"),
        (
            CURVE,
            estimate_of(estimate=5.0, low=5.0, high=5.4),
            "2 sites show 5 topics, and sites like these are not expected to show more",
        ),
        (
            CURVE,
            estimate_of(estimate=np.nan, low=np.nan, high=np.nan),
            "2 sites show 5 topics",
        ),
        (
            ((1, 3.0, np.nan, np.nan, "interpolated"), (2, 3.0, np.nan, np.nan, "extrapolated")),
            None,
            "Any 1 of the 2 sites shows on average 3 topics",
        ),
        (
            ((2, 0.0, np.nan, np.nan, "interpolated"), (4, 0.0, np.nan, np.nan, "extrapolated")),
            None,
            "2 sites show 0 topics",
        ),
    ],
)
def test_the_title_of_a_curve_says_what_is_seen_and_what_is_to_come(rows, estimate, title):
    figure = accumulation_curve(curve_of(*rows), estimate)
    assert title_of(figure) == title
    assert title in plain(alt_text(figure))


def test_the_footer_of_a_curve_says_what_the_rest_would_take():
    footer = footer_of(accumulation_curve(curve_of(*CURVE), estimate_of()))
    assert footer == (
        "n = 2 sites · 4 March 2026 · source: classification service · estimate: Chao2, rather too low than too high · "
        "95 % of it would take 8 more sites · bands: 95 % intervals"
    )


@pytest.mark.parametrize("more", [pd.NA, 0])
def test_no_further_sites_are_not_mentioned(more):
    assert "would take" not in footer_of(accumulation_curve(curve_of(*CURVE), estimate_of(more_sites_for_95=more)))


def test_an_estimate_that_cannot_be_made_is_said_to_be_missing():
    figure = accumulation_curve(curve_of(*CURVE), estimate_of(estimate=np.nan, low=np.nan, high=np.nan))
    assert "no estimate: too few sites or topics" in footer_of(figure)
    assert not figure.layout.shapes


@pytest.mark.parametrize("with_estimate", [True, False])
@pytest.mark.parametrize("sites", [0, 1])
def test_nothing_is_foretold_of_one_site_or_of_sites_that_show_nothing(categories, sites, with_estimate):
    known = sorted(set(categories["target"]))
    frame, counting = (categories, known[:1]) if sites else (categories.iloc[:0], known)
    curve = accumulation(frame, sites=counting)
    assert "extrapolated" in set(curve["kind"])
    figure = accumulation_curve(curve, unseen(frame, sites=counting) if with_estimate else None)
    assert "would add" not in title_of(figure) + alt_text(figure)
    assert "estimate of" not in title_of(figure)
    assert "dash" not in lines_of(figure)
    assert set(data_of(figure)["kind"]) == {"interpolated"}


def test_a_curve_of_one_site_is_a_mark_without_a_band(client):
    frame = tk.frames.categories([client.categorize_content(url=PAGES[0])])
    curve = accumulation(frame, until=1)
    figure = accumulation_curve(curve, unseen(frame))
    assert [trace.mode for trace in figure.data] == ["markers", "markers"]
    assert list(figure.data[0].y) == curve["seen"].tolist()


def test_the_words_at_the_last_site_stay_inside_the_picture():
    assert accumulation_curve(curve_of(*CURVE)).layout.annotations[0].xanchor == "left"
    note = accumulation_curve(curve_of(*CURVE[:2])).layout.annotations[0]
    assert (note.xanchor, note.ax < 0, note.ay > 0) == ("right", True, True)
    nothing = accumulation_curve(curve_of((2, 0.0, np.nan, np.nan, "interpolated"))).layout.annotations[0]
    assert nothing.ay < 0


def test_few_sites_are_marked_one_by_one():
    few = accumulation_curve(curve_of(*CURVE[:2])).layout
    assert (few.xaxis.dtick, few.yaxis.dtick) == (1, 1)
    many = accumulation_curve(curve_of((62, 86.0, 80.0, 90.0, "interpolated"))).layout
    assert (many.xaxis.dtick, many.yaxis.dtick) == (None, None)


def test_a_curve_without_sites_says_so(categories):
    nobody = pd.DataFrame(categories.iloc[:0].to_dict("series"))  # of no run, so that nobody was answered
    figure = accumulation_curve(accumulation(nobody))
    assert not figure.data
    assert title_of(figure) == "There is no site to count"


def test_the_data_of_a_curve_is_the_curve(coverages):
    curve = accumulation(coverages["interest"])
    pd.testing.assert_frame_equal(data_of(accumulation_curve(curve)), curve)


def test_the_order_of_a_curves_rows_changes_nothing(coverages):
    curve = accumulation(coverages["interest"])
    drawn = [list(trace.y) for trace in accumulation_curve(curve.sample(frac=1, random_state=3)).data]
    assert drawn == [list(trace.y) for trace in accumulation_curve(curve).data]


def test_the_tier_of_a_curve_is_named(coverages):
    figure = accumulation_curve(accumulation(coverages["content-v3"], tier=1))
    assert "main topics" in title_of(figure)
    assert figure.layout.yaxis.title.text == "Main topics seen"


@pytest.mark.parametrize(
    ("curve", "estimate", "message"),
    [
        (
            pd.DataFrame({"sites": [1]}),
            None,
            "has no column 'seen', 'low', 'high'. Pass a toolkit.findings.accumulation frame.",
        ),
        (curve_of(*CURVE), pd.DataFrame({"sites": [1]}), "has no column 'seen', 'estimate', 'low', 'high'"),
        (curve_of(*CURVE), estimate_of().iloc[:0], "The estimate has 0 rows instead of one."),
        (None, None, "A NoneType cannot be drawn"),
    ],
)
def test_what_is_no_curve_is_refused(curve, estimate, message):
    with pytest.raises(InputError, match=re.escape(message)):
        accumulation_curve(curve, estimate)


# Confidence ---------------------------------------------------------------------------------------------------------


def bands_of(**counts):
    """Bands of dimensions: sites with low, medium, high and no confidence."""
    rows = []
    for name, sites in counts.items():
        rows += [
            {
                "dimension": name,
                "confidence": band,
                "sites": number,
                "share": number / (sum(sites) or 1),
                "n": sum(sites),
            }
            for band, number in zip(["low", "medium", "high", None], sites, strict=True)
        ]
    frame = pd.DataFrame(rows)
    frame["confidence"] = frame["confidence"].astype(pd.CategoricalDtype(["low", "medium", "high"], ordered=True))
    frame.attrs["about"] = {**ABOUT, "taxonomy": None, "vocabularies": ["1.1"]}
    return frame


def bins_of(*counts, **about):
    edges = np.linspace(0, 1, len(counts) + 1)
    frame = pd.DataFrame({"low": edges[:-1], "high": edges[1:], "count": counts})
    frame["share"] = frame["count"] / max(sum(counts), 1)
    frame.attrs["about"] = {**ABOUT, "unstated": 0, **about}
    return frame


def test_bands_are_the_frames_shares(codes):
    bands = confidence_bands(codes)
    figure = confidence_distribution(bands)
    shown = {
        (trace.name.removesuffix(" confidence"), y.removesuffix(" (inferred)"), x)
        for trace in figure.data
        for x, y in zip(trace.x, trace.y, strict=True)
    }
    stated = bands[bands["dimension"].isin(bands.loc[bands["confidence"].notna() & (bands["sites"] > 0), "dimension"])]
    stated = stated[stated["sites"] > 0]
    most = stated.groupby("dimension", sort=False, observed=True)["sites"].sum().nlargest(12).index
    stated = stated[stated["dimension"].isin(most)]
    names = ["not stated" if isinstance(band, float) else band for band in stated["confidence"]]
    # By the names that everything else has for them too.
    said = [field_label(name).lower() for name in stated["dimension"]]
    assert shown == set(zip(names, said, stated["share"], strict=True))
    assert figure.layout.barmode == "stack"


def test_parts_of_a_bar_are_labelled_with_their_sites_where_there_is_room():
    figure = confidence_distribution(bands_of(interest=(1, 30, 69, 0)))
    assert {trace.name: trace.text[0] for trace in figure.data} == {
        "low confidence": "",
        "medium confidence": "30",
        "high confidence": "69",
    }


def test_bands_darken_with_certainty_and_differ_in_grey():
    figure = confidence_distribution(bands_of(interest=(1, 1, 1, 1)))
    steps = [lightness(trace.marker.color) for trace in figure.data]
    assert steps[:3] == sorted(steps[:3], reverse=True)
    assert min(abs(one - other) for one, other in itertools.pairwise(sorted(steps))) >= LEAST_STEP
    assert all(contrast(trace.textfont.color, trace.marker.color) >= 3 for trace in figure.data)


def test_dimensions_without_any_confidence_are_named_and_not_drawn():
    figure = confidence_distribution(bands_of(interest=(0, 0, 5, 0), persona=(0, 0, 0, 5), content_type=(0, 0, 0, 2)))
    assert list(figure.layout.yaxis.categoryarray) == ["interests in detail"]
    assert "none stated of personas, kind of pages" in footer_of(figure)


@pytest.mark.parametrize(
    ("counts", "title"),
    [
        (
            {"interest": (0, 1, 3, 0), "purchase_intent": (2, 1, 1, 0), "content_type": (1, 1, 0, 0)},
            (
                "The service is surest of interests in detail (high confidence on 75 % of the sites) and least sure of "
                "the kind of pages (on none)"
            ),
        ),
        ({"interest": (0, 1, 3, 0)}, "Interests in detail: high confidence on 75 % of sites"),
        (
            {"interest": (0, 1, 3, 0), "purchase_intent": (1, 0, 3, 0)},
            "All 2 measured dimensions have a high confidence on 75 % of sites",
        ),
        ({"interest": (1, 1, 0, 0)}, "No dimension that is measured has a high confidence on any site"),
        (
            {"interest": (1, 1, 0, 0), "life_stage": (0, 0, 3, 0)},
            "No dimension that is measured has a high confidence on any site",
        ),
        ({"persona": (0, 0, 0, 3)}, "No dimension has a confidence"),
    ],
)
def test_the_title_of_bands_says_what_is_surest(counts, title):
    assert title_of(confidence_distribution(bands_of(**counts))) == title


def test_bins_are_the_frames_counts(categories):
    bins = confidence_bins(categories)
    [bars] = confidence_distribution(bins).data
    assert list(bars.y) == bins["count"].tolist()
    assert list(bars.x) == pytest.approx(((bins["low"] + bins["high"]) / 2).tolist())
    assert list(bars.width) == pytest.approx([0.1] * 10)


@pytest.mark.parametrize(
    ("counts", "title"),
    [
        ((1, 0, 0, 3), "3 of the 4 topics given to sites are at least 50 % sure"),
        ((1, 0, 1), "1 of the 2 topics given to sites is at least 67 % sure"),
        ((40, 0, 0, 120), "75 % of the 160 topics given to sites are at least 50 % sure"),
        ((4,), "4 topics with a confidence"),
        ((1,), "1 topic with a confidence"),
        ((0, 0), "No topic has a confidence"),
    ],
)
def test_the_title_of_bins_says_how_many_are_sure(counts, title):
    assert title_of(confidence_distribution(bins_of(*counts))) == title


def test_categories_without_a_confidence_are_counted_below_the_title():
    assert "7 without a confidence not drawn" in footer_of(confidence_distribution(bins_of(1, 2, unstated=7)))


@pytest.mark.parametrize("frame", [bands_of(interest=(1, 2, 3, 4)), bins_of(1, 2, 3)])
def test_the_data_of_a_distribution_is_the_frame(frame):
    pd.testing.assert_frame_equal(data_of(confidence_distribution(frame)), frame)


@pytest.mark.parametrize("frame", [pd.DataFrame({"a": [1]}), pd.DataFrame({"dimension": ["interest"]}), None])
def test_what_is_no_distribution_is_refused(frame):
    with pytest.raises(InputError, match=r"Pass a confidence_b(and|in)s frame\.$"):
        confidence_distribution(frame)


def test_hostile_names_are_text_in_a_distribution():
    assert not tags_of(confidence_distribution(bands_of(**{HOSTILE: (1, 1, 1, 0), "interest": (1, 0, 0, 0)})))
    assert not tags_of(confidence_distribution(bins_of(1, 2, taxonomy=HOSTILE)))


# Technologies -------------------------------------------------------------------------------------------------------


def shares_of(*rows, n=10):
    """Technology shares of (category, technology, sites)."""
    frame = pd.DataFrame(rows, columns=["category", "technology", "with_technology"]).assign(n=n)
    frame["share"] = frame["with_technology"] / n
    frame["share_low"], frame["share_high"] = frame["share"] * 0.5, frame["share"] * 1.25
    frame = frame[["category", "technology", "n", "with_technology", "share", "share_low", "share_high"]]
    frame = frame.astype({"category": "str"})
    frame.attrs["about"] = {**ABOUT, "taxonomy": None, "level": 0.95}
    return frame


USED = (("Analytics", "Counter", 6), ("Server", "Edge", 5), ("Analytics", "Meter", 2), (None, "Thing", 1))


def rows_of(figure):
    return [plain(text) for text in figure.layout.yaxis.ticktext]


def test_technologies_are_sorted_and_each_says_what_it_is_for_and_its_number():
    figure = technologies(shares_of(*USED))
    assert rows_of(figure) == ["Counter", "Edge", "Meter", "Thing"]
    assert list(figure.data[0].x) == [0.6, 0.5, 0.2, 0.1]
    assert [(plain(note.text), note.y) for note in figure.layout.annotations] == [
        ("Analytics", 0),
        ("Server", 1),
        ("Analytics", 2),
        ("other", 3),
    ]
    assert [text.strip() for text in figure.data[1].text] == ["6 of 10", "5 of 10", "2 of 10", "1 of 10"]


def test_intervals_reach_from_the_lower_to_the_upper_limit():
    frame = shares_of(*USED)
    bars = technologies(frame).data[0]
    drawn = data_of(technologies(frame))
    assert list(bars.x + np.array(bars.error_x.array)) == pytest.approx(drawn["share_high"].tolist())
    assert list(bars.x - np.array(bars.error_x.arrayminus)) == pytest.approx(drawn["share_low"].tolist())


def test_what_the_title_names_is_blue_and_the_rest_is_grey():
    assert list(technologies(shares_of(*USED)).data[0].marker.color) == [colours.OVER, *[colours.OTHER_BAND] * 3]


def test_the_most_used_are_drawn_and_the_rest_counted():
    figure = technologies(shares_of(*USED), most=2)
    assert rows_of(figure) == ["Counter", "Edge"]
    assert "2 of the 4 technologies, the most used ·" in footer_of(figure)
    assert "the most used" not in footer_of(technologies(shares_of(*USED)))


def test_the_order_of_rows_and_ties_do_not_matter():
    frame = shares_of(("A", "Zeta", 2), ("B", "Alpha", 2), ("A", "Beta", 2), ("C", "Alpha", 2))
    drawn = {technologies(frame.sample(frac=1, random_state=seed), most=3).to_json() for seed in range(5)}
    assert len(drawn) == 1


@pytest.mark.parametrize(
    ("rows", "title"),
    [
        (USED, "Counter is used most: on 6 of 10 sites (60 %)"),
        ((("A", "Zeta", 2), ("B", "Alpha", 2)), "Alpha and Zeta alike are used most: each on 2 of 10 sites"),
        ((("A", "Zeta", 0),), "No technology is known of these sites"),
        ((), "No technology is known of these sites"),
    ],
)
def test_the_title_names_the_most_used(rows, title):
    assert title_of(technologies(shares_of(*rows))) == title


def test_one_name_in_two_categories_stands_in_two_rows_that_differ():
    figure = technologies(shares_of(("A", "Alpha", 2), ("B", "Alpha", 2)))
    assert rows_of(figure) == ["Alpha (A)", "Alpha (B)"]


def test_real_technologies_are_drawn_with_their_shares(client):
    frame = tk.frames.technologies([client.enrich(page, include=["technologies"]) for page in PAGES])
    shared = technology_shares(frame)
    figure = technologies(shared, most=5)
    expected = dict(zip(shared["technology"], shared["share"], strict=True))
    assert len(rows_of(figure)) == min(5, len(shared))
    for name, x in zip(rows_of(figure), figure.data[0].x, strict=True):
        assert expected[name] == x


@pytest.mark.parametrize("most", [0, -1, 2.5, None, True])
def test_a_number_of_technologies_that_is_none_is_refused(most):
    with pytest.raises(InputError, match=r"^most is .+ Give a whole number above 0\.$"):
        technologies(shares_of(*USED), most=most)


@pytest.mark.parametrize("field", ["technology", "category"])
def test_hostile_names_are_text_among_technologies(field):
    frame = shares_of(*USED)
    assert not tags_of(technologies(frame.assign(**{field: [HOSTILE, *frame[field].tolist()[1:]]})))


# All ----------------------------------------------------------------------------------------------------------------

FIGURES = {
    "tree": lambda: coverage_treemap(covered_of(*SMALL)),
    "curve": lambda: accumulation_curve(curve_of(*CURVE), estimate_of()),
    "bands": lambda: confidence_distribution(bands_of(interest=(1, 2, 3, 4))),
    "bins": lambda: confidence_distribution(bins_of(1, 2)),
    "technologies": lambda: technologies(shares_of(*USED)),
}


@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES)
def test_every_chart_has_title_footer_alt_text_data_and_a_height(draw):
    figure = draw()
    assert isinstance(figure, go.Figure)
    assert title_of(figure)
    assert re.search(r"^n = \d+ sites? · 4 March 2026 · source: classification service\b", footer_of(figure))
    assert len(alt_text(figure)) > len(title_of(figure))
    assert len(data_of(figure))
    assert figure.layout.height > 200


@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES)
def test_charts_without_a_word_of_what_they_are_about_are_drawn_too(draw, monkeypatch):
    monkeypatch.setattr(pd.DataFrame, "attrs", property(lambda frame: {}))
    assert title_of(draw())


@pytest.mark.parametrize(("taxonomy", "noun"), [("content-v3", "topics"), ("interest", "interests")])
def test_the_legend_says_what_areas_stand_for(taxonomy, noun):
    figure = coverage_treemap(covered_of(node("A", sites=1, taxonomy=taxonomy)))
    assert figure.layout.legend.title.text == f"Area: {noun}. Shade: the part of them that is seen. Number: sites"
