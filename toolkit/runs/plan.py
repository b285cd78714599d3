"""What a run will do and cost, before anything is sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from toolkit.interface.text import counted, definition_table, duration
from toolkit.interface.words.labels import question_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolkit.net.cache import Window
    from toolkit.runs.budget import Budget, Price
    from toolkit.runs.counts import Counts
    from toolkit.runs.journal import Journal

__all__ = ["Plan", "PlannedQuestion", "planned"]

#: The embedded service as it was measured on four cores: seconds until it is ready, and answers a second from then on.
_EMBEDDED_START: Final = 1.0
_EMBEDDED_RATE: Final = 50.0
_ROUNDING: Final = 1e-9


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
    counts : Counts
        What the list holds, and what came of its sites so far; see `toolkit.runs.counts.Counts`.
    questions : tuple of PlannedQuestion
        One a question.
    budget : int or None
        The ceiling.
    spent : int
        Credits that the run has spent already.
    credits_left : int or None
        Credits left in the account, as last stated.
    rate : float or None
        Answers a second: of the last runs, or as the embedded service was measured; None where that is not known.
    attempts : int
        The most requests for one answer that may be charged.
    resumed : bool
        Whether an unfinished run is gone on with.
    """

    counts: Counts
    questions: tuple[PlannedQuestion, ...]
    budget: int | None
    spent: int
    credits_left: int | None
    rate: float | None
    attempts: int
    resumed: bool

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
        if self._unbounded is None:
            return None
        return self._unbounded if self.budget is None else min(self._unbounded, max(self.budget - self.spent, 0))

    @property
    def credits_worst(self) -> int | None:
        """The most credits: every attempt charged at the highest price so far, within the budget; None if unknown."""
        if self._credits is None:
            return None
        most = int(sum(high for _, _, high in self._credits))
        return most if self.budget is None else min(most, max(self.budget - self.spent, 0))

    @property
    def seconds(self) -> float | None:
        """The time at that rate; None where it is not known."""
        if not self.to_send:
            return 0.0
        return self.to_send / self.rate if self.rate else None

    @property
    def _unbounded(self) -> float | None:
        """The credits that the whole list is expected to cost, whatever the budget."""
        return None if self._credits is None else sum(mean for _, mean, _ in self._credits)

    @property
    def _credits(self) -> list[tuple[int, float, int]] | None:
        found = [question.credits(self.attempts) for question in self.questions]
        return None if None in found else [credits_used for credits_used in found if credits_used is not None]

    def rows_shown(self) -> list[tuple[str, str | list[str]]]:
        """Return what the displays show: names and values."""
        several = len(self.questions) > 1
        of = {one.endpoint: f"{question_label(one.endpoint).lower()}: " if several else "" for one in self.questions}
        sends = [f"{of[one.endpoint]}{one.to_send:,}" for one in self.questions]
        is_begun = self.counts.waiting < self.counts.sites
        shown: list[tuple[str, str | list[str]]] = [
            ("sites", self.counts.of_list),
            ("so far", self.counts.of_sites if is_begun else ""),
            ("failed before", _counted(question.failed for question in self.questions)),
            ("kept already", counted(self.stored, "answer") if self.stored else ""),
            ("kept, too old", counted(self.stale, "answer") if self.stale else ""),
            ("to ask", sends if several else sends[0]),
            ("credits", self._credits_shown()),
            ("budget", "" if self.budget is None else f"{self.budget:,}, of which {self.spent:,} are spent"),
            ("credits left", "" if self.credits_left is None else f"{self.credits_left:,}"),
            ("time", self._time_shown()),
        ]
        return [(name, value) for name, value in shown if value]

    def __str__(self) -> str:
        lines = ((name, value if isinstance(value, str) else "; ".join(value)) for name, value in self.rows_shown())
        return "\n".join(f"{name + ':':<17} {value}" for name, value in lines)

    def _repr_html_(self) -> str:
        note = "An unfinished run with the same list is gone on with." if self.resumed else ""
        if not self.resumed and not any(question.answered or question.failed for question in self.questions):
            note = "Nothing was sent yet."
        return definition_table("Plan", self.rows_shown(), note)

    def _credits_shown(self) -> str:
        if self.credits_expected is None or self.credits_worst is None:
            return "not known yet: the first answer tells its price"
        if not self.to_send:
            return "0"
        if self.credits_worst == 0 and self._unbounded:
            return f"about {self._unbounded:,.0f}; the budget is {'spent' if self.spent else '0'}, so nothing is asked"
        if self._unbounded is not None and self._unbounded > self.credits_expected:
            return self._too_small(self._unbounded, self.credits_expected)
        expected = round(self.credits_expected)
        most = "" if expected == self.credits_worst else f", at most {self.credits_worst:,}"
        return f"about {expected:,}{most}; a page that cannot be opened costs nothing"

    def _too_small(self, needed: float, left: float) -> str:
        """Return what the list costs, and for how much of it the budget is enough."""
        asked = counted(self.to_send, "site" if len(self.questions) == 1 else "question")
        budget = f"the budget of {self.budget:,}" if not self.spent else f"what is left of the budget, {left:,.0f},"
        part = int(self.to_send * left / needed + _ROUNDING)
        some = f"some {part:,}" if part > 1 else "one" if part else "less than one"
        return f"about {needed:,.0f}; {budget} pays for {some} of the {asked}"

    def _time_shown(self) -> str:
        if self.seconds is None:
            return "not known yet: the first answers tell the pace"
        return f"about {duration(self.seconds)}" if self.to_send else "none"


def planned(
    journal: Journal,
    windows: Sequence[Window | None],
    prices: Sequence[Price | None],
    *,
    budget: Budget,
    attempts: int,
    is_embedded: bool = False,
    is_of_then: bool = False,
    is_begun: bool = False,
) -> Plan:
    """Return the plan of a run from its journal.

    `is_of_then` says that only the store is looked at, and `is_begun` that this process has begun to send.
    """
    standings = journal.standing(windows)
    questions = tuple(
        PlannedQuestion(
            endpoint=question.endpoint,
            targets=stands.total,
            answered=stands.answered + stands.stored,
            stored=stands.fresh,
            stale=stands.stale,
            failed=stands.failed,
            to_send=0 if is_of_then else stands.to_send,
            price=price,
        )
        for question, stands, price in zip(journal.questions, standings, prices, strict=True)
    )
    rate = journal.rate()
    if rate is None and is_embedded:
        # What is asked first waits for the service, which reads its knowledge then.
        to_send = sum(question.to_send for question in questions)
        rate = to_send / (_EMBEDDED_START + to_send / _EMBEDDED_RATE) if to_send else None
    return Plan(
        counts=journal.counts(is_begun=any(stands.waiting < stands.total for stands in standings)),
        questions=questions,
        budget=budget.ceiling,
        spent=journal.spent(),
        credits_left=journal.remaining(),
        rate=rate,
        attempts=attempts,
        resumed=journal.resumed or is_begun,
    )


def _counted(numbers: Iterable[int]) -> str:
    total = sum(numbers)
    return counted(total, "question") if total else ""
