"""The RunPanel widget: paste or upload a list, see the plan, run, stop, go on, take the results away."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit.client import Client
from toolkit.interface.errors import ToolkitError
from toolkit.interface.words.labels import QUESTIONS
from toolkit.runs.questions import questions_of
from toolkit.store.answers import Store
from toolkit.widgets.beside import Beside, at_once, in_this_loop
from toolkit.widgets.html import escaped
from toolkit.widgets.lookup.view import notice
from toolkit.widgets.run.focus import FocusKeeper
from toolkit.widgets.run.progress import progress_line
from toolkit.widgets.run.results import Ended, RunShown, ended
from toolkit.widgets.run.source import SourceChooser
from toolkit.widgets.static import ROW, StaticBox

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pandas as pd

    from toolkit.run import Run
    from toolkit.runs.inputs import Source
    from toolkit.runs.plan import Plan
    from toolkit.runs.progress import Progress

__all__ = ["RunPanel", "budget_of_text"]

_STYLES: Final = {"running": "info", "finished": "success", "stopped": "warning"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What stands in the controls: `key` tells it from another list or question, whatever the budget."""

    source: Source
    column: str | None
    ask: tuple[str, ...]
    budget: int | None
    key: tuple[object, ...]


class RunPanel(StaticBox):
    """Ask about many targets: plan, run, stop, go on, and take the results away.

    Parameters
    ----------
    client : Client, optional
        The client; by default one that reads the environment.
    targets : str, sequence of str, path, Series, DataFrame or stream
        Targets to begin with. A text is a list as it would be pasted; a file is named with a ``Path``.
    ask : str or sequence of str
        Questions to begin with, of ``segment``, ``categorize_content``, ``categorize`` and ``enrich``.
    store : Store, str or Path, optional
        The file that keeps the answers. By default the client's, else one that is deleted with the panel or at the end
        of the program; with a named one a later panel goes on and pays for nothing twice.
    column : str, optional
        The column of a table.
    budget : int, optional
        Credits to begin with; None for no ceiling.
    options, prices, concurrency
        See `Client.run`.

    Raises
    ------
    InputError
        If `ask` holds something else.

    Attributes
    ----------
    run : Run or None
        The run that was planned or begun last.
    plan : Plan or None
        Its plan.
    value : dict of str to DataFrame
        Its frames, failures in band, as far as it is; of more than 20,000 inputs, frames of the first 20,000.

    Examples
    --------
    >>> panel = RunPanel(targets=["ledgerline.example", "my shop", "nowhere.example"], budget=10)
    >>> panel.start()
    >>> panel.plan.to_send, panel.frames["failures"]["target"].tolist()
    (2, ['my shop', 'nowhere.example'])
    """

    def __init__(
        self,
        client: Client | None = None,
        targets: Source = "",
        ask: str | Sequence[str] = ("segment",),
        *,
        store: Store | str | Path | None = None,
        column: str | None = None,
        budget: int | None = None,
        options: Mapping[str, Mapping[str, Any]] | None = None,
        prices: Mapping[str, int] | None = None,
        concurrency: int = 50,
    ) -> None:
        ask = [question.endpoint for question in questions_of(ask)] if ask else []
        self.client = client or Client()
        self.run: Run | None = None
        self.plan: Plan | None = None
        self.value: dict[str, pd.DataFrame] = {}
        self._made_for: tuple[object, ...] | None = None
        self._shown_for: tuple[object, ...] | None = None
        self._options, self._prices, self._concurrency = options, prices, concurrency
        self._store = store if store is not None else self.client.store
        self._opened: Store | None = None
        self._folder: str | None = None
        self._stopping = Event()
        self._in_place: Callable[..., object] = at_once
        self._doing = ""
        self._is_complaint = False
        self._asked_for: Asked | None = None
        self._beside = Beside(self._begin, self._end, self._complain)
        self._build(ask, budget)
        # Last: it calls back when it takes the targets.
        self._sources = SourceChooser(targets, column, self._changed)
        kept = "are kept until the end of this program; <code>store='runs.db'</code> keeps them longer"
        if self._store is not None:
            path = self._store.path if isinstance(self._store, Store) else Path(self._store)
            kept = f"are kept in {escaped(path.name)}"
        super().__init__(
            [
                self._sources,
                ipw.HBox(list(self._ask.values()), layout={"flex_flow": "row wrap", "grid_gap": "4px 20px"}),
                ipw.HBox([self._budget, self._plan_button, self._run_button, self._stop_button], layout=ROW),
                self._plan_shown,
                self._progress,
                self._status,
                self._shown,
                ipw.HTML(f"<span style='opacity:.75'>Answers {kept}.</span>"),
                FocusKeeper(),
            ]
        )
        self._relabel()

    def _build(self, ask: Sequence[str], budget: int | None) -> None:
        self._ask = {
            name: ipw.Checkbox(value=name in ask, description=label, indent=False, layout={"width": "auto"})
            for name, label in QUESTIONS.items()
        }
        self._budget = ipw.Text(
            value="" if budget is None else str(budget),
            description="Budget",
            placeholder="credits; empty: no limit",
            layout={"width": "260px"},
            style={"description_width": "52px"},
        )
        self._plan_button = ipw.Button(description="Plan", icon="list", layout={"width": "90px"})
        self._run_button = ipw.Button(description="Run", button_style="primary", icon="play", layout={"width": "100px"})
        self._stop_button = ipw.Button(description="Stop", icon="stop", disabled=True, layout={"width": "90px"})
        self._plan_shown = ipw.HTML()
        self._bar = ipw.IntProgress(layout={"width": "320px", "max_width": "100%"})
        self._line = ipw.HTML()
        self._progress = ipw.HBox([self._bar, self._line], layout={**ROW, "display": "none"})
        self._status = ipw.HTML()
        self._shown = RunShown(self._beside, lambda: self._run_clicked(again=True))
        self._plan_button.on_click(self._plan_clicked)
        self._run_button.on_click(lambda _: self._run_clicked())
        self._stop_button.on_click(lambda _: self.stop())
        for box in self._ask.values():
            box.observe(self._changed, "value")
        self._budget.observe(self._changed, "value")

    def __repr__(self) -> str:
        return f"<RunPanel: {'nothing planned yet' if self.run is None else self.run.progress}>"

    def static_view(self) -> str:
        """Return what is shown as HTML."""
        if not self._status.value:
            return ""
        return f"<div>{self._status.value}{self._shown.static_view()}</div>"

    # For scripts --------------------------------------------------------------------------------------------------

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """The frames by name, as `value`."""
        return self.value

    @property
    def ask(self) -> list[str]:
        """The questions that are ticked."""
        return [name for name, box in self._ask.items() if box.value]

    def prepare(self) -> None:
        """Make the plan of what stands in the controls and show it. Nothing is sent."""
        if self._is_free() and (asked := self._asked()) is not None:
            self._show_plan(self._planned(asked))

    def start(self) -> None:
        """Run what stands in the controls, or go on with it, and show what came of it when it ended."""
        if self._is_free() and (asked := self._asked()) is not None:
            self._stopping.clear()
            self._in_place = at_once
            self._show_ended(self._carried_out(asked))

    def stop(self) -> None:
        """Send nothing more; what is under way is waited for and kept."""
        self._stopping.set()
        self._stop_button.disabled = True
        if self._beside.is_busy:
            self._say("Stopping: what is under way is waited for …")

    def close(self) -> None:
        """Close the widget and the file if it opened one; one that was not named is deleted, as are uploads."""
        super().close()
        if not hasattr(self, "_sources"):
            return  # also called of a panel that could not be built
        self._stopping.set()
        if self._beside.is_busy:
            return  # what is under way is still to be written
        if self._opened is not None:
            self._opened.close()
            self._opened = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._sources.delete_uploads()

    # What the controls say ----------------------------------------------------------------------------------------

    def _asked(self) -> Asked | None:
        """Return what stands in the controls; None, with a complaint shown, where it cannot be asked."""
        complaint = self._sources.complaint or ("" if self.ask else "Tick at least one question.")
        budget = None
        try:
            budget = budget_of_text(self._budget.value)
        except ValueError:
            complaint = complaint or "The budget must be a whole number of credits, or nothing for no limit."
        if complaint:
            self._progress.layout.display = "none"
            self._complain(complaint)
            return None
        return Asked(self._sources.source, self._sources.column, tuple(self.ask), budget, self._key())

    def _key(self) -> tuple[object, ...]:
        return (*self._sources.key, *self.ask)

    def _is_free(self) -> bool:
        if self._beside.is_busy:
            self._complain("A run is under way. Wait for its end, or press Stop first.")
        return not self._beside.is_busy

    def _changed(self, _: object = None) -> None:
        """Take back a complaint about what stood in the controls."""
        if self._is_complaint and not self._beside.is_busy:
            self._say("")
        self._relabel()

    def _relabel(self) -> None:
        """Call the button after what it does: run, or go on."""
        if self._beside.is_busy or not hasattr(self, "_sources"):
            return
        is_same = self.run is not None and self._made_for is not None and self._made_for[0] == self._key()
        goes_on = is_same and self.run is not None and self.run.progress.state == "stopped"
        self._run_button.description = "Resume" if goes_on else "Run"
        # Once there are results, the next thing to do is the report.
        self._run_button.button_style = "" if self._shown_for == self._key() else "primary"
        if not is_same:
            self._plan_shown.value = ""  # of another list

    # Planning and running, beside the kernel's loop -----------------------------------------------------------------

    def _run_for(self, asked: Asked) -> Run:
        made_for = (asked.key, asked.budget)
        if self.run is not None and self._made_for == made_for and self.run.progress.state == "ready":
            return self.run  # only planned; what stopped is taken up from the file, so that its plan says so
        run = self.client.run(
            asked.source,
            asked.ask,
            options={name: given for name, given in (self._options or {}).items() if name in asked.ask},
            column=asked.column,
            budget=asked.budget,
            prices=self._prices,
            concurrency=self._concurrency,
            store=self._kept(),
        )
        run.watch(self._watched)
        run.plan()
        self.run, self._made_for, self._asked_for = run, made_for, asked
        return run

    def _kept(self) -> Store:
        if isinstance(self._store, Store):
            return self._store
        if self._opened is None:
            path = self._store
            if path is None:
                self._folder = tempfile.mkdtemp(prefix="toolkit-run-")
                weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
                path = Path(self._folder) / "answers.db"
            self._opened = Store(path)
        return self._opened

    def _planned(self, asked: Asked) -> Plan | str:
        try:
            return self._run_for(asked).plan()
        except ToolkitError as error:
            return str(error)

    def _carried_out(self, asked: Asked, *, again: bool = False) -> Ended | str:
        try:
            run = self.run if again and self.run is not None else self._run_for(asked)
            if not again:
                self._in_place(self._show_begun, run.plan())
            begin = run.retry_failed if again else run.start
            begin(progress=False)
            # What failed may be sent again when another list stands in the controls.
            of = self._asked_for or asked
            self._in_place(self._say, "Looking for what stands out …")
            return ended(run, self.client, source=of.source, column=of.column)
        except ToolkitError as error:
            return str(error)

    def _watched(self, progress: Progress) -> None:
        """Take a moment of the run, in the thread that waits for it."""
        if self._stopping.is_set() and self.run is not None and progress.state == "running":
            self.run.stop()
        self._in_place(self._show_progress, progress)

    def _plan_clicked(self, _: ipw.Button) -> None:
        # A second click may be on its way before the browser knows that the button is disabled.
        if self._beside.is_busy or (asked := self._asked()) is None:
            return
        self._doing = "Reading the list …"
        self._beside.do(lambda: self._planned(asked), self._show_plan)

    def _run_clicked(self, *, again: bool = False) -> None:
        if self._beside.is_busy or (asked := self._asked()) is None:
            return
        self._stopping.clear()
        self._in_place = in_this_loop()
        self._doing = "Reading the list …"
        self._beside.do(lambda: self._carried_out(asked, again=again), self._show_ended)

    # Showing ------------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        self._set_disabled(disabled=True)
        if self._doing:
            self._say(self._doing)
            self._doing = ""

    def _end(self) -> None:
        self._set_disabled(disabled=False)
        self._stop_button.disabled = True
        self._relabel()

    def _set_disabled(self, *, disabled: bool) -> None:
        controls = (self._plan_button, self._run_button, self._budget, self._sources, self._shown)
        for control in (*controls, *self._ask.values()):
            control.disabled = disabled

    def _say(self, html: str) -> None:
        self._status.value, self._is_complaint = html, False

    def _complain(self, text: str) -> None:
        self._status.value, self._is_complaint = notice(text), True

    def _show_plan(self, found: Plan | str) -> None:
        if isinstance(found, str):
            self._complain(found)
            return
        self.plan = found
        self._plan_shown.value = plan_html(found)
        self._say("")
        self._put_away_others()
        self._relabel()

    def _show_begun(self, plan: Plan) -> None:
        self.plan = plan
        self._plan_shown.value = plan_html(plan, folded=True)
        self._shown.close_findings()
        self._put_away_others()

    def _put_away_others(self) -> None:
        """Hide what is shown of another list."""
        if self._shown_for != self._key():
            self._shown.layout.display = self._progress.layout.display = "none"

    def _show_progress(self, progress: Progress) -> None:
        self._bar.max = max(progress.total, 1)
        self._bar.value = progress.done
        self._bar.bar_style = _STYLES.get(progress.state, "")
        plan = self.plan
        known = () if plan is None else (plan.counts.sites, plan.budget)
        self._line.value = progress_line(progress, *known)
        # A full bar says nothing beside the summary, and takes the report its place.
        self._progress.layout.display = "none" if progress.state == "finished" else ""
        if progress.state == "running" and not self._stopping.is_set():
            self._stop_button.disabled = False
            self._say("")

    def _show_ended(self, found: Ended | str) -> None:
        if isinstance(found, str):
            self._complain(found)
            self._bar.bar_style = "danger"
            self._relabel()
            return
        self._show_progress(found.progress)
        self._line.value = ""  # the summary says it all
        self.value = found.frames
        self._say(found.summary)
        self._shown.show(found)
        self._shown_for = self._asked_for.key if self._asked_for else self._key()
        self._relabel()


def budget_of_text(text: str) -> int | None:
    """Return the credits that stand in a field, None for an empty one; a `ValueError` says that it is no whole number.

    Examples
    --------
    >>> budget_of_text("1,000"), budget_of_text("")
    (1000, None)
    """
    bare = text.strip().replace(",", "").replace("_", "").replace(" ", "")
    if not bare:
        return None
    if not (bare.isascii() and bare.isdecimal()):
        raise ValueError(text)
    return int(bare)


def plan_html(plan: Plan, *, folded: bool = False) -> str:
    """Return a plan as HTML, folded once it is carried out: then it tells what was to be done."""
    table = f"<div style='line-height:1.4'>{plan._repr_html_()}</div>"
    return (
        f"<details><summary style='cursor:pointer'>The plan before this run</summary>{table}</details>"
        if folded
        else table
    )
