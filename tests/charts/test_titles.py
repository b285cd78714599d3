"""Titles are true of the whole frame that was passed, ties are told as ties, and what is left out is said."""

import html
import itertools

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from toolkit.charts import (
    accumulation_curve,
    alt_text,
    category_confidence,
    code_confidence,
    colours,
    comparison,
    confidence_distribution,
    coverage_treemap,
    data_of,
    heatmap,
    overlap_matrix,
    persona_flow,
    profile_card,
    technologies,
)
from toolkit.findings.coverage import coverage
from toolkit.findings.overlap import overlap
from toolkit.findings.shares import shares, technology_shares
from toolkit.findings.unseen import accumulation, unseen
from toolkit.interface.errors import InputError


def title_of(figure):
    return html.unescape(figure.layout.title.text.split("<br><sub>")[0].replace("<br>", " "))


def footer_of(figure):
    return html.unescape(figure.layout.title.text.split("<br><sub>")[1].removesuffix("</sub>").replace("<br>", " · "))


# Overlap ------------------------------------------------------------------------------------------------------------


def apart(number, size=30):
    """Groups that share nothing, the first the largest."""
    return {f"G{n:02}": [f"g{n}-{site}.example" for site in range(size - n)] for n in range(number)}


def test_the_largest_overlap_of_small_groups_is_drawn_and_told():
    groups = apart(16) | {"Kites": ["k.example", "l.example"], "Boats": ["k.example", "l.example", "m.example"]}
    figure = overlap_matrix(overlap(groups))
    assert title_of(figure) == "All 2 sites of Kites are also in Boats: the largest share of a group"
    assert {"Kites", "Boats"} <= set(data_of(figure)["group"])
    assert data_of(figure)["group"].nunique() == 14
    assert "14 of 18 groups, those that share the most" in footer_of(figure)


def test_that_no_two_groups_share_a_site_is_said_of_all_of_them():
    assert title_of(overlap_matrix(overlap(apart(20)))) == "No two of the 20 groups share a site"


def test_groups_that_are_asked_for_are_not_said_to_be_all():
    groups = apart(3) | {"Kites": ["k.example", "l.example"], "Boats": ["k.example", "m.example", "n.example"]}
    groups["G00"] = [*groups["G00"], groups["G01"][0]]
    figure = overlap_matrix(overlap(groups), groups=["G00", "G01", "G02"])
    assert (
        title_of(figure)
        == "1 of the 29 sites of G01 is also in G00: the largest share of a group among the 3 groups asked for"
    )
    assert "3 of 5 groups" in footer_of(figure)


@pytest.mark.parametrize("measure", ["containment", "jaccard"])
def test_overlaps_that_are_as_large_are_told_as_ties(measure):
    held = {"Kites": "ab", "Boats": "acd", "Farms": "xy", "Shops": "xzw"}
    groups = {name: [f"{site}.example" for site in sites] for name, sites in held.items()}
    said = title_of(overlap_matrix(overlap(groups), measure))
    assert "Farms" in said
    assert "Kites" in said
    assert "alike" in said
    more = {"Pens": "pq", "Inks": "prs"}
    groups |= {name: [f"{site}.example" for site in sites] for name, sites in more.items()}
    assert "2 more pairs alike" in title_of(overlap_matrix(overlap(groups), measure))


def test_the_largest_of_several_whole_overlaps_is_not_said_to_be_the_only_one():
    held = {"Kites": "ab", "Boats": "abc", "Farms": "x", "Shops": "xzw"}
    groups = {name: [f"{site}.example" for site in sites] for name, sites in held.items()}
    assert title_of(overlap_matrix(overlap(groups))) == (
        "All 2 sites of Kites are also in Boats: the most sites of 2 pairs with that share"
    )


def test_two_groups_of_a_size_are_one_pair():
    groups = {"Kites": ["a.example", "b.example"], "Boats": ["a.example", "c.example"]}
    assert title_of(overlap_matrix(overlap(groups))) == (
        "1 of the 2 sites of Boats is also in Kites, and the other way round: the largest share of a group"
    )


# Profile ------------------------------------------------------------------------------------------------------------


def profile(**parts):
    """Shares of ages by code, of 60 sites."""
    rows = [
        {"dimension": "age_bracket", "code": code, "label": None, "n": 60, "with_code": sites}
        | {"share": sites / 60, "share_low": sites / 90, "share_high": min(1, sites / 40)}
        for code, sites in parts.items()
    ]
    return pd.DataFrame(rows)


def test_values_that_are_as_common_are_told_as_ties():
    assert (
        title_of(profile_card(profile(young=20, old=20, others=5)))
        == "As inferred, age is most often old and young alike (33 %)"
    )
    three = profile_card(profile(young=20, old=20, others=20))
    assert title_of(three) == "As inferred, age is most often old and 2 more alike (33 %)"


def test_the_most_common_value_is_drawn_where_few_are():
    figure = profile_card(profile(young=3, old=50, others=5), most=1)
    assert title_of(figure) == "As inferred, age is most often old (83 %)"
    assert list(data_of(figure)["code"]) == ["old"]


def test_what_no_site_has_is_not_called_the_most_common():
    assert title_of(profile_card(profile(young=0, old=0))) == "No site has any of these"


# Technologies -------------------------------------------------------------------------------------------------------


def used(n=10, **sites):
    frame = pd.DataFrame({"category": "Tools", "technology": list(sites), "with_technology": list(sites.values())})
    share = frame["with_technology"] / n
    return frame.assign(n=n, share=share, share_low=share / 2, share_high=share)


def test_technologies_that_are_used_as_much_are_told_as_ties():
    assert title_of(technologies(used(Alpha=4, Beta=4, Gamma=1))) == (
        "Alpha and Beta alike are used most: each on 4 of 10 sites"
    )
    assert title_of(technologies(used(Alpha=4, Beta=4, Gamma=4))) == (
        "Alpha and 2 more alike are used most: each on 4 of 10 sites"
    )


def test_technologies_that_are_left_out_though_they_are_used_as_much_are_counted():
    figure = technologies(used(Alpha=5, Beta=3, Gamma=3, Delta=3, Edge=1), most=2)
    assert "2 of the 5 technologies, the most used; 2 more are on as many sites as the last" in footer_of(figure)
    assert "as many" not in footer_of(technologies(used(Alpha=5, Beta=3, Gamma=2), most=2))


# Flow ---------------------------------------------------------------------------------------------------------------


def links(*rows):
    return pd.DataFrame(rows, columns=["persona", "category", "sites"])


def test_two_links_of_as_many_sites_are_told_as_ties():
    figure = persona_flow(links(("Cook", "Food", 4), ("Fan", "Sports", 4), ("Fan", "Food", 1)))
    assert title_of(figure) == "Cook with Food and Fan with Sports alike go most often together: 4 sites each"
    three = persona_flow(links(("Cook", "Food", 4), ("Fan", "Sports", 4), ("Fan", "Food", 4), ("Cook", "Sports", 1)))
    assert title_of(three) == "Cook with Food and 2 more pairs alike go most often together: 4 sites each"


def test_links_left_out_that_are_as_strong_as_those_drawn_are_told():
    figure = persona_flow(links(("Cook", "Food", 4), ("Fan", "Sports", 2), ("Fan", "Food", 2)), most=2)
    assert "2 of 3 links, others as strong as the weakest are left out" in footer_of(figure)


def test_links_that_were_passed_over_for_want_of_room_are_not_said_to_be_weaker():
    strong = [(f"P{n:02}", f"C{n:02}", 90 - n) for n in range(20)]
    figure = persona_flow(links(*strong, ("P00", "C01", 2)), most=40)
    assert len(data_of(figure)) == 13
    assert "13 of 21 links, the strongest among 12 personas and 12 categories" in footer_of(figure)


# Confidence ---------------------------------------------------------------------------------------------------------


def bands(**sites):
    """Bands of dimensions: sites with low and with high confidence."""
    rows = [
        {"dimension": name, "confidence": band, "sites": number, "share": number / sum(numbers)}
        for name, numbers in sites.items()
        for band, number in zip(("low", "high"), numbers, strict=True)
    ]
    return pd.DataFrame(rows)


def test_dimensions_that_are_as_sure_are_told_as_ties():
    figure = confidence_distribution(bands(interest=(1, 4), purchase_intent=(1, 4), content_type=(4, 1)))
    assert title_of(figure) == (
        "The service is surest of interests in detail and purchase intents alike (high confidence on 80 % of the "
        "sites) and least sure of the kind of pages (on 20 %)"
    )
    both = confidence_distribution(bands(interest=(1, 4), purchase_intent=(4, 1), content_type=(4, 1), audience=(4, 1)))
    assert title_of(both).endswith("least sure of purchase intents and 2 more alike (on 20 %)")


def test_categories_without_a_confidence_are_not_counted_as_if_they_had_one():
    bins = pd.DataFrame({"low": [0.0, 0.5], "high": [0.5, 1.0], "count": [1, 3], "share": [0.25, 0.75]})
    bins.attrs["about"] = {"taxonomy": "content-v3", "unstated": 40}
    assert title_of(confidence_distribution(bins)) == (
        "3 of the 4 topics given to sites with a stated confidence are at least 50 % sure"
    )


def answers(**confidences):
    """A categories frame of targets and the confidences of their categories, ranked as given."""
    rows = [
        {"target": f"{target}.example", "taxonomy": "content-v3", "name": name, "tier": 1, "level_1": name}
        | {"confidence": confidence, "rank": rank}
        for target, found in confidences.items()
        for rank, (name, confidence) in enumerate(found.items(), start=1)
    ]
    empty = dict.fromkeys(("level_2", "level_3", "level_4"), None)
    return pd.DataFrame(rows).assign(**empty, fetched_at=pd.Timestamp("2026-03-04", tz="UTC"))


def test_what_leads_is_said_of_all_targets_not_of_those_drawn():
    same = {f"s{n}": {"Travel": 0.9} for n in range(8)}
    assert title_of(category_confidence(answers(**same))) == "All 8 sites are about Travel above all"
    mixed = same | {"s7": {"Sports": 0.9}}
    assert title_of(category_confidence(answers(**mixed))) == "7 of 8 sites are about Travel above all"


def test_categories_that_lead_alike_are_told_as_ties():
    figure = category_confidence(answers(a={"Travel": 0.9, "Sports": 0.9, "Food": 0.2}))
    assert title_of(figure) == "a.example is about Travel and Sports alike (90 % sure)"
    three = category_confidence(answers(a={"Travel": 0.9, "Sports": 0.9, "Food": 0.9}))
    assert title_of(three) == "a.example is about Travel and 2 more alike (90 % sure)"


def test_codes_are_counted_of_all_targets_not_of_those_drawn():
    rows = [
        {"target": f"s{n}.example", "dimension": "interest", "code": f"INT.A.C{n}", "label": f"C{n}", "rank": 1}
        for n in range(8)
    ]
    frame = pd.DataFrame(rows).assign(confidence="high", vocab_version="1.1", fetched_at=pd.NaT)
    frame["fetched_at"] = pd.to_datetime(frame["fetched_at"], utc=True)
    figure = code_confidence(frame)
    assert title_of(figure) == "8 interests in detail for 8 sites, all with high confidence"
    assert "n = 6 of 8 sites" in footer_of(figure)
    assert "the strongest 6 of 8 interests and intents" in footer_of(figure)


# Coverage -----------------------------------------------------------------------------------------------------------


def test_top_categories_of_as_many_sites_are_not_cut_from_the_words_in_silence(sample):
    covered = coverage(sample.categories())
    tops = covered[covered["tier"] == 1]
    sites = [7 if place < 5 else 1 for place in range(len(tops))]
    covered.loc[tops.index, "sites"] = sites
    covered.loc[tops.index, "seen"] = True
    assert "and 2 more of as many" in alt_text(coverage_treemap(covered))


# Accumulation -------------------------------------------------------------------------------------------------------


def rare(sites=40, seed=5):
    """A categories frame of sites that show mostly rare categories: the error grows faster than the curve."""
    chance = np.random.default_rng(seed)
    rows = [
        (f"s{site}.example", str(number))
        for site in range(sites)
        for number in {0, 1, *chance.choice(np.arange(2, 400), 1)}
    ]
    frame = pd.DataFrame(rows, columns=["target", "id"]).astype("str")
    return frame.assign(normal=frame["target"], taxonomy="content-v3", confidence=0.9, error=None)


def test_an_estimate_of_nothing_more_does_not_rule_out_what_its_interval_holds():
    curve = pd.DataFrame({"sites": [1, 9], "seen": [3.0, 5.0], "low": [2.0, 4.0], "high": [4.0, 6.0]})
    curve["kind"] = "interpolated"
    estimate = pd.DataFrame([{"sites": 9, "seen": 5, "estimate": 5.0, "low": 5.0, "high": 30.0}])
    assert title_of(accumulation_curve(curve, estimate)) == (
        "9 sites show 5 topics; no further ones are estimated, but up to 30 in all are possible"
    )
    sure = estimate.assign(high=5.2)
    assert title_of(accumulation_curve(curve, sure)) == (
        "9 sites show 5 topics, and sites like these are not expected to show more"
    )


def test_a_curve_of_a_part_of_the_sites_is_told_as_an_average(sample):
    covered = coverage(sample.categories())
    curve = accumulation(covered, until=10)
    assert title_of(accumulation_curve(curve)).startswith("Any 10 of the 62 sites show on average ")


def test_an_estimate_of_other_sites_is_refused(sample):
    covered = coverage(sample.categories())
    some = sample.categories().query("error.isna()")["target"].unique()[:20]
    others = unseen(coverage(sample.categories(), sites=some))
    with pytest.raises(InputError, match=r"The estimate is of 20 sites and the curve of 62\."):
        accumulation_curve(accumulation(covered), others)


def test_no_limit_of_a_growing_curve_falls():
    curve = accumulation(rare(), until=400)
    raw = curve["seen"] - 1.96 * curve["error"]
    assert (np.diff(raw) < -1e-9).any()
    for limit in ("low", "high"):
        assert (np.diff(curve[limit]) >= 0).all()
    assert (curve["low"] <= curve["seen"]).all()
    assert (curve["seen"] <= curve["high"]).all()


# Of the bundled run ---------------------------------------------------------------------------------------------------


def test_titles_of_the_bundled_run_are_true_of_its_frames(sample):
    codes, found = shares(sample.codes()), technology_shares(sample.technologies())
    most = found["with_technology"].max()
    leaders = found.loc[found["with_technology"] == most, "technology"]
    assert any(name in title_of(technologies(found, most=1)) for name in leaders)
    ages = codes[codes["dimension"] == "age_bracket"]
    best = ages.loc[ages["share"].idxmax(), "label"]
    assert best in title_of(profile_card(codes, most=1))
    pairs = overlap("level_1", sample.categories())
    pairs = pairs[pairs["group"] != pairs["other"]]
    top = pairs.loc[pairs["containment"] == pairs["containment"].max()]
    said = title_of(overlap_matrix(overlap("level_1", sample.categories())))
    named = itertools.chain(top["group"], top["other"])
    assert any(str(name)[:20] in said for name in named)


# Comparisons --------------------------------------------------------------------------------------------------------


def told(group, label="Golf", index=100.0, verdict="no difference shown", **more):
    """A row of a comparison of a group of 20 sites with all 200."""
    row = {
        "group": group,
        "dimension": "interest",
        "code": f"INT.{label.upper()}",
        "label": label,
        "parent": "INT.SPORTS",
        "n": 20,
        "with_code": round(index / 50),
        "share": index / 1000,
        "baseline": "all sites",
        "baseline_n": 200,
        "baseline_with": 20,
        "baseline_share": 0.1,
        "index": index,
        "index_low": index / 2,
        "index_high": index * 2,
        "p_adjusted": 0.01 if verdict in {"over", "under"} else 0.6,
        "verdict": verdict,
    } | more
    shrunken = {f"shrunken_{part}": row[name] for part, name in zip(("index", "low", "high"), LIMITS, strict=True)}
    return shrunken | row


LIMITS = ("index", "index_low", "index_high")


def table(*rows):
    return pd.DataFrame(rows).astype({"with_code": "int64"})


def many(number, found=()):
    """Groups, the first the largest, of which some of the smallest have a difference."""
    rows = [told(f"G{place:02}", "Chess", 110.0, n=50 - place) for place in range(number)]
    return table(*rows, *(told(name, "Golf", index, "over", n=3) for name, index in found))


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_a_difference_of_a_small_group_is_drawn_and_told(draw):
    figure = draw(many(16, [("Tiny", 320.0)]))
    assert title_of(figure) == "Golf is more common among Tiny than overall: 6 of 3, against 20 of 200"
    assert set(data_of(figure)["group"]) == {"Tiny"}
    assert "of 17 groups the one with a difference is drawn" in footer_of(figure)
    assert alt_text(figure).count("1 differ") == 1


@pytest.mark.parametrize(("draw", "most"), [(comparison, 6), (heatmap, 12)])
def test_of_many_groups_those_that_differ_most_are_drawn(draw, most):
    found = [(f"T{place:02}", 200.0 + 10 * place) for place in range(14)]
    figure = draw(many(16, found))
    assert set(data_of(figure)["group"]) == {name for name, _ in found[-most:]}
    assert f"of 30 groups 14 differ; the {most} that differ most are drawn" in footer_of(figure)
    assert title_of(figure).startswith("Golf is more common among T13")


@pytest.mark.parametrize(("draw", "most"), [(comparison, 6), (heatmap, 12)])
def test_that_nothing_differs_is_said_of_all_groups(draw, most):
    figure = draw(many(16))
    assert title_of(figure).startswith("No difference between 16 groups and ")
    assert f"the {most} largest of 16 groups are drawn" in footer_of(figure)


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_groups_that_are_asked_for_are_all_that_a_title_is_about(draw):
    frame = many(4, [("Tiny", 320.0)])
    assert title_of(draw(frame, **{"group" if draw is comparison else "groups": ["G00", "G01"]})).startswith(
        "No difference between 2 groups and "
    )


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_a_code_of_two_groups_alike_is_told_of_both(draw):
    figure = draw(table(told("Banks", index=320.0, verdict="over"), told("Shops", index=320.0, verdict="over")))
    assert (
        title_of(figure)
        == "Golf is more common among Banks than overall: 6 of 20, against 20 of 200; likewise among Shops"
    )
    three = draw(table(*(told(name, index=320.0, verdict="over") for name in ("Banks", "Farms", "Shops"))))
    assert title_of(three).endswith("; likewise among 2 more groups")


NOTHING = {"with_code": 0, "share": 0.0, "index_low": 0.0, "index_high": 190.0}


def test_the_interval_of_a_share_of_nothing_is_drawn_and_has_no_colour_of_a_finding():
    frame = table(
        told("Banks", index=0.0, **NOTHING), told("Shops", index=320.0, verdict="over"), told("Shops", "Chess", 90.0)
    )
    figure = comparison(frame)
    drawn = [trace for trace in figure.data if trace.mode == "lines" and 190 in (trace.x or ())]
    assert [trace.line.color for trace in drawn] == [colours.QUIET]
    [marks] = [
        trace for trace in figure.data if trace.name == "Banks (20)" and trace.x[0] is not None and trace.hovertext
    ]
    assert list(marks.marker.color) == [colours.PAPER]
    assert list(marks.marker.line.color) == [colours.QUIET]


def test_a_cell_without_a_difference_has_no_colour_whatever_its_index():
    frame = table(told("Banks", index=0.0, **NOTHING), told("Shops", index=320.0, verdict="over"))
    figure = heatmap(frame)
    by_depth = [[depth for line in trace.z for depth in line if depth is not None] for trace in figure.data]
    assert by_depth[1] == [0]
    assert {color for _, color in figure.data[1].colorscale} == {"rgba(0, 0, 0, 0)"}
    assert "empty: none shown" in footer_of(figure)


@pytest.mark.parametrize(("draw", "most"), [(comparison, 3), (heatmap, 3)])
def test_of_each_group_that_is_drawn_its_first_finding_is_drawn_before_the_second_of_another(draw, most):
    strong = [told("Banks", f"Bank{place}", 900.0 - place, "over") for place in range(6)]
    weak = [told(name, f"{name}Own", 200.0, "over") for name in ("Farms", "Shops")]
    # Codes that groups were made by do not take the places of findings.
    own = [told(name, name, 1000.0, "over", with_code=20, baseline_share=0.1) for name in ("Banks", "Farms")]
    figure = draw(table(*strong, *weak, *own), most=most)
    assert set(data_of(figure)["label"]) == {"Bank0", "FarmsOwn", "ShopsOwn"}


@pytest.mark.parametrize("draw", [comparison, heatmap])
def test_groups_that_a_field_makes_are_called_as_reports_call_them(draw):
    """By their codes the title said "among category page"."""
    compared = tk.sample_run().compare("content_type", "rest", of="technologies")
    figure = draw(compared)
    assert title_of(figure).startswith("E-commerce is more common among Shop listings than in the rest")
    assert set(compared["group"]) == {"news", "category_page", "corporate", "landing_page"}
    assert title_of(draw(compared, **{"group" if draw is comparison else "groups": "news"})).count("News sites")


def test_groups_of_ones_own_keep_their_names():
    run = tk.sample_run()
    own = run.audiences().set_index("target")["content_type"].dropna().astype("str")
    figure = comparison(run.compare(own, "rest", of="technologies"))
    assert title_of(figure).startswith("E-commerce is more common among category page than in the rest")
