"""Which personas go with which categories: ribbons from one to the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from toolkit.charts import colours
from toolkit.charts.template import Chart, check_columns, empty, finish, footer_of
from toolkit.charts.wording import alike, plain_names
from toolkit.interface.checks import check_whole
from toolkit.interface.text import counted, printable, shortened

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import pandas as pd
    import plotly.graph_objects as go

__all__ = ["persona_flow"]

_COLUMNS: Final = ("persona", "category", "sites")
_COUNTS: Final = {"persona_sites", "category_sites"}
#: Names on a side that still have a line each on a slide.
_MOST_NAMES: Final = 12
_LONGEST: Final = 32
_NAMES_WIDTH: Final = 250
#: Part of the height that stays free between names, where each has a link.
_FREE: Final = 0.4
_NODE: Final = 0.012
_STEPS: Final = 24
#: Colours of the palette that are no paler on white than a ribbon may be; the next one is yellow.
_HUES: Final = 6
_OPACITY: Final = 0.5
_ROW: Final = 0.95


def persona_flow(links: pd.DataFrame, most: int = 30) -> go.Figure:
    """Draw which personas and which top categories the same sites have.

    Parameters
    ----------
    links : DataFrame
        As `toolkit.findings.links.persona_links` returns it.
    most : int
        How many links to draw: those of the most sites, as far as at most 12 personas and 12 categories have links.

    Returns
    -------
    Figure
        Personas on the left, categories on the right, ribbons as wide as the sites that have both. Links that are left
        out are counted in the footer.

    Raises
    ------
    InputError
        If the frame has no links, or ``most`` is no number of links.
    """
    check_columns(links, _COLUMNS, "persona_links", _COLUMNS[2:])
    most = check_whole(most, "most", 1)
    about = links.attrs.get("about", {})
    every = links[links["sites"] > 0].dropna(subset=["persona", "category"])
    every = every.sort_values(["sites", "persona", "category"], ascending=[False, True, True], ignore_index=True)
    if every.empty:
        return empty("No site has both a persona and a category", footer_of(about) or "There are no links")
    shown = every.loc[_kept(every, most)]
    # The finding may have left out links itself, and says how many there are.
    whole = max(len(every), int(about.get("links", 0)))
    best = every.iloc[0]
    persona, category = _short(best["persona"]), _short(best["category"])
    title = f"{persona} goes most often with {category}: {counted(int(best['sites']), 'site')}"
    tied = every[every["sites"] == best["sites"]]
    if len(tied) == len(every) < whole:
        title = f"{counted(whole, 'link')} of personas and categories, none stronger than {persona} with {category}"
        title += f" ({counted(int(best['sites']), 'site')})"
    elif len(tied) > 1:
        title = f"{_tied(tied)} go most often together: {counted(int(best['sites']), 'site')} each"
    notes = [
        _left_out(shown, every, whole),
        "width: sites with both",
        *["numbers: sites with it"] * (set(links.columns) >= _COUNTS),
    ]
    figure = Chart()
    sides = _sides(shown)
    _draw_links(figure, shown, sides)
    figure.update_layout(
        shapes=[shape for side in sides for shape in _blocks(side)],
        annotations=[label for side in sides for label in _labels(side)],
    )
    finish(
        figure,
        title,
        footer_of(about, notes),
        _ROW * max(len(side.tops) for side in sides),
        alt=f"{title}. The picture links {counted(len(sides[0].tops), 'persona')} with "
        f"{counted(len(sides[1].tops), 'category', 'categories')}.",
        data=shown[[name for name in (*_COLUMNS, *sorted(_COUNTS)) if name in shown.columns]],
    )
    figure.update_xaxes(visible=False, range=[0, 1])
    figure.update_yaxes(visible=False, range=[1, 0])
    figure.update_layout(showlegend=False, margin={"l": _NAMES_WIDTH, "r": _NAMES_WIDTH, "b": 24})
    return figure


def _tied(tied: pd.DataFrame) -> str:
    pairs = [f"{_short(one)} with {_short(other)}" for one, other in tied[["persona", "category"]].to_numpy()]
    return alike(pairs, "pairs")


def _left_out(shown: pd.DataFrame, every: pd.DataFrame, whole: int) -> str:
    """Say which part of the links is drawn; where a name found no room, weaker ones between others are."""
    if len(shown) == whole:
        return ""
    if (every["sites"] == shown["sites"].min()).sum() > (shown["sites"] == shown["sites"].min()).sum():
        return f"{len(shown)} of {counted(whole, 'link')}, others as strong as the weakest are left out"
    if len(shown) == int((every.index <= shown.index.max()).sum()):
        return f"the {len(shown)} strongest of {counted(whole, 'link')}"
    sides = (
        counted(shown["persona"].nunique(), "persona"),
        counted(shown["category"].nunique(), "category", "categories"),
    )
    return f"{len(shown)} of {counted(whole, 'link')}, the strongest among {' and '.join(sides)}"


class _Side(NamedTuple):
    """One column of names: where it stands, where each name's block begins, and how high it is."""

    x: float
    names: dict[str, str]
    tops: dict[str, float]
    heights: dict[str, float]
    labels: dict[str, str]


def _kept(every: pd.DataFrame, most: int) -> list[Hashable]:
    """Return the index of the strongest links, with at most so many names on a side."""
    personas: set[str] = set()
    categories: set[str] = set()
    kept: list[Hashable] = []
    for place, persona, category in zip(every.index, every["persona"], every["category"], strict=True):
        if len(personas | {persona}) > _MOST_NAMES or len(categories | {category}) > _MOST_NAMES:
            continue
        personas.add(persona)
        categories.add(category)
        kept.append(place)
        if len(kept) == most:
            break
    return kept


def _sides(shown: pd.DataFrame) -> tuple[_Side, _Side]:
    """Place the categories by their sites, and each persona near the categories that it goes with."""
    totals = shown.groupby("category")["sites"].sum()
    categories = sorted(totals.index, key=lambda name: (-totals[name], name))
    place = shown["category"].map({name: position for position, name in enumerate(categories)})
    pull = (place * shown["sites"]).groupby(shown["persona"]).sum() / shown.groupby("persona")["sites"].sum()
    personas = sorted(pull.index, key=lambda name: (pull[name], name))
    return _side(shown, "persona", personas, 0.0), _side(shown, "category", categories, 1.0)


def _side(shown: pd.DataFrame, column: str, order: Sequence[str], x: float) -> _Side:
    totals = {str(name): int(sites) for name, sites in shown.groupby(column)["sites"].sum().items()}
    whole, gap = sum(totals.values()), _FREE / len(order)
    tops: dict[str, float] = {}
    heights: dict[str, float] = {}
    top = gap / 2
    for name in order:
        tops[name], heights[name] = top, (1 - _FREE) * totals[name] / whole
        top += heights[name] + gap
    names = plain_names(order, _LONGEST)
    labels = names
    if set(shown.columns) >= _COUNTS:
        sites = shown.groupby(column)[f"{column}_sites"].max()
        labels = {name: f"{said} · {int(sites[name])}" for name, said in names.items()}
    return _Side(x, names, tops, heights, labels)


def _draw_links(figure: go.Figure, shown: pd.DataFrame, sides: tuple[_Side, _Side]) -> None:
    left, right = sides
    whole = int(shown["sites"].sum())
    used_left, used_right = dict(left.tops), dict(right.tops)
    colors = {name: colours.PALETTE[position % _HUES] for position, name in enumerate(right.tops)}
    along = np.linspace(0, 1, _STEPS)
    bend = along**2 * (3 - 2 * along)
    order_left = {name: position for position, name in enumerate(left.tops)}
    order_right = {name: position for position, name in enumerate(right.tops)}
    rows = shown.to_dict("records")
    starts: dict[tuple[str, str], float] = {}
    ends: dict[tuple[str, str], float] = {}
    # Ribbons leave a name in the order of where they go, so that they do not cross at once.
    for row in sorted(rows, key=lambda row: order_right[row["category"]]):
        starts[row["persona"], row["category"]] = used_left[row["persona"]]
        used_left[row["persona"]] += (1 - _FREE) * row["sites"] / whole
    for row in sorted(rows, key=lambda row: order_left[row["persona"]]):
        ends[row["persona"], row["category"]] = used_right[row["category"]]
        used_right[row["category"]] += (1 - _FREE) * row["sites"] / whole
    for row in rows:
        persona, category, height = row["persona"], row["category"], (1 - _FREE) * row["sites"] / whole
        start, end = starts[persona, category], ends[persona, category]
        upper = start + (end - start) * bend
        x = _NODE + along * (1 - 2 * _NODE)
        figure.add_scatter(
            x=[*x.tolist(), *x[::-1].tolist()],
            y=[*upper.tolist(), *(upper + height)[::-1].tolist()],
            mode="lines",
            line={"width": 0.5, "color": colors[category]},
            fill="toself",
            fillcolor=_clear(colors[category]),
            hoveron="fills",
            hoverinfo="text",
            text=f"{left.names[persona]} and {right.names[category]}: {counted(int(row['sites']), 'site')}",
        )


def _blocks(side: _Side) -> list[dict[str, Any]]:
    """Return the shapes at which ribbons begin or end."""
    inner = side.x + (-_NODE if side.x else _NODE)
    return [
        {
            "type": "rect",
            "x0": side.x,
            "x1": inner,
            "y0": top,
            "y1": top + side.heights[name],
            "fillcolor": colours.INK,
            "line": {"width": 0},
        }
        for name, top in side.tops.items()
    ]


def _labels(side: _Side) -> list[dict[str, Any]]:
    """Return the names outside of the picture, where no ribbon runs over them."""
    place = {"xanchor": "left", "xshift": 6} if side.x else {"xanchor": "right", "xshift": -6}
    return [
        {
            "text": side.labels[name],
            "x": side.x,
            "y": top + side.heights[name] / 2,
            "showarrow": False,
            "font": {"size": 12},
            **place,
        }
        for name, top in side.tops.items()
    ]


def _clear(color: str) -> str:
    red, green, blue = (int(color[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {_OPACITY})"


def _short(text: Any) -> str:
    return shortened(printable(str(text)), _LONGEST)
