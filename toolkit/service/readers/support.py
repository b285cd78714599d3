"""Which codes the content categories of a page support, and which groups of interests they give by themselves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.entries import is_member, listed
from toolkit.service.knowledge.lexicon import knowledge_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolkit.service.subjects.content import Scored

__all__ = ["below_sure", "given_groups", "is_supported", "sure"]

#: Certainty from which a category is sure, and from which it is where no other main category rivals it.
_SURE: Final = 0.6
_SURE_ALONE: Final = 0.45


@dataclass(frozen=True, slots=True)
class _Branches:
    """Identifiers of the categories below which a code makes sense: its group's own, and others."""

    own: frozenset[str]
    beside: frozenset[str]


def sure(categories: Iterable[Scored]) -> tuple[Scored, ...]:
    """Return the categories of a page (v3) that can be built on: certain ones, and middling ones without a rival."""
    found = tuple(categories)
    taxonomy = Taxonomy.load("content-v3")
    mains = {(taxonomy.ancestors(category.id) or (category,))[0].id for category in found}
    least = _SURE_ALONE if len(mains) == 1 else _SURE
    return tuple(category for category in found if category.confidence >= least)


def below_sure(categories: Iterable[Scored]) -> tuple[Scored, ...]:
    """Return the categories of a page whose main category is sure, themselves included."""
    found = tuple(categories)
    mains = {category.id for category in sure(found) if category.tier == 1}
    return tuple(category for category in found if not mains.isdisjoint(_lineage(category.id)))


def is_supported(code: str, categories: Iterable[Scored]) -> bool:
    """Tell whether one of some categories is of a branch in which a code makes sense (`code_categories.tsv`)."""
    branches = _branches().get(code) or _branches()[code.rpartition(".")[0] if is_member(code) else code]
    return any(not (branches.own | branches.beside).isdisjoint(_lineage(category.id)) for category in categories)


def given_groups(categories: Iterable[Scored]) -> dict[str, Scored]:
    """Return the groups of interests whose own branches a page's sure categories are of, with the surest of these."""
    found: dict[str, Scored] = {}
    for category in sorted(sure(categories), key=lambda category: -category.confidence):
        for code, branches in _branches().items():
            if not branches.own.isdisjoint(_lineage(category.id)):
                found.setdefault(code, category)
    return found


@cache
def _lineage(identifier: str) -> frozenset[str]:
    return frozenset({identifier, *(above.id for above in Taxonomy.load("content-v3").ancestors(identifier))})


@cache
def _branches() -> dict[str, _Branches]:
    taxonomy = Taxonomy.load("content-v3")

    def identifiers(cell: str) -> frozenset[str]:
        return frozenset(taxonomy.by_path(path).id for path in listed(cell))

    return {
        row["code"]: _Branches(identifiers(row["own"]), identifiers(row["beside"]))
        for row in knowledge_rows("code_categories.tsv")
    }
