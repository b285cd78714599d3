"""What sites weigh by the user's own numbers: shares of spend, topics by spend, and weights that cannot be used."""

import numpy as np
import pandas as pd
import pytest
from benchmarks.validity.weighted import false_rows_of_pages, made_up
from numpy.testing import assert_allclose
from pandas.testing import assert_frame_equal

import toolkit as tk
from toolkit.findings import compare, coverage, coverage_by_group, gaps, shares, technology_shares
from toolkit.interface.errors import InputError
from toolkit.reports.book import book
from toolkit.reports.brand import PLAIN
from toolkit.reports.deck.slides import deck
from toolkit.reports.document import report_of
from toolkit.reports.page.html import html_page

CODES = pd.DataFrame(
    {
        "target": ["a.example", "a.example", "b.example", "c.example"],
        "dimension": "persona",
        "code": ["Cook", "Diver", "Cook", "Diver"],
    }
)
SITES = ["a.example", "b.example", "c.example", "d.example"]
SPEND = {"a.example": 600, "b.example": 300, "c.example": 0, "gone.example": 50, "d.example": 100}
WEIGHTED = ["weight", "weight_total", "weighted_share", "weighted_low", "weighted_high", "weighted_n"]


def test_a_share_of_spend_is_of_all_answered_sites_with_one():
    found = shares(CODES, sites=SITES, weight=SPEND).set_index("code")
    assert found.loc["Cook", ["with_code", "n", "weight", "weight_total"]].tolist() == [2, 4, 900, 1000]
    assert_allclose(found["weighted_share"].loc[["Cook", "Diver"]], [0.9, 0.6])
    assert_allclose(found["weighted_n"], 1000**2 / (600**2 + 300**2 + 100**2))


def test_what_is_left_out_of_the_weight_is_told():
    partly = {target: spend for target, spend in SPEND.items() if target != "d.example"}
    about = shares(CODES, sites=SITES, weight=pd.Series(partly, name="Spend")).attrs["about"]
    assert {name: value for name, value in about.items() if name.startswith("weight")} == {
        "weight": "Spend",
        "weight_total": 900.0,
        "weight_sites": 2,
        "weight_missing": 1,
        "weight_zero": 1,
        "weight_unanswered": 50.0,
    }


def test_without_a_weight_no_column_is_of_one():
    assert not set(WEIGHTED) & set(shares(CODES, sites=SITES))


def test_equal_weights_give_the_unweighted_answer(sample):
    for finding, frame in ((shares, sample.codes()), (technology_shares, sample.technologies())):
        weight = dict.fromkeys(sample.sites()["target"].dropna(), 7.3)
        found = finding(frame, weight=weight)
        for weighted, plain in zip(
            ("weighted_share", "weighted_low", "weighted_high", "weighted_n"),
            ("share", "share_low", "share_high", "n"),
            strict=True,
        ):
            assert_allclose(found[weighted], found[plain], rtol=1e-9, atol=1e-12)
        assert_frame_equal(found[list(finding(frame))], finding(frame))


def test_the_codes_with_most_weight_stand_first():
    weight = {"a.example": 1, "b.example": 1, "c.example": 9, "d.example": 1}
    assert shares(CODES, sites=SITES, weight=weight)["code"].tolist() == ["Diver", "Cook"]


def test_targets_are_read_as_everywhere_and_what_stands_twice_is_added():
    weight = pd.Series([200.0, 400.0, 300.0, 100.0], ["https://A.example/", "a.example", "b.example", "d.example"])
    assert_frame_equal(shares(CODES, sites=SITES, weight=weight), shares(CODES, sites=SITES, weight=SPEND), rtol=1e-12)


def test_numbers_of_a_text_file_are_numbers_and_blank_cells_are_missing():
    texts = pd.Series({"a.example": "600", "b.example": "3e2", "c.example": " ", "d.example": "100.0"}, name="Spend")
    found = shares(CODES, sites=SITES, weight=texts)
    assert found["weight"].tolist() == [900, 600]
    assert found.attrs["about"]["weight_missing"] == 1


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        (
            {"a.example": -5, "b.example": -1},
            r"The weight of a.example is negative: -5 \(and so is 1 more\)",
        ),
        ({"a.example": float("inf")}, "The weight of a.example is infinite: inf. Pass a finite number"),
        (pd.Series({"a.example": "€ 1,200"}, name="Spend"), "The Spend of a.example is no number: '€ 1,200'. Write it"),
        ({"a.example": True}, "The weight of a.example is no number: True."),
        (pd.Series({"a.example": pd.Timestamp(0)}), "The weight of a.example is no number: Timestamp"),
        (
            {"a.example": 0, "elsewhere.example": 3},
            "None of the 4 sites has a weight above 0. Pass a number",
        ),
        ({"a.example": None}, "None of the 4 sites has a weight above 0"),
        ({}, "weight is a Series of numbers indexed by target, or a mapping of targets to them, not an empty one"),
        ([1, 2], "not list"),
        ("Spend", r"names a column, which only a run knows: run.shares\(weight=…\). Here pass a Series"),
        (pd.Series([1, 2]), "A target of the weight is 0, not text. Pass a Series whose index are targets"),
    ],
)
def test_a_weight_that_cannot_be_used_is_refused(weight, words):
    with pytest.raises(InputError, match=words):
        shares(CODES, sites=SITES, weight=weight)


def test_a_run_takes_a_column_of_its_table_by_name():
    table = pd.DataFrame(
        {"Domain": ["harvest-table.example", "ledgerline.example", "none.invalid"], "Spend": ["900", "100", "5"]}
    )
    with tk.Client() as client:
        run = client.ask(table, ["segment", "enrich"], column="Domain")
        found = run.shares(weight="Spend")
        assert found.attrs["about"]["weight"] == "Spend"
        assert found.attrs["about"]["weight_unanswered"] == 5
        kinds = found[found["dimension"] == "audience_type"].set_index("code")["weighted_share"]
        assert kinds.to_dict() == {"b2c": 0.9, "b2b": 0.1}
        assert run.shares("technologies", weight="Spend")["weight_total"].iloc[0] == 1000
        assert run.coverage("interest", weight="Spend").attrs["about"]["weight_total"] == 1000


def test_a_column_that_is_not_there_is_refused_with_the_nearest():
    with pytest.raises(InputError, match=r"has a column 'audience_typ' to weigh by. Nearest: audience_type"):
        tk.sample_run().shares(weight="audience_typ")


CATEGORIES = pd.DataFrame(
    {
        "target": ["a.example", "b.example", "c.example"],
        "taxonomy": "content-v3",
        "id": ["2", "1", "422"],
        "confidence": 0.9,
    }
)


def covered(weight=None):
    return coverage(CATEGORIES, sites=SITES, weight=SPEND if weight is None else weight)


def test_a_node_bears_the_weight_of_the_sites_that_show_it_or_what_is_below():
    plain = coverage(CATEGORIES, sites=SITES)
    found = covered()
    assert_frame_equal(found[list(plain)], plain)
    nodes = found.set_index("id")
    assert nodes.loc[["1", "2"], "weight"].tolist() == [900, 600]
    assert_allclose(nodes.loc[["1", "2"], "weighted_share"], [0.9, 0.6])
    assert (found["weighted_low"] <= found["weighted_share"]).all()


def test_equal_weights_give_the_shares_of_a_coverage(sample):
    weight = dict.fromkeys(sample.sites()["target"].dropna(), 3)
    found = coverage(sample.categories(), weight=weight)
    assert_allclose(found["weighted_share"], found["share"])


def test_groups_say_how_much_weight_stands_on_each_and_what_has_no_topic():
    grouped = coverage_by_group(covered())
    assert grouped["level_1"].iloc[0] == "Automotive"
    assert grouped[["sites", "weight", "weighted_share"]].iloc[0].tolist() == [2, 900, 0.9]
    assert np.isnan(grouped["share"].iloc[-1])
    assert grouped["level_1"].isna().tolist() == [False] * (len(grouped) - 1) + [True]
    assert grouped[["nodes", "sites", "weight"]].iloc[-1].tolist() == [0, 1, 100]
    assert grouped["weighted_share"].iloc[-1] == pytest.approx(0.1)


def test_gaps_by_money_are_topics_without_any_also_where_a_site_shows_them():
    found = gaps(covered()).set_index("id")
    plain = gaps(coverage(CATEGORIES, sites=SITES)).set_index("id")
    assert set(found.index) - set(plain.index) == {"422"}
    assert found.loc["422", "sites"] == 1
    assert found.loc[plain.index, "sites"].eq(0).all()


def test_a_report_says_on_which_topics_the_spend_stands():
    run = tk.sample_run()
    sites = run.sites()["target"].dropna().tolist()
    spend = pd.Series(np.linspace(10, 1000, len(sites)), sites, name="Spend <b>")
    report = report_of(run, weight=spend)
    section = next(section for section in report.parts if section.name == "Spend <b> by topic")
    by_topic = run.coverage(weight=spend).by_group()
    top = by_topic.iloc[0]
    part = f"{100 * top['weighted_share']:.0f}\N{NO-BREAK SPACE}%"
    assert section.title.startswith(f"{part} of the Spend <b> stands on {top['level_1']}")
    assert section.table.frame["weighted_share"].is_monotonic_decreasing
    assert "by Spend <b>" in section.footer
    assert any("Kish" in words for words in report.methods.text)
    assert not any("Kish" in words for words in report_of(run, parts=["methods"]).methods.text)
    page = html_page(report, PLAIN)
    assert "Spend &lt;b&gt; by topic" in page
    assert "Spend <b> by topic" not in page
    for write in (deck, book):
        assert write(report, PLAIN)


PAIRS = {
    "share": "weighted_share",
    "share_low": "weighted_low",
    "share_high": "weighted_high",
    "n": "weighted_n",
    "baseline_share": "baseline_weighted_share",
    "index": "weighted_index",
    "index_low": "weighted_index_low",
    "index_high": "weighted_index_high",
    "p": "weighted_p",
    "p_adjusted": "weighted_p_adjusted",
}


@pytest.mark.parametrize("baseline", [None, "rest", "b2b", "crossing", "inside", "run"])
def test_a_comparison_by_equal_weights_is_that_of_sites(sample, baseline):
    frame, groups = sample.codes(), sample.audiences().set_index("target")["audience_type"].dropna()
    sites = sorted(set(frame["normal"].dropna()))
    against = {"crossing": sites[::2], "inside": groups.index[groups == "b2c"][:5].tolist(), "run": frame}
    given = against.get(baseline, baseline)
    weight = dict.fromkeys([*sites, *sample.sites()["target"].dropna()], 250.0)
    plain, found = compare(frame, groups, given, sites=sites), compare(frame, groups, given, sites=sites, weight=weight)
    assert_frame_equal(found[list(plain)], plain)
    for name, weighted in PAIRS.items():
        assert_allclose(found[weighted], plain[name], rtol=1e-7, atol=1e-9, err_msg=name)
    assert found["weighted_verdict"].tolist() == plain["verdict"].tolist()
    assert found.attrs["about"]["weighted_tested"] == plain.attrs["about"]["tested"]


def test_a_comparison_by_spend_is_of_the_groups_own_spend():
    rows = {"target": ["a.example", "b.example", "c.example"], "dimension": "persona", "code": "Cook"}
    spend = {"a.example": 30, "d.example": 10, "b.example": 5, "c.example": 5, "e.example": 10}
    sites = [*spend, "f.example"]
    groups = {"ours": ["a.example", "d.example"], "theirs": ["b.example", "c.example", "e.example", "f.example"]}
    found = compare(pd.DataFrame(rows), groups, "rest", sites=sites, weight=spend).set_index("group")
    assert found["weight"].tolist() == [30, 10]
    assert found["weight_total"].tolist() == [40, 20]
    assert_allclose(found["weighted_share"], [0.75, 0.5])
    assert_allclose(found["baseline_weighted_share"], [0.5, 0.75])
    assert_allclose(found["weighted_index"], [150, 100 * 2 / 3])
    assert found["weighted_verdict"].tolist() == ["too few", "too few"]


def test_a_difference_that_one_site_carries_is_none():
    """By spend the group is nearly all cooks and the rest a tenth; but it is one site that says so."""
    sites = [f"s{number}.example" for number in range(60)]
    cooks = [*sites[:1], *sites[20:24]]
    frame = pd.DataFrame({"target": cooks, "dimension": "persona", "code": "Cook"})
    spend = {site: 1000.0 if site == sites[0] else 1.0 for site in sites}
    row = compare(frame, {"ours": sites[:20]}, "rest", sites=sites, weight=spend).iloc[0]
    assert row["weighted_share"] > 0.9
    assert row["weighted_n"] < 1.1
    assert row["weighted_verdict"] == "too few"
    many = compare(frame, {"ours": cooks}, "rest", sites=sites, weight=dict.fromkeys(sites, 9.0)).iloc[0]
    assert many["weighted_verdict"] == "over"


def test_a_run_compares_by_a_column_of_its_own():
    found = tk.sample_run().compare("audience_type", weight="interests")
    assert found.attrs["about"]["weight"] == "interests"
    assert found["weighted_index"].notna().any()


def paged(seed=1, *, domains=40, pages=10, alike=0.3, groups=2):
    """Return pages of domains, their codes frame, their weights by domain and groups of whole domains."""
    return made_up(np.random.default_rng(seed), domains, pages, alike, groups)


FINDINGS = {
    "shares": lambda frame, options: shares(frame, **options),
    "technology_shares": lambda frame, options: technology_shares(
        frame.rename(columns={"code": "technology"}).assign(category="Servers"), **options
    ),
    "compare": lambda frame, options: compare(frame, **options),
}


@pytest.mark.parametrize("name", FINDINGS)
def test_the_spend_on_pages_of_one_domain_tells_less_than_on_as_many_domains(name):
    frame, sites, weight, _ = paged()
    options = {"sites": sites, "weight": weight}
    alone = FINDINGS[name](frame, options | {"cluster": None})
    pages = FINDINGS[name](frame, options | {"cluster": "domain"})
    wider = (pages["weighted_high"] - pages["weighted_low"]) / (alone["weighted_high"] - alone["weighted_low"])
    assert wider.median() > 1.2
    assert wider.min() > 0.999
    assert_allclose(pages["weighted_share"], alone["weighted_share"])
    assert (pages["weighted_n"] <= alone["weighted_n"] * 1.000001).all()
    assert pages["weighted_n"].median() < 0.8 * alone["weighted_n"].median()
    assert_frame_equal(FINDINGS[name](frame, options), pages)


def test_the_spend_on_topics_of_pages_counts_by_domain():
    sites = [f"https://d{number // 5}.example/{number}" for number in range(100)]
    rows = {"target": sites[::7], "taxonomy": "content-v3", "id": "1", "confidence": 0.9}
    frame, weight = pd.DataFrame(rows), dict.fromkeys(sites, 2.0)
    alone, pages = (coverage(frame, sites=sites, weight=weight, cluster=by).set_index("id") for by in (None, "domain"))
    assert pages.loc["1", "weighted_low"] <= alone.loc["1", "weighted_low"]
    assert pages.loc["2", "weighted_high"] > 2 * alone.loc["2", "weighted_high"]


@pytest.mark.parametrize("baseline", [None, "rest", "a", "crossing", "inside", "run"])
def test_clusters_of_one_site_change_nothing_in_a_comparison_by_weight(sample, baseline):
    frame = sample.codes()
    sites = sorted(set(frame["normal"].dropna()))
    groups = {"a": sites[:20], "b": sites[15:40], "c": sites[40:]}
    given = {"crossing": sites[::2], "inside": sites[2:8], "run": frame}.get(baseline, baseline)
    weight = pd.Series(7.0, sites)
    options = {"sites": sites, "weight": weight}
    alone = compare(frame, groups, given, cluster=None, **options)
    each = compare(frame, groups, given, cluster=pd.Series(sites, sites), **options)
    names = [name for name in alone if "weight" in name]
    assert_frame_equal(each[names], alone[names], rtol=1e-6)


def test_pages_of_a_few_domains_show_no_difference_by_weight():
    """All pages of one domain have it and of nine others none: by page that is certain, by domain it is one of ten."""
    sites = [f"https://d{number // 20}.example/{number}" for number in range(200)]
    frame = pd.DataFrame({"target": sites[:20], "dimension": "persona", "code": "Cook"})
    options = {"sites": sites, "weight": dict.fromkeys(sites, 3.0)}
    groups = {"ours": sites[:20]}
    assert compare(frame, groups, "rest", cluster=None, **options)["weighted_verdict"].iloc[0] == "over"
    row = compare(frame, groups, "rest", cluster="domain", **options).iloc[0]
    assert row["weighted_p"] >= 0.1 * (1 - 1e-9)
    assert row["weighted_verdict"] == "too few"


@pytest.mark.parametrize("split", [False, True])
def test_in_pages_that_differ_by_domain_a_comparison_by_weight_hardly_finds_what_is_not_there(split):
    """By page 15 % and more of the rows are called, if groups are of whole domains."""
    rows, held = false_rows_of_pages(40, 10, 1.0, 0.3, split=split, runs=12, seed=5)
    assert rows <= 0.05
    assert held >= 0.92


def test_by_weight_hardly_a_list_of_pages_of_few_domains_has_a_claim():
    """If how alike pages are was told of each code by itself, a tenth of such lists would have one."""
    random, claimed = np.random.default_rng(4), 0
    for _ in range(30):
        frame, sites, weight, groups = made_up(random, 12, 25, 0.3, 2, sigma=0.5)
        found = compare(frame, groups, "rest", sites=sites, weight=weight, cluster="domain")
        claimed += found["weighted_verdict"].isin(["over", "under"]).any()
    assert claimed <= 2
