"""The sites to take for a segment that was built."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import ipywidgets as ipw

from toolkit.interface.errors import ToolkitError
from toolkit.interface.text import counted
from toolkit.segments.definition import Segment
from toolkit.segments.plan import SitePlan, plan_sites
from toolkit.widgets.findings.rows import Rows
from toolkit.widgets.grid.columns import Column
from toolkit.widgets.html import escaped
from toolkit.widgets.segments.step import SegmentStep

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pandas as pd

    from toolkit.interface.vocabulary import Vocabulary

__all__ = ["PlanStep", "plan_code", "plan_rows", "plan_words"]

_MOST_SITES: Final = 5
_NOTHING_TO_COVER: Final = (
    "There is nothing to choose by: sites are chosen for the topics, interests and purchase intents that a segment "
    "asks for, and this one asks for none. Add one of them."
)
_COLUMNS: Final = (
    Column("site", "Site"),
    Column("new", "New", "number"),
    Column("adds", "Adds"),
    Column("covered", "Covered so far", "number"),
    Column("share", "Share covered", "share"),
)


class PlanStep(SegmentStep):
    """A number and a button that chooses so many sites, which together have most of what the segment wants.

    `changed` is called when there is another `plan`, or none any more.
    """

    def __init__(self, frames: Mapping[str, pd.DataFrame], vocabulary: Vocabulary, changed: Callable[[], None]) -> None:
        self._frames, self._vocabulary, self._changed = frames, vocabulary, changed
        self.plan: SitePlan | None = None
        self._most = ipw.BoundedIntText(
            value=_MOST_SITES, min=1, max=1_000_000, description="Sites, at most", layout={"width": "170px"}
        )
        self._most.style.description_width = "initial"
        self._most.observe(lambda _: self._forget(), "value")
        self._button = ipw.Button(description="Plan sites", icon="list-ol", layout={"width": "120px"})
        self._button.on_click(self._clicked)
        self._rows = ipw.VBox()
        super().__init__([self._most, self._button], "Choosing sites …", "")
        self.set_trait("children", (*self.children, self._rows))

    @property
    def code(self) -> str:
        """Python code that makes the plan that is shown; empty without one."""
        return "" if self.plan is None else plan_code(self.plan)

    def _forget(self) -> None:
        super()._forget()
        self._show_rows(None)
        self._keep(None)

    def _fail(self, text: str) -> None:
        super()._fail(text)
        self._show_rows(None)
        self._keep(None)

    def _show_rows(self, rows: Rows | None) -> None:
        old: tuple[ipw.Widget, ...] = self._rows.children
        self._rows.children = () if rows is None else (rows.grid(),)
        for widget in old:
            widget.close()

    def _keep(self, plan: SitePlan | None) -> None:
        if plan is not self.plan:
            self.plan = plan
            self._changed()

    def _clicked(self, _: ipw.Button) -> None:
        most = self._most.value
        self._do(lambda text: self._planned(text, most), lambda found: self._show(found, most))

    def _planned(self, text: str, most: int) -> SitePlan | str:
        codes, categories = self._frames.get("codes"), self._frames.get("categories")
        try:
            segment = Segment.parse(text, self._vocabulary)
            if not segment.codes() and not segment.categories():
                return _NOTHING_TO_COVER
            return plan_sites(codes, segment, most=most, vocabulary=self._vocabulary, categories=categories)
        except ToolkitError as error:
            return str(error)

    def _show(self, found: SitePlan | str, most: int) -> None:
        if isinstance(found, str):
            self._fail(found)
        elif most != self._most.value:
            self._forget()
        else:
            self._said.value = plan_words(found)
            self._show_rows(plan_rows(found) if len(found) else None)
            self._keep(found)


def plan_words(plan: SitePlan) -> str:
    """Return as HTML how much of a segment a plan has."""
    about = plan.about
    matching, wanted = about["matching"], counted(about["wanted"], "topic or trait", "topics and traits")
    if not matching:
        return "<b>There is no site to take</b>: none matches the segment."
    of = f"{len(plan):,} of the {counted(matching, 'site')} that match, with {about['covered']:,} of the {wanted}"
    missing = f"; none that matches has the other {len(plan.missing):,}" if plan.missing else ""
    return f"<b>{of}</b> that the segment asks for{missing}. {escaped(plan.bound)}"


def plan_rows(plan: SitePlan) -> Rows:
    """Return the sites of a plan."""
    frame = plan.sites[["site", "new", "adds", "covered", "share"]]
    return Rows(frame, _COLUMNS, "planned-sites", "Sites to take, in this order", ("site", "sites"))


def plan_code(plan: SitePlan) -> str:
    """Return Python code that makes a plan of the segment ``segment``."""
    return f"plan = segment.plan(most={plan.about['most']})\nplan.sites"
