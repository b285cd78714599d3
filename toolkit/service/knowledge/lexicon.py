"""Which terms of a knowledge file stand in a text, and how much each tells of its entries."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from importlib.resources import files
from itertools import chain, filterfalse, islice
from threading import Lock
from typing import TYPE_CHECKING, Final
from unicodedata import combining, normalize

import numpy as np

from toolkit.service.knowledge.pieces import different, words_in, written

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from numpy.typing import NDArray

__all__ = [
    "COLOURING",
    "Entry",
    "Lexicon",
    "Terms",
    "accentless",
    "colouring_words",
    "count_terms",
    "count_words",
    "knowledge_rows",
    "knowledge_words",
    "word_spans",
    "words_of",
]

#: The table of words that colour a text and do not tell what it is about.
COLOURING: Final = "colouring.tsv"
_WORD: Final = re.compile(r"[^\W_]+(?:['’&.+-][^\W_]+)*\+*")
_LONGEST_TERM: Final = 3
_PLURAL_FROM: Final = 4
#: A term weighs less in a longer text, but no more in one shorter than this.
_FEW_WORDS: Final = 60
#: How often each of an entry's terms stands in a page about it, as a share of the page's words, and how much a repeated
#: term counts; set on the development pages.
_RATE: Final = 2.5e-4
_REPEATED: Final = 0.7
#: What the key of a phrase is multiplied by before that of its next word is added.
_MIXED: Final = np.uint64(0x9E3779B97F4A7C15)
#: Bits of a key, and by how many its beginning has more than it takes to number all terms.
_BITS: Final = 64
_ROOM: Final = 3
#: Bits of the beginnings of the keys of all lexicons, and of those of the small tables.
_BEGINNING: Final = 21
_BEGINNING_OF_SMALL: Final = 19
#: A digest that is begun: to copy it takes less time than to begin another one.
_DIGESTED: Final = blake2b(digest_size=8)
#: How often a phrase stands in any page.
_PHRASE_FREQUENCY: Final = 3e-6


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a knowledge file."""

    #: Its identifier, and its name, which counts as one of its terms.
    id: str
    name: str
    #: Words and phrases that say what it is about.
    terms: tuple[str, ...]
    #: Further words and phrases of pages about it, instances of it among them. They are looked for in a text, but are
    #: no part of what the entry means.
    words: tuple[str, ...] = ()


def accentless(word: str) -> str:
    """Return a word without accents.

    >>> accentless("éclair à la crème")
    'eclair a la creme'
    """
    return word if word.isascii() else "".join(filterfalse(combining, normalize("NFKD", word)))


def knowledge_rows(name: str) -> list[dict[str, str]]:
    """Read a tab-separated knowledge file, in which no cell holds a tab or goes over lines."""
    text = files("toolkit.service.knowledge").joinpath(name).read_text(encoding="utf-8")
    columns, *rows = (line.split("\t") for line in text.removesuffix("\n").split("\n"))
    return [dict(zip(columns, row, strict=True)) for row in rows]


@cache
def knowledge_words(name: str) -> frozenset[str]:
    """Return the words of a file of the knowledge, one a line."""
    return frozenset(files("toolkit.service.knowledge").joinpath(name).read_text(encoding="utf-8").split())


@cache
def colouring_words() -> frozenset[str]:
    """Return the words that only colour a text: names of places and firms, words of platforms and of screens."""
    return frozenset(word for row in knowledge_rows(COLOURING) for word in row["words"].split("; "))


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded so that singular and plural meet.

    >>> words_of("Hiking Boots, men’s")
    ['hiking', 'boot', "men's"]
    """
    return list(map(_folded, _WORD.findall(text)))


def count_words(text: str) -> int:
    """Return the number of the words of a text.

    >>> count_words("Hiking Boots, men’s")
    3
    """
    return len(_word_keys(text))


def word_spans(text: str) -> list[tuple[int, int, str]]:
    """Return start, end and folded form of each word of a text, in order."""
    return [(*found.span(), _folded(found[0])) for found in _WORD.finditer(text)]


def count_terms(terms: frozenset[str], *texts: str) -> dict[str, int]:
    """Count the mentions in some texts of those terms that stand in them.

    Terms are as `words_of` folds them, joined by spaces; those of more than three words are never found.

    >>> count_terms(frozenset({"shoe", "boot"}), "Trail shoes", "Road shoes")
    {'shoe': 2}
    """
    known, counts = _terms(terms).by_key, _phrase_counts(_anywhere.number, *texts)
    # Of hundreds on both sides a few are common to them, in the order of the keys.
    return {known[key]: counts[key] for key in sorted(known.keys() & counts.keys())}


class _Anywhere:
    """The beginnings of the keys of several lexicons, each of some bits, which most phrases of a page have not."""

    def __init__(self, bits: int) -> None:
        self._lock = Lock()
        self._begins = np.zeros(1 << bits, dtype=np.bool_)
        self._shift = np.uint64(_BITS - bits)
        #: How many lexicons there are.
        self.number = 0

    def add(self, keys: NDArray[np.uint64]) -> None:
        """Add the keys of a lexicon."""
        with self._lock:
            self._begins[(keys >> self._shift).astype(np.intp)] = True
            # Last, for what was found among fewer lexicons is then found anew.
            self.number += 1

    def may_have(self, keys: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Tell of each of some keys whether it may be in a lexicon."""
        return self._begins[(keys >> self._shift).astype(np.intp)]


_anywhere: Final = _Anywhere(_BEGINNING)
#: Those of small tables alone: of what a page says that is anywhere, a fraction is there.
_in_small: Final = _Anywhere(_BEGINNING_OF_SMALL)


class Terms:
    """Terms by their keys: numbers of 64 bits that are made from their words, and so are those of phrases of a text.

    That two phrases have the same key is as good as impossible; to look up the numbers of all phrases of a page at once
    takes a fraction of the time that it takes to look up the phrases.
    """

    def __init__(self, joined: bytes, keys: NDArray[np.uint64]) -> None:
        #: The terms, a line each, and the key of each, ascending.
        self.joined = joined
        self.keys = keys
        _anywhere.add(keys)

    @classmethod
    def of(cls, terms: Collection[str]) -> Terms:
        """Make the keys of terms as `words_of` folds them; one of more than three words is never found in a text."""
        words = [term.split(" ") for term in terms]
        keys = np.zeros(len(words), dtype=np.uint64)
        for place in range(max(map(len, words), default=0)):
            here = [row for row, term in enumerate(words) if len(term) > place]
            own = np.frombuffer(b"".join(_digest(words[row][place]) for row in here), dtype="<u8")
            keys[here] = keys[here] * _MIXED + own
        order = np.argsort(keys)
        spelt = list(terms)
        return cls("\n".join(spelt[row] for row in order.tolist()).encode(), keys[order])

    @cached_property
    def terms(self) -> list[str]:
        """The terms, in order."""
        return self.joined.decode().split("\n")

    @cached_property
    def by_key(self) -> dict[int, str]:
        """The terms by their keys."""
        return dict(zip(self.keys.tolist(), self.terms, strict=False))

    def among(self, *texts: str) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the numbers of the terms that stand in some texts, and of their mentions."""
        keys, counts = _phrase_keys(_anywhere.number, *texts)
        rows, places = self.rows_of(keys)
        return rows, counts[places]

    def rows_of(self, keys: NDArray[np.uint64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the numbers of the terms with one of some keys, and where among these each is."""
        # Most phrases of a page are no terms, and most of these have a beginning that no term's key has.
        beginnings, shift = self._beginnings
        near = beginnings[(keys >> shift).astype(np.intp)].nonzero()[0]
        rows, places = _shared(self.keys, keys[near])
        return rows, near[places]

    @cached_property
    def _beginnings(self) -> tuple[NDArray[np.bool_], np.uint64]:
        """Which beginnings the keys have, each of some bits, and how many bits follow them."""
        bits = len(self.keys).bit_length() + _ROOM
        found, shift = np.zeros(1 << bits, dtype=np.bool_), np.uint64(_BITS - bits)
        found[(self.keys >> shift).astype(np.intp)] = True
        return found, shift


class Lexicon:
    """The terms of all entries, folded, with how much each tells of which.

    A term weighs as much as it is more frequent in pages about its entry than in any page: the logarithm of the ratio.
    Of a term that several entries have each gets less: `weights` holds what each of its owners gets. The positions of
    the entries that have term `n` are ``owners[starts[n]:starts[n + 1]]``, ascending. Terms that only colour a text
    (`colours`: places, platforms, what stands on a screen, firms) tell of an entry no more than its other terms do.
    """

    def __init__(
        self,
        size: int,
        terms: Terms,
        starts: NDArray[np.int32],
        owners: NDArray[np.int16],
        weights: NDArray[np.float32],
        *,
        colours: NDArray[np.bool_],
    ) -> None:
        self.size = size
        self.terms = terms
        self.starts = starts
        self.owners = owners
        self.weights = weights
        self.colours = colours

    @classmethod
    def built(
        cls, entries: Sequence[Entry], frequency_of: Callable[[str], float], colouring: Collection[str] = ()
    ) -> Lexicon:
        """Build the lexicon of some entries.

        `frequency_of` a word is its share of all words of any page; `colouring` are words that only colour a text.
        """
        owners: defaultdict[str, list[int]] = defaultdict(list)
        frequencies: defaultdict[str, float] = defaultdict(float)
        for position, entry in enumerate(entries):
            for term, spelling in _looked_for(entry):
                owners[term].append(position)
                frequency = _PHRASE_FREQUENCY if " " in term else frequency_of(spelling)
                frequencies[term] = max(frequencies[term], frequency)
        terms = Terms.of(owners)
        positions = [np.array(owners[term], dtype=np.int16) for term in terms.terms]
        numbers = np.array([len(each) for each in positions])
        weights = np.log1p(_RATE / np.array([frequencies[term] for term in terms.terms])) / np.sqrt(numbers)
        colours = frozenset(" ".join(words_of(word)) for word in colouring)
        return cls(
            size=len(entries),
            terms=terms,
            starts=np.concatenate([[0], np.cumsum(numbers)]).astype(np.int32),
            owners=np.concatenate(positions),
            weights=weights.astype(np.float32),
            colours=np.array([term in colours for term in terms.terms], dtype=np.bool_),
        )

    def evidence(self, text: str) -> NDArray[np.float64]:
        """Return what the terms that stand in a text tell of each entry, added up; 0 where none does."""
        found = _mentions(self, text)
        amounts = self.weights[found.rows] * (self._scale(text) * found.counts**_REPEATED)
        places = found.owners + self.size * self.colours[found.rows].repeat(found.shared_by)
        both = np.bincount(places, amounts.repeat(found.shared_by), 2 * self.size).astype(np.float64)
        told, coloured = both[: self.size], both[self.size :]
        evidence: NDArray[np.float64] = told + np.minimum(told, coloured)
        return evidence

    def told(self, text: str, position: int) -> dict[str, float]:
        """Return the terms of one entry that stand in a text, with their parts of its evidence."""
        scale, found = self._scale(text), _mentions(self, text)
        own = np.repeat(np.arange(len(found.rows)), found.shared_by)[found.owners == position]
        rows, colours = found.rows[own], self.colours[found.rows[own]]
        amounts = self.weights[rows] * (scale * found.counts[own] ** _REPEATED)
        told, coloured = float(amounts[~colours].sum()), float(amounts[colours].sum())
        amounts[colours] *= min(told / coloured, 1.0) if coloured else 1.0
        return {self.terms.terms[row]: amount for row, amount in zip(rows.tolist(), amounts.tolist(), strict=True)}

    def named(self, *texts: str) -> set[int]:
        """Return the positions of the entries of which a term stands in one of some texts."""
        return set(_mentions(self, *texts).owners.tolist())

    def spoken(self, *texts: str) -> dict[str, list[int]]:
        """Return the terms that stand in one of some texts, and the positions of the entries that have each."""
        found = _mentions(self, *texts)
        terms, owners = self.terms.terms, iter(found.owners.tolist())
        numbers = zip(found.rows.tolist(), found.shared_by.tolist(), strict=True)
        return {terms[row]: list(islice(owners, number)) for row, number in numbers}

    def coverage(self, *texts: str) -> float:
        """Return the share of the different words of some texts that are terms by themselves, and more than colour."""
        words = different(np.concatenate([_word_keys(text) for text in texts]))[0]
        return float((~self.colours[self.terms.rows_of(words)[0]]).sum()) / len(words) if len(words) else 0.0

    def places(self, text: str, terms: Collection[str]) -> dict[str, tuple[tuple[int, int], ...]]:
        """Return where in a text each of some terms stands: start and end of every mention."""
        spans = word_spans(text)
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for length in range(1, _LONGEST_TERM + 1):
            for at in range(len(spans) - length + 1):
                term = " ".join(word for *_, word in spans[at : at + length])
                if term in terms:
                    found[term].append((spans[at][0], spans[at + length - 1][1]))
        return {term: tuple(places) for term, places in found.items()}

    @staticmethod
    def _scale(text: str) -> float:
        return 1 / math.sqrt(max(len(_word_keys(text)), _FEW_WORDS))


def _looked_for(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield an entry's terms that are short enough to be looked for, folded and as they are spelt, each once."""
    seen: set[str] = set()
    for spelling in (entry.name, *entry.terms, *entry.words):
        folded = _folded(spelling) if spelling.isalpha() else " ".join(words_of(spelling))
        if folded and folded not in seen and folded.count(" ") < _LONGEST_TERM:
            seen.add(folded)
            yield folded, spelling


@dataclass(frozen=True, slots=True)
class _Mentions:
    """The terms of a lexicon that stand in some texts."""

    #: Number of each term, and of its mentions.
    rows: NDArray[np.intp]
    counts: NDArray[np.intp]
    #: How many entries have each term, and which, one after the other.
    shared_by: NDArray[np.int32]
    owners: NDArray[np.int16]


# A page is asked for what its terms tell, and for what they name.
@lru_cache(maxsize=32)
def _mentions(lexicon: Lexicon, *texts: str) -> _Mentions:
    rows, numbers = lexicon.terms.among(*texts)
    first = lexicon.starts[rows]
    shared_by = lexicon.starts[rows + 1] - first
    after = shared_by.cumsum()
    places = (first - after + shared_by).repeat(shared_by) + np.arange(after[-1] if len(after) else 0)
    return _Mentions(rows, numbers, shared_by, lexicon.owners[places])


# Several matchers ask about the same page; what they share is computed once.
@lru_cache(maxsize=32)
def _phrase_keys(number: int, *texts: str) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
    """Return the keys of those phrases of texts that may be terms of a lexicon, ascending, and how often each is there.

    They are found anew when there are more lexicons.
    """
    return different(np.concatenate([_phrases_anywhere(number, text) for text in texts]))


# The main text is asked about by itself, and beside the title.
@lru_cache(maxsize=32)
def _phrases_anywhere(_: int, text: str) -> NDArray[np.uint64]:
    words = _word_keys(text)
    found = [words]
    for length in range(1, _LONGEST_TERM):
        found.append(found[-1][:-1] * _MIXED + words[length:])
    keys = np.concatenate(found)
    return keys[_anywhere.may_have(keys)]


# Small tables are asked for the same few texts, which takes as long as to make arrays of what is found.
@lru_cache(maxsize=32)
def _phrase_counts(number: int, *texts: str) -> dict[int, int]:
    """Return how often each phrase of texts is there that may be a term of a small table, by its key."""
    keys, counts = _phrase_keys(number, *texts)
    here = _in_small.may_have(keys)
    return dict(zip(keys[here].tolist(), counts[here].tolist(), strict=True))


@lru_cache(maxsize=32)
def _word_keys(text: str) -> NDArray[np.uint64]:
    return written(text).joined(_keys, np.uint64)


def _keys(pieces: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
    """Return the keys of the words of pieces of text, and how many each has."""
    words = words_in(_WORD, pieces)
    keys = np.frombuffer(b"".join(map(_key, chain.from_iterable(words))), dtype="<u8")
    return keys, np.fromiter(map(len, words), np.intp, len(words))


def _shared(some: NDArray[np.uint64], others: NDArray[np.uint64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return where in some keys and where in others those stand that are in both; both have each once, ascending."""
    if len(some) < len(others):
        there, here = _shared(others, some)
        return here, there
    places = some.searchsorted(others)
    # What is greater than all is nowhere.
    inside = places[: places.searchsorted(len(some))]
    found = (some[inside] == others[: len(inside)]).nonzero()[0]
    return inside[found], found


@lru_cache(maxsize=50_000)
def _key(word: str) -> bytes:
    return _digest(_as_folded(word))


def _digest(folded: str) -> bytes:
    found = _DIGESTED.copy()
    found.update(folded.encode("utf-8", "surrogatepass"))
    return found.digest()


@lru_cache(maxsize=32)
def _terms(terms: frozenset[str]) -> Terms:
    found = Terms.of(terms)
    _in_small.add(found.keys)
    return found


@lru_cache(maxsize=50_000)
def _folded(word: str) -> str:
    return _as_folded(word)


def _as_folded(word: str) -> str:
    word = word.lower()
    if not word.isascii():
        # Accents are often left out: jalapeño, jalapeno.
        word = accentless(word.replace("’", "'"))
    if len(word) >= _PLURAL_FROM and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")):
        return word[:-1]
    return word
