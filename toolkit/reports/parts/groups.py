"""The groups side by side: one heatmap a family of values in which something is proven, of all groups."""

from __future__ import annotations

from collections import Counter
from math import ceil
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from toolkit.findings.insights.claims import DIFFERENCES, LEADS
from toolkit.findings.insights.features import FEWEST
from toolkit.findings.insights.sentences import compared, enumerated, group_of, lowered
from toolkit.findings.insights.tautologies import OWN
from toolkit.findings.statistics.differences import difference_interval
from toolkit.findings.statistics.discoveries import cut
from toolkit.findings.statistics.power import share_to_find
from toolkit.interface.text import counted
from toolkit.reports.contents import MOST_ROWS, Chart, Column, Part, Series, Table
from toolkit.reports.headings import heading_of
from toolkit.reports.parts.proofs import grouping_of
from toolkit.reports.view import is_inferred
from toolkit.reports.words import clean, kept_together, listing, said

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from toolkit.findings.insights.claims import Claims
    from toolkit.reports.contents import Group
    from toolkit.reports.view import View

    Integers = NDArray[np.int64]

__all__ = ["FAMILIES", "family_of", "groups", "nothing_in", "untold"]

#: Kinds of values that share a picture.
FAMILIES: Final = {
    "Readers": (
        "audience_type",
        "age_bracket",
        "gender_skew",
        "income_level",
        "education_level",
        "household_composition",
        "life_stage",
        "employment_status",
        "home_ownership",
        "urbanicity",
        "seniority",
        "job_function",
        "industry",
        "company_size_employees",
    ),
    "Topics": ("content-v3",),
    "Interests and intents": ("interest_group", "interest", "purchase_intent"),
    "Personas": ("persona",),
    "Kind of pages": ("content_type", "reading_level", "price_signals"),
    "Technologies": ("technology", "technology kind"),
    "Companies": (
        "business_model",
        "country",
        "state",
        "city",
        "company industry",
        "company_type",
        "employee_range",
        "revenue_range",
        "funding_status",
        "growth_trend",
        "parent_company",
        "founded_year",
    ),
    "Web-filtering categories": ("filtering",),
    "Your columns": (),
}
#: Rows that a picture has at least, where there are so many: one row alone says little.
_LEAST_ROWS: Final = 6
#: Columns that fit on a page.
_MOST_GROUPS: Final = 24
#: What a difference is told by that would have been found: so large a share of the others, and so often.
_USUAL: Final = 0.2
_POWER: Final = 0.8
_MOST_NAMED: Final = 8


def groups(view: View, told: Collection[str] = ()) -> tuple[Part, ...]:
    """Return a part for each family in which a group is proven to differ; `told` are titles that stand before.

    Who asked for groups and finds none of them told is told so in the same place.
    """
    claims = view.claims
    families = _families(view, claims)
    shown = tuple(
        _part(view, name, claims.where(families == name), told)
        for name in FAMILIES
        if ((families == name) & (claims.q <= DIFFERENCES)).any()
    )
    if shown or not len(view.known):
        return shown
    return (_nothing(view, claims) if len(claims) else _incomparable(view),)


def nothing_in(view: View) -> list[str]:
    """Return the families in which groups were compared and none is proven to differ.

    Of a family that was not compared whole, what was compared of it.
    """
    claims = view.claims
    families = _families(view, claims)
    kinds = view.known.codes["dimension"].to_numpy(dtype=object)[claims.right]
    silent = set(families) - set(families[claims.q <= DIFFERENCES])
    left_out = set(map(family_of, view.left_out))
    return [
        one
        for name in FAMILIES
        if name in silent
        for one in (map(heading_of, dict.fromkeys(kinds[families == name])) if name in left_out else [name])
    ]


def untold(view: View) -> list[Group]:
    """Return the groups that were asked for and of which no difference is proven; a baseline is none of them."""
    if view.grouping is None:
        return []
    claims = view.claims
    told = set(claims.left[claims.q <= DIFFERENCES].tolist()) if len(claims) else set()
    rows = view.found[view.found["kind"].eq("difference")]
    told |= {
        view.grouping.names.index(str(row["group"]))
        for _, row in rows.iterrows()
        if grouping_of(view, row) is view.grouping
    }
    if told and _are_halves(view):
        return []  # what is true of one of them is true of the other
    baseline = view.baseline
    return [
        group
        for at, (group, members) in enumerate(zip(view.groups, view.members, strict=True))
        if at not in told and (baseline is None or (members != baseline).any())
    ]


def family_of(dimension: str) -> str:
    """Return the family of a dimension; of one that is in no picture an empty text."""
    if dimension.startswith(OWN):
        return "Your columns"
    return next((name for name, kinds in FAMILIES.items() if dimension in kinds), "")


def _are_halves(view: View) -> bool:
    """Tell whether there are two groups, of which each is all that the other is not."""
    return len(view.members) == 2 and bool((view.members[0] != view.members[1]).all())  # noqa: PLR2004


def _families(view: View, claims: Claims) -> NDArray[np.object_]:
    kinds = view.known.codes["dimension"].map(family_of).to_numpy(dtype=object)
    found: NDArray[np.object_] = kinds[claims.right]
    return found


def _part(view: View, name: str, claims: Claims, told: Collection[str]) -> Part:
    places = _rows(claims)
    shown = _columns(view, claims)
    frame = _drawn(view, claims, places, shown)
    title = _title(view, claims)
    if kept_together(title) in told:
        title = _how_many(view, name, claims)
    kinds = list(dict.fromkeys(view.known.codes["dimension"].iloc[places]))
    inferred = any(map(is_inferred, kinds))
    others = "the baseline" if view.baseline is not None else "all other sites"
    chart = Chart(
        "heatmap",
        title,
        frame,
        "label",
        tuple(
            Series(f"apart {at}", view.groups[at].name, color=view.groups[at].color, words=f"words {at}")
            for at in shown
        ),
        axis=f"Difference from {others}, percentage points",
        form="points",
        tips="tip",
    )
    more = len(view.groups) - len(shown)
    return Part(
        "groups",
        name,
        title,
        (
            "Numbers stand where a difference is proven.",
            f"The {len(shown)} largest groups are drawn; the table has the {more} others too." if more else "",
        ),
        chart,
        _table(view, claims, name, others),
        (
            f"Each cell is the share of a group's sites less that of {others}, in percentage points.",
            "Cells without a number may be chance. Rows stand by the group that has most of them.",
            f"Kinds of values: {listing([heading_of(str(kind)) for kind in kinds])}.",
        ),
        view.footer,
        "likely" if inferred else "clear",
        basis="inferred" if inferred else "measured",
    )


def _nothing(view: View, claims: Claims) -> Part:
    """Return what is said where groups were compared and none is proven to differ: how large a difference has to be."""
    held = list(dict.fromkeys(claims.left.tolist()))
    values = counted(len(np.unique(claims.right)), "value")
    others = "the baseline" if view.baseline is not None else "all other sites"
    who = f"The {len(held):,} groups" if len(held) > 1 else f"The {_called(view, held[0])}"
    if view.baseline is None and _are_halves(view):
        # One of two halves is held against the other, and says all of both.
        who, others = "The two groups", "each other"
    usual, frame = said(_USUAL, "percent"), _findable(view, claims)
    seen = frame[frame["needed"].notna()]
    text = f"Of so few sites, not even what {usual} of the others and all of a group have would have been found."
    if len(seen):
        row = seen.iloc[int(np.argmin(seen["needed"] / seen["n"]))]
        n, needed = int(row["n"]), int(row["needed"])
        some = f"all {n:,}" if needed == n else f"some {needed:,} of the {n:,}"
        text = (
            f"What {usual} of {row['other_n']:,} others have would have been found, four times in five, if {some} "
            f"{_called(view, int(row['at']))} had it; smaller differences may be there."
        )
    return Part(
        "groups",
        "No difference proven",
        f"{who} were held against {others} on {values}, and no difference is proven.",
        (text,),
        None,
        Table(
            f"How many sites of a group have to have what {usual} of the others have, to be found four times in five",
            frame,
            (
                Column("group", "Group"),
                Column("n", "Sites", "whole"),
                Column("other_n", "Others", "whole"),
                Column("needed", "Sites needed", "whole"),
                *([Column("why", "Where none would do")] if frame["why"].any() else []),
            ),
            group="group",
        ),
        ("Not proven is not alike: so few sites cannot tell a small difference from chance.",),
        view.footer,
    )


def _findable(view: View, claims: Claims) -> pd.DataFrame:
    """Return of each group of how many sites it is known, and how many have to have a usual value to be found."""
    threshold = cut(np.stack([claims.n, claims.other_n, claims.k + claims.other_k], axis=1), DIFFERENCES)
    rows = []
    for at, group in enumerate(view.groups):
        mine = claims.where(claims.left == at)
        # Of the values that most of its sites tell.
        sizes = max(zip(mine.n.tolist(), mine.other_n.tolist(), strict=True), default=None)
        share = np.nan if sizes is None else float(share_to_find(np.array([_USUAL]), *sizes, threshold, _POWER)[0])
        n, other_n = sizes or (group.sites, int(view.others(view.members[at]).sum()))
        needed = np.nan if np.isnan(share) else ceil(share * n)
        why = "not compared" if sizes is None else "" if needed > 0 else "too few sites"
        rows.append((at, group.name, n, other_n, needed, why))
    frame = pd.DataFrame(rows, columns=["at", "group", "n", "other_n", "needed", "why"])
    halves = view.baseline is None and _are_halves(view)
    return frame[frame["why"].ne("not compared")] if halves else frame


def _called(view: View, at: int) -> str:
    return clean(lowered(group_of(view.asked_for.dimension, view.asked_for.names[at])))


def _incomparable(view: View) -> Part:
    """Return what is said where no group could be compared."""
    large = [
        group.sites >= FEWEST <= view.others(row).sum() for group, row in zip(view.groups, view.members, strict=True)
    ]
    why = f"each needs {FEWEST} sites, and as many beside it"
    if any(large):
        why = "nothing else is known of enough of their sites"
    return Part(
        "groups",
        "Groups not compared",
        f"The groups could not be compared: {why}.",
        (f"They are: {_sized(view.groups)}." if view.groups else "", f"{counted(view.n, 'site')} answered in all."),
        footer=view.footer,
    )


def _sized(those: Sequence[Group]) -> str:
    return enumerated([f"{group.name} ({counted(group.sites, 'site')})" for group in those], _MOST_NAMED)


def _rows(claims: Claims) -> Integers:
    """Return the features to draw: those that are proven of any group, and to compare some that tell most."""
    order = np.lexsort((claims.right, -np.round(np.abs(claims.score), 6), claims.q > DIFFERENCES))
    kept: list[int] = []
    for at in order.tolist():
        place, proven = int(claims.right[at]), claims.q[at] <= DIFFERENCES
        if place not in kept and len(kept) < (MOST_ROWS if proven or claims.q[at] <= LEADS else _LEAST_ROWS):
            kept.append(place)
    return np.array(kept, dtype=np.int64)


def _columns(view: View, claims: Claims) -> list[int]:
    """Return the groups to draw, in order: all, or of very many the largest and those with a proven difference."""
    if len(view.groups) <= _MOST_GROUPS:
        return list(range(len(view.groups)))
    proven = set(claims.left[claims.q <= DIFFERENCES].tolist())
    order = sorted(range(len(view.groups)), key=lambda at: (at not in proven, -view.groups[at].sites, at))
    return sorted(order[:_MOST_GROUPS])


def _drawn(view: View, claims: Claims, places: Integers, shown: list[int]) -> pd.DataFrame:
    proven = {(int(claims.left[at]), int(claims.right[at])) for at in np.flatnonzero(claims.q <= DIFFERENCES)}
    if _are_halves(view) and view.baseline is None:
        # What is true of one of two groups that are all sites is true of the other.
        proven |= {(1 - at, place) for at, place in proven}
    frame = pd.DataFrame({"label": view.labels(places), "place": places})
    apart = np.full((len(places), len(shown)), np.nan)
    for column, at in enumerate(shown):
        members = view.members[at]
        apart[:, column] = _shares(view, places, members) - _shares(view, places, view.others(members))
        frame[f"apart {at}"] = apart[:, column]
        frame[f"words {at}"] = [
            said(value, "points") if (at, int(place)) in proven else ""
            for value, place in zip(apart[:, column], places, strict=True)
        ]
    filled = np.nan_to_num(apart, nan=-1.0)
    first = filled.argmax(axis=1)
    counts = view.has[:, places].sum(axis=0)
    total = view.known.asked[:, places].sum(axis=0)
    frame["tip"] = [f"{k} of all {n} sites" for k, n in zip(counts, total, strict=True)]
    order = np.lexsort((-filled.max(axis=1), first))
    return frame.iloc[order].reset_index(drop=True)


def _shares(view: View, places: Integers, sites: NDArray[np.bool_]) -> NDArray[np.float64]:
    asked = view.known.asked[np.ix_(sites, places)].sum(axis=0)
    has = view.has[np.ix_(sites, places)].sum(axis=0)
    found: NDArray[np.float64] = np.where(asked > 0, has / np.maximum(asked, 1), np.nan)
    return found


def _title(view: View, claims: Claims) -> str:
    """Return the strongest difference of the family as a sentence, and how many groups differ besides."""
    proven = claims.where(claims.q <= DIFFERENCES)
    absent = view.known.absent[proven.right]
    first = int(np.lexsort((proven.right, proven.score < 0, -np.round(np.abs(proven.score), 6), absent))[0])
    name = view.asked_for.names[int(proven.left[first])]
    who = group_of(view.asked_for.dimension, name)
    counts = [int(values[first]) for values in (proven.k, proven.n, proven.other_k, proven.other_n)]
    rest = "others" if view.baseline is None else "sites of the baseline"
    return clean(
        compared(who, view.doing(int(proven.right[first])), (counts[0], counts[1]), (counts[2], counts[3]), rest)
    )


def _how_many(view: View, name: str, claims: Claims) -> str:
    """Return how many differences are proven and of which groups, where the strongest one is told already."""
    proven = claims.where(claims.q <= DIFFERENCES)
    often = Counter(view.groups[int(at)].name for at in proven.left)
    who = [f"{group} ({number})" for group, number in sorted(often.items(), key=lambda one: (-one[1], one[0]))]
    if len(proven) == 1:
        return f"{name}: the one difference between the groups that is proven is that of {next(iter(often))}."
    return f"{name}: {len(proven):,} differences between the groups are proven, of {enumerated(who)}."


def _table(view: View, claims: Claims, name: str, others: str) -> Table:
    """Return every comparison of the family, one row a group and value, what is proven first."""
    low, high = difference_interval(claims.k, claims.n, claims.other_k, claims.other_n)
    labels = dict(zip(places := np.unique(claims.right), view.labels(places), strict=True))
    kinds = view.known.codes["dimension"].iloc[claims.right].astype(str)
    frame = pd.DataFrame(
        {
            "group": [view.groups[int(at)].name for at in claims.left],
            "label": [labels[at] for at in claims.right],
            "kind": [heading_of(kind) + (" (inferred)" if is_inferred(kind) else "") for kind in kinds],
            "k": claims.k,
            "n": claims.n,
            "share": claims.k / np.maximum(claims.n, 1),
            "other_k": claims.other_k,
            "other_n": claims.other_n,
            "other": claims.other_k / np.maximum(claims.other_n, 1),
            "apart": claims.k / np.maximum(claims.n, 1) - claims.other_k / np.maximum(claims.other_n, 1),
            "low": low,
            "high": high,
            "sure": np.where(
                claims.q <= DIFFERENCES, "proven", np.where(claims.q < LEADS, "may be chance", "no difference shown")
            ),
            "q": claims.q,
        }
    )
    order = np.lexsort((frame["label"], frame["group"], -np.round(np.abs(claims.score), 6), claims.q > DIFFERENCES))
    columns = (
        Column("label", "Value"),
        Column("kind", "Kind"),
        Column("group", "Group"),
        Column("k", "Sites of the group", "whole"),
        Column("n", "of the group's", "whole"),
        Column("share", "Group, %", "percent"),
        Column("other_k", f"Sites of {others}", "whole"),
        Column("other_n", f"of {others}", "whole"),
        Column("other", f"{others[:1].upper()}{others[1:]}, %", "percent"),
        Column("apart", "Difference, percentage points", "points", "low", "high"),
        Column("sure", "Shown"),
        Column("q", "Adjusted p", "number", is_detail=True),
    )
    return Table(f"{name}: each group beside {others}", frame.iloc[order], columns, group="group")
