"""Batch jobs: many domains categorized in the background."""

from __future__ import annotations

import asyncio
import time
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from toolkit.service.failures import Failure

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from toolkit.service.accounts import Account
    from toolkit.service.deliveries import Deliveries

__all__ = ["MOST_DOMAINS", "Batch", "Batches"]

MOST_DOMAINS: Final = 1_000
_AT_ONCE: Final = 8
_KEPT_BATCHES: Final = 1_000

Item = dict[str, Any]


@dataclass(slots=True)
class Batch:
    """One batch job.

    Attributes
    ----------
    id : str
        Its identifier.
    account : Account
        Whose it is; nobody else can fetch it.
    domains : list of str
        As submitted.
    results_url : str
        Where its results are.
    webhook_url, webhook_secret : str or None
        Where its notification goes, and what signs it.
    state : str
        ``processing``, ``completed`` or ``failed``.
    items : list of dict or None
        One a domain, in the order submitted; None where not done.
    """

    id: str
    account: Account
    domains: list[str]
    results_url: str
    webhook_url: str | None = None
    webhook_secret: str | None = field(default=None, repr=False)
    state: str = "processing"
    items: list[Item | None] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)
    seconds: float = 0.0

    @property
    def successful(self) -> int:
        """Number of domains that got categories."""
        return sum(1 for item in self.items if item and item["status"] == 200)  # noqa: PLR2004

    @property
    def failed(self) -> int:
        """Number of domains that got an error."""
        return sum(1 for item in self.items if item and item["status"] != 200)  # noqa: PLR2004

    def summary(self) -> dict[str, Any]:
        """Return the batch job record of the interface."""
        return {
            "batch_id": self.id,
            "total_domains": len(self.domains),
            "successful": self.successful,
            "failed": self.failed,
            "processing_time_seconds": round(self.seconds or time.monotonic() - self.started),
            "results_url": self.results_url,
        }

    def results(self) -> dict[str, Any]:
        """Return the results, complete or so far."""
        return {**self.summary(), "state": self.state, "results": self.done()}

    def done(self) -> list[Item]:
        """Return the items that are done, in the order submitted."""
        return [item for item in self.items if item is not None]


class Batches:
    """Runs batch jobs and keeps their results.

    Parameters
    ----------
    categorize : callable
        Categorizes one domain for an account; raises `Failure`.
    deliveries : Deliveries
        Sends the notifications.
    """

    def __init__(self, categorize: Callable[[Account, str], Awaitable[Item]], deliveries: Deliveries) -> None:
        self._categorize = categorize
        self._deliveries = deliveries
        self._batches: dict[str, Batch] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def submit(
        self, account: Account, domains: list[str], base_url: str, webhook_url: str | None, webhook_secret: str | None
    ) -> Batch:
        """Start a job and return it."""
        identifier = f"batch_{uuid.uuid4().hex}"
        batch = Batch(
            id=identifier,
            account=account,
            domains=domains,
            results_url=f"{base_url.rstrip('/')}/v1/batch/{identifier}/results",
            webhook_url=webhook_url,
            webhook_secret=webhook_secret,
            items=[None] * len(domains),
        )
        self._batches[identifier] = batch
        while len(self._batches) > _KEPT_BATCHES:
            del self._batches[next(iter(self._batches))]
        task = asyncio.get_running_loop().create_task(self._run(batch))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return batch

    def find(self, account: Account, identifier: str) -> Batch:
        """Return an account's batch.

        Raises
        ------
        Failure
            404 if the account has no such batch.
        """
        batch = self._batches.get(identifier)
        if batch is None or batch.account is not account:
            raise Failure(404, f"there is no batch {identifier!r}")
        return batch

    async def close(self) -> None:
        """Stop what is running."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, batch: Batch) -> None:
        places = asyncio.Semaphore(_AT_ONCE)
        await asyncio.gather(*(self._one(batch, position, places) for position in range(len(batch.domains))))
        batch.seconds = time.monotonic() - batch.started
        stopped = sum(1 for item in batch.items if item and item["status"] in (403, 500))
        batch.state = "failed" if stopped else "completed"
        if stopped:
            first = next(item for item in batch.items if item and item["status"] in (403, 500))
            data = {**batch.summary(), "error": first["error"], "partial_results": batch.done()[:MOST_DOMAINS]}
            self._deliveries.notify("batch.failed", data, batch.webhook_url, batch.webhook_secret)
        else:
            self._deliveries.notify("batch.completed", batch.summary(), batch.webhook_url, batch.webhook_secret)

    async def _one(self, batch: Batch, position: int, places: asyncio.Semaphore) -> None:
        domain = batch.domains[position]
        async with places:
            try:
                item = {"domain": domain, "status": 200, **await self._categorize(batch.account, domain)}
            except Failure as failure:
                item = {"domain": domain, "status": failure.status, "error": failure.message}
            except Exception:  # noqa: BLE001 - one domain's failure is that domain's answer, whatever it was
                item = {"domain": domain, "status": 500, "error": Failure(500).message}
        batch.items[position] = item
