"""The knowledge files agree with the taxonomies, the enumerations and the interface document, row by row."""

import re
import tomllib
from collections import Counter, defaultdict
from importlib.resources import files
from itertools import combinations

import numpy as np
import pytest
from cases import every

from toolkit.interface.taxonomy import Taxonomy
from toolkit.interface.vocabulary import CODE_PATTERN, Vocabulary
from toolkit.service.knowledge.compiled import is_compiled, load_matcher
from toolkit.service.knowledge.entries import MATCHERS, is_member, listed
from toolkit.service.knowledge.lexicon import knowledge_rows, words_of
from toolkit.service.knowledge.matching import Matcher
from toolkit.service.knowledge.vocabulary import filters_document, service_vocabulary

FOLDER = files("toolkit.service.knowledge")
COLUMNS = {
    "attractions.tsv": ["id", "meaning", "terms"],
    "category_needs.tsv": ["path", "words"],
    "b2b_evidence.tsv": ["field", "value", "weight", "terms", "needs", "note"],
    "b2b_priors.tsv": ["category_id", "path", "seniority", "job_function", "terms"],
    "boilerplate.tsv": ["sign", "language", "pattern"],
    "code_categories.tsv": ["code", "own", "beside"],
    "colouring.tsv": ["kind", "words"],
    "content_categories.tsv": ["id", "path_v3", "path_v2", "terms", "words"],
    "demographic_priors.tsv": [
        "category_id",
        "path",
        "age_bracket",
        "gender_skew",
        "income_level",
        "education_level",
        "life_stage",
        "household_composition",
        "employment_status",
        "home_ownership",
        "urbanicity",
        "note",
    ],
    "distress.tsv": ["distress", "words", "unless", "never", "unoffered"],
    "filtering_categories.tsv": ["name", "terms", "categories", "unless"],
    "examples.tsv": ["path", "firms", "ages", "kinds", "words"],
    "errands.tsv": ["where", "errand", "content_type", "pattern"],
    "frames.tsv": ["path", "words"],
    "industries.tsv": ["industry", "types", "kinds", "names", "categories"],
    "interests.tsv": ["code", "label", "terms", "needs"],
    "notice_examples.tsv": ["words"],
    "notices.tsv": ["kind", "content_type", "titles", "phrases"],
    "offers.tsv": ["path", "goods", "services"],
    "page_evidence.tsv": ["field", "value", "weight", "terms", "needs", "note"],
    "page_kinds.tsv": ["where", "pattern", "content_type"],
    "page_sides.tsv": ["side", "where", "kind", "pattern"],
    "paper_sections.tsv": ["section", "is_core", "labels"],
    "personas.tsv": ["persona", "category_id", "as", "needs"],
    "price_bands.tsv": ["path", "premium_from", "note"],
    "purchase_intent.tsv": ["code", "label", "terms", "needs"],
    "selling.tsv": ["mark", "language", "pattern"],
    "siblings.tsv": ["id", "path", "decides", "against"],
    "stated_readers.tsv": ["form", "words", "states", "beside", "note"],
    "technologies.tsv": ["name", "category", "where", "pattern"],
    "things.tsv": ["path", "names", "sold"],
    "trades.tsv": ["path", "customers"],
}
KEYS = {
    "attractions.tsv": ("id",),
    "category_needs.tsv": ("path",),
    "b2b_evidence.tsv": ("field", "value", "needs"),
    "b2b_priors.tsv": ("category_id",),
    "boilerplate.tsv": ("sign", "pattern"),
    "code_categories.tsv": ("code",),
    "colouring.tsv": ("kind",),
    "content_categories.tsv": ("id",),
    "demographic_priors.tsv": ("category_id",),
    "distress.tsv": ("distress",),
    "filtering_categories.tsv": ("name",),
    "examples.tsv": ("path", "words"),
    "notice_examples.tsv": ("words",),
    "errands.tsv": ("where", "pattern"),
    "frames.tsv": ("path",),
    "industries.tsv": ("industry",),
    "interests.tsv": ("code",),
    "notices.tsv": ("kind",),
    "offers.tsv": ("path",),
    "page_evidence.tsv": ("field", "value"),
    "page_kinds.tsv": ("where", "pattern"),
    "page_sides.tsv": ("where", "pattern"),
    "paper_sections.tsv": ("section",),
    "personas.tsv": ("persona",),
    "price_bands.tsv": ("path",),
    "purchase_intent.tsv": ("code",),
    "selling.tsv": ("mark", "language"),
    "siblings.tsv": ("id",),
    "stated_readers.tsv": ("form", "words"),
    "technologies.tsv": ("name", "where", "pattern"),
    "things.tsv": ("path",),
    "trades.tsv": ("path",),
}
LEAST_TERMS = {
    "content_categories.tsv": 40,
    "filtering_categories.tsv": 12,
    "interests.tsv": 10,
    "purchase_intent.tsv": 10,
    "b2b_priors.tsv": 5,
    "b2b_evidence.tsv": 3,
    "page_evidence.tsv": 3,
}
WITH_NEEDS = ("interests.tsv", "purchase_intent.tsv")
MORE = [("content_categories.tsv", "words")]
#: Files whose terms are averaged, so that a term and its plural would count twice.
AVERAGED = ("content_categories.tsv", "filtering_categories.tsv", "interests.tsv", "purchase_intent.tsv")
LONGEST_TERM = 4
ONE_VALUE = (
    "gender_skew",
    "income_level",
    "education_level",
    "household_composition",
    "employment_status",
    "home_ownership",
    "urbanicity",
)
SEVERAL_VALUES = ("age_bracket", "life_stage")
#: The interface counts seven levels of education; that adults with primary school alone read a page, none shows.
UNREACHED = {"primary"}
PRIORS = [("demographic_priors.tsv", name) for name in (*ONE_VALUE, *SEVERAL_VALUES)]
PRIORS += [("b2b_priors.tsv", name) for name in ("seniority", "job_function")]
EVIDENCE = ("b2b_evidence.tsv", "page_evidence.tsv")
TAXONOMIES = {"content-v3": "path_v3", "content-v2": "path_v2"}


def key(name, row):
    return tuple(row[column] for column in KEYS[name])


def terms_of(row, column="terms"):
    return row[column].split("; ")


def folded(term):
    return " ".join(words_of(term))


def repeated(things):
    return [thing for thing, count in Counter(things).items() if count > 1]


def too_alike(rows, name):
    """Return pairs of rows of which one shares more than half of its terms with the other."""
    found = []
    for one, other in combinations(rows, 2):
        ours, theirs = ({folded(term) for term in terms_of(row)} for row in (one, other))
        if len(ours & theirs) > min(len(ours), len(theirs)) / 2:
            found.append((key(name, one), key(name, other)))
    return found


def enumerations():
    document = tomllib.loads(FOLDER.joinpath("enumerations.toml").read_text(encoding="utf-8"))
    tables = {"audience_type": document["audience_type"]}
    for block in ("demographics", "b2b", "content_context"):
        tables |= document[block]
    return tables


# Form ---------------------------------------------------------------------------------------------------------------


def test_every_table_of_the_folder_is_known_here():
    assert {entry.name for entry in FOLDER.iterdir() if entry.name.endswith(".tsv")} == set(COLUMNS)


@every("name", COLUMNS)
def test_file_has_its_columns(name):
    header = FOLDER.joinpath(name).read_text(encoding="utf-8").split("\n", 1)[0]
    assert header.split("\t") == COLUMNS[name]


@every("name", COLUMNS)
def test_every_line_has_as_many_cells_as_the_header(name):
    lines = FOLDER.joinpath(name).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    assert [line for line in lines if line.count("\t") != len(COLUMNS[name]) - 1] == []


@every("name", COLUMNS)
def test_cells_have_no_space_around_them_and_no_quotation_marks_of_csv(name):
    cells = [cell for row in knowledge_rows(name) for column, cell in row.items() if column != "pattern"]
    assert [cell for cell in cells if cell != cell.strip() or cell.startswith('"')] == []


@every("name", COLUMNS)
def test_no_row_stands_twice(name):
    assert repeated(key(name, row) for row in knowledge_rows(name)) == []


@every("name", COLUMNS)
def test_required_cells_are_filled(name):
    assert [row for row in knowledge_rows(name) if not all(key(name, row)) or row.get("terms", "-") == ""] == []


# Terms --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LEAST_TERMS)
def test_every_row_has_enough_terms(name):
    few = [key(name, row) for row in knowledge_rows(name) if len(set(terms_of(row))) < LEAST_TERMS[name]]
    assert few == []


@pytest.mark.parametrize("name", LEAST_TERMS)
def test_no_term_stands_twice_in_a_row(name):
    assert [(key(name, row), repeated(terms_of(row))) for row in knowledge_rows(name) if repeated(terms_of(row))] == []


@pytest.mark.parametrize("name", AVERAGED)
def test_no_term_stands_beside_its_own_plural(name):
    found = {key(name, row): repeated(map(folded, terms_of(row))) for row in knowledge_rows(name)}
    assert {place: terms for place, terms in found.items() if terms} == {}


@every(
    ("name", "column"), [*((name, "terms") for name in LEAST_TERMS), *((name, "needs") for name in WITH_NEEDS), *MORE]
)
def test_terms_are_lower_case_single_spaced_and_short(name, column):
    terms = [term for row in knowledge_rows(name) if row[column] for term in terms_of(row, column)]
    odd = [t for t in terms if t != t.lower() or t != " ".join(t.split()) or not 1 <= len(t.split()) <= LONGEST_TERM]
    assert odd == []


@every(
    ("name", "column"), [*((name, "terms") for name in LEAST_TERMS), *((name, "needs") for name in WITH_NEEDS), *MORE]
)
def test_every_term_has_a_word_that_can_be_found_in_a_page(name, column):
    terms = {term for row in knowledge_rows(name) if row[column] for term in terms_of(row, column)}
    assert [term for term in terms if not words_of(term)] == []


@pytest.mark.parametrize("name", LEAST_TERMS)
def test_terms_are_separated_by_a_semicolon_and_a_space_alone(name):
    assert [key(name, row) for row in knowledge_rows(name) if ";" in row["terms"].replace("; ", "")] == []


# Content categories -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("taxonomy", TAXONOMIES)
def test_every_category_of_a_taxonomy_has_terms(taxonomy):
    known = {row["id"] for row in knowledge_rows("content_categories.tsv")}
    assert [category.path for category in Taxonomy.load(taxonomy) if category.id not in known] == []


@pytest.mark.parametrize(("taxonomy", "column"), TAXONOMIES.items())
def test_paths_are_the_taxonomys(taxonomy, column):
    tree = Taxonomy.load(taxonomy)
    rows = knowledge_rows("content_categories.tsv")
    expected = {row["id"]: tree[row["id"]].path if row["id"] in tree else "" for row in rows}
    assert {row["id"]: row[column] for row in rows} == expected


def test_every_content_category_is_of_a_taxonomy():
    assert [row["id"] for row in knowledge_rows("content_categories.tsv") if not row["path_v3"] + row["path_v2"]] == []


@pytest.mark.parametrize("taxonomy", TAXONOMIES)
def test_no_two_sibling_categories_share_more_than_half_their_terms(taxonomy):
    tree, siblings = Taxonomy.load(taxonomy), defaultdict(list)
    for row in knowledge_rows("content_categories.tsv"):
        if row["id"] in tree:
            siblings[tree[row["id"]].parent].append(row)
    assert [pair for rows in siblings.values() for pair in too_alike(rows, "content_categories.tsv")] == []


def test_every_content_category_has_many_further_words():
    few = {row["id"]: len(terms_of(row, "words")) for row in knowledge_rows("content_categories.tsv")}
    assert {identifier: number for identifier, number in few.items() if number < 20} == {}


def test_no_further_word_is_a_term_already_or_stands_twice():
    rows = knowledge_rows("content_categories.tsv")
    found = {row["id"]: repeated([*map(folded, terms_of(row)), *map(folded, terms_of(row, "words"))]) for row in rows}
    assert {identifier: words for identifier, words in found.items() if words} == {}


@pytest.mark.parametrize(("name", "tables"), [(n, t) for n, (t, _) in MATCHERS.items()])
def test_compiled_matcher_is_made_from_the_tables_as_they_are(name, tables):
    assert is_compiled(name, tables), "run python -m toolkit.service.knowledge"


@pytest.mark.parametrize(("name", "entries"), [(n, e) for n, (_, e) in MATCHERS.items()])
def test_compiled_matcher_is_the_one_that_the_tables_give(name, entries):
    read, built = load_matcher(name, MATCHERS[name][0], entries), Matcher.built(entries())
    text = "Fold the flour into the egg whites, then bake the sponge cake; a used car with a new gearbox."
    assert read.ids == built.ids
    np.testing.assert_allclose(read.score([text]), built.score([text]), atol=1e-5)


def test_attraction_is_known_of_every_category_and_code():
    known = [row["id"] for row in knowledge_rows("attractions.tsv")]
    entries = {"content_categories.tsv": "id", "filtering_categories.tsv": "name"}
    entries |= dict.fromkeys(("interests.tsv", "purchase_intent.tsv"), "code")
    assert known == [row[column] for name, column in entries.items() for row in knowledge_rows(name)]


def test_attractions_are_measures_around_their_middle():
    rows = knowledge_rows("attractions.tsv")
    assert abs(sum(float(row["meaning"]) for row in rows)) < 0.1
    assert all(0 <= float(row["terms"]) < 100 for row in rows)


def test_there_are_58_filtering_categories():
    assert len(knowledge_rows("filtering_categories.tsv")) == 58


def test_filtering_categories_name_content_categories_of_the_taxonomy():
    paths = {category.path for category in Taxonomy.load("content-v3")}
    named = [path for row in knowledge_rows("filtering_categories.tsv") for path in row["categories"].split("; ")]
    assert {*named} - {""} <= paths
    unless = {row["name"]: listed(row["unless"]) for row in knowledge_rows("filtering_categories.tsv")}
    assert {path for exceptions in unless.values() for path in exceptions} <= paths
    assert len({path for path in named if path and " > " not in path}) > 30


def test_no_two_filtering_categories_share_more_than_half_their_terms():
    assert too_alike(knowledge_rows("filtering_categories.tsv"), "filtering_categories.tsv") == []


# Frames -------------------------------------------------------------------------------------------------------------


def frames():
    """Return the folded words of the frame of each category."""
    return {row["path"]: list(map(folded, terms_of(row, "words"))) for row in knowledge_rows("frames.tsv")}


def test_frames_are_of_categories_of_the_taxonomy():
    assert frames().keys() <= {category.path for category in Taxonomy.load("content-v3")}


def test_words_of_frames_can_be_found_and_stand_once_in_a_line_of_categories():
    places = defaultdict(list)
    for path, words in frames().items():
        for word in words:
            places[word].append(path)
    assert [word for word in places if not 1 <= len(word.split()) <= 3] == []
    lines = {
        word: paths
        for word, paths in places.items()
        if any(not max(pair, key=len).startswith(f"{min(pair, key=len)} > ") for pair in combinations(paths, 2))
    }
    assert lines == {}


def test_no_word_of_a_frame_is_the_name_of_a_thing():
    things = {
        folded(name) for row in knowledge_rows("things.tsv") for c in ("names", "sold") for name in listed(row[c])
    }
    found = {path: [word for word in words if " " not in word and word in things] for path, words in frames().items()}
    assert {path: words for path, words in found.items() if words} == {}


# Codes --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "prefix", "groups", "members"),
    [("interests.tsv", "INT", 29, 285), ("purchase_intent.tsv", "PI", 34, 283)],
)
def test_codes_are_as_many_as_the_interface_says(name, prefix, groups, members):
    depths = Counter((row["code"].split(".")[0], row["code"].count(".")) for row in knowledge_rows(name))
    assert depths == {(prefix, 1): groups, (prefix, 2): members}


@pytest.mark.parametrize("name", WITH_NEEDS)
def test_codes_have_the_form_of_codes(name):
    assert [row["code"] for row in knowledge_rows(name) if not CODE_PATTERN.match(row["code"])] == []


@pytest.mark.parametrize("name", WITH_NEEDS)
def test_members_stand_right_below_their_group(name):
    group = None
    for row in knowledge_rows(name):
        if row["code"].count(".") == 1:
            group = row["code"]
        assert row["code"].startswith(f"{group}.") or row["code"] == group


@pytest.mark.parametrize("name", WITH_NEEDS)
def test_labels_are_names_for_people(name):
    assert [row for row in knowledge_rows(name) if not row["label"] or CODE_PATTERN.match(row["label"])] == []


@pytest.mark.parametrize("name", WITH_NEEDS)
def test_no_label_stands_twice_in_a_group(name):
    labels = [(row["code"].split(".")[1], row["label"]) for row in knowledge_rows(name) if row["code"].count(".") > 1]
    assert repeated(labels) == []


@pytest.mark.parametrize("name", WITH_NEEDS)
def test_no_two_codes_of_a_group_share_more_than_half_their_terms(name):
    siblings = defaultdict(list)
    for row in knowledge_rows(name):
        siblings[row["code"].rsplit(".", 1)[0]].append(row)
    assert [pair for rows in siblings.values() for pair in too_alike(rows, name)] == []


def test_every_group_says_in_which_categories_its_codes_make_sense():
    known = {row["code"]: row for row in knowledge_rows("code_categories.tsv")}
    codes = {row["code"] for name in WITH_NEEDS for row in knowledge_rows(name)}
    assert known.keys() <= codes
    assert [code for code in codes if code.count(".") == 1 and code not in known] == []
    assert [code for code, row in known.items() if not (row["own"] or row["beside"])] == []


def test_categories_of_codes_are_of_the_taxonomy_and_stand_once_a_row():
    tree = Taxonomy.load("content-v3")
    rows = [(row["code"], listed(row["own"]) + listed(row["beside"])) for row in knowledge_rows("code_categories.tsv")]
    assert [(code, paths) for code, paths in rows if repeated(paths)] == []
    assert all(tree.by_path(path) for _, paths in rows for path in paths)


def test_a_category_is_the_own_of_one_group_of_interests_at_most():
    rows = knowledge_rows("code_categories.tsv")
    groups = [row for row in rows if row["code"].startswith("INT.") and row["code"].count(".") == 1]
    assert repeated(path for row in groups for path in listed(row["own"])) == []


def test_every_offer_is_a_purchase_intent_and_stands_once_a_cell():
    codes = {row["code"] for row in knowledge_rows("purchase_intent.tsv") if is_member(row["code"])}
    cells = [listed(row[offer]) for row in knowledge_rows("offers.tsv") for offer in ("goods", "services")]
    assert [cell for cell in cells if not cell or repeated(cell) or "none" in cell[1:]] == []
    assert {code for cell in cells for code in cell} <= codes | {"none"}


def test_offers_are_of_the_taxonomy():
    tree = Taxonomy.load("content-v3")
    assert all(tree.by_path(row["path"]) for row in knowledge_rows("offers.tsv"))


def test_every_intent_but_apps_and_notices_to_the_public_is_offered_by_some_category():
    codes = {row["code"] for row in knowledge_rows("purchase_intent.tsv") if is_member(row["code"])}
    offered = {
        code for row in knowledge_rows("offers.tsv") for offer in ("goods", "services") for code in listed(row[offer])
    }
    left = {code for code in codes - offered if not code.startswith("PI.APPS.")}
    assert left == {"PI.NON_PROFITS.PSAS"}


@pytest.mark.parametrize("name", EVIDENCE)
def test_evidence_needs_its_words_alone_or_a_category_too(name):
    assert {row["needs"] for row in knowledge_rows(name)} <= {"words", "category"}


# Enumerations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "count"),
    [("age_bracket", 8), ("gender_skew", 5), ("income_level", 6), ("education_level", 7), ("life_stage", 14)],
)
def test_enumeration_has_as_many_values_as_the_interface_says(field, count):
    assert len(enumerations()[field]["values"]) == count


def test_vocabulary_version_is_major_and_minor():
    document = tomllib.loads(FOLDER.joinpath("enumerations.toml").read_text(encoding="utf-8"))
    assert re.fullmatch(r"\d+\.\d+", document["vocab_version"])


def test_the_vocabulary_of_the_service_is_the_one_that_a_client_reads_from_its_document():
    own, read = service_vocabulary(), Vocabulary.parse(filters_document())
    assert own == read
    assert (list(own.codes), list(own.values), own.raw) == (list(read.codes), list(read.values), read.raw)
    assert own.problems() == read.problems() == ()


def test_age_brackets_are_written_low_to_high_and_join_without_a_gap():
    bounds = [tuple(map(int, value.split("_"))) for value in enumerations()["age_bracket"]["values"]]
    assert all(low < high for low, high in bounds)
    assert [low for low, _ in bounds[1:]] == [high + 1 for _, high in bounds[:-1]]


def test_company_sizes_join_without_a_gap():
    bounds = [value.split("_") for value in enumerations()["company_size_employees"]["values"]]
    assert bounds[-1][1] == "plus"
    assert [int(low) for low, _ in bounds[1:]] == [int(high) + 1 for _, high in bounds[:-1]]


@every("field", enumerations())
def test_enumeration_has_a_label_and_labels_each_value_differently(field):
    table = enumerations()[field]
    assert table["label"]
    assert all(table["values"].values())
    assert repeated(table["values"].values()) == []


@every("field", enumerations())
def test_enumeration_is_in_the_services_vocabulary(vocabulary, field):
    assert vocabulary.values[field] == enumerations()[field]["values"]


# Priors and evidence ------------------------------------------------------------------------------------------------


@every(("name", "column"), PRIORS)
def test_values_of_priors_are_enumerated(name, column):
    known = enumerations()[column]["values"]
    assert [(key(name, row), v) for row in knowledge_rows(name) for v in row[column].split() if v not in known] == []


@every(("name", "column"), PRIORS)
def test_no_value_of_a_prior_stands_twice(name, column):
    assert [key(name, row) for row in knowledge_rows(name) if repeated(row[column].split())] == []


@pytest.mark.parametrize("column", ONE_VALUE)
def test_field_with_one_value_has_no_more_in_its_prior(column):
    name = "demographic_priors.tsv"
    assert [key(name, row) for row in knowledge_rows(name) if len(row[column].split()) > 1] == []


def test_ages_of_a_prior_are_two_or_three_neighbours():
    brackets = list(enumerations()["age_bracket"]["values"])
    for row in knowledge_rows("demographic_priors.tsv"):
        places = sorted(brackets.index(name) for name in row["age_bracket"].split())
        assert not places or (len(places) in (2, 3) and places[-1] - places[0] == len(places) - 1), row


def test_statements_are_of_enumerated_values():
    known = {field: set(table["values"]) for field, table in enumerations().items()} | {
        "audience_type": {"b2b", "mixed"}
    }
    for row in knowledge_rows("stated_readers.tsv"):
        for cell in filter(None, [*row["states"].split("; "), *row["beside"].split("; ")]):
            field, _, values = cell.partition("=")
            assert set(values.split(",")) <= known[field], row


def test_forms_of_statements_are_known():
    known = {"for", "whose", "named", "is", "head", "own", "you", "trade", "plain", "titled", "hint", "talk", "price"}
    assert {form for row in knowledge_rows("stated_readers.tsv") for form in row["form"].split()} == known


@pytest.mark.parametrize("name", ["demographic_priors.tsv", "b2b_priors.tsv"])
def test_priors_name_their_category_by_id_and_path(name):
    tree = Taxonomy.load("content-v3")
    assert [row for row in knowledge_rows(name) if tree[row["category_id"]].path != row["path"]] == []


def test_every_category_has_a_prior_of_its_own_or_above():
    tree, known = Taxonomy.load("content-v3"), {row["category_id"] for row in knowledge_rows("demographic_priors.tsv")}
    without = [c.path for c in tree if not known & {c.id, *(above.id for above in tree.ancestors(c.id))}]
    assert without == []


def test_every_business_prior_speaks_of_seniority_or_function():
    assert [row for row in knowledge_rows("b2b_priors.tsv") if not (row["seniority"] or row["job_function"])] == []


def test_who_goes_to_a_trade_fair_is_of_the_trade():
    rows = {row["path"]: row for row in knowledge_rows("b2b_priors.tsv")}
    assert rows["Events > Business Expos & Conferences"]["job_function"] == ""


@pytest.mark.parametrize("column", [*ONE_VALUE, *SEVERAL_VALUES])
def test_every_demographic_value_can_be_reached(column):
    priors = {value for row in knowledge_rows("demographic_priors.tsv") for value in row[column].split()}
    evidence = {row["value"] for row in knowledge_rows("page_evidence.tsv") if row["field"] == column}
    assert set(enumerations()[column]["values"]) - priors - evidence <= UNREACHED


@pytest.mark.parametrize("name", EVIDENCE)
def test_values_of_evidence_are_enumerated(name):
    known = {field: set(table["values"]) for field, table in enumerations().items()}
    known["audience_type"] = {"b2b", "b2c"}
    assert [key(name, row) for row in knowledge_rows(name) if row["value"] not in known[row["field"]]] == []


@pytest.mark.parametrize("name", EVIDENCE)
def test_weights_of_evidence_are_above_0_and_at_most_1(name):
    assert [key(name, row) for row in knowledge_rows(name) if not 0 < float(row["weight"]) <= 1] == []


@pytest.mark.parametrize("name", [*EVIDENCE, "demographic_priors.tsv"])
def test_every_assumption_has_a_note(name):
    assert [key(name, row) for row in knowledge_rows(name) if not row["note"]] == []


@pytest.mark.parametrize("name", EVIDENCE)
def test_no_word_speaks_for_two_values_of_a_field_that_has_one(name):
    owners = defaultdict(set)
    for row in knowledge_rows(name):
        if row["field"] in (*ONE_VALUE, "audience_type", "company_size_employees"):
            for term in terms_of(row):
                owners[row["field"], folded(term)].add(row["value"])
    assert {term: values for term, values in owners.items() if len(values) > 1} == {}


# Kinds of pages -----------------------------------------------------------------------------------------------------


def test_kinds_of_pages_are_enumerated_and_their_patterns_compile():
    known = enumerations()["content_type"]["values"]
    rows = knowledge_rows("page_kinds.tsv")
    assert [row for row in rows if row["content_type"] not in known] == []
    assert {row["where"] for row in rows} == {"path", "query", "host", "generator", "title"}
    assert all(re.compile(row["pattern"], re.IGNORECASE) for row in rows)


# Prices -------------------------------------------------------------------------------------------------------------


def test_price_bands_name_categories_of_the_taxonomy():
    paths = {category.path for category in Taxonomy.load("content-v3")}
    assert {row["path"] for row in knowledge_rows("price_bands.tsv")} <= paths


def test_price_bands_are_amounts_or_say_that_sums_are_no_prices():
    for row in knowledge_rows("price_bands.tsv"):
        assert row["premium_from"] == "-" or float(row["premium_from"]) > 0, row


# Personas -----------------------------------------------------------------------------------------------------------


def test_there_are_at_least_300_personas():
    assert len(knowledge_rows("personas.tsv")) >= 300


def test_no_persona_stands_twice_in_another_spelling():
    assert repeated(row["persona"].casefold() for row in knowledge_rows("personas.tsv")) == []


def test_personas_are_mapped_from_categories_that_exist():
    tree = Taxonomy.load("content-v3")
    assert [row for row in knowledge_rows("personas.tsv") if row["category_id"] not in tree] == []


def test_every_top_category_has_a_persona_or_a_part_that_has_one():
    taxonomy, mapped = Taxonomy.load("content-v3"), {row["category_id"] for row in knowledge_rows("personas.tsv")}
    silent = [
        top for top in taxonomy.tier(1) if not any(of.id in mapped for of in (top, *taxonomy.descendants(top.id)))
    ]
    # Everybody speaks and writes to others.
    assert [top.path for top in silent] == ["Communication"]


# Technologies -------------------------------------------------------------------------------------------------------

TECHNOLOGIES = knowledge_rows("technologies.tsv")


def test_every_pattern_compiles():
    broken = []
    for row in TECHNOLOGIES:
        try:
            re.compile(row["pattern"], re.IGNORECASE | re.MULTILINE)
        except re.error as error:
            broken.append((row["name"], row["pattern"], str(error)))
    assert broken == []


def test_every_side_of_a_page_has_names_and_headings_that_compile():
    rows = knowledge_rows("page_sides.tsv")
    assert {row["where"] for row in rows} == {"name", "heading"}
    assert {row["side"] for row in rows} == {
        "comments",
        "aside",
        "bar",
        "teasers",
        "entries",
        "nav",
        "footer",
        "header",
    }
    for row in rows:
        assert not re.compile(row["pattern"]).fullmatch("")


def test_every_kind_of_boilerplate_has_a_sign_in_small_letters_and_a_look_that_compiles():
    for row in knowledge_rows("boilerplate.tsv"):
        assert row["sign"] == row["sign"].lower().strip() != ""
        assert not re.compile(row["pattern"], re.IGNORECASE).fullmatch("")


def test_there_are_at_least_150_technologies():
    assert len({row["name"] for row in TECHNOLOGIES}) >= 150


def test_no_technology_stands_in_two_spellings():
    assert repeated(name.casefold() for name in {row["name"] for row in TECHNOLOGIES}) == []


def test_technology_has_one_category():
    found = defaultdict(set)
    for row in TECHNOLOGIES:
        found[row["name"]].add(row["category"])
    assert {name: categories for name, categories in found.items() if len(categories) != 1} == {}


def test_places_are_known_and_lower_case():
    place = re.compile(r"script|html|cookie|(?:meta|header):[a-z0-9:._-]+")
    assert [row for row in TECHNOLOGIES if not place.fullmatch(row["where"])] == []


@pytest.mark.parametrize("text", ["", "\n", "<html><head></head><body><p>Good morning.</p></body></html>"])
def test_no_pattern_finds_a_technology_in_a_page_without_any(text):
    rows = [row for row in TECHNOLOGIES if not row["where"].startswith(("meta:", "header:"))]
    assert [row["name"] for row in rows if re.search(row["pattern"], text, re.IGNORECASE | re.MULTILINE)] == []


def test_every_industry_of_the_vocabulary_is_known_by_what_its_companies_are_called(vocabulary):
    rows = knowledge_rows("industries.tsv")
    assert {row["industry"] for row in rows} == set(vocabulary.values["industry"])
    assert [row["industry"] for row in rows if not row["kinds"] or not row["categories"]] == []


def test_a_kind_of_company_is_of_one_industry():
    assert repeated(kind for row in knowledge_rows("industries.tsv") for kind in row["kinds"].split("; ")) == []


def test_the_categories_of_an_industry_are_of_the_taxonomy():
    known = {row["path_v3"] for row in knowledge_rows("content_categories.tsv")}
    paths = {path for row in knowledge_rows("industries.tsv") for path in row["categories"].split("; ")}
    assert paths - known == set()
