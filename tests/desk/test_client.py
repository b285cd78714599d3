"""Every row of the interface's tables, through the clients and the embedded service."""

import asyncio
import contextvars
import inspect
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs

import httpx
import pytest

import toolkit as tk
from toolkit.interface import errors, models
from toolkit.interface.signatures import SIGNATURE_HEADER, TIMESTAMP_HEADER, sign
from toolkit.service.settings import Settings

ROOT = Path(tk.__file__).parents[1]
FALL_BACK = "use_domain_as_basis_of_categorization_for_insufficient_subdomain_content"
CAR_TEXT = "A road test of a used estate car: engine, gearbox, brakes, tyres and what the garage charges for a service."
HOSTILE_SITE = "mischief-markup.example"
PAGES = (
    "torque-journal.example",
    "https://trailhead-outfitters.example/boots",
    "cloudmast.example",
    "nestling-baby.example",
    "sakura-onsen.example",
)
NUMBER = (int, float)


def form_of(request):
    return {name: values[0] for name, values in parse_qs(request.content.decode(), keep_blank_values=True).items()}


def finished(client, batch):
    deadline = time.monotonic() + 30
    while not (results := client.batch_results(batch)).is_finished:
        assert time.monotonic() < deadline, "the batch does not end"
        time.sleep(0.02)
    return results


def run_python(program, timeout=90, **environment):
    """Run a program in a fresh interpreter."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TOOLKIT_")}
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**clean, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


# Family A: GET /v1/categorize ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def categorization(client):
    return client.categorize("torque-journal.example")


def test_categorize_gets_the_path_of_the_interface(wire):
    wire.client.categorize("torque-journal.example")
    request = wire.requests[-1]
    assert (request.method, request.url.path) == ("GET", "/v1/categorize")


@pytest.mark.parametrize(
    "spelling",
    ["torque-journal.example", "HTTPS://WWW.Torque-Journal.example/tests?utm_source=x#top", " torque-journal.example "],
)
def test_categorize_sends_the_domain_in_normal_form(wire, spelling):
    wire.client.categorize(spelling)
    assert dict(wire.requests[-1].url.params) == {"domain": "torque-journal.example"}


def test_categorize_takes_a_target(client):
    assert client.categorize(tk.Target.parse("torque-journal.example/tests")).domain == "torque-journal.example"


@pytest.mark.parametrize(("name", "kind"), [("domain", str), ("categories", list), ("meta", dict)])
def test_categorize_response_has_the_field(categorization, name, kind):
    assert isinstance(categorization.raw[name], kind)


@pytest.mark.parametrize(("name", "kind"), [("id", str), ("name", str), ("tier", int), ("confidence", NUMBER)])
def test_category_of_categorize_has_the_field(categorization, name, kind):
    assert categorization.categories
    for category, raw in zip(categorization.categories, categorization.raw["categories"], strict=True):
        assert isinstance(raw[name], kind)
        assert getattr(category, name) == raw[name]


@pytest.mark.parametrize("name", ["request_id", "processing_time_ms", "credits_used"])
def test_meta_of_categorize_has_the_field(categorization, name):
    kind = str if name == "request_id" else int
    assert type(categorization.raw["meta"][name]) is kind
    assert getattr(categorization.meta, name) == categorization.raw["meta"][name]


def test_a_car_magazine_is_automotive(categorization):
    assert categorization.categories[0].name == "Automotive"


@pytest.mark.parametrize("page", PAGES)
def test_categories_are_of_the_taxonomy_ranked_and_scored_from_0_to_1(client, page):
    categories = client.categorize(page).categories
    taxonomy = tk.Taxonomy.load("content-v3")
    assert all((taxonomy[c.id].name, taxonomy[c.id].tier) == (c.name, c.tier) for c in categories)
    assert all(0 <= c.confidence <= 1 for c in categories)


# Family A: GET /v1/enrich -------------------------------------------------------------------------------------------

GROUPS = {
    "company": {"company"},
    "firmographics": {"company"},
    "technologies": {"technologies"},
    "categories": {"categories"},
    "traffic": {"traffic"},
    "social": {"social"},
}
ALL_GROUPS = set().union(*GROUPS.values())


@pytest.fixture(scope="module")
def enrichment(client):
    return client.enrich("openlattice-dev.example")


def test_enrich_gets_the_path_of_the_interface(wire):
    wire.client.enrich("https://www.cloudmast.example/pricing")
    request = wire.requests[-1]
    assert (request.method, request.url.path, dict(request.url.params)) == (
        "GET",
        "/v1/enrich",
        {"domain": "cloudmast.example"},
    )


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("domain", str),
        ("company", dict),
        ("categories", list),
        ("technologies", list),
        ("traffic", dict),
        ("social", dict),
        ("meta", dict),
    ],
)
def test_enrichment_record_has_the_field(enrichment, name, kind):
    assert isinstance(enrichment.raw[name], kind)
    assert getattr(enrichment, name) is not None


@pytest.mark.parametrize(
    ("block", "name", "kind"),
    [
        ("company", "name", str),
        ("company", "description", str),
        ("company", "founded_year", int),
        ("company", "employee_range", str),
        ("company", "revenue_range", str),
        ("company", "industry", str),
        ("traffic", "monthly_visits", str),
        ("traffic", "traffic_rank", int),
        ("traffic", "growth_trend", str),
        ("social", "linkedin_url", str),
        ("social", "twitter_handle", str),
        ("social", "github_org", str),
        ("meta", "request_id", str),
        ("meta", "credits_used", int),
        ("meta", "processing_time_ms", int),
    ],
)
def test_enrichment_field_is_typed_and_missing_where_the_site_does_not_state_it(enrichment, block, name, kind):
    value, raw = getattr(getattr(enrichment, block), name), enrichment.raw[block].get(name)
    assert value == raw
    assert raw is None or isinstance(raw, kind)


@pytest.mark.parametrize("name", ["city", "state", "country"])
def test_headquarters_field_is_text(enrichment, name):
    value = getattr(enrichment.company.headquarters, name)
    assert value == enrichment.raw["company"].get("headquarters", {}).get(name)
    assert value is None or isinstance(value, str)


def test_enrichment_categories_have_no_tier(client):
    answer = client.enrich("torque-journal.example")
    assert answer.raw["categories"]
    assert all(set(category) == {"id", "name", "confidence"} for category in answer.raw["categories"])
    assert all(category.tier is None for category in answer.categories)


def test_enrichment_technologies_have_name_and_category(client):
    answer = client.enrich(HOSTILE_SITE)
    assert [(t.name, t.category) for t in answer.technologies] == [
        (t["name"], t["category"]) for t in answer.raw["technologies"]
    ]
    assert "jQuery" in {technology.name for technology in answer.technologies}


def test_enrichment_reads_company_facts_from_structured_data(client):
    company = client.enrich(HOSTILE_SITE).company
    assert (company.founded_year, company.headquarters.city, company.headquarters.country) == (1998, "Whitby", "GB")


@pytest.mark.parametrize("token", list(GROUPS))
def test_include_token_selects_its_group_alone(client, token):
    answer = client.enrich("torque-journal.example", include=[token])
    assert set(answer.raw) & ALL_GROUPS == GROUPS[token]


def test_include_left_out_selects_every_group(enrichment):
    assert set(enrichment.raw) >= ALL_GROUPS


@pytest.mark.parametrize(
    "include", [["company", "social"], "company,social", " company , social ", ("company", "social", "company")]
)
def test_include_is_sent_comma_separated(wire, include):
    wire.client.enrich("cloudmast.example", include=include)
    assert wire.requests[-1].url.params["include"] == "company,social"


@pytest.mark.parametrize("include", ["companies", ["company", "pricing"]])
def test_unknown_include_token_is_refused_before_sending(wire, include):
    with pytest.raises(errors.InputError, match=r"^include must be one of 'company', 'firmographics'"):
        wire.client.enrich("cloudmast.example", include=include)
    assert not wire.requests


def test_format_xml_is_sent_and_answered_as_xml(wire):
    wire.client.enrich("cloudmast.example", format="xml")
    assert wire.requests[-1].url.params["format"] == "xml"
    assert wire.responses[-1].headers["content-type"].startswith("application/xml")


@pytest.mark.parametrize("page", [*PAGES, HOSTILE_SITE, "openlattice-dev.example", "plain-words.example"])
def test_json_and_xml_enrichment_give_equal_models(client, page):
    dropped = {"meta", "total_credits", "remaining_credits"}
    as_json, as_xml = client.enrich(page, format="json"), client.enrich(page, format="xml")
    assert as_xml.model_dump(exclude=dropped) == as_json.model_dump(exclude=dropped)


def test_xml_enrichment_states_credits_and_request_as_json_does(client):
    answer = client.enrich("cloudmast.example", format="xml")
    assert (answer.meta.credits_used, answer.provenance.credits_used) == (1, 1)
    assert answer.provenance.request_id == answer.meta.request_id


def test_unknown_enrichment_format_is_refused_before_sending(wire):
    with pytest.raises(errors.InputError, match=r"^format must be one of 'json', 'xml', not 'csv'\.$"):
        wire.client.enrich("cloudmast.example", format="csv")
    assert not wire.requests


# Family A: batches --------------------------------------------------------------------------------------------------


def test_batch_posts_the_domains_in_normal_form_as_json(wire):
    wire.client.submit_batch(["https://www.Torque-Journal.example/x", "cloudmast.example"])
    request = wire.requests[-1]
    assert (request.method, request.url.path) == ("POST", "/v1/batch")
    assert json.loads(request.content) == {"domains": ["torque-journal.example", "cloudmast.example"]}


def test_batch_sends_the_webhook_fields_where_given(stub):
    stub.reply(200, {"batch_id": "b1"})
    with stub.client() as client:
        client.submit_batch(["a.example"], webhook_url="https://hooks.example/in?x=1", webhook_secret="whsec")
    assert json.loads(stub.requests[0].content) == {
        "domains": ["a.example"],
        "webhook_url": "https://hooks.example/in?x=1",
        "webhook_secret": "whsec",
    }


@pytest.fixture(scope="module")
def batch(client):
    submission = client.submit_batch(["torque-journal.example", "nowhere.example", "torque-journal.example"])
    return submission, finished(client, submission)


def test_batch_submission_gives_an_identifier(batch):
    submission, _ = batch
    assert isinstance(submission, models.BatchSubmission)
    assert submission.batch_id
    assert submission.total_domains == 3


def test_batch_results_url_has_the_path_of_the_interface(batch):
    submission, _ = batch
    assert submission.results_url.endswith(f"/v1/batch/{submission.batch_id}/results")


@pytest.mark.parametrize(
    ("name", "value"), [("total_domains", 3), ("successful", 2), ("failed", 1), ("state", "completed")]
)
def test_batch_results_count_the_domains(batch, name, value):
    _, results = batch
    assert getattr(results, name) == value


def test_batch_results_have_an_item_a_domain_in_order(batch):
    _, results = batch
    assert [item.domain for item in results.results] == [
        "torque-journal.example",
        "nowhere.example",
        "torque-journal.example",
    ]


def test_batch_items_carry_categories_or_the_code_of_their_failure(batch, categorization):
    _, results = batch
    good, bad, _ = results.results
    assert (good.status, good.categories) == (200, categorization.categories)
    assert (bad.status, bad.categories) == (411, [])
    assert "nowhere.example" in bad.error


def test_batch_results_are_found_by_identifier_and_by_submission(client, batch):
    submission, results = batch
    assert client.batch_results(submission.batch_id).raw["results"] == results.raw["results"]


@pytest.mark.parametrize(
    ("count", "said"), [(0, "none was given. Pass at least one."), (1001, "1,001 were given. Split the list.")]
)
def test_batch_of_too_few_or_too_many_domains_is_refused_before_sending(wire, count, said):
    with pytest.raises(errors.InputError) as caught:
        wire.client.submit_batch(f"site{number}.example" for number in range(count))
    assert str(caught.value) == f"A batch takes 1 to 1,000 domains; {said}"
    assert not wire.requests


def test_batch_of_1000_domains_is_sent(stub):
    stub.reply(200, {"batch_id": "b1"})
    with stub.client() as client:
        client.submit_batch([f"site{number}.example" for number in range(1000)])
    assert len(json.loads(stub.requests[0].content)["domains"]) == 1000


def test_batch_of_one_text_is_refused(wire):
    with pytest.raises(errors.InputError, match="must be a list of domains"):
        wire.client.submit_batch("torque-journal.example")
    assert not wire.requests


def test_bad_domain_of_a_batch_is_named_by_its_position(wire):
    with pytest.raises(errors.TargetError, match=r"^domains\[1\]: 'two words'"):
        wire.client.submit_batch(["torque-journal.example", "two words"])
    assert not wire.requests


@pytest.mark.parametrize(
    "identifier", ["", " ", "a/b", "a?b", "a#b", "a b", "a%2fb", "a\\b", "..", ".", "a\x00b", "a\nb", "a\u0660\ud800"]
)
def test_batch_identifier_that_would_change_the_path_is_refused_before_sending(wire, identifier):
    with pytest.raises(errors.InputError, match="is no batch identifier"):
        wire.client.batch_results(identifier)
    assert not wire.requests


def test_finished_batch_is_notified_to_the_webhook_with_a_valid_signature(receiver):
    settings = Settings(allow_private=True, webhook_delays=(0.0,))
    with tk.Client(embedded=settings) as client:
        submission = client.submit_batch(
            ["torque-journal.example"], webhook_url=f"{receiver.url}/in", webhook_secret="whsec"
        )
        path, headers, body = receiver.next()
    assert path == "/in"
    assert headers[SIGNATURE_HEADER] == sign("whsec", headers[TIMESTAMP_HEADER], body)
    event = json.loads(body)
    assert (event["event"], event["data"]["batch_id"]) == ("batch.completed", submission.batch_id)


# Family B: POST /api/audience/segment.php ---------------------------------------------------------------------------


@pytest.fixture(scope="module", params=PAGES)
def segmentation(client, request):
    return client.segment(request.param)


def test_segment_posts_the_form_of_the_interface(wire):
    wire.client.segment("https://trailhead-outfitters.example/boots")
    request = wire.requests[-1]
    assert (request.method, request.url.path) == ("POST", "/api/audience/segment.php")
    assert request.headers["content-type"] == "application/x-www-form-urlencoded"
    assert form_of(request) == {
        "query": "https://trailhead-outfitters.example/boots",
        "api_key": wire.key,
        "format": "structured",
    }


def test_segment_of_a_bare_domain_sends_no_scheme(wire):
    wire.client.segment("Torque-Journal.example")
    assert form_of(wire.requests[-1])["query"] == "torque-journal.example"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("url", str),
        ("vocab_version", str),
        ("audience_type", str),
        ("demographics", dict),
        ("b2b", dict),
        ("interests", dict),
        ("purchase_intent", dict),
        ("personas", list),
        ("content_context", dict),
        ("labels", dict),
        ("status", int),
    ],
)
def test_structured_response_has_the_field(segmentation, name, kind):
    assert isinstance(segmentation.raw[name], kind)
    assert getattr(segmentation, name) is not None


def test_structured_response_states_the_submitted_url(client):
    assert (
        client.segment("https://trailhead-outfitters.example/boots").url == "https://trailhead-outfitters.example/boots"
    )


def test_structured_response_has_status_200(segmentation):
    assert segmentation.raw["status"] == 200


def test_vocabulary_version_is_the_filters_documents(segmentation, vocabulary):
    assert re.fullmatch(r"\d+\.\d+", segmentation.vocab_version)
    assert segmentation.vocab_version == vocabulary.version


@pytest.mark.parametrize(
    ("block", "name"),
    [
        ("demographics", "gender_skew"),
        ("demographics", "income_level"),
        ("demographics", "education_level"),
        ("demographics", "household_composition"),
        ("demographics", "employment_status"),
        ("demographics", "home_ownership"),
        ("demographics", "urbanicity"),
        ("b2b", "company_size_employees"),
        ("content_context", "content_type"),
        ("content_context", "reading_level"),
        ("content_context", "price_signals"),
    ],
)
def test_enumerated_field_is_there_and_of_the_vocabulary_or_null(segmentation, vocabulary, block, name):
    value = segmentation.raw[block][name]
    assert getattr(getattr(segmentation, block), name) == value
    assert value is None or value in vocabulary.values[name]


@pytest.mark.parametrize(
    ("block", "name"),
    [
        ("demographics", "age_bracket"),
        ("demographics", "life_stage"),
        ("b2b", "seniority"),
        ("b2b", "job_function"),
        ("b2b", "industry"),
    ],
)
def test_enumerated_list_is_there_and_of_the_vocabulary(segmentation, vocabulary, block, name):
    values = segmentation.raw[block][name]
    assert isinstance(values, list)
    assert getattr(getattr(segmentation, block), name) == values
    assert set(values) <= set(vocabulary.values[name])


@pytest.mark.parametrize("block", ["demographics", "b2b", "interests", "purchase_intent"])
def test_confidence_is_banded_per_block(segmentation, block):
    assert segmentation.raw[block]["confidence"] in {"low", "medium", "high"}
    assert getattr(segmentation, block).confidence == segmentation.raw[block]["confidence"]


def test_audience_type_is_of_the_vocabulary(segmentation, vocabulary):
    assert segmentation.audience_type in vocabulary.values["audience_type"]


def test_interest_tiers_are_groups_and_members_of_the_vocabulary(segmentation, vocabulary):
    interests = segmentation.interests
    assert set(interests.tier1) <= {code.code for code in vocabulary.groups("interest")}
    assert set(interests.tier2) <= {code.code for code in vocabulary.members("interest")}


def test_the_group_of_every_sub_interest_is_in_tier1(segmentation):
    assert {".".join(code.split(".")[:2]) for code in segmentation.interests.tier2} <= set(segmentation.interests.tier1)


def test_purchase_intent_codes_are_segments_of_the_vocabulary(segmentation, vocabulary):
    assert set(segmentation.purchase_intent.codes) <= {code.code for code in vocabulary.members("purchase_intent")}


def test_labels_name_every_emitted_code_and_no_other(segmentation, vocabulary):
    emitted = {*segmentation.interests.tier1, *segmentation.interests.tier2, *segmentation.purchase_intent.codes}
    assert segmentation.labels == {code: vocabulary.label(code) for code in emitted}


def test_personas_state_persona_category_path_and_source(segmentation):
    taxonomy = tk.Taxonomy.load("content-v3")
    for persona in segmentation.raw["personas"]:
        assert persona["persona"]
        assert taxonomy.by_path(persona["mapped_from"]).path == persona["mapped_from"]
        assert persona["source"] == "static_mapping"


def test_structured_response_holds_nothing_outside_the_vocabulary(segmentation, vocabulary):
    assert vocabulary.problems(segmentation.raw) == ()


def test_some_page_has_interests_intents_and_personas(client):
    answers = [client.segment(page) for page in PAGES]
    assert all(
        any(found)
        for found in zip(*((a.interests.tier2, a.purchase_intent.codes, a.personas) for a in answers), strict=True)
    )


def test_legacy_format_is_asked_for_by_leaving_format_out(wire):
    answer = wire.client.segment("torque-journal.example", format="legacy")
    assert form_of(wire.requests[-1]) == {"query": "torque-journal.example", "api_key": wire.key}
    assert isinstance(answer, models.LegacySegmentation)


def test_legacy_response_is_free_text_without_codes(client):
    answer = client.segment("torque-journal.example", format="legacy")
    assert answer.raw["status"] == 200
    assert not re.search(r"\b(INT|PI)\.[A-Z]", json.dumps(answer.raw))
    assert "vocab_version" not in answer.raw


def test_unknown_segmentation_format_is_refused_before_sending(wire):
    with pytest.raises(errors.InputError, match=r"^format must be one of 'structured', 'legacy', not 'v2'\.$"):
        wire.client.segment("torque-journal.example", format="v2")
    assert not wire.requests


# Family B: GET /api/audience/filters.php ----------------------------------------------------------------------------

SIZES = {"age_bracket": 8, "gender_skew": 5, "income_level": 6, "education_level": 7, "life_stage": 14}


def test_filters_gets_the_path_of_the_interface_without_parameters(wire):
    wire.client.filters(refresh=True)
    request = wire.requests[-1]
    assert (request.method, request.url.path, str(request.url.query, "ascii"), request.content) == (
        "GET",
        "/api/audience/filters.php",
        "",
        b"",
    )


def test_filters_sends_no_key(wire):
    wire.client.filters(refresh=True)
    assert "authorization" not in wire.requests[-1].headers
    assert wire.key not in str(wire.requests[-1].url) + wire.requests[-1].content.decode()


@pytest.mark.parametrize(("name", "size"), SIZES.items())
def test_vocabulary_field_has_the_size_of_the_interface(vocabulary, name, size):
    assert len(vocabulary.values[name]) == size


@pytest.mark.parametrize(("kind", "members", "groups"), [("interest", 285, 29), ("purchase_intent", 283, 34)])
def test_vocabulary_codes_have_the_counts_of_the_interface(vocabulary, kind, members, groups):
    assert (len(vocabulary.members(kind)), len(vocabulary.groups(kind))) == (members, groups)


@pytest.mark.parametrize(
    "name",
    [
        "household_composition",
        "employment_status",
        "home_ownership",
        "urbanicity",
        "company_size_employees",
        "seniority",
        "job_function",
        "audience_type",
        "content_type",
        "reading_level",
        "price_signals",
    ],
)
def test_vocabulary_enumerates_the_field(vocabulary, name):
    assert vocabulary.values[name]


def test_filters_are_fetched_once(stub):
    stub.reply(200, {"interests": ["INT.PETS.DOGS"]})
    with stub.client() as client:
        assert client.filters() is client.filters()
    assert len(stub.requests) == 1


def test_filters_are_fetched_again_on_refresh(stub):
    stub.reply(200, {"interests": ["INT.PETS.DOGS"]}).reply(200, {"interests": ["INT.PETS.CATS"]})
    with stub.client() as client:
        client.filters()
        assert "INT.PETS.CATS" in client.filters(refresh=True)
        assert "INT.PETS.CATS" in client.filters()
    assert len(stub.requests) == 2


# Family B: content categorization -----------------------------------------------------------------------------------

RANKED = ("std_classification", "std_taxonomy", "std_taxonomy_version2", "filtering_taxonomy")


@pytest.fixture(scope="module")
def content(client):
    return client.categorize_content("torque-journal.example", personas=True)


def test_content_of_a_url_posts_the_form_of_the_interface(wire):
    wire.client.categorize_content("torque-journal.example")
    request = wire.requests[-1]
    assert (request.method, request.url.path) == ("POST", "/api/std/std_web_content_filtering.php")
    assert form_of(request) == {"query": "torque-journal.example", "data_type": "url", "api_key": wire.key}


def test_content_of_a_text_posts_the_form_of_the_interface(wire):
    wire.client.categorize_content(text=CAR_TEXT)
    request = wire.requests[-1]
    assert (request.method, request.url.path) == ("POST", "/api/std/std_content_filtering.php")
    assert form_of(request) == {"query": CAR_TEXT, "data_type": "text", "api_key": wire.key}


def test_personas_are_asked_for_with_confidence_1(wire):
    wire.client.categorize_content("torque-journal.example", personas=True)
    assert form_of(wire.requests[-1])["confidence"] == "1"


def test_root_fallback_sends_its_parameter(wire):
    wire.client.categorize_content("notes.openhands-charity.example", root_fallback=True)
    assert form_of(wire.requests[-1])[FALL_BACK] == "1"


@pytest.mark.parametrize("name", RANKED)
def test_content_response_has_the_ranked_list(content, name):
    assert content.raw[name]
    for category, confidence in content.raw[name]:
        assert category.startswith("Category name: ")
        assert 0 <= float(re.fullmatch(r"Confidence: (\S+)", confidence)[1]) <= 1


@pytest.mark.parametrize("name", RANKED)
def test_ranked_list_is_decoded_and_highest_first(content, name):
    ranked = getattr(content, name)
    assert [f"Category name: {entry.path}" for entry in ranked] == [pair[0] for pair in content.raw[name]]
    scores = [entry.confidence for entry in ranked]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("name", "taxonomy"),
    [("std_classification", "content-v3"), ("std_taxonomy", "content-v3"), ("std_taxonomy_version2", "content-v2")],
)
def test_ranked_paths_are_of_the_taxonomy(content, name, taxonomy):
    known = tk.Taxonomy.load(taxonomy)
    assert all(known.by_path(entry.path).path == entry.path for entry in getattr(content, name))


def test_content_response_has_status_200(content):
    assert content.raw["status"] == 200


def test_persona_scores_are_numbers_up_to_1(content):
    scores = content.buyer_personas_confidence_selection
    assert scores
    assert scores == content.raw["buyer_personas_confidence_selection"]
    assert all(0 <= score <= 1 for score in scores.values())


def test_persona_scores_are_left_out_where_not_asked_for(client):
    answer = client.categorize_content("torque-journal.example")
    assert "buyer_personas_confidence_selection" not in answer.raw
    assert answer.buyer_personas_confidence_selection == {}


def test_a_car_text_is_automotive(client):
    assert client.categorize_content(text=CAR_TEXT).v3[0].levels[0] == "Automotive"


def test_subdomain_with_too_little_content_is_refused_without_root_fallback(client):
    with pytest.raises(errors.InsufficientContentError):
        client.categorize_content("notes.openhands-charity.example")


def test_subdomain_with_too_little_content_is_answered_as_its_root_domain_with_root_fallback(client):
    fallen_back = client.categorize_content("notes.openhands-charity.example", root_fallback=True)
    assert fallen_back.v3 == client.categorize_content("openhands-charity.example").v3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "exactly one of them"),
        ({"url": "a.example", "text": "words"}, "exactly one of them"),
        ({"text": "  "}, "The text is empty"),
        ({"text": CAR_TEXT, "root_fallback": True}, "root_fallback is about subdomains"),
    ],
)
def test_content_arguments_that_contradict_are_refused_before_sending(wire, arguments, message):
    with pytest.raises(errors.InputError, match=message):
        wire.client.categorize_content(**arguments)
    assert not wire.requests


@pytest.mark.parametrize(
    "ask",
    [
        lambda client: client.categorize_content(text="a text with half a pair \ud800 in it"),
        lambda client: client.segment("https://torque-journal.example/\ud800"),
        lambda client: client.categorize("torque\ud800journal.example"),
    ],
    ids=["text", "url", "domain"],
)
def test_text_that_cannot_be_encoded_is_refused_before_sending(wire, ask):
    with pytest.raises(errors.InputError):
        ask(wire.client)
    assert not wire.requests


# Targets, provenance, raw -------------------------------------------------------------------------------------------

CALLS = {
    "categorize": lambda client, target: client.categorize(target),
    "enrich": lambda client, target: client.enrich(target),
    "segment": lambda client, target: client.segment(target),
    "categorize_content": lambda client, target: client.categorize_content(target),
}
of_every_call = pytest.mark.parametrize("endpoint", list(CALLS))


@of_every_call
@pytest.mark.parametrize("target", ["", "two words", "ftp://a.example", None, 7, "localhost"])
def test_what_is_no_target_is_refused_before_sending(wire, endpoint, target):
    expected = errors.InputError if endpoint == "categorize_content" and target is None else errors.TargetError
    with pytest.raises(expected):
        CALLS[endpoint](wire.client, target)
    assert not wire.requests


@of_every_call
def test_raw_is_the_body(wire, endpoint):
    answer = CALLS[endpoint](wire.client, "torque-journal.example")
    assert answer.raw == json.loads(wire.responses[-1].content)


@of_every_call
def test_provenance_states_call_and_target(client, endpoint):
    used = CALLS[endpoint](client, "https://WWW.torque-journal.example/").provenance
    assert (used.endpoint, used.target, used.normal) == (
        endpoint,
        "https://WWW.torque-journal.example/",
        "torque-journal.example",
    )


@of_every_call
def test_provenance_states_the_time_in_utc(client, endpoint):
    used = CALLS[endpoint](client, "torque-journal.example").provenance
    assert used.fetched_at.utcoffset() == timedelta(0)
    assert abs(datetime.now(UTC) - used.fetched_at) < timedelta(minutes=5)


@of_every_call
def test_provenance_states_http_status_request_and_credits(wire, endpoint):
    used = CALLS[endpoint](wire.client, "torque-journal.example").provenance
    body = json.loads(wire.responses[-1].content)
    assert (used.http_status, used.request_id) == (200, wire.responses[-1].headers["x-request-id"])
    assert (used.credits_used, used.total_credits, used.remaining_credits) == (
        1,
        body["total_credits"],
        body["remaining_credits"],
    )
    assert not used.from_cache


def test_provenance_of_a_segmentation_states_the_vocabulary_version(client, vocabulary):
    assert client.segment("torque-journal.example").provenance.vocab_version == vocabulary.version


def test_provenance_of_a_text_shows_its_beginning_only(client):
    used = client.categorize_content(text=CAR_TEXT * 20).provenance
    assert len(used.normal) <= 60
    assert CAR_TEXT.startswith(used.normal.removesuffix("…"))


# The error table ----------------------------------------------------------------------------------------------------


def test_400_is_a_bad_request(client):
    with pytest.raises(errors.BadRequestError, match="webhook_url") as caught:
        client.submit_batch(["torque-journal.example"], webhook_url="http://127.0.0.1/in")
    assert (caught.value.status, caught.value.http_status) == (400, 400)


@pytest.mark.parametrize("endpoint", list(CALLS))
def test_401_is_an_invalid_key(wire, endpoint):
    base = "http://wire.invalid"
    stranger = tk.Client("no-such-key", base, v1_api_key="no-such-key", v1_base_url=base, transport=wire)
    with pytest.raises(errors.InvalidKeyError) as caught:
        CALLS[endpoint](stranger, "torque-journal.example")
    assert caught.value.status == 401


@of_every_call
def test_403_after_the_monthly_quota_is_quota_exceeded(endpoint):
    with tk.Client(embedded=Settings(monthly_quota=1)) as client:
        CALLS[endpoint](client, "torque-journal.example")
        with pytest.raises(errors.QuotaExceededError, match="monthly quota of 1") as caught:
            CALLS[endpoint](client, "torque-journal.example")
    assert (caught.value.status, caught.value.endpoint, caught.value.target) == (
        403,
        endpoint,
        "torque-journal.example",
    )


def test_403_without_credits_is_quota_exceeded():
    with tk.Client(embedded=Settings(total_credits=1)) as client:
        assert client.categorize("torque-journal.example").provenance.remaining_credits == 0
        with pytest.raises(errors.QuotaExceededError, match="no credits are left"):
            client.segment("torque-journal.example")


def test_404_is_not_found(client):
    with pytest.raises(errors.NotFoundError, match="batch_nosuch") as caught:
        client.batch_results("batch_nosuch")
    assert caught.value.status == 404


@pytest.mark.parametrize("target", ["blank-canvas.example", "https://blank-canvas.example/almost"])
def test_410_is_insufficient_content(client, target):
    with pytest.raises(errors.InsufficientContentError) as caught:
        client.segment(target)
    assert caught.value.status == 410


def test_410_is_raised_for_a_text_of_two_words(client):
    with pytest.raises(errors.InsufficientContentError):
        client.categorize_content(text="two words")


@of_every_call
@pytest.mark.parametrize(
    "target", ["nowhere.example", "members-only.example", "binary-drop.example", "gone-fishing.example"]
)
def test_411_is_fetch_failed(client, endpoint, target):
    with pytest.raises(errors.FetchFailedError) as caught:
        CALLS[endpoint](client, target)
    assert caught.value.status == 411


def test_an_answer_with_an_error_costs_nothing(client):
    before = client.categorize("torque-journal.example").provenance.remaining_credits
    with pytest.raises(errors.FetchFailedError):
        client.categorize("nowhere.example")
    assert client.categorize("torque-journal.example").provenance.remaining_credits == before - 1


def test_429_is_rate_limited_and_states_the_wait():
    settings = Settings(rate_per_second=0.01, burst=1)
    with tk.Client(embedded=settings, retries=tk.Retries(attempts=1)) as client:
        client.categorize("torque-journal.example")
        with pytest.raises(errors.RateLimitedError) as caught:
            client.categorize("torque-journal.example")
    assert caught.value.status == 429
    assert 1 < caught.value.retry_after <= 100


def test_service_error_carries_the_request_id_of_the_answer(wire):
    with pytest.raises(errors.FetchFailedError) as caught:
        wire.client.segment("nowhere.example")
    assert caught.value.request_id == wire.responses[-1].headers["x-request-id"]


# Notebook display ---------------------------------------------------------------------------------------------------

HOSTILE = {
    "enrich": lambda client: client.enrich(HOSTILE_SITE),
    "categorize": lambda client: client.categorize(HOSTILE_SITE),
    "segment": lambda client: client.segment(f"{HOSTILE_SITE}/shop"),
    "legacy": lambda client: client.segment(HOSTILE_SITE, format="legacy"),
    "legacy-knots": lambda client: client.segment(f"{HOSTILE_SITE}/knots", format="legacy"),
    "content": lambda client: client.categorize_content(f"{HOSTILE_SITE}/shop", personas=True),
    "text": lambda client: client.categorize_content(
        text=f"<script>alert(1)</script><img src=x onerror=alert(2)> {CAR_TEXT}"
    ),
    "query": lambda client: client.segment(f"{HOSTILE_SITE}/?q=<svg/onload=alert(1)>"),
    "batch": lambda client: finished(client, client.submit_batch([HOSTILE_SITE])),
    "car": lambda client: client.segment("torque-journal.example"),
}


@pytest.fixture(scope="module", params=list(HOSTILE))
def shown(client, request):
    return HOSTILE[request.param](client)


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.attributes = [], set(), set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_html_has_only_the_tables_own_tags(shown):
    found = Tags(shown._repr_html_())
    assert found.seen <= {"div", "strong", "table", "tr", "th", "td", "br"}
    assert found.attributes <= {"class", "style", "scope"}
    assert not found.open


def test_hostile_company_name_is_shown_escaped(client):
    assert "Tall Tails&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;" in client.enrich(HOSTILE_SITE)._repr_html_()


def test_html_states_the_target_and_the_time(client):
    html = client.segment("torque-journal.example")._repr_html_()
    assert "torque-journal.example" in html
    assert f"{datetime.now(UTC):%Y-%m-%d}" in html


def test_repr_is_one_short_line(shown):
    assert len(repr(shown)) <= 500
    assert repr(shown).isprintable()


def test_repr_stays_short_whatever_the_service_sends(stub):
    stub.reply(200, {"domain": "a.example", "company": {"name": "A" * 5_000, "description": "words " * 2_000}})
    with stub.client() as client:
        assert len(repr(client.enrich("a.example"))) <= 1_000


def test_repr_of_an_answer_names_kind_and_target(client):
    assert repr(client.segment("torque-journal.example")).startswith("<Segmentation 'torque-journal.example' ")


@pytest.mark.parametrize("kind", [tk.Client, tk.AsyncClient])
def test_repr_of_a_client_says_where_it_sends(kind, stub):
    assert repr(kind()) == f"<{kind.__name__}: embedded service>"
    assert repr(stub.client(kind)) == f"<{kind.__name__}: {stub.v1_base}, {stub.base}>"


def test_is_embedded_tells_whether_the_embedded_service_answers(stub):
    assert tk.Client().is_embedded
    assert not stub.client().is_embedded


# The asynchronous client --------------------------------------------------------------------------------------------

METHODS = ("categorize", "categorize_content", "segment", "enrich", "filters", "submit_batch", "batch_results")


def public(kind):
    return {name for name in dir(kind) if not name.startswith("_")}


def test_both_clients_have_the_same_public_names_but_for_close():
    assert public(tk.Client) - {"close"} == public(tk.AsyncClient) - {"aclose"}
    more = {"ask", "explain", "close", "is_embedded", "run", "store", "with_options"}
    assert {*METHODS, *more} == public(tk.Client)


@pytest.mark.parametrize("name", METHODS)
def test_method_takes_the_same_parameters_in_both_clients(name):
    blocking, coroutine = getattr(tk.Client, name), getattr(tk.AsyncClient, name)
    assert inspect.signature(blocking) == inspect.signature(coroutine)
    assert inspect.iscoroutinefunction(coroutine)
    assert not inspect.iscoroutinefunction(blocking)


def test_both_clients_are_made_with_the_same_parameters():
    assert inspect.signature(tk.Client) == inspect.signature(tk.AsyncClient)


def test_async_client_answers_as_the_blocking_one_does(client):
    async def main():
        async with tk.AsyncClient() as twin:
            submission = await twin.submit_batch(["torque-journal.example"])
            return (
                await twin.categorize("torque-journal.example"),
                await twin.categorize_content("torque-journal.example", personas=True),
                await twin.segment("torque-journal.example"),
                await twin.segment("torque-journal.example", format="legacy"),
                await twin.enrich("torque-journal.example", include="company", format="xml"),
                await twin.filters(),
                submission,
                await twin.batch_results(submission),
            )

    found = asyncio.run(main())
    assert found[0].categories == client.categorize("torque-journal.example").categories
    assert found[1].v3 == client.categorize_content("torque-journal.example").v3
    assert found[2].demographics == client.segment("torque-journal.example").demographics
    assert found[4].company == client.enrich("torque-journal.example", include="company").company
    assert found[5] == client.filters()
    assert found[7].batch_id == found[6].batch_id


def test_async_client_answers_many_at_once():
    async def main():
        async with tk.AsyncClient() as client:
            return await asyncio.gather(*(client.categorize(page) for page in PAGES))

    assert [answer.domain for answer in asyncio.run(main())] == [tk.Target.parse(page).domain for page in PAGES]


def test_async_client_in_a_second_loop_is_refused(stub):
    stub.reply(200, {"domain": "a.example", "categories": []})
    client = stub.client(tk.AsyncClient)
    asyncio.run(client.categorize("a.example"))
    with pytest.raises(errors.ConfigurationError, match=r"belongs to the event loop .* asyncio.run\(\), or use Client"):
        asyncio.run(client.categorize("a.example"))


def test_async_client_can_be_used_in_a_second_loop_after_it_was_closed(stub):
    stub.reply(200, {"domain": "a.example", "categories": []})
    client = stub.client(tk.AsyncClient)

    async def main():
        async with client:
            return await client.categorize("a.example")

    assert asyncio.run(main()).domain == asyncio.run(main()).domain == "a.example"


@pytest.mark.parametrize("used", [False, True])
def test_closing_twice_is_fine(used):
    client = tk.Client()
    if used:
        client.categorize("torque-journal.example")
    client.close()
    client.close()


def test_closing_the_async_client_twice_is_fine():
    async def main():
        client = tk.AsyncClient()
        await client.categorize("torque-journal.example")
        await client.aclose()
        await client.aclose()

    asyncio.run(main())


# Blocking calls wherever they are made ------------------------------------------------------------------------------


def test_blocking_call_works_inside_a_running_loop(client):
    async def cell():
        return client.categorize("torque-journal.example")

    assert asyncio.run(cell()).domain == "torque-journal.example"


def test_blocking_calls_work_from_several_threads_at_once(client):
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(client.categorize, PAGES * 4))
    assert [answer.domain for answer in answers] == [tk.Target.parse(page).domain for page in PAGES * 4]


def test_first_calls_of_a_new_client_from_several_threads_at_once():
    with tk.Client() as client, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(client.categorize, PAGES * 2))
    assert [answer.domain for answer in answers] == [tk.Target.parse(page).domain for page in PAGES * 2]
    assert {answer.provenance.total_credits for answer in answers} == {1_000_000}
    assert min(answer.provenance.remaining_credits for answer in answers) == 1_000_000 - len(answers)


MARK = contextvars.ContextVar("mark", default="unset")


def test_blocking_call_keeps_the_callers_context(stub):
    seen = []

    def answer(request):
        seen.append(MARK.get())
        return stub.answer(request)

    def call():
        MARK.set("mine")
        with stub.client(transport=httpx.MockTransport(answer)) as client:
            client.categorize("a.example")
        return MARK.get()

    stub.reply(200, {"domain": "a.example", "categories": []})
    assert contextvars.copy_context().run(call) == "mine"
    assert seen == ["mine"]
    assert MARK.get() == "unset"


def test_process_that_used_a_client_ends_by_itself():
    program = """
import toolkit as tk
client = tk.Client()
print(client.categorize("torque-journal.example").domain)
"""
    done = run_python(program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "torque-journal.example\n", "")


def test_process_that_fails_after_it_used_a_client_ends_by_itself():
    done = run_python("import toolkit as tk\ntk.Client().filters()\nraise SystemExit(3)")
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "")


def test_interrupt_cancels_the_running_request():
    program = """
import asyncio, os, signal, threading, time
import httpx
import toolkit as tk

begun, cancelled = threading.Event(), threading.Event()

class Slow(httpx.AsyncBaseTransport):
    async def handle_async_request(self, request):
        begun.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise

def interrupt():
    begun.wait(30)
    os.kill(os.getpid(), signal.SIGINT)

client = tk.Client("k", "https://a.example", transport=Slow())
threading.Thread(target=interrupt).start()
try:
    client.segment("b.example")
except KeyboardInterrupt:
    print("interrupted", cancelled.wait(10))
"""
    done = run_python(program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted True\n", "")


def test_client_works_after_an_interrupt():
    program = """
import asyncio, os, signal, threading
import httpx
import toolkit as tk

begun = threading.Event()

class SlowOnce(httpx.AsyncBaseTransport):
    async def handle_async_request(self, request):
        if not begun.is_set():
            begun.set()
            await asyncio.sleep(60)
        return httpx.Response(200, json={"demographics": {}, "status": 200})

def interrupt():
    begun.wait(30)
    os.kill(os.getpid(), signal.SIGINT)

client = tk.Client("k", "https://a.example", transport=SlowOnce())
threading.Thread(target=interrupt).start()
try:
    client.segment("b.example")
except KeyboardInterrupt:
    print(type(client.segment("b.example")).__name__)
"""
    done = run_python(program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Segmentation\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_client_works_in_a_forked_process_whose_parent_used_one():
    program = """
import os, signal
import httpx
import toolkit as tk

def answer(request):
    return httpx.Response(200, json={"domain": "b.example", "categories": []})

def ask():
    transport = httpx.MockTransport(answer)
    return tk.Client(v1_api_key="k", v1_base_url="https://a.example", transport=transport).categorize("b.example")

ask()
child = os.fork()
if child == 0:
    signal.alarm(10)
    ask()
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert run_python(program).stdout == "0\n"
