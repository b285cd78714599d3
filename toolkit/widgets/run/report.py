"""Controls that write the report of a run: a deck, a page or a workbook, beside the notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit.interface.errors import ToolkitError
from toolkit.widgets.files import free_path, safe_name, saved_link
from toolkit.widgets.html import escaped
from toolkit.widgets.lookup.view import notice
from toolkit.widgets.run.groups import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.run import Run
    from toolkit.widgets.beside import Beside

__all__ = ["ReportMaker", "write_report_to"]

_KINDS: Final = {"PowerPoint deck": ".pptx", "Web page": ".html", "Excel workbook": ".xlsx"}
_OFFICE: Final = "application/vnd.openxmlformats-officedocument"
_MEDIA: Final = {
    ".pptx": f"{_OFFICE}.presentationml.presentation",
    ".html": "text/html;charset=utf-8",
    ".xlsx": f"{_OFFICE}.spreadsheetml.sheet",
}
_ROW: Final = {"flex_flow": "row wrap", "grid_gap": "4px 6px", "align_items": "center"}


def write_report_to(run: Run, suffix: str, title: str, groups: Any = None) -> str:
    """Write a report under a name made from its title, and return as HTML where it is or what went wrong."""
    name = safe_name(title, "report")
    path = free_path(name, suffix)
    try:
        written = run.report(path, title=title or None, groups=groups)
    except ToolkitError as error:
        return notice(str(error))
    kept = "" if path.stem == name else f" <code>{escaped(name + suffix)}</code>, made before, is still there."
    return (
        f"The report is in the folder <code>{escaped(str(written.resolve().parent))}</code>. "
        f"<b>Download</b>: {saved_link(written.name, written.read_bytes(), _MEDIA[written.suffix])}.{kept}"
    )


class ReportMaker(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """A title, a kind of file, groups to compare and a button."""

    def __init__(self, beside: Beside) -> None:
        self._beside = beside
        self._run: Run | None = None
        self._groupings: dict[str, Any] = {}
        self._title = ipw.Text(
            placeholder="empty: the number of sites",
            description="Title",
            layout={"width": "236px", "max_width": "100%"},
            style={"description_width": "30px"},
        )
        self._kind = ipw.Dropdown(
            options=list(_KINDS.items()),
            description="Report",
            layout={"width": "auto"},
            style={"description_width": "initial"},
        )
        self._by = ipw.Dropdown(
            options=[NOTHING],
            description="Compare by",
            layout={"width": "auto", "max_width": "100%"},
            style={"description_width": "initial"},
        )
        self._make = ipw.Button(
            description="Make report", icon="file", button_style="primary", layout={"width": "120px"}
        )
        self._said = ipw.HTML()
        self._make.on_click(self._clicked)
        super().__init__([ipw.HBox([self._title, self._kind, self._by, self._make], layout=_ROW), self._said])

    @property
    def disabled(self) -> bool:
        """Whether nothing can be done now."""
        return bool(self._make.disabled)

    @disabled.setter
    def disabled(self, disabled: bool) -> None:
        self._make.disabled = disabled

    @property
    def title(self) -> str:
        """The title that was typed."""
        return str(self._title.value).strip()

    @property
    def groups(self) -> Any:
        """The groups that are chosen, as a report takes them; None for nothing."""
        return self._groupings.get(self._by.value)

    def take(self, run: Run, groupings: Mapping[str, Any]) -> None:
        """Take the run that the next report is of, and the ways to group its sites."""
        self._run, self._groupings = run, dict(groupings)
        chosen = self._by.value
        self._by.options = [NOTHING, *groupings]
        self._by.value = chosen if chosen in groupings else NOTHING
        self._said.value = ""

    def _clicked(self, _: ipw.Button) -> None:
        run, title, suffix, groups = self._run, self.title, str(self._kind.value), self.groups
        if self._beside.is_busy or run is None:
            return
        self._show("Writing the report: charts take some seconds …")
        self._beside.do(lambda: write_report_to(run, suffix, title, groups), self._show)

    def _show(self, found: str) -> None:
        self._said.value = found
