"""The grid in JupyterLab in a real browser: many rows, search, filters, copies, keys, hostile cells, themes."""

import os
from pathlib import Path

import pandas as pd
import pytest

from browser.driving import OPEN, PANEL, open_notebook, put_notebook, run_all, shot

FIND = f"{PANEL}('grid.ipynb')"
AXE = os.environ.get("AXE_CORE")
HOSTILE = "<img src=x onerror='window.harmed=true'>"
SITES = f"""
import pandas as pd
from toolkit.widgets import Column, Grid

opened = []
frame = pd.DataFrame({{
    "site": ["kites.example", "boots.example", {HOSTILE!r}, "bank.example", "=1+1"],
    "share": [0.456, None, 0.05, 1.0, 0.5],
    "visits": [1200, 31, 2, 54321, None],
    "is_shop": [True, True, None, False, False],
    "topics": [["Travel", "Sport"], [], ["Finance"], ["Finance"], ["Travel"]],
    "seen": pd.to_datetime(["2026-01-02", None, "2026-03-01", "2025-12-31", "2026-01-01"]),
    "my note": ["first, \\"best\\"", "ärger", None, "x" * 200, {HOSTILE!r}],
}})
grid = Grid(frame, on_row=opened.append, name="sites", noun=("site", "sites"), label="All sites")
grid
"""
MANY = """
import numpy as np

numbers = np.arange(10_000)
many = pd.DataFrame({
    "site": [f"site-{number:05}.example" for number in numbers],
    **{f"word {place}": [f"word {number * 7919 % 9973} of {place}" for number in numbers] for place in range(8)},
    **{f"number {place}": (numbers * 7919 % 9973) / 7 for place in range(6)},
})
large = Grid(many, name="many")
large
"""
#: Sentences of one line, of some, and of more than the four that there is room for.
WRAPPED = """
words = "sites that reach families twice as often as the others: 7 of 9, against 8 of 21. "
told = pd.DataFrame({"said": ["One line.", 2 * words, 3 * words, "One more.", 30 * words], "n": [1, 2, 3, 4, 5]})
wrapped = Grid(told, columns=[Column("said", "Said", width=430, lines=4), Column("n", "N", "number")], name="wrapped")
wrapped
"""

HALVES = """
shares, values = [1 / 8, 5 / 8, 57 / 200, 13 / 104, -0.004], [1.005, 2.675, 0.125, -0.004, 12.345]
halves = pd.DataFrame({"share": shares, "value": values})
Grid(halves, columns=[Column("share", "Share", "share"), Column("value", "Value", "number", digits=2)], name="halves")
"""

#: A long text beside short ones, and a title that is longer than its cells.
CUT = """
why = "no Sports (or any in it); no Travel (or any in it); income is not known, as of many"
cut = pd.DataFrame({"site": ["kites.example", "boots.example"], "fits": [True, False], "why": [why, "Golf"]})
columns = [Column("site", "Site"), Column("fits", "Matches the segment", "flag"), Column("why", "Why")]
Grid(cut, columns=columns, name="cut")
"""


@pytest.fixture(scope="module")
def page(page, lab):
    put_notebook(lab, "grid", [SITES, MANY, WRAPPED, HALVES, CUT])
    open_notebook(page, "grid")
    assert run_all(page, "grid") == [1, 2, 3, 4, 5]
    page.wait_for_selector(".toolkit-grid-box .tabulator-row", timeout=30_000)
    return page


def grid_of(page, number=0):
    found = page.locator(".toolkit-grid-box").nth(number)
    found.scroll_into_view_if_needed()
    return found


def column(grid, place):
    return grid.locator(".tabulator-row").evaluate_all(
        "(rows, place) => rows.map(row => [...row.querySelectorAll('.tabulator-cell')][place].textContent)", place
    )


def test_cells_are_shown_as_a_person_reads_them(page):
    shot(page, "grid")
    rows = (
        grid_of(page)
        .locator(".tabulator-row")
        .evaluate_all(
            "rows => rows.map(row => [...row.querySelectorAll('.tabulator-cell')].map(cell => cell.textContent))"
        )
    )
    assert rows[0] == ["kites.example", "46 %", "1200", "yes", "Travel, Sport", "2026-01-02", 'first, "best"']
    assert rows[1][1:6] == ["–", "31", "yes", "–", "–"]


def test_hostile_cells_stay_text(page):
    grid = grid_of(page)
    assert column(grid, 0)[2] == HOSTILE
    assert grid.locator("img").count() == 0
    assert page.evaluate("window.harmed") is None


#: Of each row its height, and the lines of its text that are seen, that there are, and that its height has room for.
LINES = """rows => rows.map(row => {
  const cell = row.querySelector('.tabulator-cell');
  const text = cell.firstElementChild ?? cell;
  const around = text === cell ? 8 : 0;
  const room = (row.clientHeight - 8) / 18;
  return [row.clientHeight, (text.clientHeight - around) / 18, (text.scrollHeight - around) / 18, room];
})"""


@pytest.mark.parametrize("width", [1280, 700])
def test_rows_are_as_high_as_their_texts_and_no_line_is_cut_through(page, width):
    page.set_viewport_size({"width": width, "height": 1000})
    page.wait_for_timeout(800)
    grid = grid_of(page, 2)
    shot(page, f"grid_wrapped_{width}")
    found = grid.locator(".tabulator-row").evaluate_all(LINES)
    page.set_viewport_size({"width": 1280, "height": 1000})
    page.wait_for_timeout(800)
    height, seen, lines, room = zip(*found, strict=True)
    assert height[0] == height[3] < height[1] < height[2] <= height[4]
    assert seen[:4] == lines[:4]
    assert (seen[4], lines[4] > 4) == (4, True)
    assert all(one % 1 == 0 and one <= space < one + 0.5 for one, space in zip(seen, room, strict=True))


def typed(page, field, text):
    field.fill(text)
    page.wait_for_timeout(400)


def counted(grid):
    return grid.get_by_role("status").inner_text()


def ask_kernel(page, code):
    """Run code in the notebook's kernel, and return what it prints."""
    return page.evaluate(
        f"""async (code) => {{
      const future = {FIND}.sessionContext.session.kernel.requestExecute({{code, store_history: false}});
      let said = '';
      future.onIOPub = (message) => {{ said += message.content.text ?? message.content.evalue ?? ''; }};
      await future.done;
      return said.trim();
    }}""",
        code,
    )


@pytest.mark.parametrize(
    ("title", "text", "sites"),
    [
        ("Share", "> 40", ["kites.example", "bank.example", "=1+1"]),
        ("Share", "5..46%", ["kites.example", HOSTILE]),
        ("Share", "–", ["boots.example"]),
        ("Visits", "= 31", ["boots.example"]),
        ("Visits", "1,000..60,000", ["kites.example", "bank.example"]),
        ("Visits", ">", ["kites.example", "boots.example", HOSTILE, "bank.example", "=1+1"]),
        ("Is shop", "yes", ["kites.example", "boots.example"]),
        ("Topics", "spo tra", ["kites.example"]),
        ("Seen", "2026-01", ["kites.example", "=1+1"]),
        ("My note", "ARGER", ["boots.example"]),
    ],
)
def test_each_column_has_a_filter_of_its_own(page, title, text, sites):
    grid = grid_of(page)
    typed(page, grid.get_by_label(f"Filter {title}"), text)
    assert column(grid, 0) == sites
    assert counted(grid) == (f"{len(sites)} of 5 sites" if len(sites) < 5 else "5 sites")
    assert ask_kernel(page, "print(frame.site.iloc[grid.shown].tolist())") == str(sites)
    grid.get_by_role("button", name="Clear filters").click()
    page.wait_for_timeout(300)
    assert counted(grid) == "5 sites"
    assert grid.get_by_label(f"Filter {title}").input_value() == ""


def test_no_text_is_cut_beside_a_column_with_room(page):
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)"
    page.set_viewport_size({"width": 1380, "height": 1000})
    page.wait_for_timeout(800)
    grid = grid_of(page, 4)
    assert grid.locator(".tabulator-cell, .toolkit-grid-title").evaluate_all(cut) == []
    page.set_viewport_size({"width": 1280, "height": 1000})
    page.wait_for_timeout(800)


def test_halves_are_rounded_up_as_everywhere(page):
    grid = grid_of(page, 3)
    assert column(grid, 0) == ["13 %", "63 %", "29 %", "13 %", "0 %"]
    assert column(grid, 1) == ["1.01", "2.68", "0.13", "0.00", "12.35"]
    typed(page, grid.get_by_label("Filter Share"), "= 13")
    assert column(grid, 0) == ["13 %", "13 %"]
    typed(page, grid.get_by_label("Filter Share"), "")


def test_search_is_over_all_columns_that_are_shown(page):
    grid = grid_of(page)
    typed(page, grid.get_by_label("Search in All sites"), "travel 2026")
    assert column(grid, 0) == ["kites.example", "=1+1"]
    typed(page, grid.get_by_label("Search in All sites"), "nothing of the kind")
    assert grid.get_by_text("Nothing fits these filters.").is_visible()
    assert counted(grid) == "0 of 5 sites"
    typed(page, grid.get_by_label("Search in All sites"), "")
    assert counted(grid) == "5 sites"


def test_a_heading_sorts_both_ways_and_what_is_missing_stands_last(page):
    grid = grid_of(page)
    heading = grid.get_by_role("button", name="Share", exact=True)
    for expected in (["100 %", "50 %", "46 %", "5 %", "–"], ["5 %", "46 %", "50 %", "100 %", "–"]):
        heading.click()
        assert column(grid, 1) == expected
    assert grid.get_by_role("columnheader").nth(1).get_attribute("aria-sort") == "ascending"
    heading.click()
    assert column(grid, 1) == ["46 %", "–", "5 %", "100 %", "50 %"]


def test_columns_are_chosen(page):
    grid = grid_of(page)
    grid.get_by_role("button", name="Columns").click()
    box = grid.get_by_role("checkbox", name="Is shop")
    box.uncheck()
    page.wait_for_timeout(300)
    heads = grid.locator(".tabulator-col:visible .toolkit-grid-title")
    assert "Is shop" not in heads.all_inner_texts()
    grid.get_by_role("checkbox", name="Is shop").check()
    page.wait_for_timeout(300)
    assert "Is shop" in heads.all_inner_texts()
    grid.get_by_role("button", name="Columns").click()


def test_what_is_shown_is_copied_with_its_headings(page):
    grid = grid_of(page)
    typed(page, grid.get_by_label("Filter Is shop"), "no")
    grid.get_by_role("button", name="Copy").click()
    page.wait_for_timeout(200)
    lines = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert lines[0] == "Site\tShare\tVisits\tIs shop\tTopics\tSeen\tMy note"
    assert [line.split("\t")[0] for line in lines[1:]] == ["bank.example", "'=1+1"]
    assert grid.get_by_text("Copied: 2 sites, with headings.").is_visible()
    grid.get_by_role("button", name="Clear filters").click()
    page.wait_for_timeout(300)


def test_what_is_shown_is_saved_as_a_sheet_without_formulas(page, tmp_path):
    grid = grid_of(page)
    typed(page, grid.get_by_label("Filter Topics"), "Travel")
    with page.expect_download() as download:
        grid.get_by_role("button", name="Save CSV").click()
    assert download.value.suggested_filename == "sites.csv"
    download.value.save_as(tmp_path / "sites.csv")
    saved = pd.read_csv(tmp_path / "sites.csv")
    assert saved["Site"].tolist() == ["kites.example", "'=1+1"]
    assert saved["Share"].tolist() == [0.456, 0.5]
    assert saved["Topics"].tolist() == ["Travel; Sport", "Travel"]
    assert saved["My note"].tolist() == ['first, "best"', HOSTILE]
    grid.get_by_role("button", name="Clear filters").click()
    page.wait_for_timeout(300)


def test_rows_are_walked_and_opened_by_keyboard(page):
    grid = grid_of(page)
    grid.get_by_label("Filter Site").press("ArrowDown")
    table = grid.get_by_role("grid")
    assert page.evaluate("document.activeElement.getAttribute('role')") == "grid"
    for key in ("Home", "ArrowDown", "ArrowDown", "ArrowUp", "Enter", "End", "Enter"):
        page.keyboard.press(key)
    marked = page.locator(f"#{table.get_attribute('aria-activedescendant')}")
    assert marked.get_attribute("aria-selected") == "true"
    assert marked.inner_text().startswith("=1+1")
    assert marked.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
    page.wait_for_timeout(500)
    assert ask_kernel(page, "print(opened)") == "[1, 4]"
    # The notebook took none of the keys.
    assert page.locator(".jp-Notebook.jp-mod-editMode").count() == 0
    grid.get_by_text("bank.example").click()
    page.wait_for_timeout(200)
    assert ask_kernel(page, "print(opened)") == "[1, 4, 3]"


def test_ten_thousand_rows_sort_filter_and_scroll(page):
    large = grid_of(page, 1)
    page.wait_for_function("document.querySelectorAll('.toolkit-grid-box')[1].dataset.version", timeout=30_000)
    assert counted(large) == "10,000 rows"
    assert large.locator(".tabulator-row").count() < 200
    assert column(large, 0)[0] == "site-00000.example"
    large.get_by_role("button", name="Number 0", exact=True).click()
    assert column(large, 9)[:2] == ["1424.57", "1424.43"]
    large.get_by_role("grid").focus()
    page.keyboard.press("End")
    page.wait_for_timeout(300)
    assert column(large, 9)[-1] == "0.00"
    typed(page, large.get_by_label("Filter Number 0"), "<= 1")
    assert counted(large) == ask_kernel(page, "print((many['number 0'] <= 1).sum(), 'of 10,000 rows')")
    typed(page, large.get_by_label("Search in many"), "no such row")
    assert counted(large) == "0 of 10,000 rows"
    large.get_by_role("button", name="Clear filters").click()
    large.get_by_role("button", name="Number 0", exact=True).click()
    page.wait_for_timeout(300)
    assert counted(large) == "10,000 rows"


def test_a_marked_row_is_pointed_at_while_it_is_in_the_page(page):
    table = grid_of(page, 1).get_by_role("grid")
    table.focus()
    page.keyboard.press("Home")
    pointed = "one => document.getElementById(one.getAttribute('aria-activedescendant'))?.firstChild.innerText"
    assert table.evaluate(pointed) == "site-00000.example"
    table.evaluate("one => { one.scrollTop = 100_000; }")
    page.wait_for_timeout(500)
    assert not table.evaluate("one => one.hasAttribute('aria-activedescendant')")
    table.evaluate("one => { one.scrollTop = 0; }")
    page.wait_for_timeout(500)
    assert table.evaluate(pointed) == "site-00000.example"
    page.keyboard.press("End")
    page.wait_for_timeout(500)
    assert table.evaluate(pointed) == column(grid_of(page, 1), 0)[-1] != "site-00000.example"


def test_two_views_of_a_grid_show_the_same(page):
    grid = grid_of(page)
    ask = "document.querySelectorAll('.toolkit-grid-box').length"
    page.evaluate(
        f"""() => {{
      {FIND}.content.activeCellIndex = 0;
      return window.jupyterapp.commands.execute('notebook:create-output-view');
    }}"""
    )
    page.wait_for_function(f"{ask} === 6")
    page.wait_for_selector(".jp-LinkedOutputView .tabulator-row")
    other = page.locator(".jp-LinkedOutputView .toolkit-grid-box")
    shot(page, "grid_views")
    typed(page, other.get_by_label("Filter Is shop"), "yes")
    assert column(other, 0) == ["kites.example", "boots.example"]
    other.get_by_role("button", name="Share", exact=True).click()
    page.evaluate("window.jupyterapp.shell.currentWidget.close()")
    page.wait_for_function(f"{ask} === 5")
    page.wait_for_timeout(500)
    assert column(grid, 0) == ["kites.example", "boots.example"]
    assert grid.get_by_label("Filter Is shop").input_value() == "yes"
    assert grid.get_by_role("columnheader").nth(1).get_attribute("aria-sort") == "descending"


def test_a_grid_comes_back_as_it_was_after_a_reload(page):
    grid = grid_of(page)
    typed(page, grid.get_by_label("Filter Is shop"), "no")
    before = column(grid, 0)
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_timeout(500)
    page.reload()
    page.wait_for_selector(".toolkit-grid-box .tabulator-row", timeout=60_000)
    grid = grid_of(page)
    assert column(grid, 0) == before == ["=1+1", "bank.example"][::-1]
    assert grid.get_by_label("Filter Is shop").input_value() == "no"
    assert counted(grid) == "2 of 5 sites"
    grid.get_by_role("button", name="Clear filters").click()


def test_a_frame_that_changes_is_shown_at_once(page):
    grid = grid_of(page)
    ask_kernel(page, "grid.frame = frame.head(2).assign(extra=1)")
    grid.get_by_text("2 sites", exact=True).wait_for()
    assert column(grid, 0) == ["kites.example", "boots.example"]
    assert grid.get_by_label("Filter Extra").is_visible()
    ask_kernel(page, "grid.frame = frame")
    grid.get_by_text("5 sites", exact=True).wait_for()


@pytest.mark.skipif(not AXE, reason="axe-core is missing: name its axe.min.js in AXE_CORE to check accessibility")
@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_a_grid_has_no_serious_fault_of_accessibility(page, theme):
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
    page.wait_for_timeout(1000)
    grid = grid_of(page)
    grid.get_by_role("button", name="Columns").click()
    typed(page, grid.get_by_label("Filter Is shop"), "yes")
    grid.get_by_role("grid").focus()
    page.keyboard.press("ArrowDown")
    shot(page, f"grid_{theme[-5:].strip()}")
    page.evaluate(Path(AXE).read_text(encoding="utf-8"))
    found = page.evaluate("axe.run('.toolkit-grid-box', {resultTypes: ['violations']})")
    serious = [one for one in found["violations"] if one["impact"] in {"serious", "critical"}]
    assert [(one["id"], one["nodes"][0]["html"]) for one in serious] == []
    assert "color-contrast" in {one["id"] for one in found["passes"]}
    grid.get_by_role("button", name="Clear filters").click()
    grid.get_by_role("button", name="Columns").click()


@pytest.mark.parametrize("width", [360, 760])
def test_a_narrow_window_scrolls_the_table_alone(page, width):
    page.set_viewport_size({"width": width + 340, "height": 900})
    page.wait_for_timeout(500)
    grid = grid_of(page)
    shot(page, f"grid_{width}")
    holder = grid.locator(".tabulator-tableholder")
    assert holder.evaluate("one => one.scrollWidth > one.clientWidth")
    beyond = """box => [...box.querySelectorAll('.toolkit-grid-bar *')].filter(
      one => one.getBoundingClientRect().right > box.getBoundingClientRect().right + 1).length"""
    assert grid.evaluate(beyond) == 0
    assert grid.evaluate("box => box.scrollWidth <= box.clientWidth + 1")
    page.set_viewport_size({"width": 1280, "height": 1000})


def test_nothing_was_asked_outside_and_nothing_failed(page):
    assert page.outside == []
    assert page.failures == []
    assert page.errors == []


#: Keeps widgets' state with the notebooks, or not: the command switches a setting, and ends before it is in force.
KEEP_STATE = """async (isKept) => {
  const [commands, name] = [window.jupyterapp.commands, '@jupyter-widgets/jupyterlab-manager:saveWidgetState'];
  if (commands.isToggled(name) !== isKept) { await commands.execute(name); }
  while (commands.isToggled(name) !== isKept) { await new Promise((done) => setTimeout(done, 50)); }
}"""
CLOSE = f"""async () => {{
  const panel = {FIND};
  await panel.context.save();
  await panel.sessionContext.shutdown();
  return Object.keys(panel.context.model.getMetadata('widgets') ?? {{}});
}}"""


def test_reopened_without_its_kernel_a_grid_shows_the_rows_that_are_kept(page):
    page.evaluate(KEEP_STATE, True)
    assert page.evaluate(CLOSE) == ["application/vnd.jupyter.widget-state+json"]
    page.evaluate(KEEP_STATE, False)
    page.reload()
    # Which of its tabs comes back in front is JupyterLab's business.
    page.wait_for_function("() => window.jupyterapp")
    page.evaluate("async () => { await window.jupyterapp.restored; }")
    page.evaluate(OPEN, "grid.ipynb")
    page.get_by_text("These rows are kept with the notebook.").first.wait_for(timeout=60_000)
    kept = grid_of(page, 1)
    kept.get_by_text("These rows are kept with the notebook.").wait_for()
    shot(page, "grid_kept")
    assert counted(kept) == "20 rows of 10,000"
    assert kept.locator("td").first.inner_text() == "site-00000.example"
    assert kept.get_by_role("button").count() == 0
    assert HOSTILE in grid_of(page).locator("table").inner_text()
    assert page.evaluate("window.harmed") is None
