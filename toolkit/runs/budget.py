"""What a run may cost: a hard ceiling that is looked at before each send."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from toolkit.interface.calls import QUESTIONS
from toolkit.interface.checks import check_whole
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["EMBEDDED_PRICE", "Budget", "Price", "budget_of"]


@dataclass(frozen=True, slots=True)
class Price:
    """What an answer costs, as answers so far stated it: the least, the mean and the most credits."""

    low: int
    mean: float
    high: int


#: The embedded service charges each answer alike.
EMBEDDED_PRICE: Final = Price(1, 1.0, 1)


@dataclass(slots=True)
class Budget:
    """Counts credits: spent for certain, and held for what is under way.

    Examples
    --------
    >>> budget = Budget(2, {"segment": 1})
    >>> budget.hold("segment"), budget.hold("segment"), budget.hold("segment")
    (1, 1, None)
    """

    ceiling: int | None = None
    #: The most that an answer of an endpoint has cost; an endpoint that is missing has an unknown price.
    prices: dict[str, int] = field(default_factory=dict)
    #: Credits that answers stated, and those of requests of which it is not known whether they were charged.
    spent: int = 0
    held: int = 0
    probing: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        try:
            self.prices = dict(self.prices)  # the caller's own stays as it is
        except (TypeError, ValueError):
            raise InputError("prices must be a mapping of questions to credits: {'segment': 1}.") from None
        advice = "Give a whole number of credits, from 0."
        for name, price in self.prices.items():
            self.prices[name] = check_whole(price, f"The price of {name}", 0, advice=advice)
        if self.ceiling is not None:
            self.ceiling = check_whole(self.ceiling, "The budget", 0, advice=advice)

    def learn(self, prices: Mapping[str, Price]) -> None:
        """Take prices that were seen before, where none was given."""
        for endpoint, price in prices.items():
            self.prices.setdefault(endpoint, price.high)

    def hold(self, endpoint: str) -> int | None:
        """Set aside what a request may cost, and return it; None if that would exceed the ceiling.

        Under a ceiling a request of unknown price goes alone: its answer tells the price.
        """
        if self.ceiling is None:
            return 0
        price = self.prices.get(endpoint)
        if price is None:
            if self.probing or self.held or self.spent >= self.ceiling:
                return None
            self.probing.add(endpoint)
            return 0
        if self.probing or self.spent + self.held + price > self.ceiling:
            return None
        self.held += price
        return price

    def settle(self, endpoint: str, held: int, credits_used: int | None, *, answered: bool) -> None:
        """Count what a request has cost: where that is unknown (None), the most that an answer costs.

        `answered` says whether it is the price of an answer, and so tells what others will cost.
        """
        self.held -= held
        self.probing.discard(endpoint)
        self.spent += self.prices.get(endpoint, 0) if credits_used is None else credits_used
        if answered and credits_used is not None:
            self.prices[endpoint] = max(self.prices.get(endpoint, 0), credits_used)

    @property
    def is_waiting(self) -> bool:
        """Whether what is under way may still free credits or tell a price."""
        return self.held > 0 or bool(self.probing)


def budget_of(ceiling: int | Budget | None, prices: Mapping[str, int] | None) -> Budget:
    """Return the budget of a run, with what its answers cost at most; one that is a budget already stays as it is.

    A question that is not asked has its price for another time.

    >>> budget_of(5, {"segment": 1}).prices
    {'segment': 1}
    >>> budget_of(5, {"segmant": 1})
    Traceback (most recent call last):
        ...
    toolkit.interface.errors.InputError: prices must be for 'segment', 'categorize', 'categorize_content', 'enrich', not
    'segmant'.
    """
    given = {} if prices is None else prices
    made = Budget(None if isinstance(ceiling, Budget) else ceiling, given)  # type: ignore[arg-type]  # any mapping
    for name in made.prices:
        if name not in QUESTIONS:
            raise InputError(f"prices must be for {', '.join(map(repr, QUESTIONS))}, not {name!r:.80}.")
    return ceiling if isinstance(ceiling, Budget) else made
