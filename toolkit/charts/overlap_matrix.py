"""How far groups of sites are the same sites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import pandas as pd
import plotly.graph_objects as go

from toolkit.charts import colours
from toolkit.charts.template import Chart, check_columns, empty, finish, footer_of, share_ticks
from toolkit.charts.wording import (
    MOST_LEVEL,
    PERCENT_FROM,
    chosen_groups,
    headings,
    of_sites,
    percent,
    plain_names,
    spoken,
)
from toolkit.interface.errors import InputError
from toolkit.interface.text import counted, printable, shortened

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

__all__ = ["overlap_matrix"]

_COLUMNS: Final = ("group", "other", "sites", "other_sites", "both", "jaccard", "containment", "unique")
_MEASURES: Final = {"containment": "share of the row's sites", "jaccard": "share of the sites of either"}
_MOST_GROUPS: Final = 14
_LONGEST_GROUP: Final = 24
_MOST_SAID: Final = 5
_COLORS: Final = colours.SEQUENTIAL
_BACKGROUND: Final = colours.BACKGROUND
#: Of cells on the ground of the page.
_NONE: Final = ((0, "rgba(0, 0, 0, 0)"), (1, "rgba(0, 0, 0, 0)"))
#: As where there are too few sites for a number.
_NONE_THERE: Final = "–"
_HALF: Final = 0.5
#: Without a title of the axis below.
_BOTTOM: Final = 20
#: Cells hold a share and a number: they need more than a line of text.
_ROW: Final = 1.5


def overlap_matrix(
    overlap: pd.DataFrame,
    measure: Literal["containment", "jaccard"] = "containment",
    *,
    groups: str | Sequence[str] | None = None,
) -> go.Figure:
    """Draw how many sites each two groups share.

    Parameters
    ----------
    overlap : DataFrame
        As `toolkit.findings.overlap.overlap` returns it.
    measure : {"containment", "jaccard"}
        What the colour says: which part of the row's sites is also in the column's group, or the common sites as a part
        of the sites of either.
    groups : str or sequence of str, optional
        Which groups to draw, at most fourteen, in this order; by default all, the largest first. Of more, those that
        share the most are drawn.

    Returns
    -------
    Figure
        Each cell has the share and the number of common sites, a group's own cell its sites; of more than eight
        groups, the number stands in the hover text only, as do the sites that are in no other group. The title is
        about all groups, or those asked for, drawn or not.

    Raises
    ------
    InputError
        If the frame is no overlap, has no such group, or the measure is not known.
    """
    check_columns(overlap, _COLUMNS, "overlap", _COLUMNS[2:])
    overlap = overlap.assign(group=overlap["group"].astype(str), other=overlap["other"].astype(str))
    if measure not in _MEASURES:
        raise InputError(f"The measure {measure!r} is not known. Use {' or '.join(map(repr, _MEASURES))}.")
    about = overlap.attrs.get("about", {})
    every = chosen_groups(overlap, groups, "sites")
    asked = overlap[overlap["group"].isin(every) & overlap["other"].isin(every)]
    drawn = _sharing(asked, every, measure)
    known = overlap["group"].nunique()
    if not drawn:
        return empty("There are no groups to compare", footer_of(about) or "The overlap has no rows")
    shown = overlap[overlap["group"].isin(drawn) & overlap["other"].isin(drawn)]
    names = plain_names(drawn, _LONGEST_GROUP)
    figure = Chart([_cells(shown, names, measure, plain=plain) for plain in (False, True)])
    title = _title(asked, measure, "" if len(every) == known else f" among the {len(every)} groups asked for")
    left_out = f"{len(drawn)} of {counted(known, 'group')}" + ", those that share the most" * (len(drawn) < len(every))
    heads, angle, height = headings(names.values())
    place = {group: position for position, group in enumerate(drawn)}
    finish(
        figure,
        title,
        footer_of(
            about,
            [
                left_out if len(drawn) < known else counted(known, "group"),
                f"colour: {_MEASURES[measure]}",
                "grey: all sites of the group",
                "dash: a group without sites" if shown[measure].isna().any() else "",
            ],
        ),
        _ROW * len(drawn),
        ticks=height,
        alt=f"{title}. {_unique(shown, drawn)}",
        data=shown.sort_values(["group", "other"], key=lambda column: column.map(place))[list(_COLUMNS)],
    )
    ticks = {"tickvals": list(range(len(names))), "showgrid": False, "zeroline": False, "ticks": ""}
    figure.update_xaxes(side="top", tickangle=angle, ticktext=heads, automargin=False, **ticks)
    figure.update_yaxes(range=[len(names) - 0.5, -0.5], ticktext=list(names.values()), **ticks)
    own = {"type": "rect", "fillcolor": _BACKGROUND, "line": {"width": 0}, "layer": "below"}
    figure.update_layout(
        shapes=[{**own, **_square(position)} for position in range(len(names))],
        margin={"b": _BOTTOM},
    )
    return figure


def _square(position: int) -> dict[str, float]:
    """Return the corners of a group's own cell."""
    low, high = position - _HALF, position + _HALF
    return {"x0": low, "x1": high, "y0": low, "y1": high}


def _cells(shown: pd.DataFrame, names: dict[str, str], measure: str, *, plain: bool) -> go.Heatmap:
    """Return a layer: of shares in colours, or the plain one of cells without a colour, on the ground of the page."""
    found = {(row["group"], row["other"]): row for row in shown.to_dict("records")}
    shares: list[list[float | None]] = []
    texts: list[list[str]] = []
    hovers: list[list[str]] = []
    for group, name in names.items():
        rows = [found.get((group, other)) for other in names]
        shares.append(
            [
                None if row is None or _is_plain(row, measure) != plain else 0.0 if plain else float(row[measure])
                for row in rows
            ]
        )
        mine = [row if row is not None and _is_plain(row, measure) == plain else None for row in rows]
        texts.append(["" if row is None else _text(row, measure, short=len(names) > MOST_LEVEL) for row in mine])
        hovers.append([name if row is None else _hover(row, names) for row in rows])
    colors = {"colorscale": _NONE if plain else _COLORS, "showscale": not plain}
    return go.Heatmap(
        z=shares,
        text=texts,
        texttemplate="%{text}",
        textfont={"size": 12, **({"color": colours.INK} if plain else {})},
        hovertext=hovers,
        hovertemplate="%{hovertext}<extra></extra>",
        **colors,
        hoverongaps=False,
        zmin=0,
        zmax=1,
        xgap=2,
        ygap=2,
        colorbar={
            **share_ticks([0, 0.25, 0.5, 0.75, 1]),
            "thickness": 12,
            "outlinewidth": 0,
        },
    )


def _is_plain(row: dict[Hashable, Any], measure: str) -> bool:
    """Return whether a cell has no colour: a group's own, that of a group without sites, and nothing in common."""
    return bool(row["group"] == row["other"] or pd.isna(row[measure]) or not row["both"])


def _text(row: dict[Hashable, Any], measure: str, *, short: bool) -> str:
    if row["group"] == row["other"]:
        return str(int(row["sites"])) if short else counted(int(row["sites"]), "site")
    if pd.isna(row[measure]):
        return _NONE_THERE
    if short and row["both"]:
        return percent(float(row[measure]))
    if row["both"] and measure == "containment":
        return of_sites(row["both"], row["sites"], float(row[measure]))
    return f"{percent(float(row[measure]))} ({int(row['both'])})" if row["both"] else "0"


def _hover(row: dict[Hashable, Any], names: dict[str, str]) -> str:
    group, other = names[row["group"]], names[row["other"]]
    sites = counted(int(row["sites"]), "site")
    if row["group"] == row["other"]:
        return f"<b>{group}</b><br>{sites}, {int(row['unique'])} of them in no other group"
    if pd.isna(row["containment"]):
        return f"<b>{group}</b> and <b>{other}</b><br>a group without sites"
    return (
        f"<b>{group}</b> ({sites}) and <b>{other}</b> ({int(row['other_sites'])})<br>"
        f"{int(row['both'])} in both: {percent(row['containment'])} of {group}, {percent(row['jaccard'])} of either"
    )


def _ranked(asked: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return the pairs with common sites, those that share the most first."""
    pairs = asked[(asked["group"] != asked["other"]) & (asked["both"] > 0)]
    return pairs.sort_values([measure, "both", "group", "other"], ascending=[False, False, True, True])


def _sharing(asked: pd.DataFrame, every: list[str], measure: str) -> list[str]:
    """Return the groups to draw in the order given: those of the pairs that share the most, then the first ones."""
    pairs = _ranked(asked, measure)
    leading = dict.fromkeys([*pairs[["group", "other"]].to_numpy().ravel(), *every])
    kept = set(list(leading)[:_MOST_GROUPS])
    return [group for group in every if group in kept]


def _title(asked: pd.DataFrame, measure: str, among: str) -> str:
    pairs = _ranked(asked, measure)
    groups = asked["group"].nunique()
    if groups == 1:
        return f"{_short(asked['group'].iloc[0])} has no other group beside it"
    if pairs.empty:
        return f"No two of the {groups} groups share a site"
    best = pairs.iloc[0]
    group, other, both = _short(best["group"]), _short(best["other"]), counted(int(best["both"]), "site")
    tied = pairs[(pairs[measure] == best[measure]) & (pairs["both"] == best["both"])]
    ways = {frozenset(pair): way for *pair, way in tied[["group", "other", "containment"]].itertuples(index=False)}
    part = percent(best[measure])
    if len(ways) > 1:
        second = " and ".join(map(_short, sorted(list(ways)[1])))
        others = second if len(ways) == 2 else f"{len(ways) - 1} more pairs"  # noqa: PLR2004 - two are named
        what = "of those in either" if measure == "jaccard" else "the largest share of a group"
        return f"{group} and {other}, {others} alike: {both} in common, {part}, {what}{among}"
    alike = len({frozenset(pair) for pair in pairs.loc[pairs[measure] == best[measure], ["group", "other"]].to_numpy()})
    if alike > 1:
        most = f"the most sites of {alike} pairs with that share{among}"
    else:
        most = f"the largest share of a group{among}"
    if measure == "jaccard" and alike > 1:
        return f"{group} and {other} have {both} in common, {part} of those in either: {most}"
    if measure == "jaccard":
        return f"{group} and {other} are most alike{among}: {both} in common, {part} of those in either"
    turned = ", and the other way round" if len(tied) > 1 else ""
    number, sites = int(best["both"]), int(best["sites"])
    of = f"{number:,} of the {sites:,} sites" if sites < PERCENT_FROM else f"{part} of the {sites:,} sites"
    if number == sites > 1:
        of = f"All {sites:,} sites"
    return f"{of} of {group} {'is' if number == 1 else 'are'} also in {other}{turned}: {most}"


def _unique(shown: pd.DataFrame, drawn: Sequence[str]) -> str:
    own = {row["group"]: f"{int(row['unique'])} of {int(row['sites'])}" for row in shown.to_dict("records")}
    said = [f"{_short(group)} {own[group]}" for group in drawn[:_MOST_SAID]]
    return f"Sites in no other group: {', '.join(said)}."


def _short(text: object) -> str:
    return shortened(printable(spoken(text)), _LONGEST_GROUP)
