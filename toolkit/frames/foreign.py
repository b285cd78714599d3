"""Frames from elsewhere, from files, databases and other tools, as a run gives them: the one door of all findings.

What a frame holds is known by its columns' names. Only the columns that findings read are looked at, and those that are
right already are not touched.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from toolkit.frames.numbering import numbered
from toolkit.frames.schemas import BAND, CONFIDENCE, DIMENSIONS, LEVELS, SCALARS, SCHEMAS
from toolkit.interface.checks import is_whole
from toolkit.interface.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable

__all__ = ["normal", "numbered_values"]

_COMMON: Final = ("target", "normal", "error", "endpoint", "fetched_at", "vocab_version")
#: What findings read of each frame, and the columns by which the frame is known.
_READ: Final[dict[str, tuple[str, ...]]] = {
    "codes": (*_COMMON, "dimension", "code", "label", "group", "confidence"),
    "categories": (*_COMMON, "taxonomy", "id", "name", *LEVELS, "confidence"),
    "technologies": (*_COMMON, "technology", "category"),
    "audiences": (*_COMMON, *SCALARS, "interests", "purchase_intents", "personas"),
}
_KNOWN_BY: Final[dict[str, tuple[str, ...]]] = {
    "codes": ("dimension", "code"),
    "categories": ("taxonomy", "id"),
    "technologies": ("technology",),
    "audiences": ("audience_type",),
}
_HEADINGS: Final = frozenset(name for names in _READ.values() for name in names) | {"status"}
#: As pandas, Arrow and databases write a missing value as text; ``none`` is a value of the vocabulary.
_MISSING: Final = frozenset(
    ["", "nan", "NaN", "-nan", "-NaN", "NaT", "None", "<NA>", "NA", "N/A", "n/a", "#N/A", "null", "NULL", "\\N"]
)
_WHOLE_AS_FLOAT: Final = re.compile(r"([0-9]+)\.0+")
_DIGITS: Final = re.compile(r"[0-9]{9,20}")
#: Numbers of seconds, thousandths, millionths and so on since 1970 are told apart by their size: from 1973 to 5138.
_SECONDS: Final = 1e8
_STEP: Final = 1e3
_UNITS: Final = ("s", "ms", "us", "ns")
#: Digits after the point of which narrow floats are sure between 0 and 1.
_SURE_DIGITS: Final = {2: 3, 4: 6}
_ANSWERED: Final = 200
_FLAGS: Final = (bool, np.bool_)
_NUMBERS: Final = (Real, Decimal, np.bool_)


def normal(frame: Any, *own: Hashable) -> pd.DataFrame:
    """Return a frame with the columns that findings read named and typed as in ``SCHEMAS``.

    A frame that is right comes back as it is. Texts keep what they say, without the space around them; what only stands
    for a missing value is missing; whole numbers are identifiers also where a file made them floats; times are of UTC,
    and so are those that name no zone. Headings may be in capitals; columns may stand twice if they say the same. Of a
    frame without errors, what has another status than 200 is a failure. `own` are columns of the caller, by name.

    Raises
    ------
    InputError
        If it is no frame of pandas, or a column cannot be understood, which is named.

    Examples
    --------
    >>> frame = normal(pd.DataFrame({"TARGET": ["a.example"], "TAXONOMY": ["content-v3"], "ID": [42.0], "ERROR": [""]}))
    >>> frame["id"].tolist(), int(frame["error"].isna().sum())
    (['42'], 1)
    """
    if not isinstance(frame, pd.DataFrame):
        advice = "frame.to_pandas()" if hasattr(frame, "to_pandas") else "a codes or categories frame of a run"
        raise InputError(f"A frame is needed, not {type(frame).__name__}. Pass {advice}.")
    frame = _headed(frame, own)
    kind = _kind_of(frame.columns)
    wanted = {name: _dtype_of(kind, name) for name in _read_of(kind) if name in frame.columns}
    changed: dict[str, pd.Series] = {}
    if not all(_is_right(frame[name], dtype) for name, dtype in wanted.items()):
        changed = {name: _converted(frame[name], dtype) for name, dtype in wanted.items()}
    if kind is not None and "error" not in frame.columns and "status" in frame.columns:
        changed["error"] = _errors(frame["status"])
    found: pd.DataFrame = frame.assign(**changed) if changed else frame
    return found


def numbered_values(column: pd.Series) -> tuple[np.ndarray, list[Any]]:
    """Return the number of each row's value, -1 where it is missing, and the different values; refuse lists and such.

    True and 1 are different values, as pandas would not have it.
    """
    if column.dtype == "str":
        place, texts = numbered(column)
        return place, texts.tolist()
    try:
        place, found = pd.factorize(column)
    except TypeError:
        odd = next((value for value in column if isinstance(value, (list, dict, set, np.ndarray))), column.iloc[0])
        raise InputError(
            f"The column {column.name!r} has {odd!r:.80}, a {type(odd).__name__}. Give it one value a row, "
            "such as by frame.explode(…)."
        ) from None
    if column.dtype == object and any(value in (0, 1) for value in found if _is_number(value)):
        keys = np.empty(len(column), dtype=object)
        keys[:] = [(isinstance(value, _FLAGS), value) for value in column]
        missing = place < 0
        place, pairs = pd.factorize(keys)
        used = np.append(np.zeros(len(pairs), dtype=bool), False)
        used[place[~missing]] = True
        place = np.where(missing, -1, (np.cumsum(used) - 1)[place])
        return place, [value for (_, value), there in zip(pairs, used, strict=False) if there]
    return place, list(found)


def _headed(frame: pd.DataFrame, own: Collection[Hashable]) -> pd.DataFrame:
    """Return a frame with the headings of a run's, each once."""
    names = [name for name in frame.index.names if name is not None and name not in frame.columns]
    if levels := [name for name in names if name in own or _plain(name) in _HEADINGS]:
        frame = frame.reset_index(level=levels)
    if not frame.columns.is_unique:
        frame = _without_twins(frame, own)
    there = set(frame.columns)
    lacking = {_plain(name): name for name in own if name not in there}
    if _kind_of(frame.columns) is None or "target" not in there:
        lacking = {name: name for name in _HEADINGS if name not in there} | lacking
    if not lacking:
        return frame
    found: dict[Hashable, list[Hashable]] = {}
    for name in frame.columns:
        if name not in own and (meant := lacking.get(_plain(name))) is not None:
            found.setdefault(meant, []).append(name)
    for meant, several in found.items():
        if len(several) > 1:
            listed = " and ".join(map(repr, several))
            raise InputError(f"The columns {listed} may both be {meant!r}. Keep one of them, under that name.")
    return frame.rename(columns={several[0]: meant for meant, several in found.items()}) if found else frame


def _without_twins(frame: pd.DataFrame, own: Collection[Hashable]) -> pd.DataFrame:
    for name in frame.columns[frame.columns.duplicated()].unique():
        same = frame.loc[:, frame.columns == name]
        matters = name in own or _plain(name) in _HEADINGS
        if matters and not all(same.iloc[:, 0].equals(same.iloc[:, place]) for place in range(1, same.shape[1])):
            raise InputError(
                f"The frame has {same.shape[1]} columns {name!r}, and they do not say the same. Keep the right one: "
                "frame.loc[:, ~frame.columns.duplicated()] keeps the first."
            )
    return frame.loc[:, ~frame.columns.duplicated()]


def _plain(name: Hashable) -> str:
    return name.strip(" \t\r\n\ufeff").casefold() if isinstance(name, str) else ""


def _kind_of(columns: Iterable[Hashable]) -> str | None:
    there = set(columns)
    return next((kind for kind, names in _KNOWN_BY.items() if there.issuperset(names)), None)


def _read_of(kind: str | None) -> tuple[str, ...]:
    return _COMMON if kind is None else _READ[kind]


def _dtype_of(kind: str | None, name: str) -> Any:
    return SCHEMAS[kind or "codes"][name]


def _is_right(column: pd.Series, dtype: Any) -> bool:
    """Tell whether a column is as a run gives it, at next to no cost."""
    if column.name == "dimension":
        return column.dtype == "str" or isinstance(column.dtype, pd.CategoricalDtype)
    if dtype == BAND:
        return isinstance(column.dtype, pd.CategoricalDtype)
    if column.name == "fetched_at":
        return isinstance(column.dtype, pd.DatetimeTZDtype) and str(column.dtype.tz) == "UTC"
    if column.dtype != dtype:
        return False
    if dtype != "str":
        return True
    texts = pa.array(column.array)
    odd = pc.equal(texts, "")
    if column.name == "id":
        odd = pc.or_(odd, pc.ends_with(texts, ".0"))
    return not pc.any(odd).as_py()


def _converted(column: pd.Series, dtype: Any) -> pd.Series:
    if column.name == "fetched_at":
        return _times(column)
    if dtype == CONFIDENCE:
        return column if column.dtype == CONFIDENCE else _bands(column)
    if dtype in {"float64", "Int64"}:
        return column if column.dtype == dtype else _numbers(column, dtype)
    if dtype == BAND and isinstance(column.dtype, pd.CategoricalDtype) and "" not in column.cat.categories:
        return column
    texts = _each(column, _text)
    found = pd.Series(pd.array([*texts[1], None], dtype="str").take(texts[0]), index=column.index, name=column.name)
    if column.name == "dimension" and set(texts[1]) <= {*DIMENSIONS, None}:
        return found.astype(SCHEMAS["codes"]["dimension"])
    return found


def _each(column: pd.Series, read: Callable[[str, Any], Any]) -> tuple[np.ndarray, list[Any]]:
    """Return the number of each row's value, and what each different value is read as; each is read once."""
    place, values = numbered_values(column)
    return place, [read(str(column.name), value) for value in values]


def _unreadable(name: str, value: Any, what: str) -> InputError:
    return InputError(f"The column {name!r} has {value!r:.80}, which is {what}")


def _stated(value: Any) -> Any:
    """Return a value, texts without the space around them; None where it only stands for a missing one."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, str):
        value = value.strip()
        return None if value in _MISSING else value
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, _NUMBERS)


def _text(name: str, value: Any) -> str | None:
    if name == "target" and isinstance(value, str):
        return value.strip() or None  # whatever was asked about
    value = _stated(value)
    if value is None:
        return None
    if isinstance(value, str):
        whole = _WHOLE_AS_FLOAT.fullmatch(value) if name == "id" else None
        return whole.group(1) if whole else value
    if not _is_number(value):
        raise _unreadable(
            name, value, f"no text but {type(value).__name__}. Make it text: frame[{name!r}].astype('str')."
        )
    if name != "vocab_version" and not isinstance(value, _FLAGS) and float(value).is_integer():
        return str(int(value))
    if name == "id":
        raise _unreadable(name, value, "no identifier: these are texts. Read the file with dtype={'id': str}.")
    return str(value)


def _bands(column: pd.Series) -> pd.Series:
    bands = list(CONFIDENCE.categories)

    def band(name: str, value: Any) -> int:
        value = _stated(value)
        if value is None:
            return -1
        if not isinstance(value, str) or value.lower() not in bands:
            raise _unreadable(
                name, value, f"no confidence of a code. Make it one of {', '.join(bands)}, or leave the column out."
            )
        return bands.index(value.lower())

    place, numbers = _each(column, band)
    codes = np.array([*numbers, -1])[place]
    return pd.Series(pd.Categorical.from_codes(codes, dtype=CONFIDENCE), index=column.index, name=column.name)


def _numbers(column: pd.Series, dtype: Any) -> pd.Series:
    def number(name: str, value: Any) -> float:
        value = _stated(value)
        try:
            found = math.nan if value is None else float(value)
        except (TypeError, ValueError):
            found = math.inf
        if math.isinf(found) or (dtype == "Int64" and not (math.isnan(found) or is_whole(found))):
            comma = " Read the file with decimal=','." if "," in str(value) else f" Correct it in frame[{name!r}]."
            raise _unreadable(name, value, f"no {'number' if dtype == 'float64' else 'whole number'}.{comma}")
        return found

    if isinstance(column.dtype, np.dtype) and column.dtype.kind == "f":
        found = column.to_numpy(dtype=np.float64)
        if (digits := _SURE_DIGITS.get(column.dtype.itemsize)) is not None:
            # What was 0.83 is no longer below it.
            found = np.round(found, digits)
    else:
        place, values = _each(column, number)
        found = np.array([*values, math.nan])[place]
    return pd.Series(pd.array(found, dtype=dtype), index=column.index, name=column.name)


def _times(column: pd.Series) -> pd.Series:
    dtype = column.dtype
    if isinstance(dtype, pd.DatetimeTZDtype):
        return pd.Series(column.dt.tz_convert("UTC"))
    if isinstance(dtype, np.dtype) and dtype.kind == "M":
        return pd.Series(column.dt.tz_localize("UTC"))
    place, values = _each(column, _time)
    moments = pd.array([*values, None], dtype=SCHEMAS["codes"]["fetched_at"])
    return pd.Series(moments.take(place), index=column.index, name=column.name)


def _time(name: str, value: Any) -> pd.Timestamp | None:
    value = _stated(value)
    if value is None:
        return None
    try:
        if isinstance(value, str):
            value = float(value) if _DIGITS.fullmatch(value) else datetime.fromisoformat(value)
        if isinstance(value, date | np.datetime64):
            moment = pd.Timestamp(value)
        elif not isinstance(value, Real | Decimal) or float(value) < _SECONDS:
            raise ValueError  # noqa: TRY301 - as texts that cannot be read
        else:
            number = float(value)
            unit = min(int(math.log(number / _SECONDS, _STEP)), len(_UNITS) - 1)
            moment = pd.Timestamp(number / _STEP**unit, unit="s")
        return moment.tz_localize(UTC) if moment.tzinfo is None else moment.tz_convert(UTC)
    except (ValueError, OverflowError):
        raise _unreadable(
            name,
            value,
            f"no time such as 2026-01-31T12:00:00Z. Read it with pd.to_datetime(frame[{name!r}], utc=True).",
        ) from None


def _errors(status: pd.Series) -> pd.Series:
    """Return what a frame would say of failures, of their status alone."""
    code = _numbers(status, "float64").to_numpy()
    place, numbers = pd.factorize(code)
    words = [None if number == _ANSWERED else f"answered {number:.0f}" for number in numbers]
    return pd.Series(pd.array([*words, "no answer"], dtype="str").take(place), index=status.index, name="error")
