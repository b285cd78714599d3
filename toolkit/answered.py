"""What can be asked of a run's answers, whether the run is at hand or was saved: its frames and its report."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final, Literal

from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    import pandas as pd

    from toolkit.frames.records import Record
    from toolkit.interface.vocabulary import Vocabulary

__all__ = ["FRAMES", "FrameMethods", "FrameName", "endpoints_of", "frames_given_by"]

FrameName = Literal["audiences", "codes", "categories", "companies", "technologies", "failures"]
#: Frames of a run, and the questions whose answers they hold.
FRAMES: Final[dict[FrameName, tuple[str, ...]]] = {
    "audiences": ("segment",),
    "codes": ("segment",),
    "categories": ("categorize", "categorize_content", "enrich"),
    "companies": ("enrich",),
    "technologies": ("enrich",),
}


_FRAMES: Final[dict[str, tuple[str, ...]]] = dict(FRAMES.items())
#: Frames, and taxonomies of the categories frame, with the questions whose answers hold them.
_HELD: Final = _FRAMES | {
    "content-v3": FRAMES["categories"],
    "content-v2": ("categorize_content",),
    "filtering": ("categorize_content",),
}


class FrameMethods(ABC):
    """What `Run` and `SavedRun` have in common."""

    @abstractmethod
    def frame(self, name: FrameName, first: int = 0, last: int | None = None) -> pd.DataFrame:
        """Return a frame of the rows from `first` to before `last`."""

    @property
    @abstractmethod
    def frames(self) -> tuple[FrameName, ...]:
        """Names of the frames that the run can give."""

    @property
    @abstractmethod
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the segmentations."""

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
        """Return one row an input and question that has no answer, with ``status`` and ``error``."""
        return self.frame("failures")

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
        wanted = self.asked if of is None else endpoints_of(of, self.asked, _HELD)
        return self._sites({"": wanted})[""]

    def sites_by_part(self) -> dict[str, pd.DataFrame]:
        """Return `sites` of every frame and taxonomy that the run asks for, by name, in one reading of the answers.

        Returns
        -------
        dict of str to DataFrame
            Such as ``{"codes": …, "categories": …, "content-v3": …}``.
        """
        return self._sites(
            {name: tuple(wanted) for name, held in _HELD.items() if (wanted := [q for q in self.asked if q in held])}
        )

    def _sites(self, questions: Mapping[str, Sequence[str]]) -> dict[str, pd.DataFrame]:
        """Return who was answered by any of some questions, by the name of these."""
        import pandas as pd  # noqa: PLC0415 - where a frame is made

        found: dict[str, dict[int, Record]] = {name: {} for name in questions}
        for record in self._every_record():
            for name, wanted in questions.items():
                known = found[name].get(record.row)
                if record.endpoint in wanted and (known is None or (record.is_answer and not known.is_answer)):
                    found[name][record.row] = record
        frames = {}
        for name, records in found.items():
            rows = [records[row] for row in sorted(records)]
            columns = {
                "target": [record.target for record in rows],
                "normal": [record.normal for record in rows],
                "error": [None if record.is_answer else record.error for record in rows],
            }
            numbers = pd.Series([record.row for record in rows], dtype="int64")
            texts = {column: pd.Series(values, dtype="str") for column, values in columns.items()}
            frames[name] = pd.DataFrame({"row": numbers} | texts)
        return frames

    @property
    @abstractmethod
    def asked(self) -> tuple[str, ...]:
        """What the run asks of each input, such as ``("segment", "enrich")``."""

    @abstractmethod
    def _every_record(self) -> Iterable[Record]:
        """Return every answer and failure of the run."""

    def report(self, path: str | Path, **options: Any) -> Path:
        """Write a report of the run; see `toolkit.reports.document.write_report`.

        Parameters
        ----------
        path : str or Path
            Ends in ``.html``, ``.pptx`` or ``.xlsx``.
        **options
            As of `toolkit.reports.document.write_report`: ``title``, ``groups``, ``baseline``, ….

        Returns
        -------
        Path
            The file.
        """
        from toolkit.reports.document import write_report  # noqa: PLC0415 - a door opened on demand; charts take seconds to load

        return write_report(self, path, **options)


def endpoints_of(name: str, asked: Sequence[str], held: Mapping[str, tuple[str, ...]] = _FRAMES) -> tuple[str, ...]:
    """Return the questions of a run whose answers a frame holds, or another part of the answers.

    Parameters
    ----------
    name : str
        Of the frame or part.
    asked : sequence of str
        The questions.
    held : mapping of str to tuple of str, optional
        The questions by the names of what their answers hold; by default those of frames.

    Raises
    ------
    InputError
        If there is no such frame, or the run does not ask what it holds.
    """
    if name == "failures":
        return tuple(asked)
    if name not in held:
        raise InputError(f"There is no frame {name!r}. Choose from {', '.join((*held, 'failures'))}.")
    found = tuple(endpoint for endpoint in asked if endpoint in held[name])
    if not found:
        wanted = " or ".join(held[name])
        raise InputError(f"{name} needs {wanted}, and the run asks {', '.join(asked)}. Add it to ask=….")
    return found


def frames_given_by(asked: Iterable[str]) -> tuple[FrameName, ...]:
    """Return the names of the frames that the answers of these questions make."""
    questions = set(asked)
    return (*(name for name, endpoints in FRAMES.items() if questions.intersection(endpoints)), "failures")
