"""What a page offers, goods or services, and the purchase intents that follow from what it is surely about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from toolkit.service.readers.kinds import content_type
from toolkit.service.readers.support import lineage, owners
from toolkit.service.subjects.notices import is_notice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolkit.service.pages.parsed import Page
    from toolkit.service.subjects.content import Scored

__all__ = ["may_tempt", "offered", "offered_codes"]

#: What each kind of page offers; who reads a review means to buy what is reviewed.
_OFFERED_BY_KIND: Final = {
    "product_page": ("goods",),
    "category_page": ("goods",),
    "review": ("goods", "services"),
    "corporate": ("services",),
    "landing_page": ("services",),
    "event_page": ("services",),
}
#: Main categories of which services are reviewed; of others it is goods.
_VISITED: Final = ("Attractions", "Entertainment", "Fine Art", "Food & Drink", "Travel")
#: Kinds of pages that explain what one has, and tempt nobody to buy it.
_EXPLAINING: Final = ("documentation", "reference", "tool")
#: Addresses at which those are helped who have bought already, and where opinions stand.
_NOT_TEMPTING: Final = re.compile(
    r"^https?://(?:help|support|faqs?)\.|/(?:help|faqs?|support|opinions?|comment|commentary|columns?|editorials?|letters"
    r"|obituar(?:y|ies))(?:/|$)",
    re.IGNORECASE,
)
#: What nobody reads of with a purchase in mind, unless it is offered.
_NO_WISHES: Final = (
    *("Crime", "Disasters", "Family and Relationships > Bereavement", "Family and Relationships > Divorce"),
    *("Healthy Living > Smoking Cessation", "Law", "Medical Health", "Politics", "Pop Culture > Celebrity Deaths"),
    *("Personal Celebrations & Life Events > Funeral", "Sensitive Topics", "War and Conflicts"),
)


def offered(page: Page) -> tuple[str, ...]:
    """Return what a page offers: ``goods``, ``services``, both or nothing."""
    return () if is_notice(page) else _OFFERED_BY_KIND.get(content_type(page)[0], ())


def may_tempt(page: Page, categories: Iterable[Scored]) -> tuple[Scored, ...]:
    """Return the categories of which a page that offers nothing may make its readers buy something."""
    if content_type(page)[0] in _EXPLAINING or _NOT_TEMPTING.search(page.url):
        return ()
    return tuple(category for category in categories if not category.path.startswith(_NO_WISHES))


def offered_codes(page: Page, categories: Iterable[Scored]) -> Iterator[tuple[str, ...]]:
    """Yield the intents of what a page offers, for each part that it is surely about: one, or several to choose from.

    They are those of the nearest category for which the knowledge names any (`code_categories.tsv`).
    """
    found = tuple(categories)
    above = {step for category in found for step in lineage(category.id) if step != category.id}
    offers = offered(page)
    for category in found if offers else ():
        if category.id not in above:
            offer = offers[-1] if category.path.startswith(_VISITED) else offers[0]
            steps = (owners(offer).get(step, ()) for step in lineage(category.id))
            yield next(filter(None, steps), ())
