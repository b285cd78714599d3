"""What a page offers, goods or services, and the purchase intents that follow from what it is surely about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import count_terms, knowledge_rows, words_of
from toolkit.service.readers.kinds.content_type import FIELDS, PRICE_LIST, content_type, is_report
from toolkit.service.readers.stated import stated_readers
from toolkit.service.readers.support import lineage, sure
from toolkit.service.subjects.notices import is_fine_print, is_notice
from toolkit.service.subjects.site_words import is_errand
from toolkit.service.subjects.stories import states_opinion
from toolkit.service.subjects.things import OF_JOBS, offers_program
from toolkit.service.subjects.translation import understood
from toolkit.service.subjects.wording import quotes_sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolkit.service.pages.parsed import Page
    from toolkit.service.subjects.content import Scored

__all__ = ["is_shop", "may_tempt", "means_to_buy", "offered", "offered_codes", "offers_below", "offers_of", "withheld"]

#: Words by which a page that offers nothing is for those who mean to buy.
_BUYING: Final = frozenset(
    (
        *("buy", "buyer", "buying", "price", "priced", "cost", "cheap", "cheaper", "cheapest", "deal", "shop"),
        *("shopping", "compare", "comparison", "budget", "afford", "affordable", "for sale", "quote", "upgrade"),
        *("worth", "which one", "should i get", "value for money", "switch", "dealer", "retailer", "better"),
        *("compared", "versus", "vs"),
    )
)
_LEAST_OF_BUYING: Final = 2
#: What each kind of page offers; who reads a review means to buy what is reviewed.
_OFFERED_BY_KIND: Final = {
    "product_page": ("goods",),
    "category_page": ("goods",),
    "review": ("goods", "services"),
    "corporate": ("services",),
    "landing_page": ("services",),
    "event_page": ("services",),
}
_OF_GOODS: Final = ("product_page", "category_page")
_NONE: Final = "none"
#: Share of a main category's certainty from which a part of it is likely.
_LIKELY_PART: Final = 0.4
#: Main categories of which services are reviewed; of others it is goods.
_VISITED: Final = ("Attractions", "Entertainment", "Fine Art", "Food & Drink", "Travel")
#: Kinds of pages that explain what one has, and tempt nobody to buy it.
_EXPLAINING: Final = ("documentation", "reference", "tool")
#: And kinds that may be a report of a trade or of a market, which names no day.
_OF_THE_PRESS: Final = ("article", "guide")
#: Addresses at which those are helped who have bought already, and where the dead are remembered.
_NOT_TEMPTING: Final = re.compile(
    r"^https?://(?:help|support|faqs?)\.|/(?:help|faqs?|support|obituar(?:y|ies))(?:/|$)", re.IGNORECASE
)
#: What nobody reads of with a purchase in mind, unless it is offered.
_NO_WISHES: Final = (
    *("Crime", "Disasters", "Family and Relationships > Bereavement", "Family and Relationships > Divorce"),
    *("Healthy Living > Smoking Cessation", "Law", "Medical Health", "Politics", "Pop Culture > Celebrity Deaths"),
    *("Personal Celebrations & Life Events > Funeral", "Sensitive Topics", "War and Conflicts"),
)
#: Intents of what is done for private people, and interests of their private lives.
_FOR_PRIVATE_PEOPLE: Final = (
    *("PI.ARTS_AND_ENTERTAINMENT", "PI.BEAUTY_SERVICES", "PI.FAMILY_AND_PARENTING", "PI.FOOD_AND_BEVERAGE_SERVICES"),
    *("PI.LIFE_EVENTS", "PI.PET_SERVICES", "PI.RECREATION_AND_FITNESS_ACTIVITIES", "PI.TRAVEL_AND_TOURISM.HOTELS"),
    *("PI.HEALTH_AND_MEDICAL_SERVICES", "PI.AUTOMOTIVE_SERVICES", "PI.TRAVEL_AND_TOURISM.SPAS"),
    *("INT.FAMILY_AND_RELATIONSHIPS", "INT.PERSONAL_FINANCE"),
)
#: Intents of those who buy a program.
_OF_PROGRAMS: Final = (
    "PI.APPS",
    "PI.BUSINESS_AND_INDUSTRIAL",
    "PI.FINANCE_AND_INSURANCE",
    "PI.SOFTWARE",
    "PI.WEB_SERVICES",
)
#: Interests of those who follow the news: the law and the weather are among them, and whoever has a will to make or
#: looks up the tides follows none. What those live through whom somebody serves they do not follow either.
_OF_THE_NEWS: Final = ("INT.NEWS_AND_POLITICS.LAW", "INT.NEWS_AND_POLITICS.WEATHER")
_LIVED_THROUGH: Final = ("INT.NEWS_AND_POLITICS.CRIME", "INT.NEWS_AND_POLITICS.DISASTERS")
#: The kind of pages that are read for what they tell themselves, and interests of who watches such things.
_OF_TELLING: Final = "fiction"
_OF_SCREENS: Final = ("INT.MOVIES", "INT.TELEVISION")
#: The kind of pages that show how something is done, and intents of what others do for those who do not do it.
_OF_DOING: Final = "guide"
_DONE_ONESELF: Final = ("PI.AUTOMOTIVE_SERVICES", "PI.FOOD_AND_BEVERAGE_SERVICES")
#: Different words of a distress that a page says which tells of it, with the title's and without.
_TITLED: Final = 2
_UNTITLED: Final = 3


@dataclass(frozen=True, slots=True)
class _Distress:
    """Words of people in distress, those of a title that mean something else, and what is not sold to them."""

    words: frozenset[str]
    unless: re.Pattern[str] | None
    never: tuple[str, ...]
    unoffered: tuple[str, ...]


def offered(page: Page) -> tuple[str, ...]:
    """Return what a page offers: ``goods``, ``services``, both or nothing."""
    kind, ground = content_type(page)
    if is_notice(page) or is_fine_print(page) or ground == FIELDS or (kind not in _OF_GOODS and is_errand(page)):
        return ()
    # A workshop, a room or a treatment is sold as goods are; jobs are no goods.
    if kind in _OF_GOODS and (page.selling.is_booked or OF_JOBS.search(page.url)):
        return ("services",)
    return _OFFERED_BY_KIND.get(kind, ())


def is_shop(page: Page) -> bool:
    """Tell whether a page is of things that are sold, one or many."""
    return content_type(page)[0] in _OF_GOODS


def means_to_buy(page: Page) -> bool:
    """Tell whether a page that offers nothing is for those who mean to buy, as it says more than once."""
    return sum(count_terms(_BUYING, *understood(page).stated).values()) >= _LEAST_OF_BUYING


def may_tempt(page: Page, categories: Iterable[Scored]) -> tuple[Scored, ...]:
    """Return the categories of which a page that offers nothing may make its readers buy something."""
    kind = content_type(page)[0]
    if kind in _EXPLAINING or _NOT_TEMPTING.search(page.url) or is_fine_print(page) or is_errand(page):
        return ()
    if states_opinion(page) or (kind in _OF_THE_PRESS and quotes_sources(page)):
        return ()
    return tuple(category for category in categories if not category.path.startswith(_NO_WISHES))


# Interests, intents and personas are withheld for the same reasons.
@lru_cache(maxsize=16)
def withheld(page: Page) -> tuple[str, ...]:
    """Return the codes, or how they begin, and the personas that are not said of the readers of a page.

    Where it states that it is for firms, what is done for private people is what its readers sell. Who reads how bread
    is baked goes to no baker, who reads a western watches none, and who needs a lawyer follows no trials. To those in
    distress much is not sold.
    """
    refused: list[tuple[str, ...]] = []
    if not (is_report(page) or quotes_sources(page)):
        refused.append(_OF_THE_NEWS)
    if "services" in offered(page):
        refused.append(_LIVED_THROUGH)
    if offers_program(page):
        refused.append(_of_no_program())
    if "b2b" in stated_readers(page).values.get("audience_type", ()):
        refused.append(_FOR_PRIVATE_PEOPLE)
    kind = content_type(page)[0]
    if kind == _OF_DOING:
        refused.append(_DONE_ONESELF)
    if kind == _OF_TELLING:
        refused.append(_OF_SCREENS)
    return tuple(dict.fromkeys(name for names in (*refused, *_withheld_in_distress(page)) for name in names))


def _withheld_in_distress(page: Page) -> list[tuple[str, ...]]:
    """Return what is not said of readers in each distress of which a page tells (`distress.tsv`).

    It tells of one in its title and in another word, or in three different words. What it offers itself may be sold.
    """
    read, words = understood(page), _words_of_distress()
    said = count_terms(words, *read.stated).keys()
    # Most pages say hardly a word of any.
    if len(said) < _TITLED:
        return []
    titled = count_terms(words, read.title).keys()
    found = [
        distress
        for distress in _distresses()
        if len(said & distress.words) >= (_UNTITLED if titled.isdisjoint(distress.words) else _TITLED)
        and not (distress.unless and distress.unless.search(page.title))
    ]
    return [distress.never if offered(page) else distress.never + distress.unoffered for distress in found]


def offered_codes(page: Page, categories: Iterable[Scored]) -> Iterator[tuple[str, ...]]:
    """Yield the intents of what a page offers, for each part that it is surely about: the one expected, then others.

    They are those of the nearest category for which the knowledge names any (`offers.tsv`); ``none`` comes first where
    only words tell. Of shops the likeliest part of a sure main category counts, too: they have few words.
    """
    found = tuple(categories)
    offers = offered(page)
    certain = sure(found)
    parts = certain + (_likeliest(found) if is_shop(page) else ())
    # A list of prices alone may be that of a dentist.
    is_sure = content_type(page)[1] != PRICE_LIST
    above = {step for category in parts for step in lineage(category.id) if step != category.id}
    for category in dict.fromkeys(parts) if offers else ():
        if category.id not in above:
            offer = offers[-1] if category.path.startswith(_VISITED) else offers[0]
            named = [row for step in lineage(category.id) if (row := _offers_by_category()[offer].get(step, ()))]
            # What a mere likely part leaves to words, its whole may let expect.
            is_open = category not in certain and named and named[0][0] == _NONE
            following = next((row for row in named if not is_open or row[0] != _NONE), named[0] if named else ())
            yield following if is_sure else (_NONE, *following)


def offers_below(page: Page, categories: Iterable[Scored]) -> frozenset[str]:
    """Return the intents that follow from categories or what is above them, of what a page offers."""
    steps = frozenset(step for category in categories for step in lineage(category.id))
    return frozenset(
        code for offer in offered(page) for step in steps for code in _offers_by_category()[offer].get(step, ())
    )


def _likeliest(categories: tuple[Scored, ...]) -> tuple[Scored, ...]:
    """Return of each main category its likeliest part, step by step as far as one is likely."""
    found = []
    for main in categories:
        if main.tier == 1:
            within = [part for part in categories if part.confidence >= _LIKELY_PART * main.confidence]
            part = main
            while below := [step for step in within if step.tier == part.tier + 1 and part.id in lineage(step.id)]:
                part = max(below, key=attrgetter("confidence"))
            found.append(part)
    return tuple(found)


@cache
def _of_no_program() -> tuple[str, ...]:
    """Return the groups of intents of those who buy something else than a program."""
    groups = {row["code"] for row in knowledge_rows("purchase_intent.tsv") if row["code"].count(".") == 1}
    return tuple(sorted(groups.difference(_OF_PROGRAMS)))


@cache
def offers_of(codes: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """Return what each purchase intent is bought as, goods or services; nothing of one that no category offers."""
    following = {
        offer: frozenset(chain.from_iterable(offers.values())) for offer, offers in _offers_by_category().items()
    }
    return tuple(frozenset(offer for offer, offers in following.items() if code in offers) for code in codes)


@cache
def _offers_by_category() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the intents of goods and of services that follow from each category."""
    taxonomy = Taxonomy.load("content-v3")
    return {
        offer: {taxonomy.by_path(row["path"]).id: listed(row[offer]) for row in knowledge_rows("offers.tsv")}
        for offer in ("goods", "services")
    }


@cache
def _distresses() -> tuple[_Distress, ...]:
    return tuple(
        _Distress(
            frozenset(" ".join(words_of(word)) for word in listed(row["words"])),
            re.compile(row["unless"], re.IGNORECASE) if row["unless"] else None,
            listed(row["never"]),
            listed(row["unoffered"]),
        )
        for row in knowledge_rows("distress.tsv")
    )


@cache
def _words_of_distress() -> frozenset[str]:
    return frozenset().union(*(distress.words for distress in _distresses()))
