"""How near a text is to each entry of a knowledge file.

Two kinds of evidence are added: the cosine between the text's vector and the mean vector of the entry's terms (both
without what all entries have in common, and with less of what differs within every entry), and the entry's terms that
literally stand in the text.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.service.knowledge.embedding import load_embedder, normalized, vector_of
from toolkit.service.knowledge.lexicon import Lexicon, colouring_words, knowledge_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from toolkit.service.knowledge.lexicon import Entry

__all__ = ["LITERAL_GAIN", "LITERAL_WEIGHT", "Matcher"]

#: Weight of literal terms beside the vectors' similarity, and how soon more of them add nothing; set on the
#: development pages.
LITERAL_WEIGHT: Final = 1.5
LITERAL_GAIN: Final = 0.155
#: How strongly directions in which the terms of one entry differ among themselves are held back, and the floor of what
#: counts as such a difference, in mean variances.
_HOLDING_BACK: Final = 0.25
_FLOOR: Final = 0.1
#: Rows of which the product with a matrix is sooner found for each than for all at once.
_FEW: Final = 2


class Matcher:
    """Scores texts against entries, whose `ids` are in order.

    `vectors` are the means of each entry's terms, of unit length and not centred; `mean` is what all of them have in
    common. `weighting` holds back the directions in which terms differ within their entries. Of some entries it is
    known what they attract from pages of all kinds (`attracts`), which is taken off. `literal_weight` is what literal
    terms count beside the vectors' similarity.
    """

    def __init__(
        self,
        ids: Sequence[str],
        lexicon: Lexicon,
        vectors: NDArray[np.float32],
        weighting: NDArray[np.float32],
        *,
        attracts: bool = True,
        literal_weight: float = LITERAL_WEIGHT,
    ) -> None:
        self.ids = list(ids)
        self.lexicon = lexicon
        self.literal_weight = literal_weight
        self.vectors = vectors
        self.weighting = weighting
        self.index = {identifier: position for position, identifier in enumerate(self.ids)}
        self.mean = vectors.mean(axis=0)
        # A column each, side by side in memory: so the product takes two thirds of the time.
        self._centred = np.ascontiguousarray(normalized((vectors - self.mean) @ weighting).T)
        measured = _attractions() if attracts else {}
        known = [measured.get(identifier, (0.0, 0.0)) for identifier in self.ids]
        self._by_meaning = np.array([meaning for meaning, _ in known], dtype=np.float32)
        self._by_terms = np.array([terms for _, terms in known], dtype=np.float32)

    @classmethod
    def built(cls, entries: Sequence[Entry]) -> Matcher:
        """Build the matcher of some entries. An entry's name counts as one of its terms."""
        embedder = load_embedder()
        terms = [term for entry in entries for term in (entry.name, *entry.terms)]
        owners = np.repeat(np.arange(len(entries)), [1 + len(entry.terms) for entry in entries])
        vectors = embedder.embed_terms(terms)
        means = np.array([part.mean(axis=0) for part in np.split(vectors, np.flatnonzero(np.diff(owners)) + 1)])
        return cls(
            ids=[entry.id for entry in entries],
            lexicon=Lexicon.built(entries, embedder.frequency, colouring_words()),
            vectors=normalized(means),
            weighting=_weighting(vectors - means[owners]),
        )

    def similarity(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the weighted, centred cosine of unit vectors with each entry, shape (len(vectors), entries)."""
        return _product(self._direction_of(vectors), self._centred)

    def _direction_of(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the directions of unit vectors, centred and weighted."""
        centred = vectors - self.mean * vectors.any(axis=1, keepdims=True)
        return normalized(_product(centred, self.weighting))

    def direction(self, position: int) -> NDArray[np.float32]:
        """Return the vector whose product with a centred text vector, over its weighted length, is the similarity."""
        found: NDArray[np.float32] = self.weighting @ self._centred[:, position]
        return found

    def weighted_length(self, centred: NDArray[np.float32]) -> float:
        """Return the length of a centred text vector after the weighting."""
        return float(np.linalg.norm(centred @ self.weighting))

    def literal(self, text: str) -> NDArray[np.float32]:
        """Return the evidence of terms that literally stand in a text, for each entry, 0 to 1."""
        return self._told(self.lexicon.evidence(text))

    @staticmethod
    def _told(evidence: NDArray[np.float64]) -> NDArray[np.float32]:
        found: NDArray[np.float32] = np.tanh(LITERAL_GAIN * evidence).astype(np.float32)
        return found

    def evidence(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return both kinds of evidence of texts for each entry, similarity and literal, each (len(texts), entries)."""
        similarity = self.similarity(vector_of(texts[0]) if len(texts) == 1 else load_embedder().embed(texts))
        return similarity, np.stack([self.literal(text) for text in texts])

    def score(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return how near texts are to each entry, and the part that literal terms have: shapes (len(texts), entries).

        Both kinds of evidence are added, less what the entry attracts from pages of all kinds.
        """
        similarity, literal = self.evidence(texts)
        common = self._by_terms * literal.mean(axis=1, keepdims=True)
        terms: NDArray[np.float32] = self.literal_weight * (literal - common)
        scores: NDArray[np.float32] = similarity - self._by_meaning + terms
        return scores, terms

    def score_parts(self, shares: Sequence[float], texts: Sequence[str]) -> NDArray[np.float32]:
        """Return how near a page is to each entry by its parts, each by its share, and below it the part of terms.

        It is what `score` returns for the parts, added up; the vectors are added before the entries are asked.
        """
        weights = np.array(shares, dtype=np.float32)
        directions = self._direction_of(np.concatenate(list(map(vector_of, texts))))
        literal = self._told(np.stack(list(map(self.lexicon.evidence, texts))))
        terms = self.literal_weight * (weights @ (literal - self._by_terms * literal.mean(axis=1, keepdims=True)))
        scores = (weights @ directions) @ self._centred - weights.sum() * self._by_meaning + terms
        found: NDArray[np.float32] = np.stack([scores, terms])
        return found

    def attracted(self, text: str, position: int) -> float:
        """Return what is taken off a text's score for an entry, since the entry attracts it from pages of all kinds."""
        common = float(self._by_terms[position]) * float(self.literal(text).mean())
        return float(self._by_meaning[position]) + self.literal_weight * common


@cache
def _attractions() -> dict[str, tuple[float, float]]:
    """Return what pages of all kinds score on each entry: above other entries by meaning, relative to them by terms."""
    return {row["id"]: (float(row["meaning"]), float(row["terms"])) for row in knowledge_rows("attractions.tsv")}


def _product(rows: NDArray[np.float32], matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    # A product with a vector takes half the time of one with a matrix of one row.
    found: NDArray[np.float32] = np.stack([row @ matrix for row in rows]) if 0 < len(rows) <= _FEW else rows @ matrix
    return found


def _weighting(differences: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the matrix that holds back the directions in which terms differ within their entries."""
    variances, directions = np.linalg.eigh(differences.T @ differences / len(differences))
    kept = (np.maximum(variances, 0) + _FLOOR * variances.mean()) ** -_HOLDING_BACK
    found: NDArray[np.float32] = ((directions * kept) @ directions.T).astype(np.float32)
    return found
