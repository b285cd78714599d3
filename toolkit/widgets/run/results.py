"""What the RunPanel shows of a run that ended: what stands out, its report, and tabs to look closer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit.frames.about import site_of
from toolkit.interface.errors import ToolkitError
from toolkit.interface.text import counted
from toolkit.interface.words.labels import frame_label
from toolkit.widgets.files import download_link
from toolkit.widgets.html import escaped
from toolkit.widgets.lookup.view import table
from toolkit.widgets.outcome.headlines import Headlines, headlines_html
from toolkit.widgets.outcome.pages import Pages
from toolkit.widgets.outcome.tabs import STYLE, RunTabs
from toolkit.widgets.outcome.taking import TakeAway
from toolkit.widgets.outcome.wishes import Wishes
from toolkit.widgets.run.failures import failures_of, failures_table
from toolkit.widgets.run.groups import COLUMN, groupings_of_run, groupings_of_table
from toolkit.widgets.run.progress import summary_line
from toolkit.widgets.run.report import ReportMaker

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from toolkit.client import Client
    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.reports.story import Story
    from toolkit.run import Run
    from toolkit.runs.counts import Counts
    from toolkit.runs.inputs import Source
    from toolkit.runs.progress import Progress
    from toolkit.widgets.beside import Beside

__all__ = ["Ended", "RunShown", "ended", "first_frames", "result_tables"]

#: Inputs of which the frames are held in memory and shown; all of them are written to Parquet.
MOST_ROWS: Final = 20_000
#: Of more inputs no findings are worked out at once: a report takes its time for them.
_MOST_TOLD: Final = 5_000
_LONG: Final = "What stands out among {} is not worked out at once. A report says it: choose Make report."


@dataclass(frozen=True, slots=True)
class Ended:
    """What there is to be shown of a run that finished or stopped."""

    run: Run
    progress: Progress
    frames: dict[str, pd.DataFrame]
    tables: dict[str, str]
    summary: str
    links: str
    groupings: dict[str, Any]
    client: Client
    #: What stands out; a sentence where there is none.
    story: Story | str
    counts: Counts


def first_frames(run: Run, rows: int = MOST_ROWS) -> dict[str, pd.DataFrame]:
    """Return the frames of so many inputs of a run, from the first, by name; failures are in band."""
    return {name: run.frame(name, 0, rows) for name in run.frames}


def ended(run: Run, client: Client, most: int = MOST_ROWS, *, source: Source = (), column: str | None = None) -> Ended:
    """Return what there is to be shown of a run, of its first inputs where there are more than `most`.

    `source` and `column` are what the run was made of: columns of a table are ways to group its sites.
    """
    plan, progress, frames = run.plan(), run.progress, first_frames(run, most)
    links = " · ".join(download_link(name, frame) for name, frame in frames.items() if len(frame))
    entries = plan.counts.entries
    part = "" if entries <= most else f" of the first {most:,} of {entries:,} entries"
    return Ended(
        run=run,
        progress=progress,
        frames=frames,
        tables=result_tables(frames, client.filters() if "audiences" in frames else None),
        summary=summary_line(progress, plan.counts, plan.budget),
        links=f"<b>Download</b>{part}: {links}" if links else "",
        groupings={**groupings_of_table(source, column), **groupings_of_run(frames)},
        client=client,
        story=_story(run, plan.counts),
        counts=run.counts(),
    )


def _story(run: Run, counts: Counts) -> Story | str:
    """Return what is told first of a run; a sentence where nothing is."""
    if counts.entries > _MOST_TOLD:
        return _LONG.format(counted(counts.sites, "site"))
    from toolkit.reports.story import story_of  # noqa: PLC0415 - statistics take seconds to load

    try:
        return story_of(run)
    except ToolkitError as error:
        return str(error)


def result_tables(frames: dict[str, pd.DataFrame], vocabulary: Vocabulary | None) -> dict[str, str]:
    """Return the first rows of the frames of a run as HTML by title, those without rows left out.

    A title has the number of sites that have an answer. The vocabulary is needed where ``audiences`` are among the
    frames.
    """
    tables = {}
    for name, frame in frames.items():
        if name == "failures":
            shown = failures_of(frame)
            title, html = frame_label(name), failures_table(shown)
        else:
            shown = _each_site_once(frame[frame["error"].isna()])
            title, html = frame_label(name), table(name, shown, vocabulary)  # type: ignore[arg-type]  # for audiences only
        if len(shown):
            tables[f"{title} ({site_of(shown).nunique():,})"] = html
    return tables


def _each_site_once(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame without the rows of inputs that repeat a site: the numbers of tables are of sites."""
    first = frame.groupby(site_of(frame), sort=False)["row"].transform("min")
    return frame[frame["row"] == first].reset_index(drop=True)


class RunShown(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """The answer and the headline findings, the report, and tabs: all findings, sites, widgets over the run."""

    def __init__(self, beside: Beside, send_again: Callable[[], None]) -> None:
        self._beside, self._send_again = beside, send_again
        self._found: Ended | None = None
        self._wishes = Wishes()
        self._headlines = Headlines(self._wishes)
        self._report = ReportMaker(beside, lambda: self._wishes.sentences)
        self._tabs = RunTabs(beside)
        self._again: ipw.Button | None = None
        self._taking: TakeAway | None = None
        self._report.on_groups(lambda: self._tabs.renew("Compare"))
        super().__init__(
            [self._headlines, self._report, ipw.HTML(STYLE, layout={"display": "none"}), self._tabs],
            layout={"display": "none"},
        )

    @property
    def disabled(self) -> bool:
        """Whether nothing can be done now."""
        return bool(self._report.disabled)

    @disabled.setter
    def disabled(self, disabled: bool) -> None:
        for control in (self._report, self._again, self._taking, self._tabs):
            if control is not None:
                control.disabled = disabled

    def show(self, found: Ended) -> None:
        """Show what came of a run."""
        self._found, self._again, self._taking = found, None, None
        self._headlines.show(found.story)
        self._report.take(found.run, found.groupings)
        self._report.layout.display = "" if found.counts.answered else "none"
        pages = Pages(
            found.run,
            found.client,
            found.frames,
            found.story,
            self._wishes,
            self._tabs,
            lambda: self._groups(found),
            self._below,
            self._above,
        )
        self._tabs.take(found.run, tuple(pages.all()))
        self.layout.display = ""

    def go_to_report(self) -> None:
        """Bring the button that makes the report into view, and the keyboard to it."""
        self._report.focus_on_make()

    def close_findings(self) -> None:
        """Close what is open of the run that was shown."""
        self._tabs.take(None)

    def static_view(self) -> str:
        """Return what stands out with its pictures, and the tables, as HTML, one below the other."""
        if self._found is None:
            return ""
        tables = "".join(f"<h4>{escaped(title)}</h4>{html}" for title, html in self._found.tables.items())
        return f"{headlines_html(self._found.story)}{tables}"

    def _groups(self, found: Ended) -> Any:
        """Return the groups that are chosen, else those of the first column of the user's table that has some."""
        own = [groups for groups in found.groupings.values() if getattr(groups, "attrs", {}).get(COLUMN)]
        return self._report.groups if self._report.groups is not None else next(iter(own), None)

    def _below(self) -> TakeAway:
        taking = TakeAway(self._beside, lambda: self._report.title)
        if self._found is not None:
            taking.take(self._found.run, self._found.links)
        taking.disabled = self.disabled
        self._taking = taking
        return taking

    def _above(self) -> ipw.Button:
        again = ipw.Button(description="Send failed ones again", icon="repeat", layout={"width": "200px"})
        again.disabled = self.disabled
        again.on_click(lambda _: self._send_again())
        self._again = again
        return again
