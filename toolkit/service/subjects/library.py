"""Pages with what was found in them: fetched, parsed and classified, kept for a while."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import anyio.to_thread
from cachetools import TTLCache

from toolkit.interface.targets import parse_target
from toolkit.service.failures import Failure
from toolkit.service.pages.parsed import Page, page_from_text, parse_page
from toolkit.service.pages.problems import FetchProblem
from toolkit.service.subjects.content import ContentResult, classify

if TYPE_CHECKING:
    from toolkit.interface.targets import Target
    from toolkit.service.pages.fetching import Fetched, Fetcher

__all__ = ["Library", "Reading"]

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
_KEPT_PAGES: Final = 128
_KEPT_SECONDS: Final = 600


@dataclass(frozen=True, slots=True)
class Reading:
    """A page and its content categories."""

    page: Page
    content: ContentResult


class Library:
    """Reads pages, with a fetcher that it closes, and texts."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._kept: TTLCache[str, Reading] = TTLCache(_KEPT_PAGES, _KEPT_SECONDS)

    async def read_url(self, target: Target, *, fall_back: bool = False) -> Reading:
        """Fetch, parse and classify a page.

        The answer is 411 if no page came, 410 if it has too few words or is that of a parked domain. With `fall_back` a
        subdomain with no or too little content is answered with its root domain.
        """
        try:
            return await self._read(target)
        except Failure:
            if not (fall_back and target.is_subdomain and target.registrable):
                raise
        return await self._read(parse_target(target.registrable))

    async def read_text(self, text: str) -> Reading:
        """Classify a text, or answer 410 if it has too few words."""
        page = page_from_text(text)
        if page.tokens < LEAST_TEXT_WORDS:
            raise Failure(410, f"the text has {page.tokens} words, fewer than {LEAST_TEXT_WORDS}")
        return await anyio.to_thread.run_sync(_read_page, page)

    async def close(self) -> None:
        """Close the connections."""
        await self._fetcher.close()

    async def _read(self, target: Target) -> Reading:
        if (kept := self._kept.get(target.url)) is not None:
            return kept
        try:
            fetched = await self._fetcher.fetch(target)
        except FetchProblem as problem:
            raise Failure(411, str(problem)) from None
        reading = await anyio.to_thread.run_sync(_read_fetched, fetched)
        self._kept[target.url] = reading
        return reading


def _read_fetched(fetched: Fetched) -> Reading:
    page = parse_page(fetched)
    if page.tokens < LEAST_PAGE_WORDS:
        raise Failure(410, f"the page has {page.tokens} words, fewer than {LEAST_PAGE_WORDS}")
    if _is_parked(page):
        raise Failure(410, "the domain is parked: the page has no content of its own")
    return _read_page(page)


def _is_parked(page: Page) -> bool:
    """Whether a short page says that its domain is for sale or parked."""
    stated = f"{page.title}\n{page.description}\n{page.text}"
    return page.tokens <= _MOST_PARKED_WORDS and _PARKED.search(stated.lower()) is not None


def _read_page(page: Page) -> Reading:
    return Reading(page, classify(page))
