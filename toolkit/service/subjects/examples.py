"""Which main categories a page is worded like, as examples of them are."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from toolkit.interface.taxonomy import PATH_SEPARATOR, Taxonomy
from toolkit.service.knowledge.compiled import load_examples
from toolkit.service.knowledge.embedding import vector_of
from toolkit.service.subjects.parts import page_parts
from toolkit.service.subjects.translation import is_translated

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from toolkit.interface.taxonomy import TaxonomyName
    from toolkit.service.knowledge.examples import Examples
    from toolkit.service.pages.parsed import Page

__all__ = ["examples", "likened", "likeness"]

#: Different words that examples have up to which a page says too little to be likened to them, and from which enough:
#: a line or two of a shop are pictures as often as not.
_FEW: Final = 30
_ENOUGH: Final = 130
#: What speaks at most against a main category: what is never said of it, a person may say.
_MOST: Final = 6.0
#: Words that are told of how a page is worded.
_TOLD: Final = 3


# Categories ask, and whether a thing is refuted.
@lru_cache(maxsize=32)
def likened(page: Page, version: TaxonomyName) -> NDArray[np.float64]:
    """Return how much more or less a page is worded like examples of each main category of a taxonomy than of any.

    It is added to the logarithm of how likely each is, in the taxonomy's order: the more, the surer the examples are of
    their first. What is not English is worded like none.
    """
    groups = _groups(version)
    if is_translated(page) or not page.is_english:
        return np.zeros(len(groups))
    parts = page_parts(page)
    vector = np.array([part.share for part in parts], dtype=np.float32) @ np.vstack([vector_of(p.text) for p in parts])
    known, found = examples().likelihoods(vector / max(float(np.linalg.norm(vector)), 1e-9), *page.stated)
    told = np.array([np.logaddexp.reduce(found[group]) for group in groups])
    behind = np.maximum(told - told.max(), -_MOST)
    likened: NDArray[np.float64] = (behind - behind.mean()) * np.exp(told.max())
    return likened * np.interp(known, (_FEW, _ENOUGH), (0.0, 1.0))


def likeness(page: Page, version: TaxonomyName, identifier: str) -> str:
    """Return in which words a page is worded like examples of a category's main one, or that it is not."""
    taxonomy = Taxonomy.load(version)
    main = next(iter(taxonomy.ancestors(identifier)), taxonomy[identifier])
    place = taxonomy.tier(1).index(main)
    if likened(page, version)[place] <= 0:
        return f"is not worded as pages of {main.name} are"
    words = examples().telling(_groups(version)[place], *page.stated)
    return f"is worded as pages of {main.name} are: {', '.join(words[:_TOLD])}"


@cache
def _groups(version: TaxonomyName) -> list[list[int]]:
    """Return which main categories of the examples share a category with each main category of a taxonomy.

    They are those of the newer taxonomy, in which some branches of the older one lie in several.
    """
    taxonomy, newer = Taxonomy.load(version), Taxonomy.load("content-v3")
    branches = [(step, *taxonomy.descendants(step.id)) for step in taxonomy.tier(1)]
    mains = [
        {newer[step.id].path.partition(PATH_SEPARATOR)[0] for step in branch if step.id in newer} for branch in branches
    ]
    return [[place for place, main in enumerate(examples().mains) if main in some] for some in mains]


@cache
def examples() -> Examples:
    """Return what the examples taught, loaded once."""
    return load_examples()
