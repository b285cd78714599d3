"""The columns of a grid: what stands above them, and how their cells are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import pandas as pd

from toolkit.frames.schemas import BASIS
from toolkit.interface.checks import check_one_of
from toolkit.interface.errors import InputError
from toolkit.interface.text import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["KINDS", "Column", "columns_of", "places_of"]

Kind = Literal["text", "number", "share", "date", "flag", "list"]
KINDS: Final = ("text", "number", "share", "date", "flag", "list")
#: Ends of the names of columns that hold numbers from 0 to 1.
_SHARES: Final = ("share", "confidence")
#: Whole numbers beyond it would be others in a browser.
_EXACT: Final = 2**53
_DIGITS: Final = 2
_LOOKED_AT: Final = 50


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a grid.

    Parameters
    ----------
    name : str
        Name of the frame's column.
    title : str
        What stands above it.
    kind : str
        ``text``, ``number``, ``share`` (from 0 to 1, shown as per cent), ``date``, ``flag`` or ``list``.
    digits : int
        Decimals of a number, or of per cent.
    unit : str
        What stands behind each number.
    hidden : bool
        Whether it is left out until somebody chooses it.
    width : int, optional
        Pixels; by default as its texts need.
    help : str
        What is said where somebody points at its title.
    lines : int
        Lines that its longest texts may take, and rows are as high as their texts; what is longer ends in ``…``, and
        is seen where somebody points at its cell.

    Raises
    ------
    InputError
        If `kind` is none of those.

    Examples
    --------
    >>> Column("share", "Share of sites", "share").kind
    'share'
    """

    name: str
    title: str
    kind: Kind = "text"
    digits: int = 0
    unit: str = ""
    hidden: bool = False
    width: int | None = None
    help: str = ""
    lines: int = 1

    def __post_init__(self) -> None:
        check_one_of(self.kind, "kind", KINDS)


def columns_of(frame: pd.DataFrame) -> list[Column]:
    """Return the columns of a frame as its dtypes and names tell them.

    Parameters
    ----------
    frame : DataFrame
        Any frame.

    Returns
    -------
    list of Column
        In the frame's order.

    Examples
    --------
    >>> [(one.title, one.kind) for one in columns_of(pd.DataFrame({"main_topic": ["Travel"], "confidence": [0.5]}))]
    [('Main topic', 'text'), ('Confidence', 'share')]
    """
    return [_column(str(name), frame.iloc[:, place]) for place, name in enumerate(frame.columns)]


def places_of(frame: pd.DataFrame, columns: Sequence[Column]) -> list[int]:
    """Return where the frame has each column; of several of one name the first that is not taken yet.

    Raises
    ------
    InputError
        If it has one not.
    """
    free: dict[str, list[int]] = {}
    for place, name in enumerate(frame.columns):
        free.setdefault(str(name), []).append(place)
    missing = [column.name for column in columns if column.name not in free]
    if missing:
        have = ", ".join(free) or "none"
        raise InputError(f"The frame has no column {', '.join(missing)}. Name columns that it has: {have}.")
    return [free[name].pop(0) if len(free[name]) > 1 else free[name][0] for name in (one.name for one in columns)]


def _column(name: str, values: pd.Series) -> Column:
    words = printable(name.removeprefix("demographics_").replace("_", " ")).strip()
    inferred = " (inferred)" * (BASIS.get(name) == "inferred" or name == "demographics_confidence")
    kind = _kind(name, values)
    # Whole numbers with gaps are floats too.
    is_broken = kind == "number" and pd.api.types.is_float_dtype(values.dtype) and (values.dropna() % 1).ne(0).any()
    digits = _DIGITS if is_broken else 0
    return Column(name, f"{words[:1].upper()}{words[1:]}{inferred}", kind, digits)


def _kind(name: str, values: pd.Series) -> Kind:
    dtype = values.dtype
    if pd.api.types.is_bool_dtype(dtype):
        return "flag"
    if pd.api.types.is_datetime64_any_dtype(dtype):
        return "date"
    if pd.api.types.is_float_dtype(dtype):
        return "share" if name.rsplit("_", maxsplit=1)[-1] in _SHARES else "number"
    if pd.api.types.is_integer_dtype(dtype):
        return "text" if values.dropna().abs().gt(_EXACT).any() else "number"
    first: Any = values.dropna().head(_LOOKED_AT)
    return "list" if len(first) and all(isinstance(value, list | tuple | set) for value in first) else "text"
