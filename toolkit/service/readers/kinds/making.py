"""What a page is made like: posts and replies, versions, code, steps, marks, a definition, hardly a sentence."""

from __future__ import annotations

import itertools
import re
from functools import cache
from typing import TYPE_CHECKING, Final

from toolkit.service.readers.kinds.directories import lists_firms
from toolkit.service.readers.kinds.events import announces_event
from toolkit.service.readers.kinds.threads import count_posts
from toolkit.service.subjects.wording import OWN_VOICE, count_matches, different_matches, rate_of_i, tells_news

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolkit.service.pages.parsed import Page

__all__ = ["MADE", "by_structure", "defines_its_title", "is_hardly_written", "is_marked"]

#: Why a recipe is a guide.
MADE: Final = "ingredients or steps"
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
#: How courts, councils and offices tell what one can ask of them, and what is to be done for it.
_INSTRUCTIONS: Final = re.compile(
    r"\b(?:who can (?:apply|claim|use|get|file|vote|register|object)|can (?:apply|claim|file|appeal|register|object)"
    r"|eligib(?:le|ility)|what you(?:['’]ll)? (?:need|must|can)|what happens (?:next|after)"
    r"|before you (?:start|apply|begin|file)"
    r"|if you (?:disagree|miss|are (?:not|unable)|cannot|can['’]t|do not|don['’]t)"
    r"|how to (?:apply|claim|file|pay|complain|appeal)"
    r"|you (?:must|need to|may not|cannot|do not (?:need|have) to|don['’]t (?:need|have) to)|deadline"
    r"|form [a-z]{0,4}-?[0-9]{1,5}|(?:within|have|at least) [0-9]+ (?:working |calendar )?(?:days|weeks|months)"
    r"|working days|in writing|by (?:post|mail)|(?:household|gross|taxable) income"
    r"|we (?:cannot|will (?:write|tell|let))|appeal|late (?:claims|fee|fees|applications))\b",
    re.IGNORECASE,
)
_STEPS: Final = re.compile(r"(?m)^\W{0,3}(?:step )?[0-9]{1,2}[.):] ?[A-Z]", re.IGNORECASE)
#: What a reviewer gives.
_MARKED: Final = re.compile(
    r"[★☆]{3,5}(?![★☆])|(?m:^\W{0,3}(?:rating|score|verdict)?:? ?[0-9](?:\.[0-9])?/(?:5|10)\W{0,2}$)", re.IGNORECASE
)
#: Without any of these it is not given.
_SIGNS_OF_MARKS: Final = ("★", "☆", "/5", "/10")
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
_LETTERS: Final = re.compile(r"[^\W_]+")
#: Cells of tables, and numbers among them.
_CELL: Final = re.compile(r"[^|\n]+")
_FIGURE: Final = re.compile(r"\s*[-−–<>≥≤±]? ?[0-9][0-9.,/:×]*(?: ?[%°][A-Z]?)?\s*|\s*[-–—]\s*")
#: Rows of a table of figures, its share of the lines of a page, and that of numbers in its cells.
_ROWS: Final = 5
_MOSTLY: Final = 0.5
#: How catalogues, floras and registers tell of one thing, at the beginning of lines.
_RECORDED: Final = re.compile(
    r"(?m)^\W{0,3}(?:habitat|distribution|synonym(?:y|s)?|accession(?: (?:no|number))?|provenance|medium|credit line"
    r"|conservation status|type (?:locality|specimen)|range|description|flowering|diagnostic notes|object (?:no|number)"
    r"|maker|inscriptions?|acquired|coordinates|elevation|population|area|established|cas(?: no| number)?|formula"
    r"|molar mass|melting point|boiling point|density)[.:]",
    re.IGNORECASE,
)
#: Words that are explained one below the other, in the order of the alphabet, and words that such a name has at most.
_EXPLAINED: Final = 8
_WORDS_OF_A_NAME: Final = 3
#: What is a sentence and no label or menu, the words that it has at least, and the share of a page's words
#: in them from which it is written; and the words from which it has any need of them.
_SENTENCE: Final = re.compile(r"[^.!?\n]+[.!?](?![^\s\"”’')])")
_WORDS_OF_A_SENTENCE: Final = 5
_WRITTEN: Final = 0.4
_LEAST_WORDS: Final = 20


def by_structure(page: Page) -> Iterator[tuple[str, str]]:
    """Yield the kinds that a page is made like, each with its ground."""
    text = page.opening
    # Papers have comments below their reports.
    if count_posts(page) >= _SEVERAL and not tells_news(page):
        yield "forum", "posts and replies"
    changes = count_matches(_CHANGES, text)
    if changes >= _SEVERAL and count_matches(_VERSIONS, text) >= _FEW:
        yield "documentation", "versions and their changes"
    if changes >= _MANY or _codes(text) >= _MANY + max(page.tokens // 100, 1):
        yield "documentation", "changes or code"
    if different_matches(_RECIPE, text) >= _FEW or count_matches(_STEPS, text) >= _MANY:
        yield "guide", MADE
    if different_matches(_INSTRUCTIONS, text) >= _MANY and rate_of_i(page) < OWN_VOICE:
        yield "guide", "what one can or must do, and how"
    if ground := _of_reference(page):
        yield "reference", ground
    if ground := announces_event(page):
        yield "event_page", ground
    if ground := lists_firms(page):
        yield "directory", ground


def _of_reference(page: Page) -> str:
    """Return why a page is a work of reference: a table of figures, a record of one thing, words that are explained."""
    lines = page.opening.split("\n")
    rows = [[cell for cell in _CELL.findall(line) if cell.strip()] for line in lines if line.startswith("| ")]
    cells = [cell for row in rows for cell in row]
    figures = sum(1 for cell in cells if _FIGURE.fullmatch(cell))
    if len(rows) >= _ROWS and len(rows) >= _MOSTLY * len(lines) and figures > _MOSTLY * len(cells):
        return "a table of figures"
    if different_matches(_RECORDED, page.opening) > _SEVERAL:
        return "a record of one thing"
    return "words, explained in the order of the alphabet" if _explains_words(lines) else ""


def _explains_words(lines: Sequence[str]) -> bool:
    """Tell whether short lines with a longer one below each stand in the order of the alphabet."""
    names = [
        name.lower()
        for name, text in itertools.pairwise(lines)
        if name[:1].isalpha() and len(name.split()) <= _WORDS_OF_A_NAME < len(text.split())
    ]
    return len(names) >= _EXPLAINED and sum(a <= b for a, b in itertools.pairwise(names)) >= len(names) - _FEW


def is_marked(text: str) -> bool:
    """Tell whether a text gives stars, or marks out of ten."""
    return any(sign in text for sign in _SIGNS_OF_MARKS) and _MARKED.search(text) is not None


def _codes(text: str) -> int:
    return count_matches(_code_of(tuple(sign for sign in _CODE if sign in text)), text)


@cache
def _code_of(signs: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join((*(_CODE[sign] for sign in signs), _END_OF_CODE)), re.MULTILINE)


def defines_its_title(page: Page) -> bool:
    """Tell whether a page says early what the thing of its title is, as works of reference do."""
    name = re.split(r" [|–—·-] |[:(]", page.title)[0].strip()
    if not name or len(name.split()) > _MOST_OF_NAME or rate_of_i(page) >= OWN_VOICE:
        return False
    lead = page.opening[:_LEAD]
    defined = rf"(?:^|[\n.] ?)(?:(?:An?|The) )?{re.escape(name)}{_DEFINITION}"
    return re.search(defined, lead, re.IGNORECASE) is not None


def is_hardly_written(page: Page) -> bool:
    """Tell whether a page has fields, buttons and menus, and hardly a sentence."""
    words = len(_LETTERS.findall(page.opening))
    sentences = (len(_LETTERS.findall(sentence)) for sentence in _SENTENCE.findall(page.opening))
    written = sum(number for number in sentences if number >= _WORDS_OF_A_SENTENCE)
    return words >= _LEAST_WORDS and written < _WRITTEN * words
