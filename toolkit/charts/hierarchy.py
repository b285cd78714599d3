"""Pictures of a coverage: what of a taxonomy is seen, and what is not, as bars, treemap, sunburst and icicle.

Every node is in a tree, so that a click opens what is below; only the first levels are shown at a time. Area stands for
the number of categories and shade for the part of them that is seen, never for sites alone: what nobody shows has a
place too, and no parent looks full because of one child.
"""

from __future__ import annotations

import math
import re
import textwrap
from bisect import bisect_left
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import plotly.graph_objects as go

from toolkit.charts import colours
from toolkit.charts.labels import escaped, path_in_words
from toolkit.charts.template import Chart, check_columns, empty, finish
from toolkit.charts.wording import (
    alike,
    footer_of_coverage,
    level_nouns_of,
    nouns_of,
    percent,
    plain_names,
    weight_name,
)
from toolkit.interface.checks import check_whole
from toolkit.interface.errors import InputError
from toolkit.interface.taxonomy import PATH_SEPARATOR
from toolkit.interface.text import counted, printable, shortened

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

__all__ = ["coverage_bars", "coverage_icicle", "coverage_sunburst", "coverage_treemap"]

_NEEDED: Final = ("taxonomy", "id", "parent", "name", "tier", "path", "sites", "share", "seen", "value_nodes")
_DRAWN: Final = ("taxonomy", "id", "parent", "path", "tier", "sites", "share", "seen", "value_nodes")
#: From little to all of it seen; steps that differ in grey too.
_SHADES: Final = colours.SEEN
#: The largest part that has each shade, and how the legend calls it.
_STEPS: Final = ((0.1, "up to 10 % seen"), (0.25, "up to 25 %"), (0.5, "up to 50 %"), (1.0, "more"))
_UNSEEN: Final = colours.UNSEEN
#: With a background of its own: plotly takes one from all colours at once for a single colour, and warns.
_HATCHED: Final = {"fgcolor": colours.HATCHING, "bgcolor": _UNSEEN, "size": 6, "solidity": 0.2, "fillmode": "overlay"}
_EDGE: Final = colours.AXIS
_UNSEEN_EDGE: Final = colours.UNSEEN_EDGE
_NO_EDGE: Final = "rgba(0, 0, 0, 0)"
_INK: Final = colours.INK
_INK_ON: Final = dict.fromkeys(_SHADES[:2], colours.INK_ON) | dict.fromkeys(_SHADES[2:], colours.PAPER)
_ROOT_COLOR: Final = colours.PAPER
_ROOT: Final = "whole taxonomy"
_APART: Final = re.compile(r"(?<=\w)/ (?=\w)")
_SMALLER: Final = "smaller ones"
_MOST_BARS: Final = 12
_BAR: Final = 1.15
_LONGEST_TICK: Final = 40
_MOST_NAMED: Final = 2
_MOST_IN_ALT: Final = 3
_LONGEST_NAME: Final = 60
_UNWRAPPED: Final = 100
_ROWS: Final = 28
#: From this share of the whole on a part has room for a name, on the inner ring of a sunburst from the other one on;
#: smaller ones are gathered in a field. And what a name takes of an icicle's height.
_LEAST_NAMED: Final = 0.015
_LEAST_INNER: Final = 0.025
_NAME_ROWS: Final = 0.78
#: Of names, so that they can be read on a slide too.
_FONT: Final = 12
_LEAST_FONT: Final = 11
#: Pixels above the plot: of the legend, and of the bar that leads back.
_LEGEND: Final = 44
_BACK: Final = 26
#: Of a picture without an axis below, and what this is less than others have.
_BOTTOM: Final = 16
_FREED: Final = 40


def coverage_bars(covered: pd.DataFrame, most: int = _MOST_BARS, *, by_sites: bool = False) -> go.Figure:
    """Draw how much of each main topic is seen: one bar a topic, as long as it has topics, filled as far as seen.

    Parameters
    ----------
    covered : DataFrame
        As `toolkit.findings.coverage.coverage` returns it, or a part of it, such as a branch.
    most : int
        At most so many bars: those of which most is seen.
    by_sites : bool
        Whether bars are as long as there are sites, and filled as far as these show the topic.

    Returns
    -------
    Figure
        One row a topic of the highest level that is there, with how many of the topics in it, itself included, some
        site shows. `data_of` gives one row a bar.

    Raises
    ------
    InputError
        As `coverage_treemap`.

    Examples
    --------
    >>> from toolkit import sample_run
    >>> coverage_bars(sample_run().coverage("content-v3")).layout.title.text.split("<br>")[0]
    '91 of 703 topics seen, most of Business and Finance: 13 of 71'
    """
    check_columns(covered, _NEEDED, "coverage")
    most = check_whole(most, "most", 1)
    if covered.empty:
        return empty("There is nothing to draw", "The coverage has no rows; pass what coverage() returned")
    tree, name, about = _tree(covered), _taxonomy(covered), covered.attrs.get("about", {})
    scope = _Scope.of(tree)
    nodes = scope.nodes
    if by_sites:
        nodes = nodes.assign(part=nodes["sites"], whole=int(about.get("sites") or nodes["sites"].max()))
    ordered = nodes.sort_values(["part", "sites", "path"], ascending=[False, False, True], kind="stable")
    seen = ordered[ordered["part"] > 0]
    rows = (seen if len(seen) else ordered).head(most)
    counts = [f"{part} of {whole}" for part, whole in rows[["part", "whole"]].itertuples(index=False, name=None)]
    first = rows["part"].eq(rows["part"].iloc[0]).to_numpy() & bool(len(seen))
    leaders = [_short(label) for label in rows.loc[first, "name"]]
    title = _title(tree, scope, name, about)
    if len(seen) and int(rows["whole"].max()) > 1:
        of = counts[0] if len(leaders) == 1 else f"{rows['part'].iloc[0]} each"
        title = f"{title.partition(';')[0]}, most of {alike(leaders, 'more').removesuffix(' alike')}: {of}"
        title = f"Most sites show {alike(leaders, 'more')}: {of}" if by_sites else title
    _, many = level_nouns_of(name, scope.nodes["tier"])
    figure = Chart()
    ticks = list(plain_names(map(path_in_words, rows["path"]), _LONGEST_TICK).values())
    names = plain_names(rows["name"], _LONGEST_TICK)
    if len(names) == len(rows):
        ticks = [names[label] for label in rows["name"]]
    hovers = _hovers(rows, about)
    look = {"y": ticks, "orientation": "h", "hovertext": hovers, "hovertemplate": "%{hovertext}<extra></extra>"}
    figure.add_bar(
        x=rows["whole"].tolist(),
        marker={"color": colours.BACKGROUND, "line": {"width": 0}},
        text=[f"<b>{text}</b>" if leads else text for text, leads in zip(counts, first, strict=True)],
        textposition="outside",
        cliponaxis=False,
        **look,
    )
    figure.add_bar(
        x=rows["part"].tolist(),
        marker={"color": [colours.OVER if leads else colours.QUIET for leads in first], "line": {"width": 0}},
        **look,
    )
    unseen, left = len(ordered) - len(seen), len(seen) - len(rows)
    notes = [
        f"the first {len(rows)} of {len(seen)} that are seen" if left > 0 else "",
        f"{unseen} of {len(ordered)} {many} are on no site" if unseen and len(seen) else "",
    ]
    finish(
        figure,
        title,
        footer_of_coverage({"taxonomy": name, **about}, notes),
        rows=len(rows) * _BAR,
        alt=f"Bars of the {many} by {'their sites' if by_sites else 'how much of each is seen'}. {title}.",
        data=rows[[*_DRAWN, "part", "whole"]],
    )
    figure.update_layout(barmode="overlay", bargap=0.25, showlegend=False)
    axis = (
        "Sites; filled: those that show it"
        if by_sites
        else f"The {level_nouns_of(name, scope.nodes['tier'])[0]} itself and those in it; filled: what some site shows"
    )
    figure.update_xaxes(title=axis, rangemode="tozero", tickformat=",d")
    figure.update_yaxes(type="category", categoryorder="array", categoryarray=ticks[::-1], showgrid=False)
    return figure


def coverage_treemap(covered: pd.DataFrame, *, depth: int = 1) -> go.Figure:
    """Draw a taxonomy as nested rectangles: darker where more of it is seen, hatched where nothing is.

    Parameters
    ----------
    covered : DataFrame
        As `toolkit.findings.coverage.coverage` returns it, or a part of it.
    depth : int
        Levels that are shown at a time. A click on a category opens what is below it.

    Returns
    -------
    Figure
        One rectangle a node, as large as it has categories without further ones below (``value_nodes``), and as dark as
        these are seen. Those of the first level that are too small for a name are gathered in one, which a click
        opens. `data_of` gives one row a node.

    Raises
    ------
    InputError
        If the frame is no coverage, is of several taxonomies, or its nodes make no tree with sums that hold.

    Examples
    --------
    >>> from toolkit import Client
    >>> from toolkit.findings.coverage import coverage
    >>> from toolkit.frames.typed import categories
    >>> covered = coverage(categories(Client().categorize_content(url="campfire-rv.example")))
    >>> coverage_treemap(covered).layout.title.text.split(" seen")[0]
    '3 of 703 topics'
    """
    return _drawn(
        covered,
        depth,
        "treemap",
        go.Treemap,
        marker={"pad": {"t": 20, "l": 3, "r": 3, "b": 3}},
        wrap_above=False,
        least=(_LEAST_NAMED,),
        width=12,
        smallest=10,
        tiling={"packing": "squarify", "pad": 1},
        textposition="top left",
    )


def coverage_sunburst(covered: pd.DataFrame, *, depth: int = 2) -> go.Figure:
    """Draw a taxonomy as rings from the inside out: darker where more of it is seen, hatched where nothing is.

    Parameters, result and errors are those of `coverage_treemap`.
    """
    return _drawn(
        covered,
        depth,
        "sunburst",
        go.Sunburst,
        insidetextorientation="radial",
        leaf={"opacity": 1},
        least=(_LEAST_INNER, _LEAST_NAMED),
        width=14,
        gap="<br>",
    )


def coverage_icicle(covered: pd.DataFrame, *, depth: int = 2) -> go.Figure:
    """Draw a taxonomy as columns from left to right: darker where more of it is seen, hatched where nothing is.

    Parameters, result and errors are those of `coverage_treemap`.
    """
    tiling = {"orientation": "h", "pad": 0}
    return _drawn(
        covered,
        depth,
        "icicle",
        go.Icicle,
        tiling=tiling,
        textposition="middle left",
        leaf={"opacity": 1},
        least=(_LEAST_NAMED, _LEAST_NAMED),
        width=_UNWRAPPED,
        every_name=True,
        # Edges of parts that are a pixel high would be all that is seen.
        unseen_edge=_NO_EDGE,
    )


def _drawn(
    covered: pd.DataFrame,
    depth: int,
    what: str,
    trace: Any,
    *,
    marker: Mapping[str, Any] = MappingProxyType({}),
    wrap_above: bool = True,
    unseen_edge: str = _UNSEEN_EDGE,
    width: int,
    least: tuple[float, ...],
    gap: str = " ",
    every_name: bool = False,
    smallest: int = _LEAST_FONT,
    **options: Any,
) -> go.Figure:
    check_columns(covered, _NEEDED, "coverage")
    depth = check_whole(depth, "depth", 1, advice="Give a number of levels, at least 1.")
    if covered.empty:
        return empty("There is nothing to draw", "The coverage has no rows; pass what coverage() returned")
    tree, name, about = _tree(covered), _taxonomy(covered), covered.attrs.get("about", {})
    scope = _Scope.of(tree)
    colors = [_color(part) for part in tree["part"] / tree["whole"]]
    parents, more = _gathered(tree, least, width)
    # The one node at the top of a branch is the root: around it another would only take room.
    tops = tree.loc[tree["above"] == _ROOT, "id"]
    rooted = len(tops) > 1
    if not rooted:
        parents = ["" if node == tops.iloc[0] else above for node, above in zip(tree["id"], parents, strict=True)]
    whole = f"{int(tree['seen'].sum()):,} of {len(tree):,} {escaped(nouns_of(name)[1])}"
    figure = Chart()
    seen = tree["seen"].astype(bool).tolist()
    figure.add_trace(
        trace(
            ids=[*[_ROOT] * rooted, *tree["id"], *more.ids],
            parents=[*[""] * rooted, *parents, *more.parents],
            labels=[
                *[f"{escaped(nouns_of(name)[1])}:{gap}{int(tree['seen'].sum())} of {len(tree)} seen"] * rooted,
                *_labels(tree, 1 if wrap_above else depth, width),
                *more.labels,
            ],
            values=[
                *[int(tree.loc[tree["above"] == _ROOT, "value_nodes"].sum())] * rooted,
                *tree["value_nodes"].tolist(),
                *more.values,
            ],
            branchvalues="total",
            maxdepth=depth + 1,
            marker={
                "colors": [*[_ROOT_COLOR] * rooted, *colors, *more.colors],
                # One width for all: with several, plotly loses the path bar that leads back.
                "line": {
                    "color": [
                        *[_EDGE] * rooted,
                        *(_EDGE if is_seen else unseen_edge for is_seen in seen),
                        *(_EDGE for _ in more.ids),
                    ],
                    "width": 0.5,
                },
                "pattern": {
                    "shape": [*[""] * rooted, *("" if part != _UNSEEN else "/" for part in [*colors, *more.colors])],
                    **_HATCHED,
                },
                **marker,
            },
            hovertext=[*[f"{whole} seen"] * rooted, *_hovers(tree, about), *more.hovers],
            hovertemplate="%{hovertext}<extra></extra>",
            textinfo="label",
            textfont={
                "size": _FONT,
                "color": [*[_INK] * rooted, *(_INK_ON.get(color, _INK) for color in [*colors, *more.colors])],
            },
            **options,
        )
    )
    rows = _rows(scope.nodes["value_nodes"]) if every_name else _ROWS
    _add_legend(figure, {*colors, *more.colors}, level_nouns_of(name, ())[1])
    title = _title(tree, scope, name, about)
    finish(
        figure,
        title,
        footer_of_coverage({"taxonomy": name, **about}),
        rows=rows,
        ticks=_BACK + _LEGEND * (not every_name),
        alt=_alt(title, scope.nodes, name, what),
        data=tree[list(_DRAWN)],
    )
    figure.update_layout(uniformtext={"minsize": smallest, "mode": "hide"})
    figure.update_layout(margin={"b": _BOTTOM}, height=figure.layout.height - _FREED)
    _place_legend(figure, inside=every_name)
    return figure


def _color(part: float) -> str:
    """Return the shade of a node of which a part is seen, itself included."""
    bounds = [bound for bound, _ in _STEPS]
    return _SHADES[bisect_left(bounds, part)] if part > 0 else _UNSEEN


class _Gathered(NamedTuple):
    """The fields that stand for parts too small for a name; empty where there is none."""

    ids: list[str]
    parents: list[str]
    labels: list[str]
    values: list[int]
    colors: list[str]
    hovers: list[str]


def _gathered(tree: pd.DataFrame, least: tuple[float, ...], width: int) -> tuple[list[str], _Gathered]:
    """Return what each node lies in: those that are too small for a name lie in a field of their parent.

    `least` has the smallest share of the area for a name, for the first level and for those below it that are drawn.
    """
    tops = tree.index[tree["above"] == _ROOT]
    root = _ROOT if len(tops) > 1 else str(tree.loc[tops[0], "id"])
    above, fields, whole = tree["above"].copy(), _Gathered([], [], [], [], [], []), tree.loc[tops, "value_nodes"].sum()
    parents = [root]
    for share in least:
        inside = tree[tree["above"].isin(parents)]
        small = inside[inside["value_nodes"] < share * whole]
        for parent, ones in small.groupby("above", sort=False):
            every = len(ones) == int((inside["above"] == parent).sum())
            if len(ones) > 1 and not (every and parent == root):
                above.loc[ones.index] = _gather(fields, str(parent), ones, width, smaller=not every)
        parents = inside["id"].tolist()
    return above.tolist(), fields


def _gather(fields: _Gathered, parent: str, ones: pd.DataFrame, width: int, *, smaller: bool) -> str:
    """Add the field of some small nodes of a parent, and return its id."""
    seen, whole = int(ones["part"].sum()), int(ones["whole"].sum())
    nouns = level_nouns_of(str(ones["taxonomy"].iloc[0]), ones["tier"])[1]
    said = f"{len(ones)} {'smaller ' * smaller}{escaped(nouns)}"
    names = ", ".join(escaped(_short(label)) for label in ones["name"].head(_MOST_BARS))
    more = f" and {len(ones) - _MOST_BARS} more" if len(ones) > _MOST_BARS else ""
    field = _SMALLER if parent == _ROOT else f"{_SMALLER} of {parent}"
    fields.ids.append(field)
    fields.parents.append(parent)
    fields.labels.append("<br>".join(textwrap.wrap(said, width, break_on_hyphens=False)))
    fields.values.append(int(ones["value_nodes"].sum()))
    fields.colors.append(_color(seen / whole))
    fields.hovers.append(f"<b>{said}</b><br>{names}{more}<br>{seen} of {whole} in them seen")
    return field


def _add_legend(figure: go.Figure, colors: set[str], nouns: str) -> None:
    """Say what the shades mean; plotly has no legend for hierarchies, so bars that are nowhere stand for them."""
    texts = {_UNSEEN: "not seen"} | dict(zip(_SHADES, (text for _, text in _STEPS), strict=True))
    for color, text in texts.items():
        if color in colors:
            pattern = _HATCHED if color == _UNSEEN else {}
            marker = {"color": color, "line": {"color": _EDGE, "width": 1}}
            marker["pattern"] = {"shape": "/" if pattern else "", **pattern}
            figure.add_bar(x=[None], y=[None], name=text, marker=marker, hoverinfo="skip", showlegend=True)
    figure.update_xaxes(visible=False, fixedrange=True)
    figure.update_yaxes(visible=False, fixedrange=True)
    figure.update_layout(
        showlegend=True,
        legend={
            "title": {
                "text": f"Area: {nouns}. Shade: the part of them that is seen. Number: sites",
                "font": {"size": 13},
                "side": "top",
            },
            "itemclick": False,
            "itemdoubleclick": False,
        },
    )


def _place_legend(figure: go.Figure, *, inside: bool) -> None:
    """Put the legend above the picture, or into the column of an icicle's root, which has nothing else to say."""
    layout = figure.layout
    place: dict[str, Any] = {"xref": "paper", "yref": "paper"}
    if inside:
        place |= {"orientation": "v", "x": 0.005, "y": 0.998, "yanchor": "top", "bgcolor": colours.PAPER}
        figure.update_layout(legend_title_text=layout.legend.title.text.replace(". ", ".<br>"))
    else:
        height = layout.height - layout.margin.t - layout.margin.b
        place |= {"x": 0, "y": 1 + _BACK / height, "yanchor": "bottom"}
    figure.update_layout(legend=place)


def _tree(covered: pd.DataFrame) -> pd.DataFrame:
    """Return the nodes in the order of their paths, each below a node that is there or below the root.

    Of a node, ``part`` of ``whole`` are seen, itself included; ``seen_below`` of ``below`` are without it.
    Plotly draws nothing at all, and says nothing, where a parent is missing or smaller than what is below it.
    """
    ids, sizes = covered["id"], covered["value_nodes"]
    if ids.isna().any() or ids.duplicated().any() or ids.isin(["", _ROOT]).any() or ids.str.startswith(_SMALLER).any():
        raise InputError(
            "A node of the coverage has no id, or one that another has. Pass one coverage of one taxonomy."
        )
    if not (np.isfinite(sizes.astype("float64")) & (sizes >= 1)).all():
        raise InputError("A node of the coverage has no size in 'value_nodes'. Pass what coverage() returned.")
    tree = covered.sort_values(["path", "id"], kind="stable", ignore_index=True)
    tree["above"] = tree["parent"].where(tree["parent"].isin(ids), _ROOT)
    sums = tree.groupby("above")["value_nodes"].sum()
    if (too_small := tree["id"].map(sums) > tree["value_nodes"]).any():
        culprit = tree["path"][too_small].iloc[0]
        raise InputError(
            f"{culprit!r} has a smaller 'value_nodes' than what is below it. Pass what coverage() returned."
        )
    parents = dict(zip(tree["id"], tree["above"], strict=True))
    below, seen_below, level = dict.fromkeys(parents, 0), dict.fromkeys(parents, 0), dict.fromkeys(parents, 1)
    for node, seen in zip(tree["id"], tree["seen"], strict=True):
        above = parents[node]
        for _ in parents:
            if above == _ROOT:
                break
            level[node] += 1
            below[above] += 1
            seen_below[above] += bool(seen)
            above = parents[above]
        else:
            raise InputError(f"Node {node!r} of the coverage is its own ancestor. Pass what coverage() returned.")
    counts = {"below": below, "seen_below": seen_below, "level": level}
    tree = tree.assign(**{column: tree["id"].map(found) for column, found in counts.items()})
    return tree.assign(part=tree["seen_below"] + tree["seen"].astype(bool), whole=tree["below"] + 1)


def _taxonomy(covered: pd.DataFrame) -> str:
    names = covered["taxonomy"].dropna().unique().tolist()
    if len(names) != 1:
        raise InputError(f"The coverage is of {len(names)} taxonomies. Draw one at a time.")
    return printable(str(names[0]))


def _labels(tree: pd.DataFrame, wrapped_from: int, width: int) -> list[str]:
    """Return names with the number of sites; broken into lines from a level on, which lets plotly write them larger."""
    labels = []
    for name, level, sites in tree[["name", "level", "sites"]].itertuples(index=False, name=None):
        text = shortened(printable(str(name)), _LONGEST_NAME) + (f"\u00a0({sites})" if sites else "")
        longest = width if level >= wrapped_from else _UNWRAPPED
        # Several names in one are no word: "Snooker/Pool/Billiards".
        words = [word.replace("/", "/ ") if len(word) > longest else word for word in text.split(" ")]
        lines = textwrap.wrap(" ".join(words), longest, break_long_words=False, break_on_hyphens=False)
        lines = [_APART.sub("/", line) for line in lines]
        # A word that is too long by its number alone leaves it to the next line.
        parts = [part for line in lines for part in (line.split("\u00a0") if len(line) > longest else [line])]
        labels.append("<br>".join(map(escaped, parts)))
    return labels


def _hovers(tree: pd.DataFrame, about: dict[str, Any]) -> list[str]:
    whole = f" of {counted(about['sites'], 'site')}" if about.get("sites") else " sites"
    weight = weight_name(about) if "weighted_share" in tree.columns else ""
    parts = tree["weighted_share"] if weight else tree["share"]
    texts = []
    columns = tree[["path", "sites", "share", "below", "seen_below"]].assign(part=parts)
    for path, sites, share, below, seen, part in columns.itertuples(index=False, name=None):
        said = f"{sites}{whole} ({percent(share)})" if sites else "not seen"
        spent = f"<br>{percent(part)} of {escaped(weight)}" if weight and sites else ""
        more = f"<br>{seen} of {below} below it seen" if below else ""
        texts.append(f"<b>{escaped(path_in_words(path))}</b><br>{said}{spent}{more}")
    return texts


class _Scope(NamedTuple):
    """What a title speaks of: the branch that all nodes are in, if there is one, and the highest nodes in it."""

    branch: str
    nodes: pd.DataFrame

    @classmethod
    def of(cls, tree: pd.DataFrame) -> _Scope:
        """Return the branch of a tree; the top node of a branch is not in it."""
        top = tree[tree["above"] == _ROOT]
        first = top.iloc[0]
        if len(top) == 1 and (below := tree["above"] == first["id"]).any():
            return cls(_short(first["name"]), tree[below])
        one = isinstance(first["parent"], str) and bool((top["parent"] == first["parent"]).all())
        above, _, _ = str(first["path"]).rpartition(PATH_SEPARATOR)
        return cls(_short(above.rpartition(PATH_SEPARATOR)[2]) if one else "", top)


def _short(name: object) -> str:
    return shortened(printable(str(name)), _LONGEST_NAME)


def _rows(sizes: pd.Series) -> int:
    """Return how many rows a picture needs in which the names of parts of these sizes can be read."""
    shares = sizes / sizes.sum()
    least = float(shares[shares >= _LEAST_NAMED].min())  # nan where all are smaller
    return max(_ROWS, math.ceil(_NAME_ROWS / least)) if least > 0 else _ROWS


def _title(tree: pd.DataFrame, scope: _Scope, name: str, about: Mapping[str, Any]) -> str:
    nodes, seen = len(tree), int(tree["seen"].sum())
    # Of a part of a coverage, its own numbers say nothing of the rest.
    whole = about.get("nodes") == nodes
    part = "nodes" in about and not whole
    tiers = set(tree["tier"])
    tier = next(iter(tiers)) if len(tiers) == 1 and (part or tiers != {1}) else None
    where = f" in {scope.branch}" if scope.branch else ""
    one, many = (noun + where for noun in nouns_of(name, tier))
    if not seen:
        return f"None of {counted(nodes, one, many)} seen"
    if seen == nodes and not whole:
        return f"All {nodes} {many} drawn here are seen" if nodes > 1 else f"The one {one} drawn here is seen"
    if seen == nodes:
        return f"{seen} of {counted(nodes, one, many)} seen; nothing is missing"
    nouns = ("", "") if tier is not None else level_nouns_of(name, scope.nodes["tier"])
    return f"{seen} of {counted(nodes, one, many)} seen; {_missing(scope, nouns, part=part)}"


def _missing(scope: _Scope, nouns: tuple[str, str], *, part: bool) -> str:
    """Say which of the highest nodes nobody shows, the largest first; without nouns, these have been named."""
    nodes = scope.nodes
    unseen = nodes[~nodes["seen"].astype(bool)]
    unseen = unseen.sort_values(["value_nodes", "path"], ascending=[False, True], kind="stable")
    if unseen.empty:
        return f"something in every {nouns[0]}{' drawn here' if part and not scope.branch else ''}"
    names = [_short(name) for name in unseen["name"].head(_MOST_NAMED)]
    if more := len(unseen) - len(names):
        return f"nothing in {', '.join(names)} and {counted(more, *(f'more {noun}'.strip() for noun in nouns))}"
    return f"nothing in {' or '.join(names)}"


def _alt(title: str, nodes: pd.DataFrame, name: str, what: str) -> str:
    leaders = nodes[nodes["seen"].astype(bool)]
    ordered = leaders.sort_values(["sites", "path"], ascending=[False, True], kind="stable")
    leaders = ordered.head(_MOST_IN_ALT)
    as_many = int((ordered["sites"].iloc[_MOST_IN_ALT:] == leaders["sites"].min()).sum())
    most = ", ".join(
        f"{_short(label)} ({counted(sites, 'site')}, {percent(share)})"
        for label, sites, share in leaders[["name", "sites", "share"]].itertuples(index=False, name=None)
    )
    more = f" and {as_many} more of as many" if as_many else ""
    first = f" Most sites: {most}{more}." if most else ""
    article = "An" if what.startswith("i") else "A"
    return f"{article} {what} of the {nouns_of(name)[1]}: {title}.{first} Unseen parts are hatched."
