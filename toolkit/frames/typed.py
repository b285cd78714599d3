"""Frames of typed answers: as records, they go the way of all answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from toolkit.frames.plain import plain
from toolkit.frames.readers import frame_of_run
from toolkit.frames.records import Record
from toolkit.interface.calls import MODELS
from toolkit.interface.checks import check_list
from toolkit.interface.errors import InputError, ServiceError
from toolkit.interface.models import Answer, BatchItem, BatchResults, LegacySegmentation, Outcome
from toolkit.interface.targets import parse_target

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pandas as pd

    from toolkit.interface.errors import ToolkitError
    from toolkit.interface.vocabulary import Vocabulary

    Result = Answer | Outcome | ToolkitError

__all__ = ["audiences", "categories", "codes", "companies", "technologies"]

_ANSWERED: Final = 200
_MODELS: Final[tuple[tuple[str, type[Answer]], ...]] = (*MODELS.items(), ("segment", LegacySegmentation))
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


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
    return _frame("audiences", results, ("segment",), vocabulary)


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
        Columns as ``SCHEMAS["codes"]``: ``dimension`` is one of `DIMENSIONS`; ``basis`` says whether it is measured, on
        the page, or inferred, from what is known of the readers of its subject; ``group`` is a code's group, for a
        persona the category path it is mapped from; ``confidence`` is the block's band; ``rank`` counts from 1 within
        target and dimension. A failure is one row without a dimension; an answer without codes has none.

    Examples
    --------
    >>> from toolkit import Client
    >>> frame = codes(Client().segment("torque-journal.example"))
    >>> frame[frame["dimension"] == "age_bracket"]["code"].tolist()
    ['35_44', '45_54', '55_64']
    """
    return _frame("codes", results, ("segment",), vocabulary)


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
    return _frame("categories", results, ("categorize", "categorize_content", "enrich", "batch_results"))


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
    return _frame("companies", results, ("enrich",))


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
    return _frame("technologies", results, ("enrich",))


def _frame(
    name: str, results: Iterable[Result] | Result, endpoints: tuple[str, ...], vocabulary: Vocabulary | None = None
) -> pd.DataFrame:
    outcomes = [
        outcome for outcome in map(_labelled, _outcomes(results)) if (outcome.endpoint or endpoints[0]) in endpoints
    ]
    paid: set[int] = set()
    records = [record for row, outcome in enumerate(outcomes) for record in _records_of(row, outcome, paid)]
    legacy = {row for row, outcome in enumerate(outcomes) if isinstance(outcome.answer, LegacySegmentation)}
    return frame_of_run(name, records, vocabulary, legacy=legacy)


def _outcomes(results: Iterable[Result] | Result) -> Iterator[Outcome]:
    if isinstance(results, Mapping):
        raise InputError("Frames take answers, outcomes or errors, not a mapping. Pass a list of them.")
    if isinstance(results, Answer | Outcome | Exception):
        results = [results]
    check_list(results, "answers, outcomes or errors: client.ask([…])")
    return (Outcome.of(result) for result in results)


def _labelled(outcome: Outcome) -> Outcome:
    """Return an outcome with its endpoint: an answer that was read from elsewhere does not state it."""
    if outcome.endpoint or outcome.answer is None:
        return outcome
    kinds = (endpoint for endpoint, model in _MODELS if isinstance(outcome.answer, model))
    return replace(outcome, endpoint=next(kinds, ""))


def _records_of(row: int, outcome: Outcome, paid: set[int]) -> Iterator[Record]:
    """Yield an outcome as the records of a row; an answer that is given twice was paid for once."""
    answer, error = outcome.answer, outcome.error
    if answer is None:
        told: dict[str, Any] = {}
        if isinstance(error, ServiceError):
            told = {"fetched_at": _microseconds(error.fetched_at), "from_cache": error.from_cache}
        yield Record(row, outcome.target, _normal(outcome.target), outcome.endpoint, outcome.status, str(error), **told)
        return
    source = answer.provenance
    cost = source.credits_used if source.credits_used is None or not (source.from_cache or id(answer) in paid) else 0
    paid.add(id(answer))
    common: dict[str, Any] = {
        "row": row,
        "endpoint": outcome.endpoint,
        "request_id": source.request_id,
        "vocab_version": source.vocab_version,
        "fetched_at": _microseconds(source.fetched_at),
        "from_cache": source.from_cache,
    }
    if not isinstance(answer, BatchResults):
        raw = answer.raw or plain(answer)
        yield Record(
            **common, target=outcome.target, normal=source.normal, status=_ANSWERED, raw=raw, credits_used=cost
        )
        return
    for place, item in enumerate(answer.results):
        asked = common | {"target": item.domain, "normal": item.domain, "status": _status(item)}
        asked["credits_used"] = 0 if place and cost is not None else cost
        if item.error or asked["status"] != _ANSWERED:
            yield Record(**asked, error=str(item.error or f"answered {item.status}"))
        if item.categories:
            yield Record(**asked | {"status": _ANSWERED}, raw=plain(item))


def _normal(target: str) -> str | None:
    try:
        return parse_target(target).normal
    except InputError:
        return None


def _microseconds(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - _EPOCH) // timedelta(microseconds=1)


def _status(item: BatchItem) -> int | None:
    """Return what a batch says of a domain: without a word of its own, categories are a success."""
    if item.status is not None:
        return item.status
    return None if item.error else _ANSWERED
