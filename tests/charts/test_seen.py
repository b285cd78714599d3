"""What was cut, repeated or said nothing when the pictures were looked at."""

import io
import re
import sys
from types import ModuleType

import pandas as pd
import plotly.graph_objects as go
import plotly.io as pio
import pytest
from PIL import Image

import toolkit as tk
from toolkit.charts import (
    alt_text,
    beside,
    code_confidence,
    comparison,
    confidence_distribution,
    data_of,
    heatmap,
    overlap_matrix,
    profile_card,
)
from toolkit.charts.colours import LEAST_WIDTH, PAPER
from toolkit.charts.pictures import can_draw, draw_pictures
from toolkit.findings import compare, confidence_bins
from toolkit.interface.text import day


@pytest.fixture(scope="module")
def run():
    return tk.sample_run()


@pytest.fixture(scope="module")
def kinds(run):
    return run.compare("content_type", "rest", dimensions=["price_signals", "reading_level", "income_level"])


def words_of(figure):
    title, _, footer = figure.layout.title.text.partition("<sub>")
    return title.replace("<br>", " ").strip(), footer


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_a_value_that_names_its_field_does_not_name_it_twice(kinds, draw):
    """A title was: No prices (prices) is less common among Shop listings."""
    figure = draw(kinds)
    rows = list(figure.layout.yaxis.ticktext)
    assert "No prices" in rows
    assert "Mid-range prices" in rows
    assert not any("(prices" in row or "(income" in row for row in rows)
    assert "prices are " in words_of(figure)[0]


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_a_group_that_is_the_whole_list_is_held_against_nothing(draw):
    """Of two sites, both for consumers, twelve rows at an index of 100 were drawn."""
    sites = ["torque-journal.example", "harvest-table.example"]
    alone = tk.Client().ask(sites, "segment", store=False)
    figure = draw(alone.compare("audience_type"))
    assert "is the whole list: there is nothing to hold it against" in alt_text(figure)
    assert not any(len(trace.x or ()) for trace in figure.data)


@pytest.mark.parametrize(("most", "ticks"), [(1, 2), (2, 3), (6, 5)])
def test_numbers_beside_the_colours_of_a_low_heatmap_do_not_lie_on_each_other(run, most, ticks):
    figure = heatmap(run.compare("audience_type"), most)
    [bar] = [trace.colorbar for trace in figure.data if trace.showscale is not False]
    assert len(figure.layout.yaxis.ticktext) == most
    assert len(bar.tickvals) == len(bar.ticktext) == ticks
    assert (bar.ticktext[0], bar.ticktext[-1]) == ("≤ 25", "≥ 400")


def test_no_word_of_a_heading_is_broken(run):
    sites = run.sites("codes")["target"].tolist()
    names = ["Automotive", "Business and Finance", "Travel", "Sports", "Food & Drink"]
    shared = run.overlap({name: sites[place : place + 3] for place, name in enumerate(names)})
    heads = [re.split(r"<br>| ", head.replace("&amp;", "&")) for head in overlap_matrix(shared).layout.xaxis.ticktext]
    assert sorted(heads) == sorted(name.split() for name in names)


def test_a_panel_of_one_site_is_of_one_site(run):
    shares = run.shares()
    few = shares.assign(n=shares["n"].where(shares["dimension"].ne("employment_status"), 1))
    few.attrs = shares.attrs
    heads = [note.text for note in profile_card(few).layout.annotations]
    assert any(head.endswith("known of 1 site") for head in heads)


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_no_line_of_a_title_ends_within_a_count(draw):
    """A title was: Business and Finance is more common among Businesses than overall: 7 of / 11, against 9 of 62."""
    sites = [f"s{number:02}.example" for number in range(62)]
    has = [number < 7 or number >= 60 for number in range(62)]
    interests = pd.DataFrame({"target": sites, "dimension": "interest_group"})
    interests["code"] = ["INT.BUSINESS_AND_FINANCE" if yes else "INT.PETS" for yes in has]
    interests["label"] = ["Business and Finance" if yes else "Pets" for yes in has]
    compared = compare(interests, {"Businesses": sites[:11]}, sites=sites)
    title = draw(compared).layout.title.text.partition("<br><sub>")[0]
    assert "7 of 11" in title.replace("<br>", " ")
    assert any("7 of 11" in line for line in title.split("<br>"))


def test_a_picture_says_its_day_as_a_report_does(run):
    """A slide said 29 November 2026, and the picture beside it 2026-11-29."""
    footer = words_of(comparison(run.compare("audience_type")))[1]
    assert f" · {day(run.codes()['fetched_at'].max().to_pydatetime())} · " in footer


def test_a_group_is_called_in_one_value_of_it_as_among_all(run):
    """The picture of one finding spoke of b2b, that of all of Businesses."""
    compared = run.compare("audience_type", "rest", of="technologies")
    figure = beside(compared, "b2b", "technology kind", "E-commerce")
    assert figure.data[-2].name == f"Businesses ({run.audiences()['audience_type'].eq('b2b').sum()})"
    assert "b2b" not in str(figure.layout.title.text) + alt_text(figure)


@pytest.mark.parametrize("groups", ["audience_type", "main category"])
def test_a_difference_whose_interval_reaches_100_does_not_look_certain(run, groups):
    """Marks were filled in their group's colour on a line across the 100; grey ones beside "grey: no difference"."""
    figure = comparison(run.compare(groups, "rest"))
    drawn = data_of(figure)
    shown = drawn["verdict"].isin(["over", "under"])
    reaches = shown & (drawn["shrunken_low"] <= 100) & (drawn["shrunken_high"] >= 100)
    assert reaches.any()
    marks = [
        (symbol.endswith("-dot"), colour == PAPER)
        for trace in figure.data
        if trace.mode == "markers" and trace.hovertext is not None
        for symbol, colour in zip(trace.marker.symbol, trace.marker.color, strict=True)
    ]
    assert sum(dotted for dotted, _ in marks) == reaches.sum()
    assert all(hollow for dotted, hollow in marks if dotted)
    assert sum(not hollow for _, hollow in marks) == (shown & ~reaches).sum()
    said = words_of(figure)[1]
    assert "hollow: no difference shown" in said
    assert "with a dot: shown, but its interval reaches 100" in said


def test_a_title_names_no_kind_of_which_there_is_none(run):
    """A title was: 0 interests in detail and 1 purchase intent for agrifields-coop.example."""
    codes = run.codes()
    figure = code_confidence(codes[codes["target"].eq("agrifields-coop.example")])
    assert words_of(figure)[0] == "1 purchase intent for agrifields-coop.example, with high confidence"


def test_a_title_begins_with_a_capital(run):
    """A title was: over 99 % of the 137 topics given to sites are at least 50 % sure."""
    assert words_of(confidence_distribution(confidence_bins(run.categories())))[0].startswith("Over 99 % of the ")


@pytest.mark.skipif(not can_draw(), reason="there is no Chromium here")
def test_no_line_is_cut_where_a_page_is_narrow(run):
    """At the least width of 640 pixels the ends of long titles and footers were gone."""
    figure = profile_card(run.shares())
    lines = re.split(r"<br>|</?sub>", figure.layout.title.text)
    assert max(map(len, lines)) > 90
    drawn = draw_pictures({"card": figure}, "png", width=LEAST_WIDTH, scale=1)["card", "png"]
    picture = Image.open(io.BytesIO(drawn)).convert("L")
    edge = picture.crop((picture.width - 4, 0, picture.width, figure.layout.margin.t - 20))
    darkest, _ = edge.getextrema()
    assert darkest > 250


def test_a_chart_says_its_words_where_a_page_cannot_draw_it(run, monkeypatch):
    """A notebook exported to HTML had nothing where its charts had been."""
    shown = []
    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    monkeypatch.setattr("IPython.display.display", lambda data, **_: shown.append(data))
    monkeypatch.setattr(pio.renderers, "default", "plotly_mimetype")
    figure = heatmap(run.compare("audience_type"))
    figure.show()
    style, drawn = shown
    assert "min-width: 700px" in style["text/html"]
    assert "application/vnd.plotly.v1+json" in drawn
    assert drawn["text/plain"].splitlines()[0] == words_of(figure)[0]


def test_plotlys_script_is_not_written_with_every_chart(run, monkeypatch):
    """Each chart of a notebook that is drawn as HTML brought 4.8 MB of script."""
    shown, asked = [], []
    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    monkeypatch.setattr("IPython.display.display", lambda data, **_: shown.append(data))
    monkeypatch.setattr(pio.renderers, "default", "notebook")
    monkeypatch.setattr(go.Figure, "show", lambda self, **_: asked.append("show"))
    monkeypatch.setattr(go.Figure, "_repr_mimebundle_", lambda self, **_: asked.append("bundle"))
    heatmap(run.compare("audience_type")).show()
    assert asked == ["show"]
    assert "min-width: 700px" in shown[0]["text/html"]
