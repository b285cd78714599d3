"""Content categories of pages in other languages than English: by a small vocabulary of each alone.

The word vectors know other languages only by halves, so that nothing but words that literally stand in a page counts.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from toolkit.service.knowledge.embedding import DIMENSIONS, load_embedder
from toolkit.service.knowledge.lexicon import Entry, Lexicon, knowledge_rows
from toolkit.service.knowledge.matching import Matcher

__all__ = ["LANGUAGES", "foreign_matcher"]

#: Words count for more where they are all there is, and the vocabulary is small.
_LITERAL_WEIGHT: Final = 4.0
#: Languages with a vocabulary.
LANGUAGES: Final = frozenset({"de", "fr", "es", "pt", "it"})


@cache
def foreign_matcher(language: str) -> Matcher:
    """Return the matcher of content categories for one of `LANGUAGES`, built once.

    It knows every content category, but has words for the main ones only; by meaning it finds nothing.
    """
    words = {row["id"]: tuple(row[language].split("; ")) for row in knowledge_rows("foreign_words.tsv")}
    ids = [row["id"] for row in knowledge_rows("content_categories.tsv")]
    entries = [Entry(identifier, "", words.get(identifier, ())) for identifier in ids]
    blind = np.zeros((len(ids), DIMENSIONS), dtype=np.float32)
    lexicon = Lexicon.built(entries, load_embedder().frequency)
    unweighted = np.eye(DIMENSIONS, dtype=np.float32)
    return Matcher(ids, lexicon, blind, unweighted, attracts=False, literal_weight=_LITERAL_WEIGHT)
