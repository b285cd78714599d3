"""Sentences a person would say: subject first, the number that matters with its base, and what it is compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolkit.findings.insights.tautologies import OWN
from toolkit.frames.schemas import LISTS, SCALARS
from toolkit.interface.text import percentage, rounded
from toolkit.interface.words.places import country_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

__all__ = [
    "PERCENT_FROM",
    "compared",
    "counts",
    "enumerated",
    "group_of",
    "having",
    "is_absence",
    "lowered",
    "named",
    "percent",
    "singular",
    "sites_with",
    "spent",
    "taken",
    "telling_of",
    "value_in_words",
]

#: Beginnings that are no names.
_LOWERED: Final = ("Sites", "All", "None", "Only", "News sites", "Company sites", "Shop listings", "Landing pages")
#: From so many sites on a percentage says more than a count.
PERCENT_FROM: Final = 50
_TWICE: Final = 1.75
#: What a ratio may be off its whole number, as a part of it, and still be called by it.
_EXACT: Final = 0.03
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _words(have: str, that: str) -> Callable[[str], tuple[str, str]]:
    return lambda label: (have.format(label), that.format(label))


#: Of each dimension what sites do that have a value, and how such sites are called.
_PHRASES: Final[dict[str, Callable[[str], tuple[str, str]]]] = {
    "interest_group": _words("reach people interested in {}", "Sites for people interested in {}"),
    "interest": _words("reach people interested in {}", "Sites for people interested in {}"),
    "purchase_intent": _words("reach people about to buy {}", "Sites for buyers of {}"),
    "persona": _words("speak to {}", "Sites that speak to {}"),
    "age_bracket": _words("reach people aged {}", "Sites for people aged {}"),
    "gender_skew": _words("reach {}", "Sites that reach {}"),
    "income_level": _words("reach people of {} income", "Sites for people of {} income"),
    "education_level": _words("reach people with {}", "Sites for people with {}"),
    "household_composition": _words("reach {}", "Sites that reach {}"),
    "life_stage": _words("reach {}", "Sites that reach {}"),
    "employment_status": _words("reach {}", "Sites that reach {}"),
    "home_ownership": _words("reach {}", "Sites that reach {}"),
    "urbanicity": _words("reach {} people", "Sites for {} people"),
    "seniority": _words("reach {} in firms", "Sites for {} in firms"),
    "job_function": _words("reach people in {}", "Sites for people in {}"),
    "industry": _words("reach the industry {}", "Sites for the industry {}"),
    "company_size_employees": _words("reach firms of {} employees", "Sites for firms of {} employees"),
    "audience_type": _words("speak to {}", "Sites that speak to {}"),
    "content_type": _words("are {}", "{}"),
    "reading_level": _words("are written at {} level", "Sites written at {} level"),
    "price_signals": _words("show {}", "Sites that show {}"),
    "content-v3": _words("are about {}", "Sites about {}"),
    "content-v2": _words("are about {}", "Sites about {}"),
    "filtering": _words("are filtered as {}", "Sites filtered as {}"),
    "main category": _words("are mainly about {}", "Sites mainly about {}"),
    "technology kind": _words("use {} technology", "Sites that use {} technology"),
    "technology": _words("use {}", "Sites that use {}"),
    "country": _words("are run from {}", "Sites run from {}"),
    "state": _words("are run from {}", "Sites run from {}"),
    "city": _words("are run from {}", "Sites run from {}"),
    "company industry": _words("belong to companies of the {}", "Sites of companies of the {}"),
    "employee_range": _words("belong to companies of {} employees", "Sites of companies of {} employees"),
    "revenue_range": _words("belong to companies with {} revenue", "Sites of companies with {} revenue"),
    "company_type": _words("belong to {} companies", "Sites of {} companies"),
    "business_model": _words("live by {}", "Sites that live by {}"),
    "funding_status": _words("belong to companies that are {}", "Sites of companies that are {}"),
    "growth_trend": _words("have {} traffic", "Sites with {} traffic"),
    "parent_company": _words("belong to {}", "Sites that belong to {}"),
    "founded_year": _words("belong to companies founded in {}", "Sites of companies founded in {}"),
}
#: Values whose code is no word for them.
_VALUES: Final[dict[tuple[str, str], str]] = {
    ("audience_type", "b2b"): "businesses",
    ("audience_type", "b2c"): "consumers",
    ("audience_type", "mixed"): "consumers and businesses alike",
    ("gender_skew", "strong_female"): "mostly women",
    ("gender_skew", "lean_female"): "somewhat more women",
    ("gender_skew", "balanced"): "women and men alike",
    ("gender_skew", "lean_male"): "somewhat more men",
    ("gender_skew", "strong_male"): "mostly men",
    ("household_composition", "couple"): "couples",
    ("household_composition", "couple_with_children"): "couples with children",
    ("household_composition", "one_person"): "people who live alone",
    ("household_composition", "single_parent_family"): "single-parent families",
    ("household_composition", "multi_generation"): "households of several generations",
    ("household_composition", "shared_household"): "shared households",
    ("employment_status", "full_time"): "people in full-time work",
    ("employment_status", "part_time"): "people in part-time work",
    ("employment_status", "self_employed"): "the self-employed",
    ("employment_status", "homemaker"): "homemakers",
    ("employment_status", "job_seeker"): "job seekers",
    ("employment_status", "student"): "students",
    ("employment_status", "retired"): "the retired",
    ("home_ownership", "owner"): "home owners",
    ("home_ownership", "renter"): "renters",
    ("home_ownership", "with_family"): "people who live with their family",
    ("home_ownership", "mixed"): "owners and renters alike",
    ("urbanicity", "mixed"): "urban and rural",
    ("price_signals", "none"): "no prices",
    ("price_signals", "free"): "free offers",
    ("price_signals", "quote"): "prices on request",
    ("business_model", "affiliate"): "affiliate links",
    ("business_model", "subscription"): "subscriptions",
    ("content_type", "corporate"): "company sites",
    ("content_type", "news"): "news sites",
    ("content_type", "category_page"): "shop listings",
    ("education_level", "some_college"): "some college",
    ("education_level", "bachelor"): "a bachelor's degree",
    ("education_level", "master"): "a master's degree",
    ("education_level", "doctorate"): "a doctorate",
    ("life_stage", "midlife_couple"): "couples in midlife without children at home",
    ("life_stage", "empty_nester"): "empty nesters",
    ("life_stage", "young_single"): "young singles",
    ("life_stage", "young_couple"): "young couples",
    ("life_stage", "newly_married"): "the newly married",
    ("life_stage", "retiree"): "retirees",
    ("seniority", "manager"): "managers",
    ("seniority", "director"): "directors",
    ("seniority", "senior"): "senior staff",
    ("seniority", "entry"): "starters",
    ("seniority", "vice_president"): "vice presidents",
    ("seniority", "c_level"): "C-level executives",
    ("seniority", "owner"): "owners and partners",
}
#: Values that say what is not there, and of the user's own columns their words for it.
_ABSENT: Final = frozenset({("price_signals", "none")})
_NO: Final = frozenset({"no", "none", "false"})
#: Dimensions whose codes are words already, but for their signs.
_CODES_ARE_WORDS: Final = frozenset({"income_level", "urbanicity", "reading_level"})


def value_in_words(dimension: str, code: str, label: str | None) -> str:
    """Return a value as one says it in the middle of a sentence.

    >>> value_in_words("income_level", "upper_middle", None), value_in_words("gender_skew", "lean_male", None)
    ('upper middle', 'somewhat more men')
    >>> value_in_words("country", "AG", None), value_in_words("country", "NL", None)
    ('Antigua and Barbuda', 'the Netherlands')
    >>> value_in_words("content_type", "landing_page", "Landing page"), value_in_words("content_type", "forum", "Forum")
    ('landing pages', 'forum pages')
    """
    if (dimension, code) in _VALUES:
        return _VALUES[dimension, code]
    if dimension == "country":
        return country_name(code)
    bare = not isinstance(label, str) or dimension in _CODES_ARE_WORDS
    word = code.replace("_", " ") if bare else str(label)
    of_service = dimension in SCALARS or dimension in LISTS
    if not of_service:
        return word
    word = word[:1].lower() + word[1:]
    pages = f"{word}s" if word.endswith("page") else f"{word} pages"
    return {"content_type": pages, "price_signals": f"{word} prices"}.get(dimension, word)


#: Of which sites something is known, as one says it after "sites", where that is not "whose country is known".
_TELLING: Final[dict[str, str]] = {
    **dict.fromkeys(("content-v3", "content-v2"), "whose topics are known"),
    **dict.fromkeys(("interest_group", "interest"), "whose interests are known"),
    **dict.fromkeys(("technology", "technology kind"), "whose technologies are known"),
    "filtering": "whose web-filtering categories are known",
    "purchase_intent": "whose purchase intents are known",
    "persona": "whose personas are known",
    "audience_type": "whose kind of audience is known",
    "age_bracket": "whose readers' age is known",
    "gender_skew": "whose readers' gender is known",
    "income_level": "whose readers' income is known",
    "education_level": "whose readers' education is known",
    "household_composition": "whose readers' household is known",
    "life_stage": "whose readers' stage of life is known",
    "employment_status": "whose readers' employment is known",
    "home_ownership": "of which it is known how their readers live",
    "urbanicity": "of which it is known where their readers live",
    "seniority": "whose readers' seniority is known",
    "job_function": "whose readers' job is known",
    "industry": "whose readers' industry is known",
    "company_size_employees": "whose readers' size of company is known",
    "content_type": "whose kind of page is known",
    "price_signals": "whose prices are known",
    "company industry": "whose industry is known",
    "employee_range": "whose number of employees is known",
    "revenue_range": "whose revenue is known",
    "growth_trend": "whose trend of traffic is known",
    "founded_year": "whose year of founding is known",
}


def telling_of(dimension: str) -> str:
    """Return of which sites a dimension is known, as one says it after "sites".

    >>> telling_of("age_bracket"), telling_of("business_model")
    ("whose readers' age is known", 'whose business model is known')
    """
    return _TELLING.get(dimension, f"whose {dimension.replace('_', ' ')} is known")


def having(dimension: str, words: str) -> str:
    """Return what sites do that have a value: ``use Shopify``."""
    if dimension.startswith(OWN):
        return f"have {dimension.removeprefix(OWN)} {words}"
    return _PHRASES.get(dimension, _words("have {}", ""))(words)[0]


def is_absence(dimension: str, code: str) -> bool:
    """Tell whether a value says what is not there: it is told where nothing can be said of what is.

    >>> is_absence("price_signals", "none"), is_absence("own: Newsletter", "No"), is_absence("country", "NO")
    (True, True, False)
    """
    if dimension.startswith(OWN):
        return code.casefold() in _NO
    return (dimension, code) in _ABSENT


def sites_with(dimension: str, words: str) -> str:
    """Return how sites with a value are called: ``Sites that use Shopify``."""
    if dimension.startswith(OWN):
        return f"Sites of {dimension.removeprefix(OWN)} {words}"
    if dimension not in _PHRASES:
        return f"Sites with {dimension.replace('_', ' ')} {words}"
    called = _PHRASES[dimension](words)[1]
    return called[:1].upper() + called[1:]


def group_of(dimension: str, name: str) -> str:
    """Return how the sites of a group are called: ``Travel sites``."""
    if dimension == "audience_type":
        return sites_with(dimension, value_in_words(dimension, name, None))
    if dimension in {"main category", ""} or dimension.startswith(OWN):
        quoted = name if dimension == "main category" or name[:1].isupper() else f"'{name}'"
        return f"{quoted} sites"
    return sites_with(dimension, value_in_words(dimension, name, None))


def counts(k: int, n: int, *, least: int | None = None) -> str:
    """Return how many of how many, as a percentage where there are many: ``7 of 9``, ``63 % of 120``.

    `least` is the smaller of two numbers of sites that are told beside each other.
    """
    return f"{k} of {n}" if (n if least is None else least) < PERCENT_FROM else f"{percent(k / n)} of {n:,}"


def percent(share: float) -> str:
    """Return a share as a percentage, with a decimal only where it is nearly 0 or 1."""
    return percentage(share, 0 if share in {0, 1} or 0.01 <= share <= 0.99 else 1)  # noqa: PLR2004 - nearly 0 or 1


def named(number: int) -> str:
    """Return a number up to ten as a word."""
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def enumerated(names: Sequence[str], most: int = 3) -> str:
    """Return a few names and how many there are besides, which is never one: ``a, b, c and 2 more``."""
    shown = list(names[:most]) if len(names) > most + 1 else list(names)
    rest = len(names) - len(shown)
    words = [*shown, *([f"{rest:,} more"] if rest else [])]
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def compared(who: str, does: str, have: tuple[int, int], others: tuple[int, int], rest: str = "others") -> str:
    """Return a sentence on a group and what it is compared with.

    >>> compared("Travel sites", "reach families", (7, 9), (8, 21))
    'Travel sites reach families twice as often as the others: 7 of 9, against 8 of 21.'
    >>> compared("'Own' sites", "use nginx", (0, 9), (30, 60))
    "None of the 9 'Own' sites use nginx, against 30 of the 60 others."
    """
    (k, n), (other_k, other_n) = have, others
    least = min(n, other_n)
    if k in {0, n}:
        start = f"{'All' if k else 'None of the'} {n:,} {lowered(who)} {does}"
        return f"{start}, against {_how_many(other_k, other_n, least)} of the {other_n:,} {rest}."
    mine, theirs = counts(k, n, least=least), counts(other_k, other_n, least=least)
    if other_k == 0:
        return f"Only {lowered(who)} {does}: {mine}, and none of the {other_n:,} {rest}."
    ratio = k / n * other_n / other_k
    if ratio >= _TWICE:
        how = f"{_times(ratio)} as often as"
    else:
        how = "more often than" if ratio > 1 else f"{'far ' if ratio * _TWICE < 1 else ''}less often than"
    return f"{who} {does} {how} the {rest}: {mine}, against {theirs}."


def singular(does: str) -> str:
    """Return what one site does, of what several do.

    >>> singular("are about Sports"), singular("reach couples"), singular("use Shopify")
    ('is about Sports', 'reaches couples', 'uses Shopify')
    """
    verb, _, rest = does.partition(" ")
    one = {"are": "is", "have": "has"}.get(verb, f"{verb}es" if verb.endswith("ch") else f"{verb}s")
    return f"{one} {rest}".strip()


def taken(sites: int, share: float, name: object) -> str:
    """Return how a sentence ends that says which part of a weight its sites take.

    >>> taken(9, 0.15, "Spend")
    '; those 9 sites take 15 % of the Spend.'
    """
    who = "that one site takes" if sites == 1 else f"those {sites} sites take"
    return f"; {who} {percent(share)} of the {name}."


def spent(about: Mapping[str, Any]) -> str:
    """Return what a weight is called, given what findings say of it: not all of it may stand on answered sites.

    >>> spent({"weight": "Spend"}), spent({"weight": "Spend", "weight_unanswered": 950.0})
    ('Spend', 'Spend on answered sites')
    """
    return f"{about['weight']}{' on answered sites' if about.get('weight_unanswered') else ''}"


def lowered(who: str) -> str:
    """Return how sites are called within a sentence; names keep their capitals."""
    return who[:1].lower() + who[1:] if who.startswith(_LOWERED) else who


def _how_many(k: int, n: int, least: int) -> str:
    if k == 0:
        return "none"
    return f"{k:,}" if least < PERCENT_FROM else percent(k / n)


def _times(ratio: float) -> str:
    whole = max(int(rounded(ratio)), 2)
    if whole >= len(_NUMBERS):
        return "more than ten times"
    about = "" if abs(ratio - whole) <= _EXACT * whole else "nearly " if ratio < whole else "more than "
    return f"{about}{'twice' if whole == 2 else f'{named(whole)} times'}"  # noqa: PLR2004 - a word of its own
