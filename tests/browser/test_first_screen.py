"""What is seen of a run that ended: headlines, tabs, what a row opens; in JupyterLab in a real browser."""

import io
import re
from pathlib import Path

import openpyxl
import pytest

from browser.driving import (
    CUT_OFF,
    THEME,
    button,
    needs_axe,
    open_notebook,
    paste,
    run_some,
    serious_faults,
    shot,
    wait_for_text,
)

TABS = ["All findings", "Sites", "Compare", "Coverage", "Segment", "Failures"]


@pytest.fixture(scope="module")
def panel(page):
    """A table of forty sites, one of which is not there, with a column that groups them; the run has ended."""
    from toolkit.service.samples import sample_sites

    open_notebook(page, "06_report")
    run_some(page, "06_report", 0, 1)
    rows = [f"{site.host}\t{'ours' if place % 2 else 'theirs'}" for place, site in enumerate(sample_sites()[:40])]
    paste(page, ["Domain\tGroup", *rows, "nowhere.example\tours"])
    wait_for_text(page, "column Domain")
    button(page, "Run$").click()
    page.wait_for_selector(".jp-OutputArea [role=status] >> text=Finished.", timeout=120_000)
    page.wait_for_selector(".jp-OutputArea .toolkit-headline", timeout=30_000)
    return page


def tab(page, name):
    one = page.get_by_role("tab", name=re.compile(f"^{name}"))
    one.click()
    page.wait_for_function("() => ![...document.querySelectorAll('.jp-OutputArea [role=status]')]"
                           ".some(e => e.offsetParent && e.textContent.startsWith('Opening'))")  # fmt: skip
    return one


def test_headlines_come_first_each_with_its_picture_and_how_sure_it_is(panel):
    cards = panel.locator(".jp-OutputArea .toolkit-keys .toolkit-headline")
    assert cards.count() == 3
    for place in range(3):
        card = cards.nth(place)
        assert card.locator(".title").inner_text().endswith(".")
        assert card.locator("figure svg.plot").count() >= 2
        assert re.search(r"clear|likely|a lead|a count of this list", card.locator(".kicker").inner_text())
        assert re.search(r"inferred|measured", card.locator(".kicker").inner_text())
    answer = panel.locator(".jp-OutputArea p", has_text=re.compile(r"^The \d+ sites are")).first
    assert answer.bounding_box()["y"] < cards.first.bounding_box()["y"]
    shot(panel, "first_screen")
    names = panel.get_by_role("tab").filter(visible=True).all_inner_texts()
    assert [re.sub(r" \(.*", "", name) for name in names if re.sub(r" \(.*", "", name) in TABS] == TABS


@pytest.mark.parametrize("name", TABS)
def test_no_tab_is_a_dead_end(panel, name):
    tab(panel, name)
    seen = {
        "All findings": ".toolkit-grid:visible, .tabulator:visible",
        "Sites": ".toolkit-grid:visible, .tabulator:visible",
        "Compare": "text=/(difference is|differences are) proven/i",
        "Coverage": "text=On none of the sites:",
        "Segment": "text=sites match",
        "Failures": ".tabulator-row:visible >> text=nowhere.example",
    }[name]
    panel.locator(".jp-OutputArea").locator(seen).first.wait_for(timeout=30_000)
    panel.wait_for_timeout(700)
    shot(panel, f"first_{name.lower().replace(' ', '_')}")
    assert panel.evaluate(CUT_OFF) == []


def test_a_finding_opens_its_evidence_by_the_keyboard_and_a_site_its_card(panel):
    tab(panel, "All findings")
    grid = panel.get_by_role("grid", name="All findings")
    grid.wait_for()
    grid.focus()
    panel.keyboard.press("ArrowDown")
    panel.keyboard.press("Enter")
    wait_for_text(panel, "How it was found")
    panel.wait_for_timeout(700)
    shot(panel, "first_evidence")
    assert panel.evaluate(CUT_OFF) == []
    tab(panel, "Sites")
    row = panel.locator(".tabulator-row:visible").first
    row.wait_for()
    site = row.locator(".tabulator-cell").first.inner_text()
    row.click()
    heading = panel.locator(".jp-OutputArea .toolkit-card-box:visible").first
    heading.wait_for(timeout=30_000)
    shot(panel, "first_card")
    assert site in heading.inner_text()


def test_a_finding_that_is_added_by_the_keyboard_is_the_first_of_the_report(panel):
    add = panel.get_by_role("button", name="Add to report").filter(visible=True).nth(2)
    sentence = panel.locator(".toolkit-headline .title:visible").nth(2).inner_text()
    add.focus()
    panel.keyboard.press("Space")
    wait_for_text(panel, "1 finding of your choice first")
    shot(panel, "first_added")
    assert panel.evaluate("document.activeElement.textContent.trim()") == "In the report"
    panel.get_by_label("Title").fill("Chosen")
    panel.get_by_label("Report", exact=True).select_option(label="Excel workbook")
    button(panel, "Make report$").click()
    link = panel.get_by_role("link", name="Chosen.xlsx")
    link.wait_for(timeout=120_000)
    with panel.expect_download() as download:
        link.click()
    book = openpyxl.load_workbook(io.BytesIO(Path(download.value.path()).read_bytes()))
    findings = [row[1] for row in book["Answer"].iter_rows(values_only=True) if row[0] == "Finding"]
    # What speaks against it is told with it.
    assert [" ".join(text.split()).partition(" Against it:")[0] for text in findings] == [" ".join(sentence.split())]


@needs_axe
@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_axe_finds_no_serious_fault_in_the_panel(panel, theme):
    panel.evaluate(THEME, theme)
    # What differs between the themes are colours, which the first tabs show.
    for name in TABS if theme.endswith("Light") else TABS[:4]:
        tab(panel, name)
        panel.wait_for_timeout(500)
        shot(panel, f"first_{theme[-4:].strip().lower()}_{name.lower().replace(' ', '_')}")
        assert serious_faults(panel) == []
    panel.evaluate(THEME, "JupyterLab Light")


def test_the_first_screen_is_whole_in_a_narrow_window(panel):
    panel.set_viewport_size({"width": 760, "height": 1000})
    tab(panel, "All findings")
    panel.wait_for_timeout(500)
    panel.locator(".jp-OutputArea .toolkit-keys .toolkit-headline").first.scroll_into_view_if_needed()
    shot(panel, "first_narrow")
    cut = panel.evaluate(CUT_OFF)
    panel.set_viewport_size({"width": 1280, "height": 1000})
    assert cut == []


def test_a_short_list_shows_its_sites_first_and_says_why(panel):
    paste(panel, ["ledgerline.example", "torque-journal.example"])
    button(panel, "Run$").click()
    wait_for_text(panel, "No finding stands out")
    panel.wait_for_timeout(500)
    shot(panel, "first_short")
    names = [re.sub(r" \(.*", "", name) for name in panel.get_by_role("tab").filter(visible=True).all_inner_texts()]
    assert [name for name in names if name in TABS] == ["Sites", "Compare", "Coverage", "Segment"]
    assert panel.locator(".jp-OutputArea .toolkit-keys .toolkit-headline").count() == 0
    assert panel.outside == []
    assert panel.failures == []
