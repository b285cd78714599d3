"""What kind of page it is: an article, news, a shop, a forum, a company's page, and what told so."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.readers.kinds.directories import lists_firms, shows_some
from toolkit.service.readers.kinds.events import announces_event, is_titled_event
from toolkit.service.readers.kinds.making import (
    MADE,
    by_structure,
    defines_its_title,
    is_hardly_written,
    is_marked,
)
from toolkit.service.readers.kinds.sale import SHORT, for_sale_in_title, is_for_sale, leads_with_price, names_a_sum
from toolkit.service.readers.kinds.style import worded_kind
from toolkit.service.readers.kinds.threads import count_posts, is_thread
from toolkit.service.readers.prices import is_listing
from toolkit.service.subjects.notices import is_notice, notice_type
from toolkit.service.subjects.site_words import errand_type, sells
from toolkit.service.subjects.stories import is_fiction
from toolkit.service.subjects.things import offers_job
from toolkit.service.subjects.wording import (
    OWN_VOICE,
    count_matches,
    different_matches,
    has_dateline,
    is_narrative,
    is_signed,
    offers_something,
    rate_of_i,
    rate_of_own_i,
    rate_of_speech,
    speaks_of_itself,
    tells_news,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from urllib.parse import SplitResult

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
#: What is said in a title of a release, and not of documents.
_RELEASE: Final = re.compile(r"notes|log\b|[0-9]")
_BETWEEN_TITLES: Final = re.compile(r" [|–—·:-] ")
_LETTERS: Final = re.compile(r"[^\W_]+")
#: What a home page is by the structured data about its owner.
_HOMES_BY_DATA: Final = (
    (("Blog",), "blog"),
    (("Store",), "category_page"),
    (("Hotel", "Resort", "Hostel", "Restaurant", "HealthClub", "LocalBusiness"), "corporate"),
    (("NGO", "SportsClub", "Church", "Mosque", "Temple", "School", "Museum", "MusicGroup"), "landing_page"),
)
_CART: Final = re.compile(r"/(?:cart|basket|checkout)(?:[/?.#]|$)", re.IGNORECASE)
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
_SEE_ALSO: Final = re.compile(
    r"(?m)^\W{0,3}(?:see also|references|etymology|external links|synonyms|further reading)\b", re.IGNORECASE
)
_CALL: Final = re.compile(
    r"\b(?:sign up|get started|start (?:your|a) free|try (?:it )?(?:for )?free|join (?:the )?(?:waitlist|now|today|us)"
    r"|donate|download now|subscribe now|request access|claim your|register today)\b",
    re.IGNORECASE,
)
#: The address of one house, car or animal among those on offer: it is named by several words or numbers.
_ONE_FOR_SALE: Final = re.compile(
    r"(?i)/(?:for-sale|to-let|rentals|adopt|listings?)/(?:[^/]+/)*"
    r"(?:[^/-]+(?:-[^/-]+){3,}(?:/[0-9]+)?|[^/]*[0-9]{4,})/?$"
)
_FEW: Final = 2
_MANY: Final = 5
#: Kinds of pages that tell of things, and those of them of which the address says least: `/sport/` has shoes, too.
_TELLING: Final = frozenset(
    ("article", "blog", "documentation", "fiction", "forum", "guide", "media", "news", "reference", "review", "tool")
)
_DOUBTED: Final = frozenset(("news", "tool"))
#: Addresses of forums at which papers and towns have a section, too, and how that of a thread ends or goes on.
_AMONG_POSTS: Final = ("/r/", "/community/ ", "community")
_NUMBERED: Final = re.compile(r"[0-9]{4,}/?$|/comments/")
#: What is said of a page whose type nothing tells.
UNTOLD: Final = (
    "a text without an address",
    "nothing tells more: a piece of writing",
    "home page of nobody in particular",
)
#: Kinds of host, and what stands there although addresses are called so.
_TOLD_BY_HOST: Final = {
    "documentation": ("guide", "reference", "article", "event_page", "tool"),
    "forum": ("review", "guide"),
    "news": ("documentation",),
}
#: Speech, a hundred words, from which a narrative is a story, and from which one is that is not of its writer.
_SPEECH: Final = 0.6
_SOME_SPEECH: Final = 0.2
_PRINTED: Final = ("blog", "news")
#: The address or the title of what tells somebody's life when it has ended.
_OF_A_LIFE: Final = re.compile(
    r"/(?:obituar(?:y|ies)|in-memoriam)\b|\b(?:obituary|die[sd],? (?:at|aged) [0-9])", re.IGNORECASE
)
#: The address of a letter to subscribers at the largest publisher of these, who marks them all as news.
_LETTER: Final = re.compile(r"/p/[a-z0-9]+(?:-[a-z0-9]+)+")
_NEWS: Final = ("news", "it reports news of the day")
_FICTION: Final = ("fiction", "a story or a poem")
_THREAD: Final = ("forum", "people answer each other")
PRICE_LIST: Final = "a list of items with their prices"
_ADDRESSED: Final = "{} in the address"
_MARKED: Final = "marked as an article"
_NARRATIVE: Final = "a narrative"
_OWN: Final = "a person writes of his or her own"
_ORGANIZATION: Final = "an organization speaks of itself"
_PLACE: Final = "an address at which organizations speak of themselves"
_PERSON: Final = "home page of a person"
_OFFER: Final = "what a person offers"
_PRICE: Final = "a price, and what is said of things for sale"
#: What has fields, buttons and menus alone.
FIELDS: Final = "hardly a sentence"
#: Grounds that are told of many pages of other kinds, too: programs mark all their pages as articles.
_DOUBTFUL: Final = frozenset(
    [
        *(UNTOLD[1], _MARKED, _NARRATIVE, _OWN, _ORGANIZATION, _PLACE, _PERSON, _OFFER, _PRICE, PRICE_LIST, FIELDS),
        *(MADE, f"{_BY_DATA} Article", f"{_BY_DATA} NewsArticle", f"{_BY_DATA} TechArticle"),
    ]
)
#: And addresses that pages of several kinds have: papers and firms have stories, too.
_AMBIGUOUS: Final = re.compile(r"/(?:stories|lists|handbook|community)/ in the address|wiki begins the host")

_Told = tuple[str, str]


# A page is asked for its kind at every step of its segmentation.
@lru_cache(maxsize=16)
def content_type(page: Page) -> _Told:
    """Tell the content type of a page and its ground: from structured data, the address, marks, then the wording.

    A page is ``corporate`` only where an organization speaks of itself and of what it offers; a page that nothing tells
    of is a piece of writing. Where the ground is doubtful and the page hardly worded so, it is what it is worded like.
    """
    kind, ground = told = _type_by_signs(page)
    if ground not in _DOUBTFUL and not _AMBIGUOUS.fullmatch(ground):
        return told
    worded = worded_kind(page, kind, may_sell=ground not in (_NARRATIVE, _OWN))
    # Lives and reports are told as stories are.
    is_no_story = worded is not None and worded[0] == "fiction" and (_is_credited(page) or _is_of_a_life(page))
    return told if worded is None or is_no_story else worded


def _type_by_signs(page: Page) -> _Told:
    if not page.url:
        return "article", UNTOLD[0]
    if is_notice(page):
        kind, ground = notice_type(page)
        return kind, f"a notice of its site: {ground}"
    address, is_home = urlsplit(page.url), page.is_home
    path = address.path
    told = _letter(page, path) or _type_by_data(page, path, is_home=is_home) or _job(page)
    addressed = told or _type_by_address(address)
    if not told and not is_home and (sold := _type_by_selling(page, addressed[0] if addressed else "")):
        return sold
    if addressed:
        return _THREAD if addressed[0] == "blog" and is_thread(page) else _bettered(page, addressed)
    if _OF_ITSELF.search(path):
        return _self_description(page)
    return _home_type(page) if is_home else _type_by_itself(page, path)


def _type_by_itself(page: Page, path: str) -> _Told:
    """Tell the content type of a page of which neither data nor address tell: what is published as fiction is that."""
    if errand := errand_type(page):
        kind, ground = errand
        return kind, f"a page for an errand: {ground}"
    if is_thread(page):
        return _THREAD
    return _FICTION if _is_story(page) else _type_by_marks(page) or _type_by_wording(page, path)


def _type_by_selling(page: Page, addressed: str) -> _Told | None:
    """Return that a page sells one thing or many, unless its address or its head says that it tells of things."""
    sells = page.selling
    if shows_some(page):
        is_of_firms = not sells.is_of_many and lists_firms(page)
        return ("directory", is_of_firms) if is_of_firms else ("category_page", "some of many things, and how many")
    is_told = addressed in _TELLING and not _is_doubtful(page, addressed)
    is_of_itself = _OF_ITSELF.search(urlsplit(page.url).path) is not None
    if addressed in ("", *_OF_GOODS) and not (is_of_itself or sells.is_of_many) and (priced := _priced(page)):
        return priced
    # In a shop, who made a thing is named as who wrote a guide is.
    if _is_credited(page) or is_told or (addressed not in _OF_GOODS and is_signed(page)):
        return None
    is_of_firm = sells.is_booked and speaks_of_itself(page)
    if sells.is_booked and (addressed == "event_page" or announces_event(page)):
        return None
    if sells.is_of_many and not is_of_firm and not is_of_itself:
        return "category_page", "a grid of things, each with its price"
    is_of_one = sells.is_of_one and not (is_of_firm and sells.kinds < _MANY)
    return ("product_page", "a price, and what buys it") if is_of_one else None


def _priced(page: Page) -> _Told | None:
    """Return that a page offers something where its title or the line below it says so; reports have sums, too."""
    titled = for_sale_in_title(page)
    if not (titled or leads_with_price(page)) or tells_news(page) or is_signed(page):
        return None
    if titled and _titled(page):
        return None  # a play is called so, and reviewed
    is_of_many = titled == "many" or is_listing(page)
    if titled:
        kind, number = ("category_page", "several") if is_of_many else ("product_page", "one")
        return kind, f"{number} for sale, as its title says"
    return None if is_of_many else ("product_page", "its price stands below its title")


def _is_doubtful(page: Page, addressed: str) -> bool:
    """Tell whether a page is none of what its address says: there are shoes in `/sport/`, too."""
    sells = page.selling
    return addressed in _DOUBTED and bool(sells.forms or sells.is_marked or sells.cells) and not tells_news(page)


def is_report(page: Page) -> bool:
    """Tell whether a page is a report of the day, and not the home page of those who write them."""
    return content_type(page)[0] == "news" and not page.is_home


def _type_by_address(address: SplitResult) -> _Told | None:
    by_path, by_host = (
        _first("query", address.query, _ADDRESSED) or _first("path", address.path, _ADDRESSED),
        _first("host", address.hostname or "", "{} begins the host"),
    )
    # Guides and references among documents are documentation, the articles of a help centre too, the releases of a
    # newsroom news, and what a board calls the best is a thread.
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


def _job(page: Page) -> _Told | None:
    where = "" if shows_some(page) else offers_job(page)
    return ("landing_page", f"its {where} offers a job") if where else None


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
        told = _first("path", path, _ADDRESSED)
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
    told = (_first("path", path, _ADDRESSED), _titled(page))
    return next((found for found in told if found and found[0] in _EVERGREEN), None)


def _bettered(page: Page, told: _Told) -> _Told:
    """Tell a page apart from what its address says where its wording is plain: posts, fiction, a single offer."""
    kind, ground = told
    titled = _titled(page)
    if titled and titled[0] == "documentation":
        # A help centre has guides to documents, too, and the notes of a release.
        is_of_release = _RELEASE.search(titled[1]) is not None
        if kind in ("news", "blog", "category_page") or (kind == "guide" and is_of_release):
            return titled
    if kind == "article" and _is_told(page):
        return _FICTION
    if kind == "blog" and is_narrative(page) and rate_of_i(page) < OWN_VOICE:
        return "article", _NARRATIVE
    if kind == "event_page" and not ground.startswith(_BY_DATA) and tells_news(page):
        return _NEWS
    if kind == "category_page" and _ONE_FOR_SALE.search(urlsplit(page.url).path) and not is_listing(page):
        return "product_page", "one of what is for sale"
    return _type_by_wording(page, "") if _is_misled(page, kind, ground) else _evergreen_piece(page, told)


def _is_misled(page: Page, kind: str, ground: str) -> bool:
    """Tell whether an address of a shop or a forum is that of something else: papers have a section of deals, too."""
    if kind == "category_page" and not page.selling.cells:
        return tells_news(page) or is_signed(page)
    if kind == "product_page" and ground.startswith("/p/"):
        return not names_a_sum(page)
    is_among_posts = kind == "forum" and ground.startswith(_AMONG_POSTS)
    return is_among_posts and not (count_posts(page) or _NUMBERED.search(urlsplit(page.url).path))


def _evergreen_piece(page: Page, told: _Told) -> _Told:
    """Return what a page marked as an article is made like: recipes and steps are guides."""
    made = next(by_structure(page), None) if told == ("article", f"{_BY_DATA} {_PIECE[0]}") else None
    return made if made and made[0] in _EVERGREEN else told


def _titled_event(page: Page) -> _Told | None:
    """Return that a page announces the event of its title, though those who hold it speak of themselves."""
    ground = announces_event(page) if is_titled_event(page) else ""
    return ("event_page", ground) if ground else None


def _self_description(page: Page) -> _Told:
    if event := _titled_event(page):
        return event
    if speaks_of_itself(page):
        return "corporate", _ORGANIZATION
    if rate_of_i(page) >= OWN_VOICE:
        return "blog", "a person speaks of himself or herself"
    return "corporate", _PLACE


def _type_by_marks(page: Page) -> _Told | None:
    if generator := _first("generator", page.metas.get("generator", ""), "made with {}"):
        # What makes blogs makes sites of galleries and clubs, too.
        made = next(by_structure(page), None) if generator[0] == "blog" else None
        return made or generator
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


def _is_attributed(page: Page) -> bool:
    """Whether the head of a page or a line below its title says who wrote it or when, or it tells of who has died."""
    return _is_credited(page) or is_signed(page) or _is_of_a_life(page)


def _is_of_a_life(page: Page) -> bool:
    return _OF_A_LIFE.search(f"{page.url} {page.title}") is not None


def _type_by_wording(page: Page, path: str) -> _Told:
    if _is_told(page):
        return _FICTION
    if is_narrative(page):
        is_own = rate_of_i(page) >= OWN_VOICE and _DATED.search(path)
        if rate_of_own_i(page) < OWN_VOICE and rate_of_speech(page) >= _SOME_SPEECH and not _is_attributed(page):
            return _FICTION
        return ("blog", "a person tells of his or her own") if is_own else ("article", _NARRATIVE)
    return (
        _titled(page)
        or next(by_structure(page), None)
        or (("review", "stars or marks out of ten") if is_marked(page.opening) else None)
        or (
            ("reference", "it begins with a definition of its title")
            if not _is_piece(page) and defines_its_title(page)
            else None
        )
        or (_piece_type(page, path) if _may_be_piece(page, path) else None)
        or (("corporate", _ORGANIZATION) if speaks_of_itself(page) else None)
        or next(_by_call(page), None)
        or (("product_page", _PRICE) if is_for_sale(page) else None)
        or (("landing_page", FIELDS) if page.is_english and is_hardly_written(page) else None)
        or ("article", UNTOLD[1])
    )


def _is_told(page: Page) -> bool:
    """Tell whether a page is fiction: who tells of his or her own life hardly quotes others, and reports are signed."""
    return _is_story(page) or (is_narrative(page) and rate_of_speech(page) >= _SPEECH and not _is_attributed(page))


def _is_story(page: Page) -> bool:
    """Tell whether a page is a story or a poem itself: reports have players and witnesses who speak, lives are told."""
    return is_fiction(page) and not (has_dateline(page) or _is_of_a_life(page))


def _piece_type(page: Page, path: str) -> _Told | None:
    if tells_news(page):
        return _NEWS
    if rate_of_own_i(page) >= OWN_VOICE:
        return "blog", _OWN
    is_dated = _DATED.search(path) is not None
    if is_dated and rate_of_own_i(page) >= _SOME_VOICE:
        return "blog", "a date in the address, and a person who writes"
    if count_matches(_SEE_ALSO, page.opening) >= 1 and not speaks_of_itself(page):
        return "reference", "it refers to other entries"
    if is_dated:
        return "article", "a date in the address"
    return ("article", _MARKED) if _is_piece(page) else None


def _by_call(page: Page) -> Iterator[_Told]:
    if page.tokens < SHORT and _CALL.search(page.opening):
        yield "landing_page", "a short page that asks for one thing"


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
        return _titled_event(page) or _organization_type(page)
    told = next((found for found in by_structure(page) if found[0] != "documentation"), None)
    if told and told[0] == "event_page" and not is_titled_event(page):
        told = None  # a museum has days and tickets, too
    if not told and rate_of_i(page) >= OWN_VOICE:
        return ("corporate", _OFFER) if offers_something(page) else ("blog", _PERSON)
    return told or next(_by_call(page), ("landing_page", UNTOLD[2]))
