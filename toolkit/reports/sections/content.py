"""The findings of a report about content: which categories the sites cover, and what more sites would show."""

from __future__ import annotations

from typing import Final

import pandas as pd

from toolkit import charts
from toolkit.charts.template import footer_of
from toolkit.findings.coverage import concentration, coverage, coverage_by_group, coverage_by_tier
from toolkit.findings.unseen import accumulation, unseen
from toolkit.frames.about import answered, site_of
from toolkit.interface.text import counted
from toolkit.reports.contents import Chart, Column, Section, Series, Table
from toolkit.reports.frames import TAXONOMY, Frames
from toolkit.reports.pictures import picture_of
from toolkit.reports.words import examples, leaders, listing, said, verb

__all__ = ["content", "still_unseen"]

_MOST: Final = 3
_FAINT: Final = "7F9DB3"
_SO_FAR, _ESTIMATED = "009E73", "D55E00"
_ROUGH: Final = 0.5


def covered_by(frames: Frames) -> pd.DataFrame | None:
    """Return the coverage of a run; nothing where no category was seen."""
    categories = frames.get("categories")
    if categories is None:
        return None
    covered = coverage(categories, TAXONOMY, sites=frames.counted(TAXONOMY))
    return covered if covered["seen"].any() else None


def content(frames: Frames) -> Section | None:
    """Say which content categories the sites cover."""
    covered = covered_by(frames)
    if covered is None:
        return None
    groups, tiers, spread = coverage_by_group(covered), coverage_by_tier(covered), concentration(covered).iloc[0]
    about = covered.attrs["about"]
    n, nodes, seen = about["sites"], about["nodes"], about["seen"]
    groups = groups.assign(part=groups["sites"] / n)
    shown, missing = groups[groups["sites"] > 0], groups[groups["sites"] == 0]["level_1"].tolist()
    picture = picture_of(charts.coverage_treemap(covered))
    first = shown.head(_MOST)
    most = [f"{name} ({sites:,})" for name, sites in zip(first["level_1"], first["sites"], strict=True)]
    tops = tiers.iloc[0]
    lead, _ = leaders(shown["level_1"].tolist(), shown["sites"].tolist())
    words = [
        (
            f"{counted(n, 'site')} {verb(n, 'shows', 'show')} {seen:,} of the {nodes:,} categories of the content "
            f"taxonomy, and {int(tops['seen']):,} of its {int(tops['nodes']):,} top categories. "
            f"{verb(n, 'Its', 'The most common')} top {verb(len(most), 'category', 'categories')}: {listing(most)}."
            f"{_on(frames, str(first['level_1'].iloc[0]), int(first['sites'].iloc[0]))}"
        ),
        _spread(spread),
    ]
    if missing:
        few = missing if len(missing) <= _MOST + 1 else [*missing[:_MOST], f"{len(missing) - _MOST} others"]
        words.append(f"Not seen at all: {listing(few)}.")
    return Section(
        "Content categories",
        f"{verb(n, 'The one site covers', 'The sites cover')} {seen:,} of {nodes:,} content categories "
        f"({said(seen / nodes, 'percent')}), {verb(n, 'in', 'most often')} {lead}",
        tuple(words),
        Table(
            "Top categories: sites with it or anything below it, and how many of its categories are seen",
            groups,
            (
                Column("level_1", "Top category"),
                Column("sites", "Sites", "whole"),
                Column("part", "Share of sites", "percent"),
                Column("seen", "Categories seen", "whole"),
                Column("nodes", "of", "whole"),
            ),
            most=40,
        ),
        Chart(
            "bars",
            picture.alt,
            shown.head(15),
            "level_1",
            (Series("part", "Share of sites"),),
            "Share of sites",
            picture=True,
        ),
        picture.figure,
        ("A site with several categories counts in each of them, so the shares add up to more than 100 %.",),
        footer_of(about),
        picture.footer,
    )


def _on(frames: Frames, top: str, number: int) -> str:
    """Return a sentence that names sites of a top category, where it is on few."""
    categories = frames.given["categories"]
    rows = answered(categories[(categories["taxonomy"] == TAXONOMY) & (categories["level_1"] == top)])
    sites = site_of(rows).dropna().unique()
    words = examples(sites) if len(sites) == number else ""
    return f" {top} is on {counted(number, 'site')}{words}." if words else ""


def _spread(spread: pd.Series) -> str:
    if spread["largest_share"] == 1:
        return f"All of the content is of one category: {spread['largest']}."
    evenly = counted(round(spread["effective"]), "category", "categories")
    return (
        f"The content is as varied as if it were spread evenly over {evenly}; the largest of them, "
        f"{spread['largest']}, has {said(spread['largest_share'], 'percent')} of it."
    )


def still_unseen(frames: Frames) -> Section | None:
    """Say how many further categories more sites like these would show, and how many sites it would take."""
    covered = covered_by(frames)
    if covered is None:
        return None
    found, curve = unseen(covered).iloc[0], accumulation(covered)
    if pd.isna(found["estimate"]) or curve.empty:
        return None
    seen, n = int(found["seen"]), int(found["sites"])
    capped = bool(found["capped"])
    low, high = (max(found[name] - seen, 0) for name in ("low", "high"))
    picture = picture_of(charts.accumulation_curve(curve, unseen(covered)))
    words = [
        f"{counted(n, 'site')} show {counted(seen, 'category', 'categories')}, {found['once']:,} of them on a single "
        f"site. How many are seen only once says how many more are there: sites like these would show "
        + (f"all {found['nodes']:,} that the taxonomy has" if capped else f"at least about {found['estimate']:,.0f}")
        + f" in the end (95 % interval of this lower bound: {found['low']:,.0f} to {found['high']:,.0f}).",
    ]
    more = found["more_sites_for_95"]
    if pd.notna(more) and more > 0:
        words.append(f"To see 95 % of them it would take at least about {counted(more, 'more site')} of the same kind.")
    rough = bool(found["completeness"] < _ROUGH)
    if rough:
        words.append("With less than half of them seen this is a rough guess.")
    if not capped:
        words.append(
            f"This is not about all {found['nodes']:,} categories of the taxonomy: many of those that were not seen "
            "may never be on sites like these."
        )
    return Section(
        "What more sites would show",
        _more_to_see(found, rough=rough),
        tuple(words),
        Table(
            "What was seen and what is expected, in content categories, with the 95 % interval of the estimate",
            _facts(found),
            (Column("what", "What"), Column("number", "Number", "whole", "low", "high")),
        ),
        Chart(
            "lines",
            picture.alt,
            curve.assign(so_far=float(seen), estimate=float(found["estimate"])),
            "sites",
            (
                Series("seen", "expected"),
                Series("low", "at least (95 %)", color=_FAINT),
                Series("high", "at most (95 %)", color=_FAINT),
                Series("so_far", f"so far: {seen:,}", color=_SO_FAR),
                Series(
                    "estimate",
                    f"{'rough guess' if rough else 'estimate'} of all: "
                    f"{'perhaps' if capped else 'at least about'} {found['estimate']:,.0f}",
                    color=_ESTIMATED,
                ),
            ),
            "Content categories seen",
            "Sites",
            "whole",
        ),
        picture.figure,
        (
            (
                f"{low:,.0f} to {high:,.0f} is the 95 % interval of a lower bound: more than that may be unseen. It "
                "holds as far as more sites are like these."
            ),
        ),
        footer_of(covered.attrs["about"]),
        picture.footer,
    )


def _more_to_see(found: pd.Series, *, rough: bool) -> str:
    """Return what the estimate says in a sentence: a rough guess is called one, and is no bare number."""
    seen, n, nodes = int(found["seen"]), int(found["sites"]), int(found["nodes"])
    left, number = max(found["estimate"] - seen, 0), round(max(found["estimate"] - seen, 0))
    low, high = (max(found[name] - seen, 0) for name in ("low", "high"))
    if left < 1:
        return f"The {counted(n, 'site')} show nearly all that sites like these have to show: {seen:,} categories"
    if found["capped"]:
        guess = " (rough guess)" if rough else ""
        return (
            f"More sites like these would show more categories: {seen:,} so far, perhaps all {nodes:,} of the taxonomy "
            f"in the end{guess}"
        )
    if rough:
        return (
            f"More sites like these would show more categories: {seen:,} so far, at least about {number:,} further "
            f"{verb(number, 'one', 'ones')} (rough guess)"
        )
    return (
        f"More sites like these would show at least about {counted(number, 'further category', 'further categories')} "
        f"({low:,.0f} to {high:,.0f}), beyond the {seen:,} so far"
    )


def _facts(found: pd.Series) -> pd.DataFrame:
    rows = [
        ("Sites", found["sites"], None, None),
        ("Categories seen", found["seen"], None, None),
        ("of these on one site only", found["once"], None, None),
        ("of these on two sites only", found["twice"], None, None),
        ("Categories expected in the end, at least", found["estimate"], found["low"], found["high"]),
        ("Categories of the taxonomy", found["nodes"], None, None),
        ("More sites to see 90 % of those expected", found["more_sites_for_90"], None, None),
        ("More sites to see 95 % of them", found["more_sites_for_95"], None, None),
    ]
    table = pd.DataFrame(rows, columns=["what", "number", "low", "high"])
    numbers = {
        name: pd.to_numeric(table[name], errors="coerce").astype("float64") for name in ("number", "low", "high")
    }
    return table.assign(**numbers)
