"""Texts as the numbers of their pieces, so that what is told of a piece is found once, and not in each text anew.

A piece is a word with the signs that stand at it, up to the next blank. No word goes beyond its piece, whatever is
taken for a word, nor does a token of the embedding.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property, lru_cache, partial
from itertools import count, islice
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from numpy.typing import DTypeLike, NDArray

    #: What tells something of pieces, one of each: those of a page that nobody has asked about are told together.
    Tell = Callable[[Sequence[str]], Sequence[Any] | NDArray[Any]]
    #: The same of what tells several things of a piece: all of them, one after the other, and how many of each piece.
    TellSeveral = Callable[[Sequence[str]], tuple[Sequence[Any] | NDArray[Any], NDArray[np.intp]]]

_Key = TypeVar("_Key", np.int32, np.intp, np.uint64)

__all__ = [
    "BLANK",
    "Several",
    "Written",
    "different",
    "numbers_in",
    "passing",
    "together",
    "words_in",
    "written",
]

#: What the tokenizer of the embedding writes for a space; a line that has it is a piece.
BLANK: Final = "\N{LOWER ONE EIGHTH BLOCK}"
#: What no text has of which blanks and ends of lines do nothing but part the words.
_UNEVEN: Final = ("  ", " \n", "\n ", BLANK)
#: A word with the blanks before it, or those at the end of a line.
_WORD: Final = re.compile(" *[^ ]+| +")
#: What stands between pieces that are searched together: no word and no blank.
_BETWEEN: Final = "\0"
#: Characters of pieces that are kept, and rows that a table has room for at first.
_MOST_KEPT: Final = 400_000
_FIRST_ROWS: Final = 1_024


class Written:
    """A text as its pieces: those that begin a line have its end before them."""

    def __init__(self, kept: _Kept, numbers: NDArray[np.intp]) -> None:
        self._kept = kept
        self._numbers = numbers
        self._found: dict[re.Pattern[str] | Tell, int] = {}

    @cached_property
    def _distinct(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The numbers of the different pieces, and how often each stands there."""
        return different(self._numbers)

    def rows(self, tell: Tell, dtype: DTypeLike, *shape: int) -> NDArray[Any]:
        """Return what is told of each piece, in order: numbers, or arrays of one shape."""
        told = self._kept.column(tell, tell, dtype, shape).of(self._distinct[0])
        found: NDArray[Any] = told.take(self._numbers, axis=0)
        return found

    def total(self, tell: Tell, dtype: DTypeLike, *shape: int) -> NDArray[Any]:
        """Return what is told of all pieces, added up."""
        numbers, counts = self._distinct
        told = self._kept.column(tell, tell, dtype, shape).of(numbers).take(numbers, axis=0)
        found: NDArray[Any] = np.tensordot(counts, told, axes=1)
        return found

    def count(self, what: re.Pattern[str] | Tell) -> int:
        """Return how often a pattern, which finds nothing beyond a piece, or what else is counted is in all of them."""
        found = self._found.get(what)
        if found is None:
            numbers, counts = self._distinct
            tell = partial(numbers_in, what) if isinstance(what, re.Pattern) else what
            told = self._kept.column(what, tell, np.intp, ()).of(numbers)
            found = self._found[what] = int(counts @ told[numbers])
        return found

    def joined(self, tell: TellSeveral, dtype: DTypeLike) -> NDArray[Any]:
        """Return what is told of each piece, however many there are of it, one after the other."""
        return self._kept.lists(tell, dtype).joined(self._numbers, self._distinct[0])[0]

    def texts(self, tell: Callable[[Sequence[str]], Sequence[str]]) -> str:
        """Return the texts that are told of the pieces, one after the other."""
        return "".join(self.rows(tell, np.object_).tolist())


def words_in(word: re.Pattern[str], pieces: Iterable[str]) -> list[Sequence[str]]:
    """Return the words of each of some pieces, as a pattern of one finds them; it takes letters alone for one word.

    >>> [list(words) for words in words_in(re.compile("[a-z]+"), ["kites", "kite-flying"])]
    [['kites'], ['kite', 'flying']]
    """
    # Most pieces are a word and nothing else, and need not be searched.
    return [(piece,) if piece.isalpha() else word.findall(piece) for piece in pieces]


def numbers_in(pattern: re.Pattern[str], pieces: Sequence[str]) -> NDArray[np.intp]:
    """Return how often a pattern is found in each of some pieces."""
    starts = [found.start() for found in pattern.finditer(_BETWEEN.join(pieces))]
    # Most patterns are in none of a few pieces.
    if not starts:
        return np.zeros(len(pieces), dtype=np.intp)
    return np.bincount(_places_of(starts, pieces), minlength=len(pieces))


def different(keys: NDArray[_Key]) -> tuple[NDArray[_Key], NDArray[np.intp]]:
    """Return what is among some numbers, ascending, and how often: of few sooner than `numpy.unique` does."""
    ordered = np.sort(keys)
    is_last = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_last[:-1])
    lasts = is_last.nonzero()[0]
    counts = lasts + 1
    counts[1:] -= counts[:-1].copy()
    return ordered[lasts], counts


def _places_of(starts: list[int], pieces: Sequence[str]) -> NDArray[np.intp]:
    """Return in which of some pieces that are searched together each of some places is."""
    lengths = np.fromiter(map(len, pieces), np.intp, len(pieces))
    return np.cumsum(lengths + len(_BETWEEN)).searchsorted(np.array(starts, dtype=np.intp), side="right")


def passing(text: str) -> Written:
    r"""Return the pieces of a text about which nobody asks again.

    >>> passing("Kites fly,\nmostly").texts(lambda pieces: list(map(str.upper, pieces)))
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

    def lists(self, tell: TellSeveral, dtype: DTypeLike) -> tuple[NDArray[Any], NDArray[np.intp]]:
        """Return what is told of the pieces of all texts, one after the other, and how much of it each text has."""
        found, lengths = self._kept.lists(tell, dtype).joined(self._numbers, different(self._numbers)[0])
        return found, np.diff(np.append(0, np.cumsum(lengths))[self._ends], prepend=0)

    def texts(self, tell: Callable[[Sequence[str]], Sequence[str]]) -> list[str]:
        """Return for each text what is told of its pieces, one after the other."""
        told = self._kept.column(tell, tell, np.object_, ()).of(different(self._numbers)[0])[self._numbers].tolist()
        ends = self._ends.tolist()
        return ["".join(told[begin:end]) for begin, end in zip((0, *ends), ends, strict=False)]


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
        self._pieces: list[str] = []
        self._characters = 0
        #: One that is asked for first gets the next.
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)
        self._columns: dict[Hashable, _Column] = {}
        self._lists: dict[TellSeveral, _Lists] = {}

    @property
    def is_full(self) -> bool:
        """Whether no more is to be kept here."""
        return self._characters > _MOST_KEPT

    def numbers_of(self, pieces: Sequence[str]) -> NDArray[np.intp]:
        """Return the number of each piece."""
        # Held once for all: to take it for each that is new takes as long as to number them.
        with self._lock:
            found = np.fromiter(map(self._numbers.__getitem__, pieces), np.intp, len(pieces))
            # Those that are new have the last numbers.
            new = list(islice(reversed(self._numbers), len(self._numbers) - len(self._pieces)))
            self._pieces.extend(reversed(new))
            self._characters += sum(map(len, new))
        return found

    def column(self, key: Hashable, tell: Tell, dtype: DTypeLike, shape: tuple[int, ...]) -> _Column:
        """Return what is told of one piece each."""
        found = self._columns.get(key)
        if found is None:
            found = self._columns.setdefault(key, _Column(self._lock, self._pieces, tell, dtype, shape))
        return found

    def lists(self, tell: TellSeveral, dtype: DTypeLike) -> _Lists:
        """Return what is told of pieces, several of each."""
        found = self._lists.get(tell)
        if found is None:
            found = self._lists.setdefault(tell, _Lists(self._lock, self._pieces, tell, dtype))
        return found


class _Column:
    """What is told of pieces, a row each; found where it is first asked for, for all others as well who ask."""

    def __init__(
        self,
        lock: RLock,
        pieces: Sequence[str],
        tell: Callable[[Sequence[str]], Any],
        dtype: DTypeLike,
        shape: tuple[int, ...],
    ) -> None:
        self._lock = lock
        self._pieces = pieces
        self._tell = tell
        self._is_told = np.zeros(_FIRST_ROWS, dtype=np.bool_)
        self._rows = np.zeros((_FIRST_ROWS, *shape), dtype=dtype)

    def of(self, numbers: NDArray[np.intp]) -> NDArray[Any]:
        """Return the rows of all pieces, those of some different ones of which are told."""
        # To count takes a fraction of the time that it takes to ask whether all are told.
        if len(self._is_told) < len(self._pieces) or np.count_nonzero(self._is_told[numbers]) < len(numbers):
            with self._lock:
                number = len(self._pieces)
                self._rows = _with_room(self._rows, number)
                is_told = _with_room(self._is_told, number)
                untold = numbers[~is_told[numbers]]
                if len(untold):
                    self._rows[untold] = self._rows_of(self._tell(list(map(self._pieces.__getitem__, untold.tolist()))))
                    is_told[untold] = True
                # Last, for others look at it first.
                self._is_told = is_told
        return self._rows

    def _rows_of(self, told: Any) -> Any:
        """Return the rows of what is told of some pieces."""
        return told


class _Lists(_Column):
    """What is told of pieces, several of each: where it ends in all that is told, and how long it is."""

    def __init__(self, lock: RLock, pieces: Sequence[str], tell: TellSeveral, dtype: DTypeLike) -> None:
        super().__init__(lock, pieces, tell, np.intp, (2,))
        self._end = 0
        self._content = np.zeros(_FIRST_ROWS, dtype=dtype)

    def joined(self, numbers: NDArray[np.intp], distinct: NDArray[np.intp]) -> tuple[NDArray[Any], NDArray[np.intp]]:
        """Return what is told of some pieces, one after the other, and how much of it of each."""
        # A tenth of the time that it takes to choose rows by an index.
        rows = self.of(distinct).take(numbers, axis=0)
        lengths = rows[:, 1]
        after = lengths.cumsum()
        if not len(after) or not after[-1]:
            return self._content[:0], lengths
        # Where in all that is told each ends, less where it ends in what is returned.
        return self._content[(rows[:, 0] - after).repeat(lengths) + np.arange(after[-1])], lengths

    def _rows_of(self, told: tuple[Sequence[Any] | NDArray[Any], NDArray[np.intp]]) -> Any:
        """Keep what is told of some pieces, and return where that of each ends, and how long it is."""
        found, lengths = told
        ends = self._end + np.cumsum(lengths)
        self._content = _with_room(self._content, int(ends[-1]))
        self._content[self._end : ends[-1]] = found
        self._end = int(ends[-1])
        return np.stack([ends, lengths], axis=1)


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
