"""Signatures of notifications: HMAC with SHA-256 over the timestamp, a dot and the body's raw bytes."""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["SIGNATURE_HEADER", "TIMESTAMP_HEADER", "is_signed", "sign"]

SIGNATURE_HEADER: Final = "X-Webhook-Signature"
TIMESTAMP_HEADER: Final = "X-Webhook-Timestamp"
_PREFIX: Final = "sha256="


def sign(secret: str, timestamp: int | str, body: bytes) -> str:
    """Return the signature of a notification's bytes as they are sent: ``sha256=`` and the digest in lower-case hex.

    >>> sign("secret", 1700000000, b"{}")[:15]
    'sha256=b8569b78'
    """
    digest = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256)
    return _PREFIX + digest.hexdigest()


def is_signed(secrets: Iterable[str], timestamp: int | str, body: bytes, signature: str) -> bool:
    """Tell whether a signature is one of the secrets' over these bytes, in constant time a secret.

    >>> is_signed(["old", "new"], 1700000000, b"{}", sign("new", 1700000000, b"{}"))
    True
    """
    given = signature.strip().encode()
    return sum(hmac.compare_digest(sign(secret, timestamp, body).encode(), given) for secret in secrets) > 0
