"""The findings of a report about groups of sites: how they differ, and how far they are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from toolkit import charts
from toolkit.charts.template import footer_of
from toolkit.charts.wording import SHOWN, finding_of
from toolkit.compare import compare
from toolkit.filters_document import words_of_code
from toolkit.overlap import overlap
from toolkit.report_contents import Chart, Column, Section, Series, Table
from toolkit.report_coverage import TAXONOMY
from toolkit.report_texts import clean, said
from toolkit.report_words import counted, listing, picture_of, sentence
from toolkit.schemas import DIMENSIONS

if TYPE_CHECKING:
    import pandas as pd

    from toolkit.report_methods import Frames

__all__ = ["compared_audiences", "compared_content", "shared_sites"]

_CODES: Final = 8
_SERIES: Final = 4
_SAID: Final = 3
_PAIRS: Final = 12


def compared_audiences(frames: Frames, groups: Any, baseline: Any) -> Section | None:
    """Say how the audiences of groups differ."""
    codes = frames.get("codes")
    if codes is None:
        return None
    # That groups by audience type differ in their audience type is no finding.
    own = getattr(groups, "name", groups if isinstance(groups, str) else None)
    dimensions = [name for name in DIMENSIONS if name != own]
    found = compare(codes, groups, baseline, dimensions=dimensions)
    return _compared("Groups compared by audience", "audiences", found)


def compared_content(frames: Frames, groups: Any, baseline: Any) -> Section | None:
    """Say how the content of groups differs."""
    categories = frames.get("categories")
    if categories is None or (isinstance(groups, str) and groups not in categories.columns):
        return None
    others = frames.get("audiences") if frames.get("audiences") is not None else frames.get("companies")
    found = compare(categories, groups, baseline, taxonomy=TAXONOMY, sites=others)
    return _compared("Groups compared by content", "content", found)


def shared_sites(frames: Frames, groups: Any) -> Section | None:
    """Say how far groups are the same sites; nothing where they have none in common."""
    frame = next(
        (
            frame
            for name in ("codes", "audiences", "companies", "categories")
            if (frame := frames.get(name)) is not None
        ),
        None,
    )
    if frame is None or (isinstance(groups, str) and groups not in frame.columns):
        return None
    found = overlap(groups, frame)
    pairs = found[(found["group"] < found["other"]) & (found["both"] > 0)]
    if pairs.empty:
        return None
    pairs = pairs.sort_values(["both", "group", "other"], ascending=[False, True, True], kind="stable")
    pairs = pairs.assign(pair=pairs["group"] + " and " + pairs["other"])
    best = pairs.iloc[0]
    alone = found.drop_duplicates("group")
    picture = picture_of(charts.overlap_matrix(found))
    unique = [f"{clean(row['group'])} {row['unique']:,} of {row['sites']:,}" for _, row in alone.iterrows()]
    return Section(
        "Overlap of groups",
        f"{best['group']} and {best['other']} have {counted(int(best['both']), 'site')} in common, "
        f"{said(best['jaccard'], 'percent')} of those in either",
        (
            (
                f"{counted(len(pairs), 'pair')} of groups with sites in common. Only in one group are: "
                f"{listing(unique[:_PAIRS])}."
            ),
            "Sites that are in several groups count in each of them, so what groups share makes them look more alike.",
        ),
        Table(
            "Groups with sites in common: sites in both, and their part of those in either",
            pairs,
            (
                Column("pair", "Groups"),
                Column("both", "Sites in both", "whole"),
                Column("jaccard", "Part of those in either", "percent"),
                Column("sites", "Sites of the first", "whole"),
                Column("other_sites", "Sites of the second", "whole"),
            ),
        ),
        Chart(
            "stacked",
            picture.alt,
            alone.assign(shared=alone["sites"] - alone["unique"]),
            "group",
            (Series("unique", "only in this group"), Series("shared", "also in another group")),
            "Sites",
            form="whole",
        ),
        picture.figure,
        (),
        footer_of(found.attrs["about"]),
        picture.footer,
    )


def _compared(name: str, what: str, found: pd.DataFrame) -> Section | None:
    # A baseline beside itself is no finding.
    rows = found[(found["group"].astype(str) != found["baseline"].astype(str)) & (found["n"] > 0)]
    if rows.empty:
        return None
    rows = rows.assign(
        label=[
            _named(*parts) for parts in zip(rows["label"], rows["code"], rows["dimension"].astype(str), strict=True)
        ],
        verdict=rows["verdict"].astype(str),
        group=rows["group"].astype(str),
    )
    ordered = _by_strength(rows)
    telling = ordered[ordered["verdict"].isin(SHOWN)]
    names = list(dict.fromkeys(rows["group"]))
    sizes = rows.drop_duplicates("group").set_index("group")["n"]
    baseline = str(rows["baseline"].iloc[0])
    picture = picture_of(charts.comparison(found))
    against = _AGAINST.get(baseline, baseline)
    title = (
        finding_of(telling.iloc[0])
        if len(telling)
        else f"No difference between the groups' {what} can be shown with so few sites"
    )
    members = listing([f"{clean(group)} ({counted(int(sizes[group]), 'site')})" for group in names[:_PAIRS]])
    words = [f"{members} compared with {against}, in {counted(len(rows), 'comparison')}."]
    if len(telling):
        words.append(f"{counted(len(telling), 'difference')} can be shown. The clearest:")
        clearest = telling.drop_duplicates(["dimension", "code"]).head(_SAID)
        words += [_told(row) for _, row in clearest.iterrows()]
    else:
        words.append("None of them is larger than chance alone would often make with so few sites.")
    few = int((rows["verdict"] == "too few").sum())
    if few:
        words.append(f"For {counted(few, 'comparison')} there are too few sites to show any difference.")
    return Section(
        name,
        title,
        tuple(words),
        Table(
            "Differences between groups, the clearest first: share of sites, and index (100 is as the baseline)",
            ordered,
            (
                Column("label", "Value"),
                Column("group", "Group"),
                Column("share", "Share of sites", "percent", "share_low", "share_high"),
                Column("baseline_share", "Baseline", "percent"),
                Column("index", "Index", "whole", "index_low", "index_high"),
                Column("verdict", "Verdict"),
                Column("p_adjusted", "Chance (adjusted p)", "number", is_detail=True),
                Column("with_code", "Sites", "whole"),
                Column("n", "of", "whole"),
            ),
        ),
        _bars(ordered, names[:_SERIES], picture.alt),
        picture.figure,
        (f"Index 100: as common as among {against}. Lines: 95 % intervals; the wider, the less is known.",),
        footer_of(found.attrs["about"], [f"baseline: {against}"]),
        picture.footer,
    )


_AGAINST: Final = {"all sites": "all sites together", "rest": "the rest of the sites"}


def _named(label: object, code: str, dimension: str) -> str:
    """Return the words of a code, with its kind where they do not say it, such as "Basic"."""
    words = clean(label) if isinstance(label, str) else clean(code)
    return f"{words} ({words_of_code(dimension).lower()})" if dimension in DIMENSIONS else words


def _told(row: Any) -> str:
    low, high = (said(row[end], "whole") for end in ("index_low", "index_high"))
    return sentence(f"{finding_of(row)}; 95 % interval of the index {low} to {high}")


def _by_strength(rows: pd.DataFrame) -> pd.DataFrame:
    """Return shown differences first, then by how unlikely they are by chance."""
    keys = rows.assign(
        shown=~rows["verdict"].isin(SHOWN),
        few=rows["verdict"] == "too few",
        chance=rows["p_adjusted"].fillna(2.0),
        far=-(rows["share"] - rows["baseline_share"]).abs().fillna(0),
    )
    order = keys.sort_values(["shown", "few", "chance", "far", "dimension", "code", "group"], kind="stable")
    return rows.loc[order.index]


def _bars(ordered: pd.DataFrame, names: list[str], alt: str) -> Chart:
    """Return the shares of each group in the most telling codes, side by side."""
    keys = ordered[["dimension", "code"]].drop_duplicates().head(_CODES)
    labels = ordered.drop_duplicates(["dimension", "code"])[["dimension", "code", "label", "baseline_share"]]
    wide = keys.merge(labels, on=["dimension", "code"], how="left")
    series = []
    for number, group in enumerate(names):
        mine = ordered[ordered["group"] == group][["dimension", "code", "share", "share_low", "share_high"]]
        ends = {end: f"{end}_{number}" for end in ("share", "share_low", "share_high")}
        wide = wide.merge(mine.rename(columns=ends), on=["dimension", "code"], how="left")
        series.append(Series(ends["share"], group, ends["share_low"], ends["share_high"]))
    return Chart("bars", alt, wide, "label", tuple(series), "Share of sites, with 95 % interval")
