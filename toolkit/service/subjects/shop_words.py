"""What shops write around their goods, whatever these are: it says that something is sold, and not what."""

from __future__ import annotations

import re
from typing import Final

from toolkit.service.knowledge.marks import standing_in

__all__ = ["sells", "without_shop_words"]

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
