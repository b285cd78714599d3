"""What a finding is about: how many sites, of when, by which vocabulary. Footers and methods pages say it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from toolkit.frames.asked import Counted, counted, warn_untold
from toolkit.frames.foreign import normal
from toolkit.frames.numbering import numbered
from toolkit.interface.checks import check_columns
from toolkit.interface.errors import TargetError
from toolkit.interface.targets import parse_target

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

__all__ = [
    "SOURCE",
    "about",
    "answered",
    "counted_sites",
    "dated",
    "described",
    "normal_of",
    "single_valued",
    "site_of",
    "stripped",
    "text_of",
    "untold",
    "with_dates",
]

SOURCE: Final = "classification service"


def site_of(frame: pd.DataFrame) -> pd.Series:
    """Return each row's site: its normal form, or the target where that could not be read."""
    check_columns(frame, ["target"], "a frame of a run, such as run.codes()")
    if "normal" not in frame.columns:
        return frame["target"].rename("site")
    return frame["normal"].where(frame["normal"].notna(), frame["target"]).rename("site")


def normal_of(target: str) -> str | None:
    """Return a target's normal form; None for what is no target, and so is never answered."""
    try:
        return parse_target(target).normal
    except TargetError:
        return None


def answered(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that are no failures."""
    if "error" not in frame.columns:
        return frame
    good = frame["error"].isna()
    return frame if good.all() else frame[good]


def about(*frames: pd.DataFrame, sites: Iterable[str] | None = None) -> dict[str, Any]:
    """Return what a finding of these frames is about, as JSON values.

    ``untold`` stands there, and is true, only where nobody said who was answered, so that only sites with a row count.

    Examples
    --------
    >>> import pandas as pd
    >>> about(pd.DataFrame({"target": ["a.example", "b.example"], "error": [None, "no answer"]}))["failed"]
    1
    """
    frames = tuple(normal(frame) for frame in frames)
    good: set[str] = set()
    failed: set[str] = set()
    times: list[Any] = []
    versions: set[str] = set()
    told = True
    wanted = None if sites is None else set(sites.tolist() if isinstance(sites, pd.Index | pd.Series) else sites)
    for frame in frames:
        fine = frame["error"].isna().to_numpy() if "error" in frame.columns else np.ones(len(frame), dtype=bool)
        if wanted is None:
            # Numbered, not filtered, and made texts by tolist(): iterating over an index takes ten times as long.
            found = counted_sites(frame)
            good.update(found.answered.tolist())
            failed.update(found.failed.tolist())
            told = told and found.told
        elif not fine.all():
            columns = [name for name in ("target", "normal") if name in frame.columns]
            failed.update(site_of(frame[columns][~fine]).dropna().unique().tolist())
        dates, stated = dated(frame, fine)
        times += dates
        versions.update(stated)
    if wanted is not None and failed:
        # Few sites fail, so that only these are looked for among the answered ones.
        for frame in frames:
            every = site_of(frame)
            again = every.isin(failed)
            good.update(every[again & frame["error"].isna() if "error" in frame.columns else again].tolist())
    wanted = good if wanted is None else wanted
    return described(len(wanted), len(failed - good), times, versions) | untold(told=told)


def with_dates(finding: pd.DataFrame, times: Iterable[int]) -> pd.DataFrame:
    """Return a finding of sites alone, which have no date, that says of when their answers are, in microseconds."""
    known = sorted(times)
    said = described(0, 0, [pd.Timestamp(time, unit="us") for time in (*known[:1], *known[-1:])], ())
    finding.attrs["about"] |= {name: said[name] for name in ("first", "last")}
    return finding


def untold(*, told: bool) -> dict[str, Any]:
    """Return what `about` adds where nobody said who was answered, and warn of it."""
    if told:
        return {}
    warn_untold()
    return {"untold": True}


def counted_sites(frame: pd.DataFrame) -> Counted:
    """Return which sites count in a finding of a whole frame: see `toolkit.frames.asked.counted`."""
    fine = frame["error"].isna().to_numpy() if "error" in frame.columns else np.ones(len(frame), dtype=bool)
    return counted(frame, *numbered(site_of(frame)), fine)


def dated(frame: pd.DataFrame, counted: NDArray[np.bool_]) -> tuple[list[Any], list[str]]:
    """Return the first and the last time of the rows that count, in UTC, and the vocabularies' versions."""
    times: list[Any] = []
    if "fetched_at" in frame.columns:
        every = frame["fetched_at"]
        known = every.to_numpy("datetime64[us]")[counted & every.notna().to_numpy()]
        times = [known.min(), known.max()] if known.size else []
    versions: list[str] = []
    if "vocab_version" in frame.columns:
        every = frame["vocab_version"]
        stated = counted & every.notna().to_numpy()
        first = every.iloc[int(stated.argmax())] if stated.any() else None
        # Most runs have one version, which is seen sooner than how many there are.
        if first is None or (every == first).to_numpy(dtype=bool, na_value=False)[stated].all():
            return times, [] if first is None else [first]
        place, found = pd.factorize(every)
        versions = found[np.bincount(place[stated], minlength=len(found)) > 0].tolist()
    return times, versions


def described(sites: int, failed: int, times: Iterable[Any], versions: Iterable[str]) -> dict[str, Any]:
    """Return what a finding is about, of what is known already: see `about`; `times` are in UTC."""
    dates = [f"{pd.Timestamp(time):%Y-%m-%d}" for time in times]
    return {
        "sites": sites,
        "failed": failed,
        "first": min(dates, default=None),
        "last": max(dates, default=None),
        "vocabularies": sorted(versions),
        "source": SOURCE,
    }


def stripped(column: pd.Series) -> pd.Series:
    """Return groups with texts stripped and blank ones missing; cells of several kinds are text, as in a saved run."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        named = column.cat.categories
        if not any(isinstance(name, str) and name != (name.strip() or None) for name in named):
            return column  # its order says how groups stand
        column = column.astype("object")
    if column.dtype == object and pd.api.types.infer_dtype(column, skipna=True) in {"boolean", "date"}:
        return column
    if not (pd.api.types.is_string_dtype(column.dtype) or _holds_several(column)):
        return column
    texts = [
        None if missing else text_of(cell).strip() or None for cell, missing in zip(column, column.isna(), strict=True)
    ]
    return pd.Series(texts, index=column.index, name=column.name, dtype="object")


def text_of(cell: object) -> str:
    """Return a cell as text: lists and arrays are written alike, and equal sets too.

    Examples
    --------
    >>> text_of(np.array(["a", "b"])), text_of({"b", "a"}), text_of(1.5)
    ("['a', 'b']", "{'a', 'b'}", '1.5')
    """
    if isinstance(cell, set | frozenset) and cell:
        return f"{{{', '.join(sorted(map(_shown, cell)))}}}"
    return _shown(cell) if isinstance(cell, list | dict | np.ndarray) else str(cell)


def single_valued(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose columns of lists and such are text, as they are in a saved run; others are as they were."""
    several = [place for place in range(table.shape[1]) if _holds_several(table.iloc[:, place])]
    if not several:
        return table
    found = table.copy(deep=False)
    for place in several:
        found.isetitem(place, stripped(table.iloc[:, place]).array)
    return found


def _holds_several(column: pd.Series) -> bool:
    """Tell whether cells of a column are lists and such, so that its values cannot be counted."""
    if column.dtype != object and not isinstance(column.dtype, pd.ArrowDtype):
        return False
    try:
        column.nunique()
    except (TypeError, NotImplementedError):
        return True
    return False


def _shown(cell: Any) -> str:
    """Return a cell as it stands within a list."""
    if isinstance(cell, np.ndarray):
        cell = cell.tolist()
    if isinstance(cell, list):
        return f"[{', '.join(map(_shown, cell))}]"
    if isinstance(cell, dict):
        return f"{{{', '.join(f'{name!r}: {_shown(value)}' for name, value in cell.items())}}}"
    return text_of(cell) if isinstance(cell, set | frozenset) else repr(cell)
