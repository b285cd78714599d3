"""Columns of frames that are filled a row at a time, and packed away as arrays before they take much memory."""

from __future__ import annotations

import re
import warnings
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np
import pandas as pd
import pyarrow as pa  # type: ignore[import-untyped]

from toolkit.frames.plain import OddShapeError
from toolkit.frames.schemas import BAND
from toolkit.interface.checks import levels_inside
from toolkit.interface.text import printable, shortened
from toolkit.interface.vocabulary import VocabularyWarning

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolkit.interface.vocabulary import Vocabulary

__all__ = [
    "Bands",
    "Columns",
    "Integers",
    "Reader",
    "Runs",
    "VocabularyWarning",
    "band_dtype",
    "series",
    "whole_or_none",
]

_TYPES: Final = {
    "str": pa.large_string(),
    "Int64": pa.int64(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "boolean": pa.bool_(),
    "datetime64[us, UTC]": pa.timestamp("us", "UTC"),
}
#: Halves of characters, which no encoding of text can hold.
_HALVES: Final = re.compile("[\ud800-\udfff]")
_NUMPY: Final = ("int64", "float64")
#: Values that a warning shows, and characters of each.
_FEW: Final = 20
_SHOWN: Final = 80
_LARGEST_INTEGER: Final = 2**63 - 1


class Reader(ABC):
    """Reads answers into the rows of one frame. Each answer and each failure is one `read` or one `fail`, in order."""

    #: Endpoints whose answers the frame shows.
    endpoints: ClassVar[frozenset[str]]

    @abstractmethod
    def read(self, endpoint: str, raw: dict[str, Any]) -> None:
        """Add an answer's rows, or none: any error of Python says that it is not of the plain form."""

    @abstractmethod
    def fail(self) -> None:
        """Add the row of a failure."""

    @abstractmethod
    def pack(self) -> None:
        """Pack away what was added so far."""

    @abstractmethod
    def columns(self) -> tuple[np.ndarray | None, dict[str, Any]]:
        """Return the frame's own columns, and for each of their rows the number of its answer or failure.

        None stands for one row each.
        """

    def fields(self) -> np.ndarray | None:
        """Return of which fields each answer or failure has a value, as bits of `toolkit.frames.asked.FIELDS`.

        None where the frame is not of fields.
        """
        return None


class Columns:
    """Lists by name, of the types of a frame's columns."""

    def __init__(self, dtypes: Mapping[str, Any]) -> None:
        self._dtypes = {name: str(dtype) for name, dtype in dtypes.items()}
        self._packed: dict[str, list[pa.Array]] = {name: [] for name in dtypes}

    def pack(self, lists: Iterable[list[Any] | tuple[Any, ...]]) -> None:
        """Pack away so many more values of each column, in the order of the names."""
        for (name, dtype), values in zip(self._dtypes.items(), lists, strict=True):
            try:
                packed = pa.array(values, _TYPES[dtype])
            except UnicodeEncodeError:  # half a character, which no file could hold either
                packed = pa.array([value and _HALVES.sub("\N{REPLACEMENT CHARACTER}", value) for value in values])
                packed = packed.cast(_TYPES[dtype])
            self._packed[name].append(packed)

    def whole(self, name: str) -> pa.Array:
        """Return what was packed away of a column; the frame's column may share its memory."""
        dtype, parts = self._dtypes[name], self._packed[name]
        self._packed[name] = [pa.concat_arrays(parts) if parts else pa.array([], _TYPES[dtype])]
        return self._packed[name][0]

    def columns(self, rows: np.ndarray | None = None) -> dict[str, Any]:
        """Return what was packed away as columns of a frame: all of it, or so many rows of it."""
        found = {}
        for name, dtype in self._dtypes.items():
            whole = self.whole(name)
            del self._packed[name]
            found[name] = series(whole if rows is None else whole.take(pa.array(rows)), dtype)
        return found


class Integers:
    """Rows of so many whole numbers that are at hand in one list."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._packed = [np.empty((0, width), np.int32)]
        self.values: list[int] = []

    def pack(self) -> None:
        """Pack away what is in the list."""
        self._packed.append(np.array(self.values, np.int32).reshape(-1, self._width))
        self.values.clear()

    def table(self) -> np.ndarray:
        """Return all rows that were packed away."""
        return np.concatenate(self._packed)


class Runs:
    """How many rows each answer or failure has in each of so many places, place by place; and what follows from it."""

    def __init__(self, lengths: np.ndarray, kept: np.ndarray | None = None) -> None:
        number, places = lengths.shape
        self._lengths = lengths.ravel()
        first = np.cumsum(self._lengths, dtype=np.int64) - self._lengths
        ranks = np.arange(1, self._lengths.sum() + 1) - np.repeat(first, self._lengths)
        self._kept = slice(None) if kept is None else kept
        #: For each row the number of its answer or failure.
        self.owner = np.repeat(np.arange(number, dtype=np.int32), lengths.sum(axis=1))[self._kept]
        #: For each row its place.
        self.place = self.spread(np.tile(np.arange(places, dtype=np.int8), (number, 1)))
        #: For each row its number within its place, from 1.
        self.rank = ranks[self._kept]

    def spread(self, values: np.ndarray) -> np.ndarray:
        """Repeat what stands for each place of each answer for each row of it."""
        return np.repeat(values.ravel(), self._lengths)[self._kept]


class Bands(dict[Any, int]):
    """The numbers of a categorical's values, -1 for what is missing.

    Values are taken as the models take them: without the space around them, confidences in lower case. Those that the
    categorical does not have get numbers below -1, so that only those that are in the column at the end are told of.
    """

    def __init__(self, dtype: pd.CategoricalDtype, *, lower: bool = False) -> None:
        super().__init__({None: -1})
        self._dtype, self._lower = dtype, lower
        self._numbers = {value: number for number, value in enumerate(dtype.categories)}
        self._unknown: list[str] = []

    def __missing__(self, value: object) -> int:
        if type(value) is not str:
            raise OddShapeError
        text = value.strip()
        self[value] = number = self._number(text.lower() if self._lower else text) if text else -1
        return number

    def exact(self, value: object) -> int:
        """Return the number of a value that no model reads: a text as it is, nothing else."""
        return self._number(value) if isinstance(value, str) else -1

    def column(self, name: str, numbers: np.ndarray) -> pd.Categorical:
        """Return a column of these numbers, and warn of the unknown values in it."""
        odd = np.unique(numbers[numbers < -1])
        if len(odd):
            values = sorted(shortened(self._unknown[-2 - number], _SHOWN) for number in odd)
            more = f" and {len(values) - _FEW:,} more" if len(values) > _FEW else ""
            warnings.warn(
                f"{name} has values that the vocabulary does not have: "
                f"{printable(', '.join(values[:_FEW]))}{more}. Their cells are missing; fetch "
                "the vocabulary again with client.filters(refresh=True).",
                VocabularyWarning,
                stacklevel=levels_inside(),
            )
            numbers = np.maximum(numbers, -1)
        return pd.Categorical.from_codes(numbers, dtype=self._dtype)

    def _number(self, text: str) -> int:
        if text not in self._numbers:
            self._unknown.append(text)
            self._numbers[text] = -1 - len(self._unknown)
        return self._numbers[text]


def band_dtype(name: str, declared: Any, vocabulary: Vocabulary | None) -> pd.CategoricalDtype:
    """Return the categorical dtype of a column: as declared, or the vocabulary's where it is a band."""
    if declared != BAND:
        found: pd.CategoricalDtype = declared
        return found
    if vocabulary is None or name not in vocabulary.values:
        return pd.CategoricalDtype([])
    return vocabulary.dtype(name)


def whole_or_none(value: int | None) -> int | None:
    """Return a whole number, or None where a column of whole numbers cannot hold it."""
    return value if value is None or abs(value) <= _LARGEST_INTEGER else None


def series(values: pa.Array, dtype: str) -> Any:
    """Return an array as a column of a frame."""
    if dtype in _NUMPY:
        return values.to_numpy(zero_copy_only=False)
    kind: Any = pd.api.types.pandas_dtype(dtype)
    return kind.__from_arrow__(values)
