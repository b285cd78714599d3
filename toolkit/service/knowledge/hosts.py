"""Words in the names of hosts: who sells beads is found at `beadworld.example`, and a short page hardly says more."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final
from urllib.parse import urlsplit

from toolkit.service.knowledge.compiled import content_matcher
from toolkit.service.knowledge.lexicon import colouring_words, words_of

__all__ = ["words_of_host"]

#: Letters that a word must have at the start or the end of a name, and in the midst of it, where others meet by chance.
_LEAST: Final = 5
_LEAST_WITHIN: Final = 7
#: What stands before a site's name, and between it and its country.
_BEFORE: Final = frozenset({"www", "m", "en"})
_BETWEEN: Final = frozenset({"ac", "co", "com", "edu", "gov", "net", "org"})


@lru_cache(maxsize=256)
def words_of_host(url: str) -> tuple[str, ...]:
    """Return the terms of content categories in the name of a page's host.

    >>> words_of_host("https://www.anncruises.co.uk/agents"), words_of_host("https://bbc.example")
    (('cruise',), ())
    """
    try:
        labels = (urlsplit(url).hostname or "").split(".")[:-1]
    except ValueError:
        return ()
    if len(labels) > 1 and labels[-1] in _BETWEEN:
        labels.pop()
    names = re.split(r"[^a-z]+", " ".join(label for label in labels if label not in _BEFORE))
    # A line each, so that no two of them make a phrase.
    said = content_matcher().lexicon.spoken("\n".join(word for name in names for word in _within(name)))
    words = sorted(said.keys() - _colours())
    return tuple(word for word in words if not any(word != other and word in other for other in words))


def _within(name: str) -> list[str]:
    """Return what may be words in a name."""
    places = range(len(name))
    return [
        name[start:end]
        for start in places
        for end in range(start + _LEAST, len(name) + 1)
        if start == 0 or end == len(name) or end - start >= _LEAST_WITHIN
    ]


@cache
def _colours() -> frozenset[str]:
    return frozenset(word for colour in colouring_words() for word in words_of(colour))
