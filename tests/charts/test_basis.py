"""Pictures say what is inferred: of no reader was a count taken."""

import pandas as pd
import pytest

import toolkit as tk
from toolkit.charts import alt_text, comparison, confidence_distribution, heatmap, profile_card
from toolkit.findings import compare, confidence_bands, shares

NOTE = "inferred from what the pages are about, not counted"
INCOMES = (("middle", "Middle income"), ("high", "High income"))
LEVELS = (("basic", "Basic"), ("advanced", "Advanced"))


@pytest.fixture(scope="module")
def run():
    return tk.sample_run()


def words_of(figure):
    title, _, footer = figure.layout.title.text.partition("<br><sub>")
    return title.replace("<br>", " "), footer.replace("<br>", " · ")


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_a_comparison_of_what_is_inferred_says_so(run, draw):
    groups = {"first": run.sites("codes")["target"][:30]}
    found = run.compare(groups, dimensions="gender_skew")
    _, footer = words_of(draw(found))
    assert NOTE in footer
    mixed = run.compare("audience_type", "rest", dimensions=["gender_skew", "reading_level"])
    figure = draw(mixed)
    assert "inferred, not counted: gender" in words_of(figure)[1]
    assert any("(gender, inferred)" in text for text in figure.layout.yaxis.ticktext)
    assert not any("(reading level, inferred)" in text for text in figure.layout.yaxis.ticktext)
    measured = run.compare("audience_type", of="content-v3")
    assert "inferred" not in draw(measured).layout.title.text


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_a_middle_income_is_not_said_twice_to_be_an_income(draw):
    rows = [(f"site-{at}.example", "income_level", *(INCOMES[at % 3 > 0])) for at in range(40)]
    rows += [(f"site-{at}.example", "reading_level", *(LEVELS[at % 2])) for at in range(40)]
    codes = pd.DataFrame(rows, columns=["normal", "dimension", "code", "label"])
    codes = codes.assign(target=codes["normal"], status="complete", error=None)
    figure = draw(compare(codes, {"first": codes["normal"][:20]}))
    assert any("income (inferred)" in text for text in figure.layout.yaxis.ticktext)
    assert not any("(income" in text for text in figure.layout.yaxis.ticktext)


def test_a_title_about_an_inferred_value_says_so(run):
    found = run.compare("audience_type", "rest", dimensions="gender_skew")
    assert (found["verdict"] == "over").any()
    assert "inferred)" in words_of(comparison(found))[0]
    assert "inferred)" in alt_text(heatmap(found))


def test_a_profile_says_that_it_is_inferred_and_tells_measured_panels_apart(run):
    found = shares(run.codes(), sites=run.sites("codes"))
    title, footer = words_of(profile_card(found))
    assert title.startswith("As inferred, age is most often ")
    assert NOTE in footer
    both = profile_card(found, dimensions=["income_level", "content_type"])
    title, footer = words_of(both)
    assert "Income (inferred) is most often " in title
    assert ", and kind of pages company sites (" in title
    heads = [note.text for note in both.layout.annotations]
    assert heads[0].startswith("<b>Income (inferred)</b>")
    assert heads[1].startswith("<b>Kind of pages</b>")
    measured = profile_card(found, dimensions=["content_type", "price_signals"])
    assert "nferred" not in measured.layout.title.text


def test_no_title_sells_the_confidence_of_what_is_inferred(run):
    bands = confidence_bands(run.codes())
    sure = bands.assign(share=0.0, sites=0)
    high = (sure["confidence"] == "high") & (sure["basis"] == "inferred")
    low = (sure["confidence"] == "low") & (sure["basis"] == "measured")
    sure.loc[high | low, ["share", "sites"]] = [1.0, 9]
    figure = confidence_distribution(sure)
    title, footer = words_of(figure)
    assert title == "No dimension that is measured has a high confidence on any site"
    assert "inferred, not counted: " in footer
    assert any(text.endswith("(inferred)") for text in figure.layout.yaxis.categoryarray)
    alone = confidence_distribution(bands[bands["basis"] == "inferred"])
    assert words_of(alone)[0] == "The confidences are of what is inferred of readers, whom nobody counted"
