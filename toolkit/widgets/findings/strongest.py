"""The strongest differences between groups over everything that was asked, as the Compare widget opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.charts.colours import group_colours
from toolkit.charts.wording import is_inferred
from toolkit.findings.compare import compare
from toolkit.findings.insights.tautologies import follows
from toolkit.interface.text import counted
from toolkit.interface.words.labels import field_label
from toolkit.reports.contents import Chart, Series
from toolkit.reports.page.headlines import picture_html
from toolkit.widgets.findings.box import Shown
from toolkit.widgets.findings.rows import Rows
from toolkit.widgets.given import sites_of
from toolkit.widgets.grid.columns import Column
from toolkit.widgets.html import escaped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolkit.findings.incidence import Frames
    from toolkit.widgets.findings.compare_view import Grouping

__all__ = ["asked_over_all", "over_all", "told"]

_TOPICS: Final = "content-v3"
_OTHER_TAXONOMIES: Final = ("content-v2", "filtering")
#: Rows of the picture.
_DRAWN: Final = 8
#: Fewer sites than this show nothing.
_FEWEST: Final = 2
_PAIR: Final = 2
_WHOLE: Final = 100
_PROVEN: Final = ("over", "under")
_VERDICTS: Final = {
    "over": "▲ typical",
    "under": "▼ less typical",
    "no difference shown": "not proven",
    "too few": "too few sites",
}
_COLUMNS: Final = (
    Column("what", "What", width=230),
    Column("group", "Group"),
    Column("verdict", "How sure"),
    Column("sites", "Sites"),
    Column("share", "Share", "share"),
    Column("others", "Compared with", "share"),
    Column("apart", "Difference, points", "number"),
    Column("about", "About what"),
    Column("basis", "Inferred or measured", hidden=True),
)


def asked_over_all(dimensions: Sequence[str], made_of: str) -> list[dict[str, Any]]:
    """Return the options of each comparison that together are of everything, but for what follows from the groups.

    `made_of` is the dimension that makes the groups; empty where the user made them.

    Examples
    --------
    >>> asked_over_all(["interest", "audience_type", "content-v3", "filtering"], "audience_type")
    [{'dimensions': ['interest']}, {'taxonomy': 'content-v3'}]
    """
    usable = [name for name in dimensions if name != made_of] or list(dimensions)
    telling = [name for name in usable if not (made_of and follows(made_of, name))]
    # Where all else follows from the groups, that is what there is to see.
    chosen = telling if len(telling) > 1 else usable
    codes = [name for name in chosen if name not in {_TOPICS, *_OTHER_TAXONOMIES}]
    # Other taxonomies say the same in other words.
    topics = [_TOPICS] if _TOPICS in chosen else [] if codes else chosen[:1]
    return [*([{"dimensions": codes}] if codes else []), *({"taxonomy": name} for name in topics)]


def over_all(
    frames: Mapping[str, Frames], grouping: Grouping, baseline: str, asked: Sequence[dict[str, Any]], group: str | None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return all comparisons of the groups, and those that tell something of `group` or of all, the strongest first."""
    parts = []
    for options in asked:
        frame, of = (frames["categories"], options["taxonomy"]) if "taxonomy" in options else (frames["codes"], "codes")
        parts.append(compare(frame, grouping.groups, baseline or None, sites=sites_of(frames, of), **options))
    found = pd.concat(parts, ignore_index=True)
    found.attrs = {"about": {**parts[0].attrs["about"], "tested": sum(part.attrs["about"]["tested"] for part in parts)}}
    others = found[(found["group"] != found["baseline"]).to_numpy()]
    enough = others["with_code"].ge(_FEWEST) | others["baseline_with"].ge(_FEWEST)
    shown = others[enough.to_numpy() & ((others["group"] == group).to_numpy() if group else True)]
    if group is None and found["group"].nunique() == _PAIR:
        # What one of two groups has more of, the other has less of: it is said once.
        higher = shown.sort_values("share", ascending=False, kind="stable")
        shown = higher.drop_duplicates(["dimension", "code"]).sort_index()
    apart = (shown["share"] - shown["baseline_share"]).abs()
    order = np.lexsort(
        (shown["label"].astype(str), -apart.round(9), shown["p"].fillna(1.0), ~shown["verdict"].isin(_PROVEN))
    )
    return found, shown.iloc[order].reset_index(drop=True)


def told(
    found: pd.DataFrame, shown: pd.DataFrame, grouping: Grouping, group: str | None, *, sizes: str, code: str
) -> Shown:
    """Return comparisons as they are shown: a sentence, a picture of the strongest, and all of them in a grid.

    `sizes` is HTML that says how many sites count.
    """
    proven = int(shown["verdict"].isin(_PROVEN).sum())
    against = ", ".join(dict.fromkeys(grouping.named(str(name)).lower() for name in found["baseline"].unique()))
    if proven:
        said = f"<b>{counted(proven, 'difference is', 'differences are')} proven</b> over everything that was asked"
        doubt = "; of these, some 5 % may be so by chance"
    else:
        said, doubt = "<b>No difference is proven</b> over everything that was asked: these are the largest, leads", ""
    status = f"{said}, against {escaped(against)}{doubt}.<br>{sizes}"
    value = found if group is None else found[found["group"] == group].reset_index(drop=True)
    value.attrs = found.attrs
    return Shown(
        value=value,
        figure=None,
        status=status,
        table=Rows(_rows(shown, grouping), _COLUMNS, "differences", "All differences", ("difference", "differences")),
        code=code,
        picture=_picture(shown, grouping),
    )


def _rows(shown: pd.DataFrame, grouping: Grouping) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "what": shown["label"].astype(object).where(shown["label"].notna(), shown["code"]),
            "group": [grouping.named(str(name)) for name in shown["group"]],
            "verdict": [_VERDICTS[str(verdict)] for verdict in shown["verdict"]],
            "sites": [f"{k:,} of {n:,}" for k, n in zip(shown["with_code"], shown["n"], strict=True)],
            "share": shown["share"],
            "others": shown["baseline_share"],
            "apart": _WHOLE * (shown["share"] - shown["baseline_share"]),
            "about": [field_label(str(name)) for name in shown["dimension"]],
            "basis": ["inferred" if is_inferred(str(name)) else "measured" for name in shown["dimension"]],
        }
    )


def _picture(shown: pd.DataFrame, grouping: Grouping) -> str:
    # A topic and the interest of its name say the same twice.
    drawn = shown[~shown.duplicated(["label", "group"])].head(_DRAWN)
    if drawn.empty:
        return ""
    order = grouping.order or tuple(sorted(map(str, shown["group"].unique())))
    colours = group_colours([grouping.labels.get(name, name) for name in order])
    names = [grouping.named(str(name)) for name in drawn["group"]]
    rows = _rows(drawn, grouping)
    frame = pd.DataFrame(
        {
            "label": [f"{what} – {name}" for what, name in zip(rows["what"], names, strict=True)],
            "rest": drawn["baseline_share"].to_numpy(),
            "strong": drawn["verdict"].isin(_PROVEN).to_numpy(),
            "tip": [
                f"{k} of {n}, against {other} of {of}"
                for k, n, other, of in drawn[["with_code", "n", "baseline_with", "baseline_n"]].itertuples(index=False)
            ],
        }
    )
    series = []
    for place, name in enumerate(dict.fromkeys(names)):
        column = f"in {place}"
        frame[column] = np.where([one == name for one in names], drawn["share"], np.nan)
        series.append(Series(column, name, color=colours.get(name, "#0072B2").removeprefix("#")))
    rest = ", ".join(dict.fromkeys(grouping.named(str(name)).lower() for name in drawn["baseline"]))
    chart = Chart(
        "dots",
        "The strongest differences between the groups",
        frame,
        "label",
        (*series, Series("rest", rest, is_rest=True)),
        axis="Share of sites, %",
        strong="" if frame["strong"].all() or not frame["strong"].any() else "strong",
        tips="tip",
    )
    return picture_html(chart)
