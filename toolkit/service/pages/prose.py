"""The main text of a page: what it says itself, without what stands beside it."""

from __future__ import annotations

import re
from functools import cache
from itertools import accumulate, compress, groupby
from typing import TYPE_CHECKING, Final

from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.knowledge.marks import standing_in
from toolkit.service.pages.parts import HEADINGS, LETTERS
from toolkit.service.pages.sides import is_own

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolkit.service.pages.parts import Line, Part, Parts

__all__ = ["main_text", "without_boilerplate"]

#: An extraction of a hundred words, short ones too, is trusted, in letters.
_TRUSTED: Final = 100 * (LETTERS - 1)
#: A shorter one is if it has at least this share of what stands beside nothing.
_TRUSTED_SHARE: Final = 0.35
#: A page with less prose than that is an overview, if it has entries.
_LITTLE: Final = 40 * LETTERS
#: Below this a page has said nothing, and its forms, teasers and comments are heard.
_NOTHING: Final = 20 * LETTERS
#: A line of more links than that leads elsewhere.
_MOST_LINKED: Final = 0.6
#: From this length on a line of few links is prose, in letters.
_PROSE: Final = 12 * LETTERS
#: A link of so many letters is no title of another page, but an entry of a list with what it says.
_SUMMARY: Final = 18 * LETTERS
#: The part that holds a page's article has at least this share of its prose.
_ARTICLE_SHARE: Final = 0.75
_TITLES: Final = ("h1", "h2")
#: Lines within which an article has its title.
_FIRST: Final = 5
_MAINS: Final = ("article", "main")
#: Elements that text is written in, where even a word alone belongs to it; elsewhere it is a label up to a length.
_OF_TEXT: Final = frozenset(
    ["p", "li", "dt", "dd", "td", "th", "pre", "blockquote", "figcaption", "caption", "summary"]
)
_LABEL: Final = 10 * LETTERS
_ENDS: Final = (".", "!", "?", "…", ":", ";", ",", '"', "”", "»", "’", "'", ")", "。", "！", "？", "」")
_CELLS: Final = ("td", "th")
_LAST_RESORT: Final = ("entries", "form", "teasers", "comments", "hidden")
#: The table of what sites write about themselves whatever a page is about.
_BOILERPLATE: Final = "boilerplate.tsv"
_SENTENCE: Final = re.compile(r"(?<=[.!?…]) +")
#: Characters of a sentence that are looked at.
_LONGEST_SENTENCE: Final = 600
#: How data begins that a page has for its scripts among its text.
_DATA: Final = re.compile(r"[\[{] ?(?:[\[{] ?)?\"\w+\" ?:")
#: What stands before and behind sentences of lists and tables.
_MARKS: Final = "-|*•»>› "


def main_text(page: Parts) -> str:
    r"""Return the main text of a page whose sides are marked: paragraphs, items and rows on lines of their own.

    >>> from selectolax.lexbor import LexborHTMLParser
    >>> from toolkit.service.pages.parts import read_parts
    >>> main_text(read_parts(LexborHTMLParser("<h1>Kites</h1><ul><li>Sled<li>Delta</ul>")))
    'Kites\n- Sled\n- Delta'
    """
    beside_nothing = [line for line in page.lines if is_own(line.part)]
    chosen = _article(page, beside_nothing)
    if _size(chosen) < min(_TRUSTED, _TRUSTED_SHARE * _size(beside_nothing)):
        chosen = beside_nothing
    if _size(line for line in chosen if _is_prose(line)) < _LITTLE:
        chosen = _with(page, "entries")
    if _size(chosen) < _NOTHING:
        chosen = _with(page, *_LAST_RESORT)
    return "\n".join(_written(line for line in chosen if line.part.tag == "pre" or not _DATA.match(line.text)))


def without_boilerplate(text: str) -> tuple[str, str]:
    r"""Part a text from the sentences that sites write about themselves: what they earn, store, own and send.

    A text that has hardly any other is a notice, and stays whole.

    >>> without_boilerplate(f"{'Kites climb best in a steady wind. ' * 5}This post contains affiliate links.")[1]
    'This post contains affiliate links.'
    """
    forms = _boilerplate()
    signs = standing_in(text, tuple(forms))
    if not signs:
        return text, ""
    own: list[str] = []
    beside: list[str] = []
    for line in text.split("\n"):
        lower = line.lower()
        here = [_compiled(forms[sign]) for sign in signs if sign in lower]
        said = _SENTENCE.split(line) if here else [line]
        about_site = [_is_boilerplate(sentence, here) for sentence in said] if here else [False]
        beside += compress(said, about_site)
        if not all(about_site):
            own.append(" ".join(sentence for sentence, told in zip(said, about_site, strict=True) if not told))
    found = "\n".join(own)
    return (found, "\n".join(beside)) if len(found) >= _NOTHING else (text, "")


def _is_boilerplate(sentence: str, here: list[re.Pattern[str]]) -> bool:
    # In small letters, as the patterns are: a search that cares about letter case takes a third of the time.
    told = sentence.strip(_MARKS)[:_LONGEST_SENTENCE].lower()
    return any(pattern.search(told) for pattern in here)


@cache
def _boilerplate() -> dict[str, str]:
    """Return what sentences look like that have a sign, by the sign."""
    found: dict[str, list[str]] = {}
    for row in knowledge_rows(_BOILERPLATE):
        found.setdefault(row["sign"], []).append(row["pattern"])
    return {sign: "|".join(forms) for sign, forms in found.items()}


# Of a hundred kinds a page has a few.
@cache
def _compiled(form: str) -> re.Pattern[str]:
    return re.compile(form)


def _with(page: Parts, *sides: str) -> list[Line]:
    """Return the lines that stand beside nothing, and those of certain sides."""
    return [line for line in page.lines if is_own(line.part) or line.part.side in sides]


def _size(lines: Iterable[Line]) -> int:
    return sum(line.size for line in lines)


def _article(page: Parts, lines: list[Line]) -> list[Line]:
    """Return the lines of a page's article, if it has one: headings, prose, and what stands among them."""
    prose = [line for line in lines if _is_prose(line)]
    if not prose:
        return lines
    around = _around(page)
    inside = [line for line in page.lines[around.first_line : around.last_line] if is_own(line.part)]
    if _size(line for line in inside if _is_prose(line)) < sum(line.linked for line in inside):
        return inside
    kept = [line for line, after in zip(inside, [*inside[1:], None], strict=True) if _belongs(line, after)]
    if not any(line.part.tag in _TITLES for line in kept[:_FIRST]):
        kept = [*_titles(page.lines[: around.first_line]), *kept]
    return kept


def _titles(before: list[Line]) -> list[Line]:
    """Return the title that stands above an article, outside of it."""
    return [line for line in before if line.part.tag == "h1" and is_own(line.part)][-1:]


def _around(page: Parts) -> Part:
    """Return the smallest part that holds most of a page's prose, or what the page calls its article around that."""
    sizes = [0, *accumulate(line.size if is_own(line.part) and _is_prose(line) else 0 for line in page.lines)]
    enough = _ARTICLE_SHARE * sizes[-1]
    # Of parts around each other the later one in the page's order is the smaller.
    smallest = next(
        part
        for part in reversed(page.parts)
        if sizes[part.last_line] - sizes[part.first_line] >= enough and (part.tag not in _OF_TEXT or part.tag in _CELLS)
    )
    part: Part | None = smallest
    while part is not None and not _is_named_main(part):
        part = part.parent
    return part or smallest


def _is_named_main(part: Part) -> bool:
    stated = part.attributes
    return part.tag in _MAINS or stated.get("role") == "main" or "articleBody" in (stated.get("itemprop") or "")


def _belongs(line: Line, following: Line | None) -> bool:
    """Tell whether a line of an article is part of its text, and does not only lead elsewhere."""
    if line.linked <= _MOST_LINKED * line.size or line.size >= _SUMMARY:
        return True
    # The title of a list's entry is a link; with a summary below it the entry says something.
    return line.part.tag in HEADINGS and following is not None and _is_prose(following)


def _is_prose(line: Line) -> bool:
    return line.size >= _PROSE and line.linked <= _MOST_LINKED * line.size


def _written(lines: Iterable[Line]) -> Iterable[str]:
    for row, cells in groupby(lines, key=_row):
        if row is None:
            yield from (f"- {line.text}" if line.part.tag == "li" else line.text for line in cells)
        else:
            yield f"| {' | '.join(line.text for line in cells)} |"


def _row(line: Line) -> Part | None:
    return line.part.parent if line.part.tag in _CELLS else None
