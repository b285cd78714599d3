"""What holds of every notebook that the toolkit brings, as it is stored and once its cells were run."""

import re

from browser.driving import CUT_OFF, NOTEBOOKS, needs_axe, serious_faults, shot

#: Height and width of each chart that is drawn, and how much is in it.
DRAWN = """() => [...document.querySelectorAll('.jp-OutputArea .js-plotly-plot')].map(plot => {
  const box = plot.getBoundingClientRect();
  const marks = plot.querySelectorAll('.main-svg path, .main-svg rect.cell, .main-svg text').length;
  return [box.width, box.height, marks];
})"""
#: Texts of charts that reach beyond the picture.
BEYOND = """() => [...document.querySelectorAll('.jp-OutputArea .js-plotly-plot')].flatMap(plot => {
  const box = plot.getBoundingClientRect();
  const texts = [...plot.querySelectorAll('.main-svg text')].filter(e => e.textContent.trim() && e.getBBox().width > 0);
  const out = texts.filter(text => {
    const place = text.getBoundingClientRect();
    const seen = getComputedStyle(text).opacity !== '0' && place.width > 0;
    return seen && (place.left < box.left - 1 || place.right > box.right + 1 || place.bottom > box.bottom + 1);
  });
  return out.map(text => text.textContent);
})"""
#: How high the last cell is, and whether its source can be seen.
LAST = """() => {
  const last = [...document.querySelectorAll('.jp-Notebook .jp-Cell')].pop();
  const source = last.querySelector('.jp-Cell-inputWrapper .cm-content');
  return [last.getBoundingClientRect().height, source !== null && source.getBoundingClientRect().height > 0];
}"""
#: How many charts are seen.
CHARTS = """all => all.filter(
  e => e.querySelector('img.plot-img, .js-plotly-plot').getBoundingClientRect().height > 150
).length"""


def as_stored(page, name):
    """What is seen of a notebook before anything was run: where its question and answer are, its end, its charts."""
    page.wait_for_selector(".jp-Notebook >> text=For whoever changes this notebook", state="attached")
    charts = page.locator(".jp-RenderedPlotly")
    for chart in charts.all():
        chart.locator("img.plot-img, .js-plotly-plot").first.wait_for(state="attached")
    question = page.locator(".jp-Notebook h1").first
    question.scroll_into_view_if_needed()
    shot(page, f"story_{name}")
    answer = page.locator(".jp-Notebook .jp-RenderedMarkdown strong", has_text=re.compile(r"\d|about")).first
    return {
        "first": [question.bounding_box(), answer.bounding_box()],
        "last": page.evaluate(LAST),
        "text": page.locator(".jp-Notebook").inner_text(),
        "charts": charts.evaluate_all(CHARTS),
    }


class Stored:
    """Of the notebook of a file as a reader meets it: the answer is seen, the checks are not."""

    def test_question_and_answer_are_seen_without_scrolling(self, whole):
        for box in whole.stored["first"]:
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= 500

    def test_checks_are_folded_away(self, whole):
        height, is_seen = whole.stored["last"]
        assert not is_seen
        assert height < 60
        assert "assert" not in whole.stored["text"]

    def test_charts_are_seen_from_what_is_stored(self, whole):
        text = (NOTEBOOKS / f"{whole.name}.ipynb").read_text(encoding="utf-8")
        assert whole.stored["charts"] == text.count('"application/vnd.plotly.v1+json"')


class Ran:
    """Of the notebook of a file with every cell run."""

    def test_every_cell_ran_without_an_error(self, whole):
        shot(whole, f"{whole.name}_run")
        assert whole.counts == list(range(1, len(whole.counts) + 1))
        assert whole.locator(".jp-OutputArea [data-mime-type='application/vnd.jupyter.error']").count() == 0


class Charts:
    """Of the charts of a notebook with every cell run: a file says how many there are at least."""

    LEAST: int

    def test_every_chart_is_drawn_with_its_texts_inside(self, whole):
        drawn = whole.evaluate(DRAWN)
        assert len(drawn) >= self.LEAST
        for number, (width, height, marks) in enumerate(drawn):
            chart = whole.locator(".jp-OutputArea .js-plotly-plot").nth(number)
            chart.scroll_into_view_if_needed()
            shot(whole, f"{whole.name}_{number}")
            assert width > 500
            assert height > 150
            assert marks > 10
        assert whole.evaluate(BEYOND) == []


class Widget:
    """Of the first widget of a notebook, as it is shown first."""

    def test_nothing_of_the_widget_is_cut_off(self, whole):
        whole.locator(".jp-OutputArea .widget-vbox").first.scroll_into_view_if_needed()
        whole.wait_for_timeout(300)
        shot(whole, f"{whole.name}_widget")
        assert whole.evaluate(CUT_OFF) == []

    @needs_axe
    def test_axe_finds_no_serious_fault_in_the_widget(self, whole):
        assert serious_faults(whole) == []
