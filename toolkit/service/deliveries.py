"""Signed notifications and their delivery attempts."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import httpx

from toolkit.errors import TargetError
from toolkit.service.addresses import is_public_address
from toolkit.service.network import network_transport
from toolkit.service.problems import FetchProblem
from toolkit.signatures import SIGNATURE_HEADER, TIMESTAMP_HEADER, sign
from toolkit.targets import parse_target

if TYPE_CHECKING:
    from toolkit.service.settings import Settings

__all__ = ["Deliveries"]

#: Seconds a receiver has to answer.
ANSWER_SECONDS: Final = 10.0


class Deliveries:
    """Delivers notifications, each in a task of its own with the interface's attempts.

    Parameters
    ----------
    settings : Settings
        Delays of the attempts, the account's address and secret, and whether private addresses are allowed.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._client: httpx.AsyncClient | None = None
        self._tasks: set[asyncio.Task[bool]] = set()

    def notify(self, event: str, data: dict[str, Any], url: str | None = None, secret: str | None = None) -> None:
        """Start the delivery of an event to `url`, or to the account's configured address; nothing if there is none."""
        if url is None:
            url, secret = self._settings.webhook_url, self._settings.webhook_secret
        if url is None:
            return
        payload = {
            "event": event,
            "timestamp": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            "webhook_id": f"wh_{uuid.uuid4().hex}",
            "data": data,
        }
        task = asyncio.get_running_loop().create_task(self._deliver(url, secret or "", payload))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Stop what is pending."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._client is not None:
            await self._client.aclose()

    async def _deliver(self, url: str, secret: str, payload: dict[str, Any]) -> bool:
        body = json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode()
        for delay in self._settings.webhook_delays:
            await asyncio.sleep(delay)
            if await self._attempt(url, secret, body):
                return True
        return False

    async def _attempt(self, url: str, secret: str, body: bytes) -> bool:
        timestamp = int(time.time())
        headers = {
            "content-type": "application/json",
            TIMESTAMP_HEADER: str(timestamp),
            SIGNATURE_HEADER: sign(secret, timestamp, body),
        }
        try:
            response = await self._sender().post(url, content=body, headers=headers)
        except (httpx.HTTPError, FetchProblem):
            return False
        return response.is_success

    def _sender(self) -> httpx.AsyncClient:
        if self._client is None:
            transport = network_transport(allow_private=self._settings.allow_private)
            self._client = httpx.AsyncClient(transport=transport, timeout=ANSWER_SECONDS, trust_env=False)
        return self._client


def refusal_of_address(url: str, *, allow_private: bool) -> str | None:
    """Return why a notification cannot be sent to an address, or None.

    Names are checked again when they are resolved.
    """
    if not url.lower().startswith(("http://", "https://")):
        return "webhook_url must begin with http:// or https://"
    try:
        target = parse_target(url)
    except TargetError as error:
        return f"webhook_url: {error}"
    try:
        public = is_public_address(target.host)
    except ValueError:
        public = target.host != "localhost"
    return None if public or allow_private else f"webhook_url points to {target.host}, which is not a public address"
