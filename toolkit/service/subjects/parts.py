"""The parts of a page that are scored by themselves: its head and its main text, translated where it is not English."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from toolkit.service.knowledge.hosts import words_of_host
from toolkit.service.subjects.notices import stands_before_site
from toolkit.service.subjects.site_words import is_errand, without_errand_words, without_shop_words
from toolkit.service.subjects.translation import Translation, is_translated, translation

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["Part", "page_parts", "translated_share"]

#: Share of the title, description, sections and headings in a page's score; the rest is the main text's.
_HEAD_SHARE: Final = 0.35
#: The same of a page for an errand, whose text is that of all sites.
_HEAD_SHARE_OF_ERRANDS: Final = 0.75
#: Words of a page up to which the name of its host says what it is about, too.
_BRIEF: Final = 150
#: Characters of these that are read: no page says in more what it is about.
_MOST_OF_HEAD: Final = 16_000
#: Different words that are known from which a translated page is understood at all, and fully.
_LEAST_TRANSLATED: Final = 8
_ENOUGH_TRANSLATED: Final = 75
#: How far a page is understood that has hardly so many.
_BARELY_TRANSLATED: Final = 0.45


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page that is scored by itself: ``head`` or ``text``, its share of the page's score, its words."""

    where: Literal["head", "text"]
    share: float
    #: As it stands in the page.
    original: str
    #: The words that are scored.
    text: str
    #: How it is read; None for a part of which all that is scored stands where it is written.
    translation: Translation | None = None

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return where in the original stands what stands at a place of the text."""
        return (start, end) if self.translation is None else self.translation.origin(start, end)


# Each matcher asks about the same page.
@lru_cache(maxsize=16)
def page_parts(page: Page) -> tuple[Part, ...]:
    """Return the parts of a page that are scored: what its head says, the site's sections among it, and the main text.

    Of a page in a language with a dictionary they are translated. The word vectors understand such a page as it is
    written by halves at most: what they say of it was measured to add nothing.
    """
    parts = _written_parts(page)
    if not is_translated(page):
        return parts
    read = [translation(part.text, page.detected_language) for part in parts]
    translated = [replace(part, text=how.text, translation=how) for part, how in zip(parts, read, strict=True)]
    # A part of which no word is known says nothing; the other one then speaks alone.
    known = [part for part in translated if part.text] or translated[-1:]
    total = sum(part.share for part in known)
    return tuple(replace(part, share=part.share / total) for part in known)


def translated_share(page: Page) -> float:
    """Return how far the words of a translated page that are known tell what it is about, 0 to 1."""
    known = len(frozenset().union(*(part.translation.words for part in page_parts(page) if part.translation)))
    if known < _LEAST_TRANSLATED:
        return 0.0
    return _BARELY_TRANSLATED + (1 - _BARELY_TRANSLATED) * min(known / _ENOUGH_TRANSLATED, 1.0)


def _written_parts(page: Page) -> tuple[Part, ...]:
    stated = (page.title, page.description, *page.sections, *page.headings, *page.keywords)
    if page.url and (page.tokens < _BRIEF or is_errand(page)):
        stated = (*stated, " ".join(words_of_host(page.url)))
    head = "\n".join(stated)[:_MOST_OF_HEAD]
    told, text = without_shop_words(head), without_shop_words(page.opening)
    if is_errand(page):
        told, text = without_errand_words(told), without_errand_words(text)
    if not told.strip():
        return (Part("text", 1.0, page.opening, text),)
    if not text.strip() or stands_before_site(page):
        return (Part("head", 1.0, head, told),)
    share = _HEAD_SHARE_OF_ERRANDS if is_errand(page) else _HEAD_SHARE
    return (Part("head", share, head, told), Part("text", 1 - share, page.opening, text))
