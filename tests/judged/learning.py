"""Learn from texts of known subjects and readers which words and meanings speak for which.

    python -m tests.judged.learning

writes what the service likens pages to (`toolkit.service.knowledge.examples`): after a change of `examples.tsv`, of
`notice_examples.tsv`, of the English pages of this folder or what is said of their readers and kinds, or of how a text
is taken for words. It takes five minutes.
Pages that are `unseen` teach nothing: they are there to measure by.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from tests.judged import FOLDER, written_pages
from toolkit.service.knowledge.compiled import EXAMPLES, KINDS, file_of, write_examples
from toolkit.service.knowledge.embedding import load_embedder
from toolkit.service.knowledge.examples import AGES, FIRMS, KIND, MAIN, MEANING, NOTICE, Examples, Neighbours
from toolkit.service.knowledge.lexicon import Terms, knowledge_rows, knowledge_words, words_of
from toolkit.service.knowledge.vocabulary import service_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

__all__ = ["Example", "Piece", "examples_of", "kinds_learned", "learned", "pieces_of", "source_of"]

#: Examples in which a word stands that is learned, of subjects and of kinds: one author's names are in fewer.
LEAST_EXAMPLES = 3
LEAST_PIECES = 5
#: Passages of each example that are learned from beside it, and their words: not every page is long.
PASSAGES = 3
LENGTHS = (40, 80, 150)
#: Models of subjects that are fitted, each with other passages, of which the mean is taken.
FITS = 3
#: How freely weights are fitted to subjects, firms and notices, to ages and to kinds, and rounds after which they
#: hardly change.
FREEDOM = 30
FREEDOM_OF_AGES = 10
FREEDOM_OF_KINDS = 10
ROUNDS = 120
ROUNDS_OF_KINDS = 300
#: Years of a bracket that readers must have.
LEAST_YEARS = 4


class Example(NamedTuple):
    """A text of a known subject: its category, and what it says or its different words.

    Of some it is known whether they are for firms (``no``, ``both`` or ``yes``), and the ages of their readers.
    """

    path: str
    text: str
    firms: str | None = None
    ages: tuple[int, int] | None = None

    @property
    def main(self) -> str:
        """Its main category."""
        return self.path.split(" > ")[0]

    def passages(self, chance: random.Random) -> Iterable[Example]:
        """Yield passages of it."""
        words = self.text.split()
        for _ in range(PASSAGES):
            length = chance.choice(LENGTHS)
            if len(words) > length:
                start = chance.randrange(len(words) - length)
                yield self._replace(text=" ".join(words[start : start + length]))


class Piece(NamedTuple):
    """The text of a page, and the kinds that its author calls it; a notice is of that kind alone."""

    text: str
    kinds: tuple[str, ...]


def examples_of(pages: Iterable[dict[str, Any]]) -> list[Example]:
    """Return what may be learned from: the table of examples, and those of some written pages that have a subject."""
    texts = [
        Example(row["path"], row["words"], row["firms"] or None, _years(row["ages"]))
        for row in knowledge_rows("examples.tsv")
    ]
    with (FOLDER / "readers.jsonl").open(encoding="utf-8") as lines:
        readers = {row["id"]: row for row in map(json.loads, lines)}
    written = []
    for page in pages:
        if page["subject"] and page["best"] and not page["unseen"]:
            said = readers.get(page["id"])
            known = (said["firms"], tuple(said["ages"])) if said else (None, None)
            written.append(Example(page["best"], page["main"], *known))
    return [*texts, *written]


def pieces_of(pages: Iterable[dict[str, Any]]) -> list[Piece]:
    """Return the examples and the written pages of which it is known what kinds they are, and the notices."""
    texts = [Piece(row["words"], tuple(row["kinds"].split())) for row in knowledge_rows("examples.tsv") if row["kinds"]]
    with (FOLDER / "kinds.jsonl").open(encoding="utf-8") as lines:
        kinds = {row["id"]: tuple(row["kinds"]) for row in map(json.loads, lines)}
    written = [Piece(page["main"], kinds[page["id"]]) for page in pages if page["id"] in kinds]
    notices = [Piece(row["words"], (NOTICE,)) for row in knowledge_rows("notice_examples.tsv")]
    return [*texts, *written, *notices]


def _years(ages: str) -> tuple[int, int] | None:
    """Return the youngest and the oldest of "25-70", if the ages are known."""
    youngest, _, oldest = ages.partition("-")
    return (int(youngest), int(oldest)) if oldest else None


def learned(found: Sequence[Example]) -> Examples:
    """Fit linear models of the main categories of examples, and of whether firms and which ages read them.

    Beside these the examples are kept by the terms that they have.
    """
    said = Counter(word for example in found for word in _words_of(example))
    terms = Terms.of([word for word, number in said.items() if number >= LEAST_EXAMPLES])
    rarity = _rarity(terms, said, len(found))
    # Which passages are shown by chance tips pages that stand between two subjects.
    fits = []
    for number in range(FITS):
        chance = random.Random(number)  # noqa: S311 - the same passages each time
        shown = [*found, *(passage for example in found for passage in example.passages(chance))]
        fits.append(_fitted(_features(terms, rarity, shown), [example.main for example in shown], FREEDOM))
    main = fits[0][0]
    answers, models = {MAIN: main}, [[np.mean(parts, axis=0) for parts in zip(*(fit[1:] for fit in fits), strict=True)]]
    for_some = [example for example in found if example.firms]
    firms, *parts = _fitted(_features(terms, rarity, for_some), [example.firms for example in for_some], FREEDOM)
    answers[FIRMS] = firms
    models.append(parts)
    answers[AGES] = list(service_vocabulary().values["age_bracket"])
    of_an_age = [example for example in found if example.ages]
    features = _features(terms, rarity, of_an_age)
    for bracket in answers[AGES]:
        _, *parts = _fitted(features, [_is_read_at(bracket, example.ages) for example in of_an_age], FREEDOM_OF_AGES)
        models.append(parts)
    weights, biases = (np.concatenate(part, axis=-1).astype(np.float32) for part in zip(*models, strict=True))
    numbers = {answer: number for number, answer in enumerate((*firms, None))}
    told = [(example.path, numbers[example.firms], terms.among(example.text)[0]) for example in found]
    known = Neighbours.of(told, rarity)
    return Examples(answers, terms, rarity, weights, biases, source=source_of(found), neighbours=known)


def kinds_learned(found: Sequence[Piece]) -> Examples:
    """Fit linear models of the kinds of pages and of notices: how people write tells them, by the words of any text."""
    said = Counter(word for piece in found for word in set(words_of(piece.text)) if not any(map(str.isdigit, word)))
    terms = Terms.of([word for word, number in said.items() if number >= LEAST_PIECES])
    rarity = _rarity(terms, said, len(found))
    # A page of several kinds is an example of each, by its share.
    shown = [(piece.text, kind, 1 / len(piece.kinds)) for piece in found for kind in piece.kinds if kind != NOTICE]
    texts, known, shares = map(list, zip(*shown, strict=True))
    kinds = LogisticRegression(C=FREEDOM_OF_KINDS, max_iter=ROUNDS_OF_KINDS)
    kinds.fit(_word_features(terms, rarity, texts), known, sample_weight=shares)
    notices = LogisticRegression(C=FREEDOM, max_iter=ROUNDS_OF_KINDS)
    notices.fit(_word_features(terms, rarity, [piece.text for piece in found]), [NOTICE in one.kinds for one in found])
    weights = np.hstack([kinds.coef_.T, notices.coef_.T]).astype(np.float32)
    biases = np.concatenate([kinds.intercept_, notices.intercept_]).astype(np.float32)
    answers = {KIND: kinds.classes_.tolist(), NOTICE: ["yes"]}
    return Examples(answers, terms, rarity, weights, biases, source=source_of(found))


def source_of(found: Iterable[NamedTuple]) -> str:
    """Return a digest of examples, by which a file tells what it was learned from."""
    return hashlib.sha256("\0".join(map(str, (part for example in found for part in example))).encode()).hexdigest()


def _fitted(features: Any, known: Sequence[Any], freedom: float) -> tuple[list[Any], NDArray[Any], NDArray[Any]]:
    """Return the answers of a linear model, what features say for each, and biases; of two those of the latter."""
    model = LogisticRegression(C=freedom, max_iter=ROUNDS).fit(features, known)
    return model.classes_.tolist(), model.coef_.T, model.intercept_


def _is_read_at(bracket: str, ages: tuple[int, int]) -> bool:
    """Tell whether readers of some ages have enough years of a bracket."""
    youngest, oldest = map(int, bracket.split("_"))
    return min(oldest, ages[1]) - max(youngest, ages[0]) + 1 >= LEAST_YEARS


def _words_of(example: Example) -> set[str]:
    """Return the different words of an example, without those that stand in every text and those with a digit."""
    common = {" ".join(words_of(word)) for word in knowledge_words("stop_words.txt")}
    return {word for word in set(words_of(example.text)) - common if len(word) > 1 and not any(map(str.isdigit, word))}


def _rarity(terms: Terms, said: Counter[str], texts: int) -> NDArray[np.float32]:
    """Return what a mention of each term counts, by the number of texts in which it is said."""
    return np.array([np.log((1 + texts) / (1 + said[word])) + 1 for word in terms.terms], dtype=np.float32)


def _features(terms: Terms, rarity: NDArray[np.float32], shown: Sequence[Example]) -> Any:
    """Return what a page of each example would be likened by, a row each."""
    texts = [example.text for example in shown]
    vectors = load_embedder().embed(texts)
    return hstack([_word_features(terms, rarity, texts), csr_matrix(MEANING * vectors)]).tocsr()


def _word_features(terms: Terms, rarity: NDArray[np.float32], texts: Sequence[str]) -> Any:
    """Return how much each term counts in each text, a row a text."""
    model = Examples({}, terms, rarity, np.empty(0, np.float32), np.empty(0, np.float32))
    found = [model.worded(text) for text in texts]
    places = np.repeat(np.arange(len(found)), [len(rows) for rows, _ in found])
    columns, amounts = (np.concatenate(part) for part in zip(*found, strict=True))
    return csr_matrix((amounts, (places, columns)), shape=(len(found), len(rarity)))


def main() -> None:
    """Learn from all examples, and write the files."""
    pages = written_pages("english")
    found, pieces = examples_of(pages), pieces_of(pages)
    write_examples(KINDS, kinds_learned(pieces))
    print(f"{len(pieces)} pages of known kinds: {file_of(KINDS)}")
    write_examples(EXAMPLES, learned(found))
    print(f"{len(found)} examples: {file_of(EXAMPLES)}")


if __name__ == "__main__":
    main()
