"""The blocks of an enrichment record.

The interface names more facts than it shows fields for. The fields of those are the embedded service's own; a service
that answers something else under their names loses nothing but them.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import BeforeValidator, Field

from toolkit.interface.fields import Block, Model, Name, Text, Texts, Whole, Year

__all__ = ["Company", "Contact", "Headquarters", "Person", "Social", "Technology", "Traffic", "Unshown"]

_T = TypeVar("_T")


def _said(value: Any) -> Any:
    """Texts of a list are joined; what is neither text nor a list is missing."""
    texts = [str(part) for part in _parts(value) if isinstance(part, str | int | float) and not isinstance(part, bool)]
    return ", ".join(texts)


def _parts(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _listed(value: Any) -> Any:
    return [_said(part) for part in _parts(value)]


def _people(value: Any) -> Any:
    return [person for person in _parts(value) if isinstance(person, dict) and isinstance(person.get("name"), str)]


def _unshown(value: Any) -> Any:
    return value if isinstance(value, dict) else {}


#: A text of a field that the interface does not show: a service may answer something else, which is no error.
Said = Annotated[Text, BeforeValidator(_said)]
#: An object that the interface does not show; anything else is an empty one.
Unshown = Annotated[_T, BeforeValidator(_unshown)]


class Headquarters(Model):
    """Where a company sits."""

    city: Text = None
    state: Text = None
    country: Text = None


class Company(Model):
    """Company facts. Of those whose fields the interface does not show, the embedded service's."""

    name: Text = None
    description: Text = None
    founded_year: Year = None
    headquarters: Block[Headquarters] = Field(default_factory=Headquarters)
    employee_range: Text = None
    revenue_range: Text = None
    industry: Text = None
    legal_name: Said = None
    company_type: Said = None
    business_model: Said = None
    funding_status: Said = None
    ticker: Said = None
    parent_company: Said = None


class Technology(Model):
    """A technology seen on the site."""

    named_by: ClassVar[str] = "name"
    name: Name
    category: Text = None


class Traffic(Model):
    """Traffic facts."""

    monthly_visits: Text = None
    traffic_rank: Whole = None
    growth_trend: Text = None
    ranked_domain: Said = None


class Social(Model):
    """Social profiles."""

    linkedin_url: Text = None
    twitter_handle: Text = None
    github_org: Text = None


class Person(Model):
    """One of an organisation's people."""

    name: Name
    title: Said = None


class Contact(Model):
    """How to reach a company. The interface names these facts without showing their fields."""

    emails: Annotated[Texts, BeforeValidator(_listed)] = Field(default_factory=list)
    phones: Annotated[Texts, BeforeValidator(_listed)] = Field(default_factory=list)
    addresses: Annotated[Texts, BeforeValidator(_listed)] = Field(default_factory=list)
    key_personnel: Annotated[list[Person], BeforeValidator(_people)] = Field(default_factory=list)
