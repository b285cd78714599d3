"""The Lookup widget: type targets, choose what to ask, see tables and a chart."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw

from toolkit import charts, frames
from toolkit.client import Client
from toolkit.display import printable
from toolkit.errors import ServiceError, ToolkitError
from toolkit.lookup import look_up, split_targets
from toolkit.widgets.copying import CopyButton

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from toolkit.outcomes import Outcome
    from toolkit.vocabulary import Vocabulary

__all__ = ["Lookup", "code_for", "error_lines", "result_frames"]

_WORDS: Final = {
    "segment": "Audience",
    "categorize_content": "Categories of the page",
    "categorize": "Categories of the domain",
    "enrich": "Company",
}
_FRAMES: Final = {
    "audiences": "Audience",
    "codes": "Codes",
    "categories": "Categories",
    "companies": "Company",
    "technologies": "Technologies",
}
#: Columns that a person reads; the frames have more.
_SHOWN: Final = {
    "audiences": ["target", "audience_type", "gender_skew", "income_level", "education_level", "urbanicity",
                  "content_type", "reading_level", "price_signals", "demographics_confidence"],
    "codes": ["target", "dimension", "code", "label", "confidence"],
    "categories": ["target", "taxonomy", "level_1", "level_2", "level_3", "confidence"],
    "companies": ["target", "name", "founded_year", "city", "country", "employee_range", "industry"],
    "technologies": ["target", "technology", "category"],
}  # fmt: skip
_MOST_SHOWN_ROWS: Final = 200
_MOST_TARGETS: Final = 50


@dataclass(frozen=True, slots=True)
class Past:
    """One lookup of the history."""

    targets: tuple[str, ...]
    ask: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    at: datetime

    @property
    def label(self) -> str:
        """What the history shows."""
        more = f" and {len(self.targets) - 1} more" if len(self.targets) > 1 else ""
        return f"{self.at:%H:%M:%S}  {printable(self.targets[0])}{more}"


class Lookup(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """Look up domains and URLs.

    Parameters
    ----------
    client : Client, optional
        The client; by default one that reads the environment.
    targets : str or sequence of str
        Targets to begin with.
    ask : sequence of str
        Questions to begin with, of ``segment``, ``categorize_content``, ``categorize`` and ``enrich``.

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
        ask: Sequence[str] = ("segment", "categorize_content"),
    ) -> None:
        self.client = client or Client()
        self.value: list[Outcome] = []
        self.frames: dict[str, pd.DataFrame] = {}
        self._vocabulary: Vocabulary | None = None
        self._history: list[Past] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._targets = ipw.Textarea(
            value=targets if isinstance(targets, str) else "\n".join(targets),
            placeholder="Domains or URLs, one a line or separated by spaces: trailhead-outfitters.example/boots",
            layout={"width": "calc(100% - 4px)", "height": "84px"},
        )
        self._targets.add_class("toolkit-lookup-targets")
        self._ask = {
            name: ipw.Checkbox(value=name in ask, description=_WORDS[name], indent=False, layout={"width": "auto"})
            for name in _WORDS
        }
        self._button = ipw.Button(description="Look up", button_style="primary", icon="search")
        self._button.on_click(self._clicked)
        self._past = ipw.Dropdown(options=[("No lookups yet", -1)], description="History", layout={"width": "430px"})
        self._past.observe(self._recalled, "value")
        self._status = ipw.HTML()
        self._errors = ipw.HTML()
        self._chart = ipw.Output()
        self._tables = ipw.Tab()
        self._code = ipw.Textarea(disabled=True, layout={"width": "100%", "height": "112px"})
        self._copy = CopyButton(description="Copy as code")
        self._details = ipw.Accordion([ipw.VBox([self._code, self._copy])], titles=("As code",), selected_index=None)
        self._results = ipw.VBox([self._chart, self._tables, self._details], layout={"display": "none"})
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
        shown = f"{len(self.value)} answers shown" if self.value else "nothing looked up yet"
        return f"<Lookup: {shown}>"

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        bundle = super()._repr_mimebundle_(**options)
        data: dict[str, Any] = bundle[0] if isinstance(bundle, tuple) else bundle
        # What is seen where no kernel runs: on a code-hosting site, or in a notebook that is only read.
        return {**data, "text/html": self._static_view()}

    def _static_view(self) -> str:
        if not self.frames:
            return "<em>Run this cell to use the Lookup widget.</em>"
        tables = "".join(f"<h4>{_FRAMES[name]}</h4>{_table(name, frame)}" for name, frame in self.frames.items())
        return f"<div>{self._status.value}{self._errors.value}{tables}</div>"

    @property
    def targets(self) -> list[str]:
        """The targets as they stand in the field."""
        return split_targets(self._targets.value)

    @targets.setter
    def targets(self, targets: str | Sequence[str]) -> None:
        self._targets.value = targets if isinstance(targets, str) else "\n".join(targets)

    @property
    def ask(self) -> list[str]:
        """The questions that are ticked."""
        return [name for name, box in self._ask.items() if box.value]

    def run(self) -> None:
        """Look up what stands in the field, and show it when it is there."""
        if (past := self._asked()) is not None:
            self._show_safely(past)

    def _asked(self) -> Past | None:
        """Check what stands in the field and ask it; None where there is nothing to ask."""
        targets, ask = self.targets, self.ask
        if complaint := _complaint(targets, ask):
            self._status.value = _notice(complaint)
            return None
        return self._fetch(targets, ask)

    def _fetch(self, targets: list[str], ask: list[str]) -> Past | None:
        try:
            if self._vocabulary is None:
                self._vocabulary = self.client.filters()
            outcomes = look_up(self.client, targets, ask)
        except ToolkitError as error:
            self._status.value = _notice(str(error))
            return None
        return Past(tuple(targets), tuple(ask), tuple(outcomes), datetime.now().astimezone())

    def _clicked(self, _: ipw.Button) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.run()
            return
        # In a kernel: the answers are awaited beside the kernel's loop, so that other cells can run.
        task = loop.create_task(self._run_beside())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run_beside(self) -> None:
        targets, ask = self.targets, self.ask
        if complaint := _complaint(targets, ask):
            self._status.value = _notice(complaint)
            return
        self._button.disabled = True
        self._status.value = f"Looking up {_counted(len(targets), 'target')} …"
        try:
            past = await asyncio.to_thread(self._fetch, targets, ask)
            if past is not None:
                self._show_safely(past)
        except Exception as error:  # noqa: BLE001 - a task's error is shown nowhere else
            self._status.value = _notice(f"{type(error).__name__}: {error}")
        finally:
            self._button.disabled = False

    def _show_safely(self, past: Past) -> None:
        self._history.append(past)
        options = [(entry.label, number) for number, entry in enumerate(self._history)]
        self._past.options = options[::-1]
        self._past.value = options[-1][1]
        self._show(past)

    def _recalled(self, change: Mapping[str, Any]) -> None:
        number = change["new"]
        if (
            number is not None
            and 0 <= number < len(self._history)
            and self._history[number].outcomes != tuple(self.value)
        ):
            past = self._history[number]
            self._targets.value = "\n".join(past.targets)
            for name, box in self._ask.items():
                box.value = name in past.ask
            self._show(past)

    def _show(self, past: Past) -> None:
        if self._vocabulary is None:
            return
        self.value = list(past.outcomes)
        self.frames = result_frames(self.value, self._vocabulary)
        failed = sum(1 for outcome in self.value if outcome.error)
        used = sum(outcome.answer.provenance.credits_used or 0 for outcome in self.value if outcome.answer)
        self._status.value = (
            f"<b>{_counted(len(past.targets), 'target')}</b>, {_counted(len(self.value), 'answer')}"
            f"{f', <b>{failed} failed</b>' if failed else ''} · credits used: {used} · {past.at:%Y-%m-%d %H:%M}"
        )
        self._errors.value = "".join(_notice(line) for line in error_lines(self.value))
        self._tables.children = [ipw.HTML(_table(name, frame)) for name, frame in self.frames.items()]
        self._tables.titles = [_FRAMES[name] for name in self.frames]
        self._tables.selected_index = 0 if self.frames else None
        self._code.value = self._copy.text = code_for(past.targets, past.ask)
        self._draw()
        self._results.layout.display = "" if self.frames else "none"

    def _draw(self) -> None:
        figure = None
        if "categories" in self.frames:
            figure = charts.category_confidence(self.frames["categories"])
        elif "codes" in self.frames:
            figure = charts.code_confidence(self.frames["codes"])
        # Set as a trait: what a task displays into an Output is lost.
        shown = (
            {"output_type": "display_data", "data": charts.display_bundle(figure), "metadata": {}} if figure else None
        )
        self._chart.outputs = (shown,) if shown else ()


def result_frames(outcomes: Sequence[Outcome], vocabulary: Vocabulary) -> dict[str, pd.DataFrame]:
    """Return the frames of a lookup that have something to show, by name, failures left out.

    Parameters
    ----------
    outcomes : sequence of Outcome
        What came of the lookup.
    vocabulary : Vocabulary
        Gives bands their order and codes their labels.

    Returns
    -------
    dict of str to DataFrame
        Of ``audiences``, ``codes``, ``categories``, ``companies`` and ``technologies``.
    """
    built = {
        "audiences": frames.audiences(outcomes, vocabulary),
        "codes": frames.codes(outcomes, vocabulary),
        "categories": frames.categories(outcomes),
        "companies": frames.companies(outcomes),
        "technologies": frames.technologies(outcomes),
    }
    answered = {name: frame[frame["error"].isna()].reset_index(drop=True) for name, frame in built.items()}
    return {name: frame for name, frame in answered.items() if len(frame)}


def error_lines(outcomes: Sequence[Outcome]) -> list[str]:
    """Return one plain sentence for each target that failed; the same failure of several questions stands once."""
    said: dict[tuple[str, str], list[str]] = {}
    for outcome in outcomes:
        if outcome.error is not None:
            said.setdefault((outcome.target, _plain_words(outcome.error)), []).append(_WORDS[outcome.endpoint].lower())
    return [f"{target}: {words} ({', '.join(questions)})" for (target, words), questions in said.items()]


def _plain_words(error: ToolkitError) -> str:
    """Leave out of an error's message what stands beside it anyway: the question, the target, the request."""
    if not isinstance(error, ServiceError):
        return str(error)
    return f"{error.detail.rstrip('.') or type(error).__name__}. {error.advice} Code {error.status}."


def code_for(targets: Sequence[str], ask: Sequence[str]) -> str:
    """Return Python code that does the same lookup."""
    lines = [
        "import toolkit as tk",
        "from toolkit.lookup import look_up",
        "",
        "client = tk.Client()",
        f"outcomes = look_up(client, {list(targets)!r}, ask={list(ask)!r})",
    ]
    if "segment" in ask:
        lines += [
            "audiences = tk.frames.audiences(outcomes, client.filters())",
            "codes = tk.frames.codes(outcomes, client.filters())",
        ]
    if {"categorize", "categorize_content", "enrich"} & set(ask):
        lines.append("categories = tk.frames.categories(outcomes)")
    if "enrich" in ask:
        lines += ["companies = tk.frames.companies(outcomes)", "technologies = tk.frames.technologies(outcomes)"]
    return "\n".join(lines)


def _complaint(targets: Sequence[str], ask: Sequence[str]) -> str:
    if not targets:
        return "Type a domain or URL first, such as trailhead-outfitters.example."
    if not ask:
        return "Tick at least one question."
    if len(targets) > _MOST_TARGETS:
        return f"{len(targets)} targets are more than the {_MOST_TARGETS} that this widget takes. Shorten the list."
    return ""


def _table(name: str, frame: pd.DataFrame) -> str:
    shown = frame[[column for column in _SHOWN[name] if column in frame]].head(_MOST_SHOWN_ROWS)
    shown = shown.rename(columns=lambda column: column.removeprefix("demographics_").replace("_", " "))
    html = shown.to_html(
        index=False, escape=True, border=0, na_rep="", float_format="{:.2f}".format, classes="toolkit-table"
    )
    more = (
        f"<p>{len(frame) - len(shown)} further rows are in <code>.frames[{name!r}]</code>.</p>"
        if len(frame) > len(shown)
        else ""
    )
    counts = Counter(frame["target"]).total()
    caption = f"{_counted(counts, 'row')}; all columns in <code>.frames[{name!r}]</code>"
    return f"{_STYLE}<div style='overflow-x:auto'>{html}</div>{more}<div style='opacity:.75'>{caption}</div>"


def _notice(text: str) -> str:
    return (
        "<div role='alert' style='border-left:4px solid #D55E00;padding:2px 10px;margin:2px 0;line-height:1.4'>"
        f"{escape(printable(text))}</div>"
    )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


_STYLE: Final = """<style>
.toolkit-table{border-collapse:collapse;font-size:13px;line-height:1.35}
.toolkit-table th,.toolkit-table td{text-align:left!important;padding:3px 12px 3px 0!important;
border-bottom:1px solid rgba(128,128,128,.3);vertical-align:top}
.toolkit-table td:first-child{white-space:nowrap}
</style>"""
