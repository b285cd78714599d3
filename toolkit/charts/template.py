"""What all charts share: colours, the template, titles and footers, alt text, and the data behind a picture.

Texts are wrapped and cut as they are and escaped last, or a cut could fall into an escape.
"""

from __future__ import annotations

import base64
import html
import json
import math
import re
import sys
import textwrap
import zlib
from copy import deepcopy
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import pandas as pd
import plotly.graph_objects as go
import plotly.io as pio

from toolkit.charts import colours
from toolkit.charts.labels import escaped
from toolkit.interface import checks
from toolkit.interface.errors import InputError
from toolkit.interface.text import counted, days, percentage, printable, shortened
from toolkit.interface.words.labels import taxonomy_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "INTERVAL",
    "Chart",
    "alt_text",
    "check_columns",
    "data_of",
    "display_bundle",
    "empty",
    "even_shares",
    "finish",
    "footer_of",
    "outputs_of",
    "retitled",
    "share_ticks",
    "template",
    "tick_room",
]

#: How the interval of a bar looks: a quiet line without ends, which the bar outweighs.
INTERVAL: Final[dict[str, Any]] = {"color": colours.QUIET, "thickness": 1.5, "width": 0}
_MIME: Final = "application/vnd.plotly.v1+json"
#: Plotly's renderers whose charts a page draws: as data of their own type, and as HTML with its script, which each
#: bundle that is asked for writes anew.
_BY_TYPE: Final = {"plotly_mimetype", "jupyterlab", "nteract", "vscode"}
_AS_HTML: Final = {"notebook", "notebook_connected"}
#: Without plotly's logo, and without the button that uploads a chart to a cloud: analysts' data is confidential.
_PRIVATE: Final[dict[str, Any]] = {"modeBarButtonsToRemove": ["sendChartToCloud"], "displaylogo": False}
#: Nothing in these pictures is found by zooming or by a lasso.
_IDLE: Final = (
    "zoom2d",
    "pan2d",
    "select2d",
    "lasso2d",
    "zoomIn2d",
    "zoomOut2d",
    "autoScale2d",
    "resetScale2d",
)
_LONGEST_FILE: Final = 60
_NO_WORD: Final = re.compile(r"[^a-z0-9]+")
_NOTHING: Final = "Nothing to draw; look at the status and error columns of the frame"
_ROW_HEIGHT: Final = 26
_FRAME_HEIGHT: Final = 84
#: Characters of a line that is whole in a picture of 700 pixels, which is what most outputs have at the least.
_TITLE_WIDTH: Final = 76
#: A last line that is shorter takes some words of those above.
_SHORTEST_LINE: Final = 16
#: Blanks at which no line ends: before a sign and a fraction, and within a count such as "7 of 11".
_BOUND: Final = re.compile(r" (?=[%·]|\d+\.\d)|(?<=\d) (?=of \d)|(?<=\d of) (?=\d)")
_LINE: Final = 22
#: What a footer has beyond three lines is in the alt text; the least of it stands last.
_FOOTER_WIDTH: Final = 116
_FOOTER_LINES: Final = 3
_PART: Final = " · "
_TOP: Final = 36
_VOWELS: Final = frozenset("aeiou")
_TICK_CHARACTER: Final = 7
_LEVEL_TICKS_WIDTH: Final = 400
_LONGEST_NAMED: Final = 32
#: Steps of an axis of shares, and digits of its ticks.
_SHARES: Final = 6
_DIGITS: Final = 3
_CLOSE: Final = 1e-6
_DOMAIN: Final = "domain"


class Chart(go.Figure):  # type: ignore[misc]  # the base class has no types
    """A figure of the toolkit: in a notebook it keeps its size, follows the theme, and has no idle buttons."""

    def show(self, *args: Any, **options: Any) -> None:
        """Show the figure as plotly does, with the toolkit's settings unless others are given."""
        named = set(str(pio.renderers.default or "").split("+"))
        if "ipykernel" in sys.modules and not args and "renderer" not in options and named & (_BY_TYPE | _AS_HTML):
            from IPython.display import display  # noqa: PLC0415 - only a kernel has it

            display(_styled(), raw=True)  # type: ignore[no-untyped-call]
            if named <= _BY_TYPE and not options:
                # An exported page draws nothing from a figure alone: there its words stand in its place.
                bundle = {**self._repr_mimebundle_(), "text/plain": _plain_title(self)}
                display(bundle, raw=True)  # type: ignore[no-untyped-call]
                return
        super().show(*args, **{"config": _config(self), **options})

    def _repr_mimebundle_(self, *args: Any, **options: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(*args, **{"config": _config(self), **options})
        return bundle

    def _ipython_display_(self) -> None:
        if pio.renderers.render_on_display and pio.renderers.default:
            self.show()
        else:
            super()._ipython_display_()


def finish(
    figure: go.Figure,
    title: str,
    footer: str,
    rows: float,
    *,
    legend: int = 0,
    ticks: int = 0,
    alt: str = "",
    data: pd.DataFrame | None = None,
) -> None:
    """Give a figure its title, footer, height, alt text and data; texts are plain, here wrapped and escaped.

    The plot has `rows` of 26 pixels each, at least two; `legend` is lines below it, `ticks` pixels of labels above
    it. As `data` pass only the columns that the picture shows: saved notebooks hold them.
    """
    _remove_upload_button()
    lines = [escaped(line) for line in _lines(title, _TITLE_WIDTH)]
    shown, dropped = _fitting(footer)
    notes = [escaped(line) for line in shown]
    top = _TOP + _LINE * (len(lines) + len(notes)) + ticks
    figure.update_layout(
        template=template(),
        title={"text": f"{'<br>'.join(lines)}<br><sub>{'<br>'.join(notes)}</sub>"},
        margin={"t": top},
        height=int(_FRAME_HEIGHT + top + _LINE * legend + _ROW_HEIGHT * max(rows, 2)),
        meta={
            "alt": escaped(f"{alt or title} {dropped}".strip()),
            "data": _packed(pd.DataFrame() if data is None else data),
        },
    )


def retitled(figure: go.Figure, title: str) -> go.Figure:
    """Return a figure of the toolkit, given another title, a plain text."""
    before, mark, notes = str(figure.layout.title.text).partition("<br><sub>")
    lines = [escaped(line) for line in _lines(title, _TITLE_WIDTH)]
    more = _LINE * (len(lines) - len(before.split("<br>")))
    alt = str(_meta(figure)["alt"]).replace(before.replace("<br>", " "), escaped(title).removesuffix("."), 1)
    figure.update_layout(
        title={"text": f"{'<br>'.join(lines)}{mark}{notes}"},
        margin={"t": figure.layout.margin.t + more},
        height=figure.layout.height + more,
        meta={**_meta(figure), "alt": alt},
    )
    return figure


def _fitting(footer: str) -> tuple[list[str], str]:
    """Return as many parts of a footer as its lines hold, the first ones, and a sentence with the others."""
    parts = footer.split(_PART)
    kept = len(parts)
    while kept > 1 and len(_packed_parts(parts[:kept])) > _FOOTER_LINES:
        kept -= 1
    rest = _PART.join(parts[kept:])
    return _packed_parts(parts[:kept]), f"Also: {rest}." if rest else ""


def _packed_parts(parts: Sequence[str]) -> list[str]:
    """Return parts of a footer in lines, the dots between parts alone; a part that is too long is wrapped."""
    lines: list[str] = []
    for part in parts:
        joined = f"{lines[-1]}{_PART}{part}" if lines else part
        if len(joined) <= _FOOTER_WIDTH:
            lines[-1:] = [joined]
        else:
            lines += _lines(part, _FOOTER_WIDTH)
    return lines


def empty(message: str, note: str = _NOTHING) -> go.Figure:
    """Return a figure without marks that says why there are none."""
    figure = Chart()
    finish(figure, message, note, rows=1)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    return figure


def footer_of(about: Mapping[str, Any], extra: Iterable[str] = ()) -> str:
    """Return a footer: number of sites, dates, source, then `extra` parts such as what is left out.

    What a picture has no room for is the last of it, never of how many sites it is, of what day, and from where.

    Parameters
    ----------
    about : mapping
        As ``attrs["about"]`` of a finding has it. What is missing is not mentioned. Its key ``n`` stands for the number
        of sites, where a picture is of a part of them; ``taxonomy`` is named if there is one, as are ``untold``, which
        says that nobody told who was answered, and ``cluster``, which says by what the intervals are.
    extra : iterable of str
        Parts that stand last, the least of them at the end; empty ones are left out.

    Examples
    --------
    >>> footer_of({"sites": 62, "first": "2026-03-04", "last": "2026-03-04", "vocabularies": ["1.1"]}, ["3 left out"])
    'n = 62 sites · 4 March 2026 · 3 left out'
    """
    first, last, sites = about.get("first"), about.get("last"), about.get("sites")
    size = about.get("n") or (None if sites is None else counted(sites, "site"))
    taxonomies, source = str(about.get("taxonomy") or "").split(", "), about.get("source")
    named = " and ".join(taxonomy_label(name) for name in taxonomies if name)
    parts = [
        f"n = {size}" if size else "",
        days(first, last) if first or last else "",
        f"source: {source}" if source else "",
        _clusters(about.get("cluster")),
        "answered sites without a row may be missing" if about.get("untold") else "",
        f"in {shortened(named, _LONGEST_NAMED)}" if named else "",
        *extra,
    ]
    return _PART.join(part for part in parts if part)


def _clusters(cluster: Mapping[str, Any] | None) -> str:
    """Return by what the intervals are, where sites belong together."""
    if not cluster:
        return ""
    if cluster["by"] == _DOMAIN:
        return f"intervals by {counted(cluster['clusters'], _DOMAIN)}"
    return f"intervals by {counted(cluster['clusters'], 'cluster')} of {shortened(str(cluster['by']), _LONGEST_NAMED)}"


def alt_text(figure: go.Figure) -> str:
    """Return a sentence or two that say what a figure of the toolkit shows, as plain text.

    Raises
    ------
    InputError
        If no chart of the toolkit drew the figure.
    """
    return html.unescape(str(_meta(figure)["alt"]))


def data_of(figure: go.Figure) -> pd.DataFrame:
    """Return what a figure of the toolkit draws, one row a mark, also of a figure that was saved and loaded.

    Raises
    ------
    InputError
        If no chart of the toolkit drew the figure.
    """
    return _unpacked(str(_meta(figure)["data"]))


def display_bundle(figure: go.Figure) -> dict[str, Any]:
    """Return a figure as MIME types to data, with the toolkit's settings. To show it in a widget, see `outputs_of`."""
    drawn = json.loads(figure.to_json())
    return {
        _MIME: {"data": drawn["data"], "layout": drawn["layout"], "config": _config(figure)},
        "text/plain": _plain_title(figure),
    }


def outputs_of(figure: go.Figure | None) -> tuple[dict[str, Any], ...]:
    """Return the ``outputs`` of an Output widget that shows a figure, or nothing, in the theme of the page.

    Showing the figure itself would put it below the running cell: plotly displays directly.

    Examples
    --------
    >>> [list(output["data"])[0] for output in outputs_of(empty("Nothing yet"))]
    ['text/html', 'application/vnd.plotly.v1+json']
    """
    shown = [_styled(), display_bundle(figure)] if figure is not None else []
    return tuple({"output_type": "display_data", "data": data, "metadata": {}} for data in shown)


def _styled() -> dict[str, str]:
    """Return the style that goes before a chart, as MIME types to data."""
    return {"text/html": colours.theme_style(), "text/plain": ""}


def _config(figure: go.Figure) -> dict[str, Any]:
    """Return plotly's settings for a figure that is shown.

    JupyterLab sets the size anew whenever the place changes; what plotly calls responsive would let the height go then.
    """
    title = _plain_title(figure).partition("\n")[0].lower()
    name = _NO_WORD.sub("-", title)[:_LONGEST_FILE].strip("-")
    return {
        **deepcopy(_PRIVATE),
        "modeBarButtonsToRemove": [*_PRIVATE["modeBarButtonsToRemove"], *_IDLE],
        "responsive": False,
        "scrollZoom": False,
        "toImageButtonOptions": {"filename": name or "chart", "scale": 2},
    }


def _plain_title(figure: go.Figure) -> str:
    """Return a figure's title and, on a line of its own, its footer as plain text."""
    title, _, notes = str(figure.layout.title.text or "").partition("<br><sub>")
    footer = notes.removesuffix("</sub>").replace("<br>", _PART)
    return html.unescape("\n".join(filter(None, [title.replace("<br>", " "), footer])))


def check_columns(frame: pd.DataFrame, needed: Iterable[str], kind: str, numbers: Iterable[str] = ()) -> None:
    """Refuse a frame without the columns that a chart needs; `kind` says which frame to pass.

    Of the `numbers`, each must be a column of numbers.
    """
    wanted = _with_article(f"{kind} frame")
    if not isinstance(frame, pd.DataFrame):
        raise InputError(f"{_with_article(type(frame).__name__, 'A')} cannot be drawn. Pass {wanted}.")
    checks.check_columns(frame, needed, wanted, listed=False)
    for name in numbers:
        if not pd.api.types.is_numeric_dtype(frame[name].dtype) or pd.api.types.is_bool_dtype(frame[name].dtype):
            raise InputError(f"The column {name!r} holds {frame[name].dtype}, no numbers. Pass {wanted}.")


def _with_article(noun: str, article: str = "a") -> str:
    return f"{article}{'n' * (noun[:1].lower() in _VOWELS)} {noun}"


def even_shares(top: float) -> list[float]:
    """Return round shares from 0 on, at most seven, as an axis that ends at `top` has them.

    Examples
    --------
    >>> even_shares(1), even_shares(0.33), even_shares(0.012)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 0.1, 0.2, 0.3], [0.0, 0.002, 0.004, 0.006, 0.008, 0.01, 0.012])
    """
    power = 10 ** math.floor(math.log10(top / _SHARES)) if top > 0 else 1.0
    step = next(times * power for times in (1, 2, 5, 10) if times * power * _SHARES >= top - _CLOSE)
    return [round(step * place, 9) for place in range(math.floor(top / step + _CLOSE) + 1)]


def share_ticks(shares: Sequence[float]) -> dict[str, list[Any]]:
    """Return the ticks of an axis of shares, written as in texts: a format of the axis has no blank before the sign.

    Examples
    --------
    >>> share_ticks([0, 0.5])
    {'tickvals': [0, 0.5], 'ticktext': ['0 %', '50 %']}
    """
    digits = next((few for few in range(_DIGITS) if all(_is_whole(share * 100 * 10**few) for share in shares)), _DIGITS)
    return {"tickvals": list(shares), "ticktext": [percentage(share, digits) for share in shares]}


def _is_whole(number: float) -> bool:
    return abs(number - round(number)) < _CLOSE


def tick_room(names: Sequence[str]) -> tuple[int, int]:
    """Return the angle of labels above the plot and the height that they take."""
    if len(names) == 1 or sum(map(len, names)) * _TICK_CHARACTER < _LEVEL_TICKS_WIDTH:
        return 0, _LINE
    return 30, _LINE + max(map(len, names)) * _TICK_CHARACTER // 2


@cache
def template() -> go.layout.Template:
    """Return the template of all charts."""
    axis = {
        "gridcolor": colours.GRID,
        "zerolinecolor": colours.AXIS,
        "linecolor": colours.AXIS,
        "automargin": True,
        "ticklabelstandoff": 6,
        "fixedrange": True,
        "title": {"font": {"size": 13}, "standoff": 10},
    }
    return go.layout.Template(
        layout={
            "colorway": colours.PALETTE,
            "font": {"family": "system-ui, sans-serif", "size": 13, "color": colours.INK},
            "title": {
                "x": 0,
                "xref": "container",
                "xanchor": "left",
                "y": 1,
                "yref": "container",
                "yanchor": "top",
                "pad": {"l": 12, "t": 26},
                "font": {"size": 17},
            },
            "paper_bgcolor": colours.PAPER,
            "plot_bgcolor": colours.PAPER,
            "margin": {"l": 12, "r": 40, "b": 56},
            "xaxis": axis,
            "yaxis": axis,
            "legend": {
                "orientation": "h",
                "x": 0.01,
                "xref": "container",
                "xanchor": "left",
                "y": 0.01,
                "yref": "container",
                "yanchor": "bottom",
            },
            "hoverlabel": {
                "align": "left",
                "bgcolor": colours.PAPER,
                "bordercolor": colours.EDGE,
                "font": {"color": colours.INK, "size": 13},
                "namelength": -1,
            },
            "dragmode": False,
            # Upright it stands in the margin; lying it would cover a long title.
            "modebar": {"orientation": "v", "bgcolor": "rgba(255, 255, 255, 0.8)"},
        }
    )


@cache
def _remove_upload_button() -> None:
    """Take the button that uploads from every figure that is shown in a notebook, also from those of others."""
    if "ipykernel" not in sys.modules:
        return  # outside a kernel nothing is shown, and plotly's renderers take seconds to load
    for renderer in ("plotly_mimetype", "notebook", "notebook_connected", "browser", "iframe"):
        pio.renderers[renderer].config = {**(pio.renderers[renderer].config or {}), **deepcopy(_PRIVATE)}


def _lines(text: str, width: int) -> list[str]:
    """Wrap a text; no line begins with what belongs to the word before, nor is the last a word alone."""
    bound = _BOUND.sub("\N{NO-BREAK SPACE}", printable(text))
    lines = textwrap.wrap(bound, width, break_on_hyphens=False)
    if len(lines) > 1 and len(lines[-1]) < _SHORTEST_LINE:
        for narrower in range(width - 1, width - 2 * _SHORTEST_LINE, -1):
            evener = textwrap.wrap(bound, narrower, break_on_hyphens=False, break_long_words=False)
            if len(evener) > len(lines) or max(map(len, evener)) > width:
                break
            if len(evener[-1]) >= _SHORTEST_LINE:
                lines = evener
                break
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _meta(figure: go.Figure) -> Mapping[str, Any]:
    meta = figure.layout.meta if isinstance(figure, go.Figure) else None
    if not isinstance(meta, dict) or not {"alt", "data"} <= meta.keys():
        raise InputError("This figure has neither alt text nor data. Pass a figure that a function of charts returned.")
    return meta


def _packed(data: pd.DataFrame) -> str:
    """Return a frame as text: within a figure, text is neither checked value by value nor drawn.

    JSON, compressed: a notebook keeps it with every figure, and a frame of a whole taxonomy would be the most of it.
    """
    columns = []
    for name, column in data.items():
        kind: dict[str, Any] = {"name": str(name), "dtype": str(column.dtype)}
        if isinstance(column.dtype, pd.CategoricalDtype):
            kind |= {"categories": column.cat.categories.tolist(), "ordered": bool(column.cat.ordered)}
        missing = column.isna()
        values = [None if gone else value for gone, value in zip(missing, column.astype(object), strict=True)]
        columns.append({**kind, "values": values})
    about = data.attrs.get("about")
    text = json.dumps({"about": about, "columns": columns}, default=str, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


def _unpacked(text: str) -> pd.DataFrame:
    stored = json.loads(zlib.decompress(base64.b64decode(text)))
    columns = {}
    for column in stored["columns"]:
        dtype: Any = column["dtype"]
        if "categories" in column:
            dtype = pd.CategoricalDtype(column["categories"], ordered=column["ordered"])
        columns[column["name"]] = pd.Series(column["values"], dtype=dtype)
    data = pd.DataFrame(columns)
    if stored["about"] is not None:
        data.attrs["about"] = stored["about"]
    return data
