"""The declared schema of every frame: columns, dtypes and their order."""

from __future__ import annotations

from typing import Any, Final

import pandas as pd

__all__ = [
    "BAND",
    "BASES",
    "BASIS",
    "BLOCKS",
    "CODED",
    "CONFIDENCE",
    "DEMOGRAPHICS",
    "DIMENSIONS",
    "FACTS",
    "LEVELS",
    "LISTS",
    "SCALARS",
    "SCHEMAS",
    "STATED",
]

#: Fields of the structured response with one value a target: block and field.
SCALARS: Final[dict[str, tuple[str, str]]] = {
    "audience_type": ("", "audience_type"),
    "gender_skew": ("demographics", "gender_skew"),
    "income_level": ("demographics", "income_level"),
    "education_level": ("demographics", "education_level"),
    "household_composition": ("demographics", "household_composition"),
    "employment_status": ("demographics", "employment_status"),
    "home_ownership": ("demographics", "home_ownership"),
    "urbanicity": ("demographics", "urbanicity"),
    "company_size_employees": ("b2b", "company_size_employees"),
    "content_type": ("content_context", "content_type"),
    "reading_level": ("content_context", "reading_level"),
    "price_signals": ("content_context", "price_signals"),
}
#: Fields with several values.
LISTS: Final[dict[str, tuple[str, str]]] = {
    "age_bracket": ("demographics", "age_bracket"),
    "life_stage": ("demographics", "life_stage"),
    "seniority": ("b2b", "seniority"),
    "job_function": ("b2b", "job_function"),
    "industry": ("b2b", "industry"),
}
BLOCKS: Final = ("demographics", "b2b", "interests", "purchase_intent")

#: Dimensions of INT.* and PI.* codes; a code says by itself which it is of.
CODED: Final = ("interest_group", "interest", "purchase_intent")
#: Dimensions of the codes frame.
DIMENSIONS: Final = (*CODED, "persona", *LISTS, *SCALARS)
#: Of these, who the people are, in the order in which people read it.
DEMOGRAPHICS: Final = (
    "age_bracket",
    "gender_skew",
    "income_level",
    "education_level",
    "household_composition",
    "life_stage",
    "employment_status",
    "home_ownership",
    "urbanicity",
)
#: Facts of companies that several sites can have in common, and the names of their dimensions.
FACTS: Final = {
    "country": "country",
    "state": "state",
    "city": "city",
    "employee_range": "employee_range",
    "revenue_range": "revenue_range",
    "industry": "company industry",
    "company_type": "company_type",
    "business_model": "business_model",
    "funding_status": "funding_status",
    "growth_trend": "growth_trend",
    "parent_company": "parent_company",
    "founded_year": "founded_year",
}
#: What each site has one of, or a closed list, whether or not anybody knows it: an answer without a value says that it
#: is not known. Of topics, interests, personas and technologies it may have none, which an answer without any says.
STATED: Final = (*LISTS, *SCALARS, *FACTS.values())
BASES: Final = pd.CategoricalDtype(["measured", "inferred"])
#: On what each dimension stands. What a page speaks of and how it is made is read on the page: measured. Who reads it
#: is general knowledge about the readers of such subjects, helped by words of the page: inferred; nobody counted them.
#: Categories, technologies and facts about a company are measured.
BASIS: Final = {
    name: "inferred"
    if name in {"persona", "audience_type"} or (LISTS | SCALARS).get(name, ("",))[0] in {"demographics", "b2b"}
    else "measured"
    for name in DIMENSIONS
}
#: Taxonomies of the categories frame, and the columns of a category's path.
LEVELS: Final = ("level_1", "level_2", "level_3", "level_4")

CONFIDENCE: Final = pd.CategoricalDtype(["low", "medium", "high"], ordered=True)
_TIME: Final = "datetime64[us, UTC]"
_ASKED: Final = {"row": "int64", "target": "str", "normal": "str"}
_PROVENANCE: Final = {
    "status": "Int64",
    "error": "str",
    "endpoint": "str",
    "request_id": "str",
    "vocab_version": "str",
    "fetched_at": _TIME,
    "from_cache": "boolean",
    "credits_used": "Int64",
}
BAND: Final = "band"

#: Columns and dtypes of each frame, in order. ``band`` stands for the field's categorical dtype of the vocabulary.
SCHEMAS: Final[dict[str, dict[str, Any]]] = {
    "audiences": {
        **_ASKED,
        **dict.fromkeys(SCALARS, BAND),
        **{f"{block}_confidence": CONFIDENCE for block in BLOCKS},
        "interests": "Int64",
        "purchase_intents": "Int64",
        "personas": "Int64",
        **_PROVENANCE,
    },
    "codes": {
        **_ASKED,
        "dimension": pd.CategoricalDtype(list(DIMENSIONS)),
        "basis": BASES,
        "code": "str",
        "label": "str",
        "group": "str",
        "confidence": CONFIDENCE,
        "rank": "Int64",
        **_PROVENANCE,
    },
    "categories": {
        **_ASKED,
        "taxonomy": "str",
        "id": "str",
        "name": "str",
        "tier": "Int64",
        **dict.fromkeys(LEVELS, "str"),
        "confidence": "float64",
        "rank": "Int64",
        **_PROVENANCE,
    },
    "companies": {
        **_ASKED,
        "domain": "str",
        "name": "str",
        "description": "str",
        "founded_year": "Int64",
        "city": "str",
        "state": "str",
        "country": "str",
        "employee_range": "str",
        "revenue_range": "str",
        "industry": "str",
        "legal_name": "str",
        "company_type": "str",
        "business_model": "str",
        "funding_status": "str",
        "ticker": "str",
        "parent_company": "str",
        "monthly_visits": "str",
        "traffic_rank": "Int64",
        "growth_trend": "str",
        "ranked_domain": "str",
        "linkedin_url": "str",
        "twitter_handle": "str",
        "github_org": "str",
        **_PROVENANCE,
    },
    "technologies": {**_ASKED, "domain": "str", "technology": "str", "category": "str", **_PROVENANCE},
    "failures": {**_ASKED, "endpoint": "str", "status": "Int64", "reason": "str", "error": "str"},
}
