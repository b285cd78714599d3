"""Runs that were saved: read back without service, key or store."""

from __future__ import annotations

from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toolkit.answered import Answered
from toolkit.interface.calls import question_of
from toolkit.interface.checks import check_path
from toolkit.interface.errors import InputError
from toolkit.interface.vocabulary import Vocabulary
from toolkit.interface.words.labels import question_label
from toolkit.runs.counts import counts_of_records
from toolkit.runs.results import checked
from toolkit.runs.saving import read_run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd

    from toolkit.frames.records import Record
    from toolkit.runs.counts import Counts

__all__ = ["SavedRun", "load_run", "sample_run"]

_SAMPLE: Final = "sample_run.jsonl.gz"


class SavedRun(Answered):
    """A run that was saved: its frames, its findings and its report.

    Parameters
    ----------
    records : sequence of Record
        The answers and failures, by row.
    asked : sequence of str
        What was asked of each target.
    vocabulary : Vocabulary or None
        The vocabulary when it was saved; None where nothing that was asked needs it, and it was not to be had.
    legacy : bool
        Whether the segmentations are in free text.
    table : DataFrame, optional
        The table that the run was made of.

    Examples
    --------
    >>> sample_run().audiences()["audience_type"].value_counts().index[0]
    'b2c'
    """

    def __init__(
        self,
        records: Sequence[Record],
        asked: Sequence[str],
        vocabulary: Vocabulary | None,
        *,
        legacy: bool = False,
        table: pd.DataFrame | None = None,
    ) -> None:
        self._kept = tuple(records)
        self._asked = tuple(asked)
        self._vocabulary = vocabulary
        self._legacy = legacy
        self._table = table

    def __repr__(self) -> str:
        return f"<SavedRun of {', '.join(map(question_label, self._asked)).lower()}: {self.counts()}>"

    def __len__(self) -> int:
        return self.inputs

    @cached_property
    def inputs(self) -> int:
        """How many inputs the run has."""
        return max((record.row for record in self._kept), default=-1) + 1

    def counts(self) -> Counts:
        """Return how many sites it has and what came of them."""
        return counts_of_records(self._kept, [question_of(name).about_domain for name in self._asked])

    @property
    def asked(self) -> tuple[str, ...]:
        """What was asked of each input."""
        return self._asked

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary when the run was saved."""
        if self._vocabulary is None:
            raise InputError(
                "The run was saved without a vocabulary, as nothing that it asks needs one. "
                "Pass client.filters() where one is wanted."
            )
        return self._vocabulary

    @property
    def is_legacy(self) -> bool:
        """Whether the segmentations are in free text."""
        return self._legacy

    def _own_table(self) -> pd.DataFrame | None:
        return self._table

    def _records(self, endpoints: Sequence[str], first: int = 0, last: int | None = None) -> Iterator[Record]:
        return (
            record
            for record in self._kept
            if record.endpoint in endpoints and first <= record.row and (last is None or record.row < last)
        )


def load_run(path: str | Path) -> SavedRun:
    """Read a run that `Run.save` wrote.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    SavedRun
        Its frames, findings and report, as of when it was saved.

    Raises
    ------
    InputError
        If the file is missing, is no saved run, or is damaged.
    """
    check_path(path, "run.jsonl.gz")
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        words = error.strerror or str(error)
        raise InputError(f"{path} cannot be read: {words}. Name a file that run.save() wrote.") from None
    return _run_of(content, str(path))


def sample_run() -> SavedRun:
    """Return a run over the sample web that comes with the toolkit: 68 sites asked for segment, content and enrichment.

    Returns
    -------
    SavedRun
        What the embedded service answered on the day that `fetched_at` tells; 6 of the sites have no answer.

    Examples
    --------
    >>> run = sample_run()
    >>> run.inputs, run.audiences()["error"].isna().sum().item()
    (68, 62)
    """
    return _run_of(resources.files("toolkit.interface.data").joinpath(_SAMPLE).read_bytes(), _SAMPLE)


def _run_of(content: bytes, name: str) -> SavedRun:
    head, records, table = read_run(content, name)
    try:
        vocabulary = None if head["filters"] is None else Vocabulary.parse(head["filters"])
        legacy = head["legacy"]
        records = [checked(record, legacy=legacy) for record in records]
        return SavedRun(records, head["asked"], vocabulary, legacy=legacy, table=table)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        words = f"{type(error).__name__}: {error}"
    raise InputError(f"{name} is no saved run, or is damaged ({words}). Name a file that run.save() wrote.")
