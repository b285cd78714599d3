"""Coverage: every node of a taxonomy with the sites that show it, whatever is seen of it."""

import sys

import numpy as np
import pandas as pd
import pytest
from cases import every
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal
from saved_runs import failing
from scipy.stats import entropy

from toolkit.findings import shares, unseen
from toolkit.findings.coverage import (
    compare_versions,
    concentration,
    coverage,
    coverage_by_group,
    coverage_by_tier,
    gaps,
)
from toolkit.frames.about import about
from toolkit.frames.schemas import CONFIDENCE
from toolkit.interface.errors import InputError, UnknownCodeError
from toolkit.interface.taxonomy import Taxonomy

TAXONOMIES = ("content-v3", "content-v2")
COVERED = (*TAXONOMIES, "interest", "purchase_intent")
COLUMNS = {
    "taxonomy": "str",
    "id": "str",
    "parent": "str",
    "name": "str",
    "tier": "int64",
    "level_1": "str",
    "level_2": "str",
    "level_3": "str",
    "level_4": "str",
    "path": "str",
    "sites": "int64",
    "direct": "int64",
    "share": "float64",
    "seen": "bool",
    "clusters": "int64",
    "value": "int64",
    "value_nodes": "int64",
    "below": "int64",
}
#: Attractions, two of its children, Automotive with a branch of three tiers, and ids that nothing has.
IDS = ["150", "151", "179", "1", "2", "3", "16", "no-such-id", "also unknown"]
SITES = ["a.example", "b.example", "c.example", "d.example"]
ROWS = st.lists(st.tuples(st.sampled_from(SITES), st.sampled_from(IDS), st.sampled_from([0.1, 0.5, 0.9, None])))


def categories(rows, taxonomy="content-v3", **columns):
    """A categories frame of (site, id, confidence)."""
    frame = pd.DataFrame(rows, columns=["target", "id", "confidence"])
    frame = frame.astype({"target": "str", "id": "str", "confidence": "float64"})
    return frame.assign(normal=frame["target"], taxonomy=taxonomy, error=None, **columns).astype({"error": "str"})


def codes(rows):
    """A codes frame of (site, dimension, code, confidence)."""
    frame = pd.DataFrame(rows, columns=["target", "dimension", "code", "confidence"])
    frame = frame.astype({"target": "str", "code": "str", "confidence": CONFIDENCE})
    return frame.assign(normal=frame["target"], error=None).astype({"error": "str"})


def number(covered, identifier, column="sites"):
    return covered.set_index("id").loc[identifier, column]


@pytest.fixture(scope="session")
def answers(client):
    """The frames of some sample sites, one of which fails."""
    sites = ["torque-journal", "ledgerline", "trailhead-outfitters", "cityherald-news", "azure-cove-resort", "nowhere"]
    run = client.ask([f"{site}.example" for site in sites], ["segment", "categorize_content", "enrich"])
    return {"codes": run.codes(), "categories": run.categories()}


@pytest.fixture
def cover(answers, vocabulary):
    def cover(taxonomy, **options):
        frame = answers["categories" if taxonomy in TAXONOMIES else "codes"]
        return coverage(frame, taxonomy, vocabulary=vocabulary, **options)

    return cover


@pytest.mark.parametrize("taxonomy", COVERED)
def test_every_node_has_one_row_after_its_parent(cover, vocabulary, taxonomy):
    covered = cover(taxonomy)
    if taxonomy in TAXONOMIES:
        known = {node.id: (node.parent, node.name, node.path, node.tier) for node in Taxonomy.load(taxonomy)}
    else:
        kinds = [code for code in vocabulary.codes.values() if code.kind == taxonomy]
        known = {
            code.code: (None, code.label, code.label, 1)
            if code.is_group
            else (code.group, code.label, f"{vocabulary.label(code.group)} > {code.label}", 2)
            for code in kinds
        }
    assert covered["id"].is_unique
    rows = covered[["id", "parent", "name", "path", "tier"]].astype(object).replace({np.nan: None})
    assert {row[0]: tuple(row[1:]) for row in rows.to_numpy().tolist()} == known
    places = {identifier: place for place, identifier in enumerate(covered["id"])}
    parents = covered["parent"].dropna()
    assert all(places[parent] < place for place, parent in parents.items())


@pytest.mark.parametrize("taxonomy", COVERED)
def test_columns_and_dtypes_are_the_same_for_none_one_and_many_rows(answers, vocabulary, taxonomy):
    frame = answers["categories" if taxonomy in TAXONOMIES else "codes"]
    for part in (frame.iloc[:0], frame.iloc[:1], frame[frame["error"].notna()], frame):
        covered = coverage(part, taxonomy, vocabulary=vocabulary)
        assert {name: str(dtype) for name, dtype in covered.dtypes.items()} == COLUMNS
        assert covered["share"].isna().all() == (covered.attrs["about"]["sites"] == 0)


@pytest.mark.parametrize("taxonomy", COVERED)
def test_hierarchy_of_real_answers_is_sound(cover, taxonomy):
    covered = cover(taxonomy)
    assert covered["seen"].any()
    assert not covered["seen"].all()
    check_hierarchy(covered)


def check_hierarchy(covered):
    by_id = covered.set_index("id")
    children = covered.dropna(subset="parent")
    above = by_id.loc[children["parent"]]
    assert (above["sites"].to_numpy() >= children["sites"].to_numpy()).all()
    sums = children.groupby("parent")[["value", "value_nodes"]].sum()
    rest = by_id.loc[sums.index, ["value", "value_nodes"]] - sums
    assert (rest["value"] == by_id.loc[sums.index, "direct"]).all()
    assert (rest["value_nodes"] == 0).all()
    leaves = ~covered["id"].isin(children["parent"])
    assert (covered.loc[leaves, "value_nodes"] == 1).all()
    assert (covered.loc[leaves, "direct"] == covered.loc[leaves, "sites"]).all()
    assert (covered["value"] >= covered["sites"]).all()
    assert ((covered["value"] > 0) == covered["seen"]).all()
    assert (covered["seen"] == (covered["sites"] > 0)).all()
    assert (covered["value_nodes"] > 0).all()
    assert covered.loc[covered["tier"] == 1, "value_nodes"].sum() == leaves.sum()
    assert covered.loc[covered["tier"] == 1, "below"].sum() == len(covered) - (covered["tier"] == 1).sum()


@given(rows=ROWS, threshold=st.sampled_from([0.0, 0.5, 0.6]))
@settings(max_examples=25)
def test_counts_are_those_of_sets_of_sites(rows, threshold):
    covered = coverage(categories(rows), threshold=threshold)
    taxonomy = Taxonomy.load()
    shown = {
        (site, identifier)
        for site, identifier, sure in rows
        if threshold == 0 or (sure is not None and sure >= threshold)
    }
    n = len({site for site, *_ in rows})
    for identifier in ("150", "151", "179", "180", "1", "2", "3", "16"):
        below = {category.id for category in taxonomy.descendants(identifier)}
        with_it = {site for site, found in shown if found == identifier}
        with_more = {site for site, found in shown if found in below}
        assert number(covered, identifier) == len(with_it | with_more)
        assert number(covered, identifier, "direct") == len(with_it - with_more)
        assert number(covered, identifier, "below") == len(below)
        if n:
            assert number(covered, identifier, "share") == len(with_it | with_more) / n
    check_hierarchy(covered)
    unknown = {found for _, found in shown} & {"no-such-id", "also unknown"}
    assert covered.attrs["about"]["unknown"] == len(unknown)
    assert covered.attrs["about"]["unknown_ids"] == sorted(unknown)


@given(rows=ROWS, seed=st.integers(0, 9))
@settings(max_examples=15)
def test_order_and_repetition_of_rows_change_nothing(rows, seed):
    frame = categories(rows)
    shuffled = pd.concat([frame, frame]).sample(frac=1, random_state=seed)
    assert_frame_equal(coverage(frame), coverage(shuffled))
    assert coverage(frame).attrs == coverage(shuffled).attrs


def test_many_sites_are_counted_in_parts_alike(monkeypatch, answers):
    whole = coverage(answers["categories"])
    monkeypatch.setattr(sys.modules["toolkit.findings.coverage"], "_MOST_CELLS", 2 * len(whole))
    assert_frame_equal(coverage(answers["categories"]), whole)


def test_a_member_stands_for_its_group(vocabulary):
    covered = coverage(codes([("a.example", "interest", "INT.PETS.DOGS", "low")]), "interest", vocabulary=vocabulary)
    assert covered.loc[covered["seen"], ["id", "sites", "direct"]].to_numpy().tolist() == [
        ["INT.PETS", 1, 0],
        ["INT.PETS.DOGS", 1, 1],
    ]


def test_a_group_may_be_seen_without_any_member(vocabulary):
    rows = [("a.example", "interest_group", "INT.PETS", "low"), ("b.example", "interest", "INT.PETS.DOGS", "high")]
    covered = coverage(codes(rows), "interest", vocabulary=vocabulary)
    assert covered.set_index("id").loc["INT.PETS", ["sites", "direct", "value"]].tolist() == [2, 1, 2]


def test_interests_are_not_counted_as_purchase_intents(vocabulary):
    frame = codes([("a.example", "interest", "INT.PETS.DOGS", "high")])
    covered = coverage(frame, "purchase_intent", vocabulary=vocabulary)
    assert not covered["seen"].any()
    assert covered.attrs["about"]["unknown"] == 0


def test_one_taxonomy_is_counted_and_not_the_other():
    frame = pd.concat([categories([("a.example", "150", 1)], name) for name in (*TAXONOMIES, "filtering")])
    for name in TAXONOMIES:
        assert number(coverage(frame, name), "150") == 1
    assert number(coverage(frame[frame["taxonomy"] != "content-v3"]), "150") == 0


def test_a_site_counts_once_however_its_target_is_spelt():
    frame = categories([("https://a.example/x", "150", 1), ("a.example", "150", 1), ("b.example", "151", 1)])
    frame["normal"] = ["a.example", "a.example", None]
    covered = coverage(frame)
    assert covered.attrs["about"]["sites"] == 2
    assert number(covered, "150") == 2


def test_failures_are_no_sites():
    frame = categories([("a.example", "150", 1), ("b.example", None, None), ("b.example", None, None)])
    frame["error"] = [None, "no answer", "no answer"]
    covered = coverage(frame)
    assert covered.attrs["about"] == {
        "sites": 1,
        "failed": 1,
        "first": None,
        "last": None,
        "vocabularies": [],
        "source": "classification service",
        "taxonomy": "content-v3",
        "threshold": 0.0,
        "nodes": 703,
        "seen": 1,
        "unknown": 0,
        "unknown_ids": [],
        "untold": True,
    }


def test_about_is_that_of_the_whole_frame(answers, vocabulary):
    frame = answers["codes"]
    said = coverage(frame, "interest", vocabulary=vocabulary).attrs["about"]
    known = about(frame)
    assert {name: said[name] for name in known} == known
    assert (said["sites"], said["failed"], said["vocabularies"]) == (5, 1, ["1.2"])


def test_about_has_all_versions_and_the_first_and_last_day():
    days = pd.to_datetime(["2026-03-05", "2026-01-02", "2026-02-03", "2026-04-06"], utc=True)
    frame = categories([("a.example", "150", 1), ("b.example", "1", 1), ("a.example", "1", 1), ("c.example", None, 1)])
    frame = frame.assign(fetched_at=days, vocab_version=["1.1", "1.1", "1.0", "0.9"])
    frame["error"] = [None, None, None, "no answer"]
    said = coverage(frame).attrs["about"]
    assert (said["first"], said["last"], said["vocabularies"]) == ("2026-01-02", "2026-03-05", ["1.0", "1.1"])


def test_sites_without_a_category_count_where_they_are_named():
    frame = categories([("a.example", "150", 1), ("b.example", "151", 1)])
    covered = coverage(frame, sites=["a.example", "b.example", "c.example", "d.example"])
    assert number(covered, "150", "share") == 0.5
    assert number(coverage(frame, sites=["b.example"]), "150") == 1
    assert number(coverage(frame, sites=["b.example"]), "151", "share") == 1


def test_nothing_is_left_to_guess_where_the_sites_are_passed():
    frame = categories([("a.example", "1", 1)])
    assert coverage(frame).attrs["about"]["untold"]
    assert "untold" not in coverage(frame, sites=["a.example", "b.example"]).attrs["about"]


def test_sites_may_be_a_frame_a_target_or_spelt_otherwise():
    frame = categories([("a.example", "150", 1), ("b.example", "151", 1)])
    others = categories([("a.example", None, None), ("c.example", None, None), ("e.example", None, None)])
    others["error"] = [None, None, "no answer"]
    assert coverage(frame, sites=others).attrs["about"]["sites"] == 2
    assert coverage(frame, sites="HTTPS://A.example/").attrs["about"]["sites"] == 1
    assert number(coverage(frame, sites=["HTTPS://A.example/", "a.example", "no target"]), "150", "share") == 1


def test_a_named_site_that_only_failed_does_not_count():
    frame = categories([("a.example", "150", 1), ("b.example", None, None)])
    frame["error"] = [None, "no answer"]
    assert coverage(frame, sites=["a.example", "b.example"]).attrs["about"]["sites"] == 1


def test_a_named_site_whose_question_for_the_taxonomy_failed_does_not_count(sample):
    run = failing(sample.run, categorize_content=range(9))
    frame = run.categories()
    named = frame.loc[frame["error"].isna(), "normal"].unique().tolist()
    for taxonomy, n in (("content-v2", 55), ("content-v3", 62)):
        by_default = coverage(frame, taxonomy)
        assert by_default.attrs["about"]["sites"] == n
        assert set(shares(frame, taxonomy=taxonomy, sites=named)["n"]) == {n}
        assert_frame_equal(coverage(frame, taxonomy, sites=named), by_default)
        assert unseen(frame, taxonomy, sites=[*named, "else.example"])["sites"].item() == n + 1


def test_the_highest_confidence_of_a_category_decides():
    frame = categories([("a.example", "150", 0.2), ("a.example", "150", 0.8)])
    assert number(coverage(frame, threshold=0.8), "150") == 1
    assert number(coverage(frame, threshold=0.81), "150") == 0


def test_a_parent_counts_by_a_sure_child_though_it_is_unsure_itself():
    covered = coverage(categories([("a.example", "150", 0.2), ("a.example", "151", 0.8)]), threshold=0.5)
    assert (number(covered, "150"), number(covered, "150", "direct")) == (1, 0)


@pytest.mark.parametrize(("threshold", "expected"), [(0.0, 4), ("low", 3), ("medium", 2), ("high", 1)])
def test_bands_are_thresholds_of_codes(vocabulary, threshold, expected):
    bands = ["low", "medium", "high", None]
    frame = codes([(f"{place}.example", "interest", "INT.PETS.DOGS", band) for place, band in enumerate(bands)])
    covered = coverage(frame, "interest", vocabulary=vocabulary, threshold=threshold)
    assert number(covered, "INT.PETS.DOGS") == expected
    assert covered.attrs["about"]["sites"] == 4
    plain = frame.assign(confidence=frame["confidence"].astype("str"))
    assert_frame_equal(coverage(plain, "interest", vocabulary=vocabulary, threshold=threshold), covered)


def test_a_whole_lineage_and_a_path_are_known_too():
    frame = categories([("a.example", "150-151", 1), ("b.example", None, 1), ("c.example", None, 1)])
    frame = frame.assign(level_1=[None, "Attractions", "Nothing"], level_2=[None, "Amusement and Theme Parks", "Such"])
    covered = coverage(frame)
    assert number(covered, "151") == 2
    assert covered.attrs["about"]["unknown_ids"] == ["Nothing > Such"]


def test_an_id_of_no_taxonomy_is_unknown_and_not_lost():
    frame = categories([("a.example", "XYZ", 1)]).assign(taxonomy=pd.array([None], dtype="str"))
    said = coverage(frame).attrs["about"]
    assert (said["unknown"], said["unknown_ids"], said["sites"]) == (1, ["XYZ"], 1)


def test_the_frame_stays_as_it_was(answers, vocabulary):
    for name, taxonomy in (("categories", "content-v2"), ("codes", "interest")):
        before = answers[name].copy(deep=True)
        covered = coverage(answers[name], taxonomy, vocabulary=vocabulary)
        covered.loc[:, "sites"] = -1
        assert_frame_equal(answers[name], before)
        assert (coverage(answers[name], taxonomy, vocabulary=vocabulary)["sites"] >= 0).all()


@every(
    ("arguments", "message"),
    [
        ({"taxonomy": "content-v4"}, r"'content-v4' is not in what can be covered: .* Nearest: content-v3"),
        ({"taxonomy": "interest"}, r"needs to know what there is\. Pass vocabulary=client\.filters\(\)"),
        ({"threshold": 1.5}, r"threshold=1\.5 is no confidence\. Pass a number from 0 to 1"),
        ({"threshold": float("nan")}, "threshold=nan is no confidence"),
        ({"threshold": True}, "threshold=True is no confidence"),
        ({"threshold": None}, "threshold=None is no confidence"),
        ({"threshold": "high"}, r"threshold='high' is no confidence of this frame\. Pass a number from 0 to 1"),
        ({"sites": 3}, "sites= takes a list of texts or a frame, not int"),
        ({"sites": {"a": 1}}, "sites= takes a list of texts or a frame, not dict"),
        ({"sites": ["a.example", 3]}, "A site is 3, not text"),
    ],
)
def test_wrong_arguments_are_refused_at_the_door(arguments, message):
    with pytest.raises(InputError, match=message):
        coverage(categories([("a.example", "150", 1)]), **arguments)


def test_wrong_frames_are_refused_at_the_door(answers, vocabulary):
    with pytest.raises(InputError, match=r"no column 'taxonomy', 'id'\. Pass a categories frame"):
        coverage(answers["codes"])
    with pytest.raises(InputError, match=r"no column 'dimension', 'code'\. Pass a codes frame"):
        coverage(answers["categories"], "interest", vocabulary=vocabulary)
    with pytest.raises(InputError, match="not list"):
        coverage([])
    with pytest.raises(InputError, match=r"Codes have bands, not numbers: threshold=0\.5\. Pass one of low, medium"):
        coverage(answers["codes"], "interest", vocabulary=vocabulary, threshold=0.5)
    with pytest.raises(UnknownCodeError):
        coverage(answers["categories"], ["content-v3"])
    for summary in (coverage_by_tier, coverage_by_group, gaps, concentration):
        with pytest.raises(InputError, match=r"This is no coverage: .* Pass coverage\(…\)"):
            summary(answers["categories"])


@pytest.mark.parametrize("taxonomy", COVERED)
def test_tiers_add_up_to_the_whole(cover, taxonomy):
    covered = cover(taxonomy)
    tiers = coverage_by_tier(covered)
    assert tiers["nodes"].sum() == len(covered)
    assert tiers["seen"].sum() == covered["seen"].sum() == covered.attrs["about"]["seen"]
    assert (tiers["seen"] + tiers["unseen"] == tiers["nodes"]).all()
    assert (tiers["share"] == tiers["seen"] / tiers["nodes"]).all()
    assert tiers["tier"].tolist() == sorted(set(covered["tier"]))
    assert tiers.attrs == covered.attrs


@pytest.mark.parametrize("taxonomy", COVERED)
def test_groups_add_up_to_the_whole_and_have_the_sites_of_their_top(cover, taxonomy):
    covered = cover(taxonomy)
    groups = coverage_by_group(covered)
    assert groups["nodes"].sum() == len(covered)
    assert groups["seen"].sum() == covered["seen"].sum()
    tops = covered[covered["tier"] == 1].set_index("name")["sites"]
    assert dict(zip(groups["level_1"], groups["sites"], strict=True)) == tops.to_dict()
    order = list(zip(-groups["sites"], groups["level_1"], strict=True))
    assert order == sorted(order)


@pytest.mark.parametrize("taxonomy", COVERED)
def test_gaps_are_all_that_is_unseen_and_the_largest_come_first(cover, taxonomy):
    covered = cover(taxonomy)
    found = gaps(covered)
    assert set(found["id"]) == set(covered.loc[~covered["seen"], "id"])
    seen = set(covered.loc[covered["seen"], "id"])
    assert (found["topmost"] == (found["parent"].isna() | found["parent"].isin(seen))).all()
    top = found[found["topmost"]]
    assert top.index.tolist() == list(range(len(top)))
    unsought = ["Crime", "Disasters", "Genres", "Sensitive Topics", "War and Conflicts"]
    later = top["level_1"].isin(unsought) & (taxonomy == "content-v3")
    assert later.is_monotonic_increasing
    assert top.loc[~later, "below"].is_monotonic_decreasing
    assert top.loc[later, "below"].is_monotonic_decreasing
    # What is below the topmost is just the rest.
    assert top["below"].sum() == len(found) - len(top)


def test_nothing_is_missing_where_all_is_seen():
    covered = coverage(categories([("a.example", category.id, 1) for category in Taxonomy.load()]))
    found = gaps(covered)
    assert found.empty
    assert {"id", "path", "below", "topmost"} <= set(found.columns)
    assert found.dtypes.to_dict() == gaps(coverage(categories([]))).dtypes.to_dict()


@pytest.mark.parametrize("tier", [None, 1, 2])
def test_effective_numbers_are_those_of_scipy(cover, tier):
    covered = cover("content-v3")
    found = concentration(covered, tier=tier).iloc[0]
    weights = covered["direct"] if tier is None else covered.loc[covered["tier"] == tier, "sites"]
    shares = weights / weights.sum()
    assert found["effective"] == pytest.approx(np.exp(entropy(weights)))
    assert found["inverse_simpson"] == pytest.approx(1 / (shares**2).sum())
    assert found["largest_share"] == pytest.approx(shares.max())
    assert found["categories"] == (weights > 0).sum()


def test_equally_frequent_categories_are_as_many_as_there_are():
    covered = coverage(categories([("a.example", "151", 1), ("b.example", "179", 1), ("c.example", "3", 1)]))
    found = concentration(covered).iloc[0]
    assert found[["effective", "inverse_simpson"]].tolist() == pytest.approx([3, 3])
    assert found["largest"] == min(covered.loc[covered["direct"] > 0, "path"])


def test_concentration_of_nothing_is_missing():
    found = concentration(coverage(categories([])))
    assert found.dtypes.to_dict() == concentration(coverage(categories([("a.example", "1", 1)]))).dtypes.to_dict()
    assert found[["effective", "inverse_simpson", "largest", "largest_share"]].isna().all(axis=None)
    with pytest.raises(InputError, match=r"no tier 9\. Pass one of \[1, 2, 3, 4\]"):
        concentration(coverage(categories([])), tier=9)


def test_versions_share_672_categories_of_which_95_moved(answers):
    compared = compare_versions(answers["categories"])
    old, new = (Taxonomy.load(name) for name in ("content-v2", "content-v3"))
    shared = [category.id for category in new if category.id in {other.id for other in old}]
    assert set(compared["id"]) == set(shared)
    assert compared["id"].is_unique
    said = compared.attrs["about"]
    assert [said[name] for name in ("shared", "moved", "only_v2", "only_v3")] == [672, 95, 698 - 672, 703 - 672]
    moved = {name for name in shared if old[name].levels[0] != new[name].levels[0]}
    assert set(compared.loc[compared["moved"], "id"]) == moved
    assert compared.loc[compared["top_renamed"], "level_1_v2"].unique().tolist() == ["Events and Attractions"]
    assert (compared["renamed"] == [old[name].name != new[name].name for name in compared["id"]]).all()


def test_versions_have_the_counts_of_their_own_coverage(answers):
    frame = answers["categories"]
    compared = compare_versions(frame, threshold=0.5).set_index("id")
    both = frame[frame["endpoint"] == "categorize_content"]
    for version in ("v2", "v3"):
        covered = coverage(both, f"content-{version}", threshold=0.5).set_index("id").loc[compared.index]
        for column in ("name", "level_1", "path", "tier", "sites", "share", "seen"):
            assert (compared[f"{column}_{version}"] == covered[column]).all()


def test_an_endpoint_of_one_version_does_not_make_it_look_better():
    rows = [("a.example", "150", 1)]
    both = [categories(rows, name, endpoint="categorize_content") for name in TAXONOMIES]
    one = categories([("a.example", "1", 1), ("b.example", "1", 1)], endpoint="enrich")
    compared = compare_versions(pd.concat([*both, one]))
    assert compared.attrs["about"]["endpoints"] == ["categorize_content"]
    assert compared.attrs["about"]["sites"] == 1
    assert compared[["seen_v2", "seen_v3"]].sum().tolist() == [1, 1]
    alone = compare_versions(one)
    assert alone.attrs["about"]["endpoints"] == []
    assert alone["share_v3"].isna().all()
    assert alone.dtypes.to_dict() == compared.dtypes.to_dict()


def test_a_moved_category_shows_under_both_tops():
    both = [categories([("a.example", "324", 1)], name) for name in TAXONOMIES]  # Movies, now below Entertainment
    found = compare_versions(pd.concat(both)).set_index("id").loc["324"]
    assert (found["level_1_v2"], found["level_1_v3"]) == ("Movies", "Entertainment")
    assert found[["moved", "sites_v2", "sites_v3"]].tolist() == [True, 1, 1]
