"""The organisation behind a page: its own object in the structured data, its names, and what its footer states."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from toolkit.interface.targets import registrable_domain
from toolkit.service.company.voices import own_text
from toolkit.service.knowledge.lexicon import accentless

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolkit.service.pages.parsed import Page

__all__ = [
    "Organization",
    "begins_like",
    "host_of",
    "is_like",
    "legal_form",
    "letters_of",
    "objects",
    "own_host",
    "read_organization",
    "string",
]

#: Ends of the schema.org types of organisations. Shops, clinics and schools have many types of their own.
_TYPES: Final = (
    "Organization",
    "Corporation",
    "Business",
    "Store",
    "Shop",
    "Restaurant",
    "CafeOrCoffeeShop",
    "Bakery",
    "BarOrPub",
    "Brewery",
    "Winery",
    "Distillery",
    "FoodEstablishment",
    "Hotel",
    "Hostel",
    "Motel",
    "Resort",
    "BedAndBreakfast",
    "Campground",
    "School",
    "Preschool",
    "CollegeOrUniversity",
    "NGO",
    "Airline",
    "Consortium",
    "Cooperative",
    "Dentist",
    "Physician",
    "Hospital",
    "Pharmacy",
    "Optician",
    "VeterinaryCare",
    "Clinic",
    "BankOrCreditUnion",
    "FinancialService",
    "AccountingService",
    "InsuranceAgency",
    "LegalService",
    "Attorney",
    "Notary",
    "RealEstateAgent",
    "AutoDealer",
    "AutoRental",
    "AutoRepair",
    "MotorcycleDealer",
    "ExerciseGym",
    "HealthClub",
    "GolfCourse",
    "SportsClub",
    "SportsTeam",
    "SportsActivityLocation",
    "MovieTheater",
    "TravelAgency",
    "EmploymentAgency",
    "Electrician",
    "Plumber",
    "Locksmith",
    "HousePainter",
    "RoofingContractor",
    "GeneralContractor",
    "MovingCompany",
    "HairSalon",
    "BeautySalon",
    "NailSalon",
    "DaySpa",
    "ChildCare",
    "Library",
    "Museum",
    "Casino",
    "NightClub",
    "GovernmentOffice",
    "DryCleaningOrLaundry",
    "SelfStorage",
    "RecyclingCenter",
)
#: Legal forms at the end of a name.
_FORM: Final = re.compile(
    r"[,\s]\s?(Inc|Incorporated|Corp|Corporation|LLC|PLLC|LLP|LP|Ltd|Limited|Pvt\.? Ltd|plc|PLC|GmbH(?: & Co\.? KG)?|AG"
    r"|UG|KG|e\.\s?V|eG|B\.V|BV|N\.V|N\.A|S\.?A\.?R\.?L|SAS|S\.?A|S\.L|S\.?r\.?l|S\.?p\.?A|Lda|ApS|A/S|AB|Oy|AS"
    r"|Pty\.? Ltd"
    r"|Co-?operative|[Cc]o-?op|Publishing Co|Co|CIC|株式会社|有限会社)\.?$"
)
#: Who holds the copyright: after the sign and the years, up to punctuation.
_COPYRIGHT: Final = re.compile(
    r"(?:©|\(c\)|\bcopyright\b)[\s©,]{0,5}(?:(?:19|20)\d\d(?:\s?[-–—]\s?(?:19|20)?\d\d)?,?\s+)?"
    r"([^\W\d_][^\n|·•©]{1,80}?(?:(?<=\bInc)\.|(?<=\bCo)\.|(?<=\bCorp)\.)?)(?=\s?[|·•\n]|,\s(?!(?:Inc|LLC|Ltd|PLLC|LLP)\b)|(?<=\w\.)\s|\.\s|\.?$|\s(?:19|20)\d\d|\s[-–—]\s)",
    re.IGNORECASE,
)
_PARTS: Final = re.compile(r"\s[|–—·•:-]\s|[|·•]|:\s")
#: A word that is a part of a name, and not of a sentence about it.
_IN_NAMES: Final = re.compile(
    r"[A-ZÀ-Þ\d&+]|(?:and|of|the|for|in|on|at|de|du|des|di|del|della|da|do|et|y|e|und|von|am|van)$"
)
_OF_YEAR: Final = re.compile(r"\s(?:19|20)\d\d$")
#: What the domain of a name has behind it.
_ADDED: Final = re.compile(
    r"-?(?:shop|store|blog|news|online|app|hq|docs|pub|club|bar|media|group|band|music|inc|ltd|co|web|site|official|uk|us|usa|eu)$"
)
_SPELT_OUT: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ø": "o", "Ø": "O"}
)
_MARKS: Final = re.compile(r"[^\w]+|_")
_ARTICLE: Final = re.compile(r"^(?:The|Der|Die|Das|Le|La|Les|L['’]|El|Los|Il|O|De|Het)\s?(?=[A-ZÀ-Þ\d])")
_LEAST_NAME: Final = 3
#: A mark begins a handle from this length on, and is found within one from that.
_LEAST_MARK: Final = 4
_LEAST_WITHIN: Final = 6
_LEAST_WORDS: Final = 2
_MOST_NAMES: Final = 6
#: Characters of a text from structured data that are passed on, and objects that are read of one property.
_LONGEST: Final = 5_000
_MOST_OBJECTS: Final = 50
#: What an address begins with, which is nobody's name.
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)", re.IGNORECASE)
#: Names that templates of these fill in where the owner has not.
_MADE_WITH: Final = frozenset(
    (
        "blogger",
        "blogspot",
        "ghost",
        "mysite",
        "shopify",
        "squarespace",
        "tumblr",
        "website",
        "weebly",
        "wix",
        "wordpress",
    )
)


@dataclass(frozen=True, slots=True)
class Organization:
    """What a page says about its owner."""

    #: Its object in the structured data; empty where there is none.
    data: dict[str, Any]
    #: Its name, and its name with a legal form; empty where the page states none.
    name: str
    legal_name: str
    #: All its names, longest first, to find it in sentences.
    names: tuple[str, ...]
    #: What its handles and hosts are made of: its names and its domain's own label, in letters and digits.
    marks: frozenset[str]
    #: As the page has it.
    footer: str
    #: What it says itself, a sentence a line, as `own_text` has it.
    said: str


def read_organization(page: Page, domain: str) -> Organization:
    """Find the organisation behind a home page.

    Names are those of the structured data; else the site's name in the head; else the part of the title or the holder
    of the copyright that has the domain's own letters.
    """
    footer = page.footer
    data = _own_object(page, domain)
    # The footer may hold somebody else's copyright, such as that of the theme's maker.
    holders = [" ".join(found[1].split()) for found in _COPYRIGHT.finditer(footer)]
    titles = [part.strip() for text in (page.title, page.metas.get("og:title", "")) for part in _PARTS.split(text)]
    # "Rosso Trattoria, Bologna": the place behind a name is no part of it.
    titles = [_OF_YEAR.sub("", part) for part in titles]
    titles = [*(part.split(", ", 1)[0] for part in titles if not legal_form(part)), *titles]
    by_domain = [part for part in (*titles, *holders, *_openings(footer)) if _is_named_like(part, domain)]
    said = (string(data.get("name")), page.metas.get("og:site_name", "").strip())
    stated = next((text for text in said if text and not _is_no_name(text, domain)), "")
    name = stated or next((_bare(part) if legal_form(part) else part for part in by_domain), "")
    legal = string(data.get("legalName"))
    if not legal:
        known = {letters_of(_bare(text)) for text in (name, *by_domain) if text}
        known.discard("")
        formal = [
            text
            for text in (name, *by_domain, *holders)
            if legal_form(text) and known and letters_of(_bare(text)).startswith(tuple(known))
        ]
        legal = next(iter(formal), "")
    alternate = data.get("alternateName")
    others = [string(text) for text in (alternate if isinstance(alternate, list) else [alternate])[:_MOST_NAMES]]
    names = {text for full in (name, legal, *others) for text in (full, _bare(full)) if len(text) >= _LEAST_NAME}
    ordered = tuple(sorted(names, key=lambda text: (-len(text), text)))
    return Organization(data, name, legal, ordered, _marks(names, domain), footer, own_text(page))


def _is_no_name(text: str, domain: str) -> bool:
    """Tell whether what a page states as its owner's name is an address, or that of what the page is made with."""
    letters = letters_of(text)
    return _ADDRESS.match(text) is not None or (letters in _MADE_WITH and not letters_of(domain).startswith(letters))


def is_like(text: str, organization: Organization) -> bool:
    """Tell whether a handle or the name of a host is like the owner: one begins with the other, or has it whole."""
    letters = letters_of(text)
    return len(letters) >= _LEAST_MARK and any(
        letters.startswith(mark) or mark.startswith(letters) or (len(mark) >= _LEAST_WITHIN and mark in letters)
        for mark in organization.marks
    )


def begins_like(text: str, organization: Organization) -> bool:
    """Tell whether a handle begins as a name of the owner does, as "irontempletulsa" of "Iron Temple Gym"."""
    begun = letters_of(text)[:_LEAST_WITHIN]
    return len(begun) == _LEAST_WITHIN and any(mark.startswith(begun) for mark in organization.marks)


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, in lower case and without accents.

    >>> letters_of("Hôtel Fern & Fable"), letters_of("fern_and-fable")
    ('hotelfernandfable', 'fernandfable')
    """
    return _MARKS.sub("", accentless(text.casefold().replace("&", "and")))


def legal_form(name: str) -> str:
    """Return the legal form at the end of a name; empty where it has none.

    >>> legal_form("Ledgerline, Inc."), legal_form("Hirepath Ltd"), legal_form("Costa Rica")
    ('Inc', 'Ltd', '')
    """
    found = _FORM.search(name)
    return found[1] if found else ""


def objects(value: Any, *kinds: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a property, one or many; with `kinds`, those whose type ends so, or that have none."""
    for entry in (value if isinstance(value, list) else [value])[:_MOST_OBJECTS]:
        if isinstance(entry, dict):
            stated = entry.get("@type")
            types = [kind for kind in (stated if isinstance(stated, list) else [stated]) if isinstance(kind, str)]
            if not (kinds and types) or any(kind.endswith(kinds) for kind in types):
                yield entry


def string(value: Any) -> str:
    """Return a scalar of structured data as text of at most 5,000 characters; empty for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()[:_LONGEST]


def host_of(address: Any) -> str:
    """Return the host of an address without ``www.``; empty where it has none."""
    try:
        return (urlsplit(string(address)).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def own_host(address: Any, domain: str) -> bool:
    """Tell whether an address is on a domain or below it."""
    host = host_of(address)
    return host == domain or host.endswith(f".{domain}")


def _own_object(page: Page, domain: str) -> dict[str, Any]:
    found = list(page.structured(*_TYPES))
    # A page may speak of other organisations too: its own is the one with an address here, or else the first.
    own: list[dict[str, Any]] = []
    foreign: list[dict[str, Any]] = []
    rest: list[dict[str, Any]] = []
    for entry in found:
        if own_host(entry.get("url") or entry.get("@id"), domain):
            own.append(entry)
        else:
            (foreign if host_of(entry.get("url")) else rest).append(entry)
    publishers = [entry for item in page.json_ld for entry in objects(item.get("publisher")) if entry.get("name")]
    return next(iter([*own, *rest, *publishers, *foreign[:1]]), {})


def _is_named_like(text: str, domain: str) -> bool:
    """Whether a text is a name that a domain's first label was made of.

    But for an article, a legal form and what stands in brackets it has the label's own letters, or those before what
    sites add to a name ("tinytoes-shop"); or it has the label's words and is little longer: "Grady & Sons Plumbing" of
    ``grady-plumbing``.
    """
    label = domain.split(".", 1)[0]
    bare = _bare(text)
    # Umlauts are spelt out in domains.
    spellings = {letters_of(name) for name in (bare, _ARTICLE.sub("", bare), bare.translate(_SPELT_OUT))}
    letters = {letters_of(_bare(label.replace("-", " "))), letters_of(label), letters_of(_ADDED.sub("", label))}
    if any(len(mark) >= _LEAST_NAME for mark in spellings & letters):
        return True
    steps = [step.removesuffix("s") for step in label.split("-") if step != "and"]
    words = _ARTICLE.sub("", bare).split()
    if len(words) > len(steps) + _LEAST_WORDS or not all(map(_IN_NAMES.match, words)):
        return False
    stem = letters_of(_ADDED.sub("", label))
    if len(stem) > _LEAST_WITHIN and any(name.startswith(stem) for name in spellings):
        return True
    rest = (letters_of(word).removesuffix("s") for word in words)
    return len(steps) >= _LEAST_WORDS and all(
        any(word == step or (word.startswith(step) and len(step) >= _LEAST_NAME) for word in rest) for step in steps
    )


def _bare(name: str) -> str:
    return _FORM.sub("", re.sub(r"\s?\([^()]{1,40}\)", "", name)).strip(" ,.")


def _marks(names: Iterable[str], domain: str) -> frozenset[str]:
    label = (registrable_domain(domain) or "").split(".", 1)[0]
    texts = (label, *names)
    # Handles leave out articles, and the sign between two names.
    shorter = (_ARTICLE.sub("", text) for text in texts)
    joined = (text.replace("&", "") for text in texts)
    marks = map(letters_of, (*texts, *shorter, *joined))
    return frozenset(mark for mark in marks if len(mark) >= _LEAST_MARK)


def _openings(footer: str) -> Iterator[str]:
    """Yield what stands first in each line of a footer, up to a comma or point."""
    for line in footer.split("\n"):
        found = re.match(r"([^,·|\n]{2,80}?)(?:, (?!Inc|LLC|Ltd|PLLC|LLP)|\s?[·|]|\.\s|\.?$)", line)
        if found:
            yield found[1].strip()
