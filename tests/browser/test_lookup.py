"""The starter notebook and its lookup, in JupyterLab in a real browser, opened by ``toolkit lab`` as a user would."""

import pytest

from browser.driving import CUT_OFF, THEME, needs_axe, serious_faults, shot, watched_page
from browser.whole import Ran, Stored

NOTEBOOK = "01_lookup"
pytestmark = pytest.mark.usefixtures("whole")


@pytest.fixture(scope="module")
def page(window, lab):
    """The page that a user opens, and no other."""
    page = watched_page(window)
    page.goto(f"{lab}?token=token")
    page.wait_for_selector(".jp-Notebook", timeout=60_000)
    yield page
    page.close()


class TestNotebook(Stored, Ran):
    pass


def look_up(page, text):
    field = page.locator(".toolkit-lookup-targets textarea")
    field.scroll_into_view_if_needed()
    field.fill(text)
    field.press("Tab")
    page.get_by_role("button", name="Look up").click()


def test_the_starter_notebook_is_what_opens(lab):
    assert lab.endswith("/lab/tree/notebooks/01_lookup.ipynb")


def test_no_pop_up_is_in_the_way(page):
    page.wait_for_timeout(1500)
    assert page.locator(".jp-Dialog").count() == 0
    assert page.locator(".Toastify__toast, .jp-toast").count() == 0


def test_the_figure_of_the_plain_cells_is_drawn(page):
    assert page.locator(".jp-OutputArea .js-plotly-plot .bars path").count() > 3


def test_typing_a_url_and_pressing_the_button_shows_the_answer(page):
    look_up(page, "https://clearwater-bank.example/mortgages")
    widget = page.locator(".jp-OutputArea .widget-vbox").first
    page.wait_for_selector(".jp-OutputArea .widget-vbox b:text-is('1 site: answered')", timeout=30_000)
    page.wait_for_selector(".jp-OutputArea .tabulator-cell >> text=clearwater-bank.example/mortgages", timeout=30_000)
    page.wait_for_timeout(800)
    shot(page, "01_lookup_answer")
    assert "Personal Finance" in widget.locator(".gtitle").first.text_content()
    assert widget.locator(".js-plotly-plot .bars path").count() >= 1


def test_codes_stand_on_their_tab_in_plain_words(page):
    table = page.locator(".jp-OutputArea .toolkit-grid-box:visible").first
    table.scroll_into_view_if_needed()
    shot(page, "01_lookup_audience")
    page.get_by_role("tab", name="Interests and traits").click()
    table.locator(".tabulator-cell", has_text="Purchase intents").first.wait_for()
    assert "PI.FINANCE_AND_INSURANCE" not in table.inner_text()
    table.get_by_role("button", name="Columns").click()
    table.get_by_role("checkbox", name="Code", exact=True).check()
    table.locator(".tabulator-cell", has_text="PI.FINANCE_AND_INSURANCE").first.wait_for()
    table.get_by_role("button", name="Columns").click()
    table.scroll_into_view_if_needed()
    shot(page, "01_lookup_codes")


@pytest.mark.parametrize("tab", ["Audience", "Interests and traits", "Topics"])
def test_nothing_of_the_widget_is_cut_off(page, tab):
    page.get_by_role("tab", name=tab, exact=True).click()
    page.wait_for_timeout(300)
    assert page.evaluate(CUT_OFF) == []


def test_long_target_does_not_widen_the_table(page):
    target = f"torque-journal.example/?{'campaign=spring-sale&' * 8}"
    look_up(page, target)
    page.wait_for_selector(f".jp-OutputArea .tabulator-cell >> text={target[:40]}", timeout=30_000)
    page.wait_for_timeout(800)
    shot(page, "01_lookup_long")
    assert page.evaluate(CUT_OFF) == []


def test_a_failure_is_said_in_place(page):
    look_up(page, "harvest-table.example nowhere.example")
    page.wait_for_selector(".jp-OutputArea [role=alert] >> text=nowhere.example", timeout=30_000)
    page.wait_for_timeout(800)
    shot(page, "01_lookup_failure")
    assert (
        "no site answers at this address: check the spelling"
        in page.locator(".jp-OutputArea [role=alert]").first.inner_text()
    )


def test_history_brings_an_earlier_lookup_back(page):
    history = page.locator(".jp-OutputArea .widget-dropdown select").first
    labels = history.locator("option").all_inner_texts()
    history.select_option(label=next(label for label in labels if "clearwater-bank.example/mortgages" in label))
    page.wait_for_selector(".jp-OutputArea .tabulator-cell >> text=clearwater-bank.example/mortgages", timeout=15_000)


def test_why_marks_the_words_that_spoke_for_an_answer_in_the_text(page):
    page.locator(
        ".jp-OutputArea .jupyter-widget-Collapse-header, .jp-OutputArea .jupyter-widget-Accordion-child"
    ).get_by_text("Why?", exact=True).first.click()
    page.get_by_role("button", name="Why?").click()
    page.wait_for_selector(".jp-OutputArea mark", timeout=30_000)
    page.locator(".jp-OutputArea mark").first.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    shot(page, "01_lookup_why")
    assert "mortgage" in " ".join(page.locator(".jp-OutputArea mark").all_inner_texts()).lower()
    assert page.evaluate(CUT_OFF) == []


@needs_axe
@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_axe_finds_no_serious_fault_in_a_lookup_with_its_reasons(page, theme):
    page.evaluate(THEME, theme)
    page.wait_for_timeout(500)
    shot(page, f"01_lookup_axe_{theme[-4:].strip().lower()}")
    assert serious_faults(page) == []


def test_hostile_markup_of_a_page_stays_text(page):
    look_up(page, "mischief-markup.example")
    page.wait_for_selector(".jp-OutputArea .tabulator-cell >> text=mischief-markup.example", timeout=30_000)
    assert (
        page.evaluate("document.querySelectorAll('.jp-OutputArea img[onerror], .jp-OutputArea svg[onload]').length")
        == 0
    )


def test_charts_have_no_upload_button(page):
    assert page.locator("[data-title*='Share'], [data-title*='loud']").count() == 0


def test_nothing_is_asked_of_any_other_host(page):
    assert page.outside == []
    assert page.failures == []
