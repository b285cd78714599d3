"""Names of groups, and who is in them: labels of columns, and mappings of groups to sites or of sites to groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
import pandas as pd

from toolkit.findings.counting import check_band, good_rows
from toolkit.frames.about import normal_of, site_of
from toolkit.frames.asked import counted
from toolkit.frames.foreign import numbered_values
from toolkit.frames.numbering import numbered
from toolkit.frames.schemas import FACTS, SCALARS
from toolkit.interface.checks import is_number, is_whole
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MAIN_CATEGORY", "among", "column_of_groups", "grouped_sites", "labelled", "lists_of", "named"]

#: What groups by the main category of each site are called.
MAIN_CATEGORY: Final = "main category"
#: The frame of a field by which sites are grouped, and the taxonomy of main categories.
_FRAMES: Final = dict.fromkeys(SCALARS, "audiences") | dict.fromkeys(FACTS, "companies") | {MAIN_CATEGORY: "categories"}
_TAXONOMY: Final = "content-v3"

_Key = tuple[int, float, str]


def named(values: Iterable[Any]) -> list[str]:
    """Return the names of groups as text, of each value its own.

    A whole number is called so also where it is a float, and a day by its date: files make these of each other. Of a
    text that reads like another value, the quotes stand with it: 1 and "1" are two groups, ``1`` and ``'1'``.
    """
    listed = list(values)
    others = {_words(value) for value in listed if not isinstance(value, str)}
    return [repr(value) if isinstance(value, str) and value in others else _words(value) for value in listed]


def labelled(labels: pd.Series, among: NDArray[np.bool_] | None = None) -> tuple[list[str], NDArray[np.int64]]:
    """Return the names of a column's groups, and of each row the place of its own, -1 where it has none.

    With `among`, only these rows count, and others have none.

    The groups of a categorical column stand in its order, others by number or name; of categories, only those in use.
    """
    check_band(labels)
    place, values = numbered_values(labels)
    if among is not None:
        place = np.where(among, place, -1)
        used = np.bincount(place + 1, minlength=len(values) + 1)[1:] > 0
        place = np.append(np.where(used, np.cumsum(used) - 1, -1), -1)[place]
        values = [value for value, there in zip(values, used, strict=True) if there]
    if isinstance(labels.dtype, pd.CategoricalDtype):
        rank = {value: at for at, value in enumerate(labels.cat.categories)}
        order = sorted(range(len(values)), key=lambda at: rank[values[at]])
    else:
        order = sorted(range(len(values)), key=lambda at: _key(values[at]))
    values = [value.strip() if isinstance(value, str) else value for value in values]
    names = named(values)
    there = dict.fromkeys(names[at] for at in order if values[at] not in ("", None))
    places = {name: at for at, name in enumerate(there)}
    table = np.array([*(places.get(name, -1) for name in names), -1], dtype=np.int64)
    return list(there), table[place]


def grouped_sites(name: object, frames: Mapping[str, pd.DataFrame]) -> pd.Index | None:
    """Return the sites of which it is known in which group of a field they are; None where a name is of no field.

    Of a field of the audiences or companies those with a value; of main categories all whose content was answered, also
    with none.

    Examples
    --------
    >>> from toolkit import sample_run
    >>> run = sample_run()
    >>> frames = {"audiences": run.audiences()}
    >>> len(grouped_sites("income_level", frames)), grouped_sites("Vertical", frames)
    (39, None)
    """
    frame = frames.get(_FRAMES.get(name, "")) if isinstance(name, str) else None
    if frame is None:
        return None
    good = good_rows(frame)
    site, names = numbered(site_of(frame))
    if name == MAIN_CATEGORY:
        return counted(frame, site, names, good, [_TAXONOMY]).answered
    return names.take(np.unique(site[good & frame[name].notna().to_numpy() & (site >= 0)]))


class RunOfFrames(Protocol):
    """A run, of which it is asked what its frames know of groups."""

    @property
    def frames(self) -> Iterable[Any]:
        """Names of its frames."""

    def frame(self, name: Any) -> pd.DataFrame:
        """Return a frame."""


def among(groups: object, run: RunOfFrames, own: Iterable[Any]) -> pd.Index | None:
    """Return the sites of a run of which it is known in which group they are; None of all, as where a column is `own`.

    Groups are a field's if they are its name, or a Series of its name.
    """
    name = groups.name if isinstance(groups, pd.Series) else groups
    wanted = _FRAMES.get(name) if isinstance(name, str) else None
    if wanted not in run.frames or name in list(own):
        return None
    return grouped_sites(name, {str(wanted): run.frame(wanted)})


def column_of_groups(frame: pd.DataFrame) -> str:
    """Return which column of a frame of targets says their group; a column that only numbers the rows is none."""
    others = [name for name in frame.columns if name not in {"target", "normal"} and not _is_of_index(name)]
    if "group" in others and "dimension" not in others:
        return "group"
    if len(others) != 1:
        raise InputError(
            "A frame of groups has a column 'target' and a column 'group'; this one has "
            f"{', '.join(map(str, frame.columns))}. Pass frame[['target', 'your column']], or the column's name and "
            "the frame that it is in."
        )
    column: str = others[0]
    return column


def lists_of(groups: Mapping[Any, Any], known: Iterable[str] = ()) -> Mapping[Any, Any]:
    """Return lists of sites by group, also where the group of each site is given; refuse what may be either."""
    if not groups or not all(map(_is_plain, groups.values())):
        return groups
    lists = [_listed(value) for value in groups.values()]
    single = not any(isinstance(value, Iterable) and not isinstance(value, str) for value in groups.values())
    if not all(isinstance(key, str) and normal_of(key) is not None for key in groups):
        return groups
    like_sites = [isinstance(text, str) and normal_of(text) is not None for texts in lists for text in texts]
    if not like_sites or not (all if single else any)(like_sites):
        return _turned(groups, lists)
    if not single:
        return groups
    sites = set(known)
    of_keys = any(_is_among(key, sites) for key in groups)
    of_values = any(_is_among(text, sites) for texts in lists for text in texts)
    if of_keys == of_values:
        raise InputError(
            f"The groups {_shown(groups)} can be read as a site of each group, and as the group of each site. Pass "
            "lists, such as {'shops': ['a.example']}, or a Series of groups indexed by target."
        )
    return _turned(groups, lists) if of_keys else groups


def _is_of_index(name: Any) -> bool:
    """Tell whether a heading is that of an index that was written to a file."""
    return not isinstance(name, str) or not name or name.startswith("Unnamed: ") or name == "index"


def _turned(groups: Mapping[Any, Any], lists: list[list[Any]]) -> dict[Any, list[str]]:
    pairs = [(site, label) for site, labels in zip(groups, lists, strict=True) for label in labels]
    names, place = labelled(pd.Series([label for _, label in pairs], dtype="object"))
    return {
        name: [site for (site, _), at in zip(pairs, place, strict=True) if at == number]
        for number, name in enumerate(names)
    }


def _is_plain(value: Any) -> bool:
    """Tell whether a value is one, or a list of them, that can be looked at without using it up."""
    return not isinstance(value, pd.DataFrame | Mapping) and (
        not isinstance(value, Iterable)
        or isinstance(value, str | list | tuple | set | frozenset | np.ndarray | pd.Series | pd.Index)
    )


def _listed(value: Any) -> list[Any]:
    return [value] if isinstance(value, str) or not isinstance(value, Iterable) else list(value)


def _is_among(text: str, sites: set[str]) -> bool:
    return text in sites or normal_of(text) in sites


def _shown(groups: Mapping[Any, Any]) -> str:
    key, value = next(iter(groups.items()))
    return f"{{{key!r:.40}: {value!r:.40}{', …' if len(groups) > 1 else ''}}}"


def _words(value: Any) -> str:
    if isinstance(value, datetime) and value == datetime.combine(value.date(), datetime.min.time(), value.tzinfo):
        return value.date().isoformat()
    return str(int(value)) if is_whole(value) else str(value)


def _key(value: Any) -> _Key:
    """Return what values are ordered by: numbers by size, also those that a file made texts, then the rest by name."""
    text = str(value).strip()
    if is_number(value):
        return 0, float(value), text
    if text.isdecimal():
        return 0, float(text), text
    return (1 if isinstance(value, date) else 2), 0.0, text
