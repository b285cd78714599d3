"""Bodies of answers about content, and a body as XML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, SubElement, tostring

from toolkit.interface.taxonomy import PATH_SEPARATOR
from toolkit.interface.text import printable
from toolkit.service.readers.personas import match_personas
from toolkit.service.readers.profile import profile_firms
from toolkit.service.subjects.content import lineage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolkit.service.subjects.content import Scored
    from toolkit.service.subjects.readings import Reading

__all__ = ["as_xml", "categories_shape", "content_shape"]


def categories_shape(reading: Reading) -> list[dict[str, Any]]:
    """Return the categories of a family A answer: content taxonomy v3, highest confidence first."""
    return [
        {
            "id": lineage(category.id, "content-v3"),
            "name": category.path.rsplit(PATH_SEPARATOR, 1)[-1],
            "tier": category.tier,
            "confidence": category.confidence,
        }
        for category in reading.content.v3
    ]


def content_shape(reading: Reading, *, personas: bool) -> dict[str, Any]:
    """Return the body of a content categorization, with persona scores if they are wanted."""
    v3 = _pairs(reading.content.v3)
    body: dict[str, Any] = {
        "std_classification": v3,
        "std_taxonomy": v3,
        "std_taxonomy_version2": _pairs(reading.content.v2),
        "filtering_taxonomy": _pairs(reading.content.filtering),
    }
    if personas:
        audience = profile_firms(reading.page, reading.content.v3).audience_type
        matches = match_personas(reading.page, reading.content.v3, audience)
        body["buyer_personas_confidence_selection"] = {match.persona: match.score for match in matches}
    return body


def as_xml(record: Mapping[str, Any], root: str = "enrichment") -> bytes:
    """Return a record as XML that reads back without loss.

    Elements carry the names of the fields; the entries of a list are ``item`` elements; a ``type`` attribute says what
    is no text: ``integer``, ``number``, ``boolean``, ``null``, ``array`` or ``object``.
    """
    whole = Element(root, {"type": "object"})
    for name, value in record.items():
        _append(whole, name, value)
    content: bytes = tostring(whole, encoding="utf-8", xml_declaration=True)
    return content


def _append(parent: Element, name: str, value: Any) -> None:
    node = SubElement(parent, name)
    if isinstance(value, dict):
        node.set("type", "object")
        for key, part in value.items():
            _append(node, key, part)
    elif isinstance(value, list):
        node.set("type", "array")
        for part in value:
            _append(node, "item", part)
    elif value is None:
        node.set("type", "null")
    elif isinstance(value, bool):
        node.set("type", "boolean")
        node.text = "true" if value else "false"
    elif isinstance(value, int | float):
        node.set("type", "integer" if isinstance(value, int) else "number")
        node.text = repr(value)
    else:
        # XML has no way to write control characters.
        node.text = printable(str(value))


def _pairs(categories: Iterable[Scored]) -> list[list[str]]:
    return [[f"Category name: {c.path}", f"Confidence: {c.confidence:g}"] for c in categories]
