"""What a page's words say for one entry of a knowledge file: reasons in the page's own words, marks, and passages.

A reason is a word or phrase as it stands on the page, with its forms and all its places in title and text; what the
knowledge finds in it (a term of the entry, its meaning, that it decides among siblings, a phrase mapped onto a code) is
added up. What is said adds up: the amounts of all reasons are the score by which the entries were ranked.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from toolkit.service.knowledge.lexicon import knowledge_words, word_spans, words_of
from toolkit.service.subjects.parts import page_parts
from toolkit.service.why.attribution import attribute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolkit.service.knowledge.matching import Matcher
    from toolkit.service.pages.parsed import Page
    from toolkit.service.subjects.parts import Part

__all__ = ["POOLED", "Mark", "Passage", "Place", "Reason", "Wording", "found_words", "wording"]

#: A sentence or a line, with its end. A full stop ends none inside a number, a host or an abbreviation ("3.5%", "e.g.")
#: and none after an initial ("J. Smith") or a title.
_PASSAGE: Final = re.compile(
    r"(?:[^.!?。！？\n]+|\.(?=[a-z0-9])|(?<=\b[^\W\d_])\.(?=[^\W\d_]|\s)|(?<=\b(?:Mr|Ms|Dr|St|vs))\.|(?<=\bMrs)\.)+"
    r"[.!?。！？]*"
)
_WORD: Final = re.compile(r"[^\W_]+(?:['’&.+\u00ad-][^\W_]+)*\+*")
#: What parts sentences: no phrase goes over it.
_PARTS: Final = re.compile(r"[\n|•·;:!?。！？]|[.,]\s")
#: Scripts without spaces, of which a word ends where the dictionary says.
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff々\u0e00-\u0e7f]")
#: Beginning of a word that would double its last letter before an ending: of "caring" it is not "car".
_SHORT: Final = re.compile(r"[^aeiou]?[^aeiou][aeiou][^aeiouwxy]\Z")
_LONGEST_PHRASE: Final = 4
#: Letters with which the forms of a word begin alike.
_BEGINNING: Final = 4
_MOST_PASSAGES: Final = 5
_MOST_MARKS: Final = 250
_MOST_PLACES: Final = 25
_MOST_FORMS: Final = 8
#: Words that speak less than this share of the strongest one are not marked.
_MARKED_SHARE: Final = 0.08

#: Kinds of reasons that add up what is told word by word nowhere: many small words that speak for it, those that speak
#: against it, and what any page gets.
POOLED: Final = ("small", "against", "start")


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a part of the page something stands."""

    where: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that spoke for or against."""

    #: ``word`` (words of the page), ``category`` (a content category of the page), ``branch`` (that several categories
    #: below agree), ``prior`` (what is known of a category's readers), ``stated`` (for whom the page says it is),
    #: ``price`` (the page's price signals), ``page`` (what the page is made of), ``source`` (its source code), or one
    #: of `POOLED`.
    kind: str
    #: The words as they stand, the category's path, or what is said of the page.
    text: str
    #: ``head`` (title, description, sections, headings, keywords), ``text`` (main text), ``both``, or ``page``.
    where: str
    #: How often it stands there; 0 where counting says nothing.
    count: int
    #: What it adds to the score.
    amount: float
    #: Other ways in which the same word stands there, or categories that are added up, strongest first.
    forms: tuple[str, ...] = ()
    #: What it is read as, in English, where the page is in another language.
    sense: str = ""
    places: tuple[Place, ...] = ()
    #: For which value it speaks, where all values of a scale are weighed.
    value: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A word or phrase in a part of the page, from start to end, and what it adds to the score."""

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
    marks: tuple[Mark, ...] = ()
    passages: tuple[Passage, ...] = ()


def wording(
    matcher: Matcher,
    page: Page,
    identifier: str,
    scale: float = 1.0,
    *,
    deciding: Mapping[str, Mapping[str, float]] | None = None,
    phrases: Iterable[tuple[str, float]] = (),
) -> Wording:
    """Take a page's nearness to an entry apart, word by word.

    `scale` is what the nearness counts in the score that is explained. `deciding` has what further words of each part
    add to it, and `phrases` are others with what they add wherever they stand.
    """
    parts = page_parts(page)
    texts: dict[str, _Words] = {part.where: _Words(part) for part in parts}
    start = 0.0
    for part in parts:
        found, words, share = attribute(matcher, part.text, identifier), texts[part.where], scale * part.share
        start += share * found.background
        for hit in found.hits:
            words.add(hit.spans, share * hit.amount)
        for first, last, amount in found.words:
            words.add([(first, last)], share * amount)
        told = (deciding or {}).get(part.where, {})
        places = matcher.lexicon.places(part.text, told)
        for word, amount in told.items():
            words.add(places[word], part.share * amount)
    for phrase, amount in phrases:
        start += amount - _spread(texts, phrase, amount)
    families = _families(texts)
    marks = [Mark(p.where, p.start, p.end, amount) for said in families for p, amount in said.places.items()]
    passages = [p for where, words in texts.items() for p in _passages(where, words.part.original, marks)]
    strongest = max((mark.amount for mark in marks), default=0.0)
    told_marks = [mark for mark in marks if mark.amount > 0 and mark.amount >= _MARKED_SHARE * strongest]
    told_marks = sorted(told_marks, key=lambda mark: -mark.amount)[:_MOST_MARKS]
    return Wording(
        reasons=(*(said.reason() for said in families), Reason("start", "", "page", 0, start)),
        marks=tuple(sorted(told_marks, key=lambda mark: (mark.where, mark.start, -mark.end))),
        passages=tuple(sorted(passages, key=lambda passage: -passage.amount)[:_MOST_PASSAGES]),
    )


def found_words(page: Page, phrases: Iterable[str], amount: float) -> Reason | None:
    """Return the phrases that stand in a page as one reason, in its own words; None where none of them stands there."""
    texts: dict[str, _Words] = {part.where: _Words(part) for part in page_parts(page)}
    wanted = list(phrases)
    for phrase in wanted:
        _spread(texts, phrase, amount / len(wanted))
    said = _Said()
    for family in _families(texts):
        said.join(family)
    return said.reason(amount) if said.places else None


def _spread(texts: Mapping[str, _Words], phrase: str, amount: float) -> float:
    """Give a phrase's amount to where it stands, title or text; returns what was given, all or nothing."""
    wanted = words_of(phrase)
    places = {where: words.spans_of(wanted) for where, words in texts.items()}
    number = sum(map(len, places.values()))
    for where, spans in places.items():
        if spans:
            texts[where].add(spans, amount * len(spans) / number)
    return amount if number else 0.0


class _Words:
    """The words of a part of a page as it is scored, with what each of its places adds, as they stand in the page."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self._amounts: defaultdict[tuple[int, int], float] = defaultdict(float)

    def add(self, spans: Iterable[tuple[int, int]], amount: float) -> None:
        """Give an amount to the places in the text that is scored in which it stands, in equal shares."""
        places = [place for span in spans for place in self._origins(*span)]
        for place in places:
            self._amounts[place] += amount / len(places)

    def spans_of(self, wanted: list[str]) -> list[tuple[int, int]]:
        """Return where in the text that is scored some folded words stand one after the other."""
        spans = word_spans(self.part.text)
        return [
            (spans[at][0], spans[at + len(wanted) - 1][1])
            for at in range(len(spans) - len(wanted) + 1)
            if wanted and all(spans[at + step][2] == word for step, word in enumerate(wanted))
        ]

    def units(self) -> Iterator[tuple[int, int, float]]:
        """Yield start, end and amount of each word or phrase: what stands within a phrase is added to it."""
        spans = [(start, end, end - start) for start, end in self._amounts]
        # A phrase of several words stands for them all.
        taken: list[tuple[int, int]] = []
        for start, end, _ in sorted(spans, key=lambda span: (-span[2], span[0])):
            if all(end <= first or last <= start for first, last in _near(taken, start, end)):
                insort(taken, (start, end))
        amounts: defaultdict[tuple[int, int], float] = defaultdict(float)
        for (start, end), amount in self._amounts.items():
            within = [(a, b) for a, b in _near(taken, start, end) if a < end and start < b]
            for unit in within:
                amounts[unit] += amount / len(within)
        yield from ((*unit, amounts[unit]) for unit in taken)

    def sense(self, start: int, end: int) -> str:
        """Return how a word of the page is read, in English; empty where it is read as it stands."""
        how = self.part.translation
        if how is None:
            return ""
        places = [*enumerate(how.places)]
        ends = [*how.starts[1:], len(how.text) + 1]
        found = [
            how.text[how.starts[at] : ends[at] - 1] for at, (first, last) in places if start <= first and last <= end
        ]
        return " ".join(dict.fromkeys(" ".join(found).split()))

    def _origins(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the whole words of the page of which something is made; a phrase stays one where it stands as one."""
        how, text = self.part.translation, self.part.original
        if how is None:
            phrase = text[start:end]
            inner = list(_WORD.finditer(phrase))
            if len(inner) > _LONGEST_PHRASE or _PARTS.search(phrase):
                return [(start + word.start(), start + word.end()) for word in inner]
            # "Hike in" says no more than "hike".
            said = [word for word in inner if word[0].lower() not in knowledge_words("stop_words.txt")]
            return [(start + said[0].start(), start + said[-1].end())] if said else [(start, end)]
        return list(dict.fromkeys(_whole(text, *place) for place in how.origins(start, end)))


def _near(taken: list[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """Return what of ascending spans that do not overlap one another may touch another span."""
    return taken[max(bisect_left(taken, (start, 0)) - 1, 0) : bisect_left(taken, (end, 0))]


def _whole(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the whole word of which a place in a text is a part: of compounds a part may be known alone."""
    if _UNSPACED.search(text[start:end]):
        return start, end
    while start and (text[start - 1].isalnum() or text[start - 1] == "\u00ad"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "\u00ad"):
        end += 1
    return start, end


@dataclass(slots=True)
class _Said:
    """A word in all its forms: what it adds, how it is spelt, and where in the page it stands."""

    amount: float = 0.0
    sense: str = ""
    spelt: Counter[str] = field(default_factory=Counter)
    places: dict[Place, float] = field(default_factory=dict)

    def join(self, other: _Said) -> None:
        """Take in another one."""
        self.amount += other.amount
        self.sense = self.sense or other.sense
        self.spelt += other.spelt
        self.places |= other.places

    def reason(self, amount: float | None = None) -> Reason:
        """Return it as a reason."""
        forms: dict[str, str] = {}
        for form, _ in sorted(self.spelt.items(), key=lambda item: (-item[1], item[0].isupper(), item[0])):
            forms.setdefault(form.casefold(), form)
        first, *others = forms.values()
        where = {place.where for place in self.places}
        return Reason(
            "word",
            first,
            "both" if len(where) > 1 else where.pop(),
            len(self.places),
            self.amount if amount is None else amount,
            tuple(others[:_MOST_FORMS]),
            self.sense,
            tuple(sorted(self.places, key=lambda place: (place.where, place.start))[:_MOST_PLACES]),
        )


def _families(texts: Mapping[str, _Words]) -> list[_Said]:
    """Return the words of a page, those that are forms of one as one, strongest first."""
    units = [(where, *unit) for where, words in texts.items() for unit in words.units()]
    folded = [tuple(words_of(texts[where].part.original[start:end])) for where, start, end, _ in units]
    known = {word for words in folded for word in words}
    found: defaultdict[tuple[str, ...], _Said] = defaultdict(_Said)
    for (where, start, end, amount), words in zip(units, folded, strict=True):
        sense = texts[where].sense(start, end)
        # What begins alike and is read as the same is the same word; of English, endings tell the forms of verbs.
        beginning = "".join(words)[:_BEGINNING]
        key = (sense, beginning) if sense else tuple(_base(word, known) for word in words)
        said = found[key]
        said.amount += amount
        said.sense = said.sense or sense
        said.spelt[texts[where].part.original[start:end]] += 1
        said.places[Place(where, start, end)] = amount
    return sorted(found.values(), key=lambda said: (-said.amount, min(said.spelt)))


def _base(word: str, known: set[str]) -> str:
    """Return the form of an English word without its ending that stands in the page as well, else the word.

    >>> _base("hiking", {"hike"}), _base("running", {"run"}), _base("caring", {"car"})
    ('hike', 'run', 'caring')
    """
    for ending in ("ing", "ed", "es"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3:  # noqa: PLR2004 - shorter ones are other words
            plain = () if _SHORT.match(root) else (root,)
            undoubled = (root[:-1],) if root[-1] == root[-2] else ()
            return next((form for form in (f"{root}e", *plain, *undoubled) if form in known), word)
    return word


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
