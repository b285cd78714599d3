"""A report as a deck of slides: one finding a slide, with charts that PowerPoint can edit."""

from __future__ import annotations

import io
import textwrap
import zipfile
from typing import TYPE_CHECKING, Any, Final, cast

from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.oxml.ns import qn
from pptx.util import Emu, Inches, Pt

from toolkit.display import shortened
from toolkit.report_native import add_native

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from toolkit.report_contents import Methods, Report, Section, Table

__all__ = ["NO_CHROMIUM", "deck", "fitted"]

#: What stands on a slide in place of a picture.
NO_CHROMIUM: Final = (
    "PowerPoint has no chart of this kind, and there was no Chromium to draw a picture, so the table stands here."
)
_WIDTH, _HEIGHT = Inches(13.333), Inches(7.5)
_LEFT, _FULL = Inches(0.6), Inches(12.13)
_BLUE, _INK, _SOFT, _STRIPE, _WHITE = (
    cast("Any", RGBColor).from_string(color) for color in ("00507D", "1B1B1B", "4A4A4A", "F3F6F9", "FFFFFF")
)
#: Width of a letter and height of a line as parts of the type size: more than those of the usual fonts, so that a text
#: that is counted to fit does.
_LETTER: Final = 0.54
_LINE: Final = 1.25
_INSET: Final = Inches(0.05)
_ROWS: Final = 11
_ROW: Final = Inches(0.36)
_COLUMNS: Final = 5
_FACTS: Final = 12
_LEAST_TYPE: Final = 9
_MADE: Final = (1980, 1, 1, 0, 0, 0)


def deck(report: Report, pictures: Mapping[int, bytes] | None = None) -> bytes:
    """Write a report as a PowerPoint deck.

    Parameters
    ----------
    report : Report
        What it says.
    pictures : mapping of int to bytes, optional
        PNG pictures of sections, by the section's place from 0, for charts that PowerPoint does not have. Where one is
        missing a table stands with a note.

    Returns
    -------
    bytes
        The file. All that does not fit on a slide is in its notes.
    """
    drawn = pictures or {}
    slides = Presentation()
    _widen(slides)
    core = slides.core_properties
    core.title, core.subject, core.author = report.title[:255], report.subtitle[:255], "Audience toolkit"
    core.last_modified_by, core.revision, core.language = "Audience toolkit", 1, "en"
    core.created = core.modified = report.at
    _title_slide(slides, report)
    _summary_slides(slides, report)
    for place, section in enumerate(report.sections):
        _finding_slide(slides, section, drawn.get(place), report.at)
    _methods_slides(slides, report.methods)
    file = io.BytesIO()
    slides.save(file)
    return _undated(file.getvalue())


def fitted(text: str, width: int, height: int, largest: float, least: float = _LEAST_TYPE) -> tuple[str, float]:
    """Return a text and the type size at which it fits into a box, cut at its end if it fits at none.

    Parameters
    ----------
    text : str
        One paragraph.
    width, height : int
        Of the box, in EMU.
    largest, least : float
        Type sizes in points.

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


def _letters(width: int, size: float) -> int:
    return max(int((Emu(width).pt - 2 * _INSET.pt) / (size * _LETTER)), 1)


def _lines(text: str, width: int, size: float) -> int:
    return max(len(textwrap.wrap(text, _letters(width, size))), 1)


def _room(height: int, size: float) -> float:
    return float((Emu(height).pt - 2 * _INSET.pt) / (size * _LINE))


def _widen(slides: Any) -> None:
    """Make the slides 16:9, with the layouts that people will add slides of."""
    scale = _WIDTH / slides.slide_width
    slides.slide_width, slides.slide_height = _WIDTH, _HEIGHT
    for page in (slides.slide_master, *slides.slide_layouts):
        for shape in page.shapes:
            if shape._element.spPr.find(qn("a:xfrm")) is not None:  # noqa: SLF001 - others take the master's place
                shape.left, shape.width = int(shape.left * scale), int(shape.width * scale)


def _slide(slides: Any, title: str, kicker: str = "", largest: float = 28) -> Any:
    page = slides.slides.add_slide(slides.slide_layouts[5])
    bar = page.shapes.add_shape(MSO_SHAPE.RECTANGLE, 0, 0, Inches(0.18), _HEIGHT)
    bar.fill.solid()
    bar.fill.fore_color.rgb = _BLUE
    bar.line.fill.background()
    bar.name = "Edge"
    if kicker:
        _write(page, (_LEFT, Inches(0.35), _FULL, Inches(0.34)), [kicker], 14, color=_BLUE, name="About", bold=True)
    box = (_LEFT, Inches(0.68), _FULL, Inches(1.0))
    words, size = fitted(title, box[2], box[3], largest, 16)
    _place(page.shapes.title, box)
    _fill(page.shapes.title.text_frame, [words], size, _INK, bold=True)
    page.shapes.title.text_frame.vertical_anchor = MSO_ANCHOR.TOP
    return page


def _title_slide(slides: Any, report: Report) -> None:
    page = slides.slides.add_slide(slides.slide_layouts[0])
    band = page.shapes.add_shape(MSO_SHAPE.RECTANGLE, 0, 0, Inches(0.5), _HEIGHT)
    band.fill.solid()
    band.fill.fore_color.rgb = _BLUE
    band.line.fill.background()
    band.name = "Edge"
    shapes = (page.shapes.title, page.placeholders[1])
    boxes = ((Inches(1.2), Inches(2.0), Inches(11.2), Inches(2.2)), (Inches(1.2), Inches(4.4), Inches(11.2), Inches(1)))
    for shape, box, text, size, color in zip(
        shapes, boxes, (report.title, report.subtitle), (44, 20), (_INK, _SOFT), strict=True
    ):
        words, chosen = fitted(text, box[2], box[3], size, 12)
        _place(shape, box)
        _fill(shape.text_frame, [words], chosen, color, bold=shape is shapes[0])
    shapes[0].text_frame.vertical_anchor = MSO_ANCHOR.BOTTOM
    page.notes_slide.notes_text_frame.text = f"{report.title}\n{report.subtitle}"


def _summary_slides(slides: Any, report: Report) -> None:
    if not report.sections:
        return
    page = _slide(slides, "The findings in short")
    texts = [f"{section.name}: {section.title}" for section in report.sections]
    _write_fitted(page, (_LEFT, Inches(1.6), _FULL, Inches(5.4)), texts, 20, "Findings", space=8, lead=True)
    page.notes_slide.notes_text_frame.text = "\n".join(texts)


def _finding_slide(slides: Any, section: Section, picture: bytes | None, at: datetime) -> None:
    page = _slide(slides, section.title, section.name)
    chart = section.chart
    box: tuple[int, ...] = (_LEFT, Inches(1.8), Inches(8.5), Inches(4.95))
    remarks = []
    if chart is not None and not chart.picture:
        add_native(page, chart, box, "Chart", at)
    elif chart is not None and picture is not None:
        _add_picture(page, picture, box, chart.alt)
    elif section.table is not None and not section.table.frame.empty:
        _add_table(page, section.table, box)
        remarks = [NO_CHROMIUM] if chart is not None else []
    else:
        box = (_LEFT, box[1], 0, box[3])
    left = box[0] + box[2] + (Inches(0.35) if box[2] else 0)
    side = (left, Inches(1.8), _LEFT + _FULL - left, Inches(4.95))
    _write_fitted(page, side, [*section.text, *remarks], 16, "What was found")
    if section.footer:
        _footer(page, section.footer)
    notes = [section.title, *section.text, *section.notes, *remarks, section.footer]
    page.notes_slide.notes_text_frame.text = "\n\n".join(text for text in notes if text)


def _methods_slides(slides: Any, methods: Methods) -> None:
    facts = list(methods.facts)
    for first in range(0, len(facts), _FACTS):
        page = _slide(slides, "How these findings were got", "Methods")
        part = facts[first : first + _FACTS]
        _add_facts(page, part)
        page.notes_slide.notes_text_frame.text = "\n".join(f"{name}: {value}" for name, value in part)
    for title, texts in (
        ("How the numbers are computed", methods.text),
        ("What this report cannot say", methods.limits),
    ):
        if texts:
            page = _slide(slides, title, "Methods")
            listed = [f"•  {text}" for text in texts]
            _write_fitted(page, (_LEFT, Inches(1.75), _FULL, Inches(5.3)), listed, 16, title)
            page.notes_slide.notes_text_frame.text = "\n\n".join(texts)
    for table in methods.tables:
        if not table.frame.empty:
            page = _slide(slides, table.caption, "Methods", largest=24)
            _add_table(page, table, (_LEFT, Inches(1.8), _FULL, Inches(4.95)))
            page.notes_slide.notes_text_frame.text = "\n".join(": ".join(row) for row in table.rows())


def _add_picture(page: Any, picture: bytes, box: Sequence[int], alt: str) -> None:
    shape = page.shapes.add_picture(io.BytesIO(picture), box[0], box[1], width=box[2])
    if shape.height > box[3]:
        shape.width, shape.height = int(shape.width * box[3] / shape.height), box[3]
    shape.name = "Picture"
    shape._element.nvPicPr.cNvPr.set("descr", alt)  # noqa: SLF001 - the library has no door to alt text


def _add_table(page: Any, table: Table, box: Sequence[int]) -> None:
    columns = table.read[:_COLUMNS]
    rows = [row[:_COLUMNS] for row in table.rows(_ROWS)]
    shape = page.shapes.add_table(len(rows) + 1, len(columns), box[0], box[1], box[2], _ROW * (len(rows) + 1))
    shape.name = "Table"
    shape._element.nvGraphicFramePr.cNvPr.set("descr", table.caption)  # noqa: SLF001 - as above
    grid = shape.table
    wanted = [min(max(map(len, cells)), 48) + 3 for cells in zip([c.heading for c in columns], *rows, strict=True)]
    for place, share in enumerate(wanted):
        grid.columns[place].width = int(box[2] * share / sum(wanted))
    for number, row in enumerate([[column.heading for column in columns], *rows]):
        grid.rows[number].height = _ROW
        for place, text in enumerate(row):
            cell = grid.cell(number, place)
            words, size = fitted(text, grid.columns[place].width - Inches(0.16), _ROW - Inches(0.04), 13, 11)
            cell.margin_left = cell.margin_right = Inches(0.08)
            cell.margin_top = cell.margin_bottom = Inches(0.02)
            cell.vertical_anchor = MSO_ANCHOR.MIDDLE
            cell.fill.solid()
            cell.fill.fore_color.rgb = _BLUE if number == 0 else _STRIPE if number % 2 else _WHITE
            _fill(cell.text_frame, [words], size, _WHITE if number == 0 else _INK, bold=number == 0)
    if len(table.frame) > _ROWS:
        more = (box[0], box[1] + _ROW * (len(rows) + 1) + Inches(0.05), box[2], Inches(0.4))
        _write_fitted(page, more, [table.left_out(_ROWS)], 11, "Rows left out", color=_SOFT)


def _add_facts(page: Any, facts: Sequence[tuple[str, str]]) -> None:
    top, height = Inches(1.75), Inches(5.35) // max(len(facts), 6)
    wide = _FULL - Inches(3.2)
    size = min(fitted(value, wide, height, 14)[1] for _, value in facts)
    for number, (name, value) in enumerate(facts):
        row = top + number * height
        _write_fitted(page, (_LEFT, row, Inches(3.1), height), [name], size, f"Name {number + 1}", bold=True)
        _write_fitted(page, (_LEFT + Inches(3.2), row, wide, height), [value], size, f"Value {number + 1}")


def _footer(page: Any, text: str) -> None:
    _write_fitted(page, (_LEFT, Inches(6.82), _FULL, Inches(0.5)), [text], 12, "Footer", color=_SOFT)


def _write_fitted(
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
    _write(page, box, kept, size, name=name, space=space, **style)


def _needed(texts: Iterable[str], width: int, size: float) -> float:
    return sum(_lines(text, width, size) for text in texts) * size * _LINE


def _write(page: Any, box: Sequence[int], texts: Sequence[str], size: float, *, name: str, **style: Any) -> None:
    shape = page.shapes.add_textbox(*box)
    shape.name = name
    _fill(shape.text_frame, texts, size, style.pop("color", _INK), **style)


def _place(shape: Any, box: Sequence[int]) -> None:
    shape.left, shape.top, shape.width, shape.height = box


def _fill(
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
        for part, strong, ink in ((head + colon, True, _BLUE), (rest, bold, color)):
            if part:
                run = paragraph.add_run()
                run.text = part
                run.font.size, run.font.bold, run.font.color.rgb = Pt(size), strong, ink


def _undated(file: bytes) -> bytes:
    """Return the same package without the time at which it was written."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(file)) as old, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(name, _MADE), old.read(name), zipfile.ZIP_DEFLATED)
    return written.getvalue()
