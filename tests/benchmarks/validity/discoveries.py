"""Measure how many of the differences that `compare` calls are false, and how many planted ones it finds.

    python -m tests.benchmarks.validity.discoveries --times 400

Beside it stand the adjustments that it replaced. Sites have codes of many frequencies; "together" are codes in bunches
of five that most sites have together or not at all. Groups are against all sites, in one family.
"""

import argparse
from typing import NamedTuple

import numpy as np
from scipy import stats

from toolkit.findings.statistics.discoveries import discoveries
from toolkit.findings.statistics.proportions import smallest_p, two_proportion_p

#: A share in the group and elsewhere that is planted, and how many of the codes.
PLANTS = ((1.0, 0.04), (0.75, 0.05), (0.8, 0.1), (0.9, 0.3), (0.5, 0.05))
_BUNCH = 5
_BOUND = 0.05


class World(NamedTuple):
    """The sizes of the groups, how many codes, how many of them differ in the first group, and how they go together."""

    sizes: tuple[int, ...]
    codes: int
    planted: int
    together: bool


WORLDS = {
    "4 groups of 60": World((6, 10, 20, 24), 150, 0, together=False),
    "4 groups of 60, together": World((6, 10, 20, 24), 150, 0, together=True),
    "2 groups of 62": World((11, 51), 150, 0, together=False),
    "2 groups of 240": World((60, 180), 300, 0, together=False),
    "planted: 4 groups of 60": World((6, 10, 20, 24), 150, 5, together=False),
    "planted: 4 groups, together": World((6, 10, 20, 24), 150, 5, together=True),
    "planted: 2 groups of 120": World((20, 100), 150, 5, together=False),
}


def benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    """Return p adjusted by the procedure of 1995, for comparison; nan was not tested."""
    found, known = np.full(p.shape, np.nan), ~np.isnan(p)
    if known.any():
        found[known] = stats.false_discovery_control(p[known])
    return found


def made(chance: np.random.Generator, world: World) -> tuple[np.ndarray, np.ndarray]:
    """Return which site has which code, and which tests (of groups by codes) have a true difference."""
    n = sum(world.sizes)
    shares = np.clip(chance.beta(0.5, 4, world.codes), 0.01, 0.9)
    rates = np.tile(shares, (n, 1))
    plants = np.array([PLANTS[number % len(PLANTS)] for number in range(world.planted)]).reshape(-1, 2)
    rates[:, : world.planted] = plants[:, 1]
    rates[: world.sizes[0], : world.planted] = plants[:, 0]
    drawn = chance.random((n, world.codes))
    if world.together:
        bunches = np.arange(world.codes) // _BUNCH
        of_bunch = chance.random((n, bunches[-1] + 1))[:, bunches]
        drawn = np.where(chance.random((n, world.codes)) < 0.8, of_bunch, drawn)
    true = np.zeros((len(world.sizes), world.codes), dtype=bool)
    true[:, : world.planted] = True  # of a planted code, the other groups differ from all sites too
    return drawn < rates, true


def tested(has: np.ndarray, sizes: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the p of each group and code, the margins, and which rows can show anything."""
    starts = np.cumsum((0, *sizes[:-1]))
    if len(sizes) == 2:
        sizes, starts = sizes[:1], starts[:1]  # the other group is the same test
    have = np.stack([has[start : start + size].sum(axis=0) for start, size in zip(starts, sizes, strict=True)])
    n = np.array(sizes)[:, None]
    total, rest = has.sum(axis=0)[None, :], len(has) - n
    p = two_proportion_p(have, n, total - have, rest)
    can = (total > 0) & (total < len(has)) & (smallest_p(have, n, total - have, rest) < _BOUND)
    margins = np.stack(np.broadcast_arrays(n, rest, total), axis=-1)
    return p, margins, can


def measured(world: World, times: int, seed: int = 1) -> dict[str, tuple[float, float, float]]:
    """Return by procedure in how many families anything false is called, the false part, and the part found."""
    chance = np.random.default_rng(seed)
    kept: dict[str, list[tuple[float, float, float]]] = {"step-down": [], "Tarone-BH": [], "BH": []}
    for _ in range(times):
        has, true = made(chance, world)
        p, margins, can = tested(has, world.sizes)
        true = true[: len(p)]
        for name, adjusted in (
            ("step-down", discoveries(np.where(can, p, np.nan).ravel(), margins.reshape(-1, 3)).reshape(p.shape)),
            ("Tarone-BH", benjamini_hochberg(np.where(can, p, np.nan))),
            ("BH", benjamini_hochberg(np.where(p < 1, p, np.nan))),
        ):
            called = adjusted < _BOUND
            false = (called & ~true).sum()
            found = called[0, : world.planted].mean() if world.planted else np.nan
            kept[name].append((false > 0, false / max(called.sum(), 1), found))
    return {name: tuple(np.mean(rows, axis=0)) for name, rows in kept.items()}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=400)
    times = parser.parse_args().times
    print(f"{'world':30} {'procedure':10} {'any false':>9} {'false part':>10} {'found':>6}")
    for title, world in WORLDS.items():
        for name, (some, part, found) in measured(world, times).items():
            print(f"{title:30} {name:10} {some:9.1%} {part:10.1%} {found:6.1%}")


if __name__ == "__main__":
    main()
