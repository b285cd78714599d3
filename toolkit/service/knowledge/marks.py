"""Texts without which a pattern cannot match, so that one look at a page spares the search for nearly all patterns.

A page is asked for hundreds of patterns, and nearly all of them are not there. A look at which runs of four characters
a page has at all leaves a handful; a search of all patterns would take longer than all the rest that is done with it.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["Marks", "alternatives_of", "fixed_texts", "may_match", "places_of", "standing_in"]

#: The parts of a pattern, as far as they matter here: what stands for itself, what repeats it, what holds parts.
_PART: Final = re.compile(
    r"\\(?P<escaped>[^A-Za-z0-9])"
    r"|(?P<repeated>[*+?]|\{(?:[0-9]+(?:,[0-9]*)?|,[0-9]+)\})[?+]?"
    r"|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])"
    r"|(?P<open>\((?:\?.)?)|(?P<close>\))|(?P<bar>\|)"
    r"|(?P<other>\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[0-9]{1,3}|.)|[.^$])"
    r"|(?P<itself>[^\\*+?{\[()|.^$]+(?![*+?{])|.)",
    re.DOTALL,
)
#: What stands for itself, as most patterns of some tables do.
_WORDS: Final = re.compile(r"[^\\*+?{\[()|.^$]+")
_LEAST: Final = 3
#: Texts that a match has, in this order; of what stands between them nothing is known.
_Way: TypeAlias = tuple[str, ...]
#: Ways to match a pattern beyond which what a group says is passed over; of one that is asked of many texts more.
_MOST_WAYS: Final = 40
_MOST_WAYS_OF_WORDS: Final = 1_000
#: Characters of a set, all of which are looked for.
_SMALL_SET: Final = re.compile(r"\[((?:[^\\\]\[^-]|\\[^A-Za-z0-9]){1,12})\]")
_OF_SET: Final = re.compile(r"\\?(.)")
_NAMED_GROUP: Final = re.compile(r"\(\?P<\w+>")
#: Characters that a pattern takes for the letters s and i, whose lower case is another.
_ODD_LETTERS: Final = "ſıİ"
_ANYTHING: Final[list[_Way]] = [("", "")]
#: Characters of a run, places that runs are spread over, how, and the place beside them that is always taken.
_RUN: Final = 4
_PLACES: Final = 1 << 18
_SPREAD: Final = np.uint32(2_654_435_761)
_SHIFT: Final = np.uint32(32 - 18)
_ALWAYS: Final = _PLACES
#: Bits of a place that are dropped for a text that is no page's source, and places that are left.
_FEWER: Final = 2
_FEWER_PLACES: Final = _PLACES >> _FEWER


def places_of(words: str, text: str, goes_on: re.Pattern[str], *, ending: str = "") -> Iterator[int]:
    r"""Yield where a text says words, as they stand or with an ending, and no longer word goes on behind them.

    >>> list(places_of("kite", "kites, a kite, kite-flying", re.compile(r"[\w-]"), ending="s"))
    [0, 9]
    """
    # Of many words that are looked for a page says a few: to compile patterns of them would take longer.
    start = text.find(words)
    while start >= 0:
        end = start + len(words)
        end += len(ending) if text.startswith(ending, end) else 0
        is_whole = not goes_on.match(text, end)
        if is_whole:
            yield start
        start = text.find(words, end if is_whole else start + 1)


def fixed_texts(pattern: str) -> tuple[tuple[str, ...], ...]:
    r"""Return for each way to match a pattern the texts that must stand where it is to match, letter case aside.

    They are in lower case, longest first. What may be left out, character sets and assertions say nothing. A way to
    match that needs no text has none.

    >>> fixed_texts(r"cdn\.(?:eu\.)?kites\.com/\d+|kitesx?\(")
    (('kites.com/', 'cdn.'), ('kites',))
    >>> fixed_texts(r"//(?:cdn|js)\.kites\.com")
    (('//cdn.kites.com',), ('//js.kites.com',))
    """
    return _needed(pattern, _LEAST, _MOST_WAYS)


def _needed(pattern: str, least: int, most: int, *, sets: bool = False) -> tuple[tuple[str, ...], ...]:
    """Return the texts, from a length on, of each of at most so many ways to match a pattern, one for each of a set."""
    if _WORDS.fullmatch(pattern):
        return ((pattern.lower(),),) if len(pattern) >= least else ((),)
    return tuple(
        tuple(sorted({run.lower() for run in runs if len(run) >= least}, key=lambda run: (-len(run), run)))
        for runs in _ways(_PART.finditer(pattern), most, sets=sets)
    )


def alternatives_of(pattern: str) -> tuple[str, ...]:
    """Return the patterns between which a pattern leaves the choice.

    >>> alternatives_of("(?:red|blue) kites?|dragons")
    ('(?:red|blue) kites?', 'dragons')
    """
    ends, depth = [-1], 0
    for part in _PART.finditer(pattern):
        depth += (part.lastgroup == "open") - (part.lastgroup == "close")
        if part.lastgroup == "bar" and not depth:
            ends.append(part.start())
    return tuple(pattern[start + 1 : end] for start, end in zip(ends, [*ends[1:], len(pattern)], strict=True))


class Marks:
    """Many lists of fixed texts, all looked for in a text at once."""

    def __init__(self, needed: Sequence[tuple[tuple[str, ...], ...]]) -> None:
        ways = [(position, texts) for position, alternatives in enumerate(needed) for texts in alternatives]
        self._ways = ways
        places, lengths = _places_of_ways([texts for _, texts in ways])
        # Each way begins with the place that is always taken, so that one without texts is open everywhere.
        first = lengths.cumsum() - lengths
        self._places = np.insert(places, first, _ALWAYS)
        self._starts = first + np.arange(len(first))

    def candidates(self, text: str) -> list[int]:
        """Return the positions of the lists that a text in lower case may have all texts of a way of, ascending.

        None is left out that has them; a few may be there that have not.

        >>> Marks([fixed_texts("kites"), fixed_texts("dragons")]).candidates("fly kites")
        [0]
        """
        return list(dict.fromkeys(position for position, _ in self.near(text)))

    def near(self, text: str) -> list[tuple[int, _Way]]:
        """Return the same with the texts of each way that may be there, in order."""
        taken = np.zeros(_PLACES + 1, dtype=bool)
        taken[_ALWAYS] = True
        taken[_places(text)] = True
        is_open = np.logical_and.reduceat(taken[self._places], self._starts)
        return [self._ways[place] for place in is_open.nonzero()[0].tolist()]


def may_match(pattern: re.Pattern[str], text: str) -> bool:
    """Tell whether a pattern may be in a text: whether all texts of a way to match it are there.

    >>> may_match(re.compile("kites? fl(?:y|ies)"), "Kites fly"), may_match(re.compile("kites? fl(?:y|ies)"), "Kites")
    (True, False)
    """
    needs, read = _needs(pattern), _read(text)
    return needs.is_open or read.is_odd or any(True for _ in needs.met(read))


def standing_in(text: str, words: tuple[str, ...]) -> list[str]:
    """Return those of some words in lower case that stand in a text, within others, too, in order.

    Their apostrophes are straight ones.

    >>> standing_in("Delivery is free", ("deliver", "free", "cart"))
    ['deliver', 'free']
    """
    return [needed for (needed,) in _all_needs(words).met(_read(text))]


class _Read:
    """A text as it is looked at for many patterns: in lower case, with the places of its runs."""

    def __init__(self, text: str) -> None:
        self.lowered = _plain(text)
        self.is_odd = not text.isascii() and any(letter in text for letter in _ODD_LETTERS)
        self.taken = np.zeros(_FEWER_PLACES, dtype=np.bool_)
        self.taken[_places(self.lowered) >> _FEWER] = True


def _plain(text: str) -> str:
    """Return a text in lower case, with one kind of apostrophe: some patterns are searched where it is the only one."""
    return text.lower().replace("’", "'")


# All patterns are asked of the same few texts of a page.
@lru_cache(maxsize=8)
def _read(text: str) -> _Read:
    return _Read(text)


class _Needs:
    """The texts that ways to match need: those with runs are found by these, which leave a few to be looked for."""

    def __init__(self, ways: Sequence[_Way]) -> None:
        self.is_open = not all(ways)
        self._ways = [tuple(map(_plain, way)) for way in ways]
        places, lengths = _places_of_ways([way for way in self._ways if way])
        self._marked = np.flatnonzero(lengths)
        self._unmarked = np.flatnonzero(lengths == 0).tolist()
        self._starts = (lengths.cumsum() - lengths)[self._marked]
        self._places = places >> _FEWER

    def met(self, read: _Read) -> Iterator[_Way]:
        """Yield the ways of which all texts are there, in order."""
        near = self._unmarked
        if len(self._marked):
            is_open = np.logical_and.reduceat(read.taken[self._places], self._starts)
            near = sorted([*near, *self._marked[is_open].tolist()])
        for position in near:
            if all(text in read.lowered for text in self._ways[position]):
                yield self._ways[position]


@cache
def _needs(pattern: re.Pattern[str]) -> _Needs:
    """Return what a pattern needs, which is not written over lines."""
    return _Needs(_needed(_NAMED_GROUP.sub("(", pattern.pattern), 1, _MOST_WAYS_OF_WORDS, sets=True))


@cache
def _all_needs(words: tuple[str, ...]) -> _Needs:
    return _Needs([(word,) for word in words])


def _places(text: str) -> NDArray[np.intp]:
    """Return the place of each run of characters of a text."""
    content = text.encode("ascii", "replace")
    runs = np.ndarray((max(len(content) - _RUN + 1, 0),), dtype="<u4", buffer=content, strides=(1,))
    # Taken as indices, which NumPy would make of them piece by piece.
    found: NDArray[np.intp] = ((runs * _SPREAD) >> _SHIFT).astype(np.intp)
    return found


def _places_of_ways(ways: Sequence[_Way]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the places of the runs of the texts of some ways, one after the other, and how many each way has."""
    lengths = np.array([len(text) for way in ways for text in way], dtype=np.intp)
    found = _places("".join(chain.from_iterable(ways)))
    # Runs over the end of a text are none.
    is_run = np.arange(len(found)) + _RUN <= lengths.cumsum().repeat(lengths)[: len(found)]
    runs = np.concatenate([[0], np.maximum(lengths - _RUN + 1, 0).cumsum()])
    bounds = np.array([0, *accumulate(map(len, ways))], dtype=np.intp)
    return found[is_run], np.diff(runs[bounds])


def _ways(parts: Iterator[re.Match[str]], most: int, *, sets: bool) -> list[_Way]:
    """Return the ways to match what is left of a pattern, up to the end of its group."""
    found: list[_Way] = []
    # The parts of an alternative, each by the ways to match it.
    sequence: list[list[_Way]] = []
    for part in parts:
        kind = part.lastgroup
        if kind == "open":
            inside = _ways(parts, most, sets=sets)
            sequence.append(inside if part["open"] in ("(", "(?:") else _ANYTHING)
        elif kind == "close":
            break
        elif kind == "bar":
            found += _in_a_row(sequence, most)
            sequence = []
        elif kind == "repeated":
            if part["repeated"][0] != "+":
                sequence.pop()  # it may stand there no time at all
            sequence.append(_ANYTHING)
        elif kind == "set" and sets and (found_set := _SMALL_SET.fullmatch(part["set"])):
            sequence.append([(character,) for character in _OF_SET.findall(found_set[1])])
        else:
            sequence.append([(part[kind],)] if kind in ("itself", "escaped") else _ANYTHING)
    return list(dict.fromkeys([*found, *_in_a_row(sequence, most)]))


def _in_a_row(sequence: Iterable[list[_Way]], most: int) -> list[_Way]:
    """Return the ways to match parts that stand one after the other."""
    found: list[_Way] = [("",)]
    for ways in sequence:
        known = ways if len(found) * len(ways) <= most else _ANYTHING
        found = [(*before[:-1], before[-1] + after[0], *after[1:]) for before in found for after in known]
    return found
