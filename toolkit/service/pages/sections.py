"""Under which sections of its site a page stands, as it states itself, and whether its site has those of a paper."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import knowledge_rows, knowledge_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from selectolax.lexbor import LexborHTMLParser

__all__ = ["are_of_a_paper", "stated_sections"]

_METAS: Final = ("article:section", "og:article:section", "parsely-section")
_FIELDS: Final = ("articleSection", "category")
_TRAILS: Final = "[class*=crumb i], [aria-label*=crumb i], [id*=crumb i]"
#: Tags around much more than a trail, which say of the whole page that it has one.
_WHOLE: Final = frozenset(("html", "body", "main", "article", "header"))
_TRIED: Final = 4
#: A trail has no more links; a menu has.
_MOST_STEPS: Final = 10
_MOST_CHARACTERS: Final = 60
_MOST_SECTIONS: Final = 20
_WORD: Final = re.compile(r"[^\W\d_]{2,40}")
#: Different sections of papers that a paper has at least, and those of them that a magazine has not.
_OF_A_PAPER: Final = 5
_CORE: Final = 2
_SPORT: Final = "sport"
#: Words by which sites of all kinds call their sections.
_EMPTY_WORDS: Final = "section_words.txt"


def stated_sections(
    tree: LexborHTMLParser, metas: Mapping[str, str], json_ld: Iterable[Mapping[str, Any]], url: str
) -> tuple[str, ...]:
    """Return the names of the sections that say what is in them: "Garden tools" and not "Shop" or "Home".

    >>> from selectolax.lexbor import LexborHTMLParser
    >>> tree = LexborHTMLParser('<nav class="breadcrumb"><a href="/">Home</a> <a href="/yarn">Yarn</a></nav>')
    >>> stated_sections(tree, {"article:section": "News"}, [], "https://a.example/shop/hand-knitting/p/12")
    ('Yarn', 'hand knitting')
    """
    stated = [*(metas.get(name, "") for name in _METAS), *_of_data(json_ld), *_trail(tree), *_directories(url)]
    named = dict.fromkeys(" ".join(name.split()) for name in stated)
    return tuple([name for name in named if _says_something(name)][:_MOST_SECTIONS])


def are_of_a_paper(labels: Iterable[str]) -> bool:
    """Tell whether a site whose links have these labels has the sections of a paper, and so is of everything.

    >>> are_of_a_paper(["World", "U.S.", "Business", "Sport", "Tech", "Weather"]), are_of_a_paper(["Business", "Sport"])
    (True, False)
    """
    found = {_sections()[name] for label in labels if (name := label.strip().lower()) in _sections()}
    return len(found) >= _OF_A_PAPER and (_SPORT, False) in found and sum(core for _, core in found) >= _CORE


@cache
def _sections() -> dict[str, tuple[str, bool]]:
    """Return the sections of papers by what they are called (`paper_sections.tsv`), and whether magazines lack them."""
    rows = knowledge_rows("paper_sections.tsv")
    return {label: (row["section"], bool(row["is_core"])) for row in rows for label in listed(row["labels"])}


def _says_something(name: str) -> bool:
    words = _WORD.findall(name.lower())
    return len(name) <= _MOST_CHARACTERS and not knowledge_words(_EMPTY_WORDS).issuperset(words)


def _of_data(json_ld: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for item in json_ld:
        for field in _FIELDS:
            yield from _texts(item.get(field))
        if item.get("@type") == "BreadcrumbList":
            for step in _listed(item.get("itemListElement"))[:_MOST_STEPS]:
                if isinstance(step, dict):
                    target = step.get("item")
                    yield from _texts(step.get("name") or (target.get("name") if isinstance(target, dict) else None))


def _texts(value: Any) -> Iterator[str]:
    """Yield the steps of a path or of several: "Garden > Tools" are two."""
    for text in _listed(value)[:_MOST_STEPS]:
        if isinstance(text, str) and "://" not in text:
            yield from re.split(r"\s*[>|›»/]\s*", text[: _MOST_CHARACTERS * _MOST_STEPS])


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _trail(tree: LexborHTMLParser) -> Iterator[str]:
    for node in tree.css(_TRAILS)[:_TRIED]:
        if node.tag in _WHOLE:
            continue
        links = node.css("a")
        if 0 < len(links) <= _MOST_STEPS:
            for link in links:
                yield link.text()[: _MOST_CHARACTERS + 1]
            return


def _directories(url: str) -> Iterator[str]:
    """Yield the steps of an address but for the last, which is the page's own name."""
    try:
        steps = urlsplit(url).path.split("/")[:-1]
    except ValueError:
        return
    for step in steps:
        if not any(sign.isdigit() for sign in step):
            yield " ".join(_WORD.findall(unquote(step)))
