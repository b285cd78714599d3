"""Pages that are but a notice of their site: consent, log-in, error, terms. They have words, and no subject."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import knowledge_rows

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["is_notice", "is_of_access"]

#: Share of a page's words that stand in sentences of a notice, and the words beyond which a page that is not titled as
#: one has something to say of its own.
_MOSTLY: Final = 0.5
_MOST_WORDS: Final = 250
#: The same share for a page that is titled as a notice, however long it is.
_PARTLY: Final = 0.25
#: Words of a sentence that one phrase speaks for.
_WORDS_OF_A_PHRASE: Final = 12
#: Words up to which what stands where people log in is nothing else.
_MOST_OF_ACCESS: Final = 120
#: What titles the page of an error, beside whatever else.
_MISSING: Final = re.compile(r"\b(?:error )?404\b|\b(?:page|file|document) (?:not|can't be|cannot be) found\b")
#: Where people log in, an address as good as a title.
_ACCESS: Final = re.compile(
    r"/(?:log-?in|sign-?in|sign-?up|log-?on|register|sso|auth(?:enticate)?|(?:forgot|reset)-?password)(?:[/?.#]|$)"
    r"|[?&](?:mode|action|do)=(?:login|register)\b",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"[^.!?\n]+")
_WORD: Final = re.compile(r"[^\W_]+")


def is_notice(page: Page) -> bool:
    """Tell whether a page, mostly or as its title says, is a notice of its site and about nothing.

    >>> from toolkit.service.pages.parsed import page_from_text
    >>> is_notice(page_from_text("Page not found. It may have been removed. Go back to the homepage."))
    True
    """
    return _is_notice(page.title, page.opening, of_access=is_of_access(page))


def is_of_access(page: Page) -> bool:
    """Tell whether a page's address is one to log in or to register at."""
    return _ACCESS.search(page.url) is not None


# Each taxonomy asks about the same page.
@lru_cache(maxsize=16)
def _is_notice(title: str, text: str, *, of_access: bool) -> bool:
    lines = [line for line in (title, *text.split("\n", 1)) if line.strip()]
    if not lines:
        return False
    titles, phrases = _patterns()
    title = lines[0][:200].lower()
    is_titled = (
        of_access
        or _MISSING.search(title) is not None
        or any(titles.fullmatch(part.strip()) for part in re.split(r"[|–—·:]| - |[.!?]", title))
    )
    stated = "\n".join(lines)
    if of_access and len(_WORD.findall(stated)) <= _MOST_OF_ACCESS:
        return True
    # Most pages are longer, and need not be counted to their end.
    if not is_titled and sum(1 for _ in islice(_WORD.finditer(stated), _MOST_WORDS + 1)) > _MOST_WORDS:
        return False
    sentences = [(found[0], len(_WORD.findall(found[0]))) for found in _SENTENCE.finditer(stated)]
    total = sum(words for _, words in sentences)
    if not total:
        return False
    told = sum(
        min(words, _WORDS_OF_A_PHRASE * len(phrases.findall(sentence.lower().replace("’", "'"))))
        for sentence, words in sentences
    )
    return told >= (_PARTLY if is_titled else _MOSTLY) * total


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what titles notices, whole, and what stands in their sentences."""
    rows = knowledge_rows("notices.tsv")

    def any_of(column: str) -> str:
        return "|".join(re.escape(phrase) for row in rows for phrase in listed(row[column]))

    return re.compile(any_of("titles")), re.compile(rf"\b(?:{any_of('phrases')})\b")
