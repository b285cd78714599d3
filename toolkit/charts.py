"""Pictures of frames. A chart draws what its frame says and returns a Figure; it fetches and computes nothing."""

from __future__ import annotations

import json
import sys
import textwrap
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import plotly.graph_objects as go
import plotly.io as pio

from toolkit.display import printable
from toolkit.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PALETTE", "category_confidence", "code_confidence", "display_bundle"]

#: Okabe and Ito's colours, which colour-blind people can tell apart, ordered so that neighbours differ in grey too.
PALETTE: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
_BANDS: Final = {"low": "#9ecae1", "medium": "#4292c6", "high": "#084594"}
#: Without plotly's logo, and without the button that uploads a chart to a cloud: analysts' data is confidential.
_CONFIG: Final = {"modeBarButtonsToRemove": ["sendChartToCloud"], "displaylogo": False, "responsive": True}
_LONGEST_LABEL: Final = 48
_ROW_HEIGHT: Final = 26
_FRAME_HEIGHT: Final = 160
_TITLE_WIDTH: Final = 84
_TITLE_LINE: Final = 22
_TOP: Final = 56
_MOST_TARGETS: Final = 6
_MOST_LEADERS: Final = 2
_MOST_ROWS: Final = 24
_DIMENSION_WORDS: Final = {
    "interest": "Interest",
    "purchase_intent": "Purchase intent",
    "interest_group": "Interest group",
}


def category_confidence(frame: pd.DataFrame, taxonomy: str = "content-v3") -> go.Figure:
    """Draw how certain each category of each target is.

    Parameters
    ----------
    frame : DataFrame
        A categories frame. Failures and other taxonomies are left out.
    taxonomy : str
        Which taxonomy to draw.

    Returns
    -------
    Figure
        Horizontal bars, one a category, coloured by target; at most six targets.

    Raises
    ------
    InputError
        If the frame is no categories frame.

    Examples
    --------
    >>> from toolkit import Client
    >>> from toolkit.frames import categories
    >>> figure = category_confidence(categories(Client().categorize("torque-journal.example")))
    >>> figure.layout.title.text.split(" (")[0]
    'Automotive leads for torque-journal.example'
    """
    _check_columns(frame, ("target", "taxonomy", "name", "level_1", "tier", "confidence", "fetched_at"), "categories")
    drawn = frame[(frame["taxonomy"] == taxonomy) & frame["confidence"].notna()]
    drawn = drawn.sort_values("rank", kind="stable").drop_duplicates(["target", "level_1", "name", "tier"])
    if drawn.empty:
        return _empty(f"No {taxonomy} category is supported by these pages")
    targets = list(dict.fromkeys(drawn["target"]))[:_MOST_TARGETS]
    drawn = drawn[drawn["target"].isin(targets)]
    labels = [_category_label(level, name, tier) for level, name, tier in drawn[["level_1", "name", "tier"]].to_numpy()]
    drawn = drawn.assign(label=labels)
    order = list(dict.fromkeys(drawn.sort_values(["level_1", "tier"], kind="stable")["label"]))[:_MOST_ROWS]
    figure = go.Figure()
    for position, target in enumerate(targets):
        mine = drawn[(drawn["target"] == target) & drawn["label"].isin(order)]
        figure.add_bar(
            name=_text(target),
            x=mine["confidence"].tolist(),
            y=mine["label"].tolist(),
            orientation="h",
            marker={"color": PALETTE[position]},
            text=[f"{value:.0%}" for value in mine["confidence"]],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}<br>confidence %{x:.2f}<extra>" + _text(target) + "</extra>",
        )
    title = _leading_title(drawn.drop_duplicates("target"))
    _finish(
        figure,
        title,
        _footer(drawn, len(targets), f"taxonomy {taxonomy}"),
        rows=len(order) * max(1, len(targets) * 0.6),
    )
    figure.update_xaxes(title="Confidence (0 to 1)", range=[0, 1.12], tickvals=[0, 0.25, 0.5, 0.75, 1])
    figure.update_yaxes(categoryorder="array", categoryarray=order[::-1])
    figure.update_layout(showlegend=len(targets) > 1, barmode="group")
    return figure


def code_confidence(frame: pd.DataFrame) -> go.Figure:
    """Draw the interests and purchase intents of targets with the confidence band of their block.

    Parameters
    ----------
    frame : DataFrame
        A codes frame. Failures and other dimensions are left out.

    Returns
    -------
    Figure
        One mark a target and code, darker for a higher band; at most six targets.

    Raises
    ------
    InputError
        If the frame is no codes frame.
    """
    _check_columns(frame, ("target", "dimension", "label", "code", "confidence", "fetched_at"), "codes")
    drawn = frame[frame["dimension"].isin(["interest", "purchase_intent"])].drop_duplicates(["target", "code"])
    if drawn.empty:
        return _empty("No interest or purchase intent is supported by these pages")
    targets = list(dict.fromkeys(drawn["target"]))[:_MOST_TARGETS]
    drawn = drawn[drawn["target"].isin(targets)]
    labels = [
        f"{_text(label if isinstance(label, str) else code)} ({_DIMENSION_WORDS[dimension].lower()})"
        for label, code, dimension in zip(drawn["label"], drawn["code"], drawn["dimension"], strict=True)
    ]
    drawn = drawn.assign(row_label=labels)
    order = list(dict.fromkeys(drawn["row_label"]))[:_MOST_ROWS]
    figure = go.Figure()
    for band, color in _BANDS.items():
        mine = drawn[(drawn["confidence"] == band) & drawn["row_label"].isin(order)]
        figure.add_scatter(
            name=f"{band} confidence",
            x=[_text(target) for target in mine["target"]],
            y=mine["row_label"].tolist(),
            mode="markers",
            marker={"color": color, "size": 16, "symbol": "square", "line": {"color": "#084594", "width": 1}},
            hovertemplate="%{y}<br>%{x}<extra>" + band + " confidence</extra>",
        )
    counts = drawn["dimension"].value_counts()
    title = (
        f"{int(counts.get('interest', 0))} interests and {int(counts.get('purchase_intent', 0))} purchase intents "
        f"for {_text(targets[0]) if len(targets) == 1 else f'{len(targets)} targets'}"
    )
    version = next((text for text in drawn["vocab_version"] if isinstance(text, str)), "")
    _finish(figure, title, _footer(drawn, len(targets), f"vocabulary {version}"), rows=len(order))
    figure.update_xaxes(side="top", type="category", categoryarray=[_text(t) for t in targets], categoryorder="array")
    figure.update_yaxes(type="category", categoryorder="array", categoryarray=order[::-1])
    figure.update_layout(showlegend=True)
    return figure


def display_bundle(figure: go.Figure) -> dict[str, Any]:
    """Return what an Output widget takes to show a figure: MIME types to data, without the upload button.

    Showing the figure itself would put it below the running cell: plotly displays directly.
    """
    drawn = json.loads(figure.to_json())
    return {
        "application/vnd.plotly.v1+json": {"data": drawn["data"], "layout": drawn["layout"], "config": dict(_CONFIG)},
        "text/plain": str(figure.layout.title.text).replace("<br><sub>", "\n").removesuffix("</sub>"),
    }


def _leading_title(leaders: pd.DataFrame) -> str:
    """Say which category leads for whom; `leaders` has one row a target."""
    first = leaders.iloc[0]
    if len(leaders) == 1:
        return f"{_text(first['name'])} leads for {_text(first['target'])} ({100 * first['confidence']:.0f} %)"
    if (leaders["name"] == first["name"]).all():
        return f"{_text(first['name'])} leads for all {len(leaders)} targets"
    shown = [f"{_text(name)} for {_text(target)}" for name, target in leaders[["name", "target"]].to_numpy()]
    more = f" and {len(shown) - _MOST_LEADERS} more" if len(shown) > _MOST_LEADERS else ""
    return f"Leading: {', '.join(shown[:_MOST_LEADERS])}{more}"


def _finish(figure: go.Figure, title: str, footer: str, rows: float) -> None:
    _remove_upload_button()
    lines = textwrap.wrap(title, _TITLE_WIDTH)
    figure.update_layout(
        template=_template(),
        title={"text": f"{'<br>'.join(lines)}<br><sub>{footer}</sub>"},
        margin={"t": _TOP + _TITLE_LINE * len(lines)},
        height=int(_FRAME_HEIGHT + _TITLE_LINE * len(lines) + _ROW_HEIGHT * max(rows, 2)),
    )


def _empty(message: str) -> go.Figure:
    figure = go.Figure()
    _finish(figure, message, "Nothing to draw; look at the status and error columns of the frame", rows=1)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    return figure


def _footer(drawn: pd.DataFrame, targets: int, vocabulary: str) -> str:
    fetched = drawn["fetched_at"].max()
    date = f" · {fetched:%Y-%m-%d}" if fetched == fetched else ""  # noqa: PLR0124 - NaT differs from itself
    return f"n = {targets} target{'s' if targets > 1 else ''}{date} · {vocabulary} · source: classification service"


def _category_label(level_1: str, name: str, tier: int) -> str:
    text = _text(name) if tier == 1 else f"{_text(level_1)} › {_text(name)}"
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"


def _text(value: object) -> str:
    """Return text that plotly shows as it is: plotly reads a part of HTML in labels and hover text."""
    return printable(str(value)).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("%{", "% {")


def _check_columns(frame: pd.DataFrame, needed: tuple[str, ...], kind: str) -> None:
    missing = [name for name in needed if name not in frame.columns]
    if missing:
        raise InputError(f"The frame has no column {', '.join(map(repr, missing))}. Pass a {kind} frame.")


@cache
def _template() -> go.layout.Template:
    axis = {"gridcolor": "#e3e3e3", "zerolinecolor": "#8a8a8a", "linecolor": "#8a8a8a", "automargin": True}
    return go.layout.Template(
        layout={
            "colorway": PALETTE,
            "font": {"family": "system-ui, sans-serif", "size": 13, "color": "#1b1b1b"},
            "title": {"x": 0, "xref": "container", "xanchor": "left", "pad": {"l": 12}, "font": {"size": 17}},
            "paper_bgcolor": "white",
            "plot_bgcolor": "white",
            "margin": {"l": 12, "r": 40, "b": 88},
            "xaxis": axis,
            "yaxis": axis,
            "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 0, "yanchor": "bottom", "yref": "container"},
            "hoverlabel": {"align": "left"},
        }
    )


@cache
def _remove_upload_button() -> None:
    """Set the mode bar of figures that are shown in a notebook."""
    if "ipykernel" not in sys.modules:
        return  # outside a kernel nothing is shown, and plotly's renderers take seconds to load
    for renderer in ("plotly_mimetype", "notebook", "notebook_connected", "browser", "iframe"):
        pio.renderers[renderer].config = {**(pio.renderers[renderer].config or {}), **_CONFIG}
