"""The cards of sites: where each stands in a page, and what it tells."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from toolkit.interface.words.labels import ages_label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolkit.reports.contents import Card, Fact

__all__ = ["Line", "card_ids", "told"]

_NO_ID: Final = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a card: all values of one name that are known in the same way."""

    name: str
    values: tuple[str, ...]
    basis: str
    why: str


def card_ids(sites: Iterable[str]) -> dict[str, str]:
    """Return where the card of each site is found in a page; no two are at the same place.

    Examples
    --------
    >>> card_ids(["kites.example", "<b>", "(b)"])
    {'kites.example': 'site-kites.example', '<b>': 'site--b-', '(b)': 'site--b--2'}
    """
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for site in dict.fromkeys(sites):
        name = f"site-{_NO_ID.sub('-', site)}"
        number = 1
        while (found := f"{name}-{number}" if number > 1 else name) in taken:
            number += 1
        taken.add(found)
        ids[site] = found
    return ids


def told(card: Card) -> list[tuple[str, str, list[Line]]]:
    """Return of each heading of a card its name, the basis that all its facts share or nothing, and its lines."""
    headings: list[tuple[str, str, list[Line]]] = []
    for name, facts in card.facts:
        bases = {fact.basis for fact in facts}
        headings.append((name, bases.pop() if len(bases) == 1 else "", list(_lines(facts))))
    return headings


def _lines(facts: Iterable[Fact]) -> Iterable[Line]:
    for (name, basis, why), alike in groupby(facts, key=lambda fact: (fact.name, fact.basis, fact.why)):
        same = list(alike)
        ages = ages_label([fact.code for fact in same]) if same[0].dimension == "age_bracket" else ""
        yield Line(name, (ages,) if ages else tuple(fact.value for fact in same), basis, why)
