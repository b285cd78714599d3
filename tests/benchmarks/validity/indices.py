"""Measure how far the indices of rows that `compare` calls are from the truth, raw and shrunken.

    python -m tests.benchmarks.validity.indices --times 200

For several spreads of true effects and sizes of a group among all sites: how often the interval holds the true index
of a called row (and of any row, for the shrunken one), and by how much the indices of rows called over are too high
on average, as a part of the true ones.
"""

import argparse

import numpy as np
import pandas as pd

from toolkit.findings.compare import compare

#: The logarithm of the ratio of shares, in each world.
EFFECTS = {
    "a quarter differ": lambda chance, codes: np.where(chance.random(codes) < 0.25, chance.normal(0, 1.2, codes), 0),
    "planted 3, 5, 1/4": lambda chance, codes: np.where(
        chance.random(codes) < 0.1, chance.choice(np.log([3, 5, 0.25]), codes), 0
    ),
    "all differ a little": lambda chance, codes: chance.normal(0, 0.6, codes),
    "long tails": lambda chance, codes: 0.4 * chance.standard_t(3, codes),
}
SIZES = ((60, 180), (20, 60), (8, 54), (4, 58))
_CODES = 150


def called(effect: str, part: int, rest: int, times: int, seed: int = 1) -> tuple[pd.DataFrame, float]:
    """Return the called rows with the true index, and how often the shrunken interval holds that of any row."""
    chance = np.random.default_rng(seed)
    n = part + rest
    names = np.array([f"s{number:04}.example" for number in range(n)])
    codes = np.array([f"c{number:03}" for number in range(_CODES)])
    kept, held = [], []
    for _ in range(times):
        base = np.clip(chance.beta(0.8, 4, _CODES), 0.01, 0.9)
        mine = np.minimum(base * np.exp(EFFECTS[effect](chance, _CODES)), 0.97)
        has = chance.random((n, _CODES)) < np.where(np.arange(n)[:, None] < part, mine, base)
        row, column = np.nonzero(has)
        frame = pd.DataFrame({"target": names[row], "dimension": "persona", "code": codes[column]})
        found = compare(frame, {"mine": names[:part]}, sites=names)
        true = 100 * mine / (mine * part / n + base * (1 - part / n))
        found["true"] = true[found["code"].str[1:].astype(int)]
        held.append(within(found, "shrunken_low", "shrunken_high"))
        kept.append(found[found["verdict"].isin(["over", "under"])])
    return pd.concat(kept), float(np.mean(held))


def within(rows: pd.DataFrame, low: str, high: str) -> float:
    """Return the part of the rows whose interval holds the true index."""
    return float(((rows[low] <= rows["true"]) & (rows["true"] <= rows[high])).mean())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=200)
    times = parser.parse_args().times
    head = (
        "effects",
        "sites",
        "rows",
        "raw holds",
        "shrunken holds",
        "of any row",
        "raw too high",
        "shrunken too high",
    )
    print(" | ".join(head))
    for effect in EFFECTS:
        for part, rest in SIZES:
            rows, held = called(effect, part, rest, times)
            over = rows[rows["verdict"] == "over"]
            raw, shrunken = (over[name].mean() / over["true"].mean() - 1 for name in ("index", "shrunken_index"))
            holds = within(rows, "index_low", "index_high"), within(rows, "shrunken_low", "shrunken_high")
            print(
                f"{effect} | {part} of {part + rest} | {len(rows)} | {holds[0]:.1%} | {holds[1]:.1%} | {held:.1%}"
                f" | {raw:+.1%} | {shrunken:+.1%}"
            )


if __name__ == "__main__":
    main()
