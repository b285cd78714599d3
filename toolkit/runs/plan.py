"""What a run will do and cost, before anything is sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolkit.interface.text import definition_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolkit.runs.budget import Price

__all__ = ["Plan", "PlannedQuestion"]

_MINUTE = 60
_HOUR = 3600


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    """One question of a plan.

    Attributes
    ----------
    endpoint : str
        What is asked.
    targets : int
        Different targets.
    answered : int
        Answered by this run already, when it is gone on with.
    stored : int
        Fresh stored answers that will be used.
    stale : int
        Stored answers that are too old to be used.
    failed : int
        Failed already; `Run.retry_failed` lets them be sent again.
    to_send : int
        What is left to be sent.
    price : Price or None
        What an answer costs, as answers so far stated, and at most what the run was told; None where that is unknown.
    """

    endpoint: str
    targets: int
    answered: int
    stored: int
    stale: int
    failed: int
    to_send: int
    price: Price | None

    def credits(self, attempts: int = 1) -> tuple[int, float, int] | None:
        """Return the least, the expected and the most credits; None where the price is unknown."""
        if not self.to_send:
            return (0, 0.0, 0)
        if self.price is None:
            return None
        # A page of which nothing can be had costs nothing; the most is every attempt charged.
        return (0, self.to_send * self.price.mean, self.to_send * self.price.high * attempts)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run will do.

    Attributes
    ----------
    rows : int
        Rows of the input.
    unreadable : int
        Rows that are neither a domain nor a URL: they are rows of the frames with an error, and cost nothing.
    questions : tuple of PlannedQuestion
        One a question.
    budget : int or None
        The ceiling.
    spent : int
        Credits that the run has spent already.
    credits_left : int or None
        Credits left in the account, as last stated.
    rate : float or None
        Answers a second of the last runs; None where there was none.
    attempts : int
        The most requests for one answer.
    resumed : bool
        Whether an unfinished run is gone on with.
    """

    rows: int
    unreadable: int
    questions: tuple[PlannedQuestion, ...]
    budget: int | None
    spent: int
    credits_left: int | None
    rate: float | None
    attempts: int
    resumed: bool

    @property
    def duplicates(self) -> int:
        """Rows whose target stands in an earlier row: they share its answer."""
        return self.rows - self.unreadable - max((question.targets for question in self.questions), default=0)

    @property
    def stored(self) -> int:
        """Answers that will be taken from the store."""
        return sum(question.stored for question in self.questions)

    @property
    def stale(self) -> int:
        """Stored answers that are too old."""
        return sum(question.stale for question in self.questions)

    @property
    def to_send(self) -> int:
        """Requests that will be sent if none has to be repeated."""
        return sum(question.to_send for question in self.questions)

    @property
    def credits_low(self) -> int | None:
        """The least credits; None where a price is unknown. Pages of which nothing can be had cost nothing."""
        return None if self._credits is None else int(sum(low for low, _, _ in self._credits))

    @property
    def credits_expected(self) -> float | None:
        """The credits if every answer costs the mean of those so far, within the budget; None if unknown."""
        if self._credits is None:
            return None
        expected = sum(mean for _, mean, _ in self._credits)
        return expected if self.budget is None else min(expected, max(self.budget - self.spent, 0))

    @property
    def credits_worst(self) -> int | None:
        """The most credits: every attempt charged at the highest price so far, within the budget; None if unknown."""
        if self._credits is None:
            return None
        most = int(sum(high for _, _, high in self._credits))
        return most if self.budget is None else min(most, max(self.budget - self.spent, 0))

    @property
    def seconds(self) -> float | None:
        """The time at the rate of the last runs; None where there was none."""
        if not self.to_send:
            return 0.0
        return self.to_send / self.rate if self.rate else None

    @property
    def _credits(self) -> list[tuple[int, float, int]] | None:
        found = [question.credits(self.attempts) for question in self.questions]
        return None if None in found else [credits_used for credits_used in found if credits_used is not None]

    def rows_shown(self) -> list[tuple[str, str | list[str]]]:
        """Return what the displays show: names and values."""
        several = len(self.questions) > 1
        of = {question.endpoint: f" {question.endpoint}" if several else "" for question in self.questions}
        sends = [f"{question.to_send:,}{of[question.endpoint]}" for question in self.questions]
        shown: list[tuple[str, str | list[str]]] = [
            ("rows", f"{self.rows:,}"),
            ("duplicates", f"{self.duplicates:,}"),
            ("no target", f"{self.unreadable:,}" if self.unreadable else ""),
            ("answered before", _counted(question.answered for question in self.questions) if self.resumed else ""),
            ("failed before", _counted(question.failed for question in self.questions)),
            ("from the store", f"{self.stored:,}"),
            ("stored, too old", f"{self.stale:,}" if self.stale else ""),
            ("to send", sends if several else sends[0]),
            ("credits", self._credits_shown()),
            ("budget", "" if self.budget is None else f"{self.budget:,}, of which {self.spent:,} are spent"),
            ("credits left", "" if self.credits_left is None else f"{self.credits_left:,}"),
            ("time", "unknown until the first run" if self.seconds is None else _time(self.seconds)),
        ]
        return [(name, value) for name, value in shown if value]

    def __str__(self) -> str:
        lines = ((name, value if isinstance(value, str) else "; ".join(value)) for name, value in self.rows_shown())
        return "\n".join(f"{name + ':':<17} {value}" for name, value in lines)

    def _repr_html_(self) -> str:
        note = "An unfinished run with the same inputs is gone on with." if self.resumed else ""
        if not self.resumed and not any(question.answered or question.failed for question in self.questions):
            note = "Nothing was sent yet."
        return definition_table("Plan", self.rows_shown(), note)

    def _credits_shown(self) -> str:
        if self.credits_expected is None or self.credits_worst is None:
            return "unknown: no answer has stated its price yet"
        if not self.to_send:
            return "0"
        return f"{self.credits_low:,} to {self.credits_worst:,}, {self.credits_expected:,.0f} expected"


def _counted(numbers: Iterable[int]) -> str:
    total = sum(numbers)
    return f"{total:,}" if total else ""


def _time(seconds: float) -> str:
    if seconds < _MINUTE:
        return f"{seconds:.0f} s"
    if seconds < _HOUR:
        return f"{seconds / _MINUTE:.0f} min"
    return f"{seconds / _HOUR:.1f} h"
