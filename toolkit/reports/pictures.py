"""Figures of a report: without the titles that it says above them, and drawn where there is Chromium."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Final, NamedTuple

import plotly.graph_objects as go

from toolkit.charts import alt_text, pictures
from toolkit.reports.words import clean

if TYPE_CHECKING:
    from toolkit.reports.contents import Report

__all__ = ["Picture", "drawings", "picture_of"]

#: Height of a line of a figure's title.
_LINE: Final = 22
_TAG: Final = re.compile(r"<br>|</?sub>")
#: Sizes in pixels of drawings: of a page's column, and of a slide's left part.
_PAGE_WIDTH: Final = 992
_SLIDE_SIZE: Final = (1020, 594)


class Picture(NamedTuple):
    """A figure for a report: without its title, which stands in the text with the footer and the alt text."""

    figure: go.Figure
    footer: str
    alt: str


def picture_of(figure: go.Figure) -> Picture:
    """Return a figure without its title, and the texts that it had."""
    text = str(figure.layout.title.text or "")
    footer = text.partition("<br><sub>")[2]
    bare = go.Figure(figure)
    lines = text.count("<br>") + 1
    bare.update_layout(title={"text": ""})
    if bare.layout.margin.t and bare.layout.height:
        top = max(int(bare.layout.margin.t) - _LINE * lines, 0)
        bare.update_layout(height=int(bare.layout.height) - int(bare.layout.margin.t) + top, margin={"t": top})
    return Picture(bare, clean(html.unescape(_TAG.sub(" ", footer))).strip(), alt_text(figure))


def drawings(report: Report, form: str) -> dict[int, bytes]:
    """Return the figures as pictures, by the section's place; nothing where there is no Chromium."""
    wanted = {
        str(place): part.figure
        for place, part in enumerate(report.sections)
        if part.figure is not None and (form == "svg" or (part.chart is not None and part.chart.picture))
    }
    if not wanted or not pictures.can_draw():
        return {}
    size = {"width": _PAGE_WIDTH} if form == "svg" else {"width": _SLIDE_SIZE[0], "height": _SLIDE_SIZE[1], "scale": 3}
    drawn = pictures.draw_pictures(wanted, form, **size)
    return {int(name): picture for (name, _), picture in drawn.items()}
