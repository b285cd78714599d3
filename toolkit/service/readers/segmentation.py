"""Who reads a page, as the body of an answer: structured, and the same signals as free text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolkit.service.collector import uncollected
from toolkit.service.knowledge.vocabulary import service_vocabulary
from toolkit.service.readers.audience import map_codes
from toolkit.service.readers.context import read_context
from toolkit.service.readers.personas import match_personas
from toolkit.service.readers.profile import profile_firms, profile_people
from toolkit.service.readers.signals import find_signals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.service.subjects.readings import Reading

__all__ = ["legacy_shape", "structured_shape"]

_CONTEXT_FIELDS = ("content_type", "reading_level", "price_signals")
_MOST_LEGACY_PHRASES = 12


@uncollected()
def structured_shape(url: str, reading: Reading) -> dict[str, Any]:
    """Return the body of a structured segmentation."""
    page, categories = reading.page, reading.content.v3
    context = read_context(page, categories)
    firms = profile_firms(page, categories)
    people = profile_people(page, categories, context, firms.audience_type)
    interests, intents = map_codes(page, "interest", categories), map_codes(page, "purchase_intent", categories)
    groups = list(interests.groups)
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
            for match in match_personas(page, categories, firms.audience_type)
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
