"""Notifications as they come in: telling the genuine ones, by their signature and their time."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from pydantic import SecretStr, ValidationError

from toolkit.interface.checks import as_secret, check_number, check_seconds
from toolkit.interface.errors import ConfigurationError, EventError, InputError, OutsideWindowError, SignatureError
from toolkit.interface.models import WebhookEvent
from toolkit.interface.signatures import SIGNATURE_HEADER, TIMESTAMP_HEADER, is_signed
from toolkit.interface.text import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["TOLERANCE", "check_sealed", "check_tolerance", "event_json", "read_event", "seal", "verify"]

#: Seconds that a notification's timestamp may be away from this clock.
TOLERANCE: Final = 300.0
_DIGEST: Final = re.compile(r"sha256=[0-9a-f]{64}", re.IGNORECASE)
#: Milliseconds have 13 digits; they are refused for the time they say, with advice of their own.
_SECONDS: Final = re.compile(r"[0-9]{1,15}")
_MILLISECONDS: Final = 100_000_000_000
_SHOWN: Final = 120


def verify(
    body: bytes,
    headers: Mapping[str, str] | Mapping[bytes, bytes] | Iterable[tuple[str | bytes, str | bytes]],
    secrets: str | SecretStr | Iterable[str | SecretStr],
    *,
    now: float | None = None,
    tolerance: float = TOLERANCE,
) -> WebhookEvent:
    """Return the event of a notification, once its signature and its timestamp are found right.

    Parameters
    ----------
    body : bytes
        The body as it came. JSON that was read and written again has other bytes and does not verify.
    headers : mapping, or iterable of pairs
        The request's headers, their names in any case; names and values as text, or as bytes as ASGI has them.
    secrets : str, SecretStr or iterable of them
        The webhook secret, or several of which any may have signed, as while one is replaced by the next.
    now : float, optional
        Seconds since 1970; this machine's clock if left out.
    tolerance : float
        Seconds that the timestamp may be before or after `now`.

    Returns
    -------
    WebhookEvent
        What is notified. Whether it has come before is for `Inbox` to tell.

    Raises
    ------
    SignatureError
        If a header is missing, is there twice or is not of the interface's form, or no secret gives this signature.
    OutsideWindowError
        If the signature is right and the timestamp is too far from `now`.
    EventError
        If both are right and the body is not an event.
    ConfigurationError
        If there is no secret to verify with, or the tolerance is no number of seconds up to a day.
    InputError
        If `body` is not bytes, `headers` are none, or `now` is no number.

    Examples
    --------
    >>> from toolkit.interface.signatures import sign
    >>> body = b'{"event": "quota.warning", "timestamp": "2023-11-14T22:13:20Z", "webhook_id": "w1", "data": {}}'
    >>> headers = {"X-Webhook-Signature": sign("s3cret", 1700000000, body), "X-Webhook-Timestamp": "1700000000"}
    >>> verify(body, headers, "s3cret", now=1700000001).event
    'quota.warning'
    """
    # The name is taken over before anything can fail, so that no traceback's frame holds a secret as plain text.
    secrets = seal(secrets)
    check_sealed(secrets)
    check_tolerance(tolerance)
    if not isinstance(body, bytes | bytearray | memoryview):
        raise InputError(
            f"body must be the bytes of the request as they came, not {type(body).__name__}. "
            "JSON that was read and written again has another signature."
        )
    clock = time.time() if now is None else now
    clock = check_number(clock, "now", advice="Give seconds since 1970, such as moment.timestamp().")
    body = bytes(body)
    pairs = _pairs(headers)
    signature = _only(pairs, SIGNATURE_HEADER, _DIGEST, "'sha256=' and 64 hexadecimal digits").lower()
    timestamp = _only(pairs, TIMESTAMP_HEADER, _SECONDS, "a whole number of seconds since 1970")
    if not is_signed([secret.get_secret_value() for secret in secrets], timestamp, body, signature):
        raise SignatureError(
            f"The signature was made with none of the secrets known here ({len(secrets)}), or not over these bytes. "
            "Check that sender and receiver have the same secret, and that nothing between them rewrites the body."
        )
    _check_window(int(timestamp), clock, tolerance)
    return read_event(body)


def seal(secrets: str | SecretStr | Iterable[str | SecretStr] | None) -> tuple[SecretStr, ...]:
    """Wrap secrets so that nothing shows them; an empty one stands for what cannot be a secret.

    This raises nothing: the caller can let go of the plain texts first, and then call `check_sealed`.

    >>> seal("s3cret")
    (SecretStr('**********'),)
    """
    if secrets is None or isinstance(secrets, str | SecretStr):
        secrets = () if secrets is None else (secrets,)
    return tuple(map(as_secret, secrets)) if isinstance(secrets, Iterable) else (as_secret(secrets),)


def check_sealed(secrets: tuple[SecretStr, ...]) -> None:
    """Raise a ConfigurationError if there are no secrets, or one is empty."""
    if not secrets:
        raise ConfigurationError("There is no webhook secret to verify with. Pass the one that the sender signs with.")
    if not all(secret.get_secret_value() for secret in secrets):
        raise ConfigurationError(
            "A webhook secret is empty or is no text that UTF-8 can carry. Pass the one that the sender signs with."
        )


def check_tolerance(tolerance: float) -> None:
    """Raise a ConfigurationError if a tolerance is no number of seconds up to a day."""
    check_seconds(tolerance, "tolerance")


def read_event(body: bytes | str) -> WebhookEvent:
    """Read an event from JSON, or raise an `EventError`."""
    try:
        raw = json.loads(body)
    except (ValueError, RecursionError):
        raise EventError("The notification is signed, but its body is not JSON. Check what is sent.") from None
    if not isinstance(raw, dict):
        raise EventError(
            f"The notification is signed, but its body is a JSON {type(raw).__name__}, not an object. "
            "Check what is sent."
        )
    try:
        event = WebhookEvent.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        wrong = "$" + "".join(f".{step}" for step in first["loc"])
    else:
        blank = [name for name in ("event", "webhook_id") if not getattr(event, name).strip()]
        if not blank:
            return event
        wrong = f"$.{blank[0]}"
    wrong = printable(shortened(wrong, _SHOWN))
    raise EventError(
        f"The notification is signed, but it is not an event: {wrong} is missing or of the wrong kind. "
        "Check what is sent."
    )


def event_json(event: WebhookEvent) -> dict[str, Any]:
    """Return an event as the JSON object that came, unknown fields at the end.

    >>> event_json(WebhookEvent(event="quota.warning", timestamp="2026-01-01T00:00:00Z", webhook_id="w1"))
    {'event': 'quota.warning', 'timestamp': '2026-01-01T00:00:00Z', 'webhook_id': 'w1', 'data': {}}
    """
    # pydantic's own way gives up on data that is nested deeply.
    known = {name: getattr(event, name) for name in WebhookEvent.model_fields}
    return {**known, **(event.model_extra or {})}


def _pairs(headers: Any) -> list[tuple[str, str]]:
    """Return names and values of headers as text; what is neither text nor bytes is empty."""
    try:
        # Headers that can be repeated give each of them here, and only one of them when they are asked by name.
        given = headers.items() if hasattr(headers, "items") else headers
        return [(_text(name), _text(value)) for name, value in given]
    except (TypeError, ValueError):
        raise InputError(
            f"headers must be a mapping of names to values, or pairs of them; this {type(headers).__name__} is "
            "neither. Pass the headers of the request."
        ) from None


def _text(part: object) -> str:
    return part.decode("latin-1") if isinstance(part, bytes) else part if isinstance(part, str) else ""


def _only(headers: list[tuple[str, str]], name: str, form: re.Pattern[str], words: str) -> str:
    found = [value for key, value in headers if key.lower() == name.lower()]
    if len(found) != 1:
        trouble = f"{len(found)} headers {name}" if found else f"no header {name}"
        raise SignatureError(f"The notification has {trouble}; it must have one. Check that its sender signs it.")
    value = found[0].strip(" \t")
    if not form.fullmatch(value):
        raise SignatureError(f"The header {name} is not {words}. Check that the notification is the service's.")
    return value


def _check_window(timestamp: int, now: float, tolerance: float) -> None:
    ahead = timestamp - now
    if abs(ahead) <= tolerance:
        return
    side = "ahead of" if ahead > 0 else "behind"
    advice = (
        "It looks like milliseconds; the interface counts seconds."
        if timestamp > _MILLISECONDS
        else "Set both clocks by the network; a notification that is sent again must be signed again."
    )
    raise OutsideWindowError(
        f"The notification's timestamp is {abs(ahead):.0f} s {side} this clock, and {tolerance:g} s are allowed. "
        f"{advice}"
    )
