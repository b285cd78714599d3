"""The Lookup widget: type targets, choose what to ask, see tables and a chart."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit import charts
from toolkit.charts.template import outputs_of
from toolkit.client import Client
from toolkit.frames.about import site_of
from toolkit.interface.errors import ToolkitError
from toolkit.interface.text import counted, printable, shortened
from toolkit.interface.words.labels import QUESTIONS, frame_label
from toolkit.runs.inputs import split_targets
from toolkit.runs.questions import questions_of
from toolkit.widgets.beside import Beside
from toolkit.widgets.copying import CopyButton
from toolkit.widgets.lookup.view import (
    code_for,
    complaint,
    error_lines,
    grid_of,
    notice,
    status_line,
)
from toolkit.widgets.lookup.why import Why
from toolkit.widgets.site.card import SiteCard
from toolkit.widgets.site.known import KnownSites
from toolkit.widgets.static import StaticBox

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from toolkit.answered import Answered
    from toolkit.interface.models import Outcome
    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.runs.counts import Counts

__all__ = ["Lookup", "result_frames"]

_LONGEST_IN_HISTORY: Final = 48
#: Requests of a lookup at a time: little is sent after a used-up quota.
_AT_ONCE: Final = 8


@dataclass(frozen=True, slots=True)
class Past:
    """One lookup of the history."""

    targets: tuple[str, ...]
    ask: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    counts: Counts
    frames: dict[str, pd.DataFrame]
    known: KnownSites
    at: datetime

    @property
    def label(self) -> str:
        """What the history shows."""
        more = f" and {len(self.targets) - 1} more" if len(self.targets) > 1 else ""
        return f"{self.at:%H:%M:%S}  {shortened(printable(self.targets[0]), _LONGEST_IN_HISTORY)}{more}"


class Lookup(StaticBox):
    """Look up domains and URLs.

    Parameters
    ----------
    client : Client, optional
        The client; by default one that reads the environment.
    targets : str or sequence of str
        Targets to begin with.
    ask : str or sequence of str
        Questions to begin with, of ``segment``, ``categorize_content``, ``categorize`` and ``enrich``.

    Raises
    ------
    InputError
        If `ask` holds something else.

    Attributes
    ----------
    value : list of Outcome
        Outcomes of the lookup that is shown.
    frames : dict of str to DataFrame
        Its frames by name.

    Examples
    --------
    >>> lookup = Lookup(targets="torque-journal.example", ask=["segment"])
    >>> lookup.run()
    >>> lookup.frames["audiences"]["audience_type"].tolist()
    ['b2c']
    """

    def __init__(
        self,
        client: Client | None = None,
        targets: str | Sequence[str] = "",
        ask: str | Sequence[str] = ("segment", "categorize_content"),
    ) -> None:
        ask = [question.endpoint for question in questions_of(ask)] if ask else []
        self.client = client or Client()
        self.value: list[Outcome] = []
        self.frames: dict[str, pd.DataFrame] = {}
        self._vocabulary: Vocabulary | None = None
        self._history: list[Past] = []
        self._past_shown: Past | None = None
        self._beside = Beside(self._begin, self._end, self._complain)
        self._targets = ipw.Textarea(
            value=targets if isinstance(targets, str) else "\n".join(targets),
            placeholder="Domains or URLs, one a line or separated by spaces: trailhead-outfitters.example/boots",
            layout={"width": "calc(100% - 4px)", "height": "84px"},
        )
        self._targets.add_class("toolkit-lookup-targets")
        self._ask = {
            name: ipw.Checkbox(value=name in ask, description=label, indent=False, layout={"width": "auto"})
            for name, label in QUESTIONS.items()
        }
        self._button = ipw.Button(description="Look up", button_style="primary", icon="search")
        self._button.on_click(self._clicked)
        self._past = ipw.Dropdown(
            options=[("No lookups yet", -1)], description="History", layout={"width": "600px", "max_width": "100%"}
        )
        self._past.observe(self._recalled, "value")
        self._status = ipw.HTML()
        self._errors = ipw.HTML()
        self._chart = ipw.Output()
        self._tables = ipw.Tab()
        self._code = ipw.Textarea(disabled=True, layout={"width": "100%", "height": "112px"})
        self._copy = CopyButton(description="Copy as code")
        self._why = Why(self.client)
        self._details = ipw.Accordion(
            [self._why, ipw.VBox([self._code, self._copy])], titles=("Why?", "As code"), selected_index=None
        )
        self._card = ipw.VBox()
        hint = ipw.HTML("A row opens the card of its site.")
        parts = [self._chart, self._tables, hint, self._card, self._details]
        self._results = ipw.VBox(parts, layout={"display": "none"})
        super().__init__(
            [
                self._targets,
                ipw.HBox(list(self._ask.values()), layout={"flex_flow": "row wrap", "grid_gap": "4px 20px"}),
                ipw.HBox([self._button, self._past], layout={"flex_flow": "row wrap", "grid_gap": "4px 12px"}),
                self._status,
                self._errors,
                self._results,
            ]
        )

    def __repr__(self) -> str:
        answers = sum(outcome.answer is not None for outcome in self.value)
        shown = f"{counted(answers, 'answer')} shown" if self.value else "nothing looked up yet"
        return f"<Lookup: {shown}>"

    def static_view(self) -> str:
        """Return what is shown as HTML."""
        if not self._status.value:
            return ""
        tables = [
            f"<h4>{frame_label(name)}</h4>{child.static_view()}"
            for name, child in zip(self.frames, self._tables.children, strict=True)
        ]
        return f"<div>{self._status.value}{self._errors.value}{''.join(tables)}</div>"

    @property
    def targets(self) -> list[str]:
        """The targets as they stand in the field."""
        return list(dict.fromkeys(split_targets(self._targets.value)))

    @targets.setter
    def targets(self, targets: str | Sequence[str]) -> None:
        self._targets.value = targets if isinstance(targets, str) else "\n".join(targets)

    @property
    def ask(self) -> list[str]:
        """The questions that are ticked."""
        return [name for name, box in self._ask.items() if box.value]

    def run(self) -> None:
        """Look up what stands in the field, and show it when it is there."""
        asked = self._asked()
        if asked is not None:
            self._keep(self._fetch(*asked))

    def _asked(self) -> tuple[list[str], list[str]] | None:
        """Return the targets and questions of the fields; None, with a complaint shown, where they cannot be asked."""
        targets, ask = self.targets, self.ask
        if said := complaint(targets, ask):
            self._status.value = notice(said)
            return None
        return targets, ask

    def _fetch(self, targets: list[str], ask: list[str]) -> Past | None:
        try:
            if self._vocabulary is None:
                self._vocabulary = self.client.filters()
            with self.client.ask(targets, ask, concurrency=_AT_ONCE, store=self.client.store or False) as run:
                outcomes, counts = run.outcomes(), run.counts()
                frames, known = result_frames(run), KnownSites(run)
        except ToolkitError as error:
            self._status.value = notice(str(error))
            return None
        return Past(tuple(targets), tuple(ask), tuple(outcomes), counts, frames, known, datetime.now().astimezone())

    def _clicked(self, _: ipw.Button) -> None:
        # A second click may be on its way before the browser knows that the button is disabled; it would pay twice.
        if self._beside.is_busy or (asked := self._asked()) is None:
            return
        self._beside.do(lambda: self._fetch(*asked), self._keep)

    def _begin(self) -> None:
        self._button.disabled = True
        self._status.value = f"Looking up {counted(len(self.targets), 'target')} …"

    def _end(self) -> None:
        self._button.disabled = False

    def _complain(self, text: str) -> None:
        self._status.value = notice(text)

    def _keep(self, past: Past | None) -> None:
        """Add a lookup to the history and show it."""
        if past is None:
            return
        self._show(past)
        self._history.append(past)
        options = [(entry.label, number) for number, entry in enumerate(self._history)]
        self._past.options = options[::-1]
        self._past.value = options[-1][1]

    def _recalled(self, change: Mapping[str, Any]) -> None:
        number = change["new"]
        if number is None or not 0 <= number < len(self._history):
            return
        past = self._history[number]
        if past is self._past_shown:
            return
        self._targets.value = "\n".join(past.targets)
        for name, box in self._ask.items():
            box.value = name in past.ask
        self._show(past)

    def _show(self, past: Past) -> None:
        if self._vocabulary is None:
            return
        self._past_shown = past
        self.value = list(past.outcomes)
        self.frames = past.frames
        self._status.value = status_line(past.counts, past.outcomes, f"{past.at:%Y-%m-%d %H:%M}")
        self._errors.value = "".join(notice(line) for line in error_lines(self.value))
        old = self._tables.children
        self._tables.children = [
            grid_of(name, frame, self._vocabulary, partial(self._open, frame)) for name, frame in self.frames.items()
        ]
        for grid in old:
            grid.close()
        self._close_card()
        self._tables.titles = [frame_label(name) for name in self.frames]
        self._tables.selected_index = 0 if self.frames else None
        self._why.ask_about(self.frames)
        self._code.value = self._copy.text = code_for(past.targets, past.ask)
        self._draw()
        self._results.layout.display = "" if self.frames else "none"

    def _open(self, frame: pd.DataFrame, position: int) -> None:
        """Show the card of the site of a row."""
        if self._past_shown is None:
            return
        site = str(site_of(frame).iloc[position])
        if self._card.children:
            self._card.children[0].show(site)
        else:
            self._card.children = [SiteCard(self._past_shown.known, site, client=self.client)]

    def _close_card(self) -> None:
        for card in self._card.children:
            card.close()
        self._card.children = []

    def _draw(self) -> None:
        figure = None
        if "categories" in self.frames:
            figure = charts.category_confidence(self.frames["categories"])
        elif "codes" in self.frames:
            figure = charts.code_confidence(self.frames["codes"])
        # Set as a trait: what a task displays into an Output is lost.
        self._chart.outputs = outputs_of(figure)


def result_frames(run: Answered) -> dict[str, pd.DataFrame]:
    """Return the frames of a run that have something to show, by name, failures left out."""
    built = {name: run.frame(name) for name in run.frames if name != "failures"}
    answered = {name: frame[frame["error"].isna()].reset_index(drop=True) for name, frame in built.items()}
    return {name: frame for name, frame in answered.items() if len(frame)}
