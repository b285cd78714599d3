"""Price signals: what a page asks for what it offers, and how it speaks of money."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.knowledge.marks import may_match, standing_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.service.pages.parsed import Page
    from toolkit.service.subjects.content import Scored

__all__ = ["is_listing", "price_signals"]

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
#: What no price is without: a look for it is quicker than one for an amount, and the quicker if its signs are no set.
_CURRENCY: Final = re.compile(r"\$|€|£|¥|円|EUR|USD|GBP|dollars|euro")
#: Words of sums that are no prices, wherever they stand in a paragraph: wages, gifts, public money.
_NO_PRICES: Final = re.compile(
    r"\b(?:salary|salaries|wages?|an hour|per hour|full[ -]time|part[ -]time|equity|raised?|donat\w*|adopt\w*|rehom\w*"
    r"|grants?|funding|mortgages?|loans?|borrow\w*|overdraft|insured|cover(?:ed|age)?|invest\w*|bitcoin|fines?|taxe?s?|prizes?|winnings"
    r"|million|billion|disputes?|turnover|revenue|profits?|earn\w*|income|budgets?|rent)\b",
    re.IGNORECASE,
)
#: Words of sums that are no prices but may stand beside one.
_NO_PRICE: Final = re.compile(
    r"\b(?:savings?|saved?|saver|deposits?|balances?|excess|[0-9.]+ ?[mk]|shipping over|off)\b"
    r"|[$€£][0-9.,]+ (?:to|-|–) [$€£]",
    re.IGNORECASE,
)
#: What makes a sum a price: it is asked "from" an amount, or a month, a piece, a night.
_ASKED: Final = re.compile(
    r"\b(?:from|costs?|only|just|for|is)\s+[$€£¥]"
    r"|[0-9]\s?(?:a|per|each|/)\s?(?:day|week|month|year|night|person|pair|piece|case|box|bag|item|class|seat|user)?\b",
    re.IGNORECASE,
)
#: What says of itself that it is neither dear nor cheap.
_MIDDLING: Final = re.compile(r"\bmid(?:dle)?[- ](?:range|priced?|market)\b", re.IGNORECASE)
#: About how much of a currency a dollar is, for bands are wide; of others it is not told what is dear.
_A_DOLLAR: Final = {
    **dict.fromkeys(("USD", "EUR", "GBP", "CHF", "CAD", "AUD", "NZD", "SGD"), 1.0),
    "AED": 3.7,
    "PLN": 4.0,
    "ILS": 3.7,
    "SAR": 3.75,
    "BRL": 5.5,
    "CNY": 7.2,
    "DKK": 7.0,
    "HKD": 7.8,
    "NOK": 10.5,
    "SEK": 10.5,
    "MXN": 18.0,
    "ZAR": 18.0,
    "CZK": 23.0,
    "THB": 34.0,
    "TRY": 40.0,
    "PHP": 57.0,
    "INR": 85.0,
    "KES": 130.0,
    "JPY": 150.0,
    "HUF": 360.0,
    "KRW": 1400.0,
    "NGN": 1500.0,
}
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_ENDS: Final = re.compile(r"[$€£¥]\s?[0-9.,]+(?: [a-z]+){0,2}\.?$|[0-9]\s?[€£¥]\.?$")
_PLAIN: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,4})?")
_LISTED: Final = ("- ", "|", "• ")
_MOST_PRICED_WORDS: Final = 30
_MOST_BARE_WORDS: Final = 7
_OFFERS: Final = ("Offer", "AggregateOffer", "Product")
_CENTS: Final = re.compile(r"[.,]([0-9]{1,2})$")
_LUXURY: Final = (
    "luxury",
    "couture",
    "haute",
    "bespoke",
    "five-star",
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
    "best deals",
    "daily deals",
    "hot deals",
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
_QUOTE_PAGE: Final = re.compile(r"/(?:[a-z-]*-)?(?:quotes?|rfq)(?:[/?.#]|$)", re.IGNORECASE)
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
_WORDINGS: Final = (("luxury", _LUXURY), ("budget", _BUDGET), ("quote", _QUOTE), ("free", _FREE))
#: Lines with prices from which a page is a listing, where they are at least this share of its lines.
_LISTED_LINES: Final = 5
_LISTED_SHARE: Final = 0.25
_LEAST_PRICES: Final = 2
_LEAST_MENTIONS: Final = 2
#: Median price from which goods are dear where no category says otherwise.
_PREMIUM: Final = 250.0
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def _asked_prices(page: Page, *, offers: bool) -> list[float]:
    """Return the prices of what a page offers: of its structured data, else of its list items and short lines."""
    stated = list(_stated_prices(page))
    return stated if stated or not offers else _listed_prices(page)


def is_listing(page: Page) -> bool:
    """Tell whether a page is mostly a list of items with prices, and not prose that mentions sums."""
    lines = [line for line in _lines_of_money(page.text) if _PRICE.search(line)]
    if len(lines) < _LISTED_LINES or (priced := sum(not _is_other_money(line) for line in lines)) < _LISTED_LINES:
        return False
    return priced >= _LISTED_SHARE * sum(1 for line in page.text.split("\n") if line.strip())


# A page is asked whether it is a listing, and then for its prices.
@lru_cache(maxsize=4)
def _lines_of_money(text: str) -> tuple[str, ...]:
    """Return the lines of a text that name a currency."""
    if not may_match(_CURRENCY, text):
        return ()
    return tuple(line for line in text.split("\n") if _CURRENCY.search(line))


def _is_other_money(line: str) -> bool:
    return _NO_PRICES.search(line) is not None or _NO_PRICE.search(line) is not None


def _listed_prices(page: Page) -> list[float]:
    found: list[float] = []
    for line in _lines_of_money(page.text):
        prices: list[float] = []
        # A sentence beside it, on deposits or savings, makes a price none.
        for said in _SENTENCE_END.split(line):
            amounts = [_amount(match[1] or match[2]) for match in _PRICE.finditer(said)]
            if not amounts or (words := len(_WORD.findall(said))) > _MOST_PRICED_WORDS or _NO_PRICE.search(said):
                continue
            is_item = said.startswith(_LISTED) or _ASKED.search(said) or (len(amounts) == 1 and _ENDS.search(said))
            if is_item or words <= _MOST_BARE_WORDS:
                prices += amounts
        if prices and not _NO_PRICES.search(line):
            found += prices
    return found


def _stated_prices(page: Page) -> Iterator[float]:
    pending: list[Any] = list(page.structured(*_OFFERS))
    while pending:
        item = pending.pop()
        if isinstance(item, list):
            pending += item
        elif isinstance(item, dict):
            price = item.get("price", item.get("lowPrice"))
            rate = _A_DOLLAR.get(str(item.get("priceCurrency") or "USD").upper())
            if rate and isinstance(price, (str, int, float)) and _PLAIN.fullmatch(str(price)):
                yield float(price) / rate
            pending.append(item.get("offers"))


def price_signals(page: Page, categories: tuple[Scored, ...], *, offers: bool, serves: bool = False) -> tuple[str, str]:
    """Tell the price signals of a page, and their ground in words.

    What is dear for a boot is cheap for a car: the content categories tell (`price_bands.tsv`). Of a page that tells of
    things and offers none (`offers` is false) only structured data, title and description say something of prices; of
    one of those who serve (`serves`) only structured data say that it is dear.
    """
    head = f"{page.title}\n{page.description}".lower()
    told = standing_in(page.text, tuple(word for _, words in _WORDINGS for word in words)) if offers else []
    text = f"{head}\n{page.text.lower()}" if told else head
    prices = _asked_prices(page, offers=offers)
    counts = {
        level: {word: text.count(word) for word in words if word in told or word in head} for level, words in _WORDINGS
    }
    premium, path = _band(categories)
    median = sorted(prices)[len(prices) // 2] if prices else 0.0
    # One word is a turn of phrase, a plea bargain or the luxury of time, unless several things are sold beside it; and
    # what is bespoke is dear where its prices are.
    is_priced = offers and len(prices) >= _LEAST_PRICES
    is_borne_out = {"luxury": is_priced and premium is not None and median >= premium, "budget": is_priced}
    mentions = {
        level: sum(found.values()) if len(found) > 1 or is_borne_out.get(level, True) else 0
        for level, found in counts.items()
    }
    named = {level: ", ".join(found) for level, found in counts.items()}
    if _QUOTE_PAGE.search(page.url):
        return "quote", "a quote is asked for at this address"
    if mentions["luxury"] >= _LEAST_MENTIONS and mentions["luxury"] > mentions["budget"]:
        return "luxury", named["luxury"]
    if mentions["budget"] >= max(_LEAST_MENTIONS, mentions["quote"] + 1):
        return "budget", named["budget"]
    least = 1 if any(True for _ in page.structured("Product", "Vehicle", "Car")) else _LEAST_PRICES
    if premium is not None and len(prices) >= least:
        sums = f"median of {len(prices)} prices: {median:,.2f}, of other stated currencies as dollars"
        ground = f"{sums}; dear from {premium:,.0f} ({path})"
        # Great sums on pages of those who serve are stalls at a fair, wages, fees and debts as often as prices.
        dear = "none" if serves and not any(True for _ in _stated_prices(page)) else "premium"
        return "mid_range" if median < premium or _MIDDLING.search(page.text) else dear, ground
    if mentions["quote"]:
        return "quote", named["quote"]
    is_free = mentions["free"] >= _LEAST_MENTIONS or any(word in head for word in _FREE)
    nothing = "no prices" if premium is not None else f"sums on pages about {path} are no prices"
    return ("free", named["free"]) if is_free else ("none", nothing)


def _band(categories: tuple[Scored, ...]) -> tuple[float | None, str]:
    """Return the price from which goods of a page's first category are dear, None where sums are no prices."""
    taxonomy = Taxonomy.load("content-v3")
    # The most special of the most certain branch: ancestors are never less certain than it.
    for category in sorted(categories, key=lambda found: -found.tier):
        if categories[0].id in {category.id, *(step.id for step in taxonomy.ancestors(category.id))}:
            lineage = (category.path, *(step.path for step in reversed(taxonomy.ancestors(category.id))))
            for path in lineage:
                if path in _bands():
                    return _bands()[path], path
    return _PREMIUM, "anything"


@cache
def _bands() -> dict[str, float | None]:
    return {
        row["path"]: None if row["premium_from"] == "-" else float(row["premium_from"])
        for row in knowledge_rows("price_bands.tsv")
    }


def _amount(text: str) -> float:
    """Read an amount, whichever of comma and point divides the cents: three digits are thousands, fewer cents."""
    cents = _CENTS.search(text)
    whole = re.sub(r"[^0-9]", "", text[: cents.start()] if cents else text)
    return float(f"{whole}.{cents[1] if cents else 0}")
