"""What kind of page it is: content type, reading level, and price signals."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.service.knowledge.pieces import numbers_in, words_in, written
from toolkit.service.readers.kinds.content_type import UNTOLD
from toolkit.service.readers.kinds.content_type import content_type as told_type
from toolkit.service.readers.prices import price_signals
from toolkit.service.subjects.examples import shares_for_firms
from toolkit.service.subjects.notices import is_notice
from toolkit.service.subjects.site_words import sells
from toolkit.service.subjects.things import offers_job

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from toolkit.service.pages.parsed import Page
    from toolkit.service.subjects.content import Scored

__all__ = ["Context", "read_context"]

_STOPS: Final = (".", "!", "?", "。", "！", "？")
_SENTENCE: Final = re.compile(rf"[{''.join(_STOPS)}]+[\s\"'”’)]")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_VOWEL: Final = re.compile(r"[aeiouyáàâäãéèêëíìîïóòôöõúùûüœæ]", re.IGNORECASE)
#: The first of the characters behind which none is a vowel.
_BEYOND_VOWELS: Final = 0x180
#: Types of pages that tell of things and offer none: the sums that they mention are nobody's prices.
_TELLING: Final = frozenset({"article", "news", "blog", "documentation", "fiction", "forum", "guide", "reference"})
#: Types of pages of those who serve, and sell no goods there.
_SERVING: Final = frozenset({"corporate", "landing_page", "event_page"})
#: Words from which a page whose kind nothing tells is a piece of writing unless it sells.
_LONG: Final = 250
_MOST_READ: Final = 20_000
#: Flesch-Kincaid grades above which a text is intermediate, advanced, expert.
_GRADES: Final = ((16.5, "expert"), (12.0, "advanced"), (6.5, "intermediate"))
#: How likely people at work must read documentation, they alone or others too, that is not basic.
_AT_WORK: Final = 0.5


@dataclass(frozen=True, slots=True)
class Context:
    """The content context block, each value from its enumeration."""

    #: Values of these fields.
    content_type: str
    #: None for a text that is not English.
    reading_level: str | None
    price_signals: str
    #: What decided each field, in words.
    grounds: dict[str, str] = field(default_factory=dict)


def read_context(page: Page, categories: tuple[Scored, ...] = ()) -> Context:
    """Tell what kind of page it is; its content categories (v3) tell what is dear.

    The content type is from structured data, then the path, then the page's make-up; the reading level from the
    Flesch-Kincaid grade (sentence length and syllables), which is measured on English alone and missing for other
    languages, but that what is documented for people at work is not basic, however short its sentences are; price
    signals from the prices of goods on offer and their wording.
    """
    content_type, type_ground = told_type(page)
    level, level_ground = _reading_level(page.text) if page.is_english else (None, "the text is not English")
    if level == "basic" and content_type == "documentation" and _is_read_at_work(page):
        level, level_ground = "intermediate", f"{level_ground}; documentation for people at work"
    # A page whose kind nothing tells offers something if it is short or words it, and else tells of something.
    is_offering = type_ground in UNTOLD and (page.tokens < _LONG or sells(page.text))
    # What a job pays is no price.
    tells = (content_type in _TELLING and not is_offering) or is_notice(page) or bool(offers_job(page))
    serves = content_type in _SERVING
    prices, price_ground = price_signals(page, categories, offers=not tells, serves=serves)
    grounds = {"content_type": type_ground, "reading_level": level_ground, "price_signals": price_ground}
    return Context(content_type, level, prices, grounds)


def _is_read_at_work(page: Page) -> bool:
    likely = shares_for_firms(page)
    return likely.get("yes", 0.0) + likely.get("both", 0.0) >= _AT_WORK


def _reading_level(text: str) -> tuple[str, str]:
    rows = written(text[:_MOST_READ]).rows(_readable, np.intp, 5)
    words, syllables, sentences, *_ = rows.sum(axis=0).tolist()
    if not words:
        return "basic", "no words"
    # The end of a line, or of the text, ends a sentence unless a stop before it has done so.
    begins, stops = rows[:, 3], rows[:, 4]
    sentences += int((begins[1:] * (1 - stops[:-1])).sum()) + int(1 - stops[-1])
    grade = 0.39 * words / sentences + 11.8 * syllables / words - 15.59
    level = next((level for least, level in _GRADES if grade >= least), "basic")
    return level, f"school grade {grade:.1f}: {words / sentences:.0f} words a sentence"


def _readable(pieces: Sequence[str]) -> NDArray[np.intp]:
    """Return the words, syllables and stops of pieces, whether a line begins there, and whether a stop ends them."""
    words = words_in(_WORD, pieces)
    found = np.zeros((len(pieces), 5), dtype=np.intp)
    found[:, 0] = np.fromiter(map(len, words), np.intp, len(words))
    places = np.arange(len(pieces)).repeat(found[:, 0])
    found[:, 1] = np.bincount(places, _syllables(list(chain.from_iterable(words))), len(pieces))
    others = [place for place, piece in enumerate(pieces) if not piece.isalpha()]
    signed = [pieces[place] for place in others]
    found[others, 2] = numbers_in(_SENTENCE, [f"{piece} " for piece in signed])
    found[others, 3] = [piece.startswith("\n") for piece in signed]
    found[others, 4] = [piece.endswith(_STOPS) for piece in signed]
    return found


def _syllables(words: Sequence[str]) -> NDArray[np.intp]:
    """Return how many groups of vowels words have, one at least: all told at once, as there are hundreds of a page."""
    # What stands before each word is no letter.
    letters = np.frombuffer("".join([f"\0{word}" for word in words]).encode("utf-32-le"), dtype="<u4")
    is_vowel = _vowels().take(letters, mode="clip")
    begins = is_vowel.copy()
    begins[1:] &= ~is_vowel[:-1]
    found: NDArray[np.intp] = np.bincount(((letters == 0).cumsum() - 1)[begins], minlength=len(words))
    return np.maximum(found, 1)


@cache
def _vowels() -> NDArray[np.bool_]:
    """Tell of each character up to the last vowel, and of all behind it as of one, whether it is one."""
    characters = "".join(map(chr, range(_BEYOND_VOWELS)))
    found = np.zeros(_BEYOND_VOWELS + 1, dtype=np.bool_)
    found[[place for place, character in enumerate(characters) if _VOWEL.match(character)]] = True
    return found
