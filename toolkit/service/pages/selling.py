"""Marks of selling in a page's own matter: what is bought there, for how much, and in how many cells of a grid.

They are what shops of all kinds show, whatever they are made with: words on buttons, addresses of forms, prices, fields
for a quantity or a size, stock and delivery, codes of goods. What stands beside the page's own matter says nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.knowledge.marks import may_match

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolkit.service.pages.parts import Line, Part, Parts

__all__ = ["NOTHING", "Selling", "selling_of"]

#: A line of more characters is a sentence, and neither a label nor a price.
_LONGEST_LABEL: Final = 60
_LONGEST_PRICED: Final = 90
#: A line of more is prose, in which anything may be told.
_LONGEST_TERM: Final = 160
#: Of prose, so many characters may stand above what is bought.
_PROSE: Final = 200
_MOST_PROSE: Final = 1_500
#: Cells of a grid that make it one, and steps from a price up to what its cell is.
_LEAST_CELLS: Final = 4
_CELL_DEPTH: Final = 8
#: A price before and one now, and what it comes to a kilo.
_MOST_PRICES_OF_CELL: Final = 3
#: Share of the cells that may have such prose.
_MOST_TOLD: Final = 0.5
_MOST_LINES: Final = 3_000
#: Kinds of marks of one thing that tell by themselves, and beside a price and what buys it.
_SURELY_ONE: Final = 4
_ONE: Final = 3
_CURRENCY: Final = r"(?:[$€£¥₹₩₽]|(?:EUR|USD|GBP|CHF|CAD|AUD|SEK|NOK|DKK|PLN|zł|kr|Kč|lei|R\$|円)(?![a-z]))"
_PRICE: Final = re.compile(rf"{_CURRENCY} ?[0-9]|[0-9](?:[.,][0-9-]{{1,2}})? ?{_CURRENCY}")
_DIGIT: Final = re.compile("[0-9]")
#: What is no price of a thing: savings, thresholds, sums of a whole order.
_NO_PRICE: Final = re.compile(
    r"\b(?:orders? over|spend|over [$€£]|free (?:uk )?(?:delivery|shipping)|off your|subtotal|total|save up to"
    r"|million|billion|an hour|salary|raised|donat\w+)\b",
    re.IGNORECASE,
)
_PRODUCT: Final = re.compile(r"schema\.org/(?:Individual)?Product\b|^(?:schema:|gr:)?(?:Product|Offering)$")
#: Sides of forms and of headers that hold the page's title.
_OWN_SIDES: Final = ("", "banner", "form")
_FIELDS: Final = ("input", "select")
_TERMS: Final = ("stock", "code")
_LABELS: Final = ("buy", "bid", "quote", "book", "choice")


class Selling(NamedTuple):
    """How many marks of selling stand in a page's own matter, outside of grids where not said otherwise."""

    #: Labels of what buys, bids or asks for a price; of what books, those in grids, too.
    buys: int = 0
    books: int = 0
    #: Forms or links that lead to a cart, fields for what is chosen.
    forms: int = 0
    choices: int = 0
    prices: int = 0
    #: Kinds of things said of stock, delivery and codes: 0 to 2.
    terms: int = 0
    #: Whether its mark-up says that it is of a product.
    is_marked: bool = False
    #: Cells of its largest grid that have a price each and a link or a button of their own.
    cells: int = 0
    #: Whether prose stands above what is bought, as in an article that names where to buy.
    is_late: bool = False

    @property
    def kinds(self) -> int:
        """How many kinds of marks of one thing that is sold."""
        return self.terms + sum(
            map(bool, (self.buys or self.books, self.forms, self.choices, self.prices, self.is_marked))
        )

    @property
    def is_of_one(self) -> bool:
        """Whether it is one thing that is sold: told by what buys it, and by several other kinds of marks."""
        is_bought = bool(self.buys or self.forms or self.books)
        if self.is_late or not (is_bought or self.is_marked):
            return False
        return self.kinds >= _SURELY_ONE or (is_bought and self.prices > 0 and self.kinds >= _ONE)

    @property
    def is_of_many(self) -> bool:
        """Whether it is a grid of things that are sold."""
        return self.cells >= _LEAST_CELLS and not (self.is_of_one and self.forms)

    @property
    def is_booked(self) -> bool:
        """Whether what is sold is booked, and not put into a cart."""
        return self.books > 0 and not (self.buys or self.forms)


NOTHING: Final = Selling()


def selling_of(page: Parts, metas: Mapping[str, str]) -> Selling:
    """Return the marks of selling in a page whose sides are marked.

    >>> from selectolax.lexbor import LexborHTMLParser
    >>> from toolkit.service.pages.parts import read_parts
    >>> source = "<h1>Kite</h1><p>£12.00</p><form action=/cart/add><input name=qty><button>Add to cart</button></form>"
    >>> found = selling_of(read_parts(LexborHTMLParser(source)), {})
    >>> found.buys, found.forms, found.choices, found.prices, found.kinds
    (1, 1, 1, 1, 4)
    """
    lines = [(place, line) for place, line in enumerate(page.lines[:_MOST_LINES]) if _is_main(line.part)]
    priced = [line for _, line in lines if _is_price(line.text)]
    short = ((place, line) for place, line in lines if len(line.text) <= _LONGEST_LABEL)
    labels = [(place, line, label) for place, line in short if (label := _label(line.text))]
    inputs = [(part, label) for part in page.parts if part.tag == "input" and (label := _label(_stated(part)))]
    fields = [part for part in page.parts if part.tag in _FIELDS and _is_field(part) and _is_main(part)]
    if not (priced or labels or fields):
        return NOTHING
    grid, cells = _grid(page, priced)
    controls = [(line.part, label, place) for place, line, label in labels]
    controls += [(part, label, part.first_line) for part, label in inputs if _is_main(part)]
    single = [(label, place) for part, label, place in controls if not _within(part, grid)]
    bought = [place for label, place in single if label != "choice"]
    forms = [part for part in page.parts if part.tag == "form" and _is_main(part) and _leads_to_cart(part)]
    return Selling(
        buys=sum(label in ("buy", "bid", "quote") for label, _ in single),
        books=sum(label == "book" for _, label, _ in controls),
        forms=sum(not _within(part, grid) for part in forms) + _linked_carts(page, grid),
        choices=sum(label == "choice" for label, _ in single) + sum(not _within(part, grid) for part in fields),
        prices=sum(not _within(line.part, grid) for line in priced),
        terms=_terms(line.text for _, line in lines if grid is None or not _within(line.part, grid)),
        is_marked=_is_marked(page, metas, grid),
        cells=cells,
        is_late=bool(bought) and _prose_above(page, min(bought)) > _MOST_PROSE,
    )


def _is_main(part: Part) -> bool:
    return part.side in _OWN_SIDES


def _within(part: Part, outer: Part | None) -> bool:
    return outer is not None and outer.first_part <= part.first_part < outer.last_part


def _is_price(text: str) -> bool:
    # Most lines have no digit.
    if len(text) > _LONGEST_PRICED or not _DIGIT.search(text):
        return False
    return _PRICE.search(text) is not None and not _NO_PRICE.search(text)


# Shops write the same few words on most of their controls.
@lru_cache(maxsize=8_192)
def _label(text: str) -> str:
    """Return what a short text that stands by itself does: ``buy``, ``bid``, ``quote``, ``book`` or ``choice``."""
    if len(text) > _LONGEST_LABEL:
        return ""
    text = text.strip(" »›→+>*.!:-–—|\t\u00a0").casefold()
    # Most have none.
    if text.endswith(_ENDS_OF_PRICE):
        text = _PRICE_AT_END.sub("", text)
    found = _any_label().fullmatch(text)
    return (found and found.lastgroup) or ""


_ENDS_OF_PRICE: Final = (*"0123456789.,)", "\n")
_PRICE_AT_END: Final = re.compile(rf"[ ,(·•-]+(?:for |from )?{_CURRENCY} ?[0-9.,]+\)?$", re.IGNORECASE)


def _stated(part: Part) -> str:
    """Return what a button that has no text says."""
    stated = part.attributes
    if (stated.get("type") or "").lower() not in ("submit", "button", "image"):
        return ""
    return stated.get("value") or stated.get("alt") or stated.get("title") or ""


def _is_field(part: Part) -> bool:
    """Tell whether a control is there to choose of what is sold."""
    if (part.attributes.get("type") or "") in ("search", "email", "submit"):
        return False
    return _mark("field").search((part.attributes.get("name") or "").lower()[:_LONGEST_LABEL]) is not None


def _leads_to_cart(part: Part) -> bool:
    stated = " ".join(part.attributes.get(name) or "" for name in ("action", "class", "id"))
    return _mark("action").search(stated.lower()[:300]) is not None


def _linked_carts(page: Parts, grid: Part | None) -> int:
    """Count links that put something into a cart: those of a button that says so."""
    return sum(
        1
        for address, part, texts in page.links[:_MOST_LINES]
        if _is_main(part)
        and not _within(part, grid)
        and address
        and _label(" ".join("".join(texts).split())) == "buy"
        and _mark("action").search(address.lower()[:300])
    )


def _terms(texts: Iterable[str]) -> int:
    # None goes on after the end of a line.
    together = "\n".join(text for text in texts if len(text) <= _LONGEST_TERM)
    may_be = [name for name in _TERMS if may_match(_mark(name), together)]
    lowered = together.lower() if may_be else ""
    return sum(_mark(name).search(lowered) is not None for name in may_be)


def _is_marked(page: Parts, metas: Mapping[str, str], grid: Part | None) -> bool:
    if metas.get("og:type", "").lower().startswith(("product", "og:product")) or "product:price:amount" in metas:
        return True
    body = page.parts[0].attributes
    names = f"{body.get('class') or ''} {body.get('id') or ''} {body.get('itemtype') or ''}".lower()
    if _mark("platform").search(names):
        return True
    products = [
        part
        for part in page.parts
        if _is_main(part)
        and not _within(part, grid)
        and any(_PRODUCT.search(part.attributes.get(name) or "") for name in ("itemtype", "typeof"))
    ]
    return len(products) == 1


def _grid(page: Parts, priced: list[Line]) -> tuple[Part | None, int]:
    """Return what holds most cells that have a price each and lead somewhere, and how many, if they make a grid."""
    linked = sorted({part.first_part for address, part, _ in page.links if address})
    buttons = [part.first_part for part in page.parts if part.tag in ("button", "input")]
    prices = sorted(line.part.first_part for line in priced)
    cells = {cell.first_part: cell for line in priced if (cell := _cell(line.part, (linked, buttons), prices))}
    holders = Counter(cell.parent.first_part for cell in cells.values() if cell.parent is not None)
    if not holders:
        return None, 0
    holder, number = holders.most_common(1)[0]
    grid = page.parts[holder]
    # What is tested or told of has a price and a link, too, and a text of its own.
    told = sum(len(line.text) >= _PROSE for line in page.lines[grid.first_line : grid.last_line])
    return (grid, number) if number >= _LEAST_CELLS and told < _MOST_TOLD * number else (None, 0)


def _cell(part: Part, leading: tuple[list[int], ...], prices: list[int]) -> Part | None:
    """Return the largest part around a price that leads somewhere and has no price of another thing."""
    for _ in range(_CELL_DEPTH):
        if any(_number_in(part, places) for places in leading):
            break
        if part.parent is None:
            return None
        part = part.parent
    own = _number_in(part, prices)
    if own > _MOST_PRICES_OF_CELL:
        return None
    for _ in range(_CELL_DEPTH):
        if part.parent is None or _number_in(part.parent, prices) > own:
            return part
        part = part.parent
    return None


def _number_in(part: Part, places: list[int]) -> int:
    return bisect_left(places, part.last_part) - bisect_left(places, part.first_part)


def _prose_above(page: Parts, place: int) -> int:
    return sum(len(line.text) for line in page.lines[:place] if len(line.text) >= _PROSE and _is_main(line.part))


@cache
def _forms() -> dict[str, str]:
    """Return the pattern of each mark, in small letters: to search for these takes a fraction of the time."""
    found: dict[str, list[str]] = {}
    for row in knowledge_rows("selling.tsv"):
        found.setdefault(row["mark"], []).append(row["pattern"])
    return {mark: "|".join(f"(?:{form})" for form in forms) for mark, forms in found.items()}


@cache
def _mark(name: str) -> re.Pattern[str]:
    """Return what a mark looks like in small letters."""
    return re.compile(_forms()[name])


@cache
def _any_label() -> re.Pattern[str]:
    """Return what labels look like: the name of the group that is found is what they do, of several the first."""
    return re.compile("|".join(f"(?P<{name}>{_forms()[name]})" for name in _LABELS))
