"""Key personnel: the people whom a page names with their position in its own organisation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from toolkit.service.company.organization import objects, own_host, string
from toolkit.service.company.statements import names_pattern, own_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.service.company.organization import Organization
    from toolkit.service.pages.parsed import Page

__all__ = ["key_personnel"]

_MOST: Final = 10
_LONGEST: Final = 100
_NAME: Final = (
    r"(?P<name>(?:Dr\.? |Prof\.? |Sir |Dame )?[A-ZÀ-ÖØ-Þ][\w'’-]{1,20}"
    r"(?: (?:[A-Z]\.|van|von|de|da|di|del|la|le|der|den|bin|al|[A-ZÀ-ÖØ-Þ][\w'’-]{1,20})){0,3}"
    r" [A-ZÀ-ÖØ-Þ][\w'’-]{1,20})"
)
_ONE: Final = (
    r"(?:CEO|CTO|CFO|COO|CMO|CIO|CISO|CPO|[Cc]hief [A-Z]?[a-z]+(?: [A-Z]?[a-z]+)? [Oo]fficer|[Cc]o-?[Ff]ounder"
    r"|[Ff]ounder|[Ff]ounding [Pp]artner|[Pp]resident|[Cc]hair(?:man|woman|person)?"
    r"|[Mm]anaging (?:[Dd]irector|[Pp]artner|[Ee]ditor)"
    r"|[Ee]xecutive (?:[Dd]irector|[Cc]hef)|[Cc]reative [Dd]irector|[Aa]rtistic [Dd]irector|[Mm]edical [Dd]irector"
    r"|[Ee]ditor[- ]in[- ][Cc]hief|[Gg]eneral [Mm]anager|[Hh]ead ?[Tt]eacher|[Pp]rincipal [Dd]entist|[Oo]wner"
    r"|[Bb]rewmaster|[Hh]ead [Bb]rewer|[Hh]ead [Cc]hef)"
)
_TITLE: Final = rf"(?P<title>{_ONE}(?:(?:,? and |,? & |/|, ){_ONE}){{0,2}})"
_TEAM: Final = re.compile(
    r"^(?:(?:meet )?(?:our|the) (?:\w+ )?(?:team|people|leadership|management|founders)|(?:our )?leadership(?: team)?"
    r"|management(?: team)?|executive team|board of directors|founders|who we are)$",
    re.IGNORECASE,
)
_LINE: Final = re.compile(rf"(?:- )?{_NAME}(?:,| [–—|-]|:)? {_TITLE}\.?")
_ALONE: Final = re.compile(rf"(?:- )?{_NAME}")
_TITLE_ALONE: Final = re.compile(_TITLE)


def key_personnel(page: Page, organization: Organization, domain: str) -> list[dict[str, str]]:
    """Return ``name`` and ``title`` of at most 10 people whom a home page names with a position in its organisation.

    They are founders, employees and members of the structured data with a position; people of whom the text says that
    they are ours ("our founder, Jane Doe"; "Jane Doe, CEO of Acme"); and the entries under a heading such as "Our
    team". People quoted, and positions elsewhere, are no personnel.
    """
    found: dict[str, str] = {}
    for name, title in (*_of_data(page, organization, domain), *_of_text(organization), *_of_team(page)):
        if name and title and len(name) <= _LONGEST and len(title) <= _LONGEST:
            found.setdefault(name, title)
    return [{"name": name, "title": title} for name, title in list(found.items())[:_MOST]]


def _of_data(page: Page, organization: Organization, domain: str) -> Iterator[tuple[str, str]]:
    data = organization.data
    for role, title in (
        ("founder", "Founder"),
        ("founders", "Founder"),
        ("employee", ""),
        ("employees", ""),
        ("member", ""),
    ):
        entries = data.get(role)
        for entry in (entries if isinstance(entries, list) else [entries])[:_MOST]:
            if isinstance(entry, str) and title:
                yield string(entry), title
        for person in objects(entries, "Person"):
            yield string(person.get("name")), _position(person) or title
    for person in page.structured("Person"):
        for employer in objects(person.get("worksFor")):
            own = string(employer.get("@id")) and employer.get("@id") == data.get("@id")
            if own or string(employer.get("name")) in organization.names or own_host(employer.get("url"), domain):
                yield string(person.get("name")), _position(person)


def _position(person: dict[str, Any]) -> str:
    stated = person.get("jobTitle")
    return string(stated.get("name") if isinstance(stated, dict) else stated)


def _of_text(organization: Organization) -> Iterator[tuple[str, str]]:
    names = names_pattern(organization)
    ours = rf"(?:\b[Oo]ur|(?:{names})['’]s?)"
    patterns = (
        rf"{ours} (?:\w+ )?{_TITLE},? {_NAME}",
        rf"{_NAME},? (?:is |as )?{ours} (?:\w+ )?{_TITLE}\b",
        rf"{_NAME},? (?:is |as )?(?:the )?{_TITLE} (?:of|at) (?:{names})",
        rf"{_NAME},? (?:is |as )?{_TITLE} (?:of|at) our\b",
        rf"^(?:{names}) {_TITLE},? {_NAME}",
    )
    founded = re.compile(rf"(?:{names}|\b[Ww]e) (?:is|are|was|were) founded (?:in \d{{4}} )?by {_NAME}(?! and other)")
    compiled = [re.compile(pattern) for pattern in patterns]
    for sentence in own_sentences(organization):
        for pattern in compiled:
            for found in pattern.finditer(sentence):
                yield found["name"], found["title"]
        for found in founded.finditer(sentence):
            yield found["name"], "Founder"


def _of_team(page: Page) -> Iterator[tuple[str, str]]:
    """Yield names with positions, on one line or two, under a heading for the team up to the next heading."""
    headings = {heading.casefold() for heading in page.headings}
    inside, previous = False, ""
    for line in page.text[:100_000].split("\n"):
        bare = line.strip()
        if _TEAM.match(bare):
            inside = True
        elif found := _LINE.fullmatch(bare) if inside else None:
            yield found["name"], found["title"]
        elif inside and _TITLE_ALONE.fullmatch(bare) and _ALONE.fullmatch(previous):
            yield previous.removeprefix("- "), bare
        elif bare.casefold() in headings and not _ALONE.fullmatch(bare):
            inside = False
        previous = bare
