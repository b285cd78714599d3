"""One slide: what goes into its places, in the order in which it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lxml import etree
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Emu, Pt

from toolkit.reports.deck.forms import FOOTER, NUMBER, NUMBERED, PICTURE, TEXT, TITLE
from toolkit.reports.deck.text import BODY, LINE, SMALL, Paragraph, cut, fitted, tall, together, unbulleted, write

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolkit.reports.deck.boxes import Box
    from toolkit.reports.deck.forms import Design

__all__ = ["SIZES", "Page"]

#: Sizes of texts: less than the usual only where a text would be cut otherwise.
SIZES: Final = (BODY, 14, SMALL)
_ORDER: Final = (TITLE, PICTURE, TEXT, "", FOOTER, NUMBER)


class Page:
    """A slide of a kind. Its placeholders take what they are for; where a layout has none, a shape does."""

    def __init__(self, design: Design, kind: str) -> None:
        self.design = design
        self.form = design.forms[kind]
        self.slide = design.slides.slides.add_slide(self.form.layout)
        self._roles: dict[Any, str] = {}
        self._held: set[int] = set()

    def title(self, text: str) -> None:
        """Write the claim, at the first of the form's sizes at which it fits."""
        box = self.form.boxes[TITLE]
        shape = self._shape(TITLE, box, "Title")
        width, height = self._room(shape, box)
        is_bold = not shape.is_placeholder or _is_bold(self.form.layout)
        kept, size = fitted([Paragraph(together(text), bold=is_bold)], width, height, self.form.sizes)
        # A placeholder is as bold as its layout has it.
        written = [Paragraph(one.text, bold=not shape.is_placeholder) for one in kept]
        write(shape.text_frame, written, size, ink="" if shape.is_placeholder else self.design.look.ink)

    def beside(self, paragraphs: Sequence[Paragraph], top: int) -> None:
        """Write paragraphs beside a picture that begins there, or as much above as they need."""
        box = self.form.boxes[TEXT]
        inset = self.design.inset
        needed = tall(paragraphs, Emu(box.width).pt - inset, BODY) + inset / 2 + 1
        begin = max(min(top, box.bottom - int(Pt(needed))), box.top)
        self.text(paragraphs, box._replace(top=begin, height=box.bottom - begin))

    def text(self, paragraphs: Sequence[Paragraph], box: Box | None = None, sizes: Sequence[int] = SIZES) -> None:
        """Write paragraphs where texts stand, or into a box."""
        place = box or self.form.boxes[TEXT]
        if not paragraphs:
            return
        shape = self._shape(TEXT, place, "Text")
        kept, size = fitted(paragraphs, *self._room(shape, place), sizes)
        look = self.design.look
        write(shape.text_frame, kept, size, ink="" if shape.is_placeholder else look.ink, mark=look.mark)
        unbulleted(shape.text_frame, kept)

    def below(
        self, paragraphs: Sequence[Paragraph], box: Box, sizes: Sequence[int] = SIZES, *, is_told: bool = False
    ) -> None:
        """Write paragraphs into a box of their own, below a picture, or read in turn with pictures if `is_told`."""
        shape = self.slide.shapes.add_textbox(*box)
        shape.name = "Below"
        if is_told:
            self._roles[shape._element] = PICTURE  # noqa: SLF001 - the order of reading goes by it
        frame = shape.text_frame
        frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
        kept, size = fitted(paragraphs, Emu(box.width).pt, Emu(box.height).pt, sizes)
        write(frame, kept, size, ink=self.design.look.ink, mark=self.design.look.mark)
        unbulleted(frame, kept)

    def subtitle(self, paragraphs: Sequence[Paragraph]) -> None:
        """Write what stands below the title of a cover, as the layout shows it."""
        place = self.form.boxes[TEXT]
        shape = self._shape(TEXT, place, "Subtitle")
        kept, size = fitted(paragraphs, *self._room(shape, place), (20, 18, *SIZES))
        write(shape.text_frame, kept, size, ink="" if shape.is_placeholder else self.design.look.ink)

    def hold(self, shape: Any, name: str, alt: str) -> None:
        """Name a chart or table, and put it into the placeholder for it."""
        shape.name = name
        shape._element.nvGraphicFramePr.cNvPr.set("descr", alt)  # noqa: SLF001 - the library has no door to alt text
        self._roles[shape._element] = PICTURE  # noqa: SLF001 - as above
        holder = self._placeholder(PICTURE)
        if holder is not None:
            mine = shape._element.nvGraphicFramePr.find(qn("p:nvPr"))  # noqa: SLF001 - as above
            mine.insert(0, holder._element.nvSpPr.nvPr.find(qn("p:ph")))  # noqa: SLF001 - as above
            holder._element.getparent().remove(holder._element)  # noqa: SLF001 - as above

    def footer(self, text: str) -> None:
        """Write where the numbers are from; and in any case the slide's number."""
        box = self.form.boxes.get(FOOTER)
        if text and box is not None:
            most = max(int(Emu(box.height).pt / (SMALL * LINE)), 1)
            words = cut(text, Emu(box.width).pt - self.design.inset, most, SMALL)
            shape = self._edge(FOOTER, "ftr", box, "Footer")
            shape.text_frame.margin_top = shape.text_frame.margin_bottom = 0
            write(shape.text_frame, [Paragraph(words)], SMALL, ink="" if shape.is_placeholder else self.design.look.ink)
            unbulleted(shape.text_frame, [Paragraph(words)])
        if NUMBER in self.form.boxes:
            shape = self._edge(NUMBER, "sldNum", self.form.boxes[NUMBER], "Slide Number")
            self._number(shape)

    def _number(self, shape: Any) -> None:
        paragraph = shape.text_frame.paragraphs[0]._p  # noqa: SLF001 - the library has no door to fields
        place = len(self.design.slides.slides)
        field = etree.SubElement(paragraph, qn("a:fld"), id=NUMBERED, type="slidenum")
        etree.SubElement(field, qn("a:rPr"), lang="en", sz=str(100 * SMALL))
        etree.SubElement(field, qn("a:t")).text = str(place)
        box = self.form.boxes[NUMBER]
        is_left = box.left + box.width // 2 < self.design.slides.slide_width // 2
        paragraph.get_or_add_pPr().set("algn", "l" if is_left else "r")

    def notes(self, texts: Iterable[str]) -> None:
        """Write what a presenter says, and take out the placeholders that nothing was put into."""
        self.slide.notes_slide.notes_text_frame.text = "\n\n".join(dict.fromkeys(text for text in texts if text))
        for holder in list(self.slide.placeholders):
            if holder._element not in self._roles:  # noqa: SLF001 - as above
                holder._element.getparent().remove(holder._element)  # noqa: SLF001 - as above
        tree = self.slide.shapes._spTree  # noqa: SLF001 - the order of reading is that of the tree
        shapes = [shape._element for shape in self.slide.shapes]  # noqa: SLF001 - as above
        for element in sorted(shapes, key=lambda one: _ORDER.index(self._roles.get(one, ""))):
            tree.append(element)

    def _room(self, shape: Any, box: Box) -> tuple[float, float]:
        """Return width and height of what a text may fill of a box, in points."""
        inset = self.design.inset if shape.is_placeholder else 0
        return Emu(box.width).pt - inset, Emu(box.height).pt - inset / 2

    def _placeholder(self, place: str) -> Any:
        number = self.form.holders.get(place)
        found = (one for one in self.slide.placeholders if one.placeholder_format.idx == number)
        return next((one for one in found if one._element not in self._roles), None)  # noqa: SLF001 - as above

    def _shape(self, place: str, box: Box, name: str) -> Any:
        shape = self._placeholder(place)
        if shape is None:
            shape = self.slide.shapes.add_textbox(*box)
            frame = shape.text_frame
            frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
        elif (shape.left, shape.top, shape.width, shape.height) != tuple(box):
            shape.left, shape.top, shape.width, shape.height = box
        shape.name = name
        self._roles[shape._element] = place  # noqa: SLF001 - as above
        return shape

    def _edge(self, place: str, kind: str, box: Box, name: str) -> Any:
        """Return a new placeholder at the edge: the library makes none of these."""
        if place in self.form.holders:
            number = len(self.slide.shapes) + 20
            self.slide.shapes._spTree.append(  # noqa: SLF001 - as above
                parse_xml(
                    f'<p:sp {nsdecls("a", "p")}><p:nvSpPr><p:cNvPr id="{number}" name="{name}"/><p:cNvSpPr>'
                    f'<a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="{kind}" sz="quarter" '
                    f'idx="{self.form.holders[place]}"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/>'
                    "<a:p/></p:txBody></p:sp>"
                )
            )
        return self._shape(place, box, name)


def _is_bold(layout: Any) -> bool:
    """Return whether titles on a layout are bold, as its master has them or it has itself."""
    own = [
        holder._element  # noqa: SLF001 - the library has no door to styles
        for holder in layout.placeholders
        if holder.placeholder_format.type in {PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE}
    ]
    sheet = layout.slide_master._element  # noqa: SLF001 - as above
    styles = [sheet.find(f"{qn('p:txStyles')}/{qn('p:titleStyle')}"), *own]
    fonts = [font for style in styles if style is not None for font in style.iter(qn("a:defRPr"))]
    return any(font.get("b") in {"1", "true"} for font in fonts)
