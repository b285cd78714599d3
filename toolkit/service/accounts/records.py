"""What the service keeps of accounts, batch jobs and notifications."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = ["Batch", "Delivery", "Item", "Usage"]

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
    """A notification that is not acknowledged yet.

    Attributes
    ----------
    webhook_id : str
        The identifier in its payload.
    url, secret : str
        Where it goes, and what signs it.
    body : bytes
        The payload as it is sent, the same at each attempt.
    attempts : int
        Attempts made.
    next_at : float
        When the next one is due, in seconds of the epoch: the clock that goes on while no process runs.
    """

    webhook_id: str
    url: str
    secret: str = field(repr=False)
    body: bytes = field(repr=False)
    attempts: int
    next_at: float


@dataclass(slots=True)
class Batch:
    """One batch job.

    Attributes
    ----------
    id : str
        Its identifier.
    account : str
        Digest of the account whose it is; nobody else can fetch it.
    domains : list of str
        As submitted.
    results_url : str
        Where its results are.
    webhook_url, webhook_secret : str or None
        Where its notification goes, and what signs it.
    state : str
        ``processing``, ``completed`` or ``failed``.
    started_at : float
        When it was submitted, in seconds of the epoch.
    seconds : float
        How long it took; 0 while it is processed.
    items : list of dict or None
        One a domain, in the order submitted; None where not done.
    """

    id: str
    account: str
    domains: list[str]
    results_url: str
    webhook_url: str | None = None
    webhook_secret: str | None = field(default=None, repr=False)
    state: str = "processing"
    started_at: float = field(default_factory=time.time)
    seconds: float = 0.0
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
