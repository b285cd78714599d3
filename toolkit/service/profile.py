"""Who reads a page: demographics, firms and personas, decided by votes for each value."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from toolkit.service.filters import INDUSTRIES, service_vocabulary
from toolkit.service.lexicon import knowledge_rows
from toolkit.service.votes import AUDIENCE, LISTS, SCALARS, coverage, firm_votes, people_votes
from toolkit.taxonomy import load_taxonomy

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolkit.service.audience import Band
    from toolkit.service.content import Scored
    from toolkit.service.context import Context
    from toolkit.service.pages import Page
    from toolkit.service.votes import Vote

__all__ = [
    "SCALES",
    "Firms",
    "People",
    "PersonaMatch",
    "match_personas",
    "persona_categories",
    "profile_firms",
    "profile_people",
]

#: Fields whose value is the middle of all votes, not the one with most.
SCALES: Final = frozenset({"gender_skew", "income_level", "education_level"})
#: Values of a list field are given down to this share of the strongest.
_KEPT_SHARE: Final = 0.5
_HIGH_COVER: Final = 0.7
_MEDIUM_COVER: Final = 0.35
_B2B_SURE: Final = 0.6
_B2B_MIXED: Final = 0.5
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
    values: dict[str, str | list[str] | None] = {name: _strongest(votes[name], most) for name, most in LISTS.items()}
    values |= {name: _decided(name, votes[name]) for name in SCALARS}
    return People(values, _cover_band(coverage(categories), any(vote.kind == "words" for vote in cast)))


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
    addressed = sum(vote.weight for vote in cast if (vote.kind, vote.field, vote.value) == ("words", AUDIENCE, "b2b"))
    firms, people = votes[AUDIENCE]["b2b"], votes[AUDIENCE]["b2c"]
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
def _personas() -> dict[str, tuple[str, ...]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for row in knowledge_rows("personas.tsv"):
        found[row["category_id"]].append(row["persona"])
    return {identifier: tuple(names) for identifier, names in found.items()}
