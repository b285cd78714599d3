"""Which part of a group's sites has each value of one dimension, beside its baseline's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from toolkit.charts import colours
from toolkit.charts.comparison import COMPARED, NUMBERS
from toolkit.charts.labels import distinct, escaped, without_middle
from toolkit.charts.template import Chart, check_columns, finish, footer_of, share_ticks
from toolkit.charts.wording import (
    chosen_groups,
    finding_of,
    in_group_words,
    inferred_among,
    own_codes,
    percent,
    spoken,
)
from toolkit.findings.compare import REST
from toolkit.findings.insights.sentences import value_in_words
from toolkit.interface.checks import check_whole
from toolkit.interface.errors import InputError
from toolkit.interface.text import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Hashable

    import pandas as pd
    import plotly.graph_objects as go

__all__ = ["beside"]

_MOST: Final = 12
_LINE: Final = 20
_COUNTS_WIDTH: Final = 140
_LONGEST: Final = 48
_LONGEST_BASELINE: Final = 24
#: What one site alone has is no row of a picture.
_LEAST_SITES: Final = 2
_TICK: Final = {"symbol": "line-ns", "size": 15, "line": {"color": colours.QUIET, "width": 3}}


def beside(compared: pd.DataFrame, group: str, dimension: str, code: str, *, most: int = _MOST) -> go.Figure:
    """Draw which part of a group's sites has a value, beside its baseline, and so for other values of its dimension.

    Parameters
    ----------
    compared : DataFrame
        As `toolkit.findings.compare.compare` returns it.
    group, dimension, code : str
        The value that the picture is about, and of which group.
    most : int
        At most so many rows.

    Returns
    -------
    Figure
        One row a value of the dimension, that of `code` first and in colour, then those that differ most: a dot at the
        share of the group's sites, a grey line at the baseline's, and the counts beside them. Values that one site
        alone has, that are on another level, or by which the group was made have no row.

    Raises
    ------
    InputError
        If the frame is no comparison, or has no such row.

    Examples
    --------
    >>> from toolkit import sample_run
    >>> compared = sample_run().compare("audience_type", "rest", of="technologies")
    >>> beside(compared, "b2b", "technology kind", "E-commerce").layout.yaxis.ticktext[0]
    '<b>E-commerce</b>'
    """
    check_columns(compared, COMPARED, "comparison", NUMBERS)
    most = check_whole(most, "most", 1)
    of_group = compared[compared["group"].astype(str).eq(group)].reset_index(drop=True)
    chosen_groups(compared.assign(group=compared["group"].astype(str)), group)
    mine = of_group[of_group["dimension"].astype(str).eq(dimension)]
    is_it = mine["code"].astype(str).eq(code)
    if not is_it.any():
        raise InputError(f"The group {group!r} has no row of {dimension} {code!r}. Pass a value of the comparison.")
    is_rest = mine["baseline"].astype(str).eq(REST)
    mine = mine.assign(told=is_it, apart=(mine["share"] - mine["baseline_share"]).abs().round(9), own=own_codes(mine))
    compared, mine, [group] = in_group_words(compared, mine, [group])
    best = mine[is_it].iloc[0]
    every = (mine["baseline_with"] + mine["with_code"].where(is_rest, 0)).clip(lower=mine["with_code"])
    # A main topic is its own parent.
    is_top = mine["parent"].isna() | mine["parent"].eq(mine["code"]) | mine["parent"].eq(mine["label"])
    fit = (every >= _LEAST_SITES) & is_top.eq(is_top[is_it].iloc[0]) & ~mine["own"] & mine["share"].notna()
    rows = mine[fit | is_it].sort_values(["told", "apart", "code"], ascending=[False, False, True], kind="stable")
    drawn = rows.head(most).reset_index(drop=True)
    baseline = str(best["baseline"])
    others = "all other sites" if baseline == REST else shortened(printable(spoken(baseline)), _LONGEST_BASELINE)
    who = shortened(printable(spoken(group)), _LONGEST)
    figure = Chart()
    sizes = (f"{who} ({int(best['n'])})", f"{others} ({int(best['baseline_n'])})")
    _draw_beside(figure, drawn, (escaped(sizes[0]), escaped(sizes[1])))
    title = finding_of(best)
    some = f"the {len(drawn)} that differ most of {len(rows)}" if len(drawn) < len(rows) else ""
    finish(
        figure,
        title,
        footer_of({**compared.attrs.get("about", {}), "taxonomy": None}, [some, inferred_among([dimension])]),
        len(drawn) * 1.15,
        legend=1,
        ticks=_LINE,
        alt=f"{title}. A dot is the share of {who}, a line that of {others}.",
        data=drawn[list(COMPARED)],
    )
    names = _values_of(drawn)
    figure.update_xaxes(title="Share of sites", range=[-0.02, 1.02], zeroline=False)
    figure.update_xaxes(share_ticks([0, 0.25, 0.5, 0.75, 1]))
    figure.update_yaxes(range=[len(drawn) - 0.5, -0.5], zeroline=False, ticklabelstandoff=12)
    figure.update_yaxes(tickvals=list(range(len(drawn))), ticktext=[f"<b>{names[0]}</b>", *names[1:]])
    _write_counts(figure, drawn)
    return figure


def _draw_beside(figure: go.Figure, drawn: pd.DataFrame, names: tuple[str, str]) -> None:
    """Draw a dot of the group and a line of its baseline in each row, of which the first is told; names are escaped."""
    heights, shades = list(range(len(drawn))), [colours.OVER, *[colours.QUIET] * (len(drawn) - 1)]
    shares = list(drawn[["share", "baseline_share"]].itertuples(index=False, name=None))
    hovers = [
        f"<b>{name}</b><br>{names[0].rpartition(' (')[0]}: {of} ({percent(share)})"
        f"<br>{names[1].rpartition(' (')[0]}: {base_of} ({percent(base)})"
        for name, (of, base_of), (share, base) in zip(_values_of(drawn), _counts_of(drawn), shares, strict=True)
    ]
    for height, (share, base) in zip(heights, shares, strict=True):
        figure.add_scatter(
            x=[base, share],
            y=[height, height],
            mode="lines",
            line={"color": shades[height], "width": 1 if height else 2},
            hoverinfo="skip",
            showlegend=False,
        )
    for name, place, marker in (
        (names[0], 0, {"symbol": "circle", "size": 12, "color": shades, "line": {"width": 0}}),
        (names[1], 1, _TICK),
    ):
        figure.add_scatter(
            name=name,
            x=[pair[place] for pair in shares],
            y=heights,
            mode="markers",
            marker=marker,
            cliponaxis=False,
            hovertext=hovers,
            hovertemplate="%{hovertext}<extra></extra>",
        )
    figure.update_layout(showlegend=True)


def _values_of(drawn: pd.DataFrame) -> list[str]:
    """Return what an axis shows of each value of a dimension, escaped: the words of a sentence."""
    rows: list[tuple[Hashable, list[str]]] = []
    for dimension, code, label in drawn[["dimension", "code", "label"]].itertuples(index=False, name=None):
        said = value_in_words(str(dimension), str(code), label)
        said = said[:1].upper() + said[1:]
        rows.append((str(code), [without_middle(said, _LONGEST), without_middle(f"{said} ({code})", _LONGEST * 2)]))
    return distinct(rows)


def _counts_of(drawn: pd.DataFrame) -> list[tuple[str, str]]:
    columns = drawn[["with_code", "n", "baseline_with", "baseline_n"]]
    return [
        (f"{k:,} of {n:,}", f"{other_k:,} of {other_n:,}")
        for k, n, other_k, other_n in columns.astype("int64").itertuples(index=False, name=None)
    ]


def _write_counts(figure: go.Figure, drawn: pd.DataFrame) -> None:
    """Write how many sites of the group and of the baseline have each value beside the plot."""
    notes: list[dict[str, Any]] = [{"text": "sites · others", "yref": "paper", "y": 1, "yanchor": "bottom"}]
    for row, (mine, others) in enumerate(_counts_of(drawn)):
        notes.append({"text": f"{mine} · {others}" if row else f"<b>{mine} · {others}</b>", "y": row, "yref": "y"})
    common = {"xref": "paper", "x": 1, "xanchor": "left", "xshift": 10, "showarrow": False, "font": {"size": 12}}
    figure.update_layout(annotations=[common | note for note in notes], margin={"r": _COUNTS_WIDTH})
