"""A report as one page that needs nothing else: no server, no network, no other file."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from toolkit.reports.svg import inline_svg
from toolkit.reports.words import clean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.reports.contents import Report, Section

__all__ = ["html_page"]

#: How plotly.js shows a chart in a page of any width, from which nothing is sent away.
_CONFIG: Final = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["sendChartToCloud"],
    "responsive": True,
    "showLink": False,
}


class Picture(NamedTuple):
    """The figure of a section: a drawing, or else a chart that plotly.js draws in the element of this name."""

    name: str
    alt: str
    drawing: str | None
    chart: Any


def html_page(report: Report, drawings: Mapping[int, bytes] | None = None) -> str:
    """Return a report as a page of HTML that asks for nothing outside itself.

    `drawings` are the figures of sections as SVG, by the section's place from 0. A section whose figure is not among
    them gets a chart that plotly.js draws in the reader's browser; the library is then in the page, once.
    """
    drawn = drawings or {}
    pictures = [_picture(place, part, drawn.get(place)) for place, part in enumerate(report.sections)]
    library = _plotly() if any(picture and picture.chart for picture in pictures) else None
    page = _templates().get_template("page.html")
    return page.render(report=report, pictures=pictures, library=library, config=_CONFIG)


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("toolkit.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "sort_keys": True}
    return environment


def _picture(place: int, part: Section, drawing: bytes | None) -> Picture | None:
    alt, name = _alt(part), f"chart-{place + 1}"
    if drawing is not None:
        return Picture(name, alt, inline_svg(drawing, f"drawing-{place + 1}", alt), None)
    return None if part.figure is None else Picture(name, alt, None, json.loads(part.figure.to_json()))


def _alt(part: Section) -> str:
    if part.chart is not None and part.chart.alt:
        return part.chart.alt
    meta = getattr(getattr(part.figure, "layout", None), "meta", None)
    said = meta.get("alt") if isinstance(meta, dict) else None
    return clean(said or part.title)


def _plotly() -> str:
    from plotly.offline import get_plotlyjs  # noqa: PLC0415 - five million characters, only where they are needed

    return str(get_plotlyjs())
