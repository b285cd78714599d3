"""The response shapes of the interface, built from readings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, SubElement, tostring

from toolkit.interface.taxonomy import PATH_SEPARATOR, Taxonomy
from toolkit.interface.text import printable
from toolkit.service.company.enrichment import enrich
from toolkit.service.readers.audience import map_codes
from toolkit.service.readers.context import read_context
from toolkit.service.readers.profile import match_personas, profile_firms, profile_people
from toolkit.service.readers.signals import find_signals
from toolkit.service.web.filters import service_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolkit.service.library import Reading
    from toolkit.service.subjects.content import Scored

__all__ = ["as_xml", "categories_shape", "content_shape", "enrichment_shape", "legacy_shape", "structured_shape"]

_CONTEXT_FIELDS = ("content_type", "reading_level", "price_signals")
_MOST_LEGACY_PHRASES = 12


def categories_shape(reading: Reading) -> list[dict[str, Any]]:
    """Return the categories of a family A answer: content taxonomy v3, highest confidence first.

    An identifier is that of the category after those of its ancestors, joined by hyphens: ``150``, ``150-151``.
    """
    return [
        {
            "id": _lineage(category.id),
            "name": category.path.rsplit(PATH_SEPARATOR, 1)[-1],
            "tier": category.tier,
            "confidence": category.confidence,
        }
        for category in reading.content.v3
    ]


def enrichment_shape(domain: str, reading: Reading, include: Iterable[str]) -> dict[str, Any]:
    """Return the enrichment record of a domain's home page, with the data groups of `include`."""
    record = enrich(domain, reading.page, reading.content, include)
    if "categories" in record:
        record["categories"] = [
            {name: value for name, value in category.items() if name != "tier"}
            for category in categories_shape(reading)
        ]
    return record


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
        matches = match_personas(reading.content.v3, audience)
        body["buyer_personas_confidence_selection"] = {match.persona: match.score for match in matches}
    return body


def structured_shape(url: str, reading: Reading) -> dict[str, Any]:
    """Return the body of a structured segmentation."""
    page, categories = reading.page, reading.content.v3
    context = read_context(page, categories)
    firms = profile_firms(page, categories)
    people = profile_people(page, categories, context, firms.audience_type)
    signals = find_signals(page)
    interests, intents = (
        map_codes(page, "interest", categories, signals),
        map_codes(page, "purchase_intent", categories, signals),
    )
    groups = list(dict.fromkeys(_group(code) for code in interests.codes))
    vocabulary = service_vocabulary()
    return {
        "url": url,
        "vocab_version": vocabulary.version,
        "audience_type": firms.audience_type,
        "demographics": {**people.values, "confidence": people.confidence},
        "b2b": {
            "company_size_employees": firms.company_size,
            "seniority": firms.seniority,
            "job_function": firms.job_function,
            "industry": firms.industry,
            "confidence": firms.confidence,
        },
        "interests": {"tier1": groups, "tier2": interests.codes, "confidence": interests.confidence},
        "purchase_intent": {"codes": intents.codes, "confidence": intents.confidence},
        "personas": [
            {"persona": match.persona, "mapped_from": match.mapped_from, "source": "static_mapping"}
            for match in match_personas(categories, firms.audience_type)
        ],
        "content_context": {name: getattr(context, name) for name in _CONTEXT_FIELDS},
        "labels": {code: vocabulary.label(code) for code in [*groups, *interests.codes, *intents.codes]},
    }


def legacy_shape(url: str, reading: Reading) -> dict[str, Any]:
    """Return the body of a legacy segmentation: the same signals as free text."""
    structured = structured_shape(url, reading)
    vocabulary = service_vocabulary()
    people, firms = structured["demographics"], structured["b2b"]

    def words(block: Mapping[str, Any], name: str) -> str:
        value = block.get(name)
        values = value if isinstance(value, list) else [value] if value else []
        return ", ".join(vocabulary.values[name].get(str(entry), str(entry)) for entry in values)

    intents = {
        phrase
        for match in map_codes(reading.page, "purchase_intent", reading.content.v3).matches
        for phrase in match.signals
    }
    return {
        "url": url,
        "audience": vocabulary.values["audience_type"][structured["audience_type"]],
        "age_range": words(people, "age_bracket"),
        "gender": words(people, "gender_skew"),
        "income": words(people, "income_level"),
        "education": words(people, "education_level"),
        "life_stage": words(people, "life_stage"),
        "household": words(people, "household_composition"),
        "employment": words(people, "employment_status"),
        "home_ownership": words(people, "home_ownership"),
        "location": words(people, "urbanicity"),
        "interests": [signal.text for signal in find_signals(reading.page)][:_MOST_LEGACY_PHRASES],
        "purchase_intent": sorted(intents),
        "personas": [persona["persona"] for persona in structured["personas"]],
        "business_audience": ", ".join(
            part for part in (words(firms, "job_function"), words(firms, "seniority"), words(firms, "industry")) if part
        ),
        "content": ", ".join(vocabulary.values[n][v] for n, v in structured["content_context"].items() if v),
    }


def as_xml(record: Mapping[str, Any]) -> bytes:
    """Return a record as XML that reads back without loss.

    Elements carry the names of the fields; the entries of a list are ``item`` elements; a ``type`` attribute says what
    is no text: ``integer``, ``number``, ``boolean``, ``null``, ``array`` or ``object``.
    """
    root = Element("enrichment", {"type": "object"})
    for name, value in record.items():
        _append(root, name, value)
    content: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
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


def _lineage(identifier: str) -> str:
    above = (category.id for category in Taxonomy.load("content-v3").ancestors(identifier))
    return "-".join((*above, identifier))


def _group(code: str) -> str:
    return ".".join(code.split(".")[:2])
