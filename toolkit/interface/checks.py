"""Checks of arguments: each refuses what cannot be used, saying what it is, and what to pass instead."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterable
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Final

from pydantic import SecretStr

from toolkit.interface.errors import ConfigurationError, InputError, ToolkitError

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = [
    "as_secret",
    "check_columns",
    "check_list",
    "check_number",
    "check_once",
    "check_one_of",
    "check_path",
    "check_seconds",
    "check_text",
    "check_whole",
    "is_number",
    "is_whole",
    "levels_inside",
]

_DAY: Final = 86_400


def as_secret(value: object) -> SecretStr:
    """Wrap a key or secret so that nothing shows it; an empty one stands for what is no text that UTF-8 can carry.

    It raises nothing, so that the caller can let go of the plain text first, and check then.
    """
    plain = value.get_secret_value() if isinstance(value, SecretStr) else value
    try:
        return SecretStr(plain if isinstance(plain, str) and plain.encode() else "")
    except UnicodeEncodeError:
        return SecretStr("")


def is_whole(value: Any, least: float = -math.inf, most: float = math.inf) -> bool:
    """Tell whether a value is a whole number within bounds, as 2.0 is; NumPy's are, True and False are not."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    whole = isinstance(value, Integral) or (math.isfinite(value) and value == math.floor(value))
    return whole and bool(least <= value <= most)  # type: ignore[operator]


def is_number(value: Any, least: float = -math.inf, most: float = math.inf) -> bool:
    """Tell whether a value is a finite number within bounds; NumPy's are, True and False are not."""
    number = not isinstance(value, bool) and isinstance(value, Real)
    try:
        return number and math.isfinite(value) and least <= value <= most
    except OverflowError:  # a whole number that is larger than any float
        return False


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


def check_seconds(
    value: Any, what: str, most: int = _DAY, *, zero: bool = False, error: type[ToolkitError] = ConfigurationError
) -> None:
    """Refuse what is no number of seconds up to a day, or what `most` says; 0 is one only where that is said.

    Examples
    --------
    >>> check_seconds(0, "timeout")
    Traceback (most recent call last):
        ...
    toolkit.interface.errors.ConfigurationError: timeout must be a number of seconds above 0 up to 86,400, not 0.
    """
    if not (is_number(value, 0, most) and (zero or value)):
        least = "from 0" if zero else "above 0"
        raise error(f"{what} must be a number of seconds {least} up to {most:,}, not {value!r:.80}.")


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


def check_text(value: object, what: str, advice: str) -> None:
    """Refuse what is no text; the advice says what to pass.

    >>> check_text(5, "subject", "Pass a code.")
    Traceback (most recent call last):
        ...
    toolkit.interface.errors.InputError: subject must be text, not int. Pass a code.
    """
    if not isinstance(value, str):
        raise InputError(f"{what} must be text, not {type(value).__name__}. {advice}")


def check_path(value: object, example: str) -> None:
    """Refuse what cannot be the path of a file.

    >>> check_path(5, "report.html")
    Traceback (most recent call last):
        ...
    toolkit.interface.errors.InputError: path must be the name of a file, not 5. Pass 'report.html', for example.
    """
    if not isinstance(value, str | os.PathLike) or not isinstance(os.fspath(value), str):
        raise InputError(f"path must be the name of a file, not {value!r:.80}. Pass {example!r}, for example.")


def check_list(value: object, wanted: str) -> None:
    """Refuse what holds no values one after another.

    >>> check_list(5, "codes")
    Traceback (most recent call last):
        ...
    toolkit.interface.errors.InputError: A list is needed, not int. Pass codes.
    """
    if isinstance(value, bytes) or not isinstance(value, Iterable):
        raise InputError(f"A list is needed, not {type(value).__name__}. Pass {wanted}.")


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


def check_once(titles: Iterable[object], column: str, verb: str, what: str = "The table") -> None:
    """Refuse a table of which several columns have the title that is asked for; `verb` says what for.

    >>> check_once(["url", "Spend", "Spend"], "Spend", "weigh")
    Traceback (most recent call last):
        ...
    toolkit.interface.errors.InputError: The table has 2 columns 'Spend' to weigh by. Rename all but one.
    """
    if (twins := list(titles).count(column)) > 1:
        raise InputError(f"{what} has {twins} columns {column!r} to {verb} by. Rename all but one.")


def _range(least: float, most: float) -> str:
    low = f" from {least:,}" if least > -math.inf else ""
    return low + (f" to {most:,}" if most < math.inf else "")


def levels_inside() -> int:
    """Return the ``stacklevel`` of a warning that names the line outside the package, however deep it is given."""
    frame, levels = sys._getframe(1), 1  # noqa: SLF001 - there is no other way before Python 3.12
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "toolkit":
        frame, levels = frame.f_back, levels + 1
    return levels
