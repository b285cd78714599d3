"""Which findings make the headlines: what is proven first, then what is counted; nothing twice."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd

from toolkit.findings.insights.common import TIED
from toolkit.findings.insights.sentences import is_absence
from toolkit.findings.insights.tautologies import origin_of
from toolkit.reports.contents import MOST_PROOFS

__all__ = ["PROVEN", "counts_of_list", "strongest"]

PROVEN: Final = ("difference", "together", "change")
#: What is counted makes a headline where it says what the list is; the rest only where there is room left.
_COUNTED: Final = ("content-v3", "audience_type", "business_model", "country", "age_bracket", "income_level")
#: Sites in common from which on two findings tell the same story.
_ALIKE: Final = 0.6


def strongest(found: pd.DataFrame) -> pd.DataFrame:
    """Return the strongest findings that tell different things, at most `MOST_PROOFS`."""
    kept: list[int] = []
    proven = found[found["kind"].isin(PROVEN) & found["dimension"].notna()]
    # Who gives an earlier run asks what changed.
    proven = proven.sort_values("kind", key=lambda kinds: kinds.ne("change"), kind="stable")
    # What is not there makes a headline where nothing that is there does.
    pairs = zip(proven["dimension"], proven["code"], strict=True)
    absent = np.array([isinstance(code, str) and is_absence(str(kind), code) for kind, code in pairs], dtype=bool)
    proven = pd.concat([proven[~absent], proven[absent]])
    # Of what nothing is known there is nothing to prove.
    asked_for = found[found["kind"].eq("gap") & found["code"].notna() & found["n"].gt(0)].head(1)
    counted = counts_of_list(found)
    counted = counted.sort_values("dimension", key=lambda kinds: ~kinds.isin(_COUNTED), kind="stable")
    rows = {int(rank) - 1: found.iloc[int(rank) - 1] for part in (asked_for, proven, counted) for rank in part["rank"]}
    for place, row in rows.items():
        if len(kept) < MOST_PROOFS and not any(_alike(row, rows[other]) for other in kept):
            kept.append(place)
    told = found.iloc[kept]
    # What somebody asked for is answered, but a proof of what is there comes first.
    return told.assign(later=told["kind"].eq("gap")).sort_values("later", kind="stable").drop(columns="later")


def counts_of_list(found: pd.DataFrame) -> pd.DataFrame:
    """Return the findings that count what the sites of a list have, but for those of which nothing leads."""
    counted = found[found["kind"].eq("common") & found["code"].notna() & found["n"].gt(1)]
    return counted[~counted["sentence"].str.contains(TIED, regex=False)]


def _alike(one: pd.Series, other: pd.Series) -> bool:
    """Tell whether two findings tell the same story in other words."""
    if one["dimension"] == other["dimension"] and one["code"] == other["code"]:
        return True
    if "common" in {one["kind"], other["kind"]} and one["kind"] != other["kind"]:
        # That many sites are run from somewhere is another story than which of them are.
        return bool(one["dimension"] == other["dimension"])
    same_group = isinstance(one["group"], str) and one["group"] == other["group"]
    if same_group and origin_of(one["dimension"]) == origin_of(other["dimension"]):
        return True
    first, second = set(one["sites"]), set(other["sites"])
    return one["kind"] != "common" and len(first & second) >= _ALIKE * max(len(first | second), 1)
