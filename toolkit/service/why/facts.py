"""Why a page shows a technology or states a fact of its company: where it is read. Both are measured, not inferred."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface.targets import parse_target
from toolkit.service.company.enrichment import enrich
from toolkit.service.company.organization import read_organization
from toolkit.service.company.wanted import GROUPS
from toolkit.service.pages.technologies import shown_in
from toolkit.service.subjects.parts import page_parts
from toolkit.service.why.case import Case, Lack
from toolkit.service.why.reasons import Place, Reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.service.pages.parsed import Page
    from toolkit.service.subjects.readings import Reading
    from toolkit.service.why.names import Subject

__all__ = ["FACTS", "explain_fact", "explain_technology"]

#: Facts of a company by the column of the frame of companies, in the words of a reader.
FACTS: Final[dict[str, str]] = {
    "name": "Company name",
    "description": "Description",
    "founded_year": "Year founded",
    "city": "City",
    "state": "State or region",
    "country": "Country",
    "employee_range": "Number of employees",
    "revenue_range": "Revenue",
    "industry": "Industry of the company",
    "legal_name": "Legal name",
    "company_type": "Type of company",
    "business_model": "Business model",
    "funding_status": "Funding",
    "ticker": "Ticker symbol",
    "parent_company": "Parent company",
    "linkedin_url": "LinkedIn page",
    "twitter_handle": "Twitter handle",
    "github_org": "GitHub organization",
}
#: What is worked out from all that a page says, and stands in no one place of it.
_WORKED_OUT: Final = {
    "industry": "worked out from what the page is about and says of the company",
    "business_model": "worked out from what the page offers, and to whom",
    "company_type": "worked out from the company's legal form and what the page says of it",
    "funding_status": "worked out from what the page says of investors and markets",
    "employee_range": "a number of people that the page states, as a range",
    "revenue_range": "a sum that the page states, as a range",
}
_STRUCTURED: Final = "the page's structured data, made for search engines"


def explain_technology(reading: Reading, subject: Subject) -> Case:
    """Tell where a page shows a technology, or that it shows none of its marks."""
    page = reading.page
    categories = dict(page.technologies)
    places = shown_in(subject.id)
    beside = tuple(
        (name, name) for name, category in page.technologies if name != subject.id and category in _kinds_of(subject.id)
    )
    if subject.id in categories:
        text = f"Seen in {_either(places)}"
        return Case(True, 1.0, None, (Reason("source", text, "page", 0, 1.0),), None)
    lack = Lack("absent", f"None of its marks is in the page: it is looked for in {_either(places)}.")
    return Case(False, 0.0, None, (), None, instead=beside, missing=(lack,))


def _kinds_of(name: str) -> frozenset[str]:
    from toolkit.service.knowledge.lexicon import knowledge_rows  # noqa: PLC0415

    return frozenset(row["category"] for row in knowledge_rows("technologies.tsv") if row["name"] == name)


def _either(places: tuple[str, ...]) -> str:
    return f"{', '.join(places[:-1])} or {places[-1]}" if len(places) > 1 else "".join(places)


def explain_fact(reading: Reading, subject: Subject) -> Case:
    """Tell where a page states a fact of its company, or that it does not."""
    page, (field, _, asked) = reading.page, subject.id.partition("=")
    domain = parse_target(page.url).site if page.url else ""
    record = enrich(domain, page, reading.content, tuple(GROUPS))
    held = _flat(record).get(field)
    stated = "" if held is None else str(held)
    if not stated:
        lack = Lack("absent", f"The page does not state it: {FACTS[field].lower()} is never guessed.")
        return Case(False, 0.0, None, (), None, missing=(lack,))
    told = _read_at(page, read_organization(page, domain).data, field, stated)
    given = asked.casefold() in ("", stated.casefold())
    instead = () if given else ((f"{field}={stated}", stated),)
    return Case(given, 1.0, None, (told,), None, instead=instead)


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    company = record.get("company", {})
    return {**company, **company.get("headquarters", {}), **record.get("social", {})}


def _read_at(page: Page, data: dict[str, Any], field: str, stated: str) -> Reason:
    """Return where a fact is read: in a text of the page, in its structured data, in its footer, or nowhere alone."""
    places = [
        Place(part.where, found.start(), found.end())
        for part in page_parts(page)
        for found in re.finditer(rf"(?<!\w){re.escape(stated)}(?!\w)", part.original, re.IGNORECASE)
    ]
    if places and field not in ("country", "state"):
        first = next(part for part in page_parts(page) if part.where == places[0].where)
        where = {place.where for place in places}
        text = first.original[places[0].start : places[0].end]
        return Reason(
            "word", text, "both" if len(where) > 1 else where.pop(), len(places), 1.0, places=tuple(places[:9])
        )
    if any(stated.casefold() in value.casefold() for value in _values(data)) or (
        field.endswith("_range") and "numberOfEmployees" in data
    ):
        return Reason("source", f"{stated}: {_STRUCTURED}", "page", 0, 1.0)
    if stated.casefold() in page.footer.casefold():
        return Reason("source", f"{stated}: the foot of the page", "page", 0, 1.0)
    if any(stated.lstrip("@").casefold() in link.address.casefold() for link in page.links):
        return Reason("source", f"{stated}: a link of the page", "page", 0, 1.0)
    return Reason("page", f"{stated}: {_WORKED_OUT.get(field, 'worked out from what the page says')}", "page", 0, 1.0)


def _values(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        for value in data.values():
            yield from _values(value)
    elif isinstance(data, list):
        for value in data:
            yield from _values(value)
    elif isinstance(data, (str, int, float)):
        yield str(data)
