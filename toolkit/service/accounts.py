"""Accounts: keys, credits, monthly quota and rate limit."""

from __future__ import annotations

import hashlib
import hmac
import math
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolkit.service.settings import Settings

__all__ = ["Account", "Accounts", "Refusal"]

#: Share of the monthly quota at which a warning is sent.
WARNING_SHARE: Final = 0.8


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is refused: code of the error table, words, and seconds to wait if waiting helps."""

    status: int
    detail: str
    retry_after: float | None = None


class Account:
    """One account: what it may still use.

    Credits and quota are used up by answers, one each; an answer with an error costs nothing. Requests count against
    the rate limit whatever their answer.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float], now: Callable[[], datetime]) -> None:
        self.total_credits = settings.total_credits
        self.remaining_credits = settings.total_credits
        self.monthly_quota = settings.monthly_quota
        self.used_this_month = 0
        self._rate = settings.rate_per_second
        self._burst = settings.burst
        self._tokens = float(settings.burst)
        self._clock = clock
        self._now = now
        self._filled_at = clock()
        self._month = self._current_month()

    def admit(self) -> Refusal | None:
        """Count a request against the rate limit; return why it is refused, or None."""
        if self._rate is None:
            return None
        self._fill()
        if self._tokens >= 1:
            self._tokens -= 1
            return None
        wait = (1 - self._tokens) / self._rate
        return Refusal(429, f"rate limit of {self._rate:g} requests a second reached", wait)

    def afford(self, answers: int = 1) -> Refusal | None:
        """Return why so many answers cannot be paid for, or None."""
        self._turn_month()
        if self.monthly_quota is not None and self.used_this_month + answers > self.monthly_quota:
            return Refusal(403, f"the monthly quota of {self.monthly_quota} answers is used up")
        if answers > self.remaining_credits:
            return Refusal(403, "no credits are left")
        return None

    def charge(self, answers: int = 1) -> list[str]:
        """Use up credits and quota; return the names of the quota events that this raises."""
        self._turn_month()
        before = self.used_this_month
        self.remaining_credits -= answers
        self.used_this_month += answers
        if self.monthly_quota is None:
            return []
        marks = (
            ("quota.warning", math.ceil(WARNING_SHARE * self.monthly_quota)),
            ("quota.exceeded", self.monthly_quota),
        )
        return [event for event, mark in marks if before < mark <= self.used_this_month]

    def credit_fields(self, used: int) -> dict[str, int]:
        """Return the credit fields of a response that will use up so many credits."""
        return {
            "credits_used": used,
            "total_credits": self.total_credits,
            "remaining_credits": self.remaining_credits - used,
        }

    def rate_headers(self) -> dict[str, str]:
        """Return the rate-limit headers of a response."""
        if self._rate is None:
            return {}
        self._fill()
        reset = math.ceil(max(self._burst - self._tokens, 0) / self._rate)
        return {
            "X-RateLimit-Limit": str(self._burst),
            "X-RateLimit-Remaining": str(int(self._tokens)),
            "X-RateLimit-Reset": str(reset),
        }

    def _fill(self) -> None:
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._filled_at) * (self._rate or 0))
        self._filled_at = now

    def _turn_month(self) -> None:
        if self._month != (month := self._current_month()):
            self._month, self.used_this_month = month, 0

    def _current_month(self) -> tuple[int, int]:
        now = self._now()
        return now.year, now.month


class Accounts:
    """The accounts of a service, found by key. Keys are kept as digests only.

    Parameters
    ----------
    settings : Settings
        Keys and limits.
    clock, now : callable
        Seconds for the rate limit, and the calendar for the quota.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._accounts = {_digest(key): Account(settings, clock, now) for key in settings.keys}

    def find(self, key: str) -> Account | None:
        """Return the account of a key, comparing in constant time."""
        digest = _digest(key)
        found = None
        for known, account in self._accounts.items():
            if hmac.compare_digest(known, digest):
                found = account
        return found


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
