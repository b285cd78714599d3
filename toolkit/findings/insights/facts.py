"""Technologies, facts of companies and the user's own columns as frames of codes, which every finding can take.

And the calls that give a finding of each, as one writes them: ``run.compare("Vertical", "rest", of="technologies")``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from toolkit.findings.insights.tautologies import OWN, own
from toolkit.frames.about import single_valued
from toolkit.frames.records import CATEGORIZED
from toolkit.frames.schemas import DEMOGRAPHICS, FACTS
from toolkit.interface.words.places import company_words

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "change_call",
    "company_codes",
    "compare_call",
    "gaps_call",
    "group_picture",
    "own_codes",
    "shares_call",
    "shares_picture",
    "technology_codes",
]

#: With more different numbers than this a column is a quantity, and is cut in three.
_MOST_NUMBERS: Final = 12
#: A column with more values than this part of its rows names things rather than kinds of things.
_MOST_VALUES: Final = 0.5
_FEWEST_NUMBERS: Final = 3
_SEVERAL: Final = ", "
#: Facts of companies that the service gives as signs and that are read as words.
_IN_WORDS: Final = ("employee_range", "revenue_range", "state")
_TECHNOLOGIES: Final = ("technology", "technology kind")


def technology_codes(technologies: pd.DataFrame) -> pd.DataFrame:
    """Return a technologies frame as a codes frame: each technology, and of which kind it is."""
    named = [
        _codes(technologies, dimension, technologies[column])
        for dimension, column in (("technology kind", "category"), ("technology", "technology"))
    ]
    return _joined(technologies, named)


def company_codes(companies: pd.DataFrame) -> pd.DataFrame:
    """Return a companies frame as a codes frame: the facts that several companies can have in common."""
    parts = [_codes(companies, "country", pd.Series(None, index=companies.index, dtype="str"))]
    for fact, dimension in FACTS.items():
        if fact not in companies or companies[fact].isna().all():
            continue
        values = _in_thirds(companies[fact], middle=True) if fact == "founded_year" else companies[fact]
        labels = None
        if fact in _IN_WORDS:
            where = companies["country"] if "country" in companies else [None] * len(companies)
            labels = pd.Series(
                [
                    company_words(fact, str(value), land if isinstance(land, str) else None)
                    for value, land in zip(companies[fact], where, strict=True)
                ],
                companies.index,
            )
        if fact == "business_model":
            several = companies[fact].str.split(_SEVERAL).explode()
            parts.append(_codes(companies.loc[several.index], dimension, several))
        elif values is not None:
            parts.append(_codes(companies, dimension, values, labels))
    # A row that names no fact says that the company was looked up.
    return _joined(companies, parts)


def own_codes(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table indexed by target as a codes frame: kinds of things by value, quantities by their thirds.

    A list, dict, set or array is one value, its text.
    """
    table = single_valued(table)
    parts = [_of_own(table, "", pd.Series(None, index=table.index, dtype="str"))]
    titles = list(table.columns)
    for title in titles:
        if titles.count(title) > 1:
            continue
        column = table[title]
        known = column.dropna()
        many = known.nunique()
        if pd.api.types.is_datetime64_any_dtype(column.dtype):
            continue
        is_number = pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype)
        if is_number and many > _MOST_NUMBERS:
            if (thirds := _in_thirds(column)) is not None:
                parts.append(_of_own(table, str(title), thirds))
        elif 1 < many <= max(2, _MOST_VALUES * len(known)):
            parts.append(_of_own(table, str(title), column))
    return pd.concat(parts, ignore_index=True)


def _codes(frame: pd.DataFrame, dimension: str, values: pd.Series, labels: pd.Series | None = None) -> pd.DataFrame:
    texts = values.astype("str").where(values.notna()).array
    named = texts if labels is None else labels.astype("str").where(values.notna()).array
    known = {
        name: frame[name].array for name in ("target", "normal", "error", "endpoint", "fetched_at") if name in frame
    }
    return pd.DataFrame(known | {"dimension": dimension, "code": texts, "label": named, "group": None})


def _joined(frame: pd.DataFrame, parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    whole = pd.concat(parts, ignore_index=True).astype({"group": "str", "dimension": "str"})
    whole.attrs = dict(frame.attrs)
    return whole


def _of_own(table: pd.DataFrame, title: str, values: pd.Series) -> pd.DataFrame:
    texts = pd.Series(
        [None if missing else str(value).strip() or None for value, missing in zip(values, values.isna(), strict=True)],
        dtype="str",
    )
    target = pd.Series(table.index, dtype="str")
    return pd.DataFrame(
        {"target": target, "dimension": own(title), "code": texts, "label": texts, "group": None}
    ).astype({"dimension": "str", "group": "str"})


def _in_thirds(column: pd.Series, *, middle: bool = False) -> pd.Series | None:
    """Return which of the numbers are among the highest and the lowest third, in words; None of fewer than three.

    With `middle` also those between them, so that only what is not known has no word.
    """
    known = column.dropna().astype("float64")
    if known.nunique() < _FEWEST_NUMBERS:
        return None
    low, high = np.quantile(known, [1 / 3, 2 / 3], method="nearest")
    between = known[(known > low) & (known < high)]
    inner = f"{between.min():g} to {between.max():g}" if middle and len(between) else ""
    words = np.where(known >= high, f"{high:g} or more", np.where(known <= low, f"{low:g} or less", inner))
    found = pd.Series(words, index=known.index, dtype="str").reindex(column.index)
    return found.where(found != "")


def part_of(dimension: str) -> str:
    """Return what a call names a dimension by: ``dimensions='persona'``, ``of='technologies'``."""
    if dimension.startswith(OWN):
        return "of='table'"
    if dimension in CATEGORIZED:
        return f"of={dimension!r}"
    if dimension in _TECHNOLOGIES:
        return "of='technologies'"
    return "of='companies'" if dimension in FACTS.values() else f"dimensions={dimension!r}"


def compare_call(groups: str, dimension: str, among: Sequence[str] = ()) -> str:
    """Return the call that compares groups, a text as it stands in a program.

    `among` are the sites of which it is known in which group they are, where these are not all.
    """
    known = f", among={list(among)!r}" if among else ""
    return f"run.compare({groups}, 'rest', {part_of(dimension)}{known})"


def group_picture(table: str, group: str, dimension: str, code: str) -> str:
    """Return the call of the picture of a value in a group, beside what the group is compared with."""
    return f"beside({table}, {group!r}, {dimension!r}, {code!r})"


def shares_call(dimension: str, *more: str) -> str:
    """Return the call that says how many sites have each value of a dimension, and of others of the same frame.

    >>> shares_call("income_level", "urbanicity"), shares_call("country", "company_type")
    ("run.shares(dimensions=['income_level', 'urbanicity'])", "run.shares(of='companies')")
    """
    part = part_of(dimension)
    return (
        f"run.shares(dimensions={[dimension, *more]!r})" if more and part.startswith("dim") else f"run.shares({part})"
    )


def shares_picture(dimension: str) -> str | None:
    """Return the call of the picture of what is common; None where there is none."""
    if dimension == "content-v3":
        return "coverage_bars(run.coverage('content-v3'), by_sites=True)"
    if dimension in DEMOGRAPHICS:
        return f"profile_card({shares_call(dimension)})"
    return "technologies(run.shares('technologies'))" if dimension == "technology" else None


def gaps_call(taxonomy: str) -> str:
    """Return the call that names what no site shows."""
    return f"run.coverage({taxonomy!r}).gaps()"


def change_call(dimension: str) -> str:
    """Return the call that says what changed."""
    return f"run.drift(before, {part_of(dimension)})"
