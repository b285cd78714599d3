"""What kind of page it is: an article, news, a shop, a forum, a company's page, and what told so."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.readers.prices import is_listing
from toolkit.service.subjects.notices import is_notice, notice_type
from toolkit.service.subjects.site_words import errand_type, sells
from toolkit.service.subjects.stories import is_fiction
from toolkit.service.subjects.wording import (
    OWN_VOICE,
    count_matches,
    different_matches,
    has_dateline,
    is_narrative,
    offers_something,
    rate_of_i,
    rate_of_own_i,
    rate_of_speech,
    speaks_of_itself,
    tells_news,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolkit.service.pages.parsed import Page

__all__ = ["FIELDS", "PRICE_LIST", "UNTOLD", "content_type", "is_report"]

_GOODS: Final = ("Product", "Vehicle", "Car", "SoftwareApplication", "Course")
_TYPES_BY_DATA: Final = (
    (("Review", "ClaimReview"), "review"),
    (_GOODS, "product_page"),
    (("RealEstateListing", "SingleFamilyResidence", "Apartment"), "product_page"),
    (("NewsArticle", "ReportageNewsArticle"), "news"),
    (("HowTo", "Recipe"), "guide"),
    (("BlogPosting", "LiveBlogPosting"), "blog"),
    (("TechArticle", "APIReference"), "documentation"),
    (("Article",), "article"),
    (("Event", "MusicEvent", "SportsEvent", "ScreeningEvent"), "event_page"),
    (("QAPage", "DiscussionForumPosting"), "forum"),
    (("VideoObject", "AudioObject", "ImageGallery", "PodcastEpisode"), "media"),
    (("WebApplication",), "tool"),
    (("DefinedTermSet", "DefinedTerm", "Dataset"), "reference"),
    (("BankAccount", "LoanOrCredit", "MortgageLoan", "CreditCard", "FinancialProduct"), "product_page"),
    (("Service",), "corporate"),
    (("ItemList", "CollectionPage", "OfferCatalog", "ProductCollection"), "category_page"),
    (("NewsMediaOrganization",), "news"),
)
#: How the ground begins that is structured data.
_BY_DATA: Final = "structured data of a"
#: What is marked as an article says no more than that it is a piece of writing: its address and wording tell which.
_PIECE: Final = ("Article",)
#: What marks a page as a piece with an author and a date.
_ARTICLE_MARKS: Final = ("author", "article:author", "article:published_time", "article:modified_time")
_EVERGREEN: Final = frozenset({"guide", "review", "reference"})
_OF_GOODS: Final = frozenset({"product_page", "category_page"})
_MAY_BE_REVIEW: Final = frozenset({"article", "blog", "product_page"})
#: Addresses of pages on which an organization speaks of itself, or a person does.
_OF_ITSELF: Final = re.compile(
    r"/(about|about-us|contacts?(?:[-_]?us)?(?:-[0-9])?|team|careers|company|services?|pricing|locations?|our-[a-z-]+|imprint|visit"
    r"|visit-us|plan-your-visit|opening-(?:hours|times)|admissions)(/|$|\.)",
    re.IGNORECASE,
)
#: Mentions of "I", a hundred words, from which what is dated is a person's: reports are dated, too.
_SOME_VOICE: Final = 0.3
#: Addresses with a day or month, as blogs and papers have them, and of blogs without one.
_DATED: Final = re.compile(r"/(?:19|20)[0-9]{2}/(?:[0-9]{1,2}/|[a-z])", re.IGNORECASE)
#: Kinds that the name of a site tells, too: an encyclopedia is called so, and a magazine The Review.
_NAMES_OF_SITES: Final = ("blog", "documentation", "forum", "reference")
_BETWEEN_TITLES: Final = re.compile(r" [|–—·:-] ")
_LETTERS: Final = re.compile(r"[^\W_]+")
#: What a home page is by the structured data about its owner.
_HOMES_BY_DATA: Final = (
    (("Blog",), "blog"),
    (("Store",), "category_page"),
    (("Hotel", "Resort", "Hostel", "Restaurant", "HealthClub", "LocalBusiness"), "corporate"),
    (("NGO", "SportsClub", "Church", "Mosque", "Temple", "School", "Museum", "MusicGroup"), "landing_page"),
)
#: What titles the home page of an event that does not say its day there.
_OF_EVENTS: Final = re.compile(r"(?i)\b(?:fair|expo|festival|show|conference|congress|convention|summit|symposium)\b")
_CART: Final = re.compile(r"/(?:cart|basket|checkout)(?:[/?.#]|$)", re.IGNORECASE)
_POSTS: Final = re.compile(
    r"\b(?:posted by|originally posted|wrote:|said:|joined:|posts:|reply to|replies:|[0-9]+ replies|quote:|re:"
    r"|upvote[sd]?|accepted answer|[0-9]+ upvotes|(?:junior|senior) member|thread starter|op here|edit:"
    r"|[0-9]+ points (?:by|•|·|\||[0-9]+ (?:minute|hour|day))|last edited)",
    re.IGNORECASE,
)
_VERSIONS: Final = re.compile(
    r"(?m)^\W{0,4}(?:version |release )?v?[0-9]{1,4}\.[0-9]{1,3}(?:\.[0-9]{1,4})?\b", re.IGNORECASE
)
_CHANGES: Final = re.compile(
    r"(?m)(?:^\W{0,4}|[.:] )(?:added|fixed|changed|removed|deprecated|security|bug ?fix(?:es)?)\b", re.IGNORECASE
)
_END_OF_CODE: Final = r"[{};]\s*$"
#: What code looks like besides, by what it is not without.
_CODE: Final = {
    "()": r"\b[a-z_][\w.]{1,40}\(\)",
    "--": r"(?<=\s)--[a-z][a-z-]{1,30}",
    " /": r"\b(?:GET|POST|PUT|DELETE|PATCH) /",
    "_": r"\b[a-z]{1,30}_[a-z_]{1,30}\b",
    "$ ": r"\$ [a-z]+ ",
    " install": r"\b(?:pip|npm|apt|brew|cargo) install\b",
}
_RECIPE: Final = re.compile(
    r"\b(?:ingredients|method|directions|instructions|prep time|cook(?:ing)? time|baking time|serves [0-9]|preheat)\b",
    re.IGNORECASE,
)
_STEPS: Final = re.compile(r"(?m)^\W{0,3}(?:step )?[0-9]{1,2}[.):] ?[A-Z]", re.IGNORECASE)
_SUM: Final = re.compile(r"[$€£¥]\s?[0-9]|[0-9]\s?(?:[€£¥]|EUR|USD|GBP)")
_EVENT: Final = re.compile(
    r"\b(?:doors(?: open)?(?: at)? [0-9]|tickets|register (?:now|by|free|to attend|your interest)|visitor registration"
    r"|admission|line-?up|agenda|speakers|keynotes?|exhibitors|exhibition hall|stand bookings?|rsvp|save the date)\b",
    re.IGNORECASE,
)
#: What parishes, schools, clubs, bands and companies of players say of themselves, and what firms say beside it.
_OF_A_COMMUNITY: Final = re.compile(
    r"\b(?:church|chapel|parish|congregation|worship|prayers?|mosque|imam|sangha|meditation|pupils?|head ?teacher"
    r"|term dates|our (?:school|club|society|choir|band|charity|members|residents|villag\w+)|(?:society|club) meets"
    r"|board meets|club nights?|new members|members['’]? (?:nights?|meetings?)|choir|gigs?|tour dates|podcast|episodes?"
    r"|(?:new|debut) album|rehearsals?|auditions?|volunteers?|newcomers|runners|players|meets? (?:every|on|each)"
    r"|all (?:are )?welcome|registered charity|(?:a|your) donations?|food ?bank|our trustees|public hearings?)\b",
    re.IGNORECASE,
)
_OF_A_FIRM: Final = re.compile(
    r"\b(?:customers?|clients?|our (?:services|products)|(?:free|your) quotes?|pricing|trade|landlords?|patients?"
    r"|free consultation|bookings?|book (?:now|online|your)|from [£$€])",
    re.IGNORECASE,
)
_MONTH: Final = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_DAY: Final = re.compile(rf"\b[0-9]{{1,2}}(?:st|nd|rd|th)? {_MONTH}|\b{_MONTH} [0-9]{{1,2}}\b", re.IGNORECASE)
_CALL: Final = re.compile(
    r"\b(?:sign up|get started|start (?:your|a) free|try (?:it )?(?:for )?free|join (?:the )?(?:waitlist|now|today|us)"
    r"|donate|download now|subscribe now|request access|claim your|register today)\b",
    re.IGNORECASE,
)
#: The address of one house, car or animal among those on offer: it is named by several words or numbers.
_ONE_FOR_SALE: Final = re.compile(r"(?i)/(?:for-sale|to-let|rentals|adopt)/(?:[^/]+/)*[^/-]+(?:-[^/-]+){3,}/?$")
#: Beginning with the digit itself, it is searched for several times as fast.
_PHONE: Final = re.compile(r"[0-9](?<!\w[0-9])[0-9 ()./-]{7,16}[0-9]\b")
_SEE_ALSO: Final = re.compile(
    r"(?m)^\W{0,3}(?:see also|references|etymology|external links|synonyms|further reading)\b", re.IGNORECASE
)
#: What a reviewer gives.
_MARKED: Final = re.compile(
    r"[★☆]{3,5}(?![★☆])|(?m:^\W{0,3}(?:rating|score|verdict)?:? ?[0-9](?:\.[0-9])?/(?:5|10)\W{0,2}$)", re.IGNORECASE
)
#: Without any of these it is not given.
_SIGNS_OF_MARKS: Final = ("★", "☆", "/5", "/10")
#: What is said of a thing that is for sale, beside its price, where no button or form says it.
_FOR_SALE: Final = re.compile(
    r"\b(?:pack|box|set|case) of \d|\b(?:twin|multi|\d+)[- ]?pack\b|\bper (?:pack|pair|m²|metre|roll|box|litre)\b"
    r"|\b(?:in|out of|back in) stock\b|\bsizes? (?:[XSML\d]|run|down|up)|\bcolou?rs?:|\bone size\b|\bunisex\b"
    r"|\bfree (?:delivery|shipping|returns|samples?)\b|\bships? (?:free|today|from|within|in|flat)\b"
    r"|\bdispatch(?:ed)?\b|\bdelivered (?:to|in|within|free|inside|flat|on)\b|\bnext[- ]day\b|\bclick and collect\b"
    r"|\bdelivery (?:\w+ ){0,3}[£$€]|\b(?:ex|inc|excl|incl|plus)\.? VAT\b|\border (?:by|before|online|\d)"
    r"|\breturns (?:within|accepted)\b|\bno returns\b|\b(?:years?|months?)['’]?[- ](?:warranty|guarantee)"
    r"|\b(?:warranty|guarantee)d? (?:for|of|against)\b|\bin the box\b|\b(?:hand|machine|cold) wash|\bwipe clean\b"
    r"|\bwash (?:at|by|inside|cool|cold|cotton)|\btumble dry\b|\btags on\b|\b(?:two|three|four|five|\d+) for [£$€]"
    r"|\d ?(?:×|x|by) ?\d+(?:[.,]\d+)? ?(?:mm|cm|in\b|m\b|\")|[£$€]\d[\d.,]* (?:each|a pair|per)"
    r"|\bfits? (?:most|all|up to|true to)\b|\b(?:not )?suitable for\b|\bsupplied (?:with|in)\b|\bsold (?:in|as|by)\b"
    r"|\bcontains (?:milk|nuts|soya|gluten|egg)|\balso (?:in|as|available)\b|\bavailable in\b|\breplacement\b"
    r"|\bpart[- ]exchange\b|\b(?:trade|student|bulk) (?:price|code|packs?)\b|\bvacuum[- ]packed\b|\brestock\b"
    r"|\b(?:on|with a) subscription\b|\bmade to (?:order|measure)\b|\barrives (?:in|within|by)\b|\bparts and labou?r\b"
    r"|\bincludes delivery\b|\bdelivery included\b|\b(?:from|only|now) [£$€]\d|\bper (?:100 ?)?(?:g|kg|ml)\b",
    re.IGNORECASE,
)
#: What is said of goods, and now and then of things that are not for sale: their measures, make and care.
_DESCRIBED: Final = re.compile(
    r"\b\d+(?:[.,]\d+)? ?(?:mm|cm|kg|g|ml|cl|l|litres?|w|kw|v|ah|mah|wh|gb|tb|inch(?:es)?|ft|lbs?|oz|gsm|rpm|psi|bar"
    r"|tog|denier|dpi|hz|mhz|m²|pieces?|pcs|sheets?|servings?|tablets|capsules)\b|\d[\"”]|\bcomes? (?:with|in)\b"
    r"|\bweighs\b|\bhand[- ]?(?:made|finished|poured|cut)\b"
    r"|\b(?:bpa|cruelty|gluten|latex|ammonia|paraben|acid|lint)[- ]free\b"
    r"|\b(?:dishwasher|microwave|oven)[- ]safe\b|\bwashable\b|\bwaterproof\b|\bwater[- ]resistant\b|\brechargeable\b"
    r"|\bcompatible with\b|\b(?:sku|ean|part no|ref)\b|\bbatter(?:y|ies) (?:included|life)\b|\bsold out\b"
    r"|\bbundle\b|\bgift[- ]wrap|\bpre-?order\b|\blead time\b|\bcollect (?:from|in)\b|\brefills?\b"
    r"|\bchoose (?:from|your)\b|\byour (?:choice|usual size|normal size)\b|\bsize (?:up|down|guide)\b|\btrue to size\b"
    r"|\bcotton\b|\bpolyester\b|\bstainless\b|\bsolid (?:oak|pine|wood|brass)\b|\bleather\b|\bshades?\b"
    r"|\bdimensions\b",
    re.IGNORECASE,
)
#: Titles of what is no offer: questions, and what a person or a guide has to say.
_ASKING: Final = re.compile(
    r"\?|^(?:how|why|what|when|which|should|could|can|is|are|do|does|who|where|my|our|we|i|tips|guide|tasting|tested)\b",
    re.IGNORECASE,
)
#: What these must make together on a short text and on a longer one, a term of sale counted twice.
_OFFERED: Final = (3, 6)
_LONGEST_OFFER: Final = 300
#: How works of reference begin: "Borax, also known as …, is", after the name that titles them.
_DEFINITION: Final = (
    r"(?: ?\([^)\n]{1,80}\))?,?(?: (?:also|or|formerly) [^,\n]{1,60},)?"
    r" (?:(?:is|are|was|were) (?:an?|the|one|any|all|used|known|made)|refers to|means|measures)\b"
)
_LEAD: Final = 400
_MOST_OF_NAME: Final = 5
_FEW: Final = 2
_SEVERAL: Final = 3
_MANY: Final = 5
_MOST_READ: Final = 16_000
#: Words from which a page without marks is a piece of writing.
_SHORT: Final = 150
#: What is a sentence and no label or menu, the words that it has at least, and the share of a page's words
#: in them from which it is written; and the words from which it has any need of them.
_SENTENCE: Final = re.compile(r"[^.!?\n]+[.!?](?![^\s\"”’')])")
_WORDS_OF_A_SENTENCE: Final = 5
_WRITTEN: Final = 0.4
_LEAST_WORDS: Final = 20
#: Kinds of pages that tell of things, and those of them of which the address says least: `/sport/` has shoes, too.
_TELLING: Final = frozenset(
    ("article", "blog", "documentation", "fiction", "forum", "guide", "media", "news", "reference", "review", "tool")
)
_DOUBTED: Final = frozenset(("news", "tool"))
#: What is said of a page whose type nothing tells.
UNTOLD: Final = (
    "a text without an address",
    "nothing tells more: a piece of writing",
    "home page of nobody in particular",
)
#: Kinds of host, and what stands there although addresses are called so.
_TOLD_BY_HOST: Final = {"documentation": ("guide", "reference"), "guide": ("article",)}
#: Speech, a hundred words, from which a narrative is a story, and from which one is that is not of its writer.
_SPEECH: Final = 0.6
_SOME_SPEECH: Final = 0.2
_PRINTED: Final = ("blog", "news")
#: The address of a letter to subscribers at the largest publisher of these, who marks them all as news.
_LETTER: Final = re.compile(r"/p/[a-z0-9]+(?:-[a-z0-9]+)+")
_NEWS: Final = ("news", "it reports news of the day")
_FICTION: Final = ("fiction", "a story or a poem")
PRICE_LIST: Final = "a list of items with their prices"
#: What has fields, buttons and menus alone.
FIELDS: Final = "hardly a sentence"

_Told = tuple[str, str]


# A page is asked for its kind at every step of its segmentation.
@lru_cache(maxsize=16)
def content_type(page: Page) -> _Told:
    """Tell the content type of a page and its ground: from structured data, the address, marks, then the wording.

    A page is ``corporate`` only where an organization speaks of itself and of what it offers; a page that nothing tells
    of is a piece of writing.
    """
    if not page.url:
        return "article", UNTOLD[0]
    if is_notice(page):
        kind, ground = notice_type(page)
        return kind, f"a notice of its site: {ground}"
    address, is_home = urlsplit(page.url), page.is_home
    path = address.path
    told = _letter(page, path) or _type_by_data(page, path, is_home=is_home)
    addressed = told or _type_by_address(address.hostname or "", path)
    if not told and not is_home and (sold := _type_by_selling(page, addressed[0] if addressed else "")):
        return sold
    if addressed:
        return _bettered(page, addressed)
    if _OF_ITSELF.search(path):
        return _self_description(page)
    return _home_type(page) if is_home else _type_by_itself(page, path)


def _type_by_itself(page: Page, path: str) -> _Told:
    """Tell the content type of a page of which neither data nor address tell: what is published as fiction is that."""
    if errand := errand_type(page):
        kind, ground = errand
        return kind, f"a page for an errand: {ground}"
    return _FICTION if _is_story(page) else _type_by_marks(page) or _type_by_wording(page, path)


def _type_by_selling(page: Page, addressed: str) -> _Told | None:
    """Return that a page sells one thing or many, unless its address or its head says that it tells of things."""
    sells = page.selling
    if _is_credited(page) or (addressed in _TELLING and not _is_doubtful(page, addressed)):
        return None
    is_of_firm = sells.is_booked and speaks_of_itself(page)
    if sells.is_booked and (addressed == "event_page" or next(_by_event(page), None)):
        return None
    if sells.is_of_many and not is_of_firm and not _OF_ITSELF.search(urlsplit(page.url).path):
        return "category_page", "a grid of things, each with its price"
    if sells.is_of_one and not (is_of_firm and sells.kinds < _MANY):
        return "product_page", "a price, and what buys it"
    return None


def _is_doubtful(page: Page, addressed: str) -> bool:
    """Tell whether a page is none of what its address says: there are shoes in `/sport/`, too."""
    sells = page.selling
    return addressed in _DOUBTED and bool(sells.forms or sells.is_marked or sells.cells) and not tells_news(page)


def is_report(page: Page) -> bool:
    """Tell whether a page is a report of the day, and not the home page of those who write them."""
    return content_type(page)[0] == "news" and not page.is_home


def _type_by_address(host: str, path: str) -> _Told | None:
    by_path, by_host = _first("path", path, "{} in the address"), _first("host", host, "{} begins the host")
    # Guides and references among documents are documentation, the articles of a help centre guides.
    if by_host and (by_path is None or by_path[0] in _TOLD_BY_HOST.get(by_host[0], ())):
        return by_host
    return by_path


def _first(where: str, text: str, ground: str) -> _Told | None:
    """Return the first kind of page that a part of it tells (`page_kinds.tsv`)."""
    # Most tell none. A search that cares about letter case takes a third of the time.
    if _any_rule(where, text.isascii()).search(text.lower() if text.isascii() else text):
        for pattern, kind in _rules()[where]:
            if found := pattern.search(text):
                return kind, ground.format(found[0].strip("."))
    return None


def _titled(page: Page) -> _Told | None:
    """Return what the title of a page tells of its kind, and not the name of its site, unless that tells it, too."""
    told = _first("title", page.title, "{} in the title")
    if told is None or told[0] in _NAMES_OF_SITES:
        return told
    *own, name = _BETWEEN_TITLES.split(page.title)
    called, found = ("".join(_LETTERS.findall(text.lower())) for text in (name, urlsplit(page.url).hostname or ""))
    is_of_site = called in found or name == page.metas.get("og:site_name")
    return _first("title", " | ".join(own), "{} in the title") if own and is_of_site else told


def _is_of_reviews(path: str) -> bool:
    return any(pattern.search(path) for pattern, kind in _rules()["path"] if kind == "review")


@cache
def _any_rule(where: str, is_ascii: bool) -> re.Pattern[str]:
    flags = re.NOFLAG if is_ascii else re.IGNORECASE
    return re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _ in _rules()[where]), flags)


@cache
def _rules() -> dict[str, list[tuple[re.Pattern[str], str]]]:
    found: defaultdict[str, list[tuple[re.Pattern[str], str]]] = defaultdict(list)
    for row in knowledge_rows("page_kinds.tsv"):
        found[row["where"]].append((re.compile(row["pattern"], re.IGNORECASE), row["content_type"]))
    return found


def _letter(page: Page, path: str) -> _Told | None:
    if not (_LETTER.fullmatch(path) and _is_credited(page)) or page.selling.is_of_one or tells_news(page):
        return None
    return "blog", "a letter to subscribers"


def _type_by_data(page: Page, path: str, *, is_home: bool) -> _Told | None:
    for types, kind in _TYPES_BY_DATA:
        names = {str(item.get("name")) for item in page.structured(*types)}
        if not names or (is_home and types == _GOODS):
            continue
        if types == _GOODS and len(names) > 1:
            return "category_page", "structured data of several products"
        # What is reviewed is described too; the address tells which of the two the page is for.
        if not is_home and kind in _MAY_BE_REVIEW and _is_of_reviews(path):
            return "review", "reviews in the address"
        told = _first("path", path, "{} in the address")
        # A piece of a site may be anything but goods; programs mark each of their pages with what the program is.
        if told and (
            (types == _PIECE and told[0] not in _OF_GOODS) or (types == _GOODS and told[0] == "documentation")
        ):
            return told
        # Papers mark all that they print as news, some as posts.
        if kind in _PRINTED and (other := _evergreen(page, path) if kind == "news" else _news_in(page, path)):
            return other
        return kind, f"{_BY_DATA} {types[0]}"
    return None


def _news_in(page: Page, path: str) -> _Told | None:
    """Return that a page reports news, or as a story does, unless its address says what it is."""
    return (_FICTION if _is_story(page) else _NEWS) if tells_news(page) and not _first("path", path, "{}") else None


def _evergreen(page: Page, path: str) -> _Told | None:
    """Return that a page is a guide, a review or a reference, if its address or title says so."""
    told = (_first("path", path, "{} in the address"), _titled(page))
    return next((found for found in told if found and found[0] in _EVERGREEN), None)


def _bettered(page: Page, told: _Told) -> _Told:
    """Tell a page apart from what its address says where its wording is plain: posts, fiction, a single offer."""
    kind, ground = told
    titled = _titled(page)
    if kind in ("news", "blog", "category_page") and titled and titled[0] == "documentation":
        return titled
    if (kind == "article" or ground.startswith("/stories")) and _is_told(page):
        return _FICTION
    if kind == "blog" and is_narrative(page) and rate_of_i(page) < OWN_VOICE:
        return "article", "a narrative"
    if kind == "event_page" and not ground.startswith(_BY_DATA) and tells_news(page):
        return _NEWS
    if kind == "category_page" and _ONE_FOR_SALE.search(urlsplit(page.url).path) and not is_listing(page):
        return "product_page", "one of what is for sale"
    return _type_by_wording(page, "") if _is_misled(page, kind, ground) else _evergreen_piece(page, told)


def _is_misled(page: Page, kind: str, ground: str) -> bool:
    """Tell whether an address of a shop or a forum is that of something else: pieces have numbers in theirs, too."""
    if kind == "category_page" and not page.selling.cells:
        return tells_news(page)
    if kind == "product_page" and ground.startswith("/p/"):
        return not _SUM.search(page.opening)
    return kind == "forum" and ground.startswith(("/r/", "community")) and not count_matches(_POSTS, page.opening)


def _evergreen_piece(page: Page, told: _Told) -> _Told:
    """Return what a page marked as an article is made like: recipes and steps are guides."""
    made = next(_by_structure(page), None) if told == ("article", f"{_BY_DATA} {_PIECE[0]}") else None
    return made if made and made[0] in _EVERGREEN else told


def _self_description(page: Page) -> _Told:
    if speaks_of_itself(page):
        return "corporate", "an organization speaks of itself"
    if rate_of_i(page) >= OWN_VOICE:
        return "blog", "a person speaks of himself or herself"
    return "corporate", "an address at which organizations speak of themselves"


def _type_by_marks(page: Page) -> _Told | None:
    if generator := _first("generator", page.metas.get("generator", ""), "made with {}"):
        return generator
    mark = page.metas.get("og:type", "").lower()
    if mark.startswith("product"):
        return "product_page", "og:type product"
    if mark.startswith(("video", "music")) and not _is_piece(page):
        return "media", "og:type of a video or of music"
    # Shops mark their lists as articles, too; who tells of own expenses lists prices.
    if is_listing(page) and not (_is_credited(page) or tells_news(page) or rate_of_i(page) >= OWN_VOICE):
        return "category_page", PRICE_LIST
    return None


def _is_piece(page: Page) -> bool:
    """Whether a page is marked as a piece of writing, with an author or a date."""
    return page.has_article_tags or _is_credited(page)


def _may_be_piece(page: Page, path: str) -> bool:
    """Tell whether a page is a piece of writing rather than one on which an organization speaks of itself."""
    return _is_piece(page) or tells_news(page) or _DATED.search(path) is not None or not speaks_of_itself(page)


def _is_credited(page: Page) -> bool:
    """Whether the head of a page says that it is an article, who wrote it or when."""
    is_article = page.metas.get("og:type", "").lower() == "article"
    return is_article or any(page.metas.get(name) for name in _ARTICLE_MARKS)


def _type_by_wording(page: Page, path: str) -> _Told:
    if _is_told(page):
        return _FICTION
    if is_narrative(page):
        is_own = rate_of_i(page) >= OWN_VOICE and _DATED.search(path)
        if rate_of_own_i(page) < OWN_VOICE and rate_of_speech(page) >= _SOME_SPEECH and not _is_credited(page):
            return _FICTION
        return ("blog", "a person tells of his or her own") if is_own else ("article", "a narrative")
    return (
        _titled(page)
        or next(_by_structure(page), None)
        or (("review", "stars or marks out of ten") if _is_marked(page.opening) else None)
        or (("reference", "it begins with a definition of its title") if _defines_its_title(page) else None)
        or (_piece_type(page, path) if _may_be_piece(page, path) else None)
        or (("corporate", "an organization speaks of itself") if speaks_of_itself(page) else None)
        or next(_by_call(page), None)
        or (("product_page", "a price, and what is said of things for sale") if _is_for_sale(page) else None)
        or (("landing_page", FIELDS) if page.is_english and _is_hardly_written(page) else None)
        or ("article", UNTOLD[1])
    )


def _is_told(page: Page) -> bool:
    """Tell whether a page is fiction: who tells of his or her own life hardly quotes others, and reports are signed."""
    return _is_story(page) or (is_narrative(page) and rate_of_speech(page) >= _SPEECH and not _is_credited(page))


def _is_story(page: Page) -> bool:
    """Tell whether a page is a story or a poem itself: players and witnesses speak in reports, too."""
    return is_fiction(page) and not has_dateline(page)


def _by_structure(page: Page) -> Iterator[_Told]:
    text = page.opening
    if count_matches(_POSTS, text) >= _SEVERAL:
        yield "forum", "posts and replies"
    changes = count_matches(_CHANGES, text)
    if changes >= _SEVERAL and count_matches(_VERSIONS, text) >= _FEW:
        yield "documentation", "versions and their changes"
    if changes >= _MANY or _codes(text) >= _MANY + max(page.tokens // 100, 1):
        yield "documentation", "changes or code"
    if different_matches(_RECIPE, text) >= _FEW or count_matches(_STEPS, text) >= _MANY:
        yield "guide", "ingredients or steps"
    yield from _by_event(page)
    if count_matches(_PHONE, text) >= max(_MANY, page.tokens // 100):
        yield "directory", "many telephone numbers"


def _is_marked(text: str) -> bool:
    """Tell whether a text gives stars, or marks out of ten."""
    return any(sign in text for sign in _SIGNS_OF_MARKS) and _MARKED.search(text) is not None


def _codes(text: str) -> int:
    return count_matches(_code_of(tuple(sign for sign in _CODE if sign in text)), text)


@cache
def _code_of(signs: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join((*(_CODE[sign] for sign in signs), _END_OF_CODE)), re.MULTILINE)


def _by_event(page: Page) -> Iterator[_Told]:
    if different_matches(_EVENT, page.opening) >= _FEW and _DAY.search(f"{page.title}\n{page.opening}"):
        yield "event_page", "a day and tickets"


def _defines_its_title(page: Page) -> bool:
    """Tell whether a page says early what the thing of its title is, as works of reference do."""
    name = re.split(r" [|–—·-] |[:(]", page.title)[0].strip()
    if not name or len(name.split()) > _MOST_OF_NAME or rate_of_i(page) >= OWN_VOICE or _is_piece(page):
        return False
    lead = page.opening[:_LEAD]
    defined = rf"(?:^|[\n.] ?)(?:(?:An?|The) )?{re.escape(name)}{_DEFINITION}"
    return re.search(defined, lead, re.IGNORECASE) is not None


def _piece_type(page: Page, path: str) -> _Told | None:
    if tells_news(page):
        return _NEWS
    if rate_of_own_i(page) >= OWN_VOICE:
        return "blog", "a person writes of his or her own"
    is_dated = _DATED.search(path) is not None
    if is_dated and rate_of_own_i(page) >= _SOME_VOICE:
        return "blog", "a date in the address, and a person who writes"
    if count_matches(_SEE_ALSO, page.opening) >= 1 and not speaks_of_itself(page):
        return "reference", "it refers to other entries"
    if is_dated:
        return "article", "a date in the address"
    return ("article", "marked as an article") if _is_piece(page) else None


def _by_call(page: Page) -> Iterator[_Told]:
    if page.tokens < _SHORT and _CALL.search(page.opening):
        yield "landing_page", "a short page that asks for one thing"


def _is_for_sale(page: Page) -> bool:
    """Tell whether a short text is an offer, as its price and several terms of sale tell."""
    if page.tokens > _LONGEST_OFFER or not _SUM.search(page.opening) or _ASKING.search(page.title):
        return False
    text = f"{page.title}\n{page.opening}"
    said = 2 * different_matches(_FOR_SALE, text) + different_matches(_DESCRIBED, text)
    return said >= _OFFERED[page.tokens >= _SHORT]


def _is_hardly_written(page: Page) -> bool:
    """Tell whether a page has fields, buttons and menus, and hardly a sentence."""
    words = len(_LETTERS.findall(page.opening))
    sentences = (len(_LETTERS.findall(sentence)) for sentence in _SENTENCE.findall(page.opening))
    written = sum(number for number in sentences if number >= _WORDS_OF_A_SENTENCE)
    return words >= _LEAST_WORDS and written < _WRITTEN * words


def _organization_type(page: Page) -> _Told:
    """Tell what the home page of an organization is that speaks of itself: a parish or a band is no corporation."""
    is_firm = count_matches(_OF_A_FIRM, page.opening) > 0
    if different_matches(_OF_A_COMMUNITY, page.opening) >= (_MANY if is_firm else _FEW):
        return "landing_page", "home page of a community that speaks of itself"
    return "corporate", "home page of an organization that speaks of itself"


def _home_type(page: Page) -> _Told:
    if page.is_front_page:
        return "news", "it leads to the sections of a paper"
    for types, kind in _HOMES_BY_DATA:
        if item := next(page.structured(*types), None):
            return kind, f"home page with structured data: {item['@type']}"
    # Rooms, treatments and days out have their prices in a list, and are no goods.
    is_listed = is_listing(page) and ("for sale" in page.title.lower() or sells(page.opening))
    if is_listed or page.selling.is_of_many or any(map(_CART.search, page.addresses)):
        return "category_page", f"home page with a cart or {PRICE_LIST}"
    if speaks_of_itself(page):
        return _organization_type(page)
    told = next((found for found in _by_structure(page) if found[0] != "documentation"), None)
    if told and told[0] == "event_page" and not (_DAY.search(page.title) or _OF_EVENTS.search(page.title)):
        told = None  # a museum has days and tickets, too
    if not told and rate_of_i(page) >= OWN_VOICE:
        return ("corporate", "what a person offers") if offers_something(page) else ("blog", "home page of a person")
    return told or next(_by_call(page), ("landing_page", UNTOLD[2]))
