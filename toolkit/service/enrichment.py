"""Facts about the company behind a site, from its own structured data and text. What is not there is absent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from toolkit.service.facts import email_addresses, employees, founding_city, founding_year
from toolkit.service.technologies import find_technologies

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolkit.service.content import ContentResult
    from toolkit.service.pages import Page

__all__ = ["GROUPS", "enrich"]

#: Data groups that `include` selects, and the names it also accepts for them.
GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "company": ("company", "company_information"),
    "firmographics": ("firmographics",),
    "technologies": ("technologies", "technology", "tech", "tech_stack", "technographics"),
    "categories": ("categories", "categorization", "category"),
    "traffic": ("traffic", "engagement", "traffic_and_engagement"),
    "social": ("social", "contact", "contacts", "social_and_contact"),
}

_ORGANIZATIONS: Final = (
    "Organization",
    "Corporation",
    "LocalBusiness",
    "Store",
    "Restaurant",
    "Hotel",
    "Resort",
    "School",
    "CollegeOrUniversity",
    "NGO",
    "Dentist",
    "MedicalClinic",
    "BankOrCreditUnion",
    "FinancialService",
    "InsuranceAgency",
    "LegalService",
    "RealEstateAgent",
    "AutoDealer",
    "ExerciseGym",
    "HealthClub",
    "GolfCourse",
    "MovieTheater",
    "TravelAgency",
    "LodgingBusiness",
    "EmploymentAgency",
    "Winery",
    "Brewery",
    "Casino",
    "BookStore",
    "MusicStore",
    "ProfessionalService",
    "SportsActivityLocation",
    "BicycleStore",
    "Business",
    "EducationalOrganization",
    "Campground",
    "EntertainmentBusiness",
)
_YEAR: Final = re.compile(r"(?<!\d)(1\d{3}|20\d\d)(?!\d)")
_COUNT: Final = re.compile(r"(?<![\d.,])(?:\d{1,3}(?:,\d{3}){1,3}|\d{1,10})(?!\d)")
_PHONE: Final = re.compile(r"\+?\(?\d[\d\s().-]{7,17}\d")
_BANDS: Final = (
    (10, "1-10"),
    (50, "11-50"),
    (200, "51-200"),
    (500, "201-500"),
    (1000, "501-1000"),
    (5000, "1001-5000"),
)
_HANDLE_HOSTS: Final = ("twitter.com", "x.com")
_PROFILES: Final = ("facebook.com", "instagram.com", "youtube.com", "tiktok.com", "pinterest.com", "xing.com")
_NOT_HANDLES: Final = frozenset({"share", "intent", "home", "search", "hashtag", "i", "sharer"})
_MOST_LISTED: Final = 5
#: Characters of a text from structured data that are passed on.
_LONGEST: Final = 5_000


def enrich(domain: str, page: Page, content: ContentResult, include: Iterable[str]) -> dict[str, Any]:
    """Collect the facts of the wanted data groups.

    Parameters
    ----------
    domain : str
        Domain in normal form.
    page : Page
        Its parsed home page.
    content : ContentResult
        The page's categories.
    include : iterable of str
        Names of `GROUPS`.

    Returns
    -------
    dict
        The enrichment record without `meta`. A fact that the page does not state is not in it.
    """
    wanted = set(include)
    organization = _organization(page)
    record: dict[str, Any] = {"domain": domain}
    if wanted & {"company", "firmographics"}:
        record["company"] = _company(page, organization, content, wanted)
    if "categories" in wanted:
        record["categories"] = [
            {"id": category.id, "name": category.path.rsplit(" > ", 1)[-1], "confidence": category.confidence}
            for category in content.v3
        ]
        record["brand_safety_flags"] = [c.path for c in content.v3 if c.path.startswith("Sensitive Topics")]
    if "technologies" in wanted:
        record["technologies"] = find_technologies(page)
    if "traffic" in wanted:
        record["traffic"] = {}
    if "social" in wanted:
        record["social"] = _social(page, organization)
        record["contact"] = _contact(page, organization)
    return record


def _company(page: Page, organization: dict[str, Any], content: ContentResult, wanted: set[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if "company" in wanted:
        found = {
            "name": _string(organization.get("name")) or page.metas.get("og:site_name", ""),
            "description": _string(organization.get("description")) or page.description,
            "founded_year": _founded_year(organization) or founding_year(page.text),
            "headquarters": _headquarters(page, organization),
            "industry": next((c.path for c in reversed(content.v3) if c.confidence >= 0.5), "") or "",  # noqa: PLR2004
        }
    if "firmographics" in wanted:
        found["employee_range"] = _employee_range(page, organization)
    return {name: value for name, value in found.items() if value not in (None, "", {})}


def _organization(page: Page) -> dict[str, Any]:
    found = next(page.structured(*_ORGANIZATIONS), None)
    if found is None:
        publishers = (item.get("publisher") for item in page.json_ld)
        found = next((publisher for publisher in publishers if isinstance(publisher, dict)), None)
    return found or {}


def _headquarters(page: Page, organization: dict[str, Any]) -> dict[str, str]:
    address = organization.get("address")
    if isinstance(address, list):
        address = next((entry for entry in address if isinstance(entry, dict)), None)
    if isinstance(address, dict):
        country = address.get("addressCountry")
        parts = {
            "city": _string(address.get("addressLocality")),
            "state": _string(address.get("addressRegion")),
            "country": _string(country.get("name")) if isinstance(country, dict) else _string(country),
        }
        return {name: value for name, value in parts.items() if value}
    city = founding_city(page.text)
    return {"city": city} if city else {}


def _founded_year(organization: dict[str, Any]) -> int | None:
    stated = organization.get("foundingDate")
    found = _YEAR.search(_string(stated.get("@value") if isinstance(stated, dict) else stated))
    return int(found[1]) if found else None


def _employee_range(page: Page, organization: dict[str, Any]) -> str:
    stated = organization.get("numberOfEmployees")
    if isinstance(stated, list):
        stated = next(iter(stated), None)
    if isinstance(stated, dict):
        low, high = _count(stated.get("minValue")), _count(stated.get("maxValue"))
        if low is not None and high is not None:
            return f"{low}-{high}"
        stated = stated.get("value")
    count = _count(stated)
    if count is None:
        count = employees(page.text)
    return "" if count is None else next((band for most, band in _BANDS if count <= most), "5001+")


def _count(value: Any) -> int | None:
    found = _COUNT.search(_string(value))
    return int(found[0].replace(",", "")) if found else None


def _social(page: Page, organization: dict[str, Any]) -> dict[str, Any]:
    same = organization.get("sameAs")
    stated = same if isinstance(same, list) else [same]
    addresses = [part for part in stated if isinstance(part, str)]
    addresses += [address for address, _ in page.links]
    found: dict[str, Any] = {}
    profiles: list[str] = []
    for address in addresses:
        host, steps = _host_and_steps(address)
        if not steps or steps[0] in _NOT_HANDLES:
            continue
        if host == "linkedin.com" and steps[0] in ("company", "school", "showcase"):
            found.setdefault("linkedin_url", address)
        elif host in _HANDLE_HOSTS:
            found.setdefault("twitter_handle", f"@{steps[0].lstrip('@')}")
        elif host == "github.com":
            found.setdefault("github_org", steps[0])
        elif host in _PROFILES:
            profiles.append(address)
    if "twitter_handle" not in found and (handle := page.metas.get("twitter:site", "").strip()):
        found["twitter_handle"] = f"@{handle.lstrip('@')}"
    if profiles:
        found["profiles"] = list(dict.fromkeys(profiles))[:_MOST_LISTED]
    return found


def _contact(page: Page, organization: dict[str, Any]) -> dict[str, Any]:
    points = organization.get("contactPoint")
    contacts = [organization, *(points if isinstance(points, list) else [points])]
    emails = [_string(entry.get("email")) for entry in contacts if isinstance(entry, dict)]
    phones = [_string(entry.get("telephone")) for entry in contacts if isinstance(entry, dict)]
    for address, _ in page.links:
        scheme, _, rest = address.partition(":")
        if scheme == "mailto":
            emails.append(rest.split("?", 1)[0])
        elif scheme == "tel":
            phones.append(rest)
    emails += email_addresses(page.text)
    found = {
        "emails": [email.removeprefix("mailto:") for email in dict.fromkeys(emails) if email][:_MOST_LISTED],
        "phones": [phone for phone in dict.fromkeys(phones) if phone and _PHONE.search(phone)][:_MOST_LISTED],
        "addresses": [text for text in [_address_line(organization.get("address"))] if text],
    }
    return {name: value for name, value in found.items() if value}


def _address_line(address: Any) -> str:
    if isinstance(address, str):
        return _string(address)
    if not isinstance(address, dict):
        return ""
    parts = (address.get(key) for key in ("streetAddress", "postalCode", "addressLocality", "addressRegion"))
    return ", ".join(text for text in map(_string, parts) if text)


def _host_and_steps(address: str) -> tuple[str, list[str]]:
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return "", []
    if parts.scheme not in ("http", "https"):
        return "", []
    return host, [step for step in parts.path.split("/") if step]


def _string(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()[:_LONGEST]
