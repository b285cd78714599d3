"""How often the interval of a weighted share holds the true one, and how often a weighted test finds what is not there.

    python -m tests.benchmarks.validity.weighted

Weights are log-normal. A code depends on the weight where its log odds rise by `depends` for each standard deviation
of the weight's logarithm; the true share is of the weight of all sites there could be.
"""

import itertools

import numpy as np
import pandas as pd
from scipy import special

from toolkit.findings import compare
from toolkit.findings.statistics.proportions import two_proportion_p
from toolkit.findings.statistics.weighted import Sums, effective_counts, share_and_n, weighted_shares

SIGMAS = (0.5, 1.0, 1.5)
SIZES = (40, 100, 400)
SHARES = (0.05, 0.1, 0.2, 0.5)
DEPENDS = (0.0, 0.5, -0.5)
ALIKE = (0.0, 0.2, 0.5)


def coverage_of_intervals(n, sigma, share, depends, *, codes=10, runs=800, seed=0):
    """Return how often the interval of so many sites holds the true weighted share."""
    random = np.random.default_rng(seed)
    odds = _odds(sigma, share, depends)
    held = 0
    for _ in range(runs):
        x = random.normal(size=n)
        has = random.random((n, codes)) < special.expit(odds + depends * x)[:, None]
        found = weighted_shares(has.astype(int), np.exp(sigma * x))
        held += ((found.low <= share) & (share <= found.high)).mean()
    return held / runs


def coverage_of_clusters(clusters, sigma, share, alike, *, uneven=False, codes=10, runs=400, seed=0):
    """Return how often the interval holds the share where sites of a cluster have both code and weight in common."""
    random = np.random.default_rng(seed)
    held = 0
    for _ in range(runs):
        size = random.geometric(1 / 8, clusters) if uneven else np.full(clusters, 8)
        cluster = np.repeat(np.arange(clusters), size)
        odds = 1 / alike - 1 if alike else 1e9
        own = random.beta(share * odds, (1 - share) * odds, (clusters, codes))
        has = random.random((len(cluster), codes)) < own[cluster]
        x = (random.normal(size=len(cluster)) + random.normal(size=clusters)[cluster]) / np.sqrt(2)
        found = weighted_shares(has.astype(int), np.exp(sigma * x), clusters=cluster)
        held += ((found.low <= share) & (share <= found.high)).mean()
    return held / runs


def rejections(sizes, sigma, share, depends, *, runs=20_000, seed=0):
    """Return how often the test of effective counts finds a difference where there is none, at 5 % and at 1 %."""
    random = np.random.default_rng(seed)
    odds = _odds(sigma, share, depends)
    tables = []
    for n in sizes:
        x = random.normal(size=(runs, n))
        has = random.random((runs, n)) < special.expit(odds + depends * x)
        weight = np.exp(sigma * x)
        sums = (has.sum(axis=1), np.full(runs, n), *(part for w in (has * weight, weight) for part in _moments(w)))
        tables += effective_counts(*share_and_n(Sums(*(np.asarray(part, dtype=float) for part in sums))))
    p = two_proportion_p(*tables)
    return float((p < 0.05).mean()), float((p < 0.01).mean())


def _moments(weight):
    return weight.sum(axis=1), (weight**2).sum(axis=1)


def false_rows(n, groups, sigma, depends, *, codes=80, runs=200, seed=0):
    """Return how often a comparison by weight without any difference claims something, beside that by sites."""
    random = np.random.default_rng(seed)
    shares = random.beta(1, 5, codes).clip(0.02, 0.9)
    odds = np.array([_odds(sigma, share, depends) for share in shares])
    claimed = np.zeros(2)
    for _ in range(runs):
        x = random.normal(size=n)
        has = random.random((n, codes)) < special.expit(odds + depends * x[:, None])
        found = _compared(has, np.exp(sigma * x), random.integers(0, groups, n))
        claimed += [found[name].isin(["over", "under"]).any() for name in ("weighted_verdict", "verdict")]
    return claimed / runs


def coverage_of_index(n, sigma, shares, *, codes=100, runs=20, seed=0):
    """Return how often the interval of a weighted index, of a sixth of the sites against the rest, holds the true one.

    Codes do not depend on the weight. With every run come as many codes that are independent of one another.
    """
    random = np.random.default_rng(seed)
    held = 0.0
    group = np.arange(n) < n // 6
    for _ in range(runs):
        has = random.random((n, codes)) < np.where(group[:, None], *shares)
        found = _compared(has, np.exp(sigma * random.normal(size=n)), group)
        rows = found[found["group"] == "True"]
        index = 100 * shares[0] / shares[1]
        # A code that no site has is in no row, and its interval would hold every index.
        inside = (rows["weighted_index_low"] <= index) & (index <= rows["weighted_index_high"])
        held += (inside.sum() + codes - len(rows)) / codes
    return held / runs


def made_up(random, domains, pages, alike, groups, *, sigma=1.0, codes=60, split=False):
    """Return a codes frame of pages, the pages, their weights, and groups of them: none differs from the others.

    Pages of a domain are alike in codes, and have most of their weight in common. Groups are of whole domains, or split
    them.
    """
    domain = np.repeat(np.arange(domains), pages)
    sites = np.array([f"https://d{of}.example/{number}" for number, of in enumerate(domain)])
    odds, share = 1 / alike - 1 if alike else 1e9, random.beta(1, 5, codes).clip(0.02, 0.9)
    own = random.beta(share * odds, (1 - share) * odds, (domains, codes))
    site, code = np.nonzero(random.random((len(sites), codes)) < own[domain])
    x = 0.9 * random.normal(size=domains)[domain] + np.sqrt(1 - 0.9**2) * random.normal(size=len(sites))
    frame = pd.DataFrame({"target": sites[site], "dimension": "interest", "code": np.char.add("c", code.astype(str))})
    group = random.integers(0, groups, len(sites)) if split else random.integers(0, groups, domains)[domain]
    weight, names = pd.Series(np.exp(sigma * x), sites), pd.Series(group, sites).astype(str)
    frame.attrs["share"] = dict(zip(np.char.add("c", np.arange(codes).astype(str)), share, strict=True))
    return frame, sites, weight, names


def false_rows_of_pages(domains, pages, sigma, alike, *, groups=2, split=False, by="domain", runs=60, seed=0):
    """Return how many rows of a comparison of pages are false ones, and how often intervals hold the true share."""
    random = np.random.default_rng(seed)
    called, held = [], []
    for _ in range(runs):
        frame, sites, weight, names = made_up(random, domains, pages, alike, groups, sigma=sigma, split=split)
        true = frame.attrs.pop("share")
        found = compare(frame, names, "rest", sites=sites, weight=weight, cluster=by)
        share = found["code"].map(true)
        called.append(found["weighted_p"].lt(0.05).mean())
        held.append(((found["weighted_low"] <= share) & (share <= found["weighted_high"])).mean())
    return float(np.mean(called)), float(np.mean(held))


def _compared(has, weight, groups):
    sites = np.array([f"s{number}.example" for number in range(len(has))])
    site, code = np.nonzero(has)
    rows = {"target": sites[site], "dimension": "interest", "code": np.char.add("c", code.astype(str))}
    known = {"sites": sites, "weight": pd.Series(weight, sites)}
    return compare(pd.DataFrame(rows), pd.Series(groups, sites).astype(str), "rest", **known)


def _odds(sigma, share, depends):
    """Return the log odds at an average weight that give the weighted share, where a weight tilts the sites by it."""
    x, mass = np.polynomial.hermite_e.hermegauss(80)
    mass = mass / mass.sum()
    low, high = -15.0, 15.0
    for _ in range(60):
        middle = (low + high) / 2
        if mass @ special.expit(middle + depends * (x + sigma)) > share:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def main():
    """Print the tables."""
    _print_intervals()
    _print_tests()
    _print_clusters()


def _print_intervals():
    print("Intervals of weighted shares at 95 %\n")
    print("depends  sigma    n  " + "  ".join(f"p={share:<4}" for share in SHARES))
    for depends, sigma, n in itertools.product(DEPENDS, SIGMAS, SIZES):
        held = [coverage_of_intervals(n, sigma, share, depends) for share in SHARES]
        print(f"{depends:7}  {sigma:5}  {n:3}  " + "  ".join(f"{part:.3f} " for part in held))
    print("\nIntervals of weighted indices at 95 %, of a sixth of the sites against the rest\n")
    for sigma, n in itertools.product(SIGMAS, (60, 120, 480)):
        pairs = ((0.1, 0.1), (0.4, 0.1), (0.3, 0.6))
        line = "  ".join(f"{pair}: {coverage_of_index(n, sigma, pair):.3f}" for pair in pairs)
        print(f"sigma {sigma}  n {n:3}  {line}")


def _print_tests():
    print("\nTests at 5 % and 1 % of groups without a difference: how often they find one\n")
    for depends, sigma, sizes in itertools.product(DEPENDS, SIGMAS, ((6, 60), (20, 60), (100, 400))):
        found = [rejections(sizes, sigma, share, depends) for share in SHARES]
        line = "  ".join(f"{five:.3f} {one:.4f}" for five, one in found)
        print(f"depends {depends:4}  sigma {sigma}  {sizes}  {line}")
    print("\nComparisons without any difference in which something is claimed: by weight, and by sites\n")
    for depends, sigma, (n, groups) in itertools.product(DEPENDS, SIGMAS, ((40, 3), (120, 4))):
        weighted, plain = false_rows(n, groups, sigma, depends)
        print(f"depends {depends:4}  sigma {sigma}  n {n:3} in {groups}  {weighted:.3f}  {plain:.3f}")


def _print_clusters():
    print("\nIntervals of weighted shares of clusters, of 8 sites each, or of 1 to some 40 (uneven)\n")
    print("alike  clusters  uneven  sigma  " + "  ".join(f"p={share:<4}" for share in SHARES))
    for alike, clusters, uneven, sigma in itertools.product(ALIKE, (20, 40, 100), (False, True), (0.0, 1.0)):
        held = [coverage_of_clusters(clusters, sigma, share, alike, uneven=uneven) for share in SHARES]
        line = "  ".join(f"{part:.3f} " for part in held)
        print(f"{alike:5}  {clusters:8}  {uneven!s:6}  {sigma:5}  {line}")
    print("\nComparisons of pages without a difference: rows with p below 0.05, and intervals of shares that hold\n")
    for alike, (domains, pages), split, sigma in itertools.product(
        (0.1, 0.3, 0.6), ((12, 10), (40, 10), (40, 25)), (False, True), (0.5, 1.0, 1.5)
    ):
        known = {"split": split, "runs": 40}
        rows, held = false_rows_of_pages(domains, pages, sigma, alike, **known)
        alone, _ = false_rows_of_pages(domains, pages, sigma, alike, by=None, **known)
        print(
            f"alike {alike}  {domains} x {pages}  {'split' if split else 'whole':5}  sigma {sigma}  "
            f"{rows:.3f} (by page {alone:.3f})  {held:.3f}"
        )


if __name__ == "__main__":
    main()
