"""Text to vectors: static word vectors, pooled exactly.

The model is wordllama's 256-dimensional table, whose weights and tokenizer lie in its wheel. Vectors are pooled here,
text by text, because a mean over a padded batch depends on the batch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from toolkit.interface.errors import need

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

__all__ = ["DIMENSIONS", "Embedder", "Tokens", "load_embedder", "normalized"]

DIMENSIONS: Final = 256
#: Terms that are embedded at once; more would need more memory, not less time.
_CHUNK: Final = 4096
#: The law of ranks: share of the word of rank 1, number of the first token that is no byte, and the ranks between which
#: the law is used.
_ZIPF: Final = 0.1
_FIRST_RANK: Final = 250
_COMMONEST: Final = 20
_UNRANKED: Final = 50_250
#: What the tokenizer writes for a space, and before each text.
_BLANK: Final = "\N{LOWER ONE EIGHTH BLOCK}"
#: Characters of pieces whose tokens are kept.
_MOST_KNOWN: Final = 400_000


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of a text: where each stands, its weight, and its vector (a row)."""

    offsets: list[tuple[int, int]]
    weights: NDArray[np.float32]
    vectors: NDArray[np.float32]


class Embedder:
    """Embeds texts as the direction of their tokens' vectors, summed; `table` has one vector a token."""

    def __init__(self, tokenizer: Tokenizer, table: NDArray[np.float32]) -> None:
        self._tokenizer = tokenizer
        self._table = table
        self._known = _Known(tokenizer)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector a text, the same whatever stands beside it.

        A text without tokens gets the zero vector.
        """
        out = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, tokens in enumerate(self._tokens_of(texts)):
            if tokens:
                # A repeated token counts by the root of its number: what a page repeats is not all it is about.
                counts = np.bincount(tokens)
                ids = np.flatnonzero(counts)
                out[row] = np.sqrt(counts[ids]).astype(np.float32) @ self._table[ids]
        return normalized(out)

    def embed_terms(self, terms: Sequence[str]) -> NDArray[np.float32]:
        """Embed many short texts quickly, as `embed` but that a token repeated in a term counts each time."""
        tokens = self._tokens_of(terms)
        lengths = np.array([len(entry) for entry in tokens])
        vectors = np.zeros((len(terms), DIMENSIONS), dtype=np.float32)
        for length in set(lengths[lengths > 0].tolist()):
            rows = np.flatnonzero(lengths == length)
            for chunk in np.array_split(rows, math.ceil(len(rows) / _CHUNK)):
                vectors[chunk] = self._table[[tokens[row] for row in chunk]].sum(axis=1)
        return normalized(vectors)

    def frequency(self, word: str) -> float:
        """Return about what share a word has of all words of any English page, from 2e-6 to 0.005.

        The tokenizer numbers its tokens in the order in which they were merged, common ones first, and words are about
        as frequent as the inverse of their rank (Zipf's law). A word that is no token of its own is rare.
        """
        rank = self._tokenizer.token_to_id(f"{_BLANK}{word}")
        return _ZIPF / max((_UNRANKED if rank is None else rank) - _FIRST_RANK, _COMMONEST)

    def tokens(self, text: str) -> Tokens:
        """Return the tokens of a text with what each adds to the sum whose direction `embed` returns."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        ids = np.asarray(encoding.ids, dtype=np.int32)
        _, inverse, counts = np.unique(ids, return_inverse=True, return_counts=True)
        weights = (1 / np.sqrt(counts))[inverse].astype(np.float32)
        return Tokens(encoding.offsets, weights, self._table[ids])

    def _tokens_of(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the tokens of each text, the same as `tokens` does, but piece by piece: most are known already."""
        known = self._known
        if known.characters > _MOST_KNOWN:
            # Other threads go on with the one that they have.
            known = self._known = _Known(self._tokenizer)
        return [list(chain.from_iterable(map(known.__getitem__, _pieces(text)))) for text in texts]


class _Known(dict[str, list[int]]):
    """The tokens of each piece that was asked for."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        super().__init__()
        # The model itself starts no threads.
        self._model = tokenizer.model
        self.characters = 0

    def __missing__(self, piece: str) -> list[int]:
        # What begins a line follows its end, and no blank.
        written = piece if piece.startswith("\n") else f"{_BLANK}{piece}"
        found = self[piece] = [token.id for token in self._model.tokenize(written.replace(" ", _BLANK))]
        self.characters += len(piece)
        return found


def _pieces(text: str) -> list[str]:
    """Return the pieces of a text, in order, that no token goes beyond.

    A token begins with a blank or has none, unless it is made of blanks; no token goes on after the end of a line. So
    the words are pieces, with the end of the line before them, where they begin one.
    """
    found: list[str] = []
    for number, line in enumerate(text.split("\n") if text else ()):
        words = line.split(" ")
        if "" in words or _BLANK in line:
            words = [line]
        if number:
            words[0] = f"\n{words[0]}"
        found += words
    return found


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
    return Embedder(tokenizer, np.ascontiguousarray(table, dtype=np.float32))


def normalized(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return rows of length one; zero rows stay zero."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, np.newaxis]
    found: NDArray[np.float32] = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return found
