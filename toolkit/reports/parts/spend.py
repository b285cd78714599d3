"""A number of the user's own, such as spend: on which topics it stands, and on which sites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolkit.findings.coverage import coverage
from toolkit.interface.text import counted, rounded
from toolkit.reports.contents import MOST_ROWS, Chart, Column, Part, Series, Table
from toolkit.reports.frames import TAXONOMY
from toolkit.reports.words import clean, listing, said

if TYPE_CHECKING:
    import pandas as pd

    from toolkit.reports.view import View

__all__ = ["spend"]

_NAMED: Final = 3


def spend(view: View, weight: pd.Series | None) -> tuple[Part, ...]:
    """Return how much of a weight stands on each main topic."""
    frame = view.frames.categories
    if weight is None or frame is None:
        return ()
    covered = coverage(frame, TAXONOMY, sites=view.frames.counted(TAXONOMY), weight=weight)
    about = covered.attrs["about"]
    tops = covered[covered["tier"].eq(1) & covered["weight"].gt(0)]
    tops = tops.sort_values(["weighted_share", "sites", "name"], ascending=[False, False, True])
    if tops.empty:
        return ()
    name, total, without = clean(about["weight"]), float(about["weight_total"]), float(about["without_weight"])
    first = tops.iloc[0]
    n = int(about["sites"])
    title = (
        f"{said(first['weighted_share'], 'percent')} of the {name} stands on {clean(first['name'])}, "
        f"on {first['sites']:,} of {counted(n, 'site')}."
    )
    after = [
        f"{clean(row.name_)} ({said(row.share_, 'percent')})"
        for row in tops.iloc[1:_NAMED].rename(columns={"name": "name_", "weighted_share": "share_"}).itertuples()
    ]
    tops = tops.assign(tip=[f"{k} of {n} sites" for k in tops["sites"]], of_sites=tops["share"])
    drawn = tops.head(MOST_ROWS)
    left_out = [
        f"{counted(int(about['weight_missing'] + about['weight_zero']), 'site')} without a number"
        if about["weight_missing"] + about["weight_zero"]
        else "",
        f"{rounded(about['weight_unanswered']):,} on sites without an answer" if about["weight_unanswered"] else "",
    ]
    missing = listing([text for text in left_out if text])
    columns = (
        Column("name", "Main topic"),
        Column("weight", name, "whole"),
        Column("weighted_share", f"Share of the {name}, %", "percent", "weighted_low", "weighted_high"),
        Column("sites", "Sites", "whole"),
        Column("of_sites", "Share of sites, %", "percent"),
    )
    return (
        Part(
            "profile",
            f"{name} by topic",
            title,
            (
                f"Then come {listing(after)}." if after else "",
                f"{said(without / total, 'percent')} stands on sites without any topic." if without and total else "",
                f"Not in these shares: {missing}." if missing else "",
            ),
            Chart(
                "bars",
                title,
                drawn,
                "name",
                (Series("weighted_share", f"share of the {name}", "weighted_low", "weighted_high"),),
                axis=f"Share of the {name}, %",
                tips="tip",
            ),
            Table(f"Main topics by {name}, with the 95 % interval for sites like these", tops, columns),
            (
                f"A site with several topics has its whole {name} in each of them.",
                f"{rounded(first['weighted_n'])} sites with equal {name} would tell as much (Kish 1965).",
            ),
            f"{view.footer} · by {name}",
            basis="measured",
        ),
    )
