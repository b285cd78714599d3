"""A row of controls that does something with a segment that was built."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit.widgets.beside import Beside
from toolkit.widgets.keyboard import SAID
from toolkit.widgets.lookup.view import notice
from toolkit.widgets.static import ROW

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["SegmentStep"]

_FIRST: Final = "Build a segment first."
_WRONG: Final = "Correct the text of the segment first."


class SegmentStep(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """Controls in a row and what comes of them below, worked out beside the matching of sites.

    `waiting` is said while the work is done, `hint` before anything is.
    """

    def __init__(self, controls: list[ipw.Widget], waiting: str, hint: str) -> None:
        self._waiting, self._hint = waiting, hint
        self._buttons = [control for control in controls if isinstance(control, ipw.Button)]
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

    def refuse(self, *, is_wrong: bool) -> None:
        """Let nothing be done with a text that is written wrongly."""
        for button in self._buttons:
            button.disabled = is_wrong
            button.tooltip = _WRONG if is_wrong else ""

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
