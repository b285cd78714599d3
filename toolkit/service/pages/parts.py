"""The parts of a page as they stand in its tree, and the lines of text they hold."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["HEADINGS", "LETTERS", "Anchor", "Line", "Part", "Parts", "read_parts"]

HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
#: Letters of a word, with the space behind it.
LETTERS: Final = 6
#: Elements whose text runs on in the line they stand in.
_INLINE: Final = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "img",
        "ins",
        "kbd",
        "label",
        "mark",
        "q",
        "rp",
        "rt",
        "ruby",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
    ]
)
#: Inline elements that styles set apart, so that two of them side by side are two words.
_APART: Final = frozenset(("a", "label", "span", "time"))
#: Elements whose content is not shown as text.
_WITHOUT_TEXT: Final = frozenset(
    [
        "script",
        "style",
        "template",
        "svg",
        "noscript",
        "iframe",
        "object",
        "canvas",
        "video",
        "audio",
        "select",
        "textarea",
        "datalist",
        "math",
        "title",
        "option",
    ]
)
_HIDDEN: Final = (
    "[hidden], [aria-hidden=true], [style*='display:none' i], [style*='display: none' i], .sr-only, .visually-hidden, "
    ".screen-reader-text"
)
#: Letters below which a page shows hardly anything.
_HARDLY: Final = 100
#: Characters that are half a word, or a whole one.
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")


@dataclass(slots=True, eq=False)
class Part:
    """An element that holds lines: any but those that run on in a line."""

    tag: str
    parent: Part | None
    #: As the element states them.
    attributes: dict[str, str | None]
    is_hidden: bool
    #: Which lines and which parts it holds, itself among them: from the first up to before the last.
    first_line: int
    first_part: int
    last_line: int = 0
    last_part: int = 0
    #: What it is beside the page's own matter, as `sides` tells; empty for that matter itself.
    side: str = ""


@dataclass(slots=True, eq=False)
class Line:
    """A paragraph, a heading, an item, a cell, or what else stands on a line of its own."""

    part: Part
    text: str
    #: How long it is and how much of it are links, in letters.
    size: int
    linked: int


#: A link as it stands in a page: what it states as its address, in which part, and the pieces of its text.
Anchor: TypeAlias = tuple[str | None, Part, list[str]]


@dataclass(slots=True, eq=False)
class Parts:
    """The parts, the lines and the links of a page, each in the page's order."""

    parts: list[Part] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    links: list[Anchor] = field(default_factory=list)
    #: Where articles and dates stand.
    articles: list[Part] = field(default_factory=list)
    _sizes: list[int] = field(default_factory=list)

    def size(self, part: Part) -> int:
        """Return how much text a part holds, in letters."""
        if not self._sizes:
            self._sizes = [0, *accumulate(line.size for line in self.lines)]
        return self._sizes[part.last_line] - self._sizes[part.first_line]

    def within(self, part: Part) -> list[Part]:
        """Return a part and all in it."""
        return self.parts[part.first_part : part.last_part]

    def after(self, part: Part) -> Iterator[Part]:
        """Yield the parts that follow one within the part around it."""
        return self._side_by_side(part.last_part, part.parent.last_part if part.parent is not None else 0)

    def below(self, line: int, part: Part) -> Iterator[Part]:
        """Yield the parts of a part that follow one of its lines."""
        return (inner for inner in self._side_by_side(part.first_part + 1, part.last_part) if inner.first_line > line)

    def _side_by_side(self, place: int, end: int) -> Iterator[Part]:
        while place < end:
            yield self.parts[place]
            place = self.parts[place].last_part


def read_parts(tree: LexborHTMLParser) -> Parts:
    """Return the parts, lines and links of a page; the tree stays as it is.

    >>> from selectolax.lexbor import LexborHTMLParser
    >>> found = read_parts(LexborHTMLParser("<h1>Kites</h1><p>They <b>fly</b>.<br>Mostly"))
    >>> [(line.part.tag, line.text) for line in found.lines]
    [('h1', 'Kites'), ('p', 'They fly.'), ('p', 'Mostly')]
    """
    if (body := tree.body) is None:
        return Parts()
    found = _Reader(tree, body, _KINDS).read()
    # What a script would write is there for those who run none.
    if sum(line.size for line in found.lines) < _HARDLY and tree.css_matches("noscript"):
        found = _Reader(tree, body, _KINDS_UNSCRIPTED).read()
    return found


#: What elements are: inline; read with the ends of their lines; not read; apart from what is beside them; drawings,
#: which have no parts; links; where articles and dates stand.
_RUNS_ON, _KEPT, _MUTE, _SET_APART, _DRAWN, _LINK, _ARTICLE = 1, 2, 4, 8, 16, 32, 64
#: Of these, what holds for all that is in them.
_INHERITED: Final = _KEPT | _MUTE | _DRAWN
#: And what is told of where they stand.
_TOLD: Final = _LINK | _ARTICLE
_KINDS: Final = (
    dict.fromkeys(_WITHOUT_TEXT, _MUTE)
    | dict.fromkeys(_INLINE, _RUNS_ON)
    | dict.fromkeys(_APART, _RUNS_ON | _SET_APART)
    | {
        "a": _RUNS_ON | _SET_APART | _LINK,
        "article": _ARTICLE,
        "pre": _KEPT,
        "svg": _MUTE | _DRAWN,
        "time": _RUNS_ON | _SET_APART | _ARTICLE,
    }
)
#: The same where no script runs.
_KINDS_UNSCRIPTED: Final = {tag: kind for tag, kind in _KINDS.items() if tag != "noscript"}
#: How what is no rest of a word begins.
_BEGINS: Final = re.compile(r"[A-Z0-9£$€]")
#: An element around the present one: where what follows it goes on, which it is, the part its text belongs to, whether
#: it is that, what it is, and the texts of the links that it stands in.
_Element = tuple["LexborNode | None", int, Part, bool, int, tuple[list[str], ...]]


class _Reader:
    """A page that is being read, and the line that is being written."""

    def __init__(self, tree: LexborHTMLParser, body: LexborNode, kinds: Mapping[str, int]) -> None:
        self._body = body
        self._kinds = kinds
        self._found = Parts()
        self._hidden = {node.mem_id for node in tree.css(_HIDDEN)} - {body.mem_id}
        self._line: list[str] = []
        self._linked: list[str] = []
        #: The element set apart that the text before stands in; which the text before stands in at all, and how deep.
        self._apart = 0
        self._before = (0, 0)

    def read(self) -> Parts:  # noqa: C901, PLR0912 - a call for each of some thousand nodes would take as long as all this
        line, hidden = self._line, self._hidden
        parts, lines = self._found.parts, self._found.lines
        part = Part("body", None, self._body.attributes, False, 0, 0)
        parts.append(part)
        which, is_part, read_as = self._body.mem_id, True, 0
        links: tuple[list[str], ...] = ()
        around: list[_Element] = []
        # By their numbers: to make the name of each anew takes as long as all else that is read of it.
        tags: dict[int, tuple[str, int]] = {}
        node = self._body.first_child
        while True:
            if node is None:
                if is_part:
                    if line:
                        self._end_line(part)
                    part.last_line, part.last_part = len(lines), len(parts)
                if not around:
                    return self._found
                node, which, part, is_part, read_as, links = around.pop()
                continue
            if (known := tags.get(node.tag_id)) is None:
                name = node.tag or "-"
                known = tags[node.tag_id] = name, self._kinds.get(name, 0)
            tag, kind = known
            if tag == "-text":
                # Scripts are long, and most of what stands between two tags is the indentation of the next.
                if links or not (read_as & _MUTE or (not line and node.is_empty_text_node)):
                    self._add(node.text_content or "", (which, len(around)), part, read_as, links)
            elif tag == "br":
                self._end_line(part)
            elif tag[0] != "-":
                around.append((node.next, which, part, is_part, read_as, links))
                which = node.mem_id
                if kind & _TOLD:
                    links = self._linked_or_dated(node, kind, part, links)
                is_part = not (
                    read_as & _DRAWN
                    or (kind & _RUNS_ON and which not in hidden)
                    or (tag == "button" and part.tag in HEADINGS)
                )
                read_as = read_as & _INHERITED | kind
                if is_part:
                    if line:
                        self._end_line(part)
                    part = Part(tag, part, node.attributes, which in hidden, len(lines), len(parts))
                    parts.append(part)
                node = node.first_child
                continue
            node = node.next

    def _linked_or_dated(
        self, node: LexborNode, kind: int, part: Part, links: tuple[list[str], ...]
    ) -> tuple[list[str], ...]:
        """Note a link, or where an article or a date stands; return the texts of the links around what is in it."""
        if kind & _ARTICLE:
            self._found.articles.append(part)
            return links
        texts: list[str] = []
        self._found.links.append((node.attrs.get("href"), part, texts))
        return (*links, texts)

    def _add(self, text: str, where: tuple[int, int], part: Part, read_as: int, links: tuple[list[str], ...]) -> None:
        for texts in links:
            texts.append(text)
        line = self._line
        if read_as & _MUTE or (not line and text.isspace()):
            return
        which, depth = where
        if read_as & _SET_APART:
            if line and self._apart not in (0, which):
                line.append(" ")
            self._apart = which
        else:
            self._apart = 0
        # Two elements side by side, as a name and its price, are set apart by their styles.
        is_beside = depth == self._before[1] and which != self._before[0]
        if line and is_beside and line[-1][-1:].isalnum() and _BEGINS.match(text):
            line.append(" ")
        self._before = where
        if read_as & _KEPT and "\n" in text:
            *ended, text = text.split("\n")
            for piece in ended:
                line.append(piece)
                self._end_line(part)
        line.append(text)
        if links:
            self._linked.append(text)

    def _end_line(self, part: Part) -> None:
        """End the line of a part: no other part begins or ends while a line is written."""
        line, linked = self._line, self._linked
        if text := " ".join((line[0] if len(line) == 1 else "".join(line)).split()):
            size, of_links = _size(text), 0
            if linked:
                of_links = size if linked == line else _size(" ".join("".join(linked).split()))
            self._found.lines.append(Line(part, text, size, of_links))
        line.clear()
        linked.clear()


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text) + len(_UNSPACED.findall(text)) * (LETTERS // 2 - 1)
