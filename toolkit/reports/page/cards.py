"""The cards of sites: where each stands in a page, and what a page's script reads of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolkit.reports.contents import Card, Fact

__all__ = ["MOST_LISTED", "card_data", "card_ids"]

#: So many cards are listed in the page itself, for readers without scripts.
MOST_LISTED: Final = 200
_NO_ID: Final = re.compile(r"[^\w.-]+")


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


def card_data(cards: Iterable[Card], ids: Mapping[str, str], groups: Mapping[str, int]) -> dict[str, Any]:
    """Return the cards for the script: each text once, and elsewhere its place among the texts."""
    places: dict[str, int] = {}

    def place(text: str) -> int:
        return places.setdefault(text, len(places))

    def fact_of(fact: Fact) -> list[int]:
        return [place(text) for text in (fact.name, fact.value, fact.basis, fact.why)]

    told = [
        [
            ids[card.site],
            card.site,
            groups.get(card.group, -1),
            [[place(name), [fact_of(fact) for fact in facts]] for name, facts in card.facts],
        ]
        for card in cards
    ]
    return {"texts": list(places), "cards": told}
