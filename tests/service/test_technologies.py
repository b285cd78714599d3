"""Technologies found by a look for fixed texts first are those that a search of every pattern finds."""

import pickle
import random
import re
from re import _parser

import pytest
from cases import offenders
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.knowledge.marks import Marks, fixed_texts
from toolkit.service.pages.fetching import Fetched
from toolkit.service.pages.parsed import parse_page
from toolkit.service.pages.technologies import find_technologies
from toolkit.service.samples import _root

RULES = [row for row in knowledge_rows("technologies.tsv") if row["where"] in {"html", "script"}]
IN_SOURCE = [row for row in RULES if row["where"] == "html"]
FLAGS = re.IGNORECASE | re.MULTILINE | re.ASCII


def searched(page, source):
    """Every pattern searched in all of its place."""
    places = {"html": source, "script": "\n".join(page.scripts)}
    return {row["name"] for row in RULES if re.search(row["pattern"], places[row["where"]], FLAGS)}


def finds_what_matches(row):
    """Check that a text made from the pattern of a row is found to be of its technology."""

    # Without a search for the shortest text: that takes minutes where many rows are at fault.
    @settings(max_examples=5, phases=[Phase.generate])
    @given(st.from_regex(re.compile(row["pattern"], FLAGS)))
    def check(text):
        assert Marks([fixed_texts(row["pattern"])]).candidates(text.lower()) == [0]
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
        (r"(?:big|small)kites", (("bigkites",), ("smallkites",))),
        (r"(big|small)?(?:kites)+(?=fly)(?!not)fly", (("kites", "fly"),)),
        (r"(?:[a-z]|big)kites", (("kites",), ("bigkites",))),
        (r"kites?\d+\(fly", (("(fly", "kite"),)),
        (r"[kK]ites{0,2}x+y", (("ite",),)),
        (r"\bab", ((),)),
        (r"kites\x41bc|\d", (("kites",), ())),
        ("", ((),)),
    ],
)
def test_the_fixed_texts_of_a_pattern(pattern, needed):
    assert fixed_texts(pattern) == needed


def test_a_pattern_with_too_many_ways_to_match_is_still_told_by_what_all_of_them_have():
    ways = fixed_texts("(?:red|blue) " * 9 + r"\d kites")
    assert len(ways) < 100
    assert all("kites" in " ".join(texts) for texts in ways)


def test_a_pattern_without_fixed_texts_is_always_searched():
    assert Marks([fixed_texts(r"\d+"), fixed_texts("kites")]).candidates("no digits") == [0]


def test_of_many_lists_of_texts_those_are_candidates_that_a_text_has_all_of_a_way_of():
    marks = Marks([fixed_texts(pattern) for pattern in ("kites|dragons", r"kites\d+strings", "(?:red|blue) balloon")])
    assert marks.candidates("the dragons") == [0]
    assert marks.candidates("kites 12 strings, a blue balloon") == [0, 1, 2]
    assert marks.candidates("balloon") == []
    assert marks.candidates("") == []
    assert Marks([]).candidates("kites") == []


def test_no_pattern_reaches_as_far_as_it_is_searched_around_its_texts():
    far = {row["pattern"] for row in RULES if _parser.parse(row["pattern"]).getwidth()[1] >= 500}
    assert far == set()


def marks_of(row, draw):
    """Some texts that the pattern of a row matches, and some that nearly do."""
    found = []

    @settings(max_examples=3, phases=[Phase.generate], database=None)
    @given(
        st.from_regex(
            re.compile(row["pattern"], FLAGS | re.ASCII), fullmatch=True, alphabet=st.characters(max_codepoint=126)
        )
    )
    def collect(text):
        found.extend((text, text[1:], text[:-1], text[: len(text) // 2] + " " + text[len(text) // 2 :]))

    collect()
    return draw.sample(found, min(len(found), 4))


def test_marks_anywhere_in_a_long_page_are_found_as_by_a_search_of_every_pattern():
    draw = random.Random(5)  # noqa: S311 - the same pages every time
    filling = "".join(f'<a class="m-{n}" href="/{n}">größer window.n{n}({{config:{n}}}) 日本</a>' for n in range(250))
    texts = [text for row in IN_SOURCE for text in marks_of(row, draw)]
    draw.shuffle(texts)
    seen = set()
    for at in range(0, len(texts), 12):
        source = filling
        for text in texts[at : at + 12]:
            # Side by side, at the ends, or far from each other.
            place = draw.choice((0, 490, 500, 510, len(source), draw.randrange(len(source))))
            source = source[:place] + text + source[place:]
        wanted = {row["name"] for row in IN_SOURCE if re.search(row["pattern"], source, FLAGS)}
        assert {name for name, _ in find_technologies(source, (), {}, {})} == wanted
        seen |= wanted
    assert len(seen) > 40


def test_what_the_end_of_a_searched_part_cuts_off_is_not_taken_for_a_match():
    """The pattern wants a word's end, which the second text has not; it stands where a first search would end."""
    for gap in range(470, 500):
        source = "pbjs.queue" + "x" * gap + " pbjs.queue" + " " * 2000
        assert find_technologies(source, (), {}, {}) == ()
        assert find_technologies(source + "pbjs.que.push", (), {}, {}) == (("Prebid.js", "Advertising"),)


def test_a_page_that_is_kept_has_its_technologies_and_no_source():
    source = b'<script src="/wp-content/a.js"></script><p>Kites fly best in a steady wind.</p>'
    page = parse_page(Fetched("https://kites.example/", {}, source, "text/html", None))
    assert b"wp-content" in page.source
    kept = pickle.loads(pickle.dumps(page))
    assert kept.technologies == page.technologies == (("WordPress", "CMS"),)
    assert kept.source == page.source == b""
    assert kept.links == page.links
