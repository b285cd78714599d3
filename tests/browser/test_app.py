"""`toolkit app` in a browser: what somebody meets who wants no code."""

import re
from pathlib import Path

import pytest

from browser.driving import CUT_OFF, shot, started, watched_page

SITES = ["trailhead-outfitters.example", "harvest-table.example", "nowhere.example"]
CODE = ".jp-Cell-inputWrapper:visible .cm-content:visible, .jp-InputPrompt:visible, .jp-NotebookPanel-toolbar:visible"
RUN = "button.jupyter-button:has-text('Run')"
PANEL = ".toolkit-run-targets textarea"
#: The words of what the keyboard is on.
FOCUSED = "() => document.activeElement.textContent.trim()"
#: What the set-up folds into once a run has ended.
CHANGE = "button.jupyter-button:has-text('Change')"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("app")


@pytest.fixture(scope="module")
def app(home):
    """The address of the app, and its process; it outlives a reload, as it does for users."""
    taken = []
    with started(home, "app", "--ends-after=20", taken=taken) as address:
        yield address, taken[0]


@pytest.fixture(scope="module")
def page(browser, app):
    """The page of the app as it opens, with nothing pressed."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    page = watched_page(context)
    page.dialogs = []
    page.on("dialog", lambda dialog: (page.dialogs.append(dialog.message), dialog.accept()))
    page.goto(f"{app[0]}?token=token")
    page.wait_for_selector(PANEL, timeout=60_000)
    yield page
    context.close()


def test_the_workbench_opens_by_itself_without_code_or_menus(page):
    shot(page, "app-opened")
    assert page.locator(PANEL).count() == 1
    assert page.locator(CODE).count() == 0
    assert page.locator("#jp-top-panel:visible, #jp-menu-panel:visible, .jp-SideBar:visible").count() == 0
    assert page.title() == "Audience workbench"


def test_a_list_becomes_a_report_in_the_folder_where_it_was_started(page, home):
    field = page.locator(PANEL)
    field.fill("\n".join(SITES))
    field.press("Tab")
    page.locator(RUN).first.click()
    make = page.locator("button.jupyter-button:has-text('Make report')")
    make.wait_for(state="visible", timeout=60_000)
    shot(page, "app-run")
    make.click()
    link = page.locator("a[download$='.pptx']")
    link.wait_for(timeout=60_000)
    shot(page, "app-report")
    name = link.get_attribute("download")
    assert (Path(home) / name).read_bytes()[:2] == b"PK"


def test_a_reload_shows_the_same_work(page):
    page.reload()
    page.wait_for_selector(CHANGE, timeout=60_000)
    shot(page, "app-reloaded")
    assert page.locator(PANEL).count() == 1
    assert page.locator(PANEL).input_value().split() == SITES
    assert page.locator("a[download$='.pptx']").count() == 1
    assert page.dialogs == []


def test_another_window_shows_the_same_work_in_the_dark_and_is_walked_by_keys(browser, app, page):
    other = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="dark")
    other.goto(f"{app[0]}?token=token")
    other.wait_for_selector(CHANGE, timeout=60_000)
    other.wait_for_selector("body[data-jp-theme-light=false]", state="attached")
    shot(other, "app-dark")
    assert other.locator(PANEL).input_value().split() == SITES
    reached: list[str] = []
    while not other.evaluate("() => document.activeElement.matches('[role=tab]')") and len(reached) < 40:
        other.keyboard.press("Tab")
        reached.append(other.evaluate(FOCUSED))
    for words in ("Report", "Change", "Make report"):
        assert words in reached
    tabs = other.get_by_role("tab").filter(visible=True).all_inner_texts()
    for _ in range(tabs.index("Compare")):
        other.keyboard.press("ArrowRight")
    assert other.evaluate(FOCUSED) == "Compare"
    other.keyboard.press("Enter")
    other.wait_for_selector(".jp-OutputArea [role=tab][aria-selected=true] >> text=Compare")
    other.close()


def test_keys_reach_the_controls_and_change_no_cell(page):
    page.locator(".jp-Notebook").click(position={"x": 4, "y": 4})
    for key in ["Escape", "a", "b", "x", "d", "d", "Enter"]:
        page.keyboard.press(key)
    assert page.locator(".jp-Cell").count() == 2
    assert page.locator(PANEL).count() == 1
    page.locator(CHANGE).click()
    page.locator(PANEL).wait_for(state="visible")
    page.locator(PANEL).focus()
    page.keyboard.press("End")
    page.keyboard.type("!")
    assert page.locator(PANEL).input_value().endswith("!")
    page.keyboard.press("Backspace")


def test_it_fits_a_narrow_window(page):
    page.set_viewport_size({"width": 760, "height": 900})
    page.wait_for_timeout(500)
    shot(page, "app-760")
    widest = page.evaluate(
        "() => Math.max(...[...document.querySelectorAll('.jp-OutputArea button, .jp-OutputArea textarea')]"
        ".filter(e => e.offsetParent && !e.closest('.tabulator')).map(e => e.getBoundingClientRect().right))"
    )
    page.set_viewport_size({"width": 1280, "height": 900})
    assert widest <= 760


def test_nothing_is_cut_on_a_phone(page):
    """The list of kept runs was wider than the screen, and what the box above the tree says was cut."""
    page.set_viewport_size({"width": 390, "height": 900})
    assert page.get_by_text("Kept runs", exact=True).is_visible()
    page.get_by_role("tab", name="Segment").click()
    page.get_by_text("Only what these sites have").wait_for()
    page.wait_for_timeout(700)
    shot(page, "app-390")
    cut = page.evaluate(CUT_OFF)
    page.set_viewport_size({"width": 1280, "height": 900})
    assert cut == []


def test_nothing_is_asked_outside_and_nothing_breaks(page):
    assert page.outside == []
    assert page.failures == []


def test_neither_the_token_nor_a_key_stands_in_what_it_wrote(page, home):
    assert not re.search(r"token=token", (home / "app.log").read_text())


def test_it_ends_when_its_window_is_closed(page, app):
    page.close()
    assert app[1].wait(60) == 0
