"""How well planted lookalikes are found, and whether random seeds are at 0.5.

python -m tests.benchmarks.validity.lookalikes
"""

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from toolkit.findings.planning.lookalikes import lookalike_quality, lookalikes

#: Sites, lookalikes (half of them are seeds), codes, codes that they have more often, with which share, others' share.
PLANTED = (
    (300, 40, 400, 6, 0.7, 0.1),
    (200, 20, 400, 4, 0.8, 0.08),
    (120, 16, 300, 8, 0.75, 0.15),
    (1000, 100, 400, 10, 0.5, 0.1),
    (200, 10, 400, 6, 0.8, 0.1),
    (300, 40, 400, 30, 0.35, 0.15),
)


def sites(number, pages=1):
    """Return the names of sites: so many pages of each domain."""
    return [f"s{n // pages}.example" + (f"/p{n % pages}" if pages > 1 else "") for n in range(number)]


def planted(shape, rng):
    """Return a codes frame, the names, and which sites are alike: the first ones."""
    number, alike, codes, more, share, base = shape
    shares = np.exp(rng.uniform(np.log(0.02), np.log(0.5), codes))
    shares[:more] = base
    has = rng.random((number, codes)) < shares
    has[:alike, :more] = rng.random((alike, more)) < share
    return frame_of(has, sites(number)), sites(number), np.arange(number) < alike


def clustered(domains, pages, codes, correlation, rng):
    """Return a codes frame of pages that are alike within a domain only, and the names."""
    shares = np.exp(rng.uniform(np.log(0.02), np.log(0.5), codes))
    whole = rng.random((domains, codes)) < shares
    own = rng.random((domains * pages, codes)) < shares
    shared = rng.random((domains * pages, codes)) < np.sqrt(correlation)
    names = sites(domains * pages, pages)
    return frame_of(np.where(shared, np.repeat(whole, pages, axis=0), own), names), names


def frame_of(has, names):
    """Return a codes frame of a table of who has what."""
    row, column = np.nonzero(has)
    codes = np.array([f"INT.C{number:03}" for number in range(has.shape[1])])
    return pd.DataFrame({"target": np.array(names)[row], "dimension": "interest", "code": codes[column]})


def found_again(frame, names, alike):
    """Return how often a lookalike that is no seed is ranked above another site, with every second one as a seed."""
    seeds = [name for name, like in zip(names, alike, strict=True) if like][::2]
    ranked = lookalikes(frame, seeds, sites=names)
    like = dict(zip(names, alike, strict=True))
    inside, about = ranked["site"].map(like).to_numpy(bool), ranked.attrs["about"]
    above = rankdata(ranked["score"])[inside].mean() - (inside.sum() + 1) / 2
    return above / (~inside).sum(), about["auc"], about["p"]


def main(runs=60):
    rng = np.random.default_rng(15)
    print("sites alike codes more share base | AUC of those planted, by held-out seeds; called alike")
    for shape in PLANTED:
        values = np.array([found_again(*planted(shape, rng)) for _ in range(runs)])
        auc, checked, p = values.T
        print(*(f"{value:5}" for value in shape), f"| {auc.mean():.3f} {checked.mean():.3f}  {(p < 0.05).mean():.2f}")
    print(
        "\nrandom seeds: sites, seeds, pages a domain, correlation | AUC mean (from, to), called alike, precision, base"
    )
    for number, count, pages, correlation in (
        (200, 10, 1, 0),
        (200, 40, 1, 0),
        (60, 6, 1, 0),
        (400, 6, 10, 0.5),
        (400, 6, 10, 0),
    ):
        values = []
        for _ in range(3 * runs):
            frame, names = clustered(number // pages, pages, 200, correlation, rng)
            chosen = rng.choice(number // pages, count, replace=False)
            seeds = [names[pages * domain + page] for domain in chosen for page in range(min(pages, 3))]
            row = lookalike_quality(frame, seeds, 10, sites=names).iloc[0]
            values.append(
                (row["auc"], row["p"], row["precision"], row["precision"] / row["lift"] if row["lift"] else np.nan)
            )
        auc, p, right, base = np.array(values).T
        print(
            f"{number:5} {count:4} {pages:3} {correlation:4} | {auc.mean():.3f} ({np.quantile(auc, 0.05):.2f}, "
            f"{np.quantile(auc, 0.95):.2f}) {(p < 0.05).mean():.3f}  {right.mean():.3f} {np.nanmean(base):.3f}"
        )


if __name__ == "__main__":
    main()
