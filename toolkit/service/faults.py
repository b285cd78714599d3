"""Faults on demand: the embedded service answers as badly as a real one can, at rates that are chosen."""

from __future__ import annotations

import asyncio
import math
import random
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, Self

import httpx
from starlette.requests import Request

from toolkit.display import shortened
from toolkit.errors import ConfigurationError
from toolkit.service.answers import RequestId, answer_failure
from toolkit.service.bodies import LONGEST_BODY, read_form
from toolkit.service.failures import Failure

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

__all__ = ["FaultInjector", "Faults", "FaultyTransport"]

_FORMS: Final[dict[str, str]] = {
    "429": "429=share[:retry_after]",
    "5xx": "503=share (any of 500 to 599)",
    "reset": "reset=share",
    "slow": "slow=share[:seconds]",
    "truncated": "truncated=share",
    "malformed": "malformed=share",
    "burst": "burst=every:length",
    "expire": "expire=requests",
    "quota": "quota=answers",
    "seed": "seed=number",
}
_KNOWN: Final = f"Known are {', '.join(_FORMS.values())}; shares are from 0 to 1, and commas join faults."
#: Field of the number and, where there is one, of the argument.
_FIELDS: Final = {
    "429": ("rate_limited", "retry_after"),
    "reset": ("reset",),
    "slow": ("slow", "slow_seconds"),
    "truncated": ("truncated",),
    "malformed": ("malformed",),
    "expire": ("expire",),
    "quota": ("quota",),
    "seed": ("seed",),
}
_SERVER_ERROR: Final = re.compile("5[0-9][0-9]")
_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?", re.ASCII)
_WHOLE: Final = re.compile("-?[0-9]{1,18}", re.ASCII)
_MOST: Final = 1_000_000_000
_LONGEST: Final = 86_400
_SHOWN: Final = 60


@dataclass(frozen=True, slots=True, repr=False)
class Faults:
    """What goes wrong in the embedded service, and how often.

    At most one fault happens to a request. Which one is drawn from a generator with a fixed seed: the same requests in
    the same order meet the same faults. Endpoints without a key (the vocabulary and its page) are left alone.

    Attributes
    ----------
    rate_limited : float
        Share of requests answered 429.
    retry_after : int
        Seconds in the Retry-After of a 429, in bursts too; 0 for none.
    server_errors : tuple of (int, float)
        Codes from 500 to 599, each with its share of requests.
    reset : float
        Share of requests whose connection is closed without an answer. The first of them, and then every other one, is
        worked on before and so is charged.
    slow : float
        Share of requests whose answer waits.
    slow_seconds : float
        How long it waits.
    truncated : float
        Share of answers whose body is cut off, shorter than its Content-Length says. They are charged.
    malformed : float
        Share of answers with HTTP 200 and a body that is not of the interface: in turn cut JSON, HTML, nothing, a JSON
        list. They are charged.
    burst : tuple of (int, int) or None
        Every so many requests, so many in a row are answered 429.
    expire : int or None
        Requests of a key after which every further one is answered 401.
    quota : int or None
        Paid answers of a key after which its paid requests and batch submissions are answered 403. The domains of a
        batch are not counted; the monthly quota of `Settings` counts them.
    seed : int
        Start of the generator.

    Raises
    ------
    ConfigurationError
        If a share is none from 0 to 1, all shares together are above 1, or another number is out of its bounds.

    Examples
    --------
    >>> faults = Faults.parse("slow=0.1:3, 429=0.05:2, 503=0.02")
    >>> faults.slow_seconds, faults.server_errors
    (3, ((503, 0.02),))
    >>> faults
    Faults.parse('429=0.05:2,503=0.02,slow=0.1:3')
    """

    rate_limited: float = 0.0
    retry_after: int = 1
    server_errors: tuple[tuple[int, float], ...] = ()
    reset: float = 0.0
    slow: float = 0.0
    slow_seconds: float = 1.0
    truncated: float = 0.0
    malformed: float = 0.0
    burst: tuple[int, int] | None = None
    expire: int | None = None
    quota: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for code, share in self.server_errors:
            _check("A server error's code", code, 500, 599, whole=True)
            _check(f"The share of {code}", share, 0, 1)
        if len(dict(self.server_errors)) < len(self.server_errors):
            raise ConfigurationError(f"A server error's code is given twice. {_KNOWN}")
        # In one order, so that the order in which they are written changes nothing.
        some = sorted((code, share) for code, share in self.server_errors if share)
        object.__setattr__(self, "server_errors", tuple(some))
        for name in ("rate_limited", "reset", "slow", "truncated", "malformed"):
            _check(f"The share of {'429' if name == 'rate_limited' else name}", getattr(self, name), 0, 1)
        _check("The Retry-After of 429", self.retry_after, 0, _LONGEST, whole=True)
        _check("The seconds of slow", self.slow_seconds, 0, _LONGEST)
        if self.burst is not None:
            every, length = self.burst
            _check("The distance of bursts", every, 2, _MOST, whole=True)
            _check("The length of a burst", length, 1, every - 1, whole=True)
        for name in ("expire", "quota", "seed"):
            if getattr(self, name) is not None or name == "seed":
                _check(f"The number of {name}", getattr(self, name), 0, _MOST, whole=True)
        if (total := math.fsum(share for _, share in self.shares())) > 1:
            raise ConfigurationError(f"The shares of all faults together must be at most 1, not {total:g}. {_KNOWN}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what the command line gives: ``name=number[:argument]``, joined by commas.

        Parameters
        ----------
        text : str
            Such as ``429=0.05:2,burst=20:5,503=0.02,slow=0.1:3,seed=7``; empty for no faults.

        Returns
        -------
        Faults
            What the text says. `str` gives such a text back.

        Raises
        ------
        ConfigurationError
            If a name is unknown or given twice, or a number is none or out of its bounds. The message lists what is
            known.
        """
        values: dict[str, Any] = {}
        server_errors: list[tuple[int, float]] = []
        seen: set[str] = set()
        for part in filter(None, (part.strip() for part in text.split(","))):
            name = part.partition("=")[0].strip()
            form = "5xx" if _SERVER_ERROR.fullmatch(name) else name
            if form not in _FORMS or name == "5xx":
                raise ConfigurationError(f"Unknown fault {shortened(name, _SHOWN)!r}. {_KNOWN}")
            if name in seen:
                raise ConfigurationError(f"The fault {name} is given twice. {_KNOWN}")
            seen.add(name)
            numbers = [_number(number.strip()) for number in part.partition("=")[2].split(":")]
            fields = _FIELDS.get(form, ())
            most = len(fields) or (2 if form == "burst" else 1)
            if None in numbers or len(numbers) > most or (form == "burst" and len(numbers) < most):
                raise ConfigurationError(
                    f"{shortened(part, _SHOWN)!r} is not written as {_FORMS[form]}. {_KNOWN}",
                )
            if form == "5xx":
                server_errors.append((int(name), numbers[0] or 0))
            elif form == "burst":
                values["burst"] = tuple(numbers)
            else:
                values.update(zip(fields, numbers, strict=False))
        return cls(**values, server_errors=tuple(server_errors))

    def shares(self) -> list[tuple[str, float]]:
        """Return the faults that exclude each other, with the share of each."""
        return [
            ("429", self.rate_limited),
            *((str(code), share) for code, share in self.server_errors),
            ("reset", self.reset),
            ("slow", self.slow),
            ("truncated", self.truncated),
            ("malformed", self.malformed),
        ]

    def __str__(self) -> str:
        arguments = {"429": (self.retry_after, 1), "slow": (self.slow_seconds, 1)}
        parts = []
        for name, share in self.shares():
            argument, default = arguments.get(name, (0, 0))
            if share or argument != default:
                parts.append(f"{name}={_plain(share)}" + (f":{_plain(argument)}" if argument != default else ""))
        if self.burst is not None:
            parts.append("burst={}:{}".format(*self.burst))
        parts += [f"{name}={n}" for name in ("expire", "quota") if (n := getattr(self, name)) is not None]
        return ",".join([*parts, *([f"seed={self.seed}"] if self.seed else [])])

    def __repr__(self) -> str:
        return f"Faults.parse({str(self)!r})"


def _check(what: str, value: object, least: float, most: float, *, whole: bool = False) -> None:
    number = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    if not (number and least <= value <= most):  # type: ignore[operator]  # not-a-number fails both bounds
        kind = "whole number" if whole else "number"
        raise ConfigurationError(f"{what} must be a {kind} from {least:,} to {most:,}, not {value!r}. {_KNOWN}")


def _number(text: str) -> float | None:
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else None


def _plain(number: float) -> str:
    # Not :g, which drops digits; the text must give the same number back.
    return repr(number).removesuffix(".0")


# How a fault reaches the client --------------------------------------------------------------------------------------

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
            await answer_failure(Request(scope), failure)(scope, receive, send)

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
    """Middleware that lets requests fail on demand; the outermost, so that nothing mends what it breaks.

    Parameters
    ----------
    app : callable
        The ASGI application.
    faults : Faults
        What goes wrong.
    """

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
    """Breaks connections of an application in this process, which has none that it could break itself.

    Parameters
    ----------
    transport : httpx.AsyncBaseTransport
        What reaches the application.
    """

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
