"""Categories that are given where a page says what they are about, and not where the words beside it stand."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import count_terms, knowledge_rows, words_of
from toolkit.service.subjects.things import is_offering, thing_of
from toolkit.service.subjects.translation import understood

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["unsaid"]

#: Mentions of the words of a category from which a page says it, and words below which a text has no room for two.
_SAID: Final = 2
_BRIEF: Final = 60


def unsaid(page: Page, given: frozenset[str]) -> tuple[str, ...]:
    """Return the categories among those given of which a page does not say their own words (`category_needs.tsv`).

    The thing that a page offers says the categories that it belongs to.
    """
    needs = _needs()
    least = 1 if page.tokens < _BRIEF else _SAID
    return tuple(
        path
        for path in (needs.keys() & given) - _named(page)
        if sum(count_terms(needs[path], *understood(page).stated).values()) < least
    )


def _named(page: Page) -> frozenset[str]:
    """Return the categories to which the thing belongs that a page offers, whatever it is called."""
    if (thing := thing_of(page)) is None or not is_offering(page):
        return frozenset()
    taxonomy = Taxonomy.load("content-v3")
    return frozenset(step.path for step in (*taxonomy.ancestors(thing.category), taxonomy[thing.category]))


@cache
def _needs() -> dict[str, frozenset[str]]:
    return {
        row["path"]: frozenset(" ".join(words_of(word)) for word in listed(row["words"]))
        for row in knowledge_rows("category_needs.tsv")
    }
