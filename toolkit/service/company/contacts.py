"""How to reach the organisation behind a page: e-mail addresses, telephone numbers, postal addresses, people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface.targets import registrable_domain
from toolkit.service.company.facts import email_addresses
from toolkit.service.company.organization import is_like, objects, own_host, string
from toolkit.service.company.people import key_personnel
from toolkit.service.company.postal import footer_addresses, stated_addresses
from toolkit.service.company.voices import is_article, is_forum

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.service.company.organization import Organization
    from toolkit.service.company.postal import PostalAddress
    from toolkit.service.pages.parsed import Page

__all__ = ["contact_facts", "own_place"]

_PHONE: Final = re.compile(r"\+?\(?\d[\d\s().-]{7,17}\d")
_NUMBER: Final = r"(\+?\(?\d[\d ().-]{7,16}\d)"
#: A number in a footer is a telephone's where it is called one.
_CALLED: Final = re.compile(
    r"\b(?:tel|telephone|phone|call(?: us| the [\w ]{1,20})?(?: on| at)?|tél(?:éphone)?|telefon|teléfono|telefone"
    rf"|office)\b[.:]?\s{{0,2}}{_NUMBER}",
    re.IGNORECASE,
)
#: In running text it is the owner's where a line gives nothing else, or where it is one to reach "us".
_OUR_NUMBER: Final = re.compile(
    r"(?:^\W{0,3}(?:t|p|ph|tel|telephone|phone|call(?: us)?(?: on| at)?|tél(?:éphone)?|telefon|teléfono|telefon[eo])\b"
    r"[.:]?\s{0,2}|\b(?:call|ring|phone|text|reach|telephone) us\b[^.\n]{0,40}?"
    r"|\bour (?:office|number|phone|telephone)\b[^.\n\d]{0,30}?|\bgive us a (?:call|ring)\b[^.\n]{0,30}?"
    r"|\bcall the (?:main |head )?(?:office|shop|desk|studio|surgery|practice)\b(?: on| at)?\s)"
    rf"{_NUMBER}",
    re.IGNORECASE | re.MULTILINE,
)
_MOST_LISTED: Final = 5
_LONGEST: Final = 500
_MOST_DIGITS: Final = 9
#: As numbers are written in the United States and in Britain; in a footer they need no word before them.
_NATIONAL: Final = re.compile(
    r"(?<![\w#.+-])(?:\(\d{3}\) ?|\d{3}[-.])\d{3}[-.]\d{4}(?![\w-])|(?<![\w#.+-])0\d{2,4} \d{3,4} \d{3,4}(?! ?\d)"
)
_FAX: Final = re.compile(rf"\bfax\b[.:]?\s{{0,2}}{_NUMBER}", re.IGNORECASE)
#: Where a site speaks of itself on every page.
_FRAME: Final = frozenset(("header", "nav", "footer"))
#: A line that asks to write to the owner.
_WRITE: Final = re.compile(
    r"^\W{0,3}(?:e-?mail|mail|e)\b[.:]|\b(?:contact|e-?mail|write to|reach) (?:us|me|our \w+)\b|\bwrite to\b"
    r"|\b(?:our|my) e-?mail\b",
    re.IGNORECASE,
)
#: Names before the @ that are of an office and not of a person.
_OFFICES: Final = re.compile(
    r"(?:info|hello|hi|hey|contact|office|mail|e-?mail|enquir(?:y|ies)|inquir(?:y|ies)|support|help|service|care|team|sales|shop|"
    r"orders?|bookings?|reservations?|reception|press|media|news|newsroom|editor(?:ial|s)?|letters|tips|ads|advertising|"
    r"jobs|careers|privacy|legal|studio|welcome|desk|kontakt|bonjour|hola|ciao|kundenservice|servicio|contacto|contatti|"
    r"redaktion|redaction|geral|accueil|customer\W?\w*|front\W?desk)(?:[._+-]\w+)?",
    re.IGNORECASE,
)
#: Names and hosts that stand for anybody's in an example.
_ANYBODY: Final = re.compile(
    r"(?:you|me|your\W?\w*|user(?:name)?\d*|name|first\W?name|email|e-mail|someone|somebody|nobody|test\w*|foo|bar|alice|bob|john"
    r"\W?doe|jane\W?doe|j\W?doe|no-?reply|do-?not-?reply)@.+|.+@(?:example\.(?:com|org|net)|(?:your|my|some)\W?\w+\.\w+|domain\.\w+|"
    r"(?:company|email|test|acme|localhost)\.(?:com|org|net|test))|.+\.(?:png|jpe?g|gif|svg|webp|css|js)",
    re.IGNORECASE,
)
_FREE_MAIL: Final = re.compile(
    r"(?:gmail|googlemail|outlook|hotmail|live|yahoo|icloud|me|aol|gmx|web|t-online|orange|wanadoo|free|laposte|libero|btinternet|"
    r"proton|protonmail|posteo|mailbox|fastmail|ymail|msn|comcast|verizon|att)\.(?:com?|net|org|de|fr|it|es|nl|me|at|ch)(?:\.\w\w)?",
    re.IGNORECASE,
)


def contact_facts(page: Page, organization: Organization, domain: str) -> dict[str, Any]:
    """Return `emails`, `phones`, `addresses` and `key_personnel`, at most 5 of each and 10 people; none is left out.

    They are the owner's own: of its structured data, of the page's header and footer, and of the main text where that
    says that they reach the owner. Those of authors, of third parties, of examples and of visitors are left out. Postal
    addresses are those of the structured data that have a street; else those of the footer. A number that is written
    twice, with and without its prefix, stands once; fax numbers are left out.
    """
    data = organization.data
    contacts = [data, *objects(data.get("contactPoint"))]
    emails = [
        *(string(entry.get("email")).removeprefix("mailto:").strip() for entry in contacts),
        *_own_mails(page, organization, domain),
    ]
    phones = [*(string(entry.get("telephone")) for entry in contacts), *_own_phones(page, organization)]
    places = [
        *objects(data.get("address")),
        *_addresses_of(data.get("location")),
        *_addresses_of(data.get("department")),
    ]
    written = data.get("address")
    lines = [string(entry) for entry in (written if isinstance(written, list) else [written]) if isinstance(entry, str)]
    lines += [_address_line(place) for place in places if string(place.get("streetAddress"))]
    if not any(lines):
        lines += [address.text for address in _own_addresses(organization)]
    listed: dict[str, list[str]] = {
        "emails": [mail for mail in dict.fromkeys(emails) if mail and not _ANYBODY.fullmatch(mail)],
        "phones": list(_once(phone for phone in phones if phone and _PHONE.search(phone))),
        "addresses": list(dict.fromkeys(line[:_LONGEST] for line in lines if line)),
    }
    found: dict[str, Any] = {name: values[:_MOST_LISTED] for name, values in listed.items() if values}
    if people := key_personnel(page, organization, domain):
        found["key_personnel"] = people
    return found


def own_place(organization: Organization) -> dict[str, str]:
    """Return city, state and country of the one postal address that is written; empty if there is none, or several."""
    found = {address.text: address.place for address in _own_addresses(organization)}
    return next(iter(found.values())) if len(found) == 1 else {}


def _own_addresses(organization: Organization) -> list[PostalAddress]:
    return footer_addresses(organization) or stated_addresses(organization.said, organization)


def _own_mails(page: Page, organization: Organization, domain: str) -> Iterator[str]:
    """Yield the addresses of the frame that are the owner's, and those of the main part that are of an office."""
    framed = email_addresses(organization.footer)
    inner: list[str] = []
    is_ours = not (is_article(page) or is_forum(page))
    for link in page.links:
        scheme, _, rest = link.address.partition(":")
        if scheme == "mailto" and (link.place in _FRAME or (is_ours and link.place != "comments")):
            (framed if link.place in _FRAME else inner).append(rest.split("?", 1)[0].strip())
    for line in organization.said.split("\n"):
        found = email_addresses(line)
        inner += (
            found
            if is_ours and _WRITE.search(line)
            else [mail for mail in found if _OFFICES.fullmatch(mail.partition("@")[0])]
        )
    for mail in framed:
        if _is_of_owner(mail, organization, domain) or _FREE_MAIL.fullmatch(mail.rpartition("@")[2]):
            yield mail
    yield from (mail for mail in inner if _is_of_owner(mail, organization, domain))


def _is_of_owner(mail: str, organization: Organization, domain: str) -> bool:
    host = mail.rpartition("@")[2].lower()
    registrable = registrable_domain(host) or host
    return own_host(f"//{host}", registrable_domain(domain) or domain) or is_like(
        registrable.split(".", 1)[0], organization
    )


def _own_phones(page: Page, organization: Organization) -> Iterator[str]:
    """Yield the numbers of the frame, and those of the main part that are said to be the owner's."""
    is_ours = not (is_article(page) or is_forum(page))
    for link in page.links:
        scheme, _, rest = link.address.partition(":")
        if scheme == "tel" and (link.place in _FRAME or (is_ours and link.place != "comments")):
            yield rest
    if is_ours:
        yield from _OUR_NUMBER.findall(_FAX.sub("", organization.said))
    footer = _FAX.sub("", organization.footer)
    yield from _CALLED.findall(footer)
    yield from _NATIONAL.findall(footer)


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
