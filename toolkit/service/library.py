"""Pages with what was found in them: fetched, parsed and classified, kept for a while."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import anyio.to_thread
from cachetools import TTLCache

from toolkit.interface.errors import TargetError
from toolkit.interface.targets import Target, parse_target
from toolkit.service.pages.fetching import Fetcher, FetchProblem
from toolkit.service.pages.parsed import Page, page_from_text, parse_page
from toolkit.service.subjects.content import ContentResult, classify
from toolkit.service.web.failures import Failure

if TYPE_CHECKING:
    from toolkit.service.pages.fetching import Fetched
    from toolkit.service.settings import Settings

__all__ = ["Library", "Reading", "wanted_home_page", "wanted_target"]

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
    """Reads pages and texts.

    Parameters
    ----------
    settings : Settings
        Settings of the service.
    """

    def __init__(self, settings: Settings) -> None:
        self._fetcher = Fetcher(settings)
        self._kept: TTLCache[str, Reading] = TTLCache(_KEPT_PAGES, _KEPT_SECONDS)

    async def read_url(self, target: Target, *, fall_back: bool = False) -> Reading:
        """Fetch, parse and classify a page.

        Parameters
        ----------
        target : Target
            The page.
        fall_back : bool
            Whether a subdomain with no or too little content is answered with its root domain.

        Raises
        ------
        Failure
            411 if no page came, 410 if it has too few words or is that of a parked domain.
        """
        try:
            return await self._read(target)
        except Failure:
            if not (fall_back and target.is_subdomain and target.registrable):
                raise
        return await self._read(parse_target(target.registrable))

    async def read_text(self, text: str) -> Reading:
        """Classify a text.

        Raises
        ------
        Failure
            410 if it has too few words.
        """
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


def wanted_target(query: str) -> Target:
    """Read a query as a domain or URL; an IPv6 address needs no brackets.

    Raises
    ------
    Failure
        400 if it is neither.
    """
    try:
        return parse_target(f"[{query}]" if _is_ipv6(query) else query)
    except TargetError as error:
        raise Failure(400, str(error)) from None


def wanted_home_page(query: str) -> Target:
    """Read a query as a domain, or a URL in its place, and return the domain's home page.

    Path and query are dropped. A port is kept, and with it scheme and host as they were given, since it names a server
    of its own.

    Raises
    ------
    Failure
        400 if the query is neither a domain nor a URL.
    """
    target = wanted_target(query)
    if target.port is not None:
        return replace(target, path="", query="")
    return Target(given=target.domain, scheme="https", host=target.domain)


def _is_ipv6(query: str) -> bool:
    try:
        ipaddress.IPv6Address(query)
    except ValueError:
        return False
    return True


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
