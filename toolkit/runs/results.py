"""What the journal holds of a run, as records for frames and as outcomes."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from toolkit.frames.records import Record
from toolkit.interface.calls import model_of
from toolkit.interface.errors import InputError, StoreError, ToolkitError
from toolkit.interface.models import LegacySegmentation, Outcome
from toolkit.interface.reading import Received, provenance, read_json
from toolkit.interface.targets import parse_target
from toolkit.runs.journal import State
from toolkit.store.database import RESCUE

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.runs.journal import Entry
    from toolkit.runs.questions import Question

__all__ = [
    "DONE",
    "NOT_ASKED",
    "failures_frame",
    "frame_of_legacy",
    "is_legacy",
    "outcome_of_entry",
    "outcome_of_row",
    "record_of",
]

_ANSWERED: Final = 200
DONE: Final = (State.ANSWERED, State.STORED, State.FAILED)
_COUNTS: Final = ["interests", "purchase_intents", "personas"]
NOT_ASKED: Final = "Not asked yet: the run stopped before. Start it again to go on."


def record_of(question: Question, row: tuple[Any, ...]) -> Record:
    """Return a row of `Journal.results` as a record, undecoded where it is an answer."""
    position, given, normal, problem, state, status, error, request_id, version, at, credits_used, asked, *rest = row
    media, packed, body = rest
    if problem is not None:
        return Record(position, given, None, question.endpoint, error=problem)
    about = asked or normal
    if state is None or state in (State.WAITING, State.SENT):
        return Record(position, given, about, question.endpoint, error=NOT_ASKED)
    if state == State.FAILED:
        return Record(position, given, about, question.endpoint, status, error)
    raw = _unpacked(body, packed)
    if status != _ANSWERED:
        return Record(
            position, given, about, question.endpoint, status, _words(question, given, _received(row)),
            from_cache=state == State.STORED,
        )  # fmt: skip
    if "json" not in media and raw[:1] not in (b"{", b" "):
        raw = json.dumps(read_json(question.call(given), Received(_ANSWERED, {"content-type": media}, raw))).encode()
    return Record(
        row=position,
        target=given,
        normal=about,
        endpoint=question.endpoint,
        status=_ANSWERED,
        raw=raw,
        request_id=request_id,
        vocab_version=version,
        fetched_at=at,
        from_cache=state == State.STORED,
        credits_used=credits_used,
    )


def outcome_of_row(question: Question, row: tuple[Any, ...]) -> Outcome:
    """Return a row of `Journal.results` as an outcome."""
    record = record_of(question, row)
    if record.error is not None or record.raw is None:
        return Outcome(record.target, question.endpoint, error=_error_of(question, record, row))
    call = question.call(record.target)
    received = Received(_ANSWERED, {"content-type": "application/json"}, record.raw)
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=record.fetched_at or 0)
    try:
        raw = read_json(call, received)
        source = provenance(call, received, raw, moment).model_copy(update={"from_cache": record.from_cache})
        return Outcome(record.target, question.endpoint, answer=model_of(call).decode(raw, source))
    except ToolkitError as error:
        return Outcome(record.target, question.endpoint, error=error)


def outcome_of_entry(question: Question, entry: Entry) -> Outcome:
    """Return what came of a task just now."""
    if entry.problem is not None or entry.call is None or entry.received is None:
        error = entry.problem or ToolkitError(entry.error or "")
        return Outcome(entry.task.target, question.endpoint, error=error)
    try:
        answer = model_of(entry.call).decode(read_json(entry.call, entry.received), entry.source)
    except ToolkitError as error:
        return Outcome(entry.task.target, question.endpoint, error=error)
    return Outcome(entry.task.target, question.endpoint, answer=answer)


def failures_frame(records: Iterable[Record]) -> pd.DataFrame:
    """Return one row a failure; columns as ``SCHEMAS["failures"]``."""
    import pandas as pd  # noqa: PLC0415 - where a frame is made

    from toolkit.frames.schemas import SCHEMAS  # noqa: PLC0415 - as above

    found = list(records)
    columns = SCHEMAS["failures"]
    return pd.DataFrame(
        {name: pd.Series([getattr(record, name) for record in found], dtype=dtype) for name, dtype in columns.items()}
    )


def is_legacy(question: Question) -> bool:
    """Tell whether a question is for the segmentation in free text."""
    return model_of(question.call("a.example")) is LegacySegmentation


def frame_of_legacy(name: str, records: Iterable[Record], vocabulary: Vocabulary | None) -> pd.DataFrame:
    """Return a frame of segmentations in free text: they have no codes and bands, so only what came of each is told."""
    from toolkit.frames.readers import frame_of  # noqa: PLC0415 - pandas, where a frame is made

    if name == "codes":
        return frame_of(name, (record for record in records if not record.is_answer), vocabulary)
    frame = frame_of(name, (replace(r, raw=b"{}") if r.is_answer else r for r in records), vocabulary)
    frame[_COUNTS] = frame[_COUNTS].where(frame["error"].notna())
    return frame


def _received(row: tuple[Any, ...]) -> Received:
    """Return what came for a row that has an answer, as far as it is kept."""
    status, request_id = row[5], row[7]
    *_, media, packed, body = row
    mark = {} if request_id is None else {"x-request-id": request_id}
    return Received(status or 0, {"content-type": media} | mark, _unpacked(body, packed))


def _unpacked(body: bytes, packed: int) -> bytes:
    try:
        return zlib.decompress(body) if packed else body
    except zlib.error as error:
        words = str(error)
    raise StoreError(f"A stored answer is damaged ({words}). {RESCUE}")


def _words(question: Question, given: str, received: Received) -> str:
    """Return the words of a page's failure, read again from what came."""
    try:
        read_json(question.call(given), received)
    except ToolkitError as error:
        return str(error)
    return f"answered {received.http_status}"


def _error_of(question: Question, record: Record, row: tuple[Any, ...]) -> ToolkitError:
    try:
        parse_target(record.target)
    except InputError as error:
        return error
    if row[-1] is not None:
        try:
            read_json(question.call(record.target), _received(row))
        except ToolkitError as error:
            return error
    return ToolkitError(record.error or "")
