"""The findings of a report about groups of sites: how they differ, and how far they are the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from toolkit import charts
from toolkit.charts.template import footer_of
from toolkit.charts.wording import SAME, SHOWN, finding_of, inferred_among, is_inferred, own_codes
from toolkit.findings.compare import compare
from toolkit.findings.overlap import overlap
from toolkit.frames.about import answered, normal_of, site_of
from toolkit.frames.schemas import DIMENSIONS
from toolkit.interface.errors import InputError, nearest_to
from toolkit.interface.filters.codes import words_of_code
from toolkit.interface.text import counted, shortened
from toolkit.reports.contents import Chart, Column, Section, Series, Table
from toolkit.reports.frames import TAXONOMY, Frames
from toolkit.reports.pictures import picture_of
from toolkit.reports.words import clean, listing, said, sentence, verb

__all__ = ["Chosen", "chosen_groups", "compared_audiences", "compared_content", "shared_sites", "what_is_not_compared"]

#: Codes of a chart that still have their labels and room for their bars.
_CODES: Final = 8
_CODES_OF_MANY: Final = 6
_FEW_GROUPS: Final = 2
_LONGEST: Final = 24
#: Of more groups, the cells of a matrix hold no number of sites.
_MOST_LONG: Final = 8
_SERIES: Final = 4
_SAID: Final = 3
_PAIRS: Final = 12
#: Frames with a row a site, whose columns can be groups.
_OF_SITES: Final = ("audiences", "companies")


@dataclass(frozen=True)
class Chosen:
    """Groups of sites as they were asked for."""

    #: What `toolkit.findings.compare.compare` takes; can be read more than once.
    groups: Any
    #: The dimension that they are of, if any.
    own: str | None = None
    #: The answered sites of each group; None where the groups are a column of the frame that is compared.
    sites: dict[str, list[str]] | None = None
    #: How many targets of a group are no answered sites.
    outside: dict[str, int] | None = None


def chosen_groups(frames: Frames, groups: Any) -> Chosen:
    """Return groups with their sites; a text that is no column of the run's frames is refused."""
    if isinstance(groups, str):
        column = _column(frames, groups)
        if column is None:
            return Chosen(groups, groups)
        groups = column
    elif isinstance(groups, pd.DataFrame):
        others = [name for name in groups.columns if name not in {"target", "normal"}]
        name = "group" if "group" in others else others[0] if len(others) == 1 else None
        if name is None or "target" not in groups.columns:
            return Chosen(groups)
        groups = pd.Series(groups[name].array, index=pd.Index(site_of(groups)), name=name)
    if isinstance(groups, pd.Series):
        own = None if groups.name is None else str(groups.name)
        named = groups.groupby(groups.astype("str").to_numpy(), sort=True)
        members = {str(name): list(part.index) for name, part in named}
    elif isinstance(groups, Mapping) and not any(_is_no_list(targets) for targets in groups.values()):
        own, members = None, {}
        groups = {name: _targets(targets) for name, targets in groups.items()}
        for name, targets in groups.items():
            members.setdefault(str(name), []).extend(targets)
    else:
        return Chosen(groups)
    good = frames.good
    every = {
        name: {site if site in good else normal_of(site) or site for site in targets if isinstance(site, str)}
        for name, targets in members.items()
    }
    inside = {name: sorted(sites & good) for name, sites in every.items()}
    return Chosen(groups, own, inside, {name: len(sites - good) for name, sites in every.items()})


def _column(frames: Frames, name: str) -> pd.Series | None:
    """Return a column of the frames with a row a site by site, or nothing where it is one of another frame."""
    there = {of: frame for of in (*_OF_SITES, "codes", "categories") if (frame := frames.get(of)) is not None}
    found = next((of for of, frame in there.items() if name in frame.columns), None)
    if found is None:
        columns = (str(one) for of in _OF_SITES if of in there for one in there[of].columns)
        near = nearest_to(name, dict.fromkeys(columns))
        raise InputError(
            f"No frame of the run has a column {name!r} to group by.{f' Nearest: {listing(near)}.' * bool(near)} Pass "
            "a column of run.audiences() or run.companies(), or groups as lists of targets by name."
        )
    if found not in _OF_SITES:
        return None
    rows = answered(there[found])
    return pd.Series(rows[name].array, index=pd.Index(site_of(rows)), name=name)


def _is_no_list(targets: Any) -> bool:
    return isinstance(targets, Mapping) or not isinstance(targets, Iterable)


def _targets(targets: Any) -> list[Any]:
    if isinstance(targets, pd.DataFrame):
        return list(site_of(answered(targets)).dropna())
    return [targets] if isinstance(targets, str) else list(targets)


def what_is_not_compared(frames: Frames, chosen: Chosen, *, compared: bool) -> list[str]:
    """Say which targets of groups do not count, and why there is no comparison where there is none."""
    said_ = []
    outside = {name: number for name, number in (chosen.outside or {}).items() if number}
    sites = chosen.sites or {}
    for name, number in list(outside.items())[:_PAIRS]:
        are = verb(number, "is no answered site of the run, and does", "are no answered sites of the run, and do")
        targets = counted(number + len(sites[name]), "target")
        said_.append(f"{number:,} of {targets} of the group {clean(name)} {are} not count.")
    if len(outside) > _PAIRS:
        said_.append(f"So it is in {counted(len(outside) - _PAIRS, 'more group')}.")
    if compared:
        return said_
    if frames.get("codes") is None and frames.get("categories") is None:
        reason = "the run has neither audiences nor content to compare"
    elif chosen.sites is not None and not any(sites.values()):
        reason = "none of them has an answered site of the run"
    else:
        reason = "there is nothing to compare them with, or nothing to compare"
    return [*said_, f"No groups are compared: {reason}."]


def compared_audiences(frames: Frames, chosen: Chosen, baseline: Any) -> Section | None:
    """Say how the audiences of groups differ."""
    codes = frames.get("codes")
    if codes is None or not _are_of(chosen, codes):
        return None
    # That groups by audience type differ in their audience type is no finding.
    dimensions = [name for name in DIMENSIONS if name != chosen.own]
    found = compare(codes, chosen.groups, baseline, dimensions=dimensions, sites=frames.counted("codes"))
    return _compared("Groups compared by audience", "audiences", found)


def compared_content(frames: Frames, chosen: Chosen, baseline: Any) -> Section | None:
    """Say how the content of groups differs."""
    categories = frames.get("categories")
    if categories is None or not _are_of(chosen, categories):
        return None
    found = compare(categories, chosen.groups, baseline, taxonomy=TAXONOMY, sites=frames.counted(TAXONOMY))
    return _compared("Groups compared by content", "content", found)


def _are_of(chosen: Chosen, frame: pd.DataFrame) -> bool:
    return not isinstance(chosen.groups, str) or chosen.groups in frame.columns


def shared_sites(frames: Frames, chosen: Chosen) -> Section | None:
    """Say how far groups are the same sites; nothing where they have none in common."""
    frame = next(
        (
            frame
            for name in ("codes", "audiences", "companies", "categories")
            if (frame := frames.get(name)) is not None
        ),
        None,
    )
    if chosen.sites is not None:
        found = overlap(chosen.sites, frames.sites if frames.sites is not None else frame)
    elif frame is not None and _are_of(chosen, frame):
        found = overlap(chosen.groups, frame)
    else:
        return None
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
        _matrix(found, picture.alt),
        picture.figure,
        (),
        footer_of(found.attrs["about"]),
        picture.footer,
    )


def _matrix(found: pd.DataFrame, alt: str) -> Chart:
    """Return which part of each group is also in each other, the largest group first."""
    names = found.drop_duplicates("group").sort_values(["sites", "group"], ascending=[False, True], kind="stable")
    order = names["group"].tolist()
    frame = pd.DataFrame({"group": order})
    pairs = found.set_index(["group", "other"])
    for number, other in enumerate(order):
        column = pairs.loc[[(group, other) for group in order]].reset_index()
        own = column["group"] == column["other"]
        frame[f"part_{number}"] = column["containment"].astype(float).mask(own)
        frame[f"words_{number}"] = [_in_both(row, short=len(order) > _MOST_LONG) for row in column.to_dict("records")]
    series = tuple(Series(f"part_{place}", name, words=f"words_{place}") for place, name in enumerate(order))
    axis = "Share of the row's sites that are also in the column's group. Grey: all sites of the group."
    return Chart("matrix", alt, frame, "group", series, axis, "Group")


def _in_both(row: Mapping[Any, Any], *, short: bool) -> str:
    if row["group"] == row["other"]:
        return f"{int(row['sites']):,}" if short else counted(int(row["sites"]), "site")
    share = said(row["containment"], "percent")
    return share if short or not row["both"] else f"{share} ({int(row['both']):,})"


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
        own=own_codes(rows),
    )
    ordered = _by_strength(rows)
    telling = ordered[ordered["verdict"].isin(SHOWN)]
    names = list(dict.fromkeys(rows["group"]))
    sizes = rows.drop_duplicates("group").set_index("group")["n"]
    baseline = str(rows["baseline"].iloc[0])
    picture = picture_of(charts.comparison(found))
    against = _AGAINST.get(baseline, baseline)
    few = int((rows["verdict"] == "too few").sum())
    tried = len(rows) - few
    if len(telling):
        title = finding_of(telling.iloc[0], telling[~telling["own"]])
    elif tried:
        title = f"No difference between the groups' {what} can be shown with so few sites"
    else:
        title = f"The groups have too few sites for their {what} to be compared"
    members = listing([f"{clean(group)} ({counted(int(sizes[group]), 'site')})" for group in names[:_PAIRS]])
    words = [f"{members} compared with {against}, in {counted(len(rows), 'comparison')}."]
    if len(telling):
        words.append(f"{counted(len(telling), 'difference')} can be shown. The clearest:")
        clearest = telling.drop_duplicates(["dimension", "code"]).head(_SAID)
        words += [_told(row) for _, row in clearest.iterrows()]
    elif tried:
        whom = "the differences" if not few else f"the {tried:,} that could be tested"
        words.append(f"None of {whom} is larger than chance alone would often make with so few sites.")
    if few and not tried:
        words.append("None of them could be tested: there are too few sites to show any difference.")
    elif few:
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
                Column("shrunken_index", "Index", "whole", "shrunken_low", "shrunken_high"),
                Column("index", "Index as counted", "whole", "index_low", "index_high", is_detail=True),
                Column("verdict", "Verdict"),
                Column("p_adjusted", "Chance (adjusted p)", "number", is_detail=True),
                Column("with_code", "Sites", "whole"),
                Column("n", "of", "whole"),
            ),
        ),
        _indices(ordered, names, against, picture.alt),
        picture.figure,
        (f"Index 100: as common as among {against}. Lines: 95 % intervals; the wider, the less is known.",),
        footer_of(found.attrs["about"], [f"baseline: {against}", inferred_among(rows["dimension"])]),
        picture.footer,
    )


_AGAINST: Final = {"all sites": "all sites together", "rest": "the rest of the sites"}


def _named(label: object, code: str, dimension: str) -> str:
    """Return the words of a code, with its kind where they do not say it, such as "Basic"."""
    words = clean(label) if isinstance(label, str) else clean(code)
    basis = ", inferred" * is_inferred(dimension)
    return f"{words} ({words_of_code(dimension).lower()}{basis})" if dimension in DIMENSIONS else words


def _told(row: Any) -> str:
    low, high = (said(row[end], "whole") for end in ("shrunken_low", "shrunken_high"))
    return sentence(f"{finding_of(row)}; 95 % interval of the index {low} to {high}")


def _by_strength(rows: pd.DataFrame) -> pd.DataFrame:
    """Return shown differences first, what only says how the groups were made last, then by how unlikely by chance."""
    keys = rows.assign(
        shown=~rows["verdict"].isin(SHOWN),
        few=rows["verdict"] == "too few",
        chance=rows["p_adjusted"].fillna(2.0),
        far=-(rows["share"] - rows["baseline_share"]).abs().fillna(0),
    )
    order = keys.sort_values(["shown", "few", "own", "chance", "far", "dimension", "code", "group"], kind="stable")
    return rows.loc[order.index]


def _indices(ordered: pd.DataFrame, every: list[str], against: str, alt: str) -> Chart | None:
    """Return the index of each group in the most telling codes; nothing where there are too few sites for any."""
    told = ordered[ordered["verdict"].isin((*SHOWN, SAME)) & ordered["shrunken_index"].notna()]
    # The title is about the first finding: its group is drawn.
    found = ordered[ordered["verdict"].isin(SHOWN) & ~ordered["own"]]
    leading = set(list(dict.fromkeys([*found["group"], *every]))[:_SERIES])
    names = [name for name in every if name in leading]
    told = told[told["group"].isin(names)]
    if told.empty:
        return None
    most = _CODES if len(names) <= _FEW_GROUPS else _CODES_OF_MANY
    wide = told[["dimension", "code", "label"]].drop_duplicates(["dimension", "code"]).head(most)
    series = []
    for number, group in enumerate(names):
        mine = told[told["group"] == group].assign(hollow=told["verdict"] == SAME)
        drawn = ("shrunken_index", "shrunken_low", "shrunken_high")
        ends = {part: f"{part}_{number}" for part in (*drawn, "hollow")}
        wide = wide.merge(mine[["dimension", "code", *ends]].rename(columns=ends), on=["dimension", "code"], how="left")
        wide = wide.assign(**{ends["hollow"]: wide[ends["hollow"]].eq(True)})
        index, low, high = (ends[part] for part in drawn)
        bars = Series(index, group, low, high, hollow=ends["hollow"])
        series.append(bars)
    doubtful = any(wide[one.hollow].any() for one in series)
    left_out = f"; {len(names)} of {len(every)} groups" if len(names) < len(every) else ""
    left_out += ", those that differ most" * (bool(left_out) and not found.empty)
    axis = f"Index, 100 = {shortened(against, _LONGEST)}; lines: 95 % intervals"
    return Chart(
        "index",
        alt,
        wide,
        "label",
        tuple(series),
        axis + "; hollow: no difference shown" * doubtful + left_out,
        form="whole",
    )
