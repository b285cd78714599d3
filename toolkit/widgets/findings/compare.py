"""The Compare widget: choose groups and a dimension, see where they differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw
import pandas as pd

from toolkit.answered import Answered
from toolkit.interface.errors import InputError
from toolkit.interface.text import printable
from toolkit.widgets.findings.asked import dimensions_of, with_facts
from toolkit.widgets.findings.box import FindingBox, Shown, dropdown
from toolkit.widgets.findings.compare_view import (
    BASELINES,
    BASELINES_OF_RUNS,
    EVERYTHING,
    GIVEN,
    Grouping,
    compared,
    groupings_of,
    labels_of,
    pasted,
)
from toolkit.widgets.given import frames_of_runs, run_frames
from toolkit.widgets.static import ROW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolkit.findings.incidence import Frames

__all__ = ["Compare"]

_PASTED: Final = "Lists that I paste"
_GIVEN: Final = "The groups given"
_RUNS: Final = "The runs"
_ALL: Final = "all"
_EVERYTHING: Final = "everything"
#: What the sites are about tells most of them apart; what kind of readers they have comes next.
_FIRST: Final = ("main category", "audience_type")


class Compare(FindingBox):
    """Compare groups of a run's sites, or several runs: over everything at first, or in one dimension.

    Parameters
    ----------
    run : Run, SavedRun, or mapping of str to DataFrame, Run or SavedRun
        A run, or its frames by name. Or two or more runs by name: then these are the groups.
    groups : str, mapping of str to targets, Series or DataFrame, optional
        Groups of one run to begin with, as `toolkit.findings.compare` takes them, or ``"main category"`` or a column of
        the audiences such as ``"audience_type"``. By default main categories; others can be chosen, and lists pasted.

    Raises
    ------
    InputError
        If `run` is no run, or gives nothing to compare, or groups are given for several runs.

    Attributes
    ----------
    value : DataFrame
        What `toolkit.findings.compare` returns for what is chosen; of everything, the strongest differences first.
    figure : Figure
        Its chart.

    Examples
    --------
    >>> import toolkit as tk
    >>> widget = Compare(tk.sample_run())
    >>> widget.value["verdict"].isin(["over", "under", "no difference shown", "too few"]).all().item()
    True
    """

    def __init__(
        self,
        run: Answered | Mapping[str, pd.DataFrame] | Mapping[str, Answered],
        groups: str | Mapping[str, Sequence[str]] | pd.Series | pd.DataFrame | None = None,
    ) -> None:
        self._frames, self._groupings = _of_runs(run, groups) if _are_runs(run) else _of_run(run, groups)
        self._dimensions = dimensions_of(self._frames)
        if not self._dimensions and {"codes", "categories", "companies", "technologies"} & set(self._frames):
            raise InputError("No site of the run has an answer, so there is nothing to compare. See run.failures().")
        if not self._dimensions:
            raise InputError(
                "The run has no codes, categories, technologies or companies to compare; of several runs codes and "
                "categories are compared, and they have none in common. Ask for segment or categorize_content."
            )
        self._dimensions = {_EVERYTHING: EVERYTHING, **self._dimensions}
        self._first = self._first_grouping(groups)
        self._build()
        super().__init__(
            # The lists stand in the row: from the last of them Tab leads to what they are held against.
            [ipw.HBox([self._by, self._lists, self._against, self._dimension, self._only], layout=ROW)],
            [self._against, self._dimension, self._only],
        )
        self._by.observe(self._regrouped, "value")
        for name in self._names:
            name.observe(self._renamed, "value")
        for text in self._texts:
            text.observe(self._typed, "value")

    def _build(self) -> None:
        are_runs = _RUNS in self._groupings
        self._by = dropdown("Groups by", [*self._groupings, *([] if are_runs else [_PASTED])])
        self._by.layout.display = "none" if are_runs else ""
        # Never empty: a list that began so would show nothing as chosen.
        self._against = dropdown("against", list((BASELINES_OF_RUNS if are_runs else BASELINES).items()))
        self._dimension = dropdown("in", list(self._dimensions))
        self._by.value = self._first
        self._only = dropdown("show", [(_ALL, "")])
        names = ("Ours", "Theirs")
        self._names = [ipw.Text(value=name, placeholder="name of the group") for name in names]
        self._texts = [
            ipw.Textarea(placeholder="Sites of the run, one a line", layout={"height": "84px"}) for _ in names
        ]
        boxes = [ipw.VBox(list(pair)) for pair in zip(self._names, self._texts, strict=True)]
        self._lists = ipw.HBox(boxes, layout={**ROW, "width": "100%"})
        self._offer_groups()

    def _first_grouping(self, groups: object) -> str:
        """Return the label of the groups to begin with."""
        wished = [groups] if isinstance(groups, str) else [] if groups is not None else list(_FIRST)
        by_made: dict[str, str] = {}
        for label, grouping in self._groupings.items():
            by_made.setdefault(grouping.made_of, label)
        found = next((by_made[name] for name in wished if by_made.get(name)), None)
        if found is None and isinstance(groups, str):
            offered = ", ".join(repr(name) for name in by_made if name)
            raise InputError(f"The run's sites have no groups {groups!r:.80}. Name one of {offered}, or pass groups.")
        return found or next(iter(self._groupings), _PASTED)

    def __repr__(self) -> str:
        return f"<Compare: {self._by.value}, {self._dimension.value}>"

    def _grouping(self) -> Grouping:
        if self._by.value == _PASTED:
            return pasted([(name.value, text.value) for name, text in zip(self._names, self._texts, strict=True)])
        return self._groupings[self._by.value]

    def _regrouped(self, change: object) -> None:
        with self._filling():
            self._offer_groups()
        self._changed(change)

    def _renamed(self, change: object) -> None:
        # The list that was chosen is still chosen under its new name.
        index = self._against.index
        with self._filling():
            self._offer_groups()
            self._against.index = min(index, len(self._against.options) - 1)
        self._typed(change)

    def _offer_groups(self) -> None:
        """Offer the groups' names as baselines, and to be shown alone."""
        is_pasted = self._by.value == _PASTED
        self._lists.layout.display = "" if is_pasted else "none"
        if is_pasted:
            names = tuple(dict.fromkeys(name for one in self._names if (name := one.value.strip())))
            offered = Grouping(_PASTED, "", {}, names, are_lists=True)
        else:
            offered = self._groupings[self._by.value]
        named = [(offered.named(name), name) for name in offered.names]
        baselines = list((BASELINES_OF_RUNS if offered.groups is None else BASELINES).items())
        # Lists are held against each other first.
        self._against.options = [*named, *baselines] if offered.are_lists else [*baselines, *named]
        self._against.value = offered.first_baseline
        self._only.options = [(_ALL, ""), *named]

    def _work(self) -> Shown:
        dimension = self._dimensions[self._dimension.value]
        return compared(self._frames, self._grouping(), self._against.value, dimension, self._only.value or None)


def _are_runs(run: object) -> bool:
    return isinstance(run, Mapping) and any(isinstance(one, (Answered, Mapping)) for one in run.values())


def _of_runs(runs: Any, groups: object) -> tuple[dict[str, Frames], dict[str, Grouping]]:
    if groups is not None:
        raise InputError("Several runs are the groups themselves. Pass one run to group its sites.")
    return {**frames_of_runs(runs)}, {_RUNS: Grouping(_RUNS, "", None, tuple(map(str, runs)))}


def _of_run(run: Any, groups: Any) -> tuple[dict[str, Frames], dict[str, Grouping]]:
    frames = with_facts(run_frames(run))
    found = {grouping.label: grouping for grouping in groupings_of(frames)}
    return {**frames}, found if groups is None or isinstance(groups, str) else {
        _label_of(groups): _given(groups, frames),
        **found,
    }


def _label_of(groups: object) -> str:
    """Return what groups that were given are called: by their column of a table, if they are of one."""
    column = getattr(groups, "attrs", {}).get("column")
    return _GIVEN if column is None else f"{printable(str(column))} (your table)"


def _given(
    groups: Mapping[str, Sequence[str]] | pd.Series | pd.DataFrame, frames: Mapping[str, pd.DataFrame]
) -> Grouping:
    if isinstance(groups, Mapping):
        return Grouping(_GIVEN, GIVEN, groups, tuple(map(str, groups)), are_lists=True)
    values = groups["group"] if isinstance(groups, pd.DataFrame) and "group" in groups.columns else groups
    if not isinstance(values, pd.Series):
        raise InputError(
            "groups must be lists of targets by name, a Series of groups indexed by target, or a frame with columns "
            f"'target' and 'group', not {type(groups).__name__}."
        )
    names = tuple(sorted(map(str, values.dropna().unique())))
    return Grouping(_GIVEN, GIVEN, groups, names, labels_of(frames, values))
