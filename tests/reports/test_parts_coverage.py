"""What a list covers: topics with how much of each, gaps by name, and what more sites would show, in the appendix."""

import pytest
from saved_runs import part_of

from toolkit.charts import accumulation_curve
from toolkit.findings.unseen import estimate_in_words
from toolkit.reports.document import report_of


@pytest.fixture(scope="module")
def parts(sample):
    return {part.name: part for part in report_of(sample.run, parts=["coverage"]).parts}


def test_topics_are_ranked_with_how_much_of_each_is_seen(sample, parts):
    groups = sample.run.coverage("content-v3").by_group()
    part = parts["Topics covered"]
    seen = groups[groups["seen"] > 0]
    first = groups.sort_values(["seen", "sites"], ascending=False).iloc[0]
    assert part.title == (
        f"{len(seen)} of the {len(groups)} main topics are on the list; the widest is {first['level_1']}, with "
        f"{first['seen']} of its {first['nodes']} topics."
    )
    assert part.chart.frame["tip"].iloc[0] == f"{first['seen']} of {first['nodes']}"
    assert part.chart.frame["seen"].is_monotonic_decreasing
    assert len(part.table.frame) == len(groups)


def test_the_widest_topic_stands_out_and_ties_are_told_as_ties(sample, parts):
    """All bars had one colour, and of two topics as wide the first by name was called the widest."""
    frame = parts["Topics covered"].chart.frame
    assert frame["strong"].tolist() == [True, *[False] * (len(frame) - 1)]
    topics = sample.categories().query("taxonomy == 'content-v3'")

    def widest(rows):
        seen = topics[topics["row"].lt(rows)].groupby("level_1", observed=True)["id"].nunique()
        return seen[seen.eq(seen.max())]

    # Of more than three the rest is counted.
    rows = next(rows for rows in range(16, 3, -1) if len(widest(rows)) in {2, 3})
    run = part_of(sample.run, keep=lambda record: record.row < rows)
    [tied, *_] = report_of(run, parts=["coverage"]).parts
    most = tied.chart.frame["seen"].max()
    names = tied.chart.frame.loc[tied.chart.frame["seen"].eq(most), "level_1"].tolist()
    assert (set(names), most) == (set(widest(rows).index), widest(rows).max())
    assert tied.title.endswith(f" widest in {', '.join(names[:-1])} and {names[-1]}, with {most} topics each.")


def test_gaps_are_named_in_a_table(sample, parts):
    missing = sample.run.coverage("content-v3").gaps()
    part = parts["Gaps"]
    assert (
        part.title
        == "7 of the 32 main topics other than sensitive ones are on none of the sites: Attractions, Religion & "
        "Spirituality, Fine Art and 4 more."
    )
    assert set(part.table.frame["path"]) == set(missing.loc[missing["topmost"], "path"])


def test_a_short_list_is_not_told_how_many_main_topics_it_lacks(sample):
    """Three sites lack nearly all of them, whatever they are about: what is missing within their topics is told."""
    run = part_of(sample.run, keep=lambda record: record.row < 3)
    assert not run.findings()["sentence"].str.contains("main topics").any()
    covered, lacking = (part for part in report_of(run, parts=["coverage"]).parts if part.name != "More sites")
    assert covered.title.startswith("The list is widest in ")
    inner = lacking.table.frame["path"].iloc[0]
    assert lacking.title == f"Within the topics of the list, the largest gap is {inner}."
    assert " > " in inner
    assert not [text for text in (*covered.text, *lacking.text) if "main topics" in text]


def test_of_a_few_sites_nothing_is_said_of_others(sample):
    """Hardly two of them have a topic in common, so that no number of topics follows, and any share may be."""
    few, more = (
        report_of(part_of(sample.run, keep=lambda record, rows=rows: record.row < rows), parts=["coverage", "proofs"])
        for rows in (5, 30)
    )
    names = [[part.name for part in made.parts] for made in (few, more)]
    assert ["More sites" in each for each in names] == [False, True]
    said = [" ".join(text for part in made.proofs for text in part.text) for made in (few, more)]
    assert ["of sites like these" in each for each in said] == [False, True]


@pytest.fixture(scope="module")
def counted(sample):
    """How many topics there are on some site, on one alone and on two."""
    categories = sample.categories()
    topics = categories[categories["taxonomy"].eq("content-v3")]
    sites = topics.groupby("id", observed=True)["normal"].nunique()
    return len(sites), int(sites.eq(1).sum()), int(sites.eq(2).sum())


def chao(seen, once, twice):
    """How many topics there are by Chao's formula for a sample of sites."""
    return seen + 61 / 62 * once**2 / (2 * twice)


def test_the_curve_is_in_the_appendix(sample, parts, counted):
    part = parts["More sites"]
    assert part.is_appendix
    assert part.chart.kind == "lines"
    estimate = sample.run.coverage("content-v3").unseen().iloc[0]
    assert part.title.replace("\xa0", " ") == (
        f"The 62 sites show {counted[0]} topics of an estimated {chao(*counted):.0f} ({estimate['low']:.0f} to "
        f"{estimate['high']:.0f})."
    )


def test_the_curve_says_where_the_list_ends_what_is_expected_and_what_is_estimated(parts, counted):
    chart = parts["More sites"].chart
    assert [(one.label, one.stroke) for one in chart.series] == [
        ("seen, on average", "solid"),
        ("expected with more sites", "dashed"),
        (f"the list: {counted[0]} on 62 sites", "point"),
        (f"estimate of all: {chao(*counted):.0f}", "dotted"),
    ]
    drawn = {one.stroke: chart.frame.loc[chart.frame[one.name].notna(), "sites"] for one in chart.series}
    assert {name: (places.min(), places.max()) for name, places in drawn.items()} == {
        "solid": (1, 62),
        "dashed": (62, 124),
        "point": (62, 62),
        "dotted": (1, 124),
    }
    most = chart.frame.drop(columns="sites").max().max()
    assert most == pytest.approx(chao(*counted))
    assert chart.top == next(end for end in (100, 120, 150, 200, 250, 300, 400, 500, 600) if end >= most)


def test_an_estimate_is_worded_the_same_in_report_and_picture(sample, parts):
    found = sample.run.coverage("content-v3")
    words = estimate_in_words(found.unseen().iloc[0].to_dict())
    assert words in parts["More sites"].title
    title = accumulation_curve(found.accumulation(), found.unseen()).layout.title.text
    assert words.replace("\xa0", " ") in title.replace("\xa0", " ")


def test_one_site_has_no_curve_and_is_told_in_the_singular(sample):
    made = report_of(part_of(sample.run, lambda record: record.row < 1), parts=["coverage"])
    names = {part.name: part for part in made.parts}
    assert "More sites" not in names
    assert names["Topics covered"].title == "The list is widest in Business and Finance, with 3 of its 71 topics."
