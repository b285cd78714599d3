"""The picture of a finding shows that finding: its sentence, its row first, shares of sites, no noise."""

import html
import re

import pytest
from signs import tight_in

from toolkit import sample_run
from toolkit.charts import alt_text, beside, colours, comparison, data_of
from toolkit.interface.errors import InputError


@pytest.fixture(scope="module")
def run():
    return sample_run()


@pytest.fixture(scope="module")
def found(run):
    return run.findings()


def title_of(figure):
    return html.unescape(figure.layout.title.text.split("<br><sub>")[0].replace("<br>", " "))


def marks_of(figure):
    return [trace for trace in figure.data if trace.mode == "markers"]


def test_the_title_of_a_finding_s_picture_is_its_sentence(found):
    for row in found[found["chart"].notna()].itertuples():
        figure = found.figure(row.rank)
        assert title_of(figure) == row.sentence
        assert row.sentence.rstrip(".") in alt_text(figure)


def test_a_percentage_has_a_blank_before_its_sign_in_the_picture_of_every_finding(found):
    for rank in found.loc[found["chart"].notna(), "rank"]:
        assert tight_in(found.figure(rank).to_json()) == []


def test_the_row_of_a_difference_stands_first_and_alone_in_colour(found):
    for row in found[found["kind"].isin(["difference", "together", "lead"])].itertuples():
        figure = found.figure(row.rank)
        data = data_of(figure)
        assert (data["dimension"].iloc[0], data["code"].iloc[0]) == (row.dimension, row.code)
        assert set(data["dimension"]) == {row.dimension}
        ticks = figure.layout.yaxis.ticktext
        assert [tick.startswith("<b>") for tick in ticks] == [True] + [False] * (len(ticks) - 1)
        first, *others = marks_of(figure)[0].marker.color
        assert first == colours.OVER
        assert set(others) <= {colours.QUIET}


def test_the_first_finding_is_drawn_in_shares_of_sites_with_its_counts(found):
    figure = found.figure(1)
    group, rest = marks_of(figure)
    assert (group.name, rest.name) == ("Shop listings (7)", "all other sites (19)")
    assert figure.layout.yaxis.ticktext[0] == "<b>E-commerce</b>"
    assert (group.x[0], rest.x[0]) == (1, pytest.approx(1 / 19))
    assert "<b>7 of 7 · 1 of 19</b>" in [note.text for note in figure.layout.annotations]
    assert figure.layout.xaxis.title.text == "Share of sites"
    assert all(0 <= share <= 1 for trace in figure.data for share in trace.x)
    assert not re.search(r"index|luck|baseline|codes|left out", figure.layout.title.text)


def test_what_is_common_is_drawn_by_the_sites_that_its_sentence_counts(found, run):
    topics = run.categories().query("taxonomy == 'content-v3' and tier == 1")
    counts = topics.groupby("level_1", observed=True)["normal"].nunique()
    row = found[found["kind"].eq("common") & found["dimension"].eq("content-v3")].iloc[0]
    figure = found.figure(int(row["rank"]))
    most = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:3]
    assert list(zip(figure.data[0].y[:3], figure.data[1].x[:3], strict=True)) == most
    assert figure.data[0].text[0] == f"<b>{most[0][1]} of 62</b>"


def test_facts_that_one_site_alone_has_are_no_rows(run):
    table = run.compare("content_type", "rest", of="companies")
    table = table[(table["group"] == "news") & (table["dimension"] == "business_model")]
    assert (table["with_code"] + table["baseline_with"]).eq(1).any()
    drawn = data_of(beside(table, "news", "business_model", "advertising"))
    assert (drawn["with_code"] + drawn["baseline_with"]).min() >= 2


def test_a_main_topic_is_drawn_beside_main_topics(run):
    compared = run.compare("audience_type", "rest", of="content-v3")
    whole = compared[compared["group"].eq("b2b")]
    is_top = whole["parent"].eq(whole["label"])
    main, deeper = whole.loc[is_top, "code"], whole.loc[~is_top, "code"]
    assert set(data_of(beside(compared, "b2b", "content-v3", main.iloc[0]))["code"]) <= set(main)
    assert set(data_of(beside(compared, "b2b", "content-v3", deeper.iloc[0]))["code"]) <= set(deeper)
    with pytest.raises(InputError, match="has no row of content-v3 'none'"):
        beside(compared, "b2b", "content-v3", "none")
    with pytest.raises(InputError, match="no group 'b2x'"):
        beside(compared, "b2x", "content-v3", main.iloc[0])


def test_a_group_s_name_is_shown_as_it_is_written(run):
    hostile = "<img src=x onerror=alert(1)>"
    sites = run.sites("companies").loc[lambda frame: frame["error"].isna(), "target"].head(20).tolist()
    compared = run.compare({hostile: sites}, "rest", of="companies")
    figure = beside(compared, hostile, "country", "US")
    assert "<img" not in figure.to_json().replace("\\u003c", "<")
    assert (
        html.unescape(marks_of(figure)[0].name) == f"{hostile} ({compared.loc[compared['code'] == 'US', 'n'].iloc[0]})"
    )


def test_an_interval_that_leaves_the_plot_has_an_arrow_there(run):
    figure = comparison(run.compare("content_type", "rest", of="technologies"), "news")
    first, last = (10**end for end in figure.layout.xaxis.range)
    arrows = [
        (end, symbol)
        for trace in figure.data
        if trace.mode == "lines+markers"
        for end, symbol in zip(trace.x, trace.marker.symbol, strict=True)
        if end is not None
    ]
    drawn = data_of(figure)
    wanted = [(pytest.approx(last), "triangle-right")] * int((drawn["shrunken_high"] > last).sum())
    wanted += [(pytest.approx(first), "triangle-left")] * int((drawn["shrunken_low"] < first).sum())
    assert len(wanted) >= 2
    assert len(arrows) == len(wanted)
    assert all(arrow in wanted for arrow in arrows)
