"""Whether a page announces an event: it names its day, and what one does to go there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from toolkit.service.subjects.wording import OWN_VOICE, count_matches, different_matches, rate_of_own_i, tells_news

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["announces_event", "is_titled_event"]

_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b"
)
_DAY: Final = re.compile(
    rf"\b[0-9]{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|\b{_MONTH}\.? [0-9]{{1,2}}\b", re.IGNORECASE
)
_YEAR_OF_A_DAY: Final = re.compile(rf"(?:{_MONTH}\.?(?: [0-9]{{1,2}},)?) (?:19|20)[0-9]{{2}}\b", re.IGNORECASE)
#: What one does to go to an event, and who is there.
_TICKETS: Final = re.compile(
    r"\b(?:doors(?: open)?(?: at)? [0-9]|tickets|register (?:now|by|free|to attend|your interest)|visitor registration"
    r"|admission|line-?up|agenda|speakers|keynotes?|exhibitors|exhibition hall|stand bookings?|rsvp|save the date)\b",
    re.IGNORECASE,
)
#: The same in more words, of which several are needed.
_GOING: Final = re.compile(
    r"\b(?:registration|to register|passes|(?:day|early[- ]bird|weekend|full) (?:pass|rate|ticket)|free entry"
    r"|entry (?:fee|is)|entries (?:close|open)|opening reception|private view|doors|stalls|stands|stage|programme"
    r"|schedule|starts? at|kick-?off|on the (?:door|day|night|gate)"
    r"|book (?:your|a) (?:place|seat|table|ticket)|places? (?:left|limited)"
    r"|limited to|sold out|walk-?ins|on view|bib|start line|wave|sign-?in|weigh-?in|raffle|parking|venue|refreshments"
    r"|keynote|panel|workshops?|ticket|plenary|session|what['’]s on|line-?up|headlin(?:er|ing)|support from"
    r"|bring (?:your|a|cash)|under [0-9]{1,2}s? free|kids (?:under|free)|join us|come along|(?:all|donations) welcome"
    r"|(?:is|are) welcome|no booking|booking (?:essential|required|advised)|drop[- ]?in|sign up|materials included)\b",
    re.IGNORECASE,
)
#: What titles an event, or numbers it among its like.
_CALLED: Final = re.compile(
    r"\b(?:fairs?|expo|festival|conference|congress|convention|summit|symposium|open (?:day|house|evening|mic|studios)"
    r"|workshop|concert|gig|marathon|[0-9]{1,3} ?k\b|triathlon|fun run|parade|f[eê]te|gala|webinar|lecture|talk|party"
    r"|retreat|tournament|auction|fundraiser|quiz|exhibition|exhibit|meet-?up|masterclass|bazaar|carnival|rally"
    r"|night|evening|championships?|regatta|recital|screening|supper|market|hackathon|agenda|sportive|show)\b"
    r"|\b[0-9]{1,3}(?:st|nd|rd|th) annual\b|\b(?:19|20)[0-9]{2}\b",
    re.IGNORECASE,
)
#: How museums begin what they say of an exhibition.
_SHOWN: Final = re.compile(
    r"\W*(?:(?:special|temporary|new|current) )?(?:exhibition|display|installation)\b", re.IGNORECASE
)
#: What titles the home page of an event that does not say its day there.
_TITLED: Final = re.compile(r"(?i)\b(?:fair|expo|festival|show|conference|congress|convention|summit|symposium)\b")
_TIME: Final = re.compile(
    r"\b(?:[01]?[0-9]|2[0-3])[:.][0-5][0-9]\b(?! ?(?:%|km|m\b|kg))|\b[0-9]{1,2} ?(?:am|pm|a\.m\.|p\.m\.)(?!\w)",
    re.IGNORECASE,
)
#: Characters within which an announcement names its day.
_HEAD: Final = 400
_FEW: Final = 2
_SEVERAL: Final = 3
_MANY: Final = 5


def announces_event(page: Page) -> str:
    """Return why a page is one of an event to come, "" if it is not: reports and those who were there tell of one."""
    text = page.opening
    if different_matches(_TICKETS, text) >= _FEW and _DAY.search(f"{page.title}\n{text}"):
        return "a day and tickets"
    head = f"{page.title}\n{''.join(page.headings[:1])}"
    if not _DAY.search(f"{head}\n{text[:_HEAD]}") or tells_news(page) or rate_of_own_i(page) >= OWN_VOICE:
        return ""
    going = different_matches(_GOING, text)
    if going < _FEW:
        return ""
    times = count_matches(_TIME, text)
    # The year of a day is none of an event.
    is_called = _CALLED.search(_YEAR_OF_A_DAY.sub("", head)) or _SHOWN.match(text)
    if is_called and going + min(times, _SEVERAL) >= _SEVERAL:
        return "the name of an event, its day, and how one goes there"
    return "a day, and its hours" if times >= _MANY and going >= _SEVERAL else ""


def is_titled_event(page: Page) -> bool:
    """Tell whether the title of a page has a day, or calls it an event."""
    return _DAY.search(page.title) is not None or _TITLED.search(page.title) is not None
