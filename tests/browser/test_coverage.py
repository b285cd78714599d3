"""The coverage of a taxonomy, its charts and its widget, in JupyterLab in a real browser."""

import pytest

import toolkit as tk
from browser.driving import CUT_OFF, shot, wait_for_text
from browser.whole import BEYOND, Charts, Ran, Stored, Widget

NOTEBOOK = "04_coverage"


class TestNotebook(Stored, Ran, Charts, Widget):
    LEAST = 4  # the topics of a coverage are a picture of the page, not plotly's


@pytest.fixture(scope="module")
def explorer(whole):
    return whole


def test_a_click_on_a_field_goes_into_it_and_out_again(explorer):
    area = explorer.locator(".jp-OutputArea .widget-vbox").first
    area.locator("select").first.scroll_into_view_if_needed()
    area.locator("select", has=explorer.locator("option", has_text="Treemap")).select_option(label="Treemap")
    title = area.locator(".js-plotly-plot .gtitle")
    field = area.locator(".js-plotly-plot g.slice", has_text="Sports (")
    field.first.click(position={"x": 40, "y": 60})
    wait_for_text(explorer, "topics in Sports seen")
    area.locator(".gtitle", has_text="in Sports seen").wait_for()
    explorer.wait_for_timeout(1000)
    shot(explorer, "04_coverage_clicked")
    area.locator(".js-plotly-plot g.slice", has_text="Sports (").first.click(position={"x": 40, "y": 8})
    area.locator(".gtitle", has_text="of 703 topics seen").wait_for()
    assert "Sports" not in title.text_content()
    area.locator("select", has=explorer.locator("option", has_text="Treemap")).select_option(label="Top topics")
    seen = tk.sample_run().coverage("content-v3")["seen"].sum()
    wait_for_text(explorer, f"{seen} of 703 topics seen")


def test_branches_of_a_taxonomy_are_gone_into_by_the_keyboard_alone(explorer):
    area = explorer.locator(".jp-OutputArea .widget-vbox").first
    taxonomy = area.locator("select").first
    taxonomy.scroll_into_view_if_needed()
    taxonomy.focus()
    explorer.keyboard.press("Tab")
    explorer.keyboard.type("0.50")
    covered = tk.sample_run().coverage("content-v3", threshold=0.5)
    wait_for_text(explorer, f"{covered['seen'].sum()} of 703 topics seen")
    explorer.keyboard.press("Tab")
    explorer.keyboard.type("Travel")
    wait_for_text(explorer, "in Travel seen")
    explorer.keyboard.press("Tab")
    explorer.keyboard.press("ArrowDown")
    inside = covered[covered["level_1"].eq("Travel") & covered["tier"].eq(2) & covered["below"].gt(0)]
    first = inside.sort_values(["sites", "name"], ascending=[False, True])["name"].iloc[0]
    wait_for_text(explorer, f"in Travel › {first} seen")
    explorer.wait_for_timeout(1500)
    shot(explorer, "04_coverage_inside")
    assert explorer.evaluate(CUT_OFF) == []
    assert explorer.evaluate(BEYOND) == []


def test_nothing_is_asked_of_any_other_host(explorer):
    assert explorer.outside == []
    assert explorer.failures == []
