"""How near a text is to each entry of a knowledge file.

Two kinds of evidence are added: the cosine between the text's vector and the mean vector of the entry's terms (both
without what all entries have in common), and the entry's terms that literally stand in the text, rare terms counting
more.
"""

from __future__ import annotations

import csv
import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.service.embedding import DIMENSIONS, load_embedder, normalized

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Entry", "Matcher", "knowledge_rows", "words_of"]

_WORD: Final = re.compile(r"[^\W_]+(?:['’&.+-][^\W_]+)*\+*")
_LONGEST_TERM: Final = 3
_PLURAL_FROM: Final = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a knowledge file: its identifier, its name and its terms."""

    id: str
    name: str
    terms: tuple[str, ...]


def knowledge_rows(name: str) -> list[dict[str, str]]:
    """Read a tab-separated knowledge file."""
    with files("toolkit.service.knowledge").joinpath(name).open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded so that singular and plural meet.

    Examples
    --------
    >>> words_of("Hiking Boots, men’s")
    ['hiking', 'boot', "men's"]
    """
    return list(_folded_words(text))


class Matcher:
    """Scores texts against entries.

    Parameters
    ----------
    entries : sequence of Entry
        What to score against. An entry's name counts as one of its terms.

    Attributes
    ----------
    ids : list of str
        Identifiers of the entries, in order.
    index : dict of str to int
        Position of each identifier.
    vectors : ndarray of float32, shape (entries, DIMENSIONS)
        Mean of each entry's terms, unit length, not centred.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.ids = [entry.id for entry in entries]
        self.index = {identifier: position for position, identifier in enumerate(self.ids)}
        self.vectors = _mean_vectors(entries)
        self._mean = self.vectors.mean(axis=0)
        self._centred = normalized(self.vectors - self._mean)
        self._lexicon = _lexicon(entries)

    def similarity(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the centred cosine of unit vectors with each entry, shape (len(vectors), entries)."""
        centred = normalized(vectors - self._mean * (np.linalg.norm(vectors, axis=1, keepdims=True) > 0))
        found: NDArray[np.float32] = centred @ self._centred.T
        return found

    def literal(self, text: str) -> NDArray[np.float32]:
        """Return the evidence of terms that literally stand in a text, for each entry, 0 to about 1."""
        words = _folded_words(text)
        found = self._hits(words)
        scores = np.zeros(len(self.ids), dtype=np.float32)
        scale = math.sqrt(max(len(words), 60))
        for term, count in found.items():
            owners, weight = self._lexicon[term]
            scores[owners] += weight * math.log1p(count) / scale
        return np.tanh(scores)

    def _hits(self, words: Sequence[str]) -> Counter[str]:
        found: Counter[str] = Counter()
        for length in range(1, _LONGEST_TERM + 1):
            grams = words if length == 1 else map(" ".join, zip(*(words[n:] for n in range(length)), strict=False))
            found.update(gram for gram in grams if gram in self._lexicon)
        return found


def _mean_vectors(entries: Sequence[Entry]) -> NDArray[np.float32]:
    texts = [text for entry in entries for text in (entry.name, *entry.terms)]
    owners = np.repeat(np.arange(len(entries)), [1 + len(entry.terms) for entry in entries])
    sums = np.zeros((len(entries), DIMENSIONS), dtype=np.float32)
    np.add.at(sums, owners, load_embedder().embed(texts))
    return normalized(sums)


def _lexicon(entries: Sequence[Entry]) -> dict[str, tuple[list[int], float]]:
    owners: defaultdict[str, set[int]] = defaultdict(set)
    for position, entry in enumerate(entries):
        for term in (entry.name, *entry.terms):
            words = words_of(term)
            if 1 <= len(words) <= _LONGEST_TERM:
                owners[" ".join(words)].add(position)
    # A term shared by many entries tells little; a phrase tells more than a word.
    return {
        term: (sorted(positions), math.sqrt(term.count(" ") + 1) / len(positions)) for term, positions in owners.items()
    }


@lru_cache(maxsize=16)
def _folded_words(text: str) -> tuple[str, ...]:
    return tuple(_folded(word) for word in _WORD.findall(text.lower().replace("’", "'")))


def _folded(word: str) -> str:
    if len(word) >= _PLURAL_FROM and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")):
        return word[:-1]
    return word
