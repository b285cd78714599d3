"""Typed answers in, tidy frames out. Each frame has one declared schema, whatever and however much comes in.

Failures are rows with `status` and `error`. Codes are strings, bands are ordered categoricals whose order is the
vocabulary's, times are UTC, and no cell holds a list or a mapping.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from toolkit.frames.schemas import BAND, BLOCKS, DIMENSIONS, LISTS, SCALARS, SCHEMAS
from toolkit.interface.errors import InputError, UnknownCodeError
from toolkit.interface.models import (
    Answer,
    BatchItem,
    BatchResults,
    Categorization,
    ContentCategorization,
    Enrichment,
    Outcome,
    Segmentation,
)
from toolkit.interface.targets import parse_target
from toolkit.interface.taxonomy import Category, Taxonomy, TaxonomyName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolkit.interface.errors import ToolkitError
    from toolkit.interface.vocabulary import Vocabulary

    Result = Answer | Outcome | ToolkitError

__all__ = [
    "DIMENSIONS",
    "SCHEMAS",
    "VocabularyWarning",
    "audiences",
    "categories",
    "codes",
    "companies",
    "technologies",
]

_ANSWERED: Final = 200
_DEEPEST: Final = 4
_LARGEST_INTEGER: Final = 2**63 - 1


class VocabularyWarning(UserWarning):
    """An answer has a value that the vocabulary given does not have; it is missing in the frame."""


def audiences(results: Iterable[Result] | Result, vocabulary: Vocabulary) -> pd.DataFrame:
    """Return one row a target with the scalars of its segmentation.

    Parameters
    ----------
    results : Segmentation, Outcome, error, or iterable of them
        Answers and failures. Outcomes of other endpoints are left out.
    vocabulary : Vocabulary
        Gives the bands their categories and order.

    Returns
    -------
    DataFrame
        Columns as ``SCHEMAS["audiences"]``: ``row`` (position among the inputs of this frame), ``target``, ``normal``,
        the bands and enumerations as categoricals (missing where unknown), the confidence of each block, the numbers of
        codes, and provenance. One row an input, in input order, duplicates included.

    Warns
    -----
    VocabularyWarning
        If a value is not in the vocabulary; the cell is missing, the answer's raw JSON has it.

    Examples
    --------
    >>> from toolkit import Client
    >>> client = Client()
    >>> frame = audiences(client.segment("ledgerline.example"), client.filters())
    >>> frame.loc[0, ["target", "audience_type"]].tolist()
    ['ledgerline.example', 'b2b']
    """
    rows = []
    for position, outcome in _outcomes(results, ("segment",)):
        row = _common(position, outcome)
        if isinstance(answer := outcome.answer, Segmentation):
            row |= {name: _value(answer, *place) for name, place in SCALARS.items()}
            row |= {f"{block}_confidence": getattr(answer, block).confidence for block in BLOCKS}
            row["interests"] = len(answer.interests.tier2)
            row["purchase_intents"] = len(answer.purchase_intent.codes)
            row["personas"] = len(answer.personas)
        rows.append(row)
    return _frame("audiences", rows, vocabulary)


def codes(results: Iterable[Result] | Result, vocabulary: Vocabulary | None = None) -> pd.DataFrame:
    """Return one row a target, dimension and code of its segmentation.

    Parameters
    ----------
    results : Segmentation, Outcome, error, or iterable of them
        Answers and failures. Outcomes of other endpoints are left out.
    vocabulary : Vocabulary, optional
        Gives labels where the answer has none.

    Returns
    -------
    DataFrame
        Columns as ``SCHEMAS["codes"]``: ``dimension`` is one of `DIMENSIONS`; ``group`` is a code's group, for a
        persona the category path it is mapped from; ``confidence`` is the block's band; ``rank`` counts from 1 within
        target and dimension. A failure is one row without a dimension; an answer without codes has none.

    Examples
    --------
    >>> from toolkit import Client
    >>> frame = codes(Client().segment("torque-journal.example"))
    >>> frame[frame["dimension"] == "age_bracket"]["code"].tolist()
    ['25_34', '35_44', '45_54']
    """
    rows = []
    for position, outcome in _outcomes(results, ("segment",)):
        common = _common(position, outcome)
        if outcome.error is not None:
            rows.append(common)
        elif isinstance(outcome.answer, Segmentation):
            rows.extend(common | found for found in _codes_of(outcome.answer, vocabulary))
    return _frame("codes", rows)


def categories(results: Iterable[Result] | Result) -> pd.DataFrame:
    """Return one row a target, taxonomy and category.

    Parameters
    ----------
    results : Categorization, ContentCategorization, Enrichment, BatchResults, Outcome, error, or iterable of them
        Answers and failures. Outcomes of other endpoints are left out.

    Returns
    -------
    DataFrame
        Columns as ``SCHEMAS["categories"]``: ``taxonomy`` is ``content-v3``, ``content-v2`` or ``filtering``; ``id``
        is missing where a path is in no bundled taxonomy; ``level_1`` … ``level_4`` are the names from the top;
        ``confidence`` is 0 to 1; ``rank`` counts from 1 within target and taxonomy. A failure is one row without a
        taxonomy.

    Examples
    --------
    >>> from toolkit import Client
    >>> frame = categories(Client().categorize("torque-journal.example"))
    >>> frame.loc[0, ["taxonomy", "id", "level_1"]].tolist()
    ['content-v3', '1', 'Automotive']
    """
    rows = []
    for position, outcome in _outcomes(results, ("categorize", "categorize_content", "enrich", "batch_results")):
        common = _common(position, outcome)
        answer = outcome.answer
        if outcome.error is not None:
            rows.append(common)
        elif isinstance(answer, ContentCategorization):
            rows.extend(common | found for found in _content_rows(answer))
        elif isinstance(answer, Categorization | Enrichment):
            rows.extend(common | found for found in _listed_rows(answer.categories))
        elif isinstance(answer, BatchResults):
            for item in answer.results:
                named = common | {"target": item.domain, "normal": item.domain, "status": _item_status(item)}
                if item.error or named["status"] != _ANSWERED:
                    rows.append(named | {"error": str(item.error or f"answered {item.status}")})
                rows.extend(named | found for found in _listed_rows(item.categories))
    return _frame("categories", rows)


def companies(results: Iterable[Result] | Result) -> pd.DataFrame:
    """Return one row a domain with the scalars of its enrichment.

    Parameters
    ----------
    results : Enrichment, Outcome, error, or iterable of them
        Answers and failures. Outcomes of other endpoints are left out.

    Returns
    -------
    DataFrame
        Columns as ``SCHEMAS["companies"]``; missing where the service does not know. One row an input, in input order.

    Examples
    --------
    >>> from toolkit import Client
    >>> int(companies(Client().enrich("trailhead-outfitters.example")).loc[0, "founded_year"])
    1998
    """
    rows = []
    for position, outcome in _outcomes(results, ("enrich",)):
        row = _common(position, outcome)
        if isinstance(answer := outcome.answer, Enrichment):
            place = answer.company.headquarters
            row |= {"domain": answer.domain, "city": place.city, "state": place.state, "country": place.country}
            for block in (answer.company, answer.traffic, answer.social):
                row |= {name: getattr(block, name) for name in SCHEMAS["companies"] if name in type(block).model_fields}
        rows.append(row)
    return _frame("companies", rows)


def technologies(results: Iterable[Result] | Result) -> pd.DataFrame:
    """Return one row a domain and technology.

    Parameters
    ----------
    results : Enrichment, Outcome, error, or iterable of them
        Answers and failures. Outcomes of other endpoints are left out.

    Returns
    -------
    DataFrame
        Columns as ``SCHEMAS["technologies"]``. A failure is one row without a technology.

    Examples
    --------
    >>> from toolkit import Client
    >>> "Shopify" in technologies(Client().enrich("trailhead-outfitters.example"))["technology"].tolist()
    True
    """
    rows = []
    for position, outcome in _outcomes(results, ("enrich",)):
        common = _common(position, outcome)
        if outcome.error is not None:
            rows.append(common)
        elif isinstance(answer := outcome.answer, Enrichment):
            common["domain"] = answer.domain
            rows.extend(common | {"technology": t.name, "category": t.category} for t in answer.technologies)
    return _frame("technologies", rows)


def _outcomes(results: Iterable[Result] | Result, endpoints: tuple[str, ...]) -> Iterator[tuple[int, Outcome]]:
    if isinstance(results, Mapping):
        raise InputError("Frames take answers, outcomes or errors, not a mapping. Pass a list of them.")
    if isinstance(results, Answer | Outcome | Exception):
        results = [results]
    outcomes = (Outcome.of(result) for result in results)
    yield from enumerate(outcome for outcome in outcomes if not outcome.endpoint or outcome.endpoint in endpoints)


def _common(position: int, outcome: Outcome) -> dict[str, Any]:
    row: dict[str, Any] = {"row": position, "target": outcome.target, "endpoint": outcome.endpoint}
    if outcome.answer is not None:
        source = outcome.answer.provenance
        names = ("normal", "request_id", "vocab_version", "fetched_at", "from_cache", "credits_used")
        return row | {name: getattr(source, name) for name in names} | {"status": _ANSWERED}
    try:
        row["normal"] = parse_target(outcome.target).normal
    except InputError:
        row["normal"] = None
    return row | {"status": outcome.status, "error": str(outcome.error), "from_cache": False}


def _value(answer: Segmentation, block: str, name: str) -> Any:
    return getattr(getattr(answer, block) if block else answer, name)


def _codes_of(answer: Segmentation, vocabulary: Vocabulary | None) -> Iterator[dict[str, Any]]:
    interests, intent = answer.interests, answer.purchase_intent
    blocks = (
        ("interest_group", interests.tier1, interests.confidence),
        ("interest", interests.tier2, interests.confidence),
        ("purchase_intent", intent.codes, intent.confidence),
    )
    for dimension, found, confidence in blocks:
        for rank, code in enumerate(found, 1):
            known = vocabulary.codes.get(code) if vocabulary else None
            yield {
                "dimension": dimension,
                "code": code,
                "label": answer.labels.get(code) or (known.label if known else None),
                "group": ".".join(code.split(".")[:2]),
                "confidence": confidence,
                "rank": rank,
            }
    for rank, persona in enumerate(answer.personas, 1):
        name = persona.persona
        yield {"dimension": "persona", "code": name, "label": name, "group": persona.mapped_from, "rank": rank}
    for name, (block, field) in {**LISTS, **SCALARS}.items():
        found = _value(answer, block, field)
        for rank, value in enumerate(found if isinstance(found, list) else [found], 1):
            if value is not None:
                yield {
                    "dimension": name,
                    "code": value,
                    "label": (vocabulary.values.get(name, {}) if vocabulary else {}).get(value),
                    "confidence": getattr(getattr(answer, block), "confidence", None) if block else None,
                    "rank": rank,
                }


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


def _known_category(identifier: str, name: str) -> tuple[TaxonomyName | None, Category | None]:
    """Return the taxonomy that has an identifier under this name, or else the first that has it at all.

    The versions share most identifiers, but some mean another category.
    """
    names: tuple[TaxonomyName, ...] = ("content-v3", "content-v2")
    found = [(version, Taxonomy.load(version)[identifier]) for version in names if identifier in Taxonomy.load(version)]
    same = [(version, category) for version, category in found if category.name == name]
    return next(iter(same or found), (None, None))


def _item_status(item: BatchItem) -> int | None:
    """Return what a batch says of a domain: without a word of its own, categories are a success."""
    if item.status is not None:
        return item.status
    return None if item.error else _ANSWERED


def _identifier(taxonomy: str, path: str) -> str | None:
    try:
        return Taxonomy.load(taxonomy).by_path(path).id
    except UnknownCodeError:
        return None


def _levels(levels: Iterable[str]) -> dict[str, str]:
    return {f"level_{number}": level for number, level in zip(range(1, _DEEPEST + 1), levels, strict=False)}


def _frame(name: str, rows: list[dict[str, Any]], vocabulary: Vocabulary | None = None) -> pd.DataFrame:
    columns = {}
    for column, declared in SCHEMAS[name].items():
        values = [row.get(column) for row in rows]
        dtype = _band_dtype(column, vocabulary) if declared == BAND else declared
        columns[column] = _series(column, values, dtype)
    return pd.DataFrame(columns)


def _band_dtype(column: str, vocabulary: Vocabulary | None) -> pd.CategoricalDtype:
    if vocabulary is None or column not in vocabulary.values:
        return pd.CategoricalDtype([])
    return vocabulary.dtype(column)


def _series(column: str, values: list[Any], dtype: Any) -> pd.Series:
    if dtype == "Int64":
        values = [value if value is None or abs(value) <= _LARGEST_INTEGER else None for value in values]
    if isinstance(dtype, pd.CategoricalDtype):
        known = set(dtype.categories)
        unknown = sorted({value for value in values if value is not None and value not in known})
        if unknown:
            warnings.warn(
                f"{column} has values that the vocabulary does not have: {', '.join(unknown)}. Their cells are "
                "missing; fetch the vocabulary again with client.filters(refresh=True).",
                VocabularyWarning,
                stacklevel=4,
            )
        values = [value if value in known else None for value in values]
    found: pd.Series = pd.Series(values, dtype=dtype)
    return found
