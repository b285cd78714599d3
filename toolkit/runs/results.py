"""What the journal holds of a run, as records for frames and as outcomes."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from toolkit.files.unpacking import UnpackingError, unpacked
from toolkit.frames.records import Record
from toolkit.interface.calls import QUESTIONS, question_of
from toolkit.interface.errors import (
    AnswerTimeoutError,
    ConnectionFailedError,
    InputError,
    ResponseError,
    ServiceError,
    StoreError,
    ToolkitError,
    service_error,
)
from toolkit.interface.models import Outcome
from toolkit.interface.reading import Received, Stated, provenance, read_json
from toolkit.interface.targets import parse_target
from toolkit.runs.tasks import State
from toolkit.store.database import RESCUE

if TYPE_CHECKING:
    from toolkit.interface.calls import Question
    from toolkit.runs.tasks import Entry, Row

__all__ = ["DONE", "NOT_ASKED", "checked", "outcome_of_entry", "outcome_of_row", "record_of"]

_ANSWERED: Final = 200
_KINDS: Final = {kind.__name__: kind for kind in (AnswerTimeoutError, ConnectionFailedError, ResponseError, InputError)}
DONE: Final = (State.ANSWERED, State.STORED, State.FAILED)
NOT_ASKED: Final = "Not asked yet: the run stopped before. Start it again to go on."


def record_of(question: Question, row: Row) -> Record:
    """Return a row of the journal as a record, undecoded where it is an answer."""
    position, given, endpoint = row.position, row.given, question.endpoint
    if row.problem is not None:
        return Record(position, given, None, endpoint, error=row.problem)
    about, from_cache = row.asked or row.normal, row.state == State.STORED
    if row.state is None or row.state in (State.WAITING, State.SENT):
        # What the key or the quota kept from being asked has the service's own words.
        return Record(position, given, about, endpoint, row.status, row.error or NOT_ASKED)
    if row.state == State.FAILED or row.body is None:
        return Record(position, given, about, endpoint, row.status, row.error)
    raw = _unpacked(row.body, row.packed)
    if row.status != _ANSWERED:
        words = _words(question, given, _received(row, raw))
        return Record(
            position, given, about, endpoint, row.status, words,
            fetched_at=row.fetched_at, from_cache=from_cache, credits_used=row.credits_used or None,
        )  # fmt: skip
    if "json" not in row.media and raw[:1] not in (b"{", b" "):
        try:
            raw = json.dumps(read_json(question.call(given), _received(row, raw))).encode()
        except ToolkitError as error:
            return Record(position, given, about, endpoint, status_of(error), str(error), from_cache=from_cache)
    return Record(
        row=position,
        target=given,
        normal=about,
        endpoint=endpoint,
        status=_ANSWERED,
        raw=raw,
        request_id=row.request_id,
        vocab_version=row.vocab_version,
        fetched_at=row.fetched_at,
        from_cache=from_cache,
        credits_used=row.credits_used,
    )


def checked(record: Record, *, legacy: bool) -> Record:
    """Return a record that was kept in a file, as a failure where its body is no answer as bodies are read today."""
    if not isinstance(record.raw, bytes) or record.error is not None or record.endpoint not in QUESTIONS:
        return record
    options = {"format": "legacy"} if legacy and record.endpoint == "segment" else {}
    try:
        call = question_of(record.endpoint, **options).call(record.target)
        read_json(call, Received(_ANSWERED, {"content-type": "application/json"}, record.raw))
    except ToolkitError as error:
        return replace(record, raw=None, status=status_of(error), error=str(error))
    return record


def status_of(error: ToolkitError) -> int | None:
    """Return the code of an error of the service; None of others."""
    return error.status if isinstance(error, ServiceError) else None


def outcome_of_row(question: Question, row: Row) -> Outcome:
    """Return a row of the journal as an outcome."""
    record = record_of(question, row)
    if record.error is not None or not isinstance(record.raw, bytes):
        return Outcome(record.target, question.endpoint, error=_error_of(question, record, row))
    call = question.call(record.target)
    received = Received(_ANSWERED, {"content-type": "application/json"}, record.raw)
    try:
        raw = read_json(call, received)
        source = provenance(call, received, raw, _moment(record.fetched_at))
        told = {name: getattr(record, name) for name in ("from_cache", "request_id", "credits_used")}
        source = source.model_copy(update=told)
        return Outcome(record.target, question.endpoint, answer=question.model.decode(raw, source))
    except ToolkitError as error:
        return Outcome(record.target, question.endpoint, error=error)


def outcome_of_entry(question: Question, entry: Entry) -> Outcome:
    """Return what came of a task just now."""
    if entry.problem is not None or entry.call is None or entry.received is None:
        error = entry.problem or ToolkitError(entry.error or "")
        return Outcome(entry.task.target, question.endpoint, error=error)
    try:
        raw = read_json(entry.call, entry.received)
        source = entry.source
        if isinstance(source, Stated):
            source = provenance(entry.call, entry.received, raw, source.fetched_at)
        answer = question.model.decode(raw, source)
    except ToolkitError as error:
        return Outcome(entry.task.target, question.endpoint, error=error)
    return Outcome(entry.task.target, question.endpoint, answer=answer)


def _moment(microseconds: int | None) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds or 0)


def _received(row: Row, raw: bytes) -> Received:
    """Return what came for a row that has an answer, as far as it is kept."""
    mark = {} if row.request_id is None else {"x-request-id": row.request_id}
    return Received(row.status or 0, {"content-type": row.media} | mark, raw)


def _unpacked(body: bytes, packed: int) -> bytes:
    try:
        return unpacked(body) if packed else body
    except UnpackingError as error:
        words = str(error)
    raise StoreError(f"A stored answer is damaged ({words}). {RESCUE}")


def _words(question: Question, given: str, received: Received) -> str:
    """Return the words of a page's failure, read again from what came."""
    try:
        read_json(question.call(given), received)
    except ToolkitError as error:
        return str(error)
    return f"answered {received.http_status}"


def _error_of(question: Question, record: Record, row: Row) -> ToolkitError:
    """Return the error of a failure as it was raised first."""
    if record.normal is None:
        try:
            parse_target(record.target)
        except InputError as error:
            return error
    if row.body is not None:
        try:
            read_json(question.call(record.target), _received(row, _unpacked(row.body, row.packed)))
        except ServiceError as error:
            error.fetched_at, error.from_cache = _moment(record.fetched_at), record.from_cache
            return error
        except ToolkitError as error:
            return error
    words = record.error or ""
    if record.status is None:
        return _KINDS.get(row.kind or "", ToolkitError)(words)
    failure = service_error(record.status)(record.status, endpoint=record.endpoint, target=record.normal or "")
    failure.args = (words,)
    return failure
