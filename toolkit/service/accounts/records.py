"""What the service keeps of accounts, batch jobs and notifications."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = ["Batch", "Delivery", "Item", "Submission", "Usage"]

#: What came of one domain of a batch.
Item = dict[str, Any]

_OK: Final = 200


@dataclass(frozen=True, slots=True)
class Usage:
    """What an account has used: in its last month (``2031-01``), and of its credits."""

    month: str
    this_month: int
    credits: int


@dataclass(frozen=True, slots=True)
class Delivery:
    """A notification that is not acknowledged yet."""

    #: The identifier in its payload.
    webhook_id: str
    #: Where it goes, and what signs it.
    url: str
    secret: str = field(repr=False)
    #: The payload as it is sent, the same at each attempt.
    body: bytes = field(repr=False)
    #: Attempts made.
    attempts: int
    #: When the next one is due, in seconds of the epoch: the clock that goes on while no process runs.
    next_at: float


@dataclass(frozen=True, slots=True)
class Submission:
    """By what a repeated submission of a batch is known: the client's key, and a digest of all that was submitted."""

    key: str
    payload: str = field(repr=False)


@dataclass(slots=True)
class Batch:
    """One batch job."""

    #: Its identifier.
    id: str
    #: Digest of the account whose it is; nobody else can fetch it.
    account: str
    #: As submitted.
    domains: list[str]
    #: Where its results are.
    results_url: str
    #: Where its notification goes, and what signs it.
    webhook_url: str | None = None
    webhook_secret: str | None = field(default=None, repr=False)
    #: ``processing``, ``completed`` or ``failed``.
    state: str = "processing"
    #: When it was submitted, in seconds of the epoch.
    started_at: float = field(default_factory=time.time)
    #: How long it took; 0 while it is processed.
    seconds: float = 0.0
    #: One a domain, in the order submitted; None where not done.
    items: list[Item | None] = field(default_factory=list)

    @property
    def successful(self) -> int:
        """Number of domains that got categories."""
        return sum(1 for item in self.items if item and item["status"] == _OK)

    @property
    def failed(self) -> int:
        """Number of domains that got an error."""
        return sum(1 for item in self.items if item and item["status"] != _OK)

    @property
    def age(self) -> float:
        """Seconds since it was submitted, the time without a process included."""
        return max(time.time() - self.started_at, 0.0)

    def summary(self) -> dict[str, Any]:
        """Return the batch job record of the interface."""
        return {
            "batch_id": self.id,
            "total_domains": len(self.domains),
            "successful": self.successful,
            "failed": self.failed,
            "processing_time_seconds": round(self.age if self.state == "processing" else self.seconds),
            "results_url": self.results_url,
        }

    def results(self) -> dict[str, Any]:
        """Return the results, complete or so far, with what the domains have cost: fetching them is free."""
        return {
            **self.summary(),
            "state": self.state,
            "credits_used": self.successful,
            "results": self.done(),
        }

    def done(self) -> list[Item]:
        """Return the items that are done, in the order submitted."""
        return [item for item in self.items if item is not None]
