"""What tells a category from its siblings: the table's form, and what it does to pages that siblings would share."""

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.compiled import SIBLINGS, is_compiled, load_siblings
from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import knowledge_rows, words_of
from toolkit.service.knowledge.siblings import TABLES, Siblings
from toolkit.service.pages.parsed import page_from_text
from toolkit.service.subjects.content import confidences, score
from toolkit.service.subjects.hierarchy import load_hierarchy

ROWS = knowledge_rows("siblings.tsv")
LEAST_WORDS = 5
LONGEST = 3
#: From how many siblings on that say a word it decides for none of them.
SHARED = 3
#: Texts that two siblings could claim, the one whose it is, and the other; written for this test.
CLAIMED = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parent / "claimed_by_siblings.tsv").read_text(encoding="utf-8").splitlines()[1:]
]


def folded(cell):
    return [" ".join(words_of(word)) for word in listed(cell)]


def test_every_row_is_of_the_category_whose_path_it_has():
    paths = {row["id"]: row["path_v3"] or row["path_v2"] for row in knowledge_rows("content_categories.tsv")}
    assert {row["id"]: row["path"] for row in ROWS} == {row["id"]: paths[row["id"]] for row in ROWS}


def test_every_row_has_words_that_can_be_found_each_once():
    for row in ROWS:
        words = folded(row["decides"]) + folded(row["against"])
        assert len(folded(row["decides"])) >= LEAST_WORDS, row["path"]
        assert [word for word, count in Counter(words).items() if count > 1] == [], row["path"]
        assert [word for word in words if not 1 <= len(word.split()) <= LONGEST] == [], row["path"]


def test_a_word_that_three_siblings_say_decides_for_none_but_the_one_that_it_names():
    found = defaultdict(list)
    for row in ROWS:
        parent, _, name = row["path"].rpartition(" > ")
        for word in folded(row["decides"]):
            if word not in " ".join(words_of(name)):
                found[parent, word].append(name)
    assert {place: names for place, names in found.items() if len(names) >= SHARED} == {}


def test_the_file_is_made_from_the_table():
    assert is_compiled(SIBLINGS, TABLES), "run python -m toolkit.service.knowledge"
    read, built = load_siblings(), Siblings.built()
    text = " ".join(text for text, *_ in CLAIMED)
    np.testing.assert_array_equal(read.decided(text), built.decided(text))


@pytest.mark.parametrize(("text", "right", "wrong"), CLAIMED)
def test_words_that_only_one_sibling_says_decide(text, right, wrong):
    ids, scores = score([text])
    found = dict(zip(ids, scores[0].tolist(), strict=True))
    taxonomy = Taxonomy.load("content-v2")
    other = taxonomy.by_path(wrong).id
    branch = (other, *(category.id for category in taxonomy.descendants(other)))
    assert found[taxonomy.by_path(right).id] > max(map(found.__getitem__, branch))


def test_what_decides_among_siblings_leaves_the_main_categories_as_they_are():
    hierarchy, chance = load_hierarchy("content-v3"), np.random.default_rng(7)
    scores, terms, decided = chance.normal(0, 0.3, (3, len(hierarchy.ids)))
    tops = hierarchy.tiers == 1
    likened = chance.normal(0, 1, int(tops.sum()))
    without = hierarchy.shares(scores, terms, np.zeros_like(decided), likened)
    np.testing.assert_allclose(hierarchy.shares(scores, terms, decided, likened)[tops], without[tops])


def test_what_decides_for_a_category_decides_for_all_below_it():
    page = page_from_text("The film, a sequel, opened to a strong box office; its director, known from Hollywood, won.")
    found, taxonomy = load_siblings().decided(page.opening), Taxonomy.load("content-v2")
    order = [row["id"] for row in knowledge_rows("content_categories.tsv")]
    movies = next(row for row in ROWS if row["path"].split(" > ")[-1] == "Movies")
    below = [category.id for category in taxonomy.descendants(movies["id"])]
    assert below
    assert {found[order.index(identifier)] for identifier in below} == {found[order.index(movies["id"])]}
    assert found[order.index(movies["id"])] > 0


def test_a_text_without_such_words_is_decided_by_nothing():
    assert not load_siblings().decided("Of all that, nothing whatsoever was said.").any()
    assert confidences(page_from_text("Of all that, nothing whatsoever was said."), "content-v3")
