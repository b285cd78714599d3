"""How often the interval of a weighted share holds the true one, and how often a weighted test finds what is not there.

    python -m tests.benchmarks.validity.weighted

Weights are log-normal. A code depends on the weight where its log odds rise by `depends` for each standard deviation
of the weight's logarithm; the true share is of the weight of all sites there could be.
"""

import numpy as np
from scipy import special

from toolkit.findings.statistics.weighted import weighted_shares

SIGMAS = (0.5, 1.0, 1.5)
SIZES = (40, 100, 400)
SHARES = (0.05, 0.1, 0.2, 0.5)
DEPENDS = (0.0, 0.5, -0.5)
ALIKE = (0.0, 0.2, 0.5)


def coverage_of_intervals(n, sigma, share, depends, *, runs=2000, seed=0):
    """Return how often the interval of so many sites holds the true weighted share."""
    random = np.random.default_rng(seed)
    odds = _odds(sigma, share, depends)
    held = 0
    for _ in range(runs):
        x = random.normal(size=n)
        has = random.random(n) < special.expit(odds + depends * x)
        found = weighted_shares(has[:, None].astype(int), np.exp(sigma * x))
        held += found.low[0] <= share <= found.high[0]
    return held / runs


def coverage_of_clusters(clusters, sigma, share, alike, *, uneven=False, runs=1000, seed=0):
    """Return how often the interval holds the share where sites of a cluster have both code and weight in common."""
    random = np.random.default_rng(seed)
    held = 0
    for _ in range(runs):
        size = random.geometric(1 / 8, clusters) if uneven else np.full(clusters, 8)
        cluster = np.repeat(np.arange(clusters), size)
        odds = 1 / alike - 1 if alike else 1e9
        own = random.beta(share * odds, (1 - share) * odds, clusters)
        has = random.random(len(cluster)) < own[cluster]
        x = (random.normal(size=len(cluster)) + random.normal(size=clusters)[cluster]) / np.sqrt(2)
        found = weighted_shares(has[:, None].astype(int), np.exp(sigma * x), clusters=cluster)
        held += found.low[0] <= share <= found.high[0]
    return held / runs


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
    print("Intervals of weighted shares at 95 %\n")
    print("depends  sigma    n  " + "  ".join(f"p={share:<4}" for share in SHARES))
    for depends in DEPENDS:
        for sigma in SIGMAS:
            for n in SIZES:
                held = [coverage_of_intervals(n, sigma, share, depends) for share in SHARES]
                print(f"{depends:7}  {sigma:5}  {n:3}  " + "  ".join(f"{part:.3f} " for part in held))
    print("\nThe same of clusters, of 8 sites each, or of 1 to some 40 (uneven)\n")
    print("alike  clusters  uneven  sigma  " + "  ".join(f"p={share:<4}" for share in SHARES))
    for alike in ALIKE:
        for clusters in (20, 40, 100):
            for uneven in (False, True):
                for sigma in (0.0, 1.0):
                    held = [coverage_of_clusters(clusters, sigma, share, alike, uneven=uneven) for share in SHARES]
                    line = "  ".join(f"{part:.3f} " for part in held)
                    print(f"{alike:5}  {clusters:8}  {uneven!s:6}  {sigma:5}  {line}")


if __name__ == "__main__":
    main()
