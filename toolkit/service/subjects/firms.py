"""Pages that speak to firms: of their money, which is not what private people do with theirs, or as their customers."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.knowledge.marks import may_match
from toolkit.service.subjects.wording import count_matches, different_matches, rate_of

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["Trade", "speaking_to_firms", "trade_served"]

#: What those have who are spoken to as a firm, and what firms alone do with money.
_OF_FIRMS: Final = re.compile(
    r"\b(?:your|our|the) (?:customers?|clients?|compan(?:y|ies)|business(?:es)?|suppliers?|staff|employees?|payroll"
    r"|bookkeeper|accountant|books|shop|till|turnover|audit trail|accounting software)\b"
    r"|\b(?:bookkeep\w+|invoic\w+|vat[- ]registered|vat return|sales tax return|ledgers?|reconcil\w+"
    r"|accounts? (?:payable|receivable)|credit notes?|purchase orders?|nominal codes?|chart of accounts|sole traders?"
    r"|small businesses|payroll|merchants?|point of sale|card terminals?|chargebacks?)\b",
    re.IGNORECASE,
)
#: What private people do with theirs.
_PRIVATE: Final = re.compile(
    r"\b(?:your|my|our|a|the) (?:famil(?:y|ies)|household|kids|children|mortgage|pension|savings|wages?|salary"
    r"|pay ?cheque|paycheck|home|retirement|partner|spouse)\b",
    re.IGNORECASE,
)
#: Different words of theirs that a page says to them, how many mentions there must be a hundred words, and how many
#: times those of private life.
_LEAST: Final = 4
_RATE: Final = 1.0
_TIMES: Final = 3
#: What those have at work who are spoken to, and how they pay.
_AT_WORK: Final = re.compile(
    r"\b(?:your|our) (?:guests?|customers?|clients?|patients?|members?|tenants?|pupils|students|staff|teams?"
    r"|technicians|drivers|chefs|reps|branch(?:es)?|practices?|salon|kitchen|sites?|fleet|herd|stock|shop|store|business|firm"
    r"|company|clinic|surgery|workshop|studio|venue|crew|engineers|volunteers|landlords|instructors|setting"
    r"|organi[sz]ation|accountant|books|till|menu|brand|premises)\b"
    r"|\btrade (?:accounts?|prices?|customers|counter|only)\b|\b(?:invoices?|purchase orders?|wholesale|stockists?"
    r"|commercial|industrial|contracts?|margins?|lead times?|minimum order|we supply|book a demo)\b"
    r"|\b(?:per|a) (?:site|branch|practice|seat|user|instructor|chair|bay|vehicle)\b"
    r"|\b(?:plus|excl?\.?|ex|before) vat\b|\b(?:cases?|packs?) of [0-9]",
    re.IGNORECASE,
)
#: What stands before the names of trades.
_KINDS_OF: Final = (
    r"(?:(?:the|all|busy|independent|small|local|commercial|professional|private|modern|family|growing|working|rural"
    r"|mobile|boutique|public|uk) ){0,2}"
)
#: What is taken off the score of personal finance and of all below it.
_TAKEN: Final = 0.3


class Trade(NamedTuple):
    """A trade that somebody serves."""

    #: Its name, as it stands there.
    name: str
    #: Where that is: ``title``, ``heading`` or ``description``.
    where: str
    #: The identifier of the content category of its industry.
    category: str


def trade_served(page: Page) -> Trade | None:
    """Return for which trade a page says that it is (`trades.tsv`): its title, or its head where it speaks to firms.

    Who prints menus for restaurants cooks nothing.

    >>> from toolkit.service.pages.parsed import Page
    >>> text = "We print menus that survive your kitchen. Proofs in a day, invoices monthly."
    >>> trade_served(Page(url="https://a.example/", title="Menus printed for restaurants", text=text)).name
    'restaurants'
    """
    head = {"title": page.title, "heading": "".join(page.headings[:1]), "description": page.description}
    for where, text in head.items():
        if found := _for_trades().search(text):
            is_served = where == "title" or count_matches(_AT_WORK, page.opening) > 0
            return Trade(found[1].lower(), where, _trades()[found[1].lower()]) if is_served else None
    return None


@cache
def _for_trades() -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in sorted(_trades(), key=len, reverse=True))
    return re.compile(rf"\bfor {_KINDS_OF}({names})(?![\w'’])(?! (?:who|of|in)\b)", re.IGNORECASE)


@cache
def _trades() -> dict[str, str]:
    """Return the identifier of the industry of each trade."""
    taxonomy = Taxonomy.load("content-v3")
    rows = knowledge_rows("trades.tsv")
    return {name: taxonomy.by_path(row["path"]).id for row in rows for name in listed(row["customers"])}


# Both taxonomies ask, and the web-filtering categories.
@lru_cache(maxsize=16)
def speaking_to_firms(page: Page) -> dict[str, float]:
    """Return what it takes off the scores of personal finance that a page speaks to firms.

    >>> from toolkit.service.pages.parsed import page_from_text
    >>> text = "Send customers a credit note, never delete the invoice, and reconcile your books before the VAT return."
    >>> sorted(set(speaking_to_firms(page_from_text(text)).values()))
    [-0.3]
    """
    # Most pages need not be put together for it.
    if not may_match(_OF_FIRMS, page.said):
        return {}
    text = f"{page.title}\n{page.opening}"
    if different_matches(_OF_FIRMS, text) < _LEAST:
        return {}
    mentions = count_matches(_OF_FIRMS, text)
    if rate_of(mentions, page) < _RATE or mentions < _TIMES * count_matches(_PRIVATE, text):
        return {}
    return dict.fromkeys(_personal_finance(), -_TAKEN)


@cache
def _personal_finance() -> tuple[str, ...]:
    """Return the identifiers of personal finance and of all below it, in either content taxonomy."""
    found: dict[str, None] = {}
    for name in ("content-v3", "content-v2"):
        taxonomy = Taxonomy.load(name)
        top = taxonomy.by_path("Personal Finance")
        found |= dict.fromkeys((top.id, *(category.id for category in taxonomy.descendants(top.id))))
    return tuple(found)
