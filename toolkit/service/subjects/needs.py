"""Categories that are given where a page says what they are about, and not where the words beside it stand."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from toolkit.interface.taxonomy import PATH_SEPARATOR, Taxonomy
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
_SPORTS: Final = f"Sports{PATH_SEPARATOR}"
_JOINED: Final = re.compile(r" and |/")


def unsaid(page: Page, given: frozenset[str]) -> tuple[str, ...]:
    """Return the categories among those given of which a page does not say their own words (`category_needs.tsv`).

    The thing that a page offers says the categories that it belongs to. Sports share their words: a page is of none
    where it says nothing that it alone has, or names another one more often.
    """
    least = 1 if page.tokens < _BRIEF else _SAID
    return tuple(
        path
        for path in (_needs().keys() & given) - _named(page)
        if _mentions(_needs()[path], page) < least or _gives_way(path, page)
    )


def _mentions(words: frozenset[str], page: Page) -> int:
    return sum(count_terms(words, *understood(page).stated).values())


def _gives_way(path: str, page: Page) -> bool:
    """Tell whether a page says less of what a sport alone has than it names a sport beside it, or nothing of it.

    A racket and a backhand alone are of several.
    """
    if not path.startswith(_SPORTS):
        return False
    named = count_terms(frozenset(_sports()), *understood(page).stated)
    rival = max((count for name, count in named.items() if _is_beside(_sports()[name], path)), default=1)
    return _mentions(_alone(path), page) < rival


@cache
def _alone(path: str) -> frozenset[str]:
    """Return the words of a sport that no sport beside it has."""
    return _needs()[path].difference(*(_needs()[other] for other in _sports().values() if _is_beside(other, path)))


def _is_beside(path: str, other: str) -> bool:
    return path != other and path.rpartition(PATH_SEPARATOR)[0] == other.rpartition(PATH_SEPARATOR)[0]


@cache
def _sports() -> dict[str, str]:
    """Return the sports that have words of their own by their names, of which some have two."""
    paths = [path for path in _needs() if path.startswith(_SPORTS)]
    names = {path: _JOINED.split(path.rpartition(PATH_SEPARATOR)[2].lower()) for path in paths}
    return {" ".join(words_of(name)): path for path in paths for name in names[path]}


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
