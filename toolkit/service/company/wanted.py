"""The data groups of an enrichment: what can be wanted of it."""

from __future__ import annotations

from typing import Final

__all__ = ["GROUPS"]

#: Data groups that `include` selects, and the names it also accepts for them.
GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "company": ("company", "company_information"),
    "firmographics": ("firmographics", "funding", "revenue", "company_type", "business_model"),
    "technologies": ("technologies", "technology", "tech", "tech_stack", "technographics"),
    "categories": ("categories", "categorization", "category", "taxonomies", "brand_safety"),
    "traffic": ("traffic", "engagement", "traffic_and_engagement"),
    "social": ("social", "contact", "contacts", "social_and_contact", "key_personnel"),
}
