"""Free-text signals: the phrases in which a page says what it is about and what it offers."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from toolkit.service.knowledge.lexicon import knowledge_words
from toolkit.service.knowledge.pieces import together, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolkit.service.pages.parsed import Page

__all__ = ["Signal", "find_signals"]

#: A word, or what parts phrases. No character begins both, so one pass finds them in order.
_WORD_OR_PART: Final = re.compile(r"[^\W\d_][\w'’&+-]*|[,;:!?()\n]|\.\s|(?<=\s)[|–—·:•»-]\s")

_MOST: Final = 40
_STOP_WORDS: Final = "stop_words.txt"
_LONGEST: Final = 4
_REPEATED: Final = 2


class Signal(NamedTuple):
    """A phrase of a page."""

    #: The phrase in lower case.
    text: str
    #: How much it says about the page: 1 for the title, less for headings, products and repeated phrases.
    weight: float
    #: Where it stands: ``title``, ``heading``, ``keyword``, ``description``, ``product`` or ``text``.
    source: str


# Interests and purchase intent ask about the same page, and of many pages neither does.
@lru_cache(maxsize=4)
def find_signals(page: Page) -> tuple[Signal, ...]:
    """Return the at most 40 phrases that say most about a page, weightiest first, each with its greatest weight."""
    best: dict[str, Signal] = {}
    for signal in _candidates(page):
        if signal.text not in best or best[signal.text].weight < signal.weight:
            best[signal.text] = signal
    return tuple(sorted(best.values(), key=lambda signal: (-signal.weight, signal.text))[:_MOST])


def _candidates(page: Page) -> Iterator[Signal]:
    sources = (
        ("title", 1.0, (page.title,)),
        ("keyword", 0.8, page.keywords),
        ("heading", 0.7, page.headings),
        ("product", 0.7, tuple(_product_names(page))),
        ("description", 0.6, (page.description,)),
    )
    # The end of a line parts phrases.
    told = together("\n".join(texts) for *_, texts in sources).texts(_told_by)
    for (source, weight, _), of_source in zip(sources, told, strict=True):
        for phrase in _phrases(of_source):
            yield Signal(phrase, weight, source)
    counts = Counter([phrase for phrase in _phrases(written(page.opening).texts(_told_by)) if " " in phrase])
    for phrase, count in counts.items():
        if count >= _REPEATED:
            yield Signal(phrase, min(0.3 + 0.1 * count, 0.8), "text")


def _product_names(page: Page) -> Iterator[str]:
    for item in page.structured("Product", "Service", "Event", "Course", "Recipe", "Offer"):
        name = item.get("name")
        if isinstance(name, str):
            yield name


def _phrases(told: str) -> Iterator[str]:
    """Yield runs of words between stop words and punctuation, at most four words long, of what is told of a text."""
    # What is empty leaves two blanks.
    for run in told.split("  "):
        if words := run.strip():
            yield words if words.count(" ") < _LONGEST else " ".join(words.split(" ")[:_LONGEST])


def _told_by(pieces: Sequence[str]) -> list[str]:
    """Return the words of pieces of text, a blank behind each, and behind each of their parts another one."""
    # Most pieces are a word and nothing else, and need not be searched.
    return [
        _kept(piece.lower()) if piece.isalpha() else "".join(map(_folded, _WORD_OR_PART.findall(f" {piece} ")))
        for piece in pieces
    ]


def _folded(word: str) -> str:
    """Return a word in lower case, a blank behind it; what is no word leaves that alone."""
    return _kept(word.lower().strip("'’-")) if word[0].isalnum() else " "


def _kept(word: str) -> str:
    """Return a word, a blank behind it, which a stop word and a single letter leave alone."""
    return f"{word} " if len(word) > 1 and word not in knowledge_words(_STOP_WORDS) else " "
