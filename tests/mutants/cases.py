"""Every case of a seed, by its number."""

from __future__ import annotations

from random import Random
from typing import Final

from . import damages, dialects, facts, jobs, refusals, vocabularies
from .truth import Case, Reply, Truth


def _good(rng: Random, index: int, endpoint: str, target: str) -> Case:
    body, content = facts.MAKERS[endpoint](rng, target)
    import json

    text = facts.written_as_xml(body) if endpoint == "enrich_xml" else json.dumps(body)
    kind = "application/xml" if endpoint == "enrich_xml" else "application/json"
    reply = Reply(text.encode(), headers=[("Content-Type", kind)])
    return Case(index, "as described", endpoint, target, reply, Truth("answer", "must", content))


#: What makes a case, and how often.
_MAKERS: Final = (
    (_good, 4),
    (refusals.error, 20),
    (refusals.bare_error, 3),
    (refusals.lookalike, 6),
    (refusals.hollow, 3),
    (refusals.page, 3),
    (refusals.limited, 1),
    (refusals.echo, 5),
    (refusals.short_key, 1),
    (damages.odd_value, 14),
    (damages.odd_confidence, 5),
    (damages.other_site, 4),
    (damages.deep, 1),
    (damages.duplicates, 2),
    (damages.truncated, 4),
    (damages.encoded, 7),
    (damages.empty, 2),
    (dialects.spoken, 22),
    (vocabularies.vocabulary, 9),
    (vocabularies.no_vocabulary, 1),
    (jobs.job, 2.5),
)
_BOMBS: Final = 0.001
_FREQUENT: Final = ("segment", "segment", "categorize", "content_url", "content_url", "enrich", *facts.ENDPOINTS)


def case_of(seed: int, index: int) -> Case:
    """Return a case. The same two numbers give the same case, whatever else was made before."""
    rng = Random(f"{seed}:{index}")
    makers, weights = zip(*_MAKERS, strict=True)
    make = rng.choices(makers, weights)[0]
    endpoint = rng.choice(_FREQUENT)
    if rng.random() < _BOMBS:
        make = damages.bomb
    if make in {vocabularies.vocabulary, vocabularies.no_vocabulary}:
        endpoint = "filters"
    elif make is jobs.job:
        endpoint = "batch"
    return make(rng, index, endpoint, facts.target_of(endpoint, f"c{index}-mutant"))


def good_case(seed: int, index: int, endpoint: str) -> Case:
    """Return an answer as the interface describes it."""
    return _good(Random(f"{seed}:good:{index}"), index, endpoint, facts.target_of(endpoint, f"c{index}-mutant"))
