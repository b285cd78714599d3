"""What came of a run on a Dask cluster: each partition's counts, and the frames read lazily."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface.errors import InputError, need
from toolkit.interface.text import definition_table, printable, shortened

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from toolkit.frames.records import FrameName

__all__ = ["DaskReport", "PartitionReport", "dask_library"]

_SHOWN: Final = 200


@dataclass(frozen=True, slots=True)
class PartitionReport:
    """What came of one partition.

    Attributes
    ----------
    number : int
        Which one, from 0.
    rows : int
        Its inputs.
    answered, stored, failed : int
        Things to be asked once: with an answer of this run, with a stored one, and without.
    credits : int
        Credits that were spent on it, in earlier calls too.
    state : str
        ``finished``, ``kept`` (an earlier call had finished it) or ``stopped`` (the same call goes on).
    reason : str
        Why it stopped; empty where it did not.
    """

    number: int
    rows: int
    answered: int = 0
    stored: int = 0
    failed: int = 0
    credits: int = 0
    state: str = "stopped"
    reason: str = ""

    @property
    def is_done(self) -> bool:
        """Whether its frames are written."""
        return self.state != "stopped"


@dataclass(frozen=True, slots=True, repr=False)
class DaskReport:
    """What came of `run_dask`.

    Attributes
    ----------
    folder : Path
        Where everything is.
    frames : tuple of str
        Names of the frames that were written.
    partitions : tuple of PartitionReport
        One a partition, in order.
    """

    folder: Path
    frames: tuple[FrameName, ...]
    partitions: tuple[PartitionReport, ...]

    @property
    def is_done(self) -> bool:
        """Whether every partition is done."""
        return all(partition.is_done for partition in self.partitions)

    @property
    def reason(self) -> str:
        """Why the first partition that stopped did; empty where none did."""
        return next((partition.reason for partition in self.partitions if not partition.is_done), "")

    @property
    def credits(self) -> int:
        """Credits that were spent, in earlier calls too."""
        return sum(partition.credits for partition in self.partitions)

    def frame(self, name: FrameName) -> Any:
        """Return a frame as a Dask DataFrame, read from the Parquet files of the partitions that are done.

        Parameters
        ----------
        name : str
            One of `frames`.

        Returns
        -------
        dask.dataframe.DataFrame
            Columns and dtypes as the run's own frame has them; ``row`` counts over all partitions. It has a partition
            for each that is done, and its index begins anew in each.

        Raises
        ------
        InputError
            If the frame was not written, or no partition is done.
        """
        dask = dask_library()
        if name not in self.frames:
            raise InputError(f"There is no frame {name!r} here. Choose from {', '.join(self.frames)}.")
        paths = [
            str(self.folder / name / f"part-{partition.number:05}.parquet")
            for partition in self.partitions
            if partition.is_done
        ]
        if not paths:
            raise InputError(f"No partition is done yet, so there is no {name}. {self.reason or 'Call again'}.")
        import pandas as pd  # noqa: PLC0415 - where a frame is read

        # Text stays as it was written; Dask would convert it.
        with dask.config.set({"dataframe.convert-string": False}):
            return dask.dataframe.from_map(pd.read_parquet, paths, meta=pd.read_parquet(paths[0]).iloc[:0])

    def summary(self) -> pd.DataFrame:
        """Return one row a partition: number, rows, answered, stored, failed, credits, state and reason."""
        import pandas as pd  # noqa: PLC0415 - where a frame is made

        names = [field.name for field in fields(PartitionReport)]
        numbers = {name: "str" if name in {"state", "reason"} else "int64" for name in names}
        rows = [[getattr(partition, name) for name in names] for partition in self.partitions]
        return pd.DataFrame(rows, columns=names).astype(numbers)

    def __repr__(self) -> str:
        done = sum(partition.is_done for partition in self.partitions)
        why = f", {printable(shortened(self.reason, _SHOWN))}" if self.reason else ""
        return (
            f"<DaskReport: {done:,} of {len(self.partitions):,} partitions done, {self._sum('rows'):,} rows, "
            f"{self._sum('failed'):,} failed, {self.credits:,} credits{why}>"
        )

    def _repr_html_(self) -> str:
        kept = sum(partition.state == "kept" for partition in self.partitions)
        done = sum(partition.is_done for partition in self.partitions)
        rows: list[tuple[str, str | list[str]]] = [
            ("partitions", f"{done:,} of {len(self.partitions):,} done"),
            ("done before", f"{kept:,}" if kept else ""),
            ("rows", f"{self._sum('rows'):,}"),
            ("answered", f"{self._sum('answered'):,}"),
            ("from the store", f"{self._sum('stored'):,}"),
            ("failed", f"{self._sum('failed'):,}"),
            ("credits", f"{self.credits:,}"),
            ("stopped", shortened(self.reason, _SHOWN)),
            ("folder", str(self.folder)),
        ]
        return definition_table("Run on Dask", rows, "" if self.is_done else "The same call goes on with what is left.")

    def _sum(self, name: str) -> int:
        return sum(getattr(partition, name) for partition in self.partitions)


def dask_library() -> Any:
    """Return Dask; a ConfigurationError says which extra is missing."""
    need("dask", "A run on a cluster")
    import dask.dataframe  # noqa: PLC0415 - of the extra

    return dask
