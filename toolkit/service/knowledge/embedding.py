"""Text to vectors: static word vectors, pooled exactly.

The model is wordllama's 256-dimensional table, whose weights and tokenizer lie in its wheel. Vectors are pooled here,
text by text, because a mean over a padded batch depends on the batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from toolkit.interface.errors import need
from toolkit.service.knowledge.pieces import BLANK, different, together, written

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

__all__ = ["DIMENSIONS", "Embedder", "Tokens", "load_embedder", "normalized", "vector_of"]

DIMENSIONS: Final = 256
#: How the token begins that begins a piece: a blank before it, or the end of the line.
_FIRSTS: Final = (BLANK, "<0x0A>")
#: Terms that are embedded at once; more would need more memory, not less time.
_CHUNK: Final = 4096
#: The law of ranks: share of the word of rank 1, number of the first token that is no byte, and the ranks between which
#: the law is used.
_ZIPF: Final = 0.1
_FIRST_RANK: Final = 250
_COMMONEST: Final = 20
_UNRANKED: Final = 50_250


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of a text: where each stands, its weight, and its vector (a row)."""

    offsets: list[tuple[int, int]]
    weights: NDArray[np.float32]
    vectors: NDArray[np.float32]


class Embedder:
    """Embeds texts as the direction of their tokens' vectors, summed; `halves` has one vector a token."""

    def __init__(self, tokenizer: Tokenizer, halves: NDArray[np.float16]) -> None:
        self._tokenizer = tokenizer
        # The model itself starts no threads.
        self._model = tokenizer.model
        self._halves = halves
        #: Of the tokens that were met: their vectors, and whether each begins a piece. A page has a fiftieth of them.
        self._table = np.zeros(halves.shape, dtype=np.float32)
        self._is_first = np.zeros(len(halves), dtype=np.bool_)
        self._is_met = np.zeros(len(halves), dtype=np.bool_)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector a text, the same whatever stands beside it.

        A text without tokens gets the zero vector.
        """
        out = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, text in enumerate(texts):
            tokens = written(text).joined(self._tokenized, np.int32)
            if len(tokens):
                # A repeated token counts by the root of its number: what a page repeats is not all it is about.
                ids, counts = different(tokens)
                out[row] = np.sqrt(counts).astype(np.float32) @ self._table.take(ids, axis=0)
        return normalized(out)

    def embed_terms(self, terms: Sequence[str]) -> NDArray[np.float32]:
        """Embed many short texts quickly, as `embed` but that a token repeated in a term counts each time."""
        vectors = np.zeros((len(terms), DIMENSIONS), dtype=np.float32)
        for first in range(0, len(terms), _CHUNK):
            tokens, lengths = together(terms[first : first + _CHUNK]).lists(self._tokenized, np.int32)
            starts = np.cumsum(lengths) - lengths
            for length in set(lengths[lengths > 0].tolist()):
                rows = np.flatnonzero(lengths == length)
                places = starts[rows, np.newaxis] + np.arange(length)
                vectors[first + rows] = self._table.take(tokens[places], axis=0).sum(axis=1)
        return normalized(vectors)

    def frequency(self, word: str) -> float:
        """Return about what share a word has of all words of any English page, from 2e-6 to 0.005.

        The tokenizer numbers its tokens in the order in which they were merged, common ones first, and words are about
        as frequent as the inverse of their rank (Zipf's law). A word that is no token of its own is rare.
        """
        rank = self._tokenizer.token_to_id(f"{BLANK}{word}")
        return _ZIPF / max((_UNRANKED if rank is None else rank) - _FIRST_RANK, _COMMONEST)

    def tokens(self, text: str) -> Tokens:
        """Return the tokens of a text with what each adds to the sum whose direction `embed` returns."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        ids = self._met(encoding.ids)
        _, inverse, counts = np.unique(ids, return_inverse=True, return_counts=True)
        weights = (1 / np.sqrt(counts))[inverse].astype(np.float32)
        return Tokens(encoding.offsets, weights, self._table[ids])

    def _tokenized(self, pieces: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
        """Return the tokens of pieces, which are the same wherever they stand, and how many each has."""
        # What begins a line follows its end, and no blank.
        stated = [piece if piece.startswith("\n") else f"{BLANK}{piece}" for piece in pieces]
        joined = "".join(stated)
        # Where a blank or the end of a line stands elsewhere, a token may have it that belongs to two pieces.
        if joined.count(BLANK) + joined.count("\n") > len(pieces) or " " in joined or not all(pieces):
            tokens = [self._model.tokenize(piece.replace(" ", BLANK)) for piece in stated]
            ids = self._met([token.id for found in tokens for token in found])
            return ids, np.array(list(map(len, tokens)), dtype=np.intp)
        # A call for each takes twice as long.
        found = self._model.tokenize(joined)
        ids = self._met([token.id for token in found])
        return ids, np.diff(self._is_first[ids].nonzero()[0], append=len(found))

    def _met(self, tokens: Sequence[int]) -> NDArray[np.int32]:
        """Return some tokens as an array, when it is known of each of them what it is."""
        ids = np.array(tokens, dtype=np.int32)
        if not self._is_met[ids].all():
            new = np.unique(ids[~self._is_met[ids]])
            self._table[new] = self._halves[new]
            spelt = map(str, map(self._tokenizer.id_to_token, new.tolist()))
            self._is_first[new] = [token.startswith(_FIRSTS) for token in spelt]
            # Last, for another thread may ask meanwhile.
            self._is_met[new] = True
        return ids


@cache
def load_embedder() -> Embedder:
    """Load the model once; it takes no network.

    The weights and the tokenizer are read from the folder of wordllama without importing it: the import takes four
    times as long as all the rest, and configures the logging of the whole process.
    """
    need("service", "The table of word vectors", "safetensors", "tokenizers", "wordllama")
    from safetensors.numpy import load_file  # noqa: PLC0415 - heavy, so on first use
    from tokenizers import Tokenizer  # noqa: PLC0415

    found = cast("ModuleSpec", find_spec("wordllama"))
    folder = Path(str(found.origin)).parent
    table = load_file(folder / "weights" / "l2_supercat_256.safetensors")["embedding.weight"]
    tokenizer = Tokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    # A page that has "<s>" in its text says nothing to the model.
    tokenizer.encode_special_tokens = True
    return Embedder(tokenizer, np.ascontiguousarray(table, dtype=np.float16))


# Several matchers ask about the same page, and so do the examples.
@lru_cache(maxsize=16)
def vector_of(text: str) -> NDArray[np.float32]:
    """Return the vector of one text, a row."""
    return load_embedder().embed([text])


def normalized(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return rows of length one; zero rows stay zero."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, np.newaxis]
    lengths[lengths == 0] = 1
    found: NDArray[np.float32] = vectors / lengths
    return found
