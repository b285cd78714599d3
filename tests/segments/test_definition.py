"""Segments: which sites match and why, how many they are, and what two segments share."""

import json
import math
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from cases import every
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from segment_trees import leaves_of, tree_of

from toolkit.frames.schemas import CONFIDENCE, SCHEMAS
from toolkit.interface.errors import InputError, UnknownCodeError
from toolkit.interface.taxonomy import Taxonomy
from toolkit.interface.vocabulary import Vocabulary
from toolkit.saved import sample_run
from toolkit.segments.definition import Segment
from toolkit.segments.overlaps import segment_overlap
from toolkit.segments.tree import Condition, Join, Not, text_of

DIMENSION = SCHEMAS["codes"]["dimension"]


def codes_frame(*rows):
    """Build a codes frame from (site, dimension, code) or (site, dimension, code, confidence); a code of None fails."""
    full = [(*row, None)[:4] for row in rows]
    return pd.DataFrame(
        {
            "target": pd.Series([row[0] for row in full], dtype="str"),
            "dimension": pd.Series([row[1] for row in full], dtype=DIMENSION),
            "code": pd.Series([row[2] for row in full], dtype="str"),
            "confidence": pd.Series([row[3] for row in full], dtype=CONFIDENCE),
            "error": pd.Series([None if row[2] else "no answer" for row in full], dtype="str"),
        }
    )


def categories_frame(*rows):
    """Build a categories frame from (site, taxonomy, path, confidence); a taxonomy of None fails."""
    built = []
    for site, taxonomy, path, confidence in rows:
        levels = path.split(" > ") if path else [None]
        known = taxonomy in {"content-v3", "content-v2"} and path in {c.path for c in Taxonomy.load(taxonomy)}
        built.append(
            {
                "target": site,
                "taxonomy": taxonomy,
                "id": Taxonomy.load(taxonomy).by_path(path).id if known else None,
                "name": levels[-1],
                **{f"level_{at + 1}": levels[at] if at < len(levels) else None for at in range(4)},
                "confidence": confidence,
                "error": None if taxonomy else "no answer",
            }
        )
    types = {"confidence": "float64"}
    columns = ["target", "taxonomy", "id", "name", "level_1", "level_2", "level_3", "level_4", "confidence", "error"]
    frame = pd.DataFrame(built, columns=columns)
    return frame.astype({column: types.get(column, "str") for column in columns})


CODES = codes_frame(
    ("a.example", "interest_group", "INT.PETS", "high"),
    ("a.example", "interest", "INT.PETS.DOGS", "high"),
    ("a.example", "interest", "INT.PETS.CATS", "high"),
    ("a.example", "income_level", "upper_middle", "medium"),
    ("a.example", "age_bracket", "18_24", "low"),
    ("a.example", "age_bracket", "25_34", "low"),
    ("a.example", "persona", "Dog Lovers"),
    ("a.example", "price_signals", "none"),
    ("b.example", "interest_group", "INT.TRAVEL", "low"),
    ("b.example", "interest", "INT.TRAVEL.CAMPING", "low"),
    ("b.example", "purchase_intent", "PI.SOFTWARE.OFFICE", None),
    ("b.example", "income_level", "low", None),
    ("b.example", "persona", "Campers"),
    ("b.example", "persona", "Trail Campers"),
    ("c.example", "audience_type", "b2b"),
    ("d.example", None, None),
)
CATEGORIES = categories_frame(
    ("a.example", "content-v3", "Pets > Dogs", 0.9),
    ("a.example", "content-v3", "Pets", 0.95),
    ("a.example", "content-v2", "Sports", 0.5),
    ("a.example", "filtering", "Pets and Animals", 0.4),
    ("b.example", "content-v3", "Sports > Golf", 0.4),
    ("b.example", "content-v3", "Sports > Golf", 0.7),
    ("b.example", "content-v3", "Travel > Nowhere known", 0.8),
    ("c.example", None, None, None),
    ("d.example", "content-v3", "Sports", 0.6),
)


@pytest.fixture(scope="module")
def run():
    return sample_run()


@pytest.fixture(scope="module")
def codes(run):
    return run.codes()


@pytest.fixture(scope="module")
def categories(run):
    return run.categories()


def sites(text, vocabulary=None, categories=None):
    return [site[0] for site in Segment.parse(text, vocabulary).sites(CODES, categories)]


def why(text, site, vocabulary=None, categories=CATEGORIES):
    found = Segment.parse(text, vocabulary).match(CODES, categories).set_index("site")
    return found.loc[f"{site}.example", "why"]


# Which sites match --------------------------------------------------------------------------------------------------


@every(
    ("text", "matching"),
    [
        ("INT.PETS", "a"),
        ("INT.PETS.DOGS", "a"),
        ("INT.PETS.BIRDS", ""),
        ("INT.*", "ab"),
        ("PI.*", "b"),
        ("INT.*.CAMP*", "b"),
        ("not INT.PETS", "bc"),
        ("any(INT.PETS, INT.TRAVEL)", "ab"),
        ("none(INT.PETS, INT.TRAVEL)", "c"),
        ("all(INT.PETS.DOGS, INT.PETS.CATS)", "a"),
        ("at least 2 of (INT.PETS, income_level = upper_middle, PI.*)", "a"),
        ("exactly 1 of (INT.*, PI.*)", "a"),
        ("at most 1 of (INT.*, PI.*)", "ac"),
        ("INT.* with confidence >= medium", "a"),
        ("PI.* with confidence >= low", ""),
        ("income_level >= low", "ab"),
        ("income_level > low", "a"),
        ("income_level < upper_middle", "b"),
        ("income_level <= upper_middle", "ab"),
        ("income_level between very_high and middle", "a"),
        ("income_level between low and low", "b"),
        ("income_level != low", "a"),
        ("not income_level = low", "ac"),
        ("income_level not in (low, middle)", "a"),
        ("income_level in (LOW, Upper_Middle)", "ab"),
        ("income_level >= low with confidence >= medium", "a"),
        ("income_level != high with confidence >= high", ""),
        ("age_bracket = 25_34", "a"),
        ("age_bracket < 25_34", "a"),
        ("age_bracket != 18_24", ""),
        ("age_bracket not in (35_44, 45_54)", "a"),
        ('persona = "campers"', "b"),
        ('persona = "*campers"', "b"),
        ('persona in ("Dog Lovers", "Trail*")', "ab"),
        ('persona != "Dog Lovers"', "b"),
        ("price_signals = none", "a"),
        ("audience_type = b2b", "c"),
    ],
)
def test_codes_decide(text, matching, vocabulary):
    assert "".join(sites(text, vocabulary)) == matching


@every(
    ("text", "matching"),
    [
        ("content-v3 = Pets", "ad"[:1]),
        ('content-v3 = "Pets > Dogs"', "a"),
        ("content-v3 = Sports", "bd"),
        ('content-v3 = "Sports > Golf"', "b"),
        ("content-v3 = Sports with confidence >= 0.7", "b"),
        ("content-v3 = Sports with confidence >= 0.71", ""),
        ("content-v3 = Travel", "b"),
        ("content-v3 = *", "abd"),
        ("content-v3 != Pets", "bd"),
        ("content-v2 = Sports", "a"),
        ("content-v3 in (Pets, Golf)", "ab"),
        ("not content-v3 = Sports", "a"),
        ("filtering = pets*", "a"),
        ("filtering != travel", "a"),
        ("INT.* and content-v3 = *", "ab"),
        ("not INT.PETS and content-v3 = *", "b"),
        ("not content-v3 = Pets and not INT.PETS", "b"),
    ],
)
def test_categories_decide(text, matching):
    """Site c failed to be categorized, site d to be segmented: a failed call proves nothing."""
    assert "".join(sites(text, categories=CATEGORIES)) == matching


def test_site_without_any_category_counts_where_categories_are_asked_for():
    found = Segment.parse("not content-v3 = Sports and not INT.TRAVEL").match(
        codes_frame(("e.example", "audience_type", "b2c")), CATEGORIES
    )
    assert found[["site", "matches"]].to_numpy().tolist() == [["e.example", True]]


def test_categories_alone_are_enough_where_no_code_is_asked_for():
    found = Segment.parse("content-v3 = Sports").match(None, CATEGORIES)
    assert dict(zip(found["site"], found["matches"], strict=True)) == {
        "a.example": False,
        "b.example": True,
        "d.example": True,
    }


def test_normal_form_is_the_site_and_its_targets_count_once():
    frame = CODES.assign(normal="one.example")
    frame.loc[frame["target"] == "c.example", "normal"] = None
    found = Segment.parse("INT.PETS and INT.TRAVEL").match(frame)
    assert found[["site", "matches"]].to_numpy().tolist() == [["c.example", False], ["one.example", True]]


def test_scale_is_read_from_numbers_without_a_vocabulary():
    assert sites("age_bracket <= 18_24") == ["a"]


def test_scale_without_numbers_needs_a_vocabulary(vocabulary):
    segment = Segment.parse("income_level >= middle")
    with pytest.raises(InputError, match=r"The order of the values of income_level is not known"):
        segment.match(CODES)
    assert segment.sites(CODES, vocabulary=vocabulary) == ["a.example"]


def test_scale_is_the_vocabularys():
    turned = Vocabulary("1", {}, {"income_level": {"upper_middle": "", "middle": "", "low": ""}})
    assert sites("income_level >= middle", turned) == ["b"]


def test_value_that_the_vocabulary_of_the_match_does_not_have_is_refused(vocabulary):
    with pytest.raises(InputError, match=r"'midle' is no value of income_level .* Nearest: middle"):
        Segment.parse("income_level >= midle").match(CODES, vocabulary=vocabulary)


def test_permuted_rows_give_the_same_frame(codes, categories, vocabulary):
    segment = Segment.parse('INT.TRAVEL or content-v3 = "Sports" or age_bracket >= 45_54', vocabulary)
    mixed = codes.sample(frac=1, random_state=3), categories.sample(frac=1, random_state=4)
    pd.testing.assert_frame_equal(segment.match(codes, categories), segment.match(*mixed))


def test_frames_are_left_as_they_are(codes, categories):
    before = codes.copy(deep=True), categories.copy(deep=True)
    Segment.parse("INT.PETS or filtering = Travel").match(codes, categories)
    pd.testing.assert_frame_equal(codes, before[0])
    pd.testing.assert_frame_equal(categories, before[1])


@pytest.mark.parametrize("frame", [CODES[:0], CODES[CODES["error"].notna()], CODES[:1], CODES])
def test_columns_and_types_are_the_same_for_any_number_of_rows(frame):
    found = Segment.parse("INT.PETS and not income_level = low").match(frame)
    assert {column: str(dtype) for column, dtype in found.dtypes.items()} == {
        "site": "str",
        "matches": "bool",
        "may": "bool",
        "why": "str",
    }
    assert len(found) == frame.loc[frame["error"].isna(), "target"].nunique()


def test_plain_frame_of_texts_is_enough():
    frame = pd.DataFrame({"target": ["a.example"], "dimension": ["interest"], "code": ["INT.PETS.DOGS"]})
    assert Segment.parse("INT.PETS").sites(frame) == ["a.example"]
    assert Segment.parse("INT.PETS with confidence >= low").sites(frame) == []


def test_design_example_agrees_with_a_plain_count_on_the_sample(codes, vocabulary):
    segment = Segment.parse("INT.TRAVEL.* and income_level >= middle and not INT.BUSINESS_AND_FINANCE.*", vocabulary)
    of = {name: set(codes.loc[codes["group"] == name, "normal"]) for name in ("INT.TRAVEL", "INT.BUSINESS_AND_FINANCE")}
    rich = codes[(codes["dimension"] == "income_level") & codes["code"].isin(["middle", "upper_middle", "high"])]
    expected = of["INT.TRAVEL"] & set(rich["normal"]) - of["INT.BUSINESS_AND_FINANCE"]
    assert expected
    assert segment.sites(codes) == sorted(expected)


# The naive evaluator ------------------------------------------------------------------------------------------------

BANDS = ["low", "medium", "high"]


def naive_sites(codes, categories, by_code, by_category):
    answered = set(codes.loc[codes["error"].isna(), "target"])
    categorized = set(categories.loc[categories["error"].isna(), "target"])
    failed = set(categories.loc[categories["error"].notna(), "target"]) - categorized
    if not by_category:
        return sorted(answered)
    return sorted((answered if by_code else answered | categorized) - failed)


def confident(condition, confidence):
    if condition.confidence is None:
        return True
    if confidence in BANDS:
        return BANDS.index(confidence) >= BANDS.index(condition.confidence)
    return confidence is not None and confidence >= float(condition.confidence)


def named(condition, value):
    def is_named(wanted):
        if condition.subject == "code":
            base = wanted.removesuffix(".*")
            return value == base or value.startswith(f"{base}.")
        if condition.subject == "content-v3":
            return wanted in {"*", value} or value.startswith(f"{wanted} > ")
        if condition.subject == "persona" and wanted.startswith("*"):
            return value.lower().endswith(wanted[1:].lower())
        return wanted == "*" or value.lower() == wanted.lower()

    return any(map(is_named, condition.values))


def naive_condition(condition, rows, scales):
    """Judge one condition for one site, whose rows are (kind, code or path, confidence)."""
    kinds = ["interest", "interest_group", "purchase_intent"] if condition.subject == "code" else [condition.subject]
    values = [value for kind, value, confidence in rows if kind in kinds and confident(condition, confidence)]
    if condition.operator in {"has", "=", "in"}:
        return any(named(condition, value) for value in values)
    if condition.operator in {"!=", "not in"}:
        return bool(values) and not any(named(condition, value) for value in values)
    scale = scales[condition.subject]
    first, *rest = sorted(scale.index(value) for value in condition.values)
    judged = {
        "<": lambda place: place < first,
        "<=": lambda place: place <= first,
        ">": lambda place: place > first,
        ">=": lambda place: place >= first,
        "between": lambda place: first <= place <= rest[0],
    }
    return any(judged[condition.operator](scale.index(value)) for value in values)


def naive(node, rows, scales):
    if isinstance(node, Condition):
        return naive_condition(node, rows, scales)
    if isinstance(node, Not):
        return not naive(node.part, rows, scales)
    held = [naive(part, rows, scales) for part in node.parts]
    if isinstance(node, Join):
        return all(held) if node.word == "and" else any(held)
    return {
        "any": any(held),
        "all": all(held),
        "none": not any(held),
        "at least": sum(held) >= node.number,
        "at most": sum(held) <= node.number,
        "exactly": sum(held) == node.number,
    }[node.kind]


def subjects_of(node):
    if isinstance(node, Condition):
        return {node.subject}
    return set().union(*map(subjects_of, [node.part] if isinstance(node, Not) else node.parts))


SCALES = {
    "income_level": ["low", "middle", "high"],
    "age_bracket": ["18_24", "25_34", "35_44"],
    "life_stage": ["student", "retiree"],
    "price_signals": ["none", "free"],
}
KNOWN = Vocabulary("1", {}, {field: dict.fromkeys(values, "") for field, values in SCALES.items()})
OF_CODES = ["INT.PETS", "INT.PETS.DOGS", "INT.PETSHOP", "INT.TRAVEL", "INT.TRAVEL.CAMPING", "PI.PETS.DOGS"]
PATHS = ["Sports", "Sports > Golf", "Pets", "Pets > Dogs", "Sports > Unheard of"]
PERSONAS = ["Dog Lovers", "Trail Campers", "Campers"]
SITES = st.sampled_from(["a.example", "b.example", "c.example", "d.example"])
BAND = st.none() | st.sampled_from(BANDS)
ROWS = st.lists(
    st.one_of(
        st.tuples(SITES, st.just("interest"), st.sampled_from(OF_CODES), BAND),
        *(st.tuples(SITES, st.just(field), st.sampled_from(values), BAND) for field, values in SCALES.items()),
        st.tuples(SITES, st.just("persona"), st.sampled_from(PERSONAS), st.none()),
        st.tuples(SITES, st.none(), st.none(), st.none()),
    ),
    max_size=20,
)
CATEGORY_ROWS = st.lists(
    st.one_of(
        st.tuples(SITES, st.just("content-v3"), st.sampled_from(PATHS), st.none() | st.floats(0, 1)),
        st.tuples(SITES, st.just("filtering"), st.sampled_from(["Travel", "Pets"]), st.floats(0, 1)),
        st.tuples(SITES, st.none(), st.none(), st.none()),
    ),
    max_size=12,
)
LEAVES = leaves_of(
    ["INT.PETS.*", "INT.PETS.DOGS", "INT.*", "PI.*", "INT.TRAVEL.*"],
    SCALES,
    personas=st.sampled_from([*PERSONAS, "*Campers"]),
    paths=("Sports", "Sports > Golf", "Pets", "*"),
)


@settings(max_examples=250, suppress_health_check=[HealthCheck.too_slow])
@given(tree_of(LEAVES), ROWS, CATEGORY_ROWS)
def test_match_agrees_with_a_naive_evaluator(tree, code_rows, category_rows):
    codes, categories = codes_frame(*code_rows), categories_frame(*category_rows)
    asked = subjects_of(tree)
    by_category = bool(asked & {"content-v3", "filtering"})
    expected = naive_sites(codes, categories, bool(asked - {"content-v3", "filtering"}), by_category)
    rows = {site: [] for site in expected}
    for site, kind, value, confidence in [*code_rows, *category_rows]:
        if site in rows and kind is not None:
            rows[site].append((kind, value, confidence))
    found = Segment.parse(text_of(tree)).match(codes, categories, vocabulary=KNOWN)
    assert found["site"].tolist() == expected
    assert found["matches"].tolist() == [naive(tree, rows[site], SCALES) for site in expected]
    assert found["why"].str.len().gt(0).all()


# Why ----------------------------------------------------------------------------------------------------------------


@every(
    ("text", "site", "said"),
    [
        ("INT.PETS", "a", "Cats and 1 more"),
        ("INT.PETS", "b", "no INT.PETS.*"),
        ("INT.TRAVEL with confidence >= high", "b", "Camping, but not with confidence >= high"),
        ("INT.PETS and INT.TRAVEL", "a", "no INT.TRAVEL.*"),
        ("INT.PETS and not INT.TRAVEL", "a", "Cats and 1 more; no INT.TRAVEL.*"),
        ("INT.TRAVEL and not INT.*", "b", "unwanted: Camping"),
        ("not INT.PETS", "a", "unwanted: Cats and 1 more"),
        ("not not INT.PETS", "b", "no INT.PETS.*"),
        ("any(INT.PETS, PI.*)", "b", "Office"),
        ("none(INT.PETS, PI.*)", "b", "unwanted: Office"),
        ("none(INT.PETS, INT.SPORTS)", "b", "no INT.PETS.*; no INT.SPORTS.*"),
        ("at least 2 of (INT.PETS, INT.TRAVEL, PI.*)", "b", "2 of 3; Camping; Office"),
        ("at least 2 of (INT.PETS, INT.TRAVEL, PI.*)", "a", "1 of 3, not at least 2; no INT.TRAVEL.*; no PI.*"),
        ("at most 1 of (INT.*, PI.*)", "b",
         "2 of 2, not at most 1; unwanted: Camping; unwanted: Office"),
        ("INT.TRAVEL and INT.TRAVEL.CAMPING", "b", "Camping"),
        ("income_level >= middle", "b", "income: Low income, not >= middle"),
        ("income_level >= middle", "c", "income is not known"),
        ("income_level >= middle", "a", "income: Upper middle income"),
        ("income_level != low", "b", "income: Low income, not != low"),
        ("income_level != low", "a", "income: Upper middle income"),
        ("income_level = low with confidence >= low", "b", "income: Low income, but not with confidence >= low"),
        ("age_bracket > 25_34", "a", "age: 18 to 24 years and 1 more, not > 25_34"),
        ('persona = "*campers"', "b", "persona Campers and 1 more"),
        ('persona = "*campers"', "a", 'no persona "*campers"'),
        ('persona != "*campers"', "a", 'no persona "*campers"'),
        ('persona != "*campers"', "c", "persona is not known"),
        ("content-v3 = Pets", "a", "Pets and 1 more"),
        ("content-v3 = Pets or INT.PETS", "b", 'no content-v3 "Pets"; no INT.PETS.*'),
        ("content-v3 = Golf", "b", "Sports > Golf"),
        ("content-v3 = Golf with confidence >= 0.8", "b",
         "Sports > Golf, but not with confidence >= 0.8"),
        ("filtering = *", "a", "web-filtering category Pets and Animals"),
        (f"all({', '.join(f'INT.G{number}' for number in range(9))})", "a",
         "no INT.G0.*; no INT.G1.*; no INT.G2.*; no INT.G3.*; 5 more"),
    ],
)  # fmt: skip
def test_why_names_what_decides(text, site, said, vocabulary):
    checked = None if "INT.G0" in text else vocabulary
    categories = CATEGORIES[CATEGORIES["target"] != "c.example"]
    assert why(text, site, checked, categories) == said


def test_why_gives_labels_and_no_codes(codes):
    interests = codes[codes["dimension"].eq("interest")].drop_duplicates("code")
    assert len(interests)
    for code, label in interests[["code", "label"]].itertuples(index=False, name=None):
        found = Segment.parse(code).match(codes).query("matches")
        assert found["why"].unique().tolist() == [label] != [code]


def test_about_says_how_many_sites_and_which_segment(codes, categories):
    found = Segment.parse("INT.PETS", name="Pets").match(codes, categories)
    about = found.attrs["about"]
    assert (about["sites"], about["segment"], about["text"]) == (len(found), "Pets", "INT.PETS.*")
    json.dumps(about)


# Size, codes and overlap --------------------------------------------------------------------------------------------


def test_size_is_the_share_with_the_interval_of_wilson(codes, vocabulary):
    found = Segment.parse("income_level >= upper_middle", vocabulary).size(codes).iloc[0]
    interval = binomtest(int(found["sites"]), int(found["n"])).proportion_ci(0.95, "wilson")
    assert found["answered"] == codes.loc[codes["error"].isna(), "normal"].nunique()
    assert found["n"] == codes.loc[codes["dimension"].eq("income_level"), "normal"].nunique()
    assert found["may"] == found["answered"] - found["n"]
    assert found["share"] == found["sites"] / found["n"]
    assert (found["share_low"], found["share_high"]) == pytest.approx((interval.low, interval.high))


def test_size_of_nothing_answered_is_missing():
    found = Segment.parse("INT.PETS").size(CODES[:0])
    assert found[["sites", "n"]].to_numpy().tolist() == [[0, 0]]
    assert found[["share", "share_low", "share_high"]].isna().all(axis=None)
    assert found.dtypes.astype(str).tolist() == [
        *("str", "int64", "int64", "int64", "float64", "float64", "float64", "int64")
    ]


LEVELS = ("low", "middle", "high")


@pytest.mark.parametrize(
    "text",
    [
        "income_level = high",
        "income_level != high",
        "not income_level = high",
        "INT.PETS.* and income_level in (middle, high)",
        "INT.PETS.* or income_level = high",
        "at least 2 of (INT.PETS.*, income_level = high, INT.TRAVEL.*)",
        "none(INT.PETS.*, income_level = high)",
        "at most 1 of (INT.PETS.*, not income_level = high)",
        "income_level = high with confidence >= high",
    ],
)
def test_sites_that_may_match_are_those_that_some_value_of_what_is_not_known_makes_match(text):
    def frame(income):
        rows = [(site, "income_level", income) for site in ("a.example", "b.example", "c.example") if income]
        rows += [("a.example", "interest", "INT.PETS.DOGS"), ("b.example", "interest", "INT.TRAVEL.AIR_TRAVEL")]
        rows += [("c.example", "persona", "Cook")]
        made = pd.DataFrame(rows, columns=["target", "dimension", "code"])
        return made.assign(label=None, group=None, confidence="high")

    segment = Segment.parse(text)
    found = segment.match(frame(None)).set_index("site")
    known = [segment.match(frame(level)).set_index("site")["matches"] for level in LEVELS]
    some = pd.concat(known, axis="columns").any(axis="columns")
    assert (found["matches"] | found["may"]).tolist() == (some | found["matches"]).tolist()
    assert not (found["matches"] & found["may"]).any()
    size = segment.size(frame(None)).iloc[0]
    assert (size["sites"], size["may"]) == (found["matches"].sum(), found["may"].sum())
    assert size["n"] == size["answered"] - size["may"]


def test_a_segment_says_how_many_more_may_match_and_of_what_it_is_not_known():
    run = sample_run()
    text = "any(INT.SPORTS.*, INT.TRAVEL.*, INT.HEALTHY_LIVING.*) and income_level >= middle and audience_type = b2c"
    size = run.segment(text).size()
    answered = run.audiences().query("error.isna()").set_index("normal")
    codes = run.codes()
    interested = codes.loc[codes["group"].isin(["INT.SPORTS", "INT.TRAVEL", "INT.HEALTHY_LIVING"]), "normal"]
    wanted = answered.index.isin(interested) & answered["audience_type"].eq("b2c")
    income = answered["income_level"]
    matching = (wanted & income.isin(["middle", "upper_middle", "high", "very_high"])).sum()
    may = (wanted & income.isna()).sum()
    assert matching > 0
    assert may > 0
    expected = [matching, may, len(answered) - may, len(answered)]
    assert size[["sites", "may", "n", "answered"]].to_numpy().tolist() == [expected]
    assert size.attrs["about"]["unknown"] == {"income_level": may}
    # What a site has or has not is known of it.
    assert run.segment("INT.SPORTS.*").size()["may"].tolist() == [0]


@pytest.mark.parametrize("level", [0, 1, "0.9"])
def test_level_outside_0_to_1_is_refused(level):
    with pytest.raises(InputError):
        Segment.parse("INT.PETS").size(CODES, level=level)


def test_codes_are_those_that_help(vocabulary):
    segment = Segment.parse(
        "any(INT.PETS.*, PI.SOFTWARE.GRAPHICS_SOFTWARE) and not INT.TRAVEL.* and none(not INT.SPORTS.GOLF) "
        "and at most 1 of (INT.CAREERS.*, INT.MOVIES.*) and exactly 1 of (INT.PETS.CATS, INT.TELEVISION)",
    )
    pets = [code.code for code in vocabulary.members("interest", "INT.PETS")]
    television = [code.code for code in vocabulary.members("interest", "INT.TELEVISION")] or ["INT.TELEVISION"]
    found = segment.codes(vocabulary)
    assert set(pets) <= set(found)
    assert "INT.PETS" not in found
    assert set(found) - set(pets) - set(television) <= {"PI.SOFTWARE.GRAPHICS_SOFTWARE", "INT.SPORTS.GOLF"}
    assert "INT.SPORTS.GOLF" in found
    assert len(found) == len(set(found))


def test_codes_of_a_group_need_a_vocabulary():
    assert Segment.parse("INT.PETS.DOGS or income_level = low").codes() == ("INT.PETS.DOGS",)
    with pytest.raises(InputError, match="without a vocabulary"):
        Segment.parse("INT.PETS.*").codes()


def test_overlap_counts_each_ordered_pair():
    segments = [
        Segment.parse("INT.*", name="interests"),
        Segment.parse("INT.TRAVEL", name="travel"),
        Segment.parse("INT.NOTHING", name="nobody"),
    ]
    found = segment_overlap(segments, CODES)
    names = ["segment", "other", "n", "sites", "other_sites", "both", "jaccard", "containment"]
    n = len(Segment.parse("INT.*").match(CODES))
    assert found.columns.tolist() == names
    assert found.replace({np.nan: -1}).to_numpy().tolist() == [
        ["interests", "travel", n, 2, 1, 1, 0.5, 0.5],
        ["interests", "nobody", n, 2, 0, 0, 0, 0],
        ["travel", "interests", n, 1, 2, 1, 0.5, 1],
        ["travel", "nobody", n, 1, 0, 0, 0, 0],
        ["nobody", "interests", n, 0, 2, 0, 0, -1],
        ["nobody", "travel", n, 0, 1, 0, 0, -1],
    ]


def test_overlap_agrees_with_sets_on_the_sample(codes, categories, vocabulary):
    texts = ["INT.TRAVEL", "income_level >= middle", "content-v3 = Travel"]
    segments = [Segment.parse(text, vocabulary) for text in texts]
    matched = {segment.text: segment.match(codes, categories) for segment in segments}
    judged = {name: set(found.loc[~found["may"], "site"]) for name, found in matched.items()}
    every = set(matched[segments[2].text]["site"])
    groups = {name: set(found.loc[found["matches"], "site"]) for name, found in matched.items()}
    assert len(judged["income_level >= middle"]) < len(every)
    for row in segment_overlap(segments, codes, categories).itertuples():
        told = judged[row.segment] & judged[row.other] & every
        one, other = groups[row.segment] & told, groups[row.other] & told
        assert (row.n, row.sites, row.other_sites) == (len(told), len(one), len(other))
        assert row.both == len(one & other)
        assert row.jaccard == len(one & other) / len(one | other)
        assert row.containment == len(one & other) / len(one)


def test_that_a_field_is_not_known_does_not_keep_segments_apart():
    rng = np.random.default_rng(1)
    sites = np.array([f"s{number:04}.example" for number in range(1000)])
    first, high = np.arange(1000) < 400, rng.random(1000) < 0.7
    known = rng.random(1000) < np.where(first, 0.35, 0.95)
    parts = {"INT.PETS": first, "INT.TRAVEL": ~first}
    rows = [
        {"target": site, "dimension": "interest_group", "code": code}
        for code, of in parts.items()
        for site in sites[of]
    ]
    rows += [
        {"target": site, "dimension": "income_level", "code": "high" if rich else "low"}
        for site, rich in zip(sites[known], high[known], strict=True)
    ]
    segments = [Segment.parse(text, name=text) for text in (*parts, "income_level = high")]
    found = segment_overlap(segments, pd.DataFrame(rows)).set_index(["segment", "other"])
    for code, of in parts.items():
        row = found.loc[code, "income_level = high"]
        assert (row["n"], row["sites"]) == (known.sum(), (known & of).sum())
        assert row["containment"] == pytest.approx(high[known & of].mean())
        assert row["containment"] == pytest.approx(0.7, abs=0.1)


def test_overlap_orders_bands_by_each_segments_own_vocabulary():
    turned = Vocabulary("1", {}, {"income_level": {"upper_middle": "", "low": ""}})
    straight = Vocabulary("2", {}, {"income_level": {"low": "", "upper_middle": ""}})
    text = "income_level >= upper_middle"
    found = segment_overlap([Segment.parse(text, straight, "x"), Segment.parse(text, turned, "y")], CODES)
    assert found[["sites", "other_sites", "both"]].to_numpy().tolist() == [[1, 2, 1], [2, 1, 1]]


@pytest.mark.parametrize("segments", [[], [Segment.parse("INT.PETS")], Segment.parse("INT.PETS")])
def test_overlap_of_fewer_than_two_has_no_rows(segments):
    found = segment_overlap(segments, CODES)
    assert found.dtypes.astype(str).tolist() == ["str"] * 2 + ["int64"] * 4 + ["float64"] * 2
    assert found.empty


def test_overlap_refuses_what_is_no_segment_and_names_that_are_alike():
    with pytest.raises(InputError, match="Segments are wanted, not str"):
        segment_overlap(["INT.PETS"], CODES)
    with pytest.raises(InputError, match=r"Two segments are named 'INT.PETS.\*'"):
        segment_overlap([Segment.parse("INT.PETS"), Segment.parse("int.pets.*")], CODES)


# As a thing ---------------------------------------------------------------------------------------------------------


def test_segments_of_the_same_text_and_name_are_equal():
    one, same = Segment.parse("INT.PETS", name="Pets"), Segment.parse("(int.pets.*) # all", name="Pets")
    assert one == same
    assert hash(one) == hash(same)
    assert one != Segment.parse("INT.PETS")
    assert one != Segment.parse("INT.TRAVEL", name="Pets")
    assert one != one.text


def test_texts_of_a_segment():
    segment = Segment.parse("int.pets", name="Pets")
    assert (str(segment), repr(segment)) == ("INT.PETS.*", "<Segment 'Pets': INT.PETS.*>")
    assert repr(Segment.parse("int.pets")) == "<Segment: INT.PETS.*>"


@pytest.mark.parametrize("name", [None, "Pets", "Ünïcode 温泉", "# name: again", "two\nlines", " "])
@pytest.mark.parametrize("text", ["INT.PETS", 'persona = "Söhne \\"& Töchter\\""', " or ".join(["INT.A.B"] * 30)])
def test_saved_segment_is_read_back(name, text, tmp_path):
    segment = Segment.parse(text, name=name)
    assert Segment.load(segment.save(tmp_path / "x.segment")) == segment


def test_saved_file_is_readable_text(tmp_path, vocabulary):
    file = Segment.parse("int.pets", vocabulary, "Pets").save(tmp_path / "pets.txt")
    assert file.read_bytes() == f"# name: Pets\n# vocabulary: {vocabulary.version}\nINT.PETS.*\n".encode()


def test_file_of_an_editor_is_read(tmp_path, vocabulary):
    file = tmp_path / "mine.txt"
    file.write_bytes("\ufeff# name: Mine\r\nINT.PETS # dogs too\r\nor INT.TRAVEL\r\n".encode())
    assert Segment.load(file, vocabulary) == Segment.parse("INT.PETS or INT.TRAVEL", name="Mine")


def test_loaded_segment_is_checked(tmp_path, vocabulary):
    (tmp_path / "x").write_text("INT.PETZ", encoding="utf-8")
    with pytest.raises(UnknownCodeError):
        Segment.load(tmp_path / "x", vocabulary)


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\x00", b"# name: Only a name\n"])
def test_file_without_a_segment_is_an_input_error(content, tmp_path):
    if content is not None:
        (tmp_path / "x").write_bytes(content)
    with pytest.raises(InputError):
        Segment.load(tmp_path / "x")


@pytest.mark.parametrize("path", ["no/such/folder/x", "", "nul\0", None])
def test_file_that_cannot_be_written_is_an_input_error(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="cannot be written"):
        Segment.parse("INT.PETS").save(path)


def test_notebook_display_is_harmless():
    class Tags(HTMLParser):
        found = ()

        def handle_starttag(self, tag, attrs):
            self.found = (*self.found, tag)

    tags = Tags()
    tags.feed(Segment.parse('persona = "<img src=x>"', name="<script>alert(1)</script>")._repr_html_())
    assert {"table", "strong"} <= set(tags.found)
    assert not {"img", "script"} & set(tags.found)


@pytest.mark.parametrize("name", [1, b"Pets"])
def test_name_that_is_no_text_is_refused(name):
    with pytest.raises(InputError, match="The name of a segment is text"):
        Segment.parse("INT.PETS", name=name)


@pytest.mark.parametrize(
    ("text", "frames", "said"),
    [
        ("content-v3 = Sports", (CODES,), r"asks for categories.*Pass run.categories\(\)"),
        ("INT.PETS", (None, CATEGORIES), r"asks for codes.*Pass run.codes\(\)"),
        ("INT.PETS", ([],), "The codes must be a frame, not list"),
        ("INT.PETS", (CODES.drop(columns="dimension"),), "no column 'dimension'"),
        ("INT.PETS", (CODES.drop(columns="target"),), "no column 'target'"),
        ("filtering = X", (CODES, CODES), "The frame of categories has no column 'taxonomy', 'id', 'name', 'level_1'"),
    ],
)
def test_wrong_frames_are_refused(text, frames, said):
    for ask in (Segment.match, Segment.sites, Segment.size):
        with pytest.raises(InputError, match=said):
            ask(Segment.parse(text), *frames)


def test_level_of_confidence_that_is_missing_satisfies_no_demand():
    frame = categories_frame(("a.example", "content-v3", "Sports", math.nan))
    assert Segment.parse("content-v3 = Sports").sites(None, frame) == ["a.example"]
    assert Segment.parse("content-v3 = Sports with confidence >= 0").sites(None, frame) == []


def test_categories_can_be_passed_alone_by_name():
    frame = categories_frame(
        ("a.example", "content-v3", "Sports > Golf", 0.9), ("b.example", "content-v3", "Pets", 0.9)
    )
    segment = Segment('content-v3 = "Sports"')
    assert segment.sites(categories=frame) == segment.sites(None, frame) == ["a.example"]
    assert segment.match(categories=frame)["matches"].tolist() == [True, False]
    assert segment.size(categories=frame)[["sites", "n"]].values.tolist() == [[1, 2]]
    pets = Segment('content-v3 = "Pets"')
    assert segment_overlap([segment, pets], categories=frame)["both"].tolist() == [0, 0]


def test_codes_that_are_asked_for_and_not_passed_are_named():
    for ask in (Segment("INT.PETS.*").match, Segment("INT.PETS.*").sites, Segment("INT.PETS.*").size):
        with pytest.raises(InputError, match=r"asks for codes, and no frame of codes was passed\. Pass run\.codes\(\)"):
            ask()


def test_a_wildcard_of_a_field_is_any_known_value_that_fits(vocabulary):
    frame = codes_frame(
        ("a.example", "industry", "Technology"),
        ("b.example", "industry", "Agriculture"),
        ("c.example", "persona", "Cook"),
    )
    for known in (None, vocabulary):
        assert Segment("industry = *", known).sites(frame) == ["a.example", "b.example"]
        assert Segment("not industry = *", known).sites(frame) == ["c.example"]
        assert Segment("industry != *", known).sites(frame) == []
        assert Segment("industry = TECH*", known).sites(frame) == ["a.example"]
        assert Segment("industry not in (tech*)", known).sites(frame) == ["b.example"]
        assert Segment("industry in (zeb*, agriculture)").sites(frame) == ["b.example"]


def test_categories_that_help_to_match_are_named_each_once():
    text = (
        'content-v3 in ("Sports", 483, "Pets > Dogs") and not content-v3 = "Automotive" and content-v2 != "Travel" '
        'and none(content-v3 = "Travel") and content-v3 = * and filtering = adult and INT.PETS.DOGS '
        'and not content-v2 != "Sports"'
    )
    assert Segment(text).categories() == ("content-v3=Sports", "content-v3=Pets > Dogs", "content-v2=Sports")


def test_a_site_that_was_answered_without_any_code_counts_where_the_sites_are_told():
    told = [*CODES["target"].dropna().unique(), "silent.example"]
    plain, known = (Segment.parse("INT.PETS.*").match(CODES, sites=sites) for sites in (None, told))
    assert set(known["site"]) - set(plain["site"]) == {"silent.example"}
    assert not known.set_index("site").loc["silent.example", "matches"]
    assert "silent.example" in Segment.parse("not INT.PETS.*").sites(CODES, sites=told)
    size = Segment.parse("INT.PETS.*").size(CODES, sites=told)
    assert size["n"].item() == len(known) == len(plain) + 1
    few = known["site"].tolist()[:2]
    assert Segment.parse("INT.PETS.*").match(CODES, sites=few)["site"].tolist() == few
    both = segment_overlap([Segment.parse("INT.PETS.*"), Segment.parse("not INT.PETS.*")], CODES, sites=told)
    assert both["sites"].sum() == len(known)
