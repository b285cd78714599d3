"""The content taxonomy, versions 2 and 3, and the files that hold it."""

import csv
import hashlib
import pickle
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.interface import taxonomy
from toolkit.interface.errors import DataError, UnknownCodeError
from toolkit.interface.taxonomy import PATH_SEPARATOR, TAXONOMIES, Taxonomy

DATA = Path(str(files("toolkit.interface.data")))
SHARED = Path(__file__).parents[3] / "shared"
SOURCES = tomllib.loads((DATA / "sources.toml").read_text(encoding="utf-8"))

NAMES = sorted(TAXONOMIES)
SMALL = [("1", "", "Pets"), ("2", "1", "Dogs"), ("3", "1", "Cats"), ("4", "2", "Poodles"), ("5", "", "Cats")]


def unknown(action, *arguments):
    with pytest.raises(UnknownCodeError) as caught:
        action(*arguments)
    return caught.value


def test_public_names_are_sorted_and_there():
    assert sorted(taxonomy.__all__) == sorted(set(taxonomy.__all__))
    assert all(hasattr(taxonomy, name) for name in taxonomy.__all__)


@pytest.mark.parametrize(("name", "tiers"), [("content-v3", [37, 322, 275, 69]), ("content-v2", [29, 342, 267, 60])])
def test_a_bundled_taxonomy_has_its_published_tiers(name, tiers):
    loaded = Taxonomy.load(name)
    assert [len(loaded.tier(number)) for number in (1, 2, 3, 4)] == tiers
    assert (len(loaded), loaded.depth) == (sum(tiers), 4)


def test_version_3_has_703_categories_and_version_2_has_698():
    assert (len(Taxonomy.load("content-v3")), len(Taxonomy.load("content-v2"))) == (703, 698)


def test_the_versions_share_672_identifiers():
    v3, v2 = ({category.id for category in Taxonomy.load(name)} for name in ("content-v3", "content-v2"))
    assert len(v3 & v2) == 672


def test_95_shared_identifiers_stand_below_another_top_category_in_version_3():
    v3, v2 = Taxonomy.load("content-v3"), Taxonomy.load("content-v2")
    moved = [category for category in v3 if category.id in v2 and v2[category.id].levels[0] != category.levels[0]]
    assert len(moved) == 95


def test_version_3_is_what_is_loaded_unless_another_is_named():
    assert Taxonomy.load().name == "content-v3"


def test_every_data_file_has_its_source():
    assert {path.name for path in DATA.glob("*.*") if path.suffix in {".tsv", ".csv", ".json", ".gz"}} == set(SOURCES)


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_a_data_file_has_the_hash_its_source_states(name):
    assert hashlib.sha256((DATA / name).read_bytes()).hexdigest() == SOURCES[name]["sha256"]


@pytest.mark.parametrize("name", sorted(name for name in SOURCES if name.endswith(".tsv")))
def test_a_data_file_has_the_rows_its_source_states(name):
    with (DATA / name).open(encoding="utf-8", newline="") as lines:
        assert len(list(csv.DictReader(lines, delimiter="\t"))) == SOURCES[name]["rows"]


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_a_data_file_states_source_licence_and_changes(name):
    assert all(SOURCES[name][key].strip() for key in ("source", "licence", "changes"))


if SHARED.exists():

    @pytest.mark.parametrize("name", NAMES)
    def test_a_bundled_taxonomy_agrees_with_the_reference(name):
        with (SHARED / "reference" / TAXONOMIES[name]).open(encoding="utf-8", newline="") as lines:
            published = [(row["id"], row["parent"], row["name"]) for row in csv.DictReader(lines, delimiter="\t")]
        assert [(category.id, category.parent or "", category.name) for category in Taxonomy.load(name)] == published


@pytest.mark.parametrize("name", NAMES)
def test_no_name_or_identifier_has_space_around_it_or_is_empty(name):
    texts = [text for category in Taxonomy.load(name) for text in (category.id, category.name)]
    assert all(text and text == text.strip() for text in texts)


@pytest.mark.parametrize("name", NAMES)
def test_no_name_holds_the_path_separator(name):
    assert not [category for category in Taxonomy.load(name) if ">" in category.name]


@pytest.mark.parametrize("name", NAMES)
def test_every_category_is_found_by_its_path(name):
    loaded = Taxonomy.load(name)
    assert all(loaded.by_path(category.path) is loaded[category.id] for category in loaded)


@pytest.mark.parametrize("name", NAMES)
def test_every_category_is_among_those_of_its_name(name):
    loaded = Taxonomy.load(name)
    assert all(category in loaded.by_name(category.name) for category in loaded)


@pytest.mark.parametrize("name", NAMES)
def test_every_category_stands_one_tier_below_its_parent(name):
    loaded = Taxonomy.load(name)
    assert all(category.tier == (loaded[category.parent].tier + 1 if category.parent else 1) for category in loaded)


@pytest.mark.parametrize("name", NAMES)
def test_every_category_is_a_child_of_its_parent_once(name):
    loaded = Taxonomy.load(name)
    parents = [None, *(category.id for category in loaded)]
    children = [child for parent in parents for child in loaded.children(parent)]
    assert sorted(child.id for child in children) == sorted(category.id for category in loaded)


@pytest.mark.parametrize("name", NAMES)
def test_every_category_is_its_own_best_hit(name):
    loaded = Taxonomy.load(name)
    assert all(
        loaded.search(category.path, 1)[0].path.lower() == category.path.lower() for category in list(loaded)[::7]
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_levels_are_the_names_of_the_ancestors_and_the_own(name):
    loaded = Taxonomy.load(name)
    assert all(
        category.levels == (*(above.name for above in loaded.ancestors(category.id)), category.name)
        for category in loaded
    )


def test_a_taxonomy_is_read_once():
    assert Taxonomy.load("content-v3") is Taxonomy.load("content-v3")


def test_an_unknown_taxonomy_is_refused_with_those_there_are():
    assert str(unknown(Taxonomy.load, "content-v4")) == (
        "'content-v4' is not in the bundled taxonomies. Choose content-v3 or content-v2."
    )


def test_an_unknown_identifier_is_refused_with_the_nearest():
    error = unknown(Taxonomy.load("content-v3").__getitem__, "JLBCU8")
    assert (error.code, error.nearest[0]) == ("JLBCU8", "JLBCU7")


def test_the_message_of_an_unknown_identifier_is_complete():
    small = Taxonomy("small", [("JLBCU7", "", "Pets"), ("JLBCU9", "", "Dogs")])
    assert str(unknown(small.__getitem__, "JLBCU8")) == (
        "'JLBCU8' is not in taxonomy 'small' (2 categories). Nearest: JLBCU7, JLBCU9. "
        "Check the spelling or search for it."
    )


def test_an_identifier_like_none_there_is_gets_no_hint():
    assert str(unknown(Taxonomy("small", SMALL).__getitem__, "9")) == (
        "'9' is not in taxonomy 'small' (5 categories). Nothing is spelt like it; search for it."
    )


def test_an_identifier_given_as_a_number_is_not_called_unknown_and_nearest_at_once():
    error = unknown(Taxonomy.load("content-v3").__getitem__, 150)
    assert "must be text" in str(error)


def test_an_unknown_path_is_refused_with_the_nearest():
    error = unknown(Taxonomy.load("content-v3").by_path, "Pets > Dog")
    assert error.nearest[0] == "Pets > Dogs"


def test_an_unknown_name_is_refused_with_the_nearest():
    error = unknown(Taxonomy.load("content-v3").by_name, "Dogz")
    assert error.nearest[0] == "Dogs"


@pytest.mark.parametrize("method", ["children", "ancestors", "descendants"])
def test_relatives_of_an_unknown_identifier_are_refused(method):
    assert unknown(getattr(Taxonomy.load("content-v3"), method), "nope").code == "nope"


@pytest.mark.parametrize("path", ["Pets > Dogs", "pets>dogs", " PETS  >  Dogs ", "Pets >Dogs"])
def test_case_and_spacing_of_a_path_do_not_matter(path):
    assert Taxonomy.load("content-v3").by_path(path).name == "Dogs"


def test_a_name_that_stands_in_several_places_gives_them_all():
    assert [category.path for category in Taxonomy("small", SMALL).by_name("CATS")] == ["Pets > Cats", "Cats"]


def test_children_of_none_stand_at_the_top():
    assert [category.id for category in Taxonomy("small", SMALL).children(None)] == ["1", "5"]


def test_a_category_without_children_has_none():
    assert Taxonomy("small", SMALL).children("4") == ()


def test_descendants_are_everything_below():
    assert {category.id for category in Taxonomy("small", SMALL).descendants("1")} == {"2", "3", "4"}


def test_ancestors_run_from_the_top_down():
    assert [category.id for category in Taxonomy("small", SMALL).ancestors("4")] == ["1", "2"]


def test_a_tier_that_is_not_there_is_empty():
    assert Taxonomy("small", SMALL).tier(4) == ()


def test_categories_come_in_the_order_of_the_file():
    assert [category.id for category in Taxonomy("small", SMALL)] == ["1", "2", "3", "4", "5"]


def test_a_parent_may_stand_after_its_child():
    assert Taxonomy("small", reversed(SMALL))["4"].path == "Pets > Dogs > Poodles"


def test_an_empty_taxonomy_has_no_depth():
    empty = Taxonomy("none", [])
    assert (len(empty), empty.depth, empty.search("pets")) == (0, 0, ())


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("1", "", "A"), ("1", "", "B")], "Taxonomy 'x' has an identifier twice. Restore the file."),
        ([("1", "2", "A")], "Taxonomy 'x': '1' has the parent '2', which is not there."),
        ([("1", "1", "A")], "Taxonomy 'x': the parents of '1' form a circle."),
        ([("1", "2", "A"), ("2", "1", "B")], "Taxonomy 'x': the parents of '1' form a circle."),
        ([("0", "1", "0"), ("1", "2", "A"), ("2", "1", "B")], "Taxonomy 'x': the parents of '0' form a circle."),
    ],
)
def test_rows_that_form_no_tree_are_refused(rows, message):
    with pytest.raises(DataError) as caught:
        Taxonomy("x", rows)
    assert str(caught.value) == message


@given(st.lists(st.tuples(*[st.sampled_from(["", "1", "2", "3", "4"])] * 2, st.text(max_size=3)), max_size=6))
def test_any_rows_form_a_tree_or_are_refused(rows):
    try:
        built = Taxonomy("x", rows)
    except DataError:
        return
    assert len(built) == len(rows)
    assert all(len(built.ancestors(category.id)) == category.tier - 1 for category in built)


def test_identifiers_are_contained_as_text():
    loaded = Taxonomy.load("content-v3")
    assert ("150" in loaded, "JLBCU7" in loaded, 150 in loaded, "" in loaded) == (True, True, False, False)


def test_a_search_finds_a_part_of_a_name_first():
    assert Taxonomy.load("content-v3").search("dogs")[0].path == "Pets > Dogs"


def test_a_search_gives_no_more_than_asked_for():
    assert len(Taxonomy.load("content-v3").search("sports", 3)) == 3


@given(st.text(max_size=30))
def test_any_search_text_gives_categories_of_the_taxonomy(text):
    loaded = Taxonomy.load("content-v2")
    assert all(hit.id in loaded for hit in loaded.search(text, 5))


def test_the_representation_is_one_line():
    assert repr(Taxonomy.load("content-v2")) == "<Taxonomy content-v2: 698 categories in 4 tiers>"


def test_a_category_cannot_be_changed():
    category = Taxonomy.load("content-v3")["150"]
    with pytest.raises(AttributeError):
        category.name = "Other"
    assert category.name == "Attractions"


def test_a_taxonomy_survives_pickling():
    loaded = Taxonomy.load("content-v2")
    assert list(pickle.loads(pickle.dumps(loaded))) == list(loaded)


def test_a_path_joins_the_levels():
    category = Taxonomy.load("content-v3")["151"]
    assert category.path == PATH_SEPARATOR.join(category.levels) == "Attractions > Amusement and Theme Parks"
