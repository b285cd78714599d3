"""What the RunPanel shows of a run that ended: tables, downloads, and writing it all to a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit.frames.about import site_of
from toolkit.interface.errors import ToolkitError
from toolkit.interface.text import counted
from toolkit.widgets.files import download_link
from toolkit.widgets.html import escaped
from toolkit.widgets.lookup.view import TITLES, notice, table
from toolkit.widgets.run.failures import failures_of, failures_table
from toolkit.widgets.run.findings import RunFindings
from toolkit.widgets.run.groups import groupings_of_run, groupings_of_table
from toolkit.widgets.run.progress import sites_of_run, summary_line
from toolkit.widgets.run.report import ReportMaker

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from toolkit.client import Client
    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.run import Run
    from toolkit.runs.inputs import Source
    from toolkit.runs.progress import Progress
    from toolkit.widgets.beside import Beside

__all__ = ["Ended", "RunShown", "ended", "first_frames", "result_tables", "write_parquet"]

#: Inputs of which the frames are held in memory and shown; all of them are written to Parquet.
MOST_ROWS: Final = 20_000
#: Below a table of 200 rows nobody would find the downloads.
_SCROLLED: Final = "<div style='max-height:420px;overflow-y:auto'>{}</div>"
_BRACKETS: Final = "<span style='opacity:.75'>What was found; in brackets: of how many sites.</span>"
_DESCRIBED: Final = {"description_width": "52px"}


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
    #: Different sites, and those with an answer.
    sites: int
    answered: int


def first_frames(run: Run, rows: int = MOST_ROWS) -> dict[str, pd.DataFrame]:
    """Return the frames of so many inputs of a run, from the first, by name; failures are in band."""
    return {name: run.frame(name, 0, rows) for name in run.frames}


def ended(run: Run, client: Client, most: int = MOST_ROWS, *, source: Source = (), column: str | None = None) -> Ended:
    """Return what there is to be shown of a run, of its first inputs where there are more than `most`.

    `source` and `column` are what the run was made of: columns of a table are ways to group its sites.
    """
    plan, progress, frames = run.plan(), run.progress, first_frames(run, most)
    links = " · ".join(download_link(name, frame) for name, frame in frames.items() if len(frame))
    part = "" if plan.rows <= most else f" of the first {most:,} of {plan.rows:,} rows"
    sites = sites_of_run(plan, frames["failures"]) if plan.rows <= most else None
    return Ended(
        run=run,
        progress=progress,
        frames=frames,
        tables=result_tables(frames, client.filters() if "audiences" in frames else None),
        summary=summary_line(progress, sites, plan.budget),
        links=f"<b>Download</b>{part}: {links}" if links else "",
        groupings={**groupings_of_table(source, column), **groupings_of_run(frames)},
        sites=plan.rows - plan.duplicates if sites is None else sites.different,
        answered=progress.answered + progress.stored if sites is None else sites.answered,
    )


def result_tables(frames: dict[str, pd.DataFrame], vocabulary: Vocabulary | None) -> dict[str, str]:
    """Return the first rows of the frames of a run as HTML by title, those without rows left out.

    A title has the number of sites that have an answer. The vocabulary is needed where ``audiences`` are among the
    frames.
    """
    tables = {}
    for name, frame in frames.items():
        if name == "failures":
            shown = failures_of(frame)
            title, html = "Failures", failures_table(shown)
        else:
            shown = _each_site_once(frame[frame["error"].isna()])
            title, html = TITLES[name], table(name, shown, vocabulary)  # type: ignore[arg-type]  # for audiences only
        if len(shown):
            tables[f"{title} ({site_of(shown).nunique():,})"] = html
    return tables


def _each_site_once(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame without the rows of inputs that repeat a site: the numbers of tables are of sites."""
    first = frame.groupby(site_of(frame), sort=False)["row"].transform("min")
    return frame[frame["row"] == first].reset_index(drop=True)


def write_parquet(run: Run, folder: str) -> str:
    """Write all frames of a run to a folder, and return as HTML what was written or what went wrong."""
    try:
        files = run.to_parquet(Path(folder).expanduser())
    except ToolkitError as error:
        return notice(str(error))
    return f"{counted(len(files), 'file')} written to <code>{escaped(str(Path(folder).expanduser().resolve()))}</code>"


class RunShown(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """The report, widgets over the run, tabs with the first rows of each frame, links and a button that save them."""

    def __init__(self, beside: Beside, send_again: Callable[[], None]) -> None:
        self._beside = beside
        self._run: Run | None = None
        self._again = ipw.Button(description="Send failed ones again", icon="repeat", layout={"width": "200px"})
        self._tables = ipw.Tab()
        self._links = ipw.HTML()
        self._folder = ipw.Text(value="run-parquet", description="Folder", layout={"width": "320px"}, style=_DESCRIBED)
        self._write = ipw.Button(description="Write Parquet", icon="download", layout={"width": "150px"})
        self._written = ipw.HTML()
        self._again.on_click(lambda _: send_again())
        self._write.on_click(self._write_clicked)
        row = ipw.HBox([self._folder, self._write], layout={"flex_flow": "row wrap", "grid_gap": "4px 12px"})
        self._report = ReportMaker(beside)
        self._findings = RunFindings(beside, lambda: self._report.title, lambda: self._report.groups)
        brackets = ipw.HTML(_BRACKETS)
        parts = [self._report, self._findings, self._again, brackets, self._tables, self._links, row, self._written]
        super().__init__(parts, layout={"display": "none"})

    @property
    def disabled(self) -> bool:
        """Whether nothing can be done now."""
        return bool(self._write.disabled)

    @disabled.setter
    def disabled(self, disabled: bool) -> None:
        self._write.disabled = self._again.disabled = self._report.disabled = disabled
        self._findings.disabled = disabled

    def show(self, found: Ended) -> None:
        """Show what came of a run."""
        self._run = found.run
        # While children and titles change, no tab may be selected that is not there.
        self._tables.selected_index = None
        self._tables.children = [ipw.HTML(_SCROLLED.format(html)) for html in found.tables.values()]
        self._tables.titles = list(found.tables)
        self._tables.selected_index = 0 if found.tables else None
        self._links.value, self._written.value = found.links, ""
        self._report.take(found.run, found.groupings)
        self._findings.take(found.run)
        self._again.layout.display = "" if found.progress.failed else "none"
        self.layout.display = ""

    def close_findings(self) -> None:
        """Close what is open of the run that was shown."""
        self._findings.take(None)

    def static_view(self) -> str:
        """Return the tables as HTML, one below the other."""
        pairs = zip(self._tables.titles, self._tables.children, strict=False)
        return "".join(f"<h4>{escaped(title)}</h4>{child.value}" for title, child in pairs)

    def _write_clicked(self, _: ipw.Button) -> None:
        run, folder = self._run, self._folder.value.strip()
        if self._beside.is_busy or run is None:
            return
        if not folder:
            self._show_written(notice("Name a folder first, such as run-parquet."))
            return
        self._show_written("Writing …")
        self._beside.do(lambda: write_parquet(run, folder), self._show_written)

    def _show_written(self, found: str) -> None:
        self._written.value = found
