"""How likely a page that is worded so is of each main category, as pages of known subjects taught.

The pages were written to judge the service by (`tests/judged`), and `examples.tsv` has further texts; a linear model of
their words and of their meaning was fitted to what their authors say that they are about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from toolkit.service.knowledge.lexicon import Terms

__all__ = ["MEANING", "TABLES", "Examples"]

#: The tables from which it is made, beside the pages.
TABLES: Final = ("examples.tsv",)
#: How long the vector of a page's meaning is beside that of its words, which has the length 1.
MEANING: Final = 0.7


class Examples:
    """A linear model of the main category of pages.

    `mains` are the paths of the main categories. Of each of `terms`, `rarity` is what a mention of it counts, and a row
    of `weights` what it tells of each main category; the further rows are those of the dimensions of a page's vector.
    `biases` is what speaks for each whatever is said, and `source` a digest of what all was learned from.
    """

    def __init__(
        self,
        mains: Sequence[str],
        terms: Terms,
        rarity: NDArray[np.float32],
        weights: NDArray[np.float32],
        biases: NDArray[np.float32],
        *,
        source: str = "",
    ) -> None:
        self.mains = tuple(mains)
        self.terms = terms
        self.rarity = rarity
        self.weights = weights
        self.biases = biases
        self.source = source

    def likelihoods(self, vector: NDArray[np.float32], *texts: str) -> tuple[int, NDArray[np.float64]]:
        """Return how many different terms stand in a page, and the logarithm of how likely it is of each main category.

        `vector` is that of its meaning, of unit length.
        """
        rows, amounts = self.worded(*texts)
        told = amounts @ self.weights[rows] + MEANING * vector @ self.weights[len(self.rarity) :] + self.biases
        found = told.astype(np.float64)
        return len(rows), found - np.logaddexp.reduce(found)

    def telling(self, mains: Sequence[int], *texts: str) -> list[str]:
        """Return the terms in some texts that tell one of some main categories from the others, strongest first."""
        rows, amounts = self.worded(*texts)
        weights = self.weights[rows]
        told = amounts * (weights[:, mains].max(axis=1) - weights.mean(axis=1))
        return [self.terms.terms[rows[place]] for place in np.argsort(-told, kind="stable") if told[place] > 0]

    def worded(self, *texts: str) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Return the numbers of the terms that stand in some texts, and how much each counts there: a unit vector."""
        rows, counts = self.terms.among(*texts)
        amounts = (self.rarity[rows] * (1 + np.log(counts))).astype(np.float32)
        return rows, amounts / max(float(np.sqrt(amounts @ amounts)), 1e-9)
