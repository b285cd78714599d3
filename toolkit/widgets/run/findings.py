"""What the RunPanel offers of a run beside its report: compare, coverage, segment, and the run as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw
import pandas as pd

from toolkit.interface.errors import ToolkitError
from toolkit.widgets.files import free_path, safe_name, saved_link
from toolkit.widgets.given import run_frames
from toolkit.widgets.html import escaped
from toolkit.widgets.lookup.view import notice
from toolkit.widgets.static import ROW

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.run import Run
    from toolkit.widgets.beside import Beside

    Material = tuple[dict[str, pd.DataFrame], Vocabulary]

__all__ = ["RunFindings", "material_of", "save_run_to"]

#: What each button opens, with its icon.
_ICONS: Final = {"Compare": "balance-scale", "Coverage": "sitemap", "Segment": "filter"}
#: The whole of a link is sent to the browser, and saved with the notebook.
_LARGEST_LINK: Final = 5_000_000


def material_of(run: Run) -> Material | str:
    """Return the frames and the vocabulary that findings are made of, or what went wrong."""
    # Statistics and charts take seconds to load: here, where nobody waits for the kernel.
    _widgets()
    try:
        return run_frames(run), run.vocabulary
    except ToolkitError as error:
        return str(error)


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


class RunFindings(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """Buttons that open a widget over the run, one at a time, and one that saves the run.

    `title` and `groups` give what the user typed and chose.
    """

    def __init__(self, beside: Beside, title: Callable[[], str], groups: Callable[[], Any]) -> None:
        self._beside, self._title, self._groups = beside, title, groups
        self._run: Run | None = None
        self._material: Material | None = None
        self._made: dict[str, tuple[object, ipw.Widget]] = {}
        self._is_setting = False
        self._buttons = {
            name: ipw.ToggleButton(description=name, icon=_ICONS[name], layout={"width": "120px"}) for name in _ICONS
        }
        for name, button in self._buttons.items():
            button.observe(lambda change, name=name: self._toggled(name, is_on=change["new"]), "value")
        self._save = ipw.Button(description="Save run", icon="save", layout={"width": "120px"})
        self._save.on_click(self._save_clicked)
        self._said = ipw.HTML()
        self._place = ipw.VBox()
        row = ipw.HBox([ipw.HTML("Look closer:"), *self._buttons.values(), self._save], layout=ROW)
        super().__init__([row, self._said, self._place])

    @property
    def disabled(self) -> bool:
        """Whether nothing can be done now."""
        return bool(self._save.disabled)

    @disabled.setter
    def disabled(self, disabled: bool) -> None:
        for button in (*self._buttons.values(), self._save):
            button.disabled = disabled

    @property
    def opened(self) -> ipw.Widget | None:
        """The widget that is open; None where none is."""
        return next(iter(self._place.children), None)

    def take(self, run: Run | None) -> None:
        """Take the run of what is opened next, and close what is open of an earlier one."""
        self._run, self._material = run, None
        self._press(None)
        self._place.children, self._said.value = (), ""
        made, self._made = self._made, {}
        for _, widget in made.values():
            _close(widget)

    def _press(self, name: str | None) -> None:
        """Show which of the buttons is pressed."""
        self._is_setting = True
        try:
            for other, button in self._buttons.items():
                button.value = other == name
        finally:
            self._is_setting = False

    def _toggled(self, name: str, *, is_on: bool) -> None:
        if self._is_setting:
            return
        self._place.children, self._said.value = (), ""
        run = self._run
        # A second click may be on its way before the browser knows that the button is disabled.
        if not is_on or run is None or self._beside.is_busy:
            self._press(None)
            return
        self._press(name)
        if self._material is not None:
            self._open(name, self._material)
            return
        self._said.value = "Opening …"
        self._beside.do(lambda: material_of(run), lambda found: self._open(name, found))

    def _open(self, name: str, found: Material | str) -> None:
        if isinstance(found, str):
            self._refuse(found)
            return
        self._material = found
        groups = self._groups() if name == "Compare" else None
        groups = groups if isinstance(groups, pd.Series) else None
        made_for, widget = self._made.get(name, (None, None))
        if widget is None or made_for is not groups:
            try:
                widget = _widget(name, *found, groups)
            except ToolkitError as error:
                self._refuse(str(error))
                return
            self._made[name] = (groups, widget)
        self._said.value = ""
        self._place.children = (widget,)

    def _refuse(self, words: str) -> None:
        self._press(None)
        self._said.value = notice(words)

    def _save_clicked(self, _: ipw.Button) -> None:
        run, title = self._run, self._title()
        if self._beside.is_busy or run is None:
            return
        self._said.value = "Saving …"
        self._beside.do(lambda: save_run_to(run, title), self._show_saved)

    def _show_saved(self, found: str) -> None:
        self._said.value = found


def _widgets() -> dict[str, Callable[..., ipw.Widget]]:
    """Return the widgets over a run by the names of their buttons; the first time this takes seconds."""
    from toolkit.widgets.findings.compare import Compare  # noqa: PLC0415 - statistics and all charts
    from toolkit.widgets.findings.coverage import CoverageExplorer  # noqa: PLC0415 - as above
    from toolkit.widgets.segments.builder import SegmentBuilder  # noqa: PLC0415 - as above

    return {"Compare": Compare, "Coverage": CoverageExplorer, "Segment": SegmentBuilder}


def _widget(name: str, frames: Mapping[str, pd.DataFrame], vocabulary: Vocabulary, groups: Any) -> ipw.Widget:
    make = _widgets()[name]
    return make(frames, groups) if name == "Compare" else make(frames, vocabulary=vocabulary)


def _close(widget: ipw.Widget) -> None:
    """Close a widget and what is in it."""
    for child in getattr(widget, "children", ()):
        _close(child)
    widget.close()
