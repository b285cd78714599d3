"""How often a difference is shown with as many sites as `sites_needed` says, and at the smallest index.

python -m tests.benchmarks.validity.samples
"""

import numpy as np
import pandas as pd

from toolkit.findings.compare import compare
from toolkit.findings.planning.samples import sites_needed, smallest_index
from toolkit.findings.statistics.discoveries import discoveries
from toolkit.findings.statistics.proportions import two_proportion_p

#: Base share, index, groups and family.
PLANS = (
    (0.2, 200, 2, 1),
    (0.2, 150, 4, 1),
    (0.05, 300, 4, 100),
    (0.1, 200, 4, 400),
    (0.3, 160, 5, 400),
    (0.3, 40, 3, 100),
    (0.5, 140, 2, 1000),
    (0.02, 500, 3, 400),
)
LEVEL = 0.05


def shown(shares, sizes, threshold, rng, *, runs=40_000):
    """Return how often the exact test has a p up to a threshold, in the direction of the two true shares."""
    (group, rest), k1, k2 = shares, *(rng.binomial(n, share, runs) for n, share in zip(sizes, shares, strict=True))
    p = two_proportion_p(k1, sizes[0], k2, sizes[1])
    right = np.sign(k1 / sizes[0] - k2 / sizes[1]) == np.sign(group - rest)
    return float(((p <= threshold) & right).mean())


def called(effect, n, shares, groups, rng, *, runs=2000):
    """Return how often the planted row is called, in families of codes × groups that are judged as `compare` does."""
    (group, rest), others = effect, n * (groups - 1)
    hits = 0
    for _ in range(runs):
        counts = rng.binomial(n, shares, (groups, len(shares)))
        counts[0, 0], counts[1:, 0] = rng.binomial(n, group), rng.binomial(n, rest, groups - 1)
        k1, k2 = counts.ravel(), (counts.sum(axis=0) - counts).ravel()
        tested = (k1 + k2 > 0) & (k1 + k2 < n + others)
        p = np.where(tested, two_proportion_p(k1, n, k2, others), np.nan)
        margins = np.column_stack([np.full(k1.size, n), np.full(k1.size, others), k1 + k2])
        adjusted = discoveries(p, margins)
        hits += adjusted[0] < LEVEL and (k1[0] / n > k2[0] / others) == (group > rest)
    return hits / runs


def family_of(size, base, rng):
    """Return shares of so many codes, most of them rare, the first being the one that differs."""
    return np.append(base, np.exp(rng.uniform(np.log(0.01), np.log(0.6), size - 1)))


def compared(share, n, shares, groups, rng):
    """Return what `compare` says of groups of n sites, of which the first has a share of the first code of its own."""
    has = rng.random((n * groups, len(shares))) < shares
    if share is not None:
        has[:n, 0] = rng.random(n) < share
    names = np.array([f"s{number}.example" for number in range(len(has))])
    row, column = np.nonzero(has)
    codes = np.array([f"INT.C{number:03}" for number in range(len(shares))])
    frame = pd.DataFrame({"target": names[row], "dimension": "interest", "code": codes[column]})
    who = {f"g{group}": names[group * n : group * n + n].tolist() for group in range(groups)}
    return compare(frame, who, "rest", sites=names)


def main(runs=300):
    rng = np.random.default_rng(15)
    print("base  index groups family | sites power  simulated | of shares: sites power simulated in families")
    for base, index, groups, family in PLANS:
        plan = sites_needed(base, index, groups, family, baseline="rest").iloc[0]
        n = int(plan["sites"])
        found = shown((plan["group_share"], base), (n, n * (groups - 1)), LEVEL / family, rng)
        line = f"{base:5} {index:5} {groups:6} {family:6} | {n:5} {plan['power']:.3f}  {found:.3f}"
        if family > 1:
            shares = family_of(family // groups, base, rng)
            known = sites_needed(base, index, groups, pd.DataFrame({"share": shares}), baseline="rest").iloc[0]
            n = int(known["sites"])
            found = called((known["group_share"], base), n, shares, groups, rng)
            line += f"     | {n:16} {known['power']:.3f} {found:.3f}"
        print(line)
    print("\nn    rest base | smallest index, simulated power | largest index, simulated power")
    for n, rest, base in ((20, 60, 0.1), (40, 100, 0.3), (10, 200, 0.05), (200, 800, 0.02), (60, 120, 0.7)):
        row = smallest_index(n, rest, base, family=100).iloc[0]
        line = f"{n:<4} {rest:4} {base:4} |"
        for name in ("smallest", "largest"):
            share = row[f"{name}_share"]
            found = np.nan if np.isnan(share) else shown((share, base), (n, rest), LEVEL / 100, rng)
            line += f" {row[f'{name}_index']:14.0f} {found:.3f} |"
        print(line)

    print("\nn  groups codes base | smallest index of a finished comparison, how often compare calls it over")
    for n, groups, codes, base in ((30, 4, 60, 0.1), (60, 3, 100, 0.3), (15, 4, 60, 0.05)):
        shares, called_over, indices = family_of(codes, base, rng), 0, []
        for _ in range(runs):
            row = smallest_index(compared(None, n, shares, groups, rng)).iloc[0]
            # The others' share is given: what was seen of it would have been seen again.
            rest = np.append(row["rest_share"], shares[1:])
            verdict = compared(row["smallest_share"], n, rest, groups, rng)["verdict"].iloc[0]
            called_over += verdict == "over"
            indices.append(row["smallest_index"])
        print(f"{n:3} {groups:5} {codes:5} {base:4} | {np.median(indices):5.0f} {called_over / runs:.3f}")


if __name__ == "__main__":
    main()
