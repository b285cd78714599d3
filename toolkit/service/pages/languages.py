"""In which language a text is: by its script, the words that hold its sentences together, its letters and endings.

A trained detector would know more languages, but it costs more than all the rest of the model: the best kept one takes
0.7 s to load and 100 MB of memory. What is asked here is only whether a text is English, and if not, roughly what.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from toolkit.service.knowledge.lexicon import knowledge_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["detect_language", "function_words"]

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
#: Share of words that must be a language's, in a long text, and what must speak for it in a short one.
_LEAST_SHARE: Final = 0.1
_LEAST_SPOKEN: Final = 1.5
#: What speaks for a language beside its words, each of which counts 1 shared among the languages that have it: a letter
#: and an ending that hardly another has, and that the page states it.
_LETTER: Final = 0.5
_ENDING: Final = 0.3
_STATED: Final = 1.5
#: Letters of the endings, and of a word that may have one.
_LENGTHS: Final = (5, 4, 3, 2)
_ENDED: Final = 5
#: By how much a language must be told better than the next in a short text.
_AHEAD: Final = 1.25
#: Letters of a word that counts as a noun, and the share of them that must be in the English knowledge. Measured on
#: pages: English ones have 0.4 and more, those in other languages 0.3 at most.
_NOUN: Final = 4
_ENGLISH_SHARE: Final = 0.35


@lru_cache(maxsize=32)
def detect_language(text: str, stated: str = "") -> str:
    """Return the language of a text's first 6,000 characters (ISO 639-1).

    It is ``und`` for 30 words or more in a language that is not known here, and empty for a text too short to tell.
    What the page states (`stated`) tips the scales where little else does: many pages state the wrong one.

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
    spoken = _spoken(numbers)
    if stated in _marks().words_of:
        spoken[stated] += _STATED
    first, *_ = ranked = sorted((*spoken, ""), key=lambda language: -spoken[language])
    most, second = spoken[first], spoken[ranked[1]] if len(ranked) > 1 else 0.0
    known = sum(numbers[word] for word in _marks().words_of.get(first, frozenset()) & numbers.keys())
    if len(words) < _TELLING:
        return first if most >= _LEAST_SPOKEN and most >= _AHEAD * second and known else ""
    if known >= _LEAST_SHARE * len(words):
        return first
    # A list of goods or of names has no sentences; its nouns tell.
    nouns = [word for word in words if len(word) >= _NOUN]
    known = sum(word in _english_nouns() or word.removesuffix("s") in _english_nouns() for word in nouns)
    return "en" if known >= _ENGLISH_SHARE * max(len(nouns), 1) else "und"


def function_words(language: str) -> frozenset[str]:
    """Return the words that hold the sentences of a known language together."""
    return _marks().words_of[language]


def _spoken(numbers: Mapping[str, int]) -> defaultdict[str, float]:
    """Return what the words of a text, with how often each stands in it, speak for each language."""
    marks = _marks()
    spoken: defaultdict[str, float] = defaultdict(float)
    for word, number in numbers.items():
        for language, weight in marks.words.get(word, ()):
            spoken[language] += weight * number
        if not word.isascii():
            for letter in set(word) & marks.letters.keys():
                for language, weight in marks.letters[letter]:
                    spoken[language] += _LETTER * weight * number
        if len(word) >= _ENDED:
            ending = next((word[-length:] for length in _LENGTHS if word[-length:] in marks.endings), "")
            for language, weight in marks.endings.get(ending, ()):
                spoken[language] += _ENDING * weight * number
    return spoken


@cache
def _english_nouns() -> frozenset[str]:
    return frozenset(word for row in knowledge_rows("content_categories.tsv") for word in row["terms"].split())


#: What speaks for which languages, and how much.
_Speaking = dict[str, tuple[tuple[str, float], ...]]


@dataclass(frozen=True, slots=True)
class _Marks:
    """What tells languages: words, letters and endings; and the words of each language."""

    words: _Speaking
    letters: _Speaking
    endings: _Speaking
    words_of: dict[str, frozenset[str]]


@cache
def _marks() -> _Marks:
    source = files("toolkit.service.knowledge").joinpath("languages.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(source)
    words, endings = (
        {name: frozenset(cell.split()) for name, cell in tables[key].items()} for key in ("words", "endings")
    )
    letters = {name: frozenset(cell) for name, cell in tables["letters"].items()}
    return _Marks(_shared(words), _shared(letters), _shared(endings), words)


def _shared(marks: Mapping[str, frozenset[str]]) -> _Speaking:
    """Return the languages that have each mark, among which it is shared."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for language, own in marks.items():
        for mark in own:
            found[mark].append(language)
    return {mark: tuple((language, 1 / len(owners)) for language in owners) for mark, owners in found.items()}
