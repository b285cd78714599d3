"""Charts of frames with a weight: they draw its shares and name it, or draw sites and do not name it."""

import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import toolkit as tk
from toolkit.charts import (
    alt_text,
    comparison,
    coverage_icicle,
    coverage_sunburst,
    coverage_treemap,
    data_of,
    heatmap,
    profile_card,
    technologies,
)

NAME = "Spend <EUR>"


@pytest.fixture(scope="module")
def run():
    return tk.sample_run()


@pytest.fixture(scope="module")
def spend(run):
    sites = sorted(run.sites()["target"].dropna())
    return pd.Series(np.random.default_rng(2).lognormal(5, 1.5, len(sites)), sites, name=NAME)


def title_of(figure):
    return figure.layout.title.text


def test_technologies_are_drawn_by_spend_where_the_frame_has_it(run, spend):
    found = run.shares("technologies", weight=spend)
    figure = technologies(found, most=12)
    first = found.iloc[0]
    assert first["weighted_share"] == found["weighted_share"].max()
    assert f"{first['technology']} carries the most Spend &lt;EUR&gt;" in title_of(figure)
    assert f"{100 * first['weighted_share']:.0f}" in title_of(figure)
    assert "by Spend &lt;EUR&gt;" in title_of(figure).replace("<br>", " ")
    assert figure.layout.xaxis.title.text == "Share of Spend &lt;EUR&gt;"
    drawn = data_of(figure)
    assert_allclose(sorted(drawn["weighted_share"]), sorted(found["weighted_share"].head(12)))
    assert_allclose(figure.data[0].x, drawn["weighted_share"])
    assert_allclose(figure.data[0].error_x.array, drawn["weighted_high"] - drawn["weighted_share"])
    assert NAME in alt_text(figure)
    assert re.search(r"of 62 sites<br>\d+\s% of Spend &lt;EUR&gt;<br>interval", figure.data[0].hovertext[0])


def test_a_weight_may_have_any_name(run, spend):
    odd = spend.rename("{a} <b>\n%{x}" + "long " * 20)
    for draw, finding in (
        (technologies, run.shares("technologies", weight=odd)),
        (profile_card, run.shares(weight=odd)),
    ):
        figure = draw(finding)
        assert "<b>\n" not in figure.to_json()
        assert "long " * 10 not in figure.to_json()
        assert "{a} &lt;b&gt;" in title_of(figure)


def test_a_profile_is_drawn_by_spend_where_the_frame_has_it(run, spend):
    found = run.shares(weight=spend)
    figure = profile_card(found)
    most = found[found["dimension"] == "age_bracket"].iloc[0]
    assert title_of(figure).startswith("By Spend &lt;EUR&gt;, as inferred, age is most often ")
    drawn = data_of(figure)
    ages = drawn[drawn["dimension"] == "age_bracket"]
    assert ages["weighted_share"].max() == most["weighted_share"]
    assert_allclose(figure.data[0].x, ages["weighted_share"])
    assert "bars: share of Spend" in title_of(figure)
    assert re.search(r"\s% of Spend &lt;EUR&gt; \(", figure.data[0].hovertext[0])
    assert "by Spend" in title_of(figure)
    assert NAME in alt_text(figure)


@pytest.mark.parametrize("draw", [coverage_treemap, coverage_sunburst, coverage_icicle])
def test_a_hierarchy_shades_topics_and_says_the_spend_where_one_points(run, spend, draw):
    covered = run.coverage(weight=spend)
    figure = draw(covered)
    assert "Spend" not in title_of(figure)
    seen = covered[covered["seen"]].iloc[0]
    hover = next(text for text in figure.data[0].hovertext if text.startswith(f"<b>{seen['path']}</b>"))
    assert re.search(rf"<br>{100 * seen['weighted_share']:.0f}\s% of Spend &lt;EUR&gt;", hover)


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_a_comparison_is_drawn_by_sites_and_names_no_weight(run, spend, draw):
    figure = draw(run.compare("audience_type", "rest", weight=spend))
    plain = draw(run.compare("audience_type", "rest"))
    assert "Spend" not in title_of(figure)
    assert title_of(figure) == title_of(plain)


def test_without_a_weight_charts_are_of_sites(run):
    assert "weighted_share" not in data_of(technologies(run.shares("technologies")))
    assert "weighted_share" not in data_of(profile_card(run.shares()))
