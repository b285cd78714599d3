"""What a page is of by the small words of its kind, whatever it is set among: a game's hives, an ancestor's church."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from toolkit.interface.taxonomy import PATH_SEPARATOR, Taxonomy
from toolkit.service.knowledge.compiled import load_frames
from toolkit.service.subjects.translation import is_translated

if TYPE_CHECKING:
    from toolkit.service.knowledge.frames import Frames
    from toolkit.service.pages.parsed import Page

__all__ = ["Frame", "frame_of"]

#: Different words of a frame from which a page may be of it, what each by which it is ahead of the frames of other main
#: categories adds to the logarithm of how likely its own is, and at most.
_LEAST: Final = 2
_AHEAD: Final = 0.75
_MOST: Final = 2.0
#: The same of games, which have a world of their own whose words are most of what is said, and at most.
_GAMES: Final = "Video Gaming"
_AHEAD_IN_GAMES: Final = 1.5
_MOST_IN_GAMES: Final = 4.5
#: Words of it that are told.
_TOLD: Final = 3


class Frame(NamedTuple):
    """The kind of pages whose words a page says: its category, the words, and how many more than of any other kind."""

    path: str
    words: tuple[str, ...]
    lead: int = 0

    @property
    def main(self) -> str:
        """Its main category."""
        return self.path.partition(PATH_SEPARATOR)[0]

    @property
    def told(self) -> str:
        """What is said of it."""
        return f"says {', '.join(self.words[:_TOLD])}, as pages of {self.path.rpartition(PATH_SEPARATOR)[2]} do"

    @property
    def amount(self) -> float:
        """What it adds to the logarithm of how likely its main category is.

        >>> from toolkit.service.pages.parsed import page_from_text
        >>> text = "Honey is a crafting material. Hives respawn after a patch; wasps are the side quest of the bear."
        >>> frame = frame_of(page_from_text(text))
        >>> print(frame.told, frame.amount)
        says crafting material, respawn, side quest, as pages of Video Gaming do 3.0
        """
        each, most = (_AHEAD_IN_GAMES, _MOST_IN_GAMES) if self.main == _GAMES else (_AHEAD, _MOST)
        return min(each * self.lead, most)


# Both taxonomies ask, and the web-filtering categories.
@lru_cache(maxsize=16)
def frame_of(page: Page) -> Frame | None:
    """Return the kind of pages of which a page says more words than of those of any other main category."""
    if is_translated(page):
        return None
    said = frames().said(*page.stated)
    best: dict[str, Frame] = {}
    for path, words in said.items():
        # What is above it says less than two words of its own.
        line = [*words, *(word for above in _above(path) for word in said.get(above, ()))] if len(words) > 1 else words
        frame = Frame(path, tuple(sorted({word for word in line if not _is_part(word, line)})))
        if frame.main not in best or len(frame.words) > len(best[frame.main].words):
            best[frame.main] = frame
    if not best:
        return None
    first, *others = sorted(best.values(), key=lambda frame: -len(frame.words))
    lead = len(first.words) - max((len(frame.words) for frame in others), default=0)
    return first._replace(lead=lead) if len(first.words) >= _LEAST and lead else None


@cache
def frames() -> Frames:
    """Return the words of kinds of pages, loaded once."""
    return load_frames()


def _above(path: str) -> list[str]:
    """Return the paths of the categories above one."""
    taxonomy = Taxonomy.load("content-v3")
    return [step.path for step in taxonomy.ancestors(taxonomy.by_path(path).id)]


def _is_part(word: str, words: list[str]) -> bool:
    """Tell whether a word stands in a longer one of some words."""
    return any(f" {word} " in f" {longer} " for longer in words if longer != word)
