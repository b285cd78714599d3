"""Who reads a page: demographics and firms, decided by votes for each value."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.vocabulary import INDUSTRIES, service_vocabulary
from toolkit.service.readers.ages import writers_brackets
from toolkit.service.readers.evidence import spoken_words
from toolkit.service.readers.stated import stated_readers
from toolkit.service.readers.votes import (
    AUDIENCE,
    LISTS,
    SCALARS,
    SCALES,
    coverage,
    firm_votes,
    people_votes,
    spoken_values,
)
from toolkit.service.subjects.examples import is_for_work, likely_ages
from toolkit.service.subjects.things import offers_job

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from toolkit.service.pages.parsed import Page
    from toolkit.service.readers.audience import Band
    from toolkit.service.readers.context import Context
    from toolkit.service.readers.votes import Vote
    from toolkit.service.subjects.content import Scored

__all__ = [
    "AT_HOME",
    "Firms",
    "People",
    "bar_of",
    "counted_votes",
    "profile_firms",
    "profile_people",
]

#: Values of a list field are given down to this share of the strongest.
_KEPT_SHARE: Final = 0.5
_KEPT_SHARE_OF_AGES: Final = 0.4
#: Age brackets without one of which an employment status or a life stage contradicts the ages.
_AGES_OF_STATUS: Final = {
    "retired": frozenset({"65_74", "75_99"}),
    "student": frozenset({"13_17", "18_24"}),
    "full_time": frozenset({"18_24", "25_34", "35_44", "45_54", "55_64"}),
}
_AGES_OF_STAGE: Final = {
    "teenager": frozenset({"13_17", "18_24"}),
    "student": frozenset({"13_17", "18_24", "25_34"}),
    "young_single": frozenset({"18_24", "25_34", "35_44"}),
    "young_couple": frozenset({"18_24", "25_34", "35_44"}),
    "newly_married": frozenset({"18_24", "25_34", "35_44"}),
    "expecting_parents": frozenset({"18_24", "25_34", "35_44"}),
    "parents_of_infants": frozenset({"18_24", "25_34", "35_44"}),
    "parents_of_children": frozenset({"25_34", "35_44", "45_54"}),
    "parents_of_teens": frozenset({"35_44", "45_54", "55_64"}),
    "midlife_single": frozenset({"35_44", "45_54", "55_64"}),
    "midlife_couple": frozenset({"35_44", "45_54", "55_64"}),
    "empty_nester": frozenset({"45_54", "55_64", "65_74", "75_99"}),
    "retiree": frozenset({"55_64", "65_74", "75_99"}),
}
#: What contradicts that all readers are of some life stages, by field.
_UNLIKE_STAGES: Final = (
    (
        frozenset({"parents_of_infants", "parents_of_children", "parents_of_teens", "single_parent"}),
        {
            "household_composition": ("one_person", "couple", "shared_household"),
            "employment_status": ("student", "retired"),
        },
    ),
    (
        frozenset({"student", "teenager"}),
        {
            "household_composition": ("couple", "couple_with_children"),
            "employment_status": ("full_time", "retired", "homemaker"),
            "home_ownership": ("owner",),
        },
    ),
    (
        frozenset({"teenager"}),
        {"education_level": ("some_college", "bachelor", "master", "doctorate")},
    ),
    (
        frozenset({"young_single", "midlife_single"}),
        {"household_composition": ("couple", "couple_with_children"), "employment_status": ("retired", "homemaker")},
    ),
    (
        frozenset({"empty_nester", "retiree"}),
        {
            "household_composition": ("couple_with_children", "shared_household"),
            "employment_status": ("student", "homemaker"),
        },
    ),
)
#: Branches about children whom one brings up.
_CHILDREN: Final = (
    *("Attractions > Amusement and Theme Parks", "Attractions > Zoos & Aquariums", "Education > Homeschooling"),
    *("Education > Early Childhood Education", "Education > Primary Education"),
    *("Family and Relationships > Parenting", "Healthy Living > Children's Health", "Genres > Family/Children"),
    *(
        "Shopping > Children's Games and Toys",
        "Style & Fashion > Children's Clothing",
        "Travel > Travel Type > Family Travel",
    ),
)
_RETIREMENT: Final = ("Healthy Living > Senior Health", "Personal Finance > Retirement Planning")
#: Values that are laughable of readers who are not so: words of the page say them, or what it is about means nobody
#: else, and never what is generally known of a subject's readers.
_ONLY_WORDED: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("age_bracket", "13_17"): (),
    ("age_bracket", "75_99"): _RETIREMENT,
    ("life_stage", "student"): (),
    ("life_stage", "teenager"): (),
    ("life_stage", "newly_married"): ("Personal Celebrations & Life Events > Wedding",),
    ("life_stage", "parents_of_infants"): _CHILDREN,
    ("life_stage", "parents_of_children"): _CHILDREN,
    ("life_stage", "parents_of_teens"): _CHILDREN,
    ("life_stage", "single_parent"): (),
    ("life_stage", "retiree"): _RETIREMENT,
    ("household_composition", "couple_with_children"): _CHILDREN,
    ("household_composition", "one_person"): ("Family and Relationships > Single Life",),
    ("household_composition", "shared_household"): (),
    ("employment_status", "student"): (),
    ("employment_status", "homemaker"): (),
    ("employment_status", "retired"): _RETIREMENT,
    ("education_level", "secondary"): (),
    ("education_level", "vocational"): ("Careers > Apprenticeships", "Careers > Vocational Training"),
    ("home_ownership", "renter"): ("Real Estate > Apartments", "Real Estate > Real Estate Renting and Leasing"),
    ("home_ownership", "with_family"): (),
    ("urbanicity", "rural"): (
        *("Business and Finance > Industries > Agriculture", "Pets > Large Animals", "Real Estate > Land and Farms"),
    ),
}
#: What the whole of a subject does not tell of readers where none of its parts does: fashion is for all sexes
#: and ages.
_OF_ANYBODY: Final = frozenset({"Style & Fashion"})
#: Kinds of votes that the page itself casts.
_OF_THE_PAGE: Final = ("words", "stated")
#: Words by which a page is for those who have children with them, in two places, and who these are not.
_WITH_CHILDREN: Final = (
    *("kids", "children", "your child", "our child", "my child", "toddler", "my son", "my daughter", "our son"),
    *("our daughter", "family-friendly", "family friendly", "for families", "little ones", "grandchildren"),
)
_LEAST_PLACES: Final = 2
_CHILDLESS: Final = {
    "life_stage": ("young_single", "young_couple", "newly_married", "midlife_couple", "empty_nester"),
    "household_composition": ("one_person", "couple", "shared_household"),
}
#: Words of those who begin and of those who have done, which in two places are said of no other readers, and the ages
#: of which one must be given then: what only a subject lets expect says nothing against them.
_OF_AN_AGE: Final = (
    (
        (
            *("student", "undergraduate", "university", "campus", "freshman", "sixth form", "school leaver", "teen"),
            *("teenager", "first job", "first salary", "first flat", "first apartment", "gap year", "young adult"),
            *("young people", "early twenties", "late twenties", "your twenties", "my twenties", "in her twenties"),
            *("internship", "graduate scheme", "matric", "gen z"),
        ),
        frozenset({"13_17", "18_24"}),
    ),
    (
        (
            *("retired", "retiree", "pensioner", "grandchild", "grandchildren", "grandson", "granddaughter"),
            *("grandparent", "grandma", "grandad", "grandpa", "older adult", "older people", "elderly", "care home"),
            *("your seventies", "my seventies", "your sixties", "my sixties", "seniors"),
        ),
        frozenset({"55_64", "65_74", "75_99"}),
    ),
)
#: How likely people of an age must be among the readers of pages that are worded so, to be expected.
_LIKELY: Final = 0.6
#: Ages of those who have children with them.
_WITH_CHILDREN_AGED: Final = frozenset({"25_34", "35_44", "45_54"})
#: Words of those who have somebody, and what they are not.
_IN_A_COUPLE: Final = ("boyfriend", "girlfriend", "my husband", "my wife", "my partner", "your partner", "fiance")
_ALONE: Final = {"life_stage": ("young_single", "midlife_single"), "household_composition": ("one_person",)}
#: Fields of which words for another value speak against the one that only a subject lets expect, in however few places.
_OPPOSED: Final = ("home_ownership", "income_level", "household_composition", "employment_status")
#: Degrees, and how pages read that are written for everybody, or for the few who have one: that the readers have one is
#: not said for the subject alone of those, nor of what private people can read.
_SCHOOLING: Final = "education_level"
_DEGREES: Final = ("bachelor", "master", "doctorate")
_READ_BY_ALL: Final = "basic"
_READ_BY_FEW: Final = ("advanced", "expert")
#: Values that leave it open.
_OPEN: Final = ("mixed",)
#: What those who read a page for their firm are at home and earn, and that they have work, which goes without saying.
AT_HOME: Final = ("employment_status", "income_level", "life_stage", "household_composition", "home_ownership")
#: Who reads it at work.
_AT_WORK: Final = ("seniority", "job_function")
#: What must speak for a value that only categories speak for, and for one that words or prices of the page do, too.
_SURE_PRIOR: Final = 0.65
_SURE_WORDS: Final = 0.3
#: Certainty of categories with known readers from which demographics are of high and of medium confidence, and the
#: fields that words of the page must support.
_HIGH_COVER: Final = 0.7
_MEDIUM_COVER: Final = 0.35
_WORDED_FOR_HIGH: Final = 2
#: Different words that speak for a field with confidence.
_WORDS_OF_FIELD: Final = 2
_B2B_SURE: Final = 0.72
#: Certainty of a category from which a firm's readers are of its industry.
_INDUSTRY_SURE: Final = 0.5
_B2B_MIXED: Final = 0.51


@dataclass(frozen=True, slots=True)
class People:
    """The demographics block: field to value or values, and its confidence.

    A value that only the page's categories speak for is given where they are sure. Confidence is ``high`` where words
    of the page, two different ones for each, support at least two of the fields and categories with known readers
    cover 70 % of its certainty, ``medium`` where words support one and these cover 35 %, where categories alone cover
    70 %, or where the page states something of its readers, else ``low``.
    """

    values: dict[str, str | list[str] | None]
    confidence: Band


@dataclass(frozen=True, slots=True)
class Firms:
    """The B2B block and what it says of the audience as a whole: ``b2b``, ``mixed`` or ``b2c``."""

    audience_type: str
    company_size: str | None
    seniority: list[str]
    job_function: list[str]
    industry: list[str]
    confidence: Band


def profile_people(page: Page, categories: tuple[Scored, ...], context: Context, audience: str = "b2c") -> People:
    """Describe the readers of a page in every field of the demographics block; missing where nothing is known.

    What the page states of whom it is for is given, and what contradicts it is left out (`stated.py`).
    Luxury and budget prices shift the income. A degree that only the subject lets expect is said of the readers of what
    is hard to read alone, or worded for people at work, and not plainly. How those live at home who read a page for
    their firm (an audience of ``b2b``), what they earn, and that they work, is not said.
    """
    stated = stated_readers(page)
    cast = counted_votes(page, categories, context)
    votes = _sure_votes(cast)
    if "age_bracket" not in stated.values:
        _leave_out(votes, "age_bracket", votes["age_bracket"].keys() - writers_brackets(page))
    if audience == "b2b":
        _leave_out(votes, "age_bracket", votes["age_bracket"].keys() - _AGES_OF_STATUS["full_time"])
    worded = {(vote.field, vote.value) for vote in cast if vote.kind in _OF_THE_PAGE}
    _fit_ages(votes, worded)
    if all(name != "age_bracket" for name, _ in worded):
        _leave_out(votes, "age_bracket", votes["age_bracket"].keys() - _unopposed(page, votes["age_bracket"]))
    ages = _ages(votes["age_bracket"], stated.values.get("age_bracket", ()))
    if ages:
        for name, rule in (("employment_status", _AGES_OF_STATUS), ("life_stage", _AGES_OF_STAGE)):
            _leave_out(votes, name, (value for value, fitting in rule.items() if fitting.isdisjoint(ages)))
    if audience == "b2b":
        for name in AT_HOME:
            votes[name].clear()
    stages = _strongest(votes["life_stage"], LISTS["life_stage"])
    _fit_lives(votes, stages)
    values: dict[str, str | list[str] | None] = {"age_bracket": ages, "life_stage": stages}
    values |= {name: _decided(name, votes[name]) for name in SCALARS}
    spoken = spoken_values(page) | worded
    expected = [name for name in _OPPOSED if (name, values[name]) not in worded]
    values |= {name: None for name in expected if _is_opposed(name, values[name], spoken)}
    if "gender_skew" not in stated.values and _is_contradicted(cast, values["gender_skew"]):
        values["gender_skew"] = "balanced"
    told = [vote for vote in cast if vote.kind in _OF_THE_PAGE and _is_given(values[vote.field], vote.value)]
    # One statement says several fields, and so does one word.
    fields = {vote.field if vote.kind == "words" else "stated" for vote in told}
    words = {word for vote in told for word in vote.text.split(", ")}
    band = _cover_band(coverage(page, categories), min(len(fields), len(words) // _WORDS_OF_FIELD))
    return People(values, "medium" if band == "low" and "stated" in fields else band)


def _leave_out(votes: Mapping[str, dict[str, float]], name: str, values: Iterable[str]) -> None:
    """Leave out values of a field."""
    for value in values:
        votes[name].pop(value, None)


def _fit_ages(votes: Mapping[str, dict[str, float]], worded: Collection[tuple[str, str]]) -> None:
    """Leave out ages that only categories expect where they contradict a life stage that the page says."""
    stages = {value for name, value in worded if name == "life_stage"} & votes["life_stage"].keys()
    told = [rule for value, rule in _AGES_OF_STAGE.items() if value in stages]
    if told and all(name != "age_bracket" for name, _ in worded):
        _leave_out(votes, "age_bracket", votes["age_bracket"].keys() - frozenset[str]().union(*told))


def _unopposed(page: Page, expected: Mapping[str, float]) -> frozenset[str]:
    """Return the ages that a subject lets expect and against which a page says nothing; none if it does the surest."""
    unlikely = {bracket for bracket, likely in likely_ages(page).items() if likely < _LIKELY}
    if max(expected, key=lambda bracket: expected[bracket], default="") in unlikely:
        return frozenset()
    ages = expected.keys() - unlikely
    if _is_with_children(page):
        ages &= _WITH_CHILDREN_AGED
    for (_, own), spoken in zip(_OF_AN_AGE, spoken_words(page, tuple(words for words, _ in _OF_AN_AGE)), strict=True):
        if spoken.places >= _LEAST_PLACES and ages.isdisjoint(own):
            return frozenset()
    return frozenset(ages)


def _fit_lives(votes: Mapping[str, dict[str, float]], stages: Collection[str]) -> None:
    """Leave out how people live who are in none of the life stages that are given."""
    for alike, unlike in _UNLIKE_STAGES if stages else ():
        if alike.issuperset(stages):
            for name, others in unlike.items():
                _leave_out(votes, name, others)


def counted_votes(page: Page, categories: tuple[Scored, ...], context: Context) -> list[Vote]:
    """Return what speaks for values of the demographics block and is believed, each kept by all rules."""
    stated = stated_readers(page)
    cast = [
        vote
        for vote in people_votes(page, categories, context)
        if vote.kind in _OF_THE_PAGE or vote.text.startswith(_ONLY_WORDED.get((vote.field, vote.value), ""))
    ]
    cast = [vote for vote in cast if stated.allows(vote.field, vote.value)]
    for field in ("gender_skew", "life_stage", "age_bracket"):
        if {vote.text for vote in cast if vote.field == field} <= _OF_ANYBODY:
            cast = [vote for vote in cast if vote.field != field]
    level = context.reading_level
    is_of_the_learned = level in _READ_BY_FEW or (level != _READ_BY_ALL and is_for_work(page))
    if not is_of_the_learned and _decided(_SCHOOLING, _counted(cast)[_SCHOOLING]) in _DEGREES:
        cast = [vote for vote in cast if vote.field != _SCHOOLING or vote.kind in _OF_THE_PAGE]
    for is_so, unlike in ((_is_with_children(page), _CHILDLESS), (_is_in_a_couple(page), _ALONE)):
        if is_so:
            cast = [v for v in cast if v.kind in _OF_THE_PAGE or v.value not in unlike.get(v.field, ())]
    return cast


def bar_of(field: str, votes: Iterable[Vote]) -> tuple[float, float]:
    """Return what speaks for a field of the demographics block, and what must, for one of its values to be given."""
    cast = [vote for vote in votes if vote.field == field]
    values = _counted(cast)[field]
    if not values:
        return 0.0, _SURE_PRIOR
    strongest = max(values, key=lambda value: (values[value], value))
    is_worded = any(vote.kind != "prior" and (field in SCALES or vote.value == strongest) for vote in cast)
    weight = sum(values.values()) if field in SCALES else values[strongest]
    return weight, _SURE_WORDS if is_worded else _SURE_PRIOR


def _sure_votes(cast: Iterable[Vote]) -> defaultdict[str, defaultdict[str, float]]:
    """Return the votes of each field that has enough of them; of a scale all count, of other fields the strongest."""
    cast = tuple(cast)
    votes = _counted(cast)
    for field, values in votes.items():
        weight, bar = bar_of(field, cast)
        if weight < bar:
            values.clear()
    return votes


# Votes ask, and which ages are expected.
@lru_cache(maxsize=16)
def _is_with_children(page: Page) -> bool:
    """Tell whether a page is for those who have children with them, as it says in several places."""
    return next(spoken_words(page, (_WITH_CHILDREN,))).places >= _LEAST_PLACES


def _is_in_a_couple(page: Page) -> bool:
    """Tell whether a page is of those who have somebody, as it says in several places."""
    return next(spoken_words(page, (_IN_A_COUPLE,))).places >= _LEAST_PLACES


def _is_opposed(field: str, value: object, spoken: Collection[tuple[str, str]]) -> bool:
    """Tell whether a page says words for another value of a field than the one that only its subject lets expect."""
    return value is not None and value not in _OPEN and any(n == field and other != value for n, other in spoken)


def _is_contradicted(cast: Iterable[Vote], skew: object) -> bool:
    """Tell whether words of a page name the other sex than its readers are generally known to be."""
    named = {
        vote.value.removeprefix("strong_") for vote in cast if vote.kind == "words" and vote.field == "gender_skew"
    }
    return len(named) == 1 and isinstance(skew, str) and skew.rpartition("_")[2] not in {*named, "balanced"}


def _is_given(held: str | list[str] | None, value: str) -> bool:
    return value in held if isinstance(held, list) else value == held


def profile_firms(page: Page, categories: tuple[Scored, ...]) -> Firms:
    """Tell whether a page speaks to firms, and to whom in which.

    A page that states that it sells to the trade is ``b2b``, one for those of a profession ``mixed`` at least, and a
    vacancy at most: who looks for work is no firm. For an audience of private people the lists are empty and the
    confidence is ``low``; of a mixed one only what the page states of its readers is given: whom at work its subject
    lets expect is often mistaken there.
    """
    cast = firm_votes(page, categories)
    votes = _counted(cast)
    addressed = sum(vote.weight for vote in cast if (vote.kind, vote.field, vote.value) == ("words", AUDIENCE, "b2b"))
    firms, people = votes[AUDIENCE]["b2b"], votes[AUDIENCE]["b2c"]
    likened = sum(vote.weight for vote in cast if vote.kind == "likened" and vote.value == "b2b")
    share, told = (weight / (weight + people) for weight in (firms, firms - likened))
    stated = {vote.value for vote in cast if (vote.kind, vote.field) == ("stated", AUDIENCE)}
    if share < _B2B_MIXED and not stated:
        return Firms("b2c", None, [], [], [], "low")
    if share < _B2B_SURE and told < _B2B_MIXED and not stated:
        return Firms("mixed", None, [], [], [], "low")
    if "b2b" not in stated and (share < _B2B_SURE or offers_job(page)):
        seniority, job_function = ([*stated_readers(page).values.get(name, ())][:3] for name in _AT_WORK)
        return Firms("mixed", None, seniority, job_function, [], "low")
    confidence: Band = "high" if share >= 0.8 and addressed >= 0.6 else "medium"  # noqa: PLR2004
    sizes = _strongest(votes["company_size_employees"], 1)
    return Firms(
        audience_type="b2b",
        company_size=sizes[0] if sizes else None,
        seniority=_strongest(votes["seniority"], 3),
        job_function=_strongest(votes["job_function"], 3),
        industry=_industries(categories),
        confidence=confidence,
    )


def _counted(votes: Iterable[Vote]) -> defaultdict[str, defaultdict[str, float]]:
    found: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for vote in votes:
        found[vote.field][vote.value] += vote.weight
    return found


def _strongest(votes: Mapping[str, float], most: int) -> list[str]:
    ranked = sorted(votes.items(), key=lambda item: (-item[1], item[0]))[:most]
    return [value for value, weight in ranked if weight >= _KEPT_SHARE * ranked[0][1] and weight > 0]


def _ages(votes: Mapping[str, float], stated: Collection[str] = ()) -> list[str]:
    """Return the strongest age bracket, another beside it, and more while they are strong: they are one run.

    What is stated is given, whether it is one or several.
    """
    brackets = list(service_vocabulary().values["age_bracket"])
    if not votes or not (best := max(votes.values())):
        return []
    first = last = max(range(len(brackets)), key=lambda position: votes.get(brackets[position], 0.0))
    while last - first + 1 < LISTS["age_bracket"]:
        beside = {
            position: votes.get(brackets[position], 0.0)
            for position in (first - 1, last + 1)
            if position in range(len(brackets))
        }
        position = max(beside, key=lambda found: (beside[found], -abs(2 * found - len(brackets))))
        # Of what nothing speaks for, no reason could be told.
        if not beside[position] or (beside[position] < _KEPT_SHARE_OF_AGES * best and (first < last or stated)):
            break
        first, last = min(first, position), max(last, position)
    return [name for at, name in enumerate(brackets) if first <= at <= last or name in stated]


def _decided(name: str, votes: Mapping[str, float]) -> str | None:
    if not votes or not sum(votes.values()):
        return None
    if name not in SCALES:
        return _strongest(votes, 1)[0]
    scale = list(service_vocabulary().values[name])
    mean = sum(scale.index(value) * weight for value, weight in votes.items()) / sum(votes.values())
    return scale[math.floor(mean + 0.5)]


def _cover_band(covered: float, worded: int) -> Band:
    if covered >= _HIGH_COVER and worded >= _WORDED_FOR_HIGH:
        return "high"
    return "medium" if covered >= _HIGH_COVER or (covered >= _MEDIUM_COVER and worded) else "low"


def _industries(categories: Iterable[Scored]) -> list[str]:
    taxonomy = Taxonomy.load("content-v3")
    top = taxonomy.by_path(INDUSTRIES).id
    found: dict[str, float] = {}
    for category in categories:
        for step in (*taxonomy.ancestors(category.id), taxonomy[category.id]):
            if step.parent == top and category.confidence >= _INDUSTRY_SURE:
                found[step.name] = max(found.get(step.name, 0.0), category.confidence)
    return _strongest(found, 3)
