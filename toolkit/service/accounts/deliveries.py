"""Signed notifications and their delivery attempts, which go on where a process before this one was ended."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import httpx

from toolkit.interface.signatures import SIGNATURE_HEADER, TIMESTAMP_HEADER, sign
from toolkit.service.accounts.background import Background
from toolkit.service.accounts.records import Delivery
from toolkit.service.pages.addresses import refusal_of_address
from toolkit.service.pages.network import network_transport

if TYPE_CHECKING:
    from toolkit.service.accounts.ledger import Ledger
    from toolkit.service.settings import Settings

__all__ = ["Deliveries"]

#: Seconds a receiver has to answer.
ANSWER_SECONDS: Final = 10.0


class Deliveries:
    """Delivers notifications, each in a task of its own with the interface's attempts.

    A notification stands in the ledger before its first attempt, and until it is acknowledged or given up. One that
    was sent when the process was killed is sent again, with the same `webhook_id` and the same bytes.
    """

    def __init__(self, ledger: Ledger, settings: Settings) -> None:
        self._ledger = ledger
        self._settings = settings
        self._client: httpx.AsyncClient | None = None
        self._background = Background()

    def start(self) -> None:
        """Go on with what is pending: each at its next attempt's time, at once where that is over."""
        for webhook_id in self._ledger.pending_deliveries():
            self._background.begin(self._deliver(webhook_id))

    def notify(self, event: str, data: dict[str, Any], url: str | None = None, secret: str | None = None) -> None:
        """Start the delivery of an event to `url`, or to the account's configured address; nothing if there is none.

        Without a secret, or with an empty one, it is not signed.
        In a transaction of the ledger, what is undone there is not sent.
        """
        if url is None:
            own = self._settings.webhook_secret
            url, secret = self._settings.webhook_url, own.get_secret_value() if own is not None else None
        delays = self._settings.webhook_delays
        if url is None or not delays:
            return
        webhook_id = f"wh_{uuid.uuid4().hex}"
        payload = {
            "event": event,
            "timestamp": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            "webhook_id": webhook_id,
            "data": data,
        }
        body = json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode()
        self._ledger.add_delivery(Delivery(webhook_id, url, secret or "", body, 0, time.time() + delays[0]))
        # The task begins after the transaction, and finds nothing to send if that was undone.
        self._background.begin(self._deliver(webhook_id))

    async def close(self) -> None:
        """Stop what is pending; it goes on when a service starts on the same ledger."""
        await self._background.stop()
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _deliver(self, webhook_id: str) -> None:
        delays = self._settings.webhook_delays
        while (delivery := self._ledger.pending_delivery(webhook_id)) is not None:
            if delivery.attempts >= len(delays):  # the operator has allowed fewer since
                self._ledger.settle_delivery(webhook_id, "given_up", "no attempt was left")
                return
            # No longer than the delay itself, should the clock have been set back.
            await asyncio.sleep(min(delivery.next_at - time.time(), delays[delivery.attempts]))
            acknowledged, outcome = await self._attempt(delivery)
            made = delivery.attempts + 1
            if acknowledged or made >= len(delays):
                state = "delivered" if acknowledged else "given_up"
                write = partial(self._ledger.settle_delivery, webhook_id, state, outcome)
            else:
                write = partial(self._ledger.put_off_delivery, webhook_id, time.time() + delays[made], outcome)
            await self._ledger.lasting(write)

    async def _attempt(self, delivery: Delivery) -> tuple[bool, str]:
        """Send a notification; return whether it was acknowledged, and what came of it in a word."""
        # Again, as the operator may have closed private addresses since, and an address needs no resolver.
        if refusal := refusal_of_address(delivery.url, allow_private=self._settings.allow_private):
            return False, refusal
        timestamp = int(time.time())
        headers = {"content-type": "application/json", TIMESTAMP_HEADER: str(timestamp)}
        if delivery.secret:  # a signature with an empty one could be anybody's
            headers[SIGNATURE_HEADER] = sign(delivery.secret, timestamp, delivery.body)
        try:
            async with (
                asyncio.timeout(ANSWER_SECONDS),
                # The answer's body says nothing, and might never end.
                self._sender().stream("POST", delivery.url, content=delivery.body, headers=headers) as response,
            ):
                return response.is_success, str(response.status_code)
        except Exception as error:  # noqa: BLE001 - whatever breaks an attempt, the next one is due
            return False, type(error).__name__

    def _sender(self) -> httpx.AsyncClient:
        if self._client is None:
            transport = network_transport(allow_private=self._settings.allow_private)
            self._client = httpx.AsyncClient(transport=transport, timeout=ANSWER_SECONDS, trust_env=False)
        return self._client
