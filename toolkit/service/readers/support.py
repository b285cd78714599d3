"""Which codes the content categories of a page support, and which groups of interests they give by themselves."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.readers.kinds import content_type, is_report
from toolkit.service.subjects.wording import tells_of_harm

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from toolkit.service.pages.parsed import Page
    from toolkit.service.subjects.content import Scored

__all__ = ["given_groups", "speaking", "supported_codes", "sure"]

#: Certainty from which a category is sure, and from which it is where no other main category rivals it; and the same
#: for a mere group of interests, which says less.
_SURE: Final = (0.65, 0.57)
_LIKELY: Final = (0.6, 0.56)
#: What documentation is of.
_DOCUMENTED: Final = ("Technology & Computing", "Business and Finance", "Science", "Video Gaming")
#: Certainty from which documentation is of any other subject.
_BEYOND_DOUBT: Final = 0.92
#: What reports of harm are set in.
_SETTINGS: Final = (
    *("Attractions", "Automotive", "Disasters", "Events", "Family and Relationships", "Food & Drink"),
    *("Hobbies & Interests", "Holidays", "Home & Garden", "Personal Celebrations & Life Events", "Pets"),
    *("Real Estate", "Shopping", "Style & Fashion", "Travel"),
)


@dataclass(frozen=True, slots=True)
class _Branches:
    """Identifiers of the categories below which a code makes sense: its group's own, and others."""

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


def speaking(page: Page, categories: Iterable[Scored], bars: tuple[float, float] = _SURE) -> tuple[Scored, ...]:
    """Return the categories of a page that say something of its readers: those whose main category is sure.

    Documentation speaks in pictures of families, farms and tenants: only what is technical counts there, or what it is
    about beyond doubt. Where a report tells of the dead and injured, the place and the things have no readers.
    """
    found = tuple(categories)
    mains = {category.id for category in sure(found, bars) if category.tier == 1}
    told = tuple(category for category in found if not mains.isdisjoint(_lineage(category.id)))
    if content_type(page)[0] == "documentation":
        subject = max((category for category in told if category.tier == 1), key=attrgetter("confidence"), default=None)
        if not subject or subject.confidence < _BEYOND_DOUBT:
            return tuple(category for category in told if category.path.startswith(_DOCUMENTED))
    if is_report(page) and tells_of_harm(page):
        return tuple(category for category in told if not category.path.startswith(_SETTINGS))
    return told


def supported_codes(codes: tuple[str, ...], categories: Iterable[Scored]) -> NDArray[np.bool_]:
    """Tell of each code whether a category is of a branch in which it makes sense (`code_categories.tsv`).

    An empty one makes sense nowhere.
    """
    found = np.zeros(len(codes), dtype=np.bool_)
    making_sense = _codes_by_branch(codes)
    for identifier in frozenset[str]().union(*(_lineage(category.id) for category in categories)):
        found[making_sense.get(identifier, [])] = True
    return found


def given_groups(page: Page, categories: Iterable[Scored]) -> dict[str, Scored]:
    """Return the groups of interests whose own branches a page's likely categories are of, with the surest of these."""
    found: dict[str, Scored] = {}
    likely = sure(speaking(page, categories, _LIKELY), _LIKELY)
    for category in sorted(likely, key=lambda category: -category.confidence):
        for code, branches in _branches().items():
            if not branches.own.isdisjoint(_lineage(category.id)):
                found.setdefault(code, category)
    return found


@cache
def _lineage(identifier: str) -> frozenset[str]:
    return frozenset({identifier, *(above.id for above in Taxonomy.load("content-v3").ancestors(identifier))})


@cache
def _codes_by_branch(codes: tuple[str, ...]) -> dict[str, list[int]]:
    """Return the positions of the codes that make sense in each branch, by the category at its top."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for position, code in enumerate(codes):
        if code:
            branches = _branches().get(code) or _branches()[code.rpartition(".")[0]]
            for identifier in branches.own | branches.beside:
                found[identifier].append(position)
    return dict(found)


@cache
def _branches() -> dict[str, _Branches]:
    taxonomy = Taxonomy.load("content-v3")

    def identifiers(cell: str) -> frozenset[str]:
        return frozenset(taxonomy.by_path(path).id for path in listed(cell))

    return {
        row["code"]: _Branches(identifiers(row["own"]), identifiers(row["beside"]))
        for row in knowledge_rows("code_categories.tsv")
    }
