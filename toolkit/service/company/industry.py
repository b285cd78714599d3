"""The industry of the company behind a page: what it does itself, whatever its page is about."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from toolkit.service.company.organization import objects, string
from toolkit.service.company.statements import own_sentences, subject
from toolkit.service.company.voices import is_article, is_forum
from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import knowledge_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolkit.service.company.organization import Organization
    from toolkit.service.pages.parsed import Page
    from toolkit.service.subjects.content import ContentResult

__all__ = ["industry_of"]

#: What each piece of evidence counts. An industry needs two that agree, or one in which the company says what it is.
_STATED: Final = 3
_MODEL: Final = 2
_HINT: Final = 1
_ENOUGH: Final = 2
#: Web shops, software sold by the month and charities are told with other facts of the firm.
_MODELS: Final = {
    "e-commerce": "Retail Industry",
    "SaaS": "Technology Industry",
    "nonprofit": "Non-Profit Organizations",
}
#: The first digits of codes of NAICS and of ISIC; of several the longest counts.
_NAICS: Final = {
    "11": "Agriculture", "22": "Power and Energy Industry", "23": "Construction Industry",
    "31": "Manufacturing Industry", "32": "Manufacturing Industry", "33": "Manufacturing Industry",
    "311": "Food Industry", "312": "Food Industry", "313": "Apparel Industry", "314": "Apparel Industry",
    "315": "Apparel Industry", "3254": "Pharmaceutical Industry", "331": "Metals Industry",
    "3361": "Automotive Industry", "3362": "Automotive Industry", "3363": "Automotive Industry",
    "3364": "Aviation Industry", "44": "Retail Industry", "45": "Retail Industry", "441": "Automotive Industry",
    "481": "Aviation Industry", "48": "Logistics and Transportation Industry",
    "49": "Logistics and Transportation Industry", "51": "Media Industry", "5112": "Technology Industry",
    "5132": "Technology Industry", "513": "Publishing Industry", "512": "Entertainment Industry",
    "517": "Telecommunications Industry", "518": "Technology Industry", "52": "Financial Industry",
    "531": "Real Estate Industry", "5411": "Legal Services Industry", "5412": "Financial Industry",
    "5415": "Technology Industry", "5416": "Management Consulting Industry", "5418": "Advertising Industry",
    "562": "Environmental Services Industry", "61": "Education industry", "62": "Healthcare Industry",
    "71": "Entertainment Industry", "72": "Hospitality Industry", "813": "Non-Profit Organizations",
}  # fmt: skip
#: What may stand between "We are a" and the kind of company; after these words stands whom it is for, or where it is.
_PREDICATE: Final = (
    r"(?:is|are|was founded as|['’]re|ist|sind|est|sommes|es|somos|è|siamo|é|is)\s(?:proud to be |proudly )?"
    r"(?:(?:an?|the|your|one of the|eine?|une?|una?|uma?|um|een)\s)?(?P<kind>[^.;:()]{1,90})"
)
_WE_ARE: Final = re.compile(
    r"(?:We['’]re|Wir sind|Nous sommes|Somos|Siamo|Wij zijn|We zijn)\s"
    r"(?:(?:an?|the|eine?|une?|una?|uma?|um|een)\s)?(?P<kind>[^.;:()]{1,90})"
)
_ENDS: Final = re.compile(
    r"\b(?:for|that|which|who|whose|where|with|in|based|since|serving|from|by|about|to|at|near|on|für|pour|para|per|voor)\b"
    r".*|,\s.*"
)
#: "Food banks" and their like are of another trade than their last word says.
_OTHERWISE: Final = re.compile(r"\b(?:food|blood|data|toy|power|piggy|left|west|south|north) banks?\b", re.IGNORECASE)
#: Menus by which news and software are known, and how many of their words make one likely; more make it sure.
_MENUS: Final = {
    "Media Industry": frozenset(
        "news|sport|sports|opinion|politics|world|local|culture|markets|business|obituaries|weather|letters|editorial|"  # noqa: SIM905 - words
        "columns|features|lifestyle|e-paper|podcasts|nachrichten|politik|wirtschaft|kultur|meinung|actualités|économie|"
        "politique|deportes|política|economía|opinión|cronaca|politica|economia|nieuws".split("|")
    ),
    "Technology Industry": frozenset(
        "pricing|docs|documentation|api|log in|login|sign in|sign up|integrations|changelog|developers|status|"  # noqa: SIM905 - words
        "start free trial|free trial|get started|book a demo|request a demo|preise|tarifs|precios".split("|")
    ),
}
_LEAST_MENU: Final = 3
_CART: Final = re.compile(
    r"/(?:cart|basket|bag|checkout|panier|warenkorb|carrito|cesta|carrello)(?:[/?.#]|$)", re.IGNORECASE
)
_BUY: Final = re.compile(
    r"\b(?:add to (?:cart|basket|bag)|free (?:delivery|shipping|returns)|in den warenkorb|ajouter au panier|"
    r"añadir al carrito|aggiungi al carrello|in winkelwagen)\b",
    re.IGNORECASE,
)
_GOODS: Final = re.compile(r"/(?:products?|collections|produkte?|produits?|productos?|prodotti)/[^/]", re.IGNORECASE)
_LEAST_CONFIDENCE: Final = 0.5
_FRAME: Final = frozenset(("header", "nav", "footer"))


class _Industry(NamedTuple):
    name: str
    types: tuple[str, ...]
    kinds: re.Pattern[str]
    names: frozenset[str]
    categories: tuple[str, ...]


def industry_of(page: Page, organization: Organization, content: ContentResult, facts: Mapping[str, str]) -> str:
    """Return the industry of a page's owner, by its name in the vocabulary; empty where the page does not tell.

    What the page is about is one piece of evidence, and none where it is an article: a newspaper writes on football,
    and an agency on dentists. `facts` are those of `firm_facts`.
    """
    scores: Counter[str] = Counter()
    for found in (
        _by_type(organization),
        _by_code(organization),
        _by_statement(page, organization),
        _by_model(facts),
        _by_name(organization),
        _by_menu(page),
        _by_shop(page),
        _by_title(page, organization),
        () if is_article(page) or is_forum(page) else _by_category(content),
        _by_news(page),
    ):
        # One kind of evidence speaks once for an industry.
        scores.update(dict(found))
    best = scores.most_common(2)
    if not best or best[0][1] < _ENOUGH or (len(best) > 1 and best[0][1] == best[1][1]):
        return ""
    return best[0][0]


def _by_type(organization: Organization) -> Iterator[tuple[str, int]]:
    stated = organization.data.get("@type")
    for kind in stated if isinstance(stated, list) else [stated]:
        if isinstance(kind, str):
            ends = [(len(end), row.name) for row in _industries() for end in row.types if kind.endswith(end)]
            yield from ((name, _STATED) for _, name in sorted(ends)[-1:])


def _by_code(organization: Organization) -> Iterator[tuple[str, int]]:
    code = re.sub(r"\D", "", string(organization.data.get("naics")))
    begun = [start for start in _NAICS if code.startswith(start)]
    if begun:
        yield _NAICS[max(begun, key=len)], _STATED


def _by_statement(page: Page, organization: Organization) -> Iterator[tuple[str, int]]:
    english = re.compile(rf"^(?:.{{0,40}},\s)?{subject(organization)}{_PREDICATE}")
    is_ours = not is_article(page)
    sentences = [*own_sentences(organization), *(organization.said.split("\n") if is_ours else ())]
    for sentence in sentences:
        if found := english.search(sentence) or _WE_ARE.match(sentence):
            for name in _kinds(_ENDS.sub("", found["kind"])):
                yield name, _STATED
                return


def _by_title(page: Page, organization: Organization) -> Iterator[tuple[str, int]]:
    # The title of an article is about its subject; one that begins with the owner's name is the site's.
    texts = [page.title] if organization.name and page.title.startswith(organization.name) else []
    for text in texts if is_article(page) or is_forum(page) else (page.title, page.description):
        for part in re.split(r"\s[|–—·•:-]\s|[|·•.!?]", text):
            yield from (
                (name, _HINT) for name in _kinds(re.sub(r"\b(?:for|für|pour|para|per|voor|about)\b.*", "", part))
            )


def _by_name(organization: Organization) -> Iterator[tuple[str, int]]:
    words = set(re.findall(r"[^\W\d_]+", _OTHERWISE.sub("", organization.name).casefold()))
    yield from ((row.name, _HINT) for row in _industries() if words & row.names)


def _by_category(content: ContentResult) -> Iterator[tuple[str, int]]:
    for category in content.v3[:1]:
        if category.confidence >= _LEAST_CONFIDENCE:
            found = [row.name for row in _industries() if any(map(f"{category.path} > ".startswith, row.categories))]
            yield from ((name, _HINT) for name in found)


def _by_model(facts: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    told = {*facts.get("business_model", "").split(", "), facts.get("company_type", "")}
    yield from ((industry, _MODEL) for model, industry in _MODELS.items() if model in told)


def _by_menu(page: Page) -> Iterator[tuple[str, int]]:
    said = {link.text.casefold() for link in page.stated_links if link.place in _FRAME}
    for industry, words in _MENUS.items():
        if (number := len(said & words)) >= _LEAST_MENU:
            yield industry, _HINT if number == _LEAST_MENU else _MODEL


def _by_shop(page: Page) -> Iterator[tuple[str, int]]:
    offers = (offer for product in page.structured("Product") for offer in objects(product.get("offers")))
    told = (
        len(set(filter(_GOODS.search, page.addresses))) > 1,
        any(map(_CART.search, page.addresses)),
        _BUY.search(f"{page.description}\n{page.text}\n{page.footer}") is not None,
        any(string(offer.get("price") or offer.get("lowPrice")) for offer in offers),
    )
    if any(told):
        yield "Retail Industry", min(sum(told), _MODEL)


def _by_news(page: Page) -> Iterator[tuple[str, int]]:
    if next(page.structured("NewsArticle"), None) is not None:
        yield "Media Industry", _HINT


def _kinds(text: str) -> list[str]:
    """Return the industry of the kind of company that a text ends in, or names last."""
    bare = _OTHERWISE.sub("", text)
    ends = [
        (found.end(), found.end() - found.start(), row.name)
        for row in _industries()
        for found in row.kinds.finditer(bare)
    ]
    return [max(ends)[-1]] if ends else []


@cache
def _industries() -> tuple[_Industry, ...]:
    return tuple(
        _Industry(
            row["industry"],
            listed(row["types"]),
            re.compile(
                rf"(?<![\w-])(?:{'|'.join(map(re.escape, listed(row['kinds'])))})(?:s|es)?(?![\w-])", re.IGNORECASE
            ),
            frozenset(listed(row["names"])),
            tuple(f"{path} > " for path in listed(row["categories"])),
        )
        for row in knowledge_rows("industries.tsv")
    )
