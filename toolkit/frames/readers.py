"""Tidy frames straight from raw answers, without a model for each: the one reader, whatever road an answer came.

An answer of the plain form is read as it is; only the others go through the models, so that both ways are equally
lenient.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
from pydantic_core import from_json

from toolkit.frames.asked import ASKED, Asked
from toolkit.frames.categorizations import Categories
from toolkit.frames.columns import Columns, whole_or_none
from toolkit.frames.enrichments import Companies, Technologies
from toolkit.frames.plain import OddShapeError, plain
from toolkit.frames.records import FRAMES
from toolkit.frames.schemas import SCHEMAS
from toolkit.frames.segmentations import Audiences, Codes
from toolkit.interface.calls import MODELS
from toolkit.interface.checks import check_one_of
from toolkit.interface.errors import InputError, ResponseError
from toolkit.interface.targets import is_blank
from toolkit.interface.vocabulary import Vocabulary
from toolkit.interface.wire.shapes import unwrapped
from toolkit.interface.words.labels import reason_label

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from toolkit.frames.columns import Reader
    from toolkit.frames.records import Record

__all__ = ["frame_of", "frame_of_run", "sites_asked"]

#: The frames that can be built.

_ANSWERED: Final = 200
#: What tells the content of an endpoint's answers from what is put around it.
_SHAPES: Final = {endpoint: model.shape for endpoint, model in MODELS.items()}
_COUNTS: Final = ["interests", "purchase_intents", "personas"]
#: So many records are at hand at a time; the rest is in arrays.
_AT_A_TIME: Final = 4096
_COMMON: Final = (
    "row",
    "target",
    "normal",
    "status",
    "error",
    "endpoint",
    "request_id",
    "vocab_version",
    "fetched_at",
    "from_cache",
    "credits_used",
)


def frame_of(name: str, records: Iterable[Record], vocabulary: Vocabulary | None = None) -> pd.DataFrame:
    """Return one of the frames of :mod:`toolkit.frames` of the records of a run, which are read a few at a time.

    Its ``row`` is the record's. An answer that is not of the interface's form is one row with the words of the error,
    as any failure. ``attrs["asked"]`` says who was asked and who was answered: see `toolkit.frames.asked`.

    Examples
    --------
    >>> from toolkit.frames.records import Record
    >>> body = b'{"interests": {"tier2": ["INT.PETS.DOGS"], "confidence": "high"}}'
    >>> frame = frame_of("codes", [Record(7, "a.example", "a.example", "segment", 200, raw=body)])
    >>> frame[["row", "code", "confidence"]].values.tolist()
    [[7, 'INT.PETS.DOGS', 'high']]
    """
    reader = _reader(name, vocabulary)
    common = Columns({column: SCHEMAS[name][column] for column in _COMMON})
    waiting: list[Record] = []
    for record in records:
        if record.endpoint in reader.endpoints or not (record.endpoint or record.is_answer):
            waiting.append(_read(reader, record))
            if len(waiting) == _AT_A_TIME:
                _pack(common, waiting)
                reader.pack()
    _pack(common, waiting)
    reader.pack()
    rows, own = reader.columns()
    asked = _asked(common, rows, reader.fields())
    columns = own | common.columns(rows)
    if rows is not None:
        # An answer of many rows was paid for once.
        further = np.r_[False, rows[1:] == rows[:-1]] if len(rows) else np.zeros(0, dtype=bool)
        columns["credits_used"][further & ~columns["credits_used"].isna()] = 0
    frame = pd.DataFrame({column: columns[column] for column in SCHEMAS[name]}, copy=False)
    frame.attrs[ASKED] = asked
    return frame


def _asked(common: Columns, rows: np.ndarray | None, fields: np.ndarray | None) -> Asked:
    """Return who was asked and answered, also with nothing; `rows` has the number of each row's record.

    `fields` says of which fields each record has a value.
    """
    error = common.whole("error")
    each = None if rows is None else np.bincount(rows, minlength=len(error))
    good = error.is_null().to_numpy(zero_copy_only=False)
    return Asked.of(common.whole("target"), common.whole("normal"), common.whole("endpoint"), good, each, fields=fields)


def frame_of_run(
    name: str,
    records: Iterable[Record],
    vocabulary: Vocabulary | None = None,
    *,
    legacy: bool | Collection[int] = False,
) -> pd.DataFrame:
    """Return `frame_of`, or the failures.

    Segmentations in free text, all or those of some rows, have no codes and bands: only what came of each is told.
    """

    def is_free(row: int) -> bool:
        return legacy if isinstance(legacy, bool) else row in legacy

    if name == "failures":
        return _failures(records, is_free)
    if not legacy:
        return frame_of(name, records, vocabulary)
    if name == "codes":
        return frame_of(name, (r for r in records if not (r.is_answer and is_free(r.row))), vocabulary)
    frame = frame_of(
        name, (replace(r, raw=b"{}") if r.is_answer and is_free(r.row) else r for r in records), vocabulary
    )
    if name == "audiences":
        free = frame["row"].map(is_free).astype(bool) & frame["error"].isna()
        frame[_COUNTS] = frame[_COUNTS].mask(free)
    return frame


def _failures(records: Iterable[Record], is_free: Callable[[int], bool]) -> pd.DataFrame:
    """Return what has no answer, or one that a frame cannot read: there it is a failure too.

    What is no web address is told once, of no question; an entry that says nothing is not told.
    """
    found: list[Record] = []
    no_target = -1
    readers: dict[str, list[Reader]] = {}
    for number, record in enumerate(records):
        if number % _AT_A_TIME == 0:  # what they have read is of no use
            readers = {}
        if record.normal is None and not record.is_answer:
            if record.row != no_target and not is_blank(record.target):
                found.append(replace(record, endpoint=None))  # type: ignore[arg-type]  # of none
            no_target = record.row
            continue
        is_told = record.is_answer and not (record.endpoint == "segment" and is_free(record.row))
        if is_told and record.endpoint not in readers:
            readers[record.endpoint] = [
                _reader(name, Vocabulary("", {}, {}))
                for name, endpoints in FRAMES.items()
                if record.endpoint in endpoints
            ]
        read = (_read(reader, record) for reader in readers[record.endpoint]) if is_told else (record,)
        if (failed := next((each for each in read if not each.is_answer), None)) is not None:
            found.append(failed)
    columns = SCHEMAS["failures"]
    cells = {name: [_reason(one) if name == "reason" else getattr(one, name) for one in found] for name in columns}
    return pd.DataFrame({name: pd.Series(cells[name], dtype=dtype) for name, dtype in columns.items()})


def _reason(record: Record) -> str:
    """Return why there is no answer, in a few plain words; its `error` has those of the service."""
    is_target = record.normal is not None
    return reason_label(record.status, record.error or "", is_target=is_target, is_open=bool(record.is_open))


def _reader(name: str, vocabulary: Vocabulary | None) -> Reader:
    if name == "audiences":
        if vocabulary is None:
            raise InputError("The audiences frame needs a vocabulary for its bands. Pass client.filters().")
        return Audiences(vocabulary)
    if name == "codes":
        return Codes(vocabulary)
    readers: dict[str, Callable[[], Reader]] = {
        "categories": Categories,
        "companies": Companies,
        "technologies": Technologies,
    }
    check_one_of(name, "The frame", FRAMES)
    return readers[name]()


def _read(reader: Reader, record: Record) -> Record:
    """Give a record to the reader, and return it as its row tells of it."""
    if record.raw is None or record.error is not None:
        reader.fail()
        return _failed(record)
    try:
        raw = record.raw
        answer = from_json(raw) if isinstance(raw, bytes) else dict(raw)
        reader.read(record.endpoint, unwrapped(answer, _SHAPES.get(record.endpoint, "")))
    except (OddShapeError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
        try:
            answer = _modelled(record.endpoint, record.raw)
        except ResponseError as error:
            reader.fail()
            return _failed(replace(record, status=None, error=str(error)))
        reader.read(record.endpoint, answer)
    return record


def _modelled(endpoint: str, raw: bytes | Mapping[str, Any]) -> dict[str, Any]:
    """Return what the model of an answer makes of it, in the plain form."""
    model = MODELS[endpoint]
    try:
        found = json.loads(raw) if isinstance(raw, bytes) else raw
    except (ValueError, RecursionError) as error:
        raise ResponseError(f"{model.kind}: the stored answer is not JSON ({error}). Ask for it again.") from None
    answer: dict[str, Any] = plain(model.decode(found))
    return answer


def _failed(record: Record) -> Record:
    # Of a failure is known when it was told, from where, and what it cost if it did.
    return replace(record, raw=None, request_id=None, vocab_version=None, credits_used=record.credits_used or None)


def _pack(common: Columns, records: list[Record]) -> None:
    common.pack(
        (
            [record.row for record in records],
            [record.target for record in records],
            [record.normal for record in records],
            [record.status if record.raw is None else _ANSWERED for record in records],
            [record.error for record in records],
            [record.endpoint for record in records],
            [record.request_id for record in records],
            [record.vocab_version for record in records],
            [record.fetched_at for record in records],
            [record.from_cache for record in records],
            [whole_or_none(record.credits_used) for record in records],
        )
    )
    records.clear()


def sites_asked(records: Iterable[Record], questions: Mapping[str, Sequence[str]]) -> dict[str, pd.DataFrame]:
    """Return who was answered by any of some questions, by the name of these; see `Run.sites`."""
    found: dict[str, dict[int, Record]] = {name: {} for name in questions}
    for record in records:
        for name, wanted in questions.items():
            known = found[name].get(record.row)
            if record.endpoint in wanted and (known is None or (record.is_answer and not known.is_answer)):
                found[name][record.row] = record
    frames = {}
    for name, kept in found.items():
        rows = [kept[row] for row in sorted(kept)]
        columns = {
            "target": [record.target for record in rows],
            "normal": [record.normal for record in rows],
            "error": [None if record.is_answer else record.error for record in rows],
        }
        numbers = pd.Series([record.row for record in rows], dtype="int64")
        texts = {column: pd.Series(values, dtype="str") for column, values in columns.items()}
        frames[name] = pd.DataFrame({"row": numbers} | texts)
    return frames
