"""What the CoverageExplorer widget offers and shows, as plain functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from toolkit import charts
from toolkit.charts.labels import LEVEL, path_in_words
from toolkit.charts.wording import footer_of_coverage, nouns_of
from toolkit.findings.coverage import coverage
from toolkit.findings.sensitive import is_unsought
from toolkit.findings.unseen import accumulation, unseen
from toolkit.frames.schemas import LEVELS
from toolkit.interface.taxonomy import PATH_SEPARATOR
from toolkit.interface.text import counted
from toolkit.reports.contents import MOST_ROWS, Chart, Series
from toolkit.reports.page.headlines import below_picture, picture_html
from toolkit.widgets.findings.box import CODE_HEAD, Shown
from toolkit.widgets.findings.rows import Rows
from toolkit.widgets.given import sites_of
from toolkit.widgets.grid.columns import Column

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd
    import plotly.graph_objects as go

    from toolkit.interface.vocabulary import Vocabulary
from toolkit.widgets.html import escaped

__all__ = ["BANDS", "PICTURES", "TAXONOMIES", "Covered", "covered", "taxonomies_of"]

#: What can be covered, as people call it, with the frame that tells of it.
TAXONOMIES: Final = {
    "Topics": ("content-v3", "categories"),
    "Topics of the earlier list": ("content-v2", "categories"),
    "Interests": ("interest", "codes"),
    "Purchase intents": ("purchase_intent", "codes"),
}
BANDS: Final = ("low", "medium", "high")
PICTURES: Final = {
    "Top topics": "topics",
    "Treemap": "treemap",
    "Sunburst": "sunburst",
    "Icicle": "icicle",
    "How much is still unseen": "accumulation",
}
#: What the levels of a taxonomy are called.
_LEVELS: Final = ("main topics", "sub-topics", "topics of the third level", "topics of the fourth level")
#: Gaps that are named.
_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class Covered(Shown):
    """A coverage as it is shown, and where one can go into it."""

    #: Of `TAXONOMIES`.
    label: str
    #: All tiers of the taxonomy.
    tiers: tuple[int, ...]
    #: By the path of a node, the names of those in it that have others in them, the most seen first. The path of the
    #: whole taxonomy is empty, and there all of the top are named.
    inside: dict[str, tuple[str, ...]]
    #: By its id, the names that lead to each node that has others in it, from the top down.
    nodes: dict[str, tuple[str, ...]]


def taxonomies_of(frames: Mapping[str, pd.DataFrame]) -> list[str]:
    """Return the labels of what the frames of a run can cover."""
    return [label for label, (_, frame) in TAXONOMIES.items() if frame in frames]


def covered(
    frames: Mapping[str, pd.DataFrame],
    vocabulary: Vocabulary | None,
    label: str,
    threshold: float | str,
    *,
    tier: int | None = None,
    branch: Sequence[str] = (),
    picture: str = "topics",
) -> Covered:
    """Work out a coverage and return it as it is shown.

    `label` is of `TAXONOMIES`, `picture` of `PICTURES`. `threshold` is a number from 0 to 1, or a band for codes.
    `tier` is the one of the value and the table, and `branch` has the names from the top down of the one node to go
    into.
    """
    taxonomy, name = TAXONOMIES[label]
    frame = frames[name]
    sites = sites_of(frames, taxonomy if name == "categories" else name)
    given = vocabulary if name == "codes" else None
    found = coverage(frame, taxonomy, threshold=threshold, vocabulary=given, sites=sites)
    inside = found
    for level, node in zip(LEVELS, branch, strict=False):
        inside = inside[inside[level] == node]
    shown = inside if tier is None else inside[inside["tier"] == tier]
    shown = shown.reset_index(drop=True)
    shown.attrs = dict(found.attrs)
    code = _code(taxonomy, threshold, tier, branch)
    drawn, figure = "", None
    if picture == "topics":
        drawn = _ranked(inside, branch, taxonomy, footer_of_coverage(found.attrs["about"]))
    elif picture == "accumulation":
        figure = charts.accumulation_curve(accumulation(inside), unseen(inside))
        # Rows of a coverage are a plain frame.
        parts = "tk.findings.{}(covered)" if branch else "covered.{}()"
        arguments = ", ".join(parts.format(name) for name in ("accumulation", "unseen"))
        code += f"\ntk.charts.accumulation_curve({arguments})"
    else:
        figure = _hierarchy(inside, found, picture)
        code += f"\ntk.charts.coverage_{picture}(covered)"
    tiers = tuple(sorted(map(int, found["tier"].unique())))
    status = f"{_status(found, inside, branch)}{_missing(inside, branch)}"
    return Covered(
        shown, figure, status, _table(shown, label), code, label, tiers, _insides(found), _ways(found), picture=drawn
    )


def _ranked(inside: pd.DataFrame, branch: Sequence[str], taxonomy: str, footer: str) -> str:
    """Return as HTML how much is seen of each topic that one can go into, the widest first, and what it is of."""
    level = LEVELS[min(len(branch), len(LEVELS) - 1)]
    every = inside.dropna(subset=[level]).groupby(level, sort=False)
    rows = every.agg(seen=("seen", "sum"), nodes=("seen", "size"), sites=("sites", "max")).reset_index(names="name")
    rows = rows[rows["seen"] > 0].sort_values(["seen", "sites", "name"], ascending=[False, False, True])
    rows = rows.head(MOST_ROWS).reset_index(drop=True)
    if rows.empty:
        return ""
    rows["tip"] = [f"{seen} of {nodes}" for seen, nodes in zip(rows["seen"], rows["nodes"], strict=True)]
    rows["strong"] = rows["seen"].eq(rows["seen"].max())
    one, many = nouns_of(taxonomy)
    alt = f"{many.capitalize()} by how many in them are seen, themselves included: "
    alt += ", ".join(rows["name"] + " " + rows["tip"])
    series = (Series("seen", f"{many} seen"),)
    axis = f"The {one} itself and those in it that some site shows, number"
    drawn = picture_html(Chart("bars", alt, rows, "name", series, axis=axis, form="whole", strong="strong", tips="tip"))
    return f"{drawn}{below_picture(footer)}"


def _missing(inside: pd.DataFrame, branch: Sequence[str]) -> str:
    """Name what no site shows, at the top of what is looked at."""
    top = inside[inside["tier"] == len(branch) + 1]
    unseen_ones = top[~top["seen"]].sort_values(["below", "name"], ascending=[False, True], kind="stable")
    if len(unseen_ones) == len(top):
        return ""
    # Who goes into genres, or into what brands keep off, wants to know what of them is not there.
    aside = is_unsought(unseen_ones) & (not branch)
    besides = ", sensitive ones aside" if aside.any() else ""
    unseen_ones = unseen_ones[~aside]
    if unseen_ones.empty:
        return ""
    names = [escaped(name) for name in unseen_ones["name"].head(_NAMED)]
    more = f" and {len(unseen_ones) - len(names):,} more" if len(unseen_ones) > len(names) else ""
    return f"<br><b>On none of the sites:</b> {', '.join(names)}{more}{besides}."


def _insides(found: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    nodes = found[(found["tier"] == 1) | (found["below"] > 0)]
    nodes = nodes.sort_values(["sites", "name"], ascending=[False, True], kind="stable")
    inside: dict[str, list[str]] = {}
    for path, name in zip(nodes["path"], nodes["name"], strict=True):
        inside.setdefault(path[: -len(name)].removesuffix(PATH_SEPARATOR), []).append(name)
    return {path: tuple(names) for path, names in inside.items()}


def _ways(found: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    nodes = found.loc[found["below"] > 0, ["id", *LEVELS]]
    ways = nodes[list(LEVELS)].itertuples(index=False, name=None)
    return {
        str(node): tuple(name for name in way if isinstance(name, str))
        for node, way in zip(nodes["id"], ways, strict=True)
    }


def _hierarchy(inside: pd.DataFrame, found: pd.DataFrame, picture: str) -> go.Figure:
    draw = {
        "treemap": charts.coverage_treemap,
        "sunburst": charts.coverage_sunburst,
        "icicle": charts.coverage_icicle,
    }[picture]
    whole = inside.reset_index(drop=True)
    whole.attrs = dict(found.attrs)
    return draw(whole)


def _status(found: pd.DataFrame, inside: pd.DataFrame, branch: Sequence[str]) -> str:
    seen = int(inside["seen"].sum())
    n = int(found.attrs["about"]["sites"])
    where = f" in {escaped(LEVEL.join(branch))}" if branch else ""
    tiers = inside.groupby("tier")["seen"].agg(["sum", "size"])
    rows = zip(tiers.index, tiers["sum"], tiers["size"], strict=True)
    parts = " · ".join(f"{_LEVELS[min(tier, len(_LEVELS)) - 1]}: {seen} of {size}" for tier, seen, size in rows)
    return f"<b>{seen:,} of {counted(len(inside), *_nouns(found))}{where} seen</b> on {counted(n, 'site')}<br>{parts}"


def _nouns(found: pd.DataFrame) -> tuple[str, str]:
    """Return what one row of a coverage and several are called."""
    return nouns_of(str(found.attrs["about"]["taxonomy"]))


def _table(found: pd.DataFrame, label: str) -> Rows:
    # What is no gap stands after what is one.
    rows = found.assign(later=is_unsought(found) & ~found["seen"])
    rows = rows.sort_values(["seen", "later", "tier", "path"], kind="stable")
    frame = rows[["path", "tier", "sites", "share", "seen"]]
    frame = frame.assign(path=frame["path"].map(path_in_words), seen=frame["seen"].astype(bool))
    columns = (
        Column("path", label, width=380),
        Column("tier", "Level", "number"),
        Column("sites", "Sites", "number"),
        Column("share", "Share of sites", "share"),
        Column("seen", "Seen", "flag"),
    )
    seen = int(found["seen"].sum())
    order = "Unseen first" if 0 < seen < len(found) else "All of these are seen" if seen else "None is seen"
    return Rows(frame.reset_index(drop=True), columns, "coverage", order, _nouns(found))


def _code(taxonomy: str, threshold: float | str, tier: int | None, branch: Sequence[str]) -> str:
    least = f", threshold={threshold!r}" if threshold else ""
    lines = [f"{CODE_HEAD}covered = run.coverage({taxonomy!r}{least})"]
    lines += [f"covered = covered[covered[{level!r}] == {node!r}]" for level, node in zip(LEVELS, branch, strict=False)]
    if tier is not None:
        lines.append(f"of_tier = covered[covered['tier'] == {tier}]")
    return "\n".join(lines)
