"""What a page's words say for one entry of a knowledge file: reasons, marks in the text, and passages.

What is said adds up: the amounts of all reasons are the score by which the entries were ranked.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from toolkit.service.subjects.content import page_parts
from toolkit.service.why.attribution import attribute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolkit.service.knowledge.matching import Matcher
    from toolkit.service.pages.parsed import Page
    from toolkit.service.subjects.content import Part
    from toolkit.service.why.attribution import Attribution

__all__ = ["Mark", "Passage", "Reason", "Wording", "wording"]

#: A sentence or a line, with its end.
_PASSAGE: Final = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_MOST_WORDS: Final = 12
_MOST_PASSAGES: Final = 5
_MOST_MARKS: Final = 250
#: Words that speak less than this share of the strongest one are not marked.
_MARKED_SHARE: Final = 0.08


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that spoke for or against."""

    #: ``term`` (a term of the knowledge that stands in the page), ``meaning`` (a word near in meaning), ``category`` (a
    #: content category of the page), ``branch`` (that several categories below agree), ``signal`` (a phrase mapped onto
    #: the code), ``words`` (a group of words of the page evidence), ``prior`` (what is known of a category's readers),
    #: ``price`` (the page's price signals), ``page`` (what the page is made of) or ``rest`` (all that is too small to
    #: be listed).
    kind: str
    #: The term, word, category path, phrase or value.
    text: str
    #: ``head`` (title, description, headings, keywords), ``text`` (main text) or ``page``.
    where: str
    #: How often it stands there; 0 where counting says nothing.
    count: int
    #: What it adds to the score.
    amount: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A word or term in a part of the page, from start to end, and what it adds to the score."""

    where: str
    start: int
    end: int
    amount: float


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence or line of a part of the page, and what its words and terms add to the score."""

    where: str
    start: int
    end: int
    text: str
    amount: float


@dataclass(frozen=True, slots=True)
class Wording:
    """All that the words of a page say for an entry; the amounts of `reasons` add up to the score."""

    reasons: tuple[Reason, ...]
    marks: tuple[Mark, ...]
    passages: tuple[Passage, ...]


def wording(matcher: Matcher, page: Page, identifier: str, scale: float = 1.0) -> Wording:
    """Take a page's nearness to an entry apart; `scale` is what the nearness counts in the score that is explained."""
    reasons: list[Reason] = []
    marks: list[Mark] = []
    passages: list[Passage] = []
    for part in page_parts(page):
        found = attribute(matcher, part.text, identifier)
        reasons += _reasons(part, found, scale * part.share)
        here = _marks(part, found, scale * part.share)
        passages += _passages(part, here)
        marks += here
    strongest = max((mark.amount for mark in marks), default=0.0)
    told = [mark for mark in marks if mark.amount > 0 and mark.amount >= _MARKED_SHARE * strongest]
    told = sorted(told, key=lambda mark: -mark.amount)[:_MOST_MARKS]
    return Wording(
        reasons=tuple(reasons),
        marks=tuple(sorted(told, key=lambda mark: (mark.where, mark.start, -mark.end))),
        passages=tuple(sorted(passages, key=lambda passage: -passage.amount)[:_MOST_PASSAGES]),
    )


def _reasons(part: Part, found: Attribution, scale: float) -> Iterator[Reason]:
    for hit in found.hits:
        yield Reason("term", hit.term, part.where, len(hit.spans), scale * hit.amount)
    amounts: defaultdict[str, float] = defaultdict(float)
    counts: Counter[str] = Counter()
    for start, end, amount in found.words:
        word = part.text[start:end].lower()
        amounts[word] += scale * amount
        counts[word] += 1
    listed = sorted(amounts, key=lambda word: -amounts[word])[:_MOST_WORDS]
    for word in listed:
        if amounts[word] > 0:
            yield Reason("meaning", word, part.where, counts[word], amounts.pop(word))
    yield Reason("rest", "all other words", part.where, 0, scale * found.background + sum(amounts.values()))


def _marks(part: Part, found: Attribution, scale: float) -> list[Mark]:
    amounts = {(start, end): scale * amount for start, end, amount in found.words}
    for hit in found.hits:
        for span in hit.spans:
            amounts[span] = amounts.get(span, 0.0) + scale * hit.amount / len(hit.spans)
    return [Mark(part.where, start, end, amount) for (start, end), amount in amounts.items()]


def _passages(part: Part, marks: Iterable[Mark]) -> Iterator[Passage]:
    bounds = [found.span() for found in _PASSAGE.finditer(part.text)]
    pending = sorted(marks, key=lambda mark: mark.start)
    place = 0
    for start, end in bounds:
        amount = 0.0
        while place < len(pending) and pending[place].start < end:
            amount += pending[place].amount
            place += 1
        text = part.text[start:end]
        if amount > 0 and text.strip():
            yield Passage(part.where, start, end, text.strip(), amount)
