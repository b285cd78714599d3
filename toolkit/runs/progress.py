"""How far a run is: numbers at a moment, and a bar of them in a terminal or a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from toolkit.interface.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Progress", "ProgressBar"]

#: What a bar says: within 80 columns the bar itself still has room.
_BAR: Final = "{percentage:3.0f} % {bar} {n_fmt} of {total_fmt} questions, {remaining} to go{postfix}"


@dataclass(frozen=True, slots=True)
class Progress:
    """A run at a moment.

    Attributes
    ----------
    state : str
        ``ready``, ``running``, ``stopped`` (can be gone on with) or ``finished``.
    total : int
        Tasks: things to be asked once.
    answered, stored, failed : int
        Tasks with an answer of this run, with a stored one, and without.
    sent : int
        Requests sent since the run was begun or gone on with, repeated ones too.
    open : int
        Requests under way.
    slowed : int
        Times that the service said to slow down.
    credits_used : int
        Credits that the run has spent.
    credits_left : int or None
        Credits left in the account, as last stated.
    rate : float
        Answers a second of the last seconds.
    seconds_left : float or None
        Time to the end at this rate.
    reason : str
        Why it stopped; empty where it did not.
    """

    state: str = "ready"
    total: int = 0
    answered: int = 0
    stored: int = 0
    failed: int = 0
    sent: int = 0
    open: int = 0
    slowed: int = 0
    credits_used: int = 0
    credits_left: int | None = None
    rate: float = 0.0
    seconds_left: float | None = None
    reason: str = ""

    @property
    def done(self) -> int:
        """Tasks of which it is known what came of them."""
        return self.answered + self.stored + self.failed

    @property
    def left_as(self) -> str:
        """The state that an earlier call left it in."""
        return "finished" if self.done == self.total else "stopped"

    def __str__(self) -> str:
        parts = [f"{self.state}: {self.done:,} of {self.total:,} questions done"]
        parts += [f"{self.stored:,} kept already"] if self.stored else []
        parts += [f"{self.failed:,} failed"] if self.failed else []
        parts += [f"{self.credits_used:,} credits used"]
        parts += [f"{self.credits_left:,} left"] if self.credits_left is not None else []
        parts += [f"{self.rate:,.0f} a second"] if self.state == "running" and self.rate else []
        parts += [self.reason] if self.reason else []
        return ", ".join(parts)


class ProgressBar:
    """Shows progress on standard error, or as a widget in a notebook."""

    def __init__(self) -> None:
        from tqdm.auto import tqdm  # noqa: PLC0415 - it looks for a notebook, so only where a bar is shown

        self._new: Callable[..., tqdm[None]] = tqdm
        self._bar: tqdm[None] | None = None

    def __call__(self, progress: Progress) -> None:
        """Show a moment."""
        if self._bar is None:
            self._bar = self._new(total=progress.total, bar_format=_BAR, dynamic_ncols=True, mininterval=0.0)
        self._bar.n = progress.done
        failed = f"{progress.failed:,} failed, " if progress.failed else ""
        self._bar.set_postfix_str(f"{failed}{counted(progress.credits_used, 'credit')}", refresh=False)
        self._bar.refresh()

    def close(self) -> None:
        """End the bar and leave it to be read."""
        if self._bar is not None:
            self._bar.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
