"""Who speaks on a page: its owner, an author of an article, visitors of a forum."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.service.pages.parsed import Page

__all__ = ["is_article", "is_forum", "own_text"]

#: What is read of a page's text; an owner's statements stand before.
_MOST_CHARACTERS: Final = 100_000
_LONGEST_SENTENCE: Final = 600
#: Others speak between these marks. A straight mark opens a quotation only where a word does not end before it.
_QUOTED: Final = re.compile(r"“[^“”]{1,2000}”|«[^«»]{1,2000}»|„[^„“”]{1,2000}[“”]|(?<!\w)\"[^\"\n]{1,2000}\"")
_IS_FORUM: Final = re.compile(r"\bis (?:an?|the) (?:[\w-]+ ){0,3}(?:forum|message board|discussion board)\b")
_MANUAL: Final = re.compile(
    r"\b(?:docs|documentation|getting started|installation|api reference|manual|tutorial|wiki|readme|changelog)\b",
    re.IGNORECASE,
)
_FORUM: Final = re.compile(r"\b(?:forums?|message boards?|discussion board|foros?)\b", re.IGNORECASE)
#: A sentence ends at a stop before a space, but not within "Inc." and its like.
_ENDS: Final = re.compile(r"(?<!\bInc)(?<!\bLtd)(?<!\bCo)(?<!\bCorp)(?<!\bNo)(?<!\bno)(?<!\bSt)[.!?]\s+|\n")


def own_text(page: Page) -> str:
    """Return what a page itself says, a sentence a line: its description, its main text and its footer.

    Left out are quotations, block quotes and testimonials, and on a forum the main text: "we" there is anybody.
    """
    text = "" if is_forum(page) else page.text[:_MOST_CHARACTERS]
    whole = _QUOTED.sub("“”", f"{page.description}\n{text}\n{page.footer}")
    return "\n".join(sentence for sentence in _sentences(whole) if sentence not in page.quoted)


def is_article(page: Page) -> bool:
    """Whether the main text is a piece of writing, in which people and firms are named that are not the owner."""
    return (
        page.has_article_tags
        or page.metas.get("og:type", "").lower() == "article"
        or next(page.structured("Article", "BlogPosting", "Recipe", "Posting"), None) is not None
        or _MANUAL.search(page.title) is not None
    )


def is_forum(page: Page) -> bool:
    """Whether the main text is what visitors wrote to each other."""
    return (
        any(category == "Forum software" for _, category in page.technologies)
        or next(page.structured("DiscussionForumPosting", "QAPage"), None) is not None
        or _FORUM.search(page.title) is not None
        or _IS_FORUM.search(f"{page.description}\n{page.footer}") is not None
    )


def _sentences(text: str) -> Iterator[str]:
    for sentence in _ENDS.split(text):
        if bare := " ".join(sentence.split()):
            yield bare[:_LONGEST_SENTENCE]
