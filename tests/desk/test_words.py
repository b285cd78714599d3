"""What a reader sees is in plain words: no codes, no names of Python, and each message in the terms of its surface."""

import html
import re

import pytest

import toolkit as tk
from toolkit.interface.filters.codes import words_of_code
from toolkit.interface.text import definition_table
from toolkit.interface.words import labels
from toolkit.interface.words.terms import in_terminal, in_widget
from toolkit.reports.document import report_of
from toolkit.reports.frames import Frames
from toolkit.reports.parts.unanswered import reasons_of
from toolkit.widgets.lookup.box import Lookup
from toolkit.widgets.run.failures import failures_table
from toolkit.widgets.run.panel import RunPanel

SITES = ["trailhead-outfitters.example", "nowhere.example", "n/a", "ledgerline.example", "my favourite shop"]
ASKED = ("segment", "categorize_content", "enrich")
#: Codes of the vocabulary, names with underscores, names of taxonomies, and the words that are for programs alone.
CODES = re.compile(
    r"\b(?:INT|PI)\.[A-Z]\w*|\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\bcontent-v\d|\bvocabulary \d|\btiers?\b|\btargets\b|"
    r"\bduplicates?\b|\bb2[bc]\b"
)
#: Python in a message: an argument, a call, an attribute.
PYTHON = re.compile(r"\b[a-z_]+=(?!\")|\b(?:run|client|tk)\.[a-z_]+|\.value\b|\.frames\[|InputError|DataFrame")


def words(page):
    """Return what is read of HTML."""
    bare = re.sub(r"<(style|script)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", " ", bare))


def raw(text):
    return sorted(set(CODES.findall(text)))


@pytest.fixture(scope="module")
def run(client):
    with client.run(SITES, ASKED) as run:
        yield run.start(progress=False)


def test_plans_runs_and_progress_hold_no_codes(client, run):
    with client.run(SITES, ASKED) as planned:
        before = planned.plan()
        assert raw(str(before) + words(before._repr_html_()) + repr(planned)) == []
    assert raw(str(run.plan()) + repr(run) + str(run.progress) + repr(tk.sample_run())) == []


@pytest.mark.parametrize("question", ["segment", "categorize_content", "categorize", "enrich"])
def test_answers_hold_no_codes(client, question):
    answer = getattr(client, question)(SITES[0])
    assert raw(repr(answer) + words(answer._repr_html_())) == []


def test_plans_of_sites_and_vocabularies_hold_no_codes(client):
    plan = tk.sample_run().segment("any(INT.SPORTS.*, INT.TRAVEL.*) and income_level = high").plan(most=3)
    assert raw(repr(plan) + str(plan) + words(plan._repr_html_())) == []
    assert raw(repr(client.filters())) == []


def test_a_report_says_how_many_and_why_without_codes(run):
    made = report_of(run)
    facts = dict(made.methods.facts)
    assert raw(" ".join([made.title, made.subtitle, made.answer, facts["Sites"], facts["Why some did not"]])) == []
    assert raw(" ".join(facts[name] for name in facts if name != "Software")) == []


def test_the_lookup_says_how_many_and_what_failed_without_codes(client):
    lookup = Lookup(client, SITES, list(ASKED))
    lookup.run()
    said = words(lookup._status.value + lookup._errors.value)
    assert raw(said) == []
    assert PYTHON.search(said) is None
    assert said.count("my favourite shop") == 2  # its name, and what is wrong with it
    assert "n/a" not in said
    assert raw(" ".join(lookup._tables.titles)) == []


def test_the_panel_says_what_it_does_without_codes(client, tmp_path):
    panel = RunPanel(client, SITES, ask=list(ASKED), store=tmp_path / "kept.db")
    panel.prepare()
    assert raw(words(panel._plan_shown.value)) == []
    panel.start()
    assert raw(words(panel._status.value)) == []
    panel.close()


@pytest.mark.parametrize("command", [["segment"], ["categorize"], ["categorize", "--domain"], ["enrich"]])
def test_a_single_question_is_answered_without_codes(command, capsys, monkeypatch):
    from toolkit.cli.main import main

    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main([*command, SITES[0]]) == 0
    assert raw(capsys.readouterr().out) == []


@pytest.fixture
def lists(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sites.csv").write_text("name,url\nA,trailhead-outfitters.example\nB,n/a\nC,my favourite shop\n")
    (tmp_path / "odd.csv").write_text("name,where\nA,B\n")


@pytest.mark.parametrize(
    ("command", "advice"),
    [
        (["run", "odd.csv", "--plan"], "--column"),
        (["run", "sites.csv", "--column", "zz", "--plan"], "--column"),
        (["run", "sites.csv", "--out", "here", "--frames", "companies"], "--ask"),
        (["run", "none.csv", "--plan"], "toolkit segment"),
        (["run", "sites.csv", "--ask", "shoe", "--plan"], "--ask must be of"),
        (["report", "sites.csv", "-o", "r.html", "--groups", "Nope"], "--groups"),
        (["report", "sites.csv", "-o", "r.html", "--weight", "Nope"], "--weight"),
        (["report", "odd.csv", "-o", "r.html"], "--column"),
    ],
)
def test_a_terminal_is_told_of_options(lists, command, advice, capsys):
    from toolkit.cli.main import main

    assert main(command) == 2
    said = capsys.readouterr().err
    assert advice in said
    assert PYTHON.search(said) is None, said


def test_a_list_on_the_command_line_is_counted_without_codes(lists, capsys):
    from toolkit.cli.main import main

    assert main(["run", "sites.csv", "--ask", ",".join(ASKED), "--store", "kept.db"]) == 0
    said = capsys.readouterr().err
    assert "3 entries: 1 site, 1 blank, 1 is no web address" in said
    assert raw(said) == []


def test_a_widget_is_told_of_fields():
    said = in_widget("list.csv has no column 'x'. Pass column= with one that is there: url.")
    assert said == "list.csv has no column 'x'. Set the field Column to one that is there: url."
    assert "--" not in in_widget("companies needs enrich. Add it to ask=….")
    assert in_terminal("Add it to ask=….") == "Add it to --ask."


def test_words_of_sites_are_left_as_they_are():
    text = "https://a.example/x?store=3 cannot be opened."
    assert in_terminal(text) == text


def test_values_are_called_as_the_vocabulary_calls_them(client):
    for field, values in client.filters().values.items():
        for value, label in values.items():
            if field != "industry":
                assert labels.value_label(field, value) == label


def test_whatever_is_no_known_name_gets_words():
    for name in ("some_new_field", "INT.NEW.THING"):
        assert not raw(labels.field_label(name) + labels.value_label("x", name) + labels.question_label(name))
    assert words_of_code("some_new_field") == labels.field_label("some_new_field")
    assert "<b>" not in definition_table(labels.field_label("<b>"), [("a", "b")])


def test_why_a_site_has_no_answer_is_said_in_the_same_words_in_frame_widget_and_report():
    run = tk.sample_run()
    failures = run.failures()
    reasons = dict(zip(failures["target"], failures["reason"], strict=True))
    assert reasons["members-only.example"] == "the site does not let the service in"
    assert reasons["gone-fishing.example"] == "the page could not be found"
    assert reasons["blank-canvas.example"] == "the page has too little text"
    shown = failures_table(failures)
    told = reasons_of(Frames.of(run))
    for reason in reasons.values():
        assert reason in shown
        assert reason in told


def test_what_was_not_asked_and_what_is_no_site_have_reasons_too():
    with tk.Client().run(["two words", "harvest-table.example"], store=False) as waiting:
        assert waiting.failures()["reason"].tolist() == ["it is no web address", "it was not asked yet"]
