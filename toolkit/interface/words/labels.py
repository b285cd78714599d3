"""The plain names of questions, frames, taxonomies, fields, values and statuses, for every surface.

Codes stay in frames, exports and the texts of segments. What a vocabulary labels itself goes before these names.
"""

from __future__ import annotations

import re
from typing import Final

from toolkit.interface.errors import ServiceError
from toolkit.interface.filters.codes import words_of_code

__all__ = [
    "FRAMES",
    "NO_TARGET",
    "QUESTIONS",
    "SEE_DETAILS",
    "failure_words",
    "field_label",
    "frame_label",
    "question_label",
    "reason_label",
    "status_advice",
    "status_label",
    "taxonomy_label",
    "value_label",
]

#: What each question is called, in the order in which they are offered.
QUESTIONS: Final = {
    "segment": "Audience",
    "categorize_content": "Topics of the page",
    "categorize": "Topics of the domain",
    "enrich": "Company",
}
#: What each frame is called.
FRAMES: Final = {
    "audiences": "Audience",
    "codes": "Interests and traits",
    "categories": "Topics",
    "companies": "Company",
    "technologies": "Technologies",
    "failures": "Failures",
}
_TAXONOMIES: Final = {
    "content-v3": "topics",
    "content-v2": "topics of the earlier list",
    "filtering": "web-filtering categories",
    "interest": "interests",
    "purchase_intent": "purchase intents",
}
#: Fields of answers and columns of frames whose name says too little as it stands.
_FIELDS: Final = {
    **{name: label[:1].upper() + label[1:] for name, label in _TAXONOMIES.items()},
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
    "industry": "Industry",
    "company_size_employees": "Employees of the company",
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
    "founded_year": "Founded",
    "linkedin_url": "LinkedIn",
    "twitter_handle": "Twitter",
    "github_org": "GitHub",
    "target": "Site",
    "normal": "Site",
    "dimension": "Kind",
    "basis": "Read or inferred",
    "label": "Name",
    "tier": "Level",
    "level_1": "Topic",
    "level_2": "Sub-topic",
    "level_3": "Third level",
    "level_4": "Fourth level",
    "demographics_confidence": "Confidence",
    "b2b_confidence": "Confidence about businesses",
    "interests_confidence": "Confidence about interests",
    "purchase_intent_confidence": "Confidence about purchases",
    "endpoint": "Question",
    "fetched_at": "Answered at",
    "from_cache": "Kept already",
    "credits_used": "Credits",
    "vocab_version": "Version of the codes",
    "request_id": "Request",
}
_VALUES: Final[dict[str, dict[str, str]]] = {
    "audience_type": {"b2c": "Consumers", "b2b": "Businesses", "mixed": "Consumers and businesses"},
    "gender_skew": {
        "strong_female": "Strongly female",
        "lean_female": "Leaning female",
        "lean_male": "Leaning male",
        "strong_male": "Strongly male",
    },
    "education_level": {
        "primary": "Primary school",
        "secondary": "Secondary school",
        "vocational": "Vocational training",
        "bachelor": "Bachelor's degree",
        "master": "Master's degree",
    },
    "life_stage": {
        "parents_of_infants": "Parents of infants and toddlers",
        "parents_of_children": "Parents of school-age children",
        "parents_of_teens": "Parents of teenagers",
        "midlife_single": "Single in midlife",
        "midlife_couple": "Couple in midlife without children at home",
    },
    "household_composition": {
        "single_parent_family": "Single parent with children",
        "multi_generation": "Several generations",
    },
    "employment_status": {
        "full_time": "Employed full time",
        "part_time": "Employed part time",
        "self_employed": "Self-employed",
        "job_seeker": "Looking for work",
    },
    "home_ownership": {"owner": "Home owner", "with_family": "Living with family", "mixed": "Owners and renters"},
    "urbanicity": {"mixed": "No clear lean"},
    "seniority": {
        "entry": "Entry level",
        "senior": "Senior contributor",
        "c_level": "C-level",
        "owner": "Owner or partner",
    },
    "job_function": {
        "engineering": "Engineering and software development",
        "finance": "Finance and accounting",
        "legal": "Legal and compliance",
        "logistics": "Logistics and supply chain",
        "production": "Production and manufacturing",
        "research": "Research and development",
        "security": "Security and risk",
    },
    "content_type": {
        "review": "Review or comparison",
        "fiction": "Fiction or poetry",
        "guide": "Guide or how-to",
        "category_page": "Shop category or listing",
        "corporate": "Company or service page",
        "forum": "Forum or community",
        "media": "Video, audio or gallery",
        "tool": "Tool or application",
    },
    "price_signals": {"none": "No prices shown", "mid_range": "Mid-range", "quote": "Price on request"},
}
#: What fields say with numbers: from, to, and from a number on.
_RANGES: Final = {
    "age_bracket": ("{} to {} years", "{} years and over"),
    "company_size_employees": ("{:,} to {:,} employees", "More than {:,} employees"),
}
_RANGE: Final = re.compile(r"(\d{1,6})_(\d{1,6}|plus)")
_OLDEST: Final = 99
#: What to do where the service's own words say more.
SEE_DETAILS: Final = "see the details"
#: Why a site has no answer, and what to do about it.
_STATUSES: Final = {
    200: ("answered", ""),
    400: ("the service refused the request", SEE_DETAILS),
    401: ("the key was not accepted", "check it"),
    403: ("the monthly quota is used up", "go on next month, or ask for more"),
    404: ("the service does not know this", SEE_DETAILS),
    407: ("the service refused this kind of data", SEE_DETAILS),
    410: ("the page has too little text", "try another page of the site"),
    411: ("the page could not be opened", "see whether it opens in a browser without signing in"),
    429: ("too many requests at a time", "send it again"),
}
#: Why an entry has no answer that names no site.
NO_TARGET: Final = "it is no web address"
#: What the service adds to a page that could not be fetched.
_FETCHED: Final = (
    (r"status 404|status 410", ("the page could not be found", "check the spelling")),
    (r"status 40[13]", ("the site does not let the service in", "try another page of it")),
    (r"status 5\d\d", ("the site itself failed", "try again later")),
    (r"no connection", ("no site answers at this address", "check the spelling")),
)
_SERVER: Final = 500


def question_label(endpoint: str) -> str:
    """Return what a question is called.

    >>> question_label("categorize_content")
    'Topics of the page'
    """
    return QUESTIONS.get(endpoint) or words_of_code(endpoint)


def frame_label(name: str) -> str:
    """Return what a frame is called.

    >>> frame_label("codes")
    'Interests and traits'
    """
    return FRAMES.get(name) or words_of_code(name)


def taxonomy_label(name: str) -> str:
    """Return what the entries of a taxonomy are called within a sentence.

    >>> taxonomy_label("content-v3"), taxonomy_label("purchase_intent")
    ('topics', 'purchase intents')
    """
    return _TAXONOMIES.get(name) or words_of_code(name).lower()


def field_label(name: str) -> str:
    """Return what a field of an answer, a dimension of codes or a column of a frame is called.

    >>> field_label("income_level"), field_label("content-v3"), field_label("legal_name")
    ('Income', 'Topics', 'Legal name')
    """
    return _FIELDS.get(name) or words_of_code(name)


def value_label(field: str, value: str) -> str:
    """Return a field's value in words; a code by its last part.

    >>> value_label("income_level", "upper_middle"), value_label("age_bracket", "35_44"), value_label("x", "a_b")
    ('Upper middle income', '35 to 44 years', 'A b')
    """
    if known := _VALUES.get(field, {}).get(value):
        return known
    if field in _RANGES and (found := _RANGE.fullmatch(value)):
        between, above = _RANGES[field]
        low, high = int(found[1]), found[2]
        if high == "plus":
            return above.format(low - 1 if field == "company_size_employees" else low)
        return above.format(low) if field == "age_bracket" and int(high) == _OLDEST else between.format(low, int(high))
    if field == "industry":
        return value[:1] + value[1:].replace("_", " ")
    return words_of_code(value) + (" income" if field == "income_level" else "")


def status_label(status: int | None, error: str = "") -> str:
    """Return why a site has no answer, of the service's status; `error` is what it says beside.

    >>> status_label(411), status_label(503), status_label(None)
    ('the page could not be opened', 'the service failed', 'no answer came')
    """
    return _status(status, error)[0]


def reason_label(status: int | None, error: str = "", *, is_target: bool = True, is_open: bool = False) -> str:
    """Return why an entry of a list has no answer, in the words of every surface.

    >>> reason_label(411, "the site answered with HTTP status 401"), reason_label(None, is_target=False)
    ('the site does not let the service in', 'it is no web address')
    """
    if not is_target:
        return NO_TARGET
    # What the key or the quota kept from being asked has its status.
    return "it was not asked yet" if is_open and status is None else status_label(status, error)


def status_advice(status: int | None, error: str = "") -> str:
    """Return what to do about a site without an answer.

    >>> status_advice(411, "the site answered with HTTP status 404")
    'check the spelling'
    """
    return _status(status, error)[1]


def failure_words(error: Exception) -> str:
    """Return why a site has no answer and what to do about it, in the words of every surface.

    >>> failure_words(ServiceError(411, detail="URL content could not be fetched: no connection to kites.example"))
    'no site answers at this address: check the spelling.'
    """
    if not isinstance(error, ServiceError):
        return str(error)
    why, advice = _status(error.status, error.detail)
    return f"{why}: {error.detail.rstrip('.') if advice == SEE_DETAILS and error.detail else advice}."


def _status(status: int | None, error: str) -> tuple[str, str]:
    if status is None:
        return "no answer came", "send it again"
    if status >= _SERVER:
        return "the service failed", "send it again later"
    if status == 411:  # noqa: PLR2004 - of the interface's table: the page could not be fetched
        found = (words for pattern, words in _FETCHED if re.search(pattern, error))
        return next(found, _STATUSES[status])
    return _STATUSES.get(status, ("the service refused it", SEE_DETAILS))
