"""What the names in a filters document stand for: fields, kinds of codes, and the properties of one code or value."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

__all__ = [
    "FIELDS",
    "KINDS",
    "SIZES",
    "Prefix",
    "Role",
    "field_of",
    "kind_of",
    "role_of",
    "says_nothing",
    "stated_size",
]

Prefix = Literal["INT", "PI"]
Role = Literal["code", "label", "field", "group", "group label"]

#: Enumerated fields of the structured response, and the names a filters document may give them
#: (folded: lower case, letters and digits only, no plural "s").
FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "age_bracket": ("agebracket", "age", "agerange", "agegroup", "ageband"),
    "gender_skew": ("genderskew", "gender", "gendersplit"),
    "income_level": ("incomelevel", "income", "incomeband", "incomebracket", "incomerange", "householdincome"),
    "education_level": ("educationlevel", "education"),
    "life_stage": ("lifestage", "lifecyclestage"),
    "household_composition": ("householdcomposition", "household", "householdtype"),
    "employment_status": ("employmentstatu", "employmentstatus", "employment", "employmentstatuse"),
    "home_ownership": ("homeownership", "ownership", "housing", "hometenure"),
    "urbanicity": ("urbanicity", "urbanicitie", "urbanization", "urbanisation"),
    "company_size_employees": (
        "companysizeemployee",
        "companysize",
        "employee",
        "employeeband",
        "employeerange",
        "companysizeband",
    ),
    "seniority": ("seniority", "senioritie", "senioritylevel"),
    "job_function": ("jobfunction", "function", "jobrole"),
    "industry": ("industry", "industrie", "b2bindustry", "b2bindustrie"),
    "audience_type": ("audiencetype", "audience"),
    "content_type": ("contenttype",),
    "reading_level": ("readinglevel",),
    "price_signals": ("pricesignal", "price", "pricelevel"),
    "confidence": ("confidence", "confidenceband", "confidencelevel"),
}
_FIELD_OF: Final = {alias: name for name, aliases in FIELDS.items() for alias in aliases}

#: How many values a field has, and how many codes and groups a kind, as the interface states it.
SIZES: Final[dict[str, int]] = {
    "age_bracket": 8,
    "gender_skew": 5,
    "income_level": 6,
    "education_level": 7,
    "life_stage": 14,
}
KINDS: Final[dict[Prefix, tuple[str, int, int]]] = {"INT": ("interest", 285, 29), "PI": ("purchase_intent", 283, 34)}

_KIND_WORDS: Final[dict[str, Prefix]] = {
    "int": "INT",
    "interest": "INT",
    "subinterest": "INT",
    "pi": "PI",
    "intent": "PI",
    "intention": "PI",
    "purchase": "PI",
}
#: The last word of a property's name, and what the property tells.
_ROLE_WORDS: Final[dict[str, Role]] = {
    **dict.fromkeys(("code", "value", "id", "key", "slug", "identifier", "val"), "code"),
    **dict.fromkeys(("label", "name", "title", "text", "description", "caption"), "label"),
    **dict.fromkeys(("field", "dimension", "attribute", "facet", "type", "kind", "category", "filter"), "field"),
    **dict.fromkeys(("section", "vocabulary", "parameter"), "field"),
}
#: Words before that last one, beside those that name a field or a kind, or say nothing.
_MODIFIERS: Final = frozenset({"default", "display", "english", "full", "human", "long", "pretty", "readable", "short"})
_GROUP_WORDS: Final = frozenset({"group", "parent"})
#: Words that say that something is listed, not what.
_EMPTY: Final = frozenset(
    {
        "all", "allowed", "attribute", "available", "b2b", "band", "body", "bucket", "category", "child",
        "children", "choice", "class", "code", "column", "content", "context", "count", "data", "demographic",
        "dictionary", "dimension", "display", "element", "enum", "enumeration", "facet", "field", "filter",
        "firmographic", "group", "header", "id", "info", "information", "item", "key", "known", "label", "level",
        "list", "map", "mapping", "member", "meta", "metadata", "name", "of", "option", "parent", "payload",
        "possible", "record", "response", "result", "row", "schema", "section", "segment", "set", "slug",
        "status", "sub", "subgroup", "supported", "tag", "taxonomy", "the", "tier", "tier1", "tier2", "tier3",
        "title", "top", "total", "type", "user", "v1", "v2", "valid", "value", "version", "visitor", "vocab",
        "vocabulary",
    }
)  # fmt: skip
_ASIDE: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_NUMBER: Final = re.compile(r"(?<!\w)(\d{1,6})(?!\w)")
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Za-z][a-z]*\d*|\d+")
#: A longer text is no heading.
_LONGEST: Final = 80


def field_of(heading: object) -> str | None:
    """Return the field that a heading names, however it is written; None if it names none.

    >>> field_of("Age bracket (8)"), field_of("demographics.incomeBands"), field_of("valid_values")
    ('age_bracket', 'income_level', None)
    """
    return _field_of(heading) if isinstance(heading, str) and len(heading) <= _LONGEST else None


def kind_of(heading: object, *, alone: bool = False) -> Prefix | None:
    """Return the kind of codes that a heading names, perhaps `alone`; None if it names none or both.

    >>> kind_of("Sub-interests (285)"), kind_of("purchaseIntents"), kind_of("Interests and intents")
    ('INT', 'PI', None)
    >>> kind_of("Academic interests"), kind_of("Academic interests", alone=True)
    ('INT', None)
    """
    return _kind_of(heading, alone=alone) if isinstance(heading, str) and len(heading) <= _LONGEST else None


def role_of(name: str) -> Role | None:
    """Return what a property tells of a code or value; None if it is none of the usual ones.

    >>> role_of("display_name"), role_of("interest_code"), role_of("group_label"), role_of("18_24")
    ('label', 'code', 'group label', None)
    """
    return _role_of(name) if len(name) <= _LONGEST and "." not in name else None


def says_nothing(heading: str) -> bool:
    """Tell whether a heading says that something is listed, and not what."""
    words = _words(heading) if len(heading) <= _LONGEST else ()
    return bool(words) and all(word in _EMPTY for word in words)


def stated_size(heading: str) -> int | None:
    """Return how many values a heading says that there are.

    >>> stated_size("Age bracket (8)"), stated_size("age_bracket")
    (8, None)
    """
    asides = _ASIDE.findall(heading) if len(heading) <= _LONGEST else []
    found = [int(number) for aside in asides for number in _NUMBER.findall(aside)]
    return found[0] if len(found) == 1 else None


@lru_cache(1024)
def _words(heading: str) -> tuple[str, ...]:
    found = _WORD.findall(_ASIDE.sub(" ", heading))
    return tuple(_singular(word.lower()) for word in found if not word.isdigit())


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


@lru_cache(1024)
def _field_of(heading: str) -> str | None:
    folded = re.sub(r"[^a-z0-9]", "", _ASIDE.sub(" ", heading).lower())
    words = _words(heading)
    telling = [word for word in words if word not in _EMPTY]
    tried = (folded, folded.removesuffix("s"), "".join(words), "".join(telling), "".join(telling).removesuffix("s"))
    return next((_FIELD_OF[text] for text in tried if text in _FIELD_OF), None)


@lru_cache(1024)
def _kind_of(heading: str, *, alone: bool) -> Prefix | None:
    if field_of(heading):
        return None
    words = _words(heading)
    found = {_KIND_WORDS[word] for word in words if word in _KIND_WORDS}
    if alone and any(word not in _KIND_WORDS and word not in _EMPTY for word in words):
        return None
    return found.pop() if len(found) == 1 else None


@lru_cache(1024)
def _role_of(name: str) -> Role | None:
    words = _words(name)
    role = _ROLE_WORDS.get(words[-1]) if words else None
    if not words or words[0] not in _GROUP_WORDS:
        before = [word for word in words[:-1] if word not in _MODIFIERS and word not in _EMPTY]
        return role if not before or field_of("_".join(before)) or _kind_of("_".join(before), alone=True) else None
    if role == "label":
        return "group label"
    return "group" if role == "code" or len(words) == 1 else None
