"""What pages of known subjects and readers taught: of what, for whom and of what kind a page is that is worded so.

The pages were written to judge the service by (`tests/judged`), and `examples.tsv` has the words of further texts.
Linear models of words and of meaning were fitted to what their authors say that they are about, and to what others say
of their readers. What the same pages are called, blogs or guides or products, taught how kinds of pages are worded, and
`notice_examples.tsv` how those are that one gets in the place of a page: models of words alone, in a file of their own.

A linear model weighs each word by itself; what words mean together is told by the examples that have the most of them,
and so of what these are about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from toolkit.service.knowledge.lexicon import Terms

__all__ = ["AGES", "FIRMS", "KIND", "MAIN", "MEANING", "NOTICE", "TABLES", "Examples", "Near", "Neighbours"]

#: The tables from which it is made, beside the pages.
TABLES: Final = ("examples.tsv", "notice_examples.tsv")
#: How long the vector of a page's meaning is beside that of its words, which has the length 1.
MEANING: Final = 0.7
#: What was asked of the pages: their main category, whether they are for firms, which ages read them, their kind, and
#: whether they are but a notice of their site.
MAIN: Final = "main"
FIRMS: Final = "firms"
AGES: Final = "ages"
KIND: Final = "kind"
NOTICE: Final = "notice"
#: How many examples are taken for those nearest to a page, and how much more the nearer of them count: the power of how
#: much they have in common.
_NEAREST: Final = 40
_NEARER: Final = 8
#: Share of the examples in which a term stands that tells nothing of which are near, and takes most of the time.
_COMMON: Final = 0.04


class Neighbours(NamedTuple):
    """The examples themselves, to be found by the terms that they have.

    Those that have term `n` are ``holders[starts[n]:starts[n + 1]]``: none, where many have it. Of each, `lengths` is
    that of the vector of its other terms, which count by their rarity, `subjects` the number of what it is of among
    `paths`, and `firms` that of whether firms read it among the answers to that, and one more where nobody said.
    """

    starts: NDArray[np.int32]
    holders: NDArray[np.uint16]
    lengths: NDArray[np.float32]
    subjects: NDArray[np.uint16]
    firms: NDArray[np.uint8]
    paths: tuple[str, ...]

    @classmethod
    def of(cls, found: Sequence[tuple[str, int, NDArray[np.intp]]], rarity: NDArray[np.float32]) -> Neighbours:
        """Note what examples are of, the number of whether firms read them, and which terms they have."""
        paths, subjects = np.unique([path for path, _, _ in found], return_inverse=True)
        terms = np.concatenate([rows for _, _, rows in found])
        examples = np.repeat(np.arange(len(found)), [len(rows) for _, _, rows in found])
        is_told = np.bincount(terms, minlength=len(rarity))[terms] <= max(_COMMON * len(found), 1)
        terms, examples = terms[is_told], examples[is_told]
        lengths = np.sqrt(np.bincount(examples, rarity[terms].astype(np.float64) ** 2, len(found)))
        starts = np.concatenate([[0], np.bincount(terms, minlength=len(rarity)).cumsum()])
        return cls(
            starts.astype(np.int32),
            examples[np.argsort(terms, kind="stable")].astype(np.uint16),
            np.maximum(lengths, 1e-9).astype(np.float32),
            subjects.astype(np.uint16),
            np.array([firms for _, firms, _ in found], dtype=np.uint8),
            tuple(paths.tolist()),
        )

    def near(
        self, rows: NDArray[np.intp], amounts: NDArray[np.float32]
    ) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the examples nearest to a page with some terms, and the share that each has of what they tell.

        `amounts` is what each term counts there times its rarity. The nearest counts no more than the one after it: a
        single text may be a twin of the page, and of another subject. Where nothing is near, all shares are 0.
        """
        starts = self.starts[rows]
        numbers = self.starts[rows + 1] - starts
        places = np.arange(numbers.sum()) + np.repeat(starts - np.cumsum(numbers) + numbers, numbers)
        common = np.bincount(self.holders[places], np.repeat(amounts, numbers), len(self.lengths)) / self.lengths
        # By what the last of them has in common: which of equals is cut off differs between processors.
        ranked = np.sort(np.partition(common, max(len(common) - _NEAREST, 0))[-_NEAREST:])
        near = np.flatnonzero(common >= ranked[0])
        weights = np.minimum(common[near] / max(ranked[-2], 1e-9), 1.0) ** _NEARER
        return near, weights / max(float(weights.sum()), 1e-9)


class Near(NamedTuple):
    """What the examples nearest to a page tell of it.

    That is their share by subject, of those that any has, and by the answer to whether firms read them.
    """

    subjects: Mapping[str, float]
    firms: NDArray[np.float64]


class Examples:
    """Linear models of the answers to some questions.

    `answers` are the possible ones to each question. Of each of `terms`, `rarity` is what a mention of it counts, and a
    row of `weights` what it tells of each answer, question by question; the further rows, if there are any, are those
    of the dimensions of a page's vector. `biases` is what speaks for each whatever is said, and `source` a digest of
    what all was learned from. `neighbours` are the examples by their subjects, where these are asked.
    """

    def __init__(
        self,
        answers: Mapping[str, Sequence[str]],
        terms: Terms,
        rarity: NDArray[np.float32],
        weights: NDArray[np.float32],
        biases: NDArray[np.float32],
        *,
        source: str = "",
        neighbours: Neighbours | None = None,
    ) -> None:
        self.answers = {question: tuple(each) for question, each in answers.items()}
        self.terms = terms
        self.rarity = rarity
        self.weights = weights
        self.biases = biases
        self.source = source
        self.neighbours = neighbours
        ends = np.cumsum([len(each) for each in self.answers.values()]).tolist()
        self._columns = dict(zip(self.answers, map(slice, [0, *ends], ends), strict=False))

    def told(
        self, rows: NDArray[np.intp], amounts: NDArray[np.float32], vector: NDArray[np.float32] | None = None
    ) -> dict[str, NDArray[np.float64]]:
        """Return what speaks for each answer to each question, of a page with some terms (see `worded`).

        `vector` is that of the page's meaning, of unit length, where the model knows meanings. What speaks for an
        answer is a logarithm: of its odds where each is asked by itself, else up to a constant that all answers share.
        """
        told = amounts @ self.weights.take(rows, axis=0) + self.biases
        if vector is not None:
            told = told + MEANING * vector @ self.weights[len(self.rarity) :]
        return {question: told[columns].astype(np.float64) for question, columns in self._columns.items()}

    def nearest(self, rows: NDArray[np.intp], amounts: NDArray[np.float32]) -> Near:
        """Return what the examples nearest to a page with some terms tell of it: nothing, where none are kept."""
        known = self.neighbours
        if known is None:
            return Near({}, np.zeros(0))
        near, shares = known.near(rows, amounts * self.rarity[rows])
        told = np.bincount(known.subjects[near], shares, len(known.paths))
        firms = np.bincount(known.firms[near], shares, len(self.answers[FIRMS]) + 1)[:-1].astype(np.float64)
        return Near({known.paths[place]: float(told[place]) for place in np.flatnonzero(told)}, firms)

    @property
    def subjects(self) -> tuple[str, ...]:
        """What the examples are of that are kept."""
        return self.neighbours.paths if self.neighbours else ()

    def telling(self, question: str, answers: Sequence[int], *texts: str) -> list[str]:
        """Return the terms in some texts that tell one of some answers from the others, strongest first."""
        rows, amounts = self.worded(*texts)
        weights = self.weights[rows][:, self._columns[question]]
        told = amounts * (weights[:, answers].max(axis=1) - weights.mean(axis=1))
        return [self.terms.terms[rows[place]] for place in np.argsort(-told, kind="stable") if told[place] > 0]

    def worded(self, *texts: str) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Return the numbers of the terms that stand in some texts, and how much each counts there: a unit vector."""
        rows, counts = self.terms.among(*texts)
        amounts = (self.rarity[rows] * (1 + np.log(counts))).astype(np.float32)
        return rows, amounts / max(float(np.sqrt(amounts @ amounts)), 1e-9)
