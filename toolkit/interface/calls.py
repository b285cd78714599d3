"""The interface's endpoints as values: how each request is built. No I/O happens here."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from toolkit.interface.batches import BATCH_ID, RESULTS
from toolkit.interface.checks import check_text
from toolkit.interface.errors import InputError, TargetError
from toolkit.interface.explanations import Explanation
from toolkit.interface.models import (
    Answer,
    BatchResults,
    BatchSubmission,
    Categorization,
    ContentCategorization,
    Enrichment,
    LegacySegmentation,
    Segmentation,
)
from toolkit.interface.targets import Target, parse_target
from toolkit.interface.text import printable, shortened

__all__ = [
    "CONTENT_PATHS",
    "INCLUDE",
    "MOST_BATCH_DOMAINS",
    "QUESTIONS",
    "Call",
    "Family",
    "Question",
    "model_of",
    "question_of",
]

Family = Literal["a", "b"]

MOST_BATCH_DOMAINS: Final = 1_000
#: Paths of the content categorization by what is categorized.
CONTENT_PATHS: Final = {
    "url": "/api/std/std_web_content_filtering.php",
    "text": "/api/std/std_content_filtering.php",
}
#: Data groups of the enrichment.
INCLUDE: Final = ("company", "firmographics", "technologies", "categories", "traffic", "social")
#: What an explanation can be about.
KINDS: Final = (
    "interest",
    "purchase_intent",
    "content-v3",
    "content-v2",
    "filtering",
    "value",
    "persona",
    "technology",
    "fact",
)

_SHOWN_TEXT: Final = 60
#: Names under which what is asked about travels.
_SUBJECTS: Final = ("query", "domain")
_FALL_BACK: Final = "use_domain_as_basis_of_categorization_for_insufficient_subdomain_content"


@dataclass(frozen=True, slots=True)
class Call:
    """One request of the interface, without the key and the base URL."""

    #: Name of the client's method.
    endpoint: str
    #: Which family it belongs to, and so how the key is sent.
    family: Family
    #: HTTP method and path below the base URL.
    method: str
    path: str
    #: What is asked, as given and in normal form.
    target: str = ""
    normal: str = ""
    #: Query parameters, form fields.
    params: dict[str, str] = field(default_factory=dict)
    form: dict[str, str] = field(default_factory=dict)
    #: JSON body.
    payload: dict[str, Any] | None = field(default=None, repr=False)
    #: Fields of which a successful answer has at least one.
    expects: tuple[str, ...] = ()
    #: Name under which a list at the top is an answer; empty where only an object is one.
    listed_as: str = ""
    #: The same for every repetition of one request, so that it is worked on once; empty where that does not matter.
    idempotency_key: str = field(default="", repr=False)
    #: Whether a key is sent.
    keyed: bool = True
    #: Whether it may be sent again after a server error.
    repeatable: bool = True

    @property
    def subject(self) -> str:
        """What is asked about: the target's normal form; of a text a digest, as its first words may be another's."""
        if self.form.get("data_type") == "text":
            return f"text:{hashlib.sha256(self.form['query'].encode()).hexdigest()}"
        return self.normal

    @property
    def site(self) -> str:
        """The site that is asked about, in normal form; empty where it is a text."""
        return "" if self.form.get("data_type") == "text" else self.normal

    @property
    def parameters(self) -> str:
        """What the answer depends on beside the subject, as JSON with sorted names."""
        asked = {name: value for name, value in {**self.params, **self.form}.items() if name not in _SUBJECTS}
        return json.dumps(asked, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Question:
    """What can be asked of any target: an endpoint with its options.

    Attributes
    ----------
    endpoint, family, method, path, expects
        As of `Call`.
    options : dict of str to str
        What travels beside the target, and so decides whether two questions are the same.
    parameters : str
        The options, as `Call.parameters` has them.
    """

    endpoint: str
    family: Family
    method: str
    path: str
    options: dict[str, str]
    expects: tuple[str, ...]
    parameters: str = field(init=False)
    #: Whether it is about the target's domain, and not about the URL.
    about_domain: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", json.dumps(self.options, sort_keys=True))
        object.__setattr__(self, "about_domain", self.family == "a")

    @property
    def model(self) -> type[Answer]:
        """The model of its answers."""
        if self.endpoint == "segment" and "format" not in self.options:
            return LegacySegmentation
        return MODELS[self.endpoint]

    def subject(self, target: Target) -> str:
        """Return what is asked about for a target, in normal form."""
        return target.site if self.about_domain else target.normal

    def call(self, given: str | Target) -> Call:
        """Return the request about a target."""
        target = parse_target(given)
        subject = target.site if self.about_domain else target.normal
        return Call(
            endpoint=self.endpoint,
            family=self.family,
            method=self.method,
            path=self.path,
            target=target.given,
            normal=subject,
            params={"domain": subject, **self.options} if self.about_domain else {},
            form={} if self.about_domain else {"query": target.query_text, **self.options},
            expects=self.expects,
        )


def question_of(endpoint: str, **options: Any) -> Question:
    """Return the question of an endpoint that takes one target, with the options of the client's method.

    Raises
    ------
    InputError
        If an option cannot work.
    """
    return _QUESTIONS[endpoint](**options)


def _categorizing() -> Question:
    return Question("categorize", "a", "GET", "/v1/categorize", {}, ("categories",))


def _enriching(include: Iterable[str] | str | None = None, format: str = "json") -> Question:  # noqa: A002 - the interface's name
    if include is not None and not isinstance(include, Iterable):
        raise InputError(f"include must be a text or a list of texts, not {type(include).__name__}.")
    tokens = [include] if isinstance(include, str) else [str(token) for token in include or ()]
    tokens = [token.strip() for text in tokens for token in text.split(",") if token.strip()]
    for token in tokens:
        _check_one_of("include", token, INCLUDE)
    _check_one_of("format", format, ("json", "xml"))
    options = {"include": ",".join(sorted(set(tokens)))} if tokens else {}
    options |= {"format": format} if format != "json" else {}
    expects = ("domain", "company", "categories", "technologies", "traffic", "social")
    return Question("enrich", "a", "GET", "/v1/enrich", options, expects)


def _segmenting(format: str = "structured") -> Question:  # noqa: A002 - the interface's name
    _check_one_of("format", format, ("structured", "legacy"))
    structured = format == "structured"
    expects = ("demographics", "interests", "purchase_intent", "b2b", "personas") if structured else ()
    options = {"format": "structured"} if structured else {}
    return Question("segment", "b", "POST", "/api/audience/segment.php", options, expects)


def _content(kind: str = "url", *, personas: bool = False, root_fallback: bool = False) -> Question:
    return Question(
        "categorize_content",
        "b",
        "POST",
        CONTENT_PATHS[kind],
        {
            "data_type": kind,
            **({"confidence": "1"} if personas else {}),
            **({_FALL_BACK: "1"} if root_fallback else {}),
        },
        ("std_classification", "std_taxonomy", "std_taxonomy_version2", "filtering_taxonomy"),
    )


#: Endpoints that take one target.
_QUESTIONS: Final[dict[str, Callable[..., Question]]] = {
    "segment": _segmenting,
    "categorize": _categorizing,
    "categorize_content": _content,
    "enrich": _enriching,
}
#: What can be asked of a target: the client's methods that take one.
QUESTIONS: Final = tuple(_QUESTIONS)


def categorize_content(url: str | Target | None, text: str | None, *, personas: bool, root_fallback: bool) -> Call:
    """Family B: ranked categories of a URL or a text."""
    if (url is None) == (text is None):
        raise InputError("Pass either url=… or text=…, and exactly one of them.")
    if url is not None:
        return _content(personas=personas, root_fallback=root_fallback).call(url)
    check_text(text, "text", "Pass the words to classify.")
    query = (text or "").strip()
    if not query:
        raise InputError("The text is empty. Pass some words to classify.")
    _check_encodable("text", query)
    if root_fallback:
        raise InputError("root_fallback is about subdomains; it cannot be used with text=….")
    opening = query if len(query) <= _SHOWN_TEXT else f"{query[: _SHOWN_TEXT - 1]}…"
    question = _content("text", personas=personas)
    return Call(
        endpoint=question.endpoint,
        family=question.family,
        method=question.method,
        path=question.path,
        target=opening,
        normal=opening,
        form={"query": query, **question.options},
        expects=question.expects,
    )


def explain(subject: str, url: str | Target | None, text: str | None, *, kind: str | None, root_fallback: bool) -> Call:
    """Beside the interface, of the embedded service alone: the reasons of an answer."""
    check_text(subject, "subject", "Pass a code, a category, field=value or a persona.")
    if not subject.strip():
        raise InputError("subject is empty. Pass a code, a category, field=value or a persona.")
    _check_encodable("subject", subject)
    if kind is not None:
        _check_one_of("kind", kind, KINDS)
    asked = categorize_content(url, text, personas=False, root_fallback=root_fallback)
    return replace(
        asked,
        endpoint="explain",
        path="/api/explain.php",
        form={**asked.form, "subject": subject.strip(), **({"kind": kind} if kind else {})},
        expects=("reasons",),
    )


def filters() -> Call:
    """Family B: the vocabulary. It needs no key."""
    path = "/api/audience/filters.php"
    return Call(endpoint="filters", family="b", method="GET", path=path, listed_as="filters", keyed=False)


def submit_batch(
    domains: Iterable[str | Target], webhook_url: str | None, webhook_secret: str | None, mark: str = ""
) -> Call:
    """Family A: many domains at once. With the same `mark` the same submission has the same idempotency key."""
    if isinstance(domains, str):
        raise InputError("domains must be a list of domains, not one text. Pass [domain] or use categorize().")
    normal: list[str] = []
    for position, domain in enumerate(domains):
        try:
            normal.append(parse_target(domain).site)
        except TargetError as error:
            raise TargetError(f"domains[{position}]: {error}") from None
    if not normal:
        raise InputError(f"A batch takes 1 to {MOST_BATCH_DOMAINS:,} domains; none was given. Pass at least one.")
    if len(normal) > MOST_BATCH_DOMAINS:
        raise InputError(
            f"A batch takes 1 to {MOST_BATCH_DOMAINS:,} domains; {len(normal):,} were given. Split the list."
        )
    payload: dict[str, Any] = {"domains": normal}
    if webhook_url is not None:
        payload["webhook_url"] = parse_target(webhook_url).given
    if webhook_secret:  # one that is empty signs nothing
        _check_encodable("webhook_secret", webhook_secret)
        payload["webhook_secret"] = webhook_secret
    return Call(
        endpoint="submit_batch",
        family="a",
        method="POST",
        path="/v1/batch",
        target=f"{len(normal)} domains",
        normal=f"{len(normal)} domains",
        payload=payload,
        expects=("batch_id", "batchId", "job_id", "jobId", "id", "uuid", "task_id", "data", "batch", "job", "result"),
        idempotency_key=_idempotency_key(mark or uuid.uuid4().hex, payload),
        repeatable=False,
    )


def batch_results(batch: str | BatchSubmission) -> Call:
    """Family A: results of a batch. The identifier is used, never the address that a notification carries."""
    identifier = batch.batch_id if isinstance(batch, BatchSubmission) else str(batch).strip()
    if not BATCH_ID.match(identifier):
        shown = printable(shortened(identifier, _SHOWN_TEXT))
        raise InputError(f"{shown!r} is no batch identifier. Pass the submission or its batch_id.")
    return Call(
        endpoint="batch_results",
        family="a",
        method="GET",
        path=f"/v1/batch/{identifier}/results",
        target=identifier,
        normal=identifier,
        expects=("batch_id", "state", "progress", "batch", "job", "response", *RESULTS),
        listed_as="results",
    )


#: The model of each endpoint's answer.
MODELS: Final[dict[str, type[Answer]]] = {
    "categorize": Categorization,
    "enrich": Enrichment,
    "segment": Segmentation,
    "categorize_content": ContentCategorization,
    "submit_batch": BatchSubmission,
    "batch_results": BatchResults,
    "explain": Explanation,
}


def model_of(call: Call) -> type[Answer]:
    """Return the model of a call's answer."""
    if call.endpoint == "segment" and "format" not in call.form:
        return LegacySegmentation
    return MODELS[call.endpoint]


def _idempotency_key(mark: str, payload: dict[str, Any]) -> str:
    # The whole payload is part of it: what is not the same is never taken for a repetition.
    return hashlib.sha256(f"{mark}\n{json.dumps(payload, sort_keys=True)}".encode()).hexdigest()


def _check_one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InputError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {value!r}.")


def _check_encodable(name: str, value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{name} has half a character at position {error.start}, which cannot be sent.") from None
