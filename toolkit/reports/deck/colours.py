"""Colours of slides: names of the theme's, so that whoever changes the theme changes them too, or six digits."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, cast

from lxml import etree
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml.ns import qn

from toolkit.charts.colours import DIVERGING
from toolkit.reports.contrast import brightness, contrast

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["PALE", "QUIET", "WHISKER", "Look", "look_of", "paint", "readable_on", "shade", "solid"]

#: Marks of the rest, bars beside the highlighted ones, and intervals.
QUIET, PALE, WHISKER = "7F7F7F", "C4C4C4", "9A9A9A"
_THEME: Final = {
    "tx1": MSO_THEME_COLOR.TEXT_1,
    "bg1": MSO_THEME_COLOR.BACKGROUND_1,
    **{f"accent{number}": getattr(MSO_THEME_COLOR, f"ACCENT_{number}") for number in range(1, 7)},
}
_DARK, _LIGHT = "1B1B1B", "FFFFFF"
#: Of a text and of a mark to what is behind it.
_READ, _SEEN = 4.5, 2.0
_DIM: Final = 0.2


@dataclass(frozen=True, slots=True)
class Look:
    """The colours of a deck."""

    #: Of texts and what is behind them, as names or digits, and the latter as digits too.
    ink: str
    paper: str
    #: The highlight, for marks, and for words, which need more contrast.
    strong: str
    mark: str

    @property
    def line(self) -> str:
        """Of lines of grids and tables."""
        return "595959" if brightness(self.paper) < _DIM else "D9D9D9"


def look_of(master: Any, background: Any) -> Look:
    """Return the colours of a master, on the background of one of its layouts."""
    theme = _colours_of_theme(master)
    names = dict(master._element.find(qn("p:clrMap")).attrib)  # noqa: SLF001 - the library has no door to themes
    known = {name: theme.get(key, "") for name, key in names.items()} | theme
    paper = _behind(background, known) or _behind(master, known) or known.get("bg1") or _LIGHT
    ink = next(
        (name for name in ("tx1", "bg1") if known.get(name) and contrast(known[name], paper) >= _READ),
        readable_on(paper),
    )
    accents = [f"accent{number}" for number in range(1, 7)]
    strong = next((name for name in accents if known.get(name) and contrast(known[name], paper) >= _SEEN), ink)
    mark = strong if contrast(known.get(strong, strong), paper) >= _READ else ink
    return Look(ink, paper, strong, mark)


def _colours_of_theme(master: Any) -> dict[str, str]:
    blob = master.part.part_related_by(RELATIONSHIP_TYPE.THEME).blob
    scheme = etree.fromstring(blob, etree.XMLParser(resolve_entities=False)).find(f".//{qn('a:clrScheme')}")
    found = {}
    for colour in () if scheme is None else scheme:
        given = colour[0].get("lastClr") or colour[0].get("val", "") if len(colour) else ""
        found[etree.QName(colour).localname] = given.upper()
    return {name: digits for name, digits in found.items() if _is_digits(digits)}


def _behind(page: Any, known: Mapping[str, str]) -> str:
    ground = page._element.find(f"{qn('p:cSld')}/{qn('p:bg')}")  # noqa: SLF001 - as above
    for colour in () if ground is None else ground.iter(qn("a:schemeClr"), qn("a:srgbClr")):
        digits = known.get(colour.get("val"), colour.get("val")).upper()
        if _is_digits(digits):
            return str(digits)
    return ""


def _is_digits(text: str) -> bool:
    return len(text) == len(_DARK) and not set(text) - set("0123456789ABCDEF")


def paint(fill: Any, colour: str) -> None:
    """Fill a shape, a font or a line with a colour."""
    fill.solid()
    if colour in _THEME:
        fill.fore_color.theme_color = _THEME[colour]
    else:
        fill.fore_color.rgb = cast("Any", RGBColor).from_string(colour)


def solid(colour: str) -> Any:
    """Return the element of a colour."""
    made = etree.Element(qn("a:solidFill"))
    etree.SubElement(made, qn("a:schemeClr" if colour in _THEME else "a:srgbClr"), val=colour)
    return made


def readable_on(paper: str) -> str:
    """Return black or white, which is read better.

    Examples
    --------
    >>> readable_on("FFDD00"), readable_on("00507D")
    ('1B1B1B', 'FFFFFF')
    """
    return max((_DARK, _LIGHT), key=lambda ink: contrast(ink, paper))


def shade(part: float) -> str:
    """Return the colour of a cell from -1, less than the rest, to 1, more.

    Examples
    --------
    >>> shade(0), shade(1)
    ('FFFFFF', '053061')
    """
    place = (min(max(part, -1.0), 1.0) + 1) / 2
    for (low, first), (high, last) in pairwise(DIVERGING):
        if place <= high:
            share = (place - low) / (high - low)
            ends = [[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (first, last)]
            return "".join(f"{round(one + (two - one) * share):02X}" for one, two in zip(*ends, strict=True))
    return _LIGHT
