"""What has no answer, and why, in the words of someone who counts sites."""

from __future__ import annotations

from html import escape
from typing import Final

import pandas as pd

from toolkit.frames.about import site_of
from toolkit.interface.text import counted
from toolkit.interface.words.labels import question_label, status_advice, status_label
from toolkit.runs.results import NOT_ASKED
from toolkit.widgets.html import escaped
from toolkit.widgets.lookup.view import TABLE_STYLE

__all__ = ["failures_of", "failures_table", "reason_of"]

_MOST_SHOWN_SITES: Final = 200


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
        return "this is neither a domain nor a URL: correct it"
    return f"{status_label(status, error)}: {status_advice(status, error)}"


def failures_table(frame: pd.DataFrame) -> str:
    """Return what has no answer as an HTML table, a row a site, in which every text is escaped."""
    told = frame.assign(
        site=site_of(frame),
        reason=[
            reason_of(None if pd.isna(status) else int(status), str(error), is_target=not pd.isna(normal))
            for status, error, normal in zip(frame["status"], frame["error"], frame["normal"], strict=True)
        ],
    )
    sites = list(told.groupby("site", sort=False))
    rows = [_row(str(site), part) for site, part in sites[:_MOST_SHOWN_SITES]]
    heads = "".join(f"<th scope='col'>{head}</th>" for head in ("site", "why there is no answer", "questions", ""))
    rest = len(sites) - len(rows)
    more = f"; {counted(rest, 'further site')}" if rest else ""
    return (
        f"{TABLE_STYLE}<div style='overflow-x:auto'><table class='toolkit-table'><thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
        f"<div style='opacity:.75'>{counted(len(sites), 'site')}{more}; a row a question in "
        "<code>.frames['failures']</code></div>"
    )


def _row(site: str, part: pd.DataFrame) -> str:
    reasons = "; ".join(dict.fromkeys(part["reason"]))
    asked = ", ".join(dict.fromkeys(question_label(str(name)) for name in part["endpoint"].dropna()))
    words = "".join(f"<div>{_cell(error)}</div>" for error in dict.fromkeys(part["error"]))
    details = f"<details><summary style='cursor:pointer;white-space:nowrap'>details</summary>{words}</details>"
    cells = (_cell(site), escape(reasons), _cell(asked), details)
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _cell(value: object) -> str:
    text = str(value)
    return "" if text in {"<NA>", "nan", "None"} else escaped(text)
