"""The interface's endpoints as values: how each request is built and how its answer is read. No I/O happens here."""

from __future__ import annotations

import email.utils
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from toolkit.errors import InputError, ResponseError, TargetError, service_error
from toolkit.models import (
    Answer,
    BatchResults,
    BatchSubmission,
    Categorization,
    ContentCategorization,
    Enrichment,
    LegacySegmentation,
    Provenance,
    Segmentation,
)
from toolkit.targets import Target, parse_target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from xml.etree.ElementTree import Element

__all__ = ["INCLUDE", "MOST_BATCH_DOMAINS", "Call", "Family", "Received", "read_answer", "read_json"]

Family = Literal["a", "b"]

MOST_BATCH_DOMAINS: Final = 1_000
#: Data groups of the enrichment.
INCLUDE: Final = ("company", "firmographics", "technologies", "categories", "traffic", "social")

_OK: Final = 200
_GOOD_WORDS: Final = frozenset({"ok", "success", "successful", "completed", "complete", "done", "processing", "queued"})
_BAD_WORDS: Final = frozenset({"error", "failed", "failure", "fail", "denied", "unauthorized", "invalid"})
_SHOWN_TEXT: Final = 60
_FALL_BACK: Final = "use_domain_as_basis_of_categorization_for_insufficient_subdomain_content"


@dataclass(frozen=True, slots=True)
class Call:
    """One request of the interface, without the key and the base URL.

    Attributes
    ----------
    endpoint : str
        Name of the client's method.
    family : {"a", "b"}
        Which family it belongs to, and so how the key is sent.
    method, path : str
        HTTP method and path below the base URL.
    target, normal : str
        What is asked, as given and in normal form.
    params, form : dict of str to str
        Query parameters, form fields.
    payload : dict or None
        JSON body.
    expects : tuple of str
        Fields of which a successful answer has at least one.
    keyed : bool
        Whether a key is sent.
    repeatable : bool
        Whether it may be sent again after a server error.
    """

    endpoint: str
    family: Family
    method: str
    path: str
    target: str = ""
    normal: str = ""
    params: dict[str, str] = field(default_factory=dict)
    form: dict[str, str] = field(default_factory=dict)
    payload: dict[str, Any] | None = field(default=None, repr=False)
    expects: tuple[str, ...] = ()
    keyed: bool = True
    repeatable: bool = True


@dataclass(frozen=True, slots=True)
class Received:
    """An HTTP response as bytes and headers; header names in lower case."""

    http_status: int
    headers: Mapping[str, str]
    body: bytes


def categorize(domain: str | Target) -> Call:
    """Family A: categories of a domain."""
    target = parse_target(domain)
    return Call(
        endpoint="categorize",
        family="a",
        method="GET",
        path="/v1/categorize",
        target=target.given,
        normal=target.domain,
        params={"domain": target.domain},
        expects=("categories",),
    )


def enrich(domain: str | Target, include: Iterable[str] | str | None, wire: str) -> Call:
    """Family A: facts about the company behind a domain."""
    target = parse_target(domain)
    tokens = [include] if isinstance(include, str) else list(include or ())
    tokens = [token.strip() for text in tokens for token in text.split(",") if token.strip()]
    for token in tokens:
        _check_one_of("include", token, INCLUDE)
    _check_one_of("format", wire, ("json", "xml"))
    return Call(
        endpoint="enrich",
        family="a",
        method="GET",
        path="/v1/enrich",
        target=target.given,
        normal=target.domain,
        params={
            "domain": target.domain,
            **({"include": ",".join(dict.fromkeys(tokens))} if tokens else {}),
            **({"format": wire} if wire != "json" else {}),
        },
        expects=("domain", "company", "categories", "technologies", "traffic", "social"),
    )


def segment(url: str | Target, shape: str) -> Call:
    """Family B: the audience of a URL."""
    _check_one_of("format", shape, ("structured", "legacy"))
    target = parse_target(url)
    structured = shape == "structured"
    return Call(
        endpoint="segment",
        family="b",
        method="POST",
        path="/api/audience/segment.php",
        target=target.given,
        normal=target.normal,
        form={"query": _query(target), **({"format": "structured"} if structured else {})},
        expects=("demographics", "interests", "purchase_intent", "b2b", "personas") if structured else (),
    )


def categorize_content(url: str | Target | None, text: str | None, *, personas: bool, root_fallback: bool) -> Call:
    """Family B: ranked categories of a URL or a text."""
    if (url is None) == (text is None):
        raise InputError("categorize_content() takes either url=… or text=…, and exactly one of them.")
    if url is not None:
        target = parse_target(url)
        given, normal, query, kind = target.given, target.normal, _query(target), "url"
    else:
        query = (text or "").strip()
        if not query:
            raise InputError("The text is empty. Pass some words to classify.")
        if root_fallback:
            raise InputError("root_fallback is about subdomains; it cannot be used with text=….")
        normal = query if len(query) <= _SHOWN_TEXT else f"{query[: _SHOWN_TEXT - 1]}…"
        given, kind = normal, "text"
    return Call(
        endpoint="categorize_content",
        family="b",
        method="POST",
        path="/api/std/std_web_content_filtering.php" if kind == "url" else "/api/std/std_content_filtering.php",
        target=given,
        normal=normal,
        form={
            "query": query,
            "data_type": kind,
            **({"confidence": "1"} if personas else {}),
            **({_FALL_BACK: "1"} if root_fallback else {}),
        },
        expects=("std_classification", "std_taxonomy", "std_taxonomy_version2", "filtering_taxonomy"),
    )


def filters() -> Call:
    """Family B: the vocabulary. It needs no key."""
    return Call(endpoint="filters", family="b", method="GET", path="/api/audience/filters.php", keyed=False)


def submit_batch(domains: Iterable[str | Target], webhook_url: str | None, webhook_secret: str | None) -> Call:
    """Family A: many domains at once."""
    if isinstance(domains, str):
        raise InputError("domains must be a list of domains, not one text. Pass [domain] or use categorize().")
    normal: list[str] = []
    for position, domain in enumerate(domains):
        try:
            normal.append(parse_target(domain).domain)
        except TargetError as error:
            raise TargetError(f"domains[{position}]: {error}") from None
    if not 1 <= len(normal) <= MOST_BATCH_DOMAINS:
        raise InputError(
            f"A batch takes 1 to {MOST_BATCH_DOMAINS:,} domains; {len(normal):,} were given. Split the list."
        )
    payload: dict[str, Any] = {"domains": normal}
    if webhook_url is not None:
        payload["webhook_url"] = parse_target(webhook_url).given
    if webhook_secret is not None:
        payload["webhook_secret"] = webhook_secret
    return Call(
        endpoint="submit_batch",
        family="a",
        method="POST",
        path="/v1/batch",
        target=f"{len(normal)} domains",
        normal=f"{len(normal)} domains",
        payload=payload,
        expects=("batch_id",),
        repeatable=False,
    )


def batch_results(batch: str | BatchSubmission) -> Call:
    """Family A: results of a batch. The identifier is used, never the address that a notification carries."""
    identifier = batch.batch_id if isinstance(batch, BatchSubmission) else str(batch).strip()
    if not identifier or any(character in identifier for character in "/?#% \\"):
        raise InputError(f"{identifier!r} is no batch identifier. Pass the submission or its batch_id.")
    return Call(
        endpoint="batch_results",
        family="a",
        method="GET",
        path=f"/v1/batch/{identifier}/results",
        target=identifier,
        normal=identifier,
        expects=("results", "state", "batch_id"),
    )


#: The model of each endpoint's answer.
MODELS: Final[dict[str, type[Answer]]] = {
    "categorize": Categorization,
    "enrich": Enrichment,
    "segment": Segmentation,
    "categorize_content": ContentCategorization,
    "submit_batch": BatchSubmission,
    "batch_results": BatchResults,
}


def model_of(call: Call) -> type[Answer]:
    """Return the model of a call's answer."""
    if call.endpoint == "segment" and "format" not in call.form:
        return LegacySegmentation
    return MODELS[call.endpoint]


def read_json(call: Call, received: Received) -> dict[str, Any]:
    """Read a response's body, or raise what it says went wrong.

    HTTP status and the body's `status` are reconciled here: an answer is data only if neither of them says otherwise.

    Parameters
    ----------
    call : Call
        What was asked.
    received : Received
        What came.

    Returns
    -------
    dict
        The decoded body of a successful answer.

    Raises
    ------
    ServiceError
        The class of the code, if either status is an error, or the body carries an error and no data.
    ResponseError
        If the body is empty, no JSON or XML object, or has none of the expected fields.
    """
    failed = not _OK <= received.http_status < 300  # noqa: PLR2004 - the HTTP class of successes
    try:
        raw = _decoded(received)
    except ValueError as error:
        if failed:
            raise _failure(call, received, received.http_status, _opening(received.body)) from None
        raise ResponseError(
            f"{call.endpoint} for {call.normal}: the answer is not the JSON or XML of the interface ({error}). "
            "Check the base URL.",
            http_status=received.http_status,
            body=received.body.decode("utf-8", errors="replace"),
        ) from None
    stated = _stated_status(raw)
    if failed or stated >= 400 or (stated and stated != _OK and stated < 200):  # noqa: PLR2004
        status = stated if stated >= 400 else received.http_status  # noqa: PLR2004
        raise _failure(call, received, status if failed or stated else 500, _detail(raw), raw)
    if not isinstance(raw, dict):
        raise ResponseError(
            f"{call.endpoint} for {call.normal}: the answer is a JSON {type(raw).__name__}, not an object. "
            "Check the base URL.",
            http_status=received.http_status,
            body=str(raw),
        )
    has_data = any(raw.get(name) is not None for name in call.expects)
    if _states_error(raw) and not has_data:
        raise _failure(call, received, _number(raw.get("code")) or 500, _detail(raw), raw)
    if call.expects and not any(name in raw for name in call.expects):
        raise ResponseError(
            f"{call.endpoint} for {call.normal}: the answer has none of the fields {', '.join(call.expects)}. "
            "Check the base URL; the raw answer is in the error's body.",
            http_status=received.http_status,
            body=str(raw),
        )
    return raw


def read_answer(call: Call, received: Received, fetched_at: datetime | None = None) -> Answer:
    """Read a response into its typed answer.

    Raises
    ------
    ServiceError, ResponseError
        As `read_json`; also if a field is of the wrong kind.
    """
    raw = read_json(call, received)
    return model_of(call).decode(raw, provenance(call, received, raw, fetched_at))


def provenance(
    call: Call, received: Received, raw: Mapping[str, Any], fetched_at: datetime | None = None
) -> Provenance:
    """Return where an answer comes from, as call, headers and body state it."""
    blocks = [raw, *(block for name in ("meta", "credits") if isinstance(block := raw.get(name), dict))]

    def stated(name: str) -> Any:
        return next((block[name] for block in blocks if block.get(name) is not None), None)

    return Provenance(
        endpoint=call.endpoint,
        target=call.target,
        normal=call.normal,
        fetched_at=fetched_at or datetime.now(UTC),
        http_status=received.http_status,
        request_id=stated("request_id") or received.headers.get("x-request-id"),
        vocab_version=stated("vocab_version"),
        credits_used=_number(stated("credits_used")),
        total_credits=_number(stated("total_credits")),
        remaining_credits=_number(stated("remaining_credits")),
    )


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds that a Retry-After header asks to wait, from seconds or a date; None if it is missing or odd.

    Examples
    --------
    >>> retry_after({"retry-after": "5"}), retry_after({"retry-after": "soon"})
    (5.0, None)
    """
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        return max(float(value), 0.0)
    except ValueError:
        pass
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max((moment - (now or datetime.now(UTC))).total_seconds(), 0.0)


def _query(target: Target) -> str:
    """Return what is sent for a target: a scheme only where one was given, so that the service may try both."""
    return target.url if "://" in target.given else target.url.removeprefix("https://").removesuffix("/")


def _check_one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InputError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {value!r}.")


def _decoded(received: Received) -> Any:
    body = received.body.strip()
    if not body:
        raise ValueError("the body is empty")
    if "xml" in received.headers.get("content-type", "") or body.startswith(b"<?xml"):
        try:
            return _plain(fromstring(body))
        except (ParseError, DefusedXmlException) as error:
            raise ValueError(f"XML: {error}") from None
    try:
        return json.loads(body)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _plain(node: Element) -> Any:
    """Read an XML element: by its `type` attribute where it has one, else by its make-up."""
    kind, text = node.get("type"), (node.text or "").strip()
    children = list(node)
    if kind == "array" or (kind is None and children and all(child.tag == "item" for child in children)):
        return [_plain(child) for child in children]
    if kind == "object" or children:
        return _plain_object(children)
    readers: dict[str, Callable[[str], Any]] = {
        "integer": int,
        "number": float,
        "boolean": lambda value: value.lower() in ("true", "1"),
        "null": lambda _: None,
    }
    return readers.get(kind or "", str)(text)


def _plain_object(children: list[Element]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for child in children:
        value = _plain(child)
        if child.tag in found:  # a repeated element is a list
            earlier = found[child.tag]
            value = [*(earlier if isinstance(earlier, list) else [earlier]), value]
        found[child.tag] = value
    return found


def _stated_status(raw: Any) -> int:
    """Return the body's own status as a number, 0 where it states none."""
    stated = raw.get("status") if isinstance(raw, dict) else None
    if isinstance(stated, str):
        word = stated.strip().lower()
        if word in _GOOD_WORDS:
            return 0
        if word in _BAD_WORDS:
            return _number(raw.get("code")) or 500
    if stated is False:
        return _number(raw.get("code")) or 500
    return _number(stated) or 0


def _number(value: Any) -> int | None:
    if isinstance(value, bool) or value is None:
        return None
    try:
        return int(float(value))
    except (TypeError, ValueError, OverflowError):
        return None


def _states_error(raw: Mapping[str, Any]) -> bool:
    return any(raw.get(name) for name in ("error", "errors")) or raw.get("success") is False


def _detail(raw: Any) -> str:
    if not isinstance(raw, dict):
        return ""
    for name in ("error", "message", "detail", "error_message", "error_description", "errors"):
        value = raw.get(name)
        if isinstance(value, dict):
            value = value.get("message") or value.get("detail")
        if isinstance(value, list) and value:
            value = value[0]
        if isinstance(value, str) and value.strip():
            return value.strip()[:500]
    return ""


def _opening(body: bytes) -> str:
    text = " ".join(body[:400].decode("utf-8", errors="replace").split())
    return "" if text.startswith("<") else text[:120]


def _failure(call: Call, received: Received, status: int, detail: str, raw: Any = None) -> Exception:
    request_id = received.headers.get("x-request-id")
    if isinstance(raw, dict) and isinstance(raw.get("meta"), dict):
        request_id = raw["meta"].get("request_id") or request_id
    return service_error(status)(
        status,
        endpoint=call.endpoint,
        target=call.normal,
        detail=detail,
        http_status=received.http_status,
        request_id=request_id,
        retry_after=retry_after(received.headers),
        raw=raw,
    )
