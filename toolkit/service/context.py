"""What kind of page it is: content type, reading level and price signals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from toolkit.service.pages import Page

__all__ = ["Context", "read_context"]

_TYPES_BY_DATA: Final = (
    (("Review", "ClaimReview"), "review"),
    (("Product", "Vehicle", "Car"), "product_page"),
    (("NewsArticle", "ReportageNewsArticle"), "news"),
    (("HowTo", "Recipe", "Course"), "guide"),
    (("BlogPosting", "LiveBlogPosting"), "blog"),
    (("TechArticle", "APIReference"), "documentation"),
    (("Article",), "article"),
    (("Event", "MusicEvent", "SportsEvent", "ScreeningEvent"), "event_page"),
    (("QAPage", "DiscussionForumPosting"), "forum"),
    (("VideoObject", "AudioObject", "ImageGallery", "PodcastEpisode"), "media"),
    (("SoftwareApplication", "WebApplication"), "tool"),
    (("DefinedTermSet", "DefinedTerm", "Dataset"), "reference"),
    (("ItemList", "CollectionPage", "OfferCatalog", "ProductCollection"), "category_page"),
    (("NewsMediaOrganization",), "news"),
)
_TYPES_BY_PATH: Final = (
    (r"/(docs?|documentation|api|developers?|reference-guide)(/|$)", "documentation"),
    (r"/(forum|community|discuss|threads?)(/|$)", "forum"),
    (r"/(guides?|how-to|tutorials?|recipes?|advice|learn)(/|$)", "guide"),
    (r"/(reviews?|compare|comparisons?|best-)", "review"),
    (r"/(blog|journal|stories|notes)(/|$)", "blog"),
    (r"/(news|politics|local|weather|sport|markets|transfers?)(/|$)", "news"),
    (r"/(events?|showtimes|tickets|calendar|programme)(/|$)", "event_page"),
    (r"/(glossary|encyclopa?edia|dictionary|wiki|reference|lexicon)", "reference"),
    (r"/(products?|item|p)/", "product_page"),
    (r"/(category|collections?|shop|catalog(ue)?|listings?|jobs)(/|$)", "category_page"),
    (r"/(about|contact|team|careers|company|services?|pricing|locations?)(/|$)", "corporate"),
    (r"/(directory|find-a)", "directory"),
    (r"/(videos?|gallery|podcasts?|photos)(/|$)", "media"),
    (r"/(calculator|tools?|app)(/|$)", "tool"),
)
#: An amount with its thousands apart, or without; bounded, and begun only where a number begins, so that no row of
#: digits is read twice.
_AMOUNT: Final = (
    r"(?<![0-9.,])((?:[1-9][0-9]{{0,2}}(?:[.,'’{spaces}][0-9]{{3}}){{1,3}}|[0-9]{{1,9}})(?:[.,][0-9]{{1,2}})?)"
    r"(?![0-9]|[.,][0-9])"
)
_PRICE: Final = re.compile(
    r"[$€£¥]\s?"
    + _AMOUNT.format(spaces="\u00a0\u202f")
    + "|"
    # Before the currency a plain space stands between thousands too.
    + _AMOUNT.format(spaces=" \u00a0\u202f")
    + r"\s?(?:€|£|¥|円|EUR|USD|GBP|dollars|euros?)(?!\w)"
)
_CENTS: Final = re.compile(r"[.,]([0-9]{1,2})$")
_SENTENCE: Final = re.compile(r"[.!?。！？]+[\s\"'”’)]|\n")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_VOWELS: Final = re.compile(r"[aeiouyáàâäãéèêëíìîïóòôöõúùûüœæ]+", re.IGNORECASE)
_LUXURY: Final = (
    "luxury",
    "couture",
    "haute",
    "bespoke",
    "five-star",
    "exclusive",
    "handcrafted",
    "private villa",
    "atelier",
    "penthouse",
    "butler",
)
_BUDGET: Final = (
    "discount",
    "coupon",
    "cheap",
    "clearance",
    "bargain",
    "save up to",
    "lowest price",
    "voucher",
    "under $",
    "deals",
    "thrifty",
    "budget",
)
_QUOTE: Final = (
    "request a quote",
    "get a quote",
    "free quote",
    "rfq",
    "book a demo",
    "request a demo",
    "contact sales",
    "price on request",
    "talk to sales",
    "free consultation",
)
_FREE: Final = (
    "free of charge",
    "free to use",
    "free download",
    "free forever",
    "open source",
    "open-source",
    "no charge",
    "free plan",
)
_SHOP_PRICES: Final = 5
_LEAST_PRICES: Final = 2
#: Flesch-Kincaid grades above which a text is intermediate, advanced, expert.
_GRADES: Final = ((14.5, "expert"), (11.0, "advanced"), (6.5, "intermediate"))


@dataclass(frozen=True, slots=True)
class Context:
    """The content context block, each value from its enumeration."""

    content_type: str
    reading_level: str
    price_signals: str


def read_context(page: Page) -> Context:
    """Tell what kind of page it is.

    Parameters
    ----------
    page : Page
        A parsed page, or a text.

    Returns
    -------
    Context
        Content type from structured data, then the path, then the page's make-up; reading level from the
        Flesch-Kincaid grade (sentence length and syllables), price signals from prices and their wording.
    """
    prices = [_amount(found[1] or found[2]) for found in _PRICE.finditer(page.text)]
    return Context(_content_type(page, len(prices)), _reading_level(page.text), _price_signals(page, prices))


def _content_type(page: Page, prices: int) -> str:
    path = urlsplit(page.url).path
    is_home = path in ("", "/")
    if not page.url:
        return "article"
    for types, content_type in _TYPES_BY_DATA:
        if not (is_home and content_type == "product_page") and any(True for _ in page.structured(*types)):
            return content_type
    for pattern, content_type in _TYPES_BY_PATH:
        if re.search(pattern, path, re.IGNORECASE):
            return content_type
    if prices >= _SHOP_PRICES:
        return "category_page"
    if page.metas.get("og:type", "").lower() == "article":
        return "article"
    return "corporate" if is_home else "article"


def _reading_level(text: str) -> str:
    words = _WORD.findall(text[:20_000])
    if not words:
        return "basic"
    sentences = max(len(_SENTENCE.findall(text[:20_000] + "\n")), 1)
    syllables = sum(max(len(_VOWELS.findall(word)), 1) for word in words)
    grade = 0.39 * len(words) / sentences + 11.8 * syllables / len(words) - 15.59
    return next((level for least, level in _GRADES if grade >= least), "basic")


def _price_signals(page: Page, prices: list[float]) -> str:
    text = f"{page.title}\n{page.description}\n{page.text}".lower()
    counts = {
        level: sum(text.count(word) for word in words)
        for level, words in (("luxury", _LUXURY), ("budget", _BUDGET), ("quote", _QUOTE), ("free", _FREE))
    }
    if counts["luxury"] >= _LEAST_PRICES and counts["luxury"] > counts["budget"]:
        return "luxury"
    if counts["budget"] >= _LEAST_PRICES:
        return "budget"
    if len(prices) < _LEAST_PRICES:
        if counts["quote"]:
            return "quote"
        return "free" if counts["free"] else "none"
    return "premium" if sorted(prices)[len(prices) // 2] >= 250 else "mid_range"  # noqa: PLR2004 - median, any currency


def _amount(text: str) -> float:
    """Read an amount, whichever of comma and point divides the cents: three digits are thousands, fewer cents."""
    cents = _CENTS.search(text)
    whole = re.sub(r"[^0-9]", "", text[: cents.start()] if cents else text)
    return float(f"{whole}.{cents[1] if cents else 0}")
