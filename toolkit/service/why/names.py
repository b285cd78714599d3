"""What can be asked about, by its label: found by name, and the nearest names to what is none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

from rapidfuzz import fuzz

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.embedding import load_embedder, normalized
from toolkit.service.knowledge.lexicon import words_of
from toolkit.service.knowledge.vocabulary import service_vocabulary
from toolkit.service.pages.technologies import technology_names
from toolkit.service.readers.personas import persona_categories
from toolkit.service.subjects.content import filtering_names

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Kind", "Subject", "nearest_names", "subjects_named"]

Kind = Literal[
    "interest",
    "purchase_intent",
    "content-v3",
    "content-v2",
    "filtering",
    "value",
    "persona",
    "technology",
    "fact",
]

#: Nearness, 0 to 1, from which a name is suggested, and from which a word is taken for a misspelt other one.
_LEAST_NEAR: Final = 0.33
_ALIKE: Final = 80
_MOST: Final = 6
_LONGEST: Final = 200
#: What readers call those whom a value names in other words.
_CALLED: Final[dict[str, str]] = {
    "income_level=high": "rich wealthy affluent money well-off",
    "income_level=very_high": "rich wealthy millionaires luxury",
    "income_level=upper_middle": "rich affluent well-off",
    "income_level=low": "poor money budget",
    "gender_skew=strong_female": "women woman ladies girls female",
    "gender_skew=strong_male": "men man guys boys male",
    "age_bracket=18_24": "young",
    "age_bracket=25_34": "young millennials",
    "age_bracket=65_74": "old elderly pensioners seniors",
    "age_bracket=75_99": "old elderly pensioners seniors",
    "life_stage=parents_of_children": "kids mums mothers fathers dads families",
    "life_stage=teenager": "teens",
    "life_stage=retiree": "retired pensioners",
    "urbanicity=rural": "countryside village",
    "urbanicity=urban": "city town",
    "audience_type=b2b": "companies firms business",
}
#: What a name is worth that is another word for what was asked.
_OTHER_WORD: Final = 0.8
#: What is told by names alone: a technology means nothing in words.
_BY_NAME_ALONE: Final = ("technology", "content-v2")


@dataclass(frozen=True, slots=True)
class Subject:
    """Something that an answer may hold."""

    #: Which vocabulary it is of.
    kind: Kind
    #: Identifier of a category, code, or name; of a value, field and value joined by ``=``.
    id: str
    #: Path of a category, label of a code, or the name.
    label: str

    @property
    def name(self) -> str:
        """The last step of the label."""
        return self.label.rpartition(" > ")[2]


def subjects_named(text: str, kind: str = "") -> tuple[Subject, ...]:
    """Return what has a name, topics and values before codes."""
    return tuple(found for found in _by_name().get(text.strip().casefold(), ()) if kind in ("", found.kind))


def nearest_names(text: str, kind: str = "") -> tuple[Subject, ...]:
    """Return what is named most like a text: spelt like it, in the same words, or near in meaning; best first."""
    asked = text.strip()[:_LONGEST]
    folded, wanted = asked.casefold(), frozenset(words_of(asked))
    if not wanted:
        return ()
    nearness = _by_meaning(asked)
    found: dict[str, tuple[float, Subject]] = {}
    for subject, (words, others), by_meaning in zip(_subjects(), _words(), nearness.tolist(), strict=True):
        if kind not in ("", subject.kind):
            continue
        shared = len(wanted & words) / len(wanted | words)
        spelt = fuzz.ratio(folded, subject.name.casefold(), score_cutoff=_ALIKE) / 100
        called = _OTHER_WORD * bool(wanted & others)
        near = 0.0 if subject.kind in _BY_NAME_ALONE else by_meaning
        score = max(spelt, called, 0.5 * shared + 0.5 * max(near, 0.0), near)
        # A name is suggested once: the first kind that has it comes first.
        if score >= _LEAST_NEAR and score > found.get(subject.name, (0.0,))[0]:
            found[subject.name] = score, subject
    ranked = sorted(found.values(), key=lambda pair: -pair[0])[:_MOST]
    return tuple(subject for _, subject in ranked)


@cache
def _subjects() -> tuple[Subject, ...]:
    vocabulary = service_vocabulary()
    values = [
        Subject("value", f"{field}={value}", label)
        for field, labels in vocabulary.values.items()
        if field != "confidence"
        for value, label in labels.items()
    ]
    codes = [Subject(code.kind, code.code, code.label) for code in vocabulary.codes.values()]
    return (
        *(Subject("content-v3", category.id, category.path) for category in Taxonomy.load("content-v3")),
        *values,
        *sorted(codes, key=lambda code: code.kind != "interest"),
        *(Subject("persona", name, name) for name in persona_categories()),
        *(Subject("filtering", name, name) for name in filtering_names()),
        *(Subject("technology", name, name) for name in technology_names()),
    )


@cache
def _by_name() -> dict[str, list[Subject]]:
    found: dict[str, list[Subject]] = {}
    for subject in _subjects():
        found.setdefault(subject.name.casefold(), []).append(subject)
    return found


@cache
def _words() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Return the words of each name, and others for what it names."""
    return tuple(
        (frozenset(words_of(subject.name)), frozenset(words_of(_CALLED.get(subject.id, "")))) for subject in _subjects()
    )


@cache
def _vectors() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the direction of each name, and what all have in common."""
    vectors = load_embedder().embed_terms([subject.name for subject in _subjects()])
    mean = vectors.mean(axis=0)
    return normalized(vectors - mean), mean


def _by_meaning(text: str) -> NDArray[np.float32]:
    vectors, mean = _vectors()
    found: NDArray[np.float32] = vectors @ normalized(load_embedder().embed_terms([text]) - mean)[0]
    return found
