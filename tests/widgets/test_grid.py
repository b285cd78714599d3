"""The grid in the kernel: what goes to the page, what the page says, and what a notebook keeps of it."""

import json
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from toolkit.findings.insights.sentences import percent
from toolkit.interface.errors import InputError
from toolkit.reports.words import said as report_says
from toolkit.widgets import Column, Grid
from toolkit.widgets.grid.cells import said, values_of
from toolkit.widgets.grid.columns import columns_of

HOSTILE = "<img src=x onerror=alert(1)>"


class Page(Grid):
    """A grid of which the messages to the page are kept."""

    def __init__(self, *given, **options):
        self.sent = []
        super().__init__(*given, **options)

    def send(self, content, buffers=None):
        self.sent.append((content, buffers))

    def hear(self, content, *buffers):
        self._told(self, content, list(buffers))

    def rows(self):
        return json.loads(self.sent[-1][1][0])


@pytest.fixture
def frame():
    return pd.DataFrame({"site": ["a.example", "b.example", HOSTILE], "visits": [3, 1, 2]})


def test_rows_go_to_the_page_when_it_asks_and_the_script_only_where_it_is_missing(frame):
    page = Page(frame)
    page.hear({"type": "ready", "library": True})
    assert page.rows() == [["a.example", "b.example", HOSTILE], [3, 1, 2]]
    assert b"Tabulator" in page.sent[-1][1][1]
    page.hear({"type": "ready", "library": False})
    assert len(page.sent[-1][1]) == 1


def test_rows_are_no_state_that_a_notebook_would_keep():
    many = Grid(pd.DataFrame({"number": range(10_000)}))
    kept = {key: value for key, value in many.get_state().items() if not key.startswith("_esm")}
    assert len(str(kept)) < 30_000
    assert len(str(many.get_state()["_esm"])) < 40_000
    assert kept["_kept"]["rows"] == [list(range(20))]
    assert kept["_kept"]["count"] == 10_000


@pytest.mark.parametrize(
    ("sites", "of", "said_so"), [(1, 8, "13 %"), (5, 8, "63 %"), (57, 200, "29 %"), (13, 104, "13 %")]
)
def test_a_share_is_the_same_in_a_table_a_sentence_and_a_report(sites, of, said_so):
    share = Column("share", "Share", "share")
    assert said(sites / of, share) == report_says(sites / of, "percent") == percent(sites / of) == said_so


def test_what_the_page_leaves_is_shown(frame):
    page = Page(frame)
    assert page.shown == [0, 1, 2]
    version = page._version
    page.hear({"type": "shown", "version": version}, np.array([2, 0], dtype="<u4").tobytes())
    assert page.shown == [2, 0]
    page.hear({"type": "shown", "version": version}, np.array([2, 99], dtype="<u4").tobytes())
    assert page.shown == [2]


def test_a_new_frame_is_another_version_and_what_the_page_says_of_the_old_is_nothing(frame):
    opened = []
    page = Page(frame, on_row=opened.append)
    old = page._version
    page.frame = frame.head(2)
    page.hear({"type": "shown", "version": old}, np.array([0], dtype="<u4").tobytes())
    page.hear({"type": "open", "version": old, "position": 0})
    assert (page.shown, opened) == ([0, 1], [])
    page.hear({"type": "open", "version": page._version, "position": 1})
    assert opened == [1]


@pytest.mark.parametrize("content", [None, {}, {"type": "open", "position": -1}, {"type": "open", "position": "0"}])
def test_a_strange_message_opens_nothing(frame, content):
    opened = []
    page = Page(frame, on_row=opened.append)
    page.hear({**content, "version": page._version} if content else content)
    assert opened == []


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2], "number"),
        ([True, None], "text"),
        ([True, False], "flag"),
        (pd.array([True, None], dtype="boolean"), "flag"),
        ([["a"], None], "list"),
        (pd.to_datetime(["2026-01-01", None]), "date"),
        ([2**60, 1], "text"),
        (["a", 1], "text"),
        (pd.Series([], dtype=object), "text"),
    ],
)
def test_a_column_is_of_the_kind_that_its_dtype_says(values, kind):
    assert columns_of(pd.DataFrame({"mine": values}))[0].kind == kind


def test_shares_are_known_by_their_name():
    frame = pd.DataFrame({"confidence": [0.5], "top_share": [0.1], "height": [0.5], "age_confidence": ["low"]})
    assert [column.kind for column in columns_of(frame)] == ["share", "share", "number", "text"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"), (float("nan"), "–"), (pd.NA, "–"), ("", "–"), ([], "–"), (1998, "1998"), (12345, "12,345"),
        (2.5, "2.50"), (float("inf"), "∞"), (-np.inf, "-∞"), (np.bool_(1), "yes"), (["a", "b"], "a, b"),
        ({"b", "a"}, "a, b"), ("two\nlines\u202e", "two lines"), (pd.Timestamp("2026-01-02 03:04"), "2026-01-02 03:04"),
    ],
)  # fmt: skip
def test_any_cell_is_said_in_plain_words(value, shown):
    column = Column("mine", "Mine")
    assert said(values_of(pd.Series([value], dtype=object), column)[0], column) == shown


@pytest.mark.parametrize(("number", "shown"), [(0.456, "46 %"), (0.0, "0 %"), (1, "100 %")])
def test_a_share_is_said_as_per_cent(number, shown):
    assert said(number, Column("share", "Share", "share")) == shown


def test_what_is_kept_for_where_no_widget_is_drawn_is_escaped_and_says_how_many_there_are():
    grid = Grid(pd.DataFrame({HOSTILE: [HOSTILE] * 30}), noun=("site", "sites"))
    html = grid._repr_mimebundle_()[0]["text/html"]
    tags = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attributes: tags.append(tag)
    parser.feed(html)
    assert "img" not in tags
    assert tags.count("tr") == 21
    assert "The first 20 of 30 sites" in html
    assert "Trust Notebook" in html


def test_columns_with_one_name_keep_their_own_cells():
    page = Page(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    page.hear({"type": "ready"})
    assert page.rows() == [[1], [2]]


def test_a_column_that_is_not_there_is_refused_with_those_that_are(frame):
    with pytest.raises(InputError, match=r"no column sites\. Name columns that it has: site, visits"):
        Grid(frame, columns=[Column("sites", "Sites")])


def test_what_is_no_frame_or_kind_is_refused(frame):
    with pytest.raises(InputError, match="not list"):
        Grid([1, 2])
    with pytest.raises(InputError, match="kind must be one of"):
        Column("a", "A", "money")


def test_columns_of_ones_own_choice_are_sent_alone(frame):
    page = Page(frame, columns=[Column("visits", "Visits", "number", unit="k", hidden=True), Column("site", "Site")])
    page.hear({"type": "ready"})
    assert page.rows() == [[3, 1, 2], ["a.example", "b.example", HOSTILE]]
    assert "Visits" not in page.static_view()


def test_texts_of_a_kept_table_begin_at_the_left(frame):
    """JupyterLab puts them to the right: a reason of three lines had a ragged left edge in a saved notebook."""
    kept = Grid(frame).static_view()
    assert "<table class='toolkit-table'>" in kept
    assert ".toolkit-table td{text-align:left!important" in kept
