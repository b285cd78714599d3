"""What widgets over findings have in common: controls, a chart, a table, code to copy, the finding as a value."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit.charts.template import outputs_of
from toolkit.interface.errors import ToolkitError
from toolkit.widgets.beside import Beside
from toolkit.widgets.copying import CopyButton
from toolkit.widgets.keyboard import SAID
from toolkit.widgets.lookup.view import notice
from toolkit.widgets.static import StaticBox

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd
    import plotly.graph_objects as go

    from toolkit.widgets.findings.rows import Rows

__all__ = ["CODE_HEAD", "FindingBox", "Shown", "dropdown"]

#: Code that is shown begins so.
CODE_HEAD: Final = "import toolkit as tk\n\n# run = client.ask(…), tk.load_run(…) or tk.sample_run()\n"
#: Seconds after the last key in which nothing is typed any more.
_PAUSE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Shown:
    """A finding as it is shown."""

    #: The finding.
    value: pd.DataFrame
    #: Its chart.
    figure: go.Figure | None
    #: A line of HTML above, the rows or HTML below, and the Python code that does the same.
    status: str
    table: Rows | str
    code: str
    #: A picture as HTML, where there is no chart.
    picture: str = field(default="", kw_only=True)

    @property
    def html(self) -> str:
        """What stands below the line, for where no kernel runs."""
        return self.picture + (self.table if isinstance(self.table, str) else self.table.html())


class FindingBox(StaticBox):
    """Controls above, what they say below. What they say is worked out in a plain function, beside the kernel's loop.

    A subclass gives the controls to ``__init__`` and says in `_work` what to work out. `value` is the finding that is
    shown, for the next cell, and `figure` its chart.
    """

    def __init__(self, controls: Sequence[ipw.Widget], watched: Sequence[ipw.Widget]) -> None:
        self.value: pd.DataFrame | None = None
        self.figure: go.Figure | None = None
        self._beside = Beside(self._begin, self._end, self._complain)
        self._is_due = self._is_filled = False
        self._waiting: asyncio.TimerHandle | None = None
        self._status, self._table = ipw.HTML(), ipw.HTML()
        self._status.add_class(SAID)
        self._chart = ipw.Output()
        self._drawn, self._rows = ipw.HTML(), ipw.VBox()
        self._static = ""
        self._code = ipw.Textarea(disabled=True, layout={"width": "100%", "height": "150px"})
        self._copy = CopyButton(description="Copy as code")
        more = ipw.Accordion([ipw.VBox([self._code, self._copy])], titles=("As code",), selected_index=None)
        super().__init__([*controls, self._status, self._drawn, self._chart, self._rows, self._table, more])
        for control in watched:
            control.observe(self._changed, "value")
        # At once, and not beside: the next cell may ask for the value.
        self._show(self._tried())

    @abstractmethod
    def _work(self) -> Shown:
        """Work out what the controls ask for. It touches no widget but to read its value."""

    def static_view(self) -> str:
        """Return the finding as HTML."""
        return f"<div>{self._status.value}{self._static}</div>" if self._status.value else ""

    @property
    def code(self) -> str:
        """Python code that does what is shown."""
        return str(self._code.value)

    @contextmanager
    def _filling(self) -> Iterator[None]:
        """Fill lists to choose from without working anything out."""
        self._is_filled = True
        try:
            yield
        finally:
            self._is_filled = False

    def _changed(self, _: object) -> None:
        if self._is_filled:
            return
        if self._beside.is_busy:
            self._is_due = True  # what is under way is of controls that have changed since
        else:
            self._beside.do(self._tried, self._show)

    def _typed(self, change: object) -> None:
        """Work it out as soon as nobody types any more; at once where no loop runs."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._changed(change)
            return
        self._waiting = loop.call_later(_PAUSE, self._changed, change)

    def _tried(self) -> Shown | str:
        try:
            return self._work()
        except ToolkitError as error:
            return str(error)

    def _begin(self) -> None:
        self._status.value = "Working it out …"

    def _end(self) -> None:
        if self._is_due:
            self._is_due = False
            self._changed(None)

    def _complain(self, text: str) -> None:
        self._status.value = notice(text)

    def _show(self, found: Shown | str) -> None:
        if isinstance(found, str):
            self.value = self.figure = None
            self._status.value, self._chart.outputs = notice(found), ()
            self._static = self._drawn.value = ""
            self._show_rows("")
            self._code.value = self._copy.text = ""
            return
        self.value, self.figure = found.value, found.figure
        self._status.value, self._drawn.value, self._static = found.status, found.picture, found.html
        self._show_rows(found.table)
        self._code.value = self._copy.text = found.code
        self._chart.outputs = outputs_of(found.figure)

    def _show_rows(self, table: Rows | str) -> None:
        old: tuple[ipw.Widget, ...] = self._rows.children
        self._table.value = table if isinstance(table, str) else ""
        self._rows.children = () if isinstance(table, str) else (table.grid(),)
        for widget in old:
            widget.close()


def dropdown(description: str, options: Sequence[Any]) -> ipw.Dropdown:
    """Return a list to choose from that is as wide as its longest entry."""
    return ipw.Dropdown(
        options=options,
        description=description,
        layout={"width": "auto", "max_width": "100%"},
        style={"description_width": "initial"},
    )
