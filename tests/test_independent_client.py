"""A client that knows only the interface document, against `toolkit serve`."""

import contextlib
import json
import re

import pytest
from independent_client import ROOT_FALLBACK, IndependentClient, ServiceError, is_authentic

KEY = "a-key-of-the-tests"
PAGE = "trailhead-outfitters.example"
#: Of whose readers more is known.
CLUB = "fairway-club.example"
TEXT = "A test drive of the new electric sedan: range, charging, handling on mountain roads, and its price."
BANDS = {"low", "medium", "high"}
ADVERTISED = {"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"}


def client_of(served, key=KEY):
    return IndependentClient(served.base, served.v1_base, key)


@pytest.fixture(scope="module")
def stranger(serve):
    client = client_of(serve("--key", KEY))
    yield client
    client.close()


@pytest.fixture(scope="module")
def clients(serve):
    made = []

    def of(*options, key=KEY):
        made.append(client_of(serve(*options), key))
        return made[-1]

    yield of
    for client in made:
        client.close()


@pytest.fixture(scope="module")
def structured(stranger):
    return stranger.segment(PAGE, format="structured")


@pytest.fixture(scope="module")
def record(stranger):
    return stranger.enrich(PAGE)


def code_of(ask, *arguments, **parameters):
    with pytest.raises(ServiceError) as caught:
        ask(*arguments, **parameters)
    return caught.value.code


# Audience segmentation -----------------------------------------------------------------------------------------------


def test_a_structured_segmentation_has_the_fields_of_the_document(structured):
    assert {
        "url", "vocab_version", "audience_type", "demographics", "b2b", "interests", "purchase_intent", "personas",
        "content_context", "labels", "status",
    } <= set(structured)  # fmt: skip


def test_a_structured_segmentation_repeats_the_submitted_url(structured):
    assert structured["url"] == PAGE


def test_the_vocabulary_version_is_major_and_minor(structured):
    assert re.fullmatch(r"\d+\.\d+", structured["vocab_version"])


@pytest.mark.parametrize("block", ["demographics", "b2b", "interests", "purchase_intent"])
def test_the_confidence_of_each_block_is_a_band(structured, block):
    assert structured[block]["confidence"] in BANDS


@pytest.mark.parametrize(("page", "name"), [(CLUB, "age_bracket"), ("nestling-baby.example", "life_stage")])
def test_list_fields_of_the_demographics_are_lists_of_text(stranger, page, name):
    values = stranger.segment(page, format="structured")["demographics"][name]
    assert values
    assert all(isinstance(value, str) for value in values)


@pytest.mark.parametrize(
    "name",
    [
        "gender_skew",
        "income_level",
        "education_level",
        "household_composition",
        "employment_status",
        "home_ownership",
        "urbanicity",
    ],
)
def test_single_fields_of_the_demographics_are_text_or_null_without_ground(structured, name):
    assert isinstance(structured["demographics"][name], str | None)


def test_the_b2b_block_of_a_business_page_has_the_fields_of_the_document(stranger):
    firms = stranger.segment("precision-castings.example", format="structured")["b2b"]
    assert set(firms) >= {"company_size_employees", "seniority", "job_function", "industry", "confidence"}
    assert all(isinstance(firms[name], list) for name in ("seniority", "job_function", "industry"))


@pytest.mark.parametrize("host", [PAGE, "precision-castings.example"])
def test_the_company_size_is_text_or_null_without_ground(stranger, host):
    firms = stranger.segment(host, format="structured")["b2b"]
    assert isinstance(firms["company_size_employees"], str | None)


def test_interests_and_intents_are_codes_of_their_form(structured):
    assert all(re.fullmatch(r"INT\.[A-Z0-9_]+", code) for code in structured["interests"]["tier1"])
    assert all(re.fullmatch(r"INT\.[A-Z0-9_]+\.[A-Z0-9_]+", code) for code in structured["interests"]["tier2"])
    assert all(re.fullmatch(r"PI\.[A-Z0-9_]+\.[A-Z0-9_]+", code) for code in structured["purchase_intent"]["codes"])


def test_an_outdoor_shop_has_purchase_intents(structured):
    assert structured["purchase_intent"]["codes"]


def test_the_readers_of_a_car_magazine_are_interested_in_cars(stranger):
    interests = stranger.segment("torque-journal.example", format="structured")["interests"]
    assert "INT.AUTOMOTIVE" in interests["tier1"]


def test_personas_say_what_they_are_mapped_from(stranger):
    personas = stranger.segment(CLUB, format="structured")["personas"]
    assert personas
    for persona in personas:
        assert persona["persona"]
        assert persona["mapped_from"]
        assert persona["source"] == "static_mapping"


def test_the_legacy_segmentation_is_free_text_without_codes(stranger):
    answer = stranger.segment(PAGE)
    assert answer["status"] == 200
    assert not re.search(r"\b(INT|PI)\.[A-Z]", json.dumps(answer))


def test_the_legacy_segmentation_says_something_of_the_audience(stranger):
    answer = stranger.segment(PAGE)
    assert any(isinstance(value, str | list) and value for name, value in answer.items() if name != "url")


# Vocabulary ----------------------------------------------------------------------------------------------------------


def test_the_vocabulary_needs_no_key(serve):
    client = client_of(serve("--key", KEY), key=None)
    assert client.vocabulary()
    client.close()


def test_the_vocabulary_has_every_code_of_an_answer(stranger, structured):
    text = json.dumps(stranger.vocabulary())
    emitted = (
        structured["interests"]["tier1"] + structured["interests"]["tier2"] + structured["purchase_intent"]["codes"]
    )
    assert [code for code in emitted if f'"{code}"' not in text] == []


def test_the_vocabulary_has_codes_in_the_documented_numbers(stranger):
    codes = set(re.findall(r'"((?:INT|PI)\.[A-Z0-9_.]+)"', json.dumps(stranger.vocabulary())))
    found = {(code.split(".")[0], code.count(".")): 0 for code in codes}
    for code in codes:
        found[code.split(".")[0], code.count(".")] += 1
    assert found == {("INT", 1): 29, ("INT", 2): 285, ("PI", 1): 34, ("PI", 2): 283}


def test_the_vocabulary_page_is_html_and_needs_no_key(serve):
    client = client_of(serve("--key", KEY), key=None)
    response = client.vocabulary_page()
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/html")
    client.close()


# Content categorization ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["url", "text"])
def content(request, stranger):
    return stranger.categorize_url(PAGE) if request.param == "url" else stranger.categorize_text(TEXT)


@pytest.mark.parametrize("name", ["std_classification", "filtering_taxonomy", "std_taxonomy", "std_taxonomy_version2"])
def test_categories_come_as_pairs_of_name_and_confidence(content, name):
    assert content[name]
    for named, scored in content[name]:
        assert re.fullmatch(r"Category name: \S.*", named)
        assert 0 <= float(re.fullmatch(r"Confidence: ([\d.]+)", scored)[1]) <= 1


def test_a_text_about_a_car_is_automotive(stranger):
    assert stranger.categorize_text(TEXT)["std_classification"][0][0] == "Category name: Automotive"


def test_both_content_paths_know_both_data_types(stranger):
    web = stranger._post_form("/api/std/std_web_content_filtering.php", query=TEXT, data_type="text")
    assert web["std_classification"] == stranger.categorize_text(TEXT)["std_classification"]


def test_persona_scores_come_when_they_are_asked_for(stranger):
    scores = stranger.categorize_url(CLUB, confidence="1")["buyer_personas_confidence_selection"]
    assert scores
    assert all(0 < score <= 1 for score in scores.values())


def test_a_subdomain_without_content_is_answered_with_its_root_domain(stranger):
    answer = stranger.categorize_url("notes.openhands-charity.example", **{ROOT_FALLBACK: "1"})
    assert answer["status"] == 200


# Family A ------------------------------------------------------------------------------------------------------------


def test_a_domain_gets_categories_with_the_fields_of_the_document(stranger):
    answer = stranger.categorize_domain("torque-journal.example")
    assert answer["domain"] == "torque-journal.example"
    assert answer["categories"]
    for category in answer["categories"]:
        assert isinstance(category["id"], str)
        assert isinstance(category["name"], str)
        assert isinstance(category["tier"], int)
        assert 0 <= category["confidence"] <= 1


def test_sub_levels_of_a_category_identifier_are_separated_by_hyphens(stranger):
    categories = stranger.categorize_domain("cloudmast.example")["categories"]
    assert {c["tier"] for c in categories} == {1, 2, 3, 4}
    assert [c["id"] for c in categories if c["id"].count("-") != c["tier"] - 1] == []


def test_a_sub_levels_identifier_begins_with_that_of_its_parent(stranger):
    identifiers = {c["id"] for c in stranger.categorize_domain("cloudmast.example")["categories"]}
    assert {identifier.rpartition("-")[0] for identifier in identifiers} <= {*identifiers, ""}


def test_every_family_a_answer_names_a_category_by_the_same_identifier(stranger):
    single = [c["id"] for c in stranger.categorize_domain("cloudmast.example")["categories"]]
    batch = stranger.submit_batch(["cloudmast.example"])
    [item] = finished(stranger, batch["batch_id"])["results"]
    assert [c["id"] for c in stranger.enrich("cloudmast.example")["categories"]] == single
    assert [c["id"] for c in item["categories"]] == single


@pytest.mark.parametrize("ask", ["categorize_domain", "enrich"])
def test_meta_identifies_and_times_the_request(stranger, ask):
    meta = getattr(stranger, ask)(PAGE)["meta"]
    assert meta["request_id"]
    assert isinstance(meta["processing_time_ms"], int)
    assert meta["credits_used"] == 1


def test_an_enrichment_has_the_fields_of_the_document(record):
    assert {"domain", "company", "categories", "technologies", "traffic", "social", "meta"} <= set(record)


def test_the_fields_of_a_company_are_of_the_documents_types(record):
    texts = {"name", "description", "employee_range", "revenue_range", "industry"}
    company = record["company"]
    assert company["name"]
    assert all(isinstance(company[name], str) for name in texts & set(company))
    assert isinstance(company.get("founded_year", 0), int)
    assert all(isinstance(value, str) for value in company.get("headquarters", {}).values())


def test_enrichment_categories_have_no_tier(record):
    assert record["categories"]
    assert {frozenset(category) for category in record["categories"]} == {frozenset({"id", "name", "confidence"})}


def test_the_shops_platform_is_among_the_technologies(record):
    assert "Shopify" in {technology["name"] for technology in record["technologies"]}
    assert {frozenset(technology) for technology in record["technologies"]} == {frozenset({"name", "category"})}


@pytest.mark.parametrize(
    "host", [PAGE, "mischief-markup.example", "sakura-onsen.example", "precision-castings.example"]
)
def test_the_xml_enrichment_says_the_same_as_the_json_one(stranger, host):
    told, read = stranger.enrich(host), stranger.enrich_xml(host)
    for answer in (told, read):
        del answer["meta"], answer["remaining_credits"]
    assert read == told


# Batches -------------------------------------------------------------------------------------------------------------


def finished(client, batch_id):
    for _ in range(600):
        answer = client.batch_results(batch_id)
        if answer["state"] != "processing":
            return answer
    raise AssertionError(f"the batch is still {answer['state']}")


@pytest.mark.parametrize("path", ["/v1/batch", "/v1/batch/categorize"])
def test_the_results_of_a_batch_can_be_fetched(stranger, path):
    batch = stranger.submit_batch([PAGE, "torque-journal.example"], path)
    answer = finished(stranger, batch["batch_id"])
    assert [item["domain"] for item in answer["results"]] == [PAGE, "torque-journal.example"]
    assert (answer["total_domains"], answer["successful"], answer["failed"]) == (2, 2, 0)


def test_a_batch_item_has_the_categories_of_the_single_request(stranger):
    batch = stranger.submit_batch([PAGE])
    item = finished(stranger, batch["batch_id"])["results"][0]
    assert item["categories"] == stranger.categorize_domain(PAGE)["categories"]


def test_a_notification_is_authentic_and_leads_to_the_results(clients, receiver):
    client = clients("--key", KEY, "--allow-private")
    client.submit_batch([PAGE], webhook_url=f"{receiver.url}/hook", webhook_secret="hush")
    path, headers, body = receiver.next()
    payload = json.loads(body)
    assert path == "/hook"
    assert is_authentic("hush", headers, body)
    assert payload["event"] == "batch.completed"
    assert client.at(payload["data"]["results_url"])["results"][0]["domain"] == PAGE


# The error table -----------------------------------------------------------------------------------------------------
# 500 cannot be had from outside; test_service.py breaks a part of the service for it.


@pytest.mark.parametrize(
    ("ask", "parameters"),
    [
        ("segment", {"query": None}),
        ("segment", {"query": ""}),
        ("segment", {"query": "two words"}),
        ("segment", {"query": PAGE, "format": "yaml"}),
        ("categorize_url", {"query": None}),
        ("categorize_url", {"query": "no-dot"}),
        ("categorize_text", {"query": ""}),
        ("categorize_domain", {"domain": None}),
        ("categorize_domain", {"domain": "two words"}),
        ("enrich", {"domain": None}),
        ("enrich", {"domain": PAGE, "format": "yaml"}),
        ("enrich", {"domain": PAGE, "include": "horoscope"}),
        ("submit_batch", {"domains": []}),
        ("submit_batch", {"domains": None}),
        ("submit_batch", {"domains": [PAGE], "webhook_url": "ftp://receiver.example"}),
    ],
)
def test_a_request_that_is_not_well_formed_is_400(stranger, ask, parameters):
    assert code_of(getattr(stranger, ask), **parameters) == 400


ALL_KEYED = [
    ("segment", PAGE),
    ("categorize_url", PAGE),
    ("categorize_text", TEXT),
    ("categorize_domain", PAGE),
    ("enrich", PAGE),
    ("enrich_xml", PAGE),
    ("submit_batch", [PAGE]),
]
every_keyed = pytest.mark.parametrize(("ask", "argument"), ALL_KEYED)


@every_keyed
@pytest.mark.parametrize("key", ["not-the-key", "", None, f"{KEY}x", KEY.upper()])
def test_a_wrong_or_missing_key_is_401(clients, ask, argument, key):
    assert code_of(getattr(clients("--key", KEY, key=key), ask), argument) == 401


@every_keyed
def test_a_used_up_quota_is_403(clients, ask, argument):
    client = clients("--key", KEY, "--quota", "2")
    for _ in range(2):
        with contextlib.suppress(ServiceError):
            client.categorize_text(TEXT)
    assert code_of(getattr(client, ask), argument) == 403


@every_keyed
def test_used_up_credits_are_403(clients, ask, argument):
    assert code_of(getattr(clients("--key", KEY, "--credits", "0"), ask), argument) == 403


def test_a_quota_gives_as_many_answers_as_it_says(clients):
    client = clients("--key", KEY, "--quota", "3")
    assert [client.categorize_text(TEXT)["status"] for _ in range(3)] == [200, 200, 200]
    assert code_of(client.categorize_text, TEXT) == 403


def test_credits_give_as_many_answers_as_they_say(clients):
    client = clients("--key", KEY, "--credits", "2")
    assert [client.categorize_text(TEXT)["remaining_credits"] for _ in range(2)] == [1, 0]
    assert code_of(client.categorize_text, TEXT) == 403


@pytest.mark.parametrize("ask", ["categorize_url", "categorize_text"])
@pytest.mark.parametrize("data_type", [None, "", "html", "URL "])
def test_a_missing_or_unknown_data_type_is_407(stranger, ask, data_type):
    assert code_of(getattr(stranger, ask), PAGE, data_type=data_type) == 407


@pytest.mark.parametrize(
    "host", ["blank-canvas.example", "blank-canvas.example/almost", "notes.openhands-charity.example"]
)
@pytest.mark.parametrize("ask", ["segment", "categorize_url"])
def test_a_page_with_too_few_words_is_410(stranger, ask, host):
    assert code_of(getattr(stranger, ask), host) == 410


@pytest.mark.parametrize("text", ["boots", "!!! ???", "12345 67890 11 12 13"])
def test_a_text_with_too_few_words_is_410(stranger, text):
    assert code_of(stranger.categorize_text, text) == 410


@pytest.mark.parametrize(
    "url",
    [
        "gone-fishing.example",
        "gone-fishing.example/old",
        "gone-fishing.example/moved",
        "gone-fishing.example/loop",
        "gone-fishing.example/broken",
        "members-only.example",
        "binary-drop.example",
        "no-such-site.example",
        "http://127.0.0.1:9/",
        "http://[::1]:9/",
        "http://169.254.169.254/latest/meta-data",
        "http://localhost:9/",
    ],
)
@pytest.mark.parametrize("ask", ["segment", "categorize_url"])
def test_a_page_that_cannot_be_fetched_is_411(stranger, ask, url):
    assert code_of(getattr(stranger, ask), url) == 411


def over_the_limit(client):
    for _ in range(5):
        try:
            client.categorize_text(TEXT)
        except ServiceError as error:
            return error
    raise AssertionError("five requests came through a burst of two")


@pytest.fixture(scope="module")
def refusal(clients):
    return over_the_limit(clients("--key", KEY, "--rate", "0.02", "--burst", "2"))


def test_requests_over_the_rate_limit_are_429(refusal):
    assert refusal.code == 429


def test_429_says_in_whole_seconds_when_to_come_again(refusal):
    assert 1 <= int(refusal.headers["Retry-After"]) <= 50


def test_429_has_the_rate_limit_headers(refusal):
    assert {name.lower() for name in refusal.headers} >= ADVERTISED


def test_429_body_carries_the_code(refusal):
    assert json.loads(refusal.text)["status"] == 429


@pytest.mark.usefixtures("refusal")
@pytest.mark.parametrize(("ask", "argument"), [*ALL_KEYED, ("batch_results", "batch_of_nobody")])
def test_the_rate_limit_counts_every_keyed_request(clients, ask, argument):
    assert code_of(getattr(clients("--key", KEY, "--rate", "0.02", "--burst", "2"), ask), argument) == 429


@pytest.mark.usefixtures("refusal")
def test_the_vocabulary_has_no_rate_limit(clients):
    client = clients("--key", KEY, "--rate", "0.02", "--burst", "2")
    assert all(client.vocabulary() for _ in range(4))


@pytest.mark.parametrize("path", ["/v1/categorize", "/v1/enrich"])
def test_an_answer_within_the_rate_limit_has_its_headers(clients, path):
    client = clients("--key", KEY, "--rate", "1000", "--burst", "10")
    assert {name.lower() for name in client._get(path, domain=PAGE).headers} >= ADVERTISED


def test_an_error_within_the_rate_limit_has_its_headers(clients):
    client = clients("--key", KEY, "--rate", "1000", "--burst", "10")
    response = client._get("/v1/categorize", domain="blank-canvas.example")
    assert {name.lower() for name in response.headers} >= ADVERTISED


def test_another_key_is_not_slowed_down(clients):
    options = ("--key", KEY, "--key", "second", "--rate", "0.02", "--burst", "2")
    assert over_the_limit(clients(*options)).code == 429
    assert clients(*options, key="second").categorize_text(TEXT)["status"] == 200


# Awkward pages -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url", ["plain-words.example", "mischief-markup.example", "big-scroll.example", "big-scroll.example/glossary"]
)
def test_awkward_pages_with_words_are_answered(stranger, url):
    assert stranger.segment(url, format="structured")["status"] == 200


def test_a_name_with_markup_arrives_as_the_page_wrote_it(stranger):
    name = stranger.enrich("mischief-markup.example")["company"]["name"]
    assert name == "Tall Tails</script><img src=x onerror=alert(1)>"


def test_a_parked_domain_has_nothing_to_classify(stranger):
    with pytest.raises(ServiceError) as caught:
        stranger.categorize_url("parked-lot.example")
    assert caught.value.code == 410
