"""Texts of slides: as large as they fit into their boxes, and cut where they fit at no size."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Final, cast

from pptx.dml.color import RGBColor
from pptx.enum.text import PP_ALIGN
from pptx.util import Emu, Inches, Pt

from toolkit.interface.text import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["BLUE", "INK", "fill", "fitted", "put", "row_heights", "unbroken", "write", "write_fitted"]

BLUE, INK = (cast("Any", RGBColor).from_string(color) for color in ("00507D", "1B1B1B"))
#: Width of a letter and height of a line as parts of the type size: more than those of the usual fonts, so that a text
#: that is counted to fit does.
_LETTER: Final = 0.54
_LINE: Final = 1.25
_INSET: Final = Inches(0.05)
_LEAST_TYPE: Final = 9


def fitted(text: str, width: int, height: int, largest: float, least: float = _LEAST_TYPE) -> tuple[str, float]:
    """Return a paragraph and the type size in points at which it fits into a box in EMU, cut if it fits at none.

    Examples
    --------
    >>> fitted("Kites", 914_400, 914_400, 24)
    ('Kites', 24)
    """
    size = largest
    while size > least and _lines(text, width, size) > _room(height, size):
        size -= 1
    room = max(int(_room(height, size)), 1)
    if _lines(text, width, size) > room:
        kept = textwrap.wrap(text, _letters(width, size))[:room]
        text = shortened(" ".join(kept) + " …", room * _letters(width, size) - 1).removesuffix("…").rstrip() + "…"
    return text, size


def unbroken(text: str, width: int, largest: float, least: float) -> float:
    """Return the largest type size at which no line ends within a word, or the least.

    Examples
    --------
    >>> unbroken("Kites and boots", 914_400, 40, 8), unbroken("Kites and boots", 457_200, 40, 8)
    (23, 10)
    """
    longest = max(map(len, text.split()), default=0)
    size = largest
    while size > least and _letters(width, size) < longest:
        size -= 1
    return size


def row_heights(texts: Sequence[str], width: int, height: int, largest: float) -> tuple[list[int], float]:
    """Return how high rows with these texts are, below each other in a box, and the type size at which they fit.

    Examples
    --------
    >>> row_heights(["Kites", "Boots and kites and tents"], 914_400, 914_400, 12)
    ([190500, 571500], 12)
    """
    size = largest
    while size > _LEAST_TYPE and _tall(texts, width, size) > Emu(height).pt:
        size -= 1
    # Where they fit at no size, each is cut alike.
    part = min(1.0, Emu(height).pt / _tall(texts, width, size)) if texts else 1.0
    return [int(Pt(_lines(text, width, size) * size * _LINE * part)) for text in texts], size


def _tall(texts: Sequence[str], width: int, size: float) -> float:
    return sum(_lines(text, width, size) * size * _LINE for text in texts)


def _letters(width: int, size: float) -> int:
    return max(int((Emu(width).pt - 2 * _INSET.pt) / (size * _LETTER)), 1)


def _lines(text: str, width: int, size: float) -> int:
    return max(len(textwrap.wrap(text, _letters(width, size))), 1)


def _room(height: int, size: float) -> float:
    return float((Emu(height).pt - 2 * _INSET.pt) / (size * _LINE))


def write_fitted(
    page: Any, box: Sequence[int], texts: Sequence[str], largest: float, name: str, *, space: float = 6, **style: Any
) -> None:
    """Write paragraphs as large as they fit; those that fit at no size are cut, and the rest is in the notes."""
    gaps = space * (len(texts) - 1)
    kept, size = list(texts), float(int(largest))
    while size > _LEAST_TYPE and _needed(kept, box[2], size) + gaps > Emu(box[3]).pt - 2 * _INSET.pt:
        size -= 1
    while _needed(kept, box[2], size) + gaps > Emu(box[3]).pt - 2 * _INSET.pt:
        if len(kept) > 1 and _lines(kept[-1], box[2], size) == 1:
            kept.pop()
            kept[-1] = kept[-1].rstrip(" .…") + " …"
            continue
        words = kept[-1].rstrip(" …").rsplit(" ", 1)
        if len(words) == 1:
            break
        kept[-1] = f"{words[0]} …"
    write(page, box, kept, size, name=name, space=space, **style)


def _needed(texts: Iterable[str], width: int, size: float) -> float:
    return sum(_lines(text, width, size) for text in texts) * size * _LINE


def write(page: Any, box: Sequence[int], texts: Sequence[str], size: float, *, name: str, **style: Any) -> None:
    """Write paragraphs of a given size into a new box."""
    shape = page.shapes.add_textbox(*box)
    shape.name = name
    fill(shape.text_frame, texts, size, style.pop("color", INK), **style)


def put(shape: Any, box: Sequence[int]) -> None:
    """Give a shape its place and size."""
    shape.left, shape.top, shape.width, shape.height = box


def fill(
    frame: Any,
    texts: Iterable[str],
    size: float,
    color: RGBColor,
    *,
    bold: bool = False,
    space: float = 0,
    lead: bool = False,
) -> None:
    """Write paragraphs; with `lead` each one's words up to its first colon stand out."""
    frame.word_wrap = True
    if hasattr(frame, "margin_left"):
        frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = _INSET
    for number, text in enumerate(texts):
        paragraph = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
        paragraph.alignment = PP_ALIGN.LEFT
        paragraph.space_after = Pt(space)
        head, colon, rest = text.partition(": ") if lead else ("", "", text)
        for part, strong, ink in ((head + colon, True, BLUE), (rest, bold, color)):
            if part:
                run = paragraph.add_run()
                run.text = part
                run.font.size, run.font.bold, run.font.color.rgb = Pt(size), strong, ink
