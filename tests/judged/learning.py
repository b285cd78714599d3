"""Learn from texts of known subjects which words and meanings speak for which main category.

    python -m tests.judged.learning

writes what the service likens pages to (`toolkit.service.knowledge.examples`): after a change of `examples.tsv`, of the
English pages of this folder, or of how a text is taken for words. It takes a minute. Pages that are `unseen` teach
nothing: they are there to measure by.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from tests.judged import written_pages
from toolkit.service.knowledge.compiled import EXAMPLES, file_of, write_examples
from toolkit.service.knowledge.embedding import load_embedder
from toolkit.service.knowledge.examples import MEANING, Examples
from toolkit.service.knowledge.lexicon import Terms, knowledge_rows, knowledge_words, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

__all__ = ["Example", "examples_of", "learned", "source_of"]

#: Examples in which a word stands that is learned: one author's names are in fewer.
LEAST_EXAMPLES = 3
#: Passages of each example that are learned from beside it, and their words: a page has not always a title, nor an end.
PASSAGES = 3
LENGTHS = (40, 80, 150)
#: How freely weights are fitted, and rounds after which they hardly change.
FREEDOM = 30
ROUNDS = 120


class Example(NamedTuple):
    """A text of a known subject: its main category, its title, and what it says or its different words."""

    main: str
    title: str
    text: str

    def passages(self, chance: random.Random) -> Iterable[Example]:
        """Yield passages of it, without its title."""
        words = self.text.split()
        for _ in range(PASSAGES):
            length = chance.choice(LENGTHS)
            if len(words) > length:
                start = chance.randrange(len(words) - length)
                yield self._replace(title="", text=" ".join(words[start : start + length]))


def examples_of(pages: Iterable[dict[str, Any]]) -> list[Example]:
    """Return what may be learned from: the table of examples, and those of some written pages that have a subject."""
    texts = [Example(row["path"].split(" > ")[0], "", row["words"]) for row in knowledge_rows("examples.tsv")]
    written = [
        Example(page["best"].split(" > ")[0], page.get("title", ""), page["main"])
        for page in pages
        if page["subject"] and page["best"] and not page["unseen"]
    ]
    return [*texts, *written]


def learned(found: Sequence[Example]) -> Examples:
    """Fit a linear model of the main categories of examples."""
    said = Counter(word for example in found for word in _words_of(example))
    terms = Terms.of([word for word, number in said.items() if number >= LEAST_EXAMPLES])
    rarity = np.array([np.log((1 + len(found)) / (1 + said[word])) + 1 for word in terms.terms], dtype=np.float32)
    chance = random.Random(1)  # noqa: S311 - the same passages each time
    shown = [*found, *(passage for example in found for passage in example.passages(chance))]
    model = LogisticRegression(C=FREEDOM, max_iter=ROUNDS)
    model.fit(_features(terms, rarity, shown), [example.main for example in shown])
    weights, biases = model.coef_.T.astype(np.float32), model.intercept_.astype(np.float32)
    return Examples(model.classes_.tolist(), terms, rarity, weights, biases, source=source_of(found))


def source_of(found: Iterable[Example]) -> str:
    """Return a digest of examples, by which a file tells what it was learned from."""
    return hashlib.sha256("\0".join(part for example in found for part in example).encode()).hexdigest()


def _words_of(example: Example) -> set[str]:
    """Return the different words of an example, without those that stand in every text and those with a digit."""
    common = {" ".join(words_of(word)) for word in knowledge_words("stop_words.txt")}
    words = {word for text in (example.title, example.text) for word in words_of(text)}
    return {word for word in words - common if len(word) > 1 and not any(map(str.isdigit, word))}


def _features(terms: Terms, rarity: NDArray[np.float32], shown: Sequence[Example]) -> Any:
    """Return what a page of each example would be likened by, a row each."""
    model = Examples((), terms, rarity, np.empty(0, np.float32), np.empty(0, np.float32))
    found = [model.worded(example.title, example.text) for example in shown]
    places = np.repeat(np.arange(len(found)), [len(rows) for rows, _ in found])
    columns, amounts = (np.concatenate(part) for part in zip(*found, strict=True))
    words = csr_matrix((amounts, (places, columns)), shape=(len(found), len(rarity)))
    vectors = load_embedder().embed([f"{example.title}\n{example.text}" for example in shown])
    return hstack([words, csr_matrix(MEANING * vectors)]).tocsr()


def main() -> None:
    """Learn from all examples, and write the file."""
    found = examples_of(written_pages("english"))
    write_examples(learned(found))
    print(f"{len(found)} examples: {file_of(EXAMPLES)}")


if __name__ == "__main__":
    main()
