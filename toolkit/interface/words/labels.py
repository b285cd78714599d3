"""The plain names of questions, frames, taxonomies, fields, values and statuses, for every surface.

Codes stay in frames, exports and the texts of segments. A value that is known here is called so wherever somebody reads
it, however a vocabulary labels it; of all others the vocabulary's label comes first.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final

from toolkit.interface.errors import ServiceError
from toolkit.interface.filters.codes import words_of_code

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = [
    "FRAMES",
    "NO_TARGET",
    "QUESTIONS",
    "SEE_DETAILS",
    "ages_label",
    "failure_words",
    "field_label",
    "frame_label",
    "question_label",
    "reason_label",
    "status_advice",
    "status_label",
    "taxonomy_label",
    "value_label",
    "value_words",
    "values_label",
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
    "audience_type": {"b2c": "Consumers", "b2b": "Businesses", "mixed": "Consumers and businesses alike"},
    "gender_skew": {
        "strong_female": "Mostly women",
        "lean_female": "Somewhat more women",
        "balanced": "Women and men alike",
        "lean_male": "Somewhat more men",
        "strong_male": "Mostly men",
    },
    "education_level": {
        "primary": "Primary school",
        "secondary": "Secondary school",
        "vocational": "Vocational training",
        "bachelor": "Bachelor's degree",
        "master": "Master's degree",
    },
    "life_stage": {
        "teenager": "Teenagers",
        "student": "Students",
        "young_single": "Young singles",
        "young_couple": "Young couples",
        "parents_of_infants": "Parents of infants and toddlers",
        "parents_of_children": "Parents of school-age children",
        "parents_of_teens": "Parents of teenagers",
        "single_parent": "Single parents",
        "midlife_single": "Singles in midlife",
        "midlife_couple": "Couples in midlife without children at home",
        "empty_nester": "Empty nesters",
        "retiree": "Retirees",
    },
    "household_composition": {
        "one_person": "People who live alone",
        "couple": "Couples",
        "couple_with_children": "Couples with children",
        "single_parent_family": "Single-parent families",
        "multi_generation": "Households of several generations",
        "shared_household": "Shared households",
    },
    "employment_status": {
        "student": "Students",
        "full_time": "People in full-time work",
        "part_time": "People in part-time work",
        "self_employed": "Self-employed",
        "homemaker": "Homemakers",
        "job_seeker": "Job seekers",
    },
    "home_ownership": {
        "owner": "Home owners",
        "renter": "Renters",
        "with_family": "People who live with their family",
        "mixed": "Owners and renters alike",
    },
    "urbanicity": {"mixed": "Urban and rural"},
    "seniority": {
        "entry": "Starters",
        "senior": "Senior staff",
        "manager": "Managers",
        "director": "Directors",
        "vice_president": "Vice presidents",
        "c_level": "C-level executives",
        "owner": "Owners and partners",
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
        "news": "News site",
        "review": "Review or comparison",
        "fiction": "Fiction or poetry",
        "guide": "Guide or how-to",
        "category_page": "Shop listing",
        "corporate": "Company site",
        "forum": "Forum or community",
        "media": "Video, audio or gallery",
        "tool": "Tool or application",
    },
    "price_signals": {
        "none": "No prices",
        "free": "Free offers",
        "mid_range": "Mid-range",
        "quote": "Prices on request",
    },
}
#: What fields say with numbers: from, to, and from a number on.
_RANGES: Final = {
    "age_bracket": ("{} to {} years", "{} years and over"),
    "company_size_employees": ("{:,} to {:,} employees", "More than {:,} employees"),
}
_RANGE: Final = re.compile(r"(\d{1,6})_(\d{1,6}|plus)")
_BRACKET: Final = re.compile(r"(\d{1,3})_(\d{1,3})")
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


def value_words(field: str, value: str, label: object = None) -> str:
    """Return what a value of a field is called wherever somebody reads it; `label` is the vocabulary's.

    >>> value_words("gender_skew", "balanced", "Balanced"), value_words("seniority", "c_suite", "Top management")
    ('Women and men alike', 'Top management')
    """
    own = label if isinstance(label, str) and label not in {"", value} else value_label(field, value)
    return _VALUES.get(field, {}).get(value, own)


def values_label(field: str, values: Collection[str]) -> str:
    """Return a field's values in words, one after another; ages that follow each other are one.

    >>> values_label("age_bracket", ["45_54", "55_64"]), values_label("gender_skew", ["lean_male"])
    ('45 to 64 years', 'Somewhat more men')
    """
    span = ages_label(values) if field == "age_bracket" else ""
    return span or ", ".join(value_label(field, value) for value in values)


def ages_label(codes: Collection[str]) -> str:
    """Return several ages that follow each other as one, and nothing where they do not.

    >>> ages_label(["35_44", "25_34"]), ages_label(["65_74", "75_99"]), ages_label(["18_24", "35_44"])
    ('25 to 44 years', '65 years and over', '')
    """
    ends = sorted((int(found[1]), int(found[2])) for code in codes if (found := _BRACKET.fullmatch(code)))
    meet = all(before[1] + 1 == after[0] for before, after in itertools.pairwise(ends))
    is_span = len(ends) == len(codes) > 1 and meet
    return value_label("age_bracket", f"{ends[0][0]}_{ends[-1][1]}") if is_span else ""


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
