"""What changed since an earlier run: what is real, what moved the shares, and how much was noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
import pandas as pd

from toolkit.findings.insights.changes import FEWEST, USUAL, Compared, compared
from toolkit.findings.insights.claims import CHANGES
from toolkit.findings.insights.sentences import enumerated, having, percent, value_in_words
from toolkit.frames.about import SOURCE
from toolkit.interface.text import counted, day, rounded, shortened
from toolkit.reports.contents import MOST_PROOFS, MOST_ROWS, Basis, Chart, Column, Part, Series, Table
from toolkit.reports.words import listing, said, verb

if TYPE_CHECKING:
    from toolkit.reports.frames import Frames

__all__ = ["changes", "lines"]

_LONGEST_NAME: Final = 30
#: Standard deviations that chance alone exceeds in one of a thousand.
_RARE: Final = 3.29
#: Shares closer than this are the same.
_ROUNDING: Final = 1e-9
_UNKNOWN_YEAR: Final = 1980
_RATE: Final = (
    "Where nothing changed, at most one such report in a hundred claims a change, and of all claimed changes at most "
    f"{percent(CHANGES)} is false on average: gains and losses of the same sites are held against each other by the "
    "exact test of changes in pairs, all values as one family. It is taken for granted that the service errs now as it "
    "did before, and that no site was chosen for its earlier answer."
)
_HOW_SPLIT: Final = (
    "The part of the list is what came with new sites and went with others, the part of the sites what those that were "
    "asked twice gained and lost, mostly noise. Which sites are on a list was decided and is not tested."
)


def changes(now: Frames, then: Frames, found: pd.DataFrame) -> tuple[Part, ...]:
    """Return what changed between two runs: the proven changes, the strongest first, and what moved the shares.

    `found` are the findings of the later run with ``before=`` the earlier one. Nothing is returned where nothing is
    proven and list and vocabulary are the same: `lines` say so.
    """
    both = _Both.of(now, then)
    if len(both.held.standing.both) < FEWEST:
        return ()
    claims = _claims(found).to_dict("records")
    parts = [_change(both, claim, is_appendix=place >= MOST_PROOFS) for place, claim in enumerate(claims)]
    return (*parts, *_split(both, is_alone=not parts))


def lines(now: Frames, then: Frames, found: pd.DataFrame) -> tuple[str, ...]:
    """Return what the methods say of a difference: who is compared, the noise, nulls, and what cannot be said."""
    held = _Both.of(now, then).held
    same = len(held.standing.both)
    left_out = [f"Not compared are {listing(held.left_out)}."] if held.left_out else []
    if held.rows.empty and held.left_out:
        return ("The two runs were asked nothing in the same way, so it cannot be said what changed.", *left_out)
    if not same:
        return (
            "No site was answered in both runs, so it cannot be said what changed at sites: the lists are others.",
            *left_out,
        )
    if same < FEWEST:
        few = f"Only {counted(same, 'site')} {verb(same, 'was', 'were')} answered in both runs"
        return (f"{few}: with fewer than {FEWEST} no change can be told from noise.", *_of_list(held), *left_out)
    if not held.flips.frame.size and not _of_list(held) and not left_out and held.rows["change"].eq(0).all():
        return (f"Nothing changed: all {same:,} sites that were asked twice have every value that they had.",)
    told = len(_claims(found))
    return (
        *_of_list(held),
        _noise(held),
        _beyond(held, told),
        _RATE,
        *_of_vocabulary(held),
        *left_out,
    )


@dataclass(frozen=True)
class _Both:
    """Two runs held against each other, and what they are called."""

    held: Compared
    #: Dates, or before and now.
    names: tuple[str, str]
    footer: str

    @classmethod
    def of(cls, now: Frames, then: Frames) -> _Both:
        held = compared(now.given, then.given)
        moments = [frames.last() for frames in (then, now)]
        dates = tuple(day(moment) for moment in moments)
        is_dated = moments[0].year > _UNKNOWN_YEAR and len(set(dates)) == len(dates)
        names = (dates[0], dates[1]) if is_dated else ("before", "now")
        of = [f"{counted(len(held.standing.both), 'site')} answered in both runs"]
        of += [f"{dates[0]} and {dates[1]}"] if is_dated else []
        return cls(held, names, " · ".join([f"Source: {SOURCE}", *of]))


def _claims(found: pd.DataFrame) -> pd.DataFrame:
    """Return the proven changes of sites; that the list changed is said elsewhere."""
    return found[found["kind"].eq("change") & found["code"].notna()]


def _change(both: _Both, claim: dict[Any, Any], *, is_appendix: bool) -> Part:
    dimension, code = str(claim["dimension"]), str(claim["code"])
    came, went = both.held.flips.of(dimension, code)
    more = len(came) > len(went)
    sites = came if more else went
    rows = _rows(both.held, dimension, code)
    names = enumerated(sites)
    is_likely = pd.notna(claim["against"])
    return Part(
        "changes",
        shortened(str(rows["label"].iloc[0]), _LONGEST_NAME),
        str(claim["sentence"]),
        (f"{'Began' if more else 'Stopped'}: {names}.",),
        Chart(
            "slope",
            str(claim["sentence"]),
            rows.head(MOST_ROWS),
            "label",
            (Series("then", both.names[0], is_rest=True), Series("now", both.names[1])),
            axis="Share of the sites of which it is known both times, %",
            strong="is_proven",
            tips="tip",
        ),
        Table(
            "Sites that were answered in both runs and have a value, before and now",
            rows,
            (
                Column("label", "Value"),
                Column("same_sites", "Sites of which it is known both times", "whole"),
                Column("same_before", "Had it before, sites", "whole"),
                Column("same_after", "Have it now, sites", "whole"),
                Column("gained", "Began, sites", "whole"),
                Column("lost", "Stopped, sites", "whole"),
                Column("then", "Before, % of sites", "percent"),
                Column("now", "Now, % of sites", "percent"),
                Column("verdict", "What changed it"),
                Column("q", "Adjusted p", "number", is_detail=True),
            ),
        ),
        (
            f"Were it noise, each of the {len(came) + len(went)} changes could as well have gone the other way.",
            _noise(both.held),
        ),
        both.footer,
        str(claim["certainty"]),
        str(claim["against"]) if is_likely else "",
        cast("Basis", str(claim["basis"])),
        tuple(sites),
        is_appendix,
    )


def _rows(held: Compared, dimension: str, code: str) -> pd.DataFrame:
    """Return the values of one kind at the sites of both runs: one, what else is proven, then the most frequent."""
    rows = held.rows[held.rows["dimension"].eq(dimension) & held.rows["known"].eq("both")]
    rows = rows[rows["same_before"] + rows["same_after"] > 0]
    same = rows["same_sites"]
    rows = rows.assign(
        label=[_name(row) for row in rows.to_dict("records")],
        then=rows["same_before"] / same,
        now=rows["same_after"] / same,
        verdict=_verdicts(rows),
        is_first=rows["code"].eq(code),
        size=rows[["same_before", "same_after"]].max(axis=1),
        tip=[
            f"{then:,} of {n:,} sites before, {now:,} now"
            for then, now, n in zip(rows["same_before"], rows["same_after"], same, strict=True)
        ],
    )
    order = ["is_first", "is_proven", "size", "code"]
    return rows.sort_values(order, ascending=[False, False, False, True], kind="stable")


def _split(both: _Both, *, is_alone: bool) -> tuple[Part, ...]:
    """Return what moved the shares of the whole lists: new and lost sites, the same sites, or the vocabulary."""
    held = both.held
    moved = held.rows[held.rows["change"].abs().gt(_ROUNDING) | (held.rows["gained"] + held.rows["lost"]).gt(0)]
    others = moved[moved["known"].ne("both") | moved["list_changed"].abs().gt(_ROUNDING)]
    if moved.empty or (is_alone and others.empty):
        return ()
    moved = moved.assign(
        label=[having(row["dimension"], _words(row)) for row in moved.to_dict("records")],
        size=-moved["change"].abs().round(12),
        verdict=_verdicts(moved),
    ).sort_values(["size", "dimension", "code"], kind="stable")
    names = ("list_changed", "sites_changed", "vocabulary_changed")
    parts = np.array([moved[name].abs().sum() for name in names])
    parts = parts / parts.sum() if parts.sum() else parts
    words = [f"{percent(float(part))} {of}" for part, of in zip(parts, _MOVERS, strict=True) if part > _ROUNDING]
    return (
        Part(
            "changes",
            "List, sites, words",
            _of_largest(moved.iloc[0]),
            (*_of_list(held), f"Of all movement of shares {listing(words)}."),
            table=Table(
                "Share of all answered sites before and now, and what moved it, in percentage points",
                moved,
                (
                    Column("label", "Sites that …"),
                    Column("share_before", "Before, % of sites", "percent"),
                    Column("share_after", "Now, % of sites", "percent"),
                    Column("change", "Change, points", "points"),
                    Column("list_changed", "By the list, points", "points"),
                    Column("sites_changed", "By the sites, points", "points"),
                    Column("vocabulary_changed", "By the vocabulary, points", "points"),
                    Column("verdict", "What changed it"),
                    *(
                        Column(name, heading, "whole", is_detail=True)
                        for name, heading in (
                            ("with_before", "Had it before, sites"),
                            ("n_before", "Answered before, sites"),
                            ("with_after", "Have it now, sites"),
                            ("n_after", "Answered now, sites"),
                            ("same_sites", "Answered in both, sites"),
                            ("gained", "Began, sites"),
                            ("lost", "Stopped, sites"),
                        )
                    ),
                    Column("q", "Adjusted p", "number", is_detail=True),
                ),
            ),
            notes=(_HOW_SPLIT, _noise(held)),
            footer=both.footer,
            is_appendix=True,
        ),
    )


_MOVERS: Final = ("is the list's", "the sites'", "the vocabulary's")


def _of_largest(row: pd.Series) -> str:
    """Say of the value whose share changed most what changed it."""
    went = f"from {said(row['share_before'], 'percent')} to {said(row['share_after'], 'percent')}"
    start = f"Sites that {row['label']} moved most: {went} of the list"
    if row["known"] != "both":
        return f"{start}, as only the {'later' if row['known'] == 'only later' else 'earlier'} run knows the value."
    points = [said(row[name], "points") for name in ("list_changed", "sites_changed")]
    return f"{start}, {points[0]} points by other sites on it and {points[1]} by the same sites."


def _verdicts(rows: pd.DataFrame) -> pd.Series:
    """Say in words what changed a share."""
    listed, moved = rows["list_changed"].abs(), rows["sites_changed"].abs()
    choices = {
        "new in the vocabulary": rows["known"].eq("only later"),
        "gone from the vocabulary": rows["known"].eq("only earlier"),
        "sites began": rows["is_proven"] & rows["gained"].gt(rows["lost"]),
        "sites stopped": rows["is_proven"],
        "no more than all values": rows["q"].le(CHANGES),
        "the list": listed.gt(moved + _ROUNDING),
        "no more than noise": (rows["gained"] + rows["lost"]).gt(0),
    }
    words = np.select(list(choices.values()), list(choices), "nothing")
    return pd.Series(words, index=rows.index)


def _of_list(held: Compared) -> list[str]:
    """Say who is on one list only, and who was answered once."""
    standing = held.standing
    told = [
        f"{counted(len(sites), 'site')} {words}"
        for sites, words in (
            (standing.came, "came"),
            (standing.went, "went"),
            (standing.failed_then, "had no answer before"),
            (standing.failed_now, "had none this time"),
        )
        if len(sites)
    ]
    return [f"{listing(told)}; {counted(len(standing.both), 'site')} answered both times."] if told else []


def _noise(held: Compared) -> str:
    """Say how much flipped, and what a repeat would show."""
    flips, same = held.flips.turnover(), len(held.standing.both)
    total = flips.came + flips.went
    if not total:
        return f"No value flipped at the {same:,} sites that were answered in both runs."
    known = held.rows[held.rows["known"].eq("both")]
    had = int(known["same_before"].sum())
    lost = f" ({percent(flips.went / had)} of the {had:,} that they had)" if had else ""
    usual = math.ceil(USUAL * flips.spread)
    half = f"about {rounded(total / 2):,} each way, give or take {usual:,}"
    start = (
        f"{total:,} values flipped at the {same:,} sites that were answered in both runs: {flips.came:,} came and "
        f"{flips.went:,} went{lost}"
    )
    if surplus := flips.surplus(_RARE):
        how = "more" if surplus > 0 else "less"
        return f"{start}. A repeat without any change would show {half}: the service, or most sites, say {how} now."
    return f"{start}. A repeat without any change would show {half}."


def _beyond(held: Compared, told: int) -> str:
    """Say that nothing else changed, or what is proven and not told for itself."""
    proven = int(held.rows["is_proven"].sum())
    if proven > told:
        more = proven - told
        return (
            f"{counted(more, 'more value')} {verb(more, 'is', 'are')} proven to have changed, at nearly the same sites "
            f"or of a kind that is told already: the tables have {verb(more, 'it', 'them')}. No other value changed "
            "beyond noise."
        )
    start = f"No {'other ' if told else ''}value changed beyond noise"
    if not held.tested:
        return f"{start}: none flipped at the {FEWEST} sites or more that it takes to show it."
    like_all = int((held.rows["q"].le(CHANGES) & ~held.rows["is_proven"]).sum())
    so = f"; {counted(like_all, 'value')} moved one way, but no more than all do" if like_all else ""
    return f"{start}, of {held.tested:,} that flipped at enough sites to show it{so}."


def _of_vocabulary(held: Compared) -> list[str]:
    """Say that the runs had other words, and what that makes of values that one of them has."""
    if not held.has_other_vocabulary:
        return []
    then, now = (listing(part) for part in held.versions)
    only = int(held.rows["known"].ne("both").sum())
    start = f"The service's vocabulary is another one: {then} before, {now} now. {counted(only, 'value')} that only one"
    return [f"{start} run has {verb(only, 'counts', 'count')} as its change, and {verb(only, 'is', 'are')} not tested."]


def _words(row: Any) -> str:
    label = row["label"]
    return value_in_words(row["dimension"], row["code"], None if pd.isna(label) else str(label))


def _name(row: Any) -> str:
    """Return a value as it stands alone; names keep the letters that they have."""
    words, label = _words(row), str(row["label"])
    return label if label.casefold() == words.casefold() else words[:1].upper() + words[1:]
