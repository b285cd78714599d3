"""The plain forms of answers, in which most of them come: what is of another form goes through the models.

The functions here take decoded JSON apart where it says at once what the models would make of it, and raise
`OddShapeError` everywhere else. They are never more lenient than the models, and need not be as lenient.
"""

from __future__ import annotations

import math
from typing import Any, Final

from toolkit.interface.fields import ContentContext, Model, RankedCategory

__all__ = [
    "NAME_PREFIX",
    "STATED_PREFIX",
    "OddShapeError",
    "block",
    "categories_of",
    "check_envelope",
    "company_of",
    "confidence",
    "listed",
    "number",
    "plain",
    "technologies_of",
    "text",
]

NAME_PREFIX: Final = "Category name: "
STATED_PREFIX: Final = "Confidence: "
#: What no model reads as a number of anything.
_BEYOND: Final = 2**63
_YEARS: Final = range(1000, 2200)
#: Whole numbers up to here are exact as floating-point numbers.
_EXACT: Final = 2**53

#: Columns of an enrichment's scalars by the block that has them, in the companies frame's order.
_FIRST: Final = ("name", "description")
_HEADQUARTERS: Final = ("city", "state", "country")
_SECOND: Final = (
    "employee_range",
    "revenue_range",
    "industry",
    "legal_name",
    "company_type",
    "business_model",
    "funding_status",
    "ticker",
    "parent_company",
)
_OTHERS: Final = ("growth_trend", "ranked_domain")
_SOCIAL: Final = ("linkedin_url", "twitter_handle", "github_org")


class OddShapeError(Exception):
    """An answer is not of the plain form; it never leaves the package."""


def plain(value: Any) -> Any:
    """Return a model as decoded JSON of the plain form, without the fields that nobody knows."""
    if isinstance(value, RankedCategory):
        stated = "" if value.confidence is None else repr(value.confidence)
        return [NAME_PREFIX + value.path, STATED_PREFIX + stated]
    if isinstance(value, Model):
        found = {name: plain(getattr(value, name)) for name in type(value).model_fields}
        if isinstance(value, ContentContext):
            # The block has no confidence of its own, but a frame shows one that it comes with.
            found["confidence"] = (value.model_extra or {}).get("confidence")
        return found
    return [plain(part) for part in value] if isinstance(value, list) else value


def text(value: Any) -> str | None:
    """Return a text without the space around it; blank is missing."""
    if value is None:
        return None
    if type(value) is not str:
        raise OddShapeError
    return value.strip() or None


def whole(value: Any) -> int | None:
    """Return a whole number."""
    if value is None or (type(value) is int and abs(value) < _BEYOND):
        return value
    raise OddShapeError


def number(value: Any) -> float | None:
    """Return a number."""
    if type(value) is float:
        if math.isfinite(value):
            return value
    elif value is None:
        return None
    elif type(value) is int and -_EXACT < value < _EXACT:
        return float(value)
    raise OddShapeError


def confidence(value: Any) -> float | None:
    """Return a number from 0 to 1; what another one means takes the others of its list to tell."""
    stated = number(value)
    if stated is None or 0.0 <= stated <= 1.0:
        return stated
    raise OddShapeError


def year(value: Any) -> int | None:
    """Return a year."""
    if value is None or (type(value) is int and value in _YEARS):
        return value
    raise OddShapeError


def block(value: Any) -> dict[str, Any]:
    """Return an object; a missing one is empty."""
    if type(value) is dict:
        return value
    if value is None or value == []:
        return {}
    raise OddShapeError


def listed(value: Any) -> list[Any]:
    """Return a list; a missing one is empty."""
    if type(value) is list:
        return value
    if value is None:
        return []
    raise OddShapeError


def check_envelope(raw: dict[str, Any]) -> str:
    """Check the fields of family A that no frame but one shows, and return the domain."""
    meta = block(raw.get("meta"))
    text(meta.get("request_id"))
    number(meta.get("processing_time_ms"))
    whole(meta.get("credits_used"))
    domain = raw.get("domain")
    if domain is None:
        return ""
    if type(domain) is not str:
        raise OddShapeError
    return domain


def categories_of(raw: dict[str, Any]) -> list[tuple[str, str, int | None, float | None]]:
    """Return the categories of an answer of family A: identifier, name, tier and confidence."""
    found = []
    for category in listed(raw.get("categories")):
        if type(category) is not dict:
            raise OddShapeError
        identifier, name = text(category.get("id")), category.get("name")
        if identifier is None or type(name) is not str or "confidence" not in category:
            raise OddShapeError  # it may have another name
        text(category.get("confidence_band"))
        found.append((identifier, name, whole(category.get("tier")), confidence(category["confidence"])))
    return found


def technologies_of(raw: dict[str, Any]) -> list[tuple[str, str | None]]:
    """Return the technologies of an enrichment: name and category."""
    found = []
    for technology in listed(raw.get("technologies")):
        if type(technology) is not dict:
            raise OddShapeError
        name = technology.get("name")
        if type(name) is not str:
            raise OddShapeError
        found.append((name, text(technology.get("category"))))
    return found


def company_of(raw: dict[str, Any]) -> list[str | int | None]:
    """Return the scalars of an enrichment, in the order of the companies frame."""
    company, traffic, social = block(raw.get("company")), block(raw.get("traffic")), block(raw.get("social"))
    return [
        *_texts(company, _FIRST),
        year(company.get("founded_year")),
        *_texts(block(company.get("headquarters")), _HEADQUARTERS),
        *_texts(company, _SECOND),
        text(traffic.get("monthly_visits")),
        whole(traffic.get("traffic_rank")),
        *_texts(traffic, _OTHERS),
        *_texts(social, _SOCIAL),
    ]


def _texts(values: dict[str, Any], names: tuple[str, ...]) -> list[str | None]:
    found: list[str | None] = []
    for name in names:
        value = values.get(name)
        if value is not None:
            if type(value) is not str:
                raise OddShapeError
            value = value.strip() or None
        found.append(value)
    return found
