"""Technologies found by a look for fixed texts first are those that a search of every pattern finds."""

import re

import pytest
from cases import offenders
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.knowledge.marks import fixed_texts, may_match
from toolkit.service.pages.fetching import Fetched
from toolkit.service.pages.parsed import parse_page
from toolkit.service.pages.technologies import find_technologies
from toolkit.service.samples import _root

RULES = [row for row in knowledge_rows("technologies.tsv") if row["where"] in {"html", "script"}]
FLAGS = re.IGNORECASE | re.MULTILINE | re.ASCII


def searched(page, source):
    """Every pattern searched in all of its place."""
    places = {"html": source, "script": "\n".join(page.scripts)}
    return {row["name"] for row in RULES if re.search(row["pattern"], places[row["where"]], FLAGS)}


def finds_what_matches(row):
    """Check that a text made from the pattern of a row is found to be of its technology."""

    # Without a search for the shortest text: that takes minutes where many rows are at fault.
    @settings(deadline=None, derandomize=True, max_examples=5, phases=[Phase.generate])
    @given(st.from_regex(re.compile(row["pattern"], FLAGS)))
    def check(text):
        assert may_match(fixed_texts(row["pattern"]), text.lower())
        found = (
            find_technologies(text, (), {}, {}) if row["where"] == "html" else find_technologies("", (text,), {}, {})
        )
        assert row["name"] in {name for name, _ in found}

    check()


@pytest.mark.parametrize("part", range(4))
def test_what_a_pattern_matches_is_found(part):
    assert offenders(finds_what_matches, [(row,) for row in RULES[part::4]]) == []


def test_the_sample_pages_have_the_technologies_that_a_search_finds():
    seen = 0
    for file in sorted(_root().rglob("index.html")):
        source = file.read_bytes()
        page = parse_page(Fetched("https://kites.example/", {}, source, "text/html", None))
        found = {name for name, _ in page.technologies}
        # Meta tags show some of them too.
        stated = {row["name"] for row in knowledge_rows("technologies.tsv") if row["where"].startswith("meta:")}
        assert searched(page, source.decode()) <= found <= searched(page, source.decode()) | stated
        seen += len(found)
    assert seen > 50


@pytest.mark.parametrize(
    ("pattern", "needed"),
    [
        ("kites", (("kites",),)),
        ("kites|dragons", (("kites",), ("dragons",))),
        (r"(?:big|small)?kites\.com", (("kites.com",),)),
        (r"kites?\d+\(fly", (("(fly", "kite"),)),
        (r"[kK]ites{0,2}x+y", (("ite",),)),
        (r"\bab", ((),)),
        (r"kites\x41bc|\d", (("kites",), ())),
        ("", ((),)),
    ],
)
def test_the_fixed_texts_of_a_pattern(pattern, needed):
    assert fixed_texts(pattern) == needed


def test_a_pattern_without_fixed_texts_is_always_searched():
    assert may_match(fixed_texts(r"\d+"), "no digits")
