"""What the CoverageExplorer widget offers and shows, as plain functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from toolkit import charts
from toolkit.findings.coverage import coverage
from toolkit.findings.unseen import accumulation, unseen
from toolkit.frames.schemas import LEVELS
from toolkit.interface.taxonomy import PATH_SEPARATOR
from toolkit.interface.text import counted
from toolkit.widgets.findings.box import CODE_HEAD, Shown, listing
from toolkit.widgets.given import sites_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd
    import plotly.graph_objects as go

    from toolkit.interface.vocabulary import Vocabulary
from toolkit.widgets.html import escaped

__all__ = ["BANDS", "PICTURES", "TAXONOMIES", "Covered", "covered", "taxonomies_of"]

#: What can be covered, as people call it, with the frame that tells of it.
TAXONOMIES: Final = {
    "Content categories (taxonomy 3)": ("content-v3", "categories"),
    "Content categories (taxonomy 2)": ("content-v2", "categories"),
    "Interests": ("interest", "codes"),
    "Purchase intent": ("purchase_intent", "codes"),
}
BANDS: Final = ("low", "medium", "high")
PICTURES: Final = {
    "Treemap": "treemap",
    "Sunburst": "sunburst",
    "Icicle": "icicle",
    "How much is still unseen": "accumulation",
}
_MOST_ROWS: Final = 60


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
    picture: str = "treemap",
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
    code = _code(taxonomy, name, threshold, tier, branch)
    if picture == "accumulation":
        figure = charts.accumulation_curve(accumulation(inside), unseen(inside))
        code += "\ntk.charts.accumulation_curve(tk.findings.accumulation(covered), tk.findings.unseen(covered))"
    else:
        figure = _hierarchy(inside, found, picture, depth=4 if branch else None)
        code += f"\ntk.charts.coverage_{picture}(covered)"
    tiers = tuple(sorted(map(int, found["tier"].unique())))
    return Covered(
        shown, figure, _status(found, inside, branch), _table(shown, label), code, label, tiers, _insides(found)
    )


def _insides(found: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    nodes = found[(found["tier"] == 1) | (found["below"] > 0)]
    nodes = nodes.sort_values(["sites", "name"], ascending=[False, True], kind="stable")
    inside: dict[str, list[str]] = {}
    for path, name in zip(nodes["path"], nodes["name"], strict=True):
        inside.setdefault(path[: -len(name)].removesuffix(PATH_SEPARATOR), []).append(name)
    return {path: tuple(names) for path, names in inside.items()}


def _hierarchy(inside: pd.DataFrame, found: pd.DataFrame, picture: str, depth: int | None) -> go.Figure:
    draw = {
        "treemap": charts.coverage_treemap,
        "sunburst": charts.coverage_sunburst,
        "icicle": charts.coverage_icicle,
    }[picture]
    whole = inside.reset_index(drop=True)
    whole.attrs = dict(found.attrs)
    return draw(whole) if depth is None else draw(whole, depth=depth)


def _status(found: pd.DataFrame, inside: pd.DataFrame, branch: Sequence[str]) -> str:
    seen = int(inside["seen"].sum())
    n = int(found.attrs["about"]["sites"])
    where = f" in {escaped(PATH_SEPARATOR.join(branch))}" if branch else ""
    tiers = inside.groupby("tier")["seen"].agg(["sum", "size"])
    parts = " · ".join(f"tier {tier}: {row['sum']} of {row['size']}" for tier, row in tiers.iterrows())
    many = counted(len(inside), "category", "categories")
    return f"<b>{seen:,} of {many}{where} seen</b> on {counted(n, 'site')}<br>{parts}"


def _table(found: pd.DataFrame, label: str) -> str:
    rows = found.sort_values(["seen", "tier", "path"], kind="stable").head(_MOST_ROWS)
    lines = [
        f"<tr><td>{escaped(row['path'])}</td><td>{row['tier']}</td><td>{row['sites']:,}</td>"
        f"<td>{100 * row['share']:.0f} %</td><td>{'yes' if row['seen'] else 'no'}</td></tr>"
        for row in rows.to_dict("records")
    ]
    heads = (label, "Tier", "Sites", "Share", "Seen")
    seen = int(found["seen"].sum())
    order = "Unseen first: " if 0 < seen < len(found) else "All of these are seen: " if seen else "None is seen: "
    return listing(heads, lines, len(found), words=order)


def _arguments(taxonomy: str, name: str, threshold: float | str) -> str:
    given = [f"run.{name}()", repr(taxonomy)]
    given += [f"threshold={threshold!r}"] if threshold else []
    given += ["vocabulary=run.vocabulary"] if name == "codes" else []
    given.append(f"sites=run.sites({taxonomy if name == 'categories' else name!r})")
    return ", ".join(given)


def _code(taxonomy: str, name: str, threshold: float | str, tier: int | None, branch: Sequence[str]) -> str:
    lines = [f"{CODE_HEAD}covered = tk.findings.coverage({_arguments(taxonomy, name, threshold)})"]
    lines += [f"covered = covered[covered[{level!r}] == {node!r}]" for level, node in zip(LEVELS, branch, strict=False)]
    if tier is not None:
        lines.append(f"of_tier = covered[covered['tier'] == {tier}]")
    return "\n".join(lines)
