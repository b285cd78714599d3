"""Groups side by side: all of them, in the same colours, and numbers only where a difference is proven."""

import pytest
from reports.listed import of_resorts

from toolkit.charts.colours import group_colours
from toolkit.findings.insights.claims import DIFFERENCES
from toolkit.reports.document import report_of


@pytest.fixture(scope="module")
def grouped(sample):
    return report_of(sample.run, groups="content_type", parts=["proofs", "groups", "methods"])


def test_groups_are_called_by_words_and_keep_their_colours(grouped):
    names = [group.name for group in grouped.groups]
    assert names == ["News sites", "Shop listings", "Company sites", "Landing pages"]
    colours = {name: colour.removeprefix("#") for name, colour in group_colours(names).items()}
    for part in (*grouped.proofs, *grouped.parts):
        for series in part.chart.series:
            assert series.color == colours.get(series.label, ""), part.name
    assert [group.sites for group in grouped.groups] == [8, 10, 35, 9]


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
    made = report_of(run, groups=lists)
    assert [(group.name, group.sites) for group in made.groups] == [("Ours", 11), ("upper_case", 2)]
    assert "All 11 Ours sites reach people of high income, against 1 of the 29 others." in [
        part.title for part in (*made.proofs, *made.parts)
    ]
    assert "Too small to be compared, with fewer than 3 sites: upper_case." in made.methods.text
