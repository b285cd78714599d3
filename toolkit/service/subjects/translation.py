"""Pages in other languages, in the words of the knowledge: word by word, by a dictionary; other words are left out."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from toolkit.service.knowledge.dictionary import LANGUAGES, load_dictionary

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["Translation", "is_translated", "translation", "understood"]


@dataclass(frozen=True, slots=True)
class Translation:
    """The words of a text that are known, in English and in order."""

    text: str
    #: Start in `text` of the English for each known word, ascending, and where that word stands in the original.
    starts: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    #: The different words of the original that are known.
    words: frozenset[str]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return where in the original stands what a part of the translation is made of."""
        places = self.origins(start, end)
        return places[0][0], places[-1][1]

    def origins(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """Return where each known word stands in the original of which a part of the translation is made."""
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        return self.places[first : last + 1]


def is_translated(page: Page) -> bool:
    """Tell whether a page is in a language that has a dictionary."""
    return page.detected_language in LANGUAGES


# Categories, codes and explanations ask about the same parts of a page.
@lru_cache(maxsize=64)
def translation(text: str, language: str) -> Translation:
    """Translate a text from one of the languages that have a dictionary.

    >>> translation("Der Torwart hielt den Elfmeter", "de").text
    'goalkeeper penalty'
    """
    english: list[str] = []
    words: set[str] = set()
    starts: list[int] = []
    places: list[tuple[int, int]] = []
    length = 0
    for start, end, terms in load_dictionary(language).find(text):
        starts.append(length)
        places.append((start, end))
        words.add(text[start:end].lower())
        english.extend(terms)
        length += sum(map(len, terms)) + len(terms)
    return Translation(" ".join(english), tuple(starts), tuple(places), frozenset(words))


@lru_cache(maxsize=16)
def understood(page: Page) -> Page:
    """Return a page as the knowledge reads it: one in a language with a dictionary translated, any other as it is."""
    if not is_translated(page):
        return page

    def english(text: str) -> str:
        return translation(text, page.detected_language).text

    return replace(
        page,
        title=english(page.title),
        description=english(page.description),
        headings=tuple(map(english, page.headings)),
        keywords=tuple(map(english, page.keywords)),
        text=english(page.opening),
    )
