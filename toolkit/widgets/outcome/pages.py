"""The tabs of a run: which there are, and what each shows. One that would have nothing to show is not there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw
import pandas as pd

from toolkit.frames.about import site_of
from toolkit.widgets.outcome.tabs import Page
from toolkit.widgets.run.failures import failures_grid, failures_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolkit.client import Client
    from toolkit.reports.story import Story
    from toolkit.reports.view import View
    from toolkit.run import Run
    from toolkit.widgets.outcome.tabs import Material, RunTabs
    from toolkit.widgets.outcome.wishes import Wishes

__all__ = ["Pages"]

_LEAST_COMPARED: Final = 2
#: What findings group sites by where nobody says how.
_KINDS: Final = ("audience_type", "main category")


@dataclass(frozen=True)
class Pages:
    """What tabs are made of."""

    run: Run
    client: Client
    frames: dict[str, pd.DataFrame]
    #: What stands out; a sentence where it was not worked out.
    story: Story | str
    wishes: Wishes
    tabs: RunTabs
    #: Groups that are chosen for comparing; None for the first choice.
    groups: Callable[[], Any]
    #: Make what stands below the grid of the sites, and above the failures.
    below: Callable[[], ipw.Widget]
    above: Callable[[], ipw.Widget]

    def all(self) -> Iterator[Page]:
        """Yield the tabs; why there is no answer comes first where there is none."""
        story = self.story
        some = isinstance(story, str) or story.frames.about["sites"] > 0
        if not some:
            yield from self._failures()
        view = None if isinstance(story, str) else story.view
        found = None if isinstance(story, str) else story.findings
        if view is not None and found is not None:
            yield Page("All findings", lambda: self._every(view), len(found))
        sites = None if isinstance(story, str) else _sites_of(story)
        if sites != 0:
            yield Page("Sites", self._sites, sites)
        answered = self._answered()
        if answered >= _LEAST_COMPARED:
            yield Page("Compare", self._compare, needs_material=True)
        if answered:
            yield Page("Coverage", self._coverage, needs_material=True)
            yield Page("Segment", self._segment, needs_material=True)
        if some:
            yield from self._failures()

    def _failures(self) -> Iterator[Page]:
        failures = failures_of(self.frames["failures"])
        if len(failures):
            entries = site_of(failures).nunique()
            # What is no web address cannot be sent again.
            may_be_sent = bool(failures["normal"].notna().any())
            yield Page(
                "Failures",
                lambda: ipw.VBox([*([self.above()] if may_be_sent else []), failures_grid(failures)]),
                entries,
            )

    def _answered(self) -> int:
        """Return of how many sites there are codes or categories to look at."""
        told = [self.frames[name] for name in ("codes", "categories") if name in self.frames]
        return max((site_of(frame[frame["error"].isna()]).nunique() for frame in told), default=0)

    def _every(self, view: View) -> ipw.Widget:
        from toolkit.widgets.outcome.every import EveryFinding  # noqa: PLC0415 - statistics, as all below

        return EveryFinding(view, self.wishes, self._open_site)

    def _open_site(self, site: str) -> None:
        from toolkit.widgets.outcome.sites import SitesShown  # noqa: PLC0415 - as above

        shown = self.tabs.go_to("Sites")
        if isinstance(shown, SitesShown):
            shown.open_site(site)

    def _sites(self) -> ipw.Widget:
        if isinstance(self.story, str):
            return self.below()
        from toolkit.widgets.outcome.sites import SitesShown, site_card  # noqa: PLC0415 - as above

        return SitesShown(self.story, lambda site: site_card(self.run, site, self.client), self.below())

    def _compare(self, given: Material) -> ipw.Widget:
        from toolkit.widgets.findings.compare import Compare  # noqa: PLC0415 - as above

        groups = self.groups()
        return Compare(given[0], groups if isinstance(groups, pd.Series | str) else self._telling())

    def _telling(self) -> str | None:
        """Return the groups of which the strongest difference is told; None where none is."""
        found = None if isinstance(self.story, str) else self.story.findings
        told = [] if found is None else found.loc[found["kind"].eq("difference"), "table"].dropna().tolist()
        return next((name for name in _KINDS for call in told[:1] if repr(name) in call), None)

    def _coverage(self, given: Material) -> ipw.Widget:
        from toolkit.widgets.findings.coverage import CoverageExplorer  # noqa: PLC0415 - as above

        return CoverageExplorer(given[0], vocabulary=given[1])

    def _segment(self, given: Material) -> ipw.Widget:
        from toolkit.widgets.segments.builder import SegmentBuilder  # noqa: PLC0415 - as above

        return SegmentBuilder(given[0], self._suggested(), given[1])

    def _suggested(self) -> str:
        """Return a segment to begin with: of the audience that the report would name."""
        if isinstance(self.story, str) or self.story.view is None:
            return ""
        from toolkit.reports.parts.advice import advice  # noqa: PLC0415 - as above

        told, _ = advice(self.story.view)
        return next((one.segment for one in told if one.segment), "")


def _sites_of(story: Story) -> int:
    return int(story.frames.about["sites"] + story.frames.about["failed"])
