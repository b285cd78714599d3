"""Where the content of each answer stands: under which names, and in which object that a service may put around it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

__all__ = ["CONTENT_NAMES", "LEGACY", "OTHER_NAMES", "SHAPES", "WRAPPERS", "Shape", "unwrapped"]

#: The legacy segmentation, which has the endpoint of the structured one.
LEGACY: Final = "segment (legacy)"
#: What the lists of a content categorization are called, and what each stands for, in the order of preference.
CONTENT_NAMES: Final[dict[str, str]] = {
    "std_classification": "std_classification",
    "std_taxonomy": "std_taxonomy",
    "std_taxonomy_version2": "std_taxonomy_version2",
    **{
        f"{family}_{kind}{version}": f"std_{meant}"
        for family in ("std", "iab")
        for kind, version, meant in (
            *(("classification", version, "classification") for version in ("", "_version3", "_v3")),
            *(("classification", version, "taxonomy_version2") for version in ("_version2", "_v2")),
            *(("taxonomy", version, "taxonomy") for version in ("", "_version3", "_v3")),
            *(("taxonomy", version, "taxonomy_version2") for version in ("_version2", "_v2")),
        )
    },
}
#: The names of these beside the interface's own.
OTHER_NAMES: Final = frozenset(CONTENT_NAMES) - frozenset(CONTENT_NAMES.values())
#: Names under which a service may put the whole of an answer.
WRAPPERS: Final = ("data", "result", "results", "response", "payload", "body", "output", "answer")
_DEEPEST: Final = 3


class Shape(NamedTuple):
    """Where an answer's content stands: in objects and lists, in single values, or anywhere as one of some types."""

    blocks: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    anywhere: tuple[type, ...] = ()


#: By endpoint. What is said of a batch has no place of its own: it is read wherever it stands.
SHAPES: Final[dict[str, Shape]] = {
    "segment": Shape(
        ("demographics", "interests", "purchase_intent", "b2b", "personas", "content_context"), ("audience_type",)
    ),
    LEGACY: Shape(anywhere=(object,)),
    "categorize": Shape(("categories",)),
    "enrich": Shape(("company", "categories", "technologies", "traffic", "social", "contact")),
    "categorize_content": Shape((*CONTENT_NAMES, "filtering_taxonomy")),
    "explain": Shape(("reasons", "about")),
    "filters": Shape(anywhere=(dict, list)),
}


def unwrapped(raw: dict[str, Any], endpoint: str, levels: int = _DEEPEST) -> dict[str, Any]:
    """Return an answer with the fields of the one object that all its content is in; as it is if there is no such one.

    An answer of an endpoint that `SHAPES` lacks stays as it is.

    >>> unwrapped({"status": 200, "data": {"categories": []}}, "categorize")
    {'status': 200, 'categories': []}
    >>> unwrapped({"categories": [], "data": {"categories": [1]}}, "categorize")
    {'categories': [], 'data': {'categories': [1]}}
    >>> unwrapped({"data": {"batch_id": "b1"}}, "submit_batch")
    {'data': {'batch_id': 'b1'}}
    """
    names = [name for name in WRAPPERS if name in raw] if levels else []
    shape = SHAPES.get(endpoint)
    if not names or shape is None or not _known(shape).isdisjoint(raw):
        return raw
    found = {}
    for name in names:
        value = raw[name]
        inner = value[0] if isinstance(value, list) and len(value) == 1 else value
        if isinstance(inner, dict):
            inner = unwrapped(inner, endpoint, levels - 1)
            if not _known(shape).isdisjoint(inner):
                found[name] = inner
    if len(found) != 1:
        return raw
    (around, inner), *_ = found.items()
    return {**{name: value for name, value in raw.items() if name != around}, **inner}


@lru_cache
def _known(shape: Shape) -> frozenset[str]:
    return frozenset((*shape.blocks, *shape.values))
