"""Frames: one schema whatever comes in, failures in band, and files that a spreadsheet does not run."""

import copy
import csv
import io
import time

import pandas as pd
import pytest
from asking import outcomes_of
from pandas.testing import assert_frame_equal

from toolkit import frames
from toolkit.frames import DIMENSIONS, SCHEMAS, VocabularyWarning
from toolkit.frames.files import definition_lines, safe_cell, write_csv
from toolkit.interface.errors import FetchFailedError, InputError, ServiceError, ToolkitError
from toolkit.interface.models import (
    BatchResults,
    Categorization,
    ContentCategorization,
    Enrichment,
    Outcome,
    Provenance,
    Segmentation,
)
from toolkit.interface.taxonomy import Taxonomy

TARGETS = [
    "torque-journal.example",
    "https://trailhead-outfitters.example/boots",
    "torque-journal.example",
    "ledgerline.example",
]
FAILING = ["nowhere.example", "two words", "gone-fishing.example"]
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
FRAMES = {
    "audiences": ("segment",),
    "codes": ("segment",),
    "categories": ("categorize", "categorize_content"),
    "companies": ("enrich",),
    "technologies": ("enrich",),
}


@pytest.fixture(scope="session")
def inputs(client):
    """For each frame the inputs of every size, failures as outcomes among them."""
    found = {}
    for name, questions in FRAMES.items():
        good, bad = outcomes_of(client, TARGETS, questions), outcomes_of(client, FAILING, questions)
        found[name] = {"0": [], "1": good[:1], "n": [*good[:2], *bad, *good[2:]], "all failed": bad}
    return found


@pytest.fixture(scope="session")
def build(vocabulary):
    def build(name, results):
        return frames.audiences(results, vocabulary) if name == "audiences" else getattr(frames, name)(results)

    return build


def csv_of(frame):
    text = io.StringIO()
    write_csv(frame, text)
    return text.getvalue()


def rows_of(frame):
    return list(csv.reader(io.StringIO(csv_of(frame), newline="")))


def cells_of(frame):
    return [cell for row in rows_of(frame) for cell in row]


def segmentation(**blocks):
    return Segmentation.decode({"status": 200, **blocks}, Provenance(endpoint="segment", target="a.example"))


sizes = pytest.mark.parametrize("size", ["0", "1", "n", "all failed"])
every_frame = pytest.mark.parametrize("name", FRAMES)


# Schemas -----------------------------------------------------------------------------------------------------------


@every_frame
@sizes
def test_columns_and_dtypes_are_the_declared_ones_whatever_comes_in(inputs, build, vocabulary, name, size):
    frame = build(name, inputs[name][size])
    wanted = {
        column: vocabulary.dtype(column) if dtype == "band" else pd.Series([], dtype=dtype).dtype
        for column, dtype in SCHEMAS[name].items()
    }
    assert list(frame.columns) == list(wanted)
    assert dict(frame.dtypes) == wanted


@every_frame
@sizes
def test_rows_are_numbered_from_0(inputs, build, name, size):
    frame = build(name, inputs[name][size])
    assert list(frame.index) == list(range(len(frame)))


@every_frame
@sizes
def test_no_cell_holds_a_list_or_a_mapping(inputs, build, name, size):
    frame = build(name, inputs[name][size])
    kinds = {type(cell) for column in frame for cell in frame[column]}
    assert not kinds & {list, dict, tuple, set}


@every_frame
@pytest.mark.parametrize("size", ["1", "n", "all failed"])
def test_a_parquet_file_reads_back_equal(inputs, build, name, size, tmp_path):
    frame = build(name, inputs[name][size])
    frame.to_parquet(tmp_path / "frame.parquet")
    assert_frame_equal(pd.read_parquet(tmp_path / "frame.parquet"), frame)


@every_frame
def test_a_parquet_file_without_rows_reads_back_with_its_columns(inputs, build, name, tmp_path):
    # pyarrow does not keep the categories of a column without rows.
    frame = build(name, [])
    frame.to_parquet(tmp_path / "frame.parquet")
    assert_frame_equal(pd.read_parquet(tmp_path / "frame.parquet").astype(frame.dtypes), frame)


@every_frame
def test_the_inputs_are_left_as_they_were(inputs, build, name):
    results = list(inputs[name]["n"])
    before = [copy.deepcopy(outcome.answer.raw) if outcome.answer else str(outcome.error) for outcome in results]
    dumped = [outcome.answer.model_dump() if outcome.answer else None for outcome in results]
    build(name, results)
    assert results == inputs[name]["n"]
    assert [outcome.answer.raw if outcome.answer else str(outcome.error) for outcome in results] == before
    assert [outcome.answer.model_dump() if outcome.answer else None for outcome in results] == dumped


@every_frame
def test_the_same_inputs_give_equal_frames(inputs, build, name):
    assert_frame_equal(build(name, inputs[name]["n"]), build(name, iter(inputs[name]["n"])))


@every_frame
def test_one_answer_is_as_a_list_of_one(inputs, build, name):
    outcome = inputs[name]["1"][0]
    assert_frame_equal(build(name, outcome), build(name, [outcome]))
    assert_frame_equal(build(name, outcome.answer), build(name, [outcome]))


@every_frame
def test_answers_of_other_endpoints_are_left_out(inputs, build, name):
    others = [outcome for other in FRAMES if not {*FRAMES[other]} & {*FRAMES[name]} for outcome in inputs[other]["n"]]
    if name == "categories":
        others = [outcome for outcome in others if outcome.endpoint == "segment"]
    assert others
    assert len(build(name, others)) == 0


# Rows --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["audiences", "companies"])
def test_there_is_one_row_an_input_in_order_with_duplicates(inputs, build, name):
    frame = build(name, inputs[name]["n"])
    assert frame["target"].tolist() == [*TARGETS[:2], *FAILING, *TARGETS[2:]]
    assert frame["row"].tolist() == list(range(7))


@pytest.mark.parametrize("name", ["codes", "technologies", "categories"])
def test_rows_of_a_finer_grain_stay_in_input_order(inputs, build, name):
    frame = build(name, inputs[name]["n"])
    assert frame["row"].is_monotonic_increasing
    assert dict(zip(frame["row"], frame["target"], strict=True)) == {
        position: outcome.target for position, outcome in enumerate(inputs[name]["n"]) if position in set(frame["row"])
    }


@every_frame
def test_a_failure_is_one_row_with_status_and_error(inputs, build, name):
    frame = build(name, inputs[name]["all failed"])
    assert len(frame) == len(inputs[name]["all failed"])
    assert frame["target"].tolist() == [outcome.target for outcome in inputs[name]["all failed"]]
    assert frame["error"].tolist() == [str(outcome.error) for outcome in inputs[name]["all failed"]]
    statuses = dict(zip(frame["target"], frame["status"], strict=True))
    assert (statuses["nowhere.example"], statuses["gone-fishing.example"]) == (411, 411)
    assert statuses["two words"] is pd.NA


@every_frame
def test_a_failure_has_nothing_but_what_was_asked_and_what_went_wrong(inputs, build, name):
    frame = build(name, inputs[name]["all failed"])
    filled = {column for column in frame if frame[column].notna().any()}
    assert filled == {"row", "target", "normal", "status", "error", "endpoint", "from_cache", "fetched_at"}


@every_frame
def test_an_answer_has_status_200_and_its_provenance(inputs, build, name):
    outcome = inputs[name]["1"][0]
    row, source = build(name, outcome).iloc[0], outcome.answer.provenance
    assert (row["status"], row["target"], row["normal"], row["endpoint"]) == (
        200,
        outcome.target,
        source.normal,
        outcome.endpoint,
    )
    assert (row["fetched_at"], row["from_cache"], row["credits_used"]) == (
        source.fetched_at,
        False,
        source.credits_used,
    )
    assert pd.isna(row["error"])


def test_an_error_that_stands_alone_is_a_row(vocabulary):
    error = FetchFailedError(411, endpoint="segment", target="a.example", detail="no page")
    frame = frames.audiences([error, ToolkitError("nothing was sent")], vocabulary)
    assert frame["target"].tolist() == ["a.example", ""]
    assert frame["status"].tolist() == [411, pd.NA]
    assert frame["error"].tolist() == [str(error), "nothing was sent"]


def test_a_time_of_another_zone_is_utc(vocabulary):
    answer = Segmentation.decode({}, Provenance(endpoint="segment", fetched_at="2026-01-01T01:00:00+02:00"))
    assert frames.audiences(answer, vocabulary).loc[0, "fetched_at"] == pd.Timestamp("2025-12-31T23:00:00Z")


# Audiences and codes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "column", ["income_level", "education_level", "gender_skew", "company_size_employees", "reading_level"]
)
def test_bands_compare_in_the_vocabulary_s_order(vocabulary, column):
    values = list(vocabulary.values[column])
    block = {"company_size_employees": "b2b", "reading_level": "content_context"}.get(column, "demographics")
    answers = [segmentation(**{block: {column: value}}) for value in reversed(values)]
    series = frames.audiences(answers, vocabulary)[column]
    assert (series >= values[1]).tolist() == [True] * (len(values) - 1) + [False]
    assert series.sort_values().tolist() == values


def test_block_confidences_compare(vocabulary):
    answers = [segmentation(interests={"confidence": value}) for value in ("high", "low", "medium")]
    assert (frames.audiences(answers, vocabulary)["interests_confidence"] >= "medium").tolist() == [True, False, True]


def test_the_counts_are_those_of_the_codes(inputs, vocabulary):
    audiences, codes = (make(inputs["codes"]["n"], vocabulary) for make in (frames.audiences, frames.codes))
    for column, dimension in (
        ("interests", "interest"),
        ("purchase_intents", "purchase_intent"),
        ("personas", "persona"),
    ):
        counted = codes[codes["dimension"] == dimension].groupby("row").size()
        answered = audiences[audiences["status"].eq(200).fillna(False)]
        assert answered[column].sum() > 0
        assert answered[column].tolist() == counted.reindex(answered["row"], fill_value=0).tolist()


UNKNOWN = {"demographics": {"income_level": "astronomical", "age_bracket": ["18_24"], "confidence": "high"}}


def test_an_unknown_band_warns_with_its_name_and_is_missing(vocabulary):
    with pytest.warns(VocabularyWarning) as caught:
        frame = frames.audiences([segmentation(**UNKNOWN), segmentation()], vocabulary)
    assert [str(warning.message) for warning in caught] == [
        (
            "income_level has values that the vocabulary does not have: astronomical. Their cells are missing; "
            "fetch the vocabulary again with client.filters(refresh=True)."
        )
    ]
    assert caught[0].filename == __file__
    assert frame["income_level"].isna().all()
    assert frame["income_level"].dtype == vocabulary.dtype("income_level")


def test_a_warning_of_unknown_values_shows_no_steering_characters(vocabulary):
    values = [f"odd\u202e\x1b[31m\n{number}" for number in range(30)] + ["x" * 1_000]
    answers = [segmentation(demographics={"income_level": value}) for value in values]
    with pytest.warns(VocabularyWarning) as caught:
        frames.audiences(answers, vocabulary)
    [said] = [str(warning.message) for warning in caught]
    assert not any(sign in said for sign in "\u202e\x1b\n")
    assert "and 11 more" in said
    assert len(said) < 2_000


def test_an_unknown_band_is_still_in_the_codes(vocabulary):
    frame = frames.codes(segmentation(**UNKNOWN), vocabulary)
    assert frame.set_index("dimension").loc["income_level", "code"] == "astronomical"


def test_an_unknown_confidence_warns_and_is_missing(vocabulary):
    with pytest.warns(VocabularyWarning, match="very_high"):
        frame = frames.audiences(segmentation(interests={"confidence": "very_high"}), vocabulary)
    assert frame["interests_confidence"].isna().all()


def test_an_unknown_confidence_does_not_cost_the_codes():
    with pytest.warns(VocabularyWarning, match="very_high"):
        frame = frames.codes(segmentation(interests={"tier2": ["INT.PETS.DOGS"], "confidence": "very_high"}))
    assert frame["code"].tolist() == ["INT.PETS.DOGS"]


def test_null_blocks_are_missing_values(vocabulary):
    nulls = dict.fromkeys(
        ("demographics", "b2b", "interests", "purchase_intent", "personas", "content_context", "labels")
    )
    row = frames.audiences(segmentation(**nulls), vocabulary).iloc[0]
    assert row["status"] == 200
    assert row[["interests", "purchase_intents", "personas"]].tolist() == [0, 0, 0]
    assert row[["income_level", "audience_type", "demographics_confidence"]].isna().all()
    assert len(frames.codes(segmentation(**nulls))) == 0


def test_a_legacy_answer_is_a_row_without_bands(client, vocabulary):
    answer = client.segment("torque-journal.example", format="legacy")
    frame = frames.audiences(answer, vocabulary)
    assert frame["status"].tolist() == [200]
    assert frame["audience_type"].isna().all()
    assert frame["interests"].isna().all()
    assert len(frames.codes(answer, vocabulary)) == 0


def test_codes_are_every_value_of_the_answer_once(inputs, vocabulary):
    answer = inputs["codes"]["1"][0].answer
    frame = frames.codes(answer, vocabulary)
    by_dimension = {name: part["code"].tolist() for name, part in frame.groupby("dimension", observed=True)}
    assert by_dimension.get("interest", []) == answer.interests.tier2
    assert by_dimension.get("interest_group", []) == answer.interests.tier1
    assert by_dimension.get("purchase_intent", []) == answer.purchase_intent.codes
    assert by_dimension.get("age_bracket", []) == answer.demographics.age_bracket
    assert by_dimension.get("persona", []) == [persona.persona for persona in answer.personas]
    assert by_dimension["audience_type"] == [answer.audience_type]
    assert set(by_dimension) <= set(DIMENSIONS)


def test_ranks_count_from_1_within_target_and_dimension(inputs):
    frame = frames.codes(inputs["codes"]["n"]).dropna(subset="dimension")
    for _, part in frame.groupby(["row", "dimension"], observed=True):
        assert part["rank"].tolist() == list(range(1, len(part) + 1))


def test_labels_are_the_answer_s_then_the_vocabulary_s(vocabulary):
    code, other = (member.code for member in vocabulary.members("interest")[:2])
    answer = segmentation(interests={"tier2": [code, other]}, labels={code: "Own words"})
    assert frames.codes(answer, vocabulary)["label"].tolist() == ["Own words", vocabulary.label(other)]
    without = frames.codes(answer)["label"]
    assert without[0] == "Own words"
    assert pd.isna(without[1])


def test_the_group_of_a_code_is_its_first_two_steps():
    answer = segmentation(
        purchase_intent={"codes": ["PI.FURNITURE.TABLES"]}, personas=[{"persona": "P", "mapped_from": "A > B"}]
    )
    assert frames.codes(answer)["group"].tolist() == ["PI.FURNITURE", "A > B"]


# Categories --------------------------------------------------------------------------------------------------------


def test_categories_of_every_taxonomy_have_their_ids_and_levels():
    pair = ["Category name: Pets > Dogs", "Confidence: 0.91"]
    answer = ContentCategorization.decode(
        {
            "std_taxonomy": [pair],
            "std_taxonomy_version2": [pair],
            "filtering_taxonomy": [["Category name: Pets", "Confidence: 0.5"]],
        }
    )
    frame = frames.categories(answer)
    columns = ["taxonomy", "id", "name", "tier", "level_1", "level_2", "confidence", "rank"]
    v3, v2 = (Taxonomy.load(name).by_path("Pets > Dogs").id for name in ("content-v3", "content-v2"))
    assert frame[columns].astype(object).where(frame[columns].notna(), None).to_numpy().tolist() == [
        ["content-v3", v3, "Dogs", 2, "Pets", "Dogs", 0.91, 1],
        ["content-v2", v2, "Dogs", 2, "Pets", "Dogs", 0.91, 1],
        ["filtering", None, "Pets", 1, "Pets", None, 0.5, 1],
    ]


@pytest.mark.parametrize("taxonomy", ["content-v3", "content-v2"])
def test_every_category_of_a_taxonomy_is_placed_by_its_path(taxonomy):
    field = {"content-v3": "std_taxonomy", "content-v2": "std_taxonomy_version2"}[taxonomy]
    known = list(Taxonomy.load(taxonomy))
    frame = frames.categories(
        ContentCategorization.decode({field: [[f"Category name: {c.path}", "Confidence: 1"] for c in known]})
    )
    assert frame["id"].tolist() == [category.id for category in known]
    assert frame["tier"].tolist() == [category.tier for category in known]
    levels = frame[["level_1", "level_2", "level_3", "level_4"]]
    assert [tuple(row.dropna()) for _, row in levels.iterrows()] == [category.levels for category in known]


@pytest.mark.parametrize("taxonomy", ["content-v3", "content-v2"])
def test_every_category_of_family_a_is_placed_by_its_id_and_name(taxonomy):
    known = list(Taxonomy.load(taxonomy))
    answer = Categorization.decode(
        {"categories": [{"id": c.id, "name": c.name, "tier": c.tier, "confidence": 1} for c in known]}
    )
    frame = frames.categories(answer)
    # A category that stands alike in both versions is the newer one's.
    placed = [
        (category.path, " > ".join(row.dropna()))
        for category, (_, row) in zip(
            known, frame[["level_1", "level_2", "level_3", "level_4"]].iterrows(), strict=True
        )
    ]
    same_name = [
        category.id in Taxonomy.load("content-v3") and Taxonomy.load("content-v3")[category.id].name == category.name
        for category in known
    ]
    assert [pair for pair, same in zip(placed, same_name, strict=True) if not same and pair[0] != pair[1]] == []


def test_an_id_that_is_in_no_taxonomy_keeps_its_name():
    answer = Categorization.decode({"categories": [{"id": "IAB1-1", "name": "Books", "tier": 2, "confidence": 0.5}]})
    row = frames.categories(answer).iloc[0]
    assert (row["id"], row["name"], row["level_1"], row["tier"]) == ("IAB1-1", "Books", "Books", 2)
    assert pd.isna(row["taxonomy"])


def test_a_path_that_is_in_no_taxonomy_has_no_id():
    row = frames.categories(
        ContentCategorization.decode({"std_taxonomy": [["Category name: Kites > Sled", "Confidence: 0.4"]]})
    ).iloc[0]
    assert (row["taxonomy"], row["level_1"], row["level_2"]) == ("content-v3", "Kites", "Sled")
    assert pd.isna(row["id"])


def test_a_car_magazine_is_automotive_in_both_families(inputs):
    for outcome in inputs["categories"]["n"][:2]:
        frame = frames.categories(outcome)
        assert frame[frame["taxonomy"] == "content-v3"]["level_1"].iloc[0] == "Automotive"


def test_categories_of_an_enrichment_get_their_tier_from_the_taxonomy(client):
    frame = frames.categories(client.enrich("torque-journal.example"))
    assert frame["tier"].tolist() == [Taxonomy.load()[identifier].tier for identifier in frame["id"]]
    assert len(frame) > 0


@pytest.fixture(scope="session")
def batch(client):
    submission = client.submit_batch(["torque-journal.example", "nowhere.example", "torque-journal.example"])
    deadline = time.monotonic() + 20
    while not (results := client.batch_results(submission)).is_finished:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return results


def test_a_batch_has_rows_for_each_domain_in_order(batch):
    frame = frames.categories(batch)
    assert list(dict.fromkeys(frame["target"])) == ["torque-journal.example", "nowhere.example"]
    failed = frame[frame["target"] == "nowhere.example"].iloc[0]
    assert failed["status"] == 411
    assert "nowhere.example" in failed["error"]
    assert pd.isna(failed["taxonomy"])
    assert dict(frame.dtypes) == dict(frames.categories([]).dtypes)


def batch_of(*items):
    return BatchResults.decode({"results": list(items)}, Provenance(endpoint="batch_results"))


def test_a_failed_domain_of_a_batch_without_a_status_is_not_a_success():
    row = frames.categories(batch_of({"domain": "a.example", "error": "no page"})).iloc[0]
    assert row["error"] == "no page"
    assert row["status"] is pd.NA


def test_a_failed_domain_of_a_batch_without_words_is_still_a_row():
    frame = frames.categories(batch_of({"domain": "a.example", "status": 410}))
    assert frame["status"].tolist() == [410]
    assert frame["error"].notna().all()


# Odd remote values -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "company", [{"name": "\ud800"}, {"founded_year": 10**30}, {"name": "\x00"}], ids=["surrogate", "huge", "NUL"]
)
def test_an_odd_value_of_one_answer_does_not_cost_the_others(company):
    answers = [
        Enrichment.decode({"domain": domain, "company": part})
        for domain, part in (("a.example", company), ("b.example", {}))
    ]
    assert frames.companies(answers)["domain"].tolist() == ["a.example", "b.example"]


def test_hostile_markup_stays_data(client):
    frame = frames.companies(client.enrich("mischief-markup.example"))
    assert frame.loc[0, "name"] == "Tall Tails</script><img src=x onerror=alert(1)>"
    assert frame.loc[0, "name"] in cells_of(frame)


# Validation --------------------------------------------------------------------------------------------------------


def problems_of(found, vocabulary):
    return vocabulary.validate(found)[["where", "field", "value"]].to_numpy().tolist()


def test_the_codes_of_the_service_are_known(inputs, vocabulary):
    found = vocabulary.validate(frames.codes(inputs["codes"]["n"]))
    assert len(found) == 0
    assert list(found.columns) == ["where", "field", "value", "nearest"]


def test_an_unknown_code_of_a_frame_is_named_with_its_target_and_field(vocabulary):
    code = vocabulary.members("interest")[0].code
    answer = segmentation(interests={"tier2": [code, f"{code}X"]}, demographics={"income_level": "astronomical"})
    assert problems_of(frames.codes(answer), vocabulary) == [
        ["a.example", "code", f"{code}X"],
        ["a.example", "income_level", "astronomical"],
    ]


def test_the_nearest_known_codes_are_best_first(vocabulary):
    code = vocabulary.members("interest")[0].code
    assert vocabulary.validate([f"{code}X"]).loc[0, "nearest"].split(", ")[0] == code


@pytest.mark.parametrize("kind", [list, tuple, iter, pd.Series, lambda codes: pd.Series(codes, dtype="category")])
def test_lists_and_series_are_checked_by_position(vocabulary, kind):
    code = vocabulary.members("interest")[0].code
    assert problems_of(kind([code, "INT.NO.SUCH", code]), vocabulary) == [["[1]", "code", "INT.NO.SUCH"]]


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
@pytest.mark.parametrize("kind", [list, pd.Series])
def test_a_missing_code_is_no_problem(vocabulary, kind, missing):
    assert problems_of(kind([missing, vocabulary.members("interest")[0].code]), vocabulary) == []


def test_a_single_text_is_one_code(vocabulary):
    assert problems_of("INT.NO.SUCH", vocabulary) == [["[0]", "code", "INT.NO.SUCH"]]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            pd.DataFrame({"target": ["a"], "code": ["b"]}),
            "The frame has no column 'dimension'; it has target, code. Pass a codes frame.",
        ),
        (
            pd.DataFrame({"x": [1]}),
            "The frame has no column 'dimension' and no column 'code'; it has x. Pass a codes frame.",
        ),
        (
            pd.DataFrame([[1, 2]]),
            "The frame has no column 'dimension' and no column 'code'; it has 0, 1. Pass a codes frame.",
        ),
    ],
    ids=["one missing", "both missing", "numbers for names"],
)
def test_a_frame_of_another_kind_is_refused(vocabulary, frame, message):
    with pytest.raises(InputError) as caught:
        vocabulary.validate(frame)
    assert str(caught.value) == message


def test_validation_leaves_the_frame_as_it_was(inputs, vocabulary):
    frame = frames.codes(inputs["codes"]["n"])
    before = frame.copy(deep=True)
    vocabulary.validate(frame)
    assert_frame_equal(frame, before)


def test_a_frame_without_targets_is_checked_by_its_index(vocabulary):
    frame = pd.DataFrame({"dimension": ["interest"], "code": ["INT.NO.SUCH"]}, index=[7])
    assert problems_of(frame, vocabulary) == [["[7]", "code", "INT.NO.SUCH"]]


# Files -------------------------------------------------------------------------------------------------------------


HOSTILE = [
    '=HYPERLINK("http://evil.example","x")',
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "|x",
    "%x",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_that_begins_like_a_formula_gets_a_quote(text):
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", ["boots", "a=b", "", -3, -0.5, None, True, "温泉", " spaced"])
def test_other_values_stay_as_they_are(value):
    assert safe_cell(value) is value or safe_cell(value) == value


@pytest.mark.parametrize("text", ["\x00=1+1", "\x00\x00@x", "=\x00cmd"])
def test_a_nul_does_not_hide_a_formula(text):
    assert not safe_cell(text).startswith(FORMULAS)
    assert "\x00" not in safe_cell(text)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_field_of_an_answer_becomes_a_formula_in_a_file(stub, text):
    record = {
        "domain": "kites.example",
        "company": {
            "name": text,
            "description": text,
            "headquarters": {"city": text},
            "industry": text,
            "employee_range": text,
        },
        "technologies": [{"name": text, "category": text}],
        "categories": [{"id": text, "name": text, "confidence": 0.5}],
        "social": {"linkedin_url": text},
        "meta": {"request_id": text},
    }
    answer = stub.reply(200, record).client().enrich("kites.example")
    for make in (frames.companies, frames.technologies, frames.categories):
        cells = cells_of(make(answer))
        assert [cell for cell in cells if cell.startswith(FORMULAS)] == []
        assert {f"'{text.strip()}", f"'{text}".replace("\r", "\n")} & set(cells)


def test_no_target_becomes_a_formula_in_a_file(client, vocabulary):
    outcomes = outcomes_of(client, ["=1+1", "@SUM(A1)", "-x", "+x.example"])
    cells = cells_of(frames.audiences(outcomes, vocabulary))
    assert [cell for cell in cells if cell.startswith(FORMULAS)] == []
    assert {"'=1+1", "'@SUM(A1)", "'-x"} <= set(cells)


def test_the_formulas_of_the_hostile_site_reach_the_frames_and_not_the_files(client, build):
    targets = ["mischief-markup.example", "https://mischief-markup.example/shop", "mischief-markup.example/knots"]
    tables = [build(name, outcomes_of(client, targets, questions)) for name, questions in FRAMES.items()]
    texts = [str(cell) for frame in tables for column in frame for cell in frame[column]]
    assert [text for text in texts if text.startswith(FORMULAS)]
    assert [cell for frame in tables for cell in cells_of(frame) if cell.startswith(FORMULAS)] == []


def test_a_handle_of_a_sample_site_gets_a_quote(client):
    frame = frames.companies(client.enrich("cloudmast.example"))
    handle = frame.loc[0, "twitter_handle"]
    assert handle.startswith("@")
    assert f"'{handle}" in cells_of(frame)


@pytest.mark.parametrize("text", ["boots\r=1+1", "boots\n=1+1", "boots\r\n=1+1", 'a"\r=1', "a,\r=1"])
def test_a_line_break_does_not_begin_a_row_with_a_formula(text):
    rows = rows_of(pd.DataFrame({"name": [text], "city": ["Leeds"]}))
    assert [len(row) for row in rows] == [2, 2]
    assert [cell for row in rows for cell in row if cell.startswith(FORMULAS)] == []


def test_a_column_name_does_not_become_a_formula():
    assert not csv_of(pd.DataFrame({"=1+1": ["x"]})).startswith(FORMULAS)


@every_frame
def test_a_file_has_the_columns_and_as_many_rows(inputs, build, name):
    frame = build(name, inputs[name]["n"])
    rows = rows_of(frame)
    assert rows[0] == list(frame.columns)
    assert len(rows) == len(frame) + 1


@every_frame
def test_writing_leaves_the_frame_as_it_was(inputs, build, name):
    frame = build(name, inputs[name]["n"])
    before = frame.copy(deep=True)
    csv_of(frame)
    assert_frame_equal(frame, before)


def test_lines_for_a_terminal_have_no_control_characters():
    lines = definition_lines(
        "Kites\x1b[31m", [("name", "a\x1b]0;x\x07"), ("many", ["b\n", "", "c\u202e"]), ("none", "")]
    )
    assert lines == ["Kites[31m", "  name              a]0;x", "  many              b ", "                    c"]


# Outcomes ----------------------------------------------------------------------------------------------------------


def test_the_status_of_an_outcome_is_200_the_service_s_or_none():
    answer, failure = segmentation(), FetchFailedError(411, endpoint="segment", target="a.example")
    assert [
        Outcome("a", "segment", answer=answer).status,
        Outcome("a", "segment", error=failure).status,
        Outcome("a", "segment", error=ServiceError(418)).status,
        Outcome("a", "segment", error=InputError("no")).status,
    ] == [200, 411, 418, None]


def test_answers_and_errors_are_wrapped_with_what_was_asked():
    answer, failure = segmentation(), FetchFailedError(411, endpoint="enrich", target="b.example")
    outcome = Outcome("c", "segment", error=failure)
    assert Outcome.of(answer) == Outcome("a.example", "segment", answer=answer)
    assert Outcome.of(failure) == Outcome("b.example", "enrich", error=failure)
    assert Outcome.of(ToolkitError("x")).endpoint == ""
    assert Outcome.of(outcome) is outcome
