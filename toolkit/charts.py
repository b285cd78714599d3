"""Pictures of frames. A chart draws what its frame says and returns a Figure; it fetches and computes nothing.

Texts are wrapped and cut as they are and escaped last, or a cut could fall into an escape.
"""

from __future__ import annotations

import html
import json
import sys
import textwrap
from collections import Counter
from copy import deepcopy
from functools import cache
from itertools import chain, count
from typing import TYPE_CHECKING, Any, Final

import pandas as pd
import plotly.graph_objects as go
import plotly.io as pio

from toolkit.display import printable, shortened
from toolkit.errors import InputError
from toolkit.filters_document import words_of_code

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

__all__ = ["PALETTE", "category_confidence", "code_confidence", "display_bundle"]

#: Okabe and Ito's colours, which colour-blind people can tell apart, ordered so that neighbours differ in grey too.
PALETTE: Final = ("#0072B2", "#CC79A7", "#E69F00", "#D55E00", "#56B4E9", "#009E73", "#F0E442", "#000000")
_BANDS: Final = {"low": "#9ecae1", "medium": "#4292c6", "high": "#084594"}
_OUTLINE: Final = "#084594"
#: Of a band that is none of these; an empty square where the service states none.
_OTHER_BAND: Final = "#b5b5b5"
_NO_BAND: Final = "#ffffff"
#: Without plotly's logo, and without the button that uploads a chart to a cloud: analysts' data is confidential.
_CONFIG: Final = {"modeBarButtonsToRemove": ["sendChartToCloud"], "displaylogo": False, "responsive": True}
_LONGEST_LABEL: Final = 48
_LONGEST_VERSION: Final = 32
_ROW_HEIGHT: Final = 26
_FRAME_HEIGHT: Final = 160
_TITLE_WIDTH: Final = 84
_TITLE_LINE: Final = 22
_FOOTER_WIDTH: Final = 120
_FOOTER_LINE: Final = 16
_TOP: Final = 56
_MOST_TARGETS: Final = 6
_MOST_LEADERS: Final = 2
_MOST_ROWS: Final = 24
_DIMENSIONS: Final = ("interest", "purchase_intent")
_LEVELS: Final = ("level_1", "level_2", "level_3", "level_4")


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
        Horizontal bars, one a category, coloured by target: the first six targets and the 24 categories that rank
        highest with any of them. What is left out, and what has no confidence, is counted below the title.

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
    needed = ("target", "taxonomy", "name", "tier", *_LEVELS, "confidence", "rank", "fetched_at")
    _check_columns(frame, needed, "categories")
    path = [*_LEVELS, "name", "tier"]
    found = frame[frame["taxonomy"] == taxonomy].sort_values("rank", kind="stable")
    found = found.drop_duplicates(["target", *path])
    stated = found[found["confidence"].notna()]
    if stated.empty:
        unstated = f"No {taxonomy} category of these pages has a confidence"
        return _empty(unstated if len(found) else f"No {taxonomy} category is supported by these pages")
    every = list(dict.fromkeys(stated["target"]))
    targets = every[:_MOST_TARGETS]
    drawn = stated[stated["target"].isin(targets)]
    rows = [_category_row(*parts) for parts in drawn[path].itertuples(index=False, name=None)]
    drawn = drawn.assign(label=_labels(rows))
    strongest = drawn.sort_values(["rank", "confidence"], ascending=[True, False], kind="stable")
    kept = strongest.drop_duplicates("label").head(_MOST_ROWS)
    tops = list(dict.fromkeys(kept["level_1"]))
    order = (
        kept.assign(top=[tops.index(top) for top in kept["level_1"]])
        .sort_values(["top", "tier"], kind="stable")["label"]
        .tolist()
    )
    names = _target_names(targets)
    figure = go.Figure()
    for color, target in zip(PALETTE, targets, strict=False):
        mine = drawn[(drawn["target"] == target) & drawn["label"].isin(order)]
        figure.add_bar(
            name=names[target],
            x=mine["confidence"].tolist(),
            y=mine["label"].tolist(),
            orientation="h",
            marker={"color": color},
            text=[f"{value:.0%}" for value in mine["confidence"]],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}<br>confidence %{x:.2f}<extra>" + _text(target) + "</extra>",
        )
    left_out = [_part(len(order), drawn["label"].nunique(), "categories")]
    if silent := len(found) - len(stated):
        left_out.append(f"{silent} without a confidence not drawn")
    _finish(
        figure,
        _leading_title(drawn.drop_duplicates("target"), len(every)),
        _footer(drawn, len(targets), len(every), left_out, f"taxonomy {shortened(taxonomy, _LONGEST_VERSION)}"),
        rows=len(order) * max(1, len(targets) * 0.6),
    )
    figure.update_xaxes(title="Confidence (0 to 1)", range=[0, 1.12], tickvals=[0, 0.25, 0.5, 0.75, 1])
    figure.update_yaxes(type="category", categoryorder="array", categoryarray=order[::-1])
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
        One mark a target and code, darker for a higher band and empty where none is stated: the first six targets,
        and the 24 codes of the highest bands and ranks. What is left out is counted below the title.

    Raises
    ------
    InputError
        If the frame is no codes frame.
    """
    needed = ("target", "dimension", "label", "code", "confidence", "rank", "vocab_version", "fetched_at")
    _check_columns(frame, needed, "codes")
    found = frame[frame["dimension"].isin(_DIMENSIONS)].drop_duplicates(["target", "dimension", "code"])
    if found.empty:
        return _empty("No interest or purchase intent is supported by these pages")
    every = list(dict.fromkeys(found["target"]))
    targets = every[:_MOST_TARGETS]
    drawn = found[found["target"].isin(targets)]
    # The same code is one row, even if only some answers have its label.
    labelled = drawn[drawn["label"].notna()].drop_duplicates("code")
    words = dict(zip(labelled["code"], labelled["label"], strict=True))
    rows = [_code_row(code, kind, words) for code, kind in zip(drawn["code"], drawn["dimension"], strict=True)]
    bands = [band if isinstance(band, str) else "" for band in drawn["confidence"]]
    drawn = drawn.assign(row_label=_labels(rows), band=bands)
    strongest = drawn.assign(
        strength=[-list(_BANDS).index(band) if band in _BANDS else 1 for band in bands],
        kind=[_DIMENSIONS.index(dimension) for dimension in drawn["dimension"]],
    ).sort_values(["strength", "rank"], kind="stable")
    kept = strongest.drop_duplicates("row_label").head(_MOST_ROWS)
    order = kept.sort_values("kind", kind="stable")["row_label"].tolist()
    names = _target_names(targets)
    figure = go.Figure()
    for band in dict.fromkeys([*_BANDS, *sorted(set(bands), reverse=True)]):
        mine = drawn[(drawn["band"] == band) & drawn["row_label"].isin(order)]
        if mine.empty:
            continue
        said = f"{_text(band)} confidence" if band else "confidence not stated"
        color = _BANDS.get(band, _OTHER_BAND if band else _NO_BAND)
        figure.add_scatter(
            name=said,
            x=[names[target] for target in mine["target"]],
            y=mine["row_label"].tolist(),
            mode="markers",
            marker={"color": color, "size": 16, "symbol": "square", "line": {"color": _OUTLINE, "width": 1}},
            hovertext=[_text(target) for target in mine["target"]],
            hovertemplate="%{y}<br>%{hovertext}<extra>" + said + "</extra>",
        )
    distinct = drawn.drop_duplicates("row_label")["dimension"].value_counts()
    counts = [_counted(int(distinct.get(name, 0)), name.replace("_", " ")) for name in _DIMENSIONS]
    versions = ", ".join(dict.fromkeys(text for text in drawn["vocab_version"] if isinstance(text, str)))
    _finish(
        figure,
        f"{' and '.join(counts)} for {_targets_in_words(targets, len(every))}",
        _footer(
            drawn,
            len(targets),
            len(every),
            [_part(len(order), drawn["row_label"].nunique(), "codes")],
            f"vocabulary {shortened(versions, _LONGEST_VERSION)}" if versions else "",
        ),
        rows=len(order),
    )
    figure.update_xaxes(side="top", type="category", categoryarray=list(names.values()), categoryorder="array")
    figure.update_yaxes(type="category", categoryorder="array", categoryarray=order[::-1])
    figure.update_layout(showlegend=True)
    return figure


def display_bundle(figure: go.Figure) -> dict[str, Any]:
    """Return what an Output widget takes to show a figure: MIME types to data, without the upload button.

    Showing the figure itself would put it below the running cell: plotly displays directly.
    """
    drawn = json.loads(figure.to_json())
    lines = str(figure.layout.title.text or "").replace("<br><sub>", "\n").replace("</sub>", "").replace("<br>", " ")
    return {
        "application/vnd.plotly.v1+json": {
            "data": drawn["data"],
            "layout": drawn["layout"],
            "config": deepcopy(_CONFIG),
        },
        "text/plain": html.unescape(lines),
    }


def _leading_title(leaders: pd.DataFrame, every: int) -> str:
    """Say which category leads for whom; `leaders` has one row a target that is drawn, of `every` target."""
    first = leaders.iloc[0]
    if every == 1:
        return f"{first['name']} leads for {_short_target(first['target'])} ({100 * first['confidence']:.0f} %)"
    if (leaders["name"] == first["name"]).all():
        whom = f"all {every} targets" if len(leaders) == every else _targets_in_words(leaders["target"].tolist(), every)
        return f"{first['name']} leads for {whom}"
    shown = [f"{name} for {_short_target(target)}" for name, target in leaders[["name", "target"]].to_numpy()]
    more = f" and {every - _MOST_LEADERS} more" if every > _MOST_LEADERS else ""
    return f"Leading: {', '.join(shown[:_MOST_LEADERS])}{more}"


def _targets_in_words(targets: Sequence[str], every: int) -> str:
    if len(targets) < every:
        return f"the first {len(targets)} of {every} targets"
    return _short_target(targets[0]) if every == 1 else f"{every} targets"


def _finish(figure: go.Figure, title: str, footer: str, rows: float) -> None:
    """Set title and footer, given as plain text, and the height."""
    _remove_upload_button()
    lines = [_text(line) for line in textwrap.wrap(printable(title), _TITLE_WIDTH, break_on_hyphens=False)]
    notes = [_text(line) for line in textwrap.wrap(printable(footer), _FOOTER_WIDTH, break_on_hyphens=False)]
    above = _TITLE_LINE * len(lines) + _FOOTER_LINE * (len(notes) - 1)
    figure.update_layout(
        template=_template(),
        title={"text": f"{'<br>'.join(lines)}<br><sub>{'<br>'.join(notes)}</sub>"},
        margin={"t": _TOP + above},
        height=int(_FRAME_HEIGHT + above + _ROW_HEIGHT * max(rows, 2)),
    )


def _empty(message: str) -> go.Figure:
    figure = go.Figure()
    _finish(figure, message, "Nothing to draw; look at the status and error columns of the frame", rows=1)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    return figure


def _footer(drawn: pd.DataFrame, targets: int, every: int, left_out: Iterable[str], vocabulary: str) -> str:
    fetched = drawn["fetched_at"].max()
    parts = [
        f"n = {targets} of {every} targets" if targets < every else f"n = {_counted(every, 'target')}",
        *left_out,
        f"{fetched:%Y-%m-%d}" if pd.notna(fetched) else "",
        vocabulary,
        "source: classification service",
    ]
    return " · ".join(part for part in parts if part)


def _part(shown: int, whole: int, noun: str) -> str:
    return f"the strongest {shown} of {whole} {noun}" if shown < whole else ""


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _category_row(*parts: Any) -> tuple[Hashable, list[str]]:
    """Return what a row of the chart stands for, and its wordings, the shortest first."""
    *levels, name, tier = parts
    path = [level for level in levels if isinstance(level, str)]
    whole = " › ".join(path if path and path[-1] == name else [*path, str(name)])
    short = str(name) if pd.notna(tier) and tier == 1 else f"{path[0] if path else ''} › {name}"
    key = (*path, name, None if pd.isna(tier) else int(tier))
    return key, [shortened(printable(short), _LONGEST_LABEL), _without_middle(short), _without_middle(whole), whole]


def _code_row(code: str, dimension: str, words: Mapping[str, str]) -> tuple[Hashable, list[str]]:
    said, kind = words.get(code, code), words_of_code(dimension).lower()
    group = words_of_code(".".join(code.split(".")[:2]))
    return (dimension, code), [
        f"{text} ({kind})"
        for text in (
            shortened(printable(said), _LONGEST_LABEL),
            shortened(printable(f"{group}: {said}"), _LONGEST_LABEL),
            _without_middle(said),
            code,
        )
    ]


def _target_names(targets: Iterable[str]) -> dict[str, str]:
    """Return for each target what an axis or a legend shows of it."""
    rows = [(target, [_short_target(target), str(target)]) for target in targets]
    return dict(zip(targets, _labels(rows), strict=True))


def _short_target(target: object) -> str:
    return _without_middle(str(target))


def _without_middle(text: str) -> str:
    text = printable(text)
    half = _LONGEST_LABEL // 2
    return text if len(text) <= _LONGEST_LABEL else f"{text[: half - 1]}…{text[-half:]}"


def _labels(rows: Sequence[tuple[Hashable, list[str]]]) -> list[str]:
    """Return each row's first wording that nothing else has; what differs in nothing shown gets a number."""
    wordings = {key: [_text(text) for text in texts] for key, texts in rows}
    chosen = {key: texts[0] for key, texts in wordings.items()}
    for depth in range(1, max(map(len, wordings.values()), default=0)):
        taken = Counter(chosen.values())
        for key, texts in wordings.items():
            if taken[chosen[key]] > 1:
                chosen[key] = texts[min(depth, len(texts) - 1)]
    used: set[str] = set()
    for key, label in chosen.items():
        numbered = (f"{label} ({number})" for number in count(2))
        chosen[key] = next(text for text in chain([label], numbered) if text not in used)
        used.add(chosen[key])
    return [chosen[key] for key, _ in rows]


def _text(value: object) -> str:
    """Return text that plotly shows as it is: plotly reads a part of HTML in labels and hover text."""
    return printable(str(value)).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("%{", "% {")


def _check_columns(frame: pd.DataFrame, needed: tuple[str, ...], kind: str) -> None:
    missing = [name for name in needed if name not in frame.columns]
    if missing:
        raise InputError(f"The frame has no column {', '.join(map(repr, missing))}. Pass a {kind} frame.")


@cache
def _template() -> go.layout.Template:
    axis = {
        "gridcolor": "#e3e3e3",
        "zerolinecolor": "#8a8a8a",
        "linecolor": "#8a8a8a",
        "automargin": True,
        "ticklabelstandoff": 6,
        "title": {"font": {"size": 13}, "standoff": 10},
    }
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
        pio.renderers[renderer].config = {**(pio.renderers[renderer].config or {}), **deepcopy(_CONFIG)}
