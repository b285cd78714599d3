"""Every response of the interface as a typed model.

Unknown fields are kept, and missing blocks and nulls become empty ones. Every answer keeps its raw JSON in
:attr:`Answer.raw`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Final, Self

from pydantic import Field, PrivateAttr, ValidationError, model_validator

from toolkit.interface.batches import entries_of, has_ended, has_results, identifier_of
from toolkit.interface.company import Company, Contact, Social, Technology, Traffic, Unshown
from toolkit.interface.errors import InputError, ResponseError, ServiceError, ToolkitError
from toolkit.interface.fields import (
    Block,
    Categories,
    Category,
    ContentContext,
    Demographics,
    Firmographics,
    Identifier,
    Interests,
    Labels,
    Many,
    Meta,
    Model,
    Name,
    Number,
    Personas,
    PurchaseIntent,
    Ranked,
    RankedCategory,
    Scores,
    Text,
    Whole,
    decode_ranked,
    parts_at,
)
from toolkit.interface.filters.codes import words_of_code
from toolkit.interface.text import definition_table, percentage, printable, shortened
from toolkit.interface.wire.shapes import CONTENT_NAMES, OTHER_NAMES, unwrapped
from toolkit.interface.words.labels import field_label, taxonomy_label, values_label
from toolkit.interface.words.places import company_words, place_name, range_words

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
    "LegacySegmentation",
    "Outcome",
    "Provenance",
    "RankedCategory",
    "Segmentation",
    "WebhookEvent",
    "decode_ranked",
]

_FEW: Final = 5
#: After the name of what is general knowledge of who reads such pages, and not measured on them.
_INFERRED: Final = " (inferred)"
_SHOWN: Final = 80
_SHOWN_NAME: Final = 30
_SHOWN_PROBLEM: Final = 200
_DEEPEST_SHOWN: Final = 4


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

    endpoint: Name = ""
    target: Name = ""
    normal: Name = ""
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
    #: Endpoint whose fields it has; empty where they may be any, so that nothing tells what is put around them.
    shape: ClassVar[str] = ""

    @classmethod
    def decode(cls, raw: Any, provenance: Provenance | None = None) -> Self:
        """Build the model from decoded JSON.

        Raises
        ------
        ResponseError
            If the JSON is not of the interface's form; the error names the JSON path.
        """
        if not isinstance(raw, dict):
            raise ResponseError(
                f"{cls.kind}: the answer is a JSON {type(raw).__name__}, not an object. Check the base URL.", raw=raw
            )
        try:
            answer = cls.model_validate(unwrapped(raw, cls.shape))
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            path = "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in first["loc"])
            problem = shortened(first["msg"].removeprefix("Value error, "), _SHOWN_PROBLEM)
            raise ResponseError(
                printable(
                    f"{cls.kind}: {problem} - at {shortened(path, _SHOWN_PROBLEM)}. The service may have changed its "
                    "answers; the whole answer is in the error's raw."
                ),
                path=path,
                raw=raw,
            ) from None
        except (ArithmeticError, RecursionError, TypeError, ValueError) as error:
            words = printable(shortened(f"{type(error).__name__}: {error}", _SHOWN_PROBLEM))
            raise ResponseError(
                f"{cls.kind}: the answer cannot be read ({words}). The service may have changed its answers; the whole "
                "answer is in the error's raw.",
                raw=raw,
            ) from None
        answer._raw = raw  # noqa: SLF001 - the class's own
        answer._provenance = provenance or Provenance()  # noqa: SLF001 - the class's own
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
        named = [(name, v if isinstance(v, str) else ", ".join(v[:_FEW])) for name, v in self.rows()[:3] if v]
        shown = "; ".join(f"{shortened(name, _SHOWN_NAME)}: {shortened(value, _SHOWN)}" for name, value in named)
        return f"<{self.kind} {printable(shortened(self.subject, _SHOWN))!r} {printable(shown)}>"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        used = self.provenance
        notes = [f"fetched {used.fetched_at:%Y-%m-%d %H:%M} UTC"]
        if used.vocab_version:
            notes.append(f"codes of version {used.vocab_version}")
        if used.credits_used is not None:
            notes.append(f"credits used: {used.credits_used}")
        return definition_table(f"{self.kind}: {self.subject}", self.rows(), " · ".join(notes))


class Categorization(Answer):
    """Family A: categories of a domain."""

    kind: ClassVar[str] = "Categorization"
    shape: ClassVar[str] = "categorize"
    domain: Name = ""
    categories: Categories = Field(default_factory=list)
    meta: Block[Meta] = Field(default_factory=Meta)

    def rows(self) -> list[tuple[str, str | list[str]]]:
        """Return what the notebook display shows."""
        return [("topics", [f"{c.name}{_percent(c.confidence)}" for c in self.categories])]


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
    buyer_personas_confidence_selection : dict of str to float or None
        Persona to score, where asked for.

    A list that has another of its names (``iab_taxonomy`` in the place of ``std_taxonomy``) is read as such.
    """

    kind: ClassVar[str] = "Content categorization"
    shape: ClassVar[str] = "categorize_content"
    std_classification: Ranked = Field(default_factory=list)
    std_taxonomy: Ranked = Field(default_factory=list)
    std_taxonomy_version2: Ranked = Field(default_factory=list)
    filtering_taxonomy: Ranked = Field(default_factory=list)
    buyer_personas_confidence_selection: Scores = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _under_their_names(cls, value: Any) -> Any:
        if not isinstance(value, dict) or OTHER_NAMES.isdisjoint(value):
            return value
        found = dict(value)
        for name, own in CONTENT_NAMES.items():
            if not found.get(own) and found.get(name):
                found[own] = found[name]
        return found

    @property
    def v3(self) -> list[RankedCategory]:
        """Content taxonomy v3 under either of its names."""
        return self.std_taxonomy or self.std_classification

    def rows(self) -> list[tuple[str, str | list[str]]]:
        """Return what the notebook display shows."""
        personas = sorted(self.buyer_personas_confidence_selection.items(), key=lambda item: -(item[1] or 0))
        return [
            ("topics", _ranked_lines(self.v3)),
            (taxonomy_label("content-v2"), _ranked_lines(self.std_taxonomy_version2)),
            (taxonomy_label("filtering"), _ranked_lines(self.filtering_taxonomy)),
            ("personas", [f"{name}{_percent(score)}" for name, score in personas[:_FEW]]),
        ]


class Segmentation(Answer):
    """The audience of a URL in coded form (``format=structured``); `LegacySegmentation` is the free text."""

    kind: ClassVar[str] = "Segmentation"
    shape: ClassVar[str] = "segment"
    url: Text = None
    vocab_version: Text = None
    audience_type: Text = None
    demographics: Block[Demographics] = Field(default_factory=Demographics)
    b2b: Block[Firmographics] = Field(default_factory=Firmographics)
    interests: Block[Interests] = Field(default_factory=Interests)
    purchase_intent: Block[PurchaseIntent] = Field(default_factory=PurchaseIntent)
    personas: Personas = Field(default_factory=list)
    content_context: Block[ContentContext] = Field(default_factory=ContentContext)
    labels: Labels = Field(default_factory=dict)

    def label(self, code: str) -> str:
        """Return the answer's label of a code, or the code where it has none."""
        return self.labels.get(code) or code

    def _named(self, code: str) -> str:
        return self.labels.get(code) or words_of_code(code)

    def rows(self) -> list[tuple[str, str | list[str]]]:
        """Return what the notebook display shows."""
        people, firms, context = self.demographics, self.b2b, self.content_context
        return [
            *_rows(self, "audience_type", mark=_INFERRED),
            ("interests", [self._named(code) for code in self.interests.tier2 or self.interests.tier1]),
            ("purchase intents", [self._named(code) for code in self.purchase_intent.codes]),
            *_rows(context, "content_type", "reading_level", "price_signals"),
            *_rows(people, "age_bracket", "gender_skew", "income_level", "education_level", mark=_INFERRED),
            *_rows(people, "urbanicity", "life_stage", mark=_INFERRED),
            *_rows(firms, "industry", "job_function", "seniority", mark=_INFERRED),
            (f"personas{_INFERRED}", [persona.persona for persona in self.personas[:_FEW]]),
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
                shown.append((name, [_flat(part) for part in value] if isinstance(value, list) else str(value)))
        return shown


class Enrichment(Answer):
    """Facts about the company behind a domain."""

    kind: ClassVar[str] = "Enrichment"
    shape: ClassVar[str] = "enrich"
    domain: Name = ""
    company: Block[Company] = Field(default_factory=Company)
    categories: Categories = Field(default_factory=list)
    technologies: Annotated[Many[Technology], parts_at(r",;|\n")] = Field(default_factory=list)
    traffic: Block[Traffic] = Field(default_factory=Traffic)
    social: Block[Social] = Field(default_factory=Social)
    contact: Unshown[Contact] = Field(default_factory=Contact)
    meta: Block[Meta] = Field(default_factory=Meta)

    def rows(self) -> list[tuple[str, str | list[str]]]:
        """Return what the notebook display shows."""
        company, place, social = self.company, self.company.headquarters, self.social
        return [
            ("company", company.name or ""),
            ("description", company.description or ""),
            ("founded", str(company.founded_year or "")),
            (
                "headquarters",
                _joined(
                    place.city,
                    place_name(place.country, place.state or ""),
                    company_words("country", place.country or ""),
                ),
            ),
            ("employees", range_words(company.employee_range or "")),
            ("industry", company.industry or ""),
            ("kind", _joined(company.company_type, company.business_model, company.funding_status)),
            ("revenue", range_words(company.revenue_range or "")),
            ("topics", [f"{c.name}{_percent(c.confidence)}" for c in self.categories[:_FEW]]),
            ("technologies", ", ".join(t.name for t in self.technologies)),
            ("social", [v for v in (social.linkedin_url, social.twitter_handle, social.github_org) if v]),
            ("people", [_joined(person.name, person.title) for person in self.contact.key_personnel[:_FEW]]),
            ("traffic", str(self.traffic.traffic_rank or "")),
        ]


class BatchJob(Model):
    """The record of a finished batch, as the ``batch.completed`` notification carries it."""

    batch_id: Identifier
    total_domains: Whole = None
    successful: Whole = None
    failed: Whole = None
    processing_time_seconds: Number = None
    results_url: Text = None


class BatchSubmission(Answer):
    """The answer to a batch submission."""

    kind: ClassVar[str] = "Batch submission"
    batch_id: Identifier
    total_domains: Whole = None
    results_url: Text = None
    state: Text = None

    @model_validator(mode="before")
    @classmethod
    def _identified(cls, raw: Any) -> Any:
        found = identifier_of(raw)
        return {**raw, "batch_id": found} if found is not None else raw

    def rows(self) -> list[tuple[str, str | list[str]]]:
        """Return what the notebook display shows."""
        return [("batch", self.batch_id), ("domains", str(self.total_domains or "")), ("state", self.state or "")]


class BatchItem(Model):
    """One domain of a batch: categories, or the code and words of its failure."""

    domain: Name
    status: Whole = None
    categories: Categories = Field(default_factory=list)
    error: Any = None


class BatchResults(Answer):
    """Results of a batch, complete or so far."""

    kind: ClassVar[str] = "Batch results"
    batch_id: Text = None
    state: Text = None
    total_domains: Whole = None
    successful: Whole = None
    failed: Whole = None
    results: Many[BatchItem] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _listed(cls, raw: Any) -> Any:
        return {**raw, "results": entries_of(raw)} if isinstance(raw, dict) and has_results(raw) else raw

    @property
    def is_finished(self) -> bool:
        """Whether the job has ended. A service that states no state has sent its results."""
        return has_ended(self.raw)

    def rows(self) -> list[tuple[str, str | list[str]]]:
        """Return what the notebook display shows."""
        counts = {"successful": self.successful, "failed": self.failed, "in all": self.total_domains}
        stated = _joined(*(f"{count} {word}" for word, count in counts.items() if count is not None))
        return [("batch", self.batch_id or ""), ("state", self.state or ""), ("domains", stated)]


class WebhookEvent(Model):
    """A notification."""

    event: Name
    timestamp: Name
    webhook_id: Name
    data: Block[dict[str, Any]] = Field(default_factory=dict)


def _percent(value: float | None) -> str:
    return "" if value is None else f" {percentage(value)}"


def _ranked_lines(ranked: list[RankedCategory]) -> list[str]:
    return [f"{category.path}{_percent(category.confidence)}" for category in ranked[:_FEW]]


def _rows(block: Any, *fields: str, mark: str = "") -> list[tuple[str, str]]:
    """Return fields with their values, each by its name; what is inferred is marked as such."""
    return [(f"{field_label(name).lower()}{mark}", _said(block, name)) for name in fields]


def _said(block: Any, field: str) -> str:
    """Return a field's value or values in words."""
    found = getattr(block, field)
    return values_label(field, [found] if isinstance(found, str) else found or [])


def _joined(*texts: str | None) -> str:
    return ", ".join(text for text in texts if text)


def _flat(value: Any, levels: int = _DEEPEST_SHOWN) -> str:
    """Return any JSON value as text, down to so many levels."""
    if not isinstance(value, dict | list):
        return str(value)
    if not levels:
        return "…"
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_flat(part, levels - 1)}" for name, part in value.items())
    return ", ".join(_flat(part, levels - 1) for part in value)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question and what came of it. Exactly one of `answer` and `error` is there.

    Attributes
    ----------
    target : str
        What was asked, as given.
    endpoint : str
        Name of the client's method.
    answer : Answer or None
        The answer.
    error : ToolkitError or None
        What went wrong instead.
    """

    target: str
    endpoint: str
    answer: Answer | None = None
    error: ToolkitError | None = None

    @property
    def status(self) -> int | None:
        """200 for an answer, the service's code for its errors, None where nothing came back."""
        if self.answer is not None:
            return 200
        return self.error.status if isinstance(self.error, ServiceError) else None

    @classmethod
    def of(cls, result: Outcome | Answer | ToolkitError) -> Outcome:
        """Wrap an answer or an error that stands alone.

        Raises
        ------
        InputError
            If it is neither.
        """
        if isinstance(result, Outcome):
            return result
        if isinstance(result, ServiceError):
            return cls(result.target, result.endpoint, error=result)
        if isinstance(result, ToolkitError):
            return cls("", "", error=result)
        if not isinstance(result, Answer):
            raise InputError(
                f"frames take answers, outcomes or errors, not {type(result).__name__}. Ask first: client.ask([…])."
            )
        return cls(result.provenance.target, result.provenance.endpoint, answer=result)
