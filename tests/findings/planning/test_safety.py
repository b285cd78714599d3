"""Brand safety: what rules block and why, what that costs, and how many errors to expect."""

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from saved_runs import failing, part_of

import toolkit as tk
from tests.benchmarks.validity.safety import held
from toolkit.findings import blocked_sites, brand_safety, sensitive_rules
from toolkit.findings.planning.safety import LABELS
from toolkit.findings.statistics.proportions import wilson
from toolkit.frames.readers import frame_of
from toolkit.frames.records import Record
from toolkit.interface.errors import InputError, UnknownCodeError
from toolkit.interface.taxonomy import Taxonomy
from toolkit.service.knowledge.lexicon import knowledge_rows

TERROR, OBSCENE = "8FD8nI", "j9PaO9"
SENSITIVE, HEALTH, SPORTS = "v9i3On", "286", "483"
NAMES = [f"s{number}.example" for number in range(8)]


def frame(*rows):
    """Return a categories frame of (site number, identifier or label, confidence)."""
    known = Taxonomy.load("content-v3")
    table = []
    for site, key, confidence in rows:
        label = key not in known
        table.append(
            {
                "target": NAMES[site],
                "taxonomy": "filtering" if label else "content-v3",
                "id": None if label else key,
                "name": key if label else known[key].name,
                "level_1": key if label else known[key].levels[0],
                "confidence": confidence,
            }
        )
    return pd.DataFrame(table)


@pytest.fixture(scope="module")
def judged():
    return frame(
        (0, TERROR, 0.9), (0, SENSITIVE, 0.95), (1, TERROR, 0.6), (2, TERROR, 0.3), (3, OBSCENE, 0.7),
        (0, OBSCENE, 0.5),        (4, "Gambling", 0.8), (5, SPORTS, 0.99), (1, "Gambling", 0.2),
    )  # fmt: skip


RULES = {"terror": TERROR, "obscene": "Obscenity and Profanity", "betting": "filtering: gambling"}


def test_each_rule_alone_in_addition_and_without_the_others(judged):
    found = brand_safety(judged, RULES, sites=NAMES).set_index("rule")
    assert found.index.tolist() == ["terror", "obscene", "betting", "all rules"]
    assert found["blocked"].tolist() == [2, 2, 1, 4]
    assert found["added"].tolist() == [2, 1, 1, 4]
    assert found["only"].tolist() == [1, 1, 1, 4]
    assert found["share"].tolist() == [0.25, 0.25, 0.125, 0.5]
    assert found["added_share"].iloc[:3].sum() == found["share"].iloc[3]
    low, high = wilson([2, 2, 1, 4], 8)
    np.testing.assert_allclose(found[["share_low", "share_high"]], np.column_stack([low, high]))
    assert found[["weighted_share", "only_weighted"]].isna().all(axis=None)


def test_expected_errors_are_of_the_surest_category(judged):
    found = brand_safety(judged, RULES, sites=NAMES).set_index("rule")
    assert found["wrong"].tolist() == pytest.approx([0.1 + 0.4, 0.3 + 0.5, 0.2, 0.1 + 0.4 + 0.3 + 0.2])
    assert found["missed"].tolist() == pytest.approx([0.3, 0, 0.2, 0.3])
    assert found.loc["terror", ["wrong_low", "wrong_high"]].tolist() == [0, 2]


def test_a_category_blocks_with_all_below_it_and_from_a_confidence_on(judged):
    whole = {"sensitive": "Sensitive Topics"}
    assert brand_safety(judged, whole, sites=NAMES)["blocked"].iloc[0] == 3
    assert brand_safety(judged, whole, sites=NAMES, confidence=0.2)["blocked"].iloc[0] == 4
    assert brand_safety(judged, {"x": {"block": SENSITIVE, "confidence": 0.92}}, sites=NAMES)["blocked"].iloc[0] == 1


def test_an_exception_lets_through_what_is_blocked_by_a_parent_alone():
    health = Taxonomy.load("content-v3").children(HEALTH)
    one, two = health[0], health[1]
    judged = frame(
        (0, HEALTH, 0.9), (0, one.id, 0.8), (1, HEALTH, 0.9), (2, HEALTH, 0.9), (2, one.id, 0.8), (2, two.id, 0.7)
    )
    found = blocked_sites(judged, {"health": {"block": "Medical Health", "except": one.path}})
    assert found["site"].tolist() == [NAMES[1], NAMES[2]]
    assert found["category"].tolist() == ["Medical Health", two.path]


def test_blocked_sites_stand_with_the_reason(judged):
    found = blocked_sites(judged, RULES, sites=NAMES)
    assert found[["site", "rule"]].values.tolist() == [
        [NAMES[0], "terror"], [NAMES[0], "obscene"], [NAMES[1], "terror"], [NAMES[3], "obscene"], [NAMES[4], "betting"],
    ]  # fmt: skip
    assert found["reason"].iloc[0] == "Sensitive Topics > Terrorism (confidence 0.90)"
    assert found["reason"].iloc[4] == "Gambling (web filtering) (confidence 0.80)"
    assert found["weight"].isna().all()


def test_equal_weights_give_the_answer_of_sites_and_others_that_of_money(judged):
    equal = brand_safety(judged, RULES, weight=dict.fromkeys(NAMES, 7), sites=NAMES)
    np.testing.assert_allclose(equal["weighted_share"], equal["share"])
    np.testing.assert_allclose(equal[["weighted_low", "weighted_high"]], equal[["share_low", "share_high"]])
    np.testing.assert_allclose(equal["added_weighted"], equal["added_share"])
    spend = pd.Series([50, 30, 20, 10], index=["https://S0.example/", NAMES[4], NAMES[5], NAMES[0]])
    found = brand_safety(judged, RULES, weight=spend, sites=NAMES)
    assert found["weighted_share"].tolist() == pytest.approx([60 / 110, 60 / 110, 30 / 110, 90 / 110])
    assert found["only_weighted"].iloc[0] == 0
    assert found.attrs["about"]["unweighted"] == 5
    assert blocked_sites(judged, RULES, weight=spend, sites=NAMES)["weight"].tolist() == [60, 60, 0, 0, 30]


def test_limits_hold_errors_of_calibrated_confidences_and_the_share_also_over_pages_of_a_domain():
    wrong, missed, share, more, less = held((60, 1, 0.0), np.random.default_rng(1), 15)
    assert min(wrong, missed) >= 0.93
    assert share >= 0.9
    assert abs(more) < 0.8
    assert abs(less) < 0.8
    # As if each page were a site of its own, the interval would hold the share in half of the cases.
    assert held((30, 10, 0.8), np.random.default_rng(2), 12)[2] >= 0.8


def test_rules_by_default_are_the_sensitive_topics_and_name_what_there_is(judged):
    taxonomy = Taxonomy.load("content-v3")
    rules = sensitive_rules()
    assert list(rules) == [topic.name for topic in taxonomy.children(SENSITIVE)]
    assert all(texts[0] == f"Sensitive Topics > {name}" for name, texts in rules.items())
    assert sum(len(texts) > 1 for texts in rules.values()) >= 8
    assert_frame_equal(brand_safety(judged, sites=NAMES), brand_safety(judged, rules, sites=NAMES))


def test_labels_are_those_of_the_service():
    assert list(LABELS) == [row["name"] for row in knowledge_rows("filtering_categories.tsv")]


def test_a_run_takes_rules_and_a_column_of_its_own_table():
    client = tk.Client()
    table = pd.DataFrame({"url": ["torque-journal.example", "ledgerline.example"], "Spend": [30.0, 10.0]})
    run = client.ask(table, ["categorize_content"])
    rules = {"cars": "Automotive"}
    assert run.brand_safety(rules, weight="Spend")["weighted_share"].tolist() == [0.75, 0.75]
    assert run.blocked_sites(rules, weight="Spend")[["site", "weight"]].values.tolist() == [
        ["torque-journal.example", 30]
    ]
    assert tk.sample_run().brand_safety().attrs["about"]["sites"] == 62


def answered_for_both(run):
    """The sites whose question for web filtering was answered."""
    categories = run.categories()
    rows = categories["endpoint"].eq("categorize_content") & categories["error"].isna()
    return set(categories.loc[rows, "normal"])


PARTS = {
    "topics": "Medical Health",
    "filtering": "filtering: Alcohol",
    "either": ["Food & Drink", "filtering: Alcohol"],
}


def test_a_rule_is_of_the_sites_of_which_the_taxonomies_it_names_are_known():
    run = failing(tk.sample_run(), categorize_content=range(30))
    known = answered_for_both(run)
    table = run.brand_safety(PARTS, confidence=0.3)
    found, about = table.set_index("rule"), table.attrs["about"]
    n = len(known)
    assert 30 < n < 40
    assert found["n"].to_dict() == {"topics": 62, "filtering": n, "either": n, "all rules": n}
    # What is known of the others is that they are blocked, where a topic blocks them.
    sites = run.blocked_sites(PARTS, confidence=0.3)
    assert sites.groupby("rule")["site"].nunique().to_dict() == {
        name: count for name, count in found["blocked"].iloc[:3].items() if count
    }
    beside = sites[~sites["site"].isin(known) & sites["rule"].eq("either")]
    assert set(beside["taxonomy"]) == {"content-v3"}
    either = int(found.loc["either", "blocked"])
    assert about["blocked_beside"]["either"] == len(beside) > 0
    assert about["not_known"] == {
        "filtering": 62 - n,
        "either": 62 - n - len(beside),
        "all rules": 62 - n - sites.loc[~sites["site"].isin(known), "site"].nunique(),
    }
    assert found.loc["either", "share"] == (either - len(beside)) / n
    low, high = wilson(either - len(beside), n)
    assert found.loc["either", ["share_low", "share_high"]].tolist() == pytest.approx([float(low), float(high)])
    assert found["added"].iloc[:3].sum() == found.loc["all rules", "blocked"] == sites["site"].nunique()
    assert found["added_share"].iloc[:3].sum() == pytest.approx(found.loc["all rules", "share"])
    assert sites.attrs["about"]["not_known"] == about["not_known"]
    # That another rule blocks a site too is not ruled out where its web filtering failed.
    own = sites.groupby("site")["rule"].agg(list)
    alone = own[own.map(len).eq(1) & own.index.isin(known)].map(lambda rules: rules[0])
    assert found["only"].iloc[:3].tolist() == [int(alone.eq(rule).sum()) for rule in PARTS]


def test_shares_and_misses_are_those_of_the_sites_of_which_all_is_known():
    run = failing(tk.sample_run(), categorize_content=range(30))
    weight = {site: 1 + number % 5 for number, site in enumerate(sorted(set(run.categories()["normal"].dropna())))}
    rules = {"filtering": "filtering: Alcohol", "either": ["Medical Health", "Travel", "filtering: Travel"]}
    every = run.brand_safety(rules, weight=weight, confidence=0.8)
    some = run.brand_safety(rules, weight=weight, confidence=0.8, sites=sorted(answered_for_both(run)))
    shared = [
        name for name in every if "share" in name or "weighted" in name or name.startswith("missed") or name == "n"
    ]
    assert_frame_equal(every[shared], some[shared])
    assert every["missed"].iloc[1] > 0
    assert every["blocked"].iloc[1] > some["blocked"].iloc[1]
    assert "not_known" not in {name for name, value in some.attrs["about"].items() if value}


def test_a_question_that_failed_everywhere_leaves_no_share_and_no_site_is_let_through():
    run = failing(tk.sample_run(), categorize_content=range(90))
    table = run.brand_safety(PARTS, confidence=0.3)
    found = table.set_index("rule")
    assert found["n"].tolist() == [62, 0, 0, 0]
    assert found["share"].isna().tolist() == [False, True, True, True]
    assert found.loc["either", "blocked"] == 4
    assert found.loc["either", ["missed", "missed_high"]].tolist() == [0, 0]
    assert table.attrs["about"]["not_known"]["filtering"] == 62
    other_way = failing(tk.sample_run(), enrich=range(30)).brand_safety(PARTS, confidence=0.3)
    assert other_way["n"].tolist() == [62] * 4
    assert other_way.attrs["about"]["not_known"] == {}


def test_a_taxonomy_that_was_not_asked_for_is_known_of_no_site():
    run = part_of(tk.sample_run(), lambda record: record.endpoint == "enrich", asked=("enrich",))
    table = run.brand_safety({"drink": "filtering: Alcohol", "fine": {"block": ["Food & Drink", "filtering: Alcohol"],
                                                                      "except": "filtering: Alcohol"}})  # fmt: skip
    assert table["n"].tolist() == [0, 62, 0]
    assert table.attrs["about"]["not_asked"] == ["filtering"]
    # The rules by default are those that can be judged.
    default = run.brand_safety()
    assert set(default["n"]) == {62}
    assert default.attrs["about"]["not_asked"] == ["filtering"]


def test_a_share_is_right_where_every_second_question_failed():
    """To count sites that one taxonomy blocks, and not those that it does not, would make 0.28 a share of 0.4."""
    rng = np.random.default_rng(3)
    rows, shares = np.arange(400), []
    for _ in range(20):
        topics, labels, failed = (rng.random(400) < chance for chance in (0.2, 0.1, 0.5))
        records = []
        for row, topic, label, bad in zip(rows, topics, labels, failed, strict=True):
            site = f"s{row:03}.example"
            records.append(Record(int(row), site, site, "categorize", 200, raw=listed("380" if topic else SPORTS)))
            answer = {"error": "no answer"} if bad else {"raw": labelled_as("Gambling" if label else "Sports")}
            records.append(Record(int(row), site, site, "categorize_content", 200, **answer))
        found = brand_safety(frame_of("categories", records), {"x": ["380", "filtering: Gambling"]}).iloc[0]
        assert found["n"] == (~failed).sum()
        assert found["blocked"] == (topics | labels & ~failed).sum()
        shares.append(found["share"])
    assert np.mean(shares) == pytest.approx(0.28, abs=0.02)


def listed(key):
    """An answer with one category."""
    known = Taxonomy.load("content-v3")[key]
    return {"categories": [{"id": key, "name": known.name, "confidence": 0.9, "tier": 1, "path": known.path}]}


def labelled_as(label):
    """An answer with one web-filtering label and no topics."""
    return {"std_taxonomy_version2": [], "filtering_taxonomy": [[f"Category name: {label}", "Confidence: 0.9"]]}


@pytest.mark.parametrize(
    ("rules", "error", "words"),
    [
        ({"x": "Sensitive Topics > Terorism"}, UnknownCodeError, "Nearest: Sensitive Topics > Terrorism"),
        ({"x": "filtering: Gamblin"}, UnknownCodeError, "Nearest: Gambling"),
        ({"x": "Terorism"}, UnknownCodeError, "Terrorism"),
        ({"x": {"block": "Sports", "except": "Pets"}}, InputError, "lets 'Pets' through, which it does not block"),
        ({"x": {"block": "Pets > Dogs", "except": "Pets"}}, InputError, "lets all through that it blocks"),
        ({"x": {"blok": "Pets"}}, InputError, "Nearest: block"),
        ({"x": {"except": "Pets"}}, InputError, "names None, which is no category"),
        ({"x": []}, InputError, "blocks nothing"),
        ({"x": {"block": "Pets", "confidence": 2}}, InputError, "confidence of the rule 'x' is 2"),
        ({}, InputError, "Rules are a mapping"),
        ("Pets", InputError, "Rules are a mapping"),
    ],
)
def test_rules_that_cannot_be_meant_are_refused_in_words(judged, rules, error, words):
    with pytest.raises(error, match=words):
        brand_safety(judged, rules)


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        ({NAMES[0]: -1}, "negative"),
        ({NAMES[0]: "much"}, "no number"),
        ({"other.example": 3}, "None of the .* sites has a weight above 0"),
    ],
)
def test_weights_that_are_none_are_refused_in_words(judged, weight, words):
    with pytest.raises(InputError, match=words):
        brand_safety(judged, RULES, weight=weight)
