"""The RunPanel widget: paste or upload a list, see the plan, run, stop, go on, take the results away."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Any, Final, Literal

import ipywidgets as ipw

from toolkit.client import Client
from toolkit.interface.errors import ToolkitError
from toolkit.interface.text import counted
from toolkit.interface.words.labels import QUESTIONS
from toolkit.kept import runs
from toolkit.runs.budget import budget_of
from toolkit.runs.keeping import checked_name
from toolkit.runs.questions import questions_of
from toolkit.saved import sample_run
from toolkit.store.answers import Store
from toolkit.widgets.beside import Beside, at_once, in_this_loop
from toolkit.widgets.html import escaped
from toolkit.widgets.lookup.view import notice
from toolkit.widgets.run.asked import Asked, budget_of_text, plan_html, short_path
from toolkit.widgets.run.focus import FocusKeeper
from toolkit.widgets.run.kept import KeptChooser
from toolkit.widgets.run.progress import progress_line
from toolkit.widgets.run.results import Ended, RunShown, ended
from toolkit.widgets.run.source import SourceChooser
from toolkit.widgets.static import ROW, StaticBox, StaticView

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import pandas as pd

    from toolkit.run import Run
    from toolkit.runs.inputs import Source
    from toolkit.runs.plan import Plan
    from toolkit.runs.progress import Progress

__all__ = ["RunPanel"]

_MOST_IN_FIELD: Final = 1_000
_STYLES: Final = {"running": "info", "finished": "success", "stopped": "warning"}


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
    store : Store, str, Path or False, optional
        The file that keeps the runs. By default the client's, else the project's, as of `Client.run`; with False
        nothing is kept longer than the panel.
    name : str, optional
        The name that the run is kept under; by default that of its file or first site with the date. A run of that
        name, or of the same list where none is given, is shown at once: nothing is asked or paid again.
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
    >>> again = RunPanel(targets=["ledgerline.example", "my shop", "nowhere.example"])
    >>> again.frames["failures"]["target"].tolist()
    ['my shop', 'nowhere.example']
    """

    def __init__(
        self,
        client: Client | None = None,
        targets: Source = "",
        ask: str | Sequence[str] = ("segment",),
        *,
        store: Store | str | Path | Literal[False] | None = None,
        name: str | None = None,
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
        self._options, self._concurrency = options, concurrency
        self._prices = budget_of(None, prices).prices
        self._store = store if store is not None else self.client.store
        self._opened: Store | None = None
        self._is_kept = self._store is not False
        #: The run that was opened by its name, what stood in the controls then, and the name that it stood under.
        self._reopened: tuple[Run, tuple[object, ...]] | None = None
        self._static = StaticView()
        self._stopping = Event()
        self._in_place: Callable[..., object] = at_once
        self._doing = ""
        self._is_complaint = False
        self._asked_for: Asked | None = None
        self._beside = Beside(self._begin, self._end, self._complain)
        self._build(ask, budget, "" if name is None else checked_name(name))
        # Last: it calls back when it takes the targets.
        sample = self.try_sample if self.client.is_embedded else None
        self._sources = SourceChooser(targets, column, self._changed, sample)
        kept = runs(self._store or None, client=self.client)
        self._chooser = KeptChooser(kept, self.open_run, self._renamed, self._deleted)
        place = f"kept in {escaped(short_path(kept.path))}" if self._is_kept else "not kept, as store=False says"
        self._setup = ipw.VBox(
            [
                *([self._chooser] if self._is_kept else []),
                self._sources,
                ipw.HBox(list(self._ask.values()), layout={"flex_flow": "row wrap", "grid_gap": "4px 20px"}),
                ipw.HBox(
                    [*([self._name] if self._is_kept else []), self._budget, self._plan_button, self._run_button],
                    layout=ROW,
                ),
                self._plan_shown,
                ipw.HTML(f"<span style='opacity:.75'>Runs are {place}.</span>"),
            ]
        )
        self._setup.add_class("toolkit-run-setup")
        super().__init__(
            [
                self._setup,
                self._progress,
                self._status,
                self._folded,
                self._shown,
                FocusKeeper(),
            ]
        )
        self._relabel()
        if self._is_kept and kept.path.exists():
            self._find_again(name)

    def _build(self, ask: Sequence[str], budget: int | None, name: str) -> None:
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
        self._name = ipw.Text(
            value=name,
            description="Name",
            placeholder="empty: the file or first site and the day",
            layout={"width": "320px", "max_width": "100%"},
            style={"description_width": "52px"},
        )
        self._plan_button = ipw.Button(description="Plan", icon="list", layout={"width": "90px"})
        self._run_button = ipw.Button(description="Run", button_style="primary", icon="play", layout={"width": "100px"})
        self._stop_button = ipw.Button(description="Stop", icon="stop", disabled=True, layout={"width": "90px"})
        self._plan_shown = ipw.HTML()
        self._bar = ipw.IntProgress(layout={"width": "320px", "max_width": "100%"})
        self._line = ipw.HTML()
        self._progress = ipw.HBox([self._bar, self._line, self._stop_button], layout={**ROW, "display": "none"})
        self._status = ipw.HTML()
        self._told = ipw.HTML(layout={"flex": "1 1 300px", "min_width": "0"})
        self._to_report = ipw.Button(
            description="Report",
            icon="arrow-down",
            tooltip="Go to the button that makes the report",
            button_style="primary",
        )
        self._to_report.layout.width = "110px"
        self._change = ipw.Button(description="Change", icon="pencil", tooltip="Show the list and the questions again")
        self._change.layout.width = "110px"
        self._folded = ipw.HBox([self._told, self._to_report, self._change], layout={**ROW, "display": "none"})
        self._to_report.on_click(lambda _: self._shown.go_to_report())
        self._change.on_click(lambda _: self._fold(folded=False))
        self._shown: RunShown = RunShown(self._beside, lambda: self._run_clicked(again=True))
        self._plan_button.on_click(self._plan_clicked)
        self._run_button.on_click(lambda _: self._run_clicked())
        self._stop_button.on_click(lambda _: self.stop())
        for box in self._ask.values():
            box.observe(self._changed, "value")
        self._budget.observe(self._changed, "value")
        self._name.observe(self._changed, "value")

    def __repr__(self) -> str:
        return f"<RunPanel: {'nothing planned yet' if self.run is None else self.run.progress}>"

    def static_view(self) -> str:
        """Return what is shown as HTML."""
        if not self._status.value:
            return ""
        # What is long past is no news for a screen reader.
        said = self._status.value.replace(" role='status'", "")
        return f"<div>{said}<p>{self._told.value}</p>{self._shown.static_view()}</div>"

    def _ipython_display_(self) -> None:
        from IPython.display import display  # noqa: PLC0415 - only in a notebook

        display(self._repr_mimebundle_(), raw=True)  # type: ignore[no-untyped-call]
        self._static.show("")

    # For scripts --------------------------------------------------------------------------------------------------

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """The frames by name, as `value`."""
        return self.value

    @property
    def ask(self) -> list[str]:
        """The questions that are ticked."""
        return [name for name, box in self._ask.items() if box.value]

    def open_run(self, name: str) -> None:
        """Show the run that is kept under a name; nothing is asked or paid. Where it stopped, `start` goes on."""
        if self._is_free():
            self._doing = "Opening …"
            self._beside.do(lambda: self._opened_kept(name), self._show_opened)

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

    def try_sample(self) -> None:
        """Ask all that makes a full report about the sample sites, which the embedded service answers for nothing."""
        if not self._is_free():
            return
        run = sample_run()
        for name, box in self._ask.items():
            box.value = name in run.asked
        self._sources.take(run.table.iloc[:, 0].tolist())
        self._run_clicked()

    def stop(self) -> None:
        """Send nothing more; what is under way is waited for and kept."""
        self._stopping.set()
        self._stop_button.disabled = True
        if self._beside.is_busy:
            self._say("Stopping: what is under way is waited for …")

    def close(self) -> None:
        """Close the widget and the file if it opened one; what is not to be kept is deleted, as are uploads."""
        super().close()
        if not hasattr(self, "_sources"):
            return  # also called of a panel that could not be built
        self._stopping.set()
        if self._beside.is_busy:
            return  # what is under way is still to be written
        if self._opened is not None:
            self._opened.close()
            self._opened = None
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
        try:
            if self._name.value.strip():
                checked_name(self._name.value.strip())
        except ToolkitError as error:
            complaint = complaint or str(error)
        if complaint:
            self._progress.layout.display = "none"
            self._complain(complaint)
            return None
        name = self._name.value.strip() or None
        return Asked(self._sources.source, self._sources.column, tuple(self.ask), budget, name, self._key())

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
        if self._reopened is not None and self._reopened[1] != self._key():
            # Another list, or other questions, are another run: it gets a name of its own.
            if self._name.value == self._reopened[0].name:
                self._name.value = ""
            self._reopened = None
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
        made_for = (asked.key, asked.budget, asked.name)
        run = self.run
        is_opened = self._reopened is not None and self._reopened[0] is run
        if run is not None and self._made_for == made_for and (is_opened or run.progress.state == "ready"):
            return run  # only planned, or opened; what stopped is taken up from the file, so that its plan says so
        run = self.client.run(
            asked.source,
            asked.ask,
            options={name: given for name, given in (self._options or {}).items() if name in asked.ask},
            column=asked.column,
            budget=asked.budget,
            prices=self._prices,
            concurrency=self._concurrency,
            store=self._kept(),
            name=asked.name,
        )
        run.plan()
        self._take(run, asked)
        return run

    def _take(self, run: Run, asked: Asked) -> None:
        run.watch(self._watched)
        self.run, self._made_for, self._asked_for = run, (asked.key, asked.budget, asked.name), asked

    def _kept(self) -> Store:
        if isinstance(self._store, Store):
            return self._store
        if self._opened is None:
            if self._store is None:
                self._opened = Store.of_project()
            else:
                self._opened = Store(self._store) if self._store is not False else Store.passing()
        return self._opened

    # Runs that are kept -------------------------------------------------------------------------------------------

    def _find_again(self, name: str | None) -> None:
        """Show the run of this name, or of this list where no name is given, as an earlier kernel left it."""
        if self._sources.is_empty:
            if name is not None and name in self._chooser.names:
                self.open_run(name)
        elif not self._sources.complaint and self.ask and (asked := self._asked()) is not None:
            self._beside.do(lambda: self._found_again(asked), self._show_opened)

    def _found_again(self, asked: Asked) -> tuple[Ended, Source] | str | None:
        try:
            run = self._run_for(asked)
            if run.name is None:
                return None  # of this list there is none yet
            return ended(run, self.client, source=asked.source, column=asked.column), asked.source
        except ToolkitError as error:
            return str(error)

    def _opened_kept(self, name: str) -> tuple[Ended, Source] | str:
        kept = runs(self._kept(), client=self.client)
        try:
            run, source = kept[name], kept.inputs(name)
            table = source.table()
            found = ended(run, self.client, source=() if table is None else table)
            # A short list stands in the field, where it can be changed.
            return found, list(source) if table is None and run.inputs <= _MOST_IN_FIELD else source
        except ToolkitError as error:
            return str(error)

    def _show_opened(self, found: tuple[Ended, Source] | str | None) -> None:
        """Show a run that is kept, with its list and questions in the controls."""
        if found is None:
            self._say("")
            self._relabel()
        elif isinstance(found, str):
            self._complain(found)
        else:
            shown, source = found
            run = shown.run
            self._reopened = None
            if run is not self.run:
                self._sources.take(source)
                for name, box in self._ask.items():
                    box.value = name in run.asked
                self._options = runs(self._kept()).about(run.name or "").asked["options"]
            self._name.value = run.name or ""
            if (asked := self._asked()) is not None:
                self._take(run, asked)
            self._reopened = (run, self._key())
            self.plan = run.plan()
            self._stopping.clear()
            self._show_ended(shown)

    def _renamed(self, old: str, new: str) -> None:
        if self._name.value == old:
            self._name.value = new
        if self.run is not None and self.run.name == old and self._asked_for is not None:
            self.open_run(new)

    def _deleted(self, name: str) -> None:
        """Show nothing any more of a run that is no more."""
        if self.run is not None and self.run.name == name:
            self.run = self.plan = self._made_for = self._reopened = self._shown_for = None
            self._shown.close_findings()
            self._shown.layout.display = self._progress.layout.display = "none"
            self._fold(folded=False)
            self._say("")
            self._plan_shown.value = ""
        if self._name.value == name:
            self._name.value = ""

    def _fold(self, *, folded: bool) -> None:
        """Put away what a run was made of, in one line, so that what it found has the screen."""
        self._setup.layout.display = "none" if folded else ""
        self._folded.layout.display = "" if folded else "none"

    def _tell_where(self, found: Ended) -> None:
        """Say in one line what was asked, and where it is kept."""
        asked = ", ".join(QUESTIONS[name] for name in found.run.asked)
        told = [escaped(asked)]
        if self._is_kept and found.run.name is not None:
            cost = counted(found.progress.credits_used, "credit")
            told.append(f"kept in <b>{escaped(found.run.name)}</b>, {counted(found.counts.answered, 'answer')}, {cost}")
            self._chooser.refresh(found.run.name)
        else:
            told.append("not kept: gone with this program")
        self._told.value = " · ".join(told)

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
        # The first of them takes the keyboard of a button that was put away.
        controls = (
            self._to_report,
            self._change,
            self._plan_button,
            self._run_button,
            self._budget,
            self._sources,
            self._shown,
            self._name,
        )
        for control in (*controls, *self._ask.values(), self._chooser):
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
        self._shown.show(found)
        self._shown_for = self._asked_for.key if self._asked_for else self._key()
        self._tell_where(found)
        # Where nothing was found, the list is what is to be looked at.
        self._fold(folded=found.progress.state == "finished" and found.counts.answered > 0)
        # Whoever is told of the end finds everything in its place.
        self._say(found.summary)
        self._relabel()
        self._static.renew(self.static_view())
