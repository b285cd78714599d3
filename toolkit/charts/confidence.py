"""How sure the service is: of categories and codes of a few targets, of each dimension, and of all categories."""

from __future__ import annotations

import html
from collections import Counter
from typing import TYPE_CHECKING, Final

import pandas as pd

from toolkit.charts import colours
from toolkit.charts.labels import LEVEL, LONGEST, category_row, code_row, distinct, escaped, without_middle
from toolkit.charts.template import (
    Chart,
    check_columns,
    empty,
    even_shares,
    finish,
    footer_of,
    share_ticks,
    tick_room,
)
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
from toolkit.frames.about import SOURCE
from toolkit.frames.schemas import LEVELS, SCALARS
from toolkit.interface.text import counted, percentage, printable, shortened
from toolkit.interface.words.labels import field_label

if TYPE_CHECKING:
    from collections.abc import Iterable

    import plotly.graph_objects as go

__all__ = ["category_confidence", "code_confidence", "confidence_distribution"]

_BANDS: Final = colours.BANDS
#: Some colours are the same grey in print.
_PATTERNS: Final = ("", "/", ".", "x", "-", "\\")
_PATTERN: Final = {"fillmode": "overlay", "fgcolor": colours.EDGE, "fgopacity": 0.7, "solidity": 0.15, "size": 6}
_OUTLINE: Final = colours.BANDS["high"]
#: Of a band that is none of these; an empty square where the service states none.
_OTHER_BAND: Final = colours.OTHER_BAND
_NO_BAND: Final = colours.PAPER
#: Part of a row that its bars fill.
_BARS: Final = 0.8
_LONGEST_TICK: Final = 36
#: Pixels that a number beside a bar takes, and a character of a name after it.
_NUMBER_ROOM: Final = 60
_CHARACTER: Final = 7.6
_MOST_TARGETS: Final = 6
_MOST_LEADERS: Final = 2
_MOST_ROWS: Final = 12
_DIMENSIONS: Final = {
    "interest": ("interest in detail", "interests in detail"),
    "purchase_intent": ("purchase intent", "purchase intents"),
}
#: What frames of bands and of bins have.
_BAND_COLUMNS: Final = ("dimension", "confidence", "sites", "share")
_BIN_COLUMNS: Final = ("low", "high", "count", "share")
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
        Horizontal bars, one a category, coloured by target: the first six targets and the 12 categories that rank
        highest with any of them. What is left out, and what has no confidence, is counted below the title.

    Raises
    ------
    InputError
        If the frame is no categories frame.

    Examples
    --------
    >>> from toolkit import Client
    >>> from toolkit.frames.typed import categories
    >>> figure = category_confidence(categories(Client().categorize("torque-journal.example")))
    >>> figure.layout.title.text.split(" (")[0]
    'torque-journal.example is about Automotive'
    """
    needed = ("target", "taxonomy", "name", "tier", *LEVELS, "confidence", "rank", "fetched_at")
    check_columns(frame, needed, "categories")
    path = [*LEVELS, "name", "tier"]
    one, many = nouns_of(taxonomy)
    found = frame[frame["taxonomy"] == taxonomy].sort_values("rank", kind="stable")
    found = found.drop_duplicates(["target", *path])
    stated = found[found["confidence"].notna()]
    if stated.empty:
        unstated = f"No {one} of these pages has a confidence"
        return empty(unstated if len(found) else f"No {one} is supported by these pages")
    every = list(dict.fromkeys(stated["target"]))
    targets = every[:_MOST_TARGETS]
    drawn = stated[stated["target"].isin(targets)]
    rows = [category_row(*parts) for parts in drawn[path].itertuples(index=False, name=None)]
    drawn = drawn.assign(label=list(map(_in_lines, distinct(rows))))
    strongest = drawn.sort_values(["rank", "confidence"], ascending=[True, False], kind="stable")
    kept = strongest.drop_duplicates("label").head(_MOST_ROWS)
    highest = drawn.groupby("label")["confidence"].max()
    order = sorted(kept["label"], key=lambda label: -highest[label])
    names = _target_names(targets)
    figure = Chart()
    shown = drawn[drawn["label"].isin(order)]
    present = {
        label: [name for name in targets if name in set(rows)] for label, rows in shown.groupby("label")["target"]
    }
    most = max(map(len, present.values()))
    several = len(targets) > 1
    for color, pattern, target in zip(colours.PALETTE, _PATTERNS, targets, strict=False):
        mine = shown[shown["target"] == target]
        figure.add_bar(
            name=names[target],
            x=mine["confidence"].tolist(),
            y=mine["label"].tolist(),
            orientation="h",
            marker={
                "color": color,
                "line": {"color": colours.EDGE, "width": 0.75},
                "pattern": {"shape": pattern if several else "", **_PATTERN},
            },
            width=_BARS / most,
            offset=[_offset(present[label].index(target), len(present[label]), most) for label in mine["label"]],
            text=[f"{percentage(value)}{f' · {names[target]}' * several}" for value in mine["confidence"]],
            textposition="outside",
            cliponaxis=False,
            hovertext=[percentage(value) for value in mine["confidence"]],
            hovertemplate="%{y}<br>confidence %{hovertext}<extra>" + escaped(target) + "</extra>",
        )
    left_out = [_part(len(order), len(stated.drop_duplicates(path)), many)]
    if silent := len(found) - len(stated):
        left_out.append(f"{silent} without a confidence not drawn")
    title = _leading_title(stated)
    finish(
        figure,
        title,
        _footer(drawn, len(targets), len(every), [*left_out, f"bars: confidence of {many}"]),
        rows=len(order) * max(1.35 if any("<br>" in label for label in order) else 1, most * 0.6),
        alt=f"{title}. Bars show the confidence of {counted(len(order), one, many)}.",
        data=shown[["target", "taxonomy", *LEVELS, "name", "tier", "confidence", "rank", "fetched_at"]],
    )
    # Beside the bars stand their numbers, and whose they are.
    beside = _NUMBER_ROOM + _CHARACTER * max(len(html.unescape(name)) for name in names.values())
    if several:
        figure.update_layout(margin={"r": beside})
    figure.update_xaxes(
        title="Confidence", range=[0, 1.01 if several else 1.12], **share_ticks([0, 0.25, 0.5, 0.75, 1])
    )
    figure.update_yaxes(type="category", categoryorder="array", categoryarray=order[::-1])
    figure.update_layout(showlegend=False)
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
        and the 12 codes of the highest bands and ranks. What is left out is counted below the title.

    Raises
    ------
    InputError
        If the frame is no codes frame.
    """
    needed = ("target", "dimension", "label", "code", "confidence", "rank", "vocab_version", "fetched_at")
    check_columns(frame, needed, "codes")
    found = frame[frame["dimension"].isin(_DIMENSIONS)].drop_duplicates(["target", "dimension", "code"])
    if found.empty:
        return empty("No interest or purchase intent is supported by these pages")
    every = list(dict.fromkeys(found["target"]))
    targets = every[:_MOST_TARGETS]
    drawn = found[found["target"].isin(targets)]
    # The same code is one row, even if only some answers have its label.
    labelled = drawn[drawn["label"].notna()].drop_duplicates("code")
    words = dict(zip(labelled["code"], labelled["label"], strict=True))
    rows = [code_row(code, kind, words) for code, kind in zip(drawn["code"], drawn["dimension"], strict=True)]
    bands = [band if isinstance(band, str) else "" for band in drawn["confidence"]]
    drawn = drawn.assign(row_label=distinct(rows), band=bands)
    strongest = drawn.assign(
        strength=[-list(_BANDS).index(band) if band in _BANDS else 1 for band in bands],
        kind=[list(_DIMENSIONS).index(dimension) for dimension in drawn["dimension"]],
    ).sort_values(["strength", "rank"], kind="stable")
    kept = strongest.drop_duplicates("row_label").head(_MOST_ROWS)
    order = kept.sort_values("kind", kind="stable")["row_label"].tolist()
    names = _target_names(targets, _LONGEST_TICK)
    angle, height = tick_room([html.unescape(name) for name in names.values()])
    figure = Chart()
    for band in dict.fromkeys([*_BANDS, *sorted(set(bands), reverse=True)]):
        mine = drawn[(drawn["band"] == band) & drawn["row_label"].isin(order)]
        if mine.empty:
            continue
        said = f"{escaped(band)} confidence" if band else "confidence not stated"
        color = _BANDS.get(band, _OTHER_BAND if band else _NO_BAND)
        figure.add_scatter(
            name=said,
            x=[names[target] for target in mine["target"]],
            y=mine["row_label"].tolist(),
            mode="markers",
            marker={"color": color, "size": 16, "symbol": "square", "line": {"color": _OUTLINE, "width": 1}},
            hovertext=[escaped(target) for target in mine["target"]],
            hovertemplate="%{y}<br>%{hovertext}<extra>" + said + "</extra>",
        )
    kinds = found.drop_duplicates(["dimension", "code"])["dimension"].value_counts()
    counts = [counted(int(kinds[name]), *words) for name, words in _DIMENSIONS.items() if kinds.get(name)]
    whom = _short_target(every[0]) if len(every) == 1 else f"{len(every):,} sites"
    title = f"{' and '.join(counts)} for {whom}{_sure_of(found, int(kinds.sum()), len(every))}"
    finish(
        figure,
        title,
        _footer(drawn, len(targets), len(every), [_part(len(order), int(kinds.sum()), "interests and intents")]),
        rows=len(order),
        legend=1,
        ticks=height,
        alt=f"{title}. Darker squares are codes of a higher band of confidence.",
        data=drawn.loc[
            drawn["row_label"].isin(order),
            ["target", "dimension", "code", "label", "confidence", "rank", "vocab_version", "fetched_at"],
        ],
    )
    figure.update_xaxes(side="top", type="category", categoryarray=list(names.values()), categoryorder="array")
    figure.update_xaxes(tickangle=angle, automargin=False, range=[-0.5, len(targets) - 0.5])
    figure.update_yaxes(type="category", categoryorder="array", categoryarray=order[::-1])
    figure.update_layout(showlegend=True)
    return figure


def _sure_of(found: pd.DataFrame, whole: int, targets: int) -> str:
    """Say of how many codes the service is sure, on any site; nothing where no answer says so."""
    high = len(found[found["confidence"].eq("high")].drop_duplicates(["dimension", "code"]))
    if not high:
        return ""
    many = "" if whole == 1 else "all " if high == whole else f"{high:,} "
    # What one site is surely of another may be hardly of.
    where = "" if targets == 1 or found["confidence"].eq("high").all() else " on at least one of them"
    return f", {many}with high confidence{where}"


def _leading_title(stated: pd.DataFrame) -> str:
    """Say what each target is about above all; `stated` has the categories of all targets, the first ranks first.

    A category is not held against those in it: where a target has one of the first tier, that is what is told.
    """
    tier = stated["tier"].fillna(1)
    tops = stated[tier == tier.groupby(stated["target"], sort=False).transform("min")]
    best = tops.groupby("target", sort=False)["confidence"].transform("max")
    first = tops[tops["confidence"] == best]
    leading = {
        target: alike(list(dict.fromkeys(map(str, names))))
        for target, names in first.groupby("target", sort=False)["name"]
    }
    n = len(leading)
    if n == 1:
        [(target, name)] = leading.items()
        return f"{_short_target(target)} is about {name} ({percentage(best.iloc[0])} sure)"
    (most, times), *others = Counter(leading.values()).most_common(_MOST_LEADERS)
    if times == n:
        return f"All {n:,} sites are about {most} above all"
    if n == len(others) + 1:
        said = " and ".join(f"{_short_target(target)} about {name}" for target, name in leading.items())
        return said.replace(" about ", " is about ", 1)
    if times == 1:
        more = [*leading.values()][-1] if n == _MOST_LEADERS + 1 else f"{n - 2:,} more"
        return f"{n:,} sites, each about something else above all: {most}, {others[0][0]} and {more}"
    then = f", {others[0][1]:,} about {others[0][0]}" if others[0][1] > 1 and times <= n / 2 else ""
    return f"{times:,} of {n:,} sites are about {most} above all{then}"


def _footer(drawn: pd.DataFrame, targets: int, every: int, notes: Iterable[str]) -> str:
    fetched = drawn["fetched_at"].max()
    last = f"{fetched:%Y-%m-%d}" if pd.notna(fetched) else None
    sites = f"{targets} of {every:,} sites" if targets < every else counted(every, "site")
    return footer_of({"n": sites, "last": last, "source": SOURCE}, notes)


def _part(shown: int, whole: int, noun: str) -> str:
    return f"the strongest {shown} of {whole} {noun}" if shown < whole else ""


def _in_lines(label: str) -> str:
    """Return a path, given escaped, on two lines where it is long: what it ends in stands on one of them.

    >>> _in_lines("Business and Finance › Business › Business Accounting &amp; Finance")
    'Business and Finance › Business ›<br>Business Accounting &amp; Finance'
    """
    above, mark, last = label.rpartition(LEVEL)
    return f"{above} ›<br>{last}" if mark and len(html.unescape(label)) > _LONGEST_TICK else label


def _offset(place: int, bars: int, most: int) -> float:
    """Return where a bar begins within its row, so that a row's bars lie together around its middle."""
    return (bars / 2 - place - 1) * _BARS / most


def _target_names(targets: Iterable[str], longest: int = LONGEST) -> dict[str, str]:
    """Return for each target what an axis or a legend shows of it."""
    rows = [(target, [without_middle(str(target), longest), str(target)]) for target in targets]
    return dict(zip(targets, distinct(rows), strict=True))


def _short_target(target: object) -> str:
    return without_middle(str(target).removeprefix("https://").removeprefix("http://"))


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
        check_columns(frame, _BAND_COLUMNS, "confidence_bands")
        return _of_bands(frame)
    check_columns(frame, _BIN_COLUMNS, "confidence_bins")
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
