"""Pages that speak to firms of their money: what private people do with theirs is no subject of these."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.marks import may_match
from toolkit.service.subjects.wording import count_matches, different_matches, rate_of

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["speaking_to_firms"]

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
#: What is taken off the score of personal finance and of all below it.
_TAKEN: Final = 0.3


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
