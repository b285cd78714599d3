"""How old its writer is, or those for whom it is, as a page states."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from toolkit.service.knowledge.marks import standing_in
from toolkit.service.knowledge.vocabulary import service_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.service.pages.parsed import Page

__all__ = ["NEAR_WRITER", "OLDEST", "brackets_of", "own_ages", "stated_ages", "writers_brackets"]

_UNITS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_DECADES: Final = ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties")
_TEENS: Final = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_WORDS: Final = {
    **{word: 13 + place for place, word in enumerate(_TEENS)},
    **{ten: 20 + 10 * place for place, ten in enumerate(_TENS)},
    **{f"{ten}-{unit}": 21 + 10 * i + j for i, ten in enumerate(_TENS) for j, unit in enumerate(_UNITS)},
}
_NUMBER: Final = rf"([1-9][0-9]|{'|'.join(_TEENS)}|(?:{'|'.join(_TENS)})(?:-(?:{'|'.join(_UNITS)}))?)"
_DECADE: Final = rf"({'|'.join(_DECADES)}|[2-9]0['’]?s)"
#: What follows a number that is no age.
_COUNTED: Final = (
    r"(?![\d%.:,]*[\d%])(?! (?:percent|per cent|years?(?! old)|weeks?|days?|months?|hours?|minutes?|miles?|of|out"
    r"|degrees|mph|[kmc]?g|[mc]?l|[kmc]m|ft|feet|inch(?:es)?|lbs?|oz|psi|bar|rpm|[ap]m|pounds|dollars|euros|pence|knots"
    r"|lessons|a|each|per)\b)\b"
)
#: What stands before an age that somebody is to have.
_NOT_YET: Final = "".join(f"(?<!{word} i)" for word in ("time", "when", "until", "till", "once", "before", "if"))
#: In small letters; as it begins with a letter, it is searched for many times as fast.
_OWN: Final = re.compile(
    rf"i(?<!\wi){_NOT_YET}(?:'?m| am|(?: just|'ve)? turned|'ll be) {_NUMBER}{_COUNTED}(?! in (?:19|20)[0-9][0-9])"
)
#: As in "ahead of my 65th birthday".
_BIRTHDAY: Final = re.compile(r"\bmy ([1-9][0-9])(?:st|nd|rd|th) birthday\b")
#: As in "My (27F) lease is up".
_OWN_IN_FORUMS: Final = re.compile(r"\b(?:i|me|my|myself) ?[(\[]([1-9][0-9]) ?[fm]\b")
#: What it is not said without; a search for a bracket is quicker.
_IN_BRACKETS: Final = re.compile(r"[(\[][1-9][0-9] ?[fm]\b")
_OWN_DECADE: Final = re.compile(rf"\bin my (?:early |mid-? ?|late )?{_DECADE}\b", re.IGNORECASE)
#: What neither of them is said without: a look for it is quicker.
_WORDS_OF_OWN: Final = ("i'm ", "im ", "i am ", "i turned ", "i just turned ", "i've turned ", "i'll be ")
_WORDS_OF_DECADES: Final = ("in my ",)
#: Who begins something at an age, in a title such as "Apprentice at thirty-four" or wherever readers are spoken to; of
#: those who die or win at one a page tells.
_AT: Final = re.compile(
    r"\b(?:start|begin|learn|train|retrain|study|chang)\w{0,4}(?: [\w-]+){0,4}? (?:at|aged|after) (?:age )?"
    rf"{_NUMBER}{_COUNTED}",
    re.IGNORECASE,
)
_IN_TITLE: Final = re.compile(
    rf"(?:\bturning (?=[3-9][0-9](?: *(?:$|[|–—!?:]|\.(?![0-9]))| (?:and|with|(?:this|next) year|soon)\b))"
    rf"|\b(?:at|aged) (?=[\w-]+\s*(?:$|[|–—!?]|-(?!year)|[:.,](?![0-9])))"
    r"|\bat (?=[3-7][0-9] (?:for|when|with|and|after)\b)|\bas an? (?=[\w-]+?[- ]year[- ]old)"
    r"|^(?=[\w-]+ with (?:a (?:mortgage|degree|baby|toddler|family)|no (?:degree|savings|experience|pension)"
    r"|(?:\w+ )?kids)\b))"
    rf"{_NUMBER}\b",
    re.IGNORECASE,
)
#: What titles the words of somebody who is asked or quoted, and whose age is not that of who reads it.
_QUOTED: Final = re.compile(
    r"^\W*[\"“‘']\w|\binterview(?::| with\b)|\bq ?& ?a\b|\bin conversation with\b", re.IGNORECASE
)
_OF_OTHERS: Final = re.compile(
    r"\b(?:dies|died|dead|death|killed|jailed|retires?|retired|wins|won|signs|arrested|missing|obituary)\b",
    re.IGNORECASE,
)
#: Those for whom it is: the over-60s, 55+, aged 60 and over, people over 60, the forties of "your forties".
_OVER: Final = re.compile(
    rf"\bover[- ]{_NUMBER}['’]?s\b|\bover[- ]{_DECADE}\b"
    r"|\b([5-9][05])(?: ?\+|[- ]plus\b)(?= *(?:years?|clubs?|singles|dating|travel|insurance|cover|men|women|only))"
    r"|\b(?:for|aged?|ages|the|are) ([5-9][05])(?: ?\+|[- ]plus\b)(?= *(?:$|[|:–—,.!?()]))"
    rf"|\b(?:aged?|ages) (?:over )?{_NUMBER}(?: ?\+| (?:and|or) (?:over|above|older))"
    r"|\b([1-9][0-9]) (?:and|or) (?:over|above|older)\b"
    r"|\b(?:people|adults|men|women|drivers|travellers|singles|couples|golfers|runners|workers|patients|anyone"
    rf"|those|(?:most|many|some|all) of us|us|you(?:'re| are)?|aged) (?:aged )?over {_NUMBER}{_COUNTED}"
    rf"|\b(?:life|dating|fitness|running|work|careers?) (?:after|over|past) {_NUMBER}{_COUNTED}",
    re.IGNORECASE,
)
#: In a title also without a word for people: a printer makes "60+" labels a minute.
_OVER_IN_TITLE: Final = re.compile(r"\b([5-9][05])(?: ?\+|[- ]plus\b)(?= *(?:$|[|:–—,.!?()]))")
_BETWEEN: Final = re.compile(
    r"\b(?:aged?|ages|aged between|for|from) ([1-9]?[0-9])(?: ?(?:to|-|–|and) ?)([1-9]?[0-9])"
    r"(?=[- ]years?[- ]olds?\b|(?<=\b)\s*(?:$|[|:,.;!?()–—]| years?\b| year))"
    r"|\b(?:aged|ages|aged between) ([1-9]?[0-9])(?: ?(?:to|-|–|and) ?)([1-9]?[0-9])\b(?! ?(?:months|cm|kg|%))"
    r"|\b([1-9]?[0-9])(?:-| ?– ?| to )([1-9]?[0-9])[- ]year[- ]olds?\b"
    r"|\b([1-9][0-9])-([1-9][0-9])['’]?s\b",
    re.IGNORECASE,
)
_UNDER: Final = re.compile(r"\bunder[- ]([1-9]?[0-9])['’]?s\b", re.IGNORECASE)
#: Of those who are called by their age; a carpet has one, too.
_OF_AGE: Final = re.compile(
    r"\bfor (?:an? )?([1-9]?[0-9])[- ]year[- ]old(?:s\b|\b(?! (?!boys?\b|girls?\b|child|kids?\b|sons?\b"
    r"|daughters?\b|twins?\b|toddlers?\b|pupils?\b|students?\b|and\b|or\b|to\b|who\b|in\b|at\b)[a-z]))",
    re.IGNORECASE,
)
_OF_DECADE: Final = re.compile(
    rf"\bin (?:your|their) (?:early |mid-? ?|late )?{_DECADE}\b"
    r"|\b(?:(twenty|thirty|forty|fifty|sixty|seventy)|([2-7]0))[- ]somethings?\b",
    re.IGNORECASE,
)
#: What none of those over an age is said without: a look for it is quicker.
_ABOVE: Final = ("over", "+", "plus", "above", "older", "after", "past")
#: What no age is said without.
_NUMBERED: Final = re.compile("[0-9]|t(?:y|ies)|teen", re.IGNORECASE)
OLDEST: Final = 99
#: What is for those over an age below which one is no adult, is for adults.
_ADULT: Final = 30
#: Years by which readers may be younger or older than the writer, and than one who begins as they do.
NEAR_WRITER: Final = 8
#: Years of a bracket that readers must have, if they are of so many ages.
_LEAST_YEARS: Final = 4
_MOST_BRACKETS: Final = 3


def writers_brackets(page: Page) -> frozenset[str]:
    """Return the age brackets of readers that do not contradict what its title or its writer says.

    Readers of somebody who writes of himself or herself are about as old; where nobody does, all ages fit.

    >>> from toolkit.service.pages.parsed import page_from_text
    >>> sorted(writers_brackets(page_from_text("At the moment I'm 58 and I have begun to learn Welsh.")))
    ['45_54', '55_64', '65_74']
    """
    own = own_ages(page.title, page.opening)
    return frozenset(
        name
        for name, (youngest, oldest) in _brackets().items()
        if not own or any(youngest <= age + NEAR_WRITER and age - NEAR_WRITER <= oldest for age in own)
    )


def own_ages(title: str, text: str) -> tuple[int, ...]:
    """Return the ages that a text's writer says of himself or herself, or its title of who begins something."""
    titled = tuple(_age(found[1]) for found in _IN_TITLE.finditer(title))
    if _QUOTED.search(title):
        return titled
    plain = text.lower().replace("’", "'")
    told, told_of_decades = (
        pattern.finditer(plain) if standing_in(text, words) else ()
        for pattern, words in ((_OWN, _WORDS_OF_OWN), (_OWN_DECADE, _WORDS_OF_DECADES))
    )
    birthdays = _BIRTHDAY.finditer(plain) if "birthday" in plain else ()
    in_forums = _OWN_IN_FORUMS.finditer(plain) if _IN_BRACKETS.search(plain) else ()
    own = [_age(found[1]) for found in (*told, *birthdays, *in_forums)]
    return (*own, *titled, *(_middle(found[1]) for found in told_of_decades))


def stated_ages(text: str, *, is_title: bool = False) -> Iterator[tuple[tuple[int, int], int, str]]:
    """Yield the ages for which something is, first and last, where a text says so, and its words.

    >>> [(ages, words) for ages, _, words in stated_ages("Judo for children aged 8 to 12, and for the over-60s")]
    [((60, 99), 'over-60s'), ((8, 12), 'aged 8 to 12')]
    """
    if not _NUMBERED.search(text):
        return
    lowered = text.lower()
    over = (_OVER, *([_OVER_IN_TITLE] if is_title else [])) if any(word in lowered for word in _ABOVE) else ()
    for found in chain.from_iterable(pattern.finditer(text) for pattern in over):
        number = next(group for group in found.groups() if group)
        least = _middle(number) - 5 if number.rstrip("s'’") not in _WORDS and not number.isdigit() else _age(number)
        if least >= _ADULT:
            yield (least, OLDEST), found.start(), found[0]
    for found in _BETWEEN.finditer(text):
        first, last = (int(group) for group in found.groups() if group)
        if first < last:
            yield (first, last), found.start(), found[0]
    for found in _UNDER.finditer(text):
        yield (max(int(found[1]) - 6, 0), int(found[1]) - 1), found.start(), found[0]
    for found in _OF_AGE.finditer(text):
        yield (int(found[1]), int(found[1])), found.start(), found[0]
    for found in _OF_DECADE.finditer(text):
        middle = _middle(found[1]) if found[1] else _age((found[2] or found[3]).lower()) + 5
        yield (middle - 5, middle + 4), found.start(), found[0]
    for found in (*_AT.finditer(text), *(_IN_TITLE.finditer(text) if is_title and not _OF_OTHERS.search(text) else ())):
        age = _age(found[1])
        yield (age - NEAR_WRITER, age + NEAR_WRITER), found.start(), found[0]


def brackets_of(first: int, last: int) -> tuple[str, ...]:
    """Return the brackets of some ages, the youngest three of which they have enough years.

    >>> brackets_of(60, 99)
    ('55_64', '65_74', '75_99')
    """
    least = min(_LEAST_YEARS, (last - first + 3) // 3)
    found = [
        name
        for name, (youngest, oldest) in _brackets().items()
        if min(last, oldest) - max(first, youngest) + 1 >= least
    ]
    return tuple(found[:_MOST_BRACKETS])


def _age(number: str) -> int:
    return int(number) if number.isdigit() else _WORDS[number.lower()]


def _middle(decade: str) -> int:
    return 5 + (int(decade[:2]) if decade[0].isdigit() else 20 + 10 * _DECADES.index(decade.lower()))


@cache
def _brackets() -> dict[str, tuple[int, int]]:
    """Return the youngest and oldest of each bracket of the vocabulary."""
    names = service_vocabulary().values["age_bracket"]
    return {name: (int(name.partition("_")[0]), int(name.partition("_")[2])) for name in names}
