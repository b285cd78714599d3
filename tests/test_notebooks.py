"""Notebooks are stories: a question, its answer, and how it is found; what checks them is out of the reader's sight.

They are stored with their outputs, so that nbval has something to compare.
"""

import re
from base64 import b64decode
from html import unescape
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from cases import every

import toolkit as tk

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SILENT = ("assert", "from ", "import ")
CHECK = {"collapsed": True, "jupyter": {"outputs_hidden": True, "source_hidden": True}, "tags": ["check"]}
TAGS = {"answer", "check", "nbval-ignore-output", "parameters"}
FIGURE = "application/vnd.plotly.v1+json"
TEXTS = ("text/markdown", "text/html", "text/plain")
MARKER = re.compile(r"#\s*(NBVAL|PYTEST)_")
#: 0.12345, and 6.6e-07.
LONG_NUMBER = re.compile(r"\d\.\d{4,}|\d[eE][-+]\d")
UNDERSCORED = re.compile(r"\b[A-Za-z0-9]+_\w+")
#: INT.SPORTS.GOLF
CODE = re.compile(r"\b(?:INT|PI)\.[A-Z_]+")
VALUES = {value for values in tk.sample_run().vocabulary.values.values() for value in values if "_" in value}


def cells(path, kind="code"):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


def tags(cell):
    return cell.metadata.get("tags", [])


def is_check(cell):
    return "check" in tags(cell)


def visible(path):
    return [cell for cell in cells(path) if not is_check(cell)]


def words(markup):
    """The text that a reader sees of HTML."""
    return unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<style.*?</style>", "", markup, flags=re.DOTALL)))


def shown(cell):
    """The texts of a cell's outputs, as a reader meets them: of the forms of an output the best that is text.

    What a widget says is told by the tests of widgets.
    """
    for output in [] if "tk.widgets." in cell.source else cell.outputs:
        if output.output_type == "stream":
            yield "text/plain", output.text
        elif FIGURE not in output.data:
            kind = next(kind for kind in TEXTS if kind in output.data)
            yield kind, words(output.data[kind]) if kind == "text/html" else output.data[kind]


def said(path):
    """The Markdown that a reader sees, written or made by a cell, without what stands in it as code."""
    written = [cell.source for cell in cells(path, "markdown")]
    made = [text for cell in visible(path) for kind, text in shown(cell) if kind == "text/markdown"]
    for text in [*written, *made]:
        yield re.sub(r"`[^`]*`|\]\([^)]*\)", "", text)


def figures(path):
    return [output.data for cell in visible(path) for output in cell.outputs if FIGURE in output.get("data", {})]


def test_starter_notebook_is_there():
    assert (FOLDER / "01_lookup.ipynb") in NOTEBOOKS


@every("path", NOTEBOOKS)
def test_title_is_a_question(path):
    title, _, below = nbformat.read(path, as_version=4).cells[0].source.partition("\n")
    assert re.fullmatch(r"# [A-Z][^?#]+\?", title)
    assert below.strip()


@every("path", NOTEBOOKS)
def test_second_cell_answers_in_a_sentence_with_numbers(path):
    second = nbformat.read(path, as_version=4).cells[1]
    answer = second.source if second.cell_type == "markdown" else second.outputs[-1].data["text/markdown"]
    assert "**" in answer
    assert re.search(r"\d", answer)
    assert answer.rstrip("*").endswith(".")


@every("path", NOTEBOOKS)
def test_first_code_is_folded_under_a_line_that_says_what_it_is(path):
    first, *others = visible(path)
    assert first.metadata == {"jupyter": {"source_hidden": True}}
    assert re.match(r"# The .+\n", first.source)
    assert not [cell for cell in others if "jupyter" in cell.metadata]


@every("path", NOTEBOOKS)
def test_answer_that_stands_as_text_is_the_one_that_a_cell_makes(path):
    tagged = [cell for cell in nbformat.read(path, as_version=4).cells if "answer" in tags(cell)]
    answers = [cell.outputs[0].data["text/markdown"].splitlines()[0] for cell in tagged if cell.cell_type == "code"]
    written = [cell.source for cell in tagged if cell.cell_type == "markdown"]
    assert len(written) == len(answers)
    assert all(text.endswith(answer) for text, answer in zip(written, answers, strict=True))
    if nbformat.read(path, as_version=4).cells[1].cell_type == "markdown":
        assert written


@every("path", NOTEBOOKS)
def test_reader_sees_no_check_and_no_marker(path):
    for cell in visible(path):
        assert not re.search(r"^\s*assert\b", cell.source, re.MULTILINE), cell.source
        assert not MARKER.search(cell.source), cell.source


@every("path", NOTEBOOKS)
def test_checks_are_one_hidden_cell_at_the_end_which_nbval_runs(path):
    *before, last = nbformat.read(path, as_version=4).cells
    assert not any(is_check(cell) for cell in before)
    assert last.metadata == CHECK
    # Folded, a cell shows its first line.
    assert last.source.startswith("# For whoever changes this notebook")
    assert "assert" in last.source
    assert last.execution_count
    assert not last.outputs


@every("path", NOTEBOOKS)
def test_cells_are_marked_by_tags_that_are_known(path):
    assert {tag for cell in cells(path) for tag in tags(cell)} <= TAGS


@every("path", NOTEBOOKS)
def test_numbers_are_rounded(path):
    for cell in visible(path):
        assert not [found for _, text in shown(cell) for found in LONG_NUMBER.findall(text)], cell.source


@every("path", NOTEBOOKS)
def test_sentences_hold_no_codes(path):
    for text in said(path):
        assert not UNDERSCORED.findall(text)
        assert not CODE.findall(text)


@every("path", NOTEBOOKS)
def test_outputs_hold_no_codes_but_those_that_the_reader_typed(path):
    typed = " ".join(cell.source for cell in visible(path))
    for cell in visible(path):
        for _, text in shown(cell):
            assert not [found for found in UNDERSCORED.findall(text) + CODE.findall(text) if found not in typed], text
            assert not VALUES & set(UNDERSCORED.findall(text)) - set(UNDERSCORED.findall(typed)), text


@every("path", NOTEBOOKS)
def test_headings_of_tables_are_words(path):
    tables = [
        text
        for cell in visible(path)
        for output in cell.outputs
        for text in [output.get("data", {}).get("text/html", "")]
    ]
    headings = [words(head) for text in tables for head in re.findall(r"<th.*?</th>", text, re.DOTALL)]
    assert not [head for head in headings if UNDERSCORED.search(head)]


@every("path", NOTEBOOKS)
def test_every_chart_and_widget_is_introduced(path):
    every_cell = nbformat.read(path, as_version=4).cells
    for before, cell in pairwise(every_cell):
        if re.search(r"tk\.(charts|widgets)\.\w+\(|\.(plot|figure)\(", cell.source) and not is_check(cell):
            assert before.cell_type == "markdown", cell.source


@every("path", NOTEBOOKS)
def test_charts_have_a_picture_and_words_where_nothing_draws_them(path):
    for data in figures(path):
        assert b64decode(data["image/png"]).startswith(b"\x89PNG")
        assert data["text/plain"].endswith(".")


@every("path", NOTEBOOKS)
def test_titles_of_charts_are_no_tautologies(path):
    titles = [data[FIGURE]["layout"]["title"]["text"].replace("<br>", " ") for data in figures(path)]
    assert not [title for title in titles if re.search(r"^(.+?) (?:is|are) .* (?:among|in|of) \1\b", title)]


@every("path", NOTEBOOKS)
def test_widgets_say_what_to_do_where_nothing_runs_them(path):
    made = [cell for cell in visible(path) if "tk.widgets." in cell.source]
    assert made
    for cell in made:
        shown = [output.data for output in cell.outputs if "data" in output]
        assert not any("application/vnd.jupyter.widget-view+json" in data for data in shown)
        assert any("Run this cell" in html or "<table" in html for html in (data["text/html"] for data in shown))
        assert all(data["text/plain"] for data in shown)


@every("path", NOTEBOOKS)
def test_every_cell_was_run_in_order(path):
    assert [cell.execution_count for cell in cells(path)] == list(range(1, len(cells(path)) + 1))


@every("path", NOTEBOOKS)
def test_every_cell_that_shows_something_has_stored_outputs(path):
    for cell in visible(path):
        last = cell.source.strip().splitlines()[-1].strip()
        if not last.startswith(SILENT) and "parameters" not in tags(cell):
            assert cell.outputs, cell.source


@every("path", NOTEBOOKS)
def test_no_stored_output_is_an_error(path):
    assert not [output for cell in cells(path) for output in cell.outputs if output.output_type == "error"]


@pytest.mark.filterwarnings("error")
@every("path", NOTEBOOKS)
def test_notebook_is_valid_and_holds_nothing_of_the_machine_it_was_run_on(path):
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata == {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    assert {key for cell in notebook.cells for key in cell.metadata} <= {"collapsed", "jupyter", "tags"}


@every("path", NOTEBOOKS)
def test_notebooks_stay_small(path):
    assert path.stat().st_size < 500_000


@every("path", NOTEBOOKS)
def test_links_lead_to_notebooks_by_their_titles(path):
    for cell in cells(path, "markdown"):
        for text, file in re.findall(r"\[([^\]]+)\]\((\w+\.ipynb)\)", cell.source):
            assert nbformat.read(FOLDER / file, as_version=4).cells[0].source.splitlines()[0] == f"# {text}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_cell_takes_the_text_of_an_error_apart(path):
    assert [
        cell.source for cell in visible(path) if re.search(r"error\.(split|r?partition|replace)\(", cell.source)
    ] == []
