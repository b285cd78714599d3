"""What has no answer, and why, in the words of someone who counts sites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from toolkit.frames.about import site_of
from toolkit.interface.words.labels import question_label, status_advice
from toolkit.runs.results import NOT_ASKED
from toolkit.widgets.grid.box import Grid
from toolkit.widgets.grid.cells import TABLE_STYLE
from toolkit.widgets.grid.columns import Column
from toolkit.widgets.html import escaped

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

__all__ = ["failures_grid", "failures_of", "failures_table", "reason_of"]

_MOST_SHOWN: Final = 200
_TITLES: Final = {"site": "Site", "why": "Why there is no answer", "questions": "Questions"}


def failures_of(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a failures frame that were asked, or could not be: those that only wait are no failures."""
    return frame[frame["error"] != NOT_ASKED].reset_index(drop=True)


def reason_of(failure: Mapping[Hashable, Any]) -> str:
    """Return why there is no answer and what to do about it, of a row of a failures frame.

    Examples
    --------
    >>> error = "… answered 411: the site answered with HTTP status 404 …"
    >>> failure = {"normal": "kites.example", "status": 411, "reason": "the page could not be found", "error": error}
    >>> reason_of(failure)
    'the page could not be found: check the spelling'
    """
    status = None if pd.isna(failure["status"]) else int(failure["status"])
    advice = "correct it" if pd.isna(failure["normal"]) else status_advice(status, str(failure["error"]))
    return f"{failure['reason']}: {advice}"


def failures_table(frame: pd.DataFrame) -> str:
    """Return what has no answer as an HTML table, a row an entry, in which every text is escaped."""
    told = _told(frame)
    shown = told.head(_MOST_SHOWN)
    rows = "".join(map(_row, shown["site"], shown["why"], shown["questions"], shown["details"]))
    heads = "".join(f"<th scope='col'>{title}</th>" for title in (*_TITLES.values(), ""))
    rest = len(told) - len(shown)
    more = f"<div style='opacity:.75'>and {rest:,} more</div>" if rest else ""
    return (
        f"{TABLE_STYLE}<div style='overflow-x:auto'><table class='toolkit-table'><thead><tr>{heads}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>{more}"
    )


def failures_grid(frame: pd.DataFrame) -> Grid:
    """Return what has no answer as a grid, a row an entry."""
    columns = [
        Column("site", _TITLES["site"], width=200),
        Column("why", _TITLES["why"], width=330),
        Column("questions", _TITLES["questions"]),
        Column("details", "What the service said", hidden=True),
    ]
    told = _told(frame).assign(details=lambda told: told["details"].map("; ".join))
    noun = ("entry without an answer", "entries without an answer")
    return Grid(told, columns=columns, name="failures", label="Failures", noun=noun)


def _told(frame: pd.DataFrame) -> pd.DataFrame:
    """Return what has no answer, a row an entry: ``site``, ``why``, ``questions`` and the texts of its ``details``."""
    reasons = [reason_of(row) for row in frame.to_dict("records")]
    rows = [
        {
            "site": str(site),
            "why": "; ".join(part["why"].unique()),
            "questions": ", ".join(question_label(str(name)) for name in part["endpoint"].dropna().unique()),
            "details": [str(error) for error in part["error"].unique()],
        }
        for site, part in frame.assign(site=site_of(frame), why=reasons).groupby("site", sort=False)
    ]
    return pd.DataFrame(rows, columns=["site", "why", "questions", "details"])


def _row(site: str, why: str, questions: str, texts: list[str]) -> str:
    words = "".join(f"<div>{escaped(text)}</div>" for text in texts)
    details = f"<details><summary style='cursor:pointer;white-space:nowrap'>details</summary>{words}</details>"
    cells = (escaped(site), escaped(why), escaped(questions), details)
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
