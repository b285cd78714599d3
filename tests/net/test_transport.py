"""Faults between client and service, retries, and where requests and keys go."""

import asyncio
import email.utils
import gzip
import json
import socket
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs

import httpx
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

import toolkit as tk
from toolkit.interface import errors, models
from toolkit.interface.errors import service_error
from toolkit.service.settings import Settings

CALLS = {
    "categorize": (
        lambda client: client.categorize("a.example"),
        {"domain": "a.example", "categories": [{"id": "150", "name": "Attractions"}]},
    ),
    "enrich": (lambda client: client.enrich("a.example"), {"domain": "a.example", "company": {"name": "A"}}),
    "segment": (
        lambda client: client.segment("a.example"),
        {"demographics": {"urbanicity": "urban"}, "status": 200},
    ),
    "legacy": (lambda client: client.segment("a.example", format="legacy"), {"audience": "everyone", "status": 200}),
    "categorize_content": (
        lambda client: client.categorize_content("a.example"),
        {"std_classification": [["Category name: Attractions", "Confidence: 0.5"]], "status": 200},
    ),
    "submit_batch": (lambda client: client.submit_batch(["a.example"]), {"batch_id": "b1"}),
    "batch_results": (
        lambda client: client.batch_results("b1"),
        {"batch_id": "b1", "results": [{"domain": "a.example"}]},
    ),
    "filters": (lambda client: client.filters(refresh=True), {"interests": ["INT.PETS.DOGS"]}),
}
FAMILY_A = ("categorize", "enrich", "submit_batch", "batch_results")
FAMILY_B = ("segment", "legacy", "categorize_content")
KEYED = (*FAMILY_A, *FAMILY_B)
of_every_call = pytest.mark.parametrize("name", list(CALLS))
of_every_keyed_call = pytest.mark.parametrize("name", KEYED)
ENVIRONMENT = ("TOOLKIT_BASE_URL", "TOOLKIT_API_KEY", "TOOLKIT_V1_BASE_URL", "TOOLKIT_V1_API_KEY")


def ask(client, name="categorize"):
    return CALLS[name][0](client)


def good(name="categorize"):
    return CALLS[name][1]


def failure(stub, name="categorize", kind=errors.ToolkitError, **settings):
    with stub.client(**settings) as client, pytest.raises(kind) as caught:
        ask(client, name)
    return caught.value


def form_of(request):
    return {name: values[0] for name, values in parse_qs(request.content.decode()).items()}


# What the service may answer ----------------------------------------------------------------------------------------


@of_every_call
def test_a_good_answer_is_read(stub, name):
    stub.reply(200, good(name))
    with stub.client() as client:
        assert isinstance(ask(client, name), models.Answer | tk.Vocabulary)


@pytest.mark.parametrize("code", [300, 304, 307, *range(400, 432), 451, 499, *range(500, 512), 599])
@pytest.mark.parametrize("name", ["categorize", "segment"])
def test_error_json_without_status_takes_the_code_of_http(stub, name, code):
    stub.reply(code, {"error": "no such luck"})
    error = failure(stub, name, retries=tk.Retries(attempts=1))
    assert type(error) is service_error(code)
    assert (error.status, error.http_status, error.detail) == (code, code, "no such luck")


@of_every_call
def test_error_json_without_status_at_http_200_is_an_error(stub, name):
    stub.reply(200, {"error": "no such luck"})
    assert failure(stub, name, errors.ServiceError, retries=tk.Retries(attempts=1)).detail == "no such luck"


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"error": "words"}, "words"),
        ({"message": "words"}, "words"),
        ({"detail": "words"}, "words"),
        ({"error": {"message": "words", "type": "x"}}, "words"),
        ({"errors": ["words", "more"]}, "words"),
        ({"errors": [{"message": "words"}]}, "words"),
        ({"error": None, "message": "words"}, "words"),
        ({"error": 17}, ""),
        ({}, ""),
        ([], ""),
        ("words", ""),
        (None, ""),
    ],
)
def test_error_text_is_found_in_the_body(stub, body, detail):
    stub.reply(400, body)
    assert failure(stub, kind=errors.BadRequestError).detail == detail


@of_every_call
@pytest.mark.parametrize("status", [403, "403", " 403 ", 403.0, "403.0"])
def test_body_status_is_read_as_number_float_or_text(stub, name, status):
    stub.reply(200, {"status": status, "error": "used up"})
    error = failure(stub, name, errors.QuotaExceededError)
    assert (error.status, error.http_status) == (403, 200)


@of_every_call
@pytest.mark.parametrize("status", [200, "200", 200.0, "ok", "OK", "success", None, ""])
def test_body_status_of_success_is_read_as_number_float_or_text(stub, name, status):
    stub.reply(200, {**good(name), "status": status})
    with stub.client() as client:
        ask(client, name)


@of_every_call
@pytest.mark.parametrize("status", ["error", "Failed", False])
def test_body_status_of_failure_in_words_is_an_error(stub, name, status):
    if (name, status) == ("batch_results", "Failed"):
        return  # a job may have failed, which is no failure to answer
    stub.reply(200, {**good(name), "status": status})
    assert failure(stub, name, errors.ServiceError, retries=tk.Retries(attempts=1)).status >= 400


def test_a_job_that_failed_is_an_answer_about_it(stub):
    stub.reply(200, {**good("batch_results"), "status": "Failed"})
    with stub.client() as client:
        assert client.batch_results("b1").is_finished


@pytest.mark.parametrize("mark", [{"status": "error"}, {"success": False}, {"error": "some failed"}])
def test_results_of_a_batch_are_not_lost_for_what_is_said_beside_them(stub, mark):
    item = {"domain": "a.example", "categories": [{"id": "150", "name": "Attractions"}]}
    stub.reply(200, {"batch_id": "b1", "results": [item], **mark})
    with stub.client() as client:
        assert client.batch_results("b1").results[0].categories[0].id == "150"


@pytest.mark.parametrize("code", [401, "401"])
def test_body_code_beside_a_status_in_words_is_the_code(stub, code):
    stub.reply(200, {"status": "error", "code": code})
    assert failure(stub, kind=errors.InvalidKeyError).status == 401


@pytest.mark.parametrize("code", [400, 401, 403, 404, 407, 410, 411, 429, 500, 503])
def test_body_status_names_the_class_at_http_200(stub, code):
    stub.reply(200, {"status": code})
    assert type(failure(stub, "segment", retries=tk.Retries(attempts=1))) is service_error(code)


@pytest.mark.parametrize("http_status", [400, 401, 403, 404, 429, 500, 503])
def test_http_error_with_body_status_200_is_the_http_error(stub, http_status):
    stub.reply(http_status, {**good(), "status": 200})
    error = failure(stub, retries=tk.Retries(attempts=1))
    assert type(error) is service_error(http_status)
    assert error.status == http_status


def test_body_status_is_more_exact_than_http(stub):
    stub.reply(400, {"status": 407, "error": "data_type missing"})
    error = failure(stub, kind=errors.DataTypeError)
    assert (error.status, error.http_status) == (407, 400)


@pytest.mark.parametrize("status", [0, 1, -1, 100, True, "soon", [], {}, 1e308, "1e999", "NaN"])
def test_no_error_has_the_status_of_a_success(stub, status):
    stub.reply(200, {**good("segment"), "status": status})
    with stub.client(retries=tk.Retries(attempts=1)) as client:
        try:
            ask(client, "segment")
        except errors.ServiceError as error:
            assert error.status >= 300  # noqa: PT017 - it may as well be an answer


@of_every_call
@pytest.mark.parametrize("body", [b"", b"  \n", b"null", b"[]", b'[{"a": 1}]', b'"words"', b"17", b"true"])
def test_body_that_is_no_object_is_a_response_error(stub, name, body):
    stub.reply(200, body, {"content-type": "application/json"})
    # A list at the top may be a vocabulary, or the results of a batch.
    is_listed = name in {"filters", "batch_results"} and body.startswith(b"[{")
    error = failure(stub, name, errors.ToolkitError if is_listed else errors.ResponseError)
    assert is_listed or error.http_status == 200


@of_every_call
def test_html_at_http_200_is_a_response_error_with_the_body(stub, name):
    stub.reply(200, b"<!doctype html><title>Sign in</title>", {"content-type": "text/html"})
    error = failure(stub, name, errors.ResponseError)
    assert "Sign in" in error.body
    assert "<" not in str(error)


def test_empty_204_is_a_response_error(stub):
    stub.reply(204)
    failure(stub, kind=errors.ResponseError)


@pytest.mark.parametrize(
    "body", [b"", b"<html><h1>Bad gateway</h1></html>", b"upstream is down", b"[]", b"\xff\xfe\x00"]
)
def test_http_error_with_any_body_keeps_its_class(stub, body):
    stub.reply(502, body, {"content-type": "text/html"})
    error = failure(stub, kind=errors.ServerError, retries=tk.Retries(attempts=1))
    assert error.status == 502
    assert "<" not in str(error)


def test_json_without_any_expected_field_is_a_response_error_that_names_them(stub):
    stub.reply(200, {"hello": "world"})
    error = failure(stub, "categorize_content", errors.ResponseError)
    assert str(error) == (
        "categorize_content for a.example: the answer has none of the fields std_classification, std_taxonomy, "
        "std_taxonomy_version2, filtering_taxonomy. Check the base URL; the whole answer is in the error's raw."
    )
    assert "world" in error.body


def test_malformed_field_is_a_response_error_that_names_its_json_path(stub):
    stub.reply(200, {"domain": "a.example", "categories": [{"id": "1", "name": "A"}, {"id": "2", "name": ["B"]}]})
    error = failure(stub, kind=errors.ResponseError)
    assert error.path == "$.categories[1].name"
    assert "at $.categories[1].name" in str(error)


NULLS = {
    "categorize": ("domain", "categories", "meta"),
    "enrich": ("domain", "company", "categories", "technologies", "traffic", "social", "meta"),
    "segment": (
        "url",
        "vocab_version",
        "audience_type",
        "demographics",
        "b2b",
        "interests",
        "purchase_intent",
        "personas",
        "content_context",
        "labels",
    ),
    "categorize_content": (
        "std_classification",
        "std_taxonomy",
        "std_taxonomy_version2",
        "filtering_taxonomy",
        "buyer_personas_confidence_selection",
    ),
    "batch_results": ("batch_id", "state", "total_domains", "successful", "failed", "results"),
}


def values_in(block):
    """What stands in a block at any depth."""
    if isinstance(block, dict):
        return [value for part in block.values() for value in values_in(part)]
    return [block] if block else []


@pytest.mark.parametrize(("name", "field"), [(name, field) for name, fields in NULLS.items() for field in fields])
def test_null_field_is_read_as_missing(stub, name, field):
    stub.reply(200, {**good(name), field: None})
    with stub.client() as client:
        answer = ask(client, name)
    assert not values_in(answer.model_dump()[field])
    assert answer.raw[field] is None


@of_every_keyed_call
def test_unknown_fields_are_kept(stub, name):
    stub.reply(200, {**good(name), "brand_new": {"deep": [1]}})
    with stub.client() as client:
        assert ask(client, name).raw["brand_new"] == {"deep": [1]}


def test_unknown_values_of_the_vocabulary_are_kept(stub):
    stub.reply(200, {"demographics": {"income_level": "astronomic"}, "interests": {"tier2": ["INT.NEW.CODE"]}})
    with stub.client() as client:
        answer = ask(client, "segment")
    assert (answer.demographics.income_level, answer.interests.tier2) == ("astronomic", ["INT.NEW.CODE"])


@pytest.mark.parametrize("field", ["request_id", "vocab_version", "credits_used", "total_credits"])
@pytest.mark.parametrize("value", [["x"], {"x": 1}, 17, 1.5, True, "x", "10**9", -1])
@pytest.mark.parametrize("place", ["top", "meta", "credits"])
def test_odd_bookkeeping_fields_give_an_answer_or_a_toolkit_error(stub, place, field, value):
    stub.reply(200, {**good("segment"), **({field: value} if place == "top" else {place: {field: value}})})
    with stub.client() as client:
        try:
            assert isinstance(ask(client, "segment"), models.Segmentation)
        except errors.ToolkitError as error:
            assert isinstance(error, errors.ResponseError)  # noqa: PT017 - it may as well be an answer


@pytest.mark.parametrize("cut", [12, 40, -9, -1])
def test_truncated_gzip_is_no_silent_answer(stub, cut):
    body = json.dumps({**good(), "padding": "".join(map(str, range(500)))}).encode()
    stub.reply(200, gzip.compress(body)[:cut], {"content-encoding": "gzip", "content-type": "application/json"})
    with stub.client() as client:
        try:
            assert ask(client).raw == json.loads(body)
        except errors.ResponseError:
            assert True


@pytest.mark.parametrize("cut", [0, 12, 40])
def test_gzip_cut_in_its_data_is_a_response_error(stub, cut):
    body = json.dumps({**good(), "padding": "".join(map(str, range(500)))}).encode()
    stub.reply(200, gzip.compress(body)[:cut], {"content-encoding": "gzip"})
    failure(stub, kind=errors.ResponseError)


def test_damaged_gzip_is_a_response_error(stub):
    stub.reply(200, b"\x1f\x8b\x08 this is no gzip", {"content-encoding": "gzip"})
    assert "compressed answer is damaged" in str(failure(stub, kind=errors.ResponseError))


@pytest.mark.parametrize(
    "body",
    [
        b"<a>" * 100_000,
        b"<a>" * 5_000 + b"</a>" * 5_000,
        b'<?xml version="1.0" encoding="no-such"?><enrichment><domain>a</domain></enrichment>',
        b'<?xml version="1.0" encoding="shift_jis"?><enrichment><domain>a</domain></enrichment>',
        b'<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><enrichment>&c;</enrichment>',
        b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><enrichment>&a;</enrichment>',
        b'<enrichment><credits_used type="integer">many</credits_used></enrichment>',
        b"<enrichment>\x00</enrichment>",
        b"<enrichment",
        b"words",
    ],
    ids=range(10),
)
def test_hostile_xml_is_a_response_error(stub, body):
    stub.reply(200, body, {"content-type": "application/xml"})
    failure(stub, "enrich", errors.ResponseError)


def test_xml_of_another_make_is_read(stub):
    body = b"""<?xml version="1.0" encoding="UTF-8"?><response><domain>a.example</domain>
    <company><name>A &amp; B</name><founded_year>1998</founded_year></company>
    <technologies><item><name>jQuery</name></item></technologies></response>"""
    stub.reply(200, body, {"content-type": "application/xml"})
    with stub.client() as client:
        answer = client.enrich("a.example", format="xml")
    assert (answer.company.name, answer.company.founded_year) == ("A & B", 1998)
    assert [technology.name for technology in answer.technologies] == ["jQuery"]


@pytest.mark.parametrize("depth", [100, 900, 960, 980, 990, 1_000, 5_000, 100_000])
def test_deeply_nested_json_gives_an_answer_or_a_toolkit_error(stub, depth):
    stub.reply(200, b'{"domain": "a.example", "categories": ' + b"[" * depth + b"]" * depth + b"}")
    with stub.client() as client:
        try:
            assert ask(client).raw["domain"] == "a.example"
        except errors.ResponseError:
            assert True


def test_redirect_is_not_followed(stub):
    stub.reply(302, b"", {"location": "https://elsewhere.example/"})
    assert failure(stub, kind=errors.ServiceError).status == 302
    assert len(stub.requests) == 1


@pytest.mark.parametrize("body", [b"", b"{}", b'{"status": 200}', b"<html>moved</html>"])
@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_redirect_is_an_error_whatever_its_body(stub, code, body):
    stub.reply(code, body, {"location": "/"})
    assert failure(stub, kind=errors.ServiceError).status == code


FIELDS = sorted({field for fields in NULLS.values() for field in fields} | {
    "status", "error", "errors", "message", "code", "success", "request_id", "credits", "credits_used", "total_credits",
    "remaining_credits", "id", "name", "tier", "confidence", "persona", "tier1", "tier2", "codes", "headquarters",
    "city", "age_bracket", "values", "interests", "processing_time_ms",
})  # fmt: skip
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from([10**400, -1, 200, "200", "403", "Confidence: x", "Category name: ", "INT.PETS.DOGS", "1e999"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=4), inner, max_size=5)
    ),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=6)
TAGS = st.sampled_from(["enrichment", "item", "domain", "company", "name", "meta", "status"])
KINDS = st.sampled_from(["", ' type="integer"', ' type="number"', ' type="null"', ' type="array"', ' type="object"'])
XML = st.recursive(
    st.text("abc1 .é", max_size=5),
    lambda inner: st.builds(
        lambda tag, kind, parts: f"<{tag}{kind}>{''.join(parts)}</{tag}>", TAGS, KINDS, st.lists(inner, max_size=3)
    ),
    max_leaves=8,
)
BODIES = st.binary(max_size=60) | DOCUMENTS.map(lambda d: json.dumps(d).encode()) | XML.map(str.encode)
TYPES = st.sampled_from(["application/json", "application/xml", "text/html; charset=utf-8", "text/plain", "", "é"])
STATUSES = st.sampled_from([200, 200, 200, 201, 204, 299]) | st.integers(200, 599)
ONE_TRY = tk.Retries(attempts=1, first_wait=0.0)


@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(name=st.sampled_from(list(CALLS)), body=BODIES, status=STATUSES, kind=TYPES)
@example(name="segment", body=b'{"demographics": {}, "request_id": ["x"]}', status=200, kind="application/json")
@example(name="segment", body=b'{"demographics": {}, "vocab_version": {}}', status=200, kind="application/json")
@example(name="enrich", body=b"<a><b>" * 2_000 + b"</b></a>" * 2_000, status=200, kind="application/xml")
@example(name="enrich", body=b'<?xml version="1.0" encoding="x"?><a/>', status=200, kind="application/xml")
def test_any_bytes_give_an_answer_or_a_toolkit_error(shared_stub, name, body, status, kind):
    shared_stub.again().reply(status, body, {"content-type": kind.encode()})
    with shared_stub.client(retries=ONE_TRY) as client:
        try:
            answer = ask(client, name)
        except errors.ToolkitError as error:
            assert str(error)  # noqa: PT017 - it may as well be an answer
            return
    assert isinstance(answer, models.Answer | tk.Vocabulary)
    assert repr(answer)
    assert name == "filters" or answer._repr_html_()


@settings(max_examples=60)
@given(value=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40))
@example(value="Mon, 01 Jan 99999999999999999999 00:00:00 GMT")
@example(value="Mon, 01 Jan 2024 00:00:00 +99999999")
@example(value="nan")
@example(value="-inf")
@example(value="1e999")
def test_any_retry_after_gives_a_rate_limited_error(shared_stub, value):
    shared_stub.again().reply(429, {"error": "slow down"}, {"retry-after": value.encode("utf-8")})
    with shared_stub.client(retries=ONE_TRY) as client, pytest.raises(errors.RateLimitedError):
        ask(client)


# httpx's own errors -------------------------------------------------------------------------------------------------


def family(kind):
    return [kind, *(below for child in kind.__subclasses__() for below in family(child))]


def made(kind):
    """Make an error of a class of httpx as its own constructor takes it."""
    if kind is httpx.HTTPStatusError:
        request = httpx.Request("GET", "https://a.example")
        return kind("broken", request=request, response=httpx.Response(500, request=request))
    for arguments in (("broken",), ()):
        try:
            return kind(*arguments)
        except TypeError:
            continue
    raise AssertionError(kind)


OF_HTTPX = sorted(
    {
        kind
        for root in (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, httpx.CookieConflict)
        for kind in family(root)
        if kind.__module__.split(".")[0] == "httpx"
    },
    key=lambda kind: kind.__name__,
)
NOT_SENT = {httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout}


def test_every_public_error_of_httpx_is_tried():
    public = {getattr(httpx, name) for name in httpx.__all__}
    assert {kind for kind in public if isinstance(kind, type) and issubclass(kind, Exception)} <= set(OF_HTTPX)


@pytest.mark.parametrize("kind", OF_HTTPX, ids=lambda kind: kind.__name__)
def test_error_of_httpx_comes_out_as_a_toolkit_error(stub, kind):
    stub.fail(made(kind))
    failure(stub)


@pytest.mark.parametrize("kind", OF_HTTPX, ids=lambda kind: kind.__name__)
def test_error_of_httpx_is_not_in_the_chain(stub, kind):
    stub.fail(made(kind))
    with stub.client() as client, pytest.raises(Exception) as caught:
        ask(client)
    chain, error = [], caught.value
    while error is not None:
        chain.append(error)
        error = error.__cause__ or error.__context__
    assert not [link for link in chain if type(link).__module__.startswith("httpx")]


@pytest.mark.parametrize(
    "kind", [kind for kind in family(httpx.TimeoutException) if kind not in NOT_SENT], ids=lambda kind: kind.__name__
)
def test_timeout_after_sending_is_an_answer_timeout_and_not_repeated(stub, kind):
    stub.fail(made(kind))
    error = failure(stub, kind=errors.AnswerTimeoutError, timeout=7)
    assert "no complete answer within 7 s" in str(error)
    assert len(stub.requests) == 1


@pytest.mark.parametrize("name", ["categorize", "segment", "submit_batch"])
@pytest.mark.parametrize("kind", sorted(NOT_SENT, key=str), ids=lambda kind: kind.__name__)
def test_connection_that_was_not_made_is_tried_again(stub, kind, name):
    stub.fail(made(kind)).fail(made(kind)).reply(200, good(name))
    with stub.client() as client:
        ask(client, name)
    assert len(stub.requests) == 3


def test_connection_that_is_never_made_names_the_host(stub):
    stub.fail(httpx.ConnectError("broken"))
    assert "no connection to v1.stub.example. Check the base URL" in str(
        failure(stub, kind=errors.ConnectionFailedError)
    )


@pytest.mark.parametrize(
    "kind",
    [httpx.ReadError, httpx.WriteError, httpx.CloseError, httpx.RemoteProtocolError, httpx.ProxyError],
    ids=lambda kind: kind.__name__,
)
def test_connection_that_broke_is_not_tried_again(stub, kind):
    stub.fail(made(kind))
    error = failure(stub, kind=errors.ConnectionFailedError)
    assert "the connection broke" in str(error)
    assert len(stub.requests) == 1


# Retries ------------------------------------------------------------------------------------------------------------


@of_every_call
@pytest.mark.parametrize("value", [None, "0", "soon", "-5"])
def test_429_then_200_succeeds(stub, name, value):
    headers = {} if value is None else {"retry-after": value}
    stub.reply(429, {"error": "slow down"}, headers).reply(200, good(name))
    with stub.client() as client:
        ask(client, name)
    assert len(stub.requests) == 2


def test_429_with_a_date_in_the_past_is_tried_again(stub):
    past = email.utils.format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True)
    stub.reply(429, {}, {"retry-after": past}).reply(200, good())
    with stub.client() as client:
        ask(client)
    assert len(stub.requests) == 2


def far(days=3):
    return email.utils.format_datetime(datetime.now(UTC) + timedelta(days=days), usegmt=True)


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("value", ["200000", "121", pytest.param(far(), id="a date in three days")])
def test_retry_after_that_is_too_long_raises_at_once(stub, status, value):
    stub.reply(status, {"error": "slow down"}, {"retry-after": value})
    error = failure(stub, kind=service_error(status))
    assert len(stub.requests) == 1
    assert error.retry_after is None or not error.retry_after <= 120


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("5", 5),
        ("200000", 200_000),
        ("1.5", 1.5),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("1e400", None),
    ],
)
def test_error_states_the_wait_that_was_asked_for(stub, value, seconds):
    stub.reply(429, {"error": "slow down"}, {"Retry-After": value})
    assert failure(stub, kind=errors.RateLimitedError, retries=ONE_TRY).retry_after == seconds


def test_error_states_the_wait_until_a_date(stub):
    stub.reply(429, {"error": "slow down"}, {"Retry-After": far(days=1)})
    wait = failure(stub, kind=errors.RateLimitedError, retries=ONE_TRY).retry_after
    assert 86_000 < wait <= 86_400


def test_retry_after_is_waited_for(stub, monkeypatch):
    waits = []

    async def slept(seconds):
        waits.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", slept)
    stub.reply(429, {}, {"retry-after": "5"}).reply(200, good())
    with stub.client() as client:
        ask(client)
    assert waits == [5]


def test_longest_retry_after_can_be_set(stub):
    stub.reply(429, {}, {"retry-after": "3"})
    failure(stub, kind=errors.RateLimitedError, retries=tk.Retries(longest_retry_after=2, first_wait=0.0))
    assert len(stub.requests) == 1


def test_wait_beyond_the_time_allowed_in_all_is_not_begun(stub):
    stub.reply(429, {}, {"retry-after": "2"})
    failure(stub, kind=errors.RateLimitedError, retries=tk.Retries(seconds=0.5, first_wait=0.0))
    assert len(stub.requests) == 1


@of_every_call
@pytest.mark.parametrize("status", [400, 401, 403, 404, 407, 410, 411])
@pytest.mark.parametrize("place", ["http", "body"])
def test_error_that_waiting_does_not_help_is_not_tried_again(stub, name, status, place):
    stub.reply(status if place == "http" else 200, {"status": status, "error": "no"}, {"retry-after": "0"})
    assert failure(stub, name, service_error(status)).status == status
    assert len(stub.requests) == 1


@pytest.mark.parametrize("attempts", [1, 2, 5])
@pytest.mark.parametrize(
    ("status", "place"), [(500, "http"), (503, "http"), (500, "body"), (429, "http"), (429, "body")]
)
def test_request_is_tried_as_often_as_attempts_says(stub, attempts, status, place):
    stub.reply(status if place == "http" else 200, {"status": status, "error": "no"})
    failure(stub, kind=service_error(status), retries=tk.Retries(attempts=attempts, first_wait=0.0))
    assert len(stub.requests) == attempts


def test_default_is_four_attempts(stub):
    stub.reply(503)
    failure(stub, kind=errors.ServerError)
    assert len(stub.requests) == tk.Retries().attempts == 4


@pytest.mark.parametrize("name", [name for name in CALLS if name != "submit_batch"])
def test_5xx_then_200_succeeds(stub, name):
    stub.reply(502, b"<html>").reply(200, good(name))
    with stub.client() as client:
        ask(client, name)
    assert len(stub.requests) == 2


@pytest.mark.parametrize("place", ["http", "body"])
def test_batch_submission_is_not_repeated_after_a_server_error(stub, place):
    stub.reply(503 if place == "http" else 200, {"status": 503, "error": "no"}, {"retry-after": "0"})
    failure(stub, "submit_batch", errors.ServerError)
    assert len(stub.requests) == 1


@pytest.mark.parametrize("kind", [httpx.ReadTimeout, httpx.ReadError, httpx.RemoteProtocolError])
def test_batch_submission_is_not_repeated_after_a_broken_connection(stub, kind):
    stub.fail(made(kind))
    failure(stub, "submit_batch", errors.ConnectionFailedError)
    assert len(stub.requests) == 1


@pytest.mark.parametrize("name", ["segment", "submit_batch"])
def test_repeated_request_is_the_same(stub, name):
    stub.reply(429).reply(200, good(name))
    with stub.client() as client:
        ask(client, name)
    first, second = stub.requests
    assert (first.method, first.url, first.content) == (second.method, second.url, second.content)
    assert first.headers.get("authorization") == second.headers.get("authorization")


def test_async_client_retries_too(stub):
    stub.reply(429).reply(200, good())

    async def main():
        async with stub.client(tk.AsyncClient) as client:
            return await client.categorize("a.example")

    assert asyncio.run(main()).domain == "a.example"
    assert len(stub.requests) == 2


# A real network on loopback -----------------------------------------------------------------------------------------

OK = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
BODY = json.dumps(good()).encode()
SECRET = "loopbackkey77aa31"


def over_network(url, **given):
    settings = {"timeout": 5.0, "retries": tk.Retries(first_wait=0.0), **given}
    return tk.Client(SECRET, url, v1_base_url=url, **settings)


def whole(body=BODY, head=OK):
    return head + b"content-length: %d\r\nconnection: close\r\n\r\n" % len(body) + body


def test_answer_over_a_real_connection_is_read(raw_server):
    with over_network(raw_server(whole()).url) as client:
        assert ask(client).domain == "a.example"


@pytest.mark.parametrize(
    "piece",
    [
        OK + b"content-length: 500\r\n\r\n" + BODY,
        OK + b'transfer-encoding: chunked\r\n\r\n5\r\n{"dom',
        OK + b"transfer-encoding: chunked\r\n\r\nzzz\r\n",
        OK + b"content-encoding: gzip\r\ncontent-length: 30\r\n\r\n" + gzip.compress(BODY)[:30],
        OK + b"content-encoding: br\r\ncontent-length: 4\r\n\r\nabcd",
        b"not http at all\r\n\r\n",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon here\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nx: " + b"y" * 100_000 + b"\r\n\r\n",
        OK[:20],
        b"",
    ],
    ids=[
        "short", "cut-chunk", "bad-chunk", "cut-gzip", "not-brotli", "no-http", "bad-status", "bad-header",
        "long-header", "cut-head", "nothing",
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["categorize", "segment"])
def test_broken_http_is_a_toolkit_error_without_the_key(raw_server, name, piece):
    with over_network(raw_server(piece).url) as client, pytest.raises(errors.ToolkitError) as caught:
        ask(client, name)
    assert SECRET not in f"{caught.value!r} {caught.value} {vars(caught.value)}"


@pytest.mark.parametrize(
    "piece", [b"", OK[:20], OK + b"content-length: 500\r\n\r\n"], ids=["nothing", "cut-head", "cut-body"]
)
def test_batch_is_sent_once_where_the_connection_closes_after_it_was_received(raw_server, piece):
    server = raw_server(piece)
    with over_network(server.url) as client, pytest.raises(errors.ConnectionFailedError):
        ask(client, "submit_batch")
    assert len(server.requests) == 1


def test_refused_connection_is_a_connection_failure(unused_port):
    client = over_network(f"http://127.0.0.1:{unused_port}")
    with client, pytest.raises(errors.ConnectionFailedError, match=r"no connection to 127\.0\.0\.1"):
        ask(client)


@pytest.fixture
def unused_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


def test_silent_server_is_an_answer_timeout_and_asked_once(raw_server):
    server = raw_server(close=False)
    with (
        over_network(server.url, timeout=0.3) as client,
        pytest.raises(errors.AnswerTimeoutError, match=r"within 0.3 s"),
    ):
        ask(client)
    assert len(server.requests) == 1


def test_answer_that_drips_beyond_the_timeout_is_an_answer_timeout(raw_server):
    body = BODY + b" " * 12
    head = OK + b"content-length: %d\r\nconnection: close\r\n\r\n" % len(body)
    pieces = [part for byte in body[-12:] for part in (0.15, bytes([byte]))]
    server = raw_server(head + body[:-12], *pieces)
    with over_network(server.url, timeout=0.5) as client, pytest.raises(errors.AnswerTimeoutError):
        ask(client)


# Keys on the wire ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAMILY_A)
def test_family_a_sends_the_bearer_header_and_the_key_nowhere_else(stub, name):
    stub.reply(200, good(name))
    with stub.client() as client:
        ask(client, name)
    request = stub.requests[0]
    assert request.headers["authorization"] == f"Bearer {stub.v1_key}"
    del request.headers["authorization"]
    assert stub.v1_key not in f"{request.url} {dict(request.headers)} {request.content}"
    assert stub.key not in f"{request.url} {dict(request.headers)} {request.content}"


@pytest.mark.parametrize("name", FAMILY_B)
def test_family_b_sends_the_form_field_and_the_key_nowhere_else(stub, name):
    stub.reply(200, good(name))
    with stub.client() as client:
        ask(client, name)
    request = stub.requests[0]
    assert form_of(request)["api_key"] == stub.key
    assert "authorization" not in request.headers
    assert request.content.decode().count(stub.key) == 1
    assert stub.key not in f"{request.url} {dict(request.headers)}"
    assert stub.v1_key not in f"{request.url} {dict(request.headers)} {request.content}"


def test_filters_sends_no_key(stub):
    stub.reply(200, good("filters"))
    with stub.client() as client:
        ask(client, "filters")
    request = stub.requests[0]
    for key in (stub.key, stub.v1_key):
        assert key not in f"{request.url} {dict(request.headers)} {request.content}"


@pytest.mark.parametrize("name", FAMILY_A)
def test_family_a_goes_to_its_own_base_url(stub, name):
    stub.reply(200, good(name))
    with stub.client() as client:
        ask(client, name)
    assert str(stub.requests[0].url).startswith(f"{stub.v1_base}/v1/")


@pytest.mark.parametrize("name", [*FAMILY_B, "filters"])
def test_family_b_goes_to_its_own_base_url(stub, name):
    stub.reply(200, good(name))
    with stub.client() as client:
        ask(client, name)
    assert str(stub.requests[0].url).startswith(f"{stub.base}/api/")


@pytest.mark.parametrize("key", ["  spaced  ", SecretStr("plain"), SecretStr(" spaced\n")])
@pytest.mark.parametrize("name", ["categorize", "segment"])
def test_key_is_sent_without_surrounding_space(stub, key, name):
    stub.reply(200, good(name))
    with stub.client(api_key=key, v1_api_key=key) as client:
        ask(client, name)
    request = stub.requests[0]
    sent = (
        form_of(request)["api_key"] if name == "segment" else request.headers["authorization"].removeprefix("Bearer ")
    )
    assert sent in {"spaced", "plain"}


@pytest.mark.parametrize("key", ["schlüssel", "half\ud800", "two\nlines", "nul\x00l", "sk-live…"], ids=range(5))
@pytest.mark.parametrize("name", ["categorize", "segment"])
def test_key_that_cannot_be_sent_is_a_configuration_error_that_does_not_show_it(stub, key, name):
    stub.reply(200, good(name))
    with pytest.raises(errors.ConfigurationError) as caught, stub.client(api_key=key, v1_api_key=key) as client:
        ask(client, name)
    assert key not in repr(caught.value)


# Configuration ------------------------------------------------------------------------------------------------------

VALUES_OF = {
    "TOOLKIT_BASE_URL": "https://env-b.example",
    "TOOLKIT_API_KEY": "env-key-b",
    "TOOLKIT_V1_BASE_URL": "https://env-a.example",
    "TOOLKIT_V1_API_KEY": "env-key-a",
}


@pytest.fixture
def environment(monkeypatch):
    for name, value in VALUES_OF.items():
        monkeypatch.setenv(name, value)
    return monkeypatch


def bare(stub, **given):
    """A client with nothing but what is given."""
    return tk.Client(transport=httpx.MockTransport(stub.answer), retries=ONE_TRY, **given)


def sent(stub, name, **given):
    stub.again().reply(200, good(name))
    with bare(stub, **given) as client:
        ask(client, name)
    return stub.requests[0]


def test_without_any_setting_the_embedded_service_answers():
    assert tk.Client().is_embedded


def test_base_url_in_the_environment_is_used(environment):
    assert not tk.Client().is_embedded


@pytest.mark.parametrize(
    ("name", "host", "key"), [("categorize", "env-a.example", "env-key-a"), ("segment", "env-b.example", "env-key-b")]
)
@pytest.mark.usefixtures("environment")
def test_each_family_has_its_own_variables(stub, name, host, key):
    request = sent(stub, name)
    assert request.url.host == host
    assert key in f"{request.headers} {request.headers.get('authorization')} {request.content}"


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize(
    ("name", "given", "host", "key"),
    [
        ("categorize", {"v1_base_url": "https://arg.example"}, "arg.example", "env-key-a"),
        ("categorize", {"v1_api_key": "arg-key"}, "env-a.example", "arg-key"),
        ("segment", {"base_url": "https://arg.example"}, "arg.example", "env-key-b"),
        ("segment", {"api_key": "arg-key"}, "env-b.example", "arg-key"),
    ],
)
def test_argument_beats_environment(stub, name, given, host, key):
    request = sent(stub, name, **given)
    assert request.url.host == host
    assert key in f"{request.headers.get('authorization')} {request.content}"


@pytest.mark.usefixtures("environment")
def test_blank_argument_is_as_if_left_out(stub):
    assert sent(stub, "segment", base_url="", api_key="").url.host == "env-b.example"


def test_blank_environment_is_as_if_unset(monkeypatch):
    for name in ENVIRONMENT:
        monkeypatch.setenv(name, " ")
    assert tk.Client().is_embedded


@pytest.mark.parametrize("name", ["TOOLKIT_API_KEY", "TOOLKIT_V1_API_KEY"])
def test_key_in_the_environment_without_a_base_url_is_refused(monkeypatch, name):
    monkeypatch.setenv(name, "lonely-key")
    with pytest.raises(errors.ConfigurationError, match="no base URL to send it to") as caught:
        tk.Client()
    assert "lonely-key" not in str(caught.value)


@pytest.mark.parametrize("name", ["api_key", "v1_api_key"])
def test_key_argument_without_a_base_url_is_refused(name):
    with pytest.raises(errors.ConfigurationError, match="no base URL to send it to"):
        tk.Client(**{name: "lonely-key"})


def test_filters_work_without_a_key(stub):
    sent(stub, "filters", base_url="https://b.example")


@pytest.mark.parametrize("name", KEYED)
def test_keyed_call_without_a_key_is_refused_before_sending(stub, name):
    stub.reply(200, good(name))
    client = bare(stub, base_url="https://b.example", v1_base_url="https://a.example")
    variable = "TOOLKIT_V1_API_KEY" if name in FAMILY_A else "TOOLKIT_API_KEY"
    with client, pytest.raises(errors.ConfigurationError, match=rf"needs an API key: set {variable} "):
        ask(client, name)
    assert not stub.requests


@pytest.mark.parametrize(
    ("name", "given", "variable"),
    [
        ("categorize", {"base_url": "https://b.example"}, "TOOLKIT_V1_BASE_URL or pass v1_base_url"),
        ("segment", {"v1_base_url": "https://a.example"}, "TOOLKIT_BASE_URL or pass base_url"),
        ("filters", {"v1_base_url": "https://a.example"}, "TOOLKIT_BASE_URL or pass base_url"),
    ],
)
def test_family_without_a_base_url_says_what_to_set(stub, name, given, variable):
    stub.reply(200, good(name))
    with (
        bare(stub, api_key="k", v1_api_key="k", **given) as client,
        pytest.raises(errors.ConfigurationError, match=variable),
    ):
        ask(client, name)
    assert not stub.requests


SAME = [
    ("https://one.example", "https://one.example"),
    ("https://one.example", "https://one.example/v1"),
    ("https://one.example/form", "https://one.example:443/gateway/"),
    ("https://ONE.example", "https://one.example"),
]
OTHER = [
    ("https://one.example", "https://two.example"),
    ("https://one.example", "http://one.example"),
    ("https://one.example", "https://one.example:8443"),
    ("https://one.example", "https://api.one.example"),
    ("https://one.example", "https://one.example.evil.example"),
]


@pytest.mark.parametrize(("base", "v1_base"), SAME)
def test_key_is_shared_at_the_same_origin(stub, base, v1_base):
    request = sent(stub, "categorize", base_url=base, v1_base_url=v1_base, api_key="shared")
    assert request.headers["authorization"] == "Bearer shared"
    request = sent(stub, "segment", base_url=base, v1_base_url=v1_base, v1_api_key="shared")
    assert form_of(request)["api_key"] == "shared"


@pytest.mark.parametrize(("base", "v1_base"), OTHER)
@pytest.mark.parametrize(("name", "key"), [("categorize", "api_key"), ("segment", "v1_api_key")])
def test_key_is_not_shared_with_another_origin(stub, base, v1_base, name, key):
    stub.reply(200, good(name))
    client = bare(stub, base_url=base, v1_base_url=v1_base, **{key: "mine"})
    with client, pytest.raises(errors.ConfigurationError, match="needs an API key"):
        ask(client, name)
    assert not stub.requests


def test_own_key_beats_the_shared_one(stub):
    base = {"base_url": "https://one.example", "v1_base_url": "https://one.example", "api_key": "b", "v1_api_key": "a"}
    assert sent(stub, "categorize", **base).headers["authorization"] == "Bearer a"
    assert form_of(sent(stub, "segment", **base))["api_key"] == "b"


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/", "//"])
@pytest.mark.parametrize("path", ["", "/gateway"])
def test_base_url_may_end_in_v1_and_slashes(stub, path, ending):
    base = f"https://one.example{path}{ending}"
    request = sent(stub, "categorize", v1_base_url=base, v1_api_key="k")
    assert str(request.url.copy_with(query=None)) == f"https://one.example{path}/v1/categorize"


@pytest.mark.parametrize("ending", ["", "/", "/v1/"])
def test_base_url_of_family_b_may_end_in_v1_and_slashes(stub, ending):
    request = sent(stub, "segment", base_url=f"https://one.example{ending}", api_key="k")
    assert str(request.url) == "https://one.example/api/audience/segment.php"


BAD = [
    "one.example",
    "ftp://one.example",
    "file:///etc/passwd",
    "https://",
    "https://one example",
    "https://one.example:99999",
    "https://user:hunter2@one.example",
    "https://[::1",
    "https://one.example/?tenant=7",
    "https://one.example/#here",
    "https://one.example/\x7f",
    "https://\ud800.example",
]


@pytest.mark.parametrize("argument", ["base_url", "v1_base_url"])
@pytest.mark.parametrize("url", BAD, ids=range(len(BAD)))
def test_bad_base_url_is_refused_when_the_client_is_made(argument, url):
    with pytest.raises(errors.ConfigurationError, match=rf"TOOLKIT_{argument.upper()}|{argument}") as caught:
        tk.Client(**{argument: url})
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("url", BAD, ids=range(len(BAD)))
def test_bad_base_url_never_raises_anything_but_a_toolkit_error(stub, url):
    stub.reply(200, good())
    with pytest.raises(errors.ToolkitError):
        ask(bare(stub, v1_base_url=url, v1_api_key="k"))


@pytest.mark.parametrize("url", ["https://Bücher.example", "https://ｅxample.example", "https://STRASSE.example"])
def test_base_url_with_other_letters_is_sent_in_ascii_or_refused(stub, url):
    try:
        request = sent(stub, "categorize", v1_base_url=url, v1_api_key="k")
    except errors.ConfigurationError:
        return
    assert request.url.raw_host.isascii()


@pytest.mark.parametrize("argument", ["base_url", "v1_base_url"])
def test_settings_of_the_embedded_service_beside_a_base_url_are_refused(argument):
    with pytest.raises(errors.ConfigurationError, match="embedded=… was given together with a base URL"):
        tk.Client(**{argument: "https://one.example"}, embedded=Settings())


@pytest.mark.usefixtures("environment")
def test_settings_of_the_embedded_service_beside_a_base_url_in_the_environment_are_refused():
    with pytest.raises(errors.ConfigurationError, match="count as given"):
        tk.Client(embedded=Settings())


def test_environment_is_read_when_the_client_is_made(stub, environment):
    stub.reply(200, good("segment"))
    with bare(stub) as client:
        environment.setenv("TOOLKIT_BASE_URL", "https://later.example")
        ask(client, "segment")
    assert stub.requests[0].url.host == "env-b.example"


# Settings out of range ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("timeout", [0, -1, "x", None, True, float("nan"), float("inf"), 86_401])
def test_timeout_out_of_range_is_refused(timeout):
    with pytest.raises(errors.ConfigurationError) as caught:
        tk.Client(timeout=timeout)
    assert str(caught.value) == f"timeout must be a number of seconds above 0 up to 86,400, not {timeout!r}."


@pytest.mark.parametrize("kind", [tk.Client, tk.AsyncClient])
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("retries", 5, "toolkit.Retries, such as Retries(attempts=5), not 5."),
        ("retries", 0, "toolkit.Retries, such as Retries(attempts=5), not 0."),
        ("retries", False, "toolkit.Retries, such as Retries(attempts=5), not False."),
        ("embedded", 5, "toolkit.service.Settings, not 5."),
        ("embedded", True, "toolkit.service.Settings, not True."),
        ("embedded", Settings, f"toolkit.service.Settings, not {Settings!r}."),
        ("transport", 5, "an httpx.AsyncBaseTransport, not 5."),
        ("transport", "https://one.example", "an httpx.AsyncBaseTransport, not 'https://one.example'."),
        ("transport", httpx.BaseTransport, f"an httpx.AsyncBaseTransport, not {httpx.BaseTransport!r}."),
    ],
)
def test_parts_of_a_client_that_are_none_are_refused_when_it_is_made(kind, name, value, said):
    with pytest.raises(errors.ConfigurationError) as caught:
        kind(**{name: value})
    assert str(caught.value) == f"{name} must be {said}"


@pytest.mark.parametrize("attempts", [0, -1, 1.5, "x", None, True, 1_001])
def test_attempts_out_of_range_are_refused(attempts):
    with pytest.raises(errors.ConfigurationError) as caught:
        tk.Retries(attempts=attempts)
    assert str(caught.value) == f"attempts is {attempts!r}. Give a whole number from 1 to 1,000."


@pytest.mark.parametrize(
    ("name", "value", "least"),
    [
        ("seconds", 0, "above 0"),
        ("first_wait", -1, "from 0"),
        ("longest_wait", "x", "from 0"),
        ("longest_retry_after", float("nan"), "from 0"),
    ],
)
def test_time_of_retries_out_of_range_is_refused(name, value, least):
    with pytest.raises(errors.ConfigurationError) as caught:
        tk.Retries(**{name: value})
    assert str(caught.value) == f"{name} must be a number of seconds {least} up to 86,400, not {value!r}."
