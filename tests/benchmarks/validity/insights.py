"""How often `findings` finds what was planted, and how often it claims what is not there.

Lists are made up: topics and technologies that sites have by chance, some more often together within an answer, and
groups that are made at random. A planted effect is one technology that a group has more often.
"""

from __future__ import annotations

import argparse
import time
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from toolkit import sample_run
from toolkit.findings import findings

__all__ = ["CELLS", "EFFECTS", "Outcome", "claimed", "made", "main", "null_runs", "planted_runs", "shuffled_runs"]

#: Shares of the rest and of the group, and sites in the group and in all, as in the table of the method.
EFFECTS: Final = ((0.04, 1.0), (0.05, 0.75), (0.1, 0.8), (0.3, 0.9), (0.05, 0.5), (0.3, 0.7))
CELLS: Final = ((4, 30), (6, 30), (10, 30), (4, 60), (10, 60), (20, 60), (20, 120), (40, 120))
_TOPICS: Final = 70
_TECHNOLOGIES: Final = 80
_KINDS: Final = 6
#: Shares of what three or more sites of the bundled run have, as quantiles.
_PART: Final = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
_SHARES: Final = (0.048, 0.048, 0.065, 0.097, 0.177, 0.361, 0.823)
_CLAIMS: Final = ("difference", "together", "change")
_FIRST: Final = 5
_WORDS: Final = (
    "alder",
    "birch",
    "cedar",
    "damson",
    "elm",
    "fir",
    "gorse",
    "hazel",
    "iris",
    "juniper",
    "kale",
    "lotus",
)


class Outcome(NamedTuple):
    """What came of one run: claims, false ones, whether the planted effect is claimed, and is among the first five."""

    claims: int
    false: int
    proven: bool
    first: bool


def made(
    rng: np.random.Generator, sites: int, sizes: list[int], plant: tuple[float, float] | None = None
) -> tuple[dict[str, pd.DataFrame], pd.DataFrame]:
    """Return the frames of a made-up run and its table; the first group has the planted effect, if any."""
    names = np.array([f"s{number:04}.example" for number in range(sites)])
    group = np.repeat(np.arange(len(sizes)), sizes)
    topics = _correlated(rng, sites, _TOPICS)
    technologies = _correlated(rng, sites, _TECHNOLOGIES)
    if plant is not None:
        technologies[:, 0] = rng.random(sites) < np.where(group == 0, plant[1], plant[0])
    site, code = np.nonzero(topics)
    categories = pd.DataFrame(
        {"target": names[site], "taxonomy": "content-v3", "id": [f"x{place}" for place in code]}
        | {"name": [_word(place) for place in code], "tier": 1, "level_1": [_word(place) for place in code], "rank": 1}
    )
    site, code = np.nonzero(technologies)
    used = pd.DataFrame(
        {"target": names[site], "technology": [f"{_word(place)} tool" for place in code], "category": "other"}
    )
    asked = pd.DataFrame({"target": names, "error": None, "country": None})
    # All were answered, also with nothing: rows without a code say so.
    blank = pd.DataFrame({"target": names})
    table = pd.DataFrame({"Batch": [f"batch {letter}" for letter in np.array(list("pqrstu"))[group]]}, index=names)
    frames = {
        "categories": pd.concat([categories, blank], ignore_index=True),
        "technologies": pd.concat([used, blank], ignore_index=True),
        "companies": asked,
    }
    return frames, table


def claimed(frames: dict[str, pd.DataFrame], table: pd.DataFrame) -> Outcome:
    """Return what findings claims of a made-up run."""
    found = findings(frames, "Batch", table=table)
    claims = found[found["kind"].isin(_CLAIMS)]
    right = claims["code"].eq(f"{_word(0)} tool") & claims["kind"].eq("difference")
    mine = claims[right & claims["group"].eq("batch p")]
    return Outcome(len(claims), int((~right).sum()), len(mine) > 0, bool((mine["rank"] <= _FIRST).any()))


def null_runs(seed: int, runs: int) -> list[Outcome]:
    """Return what is claimed of runs without any effect, of 30 to 120 sites in 3 to 5 groups."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(runs):
        sites, groups = int(rng.integers(30, 121)), int(rng.integers(3, 6))
        sizes = 3 + rng.multinomial(sites - 3 * groups, rng.dirichlet(np.full(groups, 4.0)))
        found.append(claimed(*made(rng, sites, sizes.tolist())))
    return found


def planted_runs(seed: int, runs: int, effect: tuple[float, float], cell: tuple[int, int]) -> list[Outcome]:
    """Return what is claimed of runs with one effect in a group of so many of all sites, among two or three others."""
    rng = np.random.default_rng(seed)
    first, sites = cell
    found = []
    for _ in range(runs):
        others = int(rng.integers(2, 4))
        sizes = [first, *(3 + rng.multinomial(sites - first - 3 * others, np.full(others, 1 / others))).tolist()]
        found.append(claimed(*made(rng, sites, sizes, effect)))
    return found


def shuffled_runs(seed: int, runs: int) -> list[int]:
    """Return how many differences are claimed of the bundled run where its sites are put in groups by chance."""
    rng = np.random.default_rng(seed)
    run = sample_run()
    frames = {name: run.frame(name) for name in ("audiences", "codes", "categories", "companies", "technologies")}
    sites = run.sites()
    targets = sites.loc[sites["error"].isna(), "target"].to_numpy()
    found = []
    for _ in range(runs):
        groups = int(rng.integers(3, 6))
        table = pd.DataFrame(
            {"Batch": [f"batch {'pqrstu'[place]}" for place in rng.integers(0, groups, len(targets))]}, index=targets
        )
        told = findings(frames, "Batch", table=table)
        found.append(int(told["kind"].eq("difference").sum()))
    return found


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=40, help="runs of each planted effect")
    parser.add_argument("--null", type=int, default=400, help="runs without an effect")
    chosen = parser.parse_args()
    started = time.perf_counter()
    null = null_runs(1, chosen.null)
    claiming = np.mean([outcome.claims > 0 for outcome in null])
    print(f"without effect: {claiming:.1%} of {len(null)} runs claim anything")
    shuffled = shuffled_runs(2, chosen.null)
    print(f"bundled run, groups by chance: {np.mean(np.array(shuffled) > 0):.1%} of {len(shuffled)} claim a difference")
    every: list[Outcome] = []
    print("rest → group".ljust(14), *(f"{first}/{sites}".rjust(7) for first, sites in CELLS))
    for row, effect in enumerate(EFFECTS):
        shares = []
        for column, cell in enumerate(CELLS):
            outcomes = planted_runs(100 * row + column, chosen.runs, effect, cell)
            every += outcomes
            shares.append(np.mean([outcome.first for outcome in outcomes]))
        print(f"{effect[0]:g} → {effect[1]:g}".ljust(14), *(f"{share:.2f}".rjust(7) for share in shares), flush=True)
    proven = [outcome for outcome in every if outcome.proven]
    false = np.mean([outcome.false / max(outcome.claims, 1) for outcome in every])
    print(f"in the first five: {np.mean([outcome.first for outcome in every]):.1%} of {len(every)} runs")
    print(f"of the proven: {np.mean([outcome.first for outcome in proven]):.1%}; false share: {false:.1%}")
    print(f"{time.perf_counter() - started:.0f} s")


def _correlated(rng: np.random.Generator, sites: int, features: int) -> np.ndarray:
    """Return what sites have: shares as in the bundled run, half of the features more often at one kind of sites."""
    share = np.interp(rng.random(features), _PART, _SHARES)
    kind, of_kind = rng.integers(0, _KINDS, sites), rng.integers(0, 2 * _KINDS, features)
    # Four times as often at a sixth of the sites is half as much again of all.
    base = np.where(of_kind < _KINDS, share / 1.5, share)
    raised = np.where(kind[:, None] == of_kind[None, :], np.minimum(base * 4, 0.95), base)
    return rng.random((sites, features)) < raised


def _word(place: int) -> str:
    return _WORDS[place % len(_WORDS)] + "abcdefghij"[place // len(_WORDS)]


if __name__ == "__main__":
    main()
