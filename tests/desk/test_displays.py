"""What a notebook shows as HTML is text: two dollar signs make no formula of what stands between them."""

import pkgutil
import sys
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest

import toolkit as tk
from toolkit.cluster.outcome import DaskReport
from toolkit.found import Findings
from toolkit.interface.explanations import Explanation
from toolkit.interface.models import Answer
from toolkit.interface.text import definition_table
from toolkit.kept import KeptRuns
from toolkit.runs.plan import Plan
from toolkit.segments.definition import Segment
from toolkit.segments.plan import SitePlan
from toolkit.widgets import Lookup
from toolkit.widgets.grid.box import Grid
from toolkit.widgets.static import StaticView

PRICES = "Boots from $616, and tents from $320, for hiking in the mountains. Compare hiking boots and tents."
SITES = ["trailhead-outfitters.example", "nowhere.example"]


class Texts(HTMLParser):
    """The texts of a piece of HTML that a notebook leaves as they are, and those that it looks for formulas in."""

    def __init__(self, html):
        super().__init__()
        self.kept, self.open = [], []
        self.left, self.looked_at = "", ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag not in {"br", "img", "meta", "input"}:
            self.open.append("mathjax_ignore" in (dict(attrs).get("class") or "").split())

    def handle_endtag(self, tag):
        self.open.pop()

    def handle_data(self, data):
        if any(self.open):
            self.left += data
        else:
            self.looked_at += data


def answer(client):
    return client.categorize_content(text=PRICES)


def explanation(client):
    return client.explain("Travel", text=PRICES)


def plan(client):
    with client.run(SITES, "segment") as run:
        return run.plan()


def kept_runs(client):
    with client.run(SITES, "segment", name="spring plan") as run:
        run.start(progress=False)
    return tk.runs()


def dask_report(_):
    return DaskReport(Path("from $616 to $320"), (), ())


def findings(_):
    found = tk.sample_run().findings().head(2)
    found["sentence"] = PRICES
    return found


EXAMPLES = {
    Answer: answer,
    Explanation: explanation,
    Findings: findings,
    Plan: plan,
    KeptRuns: kept_runs,
    DaskReport: dask_report,
    Segment: lambda _: Segment.parse('persona = "$616" or persona = "$320"'),
    SitePlan: lambda _: tk.sample_run().segment("INT.SPORTS.*").plan(most=2),
}


def classes_of_the_toolkit():
    """Return all classes that the toolkit defines."""
    found = set()
    for module in pkgutil.walk_packages(tk.__path__, "toolkit."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "toolkit":
            found |= {one for one in vars(module).values() if isinstance(one, type) and one.__module__ == name}
    return found


def test_every_class_that_is_shown_as_html_is_looked_at_here():
    assert {one for one in classes_of_the_toolkit() if "_repr_html_" in vars(one)} == set(EXAMPLES)


@pytest.mark.parametrize("kind", EXAMPLES, ids=lambda kind: kind.__name__)
def test_what_is_shown_as_html_is_left_as_text(client, kind):
    shown = EXAMPLES[kind](client)
    assert isinstance(shown, kind)
    texts = Texts(shown._repr_html_())
    assert texts.left
    assert texts.looked_at == ""


def test_an_empty_list_of_runs_is_left_as_text():
    texts = Texts(tk.runs("no such folder, from $616 to $320")._repr_html_())
    assert "from $616 to $320" in texts.left
    assert texts.looked_at == ""


def test_prices_of_a_page_stay_prices_in_its_explanation(client):
    why = explanation(client)
    for html in (why._repr_html_(), why.as_html(codes=True)):
        texts = Texts(html)
        assert "$616, and tents from $320" in texts.left
        assert texts.looked_at == ""


def test_prices_in_a_table_of_an_answer_stay_prices():
    texts = Texts(definition_table("$616 … $320", [("$616 … $320", "$616 … $320")], "$616 … $320"))
    assert texts.left.count("$616 … $320") == 4
    assert texts.looked_at == ""


def test_what_is_seen_of_a_widget_without_a_kernel_is_left_as_text(client):
    lookup = Lookup(client)
    grid = Grid(pd.DataFrame({"price": ["from $616 to $320"]}))
    before = Texts(lookup._repr_mimebundle_()["text/html"])
    assert "Run this cell" in before.left
    assert before.looked_at == ""
    texts = Texts(grid._repr_mimebundle_()[0]["text/html"])
    assert "from $616 to $320" in texts.left
    assert texts.looked_at == ""


def test_a_view_beneath_a_widget_is_left_as_text(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda one, **_: shown.append(one.data))
    StaticView().show("<p>from $616 to $320</p>")
    texts = Texts(shown[0])
    assert "from $616 to $320" in texts.left
    assert texts.looked_at == ""
