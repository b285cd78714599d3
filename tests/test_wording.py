"""One thing is called by one name wherever an analyst reads it."""

import re

import pytest

import toolkit as tk
from toolkit.cli.main import main
from toolkit.widgets.site.known import KnownSites

#: Nouns that a report adds to a value where it stands alone, and that of several.
_ADDED = re.compile(r"( pages?| prices| level|s)$")


@pytest.fixture(scope="module")
def vocabulary():
    return tk.Client().filters()


def bare(words):
    return _ADDED.sub("", words)


def test_the_vocabulary_an_answer_and_a_report_call_a_value_the_same(vocabulary):
    from toolkit.interface.words.labels import value_label
    from toolkit.reports.view import label_of

    for field, values in vocabulary.values.items():
        for code, label in values.items():
            assert value_label(field, code) == label, (field, code)
            assert bare(label_of(field, code, label)) == bare(label), (field, code)


def test_an_older_vocabulary_changes_no_word_that_is_read():
    """A run that was kept has the vocabulary of its day, in which they were "Balanced"."""
    from toolkit.interface.words.labels import value_words

    assert value_words("gender_skew", "balanced", "Balanced") == "Women and men alike"
    assert value_words("seniority", "c_suite", "Top management") == "Top management"


def test_the_terminal_a_card_and_a_segment_call_readers_the_same(capsys):
    run = tk.sample_run()
    site = "trailhead-outfitters.example"
    main(["segment", site, "--format", "table"])
    shown = dict(re.findall(r"^ +(\S.*?) {2,}(\S.*)$", capsys.readouterr().out, re.MULTILINE))
    said = shown["gender (inferred)"]
    facts = {fact.name: fact.value for _, facts in KnownSites(run).of(site).facts for fact in facts}
    assert facts["Gender"] == said
    assert facts["Town or country"] == shown["town or country (inferred)"]
    match = run.segment("gender_skew = *").match()
    assert match.loc[match["site"] == site, "why"].item() == f"gender: {said}"


def test_ages_that_follow_each_other_are_one_in_the_terminal_too(capsys):
    main(["segment", "trailhead-outfitters.example", "--format", "table"])
    assert re.search(r"age \(inferred\) +45 to 64 years$", capsys.readouterr().out, re.MULTILINE)
