"""What the RunPanel shows, as texts and HTML. Everything remote is escaped here."""

from __future__ import annotations

import base64
import io
from html import escape
from typing import TYPE_CHECKING, Final

from toolkit.frames.about import site_of
from toolkit.frames.files import write_csv
from toolkit.interface.text import printable
from toolkit.widgets.lookup.view import TITLES, table
from toolkit.widgets.run.progress import failures_of, failures_table

if TYPE_CHECKING:
    import pandas as pd

    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.runs.plan import Plan

__all__ = [
    "budget_of_text",
    "download_link",
    "escaped",
    "plan_html",
    "result_tables",
]

#: Bytes of CSV up to which a frame is a link: it is sent to the browser, and saved with the notebook.
LARGEST_LINK: Final = 500_000
_KIB: Final = 1024


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
        The title of a tab, with the number of sites that have an answer, and its table.
    """
    tables = {}
    for name, frame in frames.items():
        if name == "failures":
            shown = failures_of(frame)
            title, html = "Failures", failures_table(shown)
        else:
            shown = _each_site_once(frame[frame["error"].isna()])
            title, html = TITLES[name], table(name, shown, vocabulary)  # type: ignore[arg-type]  # for audiences only
        if len(shown):
            tables[f"{title} ({site_of(shown).nunique():,})"] = html
    return tables


def _each_site_once(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame without the rows of inputs that repeat a site: the numbers of tables are of sites."""
    first = frame.groupby(site_of(frame), sort=False)["row"].transform("min")
    return frame[frame["row"] == first].reset_index(drop=True)


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
