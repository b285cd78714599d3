"""What of the taxonomy the list covers: topics with how much of each, gaps by name, and what more sites would show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pandas as pd

from toolkit.findings.coverage import coverage as covered_of
from toolkit.findings.coverage import coverage_by_group, gaps
from toolkit.findings.insights.gaps import brand_safe
from toolkit.findings.insights.sentences import enumerated
from toolkit.findings.sensitive import is_unsought
from toolkit.findings.unseen import accumulation, estimate_in_words, unseen
from toolkit.interface.text import counted, rounded
from toolkit.reports.contents import MOST_ROWS, Chart, Column, Part, Series, Table
from toolkit.reports.frames import TAXONOMY
from toolkit.reports.words import clean, listing

if TYPE_CHECKING:
    from toolkit.reports.view import View

__all__ = ["coverage", "covered"]

_NAMED: Final = 3
#: Of fewer sites nothing is estimated: hardly two of them have a topic in common.
_FEWEST: Final = 10
#: What stands beside a picture.
_MOST_WORDS: Final = 40
#: What a curve has of each number of sites.
_CURVE: Final = ("seen", "low", "high")


def covered(view: View) -> pd.DataFrame | None:
    """Return the coverage of the list; None where no answer has a topic."""
    frame = view.frames.categories
    return None if frame is None else covered_of(frame, TAXONOMY, sites=view.frames.counted(TAXONOMY))


def coverage(view: View) -> tuple[Part, ...]:
    """Return what is covered, what is missing, and what more sites would show."""
    found = covered(view)
    if found is None:
        return ()
    parts = (_topics(view, found), _gaps(view, found), _more(view, found))
    return tuple(part for part in parts if part is not None)


def _topics(view: View, found: pd.DataFrame) -> Part | None:
    groups = coverage_by_group(found)
    seen = groups[groups["seen"] > 0].sort_values(["seen", "sites", "level_1"], ascending=[False, False, True])
    if seen.empty:
        return None
    seen = seen.assign(tip=[f"{part} of {whole}" for part, whole in zip(seen["seen"], seen["nodes"], strict=True)])
    seen = seen.assign(strong=seen["seen"].eq(seen["seen"].max()))
    widest, is_one = _widest(seen[seen["strong"]])
    title = f"The list is widest in {widest}"
    # How many main topics a short list has says how short it is.
    if 2 * len(seen) > len(groups):
        are = "is" if is_one else "are"
        title = f"{len(seen)} of the {len(groups)} main topics are on the list; the widest {are} {widest}"
    drawn = seen.head(MOST_ROWS)
    chart = Chart(
        "bars",
        f"{title} {listing([f'{name} {tip}' for name, tip in zip(drawn['level_1'], drawn['tip'], strict=True)])}.",
        drawn,
        "level_1",
        (Series("seen", "topics seen"),),
        axis="Topics and sub-topics seen, number",
        form="whole",
        strong="strong",
        tips="tip",
    )
    table = Table(
        "Main topics, with how many of each one's topics and sub-topics any site shows",
        groups.sort_values(["seen", "sites", "level_1"], ascending=[False, False, True]),
        (
            Column("level_1", "Main topic"),
            Column("seen", "Topics seen", "whole"),
            Column("nodes", "of", "whole"),
            Column("unseen", "Not seen", "whole"),
            Column("share", "Seen, %", "percent"),
            Column("sites", "Sites", "whole"),
        ),
    )
    more = len(seen) - len(drawn)
    return Part(
        "coverage",
        "Topics covered",
        title,
        (
            f"In all {int(found['seen'].sum()):,} of {len(found):,} topics and sub-topics are on some site.",
            "A main topic counts as one of its own.",
            f"Drawn are the {len(drawn)} widest of the {len(seen):,} main topics." if more and view.n > 1 else "",
        ),
        # Of one site a table says it, and its words name the widest.
        chart if view.n > 1 else None,
        table,
        ("A topic is seen if one site shows it or anything below it. Few lists need all of a topic.",),
        view.footer,
        basis="measured",
    )


def _widest(tied: pd.DataFrame) -> tuple[str, bool]:
    """Return the main topics of which most is seen, in words, and whether it is one."""
    names, number = [clean(name) for name in tied["level_1"]], int(tied["seen"].iloc[0])
    if len(names) == 1:
        return f"{names[0]}, with {number} of its {tied['nodes'].iloc[0]} topics.", True
    return f"{enumerated(names, _NAMED)}, with {counted(number, 'topic')} each.", False


def _gaps(view: View, found: pd.DataFrame) -> Part | None:
    missing = gaps(found)
    if missing.empty:
        return None
    sought = missing[~is_unsought(missing)]
    tops = sought[sought["tier"].eq(1)]
    seen = set(found.loc[found["seen"] & found["tier"].eq(1), "name"])
    near = sought[sought["tier"].eq(2) & sought["level_1"].isin(seen)]
    told = view.found[view.found["kind"].eq("gap") & view.found["code"].isna() & view.found["dimension"].eq(TAXONOMY)]
    largest = [clean(name) for name in near["path"].head(_NAMED)]
    if len(told):
        title = view.told(told.iloc[0])
    elif largest and len(tops):
        title = f"Within the topics of the list, the largest gap is {largest[0]}."
    elif largest:
        title = (
            f"Every main topic other than sensitive ones is on the list; the largest gap within one is {largest[0]}."
        )
    else:
        title = f"{counted(len(missing), 'topic is', 'topics are')} on none of the sites."
    rows = missing[missing["topmost"]]
    # What a short list has nothing of comes after what is missing within its topics.
    is_inner = rows["tier"].gt(1) if len(tops) and not len(told) else False
    rows = rows.assign(later=is_unsought(rows), first=is_inner)
    rows = rows.sort_values(
        ["later", "first", "tier", "below", "path"], ascending=[True, False, True, False, True], kind="stable"
    ).drop(columns=["later", "first"])
    counts = view.found[view.found["kind"].eq("common") & view.found["dimension"].eq(TAXONOMY)]
    good = counts[counts["code"].isna()]
    if len(told):
        within = f"Within topics that the list has, the largest gaps are {listing(largest)}." if largest else ""
    else:
        within = f"The next largest: {listing(largest[1:])}." if len(largest) > 1 else ""
    safe = "" if good.empty else brand_safe() if pd.isna(good["against"].iloc[0]) else view.told(good.iloc[0])
    is_short = len(f"{within} {safe}".split()) <= _MOST_WORDS
    return Part(
        "coverage",
        "Gaps",
        title,
        (within, safe if is_short else ""),
        None,
        Table(
            "Topics on none of the sites, main topics first and then by how many sub-topics they have; genres and what "
            "brands keep off, which are no gaps, come last",
            rows,
            (
                Column("path", "Topic"),
                Column("tier", "Level", "whole", is_detail=True),
                Column("below", "Sub-topics below it", "whole"),
                Column("id", "Identifier", is_detail=True),
            ),
        ),
        (
            f"{counted(len(tops), 'main topic')} and {counted(len(near), 'topic')} within others are missing.",
            "Whether a gap matters is for the brief to say.",
            "" if is_short else safe,
        ),
        view.footer,
        basis="measured",
    )


def _more(view: View, found: pd.DataFrame) -> Part | None:
    """Return how many further topics more sites would show, for the appendix."""
    row = unseen(found).iloc[0]
    curve = accumulation(found)
    if pd.isna(row["estimate"]) or curve.empty or int(row["sites"]) < _FEWEST:
        return None
    seen, n = int(row["seen"]), int(row["sites"])
    left = int(rounded(max(float(row["estimate"]) - seen, 0)))
    if left < 1:
        title = f"The {counted(n, 'site')} show nearly all that sites like these have to show: {seen:,} topics."
    else:
        title = f"The {counted(n, 'site')} show {seen:,} topics of an estimated {estimate_in_words(row.to_dict())}."
    beyond = curve["sites"].gt(n)
    frame = curve.assign(
        # The line of what is expected begins where that of what was seen ends.
        **{f"further {name}": curve[name].where(curve["sites"].ge(n)) for name in _CURVE},
        **{name: curve[name].mask(beyond) for name in _CURVE},
        now=curve["seen"].where(curve["sites"].eq(n)),
        estimate=float(row["estimate"]),
    )
    series = [
        Series("seen", "seen, on average", "low", "high"),
        Series("now", f"the list: {seen:,} on {counted(n, 'site')}", stroke="point"),
    ]
    if beyond.any():
        further = Series("further seen", "expected with more sites", "further low", "further high", stroke="dashed")
        series.insert(1, further)
    if left >= 1:
        series.append(Series("estimate", f"estimate of all: {row['estimate']:,.0f}", stroke="dotted"))
    chart = Chart(
        "lines",
        title,
        frame,
        "sites",
        tuple(series),
        axis="Topics and sub-topics, number",
        across="Sites, number",
        form="whole",
    )
    rows = pd.DataFrame(
        {
            "what": [
                "Sites",
                "Topics seen",
                "of these on one site only",
                "Topics estimated in all",
                "Topics of the taxonomy",
            ],
            "number": [float(n), float(seen), float(row["once"]), float(row["estimate"]), float(row["nodes"])],
            "low": [float("nan")] * 3 + [float(row["low"]), float("nan")],
            "high": [float("nan")] * 3 + [float(row["high"]), float("nan")],
        }
    )
    return Part(
        "coverage",
        "More sites",
        title,
        (f"{int(row['once']):,} of the topics are on a single site: so many singles say that more are there.",),
        chart,
        Table(
            "What was seen and what is expected, with the 95 % interval of the estimate",
            rows,
            (Column("what", "What"), Column("number", "Number", "whole", "low", "high")),
        ),
        ("Estimated from what was seen once or twice (Chao2), for sites like these; it tends to say too few.",),
        view.footer,
        basis="measured",
        is_appendix=True,
    )
