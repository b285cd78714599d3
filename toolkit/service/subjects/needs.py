"""Categories that are given where a page says what they are about, and not where the words beside it stand."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import count_terms, knowledge_rows, words_of
from toolkit.service.subjects.translation import understood

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["unsaid"]

#: Mentions of the words of a category from which a page says it.
_SAID: Final = 2


def unsaid(page: Page, given: frozenset[str]) -> tuple[str, ...]:
    """Return the categories among those given of which a page does not say their own words (`category_needs.tsv`)."""
    needs = _needs()
    return tuple(
        path
        for path in needs.keys() & given
        if sum(count_terms(needs[path], *understood(page).stated).values()) < _SAID
    )


@cache
def _needs() -> dict[str, frozenset[str]]:
    return {
        row["path"]: frozenset(" ".join(words_of(word)) for word in listed(row["words"]))
        for row in knowledge_rows("category_needs.tsv")
    }
