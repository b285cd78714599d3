"""A deck in the user's own template: its master, layouts, fonts and colours, without its slides."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import TYPE_CHECKING, Any, Final

from lxml.etree import LxmlError
from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.exc import PythonPptxError
from pptx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from pptx.oxml.ns import qn
from pptx.util import Inches, Pt

from toolkit.interface.errors import InputError
from toolkit.reports.deck.boxes import Box, Grid, grid_of
from toolkit.reports.deck.colours import look_of
from toolkit.reports.deck.forms import FOOTER, NUMBER, TEXT, TITLE, Design, Form
from toolkit.reports.deck.text import LINE, SMALL, TITLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["template_design"]

_TITLES: Final = (PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE)
_TEXTS: Final = (PP_PLACEHOLDER.OBJECT, PP_PLACEHOLDER.BODY)
_BELOW: Final = (PP_PLACEHOLDER.SUBTITLE, PP_PLACEHOLDER.BODY)
_BAND: Final = (PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER)
#: Points around texts, as PowerPoint has them if nobody says otherwise.
_INSET: Final = 14.4
#: Titles on slides that are less wide than this are smaller, if need be; the part of the area that an answer has.
_SMALLER, _BROAD, _ANSWER = (22, 20), Inches(11), 0.45
_COVER: Final = (40, 36, 32, 28, 26, 24)
#: What a file that is none raises while it is read.
_FAULTS: Final = (
    AttributeError,
    IndexError,
    KeyError,
    LxmlError,
    NotImplementedError,
    OSError,
    PythonPptxError,
    TypeError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
)
#: Parts of the slide: where a title begins at the latest, what the area has at least, where the line at the bottom
#: begins, and what a title has at most.
_UPPER, _WIDE, _HIGH, _LOW, _HEAD = 0.4, 0.5, 0.4, 0.75, 0.22
#: Marks beside the footer are smaller than this part of the slide.
_SMALLEST_MARK: Final = 0.1


def template_design(template: bytes) -> Design:
    """Return an empty presentation of a template's master and layouts.

    Raises
    ------
    InputError
        If it is no presentation, is encrypted or damaged, has macros, or has no layout with a title.
    """
    try:
        slides = Presentation(io.BytesIO(template))
        _check_kind(slides)
        _empty(slides)
        return _design(slides)
    except InputError:
        raise
    except _FAULTS as error:
        raise InputError(
            f"The template cannot be read as a presentation ({type(error).__name__}). Save it in PowerPoint as .pptx, "
            "without a password, and pass that file."
        ) from None


def _check_kind(slides: Any) -> None:
    if slides.part.content_type != CONTENT_TYPE.PML_PRESENTATION_MAIN:
        raise InputError("The template has macros. Save it in PowerPoint as a presentation without them (.pptx).")


def _empty(slides: Any) -> None:
    """Take the slides out, with all that names them."""
    listed = slides.slides._sldIdLst  # noqa: SLF001 - the library has no door to taking slides out
    for entry in list(listed):
        slides.part.drop_rel(entry.rId)
        listed.remove(entry)
    sheet = slides.part._element  # noqa: SLF001 - as above
    for name in ("p:custShowLst", "p:extLst"):  # shows and sections of slides that are gone
        for element in sheet.findall(qn(name)):
            sheet.remove(element)
    package = slides.part.package
    for part in list(package.iter_parts()):
        for link, relation in list(part.rels.items()):
            if relation.reltype == RELATIONSHIP_TYPE.SLIDE and not relation.is_external:
                _unlink(part, link)
    notes = [link for link, one in slides.part.rels.items() if one.reltype == RELATIONSHIP_TYPE.NOTES_MASTER]
    if notes and not any(
        holder.placeholder_format.type == PP_PLACEHOLDER.BODY for holder in slides.notes_master.placeholders
    ):
        # Notes could not be written on it, so the usual one takes its place.
        slides.part.rels.pop(notes[0])
        for element in sheet.findall(qn("p:notesMasterIdLst")):
            sheet.remove(element)


def _unlink(part: Any, link: str) -> None:
    part.rels.pop(link)
    for element in list(part._element.iter()):  # noqa: SLF001 - as above
        if element.get(qn("r:id")) == link:
            element.getparent().remove(element)


def _design(slides: Any) -> Design:
    masters = [master for master in slides.slide_masters if list(master.slide_layouts)]
    if not masters:
        raise InputError("The template has no layout. Pass a presentation with a title layout and one for contents.")
    master = next((one for one in masters if _content_layout(one) is not None), masters[0])
    layouts = list(master.slide_layouts)
    content = _content_layout(master) or _first(layouts, lambda layout: _holder(layout, _TITLES) is not None)
    if content is None:
        raise InputError("The template has no layout with a title. Add one in PowerPoint's slide master, and save it.")
    plain = _first(layouts, _is_title_only) or content
    cover = _first(layouts, _is_cover) or content
    divider = _first(layouts, lambda layout: layout._element.get("type") == "secHead") or plain  # noqa: SLF001 - as above
    grid = _grid(slides, content)
    return Design(
        slides,
        {
            "cover": _front(cover, grid, _BELOW),
            "divider": _front(divider, grid, ()),
            "answer": _answer(content, grid),
            "text": _form(content, grid, texts=True),
            "proof": _form(content, grid, texts=True, beside=True),
            "table": _form(plain, grid),
        },
        grid,
        look_of(master, content),
        _INSET,
    )


def _first(layouts: Iterable[Any], test: Callable[[Any], bool]) -> Any:
    return next((layout for layout in layouts if test(layout)), None)


def _holder(layout: Any, kinds: tuple[Any, ...]) -> Any:
    return next((one for one in layout.placeholders if one.placeholder_format.type in kinds), None)


def _inner(layout: Any) -> list[Any]:
    """Return the placeholders of a layout but its title and those at its edge."""
    return [one for one in layout.placeholders if one.placeholder_format.type not in (*_TITLES, *_BAND)]


def _content_layout(master: Any) -> Any:
    """Return the layout with a title and one large placeholder for contents."""
    fitting = [
        layout
        for layout in master.slide_layouts
        if _holder(layout, (PP_PLACEHOLDER.TITLE,)) is not None
        and [one.placeholder_format.type in _TEXTS for one in _inner(layout)] == [True]
    ]
    # A placeholder of any content is meant for this; one of text alone may be a caption.
    return max(fitting, key=_rank, default=None)


def _rank(layout: Any) -> tuple[bool, int]:
    one = _inner(layout)[0]
    return one.placeholder_format.type == PP_PLACEHOLDER.OBJECT, _box(one).width * _box(one).height


def _is_title_only(layout: Any) -> bool:
    return _holder(layout, (PP_PLACEHOLDER.TITLE,)) is not None and not _inner(layout)


def _is_cover(layout: Any) -> bool:
    return _holder(layout, (PP_PLACEHOLDER.CENTER_TITLE,)) is not None or (
        _holder(layout, _TITLES) is not None and _holder(layout, (PP_PLACEHOLDER.SUBTITLE,)) is not None
    )


def _box(shape: Any) -> Box:
    return Box(*(int(value or 0) for value in (shape.left, shape.top, shape.width, shape.height)))


def _grid(slides: Any, content: Any) -> Grid:
    """Return the grid of a template: its own places where they can be used, and the usual ones elsewhere."""
    width, height = int(slides.slide_width), int(slides.slide_height)
    usual = grid_of(width, height)
    title = _box(_holder(content, _TITLES))
    insets = _insets(_holder(content, _TITLES))
    # Two lines of the font that is meant are three of a wider one, where there is room for them.
    least = next((high for lines in (3, 2) if (high := _lines(lines) + insets) < height * _HEAD), _lines(2) + insets)
    if title.top > height * _UPPER or title.width < width * _WIDE or title.bottom > height * (_UPPER + 0.1):
        title = usual.title
    title = title._replace(height=max(title.height, least))
    number, footer = _band(content, usual, width, height)
    if number.top < footer.bottom and footer.top < number.bottom:
        number = number._replace(top=footer.top, height=footer.height)
    inner = _holder(content, _TEXTS)
    area = _box(inner) if inner is not None else usual.area
    top = max(area.top, title.bottom + height // 60)
    bottom = min(area.bottom, footer.top, *([number.top] if number.top > height * _LOW else []))
    area = Box(area.left, top, min(area.width, width - area.left), bottom - top)
    if area.width < width * _WIDE or area.height < height * _HIGH or area.left < 0:
        # What is below the title, as wide as the margins leave.
        area = Box(usual.area.left, top, usual.area.width, footer.top - height // 60 - top)
    return Grid(title, area, footer, number)


def _lines(number: int) -> int:
    return int(Pt(number * TITLES[-1] * LINE))


def _insets(shape: Any) -> int:
    frame = shape.text_frame
    return int(frame.margin_top + frame.margin_bottom)


def _band(content: Any, usual: Grid, width: int, height: int) -> tuple[Box, Box]:
    """Return where the slide's number and the source stand: as the template has them, side by side."""
    own = _holder(content, (PP_PLACEHOLDER.SLIDE_NUMBER,))
    number = _box(own) if own is not None else usual.number
    if not number.width or not number.height:
        number = usual.number
    narrow = min(number.width, usual.number.width)
    is_right = number.left + number.width // 2 > width // 2
    number = number._replace(left=number.right - narrow if is_right else number.left, width=narrow)
    is_below = number.top > height * _LOW
    below = _holder(content, (PP_PLACEHOLDER.FOOTER,))
    row = _box(below) if below is not None else number if is_below else usual.footer
    if row.top < height * _LOW or row.bottom > height:
        row = usual.footer
    left, right = usual.area.left, usual.area.right
    taken = [number] if is_below else []
    taken += [
        _box(shape)
        for page in (content, content.slide_master)
        for shape in page.shapes
        if not shape.is_placeholder and _box(shape).width * _box(shape).height < width * height * _SMALLEST_MARK
    ]
    row = row._replace(height=max(row.height, int(Pt(2 * SMALL * LINE)) + 1))
    row = row._replace(top=min(row.top, height - row.height))
    for other in taken:
        if other.meets(Box(left, row.top, right - left, row.height)):
            if other.left + other.width // 2 > width // 2:
                right = min(right, other.left - width // 100)
            else:
                left = max(left, other.right + width // 100)
    return number, Box(left, row.top, right - left, row.height)


def _holders(layout: Any, kinds: dict[str, tuple[Any, ...]]) -> dict[str, int]:
    found = {place: _holder(layout, types) for place, types in kinds.items()}
    return {place: one.placeholder_format.idx for place, one in found.items() if one is not None}


def _form(layout: Any, grid: Grid, *, texts: bool = False, beside: bool = False) -> Form:
    kinds = {TITLE: _TITLES, FOOTER: (PP_PLACEHOLDER.FOOTER,), NUMBER: (PP_PLACEHOLDER.SLIDE_NUMBER,)}
    boxes = {TITLE: grid.title, FOOTER: grid.footer, NUMBER: grid.number, "picture": grid.area}
    if texts:
        kinds[TEXT] = _TEXTS
        boxes[TEXT] = grid.area
    if beside:
        boxes |= {TEXT: grid.side, "picture": grid.picture}
    sizes = TITLES if grid.area.right > _BROAD else (*TITLES, *_SMALLER)
    return Form(layout, boxes, _holders(layout, kinds), sizes)


def _answer(layout: Any, grid: Grid) -> Form:
    """Return the form of the answer: its sentence may be longer than a title."""
    form = _form(layout, grid, texts=True)
    title = grid.title._replace(height=max(grid.title.height, int(grid.area.height * _ANSWER)))
    top = max(grid.area.top, title.bottom)
    area = Box(grid.area.left, top, grid.area.width, grid.area.bottom - top)
    return Form(form.layout, {**form.boxes, TITLE: title, TEXT: area}, form.holders, (*TITLES, *_SMALLER))


def _front(layout: Any, grid: Grid, below: tuple[Any, ...]) -> Form:
    """Return the form of a slide that has no more than a title, and perhaps a line below it."""
    holders = _holders(layout, {TITLE: _TITLES, TEXT: below} if below else {TITLE: _TITLES})
    boxes = {TITLE: _box(_holder(layout, _TITLES))}
    under = _holder(layout, below)
    room = Box(boxes[TITLE].left, boxes[TITLE].bottom, boxes[TITLE].width, grid.footer.top - boxes[TITLE].bottom)
    boxes[TEXT] = _box(under) if under is not None else room
    if NUMBER in _holders(layout, {NUMBER: (PP_PLACEHOLDER.SLIDE_NUMBER,)}) and not below:
        holders |= _holders(layout, {NUMBER: (PP_PLACEHOLDER.SLIDE_NUMBER,)})
        boxes[NUMBER] = _box(_holder(layout, (PP_PLACEHOLDER.SLIDE_NUMBER,)))
    return Form(layout, boxes, holders, _COVER)
