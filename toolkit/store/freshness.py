"""How old a stored answer may be to be used in place of a new one."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Self

from toolkit.interface.checks import is_number
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CLOCKS_DIFFER", "STORED_ENDPOINTS", "Age", "Freshness", "age_of"]

#: Endpoints whose answers are kept.
STORED_ENDPOINTS: Final = ("segment", "categorize", "categorize_content", "enrich", "filters")

#: A time span, or hours as a number.
Age = timedelta | float | int

_ANSWERED: Final = 200
#: An answer is fresh only if it is not of the future: where a clock has gone back, it would be so until the clock has
#: come up again. The clocks of machines that share a file may differ by this much.
CLOCKS_DIFFER: Final = timedelta(minutes=15)
_LONGEST: Final = 24 * 36_500


@dataclass(frozen=True, slots=True)
class Freshness:
    """Ages up to which stored answers are fresh.

    The interface advises 24 to 48 hours generally and 1 to 4 hours for real-time use; these are the default and
    `real_time`.

    Attributes
    ----------
    answers : timedelta or float
        Age of answers; a number is hours.
    failures : timedelta or float
        Age of what is known of the page itself: too little content (410), could not be fetched (411).
    endpoints : mapping of str to timedelta or float
        Ages of the answers of single endpoints: ``{"enrich": 24 * 30}``.

    Raises
    ------
    InputError
        If an age is negative or no time, or an endpoint is none whose answers are kept.

    Examples
    --------
    >>> Freshness().limit("segment", 200), Freshness.real_time().limit("segment", 411)
    (datetime.timedelta(days=2), datetime.timedelta(seconds=3600))
    """

    answers: Age = 48
    failures: Age = 24
    endpoints: Mapping[str, Age] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, age in (("answers", self.answers), ("failures", self.failures), *self.endpoints.items()):
            age_of(age, name)
        for name in self.endpoints:
            if name not in STORED_ENDPOINTS:
                raise InputError(f"{name!r} is no endpoint whose answers are kept: {', '.join(STORED_ENDPOINTS)}.")

    @classmethod
    def real_time(cls) -> Self:
        """Return the preset for real-time use: answers of 4 hours, failures of 1 hour."""
        return cls(answers=4, failures=1)

    def since(self, endpoint: str, now: int) -> tuple[int, int]:
        """Return since when answers and failures of an endpoint are fresh, in microseconds since 1970 as `now` is."""
        answers, failures = (self.limit(endpoint, status).total_seconds() for status in (_ANSWERED, 0))
        return now - round(1e6 * answers), now - round(1e6 * failures)

    def limit(self, endpoint: str, status: int) -> timedelta:
        """Return how old an answer of an endpoint with this status may be."""
        if status != _ANSWERED:
            return _span(self.failures)
        return _span(self.endpoints.get(endpoint, self.answers))


def age_of(age: Age, name: str = "age") -> timedelta:
    """Return an age as a time span, a number being hours.

    `name` is what it is called in the `InputError` of what is negative or no time.

    >>> age_of(1.5)
    datetime.timedelta(seconds=5400)
    """
    hours = age / timedelta(hours=1) if isinstance(age, timedelta) else age
    if not is_number(hours, 0, _LONGEST):
        raise InputError(f"{name} must be a timedelta or a number of hours from 0 to 100 years, not {age!r}.")
    return _span(age)


def _span(age: Age) -> timedelta:
    return age if isinstance(age, timedelta) else timedelta(hours=float(age))
