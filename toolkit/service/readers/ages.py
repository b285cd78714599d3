"""How old its writer is, or those for whom it is, as a page states."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from toolkit.service.knowledge.vocabulary import service_vocabulary

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["stated_brackets"]

_UNITS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_DECADES: Final = ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties")
_TEENS: Final = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_WORDS: Final = {
    **{word: 13 + place for place, word in enumerate(_TEENS)},
    **{ten: 20 + 10 * place for place, ten in enumerate(_TENS)},
    **{f"{ten}-{unit}": 21 + 10 * i + j for i, ten in enumerate(_TENS) for j, unit in enumerate(_UNITS)},
}
_NUMBER: Final = "([1-9][0-9]|" + "|".join(sorted(_WORDS, key=len, reverse=True)) + ")"
#: What follows a number that is no age.
_COUNTED: Final = r"(?![\d%.:,]*[\d%])(?! (?:percent|per cent|weeks?|days?|months?|hours?|minutes?|miles?|km|of|out))\b"
_OWN: Final = re.compile(rf"\b(?:I'm|I am|I(?: just|'ve)? turned|I'll be) {_NUMBER}{_COUNTED}", re.IGNORECASE)
_OWN_DECADE: Final = re.compile(
    rf"\bin my (?:early |mid-? ?|late )?({'|'.join(_DECADES)}|[2-9]0'?s)\b",
    re.IGNORECASE,
)
#: A title such as "Apprentice at thirty-four".
_IN_TITLE: Final = re.compile(rf"\b(?:at|aged) {_NUMBER}\s*(?:$|[|:–—!?-])", re.IGNORECASE)
#: Those for whom it is: the over-60s, 55+.
_OVER: Final = re.compile(rf"\bover[- ]{_NUMBER}s\b|\b([5-9][05])(?: ?\+|[- ]plus\b)", re.IGNORECASE)
_OLDEST: Final = 99
#: Years by which readers may be younger or older than the writer.
_ABOUT: Final = 8


def stated_brackets(page: Page) -> frozenset[str]:
    """Return the age brackets of readers that do not contradict what a page states; all where it states nothing.

    Readers of somebody who writes of himself or herself are about as old; those of a page for the over-60s are older.

    >>> from toolkit.service.pages.parsed import page_from_text
    >>> sorted(stated_brackets(page_from_text("At the moment I'm 58 and I have begun to learn Welsh.")))
    ['45_54', '55_64', '65_74']
    """
    text = page.opening.replace("’", "'")
    own = [_age(found[1]) for found in (*_OWN.finditer(text), *_IN_TITLE.finditer(page.title))]
    own += [_middle(found[1]) for found in _OWN_DECADE.finditer(text)]
    over = [_age(found[1] or found[2]) for found in _OVER.finditer(f"{page.title}\n{page.description}")]
    spans = [(age - _ABOUT, age + _ABOUT) for age in own] + [(age, _OLDEST) for age in over]
    if not spans:
        return frozenset(_brackets())
    return frozenset(
        name
        for name, (youngest, oldest) in _brackets().items()
        if any(youngest <= last and first <= oldest for first, last in spans)
    )


def _age(number: str) -> int:
    return int(number) if number.isdigit() else _WORDS[number.lower()]


def _middle(decade: str) -> int:
    return 5 + (int(decade[:2]) if decade[0].isdigit() else 20 + 10 * _DECADES.index(decade.lower()))


@cache
def _brackets() -> dict[str, tuple[int, int]]:
    """Return the youngest and oldest of each bracket of the vocabulary."""
    names = service_vocabulary().values["age_bracket"]
    return {name: (int(name.partition("_")[0]), int(name.partition("_")[2])) for name in names}
