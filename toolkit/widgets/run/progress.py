"""How far a run is, and how it ended, in the words of someone who counts sites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolkit.interface.text import counted, duration
from toolkit.widgets.html import escaped

if TYPE_CHECKING:
    from toolkit.runs.counts import Counts
    from toolkit.runs.progress import Progress

__all__ = ["progress_line", "summary_line"]

#: Part of a budget, or of the account, from which on it matters how much is left.
_NEAR: Final = 0.8
_SMALL: Final = "<span style='opacity:.75;font-size:.92em'>{}</span>"


def progress_line(progress: Progress, sites: int | None = None, budget: int | None = None) -> str:
    """Return a moment of a run as HTML: done, credits, rate and time left; `sites` are the different ones.

    Examples
    --------
    >>> from toolkit.runs.progress import Progress
    >>> progress_line(Progress("running", 40, answered=10, credits_used=9, rate=5.0, seconds_left=6.0), sites=20)
    '<b>20 sites</b> · 10 of 40 questions done · 9 credits used · 5 a second · about 6 s left'
    """
    parts = [] if sites is None else [f"<b>{counted(sites, 'site')}</b>"]
    parts += _questions(progress)
    parts.append(_credits(progress, budget))
    if progress.state == "running":
        parts += [f"{progress.rate:,.1f}".removesuffix(".0") + " a second"] if progress.rate else []
        parts += [f"about {duration(progress.seconds_left)} left"] if progress.seconds_left else []
        parts += [f"{counted(progress.slowed, 'time')} slowed down"] if progress.slowed else []
    return " · ".join(parts)


def summary_line(progress: Progress, counts: Counts, budget: int | None = None) -> str:
    """Return as HTML how a run ended: sites first, questions second."""
    gaps = counts.thin or counts.unopened or counts.failed or counts.partly or counts.invalid
    see = " See <i>Failures</i>." if gaps else ""
    if progress.state == "finished":
        # What it cost stands in the line of where it is kept.
        return f"<div role='status' style='line-height:1.4'><b>Finished.</b> {escaped(str(counts))}.{see}</div>"
    told = f"{escaped(str(counts))}.{see}<br>"
    parts = _questions(progress)
    parts += [f"{progress.stored:,} kept already"] if progress.stored else []
    small = _SMALL.format(" · ".join([*parts, _credits(progress, budget)]))
    # A run that was stopped by its button says no more than that.
    reason = "" if progress.reason == "stopped" else escaped(progress.reason) or "it did not begin"
    began = f"<b>Stopped:</b> {reason}." if reason else "<b>Stopped.</b>"
    return f"<div role='status'>{began} <b>Resume</b> goes on. {told}{small}</div>"


def _questions(progress: Progress) -> list[str]:
    failed = f", {progress.failed:,} of them failed" if progress.failed else ""
    return [f"{progress.done:,} of {counted(progress.total, 'question')} done{failed}"]


def _credits(progress: Progress, budget: int | None) -> str:
    used = f"{counted(progress.credits_used, 'credit')} used"
    if budget is not None and progress.credits_used >= _NEAR * budget:
        used += f" of the budget of {budget:,}"
    left = progress.credits_left
    # What stands in the account would be taken for what is left of the budget.
    if left is not None and left < progress.total - progress.done:
        used += f", only {left:,} left in the account"
    return used
