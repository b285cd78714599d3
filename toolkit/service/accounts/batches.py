"""Batch jobs: many domains categorized in the background."""

from __future__ import annotations

import asyncio
import uuid
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from toolkit.service.accounts.background import Background
from toolkit.service.accounts.records import Batch, Item
from toolkit.service.failures import Failure

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from toolkit.service.accounts.deliveries import Deliveries
    from toolkit.service.accounts.ledger import Ledger
    from toolkit.service.accounts.limits import Account, Accounts
    from toolkit.service.accounts.records import Submission

__all__ = ["MOST_DOMAINS", "Batches"]

MOST_DOMAINS: Final = 1_000
_AT_ONCE: Final = 8
_OK: Final = 200
#: Statuses of an item that make its whole batch fail.
_STOPS: Final = (403, 500)


class Batches:
    """Runs batch jobs, and goes on with them where a process before this one was ended.

    `categorize` answers one domain for an account, which is not charged yet, and `charge` charges it for one answer;
    both raise `Failure`.
    """

    def __init__(
        self,
        ledger: Ledger,
        accounts: Accounts,
        categorize: Callable[[Account, str], Awaitable[Item]],
        charge: Callable[[Account], None],
        deliveries: Deliveries,
    ) -> None:
        self._ledger = ledger
        self._accounts = accounts
        self._categorize = categorize
        self._charge = charge
        self._deliveries = deliveries
        self._running: dict[str, Batch] = {}
        self._background = Background()

    def start(self) -> None:
        """Go on with what is not finished; jobs of a key that is not valid any more wait until it is again."""
        for identifier in self._ledger.running_batches():
            batch = self._ledger.batch(identifier)
            account = self._accounts.of_digest(batch.account) if batch else None
            if batch and account:
                self._begin(account, batch)

    def repeated(self, account: Account, submission: Submission) -> Batch | None:
        """Return the job that an account has started by the same submission; None if it has not.

        The same key with anything else is answered with 400: one of the two is a mistake, and would be lost.
        """
        known = self._ledger.submitted(account.digest, submission.key)
        if known is None:
            return None
        payload, identifier = known
        if payload != submission.payload:
            raise Failure(400, "this Idempotency-Key was used for another batch; use a new key for each batch")
        return self.find(account, identifier)

    def submit(
        self,
        account: Account,
        domains: list[str],
        base_url: str,
        webhook_url: str | None,
        webhook_secret: str | None,
        *,
        submission: Submission | None = None,
    ) -> Batch:
        """Start a job and return it."""
        identifier = f"batch_{uuid.uuid4().hex}"
        batch = Batch(
            id=identifier,
            account=account.digest,
            domains=domains,
            results_url=f"{base_url.rstrip('/')}/v1/batch/{identifier}/results",
            webhook_url=webhook_url,
            webhook_secret=webhook_secret,
            items=[None] * len(domains),
        )
        self._ledger.add_batch(batch, submission)
        self._begin(account, batch)
        return batch

    def find(self, account: Account, identifier: str) -> Batch:
        """Return an account's batch, or answer 404."""
        batch = self._running.get(identifier) or self._ledger.batch(identifier)
        if batch is None or batch.account != account.digest:
            raise Failure(404, f"there is no batch {identifier!r}")
        return batch

    async def close(self) -> None:
        """Stop what is running."""
        await self._background.stop()

    def _begin(self, account: Account, batch: Batch) -> None:
        self._running[batch.id] = batch
        self._background.begin(self._run(account, batch))

    async def _run(self, account: Account, batch: Batch) -> None:
        places = asyncio.Semaphore(_AT_ONCE)
        left = [position for position, item in enumerate(batch.items) if item is None]
        await asyncio.gather(*(self._one(account, batch, position, places) for position in left))
        await self._ledger.lasting(partial(self._finish, batch))
        del self._running[batch.id]

    async def _one(self, account: Account, batch: Batch, position: int, places: asyncio.Semaphore) -> None:
        domain = batch.domains[position]
        async with places:
            try:
                item = {"domain": domain, "status": _OK, **await self._categorize(account, domain)}
            except Failure as failure:
                item = _failed(domain, failure)
            except Exception:  # noqa: BLE001 - one domain's failure is that domain's answer, whatever it was
                item = _failed(domain, Failure(500))
        await self._ledger.lasting(partial(self._keep, account, batch, position, item))

    def _keep(self, account: Account, batch: Batch, position: int, item: Item) -> None:
        # One transaction: whoever is killed in between has neither charged nor kept the answer, and asks again.
        with self._ledger.transaction():
            if item["status"] == _OK:
                try:
                    self._charge(account)
                except Failure as failure:
                    item = _failed(batch.domains[position], failure)
            self._ledger.add_item(batch.id, position, item)
        batch.items[position] = item

    def _finish(self, batch: Batch) -> None:
        first = next((item for item in batch.items if item and item["status"] in _STOPS), None)
        state, seconds = "failed" if first else "completed", batch.age
        # One transaction: a batch that is finished is notified, once.
        with self._ledger.transaction():
            self._ledger.finish_batch(batch.id, state, seconds)
            data: dict[str, Any] = {**batch.summary(), "processing_time_seconds": round(seconds)}
            if first:
                data |= {"error": first["error"], "partial_results": batch.done()[:MOST_DOMAINS]}
            self._deliveries.notify(f"batch.{state}", data, batch.webhook_url, batch.webhook_secret)
        batch.state, batch.seconds = state, seconds


def _failed(domain: str, failure: Failure) -> Item:
    return {"domain": domain, "status": failure.status, "error": failure.message}
