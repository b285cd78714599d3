"""What the values of a dimension are called above a table, a picture and a fact."""

from __future__ import annotations

from typing import Final

from toolkit.findings.insights.tautologies import OWN

__all__ = ["heading_of"]

_HEADINGS: Final = {
    "content-v3": "Topics",
    "content-v2": "Topics",
    "filtering": "Web-filtering categories",
    "main category": "Main topic",
    "audience_type": "Type of audience",
    "age_bracket": "Age",
    "gender_skew": "Gender",
    "income_level": "Income",
    "education_level": "Education",
    "household_composition": "Household",
    "life_stage": "Stage of life",
    "employment_status": "Employment",
    "home_ownership": "Home",
    "urbanicity": "Town or country",
    "interest_group": "Interests",
    "interest": "Interests in detail",
    "purchase_intent": "Purchase intents",
    "persona": "Personas",
    "content_type": "Kind of pages",
    "reading_level": "Reading level",
    "price_signals": "Prices",
    "technology": "Technologies",
    "technology kind": "Kinds of technology",
    "business_model": "Business model",
    "country": "Country",
    "company industry": "Industry of the company",
    "company_type": "Kind of company",
    "employee_range": "Employees",
    "revenue_range": "Revenue",
}


def heading_of(dimension: str) -> str:
    """Return what the values of a dimension are called."""
    return _HEADINGS.get(dimension, dimension.removeprefix(OWN).replace("_", " ").capitalize())
