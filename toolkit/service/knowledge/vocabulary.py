"""The vocabulary that the service can emit: as the filters document, and as an object."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final

from toolkit.interface.taxonomy import Taxonomy
from toolkit.interface.vocabulary import FIELDS, Code, Kind, Vocabulary
from toolkit.service.knowledge.lexicon import knowledge_rows

__all__ = ["INDUSTRIES", "filters_document", "service_vocabulary"]

#: Path of the category whose children are the B2B industries.
INDUSTRIES: Final = "Business and Finance > Industries"
#: Kinds of codes, where the document has their groups, and where a group has its members.
_KINDS: Final[tuple[tuple[Kind, str, str], ...]] = (
    ("interest", "interests", "sub_interests"),
    ("purchase_intent", "purchase_intent", "segments"),
)


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
        **{groups: _groups(f"{groups}.tsv", members) for _, groups, members in _KINDS},
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
    """Return the vocabulary as an object, built once.

    It is the one that `Vocabulary.parse` reads from the document. The reader of documents of any form takes a third of
    a second of a first answer, and here the form is known.
    """
    document = filters_document()
    codes = {
        entry["code"]: Code(entry["code"], entry["label"], kind, group["code"])
        for kind, groups, members in _KINDS
        for group in document[groups]
        for entry in (group, *group[members])
    }
    blocks = (document, document["demographics"], document["b2b"], document["content_context"])
    values = {
        field: {entry["value"]: entry["label"] for entry in block[field]}
        for field in FIELDS
        for block in blocks
        if field in block
    }
    return Vocabulary(document["vocab_version"], codes, values, document)


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
