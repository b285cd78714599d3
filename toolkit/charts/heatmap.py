"""Groups beside each other: the index of every code in every group, and what groups have in common."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import plotly.graph_objects as go

from toolkit.charts import colours
from toolkit.charts.comparison import COMPARED, NUMBERS, reaches_100, sizes_of
from toolkit.charts.template import Chart, check_columns, empty, finish, footer_of
from toolkit.charts.wording import (
    LUCK,
    SAME,
    SHOWN,
    about_of,
    chosen_groups,
    code_names,
    finding_of,
    headings,
    in_group_words,
    index_words,
    inferred_among,
    most_telling,
    own_codes,
    percent,
    plain_names,
    telling_groups,
    things_in,
    things_of,
    weight_of,
    whole_list,
)
from toolkit.interface.checks import check_whole
from toolkit.interface.text import counted

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import pandas as pd

__all__ = ["heatmap"]

_MOST_GROUPS: Final = 12
_MOST: Final = 12
_LONGEST_GROUP: Final = 24
_WHOLE: Final = 100
#: From orange over white to blue: colour-blind people can tell them apart. Both ends print dark; the numbers say which.
_COLORS: Final = colours.DIVERGING
#: Doublings from 100 at which the colours end.
_DEEPEST: Final = 2
_TICKS: Final = (25, 50, 100, 200, 400)
#: Rows from which all ticks have room.
_TALL: Final = 5
_THIN: Final = "–"
#: The test counts, the interval allows for luck: they need not say the same.
_PLAIN: Final = "not bold: shown, but its interval reaches 100"
_MEANINGS: Final = {"over": "more common", "under": "less common", SAME: SAME}
#: A cell that may be chance has no colour, however far its index is from 100: the ground shows, in every theme.
_NONE: Final = ((0, "rgba(0, 0, 0, 0)"), (1, "rgba(0, 0, 0, 0)"))
#: Without a title of the axis below.
_BOTTOM: Final = 20


def heatmap(compared: pd.DataFrame, most: int | None = None, *, groups: str | Sequence[str] | None = None) -> go.Figure:
    """Draw the index of each code in each group.

    Parameters
    ----------
    compared : DataFrame
        As `toolkit.findings.compare.compare` returns it.
    most : int, optional
        How many codes to draw, of those that differ in a group if any does: those that set any group furthest apart
        come first, and those last that groups were made by, such as the category Travel in a group Travel. By default
        12.
    groups : str or sequence of str, optional
        Which groups to draw, in this order; by default all, the largest first. Of more than twelve, those are drawn
        that differ most. The baseline itself is left out.

    Returns
    -------
    Figure
        A column a group, a row a code, ordered by the group that it sets apart most. Each cell has its shrunken
        index, in colour where a difference is shown, and bold unless its interval reaches 100 nevertheless; it is
        empty where not, and a dash stands for too few sites. The title is about all groups, or those asked for, drawn
        or not.

    Raises
    ------
    InputError
        If the frame is no comparison, has no such group, or ``most`` is no number of rows.
    """
    check_columns(compared, COMPARED, "comparison", NUMBERS)
    if most is not None:
        most = check_whole(most, "most", 1)
    others = compared.reset_index(drop=True)
    others = others.assign(group=others["group"].astype(str), verdict=others["verdict"].astype(str))
    others = others[others["group"] != others["baseline"].astype(str)]
    others = others.assign(own=own_codes(others))
    fit = others["verdict"].isin((*SHOWN, SAME)) & others["shrunken_index"].notna()
    # Groups of which nothing can be said only take room, unless they are asked for.
    every = chosen_groups(others if groups is not None or not fit.any() else others[fit], groups)
    compared, others, every = in_group_words(compared, others, every)
    asked = others[others["group"].isin(every)]
    asked = asked.assign(name=code_names(asked))
    usable = asked[fit.loc[asked.index]]
    whole = whole_list(asked, every)
    if usable.empty or whole:
        about, notes = sizes_of(asked, every, about_of(compared))
        message = whole or (f"Too few sites for an index of any of {things_in(asked)}" if len(asked) else "")
        return empty(message or "There is nothing to compare", footer_of(about, notes) or "The comparison has no rows")
    usable = usable.assign(weight=weight_of(usable))
    columns, left_out = telling_groups(usable, every, _MOST_GROUPS)
    asked = asked[asked["group"].isin(columns)]
    about, notes = sizes_of(asked, columns, about_of(compared))
    drawn = usable[usable["group"].isin(columns)]
    ordered = drawn.sort_values(["own", "weight", "name", "group"], ascending=[True, False, True, True])
    leading = ordered.drop_duplicates("name")
    # A row without a difference is an empty row.
    differ = ordered["name"].isin(ordered.loc[ordered["verdict"].isin(SHOWN), "name"])
    kept = most_telling(ordered[differ] if differ.any() else ordered, most or _MOST)
    place = kept["group"].map({group: position for position, group in enumerate(columns)})
    place = place.mask(kept["own"], len(columns))
    order = kept.assign(place=place).sort_values("place", kind="stable")["name"].tolist()
    shown = asked[asked["name"].isin(order)]
    shown = shown.assign(sure=shown["verdict"].isin(SHOWN) & ~reaches_100(shown))
    names = {
        group: f"{name} ({int(shown.loc[shown['group'] == group, 'n'].max())})"
        for group, name in plain_names(columns, _LONGEST_GROUP).items()
        if (shown["group"] == group).any()
    }
    told = usable[usable["name"].isin(order) & usable["group"].isin(names)]
    has_thin = len(told) < len(order) * len(names)
    heads, angle, height = headings(names.values())
    figure = Chart(_cells(shown, order, names))
    differing = int(usable["verdict"].isin(SHOWN).sum())
    codes, things = usable["name"].nunique(), things_of(usable["dimension"])
    same = ordered.loc[~differ, "name"].nunique() if differ.any() else 0
    title = _title(leading.iloc[0], usable, len(every))
    notes += [
        left_out,
        f"the {len(order)} most telling of {counted(codes, *things)}" if len(order) < codes else "",
        f"{same} without a difference" if same else "",
        "empty: none shown" + "; dash: too few sites" * has_thin,
        _PLAIN if reaches_100(shown).any() else "",
        inferred_among(shown["dimension"]),
        LUCK,
    ]
    finish(
        figure,
        title,
        footer_of(about, notes),
        len(order),
        ticks=height,
        alt=f"{title}. Of {counted(len(usable), 'index', 'indices')} of {counted(len(every), 'group')} and "
        f"{counted(codes, *things)}, {differing} differ from the baseline.",
        data=shown.assign(row=shown["name"].map(order.index)).sort_values(["row", "group"])[list(COMPARED)],
    )
    figure.update_xaxes(
        side="top",
        tickangle=angle,
        tickvals=list(range(len(heads))),
        ticktext=heads,
        automargin=False,
        showgrid=False,
        zeroline=False,
        ticks="",
    )
    figure.update_yaxes(
        range=[len(order) - 0.5, -0.5],
        tickvals=list(range(len(order))),
        ticktext=order,
        showgrid=False,
        zeroline=False,
        ticks="",
    )
    figure.update_layout(margin={"b": _BOTTOM})
    return figure


def _title(best: pd.Series, usable: pd.DataFrame, groups: int) -> str:
    others = usable[~usable["own"]]
    if best["verdict"] in SHOWN:
        return finding_of(best, others)
    new, codes = others["name"].nunique(), usable["name"].nunique()
    said = counted(new or codes, *things_of((others if new else usable)["dimension"]))
    said += " besides their own" * (0 < new < codes)
    return f"No difference between {counted(groups, 'group')} and the baseline is shown in {said}"


def _cells(shown: pd.DataFrame, order: Sequence[str], names: dict[str, str]) -> list[go.Heatmap]:
    """Return three layers: findings in colours, and without any what may be chance, and too few sites."""
    found = {(row["name"], row["group"]): row for row in shown.to_dict("records")}
    grid = [[found.get((code, group)) for group in names] for code in order]
    # Of a low picture the words of five ticks would lie on each other.
    marks = _TICKS if len(order) >= _TALL else _TICKS[::2] if len(order) > 1 else _TICKS[:: len(_TICKS) - 1]
    words = {_TICKS[0]: f"≤ {_TICKS[0]}", _TICKS[-1]: f"≥ {_TICKS[-1]}"}
    colors = {"colorscale": _COLORS, "zmin": -_DEEPEST, "zmax": _DEEPEST}
    colorbar = {
        "title": {"text": "Index", "side": "top"},
        "tickvals": [math.log2(mark / _WHOLE) for mark in marks],
        "ticktext": [words.get(mark, str(mark)) for mark in marks],
        "thickness": 12,
        "outlinewidth": 0,
    }
    layers: list[tuple[str, dict[str, Any]]] = [
        ("thin", {"colorscale": _NONE, "showscale": False, "textfont": {"size": 12, "color": colours.INK}}),
        ("blank", {"colorscale": _NONE, "showscale": False}),
        ("full", {**colors, "colorbar": colorbar}),
    ]
    return [
        go.Heatmap(
            **{"textfont": {"size": 12}, **look},
            z=[[_depth(row) if _layer(row) == name else None for row in rows] for rows in grid],
            text=[[_text(row) if _layer(row) == name else "" for row in rows] for rows in grid],
            hovertext=[
                [_hover(row, head) if row else "" for row, head in zip(rows, names.values(), strict=True)]
                for rows in grid
            ],
            texttemplate="%{text}",
            hovertemplate="%{hovertext}<extra></extra>",
            hoverongaps=False,
            xgap=2,
            ygap=2,
        )
        for name, look in layers
    ]


def _layer(row: dict[Hashable, Any] | None) -> str:
    if row is None or row["verdict"] not in (*SHOWN, SAME) or math.isnan(float(row["shrunken_index"])):
        return "thin"
    return "full" if row["verdict"] in SHOWN else "blank"


def _depth(row: dict[Hashable, Any] | None) -> float:
    """Return doublings from 100 within the colours; 0 where no difference is shown."""
    index = math.nan if row is None or _layer(row) != "full" else float(row["shrunken_index"])
    if math.isnan(index):
        return 0
    if not index or math.isinf(index):
        return _DEEPEST if index else -_DEEPEST
    return min(max(math.log2(index / _WHOLE), -_DEEPEST), _DEEPEST)


def _text(row: dict[Hashable, Any] | None) -> str:
    if row is None or _layer(row) == "thin":
        return _THIN
    # A number that may be chance is read as if it were none.
    said = index_words(float(row["shrunken_index"])) if row["verdict"] in SHOWN else ""
    return f"<b>{said}</b>" if row["sure"] else said


def _hover(row: dict[Hashable, Any], group: str) -> str:
    index, low, high = (index_words(float(row[f"shrunken_{part}"])) for part in ("index", "low", "high"))
    return "<br>".join(
        [
            f"<b>{row['name']}</b> · {group}",
            f"index {index} ({low} to {high}), as counted {index_words(float(row['index']))}",
            f"{percent(row['share'])}, baseline {percent(row['baseline_share'])}",
            _MEANINGS.get(str(row["verdict"]), "too few sites"),
        ]
    )
