"""Findings of a comparison, their charts and their widget, in JupyterLab in a real browser."""

import pytest

import toolkit as tk
from browser.driving import CUT_OFF, shot, wait_for_text
from browser.whole import BEYOND, Charts, Ran, Stored, Widget
from toolkit.interface.words.labels import field_label

NOTEBOOK = "03_compare"


class TestNotebook(Stored, Ran, Charts, Widget):
    LEAST = 6  # compare over everything is a picture of the page, not plotly's


@pytest.fixture(scope="module")
def comparison(whole):
    whole.wait_for_timeout(1500)
    return whole


def test_dimension_is_changed_by_the_keyboard_alone(comparison):
    chooser = comparison.locator(".jp-OutputArea .widget-dropdown select").nth(2)
    chooser.scroll_into_view_if_needed()
    assert chooser.input_value() == "everything"
    chooser.focus()
    for _ in range(3):
        comparison.keyboard.press("ArrowDown")
    comparison.keyboard.press("Tab")
    area = comparison.locator(".jp-OutputArea .widget-vbox").first
    area.locator(".tabulator-col-title:visible", has_text="Purchase intents").wait_for()
    comparison.wait_for_timeout(1500)
    shot(comparison, "03_compare_intent")
    assert chooser.input_value() == "Purchase intents"
    listed = area.locator(".tabulator-row:visible .tabulator-cell:first-child").all_text_contents()
    codes = tk.sample_run().codes()
    assert listed
    assert set(listed) <= set(codes.loc[codes["dimension"] == "purchase_intent", "label"])
    assert comparison.evaluate(CUT_OFF) == []


def test_pasted_lists_are_compared_while_one_types_and_the_focus_stays(comparison):
    area = comparison.locator(".jp-OutputArea .widget-vbox").first
    area.locator("select").first.select_option("Lists that I paste")
    wait_for_text(comparison, "Paste at least two lists")
    boxes = area.locator("textarea:visible:enabled")
    boxes.nth(0).click()
    comparison.keyboard.insert_text("trailhead-outfitters.example\ncampfire-rv.example\npeakcycle.example")
    comparison.keyboard.press("Tab")
    comparison.keyboard.press("Tab")
    comparison.keyboard.type("ledgerline.example\nfairway-club.example\nelsewhere.example")
    wait_for_text(comparison, "(elsewhere.example)")
    comparison.wait_for_timeout(1500)
    shot(comparison, "03_compare_pasted")
    focused = "() => document.activeElement.closest('.widget-textarea, .widget-dropdown').innerText.split('\\n')[0]"
    assert boxes.nth(1).evaluate("box => box === document.activeElement")
    comparison.keyboard.type("\ncampfire")
    assert boxes.nth(1).input_value().endswith("elsewhere.example\ncampfire")
    comparison.keyboard.press("Tab")
    assert comparison.evaluate(focused) == "against"
    against = area.locator("select").nth(1)
    assert against.evaluate("list => [...list.options].map(option => option.text.replace(/\\s/g, ' '))") == [
        "Ours",
        "Theirs",
        "All sites of the run",
        "All other sites of the run",
    ]
    assert against.evaluate("list => list.selectedOptions[0].text") == "Theirs"
    assert comparison.evaluate(CUT_OFF) == []


def doubted(found):
    """How many rows have an interval, as counted, beyond 100, and still show no difference."""
    beyond = (found["index_low"] > 100) | (found["index_high"] < 100)
    return (beyond & found["verdict"].eq("no difference shown")).sum()


def test_verdict_that_an_interval_seems_to_contradict_is_explained(comparison):
    area = comparison.locator(".jp-OutputArea .widget-vbox").first
    area.locator("select").first.select_option("Income")
    run = tk.sample_run()
    incomes = run.audiences().set_index("target")["income_level"].dropna()
    # The widget leaves out groups of one site, and so tests less.
    groups = incomes[incomes.isin(incomes.value_counts().loc[lambda sizes: sizes > 1].index)]
    names = ["interest_group", "interest", "purchase_intent", "education_level", "reading_level"]
    most = max(names, key=lambda name: doubted(run.compare(groups, "rest", dimensions=name)))
    area.locator("select").nth(2).select_option(field_label(most))
    wait_for_text(comparison, "A verdict allows for the number of comparisons")
    comparison.wait_for_timeout(1500)
    shot(comparison, "03_compare_groups")
    table = area.locator(".toolkit-grid-box:visible").first
    table.scroll_into_view_if_needed()
    assert table.locator(".tabulator-cell", has_text="Upper middle income").count() > 0
    table.get_by_placeholder("Search").fill("not certain once")
    table.locator(".tabulator-cell", has_text="not certain once").first.wait_for()
    shot(comparison, "03_compare_doubt")
    assert table.locator(".tabulator-cell", has_text="upper_middle").count() == 0
    assert comparison.evaluate(CUT_OFF) == []
    assert comparison.evaluate(BEYOND) == []


def test_nothing_is_asked_of_any_other_host(comparison):
    assert comparison.outside == []
    assert comparison.failures == []
