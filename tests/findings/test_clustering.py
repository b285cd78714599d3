"""Pages of one domain, or whatever belongs together, in shares, coverage, what is unseen, and drift."""

import numpy as np
import pandas as pd
import pytest

from toolkit.charts.template import footer_of
from toolkit.findings import accumulation, compare, coverage, drift, empty_blocks, shares, technology_shares, unseen
from toolkit.findings.given.clustering import clustering
from toolkit.findings.nodes import nodes_of
from toolkit.interface.errors import InputError

DOMAINS, PAGES = 20, 10
TARGETS = [
    f"https://{'www.' * (page % 2)}site{domain}.example/{page}" for domain in range(DOMAINS) for page in range(PAGES)
]
IDS = nodes_of("content-v3", None).nodes["id"].to_numpy()[:60]
DOMAIN = np.arange(DOMAINS * PAGES) // PAGES


def codes(*having):
    """Return a codes frame: of each code which of the pages have it; a page without any has a code of its own."""
    parts = [
        pd.DataFrame({"target": np.array(TARGETS)[has], "dimension": "persona", "code": f"Code {number}"})
        for number, has in enumerate([*having, DOMAIN >= 0])
    ]
    return pd.concat(parts, ignore_index=True)


def test_a_code_of_half_the_domains_is_known_of_domains_and_not_of_pages():
    found = shares(codes(DOMAIN % 2 == 0)).set_index("code").loc["Code 0"]
    assert found["n"] == DOMAINS * PAGES
    assert found["n_effective"] == pytest.approx(DOMAINS, rel=0.1)
    low, high = (
        shares(codes(DOMAIN % 2 == 0), cluster=None).set_index("code").loc["Code 0", ["share_low", "share_high"]]
    )
    assert found["share_high"] - found["share_low"] > 2.5 * (high - low)


def test_domains_count_by_themselves_and_are_told():
    told = shares(codes(DOMAIN == 0)).attrs["about"]
    assert told["cluster"] == {"by": "domain", "clusters": DOMAINS}
    assert "intervals by 20 domains" in footer_of(told)
    assert "cluster" not in shares(codes(DOMAIN == 0), cluster=False).attrs["about"]


@pytest.mark.parametrize("rows", [slice(0, PAGES), slice(0, None, PAGES)], ids=["one domain", "a page a domain"])
def test_pages_of_one_domain_alone_and_one_page_of_each_count_by_themselves(rows):
    names = TARGETS[rows]
    frame = pd.DataFrame({"target": names, "dimension": "persona", "code": "Cook"})
    found = shares(frame)
    assert "cluster" not in found.attrs["about"]
    assert found["n_effective"].tolist() == [len(names)]


def test_any_column_series_or_mapping_says_what_belongs_together():
    frame = codes(DOMAIN % 2 == 0)
    publisher = pd.Series([f"p{number // 4}" for number in DOMAIN], index=TARGETS, name="publisher")
    found = shares(frame, cluster=publisher)
    assert found.attrs["about"]["cluster"] == {"by": "publisher", "clusters": 5}
    assert "intervals by 5 clusters of publisher" in footer_of(found.attrs["about"])
    same = [shares(frame.assign(publisher=frame["target"].map(publisher)), cluster="publisher")]
    same += [shares(frame, cluster=publisher.to_dict())]
    for other in same:
        pd.testing.assert_frame_equal(other, found)


def test_sites_of_which_nothing_is_said_are_of_clusters_of_their_own():
    sites = pd.Index(["a.example", "b.example", "c.example", "d.example"])
    assert clustering({"https://A.example/": "x", "b.example": "x"}, sites).cluster.tolist() == [0, 0, 1, 2]


def test_hosts_of_a_public_suffix_are_different_domains():
    sites = pd.Index(["a.co.uk", "b.co.uk", "shop.a.co.uk", "a.github.io", "b.github.io", "10.0.0.1", "10.0.0.2/x"])
    assert clustering("domain", sites).cluster.tolist() == [0, 1, 0, 2, 3, 4, 5]


def test_a_column_that_is_not_there_is_named_with_what_is():
    with pytest.raises(InputError, match=r"no column 'publsher'.*Nearest: publisher"):
        shares(codes(DOMAIN == 0).assign(publisher="x"), cluster="publsher")


def test_a_site_in_two_clusters_is_named():
    with pytest.raises(InputError, match=r"'https://www\.site0\.example/1' is in several clusters of 'who'"):
        shares(codes(DOMAIN == 0), cluster=pd.Series(["x", "y"], index=[TARGETS[1], TARGETS[1]], name="who"))


def test_what_is_no_cluster_is_refused():
    with pytest.raises(InputError, match="cluster= is of type int"):
        shares(codes(DOMAIN == 0), cluster=3)


def test_technologies_and_empty_blocks_count_by_domain_too():
    used = pd.DataFrame({"target": np.array(TARGETS)[DOMAIN % 2 == 0], "technology": "nginx", "category": "Servers"})
    assert technology_shares(used, sites=TARGETS)["n_effective"].iloc[0] == pytest.approx(DOMAINS, rel=0.1)
    blocks = empty_blocks(codes(DOMAIN % 2 == 0)[lambda frame: frame["code"] == "Code 0"], sites=TARGETS)
    assert blocks.set_index("block").loc["personas", "n_effective"] == pytest.approx(DOMAINS, rel=0.1)


def categories(seed=1):
    """Return pages of which a domain's all have the same two categories."""
    rng = np.random.default_rng(seed)
    of_domain = [rng.choice(IDS, 2, replace=False) for _ in range(DOMAINS)]
    rows = [(target, code) for target, domain in zip(TARGETS, DOMAIN, strict=True) for code in of_domain[domain]]
    frame = pd.DataFrame(rows, columns=["target", "id"])
    return frame.assign(taxonomy="content-v3", confidence=0.9)


def test_a_category_that_one_domain_shows_on_all_its_pages_was_seen_once():
    frame = categories()
    covered = coverage(frame)
    assert covered.loc[covered["seen"], "sites"].min() == PAGES
    assert (covered["clusters"] == covered["sites"] // PAGES).all()
    by_domain, by_page = unseen(frame).iloc[0], unseen(frame, cluster=None).iloc[0]
    assert by_page["once"] == 0
    assert by_domain["once"] > 5
    # The categories of one page of each domain say as much.
    alone = unseen(frame[frame["target"].isin(TARGETS[::PAGES])]).iloc[0]
    assert (
        by_domain[["once", "estimate", "low", "high"]].tolist() == alone[["once", "estimate", "low", "high"]].tolist()
    )
    assert by_domain["more_sites_for_90"] == PAGES * alone["more_sites_for_90"]


def test_an_accumulation_of_pages_is_as_sure_as_that_of_its_domains():
    frame = categories()
    by_page, by_domain = accumulation(frame, cluster=None).set_index("sites"), accumulation(frame).set_index("sites")
    alone = accumulation(frame[frame["target"].isin(TARGETS[::PAGES])]).set_index("sites")
    n = DOMAINS * PAGES
    # Choices of the list's own pages show what they show.
    assert by_domain.loc[:n, "seen"].tolist() == by_page.loc[:n, "seen"].tolist()
    assert by_domain.loc[n, "error"] == pytest.approx(alone.loc[DOMAINS, "error"])
    assert by_domain.loc[2 * n, "seen"] == pytest.approx(alone.loc[2 * DOMAINS, "seen"])
    assert by_domain.loc[2 * n, "seen"] > by_page.loc[2 * n, "seen"] + 5


def test_changes_of_one_domain_are_no_change_of_the_whole():
    before, after = codes(DOMAIN < 0, DOMAIN < 0), codes(DOMAIN < 2, DOMAIN < 8)
    found = drift(before, after).set_index("code")
    pages = drift(before, after, cluster=None).set_index("code")
    assert pages.loc["Code 0", "verdict"] == "gained"
    assert found.loc["Code 0", "verdict"] == "too few"
    assert found.loc["Code 0", "n_effective"] == pytest.approx(DOMAINS)
    assert found.loc["Code 1", "verdict"] == "gained"
    assert found.loc["Code 1", "p"] == pytest.approx(2 / 2**8)


def test_a_run_takes_a_column_of_its_table(sample):
    own = sample.run.audiences()["target"]
    found = sample.run.shares(cluster="audience_type")
    assert found.attrs["about"]["cluster"]["by"] == "audience_type"
    assert found.attrs["about"]["cluster"]["clusters"] < len(own)


def without_a_difference(seed=0, codes_=60, icc=0.2):
    """Return a codes frame of 40 domains of 25 pages, its pages, and each page's domain, with nothing to find."""
    rng = np.random.default_rng(seed)
    domain = np.arange(1000) // 25
    share = np.repeat([0.05, 0.1, 0.3], codes_ // 3)
    chance = rng.beta(share * (1 / icc - 1), (1 - share) * (1 / icc - 1), size=(40, codes_))
    row, column = np.nonzero(rng.random((1000, codes_)) < chance[domain])
    targets = np.array([f"https://site{number}.example/{page}" for page, number in enumerate(domain)])
    frame = pd.DataFrame({"target": targets[row], "dimension": "persona", "code": column.astype(str)})
    return frame, targets, domain, rng


@pytest.mark.parametrize("baseline", [None, "rest", "a", "sites", "run"])
def test_no_difference_is_found_between_groups_of_whole_domains_without_one(baseline):
    frame, targets, domain, rng = without_a_difference()
    group = pd.Series(np.array(list("abcd"))[(rng.permutation(40) % 4)[domain]], index=targets)
    given = {"sites": group.index[group.isin(["a", "b"])], "run": without_a_difference(1)[0]}.get(baseline, baseline)
    more = {"baseline_sites": targets} if baseline == "run" else {}
    by_domain, by_page = (
        compare(frame, group, given, sites=targets, cluster=cluster, **more)[lambda rows: rows["group"] != "a"]
        for cluster in ("auto", None)
    )
    assert by_domain.attrs["about"]["cluster"]["by"] == "domain"
    assert by_domain["verdict"].isin(["over", "under"]).mean() <= 0.01
    assert by_page["verdict"].isin(["over", "under"]).mean() > 0.1
    inside = (by_domain["index_low"] <= 100) & (by_domain["index_high"] >= 100)
    assert inside.mean() > 0.92
    assert ((by_domain["index_low"] <= by_domain["index"]) & (by_domain["index"] <= by_domain["index_high"])).all()
    assert (by_domain["n_effective"] < by_domain["n"]).mean() > 0.9


def test_a_code_of_all_domains_of_a_group_and_of_no_other_is_found():
    has = DOMAIN < 8
    group = pd.Series(np.where(has, "shops", "others"), index=TARGETS)
    found = compare(codes(has, np.arange(len(DOMAIN)) % PAGES < 3), group, "rest").set_index(["group", "code"])
    assert found.loc[("shops", "Code 0"), "verdict"] == "over"
    assert found.loc[("others", "Code 0"), "verdict"] == "under"
    assert found.loc[("shops", "Code 1"), "verdict"] == "no difference shown"


def test_one_domain_is_too_few_to_differ_however_many_its_pages():
    found = compare(codes(DOMAIN == 0), {"site0": TARGETS[:PAGES]}, "rest").set_index("code")
    assert found.loc["Code 0", "verdict"] == "too few"
    by_page = compare(codes(DOMAIN == 0), {"site0": TARGETS[:PAGES]}, "rest", cluster=None).set_index("code")
    assert by_page.loc["Code 0", "verdict"] == "over"


def test_where_no_site_belongs_to_another_nothing_changes():
    names = [f"site{number}.example" for number in range(40)]
    frame = pd.DataFrame({"target": names[:25] * 2, "dimension": "persona", "code": ["Cook"] * 25 + ["Diver"] * 25})
    groups = {"a": names[:12], "b": names[20:]}
    auto, alone = (compare(frame, groups, "rest", sites=names, cluster=cluster) for cluster in ("auto", None))
    pd.testing.assert_frame_equal(auto, alone)
    told = compare(frame, groups, "rest", sites=names, cluster="domain")
    assert told["p"].tolist() == pytest.approx(alone["p"].tolist())
    assert told["verdict"].tolist() == alone["verdict"].tolist()


@pytest.mark.parametrize("pages", [2, 5])
def test_a_few_pages_of_one_domain_hide_no_difference_that_the_other_sites_show(pages):
    names = [f"site{number}.example" for number in range(28)] + [f"pages.example/{page}" for page in range(pages)]
    frame = pd.DataFrame({"target": names[3:4] + names[25:], "dimension": "persona", "code": "Cook"})
    found = compare(frame, {"shops": names[25:]}, "rest", sites=names).iloc[0]
    # Four domains of four against one of 25.
    assert found["p"] < 0.01
    assert found["verdict"] == "over"
