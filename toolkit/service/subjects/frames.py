"""What a page is of by the small words of its kind, whatever it is set among: a game's hives, an ancestor's church."""

from __future__ import annotations

from collections import defaultdict
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from toolkit.interface.taxonomy import PATH_SEPARATOR, Taxonomy
from toolkit.service.knowledge.entries import listed
from toolkit.service.knowledge.lexicon import count_terms, knowledge_rows, words_of
from toolkit.service.subjects.translation import is_translated

if TYPE_CHECKING:
    from toolkit.service.pages.parsed import Page

__all__ = ["Frame", "frame_of", "framing"]

#: Different words of a frame from which a page may be of it, what each adds to the score of its category by which it is
#: ahead of the frames of other main categories, and at most.
_LEAST: Final = 2
_AHEAD: Final = 0.15
_MOST: Final = 0.6
#: Words of it that are told.
_TOLD: Final = 3


class Frame(NamedTuple):
    """The kind of pages whose words a page says: its category, the words, and how many more than of any other kind."""

    path: str
    words: tuple[str, ...]
    lead: int

    @property
    def main(self) -> str:
        """Its main category."""
        return self.path.partition(PATH_SEPARATOR)[0]


def framing(page: Page) -> dict[str, dict[str, float]]:
    """Return what the words of its kind add to the scores of a page's category, by what is said of them.

    >>> from toolkit.service.pages.parsed import page_from_text
    >>> text = "Honey is a crafting material. Hives respawn after a patch, and wasps are the side quest of the bear."
    >>> framing(page_from_text(text))
    {'says crafting material, respawn, side quest, as pages of Video Gaming do': {'680': 0.45}}
    """
    frame = frame_of(page)
    if frame is None:
        return {}
    told = f"says {', '.join(frame.words[:_TOLD])}, as pages of {frame.path} do"
    return {told: dict.fromkeys(_identifiers(frame.path), round(min(_AHEAD * frame.lead, _MOST), 2))}


# Both taxonomies ask, and the web-filtering categories.
@lru_cache(maxsize=16)
def frame_of(page: Page) -> Frame | None:
    """Return the kind of pages of which a page says more words than of those of any other main category."""
    if is_translated(page):
        return None
    said: defaultdict[str, list[str]] = defaultdict(list)
    for word in count_terms(_words(), *page.stated, *page.headings):
        for path in _frames()[word]:
            said[path].append(word)
    best: dict[str, Frame] = {}
    for path, words in said.items():
        frame = Frame(path, tuple(sorted(words)), len(words))
        if frame.main not in best or frame.lead > best[frame.main].lead:
            best[frame.main] = frame
    if not best:
        return None
    first, *others = sorted(best.values(), key=lambda frame: -frame.lead)
    lead = first.lead - max((frame.lead for frame in others), default=0)
    return first._replace(lead=lead) if first.lead >= _LEAST and lead else None


@cache
def _words() -> frozenset[str]:
    return frozenset(_frames())


@cache
def _frames() -> dict[str, tuple[str, ...]]:
    """Return the frames that have each word."""
    found: dict[str, tuple[str, ...]] = {}
    for row in knowledge_rows("frames.tsv"):
        for word in listed(row["words"]):
            folded = " ".join(words_of(word))
            found[folded] = (*found.get(folded, ()), row["path"])
    return found


@cache
def _identifiers(path: str) -> tuple[str, ...]:
    """Return the identifiers of a category in both content taxonomies."""
    found = {step.id: None for name in ("content-v3", "content-v2") for step in Taxonomy.load(name) if step.path == path}
    return tuple(found)
