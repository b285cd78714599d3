"""The part of the Lookup widget that answers "why?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as ipw
import pandas as pd

from toolkit.frames.schemas import DIMENSIONS
from toolkit.interface.errors import BadRequestError, ToolkitError
from toolkit.interface.explanations import KIND_WORDS, Suggestions
from toolkit.interface.filters.codes import words_of_code
from toolkit.interface.text import printable, rounded, shortened
from toolkit.interface.words.places import company_words
from toolkit.widgets.beside import Beside
from toolkit.widgets.keyboard import BOX, SAID
from toolkit.widgets.lookup.view import notice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from toolkit.client import Client
    from toolkit.interface.explanations import Explanation

__all__ = ["Question", "Why", "questions", "subject_of"]

_KINDS: Final = {"interest": "interest", "interest_group": "interest", "purchase_intent": "purchase_intent",
                 "persona": "persona"}  # fmt: skip
_TAXONOMIES: Final = ("content-v3", "content-v2", "filtering")
#: Columns of the frame of companies that can be asked about, and where they differ from other fields their prefix.
_COMPANY: Final = "company_"
_LONGEST: Final = 90
_MOST_ON: Final = 6
_WIDE: Final = {"width": "520px", "max_width": "calc(100% - 4px)"}


@dataclass(frozen=True, slots=True)
class Question:
    """What can be asked of an answer: why this target got this subject.

    Categories have the confidence with which they were given.
    """

    target: str
    normal: str
    subject: str
    kind: str
    label: str
    confidence: float | None = None


def subject_of(field: str, value: str) -> tuple[str, str]:
    """Return what is asked about a cell of a frame: the subject, and the kind that tells where it is looked up.

    Parameters
    ----------
    field : str
        A column of the frames of audiences or companies, a dimension of codes, a taxonomy, or ``technology``.
    value : str
        The cell: a code or value, not its label.

    Returns
    -------
    tuple of str
        Subject and kind, as `Client.explain` takes them.

    Examples
    --------
    >>> subject_of("demographics_income_level", "upper_middle"), subject_of("interest", "INT.PETS.DOGS")
    (('income_level=upper_middle', 'value'), ('INT.PETS.DOGS', 'interest'))
    >>> subject_of("technology", "WordPress"), subject_of("company_name", "Ledgerline")
    (('WordPress', 'technology'), ('name=Ledgerline', 'fact'))
    """
    name = field.removeprefix("demographics_").removeprefix("b2b_")
    if name in _KINDS:
        return value, _KINDS[name]
    if name in (*_TAXONOMIES, "technology"):
        return value, name
    if name in DIMENSIONS:
        return f"{name}={value}", "value"
    return f"{name if name == 'company_type' else name.removeprefix(_COMPANY)}={value}", "fact"


def questions(frames: Mapping[str, pd.DataFrame]) -> list[Question]:
    """Return what can be asked of the answers in frames, categories first.

    Parameters
    ----------
    frames : dict of str to DataFrame
        Frames of a lookup; ``categories``, ``codes``, ``technologies`` and ``companies`` are read.

    Returns
    -------
    list of Question
        Each once, in the frames' order.
    """
    found: dict[tuple[str, str, str], Question] = {}
    for name, read in _READERS.items():
        for row in frames[name].to_dict("records") if name in frames else ():
            for subject, kind, label in read(row):
                given = row["confidence"] if name == "categories" and pd.notna(row["confidence"]) else None
                question = Question(str(row["target"]), str(row["normal"]), subject, kind, printable(label), given)
                found.setdefault((question.normal, kind, subject), question)
    return list(found.values())


def _of_category(row: Mapping[Any, Any]) -> Iterator[tuple[str, str, str]]:
    path = " > ".join(str(row[f"level_{n}"]) for n in range(1, 5) if isinstance(row[f"level_{n}"], str))
    kind, label = str(row["taxonomy"]), path or str(row["name"])
    subject = row["id"] if isinstance(row["id"], str) else label
    sure = f", confidence {rounded(row['confidence'], 2)}" if pd.notna(row["confidence"]) else ""
    yield subject, kind, f"{label} ({KIND_WORDS.get(kind, kind)}{sure})"


def _of_code(row: Mapping[Any, Any]) -> Iterator[tuple[str, str, str]]:
    dimension, code = str(row["dimension"]), str(row["code"])
    label = row["label"] if isinstance(row["label"], str) else words_of_code(code)
    words = words_of_code(dimension)
    shown = f"{label} ({words.lower()})" if dimension in _KINDS else f"{words}: {label}"
    yield (*subject_of(dimension, code), shown)


def _of_technology(row: Mapping[Any, Any]) -> Iterator[tuple[str, str, str]]:
    name = str(row["technology"])
    yield (*subject_of("technology", name), f"{name} (technology)")


def _of_company(row: Mapping[Any, Any]) -> Iterator[tuple[str, str, str]]:
    for field in _FACTS:
        if field in row and pd.notna(row[field]):
            land = row.get("country")
            said = company_words(field, str(row[field]), land if isinstance(land, str) else None)
            yield f"{field}={row[field]}", "fact", f"{words_of_code(field)}: {said} (company)"


#: What is known of companies and stands on their pages.
_FACTS: Final = (
    *("name", "legal_name", "description", "founded_year", "city", "state", "country", "employee_range"),
    *("revenue_range", "industry", "company_type", "business_model", "funding_status", "ticker", "parent_company"),
    *("linkedin_url", "twitter_handle", "github_org"),
)
_READERS: Final[dict[str, Callable[[Mapping[Any, Any]], Iterator[tuple[str, str, str]]]]] = {
    "categories": _of_category,
    "codes": _of_code,
    "technologies": _of_technology,
    "companies": _of_company,
}


class Why(ipw.VBox):  # type: ignore[misc]  # the base class has no types
    """Ask why a page got an answer, or did not get another one.

    What is near (given in its place, the runner-up, what may have been meant) is a button away. Nothing is asked before
    it is wanted.

    Parameters
    ----------
    client : Client
        The client that looked up.
    chooser : bool
        Whether pages and answers are offered to choose from; a site card asks about its own values instead.

    Attributes
    ----------
    value : Explanation or None
        What is shown.

    Examples
    --------
    >>> import toolkit as tk
    >>> why = Why(tk.Client())
    >>> why.ask("middle income", "clearwater-bank.example/mortgages")
    >>> why.value.given
    True
    """

    def __init__(self, client: Client, *, chooser: bool = True) -> None:
        self.client = client
        self.value: Explanation | None = None
        self._changed = ""
        self._url: str | None = None
        self._questions: dict[str, list[Question]] = {}
        self._target = ipw.Dropdown(description="Page", layout=_WIDE)
        self._answer = ipw.Dropdown(description="Answer", layout=_WIDE)
        self._other = ipw.Text(
            description="Or why not" if chooser else "Ask about",
            placeholder="travel, upper middle income, WordPress",
            layout=_WIDE,
        )
        self._button = ipw.Button(description="Why?", icon="question")
        self._codes = ipw.Checkbox(description="Show codes", indent=False, layout={"width": "auto"})
        self._shown = ipw.HTML()
        self._shown.add_class(SAID)
        self._on = ipw.HBox(layout={"flex_flow": "row wrap", "grid_gap": "4px 8px"})
        self._beside = Beside(self._begin, self._end, self._complain)
        self._target.observe(self._chosen, "value")
        self._answer.observe(self._clear, "value")
        self._codes.observe(self._coded, "value")
        self._button.on_click(self._clicked)
        self._other.on_msg(self._entered)
        asking = ipw.HBox([self._button, self._codes], layout={"flex_flow": "row wrap", "grid_gap": "4px 12px"})
        choosers = [self._target, self._answer] if chooser else []
        super().__init__([*choosers, self._other, asking, self._shown, self._on])
        self.add_class(BOX)

    def ask_about(self, frames: Mapping[str, pd.DataFrame]) -> None:
        """Offer the answers in frames."""
        self._questions = {}
        for question in questions(frames):
            self._questions.setdefault(question.normal, []).append(question)
        self._clear()
        _offer(self._target, [(shortened(printable(normal), _LONGEST), normal) for normal in self._questions])
        # The same pages as before are no change that would be observed, but their answers may be others.
        self._chosen()

    def ask(self, subject: str, url: str, kind: str | None = None, kept: Question | None = None) -> None:
        """Ask why a page got something, or did not, and show the reasons when they are there.

        Of an answer that was `kept` it is said where the service gives another one by now: page and service may have
        changed since.
        """
        self._url = url
        self._beside.do(lambda: self._explain(subject, url, kind), lambda found: self._show(found, kept))

    def run(self) -> None:
        """Ask what is chosen, or typed, and show the reasons."""
        if (asked := self._asked()) is not None:
            self._show(self._explain(*asked))

    def _chosen(self, _: object = None) -> None:
        self._url = self._target.value
        offered = self._questions.get(self._target.value, [])
        _offer(self._answer, [(shortened(question.label, _LONGEST), question) for question in offered])

    def _asked(self) -> tuple[str, str, str | None] | None:
        question, other = self._answer.value, self._other.value.strip()
        if self._url is None:
            self._shown.value = notice("There is no answer to ask about yet. Look something up first.")
            return None
        if other:
            return other, self._url, None
        if question is None and self.value:
            return self.value.about.id, self._url, self.value.about.kind
        return None if question is None else (question.subject, question.normal, question.kind)

    def _explain(self, subject: str, url: str, kind: str | None) -> Explanation | _Unknown | str:
        try:
            return self.client.explain(subject, url, kind=kind)
        except BadRequestError as error:
            return _Unknown.of(subject, error) or str(error)
        except ToolkitError as error:
            return str(error)

    def _clicked(self, _: object = None) -> None:
        if not self._beside.is_busy and (asked := self._asked()) is not None:
            self._beside.do(lambda: self._explain(*asked), self._show)

    def _entered(self, _: object, content: Mapping[str, Any], __: object) -> None:
        """Ask at the Enter key in the field."""
        if content.get("event") == "submit":
            self._clicked()

    def _show(self, found: Explanation | _Unknown | str, kept: Question | None = None) -> None:
        self.value = None
        if isinstance(found, str):
            self._shown.value, self._on.children = notice(found), ()
        elif isinstance(found, _Unknown):
            self._shown.value = notice(found.said)
            self._lead_on(found.near)
        else:
            self.value, self._changed = found, _changed(found, kept)
            self._shown.value = self._changed + found.as_html(codes=self._codes.value)
            rival = found.runner_up
            near = [(about.id, about.kind, f"Why {about.label}?") for about in found.instead]
            near += [(rival.id, found.about.kind, f"And {rival.label}?")] if rival else []
            self._lead_on({subject: (subject, kind, label) for subject, kind, label in near[::-1]}.values())

    def _lead_on(self, near: Iterable[tuple[str, str, str]]) -> None:
        """Offer what may be asked next, each as a button."""
        self._on.children = tuple(self._leading(*one) for one in list(near)[:_MOST_ON])

    def _leading(self, subject: str, kind: str, label: str) -> ipw.Button:
        text = printable(label)
        button = ipw.Button(
            description=shortened(text, 48), tooltip=text, layout={"width": "auto", "max_width": "100%"}
        )

        def pressed(_: ipw.Button) -> None:
            if self._url is not None:
                self.ask(subject, self._url, kind)

        button.on_click(pressed)
        return button

    def _coded(self, _: object) -> None:
        if self.value is not None:
            self._shown.value = self._changed + self.value.as_html(codes=self._codes.value)

    def _clear(self, _: object = None) -> None:
        self.value = None
        self._on.children = ()
        self._other.value = self._shown.value = ""

    def _begin(self) -> None:
        self._button.disabled = True
        self._shown.value = "Asking …"

    def _end(self) -> None:
        self._button.disabled = False

    def _complain(self, text: str) -> None:
        self._shown.value = notice(text)


@dataclass(frozen=True, slots=True)
class _Unknown:
    """A question that names nothing: what is said, and what may have been meant, each as subject, kind and label."""

    said: str
    near: tuple[tuple[str, str, str], ...]

    @classmethod
    def of(cls, subject: str, error: BadRequestError) -> _Unknown | None:
        """Read what the service suggests; None where the question was refused for something else."""
        raw = error.raw if isinstance(error.raw, dict) else {}
        if "is named" not in error.detail:
            return None
        near = Suggestions.model_validate(raw).suggestions
        shown = shortened(printable(subject), _LONGEST)
        advice = "Choose what was meant:" if near else "Ask with other words, or with the name of a topic."
        kinds = ((about.id, about.kind, f"{about.label} ({KIND_WORDS.get(about.kind, about.kind)})") for about in near)
        return cls(f"Nothing is called “{shown}”. {advice}", tuple(kinds))


def _changed(found: Explanation, kept: Question | None) -> str:
    """Say that the service answers otherwise now than the answer that was kept; empty where it does not."""
    if kept is None:
        return ""
    if not found.given:
        return notice("The run has it; asked now, the service does not give it. The reasons are of now.")
    now = found.confidence
    if kept.confidence is None or not isinstance(now, float) or rounded(kept.confidence, 2) == rounded(now, 2):
        return ""
    return notice(
        f"The run has it with confidence {rounded(kept.confidence, 2)}; asked now, the service gives it with "
        f"{rounded(now, 2)}. The reasons are of now."
    )


def _offer(choice: ipw.Dropdown, options: list[tuple[str, Any]]) -> None:
    """Offer options and choose the first: where nothing was chosen before, the dropdown would go on so."""
    choice.options = options
    choice.index = 0 if options else None
