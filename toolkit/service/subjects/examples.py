"""What a page is worded like, as examples of each main category, of pages for firms and of pages for an age are."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from toolkit.interface.taxonomy import PATH_SEPARATOR, Taxonomy
from toolkit.service.knowledge.compiled import subject_examples
from toolkit.service.knowledge.embedding import vector_of
from toolkit.service.knowledge.examples import AGES, FIRMS, MAIN
from toolkit.service.subjects.parts import page_parts
from toolkit.service.subjects.site_words import is_errand, without_errand_words
from toolkit.service.subjects.translation import is_translated, understood

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from toolkit.interface.taxonomy import TaxonomyName
    from toolkit.service.knowledge.examples import Near
    from toolkit.service.pages.parsed import Page

__all__ = [
    "belief_of",
    "is_for_work",
    "likely_ages",
    "likened",
    "likeness",
    "likeness_of_readers",
    "near_categories",
    "near_shares",
    "shares_for_firms",
]

#: Different words that examples have up to which a page says too little to be likened to them, and from which enough:
#: a line or two of a shop are pictures as often as not.
_FEW: Final = 20
_ENOUGH: Final = 90
#: The same of a page that is translated, of which the words that are known are read alone.
_FEW_TRANSLATED: Final = 15
_ENOUGH_TRANSLATED: Final = 60
#: The same from which it says enough to tell which ages do not read it.
_ENOUGH_OF_AGES: Final = 50
#: How far a page for an errand is believed: these are worded alike whatever their site is of.
_BELIEF_OF_ERRANDS: Final = 0.25
#: What speaks at most against a main category: what is never said of it, a person may say.
_MOST: Final = 6.0
#: How far the words of a page are believed one by one, beside the examples that are nearest to it, and what share of
#: these a category is thought to have of which none is near.
_WORDS, _UNSEEN = 0.7, 0.02
#: The same of whether firms read it: of 1,647 texts that taught nothing 288 were worded like those for people at work
#: with a share of 0.8 and more, and 202 are.
_WORDS_FOR_FIRMS, _UNSEEN_FOR_FIRMS = 0.4, 0.1
#: How far the nearest examples are believed where they tell a category from its siblings.
_NEAR: Final = 0.8
#: What share of these must be of a category for a page to be near to it, by how far the page is believed.
_LEAST_NEAR: Final = ((0.5, 1.0), (0.0, 0.1))
#: How likely a page is for people at work from which it is taken for theirs, not to be told of homes and children.
_FOR_WORK: Final = 0.35
#: For whom pages are, by what was asked of examples.
_READERS: Final = {"yes": "people at work", "no": "private people"}
#: Words that are told of how a page is worded.
_TOLD: Final = 3


class _Told(NamedTuple):
    """What examples tell of a page.

    That are the words that they have, what speaks for each answer to each question, and what those that are nearest to
    it are of.
    """

    known: int
    answers: Mapping[str, NDArray[np.float64]]
    near: Near
    is_translated: bool

    @property
    def belief(self) -> float:
        """How far they are believed, from 0 to 1."""
        enough = (_FEW_TRANSLATED, _ENOUGH_TRANSLATED) if self.is_translated else (_FEW, _ENOUGH)
        return float(np.interp(self.known, enough, (0.0, 1.0)))


# Categories ask, whether a thing is refuted, and the readers.
@lru_cache(maxsize=32)
def likened(page: Page, version: TaxonomyName) -> NDArray[np.float64]:
    """Return how much more or less a page is worded like examples of each main category of a taxonomy than of any.

    It is added to the logarithm of how likely each is, in the taxonomy's order. What is neither English nor translated
    is worded like none.
    """
    groups, told = _groups(version), _told(page)
    if told is None:
        return np.zeros(len(groups))
    worded = told.answers[MAIN] - np.logaddexp.reduce(told.answers[MAIN])
    near = dict.fromkeys(subject_examples().answers[MAIN], 0.0)
    for path, share in told.near.subjects.items():
        near[path.partition(PATH_SEPARATOR)[0]] += share
    found = _WORDS * worded + np.log(np.array(list(near.values())) + _UNSEEN)
    # Most are of one, which is its own sum.
    grouped = np.array([found[group[0]] if len(group) == 1 else np.logaddexp.reduce(found[group]) for group in groups])
    behind = np.maximum(grouped - grouped.max(), -_MOST)
    amounts: NDArray[np.float64] = (behind - behind.mean()) * belief_of(page)
    return amounts


def belief_of(page: Page) -> float:
    """Return how far what a page is worded like is believed of its subject, from 0 to 1."""
    told = _told(page)
    return told.belief * (_BELIEF_OF_ERRANDS if is_errand(page) else 1.0) if told else 0.0


def near_shares(page: Page, version: TaxonomyName) -> NDArray[np.float64]:
    """Return how far the examples nearest to a page speak for each category of a taxonomy, 0 to 1, in its order.

    A category stands for all below it.
    """
    told, found = _told(page), np.zeros(len(Taxonomy.load(version)))
    for path, share in told.near.subjects.items() if told else ():
        found[_lines(version)[path]] += share
    return _NEAR * belief_of(page) * found


# Codes ask, people and personas.
@lru_cache(maxsize=16)
def near_categories(page: Page) -> frozenset[str]:
    """Return the identifiers of the categories (v3) that examples near to a page are of; all, where it says too little.

    What a page is about of which hardly one is near, it tells in the words of another, or in pictures.
    """
    least = _NEAR * belief_of(page) * float(np.interp(belief_of(page), *_LEAST_NEAR))
    shares = near_shares(page, "content-v3").tolist()
    return frozenset(
        category.id for category, share in zip(Taxonomy.load("content-v3"), shares, strict=True) if share >= least
    )


def likeness(page: Page, version: TaxonomyName, identifier: str) -> str:
    """Return in which words a page is worded like examples of a category's main one, or that it is not."""
    taxonomy = Taxonomy.load(version)
    main = next(iter(taxonomy.ancestors(identifier)), taxonomy[identifier])
    place = taxonomy.tier(1).index(main)
    if likened(page, version)[place] <= 0:
        return f"is not worded as pages of {main.name} are"
    words = subject_examples().telling(MAIN, _groups(version)[place], *understood(page).stated)
    return f"is worded as pages of {main.name} are: {', '.join(words[:_TOLD])}"


def shares_for_firms(page: Page) -> dict[str, float]:
    """Return how likely a page is for people at work (``yes``), for others (``no``) or for both, as far as believed."""
    told = _told(page)
    if told is None or told.is_translated:
        return {}
    found = _WORDS_FOR_FIRMS * told.answers[FIRMS] + np.log(told.near.firms + _UNSEEN_FOR_FIRMS)
    shares = told.belief * np.exp(found - np.logaddexp.reduce(found))
    return {answer: float(share) for answer, share in zip(subject_examples().answers[FIRMS], shares, strict=True)}


def is_for_work(page: Page) -> bool:
    """Tell whether a page is likely worded like those for people at work alone."""
    return shares_for_firms(page).get("yes", 0.0) >= _FOR_WORK


def likeness_of_readers(page: Page, answer: str) -> str:
    """Return in which words a page is worded like those for people at work (``yes``) or private people (``no``)."""
    words = subject_examples().telling(FIRMS, [subject_examples().answers[FIRMS].index(answer)], *page.stated)
    return f"is worded as pages for {_READERS[answer]} are: {', '.join(words[:_TOLD])}"


def likely_ages(page: Page) -> dict[str, float]:
    """Return how likely people of each age bracket read a page; empty where it says too little."""
    told = _told(page)
    if told is None or told.is_translated or told.known < _ENOUGH_OF_AGES:
        return {}
    likely = 1 / (1 + np.exp(-told.answers[AGES]))
    return dict(zip(subject_examples().answers[AGES], likely.tolist(), strict=True))


@lru_cache(maxsize=16)
def _told(page: Page) -> _Told | None:
    # What is of everything is worded like nothing.
    if page.is_front_page or not (page.is_english or is_translated(page)):
        return None
    parts = page_parts(page)
    vector = np.array([part.share for part in parts], dtype=np.float32) @ np.vstack([vector_of(p.text) for p in parts])
    unit = vector / max(float(np.linalg.norm(vector)), 1e-9)
    stated = understood(page).stated
    stated = tuple(map(without_errand_words, stated)) if is_errand(page) else stated
    rows, amounts = subject_examples().worded(*stated)
    near = subject_examples().nearest(rows, amounts)
    return _Told(len(rows), subject_examples().told(rows, amounts, unit), near, is_translated(page))


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
    return [[place for place, main in enumerate(subject_examples().answers[MAIN]) if main in some] for some in mains]


@cache
def _lines(version: TaxonomyName) -> dict[str, list[int]]:
    """Return the places in a taxonomy of what the examples of each subject are of, and of what is above it."""
    taxonomy, newer = Taxonomy.load(version), Taxonomy.load("content-v3")
    places = {category.id: place for place, category in enumerate(taxonomy)}
    lines: dict[str, list[int]] = {}
    for path in subject_examples().subjects:
        own = newer.by_path(path)
        # What the older taxonomy lacks is what is above it.
        known = next((step.id for step in (own, *newer.ancestors(own.id)[::-1]) if step.id in taxonomy), None)
        lines[path] = [places[step.id] for step in (*taxonomy.ancestors(known), taxonomy[known])] if known else []
    return lines
