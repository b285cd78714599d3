"""How far a run is, how it ended, and what has no answer, in the words of someone who counts sites."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

import pandas as pd

from toolkit.frames.about import site_of
from toolkit.interface.text import counted, printable
from toolkit.runs.results import NOT_ASKED
from toolkit.widgets.lookup.view import TABLE_STYLE, WORDS

if TYPE_CHECKING:
    from toolkit.runs.plan import Plan
    from toolkit.runs.progress import Progress

__all__ = ["Sites", "failures_of", "failures_table", "progress_line", "reason_of", "sites_of_run", "summary_line"]

_MOST_SHOWN_SITES: Final = 200
_MINUTE: Final = 60
_HOUR: Final = 3600
_SERVER: Final = 500
#: Part of a budget, or of the account, from which on it matters how much is left.
_NEAR: Final = 0.8
_SMALL: Final = "<span style='opacity:.75;font-size:.92em'>{}</span>"
_REASONS: Final = {
    400: "the service refused the request: see the details",
    401: "the key was not accepted: check it",
    403: "the monthly quota is used up: go on next month, or ask for more",
    404: "the service does not know this: see the details",
    407: "the service refused this kind of data: see the details",
    410: "the page has too little text: try another page of the site",
    411: "the page could not be opened: see whether it opens in a browser without signing in",
    429: "too many requests at a time: send it again",
}
#: What the service adds to a page that could not be fetched, and the words for it.
_FETCHED: Final = (
    (r"status 404|status 410", "the page could not be found: check the spelling"),
    (r"status 40[13]", "the site does not let the service in: try another page of it"),
    (r"status 5\d\d", "the site itself failed: try again later"),
    (r"no connection", "no site answers at this address: check the spelling"),
)


@dataclass(frozen=True, slots=True)
class Sites:
    """How many different sites a run has, and what came of them.

    Attributes
    ----------
    different, duplicates : int
        Different sites, and rows that repeat one.
    answered, partly : int
        Sites with an answer to at least one question, and those of them without one to another.
    failed, waiting : int
        Sites without any answer, and those that were not asked yet.
    """

    different: int
    duplicates: int
    answered: int
    partly: int
    failed: int
    waiting: int


def sites_of_run(plan: Plan, failures: pd.DataFrame) -> Sites:
    """Count the sites of a run.

    Parameters
    ----------
    plan : Plan
        Its plan.
    failures : DataFrame
        Its failures frame, whole.
    """
    rows = failures.assign(site=site_of(failures), is_waiting=failures["error"] == NOT_ASKED)
    # The plan counts a repeated text that is no target as a row of its own.
    unreadable = rows.loc[rows["normal"].isna(), ["row", "site"]].drop_duplicates()
    repeated = int(unreadable["row"].nunique() - unreadable["site"].nunique())
    by_site = rows.drop_duplicates(["site", "endpoint"]).groupby("site")["is_waiting"].agg(["size", "any"])
    without = by_site["size"] >= len(plan.questions)
    waiting, failed = int((without & by_site["any"]).sum()), int((without & ~by_site["any"]).sum())
    different = plan.rows - plan.duplicates - repeated
    return Sites(
        different=different,
        duplicates=plan.duplicates + repeated,
        answered=different - waiting - failed,
        partly=int((~without).sum()),
        failed=failed,
        waiting=waiting,
    )


def progress_line(progress: Progress, sites: int | None = None, budget: int | None = None) -> str:
    """Return a moment of a run as HTML: done, failed, credits, rate and time left.

    Parameters
    ----------
    progress : Progress
        The moment.
    sites : int, optional
        Different sites that are asked about.
    budget : int, optional
        Credits that the run may use.

    Examples
    --------
    >>> from toolkit.runs.progress import Progress
    >>> progress_line(Progress("running", 40, answered=10, credits_used=9, rate=5.0, seconds_left=6.0), sites=20)
    '<b>20 sites</b> · 10 of 40 questions done · 9 credits used · 5 a second · about 6 s left'
    """
    parts = [] if sites is None else [f"<b>{counted(sites, 'site')}</b>"]
    parts += _questions(progress)
    parts += [f"{progress.failed:,} failed"] if progress.failed else []
    parts.append(_credits(progress, budget))
    if progress.state == "running":
        parts += [f"{progress.rate:,.1f}".removesuffix(".0") + " a second"] if progress.rate else []
        parts += [f"about {_time(progress.seconds_left)} left"] if progress.seconds_left else []
        parts += [f"{counted(progress.slowed, 'time')} slowed down"] if progress.slowed else []
    return " · ".join(parts)


def summary_line(progress: Progress, sites: Sites | None = None, budget: int | None = None) -> str:
    """Return as HTML how a run ended: sites first, questions second.

    Parameters
    ----------
    progress : Progress
        Its last moment.
    sites : Sites, optional
        What came of its sites; None where they were not counted.
    budget : int, optional
        Credits that the run might use.
    """
    told = "" if sites is None else f"{_told(sites)}<br>"
    parts = _questions(progress)
    parts += [f"{progress.stored:,} answered before"] if progress.stored else []
    parts += [f"{progress.failed:,} failed"] if progress.failed else []
    small = _SMALL.format(" · ".join([*parts, _credits(progress, budget)]))
    if progress.state == "finished":
        return f"<div role='status'><b>Finished.</b> {told}{small}</div>"
    # A run that was stopped by its button says no more than that.
    reason = "" if progress.reason == "stopped" else escape(printable(progress.reason)) or "it did not begin"
    began = f"<b>Stopped:</b> {reason}." if reason else "<b>Stopped.</b>"
    return f"<div role='status'>{began} <b>Resume</b> goes on. {told}{small}</div>"


def _told(sites: Sites) -> str:
    more = f" ({counted(sites.duplicates, 'duplicate')})" if sites.duplicates else ""
    partly = f" ({sites.partly:,} only in part)" if sites.partly else ""
    parts = [f"<b>{sites.answered:,} answered</b>{partly}"]
    parts += [f"<b>{sites.failed:,} not</b>"] if sites.failed else []
    parts += [f"{sites.waiting:,} not asked yet"] if sites.waiting else []
    see = " See Failures." if sites.failed or sites.partly else ""
    different = counted(sites.different, "different site")
    return f"<b>{different}</b>{more}: {', '.join(parts)}.{see}"


def _questions(progress: Progress) -> list[str]:
    return [f"{progress.done:,} of {counted(progress.total, 'question')} done"]


def _credits(progress: Progress, budget: int | None) -> str:
    used = f"{counted(progress.credits_used, 'credit')} used"
    if budget is not None and progress.credits_used >= _NEAR * budget:
        used += f" of the budget of {budget:,}"
    left = progress.credits_left
    # What stands in the account would be taken for what is left of the budget.
    if left is not None and left < progress.total - progress.done:
        used += f", only {left:,} left in the account"
    return used


def _time(seconds: float) -> str:
    if seconds < _MINUTE:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE:.0f} min" if seconds < _HOUR else f"{seconds / _HOUR:.1f} h"


# What has no answer ---------------------------------------------------------------------------------------------------


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
    if status is None:
        return "no answer came: send it again"
    if status >= _SERVER:
        return "the service failed: send it again later"
    if status == 411:  # noqa: PLR2004 - of the interface's table: the page could not be fetched
        fetched = (words for pattern, words in _FETCHED if re.search(pattern, error))
        return next(fetched, _REASONS[status])
    return _REASONS.get(status, "the service refused it: see the details")


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
    asked = ", ".join(dict.fromkeys(WORDS.get(str(name), str(name)) for name in part["endpoint"] if name))
    words = "".join(f"<div>{_cell(error)}</div>" for error in dict.fromkeys(part["error"]))
    details = f"<details><summary style='cursor:pointer;white-space:nowrap'>details</summary>{words}</details>"
    cells = (_cell(site), escape(reasons), _cell(asked), details)
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _cell(value: object) -> str:
    text = str(value)
    return "" if text in {"<NA>", "nan", "None"} else escape(printable(text))
