"""Dictionaries: which English words of the knowledge the words of another language mean.

A form counts as it is written. Where nothing else can be meant, one counts too that differs in accents or in its ending
alone, and German and Dutch compounds count for the words that they are made of.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, Protocol

from toolkit.service.knowledge.lexicon import accentless, knowledge_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["LANGUAGES", "Dictionary", "Found", "load_dictionary"]

#: Languages with a dictionary.
LANGUAGES: Final = frozenset({"de", "fr", "es", "it", "pt", "nl", "ja"})

#: Start and end of a word in the text, and the English terms that it means, weightiest last.
Found = tuple[int, int, tuple[str, ...]]

#: A word, which a soft hyphen may divide.
_WORD: Final = re.compile("[^\\W_]+(?:\u00ad[^\\W_]+)*")
#: Letters from which on a word is known without its accents, unless they stand at its end, where they tell words apart
#: (parqué, parque), and letters that its stem must have to be known by it.
_LEAST_FOLDED: Final = 6
_LEAST_STEM: Final = 5
_TELLING_END: Final = 2
#: Endings that tell number (in German, Dutch and Italian case and gender, too) and what stands there without them, the
#: first that fits; so many words are looked at together, a line each.
_ENDINGS: Final = {
    "de": re.compile("(?:innen|ern|en|er|em|es|in|e|n|s)$", re.MULTILINE),
    "nl": re.compile("(?:tjes|tje|jes|je|en|es|e|s)$", re.MULTILINE),
    "fr": re.compile("(?<!s)(?:s|x)$", re.MULTILINE),
    "es": re.compile("(?<=[lrndj])es$|(?<=[aeiou])s$", re.MULTILINE),
    "pt": re.compile("(?<=[rz])es$|(?<=[aeiou])s$", re.MULTILINE),
    "it": re.compile("(?:h?[ie]|[ao])$", re.MULTILINE),
}
#: What joins the parts of a compound.
_JOINTS: Final = {"de": ("", "s", "es", "n", "en", "er", "e"), "nl": ("", "s", "en", "e", "n")}
#: Letters of a compound, of a part beside another known one, and of a known part beside an unknown rest: of the head,
#: which stands last, and of what stands before it.
_LEAST_COMPOUND: Final = 8
_LEAST_PART: Final = 4
_LEAST_HEAD: Final = 7
_LEAST_MODIFIER: Final = 6
#: How German writes its letters where they are missing.
_SPELT_OUT: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
#: Runs of one Japanese script, in which words begin.
_JAPANESE_RUN: Final = re.compile("[\u4e00-\u9fff々]+|[\u30a1-\u30faー]+")
_KATAKANA: Final = re.compile("[\u30a1-\u30faー]")


class Dictionary(Protocol):
    """What finds the words of a language in a text."""

    def find(self, text: str) -> Iterator[Found]:
        """Yield the words of a text that are known, in order."""


class SpacedDictionary:
    """The dictionary of a language that puts spaces between words.

    `forms` are lower-case, with their English terms; that of an idiom, whose words mean something else, is empty.
    """

    def __init__(self, language: str, forms: Mapping[str, str]) -> None:
        self._language = language
        split = {form if form.isalnum() else " ".join(_WORD.findall(form)): english for form, english in forms.items()}
        self._words = {form: english for form, english in split.items() if " " not in form}
        folded = list(map(self._fold, self._words))
        stems = self._stems_of([form or word for form, word in zip(folded, self._words, strict=True)])
        self._folded = _unambiguous(zip(folded, self._words.values(), strict=True))
        self._stems = _unambiguous(zip(stems, self._words.values(), strict=True))
        self._phrases: defaultdict[str, list[tuple[list[str], str]]] = defaultdict(list)
        for form in sorted(split.keys() - self._words.keys(), key=lambda form: (-form.count(" "), form)):
            first, *others = form.split()
            self._phrases[first].append((others, split[form]))
        # A language has the same words on every page.
        self._known = lru_cache(maxsize=32_768)(self._look_up)

    def find(self, text: str) -> Iterator[Found]:
        """Yield the words of a text that are known, in order; of a phrase that is known, not its words."""
        spans = [found.span() for found in _WORD.finditer(text)]
        words = [text[start:end].replace("\u00ad", "") for start, end in spans]
        lowered = [word.lower() for word in words]
        phrases, passed = self._phrases, 0
        for place, word in enumerate(lowered):
            if place < passed:
                continue
            for others, english in phrases.get(word, ()):
                end = place + 1 + len(others)
                if lowered[place + 1 : end] == others:
                    if english:
                        yield spans[place][0], spans[end - 1][1], (english,)
                    passed = end
                    break
            else:
                if known := self._known(words[place]):
                    yield *spans[place], known

    def _look_up(self, word: str) -> tuple[str, ...]:
        folded = word.lower()
        if simple := self._simple(folded):
            return (simple,)
        if folded in self._words:
            return ()  # an idiom
        # German writes nouns with a capital, and only nouns are made of others at will.
        if self._language in _JOINTS and (self._language != "de" or word[0].isupper()):
            return self._compound(folded)
        return ()

    def _simple(self, word: str) -> str:
        """Return what a word means that is no compound; empty for an unknown one."""
        if english := self._words.get(word):
            return english
        folded = self._fold(word)
        return self._folded.get(folded) or self._stems.get(self._stems_of([folded or word])[0]) or ""

    def _compound(self, word: str) -> tuple[str, ...]:
        """Return what the known parts of a word mean; the head is the longest known one at its end."""
        if len(word) < _LEAST_COMPOUND:
            return ()
        for cut in range(_LEAST_PART, len(word) - _LEAST_PART + 1):
            if head := self._simple(word[cut:]):
                modifier = self._modifier(word[:cut]) or self._compound(word[:cut])
                if modifier or len(word) - cut >= _LEAST_HEAD:
                    return tuple(dict.fromkeys((*modifier, head)))
        for cut in range(len(word) - _LEAST_PART + 1, _LEAST_MODIFIER - 1, -1):
            if modifier := self._modifier(word[:cut]):
                return modifier
        return ()

    def _modifier(self, part: str) -> tuple[str, ...]:
        for joint in _JOINTS[self._language]:
            bare = part.removesuffix(joint)
            if len(bare) >= _LEAST_PART and (not joint or bare != part) and (found := self._words.get(bare)):
                return (found,)
        return ()

    def _fold(self, word: str) -> str:
        """Return a word without accents; empty where it cannot be known so."""
        folded = word
        if not word.isascii():
            if self._language == "de":
                folded = word.translate(_SPELT_OUT)
            elif word[-_TELLING_END:].isascii():
                folded = accentless(word)
        return folded if len(folded) >= _LEAST_FOLDED else ""

    def _stems_of(self, words: Sequence[str]) -> list[str]:
        """Return words, without accents where known so, without their endings; empty where too little is left."""
        stems = _ENDINGS[self._language].sub("", "\n".join(words)).split("\n") if words else []
        return [stem if len(stem) >= _LEAST_STEM else "" for stem in stems]


class JapaneseDictionary:
    """The Japanese dictionary: the longest words that are known, each from the kanji or katakana that begins it."""

    def __init__(self, forms: Mapping[str, str]) -> None:
        self._forms = dict(forms)
        longest: defaultdict[str, int] = defaultdict(int)
        for form in forms:
            longest[form[0]] = max(longest[form[0]], len(form))
        self._longest = dict(longest)

    def find(self, text: str) -> Iterator[Found]:
        """Yield the words of a text that are known, in order."""
        passed = 0
        for run in _JAPANESE_RUN.finditer(text):
            place = max(run.start(), passed)
            while place < run.end():
                if form := self._longest_from(text, place):
                    yield place, place + len(form), (self._forms[form],)
                elif _KATAKANA.match(run[0]):
                    break  # where the beginning of a foreign word is unknown, the rest misleads: スキー in ウイスキー
                place = passed = place + (len(form) or 1)

    def _longest_from(self, text: str, place: int) -> str:
        """Return the longest form that stands at a place; empty where none does."""
        for length in range(self._longest.get(text[place], 0), 0, -1):
            if (form := text[place : place + length]) in self._forms:
                return form
        return ""


@cache
def load_dictionary(language: str) -> Dictionary:
    """Return the dictionary of one of `LANGUAGES`, read once."""
    rows = knowledge_rows(f"dictionaries/{language}.tsv")
    forms = {form: row["english"] for row in rows for form in row["forms"].split("; ")}
    idioms = (
        row["forms"].split("; ") for row in knowledge_rows("dictionaries/idioms.tsv") if row["language"] == language
    )
    forms |= dict.fromkeys((form for found in idioms for form in found), "")
    return JapaneseDictionary(forms) if language == "ja" else SpacedDictionary(language, forms)


def _unambiguous(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the keys that mean one thing alone."""
    told = list(pairs)
    found = dict(told)
    for key in {"", *(key for key, english in told if found[key] != english)}:
        found.pop(key, None)
    return found
