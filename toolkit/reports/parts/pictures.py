"""Findings as pictures with their tables: a group beside the rest, how much of each, what of a brief is there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from toolkit.findings.insights.sentences import lowered
from toolkit.findings.insights.tautologies import has_common_stem
from toolkit.findings.statistics.differences import difference_interval
from toolkit.findings.statistics.proportions import wilson
from toolkit.reports.contents import MOST_ROWS, Chart, Column, Series, Table
from toolkit.reports.view import is_inferred

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from toolkit.reports.view import View

    Bools = NDArray[np.bool_]
    Integers = NDArray[np.int64]

__all__ = ["Held", "bars", "beside_the_rest", "near", "share_columns", "wished"]

_FEWEST: Final = 2
#: A group and a feature with more than this in common are one thing.
_THE_SAME: Final = 0.8
_LONGEST_HEADING: Final = 24
_SHARE: Final = "Share of sites, %"


@dataclass(frozen=True)
class Held:
    """Who a finding is about."""

    #: As one says it: "News sites".
    who: str
    members: Bools
    #: The place of the group among those that were asked for; None where it is none of them.
    number: int | None
    #: Of which sites it is known whether they are members.
    grouped: Bools


def share_columns(heading: str, view: View, weight: str = "") -> tuple[Column, ...]:
    """Return the columns of a table of `View.counted`: the counts, the share with its interval, and each group's."""
    columns = [
        Column("label", heading),
        Column("count", "Sites", "whole"),
        Column("n", "of sites that tell", "whole"),
        Column("share", _SHARE, "percent", "low", "high"),
    ]
    columns += [Column("weighted", f"Share of the {weight}, %", "percent")] if weight else []
    for number, group in enumerate(view.groups):
        columns += [
            Column(f"in {number}", f"{group.name}, % of sites", "percent"),
            Column(f"with {number}", f"{group.name}, sites", "whole", is_detail=True),
            Column(f"of {number}", f"{group.name}, of sites", "whole", is_detail=True),
        ]
    return (*columns, Column("code", "Code", is_detail=True))


def bars(view: View, places: Integers, heading: str, alt: str, strong: Sequence[int] = ()) -> tuple[Chart, Table]:
    """Return how many sites have each of some features, the most frequent first, as bars and as a table of all.

    Those that the sentence is about are strong; without any the first and those as frequent are.
    """
    order = view.ordered(places)
    frame = view.counted(order)
    told = np.isin(order, strong) if len(strong) else frame["count"].eq(frame["count"].max()).to_numpy()
    frame = frame.assign(strong=told)
    drawn = frame.head(MOST_ROWS)
    missing = frame[frame["strong"] & ~frame.index.isin(drawn.index)]
    if len(missing):
        drawn = pd.concat([drawn.head(MOST_ROWS - len(missing.head(_FEWEST))), missing.head(_FEWEST)])
    n = int(frame["n"].iloc[0])
    tell = " that tell it" if n < view.n else ""
    by_group = [replace(own, axis=_share_of(int(frame[own.of].iloc[0]), tell)) for own in view.by_group]
    chart = Chart(
        "bars",
        alt,
        drawn,
        "label",
        (Series("share", "all sites", "low", "high"),),
        axis=_share_of(n, tell),
        strong="" if drawn["strong"].all() else "strong",
        by_group=tuple(by_group),
        tips="tip",
    )
    caption = f"How many of {n:,} site{'s' * (n != 1)}{tell} have each value; a site can have several"
    return chart, Table(caption, frame, share_columns(heading, view))


def near(view: View, place: int, members: Bools, name: str, others: Bools) -> Integers:
    """Return a feature and those of its kind that tell most of a group besides it, but for what is the group itself."""
    codes = view.known.codes
    mine = view.places(codes["dimension"].iloc[place])
    has, asked = view.has[:, mine], view.known.asked[:, mine]
    both = (has & members[:, None]).sum(axis=0)
    either = (has | (members[:, None] & asked)).sum(axis=0)
    stems = np.array([has_common_stem(name, text) for text in codes["label"].iloc[mine].fillna("")], dtype=bool)
    usable = (has[members | others].sum(axis=0) >= _FEWEST) & (both < _THE_SAME * either) & ~stems
    if codes["dimension"].iloc[place] == "content-v3":
        tops = np.isin(mine, view.tops())
        usable &= tops if place in view.tops() else ~tops
    mine = mine[usable & (mine != place)]
    apart = np.abs(_share(view, mine, members) - _share(view, mine, others))
    order = np.lexsort((codes["code"].iloc[mine].to_numpy(dtype=object).astype(str), -np.round(apart, 9)))
    chosen = np.append(mine[order][: MOST_ROWS - 1], place)
    gap = _share(view, chosen, members) - _share(view, chosen, others)
    found: Integers = chosen[np.lexsort((chosen, -np.round(gap, 9)))]
    return found


def beside_the_rest(view: View, place: int, held: Held, others: Bools) -> tuple[Chart, Table]:
    """Return marks of a group beside all others, of a feature and those near it.

    No other group of the report is drawn: full in the row of the claim, its mark would be taken for one.
    """
    members, who, number = held.members, held.who, held.number
    rest = "all other sites"
    places = near(view, place, members, who, others)
    frame = view.counted(places, view.asked_of(places)).assign(strong=places == place)
    for name, sites in (("group", members), ("rest", others)):
        frame = frame.assign(**view.in_group(places, sites, name))
    k, n, other_k, other_n = (frame[name] for name in ("with group", "of group", "with rest", "of rest"))
    low, high = difference_interval(k, n, other_k, other_n)
    frame = frame.assign(apart=frame["in group"] - frame["in rest"], apart_low=low, apart_high=high)
    frame["tip"] = [
        f"{a} of {b}, against {c} of {d}"
        for a, b, c, d in frame[["with group", "of group", "with rest", "of rest"]].itertuples(index=False)
    ]
    color = "" if number is None else view.groups[number].color
    series = Series("in group", who if number is None else view.groups[number].name, color=color)
    label = str(frame.loc[frame["strong"], "label"].iloc[0])
    row = frame[frame["strong"]].iloc[0]
    chart = Chart(
        "dots",
        f"{label}: {row['with group']} of {row['of group']} {lowered(who)}, "
        f"{row['with rest']} of {row['of rest']} {rest}.",
        frame,
        "label",
        (series, Series("in rest", rest, is_rest=True)),
        axis=_SHARE,
        strong="strong",
        by_group=view.by_group,
        tips="tip",
    )
    inferred = " (inferred)" if is_inferred(frame["dimension"].iloc[0]) else ""
    short = who if len(who) <= _LONGEST_HEADING else "The group"
    columns = [
        Column("label", f"Value{inferred}"),
        Column("with group", f"{short}, number", "whole"),
        Column("of group", f"{short}, of", "whole"),
        Column("in group", f"{short}, %", "percent"),
        Column("with rest", "Others, number", "whole"),
        Column("of rest", "Others, of", "whole"),
        Column("in rest", "Others, %", "percent"),
        Column("apart", "Difference, percentage points", "points", "apart_low", "apart_high"),
    ]
    mine = [
        column for column in share_columns("", view)[4:] if number is None or not column.name.endswith(f" {number}")
    ]
    return chart, Table(
        f"How many sites have each value: {lowered(who)} beside {rest}, with the 95 % interval of the difference",
        frame,
        (*columns, *mine),
    )


def wished(frame: pd.DataFrame, n: int, alt: str) -> tuple[Chart, Table]:
    """Return how many sites show each part of a brief: ``label``, ``count``, ``n``; what hardly any shows is strong."""
    # Of what nothing is known there is no share.
    frame = frame[frame["n"].gt(0)]
    low, high = wilson(frame["count"], frame["n"])
    frame = frame.assign(
        share=frame["count"] / frame["n"],
        low=low,
        high=high,
        tip=[f"{k} of {of} sites" for k, of in zip(frame["count"], frame["n"], strict=True)],
    )
    frame = frame.sort_values(["count", "label"], ascending=[False, True], kind="stable")
    drawn = pd.concat([frame[frame["strong"]], frame[~frame["strong"]]]).head(MOST_ROWS)
    drawn = drawn.sort_values(["count", "label"], ascending=[False, True], kind="stable")
    chart = Chart(
        "bars",
        alt,
        drawn,
        "label",
        (Series("share", "all sites", "low", "high"),),
        axis=f"Share of {n:,} sites, %" if drawn["n"].eq(n).all() else "Share of the sites that tell each, %",
        strong="" if drawn["strong"].all() else "strong",
        tips="tip",
    )
    columns = (
        Column("label", "Wanted"),
        Column("count", "Sites", "whole"),
        Column("n", "of sites that tell", "whole"),
        Column("share", _SHARE, "percent", "low", "high"),
        Column("code", "Code", is_detail=True),
    )
    return chart, Table("How many sites show each part of the brief", frame, columns)


def _share_of(n: int, tell: str) -> str:
    """Return what the values of bars are; `tell` says which sites are counted, where it is not all."""
    return f"Share of {n:,} site{'s' * (n != 1)}{tell}, %" if n else "None of these sites tells it"


def _share(view: View, places: Integers, members: Bools) -> NDArray[np.float64]:
    asked = view.known.asked[np.ix_(members, places)].sum(axis=0)
    found: NDArray[np.float64] = view.has[np.ix_(members, places)].sum(axis=0) / np.maximum(asked, 1)
    return found
