"""The builder of segments, in JupyterLab in a real browser."""

import time
from itertools import combinations
from pathlib import Path

import pytest

import toolkit as tk
from browser.driving import CUT_OFF, button, shot, wait_for_text
from browser.whole import Ran, Stored, Widget

NOTEBOOK = "05_segments"


@pytest.fixture(scope="module")
def builder(whole):
    return whole


class TestNotebook(Stored, Ran, Widget):
    pass


#: The chosen entry of the tree as a screen reader tells of it, and how many entries are shown.
CHOSEN = """() => {
  const tree = document.querySelector('.jp-OutputArea [role=tree]');
  const item = document.getElementById(tree.getAttribute('aria-activedescendant'));
  const told = ['label', 'level', 'posinset', 'setsize', 'selected', 'expanded'];
  const found = Object.fromEntries(told.map(name => [name, item.getAttribute(`aria-${name}`)]));
  return {...found, has_focus: document.activeElement === tree, shown: tree.querySelectorAll('[role=treeitem]').length};
}"""


def pressed(page, *keys):
    """Press keys and return what is chosen then."""
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_timeout(200)
    return page.evaluate(CHOSEN)


def cleared(builder):
    """The widget without a text and a search, its tree closed, scrolled to."""
    area = builder.locator(".jp-OutputArea .widget-vbox").first
    area.scroll_into_view_if_needed()
    text = area.locator("textarea").first
    text.fill("")
    text.press("Tab")
    area.get_by_placeholder("Search: ").fill("")
    wait_for_text(builder, "Choose a topic")
    builder.wait_for_timeout(500)
    opened = area.locator("[aria-level='1'][aria-expanded='true'] .toolkit-tree-mark")
    while opened.count():
        opened.first.click()
        builder.wait_for_timeout(100)
    return area


def test_segment_is_clicked_together(builder):
    area = cleared(builder)
    area.get_by_placeholder("Search: ").fill("int.travel.camping")
    area.get_by_role("treeitem", name="Camping").click()
    button(builder, "and has$").click()
    wait_for_text(builder, "sites match")
    builder.wait_for_timeout(300)
    shot(builder, "05_segments_clicked")
    assert area.locator("textarea").first.input_value() == "INT.TRAVEL.CAMPING"
    table = area.locator(".toolkit-grid-box")
    assert "Matches" in table.inner_text()
    assert "INT." not in table.inner_text()
    assert table.locator(".tabulator-cell", has_text="no Camping").count() > 0
    assert builder.evaluate(CUT_OFF) == []


def test_segment_is_built_by_the_keyboard_alone(builder):
    area = cleared(builder)
    area.get_by_placeholder("Search: ").focus()
    builder.keyboard.type("golf")
    area.get_by_role("tree", name="4 found").wait_for()
    builder.keyboard.press("Tab")
    builder.keyboard.press("Tab")
    first = builder.evaluate(CHOSEN)
    assert (first["label"], first["level"], first["has_focus"]) == ("Golf, 1 site", "3", True)
    builder.keyboard.press("Tab")
    builder.keyboard.press("Enter")
    wait_for_text(builder, "1 of 62 sites match")
    builder.keyboard.press("Shift+Tab")
    assert pressed(builder, "ArrowDown", "ArrowDown")["label"] == "Golfers and Golf Fans, 1 site"
    builder.keyboard.press("Tab")
    builder.keyboard.press("Tab")
    builder.keyboard.press("Space")
    builder.wait_for_timeout(1000)
    assert area.locator("textarea").first.input_value() == 'INT.SPORTS.GOLF or persona = "Golfers and Golf Fans"'
    shot(builder, "05_segments_keys")


def test_branches_fold_by_the_keyboard_and_the_notebook_keeps_out_of_it(builder):
    run = tk.sample_run()
    codes, categories = run.codes(), run.categories()
    interests = codes[codes["dimension"].isin(["interest_group", "interest"])]
    filtering = categories[categories["taxonomy"] == "filtering"]
    area = cleared(builder)
    cells = builder.locator(".jp-Cell").count()
    area.get_by_role("tree").focus()
    top = pressed(builder, "Home")
    assert (top["label"], top["posinset"], top["setsize"], top["expanded"]) == (
        f"Interests, {interests['target'].nunique()} sites",
        "1",
        "7",
        "false",
    )
    assert top["shown"] == 7
    assert pressed(builder, "Enter")["expanded"] == "true"
    assert pressed(builder, "ArrowLeft")["expanded"] == "false"
    assert pressed(builder, "ArrowRight")["shown"] > 20
    inside = pressed(builder, "ArrowRight")
    assert (inside["label"], inside["level"], inside["expanded"]) == ("Academic Interests, 1 site", "2", "false")
    assert pressed(builder, "ArrowRight", "ArrowRight")["label"] == "Physical Science and Engineering, 1 site"
    assert pressed(builder, "ArrowLeft", "ArrowLeft")["expanded"] == "false"
    # Each of these would do something to a cell: go on, add, cut, delete.
    assert pressed(builder, "j")["has_focus"]
    assert pressed(builder, "a")["has_focus"]
    builder.wait_for_timeout(800)
    assert pressed(builder, "x")["has_focus"]
    assert pressed(builder, "d", "d")["has_focus"]
    assert pressed(builder, "End")["label"] == f"Web-filtering categories, {filtering['target'].nunique()} sites"
    assert builder.locator(".jp-Cell").count() == cells


def test_branches_fold_by_the_mouse(builder):
    area = cleared(builder)
    item = area.get_by_role("treeitem", name="Personas")
    item.locator(".toolkit-tree-mark").click()
    builder.wait_for_timeout(200)
    assert item.get_attribute("aria-expanded") == "true"
    item.dblclick()
    builder.wait_for_timeout(200)
    assert item.get_attribute("aria-expanded") == "false"
    assert builder.evaluate(CHOSEN)["label"].startswith("Personas")


def test_branches_of_the_whole_vocabulary_are_opened_at_once(builder):
    area = cleared(builder)
    area.get_by_text("Only what these sites have").click()
    builder.wait_for_timeout(1500)
    area.get_by_role("tree").focus()
    builder.keyboard.press("Home")
    start = time.monotonic()
    builder.keyboard.press("*")
    builder.keyboard.press("ArrowDown")
    builder.keyboard.press("*")
    assert pressed(builder, "End")["label"] == "Web Hosting, 1 site"
    assert time.monotonic() - start < 3
    assert builder.evaluate(CHOSEN)["shown"] > 500
    assert builder.evaluate(CUT_OFF) == []


def test_sites_of_a_segment_are_planned(builder):
    codes, audiences = tk.sample_run().codes(), tk.sample_run().audiences()
    earning = audiences.loc[audiences["income_level"] >= "middle", "target"]
    sports = codes[codes["code"].str.startswith("INT.SPORTS.", na=False) & codes["target"].isin(earning)]
    every = sports.groupby("target")["code"].agg(set)
    fewest = next(
        most
        for most in range(1, len(every) + 1)
        if any(set().union(*some) == set(sports["code"]) for some in combinations(every, most))
    )
    area = cleared(builder)
    text = area.locator("textarea").first
    text.fill("INT.SPORTS.* and income_level >= middle")
    text.press("Tab")
    wait_for_text(builder, "of 62 sites match")
    button(builder, "Plan sites$").click()
    wait_for_text(builder, "that match, with ")
    builder.wait_for_timeout(300)
    area.get_by_label("Sites, at most").scroll_into_view_if_needed()
    plan = area.locator(".toolkit-grid-box").nth(1)
    plan.scroll_into_view_if_needed()
    shot(builder, "05_segments_plan")
    assert plan.locator(".tabulator-row").count() == fewest
    assert builder.evaluate(CUT_OFF) == []


def test_exported_segment_is_saved_by_its_link_and_what_matches_stays(builder):
    area = cleared(builder)
    text = area.locator("textarea").first
    text.fill("INT.SPORTS.*")
    text.press("Tab")
    wait_for_text(builder, "of 62 sites match")
    file = area.get_by_label("File")
    file.fill("segment.xlsx")
    file.press("Tab")
    button(builder, "Export$").click()
    with builder.expect_download() as download:
        builder.get_by_role("link", name="segment.xlsx").click()
    assert Path(download.value.path()).read_bytes().startswith(b"PK")
    shot(builder, "05_segments_exported")
    assert area.get_by_text("of 62 sites match").is_visible()
    assert area.get_by_text("Working it out").count() == 0
    text.fill("INT.TRAVEL.*")
    text.press("Tab")
    builder.get_by_role("link", name="segment.xlsx").wait_for(state="detached")
    assert builder.evaluate(CUT_OFF) == []


def test_ordered_band_is_asked_for_with_those_above(builder):
    area = cleared(builder)
    area.get_by_placeholder("Search: ").fill("upper middle income")
    area.get_by_role("treeitem", name="Upper middle income").click()
    button(builder, "at least$").click()
    wait_for_text(builder, "In words: income is at least Upper middle income.")
    shot(builder, "05_segments_band")
    assert area.locator("textarea").first.input_value() == "income_level >= upper_middle"
    assert builder.evaluate(CUT_OFF) == []


def test_segments_ask_nothing_of_any_other_host(builder):
    assert builder.outside == []
    assert builder.failures == []
