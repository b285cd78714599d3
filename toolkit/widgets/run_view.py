"""What the RunPanel shows, as texts and HTML. Everything remote is escaped here."""

from __future__ import annotations

import base64
import io
from html import escape
from typing import TYPE_CHECKING, Final

from toolkit.display import counted, printable
from toolkit.run_results import NOT_ASKED
from toolkit.tables import write_csv
from toolkit.widgets.lookup_view import TABLE_STYLE, TITLES, WORDS, table

if TYPE_CHECKING:
    import pandas as pd

    from toolkit.plan import Plan
    from toolkit.progress import Progress
    from toolkit.vocabulary import Vocabulary

__all__ = [
    "budget_of_text",
    "download_link",
    "escaped",
    "failures_of",
    "failures_table",
    "plan_html",
    "progress_line",
    "result_tables",
    "summary_line",
]

#: Bytes of CSV up to which a frame is a link: it is sent to the browser, and saved with the notebook.
LARGEST_LINK: Final = 500_000
_MOST_SHOWN_ROWS: Final = 200
_MINUTE: Final = 60
_HOUR: Final = 3600
_KIB: Final = 1024
_FAILURE_COLUMNS: Final = ["target", "endpoint", "status", "error"]


def budget_of_text(text: str) -> int | None:
    """Return the credits that stand in a field; None for an empty one.

    Raises
    ------
    ValueError
        If it is no whole number.

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


def progress_line(progress: Progress) -> str:
    """Return a moment of a run as HTML: done, failed, credits, rate and time left.

    Examples
    --------
    >>> from toolkit.progress import Progress
    >>> progress_line(Progress("running", 40, answered=10, credits_used=9, rate=5.0, seconds_left=6.0))
    '<b>10 of 40</b> done · 9 credits used · 5 a second · about 6 s left'
    """
    parts = _counts(progress)
    if progress.state == "running":
        parts += [f"{progress.rate:,.1f}".removesuffix(".0") + " a second"] if progress.rate else []
        parts += [f"about {_time(progress.seconds_left)} left"] if progress.seconds_left else []
        parts += [f"{counted(progress.slowed, 'time')} slowed down"] if progress.slowed else []
    return " · ".join(parts)


def summary_line(progress: Progress, unanswered: int | None = None) -> str:
    """Return as HTML how a run ended.

    Parameters
    ----------
    progress : Progress
        Its last moment.
    unanswered : int, optional
        Rows that ended without an answer; None where they were not counted.
    """
    parts = _counts(progress)
    if unanswered:
        parts.insert(1, f"<b>{counted(unanswered, 'row')} without an answer</b>, see Failures")
    if progress.state == "finished":
        return f"<div role='status'><b>Finished.</b> {' · '.join(parts)}</div>"
    # A run that was stopped by its button says no more than that.
    reason = "" if progress.reason == "stopped" else escape(printable(progress.reason)) or "it did not begin"
    began = f"<b>Stopped:</b> {reason}." if reason else "<b>Stopped.</b>"
    return f"<div role='status'>{began} {' · '.join(parts)}. <b>Resume</b> goes on.</div>"


def _counts(progress: Progress) -> list[str]:
    parts = [f"<b>{progress.done:,} of {progress.total:,}</b> done"]
    parts += [f"{progress.stored:,} from the store"] if progress.stored else []
    parts += [f"<b>{progress.failed:,} failed</b>"] if progress.failed else []
    left = f", {progress.credits_left:,} left" if progress.credits_left is not None else ""
    parts.append(f"{counted(progress.credits_used, 'credit')} used{left}")
    return parts


def _time(seconds: float) -> str:
    if seconds < _MINUTE:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE:.0f} min" if seconds < _HOUR else f"{seconds / _HOUR:.1f} h"


def failures_of(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a failures frame that were asked, or could not be: those that only wait are no failures."""
    return frame[frame["error"] != NOT_ASKED].reset_index(drop=True)


def failures_table(frame: pd.DataFrame) -> str:
    """Return what has no answer as an HTML table in which every text is escaped; of more than 200 rows the first."""
    words = {"": "", **WORDS}
    shown = frame.head(_MOST_SHOWN_ROWS)[_FAILURE_COLUMNS]
    shown = shown.assign(endpoint=[words.get(str(name), str(name)) for name in shown["endpoint"]])
    html = shown.rename(columns={"endpoint": "question"}).map(_cell).to_html(
        index=False, escape=False, border=0, classes="toolkit-table"
    )  # fmt: skip
    rest = len(frame) - len(shown)
    more = f"; {counted(rest, 'further row')} in <code>.frames['failures']</code>" if rest else ""
    return (
        f"{TABLE_STYLE}<div style='overflow-x:auto'>{html}</div>"
        f"<div style='opacity:.75'>{counted(len(frame), 'row')}{more}</div>"
    )


def _cell(value: object) -> str:
    text = str(value)
    return "" if text in {"<NA>", "nan", "None"} else escape(printable(text))


def result_tables(frames: dict[str, pd.DataFrame], vocabulary: Vocabulary | None) -> dict[str, str]:
    """Return the first rows of the frames of a run as HTML by title, those without rows left out.

    Parameters
    ----------
    frames : dict of str to DataFrame
        Frames by name.
    vocabulary : Vocabulary, optional
        Gives bands their labels; needed where ``audiences`` are among the frames.

    Returns
    -------
    dict of str to str
        The title of a tab, with the number of rows that have an answer, and its table.
    """
    tables = {}
    for name, frame in frames.items():
        if name == "failures":
            shown = failures_of(frame)
            title, html = "Failures", failures_table(shown)
        else:
            shown = frame[frame["error"].isna()].reset_index(drop=True)
            title, html = TITLES[name], table(name, shown, vocabulary)  # type: ignore[arg-type]  # for audiences only
        if len(shown):
            tables[f"{title} ({len(shown):,})"] = html
    return tables


def download_link(name: str, frame: pd.DataFrame) -> str:
    """Return a link that saves a frame as CSV, or says that it is too large for one.

    Parameters
    ----------
    name : str
        Name of the frame.
    frame : DataFrame
        What to save. No text in the file begins like a formula.
    """
    text = io.StringIO()
    write_csv(frame, text)
    data = text.getvalue().encode("utf-8", "replace")
    if len(data) > LARGEST_LINK:
        return f"{escape(name, quote=True)}.csv is too large for a link ({_size(data)}): write Parquet"
    return saved_link(f"{name}.csv", data, "text/csv;charset=utf-8")


def saved_link(name: str, data: bytes, media: str) -> str:
    """Return a link that saves a file; the whole of it is in the link.

    Parameters
    ----------
    name : str
        Name of the file.
    data : bytes
        What is in it.
    media : str
        Its MIME type.
    """
    file = escape(name, quote=True)
    packed = base64.b64encode(data).decode("ascii")
    # JupyterLab gives links in widgets no colour of their own.
    style = "color:var(--jp-content-link-color,#0b60b0);text-decoration:underline"
    return f"<a style='{style}' download='{file}' href='data:{media};base64,{packed}'>{file}</a> ({_size(data)})"


def _size(data: bytes) -> str:
    return f"{max(len(data) / _KIB, 1):,.0f} KB"


def escaped(text: str) -> str:
    """Return a text as HTML on one line."""
    return escape(printable(text))
