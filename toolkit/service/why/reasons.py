"""What a page's words say for one entry of a knowledge file: reasons, marks in the text, and passages.

What is said adds up: the amounts of all reasons are the score by which the entries were ranked.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from toolkit.service.subjects.parts import page_parts
from toolkit.service.why.attribution import attribute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolkit.service.knowledge.matching import Matcher
    from toolkit.service.pages.parsed import Page
    from toolkit.service.subjects.parts import Part
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
    #: ``head`` (title, description, sections, headings, keywords), ``text`` (main text) or ``page``.
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
    words: defaultdict[tuple[str, str, str], _Said] = defaultdict(_Said)
    amounts: defaultdict[tuple[str, int, int], float] = defaultdict(float)
    rest: defaultdict[str, float] = defaultdict(float)
    parts = page_parts(page)
    for part in parts:
        found = attribute(matcher, part.text, identifier)
        rest[part.where] += scale * part.share * found.background
        for kind, term, spans, amount in _spoken(part, found):
            said = words[kind, term, part.where]
            said.amount += scale * part.share * amount
            said.spans.update(spans)
            for span in spans:
                amounts[part.where, *span] += scale * part.share * amount / len(spans)
    marks = [Mark(*place, amount) for place, amount in amounts.items()]
    texts = {part.where: part.original for part in parts}
    passages = [passage for where, text in texts.items() for passage in _passages(where, text, marks)]
    strongest = max((mark.amount for mark in marks), default=0.0)
    told = [mark for mark in marks if mark.amount > 0 and mark.amount >= _MARKED_SHARE * strongest]
    told = sorted(told, key=lambda mark: -mark.amount)[:_MOST_MARKS]
    return Wording(
        reasons=tuple(_reasons(words, rest)),
        marks=tuple(sorted(told, key=lambda mark: (mark.where, mark.start, -mark.end))),
        passages=tuple(sorted(passages, key=lambda passage: -passage.amount)[:_MOST_PASSAGES]),
    )


@dataclass(slots=True)
class _Said:
    """What a word or term adds to the score, and where in the page it stands."""

    amount: float = 0.0
    spans: set[tuple[int, int]] = field(default_factory=set)


def _spoken(part: Part, found: Attribution) -> Iterator[tuple[str, str, list[tuple[int, int]], float]]:
    """Yield kind, text, places in the page and amount of each term, and of each word as the page writes it."""
    for hit in found.hits:
        yield "term", hit.term, [part.origin(*span) for span in hit.spans], hit.amount
    for start, end, amount in found.words:
        first, last = part.origin(start, end)
        yield "meaning", part.original[first:last].lower(), [(first, last)], amount


def _reasons(words: Mapping[tuple[str, str, str], _Said], rest: Mapping[str, float]) -> Iterator[Reason]:
    left = defaultdict(float, rest)
    heard: Counter[str] = Counter()
    for (kind, text, where), said in sorted(words.items(), key=lambda item: -item[1].amount):
        if kind == "term":
            yield Reason(kind, text, where, len(said.spans), said.amount)
        elif said.amount > 0 and heard[where] < _MOST_WORDS:
            heard[where] += 1
            yield Reason(kind, text, where, len(said.spans), said.amount)
        else:
            left[where] += said.amount
    for where, amount in left.items():
        yield Reason("rest", "all other words", where, 0, amount)


def _passages(where: str, text: str, marks: Iterable[Mark]) -> Iterator[Passage]:
    bounds = [found.span() for found in _PASSAGE.finditer(text)]
    pending = sorted((mark for mark in marks if mark.where == where), key=lambda mark: mark.start)
    place = 0
    for start, end in bounds:
        amount = 0.0
        while place < len(pending) and pending[place].start < end:
            amount += pending[place].amount
            place += 1
        passage = text[start:end]
        if amount > 0 and passage.strip():
            yield Passage(where, start, end, passage.strip(), amount)
