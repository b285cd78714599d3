"""In which language a text is: by its script, and by the words that hold its sentences together.

A trained detector would know more languages, but it costs more than all the rest of the model: the best kept one takes
0.7 s to load and 100 MB of memory. What is asked here is only whether a text is English, and if not, roughly what.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from toolkit.service.knowledge.lexicon import knowledge_rows

__all__ = ["detect_language"]

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
#: Scripts that tell the language, or the one that most pages in them are in.
_SCRIPTS: Final = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af\u1100-\u11ff]")),
    ("zh", re.compile(r"[\u3400-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
)
#: Share of the letters from which a script tells the language.
_SCRIPT_SHARE: Final = 0.2
_READ: Final = 6_000
#: Words of a text from which the lack of every known language's words tells that it is in another one.
_TELLING: Final = 30
#: Share of words that must be a language's, in a long text, and their least number in a short one.
_LEAST_SHARE: Final = 0.1
_LEAST_WORDS: Final = 3
#: Letters of a word that counts as a noun, and the share of them that must be in the English knowledge. Measured on
#: pages: English ones have 0.4 and more, those in other languages 0.3 at most.
_NOUN: Final = 4
_ENGLISH_SHARE: Final = 0.35


@lru_cache(maxsize=32)
def detect_language(text: str) -> str:
    """Return the language of a text's first 6,000 characters (ISO 639-1).

    It is ``und`` for 30 words or more in a language that is not known here, and empty for a text too short to tell.

    >>> detect_language("Wir backen das Brot für unsere Gäste jeden Morgen"), detect_language("hiking boots")
    ('de', '')
    """
    opening = text[:_READ]
    letters = sum(map(str.isalpha, opening))
    for language, script in _SCRIPTS:
        if letters and len(script.findall(opening)) >= _SCRIPT_SHARE * letters:
            return language
    words = _WORD.findall(opening.lower().replace("’", "'"))
    numbers = Counter(words)
    counts = Counter(
        {
            language: sum(numbers[word] for word in known & numbers.keys())
            for language, known in _function_words().items()
        }
    )
    (first, most), (_, second) = counts.most_common(2)
    if len(words) < _TELLING:
        return first if most >= _LEAST_WORDS and most > second else ""
    if most >= _LEAST_SHARE * len(words):
        return first
    # A list of goods or of names has no sentences; its nouns tell.
    nouns = [word for word in words if len(word) >= _NOUN]
    known = sum(word in _english_nouns() or word.removesuffix("s") in _english_nouns() for word in nouns)
    return "en" if known >= _ENGLISH_SHARE * max(len(nouns), 1) else "und"


@cache
def _english_nouns() -> frozenset[str]:
    return frozenset(word for row in knowledge_rows("content_categories.tsv") for word in row["terms"].split())


@cache
def _function_words() -> dict[str, frozenset[str]]:
    text = files("toolkit.service.knowledge").joinpath("languages.toml").read_text(encoding="utf-8")
    return {language: frozenset(words.split()) for language, words in tomllib.loads(text).items()}
