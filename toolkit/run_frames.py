"""The frames of a run: whole, in parts, or as Parquet files."""

from __future__ import annotations

from heapq import merge
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toolkit.answered import FRAMES, FrameMethods, endpoints_of, frames_given_by
from toolkit.interface.errors import ConfigurationError, InputError
from toolkit.net.blocking import run_blocking
from toolkit.runs.results import (
    failures_frame,
    frame_of_legacy,
    is_legacy,
    record_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd

    from toolkit.aclient import AsyncClient
    from toolkit.answered import FrameName
    from toolkit.frames.records import Record
    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.runs.journal import Journal
    from toolkit.runs.questions import Question

__all__ = ["RunFrames"]

_ROWS: Final = 50_000


class RunFrames(FrameMethods):
    """What `Run` gives as frames.

    Attributes
    ----------
    questions : tuple of Question
        What is asked of each target.
    """

    questions: tuple[Question, ...]
    _client: AsyncClient

    def _ready(self) -> Journal:
        raise NotImplementedError

    def _may_serve(self, question: Question) -> bool:
        raise NotImplementedError

    def frame(self, name: FrameName, first: int = 0, last: int | None = None) -> pd.DataFrame:
        """Return a frame of the rows from `first` to before `last`.

        Raises
        ------
        InputError
            If there is no such frame, or the run does not ask what it holds.
        """
        from toolkit.frames.readers import frame_of  # noqa: PLC0415 - pandas, where a frame is made

        places = self._places(name)
        # By input, and not by question: so the parts of a frame, one after another, are the frame.
        records = merge(*(self._records(place, first, last) for place in places), key=_row)
        if name == "failures":
            return failures_frame(record for record in records if not record.is_answer)
        vocabulary = self.vocabulary if FRAMES[name] == ("segment",) else None
        if vocabulary is not None and is_legacy(self.questions[places[0]]):
            return frame_of_legacy(name, records, vocabulary)
        return frame_of(name, records, vocabulary)

    def iter_frames(self, name: FrameName, rows: int = _ROWS) -> Iterator[pd.DataFrame]:
        """Yield a frame in parts of so many inputs, for runs that are larger than memory."""
        if isinstance(rows, bool) or not isinstance(rows, int) or rows < 1:
            raise InputError(f"rows must be a whole number of inputs a part, at least 1, not {rows!r}.")
        total = self._ready().rows
        for first in range(0, max(total, 1), rows):
            yield self.frame(name, first, min(first + rows, total))

    def to_parquet(
        self, folder: str | Path, frames: Sequence[FrameName] | None = None, rows: int = _ROWS
    ) -> list[Path]:
        """Write frames as Parquet files in parts of so many inputs: ``folder/audiences/part-00000.parquet``.

        Parameters
        ----------
        folder : str or Path
            Made where it is missing. Parts that are there are replaced, and those of a longer run deleted.
        frames : sequence of str, optional
            Which frames; by default all that the run can give.
        rows : int
            Inputs a part.

        Returns
        -------
        list of Path
            The files.
        """
        chosen = tuple(frames) if frames is not None else self.frames
        written = []
        for name in chosen:
            self._places(name)
            place = Path(folder) / name
            try:
                place.mkdir(parents=True, exist_ok=True)
                for number, part in enumerate(self.iter_frames(name, rows)):
                    path = place / f"part-{number:05}.parquet"
                    # Renamed when it is whole: a part that is there is complete.
                    part.to_parquet(path.with_suffix(".tmp"))
                    path.with_suffix(".tmp").replace(path)
                    written.append(path)
                # Whoever reads the folder would take the rest of a longer run for this one's.
                for path in set(place.glob("part-?????.parquet")).difference(written):
                    path.unlink()
            except OSError as error:
                words = error.strerror or str(error)
                raise InputError(f"{place} cannot be written: {words}. Name another folder.") from None
        return written

    @property
    def asked(self) -> tuple[str, ...]:
        """What is asked of each input, such as ``("segment", "enrich")``."""
        return tuple(question.endpoint for question in self.questions)

    @property
    def frames(self) -> tuple[FrameName, ...]:
        """Names of the frames that the run can give."""
        return frames_given_by(question.endpoint for question in self.questions)

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the segmentations, as the service gives it now."""
        return run_blocking(self._client.filters)

    def save(self, path: str | Path) -> Path:
        """Write the run's answers to one file, for `toolkit.load_run`: to hand over, or to keep with a report.

        Parameters
        ----------
        path : str or Path
            Where to; a file that is there is replaced.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        from toolkit.saved import write_run  # noqa: PLC0415 - only where a run is saved

        legacy = any(is_legacy(question) for question in self.questions)
        return write_run(path, self._every_record(), self.asked, self.vocabulary, legacy=legacy)

    def _every_record(self) -> Iterator[Record]:
        return merge(*(self._records(place, 0, None) for place in range(len(self.questions))), key=_row)

    def _places(self, name: FrameName) -> list[int]:
        wanted = endpoints_of(name, self.asked)
        return [place for place, question in enumerate(self.questions) if question.endpoint in wanted]

    def _check_served(self, question: Question) -> None:
        """Show nothing of an earlier process to a key that the service has never accepted."""
        if self._ready().resumed and not self._may_serve(question):
            raise ConfigurationError(
                "The service has not accepted this key yet, so nothing that is stored is shown. Start the run first; "
                "if it stops with 401, check the key."
            )

    def _records(self, place: int, first: int, last: int | None) -> Iterator[Record]:
        question = self.questions[place]
        self._check_served(question)
        for row in self._ready().results(place, first, last):
            yield record_of(question, row)


def _row(record: Record) -> int:
    return record.row
