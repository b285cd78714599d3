"""What kind of company stands behind a page, how it earns and is financed: what the page plainly says, nothing more.

The interface names these facts but not their fields or values; see `company_facts` for both.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any, Final

from toolkit.service.company.organization import host_of, legal_form, objects, string
from toolkit.service.company.statements import FOLLOWS, names_pattern, own_sentences, states, subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolkit.service.company.organization import Organization
    from toolkit.service.pages.parsed import Page

__all__ = ["company_facts", "firm_facts"]

_EXCHANGES: Final = (
    r"(?:NASDAQ|Nasdaq|NYSE(?: American| Arca)?|New York Stock Exchange|London Stock Exchange|LSE|AIM|TSXV?|ASX"
    r"|Euronext(?: \w+)?|XETRA|Xetra|SIX|HKEX|OTCQ[BX]|(?:Tokyo|Toronto|Frankfurt) Stock Exchange)"
)
_ADJECTIVES: Final = r"(?:(?!(?:for|with|of|to|by|that|who|and|serving|supporting|not|no|never)\b)[\w%-]+,?\s){0,4}?"
_IS: Final = r"(?:is|are|was founded as|were founded as)?\s?(?:proud to be |proudly )?"
_NONPROFIT: Final = (
    r"(?:non-?profit|[Nn]ot-for-profit|501\(c\)\s?\(3\)|501c3|registered charity|charity|charitable trust)(?!\w)"
    + FOLLOWS
)
_COOPERATIVE: Final = r"(?:co-?operative|co-op)\b" + FOLLOWS
_OWNED: Final = r"(family|employee)[- ]owned\b"
#: Forms of which no share can be offered to the public: they are private whatever else is known.
_PRIVATE_FORMS: Final = frozenset(
    {"LLC", "PLLC", "GmbH", "UG", "BV", "SARL", "SAS", "Lda", "ApS", "SL", "Srl", "PvtLtd", "PtyLtd"}
)
#: A private limited company in these countries only; elsewhere a listed one may be called so.
_LIMITED: Final = frozenset({"Ltd", "Limited"})
_LIMITED_COUNTRIES: Final = frozenset({"GB", "UK", "IE", "UNITED KINGDOM", "IRELAND"})

_AMOUNT: Final = (
    r"(?:(?P<sign>US\$|[$€£]|USD|EUR|GBP)\s?(?P<number>\d{1,3}(?:,\d{3}){1,4}|\d{1,6}(?:\.\d{1,2})?)"
    r"(?:[\s-]?(?P<scale>thousand|million|billion|k|m|mn|bn|K|M|B)\b)?"
    # Never a part of a number: "$5" of "$5 million" is another sum.
    r"(?![.,]?\d|[\s-]?(?:thousand|million|billion|k|m|mn|bn|K|M|B)\b)"
    r"|(?P<number2>\d{1,3}(?:,\d{3}){1,4}|\d{1,6}(?:\.\d{1,2})?)[\s-](?P<scale2>million|billion)\s(?P<sign2>euros|EUR"
    r"|dollars|USD|pounds|GBP))"
)
_ROUND: Final = r"(?P<round>[Pp]re-[Ss]eed|[Ss]eed|[Ss]eries [A-H])"
_CURRENCIES: Final = {"US$": "$", "USD": "$", "dollars": "$", "EUR": "€", "euros": "€", "GBP": "£", "pounds": "£"}
_SCALES: Final = {"k": 10**3, "thousand": 10**3, "m": 10**6, "mn": 10**6, "million": 10**6, "b": 10**9, "bn": 10**9}
_BANDS: Final = (1, 10, 50, 100, 500, 1000)
_REVENUE: Final = (
    r"(?:(?:annual|yearly|total|net|gross|group|consolidated|recurring|combined)\s){0,2}(?:revenues?|turnover|sales)\b"
)
_PERIOD: Final = (
    r"(?:\s(?:in|for|of)\s(?:our|the|its)?\s?(?:last|latest|past|first|fiscal|financial|business|year|20\d\d|\s){1,6})?"
)
_REACHED: Final = (
    r"\s(?:was|were|is|are|reached|came to|hit|totall?ed|exceeds|exceeded|grew to|rose to|fell to|of|stands at)"
    r"(?:\s(?:about|around|over|more than|nearly|almost|some|just over|just under|approximately))?\s"
)

#: Ad networks that pay a page's owner for the room on it; the other advertising technologies are those of advertisers.
_AD_ROOM: Final = frozenset(
    {
        "Google AdSense",
        "Google Publisher Tag",
        "Amazon Publisher Services",
        "Taboola",
        "Outbrain",
        "Mediavine",
        "Raptive",
        "Ezoic",
        "Media.net",
        "Prebid.js",
    }
)
_CART: Final = re.compile(
    r"/(?:cart|basket|bag|checkout|panier|warenkorb|carrito|cesta|carrello)(?:[/?.#]|$)", re.IGNORECASE
)
_DONATE: Final = re.compile(r"/(?:donate|donation|donations|give|spenden)(?:[/?.#]|$)", re.IGNORECASE)
_MONTHLY: Final = re.compile(
    r"[$€£]\s?\d[\d.,]{0,9}\s?(?:/|a|per|each)\s?(?:(?:user|seat|member)\s?(?:/|a|per)\s?)?(?:month|mo|year|yr)\b",
    re.IGNORECASE,
)
#: Sums a month that are not the price of what the site itself sells by the month.
_OTHER_SUMS: Final = re.compile(
    r"\b(?:mortgage|loan|lease|rent|rental|finance|financing|APR|salary|wage|pension|benefit|donat\w*|give|gift|saves?"
    r"|saved|saving|savings|deposit|fee|earn|premiums?|bills?|tax|budget|deposit|support answers)\b",
    re.IGNORECASE,
)
_SUBSCRIBED: Final = re.compile(
    r"\b(?:subscri\w+|member(?:s|ship|ships)?|plans?|readers|supporters|per (?:user|seat)|a (?:user|seat)|billed"
    r"|cancel any ?time|free trial)\b",
    re.IGNORECASE,
)
_SOFTWARE: Final = re.compile(r"\b(?:software|SaaS)\b")
_COMMISSION: Final = (
    r"(?:\b[Ww]e\b|\b[Ll]inks\b)(?:(?!\b(?:no|not|never|nor)\b|n['’]t\b)[^.;]){0,60}?\b(?:earns?|receives?|gets?|paid|pays?)\b"
    r"(?:(?!\b(?:no|not|never)\b)[^.;]){0,25}?\bcommissions?\b"
)


def company_facts(organization: Organization) -> dict[str, Any]:
    """Return what a page states about its owner beside the interface's own fields, and nothing that it does not state.

    These are `legal_name`, `slogan`, `ticker` (of a stock), `naics` and `isic` (industry codes), `parent_company`,
    `subsidiaries` and `area_served` (lists of names).
    """
    data = organization.data
    found: dict[str, Any] = {
        "legal_name": organization.legal_name,
        "slogan": string(data.get("slogan")),
        "ticker": _ticker(organization, own_sentences(organization)),
        "naics": string(data.get("naics")),
        "isic": string(data.get("isicV4")),
        "parent_company": next(_named(data.get("parentOrganization")), ""),
        "subsidiaries": list(_named(data.get("subOrganization"))) + list(_named(data.get("owns"), "Organization")),
        "area_served": list(_named(data.get("areaServed"))),
    }
    return {name: value for name, value in found.items() if value}


def firm_facts(page: Page, organization: Organization, technologies: Iterable[dict[str, str]]) -> dict[str, Any]:
    """Return the firmographics that a page states about its owner, and nothing that it does not state.

    They stand in the structured data, or in a sentence with "we", "our" or the owner's name that is nobody's quotation:

    - `company_type`: the first that holds of ``public`` (a ticker, or listed on an exchange), ``nonprofit``,
      ``government`` (structured data, or a domain of a government), ``cooperative``, ``employee-owned``,
      ``family-owned``, ``private`` (a legal form that is never listed: LLC, GmbH, B.V.; Ltd in Britain and Ireland).
    - `business_model`: those that hold, joined by ", ": ``e-commerce`` (shop software or an OnlineStore, with a cart or
      priced products), ``SaaS`` (software by its own description, with a price a month), ``subscription`` (a price a
      month for a plan or membership), ``advertising`` (an ad network that pays for room on the page), ``affiliate`` (it
      says that it earns commission), ``donations`` (a nonprofit with a page for them).
    - `funding_status`: ``publicly traded``, ``acquired``, the latest round (``Series B``, ``Seed``) or
      ``bootstrapped``.
    - `revenue_range`: the range around a stated year's revenue or turnover, as ``£10M-£50M``.
    """
    sentences = own_sentences(organization)
    kind = _company_type(page, organization, sentences)
    found = {
        "company_type": kind,
        "business_model": ", ".join(_business_models(page, organization, list(technologies), kind)),
        "funding_status": _funding_status(organization, sentences, kind),
        "revenue_range": _revenue_range(organization, sentences),
    }
    return {name: value for name, value in found.items() if value}


def _ticker(organization: Organization, sentences: tuple[str, ...]) -> str:
    if stated := string(organization.data.get("tickerSymbol")):
        return stated
    own = (
        rf"(?:{names_pattern(organization)}),?\s?(?:Inc\.?|plc|Corp\.?|Ltd\.?)?\s?"
        rf"\({_EXCHANGES}:\s?(?P<ticker>[A-Z]{{1,5}}(?:\.[A-Z])?)\)"
    )
    listed = (
        rf"{subject(organization)}(?:is|are)?\s?(?:an?\s)?[^.;()]{{0,60}}?\b(?:traded|listed)\b[^.;()]{{0,40}}?"
        rf"\({_EXCHANGES}:\s?(?P<ticker>[A-Z]{{1,5}}(?:\.[A-Z])?)\)"
    )
    found = states(sentences, own, listed)
    return found["ticker"] if found else ""


def _company_type(page: Page, organization: Organization, sentences: tuple[str, ...]) -> str:
    data, own = organization.data, subject(organization)
    kinds = [kind for kind in _list(data.get("@type")) if isinstance(kind, str)]
    described = string(data.get("description"))
    listed = rf"(?:publicly (?:traded|listed|held)|(?:traded|listed) on (?:the )?{_EXCHANGES})\b"
    owned = states(sentences, rf"{own}{_IS}(?:an?\s)?{_ADJECTIVES}{_OWNED}") or re.match(
        r"(?:An? )?(family|employee)-owned\b", described, re.IGNORECASE
    )
    host = host_of(page.url)
    if _ticker(organization, sentences) or states(sentences, rf"{own}{_IS}(?:an?\s)?{_ADJECTIVES}{listed}"):
        return "public"
    if (
        any(kind.endswith("NGO") for kind in kinds)
        or string(data.get("nonprofitStatus"))
        or states(sentences, rf"{own}{_IS}an?\s{_ADJECTIVES}{_NONPROFIT}")
    ):
        return "nonprofit"
    if any(kind.startswith("Government") for kind in kinds) or re.search(r"\.(?:gov|mil)(?:\.[a-z]{2})?$", host):
        return "government"
    if legal_form(organization.legal_name).lower().replace("-", "") in ("cooperative", "coop", "eg") or states(
        sentences, rf"{own}{_IS}an?\s{_ADJECTIVES}{_COOPERATIVE}"
    ):
        return "cooperative"
    if owned:
        return f"{owned[1].lower()}-owned"
    return "private" if _is_private(organization) else ""


def _is_private(organization: Organization) -> bool:
    form = re.sub(r"[.\s]", "", legal_form(organization.legal_name or organization.name))
    if form in _LIMITED:
        address = next(objects(organization.data.get("address")), {})
        country = address.get("addressCountry")
        stated = string(country.get("name") if isinstance(country, dict) else country).upper()
        return stated in _LIMITED_COUNTRIES or bool(
            re.search(r"\bRegistered in (?:England|Scotland)", organization.footer)
        )
    return form in _PRIVATE_FORMS or form.startswith("GmbH")


def _business_models(
    page: Page,
    organization: Organization,
    technologies: list[dict[str, str]],
    kind: str,
) -> Iterator[str]:
    shop = any(technology["category"] == "E-commerce" for technology in technologies)
    online = any(entry == "OnlineStore" for entry in _list(organization.data.get("@type")))
    if online or (shop and (any(map(_CART.search, page.addresses)) or any(_prices(page)))):
        yield "e-commerce"
    described = "\n".join((string(organization.data.get("description")), page.description, page.title))
    monthly = [line for line in re.split(r"[.!?]\s|\n", page.text[:100_000]) if _MONTHLY.search(line)]
    priced = [line for line in monthly if not _OTHER_SUMS.search(line)]
    if priced and _SOFTWARE.search(described):
        yield "SaaS"
    elif any(map(_SUBSCRIBED.search, [*priced, *filter(_MONTHLY.search, organization.footer.split("\n"))])):
        yield "subscription"
    if any(technology["name"] in _AD_ROOM for technology in technologies):
        yield "advertising"
    stated = "\n".join((page.text[:100_000], page.boilerplate, organization.footer))
    if re.search(_COMMISSION, stated):
        yield "affiliate"
    if kind == "nonprofit" and any(map(_DONATE.search, page.addresses)):
        yield "donations"


def _prices(page: Page) -> Iterator[bool]:
    """Yield whether each product of the structured data has a price."""
    for product in page.structured("Product"):
        yield any(string(offer.get("price") or offer.get("lowPrice")) for offer in objects(product.get("offers")))


def _funding_status(organization: Organization, sentences: tuple[str, ...], kind: str) -> str:
    own, ours = subject(organization), subject(organization, possessive=True)
    if kind == "public":
        return "publicly traded"
    if states(sentences, rf"{own}(?:was|were|been)\s(?:\w+ly\s)?acquired\sby\b"):
        return "acquired"
    announced = r"(?:announced?d?\s(?:today\s)?(?:that\s(?:we|it)\s(?:have|has)\s)?)?"
    raised = r"(?:raised|closed|secured|completed|raising|announced?)\s"
    sum_ = (
        rf"(?:(?:an?|our|its|the|another)\s)?(?:(?:oversubscribed|new|first|latest)\s)?(?:{_AMOUNT}\s?)?"
        r"(?:(?:in|of|as part of)\s)?"
    )
    closing = r"(?:(?:an?|our|its|the)\s)?"
    whole = rf"{own}{announced}{raised}{sum_}{closing}{_ROUND}\b(?!\sof\b)"
    stated = (
        rf"{ours}(?:(?:oversubscribed|new|recent|latest)\s)?(?:{_AMOUNT}\s)?{_ROUND}"
        r"\s(?:round|funding|financing|raise)\b"
    )
    rounds = [
        found["round"].lower()
        for sentence in sentences
        for pattern in (whole, stated)
        for found in re.finditer(pattern, sentence)
    ]
    if rounds:
        latest = max(rounds, key=lambda name: (name.startswith("series"), name == "seed", name))
        return f"Series {latest[-1].upper()}" if latest.startswith("series") else latest.capitalize()
    self_paid = rf"{own}(?:is|are)?\s?(?:\w+ly\s)?(?:bootstrapped|self-funded)\b"
    return "bootstrapped" if states(sentences, self_paid) else ""


def _revenue_range(organization: Organization, sentences: tuple[str, ...]) -> str:
    own, ours = subject(organization), subject(organization, possessive=True)
    # What is earned "for" somebody, or by customers, is not the owner's revenue.
    found = states(
        sentences,
        rf"{ours}{_REVENUE}{_PERIOD}{_REACHED}{_AMOUNT}",
        rf"^(?:Annual )?(?:[Rr]evenue|[Tt]urnover) in our (?:last|latest|first)[\w\s]{{0,20}}?{_REACHED}{_AMOUNT}",
        rf"{own}(?:made|make|makes|generated?s?|reported|achieved|recorded|posted|booked|turned over|had|with)\s"
        rf"{_REVENUE}\sof\s(?:about\s|over\s)?{_AMOUNT}(?!\sfor\b)",
        rf"{own}(?:made|make|makes|generated?s?|reported|achieved|recorded|posted|booked|had)\s(?:about\s|over\s)?{_AMOUNT}"
        rf"\s(?:in|of)\s{_REVENUE}(?!\sfor\b)",
        rf"{own}(?:turned over|turns over|turn over)\s(?:about\s|over\s)?{_AMOUNT}",
    )
    if not found:
        return ""
    scale = (found["scale"] or found["scale2"] or "").lower()
    number = float((found["number"] or found["number2"]).replace(",", "")) * _SCALES.get(
        scale, 10**9 if scale == "billion" else 1
    )
    sign = found["sign"] or found["sign2"]
    return _band(number / 10**6, _CURRENCIES.get(sign, sign))


def _band(millions: float, sign: str) -> str:
    if millions < _BANDS[0]:
        return f"under {sign}1M"
    if millions >= _BANDS[-1]:
        return f"{sign}1B+"
    low, high = next(pair for pair in itertools.pairwise(_BANDS) if millions < pair[1])
    return f"{sign}{low}M-{sign}{'1B' if high == _BANDS[-1] else f'{high}M'}"


def _named(value: Any, *kinds: str) -> Iterator[str]:
    """Yield the names of a property's objects, or its texts where those may stand in their place."""
    entries = value if isinstance(value, list) else [value]
    for entry in entries[:20]:
        names = [string(entry)] if not kinds else []
        names += [string(found.get("name")) for found in objects(entry, *kinds)]
        yield from (name for name in names if name)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
