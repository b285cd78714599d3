"""What is an answer, and which error a body states: an error is never data, whatever form it has."""

import json

import pytest
from cases import every
from stubs import Stub

import toolkit as tk
from toolkit.interface import errors, models
from toolkit.interface.calls import batch_results, filters, question_of, submit_batch
from toolkit.interface.reading import Received, read_json

SITE = "a.example"
EMPTY = {
    "segment": [
        {},
        {"url": SITE, "demographics": {}, "interests": {}, "purchase_intent": {}, "b2b": {}, "personas": []},
        {"url": SITE, "vocab_version": "1.1", "audience_type": None, "demographics": None, "personas": None},
        {"demographics": {"age_bracket": [], "gender_skew": None, "confidence": "low"}, "interests": {"tier1": [""]}},
    ],
    "legacy": [{}, {"url": SITE}, {"url": SITE, "audience": None, "interests": []}],
    "categorize": [{}, {"domain": SITE, "categories": []}, {"domain": SITE, "categories": None, "meta": {}}],
    "enrich": [
        {},
        {"domain": SITE},
        {"domain": SITE, "company": {"name": None, "headquarters": {"city": ""}}, "categories": [], "traffic": {}},
        {"domain": SITE, "company": None, "technologies": None, "social": None, "meta": {"request_id": "r"}},
    ],
    "categorize_content": [
        {},
        {"std_classification": [], "std_taxonomy": [], "filtering_taxonomy": []},
        {"std_classification": None, "buyer_personas_confidence_selection": {}},
        {"iab_classification": []},
    ],
    "submit_batch": [{}, {"batch_id": None}],
    "batch_results": [{}, {"batch_id": None, "results": []}],
    "filters": [{}, {"interests": []}],
}
CALLS = {
    "segment": question_of("segment").call(SITE),
    "legacy": question_of("segment", format="legacy").call(SITE),
    "categorize": question_of("categorize").call(SITE),
    "enrich": question_of("enrich").call(SITE),
    "categorize_content": question_of("categorize_content").call(SITE),
    "submit_batch": submit_batch([SITE], None, None),
    "batch_results": batch_results("b1"),
    "filters": filters(),
}
FULL = {
    "segment": {"url": SITE, "demographics": {"urbanicity": "urban"}},
    "legacy": {"url": SITE, "audience": "Walkers who were denied a view", "interests": ["walking"]},
    "categorize": {"domain": SITE, "categories": [{"id": "150", "name": "Attractions", "confidence": 0.5}]},
    "enrich": {"domain": SITE, "company": {"name": "A"}},
    "categorize_content": {"std_classification": [["Category name: Attractions", "Confidence: 0.5"]]},
    "submit_batch": {"batch_id": "b1"},
    "batch_results": {"batch_id": "b1", "results": [{"domain": SITE}]},
    "filters": {"interests": ["INT.PETS.DOGS"]},
}
OF_SITES = ("segment", "legacy", "categorize", "enrich", "categorize_content")
#: Bodies of HTTP 200 that are errors, and the code that each states; None where any code of an error will do.
ERRORS = [
    ({"error": "Invalid API key", "code": 403}, 403),
    ({"error": "no such luck"}, None),
    ({"error": True}, None),
    ({"error": 403}, 403),
    ({"error": {"code": 401, "message": "no"}}, 401),
    ({"error": {"status": "429 Too Many Requests"}}, 429),
    ({"error": ["a", "b"]}, None),
    ({"Error": "x", "Code": "403"}, 403),
    ({"ERROR": {"Code": 429}}, 429),
    ({"status": "401 Unauthorized"}, 401),
    ({"status": "HTTP/1.1 503 Service Unavailable"}, 503),
    ({"status": "error"}, None),
    ({"Status": "ERROR"}, None),
    ({"status": "Access Denied"}, None),
    ({"status": "invalid_api_key"}, 401),
    ({"status": "QuotaExceeded"}, 403),
    ({"status": "not_found"}, 404),
    ({"status": False}, None),
    ({"status": 401}, 401),
    ({"STATUS": "407"}, 407),
    ({"status": ["401"]}, 401),
    ({"status": {"code": 401}}, 401),
    ({"status": {"code": "410", "message": "too little"}}, 410),
    ({"status": {"error": {"code": 500}}}, 500),
    ({"status_code": 403}, 403),
    ({"statusCode": "401"}, 401),
    ({"StatusCode": 411.0}, 411),
    ({"http-status": 429}, 429),
    ({"httpCode": 502}, 502),
    ({"error_code": 401}, 401),
    ({"errorCode": "QUOTA_EXCEEDED"}, 403),
    ({"errcode": 40001, "errmsg": "invalid credential"}, 401),
    ({"err": "rate limit exceeded"}, 429),
    ({"errno": 5}, None),
    ({"success": False}, None),
    ({"Success": "false", "message": "Unauthorized"}, 401),
    ({"success": 0}, None),
    ({"ok": False}, None),
    ({"ok": "no"}, None),
    ({"isSuccess": False}, None),
    ({"failed": True}, None),
    ({"has_errors": True}, None),
    ({"authenticated": False}, None),
    ({"errors": [{"code": 401}]}, 401),
    ({"errors": ["Too many requests"]}, 429),
    ({"errors": {"api_key": ["is wrong"]}}, None),
    ({"fault": {"faultstring": "Rate limit quota violation"}}, 429),
    ({"Fault": "x"}, None),
    ({"exception": "NullPointerException"}, None),
    ({"message": "Invalid API key"}, 401),
    ({"Message": "User is not authorized to access this resource"}, 401),
    ({"msg": "Monthly quota used up"}, 403),
    ({"detail": "Not authenticated"}, 401),
    ({"message": "Forbidden"}, 403),
    ({"meta": {"status": 401}}, 401),
    ({"meta": {"error": "no such key"}}, None),
    ({"meta": {"code": 429, "error_type": "OAuthRateLimitException"}}, 429),
    ({"response": {"status": "error", "code": 403}}, 403),
    ({"response": "Access denied"}, 403),
    ({"result": "error"}, None),
    ({"result": {"success": False}}, None),
    ({"data": {"error": {"code": 401}}}, 401),
    ({"data": None, "errors": [{"message": "Unauthorized", "extensions": {"code": "UNAUTHENTICATED"}}]}, 401),
    ({"header": {"statusCode": 500}}, 500),
    ({"type": "error", "error": {"type": "authentication_error"}}, None),
    ({"code": "INVALID_KEY"}, 401),
    ({"code": 401, "status": "whatever"}, 401),
    ({"status": 200, "error": "Invalid API key"}, 401),
    ({"status": 200, "message": "Invalid API key"}, 401),
    ({"status": 200, "code": 403}, 403),
    ({"status": "200", "errors": ["quota exceeded"]}, 403),
    ({"status": 200, "success": False}, None),
    ({"status": -1}, None),
    ({"status": 100}, None),
    ({"status": 304}, 304),
]
#: Fields that say nothing is wrong.
BENIGN = [
    {},
    {"error": None},
    {"error": ""},
    {"error": False},
    {"error": 0},
    {"error": "none"},
    {"error": {}},
    {"error": {"code": 0, "message": ""}},
    {"error": {"code": 200, "message": "OK"}},
    {"errors": []},
    {"errors": {}},
    {"error_code": 0},
    {"errors": 0, "message": "0 errors"},
    {"warnings": ["the page is slow to load"]},
    {"warning": "deprecated field"},
    {"message": "OK"},
    {"message": "No data found for this domain"},
    {"message": "Request processed without errors"},
    {"detail": None},
    {"success": True},
    {"ok": 1},
    {"code": 200},
    {"statusCode": "200"},
    {"meta": {"status": 200, "request_id": "r"}},
    {"exception": None, "fault": None},
    {"failed": 0},
]


def read(name, body, http_status=200):
    """Return what a body is read as: data, or the error that is raised."""
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    try:
        return read_json(CALLS[name], Received(http_status, {"content-type": "application/json"}, body))
    except errors.ToolkitError as error:
        return error


@pytest.mark.parametrize("name", CALLS)
def test_an_error_beside_empty_blocks_is_never_data(name):
    @every(("blocks", "marks", "code"), [(blocks, *error) for blocks in EMPTY[name] for error in ERRORS])
    def check(blocks, marks, code):
        blocks = {field: value for field, value in blocks.items() if field not in marks}
        for body in ({**blocks, **marks}, {**marks, **blocks}):
            found = read(name, body)
            assert isinstance(found, errors.ServiceError), found
            assert found.status >= 300
            assert code is None or found.status == code, found
            assert type(found) is errors.service_error(found.status)

    check()


@pytest.mark.parametrize("name", [name for name in CALLS if name != "filters"])
def test_nothing_at_all_is_no_answer(name):
    @every("blocks", [blocks for blocks in EMPTY[name] if SITE not in blocks.values() or name in ("segment", "legacy")])
    def check(blocks):
        assert isinstance(read(name, blocks), errors.ResponseError)

    check()


@pytest.mark.parametrize("name", CALLS)
def test_an_answer_with_content_stays_one_beside_fields_that_say_nothing_is_wrong(name):
    @every("more", BENIGN)
    def check(more):
        assert read(name, {**FULL[name], **more}) == {**FULL[name], **more}

    check()


@pytest.mark.parametrize("name", CALLS)
def test_content_weighs_more_than_a_remark(name):
    @every("more", [{"error": "traffic is not known"}, {"errors": ["x"]}, {"message": "quota exceeded soon"}])
    def check(more):
        assert read(name, {**FULL[name], **more}) == {**FULL[name], **more}

    check()


@pytest.mark.parametrize("name", CALLS)
def test_a_status_of_failure_weighs_more_than_content(name):
    @every(
        "more",
        [{"status": "error"}, {"status": 401}, {"statusCode": "403"}, {"success": False}, {"status": {"code": 429}}],
    )
    def check(more):
        assert isinstance(read(name, {**FULL[name], **more}), errors.ServiceError)

    check()


@pytest.mark.parametrize("name", OF_SITES)
def test_an_honest_empty_answer_is_one(name):
    said = [more for more in BENIGN if more.get("code") != 200]

    @every(
        ("blocks", "more"),
        [(blocks, more) for blocks in EMPTY[name] if set(blocks) - {"url", "domain"} for more in said],
    )
    def check(blocks, more):
        body = {**blocks, "status": 200, **more}
        assert read(name, body) == body

    check()


@every("name", ["categorize", "enrich"])
@every("more", BENIGN)
def test_the_domain_that_was_asked_makes_an_empty_answer_of_family_a_one(name, more):
    for blocks in EMPTY[name]:
        if len(blocks) > 1:
            body = {**blocks, "domain": "www.A.example", **more}
            assert read(name, body) == body


@every("status", [200, "200", 200.0, "200 OK", "ok", "OK", "success", "Success", "completed", True, {"code": 200}, 201])
@every("name", OF_SITES)
def test_every_spelling_of_success_is_one(name, status):
    blocks = EMPTY[name][-1]
    assert read(name, {**blocks, "status": status}) == {**blocks, "status": status}


@every("body", [{"hello": "world"}, {"status": 200}, {"status": 200, "data": {"hello": {"urbanicity": "urban"}}}])
@every("name", ["segment", "categorize", "enrich", "categorize_content"])
def test_an_answer_without_any_field_of_the_interface_is_none(name, body):
    assert isinstance(read(name, body), errors.ResponseError)


@every(
    "body",
    [{"notice": "Your API key has expired"}, {"text": "Unauthorized"}, {"audience": "", "info": "Access denied"},
     {"response": "Invalid API key"}, {"0": "Rate limit exceeded"}],
)  # fmt: skip
def test_a_notice_is_no_legacy_answer(body):
    assert isinstance(read("legacy", body), errors.ToolkitError)


@every(
    "body",
    [{"audience": "everyone"}, {"demographics": {"age": "25 to 44"}}, {"result": {"audience": "everyone"}},
     {"status": 200, "audience": "people who were denied loans"}, {"status": 200},
     {"summary": "Adults whose claims were denied. " * 20}, {"personas": ["buyer"], "message": "ok"}],
)  # fmt: skip
def test_any_field_makes_a_legacy_answer(body):
    assert read("legacy", body) == body


@every(("name", "field"), [("segment", "demographics"), ("enrich", "company"), ("categorize", "categories")])
def test_words_of_failure_in_the_place_of_a_block_are_an_error(name, field):
    assert read(name, {field: "Invalid API key"}).status == 401
    assert read(name, {field: {"error": "Invalid API key"}}).status == 401


@every(
    "named",
    ["b.example", "https://b.example/a.example", "a.example.b.example", "www.b.example", "xn--bcher-kva.example"],
)
@every("name", OF_SITES)
def test_an_answer_about_another_site_is_none(name, named):
    field = "domain" if name in ("categorize", "enrich") else "url"
    found = read(name, {**FULL[name], field: named, "status": 200})
    assert isinstance(found, errors.ResponseError)
    assert f"is about another site, {named!r}" in str(found)
    assert found.path == f"$.{field}"


@every(
    "named",
    ["a.example", "A.EXAMPLE", "www.a.example", "https://a.example/", "http://www.a.example/landing?x=1",
     "shop.a.example", " a.example ", "a.example.", "", None, 7, "unknown", "not a site", ["b.example"]],
)  # fmt: skip
@every("name", OF_SITES)
def test_another_way_to_write_the_site_is_no_other_site(name, named):
    field = "domain" if name in ("categorize", "enrich") else "url"
    body = {**FULL[name], field: named}
    assert read(name, body) == body


def test_a_site_in_its_own_letters_is_the_same_site():
    call = question_of("categorize").call("bücher.example")
    for named in ("bücher.example", "xn--bcher-kva.example", "BÜCHER.example"):
        body = json.dumps({**FULL["categorize"], "domain": named}).encode()
        assert read_json(call, Received(200, {}, body))["domain"] == named


def test_addresses_and_hosts_of_an_intranet_are_told_apart():
    call = question_of("segment").call("http://intranet/x")
    same, other = (
        json.dumps({**FULL["segment"], "url": url}).encode() for url in ("http://intranet/", "http://10.0.0.1")
    )
    assert read_json(call, Received(200, {}, same))
    with pytest.raises(errors.ResponseError):
        read_json(call, Received(200, {}, other))


@pytest.mark.parametrize("http_status", [400, 401, 403, 429, 500, 503])
def test_no_error_has_a_code_of_success(http_status):
    for marks, _ in ERRORS:
        found = read("segment", {**marks, "status": 200}, http_status)
        assert isinstance(found, errors.ServiceError)
        assert found.status >= 300


def test_an_error_is_raised_by_the_client_and_not_stored(tmp_path):
    stub = Stub()
    stub.reply(200, {"demographics": {}, "interests": {}, "statusCode": "403", "msg": "used up"})
    with stub.client(store=tmp_path / "answers.db") as client:
        with pytest.raises(tk.errors.QuotaExceededError, match="used up"):
            client.segment(SITE)
        assert client.store.count() == 0


def test_a_service_of_errors_gives_a_run_of_failures_alone(tmp_path):
    stub = Stub()
    stub.reply(200, {"std_taxonomy": None, "errors": ["could not do it"]})
    with stub.client(store=tmp_path / "answers.db", retries=tk.Retries(attempts=1)) as client:
        run = client.ask([SITE, "b.example"], "categorize_content")
        assert run.frame("categories")["error"].notna().all()
        assert len(run.failures()) == 2
        assert run.progress.answered == client.store.count() == 0
        assert all(isinstance(outcome.error, errors.ServerError) for outcome in run.outcomes())


def test_an_answer_is_typed_whatever_stands_beside_it():
    stub = Stub()
    stub.reply(200, {**FULL["categorize"], "errors": [], "message": "ok"})
    with stub.client() as client:
        assert isinstance(client.categorize(SITE), models.Categorization)


def test_content_under_other_capitals_is_no_empty_success():
    error = read("segment", {"b2b": [], "status": 200, "DEMOGRAPHICS": {"urbanicity": "urban"}})
    assert isinstance(error, errors.ResponseError)
    assert "the answer has 'DEMOGRAPHICS' where the interface has 'demographics'" in str(error)


def test_a_proxy_that_wants_a_password_says_nothing_of_the_key():
    assert read("segment", {"error": "Proxy Authentication Required"}).status == 502


@pytest.mark.parametrize("name", OF_SITES)
def test_a_page_of_xhtml_is_no_answer(name):
    page = b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>For sale.</p></body></html>'
    with pytest.raises(errors.ResponseError, match="it is a page of HTML"):
        read_json(CALLS[name], Received(200, {"content-type": "application/xhtml+xml"}, page))


def test_a_list_of_nothing_is_no_result_of_a_batch():
    assert isinstance(read("batch_results", {"results": [None]}), errors.ResponseError)
