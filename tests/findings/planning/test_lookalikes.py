"""Lookalikes: those planted are found, random seeds are not, and pages of a domain do not find each other."""

import numpy as np
import pandas as pd
import pytest

import toolkit as tk
from tests.benchmarks.validity.lookalikes import clustered, found_again, frame_of, planted, sites
from toolkit.findings import lookalike_codes, lookalike_quality, lookalikes
from toolkit.interface.errors import InputError

SHAPE = (200, 24, 150, 5, 0.75, 0.08)


@pytest.fixture(scope="module")
def alike():
    return planted(SHAPE, np.random.default_rng(5))


@pytest.fixture(scope="module")
def seeds(alike):
    return alike[1][:24:2]


def test_planted_lookalikes_are_found():
    rng = np.random.default_rng(1)
    auc, checked, p = np.array([found_again(*planted(SHAPE, rng)) for _ in range(4)]).T
    assert auc.min() > 0.9
    assert checked.mean() > 0.9
    assert p.max() < 0.05


def test_random_seeds_are_at_a_half_also_where_pages_of_a_domain_are_alike():
    rng = np.random.default_rng(2)
    found = []
    for _ in range(12):
        frame, names = clustered(40, 5, 60, 0.5, rng)
        chosen = rng.choice(40, 8, replace=False)
        seeds = [names[5 * domain + page] for domain in chosen for page in range(3)]
        found.append(lookalike_quality(frame, seeds, 10, sites=names).iloc[0])
    table = pd.DataFrame(found)
    assert table["auc"].mean() == pytest.approx(0.5, abs=0.05)
    assert table["auc_random"].mean() == pytest.approx(0.5, abs=0.02)
    assert (table["p"] < 0.05).sum() <= 2


def told(seed, seeds_known, others_known, likely=(0.4, 0.4)):
    """Return a codes frame of 120 sites, of which four fields are known with a chance, the same for the first 20.

    The first value of each field is as likely as given among the first 20 and among the others.
    """
    rng = np.random.default_rng(seed)
    is_seed = np.arange(120) < 20
    known = rng.random(120) < np.where(is_seed, seeds_known, others_known)
    rows = [{"target": site, "dimension": "interest", "code": f"INT.C{rng.integers(6)}"} for site in sites(120)]
    for field in ("income_level", "age_bracket", "gender_skew", "urbanicity"):
        value = np.where(rng.random(120) < np.where(is_seed, *likely), 0, rng.integers(1, 3, 120))
        rows += [
            {"target": site, "dimension": field, "code": f"{field} {one}"}
            for site, one, is_known in zip(sites(120), value, known, strict=True)
            if is_known
        ]
    return pd.DataFrame(rows), known


@pytest.mark.parametrize("known", [(0.95, 0.4), (0.3, 0.95)])
def test_that_much_or_little_is_known_of_seeds_is_nothing_in_common(known):
    rows = [lookalike_quality(told(seed, *known)[0], sites(20), 20, sites=sites(120)).iloc[0] for seed in range(8)]
    found = pd.DataFrame(rows)
    # To take what is not known for a no tells 19 of 20 such lists that their seeds have something in common.
    assert (found["p"] < 0.05).sum() <= 2
    assert found["auc"].mean() == pytest.approx(0.5, abs=0.05)


def test_sites_of_which_little_is_known_rank_between_those_that_are_like_seeds_and_those_that_are_not():
    frame, known = told(1, 0.4, 0.9, (0.9, 0.2))
    found = lookalikes(frame, sites(20), sites=sites(120)).set_index("site")["score"]
    others = np.array(sites(120))[20:]
    told_of, not_told_of = found[others[known[20:]]], found[others[~known[20:]]]
    assert (told_of > not_told_of.max()).mean() > 0.1
    assert (told_of < not_told_of.min()).mean() > 0.1


def test_codes_are_weighed_by_the_sites_of_which_they_are_known():
    frame, known = told(2, 0.5, 0.9)
    found = lookalike_codes(frame, sites(20), sites=sites(120)).set_index("code")
    row = found.loc["income_level 0"]
    assert (row["seeds_n"], row["others_n"]) == (known[:20].sum(), known[20:].sum())
    assert row["seeds_share"] == row["seeds_with"] / row["seeds_n"]
    assert set(found.loc[found["dimension"] == "interest", "others_n"]) == {100}
    every = lookalikes(frame, sites(20), sites=sites(120)).set_index("site")
    have = found["seeds_with"] + found["others_with"]
    mean = (found["weight"] * have / (found["seeds_n"] + found["others_n"]))[found["dimension"] != "interest"].sum()
    site = np.array(sites(120))[20:][~known[20:]][0]
    own = found.loc[frame.loc[frame["target"] == site, "code"], "weight"].sum()
    assert every.loc[site, "score"] == pytest.approx(own + mean, abs=1e-6)


def test_every_other_site_is_ranked_once_with_the_planted_codes_as_reasons(alike, seeds):
    frame, names, _ = alike
    found = lookalikes(frame, seeds, sites=names)
    assert sorted(found["site"]) == sorted(set(names) - set(seeds))
    assert found["rank"].tolist() == list(range(1, len(found) + 1))
    assert found["score"].is_monotonic_decreasing
    reasons = set(", ".join(found["because"].head(8)).split(", "))
    assert reasons & {f"INT.C{number:03}" for number in range(5)}


def test_scores_are_the_weights_of_the_codes_of_a_site(alike, seeds):
    frame, names, _ = alike
    weights = lookalike_codes(frame, seeds, sites=names).set_index("code")["weight"]
    found = lookalikes(frame, seeds, sites=names, most=5)
    assert len(found) == 5
    for row in found.itertuples():
        own = frame.loc[frame["target"] == row.site, "code"]
        assert row.score == pytest.approx(weights[own].sum(), abs=1e-6)
        assert row.because.split(", ") == weights[own].sort_values(ascending=False).index[:3].tolist()


def test_weights_are_of_what_seeds_have_more_often(alike, seeds):
    frame, names, _ = alike
    found = lookalike_codes(frame, seeds, sites=names)
    assert set(found["code"].head(4)) < {f"INT.C{number:03}" for number in range(5)}
    row = found.iloc[0]
    assert row["seeds_share"] == row["seeds_with"] / 12
    assert row["others_share"] == row["others_with"] / 188


def test_a_domain_counts_once_however_many_pages_are_seeds():
    has = np.zeros((30, 2), dtype=bool)
    has[:9, 0] = has[9:12, 1] = True  # nine pages of one domain with a code, three domains with another
    names = [f"big.example/{n}" for n in range(9)] + [f"s{n}.example" for n in range(21)]
    weights = lookalike_codes(frame_of(has, names), names[:12], sites=names).set_index("code")["weight"]
    assert weights["INT.C001"] > weights["INT.C000"]


def test_quality_is_told_beside_random_seeds_and_in_words(alike, seeds):
    frame, names, _ = alike
    found = lookalike_quality(frame, seeds, [5, 12], sites=names)
    assert found["k"].tolist() == [5, 12]
    assert (found["lift"] == found["precision"] * 200 / 12).all()
    row = found.iloc[0]
    assert row["auc_low"] < row["auc"] < row["auc_high"] <= 1
    assert row["auc_random"] < row["auc_random_high"] < row["auc"]
    assert row["precision_random"] < 0.2 < row["precision"]
    assert found.attrs["about"]["says"].startswith("The 12 seeds have something in common: a seed that was held out")


def test_seeds_without_anything_in_common_are_told_so():
    frame, names = clustered(80, 1, 60, 0, np.random.default_rng(3))
    about = lookalikes(frame, names[:10], sites=names).attrs["about"]
    assert about["p"] >= 0.05
    assert about["says"].startswith(
        "That the 10 seeds have anything in common that tells them from other sites is not shown: "
    )


def test_seeds_of_one_domain_cannot_be_checked(alike):
    frame, names, _ = alike
    found = lookalikes(frame, names[:1], sites=names)
    assert len(found) == 199
    assert "is not known" in found.attrs["about"]["says"]
    assert lookalike_quality(frame, names[:1], sites=names).empty


def test_codes_and_categories_count_together_of_sites_that_were_answered_in_both():
    codes = pd.DataFrame({"target": sites(12), "dimension": "persona", "code": ["Cook"] * 6 + ["Diver"] * 6})
    categories = pd.DataFrame({"target": sites(10), "taxonomy": "content-v3", "id": ["150"] * 5 + ["151"] * 5})
    both = lookalike_codes([codes, categories], sites(3))
    assert set(both["dimension"]) == {"persona", "content-v3"}
    assert both.attrs["about"]["sites"] == 10


def test_a_run_ranks_by_codes_and_content_together():
    run = tk.sample_run()
    seeds = run.sites().query("error.isna()")["normal"].unique()[:6].tolist()
    found = run.lookalikes(seeds)
    assert found.attrs["about"]["sites"] == 62
    assert len(found) == 56
    assert set(run.lookalike_codes(seeds)["dimension"]) > {"interest", "content-v3"}
    assert set(run.lookalike_codes(seeds, of="content-v3")["dimension"]) == {"content-v3"}
    assert run.lookalike_quality(seeds, k=5)["k"].tolist() == [5]


def test_same_seed_gives_the_same_answer_and_frames_stay_as_they_are(alike, seeds):
    frame, names, _ = alike
    before = frame.copy()
    one, two = (lookalike_quality(frame, seeds, sites=names, seed=3) for _ in range(2))
    pd.testing.assert_frame_equal(one, two)
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda f: lookalikes(f, ["s1.exampel"]),
            "None of the seeds is an answered site.*Nearest to 's1.exampel': s1.example",
        ),
        (lambda f: lookalikes(f, sites(200)), "All sites are seeds"),
        (lambda f: lookalikes([f, f], ["s1.example"]), "a codes frame, a categories frame, or one of each"),
        (lambda f: lookalikes("codes", ["s1.example"]), "a codes frame, a categories frame, or one of each"),
        (lambda f: lookalikes(f, ["s1.example"], most=0), "most is 0"),
        (lambda f: lookalike_quality(f, sites(9), 900), "k is 900. Give a whole number from 1 to 200"),
    ],
)
def test_what_cannot_be_ranked_is_refused_in_words(alike, call, words):
    with pytest.raises(InputError, match=words):
        call(alike[0])


def test_what_few_seeds_have_in_common_is_not_denied_where_it_is_not_shown():
    rng = np.random.default_rng(1)
    names = [f"s{number:02}.example" for number in range(60)]
    # All three have something that one in three of the others has, too, which three cannot show.
    rows = [(name, f"N{code}") for name in names for code in range(20) if rng.random() < 0.3]
    rows += [(name, "Own") for place, name in enumerate(names) if place < 3 or rng.random() < 0.3]
    frame = pd.DataFrame(rows, columns=["target", "code"]).assign(dimension="persona")
    about = lookalikes(frame, names[:3], sites=names).attrs["about"]
    assert about["p"] > 0.05
    assert "nothing in common" not in about["says"]
    assert "is not shown" in about["says"]
    alone = lookalikes(frame, names[:1], sites=names).attrs["about"]["says"]
    assert alone == "Whether the order can be believed is not known: there is one seed, so none could be held out."
