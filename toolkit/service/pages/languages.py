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
from itertools import chain, count
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
    marks = _marks()
    languages = tuple(marks.words_of)
    numbers = written(opening).joined(_told_by, np.intp)
    told = np.bincount(marks.columns[numbers], marks.amounts[numbers], 2 * (len(languages) + 1)).reshape(2, -1)
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


def _told_by(pieces: Sequence[str]) -> tuple[list[int], NDArray[np.intp]]:
    """Return what the words of pieces of text tell, and how much each piece tells."""
    # Most pieces are a word and nothing else.
    told = [
        _told_by_word(words[0]) if len(words) == 1 else [*chain.from_iterable(map(_told_by_word, words))]
        for words in _words_of(pieces)
    ]
    return list(chain.from_iterable(told)), np.array(list(map(len, told)), dtype=np.intp)


@lru_cache(maxsize=20_000)
def _told_by_word(word: str) -> _Told:
    """Return what a word tells where it stands once."""
    marks = _marks()
    told = marks.words.get(word, marks.any_word)
    if not word.isascii():
        for letter in sorted(set(word) & marks.letters.keys()):
            told += marks.letters[letter]
    if len(word) >= _ENDED and word[-_LENGTHS[-1] :] in marks.last:
        for length in _LENGTHS:
            if told_by_ending := marks.endings.get(word[-length:]):
                return told + told_by_ending
    return told


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


#: What a mark tells, each by a number, by which `_Marks` has what counts for which language.
_Told = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Marks:
    """What tells languages: words, letters, endings, and that there is a word; and the words of each language.

    Of what they tell, each has a column and an amount. In the first half of the columns is what speaks for each
    language, in the second how many words are its own; at the end of that, how many words there are at all.
    """

    words: dict[str, _Told]
    letters: dict[str, _Told]
    endings: dict[str, _Told]
    #: With what endings end, in as many letters as the shortest has.
    last: frozenset[str]
    any_word: _Told
    columns: NDArray[np.intp]
    amounts: NDArray[np.float64]
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
    numbers: defaultdict[tuple[int, float], int] = defaultdict(count().__next__)
    any_word = (numbers[2 * len(places) + 1, 1.0],)

    def told(owners: Sequence[int], weight: float) -> _Told:
        """Return what is told of the languages that have a mark, among which it is shared."""
        return tuple(numbers[owner, weight / len(owners)] for owner in owners)

    own = {
        word: (*any_word, *told(owners, 1.0), *(numbers[len(places) + 1 + owner, 1.0] for owner in owners))
        for word, owners in _owners(words, places).items()
    }
    by_letter = {letter: told(owners, _LETTER) for letter, owners in _owners(letters, places).items()}
    by_ending = {ending: told(owners, _ENDING) for ending, owners in _owners(endings, places).items()}
    columns, amounts = zip(*numbers, strict=True)
    last = frozenset(ending[-_LENGTHS[-1] :] for ending in by_ending)
    return _Marks(own, by_letter, by_ending, last, any_word, np.array(columns), np.array(amounts), words)


def _owners(marks: Mapping[str, frozenset[str]], places: Mapping[str, int]) -> dict[str, list[int]]:
    """Return the languages that have each mark, by their places."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for language, own in marks.items():
        for mark in own:
            found[mark].append(places[language])
    return found
