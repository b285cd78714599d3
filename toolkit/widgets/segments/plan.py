"""What is done with a segment that was built: files to hand over, and the sites to take."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit.interface.errors import ToolkitError
from toolkit.interface.text import counted, printable
from toolkit.segments.definition import Segment
from toolkit.segments.export import export_segment
from toolkit.segments.plan import SitePlan, plan_sites
from toolkit.widgets.beside import Beside
from toolkit.widgets.findings.box import listing
from toolkit.widgets.keyboard import SAID
from toolkit.widgets.lookup.view import notice
from toolkit.widgets.run.files import escaped, saved_link
from toolkit.widgets.static import ROW

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pandas as pd

    from toolkit.interface.vocabulary import Vocabulary

__all__ = ["ExportStep", "PlanStep", "SegmentStep", "plan_code", "plan_table", "written_segment"]

_HINT: Final = "<span style='opacity:.75'>.csv, .xlsx or .json</span>"
_FIRST: Final = "Build a segment first."
_MOST_SITES: Final = 5
#: A link saves the file under its name whatever its type.
_MEDIA: Final = "application/octet-stream"


class SegmentStep(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """Controls in a row and what comes of them below, worked out beside the matching of sites.

    Parameters
    ----------
    controls : list of Widget
        The row.
    waiting, hint : str
        What is said while the work is done, and before anything is.
    """

    def __init__(self, controls: list[ipw.Widget], waiting: str, hint: str) -> None:
        self._waiting, self._hint = waiting, hint
        self._said = ipw.HTML(hint)
        self._said.add_class(SAID)
        self._text = ""
        self._beside = Beside(self._begin, lambda: None, self._fail)
        super().__init__([ipw.HBox(controls, layout=ROW), self._said])

    @property
    def tasks(self) -> set[Any]:
        """What is under way."""
        return self._beside.tasks

    def take(self, text: str) -> None:
        """Take the segment's text: what was said of another one is no longer so."""
        if text.strip() != self._text:
            self._text = text.strip()
            self._forget()

    def _forget(self) -> None:
        self._said.value = self._hint

    def _begin(self) -> None:
        self._said.value = self._waiting

    def _fail(self, text: str) -> None:
        self._said.value = notice(text)

    def _do(self, work: Callable[[str], Any], show: Callable[[Any], None]) -> None:
        """Do something with the segment of now; what comes of it is not shown of another one."""
        text = self._text
        if not text:
            self._fail(_FIRST)
        elif not self._beside.is_busy:
            self._beside.do(lambda: work(text), lambda found: show(found) if text == self._text else self._forget())


class ExportStep(SegmentStep):
    """A file name and a button that writes the segment's files.

    Parameters
    ----------
    frames : mapping of str to DataFrame
        The run's frames by name.
    vocabulary : Vocabulary
        Gives labels.
    plan : callable
        Gives the plan that is handed over too, or None.
    """

    def __init__(
        self, frames: Mapping[str, pd.DataFrame], vocabulary: Vocabulary, plan: Callable[[], SitePlan | None]
    ) -> None:
        self._frames, self._vocabulary, self._plan = frames, vocabulary, plan
        self._file = ipw.Text(value="segment.csv", description="File", layout={"width": "260px"})
        self._file.style.description_width = "36px"
        self._export = ipw.Button(description="Export", icon="download", layout={"width": "100px"})
        self._export.on_click(self._clicked)
        super().__init__([self._file, self._export], "Writing …", _HINT)

    def _clicked(self, _: ipw.Button) -> None:
        path, plan = self._file.value.strip(), self._plan()
        self._do(lambda text: written_segment(self._frames, text, self._vocabulary, path, plan), self._show)

    def _show(self, said: str) -> None:
        self._said.value = said


class PlanStep(SegmentStep):
    """A number and a button that chooses so many sites, which together have most of what the segment wants.

    Parameters
    ----------
    frames : mapping of str to DataFrame
        The run's frames by name.
    vocabulary : Vocabulary
        Says what wildcards stand for.
    changed : callable
        Called when there is another plan, or none any more.

    Attributes
    ----------
    plan : SitePlan or None
        The plan that is shown.
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


def written_segment(
    frames: Mapping[str, pd.DataFrame], text: str, vocabulary: Vocabulary, path: str, plan: SitePlan | None = None
) -> str:
    """Write a segment's files, and return as HTML where they are and links to them, or what went wrong."""
    try:
        files = export_segment(
            Segment.parse(text, vocabulary),
            frames.get("codes"),
            Path(path).expanduser(),
            vocabulary=vocabulary,
            categories=frames.get("categories"),
            plan=plan,
        )
        links = [saved_link(file.name, file.read_bytes(), _MEDIA) for file in files]
    except ToolkitError as error:
        return notice(str(error))
    folder = escaped(str(files[0].resolve().parent))
    many = "The file is" if len(files) == 1 else f"{len(files)} files are"
    return f"{many} in the folder <code>{folder}</code>. <b>Download</b>: {', '.join(links)}"


def plan_table(plan: SitePlan, matching: list[str]) -> str:
    """Return a plan as HTML.

    Parameters
    ----------
    plan : SitePlan
        The plan.
    matching : list of str
        Sites that match the whole segment.
    """
    matched, about = set(matching), plan.about
    lines = [
        f"<tr><td>{escape(printable(row['site']))}</td><td>{row['new']:,}</td>"
        f"<td>{escape(printable(row['adds']))}</td><td>{row['covered']:,} ({100 * row['share']:.0f} %)</td>"
        f"<td>{'✓&nbsp;matches' if row['site'] in matched else '–'}</td></tr>"
        for row in plan.sites.to_dict("records")
    ]
    missing = f"; no site has {len(plan.missing):,} of them" if plan.missing else ""
    heads = ("Site", "New", "Adds", "Covered so far", "Segment")
    table = listing(heads, lines, len(plan), columns=False, where=".plan.sites")
    return (
        f"<b>{counted(len(plan), 'site')} with {about['covered']:,} of {counted(about['wanted'], 'code')}</b> that the "
        f"segment wants{missing}. {escape(printable(plan.bound))}<br>A site is taken for the codes it adds; it need "
        f"not match the whole segment.{table}"
    )


def plan_code(frames: Mapping[str, pd.DataFrame], plan: SitePlan) -> str:
    """Return Python code that makes a plan of the segment ``segment``."""
    given = ["run.codes()" if "codes" in frames else "None", "segment", f"most={plan.about['most']}"]
    given.append("vocabulary=run.vocabulary")
    given += ["categories=run.categories()"] if "categories" in frames else []
    return f"plan = tk.plan_sites({', '.join(given)})\nplan.sites"
