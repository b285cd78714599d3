"""The sites to take for a segment that was built."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import ipywidgets as ipw

from toolkit.interface.errors import ToolkitError
from toolkit.interface.text import counted
from toolkit.segments.definition import Segment
from toolkit.segments.plan import SitePlan, plan_sites
from toolkit.widgets.findings.box import listing
from toolkit.widgets.segments.step import SegmentStep

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pandas as pd

    from toolkit.interface.vocabulary import Vocabulary
from toolkit.widgets.html import escaped

__all__ = ["PlanStep", "plan_code", "plan_table"]

_MOST_SITES: Final = 5


class PlanStep(SegmentStep):
    """A number and a button that chooses so many sites, which together have most of what the segment wants.

    `changed` is called when there is another `plan`, or none any more.
    """

    def __init__(self, frames: Mapping[str, pd.DataFrame], vocabulary: Vocabulary, changed: Callable[[], None]) -> None:
        self._frames, self._vocabulary, self._changed = frames, vocabulary, changed
        self.plan: SitePlan | None = None
        self._most = ipw.BoundedIntText(
            value=_MOST_SITES, min=1, max=1_000_000, description="most sites", layout={"width": "150px"}
        )
        self._most.style.description_width = "initial"
        self._most.observe(lambda _: self._forget(), "value")
        self._button = ipw.Button(description="Plan sites", icon="list-ol", layout={"width": "120px"})
        self._button.on_click(self._clicked)
        super().__init__([self._most, self._button], "Choosing sites …", "")

    @property
    def code(self) -> str:
        """Python code that makes the plan that is shown; empty without one."""
        return "" if self.plan is None else plan_code(self._frames, self.plan)

    def _forget(self) -> None:
        super()._forget()
        self._keep(None)

    def _fail(self, text: str) -> None:
        super()._fail(text)
        self._keep(None)

    def _keep(self, plan: SitePlan | None) -> None:
        if plan is not self.plan:
            self.plan = plan
            self._changed()

    def _clicked(self, _: ipw.Button) -> None:
        most = self._most.value
        self._do(lambda text: self._planned(text, most), lambda found: self._show(found, most))

    def _planned(self, text: str, most: int) -> tuple[SitePlan, list[str]] | str:
        codes, categories = self._frames.get("codes"), self._frames.get("categories")
        try:
            segment = Segment.parse(text, self._vocabulary)
            plan = plan_sites(codes, segment, most=most, vocabulary=self._vocabulary, categories=categories)
            return plan, segment.sites(codes, categories)
        except ToolkitError as error:
            return str(error)

    def _show(self, found: tuple[SitePlan, list[str]] | str, most: int) -> None:
        if isinstance(found, str):
            self._fail(found)
        elif most != self._most.value:
            self._forget()
        else:
            self._said.value = plan_table(*found)
            self._keep(found[0])


def plan_table(plan: SitePlan, matching: list[str]) -> str:
    """Return a plan as HTML, given the sites that match the whole segment."""
    matched, about = set(matching), plan.about
    lines = [
        f"<tr><td>{escaped(row['site'])}</td><td>{row['new']:,}</td>"
        f"<td>{escaped(row['adds'])}</td><td>{row['covered']:,} ({100 * row['share']:.0f} %)</td>"
        f"<td>{'✓&nbsp;matches' if row['site'] in matched else '–'}</td></tr>"
        for row in plan.sites.to_dict("records")
    ]
    missing = f"; no site has {len(plan.missing):,} of them" if plan.missing else ""
    heads = ("Site", "New", "Adds", "Covered so far", "Segment")
    table = listing(heads, lines, len(plan), columns=False, where=".plan.sites")
    return (
        f"<b>{counted(len(plan), 'site')} with {about['covered']:,} of {counted(about['wanted'], 'code')}</b> that the "
        f"segment wants{missing}. {escaped(plan.bound)}<br>A site is taken for the codes it adds; it need "
        f"not match the whole segment.{table}"
    )


def plan_code(frames: Mapping[str, pd.DataFrame], plan: SitePlan) -> str:
    """Return Python code that makes a plan of the segment ``segment``."""
    given = ["run.codes()" if "codes" in frames else "None", "segment", f"most={plan.about['most']}"]
    given.append("vocabulary=run.vocabulary")
    given += ["categories=run.categories()"] if "categories" in frames else []
    return f"from toolkit.segments import plan_sites\n\nplan = plan_sites({', '.join(given)})\nplan.sites"
