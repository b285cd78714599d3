"""What is searched in a page is found wherever it is, though most searches are spared."""

import re
from importlib import import_module
from pkgutil import iter_modules

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.judged import written_pages
from toolkit.service import readers, subjects
from toolkit.service.knowledge.marks import may_match, standing_in
from toolkit.service.pages.parsed import page_from_text
from toolkit.service.subjects import wording


def patterns():
    for package in (readers, subjects):
        for module in iter_modules(package.__path__):
            for name, value in vars(import_module(f"{package.__name__}.{module.name}")).items():
                if isinstance(value, re.Pattern) and not value.flags & re.VERBOSE:
                    yield pytest.param(value, id=f"{module.name}{name}")


@pytest.fixture(scope="module")
def texts():
    return [page["main"] for page in written_pages("english")[::12]]


@pytest.mark.parametrize("pattern", list(patterns()))
def test_a_pattern_that_may_not_match_does_not(pattern, texts):
    for text in texts:
        assert may_match(pattern, text) or not pattern.search(text)


PARTS = (
    "kite",
    "KITES",
    "K",
    "\N{KELVIN SIGN}",
    "ſ",
    "s",
    "İ",
    "ı",
    "i",
    "I'm",
    "I’m",
    "-",
    "$",
    "£",
    " ",
    "\n",
    "é",
    "É",
)


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
def test_letters_of_all_kinds_are_taken_for_what_the_pattern_takes_them(text):
    for source in ("kites?", "is", "[$£]k|-i", "(?:I'm|é) ?k", r"\bk.{1,3}i\b", "(?P<one>kite){2,4}s"):
        pattern = re.compile(source, re.IGNORECASE)
        assert may_match(pattern, text) or not pattern.search(text)


def test_a_pattern_is_spared_where_its_words_are_not():
    assert not may_match(re.compile(r"\b(?:kites?|dragons?)\b", re.IGNORECASE), "Boots for wide feet")


@given(st.lists(st.sampled_from((*PARTS, "free", "gift")), max_size=12).map("".join))
@settings(max_examples=200)
def test_words_that_stand_in_a_text(text):
    words = ("kite", "free", "tk", "gift", "s")
    assert standing_in(text, words) == [word for word in words if word in text.lower()]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("She was late. He knew it.\nThey went home", 3),
        ("She  was late.  He knew it.", 1),
        ("At last she\nwas late", 0),
        ("the cache was cold", 0),
        ("it stood, I sat; he  lay", 2),
    ],
)
def test_what_persons_did_is_counted_wherever_it_stands(text, number):
    assert wording._past(page_from_text(text)) == len(wording._PAST.findall(text)) == number
