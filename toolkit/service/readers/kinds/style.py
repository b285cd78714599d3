"""What kind of page a page is worded like, as pages of known kinds are: blogs, guides, offers, stories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.service.knowledge.compiled import kind_examples
from toolkit.service.knowledge.examples import KIND

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["worded_kind"]

#: Kinds of which pages are worded alike. What a paper prints is told by its marks, and a forum by its posts.
_TOLD_BY_WORDING: Final = frozenset(
    (
        *("article", "blog", "category_page", "corporate", "documentation", "event_page", "fiction", "guide"),
        *("landing_page", "product_page", "reference", "review"),
    )
)
#: What is for sale: people tell of what they bought or tried in the same words.
_GOODS: Final = frozenset(("category_page", "product_page"))
#: Words from which a page says enough to tell how it is worded.
_ENOUGH: Final = 100
#: How likely a kind may be at most that a page is not of, and how many times as likely the other must be.
_UNLIKELY: Final = 0.2
_TIMES: Final = 2
#: Words that are told of how a page is worded.
_WORDS: Final = 3


def worded_kind(page: Page, kind: str, *, may_sell: bool) -> tuple[str, str] | None:
    """Return the kind that an English page is worded like, and its ground, where it is hardly of another kind."""
    if not page.is_english or page.tokens < _ENOUGH:
        return None
    known = kind_examples()
    told = known.told(*known.worded(*page.stated))[KIND]
    likely = np.exp(told - np.logaddexp.reduce(told))
    answers = known.answers[KIND]
    best = int(likely.argmax())
    share = float(likely[answers.index(kind)]) if kind in answers else 0.0
    wordings = _TOLD_BY_WORDING if may_sell else _TOLD_BY_WORDING - _GOODS
    if answers[best] not in wordings or share > _UNLIKELY or likely[best] < _TIMES * share:
        return None
    words = known.telling(KIND, [best], *page.stated)
    return answers[best], f"worded like others of its kind: {', '.join(words[:_WORDS])}"
