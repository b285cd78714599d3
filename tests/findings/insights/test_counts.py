"""What is counted of a list: of the sites that tell, all that lead together, and no gaps that nobody would fill."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from saved_runs import failing, part_of

from toolkit import Client, sample_run
from toolkit.findings import findings, nearest
from toolkit.findings.statistics.proportions import wilson
from toolkit.interface.taxonomy import Taxonomy

SITES = [f"s{number:02}.example" for number in range(30)]
UNSOUGHT = ["Genres", "Sensitive Topics", "Crime", "Disasters", "War and Conflicts"]


@pytest.fixture(autouse=True)
def _told(monkeypatch: pytest.MonkeyPatch) -> None:
    # Every site of these frames has a row.
    monkeypatch.setattr("toolkit.frames.asked._warned", [True])


@pytest.fixture(scope="module")
def found() -> pd.DataFrame:
    return pd.DataFrame(sample_run().findings())


def companies(models: list[str | None]) -> dict[str, pd.DataFrame]:
    """Return the frame of companies of which some are known to live by something."""
    rows = {"target": SITES, "error": None, "country": None, "business_model": models}
    return {"companies": pd.DataFrame(rows).astype({"business_model": "str"})}


def users(used: dict[str, list[str]]) -> dict[str, pd.DataFrame]:
    """Return the frame of technologies of sites that each use some."""
    rows = [(site, name) for name, sites in used.items() for site in sites]
    return {"technologies": pd.DataFrame(rows, columns=["target", "technology"]).assign(category=None)}


def common(rows: pd.DataFrame, dimension: str) -> pd.Series:
    [row] = [row for _, row in rows[rows["kind"].eq("common") & rows["dimension"].eq(dimension)].iterrows()]
    return row


def test_what_few_tell_is_told_of_those_and_is_a_count() -> None:
    row = common(findings(companies(["advertising"] * 8 + ["e-commerce"] * 5 + [None] * 17)), "business_model")
    assert row["sentence"] == (
        "8 of the 13 sites whose business model is known live by advertising, followed by e-commerce (5)."
    )
    assert (row["n"], row["with_code"], row["effect"]) == (13, 8, pytest.approx(8 / 13))
    assert (row["effect_low"], row["effect_high"]) == pytest.approx(tuple(map(float, wilson(8, 13))))
    assert row["certainty"] == "a count"
    assert row["against"] == "it is not known of 17 of the 30 sites"
    # What all tell is told of all, as ever.
    row = common(findings(companies(["advertising"] * 14 + ["e-commerce"] * 16)), "business_model")
    assert row["sentence"] == "Most sites live by e-commerce: 16 of 30, followed by advertising (14)."
    assert (row["n"], row["certainty"]) == (30, "a count")
    assert pd.isna(row["against"])


def test_what_a_few_do_not_tell_is_told_against_it() -> None:
    row = common(findings(companies(["advertising"] * 28 + [None] * 2)), "business_model")
    assert row["sentence"] == "All 28 sites whose business model is known live by advertising."
    assert (row["certainty"], row["against"]) == ("a count", "it is not known of 2 of the 30 sites")


def test_counts_of_a_run_are_of_the_sites_of_which_it_is_known(found: pd.DataFrame) -> None:
    run = sample_run()
    told = {str(name): part["target"].nunique() for name, part in run.codes().groupby("dimension", observed=True)}
    known = run.companies()
    told |= {name: int(known[name].notna().sum()) for name in ("business_model", "country")}
    # Technologies a site has or has not: one that shows none is known.
    assert run.technologies().dropna(subset="technology")["target"].nunique() < 62
    told["technology"] = 62
    rows = found[found["kind"].eq("common") & found["dimension"].isin(list(told))]
    assert {"business_model", "country", "age_bracket", "technology"} <= set(rows["dimension"])
    assert rows.set_index("dimension")["n"].to_dict() == {name: told[name] for name in rows["dimension"]}
    silent = rows[rows["n"].lt(62)]
    assert silent["against"].str.contains("it is not known of").all()
    assert not rows[rows["n"].eq(62)]["against"].str.contains("not known", na=False).any()


def test_of_what_is_mostly_unknown_no_share_is_told(found: pd.DataFrame) -> None:
    row = common(found, "business_model")
    assert row["sentence"] == (
        "13 of the 26 sites whose business model is known live by advertising, followed by e-commerce (8) and "
        "affiliate links (5)."
    )
    assert row["certainty"] == "a count"
    assert "% of the 57 sites whose country is known are run from the US" in common(found, "country")["sentence"]
    # Three of nine that tell a stage of life are a third of these, and no finding on 62 sites.
    assert not (found["kind"].eq("common") & found["dimension"].eq("life_stage")).any()


def test_no_gap_is_a_list_of_help_or_what_brands_keep_off(found: pd.DataFrame) -> None:
    [gap] = found.loc[found["kind"].eq("gap"), "sentence"]
    assert not [name for name in UNSOUGHT if name in gap]
    covered = sample_run().coverage("content-v3")
    tops = covered[covered["tier"].eq(1) & ~covered["name"].isin(UNSOUGHT)]
    missing = tops[~tops["seen"]].sort_values(["below", "name"], ascending=[False, True])["name"].tolist()
    assert gap == (
        f"{len(missing)} of the {len(tops)} main topics other than sensitive ones are on none of the sites: "
        f"{', '.join(missing[:3])} and {len(missing) - 3} more."
    )


def test_gaps_that_nobody_fills_come_after_the_others() -> None:
    gaps = sample_run().coverage("content-v3").gaps()
    later = gaps.loc[gaps["topmost"], "level_1"].isin(UNSOUGHT)
    assert later.any()
    assert later.is_monotonic_increasing


def test_that_no_site_is_about_what_brands_keep_off_is_good_news(found: pd.DataFrame) -> None:
    told = "sensitive topics:"
    categories = sample_run().categories()
    drinks = categories.loc[categories["taxonomy"].eq("filtering") & categories["name"].eq("Alcohol"), "target"]
    # A site that the rules for sensitive topics keep a brand off is none of the good news.
    assert len(drinks)
    assert not found["sentence"].str.contains(told).any()
    categories = categories[~categories["target"].isin(drinks)]
    rows = findings({"categories": categories})
    [row] = [row for _, row in rows[rows["sentence"].str.contains(told)].iterrows()]
    n = 62 - drinks.nunique()
    assert row["sentence"] == f"None of the {n} sites is about sensitive topics: good news for a brand."
    assert (row["kind"], row["n"], row["with_code"], row["sites"]) == ("common", n, 0, ())
    place = categories.index[categories["taxonomy"].eq("content-v3") & categories["tier"].eq(1)][0]
    categories.loc[place, ["id", "name", "level_1"]] = ["sensitive", "Sensitive Topics", "Sensitive Topics"]
    assert not findings({"categories": categories})["sentence"].str.contains(told).any()


def test_sites_whose_web_filtering_failed_are_none_of_the_good_news() -> None:
    run = sample_run()
    categories = run.categories()
    filtered = categories["taxonomy"].eq("filtering")
    drinks = categories.loc[filtered & categories["name"].eq("Alcohol"), "target"]
    rows = failing(run, categorize_content=range(30)).categories()
    assert not rows.loc[rows["taxonomy"].eq("filtering"), "target"].isin(drinks).any()
    found = findings({"categories": rows})
    [row] = [row for _, row in found[found["sentence"].str.contains("sensitive topics")].iterrows()]
    n = rows.loc[rows["endpoint"].eq("categorize_content") & rows["error"].isna(), "normal"].nunique()
    assert row["sentence"] == (
        f"None of the {n} sites whose topics and web-filtering categories are known is about sensitive topics; of "
        f"{62 - n} more they are not known."
    )
    assert (row["n"], row["against"]) == (n, f"it is not known of {62 - n} of the 62 sites")
    # Where all of them failed nothing is said, and where web filtering was not asked for topics alone say it.
    nothing = failing(run, categorize_content=range(90)).categories()
    assert not findings({"categories": nothing})["sentence"].str.contains("sensitive topics").any()
    topics = part_of(run, lambda record: record.endpoint == "enrich", asked=("enrich",)).categories()
    told = findings({"categories": topics})["sentence"]
    assert "None of the 62 sites is about sensitive topics: good news for a brand." in told.tolist()


def test_topics_are_on_none_of_the_sites_whose_topics_are_known() -> None:
    rows = failing(sample_run(), categorize_content=range(12), enrich=range(12)).categories()
    found = findings({"categories": rows})
    gap = found[found["kind"].eq("gap")].iloc[0]
    n = rows.loc[rows["error"].isna(), "normal"].nunique()
    every = findings({"categories": rows, "codes": sample_run().codes()})
    told = every[every["kind"].eq("gap")].iloc[0]
    assert "are on none of the sites: " in gap["sentence"]
    assert f"are on none of the {n} sites whose topics are known: " in told["sentence"]
    assert told["against"] == f"it is not known of {62 - n} of the 62 sites"


def test_a_tie_has_the_sites_of_all_that_lead_by_value_and_comes_last() -> None:
    used = {"Klarna": SITES[:4], "Shopify": SITES[10:14], "jQuery": SITES[20:21]}
    others = {f"own {site}": [site] for site in SITES}
    rows = findings(users({"Klarna": SITES[:9], "Shopify": SITES[10:19]} | others) | companies(["advertising"] * 30))
    tie = common(rows, "technology")
    assert tie["sentence"] == "9 of 30 sites use Klarna, and as many use Shopify."
    assert tie["sites"] == (*SITES[:9], *SITES[10:19])
    assert (tie["with_code"], tie["n"]) == (9, 30)
    assert tie["rank"] == len(rows) > 1
    few = common(findings(users(used)), "technology")
    assert few["sentence"] == "4 of 9 sites use Klarna, and as many use Shopify."


def test_a_tie_of_several_and_of_all_is_said_as_one_says_it() -> None:
    used = {name: SITES[place * 4 : place * 4 + 4] for place, name in enumerate(("Klarna", "Shopify", "Wix"))}
    assert common(findings(users(used)), "technology")["sentence"] == (
        "4 of 12 sites use Klarna, and as many each use Shopify and Wix."
    )
    whole = common(findings(users({"Klarna": SITES, "Shopify": SITES})), "technology")
    assert whole["sentence"] == "All 30 sites use Klarna and Shopify."
    few = companies(["advertising"] * 2 + [None] * 28)["companies"].head(3)
    both = common(findings({"companies": few}), "business_model")
    assert both["sentence"] == "Both sites whose business model is known live by advertising."


def test_what_comes_next_in_a_tie_is_named_together_or_not_at_all() -> None:
    models = ["advertising"] * 10 + ["e-commerce"] * 5 + ["affiliate"] * 3 + ["donations"] * 3
    row = common(findings(companies([*models, *["licences"] * 9])), "business_model")
    assert row["sentence"].endswith("live by advertising, followed by licences (9) and e-commerce (5).")
    models = ["advertising"] * 12 + ["e-commerce"] * 6 + ["affiliate"] * 4 + ["donations"] * 4 + ["licences"] * 4
    row = common(findings(companies(models)), "business_model")
    assert row["sentence"] == "12 of 30 sites live by advertising, followed by e-commerce (6)."
    models = ["advertising"] * 15 + ["e-commerce"] * 7 + ["affiliate"] * 4 + ["donations"] * 4
    row = common(findings(companies(models)), "business_model")
    assert row["sentence"] == (
        "15 of 30 sites live by advertising, followed by e-commerce (7), affiliate links (4) and donations (4)."
    )


def test_only_what_is_tested_has_a_certainty(found: pd.DataFrame) -> None:
    counted = found["kind"].isin(["common", "outlier", "gap"])
    assert found.loc[counted, "certainty"].eq("a count").all()
    assert not found.loc[~counted, "certainty"].eq("a count").any()


def test_numbers_of_a_gap_are_those_of_its_sentence(found: pd.DataFrame) -> None:
    gap = found[found["kind"] == "gap"].iloc[0]
    assert gap["sentence"].startswith(f"{gap['with_code']} of the {gap['n']} main topics other than sensitive ones")


# Several pages of a domain --------------------------------------------------------------------------------------------


def pages_of(told: int, every: int = 10, domains: int = 10) -> dict[str, pd.DataFrame]:
    """Return codes of domains with so many pages, of which only some tell how rich their readers are."""
    rows = [
        (f"https://d{domain}.example/{page}", dimension, code)
        for domain in range(domains)
        for page in range(every)
        for dimension, code in (("content_type", "article"), ("income_level", "high"))
        if dimension == "content_type" or page < told
    ]
    return {"codes": pd.DataFrame(rows, columns=["target", "dimension", "code"])}


@pytest.mark.parametrize(("told", "is_known"), [(1, False), (4, False), (5, True), (10, True)])
def test_a_domain_is_known_if_at_least_half_of_its_pages_are(told: int, is_known: bool) -> None:
    sentences = findings(pages_of(told))["sentence"].tolist()
    assert ("All sites reach people of high income: 10 of 10." in sentences) is is_known


def test_domains_of_which_too_few_pages_are_known_are_said_not_to_be_known() -> None:
    frame = pages_of(10)["codes"]
    domain = frame["target"].str.extract(r"d(\d)", expand=False).astype(int)
    page = frame["target"].str.extract(r"/(\d)", expand=False).astype(int)
    silent = frame["dimension"].eq("income_level") & domain.ge(6) & page.ge(3)
    row = common(findings({"codes": frame[~silent]}), "income_level")
    assert row["sentence"] == "All 6 sites whose readers' income is known reach people of high income."
    assert (row["n"], row["with_code"]) == (6, 6)
    assert row["against"].endswith("it is not known of 4 of the 10 sites")


def topics(of: dict[str, int], every: int = 10, domains: int = 10) -> dict[str, pd.DataFrame]:
    """Return categories of domains with so many pages, of which the first so many are about a topic; others all."""
    tops = {top.name: top.id for top in Taxonomy.load("content-v3").children(None)}
    usual = {name: every for name in tops if name not in {*UNSOUGHT, *of}}
    rows = [
        (f"https://d{domain}.example/{page}", tops[name], name)
        for domain in range(domains)
        for name, some in (usual | of).items()
        for page in range(some)
    ]
    frame = pd.DataFrame(rows, columns=["target", "id", "name"]).assign(
        taxonomy="content-v3", tier=1, rank=1, confidence=0.9
    )
    return {"categories": frame.assign(level_1=frame["name"], path=frame["name"])}


def test_what_some_pages_are_about_is_not_on_none_of_the_sites() -> None:
    for some, gaps in ((0, 1), (1, 0), (4, 0)):
        found = findings(topics({"Travel": some}))
        assert found["sentence"].eq("One main topic is on none of the sites: Travel.").sum() == gaps
    # A brief is of sites, and pages that do not make one are said against it.
    found = findings(topics({"Travel": 4}), brief=["Travel"])
    [row] = [row for _, row in found.iterrows() if row["code"] == "653"]
    assert row["sentence"] == "None of the 10 sites is about Travel, which the brief asks for."
    assert row["against"] == "10 sites have it on some pages, fewer than half of their own"
    assert findings(topics({"Travel": 0}), brief=["Travel"])["against"].isna().iloc[0]


def test_one_page_about_what_brands_keep_off_is_no_good_news() -> None:
    good = "None of the 10 sites is about sensitive topics: good news for a brand."
    assert good in set(findings(topics({"Crime": 0}))["sentence"])
    assert good not in set(findings(topics({"Crime": 1}))["sentence"])


def test_a_domain_has_one_value_of_what_a_site_has_one_of() -> None:
    rows = [
        (f"https://d{domain}.example/{page}", "income_level", "low" if page else "high")
        for domain in range(10)
        for page in range(3 if domain < 6 else 2)
    ]
    rows += [(site, "content_type", "shop") for site, _, _ in rows]
    row = common(findings({"codes": pd.DataFrame(rows, columns=["target", "dimension", "code"])}), "income_level")
    # Of six two pages of three agree; of the others one page says the one and one the other.
    assert row["sentence"] == "All 6 sites whose readers' income is known reach people of low income."
    assert row["against"].endswith("it is not known of 4 of the 10 sites")


# What a brief asks for ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client() -> Client:
    return Client()


FEW = ["harvest-table.example", "ledgerline.example", "brauhaus-kessel.example", "bicicletta-viva.example"]


@pytest.mark.parametrize(
    ("question", "wanted", "reason", "does"),
    [
        ("segment", "Travel", "the run did not ask for topics", "is about Travel"),
        (
            "categorize",
            "INT.PETS",
            "the run did not ask for audiences and interests",
            "reaches people interested in Pets",
        ),
    ],
)
def test_what_a_run_did_not_ask_for_is_named_where_a_brief_asks_for_it(
    client: Client, question: Any, wanted: str, reason: str, does: str
) -> None:
    found = client.ask(FEW, [question]).findings(brief=[wanted])
    row = found.iloc[0]
    assert row["sentence"] == f"Whether any site {does}, as the brief asks, is not known: {reason}."
    assert (row["kind"], row["certainty"], row["n"], row["with_code"]) == ("gap", "a count", 0, 0)
    assert found.attrs["about"]["brief_unknown"] == {row["label"]: reason}
    assert found.lines()[0].endswith(f"is not known: {reason}.")
    assert client.ask(FEW, ["segment", "categorize"]).findings(brief=[wanted]).attrs["about"]["brief_unknown"] == {}


def test_what_no_site_was_answered_for_or_tells_is_named_too() -> None:
    found = failing(sample_run(), segment=range(90)).findings(brief=["INT.PETS"])
    assert found.attrs["about"]["brief_unknown"] == {"Pets": "no site has an answer about audiences and interests"}
    silent = findings(pages_of(0), brief=["very_high"], vocabulary=sample_run().vocabulary)
    assert silent.attrs["about"]["brief_unknown"] == {
        "Very high income": "no site tells it, or of several pages of a domain fewer than half"
    }


def test_what_all_were_answered_with_nothing_of_is_on_none_of_the_sites(client: Client) -> None:
    run = client.ask(FEW, ["segment", "categorize"])
    frames = {"codes": run.codes(), "categories": run.categories().iloc[:0]}
    found = findings(frames, brief=["Travel"])
    assert found["sentence"].iloc[0] == "None of the 4 sites is about Travel, which the brief asks for."
    assert found["n"].iloc[0] == 4


def test_a_value_of_the_vocabulary_that_no_site_has_can_be_asked_for(client: Client) -> None:
    found = client.ask(FEW, ["segment"]).findings(brief=["luxury"])
    assert found["sentence"].iloc[0] == "None of the 4 sites shows luxury prices, which the brief asks for."


# Which sites are unlike others ----------------------------------------------------------------------------------------


def of_two_kinds(codes: dict[str, str]) -> pd.DataFrame:
    """Return the codes of sites that each are of kinds of persona, by letters: six personas each."""
    rows = [
        (site, "persona", f"{kind}{number}") for site, kinds in codes.items() for kind in kinds for number in range(6)
    ]
    return pd.DataFrame(rows, columns=["target", "dimension", "code"])


KINDS = {site: "AB"[place > 9] for place, site in enumerate(SITES[:20])}
LISTS = {"a": SITES[:10], "b": SITES[10:20]}


def placed(found: pd.DataFrame) -> list[str]:
    return found.loc[found["kind"].eq("outlier"), "sentence"].tolist()


def test_sites_near_another_group_are_those_that_nearest_names() -> None:
    codes = of_two_kinds(KINDS | {SITES[0]: "B"})
    found = findings({"codes": codes}, LISTS)
    [row] = [row for _, row in found.iterrows() if row["kind"] == "outlier"]
    assert row["sentence"] == f"{SITES[0]} stands among 'a' sites, but its ten nearest sites are all 'b' sites."
    # All that are equally near are named, and no others.
    assert (row["n"], row["with_code"]) == (10, 10)
    assert row["table"] == f"run.nearest({SITES[0]!r}, least=0, most=10)"
    near = nearest(codes, SITES[0], least=0, most=10)
    assert set(near["site"]) == set(LISTS["b"])


def test_what_nearest_does_not_look_at_places_no_site() -> None:
    codes = of_two_kinds(KINDS)
    # By its technologies alone the first site is one of the others.
    own, others = SITES[1:10], [SITES[0], *SITES[10:20]]
    used = {f"{kind}{number}": sites for kind, sites in (("a", own), ("b", others)) for number in range(12)}
    assert placed(findings({"codes": codes} | users(used), LISTS)) == []


def test_of_sites_that_are_equally_near_all_count() -> None:
    # One of its own group is as near as those of the other one, which stand before it by name.
    alike = KINDS | dict.fromkeys(SITES[18:20], "C") | dict.fromkeys(SITES[:6], "C")
    assert placed(findings({"codes": of_two_kinds(alike)}, LISTS)) == []


def test_whether_groups_say_what_sites_are_like_does_not_hang_on_names() -> None:
    # Of the sites that are as near, the first by name are of one group: by those alone two in three stood by their own.
    codes = of_two_kinds(dict.fromkeys(SITES[:20], "A") | dict.fromkeys(SITES[20:27], "B"))
    lists = {"a": [*SITES[:12], SITES[26]], "b": SITES[12:26]}
    assert placed(findings({"codes": codes}, lists)) == []


@pytest.mark.parametrize("place", [0, 298, 598])
def test_in_a_long_list_too_a_site_is_held_against_all_others(place: int) -> None:
    sites = [f"n{number:03}.example" for number in range(600)]
    kinds = {site: "AB"[number % 2] for number, site in enumerate(sites)} | {sites[place]: "B"}
    [told] = placed(findings({"codes": of_two_kinds(kinds)}, {"a": sites[::2], "b": sites[1::2]}))
    assert told == f"{sites[place]} stands among 'a' sites, but its 300 nearest sites are all 'b' sites."


def test_of_a_list_that_no_site_of_answered_nothing_is_said_of_what_is_spent() -> None:
    # Warnings are errors here: nothing has no median.
    codes = of_two_kinds(KINDS).iloc[:0]
    assert findings({"codes": codes}, weight=pd.Series(5.0, index=list(KINDS), name="Spend")).empty


def test_of_topics_alone_nearest_is_asked_by_topics() -> None:
    codes = of_two_kinds(KINDS | {SITES[0]: "B"})
    frame = (
        codes.rename(columns={"code": "id"})
        .drop(columns="dimension")
        .assign(taxonomy="content-v3", tier=2, rank=1, confidence=0.9, name="", level_1="Travel", path="")
    )
    found = findings({"categories": frame}, LISTS)
    [table] = found.loc[found["kind"].eq("outlier"), "table"]
    assert table == f"run.nearest({SITES[0]!r}, of='content-v3', least=0, most=10)"


def test_an_unusual_site_has_the_shares_that_it_is_unusual_by(found: pd.DataFrame) -> None:
    run = sample_run()
    whole = run.findings()
    for _, row in found[found["kind"].eq("outlier")].iterrows():
        rare = whole.evidence(row["rank"])
        assert "unlike the rest" in row["sentence"]
        assert rare["with_code"].eq(1).any()
        mine = run.codes().query("target == @row.sites[0]")
        assert set(mine["code"]) & set(rare.loc[rare["with_code"].eq(1), "code"])


@pytest.mark.parametrize(("number", "told"), [(4, False), (9, False), (12, True)])
def test_the_only_one_of_a_few_is_nothing_rare(number: int, told: bool) -> None:
    rows = [(site, dimension, "usual") for site in SITES[1:number] for dimension in ("urbanicity", "income_level")]
    rows += [(SITES[0], "urbanicity", "rural"), (SITES[0], "income_level", "low")]
    found = findings({"codes": pd.DataFrame(rows, columns=["target", "dimension", "code"])})
    assert found["sentence"].str.startswith(f"{SITES[0]} is unlike the rest").any() == told


def test_of_a_single_site_a_brief_is_told_in_words(client: Client) -> None:
    found = client.ask(FEW[:1], ["segment"]).findings(brief=["INT.PETS"])
    assert found["sentence"].iloc[0] == (
        "Not even the one site reaches people interested in Pets, which the brief asks for."
    )
