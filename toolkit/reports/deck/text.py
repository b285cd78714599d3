"""Texts of slides: how wide they are, at which size they fit, and how they are written into a shape."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lxml import etree
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.oxml.ns import qn
from pptx.util import Emu, Pt

from toolkit.reports.deck.colours import paint

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


__all__ = [
    "BODY",
    "LINE",
    "SMALL",
    "TITLES",
    "Paragraph",
    "cut",
    "fitted",
    "lines_of",
    "name_cut",
    "names_cut",
    "tall",
    "together",
    "unbulleted",
    "wide",
    "write",
]

#: Type sizes: of titles from the usual to the least, of texts, and of footers, tables and labels. None is less.
TITLES: Final = (28, 26, 24)
BODY: Final = 16
SMALL: Final = 12
#: Height of a line as a part of the type size.
LINE: Final = 1.22
#: Widths of letters as parts of the type size, of a wide font: where the font of a brand is missing, one like it stands
#: in, and a text that is counted to fit does so with both.
_WIDTHS: Final = {
    letter: width
    for width, letters in {
        0.3: "'ijlIJ",
        0.34: " ,./:;\\|\N{NO-BREAK SPACE}",
        0.4: "f-()[]t!r·",
        0.52: '"*_`sz?–',
        0.58: "cLFkvxy",
        0.64: "PTYaoeESbdghnpqu$0123456789{}",
        0.72: "KAVBRXZCU",
        0.8: "HNDG&OQw",
        0.86: "#+<=>^~M\N{MINUS SIGN}",
        1.0: "%mW@…",
    }.items()
    for letter in letters
}
_COUNT: Final = re.compile(r"(?<=\d) of (?=\d)")
#: Of letters of other scripts, by the first that is so wide, and what a bold one has more.
_OTHER, _FULL, _FIRST_FULL, _BOLD = 0.8, 1.05, 0x1100, 0.085


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a slide."""

    text: str
    #: What stands before it, bold and in the highlight colour.
    lead: str = ""
    bold: bool = False
    #: How far the text stands behind its lead, in EMU; 0 where it goes on in the same line.
    hang: int = 0
    #: Points above it.
    space: float = 0

    @property
    def whole(self) -> str:
        """The text with its lead, as it runs on."""
        return self.text if self.hang else " ".join(part for part in (self.lead, self.text) if part)


def wide(text: str, size: float, *, bold: bool = False) -> float:
    """Return how wide a text is at most, in points."""
    letters = sum(_WIDTHS.get(letter) or (_FULL if ord(letter) >= _FIRST_FULL else _OTHER) for letter in text)
    return (letters + _BOLD * bold * len(text)) * size


def lines_of(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Return the lines into which a text breaks in a width in points; a word that is wider is broken itself.

    Examples
    --------
    >>> lines_of("Kites and boots", 60, 12), lines_of("Kiteboarding", 40, 12)
    (['Kites and', 'boots'], ['Kiteb', 'oardin', 'g'])
    """
    lines, line = [], ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if wide(longer, size, bold=bold) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        *full, line = _pieces(word, width, size, bold=bold)
        lines += full
    return [*lines, line]


def _pieces(word: str, width: float, size: float, *, bold: bool) -> list[str]:
    pieces = [""]
    for letter in word:
        if pieces[-1] and wide(pieces[-1] + letter, size, bold=bold) > width:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def cut(text: str, width: float, most: int, size: float, *, bold: bool = False) -> str:
    """Return a text that takes at most so many lines, with ``…`` at the end of one that was cut.

    Examples
    --------
    >>> cut("Kites and boots", 60, 1, 12), cut("Kites", 60, 1, 12)
    ('Kites…', 'Kites')
    """
    lines = lines_of(text, width, size, bold=bold)
    if len(lines) <= most:
        return text
    kept = " ".join(lines[:most])
    while kept and len(lines_of(f"{kept}…", width, size, bold=bold)) > most:
        shorter = kept.rpartition(" ")[0]
        # A word that fills the lines alone is cut within.
        kept = shorter if len(shorter) > len(kept) // 2 else kept[:-1]
    return f"{kept.rstrip(' .,;:·')}…"


def name_cut(text: str, width: float, size: float, *, bold: bool = False) -> str:
    """Return a name in one line, cut in its middle: what tells names apart is often at their ends.

    Examples
    --------
    >>> name_cut("a-long-name-of-a-site.example", 100, 12), name_cut("kites", 100, 12)
    ('a-long…xample', 'kites')
    """
    if wide(text, size, bold=bold) <= width:
        return text
    kept = len(text) - 1
    while kept > 1 and wide(f"{text[: kept - kept // 2]}…{text[-(kept // 2) :]}", size, bold=bold) > width:
        kept -= 1
    return f"{text[: kept - kept // 2].rstrip()}…{text[-(kept // 2) :].lstrip()}" if kept > 1 else "…"


def names_cut(names: Sequence[str], width: float, size: float) -> list[str]:
    """Return names in one line each, cut so that those that differ still do.

    Examples
    --------
    >>> names_cut([f"the group {number} of many sites" for number in (1, 2)], 100, 12)
    ['the group 1…', 'the group 2…']
    """
    told = {name: name_cut(name, width, size) for name in names}
    for short in sorted(set(told.values())):
        alike = [name for name, given in told.items() if given == short]
        if len(alike) > 1:
            # What tells them apart is then in their middle, so what all of them end with goes.
            columns = zip(*(name[::-1] for name in alike), strict=False)
            shared = next((place for place, letters in enumerate(columns) if len(set(letters)) > 1), 0)
            told |= {name: f"{name_cut(name[: len(name) - shared], width - size, size)}…" for name in alike}
    return [told[name] for name in names]


def tall(paragraphs: Iterable[Paragraph], width: float, size: float) -> float:
    """Return how high paragraphs are, in points."""
    return sum(
        len(lines_of(one.whole, width - Emu(one.hang).pt, size, bold=one.bold or bool(one.lead and not one.hang)))
        * size
        * LINE
        + one.space * bool(place)
        for place, one in enumerate(paragraphs)
    )


def together(text: str) -> str:
    """Return a text in which no line ends within a count such as "7 of 9".

    Examples
    --------
    >>> together("7 of 9 sites") == "7\N{NO-BREAK SPACE}of\N{NO-BREAK SPACE}9 sites"
    True
    """
    return _COUNT.sub("\N{NO-BREAK SPACE}of\N{NO-BREAK SPACE}", text)


def fitted(
    paragraphs: Sequence[Paragraph], width: float, height: float, sizes: Sequence[int]
) -> tuple[list[Paragraph], int]:
    """Return paragraphs as they fit into a box in points, and the first of the sizes at which they do.

    Where they fit at none, the last ones are cut and then left out: the notes have all.
    """
    for size in sizes:
        if tall(paragraphs, width, size) <= height:
            return list(paragraphs), size
    size, kept = sizes[-1], list(paragraphs)
    while len(kept) > 1 and tall(kept[:-1], width, size) + kept[-1].space + size * LINE > height:
        kept.pop()
    last = kept[-1]
    room = height - tall(kept[:-1], width, size) - last.space * (len(kept) > 1)
    most = max(int(room / (size * LINE)), 1)
    bold = last.bold or bool(last.lead and not last.hang)
    whole = cut(last.whole, width - Emu(last.hang).pt, most, size, bold=bold)
    text = whole if last.hang or not last.lead else whole.removeprefix(last.lead).lstrip()
    if len(kept) < len(paragraphs) and not text.endswith("…"):
        text = f"{text.rstrip(' .')} …" if wide(f"{text} …", size, bold=bold) <= width else f"{text[:-2]}…"
    kept[-1] = Paragraph(text, last.lead, last.bold, last.hang, last.space)
    return kept, size


def write(frame: Any, paragraphs: Sequence[Paragraph], size: int, *, ink: str = "", mark: str = "") -> None:
    """Write paragraphs into a text frame; without `ink` in the colour that the shape has of itself."""
    frame.word_wrap = True
    frame.auto_size = MSO_AUTO_SIZE.NONE
    for place, one in enumerate(paragraphs):
        paragraph = frame.paragraphs[0] if place == 0 else frame.add_paragraph()
        if one.space and place:
            paragraph.space_before = Pt(one.space)
        parts = [(one.lead, True, mark or ink)] if one.lead else []
        between = "\t" if one.hang else " "
        parts += [((between if one.lead else "") + one.text, one.bold, ink)] if one.text else []
        for text, bold, colour in parts:
            run = paragraph.add_run()
            run.text = text
            run.font.size = Pt(size)
            if bold:
                run.font.bold = True
            if colour:
                paint(run.font.fill, colour)


def unbulleted(frame: Any, paragraphs: Sequence[Paragraph]) -> None:
    """Take the marks and indents of a list from paragraphs, and give those with a lead their own."""
    for paragraph, one in zip(frame.paragraphs, paragraphs, strict=True):
        properties = paragraph._p.get_or_add_pPr()  # noqa: SLF001 - the library has no door to bullets
        properties.set("marL", str(one.hang))
        properties.set("indent", str(-one.hang if one.lead else 0))
        properties.set("algn", "l")
        etree.SubElement(properties, qn("a:buNone"))
        if one.hang:
            etree.SubElement(etree.SubElement(properties, qn("a:tabLst")), qn("a:tab"), pos=str(one.hang), algn="l")
