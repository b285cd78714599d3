"""How to reach the organisation behind a page: profiles, e-mail addresses, telephone numbers, postal addresses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from toolkit.service.company.facts import email_addresses
from toolkit.service.company.organization import objects, string
from toolkit.service.company.people import key_personnel
from toolkit.service.company.statements import names_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.service.company.organization import Organization
    from toolkit.service.pages.parsed import Page

__all__ = ["contact_facts", "footer_place"]

_PHONE: Final = re.compile(r"\+?\(?\d[\d\s().-]{7,17}\d")
#: A number in running text is a telephone's where it is called one.
_CALLED: Final = re.compile(
    r"\b(?:tel|telephone|phone|call(?: us| the [\w ]{1,20})?(?: on| at)?|tél(?:éphone)?|telefon|teléfono|telefone"
    r"|office)"
    r"\b[.:]?\s{0,2}(\+?\(?\d[\d ().-]{7,16}\d)",
    re.IGNORECASE,
)
_MOST_LISTED: Final = 5
_LONGEST: Final = 500
_MOST_DIGITS: Final = 9
_MOST_CHARACTERS: Final = 100_000
_MOST_LINES: Final = 60
_LONGEST_LINE: Final = 400
#: As numbers are written in the United States and in Britain; in a footer they need no word before them.
_NATIONAL: Final = re.compile(
    r"(?<![\w#.+-])(?:\(\d{3}\) ?|\d{3}[-.])\d{3}[-.]\d{4}(?![\w-])|(?<![\w#.+-])0\d{2,4} \d{3,4} \d{3,4}(?! ?\d)"
)
_FAX: Final = re.compile(r"\bfax\b[.:]?\s{0,2}\+?\(?\d[\d ().-]{7,16}\d", re.IGNORECASE)
#: A postal address in a footer, as they are written in the United States and in Britain: it ends in its code.
_WORDS: Final = r"[\w.'’&/-]{1,20}(?: [\w.'’&/-]{1,20}){0,5}"
_UNITED_STATES: Final = re.compile(
    rf"(?<![\w-])(?P<line>\d{{1,6}} {_WORDS}(?:, (?:Suite|Floor|Unit|Apt|Room)\.? [\w-]{{1,8}})?), "
    r"(?P<city>[A-Z][\w.'’-]{1,20}(?: [A-Z][\w.'’-]{1,20}){0,2}), (?P<state>[A-Z]{2}|[A-Z][a-z]+(?: [A-Z][a-z]+)?) "
    r"(?P<code>\d{5}(?:-\d{4})?)(?!\d)"
)
_BRITAIN: Final = re.compile(
    rf"(?<![\w'’&/-])(?P<line>[A-Z0-9]{_WORDS}(?:, [A-Z0-9]{_WORDS}){{0,2}}), "
    r"(?P<city>[A-Z][A-Za-z'’-]{1,20}(?: [A-Z][a-z'’-]{1,20})?),? (?P<code>[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})\b"
)


def contact_facts(page: Page, organization: Organization, domain: str) -> dict[str, Any]:
    """Return `emails`, `phones`, `addresses` and `key_personnel`, at most 5 of each and 10 people; none is left out.

    Postal addresses are those of the structured data that have a street; else those of the footer. A number that is
    written twice, with and without its prefix, stands once; fax numbers are left out.
    """
    data = organization.data
    contacts = [data, *objects(data.get("contactPoint"))]
    emails = [string(entry.get("email")) for entry in contacts]
    phones = [string(entry.get("telephone")) for entry in contacts]
    for link in page.links:
        scheme, _, rest = link.address.partition(":")
        if scheme == "mailto":
            emails.append(rest.split("?", 1)[0])
        elif scheme == "tel":
            phones.append(rest)
    emails += [*email_addresses(page.text), *email_addresses(organization.footer)]
    footer = _FAX.sub("", organization.footer)
    for text in (_FAX.sub("", page.text[:_MOST_CHARACTERS]), footer):
        phones += [found[1] for found in _CALLED.finditer(text)]
    phones += _NATIONAL.findall(footer)
    places = [
        *objects(data.get("address")),
        *_addresses_of(data.get("location")),
        *_addresses_of(data.get("department")),
    ]
    written = data.get("address")
    lines = [string(entry) for entry in (written if isinstance(written, list) else [written]) if isinstance(entry, str)]
    lines += [_address_line(place) for place in places if string(place.get("streetAddress"))]
    if not any(lines):
        lines += [found[0] for found in _footer_addresses(organization)]
    listed: dict[str, list[str]] = {
        "emails": [mail for mail in dict.fromkeys(text.removeprefix("mailto:").strip() for text in emails) if mail],
        "phones": list(_once(phone for phone in phones if phone and _PHONE.search(phone))),
        "addresses": list(dict.fromkeys(line[:_LONGEST] for line in lines if line)),
    }
    found: dict[str, Any] = {name: values[:_MOST_LISTED] for name, values in listed.items() if values}
    if people := key_personnel(page, organization, domain):
        found["key_personnel"] = people
    return found


def footer_place(organization: Organization) -> dict[str, str]:
    """Return city, state and country of the one postal address in the footer; empty where there is none, or several."""
    found = list(_footer_addresses(organization))
    if len({match[0] for match in found}) != 1:
        return {}
    parts = found[0].groupdict()
    return {
        "city": parts["city"],
        **({"state": parts["state"], "country": "US"} if "state" in parts else {"country": "GB"}),
    }


def _footer_addresses(organization: Organization) -> Iterator[re.Match[str]]:
    # The owner's name before its address, or a form of it, is no part of it.
    names = re.compile(rf"(?:{names_pattern(organization)})\.?,?\s?")
    for line in organization.footer.split("\n")[:_MOST_LINES]:
        bare = names.sub("", line[:_LONGEST_LINE])
        yield from _UNITED_STATES.finditer(bare)
        yield from _BRITAIN.finditer(bare)


def _addresses_of(places: Any) -> Iterator[dict[str, Any]]:
    for place in objects(places):
        yield from objects(place.get("address"))


def _address_line(address: dict[str, Any]) -> str:
    parts = (address.get(key) for key in ("streetAddress", "postalCode", "addressLocality", "addressRegion"))
    return ", ".join(text for text in map(string, parts) if text)


def _once(phones: Iterator[str]) -> Iterator[str]:
    seen: set[str] = set()
    for phone in phones:
        digits = re.sub(r"\D", "", phone)[-_MOST_DIGITS:]
        if digits not in seen:
            seen.add(digits)
            yield phone[:_LONGEST]
