"""Controls that write the report of a run: a deck, a page or a workbook, beside the notebook."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import ipywidgets as ipw

from toolkit.errors import ToolkitError
from toolkit.widgets.lookup_view import notice
from toolkit.widgets.run_view import escaped, saved_link

if TYPE_CHECKING:
    from toolkit.frame_methods import FrameMethods
    from toolkit.widgets.beside import Beside

__all__ = ["ReportMaker", "write_report_to"]

_KINDS: Final = {"PowerPoint deck": ".pptx", "Web page": ".html", "Excel workbook": ".xlsx"}
_OFFICE: Final = "application/vnd.openxmlformats-officedocument"
_MEDIA: Final = {
    ".pptx": f"{_OFFICE}.presentationml.presentation",
    ".html": "text/html;charset=utf-8",
    ".xlsx": f"{_OFFICE}.spreadsheetml.sheet",
}


def write_report_to(run: FrameMethods, path: str, title: str) -> str:
    """Write a report, and return as HTML where it is or what went wrong."""
    try:
        written = run.report(Path(path).expanduser(), title=title or None)
    except ToolkitError as error:
        return notice(str(error))
    return (
        f"The report is in the folder <code>{escaped(str(written.resolve().parent))}</code>. "
        f"<b>Download</b>: {saved_link(written.name, written.read_bytes(), _MEDIA[written.suffix])}"
    )


class ReportMaker(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """A title, a kind of file, a name and a button.

    Parameters
    ----------
    beside : Beside
        Does the writing.
    """

    def __init__(self, beside: Beside) -> None:
        self._beside = beside
        self._run: FrameMethods | None = None
        described = {"description_width": "52px"}
        self._title = ipw.Text(
            placeholder="empty: a title that counts the sites",
            description="Title",
            layout={"width": "420px", "max_width": "100%"},
            style=described,
        )
        self._kind = ipw.Dropdown(options=list(_KINDS.items()), description="Report", style=described)
        self._kind.layout.width = "230px"
        self._name = ipw.Text(value="report", layout={"width": "178px"}, placeholder="name of the file")
        self._make = ipw.Button(description="Make report", icon="file", layout={"width": "150px"})
        self._said = ipw.HTML()
        self._make.on_click(self._clicked)
        row = ipw.HBox([self._kind, self._name, self._make], layout={"flex_flow": "row wrap", "grid_gap": "4px 12px"})
        super().__init__([self._title, row, self._said])

    @property
    def disabled(self) -> bool:
        """Whether nothing can be done now."""
        return bool(self._make.disabled)

    @disabled.setter
    def disabled(self, disabled: bool) -> None:
        self._make.disabled = disabled

    @property
    def path(self) -> str:
        """The file that the button writes."""
        name, suffix = self._name.value.strip(), str(self._kind.value)
        return name if name.endswith(suffix) else f"{name}{suffix}"

    def take(self, run: FrameMethods) -> None:
        """Take the run that the next report is of."""
        self._run = run
        self._said.value = ""

    def _clicked(self, _: ipw.Button) -> None:
        run, title, path = self._run, self._title.value.strip(), self.path
        if self._beside.is_busy or run is None:
            return
        if not self._name.value.strip():
            self._show(notice("Name the file first, such as report."))
            return
        self._show("Writing the report: charts take some seconds …")
        self._beside.do(lambda: write_report_to(run, path, title), self._show)

    def _show(self, found: str) -> None:
        self._said.value = found
