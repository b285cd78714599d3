"""Headline findings as pieces of HTML for a screen, drawn as the page draws them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Final

from toolkit.charts.colours import GROUPS
from toolkit.reports.page.html import picture_of, templates, text_of
from toolkit.reports.page.rows import SHAPES
from toolkit.reports.page.theme import scoped_style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolkit.reports.contents import Chart, Group, Part

__all__ = ["HEADLINE", "below_picture", "headline_html", "headline_style", "picture_html", "small"]

#: The class around a headline.
HEADLINE: Final = "toolkit-headline"
#: Rows of a small picture.
_MOST_ROWS: Final = 4


def headline_html(part: Part, groups: Sequence[Group] = ()) -> str:
    """Return a finding with its picture as HTML; `headline_style` is to stand once in the same document.

    Examples
    --------
    >>> from toolkit.reports.contents import Part
    >>> "7 of 9" in headline_html(Part("proofs", "Travel", "Travel sites reach families: 7 of 9."))
    True
    """
    picture = None if part.chart is None else picture_of(small(part.chart), groups)
    return templates().get_template("headline.html").render(part=part, picture=picture, shapes=SHAPES)


def picture_html(chart: Chart, groups: Sequence[Group] = ()) -> str:
    """Return a chart as HTML with its style, for a place of its own in a notebook."""
    drawn = templates().get_template("picture.html").render(picture=picture_of(chart, groups), shapes=SHAPES)
    return f"<style>{headline_style()}</style>{drawn}"


def below_picture(text: str) -> str:
    """Return as HTML what stands below a picture: of how many sites it is, of what day, and from where."""
    return f'<p style="font-size: .85em; opacity: .8; margin: 2px 0 8px">{escape(text)}</p>'


@cache
def headline_style() -> str:
    """Return the style sheet of headlines, in the light and in the dark of JupyterLab."""
    below = f".{HEADLINE} {{\n{text_of('headline.css')}\n{text_of('charts.css')}\n}}"
    return f"{scoped_style(HEADLINE, [colour.removeprefix('#') for colour in GROUPS])}\n{below}"


def small(chart: Chart, most: int = _MOST_ROWS) -> Chart:
    """Return a chart with its first rows, those among them that the sentence is about."""
    if chart.kind == "lines" or len(chart.frame) <= most:
        return chart
    frame = chart.frame
    strong = frame[chart.strong].tolist() if chart.strong else [True] * len(frame)
    kept = sorted(range(len(frame)), key=lambda place: (not strong[place], place))[:most]
    return replace(chart, frame=frame.iloc[sorted(kept)])
