"""How much each word of a text speaks for an entry of a knowledge file: a score taken apart, without remainder."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from toolkit.service.knowledge.embedding import load_embedder
from toolkit.service.knowledge.lexicon import word_spans
from toolkit.service.knowledge.matching import LITERAL_GAIN

if TYPE_CHECKING:
    from toolkit.service.knowledge.matching import Matcher

__all__ = ["Attribution", "Hit", "attribute"]


@dataclass(frozen=True, slots=True)
class Hit:
    """A term of the entry that stands in the text, and where: start and end of each mention."""

    term: str
    amount: float
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Attribution:
    """A text's score for an entry, taken apart."""

    #: Start, end and amount of each word of the text, by its meaning; in order.
    words: tuple[tuple[int, int, float], ...]
    #: Terms of the entry that stand in the text, weightiest first.
    hits: tuple[Hit, ...]
    #: What any text would get: the nearness of the entry to the middle of all entries, less what the entry attracts
    #: from pages of all kinds.
    background: float

    @property
    def score(self) -> float:
        """The score: everything added up."""
        return self.background + sum(amount for *_, amount in self.words) + sum(hit.amount for hit in self.hits)


def attribute(matcher: Matcher, text: str, identifier: str) -> Attribution:
    """Take a text's score for an entry apart; the parts add up to what `Matcher.score` gives, but for rounding."""
    words, background = _by_meaning(matcher, text, matcher.index[identifier])
    hits = _by_terms(matcher, text, matcher.index[identifier])
    return Attribution(words, hits, background - matcher.attracted(text, matcher.index[identifier]))


def _by_meaning(matcher: Matcher, text: str, position: int) -> tuple[tuple[tuple[int, int, float], ...], float]:
    """Share the cosine among the words: it is a sum over tokens, less what the entries have in common."""
    tokens = load_embedder().tokens(text)
    spans = [(start, end) for start, end, _ in word_spans(text)]
    if not len(tokens.vectors):
        return (), 0.0
    total = tokens.weights @ tokens.vectors
    length = float(np.linalg.norm(total)) or 1.0
    direction = matcher.direction(position)
    centred = matcher.weighted_length(total / length - matcher.mean) or 1.0
    amounts = tokens.weights * (tokens.vectors @ direction) / (length * centred)
    shares: defaultdict[int, float] = defaultdict(float)
    ends = np.array([end for _, end in spans])
    for (_, end), amount in zip(tokens.offsets, amounts, strict=True):
        # Punctuation counts for the word after it, or the last one.
        shares[min(int(np.searchsorted(ends, end)), len(spans) - 1)] += float(amount)
    background = shares.pop(-1, 0.0) - float(matcher.mean @ direction) / centred
    return tuple((*spans[place], amount) for place, amount in sorted(shares.items())), background


def _by_terms(matcher: Matcher, text: str, position: int) -> tuple[Hit, ...]:
    evidence = matcher.lexicon.told(text, position)
    raw = sum(evidence.values())
    if not raw:
        return ()
    scale = matcher.literal_weight * float(np.tanh(LITERAL_GAIN * raw)) / raw
    places = matcher.lexicon.places(text, evidence)
    hits = (Hit(term, scale * amount, places[term]) for term, amount in evidence.items())
    return tuple(sorted(hits, key=lambda hit: (-hit.amount, hit.term)))
