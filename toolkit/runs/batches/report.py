"""What came of a batch call: one outcome an input, and the sum of them."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from toolkit.frames.records import Record
from toolkit.interface import calls
from toolkit.interface.errors import InputError, ToolkitError, service_error
from toolkit.interface.models import Outcome
from toolkit.interface.reading import Received, provenance, read_json
from toolkit.interface.targets import parse_target
from toolkit.interface.text import definition_table, printable, shortened
from toolkit.runs.batches.journal import NO_RESULT
from toolkit.runs.journal import State
from toolkit.runs.results import failures_frame, record_of

if TYPE_CHECKING:
    import pandas as pd

    from toolkit.runs.batches.journal import BatchJournal

__all__ = ["BatchReport"]

_OK: Final = 200
_SHOWN: Final = 200
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class BatchReport:
    """What came of `Client.batch`. It stays when the client and the store are closed.

    Attributes
    ----------
    batches : list of str
        Identifiers of the batches that the service took, those of earlier calls that were gone on with included.
    unknown : list of dict
        Items that the service sent for domains that were not submitted; they are mapped onto no input.
    reason : str
        Why it stopped before everything was done; empty where it did not. The same call goes on.
    """

    def __init__(
        self,
        records: list[Record],
        missing: set[int],
        *,
        batches: list[str],
        unknown: list[dict[str, Any]],
        reason: str = "",
    ) -> None:
        self.batches = batches
        self.unknown = unknown
        self.reason = reason
        self._records = records
        self._missing = missing

    @classmethod
    def of_journal(cls, journal: BatchJournal, reason: str, *, may_serve: bool) -> BatchReport:
        """Read the whole report out of the journal; without answers if those in the file may not be used."""
        [question] = journal.questions
        records: list[Record] = []
        missing: set[int] = set()
        waits = f"No result yet: {reason.rstrip('.') or 'not asked'}. The same call goes on with what is left."
        for row in journal.results(0):
            record = record_of(question, row)
            state, status, error = row[4:7]
            if state is not None and not may_serve:
                record = Record(record.row, record.target, record.normal, record.endpoint, error=waits)
            elif state in {State.WAITING, State.SENT}:
                # One that the key or the quota kept from being worked on has the service's own words.
                record = Record(record.row, record.target, record.normal, record.endpoint, status, error or waits)
            if record.error in {NO_RESULT, waits}:
                missing.add(record.row)
            records.append(record)
        return cls(records, missing, batches=journal.batch_ids(), unknown=journal.unknown(), reason=reason)

    @property
    def total(self) -> int:
        """Number of inputs, duplicates included: those successful, failed and missing together."""
        return len(self._records)

    @property
    def successful(self) -> int:
        """Number of inputs with an answer."""
        return sum(1 for record in self._records if record.is_answer)

    @property
    def failed(self) -> int:
        """Number of inputs that are no domain, or for which the service answered with a failure."""
        return self.total - self.successful - self.missing

    @property
    def missing(self) -> int:
        """Number of inputs for which no result came."""
        return len(self._missing)

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """One outcome an input, in the order of the inputs; answers are a `Categorization`."""
        return [_outcome_of(record) for record in self._records]

    def categories(self) -> pd.DataFrame:
        """Return one row an input and category; see `toolkit.frames.categories`. Failures are rows too."""
        from toolkit.frames.readers import frame_of  # noqa: PLC0415 - pandas, where a frame is made

        return frame_of("categories", self._records)

    def failures(self) -> pd.DataFrame:
        """Return one row an input that has no answer, with ``status`` and ``error``."""
        return failures_frame(record for record in self._records if not record.is_answer)

    def __repr__(self) -> str:
        why = f"; stopped: {printable(shortened(self.reason, _SHOWN))}" if self.reason else ""
        return (
            f"<BatchReport: {self.total:,} inputs: {self.successful:,} successful, {self.failed:,} failed, "
            f"{self.missing:,} missing{why}>"
        )

    def _repr_html_(self) -> str:
        failures = Counter(str(record.status or "no code") for record in self._records if not record.is_answer)
        rows: list[tuple[str, str | list[str]]] = [
            ("inputs", f"{self.total:,}"),
            ("successful", f"{self.successful:,}"),
            ("failed", f"{self.failed:,}"),
            ("missing", f"{self.missing:,}"),
            ("without an answer", [f"{status}: {count:,}" for status, count in sorted(failures.items())]),
            ("unknown items", f"{len(self.unknown):,}" if self.unknown else ""),
            ("batches", f"{len(self.batches):,}"),
            ("stopped", shortened(self.reason, _SHOWN)),
        ]
        return definition_table("Batch", rows, "The same call goes on with what is left." if self.reason else "")


def _outcome_of(record: Record) -> Outcome:
    if record.raw is None or record.error is not None:
        return Outcome(record.target, record.endpoint, error=_error_of(record))
    call = calls.categorize(record.target)
    received = Received(_OK, {"content-type": "application/json"}, record.raw)
    try:
        raw = read_json(call, received)
        source = provenance(call, received, raw, _EPOCH + timedelta(microseconds=record.fetched_at or 0))
        source = source.model_copy(update={"from_cache": record.from_cache, "request_id": record.request_id})
        answer = calls.model_of(call).decode(raw, source)
    except ToolkitError as error:
        return Outcome(record.target, record.endpoint, error=error)
    return Outcome(record.target, record.endpoint, answer=answer)


def _error_of(record: Record) -> ToolkitError:
    words = record.error or ""
    if record.normal is None:
        try:
            parse_target(record.target)
        except InputError as error:
            return error
    if record.status is None:
        return ToolkitError(words)
    failure = service_error(record.status)(record.status, endpoint=record.endpoint, target=record.normal or "")
    failure.args = (words,)  # as it was said first
    return failure
