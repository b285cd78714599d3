"""What is taken away of a run: its tables as files, and the run itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit.interface.errors import ToolkitError
from toolkit.interface.text import counted
from toolkit.widgets.files import free_path, safe_name, saved_link
from toolkit.widgets.html import escaped
from toolkit.widgets.keyboard import SAID
from toolkit.widgets.lookup.view import notice
from toolkit.widgets.static import ROW

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolkit.run import Run
    from toolkit.widgets.beside import Beside

__all__ = ["TakeAway", "save_run_to", "write_parquet"]

_DESCRIBED: Final = {"description_width": "52px"}
#: The whole of a link is sent to the browser, and saved with the notebook.
_LARGEST_LINK: Final = 5_000_000


def write_parquet(run: Run, folder: str) -> str:
    """Write all frames of a run to a folder, and return as HTML what was written or what went wrong."""
    try:
        files = run.to_parquet(Path(folder).expanduser())
    except ToolkitError as error:
        return notice(str(error))
    return f"{counted(len(files), 'file')} written to <code>{escaped(str(Path(folder).expanduser().resolve()))}</code>"


def save_run_to(run: Run, title: str) -> str:
    """Save a run under a name made from a title, and return as HTML where it is or what went wrong."""
    name = safe_name(title, "run")
    path = free_path(name, ".run.gz")
    try:
        written = run.save(path)
    except ToolkitError as error:
        return notice(str(error))
    again = f'tk.load_run("{written.name}")'
    return (
        f"The run is in the folder <code>{escaped(str(written.resolve().parent))}</code>. "
        f"<code>{escaped(again)}</code> opens it again, without asking or paying. {_link_to(written.name, written)}"
    )


def _link_to(name: str, path: Any) -> str:
    if path.stat().st_size > _LARGEST_LINK:
        return f"<code>{escaped(name)}</code> is too large for a link: take it from the file browser."
    return f"<b>Download</b>: {saved_link(name, path.read_bytes(), 'application/gzip')}"


class TakeAway(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """Links that save the tables, and buttons that write them to a folder and save the run; `title` names its file."""

    def __init__(self, beside: Beside, title: Callable[[], str]) -> None:
        self._beside, self._title = beside, title
        self._run: Run | None = None
        self.links = ipw.HTML()
        self._folder = ipw.Text(value="run-parquet", description="Folder", layout={"width": "320px"}, style=_DESCRIBED)
        self._write = ipw.Button(description="Write Parquet", icon="download", layout={"width": "150px"})
        self._save = ipw.Button(description="Save run", icon="save", layout={"width": "120px"})
        self._said = ipw.HTML()
        self._said.add_class(SAID)
        self._write.on_click(self._write_clicked)
        self._save.on_click(self._save_clicked)
        row = ipw.HBox([self._folder, self._write, self._save], layout=ROW)
        super().__init__([self.links, row, self._said])

    @property
    def disabled(self) -> bool:
        """Whether nothing can be done now."""
        return bool(self._write.disabled)

    @disabled.setter
    def disabled(self, disabled: bool) -> None:
        self._write.disabled = self._save.disabled = self._folder.disabled = disabled

    def take(self, run: Run, links: str) -> None:
        """Take the run that is written, and the links to its tables."""
        self._run, self.links.value, self._said.value = run, links, ""

    def _write_clicked(self, _: ipw.Button) -> None:
        run, folder = self._run, self._folder.value.strip()
        if self._beside.is_busy or run is None:
            return
        if not folder:
            self._show(notice("Name a folder first, such as run-parquet."))
            return
        self._show("Writing …")
        self._beside.do(lambda: write_parquet(run, folder), self._show)

    def _save_clicked(self, _: ipw.Button) -> None:
        run, title = self._run, self._title()
        if self._beside.is_busy or run is None:
            return
        self._show("Saving …")
        self._beside.do(lambda: save_run_to(run, title), self._show)

    def _show(self, found: str) -> None:
        self._said.value = found
