"""A report as one file of HTML: no server, no network, nothing beside it; its script only adds to what is there."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from statistics import mode
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from toolkit.interface.text import day
from toolkit.reports.brand import brand_of
from toolkit.reports.page.cards import card_ids, told
from toolkit.reports.page.grids import grid_of
from toolkit.reports.page.lines import Lines, lines_of
from toolkit.reports.page.rows import SHAPES, Rows, rows_of
from toolkit.reports.page.tables import FIRST, table_of
from toolkit.reports.page.theme import is_grey, style_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolkit.reports.brand import Brand
    from toolkit.reports.contents import Advice, Chart, Group, Part, Report, Table
    from toolkit.reports.page import grids, tables

__all__ = ["html_page", "picture_of", "templates", "text_of"]

#: What stands above each of `PARTS`.
_HEADINGS: Final = {
    "answer": "The answer",
    "proofs": "What stands out",
    "advice": "What to do",
    "changes": "What changed",
    "profile": "Profile",
    "groups": "Groups",
    "coverage": "Coverage and gaps",
    "leads": "Leads worth checking",
    "sites": "Sites",
    "methods": "Methods",
}
_ADVICE: Final = {"sites": "Sites to take", "audience": "Audience to name", "gap": "Gap to fill"}
#: With more letters than these in the names of its groups, they are chosen from a list rather than from a row.
_ROW_OF_GROUPS: Final = 180
_BESIDE_A_NAME: Final = 8
#: More parts than these stand in two columns.
_ONE_COLUMN: Final = 3


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart as it is drawn."""

    id: str
    chart: Chart
    drawn: Rows | grids.Grid | Lines


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the report, or an advice, with its chart and table as the page shows them."""

    id: str
    of: Part | Advice
    picture: Picture | None
    table: tables.Grid | None

    @property
    def is_appendix(self) -> bool:
        """Whether it stands behind the story."""
        return getattr(self.of, "is_appendix", False)


@dataclass(frozen=True, slots=True)
class Section:
    """All that stands under one of `PARTS`."""

    id: str
    heading: str
    pieces: tuple[Piece, ...] = ()
    #: What stands at the foot of most of its parts, or of all: it is said once.
    source: str = ""

    @property
    def is_many(self) -> bool:
        """Whether its parts stand in two columns where there is room."""
        return self.id != "advice" and sum(not piece.is_appendix for piece in self.pieces) > _ONE_COLUMN


class _Places:
    """Where groups and cards stand in the page."""

    def __init__(self, report: Report) -> None:
        self.report_groups = report.groups
        self.groups = {group.name: place for place, group in enumerate(report.groups)}
        self.cards = card_ids(card.site for card in report.cards)

    def table(self, table: Table | None) -> tables.Grid | None:
        return None if table is None else table_of(table, self.groups, self.cards)

    def picture(self, chart: Chart | None, name: str) -> Picture | None:
        return None if chart is None else picture_of(chart, self.report_groups, f"chart-{name}")

    def pieces(self, name: str, found: Sequence[Part | Advice]) -> tuple[Piece, ...]:
        pieces = []
        for number, one in enumerate(found, 1):
            place = f"{name}-{number}"
            pieces.append(Piece(place, one, self.picture(getattr(one, "chart", None), place), self.table(one.table)))
        return tuple(pieces)


def picture_of(chart: Chart, groups: Sequence[Group], name: str = "") -> Picture:
    """Return a chart as it is drawn, the groups in their colours; `name` is its place in a page."""
    colours = {group.name: group.color for group in groups}
    series = [
        replace(one, color=colours[one.label]) if one.label in colours and not one.is_rest else one
        for one in chart.series
    ]
    chart = replace(chart, series=tuple(series))
    draw: Any = {"heatmap": grid_of, "lines": lines_of}.get(chart.kind, rows_of)
    return Picture(name, chart, draw(chart, {group.name: place for place, group in enumerate(groups)}))


def html_page(report: Report, brand: Brand) -> str:
    """Return a report as a page of HTML that asks for nothing outside itself.

    Everything is in the page for readers without scripts.
    """
    brand = brand_of(brand)
    places = _Places(report)
    sections = [section for name in report.order if (section := _section(report, name, places))]
    pictures = [piece.picture for section in sections for piece in section.pieces if piece.picture]
    colours = {group.color for group in report.groups}
    colours |= {series.color for picture in pictures for series in picture.chart.series}
    style = f"{style_of(brand, colours)}\n{text_of('charts.css')}\n{text_of('page.css')}"
    script = text_of("page.js")
    letters = sum(len(group.name) + _BESIDE_A_NAME for group in report.groups)
    return (
        templates()
        .get_template("page.html")
        .render(
            report=report,
            sections=sections,
            methods=[places.table(table) for table in report.methods.tables],
            places=places,
            is_row=letters <= _ROW_OF_GROUPS,
            data=_data(report, pictures),
            style=Markup(style),  # noqa: S704 - the page's own, with colours and a font that were checked
            script=Markup(script),  # noqa: S704 - the page's own
            style_hash=_hash(style),
            script_hash=_hash(script),
            logo=f"data:{brand.media_type};base64,{base64.b64encode(brand.logo).decode()}" if brand.logo else "",
            date=day(report.at),
            shapes=SHAPES,
            kinds=_ADVICE,
        )
    )


def _section(report: Report, name: str, places: _Places) -> Section | None:
    if name == "advice":
        found: Sequence[Part | Advice] = report.advice
        feet = [""]
    else:
        parts = report.proofs if name == "proofs" else report.parts_of(name)
        # What is behind the story is folded, and stands below what is not.
        ordered = sorted(parts, key=lambda part: part.is_appendix)
        found, feet = ordered, [part.footer for part in ordered]
    if found or name == "methods" or (name == "answer" and report.answer.strip()):
        return Section(name, _HEADINGS[name], places.pieces(name, found), mode(feet) if all(feet) and feet else "")
    return None


def _data(report: Report, pictures: list[Picture]) -> dict[str, Any]:
    """Return what the script needs beyond the page's text."""
    rows = {
        one.id: {place: {"axis": own.axis, "rows": own.rows} for place, own in one.drawn.own.items()}
        for one in pictures
        if isinstance(one.drawn, Rows) and one.drawn.own
    }
    lines = {
        one.id: {"labels": [key.label for key in one.drawn.keys], "points": one.drawn.points}
        for one in pictures
        if isinstance(one.drawn, Lines)
    }
    groups = [
        {
            "name": group.name,
            "css": "" if is_grey(group.color) else f"c-{group.color.upper()}",
            "sites": group.sites,
        }
        for group in report.groups
    ]
    return {"groups": groups, "own": rows, "lines": lines, "first": FIRST}


@cache
def templates() -> Environment:
    """Return what makes HTML of the page's templates; all that is put in is escaped."""
    environment = Environment(
        loader=PackageLoader("toolkit.reports.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["told"] = told
    environment.globals["first"] = FIRST
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "ensure_ascii": False}
    environment.policies["json.dumps_function"] = json.dumps
    return environment


@cache
def text_of(name: str) -> str:
    """Return a file of the page's templates."""
    return (files("toolkit.reports.page") / "templates" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Return what a Content-Security-Policy calls a text that it allows."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
