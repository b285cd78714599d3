"""Words in the names of hosts: who sells beads is found at `beadworld.example`, and a short page hardly says more."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final
from urllib.parse import urlsplit

from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import colouring_words, knowledge_rows, words_of

__all__ = ["words_of_host"]

#: Letters that a word must have at the start or the end of a name, and in the midst of it, where others meet by chance.
_LEAST: Final = 5
_LEAST_WITHIN: Final = 7
#: What stands before a site's name, and between it and its country.
_BEFORE: Final = frozenset({"www", "m", "en"})
_BETWEEN: Final = frozenset({"ac", "co", "com", "edu", "gov", "net", "org"})


@lru_cache(maxsize=256)
def words_of_host(url: str) -> tuple[str, ...]:
    """Return the words of the knowledge of subjects in the name of a page's host.

    >>> words_of_host("https://www.anncruises.co.uk/agents"), words_of_host("https://bbc.example")
    (('cruises',), ())
    """
    try:
        labels = (urlsplit(url).hostname or "").split(".")[:-1]
    except ValueError:
        return ()
    if len(labels) > 1 and labels[-1] in _BETWEEN:
        labels.pop()
    found: dict[str, None] = {}
    for name in re.split(r"[^a-z]+", " ".join(label for label in labels if label not in _BEFORE)):
        words = [word for word in _within(name) if word in _topical()]
        found |= dict.fromkeys(word for word in words if not any(word != other and word in other for other in words))
    return tuple(found)


def _within(name: str) -> list[str]:
    """Return what may be words in a name, the longest that begin at a place first."""
    places = range(len(name))
    return [
        name[start:end]
        for start in places
        for end in range(len(name), start + _LEAST - 1, -1)
        if start == 0 or end == len(name) or end - start >= _LEAST_WITHIN
    ]


@cache
def _topical() -> frozenset[str]:
    """Return the words that stand among the terms of content categories and do more than colour a topic."""
    rows = knowledge_rows("content_categories.tsv")
    terms = (term for row in rows for cell in (row["terms"], row["words"]) for term in listed(cell))
    words = {word for term in terms for word in term.split()}
    colours = {word for colour in colouring_words() for word in words_of(colour)}
    return frozenset(word for word in words if len(word) >= _LEAST and word.isalpha()) - colours
