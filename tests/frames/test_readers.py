"""Frames straight from raw answers: those that the models give, whatever comes in."""

import json
import warnings
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest
from asking import QUESTIONS, outcomes_of
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from toolkit import frames
from toolkit.frames import SCHEMAS, VocabularyWarning
from toolkit.frames import segmentations as record_segments
from toolkit.frames.plain import plain
from toolkit.frames.readers import frame_of
from toolkit.frames.records import FRAMES, Record
from toolkit.interface import company, fields
from toolkit.interface.calls import MODELS
from toolkit.interface.errors import InputError, ResponseError
from toolkit.interface.targets import parse_target
from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.samples import sample_sites

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TIME = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
ENDPOINTS = {
    "audiences": ("segment",),
    "codes": ("segment",),
    "categories": ("categorize", "categorize_content", "enrich"),
    "companies": ("enrich",),
    "technologies": ("enrich",),
}
PAIRS = [(name, endpoint) for name, endpoints in ENDPOINTS.items() for endpoint in endpoints]
every_frame = pytest.mark.parametrize("name", FRAMES)
every_pair = pytest.mark.parametrize(("name", "endpoint"), PAIRS)


@pytest.fixture(scope="session")
def outcomes(client):
    """Every sample site and some targets that fail, asked everything."""
    targets = [site.host for site in sample_sites()] + ["nowhere.example", "two words", "torque-journal.example"]
    return outcomes_of(client, targets, QUESTIONS)


@pytest.fixture(scope="session")
def answers(outcomes):
    """Raw answers of each endpoint, the same page once."""
    return {
        endpoint: list({o.target: o.answer.raw for o in outcomes if o.endpoint == endpoint and o.answer}.values())
        for endpoint in QUESTIONS
    }


def record_of(row, outcome):
    """Return an outcome as a run keeps it."""
    if outcome.answer is None:
        try:
            normal = parse_target(outcome.target).normal
        except InputError:
            normal = None
        told = getattr(outcome.error, "fetched_at", None)
        moment = told and (told - EPOCH) // timedelta(microseconds=1)
        return Record(
            row, outcome.target, normal, outcome.endpoint, outcome.status, str(outcome.error), fetched_at=moment
        )
    source = outcome.answer.provenance
    return Record(
        row,
        outcome.target,
        source.normal,
        outcome.endpoint,
        outcome.status,
        None,
        json.dumps(outcome.answer.raw, ensure_ascii=False).encode(),
        source.request_id,
        source.vocab_version,
        (source.fetched_at - EPOCH) // timedelta(microseconds=1),
        source.from_cache,
        source.credits_used,
    )


def record(raw, endpoint="segment", row=0, target="a.example"):
    body = raw if isinstance(raw, bytes) else json.dumps(raw).encode()
    microseconds = (TIME - EPOCH) // timedelta(microseconds=1)
    return Record(row, target, target, endpoint, 200, None, body, "req_1", "1.1", microseconds, True, 1)


def modelled(found):
    """Return a record as the models read it."""
    try:
        answer = MODELS[found.endpoint].decode(json.loads(found.raw))
    except ResponseError as error:
        return replace(found, raw=None, status=None, error=str(error))
    return replace(found, raw=plain(answer))


def reference(name, results, vocabulary):
    build = getattr(frames, name)
    return build(results, vocabulary) if name in ("audiences", "codes") else build(results)


def told(build, *arguments):
    """Return a frame and the words of the warnings that came with it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        frame = build(*arguments)
    assert {warning.category for warning in caught} <= {VocabularyWarning}
    return frame, [str(warning.message) for warning in caught]


def assert_same(name, records, vocabulary, results=None):
    if results is None:
        wanted, wanted_words = told(frame_of, name, [modelled(found) for found in records], vocabulary)
    else:
        wanted, wanted_words = told(reference, name, results, vocabulary)
    found, words = told(frame_of, name, records, vocabulary)
    assert_frame_equal(found, wanted, check_exact=True, check_freq=True)
    assert words == wanted_words


# Real answers ------------------------------------------------------------------------------------------------------


@every_frame
def test_every_answer_of_the_sample_web_gives_the_same_rows(outcomes, vocabulary, name):
    results = [outcome for outcome in outcomes if outcome.endpoint in ENDPOINTS[name]]
    assert len({outcome.status for outcome in results}) == 4
    assert_same(name, [record_of(row, outcome) for row, outcome in enumerate(results)], vocabulary, results)


def test_codes_without_a_vocabulary_are_the_same(outcomes):
    results = [outcome for outcome in outcomes if outcome.endpoint == "segment"]
    assert_same("codes", [record_of(row, outcome) for row, outcome in enumerate(results)], None, results)


@every_frame
def test_no_real_answer_goes_through_a_model(outcomes, vocabulary, monkeypatch, name):
    records = [record_of(row, outcome) for row, outcome in enumerate(outcomes)]
    monkeypatch.setattr("toolkit.frames.readers.MODELS", {})
    assert len(frame_of(name, records, vocabulary)) > 50


@every_frame
@pytest.mark.parametrize("size", [0, 1, 5])
def test_every_number_of_records_gives_the_declared_columns(answers, vocabulary, name, size):
    endpoint = ENDPOINTS[name][0]
    records = [record(raw, endpoint, row) for row, raw in enumerate(answers[endpoint][:size])]
    assert_same(name, records, vocabulary)
    assert list(frame_of(name, iter(records), vocabulary).columns) == list(SCHEMAS[name])


@every_frame
def test_all_failed_is_a_row_each(outcomes, vocabulary, name):
    results = [outcome for outcome in outcomes if outcome.endpoint in ENDPOINTS[name] and outcome.error]
    assert_same(name, [record_of(row, outcome) for row, outcome in enumerate(results)], vocabulary, results)
    assert len(results) >= 2


@every_pair
def test_more_records_than_are_at_hand_at_a_time_stay_in_order(answers, vocabulary, monkeypatch, name, endpoint):
    records = [record(raw, endpoint, row, f"{row}.example") for row, raw in enumerate(answers[endpoint][:11])]
    monkeypatch.setattr("toolkit.frames.readers._AT_A_TIME", 3)
    assert_same(name, records, vocabulary)


@every_frame
def test_records_of_other_endpoints_are_left_out_and_rows_keep_their_numbers(outcomes, vocabulary, name):
    frame = frame_of(name, [record_of(row, outcome) for row, outcome in enumerate(outcomes)], vocabulary)
    wanted = {row for row, outcome in enumerate(outcomes) if outcome.endpoint in ENDPOINTS[name]}
    assert set(frame["row"]) <= wanted
    assert set(frame["endpoint"]) == set(ENDPOINTS[name])


@pytest.mark.parametrize("taxonomy", ["content-v3", "content-v2"])
def test_every_category_of_a_taxonomy_is_placed_the_same(taxonomy):
    field = {"content-v3": "std_taxonomy", "content-v2": "std_taxonomy_version2"}[taxonomy]
    known = list(Taxonomy.load(taxonomy))
    ranked = {field: [[f"Category name: {category.path}", "Confidence: 0.5"] for category in known]}
    listed = [{"id": c.id, "name": c.name, "tier": c.tier, "confidence": 0.25} for c in known]
    assert_same(
        "categories", [record(ranked, "categorize_content"), record({"categories": listed}, "categorize", 1)], None
    )


def test_the_plain_forms_know_every_field_of_the_models():
    # A field that a model reads and the plain form does not would be checked on one way alone.
    blocks = {
        "demographics": fields.Demographics,
        "b2b": fields.Firmographics,
        "interests": fields.Interests,
        "purchase_intent": fields.PurchaseIntent,
        "content_context": fields.ContentContext,
    }
    known = record_segments._NOTHING
    assert {name: set(block.model_fields) for name, block in blocks.items()} == {name: {*known[name]} for name in known}
    others = {"url", "vocab_version", "audience_type", "personas", "labels"}
    assert {*MODELS["segment"].model_fields} == others | {*known}
    assert {*fields.Persona.model_fields} == {*record_segments._NO_PERSONA}

    shown = {name for name in SCHEMAS["companies"] if name not in SCHEMAS["audiences"]}
    blocks = (company.Company, company.Headquarters, company.Traffic, company.Social)
    assert {name for block in blocks for name in block.model_fields} - {"headquarters"} | {"domain"} == shown
    both = {"domain", "categories", "meta"}
    assert {*MODELS["categorize"].model_fields} == both
    assert {*MODELS["enrich"].model_fields} == both | {"company", "technologies", "traffic", "social", "contact"}
    assert {*fields.Meta.model_fields} == {"request_id", "processing_time_ms", "credits_used"}
    assert {*company.Technology.model_fields} == {"name", "category"}
    assert {*MODELS["categorize_content"].model_fields} == {
        "std_classification",
        "std_taxonomy",
        "std_taxonomy_version2",
        "filtering_taxonomy",
        "buyer_personas_confidence_selection",
    }


# Failures ----------------------------------------------------------------------------------------------------------


@every_pair
def test_a_failure_that_came_from_a_store_says_so(vocabulary, name, endpoint):
    found = Record(3, "a.example", "a.example", endpoint, 410, "no words", fetched_at=1_000_000, from_cache=True)
    row = frame_of(name, [found], vocabulary).iloc[0]
    assert (row["row"], row["status"], row["error"], row["from_cache"]) == (3, 410, "no words", True)
    assert row["fetched_at"] == pd.Timestamp("1970-01-01T00:00:01Z")


@every_pair
@pytest.mark.parametrize("raw", [b"[]", b"null", b"7", b'"text"', b'{"meta": 7, "b2b": 7, "std_taxonomy": 7}'])
def test_an_answer_that_the_model_refuses_is_a_failure_with_its_words(vocabulary, name, endpoint, raw):
    good = record({}, endpoint, 1)
    assert_same(name, [record(raw, endpoint), good], vocabulary)
    row = frame_of(name, [record(raw, endpoint)], vocabulary).iloc[0]
    assert row["status"] is pd.NA
    assert MODELS[endpoint].kind in row["error"]


@every_pair
@pytest.mark.parametrize(
    "raw", [b"", b"{", b"\xff", b"<html>", b'{"a":' + b"1" * 5000 + b"}", b"[" * 100_000], ids=lambda raw: raw[:6]
)
def test_an_answer_that_is_no_json_is_a_failure(vocabulary, name, endpoint, raw):
    row = frame_of(name, [record(raw, endpoint)], vocabulary).iloc[0]
    assert row["error"].startswith(f"{MODELS[endpoint].kind}: the stored answer is not JSON")
    assert row["status"] is pd.NA


def test_an_unknown_frame_names_those_there_are():
    with pytest.raises(InputError, match="'audiences', 'codes', 'categories', 'companies', 'technologies', not 'x'"):
        frame_of("x", [])


def test_audiences_need_a_vocabulary():
    with pytest.raises(InputError, match=r"Pass client\.filters\(\)"):
        frame_of("audiences", [])


@every_frame
def test_a_failure_without_an_endpoint_is_in_every_frame(vocabulary, name):
    frame = frame_of(name, [Record(5, "two words", None, "", error="no target")], vocabulary)
    assert frame[["row", "target", "error"]].to_numpy().tolist() == [[5, "two words", "no target"]]
    assert frame["normal"].isna().all()


def test_an_unknown_value_warns_where_the_frame_is_asked_for(vocabulary):
    odd = record({"demographics": {"income_level": " astronomical "}, "interests": {"confidence": "HUGE"}})
    with pytest.warns(VocabularyWarning) as caught:
        frame_of("audiences", [odd, odd], vocabulary)
    assert [warning.filename for warning in caught] == [__file__, __file__]
    assert "astronomical" in str(caught[0].message)
    assert "huge" in str(caught[1].message)


def test_a_value_of_a_refused_answer_warns_of_nothing(vocabulary):
    odd = record({"demographics": {"income_level": "astronomical"}, "b2b": 7})
    assert told(frame_of, "audiences", [odd], vocabulary)[1] == []


# Hazards -----------------------------------------------------------------------------------------------------------

BLOCKS = ("demographics", "b2b", "interests", "purchase_intent", "content_context", "personas", "labels")
PAIR = ["Category name: Pets > Dogs", "Confidence: 0.91"]
CODE = {"tier2": ["INT.PETS.DOGS"], "confidence": "high"}
CATEGORY = {"id": "150", "name": "Attractions", "tier": 1, "confidence": 0.5}
HAZARDS = {
    "segment": [
        {},
        {"status": "200"},
        dict.fromkeys(BLOCKS),
        {name: [] for name in BLOCKS},
        {"new": [{"deep": [[]]}], "demographics": {"new": 1, "gender_skew": "none of them"}},
        {"audience_type": 7, "vocab_version": 1.1, "url": True},
        {"audience_type": " ", "demographics": {"income_level": " Middle ", "age_bracket": " 18_24 "}},
        {"demographics": {"income_level": ["low", "middle"]}},
        {"demographics": {"age_bracket": ["18_24", None, "", " 25_34 ", 7], "life_stage": ""}},
        {"demographics": {"age_bracket": [["18_24"]]}},
        {"demographics": {"age_bracket": {"18_24": 1}}},
        {"demographics": {"confidence": " HIGH "}, "b2b": {"confidence": 3}, "interests": {"confidence": ""}},
        {"interests": CODE, "labels": {"INT.PETS.DOGS": ""}},
        {"interests": CODE, "labels": {"INT.PETS.DOGS": 7}},
        {"interests": CODE, "labels": {"INT.PETS.DOGS": None}},
        {"interests": CODE, "labels": {"INT.PETS.DOGS": ["x"]}},
        {"interests": CODE, "labels": "none"},
        {"interests": {"tier2": ["INT.NEW.CODE", "lone", "a.b.c.d"], "confidence": "unsure"}},
        {"interests": {"tier2": [], "confidence": "unsure"}},
        {"interests": {"tier2": "INT.PETS.DOGS", "tier1": {"a": 1}}},
        {"personas": [{"persona": " P ", "mapped_from": " A > B ", "source": 7}]},
        {"personas": [{"persona": ""}, "named", None, {"persona": 7}]},
        {"personas": {"persona": "alone"}},
        {"personas": [{"mapped_from": "A"}]},
        {"personas": [{"persona": ["x"]}]},
        {"personas": [7]},
        {"content_context": {"content_type": "news", "confidence": "high"}},
        {"content_context": {"content_type": "news", "confidence": "High "}},
        {"labels": [["INT.PETS", "Pets"]], "interests": {"tier1": ["INT.PETS"]}},
        {"labels": {"interests": {"INT.PETS": "Pets"}}, "interests": {"tier1": ["INT.PETS"]}},
        {"labels": [{"code": "INT.PETS", "label": "Pets"}], "interests": {"tier1": ["INT.PETS"]}},
        {"labels": {"INT.PETS": {"label": "Pets"}}, "interests": {"tier1": ["INT.PETS"]}},
        {"labels": 7, "interests": {"tier1": "INT.PETS, INT.CARS"}},
        {"personas": [["Hiker", "Sports > Hiking"], ["Buyer", 0.5]]},
        {"personas": '["Hiker", {"persona": "Buyer"}]'},
        {"personas": {"Hiker": 0.8, "Buyer": "Sports > Hiking"}},
        {"personas": {"0": "Hiker", "5": {"name": "Buyer"}}},
        {"personas": "[Hiker"},
        {"interests": {"tier1": {"0": "INT.PETS", "2": "INT.CARS"}}, "audience_type": 10**400},
        {"demographics": {"age_bracket": "18_24, 25_34", "life_stage": "x|y"}, "b2b": {"industry": "A, B; C"}},
        {"b2b": {"seniority": '["owner"]', "job_function": "[x"}},
        {"personas": ["Persona: Hiker, Confidence: 0.8", "Buyer (0.5)"]},
        {"content_context": {"content_type": "news", "confidence": ""}},
        {"audience_type": "half \ud800", "interests": {"tier2": ["half \udc00"]}},
        {"personas": [{"persona": "whole \U0001f600"}], "audience_type": "b2b\u2003"},
    ],
    "categorize": [
        {},
        {"categories": [CATEGORY | {"confidence": 87}, CATEGORY | {"confidence": 12.5}, CATEGORY | {"confidence": 0}]},
        {"categories": [CATEGORY | {"confidence": 87}, CATEGORY | {"confidence": 0.5}]},
        {"categories": [CATEGORY | {"confidence": "87%"}, CATEGORY | {"confidence": 1.0000001}]},
        {"categories": [CATEGORY | {"confidence": "high"}, CATEGORY | {"confidence_band": "Low "}]},
        {
            "categories": [
                CATEGORY | {"confidence": 10**400},
                CATEGORY | {"tier": 10**400},
                CATEGORY | {"name": 10**400},
            ]
        },
        {"categories": [{"category_id": "150", "category": "Attractions", "value": 0.5}]},
        {"categories": [{"id": "150", "name": "Attractions", "score": 0.5}]},
        {"categories": {"0": CATEGORY, "2": CATEGORY}},
        {"categories": {}},
        {"categories": [["Category name: Pets", "Confidence: 0.5"]]},
        {"domain": 7, "meta": None, "categories": None},
        {"domain": " A ", "categories": CATEGORY, "meta": []},
        {"categories": [CATEGORY | {"tier": "1", "confidence": "50 %"}]},
        {"categories": [CATEGORY | {"tier": 1.0, "confidence": 1}, CATEGORY | {"tier": 1.5}]},
        {"categories": [CATEGORY | {"tier": True, "confidence": True}, CATEGORY]},
        {"categories": [CATEGORY | {"tier": 10**30, "confidence": 10**30}]},
        {"categories": [CATEGORY | {"tier": -(2**63), "confidence": -1.5}]},
        {"categories": [CATEGORY | {"tier": 0, "confidence": None}, CATEGORY | {"tier": None}]},
        {"categories": [CATEGORY | {"confidence": float("nan")}, CATEGORY | {"confidence": float("inf")}]},
        {"categories": [CATEGORY | {"id": 150}, CATEGORY | {"id": " 150 "}, CATEGORY | {"name": ""}]},
        {"categories": [CATEGORY | {"id": "1-2"}, CATEGORY | {"id": "nowhere"}, CATEGORY | {"name": "Other"}]},
        {"categories": [CATEGORY | {"id": " "}]},
        {"categories": [CATEGORY | {"name": None}]},
        {"categories": ["text"]},
        {"categories": [None, CATEGORY]},
        {"categories": [CATEGORY], "meta": {"processing_time_ms": "fast", "credits_used": "1"}},
        {"categories": [CATEGORY], "meta": {"processing_time_ms": 10**400}},
        {"categories": [CATEGORY], "meta": {"request_id": []}},
    ],
    "categorize_content": [
        {},
        {"iab_classification": [PAIR], "iab_taxonomy_version2": [PAIR]},
        {"std_taxonomy": [], "iab_taxonomy": [PAIR], "iab_taxonomy_v2": [PAIR]},
        {"std_taxonomy": [PAIR], "iab_taxonomy": [["Category name: Other", "Confidence: 0.1"]]},
        {"std_taxonomy": [["Category name: A", "Confidence: 87"], ["Category name: B", "Confidence: 12"]]},
        {"std_taxonomy": [["Category name: A", "Confidence: 87%"], ["Category name: B", "Confidence: 0.1"]]},
        {"std_taxonomy": [["Category name: A", "Confidence: 87"], ["Category name: B", "Confidence: 0.1"]]},
        {"std_taxonomy": [["Category name: A", "Confidence: -0.1"], ["Category name: B", "Confidence: 1e9"]]},
        {"std_taxonomy": [["A", 10**400]], "std_taxonomy_version2": {"0": PAIR, "3": PAIR}},
        {"std_taxonomy": [{"category": "Pets > Dogs", "value": 0.5}]},
        {"std_taxonomy": json.dumps([PAIR]), "filtering_taxonomy": "{"},
        {"std_taxonomy": [PAIR], "buyer_personas_confidence_selection": [["A", 0.5], ["B", 87]]},
        {"std_taxonomy": [PAIR], "buyer_personas_confidence_selection": {"A": 87, "B": 10**400}},
        {"std_classification": [PAIR]},
        {"std_taxonomy": [], "std_classification": [PAIR], "filtering_taxonomy": [PAIR]},
        {"std_taxonomy": [PAIR], "std_classification": [["Category name: Other", "Confidence: 0.1"]]},
        {"std_taxonomy": [PAIR], "std_classification": 7},
        {"std_taxonomy": [PAIR], "std_classification": [{PAIR[0]: 1, PAIR[1]: 2}]},
        {"std_taxonomy": PAIR},
        {"std_taxonomy": [PAIR[::-1], PAIR[:1], [*PAIR, "more"], PAIR[0], None, []]},
        {"std_taxonomy": [["Pets", 0.5], ["Pets", "0.5"], ["Pets", "50%"], ["Pets", None]]},
        {"std_taxonomy": {"Pets": 0.5}, "std_taxonomy_version2": {"name": "Pets", "score": 1}},
        {"std_taxonomy": [{"path": "Pets", "confidence": 0.5}]},
        {
            "std_taxonomy": [
                ["Category name: pets>dogs", "Confidence: "],
                ["Category name: A > B > C > D > E", "Confidence: 1"],
            ]
        },
        {"std_taxonomy": [["Category name: ", "Confidence: 1"]]},
        {"std_taxonomy": [["Category name: Category: x", "Confidence: nan"]]},
        {"std_taxonomy": [["Category name: x", "Confidence: high"]]},
        {"std_taxonomy": [7]},
        {"std_taxonomy": "Pets"},
        {"std_taxonomy": ["Category name: Pets > Dogs, Confidence: 0.6", "Cats (60%)", ["Fish: 0.2"]]},
        {"std_taxonomy": [["Category name: Pets (0.5)", "Confidence: "], ["Category name: A: 0.5", "Confidence: 0.1"]]},
        {"std_taxonomy": ["Pets (0.5) (0.6)", "TV (general)"]},
        {"std_taxonomy": [[["x"], "Confidence: 1"]]},
        {"std_taxonomy": [PAIR], "buyer_personas_confidence_selection": {"A": 0.5, "B": 1, "C": None, "D": "0.5"}},
        {"std_taxonomy": [PAIR], "buyer_personas_confidence_selection": {"A": "much"}},
        {"std_taxonomy": [PAIR], "buyer_personas_confidence_selection": [1]},
    ],
    "enrich": [
        {},
        {"company": {"founded_year": "2004-05-01"}, "traffic": {"traffic_rank": "#1,234"}},
        {"company": {"founded_year": 20040501}, "traffic": {"traffic_rank": "1.2M"}},
        {"company": {"founded_year": 10**400}, "traffic": {"traffic_rank": 10**400}},
        {"technologies": {"0": "Shopify", "4": {"name": "X"}}},
        {"domain": None, "company": [], "traffic": None, "social": [], "contact": 7, "technologies": None},
        {"domain": "a", "company": {"name": " ", "founded_year": "1,998", "headquarters": []}},
        {"company": {"founded_year": 10**30, "headquarters": {"city": " X ", "country": 7}}},
        {"company": {"legal_name": ["A", "B"], "ticker": {"x": 1}, "company_type": True, "parent_company": 7}},
        {"company": {"name": ["A"]}},
        {"company": "A"},
        {"traffic": {"traffic_rank": 2**63 - 1, "monthly_visits": 1000}},
        {"traffic": {"traffic_rank": 2**63, "ranked_domain": ["a", "b"]}},
        {"technologies": ["Shopify", {"name": " ", "category": " "}, None, {"name": 7}]},
        {"technologies": {"name": "Shopify", "category": ["x"]}},
        {"technologies": "React, C++ Builder; nginx"},
        {"technologies": [{"category": "CMS"}]},
        {"technologies": [{"name": "X"}], "categories": [CATEGORY | {"tier": None}], "meta": {"credits_used": 1}},
        {"technologies": [{"name": "X"}], "categories": [7]},
        {"technologies": [{"name": "X"}], "social": "none"},
        {"technologies": [{"name": "X"}], "contact": {"emails": [[]], "key_personnel": [{"name": "N", "title": {}}]}},
    ],
}


@every_pair
def test_what_is_odd_is_read_as_the_models_read_it(vocabulary, name, endpoint):
    for raw in HAZARDS[endpoint]:
        assert_same(name, [record(raw, endpoint)], vocabulary)
        assert_same(name, [record({"data": raw, "status": 200}, endpoint)], vocabulary)
        assert_same(name, [record({"response": {"results": [raw]}, "data": None}, endpoint)], vocabulary)


@every_pair
def test_odd_and_plain_answers_stand_together(answers, vocabulary, name, endpoint):
    raws = [raw for pair in zip(HAZARDS[endpoint], answers[endpoint], strict=False) for raw in pair] * 2
    assert_same(name, [record(raw, endpoint, row) for row, raw in enumerate(raws)], vocabulary)


@every_pair
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_every_encoding_of_json_is_read(answers, vocabulary, name, endpoint, encoding):
    raw = json.dumps(answers[endpoint][0], ensure_ascii=False, indent=1).encode(encoding)
    assert_same(name, [record(raw, endpoint)], vocabulary)


@every_pair
def test_huge_credits_are_missing(vocabulary, name, endpoint):
    found = Record(0, "a.example", "a.example", endpoint, 200, raw=b"{}", fetched_at=0, credits_used=2**63)
    assert_same(name, [found], vocabulary)


# Any answer --------------------------------------------------------------------------------------------------------

NODES = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from(["", " ", " x ", "high", "7", "1,000", "50%", "\ud800", "Confidence: 0.5", "Category name: Pets"]),
    st.sampled_from(
        ["87%", "#1,234", "2004-05-01", "Confidence: 87", '["x"]', '{"x": 1}', "[x", "INT.A, INT.B", "x (0.5)"]
    ),
    st.sampled_from(
        [{"0": "x", "2": "y"}, {"x": {"label": "y"}}, {"code": "x", "label": "y"}, [["x", "y"]], [["x", 87]]]
    ),
    st.sampled_from([0, 1, -1, 7, 87, 2**63, 10**30, 10**400, 0.5, 1.0, float("nan"), float("inf")]),
    st.sampled_from(
        [[], {}, [None], [[]], ["x"], ["x", 0.5], [7], {"x": 1}, {"name": "x"}, [{"name": "x", "id": "1"}]]
    ),
)


def places(node, path=()):
    """Return the path of every node of a document."""
    yield path
    parts = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for step, part in parts:
        yield from places(part, (*path, step))


def changed(document, path, drop, node):
    """Return a copy of a document in which one node is another, or gone."""
    if not path:
        return node
    step, *rest = path
    copy = dict(document) if isinstance(document, dict) else list(document)
    if rest or not drop:
        copy[step] = changed(document[step], rest, drop, node)
    else:
        del copy[step]
    return copy


@every_pair
@settings(max_examples=30, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_changed_answer_is_read_as_the_models_read_it(answers, vocabulary, name, endpoint, data):
    records = []
    for row in range(3):
        raw = data.draw(st.sampled_from(answers[endpoint]))
        for _ in range(data.draw(st.integers(0, 3))):
            path = data.draw(st.sampled_from(list(places(raw))[1:] or [()]))
            raw = changed(raw, path, data.draw(st.booleans()), data.draw(NODES)) if path else raw
        records.append(record(raw, endpoint, row))
    assert_same(name, records, vocabulary)


@given(st.dictionaries(st.sampled_from(["b2b", "personas", "labels", "url"]), NODES))
@example({"personas": "x"})
@example({"labels": "[x"})
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_any_small_segmentation_is_read_as_the_model_reads_it(vocabulary, raw):
    for name in ("audiences", "codes"):
        assert_same(name, [record(raw)], vocabulary)


def test_an_answer_that_a_frame_cannot_read_is_among_the_failures(stub):
    stub.vocabulary = {"age_bracket": ["18_24"], "interests": ["INT.PETS.DOGS"]}
    stub.reply(200, {"interests": {"tier2": ["INT.PETS.DOGS"]}, "status": 200})
    stub.reply(200, {"content_context": {"content_type": [{"x": 1}]}, "status": 200})
    with stub.client() as client, client.ask(["a.example", "b.example"], "segment", concurrency=1) as run:
        failures = run.failures()
        assert failures["target"].tolist() == ["b.example"]
        assert failures["error"].tolist() == run.audiences()["error"].dropna().tolist()
