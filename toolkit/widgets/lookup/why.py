"""The part of the Lookup widget that answers "why?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw
import pandas as pd

from toolkit.interface.errors import ToolkitError
from toolkit.interface.filters.codes import words_of_code
from toolkit.interface.text import printable, shortened
from toolkit.widgets.beside import Beside
from toolkit.widgets.lookup.view import notice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.client import Client
    from toolkit.interface.explanations import Explanation

__all__ = ["Question", "Why", "questions"]

_KINDS: Final = {"interest": "interest", "interest_group": "interest", "purchase_intent": "purchase_intent",
                 "persona": "persona"}  # fmt: skip
_LONGEST: Final = 90
_WIDE: Final = {"width": "520px", "max_width": "100%"}


@dataclass(frozen=True, slots=True)
class Question:
    """What can be asked of an answer: why this target got this subject."""

    target: str
    normal: str
    subject: str
    kind: str
    label: str


def questions(frames: Mapping[str, pd.DataFrame]) -> list[Question]:
    """Return what can be asked of the answers in frames, categories first.

    Parameters
    ----------
    frames : dict of str to DataFrame
        Frames of a lookup; ``categories`` and ``codes`` are read.

    Returns
    -------
    list of Question
        Each once, in the frames' order.
    """
    found: dict[tuple[str, str, str], Question] = {}
    for name, read in (("categories", _of_category), ("codes", _of_code)):
        if name in frames:
            for row in frames[name].to_dict("records"):
                subject, kind, label = read(row)
                question = Question(str(row["target"]), str(row["normal"]), subject, kind, printable(label))
                found.setdefault((question.normal, kind, subject), question)
    return list(found.values())


def _of_category(row: Mapping[Any, Any]) -> tuple[str, str, str]:
    path = " > ".join(str(row[f"level_{n}"]) for n in range(1, 5) if isinstance(row[f"level_{n}"], str))
    kind, label = str(row["taxonomy"]), path or str(row["name"])
    subject = row["id"] if isinstance(row["id"], str) else label
    sure = f", {row['confidence']:.2f}" if pd.notna(row["confidence"]) else ""
    return subject, kind, f"{label} ({kind}{sure})"


def _of_code(row: Mapping[Any, Any]) -> tuple[str, str, str]:
    dimension, code = str(row["dimension"]), str(row["code"])
    label = row["label"] if isinstance(row["label"], str) else words_of_code(code)
    words = words_of_code(dimension)
    if dimension in _KINDS:
        return code, _KINDS[dimension], f"{label} ({words.lower()})"
    return f"{dimension}={code}", "value", f"{words}: {label}"


class Why(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """Ask why a target got an answer, or did not get another one.

    Parameters
    ----------
    client : Client
        The client that looked up.

    Attributes
    ----------
    value : Explanation or None
        What is shown.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
        self.value: Explanation | None = None
        self._questions: dict[str, list[Question]] = {}
        self._target = ipw.Dropdown(description="Page", layout=_WIDE)
        self._answer = ipw.Dropdown(description="Answer", layout=_WIDE)
        self._other = ipw.Text(
            description="Or why not",
            placeholder="INT.SPORTS.RUNNING, Travel > Camping, income_level=high",
            layout=_WIDE,
        )
        self._button = ipw.Button(description="Why?", icon="question")
        self._shown = ipw.HTML()
        self._beside = Beside(self._begin, self._end, self._complain)
        self._target.observe(self._chosen, "value")
        self._answer.observe(self._clear, "value")
        self._button.on_click(self._clicked)
        super().__init__([self._target, self._answer, self._other, self._button, self._shown])

    def ask_about(self, frames: Mapping[str, pd.DataFrame]) -> None:
        """Offer the answers in frames."""
        self._questions = {}
        for question in questions(frames):
            self._questions.setdefault(question.normal, []).append(question)
        self._clear()
        _offer(self._target, [(shortened(printable(normal), _LONGEST), normal) for normal in self._questions])
        # The same pages as before are no change that would be observed, but their answers may be others.
        self._chosen()

    def run(self) -> None:
        """Ask what is chosen, or typed, and show the reasons when they are there."""
        if (asked := self._asked()) is not None:
            self._show(self._explain(*asked))

    def ask(self, question: Question) -> None:
        """Choose one of the answers that are offered, and show its reasons when they are there."""
        if question in self._questions.get(question.normal, ()):
            self._target.value, self._answer.value = question.normal, question
            self._clicked()

    def _chosen(self, _: object = None) -> None:
        offered = self._questions.get(self._target.value, [])
        _offer(self._answer, [(shortened(question.label, _LONGEST), question) for question in offered])

    def _asked(self) -> tuple[str, str, str | None] | None:
        question, other = self._answer.value, self._other.value.strip()
        if self._target.value is None:
            self._shown.value = notice("There is no answer to ask about yet. Look something up first.")
            return None
        if other:
            return other, self._target.value, None
        return None if question is None else (question.subject, question.normal, question.kind)

    def _explain(self, subject: str, url: str, kind: str | None) -> Explanation | str:
        try:
            return self.client.explain(subject, url, kind=kind)
        except ToolkitError as error:
            return str(error)

    def _clicked(self, _: object = None) -> None:
        if not self._beside.is_busy and (asked := self._asked()) is not None:
            self._beside.do(lambda: self._explain(*asked), self._show)

    def _show(self, found: Explanation | str) -> None:
        self.value = None if isinstance(found, str) else found
        self._shown.value = notice(found) if isinstance(found, str) else found._repr_html_()

    def _clear(self, _: object = None) -> None:
        self.value = None
        self._other.value = self._shown.value = ""

    def _begin(self) -> None:
        self._button.disabled = True
        self._shown.value = "Asking …"

    def _end(self) -> None:
        self._button.disabled = False

    def _complain(self, text: str) -> None:
        self._shown.value = notice(text)


def _offer(choice: ipw.Dropdown, options: list[tuple[str, Any]]) -> None:
    """Offer options and choose the first: where nothing was chosen before, the dropdown would go on so."""
    choice.options = options
    choice.index = 0 if options else None
