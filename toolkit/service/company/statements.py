"""Sentences in which a page speaks of its own organisation, as "we" or by its name. What others say is left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from toolkit.service.company.organization import Organization

__all__ = ["FOLLOWS", "names_pattern", "own_sentences", "states", "subject"]

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
