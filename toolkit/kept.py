"""The runs of a project: listed by name, opened to be read or gone on with, renamed and deleted."""

from __future__ import annotations

from contextlib import closing
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toolkit.client import Client
from toolkit.interface.checks import check_path
from toolkit.interface.errors import InputError
from toolkit.interface.text import printable, text_block
from toolkit.runs.kept import delete, inputs_of, kept_run, kept_runs, rename
from toolkit.store.answers import FILE_OF_RUNS, Store, project_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from toolkit.run import Run
    from toolkit.runs.inputs import TargetSource
    from toolkit.runs.kept import KeptRun

__all__ = ["KeptRuns", "runs", "size_in_words"]

_COLUMNS: Final = ("name", "date", "sites", "answered", "failed", "credits", "size", "state")
_TEXTS: Final = frozenset({"name", "date", "state"})
_KILO: Final = 1000


def runs(place: Store | str | Path | None = None, *, client: Client | None = None) -> KeptRuns:
    """Return the runs that are kept, newest first; ``runs()["name"]`` opens one.

    Parameters
    ----------
    place : Store, str or Path, optional
        A folder of runs or the file of a store; by default the project's folder: the one that ``TOOLKIT_RUNS`` names,
        else the nearest ``.toolkit`` at or above the working folder.
    client : Client, optional
        The client that an opened run goes on with; by default one that reads the environment.

    Returns
    -------
    KeptRuns
        A table of names, dates, sites and costs.

    Examples
    --------
    >>> import toolkit as tk
    >>> with tk.Client() as client:
    ...     client.run(["ledgerline.example", "nowhere.example"], name="spring plan").start(progress=False).close()
    >>> kept = tk.runs()
    >>> "spring plan" in kept
    True
    >>> with kept["spring plan"] as run:
    ...     run.progress.state, run.audiences()["status"].tolist()
    ('finished', [200, 411])
    >>> kept.delete("spring plan")
    """
    place = place.path if isinstance(place, Store) else place
    if place is not None:
        check_path(place, "runs.db")
    path = project_folder() if place is None else Path(place).expanduser()
    return KeptRuns(path / FILE_OF_RUNS if place is None or path.is_dir() else path, client)


class KeptRuns:
    """The runs that a file keeps, as they are now; made by `runs`.

    Parameters
    ----------
    path : Path
        The file; where there is none, there is no run.
    client : Client, optional
        The client that an opened run goes on with.

    Examples
    --------
    >>> from pathlib import Path
    >>> len(KeptRuns(Path("no such file.db")))
    0
    """

    def __init__(self, path: Path, client: Client | None = None) -> None:
        #: The file.
        self.path = path
        self._client = client

    def __getitem__(self, name: str) -> Run:
        """Open a run by its name: its frames and findings are there at once, and `Run.start` goes on with it."""
        found = self.about(name)
        given = found.asked
        client = self._client or Client()
        return client.run(
            inputs_of(self.path, found), given["ask"], options=given["options"], by=given["by"], store=self.path
        )

    def __iter__(self) -> Iterator[str]:
        return (run.name for run in self.entries())

    def __len__(self) -> int:
        return len(self.entries())

    def __contains__(self, name: object) -> bool:
        return any(run.name.lower() == str(name).lower() for run in self.entries())

    def entries(self) -> list[KeptRun]:
        """Return what is told of each run, the newest first."""
        if not self.path.exists():
            return []
        with closing(Store(self.path)) as store:
            return kept_runs(store)

    def about(self, name: str) -> KeptRun:
        """Return what is told of one run.

        Raises
        ------
        InputError
            If there is none of that name.
        """
        if not self.path.exists():
            raise InputError(
                f"No run is kept as {str(name)[:80]!r}: there is no {self.path}. Run a list first, or name another "
                "place: tk.runs('FOLDER')."
            )
        with closing(Store(self.path)) as store:
            return kept_run(store, name)

    def inputs(self, name: str) -> TargetSource:
        """Return the inputs of a run, one after another, with the table that it was made of."""
        return inputs_of(self.path, self.about(name))

    def rename(self, old: str, new: str) -> None:
        """Give a run another name.

        Raises
        ------
        InputError
            If there is none of the old name, or the new one is taken or cannot be a name.
        """
        self.about(old)
        with closing(Store(self.path)) as store:
            rename(store, old, new)

    def delete(self, name: str) -> None:
        """Delete a run with its answers, but for those that other runs have. It cannot be had again.

        Raises
        ------
        InputError
            If there is none of that name.
        ConfigurationError
            If it is under way.
        """
        self.about(name)
        with closing(Store(self.path)) as store:
            delete(store, name)

    def to_frame(self) -> pd.DataFrame:
        """Return the table: a row a run, `size` in bytes.

        Returns
        -------
        DataFrame
            ``name``, ``date``, ``sites``, ``answered``, ``failed``, ``credits``, ``size`` and ``state``.
        """
        import pandas as pd  # noqa: PLC0415 - heavy, so on first use

        rows = [
            (run.name, run.begun, run.sites, run.answered, run.failed, run.credits, run.size, run.state)
            for run in self.entries()
        ]
        return pd.DataFrame(rows, columns=list(_COLUMNS))

    def __repr__(self) -> str:
        rows = self._shown()
        if not rows:
            return self._nothing
        lines = [_COLUMNS, *rows]
        widths = [max(len(row[place]) for row in lines) for place in range(len(_COLUMNS))]
        shown = (
            "  ".join(
                cell.ljust(width) if title in _TEXTS else cell.rjust(width)
                for title, cell, width in zip(_COLUMNS, row, widths, strict=True)
            ).rstrip()
            for row in lines
        )
        return "\n".join([*shown, "", f"kept in {self.path}; tk.runs()['NAME'] opens one"])

    def _repr_html_(self) -> str:
        rows = self._shown()
        if not rows:
            return text_block(f"<em>{escape(self._nothing)}</em>")

        def cells(row: tuple[str, ...], tag: str) -> str:
            sides = ("left" if title in _TEXTS else "right" for title in _COLUMNS)
            return "".join(
                f"<{tag} style='text-align:{side}'>{escape(cell)}</{tag}>"
                for side, cell in zip(sides, row, strict=True)
            )

        body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
        foot = f"Kept in <code>{escape(str(self.path))}</code>; <code>tk.runs()['NAME']</code> opens one."
        head = f"<thead><tr>{cells(_COLUMNS, 'th')}</tr></thead>"
        return text_block(f"<table>{head}<tbody>{body}</tbody></table><small>{foot}</small>")

    @property
    def _nothing(self) -> str:
        return f"No run is kept in {self.path} yet."

    def _shown(self) -> list[tuple[str, ...]]:
        return [
            (
                printable(run.name),
                f"{run.begun:%Y-%m-%d %H:%M}",
                f"{run.sites:,}",
                f"{run.answered:,}",
                f"{run.failed:,}",
                f"{run.credits:,}",
                size_in_words(run.size),
                run.state,
            )
            for run in self.entries()
        ]


def size_in_words(size: int) -> str:
    """Return bytes as a size.

    >>> size_in_words(400), size_in_words(51_234), size_in_words(2_500_000)
    ('1 KB', '51 KB', '2.5 MB')
    """
    kilo = size / _KILO
    return f"{max(kilo, 1):,.0f} KB" if kilo < _KILO else f"{kilo / _KILO:,.1f} MB"
