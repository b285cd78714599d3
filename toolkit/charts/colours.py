"""The colours of charts and of reports. They survive colour-blindness and grey print, which tests simulate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Okabe and Ito's colours, in the order in which groups take them.
PALETTE: Final = ("#0072B2", "#CC79A7", "#E69F00", "#D55E00", "#56B4E9", "#009E73", "#F0E442", "#000000")
#: The same for charts that PowerPoint and Excel draw, ordered so that neighbours differ in grey print too.
NATIVE: Final = ("0072B2", "E69F00", "56B4E9", "D55E00", "009E73", "CC79A7")
#: Cells of a matrix in a document from nothing to all: so pale that one ink is read on every shade between them.
NATIVE_SHADES: Final = ("FFFFFF", "6BAED6")

INK: Final = "#1b1b1b"
#: The same on a mark whose fill is pale in every theme.
INK_ON: Final = "#1a1a1a"
PAPER: Final = "#ffffff"
#: Around marks whose fill is pale.
EDGE: Final = "#4a4a4a"
GRID: Final = "#e3e3e3"
AXIS: Final = "#8a8a8a"
#: What stands beside the finding: the rest, the present, no difference.
QUIET: Final = "#6b6b6b"
STRIPE: Final = "#f5f5f5"
#: Behind a matrix, where there is nothing to tell.
BACKGROUND: Final = "#ececec"

#: Bands of confidence.
BANDS: Final = {"low": "#9ecae1", "medium": "#4292c6", "high": "#084594"}
OTHER_BAND: Final = "#b5b5b5"
#: Verdicts of a comparison.
OVER: Final = "#0072B2"
UNDER: Final = "#E69F00"
#: An estimate and its limits.
ESTIMATE: Final = "#0072B2"
LIMIT: Final = "#B34700"

#: From less to more than the baseline, white in the middle.
DIVERGING: Final = ((0, "#B35806"), (0.25, "#F1A340"), (0.5, "#FFFFFF"), (0.75, "#67A9CF"), (1, "#053061"))
#: From nothing to all.
SEQUENTIAL: Final = ((0, "#FFFFFF"), (0.25, "#C6DBEF"), (0.5, "#6BAED6"), (0.75, "#2171B5"), (1, "#08306B"))
#: Few sites to many, in the tree of a coverage.
SEEN: Final = ("#bdd7ee", "#6baed6", "#2874b8", "#08306b")
UNSEEN: Final = "#fafafa"
UNSEEN_EDGE: Final = "#ababab"
HATCHING: Final = "#bdbdbd"

#: What stands in JupyterLab's dark themes for a colour that is drawn for white paper.
_DARK: Final = {
    INK: "var(--jp-ui-font-color1)",
    EDGE: "var(--jp-content-font-color2)",
    QUIET: "var(--jp-content-font-color3)",
    GRID: "var(--jp-border-color2)",
    PAPER: "var(--jp-layout-color0)",
    STRIPE: "var(--jp-layout-color1)",
    BACKGROUND: "var(--jp-layout-color2)",
    UNSEEN: "var(--jp-layout-color1)",
    UNSEEN_EDGE: "var(--jp-border-color0)",
    HATCHING: "var(--jp-border-color0)",
    LIMIT: "#ff9f5a",
}
#: Lines only: as a fill it is told from its lighter neighbours.
_DARK_LINES: Final = {BANDS["high"]: BANDS["low"]}
_IN_DARK: Final = '[data-jp-theme-light="false"]'
#: Pixels that a picture keeps where a page is narrower: then it is scrolled, and no line of its title is cut.
LEAST_WIDTH: Final = 700
_STYLE_CLASS: Final = "toolkit-charts"

#: Colours of groups. A seventh and later one is grey: so many are told apart by their labels.
GROUPS: Final = PALETTE[:6]


def group_colours(names: Iterable[str]) -> dict[str, str]:
    """Return the colour of each group, in the order in which groups stand: the same on every picture and document.

    Examples
    --------
    >>> group_colours(["B2B", "B2C"])
    {'B2B': '#0072B2', 'B2C': '#CC79A7'}
    """
    different = list(dict.fromkeys(names))
    return {name: GROUPS[place] if place < len(GROUPS) else QUIET for place, name in enumerate(different)}


def theme_style() -> str:
    """Return HTML, without anything to see, by which charts on a page follow JupyterLab's theme while they stand there.

    Figures are drawn for white paper, as in a file or in print; the page recolours what is text, line or ground. A
    chart of the toolkit is known by the ink of its title. The chart that comes next keeps a least width.

    Examples
    --------
    >>> theme_style().startswith("<style class='toolkit-charts'>")
    True
    """
    chart = f".js-plotly-plot:has(.gtitle[style*='fill: {_as_styled(INK)}'])"
    dark = f"{_IN_DARK} {chart}"
    child = ".jp-OutputArea-child"
    styled = f"{child}:has(.{_STYLE_CLASS})"
    # Plotly's own script may come between.
    drawn = f":is({styled} + {child}, {styled} + {child}:has(> .jp-OutputArea-output > script) + {child})"
    rules = [
        # The output that carries the style takes no room; the chart stands in the next one.
        f"{child}:has(> .jp-OutputArea-output > .{_STYLE_CLASS}) {{ display: none; }}",
        f"{drawn} .js-plotly-plot {{ min-width: {LEAST_WIDTH}px; }}",
        f"{drawn} > .jp-OutputArea-output {{ overflow-x: auto; }}",
        # Of a page that was exported, where a chart is a picture.
        f"{drawn} > .jp-RenderedImage > img {{ min-width: {LEAST_WIDTH}px; }}",
        f"{dark} .main-svg {{ background: transparent !important; }}",
        f"{dark} .modebar-group {{ background: transparent !important; }}",
        f"{dark} .modebar-btn path {{ fill: var(--jp-ui-font-color1) !important; }}",
    ]
    for light, other in _DARK.items():
        # White text stands on a dark mark.
        of = ":not(text)" * (light == PAPER)
        rules.append(f"{dark} {of}:is({_drawn_with('fill', light)}) {{ fill: {other} !important; }}")
    for light, other in {**_DARK, **_DARK_LINES}.items():
        rules.append(f"{dark} :is({_drawn_with('stroke', light)}) {{ stroke: {other} !important; }}")
    return f"<style class='{_STYLE_CLASS}'>{' '.join(rules)}</style>"


def _drawn_with(what: str, colour: str) -> str:
    """Return a selector of what is drawn with a fill or stroke; hatching has it as an attribute."""
    return f"[style*='{what}: {_as_styled(colour)}'], [{what}='{_as_styled(colour)}']"


def _as_styled(colour: str) -> str:
    """Return a colour as a browser writes it into the style of an element."""
    return f"rgb({', '.join(str(int(colour[start : start + 2], 16)) for start in (1, 3, 5))})"
