"""Every response of the interface as a typed model.

Unknown fields are kept, missing blocks and nulls become empty ones, and the ``Category name: …`` /
``Confidence: …`` pairs are decoded here and nowhere else. Every answer keeps its raw JSON in :attr:`Answer.raw`.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, ValidationError

from toolkit.display import definition_table, printable
from toolkit.errors import ResponseError
from toolkit.taxonomy import PATH_SEPARATOR

__all__ = [
    "Answer",
    "BatchItem",
    "BatchJob",
    "BatchResults",
    "BatchSubmission",
    "Categorization",
    "Category",
    "ContentCategorization",
    "Enrichment",
    "Provenance",
    "RankedCategory",
    "Segmentation",
    "WebhookEvent",
    "decode_ranked",
]

Confidence = Literal["low", "medium", "high"]
Include = Literal["company", "firmographics", "technologies", "categories", "traffic", "social"]

_NAME_PREFIX: Final = re.compile(r"^\s*category(?:\s+name)?\s*:\s*", re.IGNORECASE)
_CONFIDENCE_PREFIX: Final = re.compile(r"^\s*(?:confidence|score)\s*:\s*", re.IGNORECASE)
_FEW: Final = 5


def _text_or_none(value: Any) -> Any:
    """Numbers become text, blank text becomes missing."""
    if isinstance(value, bool | int | float):
        return str(value)
    return (value.strip() or None) if isinstance(value, str) else value


def _as_list(value: Any) -> Any:
    if value is None or value == "":
        return []
    if isinstance(value, list | tuple):
        return [item for item in value if item is not None]
    return [value]


def _as_band(value: Any) -> Any:
    return (value.strip().lower() or None) if isinstance(value, str) else value


def _as_number(value: Any) -> Any:
    """Numbers written as text are read; text that is no number is missing rather than an error."""
    if isinstance(value, str):
        digits = value.replace(",", "").replace("_", "").strip()
        return digits or None
    return value


def _block(value: Any) -> Any:
    return {} if value is None or value == [] else value


def _as_labels(value: Any) -> Any:
    if not isinstance(value, dict):
        return {}
    return {str(code): str(label) for code, label in value.items() if label is not None}


def _as_scores(value: Any) -> Any:
    return {str(name): score for name, score in value.items() if score is not None} if isinstance(value, dict) else {}


Text = Annotated[str | None, BeforeValidator(_text_or_none)]
Texts = Annotated[list[str], BeforeValidator(_as_list)]
Band = Annotated[str | None, BeforeValidator(_as_band)]
Whole = Annotated[int | None, BeforeValidator(_as_number)]


class Model(BaseModel):
    """The base of everything that comes over the wire: tolerant, and it keeps what it does not know."""

    model_config = ConfigDict(extra="allow", populate_by_name=True, str_strip_whitespace=False)


class Category(Model):
    """A category with its confidence. `tier` is None in an enrichment record, which does not state it."""

    id: Annotated[str, BeforeValidator(_text_or_none)]
    name: str
    tier: Whole = None
    confidence: float | None = None


class RankedCategory(Model):
    """One decoded ``Category name`` / ``Confidence`` pair.

    Attributes
    ----------
    path : str
        Levels joined with ``" > "``.
    confidence : float or None
        0 to 1.
    """

    path: str
    confidence: float | None = None

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels of the path, from the top."""
        return tuple(level.strip() for level in self.path.split(">"))

    @property
    def tier(self) -> int:
        """Number of levels."""
        return len(self.levels)


def decode_ranked(value: Any) -> list[RankedCategory]:
    """Decode a ranked category list.

    Parameters
    ----------
    value : object
        Inner arrays of two strings as the interface shows them. Pairs in the other order, pairs without the
        prefixes, objects with a name and a confidence, a mapping of names to confidences, and null are read too.

    Returns
    -------
    list of RankedCategory
        In the order given.

    Raises
    ------
    ValueError
        If an entry is none of these.

    Examples
    --------
    >>> decode_ranked([["Category name: Pets > Dogs", "Confidence: 0.91"]])
    [RankedCategory(path='Pets > Dogs', confidence=0.91)]
    """
    if value is None:
        return []
    if isinstance(value, dict):
        return [_ranked(name, confidence) for name, confidence in value.items()]
    if isinstance(value, list):
        if len(value) == 2 and all(isinstance(part, str) for part in value) and _CONFIDENCE_PREFIX.match(value[1]):  # noqa: PLR2004
            value = [value]
        return [_decode_pair(entry) for entry in value if entry not in (None, [], {})]
    raise ValueError(f"a ranked category list must be an array, not {type(value).__name__}")


def _decode_pair(entry: Any) -> RankedCategory:
    if isinstance(entry, RankedCategory):
        return entry
    if isinstance(entry, str):
        return _ranked(entry, None)
    if isinstance(entry, dict):
        name = next((entry[key] for key in ("path", "category", "name", "Category name") if entry.get(key)), None)
        confidence = next((entry[key] for key in ("confidence", "Confidence", "score") if key in entry), None)
        return _ranked(name, confidence)
    if isinstance(entry, list) and entry:
        name, confidence = entry[0], entry[1] if len(entry) > 1 else None
        if isinstance(name, int | float) or (isinstance(name, str) and _CONFIDENCE_PREFIX.match(name)):
            name, confidence = confidence, name
        return _ranked(name, confidence)
    raise ValueError(f"{entry!r} is not a category with a confidence")


def _ranked(name: Any, confidence: Any) -> RankedCategory:
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{name!r} is not a category name")
    path = PATH_SEPARATOR.join(level.strip() for level in _NAME_PREFIX.sub("", name).split(">"))
    if isinstance(confidence, str):
        confidence = _CONFIDENCE_PREFIX.sub("", confidence).strip()
        percent = confidence.endswith("%")
        confidence = float(confidence.rstrip("%")) / (100 if percent else 1) if confidence else None
    return RankedCategory(path=path, confidence=confidence)


Ranked = Annotated[list[RankedCategory], BeforeValidator(decode_ranked)]


class Meta(Model):
    """The `meta` object of family A."""

    request_id: Text = None
    processing_time_ms: float | None = None
    credits_used: Whole = None


class Provenance(Model):
    """Where an answer comes from. The key is no part of it.

    Attributes
    ----------
    endpoint : str
        Name of the client's method.
    target : str
        What was asked, as given.
    normal : str
        The target's normal form; for a text, its first characters.
    fetched_at : datetime
        When the answer came, UTC.
    from_cache : bool
        Whether it was served from a store.
    http_status : int or None
        HTTP status of the answer.
    request_id, vocab_version : str or None
        As the answer states them.
    credits_used, total_credits, remaining_credits : int or None
        As the answer states them.
    """

    endpoint: str = ""
    target: str = ""
    normal: str = ""
    fetched_at: datetime = Field(default_factory=lambda: datetime.now(UTC))
    from_cache: bool = False
    http_status: int | None = None
    request_id: Text = None
    vocab_version: Text = None
    credits_used: Whole = None
    total_credits: Whole = None
    remaining_credits: Whole = None


class Answer(Model):
    """A successful response: typed fields, the raw JSON and where it comes from."""

    _raw: Any = PrivateAttr(default=None)
    _provenance: Provenance = PrivateAttr(default_factory=Provenance)
    kind: ClassVar[str] = "Answer"

    @classmethod
    def decode(cls, raw: Any, provenance: Provenance | None = None) -> Self:
        """Build the model from decoded JSON.

        Raises
        ------
        ResponseError
            If the JSON is not of the interface's form; the error names the JSON path.
        """
        if not isinstance(raw, dict):
            what = type(raw).__name__
            raise ResponseError(f"{cls.kind}: the answer is a JSON {what}, not an object. Check the base URL.", path="$")
        try:
            answer = cls.model_validate(raw)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False)[0]
            path = "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in first["loc"])
            raise ResponseError(
                f"{cls.kind}: {first['msg']} - at {path}. The service may have changed its answers; the raw answer "
                "is in the error's body.",
                path=path,
                body=str(raw),
            ) from None
        answer._raw = raw
        answer._provenance = provenance or Provenance()
        return answer

    @property
    def raw(self) -> Any:
        """The decoded JSON as it came."""
        return self._raw

    @property
    def provenance(self) -> Provenance:
        """Where the answer comes from."""
        return self._provenance

    def rows(self) -> list[tuple[str, str | list[str]]]:
        """Return what the notebook display shows: names and values."""
        return []

    @property
    def subject(self) -> str:
        """What the answer is about."""
        return self._provenance.normal

    def __repr__(self) -> str:
        rows = self.rows()[:3]
        shown = "; ".join(f"{n}: {v if isinstance(v, str) else ', '.join(v[:_FEW])}" for n, v in rows if v)
        return f"<{self.kind} {printable(self.subject)!r} {printable(shown)}>"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        used = self.provenance
        notes = [f"fetched {used.fetched_at:%Y-%m-%d %H:%M} UTC"]
        if used.vocab_version:
            notes.append(f"vocabulary {used.vocab_version}")
        if used.credits_used is not None:
            notes.append(f"credits used: {used.credits_used}")
        return definition_table(f"{self.kind}: {self.subject}", self.rows(), " · ".join(notes))


class Categorization(Answer):
    """Family A: categories of a domain."""

    kind: ClassVar[str] = "Categorization"
    domain: str = ""
    categories: Annotated[list[Category], BeforeValidator(_as_list)] = Field(default_factory=list)
    meta: Annotated[Meta, BeforeValidator(_block)] = Field(default_factory=Meta)

    def rows(self) -> list[tuple[str, str | list[str]]]:
        """Return what the notebook display shows."""
        shown = [f"{c.name}{_percent(c.confidence)} · tier {c.tier} · id {c.id}" for c in self.categories]
        return [("categories", shown)]


class ContentCategorization(Answer):
    """Family B: ranked categories of a URL or text in every taxonomy.

    Attributes
    ----------
    std_classification : list of RankedCategory
        The ranked list, content taxonomy v3.
    std_taxonomy, std_taxonomy_version2 : list of RankedCategory
        Content taxonomy v3 and v2.
    filtering_taxonomy : list of RankedCategory
        Web-filtering label.
    buyer_personas_confidence_selection : dict of str to float
        Persona to score, where asked for.
    """

    kind: ClassVar[str] = "Content categorization"
    std_classification: Ranked = Field(default_factory=list)
    std_taxonomy: Ranked = Field(default_factory=list)
    std_taxonomy_version2: Ranked = Field(default_factory=list)
    filtering_taxonomy: Ranked = Field(default_factory=list)
    buyer_personas_confidence_selection: Annotated[dict[str, float], BeforeValidator(_as_scores)] = Field(
        default_factory=dict
    )

    @property
    def v3(self) -> list[RankedCategory]:
        """Content taxonomy v3 under either of its names."""
        return self.std_taxonomy or self.std_classification

    def rows(self) -> list[tuple[str, str | list[str]]]:
        """Return what the notebook display shows."""
        personas = sorted(self.buyer_personas_confidence_selection.items(), key=lambda item: -item[1])
        return [
            ("content v3", _ranked_lines(self.v3)),
            ("content v2", _ranked_lines(self.std_taxonomy_version2)),
            ("filtering", _ranked_lines(self.filtering_taxonomy)),
            ("personas", [f"{name}{_percent(score)}" for name, score in personas[:_FEW]]),
        ]


class Demographics(Model):
    """The demographics block."""

    age_bracket: Texts = Field(default_factory=list)
    gender_skew: Text = None
    income_level: Text = None
    education_level: Text = None
    life_stage: Texts = Field(default_factory=list)
    household_composition: Text = None
    employment_status: Text = None
    home_ownership: Text = None
    urbanicity: Text = None
    confidence: Band = None


class Firmographics(Model):
    """The B2B block."""

    company_size_employees: Text = None
    seniority: Texts = Field(default_factory=list)
    job_function: Texts = Field(default_factory=list)
    industry: Texts = Field(default_factory=list)
    confidence: Band = None


class Interests(Model):
    """The interests block: group codes and sub-interest codes."""

    tier1: Texts = Field(default_factory=list)
    tier2: Texts = Field(default_factory=list)
    confidence: Band = None


class PurchaseIntent(Model):
    """The purchase-intent block."""

    codes: Texts = Field(default_factory=list)
    confidence: Band = None


class Persona(Model):
    """A persona and the category path it is mapped from."""

    persona: str
    mapped_from: Text = None
    source: Text = None


class ContentContext(Model):
    """The content context block."""

    content_type: Text = None
    reading_level: Text = None
    price_signals: Text = None


class Segmentation(Answer):
    """The audience of a URL, in coded form (``format=structured``) or as legacy free text.

    The legacy shape's fields are kept as they come: read them from :attr:`raw`, or as attributes.
    """

    kind: ClassVar[str] = "Segmentation"
    url: Text = None
    vocab_version: Text = None
    audience_type: Text = None
    demographics: Annotated[Demographics, BeforeValidator(_block)] = Field(default_factory=Demographics)
    b2b: Annotated[Firmographics, BeforeValidator(_block)] = Field(default_factory=Firmographics)
    interests: Annotated[Interests, BeforeValidator(_block)] = Field(default_factory=Interests)
    purchase_intent: Annotated[PurchaseIntent, BeforeValidator(_block)] = Field(default_factory=PurchaseIntent)
    personas: Annotated[list[Persona], BeforeValidator(_as_list)] = Field(default_factory=list)
    content_context: Annotated[ContentContext, BeforeValidator(_block)] = Field(default_factory=ContentContext)
    labels: Annotated[dict[str, str], BeforeValidator(_as_labels)] = Field(default_factory=dict)

    def label(self, code: str) -> str:
        """Return the answer's label of a code, or the code where it has none."""
        return self.labels.get(code) or code

    def rows(self) -> list[tuple[str, str | list[str]]]:
        """Return what the notebook display shows."""
        people, firms, context = self.demographics, self.b2b, self.content_context
        about = [people.gender_skew, people.income_level, people.education_level, people.urbanicity]
        return [
            ("audience", self.audience_type or ""),
            ("interests", [self.label(code) for code in self.interests.tier2 or self.interests.tier1]),
            ("purchase intent", [self.label(code) for code in self.purchase_intent.codes]),
            ("age", ", ".join(people.age_bracket)),
            ("demographics", ", ".join(value for value in about if value)),
            ("life stage", ", ".join(people.life_stage)),
            ("B2B", ", ".join([*firms.industry, *firms.job_function, *firms.seniority])),
            ("personas", [persona.persona for persona in self.personas[:_FEW]]),
            ("content", ", ".join(v for v in (context.content_type, context.reading_level, context.price_signals) if v)),
        ]


class LegacySegmentation(Answer):
    """The audience of a URL as legacy free text. The interface does not name its fields: all are kept as they come."""

    kind: ClassVar[str] = "Segmentation (legacy)"

    def rows(self) -> list[tuple[str, str | list[str]]]:
        """Return what the notebook display shows: every field that holds text or a list of texts."""
        hidden = {"status", "url", "total_credits", "remaining_credits", "credits_used", "request_id"}
        shown: list[tuple[str, str | list[str]]] = []
        for name, value in (self.raw or {}).items():
            if name in hidden:
                continue
            if isinstance(value, dict):
                shown.append((name, [f"{key}: {_flat(part)}" for key, part in value.items() if part]))
            elif value:
                shown.append((name, [str(part) for part in value] if isinstance(value, list) else str(value)))
        return shown


class Headquarters(Model):
    """Where a company sits."""

    city: Text = None
    state: Text = None
    country: Text = None


class Company(Model):
    """Company facts."""

    name: Text = None
    description: Text = None
    founded_year: Whole = None
    headquarters: Annotated[Headquarters, BeforeValidator(_block)] = Field(default_factory=Headquarters)
    employee_range: Text = None
    revenue_range: Text = None
    industry: Text = None


class Technology(Model):
    """A technology seen on the site."""

    name: str
    category: Text = None


class Traffic(Model):
    """Traffic facts."""

    monthly_visits: Text = None
    traffic_rank: Whole = None
    growth_trend: Text = None


class Social(Model):
    """Social profiles."""

    linkedin_url: Text = None
    twitter_handle: Text = None
    github_org: Text = None


class Enrichment(Answer):
    """Facts about the company behind a domain."""

    kind: ClassVar[str] = "Enrichment"
    domain: str = ""
    company: Annotated[Company, BeforeValidator(_block)] = Field(default_factory=Company)
    categories: Annotated[list[Category], BeforeValidator(_as_list)] = Field(default_factory=list)
    technologies: Annotated[list[Technology], BeforeValidator(_as_list)] = Field(default_factory=list)
    traffic: Annotated[Traffic, BeforeValidator(_block)] = Field(default_factory=Traffic)
    social: Annotated[Social, BeforeValidator(_block)] = Field(default_factory=Social)
    meta: Annotated[Meta, BeforeValidator(_block)] = Field(default_factory=Meta)

    def rows(self) -> list[tuple[str, str | list[str]]]:
        """Return what the notebook display shows."""
        company, place, social = self.company, self.company.headquarters, self.social
        return [
            ("company", company.name or ""),
            ("description", company.description or ""),
            ("founded", str(company.founded_year or "")),
            ("headquarters", ", ".join(part for part in (place.city, place.state, place.country) if part)),
            ("employees", company.employee_range or ""),
            ("industry", company.industry or ""),
            ("categories", [f"{c.name}{_percent(c.confidence)}" for c in self.categories[:_FEW]]),
            ("technologies", ", ".join(t.name for t in self.technologies)),
            ("social", [v for v in (social.linkedin_url, social.twitter_handle, social.github_org) if v]),
            ("traffic", str(self.traffic.traffic_rank or "")),
        ]


class BatchJob(Model):
    """The record of a finished batch, as the ``batch.completed`` notification carries it."""

    batch_id: str
    total_domains: Whole = None
    successful: Whole = None
    failed: Whole = None
    processing_time_seconds: float | None = None
    results_url: Text = None


class BatchSubmission(Answer):
    """The answer to a batch submission."""

    kind: ClassVar[str] = "Batch submission"
    batch_id: Annotated[str, BeforeValidator(_text_or_none)]
    total_domains: Whole = None
    results_url: Text = None
    state: Text = None

    def rows(self) -> list[tuple[str, str | list[str]]]:
        """Return what the notebook display shows."""
        return [("batch", self.batch_id), ("domains", str(self.total_domains or "")), ("state", self.state or "")]


class BatchItem(Model):
    """One domain of a batch: categories, or the code and words of its failure."""

    domain: str
    status: Whole = None
    categories: Annotated[list[Category], BeforeValidator(_as_list)] = Field(default_factory=list)
    error: Any = None


class BatchResults(Answer):
    """Results of a batch, complete or so far."""

    kind: ClassVar[str] = "Batch results"
    batch_id: Annotated[str | None, BeforeValidator(_text_or_none)] = None
    state: Text = None
    total_domains: Whole = None
    successful: Whole = None
    failed: Whole = None
    results: Annotated[list[BatchItem], BeforeValidator(_as_list)] = Field(default_factory=list)

    @property
    def is_finished(self) -> bool:
        """Whether the job has ended. A service that states no state has sent its results."""
        return (self.state or "completed") in {"completed", "failed"}

    def rows(self) -> list[tuple[str, str | list[str]]]:
        """Return what the notebook display shows."""
        done = f"{self.successful} of {self.total_domains} successful, {self.failed} failed"
        return [("batch", self.batch_id or ""), ("state", self.state or ""), ("domains", done)]


class WebhookEvent(Model):
    """A notification."""

    event: str
    timestamp: str
    webhook_id: str
    data: Annotated[dict[str, Any], BeforeValidator(_block)] = Field(default_factory=dict)


def _percent(value: float | None) -> str:
    return "" if value is None else f" {value:.0%}"


def _ranked_lines(ranked: list[RankedCategory]) -> list[str]:
    return [f"{category.path}{_percent(category.confidence)}" for category in ranked[:_FEW]]


def _flat(value: Any) -> str:
    return ", ".join(str(part) for part in value) if isinstance(value, list) else str(value)
