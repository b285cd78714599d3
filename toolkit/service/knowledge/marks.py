"""Texts without which a pattern cannot match, so that one look at a page spares the search for nearly all patterns.

A page is asked for hundreds of patterns, and nearly all of them are not there. A look at which runs of four characters
a page has at all leaves a handful; a search of all patterns would take longer than all the rest that is done with it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["Marks", "alternatives_of", "fixed_texts"]

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
_LEAST: Final = 3
#: Texts that a match has, in this order; of what stands between them nothing is known.
_Way: TypeAlias = tuple[str, ...]
#: Ways to match a pattern beyond which what a group says is passed over.
_MOST_WAYS: Final = 40
_ANYTHING: Final[list[_Way]] = [("", "")]
#: Characters of a run, places that runs are spread over, how, and the place beside them that is always taken.
_RUN: Final = 4
_PLACES: Final = 1 << 18
_SPREAD: Final = np.uint32(2_654_435_761)
_SHIFT: Final = np.uint32(32 - 18)
_ALWAYS: Final = _PLACES


def fixed_texts(pattern: str) -> tuple[tuple[str, ...], ...]:
    r"""Return for each way to match a pattern the texts that must stand where it is to match, letter case aside.

    They are in lower case, longest first. What may be left out, character sets and assertions say nothing. A way to
    match that needs no text has none.

    >>> fixed_texts(r"cdn\.(?:eu\.)?kites\.com/\d+|kitesx?\(")
    (('kites.com/', 'cdn.'), ('kites',))
    >>> fixed_texts(r"//(?:cdn|js)\.kites\.com")
    (('//cdn.kites.com',), ('//js.kites.com',))
    """
    return tuple(
        tuple(sorted({run.lower() for run in runs if len(run) >= _LEAST}, key=lambda run: (-len(run), run)))
        for runs in _ways(_PART.finditer(pattern))
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
        # Each way begins with the place that is always taken, so that one without texts is open everywhere.
        places = [np.concatenate([[_ALWAYS], *map(_places, texts)]) for _, texts in ways]
        self._positions = np.array([position for position, _ in ways], dtype=np.intp)
        self._starts = np.cumsum([0, *map(len, places)], dtype=np.intp)[:-1]
        self._places = np.concatenate([np.empty(0, dtype=np.intp), *places])

    def candidates(self, text: str) -> list[int]:
        """Return the positions of the lists that a text in lower case may have all texts of a way of, ascending.

        None is left out that has them; a few may be there that have not.

        >>> Marks([fixed_texts("kites"), fixed_texts("dragons")]).candidates("fly kites")
        [0]
        """
        taken = np.zeros(_PLACES + 1, dtype=bool)
        taken[_ALWAYS] = True
        taken[_places(text)] = True
        is_open = np.logical_and.reduceat(taken[self._places], self._starts)
        return sorted(set(self._positions[is_open].tolist()))


def _places(text: str) -> NDArray[np.intp]:
    """Return the place of each run of characters of a text."""
    content = text.encode("ascii", "replace")
    runs = np.ndarray((max(len(content) - _RUN + 1, 0),), dtype="<u4", buffer=content, strides=(1,))
    # Taken as indices, which NumPy would make of them piece by piece.
    found: NDArray[np.intp] = ((runs * _SPREAD) >> _SHIFT).astype(np.intp)
    return found


def _ways(parts: Iterator[re.Match[str]]) -> list[_Way]:
    """Return the ways to match what is left of a pattern, up to the end of its group."""
    found: list[_Way] = []
    # The parts of an alternative, each by the ways to match it.
    sequence: list[list[_Way]] = []
    for part in parts:
        kind = part.lastgroup
        if kind == "open":
            inside = _ways(parts)
            sequence.append(inside if part["open"] in ("(", "(?:") else _ANYTHING)
        elif kind == "close":
            break
        elif kind == "bar":
            found += _in_a_row(sequence)
            sequence = []
        elif kind == "repeated":
            if part["repeated"][0] != "+":
                sequence.pop()  # it may stand there no time at all
            sequence.append(_ANYTHING)
        else:
            sequence.append([(part[kind],)] if kind in ("itself", "escaped") else _ANYTHING)
    return list(dict.fromkeys([*found, *_in_a_row(sequence)]))


def _in_a_row(sequence: Iterable[list[_Way]]) -> list[_Way]:
    """Return the ways to match parts that stand one after the other."""
    found: list[_Way] = [("",)]
    for ways in sequence:
        known = ways if len(found) * len(ways) <= _MOST_WAYS else _ANYTHING
        found = [(*before[:-1], before[-1] + after[0], *after[1:]) for before in found for after in known]
    return found
