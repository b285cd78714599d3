"""How far a run is, and how it ended, in the words of someone who counts sites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from toolkit.frames.about import site_of
from toolkit.interface.text import counted
from toolkit.runs.results import NOT_ASKED
from toolkit.widgets.html import escaped

if TYPE_CHECKING:
    import pandas as pd

    from toolkit.runs.plan import Plan
    from toolkit.runs.progress import Progress

__all__ = ["Sites", "progress_line", "sites_of_run", "summary_line"]

_MINUTE: Final = 60
_HOUR: Final = 3600
#: Part of a budget, or of the account, from which on it matters how much is left.
_NEAR: Final = 0.8
_SMALL: Final = "<span style='opacity:.75;font-size:.92em'>{}</span>"


@dataclass(frozen=True, slots=True)
class Sites:
    """How many different sites a run has, and what came of them."""

    #: Different sites, and rows that repeat one.
    different: int
    duplicates: int
    #: Sites with an answer to at least one question, and those of them without one to another.
    answered: int
    partly: int
    #: Sites without any answer, and those that were not asked yet.
    failed: int
    waiting: int


def sites_of_run(plan: Plan, failures: pd.DataFrame) -> Sites:
    """Count the sites of a run from its plan and its whole failures frame."""
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
    """Return a moment of a run as HTML: done, failed, credits, rate and time left; `sites` are the different ones.

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
    """Return as HTML how a run ended: sites first, where they were counted, questions second."""
    told = "" if sites is None else f"{_told(sites)}<br>"
    parts = _questions(progress)
    parts += [f"{progress.stored:,} answered before"] if progress.stored else []
    parts += [f"{progress.failed:,} failed"] if progress.failed else []
    small = _SMALL.format(" · ".join([*parts, _credits(progress, budget)]))
    if progress.state == "finished":
        return f"<div role='status'><b>Finished.</b> {told}{small}</div>"
    # A run that was stopped by its button says no more than that.
    reason = "" if progress.reason == "stopped" else escaped(progress.reason) or "it did not begin"
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
