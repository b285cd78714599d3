"""What has no answer, and why, in the words of someone who counts sites."""

from __future__ import annotations

from typing import Final

import pandas as pd

from toolkit.frames.about import site_of
from toolkit.interface.words.labels import question_label, status_advice, status_label
from toolkit.runs.results import NOT_ASKED
from toolkit.widgets.grid.box import Grid
from toolkit.widgets.grid.columns import Column
from toolkit.widgets.html import escaped
from toolkit.widgets.lookup.view import TABLE_STYLE

__all__ = ["failures_grid", "failures_of", "failures_table", "reason_of"]

_MOST_SHOWN: Final = 200
_TITLES: Final = {"site": "Site", "why": "Why there is no answer", "questions": "Questions"}


def failures_of(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a failures frame that were asked, or could not be: those that only wait are no failures."""
    return frame[frame["error"] != NOT_ASKED].reset_index(drop=True)


def reason_of(status: int | None, error: str, *, is_target: bool) -> str:
    """Return why there is no answer and what to do about it, in plain words.

    Examples
    --------
    >>> reason_of(411, "… answered 411: the site answered with HTTP status 404 …", is_target=True)
    'the page could not be found: check the spelling'
    """
    if not is_target:
        return "this is no web address: correct it"
    return f"{status_label(status, error)}: {status_advice(status, error)}"


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
    reasons = [
        reason_of(None if pd.isna(status) else int(status), str(error), is_target=not pd.isna(normal))
        for status, error, normal in zip(frame["status"], frame["error"], frame["normal"], strict=True)
    ]
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
