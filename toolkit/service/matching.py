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

from toolkit.service.embedding import load_embedder, normalized

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

__all__ = ["LITERAL_WEIGHT", "Entry", "Matcher", "count_terms", "knowledge_rows", "word_spans", "words_of"]

#: Weight of literal terms beside the vectors' similarity, set on the development pages.
LITERAL_WEIGHT: Final = 1.5

_WORD: Final = re.compile(r"[^\W_]+(?:['’&.+-][^\W_]+)*\+*")
_LONGEST_TERM: Final = 3
_PLURAL_FROM: Final = 4
#: A term weighs less in a longer text, but no more in one shorter than this.
_FEW_WORDS: Final = 60


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


def word_spans(text: str) -> list[tuple[int, int, str]]:
    """Return start, end and folded form of each word of a text, in order."""
    return [(*found.span(), _folded(found[0])) for found in _WORD.finditer(text)]


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
    mean : ndarray of float32, shape (DIMENSIONS,)
        Mean of `vectors`: what all entries have in common.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.ids = [entry.id for entry in entries]
        self.index = {identifier: position for position, identifier in enumerate(self.ids)}
        terms = sorted({term for entry in entries for term in (entry.name, *entry.terms)})
        vectors, rarities = load_embedder().embed_terms(terms)
        places = {term: place for place, term in enumerate(terms)}
        sums = [vectors[[places[term] for term in (entry.name, *entry.terms)]].sum(axis=0) for entry in entries]
        self.vectors = normalized(np.array(sums))
        self.mean = self.vectors.mean(axis=0)
        self._centred = normalized(self.vectors - self.mean)
        self._lexicon = _lexicon(entries, dict(zip(terms, rarities.tolist(), strict=True)))

    def similarity(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the centred cosine of unit vectors with each entry, shape (len(vectors), entries)."""
        centred = normalized(vectors - self.mean * (np.linalg.norm(vectors, axis=1, keepdims=True) > 0))
        found: NDArray[np.float32] = centred @ self._centred.T
        return found

    def direction(self, position: int) -> NDArray[np.float32]:
        """Return the centred unit vector of an entry, shape (DIMENSIONS,)."""
        found: NDArray[np.float32] = self._centred[position]
        return found

    def literal(self, text: str) -> NDArray[np.float32]:
        """Return the evidence of terms that literally stand in a text, for each entry, 0 to about 1."""
        words = len(_folded_words(text))
        scores = np.zeros(len(self.ids), dtype=np.float32)
        for term, count in count_terms(text, self._lexicon.keys()).items():
            owners, weight = self._lexicon[term]
            scores[owners] += _evidence(weight, count, words)
        return np.tanh(scores)

    def named(self, text: str) -> set[int]:
        """Return the positions of the entries of which a term stands in a text."""
        return {owner for term in count_terms(text, self._lexicon.keys()) for owner in self._lexicon[term][0]}

    def evidence(self, text: str, position: int) -> dict[str, float]:
        """Return the terms of an entry that stand in a text, with their parts of the sum that `literal` flattens."""
        words = len(_folded_words(text))
        return {
            term: _evidence(self._lexicon[term][1], count, words)
            for term, count in count_terms(text, self._lexicon.keys()).items()
            if position in self._lexicon[term][0]
        }

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

    def score(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the nearness of texts to each entry, shape (len(texts), entries): both kinds of evidence, added."""
        similarity = self.similarity(_vector(texts[0]) if len(texts) == 1 else load_embedder().embed(texts))
        literal = np.stack([self.literal(text) for text in texts])
        found: NDArray[np.float32] = similarity + LITERAL_WEIGHT * literal
        return found


def count_terms(text: str, terms: AbstractSet[str]) -> dict[str, int]:
    """Count the mentions of terms in a text.

    Parameters
    ----------
    text : str
        Any text.
    terms : set of str
        Terms of up to three words as `words_of` folds them, joined by spaces. Longer ones are never found.

    Returns
    -------
    dict of str to int
        Mentions of each term that stands in the text.

    Examples
    --------
    >>> count_terms("Trail shoes and road shoes", {"shoe", "boot"})
    {'shoe': 2}
    """
    counts = _phrase_counts(text)
    # Sorted, so that sums over terms come out alike in every process.
    return {term: counts[term] for term in sorted(terms & counts.keys())}


def _evidence(weight: float, count: int, words: int) -> float:
    return weight * math.log1p(count) / math.sqrt(max(words, _FEW_WORDS))


def _lexicon(entries: Sequence[Entry], rarities: dict[str, float]) -> dict[str, tuple[list[int], float]]:
    """Return the entries and the weight of each term that is short enough to be looked for."""
    owners: defaultdict[str, set[int]] = defaultdict(set)
    rarest: defaultdict[str, float] = defaultdict(float)
    for position, entry in enumerate(entries):
        for term in (entry.name, *entry.terms):
            words = words_of(term)
            if 1 <= len(words) <= _LONGEST_TERM:
                folded = " ".join(words)
                owners[folded].add(position)
                rarest[folded] = max(rarest[folded], rarities[term])
    # A term shared by many entries tells little, and a common word; a phrase tells more than a word.
    return {
        term: (
            sorted(positions),
            rarest[term] * math.sqrt((term.count(" ") + 1) / len(positions)),
        )
        for term, positions in owners.items()
    }


# Several matchers ask about the same page; what they share is computed once.
@lru_cache(maxsize=16)
def _vector(text: str) -> NDArray[np.float32]:
    return load_embedder().embed([text])


@lru_cache(maxsize=16)
def _folded_words(text: str) -> tuple[str, ...]:
    return tuple(map(_folded, _WORD.findall(text)))


@lru_cache(maxsize=16)
def _phrase_counts(text: str) -> Counter[str]:
    words = _folded_words(text)
    found = Counter(words)
    for length in range(2, _LONGEST_TERM + 1):
        found.update(map(" ".join, zip(*(words[n:] for n in range(length)), strict=False)))
    return found


@lru_cache(maxsize=50_000)
def _folded(word: str) -> str:
    word = word.lower().replace("’", "'")
    if len(word) >= _PLURAL_FROM and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")):
        return word[:-1]
    return word
