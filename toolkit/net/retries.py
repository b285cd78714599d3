"""When a request is tried again, and how long is waited before: one policy for single requests, runs and batches."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from toolkit.interface.checks import check_seconds, check_whole
from toolkit.interface.errors import ConfigurationError, ConnectionFailedError, RateLimitedError, ServerError

__all__ = ["Retries"]

_MOST_TRIES: Final = 1_000


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and how long a request is tried again after 429, 5xx and failed connections.

    Attributes
    ----------
    attempts : int
        Attempts in all; 1 for none again.
    seconds : float
        Time in all.
    first_wait, longest_wait : float
        Seconds before the second attempt, doubled each time up to the longest.
    longest_retry_after : float
        A Retry-After up to this many seconds is honoured; a longer one ends the call with its error.

    Raises
    ------
    ConfigurationError
        If `attempts` is none of 1 to 1000, or a time is no number of seconds up to a day.
    """

    attempts: int = 4
    seconds: float = 180.0
    first_wait: float = 0.5
    longest_wait: float = 20.0
    longest_retry_after: float = 120.0

    def __post_init__(self) -> None:
        attempts = check_whole(self.attempts, "attempts", 1, _MOST_TRIES, error=ConfigurationError)
        object.__setattr__(self, "attempts", attempts)
        check_seconds(self.seconds, "seconds")
        for name in ("first_wait", "longest_wait", "longest_retry_after"):
            check_seconds(getattr(self, name), name, zero=True)

    def wait(self, attempt: int) -> float:
        """Return the seconds to wait after so many attempts, if the service does not say."""
        return min(self.first_wait * 2.0 ** (min(attempt, _MOST_TRIES) - 1), self.longest_wait)

    def wait_for(self, error: Exception, attempt: int, spent: float) -> float | None:
        """Return the seconds to wait after an error, so many attempts and `spent` seconds; None for not again."""
        if attempt >= self.attempts or not may_pass(error):
            return None
        asked = getattr(error, "retry_after", None)
        if asked is None:
            # Spread, so that those whom the same moment refused do not come back at the same moment.
            wait = self.wait(attempt) + random.uniform(0, self.first_wait / 2)  # noqa: S311 - no secret
        else:
            wait = float(asked)
            if wait > self.longest_retry_after:
                return None
        return wait if spent + wait <= self.seconds else None


def may_pass(error: Exception) -> bool:
    """Tell whether the same request, sent again at once, is certain to cost nothing twice and may be answered."""
    if isinstance(error, RateLimitedError | ServerError):
        return True
    return isinstance(error, ConnectionFailedError) and error.was_not_sent and not error.is_lasting
