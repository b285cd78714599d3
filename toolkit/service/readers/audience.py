"""Interests and purchase intent: signals of a page mapped onto canonical codes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from toolkit.service.knowledge.compiled import load_matcher
from toolkit.service.knowledge.embedding import load_embedder
from toolkit.service.knowledge.entries import MATCHERS, is_member, namesake
from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.readers.kinds.content_type import content_type, is_report
from toolkit.service.readers.offers import (
    is_shop,
    may_tempt,
    means_to_buy,
    offered,
    offered_codes,
    offers_below,
    offers_of,
    withheld,
)
from toolkit.service.readers.signals import find_signals
from toolkit.service.readers.support import (
    entailed_codes,
    explains,
    given_groups,
    groups_beside,
    is_settled,
    is_technical,
    nearby_codes,
    owned_codes,
    rival_codes,
    sexed_codes,
    silent_branches,
    speaking,
    supported_codes,
    sure,
    suspected_codes,
)
from toolkit.service.readers.terms import codes_in_need, codes_said, terms_said
from toolkit.service.subjects.content import content_matcher, page_scores
from toolkit.service.subjects.parts import translated_share
from toolkit.service.subjects.translation import is_translated, understood
from toolkit.service.subjects.wording import is_narrative

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from toolkit.service.knowledge.matching import Matcher
    from toolkit.service.pages.parsed import Page
    from toolkit.service.readers.signals import Signal
    from toolkit.service.readers.terms import Said
    from toolkit.service.subjects.content import Scored

Kind = Literal["interest", "purchase_intent"]

__all__ = ["Band", "CodeMatch", "Codes", "Gates", "Kind", "Weighing", "code_matcher", "gates_of", "map_codes", "weigh"]

Band = Literal["low", "medium", "high"]

_FILES: Final = {"interest": "interests.tsv", "purchase_intent": "purchase_intent.tsv"}
#: A signal is mapped to a code if they are at least this near; below it the signal is dropped.
_MAPPED: Final = 0.45
#: Shares of the page's own nearness, of its content categories and of its signals in a code's score.
_OWN_SHARE: Final = 0.5
_CONTEXT_SHARE: Final = 0.3
_SIGNAL_SHARE: Final = 0.2
#: Nearness of page and categories from which a signal is believed fully; a stray phrase of a page counts for little.
_BELIEVED: Final = 0.6
#: How sharply the page's content categories are told apart when they speak for codes.
_CONTEXT_TEMPERATURE: Final = 0.08
#: A code is given if its score is at least this, and at least this share of the best one's.
_GIVEN: Final = {"interest": 0.35, "purchase_intent": 0.25}
_GIVEN_SHARE: Final = 0.6
#: Scores from which an intent that no category lets expect is offered, and one that is named or one of a few.
_NEAR: Final = 0.25
_NEAR_NAMED: Final = 0.2
#: Score below which even an intent that a category lets expect is not of what is offered, and what one must reach on a
#: page that shows how something is done and speaks of no buying: there half of those with less were doubted.
_FAR: Final = 0.1
_SHOWN: Final = 0.5
_SHOWING: Final = frozenset({"article", "guide"})
#: Certainty of a content category from which the code that is named after it needs less: this share of these bars.
_NAMESAKE_CERTAIN: Final = 0.5
_NAMESAKE_SHARE: Final = 0.7
_MOST_CODES: Final = 8
#: Certainty from which a page may be of a category, and nearness to a group of interests, which together give it.
_POSSIBLE: Final = 0.3
_NEAR_GROUP: Final = 0.15
#: Different terms of its own that an interest needs of which a page's categories let nothing expect.
_TERMS_UNEXPECTED: Final = 2
#: Score from which a code needs no more than a category that is given.
_STRONG: Final = 0.55
#: Certainty of technology from which documentation of nothing surer is technical.
_LIKELY_TECHNICAL: Final = 0.2
#: What those are interested in who read a kind of page, whatever it is of.
_GROUPS_BY_KIND: Final = {
    "fiction": ("INT.BOOKS_AND_LITERATURE",),
    "documentation": ("INT.TECHNOLOGY_AND_COMPUTING",),
}
#: What a score counts on a page that is not English, where the vectors are half blind.
_FOREIGN_SHARE: Final = 0.6
#: The same on a page of which the words are translated; what people mean to buy must be said more plainly there.
_TRANSLATED_SHARE: Final = {"interest": 1.0, "purchase_intent": 0.75}
#: Scores from which a block's confidence is medium and high, on pages with enough words.
_MEDIUM: Final = {"interest": 0.45, "purchase_intent": 0.4}
_HIGH: Final = {"interest": 0.65, "purchase_intent": 0.6}
_WORDS_FOR_HIGH: Final = 120


@dataclass(frozen=True, slots=True)
class CodeMatch:
    """A code that a page speaks for."""

    #: INT.* or PI.* code.
    code: str
    #: Strength of the evidence, comparable within a kind.
    score: float
    #: Phrases of the page that were mapped onto the code, nearest first.
    signals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Codes:
    """The codes of one kind, their groups with those that sure categories give, and the confidence of the block."""

    matches: tuple[CodeMatch, ...]
    groups: tuple[str, ...]
    confidence: Band

    @property
    def codes(self) -> list[str]:
        """The codes, strongest first."""
        return [match.code for match in self.matches]


@dataclass(frozen=True, slots=True)
class Weighing:
    """How a page's evidence is weighed for the codes of a kind, one entry a code."""

    #: Knows the codes and their order.
    matcher: Matcher
    #: What the page's own nearness to a code counts in its score.
    own_share: float
    #: The page's own nearness to each code.
    own: NDArray[np.float32]
    #: How much each code has to do with each content category, and what the page's categories count.
    affinity: NDArray[np.float32]
    categories: NDArray[np.float32]
    #: What these categories add to the score of each code.
    context: NDArray[np.float32]
    #: What the signals mapped onto each code add to its score.
    support: NDArray[np.float32]
    #: The signals mapped onto a code, with their nearness, nearest first.
    phrases: dict[int, list[tuple[float, str]]]

    @property
    def scores(self) -> NDArray[np.float32]:
        """The score of each code."""
        found: NDArray[np.float32] = self.own_share * self.own + self.context + self.support
        return found

    def context_of(self, position: int) -> NDArray[np.float32]:
        """Return what each content category of the page adds to the score of a code."""
        found: NDArray[np.float32] = self.affinity[position] * self.categories
        return found


def weigh(page: Page, kind: Kind) -> Weighing:
    """Weigh what a page says for each code of a kind."""
    matcher = code_matcher(kind)
    own = page_scores(matcher, page)
    support, phrases = _signal_support(matcher, find_signals(understood(page)))
    affinity, weights = _affinity(kind), _category_weights(page)
    context: NDArray[np.float32] = affinity @ weights
    belief = np.clip((own + context) / _BELIEVED, 0, 1)
    trust = 1.0 if page.is_english else _FOREIGN_SHARE
    if is_translated(page):
        trust = _TRANSLATED_SHARE[kind] * translated_share(page)
    return Weighing(
        matcher=matcher,
        own_share=trust * _OWN_SHARE,
        own=own,
        affinity=affinity,
        categories=trust * _CONTEXT_SHARE * weights,
        context=trust * _CONTEXT_SHARE * context,
        support=trust * _SIGNAL_SHARE * belief * support,
        phrases=phrases,
    )


def map_codes(page: Page, kind: Kind, categories: tuple[Scored, ...]) -> Codes:
    """Map a page's free-text signals onto the codes of a kind, at most eight below a group.

    Each has a signal that was mapped onto it, or terms of its own that stand in the page; a content category (v3) of
    the page in whose branch it makes sense, a sure one or, for strong codes, any; and categories of its own that the
    page may be about, unless the title says an interest. Phrases that are near no code are dropped. A code that is
    named after a certain category needs less evidence of its own. A group of interests is given where a member is, or
    where the page's categories are sure of it. What a page surely offers gives its purchase intent also where few
    words say so; a page that offers nothing shows intents of sure categories alone, a story, a report of the day and
    what explains a thing none. What a report is of must be sure, for it names its setting, too. Confidence is
    ``high`` for a best score of at least 0.65 (purchase intent: 0.6) on a page of 120 words or more, ``medium`` from
    0.45 (0.4), else ``low``.
    """
    told, others = _evidence(page, kind, categories)
    gates = _gates(page, kind, told, others, is_whole=False) if told or others else None
    matches = tuple(_mapped(gates)) if gates else ()
    groups = dict.fromkeys(match.code.rpartition(".")[0] for match in matches)
    if kind == "interest":
        is_told = is_report(page) or is_narrative(page) or page.is_front_page
        groups |= dict.fromkeys(given_groups(page, told if is_told else categories))
        groups = groups or dict.fromkeys(() if is_told else _agreed(page, categories))
        refused = withheld(page)
        groups = {code: None for code in groups if not code.startswith(refused)}
        groups = groups or dict.fromkeys(_told_by_kind(page))
    return Codes(matches, tuple(groups), _band(kind, matches[0].score if matches else 0.0, page.tokens))


def _evidence(page: Page, kind: Kind, categories: tuple[Scored, ...]) -> tuple[tuple[Scored, ...], tuple[Scored, ...]]:
    """Return the categories of a page that support codes, and further ones that support strong codes alone."""
    told = speaking(page, categories)
    if is_report(page) or is_narrative(page):
        return (sure(told) if kind == "interest" else ()), ()
    if kind == "purchase_intent" and not offered(page):
        return may_tempt(page, told), ()
    silent = silent_branches(page, categories)
    others = tuple(category for category in categories if not category.path.startswith(silent))
    return told, () if explains(page) else others


def _agreed(page: Page, categories: tuple[Scored, ...]) -> Iterator[str]:
    """Yield the group to which a page is nearest by its own words, where a category that it may be of is of it, too.

    Of a category that is of none (entertainment is of films, of music and of the theatre) that is one of those in which
    it makes sense.
    """
    possible = frozenset(given_groups(page, categories, (_POSSIBLE, _POSSIBLE))) or groups_beside(page, categories)
    if possible:
        matcher = code_matcher("interest")
        near = np.where(_is_group(), page_scores(matcher, page), -np.inf)
        if near.max() >= _NEAR_GROUP and (nearest := matcher.ids[int(near.argmax())]) in possible:
            yield nearest


@cache
def _is_group() -> NDArray[np.bool_]:
    return np.array([not is_member(code) for code in code_matcher("interest").ids])


def _told_by_kind(page: Page) -> tuple[str, ...]:
    """Return the group of those who read this kind of page, where its subject is not sure.

    Who reads news of the theatre or of a match does not read it for the politics, and of what else nobody knows.
    """
    if page.is_front_page:
        return ("INT.NEWS_AND_POLITICS",)
    kind = content_type(page)[0]
    if kind == "documentation" and not is_technical(page, _LIKELY_TECHNICAL):
        return ()
    return _GROUPS_BY_KIND.get(kind, ())


@dataclass(frozen=True, slots=True)
class Gates:
    """What a code must pass to be given, one entry a code."""

    weighing: Weighing
    scores: NDArray[np.float32]
    #: What the score must reach.
    bars: NDArray[np.float64]
    #: Whether a category of the page is one in which the code makes sense, whether the page may be about one of its
    #: own categories, whether it may follow from what the page offers or is of, and whether it says it plainly enough.
    in_branch: NDArray[np.bool_]
    is_expected: NDArray[np.bool_]
    may_follow: NDArray[np.bool_]
    is_plain: NDArray[np.bool_]
    #: Whether a word or phrase of its own stands in the page, and whether one does without which it is not given.
    is_worded: NDArray[np.bool_]
    has_needed: NDArray[np.bool_]
    #: Whether it follows from what the page surely offers: then the score and the words are not asked for.
    is_sold: NDArray[np.bool_]
    #: Whether it may be said to the readers: nothing is sold to those in distress.
    is_decent: NDArray[np.bool_]

    @property
    def is_supported(self) -> NDArray[np.bool_]:
        """Whether what the page is about lets the code be given."""
        is_told = self.in_branch & self.is_expected & self.may_follow & self.is_plain
        found: NDArray[np.bool_] = (is_told | self.is_sold) & self.is_decent
        return found

    @property
    def is_given(self) -> NDArray[np.bool_]:
        """Whether the code passes them all."""
        passes = self.is_sold | (self.has_needed & (self.scores >= self.bars) & self.is_worded)
        found: NDArray[np.bool_] = self.is_supported & passes
        return found


def gates_of(page: Page, kind: Kind, categories: tuple[Scored, ...]) -> Gates | None:
    """Return what the codes of a kind must pass on a page; None where it has no category that lets any be given."""
    told, others = _evidence(page, kind, categories)
    return _gates(page, kind, told, others, is_whole=True) if told or others else None


def _gates(
    page: Page, kind: Kind, sure_ones: tuple[Scored, ...], others: tuple[Scored, ...], *, is_whole: bool
) -> Gates | None:
    """Weigh which codes sure categories support, and which strong ones others do.

    None where none passes whatever it scores, unless the whole is wanted.
    """
    stated = understood(page).stated
    terms = terms_said(_FILES[kind], *stated)
    codes, titled = _members(kind), _titled(kind, page)
    plain = _plainly_worded(kind, page, (*sure_ones, *others), terms, titled)
    expected = entailed_codes(codes, page, (*sure_ones, *others)) | titled
    surely, else_if_strong = supported_codes(codes, sure_ones), supported_codes(codes, others)
    # What follows from an offer passes in another way.
    may_pass = (plain & expected & (surely | else_if_strong)).any()
    if not (may_pass or is_whole or (kind == "purchase_intent" and offered(page))):
        return None
    weighing = weigh(page, kind)
    scores, phrases = weighing.scores, weighing.phrases
    missing = codes_in_need(_FILES[kind], *stated)
    said = terms.different.keys()
    certain = {category.id for category in (*sure_ones, *others) if category.confidence >= _NAMESAKE_CERTAIN}
    entailed = [position for identifier in certain for position in _named_after(kind).get(identifier, ())]
    worded = _those(kind, said)
    worded[list(phrases)] = True
    if kind == "interest":
        worded |= owned_codes(codes, sure_ones)
    in_branch = surely | (else_if_strong & (scores >= _STRONG))
    known, refused = ~_those(kind, missing), withheld(page)
    following, sold = np.ones(len(codes), dtype=np.bool_), np.zeros(len(codes), dtype=np.bool_)
    if kind == "purchase_intent":
        following = _following(page, (*sure_ones, *others))
    if kind == "purchase_intent" and offered(page):
        # What a thing has, and what it is compared with, is named once, and not in its title.
        named = codes_said(_FILES[kind], understood(page).title, *understood(page).headings)
        several = (code for code, number in terms.different.items() if number >= _TERMS_UNEXPECTED)
        twice = _those(kind, (*several, *named))
        sold = _sold(page, sure_ones, others, np.where(known, scores, -np.inf), worded & plain & twice)
        sold &= (scores >= _FAR) | worded
    is_shown = kind == "purchase_intent" and content_type(page)[0] in _SHOWING and not means_to_buy(page)
    found = Gates(
        weighing=weighing,
        scores=scores,
        bars=np.full(len(scores), _SHOWN if is_shown else _GIVEN[kind]),
        in_branch=in_branch,
        is_expected=expected,
        may_follow=following,
        is_plain=plain,
        is_worded=worded,
        has_needed=known,
        is_sold=sold,
        is_decent=~_those(kind, (code for code in codes if code.startswith(refused)) if refused else ()),
    )
    # Neither groups, which are scored beside their members, nor what no category supports raises the bar.
    best = float(scores[found.is_supported].max(initial=0.0))
    np.maximum(found.bars, _GIVEN_SHARE * best, out=found.bars)
    found.bars[entailed] *= _NAMESAKE_SHARE
    return found


def _mapped(gates: Gates) -> Iterator[CodeMatch]:
    """Yield the codes that pass, strongest first."""
    given, scores = gates.is_given, gates.scores
    for position in np.argsort(np.where(given, -scores, np.inf), kind="stable")[: int(given.sum())][:_MOST_CODES]:
        phrases = gates.weighing.phrases.get(int(position), ())
        yield CodeMatch(
            gates.weighing.matcher.ids[position],
            round(float(scores[position]), 4),
            tuple(phrase for _, phrase in phrases),
        )


def _plainly_worded(
    kind: Kind, page: Page, categories: tuple[Scored, ...], terms: Said, titled: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Tell of each code whether a page says it plainly enough for how far its categories let it expect.

    An interest of which no category is given needs a term of its own, one that the page can hardly be about two: a town
    is called Rugby; and pages of it must be near. An intent needs one where nothing is offered, and where another part
    of the subject rivals its own.
    """
    codes = _members(kind)
    named = _those(kind, terms.different)
    several = _those(kind, (code for code, number in terms.different.items() if number >= _TERMS_UNEXPECTED))
    owned = owned_codes(codes, categories)
    if kind == "interest":
        expected = entailed_codes(codes, page, categories)
        repeated = _those(kind, (code for code, number in terms.mentions.items() if number >= _TERMS_UNEXPECTED))
        kept = ~sexed_codes(codes) & (page.is_home | titled | ~rival_codes(codes, categories))
        return owned | ((several | ((repeated | titled) & expected)) & kept & nearby_codes(codes, page))
    settled = owned_codes(codes, (c for c in categories if c.tier == 1 or is_settled(page, c)))
    unsettled = suspected_codes(codes, page, categories) & ~settled
    return named | (bool(offered(page)) & ~unsettled)


def _titled(kind: Kind, page: Page) -> NDArray[np.bool_]:
    """Tell of each interest whether the title says one of its terms; a product's name says many another thing."""
    return _those(kind, codes_said(_FILES[kind], understood(page).title) if kind == "interest" else ())


def _following(page: Page, categories: tuple[Scored, ...]) -> NDArray[np.bool_]:
    """Tell of each intent whether it may follow from what a page offers: goods are no services, nor those of others.

    Where nothing is offered it follows from a category of its own alone: who travels by train speaks of flights.
    """
    if not offered(page):
        return owned_codes(_members("purchase_intent"), categories)
    return _those("purchase_intent", offers_below(page, categories)) | ~_bought_as("goods", "services")


def _sold(
    page: Page,
    sure_ones: tuple[Scored, ...],
    others: tuple[Scored, ...],
    scores: NDArray[np.float32],
    worded: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Tell of each intent whether it follows from what a page offers, few as its own words may be.

    Of those that follow from a category it is the nearest, of the one expected and those that the page words, and the
    one expected if it is worded, too. Of goods it is also what the page names as its own. Scores are below everything
    where words are missing that a code needs; the one expected is given without them, if there is no other.
    """
    found = _those("purchase_intent", ())
    if "goods" in offered(page):
        found = _named(page, sure_ones, others, scores) & worded & np.isfinite(scores)
    for following in offered_codes(page, sure_ones):
        expected = _those("purchase_intent", _expected(following, scores))
        chosen = _those("purchase_intent", following) & worded & (scores >= _NEAR_NAMED)
        if chosen.any():
            found[int(np.where(chosen | expected, scores, -np.inf).argmax())] = True
        # What is named as something else than its category lets expect, is that.
        is_other = chosen.any() or found.any()
        found |= expected & (worded & np.isfinite(scores) if is_other else True)
    return found


def _expected(following: tuple[str, ...], scores: NDArray[np.float32]) -> tuple[str, ...]:
    """Return the code that a category lets expect most, or another of its group if words are missing that it needs."""
    places = _places("purchase_intent")
    group = following[:1] and following[0].rpartition(".")[0]
    alike = [code for code in following if code in places and code.rpartition(".")[0] == group]
    able = [code for code in alike if np.isfinite(scores[places[code]])]
    return tuple(able[:1]) or following[:1]


def _named(
    page: Page, sure_ones: tuple[Scored, ...], others: tuple[Scored, ...], scores: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """Tell of each intent of goods whether a page names these as what it offers, in its title or first heading.

    Where no category lets expect them, the page must be nearer to no other goods; beside a sure category they must make
    sense in its branch (a vivarium's thermostat heats no house), and the sections in which it stands must name them,
    too, and without one the title need not.
    """
    codes, read, goods = _members("purchase_intent"), understood(page), _bought_as("goods")
    expected = _those("purchase_intent", offers_below(page, others)) & entailed_codes(codes, page, others)
    in_sections = _those("purchase_intent", codes_said(_FILES["purchase_intent"], "", *read.sections))
    titled = _those("purchase_intent", codes_said(_FILES["purchase_intent"], read.title, *read.headings[:1]))
    nearest = np.arange(len(codes)) == np.where(goods, scores, -np.inf).argmax()
    nearest &= (scores >= np.where(titled, _NEAR_NAMED, _NEAR)) & is_shop(page)
    if sure_ones:
        nearest &= titled & in_sections & supported_codes(codes, sure_ones)
    found: NDArray[np.bool_] = goods & ((titled & expected) | nearest)
    return found


@cache
def _members(kind: Kind) -> tuple[str, ...]:
    """Return the codes in the matcher's order, empty for groups."""
    return tuple(code if is_member(code) else "" for code in code_matcher(kind).ids)


def _those(kind: Kind, some: Iterable[str]) -> NDArray[np.bool_]:
    """Tell of each code below a group whether it is among some."""
    places = _places(kind)
    found = np.zeros(len(code_matcher(kind).ids), dtype=np.bool_)
    found[[places[code] for code in some if code in places]] = True
    return found


@cache
def _places(kind: Kind) -> dict[str, int]:
    """Return the positions of the codes below a group."""
    return {code: place for place, code in enumerate(_members(kind)) if code}


@cache
def _bought_as(*offers: str) -> NDArray[np.bool_]:
    """Tell of each purchase intent whether it is bought as one of these."""
    return np.array([not bought.isdisjoint(offers) for bought in offers_of(_members("purchase_intent"))])


@cache
def _named_after(kind: Kind) -> dict[str, list[int]]:
    """Return the positions of the codes that are named after each content category."""
    labels = {row["code"]: row["label"] for row in knowledge_rows(_FILES[kind])}
    found: defaultdict[str, list[int]] = defaultdict(list)
    for position, code in enumerate(code_matcher(kind).ids):
        if row := namesake(labels[code], labels.get(code.rpartition(".")[0], "")):
            found[row["id"]].append(position)
    return dict(found)


def _signal_support(
    matcher: Matcher, signals: tuple[Signal, ...]
) -> tuple[NDArray[np.float32], dict[int, list[tuple[float, str]]]]:
    """Return each code's evidence from signals, 0 to 1, and the phrases mapped onto it."""
    totals = np.zeros(len(matcher.ids), dtype=np.float32)
    phrases: defaultdict[int, list[tuple[float, str]]] = defaultdict(list)
    if signals:
        similarity = matcher.similarity(_phrase_vectors(tuple(signal.text for signal in signals)))
        nearest, nearness = similarity.argmax(axis=1), similarity.max(axis=1)
        for place in np.flatnonzero(nearness >= _MAPPED).tolist():
            signal, position, near = signals[place], int(nearest[place]), float(nearness[place])
            totals[position] += signal.weight * near
            phrases[position].append((near * signal.weight, signal.text))
    ranked = {position: sorted(found, key=lambda pair: (-pair[0], pair[1])) for position, found in phrases.items()}
    return np.tanh(totals), ranked


# Interests and purchase intent ask about the same phrases.
@lru_cache(maxsize=4)
def _phrase_vectors(phrases: tuple[str, ...]) -> NDArray[np.float32]:
    return load_embedder().embed_terms(phrases)


def _category_weights(page: Page) -> NDArray[np.float32]:
    """Return how much each content category counts in what the page is about as a whole; they add up to 1."""
    scores = page_scores(content_matcher(), page)
    weights = np.exp((scores - scores.max()) / _CONTEXT_TEMPERATURE)
    found: NDArray[np.float32] = weights / weights.sum()
    return found


@cache
def _affinity(kind: Kind) -> NDArray[np.float32]:
    found: NDArray[np.float32] = code_matcher(kind).similarity(content_matcher().vectors).T
    return np.clip(found, 0, None)


def _band(kind: Kind, best: float, words: int) -> Band:
    if best >= _HIGH[kind] and words >= _WORDS_FOR_HIGH:
        return "high"
    return "medium" if best >= _MEDIUM[kind] else "low"


@cache
def code_matcher(kind: Kind) -> Matcher:
    """Return the matcher of a kind's codes, loaded once."""
    name = _FILES[kind].removesuffix(".tsv")
    return load_matcher(name, *MATCHERS[name])
