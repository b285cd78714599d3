"""What a widget over findings is given: a run, or the frames of one by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeVar

from toolkit.answered import Answered
from toolkit.frames.records import CATEGORIZED
from toolkit.frames.schemas import SCHEMAS
from toolkit.interface.errors import InputError, ToolkitError

if TYPE_CHECKING:
    import pandas as pd

    from toolkit.interface.vocabulary import Vocabulary

__all__ = ["frames_of_runs", "run_frames", "sites_of", "vocabulary_of"]

_Frame = TypeVar("_Frame")
#: Begins the names of the frames that say who was answered.
_SITES: Final = "sites of "


def vocabulary_of(run: Answered | Mapping[str, pd.DataFrame]) -> Vocabulary | None:
    """Return the vocabulary of a run; frames have none."""
    return run.vocabulary if isinstance(run, Answered) else None


def frames_of_runs(runs: Mapping[str, Answered | Mapping[str, pd.DataFrame]]) -> dict[str, dict[str, pd.DataFrame]]:
    """Return the frames that all of several runs have, by the frame's name and then by the run's."""
    named = {str(name): run_frames(run) for name, run in runs.items()}
    if len(named) < 2 or len(named) < len(runs):  # noqa: PLR2004 - a comparison needs two
        raise InputError(f"Pass at least two runs, each by a name of its own; given: {', '.join(map(str, runs))}.")
    common = set.intersection(*(set(frames) for frames in named.values()))
    found = {name: {run: frames[name] for run, frames in named.items()} for name in SCHEMAS if name in common}
    for of in ("codes", "categories", *CATEGORIZED):
        sites = {run: frame for run, frames in named.items() if (frame := sites_of(frames, of)) is not None}
        found |= {f"{_SITES}{of}": sites} if len(sites) == len(named) else {}
    return found


def run_frames(run: Answered | Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Return the frames of a run by name, read once, and with them who was answered, for `sites_of`.

    ``table`` has the titles of the run's own table, and no rows; it is left out where the table cannot be read.
    What is neither a run nor frames of the kinds that their names say is refused.
    """
    if isinstance(run, Answered):
        sites = {f"{_SITES}{name}": frame for name, frame in run.sites_by_part().items()}
        return {name: run.frame(name) for name in run.frames} | {"sites": run.sites()} | sites | _titles(run)
    if not isinstance(run, Mapping):
        raise InputError(
            f"run must be a run, such as client.ask(…) or tk.sample_run(), or frames by name, not {type(run).__name__}."
        )
    for name, frame in run.items():
        missing = [column for column in SCHEMAS.get(name, ()) if column not in getattr(frame, "columns", ())]
        if missing:
            raise InputError(
                f"What is passed as {name!r} is no {name} frame: it has no column {missing[0]!r}. Pass a run, or "
                f"frames as run.{name}() gives them."
            )
    return dict(run)


def _titles(run: Answered) -> dict[str, pd.DataFrame]:
    try:
        return {"table": run.table.head(0)}
    except ToolkitError:
        return {}


def sites_of(frames: Mapping[str, _Frame], of: str) -> _Frame | None:
    """Return the frame that tells who was answered by what asks for a frame or taxonomy, as far as there is one."""
    known = (f"{_SITES}{of}", "sites", "audiences", "companies")
    return next((frames[name] for name in known if name in frames), None)
