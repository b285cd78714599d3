"""Programs that end in the middle of the embedded service's work: how many ended as they should.

    python tests/benchmarks/ends.py --programs 100 --at-once 3 --python /usr/bin/python3.13

Each program (`tests/ending_program.py`) ends in one of nine ways at a random moment while pages are read, batches are
categorized and notified of, or runs are under way. Its exit code must be that of its way; it must print nothing but
its own traceback where it has one, and end in time.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from ending import WAYS, WORK, end_one


def main() -> int:
    """Print what came of the programs, and a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    chance = random.Random(options.seed)  # noqa: S311 - moments, no secrets
    kinds = list(product(WAYS, WORK))
    chosen = [(*kinds[number % len(kinds)], chance.uniform(0, 3)) for number in range(options.programs)]
    with ThreadPoolExecutor(options.at_once) as pool:
        ended = list(pool.map(lambda one: end_one(*one, options.python), chosen))
    bad = [one for one in ended if one.problem]
    for one in bad:
        print(f"{one}: {one.problem}\n")
    all_of, well = Counter(one.way for one in ended), Counter(one.way for one in ended if not one.problem)
    print("| how it ends | as it should | seconds at most, its start included |\n|---|---|---|")
    for way in WAYS:
        slowest = max((one.seconds - one.moment for one in ended if one.way == way), default=0)
        print(f"| {way} | {well[way]} of {all_of[way]} | {slowest:.1f} |")
    print(f"{len(ended) - len(bad)} of {len(ended)} programs ended as they should.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
