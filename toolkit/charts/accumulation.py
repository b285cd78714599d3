"""How many categories ever more sites show, and how many there may be that none has shown yet."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.charts import colours
from toolkit.charts.template import Chart, check_columns, empty, finish
from toolkit.charts.wording import footer_of_coverage, nouns_of
from toolkit.findings.unseen import estimate_in_words
from toolkit.interface.errors import InputError
from toolkit.interface.text import counted, rounded

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from numpy.typing import NDArray

__all__ = ["accumulation_curve"]

_CURVE: Final = ("sites", "seen", "low", "high")
_ESTIMATE: Final = ("seen", "estimate", "low", "high")
_EXTRAPOLATED: Final = "extrapolated"
_LINE: Final = colours.ESTIMATE
_BAND: Final = "rgba(0, 114, 178, 0.18)"
_LIMIT: Final = colours.LIMIT
_LIMIT_BAND: Final = "rgba(213, 94, 0, 0.10)"
_NOW: Final = colours.QUIET
_LEAST_SITES: Final = 2
_FEW: Final = 8
_ROWS: Final = 17
_ROOM: Final = 1.12
#: An interval that reaches further than this many times the rest is cut; its label has the numbers.
_FURTHEST: Final = 2
#: Part of the height below which there is no room under a mark.
_LOW: Final = 0.2


def accumulation_curve(curve: pd.DataFrame, unseen: pd.DataFrame | None = None) -> go.Figure:
    """Draw how many categories ever more sites show.

    Parameters
    ----------
    curve : DataFrame
        What `toolkit.findings.accumulation` returns.
    unseen : DataFrame, optional
        What `toolkit.findings.unseen` returns for the same sites: the estimate becomes a line with its interval.

    Returns
    -------
    Figure
        A line with its interval as a band, dashed where it goes beyond the sites there are. An interval of the estimate
        that reaches far above everything else is cut; its label has the numbers. With one site, with nothing seen or
        where `unseen` has no estimate, nothing is foretold: the line ends at the sites there are.

    Raises
    ------
    InputError
        If a frame is not what it should be.

    Examples
    --------
    >>> import pandas as pd
    >>> curve = pd.DataFrame({"sites": [1, 2], "seen": [2.0, 3.0], "low": [1.0, 2.0], "high": [3.0, 4.0]})
    >>> accumulation_curve(curve).layout.title.text.split("<br>")[0]
    '2 sites show 3 topics'
    """
    check_columns(curve, _CURVE, "toolkit.findings.accumulation")
    if unseen is not None:
        check_columns(unseen, _ESTIMATE, "toolkit.findings.unseen")
        if len(unseen) != 1:
            raise InputError(f"The estimate has {len(unseen)} rows instead of one. Pass what unseen() returned.")
    about = curve.attrs.get("about", {})
    rows = curve.sort_values("sites", kind="stable")
    inside = rows[~_beyond(rows)]
    if inside.empty:
        return empty("There is no site to count", footer_of_coverage(about) or "The curve has no rows")
    now = inside.iloc[-1]
    # One site, or sites that show nothing, say nothing of what further ones would add.
    telling = bool(now["sites"] >= _LEAST_SITES and now["seen"] > 0)
    estimate = _estimate(unseen) if telling else {}
    if not telling or (unseen is not None and not estimate):
        rows, curve = inside, curve[~_beyond(curve)]
    further = rows[_beyond(rows) & (rows["sites"] > now["sites"]).to_numpy()]
    figure = Chart()
    _add_band(figure, rows)
    _add_line(figure, inside, "seen on so many of the sites, on average", "solid")
    if len(further):
        _add_line(figure, rows.loc[[inside.index[-1], *further.index]], "expected with further sites", "dash")
    _mark_now(figure, now, at_edge=further.empty, top=_top(rows, estimate))
    _check_same(about, now, estimate)
    one, many = nouns_of(str(about.get("taxonomy") or ""), about.get("tier"))
    if estimate:
        _add_estimate(figure, estimate)
    title = _title(now, further, estimate, (one, many), int(about.get("sites") or now["sites"]))
    finish(
        figure,
        title,
        footer_of_coverage(about, _notes(about, unseen, estimate)),
        rows=_ROWS,
        legend=1,
        alt=_alt(title, many, further, estimate),
        data=curve,
    )
    figure.update_xaxes(
        title="Sites",
        rangemode="tozero",
        range=[0, float(rows["sites"].max()) * 1.02],
        **_ticks(float(rows["sites"].max())),
    )
    top = _top(rows, estimate)
    figure.update_yaxes(title=f"{many[0].upper()}{many[1:]} seen", range=[0, top], **_ticks(top))
    figure.update_layout(showlegend=True)
    return figure


def _beyond(rows: pd.DataFrame) -> NDArray[np.bool_]:
    """Return which rows are of more sites than there are."""
    return np.asarray(rows["kind"] == _EXTRAPOLATED if "kind" in rows.columns else rows["sites"].isna(), dtype=bool)


def _estimate(unseen: pd.DataFrame | None) -> dict[str, Any]:
    """Return the row of the estimate, or nothing where there is none."""
    if unseen is None:
        return {}
    row = {str(name): value for name, value in unseen.iloc[0].items()}
    return row if math.isfinite(float(row["estimate"])) else {}


def _add_band(figure: go.Figure, rows: pd.DataFrame) -> None:
    known = rows[rows["low"].notna() & rows["high"].notna()]
    if known.empty:
        return
    figure.add_scatter(
        x=[*known["sites"], *known["sites"][::-1]],
        y=[*known["high"], *known["low"][::-1]],
        fill="toself",
        fillcolor=_BAND,
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
        name="interval",
    )


def _add_line(figure: go.Figure, rows: pd.DataFrame, name: str, dash: str) -> None:
    said = [
        f"{counted(sites, 'site')}: {_number(seen)} seen"
        + (f"<br>interval {_number(low)} to {_number(high)}" if math.isfinite(low) and math.isfinite(high) else "")
        for sites, seen, low, high in rows[list(_CURVE)].itertuples(index=False, name=None)
    ]
    figure.add_scatter(
        x=rows["sites"].tolist(),
        y=rows["seen"].tolist(),
        mode="lines" if len(rows) > 1 else "markers",
        line={"color": _LINE, "width": 2.5, "dash": dash},
        hovertext=said,
        hovertemplate="%{hovertext}<extra></extra>",
        name=name,
    )


def _mark_now(figure: go.Figure, now: pd.Series, *, at_edge: bool, top: float) -> None:
    seen = f"{_number(now['seen'])} seen on {counted(int(now['sites']), 'site')}"
    figure.add_scatter(
        x=[now["sites"]],
        y=[now["seen"]],
        mode="markers",
        marker={"color": _LINE, "size": 10, "line": {"color": colours.PAPER, "width": 1.5}},
        hovertext=[seen],
        hovertemplate="%{hovertext}<extra></extra>",
        showlegend=False,
    )
    aside: dict[str, Any] = {"ax": -36, "xanchor": "right"} if at_edge else {"ax": 36, "xanchor": "left"}
    # Below the axis, there is no room.
    aside["ay"] = 44 if now["seen"] > _LOW * top else -44
    figure.add_annotation(x=now["sites"], y=now["seen"], text=seen, arrowcolor=_NOW, arrowwidth=1, **aside)


def _add_estimate(figure: go.Figure, estimate: dict[str, Any]) -> None:
    low, high = float(estimate["low"]), float(estimate["high"])
    if math.isfinite(low) and math.isfinite(high):
        figure.add_hrect(y0=low, y1=high, fillcolor=_LIMIT_BAND, line_width=0, layer="below")
    figure.add_hline(y=float(estimate["estimate"]), line={"color": _LIMIT, "width": 2, "dash": "dot"})
    figure.add_annotation(
        x=0.01,
        xref="x domain",
        xanchor="left",
        y=float(estimate["estimate"]),
        yanchor="bottom",
        text=f"estimate of all: {estimate_in_words(estimate)}",
        showarrow=False,
        font={"color": _LIMIT},
    )


def _number(value: float) -> str:
    return f"{rounded(value):,}"


def _ticks(top: float) -> dict[str, Any]:
    """Return how an axis of whole numbers is marked; few numbers would stand there twice."""
    return {"tickformat": ",d", **({"dtick": 1} if top <= _FEW else {})}


def _top(rows: pd.DataFrame, estimate: dict[str, Any]) -> float:
    drawn = max(float(rows["seen"].max()), float(rows["high"].max()) if rows["high"].notna().any() else 0.0)
    if estimate:
        drawn = max(drawn, float(estimate["estimate"]))
        if math.isfinite(high := float(estimate["high"])):
            drawn = max(drawn, min(high, _FURTHEST * drawn))
    return max(drawn, 1.0) * _ROOM


def _check_same(about: dict[str, Any], now: pd.Series, estimate: dict[str, Any]) -> None:
    """Refuse an estimate of other sites than those of the curve: a title would set them side by side."""
    of_curve = int(about.get("sites") or now["sites"])
    of_estimate = int(estimate.get("sites") or of_curve)
    if of_curve != of_estimate:
        raise InputError(
            f"The estimate is of {counted(of_estimate, 'site')} and the curve of {of_curve}. "
            "Pass what accumulation() and unseen() return of the same coverage."
        )


def _title(now: pd.Series, further: pd.DataFrame, estimate: dict[str, Any], nouns: tuple[str, str], whole: int) -> str:
    seen = f"{_number(now['seen'])} {nouns[0] if rounded(now['seen']) == 1 else nouns[1]}"
    sites = int(now["sites"])
    verb = "shows" if sites == 1 else "show"
    said = f"{counted(sites, 'site')} {verb} {seen}"
    if sites < whole:
        said = f"Any {sites:,} of the {counted(whole, 'site')} {verb} on average {seen}"
    if estimate:
        if rounded(estimate["estimate"]) <= rounded(now["seen"]):
            if float(estimate["high"]) >= rounded(now["seen"]) + 1:
                most = _number(estimate["high"])
                return f"{said}; no further ones are estimated, but up to {most} in all are possible"
            return f"{said}, and sites like these are not expected to show more"
        return f"{said} of an estimated {estimate_in_words(estimate)}"
    if len(further):
        last = further.iloc[-1]
        more = last["seen"] - now["seen"]
        return f"{said}; {int(last['sites'] - sites):,} more would add about {_number(more)}"
    return said


def _notes(about: dict[str, Any], unseen: pd.DataFrame | None, estimate: dict[str, Any]) -> list[str]:
    # Chao's estimate is a lower bound, except where it is all there is.
    is_low = estimate and not estimate.get("capped")
    named = f"estimate: Chao2{', rather too low than too high' * bool(is_low)}" if estimate else ""
    more = estimate.get("more_sites_for_95")
    goal = f"95 % of it would take {int(more):,} more sites" if more is not None and pd.notna(more) and more > 0 else ""
    none = "no estimate: too few sites or topics" if unseen is not None and not estimate else ""
    return [
        named,
        goal,
        none,
        f"bands: {about.get('level', 0.95) * 100:g} % intervals",
    ]


def _alt(title: str, many: str, further: pd.DataFrame, estimate: dict[str, Any]) -> str:
    beyond = ", dashed beyond the sites there are" if len(further) else ""
    line = " A dotted line with a band is the estimate of all." if estimate else ""
    return f"A rising curve of {many} seen against the number of sites, with its interval{beyond}. {title}.{line}"
