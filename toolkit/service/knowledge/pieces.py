"""Texts as the numbers of their pieces, so that what is told of a piece is found once, and not in each text anew.

A piece is a word with the signs that stand at it, up to the next blank. No word goes beyond its piece, whatever is
taken for a word, nor does a token of the embedding.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from numpy.typing import DTypeLike, NDArray

__all__ = ["BLANK", "Several", "Written", "passing", "together", "written"]

#: What the tokenizer of the embedding writes for a space; a line that has it is a piece.
BLANK: Final = "\N{LOWER ONE EIGHTH BLOCK}"
#: What no text has of which blanks and ends of lines do nothing but part the words.
_UNEVEN: Final = ("  ", " \n", "\n ", BLANK)
#: A word with the blanks before it, or those at the end of a line.
_WORD: Final = re.compile(" *[^ ]+| +")
#: Characters of pieces that are kept, and rows that a table has room for at first.
_MOST_KEPT: Final = 400_000
_FIRST_ROWS: Final = 1_024


class Written:
    """A text as its pieces: those that begin a line have its end before them."""

    def __init__(self, kept: _Kept, numbers: NDArray[np.intp]) -> None:
        self._kept = kept
        self._numbers = numbers
        self._counts: dict[Callable[[str], int], int] = {}

    def rows(self, tell: Callable[[str], Any], dtype: DTypeLike, *shape: int) -> NDArray[Any]:
        """Return what is told of each piece, in order: numbers, or arrays of one shape."""
        found: NDArray[Any] = self._kept.column(tell, dtype, shape).of(self._numbers)[self._numbers]
        return found

    def total(self, tell: Callable[[str], Any], dtype: DTypeLike, *shape: int) -> NDArray[Any]:
        """Return what is told of all pieces, added up."""
        found: NDArray[Any] = self.rows(tell, dtype, *shape).sum(axis=0)
        return found

    def count(self, tell: Callable[[str], int]) -> int:
        """Return how often something stands in all pieces."""
        found = self._counts.get(tell)
        if found is None:
            found = self._counts[tell] = int(self.total(tell, np.intp))
        return found

    def joined(self, tell: Callable[[str], Collection[Any]], dtype: DTypeLike) -> NDArray[Any]:
        """Return what is told of each piece, however many there are of it, one after the other."""
        return self._kept.lists(tell, dtype).joined(self._numbers)[0]

    def texts(self, tell: Callable[[str], str]) -> str:
        """Return the texts that are told of the pieces, one after the other."""
        return "".join(self._kept.column(tell, np.object_, ()).of(self._numbers)[self._numbers].tolist())


def passing(text: str) -> Written:
    r"""Return the pieces of a text about which nobody asks again.

    >>> passing("Kites fly,\nmostly").texts(str.upper)
    'KITESFLY,\nMOSTLY'
    """
    kept = _keeping.present()
    return Written(kept, kept.numbers_of(pieces_of(text)))


@lru_cache(maxsize=32)
def written(text: str) -> Written:
    """Return the pieces of a text; all that is asked of a page asks about the same few texts."""
    return passing(text)


class Several:
    """Short texts that are read together."""

    def __init__(self, kept: _Kept, pieces: Sequence[Sequence[str]]) -> None:
        self._kept = kept
        self._numbers = kept.numbers_of([piece for text in pieces for piece in text])
        self._ends = np.cumsum([len(text) for text in pieces])

    def lists(self, tell: Callable[[str], Collection[Any]], dtype: DTypeLike) -> tuple[NDArray[Any], NDArray[np.intp]]:
        """Return what is told of the pieces of all texts, one after the other, and how much of it each text has."""
        found, lengths = self._kept.lists(tell, dtype).joined(self._numbers)
        return found, np.diff(np.append(0, np.cumsum(lengths))[self._ends], prepend=0)


def together(texts: Iterable[str]) -> Several:
    """Return the pieces of several short texts, which are not worth keeping."""
    return Several(_keeping.present(), list(map(pieces_of, texts)))


def pieces_of(text: str) -> list[str]:
    """Return the pieces of a text, in order.

    A token of the embedding begins with a blank or has none, unless it is made of blanks; no token goes on after the
    end of a line. So the words are pieces, with the end of the line before them, where they begin one, else with the
    blanks before them but for one.
    """
    if not (text.startswith(" ") or text.endswith(" ") or any(blanks in text for blanks in _UNEVEN)):
        return text.replace("\n", " \n").split(" ") if text else []
    found: list[str] = []
    for number, line in enumerate(text.split("\n")):
        words = [line] if BLANK in line else _WORD.findall(line) or [""]
        if number and words[0].startswith(" "):
            words.insert(0, "")
        found += [f"\n{words[0]}" if number else words[0], *(word.removeprefix(" ") for word in words[1:])]
    return found


class _Kept:
    """The pieces that are kept, with what was told of them."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._numbers = _Numbers(self._lock)
        self._columns: dict[Callable[[str], Any], _Column] = {}
        self._lists: dict[Callable[[str], Any], _Lists] = {}

    @property
    def is_full(self) -> bool:
        """Whether no more is to be kept here."""
        return self._numbers.characters > _MOST_KEPT

    def numbers_of(self, pieces: Sequence[str]) -> NDArray[np.intp]:
        """Return the number of each piece."""
        return np.array(list(map(self._numbers.__getitem__, pieces)), dtype=np.intp)

    def column(self, tell: Callable[[str], Any], dtype: DTypeLike, shape: tuple[int, ...]) -> _Column:
        """Return what is told of one piece each."""
        found = self._columns.get(tell)
        if found is None:
            found = self._columns.setdefault(tell, _Column(self._lock, self._numbers.pieces, tell, dtype, shape))
        return found

    def lists(self, tell: Callable[[str], Collection[Any]], dtype: DTypeLike) -> _Lists:
        """Return what is told of pieces, several of each."""
        found = self._lists.get(tell)
        if found is None:
            found = self._lists.setdefault(tell, _Lists(self._lock, self._numbers.pieces, tell, dtype))
        return found


class _Column:
    """What is told of pieces, a row each; found where it is first asked for, for all others as well who ask."""

    def __init__(
        self,
        lock: RLock,
        pieces: Sequence[str],
        tell: Callable[[str], Any],
        dtype: DTypeLike,
        shape: tuple[int, ...],
    ) -> None:
        self._lock = lock
        self._pieces = pieces
        self._tell = tell
        self._is_told = np.zeros(_FIRST_ROWS, dtype=np.bool_)
        self._rows = np.zeros((_FIRST_ROWS, *shape), dtype=dtype)

    def of(self, numbers: NDArray[np.intp]) -> NDArray[Any]:
        """Return the rows of all pieces, those of some of which are told."""
        if len(self._is_told) < len(self._pieces) or not self._is_told[numbers].all():
            with self._lock:
                number = len(self._pieces)
                self._rows = _with_room(self._rows, number)
                is_told = _with_room(self._is_told, number)
                untold = np.unique(numbers[~is_told[numbers]])
                if len(untold):
                    self._rows[untold] = self._rows_of([self._tell(self._pieces[place]) for place in untold.tolist()])
                    is_told[untold] = True
                # Last, for others look at it first.
                self._is_told = is_told
        return self._rows

    def _rows_of(self, found: list[Any]) -> Any:
        """Return the rows of what is told of some pieces."""
        return found


class _Lists(_Column):
    """What is told of pieces, several of each: where it ends in all that is told, and how long it is."""

    def __init__(
        self, lock: RLock, pieces: Sequence[str], tell: Callable[[str], Collection[Any]], dtype: DTypeLike
    ) -> None:
        super().__init__(lock, pieces, tell, np.intp, (2,))
        self._end = 0
        self._content = np.zeros(_FIRST_ROWS, dtype=dtype)

    def joined(self, numbers: NDArray[np.intp]) -> tuple[NDArray[Any], NDArray[np.intp]]:
        """Return what is told of some pieces, one after the other, and how much of it of each."""
        rows = self.of(numbers)[numbers]
        lengths = rows[:, 1]
        after = np.cumsum(lengths)
        if not len(after) or not after[-1]:
            return self._content[:0], lengths
        # Where in all that is told each ends, less where it ends in what is returned.
        return self._content[np.repeat(rows[:, 0] - after, lengths) + np.arange(after[-1])], lengths

    def _rows_of(self, found: list[Any]) -> Any:
        """Keep what is told of some pieces, and return where that of each ends, and how long it is."""
        lengths = np.array(list(map(len, found)), dtype=np.intp)
        ends = self._end + np.cumsum(lengths)
        self._content = _with_room(self._content, int(ends[-1]))
        self._content[self._end : ends[-1]] = list(chain.from_iterable(found))
        self._end = int(ends[-1])
        return np.stack([ends, lengths], axis=1)


class _Numbers(dict[str, int]):
    """The number of each piece that was asked for."""

    def __init__(self, lock: RLock) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.characters = 0
        self._lock = lock

    def __missing__(self, piece: str) -> int:
        with self._lock:
            if piece not in self:
                self.pieces.append(piece)
                self.characters += len(piece)
                self[piece] = len(self.pieces) - 1
            return self[piece]


class _Keeping:
    """What keeps pieces at present: texts go on with the one that they have, when another takes its place."""

    def __init__(self) -> None:
        self._kept = _Kept()

    def present(self) -> _Kept:
        if self._kept.is_full:
            self._kept = _Kept()
        return self._kept


_keeping: Final = _Keeping()


def _with_room(table: NDArray[Any], number: int) -> NDArray[Any]:
    """Return a table with room for so many rows; who reads the old one finds all there that he asks for."""
    if len(table) >= number:
        return table
    found = np.zeros((2 * number, *table.shape[1:]), dtype=table.dtype)
    found[: len(table)] = table
    return found
