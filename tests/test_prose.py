"""The main text of pages with large tables, hidden parts and scripts."""

import trafilatura
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser
from toolkit.service.pages.grids import fold_grids, unfold_grids

from toolkit.service.pages.prose import _visible_length, _visible_text, main_text

PARAGRAPH = "<p>The results of the winter league, round by round, as the clubs reported them to the office.</p>" * 4
HEAD = "<tr><th>Round</th><th>White</th><th>Black</th><th>Note</th></tr>"
ROWS = "".join(f"<tr><td>{n}</td><td>e{n}</td><td> a &amp; b </td><td></td></tr>" for n in range(40))
TABLE = f"<table><thead>{HEAD}</thead><tbody>{ROWS}</tbody></table>"


def around(inside):
    return f"<html><body><main><article><h1>Results</h1>{PARAGRAPH}{inside}{PARAGRAPH}</article></main></body></html>"


def test_a_large_table_reads_as_the_extraction_would_have_it():
    source = around(TABLE)
    options = {"include_comments": False, "include_tables": True, "fast": True, "deduplicate": False}
    assert main_text(LexborHTMLParser(source)) == trafilatura.extract(source, **options)


def test_a_large_table_is_one_paragraph_for_the_extraction():
    tree = LexborHTMLParser(around(TABLE))
    grids = fold_grids(tree)
    assert len(grids) == 1
    assert tree.css("table, td") == []
    (line,) = grids
    assert unfold_grids(f"before\n{line}\nafter", grids).split("\n")[1:4] == [
        "| Round | White | Black | Note | ",
        "|---|---|---|---|",
        "| 0 | e0 | a & b |  | ",
    ]


def test_tables_that_are_small_or_hold_more_than_words_are_left_alone():
    linked = TABLE.replace("e7", '<a href="/7">e7</a>')
    nested = TABLE.replace("e7", "<table><tr><td>7</td></tr></table>")
    wide = TABLE.replace("<td>7</td>", '<td colspan="2">7</td>')
    small = f"<table>{HEAD}<tr><td>1</td></tr></table>"
    tree = LexborHTMLParser(around(linked + nested + wide + small))
    assert fold_grids(tree) == {}


def test_scripts_and_drawings_leave_no_text():
    extra = "<script>let kites = 1</script><style>.kites{}</style><svg><title>Kites</title></svg>"
    assert "kites" not in main_text(LexborHTMLParser(around(extra))).lower()


PIECES = st.sampled_from(
    ["<p>", "</p>", "<div>", "</div>", "kite", " ", "\n", "\u00a0", "<td>", "<li>", "<br>", "<b>", "</b>", "\u2003fly"]
)


@settings(deadline=None, derandomize=True, max_examples=300)
@given(st.lists(PIECES, max_size=30).map("".join))
def test_the_visible_text_is_as_long_as_is_said(source):
    length = _visible_length(LexborHTMLParser(source))
    assert length == len(_visible_text(LexborHTMLParser(source)))
