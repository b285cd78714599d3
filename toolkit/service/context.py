"""What kind of page it is: content type, reading level and price signals."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

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
_REVIEWS: Final = r"/(reviews?|compare|comparisons?|best-)"
_MAY_BE_REVIEW: Final = frozenset({"article", "blog", "product_page"})
_TYPES_BY_PATH: Final = (
    (r"/(docs?|documentation|api|developers?|reference-guide)(/|$)", "documentation"),
    (r"/(forum|community|discuss|threads?)(/|$)", "forum"),
    (r"/(guides?|how-to|tutorials?|recipes?|advice|learn)(/|$)", "guide"),
    (_REVIEWS, "review"),
    (r"/(blog|journal|stories|notes)(/|$)", "blog"),
    (r"/(news|politics|local|weather|sport|markets|transfers?)(/|$)", "news"),
    (r"/(events?|showtimes|tickets|calendar|programme)(/|$)", "event_page"),
    (r"/(glossary|encyclopa?edia|dictionary|wiki|reference|lexicon)", "reference"),
    (r"/(products?|item|p)/", "product_page"),
    (r"/(category|collections?|shop|catalog(ue)?|listings?|jobs)(/|$)", "category_page"),
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
#: What no price is without: a look for it is quicker than one for an amount.
_CURRENCY: Final = re.compile(r"[$€£¥円]|EUR|USD|GBP|dollars|euro")
#: Words of sums that are no prices: wages, gifts, savings, cover, public money.
_NO_PRICE: Final = re.compile(
    r"\b(?:salary|salaries|wages?|an hour|per hour|full[ -]time|part[ -]time|raised?|donat\w*|grants?|funding"
    r"|savings?|saved?|saver|deposits?|balances?|mortgages?|loans?|borrow\w*|overdraft|excess|cover(?:ed|age)?|invest\w*"
    r"|bitcoin|fines?|taxe?s?|[0-9.]+ ?[mk]|million|billion|disputes?|turnover|revenue|profits?|earn\w*|income"
    r"|shipping over)\b"
    r"|[$€£][0-9.,]+ (?:to|-|–) [$€£]",
    re.IGNORECASE,
)
#: What makes a sum a price: it is asked "from" an amount, or a month, a piece, a night.
_ASKED: Final = re.compile(
    r"\b(?:from|costs?|only|just|for|is)\s+[$€£¥]"
    r"|[0-9]\s?(?:a|per|each|/)\s?(?:day|week|month|year|night|person|pair|piece|case|box|bag|item|class|seat|user)?\b",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(r"[$€£¥]\s?[0-9.,]+$|[0-9]\s?[€£¥]\.?$")
_PLAIN: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,4})?")
_LISTED: Final = ("- ", "|", "• ")
_MOST_PRICED_WORDS: Final = 30
_MOST_BARE_WORDS: Final = 7
_OFFERS: Final = ("Offer", "AggregateOffer", "Product")
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
    "budget-friendly",
    "budget prices",
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
_LEAST_MENTIONS: Final = 2
#: What is said of a page whose type nothing tells.
_UNTOLD: Final = ("a text without an address", "nothing speaks for another type")
#: Types of pages that tell of things and offer none: the sums that they mention are nobody's prices.
_TELLING: Final = frozenset({"article", "news", "blog"})
#: Median price, in any currency, from which goods are dear.
_PREMIUM: Final = 250
#: Flesch-Kincaid grades above which a text is intermediate, advanced, expert.
_GRADES: Final = ((14.5, "expert"), (11.0, "advanced"), (6.5, "intermediate"))


@dataclass(frozen=True, slots=True)
class Context:
    """The content context block, each value from its enumeration.

    Attributes
    ----------
    content_type, price_signals : str
        Values of these fields.
    reading_level : str or None
        None for a text that is not English.
    grounds : dict of str to str
        What decided each field, in words.
    """

    content_type: str
    reading_level: str | None
    price_signals: str
    grounds: dict[str, str] = field(default_factory=dict)


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
        Flesch-Kincaid grade (sentence length and syllables), which is measured on English alone and missing for
        other languages; price signals from the prices of goods on offer and their wording.
    """
    content_type, type_ground = _content_type(page)
    level, level_ground = _reading_level(page.text) if page.is_english else (None, "the text is not English")
    tells = content_type in _TELLING and type_ground not in _UNTOLD
    prices, price_ground = _price_signals(page, _asked_prices(page, offers=not tells))
    grounds = {"content_type": type_ground, "reading_level": level_ground, "price_signals": price_ground}
    return Context(content_type, level, prices, grounds)


def _content_type(page: Page) -> tuple[str, str]:
    path = urlsplit(page.url).path
    is_home = path in ("", "/")
    if not page.url:
        return "article", _UNTOLD[0]
    review = None if is_home else re.search(_REVIEWS, path, re.IGNORECASE)
    for types, content_type in _TYPES_BY_DATA:
        if not (is_home and content_type == "product_page") and any(True for _ in page.structured(*types)):
            # What is reviewed is described too; the address tells which of the two the page is for.
            is_review = review is not None and content_type in _MAY_BE_REVIEW
            return (
                ("review", "reviews in the address")
                if is_review
                else (content_type, f"structured data of a {types[0]}")
            )
    for pattern, content_type in _TYPES_BY_PATH:
        if found := re.search(pattern, path, re.IGNORECASE):
            return content_type, f"{found[0]} in the address"
    if is_home:
        return _home_type(page)
    if _has_shop_prices(page.text):
        return "category_page", f"{_SHOP_PRICES} prices or more"
    return "article", _UNTOLD[1]


def _home_type(page: Page) -> tuple[str, str]:
    for types, content_type in _HOMES_BY_DATA:
        if any(True for _ in page.structured(*types)):
            return content_type, f"home page with structured data of a {types[0]}"
    if any(_CART.search(address) for address, _ in page.links):
        return "category_page", "home page with a cart"
    if _has_shop_prices(page.text):
        return "category_page", f"home page with {_SHOP_PRICES} prices or more"
    return "corporate", "home page that sells nothing itself"


def _has_shop_prices(text: str) -> bool:
    prices = _PRICE.finditer(text) if _CURRENCY.search(text) else iter(())
    return len(list(islice(prices, _SHOP_PRICES))) == _SHOP_PRICES


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


def _asked_prices(page: Page, *, offers: bool) -> list[float]:
    """Return the prices of what a page offers: of its structured data, else of its list items and short lines."""
    stated = list(_stated_prices(page))
    if stated or not offers:
        return stated
    found: list[float] = []
    for line in page.text.split("\n"):
        if not _CURRENCY.search(line):
            continue
        amounts = [_amount(match[1] or match[2]) for match in _PRICE.finditer(line)]
        if not amounts or _NO_PRICE.search(line):
            continue
        words = len(_WORD.findall(line))
        is_item = line.startswith(_LISTED) or _ASKED.search(line) or (len(amounts) == 1 and _ENDS.search(line))
        if words <= (_MOST_PRICED_WORDS if is_item else _MOST_BARE_WORDS):
            found += amounts
    return found


def _stated_prices(page: Page) -> Iterator[float]:
    pending: list[Any] = list(page.structured(*_OFFERS))
    while pending:
        item = pending.pop()
        if isinstance(item, list):
            pending += item
        elif isinstance(item, dict):
            price = item.get("price", item.get("lowPrice"))
            if isinstance(price, (str, int, float)) and _PLAIN.fullmatch(str(price)):
                yield float(price)
            pending.append(item.get("offers"))


def _price_signals(page: Page, prices: list[float]) -> tuple[str, str]:
    head = f"{page.title}\n{page.description}".lower()
    text = f"{head}\n{page.text.lower()}"
    wordings = (("luxury", _LUXURY), ("budget", _BUDGET), ("quote", _QUOTE), ("free", _FREE))
    counts = {level: {word: text.count(word) for word in words if word in text} for level, words in wordings}
    mentions = {level: sum(found.values()) for level, found in counts.items()}
    named = {level: ", ".join(found) for level, found in counts.items()}
    if mentions["luxury"] >= _LEAST_PRICES and mentions["luxury"] > mentions["budget"]:
        return "luxury", named["luxury"]
    if mentions["budget"] >= _LEAST_PRICES:
        return "budget", named["budget"]
    if len(prices) < (1 if any(True for _ in page.structured("Product", "Vehicle", "Car")) else _LEAST_PRICES):
        if mentions["quote"]:
            return "quote", named["quote"]
        if mentions["free"] >= _LEAST_MENTIONS or any(word in head for word in _FREE):
            return "free", named["free"]
        return "none", "no prices"
    median = sorted(prices)[len(prices) // 2]
    ground = f"median of {len(prices)} prices: {median:,.2f} in any currency"
    return "premium" if median >= _PREMIUM else "mid_range", ground


def _amount(text: str) -> float:
    """Read an amount, whichever of comma and point divides the cents: three digits are thousands, fewer cents."""
    cents = _CENTS.search(text)
    whole = re.sub(r"[^0-9]", "", text[: cents.start()] if cents else text)
    return float(f"{whole}.{cents[1] if cents else 0}")
