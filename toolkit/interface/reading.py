"""Reading what came back: one answer's bytes into data, or into the error that they say. No I/O happens here."""

from __future__ import annotations

import email.utils
import math
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

from pydantic import TypeAdapter

from toolkit.interface.calls import Call, model_of
from toolkit.interface.errors import ResponseError, ServiceError, ToolkitError, service_error
from toolkit.interface.fields import Text
from toolkit.interface.models import Answer, Provenance
from toolkit.interface.text import printable, shortened
from toolkit.interface.wire.body import decoded
from toolkit.interface.wire.shapes import LEGACY, WRAPPERS
from toolkit.interface.wire.verdict import Refusal, refusal, stated_error

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "Received",
    "Stated",
    "credits_used",
    "is_usable",
    "provenance",
    "read_answer",
    "read_json",
    "retry_after",
    "stated_by",
]

_OK: Final = 200
#: No account holds so many credits, and the sum of some would be beyond what a database can hold.
_BEYOND: Final = 10**12
_SHOWN: Final = 120
_TEXT: Final = TypeAdapter(Text).validate_python


@dataclass(frozen=True, slots=True)
class Received:
    """An HTTP response as bytes and headers; header names in lower case."""

    http_status: int
    headers: Mapping[str, str]
    body: bytes


class Stated(NamedTuple):
    """What an answer states of itself, and when it came: the part of its provenance that a run writes down."""

    fetched_at: datetime
    request_id: str | None
    vocab_version: str | None
    credits_used: int | None
    total_credits: int | None
    remaining_credits: int | None


def read_json(call: Call, received: Received) -> dict[str, Any]:
    """Read a response's body, or raise what it says went wrong.

    HTTP status and what the body says are reconciled here: an answer is data only if the HTTP status is a success, and
    the body is an answer as `toolkit.interface.wire.verdict` tells. It is the `ServiceError` of the code if either says
    that it is an error; a `ResponseError` if the body is no JSON or XML object of the interface's form, has nothing in
    it, or is about another site.
    """
    failed = not _OK <= received.http_status < 300  # noqa: PLR2004 - the HTTP class of successes
    try:
        raw = decoded(received.body, received.headers.get("content-type", ""))
    except ValueError as error:
        if failed:
            raise _failure(call, received, received.http_status, _opening(received.body)) from None
        raise ResponseError(
            f"{call.endpoint} for {call.normal}: the answer is not the JSON or XML of the interface ({error}). "
            "Check the base URL.",
            http_status=received.http_status,
            body=received.body.decode("utf-8", errors="replace"),
        ) from None
    if failed:
        stated = stated_error(raw)
        raise _failure(call, received, stated.status or received.http_status, stated.words, raw)
    if isinstance(raw, list) and raw and call.listed_as:
        raw = {call.listed_as: raw}
    if not isinstance(raw, dict):
        raise ResponseError(
            f"{call.endpoint} for {call.normal}: the answer is a JSON {type(raw).__name__}, not an object. "
            "Check the base URL.",
            http_status=received.http_status,
            raw=raw,
        )
    if (refused := refusal(raw, _shape_of(call), call.site)) is not None:
        raise _refused(call, received, refused, raw)
    return raw


def is_usable(call: Call, status: int, received: Received) -> bool:
    """Tell whether what was kept under a status is what it was kept as, as bodies are read today.

    >>> from toolkit.interface.calls import question_of
    >>> call = question_of("segment").call("a.example")
    >>> is_usable(call, 200, Received(200, {}, b'{"error": "Invalid API key", "demographics": null}'))
    False
    """
    try:
        read_json(call, received)
    except ServiceError as error:
        return error.status == status
    except ToolkitError:
        return False
    return status == _OK


def read_answer(call: Call, received: Received, fetched_at: datetime | None = None) -> Answer:
    """Read a response into its typed answer, or raise as `read_json` does, also if a field is of the wrong kind."""
    raw = read_json(call, received)
    try:
        return model_of(call).decode(raw, provenance(call, received, raw, fetched_at))
    except ResponseError as error:
        error.http_status = received.http_status
        raise


def provenance(
    call: Call, received: Received, raw: Mapping[str, Any], fetched_at: datetime | None = None
) -> Provenance:
    """Return where an answer comes from, as call, headers and body state it."""
    stated = stated_by(received, raw, fetched_at)
    return Provenance(
        endpoint=call.endpoint,
        target=call.target,
        normal=call.normal,
        http_status=received.http_status,
        **stated._asdict(),
    )


def stated_by(received: Received, raw: Mapping[str, Any], fetched_at: datetime | None = None) -> Stated:
    """Return what an answer states of itself, in its body or its headers."""
    blocks = _around(raw)
    return Stated(
        fetched_at or datetime.now(UTC),
        _TEXT(_stated(blocks, "request_id") or received.headers.get("x-request-id")),
        _TEXT(_stated(blocks, "vocab_version")),
        _credits_used(blocks),
        _number(_stated(blocks, "total_credits")),
        _number(_stated(blocks, "remaining_credits")),
    )


def credits_used(raw: Mapping[str, Any]) -> int | None:
    """Return what an answer or error states that it cost; None for what no account could be charged.

    >>> credits_used({"meta": {"credits_used": "2"}}), credits_used({"credits_used": -1})
    (2, None)
    """
    return _credits_used(_around(raw))


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds that a Retry-After header asks to wait, from seconds or a date; None if it is missing or odd.

    >>> retry_after({"retry-after": "5"}), retry_after({"retry-after": "soon"})
    (5.0, None)
    """
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        pass
    else:
        return max(seconds, 0.0) if math.isfinite(seconds) else None
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max((moment - (now or datetime.now(UTC))).total_seconds(), 0.0)


def _shape_of(call: Call) -> str:
    return LEGACY if call.endpoint == "segment" and "format" not in call.form else call.endpoint


def _refused(call: Call, received: Received, refused: Refusal, raw: Any) -> ToolkitError:
    if refused.status is not None:
        return _failure(call, received, refused.status, refused.words, raw)
    words = refused.words or f"the answer has none of the fields {', '.join(call.expects)}"
    return ResponseError(
        f"{call.endpoint} for {call.normal}: {words}. Check the base URL; the whole answer is in the error's raw.",
        path=refused.path,
        http_status=received.http_status,
        raw=raw,
    )


def _credits_used(blocks: list[Mapping[str, Any]]) -> int | None:
    used = _number(_stated(blocks, "credits_used"))
    return used if used is None or used >= 0 else None


def _around(raw: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the objects in which an answer speaks of itself."""
    nodes = [raw, *(inner for name in WRAPPERS if isinstance(inner := raw.get(name), dict))]
    blocks = (block for node in nodes for name in ("meta", "credits") if isinstance(block := node.get(name), dict))
    return [*nodes, *blocks]


def _stated(blocks: list[Mapping[str, Any]], name: str) -> Any:
    # What is no scalar is passed over: an odd mark is no reason to lose an answer.
    found = (block.get(name) for block in blocks)
    return next((value for value in found if isinstance(value, str | int | float)), None)


def _number(value: Any) -> int | None:
    if isinstance(value, bool) or value is None:
        return None
    try:
        number = int(float(value))
    except (TypeError, ValueError, OverflowError):
        return None
    return number if abs(number) < _BEYOND else None


def _place(location: str) -> str:
    """Return where a redirect leads, without what may be private: its path and query."""
    try:
        parts = urlsplit(location.strip())
        host = parts.hostname
    except ValueError:
        return ""
    if host:
        return f"{parts.scheme or 'https'}://{host}"
    return "another path of the same address" if location.strip() else ""


def _opening(body: bytes) -> str:
    text = " ".join(body[:400].decode("utf-8", errors="replace").split())
    return "" if text.startswith("<") else text[:120]


def _failure(call: Call, received: Received, status: int, detail: str, raw: Any = None) -> ServiceError:
    stated = _stated(_around(raw), "request_id") if isinstance(raw, dict) else None
    request_id = received.headers.get("x-request-id") if stated is None else shortened(printable(str(stated)), _SHOWN)
    if 300 <= received.http_status < 400 and (there := _place(received.headers.get("location", ""))):  # noqa: PLR2004
        detail = f"it sends to {there}; {detail}".removesuffix("; ")
    told = stated_by(received, raw if isinstance(raw, dict) else {})
    return service_error(status)(
        status,
        endpoint=call.endpoint,
        target=call.normal,
        detail=detail,
        http_status=received.http_status,
        request_id=request_id,
        retry_after=retry_after(received.headers),
        raw=raw,
        credits_used=told.credits_used,
        total_credits=told.total_credits,
        remaining_credits=told.remaining_credits,
    )
