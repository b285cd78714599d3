"""Runs as files: every answer as it came, read back without service, key or store."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from dataclasses import asdict, replace
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from toolkit.answered import FRAMES, FrameMethods, endpoints_of, frames_given_by
from toolkit.files.whole import whole_file
from toolkit.frames.records import Record
from toolkit.interface.errors import InputError
from toolkit.interface.vocabulary import Vocabulary
from toolkit.runs.results import failures_frame, frame_of_legacy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pandas as pd

    from toolkit.answered import FrameName

__all__ = ["SavedRun", "load_run", "sample_run", "write_run"]

_LAYOUT: Final = 1
_SAMPLE: Final = "sample_run.jsonl.gz"


class SavedRun(FrameMethods):
    """A run that was saved: its frames and its report.

    Parameters
    ----------
    records : sequence of Record
        The answers and failures, by row.
    asked : sequence of str
        What was asked of each target.
    vocabulary : Vocabulary
        The vocabulary when it was saved.
    legacy : bool
        Whether the segmentations are in free text.

    Examples
    --------
    >>> sample_run().audiences()["audience_type"].value_counts().index[0]
    'b2c'
    """

    def __init__(
        self, records: Sequence[Record], asked: Sequence[str], vocabulary: Vocabulary, *, legacy: bool = False
    ) -> None:
        self._records = tuple(records)
        self._asked = tuple(asked)
        self._vocabulary = vocabulary
        self._legacy = legacy

    def __repr__(self) -> str:
        return f"<SavedRun: {self.inputs:,} inputs, {', '.join(self._asked)}>"

    def __len__(self) -> int:
        return self.inputs

    @cached_property
    def inputs(self) -> int:
        """How many inputs the run has."""
        return max((record.row for record in self._records), default=-1) + 1

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary when the run was saved."""
        return self._vocabulary

    @property
    def asked(self) -> tuple[str, ...]:
        """What was asked of each input."""
        return self._asked

    @property
    def frames(self) -> tuple[FrameName, ...]:
        """Names of the frames that the run can give."""
        return frames_given_by(self._asked)

    def frame(self, name: FrameName, first: int = 0, last: int | None = None) -> pd.DataFrame:
        """Return a frame of the rows from `first` to before `last`.

        Raises
        ------
        InputError
            If there is no such frame, or the run does not ask what it holds.
        """
        from toolkit.frames.readers import frame_of  # noqa: PLC0415 - pandas, where a frame is made

        wanted = endpoints_of(name, self._asked)
        records = [
            record
            for record in self._records
            if record.endpoint in wanted and first <= record.row and (last is None or record.row < last)
        ]
        if name == "failures":
            return failures_frame(record for record in records if not record.is_answer)
        segments = FRAMES[name] == ("segment",)
        make = frame_of_legacy if self._legacy and segments else frame_of
        return make(name, records, self._vocabulary if segments else None)

    def _every_record(self) -> Iterable[Record]:
        return self._records


def write_run(
    path: str | Path, records: Iterable[Record], asked: Sequence[str], vocabulary: Vocabulary, *, legacy: bool
) -> Path:
    """Write records as a file of `load_run`: a head and one JSON object a line, compressed.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    goal = Path(path)
    head = {"layout": _LAYOUT, "asked": list(asked), "legacy": legacy, "filters": vocabulary.raw}
    # Without the time and the name, so that the same answers are the same file.
    with (
        whole_file(goal) as part,
        part.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
    ):
        for line in (head, *map(_written, records)):
            packed.write(json.dumps(line).encode() + b"\n")
    return goal


def load_run(path: str | Path) -> SavedRun:
    """Read a run that `Run.save` wrote.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    SavedRun
        Its frames and its report, as of when it was saved.

    Raises
    ------
    InputError
        If the file is missing, is no saved run, or is damaged.
    """
    try:
        return _read(Path(path).read_bytes(), str(path))
    except OSError as error:
        words = error.strerror or str(error)
        raise InputError(f"{path} cannot be read: {words}. Name a file that run.save() wrote.") from None


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
    return _read(resources.files("toolkit.interface.data").joinpath(_SAMPLE).read_bytes(), _SAMPLE)


def _read(content: bytes, name: str) -> SavedRun:
    try:
        with gzip.open(io.BytesIO(content)) as lines:
            head, *rest = (json.loads(line) for line in lines)
        if head["layout"] != _LAYOUT:
            raise InputError(
                f"{name} has layout {head['layout']!r}, and this toolkit reads {_LAYOUT}. Use a newer toolkit for it."
            )
        records = list(_records(rest))
        return SavedRun(records, head["asked"], Vocabulary.parse(head["filters"]), legacy=head["legacy"])
    except (OSError, EOFError, ValueError, LookupError, TypeError, AttributeError, zlib.error) as error:
        if isinstance(error, InputError):
            raise
        words = f"{type(error).__name__}: {error}"
    raise InputError(f"{name} is no saved run, or is damaged ({words}). Name a file that run.save() wrote.")


def _written(record: Record) -> dict[str, Any]:
    # Text where it can be: the file is then readable, and smaller.
    raw = None if record.raw is None else record.raw.decode("utf-8", errors="surrogateescape")
    found = asdict(replace(record, raw=None)) | {"raw": raw}
    return {name: value for name, value in found.items() if value is not None}


def _records(lines: Iterable[dict[str, Any]]) -> Iterator[Record]:
    for line in lines:
        raw = line.pop("raw", None)
        body = None if raw is None else raw.encode("utf-8", errors="surrogateescape")
        yield Record(**{"normal": None} | line, raw=body)
