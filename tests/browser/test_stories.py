"""Notebooks as a reader meets them in JupyterLab before anything was run: the answer is seen, the checks are not."""

import re

import pytest
from browser.driving import AT_REST, NOTEBOOKS, note_outside, shot

#: How high the last cell is, and whether its source can be seen.
LAST = """() => {
  const last = [...document.querySelectorAll('.jp-Notebook .jp-Cell')].pop();
  const source = last.querySelector('.jp-Cell-inputWrapper .cm-content');
  return [last.getBoundingClientRect().height, source !== null && source.getBoundingClientRect().height > 0];
}"""


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.outside = []
    page.failures = []
    page.on("request", lambda request: note_outside(page, request.url))
    page.on("pageerror", lambda error: page.failures.append(str(error)))
    return page


@pytest.fixture(scope="module", params=[path.stem for path in sorted(NOTEBOOKS.glob("*.ipynb"))])
def story(request, page, lab):
    """A notebook as it was stored."""
    page.goto(f"{lab.rpartition('/')[0]}/{request.param}.ipynb?token=token&reset")
    page.wait_for_selector(".jp-Notebook h1", timeout=60_000)
    page.wait_for_selector(".jp-Notebook >> text=For whoever changes this notebook", state="attached")
    page.evaluate(AT_REST, f"{request.param}.ipynb")
    page.name = request.param
    return page


def test_question_and_answer_are_seen_without_scrolling(story):
    question = story.locator(".jp-Notebook h1").first
    question.scroll_into_view_if_needed()
    shot(story, f"story_{story.name}")
    answer = story.locator(".jp-Notebook .jp-RenderedMarkdown strong", has_text=re.compile(r"\d|about")).first
    for seen in (question, answer):
        box = seen.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 500


def test_checks_are_folded_away(story):
    height, is_seen = story.evaluate(LAST)
    assert not is_seen
    assert height < 60
    assert "assert" not in story.locator(".jp-Notebook").inner_text()


def test_charts_are_seen_from_what_is_stored(story):
    stored = (NOTEBOOKS / f"{story.name}.ipynb").read_text(encoding="utf-8").count('"application/vnd.plotly.v1+json"')
    seen = story.locator(".jp-RenderedPlotly").evaluate_all(
        "all => all.filter(e => e.querySelector('img.plot-img, .js-plotly-plot').getBoundingClientRect().height > 150)"
        ".length"
    )
    assert seen == stored


def test_stories_ask_nothing_of_any_other_host(story):
    assert story.outside == []
    assert story.failures == []
