"""What is in a page: its text, its tags and the facts it states about itself."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from toolkit.service.knowledge.pieces import written
from toolkit.service.pages.bounds import bounded
from toolkit.service.pages.charsets import decoded, mended
from toolkit.service.pages.languages import detect_language
from toolkit.service.pages.parts import Parts, read_parts
from toolkit.service.pages.prose import main_text, without_boilerplate
from toolkit.service.pages.sections import are_of_a_paper, stated_sections
from toolkit.service.pages.selling import NOTHING, Selling, selling_of
from toolkit.service.pages.sides import Place, footer_and_quotations, is_own, mark_sides, place_of
from toolkit.service.pages.technologies import ends_of, find_technologies

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from selectolax.lexbor import LexborNode

    from toolkit.service.pages.fetching import Fetched

__all__ = ["Link", "Page", "count_tokens", "page_from_text", "parse_page"]

#: Scripts written without spaces, counted by character.
_SCRIPTS: Final = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f"
_UNSPACED: Final = re.compile(rf"[{_SCRIPTS}]")
_WORD: Final = re.compile(rf"[^\W\d_{_SCRIPTS}]{{2,}}")
#: What is read of a page's parts; beyond it stands nothing that a page needs to say what it is about.
_MOST_CHARACTERS: Final = 500_000
_MOST_READ: Final = 16_000
_MOST_OF_A_TAG: Final = 5_000
_HEADINGS: Final = ("h1", "h2", "h3")
_MOST_HEADINGS: Final = 40
_MOST_KEYWORDS: Final = 100
#: In each place of the page.
_MOST_LINKS: Final = 200
_MOST_SCRIPTS: Final = 1_000
_MOST_METAS: Final = 1_000
#: Tags that state something of the page: by themselves, in data, or by what they load.
_STATING: Final = "meta, script, link[href], img[src], iframe[src]"
_OF_DATA: Final = "application/ld+json"
#: Objects of structured data.
_MOST_DATA: Final = 1_000
_MOST_OF_AN_ADDRESS: Final = 2_000
#: An address of a site, as far as its host.
_ORIGIN: Final = re.compile(r"https?://[^/\s?#]+")
_SCHEMES: Final = ("http://", "https://")
#: Codes of languages and countries as addresses have them, paths of home pages, of one of these too, and ends of paths
#: at which a query tells which of a site's pages is served.
_OF_A_LANGUAGE: Final = (
    r"(?:ar|at|au|be|bg|br|ca|ch|cn|cs|da|de|dk|el|en|es|et|eu|fa|fi|fr|gb|ga|he|hi|hu|id|ie|in|int|it|ja|jp|ko|lt|lv|mx"
    r"|nb|nl|no|nz|pl|pt|ro|ru|se|sg|sk|sl|sr|sv|th|tr|uk|us|vi|za|zh)(?:[-_][a-z0-9]{2,4})?"
)
_HOME: Final = re.compile(
    rf"/?(?:{_OF_A_LANGUAGE}(?:/|$)){{0,2}}(?:home|(?:default|home|index)\.[a-z]{{2,5}})?", re.IGNORECASE
)
_SERVED: Final = (".asp", ".aspx", ".cfm", ".jsp", ".php")
#: Characters of a link that is the name of a section.
_MOST_OF_A_LABEL: Final = 20
#: Addresses of threads, of which the posts that answer the first are the matter, too.
_THREAD: Final = re.compile(
    r"^https?://(?:forums?|boards?|community|discuss|discourse)\.|/(?:forums?|boards?|threads?|topics?|discussions?|discuss"
    r"|comments|questions|viewtopic|showthread|r|t)(?:[/.?]|$)",
    re.IGNORECASE,
)
#: An escape in JSON; the group holds one that is half a character.
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


class Link(NamedTuple):
    """A link of a page."""

    address: str
    text: str
    #: Where in the page it stands. What a header or footer of the page holds, its menus too, stands in that; author
    #: boxes, share bars and widgets stand aside.
    place: Place = "main"


class StatedLink(NamedTuple):
    """A link as a page states it, with the pieces of its text: few ask for the whole."""

    address: str
    texts: Sequence[str]
    place: Place

    @property
    def text(self) -> str:
        """Its text."""
        return _squeezed(" ".join(self.texts))


@dataclass(frozen=True)
class Page:
    """A page taken apart."""

    #: Where it was found.
    url: str
    #: As the page states them; empty where missing.
    title: str = ""
    description: str = ""
    language: str = ""
    #: As the page states them, in order.
    keywords: tuple[str, ...] = ()
    #: Those of the site under which the page says it stands, if they say what is in them.
    sections: tuple[str, ...] = ()
    #: Of the page's own matter, not those of what stands beside it.
    headings: tuple[str, ...] = ()
    #: Main text, paragraphs on lines of their own, at most 500,000 characters.
    text: str = ""
    #: What its site writes about itself in the midst of that, whatever the page is about; no part of the text.
    boilerplate: str = ""
    #: Content of the meta tags by name or property, in lower case.
    metas: dict[str, str] = field(default_factory=dict)
    #: Structured data, graphs flattened.
    json_ld: tuple[dict[str, Any], ...] = ()
    #: Its links, with their addresses as it states them.
    stated_links: tuple[StatedLink, ...] = ()
    #: Response headers.
    headers: dict[str, str] = field(default_factory=dict)
    #: Text of its footers, where a site speaks of its owner, a line a paragraph.
    footer: str = ""
    #: Text of its block quotes and testimonials, where others speak.
    quoted: str = ""
    #: Addresses of scripts, style sheets and pictures as it states them, and the beginning and the end of its source:
    #: all that the technologies need of these, which few ask for. The source is let go once they are found, and what
    #: is kept of a page has neither.
    stated_scripts: tuple[str, ...] = field(default=(), repr=False)
    source: bytes = field(default=b"", repr=False, compare=False)
    #: Whether its own matter has tags that articles are made of.
    has_article_tags: bool = False
    #: What shows that something is sold there.
    selling: Selling = NOTHING

    def __hash__(self) -> int:
        # What is told of a page is kept by it. Other fields hold tables, which have no hash.
        return hash(self.text)

    def __getstate__(self) -> dict[str, Any]:
        # Found now, for the source is several times as large as all that was read of a page.
        kept = {"technologies": self.technologies, **vars(self), "stated_scripts": ()}
        # They are soon joined anew.
        kept.pop("addresses", None)
        return kept

    @cached_property
    def technologies(self) -> tuple[tuple[str, str], ...]:
        """Name and category of the technologies that it and its headers show."""
        found = find_technologies(self.source.decode(), self.scripts, self.metas, self.headers)
        # What is told of a page keeps it for a while, and nobody needs its source any more.
        vars(self)["source"] = b""
        return found

    @property
    def scripts(self) -> tuple[str, ...]:
        """Addresses of scripts, style sheets and pictures; none of a page that was kept."""
        base = _Base.of(self.url)
        return tuple(map(base.joined, self.stated_scripts))

    @cached_property
    def addresses(self) -> tuple[str, ...]:
        """The whole addresses of its links."""
        base = _Base.of(self.url)
        return tuple([base.joined(link.address) for link in self.stated_links])

    @property
    def links(self) -> tuple[Link, ...]:
        """Its links, with whole addresses."""
        pairs = zip(self.addresses, self.stated_links, strict=True)
        return tuple([Link(address, link.text, link.place) for address, link in pairs])

    @cached_property
    def opening(self) -> str:
        """The beginning of the main text, as far as it is read for what the page is about."""
        return self.text[:_MOST_READ]

    @cached_property
    def stated(self) -> tuple[str, ...]:
        """The title, the description and the opening: in which words of the page count as its own."""
        return (self.title, self.description, self.opening)

    @cached_property
    def said(self) -> str:
        """All that is searched for wordings, one after the other."""
        return "\n".join((*self.stated, *self.headings, self.footer))

    @cached_property
    def tokens(self) -> int:
        """Number of words in the main text and the description."""
        return count_tokens(self.text) + count_tokens(self.description)

    @cached_property
    def is_home(self) -> bool:
        """Whether it is the home page of its site, which may be of several things."""
        return is_home_address(self.url)

    @cached_property
    def is_front_page(self) -> bool:
        """Whether it is the front page of a paper or a broadcaster, which is of all that happens."""
        labels = (text for link in self.stated_links if len(text := link.text) <= _MOST_OF_A_LABEL)
        return self.is_home and are_of_a_paper(labels)

    @cached_property
    def detected_language(self) -> str:
        """The language of the main text (ISO 639-1), ``und`` if none that is known, empty if too short to tell."""
        return detect_language(self.text, self.language)

    @property
    def is_english(self) -> bool:
        """Whether the main text is English; one too short to tell counts as English."""
        return self.detected_language in ("en", "")

    def structured(self, *types: str) -> Iterator[dict[str, Any]]:
        """Yield the structured-data objects whose type ends in one of `types`."""
        for item in self.json_ld:
            kinds = item.get("@type")
            names = kinds if isinstance(kinds, list) else [kinds]
            if any(isinstance(name, str) and name.endswith(types) for name in names):
                yield item


def is_home_address(url: str) -> bool:
    """Tell whether an address is that of the home page of a site, or of one of its languages.

    >>> is_home_address("https://a.example/en-GB/"), is_home_address("https://a.example/index.php?id=7")
    (True, False)
    >>> is_home_address("https://a.example/tv"), is_home_address("https://a.example/myhome")
    (False, False)
    """
    address = urlsplit(url)
    if not url or (address.query and address.path.endswith(_SERVED)):
        return False
    return _HOME.fullmatch(address.path) is not None


def count_tokens(text: str) -> int:
    """Count words; in scripts written without spaces two characters count as one.

    >>> count_tokens("Boots for wide feet"), count_tokens("温泉旅館")
    (4, 2)
    """
    is_long = len(text) > _MOST_READ
    words = len(_WORD.findall(text)) if is_long else written(text).count(_words_in)
    if text.isascii():
        return words
    return words + (len(_UNSPACED.findall(text)) if is_long else written(text).count(_UNSPACED)) // 2


def _words_in(pieces: Sequence[str]) -> list[int]:
    # Most pieces are a word and nothing else, and need not be searched.
    return [
        1 if piece.isascii() and piece.isalpha() and len(piece) > 1 else len(_WORD.findall(piece)) for piece in pieces
    ]


def page_from_text(text: str) -> Page:
    """Return a page that consists of a text alone."""
    return Page(url="", text=mended(text)[:_MOST_CHARACTERS])


def parse_page(fetched: Fetched) -> Page:
    """Take a fetched page apart; plain text has its first line as the title."""
    source = decoded(fetched.body, fetched.charset)
    if fetched.media_type == "text/plain":
        text = source.decode()[:_MOST_CHARACTERS]
        first = text.strip().split("\n", 1)[0][:200]
        return Page(url=fetched.url, title=first, text=text, headers=fetched.headers)
    # Its events copy what is chosen of a list of options, time and again.
    tree = LexborHTMLParser(bounded(source), options=LexborDocumentOptions.WO_EVENTS)
    # In one walk: to look for each of these by itself is to go through all of the page each time.
    stating = [(node.tag, node) for node in tree.css(_STATING)]
    metas = _metas([node for tag, node in stating if tag == "meta"])
    root = tree.css_first("html")
    words = (word.strip() for word in metas.get("keywords", "").split(","))
    parts = read_parts(tree)
    is_home, is_thread = is_home_address(fetched.url), _THREAD.search(fetched.url) is not None
    mark_sides(parts, is_home=is_home, is_thread=is_thread)
    json_ld = tuple(islice(_json_ld([node for tag, node in stating if tag == "script"]), _MOST_DATA))
    footer, quoted = footer_and_quotations(parts)
    text, boilerplate = without_boilerplate(main_text(parts)[:_MOST_CHARACTERS])
    return Page(
        url=fetched.url,
        title=_text(tree, "head > title") or _squeezed(metas.get("og:title", "")),
        description=_squeezed(metas.get("description") or metas.get("og:description") or ""),
        language=re.split("[-_]", (root.attributes.get("lang") or "") if root else "", maxsplit=1)[0].lower(),
        keywords=tuple(word for word in words if word)[:_MOST_KEYWORDS],
        sections=stated_sections(tree, metas, json_ld, fetched.url),
        headings=tuple(islice(_headings(parts), _MOST_HEADINGS)),
        json_ld=json_ld,
        stated_links=tuple(_links(parts)),
        metas=metas,
        headers=fetched.headers,
        footer=footer,
        quoted=quoted,
        stated_scripts=tuple(islice(_scripts([(tag, node) for tag, node in stating if tag != "meta"]), _MOST_SCRIPTS)),
        source=ends_of(source),
        has_article_tags=any(place_of(part) == "main" for part in parts.articles),
        selling=selling_of(parts, metas),
        text=text,
        boilerplate=boilerplate,
    )


def _metas(nodes: Sequence[LexborNode]) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in nodes[:_MOST_METAS]:
        stated = node.attributes
        name = stated.get("name") or stated.get("property") or stated.get("http-equiv")
        content = stated.get("content")
        if name and content:
            found.setdefault(name.lower(), content[:_MOST_OF_A_TAG])
    return found


def _headings(parts: Parts) -> Iterator[str]:
    for part in parts.parts:
        if part.tag in _HEADINGS and part.first_line < part.last_line and is_own(part):
            yield " ".join(line.text for line in parts.lines[part.first_line : part.last_line])[:_MOST_OF_A_TAG]


def _json_ld(scripts: Iterable[LexborNode]) -> Iterator[dict[str, Any]]:
    for node in scripts:
        if (node.attributes.get("type") or "").lower() != _OF_DATA:
            continue
        try:
            data = json.loads(_whole_escapes(node.text()), strict=False, parse_constant=_no_number)
        except (ValueError, RecursionError):
            continue  # broken structured data is as good as none
        yield from _flattened(data)


def _whole_escapes(source: str) -> str:
    return _ESCAPE.sub(lambda found: "\\ufffd" if found[1] else found[0], source) if "\\u" in source else source


def _no_number(_: str) -> None:
    """Read NaN and the infinities, which JSON has not, as nothing."""


def _flattened(data: Any) -> Iterator[dict[str, Any]]:
    if isinstance(data, list):
        for item in data:
            yield from _flattened(item)
    elif isinstance(data, dict):
        if "@graph" in data:
            yield from _flattened(data["@graph"])
        if "@type" in data:
            yield data


def _scripts(nodes: Iterable[tuple[str | None, LexborNode]]) -> Iterator[str]:
    for tag, node in nodes:
        stated = node.attributes
        if (tag == "script" and "src" not in stated) or (tag == "link" and "canonical" in (stated.get("rel") or "")):
            continue
        address = stated.get("src") or stated.get("href")
        if address and len(address) <= _MOST_OF_AN_ADDRESS:
            yield address


def _links(parts: Parts) -> Iterator[StatedLink]:
    # A menu of hundreds of links does not take the place of those in the footer.
    left = dict.fromkeys(get_args(Place), _MOST_LINKS)
    for address, part, texts in parts.links:
        place = place_of(part)
        if address and len(address) <= _MOST_OF_AN_ADDRESS and left[place]:
            left[place] -= 1
            yield StatedLink(address, texts, place)


class _Base(NamedTuple):
    """The address of a page, and that of its site, empty where it is no usual one."""

    address: str
    origin: str

    @classmethod
    def of(cls, address: str) -> _Base:
        origin = _ORIGIN.match(address)
        return cls(address, origin[0] if origin else "")

    def joined(self, address: str) -> str:
        """Return an address of the page as a whole one."""
        # Most have nothing to be resolved: no step of their path begins with a dot.
        if "/." not in address and address.split() == [address]:
            if address[0] == "/" != address[1:2] and self.origin:
                return self.origin + address
            if address.startswith(_SCHEMES) and _ORIGIN.match(address):
                return address
        return _resolved(self.address, address)


# Pages have the same few over and over: "#" of what a script does.
@lru_cache(maxsize=512)
def _resolved(base: str, address: str) -> str:
    try:
        return urljoin(base, address.strip())
    except ValueError:
        return address


def _text(tree: LexborHTMLParser, selector: str) -> str:
    node: LexborNode | None = tree.css_first(selector)
    return _squeezed(node.text()) if node is not None else ""


def _squeezed(text: str) -> str:
    return " ".join(text[:_MOST_OF_A_TAG].split())
