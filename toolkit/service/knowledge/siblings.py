"""What tells a content category from its siblings, once it is clear under which of them a page stands.

Most of what a category's terms say of a page, its siblings' terms say too: every page about cars speaks of engines.
Words that decide are those that one of them says and the others do not.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.interface.taxonomy import PATH_SEPARATOR
from toolkit.service.knowledge.embedding import load_embedder
from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import Entry, Lexicon, knowledge_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["TABLES", "Siblings"]

#: The tables of which it is made.
TABLES: Final = ("siblings.tsv", "content_categories.tsv")

#: What the words that decide add to a category's score at most, and how soon more of them add nothing; set on the
#: development pages.
_WEIGHT: Final = 1.5
_GAIN: Final = 0.4
#: What is often left out of a word: e-mail, email.
_JOINTS: Final = str.maketrans("", "", "-.'’")
_PATHS: Final = ("path_v3", "path_v2")


class Siblings:
    """The words that decide among categories, which stand in the order of the table of content categories.

    `lexicon` has two entries a row of words: what decides for its categories, and behind all of these what decides
    against them. `rows` has the place of each category's row; categories without one have that behind the last.
    """

    def __init__(self, lexicon: Lexicon, rows: NDArray[np.int16]) -> None:
        self.lexicon = lexicon
        self.rows = rows

    @classmethod
    def built(cls) -> Siblings:
        """Read the words from their table. What decides for a category, decides for all below it."""
        categories = knowledge_rows("content_categories.tsv")
        rows = {row["id"]: row for row in knowledge_rows("siblings.tsv")}
        ids = {category[path]: category["id"] for category in categories for path in _PATHS if category[path]}
        places = {identifier: place for place, identifier in enumerate(rows)}
        found = []
        for category in categories:
            above = (ids.get(step, "") for path in _PATHS for step in _upwards(category[path]))
            found.append(next((places[identifier] for identifier in above if identifier in places), len(rows)))
        entries = [Entry(key, "", _written(row[side])) for side in ("decides", "against") for key, row in rows.items()]
        return cls(Lexicon.built(entries, load_embedder().frequency), np.array(found, dtype=np.int16))

    def decided(self, text: str) -> NDArray[np.float32]:
        """Return what the words of a text that decide among siblings add to the score of each category."""
        pro, contra = np.tanh(_GAIN * self.lexicon.evidence(text)).reshape(2, -1)
        found: NDArray[np.float32] = (_WEIGHT * np.append(pro - contra, 0.0)).astype(np.float32)[self.rows]
        return found

    def told(self, text: str, position: int) -> dict[str, float]:
        """Return what each word of a text that decides adds to the score of the category at a position."""
        row, half = int(self.rows[position]), self.lexicon.size // 2
        found: defaultdict[str, float] = defaultdict(float)
        for sign, entry in ((1, row), (-1, half + row)) if row < half else ():
            evidence = self.lexicon.told(text, entry)
            raw = sum(evidence.values())
            for word, amount in evidence.items():
                found[word] += sign * _WEIGHT * float(np.tanh(_GAIN * raw)) * amount / raw
        return dict(found)


def _upwards(path: str) -> Iterator[str]:
    """Yield a path and the paths above it."""
    while path:
        yield path
        path = path.rpartition(PATH_SEPARATOR)[0]


def _written(cell: str) -> tuple[str, ...]:
    """Return the words of a cell, and as they are written without hyphens, points and apostrophes."""
    words = listed(cell)
    return tuple(dict.fromkeys([*words, *(word.translate(_JOINTS) for word in words)]))
