"""Groups side by side: all of them, in the same colours, and numbers only where a difference is proven."""

import html
import io
import re
from datetime import UTC, datetime

import numpy as np
import pytest
from pptx import Presentation
from reports.listed import of_resorts

from tests.benchmarks.validity.samples import shown
from toolkit.charts.colours import group_colours
from toolkit.findings.insights.claims import DIFFERENCES
from toolkit.findings.statistics.discoveries import cut
from toolkit.reports.brand import PLAIN
from toolkit.reports.deck.slides import deck
from toolkit.reports.document import report_of
from toolkit.reports.frames import Frames
from toolkit.reports.page.html import html_page
from toolkit.reports.story import view_of


@pytest.fixture(scope="module")
def grouped(told):
    return told(groups="content_type", parts=["proofs", "groups", "methods"])


def test_groups_are_called_by_words_and_keep_their_colours(grouped):
    names = [group.name for group in grouped.groups]
    assert names == ["News sites", "Shop listings", "Company sites", "Landing pages"]
    colours = {name: colour.removeprefix("#") for name, colour in group_colours(names).items()}
    for part in (*grouped.proofs, *grouped.parts):
        for series in part.chart.series:
            assert series.color == colours.get(series.label, ""), part.name
    assert [group.sites for group in grouped.groups] == [8, 10, 34, 10]


def test_a_proof_draws_the_group_that_it_is_about_and_the_rest(grouped):
    """Of four groups all were drawn, each mark of the claim's row full, as if it were claimed of each of them."""
    dots = [part.chart for part in grouped.proofs if part.chart.kind == "dots"]
    assert len(dots) > 1
    for chart in dots:
        assert [series.is_rest for series in chart.series] == [False, True]
        assert len(chart.by_group) == 4


def test_numbers_of_a_heatmap_stand_where_the_table_says_proven(grouped):
    for part in grouped.parts:
        proven = part.table.frame[part.table.frame["sure"].eq("proven")]
        told = set()
        for series in part.chart.series:
            rows = part.chart.frame[part.chart.frame[series.words].ne("")]
            told |= {(series.label, label) for label in rows["label"]}
            for row in rows.to_dict("records"):
                [same] = proven[proven["group"].eq(series.label) & proven["label"].eq(row["label"])]["apart"].unique()
                assert same == pytest.approx(row[series.name])
        assert told <= set(zip(proven["group"], proven["label"], strict=True))
        assert told
        assert proven["q"].max() <= DIFFERENCES


def test_a_table_of_groups_has_the_counts_of_the_comparison(sample, grouped):
    [part] = [part for part in grouped.parts if part.name == "Companies"]
    compared = sample.run.compare("content_type", "rest", of="companies")
    compared = compared[compared["dimension"].eq("business_model") & compared["code"].eq("advertising")]
    counts = compared.set_index("group")[["with_code", "n", "baseline_with", "baseline_n"]]
    mine = part.table.frame[part.table.frame["label"].eq("Advertising")].set_index("group")
    assert mine.loc["News sites", ["k", "n", "other_k", "other_n"]].tolist() == counts.loc["news"].tolist()
    assert mine.loc["Company sites", ["k", "n", "other_k", "other_n"]].tolist() == counts.loc["corporate"].tolist()
    assert part.table.group == "group"


def test_what_follows_from_the_groups_is_in_no_picture(sample):
    made = report_of(sample.run, groups="main category", parts=["groups"])
    for part in made.parts:
        assert part.name not in {"Topics", "Interests and intents", "Personas"}


def test_groups_are_held_against_a_baseline_that_is_asked_for(sample):
    run = of_resorts(sample.run)
    made = report_of(run, groups="Kind", baseline="Shop", parts=["groups", "methods"])
    part = readers(made)
    assert part.chart.axis == "Difference from the baseline, percentage points"
    resort = part.table.frame[part.table.frame["label"].eq("High income") & part.table.frame["group"].eq("Resort")]
    assert resort[["k", "n", "other_k", "other_n"]].to_numpy().tolist() == [[11, 12, 1, 28]]
    assert "Shop" not in set(part.table.frame["group"])
    targets = [f"site-{row}.example" for row in range(20, 40)]
    part = readers(report_of(run, groups="Kind", baseline=targets, parts=["groups"]))
    resort = part.table.frame[part.table.frame["label"].eq("High income") & part.table.frame["group"].eq("Resort")]
    assert resort[["k", "n", "other_k", "other_n"]].to_numpy().tolist() == [[11, 12, 1, 20]]


def readers(made):
    return next(part for part in made.parts if part.name == "Readers")


def test_groups_given_as_lists_keep_their_names(sample):
    run = of_resorts(sample.run)
    lists = {"Ours": [f"site-{row}.example" for row in range(11)], "upper_case": ["site-20.example", "site-21.example"]}
    made = report_of(run, groups=lists, parts=["proofs", "groups", "methods"])
    assert [(group.name, group.sites) for group in made.groups] == [("Ours", 11), ("upper_case", 2)]
    assert "All 11 Ours sites reach people of high income, against 1 of the 29 others." in [
        part.title for part in (*made.proofs, *made.parts)
    ]
    assert "Too small to be compared, with fewer than 3 sites: upper_case." in made.methods.text


def halves(run, first=2):
    """Lists of answered sites that have nothing to do with what the sites are."""
    names = sorted(run.audiences()["target"].dropna())
    return {"odd": names[::first], "even": [name for place, name in enumerate(names) if place % first]}


def flat(text):
    return " ".join(text.split())


def test_groups_of_which_nothing_is_proven_are_told_where_they_would_be_shown(sample):
    made = report_of(sample.run, groups=halves(sample.run), parts=["proofs", "groups", "methods"])
    [part] = made.parts_of("groups")
    assert not part.is_null
    assert not part.certainty
    assert re.fullmatch(
        r"The two groups were held against each other on \d+ values, and no difference is proven\.", flat(part.title)
    )
    shown = Presentation(io.BytesIO(deck(made, PLAIN)))
    texts = [flat(shape.text_frame.text) for slide in shown.slides for shape in slide.shapes if shape.has_text_frame]
    assert flat(part.title) in texts
    assert any("would have been found, four times in five, if some" in text for text in texts)
    assert flat(part.title) in flat(html.unescape(html_page(made, PLAIN)))


def test_what_would_have_been_found_is_what_is_found_four_times_in_five(sample):
    lists = halves(sample.run)
    [part] = report_of(sample.run, groups=lists, parts=["groups"]).parts
    n, other_n, needed = part.table.frame[["n", "other_n", "needed"]].iloc[0].astype(int)
    view = view_of(sample.run, Frames.of(sample.run), groups=lists, at=datetime(2026, 1, 1, tzinfo=UTC))
    claims = view.claims
    threshold = cut(np.stack([claims.n, claims.other_n, claims.k + claims.other_k], axis=1), DIFFERENCES)
    rng = np.random.default_rng(1)
    often = shown(((needed - 0.5) / n, 0.2), (n, other_n), threshold, rng, runs=4000)
    assert often == pytest.approx(0.8, abs=0.05)


def test_groups_that_could_not_be_compared_say_why(sample):
    names = sorted(sample.run.audiences()["target"].dropna())
    for lists in ({"few": names[:2]}, {"all": names}):
        [part] = report_of(sample.run, groups=lists, parts=["groups"]).parts
        assert part.title == "The groups could not be compared: each needs 3 sites, and as many beside it."
    made = report_of(sample.run, groups={"few": names[:5], "fewer": names[5:10]}, parts=["groups"])
    [part] = made.parts
    assert "too few sites" in html_page(made, PLAIN)
    assert "not even what 20 % of the others and all of a group have" in flat(" ".join(part.text))
    assert set(part.table.frame["why"]) == {"too few sites"}


def test_the_larger_half_is_held_against_the_smaller_one_as_its_baseline(sample):
    run = of_resorts(sample.run)
    part = readers(report_of(run, groups="Kind", baseline="Resort", parts=["groups"]))
    shop = part.table.frame[part.table.frame["label"].eq("Middle income")]
    assert shop[["group", "k", "n", "other_k", "other_n"]].to_numpy().tolist() == [["Shop", 27, 28, 1, 12]]
    assert shop["sure"].tolist() == ["proven"]
    assert flat(part.title).endswith("as often as the sites of the baseline: 27 of 28, against 1 of 12.")
