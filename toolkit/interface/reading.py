"""Reading what came back: one answer's bytes into data, or into the error that they say. No I/O happens here."""

from __future__ import annotations

import email.utils
import json
import math
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from toolkit.interface.calls import Call, model_of
from toolkit.interface.errors import ResponseError, service_error
from toolkit.interface.models import Answer, Provenance

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from xml.etree.ElementTree import Element

__all__ = ["Received", "provenance", "read_answer", "read_json", "retry_after"]

_OK: Final = 200
#: What no database can hold is no number of anything.
_BEYOND: Final = 2**63
#: Levels of XML beyond which no answer of the interface goes.
_DEEPEST: Final = 100
_GOOD_WORDS: Final = frozenset({"ok", "success", "successful", "completed", "complete", "done", "processing", "queued"})
_BAD_WORDS: Final = frozenset({"error", "failed", "failure", "fail", "denied", "unauthorized", "invalid"})


@dataclass(frozen=True, slots=True)
class Received:
    """An HTTP response as bytes and headers; header names in lower case."""

    http_status: int
    headers: Mapping[str, str]
    body: bytes


def read_json(call: Call, received: Received) -> dict[str, Any]:
    """Read a response's body, or raise what it says went wrong.

    HTTP status and the body's `status` are reconciled here: an answer is data only if neither of them says otherwise.
    It is the `ServiceError` of the code if either status is an error, or the body carries an error and no data; a
    `ResponseError` if the body is empty, no JSON or XML object, or has none of the expected fields.
    """
    failed = not _OK <= received.http_status < 300  # noqa: PLR2004 - the HTTP class of successes
    try:
        raw = _decoded(received)
    except ValueError as error:
        if failed:
            raise _failure(call, received, received.http_status, _opening(received.body)) from None
        raise ResponseError(
            f"{call.endpoint} for {call.normal}: the answer is not the JSON or XML of the interface ({error}). "
            "Check the base URL.",
            http_status=received.http_status,
            body=received.body.decode("utf-8", errors="replace"),
        ) from None
    stated = _stated_status(raw)
    if failed or stated >= 400 or (stated and stated != _OK and stated < 200):  # noqa: PLR2004
        status = stated if stated >= 400 else received.http_status if failed else 500  # noqa: PLR2004
        raise _failure(call, received, status, _detail(raw), raw)
    if isinstance(raw, list) and raw and call.listed_as:
        raw = {call.listed_as: raw}
    if not isinstance(raw, dict):
        raise ResponseError(
            f"{call.endpoint} for {call.normal}: the answer is a JSON {type(raw).__name__}, not an object. "
            "Check the base URL.",
            http_status=received.http_status,
            raw=raw,
        )
    has_data = any(raw.get(name) is not None for name in call.expects)
    if _states_error(raw) and not has_data:
        raise _failure(call, received, _number(raw.get("code")) or 500, _detail(raw), raw)
    if call.expects and not any(name in raw for name in call.expects):
        raise ResponseError(
            f"{call.endpoint} for {call.normal}: the answer has none of the fields {', '.join(call.expects)}. "
            "Check the base URL; the whole answer is in the error's raw.",
            http_status=received.http_status,
            raw=raw,
        )
    return raw


def read_answer(call: Call, received: Received, fetched_at: datetime | None = None) -> Answer:
    """Read a response into its typed answer, or raise as `read_json` does, also if a field is of the wrong kind."""
    raw = read_json(call, received)
    return model_of(call).decode(raw, provenance(call, received, raw, fetched_at))


def provenance(
    call: Call, received: Received, raw: Mapping[str, Any], fetched_at: datetime | None = None
) -> Provenance:
    """Return where an answer comes from, as call, headers and body state it."""
    blocks = [raw, *(block for name in ("meta", "credits") if isinstance(block := raw.get(name), dict))]

    def stated(name: str) -> Any:
        # What is no scalar is passed over: an odd mark is no reason to lose an answer.
        found = (block.get(name) for block in blocks)
        return next((value for value in found if isinstance(value, str | int | float)), None)

    return Provenance(
        endpoint=call.endpoint,
        target=call.target,
        normal=call.normal,
        fetched_at=fetched_at or datetime.now(UTC),
        http_status=received.http_status,
        request_id=stated("request_id") or received.headers.get("x-request-id"),
        vocab_version=stated("vocab_version"),
        credits_used=_number(stated("credits_used")),
        total_credits=_number(stated("total_credits")),
        remaining_credits=_number(stated("remaining_credits")),
    )


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


def _decoded(received: Received) -> Any:
    body = received.body.strip()
    if not body:
        raise ValueError("the body is empty")
    if "xml" in received.headers.get("content-type", "") or body.startswith(b"<?xml"):
        try:
            return _plain(fromstring(body))
        except (ParseError, DefusedXmlException, LookupError, RecursionError) as error:
            raise ValueError(f"XML: {error}") from None
    try:
        return json.loads(body)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _plain(node: Element, level: int = 0) -> Any:
    """Read an XML element: by its `type` attribute where it has one, else by its make-up."""
    if level > _DEEPEST:
        raise RecursionError("it is nested too deeply")
    kind, text = node.get("type"), (node.text or "").strip()
    children = list(node)
    if kind == "array" or (kind is None and children and all(child.tag == "item" for child in children)):
        return [_plain(child, level + 1) for child in children]
    if kind == "object" or children:
        return _plain_object(children, level + 1)
    readers: dict[str, Callable[[str], Any]] = {
        "integer": int,
        "number": float,
        "boolean": lambda value: value.lower() in ("true", "1"),
        "null": lambda _: None,
    }
    return readers.get(kind or "", str)(text)


def _plain_object(children: list[Element], level: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for child in children:
        value = _plain(child, level)
        if child.tag in found:  # a repeated element is a list
            earlier = found[child.tag]
            value = [*(earlier if isinstance(earlier, list) else [earlier]), value]
        found[child.tag] = value
    return found


def _stated_status(raw: Any) -> int:
    """Return the body's own status as a number, 0 where it states none."""
    stated = raw.get("status") if isinstance(raw, dict) else None
    if isinstance(stated, str):
        word = stated.strip().lower()
        if word in _GOOD_WORDS:
            return 0
        if word in _BAD_WORDS:
            return _number(raw.get("code")) or 500
    if stated is False:
        return _number(raw.get("code")) or 500
    return _number(stated) or 0


def _number(value: Any) -> int | None:
    if isinstance(value, bool) or value is None:
        return None
    try:
        number = int(float(value))
    except (TypeError, ValueError, OverflowError):
        return None
    return number if abs(number) < _BEYOND else None


def _states_error(raw: Mapping[str, Any]) -> bool:
    return any(raw.get(name) for name in ("error", "errors")) or raw.get("success") is False


def _detail(raw: Any) -> str:
    if not isinstance(raw, dict):
        return ""
    for name in ("error", "message", "detail", "error_message", "error_description", "errors"):
        value = raw.get(name)
        if isinstance(value, list) and value:
            value = value[0]
        if isinstance(value, dict):
            value = value.get("message") or value.get("detail")
        if isinstance(value, str) and value.strip():
            return value.strip()[:500]
    return ""


def _opening(body: bytes) -> str:
    text = " ".join(body[:400].decode("utf-8", errors="replace").split())
    return "" if text.startswith("<") else text[:120]


def _failure(call: Call, received: Received, status: int, detail: str, raw: Any = None) -> Exception:
    request_id = received.headers.get("x-request-id")
    if isinstance(raw, dict) and isinstance(raw.get("meta"), dict):
        request_id = raw["meta"].get("request_id") or request_id
    return service_error(status)(
        status,
        endpoint=call.endpoint,
        target=call.normal,
        detail=detail,
        http_status=received.http_status,
        request_id=request_id,
        retry_after=retry_after(received.headers),
        raw=raw,
    )
