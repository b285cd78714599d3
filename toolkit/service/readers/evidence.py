"""Where the words of an evidence table stand in a page: in how many places, and whether its readers are spoken to."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from toolkit.service.knowledge.lexicon import count_terms, words_of
from toolkit.service.knowledge.marks import places_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.service.pages.parsed import Page

__all__ = ["Spoken", "spoken_words"]

_SENTENCE: Final = re.compile(r"[^.!?\n]+")
#: What stands before a part of another word, and behind one.
_GLUED: Final = re.compile(r"[\w'-]")
_GOES_ON: Final = re.compile(r"[\w-]")
_YOU: Final = re.compile(r"\b(?:you|your|yours|yourself|yourselves)\b")
#: Words that begin with a capital only where they are names, or the whole line is written so.
_LONG_WORD: Final = re.compile(r"\b[^\W\d_]{4,}")
#: Share of long words with a capital from which a line is a heading, in which capitals make no names.
_HEADING: Final = 0.75


@dataclass(frozen=True, slots=True)
class Spoken:
    """How a page speaks the words of a group; what is said twice in the same words stands in one place."""

    #: Those of the words that the page says.
    terms: tuple[str, ...] = ()
    count: int = 0
    #: Different sentences that have one of them, and how many of these speak to "you".
    places: int = 0
    addressed: int = 0
    in_title: bool = False


_UNSAID: Final = Spoken()


@dataclass(frozen=True, slots=True)
class _Text:
    """The own words of a page, also in lower case, with where its sentences begin and end."""

    written: str
    lowered: str
    bounds: tuple[tuple[int, int], ...]
    title: str

    def sentence(self, number: int) -> str:
        """Return a sentence in lower case."""
        start, end = self.bounds[number]
        return self.lowered[start:end].strip()


@dataclass(frozen=True, slots=True)
class _Mention:
    sentence: int
    in_heading: bool
    is_name: bool


def spoken_words(page: Page, groups: tuple[tuple[str, ...], ...]) -> Iterator[Spoken]:
    """Yield how a page speaks each group of words.

    A word is found as it is written, or with an ``s``: never shortened, so that "womens" is no "women". One that
    begins with a capital within a sentence is a name, and no evidence.
    """
    text = _text_of(page.title, page.stated)
    spellings, folded = _folded(groups)
    present = {term for found in count_terms(folded, *page.stated) for term in spellings[found]}
    for terms in groups:
        if present.isdisjoint(terms):
            yield _UNSAID
            continue
        found = {term: places for term in terms if term in present and (places := _places(text, term))}
        sentences = {text.sentence(place) for places in found.values() for place in places}
        yield Spoken(
            terms=tuple(found),
            count=sum(map(len, found.values())),
            places=len(sentences),
            addressed=sum(1 for sentence in sentences if _YOU.search(sentence)),
            in_title=any(sentence in text.title for sentence in sentences),
        )


def _places(text: _Text, term: str) -> tuple[int, ...]:
    """Return the sentences in which a page says a term, one a mention; none where it is the name of something."""
    mentions = [_mention(text, start) for start in _starts(text.lowered, term)]
    told = [mention for mention in mentions if not mention.in_heading]
    if told and sum(mention.is_name for mention in told) * 2 > len(told):
        return ()
    return tuple(mention.sentence for mention in mentions if not mention.is_name)


def _mention(text: _Text, at: int) -> _Mention:
    sentence = max(bisect_right(text.bounds, at, key=itemgetter(0)) - 1, 0)
    start, end = text.bounds[sentence]
    is_first = not text.lowered[start:at].strip(" \"'“”‘’(-•*")
    in_heading = _is_heading(text.written[start:end])
    written = text.written[at : at + 2]
    has_capital = written[:1].isupper() and not written[1:].isupper()
    return _Mention(sentence, in_heading, has_capital and not is_first and not in_heading)


# Demographics and firms ask about the same page.
@lru_cache(maxsize=8)
def _text_of(title: str, stated: tuple[str, ...]) -> _Text:
    written = "\n".join(stated).replace("’", "'")
    # Some capitals are longer in lower case; where they are, names cannot be told.
    lowered = written.lower()
    written = written if len(written) == len(lowered) else lowered
    bounds = tuple(found.span() for found in _SENTENCE.finditer(written)) or ((0, 0),)
    return _Text(written, lowered, bounds, title=title.replace("’", "'").lower())


def _is_heading(sentence: str) -> bool:
    words: list[str] = _LONG_WORD.findall(sentence)
    return sum(word[0].isupper() for word in words[1:]) >= _HEADING * max(len(words) - 1, 1)


def _starts(text: str, term: str) -> Iterator[int]:
    """Yield where a term stands in a text, by itself or with an "s"."""
    places = places_of(term, text, _GOES_ON, ending="s")
    return (start for start in places if not (start and _GLUED.match(text, start - 1)))


@cache
def _folded(groups: tuple[tuple[str, ...], ...]) -> tuple[dict[str, set[str]], frozenset[str]]:
    """Return all terms by how they are folded, as which a page's words are counted already, and how all are folded."""
    found: dict[str, set[str]] = {}
    for term in chain.from_iterable(groups):
        found.setdefault(" ".join(words_of(term)), set()).add(term)
    return found, frozenset(found)
