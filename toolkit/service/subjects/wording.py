"""How a page speaks: of itself, in the first person, as a report of the day, or as a story."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.service.knowledge.marks import may_match
from toolkit.service.knowledge.pieces import numbers_in, words_in, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from toolkit.service.pages.parsed import Page

__all__ = [
    "JOINTS",
    "OWN_VOICE",
    "SETTINGS_OF_DEATH",
    "SETTINGS_OF_HARM",
    "count_matches",
    "different_matches",
    "has_dateline",
    "is_dialogue",
    "is_narrative",
    "offers_something",
    "quotes_sources",
    "rate_of",
    "rate_of_i",
    "rate_of_own_i",
    "rate_of_speech",
    "reports_harm",
    "speaks_of_itself",
    "tells_news",
    "tells_of_harm",
    "titled_harm",
]

_MOST_COUNTED: Final = 200
_MOST_OF_FOOTER: Final = 2_000
#: What somebody is quoted with.
_QUOTATION: Final = re.compile(r"“[^”\n]{1,800}”|(?<![\w\"])\"[^\"\n]{1,800}\"")
_I: Final = re.compile(r"\b(?:I|I'm|I’m|I've|I’ve|I'd|I’d|I'll|I’ll|my|My|me|myself)\b")
#: What buttons, forms and common questions have readers say.
_I_OF_READERS: Final = re.compile(
    r"\b(?:I (?:accept|acknowledge|agree|confirm|consent|have read|hereby|understand)|(?:[Cc]an|[Dd]o|[Ss]hould) I"
    r"|[Mm]y (?:account|bag|basket|bookings?|cart|dashboard|details|favou?rites|lists?|messages|orders?|profile|quotes?"
    r"|saved|settings|subscriptions?|wish ?list))\b"
)
#: "We" in small letters, in English and in the other languages of the service.
_WE: Final = re.compile(
    r"\b(?:we|our|ours|us|we're|we’re|we've|we’ve|wir|uns|unser(?:e|en|er|em|es)?|nous|notre|nos|nosotros|nuestr[oa]s?|noi"
    r"|nostr[oaie]|nossos?|nossas?|wij|onze)\b|当館|当社|弊社|当店|私たち"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
#: A capital letter of a pattern, or an escape, which is none.
_CAPITAL: Final = re.compile(r"\\.|[A-Z]", re.DOTALL)
#: What an organization says of what it offers, and how it asks to be met.
_OFFERS: Final = re.compile(
    r"\b(?:our (?:services|clients|customers|team|products|company|mission|experts|staff|solutions|practice|patients"
    r"|members|guests|offices?|partners|menu|rooms|prices|coaches|engineers|work|story|people)"
    r"|contact us|get in touch|call us|visit us|talk to (?:sales|us)|(?:request|get|ask for) a (?:free )?(?:quote|demo)"
    r"|book (?:a|an|your) (?:demo|appointment|consultation|table|stay|visit|call)"
    r"|free (?:quote|consultation|estimate)s?"
    r"|trusted by|we (?:offer|provide|help|serve|specialise|specialize|deliver|work with|build|design)|opening hours"
    r"|privately owned|family[- ](?:firm|run|owned)|founded in|since (?:19|20)[0-9]{2}|headquartered|case studies"
    r"|apply (?:now|online)|to apply|join our team|we are (?:a|an|the|hiring|looking))\b",
    re.IGNORECASE,
)
#: What a person says who works for others.
_WORKS: Final = re.compile(
    r"\b(?:my (?:fees?|services|clients|customers|rates|practice|diary|studio|workshop|number is)"
    r"|I (?:charge|offer|work with|teach|lead|provide|specialise|specialize|am available|am booked))\b"
)
#: A line of a list of services: what is done, and for how much.
_PRICED: Final = re.compile(r"(?m)(?:^[^\n.]{2,80}[ :]|(?:^|\. )[^\n.]{2,60}: )[$€£¥][0-9][0-9.,]*(?= each| \||,|\.|$)")
_ORGANIZATIONS: Final = (
    *(
        "Organization",
        "Corporation",
        "Business",
        "ProfessionalService",
        "Dentist",
        "Attorney",
        "NGO",
        "School",
        "Hotel",
    ),
    *("Resort", "Restaurant", "HealthClub", "Store", "AutoDealer", "LegalService", "FinancialService", "TravelAgency"),
)
#: Links of those who offer something; an "about" or a "contact" has everybody.
_OFFERING_LINK: Final = re.compile(
    r"/(?:[a-z]{2}/)?(services?|pricing|plans|careers|locations?|book|booking|bookings|appointments?|quote|rfq|demo|rooms|suites|menu|menus"
    r"|memberships?|classes|admissions|solutions|products|shop|cart|basket|showroom|boutiques|volunteer|donate|reservations"
    r"|finance|customers|case-studies|apply|treatments|tickets|capabilities|ordering"
    r"|leistungen|preise|zimmer|angebote|reservierung|tarifs?|chambres|reserver|services|servizi|prezzi|camere|prenota|precios"
    r"|reservas|habitaciones|quartos|precos|tarieven|diensten|kamers)(?=[/?.#]|$)",
    re.IGNORECASE,
)
_LEGAL_FORM: Final = re.compile(
    r"\b(?:ltd|limited|inc|llc|llp|plc|gmbh|ag|s\.?a\.?r\.?l|s\.?p\.?a|b\.?v|registered (?:charity|in|office)"
    r"|company n(?:o|umber)|vat n(?:o|umber)|vat reg|charity n(?:o|umber))\b",
    re.IGNORECASE,
)
_REPORTED: Final = re.compile(
    r"\b(?:said|told reporters|announced|reported|according to|confirmed|spokes(?:man|woman|person)|police|officials"
    r"|prosecutors|authorities|investigators|the agency|the ministry|statement)\b",
    re.IGNORECASE,
)
_HARM: Final = re.compile(
    r"\b(?:killed|dead|died|dies|deaths?|fatal(?:ly|ity|ities)?|injured|injuries|wounded|stabbed|shot|murder(?:ed)?|victims?"
    r"|casualties|bodies|bereaved|missing|rescuers?|hospitalised|hospitalized|collision|emergency services)\b",
    re.IGNORECASE,
)
#: What in the title of a report says that somebody came to harm.
_TITLED_HARM: Final = re.compile(
    r"\b(?:kill(?:ed|s)|dead|dies|died|deaths?|fatal|injured|wounded|stabb(?:ed|ing)|shot dead|shootings?|murder(?:ed)?"
    r"|crash(?:es)?|collision|drown(?:ed|s)|raped?|assault(?:ed)?|abuse[d]?|thieves|thefts?|robbed|robbery|stolen)\b",
    re.IGNORECASE,
)
#: What reports of harm are set in.
SETTINGS_OF_HARM: Final = (
    *("Attractions", "Automotive", "Disasters", "Events", "Family and Relationships", "Food & Drink"),
    *("Hobbies & Interests", "Holidays", "Home & Garden", "Personal Celebrations & Life Events", "Pets"),
    *("Real Estate", "Shopping", "Style & Fashion", "Travel"),
)
#: What reports of the dead and injured are set in besides, as their whole text tells.
SETTINGS_OF_DEATH: Final = (*SETTINGS_OF_HARM, "Sports")
_WEEKDAY: Final = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_MONTH: Final = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DAY: Final = re.compile(
    rf"\b(?:on|late|early|by|until|since) {_WEEKDAY}\b|\b{_WEEKDAY}(?:'s| morning| night| evening| afternoon)\b"
    rf"|\bon {_MONTH} [0-9]|\b(?:yesterday|this week|last week|earlier this)\b"
)
#: How a report begins that an agency or a paper has from elsewhere: the town in capitals, a dash.
_DATELINE: Final = re.compile(
    r"(?m)^[A-Z][A-Z.'’-]+(?: [A-Z][A-Z.'’-]+){0,3}(?:, [A-Z][\w.]+){0,2}(?: \([A-Z][\w. ]{1,20}\))? ?(?:--|[–—]) ?\S"
)
_DASHES: Final = ("--", "–", "—")
#: Characters in which it stands.
_HEAD: Final = 1_500
_NAME: Final = r"[A-Z][\w'’-]+(?: (?:[A-Z]\.|[a-z]{2,3}|[A-Z][\w'’-]+)){0,3}"
_MONTHS: Final = rf"(?:{_MONTH}|(?:Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
_DATE: Final = rf"(?:[0-9]{{1,2}} {_MONTHS},? [0-9]{{4}}|{_MONTHS} (?:[0-9]{{1,2}},? )?[0-9]{{4}})"
#: Who wrote a page and when, as it stands below a title: what is sold has a maker and no day. Without a "by" it is as
#: often where something is held, and when.
_SIGNED: Final = re.compile(
    rf"(?:[Ww]ords |[Ww]ritten |[Pp]osted )?[Bb]y {_NAME}(?:, [\w ]{{2,40}})? ?[·|,–—-] ?{_DATE}"
    rf"|{_DATE} ?[·|–—-] ?[Bb]y {_NAME}"
)
#: Lines at the beginning of a page below one of which it is signed.
_SIGNED_LINES: Final = 7
_SAID: Final = (
    r"(?:said|says|asked|asks|whispered|answered|replied|cried|shouted|murmured|muttered|told|called|snapped|sighed|added"
    r"|began|agreed|laughed|repeated|hissed)"
)
_SPEAKER: Final = r"(?:he|she|they|I|we|(?:my|his|her|the|old|Mrs?\.?|Miss|Dr\.?) [A-Za-z][a-z]+|[A-Z][a-z]+)"
#: What persons say to each other: what stands in quotation marks, and who says so.
_SPEECH: Final = re.compile(
    rf"[,.!?…—-][\"”’'] ?(?:{_SPEAKER} {_SAID}|{_SAID} {_SPEAKER})\b|\b(?:he|she|I) {_SAID}[,:]? [\"“‘']"
)
#: A line that begins as somebody speaks.
_SPOKEN_LINE: Final = re.compile(r"""(?m)^["“‘'][A-Z]""")
_PERSON: Final = re.compile(r"\b(?:[Hh]e|[Ss]he|[Tt]hey|I|it)$")
_PERSONS: Final = ("e", "y", "I", "t")
_DID: Final = re.compile(
    r"(?:[a-z]{3,12}ed|was|had|did|could|would|stood|sat|felt|knew|thought|went|came|saw|took|shook|smelt|heard|held"
    r"|wrote|brought|found|put|let|ran|lay|fell|left|told|gave|got|kept|began|woke|ate|drank|lost|met)\b"
)
_PAST: Final = re.compile(rf"{_PERSON.pattern.removesuffix('$')} {_DID.pattern}")
_FEW: Final = 2
_SEVERAL: Final = 3
#: What parts the segments of a title, the last of which is mostly the name of the site.
JOINTS: Final = re.compile(r"\s[-–—|·:»]+\s|\|")
#: Mentions of the first person, a hundred words, from which a page speaks as one.
OWN_VOICE: Final = 1.0
_I_IN_REPORTS: Final = 0.5
_PAST_RATE: Final = 2.5
_PAST_RATE_BESIDE_SPEECH: Final = 2.0
_SPEECH_RATE: Final = 0.5
#: And rate of speech from which a page may be a story: reports quote less.
_OF_STORIES: Final = 1.0
_LEAST_PAST: Final = 3
#: Speech, a hundred words, that only a story has which is told in dialogue, and the past beside it.
_DIALOGUE_RATE: Final = 1.0
_PAST_RATE_BESIDE_DIALOGUE: Final = 1.5
#: Lines in which somebody speaks, a hundred words, as only a story has them, and the past beside them.
_LINES_RATE: Final = 1.0
_PAST_RATE_BESIDE_LINES: Final = 1.0


# The kind of a page is asked for at every step of its segmentation.
@lru_cache(maxsize=64)
def count_matches(pattern: re.Pattern[str], text: str) -> int:
    """Count what a pattern finds in a text, up to 200."""
    return sum(1 for _ in _matches(pattern, text))


@lru_cache(maxsize=32)
def different_matches(pattern: re.Pattern[str], text: str) -> int:
    """Count the different wordings that a pattern finds in a text, among the first 200."""
    return len({found[0].lower() for found in _matches(pattern, text)})


def _matches(pattern: re.Pattern[str], text: str) -> Iterable[re.Match[str]]:
    if not may_match(pattern, text):
        return ()
    if pattern.flags & re.IGNORECASE:
        # A search that cares about letter case takes a third of the time.
        pattern, text = _in_small_letters(pattern), _lowered(text)
    return islice(pattern.finditer(text), _MOST_COUNTED)


@cache
def _in_small_letters(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """Return the pattern that finds in a text in small letters what a pattern finds that passes over their case."""
    written = _CAPITAL.sub(lambda found: found[0] if found[0][0] == "\\" else found[0].lower(), pattern.pattern)
    return re.compile(written, pattern.flags & ~re.IGNORECASE)


# All patterns are searched in the same few texts of a page.
@lru_cache(maxsize=8)
def _lowered(text: str) -> str:
    return text.lower()


# As its kind, a page's voice is asked for at every step.
@lru_cache(maxsize=16)
def speaks_of_itself(page: Page) -> bool:
    """Tell whether an organization speaks of itself and of what it offers.

    It takes two of these: data about the organization, its legal form in the footer, links to what only those have who
    offer something, "we", offers, many offers. A page that says "I" more often than "we" is a person's, unless it
    lists prices.
    """
    i, we = rate_of_i(page), rate_of(written(page.opening).count(_we_in), page)
    if max(i, we) >= OWN_VOICE and count_matches(_PRICED, page.opening) >= _FEW:
        return True
    if i > we:
        return False
    signs = sum(
        (
            any(True for _ in page.structured(*_ORGANIZATIONS)),
            _LEGAL_FORM.search(page.footer[:_MOST_OF_FOOTER]) is not None,
            we >= OWN_VOICE,
        )
    )
    # What takes longer is asked for where that decides nothing: offers, and last the hundreds of links.
    if signs < _FEW:
        offers = _offers(page)
        signs += (offers >= 1) + (offers >= _SEVERAL)
    return signs >= _FEW or (signs == _FEW - 1 and _links_to_offers(page))


def offers_something(page: Page) -> bool:
    """Tell whether a page says what it offers, or names prices in a list, whoever speaks there."""
    return _offers(page) > 0 or count_matches(_PRICED, page.opening) > 0 or _WORKS.search(page.opening) is not None


def _offers(page: Page) -> int:
    return different_matches(_OFFERS, _own(page)) if may_match(_OFFERS, page.said) else 0


def _links_to_offers(page: Page) -> bool:
    return len({found[0].lower() for address in page.addresses if (found := _OFFERING_LINK.search(address))}) >= _FEW


# Asked time and again of the same page.
@lru_cache(maxsize=16)
def rate_of_i(page: Page) -> float:
    """Return how often the page speaks as "I", a hundred words, its readers' forms aside; once is by the way."""
    said = written(page.opening).count(_I)
    if said > 1:
        said -= len(_I_OF_READERS.findall(page.opening))
    return rate_of(said, page) if said > 1 else 0.0


# Asked time and again of the same page.
@lru_cache(maxsize=16)
def rate_of_own_i(page: Page) -> float:
    """Return how often who writes a page speaks as "I", a hundred words, and not those who are quoted."""
    said = rate_of_i(page)
    of_others = sum(len(_I.findall(quotation)) for quotation in _QUOTATION.findall(page.opening)) if said else 0
    return max(said - rate_of(of_others, page), 0.0)


def tells_news(page: Page) -> bool:
    """Tell whether a page reports what happened these days: it names days and those who said so, and no own "I".

    What has a dateline reports from there.
    """
    # Most pages have neither that nor a day, and need not be searched for those who said so.
    least = 1 if has_dateline(page) else _LEAST_PAST
    if not (days := count_matches(_DAY, page.opening)) and least > 1:
        return False
    said = count_matches(_REPORTED, page.opening)
    if said < 1 or days + said < least:
        return False
    # In stories, too, somebody says what happened on Sunday.
    may_be_story = rate_of_speech(page) >= _OF_STORIES and not has_dateline(page)
    of_i = rate_of_i(page) if may_be_story else rate_of_own_i(page)
    return of_i < _I_IN_REPORTS


@lru_cache(maxsize=16)
def has_dateline(page: Page) -> bool:
    r"""Tell whether a page begins as the reports of agencies do.

    >>> from toolkit.service.pages.parsed import page_from_text
    >>> has_dateline(page_from_text("Kites over the bay\nWELLINGTON, N.Z. (AP) -- Hundreds of kites rose."))
    True
    """
    head = page.opening[:_HEAD]
    return any(dash in head for dash in _DASHES) and _DATELINE.search(head) is not None


def is_signed(page: Page) -> bool:
    r"""Tell whether a line at the beginning of a page says who wrote it, and when.

    >>> from toolkit.service.pages.parsed import page_from_text
    >>> is_signed(page_from_text("How kites fly\nBy Kit Marlow, head flyer · July 2025\nThey lean on the wind."))
    True
    """
    return any(map(_SIGNED.fullmatch, page.opening.split("\n", _SIGNED_LINES)[:_SIGNED_LINES]))


def tells_of_harm(page: Page) -> bool:
    """Tell whether a page tells of dead, injured or missing people, in several words for it."""
    return may_match(_HARM, page.said) and different_matches(_HARM, f"{page.title}\n{page.opening}") >= _SEVERAL


def titled_harm(page: Page) -> bool:
    """Tell whether the title says that somebody came to harm."""
    return _in_small_letters(_TITLED_HARM).search(page.title.lower()) is not None


@lru_cache(maxsize=16)
def reports_harm(page: Page) -> bool:
    """Tell whether a page reports the day's dead and injured: its title says so, its text in several words."""
    if not (titled_harm(page) and tells_of_harm(page)) or rate_of_i(page) >= _I_IN_REPORTS:
        return False
    return count_matches(_DAY, page.opening) > 0 and count_matches(_REPORTED, page.opening) > 0


@lru_cache(maxsize=16)
def is_narrative(page: Page) -> bool:
    """Tell whether a page is a story: persons who did and said things, in the past, and nothing that is offered."""
    if _past(page) < _LEAST_PAST:
        return False
    past = rate_of(_past(page), page)
    tells = past >= _PAST_RATE or (past >= _PAST_RATE_BESIDE_SPEECH and rate_of_speech(page) >= _SPEECH_RATE)
    # Few pages tell of the past so often, so that the rest, which takes longer, is rarely asked.
    if not (tells or is_dialogue(page)) or speaks_of_itself(page):
        return False
    return not (tells_news(page) and (has_dateline(page) or _has_sources(page)))


def is_dialogue(page: Page) -> bool:
    """Tell whether a page is mostly what persons say to each other, told in the past."""
    past = rate_of(_past(page), page)
    if past >= _PAST_RATE_BESIDE_DIALOGUE and rate_of_speech(page) >= _DIALOGUE_RATE:
        return True
    if past < _PAST_RATE_BESIDE_LINES or rate_of(count_matches(_SPOKEN_LINE, page.opening), page) < _LINES_RATE:
        return False
    return rate_of_speech(page) > 0 and (past >= _PAST_RATE_BESIDE_DIALOGUE or not _has_sources(page))


def quotes_sources(page: Page) -> bool:
    """Tell whether a page says more than once who said so, as reports do, and never "I" of its writer."""
    return count_matches(_REPORTED, page.opening) >= _FEW and rate_of_own_i(page) == 0


def _has_sources(page: Page) -> bool:
    """Tell whether a page names who said so as reports do; in stories persons say things on a Thursday, too."""
    return any(found[0].lower() != "said" for found in _matches(_REPORTED, page.opening))


def rate_of_speech(page: Page) -> float:
    """Return how often somebody in the page says something, a hundred words."""
    return rate_of(count_matches(_SPEECH, page.opening), page)


def _past(page: Page) -> int:
    """Count what persons did, up to 200: mostly the person ends one piece of the text, and the rest begins the next."""
    rows = written(page.opening).rows(_past_in, np.intp, 3)
    return min(int(rows[:, 0].sum() + (rows[:-1, 1] * rows[1:, 2]).sum()), _MOST_COUNTED)


def _past_in(pieces: Sequence[str]) -> list[tuple[int, bool, bool]]:
    """Return how often pieces say what a person did, whether a person ends each, and whether such a word begins it."""
    whole = numbers_in(_PAST, pieces).tolist() if any(" " in piece for piece in pieces) else [0] * len(pieces)
    persons = (piece.endswith(_PERSONS) and _PERSON.search(piece) is not None for piece in pieces)
    return list(zip(whole, persons, (_DID.match(piece) is not None for piece in pieces), strict=True))


def _own(page: Page) -> str:
    return f"{page.title}\n{page.description}\n{page.opening}\n{page.footer[:_MOST_OF_FOOTER]}"


def rate_of(number: int, page: Page) -> float:
    """Return how often something stands in a page, a hundred words, up to 200 times."""
    return 100 * min(number, _MOST_COUNTED) / max(written(page.opening).count(_words_in), 60)


def _we_in(pieces: Sequence[str]) -> NDArray[np.intp]:
    # A search that cares about letter case takes a third of the time.
    return numbers_in(_WE, list(map(str.lower, pieces)))


def _words_in(pieces: Sequence[str]) -> list[int]:
    return list(map(len, words_in(_WORD, pieces)))
