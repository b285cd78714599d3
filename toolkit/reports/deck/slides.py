"""A report as a deck of slides: the answer, its proofs, what to do, and the evidence behind."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pandas as pd
from pptx.util import Emu, Pt

from toolkit.findings.insights.common import NEXT
from toolkit.findings.insights.sentences import PERCENT_FROM
from toolkit.interface.text import counted
from toolkit.reports.contents import Column, Part, Table
from toolkit.reports.deck.boxes import Box
from toolkit.reports.deck.charts import BELOW, NAME_EDGE, NAMES, ROW, add_bars, add_lines
from toolkit.reports.deck.dots import add_dots, add_slope
from toolkit.reports.deck.forms import PICTURE, TEXT, TITLE
from toolkit.reports.deck.master import own_design
from toolkit.reports.deck.notes import notes_of_advice, notes_of_part, rows_in_words
from toolkit.reports.deck.package import packed
from toolkit.reports.deck.page import SIZES, Page
from toolkit.reports.deck.tables import add_heatmap, add_sheet, least_height, sheets_of
from toolkit.reports.deck.template import template_design
from toolkit.reports.deck.text import BODY, LINE, SMALL, Paragraph, fitted, lines_of, name_cut, tall, together, wide
from toolkit.reports.words import lowered, said, sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolkit.reports.brand import Brand
    from toolkit.reports.contents import Advice, Chart, Report

__all__ = ["MARKS", "MOST_SLIDES", "deck"]

#: What stands before the words of a certainty.
MARKS: Final = {"clear": "●", "likely": "◐", "a lead": "○"}
_POINT: Final = "•"
#: What is told before the appendix.
_STORY: Final = frozenset({"answer", "proofs", "advice", "changes"})
#: Slides of the table of sites: the workbook has all of its rows. Another table has one, or those of the methods two.
MOST_SLIDES: Final = 8
_METHODS_SLIDES: Final = 2
#: Lines of a cell there: values are whole sentences.
_METHODS_LINES: Final = 6
#: A claim takes so many lines. What stands behind these goes beside the picture where it takes more, unless what is
#: left of it is shorter than this.
_CLAIM: Final = 2
_BREAKS, _LEAST_CLAIM = (NEXT, "; ", ": "), 40
#: How charts say how many sites a bar stands for, and what their axis is then called.
_TIP: Final = re.compile(r"([\d,]+) of ([\d,]+) sites?$")
_SHARE: Final = re.compile(r"^Share of ([\d,]+) sites?(.*), %$")
_ASIDE: Final = re.compile(r"^(.*?)( \([^()]*\))?\.?$")
_SEEN: Final = "Seen at "
_NAMES_END: Final = re.compile(r"(?<=,) | (?=and )")
#: Points above a line that goes on with a list: without any, a layout has its own.
_TIGHT: Final = 0.5
_KINDS: Final = {"sites": "Sites", "audience": "Audience", "gap": "Gap"}
_COMPUTED, _LIMITS = "How the numbers are computed", "What this report cannot say"
_BASES: Final = {"inferred": "inferred, not measured", "measured": "measured on the pages"}
_DRAWN: Final = {"bars": add_bars, "dots": add_dots, "slope": add_slope, "lines": add_lines}
#: Columns of a matrix from which it takes the whole width, and the part of the height for a text below it.
_MANY, _STRIP = 6, 0.2
#: Two pictures stand on a slide if they have so many rows at most: the part of its width between them, the size of
#: what stands below them, and points that a row has at least.
_FEW, _BETWEEN, _SIDE, _LEAST_ROW = 6, 0.04, 14, 20.0
#: Points that the name of a site has within a sentence.
_NAME: Final = 320.0
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

    Examples
    --------
    >>> from datetime import datetime
    >>> from toolkit.reports.brand import PLAIN
    >>> from toolkit.reports.contents import Methods, Report
    >>> at = datetime(2026, 11, 22)
    >>> report = Report("Kites", "", "30 sites", at, "A list of kites.", (), (), (), Methods())
    >>> deck(report, PLAIN) == deck(report, PLAIN)
    True
    """
    design = own_design(brand) if template is None else template_design(template)
    writer = _Writer(design, report)
    writer.cover()
    # What stands behind the last part of the story is the appendix, and there the least comes last.
    ends = max((place for place, name in enumerate(report.order) if name in _STORY), default=-1)
    for name in report.order[: ends + 1]:
        writer.chapter(name)
    behind = report.order[ends + 1 :]
    if len(design.slides.slides) > 1 and any(map(writer.has, behind)):
        writer.divider()
    parts = [part for name in behind for part in report.parts_of(name) if not part.is_null]
    writer.evidence([part for part in parts if not part.is_appendix])
    writer.evidence([part for part in parts if part.is_appendix])
    if "methods" in behind:
        writer.methods()
    return packed(design.slides, report)


class _Writer:
    """Adds slides to a deck."""

    def __init__(self, design: Any, report: Report) -> None:
        self.design = design
        self.report = report
        leads = [*map(_tag, MARKS), *_KINDS.values()]
        self.hang = int(Pt(max(wide(lead, BODY, bold=True) for lead in leads) + _AFTER))

    def has(self, name: str) -> bool:
        """Tell whether there is anything to show of a part."""
        methods = self.report.methods
        told = (methods.facts, methods.text, methods.limits, methods.tables) if name == "methods" else ()
        return any(told) or not all(part.is_null for part in self.report.parts_of(name))

    def chapter(self, name: str) -> None:
        """Add the slides of one of the report's parts."""
        match name:
            case "answer":
                self.answer()
            case "proofs":
                for part in self.report.proofs:
                    self.part(part)
            case "advice":
                self.advice()
            case "methods":
                self.methods()
            case _:
                self.evidence([part for part in self.report.parts_of(name) if not part.is_null])

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
        if not report.answer.strip():
            return
        proofs = report.proofs if "proofs" in report.order else ()
        page = Page(self.design, "answer")
        title, claims = _once(report.answer, [part.title for part in proofs])
        page.title(title)
        # What claims nothing beyond the list has no certainty; a point stands in its place.
        leads = [_tag(part.certainty) or _POINT for part in proofs]
        hang = self.hang if any(part.certainty for part in proofs) else int(Pt(wide(_POINT, BODY, bold=True) + _AFTER))
        texts = zip(claims, leads, strict=True)
        page.text([Paragraph(claim, lead, hang=hang, space=_APART) for claim, lead in texts])
        page.footer(report.subtitle)
        said = [f"{part.certainty}: {part.title}" if part.certainty else part.title for part in proofs]
        page.notes([report.answer, *said])

    def advice(self) -> None:
        """Add what to do, each with its reason."""
        given = self.report.advice
        if not given:
            return
        groups = [
            [
                Paragraph(_with_short_names(one), _KINDS[one.kind], bold=True, hang=self.hang, space=_LISTED + 4),
                *([Paragraph(one.why, hang=self.hang, space=3)] if one.why else []),
            ]
            for one in given
        ]
        self.texts("What to do", groups, notes_of_advice(given), self.report.subtitle)

    def texts(self, title: str, groups: Sequence[Sequence[Paragraph]], notes: Sequence[str], footer: str = "") -> None:
        """Add slides of paragraphs: as few as can be, in the largest type, without tearing groups of them apart."""
        box = self.design.forms["text"].boxes[TEXT]
        room = Emu(box.width).pt - self.design.inset, Emu(box.height).pt - self.design.inset / 2
        pages, size = min(((_paged(groups, *room, size), size) for size in SIZES), key=lambda one: len(one[0]))
        for place, paragraphs in enumerate(pages):
            page = Page(self.design, "text")
            page.title(_numbered(title, place, len(pages)))
            page.text(paragraphs, sizes=[one for one in SIZES if one <= size])
            page.footer(footer)
            page.notes([title, *notes] if place == 0 else [title, *(one.text for one in paragraphs)])

    def evidence(self, parts: Sequence[Part]) -> None:
        """Add slides of parts; claims with nothing to show share one."""
        small = [part for part in parts if _is_small(part)]
        second = dict(zip(map(id, small[::2]), small[1::2], strict=False))
        told: set[int] = set()
        for part in parts:
            if id(part) in told:
                continue
            other = second.get(id(part))
            if other is not None and self._pair((part, other)):
                told.add(id(other))
            elif part.chart is not None or part.text or (part.table is not None and len(part.table.frame)):
                self.part(part)
        leads = [part for part in parts if part.of == "leads" and not (part.chart or part.text or part.table)]
        if leads:
            groups = [
                [
                    Paragraph(part.title, _tag(part.certainty), hang=self.hang, space=_LISTED),
                    *([Paragraph(f"But: {part.doubts}", hang=self.hang, space=3)] if part.doubts else []),
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
            short = self._short(part)
            groups = [[paragraph] for paragraph in _beside(short)]
            self.texts(short.title, groups, notes_of_part(part)[1:], _footer(part))

    def _short(self, part: Part) -> Part:
        """Return a part whose claim is a title of the usual size; what does not fit stands before its text."""
        form = self.design.forms["proof"]
        width = Emu(form.boxes[TITLE].width).pt - self.design.inset

        for size in form.sizes:
            for between in ("", *_BREAKS):
                claim, _, rest = part.title.partition(between) if between else (part.title, "", "")
                rest = f"{between.lstrip(', ')}{rest}" if rest and between == NEXT else rest
                is_short = len(lines_of(together(claim), width, size, bold=True)) <= _CLAIM
                if is_short and not between:
                    return part
                if is_short and rest and len(claim) >= _LEAST_CLAIM:
                    return replace(part, title=f"{claim}.", text=(f"{rest[:1].upper()}{rest[1:]}", *part.text))
        return part

    def _picture(self, part: Part, chart: Chart) -> None:
        chart = _bare(chart)
        short = self._short(part)
        side = _beside(short)
        is_wide = not side or (chart.kind == "heatmap" and len(chart.series) > _MANY)
        page = Page(self.design, "table" if is_wide else "proof")
        page.title(short.title)
        if chart.kind == "heatmap":
            top, has_key, has_text = self._matrix(page, chart, side if is_wide else [])
            footer = _footer(part, is_told=has_text or not is_wide)
            footer = footer if has_key else f"{_reading(chart)} {footer}"
        else:
            top = _DRAWN[chart.kind](page, chart, page.form.boxes[PICTURE], self.report.at).top
            footer = _footer(part, is_told=bool(side))
        if not is_wide:
            page.beside([line for text in side for line in _a_site_a_line(text)], top)
        page.footer(footer)
        page.notes(notes_of_part(part))

    def _pair(self, parts: tuple[Part, Part]) -> bool:
        """Add two small pictures side by side, each below its claim; return whether there was room for both."""
        page_box = self.design.forms["table"].boxes[PICTURE]
        gap = int(page_box.width * _BETWEEN)
        width = (page_box.width - gap) // 2
        columns = [page_box._replace(left=page_box.left + place * (width + gap), width=width) for place in range(2)]
        charts = [_bare(part.chart) for part in parts if part.chart is not None]
        claims = [[Paragraph(together(part.title), bold=True)] for part in parts]
        texts = [_beside(part) or _basis(part) for part in parts]
        shared = [one for one in texts[0] if any(one.whole == other.whole for other in texts[1])]
        own = [[one for one in given if all(one.whole != other.whole for other in shared)] for given in texts]
        across = _in_one(shared)
        points, broad = Emu(width).pt, Emu(page_box.width).pt
        above = max(tall(claim, points, BODY) for claim in claims) + _UNDER
        under = max(tall(given, points, _SIDE) for given in own)
        last = tall(across, broad, _SIDE)
        rows = max(len(chart.frame) for chart in charts)
        free = Emu(page_box.height).pt - above - sum(high + _UNDER for high in (under, last) if high) - BELOW
        row = min(free / rows, ROW)
        names = [str(name) for chart in charts for name in chart.frame[chart.labels]]
        lines = 2 if row > 2 * SMALL * LINE + 2 else 1
        is_cut = any(len(lines_of(name, points * NAMES - NAME_EDGE, SMALL)) > lines for name in names)
        if row < _LEAST_ROW or is_cut:
            return False
        page = Page(self.design, "table")
        first, second = (_leading(part, chart) for part, chart in zip(parts, charts, strict=True))
        page.title(f"{first}; {lowered(second)}.")
        top = page_box.top + int(Pt(above))
        bottom = top + int(Pt(row * rows + BELOW + _UNDER))
        for column, claim, chart, given in zip(columns, claims, charts, own, strict=True):
            page.below(claim, column._replace(height=int(Pt(above))), (BODY,), is_told=True)
            high = int(Pt(row * len(chart.frame) + BELOW))
            add_bars(page, chart, column._replace(top=top, height=high), self.report.at)
            if given:
                page.below(given, column._replace(top=bottom, height=int(Pt(under)) + 1), (_SIDE,), is_told=True)
        if across:
            under_all = bottom + int(Pt(under + _UNDER)) * bool(under)
            page.below(across, page_box._replace(top=under_all, height=int(Pt(last)) + 1), (_SIDE,), is_told=True)
        page.footer(_footers(parts))
        page.notes([text for part in parts for text in notes_of_part(part)])
        return True

    def _matrix(self, page: Page, chart: Chart, texts: Sequence[Paragraph]) -> tuple[int, bool, bool]:
        """Add a matrix, with how to read it and texts below.

        Return where it begins, and whether there was room to say how to read it, and for the texts.
        """
        box, line = page.form.boxes[PICTURE], int(Pt(SMALL * LINE * 2))
        strip = _in_one(texts)
        above = self._above(box, strip)
        # All cells are shown: where there is not room for texts too, the notes have them.
        if Emu(above.height - line).pt < least_height(chart):
            above, strip = box, []
        has_key = Emu(above.height - line).pt >= least_height(chart)
        shape, bottom = add_heatmap(page, chart, above._replace(height=above.height - line * has_key))
        page.hold(shape, "Matrix", chart.alt)
        if not strip:
            down = max(box.bottom - bottom - line * has_key, 0) // 2
            shape.top, bottom = shape.top + down, bottom + down
        key = Box(box.left, bottom + int(Pt(3)), box.width, line)
        if has_key:
            lead = f"{texts[0].lead} ·" if texts and texts[0].lead and not strip else ""
            page.below([Paragraph(_reading(chart), lead)], key, (SMALL,))
        if strip:
            page.below(strip, Box(box.left, key.bottom, box.width, box.bottom - key.bottom))
        return shape.top, has_key, bool(strip)

    def _above(self, box: Box, paragraphs: Sequence[Paragraph]) -> Box:
        """Return what a text below leaves of a box."""
        if not paragraphs:
            return box
        width, most = Emu(box.width).pt, Emu(box.height).pt * _STRIP
        kept, size = fitted(paragraphs, width, most, SIZES)
        return box._replace(height=box.height - int(Pt(tall(kept, width, size) + _UNDER + 4)))

    def table(self, part: Part, table: Table, most: int, **lines: int) -> None:
        """Add slides with the rows of a table: as many as needed, up to a number that they tell."""
        short = self._short(part)
        box = self.design.forms["table"].boxes[PICTURE]
        texts = _whole(_beside(short), Emu(box.width).pt, Emu(box.height).pt * _STRIP)
        first = self._above(box, texts)
        sheets, unseen = sheets_of(table, [first, *[box] * (most - 1)], **lines)
        is_slight = len(sheets) == 1 and bool(texts) and len(sheets[0].rows) <= _FEW
        if is_slight:
            # A few rows are no wall: what they mean comes first, and they have air.
            high = int(Pt(tall(texts, Emu(box.width).pt, BODY) + 1))
            first = box._replace(top=box.top + high + int(Pt(_APART)), height=box.height - high - int(Pt(_APART)))
            sheets = [sheets[0].airy(Emu(first.height).pt)]
        total, shown = len(table.frame), sum(len(sheet.rows) for sheet in sheets)
        for place, sheet in enumerate(sheets):
            page = Page(self.design, "table")
            page.title(_numbered(short.title, place, len(sheets)))
            shape = add_sheet(page, sheet, first if place == 0 else box)
            page.hold(shape, "Table", table.caption)
            if is_slight:
                page.below(texts, box._replace(height=high), is_told=True)
            elif place == 0 and texts:
                under = shape.top + sum(row.height for row in shape.table.rows) + int(Pt(_UNDER))
                page.below(texts, Box(box.left, under, box.width, box.bottom - under))
            said = []
            if len(sheets) > 1 or shown < total:
                rest = ", the rest in the workbook" * (shown < total and place == len(sheets) - 1)
                said.append(f"Rows {sheet.first + 1:,} to {sheet.first + len(sheet.rows):,} of {total:,}{rest}")
            if unseen:
                said.append(f"{counted(unseen, 'column')} more in the workbook")
            page.footer(" · ".join([*said, _footer(part, is_told=bool(texts) and place == 0)]))
            notes = notes_of_part(part, with_rows=False) if place == 0 else [part.title]
            page.notes([*notes, table.caption, rows_in_words(sheet.headings, sheet.whole)])

    def methods(self) -> None:
        """Add how the findings were made."""
        methods = self.report.methods
        if methods.facts:
            facts = pd.DataFrame(methods.facts, columns=["name", "value"])
            columns = (Column("name", "What"), Column("value", "Value"))
            self._methods_table(Table("How these findings were made", facts, columns))
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
        self.table(part, table, _METHODS_SLIDES, lines=_METHODS_LINES)


def _once(answer: str, claims: Sequence[str]) -> tuple[str, list[str]]:
    """Return the answer and the claims below it as a slide has them: what the answer ends with is not said twice.

    >>> _once("A list of kites; all fly (inferred).", ["All fly.", "Some sing."])
    ('A list of kites.', ['All fly (inferred).', 'Some sing.'])
    """
    whole = list(claims)
    about, _, out = answer.partition("; ")
    told, aside = found.groups(default="") if (found := _ASIDE.match(out)) else ("", "")
    for place, claim in enumerate(claims):
        if told and claim.casefold().startswith(told.casefold()):
            whole[place] = f"{claim.rstrip('.')}{aside}." if aside else claim
            return f"{about}.", whole
    return answer, whole


def _leading(part: Part, chart: Chart) -> str:
    """Return what most have of what a small picture shows, in few words: the claim itself stands above it."""
    [series, *_] = chart.series
    values = chart.frame[series.name].astype(float)
    first = int(values.to_numpy().argmax())
    label = str(chart.frame[chart.labels].iloc[first])
    # A name keeps its capitals, as it does in the claim.
    word = lowered(label) if lowered(label) in part.title else label
    some = said(values.iloc[first], chart.form)
    if chart.form == "whole" and part.chart is not None:
        some = str(part.chart.frame[part.chart.tips].iloc[first]).rpartition(" ")[0]
    return f"{part.name}: most often {word} ({some})"


def _tag(certainty: str) -> str:
    return f"{MARKS[certainty]} {certainty}" if certainty in MARKS else certainty


def _beside(part: Part) -> list[Paragraph]:
    """Return what stands beside a picture: how sure it is, what it rests on, the text, and what speaks against it."""
    texts = [Paragraph(text, space=_BESIDE) for text in part.text]
    if part.certainty:
        basis = f"· {_BASES[part.basis]}" if part.basis else ""
        texts.insert(0, Paragraph(basis, _tag(part.certainty)))
    elif texts:
        texts = [*_basis(part), *texts]
    if part.doubts and not any(_same(part.doubts, text) for text in part.text):
        texts.append(Paragraph(part.doubts, "But:", space=_BESIDE))
    return texts


def _a_site_a_line(one: Paragraph) -> list[Paragraph]:
    """Return a paragraph that lists sites with each in its own line: programs break names where they have a hyphen.

    >>> [line.text for line in _a_site_a_line(Paragraph("Seen at a-b.example, c.example and 2 more."))]
    ['Seen at', 'a-b.example,', 'c.example', 'and 2 more.']
    """
    if not one.text.startswith(_SEEN) or "-" not in one.text:
        return [one]
    first, *others = _NAMES_END.split(one.text.removeprefix(_SEEN))
    return [replace(one, text=_SEEN.strip()), *(Paragraph(name, space=_TIGHT) for name in (first, *others))]


def _basis(part: Part) -> list[Paragraph]:
    return [Paragraph("not measured", "Inferred,")] if part.basis == "inferred" else []


def _is_small(part: Part) -> bool:
    """Return whether two such parts stand on one slide."""
    return (
        part.of == "profile" and part.chart is not None and part.chart.kind == "bars" and len(part.chart.frame) <= _FEW
    )


def _bare(chart: Chart) -> Chart:
    """Return a chart as slides have it.

    Nobody chooses a group on a slide, so the axis ends with what is drawn. Intervals would cross the values of bars:
    the notes and the workbook have them.
    """
    chart = replace(chart, by_group=())
    if chart.kind != "bars":
        return chart
    return _in_counts(replace(chart, series=tuple(replace(one, low="", high="") for one in chart.series)))


def _in_counts(chart: Chart) -> Chart:
    """Return bars of shares of few sites as how many sites these are, as their claim says it."""
    found = [_TIP.match(str(tip)) for tip in chart.frame[chart.tips]] if chart.tips else []
    told = [(int(one[1].replace(",", "")), int(one[2].replace(",", ""))) for one in found if one]
    bases = {of for _, of in told}
    if chart.form != "percent" or len(chart.series) > 1 or len(told) < len(chart.frame) or len(bases) != 1:
        return chart
    if max(bases) >= PERCENT_FROM:
        return chart
    frame = chart.frame.assign(**{chart.series[0].name: [float(count) for count, _ in told]})
    axis = _SHARE.sub(lambda share: f"Number of the {share[1]} sites{share[2]}", chart.axis)
    return replace(chart, frame=frame, form="whole", tips="", axis=axis)


def _with_short_names(advice: Advice) -> str:
    """Return what to do, with names of sites that are not longer than is read at a glance: the notes have them."""
    text = advice.what
    for site in sorted(advice.sites, key=len, reverse=True):
        text = text.replace(site, name_cut(site, _NAME, BODY, bold=True))
    return text


def _paged(groups: Sequence[Sequence[Paragraph]], width: float, height: float, size: int) -> list[list[Paragraph]]:
    """Return which paragraphs stand on which slide at a size."""
    pages: list[list[Paragraph]] = [[]]
    for group in groups:
        if pages[-1] and tall([*pages[-1], *group], width, size) > height:
            pages.append([])
        pages[-1] += group
    return pages


def _numbered(title: str, place: int, of: int) -> str:
    """Return the title of one slide of several."""
    return title if of == 1 else f"{title.rstrip('.')} ({place + 1} of {of})"


def _whole(paragraphs: Sequence[Paragraph], width: float, height: float) -> list[Paragraph]:
    """Return the first paragraphs that a strip has room for: below a table none is cut, as the table tells the rest."""
    kept = list(paragraphs)
    while len(kept) > 1 and tall(kept, width, SIZES[-1]) > height:
        kept.pop()
    return kept


def _in_one(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """Return paragraphs as one, for a strip that has few lines."""
    if not paragraphs:
        return []
    first, *others = paragraphs
    text = " ".join([f"{sentence(first.text)}" if first.text else "", *(one.whole for one in others)])
    return [Paragraph(text.strip(), first.lead)]


def _same(one: str, other: str) -> bool:
    return one.strip(" .").casefold() == other.strip(" .").casefold()


def _footer(part: Part, *, is_told: bool = False) -> str:
    """Return where the numbers are from, and that they are inferred, where no text of the slide has told it."""
    basis = ["Inferred, not measured"] * (part.basis == "inferred" and not is_told)
    return " · ".join([*basis, part.footer] if part.footer else basis)


def _footers(parts: Sequence[Part]) -> str:
    """Return where the numbers of several parts are from: what holds for all, and what for one with its name."""
    told = [part.footer.split(" · ") for part in parts]
    shared = [text for text in told[0] if all(text in texts for texts in told)]
    own = [
        f"{part.name}: {text}" for part, texts in zip(parts, told, strict=True) for text in texts if text not in shared
    ]
    return " · ".join([*shared, *own])


def _reading(chart: Chart) -> str:
    return f"{chart.axis}. Blue: more; orange: less." if chart.axis else "Blue: more; orange: less."
