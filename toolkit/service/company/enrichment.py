"""Facts about the company behind a site, from its own structured data and text. What is not there is absent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface.taxonomy import PATH_SEPARATOR
from toolkit.service.company.business import company_facts, firm_facts
from toolkit.service.company.contacts import contact_facts, own_place
from toolkit.service.company.facts import employees, founding_city, founding_year
from toolkit.service.company.industry import industry_of
from toolkit.service.company.organization import objects, read_organization, string
from toolkit.service.company.profiles import social_facts
from toolkit.service.company.statements import names_pattern
from toolkit.service.company.voices import is_article
from toolkit.service.subjects.content import lineage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolkit.service.company.organization import Organization
    from toolkit.service.pages.parsed import Page
    from toolkit.service.subjects.content import ContentResult, Scored, Version

__all__ = ["enrich"]

_YEAR: Final = re.compile(r"(?<!\d)(1\d{3}|20\d\d)(?!\d)")
_COUNT: Final = re.compile(r"(?<![\d.,])(?:\d{1,3}(?:,\d{3}){1,3}|\d{1,10})(?!\d)")
_BANDS: Final = (
    (10, "1-10"),
    (50, "11-50"),
    (200, "51-200"),
    (500, "201-500"),
    (1000, "501-1000"),
    (5000, "1001-5000"),
)
#: Web-filtering categories that advertisers keep away from, and the confidence from which one is a flag. Those of
#: malware and fraud are not among them: who sells protection from both uses the same words.
_UNSAFE: Final = frozenset(
    {
        "Adult and Pornography",
        "Nudity",
        "Gambling",
        "Alcohol",
        "Tobacco",
        "Illegal Drugs",
        "Weapons",
        "Violence and Gore",
        "Hate and Racism",
        "Terrorism and Extremism",
        "File Sharing and Piracy",
    }
)
_LEAST_FLAG: Final = 0.5


def enrich(domain: str, page: Page, content: ContentResult, include: Iterable[str]) -> dict[str, Any]:
    """Collect the facts of the wanted data groups (`GROUPS`) as an enrichment record without `meta`.

    A fact that the page does not state is not in it. Beside the fields of the interface, which does not show those of
    all its data groups, there are: in `company` those of `company_facts` (group ``company``) and of `firm_facts` (group
    ``firmographics``); `contact` with those of `contact_facts`; `taxonomies`, the categories of content taxonomy ``v3``
    and ``v2`` with all their levels; `content_classification`, the web-filtering categories; and `brand_safety_flags`,
    what of both an advertiser keeps away from. `traffic` is empty: a page does not state it, the service adds it from a
    list.
    """
    wanted = set(include)
    organization = read_organization(page, domain)
    record: dict[str, Any] = {"domain": domain}
    technologies = [{"name": name, "category": category} for name, category in page.technologies]
    if wanted & {"company", "firmographics"}:
        record["company"] = {}
        if "company" in wanted:
            record["company"] |= _company(page, organization, content, technologies)
        if "firmographics" in wanted:
            record["company"] |= _firmographics(page, organization, technologies)
    if "categories" in wanted:
        record |= _classification(content)
    if "technologies" in wanted:
        record["technologies"] = technologies
    if "traffic" in wanted:
        record["traffic"] = {}
    if "social" in wanted:
        record["social"] = social_facts(page, organization)
        record["contact"] = contact_facts(page, organization, domain)
    return record


def _company(
    page: Page, organization: Organization, content: ContentResult, technologies: list[dict[str, str]]
) -> dict[str, Any]:
    found = {
        "name": organization.name,
        "description": string(organization.data.get("description")) or page.description,
        "founded_year": _founded_year(page, organization),
        "headquarters": _headquarters(page, organization),
        "industry": industry_of(page, organization, content, firm_facts(page, organization, technologies)),
        **company_facts(organization),
    }
    return {name: value for name, value in found.items() if value not in (None, "", {})}


def _firmographics(page: Page, organization: Organization, technologies: list[dict[str, str]]) -> dict[str, Any]:
    band = _employee_range(page, organization)
    return {**({"employee_range": band} if band else {}), **firm_facts(page, organization, technologies)}


def _classification(content: ContentResult) -> dict[str, Any]:
    leveled = {
        "v3": [_leveled(category, "content-v3") for category in content.v3],
        "v2": [_leveled(category, "content-v2") for category in content.v2],
    }
    flagged = [category.path for category in content.v3 if category.path.startswith("Sensitive Topics")]
    flagged += [c.path for c in content.filtering if c.path in _UNSAFE and c.confidence >= _LEAST_FLAG]
    return {
        "categories": [
            {
                "id": lineage(category.id, "content-v3"),
                "name": category.path.rsplit(PATH_SEPARATOR, 1)[-1],
                "confidence": category.confidence,
            }
            for category in content.v3
        ],
        "taxonomies": {version: entries for version, entries in leveled.items() if entries},
        "content_classification": [{"name": c.path, "confidence": c.confidence} for c in content.filtering],
        "brand_safety_flags": flagged,
    }


def _leveled(category: Scored, version: Version) -> dict[str, Any]:
    return {
        "id": lineage(category.id, version),
        "path": category.path,
        "tier": category.tier,
        "confidence": category.confidence,
    }


def _headquarters(page: Page, organization: Organization) -> dict[str, str]:
    address = next(objects(organization.data.get("address")), None)
    if address is not None:
        country = address.get("addressCountry")
        parts = {
            "city": string(address.get("addressLocality")),
            "state": string(address.get("addressRegion")),
            "country": string(country.get("name")) if isinstance(country, dict) else string(country),
        }
        return {name: value for name, value in parts.items() if value}
    if place := own_place(organization):
        return place
    city = founding_city(organization.said, names_pattern(organization), ours=not is_article(page))
    return {"city": city} if city else {}


def _founded_year(page: Page, organization: Organization) -> int | None:
    stated = organization.data.get("foundingDate")
    found = _YEAR.search(string(stated.get("@value") if isinstance(stated, dict) else stated))
    if found:
        return int(found[1])
    return founding_year(organization.said, names_pattern(organization), ours=not is_article(page))


def _employee_range(page: Page, organization: Organization) -> str:
    stated = organization.data.get("numberOfEmployees")
    if isinstance(stated, list):
        stated = next(iter(stated), None)
    if isinstance(stated, dict):
        low, high = _count(stated.get("minValue")), _count(stated.get("maxValue"))
        if low is not None and high is not None:
            return f"{low}-{high}"
        stated = stated.get("value")
    count = _count(stated)
    if count is None:
        count = employees(organization.said, names_pattern(organization), ours=not is_article(page))
    return "" if count is None else next((band for most, band in _BANDS if count <= most), "5001+")


def _count(value: Any) -> int | None:
    found = _COUNT.search(string(value))
    return int(found[0].replace(",", "")) if found else None
