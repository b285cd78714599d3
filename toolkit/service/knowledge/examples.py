"""What pages of known subjects and readers taught: of what, for whom and of what kind a page is that is worded so.

The pages were written to judge the service by (`tests/judged`), and `examples.tsv` has the words of further texts.
Linear models of words and of meaning were fitted to what their authors say that they are about, and to what others say
of their readers. What the same pages are called, blogs or guides or products, taught how kinds of pages are
worded: a model of words alone, in a file of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from toolkit.service.knowledge.lexicon import Terms

__all__ = ["AGES", "FIRMS", "KIND", "MAIN", "MEANING", "TABLES", "Examples"]

#: The tables from which it is made, beside the pages.
TABLES: Final = ("examples.tsv",)
#: How long the vector of a page's meaning is beside that of its words, which has the length 1.
MEANING: Final = 0.7
#: What was asked of the pages: their main category, whether they are for firms, which ages read them, and their kind.
MAIN: Final = "main"
FIRMS: Final = "firms"
AGES: Final = "ages"
KIND: Final = "kind"


class Examples:
    """Linear models of the answers to some questions.

    `answers` are the possible ones to each question. Of each of `terms`, `rarity` is what a mention of it counts, and a
    row of `weights` what it tells of each answer, question by question; the further rows, if there are any, are those
    of the dimensions of a page's vector. `biases` is what speaks for each whatever is said, and `source` a digest of
    what all was learned from.
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
    ) -> None:
        self.answers = {question: tuple(each) for question, each in answers.items()}
        self.terms = terms
        self.rarity = rarity
        self.weights = weights
        self.biases = biases
        self.source = source
        ends = np.cumsum([len(each) for each in self.answers.values()]).tolist()
        self._columns = dict(zip(self.answers, map(slice, [0, *ends], ends), strict=False))

    def told(self, vector: NDArray[np.float32] | None, *texts: str) -> tuple[int, dict[str, NDArray[np.float64]]]:
        """Return how many different terms stand in a page, and what speaks for each answer to each question.

        `vector` is that of the page's meaning, of unit length, where the model knows meanings. What speaks for an
        answer is a logarithm: of its odds where each is asked by itself, else up to a constant that all answers share.
        """
        rows, amounts = self.worded(*texts)
        weights = self.weights.take(rows, axis=0)
        told = amounts @ weights + self.biases
        if vector is not None:
            told = told + MEANING * vector @ self.weights[len(self.rarity) :]
        return len(rows), {question: told[columns].astype(np.float64) for question, columns in self._columns.items()}

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
