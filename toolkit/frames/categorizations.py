"""Raw categorizations into the rows of the categories frame."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar, Final

import pandas as pd

from toolkit.frames.columns import Columns, Integers, Reader, Runs, VocabularyWarning, whole_or_none
from toolkit.frames.plain import (
    NAME_PREFIX,
    STATED_PREFIX,
    OddShapeError,
    block,
    categories_of,
    check_envelope,
    company_of,
    confidence,
    listed,
    technologies_of,
)
from toolkit.frames.schemas import SCHEMAS
from toolkit.interface.checks import levels_inside
from toolkit.interface.fields import decode_ranked
from toolkit.interface.models import Category, ContentCategorization
from toolkit.interface.taxonomy import Category as Known
from toolkit.interface.taxonomy import Taxonomy
from toolkit.interface.text import printable, shortened
from toolkit.interface.wire.confidences import confidence_of
from toolkit.interface.wire.shapes import OTHER_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import numpy as np

    from toolkit.interface.taxonomy import TaxonomyName

__all__ = ["Categories"]

#: What a row says of its category itself, rather than of the answer.
_PLACE: Final = ("taxonomy", "id", "name", "tier", "level_1", "level_2", "level_3", "level_4")
_RANKED: Final = ("std_taxonomy", "std_taxonomy_version2", "filtering_taxonomy")
_FIELDS: Final = (*_RANKED, "std_classification")
#: How many places an answer has for its categories: one for each taxonomy, after that of a failure.
_WIDTH: Final = 1 + len(_RANKED)
_DEEPEST: Final = 4
#: The word that stood in the place of a confidence.
_WORD: Final = "confidence_band"
_FEW: Final = 5
_SHOWN: Final = 40


class _Places:
    """Every category that was seen once, with its place in a taxonomy; number 0 is none."""

    def __init__(self) -> None:
        self.rows: list[tuple[Any, ...]] = [(None,) * len(_PLACE)]

    def add(self, row: Mapping[str, Any]) -> int:
        place = {**row, "tier": whole_or_none(row["tier"])}
        self.rows.append(tuple(place.get(name) for name in _PLACE))
        return len(self.rows) - 1


class _Ranked(dict[str, int]):
    """Numbers of categories by the text of a pair of one taxonomy: ``Category name: …``."""

    def __init__(self, field: str, places: _Places) -> None:
        super().__init__()
        self._field, self._places = field, places

    def __missing__(self, pair: object) -> int:
        if type(pair) is not str or not pair.startswith(NAME_PREFIX):
            raise OddShapeError
        answer = ContentCategorization(**{self._field: decode_ranked([[pair, STATED_PREFIX]])})
        self[pair] = number = self._places.add(next(_content_rows(answer)))
        return number


class _Listed(dict[tuple[str, str, int | None], int]):
    """Numbers of categories by identifier, name and tier."""

    def __init__(self, places: _Places) -> None:
        super().__init__()
        self._places = places

    def __missing__(self, key: tuple[str, str, int | None]) -> int:
        identifier, name, tier = key
        self[key] = number = self._places.add(next(_listed_rows([Category(id=identifier, name=name, tier=tier)])))
        return number


class _Stated(dict[str, float | None]):
    """Confidences by the text of a pair: ``Confidence: …``."""

    def __missing__(self, pair: object) -> float | None:
        if type(pair) is not str or not pair.startswith(STATED_PREFIX):
            raise OddShapeError
        self[pair] = stated = confidence_of(pair)
        return stated


class Categories(Reader):
    """Rows of the categories frame: the number of each category, its confidence, and how many an answer has."""

    endpoints: ClassVar[frozenset[str]] = frozenset({"categorize", "categorize_content", "enrich", "batch_results"})

    def __init__(self) -> None:
        self._places = _Places()
        self._ranked = [_Ranked(field, self._places) for field in _RANKED]
        self._listed = _Listed(self._places)
        self._stated = _Stated()
        self._lengths = Integers(_WIDTH)
        self._found = Integers(1)
        self._columns = Columns({"confidence": "float64"})
        self._confidences: list[float | None] = []
        self._words: set[str] = set()

    def read(self, endpoint: str, raw: dict[str, Any]) -> None:
        """Add an answer's rows, or nothing and an error where it is not of the plain form."""
        if endpoint == "categorize_content":
            self._read_ranked(raw)
        else:
            self._read_listed(endpoint, raw)

    def _read_ranked(self, raw: dict[str, Any]) -> None:
        if not OTHER_NAMES.isdisjoint(raw):
            raise OddShapeError
        newer, older, labels, other = map(raw.get, _FIELDS)
        if not type(newer) is type(older) is type(labels) is list:
            newer, older, labels = map(listed, (newer, older, labels))
        first, second, third = self._ranked
        if other != newer:
            other = listed(other)
            _ = [(first[pair[0]], self._stated[pair[1]]) for pair in other]  # shown or not, the model reads it
            newer = newer or other
        if scores := raw.get("buyer_personas_confidence_selection"):
            _check_scores(scores)
        found = [first[pair[0]] for pair in newer]
        found += [second[pair[0]] for pair in older]
        found += [third[pair[0]] for pair in labels]
        confidences = [self._stated[pair[1]] for pair in (*newer, *older, *labels)]
        self._lengths.values += (0, len(newer), len(older), len(labels))
        self._found.values += found
        self._confidences += confidences

    def _read_listed(self, endpoint: str, raw: dict[str, Any]) -> None:
        check_envelope(raw)
        if endpoint == "enrich":
            company_of(raw)
            technologies_of(raw)
        categories = categories_of(raw)
        self._words.update(text for category in listed(raw.get("categories")) if (text := category.get(_WORD)))
        found = [self._listed[category[:3]] for category in categories]
        self._found.values += found
        self._confidences += [category[3] for category in categories]
        self._lengths.values += (0, len(found), 0, 0)

    def fail(self) -> None:
        """Add the row of a failure."""
        self._lengths.values += (1, 0, 0, 0)
        self._found.values.append(0)
        self._confidences.append(None)

    def pack(self) -> None:
        """Pack away what was added so far."""
        self._lengths.pack()
        self._found.pack()
        self._columns.pack([self._confidences])
        self._confidences.clear()

    def columns(self) -> tuple[np.ndarray | None, dict[str, Any]]:
        """Return the frame's own columns, and whose row each is; warn of confidences that are words."""
        if self._words:
            warnings.warn(
                f"confidence has words in the place of numbers: {', '.join(map(_shown, sorted(self._words)[:_FEW]))}. "
                "Their cells are missing; the answers have them as confidence_band.",
                VocabularyWarning,
                stacklevel=levels_inside(),
            )
        runs = Runs(self._lengths.table())
        places = Columns({name: SCHEMAS["categories"][name] for name in _PLACE})
        places.pack(zip(*self._places.rows, strict=True))
        return runs.owner, {
            "rank": pd.arrays.IntegerArray(runs.rank, runs.place == 0),
            **self._columns.columns(),
            **places.columns(self._found.table()[:, 0]),
        }


def _shown(word: str) -> str:
    return printable(shortened(word, _SHOWN))


def _check_scores(scores: Any) -> None:
    for score in block(scores).values():
        confidence(score)


def _content_rows(answer: ContentCategorization) -> Iterator[dict[str, Any]]:
    lists = (
        ("content-v3", answer.v3),
        ("content-v2", answer.std_taxonomy_version2),
        ("filtering", answer.filtering_taxonomy),
    )
    for taxonomy, ranked in lists:
        for rank, category in enumerate(ranked, 1):
            identifier = None if taxonomy == "filtering" else _identifier(taxonomy, category.path)
            yield {
                "taxonomy": taxonomy,
                "id": identifier,
                "name": category.levels[-1],
                "tier": category.tier,
                **_levels(category.levels),
                "confidence": category.confidence,
                "rank": rank,
            }


def _listed_rows(listed: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for rank, category in enumerate(listed, 1):
        name, known = _known_category(category.id, category.name)
        yield {
            "taxonomy": name,
            "id": known.id if known else category.id,
            "name": category.name,
            "tier": category.tier or (known.tier if known else None),
            **_levels(known.levels if known else (category.name,)),
            "confidence": category.confidence,
            "rank": rank,
        }


def _known_category(identifier: str, name: str) -> tuple[TaxonomyName | None, Known | None]:
    """Return the taxonomy that has an identifier under this name, or else the first that has it at all.

    The versions share most identifiers, but some mean another category.
    """
    names: tuple[TaxonomyName, ...] = ("content-v3", "content-v2")
    found = [(version, Taxonomy.load(version)[identifier]) for version in names if identifier in Taxonomy.load(version)]
    same = [(version, category) for version, category in found if category.name == name]
    return next(iter(same or found), (None, None))


def _identifier(taxonomy: str, path: str) -> str | None:
    found = Taxonomy.load(taxonomy).at_path(path)
    return None if found is None else found.id


def _levels(levels: Iterable[str]) -> dict[str, str]:
    return {f"level_{number}": level for number, level in zip(range(1, _DEEPEST + 1), levels, strict=False)}
