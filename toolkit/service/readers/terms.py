"""Which codes a text says in terms of their own, and which lack the words that they need."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from toolkit.service.knowledge.entries import is_member, listed
from toolkit.service.knowledge.lexicon import count_terms, knowledge_rows, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Said", "codes_in_need", "codes_said", "terms_said"]


@dataclass(frozen=True, slots=True)
class Said:
    """How many different terms of each code a text says, and how often it says any of them."""

    different: Counter[str]
    mentions: Counter[str]


@dataclass(frozen=True, slots=True)
class _Terms:
    """The codes that each term speaks for, the terms alone, and all these codes."""

    codes_by_term: dict[str, set[str]]
    terms: frozenset[str]
    codes: frozenset[str]

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> _Terms:
        """Gather the terms of codes."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for term, code in pairs:
            found[" ".join(words_of(term))].add(code)
        return cls(dict(found), frozenset(found), frozenset().union(*found.values()))

    def said(self, texts: tuple[str, ...]) -> set[str]:
        """Return the codes of which a term stands in a text."""
        return set().union(*(self.codes_by_term[term] for term in count_terms(self.terms, *texts)))

    def counted(self, texts: tuple[str, ...]) -> Said:
        """Return how often a text says terms of each code."""
        said = count_terms(self.terms, *texts)
        mentions: Counter[str] = Counter()
        for term, number in said.items():
            for code in self.codes_by_term[term]:
                mentions[code] += number
        return Said(Counter(code for term in said for code in self.codes_by_term[term]), mentions)


def codes_said(table: str, *texts: str) -> set[str]:
    """Return the codes of a table of which a text says a term, or the label.

    >>> codes_said("purchase_intent.tsv", "Shelving for a pantry")
    {'PI.FURNITURE.SHELVING'}
    """
    return _own_terms(table).said(texts)


def terms_said(table: str, *texts: str) -> Said:
    """Return how often a text says terms of each code of a table, the label among them.

    >>> terms_said("purchase_intent.tsv", "Shelving for a pantry: shelving of pine").mentions
    Counter({'PI.FURNITURE.SHELVING': 2})
    """
    return _own_terms(table).counted(texts)


def codes_in_need(table: str, *texts: str) -> set[str]:
    """Return the codes of which a text lacks every word that the knowledge says they need."""
    needed = _needed_words(table)
    return set(needed.codes) - needed.said(texts)


@cache
def _own_terms(table: str) -> _Terms:
    rows = [row for row in knowledge_rows(table) if is_member(row["code"])]
    return _Terms.of((term, row["code"]) for row in rows for term in (row["label"], *listed(row["terms"])))


@cache
def _needed_words(table: str) -> _Terms:
    return _Terms.of((word, row["code"]) for row in knowledge_rows(table) for word in listed(row["needs"]))
