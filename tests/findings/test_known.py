"""One base for counts and for differences: the sites of which the thing is known. What is not known is not a no."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import toolkit as tk
from toolkit.findings import compare, drift, findings, shares
from toolkit.frames.readers import frame_of
from toolkit.frames.records import Record

SITES = [f"s{number:03}.example" for number in range(60)]
ROUNDS = 60


@pytest.fixture(scope="module")
def run():
    return tk.sample_run()


def incomes(values, sites=SITES):
    """A codes frame in which each site has an income, or an interest and no income."""
    rows = [
        {"target": site, "dimension": dimension, "code": code}
        for site, value in zip(sites, values, strict=True)
        for dimension, code in (("interest", "INT.PETS"), ("income_level", value))
        if code is not None
    ]
    return pd.DataFrame(rows)


def row_of(found, code, group="few"):
    return found[(found["group"] == group) & (found["code"] == code)].iloc[0]


def told_of_few(seed, few, others):
    """Incomes of 60 sites, of which the first 30 are known more seldom, and have high income with the chance `few`."""
    chance = np.random.default_rng(seed)
    first = np.arange(len(SITES)) < 30
    high = chance.random(len(SITES)) < np.where(first, few, others)
    known = chance.random(len(SITES)) < np.where(first, 0.35, 0.95)
    return [("high" if yes else "low") if told else None for yes, told in zip(high, known, strict=True)]


def taken_for_no(values):
    """Return p as if what is not known was a no."""
    have = np.array([value == "high" for value in values])
    a, b = int(have[:30].sum()), int(have[30:].sum())
    return stats.fisher_exact([[a, 30 - a], [b, 30 - b]]).pvalue


def verdict(values):
    found = compare(incomes(values), {"few": SITES[:30]}, "rest", dimensions="income_level")
    return str(row_of(found, "high")["verdict"])


def test_that_little_is_known_of_a_group_is_no_difference() -> None:
    draws = [told_of_few(seed, 0.7, 0.7) for seed in range(ROUNDS)]
    false = np.mean([taken_for_no(values) < 0.05 for values in draws])
    found = np.mean([verdict(values) in {"over", "under"} for values in draws])
    assert false > 0.7
    assert found <= 0.05


def test_a_true_difference_is_found_though_little_is_known() -> None:
    found = [verdict(told_of_few(seed, 0.05, 0.8)) for seed in range(ROUNDS)]
    assert np.mean([word == "under" for word in found]) > 0.9
    assert "over" not in found
    # In the other direction what is not known hides it: as a no, both groups have the same share.
    draws = [told_of_few(seed, 1.0, 0.4) for seed in range(ROUNDS)]
    assert np.mean([taken_for_no(values) < 0.05 for values in draws]) < 0.1
    assert np.mean([verdict(values) == "over" for values in draws]) > 0.8


def test_findings_prove_no_difference_of_what_is_not_known() -> None:
    table = pd.DataFrame({"Batch": ["few"] * 30 + ["others"] * 30}, index=SITES)
    of_draws = [
        findings({"codes": incomes(told_of_few(seed, 0.7, 0.7))}, "Batch", table=table) for seed in range(ROUNDS // 3)
    ]
    proven = [found["kind"].eq("difference").any() for found in of_draws]
    assert np.mean(proven) <= 0.05
    true = findings({"codes": incomes(told_of_few(0, 0.0, 0.9))}, "Batch", table=table)
    difference = true[true["kind"] == "difference"].iloc[0]
    assert difference["n"] + difference["other_n"] < 60
    assert "whose readers' income is known" in difference["sentence"]


def test_groups_of_which_too_few_are_known_say_so() -> None:
    values = ["high", *[None] * 29, *["high"] * 28, "low", "low"]
    row = row_of(compare(incomes(values), {"few": SITES[:30]}, "rest"), "high")
    assert (row["with_code"], row["n"], row["baseline_with"], row["baseline_n"]) == (1, 1, 28, 30)
    assert row["verdict"] == "too few"
    nobody = row_of(compare(incomes([None] * 30 + ["high"] * 30), {"few": SITES[:30]}, "rest"), "high")
    assert (nobody["n"], nobody["verdict"]) == (0, "too few")
    # All that are known are in the group: there is nothing to hold it against.
    alone = compare(incomes(["high"] * 20 + ["low"] * 10 + [None] * 30), {"few": SITES[:30]})
    assert row_of(alone, "high")["verdict"] == "too few"


def test_what_a_site_has_or_has_not_is_known_of_all_that_were_answered(run) -> None:
    found = run.shares()
    own = found[found["dimension"].isin(["interest", "purchase_intent", "persona"])]
    assert set(own["n"]) == {62}
    assert set(run.shares("content-v3")["n"]) == {62}
    assert set(run.shares("technologies")["n"]) == {62}
    by_rest = run.compare("audience_type", "rest", of="technologies")
    assert set(by_rest["n"] + by_rest["baseline_n"]) == {62}


def test_the_false_difference_between_sports_sites_and_the_others_is_none(run) -> None:
    """Age is known of few of the Sports sites, and of most others."""
    categories, codes = run.categories(), run.codes()
    tops = categories[categories["taxonomy"].eq("content-v3") & categories["tier"].eq(1)]
    main = tops.sort_values("rank", kind="stable").drop_duplicates("target").set_index("target")["name"]
    ages = codes[codes["dimension"].eq("age_bracket") & codes["code"].notna()]
    commonest = ages["code"].value_counts().idxmax()
    sports, known = set(main.index[main == "Sports"]), set(ages["target"])
    have = set(ages.loc[ages["code"] == commonest, "target"])
    assert len(sports & known) / len(sports) < 0.5 < len(known - sports) / len(main.index.difference(sports))
    found = run.compare("main category", "rest", dimensions="age_bracket")
    row = row_of(found, commonest, "Sports")
    assert (row["with_code"], row["n"]) == (len(have & sports), len(known & sports))
    assert (row["baseline_with"], row["baseline_n"]) == (len(have - sports), len(known - sports))
    assert row["verdict"] not in {"over", "under"}
    assert found.attrs["about"]["group_sites"]["Sports"] == len(sports)


def test_all_findings_of_a_run_have_the_same_base(run) -> None:
    codes, companies = run.codes(), run.companies()
    known = {str(name): part["normal"].nunique() for name, part in codes[codes["code"].notna()].groupby("dimension")}
    known = {name: known[name] for name in ("age_bracket", "income_level", "gender_skew", "price_signals")}
    known["business_model"] = int(companies["business_model"].notna().sum())
    for name, n in known.items():
        of = {"of": "companies"} if name == "business_model" else {"dimensions": name}
        counted = run.shares(**of)
        assert set(counted.loc[counted["dimension"] == name, "n"]) == {n}
        held = run.compare("audience_type", "rest", **of)
        held = held[held["dimension"] == name]
        assert set(held["n"] + held["baseline_n"]) == {n}
        told = run.drift(run, **of)
        assert set(told.loc[told["dimension"] == name, ["n_before", "n_after", "same_sites"]].to_numpy().ravel()) == {n}
    found = run.findings()
    common = found[found["kind"].eq("common") & found["dimension"].isin(known)]
    assert common.set_index("dimension")["n"].to_dict() == {name: known[name] for name in common["dimension"]}


def test_sites_of_which_a_field_is_not_known_are_no_others_of_its_groups(run) -> None:
    audiences = run.audiences()
    answered = int(audiences["error"].isna().sum())
    groups = audiences.set_index("target")["income_level"].dropna()
    assert 20 < len(groups) < answered
    found = run.compare("income_level", "rest", of="technologies")
    assert found.attrs["about"]["not_grouped"] == answered - len(groups)
    assert set(found["n"] + found["baseline_n"]) == {len(groups)}
    assert set(run.compare("income_level", of="technologies")["baseline_n"]) == {len(groups)}
    # Groups that were left out are others still.
    some = run.compare(groups[groups == "upper_middle"], "rest", of="technologies")
    assert set(some["baseline_n"]) == {len(groups) - int((groups == "upper_middle").sum())}
    told = run.findings("income_level")
    differences = told[told["kind"].isin(["difference", "lead"])]
    assert (differences["n"] + differences["other_n"]).le(len(groups)).all()
    # Of lists, and of columns of one's own, all others are.
    lists = run.compare({"mine": groups.index[:20].tolist()}, "rest", of="technologies")
    assert set(lists["baseline_n"]) == {answered - 20}


def test_a_frame_that_was_cut_to_a_value_is_still_of_all_of_which_its_field_is_known(run) -> None:
    codes = run.codes()
    high = codes[codes["code"].eq("upper_middle") & codes["dimension"].eq("income_level")]
    known = int(run.audiences()["income_level"].notna().sum())
    assert high["target"].nunique() < known
    assert set(shares(high)["n"]) == {known}
    assert set(shares(pd.read_parquet(_kept(high)))["n"]) == {known}


def _kept(frame):
    import io

    file = io.BytesIO()
    frame.to_parquet(file)
    file.seek(0)
    return file


def test_a_taxonomy_is_not_known_of_sites_whose_question_for_it_failed() -> None:
    content = b'{"taxonomies": {"content-v2": []}}'
    records = []
    for row, site in enumerate(SITES[:6]):
        answer = b'{"categories": [{"id": "483", "name": "Sports", "confidence": 0.9, "tier": 1, "path": "Sports"}]}'
        records.append(Record(row, site, site, "categorize", 200, raw=answer))
        failed = {"status": 500, "error": "no answer"} if row < 2 else {"status": 200, "raw": content}
        records.append(Record(row, site, site, "categorize_content", **failed))
    frame = frame_of("categories", records)
    extra = frame.iloc[:1].assign(target=SITES[5], normal=SITES[5], taxonomy="content-v2", id="1", level_1="Auto")
    extra["error"], extra["endpoint"] = None, "categorize_content"
    whole = pd.concat([frame, extra], ignore_index=True)
    whole.attrs = dict(frame.attrs)
    found = shares(whole)
    assert found.loc[found["dimension"] == "content-v2", "n"].tolist() == [4]


def test_pages_and_weights_count_on_the_same_base() -> None:
    pages = [f"https://d{number // 3}.example/{number}" for number in range(60)]
    values = told_of_few(1, 0.3, 0.8)
    frame = incomes(values, pages)
    known = [page for page, value in zip(pages, values, strict=True) if value is not None]
    kept = incomes([value for value in values if value is not None], known)
    weight = pd.Series(np.arange(1.0, 61.0), index=pages, name="Spend")
    for options in ({}, {"weight": weight}, {"cluster": None}, {"cluster": None, "weight": weight}):
        every, some = (
            compare(rows, {"few": pages[:30]}, "rest", dimensions="income_level", **options) for rows in (frame, kept)
        )
        columns = [name for name in some if some[name].dtype != object]
        pd.testing.assert_frame_equal(every[columns], some[columns])
        whole, part = (shares(rows, dimensions="income_level", **options) for rows in (frame, kept))
        pd.testing.assert_frame_equal(whole, part)


def test_a_list_is_held_beside_another_by_the_sites_of_which_it_is_known() -> None:
    others = [f"o{number:03}.example" for number in range(60)]
    mine, beside = incomes(["high"] * 20 + [None] * 40), incomes(["low"] * 40 + [None] * 20, others)
    found = findings({"codes": mine}, beside={"codes": beside})
    row = found[found["code"].eq("high") & found["kind"].eq("difference")].iloc[0]
    assert row["sentence"].startswith("All 20 sites on this list whose readers' income is known reach people of high ")
    assert row["against"].endswith(
        "; it is not known of 40 of the 60 sites on this list; it is not known of 20 of the 60 sites beside it"
    )
    assert row["certainty"] == "likely"


def test_sites_of_both_lists_show_nothing_of_what_one_of_them_has_alone() -> None:
    others = [f"o{number:03}.example" for number in range(40)]
    mine = pd.DataFrame({"target": SITES[:40], "dimension": "persona", "code": ["Cook"] * 5 + ["Diver"] * 35})
    beside = pd.DataFrame({"target": [*SITES[:5], *others], "dimension": "persona", "code": "Cook"})
    found = findings({"codes": mine}, beside={"codes": beside})
    gap = found[found["kind"].eq("gap") & found["code"].eq("Cook")].iloc[0]
    assert gap["sentence"].startswith("None of the 35 sites that only this list has ")
    assert gap["sentence"].endswith(", against 40 of the 40 sites that only the other has.")
    assert gap["sites"] == ()


def test_a_change_is_told_of_the_sites_of_which_it_is_known_both_times() -> None:
    before, after = ["low"] * 25 + ["high"] * 5 + [None] * 30, ["high"] * 30 + [None] * 30
    found = findings({"codes": incomes(after)}, before={"codes": incomes(before)})
    row = found[found["kind"].eq("change") & found["code"].eq("high")].iloc[0]
    assert row["sentence"] == (
        "More sites reach people of high income than before: 30 of the 30 sites whose readers' income is known both "
        "times, and 5 before (25 began, none stopped)."
    )


def test_a_part_of_the_spend_is_of_what_stands_on_answered_sites() -> None:
    spend = pd.Series([40.0, *[1.0] * 9], index=SITES[:10], name="Spend")
    codes = pd.DataFrame({"target": SITES[:10], "dimension": "persona", "code": "Cook"})
    whole = findings({"codes": codes}, weight=spend)
    assert whole["sentence"].iloc[0] == "s000.example alone takes 82 % of the Spend, of 10 sites."
    spend["failed.example"] = 950.0
    part = findings({"codes": codes}, weight=spend)
    assert part["sentence"].iloc[0] == "s000.example alone takes 82 % of the Spend on answered sites, of 10 sites."
    assert part.attrs["about"]["weight_unanswered"] == 950


def test_what_was_not_known_before_is_no_change() -> None:
    before = incomes([None] * 30 + ["high"] * 30)
    after = incomes(["high"] * 60)
    row = drift(before, after, dimensions="income_level").iloc[0]
    assert (row["same_sites"], row["gained"], row["lost"]) == (30, 0, 0)
    assert row["verdict"] == "no change shown"
