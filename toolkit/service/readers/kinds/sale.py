"""Whether a short text is an offer of goods, where no button or form says so."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final

from toolkit.service.subjects.wording import count_matches, different_matches

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["SHORT", "for_sale_in_title", "is_for_sale", "leads_with_price", "names_a_sum"]

_SUM: Final = re.compile(r"(?:[$€£¥]|\b(?:EUR|USD|GBP))\s?[0-9]|[0-9]\s?(?:[€£¥]|EUR|USD|GBP)")
#: A sum, whole: of 4,200 the 4 is none.
_AMOUNT: Final = r"[0-9]++(?:[.,][0-9]++)*+"
#: What is said of a sum that is given and not asked for.
_RAISED: Final = re.compile(r"\b(?:raised|pledged|donated|goal|target|gift aid|so far)\b", re.IGNORECASE)
#: A line that begins with a price, and not with a sum of which it tells; and what is said beside one within a line.
_PRICE_FIRST: Final = re.compile(
    r"\W*(?:(?:from|now|only|just|(?:our )?price|asking|rrp)\b:? )?"
    rf"(?:(?:[$€£¥]|(?:EUR|USD|GBP)\b)\s?{_AMOUNT}(?:pp|ea|pcm|pw)?|{_AMOUNT}\s?(?:[€£¥]|EUR|USD|GBP))"
    r"(?=$|\s*[·•|/,;(+&]|\s+(?:each|per|ono|obo|plus|incl?|including|ex|was|now|rrp|delivered|posted|firm)\b)",
    re.IGNORECASE,
)
_TERMS_OF_PRICE: Final = re.compile(
    r"\b(?:postage|post(?:ed)? free|p&p|shipping|deliver(?:y|ed)|VAT|tuition|deposit|ono|o\.n\.o|obo|or nearest offer"
    r"|(?:a|per|each|every) (?:month|quarter|week|night|head|person|pair|pack|hour|day|(?:half )?metre)"
    r"|full board|half board|in stock|for sale|sleeps)\b",
    re.IGNORECASE,
)
#: Lines with prices, or sums, that a page of one thing has at most: as it was, as it is, with its parts.
_PRICES_OF_ONE: Final = 3
#: What titles the page of one who sells without a shop: that it is for sale, or at the end its price and the place.
_TITLED_FOR_SALE: Final = re.compile(r"\bfor (?:sale|rent)\b(?! (?:of|to)\b)", re.IGNORECASE)
_TITLED_WITH_PRICE: Final = re.compile(
    rf" [-–—|·] [$€£¥]\s?{_AMOUNT}(?: (?:ono|obo|firm))?(?: \([^()]{{2,40}}\))?$", re.IGNORECASE
)
#: How an item of a list begins.
_ITEM: Final = "- "
_ENDS: Final = (".", "!", "?", ":")
#: Lines below its title among which a page has its price, and words of the longest of them.
_LEADING: Final = 4
_LONGEST_LINE: Final = 25
#: What is said of a thing that is for sale, beside its price, where no button or form says it.
_FOR_SALE: Final = re.compile(
    r"\b(?:pack|box|set|case) of \d|\b(?:twin|multi|\d+)[- ]?pack\b|\bper (?:pack|pair|m²|metre|roll|box|litre)\b"
    r"|\b(?:in|out of|back in) stock\b|\bsizes? (?:[XSML\d]|run|down|up)|\bcolou?rs?:|\bone size\b|\bunisex\b"
    r"|\bfree (?:delivery|shipping|returns|samples?)\b|\bships? (?:free|today|from|within|in|flat)\b"
    r"|\bdispatch(?:ed)?\b|\bdelivered (?:to|in|within|free|inside|flat|on)\b|\bnext[- ]day\b|\bclick and collect\b"
    r"|\bdelivery (?:\w+ ){0,3}[£$€]|\b(?:ex|inc|excl|incl|plus)\.? VAT\b|\border (?:by|before|online|\d)"
    r"|\breturns (?:within|accepted)\b|\bno returns\b|\b(?:years?|months?)['’]?[- ](?:warranty|guarantee)"
    r"|\b(?:warranty|guarantee)d? (?:for|of|against)\b|\bin the box\b|\b(?:hand|machine|cold) wash|\bwipe clean\b"
    r"|\bwash (?:at|by|inside|cool|cold|cotton)|\btumble dry\b|\btags on\b|\b(?:two|three|four|five|\d+) for [£$€]"
    r"|\d ?(?:×|x|by) ?\d+(?:[.,]\d+)? ?(?:mm|cm|in\b|m\b|\")|[£$€]\d[\d.,]* (?:each|a pair|per)"
    r"|\bfits? (?:most|all|up to|true to)\b|\b(?:not )?suitable for\b|\bsupplied (?:with|in)\b|\bsold (?:in|as|by)\b"
    r"|\bcontains (?:milk|nuts|soya|gluten|egg)|\balso (?:in|as|available)\b|\bavailable in\b|\breplacement\b"
    r"|\bpart[- ]exchange\b|\b(?:trade|student|bulk) (?:price|code|packs?)\b|\bvacuum[- ]packed\b|\brestock\b"
    r"|\b(?:on|with a) subscription\b|\bmade to (?:order|measure)\b|\barrives (?:in|within|by)\b|\bparts and labou?r\b"
    r"|\bincludes delivery\b|\bdelivery included\b|\b(?:from|only|now) [£$€]\d|\bper (?:100 ?)?(?:g|kg|ml)\b",
    re.IGNORECASE,
)
#: What is said of goods, and now and then of things that are not for sale: their measures, make and care.
_DESCRIBED: Final = re.compile(
    r"\b\d+(?:[.,]\d+)? ?(?:mm|cm|kg|g|ml|cl|l|litres?|w|kw|v|ah|mah|wh|gb|tb|inch(?:es)?|ft|lbs?|oz|gsm|rpm|psi|bar"
    r"|tog|denier|dpi|hz|mhz|m²|pieces?|pcs|sheets?|servings?|tablets|capsules)\b|\d[\"”]|\bcomes? (?:with|in)\b"
    r"|\bweighs\b|\bhand[- ]?(?:made|finished|poured|cut)\b"
    r"|\b(?:bpa|cruelty|gluten|latex|ammonia|paraben|acid|lint)[- ]free\b"
    r"|\b(?:dishwasher|microwave|oven)[- ]safe\b|\bwashable\b|\bwaterproof\b|\bwater[- ]resistant\b|\brechargeable\b"
    r"|\bcompatible with\b|\b(?:sku|ean|part no|ref)\b|\bbatter(?:y|ies) (?:included|life)\b|\bsold out\b"
    r"|\bbundle\b|\bgift[- ]wrap|\bpre-?order\b|\blead time\b|\bcollect (?:from|in)\b|\brefills?\b"
    r"|\bchoose (?:from|your)\b|\byour (?:choice|usual size|normal size)\b|\bsize (?:up|down|guide)\b|\btrue to size\b"
    r"|\bcotton\b|\bpolyester\b|\bstainless\b|\bsolid (?:oak|pine|wood|brass)\b|\bleather\b|\bshades?\b"
    r"|\bdimensions\b",
    re.IGNORECASE,
)
#: Titles of what is no offer: questions, and what a person or a guide has to say.
_ASKING: Final = re.compile(
    r"\?|^(?:how|why|what|when|which|should|could|can|is|are|do|does|who|where|my|our|we|i|tips|guide|tasting"
    r"|tested)\b",
    re.IGNORECASE,
)
#: What these must make together on a short text and on a longer one, a term of sale counted twice.
_OFFERED: Final = (3, 6)
_LONGEST_OFFER: Final = 300
#: Words from which a page without marks is a piece of writing.
SHORT: Final = 150


def names_a_sum(page: Page) -> bool:
    """Tell whether a page names a sum of money."""
    return _SUM.search(page.opening) is not None


def for_sale_in_title(page: Page) -> str:
    """Return ``one`` or ``many`` where a title says that things are for sale, by the sums of its page; else nothing."""
    if _TITLED_WITH_PRICE.search(page.title) and not _ASKING.search(page.title):
        return "one"
    is_titled = _TITLED_FOR_SALE.search(page.title) and not _ASKING.search(page.title)
    sums = count_matches(_SUM, page.opening) if is_titled else 0
    return ("many" if sums > _PRICES_OF_ONE else "one") if sums else ""


def leads_with_price(page: Page) -> bool:
    """Tell whether a page has a price right below its title, first in its line or with its terms, and no list."""
    lines = page.opening.split("\n")
    leading = itertools.takewhile(lambda line: len(line.split()) <= _LONGEST_LINE, lines[1 : _LEADING + 1])
    return any(map(_is_priced, leading)) and sum(1 for line in lines if _PRICE_FIRST.match(line)) <= _PRICES_OF_ONE


def _is_priced(line: str) -> bool:
    """Tell whether a line states a price; a sentence that begins with a sum may tell of it."""
    if line.startswith(_ITEM) or not _SUM.search(line) or _RAISED.search(line):
        return False
    is_first = _PRICE_FIRST.match(line) is not None and not line.endswith(_ENDS)
    return is_first or _TERMS_OF_PRICE.search(line) is not None


def is_for_sale(page: Page) -> bool:
    """Tell whether a short text is an offer, as its price and several terms of sale tell."""
    if page.tokens > _LONGEST_OFFER or not names_a_sum(page) or _ASKING.search(page.title):
        return False
    text = f"{page.title}\n{page.opening}"
    said = 2 * different_matches(_FOR_SALE, text) + different_matches(_DESCRIBED, text)
    return said >= _OFFERED[page.tokens >= SHORT]
