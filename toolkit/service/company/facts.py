"""Facts that a company states about itself in running text. What could be about something else is left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["email_addresses", "employees", "founding_city", "founding_year"]

_YEAR: Final = r"((?:1[6-9]|20)\d\d)(?![\d,.]?\d|\s?(?:€|\$|£|euros?\b|dollars?\b|EUR\b|USD\b))"
#: Founding, in the languages of the sample web. The subject is looked for before it.
_FOUNDED: Final = re.compile(
    r"\b(?:founded|established|incorporated|gegründet|fondée?|fundad[oa]|fondat[oa])\s{1,3}"
    rf"(?:back\s)?(?:(?:in|im\sjahre?|en|em|nel)\s{{1,3}})?{_YEAR}"
    rf"|\b{_YEAR}\sgegründet\b",
    re.IGNORECASE,
)
#: Words that say of what is still done since a year that it is the company's trade.
_IN_TRADE: Final = re.compile(
    r"\b(?:in\sbusiness|trading|operating|family[-\s](?:owned|run)|employee-owned|est\.?|familienbetrieb|"
    r"inhabergeführt|we(?:['’]ve|\shave)\sbeen\s(?:selling|making|serving|building|brewing|baking|growing|roasting|"
    r"printing|publishing|designing|producing|offering|supplying|helping|teaching|renting)\b[^.!?\n]{0,60})"
    rf"\s{{0,3}}(?:(?:since|seit)\s{{1,3}})?{_YEAR}",
    re.IGNORECASE,
)
_SEATED: Final = re.compile(
    r"\b(?:founded|based|headquartered|established)\s{1,3}(?:in\s{1,3}(?:1[6-9]|20)\d\d\s{1,3})?in\s{1,3}"
    r"([^\W\d_][\w'’-]{1,40}(?:[ ][^\W\d_][\w'’-]{1,40}){0,2})(?![\w'’-]|\s?\d)",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"\w[\w'’-]+")
_SUBJECT: Final = re.compile(
    r"\b(?:we|us|our|company|firm|business|agency|studio|wir|unser[e]?|unternehmen|firma|nous|notre|entreprise|maison|"
    r"nosotros|nuestra|somos|nossa|empresa|noi|nostra|siamo|azienda)\b",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"[.!?。！？]\s|\n")
#: How far before a statement its sentence's subject is looked for.
_REACH: Final = 200
_COUNT: Final = r"(?:about |around |some |over |more than |nearly |almost )?(?<![\d.,])(\d{1,3}(?:,\d{3}){1,2}|\d{1,7})"
_STAFF: Final = r"(?:employees|staff|colleagues|co-?workers|team members)\b"
_EMPLOYEES: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bwe\s(?:now\s)?(?:employ|have)\s{_COUNT}\s(?:full-time\s)?{_STAFF}",
        rf"\bwe\semploy\s{_COUNT}\speople\b",
        rf"\bwe(?:\sare|['’]re)\s(?:now\s)?(?:an?\s(?:\w{{1,20}}\s)?team\sof\s)?{_COUNT}\s(?:people|{_STAFF})",
        rf"\bour\s(?:team|staff|crew)\sof\s{_COUNT}\s(?:people|engineers|specialists|{_STAFF})",
        rf"\bour\s{_COUNT}\s{_STAFF}",
        rf"\b(?:business|company|firm|agency|team|studio|practice)\s(?:with|of)\s{_COUNT}\s(?:people|{_STAFF})",
        rf"\b(?:business|company|firm|agency|studio|practice)\s(?:now\s)?employs\s{_COUNT}\s(?:people|{_STAFF})",
        rf"\b{_COUNT}\speople\s(?:now\s)?work\s(?:here|for\sus|at\sour)\b",
    )
)
_EMAIL: Final = re.compile(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}\b"
)


def founding_year(text: str) -> int | None:
    """Return the year in which a company says it was founded, or since which it says it does its trade.

    >>> founding_year("We are a small roastery, founded in 2006."), founding_year("Prices are unchanged since 2019.")
    (2006, None)
    """
    found = next(_own(_FOUNDED, text), None) or _IN_TRADE.search(text)
    return next(int(year) for year in found.groups() if year) if found else None


def founding_city(text: str) -> str:
    """Return the place in which a company says it was founded or has its seat; empty where it does not.

    >>> founding_city("Founded in 1987 in Leeds, we make kites."), founding_city("A film based in Paris.")
    ('Leeds', '')
    """
    for found in _own(_SEATED, text):
        words = []
        for word in found[1].split(" "):
            if not (word[0].isupper() and _NAME.fullmatch(word)):
                break
            words.append(word)
        if words:
            return " ".join(words)
    return ""


def employees(text: str) -> int | None:
    """Return how many people a company says it employs.

    >>> employees("Today we are 118 people."), employees("30,000 people have walked with us.")
    (118, None)
    """
    found = next(filter(None, (pattern.search(text) for pattern in _EMPLOYEES)), None)
    return int(found[1].replace(",", "")) if found else None


def email_addresses(text: str) -> list[str]:
    """Return the e-mail addresses that stand in a text.

    >>> email_addresses("Write to fly@kites.example.")
    ['fly@kites.example']
    """
    return _EMAIL.findall(text)


def _own(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the statements that begin a sentence, or follow a word for the company in theirs."""
    for found in pattern.finditer(text):
        before = text[max(found.start() - _REACH, 0) : found.start()]
        clause = _SENTENCE_END.split(before)[-1]
        if not clause.strip() or _SUBJECT.search(clause):
            yield found
