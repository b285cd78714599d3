"""A report as a deck of slides: the answer, its proofs, what to do, and the evidence behind."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pandas as pd
from pptx.util import Emu, Pt

from toolkit.interface.text import counted
from toolkit.reports.contents import Column, Part, Table
from toolkit.reports.deck.boxes import Box
from toolkit.reports.deck.charts import add_bars, add_lines
from toolkit.reports.deck.dots import add_dots, add_slope
from toolkit.reports.deck.forms import PICTURE, TEXT
from toolkit.reports.deck.master import own_design
from toolkit.reports.deck.notes import notes_of_advice, notes_of_part, rows_in_words
from toolkit.reports.deck.package import packed
from toolkit.reports.deck.page import SIZES, Page
from toolkit.reports.deck.tables import add_heatmap, add_sheet, sheets_of
from toolkit.reports.deck.template import template_design
from toolkit.reports.deck.text import BODY, LINE, SMALL, Paragraph, fitted, tall, wide
from toolkit.reports.words import listing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolkit.reports.brand import Brand
    from toolkit.reports.contents import Chart, Report

__all__ = ["MARKS", "MOST_SLIDES", "deck"]

#: What stands before the words of a certainty.
MARKS: Final = {"clear": "●", "likely": "◐", "a lead": "○"}
#: Slides of the table of sites: the workbook has all of its rows. Another table has one, or those of the methods two.
MOST_SLIDES: Final = 8
_METHODS_SLIDES: Final = 2
_KINDS: Final = {"sites": "Sites", "audience": "Audience", "gap": "Gap"}
_COMPUTED, _LIMITS = "How the numbers are computed", "What this report cannot say"
_BASES: Final = {"inferred": "inferred, not measured", "measured": "measured on the pages"}
_DRAWN: Final = {"bars": add_bars, "dots": add_dots, "slope": add_slope, "lines": add_lines}
#: Columns of a matrix from which it takes the whole width, and the part of the height for a text below it.
_MANY, _STRIP = 6, 0.2
#: Points between the lead of a paragraph and its text.
_AFTER: Final = 14
#: Points between paragraphs beside a picture, in lists, of the answer, and between a picture and a text below it.
_BESIDE, _LISTED, _APART, _UNDER = 9, 14, 22, 10


def deck(report: Report, brand: Brand, template: bytes | None = None) -> bytes:
    """Return a report as a PowerPoint deck.

    Parameters
    ----------
    report : Report
        What it says.
    brand : Brand
        How it looks, where there is no template.
    template : bytes, optional
        A .pptx file, whose master, layouts, fonts and colours are used; its slides are not.

    Returns
    -------
    bytes
        A .pptx file, the same for the same report, brand and template.

    Raises
    ------
    InputError
        If the template is no presentation that can be used, or the brand's logo no picture.
    """
    design = own_design(brand) if template is None else template_design(template)
    writer = _Writer(design, report)
    writer.cover()
    behind: list[Part] = []
    for name in report.order:
        match name:
            case "answer":
                writer.answer()
            case "proofs":
                for part in report.proofs:
                    writer.part(part)
            case "advice":
                writer.advice()
            case _:
                parts = report.parts_of(name)
                behind += [part for part in parts if part.is_appendix or name == "sites"]
                writer.evidence([part for part in parts if not part.is_appendix and name != "sites"])
    has_methods = "methods" in report.order
    if (behind or has_methods) and len(design.slides.slides) > 1:
        writer.divider()
    writer.evidence(behind)
    if has_methods:
        writer.methods()
    return packed(design.slides, report)


class _Writer:
    """Adds slides to a deck."""

    def __init__(self, design: Any, report: Report) -> None:
        self.design = design
        self.report = report
        leads = [*map(_tag, MARKS), *_KINDS.values()]
        self.hang = int(Pt(max(wide(lead, BODY, bold=True) for lead in leads) + _AFTER))

    def cover(self) -> None:
        """Add the slide with the title."""
        report = self.report
        page = Page(self.design, "cover")
        page.title(report.title)
        texts = [Paragraph(report.client, bold=True), Paragraph(report.subtitle, space=6)]
        page.subtitle([one for one in texts if one.text])
        page.notes([report.title, report.client, report.subtitle])

    def divider(self) -> None:
        """Add the slide before the appendix."""
        page = Page(self.design, "divider")
        page.title("Appendix")
        page.footer("")
        page.notes(["What follows is for questions: the evidence, the sites and the methods."])

    def answer(self) -> None:
        """Add the slide with the answer in one sentence, and the proofs as short lines."""
        report = self.report
        proofs = report.proofs if "proofs" in report.order else ()
        page = Page(self.design, "answer")
        page.title(report.answer)
        page.text([Paragraph(part.title, _tag(part.certainty), hang=self.hang, space=_APART) for part in proofs])
        page.footer(report.subtitle)
        texts = [f"{part.certainty}: {part.title}" if part.certainty else part.title for part in proofs]
        page.notes([report.answer, *texts])

    def advice(self) -> None:
        """Add what to do, each with its reason."""
        given = self.report.advice
        if not given:
            return
        groups = [
            [
                Paragraph(one.what, _KINDS[one.kind], bold=True, hang=self.hang, space=_LISTED + 4),
                *([Paragraph(one.why, hang=self.hang, space=3)] if one.why else []),
            ]
            for one in given
        ]
        self.texts("What to do", groups, notes_of_advice(given), self.report.subtitle)

    def texts(self, title: str, groups: Sequence[Sequence[Paragraph]], notes: Sequence[str], footer: str = "") -> None:
        """Add slides of paragraphs: as many as needed, without tearing groups of them apart."""
        box = self.design.forms["text"].boxes[TEXT]
        width, height = Emu(box.width).pt - self.design.inset, Emu(box.height).pt - self.design.inset / 2
        pages: list[list[Paragraph]] = [[]]
        for group in groups:
            if pages[-1] and tall([*pages[-1], *group], width, BODY) > height:
                pages.append([])
            pages[-1] += group
        for place, paragraphs in enumerate(pages):
            page = Page(self.design, "text")
            page.title(title if len(pages) == 1 else f"{title} ({place + 1} of {len(pages)})")
            page.text(paragraphs)
            page.footer(footer)
            page.notes([title, *notes] if place == 0 else [title, *(one.text for one in paragraphs)])

    def evidence(self, parts: Sequence[Part]) -> None:
        """Add slides of parts; claims with nothing to show share one."""
        for part in parts:
            if part.chart is not None or part.text or (part.table is not None and len(part.table.frame)):
                self.part(part)
        leads = [part for part in parts if part.of == "leads" and not (part.chart or part.text or part.table)]
        if leads:
            groups = [
                [
                    Paragraph(part.title, _tag(part.certainty), hang=self.hang, space=_LISTED),
                    *([Paragraph(f"But: {part.against}", hang=self.hang, space=3)] if part.against else []),
                ]
                for part in leads
            ]
            notes = [text for part in leads for text in notes_of_part(part)]
            self.texts("Leads worth checking", groups, notes, self.report.subtitle)

    def part(self, part: Part) -> None:
        """Add one claim with its picture, or its table, or its text."""
        if part.chart is not None:
            self._picture(part, part.chart)
        elif part.table is not None and len(part.table.frame):
            most = MOST_SLIDES if part.of == "sites" else 1
            self.table(part, part.table, most)
        else:
            groups = [[paragraph] for paragraph in _beside(part)]
            self.texts(part.title, groups, notes_of_part(part)[1:], _footer(part))

    def _picture(self, part: Part, chart: Chart) -> None:
        # Nobody chooses a group on a slide, so the axis ends with what is drawn.
        chart = replace(chart, by_group=())
        side = _beside(part)
        is_wide = not side or (chart.kind == "heatmap" and len(chart.series) > _MANY)
        page = Page(self.design, "table" if is_wide else "proof")
        page.title(part.title)
        box = page.form.boxes[PICTURE]
        if chart.kind == "heatmap":
            strip = side if is_wide else []
            left = self._above(box, strip)
            line = int(Pt(SMALL * LINE * 2))
            shape, bottom = add_heatmap(page, chart, left._replace(height=left.height - line))
            page.hold(shape, "Matrix", chart.alt)
            key = Box(box.left, bottom + int(Pt(3)), box.width, line)
            page.below([Paragraph(_reading(chart))], key, (SMALL,))
            if strip:
                page.below(strip, Box(box.left, key.bottom, box.width, box.bottom - key.bottom))
        else:
            _DRAWN[chart.kind](page, chart, box, self.report.at)
        if not is_wide:
            page.text(side)
        page.footer(_footer(part))
        page.notes(notes_of_part(part))

    def _above(self, box: Box, paragraphs: Sequence[Paragraph]) -> Box:
        """Return what a text below leaves of a box."""
        if not paragraphs:
            return box
        width, most = Emu(box.width).pt, Emu(box.height).pt * _STRIP
        kept, size = fitted(paragraphs, width, most, SIZES)
        return box._replace(height=box.height - int(Pt(tall(kept, width, size) + _UNDER + 4)))

    def table(self, part: Part, table: Table, most: int) -> None:
        """Add slides with the rows of a table: as many as needed, up to a number that they tell."""
        box, texts = self.design.forms["table"].boxes[PICTURE], _beside(part)
        first = self._above(box, texts)
        sheets, unseen = sheets_of(table, [first, *[box] * (most - 1)])
        total, shown = len(table.frame), sum(len(sheet.rows) for sheet in sheets)
        for place, sheet in enumerate(sheets):
            page = Page(self.design, "table")
            page.title(part.title if len(sheets) == 1 else f"{part.title} ({place + 1} of {len(sheets)})")
            shape = add_sheet(page, sheet, first if place == 0 else box)
            page.hold(shape, "Table", table.caption)
            if place == 0 and texts:
                under = shape.top + sum(row.height for row in shape.table.rows) + int(Pt(_UNDER))
                page.below(texts, Box(box.left, under, box.width, box.bottom - under))
            said = []
            if len(sheets) > 1 or shown < total:
                said.append(f"Rows {sheet.first + 1:,} to {sheet.first + len(sheet.rows):,} of {total:,}")
            left = [counted(total - shown, "row")] * (shown < total and place == len(sheets) - 1)
            left += [counted(unseen, "column")] * bool(unseen)
            if left:
                said.append(f"{listing(left)} more in the workbook")
            page.footer(" · ".join([*said, _footer(part)]))
            notes = notes_of_part(part, with_rows=False) if place == 0 else [part.title]
            page.notes([*notes, table.caption, rows_in_words(sheet.headings, sheet.whole)])

    def methods(self) -> None:
        """Add how the findings were got."""
        methods = self.report.methods
        if methods.facts:
            facts = pd.DataFrame(methods.facts, columns=["name", "value"])
            columns = (Column("name", "What"), Column("value", "Value"))
            self._methods_table(Table("How these findings were got", facts, columns))
        parts = [(name, texts) for name, texts in ((_COMPUTED, methods.text), (_LIMITS, methods.limits)) if texts]
        if parts:
            groups = [
                [
                    *[Paragraph("", f"{name}.", space=_LISTED)] * (place == 0 and len(parts) > 1),
                    Paragraph(text, space=_BESIDE),
                ]
                for name, texts in parts
                for place, text in enumerate(texts)
            ]
            title = "Methods and limits" if len(parts) > 1 else parts[0][0]
            self.texts(title, groups, [text for _, texts in parts for text in texts], self.report.subtitle)
        for table in methods.tables:
            if len(table.frame):
                self._methods_table(table)

    def _methods_table(self, table: Table) -> None:
        part = Part("methods", "Methods", table.caption, table=table, footer=self.report.subtitle)
        self.table(part, table, _METHODS_SLIDES)


def _tag(certainty: str) -> str:
    return f"{MARKS[certainty]} {certainty}" if certainty in MARKS else certainty


def _beside(part: Part) -> list[Paragraph]:
    """Return what stands beside a picture: how sure it is, what it rests on, the text, and what speaks against it."""
    texts = [Paragraph(text, space=_BESIDE) for text in part.text]
    if part.certainty:
        basis = f"· {_BASES[part.basis]}" if part.basis else ""
        texts.insert(0, Paragraph(basis, _tag(part.certainty)))
    elif part.basis == "inferred":
        texts.insert(0, Paragraph("not measured", "Inferred,")) if texts else None
    if part.against and not any(_same(part.against, text) for text in part.text):
        texts.append(Paragraph(part.against, "But:", space=_BESIDE))
    return texts


def _same(one: str, other: str) -> bool:
    return one.strip(" .").casefold() == other.strip(" .").casefold()


def _footer(part: Part) -> str:
    """Return where the numbers are from; that they are inferred stands there too, for slides without a text."""
    basis = ["Inferred, not measured"] * (part.basis == "inferred")
    return " · ".join([*basis, part.footer] if part.footer else basis)


def _reading(chart: Chart) -> str:
    return f"{chart.axis}. Blue: more; orange: less." if chart.axis else "Blue: more; orange: less."
