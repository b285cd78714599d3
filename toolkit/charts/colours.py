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
