"""The answers of a run as tables, whether the run is at hand or was saved."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toolkit.frames.records import FRAMES, HELD, endpoints_of, frames_given_by
from toolkit.interface.checks import check_whole
from toolkit.interface.errors import ToolkitError
from toolkit.planned import Planned

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pandas as pd

    from toolkit.frames.records import FrameName, Record
    from toolkit.interface.vocabulary import Vocabulary

__all__ = ["INPUT", "Framed"]

#: Inputs of a part of a frame, where runs are larger than memory.
_ROWS: Final = 50_000
#: The one column of the table of a list.
INPUT: Final = "input"


class Framed(Planned):
    """What knows its sites, its answers as tables, and its vocabulary."""

    @property
    @abstractmethod
    def inputs(self) -> int:
        """How many inputs the run has."""

    @property
    @abstractmethod
    def asked(self) -> tuple[str, ...]:
        """What the run asks of each input, such as ``("segment", "enrich")``."""

    @property
    @abstractmethod
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the segmentations."""

    @property
    @abstractmethod
    def is_legacy(self) -> bool:
        """Whether the segmentations are in free text."""

    def known_vocabulary(self) -> Vocabulary | None:
        """Return the vocabulary; None where it cannot be had, and nothing that the run asks needs it."""
        if "segment" in self.asked:
            return self.vocabulary
        try:
            return self.vocabulary
        except ToolkitError:
            return None

    @abstractmethod
    def _own_table(self) -> pd.DataFrame | None:
        """Return the table that the run was made of, one row an input, if it was made of one."""

    @abstractmethod
    def _records(self, endpoints: Sequence[str], first: int = 0, last: int | None = None) -> Iterator[Record]:
        """Yield the answers and failures of some questions, by input, from the row `first` to before `last`."""

    @property
    def frames(self) -> tuple[FrameName, ...]:
        """Names of the frames that the run can give."""
        return frames_given_by(self.asked)

    def frame(self, name: FrameName, first: int = 0, last: int | None = None) -> pd.DataFrame:
        """Return a frame of the rows from `first` to before `last`.

        Raises
        ------
        InputError
            If there is no such frame, or the run does not ask what it holds.
        """
        from toolkit.frames.readers import frame_of_run  # noqa: PLC0415 - pandas, where a frame is made

        records = self._records(endpoints_of(name, self.asked), first, last)
        of_segments = name in FRAMES and FRAMES[name] == ("segment",)
        vocabulary = self.vocabulary if of_segments else None
        return frame_of_run(name, records, vocabulary, legacy=of_segments and self.is_legacy)

    def audiences(self) -> pd.DataFrame:
        """Return one row an input with the scalars of its segmentation; see `toolkit.frames.audiences`."""
        return self.frame("audiences")

    def codes(self) -> pd.DataFrame:
        """Return one row an input, dimension and code; see `toolkit.frames.codes`."""
        return self.frame("codes")

    def categories(self) -> pd.DataFrame:
        """Return one row an input, taxonomy and category; see `toolkit.frames.categories`."""
        return self.frame("categories")

    def companies(self) -> pd.DataFrame:
        """Return one row an input with the scalars of its enrichment; see `toolkit.frames.companies`."""
        return self.frame("companies")

    def technologies(self) -> pd.DataFrame:
        """Return one row an input and technology; see `toolkit.frames.technologies`."""
        return self.frame("technologies")

    def failures(self) -> pd.DataFrame:
        """Return one row an input and question that has no answer: its ``reason`` in plain words, and ``error``."""
        return self.frame("failures")

    @property
    def table(self) -> pd.DataFrame:
        """The table that the run was made of, with its own columns; a list is one column, ``input``.

        Its index is ``row``, as in every frame: ``run.audiences().join(run.table, on="row")``. Columns that a frame has
        too are told apart by ``run.table.add_suffix("_own")``. It is read again where the run was made of a file.
        """
        import pandas as pd  # noqa: PLC0415 - where a frame is made

        own = self._own_table()
        if own is None:
            targets = [record.target for record in self._records(self.asked[:1])]
            own = pd.DataFrame({INPUT: pd.Series(targets, dtype="str")})
        return own.set_axis(pd.RangeIndex(len(own), name="row"), axis="index")

    def table_by_target(self) -> pd.DataFrame:
        """Return `table` with the target of each row as its index, ``target``, and lists and such as text."""
        import pandas as pd  # noqa: PLC0415 - where a frame is made

        from toolkit.frames.about import single_valued  # noqa: PLC0415 - as above

        targets = pd.Index([record.target for record in self._records(self.asked[:1])], name="target")
        return single_valued(self.table).set_axis(targets, axis="index")

    def iter_frames(self, name: FrameName, rows: int = _ROWS) -> Iterator[pd.DataFrame]:
        """Yield a frame in parts of so many inputs, for runs that are larger than memory."""
        rows = check_whole(rows, "rows", 1, advice="Give a whole number of inputs a part, from 1.")
        total = self.inputs
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
        from toolkit.frames.files import write_parts  # noqa: PLC0415 - only where a run is saved

        written = []
        for name in self.frames if frames is None else frames:
            endpoints_of(name, self.asked)
            # Who was asked for a part says nothing of the others, and would be read for all of them.
            written += write_parts(Path(folder) / name, self.iter_frames(name, rows), is_whole=self.inputs <= rows)
        return written

    def sites(self, of: str | None = None) -> pd.DataFrame:
        """Return who was answered: findings on categories need it, as a site without any category is in no such frame.

        Parameters
        ----------
        of : str, optional
            The name of a frame, such as ``"categories"``, or of a taxonomy of that frame, such as ``"content-v3"``:
            only questions count whose answers hold it. By default any question counts, which says too much of a run
            that stopped before it had asked all of them.

        Returns
        -------
        DataFrame
            One row an input that was asked, in order: ``row`` (int64), ``target``, ``normal`` and ``error`` (str).
            `error` is missing where any of the questions was answered; else it has the words of the first failure.
            Findings take the frame as ``sites=…``.

        Raises
        ------
        InputError
            If there is no such frame or taxonomy, or the run does not ask what holds it.

        Examples
        --------
        >>> from toolkit import sample_run
        >>> run = sample_run()
        >>> int(run.sites("content-v3")["error"].isna().sum())
        62
        """
        wanted = self.asked if of is None else endpoints_of(of, self.asked, HELD)
        return self._sites({"": wanted})[""]

    def sites_by_part(self) -> dict[str, pd.DataFrame]:
        """Return `sites` of every frame and taxonomy that the run asks for, by name, in one reading of the answers.

        Returns
        -------
        dict of str to DataFrame
            Such as ``{"codes": …, "categories": …, "content-v3": …}``.
        """
        return self._sites(
            {name: tuple(wanted) for name, held in HELD.items() if (wanted := [q for q in self.asked if q in held])}
        )

    def _sites(self, questions: Mapping[str, Sequence[str]]) -> dict[str, pd.DataFrame]:
        from toolkit.frames.readers import sites_asked  # noqa: PLC0415 - pandas, where a frame is made

        return sites_asked(self._records(self.asked), questions)
