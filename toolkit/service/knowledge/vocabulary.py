"""The vocabulary that the service can emit: as the filters document, and as an object."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final

from toolkit.interface.taxonomy import Taxonomy
from toolkit.interface.vocabulary import Vocabulary
from toolkit.service.knowledge.lexicon import knowledge_rows

__all__ = ["INDUSTRIES", "filters_document", "service_vocabulary"]

#: Path of the category whose children are the B2B industries.
INDUSTRIES: Final = "Business and Finance > Industries"


@cache
def _enumerations() -> dict[str, Any]:
    text = files("toolkit.service.knowledge").joinpath("enumerations.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def filters_document() -> dict[str, Any]:
    """Return the vocabulary as the filters endpoint sends it."""
    source = _enumerations()
    taxonomy = Taxonomy.load("content-v3")
    industries = {child.name: child.name for child in taxonomy.children(taxonomy.by_path(INDUSTRIES).id)}
    return {
        "vocab_version": source["vocab_version"],
        "audience_type": _values(source["audience_type"]),
        "demographics": {name: _values(table) for name, table in source["demographics"].items()},
        "interests": _groups("interests.tsv", "sub_interests"),
        "purchase_intent": _groups("purchase_intent.tsv", "segments"),
        "b2b": {
            **{name: _values(table) for name, table in source["b2b"].items()},
            "industry": _values({"values": industries}),
        },
        "content_context": {name: _values(table) for name, table in source["content_context"].items()},
        "confidence": _values({"values": {"low": "Low", "medium": "Medium", "high": "High"}}),
        "status": 200,
    }


@cache
def service_vocabulary() -> Vocabulary:
    """Return the vocabulary as an object, built once from the document."""
    return Vocabulary.parse(filters_document())


def _values(table: dict[str, Any]) -> list[dict[str, str]]:
    return [{"value": value, "label": label} for value, label in table["values"].items()]


def _groups(name: str, members: str) -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = []
    for row in knowledge_rows(name):
        entry = {"code": row["code"], "label": row["label"]}
        if row["code"].count(".") == 1:
            groups.append({**entry, members: []})
        else:
            groups[-1][members].append(entry)
    return groups
