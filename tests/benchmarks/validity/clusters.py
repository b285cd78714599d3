"""How often pages of one domain make a difference that is not there, and how often intervals hold the true share.

    python -m tests.benchmarks.validity.clusters

Codes are beta-binomial in domains: pages of one are as alike as the intra-domain correlation says. Sites stand one for
one for pages, and nothing differs between groups but where an effect is planted.
"""

import numpy as np
import pandas as pd
from scipy import sparse

from tests.benchmarks.validity.discoveries import benjamini_hochberg
from toolkit.findings import compare
from toolkit.findings.statistics.clusters import Clustered, clustered_changes, clustered_interval, clustered_tests
from toolkit.findings.statistics.proportions import two_proportion_p, wilson
from toolkit.findings.statistics.tables import paired_p

CORRELATIONS = (0.0, 0.05, 0.2, 0.5)
SHARES = (0.02, 0.05, 0.1, 0.3, 0.5, 0.9)
#: Pages of each domain.
SIZES = {
    "40 of 25": [25] * 40,
    "10 of 30": [30] * 10,
    "most alone": [1] * 150 + [3] * 20 + [20] * 10 + [100] * 3,
    "one large": [200] + [5] * 30,
}
LEVELS = (0.05, 0.01, 0.001, 0.0001)


def drawn(rng, sizes, share, correlation):
    """Return sites × codes, and each site's domain."""
    domain = np.repeat(np.arange(len(sizes)), sizes)
    chance = np.broadcast_to(share, (len(sizes), len(share)))
    if correlation:
        scale = 1 / correlation - 1
        chance = rng.beta(share * scale, (1 - share) * scale, size=chance.shape)
    return sparse.csr_array((rng.random((domain.size, len(share))) < chance[domain]).astype(np.int64)), domain


def grouped(rng, kind, domain, sizes):
    """Return groups × sites: of whole domains, of pages of any, of the large domains, or of sections of each."""
    if kind == "four of domains":
        return (rng.permutation(len(sizes)) % 4)[domain] == np.arange(4)[:, None]
    if kind == "two domains":
        return np.isin(domain, rng.permutation(len(sizes))[:2])[None, :]
    if kind == "large domains":
        return (np.asarray(sizes) > np.median(sizes))[domain][None, :] | (domain == len(sizes) - 1)
    return (rng.integers(0, 4, domain.size)) == np.arange(4)[:, None]


def false_rows(sizes, kind, correlation, *, runs=40, codes=200, seed=0):
    """Return the part of rows called, of runs with any, of p below each level, and of rows called page by page."""
    rng = np.random.default_rng(seed)
    rows = called = some = naive = 0
    below = np.zeros(len(LEVELS))
    for _ in range(runs):
        has, domain = drawn(rng, sizes, rng.choice(SHARES, codes), correlation)
        members = grouped(rng, kind, domain, sizes).astype(np.int64)
        found = clustered_tests(has, domain, members)
        shown = benjamini_hochberg(np.where(found.smallest < 0.05, found.p, np.nan).ravel()) < 0.05
        have, n, every = members @ has, members.sum(axis=1)[:, None], np.asarray(has.sum(axis=0))
        alone = two_proportion_p(have, n, every - have, domain.size - n)
        rows += found.p.size
        called += shown.sum()
        some += shown.any()
        below += [(found.p <= level).sum() for level in LEVELS]
        naive += (benjamini_hochberg(alone.ravel()) < 0.05).sum()
    return called / rows, some / runs, below / rows, naive / rows


def held_shares(sizes, correlation, *, runs=40, seed=0):
    """Return how often intervals hold each share: by domain, and page by page."""
    rng = np.random.default_rng(seed)
    share = np.repeat(SHARES, 40)
    held = np.zeros((2, len(SHARES)))
    for _ in range(runs):
        every = Clustered.of(*drawn(rng, sizes, share, correlation))
        limits = (
            clustered_interval(every.have, every.n, every.effect, every.freedom),
            wilson(every.have, every.n),
        )
        held += [((low <= share) & (share <= high)).reshape(len(SHARES), -1).mean(axis=1) for low, high in limits]
    return held / runs


def found_effects(correlation, rest, group, domains, *, runs=40, seed=0):
    """Return how often a planted code of so many of 40 domains is found among 200 others, and among 4 groups."""
    rng = np.random.default_rng(seed)
    sizes, found = [25] * 40, 0
    for _ in range(runs):
        share = rng.choice(SHARES, 200)
        has, domain = drawn(rng, sizes, share, correlation)
        inside = domain < domains
        own, other = (drawn(rng, sizes, np.array([value]), correlation)[0].toarray()[:, 0] for value in (group, rest))
        planted = sparse.hstack([has, np.where(inside, own, other)[:, None]], format="csr")
        others = (domain - domains) * 3 // (40 - domains) == np.arange(3)[:, None]
        tests = clustered_tests(sparse.csr_array(planted), domain, np.vstack([inside, others & ~inside]).astype(int))
        shown = benjamini_hochberg(np.where(tests.smallest < 0.05, tests.p, np.nan).ravel()) < 0.05
        found += shown.reshape(tests.p.shape)[0, -1]
    return found / runs


def false_changes(correlation, *, runs=40, codes=200, seed=0):
    """Return the part of codes with p below 0.05 of which pages were gained and lost alike: by domain, page by page."""
    rng = np.random.default_rng(seed)
    counts = np.zeros(2)
    for _ in range(runs):
        moved, domain = drawn(rng, [25] * 40, np.full(codes, 0.1), correlation)
        way, _ = drawn(rng, [25] * 40, np.full(codes, 0.5), correlation)
        changed = sparse.csr_array(moved.multiply(2 * way.toarray() - 1).astype(np.int64))
        found = clustered_changes(changed, domain)
        counts[0] += (np.maximum(paired_p(found.gained, found.lost), found.rarest) < 0.05).mean()
        gained = np.asarray((changed > 0).sum(axis=0))
        counts[1] += (paired_p(gained, np.asarray((changed < 0).sum(axis=0))) < 0.05).mean()
    return counts / runs


def compared(correlation, *, runs=10, codes=100, seed=0):
    """Return of whole comparisons the rows called, and the intervals of indices that hold 100: by domain, by page."""
    rng = np.random.default_rng(seed)
    found = np.zeros((2, 2))
    for _ in range(runs):
        has, domain = drawn(rng, [25] * 40, rng.choice(SHARES, codes), correlation)
        targets = np.array([f"https://site{number}.example/{page}" for page, number in enumerate(domain)])
        row, column = has.nonzero()
        frame = pd.DataFrame({"target": targets[row], "dimension": "interest", "code": column.astype(str)})
        groups = pd.Series(np.array(list("abcd"))[(rng.permutation(40) % 4)[domain]], index=targets)
        for place, cluster in enumerate(("auto", None)):
            table = compare(frame, groups, "rest", sites=targets, cluster=cluster)
            inside = (table["index_low"] <= 100) & (table["index_high"] >= 100)
            found[place] += table["verdict"].isin(["over", "under"]).mean(), inside[table["index"].notna()].mean()
    return found / runs


def main():
    """Print the tables."""
    print("False rows without any difference; p up to", *LEVELS)
    for name, sizes in SIZES.items():
        for kind in ("four of domains", "two domains", "large domains", "pages"):
            for correlation in CORRELATIONS:
                rows, some, below, naive = false_rows(sizes, kind, correlation)
                tail = " ".join(f"{part:.5f}" for part in below)
                print(f"{name:11} {kind:16} {correlation:4} {rows:7.4f} runs {some:5.3f} by page {naive:6.4f} p {tail}")
    print("Intervals that hold the share, by domain and by page; shares", *SHARES)
    for name, sizes in SIZES.items():
        for correlation in CORRELATIONS:
            held = [" ".join(f"{part:.3f}" for part in parts) for parts in held_shares(sizes, correlation)]
            print(f"{name:11} {correlation:4} {held[0]} | {held[1]}")
    print("Planted effects found; rest, group, domains of 40")
    for rest, group, domains in ((0.05, 0.75, 10), (0.1, 0.8, 10), (0.3, 0.9, 20), (0.05, 0.5, 10), (0.3, 0.7, 20)):
        found = [f"{found_effects(correlation, rest, group, domains):.2f}" for correlation in CORRELATIONS]
        print(f"{rest} to {group}, {domains:2}:", *found)
    print("False changes, p below 0.05, by domain and by page")
    for correlation in CORRELATIONS:
        print(f"{correlation:4}", *(f"{part:.4f}" for part in false_changes(correlation)))
    print("compare: rows called, indices that hold 100, by domain and by page")
    for correlation in CORRELATIONS:
        print(f"{correlation:4}", *(f"{part:.4f}" for part in compared(correlation).ravel()))


if __name__ == "__main__":
    main()
