"""How requests reach the service: over a network, or to the embedded service in this process.

This is the one seam: everything above it is the same on both ways. Keys are added here and nowhere else, and no
exception that leaves here carries a request in its traceback.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar
from urllib.parse import quote, urlencode

import httpx

from toolkit.interface.errors import ConfigurationError, RateLimitedError, ServiceError, ToolkitError
from toolkit.interface.reading import Received
from toolkit.interface.version import __version__
from toolkit.net.body import LARGEST_ANSWER, SMALL, BodyError, arrived, unfolded
from toolkit.net.connection import NOT_PICKLED
from toolkit.net.keys import Keys
from toolkit.net.problems import problem_of
from toolkit.net.ways import Ways

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from pydantic import SecretStr

    from toolkit.interface.calls import Call
    from toolkit.net.connection import Connection, Route
    from toolkit.net.retries import Retries

__all__ = ["Mounted", "Reply", "Sent", "Transport", "Wire"]

T = TypeVar("T")

_HEADERS: Final = {
    "accept": "application/json, application/xml;q=0.9",
    "accept-encoding": "gzip, deflate",
    "user-agent": f"audience-toolkit/{__version__}",
}
_OF_FORM: Final = {"content-type": "application/x-www-form-urlencoded"}
_OF_JSON: Final = {"content-type": "application/json"}
_FAILED: Final = 400

_log = logging.getLogger("toolkit")
# Where a program has set up no logging, Python would print warnings bare.
_log.addHandler(logging.NullHandler())


class Sent(NamedTuple):
    """A request as it goes out, with its key."""

    method: str
    address: str
    headers: dict[str, str]
    content: bytes | None


#: HTTP status, headers and body of an answer, as they came.
Reply: TypeAlias = "tuple[int, Sequence[tuple[bytes, bytes]], bytes]"


class Wire(Protocol):
    """What carries a request; what fails is an exception of httpx."""

    async def carry(self, sent: Sent) -> Reply:
        """Send a request and return the whole answer."""

    async def aclose(self) -> None:
        """Close it."""


class _HttpxWire:
    """Carries requests over a transport of httpx.

    Not by an AsyncClient: its cookies, redirects and events are not wanted.
    """

    def __init__(self, transport: httpx.AsyncBaseTransport, timeout: float, largest: int) -> None:
        self._transport = transport
        self._extensions = {"timeout": dict.fromkeys(("connect", "read", "write", "pool"), timeout)}
        self._largest = largest
        self.aclose = transport.aclose

    async def carry(self, sent: Sent) -> Reply:
        method, address, headers, content = sent
        request = httpx.Request(method, address, headers=headers, content=content, extensions=self._extensions)
        response = await self._transport.handle_async_request(request)
        try:
            if isinstance(response.stream, httpx.AsyncByteStream):
                return response.status_code, response.headers.raw, await arrived(response.stream, self._largest)
            response.headers.pop("content-encoding", None)
            return response.status_code, response.headers.raw, await response.aread()
        finally:
            await response.aclose()


@dataclass(frozen=True, slots=True)
class Mounted:
    """A service in this process: the way to it, the key it takes, and how it is closed."""

    wire: httpx.AsyncBaseTransport
    key: SecretStr
    close: Callable[[], Awaitable[None]]


class Transport:
    """Sends calls and returns what comes, with retries.

    `timeout` is of one attempt, `largest` the bytes of an answer. `mount` starts the embedded service, on first use;
    `transport` is in the place of it and of the network.
    """

    def __init__(
        self,
        connection: Connection,
        timeout: float,
        retries: Retries,
        mount: Callable[[], Mounted] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        *,
        network: Ways | None = None,
        largest: int = LARGEST_ANSWER,
    ) -> None:
        self.connection = connection
        self.retries = retries
        self._timeout = timeout
        self._mount = mount
        self._given = transport
        self._network = network or Ways()
        self._largest = largest
        self._light = min(SMALL, largest)
        self._wire: Wire | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._mounted: Mounted | None = None
        #: What stands in no answer; made with the first one.
        self._keys: Keys | None = None
        self._process = os.getpid()
        self._addresses: dict[str, str] = {}

    async def send(self, call: Call, read: Callable[[Received], T]) -> T:
        """Send a call until it is answered, and read the answer; a `ServiceError` of `read` may be tried again."""
        started = time.monotonic()
        for attempt in itertools.count(1):
            try:
                return read(await self.exchange(call))
            except ToolkitError as error:
                # What may have been done is not asked for twice.
                is_open = isinstance(error, ServiceError) and not isinstance(error, RateLimitedError)
                wait = self.retries.wait_for(error, attempt, time.monotonic() - started)
                if wait is None or (is_open and not call.repeatable):
                    raise
                _log.warning("%s Trying again in %.1f s (attempt %d).", error, wait, attempt + 1)
            await asyncio.sleep(wait)
        raise AssertionError  # the last attempt returns or raises

    async def close(self) -> None:
        """Close the connections, and the embedded service."""
        self._leave_parents()
        if self._wire is not None:
            await self._wire.aclose()
            self._wire = None
        if self._mounted is not None:
            await self._mounted.close()
            self._mounted = None

    async def exchange(self, call: Call) -> Received:
        """Send a call once and return what comes, whatever it says."""
        wire = self._ready_wire()
        connection = self.connection
        route = (connection.keyed if call.keyed else connection.routes).get(call.family)
        if route is None:
            route = connection.check(call.endpoint, call.family)  # what is missing is said as such
        # Raised after the except clauses, not in them: the frames below hold the request with its key, and tracebacks
        # that print variables would show it.
        problem: ToolkitError
        try:
            async with asyncio.timeout(self._timeout):
                status, raw, body = await wire.carry(self._request(call, route))
                headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in raw}
                if "content-encoding" in headers or len(body) > self._light:
                    body = await self._unfolded(status, raw, body)
                return self._without_keys(call, status, headers, body)
        except Exception as error:  # noqa: BLE001 - whatever a transport raises, no foreign exception leaves here
            where = f"{call.endpoint} for {call.normal}" if call.normal else call.endpoint
            problem = problem_of(error, where, route.base_url, self._timeout, self._network)
        raise problem

    async def _unfolded(self, status: int, headers: Sequence[tuple[bytes, bytes]], body: bytes) -> bytes:
        encodings = [value.decode("latin-1") for name, value in headers if name.lower() == b"content-encoding"]
        try:
            return await unfolded(body, encodings, self._largest)
        except BodyError:
            if status < _FAILED:
                raise
            return b""  # the status says what is wrong

    def _without_keys(self, call: Call, status: int, headers: dict[str, str], body: bytes) -> Received:
        """Take a response's parts, without keys and webhook secrets should the service echo them."""
        if self._keys is None:
            self._keys = Keys()
            own = [self._mounted.key] if self._mounted is not None else []
            for key in (*own, *(route.key for route in self.connection.routes.values() if route.key is not None)):
                self._keys.add(key.get_secret_value())
        if call.payload is not None and (secret := call.payload.get("webhook_secret")):
            self._keys.add(secret)
        return Received(status, *self._keys.taken_out(status, headers, body))

    def _ready_wire(self) -> Wire:
        loop = asyncio.get_running_loop()
        self._leave_parents()
        if self._wire is None:
            self._loop = loop
            self._wire = self._new_wire()
        elif loop is not self._loop:
            raise ConfigurationError(
                "An AsyncClient belongs to the event loop that used it first. Make one in each asyncio.run(), or use "
                "Client."
            )
        return self._wire

    def _leave_parents(self) -> None:
        """Use and close nothing of a process that was forked: its connections and its service are its own."""
        if self._process != os.getpid():
            self._process, self._wire, self._mounted = os.getpid(), None, None

    def _new_wire(self) -> Wire:
        if self._given is not None:
            return _HttpxWire(self._given, self._timeout, self._largest)
        if self.connection.embedded and self._mount is not None:
            self._mounted, self._keys = self._mount(), None
            return _HttpxWire(self._mounted.wire, self._timeout, self._largest)
        from toolkit.net.aiohttp import NetworkWire  # noqa: PLC0415 - only where a network is used

        return NetworkWire(self._timeout, self._largest, self._network)

    def _request(self, call: Call, route: Route) -> Sent:
        key = self._mounted.key if self._mounted is not None else route.key
        form, headers = call.form, _HEADERS
        if call.idempotency_key:
            headers = {**headers, "idempotency-key": call.idempotency_key}
        if call.keyed and key is not None:
            if call.family == "a":
                headers = {**headers, "authorization": f"Bearer {key.get_secret_value()}"}
            else:
                form = {**form, "api_key": key.get_secret_value()}
        content: bytes | None = None
        if form:
            content, headers = urlencode(form).encode(), {**headers, **_OF_FORM}
        elif call.payload is not None:
            content, headers = json.dumps(call.payload).encode(), {**headers, **_OF_JSON}
        return Sent(call.method, self._address(call, route), headers, content)

    def _address(self, call: Call, route: Route) -> str:
        text = f"{route.base_url}{route.paths.get(call.path, call.path)}"
        # There are as many as endpoints, and reading one takes longer than all the rest.
        if text not in self._addresses:
            self._addresses[text] = str(httpx.URL(text))
        address = self._addresses[text]
        return f"{address}?{urlencode(call.params, quote_via=quote)}" if call.params else address

    def __reduce__(self) -> tuple[Any, ...]:
        raise ConfigurationError(NOT_PICKLED)
