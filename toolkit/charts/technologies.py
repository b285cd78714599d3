"""Which technologies sites use: sorted bars with intervals, each with what the technology is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pandas as pd

from toolkit.charts import colours
from toolkit.charts.labels import escaped
from toolkit.charts.template import Chart, check_columns, empty, even_shares, finish, footer_of, share_ticks
from toolkit.charts.wording import alike, by_weight, drawn_columns, of_sites, percent, plain_names
from toolkit.interface.checks import check_whole
from toolkit.interface.text import counted, printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

    import plotly.graph_objects as go

__all__ = ["technologies"]

_NEEDED: Final = ("category", "technology", "n", "with_technology", "share", "share_low", "share_high")
#: What the title names, and the rest.
_LEADING: Final = colours.OVER
_OTHERS: Final = colours.OTHER_BAND
_OTHER: Final = "other"
_LONGEST: Final = 40
_LONGEST_CATEGORY: Final = 24
_CHARACTER: Final = 7
#: What stands beside the axis's end: the number of a bar.
_ROOM: Final = 1.18


def technologies(shared: pd.DataFrame, most: int = 12) -> go.Figure:
    """Draw which part of the sites uses each technology.

    Parameters
    ----------
    shared : DataFrame
        What `toolkit.findings.shares.technology_shares` returns.
    most : int
        At most so many technologies, those of the most sites.

    Returns
    -------
    Figure
        Horizontal bars with intervals, one a technology, of the share of sites, or of a weight that the frame has,
        sorted, with their numbers and, at the right, what the technology is for. Those that the title names are blue.

    Raises
    ------
    InputError
        If the frame is none of technology shares, or `most` no number above 0.
    """
    check_columns(shared, _NEEDED, "technology_shares")
    most = check_whole(most, "most", 1, advice="Give a whole number above 0.")
    about = shared.attrs.get("about", {})
    shared, weight = by_weight(shared)
    used = shared[shared["with_technology"] > 0]
    if used.empty:
        return empty("No technology is known of these sites", footer_of(about) or "The frame has no technologies")
    used = used.assign(category=used["category"].astype(object).fillna(_OTHER))
    most_used = (["share"] if weight else []) + ["with_technology"]
    ranked = used.sort_values(
        [*most_used, "technology", "category"], ascending=[*(False for _ in most_used), True, True], kind="stable"
    )
    kept = ranked.head(most)
    drawn = kept.reset_index(drop=True)
    leading = drawn["share"] == drawn["share"].iloc[0]
    labels = _labels(drawn)
    figure = Chart()
    rows = list(range(len(drawn)))
    figure.add_bar(
        x=drawn["share"].tolist(),
        y=rows,
        orientation="h",
        marker={
            "color": [_LEADING if leads else _OTHERS for leads in leading],
            "line": {"color": colours.EDGE, "width": 0.75},
        },
        error_x={
            "type": "data",
            "symmetric": False,
            "array": (drawn["share_high"] - drawn["share"]).clip(lower=0).tolist(),
            "arrayminus": (drawn["share"] - drawn["share_low"]).clip(lower=0).tolist(),
            "color": colours.INK,
            "thickness": 1.2,
            "width": 4,
        },
        hovertext=[
            f"{escaped(name)} ({escaped(category)})<br>{count} of {counted(n, 'site')}"
            f"{f'<br>{percent(share)} of {escaped(weight)}' if weight else f': {percent(share)}'}"
            + f"<br>interval {percent(low)} to {percent(high)}"
            * pd.notna(low)
            for category, name, n, count, share, low, high in drawn[list(_NEEDED)].itertuples(index=False, name=None)
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        showlegend=False,
    )
    _write_numbers(figure, drawn, by_count=not weight)
    _name_categories(figure, drawn)
    title = _title_by_weight(ranked, weight) if weight else _title(ranked)
    of_many = f"the {len(kept)} of {len(used)} technologies with most {weight}" if len(kept) < len(used) else ""
    notes = [
        of_many if weight else _left_out(ranked, len(kept)),
        f"lines: {about.get('level', 0.95) * 100:g} % intervals",
        f"by {weight}" if weight else "",
    ]
    data = drawn[drawn_columns(_NEEDED, weight)]
    finish(figure, title, footer_of(about, notes), rows=len(drawn), alt=_alt(ranked, title), data=data)
    figure.update_layout(bargap=0.3, margin={"r": _room(drawn["category"])})
    top = float(drawn["share_high"].fillna(drawn["share"]).max()) * _ROOM
    whole = escaped(weight) if weight else f"the {counted(int(drawn['n'].max()), 'site')}"
    figure.update_xaxes(title=f"Share of {whole}", range=[0, top], **share_ticks(even_shares(top)))
    figure.update_yaxes(tickvals=rows, ticktext=labels, range=[len(drawn) - 0.5, -0.5], showgrid=False)
    return figure


def _labels(drawn: pd.DataFrame) -> list[str]:
    """Return what an axis shows of each technology; one name in two categories stands with its category."""
    twice = drawn["technology"].duplicated(keep=False)
    texts = [
        f"{name} ({category})" if same else str(name)
        for name, category, same in zip(drawn["technology"], drawn["category"], twice, strict=True)
    ]
    names = plain_names(texts, _LONGEST)
    return [names[text] for text in texts]


def _write_numbers(figure: go.Figure, drawn: pd.DataFrame, *, by_count: bool) -> None:
    """Write each bar's number behind its interval: of few sites the count, else the share."""
    counts = drawn[["with_technology", "n", "share"]].itertuples(index=False, name=None)
    said = [of_sites(*parts) for parts in counts] if by_count else [percent(share) for share in drawn["share"]]
    figure.add_scatter(
        x=drawn["share_high"].fillna(drawn["share"]).tolist(),
        y=list(range(len(drawn))),
        mode="text",
        text=[f" {number}" for number in said],
        textposition="middle right",
        textfont={"size": 12},
        cliponaxis=False,
        hoverinfo="skip",
        showlegend=False,
    )


def _name_categories(figure: go.Figure, drawn: pd.DataFrame) -> None:
    """Write beside each bar what its technology is for."""
    figure.update_layout(
        annotations=[
            {
                "x": 1,
                "xref": "paper",
                "xanchor": "left",
                "xshift": 10,
                "y": place,
                "yref": "y",
                "text": escaped(shortened(printable(str(name)), _LONGEST_CATEGORY)),
                "showarrow": False,
                "font": {"size": 12, "color": colours.EDGE},
            }
            for place, name in enumerate(drawn["category"])
        ]
    )


def _room(categories: Iterable[object]) -> int:
    return 24 + _CHARACTER * max(min(len(str(name)), _LONGEST_CATEGORY) for name in categories)


def _said(row: pd.Series) -> str:
    name = shortened(printable(str(row["technology"])), _LONGEST)
    return f"{name} on {row['with_technology']} of {counted(row['n'], 'site')}"


def _title(ranked: pd.DataFrame) -> str:
    first = ranked.iloc[0]
    tied = ranked.loc[ranked["with_technology"] == first["with_technology"], "technology"]
    if len(tied) > 1:
        many = alike([shortened(printable(str(name)), _LONGEST) for name in tied])
        return f"{many} are used most: each on {first['with_technology']} of {counted(first['n'], 'site')}"
    return f"{_said(first)} ({percent(first['share'])}) is used most"


def _left_out(ranked: pd.DataFrame, drawn: int) -> str:
    """Say how many technologies are not drawn, and how many of them are used as much as the last one that is."""
    if drawn >= len(ranked):
        return ""
    counts = ranked["with_technology"].to_numpy()
    as_many = int((counts[drawn:] == counts[drawn - 1]).sum())
    more = f"; {as_many} more {'is' if as_many == 1 else 'are'} on as many sites as the last" if as_many else ""
    return f"{drawn} of the {len(ranked)} technologies, the most used{more}"


def _title_by_weight(ranked: pd.DataFrame, weight: str) -> str:
    first = ranked.iloc[0]
    ties = int((ranked["share"] == first["share"]).sum())
    name, part = shortened(printable(str(first["technology"])), _LONGEST), percent(first["share"])
    if ties > 1:
        return f"{name} and {counted(ties - 1, 'more', 'more')} carry the most {weight}: {part} each"
    return f"{name} carries the most {weight}: {part}, on {first['with_technology']} of {counted(first['n'], 'site')}"


def _alt(ranked: pd.DataFrame, title: str) -> str:
    leaders = "; ".join(_said(row) for _, row in ranked.head(3).iterrows())
    return f"Bars with intervals of the technologies that sites use, by category. {title}. The first: {leaders}."
