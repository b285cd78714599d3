"""What speaks for the values of the demographics and B2B blocks: declared priors and page evidence.

The priors (`demographic_priors.tsv`, `b2b_priors.tsv`) say what is generally known of a content category's readers; the
page evidence (`page_evidence.tsv`, `b2b_evidence.tsv`) says which words of a page speak for a value. A category votes
with its certainty, a word group with its weight, where it is said in more than one place (`evidence.py`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.lexicon import count_terms, count_words, knowledge_rows, words_of
from toolkit.service.knowledge.vocabulary import INDUSTRIES, service_vocabulary
from toolkit.service.readers.evidence import spoken_words
from toolkit.service.readers.kinds.content_type import content_type, is_report
from toolkit.service.readers.stated import stated_readers, tells_of_others
from toolkit.service.readers.support import lineage, speaking
from toolkit.service.subjects.examples import is_for_work, shares_for_firms
from toolkit.service.subjects.things import offers_job

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolkit.service.pages.parsed import Page
    from toolkit.service.readers.context import Context
    from toolkit.service.readers.evidence import Spoken
    from toolkit.service.subjects.content import Scored

__all__ = [
    "AUDIENCE",
    "LISTS",
    "SCALARS",
    "SCALES",
    "Vote",
    "coverage",
    "firm_votes",
    "people_votes",
    "spoken_values",
    "stray_words",
]

#: Fields with several values and the most that are given, and fields with one.
LISTS: Final = {"age_bracket": 3, "life_stage": 3}
SCALARS: Final = (
    "gender_skew",
    "income_level",
    "education_level",
    "household_composition",
    "employment_status",
    "home_ownership",
    "urbanicity",
)
#: Fields whose value is the middle of all votes, not the one with most.
SCALES: Final = frozenset({"gender_skew", "income_level", "education_level"})
_RANK_DECAY: Final = 0.7
#: What a word that stands once on a page is discounted by.
_STRAY: Final = 0.6
#: Fields that tell how people live: of those who read a report of the day, its setting tells nothing. Words for these
#: or an age that no category expects must be said to "you", for pages tell of others, too, and of the young of animals.
_OF_LIVES: Final = frozenset({"life_stage", "household_composition", "employment_status", "home_ownership"})
_OF_READERS: Final = _OF_LIVES | {"age_bracket"}
#: Of these what the subject of a page that is worded for work tells nothing of.
_OF_HOMES: Final = _OF_LIVES - {"employment_status"}
#: Fields of which the subject of a report of the day tells nothing: the public reads it.
_OF_MEANS: Final = frozenset({"income_level", "education_level"})
#: Field of which a vacancy tells what the work needs, and its being one nothing.
_OF_SCHOOLS: Final = frozenset({"education_level"})
#: Different sentences that words need to be evidence at all, and that one word alone needs beside the title.
_LEAST_PLACES: Final = 2
_LEAST_PLACES_OF_ONE: Final = 3
#: Certainty of categories from which they expect a value.
_EXPECTED: Final = 0.25
#: Word groups seen this often per hundred words count fully.
_FULL_RATE: Final = 1.5
#: What prices say of readers; who pays much is not young.
_PRICE_SHIFT: Final = {
    "luxury": (
        ("income_level", "very_high", 0.8),
        ("age_bracket", "35_44", 0.7),
        ("age_bracket", "45_54", 0.6),
        ("life_stage", "midlife_couple", 0.6),
        ("home_ownership", "owner", 0.6),
    ),
    "budget": (("income_level", "lower_middle", 0.6),),
}
#: What being about business counts beside words that address firms or private people: fully on a page that offers
#: services, less on one that tells of it or sells goods, for which others come as well.
_PRIOR_SHARE: Final = 1.0
_PRIOR_SHARE_OF_TELLING: Final = 0.7
_OPEN_TO_ALL: Final = frozenset({"article", "fiction", "news", "blog", "reference", "product_page", "category_page"})
#: Branches of the content taxonomy that are about firms and the work in them.
_BUSINESS_BRANCHES: Final = (
    INDUSTRIES,
    "Business and Finance > Business",
    "Technology & Computing > Computing > Internet > Cloud Computing",
    "Technology & Computing > Computing > Internet > IT and Internet Support",
    "Technology & Computing > Computing > Information and Network Security",
    "Technology & Computing > Computing > Internet > Web Development",
    "Technology & Computing > Computing > Programming Languages",
    "Technology & Computing > Computing > Software and Applications > Databases",
    "Events > Business Expos & Conferences",
)
#: What of these speaks to donors and helpers, and to those who buy.
_NOT_BUSINESS: Final = (f"{INDUSTRIES} > Non-Profit Organizations", "Business and Finance > Business > Consumer Issues")
#: What firms and private people have alike, as business of which no part is sure, and what it speaks at most for firms.
_BUSINESS: Final = "Business and Finance"
_OF_BOTH: Final = tuple(
    f"Technology & Computing > Computing > {name}"
    for name in ("Data Storage and Warehousing", "Internet > Web Hosting")
)
_MOST_OF_BOTH: Final = 0.5
#: What each term of a category adds to its vote for job functions and seniorities, and how many of them a page must
#: name for that where the category alone tells nothing: what is of firms in general, or a program that any trade buys.
_NAMED_TERM: Final = 0.12
_LEAST_NAMED: Final = 2
_OF_ANY_TRADE: Final = (_BUSINESS, "Business and Finance > Business", "Business and Finance > Economy", INDUSTRIES)
_PROGRAMS: Final = "Technology & Computing > Computing > Software and Applications"
#: What a statement of the page counts, and each further value of the same field: all are given.
_STATED: Final = 2.0
_STATED_DECAY: Final = 0.9
#: What it counts that a page is worded like those for people at work, and for these and others, and what is no vote.
_LIKE_FIRMS: Final = {"yes": 1.4, "both": 0.7}
#: How many times as likely that must be as that it is for private people.
_PLAINLY: Final = 1.5
#: And what it counts that it is worded like those for private people.
_LIKE_PEOPLE: Final = 0.3
_LEAST_LIKENED: Final = 0.1
#: Field that tells firms from private people.
AUDIENCE: Final = "audience_type"


@dataclass(frozen=True, slots=True)
class Vote:
    """What speaks for a value of a field."""

    #: What it speaks for.
    field: str
    value: str
    #: How much.
    weight: float
    #: ``prior`` (a content category whose readers are known), ``words`` (words of the page), ``likened`` (all its words
    #: are like those of other pages), ``price``, or ``stated`` (the page says that it is for them).
    kind: str
    #: The category's path, the words, whose pages it is like, or the price signal.
    text: str
    #: How often the words stand in the page.
    count: int = 0


#: What is assumed of any page until something speaks for firms.
_ASSUMED: Final = (
    Vote(AUDIENCE, "b2b", 0.1, "prior", "any page"),
    Vote(AUDIENCE, "b2c", 0.5, "prior", "any page"),
)


def people_votes(page: Page, categories: tuple[Scored, ...], context: Context) -> tuple[Vote, ...]:
    """Return all that speaks for values of the demographics block."""
    taxonomy = Taxonomy.load("content-v3")
    tells = tells_of_others(page)
    silences = (
        (tells, _OF_LIVES),
        (is_report(page), _OF_MEANS),
        (offers_job(page), _OF_SCHOOLS),
        (is_for_work(page), _OF_HOMES),
    )
    silent = frozenset[str]().union(*(fields for is_so, fields in silences if is_so))
    found = [
        Vote(name, value, weight * _RANK_DECAY**rank, "prior", taxonomy[identifier].path)
        for identifier, weight in _leaf_weights(speaking(page, categories)).items()
        if weight and (prior := _nearest_prior(identifier))
        for name in (*LISTS, *SCALARS)
        if name not in silent
        for rank, value in enumerate(prior[name].split())
    ]
    found += _word_votes("page_evidence.tsv", page, _expected(found), tells=tells)
    shift = _PRICE_SHIFT.get(context.price_signals, ())
    found += [Vote(name, value, weight, "price", context.price_signals) for name, value, weight in shift]
    return (*found, *_stated_votes(page, (*LISTS, *SCALARS)))


def firm_votes(page: Page, categories: tuple[Scored, ...]) -> tuple[Vote, ...]:
    """Return all that speaks for values of the B2B block, and for a ``b2b`` or ``b2c`` audience."""
    taxonomy = Taxonomy.load("content-v3")
    share = _PRIOR_SHARE_OF_TELLING if content_type(page)[0] in _OPEN_TO_ALL else _PRIOR_SHARE
    parted = {taxonomy[category.id].parent for category in categories}
    priors = [
        Vote(AUDIENCE, "b2b", min(share * weight, most), "prior", taxonomy[identifier].path)
        for identifier, weight in _leaf_weights(categories).items()
        if weight and (most := _most_for_firms(taxonomy[identifier].path, is_whole=identifier not in parted))
    ]
    found = [
        *_ASSUMED,
        *_word_votes("b2b_evidence.tsv", page, _expected(priors)),
        *priors,
        *_likened_votes(page, share),
    ]
    found += _stated_votes(page, (AUDIENCE,))
    known = _with_firm_priors()
    certain = {category.id: category.confidence for category in categories}
    above = {step for identifier in certain if identifier in known for step in lineage(identifier)[1:]}
    mains = {lineage(category.id)[-1] for category in categories}
    terms = count_terms(_firm_terms(), *page.stated)
    numbers = {number for term in terms for number in _firm_rows()[term]}
    for number, row in enumerate(_firm_priors()):
        if number not in numbers and row.category_id not in certain:
            continue
        named = [term for term in row.terms if term in terms]
        # A part tells who works there better than the whole; of other subjects a page has words, too.
        certainty = certain.get(row.category_id, 0.0) if row.category_id not in above else 0.0
        path = taxonomy[row.category_id].path
        if len(named) < _LEAST_NAMED and (path in _OF_ANY_TRADE or path.startswith(_PROGRAMS)):
            continue
        if certainty or (len(named) >= _LEAST_NAMED and lineage(row.category_id)[-1] in mains):
            kind = "prior" if certainty else "words"
            text = path if certainty else ", ".join(named)
            found += [
                Vote(name, value, (certainty + _NAMED_TERM * len(named)) * _RANK_DECAY**rank, kind, text, len(named))
                for name, values in row.values.items()
                for rank, value in enumerate(values)
            ]
    voted = {vote.field for vote in found}
    # Who buys at work is told by what is sold, where no subject tells it.
    return (*found, *_stated_votes(page, tuple(name for name in ("seniority", "job_function") if name not in voted)))


def _likened_votes(page: Page, share: float) -> list[Vote]:
    """Return the vote of all words of a page: for firms, by its share, where it is worded like pages that they read."""
    likely = shares_for_firms(page)
    if not likely:
        return []
    if likely["no"] > likely["yes"] + likely["both"]:
        return [Vote(AUDIENCE, "b2c", _LIKE_PEOPLE * likely["no"], "likened", "private people")]
    if likely["yes"] + likely["both"] < _PLAINLY * likely["no"]:
        return []
    weight = share * sum(_LIKE_FIRMS[answer] * likely[answer] for answer in _LIKE_FIRMS)
    return [Vote(AUDIENCE, "b2b", weight, "likened", "people at work")] if weight >= _LEAST_LIKENED else []


def _stated_votes(page: Page, fields: tuple[str, ...]) -> list[Vote]:
    values = stated_readers(page).values
    return [
        Vote(name, value, _STATED * _STATED_DECAY**rank, "stated", words, 1)
        for name in fields
        for rank, (value, words) in enumerate(values.get(name, {}).items())
    ]


def _most_for_firms(path: str, *, is_whole: bool) -> float:
    """Return how much a category speaks at most for an audience of firms; of some the whole does, without its parts."""
    if path.startswith(_OF_BOTH) or (is_whole and path == _BUSINESS):
        return _MOST_OF_BOTH
    return 1.0 if path.startswith(_BUSINESS_BRANCHES) and not path.startswith(_NOT_BUSINESS) else 0.0


def coverage(page: Page, categories: tuple[Scored, ...]) -> float:
    """Return how much of a page's certainty falls on categories whose readers are known."""
    leaves = _leaf_weights(speaking(page, categories))
    return sum(weight for identifier, weight in leaves.items() if _nearest_prior(identifier))


def _leaf_weights(categories: tuple[Scored, ...]) -> dict[str, float]:
    """Return each category's certainty that is not already its children's, so that a vote counts once."""
    taxonomy = Taxonomy.load("content-v3")
    taken: defaultdict[str, float] = defaultdict(float)
    for category in categories:
        if (parent := taxonomy[category.id].parent) is not None:
            taken[parent] += category.confidence
    return {category.id: max(category.confidence - taken[category.id], 0.0) for category in categories}


def _nearest_prior(identifier: str) -> dict[str, str] | None:
    lineage = (identifier, *(category.id for category in reversed(Taxonomy.load("content-v3").ancestors(identifier))))
    return next((_priors()[step] for step in lineage if step in _priors()), None)


def _expected(votes: Iterable[Vote]) -> frozenset[tuple[str, str]]:
    """Return the fields and values that a page's categories expect, with their neighbours on a scale."""
    totals: defaultdict[tuple[str, str], float] = defaultdict(float)
    for vote in votes:
        totals[vote.field, vote.value] += vote.weight
    found = {key for key, weight in totals.items() if weight >= _EXPECTED}
    for field, value in tuple(found):
        if field in SCALES:
            scale = list(service_vocabulary().values[field])
            place = scale.index(value)
            found |= {(field, beside) for beside in scale[max(place - 1, 0) : place + 2]}
    return frozenset(found)


def _word_votes(name: str, page: Page, expected: frozenset[tuple[str, str]], *, tells: bool = False) -> list[Vote]:
    """Return a vote of each word group that is said in a page as its field needs; some pages `tell` of others."""
    # What the title says counts twice.
    length = sum(map(count_words, (page.title, *page.stated)))
    found: list[Vote] = []
    for group, said in _said_groups(name, page):
        is_expected = (group.field, group.value) in expected and not (tells and group.field in _OF_READERS)
        is_of_others = tells and group.field == "gender_skew" and not is_expected
        if not is_of_others and _is_enough(group, said, is_expected=is_expected):
            rate = 100 * (said.count - _STRAY) / max(length, 100)
            share = min(math.sqrt(rate / _FULL_RATE), 1.0)
            found.append(
                Vote(group.field, group.value, group.weight * share, "words", ", ".join(said.terms), said.count)
            )
    return found


def spoken_values(page: Page) -> frozenset[tuple[str, str]]:
    """Return the fields and values of the demographics block for which a page says a word, in however few places."""
    return frozenset((group.field, group.value) for group, _ in _said_groups("page_evidence.tsv", page))


def stray_words(page: Page, field: str, value: str) -> tuple[tuple[str, ...], int]:
    """Return the words of a page that speak for a value, in however few places, and the number of these places."""
    said = [
        said
        for name in ("page_evidence.tsv", "b2b_evidence.tsv")
        for group, said in _said_groups(name, page)
        if (group.field, group.value) == (field, value)
    ]
    strongest = max(said, key=lambda spoken: spoken.places, default=None)
    return (strongest.terms, strongest.places) if strongest else ((), 0)


# Votes ask, and what a page says of others than those whom its subject lets expect.
@lru_cache(maxsize=16)
def _said_groups(name: str, page: Page) -> tuple[tuple[_WordGroup, Spoken], ...]:
    """Return the word groups of a table of which a page says a word, and how; those of an English page alone.

    The words are English, and some mean something else elsewhere.
    """
    groups = _word_groups(name) if page.is_english else ()
    spoken = spoken_words(page, tuple(group.terms for group in groups))
    return tuple((group, said) for group, said in zip(groups, spoken, strict=True) if said.places)


def _is_enough(group: _WordGroup, said: Spoken, *, is_expected: bool) -> bool:
    """Tell whether words are evidence: said in several places, and where no category expects them, plainly."""
    if said.places < _LEAST_PLACES:
        return False
    if is_expected:
        return True
    if group.needs_category:
        return False
    if group.field in _OF_READERS:
        return len(said.terms) > 1 and said.addressed >= _LEAST_PLACES
    return len(said.terms) > 1 or (said.in_title and said.places >= _LEAST_PLACES_OF_ONE)


@cache
def _priors() -> dict[str, dict[str, str]]:
    return {row["category_id"]: row for row in knowledge_rows("demographic_priors.tsv")}


@dataclass(frozen=True, slots=True)
class _FirmPrior:
    category_id: str
    values: dict[str, list[str]]
    terms: tuple[str, ...]


@cache
def _firm_priors() -> tuple[_FirmPrior, ...]:
    return tuple(
        _FirmPrior(
            row["category_id"],
            {name: row[name].split() for name in ("seniority", "job_function")},
            tuple(" ".join(words_of(term)) for term in row["terms"].split("; ")),
        )
        for row in knowledge_rows("b2b_priors.tsv")
    )


@cache
def _with_firm_priors() -> frozenset[str]:
    return frozenset(row.category_id for row in _firm_priors())


@cache
def _firm_terms() -> frozenset[str]:
    return frozenset(_firm_rows())


@cache
def _firm_rows() -> dict[str, tuple[int, ...]]:
    """Return the numbers of the rows that have each term."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(_firm_priors()):
        for term in row.terms:
            found[term].append(number)
    return {term: tuple(numbers) for term, numbers in found.items()}


@dataclass(frozen=True, slots=True)
class _WordGroup:
    field: str
    value: str
    weight: float
    terms: tuple[str, ...]
    #: Whether its words count only where a category of the page speaks for the value, too.
    needs_category: bool


@cache
def _word_groups(name: str) -> tuple[_WordGroup, ...]:
    return tuple(
        _WordGroup(
            row["field"],
            row["value"],
            float(row["weight"]),
            tuple(row["terms"].split("; ")),
            needs_category=row["needs"] == "category",
        )
        for row in knowledge_rows(name)
    )
