"""How a fault on demand reaches the client: over a real connection, or in this process."""

from __future__ import annotations

import asyncio
import random
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

import httpx
from starlette.requests import Request

from toolkit.service.failures import Failure
from toolkit.service.web.answers import RequestId, answer_failure
from toolkit.service.web.bodies import LONGEST_BODY, read_form

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from toolkit.service.faults import Faults

__all__ = ["FaultInjector", "FaultyTransport"]

Message = dict[str, Any]

_PAID: Final = frozenset(
    {
        "/v1/categorize",
        "/v1/enrich",
        "/api/audience/segment.php",
        "/api/std/std_web_content_filtering.php",
        "/api/std/std_content_filtering.php",
    }
)
_SUBMISSIONS: Final = frozenset({"/v1/batch", "/v1/batch/categorize"})
_FREE: Final = re.compile(r"/api/explain\.php|/v1/batch/[^/]+/results")
#: Tells `FaultyTransport` what to do where there is no connection to break.
_MARK: Final = b"x-toolkit-fault"
_KEPT_KEYS: Final = 1_000
_ON_DEMAND: Final = "a fault on demand"
_HTML: Final = b"<!DOCTYPE html>\n<html><head><title>Down for maintenance</title></head><body></body></html>\n"


@dataclass(slots=True)
class _Use:
    """What a key has used."""

    requests: int = 0
    answers: int = 0
    #: Requests that may become answers.
    open: int = 0
    settled: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True)
class _Exchange:
    """A request whose body was taken, and the way to its client."""

    scope: dict[str, Any]
    receive: Any
    send: Any
    #: The transport of the connection; None in this process, where there is none.
    connection: Any

    async def answer(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes, *, more: bool = False) -> None:
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body, "more_body": more})

    async def refuse(self, failure: Failure) -> None:
        async def answer(scope: dict[str, Any], receive: Any, send: Any) -> None:
            response = await answer_failure(Request(scope), failure)
            await response(scope, receive, send)

        await RequestId(answer)(self.scope, self.receive, self.send)

    async def gone(self) -> None:
        # A server that is left before it knows of the broken connection reports a broken application.
        while (await self.receive())["type"] != "http.disconnect":
            pass


@dataclass(slots=True)
class _Held:
    """An answer that is kept from the client."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytearray = field(default_factory=bytearray)

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message["headers"])
        else:
            self.body += message.get("body", b"")

    def without(self, *names: bytes) -> list[tuple[bytes, bytes]]:
        return [(name, value) for name, value in self.headers if name not in names]


class FaultInjector:
    """Middleware that lets requests fail on demand; the outermost, so that nothing mends what it breaks."""

    def __init__(self, app: Callable[..., Awaitable[None]], faults: Faults) -> None:
        self._app = app
        self._faults = faults
        self._names = [name for name, _ in faults.shares()]
        self._edges = list(accumulate(share for _, share in faults.shares()))
        self._random = random.Random(faults.seed)  # noqa: S311 - it is to be foreseen
        self._requests = 0
        self._met: Counter[str] = Counter()
        self._uses: defaultdict[str, _Use] = defaultdict(_Use)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer a request, well or badly."""
        if scope["type"] != "http" or not _takes_key(scope["path"]):
            await self._app(scope, receive, send)
            return
        # Before anything waits: what a request meets depends on the order in which requests come and on nothing else.
        name, before = self._draw()
        taken = await _taken(receive)

        async def again() -> Message:
            return taken.pop(0) if taken else await receive()

        # The framework wraps the server's send, but not its receive.
        connection = getattr(getattr(receive, "__self__", None), "transport", None)
        exchange = _Exchange(scope, again, send, connection)
        use = await self._use_of(scope, taken)
        use.requests += 1
        if self._faults.expire is not None and use.requests > self._faults.expire:
            await exchange.refuse(Failure(401, f"the key has expired ({_ON_DEMAND})"))
        elif not await self._affords(use, scope["path"]):
            detail = f"the monthly quota of {self._faults.quota} answers is used up ({_ON_DEMAND})"
            await exchange.refuse(Failure(403, detail))
        else:
            try:
                await self._meet(name, before, use, exchange)
            finally:
                if scope["path"] in _PAID:
                    use.open -= 1
                use.settled.set()

    async def _meet(self, name: str, before: int, use: _Use, exchange: _Exchange) -> None:
        """Let one fault happen; `before` is how often it has happened before."""
        held = _Held()
        if name.isdigit():
            wait = self._faults.retry_after if name == "429" else 0
            await exchange.refuse(Failure(int(name), _ON_DEMAND, retry_after=wait or None))
        elif name == "reset":
            if before % 2 == 0:
                await self._run(use, exchange, held.send)
            await _break_off(exchange)
        elif name == "truncated":
            await self._run(use, exchange, held.send)
            await _cut_off(held, exchange)
        elif name == "malformed":
            await self._run(use, exchange, held.send)
            kind, body = _malformed(held, before)
            headers = held.without(b"content-length", b"content-type")
            headers += [(b"content-type", kind), (b"content-length", b"%d" % len(body))]
            await exchange.answer(200, headers, body)
        else:

            async def send_late(message: Message) -> None:
                if name == "slow" and message["type"] == "http.response.start":
                    await asyncio.sleep(self._faults.slow_seconds)
                await exchange.send(message)

            await self._run(use, exchange, send_late)

    def _draw(self) -> tuple[str, int]:
        """Return what happens to the next request, and how often that has happened before."""
        self._requests += 1
        place = bisect_right(self._edges, self._random.random())
        name = self._names[place] if place < len(self._names) else ""
        if self._faults.burst is not None:
            every, length = self._faults.burst
            if self._requests >= every and self._requests % every < length:
                name = "429"
        self._met[name] += 1
        return name, self._met[name] - 1

    async def _run(self, use: _Use, exchange: _Exchange, send: Any) -> None:
        paid = exchange.scope["path"] in _PAID

        async def send_counted(message: Message) -> None:
            if paid and message["type"] == "http.response.start" and message["status"] == 200:  # noqa: PLR2004
                use.answers += 1
            await send(message)

        await self._app(exchange.scope, exchange.receive, send_counted)

    async def _use_of(self, scope: dict[str, Any], taken: list[Message]) -> _Use:
        if self._faults.expire is None and self._faults.quota is None:
            return _Use()
        key = await _key_of(scope, taken)
        use = self._uses[sha256(key.encode()).hexdigest()]
        while len(self._uses) > _KEPT_KEYS:
            del self._uses[next(iter(self._uses))]
        return use

    async def _affords(self, use: _Use, path: str) -> bool:
        quota, paid = self._faults.quota, path in _PAID
        if quota is not None and (paid or path in _SUBMISSIONS):
            # The last answer goes to whichever request gets one; until that is known, others wait.
            while use.answers < quota <= use.answers + use.open:
                use.settled.clear()
                await use.settled.wait()
            if use.answers >= quota:
                return False
        use.open += paid
        return True


class FaultyTransport(httpx.AsyncBaseTransport):
    """Breaks connections of an application in this process, which has none that it could break itself."""

    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; fail as a broken connection does where the application asks for it."""
        response = await self._transport.handle_async_request(request)
        fault = response.headers.get(_MARK.decode())
        if fault is None:
            return response
        await response.aclose()
        if fault == "reset":
            raise httpx.ReadError("The connection was reset.")
        raise httpx.RemoteProtocolError("The answer is shorter than its Content-Length.")

    async def aclose(self) -> None:
        """Close what is wrapped."""
        await self._transport.aclose()


def _takes_key(path: str) -> bool:
    return path in _PAID or path in _SUBMISSIONS or _FREE.fullmatch(path) is not None


async def _taken(receive: Any) -> list[Message]:
    """Take a request's body, as far as the service would read it."""
    messages: list[Message] = []
    size = 0
    while size <= LONGEST_BODY:
        messages.append(await receive())
        size += len(messages[-1].get("body", b""))
        if not messages[-1].get("more_body"):
            break
    return messages


async def _key_of(scope: dict[str, Any], taken: Iterable[Message]) -> str:
    if scope["path"].startswith("/v1/"):
        return Request(scope).headers.get("authorization", "").partition(" ")[2].strip()
    messages = iter(taken)

    async def replay() -> Message:
        return next(messages, {"type": "http.disconnect"})

    try:
        return (await read_form(Request(scope, replay))).get("api_key", "")
    except Failure:
        return ""


async def _break_off(exchange: _Exchange) -> None:
    if exchange.connection is None:
        await exchange.answer(500, [(_MARK, b"reset"), (b"content-length", b"0")], b"")
        return
    exchange.connection.abort()
    await exchange.gone()


async def _cut_off(held: _Held, exchange: _Exchange) -> None:
    body = bytes(held.body[: len(held.body) // 2])
    headers = [*held.without(b"content-length"), (b"content-length", b"%d" % max(len(held.body), 1))]
    if exchange.connection is None:
        await exchange.answer(held.status, [*headers, (_MARK, b"truncated")], body)
        return
    await exchange.answer(held.status, headers, body, more=True)
    exchange.connection.close()
    await exchange.gone()


def _malformed(held: _Held, before: int) -> tuple[bytes, bytes]:
    """Return content type and body, another kind each time."""
    kind = next((value for name, value in held.headers if name == b"content-type"), b"application/json")
    return [
        (kind, bytes(held.body[: len(held.body) // 2])),
        (b"text/html; charset=utf-8", _HTML),
        (b"application/json", b""),
        (b"application/json", b'["temporarily unavailable"]'),
    ][before % 4]
