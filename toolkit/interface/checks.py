"""Checks of arguments: each refuses what cannot be used, saying what it is, and what to pass instead."""

from __future__ import annotations

import math
import sys
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from toolkit.interface.errors import InputError, ToolkitError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

__all__ = ["check_columns", "check_number", "check_one_of", "check_whole", "is_number", "is_whole", "levels_inside"]


def is_whole(value: Any, least: float = -math.inf, most: float = math.inf) -> bool:
    """Tell whether a value is a whole number within bounds; NumPy's are, True and False are not."""
    return not isinstance(value, bool) and isinstance(value, Integral) and least <= int(value) <= most


def is_number(value: Any, least: float = -math.inf, most: float = math.inf) -> bool:
    """Tell whether a value is a finite number within bounds; NumPy's are, True and False are not."""
    number = not isinstance(value, bool) and isinstance(value, Real)
    return number and math.isfinite(value) and least <= value <= most


def check_whole(
    value: Any,
    what: str,
    least: float = -math.inf,
    most: float = math.inf,
    *,
    advice: str = "",
    error: type[ToolkitError] = InputError,
) -> int:
    """Return a whole number, or raise an error; `what` begins its message, `advice` says what to give.

    Examples
    --------
    >>> check_whole(0, "most", 1)
    Traceback (most recent call last):
        ...
    toolkit.interface.errors.InputError: most is 0. Give a whole number from 1.
    """
    if not is_whole(value, least, most):
        raise error(f"{what} is {value!r:.80}. {advice or f'Give a whole number{_range(least, most)}.'}")
    return int(value)


def check_number(
    value: Any,
    what: str,
    least: float = -math.inf,
    most: float = math.inf,
    *,
    advice: str = "",
    error: type[ToolkitError] = InputError,
) -> float:
    """Return a finite number, or raise an error; as `check_whole`."""
    if not is_number(value, least, most):
        raise error(f"{what} is {value!r:.80}. {advice or f'Give a number{_range(least, most)}.'}")
    return float(value)


def check_one_of(
    value: object, what: str, known: Collection[object], *, error: type[ToolkitError] = InputError
) -> None:
    """Refuse what is none of the known values.

    Examples
    --------
    >>> check_one_of("pdf", "format", ("csv", "json"))
    Traceback (most recent call last):
        ...
    toolkit.interface.errors.InputError: format must be one of 'csv', 'json', not 'pdf'.
    """
    if not any(type(value) is type(one) and value == one for one in known):
        raise error(f"{what} must be one of {', '.join(map(repr, known))}, not {value!r:.80}.")


def check_columns(
    frame: Any, needed: Iterable[str], wanted: str, *, what: str = "The frame", listed: bool = True
) -> None:
    """Refuse what is no frame, or lacks columns: the message names those, says what to pass, and lists what is there.

    Examples
    --------
    >>> import pandas as pd
    >>> check_columns(pd.DataFrame({"target": []}), ["target", "code"], "a codes frame")
    Traceback (most recent call last):
        ...
    toolkit.interface.errors.InputError: The frame has no column 'code'. Pass a codes frame. It has target.
    """
    if getattr(frame, "columns", None) is None:
        raise InputError(f"A frame is needed, not {type(frame).__name__}. Pass {wanted}.")
    if missing := [name for name in needed if name not in frame.columns]:
        there = f" It has {', '.join(map(str, frame.columns)) or 'none'}." if listed else ""
        raise InputError(f"{what} has no column {', '.join(map(repr, missing))}. Pass {wanted}.{there}")


def _range(least: float, most: float) -> str:
    low = f" from {least:,}" if least > -math.inf else ""
    return low + (f" to {most:,}" if most < math.inf else "")


def levels_inside() -> int:
    """Return the ``stacklevel`` of a warning that names the line outside the package, however deep it is given."""
    frame, levels = sys._getframe(1), 1  # noqa: SLF001 - there is no other way before Python 3.12
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "toolkit":
        frame, levels = frame.f_back, levels + 1
    return levels
