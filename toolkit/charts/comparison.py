"""Which codes set groups apart: indices with their intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import pandas as pd

from toolkit.charts import colours
from toolkit.charts.labels import escaped
from toolkit.charts.template import Chart, check_columns, empty, finish, footer_of
from toolkit.charts.wording import (
    LUCK,
    SAME,
    SHOWN,
    about_of,
    chosen_groups,
    code_names,
    finding_of,
    in_group_words,
    index_words,
    inferred_among,
    most_telling,
    own_codes,
    percent,
    plain_names,
    spoken,
    telling_groups,
    things_in,
    weight_of,
    whole_list,
)
from toolkit.interface.checks import check_whole
from toolkit.interface.errors import InputError
from toolkit.interface.text import counted, printable, shortened

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    import plotly.graph_objects as go

__all__ = ["COMPARED", "NUMBERS", "comparison", "reaches_100", "sizes_of"]

#: Columns of a comparison that its pictures draw.
COMPARED: Final = (
    "group",
    "dimension",
    "code",
    "label",
    "parent",
    "n",
    "with_code",
    "share",
    "baseline",
    "baseline_n",
    "baseline_with",
    "baseline_share",
    "index",
    "index_low",
    "index_high",
    "shrunken_index",
    "shrunken_low",
    "shrunken_high",
    "p_adjusted",
    "verdict",
)
NUMBERS: Final = tuple(name for name in COMPARED[COMPARED.index("n") : -1] if name != "baseline")
#: What a mark and its line show.
_DRAWN: Final = ("shrunken_index", "shrunken_low", "shrunken_high")
_MOST: Final = 12
#: Of several groups.
_MOST_MARKS: Final = 24
_FEWEST: Final = 6
_MOST_GROUPS: Final = 6
#: Of the legend.
_IN_A_LINE: Final = 3
_SYMBOLS: Final = ("circle", "square", "diamond", "triangle-up", "triangle-down", "star")
#: Colour of each verdict: the hues of the heatmap, and a grey that prints between them.
_VERDICTS: Final = {"over": colours.OVER, "under": colours.UNDER, SAME: colours.QUIET}
_MEANINGS: Final = {"over": "more common", "under": "less common", SAME: SAME}
_TICKS: Final = (1, 3, 6, 12, 25, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800)
_LINEAR_TICKS: Final = 6
_MOST_TICKS: Final = 7
_WHOLE: Final = 100
_LINE: Final = 20
#: Part of a row that its groups fill.
_SPREAD: Final = 0.7
#: How far beyond the outermost mark an interval is drawn.
_BEYOND: Final = 2.2
_INSIDE: Final = 1e-9
_NUMBERS_WIDTH: Final = 118
_STRIPE: Final = colours.STRIPE
_AT_100: Final = {"line": {"color": colours.INK, "width": 1.5}, "layer": "between"}
_LONGEST: Final = 48
_LONGEST_GROUP: Final = 32
#: The test counts, the interval allows for luck: they need not say the same.
_DOTTED: Final = "with a dot: shown, but its interval reaches 100"
_CUT: Final = "triangle at the edge: further out than the axis"


def comparison(
    compared: pd.DataFrame,
    group: str | Sequence[str] | None = None,
    most: int | None = None,
    *,
    scale: Literal["log", "linear"] = "log",
) -> go.Figure:
    """Draw which codes are more or less common in a group than in its baseline.

    Parameters
    ----------
    compared : DataFrame
        As `toolkit.findings.compare.compare` returns it.
    group : str or sequence of str, optional
        Which groups to draw; by default all, the largest first. Of more than six, those are drawn that differ most.
        The baseline itself is left out. A group's colour comes of its place among all that were compared, as in a
        report, or among the categories where `group` is categorical; a seventh and later one is grey.
    most : int, optional
        How many codes to draw: those whose shrunken interval stays furthest from 100 come first, and those last that
        groups were made by, such as the category Travel in a group Travel. By default 12, fewer of several groups.
    scale : {"log", "linear"}
        Axis of the index. On the logarithmic one, half as common is as far from 100 as twice as common.

    Returns
    -------
    Figure
        One mark a group and code at its shrunken index with its interval, filled where a difference is shown, with
        only a dot in it where the interval reaches 100 nevertheless, and hollow where none is shown; the hover text has
        the index as counted too. Codes with too few sites are counted in the footer and not drawn. A mark at the edge
        with a triangle has an index of 0, or none on the side of the baseline, or is of a code that groups were made
        by: such codes do not stretch the axis. Marks and lines without a difference are grey. The title is about all
        groups, or those asked for, drawn or not.

    Raises
    ------
    InputError
        If the frame is no comparison, has no such group, or another argument cannot be.
    """
    check_columns(compared, COMPARED, "comparison", NUMBERS)
    if most is not None:
        most = check_whole(most, "most", 1)
    if scale not in {"log", "linear"}:
        raise InputError(f"The scale {scale!r} is not known. Use 'log' or 'linear'.")
    others = compared.reset_index(drop=True)
    others = others.assign(group=others["group"].astype(str))
    others = others[others["group"] != others["baseline"].astype(str)]
    others = others.assign(own=own_codes(others))
    fit = others["verdict"].astype(str).isin(_VERDICTS) & others["shrunken_index"].notna()
    # Groups of which nothing can be said only take room, unless they are asked for.
    every = chosen_groups(others if group is not None or not fit.any() else others[fit], group)
    compared, others, every = in_group_words(compared, others, every)
    asked = others[others["group"].isin(every)]
    usable = asked[fit.loc[asked.index]]
    thin = len(asked) - len(usable)
    whole = whole_list(asked, every)
    if usable.empty or whole:
        about, notes = sizes_of(asked, every, about_of(compared))
        few = f"Too few sites for an index of any of {things_in(asked)}" if thin else "There is nothing to compare"
        message = whole or few
        return empty(message, footer_of(about, notes) or "The comparison has no rows")
    usable = usable.assign(
        verdict=usable["verdict"].astype(str),
        weight=weight_of(usable),
        name=code_names(usable),
    )
    groups, left_out = telling_groups(usable, every, _MOST_GROUPS)
    several = len(groups) > 1
    drawn = usable[usable["group"].isin(groups)]
    about, notes = sizes_of(asked[asked["group"].isin(groups)], groups, about_of(compared))
    shown = _most_telling(drawn, most or (max(_FEWEST, _MOST_MARKS // len(groups)) if several else _MOST))
    order, codes = list(dict.fromkeys(shown["name"])), usable["name"].nunique()
    span = _span(shown, scale)
    figure = Chart()
    if several:
        _draw_several(figure, shown, groups, span, _colours_of(compared))
    else:
        _draw_one(figure, shown, span)
    title = _title(shown.iloc[0], usable, every)
    notes += [
        left_out,
        f"the {len(order)} most telling of {things_in(usable)}" if len(order) < codes else "",
        "" if shown["verdict"].isin(SHOWN).all() else f"hollow: {SAME}",
        _DOTTED if reaches_100(shown).any() else "",
        _CUT if _is_beyond(shown, span).any() else "",
        inferred_among(shown["dimension"]),
        f"lines: {about.get('level', 0.95) * 100:g} % intervals",
        f"{thin} with too few sites left out" if thin else "",
        LUCK,
        f"at most {about['false_discoveries'] * 100:g} % false findings" if "false_discoveries" in about else "",
    ]
    differing = int(usable["verdict"].isin(SHOWN).sum())
    finish(
        figure,
        title,
        footer_of(about, notes),
        len(order) * max(1.0, 0.6 * len(groups)),
        legend=1 + (len(groups) > _IN_A_LINE),
        ticks=_LINE * (not several),
        alt=f"{title}. Of {counted(len(usable), 'comparison')}, {differing} differ from the baseline.",
        data=shown[list(COMPARED)],
    )
    _dress(figure, order, span, scale, several=several)
    if not several:
        _write_numbers(figure, shown)
    return figure


def _colours_of(compared: pd.DataFrame) -> dict[str, str]:
    """Return the colour of each group by its place among all, so that it is the same in a picture of a few of them."""
    groups = compared["group"]
    is_ordered = isinstance(groups.dtype, pd.CategoricalDtype)
    known = groups.cat.categories if is_ordered else compared.attrs.get("about", {}).get("group_order", ())
    return colours.group_colours([*map(str, known), *sorted(map(str, groups.unique()))])


def _most_telling(usable: pd.DataFrame, most: int) -> pd.DataFrame:
    """Return the rows of the codes to draw in the order of the axis: more common, less common, others, groups' own."""
    ordered = usable.sort_values(["own", "weight", "name", "group"], ascending=[True, False, True, True])
    leading = most_telling(ordered, most)
    place = leading["verdict"].map({"over": 0, "under": 1}).fillna(2).mask(leading["own"], len(_VERDICTS))
    names = leading.assign(place=place).sort_values("place", kind="stable")["name"]
    rank = {name: position for position, name in enumerate(names)}
    kept = ordered[ordered["name"].isin(rank)]
    # The most telling group of a code stands first within it, for the title is about the first row of all.
    return kept.assign(row=kept["name"].map(rank)).sort_values("row", kind="stable").reset_index(drop=True)


def _title(best: pd.Series, usable: pd.DataFrame, groups: Sequence[str]) -> str:
    if best["verdict"] in SHOWN:
        return finding_of(best, usable[~usable["own"]])
    others = usable[~usable["own"]]
    besides = " besides its own" if len(groups) == 1 else " besides their own"
    said = things_in(others if len(others) else usable)
    said += besides * (0 < len(others) < len(usable))
    one = len(groups) == 1
    whom = f"{_short(groups[0])} and its" if one else f"{len(groups)} groups and their"
    return f"No difference between {whom} baseline is shown in {said}"


def sizes_of(asked: pd.DataFrame, groups: Sequence[str], about: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return what a footer takes from `about`, and its notes on the group and the baseline.

    The sizes of several groups stand beside their names; a single one is what the whole picture is about.
    """
    names = sorted({str(name) for name in asked["baseline"]})
    sizes = {int(size) for size in asked["baseline_n"]}
    said = "baseline: " + ", ".join(_short(name) for name in names) if names else ""
    if len(sizes) == 1:
        said += f" ({next(iter(sizes))})"
    whole = pd.Series(about.get("group_sites", {}), dtype="float64").reindex(asked["group"])
    known = "of sites of which it is known" if (asked["n"].to_numpy() < whole.to_numpy()).any() else ""
    left = about.get("rows_left_out")
    unread = f"{left:,} rows that are no finding are not in the table" if left else ""
    if len(groups) != 1 or asked.empty:
        return dict(about), [said, known, unread]
    size = counted(int(asked["n"].max()), "site")
    return {**about, "n": f"{size} ({_short(groups[0])})"}, [said, known, unread]


def _short(group: str) -> str:
    return shortened(printable(spoken(group)), _LONGEST_GROUP)


def _span(shown: pd.DataFrame, scale: str) -> tuple[float, float]:
    """Return the smallest and largest index on the axis; far ends of intervals may lie beyond.

    That a group has what it was made by takes it so far that the others would lie on each other.
    """
    shown = shown[~shown["own"]] if not shown["own"].all() else shown
    index, lows, highs = (shown[name].astype(float) for name in _DRAWN)
    middle = index[(index > 0) & (index < math.inf)]
    least, greatest = min([*middle, _WHOLE / 2]), max([*middle, _WHOLE * 2])
    bottom = min(least, max([*lows[lows > 0].nsmallest(1), least / _BEYOND]))
    top = max(greatest, min([*highs[highs < math.inf].nlargest(1), greatest * _BEYOND]))
    if scale == "linear":
        return 0.0, top * 1.05
    # An index of 0 stands at the edge, beyond every number that there is.
    bottom = min(bottom, least / _BEYOND) if (index == 0).any() else bottom
    top = max(top, greatest * _BEYOND) if (index == math.inf).any() else top
    return bottom * 0.85, top * 1.15


def _is_beyond(shown: pd.DataFrame, span: tuple[float, float]) -> pd.Series:
    """Return which indices have a number and no place on the axis."""
    index = shown["shrunken_index"].astype(float)
    return ((index > span[1]) | (index < span[0])) & (index > 0) & (index < math.inf)


def _draw_one(figure: go.Figure, shown: pd.DataFrame, span: tuple[float, float]) -> None:
    """Draw the marks of one group, coloured by verdict."""
    for verdict, color in _VERDICTS.items():
        mine = shown[shown["verdict"] == verdict]
        if len(mine):
            _draw_marks(
                figure,
                mine.assign(height=mine["row"]),
                span,
                _Look(_MEANINGS[verdict], color, _SYMBOLS[0], several=False),
            )


def _draw_several(
    figure: go.Figure,
    shown: pd.DataFrame,
    groups: Sequence[str],
    span: tuple[float, float],
    colour: Mapping[str, str],
) -> None:
    """Draw the marks of groups side by side within each row, told apart by colour and by symbol."""
    names = plain_names(groups, _LONGEST_GROUP)
    step = _SPREAD / len(groups)
    for position, group in enumerate(groups):
        mine = shown[shown["group"] == group]
        if mine.empty:
            continue
        height = mine["row"] + (position - (len(groups) - 1) / 2) * step
        said = f"{names[group]} ({int(mine['n'].max())})"
        _draw_marks(figure, mine.assign(height=height), span, _Look(said, colour[group], _SYMBOLS[position]))


class _Look(NamedTuple):
    """How the marks of one entry of the legend look; `name` is escaped."""

    name: str
    color: str
    symbol: str
    several: bool = True


def _draw_marks(figure: go.Figure, mine: pd.DataFrame, span: tuple[float, float], look: _Look) -> None:
    shown = mine["verdict"].isin(SHOWN)
    doubted = reaches_100(mine)
    sure = shown & ~doubted
    # Whatever the group, what may be chance has no colour of a finding.
    quiet = (mine[~shown], colours.QUIET, 1)
    for those, color, width in ((mine[sure], look.color, 2), (mine[doubted], look.color, 1), quiet):
        ends: list[float | None] = []
        heights: list[float | None] = []
        beyond: list[tuple[float, float, str]] = []
        for low, high, height in those[["shrunken_low", "shrunken_high", "height"]].itertuples(index=False):
            if pd.notna(low) and pd.notna(high):
                ends += [min(max(low, span[0]), span[1]), min(max(high, span[0]), span[1]), None]
                heights += [height, height, None]
                beyond += [(span[0], height, "triangle-left")] * (low < span[0] * (1 - _INSIDE))
                beyond += [(span[1], height, "triangle-right")] * (high > span[1] * (1 + _INSIDE))
        if beyond:
            _draw_arrows(figure, beyond, color, look.name)
        figure.add_scatter(
            x=ends,
            y=heights,
            mode="lines",
            line={"color": color, "width": width},
            hoverinfo="skip",
            showlegend=False,
            legendgroup=look.name,
        )
    index, (low, high) = mine["shrunken_index"].astype(float), span
    # A linear axis has a place for 0.
    symbols = ["triangle-left" if one < low else "triangle-right" if one > high else look.symbol for one in index]
    marker = {"size": 10, "line": {"color": look.color, "width": 1.5}}
    figure.add_scatter(
        name=look.name,
        # A mark that rounding puts beyond the axis is not drawn.
        x=index.clip(span[0] * (1 + _INSIDE), span[1] * (1 - _INSIDE)).tolist(),
        y=mine["height"].tolist(),
        mode="markers",
        marker={
            "size": marker["size"],
            "line": {"color": [look.color if differs else colours.QUIET for differs in shown], "width": 1.5},
            "color": [look.color if differs else colours.PAPER for differs in sure],
            "symbol": [symbol + "-dot" * dotted for symbol, dotted in zip(symbols, doubted, strict=True)],
        },
        cliponaxis=False,
        hovertext=[_hover(row) for row in mine.to_dict("records")],
        hovertemplate="%{hovertext}<extra></extra>",
        legendgroup=look.name,
        showlegend=False,
    )
    # The legend's own mark is neither hollow nor at an edge because a first row happens to be.
    figure.add_scatter(
        name=look.name,
        x=[None],
        y=[None],
        mode="markers",
        marker={**marker, "color": colours.PAPER if look.name == SAME else look.color, "symbol": look.symbol},
        legendgroup=look.name,
    )


def reaches_100(rows: pd.DataFrame) -> pd.Series:
    """Return which differences have an interval that holds 100: as common as in the baseline."""
    low, high = (rows[name].astype(float) for name in _DRAWN[1:])
    return rows["verdict"].isin(SHOWN) & (low <= _WHOLE) & (high >= _WHOLE)


def _draw_arrows(figure: go.Figure, beyond: Sequence[tuple[float, float, str]], color: str, group: str) -> None:
    """Say of lines that end at an edge that their intervals go on."""
    figure.add_scatter(
        # With gaps between them no line joins them.
        x=[place for end, _, _ in beyond for place in (end, None)],
        y=[place for _, height, _ in beyond for place in (height, None)],
        mode="lines+markers",
        marker={
            "symbol": [symbol for _, _, symbol in beyond for _ in range(2)],
            "size": 8,
            "color": color,
            "line": {"width": 0},
        },
        cliponaxis=False,
        hoverinfo="skip",
        showlegend=False,
        legendgroup=group,
    )


def _hover(row: dict[Hashable, Any]) -> str:
    index, low, high = (index_words(float(row[name])) for name in _DRAWN)
    raw, raw_low, raw_high = (index_words(float(row[name])) for name in ("index", "index_low", "index_high"))
    group, baseline = (escaped(shortened(spoken(row[name]), _LONGEST)) for name in ("group", "baseline"))
    adjusted = row["p_adjusted"]
    return "<br>".join(
        [
            f"<b>{row['name']}</b> · {group}",
            f"index {index} ({low} to {high})",
            f"as counted {raw} ({raw_low} to {raw_high})",
            f"{percent(row['share'])} of {int(row['n'])} sites, {baseline} {percent(row['baseline_share'])}",
            f"{_MEANINGS.get(str(row['verdict']), row['verdict'])}"
            + (f", adjusted p {adjusted:.2g}" if pd.notna(adjusted) else ""),
        ]
    )


def _dress(figure: go.Figure, order: Sequence[str], span: tuple[float, float], scale: str, *, several: bool) -> None:
    """Set the axes and the line at 100."""
    if scale == "log":
        ticks = [tick for tick in _TICKS if span[0] <= tick <= span[1]]
        if len(ticks) > _MOST_TICKS:
            # Every second one to either side of 100.
            ticks = [tick for tick in ticks if (_TICKS.index(tick) - _TICKS.index(_WHOLE)) % 2 == 0]
        figure.update_xaxes(type="log", range=[math.log10(end) for end in span], tickvals=ticks, minor_ticks="")
    else:
        figure.update_xaxes(range=list(span), nticks=_LINEAR_TICKS)
    figure.update_xaxes(title="Index (100 = as common as in the baseline)", tickformat=",d", zeroline=False)
    figure.update_yaxes(
        range=[len(order) - 0.5, -0.5],
        tickvals=list(range(len(order))),
        ticktext=list(order),
        zeroline=False,
        showgrid=not several,
        ticklabelstandoff=12,
    )
    across = {"type": "rect", "xref": "paper", "x0": 0, "x1": 1, "fillcolor": _STRIPE, "layer": "below"}
    stripes = [
        {**across, "y0": row - 0.5, "y1": row + 0.5, "line": {"width": 0}}
        for row in range(0, len(order) if several else 0, 2)
    ]
    line = {"type": "line", "x0": _WHOLE, "x1": _WHOLE, "yref": "paper", "y0": 0, "y1": 1, **_AT_100}
    figure.update_layout(shapes=[*stripes, line], showlegend=True)


def _write_numbers(figure: go.Figure, shown: pd.DataFrame) -> None:
    """Write each index and its sites beside the plot: what can be read needs no hovering, also on paper."""
    notes: list[dict[str, Any]] = [{"text": "index · sites", "yref": "paper", "y": 1, "yanchor": "bottom"}]
    sure = shown["verdict"].isin(SHOWN) & ~reaches_100(shown)
    for row, is_sure in zip(shown.to_dict("records"), sure, strict=True):
        text = f"{index_words(float(row['shrunken_index']))} · {int(row['with_code'])} of {int(row['n'])}"
        notes.append({"text": f"<b>{text}</b>" if is_sure else text, "y": row["row"], "yref": "y"})
    common = {"xref": "paper", "x": 1, "xanchor": "left", "xshift": 10, "showarrow": False, "font": {"size": 12}}
    figure.update_layout(annotations=[common | note for note in notes], margin={"r": _NUMBERS_WIDTH})
