"""Pages that are but a notice of their site: consent, log-in, error, terms. They have words, and no subject."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from toolkit.service.knowledge.compiled import kind_examples
from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.examples import NOTICE
from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.subjects.site_words import errand_type, helps

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["is_fine_print", "is_notice", "is_of_access", "notice_type", "stands_before_site"]

#: Share of a page's words that stand in sentences of a notice, and the words beyond which a page that is not titled as
#: one has something to say of its own.
_MOSTLY: Final = 0.5
_MOST_WORDS: Final = 250
#: Characters in which most texts have so many.
_BEGINNING: Final = 2_000
#: The same share for a page that is titled as a notice, however long it is.
_PARTLY: Final = 0.25
#: Words of a sentence that one phrase speaks for.
_WORDS_OF_A_PHRASE: Final = 12
#: Words up to which what stands where people log in is nothing else.
_MOST_OF_ACCESS: Final = 120
#: Words at the beginning of a page titled as an error; what follows them is what else its site has.
_LEAD: Final = 50
#: What a page is told as that is not there, one to log in, and one that asks for consent.
_GONE: Final = "error"
_LOG_IN: Final = "log-in"
_CONSENT: Final = "consent"
#: What a page is told as that has what binds those who use its site.
_TERMS: Final = "terms"
#: What titles the page of an error, beside whatever else.
_MISSING: Final = re.compile(
    r"\berror 404\b|(?<!the )\b404\b(?! [\d#])|\b(?:page|file|document) (?:not|can't be|cannot be) found\b"
    r"|\bno longer (?:available|exists?|here)\b"
    r"|\b(?:page|listing) (?:has |is |was )?(?:been )?(?:gone|moved|missing|removed|deleted|expired|unavailable)\b"
    r"|\bcan(?:no|')t find (?:that|this|the) page\b"
)
#: What titles a page that explains a notice or an error to others.
_EXPLAINED: Final = re.compile(
    r"\b(?:how|why|what|fix(?:es|ed|ing)?|solv(?:e|ed|ing)|causes?|explained|guide|meaning|template|sample|writing|drafting)\b"
)
#: What alone titles an error, beside the name of its site.
_ERROR: Final = re.compile(r"(?:error )?404(?: error)?(?: not found| page not found)?|(?:page|file|document) not found")
#: Where people log in, an address as good as a title.
_ACCESS: Final = re.compile(
    r"/(?:log-?in|sign-?in|sign-?up|log-?on|register|sso|auth(?:enticate)?|(?:forgot|reset)-?password)(?:[/?.#]|$)"
    r"|[?&](?:mode|action|do)=(?:login|register)\b",
    re.IGNORECASE,
)
#: Different known words without which the wording of a page tells nothing.
_LEAST_WORDED: Final = 12
#: The errand of those who write to a site (`errands.tsv`).
_WRITING: Final = "contact"
_SENTENCE: Final = re.compile(r"[^.!?\n]+")
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class _Patterns:
    """What titles a kind of notice, whole, what stands in its sentences, and what such a page is."""

    kind: str
    content_type: str
    titles: re.Pattern[str]
    phrases: str


def is_notice(page: Page) -> bool:
    """Tell whether a page, mostly, as its title says or by its words, is a notice of its site and about nothing.

    >>> from toolkit.service.pages.parsed import page_from_text
    >>> is_notice(page_from_text("Page not found. It may have been removed. Go back to the homepage."))
    True
    """
    return _is_told_so(page) or _is_worded_so(page)


def notice_type(page: Page) -> tuple[str, str]:
    """Return the content type of a notice (`notices.tsv`) and its kind: what its title says, else most of its phrases.

    One that has none of them is an error.

    >>> from toolkit.service.pages.parsed import page_from_text
    >>> notice_type(page_from_text("Page not found. It may have been removed. Go back to the homepage."))
    ('landing_page', 'error')
    """
    rows = _patterns()
    title, stated = _title_parts(page.title or page.opening), f"{page.title}\n{page.opening}".lower().replace("’", "'")
    told = (
        row for row in rows if (row.kind == _LOG_IN and is_of_access(page)) or any(map(row.titles.fullmatch, title))
    )
    # What is but worded as notices are says, whatever it is, that a page is not there.
    row = next(told, None) or max(rows, key=lambda row: (len(re.findall(row.phrases, stated)), row.kind == _GONE))
    return row.content_type, row.kind


def stands_before_site(page: Page) -> bool:
    """Tell whether a page is a notice before what its site is of, and no error, receipt or terms of it.

    Whose home page says hardly more than its terms has them as a notice, too.

    >>> from toolkit.service.pages.parsed import page_from_text
    >>> stands_before_site(page_from_text("Page not found. It may have been removed. Go back to the homepage."))
    False
    """
    if not page.url or not _is_told_so(page):
        return False
    kind = notice_type(page)[1]
    return kind in (_LOG_IN, _CONSENT) or (kind == _TERMS and page.is_home)


def is_of_access(page: Page) -> bool:
    """Tell whether a page's address is one to log in or to register at."""
    return _ACCESS.search(page.url) is not None


# Intents and personas ask about the same page.
@lru_cache(maxsize=16)
def is_fine_print(page: Page) -> bool:
    """Tell whether a page's title says that it has terms or the like, be it a notice or long enough to have a subject.

    Who reads them looks for no lawyer, unless the title explains them to others.
    """
    titles = next(row.titles for row in _patterns() if row.kind == _TERMS)
    parts = [part for part in _title_parts(page.title) if not _EXPLAINED.search(part)]
    return any(match.end() == len(part) for part in parts for match in titles.finditer(part))


def _is_told_so(page: Page) -> bool:
    return _is_notice(page.title, page.opening, of_access=is_of_access(page))


# So do the taxonomies.
@lru_cache(maxsize=16)
def _is_worded_so(page: Page) -> bool:
    """Tell whether a short page is likelier than not worded like those that one gets in the place of others.

    What helps to mend what went wrong is worded so, too, and so is a form by which one writes to a site.
    """
    if not page.url or not page.is_english or page.tokens > _MOST_WORDS:
        return False
    if helps(page) or _EXPLAINED.search(page.title.lower()):
        return False
    known = kind_examples()
    rows, amounts = known.worded(*page.stated)
    is_worded_so = len(rows) >= _LEAST_WORDED and bool(known.told(rows, amounts)[NOTICE][0] > 0)
    return is_worded_so and (errand_type(page) or ("", ""))[1] != _WRITING


# Each taxonomy asks about the same page.
@lru_cache(maxsize=16)
def _is_notice(title: str, text: str, *, of_access: bool) -> bool:
    lines = [line for line in (title, *text.split("\n", 1)) if line.strip()]
    if not lines:
        return False
    rows = _patterns()
    parts = _title_parts(lines[0])
    first = lines[0].lower().replace("’", "'")
    is_error = _MISSING.search(first) is not None
    if is_error and _EXPLAINED.search(first):
        return False
    is_titled = of_access or is_error or any(row.titles.fullmatch(part) for row in rows for part in parts)
    stated = "\n".join(lines)
    if of_access and len(_WORD.findall(stated)) <= _MOST_OF_ACCESS:
        return True
    # Most pages are longer, and need not be counted to their end; their beginning is counted at once.
    told = f"{title}\n{text}"
    if not is_titled and any(len(_WORD.findall(told, 0, end)) > _MOST_WORDS for end in (_BEGINNING, len(told))):
        return False
    sentences = [(found[0], len(_WORD.findall(found[0]))) for found in _SENTENCE.finditer(stated)]
    if _share_told(sentences) >= (_PARTLY if is_titled else _MOSTLY):
        return True
    return is_error and any(map(_ERROR.fullmatch, parts)) and _share_told(_lead(sentences)) >= _MOSTLY


def _title_parts(title: str) -> list[str]:
    first = title.strip().split("\n", 1)[0]
    return [part.strip() for part in re.split(r"[|–—·:]| - |[.!?]", first[:200].lower())]


def _lead(sentences: list[tuple[str, int]]) -> list[tuple[str, int]]:
    words = 0
    found = []
    for sentence, count in sentences:
        if words >= _LEAD:
            break
        words += count
        found.append((sentence, count))
    return found


def _share_told(sentences: list[tuple[str, int]]) -> float:
    """Return the share of words in sentences of a notice, each phrase speaking for some of its sentence."""
    phrases = _phrases()
    told = sum(
        min(words, _WORDS_OF_A_PHRASE * len(phrases.findall(sentence.lower().replace("’", "'"))))
        for sentence, words in sentences
    )
    return told / max(sum(words for _, words in sentences), 1)


@cache
def _patterns() -> tuple[_Patterns, ...]:
    return tuple(
        _Patterns(
            row["kind"],
            row["content_type"],
            re.compile(_any_of(row["titles"])),
            rf"\b(?:{_any_of(row['phrases'])})\b",
        )
        for row in knowledge_rows("notices.tsv")
    )


@cache
def _phrases() -> re.Pattern[str]:
    """Return what stands in sentences of a notice of any kind."""
    return re.compile("|".join(row.phrases for row in _patterns()))


def _any_of(cell: str) -> str:
    return "|".join(map(re.escape, listed(cell)))
