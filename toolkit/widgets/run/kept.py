"""Chooses one of the runs that are kept: to open it, to give it another name, or to delete it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit.interface.errors import ToolkitError
from toolkit.interface.text import counted, printable
from toolkit.kept import size_in_words
from toolkit.widgets.html import escaped
from toolkit.widgets.keyboard import SAID
from toolkit.widgets.lookup.view import notice
from toolkit.widgets.static import ROW

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolkit.kept import KeptRuns
    from toolkit.runs.kept import KeptRun

__all__ = ["KeptChooser", "words_of_kept"]

_CHOOSE: Final = "Choose a kept run …"


def words_of_kept(run: KeptRun) -> str:
    """Return what a chooser says of a run: name, day, sites, answers, cost and size."""
    parts = [run.name, f"{run.begun:%d %b %Y}", counted(run.sites, "site"), str(run), size_in_words(run.size)]
    return " · ".join(map(printable, parts))


class KeptChooser(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """A list of the runs that are kept, with buttons. Nothing is seen of it where none is kept.

    `opened` is called with the name of the run that is to be shown, `renamed` with an old and a new name, `deleted`
    with the name of one that is no more.
    """

    def __init__(
        self,
        kept: KeptRuns,
        opened: Callable[[str], None],
        renamed: Callable[[str, str], None],
        deleted: Callable[[str], None],
    ) -> None:
        self._kept, self._opened, self._renamed, self._deleted = kept, opened, renamed, deleted
        self._choice = ipw.Dropdown(
            description="Kept runs",
            layout={"width": "auto", "flex": "1 1 320px", "min_width": "0", "max_width": "640px"},
            style={"description_width": "68px"},
        )
        self._open = _button("Open", "folder-open", "Show what it found; nothing is asked or paid")
        self._rename = _button("Rename", "pencil", "Give it another name")
        self._delete = _button("Delete", "trash", "Delete it with its answers; you are asked first")
        self._name = ipw.Text(description="New name", layout={"width": "320px", "max_width": "100%"})
        self._do_rename = _button("Rename it", "check", "")
        self._question = ipw.HTML()
        self._do_delete = _button("Delete it", "trash", "")
        self._do_delete.button_style = "danger"
        self._leave = _button("Leave it", "times", "")
        self._asking = ipw.HBox(
            [self._question, self._name, self._do_rename, self._do_delete, self._leave],
            layout={**ROW, "display": "none"},
        )
        self._said = ipw.HTML()
        self._said.add_class(SAID)
        self._choice.observe(self._chosen, "value")
        self._open.on_click(lambda _: self._name_of_choice and self._opened(self._name_of_choice))
        self._rename.on_click(lambda _: self._ask(is_rename=True))
        self._delete.on_click(lambda _: self._ask(is_rename=False))
        self._leave.on_click(lambda _: self._close())
        self._do_rename.on_click(lambda _: self._renaming())
        self._do_delete.on_click(lambda _: self._deleting())
        row = ipw.HBox([self._choice, self._open, self._rename, self._delete], layout=ROW)
        super().__init__([row, self._asking, self._said])
        self.refresh()

    @property
    def names(self) -> list[str]:
        """The names of the runs that are kept."""
        return [name for _, name in self._choice.options if name]

    @property
    def disabled(self) -> bool:
        """Whether nothing can be chosen now."""
        return bool(self._choice.disabled)

    @disabled.setter
    def disabled(self, disabled: bool) -> None:
        self._choice.disabled = disabled
        for button in (self._open, self._rename, self._delete):
            button.disabled = disabled or not self._name_of_choice

    def refresh(self, chosen: str | None = None) -> None:
        """Read the list again; `chosen` is the run to stand at."""
        self._said.value = ""
        try:
            runs = self._kept.entries()
        except ToolkitError as error:
            runs = []
            self._said.value = notice(str(error))
        names = [run.name for run in runs]
        chosen = chosen or self._name_of_choice
        self._choice.options = [(_CHOOSE, ""), *((words_of_kept(run), run.name) for run in runs)]
        self._choice.value = chosen if chosen in names else ""
        self.layout.display = "" if runs or self._said.value else "none"
        self._close()

    @property
    def _name_of_choice(self) -> str:
        return str(self._choice.value or "")

    def _chosen(self, _: Mapping[str, Any]) -> None:
        self._close()
        self.disabled = self.disabled  # the buttons are for a run that is chosen

    def _ask(self, *, is_rename: bool) -> None:
        name = self._name_of_choice
        if not name:
            return
        self._name.value = name if is_rename else ""
        self._question.value = (
            "" if is_rename else f"Delete <b>{escaped(name)}</b> with its answers? They cannot be had again."
        )
        for control in (self._name, self._do_rename):
            control.layout.display = "" if is_rename else "none"
        for control in (self._question, self._do_delete):
            control.layout.display = "none" if is_rename else ""
        self._said.value, self._asking.layout.display = "", ""

    def _close(self) -> None:
        self._asking.layout.display = "none"

    def _renaming(self) -> None:
        old, new = self._name_of_choice, self._name.value.strip()
        try:
            self._kept.rename(old, new)
        except ToolkitError as error:
            self._said.value = notice(str(error))
            return
        self.refresh(new)
        self._renamed(old, new)

    def _deleting(self) -> None:
        name = self._name_of_choice
        try:
            self._kept.delete(name)
        except ToolkitError as error:
            self._said.value = notice(str(error))
            return
        self.refresh()
        self._said.value = f"{escaped(name)} is deleted."
        self.layout.display = ""
        self._deleted(name)


def _button(words: str, icon: str, tooltip: str) -> ipw.Button:
    return ipw.Button(description=words, icon=icon, tooltip=tooltip, layout={"width": "100px"})
