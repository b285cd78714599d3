"""Who reads a page: demographics, firms and personas, from declared priors and page evidence.

The priors (`demographic_priors.tsv`, `b2b_priors.tsv`) say what is generally known of a content category's readers; the
page evidence (`page_evidence.tsv`, `b2b_evidence.tsv`) says which words of a page speak for a value. A category votes
with its certainty, a word group with its weight.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from toolkit.service.filters import INDUSTRIES, service_vocabulary
from toolkit.service.lexicon import count_terms, knowledge_rows, words_of
from toolkit.taxonomy import load_taxonomy

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolkit.service.audience import Band
    from toolkit.service.content import Scored
    from toolkit.service.context import Context
    from toolkit.service.pages import Page

__all__ = [
    "SCALES",
    "Firms",
    "People",
    "PersonaMatch",
    "Vote",
    "firm_votes",
    "match_personas",
    "people_votes",
    "persona_categories",
    "profile_firms",
    "profile_people",
]

_LISTS: Final = {"age_bracket": 3, "life_stage": 3}
_SCALARS: Final = (
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
#: Values of a list field are given down to this share of the strongest.
_KEPT_SHARE: Final = 0.5
_RANK_DECAY: Final = 0.7
#: What a word that stands once on a page is discounted by.
_STRAY: Final = 0.6
#: Mentions that words for an age or a life stage need, and need where no category says who reads the page.
_LEAST_MENTIONS: Final = 2
_LEAST_MENTIONS_ALONE: Final = 4
#: Word groups seen this often per hundred words count fully.
_FULL_RATE: Final = 1.5
_PRICE_SHIFT: Final = {"luxury": ("income_level", "very_high", 0.8), "budget": ("income_level", "lower_middle", 0.6)}
_HIGH_COVER: Final = 0.7
_MEDIUM_COVER: Final = 0.35
#: What being about business counts beside words that address firms or private people.
_PRIOR_SHARE: Final = 0.6
#: Branches of the content taxonomy that are about firms.
_BUSINESS_BRANCHES: Final = (
    INDUSTRIES,
    "Business and Finance > Business",
    "Technology & Computing > Computing > Internet > Cloud Computing",
    "Technology & Computing > Computing > Internet > IT and Internet Support",
    "Technology & Computing > Computing > Information and Network Security",
    "Technology & Computing > Computing > Data Storage and Warehousing",
)
#: What of these speaks to donors and helpers.
_NOT_BUSINESS: Final = f"{INDUSTRIES} > Non-Profit Organizations"
_B2B_SURE: Final = 0.6
_B2B_MIXED: Final = 0.5
#: What each term of a category adds to its vote for job functions and seniorities.
_NAMED_TERM: Final = 0.12
_AUDIENCE: Final = "audience_type"
_MOST_PERSONAS: Final = 6


@dataclass(frozen=True, slots=True)
class People:
    """The demographics block: field to value or values, and its confidence.

    Confidence is ``high`` where categories with known readers cover at least 70 % of the page's certainty and the page
    itself has words that speak for a value, ``medium`` from 35 %, else ``low``.
    """

    values: dict[str, str | list[str] | None]
    confidence: Band


@dataclass(frozen=True, slots=True)
class Firms:
    """The B2B block and what it says of the audience as a whole: ``b2b``, ``mixed`` or ``b2c``."""

    audience_type: str
    company_size: str | None
    seniority: list[str]
    job_function: list[str]
    industry: list[str]
    confidence: Band


@dataclass(frozen=True, slots=True)
class PersonaMatch:
    """A persona, the category path it is mapped from, and the category's confidence."""

    persona: str
    mapped_from: str
    score: float


@dataclass(frozen=True, slots=True)
class Vote:
    """What speaks for a value of a field.

    Attributes
    ----------
    field, value : str
        What it speaks for.
    weight : float
        How much.
    kind : str
        ``prior`` (a content category whose readers are known), ``words`` (words of the page) or ``price``.
    text : str
        The category's path, the words, or the price signal.
    count : int
        How often the words stand in the page.
    """

    field: str
    value: str
    weight: float
    kind: str
    text: str
    count: int = 0


#: What is assumed of any page until something speaks for firms.
_ASSUMED: Final = (
    Vote(_AUDIENCE, "b2b", 0.1, "prior", "any page"),
    Vote(_AUDIENCE, "b2c", 0.5, "prior", "any page"),
)


def people_votes(page: Page, categories: tuple[Scored, ...], context: Context) -> tuple[Vote, ...]:
    """Return all that speaks for values of the demographics block."""
    taxonomy = load_taxonomy("content-v3")
    found = [
        Vote(name, value, weight * _RANK_DECAY**rank, "prior", taxonomy[identifier].path)
        for identifier, weight in _leaf_weights(categories).items()
        if weight and (prior := _nearest_prior(identifier))
        for name in (*_LISTS, *_SCALARS)
        for rank, value in enumerate(prior[name].split())
    ]
    least = _LEAST_MENTIONS if found else _LEAST_MENTIONS_ALONE
    found += _word_votes("page_evidence.tsv", page, dict.fromkeys(_LISTS, least))
    if context.price_signals in _PRICE_SHIFT:
        name, value, weight = _PRICE_SHIFT[context.price_signals]
        found.append(Vote(name, value, weight, "price", context.price_signals))
    return tuple(found)


def firm_votes(page: Page, categories: tuple[Scored, ...]) -> tuple[Vote, ...]:
    """Return all that speaks for values of the B2B block, and for a ``b2b`` or ``b2c`` audience."""
    taxonomy = load_taxonomy("content-v3")
    found = [*_ASSUMED, *_word_votes("b2b_evidence.tsv", page, {})]
    found += [
        Vote("audience_type", "b2b", _PRIOR_SHARE * weight, "prior", taxonomy[identifier].path)
        for identifier, weight in _leaf_weights(categories).items()
        if weight and _is_business(taxonomy[identifier].path)
    ]
    certain = {category.id: category.confidence for category in categories}
    terms = _mentions(page.stated, _firm_terms())
    for row in _firm_priors():
        named = [term for term in row.terms if term in terms]
        certainty = certain.get(row.category_id, 0.0)
        if certainty or len(named) > 1:
            kind = "prior" if certainty else "words"
            text = taxonomy[row.category_id].path if certainty else ", ".join(named)
            found += [
                Vote(name, value, (certainty + _NAMED_TERM * len(named)) * _RANK_DECAY**rank, kind, text, len(named))
                for name, values in row.values.items()
                for rank, value in enumerate(values)
            ]
    return tuple(found)


def _is_business(path: str) -> bool:
    return path.startswith(_BUSINESS_BRANCHES) and not path.startswith(_NOT_BUSINESS)


def profile_people(page: Page, categories: tuple[Scored, ...], context: Context) -> People:
    """Describe the readers of a page.

    Parameters
    ----------
    page : Page
        The parsed page.
    categories : tuple of Scored
        Its content categories (v3).
    context : Context
        Its content context; luxury and budget prices shift the income.

    Returns
    -------
    People
        Every field of the demographics block; missing where nothing is known.
    """
    cast = people_votes(page, categories, context)
    votes = _counted(cast)
    values: dict[str, str | list[str] | None] = {name: _strongest(votes[name], most) for name, most in _LISTS.items()}
    values |= {name: _decided(name, votes[name]) for name in _SCALARS}
    covered = sum(weight for identifier, weight in _leaf_weights(categories).items() if _nearest_prior(identifier))
    return People(values, _cover_band(covered, any(vote.kind == "words" for vote in cast)))


def profile_firms(page: Page, categories: tuple[Scored, ...]) -> Firms:
    """Tell whether a page speaks to firms, and to whom in which.

    Parameters
    ----------
    page : Page
        The parsed page.
    categories : tuple of Scored
        Its content categories (v3).

    Returns
    -------
    Firms
        For an audience of private people the lists are empty and the confidence is ``low``.
    """
    cast = firm_votes(page, categories)
    votes = _counted(cast)
    addressed = sum(vote.weight for vote in cast if (vote.kind, vote.field, vote.value) == ("words", _AUDIENCE, "b2b"))
    firms, people = votes[_AUDIENCE]["b2b"], votes[_AUDIENCE]["b2c"]
    share = firms / (firms + people)
    if share < _B2B_MIXED:
        return Firms("b2c", None, [], [], [], "low")
    audience = "b2b" if share >= _B2B_SURE else "mixed"
    confidence: Band = "high" if share >= 0.8 and addressed >= 0.6 else "medium" if audience == "b2b" else "low"  # noqa: PLR2004
    sizes = _strongest(votes["company_size_employees"], 1)
    return Firms(
        audience_type=audience,
        company_size=sizes[0] if sizes else None,
        seniority=_strongest(votes["seniority"], 3),
        job_function=_strongest(votes["job_function"], 3),
        industry=_industries(categories),
        confidence=confidence,
    )


def match_personas(categories: tuple[Scored, ...]) -> tuple[PersonaMatch, ...]:
    """Map content categories (v3) onto personas, most certain and most special first.

    Returns
    -------
    tuple of PersonaMatch
        At most six; each from one category, statically.
    """
    ranked = sorted(categories, key=lambda c: -(c.confidence * (1 + 0.15 * c.tier)))
    found = [
        PersonaMatch(persona, category.path, category.confidence)
        for category in ranked
        for persona in _personas().get(category.id, ())
    ]
    return tuple(found[:_MOST_PERSONAS])


@cache
def persona_categories() -> dict[str, tuple[str, ...]]:
    """Return the categories that each persona is mapped from."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for row in knowledge_rows("personas.tsv"):
        found[row["persona"]].append(row["category_id"])
    return {persona: tuple(identifiers) for persona, identifiers in found.items()}


def _leaf_weights(categories: tuple[Scored, ...]) -> dict[str, float]:
    """Return each category's certainty that is not already its children's, so that a vote counts once."""
    taxonomy = load_taxonomy("content-v3")
    taken: defaultdict[str, float] = defaultdict(float)
    for category in categories:
        if (parent := taxonomy[category.id].parent) is not None:
            taken[parent] += category.confidence
    return {category.id: max(category.confidence - taken[category.id], 0.0) for category in categories}


def _nearest_prior(identifier: str) -> dict[str, str] | None:
    lineage = (identifier, *(category.id for category in reversed(load_taxonomy("content-v3").ancestors(identifier))))
    return next((_priors()[step] for step in lineage if step in _priors()), None)


def _word_votes(name: str, page: Page, least: Mapping[str, int]) -> list[Vote]:
    """Return a vote of each word group that stands in a page as often as its field needs."""
    if not page.is_english:
        return []  # the words are English, and some mean something else elsewhere
    # What the title says counts twice.
    texts = (page.title, *page.stated)
    length = sum(len(words_of(text)) for text in texts)
    counts = _mentions(texts, _group_terms(name))
    found: list[Vote] = []
    for field, value, weight, terms in _word_groups(name):
        count = sum(counts[term] for term in terms)
        if count >= least.get(field, 1):
            rate = 100 * (count - _STRAY) / max(length, 100)
            words = ", ".join(term for term in terms if counts[term])
            share = min(math.sqrt(rate / _FULL_RATE), 1.0)
            found.append(Vote(field, value, weight * share, "words", words, count))
    return found


def _mentions(texts: Iterable[str], terms: frozenset[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for text in texts:
        found.update(count_terms(text, terms))
    return found


def _counted(votes: Iterable[Vote]) -> defaultdict[str, defaultdict[str, float]]:
    found: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for vote in votes:
        found[vote.field][vote.value] += vote.weight
    return found


def _strongest(votes: Mapping[str, float], most: int) -> list[str]:
    ranked = sorted(votes.items(), key=lambda item: (-item[1], item[0]))[:most]
    return [value for value, weight in ranked if weight >= _KEPT_SHARE * ranked[0][1] and weight > 0]


def _decided(name: str, votes: Mapping[str, float]) -> str | None:
    if not votes or not sum(votes.values()):
        return None
    if name not in SCALES:
        return _strongest(votes, 1)[0]
    scale = list(service_vocabulary().values[name])
    mean = sum(scale.index(value) * weight for value, weight in votes.items()) / sum(votes.values())
    return scale[math.floor(mean + 0.5)]


def _cover_band(covered: float, has_evidence: bool) -> Band:
    if covered >= _HIGH_COVER and has_evidence:
        return "high"
    return "medium" if covered >= _MEDIUM_COVER else "low"


def _industries(categories: Iterable[Scored]) -> list[str]:
    taxonomy = load_taxonomy("content-v3")
    top = taxonomy.by_path(INDUSTRIES).id
    found: dict[str, float] = {}
    for category in categories:
        lineage = [*taxonomy.ancestors(category.id), taxonomy[category.id]]
        for step in lineage:
            if step.parent == top:
                found[step.name] = max(found.get(step.name, 0.0), category.confidence)
    return _strongest(found, 3)


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
def _personas() -> dict[str, tuple[str, ...]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for row in knowledge_rows("personas.tsv"):
        found[row["category_id"]].append(row["persona"])
    return {identifier: tuple(names) for identifier, names in found.items()}


@cache
def _firm_terms() -> frozenset[str]:
    return frozenset(term for row in _firm_priors() for term in row.terms)


@cache
def _word_groups(name: str) -> tuple[tuple[str, str, float, tuple[str, ...]], ...]:
    return tuple(
        (
            row["field"],
            row["value"],
            float(row["weight"]),
            tuple(dict.fromkeys(" ".join(words_of(term)) for term in row["terms"].split("; "))),
        )
        for row in knowledge_rows(name)
    )


@cache
def _group_terms(name: str) -> frozenset[str]:
    return frozenset(term for *_, terms in _word_groups(name) for term in terms)
