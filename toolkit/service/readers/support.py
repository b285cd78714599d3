"""Which codes the content categories of a page support, and which groups of interests they give by themselves."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.entries import is_member, listed, namesake
from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.readers.kinds.content_type import content_type, is_report
from toolkit.service.subjects.content import confidences, is_divided
from toolkit.service.subjects.examples import near_categories
from toolkit.service.subjects.needs import SEXED
from toolkit.service.subjects.programs import DOCUMENTED, TECHNOLOGY, programming
from toolkit.service.subjects.wording import (
    SETTINGS_OF_DEATH,
    SETTINGS_OF_HARM,
    count_matches,
    reports_harm,
    tells_of_harm,
    titled_harm,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from toolkit.service.pages.parsed import Page
    from toolkit.service.subjects.content import Scored

__all__ = [
    "OF_EVERYBODY",
    "entailed_codes",
    "explains",
    "given_groups",
    "groups_beside",
    "is_settled",
    "is_technical",
    "lineage",
    "nearby_codes",
    "owned_codes",
    "rival_codes",
    "sexed_codes",
    "silent_branches",
    "speaking",
    "supported_codes",
    "sure",
    "suspected_codes",
]

#: Certainty from which a category is sure, and from which it is where no other main category rivals it; and the same
#: for a mere group of interests, which says less.
_SURE: Final = (0.65, 0.57)
_LIKELY: Final = (0.6, 0.545)
#: Certainty from which documentation that may be technical is of any other subject, and from which any is.
_BEYOND_DOUBT: Final = 0.92
_LITTLE_DOUBT: Final = 0.75
#: Certainty of technology from which documentation may be technical: rules and laws have theirs, too.
_MAYBE_TECHNICAL: Final = 0.1
#: Certainty from which a part of a subject says something of its readers whatever stands beside it, and from which it
#: does where no other part has so great a share of its certainty.
_SETTLED: Final = 0.6
_LIKELY_PART: Final = 0.4
_RIVAL_SHARE: Final = 0.45
#: Certainty of a code's own categories, beside that of the page's first one, from which the page may be about it.
_ENTAILED: Final = 0.15
_ALCOHOLIC: Final = "Food & Drink > Alcoholic Beverages"
#: What no drink without alcohol is made of.
_ALCOHOL: Final = re.compile(
    r"\b(?:tequila|mezcal|vodka|rum|gin|whisk(?:y|ey)|bourbon|brandy|cognac|vermouth|liqueur|prosecco|champagne)\b",
    re.IGNORECASE,
)
_SAID_TWICE: Final = 2
#: What a page is not about although it names it: the juices in a drink with alcohol, the animals of a zoo.
_INSTEAD: Final = {
    _ALCOHOLIC: "Food & Drink > Non-Alcoholic Beverages",
    "Attractions > Zoos & Aquariums": "Pets",
}
#: Interest in news, and subjects that are news on the day alone.
_NEWS: Final = "INT.NEWS_AND_POLITICS"
_OF_THE_DAY: Final = ("Disasters", "War and Conflicts")
#: What everybody has or follows, whatever else they take an interest in: the water and the weather.
OF_EVERYBODY: Final = ("Personal Finance > Home Utilities", "Science > Weather")
#: Subjects whose parts are told apart by their names: of one sport a page speaks in the words of others, too.
_EXCLUSIVE: Final = ("Sports", "Pets")
#: What those do without who give it up.
_GIVEN_UP: Final = (_ALCOHOLIC, "Hobbies & Interests > Cigars", "Shopping")
_GIVING_UP: Final = re.compile(
    r"\b(?:no|low)[- ](?:spend|buy)\b|\bdry january\b|\bsober\b|\bsobriety\b|\balcohol[- ]free\b"
    r"|\b(?:quit(?:ting)?|giv(?:e|ing) up|stop(?:ped|ping)?|without)"
    r" (?:buying|shopping|spending|drinking|alcohol|smoking)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Branches:
    """Identifiers of the categories below which a code makes sense: its own, of which it follows, and others."""

    own: frozenset[str]
    beside: frozenset[str]


def sure(categories: Iterable[Scored], bars: tuple[float, float] = _SURE) -> tuple[Scored, ...]:
    """Return the categories of a page (v3) that can be built on: certain ones, and middling ones without a rival."""
    found = tuple(categories)
    taxonomy = Taxonomy.load("content-v3")
    mains = {(taxonomy.ancestors(category.id) or (category,))[0].id for category in found}
    beside_others, alone = bars
    least = alone if len(mains) == 1 else beside_others
    return tuple(category for category in found if category.confidence >= least)


# Codes, people and personas ask about the same categories.
@lru_cache(maxsize=8)
def speaking(page: Page, categories: tuple[Scored, ...], bars: tuple[float, float] = _SURE) -> tuple[Scored, ...]:
    """Return the categories of a page that say something of its readers: those whose main category is sure.

    Documentation, and what shows programs, speaks in pictures of families, farms and tenants: only what is technical
    counts there, or what it is about beyond doubt. Where a report tells of the dead and injured, the place and the
    things have no readers. Of two subjects that have nothing in common one is a picture, and nobody knows which; and
    so is one of which no page is known that is near to this one.
    """
    if is_divided(page):
        return ()
    mains = {category.id for category in sure(categories, bars) if category.tier == 1} & near_categories(page)
    told = tuple(category for category in categories if not mains.isdisjoint(lineage(category.id)))
    if explains(page):
        subject = max((category for category in told if category.tier == 1), key=attrgetter("confidence"), default=None)
        least = _BEYOND_DOUBT if is_technical(page) else _LITTLE_DOUBT
        if programming(page) or not subject or subject.confidence < least:
            return tuple(category for category in told if category.path.startswith(DOCUMENTED))
    silent = silent_branches(page, told)
    return tuple(category for category in told if not category.path.startswith(silent))


def explains(page: Page) -> bool:
    """Tell whether a page explains a program or a device to those who have it."""
    return content_type(page)[0] == "documentation" or bool(programming(page))


def is_technical(page: Page, least: float = _MAYBE_TECHNICAL) -> bool:
    """Tell whether a page may be documentation of a program or a device, as what it says tells."""
    return bool(programming(page)) or confidences(page, "content-v3")[TECHNOLOGY] >= least


def silent_branches(page: Page, categories: Iterable[Scored]) -> tuple[str, ...]:
    """Return the branches of which a page tells, and not to their readers: where harm was done, what is given up."""
    if is_report(page) and reports_harm(page):
        return SETTINGS_OF_DEATH
    if is_report(page) and (tells_of_harm(page) or titled_harm(page)):
        return SETTINGS_OF_HARM
    if _gives_up(page.title):
        return _GIVEN_UP
    given = {category.path for category in categories}
    if _names_alcohol(page):
        given.add(_ALCOHOLIC)
    return tuple(other for path, other in _INSTEAD.items() if path in given)


# Asked of several choices of the same page's categories.
@lru_cache(maxsize=16)
def _names_alcohol(page: Page) -> bool:
    """Tell whether a page names drinks with alcohol, where it may be about others: elsewhere that silences nothing."""
    certain, other = confidences(page, "content-v3"), Taxonomy.load("content-v3").by_path(_INSTEAD[_ALCOHOLIC])
    # Less certain ones are neither given nor thought possible.
    if certain[other.id] < _ENTAILED * max(certain.values()):
        return False
    return count_matches(_ALCOHOL, page.opening) >= _SAID_TWICE


@lru_cache(maxsize=16)
def _gives_up(title: str) -> bool:
    return _GIVING_UP.search(title) is not None


def is_settled(page: Page, category: Scored) -> bool:
    """Tell whether a page is of a part of its subject, and not as well of another beside it: a phone has a camera."""
    if category.confidence >= _SETTLED:
        return True
    certain, taxonomy = confidences(page, "content-v3"), Taxonomy.load("content-v3")
    parent = taxonomy[category.id].parent
    rivals = (certain[other.id] for other in taxonomy.children(parent) if other.id != category.id) if parent else ()
    return category.confidence >= _LIKELY_PART and max(rivals, default=0.0) < _RIVAL_SHARE * category.confidence


def supported_codes(codes: tuple[str, ...], categories: Iterable[Scored]) -> NDArray[np.bool_]:
    """Tell of each code whether a category is of a branch in which it makes sense (`code_categories.tsv`).

    An empty one makes sense nowhere.
    """
    found = np.zeros(len(codes), dtype=np.bool_)
    making_sense = _codes_by_branch(codes)
    for identifier in frozenset[str]().union(*(lineage(category.id) for category in categories)):
        found[making_sense.get(identifier, [])] = True
    return found


def entailed_codes(codes: tuple[str, ...], page: Page, categories: Iterable[Scored]) -> NDArray[np.bool_]:
    """Tell of each code whether a page may be about one of its own categories; where it has none, nothing tells."""
    found: NDArray[np.bool_] = suspected_codes(codes, page, categories) | _without_own(codes)
    return found


def nearby_codes(codes: tuple[str, ...], page: Page) -> NDArray[np.bool_]:
    """Tell of each code whether pages are known that are near to this one and of one of its own categories."""
    found: NDArray[np.bool_] = _with_own_among(codes, near_categories(page)) | _without_own(codes)
    return found


def suspected_codes(codes: tuple[str, ...], page: Page, categories: Iterable[Scored]) -> NDArray[np.bool_]:
    """Tell of each code whether it has own categories of which a page may be about one."""
    return _with_own_among(codes, _plausible(page, tuple(categories)))


# Interests and purchase intent ask about the same categories.
@lru_cache(maxsize=8)
def _plausible(page: Page, categories: tuple[Scored, ...]) -> frozenset[str]:
    """Return the categories that a page may be about, beside those that it is given."""
    certain, taxonomy = confidences(page, "content-v3"), Taxonomy.load("content-v3")
    sexes = tuple(branch for branch in SEXED if not any(found.path.startswith(branch) for found in categories))
    silent = (*silent_branches(page, categories), *sexes)
    least = _ENTAILED * max(certain.values())
    possible = [identifier for identifier, certainty in certain.items() if certainty >= least]
    return frozenset(identifier for identifier in possible if not taxonomy[identifier].path.startswith(silent))


def owned_codes(codes: tuple[str, ...], categories: Iterable[Scored]) -> NDArray[np.bool_]:
    """Tell of each code whether one of its own categories is among those of a page."""
    return _with_own_among(codes, frozenset(category.id for category in categories))


def rival_codes(codes: tuple[str, ...], categories: Iterable[Scored]) -> NDArray[np.bool_]:
    """Tell of each code whether its own category gives way to a sibling that the page is of: basketball to hockey."""
    taxonomy, given = Taxonomy.load("content-v3"), {category.id for category in categories}
    exclusive = {taxonomy.by_path(path).id for path in _EXCLUSIVE}
    parents = exclusive.intersection(taxonomy[identifier].parent or "" for identifier in given)
    rivals = {sibling.id for parent in parents for sibling in taxonomy.children(parent)} - given
    return _with_own_among(codes, frozenset(rivals)) & ~_with_own_among(codes, frozenset(given))


# The same is asked at several bars.
@lru_cache(maxsize=32)
def _with_own_among(codes: tuple[str, ...], identifiers: frozenset[str]) -> NDArray[np.bool_]:
    found = np.zeros(len(codes), dtype=np.bool_)
    known = _codes_by_own(codes)
    found[[position for identifier in known.keys() & identifiers for position in known[identifier]]] = True
    found.flags.writeable = False
    return found


@cache
def sexed_codes(codes: tuple[str, ...]) -> NDArray[np.bool_]:
    """Tell of each code whether it is of things for one sex alone."""
    taxonomy = Taxonomy.load("content-v3")
    return np.array([any(taxonomy[step].path.startswith(SEXED) for step in own) for own in _own_of(codes)])


def given_groups(page: Page, categories: tuple[Scored, ...], bars: tuple[float, float] = _LIKELY) -> dict[str, Scored]:
    """Return the groups of interests whose own branches a page's likely categories are of, with the surest of these.

    A category gives those to which the nearest step above it belongs: a theatre is Fine Art, and no journey. A war or a
    flood of which no report tells is history, or a lesson, and no news; what is of everybody gives none.
    """
    found: dict[str, Scored] = {}
    likely = sure(speaking(page, categories, bars), bars)
    above = {step for category in likely for step in lineage(category.id) if step != category.id}
    for category in sorted(likely, key=lambda category: -category.confidence):
        if category.id not in above and not category.path.startswith(OF_EVERYBODY):
            groups = (_groups_by_branch().get(step, ()) for step in lineage(category.id))
            for code in next(filter(None, groups), ()):
                if not (code == _NEWS and category.path.startswith(_OF_THE_DAY) and not is_report(page)):
                    found.setdefault(code, category)
    return found


def groups_beside(page: Page, categories: tuple[Scored, ...]) -> frozenset[str]:
    """Return the groups of interests that make sense in the branches of which a page surely is.

    Who is told of the law or the weather, and not of what happened, follows no news.
    """
    steps = {step for category in sure(speaking(page, categories)) for step in lineage(category.id)}
    return frozenset(
        code
        for code, branches in _branches().items()
        if code.startswith("INT.") and not is_member(code) and not branches.beside.isdisjoint(steps)
        if code != _NEWS or is_report(page)
    )


@cache
def lineage(identifier: str) -> tuple[str, ...]:
    """Return the identifiers of a category and of those above it, nearest first."""
    above = Taxonomy.load("content-v3").ancestors(identifier)
    return (identifier, *(category.id for category in reversed(above)))


@cache
def _groups_by_branch() -> dict[str, tuple[str, ...]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for code, branches in _branches().items():
        if code.startswith("INT.") and not is_member(code):
            for identifier in branches.own:
                found[identifier].append(code)
    return {identifier: tuple(codes) for identifier, codes in found.items()}


@cache
def _codes_by_branch(codes: tuple[str, ...]) -> dict[str, list[int]]:
    """Return the positions of the codes that make sense in each branch, by the category at its top."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for position, code in enumerate(codes):
        if code:
            group, own = _branches()[code.rpartition(".")[0]], _branches().get(code)
            beside = own.beside if own and own.beside else group.own | group.beside
            for identifier in beside | (own.own if own else frozenset()):
                found[identifier].append(position)
    return dict(found)


@cache
def _codes_by_own(codes: tuple[str, ...]) -> dict[str, list[int]]:
    """Return the positions of the codes that have each category as their own."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for position, own in enumerate(_own_of(codes)):
        for identifier in own:
            found[identifier].append(position)
    return dict(found)


@cache
def _without_own(codes: tuple[str, ...]) -> NDArray[np.bool_]:
    return np.array([not own for own in _own_of(codes)], dtype=np.bool_)


@cache
def _own_of(codes: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """Return the own categories of each code: those of its row, that it is named after, or its group's."""
    labels = {
        row["code"]: row["label"] for name in ("interests.tsv", "purchase_intent.tsv") for row in knowledge_rows(name)
    }

    def own(code: str) -> frozenset[str]:
        group = code.rpartition(".")[0]
        if (row := _branches().get(code)) and row.own:
            return row.own
        same = namesake(labels[code], labels[group])
        return frozenset({same["id"]}) if same and same["path_v3"] else _branches()[group].own

    return tuple(own(code) if code else frozenset() for code in codes)


@cache
def _branches() -> dict[str, _Branches]:
    taxonomy = Taxonomy.load("content-v3")

    def identifiers(cell: str) -> frozenset[str]:
        return frozenset(taxonomy.by_path(path).id for path in listed(cell))

    return {
        row["code"]: _Branches(identifiers(row["own"]), identifiers(row["beside"]))
        for row in knowledge_rows("code_categories.tsv")
    }
