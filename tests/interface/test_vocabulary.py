"""The vocabulary: filters documents of any structure, checks, differences and dtypes."""

import json
import pickle

import pandas as pd
import pytest
from cases import every
from hypothesis import example, given, settings
from hypothesis import strategies as st

from toolkit.interface import vocabulary
from toolkit.interface.errors import DataError, UnknownCodeError
from toolkit.interface.vocabulary import FIELDS, ORDERED_FIELDS, Problem, Vocabulary, VocabularyDiff

repeatable = settings(max_examples=100)

CODES = {
    "INT.PETS": "Pets & animals",
    "INT.PETS.DOGS": "Dogs & puppies",
    "INT.PETS.CATS": "Cats & kittens",
    "INT.SCIENCE": "Science & nature",
    "INT.SCIENCE.PHYSICS": "Physics & maths",
    "PI.AUTO_OWNERSHIP": "Car owners",
    "PI.AUTO_OWNERSHIP.NEW_CARS": "New-car buyers",
}
GROUPS = {"INT.PETS", "INT.SCIENCE", "PI.AUTO_OWNERSHIP"}
MEMBERS = [code for code in CODES if code not in GROUPS]
VALUES = {
    "age_bracket": ["18_24", "25_34", "35_44"],
    "income_level": ["low", "middle", "high"],
    "urbanicity": ["urban", "rural"],
}

DOCUMENTS = {
    "lists of objects": {
        "vocab_version": "1.1",
        "interests": [{"code": c, "label": t} for c, t in CODES.items() if c.startswith("INT")],
        "purchase_intents": [{"code": c, "label": t} for c, t in CODES.items() if c.startswith("PI")],
        **VALUES,
    },
    "mapping of code to label": {
        "vocabulary_version": "1.1",
        "labels": CODES,
        "demographics": VALUES,
    },
    "nested groups": {
        "version": "1.1",
        "interests": {
            group: {"label": CODES[group], "sub_interests": {c: CODES[c] for c in MEMBERS if c.startswith(group + ".")}}
            for group in ("INT.PETS", "INT.SCIENCE")
        },
        "purchase_intent": [
            {
                "id": "PI.AUTO_OWNERSHIP",
                "name": "Car owners",
                "segments": [{"id": "PI.AUTO_OWNERSHIP.NEW_CARS", "name": "New-car buyers"}],
            }
        ],
        "demographics": {
            name: {"label": name.replace("_", " "), "values": values} for name, values in VALUES.items()
        },
    },
    "pairs": {
        "meta": {"version": 1.1},
        "codes": [[code, label] for code, label in CODES.items()],
        "enumerations": {name: [[value, value.title()] for value in values] for name, values in VALUES.items()},
    },
    "code and label in one text": {
        "meta": {"vocab_version": "1.1"},
        "codes": [f"{code} - {label}" for code, label in CODES.items()],
        **{name: ", ".join(values) for name, values in VALUES.items()},
    },
    "objects inside a data envelope with aliases": {
        "status": 200,
        "data": {
            "taxonomy_version": "1.1",
            "vocabulary": [{"value": code, "title": label} for code, label in CODES.items()],
            "age_brackets": [{"value": value, "label": value.replace("_", "–")} for value in VALUES["age_bracket"]],
            "income_bands": [{"code": value, "name": value.title()} for value in VALUES["income_level"]],
            "urbanicities": [{"id": value, "text": value.title()} for value in VALUES["urbanicity"]],
        },
    },
    "camel case": {
        "vocab_version": "1.1",
        "codes": [{"key": code, "display_name": label} for code, label in CODES.items()],
        "ageBrackets": VALUES["age_bracket"],
        "incomeLevel": {value: value.title() for value in VALUES["income_level"]},
        "Urbanicity": {"options": VALUES["urbanicity"]},
    },
    "a list of fields": {
        "version": "1.1",
        "filters": [
            {"field": "interests", "values": [{"code": c, "label": t} for c, t in CODES.items() if c[0] == "I"]},
            {"field": "purchase_intent", "values": {c: t for c, t in CODES.items() if c[0] == "P"}},
            *({"field": name, "values": values} for name, values in VALUES.items()),
        ],
    },
    "a list at the top": [
        {"version": "1.1"},
        *({"id": code, "description": label} for code, label in CODES.items()),
        {"name": "Age bracket", "options": {value: value for value in VALUES["age_bracket"]}},
        {"dimension": "income_level", "enum": VALUES["income_level"]},
        {"key": "urbanicity", "items": [{"slug": value, "title": value} for value in VALUES["urbanicity"]]},
    ],
    "values as keys of objects": {
        "version": "1.1",
        "codes": {code: {"label": label} for code, label in CODES.items()},
        **{name: {value: {"label": value.title()} for value in values} for name, values in VALUES.items()},
    },
    "labels first": {
        "version": "1.1",
        "codes": {label: code for code, label in CODES.items()},
        **{name: {"values": ", ".join(values)} for name, values in VALUES.items()},
    },
}  # fmt: skip

UNLABELLED = {
    "a plain list": ["INT.PETS.DOGS", "INT.PETS.CATS", "INT.SCIENCE.PHYSICS", "PI.AUTO_OWNERSHIP.NEW_CARS"],
    "lists by kind": {"interests": MEMBERS[:3], "purchase_intent": MEMBERS[3:]},
    "lists by group": {"INT": {"Pets": MEMBERS[:2], "Science": MEMBERS[2:3]}, "PI": {"Auto": MEMBERS[3:]}},
    "objects": [{"code": code} for code in MEMBERS],
    "keys": dict.fromkeys(MEMBERS),
    "two a line": [["INT.PETS.DOGS", "INT.PETS.CATS"], ["INT.SCIENCE.PHYSICS", "PI.AUTO_OWNERSHIP.NEW_CARS"]],
    "tiers": {"tier1": sorted(GROUPS), "tier2": MEMBERS},
}


@pytest.fixture
def known():
    return Vocabulary.parse({"vocab_version": "1.1", "labels": CODES, **VALUES})


def parses(document):
    try:
        parsed = Vocabulary.parse(document)
    except DataError:
        return False
    return isinstance(parsed, Vocabulary)


def nested(depth):
    document = "INT.PETS.DOGS"
    for _ in range(depth):
        document = {"a": [document]}
    return document


def test_public_names_are_there():
    assert len(vocabulary.__all__) == len(set(vocabulary.__all__))
    assert all(hasattr(vocabulary, name) for name in vocabulary.__all__)


@every("name", DOCUMENTS)
def test_every_structure_gives_the_same_codes_and_labels(name):
    parsed = Vocabulary.parse(DOCUMENTS[name])
    assert {code.code: code.label for code in parsed.codes.values()} == CODES


@every("name", DOCUMENTS)
def test_every_structure_gives_the_same_enumerations_in_their_order(name):
    found = {field: list(values) for field, values in Vocabulary.parse(DOCUMENTS[name]).values.items()}
    assert found == {**VALUES, "confidence": ["low", "medium", "high"]}


@every("name", DOCUMENTS)
def test_every_structure_gives_the_same_version(name):
    assert Vocabulary.parse(DOCUMENTS[name]).version == "1.1"


@every("name", DOCUMENTS)
def test_a_document_read_from_its_json_text_gives_the_same(name):
    assert Vocabulary.parse(json.loads(json.dumps(DOCUMENTS[name]))) == Vocabulary.parse(DOCUMENTS[name])


@pytest.mark.parametrize("name", UNLABELLED)
def test_member_codes_alone_bring_their_groups(name):
    assert set(Vocabulary.parse(UNLABELLED[name]).codes) == set(CODES)


@pytest.mark.parametrize("name", UNLABELLED)
def test_a_code_without_a_label_gets_one_made_from_it(name):
    parsed = Vocabulary.parse(UNLABELLED[name])
    assert [parsed.label(c) for c in ("PI.AUTO_OWNERSHIP.NEW_CARS", "INT.PETS")] == ["New cars", "Pets"]


@pytest.mark.parametrize("separator", [" - ", " – ", " — ", ": ", " = ", " | ", "-"])
def test_a_label_may_follow_its_code_after_any_usual_sign(separator):
    assert Vocabulary.parse([f"INT.PETS.DOGS{separator}Dogs & puppies"]).label("INT.PETS.DOGS") == "Dogs & puppies"


@pytest.mark.parametrize(
    "interests",
    [
        {"Education": ["INT.EDUCATION.ADULT - Adult Education"]},
        {"Education": {"Adult Education": "INT.EDUCATION.ADULT"}},
        {"Education": [["Adult Education", "INT.EDUCATION.ADULT"]]},
        {"Education": [["INT.EDUCATION.ADULT", "Adult Education"]]},
        {"Education": {"INT.EDUCATION.ADULT": "Adult Education"}},
        [{"name": "Education", "code": "INT.EDUCATION", "items": {"Adult Education": "INT.EDUCATION.ADULT"}}],
        [{"name": "Education", "items": [{"code": "INT.EDUCATION.ADULT", "label": "Adult Education"}]}],
        {"Education": {"Adult": {"label": "Adult Education", "code": "INT.EDUCATION.ADULT"}}},
        {"Education": {"code": "INT.EDUCATION.ADULT", "label": "Adult Education"}},
    ],
)
def test_an_interest_group_named_like_a_field_is_no_enumeration(interests):
    parsed = Vocabulary.parse({"interests": interests})
    assert "INT.EDUCATION.ADULT" in parsed
    assert "education_level" not in parsed.values


@every(
    ("key", "field"),
    [
        *((name, name) for name in FIELDS),
        ("ages", "age_bracket"),
        ("Age Range", "age_bracket"),
        ("gender", "gender_skew"),
        ("householdIncome", "income_level"),
        ("life-stages", "life_stage"),
        ("household_compositions", "household_composition"),
        ("employment_statuses", "employment_status"),
        ("home ownership", "home_ownership"),
        ("company_size", "company_size_employees"),
        ("employee_bands", "company_size_employees"),
        ("seniorities", "seniority"),
        ("jobFunctions", "job_function"),
        ("industries", "industry"),
        ("audience_types", "audience_type"),
        ("reading_levels", "reading_level"),
        ("price_signal", "price_signals"),
    ],
)
def test_an_enumeration_is_found_under_its_name_and_its_aliases(key, field):
    assert list(Vocabulary.parse({key: ["b", "a", "c"]}).values[field]) == ["b", "a", "c"]


@pytest.mark.parametrize(
    "values",
    [
        {"18_24": "18 to 24", "25_34": "25 to 34"},
        [{"value": "18_24", "label": "18 to 24"}, {"value": "25_34", "label": "25 to 34"}],
        [{"code": "18_24", "name": "18 to 24"}, {"code": "25_34", "name": "25 to 34"}],
        [["18_24", "18 to 24"], ["25_34", "25 to 34"]],
        {"values": [{"id": "18_24", "title": "18 to 24"}, {"id": "25_34", "title": "25 to 34"}]},
        {"options": {"18_24": "18 to 24", "25_34": "25 to 34"}},
        {"18_24": {"label": "18 to 24"}, "25_34": {"label": "25 to 34"}},
    ],
)
def test_labels_of_enumerated_values_are_kept(values):
    parsed = Vocabulary.parse({"age_bracket": values})
    assert parsed.values["age_bracket"] == {"18_24": "18 to 24", "25_34": "25 to 34"}


@pytest.mark.parametrize("pair", [["Dogs & puppies", "INT.PETS.DOGS"], {"Dogs & puppies": "INT.PETS.DOGS"}])
def test_a_label_may_stand_before_its_code(pair):
    assert Vocabulary.parse([pair]).label("INT.PETS.DOGS") == "Dogs & puppies"


def test_the_properties_of_a_code_are_no_labels_of_other_codes():
    parsed = Vocabulary.parse([{"parent": "INT.PETS", "code": "INT.PETS.DOGS"}])
    assert [code.label for code in parsed.codes.values()] == ["Pets", "Dogs"]


def test_a_value_with_a_dot_keeps_it():
    assert Vocabulary.parse({"income_level": ["1.5m", "2m"]}).values["income_level"] == {"1.5m": "1.5m", "2m": "2m"}


def test_the_confidence_bands_are_known_without_being_listed():
    assert Vocabulary.parse(["INT.PETS"]).values == {"confidence": {"low": "Low", "medium": "Medium", "high": "High"}}


def test_confidence_bands_that_are_listed_take_the_place_of_the_known_ones():
    assert list(Vocabulary.parse({"confidence": ["weak", "strong"]}).values["confidence"]) == ["weak", "strong"]


def test_a_document_without_a_version_has_an_empty_one():
    assert Vocabulary.parse(["INT.PETS"]).version == ""


def test_a_flag_named_version_is_no_version():
    assert Vocabulary.parse({"version": True, "codes": ["INT.PETS"]}).version == ""


def test_the_document_is_kept_and_not_changed():
    document = json.loads(json.dumps(DOCUMENTS["nested groups"]))
    assert Vocabulary.parse(document).raw is document
    assert document == DOCUMENTS["nested groups"]


@every("document", [None, True, 1, 1.5, "", "text", [], {}, {"status": 500}, {"codes": []}, [[[]]]])
def test_a_document_without_codes_and_enumerations_is_refused(document):
    with pytest.raises(DataError) as caught:
        Vocabulary.parse(document)
    opening = f"; it begins with {json.dumps(document)}" if document and isinstance(document, dict | list) else ""
    assert str(caught.value) == (
        f"The filters document holds no INT.* or PI.* code and no enumeration that is known here{opening}. "
        "Check the base URL, and that the address gives the vocabulary."
    )


@pytest.mark.parametrize("code", ["INT", "INT.", "INTX.PETS", "INT..PETS", "AB.PETS", "see INT.PETS there"])
def test_what_is_not_spelt_like_a_code_is_none(code):
    assert not parses([code])


@pytest.mark.parametrize("code", ["int.pets", "INT.Pets", "INT.PETS\n", " INT.PETS"])
def test_a_code_is_read_in_any_letters_and_without_the_space_around_it(code):
    assert list(Vocabulary.parse([code]).codes) == ["INT.PETS"]


WORDS = st.sampled_from(
    [*CODES, *FIELDS, "version", "label", "code", "values", "options", "field", "name", "INT.A - B", "a, b", "", "x"]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=8)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=5), inner, max_size=5)
)


@repeatable
@given(JSON)
@example({"age": {"values": {"values": {"values": ["a"]}}}})
def test_any_document_is_read_or_refused(document):
    if parses(document):
        parsed = Vocabulary.parse(document)
        assert all(code.group in parsed and code.label for code in parsed.codes.values())
        assert all(values for values in parsed.values.values())
        assert set(parsed.values) <= set(FIELDS)


@pytest.mark.parametrize("depth", [100, 1_000, 50_000])
def test_a_deeply_nested_document_is_read_or_refused(depth):
    assert parses(nested(depth)) in {True, False}


@repeatable
@given(JSON)
def test_any_answer_can_be_checked(document):
    parsed = Vocabulary.parse({"labels": CODES, **VALUES})
    assert all(problem.where.startswith("$") for problem in parsed.problems(document))


@repeatable
@given(JSON.filter(parses))
def test_a_vocabulary_has_no_difference_to_itself(document):
    parsed = Vocabulary.parse(document)
    assert parsed == Vocabulary.parse(document)
    assert not parsed.diff(parsed)


def test_groups_and_members_are_told_apart(known):
    assert [code.code for code in known.groups("interest")] == ["INT.PETS", "INT.SCIENCE"]
    assert [code.code for code in known.members("interest")] == MEMBERS[:3]
    assert [code.code for code in known.groups("purchase_intent")] == ["PI.AUTO_OWNERSHIP"]
    assert [code.code for code in known.members("purchase_intent")] == MEMBERS[3:]


def test_the_members_of_one_group_are_its_own(known):
    assert [code.code for code in known.members("interest", "INT.PETS")] == ["INT.PETS.DOGS", "INT.PETS.CATS"]


def test_a_code_knows_its_group_and_kind(known):
    code = known.check("PI.AUTO_OWNERSHIP.NEW_CARS")
    assert (code.group, code.kind, code.is_group) == ("PI.AUTO_OWNERSHIP", "purchase_intent", False)


def test_a_group_is_its_own_group(known):
    code = known.check("INT.PETS")
    assert (code.group, code.kind, code.is_group) == ("INT.PETS", "interest", True)


def test_codes_are_contained(known):
    assert ("INT.PETS.DOGS" in known, "INT.PETS.BIRDS" in known, "Dogs" in known) == (True, False, False)


@pytest.mark.parametrize("method", ["check", "label"])
def test_an_unknown_code_is_refused_with_the_nearest(known, method):
    with pytest.raises(UnknownCodeError) as caught:
        getattr(known, method)("INT.PETS.DOG")
    assert (caught.value.code, caught.value.nearest) == ("INT.PETS.DOG", ("INT.PETS.DOGS", "INT.PETS", "INT.PETS.CATS"))
    assert str(caught.value) == (
        "'INT.PETS.DOG' is not in vocabulary 1.1. Nearest: INT.PETS.DOGS, INT.PETS, INT.PETS.CATS. "
        "Check the spelling or search for it."
    )


def test_an_unknown_code_of_a_vocabulary_without_version_is_refused():
    with pytest.raises(UnknownCodeError) as caught:
        Vocabulary.parse(["INT.PETS"]).check("INT.PET")
    assert str(caught.value) == (
        "'INT.PET' is not in the vocabulary. Nearest: INT.PETS. Check the spelling or search for it."
    )


def test_a_known_value_is_returned(known):
    assert known.check_value("income_level", "middle") == "middle"


def test_an_unknown_value_is_refused_with_the_nearest_of_its_field(known):
    with pytest.raises(UnknownCodeError) as caught:
        known.check_value("age_bracket", "18_25")
    assert str(caught.value) == (
        "'18_25' is not in age_bracket of vocabulary 1.1. Nearest: 18_24. Check the spelling or search for it."
    )


@pytest.mark.parametrize("method", ["check_value", "dtype", "nearest"])
def test_an_unknown_field_is_refused_with_the_nearest(known, method):
    arguments = {"check_value": ("incom_level", "low"), "dtype": ("incom_level",), "nearest": ("low", "incom_level")}
    with pytest.raises(UnknownCodeError) as caught:
        getattr(known, method)(*arguments[method])
    assert caught.value.nearest[0] == "income_level"


def test_the_nearest_are_limited(known):
    assert known.nearest("INT.PETS.DOG", limit=1) == ("INT.PETS.DOGS",)


def test_the_nearest_values_come_from_the_field(known):
    assert known.nearest("hi", "income_level")[0] == "high"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("puppies", "INT.PETS.DOGS"),
        ("DOGS & PUPPIES", "INT.PETS.DOGS"),
        ("new cars", "PI.AUTO_OWNERSHIP.NEW_CARS"),
        ("new-car buyers", "PI.AUTO_OWNERSHIP.NEW_CARS"),
        ("physiks", "INT.SCIENCE.PHYSICS"),
        ("INT.PETS.CATS", "INT.PETS.CATS"),
        ("PI.AUTO_OWNERSHIP.NEW_CARS", "PI.AUTO_OWNERSHIP.NEW_CARS"),
    ],
)
def test_a_search_finds_labels_and_codes(known, text, code):
    assert known.search(text)[0].code == code


def test_a_search_for_dogs_finds_no_dash_cams(vocabulary):
    found = [code.label for code in vocabulary.search("dogs")]
    assert found[0] == "Dogs"
    assert "Dash Cam Videos" not in found


@pytest.mark.parametrize(("text", "unlike"), [("running", "Language Learning"), ("shoes", "Auto Shows")])
def test_a_search_finds_no_word_that_is_merely_spelt_a_little_alike(vocabulary, text, unlike):
    assert unlike not in [code.label for code in vocabulary.search(text)]


def test_a_search_ranks_the_beginning_of_a_word_before_the_middle(vocabulary):
    assert vocabulary.search("cat")[0].label == "Cats"


def test_a_search_finds_a_groups_members_after_the_group(vocabulary):
    found = [code.code for code in vocabulary.search("automotive", limit=100)]
    assert found[0] == "INT.AUTOMOTIVE"
    assert set(found) >= {code.code for code in vocabulary.members("interest", "INT.AUTOMOTIVE")}


def test_a_search_for_something_else_finds_nothing(known):
    assert known.search("zzzzqqqq") == ()


def test_a_search_gives_no_more_than_asked_for(known):
    assert len(known.search("", limit=2)) == 2


def test_a_search_gives_no_code_twice(known):
    found = [code.code for code in known.search("s")]
    assert len(found) == len(set(found))


def test_a_good_answer_has_no_problems(known):
    answer = {
        "url": "https://a.example",
        "demographics": {"age_bracket": ["18_24"], "income_level": "low", "urbanicity": None, "confidence": "low"},
        "interests": {"tier1": ["INT.PETS"], "tier2": ["INT.PETS.DOGS"], "confidence": "high"},
        "purchase_intent": {"codes": ["PI.AUTO_OWNERSHIP.NEW_CARS"], "confidence": "medium"},
        "labels": {"INT.PETS": "Pets", "INT.PETS.DOGS": "low"},
        "status": 200,
    }
    assert known.problems(answer) == ()


@pytest.mark.parametrize(
    ("answer", "expected", "nearest"),
    [
        ({"interests": {"tier2": ["INT.PETS", "INT.PETS.DOG"]}}, ("$.interests.tier2[1]", "code", "INT.PETS.DOG"),
         ("INT.PETS.DOGS", "INT.PETS", "INT.PETS.CATS")),
        ({"purchase_intent": {"codes": ["PI.AUTO_OWNERSHIP.NEW_CAR"]}},
         ("$.purchase_intent.codes[0]", "code", "PI.AUTO_OWNERSHIP.NEW_CAR"),
         ("PI.AUTO_OWNERSHIP.NEW_CARS", "PI.AUTO_OWNERSHIP")),
        ({"demographics": {"income_level": "hi"}}, ("$.demographics.income_level", "income_level", "hi"), ("high",)),
        ({"demographics": {"age_bracket": ["18_24", "18-24"]}},
         ("$.demographics.age_bracket[1]", "age_bracket", "18-24"),
         ("18_24",)),
        ({"interests": {"confidence": "certain"}}, ("$.interests.confidence", "confidence", "certain"), ()),
        ({"elsewhere": [{"x": "INT.NEW"}]}, ("$.elsewhere[0].x", "code", "INT.NEW"), ()),
        ({"interests": {"tier1": ["Pets"]}}, ("$.interests.tier1[0]", "code", "Pets"), ()),
        ({"interests": {"tier2": ["int.pets.dogs"]}}, ("$.interests.tier2[0]", "code", "int.pets.dogs"), ()),
        ({"purchase_intent": {"codes": ["New cars"]}}, ("$.purchase_intent.codes[0]", "code", "New cars"), ()),
        ("INT.NEW", ("$", "code", "INT.NEW"), ()),
        (["INT.PETS", "INT.NEW"], ("$[1]", "code", "INT.NEW"), ()),
    ],
)  # fmt: skip
def test_an_unknown_code_or_value_is_a_problem_with_its_place(known, answer, expected, nearest):
    (problem,) = known.problems(answer)
    assert (problem.where, problem.field, problem.value) == expected
    assert problem.nearest[: len(nearest)] == nearest


def test_an_unknown_code_among_the_labels_is_a_problem(known):
    (problem,) = known.problems({"labels": {"INT.PETS.BIRDS": "Birds", "INT.PETS": "Pets"}})
    assert (problem.field, problem.value) == ("code", "INT.PETS.BIRDS")
    assert problem.where.startswith("$.labels")


def test_problems_come_in_the_order_of_the_answer(known):
    answer = {"b": "INT.B", "a": {"income_level": "x", "c": "PI.C"}}
    assert [problem.value for problem in known.problems(answer)] == ["INT.B", "x", "PI.C"]


def test_a_field_the_vocabulary_does_not_have_is_not_checked(known):
    assert known.problems({"b2b": {"seniority": ["boss"]}}) == ()


def test_a_deeply_nested_answer_can_be_checked(known):
    assert [problem.value for problem in known.problems(nested(2_000))] == []


def test_a_problem_is_a_plain_value(known):
    assert known.problems("INT.PET") == (Problem("$", "code", "INT.PET", known.nearest("INT.PET")),)


def test_a_difference_names_what_was_added_removed_and_relabelled():
    older = Vocabulary.parse(
        {"codes": {"INT.PETS.DOGS": "Dogs", "INT.PETS.CATS": "Cats"}, "income_level": ["low", "mid"]}
    )
    newer = Vocabulary.parse(
        {"codes": {"INT.PETS.DOGS": "Puppies", "PI.CARS": "Cars"}, "income_level": ["low", "high"]}
    )
    assert older.diff(newer) == VocabularyDiff(
        added=("PI.CARS", "income_level=high"),
        removed=("INT.PETS.CATS", "income_level=mid"),
        relabelled={"INT.PETS.DOGS": ("Dogs", "Puppies")},
    )


def test_a_relabelled_value_is_a_difference():
    older, newer = (Vocabulary.parse({"income_level": {"low": label}}) for label in ("Low", "Lower"))
    assert older.diff(newer).relabelled == {"income_level=low": ("Low", "Lower")}


def test_a_difference_the_other_way_swaps_added_and_removed():
    older, newer = Vocabulary.parse(["INT.PETS.DOGS"]), Vocabulary.parse(["INT.PETS.CATS"])
    assert (older.diff(newer).added, older.diff(newer).removed) == (("INT.PETS.CATS",), ("INT.PETS.DOGS",))
    assert (newer.diff(older).added, newer.diff(older).removed) == (("INT.PETS.DOGS",), ("INT.PETS.CATS",))


def test_a_difference_is_false_where_nothing_changed():
    parsed = [Vocabulary.parse(DOCUMENTS[name]) for name in ("lists of objects", "mapping of code to label")]
    assert not parsed[0].diff(parsed[1])


@pytest.mark.parametrize("newer", [["INT.PETS.DOGS", "INT.PETS.CATS"], ["INT.PETS"], {"INT.PETS.DOGS": "Other"}])
def test_a_difference_is_true_where_something_changed(newer):
    assert Vocabulary.parse(["INT.PETS.DOGS"]).diff(Vocabulary.parse(newer))


@pytest.mark.parametrize("field", sorted(ORDERED_FIELDS))
def test_the_dtype_of_a_scale_is_ordered(field):
    assert Vocabulary.parse({field: ["b", "a"]}).dtype(field) == pd.CategoricalDtype(["b", "a"], ordered=True)


@every("field", sorted(set(FIELDS) - ORDERED_FIELDS))
def test_the_dtype_of_other_values_is_not_ordered(field):
    assert Vocabulary.parse({field: ["b", "a"]}).dtype(field).ordered is False


def test_bands_can_be_compared(known):
    bands = pd.Series(["high", "low", None, "middle"], dtype=known.dtype("income_level"))
    assert (bands >= "middle").tolist() == [True, False, False, True]
    assert (bands.min(), bands.max()) == ("low", "high")


def test_values_without_a_scale_cannot_be_compared(known):
    places = pd.Series(["urban", "rural"], dtype=known.dtype("urbanicity"))
    with pytest.raises(TypeError):
        _ = places >= "rural"
    assert (places == "rural").tolist() == [False, True]


def test_a_value_the_field_does_not_have_stays_missing(known):
    assert pd.Categorical(["low"], dtype=known.dtype("income_level")).codes.tolist() == [0]
    assert known.dtype("income_level").categories.tolist() == VALUES["income_level"]


def test_vocabularies_of_one_content_are_equal():
    assert Vocabulary.parse(DOCUMENTS["lists of objects"]) == Vocabulary.parse(DOCUMENTS["mapping of code to label"])


@pytest.mark.parametrize("changed", [{"version": "2"}, {"codes": ["INT.PETS"]}, {"income_level": ["low"]}])
def test_vocabularies_of_other_content_are_not_equal(changed):
    document = {"version": "1", "codes": ["INT.PETS.DOGS"], "income_level": ["low", "high"]}
    assert Vocabulary.parse(document) != Vocabulary.parse({**document, **changed})


def test_a_scale_in_another_order_makes_another_vocabulary():
    assert Vocabulary.parse({"income_level": ["low", "high"]}) != Vocabulary.parse({"income_level": ["high", "low"]})


def test_a_vocabulary_is_not_equal_to_anything_else(known):
    assert known != known.raw


def test_a_vocabulary_survives_pickling(known):
    assert pickle.loads(pickle.dumps(known)) == known


def test_the_representation_counts_what_is_there(known):
    assert repr(known) == (
        "<Vocabulary 1.1: 3 interests in 2 groups, 1 purchase intents in 1 groups; 4 fields with named values>"
    )
