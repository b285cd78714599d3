"""What a case is: an answer as it goes over the wire, and what must come of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Final

from toolkit.interface import models

#: Keys of the two families, with every character that some encoding writes otherwise.
KEY: Final = "Kq7/xW+9vT2=mZ4pLr8s"
V1_KEY: Final = "Vj3+dY/6nB8=hC5gXk1w"


class _Any:
    """A confidence that is written in words: whatever is read of it, it is from 0 to 1, or missing."""

    def __repr__(self) -> str:
        return "any"

    def __deepcopy__(self, _: Any) -> _Any:
        return self


ANY: Final = _Any()


@dataclass(slots=True)
class Truth:
    """What must come of a body.

    Attributes
    ----------
    verdict : {"answer", "error", "either"}
        Whether it is an answer; ``either`` is for bodies of which nobody can say, so that both are right, in words.
    level : {"must", "named", "free"}
        Of an answer: whether it must be read, or may be refused in words; and whether parts may be left out.
    content : dict
        Of an answer: what it says, as `content_of` gives it.
    loose : set of str
        Names of the content that was damaged: whatever is read of it is right, but for what holds of all.
    statuses : frozenset of int
        Of an error: the codes that it may have; empty where it may have any but 200.
    """

    verdict: str = "answer"
    level: str = "must"
    content: dict[str, Any] = field(default_factory=dict)
    loose: set[str] = field(default_factory=set)
    statuses: frozenset[int] = frozenset()


@dataclass(slots=True)
class Reply:
    """An HTTP response before it is bytes."""

    body: bytes = b""
    status: int = 200
    reason: str = "OK"
    headers: list[tuple[str, str]] = field(default_factory=list)
    #: Of the body, how many bytes are sent before the connection ends; all where None.
    cut: int | None = None
    #: What is said of the body's length where it is not the truth.
    stated: int | None = None
    chunked: bool = False
    #: Seconds of silence in the middle of the body.
    stall: float = 0.0
    #: Bytes in place of everything.
    bare: bytes | None = None

    def pieces(self) -> list[bytes | float]:
        """Return what is written, and for how long nothing is."""
        if self.bare is not None:
            return [self.bare]
        lines = [f"HTTP/1.1 {self.status} {self.reason}".encode()]
        lines += [f"{name}: {value}".encode("utf-8", "surrogateescape") for name, value in self.headers]
        body = self.body
        if self.chunked:
            lines.append(b"Transfer-Encoding: chunked")
            parts = [body[at : at + 700] for at in range(0, len(body), 700)]
            body = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
        else:
            lines.append(b"Content-Length: %d" % (len(body) if self.stated is None else self.stated))
        if self.closes:
            lines.append(b"Connection: close")
        head = b"\r\n".join(lines) + b"\r\n\r\n"
        if self.cut is not None:
            body = body[: self.cut]
        if self.stall:
            half = len(body) // 2
            return [head + body[:half], self.stall, body[half:]]
        return [head + body]

    @property
    def closes(self) -> bool:
        """Whether the connection ends after it."""
        return self.cut is not None or self.bare is not None or self.stated is not None


@dataclass(slots=True)
class Case:
    """A body, the question that it answers, and what must come of it."""

    index: int
    kind: str
    #: Of `ENDPOINTS`.
    endpoint: str
    target: str
    reply: Reply
    truth: Truth
    #: Whether a run may hold it among others: whoever reads of a key or a quota stops, and that is right.
    calm: bool = True
    #: A key of its own, where the usual ones would not show it.
    key: str | None = None
    #: Responses one after another, of a batch: to its submission, then to each question for its results.
    script: dict[str, Any] = field(default_factory=dict)
    notes: str = ""


def content_of(answer: models.Answer) -> dict[str, Any]:
    """Return what a typed answer says, by name; what it does not say is left out."""
    found: dict[str, Any] = {}
    if isinstance(answer, models.Segmentation):
        found = _segmented(answer)
    elif isinstance(answer, models.LegacySegmentation):
        raw = answer.raw if isinstance(answer.raw, dict) else {}
        found = {"texts": frozenset(_texts({name: part for name, part in raw.items() if name != "status"}))}
    elif isinstance(answer, models.ContentCategorization):
        found = {
            "v3": {one.path: one.confidence for one in answer.v3},
            "v2": {one.path: one.confidence for one in answer.std_taxonomy_version2},
            "filtering": {one.path: one.confidence for one in answer.filtering_taxonomy},
            "persona_scores": dict(answer.buyer_personas_confidence_selection),
        }
    elif isinstance(answer, models.Categorization):
        found = _categorized(answer.categories)
        found["tiers"] = {one.name: one.tier for one in answer.categories if one.tier is not None}
    elif isinstance(answer, models.Enrichment):
        found = _enriched(answer)
    elif isinstance(answer, models.BatchSubmission):
        found = {"batch_id": answer.batch_id}
    elif isinstance(answer, models.BatchResults):
        found = {"domains": {item.domain: frozenset(c.name for c in item.categories) for item in answer.results}}
    return {name: value for name, value in found.items() if value not in (None, "", {}, [], frozenset())}


def _categorized(categories: Any) -> dict[str, Any]:
    return {
        "categories": {one.name: one.confidence for one in categories},
        "ids": {one.name: one.id for one in categories},
    }


def _segmented(answer: models.Segmentation) -> dict[str, Any]:
    found: dict[str, Any] = {
        "audience_type": answer.audience_type,
        "interests.tier1": frozenset(answer.interests.tier1),
        "interests.tier2": frozenset(answer.interests.tier2),
        "purchase_intent.codes": frozenset(answer.purchase_intent.codes),
        "personas": frozenset(one.persona for one in answer.personas),
        "labels": dict(answer.labels),
        "vocab_version": answer.vocab_version,
    }
    for block in ("demographics", "b2b", "interests", "purchase_intent"):
        found[f"{block}.confidence"] = getattr(answer, block).confidence
    for name in LISTS:
        block, field_name = name.split(".")
        found[name] = frozenset(getattr(getattr(answer, block), field_name))
    for name in SCALARS:
        block, field_name = name.split(".")
        found[name] = getattr(getattr(answer, block), field_name)
    return found


def _enriched(answer: models.Enrichment) -> dict[str, Any]:
    company, place = answer.company, answer.company.headquarters
    return {
        **_categorized(answer.categories),
        "name": company.name,
        "description": company.description,
        "founded_year": company.founded_year,
        "employee_range": company.employee_range,
        "revenue_range": company.revenue_range,
        "industry": company.industry,
        "city": place.city,
        "state": place.state,
        "country": place.country,
        "technologies": frozenset(one.name for one in answer.technologies),
        "technology_categories": {one.name: one.category for one in answer.technologies if one.category},
        "monthly_visits": answer.traffic.monthly_visits,
        "traffic_rank": answer.traffic.traffic_rank,
        "growth_trend": answer.traffic.growth_trend,
        "linkedin_url": answer.social.linkedin_url,
        "twitter_handle": answer.social.twitter_handle,
        "github_org": answer.social.github_org,
    }


#: Fields of a segmentation with several values, and with one.
LISTS: Final = (
    "demographics.age_bracket",
    "demographics.life_stage",
    "b2b.seniority",
    "b2b.job_function",
    "b2b.industry",
)
SCALARS: Final = (
    "demographics.gender_skew",
    "demographics.income_level",
    "demographics.education_level",
    "demographics.household_composition",
    "demographics.employment_status",
    "demographics.home_ownership",
    "demographics.urbanicity",
    "b2b.company_size_employees",
    "content_context.content_type",
    "content_context.reading_level",
    "content_context.price_signals",
)


def differences(truth: Truth, found: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return what of the truth is not there, and what is there that is not true."""
    lost: list[str] = []
    wrong: list[str] = []
    for name in {**truth.content, **found}:
        if name in truth.loose:
            continue
        wanted, had = truth.content.get(name), found.get(name)
        if isinstance(wanted, dict) or isinstance(had, dict):
            _compare_mappings(name, wanted or {}, had or {}, lost, wrong)
        elif isinstance(wanted, frozenset) or isinstance(had, frozenset):
            lost += [f"{name}: {value!r}" for value in (wanted or frozenset()) - (had or frozenset())]
            wrong += [f"{name}: {value!r}" for value in (had or frozenset()) - (wanted or frozenset())]
        elif had is None:
            lost.append(f"{name}: {wanted!r}")
        elif not _is_same(wanted, had):
            wrong.append(f"{name}: {had!r}, not {wanted!r}")
    return lost, wrong


def _compare_mappings(
    name: str, wanted: dict[Any, Any], had: dict[Any, Any], lost: list[str], wrong: list[str]
) -> None:
    lost += [f"{name}: {key!r}" for key in wanted if key not in had]
    for key, value in had.items():
        if key not in wanted:
            wrong.append(f"{name}: {key!r}")
        elif value is None and not _is_same(wanted[key], None):
            lost.append(f"{name}[{key!r}]: {wanted[key]!r}")
        elif not _is_same(wanted[key], value):
            wrong.append(f"{name}[{key!r}]: {value!r}, not {wanted[key]!r}")


def _is_same(wanted: Any, had: Any) -> bool:
    if wanted is ANY:
        return True
    if isinstance(wanted, tuple):
        return any(_is_same(one, had) for one in wanted)
    if isinstance(wanted, float) and isinstance(had, int | float) and not isinstance(had, bool):
        return math.isclose(wanted, had, abs_tol=1e-6)
    return bool(wanted == had)


def _texts(value: Any) -> list[str]:
    """Return every text that stands anywhere in a value."""
    waiting, found = [value], []
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return found
