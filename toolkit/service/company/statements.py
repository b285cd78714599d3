"""Sentences in which a page speaks of its own organisation, as "we" or by its name. What others say is left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.service.company.organization import Organization
    from toolkit.service.pages.parsed import Page

__all__ = ["FOLLOWS", "is_article", "is_forum", "names_pattern", "own_sentences", "own_text", "states", "subject"]

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
#: What may stand between a kind of organisation and the rest of its sentence: the kind is then the organisation's own,
#: and not that of its customers, as in "we are a non-profit consultancy".
FOLLOWS: Final = (
    r"(?=\s*(?:[.,;:!()—–]|$|organi[sz]ation|company|corporation|association|foundation|charity|newsroom|publisher|business"
    r"|society|institut|initiative|project|school|hospital|shop|store|firm|bakery|brewery|restaurant|hotel|farm"
    r"|that\b|which\b|and\b|run\b|in\b|of\b|from\b|based\b|since\b|founded\b|registered\b|dedicated\b|owned\b|with\b))"
)


def own_sentences(organization: Organization) -> tuple[str, ...]:
    """Return the sentences of a home page that have "we", "our", "us" or one of the owner's names.

    They are of the description, the main text and the footer. Quotations, block quotes and testimonials are left out:
    what stands in them is said by others, of others.
    """
    subjects = re.compile(rf"\b(?:[Ww]e|[Oo]ur|[Uu]s|WE|OUR)\b|{names_pattern(organization)}")
    return tuple(dict.fromkeys(sentence for sentence in organization.said.split("\n") if subjects.search(sentence)))


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


def subject(organization: Organization, *, possessive: bool = False) -> str:
    """Return a pattern for the owner as the subject of a sentence, or as the possessor of what follows."""
    names = names_pattern(organization)
    if possessive:
        return rf"(?:\b[Oo]ur|(?:{names})['’]s?)\s"
    # "We've", "we have", "Acme, Inc. has": the verb is what the pattern that follows begins with.
    adverbs = r"(?:(?:have|has|had|also|recently|just|now|today|proudly)\s){0,2}"
    return rf"(?:\b[Ww]e(?:['’](?:ve|re))?|(?:{names}),?)\s{adverbs}"


def states(sentences: tuple[str, ...], *patterns: str) -> re.Match[str] | None:
    """Return the first match of a pattern in the sentences; case counts only in names."""
    compiled = [re.compile(pattern) for pattern in patterns]
    return next((found for sentence in sentences for pattern in compiled if (found := pattern.search(sentence))), None)


def names_pattern(organization: Organization) -> str:
    """Return a pattern for the owner's names as words of their own: "Acme" is not found in "Acmeist"."""
    return "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in organization.names) or r"(?!)"


def _sentences(text: str) -> Iterator[str]:
    for sentence in _ENDS.split(text):
        if bare := " ".join(sentence.split()):
            yield bare[:_LONGEST_SENTENCE]
