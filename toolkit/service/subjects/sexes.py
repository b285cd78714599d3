"""Fashion for women, for men and for children: which of them a page is of, most words of which say fashion alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from toolkit.service.subjects.translation import understood
from toolkit.service.subjects.wording import count_matches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.service.pages.parsed import Page

__all__ = ["SEXED", "other_sexes"]

_CHILDREN: Final = "Style & Fashion > Children's Clothing"
#: The branches of fashion for one sex, and the words that say it: those for the sex, and things that only one of them
#: wears. A dress shirt is none of them.
_SAID: Final = {
    "Style & Fashion > Women's Fashion": re.compile(
        r"\b(?:wom[ae]n(?:['’]?s)?|lad(?:y|ies)|womenswear|feminine|bridal|bridesmaids?|maternity|girlfriends?"
        r"|dress(?:es)?(?![ -](?:shirts?|shoes?|codes?|boots?|watch(?:es)?)\b)|gowns?|skirts?|blouses?|bras?|lingerie"
        r"|(?:high|block|kitten|stiletto) heels?|stilettos|hand ?bags?|clutch bags?|jumpsuits?|camisoles?|culottes"
        r"|bodycon|midi|maxi|bikinis?|leggings|tights|earrings?|necklaces?)\b",
        re.IGNORECASE,
    ),
    "Style & Fashion > Men's Fashion": re.compile(
        r"\b(?:m[ae]n(?:['’]?s)?|gentlem[ae]n(?:['’]s)?|gents|menswear|masculine|groomsm[ae]n|grooms"
        r"|(?:business|three-piece|two-piece|lounge) suits?|suit jackets?|dress shirts?|(?:silk|bow|neck)[ -]?ties?"
        r"|cuff ?links|chronographs?|bezels?|lugs|brogues?|waistcoats?|tuxedos?|dinner jackets?|boxers|lapels?)\b",
        re.IGNORECASE,
    ),
}
_OF_CHILDREN: Final = re.compile(r"\b(?:girls?|boys?|kids?|child(?:ren)?|toddlers?|bab(?:y|ies))\b", re.IGNORECASE)
#: These branches.
SEXED: Final = tuple(_SAID)
#: Mentions of a sex from which a page says it: once is by the way.
_SAID_PLAINLY: Final = 2
#: Share of the certainty of adults' fashion that children's may have beside it.
_BESIDE_ADULTS: Final = 0.5


def other_sexes(page: Page, certain: Mapping[str, float]) -> tuple[str, ...]:
    """Return the branches of fashion for a sex of which a page may not be, by the confidences of all paths given.

    A jacket is no woman's because the words for jackets stand more often with women's fashion. A page must say a sex,
    or what it alone wears, more than once, and not much less often than the other; what is for girls and boys is for
    no adults.
    """
    rivals = [path for path in _SAID if path in certain]
    if not rivals:
        return ()
    read = understood(page)
    text = "\n".join((read.title, *read.headings, read.opening))
    said = {path: count_matches(pattern, text) for path, pattern in _SAID.items()}
    least = max(_SAID_PLAINLY, max(said.values()) / 2)

    def is_fitting(path: str) -> bool:
        return said[path] >= least and certain.get(_CHILDREN, 0.0) < _BESIDE_ADULTS * certain[path]

    is_for_children = _OF_CHILDREN.search(read.title) is not None
    return tuple(path for path in rivals if is_for_children or not is_fitting(path))
