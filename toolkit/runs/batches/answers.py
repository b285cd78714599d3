"""Reading the answer to a submission: that the service took a batch, and whether it takes it but once. No I/O."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from toolkit.interface import calls
from toolkit.interface.errors import InputError, ResponseError
from toolkit.interface.reading import Received, read_answer
from toolkit.interface.text import printable, shortened

if TYPE_CHECKING:
    from toolkit.interface.calls import Call
    from toolkit.interface.models import BatchSubmission

__all__ = ["Taken", "read_submission", "shown"]

_SHOWN: Final = 120


@dataclass(frozen=True, slots=True)
class Taken:
    """A submission that the service took."""

    batch_id: str
    #: Whether the service said that it takes submissions with the same idempotency key once.
    is_once: bool


def read_submission(call: Call, received: Received) -> Taken:
    """Read the answer to a submission; one by whose identifier no results could be asked for is a ResponseError."""
    answer = cast("BatchSubmission", read_answer(call, received))
    try:
        calls.batch_results(answer.batch_id)
    except InputError:
        raise ResponseError(
            f"submit_batch: {shown(answer.batch_id)!r} cannot be the identifier of a batch. Check the base URL.",
            path="$.batch_id",
            http_status=received.http_status,
            raw=answer.raw,
        ) from None
    return Taken(answer.batch_id, received.headers.get("idempotency-key") == call.idempotency_key)


def shown(value: object) -> str:
    """Return what the service said as one short line."""
    return printable(shortened(str(value), _SHOWN))
