"""What requests ask: their bodies, read within bounds, and the targets that they name."""

from __future__ import annotations

import asyncio
import ipaddress
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from toolkit.interface.errors import TargetError
from toolkit.interface.targets import Target, parse_target
from toolkit.service.failures import Failure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import Scope

__all__ = ["LONGEST_BODY", "read_form", "read_json", "required", "wanted_home_page", "wanted_target"]

#: Bytes of a body; one that is longer is refused, whether or not it tells its length.
LONGEST_BODY: Final = 2_000_000
_MOST_FIELDS: Final = 50
#: Bytes up to which a body is read at once.
_SHORT: Final = 50_000


async def read_form(request: Request) -> dict[str, str]:
    """Read a form's text fields, files left out, or answer 400 if the body is too long or cannot be read."""
    body = await _read_body(request)
    reading = _fields(request.scope, body)
    try:
        # A long body takes up to a second, in which nobody else would be answered.
        values = await reading if len(body) <= _SHORT else await to_thread.run_sync(asyncio.run, reading)
    except HTTPException as error:
        raise Failure(400, error.detail) from None
    except ValueError:  # the sender chooses the charset, and not every one can fail in an orderly way
        raise Failure(400, "the form cannot be read") from None
    return values


async def _fields(scope: Scope, body: bytes) -> dict[str, str]:
    async def replay() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async with Request(scope, replay).form(max_fields=_MOST_FIELDS, max_part_size=LONGEST_BODY) as form:
        values = {name: value for name, value in form.items() if isinstance(value, str)}
    _check_encodable(values)
    return values


async def read_json(request: Request) -> dict[str, Any]:
    """Read a JSON object, or answer 400 if the body is too long, is none, or holds a text that UTF-8 cannot write."""
    body = await _read_body(request)
    try:
        payload = json.loads(body) if len(body) <= _SHORT else await to_thread.run_sync(json.loads, body)
        # Plain ASCII spells half a character in one way only.
        if b"\\u" in body or not body.isascii():
            _check_encodable(payload)
    except (ValueError, RecursionError):
        raise Failure(400, "the body is not JSON") from None
    if not isinstance(payload, dict):
        raise Failure(400, "the body must be a JSON object")
    return payload


def required(values: Mapping[str, str], name: str) -> str:
    """Return a parameter without white space around it, or answer 400 if it is missing or empty."""
    value = values.get(name, "").strip()
    if not value:
        raise Failure(400, f"{name} is missing")
    return value


async def _read_body(request: Request) -> bytes:
    length = request.headers.get("content-length", "0")
    if length.isdigit() and int(length) > LONGEST_BODY:
        raise _too_long()
    body = bytearray()
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > LONGEST_BODY:
                raise _too_long()
    except ClientDisconnect:
        raise Failure(400, "the body ended before it was complete") from None
    return bytes(body)


def _too_long() -> Failure:
    return Failure(400, f"the body has more than {LONGEST_BODY:,} bytes")


def _check_encodable(value: object) -> None:
    # JSON can spell half a character (\ud800) that no answer and no signature could write.
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Failure(400, "a text holds half a character (a lone surrogate)") from None


def wanted_target(query: str) -> Target:
    """Read a query as a domain or URL, or answer 400 if it is neither; an IPv6 address needs no brackets."""
    try:
        return parse_target(f"[{query}]" if _is_ipv6(query) else query)
    except TargetError as error:
        raise Failure(400, str(error)) from None


def wanted_home_page(query: str) -> Target:
    """Read a query as a domain, or a URL in its place, and return the domain's home page, or answer 400.

    Path and query are dropped. A port is kept, and with it scheme and host as they were given, since it names a server
    of its own.
    """
    target = wanted_target(query)
    if target.port is not None:
        return replace(target, path="", query="")
    return Target(given=target.domain, scheme="https", host=target.domain)


def _is_ipv6(query: str) -> bool:
    try:
        ipaddress.IPv6Address(query)
    except ValueError:
        return False
    return True
