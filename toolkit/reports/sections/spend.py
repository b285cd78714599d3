"""The finding of a report about a number of the user's own, such as spend: on which topics it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from toolkit.charts.template import footer_of
from toolkit.charts.wording import weight_name
from toolkit.findings.coverage import coverage
from toolkit.interface.text import counted
from toolkit.reports.contents import Chart, Column, Section, Series, Table
from toolkit.reports.frames import TAXONOMY
from toolkit.reports.words import listing, said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.findings.given.weight import Weight
    from toolkit.reports.frames import Frames

__all__ = ["spend"]

_MOST: Final = 3
_DRAWN: Final = 12


def spend(frames: Frames, weight: Weight) -> Section | None:
    """Say how much of a weight stands on each top category, and how much on sites without any."""
    categories = frames.get("categories")
    if categories is None:
        return None
    covered = coverage(categories, TAXONOMY, sites=frames.counted(TAXONOMY), weight=weight)
    about = covered.attrs["about"]
    tops = covered[(covered["tier"] == 1) & (covered["weight"] > 0)]
    tops = tops.sort_values(["weighted_share", "sites", "name"], ascending=[False, False, True])
    if tops.empty:
        return None
    tops = tops.assign(of_sites=tops["share"])
    name, total, without = about["weight"], about["weight_total"], about["without_weight"]
    first = tops.iloc[0]
    three = zip(tops["name"].head(_MOST), tops["weighted_share"].head(_MOST), strict=True)
    most = [f"{top} ({said(part, 'percent')})" for top, part in three]
    words = (
        f"Of {name} {total:,.0f} on {counted(about['weight_sites'], 'site')} most stands on {listing(most)}.",
        f"{said(without / total, 'percent')} of it stands on sites without any topic."
        if without
        else "All of it stands on sites with a topic.",
        _left_out(about),
    )
    shares = Series("weighted_share", f"Share of {name}", "weighted_low", "weighted_high")
    sites = int(first["sites"])
    title = (
        f"{said(first['weighted_share'], 'percent')} of {name} stands on {first['name']}: on {sites:,} of "
        f"{counted(about['sites'], 'site')}"
    )
    return Section(
        f"{name} by topic",
        title,
        tuple(word for word in words if word),
        Table(
            f"Top categories by {name}, with the 95 % interval of its share for sites like these",
            tops,
            (
                Column("name", "Top category"),
                Column("weight", name, "whole"),
                Column("weighted_share", f"Share of {name}", "percent", "weighted_low", "weighted_high"),
                Column("sites", "Sites", "whole"),
                Column("of_sites", "Share of sites", "percent"),
            ),
            most=40,
        ),
        Chart("bars", f"Bars: {title}.", tops.head(_DRAWN), "name", (shares,), f"Share of {name}"),
        None,
        (
            (
                f"{first['weighted_n']:.0f} sites with equal {name} would tell as much as these "
                f"{about['weight_sites']:,} (Kish 1965); intervals are as wide as so few make them."
            ),
            f"A site with several topics has its whole {name} in each of them, so the shares may sum to over 100 %.",
        ),
        footer_of(about, [f"by {weight_name(about)}"]),
    )


def _left_out(about: Mapping[str, Any]) -> str:
    """Say what of the list, and of the weight, is not in the shares; nothing where all is."""
    without = about["weight_missing"] + about["weight_zero"]
    parts = [
        f"{counted(without, 'site')} without a number" if without else "",
        f"{about['weight_unanswered']:,.0f} on sites without an answer" if about["weight_unanswered"] else "",
    ]
    some = listing([part for part in parts if part])
    return f"Not in these shares: {some}." if some else ""
