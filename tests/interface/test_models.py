"""Responses: decoded from every shape, kept whole, shown safely."""

import copy
import json
import pickle
from datetime import UTC, datetime

import pytest
from cases import every
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.frames.schemas import BASIS
from toolkit.interface import models
from toolkit.interface.errors import ResponseError
from toolkit.interface.models import (
    Answer,
    BatchJob,
    BatchResults,
    BatchSubmission,
    Categorization,
    ContentCategorization,
    Enrichment,
    LegacySegmentation,
    Provenance,
    RankedCategory,
    Segmentation,
    WebhookEvent,
    decode_ranked,
)
from toolkit.interface.words.labels import field_label

repeatable = settings(max_examples=60)

CATEGORIZATION = {
    "domain": "trailhead.example",
    "categories": [
        {"id": "42-1", "name": "Hiking", "tier": 2, "confidence": 0.93},
        {"id": "42", "name": "Outdoors", "tier": 1, "confidence": 0.9},
    ],
    "meta": {"request_id": "req-1", "processing_time_ms": 41, "credits_used": 1},
}
ENRICHMENT = {
    "domain": "trailhead.example",
    "company": {
        "name": "Trailhead",
        "description": "Boots and tents",
        "founded_year": 1998,
        "headquarters": {"city": "Boulder", "state": "CO", "country": "US"},
        "employee_range": "51-200",
        "revenue_range": "$10M-$50M",
        "industry": "Retail",
    },
    "categories": [{"id": "42", "name": "Outdoors", "confidence": 0.9}],
    "technologies": [{"name": "Shopfront", "category": "E-commerce"}, {"name": "Counter", "category": "Analytics"}],
    "traffic": {"monthly_visits": "100K-500K", "traffic_rank": 48211, "growth_trend": "growing"},
    "social": {"linkedin_url": "https://social.example/c/t", "twitter_handle": "@trail", "github_org": "trail"},
    "meta": {"request_id": "req-2", "credits_used": 2, "processing_time_ms": 120},
}
SEGMENTATION = {
    "url": "https://trailhead.example/boots",
    "vocab_version": "1.1",
    "audience_type": "b2c",
    "demographics": {
        "age_bracket": ["25_34", "35_44"],
        "gender_skew": "balanced",
        "income_level": "upper_middle",
        "education_level": "bachelors",
        "life_stage": ["young_family"],
        "household_composition": "couple",
        "employment_status": "employed",
        "home_ownership": "owner",
        "urbanicity": "suburban",
        "confidence": "medium",
    },
    "b2b": {
        "company_size_employees": "51_200",
        "seniority": ["manager"],
        "job_function": ["marketing"],
        "industry": ["Retail"],
        "confidence": "low",
    },
    "interests": {"tier1": ["INT.SPORTS"], "tier2": ["INT.SPORTS.HIKING"], "confidence": "high"},
    "purchase_intent": {"codes": ["PI.APPAREL.FOOTWEAR"], "confidence": "high"},
    "personas": [{"persona": "Weekend hiker", "mapped_from": "Sports > Hiking", "source": "static_mapping"}],
    "content_context": {"content_type": "product", "reading_level": "general", "price_signals": "premium"},
    "labels": {"INT.SPORTS": "Sports", "INT.SPORTS.HIKING": "Hiking", "PI.APPAREL.FOOTWEAR": "Footwear"},
    "status": 200,
}
LEGACY = {
    "url": "https://trailhead.example/boots",
    "demographics": "Adults of 25 to 44",
    "interests": ["hiking", "camping"],
    "b2b": {"roles": ["buyer", "guide"], "sector": "retail"},
    "status": 200,
    "remaining_credits": 7,
}
CONTENT = {
    "std_classification": [
        ["Category name: Sports > Hiking", "Confidence: 0.91"],
        ["Category name: Travel > Adventure > Alps", "Confidence: 0.4"],
    ],
    "std_taxonomy": [["Category name: Sports > Hiking", "Confidence: 0.91"]],
    "std_taxonomy_version2": [["Category name: Sports > Walking", "Confidence: 0.88"]],
    "filtering_taxonomy": [["Category name: Recreation", "Confidence: 0.97"]],
    "buyer_personas_confidence_selection": {"Weekend hiker": 0.8, "Gear collector": 1},
    "status": 200,
    "total_credits": 1000,
    "remaining_credits": 998,
}
SUBMISSION = {"batch_id": "b-1", "total_domains": 2, "results_url": "/v1/batch/b-1/results", "state": "queued"}
RESULTS = {
    "batch_id": "b-1",
    "state": "completed",
    "total_domains": 2,
    "successful": 1,
    "failed": 1,
    "results": [
        {"domain": "a.example", "status": 200, "categories": [{"id": "42", "name": "Outdoors", "tier": 1}]},
        {"domain": "b.example", "status": 411, "error": {"message": "could not be fetched"}},
    ],
}
JOB = {
    "batch_id": "b-1",
    "total_domains": 2,
    "successful": 1,
    "failed": 1,
    "processing_time_seconds": 12,
    "results_url": "https://api.example/v1/batch/b-1/results",
}
EVENT = {"event": "batch.completed", "timestamp": "2026-01-02T03:04:05Z", "webhook_id": "w-1", "data": JOB}

ANSWERS = [
    (Categorization, CATEGORIZATION),
    (Enrichment, ENRICHMENT),
    (Segmentation, SEGMENTATION),
    (LegacySegmentation, LEGACY),
    (ContentCategorization, CONTENT),
    (BatchSubmission, SUBMISSION),
    (BatchResults, RESULTS),
]
KINDS = [kind for kind, _ in ANSWERS]
REQUIRED = {BatchSubmission: {"batch_id": "b-1"}}
BLOCKS = [
    (kind, name)
    for kind, raw in ANSWERS
    for name, value in raw.items()
    if isinstance(value, dict | list) and kind is not LegacySegmentation
]

of_every_kind = every(("kind", "raw"), ANSWERS)


def fresh(value):
    return copy.deepcopy(value)


def hostile(value, text):
    """Put a text in place of every text, among the keys too where a mapping is free."""
    if isinstance(value, dict):
        free = not any(key in models.Segmentation.model_fields or key in FIXED for key in value)
        return {f"{text}{key}" if free else key: hostile(part, text) for key, part in value.items()}
    if isinstance(value, list):
        return [hostile(part, text) for part in value]
    return f"{value[:14]}{text}z" if isinstance(value, str) and not value.startswith("Confidence") else value


def field_names(kind):
    found = set()
    for name, field in kind.model_fields.items():
        found.add(name)
        if isinstance(field.annotation, type) and issubclass(field.annotation, models.Model):
            found |= field_names(field.annotation)
    return found


FIXED = {"id", "name", "persona", "city", "company", "tier1", "codes", "seniority", "content_type", "request_id",
         "age_bracket", "monthly_visits", "linkedin_url", "std_taxonomy", "batch_id", "domain", "message"}  # fmt: skip


def decoded(kind, raw):
    """Return the answer, or the response error that was raised in its place."""
    try:
        return kind.decode(raw)
    except ResponseError as error:
        return error


def malformed(kind, raw):
    with pytest.raises(ResponseError) as caught:
        kind.decode(raw)
    return caught.value


def test_public_names_are_sorted_and_there():
    assert models.__all__ == sorted(models.__all__, key=lambda name: (name.islower(), name))
    assert all(hasattr(models, name) for name in models.__all__)


def test_every_kind_of_answer_is_public():
    assert {kind.__name__ for kind in Answer.__subclasses__() if kind.__module__ == models.__name__} <= set(
        models.__all__
    )


def test_every_kind_of_answer_is_tested_here():
    assert {kind for kind in Answer.__subclasses__() if kind.__module__ == models.__name__} == set(KINDS)


def test_a_categorization_is_decoded():
    answer = Categorization.decode(fresh(CATEGORIZATION))
    first = answer.categories[0]
    assert answer.domain == "trailhead.example"
    assert (first.id, first.name, first.tier, first.confidence) == ("42-1", "Hiking", 2, 0.93)
    assert (answer.meta.request_id, answer.meta.processing_time_ms, answer.meta.credits_used) == ("req-1", 41, 1)


def test_an_enrichment_is_decoded():
    answer = Enrichment.decode(fresh(ENRICHMENT))
    company = answer.company
    assert (company.name, company.founded_year, company.employee_range) == ("Trailhead", 1998, "51-200")
    assert company.headquarters.model_dump() == {"city": "Boulder", "state": "CO", "country": "US"}
    assert [(t.name, t.category) for t in answer.technologies] == [
        ("Shopfront", "E-commerce"),
        ("Counter", "Analytics"),
    ]
    assert (answer.traffic.monthly_visits, answer.traffic.traffic_rank) == ("100K-500K", 48211)
    assert answer.social.model_dump() == ENRICHMENT["social"]
    assert answer.meta.credits_used == 2


def test_a_category_of_an_enrichment_has_no_tier():
    assert Enrichment.decode(fresh(ENRICHMENT)).categories[0].tier is None


def test_a_segmentation_is_decoded():
    answer = Segmentation.decode(fresh(SEGMENTATION))
    for block in ("demographics", "b2b", "interests", "purchase_intent", "content_context"):
        assert getattr(answer, block).model_dump() == SEGMENTATION[block]
    assert [persona.model_dump() for persona in answer.personas] == SEGMENTATION["personas"]
    assert (answer.vocab_version, answer.audience_type, answer.labels) == ("1.1", "b2c", SEGMENTATION["labels"])


def test_a_code_is_shown_with_its_label_or_as_it_is():
    answer = Segmentation.decode(fresh(SEGMENTATION))
    assert [answer.label(code) for code in ("INT.SPORTS", "INT.NEW")] == ["Sports", "INT.NEW"]


def test_a_content_categorization_is_decoded():
    answer = ContentCategorization.decode(fresh(CONTENT))
    assert [(c.path, c.confidence, c.levels, c.tier) for c in answer.std_classification] == [
        ("Sports > Hiking", 0.91, ("Sports", "Hiking"), 2),
        ("Travel > Adventure > Alps", 0.4, ("Travel", "Adventure", "Alps"), 3),
    ]
    assert [c.path for c in answer.std_taxonomy_version2] == ["Sports > Walking"]
    assert [(c.path, c.confidence) for c in answer.filtering_taxonomy] == [("Recreation", 0.97)]
    assert answer.buyer_personas_confidence_selection == {"Weekend hiker": 0.8, "Gear collector": 1}


def test_version_3_is_found_under_either_of_its_names():
    both = ContentCategorization.decode(fresh(CONTENT))
    one = ContentCategorization.decode({"std_classification": fresh(CONTENT["std_classification"])})
    assert ([c.path for c in both.v3], len(one.v3)) == (["Sports > Hiking"], 2)


def test_a_legacy_answer_is_kept_as_it_comes():
    answer = LegacySegmentation.decode(fresh(LEGACY))
    assert (answer.demographics, answer.interests) == (LEGACY["demographics"], LEGACY["interests"])
    assert answer.rows() == [
        ("demographics", "Adults of 25 to 44"),
        ("interests", ["hiking", "camping"]),
        ("b2b", ["roles: buyer, guide", "sector: retail"]),
    ]


def test_a_batch_submission_is_decoded():
    answer = BatchSubmission.decode(fresh(SUBMISSION))
    assert (answer.batch_id, answer.total_domains, answer.state) == ("b-1", 2, "queued")


def test_batch_results_are_decoded():
    answer = BatchResults.decode(fresh(RESULTS))
    assert [(item.domain, item.status, len(item.categories)) for item in answer.results] == [
        ("a.example", 200, 1),
        ("b.example", 411, 0),
    ]
    assert answer.results[1].error == {"message": "could not be fetched"}


@pytest.mark.parametrize(
    ("state", "finished"), [("completed", True), ("failed", True), (None, True), ("queued", False), ("running", False)]
)
def test_a_batch_is_finished_when_its_state_says_so_or_is_not_stated(state, finished):
    assert BatchResults.decode({"state": state, "results": []}).is_finished is finished


def test_a_batch_without_a_state_and_without_results_is_not_finished():
    assert not BatchResults.decode({"state": None, "progress": 40}).is_finished


def test_a_notification_and_its_batch_job_are_decoded():
    event = WebhookEvent.model_validate(fresh(EVENT))
    job = BatchJob.model_validate(event.data)
    assert (event.event, event.timestamp, event.webhook_id) == ("batch.completed", "2026-01-02T03:04:05Z", "w-1")
    assert job.model_dump() == JOB


def test_a_notification_may_come_without_data():
    assert WebhookEvent.model_validate({**EVENT, "data": None}).data == {}


@of_every_kind
def test_the_raw_answer_is_kept_and_not_changed(kind, raw):
    given_raw = fresh(raw)
    assert kind.decode(given_raw).raw is given_raw
    assert given_raw == raw


@of_every_kind
def test_unknown_fields_are_kept(kind, raw):
    answer = kind.decode({**fresh(raw), "new_field": {"a": [1]}})
    assert answer.new_field == {"a": [1]}


@pytest.mark.parametrize("block", ["demographics", "b2b", "interests", "purchase_intent", "content_context"])
def test_unknown_fields_of_a_block_are_kept(block):
    answer = Segmentation.decode({block: {**SEGMENTATION[block], "new_field": "x"}})
    assert getattr(answer, block).new_field == "x"


@pytest.mark.parametrize("name", ["raw", "kind", "rows", "subject", "provenance", "decode", "_raw", "model_fields"])
def test_an_unknown_field_named_like_a_part_of_the_answer_changes_nothing(name):
    raw = {**CATEGORIZATION, name: "x"}
    answer = Categorization.decode(raw)
    assert answer.raw is raw
    assert answer.rows() == Categorization.decode(CATEGORIZATION).rows()
    assert repr(answer) == repr(Categorization.decode(CATEGORIZATION))


@every(
    ("kind", "name"),
    [(kind, name) for kind in KINDS for name in kind.model_fields if name not in REQUIRED.get(kind, {})],
)
def test_a_field_that_is_null_is_like_one_that_is_missing(kind, name):
    base = REQUIRED.get(kind, {})
    assert getattr(kind.decode({**base, name: None}), name) == getattr(kind.decode({**base}), name)


@every(("kind", "name"), BLOCKS)
def test_a_block_that_is_an_empty_array_is_like_one_that_is_missing(kind, name):
    base = REQUIRED.get(kind, {})
    assert getattr(kind.decode({**base, name: []}), name) == getattr(kind.decode({**base}), name)


@every(
    ("kind", "block", "name"),
    [(kind, block, name) for kind, raw in ANSWERS for block, part in raw.items()
     if isinstance(part, dict) and kind in (Segmentation, Enrichment, Categorization) and block != "labels"
     for name in part],
)  # fmt: skip
def test_a_null_inside_a_block_is_like_a_missing_field(kind, block, name):
    with_null, without = kind.decode({block: {name: None}}), kind.decode({block: {}})
    assert getattr(getattr(with_null, block), name) == getattr(getattr(without, block), name)


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_of_nothing_is_shown(kind):
    answer = kind.decode(dict(REQUIRED.get(kind, {})))
    assert answer._repr_html_().startswith("<div")
    assert "None" not in answer._repr_html_() + repr(answer)


def test_a_category_without_a_tier_is_shown_without_one():
    answer = Categorization.decode({"categories": [{"id": "1", "name": "Hiking"}]})
    assert "None" not in answer._repr_html_()


@every(
    ("raw", "read"),
    [
        ({"categories": [{"id": 42, "name": "x"}]}, lambda a: a.categories[0].id == "42"),
        ({"categories": [{"id": "1", "name": "x", "tier": "2"}]}, lambda a: a.categories[0].tier == 2),
        ({"categories": [{"id": "1", "name": "x", "confidence": "0.5"}]}, lambda a: a.categories[0].confidence == 0.5),
        ({"categories": [{"id": "1", "name": "x", "confidence": 1}]}, lambda a: a.categories[0].confidence == 1),
        (
            {"meta": {"credits_used": "3", "request_id": 77}},
            lambda a: (a.meta.credits_used, a.meta.request_id) == (3, "77"),
        ),
        ({"meta": {"processing_time_ms": "41.5"}}, lambda a: a.meta.processing_time_ms == 41.5),
        ({"company": {"founded_year": "1998"}}, lambda a: a.company.founded_year == 1998),
        ({"company": {"employee_range": 50}}, lambda a: a.company.employee_range == "50"),
        ({"traffic": {"traffic_rank": "48,211"}}, lambda a: a.traffic.traffic_rank == 48211),
        ({"traffic": {"monthly_visits": 100000}}, lambda a: a.traffic.monthly_visits == "100000"),
    ],
)
def test_numbers_and_texts_are_read_either_way(raw, read):
    assert read(Enrichment.decode({"domain": "a.example", **raw}))


@pytest.mark.parametrize("value", ["unknown", "n/a", "-", " ", ""])
def test_a_text_that_is_no_number_is_missing(value):
    assert Enrichment.decode({"company": {"founded_year": value}}).company.founded_year is None


@pytest.mark.parametrize("value", ["unknown", "12 ms", ""])
def test_a_time_that_is_no_number_does_not_lose_the_answer(value):
    assert Categorization.decode({"meta": {"processing_time_ms": value}}).meta.processing_time_ms is None


@pytest.mark.parametrize(
    ("value", "read"),
    [("48,211", 48211), ("48_211", 48211), ("48.0", 48), ("0,912", None), ("1.5", None), (1e999, None)],
)
def test_a_whole_number_is_read_from_text_or_missing(value, read):
    assert Enrichment.decode({"traffic": {"traffic_rank": value}}).traffic.traffic_rank == read


def test_a_technology_may_be_a_name_alone():
    assert [t.name for t in Enrichment.decode({"technologies": ["Shopfront"]}).technologies] == ["Shopfront"]


@pytest.mark.parametrize("value", ["", "n/a"])
def test_a_confidence_that_is_no_number_does_not_lose_the_answer(value):
    raw = {"categories": [{"id": "1", "name": "x", "confidence": value}]}
    assert Categorization.decode(raw).categories[0].confidence is None


@every(
    ("raw", "read"),
    [
        ({"demographics": {"age_bracket": "25_34"}}, lambda a: a.demographics.age_bracket == ["25_34"]),
        ({"demographics": {"life_stage": ""}}, lambda a: a.demographics.life_stage == []),
        ({"b2b": {"industry": "Retail"}}, lambda a: a.b2b.industry == ["Retail"]),
        ({"b2b": {"seniority": ["manager", None]}}, lambda a: a.b2b.seniority == ["manager"]),
        ({"interests": {"tier1": "INT.PETS"}}, lambda a: a.interests.tier1 == ["INT.PETS"]),
        ({"purchase_intent": {"codes": "PI.CARS"}}, lambda a: a.purchase_intent.codes == ["PI.CARS"]),
        ({"personas": {"persona": "Hiker"}}, lambda a: [p.persona for p in a.personas] == ["Hiker"]),
        ({"personas": "Hiker"}, lambda a: [p.persona for p in a.personas] == ["Hiker"]),
        ({"personas": ["Hiker"]}, lambda a: [p.persona for p in a.personas] == ["Hiker"]),
        ({"demographics": {"age_bracket": [18]}}, lambda a: a.demographics.age_bracket == ["18"]),
    ],
)
def test_one_value_in_place_of_a_list_is_a_list_of_one(raw, read):
    assert read(Segmentation.decode(raw))


@pytest.mark.parametrize(("given_band", "band"), [("HIGH", "high"), (" Medium ", "medium"), ("", None), (None, None)])
def test_a_confidence_band_is_lower_case(given_band, band):
    assert Segmentation.decode({"interests": {"confidence": given_band}}).interests.confidence == band


def test_labels_that_are_null_are_left_out():
    assert Segmentation.decode({"labels": {"INT.A": None, "INT.B": "b"}}).labels == {"INT.B": "b"}


@every(
    "value",
    [
        [["Category name: Sports > Hiking", "Confidence: 0.91"]],
        [["Confidence: 0.91", "Category name: Sports > Hiking"]],
        ["Category name: Sports > Hiking", "Confidence: 0.91"],
        ["Confidence: 0.91", "Category name: Sports > Hiking"],
        [["category name:Sports>Hiking", "confidence:0.91"]],
        [["Category: Sports > Hiking", "Score: 0.91"]],
        [["Sports > Hiking", "0.91"]],
        ["Sports > Hiking", 0.91],
        [["Sports  >  Hiking", 0.91]],
        [[0.91, "Sports > Hiking"]],
        [["Sports > Hiking", "Confidence: 91%"]],
        [{"path": "Sports > Hiking", "confidence": 0.91}],
        [{"category": "Sports > Hiking", "score": "0.91"}],
        [{"Category name": "Sports > Hiking", "Confidence": "0.91"}],
        {"Category name": "Sports > Hiking", "Confidence": "0.91"},
        {"Sports > Hiking": 0.91},
        [None, [], ["Category name: Sports > Hiking", "Confidence: 0.91"]],
    ],
)
def test_a_ranked_category_is_decoded_from_any_usual_form(value):
    (category,) = decode_ranked(value)
    assert category.path == "Sports > Hiking"
    assert category.confidence == pytest.approx(0.91)


@pytest.mark.parametrize("value", [None, [], {}, [None], [[]]])
def test_no_ranked_categories_are_an_empty_list(value):
    assert decode_ranked(value) == []


@pytest.mark.parametrize("value", ["Sports", ["Sports"], [["Sports"]], [["Sports", None]], {"Sports": None}])
def test_a_category_without_a_confidence_has_none(value):
    if isinstance(value, str):
        value = [[value, ""]]
    assert [(c.path, c.confidence) for c in decode_ranked(value)] == [("Sports", None)]


def test_ranked_categories_keep_their_order():
    assert [c.path for c in decode_ranked([["B", 0.2], ["A", 0.9], ["C", 0.5]])] == ["B", "A", "C"]


def test_decoding_twice_changes_nothing():
    once = decode_ranked([["Category name: A > B", "Confidence: 0.5"]])
    assert decode_ranked(once) == once == [RankedCategory(path="A > B", confidence=0.5)]


@every(
    "value",
    ["text", 1, True, [1], [[["A"], 0.1]], [{}, {"x": 1}], [["A", "high"]], [["A", [1]]], [["", 0.1]],
     [["Category name: ", "Confidence: 0.5"]]],
)  # fmt: skip
def test_what_is_no_ranked_category_is_refused(value):
    with pytest.raises(ValueError):
        decode_ranked(value)


@every(
    ("kind", "raw", "path"),
    [
        (Categorization, {"categories": [{"id": "1", "name": "a"}, {"name": "b"}]}, "$.categories[1].id"),
        (Categorization, {"categories": [{"id": "1"}]}, "$.categories[0].name"),
        (Categorization, {"domain": ["a.example"]}, "$.domain"),
        (Categorization, {"meta": "x"}, "$.meta"),
        (Enrichment, {"company": {"headquarters": {"city": ["Boulder"]}}}, "$.company.headquarters.city"),
        (Enrichment, {"technologies": [{"category": "CMS"}]}, "$.technologies[0].name"),
        (Segmentation, {"demographics": "Adults"}, "$.demographics"),
        (Segmentation, {"interests": {"tier2": [{"code": "INT.A"}]}}, "$.interests.tier2[0]"),
        (Segmentation, {"personas": [{"persona": "a"}, {}]}, "$.personas[1].persona"),
        (ContentCategorization, {"std_taxonomy": "x"}, "$.std_taxonomy"),
        (ContentCategorization, {"buyer_personas_confidence_selection": {"A": "x"}},
         "$.buyer_personas_confidence_selection.A"),
        (ContentCategorization, {"std_classification": [["A", 0.1], ["B", [1]]]}, "$.std_classification[1]"),
        (ContentCategorization, {"std_classification": [["A", 0.1], ["B", "high"]]}, "$.std_classification[1]"),
        (ContentCategorization, {"std_classification": [None, [], ["B", [1]]]}, "$.std_classification[2]"),
        (Categorization, {"categories": [None, {"id": "1"}]}, "$.categories[1].name"),
        (Segmentation, {"interests": {"tier2": [None, "", {"a": 1}]}}, "$.interests.tier2[2]"),
        (BatchSubmission, {}, "$.batch_id"),
        (BatchResults, {"results": [{"domain": "a"}, {"status": 200}]}, "$.results[1].domain"),
    ],
)  # fmt: skip
def test_a_malformed_answer_is_refused_with_its_path(kind, raw, path):
    error = malformed(kind, raw)
    assert error.path == path
    assert f" - at {path}. " in str(error)


def test_the_message_of_a_malformed_answer_is_complete():
    assert str(malformed(Categorization, {"categories": [{"id": "1"}]})) == (
        "Categorization: Field required - at $.categories[0].name. "
        "The service may have changed its answers; the whole answer is in the error's raw."
    )


@every("raw", [None, [], [1], "text", 1, 1.5, True])
@every("kind", KINDS)
def test_an_answer_that_is_no_object_is_refused(kind, raw):
    error = malformed(kind, raw)
    assert str(error) == (f"{kind.kind}: the answer is a JSON {type(raw).__name__}, not an object. Check the base URL.")
    assert error.path == "$"


def test_a_malformed_answer_is_kept_as_json_in_the_error():
    raw = {"domain": "a.example", "categories": [{"id": "1", "name": None, "tier": None}]}
    error = malformed(Categorization, raw)
    assert json.loads(error.body) == raw
    assert error.raw is raw


@pytest.mark.parametrize(
    "value",
    [[["A", "x" * 10_000]], [["A", [["x" * 10_000]]]], ["A", [{"a": "x" * 10_000}]], [[{"a": "x" * 10_000}, 1]]],
)
def test_the_message_of_a_malformed_answer_is_one_short_line(value):
    assert_one_short_line(malformed(ContentCategorization, {"std_taxonomy": value}))


def test_the_message_of_a_field_with_a_long_name_is_one_short_line():
    scores = {f"a\nb{'x' * 10_000}": "x"}
    assert_one_short_line(malformed(ContentCategorization, {"buyer_personas_confidence_selection": scores}))


def assert_one_short_line(error):
    message = str(error)
    assert len(message) < 500
    assert len(message.splitlines()) == 1


@every("kind", KINDS)
@every("depth", [100, 50_000])
def test_a_deeply_nested_answer_is_read_or_refused(kind, depth):
    value = "x"
    for _ in range(depth):
        value = {"a": value}
    raw = {**REQUIRED.get(kind, {}), "interests": value, "company": value, "meta": value, "std_taxonomy": value}
    answer = decoded(kind, raw)
    if isinstance(answer, ResponseError):
        assert answer.path.startswith("$")
    else:
        assert answer.raw is raw
        assert isinstance(repr(answer), str)
        assert isinstance(answer._repr_html_(), str)


NAMES = st.sampled_from(sorted({"id", "name", "persona"}.union(*(field_names(kind) for kind in KINDS))))
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
    | st.sampled_from(["Confidence: 0.5", "Category name: A > B", "40%", "high", "1,000", "", "INT.A.B"])
)  # fmt: skip
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES | st.text(max_size=3), inner, max_size=4)
)


@pytest.mark.parametrize("kind", KINDS)
def test_any_object_is_an_answer_or_a_response_error(kind):
    @repeatable
    @given(st.dictionaries(NAMES | st.sampled_from(list(kind.model_fields) or ["a"]) | st.text(max_size=3), VALUES))
    def check(raw):
        answer = decoded(kind, raw)
        if isinstance(answer, ResponseError):
            assert answer.path.startswith("$")
        else:
            assert answer.raw is raw
            assert len(repr(answer).splitlines()) == 1
            assert answer._repr_html_().encode()

    check()


@pytest.mark.parametrize("text", ["\ud83d", "a\udc00b"])
def test_half_a_surrogate_pair_is_kept_and_shown(text):
    answer = LegacySegmentation.decode({"interests": [text], "demographics": {"age": text}})
    assert answer._repr_html_().encode()
    assert repr(answer).encode()


@pytest.mark.parametrize("text", ["\ud83d", "a\udc00b"])
def test_half_a_surrogate_pair_in_a_description_does_not_lose_the_answer(text):
    answer = Enrichment.decode({"company": {"name": "Trailhead", "description": text}})
    assert answer.company.name == "Trailhead"
    assert answer._repr_html_().encode()


HOSTILE = {
    "image": ("<img src=x onerror=alert(1)>", "<img", "&lt;img"),
    "script end": ("</script><script>alert(1)</script>", "script>", "/script&gt;"),
    "attribute": ('" onmouseover="alert(1)', '" onmouseover', "onmouseover"),
    "quote": ("' onmouseover='alert(1)", "' onmouseover", "onmouseover"),
    "right-to-left override": ("a\u202ecod.exe", "\u202e", "acod.exe"),
    "isolate": ("a\u2066b\u2069c", "\u2066", "abc"),
    "null": ("a\x00b", "\x00", "ab"),
}


@every(("text", "forbidden", "shown"), HOSTILE.values())
@of_every_kind
def test_hostile_text_is_shown_as_text(kind, raw, text, forbidden, shown):
    where = Provenance(normal=text, target=text, vocab_version=text)
    html = kind.decode(hostile(fresh(raw), text), where)._repr_html_()
    assert forbidden not in html
    assert html.count(shown) > 2


@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "a\u202eb"])
def test_hostile_names_of_legacy_fields_are_shown_as_text(text):
    html = LegacySegmentation.decode({text: "value", "d": {text: "value"}})._repr_html_()
    assert "<img" not in html
    assert "\u202e" not in html
    assert html.count("value") == 2


@every("text", ["\n", "\r\n", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\u202e", "\x1b[31m"])
@of_every_kind
def test_the_representation_is_one_line_without_control_characters(kind, raw, text):
    shown = repr(kind.decode(hostile(fresh(raw), text), Provenance(normal=f"a{text}b")))
    assert len(shown.splitlines()) == 1
    assert not {"\u202e", "\x1b"} & set(shown)


@of_every_kind
def test_the_representation_is_short_whatever_is_in_the_answer(kind, raw):
    shown = repr(kind.decode(hostile(fresh(raw), "x" * 5_000), Provenance(normal="x" * 5_000)))
    assert len(shown) < 500


@of_every_kind
def test_the_representation_names_kind_and_subject(kind, raw):
    answer = kind.decode(fresh(raw), Provenance(normal="trailhead.example"))
    assert repr(answer).startswith(f"<{kind.kind} 'trailhead.example' ")
    assert str(answer) == repr(answer)


def test_batch_results_show_the_counts_that_are_stated():
    shown = [dict(BatchResults.decode(raw).rows())["domains"] for raw in (RESULTS, {"failed": 0}, {})]
    assert shown == ["1 successful, 1 failed, 2 in all", "0 failed", ""]


def test_the_display_shows_the_facts():
    html = Segmentation.decode(fresh(SEGMENTATION))._repr_html_()
    assert all(
        text in html
        for text in ("Hiking", "Footwear", "25 to 44 years", "Upper middle income", "Weekend hiker", "Manager")
    )


def test_the_display_states_date_vocabulary_and_credits():
    where = Provenance(
        normal="a.example", fetched_at=datetime(2026, 1, 2, 3, 4, tzinfo=UTC), vocab_version="1.1", credits_used=0
    )
    html = Segmentation.decode({}, where)._repr_html_()
    assert "fetched 2026-01-02 03:04 UTC · codes of version 1.1 · credits used: 0" in html


def test_an_answer_knows_where_it_comes_from():
    where = Provenance(endpoint="categorize", normal="a.example", from_cache=True)
    answer = Categorization.decode({}, where)
    assert answer.provenance is where
    assert answer.subject == "a.example"


def test_what_was_asked_is_kept_as_given_but_for_half_a_character():
    assert Provenance(target=" a text\n").target == " a text\n"
    assert Provenance(target="a\ud83d").target == "a\N{REPLACEMENT CHARACTER}"


def test_an_answer_without_provenance_has_an_empty_one_with_the_time_in_utc():
    used = Categorization.decode({}).provenance
    assert (used.normal, used.from_cache, used.fetched_at.tzinfo) == ("", False, UTC)


@of_every_kind
def test_an_answer_survives_pickling(kind, raw):
    answer = kind.decode({**fresh(raw), "new_field": 1}, Provenance(normal="a.example", credits_used=3))
    restored = pickle.loads(pickle.dumps(answer))
    assert restored == answer
    assert (restored.raw, restored.provenance) == (answer.raw, answer.provenance)
    assert (restored.new_field, repr(restored)) == (1, repr(answer))


@of_every_kind
def test_a_copy_of_an_answer_is_equal_and_its_own(kind, raw):
    answer = kind.decode(fresh(raw))
    copied = copy.deepcopy(answer)
    assert (copied, copied.raw) == (answer, answer.raw)
    assert copied.raw is not answer.raw


def test_each_value_of_a_segmentation_has_its_name_and_says_whether_it_is_inferred(client):
    rows = dict(client.segment("clearwater-bank.example/mortgages").rows())
    assert rows["gender (inferred)"] == "Women and men alike"
    assert rows["town or country (inferred)"] == "Urban and rural"
    assert rows["reading level"] == "Basic"
    for name in rows:
        field = next((field for field in BASIS if field_label(field).lower() == name.removesuffix(" (inferred)")), None)
        assert field is None or (BASIS[field] == "inferred") == name.endswith(" (inferred)")
