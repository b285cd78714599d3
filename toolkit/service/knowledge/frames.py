"""The small words by which pages of a kind are known, whatever they are set among."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import Entry, Lexicon, knowledge_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["TABLES", "Frames"]

#: The tables of which it is made.
TABLES: Final = ("frames.tsv",)
#: Which share of all words a word is, is not asked: a word of a kind is hardly ever said elsewhere.
_RARE: Final = 1e-6


class Frames:
    """The words of each kind of pages: `lexicon` has an entry for the category of each of `paths`, in their order."""

    def __init__(self, lexicon: Lexicon, paths: Sequence[str]) -> None:
        self.lexicon = lexicon
        self.paths = tuple(paths)

    @classmethod
    def built(cls) -> Frames:
        """Read the words from their table."""
        rows = knowledge_rows("frames.tsv")
        entries = [Entry(row["path"], "", listed(row["words"])) for row in rows]
        return cls(Lexicon.built(entries, lambda _: _RARE), [row["path"] for row in rows])

    def said(self, *texts: str) -> dict[str, list[str]]:
        """Return the words of each kind that stand in some texts, by the path of its category."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for word, positions in self.lexicon.spoken(*texts).items():
            for position in positions:
                found[self.paths[position]].append(word)
        return dict(found)
