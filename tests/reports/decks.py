"""Decks for tests: templates as people bring them, and how large texts are on a slide."""

import io
import textwrap
from itertools import combinations

from pptx import Presentation
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Emu, Pt

#: Twelve groups, with names as taxonomies have them.
MANY = (
    "Travel",
    "Food & Drink",
    "Personal Finance",
    "Technology & Computing",
    "Sports",
    "Automotive",
    "Family and Relationships",
    "Style & Fashion",
    "Home & Garden",
    "Pets",
    "News and Politics",
    "Video Gaming",
)
OLD = "A slide that was there"
#: A letter of the fonts that are meant, and a line, as parts of the type size.
_LETTER, _LINE = 0.5, 1.2


def saved(slides):
    file = io.BytesIO()
    slides.save(file)
    return file.getvalue()


def opened(deck):
    return Presentation(io.BytesIO(deck))


def usual_template():
    """Return a template at 4:3, with slides, notes and a picture of its own."""
    slides = Presentation()
    for layout in (0, 1, 5):
        slide = slides.slides.add_slide(slides.slide_layouts[layout])
        slide.shapes.title.text = OLD
        slide.notes_slide.notes_text_frame.text = OLD
    slide.shapes.add_picture(io.BytesIO(logo()), 0, 0)
    return saved(slides)


def dark_template():
    """Return a small dark template at 16:9 with names in another language, a side bar, sections, and two layouts."""
    slides = Presentation()
    width, height = 9_144_000, 5_143_500
    slides.slide_width, slides.slide_height = width, height
    master = slides.slide_master
    for spare in list(slides.slide_layouts)[2:]:
        slides.slide_layouts.remove(spare)
    for layout, name in zip(slides.slide_layouts, ("Titelfolie", "Überschrift und Inhalt"), strict=True):
        layout._element.cSld.set("name", name)
        layout._element.attrib.pop("type", None)
    for page in (master, *slides.slide_layouts):
        for shape in page.shapes:
            if shape._element.spPr.find(qn("a:xfrm")) is not None:
                shape.top, shape.height = shape.top * 3 // 4, shape.height * 3 // 4
    place = f'<a:xfrm><a:off x="0" y="0"/><a:ext cx="380000" cy="{height}"/></a:xfrm>'
    bar = (
        f'<p:sp {nsdecls("a", "p")}><p:nvSpPr><p:cNvPr id="90" name="Bar"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>'
        f'{place}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:solidFill><a:schemeClr val="accent2"/></a:solidFill>'
        "</p:spPr></p:sp>"
    )
    master.shapes._spTree.insert(2, parse_xml(bar))
    for name, other in (("bg1", "dk1"), ("tx1", "lt1")):
        master._element.find(qn("p:clrMap")).set(name, other)
    for layout in slides.slide_layouts:
        slides.slides.add_slide(layout).shapes.title.text = OLD
    first = slides.slides._sldIdLst[0].get("id")
    slides.part._element.append(
        parse_xml(
            f'<p:extLst {nsdecls("p")}><p:ext uri="{{521415D9-36F7-43E2-AB2F-B90AF26B5E84}}"><p14:sectionLst '
            'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"><p14:section name="One" '
            f'id="{{5B4E4A5C-0000-4000-8000-000000000001}}"><p14:sldIdLst><p14:sldId id="{first}"/></p14:sldIdLst>'
            "</p14:section></p14:sectionLst></p:ext></p:extLst>"
        )
    )
    return saved(slides)


def logo():
    """Return a PNG file of a red plate."""
    from PIL import Image

    file = io.BytesIO()
    Image.new("RGB", (400, 120), "#C8102E").save(file, "PNG")
    return file.getvalue()


def place_of(shape):
    """Return left, top, right and bottom; of a table as high as its rows are."""
    height = sum(row.height for row in shape.table.rows) if shape.has_table else shape.height
    return shape.left, shape.top, shape.left + shape.width, shape.top + height


def faults(slides):
    """Return what is wrong with the places and sizes of a deck's slides, in words."""
    found = []
    for number, slide in enumerate(slides.slides, 1):
        for shape in slide.shapes:
            left, top, right, bottom = place_of(shape)
            if left < 0 or top < 0 or right > slides.slide_width or bottom > slides.slide_height:
                found.append(f"{number}: {shape.name} goes beyond the slide")
            if shape.has_text_frame:
                found += [f"{number}: {fault}" for fault in _text_faults(shape)]
            if shape.has_table:
                found += [f"{number}: {fault}" for fault in _table_faults(shape.table)]
        places = [(shape.name, place_of(shape)) for shape in slide.shapes]
        for (one, here), (other, there) in combinations(places, 2):
            if _meet(here, there):
                found.append(f"{number}: {one} lies over {other}")
    return found


def _meet(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _text_faults(shape):
    sizes = [run.font.size for paragraph in shape.text_frame.paragraphs for run in paragraph.runs]
    fields = [Pt(int(font.get("sz", 0)) / 100) for font in shape._element.iter(qn("a:rPr"))]
    if any(size is None for size in sizes) or any(size < Pt(12) for size in [*sizes, *fields]):
        yield f"{shape.name} has no size of type, or one below 12 points"
        return
    needed = 0
    for paragraph in shape.text_frame.paragraphs:
        indent = int(paragraph._p.pPr.get("marL", 0)) if paragraph._p.pPr is not None else 0
        size = max((run.font.size for run in paragraph.runs), default=Pt(12))
        needed += size * _LINE * _lines(paragraph.text, shape.width - indent, size) + (paragraph.space_before or 0)
    if needed > shape.height:
        yield f"{shape.name} is {Emu(needed).pt:.0f} points high in {Emu(shape.height).pt:.0f}"


def _table_faults(table):
    widths = [column.width for column in table.columns]
    for row in table.rows:
        for width, cell in zip(widths, row.cells, strict=True):
            size = Pt(12)
            sizes = {int(font.get("sz", 0)) for font in cell._tc.iter(qn("a:rPr"), qn("a:endParaRPr"))}
            if sizes != {1200}:
                yield f"a cell of {cell.text!r} has sizes {sizes}"
            is_upright = cell._tc.tcPr.get("vert") == "vert270"
            room, height = (row.height, width) if is_upright else (width, row.height)
            lines = sum(_lines(line, room - Pt(4), size) for line in cell.text.split("\v"))
            if lines * size * _LINE > height:
                yield f"a cell of {cell.text!r} is too high for its row"


def _lines(text, width, size):
    return max(len(textwrap.wrap(text, max(int(width / (size * _LETTER)), 1))), 1) if text else 1
