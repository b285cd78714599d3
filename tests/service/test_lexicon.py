"""Terms are found in a text by the keys of its phrases: the same ones, as often, as by a look at every phrase."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.service.knowledge.compiled import load_matcher
from toolkit.service.knowledge.entries import MATCHERS
from toolkit.service.knowledge.lexicon import Entry, Lexicon, Terms, count_terms, count_words, words_of

WORDS = ("kites", "kite", "Kiting", "trail", "Trails", "don't", "jalapeño", "日本", "glass", "x", "R&B", "c++")
TEXTS = st.lists(st.sampled_from((*WORDS, ",", "\n", "\ud800")), max_size=25).map(" ".join)
TERMS = st.sets(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join), max_size=20)


def phrases(text):
    words = words_of(text)
    return Counter(" ".join(words[at : at + n]) for n in (1, 2, 3) for at in range(len(words) - n + 1))


@settings(max_examples=300)
@given(TEXTS, TERMS)
def test_terms_are_counted_as_by_a_look_at_every_phrase(text, terms):
    folded = {" ".join(words_of(term)) for term in terms}
    there = phrases(text)
    assert count_terms(frozenset(folded), text) == {term: there[term] for term in folded if term in there}
    assert count_words(text) == len(words_of(text))


@settings(max_examples=100)
@given(TEXTS, TERMS)
def test_a_lexicon_names_the_entries_of_the_terms_that_are_there(text, terms):
    entries = [Entry(str(n), term, (f"{term} of", "kite")) for n, term in enumerate(sorted(terms))]
    lexicon = Lexicon.built([*entries, Entry("other", "balloon", ())], lambda _: 1e-5)
    there = phrases(text)
    named = {
        n for n, entry in enumerate(entries) for term in (entry.name, *entry.terms) if " ".join(words_of(term)) in there
    }
    assert lexicon.named(text) == named
    evidence = lexicon.evidence(text)
    assert set(np.flatnonzero(evidence).tolist()) == named
    for position in named:
        assert sum(lexicon.told(text, position).values()) == pytest.approx(evidence[position], rel=1e-5)
    own = {" ".join(words_of(term)) for entry in entries for term in (entry.name, *entry.terms)} | {"balloon"}
    words = set(words_of(text))
    assert lexicon.coverage(text, "") == pytest.approx(len(words & own) / len(words) if words else 0.0)


@pytest.mark.parametrize("name", MATCHERS)
def test_every_term_of_the_knowledge_has_a_key_of_its_own(name):
    terms = load_matcher(name, *MATCHERS[name]).lexicon.terms
    assert len(np.unique(terms.keys)) == len(terms.terms) == len(set(terms.terms))
    assert np.array_equal(terms.keys, Terms.of(terms.terms).keys)
