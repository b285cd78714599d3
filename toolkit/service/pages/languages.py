"""In which language a text is: by its script, the words that hold its sentences together, its letters and endings.

A trained detector would know more languages, but it costs more than all the rest of the model: the best kept one takes
0.7 s to load and 100 MB of memory. What is asked here is only whether a text is English, and if not, roughly what.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.service.knowledge.lexicon import knowledge_rows
from toolkit.service.knowledge.pieces import words_in, written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["detect_language", "function_words"]

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
#: Scripts that tell the language, or the one that most pages in them are in.
_SCRIPTS: Final = (
    ("ja", r"[\u3040-\u30ff]"),
    ("ko", r"[\uac00-\ud7af\u1100-\u11ff]"),
    ("zh", r"[\u3400-\u9fff]"),
    ("ru", r"[\u0400-\u04ff]"),
    ("el", r"[\u0370-\u03ff]"),
    ("he", r"[\u0590-\u05ff]"),
    ("ar", r"[\u0600-\u06ff]"),
    ("hi", r"[\u0900-\u097f]"),
    ("th", r"[\u0e00-\u0e7f]"),
)
_ANY_SCRIPT: Final = re.compile("|".join(characters for _, characters in _SCRIPTS))
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
_DECIMALS: Final = 9
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
    if language := _by_script(opening):
        return language
    languages = tuple(_marks().words_of)
    told = written(opening).total(_told_by, np.float64, 2, len(languages) + 1)
    words = told[1, -1]
    # What adds up to a bar, thirds among it, reaches it.
    spoken = dict(zip((*languages, ""), told[0].round(_DECIMALS).tolist(), strict=True)) | {"": 0.0}
    if stated in languages:
        spoken[stated] += _STATED
    first, other, *_ = sorted(spoken, key=lambda language: -spoken[language])
    known = told[1, languages.index(first)] if first else 0
    if words < _TELLING:
        return first if max(_LEAST_SPOKEN, _AHEAD * spoken[other]) <= spoken[first] and known else ""
    if known >= _LEAST_SHARE * words:
        return first
    # A list of goods or of names has no sentences; its nouns tell.
    nouns, known = written(opening).total(_nouns_of, np.intp, 2)
    return "en" if known >= _ENGLISH_SHARE * max(nouns, 1) else "und"


def function_words(language: str) -> frozenset[str]:
    """Return the words that hold the sentences of a known language together."""
    return _marks().words_of[language]


def _by_script(text: str) -> str:
    """Return the language that the script of a text tells, empty for none."""
    # Most pages have none of these.
    if text.isascii() or not _ANY_SCRIPT.search(text):
        return ""
    least = _SCRIPT_SHARE * sum(map(str.isalpha, text))
    return next((name for name, characters in _SCRIPTS if len(re.findall(characters, text)) >= least > 0), "")


def _words_of(pieces: Sequence[str]) -> list[Sequence[str]]:
    return words_in(_WORD, (piece.lower().replace("’", "'") for piece in pieces))


def _told_by(pieces: Sequence[str]) -> NDArray[np.float64]:
    """Return what the words of pieces of text speak for each language, and how many are its words and words at all."""
    width = 2 * (len(_marks().words_of) + 1)
    cells: list[int] = []
    weights: list[float] = []
    numbers: list[int] = []
    for place, words in enumerate(_words_of(pieces)):
        numbers.append(len(words))
        for columns, told in map(_told_by_word, words):
            # Most words tell nothing.
            if columns:
                cells += [place * width + column for column in columns]
                weights += told
    spoken = np.bincount(np.array(cells, dtype=np.intp), weights, len(pieces) * width)
    found = spoken.astype(np.float64).reshape(len(pieces), 2, -1)
    found[:, 1, -1] = numbers
    return found


@lru_cache(maxsize=20_000)
def _told_by_word(word: str) -> _Told:
    """Return what a word tells where it stands once."""
    marks = _marks()
    columns, weights = marks.words.get(word, _NOTHING)
    if not word.isascii():
        for letter in sorted(set(word) & marks.letters.keys()):
            columns += marks.letters[letter][0]
            weights += marks.letters[letter][1]
    if len(word) >= _ENDED:
        for length in _LENGTHS:
            if told := marks.endings.get(word[-length:]):
                return columns + told[0], weights + told[1]
    return columns, weights


def _nouns_of(pieces: Sequence[str]) -> NDArray[np.intp]:
    """Return how many words of pieces of text count as nouns, and how many of these are English."""
    english = _english_nouns()
    found = np.zeros((len(pieces), 2), dtype=np.intp)
    for place, words in enumerate(_words_of(pieces)):
        for word in words:
            if len(word) >= _NOUN:
                found[place] += (1, word in english or word.removesuffix("s") in english)
    return found


@cache
def _english_nouns() -> frozenset[str]:
    return frozenset(word for row in knowledge_rows("content_categories.tsv") for word in row["terms"].split())


#: What tells of languages: where in the table of a piece, and how much. First come there what speaks for each of them,
#: then the number of its words.
_Told = tuple[tuple[int, ...], tuple[float, ...]]
_NOTHING: Final[_Told] = ((), ())


@dataclass(frozen=True, slots=True)
class _Marks:
    """What tells languages: words, letters and endings; and the words of each language."""

    words: dict[str, _Told]
    letters: dict[str, _Told]
    endings: dict[str, _Told]
    words_of: dict[str, frozenset[str]]


@cache
def _marks() -> _Marks:
    source = files("toolkit.service.knowledge").joinpath("languages.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(source)
    words, endings = (
        {name: frozenset(cell.split()) for name, cell in tables[key].items()} for key in ("words", "endings")
    )
    letters = {name: frozenset(cell) for name, cell in tables["letters"].items()}
    places = {language: place for place, language in enumerate(words)}
    own = {
        word: ((*columns, *(len(places) + 1 + column for column in columns)), (*weights, *(1.0 for _ in weights)))
        for word, (columns, weights) in _shared(words, places, 1.0).items()
    }
    return _Marks(own, _shared(letters, places, _LETTER), _shared(endings, places, _ENDING), words)


def _shared(marks: Mapping[str, frozenset[str]], places: Mapping[str, int], weight: float) -> dict[str, _Told]:
    """Return the languages that have each mark, by their places; what it counts is shared among them."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for language, own in marks.items():
        for mark in own:
            found[mark].append(places[language])
    return {mark: (tuple(owners), (weight / len(owners),) * len(owners)) for mark, owners in found.items()}
