"""What stands beside a page's own matter: its frame, others' words, and what leads elsewhere.

Told is it by elements that say so, by the classes and ids that sites use at large, and by the headings of such parts.
None of them is believed of a part that holds what the page is there for.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from functools import cache, lru_cache
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING, Final, Literal

from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.knowledge.marks import alternatives_of
from toolkit.service.pages.parts import HEADINGS, LETTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from toolkit.service.pages.parts import Line, Part, Parts

__all__ = ["Place", "footer_and_quotations", "is_own", "mark_sides", "place_of"]

#: Where in a page something stands.
Place = Literal["header", "nav", "main", "footer", "aside", "comments"]

#: What the sides are called here, and where in the page they stand. Teasers lead to other pages; entries may be those
#: of an overview, which is made of them. A banner is a header that says what the page is.
_PLACES: Final[dict[str, Place]] = {
    "": "main",
    "banner": "header",
    "header": "header",
    "nav": "nav",
    "footer": "footer",
    "aside": "aside",
    "bar": "aside",
    "teasers": "aside",
    "entries": "aside",
    "comments": "comments",
    "form": "main",
    "hidden": "aside",
}
_BY_TAG: Final = {
    "nav": "nav",
    "footer": "footer",
    "header": "header",
    "aside": "aside",
    "form": "form",
    "button": "form",
    "dialog": "aside",
}
_BY_ROLE: Final = {
    "navigation": "nav",
    "contentinfo": "footer",
    "banner": "header",
    "complementary": "aside",
    "search": "form",
    "dialog": "aside",
    "alertdialog": "aside",
}
#: Elements that may say by themselves where they stand.
_SAY_WHERE: Final = frozenset((*_BY_TAG, "main"))
#: Within these a header or a footer is that of an article, not of the page.
_OWN: Final = frozenset(("article", "main", "section", "blockquote"))
_FRAMES: Final = frozenset(("html", "body", "main"))
#: Parts of a text, whose names say how they are set.
_TOLD: Final = frozenset(("pre", "code", "p", "td", "th", "tr", "tbody"))
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
#: Names that say what a page has or has not, or how it is laid out, and not what a part is.
_FLAGS: Final = re.compile(
    r"(?<![a-z])(?:has|with|no|without|hide|show|open|is|not|no|enable|enabled)[-_]\S+|(?<!\S)\S+-(?:open|enabled|layout)\b"
)
#: The table of what sides are called, what stands around their names, and a letter that one begins with.
_SIDES: Final = "page_sides.tsv"
_EDGES: Final = (r"(?<![a-z0-9])(?:", r")(?![a-z0-9])")
_FIRST_LETTER: Final = re.compile(r"[a-z](?![?*{+])")
_LONGEST_HEADING: Final = 60
#: Elements that such a heading may be written in.
_MAY_HEAD: Final = HEADINGS | {"p", "div", "span", "strong", "b", "li", "summary", "label", "legend", "header"}
#: Steps from a heading up to the part that it heads; parts that follow it beside that; how many headings are read.
_FURTHEST: Final = 4
_MOST_FOLLOWING: Final = 100
_MOST_HEADED: Final = 200
#: Steps from a header or footer up to what it is that of.
_DEEPEST: Final = 30
#: A part is what the page is there for if hardly any text would remain without it, in letters.
_HARDLY_ANY: Final = 12 * LETTERS
#: From this length on a paragraph of few links is prose, in letters; a teaser is shorter.
_PROSE: Final = 30 * LETTERS
_MOST_LINKED: Final = 0.5
#: A shorter one is prose beside another such: papers write short ones, and teasers have their title between them.
_IN_A_ROW: Final = 12 * LETTERS
#: A part with so much prose, in letters, and so many times that of the rest of the page is its matter, whatever it is
#: called; but for these sides, which hold what others write and what the law asks for.
_MATTER: Final = 200 * LETTERS
_TIMES_THE_REST: Final = 3
#: Prose, in letters, that no heading of a side heads if it is most of the page's.
_TELLING: Final = 60 * LETTERS
_OF_OTHER_PROSE: Final = ("comments", "footer", "hidden")
#: What shares, sorts, dates or advertises has buttons and no prose: what has is not that, but only holds some.
_BAR: Final = "bar"
#: Of the lines below a heading of teasers at least this share are links.
_LEAST_LINKS: Final = 0.2
#: Of classes and ids, what is read.
_LONGEST_NAMES: Final = 300


def place_of(part: Part) -> Place:
    """Return where in the page a part stands."""
    return _PLACES[part.side]


def is_own(part: Part) -> bool:
    """Tell whether a part belongs to the page's own matter."""
    return part.side in ("", "banner")


def mark_sides(page: Parts, *, is_home: bool = False, is_thread: bool = False) -> None:
    """Mark the parts that stand beside the page's own matter.

    What is new on a site is the matter of its home page, and comments are that of a thread.

    >>> from selectolax.lexbor import LexborHTMLParser
    >>> from toolkit.service.pages.parts import read_parts
    >>> page = read_parts(LexborHTMLParser("<main><p>Kites</p><div class=share-bar>Tweet</div></main><nav>Home</nav>"))
    >>> mark_sides(page)
    >>> [(line.text, line.part.side) for line in page.lines]
    [('Kites', ''), ('Tweet', 'bar'), ('Home', 'nav')]
    """
    beside_others = {"entries": is_home, "comments": is_thread}
    _Marking(page, frozenset(side for side, is_matter in beside_others.items() if is_matter)).mark()


class _Marking:
    """The sides of a page, told in three rounds: by elements, by names and by headings."""

    def __init__(self, page: Parts, own: frozenset[str]) -> None:
        self._page = page
        #: Sides elsewhere whose names are those of the page's own matter here.
        self._own_here = own
        self._titles = [part.first_line for part in page.parts if part.tag == "h1" and part.first_line < part.last_line]
        self._next_headings = _next_headings(page.lines)
        self._telling = [
            part for part in page.parts[1:] if part.tag in _SAY_WHERE or part.is_hidden or "role" in part.attributes
        ]
        self._mains = [part for part in (*page.parts[:1], *self._telling) if _is_main(part)][:5]

    def mark(self) -> None:
        self._mark_told(_by_element, self._telling)
        self._mark_told(self._by_name, [part for part in self._page.parts[1:] if part.attributes])
        self._weigh()
        self._by_headings()

    def _mark_told(self, tell: Callable[[Part], str], parts: Iterable[Part]) -> None:
        self._weigh()
        for part in parts:
            if is_own(part) and (side := tell(part)):
                if side == "header" and self._holds_title(part):
                    part.side = "banner"
                elif not self._is_the_matter(part, side):
                    for inner in self._page.within(part):
                        inner.side = side

    def _weigh(self) -> None:
        """Add up the text that is beside nothing as yet, and the prose in it, line by line."""
        own = [0 if line.part.side else line.size for line in self._page.lines]
        self._own = [0, *accumulate(own)]
        lines = zip(own, self._page.lines, strict=True)
        told = [size if size >= _IN_A_ROW and line.linked < _MOST_LINKED * size else 0 for size, line in lines]
        beside = zip([0, *told], told, [*told[1:], 0], strict=False)
        prose = (size if size >= _PROSE or before or after else 0 for before, size, after in beside)
        self._prose = [0, *accumulate(prose)]

    def _holds_title(self, part: Part) -> bool:
        return bisect_left(self._titles, part.first_line) < bisect_left(self._titles, part.last_line)

    def _is_the_matter(self, part: Part, side: str) -> bool:
        """Tell whether a part that is named like a side holds what the page is there for."""
        if part.tag in _FRAMES or any(part.first_part <= main.first_part < part.last_part for main in self._mains):
            return True
        if self._holds_title(part) and len(self._titles) == 1 and side not in ("nav", "comments"):
            return True
        if side not in _OF_OTHER_PROSE and self._holds_prose(part):
            return True
        if side == _BAR and self._prose[part.last_line] - self._prose[part.first_line] >= _TELLING:
            return True
        within = self._own[part.last_line] - self._own[part.first_line]
        rest = self._own[-1] - within
        is_article = part.tag == "article" or self._holds_title(part)
        return within > rest and (rest < _HARDLY_ANY or (is_article and side not in ("nav", "footer", "comments")))

    def _holds_prose(self, part: Part) -> bool:
        """Tell whether a part has nearly all the prose of the page."""
        within = self._prose[part.last_line] - self._prose[part.first_line]
        return within >= max(_MATTER, _TIMES_THE_REST * (self._prose[-1] - within))

    def _by_name(self, part: Part) -> str:
        if part.tag in HEADINGS or part.tag in _TOLD:
            return ""
        classes, own = _names(part)
        side = _side_named(classes) if classes else ""
        if side in self._own_here:
            return ""
        if side or not own or not (side := _side_named(own)):
            return side
        # Manuals name their chapters by their headings.
        is_empty = part.first_line == part.last_line
        return "" if not is_empty and self._is_chapter(part.first_line) else side

    def _by_headings(self) -> None:
        left = _MOST_HEADED
        for number, line in enumerate(self._page.lines):
            if line.part.side or line.size > _LONGEST_HEADING or line.part.tag not in _MAY_HEAD:
                continue
            if left and (side := _side_headed(line.text)) and not self._is_chapter(number):
                left -= 1
                self._mark_headed(number, line.part, side)

    def _is_chapter(self, number: int) -> bool:
        """Tell whether a line is the heading of a chapter: one of several of its level, and of a single word."""
        after = self._next_headings.get(number)
        if after is None or not self._page.lines[number].text.isalpha():
            return False
        if after.part.side or after.linked > _MOST_LINKED * after.size:
            return False
        return not _side_headed(after.text)

    def _mark_headed(self, number: int, heading: Part, side: str) -> None:
        """Mark what a heading of a side heads: the part it begins, else what follows it up to the next heading."""
        headed = heading
        for _ in range(_FURTHEST):
            above = headed.parent
            if above is None or above.first_line != number or not self._may_head(number, above, side):
                break
            headed = above
        is_first = headed.first_line == number and self._may_head(number, headed, side)
        if is_first and headed.last_line > number + 1:
            if side != "teasers" or self._leads_elsewhere(number + 1, headed.last_line):
                self._mark(headed, side)
            return
        is_alone = headed.last_line == headed.first_line + 1
        after = self._page.after(headed) if is_alone else self._page.below(number, headed)
        following = list(self._following(after, headed, side))
        if following and self._is_begun(number, following[-1].last_line, side):
            following = []
        if following and side == "teasers" and not self._leads_elsewhere(number + 1, following[-1].last_line):
            return
        for part in (headed, *following) if is_alone else following:
            self._mark(part, side)

    def _may_head(self, number: int, part: Part, side: str) -> bool:
        """Tell whether a heading of a side may head a part, and does not only stand where the page's matter begins."""
        if part.last_line == number + 1:
            return True
        return not self._is_the_matter(part, side) and not self._is_begun(number, part.last_line, side)

    def _is_begun(self, first: int, last: int, side: str) -> bool:
        """Tell whether lines that a heading of a side would head have most of the prose of the page, and no little."""
        # What is commented on stands before the comments; a heading before it only leads to them.
        if side in _OF_OTHER_PROSE and self._prose[first] > 0:
            return False
        within = self._prose[last] - self._prose[first]
        return within >= max(_TELLING, self._prose[-1] - within)

    def _following(self, after: Iterator[Part], headed: Part, side: str) -> Iterator[Part]:
        for part in islice(after, _MOST_FOLLOWING):
            lines = self._page.lines[part.first_line : part.last_line]
            if part.side or not lines:
                continue
            if lines[0].part.tag in HEADINGS and lines[0].part.tag <= _level(headed):
                return
            if side != "comments" and any(_is_prose(line) for line in lines):
                return
            if not self._may_head(part.first_line, part, side):
                return
            yield part

    def _leads_elsewhere(self, first: int, last: int) -> bool:
        """Tell whether of the lines below a heading of teasers enough are links, or hardly any are there."""
        lines = self._page.lines[first:last]
        links = sum(line.linked > _MOST_LINKED * line.size for line in lines)
        return links >= _LEAST_LINKS * len(lines) or sum(line.size for line in lines) < _HARDLY_ANY

    def _mark(self, part: Part, side: str) -> None:
        for inner in self._page.within(part):
            inner.side = inner.side or side


def _next_headings(lines: list[Line]) -> dict[int, Line]:
    """Return for the places of headings the next heading of the same level."""
    found: dict[int, Line] = {}
    last: dict[str, int] = {}
    for number, line in enumerate(lines):
        if (tag := line.part.tag) in HEADINGS:
            if tag in last:
                found[last[tag]] = line
            last[tag] = number
    return found


def _level(heading: Part) -> str:
    return heading.tag if heading.tag in HEADINGS else "h6"


def _is_prose(line: Line) -> bool:
    return line.size >= _PROSE and line.linked < _MOST_LINKED * line.size


def _is_main(part: Part) -> bool:
    return part.tag == "main" or part.attributes.get("role") == "main"


def _by_element(part: Part) -> str:
    if part.is_hidden:
        return "hidden"
    side = _BY_ROLE.get((part.attributes.get("role") or "").lower()) or _BY_TAG.get(part.tag) or ""
    if side in ("header", "footer"):
        above = part.parent
        for _ in range(_DEEPEST):
            if above is None:
                break
            if above.tag in _OWN:
                return "aside" if side == "footer" else ""
            above = above.parent
    return side


# Sites give the same few names to most of their parts.
@lru_cache(maxsize=4_096)
def _side_named(names: str) -> str:
    names = (names if names.islower() else _CAMEL.sub("-", names).lower()).replace("_", "-")
    if "-" in names:
        names = _FLAGS.sub(" ", names)
    # Most name no side.
    if not _any_name().search(names):
        return ""
    return next((side for side in _forms("name") if _named(side).search(names)), "")


@cache
def _named(side: str) -> re.Pattern[str]:
    """Return what names of a side look like, as whole words."""
    return re.compile(_forms("name")[side].join(_EDGES))


@cache
def _any_name() -> re.Pattern[str]:
    """Return what names of any side, in small letters, look like: by their first letters, which most do not have."""
    rows = (row["pattern"] for row in knowledge_rows(_SIDES) if row["where"] == "name")
    found: defaultdict[str, list[str]] = defaultdict(list)
    for form in chain.from_iterable(map(alternatives_of, rows)):
        first = _FIRST_LETTER.match(form)
        found[first[0] if first else ""].append(form[first.end() if first else 0 :])
    told = "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in found.items())
    return re.compile(told.join(_EDGES))


@lru_cache(maxsize=4_096)
def _side_headed(heading: str) -> str:
    heading = heading.strip(" :…»›→↓!.")
    found = _any_heading().fullmatch(heading.lower())
    return (found and found.lastgroup) or ""


@cache
def _any_heading() -> re.Pattern[str]:
    """Return what headings of any side look like: the group that is found is called like the side."""
    return re.compile("|".join(f"(?P<{side}>{forms})" for side, forms in _forms("heading").items()))


@cache
def _forms(where: str) -> dict[str, str]:
    """Return for each side what its names or its headings look like, in small letters."""
    found: dict[str, list[str]] = {}
    for row in knowledge_rows(_SIDES):
        if row["where"] == where:
            found.setdefault(row["side"], []).append(row["pattern"])
    return {side: "|".join(forms) for side, forms in found.items()}


_SAID: Final = ("blockquote", "q")
_QUOTE: Final = re.compile(r"testimonial|quote|review", re.IGNORECASE)
_FOOTERS: Final = ("footer", "address")
_SAYS: Final = frozenset((*_SAID, *_FOOTERS))
#: Whether a part is a footer, and whether it is a quotation.
_Telling = tuple[bool, bool]
_OF_OTHERS: Final = frozenset(("article", "blockquote"))
#: Footers of what stands on a page, by their classes; and parts that say how to reach the site's owner.
_NOT_THE_SITES: Final = re.compile(
    r"(?:entry|post|article|story|comment|card|quote|blockquote|modal|dialog|table|author|review|recipe|product|bio)[-_]+footer"
)
_CONTACT: Final = re.compile(
    r"(?:^|\s)(?:contact|kontakt|contacto|contatti|contato|impressum|vcard|h-card)"
    r"(?:[-_]?(?:us|info|information|details|block|box|section|data|card|area))?(?=\s|$)"
)
#: What the names of both are not without.
_SAYING: Final = re.compile(
    "footer|imprint|impressum|conta[ct]|kontakt|contentinfo|vcard|h-card|testimonial|quote|review"
)
_MOST_FOOTERS: Final = 20
_MOST_QUOTES: Final = 50
_LONGEST_FOOTER: Final = 10_000
_LONGEST_QUOTES: Final = 100_000


def footer_and_quotations(page: Parts) -> tuple[str, str]:
    r"""Return the text of a page's footers, a line a paragraph, and that of its block quotes and testimonials.

    >>> from selectolax.lexbor import LexborHTMLParser
    >>> from toolkit.service.pages.parts import read_parts
    >>> source = "<blockquote>Well made</blockquote><footer><p>© Kites Ltd</p><p>Leeds</p></footer>"
    >>> footer_and_quotations(read_parts(LexborHTMLParser(source)))
    ('© Kites Ltd\nLeeds', 'Well made')
    """
    told = [(part, told) for part in _that_may_say(page.parts) if (told := _says(part))]
    footers = [part for part, (is_footer, _) in told if is_footer and not _is_of_others(part)][:_MOST_FOOTERS]
    quotes = [part for part, (_, is_quote) in told if is_quote][:_MOST_QUOTES]
    lines = dict.fromkeys(text for part in footers for text in _texts(page, part))
    quoted = " ".join(text for part in quotes for text in _texts(page, part))
    return "\n".join(lines)[:_LONGEST_FOOTER], quoted[:_LONGEST_QUOTES]


def _that_may_say(parts: list[Part]) -> Iterator[Part]:
    """Yield the parts that may be footers or quotations: a look at their names spares nearly all of them."""
    for part in parts:
        stated = part.attributes
        if part.tag in _SAYS or (
            stated
            and (
                ((classes := stated.get("class")) and _may_say(classes))
                or ((own := stated.get("id")) and _may_say(own))
                or ((role := stated.get("role")) and _may_say(role))
            )
        ):
            yield part


# Sites give the same few names to most of their parts.
@lru_cache(maxsize=4_096)
def _may_say(names: str) -> bool:
    return _SAYING.search(names.lower()) is not None


def _texts(page: Parts, part: Part) -> Iterable[str]:
    return (line.text for line in page.lines[part.first_line : part.last_line])


def _says(part: Part) -> _Telling | None:
    """Tell whether a part is a footer and whether it is a quotation; None of one that is neither, as most are."""
    is_footer, is_quote = _said_by_names(*_names(part))
    is_footer = is_footer or part.tag in _FOOTERS or part.attributes.get("role") == "contentinfo"
    is_quote = is_quote or part.tag in _SAID
    return (is_footer, is_quote) if is_footer or is_quote else None


def _is_of_others(part: Part) -> bool:
    """Whether a part stands in an article, a quotation or among comments: an author or a visitor speaks there."""
    above = part
    while above.tag not in _OF_OTHERS and above.parent is not None:
        above = above.parent
    return above.tag in _OF_OTHERS or place_of(part) == "comments"


@lru_cache(maxsize=4_096)
def _said_by_names(classes: str, own: str) -> _Telling:
    names = f"{classes} {own}".lower()
    told = _NOT_THE_SITES.sub(" ", names)
    is_contact = _CONTACT.search(names) is not None and "author" not in names
    return "footer" in told or "imprint" in own.lower() or is_contact, _QUOTE.search(classes) is not None


def _names(part: Part) -> tuple[str, str]:
    """Return the classes and the id of a part."""
    stated = part.attributes
    return (stated.get("class") or "")[:_LONGEST_NAMES], (stated.get("id") or "")[:_LONGEST_NAMES]
