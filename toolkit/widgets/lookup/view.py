"""What the Lookup widget shows, as texts and HTML. Everything remote is escaped here."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from toolkit.frames.records import frames_given_by
from toolkit.frames.schemas import BASIS
from toolkit.interface.errors import TargetError
from toolkit.interface.filters.codes import words_of_code
from toolkit.interface.targets import is_blank
from toolkit.interface.text import counted, printable, rounded
from toolkit.interface.words.labels import (
    failure_words,
    field_label,
    frame_label,
    question_label,
    taxonomy_label,
    value_label,
)
from toolkit.interface.words.places import company_words
from toolkit.interface.words.terms import in_widget
from toolkit.reports.view import label_of
from toolkit.widgets.grid.box import Grid
from toolkit.widgets.grid.cells import TABLE_STYLE
from toolkit.widgets.grid.columns import columns_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolkit.interface.models import Outcome
    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.runs.counts import Counts

__all__ = [
    "code_for",
    "complaint",
    "error_lines",
    "grid_of",
    "notice",
    "status_line",
    "table",
]

#: Columns that a person reads; the frames have more.
_SHOWN: Final = {
    "audiences": ["target", "audience_type", "gender_skew", "income_level", "education_level", "urbanicity",
                  "content_type", "reading_level", "price_signals", "demographics_confidence"],
    "codes": ["target", "dimension", "basis", "label", "code", "confidence"],
    "categories": ["target", "taxonomy", "level_1", "level_2", "level_3", "confidence"],
    "companies": ["target", "name", "founded_year", "city", "country", "employee_range", "industry"],
    "technologies": ["target", "technology", "category"],
}  # fmt: skip
#: What a row of each frame is, one and several.
_NOUNS: Final = {
    "audiences": ("site", "sites"),
    "codes": ("value", "values"),
    "categories": ("category", "categories"),
    "companies": ("company", "companies"),
    "technologies": ("technology", "technologies"),
}
#: Of what is left to be read where no kernel runs: enough to see what is there.
_MOST_SHOWN_ROWS: Final = 10
_MOST_TARGETS: Final = 50


def complaint(targets: Sequence[str], ask: Sequence[str]) -> str:
    """Say what keeps a lookup from being asked; empty where nothing does."""
    if not targets:
        return "Type a domain or URL first, such as trailhead-outfitters.example."
    if not ask:
        return "Tick at least one question."
    if len(targets) > _MOST_TARGETS:
        return f"{len(targets)} sites are more than the {_MOST_TARGETS} that fit here. Shorten the list."
    return ""


def status_line(counts: Counts, outcomes: Sequence[Outcome], at: str) -> str:
    """Return HTML that counts the sites, answers and credits of a lookup."""
    given = [outcome.answer for outcome in outcomes if outcome.answer is not None]
    used = sum(answer.provenance.credits_used or 0 for answer in given)
    cost = f"{counted(used, 'credit')} used"
    return " · ".join([f"<b>{escape(str(counts))}</b>", counted(len(given), "answer"), cost, escape(at)])


def error_lines(outcomes: Sequence[Outcome]) -> list[str]:
    """Return one plain sentence for each site that failed; the same failure of several questions stands once.

    What is no web address is told once, of no question; a blank entry is not told.
    """
    said: dict[tuple[str, str], list[str]] = {}
    for outcome in outcomes:
        if outcome.error is None or (isinstance(outcome.error, TargetError) and is_blank(outcome.target)):
            continue
        asked = said.setdefault((outcome.target, failure_words(outcome.error)), [])
        if not isinstance(outcome.error, TargetError):
            asked.append(question_label(outcome.endpoint).lower())
    return [
        f"{target}: {words}" + (f" ({', '.join(asked)})" if asked else "") for (target, words), asked in said.items()
    ]


def code_for(targets: Sequence[str], ask: Sequence[str]) -> str:
    """Return Python code that does the same lookup."""
    lines = [
        "import toolkit as tk",
        "",
        "client = tk.Client()",
        f"run = client.ask({list(targets)!r}, {list(ask)!r})",
    ]
    lines += [f"{name} = run.{name}()" for name in frames_given_by(ask) if name != "failures"]
    return "\n".join(lines)


def table(name: str, frame: pd.DataFrame, vocabulary: Vocabulary) -> str:
    """Return the columns of a frame that a person reads as an HTML table, its codes and bands in plain words.

    Parameters
    ----------
    name : str
        Name of the frame, such as ``codes``.
    frame : DataFrame
        What to show; of many rows the first ten.
    vocabulary : Vocabulary
        Gives values their labels. One that it does not have gets words made from it.

    Returns
    -------
    str
        HTML in which every text is escaped.
    """
    shown = _in_words(name, frame.head(_MOST_SHOWN_ROWS), vocabulary)
    shown = shown[[column for column in _SHOWN[name] if column in shown]].map(_cell)
    if "code" in shown:
        # Codes are long and have no spaces: they may go on in the next line after a dot or underscore.
        shown["code"] = [text.replace(".", ".<wbr>").replace("_", "_<wbr>") for text in shown["code"]]
    shown = shown.rename(columns=_head)
    html = shown.to_html(index=False, escape=False, border=0, classes="toolkit-table")
    first = f", the first {_MOST_SHOWN_ROWS} shown" if len(frame) > len(shown) else ""
    caption = f"{counted(len(frame), 'row')}{first}"
    return f"{TABLE_STYLE}<div style='overflow-x:auto'>{html}</div><div style='opacity:.75'>{caption}</div>"


def grid_of(
    name: str, frame: pd.DataFrame, vocabulary: Vocabulary, on_row: Callable[[int], None] | None = None
) -> Grid:
    """Return a frame as a grid, its codes and bands in plain words; what few people read waits among its columns.

    Parameters
    ----------
    name : str
        Name of the frame, such as ``codes``.
    frame : DataFrame
        What to show.
    vocabulary : Vocabulary
        Gives values their labels. One that it does not have gets words made from it.
    on_row : callable, optional
        Called with the position of a row that is opened.

    Returns
    -------
    Grid
        All rows and all columns of the frame.
    """
    worded = _in_words(name, frame, vocabulary)
    first = [column for column in _SHOWN[name] if column in worded]
    worded = worded[[*first, *(column for column in worded if column not in first)]]
    hidden = {*worded.columns.difference(first), "code"}
    columns = [
        replace(column, title=_capital(_head(column.name)), hidden=column.name in hidden)
        for column in columns_of(worded)
    ]
    return Grid(worded, columns=columns, on_row=on_row, name=name, label=frame_label(name), noun=_NOUNS[name])


def notice(text: str) -> str:
    """Return a complaint or an error as HTML that a screen reader reads out; further lines keep their places."""
    first, *rest = in_widget(text).split("\n")
    shown = "\n".join(printable(line) if line.strip() else "" for line in rest)
    # A caret below a word points at it only where all characters are equally wide.
    place = f"<pre style='margin:2px 0;white-space:pre-wrap'>{escape(shown)}</pre>" if rest else ""
    return (
        "<div role='alert' style='border-left:4px solid #D55E00;padding:2px 10px;margin:2px 0;line-height:1.4;"
        f"overflow-wrap:anywhere'>{escape(printable(first))}{place}</div>"
    )


def _head(column: str) -> str:
    """Return what stands above a column: what is inferred says so, and so does its confidence."""
    inferred = BASIS.get(column) == "inferred" or column == "demographics_confidence"
    return field_label(column) + " (inferred)" * inferred


def _in_words(name: str, frame: pd.DataFrame, vocabulary: Vocabulary) -> pd.DataFrame:
    if name == "codes":
        rows = zip(frame["dimension"], frame["code"], frame["label"], strict=True)
        labels = [
            label_of(str(dimension), str(code), label if isinstance(label, str) else words_of_code(str(code)))
            for dimension, code, label in rows
        ]
        dimensions = [field_label(str(dimension)) for dimension in frame["dimension"]]
        return frame.assign(label=labels, dimension=dimensions)
    if name == "audiences":
        known = {column: vocabulary.values[column] for column in _SHOWN[name] if column in vocabulary.values}
        found = {
            column: pd.Series([_words(column, value, labels) for value in frame[column]], frame.index, dtype=object)
            for column, labels in known.items()
        }
        return frame.assign(**found)
    if name == "categories":
        return frame.assign(taxonomy=[_capital(taxonomy_label(str(each))) for each in frame["taxonomy"]])
    return _companies_in_words(frame) if name == "companies" else frame


def _companies_in_words(frame: pd.DataFrame) -> pd.DataFrame:
    lands = frame["country"] if "country" in frame else [None] * len(frame)
    found = {
        column: pd.Series(
            [
                company_words(column, value, land if isinstance(land, str) else None)
                if isinstance(value, str)
                else None
                for value, land in zip(frame[column], lands, strict=True)
            ],
            frame.index,
            dtype=object,
        )
        for column in ("employee_range", "revenue_range", "state", "country")
        if column in frame
    }
    return frame.assign(**found)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _words(column: str, value: Any, labels: dict[str, str]) -> str | None:
    """Return a value as cards and reports name it."""
    return label_of(column, value, labels.get(value) or value_label(column, value)) if isinstance(value, str) else None


def _cell(value: Any) -> str:
    """Return a value as HTML."""
    if pd.isna(value):
        return ""
    return str(rounded(value, 2)) if isinstance(value, float) else escape(printable(str(value)))
