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
#: The branches of fashion for one sex, and what says it; things that only one of them wears say it by themselves.
_SAID: Final = {
    "Style & Fashion > Women's Fashion": re.compile(
        r"\b(?:wom[ae]n(?:['’]?s)?|lad(?:y|ies)(?:['’]s|['’])?|womenswear|bridal|bridesmaids?|maternity)\b",
        re.IGNORECASE,
    ),
    "Style & Fashion > Men's Fashion": re.compile(
        r"\b(?:m[ae]n(?:['’]?s)?|gentlem[ae]n(?:['’]s)?|gents|menswear|groomsm[ae]n|grooms)\b", re.IGNORECASE
    ),
}
#: These branches.
SEXED: Final = tuple(_SAID)
#: Confidence from which things tell by themselves of which sex they are, where the other is no rival.
_PLAIN: Final = 0.75
#: Mentions of a sex from which a page says it: once is by the way.
_SAID_PLAINLY: Final = 2


def other_sexes(page: Page, certain: Mapping[str, float]) -> tuple[str, ...]:
    """Return the branches of fashion for a sex of which a page may not be, by the confidences of all paths given.

    A jacket is no woman's because the words for jackets stand more often with women's fashion. What a page does not
    say of a sex, more often than of the other, must be plain by itself, and nothing of children's clothes is adults'.
    """
    rivals = {path: certain[path] for path in _SAID if path in certain}
    if not rivals:
        return ()
    read = understood(page)
    text = "\n".join((read.title, *read.headings, read.opening))
    said = {path: count_matches(pattern, text) for path, pattern in _SAID.items()}
    most = max(said.values())

    def is_fitting(path: str) -> bool:
        if certain.get(_CHILDREN, 0.0) >= rivals[path]:
            return False
        if said[path] >= _SAID_PLAINLY:
            return 2 * said[path] > most
        return most < _SAID_PLAINLY and len(rivals) == 1 and rivals[path] >= _PLAIN

    return tuple(path for path in rivals if not is_fitting(path))
