"""How many requests may be open at a time: more while all goes well, half of them when the service says slow down."""

from __future__ import annotations

from typing import Final

from toolkit.interface.checks import check_whole
from toolkit.net.connection import MOST_OPEN

__all__ = ["Pace"]

#: Where it begins: at what the interface calls the default.
_FIRST: Final = 50


class Pace:
    """A limit of open requests by additive increase and multiplicative decrease.

    It begins with 50, the interface's default, and doubles with every round until the service first says slow down;
    from then on a round of answers adds one, and each 429 halves it. Requests that were sent before the last halving
    do not halve it again: they tell of the same moment. It never exceeds `most`.

    Examples
    --------
    >>> pace = Pace(100)
    >>> for _ in range(200):
    ...     pace.went_well()
    >>> pace.limit
    100
    >>> pace.slow_down(sent_at=1.0, now=2.0, wait=5.0)
    >>> pace.limit, pace.resumes_at
    (50, 7.0)
    """

    def __init__(self, most: int) -> None:
        self.resumes_at = 0.0
        self._slowed_at: float | None = None
        self.most = check_whole(most, "concurrency", 1, MOST_OPEN)
        self.limit = min(_FIRST, self.most)
        self._limit = float(self.limit)

    def _set(self, limit: float) -> None:
        self._limit = float(limit)
        self.limit = int(limit)

    def resize(self, most: int) -> None:
        """Set anew what the limit never exceeds."""
        self.most = most
        begun = float(min(_FIRST, most)) if self._slowed_at is None else 1.0
        self._set(min(max(self._limit, begun), float(most)))

    def went_well(self) -> None:
        """Count an answer that came without complaint."""
        self._set(min(self._limit + (1.0 if self._slowed_at is None else 1.0 / self._limit), float(self.most)))

    def slow_down(self, sent_at: float, now: float, wait: float) -> None:
        """Count a 429 for a request sent at a time; nothing more is sent for `wait` seconds."""
        self.resumes_at = max(self.resumes_at, now + wait)
        if self._slowed_at is None or sent_at > self._slowed_at:
            self._set(max(self._limit / 2, 1.0))
            self._slowed_at = now
