"""Ways to group the sites of a run that the RunPanel offers: by a column of the user's table, or by what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from toolkit.frames.about import answered, normal_of
from toolkit.interface.errors import InputError
from toolkit.interface.text import printable, shortened
from toolkit.runs.inputs import open_targets
from toolkit.widgets.run.source import column_titles

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.runs.inputs import Source

__all__ = ["COLUMN", "NOTHING", "groupings_of_run", "groupings_of_table"]

#: Under this name, groups of a column of the user's table say which: a report tells nothing that follows from it.
COLUMN: Final = "column"
#: The choice that compares nothing.
NOTHING: Final = "nothing"
_LEAST_GROUPS: Final = 2
_MOST_GROUPS: Final = 12
#: A larger table would be read once more for each of its columns.
_MOST_ROWS: Final = 20_000
_MOST_COLUMNS: Final = 40
_LONGEST_TITLE: Final = 40
_TAXONOMY: Final = "content-v3"


def groupings_of_table(source: Source, column: str | None) -> dict[str, pd.Series]:
    """Return the columns of a table that group its targets: those with two to twelve different values.

    They are indexed by target, and stand under the words of the choice. What is no table groups nothing.

    Examples
    --------
    >>> table = pd.DataFrame({"url": ["a.example", "b.example", "c.example"], "Group": ["ours", "theirs", "ours"]})
    >>> {label: groups.to_dict() for label, groups in groupings_of_table(table, None).items()}
    {'Group (your table)': {'a.example': 'ours', 'b.example': 'theirs', 'c.example': 'ours'}}
    """
    titles = column_titles(source)
    if len(titles) <= 1:
        return {}
    try:
        targets = list(open_targets(source, column))
    except InputError:
        return {}
    if len(targets) > _MOST_ROWS:
        return {}
    found = {}
    for title in titles[:_MOST_COLUMNS]:
        groups = _groups_of_column(source, title, targets)
        if groups is not None:
            found[f"{shortened(printable(title), _LONGEST_TITLE) or '(no title)'} (your table)"] = groups
    return found


def _groups_of_column(source: Source, title: str, targets: list[str]) -> pd.Series | None:
    try:
        values = [value.strip() for value in open_targets(source, title)]
    except InputError:  # two columns of one name
        return None
    if len(values) != len(targets):
        return None
    pairs = [(target, value) for target, value in zip(targets, values, strict=True) if value and normal_of(target)]
    groups = {value for _, value in pairs}
    sites = {target for target, _ in pairs}
    # Where every site has a value of its own, as a number or a name, there is nothing to compare.
    if not _LEAST_GROUPS <= len(groups) <= _MOST_GROUPS or len(groups) >= len(sites):
        return None
    # A title such as "industry" would be taken for the dimension of that name, and that be left out.
    found = pd.Series([value for _, value in pairs], index=[target for target, _ in pairs], name="group", dtype="str")
    found.attrs[COLUMN] = title
    return found


def groupings_of_run(frames: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Return the ways to group a run's sites by what was found of them, as a report takes them."""
    found: dict[str, Any] = {}
    if "audiences" in frames and len(answered(frames["audiences"])["audience_type"].dropna().unique()) > 1:
        found["type of audience"] = "audience_type"
    if "categories" in frames:
        rows = answered(frames["categories"])
        rows = rows[(rows["taxonomy"] == _TAXONOMY) & rows["level_1"].notna()]
        main = rows.sort_values("rank", kind="stable").drop_duplicates("target").set_index("target")["level_1"]
        kept = main.astype("str").value_counts().head(_MOST_GROUPS).index
        if len(kept) > 1:
            found["main topic"] = main[main.isin(kept)].astype("str").rename("group")
    return found
