"""What is in a page: its text, its tags and the facts it states about itself."""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin

import trafilatura
from selectolax.lexbor import LexborHTMLParser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborNode

    from toolkit.service.fetching import Fetched

__all__ = ["Page", "count_tokens", "page_from_text", "parse_page"]

_META_CHARSET: Final = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_NOT_CONTENT: Final = (
    "script, style, noscript, template, svg, nav, header, footer, aside, form, iframe, button, select, dialog, "
    "[hidden], [aria-hidden=true], [class*=cookie], [id*=cookie], [class*=newsletter], [class*=breadcrumb]"
)
_BLOCKS: Final = (
    "h1, h2, h3, h4, h5, h6, p, li, td, th, dt, dd, blockquote, figcaption, pre, div, section, article, br, tr"
)
#: Scripts written without spaces, counted by character.
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
#: Function words that English shares with few languages, and the share of them below which a text is not English.
_ENGLISH: Final = frozenset(
    {
        "the",
        "and",
        "of",
        "to",
        "is",
        "are",
        "was",
        "with",
        "for",
        "that",
        "this",
        "you",
        "your",
        "we",
        "our",
        "it",
        "from",
        "be",
        "have",
        "has",
        "not",
        "or",
        "by",
        "as",
        "at",
        "they",
        "their",
        "will",
    }
)
_ENGLISH_SHARE: Final = 0.1
_TELLING_WORDS: Final = 30
_SPACE: Final = re.compile(r"\s+")
#: The main-text extraction is trusted if it keeps at least this share of the visible text.
_TRUSTED_SHARE: Final = 0.35
_MOST_HEADINGS: Final = 40
_MOST_LINKS: Final = 400


@dataclass(frozen=True, slots=True)
class Page:
    """A page taken apart.

    Attributes
    ----------
    url : str
        Where it was found.
    title, description, language : str
        From the head; empty where missing.
    keywords, headings : tuple of str
        As the page states them, in order.
    text : str
        Main text, paragraphs on lines of their own.
    metas : dict of str to str
        Content of the meta tags by name or property, in lower case.
    json_ld : tuple of dict
        Structured data, graphs flattened.
    scripts : tuple of str
        Addresses of scripts and style sheets.
    links : tuple of tuple
        Address and text of each link.
    headers : dict of str to str
        Response headers.
    html : str
        The whole source.
    """

    url: str
    title: str = ""
    description: str = ""
    language: str = ""
    keywords: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    text: str = ""
    metas: dict[str, str] = field(default_factory=dict)
    json_ld: tuple[dict[str, Any], ...] = ()
    scripts: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    headers: dict[str, str] = field(default_factory=dict)
    html: str = ""

    @property
    def tokens(self) -> int:
        """Number of words in the main text and the description."""
        return count_tokens(self.text) + count_tokens(self.description)

    @property
    def is_english(self) -> bool:
        """Whether the words that hold sentences together are English; a text too short to tell counts as English."""
        words = _WORD.findall(self.text[:6000].lower())
        if len(words) < _TELLING_WORDS:
            return not _UNSPACED.search(self.text)
        return sum(word in _ENGLISH for word in words) >= _ENGLISH_SHARE * len(words)

    def structured(self, *types: str) -> Iterator[dict[str, Any]]:
        """Yield the structured-data objects whose type ends in one of `types`."""
        for item in self.json_ld:
            kinds = item.get("@type")
            names = kinds if isinstance(kinds, list) else [kinds]
            if any(isinstance(name, str) and name.endswith(types) for name in names):
                yield item


def count_tokens(text: str) -> int:
    """Count words; in scripts written without spaces two characters count as one.

    Examples
    --------
    >>> count_tokens("Boots for wide feet"), count_tokens("温泉旅館")
    (4, 2)
    """
    unspaced = len(_UNSPACED.findall(text))
    return len(_WORD.findall(_UNSPACED.sub(" ", text) if unspaced else text)) + unspaced // 2


def page_from_text(text: str) -> Page:
    """Return a page that consists of a text alone."""
    return Page(url="", text=text)


def parse_page(fetched: Fetched) -> Page:
    """Take a fetched page apart.

    Parameters
    ----------
    fetched : Fetched
        Body and headers of the page.

    Returns
    -------
    Page
        For plain text, the text with its first line as the title.
    """
    source = _decoded(fetched)
    if fetched.media_type == "text/plain":
        first = source.strip().split("\n", 1)[0][:200]
        return Page(url=fetched.url, title=first, text=source, headers=fetched.headers, html="")
    tree = LexborHTMLParser(source)
    metas = _metas(tree)
    root = tree.css_first("html")
    return Page(
        url=fetched.url,
        title=_squeezed(metas.get("og:title", ""))
        if tree.css_first("head > title") is None
        else _text(tree, "head > title"),
        description=_squeezed(metas.get("description") or metas.get("og:description") or ""),
        language=((root.attributes.get("lang") or "") if root else "").split("-")[0].lower(),
        keywords=tuple(word.strip() for word in metas.get("keywords", "").split(",") if word.strip()),
        headings=tuple(_headings(tree)),
        json_ld=tuple(_json_ld(tree)),
        scripts=tuple(_scripts(tree, fetched.url)),
        links=tuple(_links(tree, fetched.url)),
        metas=metas,
        headers=fetched.headers,
        html=source,
        text=_main_text(source, tree),  # last: it takes the tree apart
    )


def _decoded(fetched: Fetched) -> str:
    for mark, encoding in _BOMS:
        if fetched.body.startswith(mark):
            return fetched.body[len(mark) :].decode(encoding, errors="replace")
    declared = _META_CHARSET.search(fetched.body[:4096])
    for name in (fetched.charset, declared[1].decode("ascii") if declared else None, "utf-8"):
        try:
            if name:
                return fetched.body.decode(name)
        except (LookupError, UnicodeDecodeError):
            continue
    # Cut off in the middle of a character, or a page that does not say its encoding.
    utf8 = fetched.body.decode("utf-8", errors="replace")
    damaged = utf8.count("\ufffd")
    return utf8 if damaged <= 1 + len(utf8) // 1000 else fetched.body.decode("cp1252", errors="replace")


def _metas(tree: LexborHTMLParser) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in tree.css("meta"):
        name = node.attributes.get("name") or node.attributes.get("property") or node.attributes.get("http-equiv")
        content = node.attributes.get("content")
        if name and content:
            found.setdefault(name.lower(), content)
    return found


def _headings(tree: LexborHTMLParser) -> Iterator[str]:
    for node in tree.css("h1, h2, h3")[:_MOST_HEADINGS]:
        if text := _squeezed(node.text(separator=" ")):
            yield text


def _json_ld(tree: LexborHTMLParser) -> Iterator[dict[str, Any]]:
    for node in tree.css('script[type="application/ld+json"]'):
        try:
            data = json.loads(node.text(), strict=False)
        except (ValueError, RecursionError):
            continue  # broken structured data is as good as none
        yield from _flattened(data)


def _flattened(data: Any) -> Iterator[dict[str, Any]]:
    if isinstance(data, list):
        for item in data:
            yield from _flattened(item)
    elif isinstance(data, dict):
        if "@graph" in data:
            yield from _flattened(data["@graph"])
        if "@type" in data:
            yield data


def _scripts(tree: LexborHTMLParser, base: str) -> Iterator[str]:
    for node in tree.css("script[src], link[href], img[src], iframe[src]"):
        if node.tag == "link" and "canonical" in (node.attributes.get("rel") or ""):
            continue
        if address := node.attributes.get("src") or node.attributes.get("href"):
            yield _joined(base, address)


def _links(tree: LexborHTMLParser, base: str) -> Iterator[tuple[str, str]]:
    for node in tree.css("a[href]")[:_MOST_LINKS]:
        if address := node.attributes.get("href"):
            yield _joined(base, address), _squeezed(node.text(separator=" "))


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, address.strip())
    except ValueError:
        return address


def _main_text(source: str, tree: LexborHTMLParser) -> str:
    visible = _visible_text(tree)
    main = trafilatura.extract(source, include_comments=False, include_tables=True, fast=True, deduplicate=False) or ""
    return main if len(main) >= _TRUSTED_SHARE * len(visible) else visible


def _visible_text(tree: LexborHTMLParser) -> str:
    for node in tree.css(_NOT_CONTENT):
        node.decompose()
    body = tree.body
    if body is None:
        return ""
    for node in body.css(_BLOCKS):
        node.insert_after("\n")
    lines = (_squeezed(line) for line in body.text(separator=" ").split("\n"))
    return "\n".join(line for line in lines if line)


def _text(tree: LexborHTMLParser, selector: str) -> str:
    node: LexborNode | None = tree.css_first(selector)
    return _squeezed(node.text()) if node is not None else ""


def _squeezed(text: str) -> str:
    return _SPACE.sub(" ", text).strip()
