"""Measure findings on a million rows beside the plain pandas groupby that each needs, in the same run.

    python tests/benchmarks/findings.py --rows 1000000

The rows are made up: sites with categories drawn from the real taxonomy, common and rare ones. The quickest of several
runs counts. Nothing is asserted: figures depend on the machine.
"""

import argparse
import gc
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

import toolkit as tk
from toolkit.compare import compare
from toolkit.schemas import SCHEMAS

#: A site's categories, on average, as the embedded service answers.
_EACH = 8
_SECTIONS = ["news", "shop", "travel", "sport", "food"]


def categories_frame(rows: int) -> pd.DataFrame:
    """Return a categories frame of so many rows, with a column of groups; a fiftieth of the sites failed."""
    chance = np.random.default_rng(0)
    known = list(tk.load_taxonomy("content-v3"))
    ids = pd.array([category.id for category in known], dtype="str")
    names = pd.array([category.name for category in known], dtype="str")
    tops = pd.array([category.path.split(" > ")[0] for category in known], dtype="str")
    sites = max(rows // _EACH, 1)
    hosts = pd.array([f"site-{number}.example" for number in range(sites)], dtype="str")
    site = np.sort(chance.integers(0, sites, rows))
    which = np.minimum((chance.pareto(0.6, rows) * 3).astype(int), len(known) - 1)
    failed = chance.random(sites) < 0.02
    sections = pd.array(_SECTIONS, dtype="str").take(chance.integers(0, len(_SECTIONS), sites))
    missing = failed[site]
    frame = pd.DataFrame(
        {
            "row": site,
            "target": hosts.take(site),
            "normal": hosts.take(site),
            "taxonomy": pd.Series("content-v3", index=range(rows), dtype="str").mask(missing),
            "id": pd.Series(ids.take(which)).mask(missing),
            "name": pd.Series(names.take(which)).mask(missing),
            "level_1": pd.Series(tops.take(which)).mask(missing),
            "confidence": chance.random(rows),
            "error": pd.Series("410: too little text", index=range(rows), dtype="str").where(missing),
            "vocab_version": pd.Series("1.1", index=range(rows), dtype="str"),
            "fetched_at": pd.Timestamp("2026-01-01", tz="UTC") + pd.to_timedelta(site, unit="s"),
        }
    )
    made = {
        name: frame[name] if name in frame else pd.Series(pd.NA, index=frame.index) for name in SCHEMAS["categories"]
    }
    return pd.DataFrame(made).astype(SCHEMAS["categories"]).assign(section=sections.take(site))


def plainly(frame: pd.DataFrame, *keys: str) -> pd.Series:
    """Return how many sites have what, as one would ask pandas."""
    return frame.groupby(list(keys))["normal"].nunique()


def measured(frame: pd.DataFrame) -> list[tuple[str, Callable[[], object], Callable[[], object]]]:
    """Return each finding with a name, and the plain groupby that it needs."""
    sections = frame.drop_duplicates("target").set_index("target")["section"]
    mixed = frame.sample(frac=1, random_state=0, ignore_index=True)
    category = ("taxonomy", "id")
    return [
        (
            "compare, groups in a column",
            lambda: compare(frame, "section"),
            lambda: plainly(frame, "section", *category),
        ),
        (
            "compare, rows in any order",
            lambda: compare(mixed, "section", "rest"),
            lambda: plainly(mixed, "section", *category),
        ),
        (
            "compare, groups by target",
            lambda: compare(frame, sections, "news", weights=True),
            lambda: plainly(frame.assign(group=frame["target"].map(sections)), "group", *category),
        ),
    ]


def quickest(work: Callable[[], object], times: int) -> float:
    """Return the seconds of the quickest run."""
    taken = []
    for _ in range(times):
        gc.collect()
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return min(taken)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000, help="how many rows (1000000)")
    parser.add_argument("--times", type=int, default=3, help="how many runs, of which the quickest counts (3)")
    asked = parser.parse_args()
    frame = categories_frame(asked.rows)
    print(f"{len(frame):,} rows, {frame['normal'].nunique():,} sites, {frame['id'].nunique():,} categories\n")
    print("| finding | seconds | plain groupby | times as long |")
    print("|---|---:|---:|---:|")
    for name, ours, plain in measured(frame):
        taken, theirs = quickest(ours, asked.times), quickest(plain, asked.times)
        print(f"| {name} | {taken:.2f} | {theirs:.2f} | {taken / theirs:.2f} |", flush=True)


if __name__ == "__main__":
    main()
