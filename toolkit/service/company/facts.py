"""Facts that a company states about itself in running text. What could be about something else is left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["NOBODY", "email_addresses", "employees", "founding_city", "founding_year"]

_YEAR: Final = r"((?:1[6-9]|20)\d\d)(?![\d,.]?\d|\s?(?:€|\$|£|euros?\b|dollars?\b|EUR\b|USD\b))"
#: Founding, in the languages of the sample web. The subject is looked for before it.
_FOUNDED: Final = re.compile(
    r"\b(?:founded|established|incorporated|opened|gegründet|fondée?|fundad[oa]|fondat[oa]|opgericht)\s{1,3}"
    rf"(?:back\s)?(?:(?:in|im\sjahre?|en|em|nel)\s{{1,3}})?{_YEAR}"
    rf"|\b{_YEAR}\sgegründet\b",
    re.IGNORECASE,
)
#: Words that say of what is still done since a year that it is the company's trade.
_IN_TRADE: Final = re.compile(
    r"\b(?:in\sbusiness|trading|operating|family[-\s](?:owned|run)|employee-owned|est\.?|familienbetrieb|familiebedrijf|"
    r"inhabergeführt|we(?:['’]ve|\shave)\sbeen\s(?:selling|making|serving|building|brewing|baking|growing|roasting|"
    r"printing|publishing|designing|producing|offering|supplying|helping|teaching|renting)\b[^.!?\n]{0,60})"
    rf"\s{{0,3}}(?:(?:since|seit|sinds)\s{{1,3}})?{_YEAR}"
    rf"|\bseit\s{_YEAR}\sin\sFamilien",
    re.IGNORECASE,
)
#: The same as a line of its own, without a subject.
_TRADE_SINCE: Final = re.compile(
    r"(?:^|(?<=\n)|(?<=[.!?]\s))(?:Published|Printed|Brewed|Baked|Serving|Selling|Making|Building|Brewing|Baking|Growing|"
    rf"Roasting|Printing|Publishing|Crafting|Supplying|Keeping)\b[^.!?\n]{{0,60}}?\ssince\s{_YEAR}"
)
_SEATED: Final = re.compile(
    r"\b(?:founded|based|headquartered|established)\s{1,3}(?:in\s{1,3}(?:1[6-9]|20)\d\d\s{1,3})?in\s{1,3}"
    r"([^\W\d_][\w'’-]{1,40}(?:[ ][^\W\d_][\w'’-]{1,40}){0,2})(?![\w'’-]|\s?\d)",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"\w[\w'’-]+")
_KIND: Final = (
    r"(?i:compan(?:y|ies)|firm|business|agency|studio|workshop|practice|consultancy|charity|organi[sz]ation|group|maker|"
    r"manufacturer|brewery|bakery|roastery|partnership|co-?op(?:erative)?|magazine|newspaper|paper|school|shop|store|hotel|"
    r"restaurant|unternehmen|firma|betrieb|familienbetrieb|familiebedrijf|bedrijf|brauerei|entreprise|maison|empresa|azienda)"
)
#: What a company calls itself at the beginning of a sentence, beside its names. In an article that is somebody else.
_SUBJECTS: Final = (
    r"[Ww]e|[Ww]ir|[Nn]ous|[Nn]osotros|[Nn]oi|[Nn]ós|[Ss]iamo|[Ss]omos|[Ww]ij|"
    r"(?:(?:[Tt]he|[Tt]his|[Oo]ur|[Dd]ie|[Dd]as|[Uu]nsere?|[Ll]a|[Ll]['’]|[Nn]otre|[Nn]uestra|[Nn]ossa|[Aa]|[Nn]ostra|[Oo]ns|[Hh]et)\s?)"
    rf"(?:[a-zà-ÿ-]+\s)?{_KIND}"
)
#: What may stand before it, and between it and its predicate: no other name, and no other verb than to be.
_BEFORE: Final = (
    r"(?:(?:In|Back in|Today|Now|Since|Im|En|Nel|Em)\b[^,.]{0,40},\s)?"
    r"(?:(?:The|Die|Das|La|Le|El|O|A|Il)\s(?:[a-zà-ÿ]+\s)?)?"
)
_BETWEEN: Final = (
    r"(?:,?\s(?:Inc|Ltd|LLC|plc|GmbH)\.?)?(?:['’](?:re|ve))?,?"
    r"(?:\s(?:is|are|was|were|has|have|been|had|now|proudly|still|first|originally|started|began|as|sind|ist|wurden?|sommes|"
    r"est|a été|avons été|somos|fue|é|foi|siamo|è|stat[ao])\b)*"
    r"(?:\s(?:an?|the|eine?|une?|una?|uma?)(?:\s[a-zà-ÿ'’-]+,?){1,8}"
    r"(?:(?:(?<=\sin)|(?<=\s[ei]m)|(?<=\sen)|(?<=\s[àa]))\s[A-ZÀ-Þ][^.!?()]{1,40},)?)?[\s,(–—-]*"
)
#: A sentence without a subject of its own: nothing, or no more than a kind of company, such as "A family bakery,".
_FRAGMENT: Final = re.compile(
    r"(?:Proudly|Still|(?:It is an?\s|An?\s|Our\s|[A-ZÀ-Þ][a-zà-ÿ-]+\s)?"
    rf"(?:(?!an?\s|the\s)[a-zà-ÿ'’-]+,?\s){{0,4}}{_KIND})?[\s,(–—-]*"
)
#: The pattern of a name that nobody has.
NOBODY: Final = r"(?!)"
_SENTENCE_END: Final = re.compile(r"[.!?。！？]\s|\n")
#: How far before a statement its sentence's subject is looked for.
_REACH: Final = 200
_COUNT: Final = r"(?:about |around |some |over |more than |nearly |almost )?(?<![\d.,])(\d{1,3}(?:,\d{3}){1,2}|\d{1,7})"
_STAFF: Final = r"(?:employees|staff|colleagues|co-?workers|team members)\b"
#: Said of "us", wherever in a sentence; and of the subject of the sentence.
_OUR_EMPLOYEES: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bwe\s(?:now\s)?(?:employ|have)\s{_COUNT}\s(?:full-time\s)?{_STAFF}",
        rf"\bwe\semploy\s{_COUNT}\speople\b",
        rf"\bwe(?:\sare|['’]re)\s(?:now\s)?(?:an?\s(?:\w{{1,20}}\s)?team\sof\s)?{_COUNT}\s(?:people|{_STAFF})",
        rf"\bour\s(?:team|staff|crew)\sof\s{_COUNT}\s(?:people|engineers|specialists|{_STAFF})",
        rf"\bour\s{_COUNT}\s{_STAFF}",
        rf"\b{_COUNT}\speople\s(?:now\s)?work\s(?:here|for\sus|at\sour)\b",
    )
)
_EMPLOYEES: Final = re.compile(
    rf"(?<=\s)(?:with|of)\s{_COUNT}\s(?:people|{_STAFF})"
    rf"|\b(?:now\s)?employs\s{_COUNT}\s(?:people|{_STAFF})"
)
_EMAIL: Final = re.compile(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}\b"
)


def founding_year(text: str, names: str = NOBODY, *, ours: bool = True) -> int | None:
    """Return the year in which a company says it was founded, or since which it says it does its trade.

    `names` is a pattern of the names by which it may speak of itself; `ours` tells whether "we" is the company too.

    >>> founding_year("We are a small roastery, founded in 2006."), founding_year("Prices are unchanged since 2019.")
    (2006, None)
    >>> founding_year("Acme, founded in 1990, is big."), founding_year("Acme, founded in 1990, is big.", "Acme")
    (None, 1990)
    """
    named = rf"(?:(?:{names})\s(?:was\s(?:founded|established)|started)\b|\bfounded\s(?:{names}))"
    found = (
        re.search(rf"{named}[^.!?\n]{{0,60}}?\bin\s{_YEAR}", text)
        or next(_own(_FOUNDED, text, names, ours=ours), None)
        or next(_own(_IN_TRADE, text, names, ours=ours), None)
        or _TRADE_SINCE.search(text)
    )
    return next(int(year) for year in found.groups() if year) if found else None


def founding_city(text: str, names: str = NOBODY, *, ours: bool = True) -> str:
    """Return the place in which a company says it was founded or has its seat; empty where it does not.

    >>> founding_city("Founded in 1987 in Leeds, we make kites."), founding_city("A film based in Paris.")
    ('Leeds', '')
    """
    for found in _own(_SEATED, text, names, ours=ours):
        words = []
        for word in found[1].split(" "):
            if not (word[0].isupper() and _NAME.fullmatch(word)):
                break
            words.append(word)
        if words:
            return " ".join(words)
    return ""


def employees(text: str, names: str = NOBODY, *, ours: bool = True) -> int | None:
    """Return how many people a company says it employs.

    >>> employees("Today we are 118 people."), employees("30,000 people have walked with us.")
    (118, None)
    """
    found = next(filter(None, (pattern.search(text) for pattern in _OUR_EMPLOYEES)), None) if ours else None
    found = found or next(_own(_EMPLOYEES, text, names, ours=ours), None)
    return next(int(count.replace(",", "")) for count in found.groups() if count) if found else None


def email_addresses(text: str) -> list[str]:
    """Return the e-mail addresses that stand in a text.

    >>> email_addresses("Write to fly@kites.example.")
    ['fly@kites.example']
    """
    return _EMAIL.findall(text)


def _own(pattern: re.Pattern[str], text: str, names: str, *, ours: bool) -> Iterator[re.Match[str]]:
    """Yield the statements whose subject is the company: "we", one of its names, or nobody in a line of its own."""
    own = re.compile(rf"{_BEFORE}(?:{_SUBJECTS if ours else NOBODY}|{names}){_BETWEEN}")
    for found in pattern.finditer(text):
        before = text[max(found.start() - _REACH, 0) : found.start()]
        clause = _SENTENCE_END.split(before)[-1].lstrip()
        if own.fullmatch(clause) or (_FRAGMENT.fullmatch(clause) and (ours or not clause)):
            yield found
