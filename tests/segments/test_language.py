"""The language of segments: what it reads, how it writes it, and how it says what is wrong."""

import pytest
from cases import every
from hypothesis import example, given, settings
from hypothesis import strategies as st
from segment_trees import NAMES, leaves_of, tree_of

from toolkit.interface.errors import InputError, UnknownCodeError
from toolkit.interface.vocabulary import Vocabulary
from toolkit.segments.language import SUBJECTS, parse_segment
from toolkit.segments.tree import Condition, Join, Not, fits_code, text_of
from toolkit.segments.words import LONGEST_TEXT, quoted

PETS, TRAVEL, SPORTS = "INT.PETS.*", "INT.TRAVEL.*", "INT.SPORTS.*"


def read(text, vocabulary=None):
    return text_of(parse_segment(text, vocabulary))


def has(pattern):
    return Condition("code", "has", (pattern,))


# What it reads ------------------------------------------------------------------------------------------------------


@every(
    ("text", "written"),
    [
        ("INT.PETS", PETS),
        ("int.pets.*", PETS),
        ("INT.PETS.*.*", PETS),
        ("INT.PETS.DOGS.*", "INT.PETS.DOGS"),
        ("INT.*", "INT.*"),
        ("INT.*.DOG**", "INT.*.DOG*"),
        ("((INT.PETS))", PETS),
        ("not not INT.PETS", PETS),
        ("NOT (NOT INT.PETS)", PETS),
        ("not not not INT.PETS", "not INT.PETS.*"),
        ("INT.PETS and (INT.TRAVEL and INT.SPORTS)", f"{PETS} and {TRAVEL} and {SPORTS}"),
        ("INT.PETS or (INT.TRAVEL and INT.SPORTS)", f"{PETS} or {TRAVEL} and {SPORTS}"),
        ("(INT.PETS or INT.TRAVEL) and INT.SPORTS", f"({PETS} or {TRAVEL}) and {SPORTS}"),
        ("not (INT.PETS or INT.TRAVEL)", f"not ({PETS} or {TRAVEL})"),
        ("ANY(INT.PETS, INT.TRAVEL,)", f"any({PETS}, {TRAVEL})"),
        ("all(INT.PETS)", f"all({PETS})"),
        ("none (INT.PETS or INT.TRAVEL, INT.SPORTS)", f"none({PETS} or {TRAVEL}, {SPORTS})"),
        ("At Least 2 Of (INT.PETS, INT.TRAVEL)", f"at least 2 of ({PETS}, {TRAVEL})"),
        ("at most 0 of (INT.PETS)", f"at most 0 of ({PETS})"),
        ("exactly 01 of (INT.PETS, INT.TRAVEL)", f"exactly 1 of ({PETS}, {TRAVEL})"),
        ("Income_Level>=middle", "income_level >= middle"),
        ("income-level ≥ middle", "income_level >= middle"),
        ("income_level == middle", "income_level = middle"),
        ("income_level <> middle", "income_level != middle"),
        ("income_level not in (low,low, middle)", "income_level not in (low, middle)"),
        ("age_bracket between 18_24 and 35_44 and INT.PETS", f"age_bracket between 18_24 and 35_44 and {PETS}"),
        ("price_signals = none", "price_signals = none"),
        ("price_signals in (none, free)", "price_signals in (none, free)"),
        ('industry = "Media Industry"', 'industry = "Media Industry"'),
        ("industry = 'Media Industry'", 'industry = "Media Industry"'),
        ("industry = “Media Industry”", 'industry = "Media Industry"'),
        ('persona != "Golfers  and Golf Fans"', 'persona != "Golfers and Golf Fans"'),
        (r'persona = "Half \"Pint\" \\ Fans"', r'persona = "Half \"Pint\" \\ Fans"'),
        ("content-v3 = 483", 'content-v3 = "Sports"'),
        ("content-v3 = 150-151", 'content-v3 = "Attractions > Amusement and Theme Parks"'),
        ('content-v3 = "pets>dogs"', 'content-v3 = "Pets > Dogs"'),
        ("content-v3 = dogs", 'content-v3 = "Pets > Dogs"'),
        ('content-v3 = "Sports > *"', 'content-v3 = "Sports"'),
        ("content-v2 = *", 'content-v2 = "*"'),
        ('filtering in (Travel, "Web Hosting")', 'filtering in ("Travel", "Web Hosting")'),
        ("INT.PETS with confidence >= HIGH", "INT.PETS.* with confidence >= high"),
        ("content-v3 = Sports with confidence >= .50", 'content-v3 = "Sports" with confidence >= 0.5'),
        ("filtering = Travel with confidence >= 1", 'filtering = "Travel" with confidence >= 1'),
        ("# pets\n INT.PETS # or\r\n  or # not\r INT.TRAVEL", f"{PETS} or {TRAVEL}"),
        ("\ufeffINT.PETS\u00a0and\u200bINT.TRAVEL", f"{PETS} and {TRAVEL}"),
    ],
)
def test_text_is_written_in_one_form(text, written, vocabulary):
    assert read(text, vocabulary) == written


def test_and_binds_closer_than_or_and_not_closest():
    assert parse_segment("not INT.A or INT.B and INT.C") == Join(
        "or", (Not(has("INT.A.*")), Join("and", (has("INT.B.*"), has("INT.C.*"))))
    )


def test_confidence_belongs_to_the_condition_before_it():
    first, second = parse_segment("INT.A.B or INT.C.D with confidence >= low").parts
    assert (first.confidence, second.confidence) == (None, "low")


def test_values_are_taken_by_label_and_in_any_capitals_where_the_vocabulary_is_known():
    vocabulary = Vocabulary("1", {}, {"income_level": {"upper_middle": "Rather rich"}})
    assert read('income_level = "rather RICH" or income_level = Upper_Middle', vocabulary) == (
        "income_level = upper_middle or income_level = upper_middle"
    )


def test_values_stay_as_typed_without_a_vocabulary():
    assert read("income_level = Comfortable and INT.NOWHERE.ELSE") == "income_level = Comfortable and INT.NOWHERE.ELSE"


def test_fields_that_the_vocabulary_does_not_list_are_not_checked():
    assert read("reading_level >= basic", Vocabulary("1", {}, {})) == "reading_level >= basic"


def test_long_text_stands_on_lines_of_its_outermost_level():
    groups = [f"INT.GROUP_NUMBER_{number}.*" for number in range(8)]
    written = read(" or ".join(groups))
    assert written.split("\n") == [groups[0], *(f"or {group}" for group in groups[1:])]
    assert read(written) == written


def test_every_subject_can_be_compared():
    for subject in SUBJECTS:
        assert parse_segment(f"{subject} = Sports").subject == subject


@every(
    ("pattern", "code", "fitting"),
    [
        ("INT.PETS.*", "INT.PETS", True),
        ("INT.PETS.*", "INT.PETS.DOGS", True),
        ("INT.PETS.*", "INT.PETSHOP", False),
        ("INT.PETS.*", "PI.PETS.DOGS", False),
        ("INT.PETS.DOGS", "INT.PETS.DOGS.PUPPIES", True),
        ("INT.PETS.DOGS", "INT.PETS", False),
        ("INT.*", "INT.PETS.DOGS", True),
        ("INT.*", "PI.PETS", False),
        ("INT.*.DOG*", "INT.PETS.DOGS", True),
        ("INT.*.DOG*", "INT.PETS.CATS", False),
        ("INT.*OG*", "INT.PETS.DOGS", True),
    ],
)
def test_pattern_takes_itself_and_what_is_below(pattern, code, fitting):
    assert fits_code(pattern)(code) is fitting


# What it refuses ----------------------------------------------------------------------------------------------------


def test_error_shows_the_line_the_place_and_what_was_expected():
    with pytest.raises(InputError) as caught:
        parse_segment("any(INT.PETS,\n  INT.TRAVEL an INT.SPORTS)")
    assert str(caught.value) == (
        "The segment cannot be read at line 2, column 14:\n"
        "    INT.TRAVEL an INT.SPORTS)\n"
        "               ^^\n"
        "Expected and, or, ',' or ')'; found 'an'. Did you mean 'and'?"
    )


def test_unknown_value_names_the_nearest_and_its_place(vocabulary):
    with pytest.raises(UnknownCodeError) as caught:
        parse_segment("INT.PETS and income_level >= uper_middle", vocabulary)
    assert str(caught.value) == (
        f"'uper_middle' at line 1, column 30 is not in income_level of vocabulary {vocabulary.version}. "
        "Nearest: upper_middle, lower_middle, middle. "
        "Values: low, lower_middle, middle, upper_middle, high, very_high.\n"
        "  INT.PETS and income_level >= uper_middle\n"
        "                               ^^^^^^^^^^^"
    )
    assert (caught.value.code, caught.value.nearest[0]) == ("uper_middle", "upper_middle")


@every(
    ("text", "nearest"),
    [
        ("INT.PET.*", "INT.PETS"),
        ("INT.PETS.DOG", "INT.PETS.DOGS"),
        ("dogs", "INT.PETS.DOGS"),
        ("income >= high", "income_level"),
        ("company_size = 1_10", "company_size_employees"),
        ("age = 18_24", "age_bracket"),
        ("personas = Campers", "persona"),
        ("age_bracket >= 35", "35_44"),
        ('content-v3 = "Sport > Golf"', "Sports > Golf"),
        ('content-v2 = "Golff"', "Sports > Golf"),
    ],
)
def test_unknown_word_names_what_was_meant(text, nearest, vocabulary):
    with pytest.raises(UnknownCodeError) as caught:
        parse_segment(text, vocabulary)
    assert nearest in caught.value.nearest


@every(
    ("text", "said"),
    [
        ("", "is empty"),
        (" # nothing\n", "is empty"),
        ("INT.PETS INT.TRAVEL", "Expected and, or, or the end of the text; found 'INT.TRAVEL'"),
        ("INT.PETS & INT.TRAVEL", "Write 'and'."),
        ("|| INT.TRAVEL", "Write 'or'."),
        ("! INT.TRAVEL", "Write != or not."),
        ("INT.PETS and", "found the end of the text"),
        ("(INT.PETS", "Expected and, or or ')'; found the end of the text"),
        ("any(INT.PETS", "',' or ')'"),
        ("any()", "Expected a code"),
        ("at 2 of (INT.PETS)", "'least' or 'most'"),
        ("at least two of (INT.PETS)", "a number"),
        ("at least ² of (INT.PETS)", "a number"),
        ("at least 1 (INT.PETS)", "'of'"),
        ("at least 1 of INT.PETS", "'(' and the parts to count"),
        ("at least 0 of (INT.PETS)", "'at least 0' says nothing of a list of 1 part"),
        ("exactly 3 of (INT.PETS, INT.TRAVEL)", "'exactly 3' says nothing of a list of 2 parts"),
        ("INT.", "is no code"),
        ("INT", "is no code"),
        ("INT.PETS-DOGS", "is no code"),
        ("INT.PET\u017f", "is no code"),
        ("income_level", "Expected =, !=, in (…), <, <=, >, >= or between"),
        ("urbanicity", "Expected =, !=, in (…); found"),
        ("urbanicity >= urban", "have no order"),
        ("life_stage between student and retiree", "have no order"),
        ("content-v3 < Sports", "have no order"),
        ("income_level =", "Expected a value of income_level"),
        ("income_level = and", "Expected a value of income_level"),
        ('income_level = ""', "cannot be empty"),
        ("income_level in low", "'(' and values"),
        ("income_level in ()", "Expected a value of income_level"),
        ("income_level between low high", "the other end of the range"),
        ('persona = "Golf', "has no end on its line"),
        ('persona = "Golf\n"', "has no end on its line"),
        ("content-v3 = Sports > Golf", "Put the whole path in quotes"),
        ("INT.PETS with medium", "'confidence >= …'"),
        ("INT.PETS with confidence = high", "names the least confidence"),
        ("INT.PETS with confidence >= 0.5", "low, medium or high"),
        ("content-v3 = Sports with confidence >= high", "a number from 0 to 1"),
        ("content-v3 = Sports with confidence >= 1.5", "a number from 0 to 1"),
        ("content-v3 = Sports with confidence >= nan", "a number from 0 to 1"),
        ("persona = Campers with confidence >= low", "no confidence for persona"),
        ("price_signals = free with confidence >= low", "no confidence for price_signals"),
        ("(INT.PETS or INT.TRAVEL) with confidence >= low", "Expected and, or, or the end of the text; found 'with'"),
        ("INT.PETS at high", "found 'at'"),
    ],
)
def test_broken_text_is_refused_with_words(text, said):
    with pytest.raises(InputError) as caught:
        parse_segment(text)
    assert said in str(caught.value)


@pytest.mark.parametrize("text", [None, 1, b"INT.PETS", ["INT.PETS"]])
def test_only_text_is_read(text):
    with pytest.raises(InputError, match="A segment is text"):
        parse_segment(text)


@every(
    "text",
    [
        "(" * 50_000,
        "(" * 41 + "INT.PETS" + ")" * 41,
        "not (" * 1_000 + "INT.PETS" + ")" * 1_000,
        "any(" * 20_000,
        "at least 1 of (" * 5_000,
        "INT.PETS or " * 8_000 + "INT.PETS",
        "x" * (LONGEST_TEXT + 1),
        "INT." + "A" * 90_000 + "?",
        "INT." + "*A" * 40_000,
        '"' * 99_999,
        "\ud800 or \x00",
        "ＩＮＴ.PETS",
        "INT.PETS and 🐕",
    ],
)
def test_hostile_text_is_an_input_error(text, vocabulary):
    with pytest.raises(InputError) as caught:
        parse_segment(text, vocabulary)
    str(caught.value).encode()
    assert len(str(caught.value)) < 2_000


def test_deepest_allowed_nesting_is_read():
    assert read("(" * 39 + "INT.PETS" + ")" * 39) == PETS


def test_any_number_of_parentheses_may_stand_side_by_side():
    assert read(" or ".join(["(INT.A.B and INT.C.D)"] * 100)).count("INT.C.D") == 100


def test_pattern_of_many_stars_is_matched_at_once():
    test = fits_code("INT." + "*A" * 200 + "*B")
    assert not test("INT." + "A" * 5_000)


def test_caret_stands_below_the_word_on_a_long_line_with_wide_letters():
    with pytest.raises(InputError) as caught:
        parse_segment(f'persona = "{"温泉" * 100}" or oops = 1 and INT.PETS')
    line, caret = str(caught.value).split("\n")[-2:]
    before = line[: line.index("oops")]
    assert before.startswith("  …泉温")
    assert caret == " " * sum(2 if letter in "温泉" else 1 for letter in before) + "^^^^"


@settings(max_examples=150)
@given(st.text(st.sampled_from("()\"',.*#=<>!&|\n \u200b\u202e温INTPETSandornt0123")) | st.text())
@example("not")
@example("\x85")
@example("'")
def test_any_text_is_read_or_refused(text):
    try:
        written = read(text)
    except InputError as error:
        str(error).encode()
    else:
        assert read(written) == written


# What it writes -----------------------------------------------------------------------------------------------------


FIELDS = {
    "income_level": ["low", "upper_middle", "and", "Media Industry", "温"],
    "age_bracket": ["18_24", "75_99"],
    "price_signals": ["none", "free"],
}


@settings(max_examples=200)
@given(tree_of(leaves_of(["INT.PETS.*", "PI.A.B", "INT.*", "INT.*.D*"], FIELDS)))
def test_canonical_text_is_a_fixed_point(tree):
    written = read(text_of(tree))
    assert read(written) == written


@settings(max_examples=200)
@given(tree_of(leaves_of(["INT.PETS.*", "PI.A.B", "INT.*", "INT.*.D*"], FIELDS)))
def test_what_is_written_is_read_back_as_the_same_tree(tree):
    read_once = parse_segment(text_of(tree))
    assert parse_segment(text_of(read_once)) == read_once


@given(NAMES)
def test_quoted_value_is_read_back(name):
    assert parse_segment(f"industry = {quoted(name)}").values == (name,)


# Wildcards of values ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("industry = *", 'industry = "*"'),
        ('industry != "*"', 'industry != "*"'),
        ("age_bracket in (25_34, *_24)", 'age_bracket in (25_34, "*_24")'),
        ("income_level = *middle", 'income_level = "*middle"'),
    ],
)
def test_values_of_fields_take_wildcards(vocabulary, text, written):
    for known in (None, vocabulary):
        assert read(text, known) == written
        assert read(written, known) == written


def test_wildcards_are_written_alike_where_the_values_are_known(vocabulary):
    assert read("income_level = **MIDDLE", vocabulary) == 'income_level = "*middle"'


def test_a_wildcard_that_fits_no_value_is_unknown(vocabulary):
    with pytest.raises(UnknownCodeError, match=r"'zebra\*' at line 1, column 12 is not in industry of vocabulary"):
        parse_segment("industry = zebra*", vocabulary)


@pytest.mark.parametrize("text", ["income_level > *", "income_level between low and m*", "income_level <= *middle"])
def test_a_wildcard_has_no_place_in_an_order(vocabulary, text):
    for known in (None, vocabulary):
        with pytest.raises(
            InputError, match=r"no place in an order\. Name a value, or write income_level = \* for any"
        ):
            parse_segment(text, known)


# Halves of characters -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ['persona = "\ud83d"', 'industry = "\udc00"', "INT.PETS.* # \ud83d", "\ud83d"])
def test_half_a_character_is_refused_where_it_stands(text):
    with pytest.raises(InputError, match="A half of a character stands here") as caught:
        parse_segment(text)
    column = next(at for at, char in enumerate(text, start=1) if "\ud800" <= char <= "\udfff")
    assert f"line 1, column {column}:" in str(caught.value)
    assert str(caught.value).encode()


def test_whole_characters_of_any_plane_are_read():
    assert read('persona = "\U0001f3c4 Surfers"') == 'persona = "\U0001f3c4 Surfers"'
