"""Pages for an errand: who logs in, writes to a site or searches it does there what is done on all sites."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from toolkit.service.knowledge.lexicon import knowledge_rows

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["errand_type", "is_errand", "without_errand_words"]

#: What divides the parts of a title, of which one names the site.
_DIVIDER: Final = re.compile(r"\s*[|»·•]\s*|\s+[-–—]\s+|\s*:\s+(?=contact|personal|register|log)")
#: Characters of a title that are read.
_MOST_OF_A_TITLE: Final = 200
#: Where patterns are looked for.
_TITLE: Final = "title"
_PATH: Final = "path"
_WORD: Final = "word"


@dataclass(frozen=True, slots=True)
class _Errand:
    """An errand, what a page for it is, and what a part of its title is and its address has."""

    errand: str
    content_type: str
    title: re.Pattern[str]
    path: re.Pattern[str]


def is_errand(page: Page) -> bool:
    """Tell whether a page is there for an errand: to log in, register, write, search, pay or ask for help.

    >>> from toolkit.service.pages.parsed import Page
    >>> is_errand(Page(url="", title="Contact us | Beads and Wire")), is_errand(Page(url="", title="Beads and Wire"))
    (True, False)
    """
    return errand_type(page) is not None


# Categories, intents and kinds ask about the same page.
@lru_cache(maxsize=16)
def errand_type(page: Page) -> tuple[str, str] | None:
    """Return the content type of a page for an errand (`errands.tsv`), and which it is.

    >>> from toolkit.service.pages.parsed import Page
    >>> errand_type(Page(url="", title="Contact us | Beads and Wire"))
    ('corporate', 'contact')
    """
    if page.is_home:
        return None
    titles = _DIVIDER.split(page.title[:_MOST_OF_A_TITLE].lower().replace("’", "'"))
    address = urlsplit(page.url)
    path = f"{address.path}?{address.query}" if address.query else address.path
    told = (
        (row.content_type, row.errand)
        for row in _errands()
        if any(map(row.title.fullmatch, titles)) or row.path.search(path)
    )
    return next(told, None)


def without_errand_words(text: str) -> str:
    """Return a text with blanks in the place of what sites ask of whoever runs an errand there.

    >>> without_errand_words("Enter your password to order gouache")
    'Enter your          to       gouache'
    """
    return _words().sub(lambda found: " " * len(found[0]), text)


@cache
def _errands() -> tuple[_Errand, ...]:
    kinds = {row["errand"]: row["content_type"] for row in knowledge_rows("errands.tsv") if row["content_type"]}
    return tuple(_Errand(name, kind, _any_of(_TITLE, name), _any_of(_PATH, name)) for name, kind in kinds.items())


@cache
def _words() -> re.Pattern[str]:
    return re.compile(rf"\b{_any_of(_WORD).pattern}\b", re.IGNORECASE)


def _any_of(where: str, errand: str = "") -> re.Pattern[str]:
    """Return what is any of the patterns of a place, of one errand or of all; without one, what is nothing."""
    rows = (row for row in knowledge_rows("errands.tsv") if row["where"] == where)
    patterns = [row["pattern"] for row in rows if not errand or row["errand"] == errand]
    return re.compile(f"(?:{'|'.join(patterns) or '(?!)'})", re.IGNORECASE)
