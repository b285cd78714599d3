"""A page with what was found in it: taken apart and classified."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from toolkit.service.collector import uncollected
from toolkit.service.failures import Failure
from toolkit.service.pages.parsed import Page, page_from_text, parse_page
from toolkit.service.subjects.content import ContentResult, classify

if TYPE_CHECKING:
    from toolkit.service.pages.fetching import Fetched

__all__ = ["Reading", "classified", "taken_apart"]

#: Words that a page, and a text sent as such, must have to be classified.
LEAST_PAGE_WORDS: Final = 20
LEAST_TEXT_WORDS: Final = 3
#: What stands on a domain that nobody uses, and the words beyond which a page has something to say of its own.
_PARKED: Final = re.compile(
    r"\bdomain(?: name)?(?: [\w.-]{1,253})? (?:may be|is|might be) (?:for sale|available for purchase)"
    r"|\b(?:buy|purchase|inquire about|enquire about|make an offer on) this domain"
    r"|\bdomain(?: name)?(?: [\w.-]{1,253})? (?:is|has been) parked|\bparked (?:domain|free)\b"
)
_MOST_PARKED_WORDS: Final = 150


@dataclass(frozen=True, slots=True)
class Reading:
    """A page and its content categories."""

    page: Page
    content: ContentResult


@uncollected()
def taken_apart(source: Fetched | str) -> Page:
    """Take a page or text apart; 410 if it has too few words, or is the page of a parked domain.

    >>> taken_apart("Boots for wide feet").tokens
    4
    """
    if isinstance(source, str):
        page = page_from_text(source)
        if page.tokens < LEAST_TEXT_WORDS:
            raise Failure(410, f"the text has {page.tokens} words, fewer than {LEAST_TEXT_WORDS}")
        return page
    page = parse_page(source)
    if page.tokens < LEAST_PAGE_WORDS:
        raise Failure(410, f"the page has {page.tokens} words, fewer than {LEAST_PAGE_WORDS}")
    if _is_parked(page):
        raise Failure(410, "the domain is parked: the page has no content of its own")
    return page


def classified(page: Page) -> Reading:
    """Return a page with its content categories."""
    return Reading(page, classify(page))


def _is_parked(page: Page) -> bool:
    """Whether a short page says that its domain is for sale or parked."""
    stated = f"{page.title}\n{page.description}\n{page.text}"
    return page.tokens <= _MOST_PARKED_WORDS and _PARKED.search(stated.lower()) is not None
