"""Right answers: facts made up from the vocabularies, written as the interface's description shows."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.vocabulary import filters_document

from .truth import LISTS, SCALARS

if TYPE_CHECKING:
    from random import Random

#: What is asked: a method of the client with its options.
ENDPOINTS: Final = (
    "segment",
    "legacy",
    "categorize",
    "content_url",
    "content_text",
    "enrich",
    "enrich_xml",
    "submit_batch",
    "batch_results",
)
_NAMES: Final = (
    "Ledgerline, Inc.",
    "Müller & Söhne GmbH",
    "東京データ株式会社",
    "Société Générale d'Été",
    "O'Neil “Quoted” Ltd",
    "Fehler 404 Brauerei",
    "Error Prone Brewing <Co>",
    "Ünïcode 🚀 Labs",
)
_PERSONAS: Final = (
    "Home Cooks",
    "Weekend Hikers",
    "Bookkeepers and Accountants",
    "Café Régulars",
    "First-time Buyers",
    "Failed-startup Founders",
    "DIY & Garden",
)
_TECHNOLOGIES: Final = ("nginx", "React", "Google Tag Manager", "WordPress", "C++ Builder", "Vue.js", "HubSpot")
_KINDS_OF_TECHNOLOGY: Final = ("Web server", "Framework", "Tag manager", "CMS", "Analytics")
_CITIES: Final = (("Zürich", "ZH", "Switzerland"), ("São Paulo", "SP", "Brazil"), ("Austin", "Texas", "US"))
_FILTERING: Final = ("Food and Dining", "Business and Economy", "Shopping", "Sports", "News and Media", "Travel")
_SENTENCES: Final = (
    "Young parents who plan their week",
    "Homeowners with a garden",
    "People comparing mortgage offers",
    "Software buyers in small companies",
    "Readers of 401(k) advice",
    "Fans of “500 Days”, mostly urban",
)


@cache
def _values(field: str) -> tuple[str, ...]:
    document = filters_document()
    block, _, name = field.rpartition(".")
    return tuple(entry["value"] for entry in (document[block] if block else document)[name])


@cache
def codes(kind: str) -> tuple[tuple[str, str], ...]:
    """Return the members' codes of ``interests`` or ``purchase_intent``, with their labels."""
    below = "sub_interests" if kind == "interests" else "segments"
    return tuple((one["code"], one["label"]) for group in filters_document()[kind] for one in group[below])


@cache
def _group_labels() -> dict[str, str]:
    document = filters_document()
    return {one["code"]: one["label"] for kind in ("interests", "purchase_intent") for one in document[kind]}


@cache
def taxonomy(name: str) -> tuple[tuple[str, str, str, int], ...]:
    """Return the categories of a taxonomy: lineage of identifiers, name, path and tier."""
    loaded = Taxonomy.load(name)
    found = []
    for one in (category for tier in range(1, 5) for category in loaded.tier(tier)):
        lineage = [*(above.id for above in loaded.ancestors(one.id)), one.id]
        if lineage[0] == one.id and len(lineage) > 1:
            lineage.reverse()
        found.append(("-".join(dict.fromkeys(lineage)), one.name, " > ".join(one.levels), one.tier))
    return tuple(found)


def _some(rng: Random, values: Any, least: int, most: int) -> list[Any]:
    values = list(values)
    return rng.sample(values, min(len(values), rng.randint(least, most)))


def _confidences(rng: Random, number: int) -> list[float]:
    return sorted((round(rng.uniform(0.02, 1.0), rng.choice((2, 4))) for _ in range(number)), reverse=True)


def segment(rng: Random, target: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a structured segmentation, and what it says."""
    interests = _some(rng, codes("interests"), 1, 5)
    groups = list(dict.fromkeys(".".join(code.split(".")[:2]) for code, _ in interests))
    intents = _some(rng, codes("purchase_intent"), 1, 4)
    labels = {**{group: _group_labels()[group] for group in groups}, **dict(interests), **dict(intents)}
    personas = _some(rng, _PERSONAS, 1, 3)
    blocks: dict[str, dict[str, Any]] = {name: {} for name in ("demographics", "b2b", "content_context")}
    content: dict[str, Any] = {}
    for name in LISTS:
        block, field = name.split(".")
        blocks[block][field] = _some(rng, _values(name), 1, 3)
        content[name] = frozenset(blocks[block][field])
    for name in SCALARS:
        block, field = name.split(".")
        content[name] = blocks[block][field] = rng.choice(_values(name))
    bands = {name: rng.choice(("low", "medium", "high")) for name in ("demographics", "b2b", "interests")}
    bands["purchase_intent"] = rng.choice(("low", "medium", "high"))
    kind = rng.choice(("b2c", "b2b", "mixed"))
    body = {
        "url": target,
        "vocab_version": "1.1",
        "audience_type": kind,
        "demographics": {**blocks["demographics"], "confidence": bands["demographics"]},
        "b2b": {**blocks["b2b"], "confidence": bands["b2b"]},
        "interests": {
            "tier1": groups,
            "tier2": [code for code, _ in interests],
            "confidence": bands["interests"],
        },
        "purchase_intent": {"codes": [code for code, _ in intents], "confidence": bands["purchase_intent"]},
        "personas": [
            {"persona": one, "mapped_from": "Food & Drink > Cooking", "source": "static_mapping"} for one in personas
        ],
        "content_context": blocks["content_context"],
        "labels": labels,
        "status": 200,
    }
    content |= {
        "vocab_version": "1.1",
        "audience_type": kind,
        "interests.tier1": frozenset(groups),
        "interests.tier2": frozenset(code for code, _ in interests),
        "purchase_intent.codes": frozenset(code for code, _ in intents),
        "personas": frozenset(personas),
        "labels": labels,
        **{f"{block}.confidence": band for block, band in bands.items()},
    }
    return body, content


def legacy(rng: Random, target: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a segmentation in free text: its fields are not described, so any are right."""
    names = ("target_audience", "audience", "demographics", "interests", "summary", "buyer_personas", "income")
    body: dict[str, Any] = {"url": target}
    for name in _some(rng, names, 2, 5):
        texts = _some(rng, _SENTENCES, 1, 3)
        body[name] = rng.choice((texts[0], texts, ", ".join(texts), {"main": texts[0], "others": texts[1:]}))
    content = {"texts": frozenset(_leaves(body))}
    return {**body, "status": 200}, content


def _leaves(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for part in value.values() for text in _leaves(part)]
    if isinstance(value, list):
        return [text for part in value for text in _leaves(part)]
    return [value] if isinstance(value, str) else []


def _categories(rng: Random, *, tiers: bool) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    chosen = _some(rng, taxonomy("content-v3"), 1, 5)
    unique = list({name: (identifier, name, tier) for identifier, name, _, tier in chosen}.values())
    body = []
    for (identifier, name, tier), confidence in zip(unique, _confidences(rng, len(unique)), strict=True):
        entry: dict[str, Any] = {"id": identifier, "name": name}
        if tiers:
            entry["tier"] = tier
        body.append({**entry, "confidence": confidence})
    content = {
        "categories": {entry["name"]: entry["confidence"] for entry in body},
        "ids": {entry["name"]: entry["id"] for entry in body},
    }
    if tiers:
        content["tiers"] = {entry["name"]: entry["tier"] for entry in body}
    return body, content


def _meta(rng: Random) -> dict[str, Any]:
    meta = {"request_id": f"req_{rng.randrange(16**12):012x}", "processing_time_ms": rng.randrange(900)}
    return {**meta, "credits_used": 1} if rng.random() < 0.7 else meta


def categorize(rng: Random, target: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a categorization of a domain, and what it says."""
    categories, content = _categories(rng, tiers=True)
    return {"domain": target, "categories": categories, "meta": _meta(rng)}, content


def content(rng: Random, _: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a categorization of content, and what it says."""
    body: dict[str, Any] = {}
    said: dict[str, Any] = {}
    shape = rng.choice(("described", "both", "taxonomies"))
    for name, known, kept in (
        ("v3", [path for *_, path, _ in taxonomy("content-v3")], {"described": ("std_classification",)}),
        ("v2", [path for *_, path, _ in taxonomy("content-v2")], {"described": ()}),
        ("filtering", _FILTERING, {"described": ("filtering_taxonomy",)}),
    ):
        usual = {"v3": ("std_taxonomy",), "v2": ("std_taxonomy_version2",), "filtering": ("filtering_taxonomy",)}[name]
        fields = kept["described"] if shape == "described" else usual
        if shape == "both" and name == "v3":
            fields = ("std_classification", "std_taxonomy")
        paths = _some(rng, known, 1, 4)
        ranked = dict(zip(paths, _confidences(rng, len(paths)), strict=True))
        for field in fields:
            body[field] = [[f"Category name: {path}", f"Confidence: {score}"] for path, score in ranked.items()]
        if fields:
            said[name] = ranked
    personas = _some(rng, _PERSONAS, 1, 4)
    scores = dict(zip(personas, _confidences(rng, len(personas)), strict=True))
    body["buyer_personas_confidence_selection"] = scores
    said["persona_scores"] = dict(scores)
    return {**body, "status": 200}, said


def enrich(rng: Random, target: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return an enrichment record, and what it says."""
    city, state, country = rng.choice(_CITIES)
    categories, said = _categories(rng, tiers=False)
    technologies = {name: rng.choice(_KINDS_OF_TECHNOLOGY) for name in _some(rng, _TECHNOLOGIES, 1, 4)}
    company = {
        "name": rng.choice(_NAMES),
        "description": rng.choice(_SENTENCES),
        "founded_year": rng.randint(1850, 2024),
        "employee_range": rng.choice(("1-10", "51-200", "10,001+")),
        "revenue_range": rng.choice(("$1M-$10M", "€10M – €50M")),
        "industry": rng.choice(("Software", "Food & Beverage", "Banking")),
    }
    traffic = {"monthly_visits": "100K-500K", "traffic_rank": rng.randint(1, 900_000), "growth_trend": "growing"}
    social = {
        "linkedin_url": "https://www.linkedin.com/company/some-company",
        "twitter_handle": "@somecompany",
        "github_org": "somecompany",
    }
    body = {
        "domain": target,
        "company": {**company, "headquarters": {"city": city, "state": state, "country": country}},
        "categories": categories,
        "technologies": [{"name": name, "category": kind} for name, kind in technologies.items()],
        "traffic": traffic,
        "social": social,
        "meta": _meta(rng),
    }
    said |= {
        **company,
        **traffic,
        **social,
        "city": city,
        "state": state,
        "country": country,
        "technologies": frozenset(technologies),
        "technology_categories": technologies,
    }
    return body, said


def submit_batch(rng: Random, _: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the answer to a submission."""
    identifier = rng.choice(("batch_{:08x}", "{:032x}", "b-{:d}")).format(rng.randrange(2**31))
    return {"batch_id": identifier, "total_domains": 1, "status": "processing"}, {"batch_id": identifier}


def batch_results(rng: Random, target: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the results of a batch."""
    results: list[dict[str, Any]] = []
    domains: dict[str, frozenset[str]] = {}
    for number in range(rng.randint(1, 4)):
        categories, said = _categories(rng, tiers=True)
        domain = f"{target}-{number}.example"
        results.append({"domain": domain, "status": 200, "categories": categories})
        domains[domain] = frozenset(said["categories"])
    counts = {"total_domains": len(results), "successful": len(results), "failed": 0}
    return {"batch_id": target, "state": "completed", **counts, "results": results}, {"domains": domains}


MAKERS: Final = {
    "segment": segment,
    "legacy": legacy,
    "categorize": categorize,
    "content_url": content,
    "content_text": content,
    "enrich": enrich,
    "enrich_xml": enrich,
    "submit_batch": submit_batch,
    "batch_results": batch_results,
}
#: Fields of each endpoint's answer that hold its content.
BLOCKS: Final[dict[str, tuple[str, ...]]] = {
    "segment": ("demographics", "b2b", "interests", "purchase_intent", "personas", "content_context", "labels"),
    "legacy": ("target_audience", "interests", "summary"),
    "categorize": ("categories",),
    "content_url": ("std_classification", "filtering_taxonomy", "buyer_personas_confidence_selection"),
    "content_text": ("std_classification", "filtering_taxonomy", "std_taxonomy"),
    "enrich": ("company", "categories", "technologies", "traffic", "social"),
    "enrich_xml": ("company", "categories", "technologies", "traffic", "social"),
    "submit_batch": ("batch_id",),
    "batch_results": ("results",),
}


def target_of(endpoint: str, mark: str) -> str:
    """Return what is asked about in a case: it carries the case's mark."""
    if endpoint == "content_text":
        return f"Some words about the {mark} of a garden and its hens"
    return mark if endpoint == "batch_results" else f"{mark}.example"


def written_as_xml(body: dict[str, Any]) -> str:
    """Return an enrichment record as plain XML: an element a field, `item` for the entries of lists."""
    return f"<?xml version='1.0' encoding='UTF-8'?>\n<response>{_elements(body)}</response>"


def _elements(value: Any) -> str:
    if isinstance(value, dict):
        return "".join(f"<{name}>{_elements(part)}</{name}>" for name, part in value.items())
    if isinstance(value, list):
        return "".join(f"<item>{_elements(part)}</item>" for part in value)
    return escaped("" if value is None else str(value))


def escaped(text: str) -> str:
    """Return a text as it stands in XML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
