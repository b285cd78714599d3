"""What follows from how a thing was made: said of each dimension by where it comes from, never by how it looks.

A perfect finding looks like a tautology in the numbers. Only the way in which the service, or the user, makes a value
tells the two apart.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from toolkit.frames.records import CATEGORIZED
from toolkit.frames.schemas import BASIS, BLOCKS, CODED, DEMOGRAPHICS

__all__ = [
    "BUSINESS",
    "INFERRED",
    "OWN",
    "TOPICS",
    "answer_of",
    "basis_of",
    "follows",
    "has_common_stem",
    "origin_of",
    "own",
]

#: Before the names of the user's own columns, so that they are no dimension of the service.
OWN: Final = "own: "
TOPICS: Final = "topics"
#: Said of a firm's audience; only sites that have any of it were asked.
BUSINESS: Final = ("seniority", "job_function", "company_size_employees", "industry")
#: General knowledge of a subject's readers.
INFERRED: Final = frozenset(name for name, basis in BASIS.items() if basis == "inferred")

#: What each dimension is a saying of; two of one origin are one thing in other words. Others are their own origin.
_ORIGINS: Final[dict[str, str]] = {
    **dict.fromkeys((*CODED, "persona", *CATEGORIZED, "main category"), TOPICS),
    **dict.fromkeys(DEMOGRAPHICS, "readers"),
    **dict.fromkeys((*BUSINESS, "audience_type"), "firms"),
    **dict.fromkeys(("country", "state", "city"), "place"),
    **dict.fromkeys(("employee_range", "revenue_range"), "size"),
    **dict.fromkeys(("company_type", "funding_status"), "owner"),
    **dict.fromkeys(("technology", "technology kind"), "technologies"),
    "company industry": "trade",
}
#: What the values of an origin are made of besides, as the service makes them.
_MADE_OF: Final[dict[str, tuple[str, ...]]] = {
    # Readers are known of a subject, and prices move their income.
    "readers": (TOPICS, "price_signals"),
    "firms": (TOPICS,),
    # Shop software, advertising networks, prices.
    "business_model": ("technologies", "price_signals"),
    # What is sold and told on the page, news among it.
    "trade": (TOPICS, "business_model", "owner", "content_type"),
    # A listing of goods is known by their prices.
    "content_type": ("price_signals",),
    # A legal form says who owns a firm in some countries only.
    "owner": ("place",),
}
#: Columns that speak of an answer and not of its site: all that is in the answer follows from them.
_OF_ANSWERS: Final = frozenset(
    {*(f"{block}_confidence" for block in BLOCKS), "interests", "purchase_intents", "personas"}
)
#: Two origins made of the same votes, and kinds of pages that say by themselves what is not told of them.
_TOGETHER: Final = {
    frozenset(("readers", "firms")),
    # News and stories show no purchase intent, and nothing of the lives of their readers; news are the trade of media.
    frozenset(("content_type", "purchase_intent")),
    frozenset(("content_type", "readers")),
    frozenset(("content_type", "firms")),
    frozenset(("trade", "readers")),
    frozenset(("trade", "firms")),
}
#: Dimensions that say more of a group than it was made of: who reads a subject is asked for, though it is inferred.
_TOLD_ALL_THE_SAME: Final = {(TOPICS, "readers")}
_SHORTEST_STEM: Final = 4
#: Words that say nothing of what is meant.
_EMPTY: Final = frozenset(
    (
        "and",
        "with",
        "from",
        "other",
        "others",
        "general",
        "sites",
        "site",
        "services",
        "service",
        "industry",
        "products",
    )
)
_WORD: Final = re.compile(r"[^\W\d_]+")


def basis_of(*dimensions: str) -> str:
    """Return on what a finding of these dimensions stands: ``inferred`` if one of them does, else ``measured``."""
    return "inferred" if INFERRED.intersection(dimensions) else "measured"


def own(column: str) -> str:
    """Return the dimension of a column of the user's."""
    return OWN + column


def origin_of(dimension: str) -> str:
    """Return what a dimension is a saying of."""
    return _ORIGINS.get(dimension, dimension)


def answer_of(dimension: str) -> str:
    """Return which answer a dimension is in: pairs within one answer show how the service infers."""
    if dimension.startswith(OWN):
        return "own"
    if dimension in {*CATEGORIZED, "main category"}:
        return "content"
    return "enrich" if dimension in _OF_COMPANIES else "segment"


def follows(group: str, dimension: str, *, is_group: bool = True) -> bool:
    """Tell whether a dimension follows from what a group was made of, or the reverse.

    With ``is_group=False`` two things are held against each other, and nothing is told of a subject's readers.
    """
    one, other = origin_of(group), origin_of(dimension)
    named, kind = (frozenset((one, other)), frozenset((group, dimension)))
    if is_group and (one, other) in _TOLD_ALL_THE_SAME:
        return False
    if group in _OF_ANSWERS:
        return answer_of(dimension) in {"segment", "content"}
    made = other in _roots(one) or one in _roots(other)
    return made or named in _TOGETHER or kind in _TOGETHER


def has_common_stem(one: str, other: str) -> bool:
    """Tell whether two names have a word in common but for its ending.

    >>> has_common_stem("Automotive", "Auto parts"), has_common_stem("own shops", "E-commerce")
    (True, False)
    """
    return any(a.startswith(b) or b.startswith(a) for a in _stems(one) for b in _stems(other))


_OF_COMPANIES: Final = frozenset(
    name for name, origin in _ORIGINS.items() if origin in {"place", "size", "owner", "technologies", "trade"}
) | {"business_model", "founded_year", "growth_trend", "parent_company"}


@cache
def _roots(origin: str) -> frozenset[str]:
    """Return an origin with all that it is made of."""
    return frozenset({origin}).union(*(_roots(part) for part in _MADE_OF.get(origin, ())))


@cache
def _stems(name: str) -> frozenset[str]:
    words = [word.casefold() for word in _WORD.findall(name)]
    return frozenset(_stem(word) for word in words if len(word) >= _SHORTEST_STEM and word not in _EMPTY)


def _stem(word: str) -> str:
    for ending in ("ies", "ing", "es", "s", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word.removesuffix(ending)
    return word
