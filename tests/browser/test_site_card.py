"""The card of a site in JupyterLab in a real browser: what is told apart, why, the page, failures, keys, themes."""

import os
from pathlib import Path

import pytest

import toolkit as tk
from browser.driving import open_notebook, put_notebook, run_all, shot

AXE = os.environ.get("AXE_CORE")
SITE = "trailhead-outfitters.example"
CARD = f"""
import toolkit as tk
from toolkit.widgets import Lookup, SiteCard

run = tk.sample_run()
card = SiteCard(run, "{SITE}")
card
"""
FAILED = """
SiteCard(run, "blank-canvas.example")
"""
LOOKUP = """
lookup = Lookup(targets="mischief-markup.example clearwater-bank.example nowhere.example")
lookup.run()
lookup
"""


@pytest.fixture(scope="module")
def page(page, lab):
    put_notebook(lab, "card", [CARD, FAILED, LOOKUP])
    open_notebook(page, "card")
    assert run_all(page, "card") == [1, 2, 3]
    page.wait_for_selector(".toolkit-card-box", timeout=30_000)
    return page


def card_of(page, number=0):
    found = page.locator(".toolkit-card-box").nth(number)
    found.scroll_into_view_if_needed()
    return found


def part(card, name):
    return card.locator(".toolkit-card-part", has=card.page.get_by_role("heading", name=name))


def test_what_is_inferred_is_told_apart_from_what_is_measured(page):
    card = card_of(page)
    shot(page, "card")
    assert part(card, "Topics").locator(".toolkit-card-basis").all_inner_texts() == ["measured"]
    assert part(card, "Audience").locator(".toolkit-card-basis").all_inner_texts() == ["inferred"]
    assert "nobody counted them" in card.locator(".toolkit-card-legend").inner_text()
    codes, categories = tk.sample_run().codes(), tk.sample_run().categories()
    [income] = codes.loc[codes["target"].eq(SITE) & codes["dimension"].eq("income_level"), "label"]
    topics = categories[categories["target"].eq(SITE) & categories["taxonomy"].eq("content-v3")]
    [sure] = topics.loc[topics["rank"] == 1, "confidence"].unique()
    assert income in part(card, "Audience").inner_text()
    assert f"{100 * sure:.0f} % sure" in part(card, "Topics").inner_text()


def test_a_button_at_a_value_gives_its_reasons_by_keyboard(page):
    card = card_of(page)
    why = card.get_by_role("button", name="Why? Main topic: Sports")
    why.focus()
    page.keyboard.press("Enter")
    area = page.locator(".jp-OutputArea").first
    area.locator("mark").first.wait_for(timeout=30_000)
    shot(page, "card_why")
    reasons = area.locator(".toolkit-site-below")
    top = reasons.evaluate("one => one.getBoundingClientRect().top - one.closest('.jp-WindowedPanel-outer').offsetTop")
    assert -2 <= top <= 200
    assert page.evaluate("document.activeElement.dataset.key") == "Why? Main topic: Sports"


def test_every_value_has_a_button_and_what_has_no_reasons_says_where_it_comes_from(page):
    card = card_of(page)
    assert card.locator(".toolkit-card-value").count() == card.get_by_role("button", name="Why?").count() > 20
    founded = card.get_by_role("button", name="Why? Founded: 1998")
    founded.click()
    assert founded.get_attribute("aria-expanded") == "true"
    assert part(card, "Company").get_by_text("read on the site's pages").count() == 1
    founded.click()
    assert part(card, "Company").get_by_text("read on the site's pages").count() == 0


def test_the_text_of_the_page_is_read_when_it_is_asked_for(page):
    card = card_of(page)
    card.get_by_role("button", name="Read the page").click()
    card.get_by_text("Title, description and headings").wait_for(timeout=30_000)
    assert "Hiking Boots" in card.locator(".toolkit-card-read").first.inner_text()
    shot(page, "card_page")


def test_a_site_without_an_answer_says_what_happened_and_what_to_do(page):
    card = card_of(page, 1)
    shot(page, "card_failed")
    said = card.locator(".toolkit-card-failure").all_inner_texts()
    assert len(said) == 1
    assert said[0].startswith("No answer to Audience, Topics of the page, Company: the page has too little text.")
    assert said[0].endswith("Try another page of the site.")
    assert card.get_by_role("button").count() == 0


def test_a_row_of_the_lookup_opens_the_card_of_its_site(page):
    area = page.locator(".jp-OutputArea").nth(2)
    row = area.locator(".tabulator-cell:visible", has_text="mischief-markup.example").first
    row.scroll_into_view_if_needed()
    row.click()
    card = area.locator(".toolkit-card-box")
    card.wait_for(timeout=30_000)
    assert card.get_by_role("heading", name="mischief-markup.example").is_visible()
    card.get_by_role("button", name="Read the page").click()
    card.locator(".toolkit-card-read").first.wait_for(timeout=30_000)
    assert card.locator("img, svg").count() == 0
    area.locator(".tabulator-cell:visible", has_text="clearwater-bank.example").first.click()
    area.get_by_role("heading", name="clearwater-bank.example").wait_for(timeout=30_000)
    assert area.locator(".toolkit-card-box").count() == 1


@pytest.mark.parametrize("width", [1280, 760])
def test_nothing_of_the_card_is_cut_off(page, width):
    page.set_viewport_size({"width": width, "height": 1000})
    page.wait_for_timeout(400)
    card = card_of(page)
    shot(page, f"card_{width}")
    assert card.evaluate("one => one.scrollWidth <= one.clientWidth")
    beyond = """one => [...one.querySelectorAll('*')].filter(
      each => each.getBoundingClientRect().right > one.getBoundingClientRect().right + 1).length"""
    assert card.evaluate(beyond) == 0
    page.set_viewport_size({"width": 1280, "height": 1000})


@pytest.mark.skipif(not AXE, reason="axe-core is missing: name its axe.min.js in AXE_CORE to check accessibility")
@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_a_card_has_no_serious_fault_of_accessibility(page, theme):
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
    page.wait_for_timeout(1000)
    card_of(page)
    shot(page, f"card_{theme[-5:].strip()}")
    page.evaluate(Path(AXE).read_text(encoding="utf-8"))
    found = page.evaluate("axe.run('.toolkit-card-box', {resultTypes: ['violations']})")
    serious = [one for one in found["violations"] if one["impact"] in {"serious", "critical"}]
    assert [(one["id"], one["nodes"][0]["html"]) for one in serious] == []


def test_nothing_was_asked_outside_and_nothing_failed(page):
    assert page.outside == []
    assert page.failures == []
