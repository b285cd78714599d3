"""How sure the service is: bands of each dimension, or how the confidences of categories are spread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolkit.charts import colours
from toolkit.charts.labels import escaped
from toolkit.charts.template import Chart, check_columns, empty, even_shares, finish, footer_of, share_ticks
from toolkit.charts.wording import (
    PERCENT_FROM,
    alike,
    footer_of_coverage,
    inferred_among,
    is_inferred,
    nouns_of,
    percent,
    plain_names,
)
from toolkit.frames.schemas import SCALARS
from toolkit.interface.text import counted, percentage, printable, shortened
from toolkit.interface.words.labels import field_label

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

__all__ = ["confidence_distribution"]

_BANDS: Final = ("dimension", "confidence", "sites", "share")
_BINS: Final = ("low", "high", "count", "share")
#: From low to high, darker with certainty; what is not stated is white.
_SHADES: Final = colours.BANDS | {"": colours.PAPER}
_INK: Final = dict.fromkeys(["low", "medium"], colours.INK_ON) | {"": colours.INK, "high": colours.PAPER}
_EDGE: Final = colours.BANDS["high"]
_BAR: Final = colours.BANDS["medium"]
#: A narrower part of a bar holds no text.
_LEAST_LABELLED: Final = 0.06
_LONGEST_NAME: Final = 40
_MOST_NAMED: Final = 3
_MOST_DIMENSIONS: Final = 12
_ROWS: Final = 12
_MOST_TICKS: Final = 10
_HALF: Final = 0.5
_INFERRED: Final = " (inferred)"
_ONLY_INFERRED: Final = "The confidences are of what is inferred of readers, whom nobody counted"


def confidence_distribution(frame: pd.DataFrame) -> go.Figure:
    """Draw how sure the service is.

    Parameters
    ----------
    frame : DataFrame
        What `toolkit.findings.shares.confidence_bands` or `toolkit.findings.shares.confidence_bins` returns.

    Returns
    -------
    Figure
        Of bands one bar a dimension, divided into low, medium, high and not stated. Of bins one bar a step from 0 to 1,
        as high as the number of categories in it.

    Raises
    ------
    InputError
        If the frame is neither.

    Examples
    --------
    >>> import pandas as pd
    >>> bins = pd.DataFrame({"low": [0.0, 0.5], "high": [0.5, 1.0], "count": [1, 3], "share": [0.25, 0.75]})
    >>> confidence_distribution(bins).layout.title.text.split("<br>")[0]
    '3 of the 4 topics given to sites are at least 50 % sure'
    """
    if "dimension" in getattr(frame, "columns", ()):
        check_columns(frame, _BANDS, "confidence_bands")
        return _of_bands(frame)
    check_columns(frame, _BINS, "confidence_bins")
    return _of_bins(frame)


def _of_bands(frame: pd.DataFrame) -> go.Figure:
    rows = frame.assign(band=[value if isinstance(value, str) else "" for value in frame["confidence"]])
    rows = rows[rows["sites"] > 0]
    about = frame.attrs.get("about", {})
    stated = set(rows.loc[rows["band"] != "", "dimension"])
    if not stated:
        return empty("No dimension has a confidence", footer_of(about) or "The frame has no sites")
    # Those of the most sites; dimensions of as many stand in the frame's order.
    sizes = rows[rows["dimension"].isin(stated)].groupby("dimension", sort=False, observed=True)["sites"].sum()
    most = sizes.sort_values(ascending=False, kind="stable").index[:_MOST_DIMENSIONS]
    drawn = rows[rows["dimension"].isin(most)]
    names = plain_names(map(_told, drawn["dimension"]), _LONGEST_NAME + len(_INFERRED))
    order = [names[_told(name)] for name in dict.fromkeys(drawn["dimension"])]
    figure = Chart()
    for band in [*_SHADES, *sorted(set(drawn["band"]) - set(_SHADES))]:
        mine = drawn[drawn["band"] == band]
        if len(mine):
            _add_band(figure, mine, band, [names[_told(name)] for name in mine["dimension"]])
    measured = drawn[[not is_inferred(name) for name in drawn["dimension"]]]
    title = _title_of_bands(measured) if len(measured) else _ONLY_INFERRED
    silent = [name for name in dict.fromkeys(rows["dimension"]) if name not in stated]
    left_out = f"the {len(order)} dimensions of most sites of {len(sizes)}" if len(order) < len(sizes) else ""
    finish(
        figure,
        title,
        footer_of(
            about, ["each site with its highest band", left_out, _silent(silent), inferred_among(drawn["dimension"])]
        ),
        rows=len(order),
        legend=1,
        alt=f"Stacked bars, one a dimension, of the confidence bands of its sites. {title}.",
        data=frame,
    )
    figure.update_layout(barmode="stack", bargap=0.15, legend={"traceorder": "normal"})
    figure.update_xaxes(title="Share of the sites that have the dimension; numbers: sites")
    figure.update_xaxes(range=[0, 1], **share_ticks(even_shares(1)))
    figure.update_yaxes(type="category", categoryorder="array", categoryarray=order[::-1])
    return figure


def _add_band(figure: go.Figure, mine: pd.DataFrame, band: str, places: list[str]) -> None:
    said = f"{escaped(band)} confidence" if band else "not stated"
    counts = list(mine[["sites", "share"]].itertuples(index=False, name=None))
    figure.add_bar(
        name=said,
        x=mine["share"].tolist(),
        y=places,
        orientation="h",
        marker={"color": _SHADES.get(band, colours.OTHER_BAND), "line": {"color": _EDGE, "width": 1}},
        text=[str(sites) if share >= _LEAST_LABELLED else "" for sites, share in counts],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        textfont={"color": _INK.get(band, colours.INK_ON), "size": 12},
        hovertext=[f"{counted(sites, 'site')}, {percent(share)}" for sites, share in counts],
        hovertemplate="%{y}<br>%{hovertext}<extra>" + said + "</extra>",
    )


def _plain(name: object) -> str:
    return shortened(printable(field_label(str(name))).lower(), _LONGEST_NAME)


def _spoken(name: object) -> str:
    """Return a dimension as one says it in a sentence: of what a site has one of, with its article."""
    return f"the {_plain(name)}" if name in SCALARS else _plain(name)


def _told(name: object) -> str:
    return _plain(name) + _INFERRED * is_inferred(name)


def _silent(dimensions: list[str]) -> str:
    if not dimensions:
        return ""
    named = ", ".join(map(_plain, dimensions[:_MOST_NAMED]))
    more = f" and {len(dimensions) - _MOST_NAMED} more" if len(dimensions) > _MOST_NAMED else ""
    return f"none stated of {named}{more}"


def _title_of_bands(drawn: pd.DataFrame) -> str:
    """Say of which dimension the service is surest, and of which least; none that is inferred, which nobody counted."""
    high = drawn[drawn["band"] == "high"].set_index("dimension")["share"]
    sure = {name: float(high.get(name, 0.0)) for name in dict.fromkeys(drawn["dimension"])}
    if not any(sure.values()):
        return "No dimension that is measured has a high confidence on any site"
    best, worst = max(sure.values()), min(sure.values())
    if best == worst:
        if len(sure) == 1:
            name = _plain(next(iter(sure)))
            return f"{name[0].upper()}{name[1:]}: high confidence on {percent(best)} of sites"
        return f"All {len(sure)} measured dimensions have a high confidence on {percent(best)} of sites"
    surest, least = ([_spoken(name) for name, share in sure.items() if share == end] for end in (best, worst))
    low = f"on {percent(worst)}" if worst else "on none"
    high_on = f"high confidence on {percent(best)} of the sites"
    return f"The service is surest of {alike(surest)} ({high_on}) and least sure of {alike(least)} ({low})"


def _of_bins(frame: pd.DataFrame) -> go.Figure:
    about = frame.attrs.get("about", {})
    one, many = nouns_of(str(about.get("taxonomy") or ""))
    whole = int(frame["count"].sum())
    if not whole:
        return empty(f"No {one} has a confidence", footer_of_coverage(about) or "The frame has no counts")
    figure = Chart()
    steps = [f"{percentage(low)} to {percentage(high)}" for low, high in frame[["low", "high"]].to_numpy()]
    figure.add_bar(
        x=[(low + high) / 2 for low, high in frame[["low", "high"]].to_numpy()],
        width=[high - low for low, high in frame[["low", "high"]].to_numpy()],
        y=frame["count"].tolist(),
        marker={"color": _BAR, "line": {"color": _EDGE, "width": 1}},
        text=[str(count) if count else "" for count in frame["count"]],
        textposition="outside",
        cliponaxis=False,
        hovertext=[
            f"confidence {step}<br>{count} of {whole} ({percent(share)})"
            for step, count, share in zip(steps, frame["count"], frame["share"], strict=True)
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    unstated = int(about.get("unstated") or 0)
    title = _title_of_bins(frame, (one, many), stated_only=unstated > 0)
    finish(
        figure,
        title,
        footer_of_coverage(about, [f"{unstated} without a confidence not drawn" if unstated else ""]),
        rows=_ROWS,
        alt=f"A histogram of the confidences of {counted(whole, one, many)}, from 0 to 1. {title}.",
        data=frame,
    )
    edges = [*frame["low"], frame["high"].iloc[-1]]
    figure.update_layout(bargap=0, showlegend=False)
    figure.update_xaxes(title="Confidence", range=[-0.01, 1.01])
    figure.update_xaxes(share_ticks(edges if len(edges) <= _MOST_TICKS + 1 else even_shares(1)))
    figure.update_yaxes(title=escaped(f"{many[0].upper()}{many[1:]} of sites"), rangemode="tozero", tickformat=",d")
    return figure


def _title_of_bins(frame: pd.DataFrame, nouns: tuple[str, str], *, stated_only: bool) -> str:
    whole = int(frame["count"].sum())
    upper = frame[frame["low"] >= _HALF]
    if upper.empty:
        return f"{counted(whole, *nouns)} with a confidence"
    sure, least = int(upper["count"].sum()), percent(float(upper["low"].min()))
    part = percent(sure / whole).capitalize() if whole >= PERCENT_FROM else f"{sure:,}"
    stated = " with a stated confidence" * stated_only
    verb = "is" if sure == 1 else "are"
    # A topic counts once a site.
    return f"{part} of the {whole:,} {nouns[1]} given to sites{stated} {verb} at least {least} sure"
