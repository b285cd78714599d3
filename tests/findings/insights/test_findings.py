"""What findings says of a list: the story that is there, and nothing that follows from how a group was made."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from tests.benchmarks.validity import insights as simulated
from toolkit import sample_run
from toolkit.findings import drift, findings
from toolkit.interface.errors import InputError, UnknownCodeError

SITES = [f"s{number:02}.example" for number in range(40)]
OWN = ["audience_type", "seniority", "job_function", "company_size_employees", "industry"]
TOPICS = ["interest_group", "interest", "purchase_intent", "persona", "content-v3", "content-v2", "filtering"]
READERS = [
    "age_bracket",
    "gender_skew",
    "income_level",
    "education_level",
    "household_composition",
    "life_stage",
    "employment_status",
    "home_ownership",
    "urbanicity",
]
#: Of columns of the bundled run's audiences and companies, dimensions that would only restate them.
RESTATED = {
    "audience_type": [*OWN, *READERS, *TOPICS],
    "company_size_employees": [*OWN, *READERS, *TOPICS],
    **{name: [*READERS, *TOPICS, *OWN, "price_signals"] for name in READERS[1:5] + READERS[6:]},
    "content_type": ["content_type", "purchase_intent", "price_signals", "company industry", *READERS],
    "price_signals": ["price_signals", "income_level", "content_type", "business_model"],
    "business_model": ["business_model", "technology", "technology kind", "price_signals"],
    "country": ["country", "state", "city", "company_type"],
    "industry": ["company industry", "business_model", *TOPICS, *READERS],
    "b2b_confidence": [*OWN, *READERS, *TOPICS],
    "main category": [*TOPICS, "audience_type", *OWN],
}


def frames(used: dict[str, list[str]], sites: list[str] = SITES) -> dict[str, pd.DataFrame]:
    """Return the frames of sites of which some use some technologies; all were answered."""
    rows = [(site, name) for name, users in used.items() for site in users]
    table = pd.DataFrame(rows, columns=["target", "technology"]).assign(category="some")
    blank = pd.DataFrame({"target": sites})
    return {
        "technologies": pd.concat([table, blank], ignore_index=True),
        "companies": pd.DataFrame({"target": sites, "error": None, "country": None}),
    }


def batches(first: int, sites: list[str] = SITES) -> pd.DataFrame:
    return pd.DataFrame({"Batch": ["first"] * first + ["last"] * (len(sites) - first)}, index=sites)


@pytest.fixture(autouse=True)
def _told(monkeypatch: pytest.MonkeyPatch) -> None:
    # Every site of these frames has a row.
    monkeypatch.setattr("toolkit.frames.asked._warned", [True])


def test_a_planted_difference_comes_first_and_says_its_counts() -> None:
    noise = np.random.default_rng(1)
    used = {f"{word} tool": [site for site in SITES if noise.random() < 0.3] for word in simulated._WORDS}
    found = findings(frames(used | {"Shopify": SITES[:9] + SITES[30:31]}), "Batch", table=batches(10))
    first = found.iloc[0]
    assert first["sentence"] == (
        "'first' sites use Shopify more than ten times as often as the others: 9 of 10, against 1 of 30."
    )
    assert (first["kind"], first["certainty"], first["group"], first["code"]) == (
        "difference",
        "clear",
        "first",
        "Shopify",
    )
    assert first["sites"] == tuple(SITES[:9])
    assert first["effect_low"] > 0.4
    assert first["effect"] == pytest.approx(9 / 10 - 1 / 30)
    # Of two groups that are all sites one is told.
    assert found["code"].eq("Shopify").sum() <= 2
    assert set(found.loc[found["kind"] == "difference", "group"]) == {"first"}


def test_lists_without_an_effect_are_hardly_ever_said_to_have_one() -> None:
    assert sum(outcome.claims > 0 for outcome in simulated.null_runs(3, 6)) <= 1


def test_planted_effects_are_among_the_first_five() -> None:
    outcomes = simulated.planted_runs(4, 3, (0.04, 1.0), (6, 30)) + simulated.planted_runs(5, 3, (0.1, 0.8), (20, 60))
    assert sum(outcome.first for outcome in outcomes) >= 5
    assert sum(outcome.false for outcome in outcomes) <= 2


@pytest.mark.parametrize("column", RESTATED)
def test_nothing_that_follows_from_a_column_is_said_of_its_groups(column: str) -> None:
    found = sample_run().findings(column)
    of_groups = found[found["group"].notna()]
    assert of_groups[of_groups["dimension"].isin([column, *RESTATED[column]])].empty


def test_the_same_thing_is_said_once_of_a_group_that_is_a_feature() -> None:
    run = sample_run()
    codes = run.codes()
    business = codes.loc[codes["code"].eq("INT.BUSINESS_AND_FINANCE"), "target"].unique()
    found = run.findings({"my own": list(business)})
    about = found[found["group"].eq("my own") & found["dimension"].isin(TOPICS)]
    assert len(about) == 1
    # A group that is called after a topic is that topic: nothing of it is news.
    named = run.findings({"Business": list(business)})
    assert named[named["group"].eq("Business") & named["dimension"].isin(TOPICS)].empty


def test_pages_of_a_domain_count_once() -> None:
    pages = [f"big.example/{number}" for number in range(20)] + [f"s{number}.example" for number in range(20)]
    table = pd.DataFrame({"Batch": ["first"] * 20 + ["last"] * 20}, index=pages)
    found = findings(frames({"Shopify": pages[:20]}, pages), "Batch", table=table)
    assert found["kind"].isin(["difference", "lead"]).sum() == 0
    assert found.attrs["about"]["counted"] == 21
    assert found.attrs["about"]["domains"] is True


def test_every_finding_of_a_run_has_its_table_and_its_picture() -> None:
    found = sample_run().findings("main category", brief=["Travel", "Attractions", "INT.PETS.*"])
    tables = found.loc[found["table"].notna(), "rank"]
    assert {"common", "gap", "outlier", "together"} <= set(found["kind"])
    assert all(len(found.evidence(rank)) for rank in tables)
    pictures = found[found["chart"].notna()].drop_duplicates("kind")["rank"]
    assert all(found.figure(rank).layout.title.text for rank in pictures)
    with pytest.raises(InputError, match="no finding of rank 99"):
        found.evidence(99)
    with pytest.raises(InputError, match="has no chart"):
        found.figure(int(found.loc[found["kind"] == "outlier", "rank"].iloc[0]))


def test_groups_of_the_callers_own_are_called_by_their_names() -> None:
    run = sample_run()
    shops = run.technologies().query("category == 'E-commerce'")["target"].unique()
    sites = run.sites().query("error.isna()")["target"]
    series = pd.Series(["Shops" if site in shops else "Others" for site in sites], index=sites, name="Kind")
    found = run.findings(series)
    first = found[found["group"].eq("Shops")].iloc[0]
    assert first["sentence"].startswith("Shops sites ") or first["sentence"].startswith("All 11 Shops sites ")
    assert len(found.evidence(int(first["rank"])))


def test_a_finding_that_was_tampered_with_calls_nothing() -> None:
    found = sample_run().findings()
    found.loc[0, "table"] = "run.save('/tmp/stolen')"
    with pytest.raises(InputError, match="no call that a finding names"):
        found.evidence(1)


def test_technologies_facts_and_own_columns_are_compared_as_codes_are() -> None:
    run = sample_run()
    compared = run.compare("audience_type", "rest", of="technologies")
    assert set(compared["dimension"]) == {"technology", "technology kind"}
    assert compared.attrs["about"]["sites"] == 62
    assert "country" in set(run.compare("main category", "rest", of="companies")["dimension"])
    with pytest.raises(InputError, match="of must be codes"):
        run.compare("audience_type", of="tables")


def test_the_same_run_says_the_same() -> None:
    run = sample_run()
    assert_frame_equal(pd.DataFrame(run.findings()), pd.DataFrame(run.findings()))


def test_an_inferred_value_is_called_so_and_never_clear() -> None:
    found = sample_run().findings()
    inferred = found[found["basis"] == "inferred"]
    assert len(inferred)
    assert not inferred["certainty"].eq("clear").any()
    assert inferred["against"].str.contains("inferred").all()


def test_what_a_brief_asks_for_and_no_site_shows_is_a_gap() -> None:
    run = sample_run()
    gaps = run.findings(brief=["Attractions", "Sports"]).query("kind == 'gap'")
    assert "None of the 62 sites is about Attractions, which the brief asks for." in set(gaps["sentence"])
    assert not gaps["sentence"].str.contains("Sports").any()
    with pytest.raises(UnknownCodeError, match=r"Atractions.*Attractions"):
        run.findings(brief=["Atractions"])
    with pytest.raises(UnknownCodeError, match=r"INT\.PETTS"):
        run.findings(brief=["INT.PETTS"])
    with pytest.raises(InputError, match="A brief is a list"):
        run.findings(brief="Sports")


def test_what_another_list_has_is_a_gap_of_this_one() -> None:
    others = [f"o{number:02}.example" for number in range(40)]
    mine, theirs = frames({"Klarna": SITES[:1]}), frames({"Klarna": others[:24]}, others)
    found = findings(mine, beside=theirs)
    gap = found[found["code"].eq("Klarna") & found["kind"].eq("gap")].iloc[0]
    assert gap["sentence"].endswith("less often than the sites beside it: 1 of 40, against 24 of 40.")
    assert gap["certainty"] == "clear"
    assert findings(mine, beside=mine)["kind"].isin(["difference", "lead"]).sum() == 0


def test_what_the_same_sites_began_to_do_is_a_change() -> None:
    before, now = frames({"Klarna": SITES[:2]}), frames({"Klarna": SITES[:16]})
    found = findings(now, before=before)
    change = found[found["kind"] == "change"].iloc[0]
    assert change["sentence"] == (
        "More sites use Klarna than before: 16 of the 40 that were asked twice, and 2 before (14 began, none stopped)."
    )
    assert change["sites"] == tuple(SITES[2:16])
    assert findings(now, before=now)["kind"].eq("change").sum() == 0
    shorter = findings(frames({"Klarna": SITES[:2]}, SITES[:38]), before=before)
    assert shorter.loc[shorter["kind"] == "change", "sentence"].tolist() == [
        "The list itself changed: two went (s38.example and s39.example); 38 sites are in both runs."
    ]


def test_money_says_what_the_sites_take() -> None:
    table = batches(10).assign(Spend=[30.0] + [1.0] * 39)
    found = findings(frames({"Shopify": SITES[:9]}), "Batch", "Spend", table=table)
    first = found.iloc[0]
    assert first["sentence"].endswith("those 9 sites take 55 % of the Spend.")
    assert first["weight_share"] == pytest.approx(38 / 69)
    assert "s00.example alone takes 43 % of the Spend, of 40 sites." in set(found["sentence"])
    with pytest.raises(InputError, match=r"no column 'Spent' to weight by. Nearest: Spend"):
        findings(frames({}), weight="Spent", table=table)
    with pytest.raises(InputError, match="negative"):
        findings(frames({}), weight=pd.Series(-1.0, index=SITES))
    with pytest.raises(InputError, match=r"The Spend of s00.example is no number: '€ 1,200'"):
        findings(frames({}), weight=pd.Series(["€ 1,200"] + ["5"] * 39, index=SITES, name="Spend"))


def test_with_money_the_order_is_that_of_the_weighted_differences() -> None:
    used = {"Shopify": SITES[:7], "Klarna": SITES[4:11], "jQuery": SITES}

    def told(weight: str | None, spend: list[float]) -> pd.DataFrame:
        found = findings(frames(used), "Batch", weight, table=batches(10).assign(Spend=spend))
        return found[found["dimension"].eq("technology") & found["kind"].eq("difference")]

    plain = told(None, [7.0] * 40)
    assert plain["code"].tolist() == ["Shopify", "Klarna"]
    assert told("Spend", [7.0] * 40)["code"].tolist() == ["Shopify", "Klarna"]
    # Of the spend on the first batch most is on the one site of it that Shopify is not used by.
    spend = [1.0] * 9 + [90.0] + [5.0] * 30
    by_money = told("Spend", spend)
    assert by_money["code"].tolist() == ["Klarna", "Shopify"]
    assert sorted(by_money["q"]) == sorted(plain["q"])


def test_what_drift_shows_of_two_runs_is_a_change() -> None:
    noise = np.random.default_rng(3)
    used = {f"{word} tool": [site for site in SITES if noise.random() < 0.3] for word in simulated._WORDS}
    before, now = frames(used | {"Klarna": SITES[:2]}), frames(used | {"Klarna": SITES[:11]})
    codes = [pd.DataFrame(run["technologies"]).rename(columns={"technology": "code"}) for run in (before, now)]
    shown = drift(*(part.assign(dimension="persona") for part in codes))
    klarna = shown[shown["code"].eq("Klarna")].iloc[0]
    found = findings(now, before=before)
    changed = found[found["kind"].eq("change")].iloc[0]
    assert (changed["code"], changed["q"]) == ("Klarna", pytest.approx(klarna["p_adjusted"]))
    assert changed["certainty"] == "clear"


def test_sites_of_one_publisher_speak_against_a_finding() -> None:
    table = batches(8).assign(Publisher=["One House"] * 6 + [f"House {number}" for number in range(34)])
    found = findings(frames({"Shopify": SITES[:8]}), "Batch", table=table)
    first = found[found["code"].eq("Shopify")].iloc[0]
    assert "six of the eight are of the same Publisher: One House" in first["against"]


def test_without_groups_columns_that_make_some_are_tried() -> None:
    table = batches(10).assign(Name=SITES, Other=["x", "y"] * 20)
    found = findings(frames({"Shopify": SITES[:10]}), table=table)
    assert found.iloc[0]["group"] == "first"


def test_few_sites_and_none_say_little_and_keep_the_columns() -> None:
    whole = findings(frames({"Shopify": SITES}))
    for sites in (SITES[:1], SITES[:2], []):
        found = findings(frames({"Shopify": sites[:1]}, sites))
        assert not found["kind"].isin(["difference", "together", "lead"]).any()
        assert found.dtypes.astype(str).to_dict() == whole.dtypes.astype(str).to_dict()


def test_what_is_no_frame_no_column_and_no_run_is_refused() -> None:
    with pytest.raises(InputError, match="frames must be frames by name"):
        findings(pd.DataFrame())
    with pytest.raises(InputError, match=r"no column 'Bach' to group by. Nearest: Batch"):
        findings(frames({}), "Bach", table=batches(10))
    with pytest.raises(InputError, match="before must be a run"):
        sample_run().findings(before="yesterday")
    with pytest.raises(InputError, match="column 'Vertikal' to group by"):
        sample_run().findings("Vertikal")


def test_a_fact_that_is_hardly_known_of_companies_is_never_clear() -> None:
    """That nobody found out how a company lives does not say that it lives by something else."""
    found = sample_run().findings("content_type")
    told = found[found["dimension"].eq("business_model") & found["kind"].isin(["difference", "lead"])]
    assert len(told)
    assert told["certainty"].ne("clear").all()
    assert told["against"].str.contains("it is not known of 36 of the 62 sites").all()
    assert (told["n"] + told["other_n"]).eq(26).all()
    assert told["sentence"].str.contains("whose business model is known").all()


def test_that_a_group_has_less_of_an_absence_is_said_by_what_is_there() -> None:
    prices = ["mid_range"] * 6 + ["luxury"] * 5 + ["none"] * 29
    codes = pd.DataFrame({"target": SITES, "dimension": "price_signals", "code": prices})
    found = findings({"codes": codes}, {"shops": SITES[:11]})
    told = found.loc[found["kind"].eq("difference"), "sentence"].tolist()
    assert told
    assert not any("no prices" in sentence for sentence in told)
    assert told[0].startswith("Only 'shops' sites show")


def test_a_heavy_site_is_held_against_those_that_have_any_of_it() -> None:
    used = frames({"Shopify": SITES[:9]})

    def told(spend: list[float]) -> list[str]:
        column = pd.Series(spend + [0.0] * (len(SITES) - len(spend)), index=SITES, name="Spend")
        found = findings(used, weight=column)
        return found.loc[found["kind"].eq("outlier"), "sentence"].tolist()

    # Five that take equally much are no outliers, whatever the others lack.
    assert told([20.0] * 5) == []
    assert told([12.0] + [2.0] * 9) == ["s00.example alone takes 40 % of the Spend, of 10 sites that have any."]
