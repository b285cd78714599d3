"""From a list to a report in the panel, in JupyterLab in a real browser."""

import io
import re
from pathlib import Path

import pytest

from browser.driving import CUT_OFF, button, paste, shot, unfold, wait_for_text
from browser.whole import Stored, Widget

NOTEBOOK = "06_report"


@pytest.fixture(scope="module")
def reporter(whole):
    return whole


class TestNotebook(Stored, Widget):
    pass


#: What is chosen by the keyboard: in the panel or not, and its words.
FOCUS = """() => {
  const focused = document.activeElement;
  return [Boolean(focused.closest('.jp-OutputArea .toolkit-keys')), focused.textContent.trim()];
}"""


def words_of_deck(path):
    from pptx import Presentation

    slides = Presentation(path).slides
    return [shape.text_frame.text for slide in slides for shape in slide.shapes if shape.has_text_frame]


def test_pasted_table_of_thirty_becomes_a_deck_of_groups_by_the_keyboard(reporter):
    from toolkit.service.samples import sample_sites

    hosts = [site.host for site in sample_sites()][:30]
    rows = [f"{host}\t{'ours' if place % 2 else 'theirs'}" for place, host in enumerate(hosts)]
    paste(reporter, ["Domain\tGroup", *rows])
    wait_for_text(reporter, "pasted.csv, column Domain")
    button(reporter, "Run$").focus()
    reporter.keyboard.press("Enter")
    wait_for_text(reporter, "30 sites")
    assert reporter.evaluate(FOCUS)[0]
    reporter.wait_for_selector(".jp-OutputArea [role=status] >> text=Finished.", timeout=120_000)
    reporter.wait_for_timeout(500)
    shot(reporter, "06_report_run")
    # The set-up was put away with its button: the keyboard is where the report is a step away.
    assert reporter.evaluate(FOCUS) == [True, "Report"]
    reporter.get_by_label("Title").fill("Thirty sites: Q3 / travel?")
    reporter.get_by_label("Compare by").select_option(label="Group (your table)")
    button(reporter, "Make report$").focus()
    reporter.keyboard.press("Enter")
    wait_for_text(reporter, "Writing the report")
    assert reporter.evaluate(FOCUS)[0]
    wait_for_text(reporter, "The report is in", seconds=120)
    reporter.wait_for_timeout(300)
    shot(reporter, "06_report_made")
    assert reporter.evaluate(FOCUS) == [True, "Make report"]
    assert reporter.evaluate(CUT_OFF) == []
    with reporter.expect_download() as download:
        reporter.get_by_role("link", name="Thirty-sites-Q3-travel.pptx").click()
    assert download.value.suggested_filename == "Thirty-sites-Q3-travel.pptx"
    words = words_of_deck(download.value.path())
    assert "Thirty sites: Q3 / travel?" in words
    assert any("30" in text for text in words)
    assert any("No difference is proven of: ours" in text for text in words)


def sheets_of(page, name):
    """Save a workbook by its link, and return the names of its sheets."""
    import openpyxl

    with page.expect_download() as download:
        page.get_by_role("link", name=name).click()
    return openpyxl.load_workbook(io.BytesIO(Path(download.value.path()).read_bytes())).sheetnames


def test_parts_are_put_in_order_and_left_out_by_the_keyboard(reporter):
    folded = button(reporter, "Parts$")
    folded.focus()
    reporter.keyboard.press("Enter")
    reporter.get_by_role("button", name="Move up: The sites").focus()
    places = ["The sites: 7 of 9", "The sites: 6 of 9", "The sites: 5 of 9"]
    for place in places:
        reporter.keyboard.press("Enter")
        wait_for_text(reporter, place)
        assert reporter.evaluate("document.activeElement.getAttribute('aria-label')") == "Move up: The sites"
    for name in ("Headline findings", "What to do", "Who the audience is", "Methods"):
        reporter.get_by_role("checkbox", name=name).focus()
        reporter.keyboard.press("Space")
        reporter.wait_for_timeout(300)
        assert not reporter.get_by_role("checkbox", name=name).is_checked()
    shot(reporter, "06_report_parts")
    assert reporter.evaluate(CUT_OFF) == []
    reporter.get_by_label("Title").fill("Parts")
    reporter.get_by_label("Report", exact=True).select_option(label="Excel workbook")
    # What was chosen has reached the kernel, which may write the button anew.
    reporter.wait_for_timeout(700)
    button(reporter, "Make report$").press("Enter")
    reporter.get_by_role("link", name="Parts.xlsx").wait_for(timeout=120_000)
    sheets = sheets_of(reporter, "Parts.xlsx")
    assert sheets[:3] == ["Answer", "Sites", "Everything by site"]
    assert "Methods" not in sheets


def test_the_making_is_cancelled_by_the_keyboard_and_leaves_nothing(reporter):
    reporter.get_by_label("Title").fill("Never")
    button(reporter, "Make report$").focus()
    reporter.keyboard.press("Enter")
    button(reporter, "Cancel$").wait_for()
    button(reporter, "Cancel$").focus()
    shot(reporter, "06_report_making")
    reporter.keyboard.press("Enter")
    wait_for_text(reporter, "Cancelled: nothing was written.")
    assert reporter.get_by_role("link", name="Never.xlsx").count() == 0


#: What of the controls that make a report is not whole in the window.
MAKER_CUT_OFF = """() => {
  const buttons = [...document.querySelectorAll('.jp-OutputArea button')];
  const box = buttons.find(e => e.textContent.trim() === 'Make report').closest('.widget-vbox');
  const edge = document.querySelector('.jp-OutputArea .widget-vbox').parentElement.getBoundingClientRect().right;
  const shown = [...box.querySelectorAll('*')].filter(e => e.offsetParent !== null);
  const wide = e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible';
  const cut = shown.filter(e => e.getBoundingClientRect().right > edge + 0.5 || wide(e));
  return cut.map(e => `${e.tagName}.${e.className} ${e.textContent.trim()} ${e.scrollWidth} > ${e.clientWidth}`);
}"""


def test_the_maker_of_reports_is_whole_in_a_narrow_window(reporter):
    button(reporter, "Brand and template$").click()
    reporter.set_viewport_size({"width": 760, "height": 1000})
    reporter.wait_for_timeout(500)
    shot(reporter, "06_report_narrow")
    assert reporter.evaluate(MAKER_CUT_OFF) == []
    for name in ("Parts$", "Brand and template$"):
        button(reporter, name).click()
    reporter.set_viewport_size({"width": 1280, "height": 1000})


def test_answer_and_claims_are_seen_without_scrolling_and_the_report_is_one_step_away(reporter):
    reporter.set_viewport_size({"width": 1280, "height": 800})
    reporter.wait_for_timeout(500)
    head = reporter.locator(".jp-Notebook .jp-MarkdownCell").first.bounding_box()
    window = reporter.locator(".jp-Notebook").bounding_box()
    panel = reporter.locator(".jp-OutputArea .toolkit-keys").first
    claims = panel.locator(".toolkit-headline .title")
    assert claims.count() == 3
    answer = panel.locator("p", has_text=re.compile(r"^The \d+ sites are")).first.bounding_box()
    lowest = max(box["y"] + box["height"] for box in (answer, *(claim.bounding_box() for claim in claims.all())))
    assert lowest - head["y"] < window["height"]
    button(reporter, "Report$").click()
    reporter.wait_for_timeout(500)
    assert reporter.evaluate(FOCUS) == [True, "Make report"]
    made = button(reporter, "Make report$").bounding_box()
    assert window["y"] <= made["y"]
    assert made["y"] + made["height"] <= window["y"] + window["height"]


@pytest.mark.parametrize(
    ("name", "seen"),
    [("Compare", "proven"), ("Coverage", "of 703 topics seen"), ("Segment", "sites match")],
)
def test_run_is_looked_at_more_closely_in_a_tab(reporter, name, seen):
    reporter.get_by_role("tab", name=name).click()
    inner = reporter.locator(".jp-OutputArea .toolkit-keys .toolkit-keys:visible")
    inner.get_by_text(seen).first.wait_for(timeout=60_000)
    reporter.wait_for_timeout(1000)
    shot(reporter, f"06_report_{name.lower()}")
    assert inner.count() == 1
    assert reporter.evaluate(CUT_OFF) == []


def test_run_is_saved_by_a_button_and_its_link(reporter):
    reporter.get_by_label("Title").fill("Thirty sites: Q3 / travel?")
    reporter.get_by_role("tab", name=re.compile("^Sites")).click()
    button(reporter, "Save run$").click()
    wait_for_text(reporter, "tk.load_run")
    shot(reporter, "06_report_saved")
    with reporter.expect_download() as download:
        reporter.get_by_role("link", name="Thirty-sites-Q3-travel.run.gz").click()
    assert Path(download.value.path()).stat().st_size > 1_000


def test_second_run_closes_what_was_open(reporter):
    assert reporter.locator(".jp-OutputArea .toolkit-keys .toolkit-keys").count() == 3
    unfold(reporter)
    button(reporter, "Run$").click()
    reporter.locator(".jp-OutputArea .toolkit-keys .toolkit-keys").first.wait_for(state="detached", timeout=60_000)
    reporter.wait_for_selector(".jp-OutputArea [role=status] >> text=Finished.", timeout=60_000)


def test_reports_ask_nothing_of_any_other_host(reporter):
    assert reporter.outside == []
    assert reporter.failures == []
