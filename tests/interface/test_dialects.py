"""Answers in other forms than the interface shows: read, or refused in words, and never an empty success."""

import json

import httpx
import pytest
from cases import every
from pandas.testing import assert_frame_equal

import toolkit as tk
from toolkit.frames import VocabularyWarning
from toolkit.interface.calls import question_of
from toolkit.interface.errors import ConfigurationError, ResponseError
from toolkit.interface.models import Categorization, ContentCategorization, Enrichment, Segmentation, decode_ranked
from toolkit.interface.reading import Received, read_answer
from toolkit.interface.taxonomy import Taxonomy

PAIR = ["Category name: Pets > Dogs", "Confidence: 0.9"]
ENRICHED = {"domain": "a.example", "company": {"name": "A"}}


def read(endpoint, body, media="application/json", **options):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    return read_answer(question_of(endpoint, **options).call("a.example"), Received(200, {"content-type": media}, body))


# Names ---------------------------------------------------------------------------------------------------------------


@every(
    ("name", "own"),
    [
        ("iab_classification", "std_classification"),
        ("iab_taxonomy", "std_taxonomy"),
        ("iab_taxonomy_version2", "std_taxonomy_version2"),
        ("iab_taxonomy_version3", "std_taxonomy"),
        ("std_taxonomy_v2", "std_taxonomy_version2"),
    ],
)
def test_lists_of_categories_are_known_by_their_other_names(name, own):
    answer = read("categorize_content", {name: [PAIR]})
    assert [(c.path, c.confidence) for c in getattr(answer, own)] == [("Pets > Dogs", 0.9)]
    frame = tk.frames.categories(answer)
    assert frame["taxonomy"].tolist() == ["content-v2" if own.endswith("2") else "content-v3"]


def test_the_interfaces_own_name_is_preferred():
    answer = ContentCategorization.decode({"std_taxonomy": [PAIR], "iab_taxonomy": [["Cats", 0.1]]})
    assert [c.path for c in answer.v3] == ["Pets > Dogs"]


BODIES = {
    "segment": {"demographics": {"urbanicity": "urban"}, "interests": {"tier2": ["INT.PETS.DOGS"]}},
    "categorize": {"domain": "a.example", "categories": [{"id": "150", "name": "Attractions", "confidence": 0.5}]},
    "categorize_content": {"std_taxonomy": [PAIR]},
    "enrich": {"domain": "a.example", "company": {"name": "A"}, "technologies": [{"name": "nginx"}]},
}
WRAPPED = [
    lambda body: {"status": 200, "data": body},
    lambda body: {"success": True, "data": body, "error": None},
    lambda body: {"result": body},
    lambda body: {"response": {"data": body}, "status": "ok"},
    lambda body: {"status": "success", "results": [body]},
]
FRAMES = {
    "segment": ("codes",),
    "categorize": ("categories",),
    "categorize_content": ("categories",),
    "enrich": ("companies", "technologies"),
}


@every("name", BODIES)
@every("wrap", WRAPPED)
def test_an_answer_within_an_object_is_read_and_its_raw_is_the_whole(name, wrap):
    bare, answer = read(name, BODIES[name]), read(name, wrap(BODIES[name]))
    fields = type(bare).model_fields
    assert {field: getattr(answer, field) for field in fields} == {field: getattr(bare, field) for field in fields}
    assert answer.raw == wrap(BODIES[name])
    for frame in FRAMES[name]:
        rows = [getattr(tk.frames, frame)(found).drop(columns="fetched_at") for found in (answer, bare)]
        assert_frame_equal(*rows)


@every("name", BODIES)
def test_an_answer_within_an_object_is_the_same_from_a_store(stub, tmp_path, name):
    stub.reply(200, {"data": BODIES[name] | {"credits_used": 2}})
    found = []
    for _ in range(2):
        with stub.client(store=tmp_path / "a.sqlite") as client:
            found.append(getattr(client, name)("a.example"))
    assert found[0].provenance.credits_used == 2
    assert found[1].provenance.from_cache
    assert found[0].model_dump() == found[1].model_dump()


@every("name", BODIES)
@every(
    "body",
    [
        lambda body: {"data": {}},
        lambda body: {"data": body, "result": body},
        lambda body: {"data": [body, body]},
        lambda body: {"data": {"a": {"b": {"c": {"data": body}}}}},
        lambda body: {"status": 403, "data": body},
        lambda body: {"data": body | {"status": 403}},
        lambda body: {"results": [body | {"success": False, "message": "Invalid API key"}]},
        lambda body: {"data": body | {"domain": "other.example"}},
    ],
)
def test_what_is_within_an_object_is_refused_as_at_the_top(name, body):
    with pytest.raises(tk.ToolkitError):
        read(name, body(BODIES[name]))


def test_what_stands_at_the_top_is_the_answer_whatever_is_within():
    body = {"categories": [{"id": "1", "name": "A"}], "data": {"categories": [{"id": "2", "name": "B"}]}}
    assert [category.id for category in Categorization.decode(body).categories] == ["1"]


def test_the_paths_of_another_family_of_names_are_asked_by_configuration(stub, monkeypatch):
    stub.reply(200, {"iab_classification": [PAIR]})
    with stub.client(content_api="iab") as client:
        client.categorize_content("a.example")
        client.categorize_content(text="some words")
    monkeypatch.setenv("TOOLKIT_CONTENT_API", "IAB ")
    with stub.client() as client:
        client.categorize_content("a.example")
    assert [request.url.path for request in stub.requests] == [
        "/api/iab/iab_web_content_filtering.php",
        "/api/iab/iab_content_filtering.php",
        "/api/iab/iab_web_content_filtering.php",
    ]


@pytest.mark.parametrize("name", ["../x", "st", "iab/", 7])
def test_another_name_of_the_paths_is_refused_and_says_which_there_are(stub, name):
    with pytest.raises(ConfigurationError, match="must be 'std' or 'iab'"):
        stub.client(content_api=name)


# Confidences ---------------------------------------------------------------------------------------------------------


@every(
    ("stated", "read_as"),
    [
        ([0.9, 0.5], [0.9, 0.5]),
        ([87, 12.5, 0], [0.87, 0.125, 0]),
        ([100], [1]),
        (["87%", "0.5"], [0.87, 0.5]),
        (["87", "12"], [0.87, 0.12]),
        ([87, 0.5], [None, None]),
        ([0.9, 1.0000001], [0.9, None]),
        ([0.9, -0.1], [0.9, None]),
        ([1.5], [None]),
        ([101, 3], [None, None]),
        ([1e30, 0.5], [None, 0.5]),
        ([float("nan"), float("inf"), 0.5], [None, None, 0.5]),
        ([int("1" * 401), 0.5], [None, 0.5]),
    ],
)
def test_a_confidence_is_a_number_from_0_to_1_or_missing(stated, read_as):
    listed = [{"id": "150", "name": "Attractions", "confidence": one} for one in stated]
    ranked = [["Attractions", one] for one in stated]
    scores = {f"p{place}": one for place, one in enumerate(stated)}
    answer = ContentCategorization.decode(
        {"std_taxonomy": ranked, "std_taxonomy_version2": ranked, "buyer_personas_confidence_selection": scores}
    )
    found = [
        [c.confidence for c in Categorization.decode({"categories": listed}).categories],
        [c.confidence for c in Enrichment.decode({"categories": listed}).categories],
        [c.confidence for c in answer.std_taxonomy],
        [c.confidence for c in answer.std_taxonomy_version2],
        list(answer.buyer_personas_confidence_selection.values()),
    ]
    assert found == [read_as] * 5


def test_a_confidence_in_words_is_told_and_no_number_is_made_of_it():
    answer = Categorization.decode({"categories": [{"id": "150", "name": "Attractions", "confidence": " High"}]})
    assert (answer.categories[0].confidence, answer.categories[0].confidence_band) == (None, "high")
    with pytest.warns(VocabularyWarning, match="confidence has words in the place of numbers: high"):
        assert tk.frames.categories(answer)["confidence"].isna().all()


def test_a_ranked_confidence_in_words_is_refused():
    with pytest.raises(ResponseError, match="'high' is not a confidence"):
        read("categorize_content", {"std_taxonomy": [["Pets", "high"]]})


# Forms ---------------------------------------------------------------------------------------------------------------


@every(
    "categories",
    [
        [{"category_id": "150", "category": "Attractions", "value": 0.5}],
        [{"id": 150, "label": "Attractions", "score": "0.5"}],
        {"0": {"id": "150", "name": "Attractions", "confidence": "50%"}},
        {"id": "150", "name": "Attractions", "confidence": 0.5},
    ],
)
def test_categories_of_family_a_are_read_in_other_forms(categories):
    [found] = read("categorize", {"domain": "a.example", "categories": categories}).categories
    assert (found.id, found.name, found.confidence) == ("150", "Attractions", 0.5)


@every(
    "ranked",
    [
        [{"category": "Pets > Dogs", "value": 0.9}],
        {"0": PAIR},
        {"category": "Pets > Dogs", "value": "90%"},
        json.dumps([PAIR]),
        json.dumps({"Pets > Dogs": 0.9}),
    ],
)
def test_ranked_categories_are_read_in_other_forms(ranked):
    [found] = ContentCategorization.decode({"std_taxonomy": ranked}).std_taxonomy
    assert (found.path, found.confidence) == ("Pets > Dogs", 0.9)


TOGETHER = ["{}, Confidence: {}", "{} ({})", "{}: {}", "{} | {}", "{}, {}", "{} - {}", "{} (confidence: {})", "{}\t{}"]


@every("form", TOGETHER)
def test_a_path_and_its_confidence_in_one_text_are_told_apart(form):
    names = ["Pets > Dogs", "Children's Games and Toys", "Law, Government & Politics", "Television > TV (general)"]
    texts = [
        form.format(prefix + name, said) for name in names for prefix, said in (("", "0.6"), ("Category name: ", "60%"))
    ]
    answer = ContentCategorization.decode({"std_taxonomy": texts, "std_taxonomy_version2": [[texts[0]]]})
    assert [(c.path, c.confidence) for c in answer.v3] == [(name, 0.6) for name in names for _ in range(2)]
    assert [(c.path, c.confidence) for c in answer.std_taxonomy_version2] == [("Pets > Dogs", 0.6)]
    frame = tk.frames.categories(answer)
    assert frame["confidence"].eq(0.6).all()


def test_a_name_alone_stays_whole():
    names = ["Law, Government & Politics", "TV (general)", "Windows (95)", "Web 2.0", "K-6 Educators", "Formula 1"]
    names += [category.path for version in ("content-v3", "content-v2") for category in Taxonomy.load(version)]
    answer = ContentCategorization.decode({"std_taxonomy": names})
    assert [(c.path, c.confidence) for c in answer.v3] == [(name, None) for name in names]


def test_a_confidence_may_stand_before_its_path():
    assert decode_ranked(["Confidence: 0.6, Category name: Pets > Dogs"]) == decode_ranked([["Pets > Dogs", 0.6]])


def test_a_word_in_the_place_of_a_confidence_is_refused_in_one_text_too():
    with pytest.raises(ResponseError, match="'high' is not a confidence"):
        ContentCategorization.decode({"std_taxonomy": ["Category name: Pets, Confidence: high"]})


def test_a_persona_and_its_score_in_one_text_are_told_apart():
    told = ["Persona: Dog Owner, Confidence: 0.8", "Hiker (0.5)"]
    answer = ContentCategorization.decode({"std_taxonomy": [PAIR], "buyer_personas_confidence_selection": told})
    assert answer.buyer_personas_confidence_selection == {"Dog Owner": 0.8, "Hiker": 0.5}
    assert [p.persona for p in Segmentation.decode({"personas": told}).personas] == ["Dog Owner", "Hiker"]


@every(
    "scores",
    [
        {"Hiker": 0.8},
        [["Hiker", 0.8]],
        [[0.8, "Hiker"]],
        [["Persona: Hiker", "Confidence: 0.8"]],
        [{"persona": "Hiker", "confidence": 0.8}],
        [{"name": "Hiker", "score": "80%"}],
        [{"Hiker": 0.8}],
        {"0": ["Hiker", 0.8]},
        {"persona": "Hiker", "value": 0.8},
        '{"Hiker": 0.8}',
        '[["Hiker", 0.8]]',
    ],
)
def test_scores_of_personas_are_read_in_other_forms(scores):
    answer = ContentCategorization.decode({"buyer_personas_confidence_selection": scores})
    assert answer.buyer_personas_confidence_selection == {"Hiker": 0.8}
    assert "Hiker 80 %" in answer._repr_html_()


def test_personas_without_scores_have_none():
    answer = ContentCategorization.decode({"buyer_personas_confidence_selection": ["Hiker"]})
    assert answer.buyer_personas_confidence_selection == {"Hiker": None}
    assert "Hiker" in answer._repr_html_()


@every("scores", ["Hiker", "{Hiker", 7, [7], [["Hiker", 0.1, 0.2]], [[]], [{}], {"Hiker": "much"}, [["", 0.5]]])
def test_scores_that_cannot_be_read_are_refused(scores):
    with pytest.raises(ResponseError) as caught:
        ContentCategorization.decode({"buyer_personas_confidence_selection": scores})
    assert caught.value.path.startswith("$.buyer_personas_confidence_selection")


@every(
    "personas",
    [
        [{"persona": "Hiker"}],
        ["Hiker"],
        "Hiker",
        [["Hiker", 0.8]],
        [["Persona: Hiker", "Confidence: 0.8"]],
        {"Hiker": 0.8},
        {"0": "Hiker"},
        '["Hiker"]',
        '{"Hiker": 0.8}',
        [{"name": "Hiker", "score": 0.8}],
    ],
)
def test_personas_are_read_in_other_forms(personas):
    assert [p.persona for p in Segmentation.decode({"personas": personas}).personas] == ["Hiker"]


def test_a_persona_of_a_pair_has_the_path_it_is_mapped_from():
    [persona] = Segmentation.decode({"personas": [["Hiker", "Sports > Hiking"]]}).personas
    assert (persona.persona, persona.mapped_from) == ("Hiker", "Sports > Hiking")


@every("personas", ["{Hiker", 7, [7], [[]], [[0.8]], [{"score": 1}]])
def test_personas_that_cannot_be_read_are_refused(personas):
    with pytest.raises(ResponseError):
        Segmentation.decode({"personas": personas})


@every(
    "labels",
    [
        {"INT.PETS": "Pets"},
        [["INT.PETS", "Pets"]],
        [{"code": "INT.PETS", "label": "Pets"}],
        [{"id": "INT.PETS", "name": "Pets"}],
        {"INT.PETS": {"label": "Pets"}},
        {"interests": {"INT.PETS": "Pets"}, "purchase_intent": {}},
        {"interests": [["INT.PETS", "Pets"]]},
        {"interests": {"tier1": [{"code": "INT.PETS", "label": "Pets"}]}},
        [{"INT.PETS": "Pets"}],
        '{"INT.PETS": "Pets"}',
    ],
)
def test_labels_are_read_in_other_forms(labels):
    answer = Segmentation.decode({"interests": {"tier1": ["INT.PETS"]}, "labels": labels})
    assert answer.label("INT.PETS") == "Pets"
    assert tk.frames.codes(answer)["label"].tolist() == ["Pets"]


def test_several_codes_in_a_text_are_several():
    answer = Segmentation.decode({"interests": {"tier2": "INT.PETS.DOGS, INT.PETS.CATS|INT.A.B"}})
    assert answer.interests.tier2 == ["INT.PETS.DOGS", "INT.PETS.CATS", "INT.A.B"]


CODED = [("demographics", "age_bracket"), ("demographics", "life_stage"), ("b2b", "seniority"), ("b2b", "job_function")]
CODED += [("interests", "tier1"), ("interests", "tier2"), ("purchase_intent", "codes")]


@every("form", ["{}, {}", "{},{}", "{}; {}", "{}|{}", "{}\n{}", '["{}", "{}"]'])
@every(("block", "name"), CODED)
def test_several_values_in_a_text_are_several(block, name, form):
    answer = Segmentation.decode({block: {name: form.format("a_1", "b_2")}})
    assert getattr(getattr(answer, block), name) == ["a_1", "b_2"]
    assert {"a_1", "b_2"} <= set(tk.frames.codes(answer)["code"])


def test_industries_may_have_commas_in_their_names():
    def industries(told):
        return Segmentation.decode({"b2b": {"industry": told}}).b2b.industry

    assert industries("Law, Government & Politics") == ["Law, Government & Politics"]
    assert industries("Law, Government & Politics | Retail") == ["Law, Government & Politics", "Retail"]
    assert industries("Media, Sport; Retail") == ["Media, Sport", "Retail"]


def test_several_values_within_a_list_are_left_as_they_are():
    assert Segmentation.decode({"demographics": {"age_bracket": ["18_24, x"]}}).demographics.age_bracket == ["18_24, x"]


@every("told", ["React, C++ Builder, nginx", "React|C++ Builder|nginx", '["React", "C++ Builder", "nginx"]'])
def test_several_technologies_in_a_text_are_several(told):
    answer = Enrichment.decode({"technologies": told})
    assert [technology.name for technology in answer.technologies] == ["React", "C++ Builder", "nginx"]
    assert tk.frames.technologies(answer)["technology"].tolist() == ["React", "C++ Builder", "nginx"]


@every(
    ("value", "year"),
    [
        ("2004-05-01", 2004), ("01/05/2004", 2004), ("May 2004", 2004), ("c. 1998", 1998), (1998, 1998),
        ("1998.0", 1998),
        ("1998-2004", None), (20040501, None), (10**400, None), ("long ago", None), (-5, None),
    ],
)  # fmt: skip
def test_the_year_of_a_date_is_read(value, year):
    assert Enrichment.decode({"company": {"founded_year": value}}).company.founded_year == year


@every(
    ("value", "rank"),
    [("#1,234", 1234), ("# 12", 12), ("1.2M", 1_200_000), ("12K", 12_000), ("~1,234", 1234), ("top", None), ("", None)],
)
def test_a_rank_is_read_in_other_forms(value, rank):
    assert Enrichment.decode({"traffic": {"traffic_rank": value}}).traffic.traffic_rank == rank


# Bodies --------------------------------------------------------------------------------------------------------------

NOTICE = b"<br />\n<b>Warning</b>:  Undefined variable $x in <b>/var/www/a.php</b> on line <b>3</b><br />\n"


@every(
    "body",
    [
        NOTICE + json.dumps(ENRICHED).encode(),
        b"PHP Notice:  Undefined index: {x} in a.php on line 3\n" + json.dumps(ENRICHED).encode(),
        json.dumps(ENRICHED).encode() + b"\n" + NOTICE,
        NOTICE * 3 + json.dumps(ENRICHED).encode() + NOTICE,
        b"\xef\xbb\xbf" + json.dumps(ENRICHED).encode(),
        b" \n" + json.dumps(ENRICHED).encode() + b"\r\n",
        json.dumps(ENRICHED).encode("utf-16"),
        json.dumps(ENRICHED, indent=1).encode("utf-16-le"),
        f" {json.dumps(ENRICHED)}\n".encode("utf-16-be"),
        json.dumps(ENRICHED).encode("utf-32"),
    ],
)
def test_json_in_every_encoding_and_beside_notices_is_read(body):
    assert read("enrich", body).company.name == "A"


@every(
    "body",
    [
        b"<html><script>var x = " + json.dumps(ENRICHED).encode() + b"</script></html>",
        b"<b>Fatal error</b>: out of memory " + json.dumps(ENRICHED).encode(),
        NOTICE + json.dumps(ENRICHED).encode()[:-3],
        NOTICE,
        b"Warning: " + b"{" * 100_000,
        b'{"domain": "a.example", "traffic": {"traffic_rank": ' + b"1" * 5_000 + b"}}",
        json.dumps(ENRICHED).encode() + json.dumps(ENRICHED).encode(),
    ],
)
def test_what_is_no_json_is_refused(body):
    with pytest.raises(ResponseError):
        read("enrich", body)


def test_an_answer_beside_a_notice_is_one_in_every_frame_and_from_the_store(stub, tmp_path):
    stub.reply(200, NOTICE + json.dumps(ENRICHED).encode(), {"content-type": "text/html"})
    with stub.client(store=tmp_path / "answers.db") as client:
        for _ in range(2):
            assert client.enrich("a.example").company.name == "A"
        run = client.ask(["a.example"], "enrich")
        assert run.companies()["name"].tolist() == ["A"]
        assert tk.load_run(run.save(tmp_path / "run.gz")).companies()["name"].tolist() == ["A"]


@every(
    "categories",
    [
        "<categories><category><id>150</id><name>Attractions</name><confidence>0.5</confidence></category></categories>",
        "<categories><category id='150' confidence='0.5'>Attractions</category></categories>",
        "<categories><category id='150' name='Attractions' confidence='50%'/></categories>",
        "<categories count='1'><item id='150' name='Attractions' confidence='0.5'/></categories>",
        "<categories type='array'><item><id>150</id><name>Attractions</name><score>0.5</score></item></categories>",
        "<x:categories xmlns:x='urn:x'><x:category id='150' confidence='0.5'>Attractions</x:category></x:categories>",
    ],
)
@every("times", [1, 2])
def test_xml_of_every_make_is_read(categories, times):
    one = categories[categories.index(">") + 1 : categories.rindex("</")]
    several = categories.replace(one, one * times)
    body = f"<?xml version='1.0'?><response><domain>a.example</domain>{several}</response>"
    answer = read("enrich", body.encode(), "application/xml", format="xml")
    assert [(c.id, c.name, c.confidence) for c in answer.categories] == [("150", "Attractions", 0.5)] * times


@every(
    "body",
    [
        "<error><code>401</code><message>Invalid API key</message></error>",
        "<error code='401'>Invalid API key</error>",
        "<error>Invalid API key</error>",
        "<response status='401'><message>no</message></response>",
        "<response><status>401 Unauthorized</status><company/></response>",
        "<enrichment><domain>a.example</domain><company/><errors><error>Invalid API key</error></errors></enrichment>",
    ],
)
def test_an_error_in_xml_is_one(body):
    with pytest.raises(tk.errors.InvalidKeyError):
        read("enrich", body.encode(), "text/xml", format="xml")


# One odd answer ------------------------------------------------------------------------------------------------------

HUGE = "1" * 401
ODD = [
    {"categories": [{"id": "150", "name": "Attractions", "confidence": int(HUGE), "tier": int(HUGE)}]},
    {"std_taxonomy": [["Attractions", int(HUGE)]], "buyer_personas_confidence_selection": {"A": int(HUGE)}},
    {"company": {"name": int(HUGE), "founded_year": int(HUGE)}, "traffic": {"traffic_rank": int(HUGE)}},
    {"audience_type": int(HUGE), "interests": {"tier1": [int(HUGE)]}, "personas": [int(HUGE)]},
    {"demographics": {"urbanicity": ["x"]}, "company": 7, "categories": [7], "std_taxonomy": [7]},
    {
        "b2b": {"industry": ["\ud800"]},
        "company": {"name": "\ud800"},
        "categories": [{"id": "\ud800", "name": "\ud800"}],
    },
]
MARKS = {
    "status": 200,
    "credits_used": int(HUGE),
    "remaining_credits": -int(HUGE),
    "request_id": "\ud800" + "x" * 10_000,
    "vocab_version": int(HUGE),
    "meta": {"processing_time_ms": int(HUGE), "credits_used": 10**18},
}
GOOD = {
    **ENRICHED, "categories": [{"id": "150", "name": "Attractions"}], "std_taxonomy": [PAIR],
    "interests": {"tier2": ["INT.PETS.DOGS"]}, "status": 200,
}  # fmt: skip
del GOOD["domain"]
ALL = ("segment", "categorize", "categorize_content", "enrich")


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
@pytest.mark.filterwarnings("ignore::toolkit.frames.columns.VocabularyWarning")
def test_one_odd_answer_harms_itself_alone(stub, tmp_path, odd):
    def answer(request):
        if request.url.path.endswith("filters.php"):
            return httpx.Response(200, json={"interests": ["INT.PETS.DOGS"]})
        is_odd = "odd.example" in str(request.url) + request.content.decode()
        return httpx.Response(200, content=json.dumps({**odd, **MARKS} if is_odd else GOOD).encode())

    sites = ["a.example", "odd.example", "b.example"]
    good = {"a.example", "b.example"}
    with stub.client(transport=httpx.MockTransport(answer), store=tmp_path / "answers.db") as client:
        for _ in range(2):
            with client.ask(sites, ALL) as run:
                frames = {name: run.frame(name) for name in ("audiences", "codes", "categories", "companies")}
                for frame in frames.values():
                    assert good <= set(frame["target"][frame["error"].isna()])
                    assert {
                        name: str(dtype) for name, dtype in frame.dtypes.items() if name == "confidence"
                    }.items() <= {"confidence": "float64" if "tier" in frame else "category"}.items()
                assert frames["categories"]["confidence"].dropna().between(0, 1).all()
                outcomes = run.outcomes()
                assert sum(outcome.answer is not None for outcome in outcomes if outcome.target in good) == 8
                assert all(repr(o.answer) and o.answer._repr_html_().encode() for o in outcomes if o.answer)
                again = tk.load_run(run.save(tmp_path / "run.gz"))
                assert good <= set(
                    again.companies()["name"].index[again.companies()["error"].isna()].map(sites.__getitem__)
                )
                assert run.progress.credits_used < 10**15
        client.store.check()
        assert len(list(client.store.answers())) >= 8
