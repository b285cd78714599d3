"""All findings of a run in one grid; a row opens what stands behind it."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw
import pandas as pd

from toolkit.interface.text import counted
from toolkit.reports.headings import heading_of
from toolkit.reports.page.headlines import headline_html, headline_style
from toolkit.reports.parts.proofs import grouping_of, part_of
from toolkit.reports.view import called
from toolkit.reports.words import clean
from toolkit.widgets.grid.box import Grid
from toolkit.widgets.grid.columns import Column
from toolkit.widgets.html import escaped
from toolkit.widgets.outcome.bringing import IntoView
from toolkit.widgets.outcome.tables import grid_of
from toolkit.widgets.outcome.wishes import Wish

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolkit.reports.view import View
    from toolkit.widgets.outcome.wishes import Wishes

__all__ = ["EveryFinding", "findings_table"]

_COLUMNS: Final = (
    Column("sentence", "Finding", width=370, lines=8),
    Column("certainty", "How sure", width=108, help="Clear: at most one such finding in a hundred is false."),
    Column("group", "Of whom", width=105, lines=4),
    Column("about", "About what", width=130, lines=4),
    Column("numbers", "In numbers", width=175, lines=4),
    Column("sites", "Sites", "number"),
    Column("basis", "Inferred or measured"),
    Column("against", "What speaks against it", hidden=True),
)
_OPEN: Final = "Choose a row to see the sites, the table and the method behind it."


def findings_table(view: View) -> pd.DataFrame:
    """Return findings as people read them, one row a finding, in the order of ``view.found``."""
    rows = [
        {
            "sentence": view.told(finding),
            "certainty": str(finding["certainty"]),
            "group": _of_whom(view, finding),
            "about": heading_of(finding["dimension"]) if isinstance(finding["dimension"], str) else "",
            "numbers": _numbers(finding),
            "sites": len(finding["sites"]),
            "basis": _text(finding["basis"]),
            "against": _text(finding["against"]),
        }
        for _, finding in view.found.iterrows()
    ]
    return pd.DataFrame(rows, columns=[column.name for column in _COLUMNS])


class EveryFinding(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """The grid, and below it the evidence of the row that was chosen last.

    `open_site` is called with the name of a site that is chosen in the evidence.
    """

    def __init__(self, view: View, wishes: Wishes, open_site: Callable[[str], None]) -> None:
        self._view, self._wishes, self._open_site = view, wishes, open_site
        found = findings_table(view)
        self.grid = Grid(
            found,
            columns=[
                replace(column, hidden=column.hidden or bool(found[column.name].eq("").all())) for column in _COLUMNS
            ],
            on_row=self.open_row,
            name="findings",
            height=360,
            label="All findings",
            noun=("finding", "findings"),
        )
        self._hint = ipw.HTML(_OPEN)
        self._evidence, self._into_view = ipw.VBox(), IntoView()
        super().__init__([self.grid, self._hint, self._into_view, self._evidence])

    @property
    def evidence(self) -> tuple[ipw.Widget, ...]:
        """What is shown of the finding that is open."""
        return tuple(self._evidence.children)

    def open_row(self, position: int) -> None:
        """Show what stands behind a finding: its picture, sites, table and method."""
        finding = self._view.found.iloc[position]
        part = part_of(self._view, finding, "leads" if finding["kind"] == "lead" else "proofs")
        self._hint.value = ""
        for widget in self._evidence.children:
            widget.close()
        method = "".join(f"<p style='margin:2px 0'>{escaped(note)}</p>" for note in part.reading)
        head = f"<style>{headline_style()}</style>{headline_html(part, self._view.groups)}"
        shown: list[ipw.Widget] = [
            ipw.HTML(head, layout={"max_width": "760px"}),
            Wish(self._wishes, str(finding["sentence"])),
            ipw.HTML(f"<b>How it was found</b>{method}"),
        ]
        if part.sites:
            sites = pd.DataFrame({"site": list(part.sites)})
            names = tuple(part.sites)
            shown += [
                ipw.HTML(f"<b>{escape(counted(len(names), 'site'))}</b>"),
                Grid(
                    sites,
                    columns=[Column("site", "Site")],
                    on_row=lambda place: self._open_site(names[place]),
                    name="sites-of-the-finding",
                    height=200,
                    label="Sites that show it",
                    noun=("site", "sites"),
                ),
            ]
        if part.table is not None:
            shown += [ipw.HTML(f"<b>{escaped(part.table.caption)}</b>"), grid_of(part.table, "numbers-of-the-finding")]
        self._evidence.children = shown
        self._into_view.show()


def _of_whom(view: View, finding: pd.Series[Any]) -> str:
    """Return the group that a finding is of: values of the service in words, and the user's own as they are."""
    grouping = grouping_of(view, finding)
    return _text(finding["group"]) if grouping is None else called(grouping.dimension, str(finding["group"]))


def _numbers(finding: pd.Series[Any]) -> str:
    """Return the counts of a finding: ``7 of 9, others 8 of 21``."""
    if pd.isna(finding["n"]) or pd.isna(finding["with_code"]):
        return ""
    told = f"{finding['with_code']:,} of {finding['n']:,}"
    if pd.isna(finding["other_n"]):
        return told
    return f"{told}, others {finding['other_with']:,} of {finding['other_n']:,}"


def _text(value: object) -> str:
    return clean(value) if isinstance(value, str) else ""
