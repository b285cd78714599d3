"""Notebooks as a reader meets them in JupyterLab: the answer is seen, the checks are not."""

import re

import pytest
from browser.driving import NOTEBOOKS, shot

STORIES = [path.stem for path in sorted(NOTEBOOKS.glob("*.ipynb"))]
#: The last cell: how high it is, and whether its source can be seen.
LAST = """() => {
  const cells = [...document.querySelectorAll('.jp-Notebook .jp-Cell')];
  const last = cells[cells.length - 1];
  const editor = last.querySelector('.jp-Cell-inputWrapper .cm-content');
  return [last.getBoundingClientRect().height, editor !== null && editor.getBoundingClientRect().height > 0];
}"""


@pytest.fixture(scope="module", params=STORIES)
def story(request, opened):
    """A notebook with every cell run."""
    page = opened(request.param)
    page.wait_for_timeout(1000)
    return page


def test_every_cell_of_a_story_ran_without_an_error(story):
    assert story.counts == list(range(1, len(story.counts) + 1))
    assert story.locator(".jp-OutputArea [data-mime-type='application/vnd.jupyter.error']").count() == 0


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


def test_stories_ask_nothing_of_any_other_host(story):
    assert story.outside == []
    assert story.failures == []
