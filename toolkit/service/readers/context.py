"""What kind of page it is: content type, reading level, and price signals."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from toolkit.service.readers.prices import is_listing, price_signals

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page
    from toolkit.service.subjects.content import Scored

__all__ = ["Context", "read_context"]

_GOODS: Final = ("Product", "Vehicle", "Car", "SoftwareApplication", "Course")
_TYPES_BY_DATA: Final = (
    (("Review", "ClaimReview"), "review"),
    (_GOODS, "product_page"),
    (("NewsArticle", "ReportageNewsArticle"), "news"),
    (("HowTo", "Recipe"), "guide"),
    (("BlogPosting", "LiveBlogPosting"), "blog"),
    (("TechArticle", "APIReference"), "documentation"),
    (("Article",), "article"),
    (("Event", "MusicEvent", "SportsEvent", "ScreeningEvent"), "event_page"),
    (("QAPage", "DiscussionForumPosting"), "forum"),
    (("VideoObject", "AudioObject", "ImageGallery", "PodcastEpisode"), "media"),
    (("WebApplication",), "tool"),
    (("DefinedTermSet", "DefinedTerm", "Dataset"), "reference"),
    (("BankAccount", "LoanOrCredit", "MortgageLoan", "CreditCard", "FinancialProduct"), "product_page"),
    (("Service",), "corporate"),
    (("ItemList", "CollectionPage", "OfferCatalog", "ProductCollection"), "category_page"),
    (("NewsMediaOrganization",), "news"),
)
#: What marks a page as a piece with an author and a date.
_ARTICLE_MARKS: Final = ("author", "article:author", "article:published_time", "article:modified_time")
_REVIEWS: Final = r"/(reviews?|compare|comparisons?|best-)"
_MAY_BE_REVIEW: Final = frozenset({"article", "blog", "product_page"})
_TYPES_BY_PATH: Final = (
    (r"/(docs?|documentation|api|developers?|reference-guide)(/|$)", "documentation"),
    (r"/(forum|community|discuss|threads?)(/|$)", "forum"),
    (r"/(help|faqs?|support|how-we-[a-z]+)(/|$)", "guide"),
    (
        r"/(insights?|magazine|articles?|resources|white-?papers?|itinerar(y|ies)|customers|case-stud(y|ies)|features?|interviews?|real-[a-z]+)/",
        "article",
    ),
    (r"/(guides?|how-to|tutorials?|recipes?|advice|learn|grow)(/|$)|checklist|step-by-step", "guide"),
    (_REVIEWS, "review"),
    (r"/(blog|journal|stories|notes)(/|$)", "blog"),
    (r"/(news|politics|local|weather|sport|markets|transfers?)(/|$)", "news"),
    (r"/(events?|showtimes|tickets|calendar|programme)(/|$)", "event_page"),
    (r"/(glossary|encyclopa?edia|dictionary|wiki|reference|lexicon)", "reference"),
    (r"/(products?|item|p)/", "product_page"),
    (
        r"/(category|collections?|shop|catalog(ue)?|listings?|jobs|deals|coupons|offers|rentals|lists)(/|$)",
        "category_page",
    ),
    (r"/(about|contact|team|careers|company|services?|pricing|locations?)(/|$)", "corporate"),
    (r"/(directory|find-a)", "directory"),
    (r"/(videos?|gallery|podcasts?|photos)(/|$)", "media"),
    (r"/(calculator|app)(/|$)", "tool"),
)
#: What a home page is by the structured data about its owner.
_HOMES_BY_DATA: Final = (
    (("Blog",), "blog"),
    (("Store",), "category_page"),
    (("Hotel", "Resort", "Hostel", "Restaurant", "HealthClub", "LocalBusiness"), "corporate"),
)
_CART: Final = re.compile(r"/(?:cart|basket|checkout)(?:[/?.#]|$)", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"[.!?。！？]+[\s\"'”’)]|\n")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_VOWELS: Final = re.compile(r"[aeiouyáàâäãéèêëíìîïóòôöõúùûüœæ]+", re.IGNORECASE)
_LISTING: Final = "a list of items with their prices"
#: What is said of a page whose type nothing tells.
_UNTOLD: Final = ("a text without an address", "a page of a company: no author, date or list of prices")
#: Types of pages that tell of things and offer none: the sums that they mention are nobody's prices.
_TELLING: Final = frozenset({"article", "news", "blog"})
#: Flesch-Kincaid grades above which a text is intermediate, advanced, expert.
_GRADES: Final = ((14.5, "expert"), (11.0, "advanced"), (6.5, "intermediate"))


@dataclass(frozen=True, slots=True)
class Context:
    """The content context block, each value from its enumeration."""

    #: Values of these fields.
    content_type: str
    #: None for a text that is not English.
    reading_level: str | None
    price_signals: str
    #: What decided each field, in words.
    grounds: dict[str, str] = field(default_factory=dict)


def read_context(page: Page, categories: tuple[Scored, ...] = ()) -> Context:
    """Tell what kind of page it is; its content categories (v3) tell what is dear.

    The content type is from structured data, then the path, then the page's make-up; the reading level from the
    Flesch-Kincaid grade (sentence length and syllables), which is measured on English alone and missing for other
    languages; price signals from the prices of goods on offer and their wording.
    """
    content_type, type_ground = _content_type(page)
    level, level_ground = _reading_level(page.text) if page.is_english else (None, "the text is not English")
    tells = content_type in _TELLING and type_ground not in _UNTOLD
    prices, price_ground = price_signals(page, categories, offers=not tells)
    grounds = {"content_type": type_ground, "reading_level": level_ground, "price_signals": price_ground}
    return Context(content_type, level, prices, grounds)


def _content_type(page: Page) -> tuple[str, str]:
    if not page.url:
        return "article", _UNTOLD[0]
    path = urlsplit(page.url).path
    is_home = path in ("", "/")
    told = _type_by_data(page, path, is_home=is_home) or _type_by_path(path)
    if told or is_home:
        return told or _home_type(page)
    return _type_by_marks(page) or ("corporate", _UNTOLD[1])


def _type_by_data(page: Page, path: str, *, is_home: bool) -> tuple[str, str] | None:
    for types, content_type in _TYPES_BY_DATA:
        names = {str(item.get("name")) for item in page.structured(*types)}
        if names and not (is_home and types == _GOODS):
            if types == _GOODS and len(names) > 1:
                return "category_page", "structured data of several products"
            # What is reviewed is described too; the address tells which of the two the page is for.
            if not is_home and content_type in _MAY_BE_REVIEW and re.search(_REVIEWS, path, re.IGNORECASE):
                return "review", "reviews in the address"
            return content_type, f"structured data of a {types[0]}"
    return None


def _type_by_path(path: str) -> tuple[str, str] | None:
    for pattern, content_type in _TYPES_BY_PATH:
        if found := re.search(pattern, path, re.IGNORECASE):
            return content_type, f"{found[0]} in the address"
    return None


def _type_by_marks(page: Page) -> tuple[str, str] | None:
    kind = page.metas.get("og:type", "")
    if kind == "product":
        return "product_page", "og:type product"
    if kind == "article":
        return "article", "og:type article"
    if is_listing(page):
        return "category_page", _LISTING
    if any(page.metas.get(name) for name in _ARTICLE_MARKS) or page.has_article_tags:
        return "article", "marked as an article"
    return None


def _home_type(page: Page) -> tuple[str, str]:
    for types, content_type in _HOMES_BY_DATA:
        if any(True for _ in page.structured(*types)):
            return content_type, f"home page with structured data of a {types[0]}"
    if any(_CART.search(link.address) for link in page.links):
        return "category_page", "home page with a cart"
    if is_listing(page):
        return "category_page", f"home page, {_LISTING}"
    return "corporate", "home page that sells nothing itself"


def _reading_level(text: str) -> tuple[str, str]:
    words = _WORD.findall(text[:20_000])
    if not words:
        return "basic", "no words"
    sentences = max(len(_SENTENCE.findall(text[:20_000] + "\n")), 1)
    syllables = sum(map(_syllables, words))
    grade = 0.39 * len(words) / sentences + 11.8 * syllables / len(words) - 15.59
    level = next((level for least, level in _GRADES if grade >= least), "basic")
    return level, f"school grade {grade:.1f}: {len(words) / sentences:.0f} words a sentence"


# A text repeats most of its words, and another text most of the same.
@lru_cache(maxsize=16_384)
def _syllables(word: str) -> int:
    return max(len(_VOWELS.findall(word)), 1)
