"""Whether a page is a directory: a list of firms, clubs or people, each with where it is and what it does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from toolkit.service.subjects.wording import OWN_VOICE, count_matches, rate_of_own_i, tells_news

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["lists_firms", "shows_some"]

#: Beginning with the digit itself, it is searched for several times as fast.
_PHONE: Final = re.compile(r"[0-9](?<!\w[0-9])[0-9 ()./-]{7,16}[0-9]\b")
#: How lists of those of a place are titled: "Piano teachers in Norwich", "The Longbox List: Ontario comic shops".
_TITLED: Final = re.compile(
    r"^\W*(?:[0-9]+ |the (?:[0-9]+ )?|find (?:an? )?|our )?(?:[\w'’&-]+ ){0,4}?[\w'’&-]{2,}s(?: to (?:let|rent))?"
    r"(?: \([0-9]+\))? (?:in|near|around|across|throughout|within|by) (?:the )?"
    r"(?:(?!The |A |Your |Our )[A-Z]|(?:county|state|province|city|town|region|country|area|postcode|type|name)\b)"
    r"|(?i:\b(?:directory|finder|find an? [a-z]+|list(?:ings?)?:|list of|stockists|links|members['’]? list"
    r"|who['’]?s who|register of|suppliers|yellow pages)\b)"
)
#: How many there are, or which of them are shown.
_COUNTED: Final = re.compile(
    r"(?m)\b(?:showing |results )?[0-9]{1,4}\s?[-–—]\s?[0-9]{1,4} of [0-9,]{1,7}\b"
    r"|(?:^|[-–—|:] )\W{0,3}(?:(?:we (?:found|list)|there are|all|over) )?[0-9,]{1,6} (?:[a-z]+ ){0,2}(?:results"
    r"|listings|clubs|compan(?:y|ies)|members|firms|suppliers|businesses|shops|stores|teachers|tutors|schools|practices"
    r"|entries|venues|branches|providers|dealers|breeders|makers|groups|societies|agents|solicitors|surgeries|places"
    r"|stockists|contractors|engineers|found|listed|vendors|churches|courses|nurseries|homes|sites|links)\b",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(r"^\W*[0-9]{1,4} [a-z]|\([0-9]{1,4}\)\W*$")
#: What lists invite to: to be on them, to mend them, to sort them.
_INVITES: Final = re.compile(
    r"\b(?:(?:add|list|submit|suggest|register|promote) (?:an? |your |my |the )?(?:new )?(?:listings?|business(?:es)?"
    r"|clubs?|links?|compan(?:y|ies)|firms?|shops?|groups?|entry|entries|practice|profile|sites?|venues?|corrections?"
    r"|changes?)\b|(?:get|be) listed|claim (?:this|your|a) (?:listing|profile|page|business)"
    r"|(?:free|featured) listings?|sort(?:ed)? by|filter by"
    r"|listed (?:alphabetically|by|in order|here)|alphabetical order|dead (?:links?|one)"
    r"|links (?:tested|checked)|send us (?:an update|a correction|yours)|(?:one|club|group|shop|firm|business|listing)"
    r" (?:is )?(?:missing|wrong|closed|not (?:here|listed))|not (?:listed|on (?:the|this) list)"
    r"|missing from (?:the|this) (?:list|page|map)|know (?:of )?(?:one|another)\b"
    r"|(?:choose|pick) another (?:region|county|state|area|city|town)|show (?:number|phone)|no reviews yet"
    r"|visit website|view (?:profile|listing|on map)|list\W{1,3}map|map view)",
    re.IGNORECASE,
)
#: Lines that tell where somebody is (a street, the state behind a comma, a postcode, a telephone), what is thought of
#: him, or, behind a dash, what he does.
_ENTRY: Final = re.compile(
    r"\b(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|highway|hwy|square|sq|terrace|yard|unit [0-9]+"
    r"|suite [0-9]+|industrial estate|business park|p\.?o\.? box)\b\.?(?:,|$| ·| \||;)"
    r"|, [A-Z]{2,3}\b|\b[A-Z]{1,2}[0-9]{1,2}[A-Z]? ?[0-9][A-Z]{2}\b|\b[A-Z]{1,2}[0-9]{1,2},|★"
    rf"|{_PHONE.pattern}|\bwww\.|\.(?:com|org|net|co\.uk)\b|^- [A-Z][\w&.,'’ ]{{2,40}} [-–—] "
)
#: How many of them are shown, of all that there are.
_SHOWN: Final = re.compile(r"\bshowing (?:[0-9]{1,4}\s?[-–—]\s?)?[0-9]{1,4} of [0-9,]{1,7}\b", re.IGNORECASE)
_SIGNS_OF_SHOWING: Final = ("showing ", "Showing ")
_DIGITS: Final = re.compile(r"[0-9]+")
_FEW: Final = 2
_MANY: Final = 5
_LEAST_ENTRIES: Final = 4
#: Digits of a telephone number, and of its last group: tables of numbers have fewer.
_OF_A_PHONE: Final = range(9, 16)
_LAST_GROUP: Final = 3


def lists_firms(page: Page) -> str:
    """Return why a page is a directory, "" if it is not: who writes of shops or reports on them lists none."""
    text = page.opening
    if sum(map(_is_phone, _PHONE.findall(text))) >= max(_MANY, page.tokens // 100):
        return "many telephone numbers"
    titles = (page.title, *page.headings[:1])
    titled = any(map(_TITLED.search, titles))
    counted = any(map(_COUNTED.search, titles)) or any(map(_NUMBERED.search, titles))
    # Most titles are neither, and their pages need not be searched.
    if not (titled or counted) or tells_news(page) or rate_of_own_i(page) >= OWN_VOICE:
        return ""
    entries = sum(1 for line in text.split("\n") if _ENTRY.search(line))
    said = (
        titled,
        counted or count_matches(_COUNTED, text) > 0,
        count_matches(_INVITES, text) > 0,
        entries >= _LEAST_ENTRIES,
    )
    return "a list of firms, clubs or people, and where they are" if sum(said) > _FEW else ""


def shows_some(page: Page) -> bool:
    """Tell whether a page says how many things of all it shows."""
    return any(sign in page.opening for sign in _SIGNS_OF_SHOWING) and _SHOWN.search(page.opening) is not None


def _is_phone(number: str) -> bool:
    groups = _DIGITS.findall(number)
    return sum(map(len, groups)) in _OF_A_PHONE and len(groups[-1]) >= _LAST_GROUP
