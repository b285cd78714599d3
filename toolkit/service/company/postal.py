"""Postal addresses as they are written in a page's footer: of the United States, of Britain and of the continent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from toolkit.service.company.statements import names_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.service.company.organization import Organization

__all__ = ["PostalAddress", "footer_addresses", "stated_addresses"]

_WORD: Final = r"[\w.'’&/-]{1,20}"
_WORDS: Final = rf"{_WORD}(?: {_WORD}){{0,5}}"
_UNITED_STATES: Final = re.compile(
    rf"(?<![\w-])(?P<line>\d{{1,6}} {_WORDS}(?:, (?:Suite|Floor|Unit|Apt|Room)\.? [\w-]{{1,8}})?), "
    r"(?P<city>[A-Z][\w.'’-]{1,20}(?: [A-Z][\w.'’-]{1,20}){0,2}), (?P<state>[A-Z]{2}|[A-Z][a-z]+(?: [A-Z][a-z]+)?) "
    r"(?P<code>\d{5}(?:-\d{4})?)(?!\d)"
)
_CITY: Final = (
    r"[A-ZÀ-Þ][\w'’-]{1,25}(?:(?: (?:am|an der|im|in der|sur|les?|la|de|del|aan den|op) |[ -](?=[A-ZÀ-Þ])| d['’])"
    r"[\w'’-]{1,25}| [A-ZÀ-Þ](?![\w.])){0,2}"
)
#: The number after the street, as in most of Europe, or before it, as in France; the code stands before the town.
_CONTINENT: Final = re.compile(
    rf"(?<![\w'’-])(?P<line>(?!Tel|Fax|Since|Seit|Est)[A-ZÀ-Þ][\w.'’-]{{1,40}}(?: {_WORD}){{0,4}} \d{{1,3}} ?[a-zA-Z]?"
    r"|\d{1,4}(?: (?:bis|ter))?,? (?:rue|avenue|quai|place|boulevard|chemin|route|allée|impasse|cours|passage) "
    rf"{_WORDS})(?:,| [·|–/-]) ?(?:[A-Z]{{1,2}}[ -])?"
    rf"(?P<code>\d{{4}} [A-Z]{{2}}(?= )|\d{{4}}-\d{{3}}|\d{{4,5}}|\d{{3}} \d{{2}}) (?P<city>{_CITY})"
)
_BRITISH_CODE: Final = re.compile(r"(?<!\w)[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}(?!\w)")
#: What parts an address, its end before it included.
_PARTS: Final = re.compile(r"\s*(?:[,·|•:;]|\.(?=\s)|\s[–-]\s)\s*")
_STREET: Final = re.compile(
    r"\d|(?:Unit|Suite|Floor|Flat|Apartment) \d|[A-Z].* (?:Street|St|Road|Rd|Lane|Avenue|Ave|Way|Place|Square|Close"
    r"|Drive|Terrace|Gardens?|Court|Row|Hill|Walk|Mews|Crescent|Quay|Wharf|Parade|Yard|Green|Park|Grove|Bank|Gate)$"
    r"|High Street$"
)
_COUNTIES: Final = frozenset(
    "Bedfordshire Berkshire Buckinghamshire Cambridgeshire Cheshire Cornwall Cumbria Derbyshire Devon Dorset Durham "  # noqa: SIM905 - words
    "Essex Gloucestershire Hampshire Herefordshire Hertfordshire Kent Lancashire Leicestershire Lincolnshire Norfolk "
    "Northamptonshire Northumberland Nottinghamshire Oxfordshire Rutland Shropshire Somerset Staffordshire Suffolk "
    "Surrey Warwickshire Wiltshire Worcestershire Yorkshire Fife Gwynedd Powys Dyfed Gwent Clwyd Antrim Armagh Down "
    "Fermanagh Tyrone Sussex Midlands Merseyside England Scotland Wales".split()
)
_TOWN: Final = re.compile(
    r"[A-Z][A-Za-z'’-]{1,25}(?:[ -](?:[A-Z][A-Za-z'’-]*|upon|on|by|le|under|the|in|next|sea)){0,4}"
)
_MOST_STREET_PARTS: Final = 3
_LONGEST_PART: Final = 40
_MOST_LINES: Final = 60
_LONGEST_LINE: Final = 400


class PostalAddress(NamedTuple):
    """An address as it is written, and what it says of the place: a country only where its form tells one."""

    text: str
    place: dict[str, str]


def footer_addresses(organization: Organization) -> list[PostalAddress]:
    """Return the postal addresses of a footer, on a line each or over several."""
    # The owner's name before its address, or a form of it, is no part of it.
    names = re.compile(rf"(?:{names_pattern(organization)})\.?,?\s?")
    lines = [names.sub("", line[:_LONGEST_LINE]).strip() for line in organization.footer.split("\n")[:_MOST_LINES]]
    found = [address for line in lines for address in _addresses(line)]
    whole = ", ".join(line.strip(" ,") for line in lines if line)
    return found or list(_addresses(whole))


def stated_addresses(text: str, organization: Organization) -> list[PostalAddress]:
    """Return the postal addresses that follow the owner's name at the beginning of a sentence."""
    named = re.compile(rf"(?:{names_pattern(organization)})\.?\s?[,:·|–-]\s?(.*)")
    found = (named.match(line[:_LONGEST_LINE]) for line in text.split("\n"))
    return [
        address for match in found if match for address in _addresses(match[1]) if match[1].startswith(address.text[:9])
    ]


def _addresses(text: str) -> Iterator[PostalAddress]:
    for match in _UNITED_STATES.finditer(text):
        yield PostalAddress(match[0], {"city": match["city"], "state": match["state"], "country": "US"})
    yield from _british(text)
    for match in _CONTINENT.finditer(text):
        yield PostalAddress(match[0], {"city": match["city"]})


def _british(text: str) -> Iterator[PostalAddress]:
    start = 0
    for code in _BRITISH_CODE.finditer(text):
        parts = [part for part in _PARTS.split(text[start : code.start()].strip(" ,")) if part]
        start = code.end()
        towns = list(parts)
        while towns and (towns[-1] in _COUNTIES or towns[-1].split(" ")[-1] in _COUNTIES):
            towns.pop()
        if not towns or not _TOWN.fullmatch(towns[-1]):
            continue
        streets = towns[:-1][-_MOST_STREET_PARTS:]
        first = next((place for place, part in enumerate(streets) if _STREET.match(part)), None)
        if first is not None and all(len(part) <= _LONGEST_PART for part in streets[first:]):
            written = [*streets[first:], *parts[len(towns) - 1 :]]
            yield PostalAddress(f"{', '.join(written)} {code[0]}", {"city": towns[-1], "country": "GB"})
