"""Why?, in JupyterLab in a real browser: marked words, what is given instead, suggestions, keys, the dark."""

import pytest

from browser.driving import CUT_OFF, open_notebook, put_notebook, run_all, shot

BANK = "clearwater-bank.example/mortgages"
CELL = f"""import toolkit as tk
from toolkit.widgets.lookup.why import Why
why = Why(tk.Client(), chooser=False)
why.ask('Personal Finance', '{BANK}')
why"""
#: Contrast of each text of the widget with what is behind it.
CONTRAST = """() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const found = parts(getComputedStyle(e).backgroundColor);
      layers.push(found.length === 4 ? found : [...found, 1]);
      if (layers.at(-1)[3] === 1) { break; }
    }
    let under = layers.at(-1)[3] === 1 ? layers.pop() : [255, 255, 255, 1];
    while (layers.length) {
      const over = layers.pop();
      under = [0, 1, 2].map(n => over[n] * over[3] + under[n] * (1 - over[3])).concat(1);
    }
    return under;
  };
  return [...document.querySelectorAll('.toolkit-why *')].filter(e => e.children.length === 0 && e.textContent.trim())
    .map(e => {
      const [a, b] = [light(parts(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
      return [(a + .05) / (b + .05), e.textContent.slice(0, 40)];
    }).filter(([ratio]) => ratio < 4.5);
}"""


@pytest.fixture(scope="module")
def page(page, lab):
    put_notebook(lab, "why", [CELL])
    open_notebook(page, "why")
    run_all(page, "why")
    page.wait_for_selector(".toolkit-why mark", timeout=60_000)
    return page


def ask(page, words):
    field = page.locator(".jp-OutputArea input[type=text]").first
    field.fill(words)
    field.press("Tab")
    page.keyboard.press("Enter")


def test_words_that_spoke_are_listed_and_marked_in_the_text(page):
    shot(page, "why_given")
    assert "Personal Finance is given" in page.locator(".toolkit-why strong").inner_text()
    told = [said.split("\n")[0] for said in page.locator(".toolkit-why td:first-child").all_inner_texts()]
    # What the title names, of what kind the page is and what it is worded like is said in other words than the page's.
    first = next(said for said in told if not said.startswith(("its title", "says ", "is worded ")))
    assert (
        first in page.locator(".toolkit-why [role=region]").all_inner_texts()[-1]
        or page.locator(".toolkit-why mark", has_text=first).count()
    )
    assert page.evaluate(CUT_OFF) == []


def test_by_keys_alone_a_question_in_words_is_answered(page):
    ask(page, "high income")
    page.wait_for_selector(".toolkit-why >> text=Given instead: Middle income", timeout=20_000)
    shot(page, "why_instead")
    assert "Why not" in page.locator(".toolkit-why").inner_text()
    page.get_by_role("button", name="Why Middle income?").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".toolkit-why >> text=Middle income is given", timeout=20_000)


def test_words_that_name_nothing_lead_on_to_what_was_meant(page):
    ask(page, "rich people")
    page.wait_for_selector("[role=alert] >> text=Nothing is called", timeout=20_000)
    shot(page, "why_suggestions")
    assert "req_" not in page.locator("[role=alert]").inner_text()
    page.get_by_role("button", name="High income (audience)", exact=True).click()
    page.wait_for_selector(".toolkit-why >> text=High income is not given", timeout=20_000)


def test_codes_are_shown_on_request_alone(page):
    assert "income_level" not in page.locator(".toolkit-why").inner_text()
    page.get_by_role("checkbox", name="Show codes").check()
    page.wait_for_selector(".toolkit-why >> text=income_level=high", timeout=20_000)
    page.get_by_role("checkbox", name="Show codes").uncheck()


def test_enter_in_the_field_asks(page):
    field = page.locator(".jp-OutputArea input[type=text]").first
    field.fill("travel")
    field.press("Enter")
    page.wait_for_selector(".toolkit-why strong >> text=Travel", timeout=20_000)


def test_markup_in_a_question_stays_text(page):
    ask(page, "<img src=x onerror=alert(1)>")
    page.wait_for_selector("[role=alert] >> text=<img src=x", timeout=20_000)
    assert page.locator(".jp-OutputArea img").count() == 0


def test_the_dark_and_narrow_windows_keep_everything_to_be_read(page):
    ask(page, "personal finance")
    page.wait_for_selector(".toolkit-why mark", timeout=20_000)
    assert page.evaluate(CONTRAST) == []
    page.evaluate("window.jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})")
    page.wait_for_selector("body[data-jp-theme-light=false]", state="attached", timeout=20_000)
    # The colours of the theme arrive after its name.
    dark = "getComputedStyle(document.body).getPropertyValue('--jp-layout-color0').trim()"
    page.wait_for_function(f"{dark} !== 'white' && {dark} !== '#fff'")
    page.wait_for_timeout(500)
    shot(page, "why_dark")
    assert page.evaluate(CONTRAST) == []
    page.set_viewport_size({"width": 760, "height": 1000})
    page.wait_for_timeout(500)
    shot(page, "why_narrow")
    assert page.evaluate(CUT_OFF) == []


def test_nothing_leaves_the_machine(page):
    assert page.outside == []
    assert page.failures == []
