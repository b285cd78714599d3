"""Measure how often intervals of corrected and of expected shares hold what is true, over made-up lists.

    python -m tests.benchmarks.validity.misreading --lists 2000

A list has sites of which a code is true or not; the classifier finds it where it is true, and where it is not, with its
sensitivity and 1 - its specificity; some sites, drawn at random, are labelled. The truth is the share that the list
was drawn with. For groups, errors are the same in both, or differ; Rogan and Gladen's share is meant for the former.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from typing import NamedTuple

import numpy as np

from toolkit.findings.statistics.misreading import central_counts, corrected

__all__ = ["CASES", "GROUPS", "Group", "List", "covered", "expected_covered", "group_covered", "main"]


class List(NamedTuple):
    """A list of sites, of which so many are labelled."""

    sites: int
    labelled: int
    share: float
    sensitivity: float
    specificity: float


class Group(NamedTuple):
    """A group of a list of sites with its share, the others' share, and what the classifier is there."""

    sites: int
    labelled: int
    size: float
    share: float
    rest: float
    errors: tuple[float, float]
    rest_errors: tuple[float, float]


CASES = (
    List(1000, 30, 0.3, 0.8, 0.98),
    List(1000, 50, 0.3, 0.8, 0.98),
    List(1000, 100, 0.03, 0.8, 0.98),
    List(1000, 100, 0.1, 0.8, 0.98),
    List(1000, 200, 0.1, 0.8, 0.98),
    List(1000, 200, 0.5, 0.9, 0.9),
    List(1000, 100, 0.6, 0.6, 0.9),
    List(300, 150, 0.3, 0.8, 0.95),
    List(60, 60, 0.3, 0.8, 0.98),
    List(400, 40, 0.5, 0.8, 0.9),
    List(5000, 400, 0.05, 0.8, 0.98),
    List(5000, 300, 0.5, 0.8, 0.98),
)
ALIKE = (0.8, 0.98)
GROUPS = (
    Group(600, 150, 0.2, 0.3, 0.1, ALIKE, ALIKE),
    Group(1000, 200, 0.2, 0.3, 0.3, ALIKE, ALIKE),
    Group(300, 100, 0.1, 0.6, 0.2, (0.8, 0.95), (0.8, 0.95)),
    Group(2000, 600, 0.5, 0.2, 0.1, ALIKE, ALIKE),
    Group(2000, 600, 0.5, 0.2, 0.2, (0.9, 0.9), ALIKE),
)
NOBODY = np.zeros(4, dtype=np.int64)


def _sites(rng, drawn):
    """Return the labelled cells and the others, said or not, of the sites of a list."""
    sites, labelled, share, sensitivity, specificity = drawn
    cells = [share * sensitivity, share * (1 - sensitivity), (1 - share) * (1 - specificity)]
    found = rng.multinomial(labelled, [*cells, 1 - sum(cells)])
    said = rng.binomial(sites - labelled, cells[0] + cells[2])
    return found, np.array([said, sites - labelled - said])


def _counted(hits):
    return {name: float(np.mean(values)) for name, values in hits.items()}


def covered(case, lists=2000, seed=1):
    """Return in which part of lists each interval holds what is true."""
    rng, hits = np.random.default_rng(seed), defaultdict(list)
    truth = {"sensitivity": case.sensitivity, "specificity": case.specificity}
    truth |= dict.fromkeys(["rogan_gladen", "prediction_powered"], case.share)
    for number in range(lists):
        cells, others = _sites(rng, case)
        found = corrected([NOBODY, NOBODY, cells, NOBODY], [[0, 0], [0, 0], others, [0, 0]], seed=number)
        for name, value in truth.items():
            hits[name].append(found[name].low <= value <= found[name].high)
    return _counted(hits)


def group_covered(case, lists=2000, seed=1):
    """Return the same of a group's shares, and of their ratios to those of all sites."""
    rng, hits = np.random.default_rng(seed), defaultdict(list)
    inside = round(case.sites * case.size)
    every = case.size * case.share + (1 - case.size) * case.rest
    for number in range(lists):
        mine = rng.hypergeometric(inside, case.sites - inside, case.labelled)
        cells, others = _sites(rng, List(inside, mine, case.share, *case.errors))
        rest = _sites(rng, List(case.sites - inside, case.labelled - mine, case.rest, *case.rest_errors))
        found = corrected([NOBODY, rest[0], cells, NOBODY], [[0, 0], rest[1], others, [0, 0]], seed=number)
        for method in ("rogan_gladen", "prediction_powered"):
            for name, value in ((method, case.share), (f"{method}_ratio", case.share / every)):
                hits[name].append(found[name].low <= value <= found[name].high)
    return _counted(hits)


def expected_covered(sites, lists=2000, seed=1):
    """Return in which part of lists the limits of an expected number of right answers hold it."""
    rng = np.random.default_rng(seed)
    hits = []
    for _ in range(lists):
        chances = rng.beta(2, 1, size=sites)
        low, high = central_counts(chances)
        hits.append(low <= (rng.random(sites) < chances).sum() <= high)
    return float(np.mean(hits))


def main() -> None:
    """Print a table of each kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lists", type=int, default=1000)
    lists = parser.parse_args().lists
    for cases, measured in ((CASES, covered), (GROUPS, group_covered)):
        for case in cases:
            parts = ", ".join(f"{name} {100 * part:.1f} %" for name, part in measured(case, lists).items())
            print(f"{tuple(case)}: {parts}", flush=True)
    for sites in (5, 50, 500, 5000):
        print(f"expected number, {sites} sites: {100 * expected_covered(sites, lists):.1f} %", flush=True)


if __name__ == "__main__":
    main()
