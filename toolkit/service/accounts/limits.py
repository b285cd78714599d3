"""Accounts: keys, credits, monthly quota and rate limit."""

from __future__ import annotations

import hashlib
import hmac
import math
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from toolkit.service.accounts.ledger import Ledger
from toolkit.service.accounts.records import Usage

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
    the rate limit whatever their answer. What is used stands in the ledger alone, so that it is undone there with all
    that was to be written with it. The ledger knows the account by `digest`, that of its key.
    """

    def __init__(
        self, digest: str, settings: Settings, ledger: Ledger, clock: Callable[[], float], now: Callable[[], datetime]
    ) -> None:
        self.digest = digest
        self.total_credits = settings.total_credits
        self.monthly_quota = settings.monthly_quota
        self._ledger = ledger
        self._rate = settings.rate_per_second
        self._burst = settings.burst
        self._tokens = float(settings.burst)
        self._clock = clock
        self._now = now
        self._filled_at = clock()

    @property
    def used_this_month(self) -> int:
        """Answers got in this calendar month."""
        return self._usage().this_month

    @property
    def remaining_credits(self) -> int:
        """Credits that are left."""
        # An operator may have lowered the stock below what is used already.
        return max(self.total_credits - self._usage().credits, 0)

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
        if self.monthly_quota is not None and self.used_this_month + answers > self.monthly_quota:
            return Refusal(403, f"the monthly quota of {self.monthly_quota} answers is used up")
        if answers > self.remaining_credits:
            return Refusal(403, "no credits are left")
        return None

    def charge(self, answers: int = 1) -> list[str]:
        """Use up credits and quota; return the names of the quota events that this raises."""
        usage = self._usage()
        before, after = usage.this_month, usage.this_month + answers
        self._ledger.write_usage(self.digest, Usage(usage.month, after, usage.credits + answers))
        if self.monthly_quota is None:
            return []
        marks = (
            ("quota.warning", math.ceil(WARNING_SHARE * self.monthly_quota)),
            ("quota.exceeded", self.monthly_quota),
        )
        return [event for event, mark in marks if before < mark <= after]

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

    def _usage(self) -> Usage:
        month, usage = f"{self._now():%Y-%m}", self._ledger.usage(self.digest)
        return usage if usage.month == month else Usage(month, 0, usage.credits)


class Accounts:
    """The accounts of a service, found by key. Keys are kept as digests only.

    `clock` gives the seconds of the rate limit, `now` the calendar of the quota.
    """

    def __init__(
        self,
        settings: Settings,
        ledger: Ledger | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        ledger = Ledger(None) if ledger is None else ledger
        digests = (_digest(key.get_secret_value()) for key in settings.keys)
        self._accounts = {digest: Account(digest, settings, ledger, clock, now) for digest in digests}

    def find(self, key: str) -> Account | None:
        """Return the account of a key, comparing in constant time."""
        digest = _digest(key)
        found = None
        for known, account in self._accounts.items():
            if hmac.compare_digest(known, digest):
                found = account
        return found

    def of_digest(self, digest: str) -> Account | None:
        """Return the account that the ledger knows by this digest; None if its key is not valid any more."""
        return self._accounts.get(digest)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
