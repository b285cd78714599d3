"""What all sites write around what they are of: shops around their goods, and any site where people run an errand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.knowledge.marks import standing_in

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["errand_type", "helps", "is_errand", "sells", "without_errand_words", "without_shop_words"]

#: Where fewer than two of these stand, nothing is sold, and the text is not gone through.
_SIGNS: Final = (
    "in stock",
    "of stock",
    "basket",
    " cart",
    "checkout",
    "delivery",
    "shipping",
    "buy now",
    "buy online",
    "order now",
    "orders over",
    "warranty",
    "guarantee",
    "returns",
    "reviews",
    "our shop",
    "add to",
    "size guide",
    " vat",
)
_LEAST_SIGNS: Final = 2
_SELLING: Final = re.compile(
    r"""\b(?:
      add(?:ed)?\ to\ (?:your\ |my\ )?(?:cart|basket|bag|trolley|wish\ ?list|favou?rites|compare|order|quote)
    | (?:buy|order|shop|book|pay)\ (?:it\ )?(?:now|today|online|here|direct|with\ confidence|in\ store)
    | (?:click|tap)\ (?:and|&)\ collect | view\ (?:basket|cart|bag) | (?:proceed\ to\ )?checkout
    | (?:in|out\ of|low|back\ in)\ stock | only\ \d{1,3}\ left | sold\ out | pre-?order
    | (?:free|fast|next[ -]day|same[ -]day|standard|express|worldwide|home|quick|tracked)
      \ (?:uk\ |standard\ |express\ )?(?:delivery|shipping|postage|dispatch|returns?)
    | (?:delivery|shipping|returns?|refunds?)\ (?:policy|information|info|details|costs?|charges?|options|times?
      |and\ returns|&\ returns|available|included|within|from|to|on\ orders|over)
    | (?:\d{1,3}|thirty|sixty|fourteen)[ -]days?\ (?:returns?|money[ -]back|guarantee|to\ return|to\ change\ your\ mind)
    | money[ -]back\ guarantee | price[ -]match(?:\ (?:promise|guarantee))?
    | (?:\d{1,2}|one|two|three|five|ten|lifetime|limited)[ -]years?\ (?:manufacturer'?s?\ )?(?:guarantee|warranty)
    | (?:lifetime|manufacturer'?s?)\ (?:guarantee|warranty)
    | (?:inc(?:l|luding)?|ex(?:cl|cluding)?)\.?\ vat | vat\ included | rrp | sku | ean | upc | gtin | mpn
    | (?:customer|product|verified)\ reviews? | write\ a\ review | read\ (?:all\ )?reviews? | \d{1,5}\ reviews?
    | star\ rating | product\ (?:description|details|information|code|specifications?) | item\ (?:number|code)
    | model\ number | you\ may\ also\ like | customers?\ (?:who\ bought|also\ bought|also\ viewed)
    | frequently\ bought\ together | related\ products | recently\ viewed | size\ guide | quantity | qty | sort\ by
    | (?:select|choose)\ (?:a\ |your\ )?(?:size|colou?r|option|quantity) | price\ (?:low|high)\ to\ (?:low|high)
    | (?:from\ )?our\ (?:online\ )?(?:shop|store) | online\ shop | on\ sale | special\ offer | sale\ price
    | interest[ -]free | pay\ (?:in|later|by|with) | klarna | clearpay | afterpay | paypal | apple\ pay | google\ pay
    | secure\ (?:checkout|payment) | orders?\ (?:over|above|placed|before|within) | dispatched?\ (?:within|same|next)
    | (?:ships|delivered)\ (?:within|free|next)
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
#: What divides the parts of a title, of which one names the site.
_DIVIDER: Final = re.compile(r"\s*[|»·•]\s*|\s+[-–—]\s+|\s*:\s+(?=contact|personal|register|log)")
#: Characters of a title that are read.
_MOST_OF_A_TITLE: Final = 200
#: Hosts at which a site helps, and what their home pages are, and addresses of help elsewhere; a site may itself be
#: called help.
_HELPERS: Final = re.compile(r"(?:[^/]*\.)?(?:help|support|faqs?)\.(?!(?:ac|co|com|org)\.)[^.]+\.", re.IGNORECASE)
_HELP: Final = ("guide", "help")
_HELPING: Final = re.compile(
    r"//(?:[^/]*\.)?(?:docs?|developers?)\.|(?<!/)/(?:help|support|docs|documentation|faqs?|kb)(?:[/?.#-]|$)",
    re.IGNORECASE,
)
#: Words of a page from which its title tells no errand, nor its address among articles.
_MOST_WORDS: Final = 500
_OF_ARTICLES: Final = re.compile(r"/wiki/", re.IGNORECASE)
#: Where patterns are looked for.
_TITLE: Final = "title"
_PATH: Final = "path"
_WORD: Final = "word"


@dataclass(frozen=True, slots=True)
class _Errand:
    """An errand, what a page for it is, and what a part of its title is and its address has."""

    errand: str
    content_type: str
    title: re.Pattern[str]
    path: re.Pattern[str]


def sells(text: str) -> bool:
    """Tell whether a text has what shops write around their goods.

    >>> sells("Oak desk. In stock, free delivery over £30."), sells("Oaks live for centuries.")
    (True, False)
    """
    return len(standing_in(text, _SIGNS)) >= _LEAST_SIGNS


def without_shop_words(text: str) -> str:
    """Return a text with blanks in the place of what every shop writes.

    >>> without_shop_words("Oak desk. In stock, free delivery over £30.")
    'Oak desk.         ,               over £30.'
    """
    if not sells(text):
        return text
    return _SELLING.sub(lambda found: " " * len(found[0]), text)


def is_errand(page: Page) -> bool:
    """Tell whether a page is there for an errand: to log in, register, write, search, pay or ask for help.

    >>> from toolkit.service.pages.parsed import Page
    >>> is_errand(Page(url="", title="Contact us | Beads and Wire")), is_errand(Page(url="", title="Beads and Wire"))
    (True, False)
    """
    return errand_type(page) is not None


def helps(page: Page) -> bool:
    """Tell whether a page's address is one at which people are helped: by a site's help, its documentation.

    >>> from toolkit.service.pages.parsed import Page
    >>> [helps(Page(url=url, title="")) for url in ("https://help.tills.example/cards", "https://help.org.uk/")]
    [True, False]
    """
    return bool(_HELPERS.match(urlsplit(page.url).netloc) or _HELPING.search(page.url))


# Categories, intents and kinds ask about the same page.
@lru_cache(maxsize=16)
def errand_type(page: Page) -> tuple[str, str] | None:
    """Return the content type of a page for an errand (`errands.tsv`), and which it is.

    >>> from toolkit.service.pages.parsed import Page
    >>> errand_type(Page(url="", title="Contact us | Beads and Wire"))
    ('corporate', 'contact')
    """
    address = urlsplit(page.url)
    if page.is_home:
        return _HELP if _HELPERS.match(address.netloc) else None
    titles = _DIVIDER.split(page.title[:_MOST_OF_A_TITLE].lower().replace("’", "'"))
    path = f"{address.path}?{address.query}" if address.query else address.path
    # An encyclopedia has a long article on contact, and on the checkout.
    if page.tokens > _MOST_WORDS:
        titles, path = [], "" if _OF_ARTICLES.search(path) else path
    told = (
        (row.content_type, row.errand)
        for row in _errands()
        if any(map(row.title.fullmatch, titles)) or row.path.search(path)
    )
    return next(told, None)


def without_errand_words(text: str) -> str:
    """Return a text with blanks in the place of what sites ask of whoever runs an errand there.

    >>> without_errand_words("Enter your password to order gouache")
    'Enter your          to       gouache'
    """
    return _words().sub(lambda found: " " * len(found[0]), text)


@cache
def _errands() -> tuple[_Errand, ...]:
    kinds = {row["errand"]: row["content_type"] for row in knowledge_rows("errands.tsv") if row["content_type"]}
    return tuple(_Errand(name, kind, _any_of(_TITLE, name), _any_of(_PATH, name)) for name, kind in kinds.items())


@cache
def _words() -> re.Pattern[str]:
    return re.compile(rf"\b{_any_of(_WORD).pattern}\b", re.IGNORECASE)


def _any_of(where: str, errand: str = "") -> re.Pattern[str]:
    """Return what is any of the patterns of a place, of one errand or of all; without one, what is nothing."""
    rows = (row for row in knowledge_rows("errands.tsv") if row["where"] == where)
    patterns = [row["pattern"] for row in rows if not errand or row["errand"] == errand]
    return re.compile(f"(?:{'|'.join(patterns) or '(?!)'})", re.IGNORECASE)
