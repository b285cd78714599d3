"""Measure frames of raw answers beside `pandas.json_normalize` on the same bytes, in the same run.

    python tests/benchmarks/frames.py --answers 100000

Real answers of the embedded service are varied to so many different ones. Each thing is measured in a process of its
own, from bytes to frame, and the quickest of several runs counts. Nothing is asserted: figures depend on the machine.
"""

import argparse
import gc
import json
import multiprocessing
import random
import resource
import time

import pandas as pd

import toolkit as tk
from toolkit.frames.readers import frame_of
from toolkit.frames.records import Record
from toolkit.interface.vocabulary import Vocabulary
from toolkit.service.samples import sample_sites

#: What is built of which answers.
MEASURED = [
    ("audiences", "segment"),
    ("codes", "segment"),
    ("categories", "categorize_content"),
    ("categories", "categorize"),
    ("companies", "enrich"),
    ("technologies", "enrich"),
]


def varied(raw: dict, number: int, chance: random.Random) -> bytes:
    """Return an answer's body as another page would have it: other names, marks and confidences.

    Codes stay: with others `json_normalize` would make a column of every label of the vocabulary, and take for ever.
    """
    found = json.loads(json.dumps(raw)) | {"remaining_credits": 1_000_000 - number}
    for name in ("url", "domain"):
        if name in found:
            found[name] = f"site-{number}.example"
    for name in ("std_classification", "std_taxonomy", "std_taxonomy_version2", "filtering_taxonomy"):
        for pair in found.get(name, ()):
            pair[1] = f"Confidence: {chance.random():.4f}"
    if "std_taxonomy" in found:
        found["std_classification"] = found["std_taxonomy"]
    for category in found.get("categories", ()):
        category["confidence"] = round(chance.random(), 4)
    if "meta" in found:
        found["meta"]["request_id"] = f"req_{chance.getrandbits(128):032x}"
    return json.dumps(found, ensure_ascii=False).encode()


def records_of(endpoint: str, bodies: list[bytes]) -> list[Record]:
    """Return the bodies as a run keeps them."""
    return [
        Record(
            number, f"site-{number}.example", f"site-{number}.example", endpoint, 200, None, body,
            f"req_{number:032x}", "1.1", 1_767_225_600_000_000 + number, False, 1,
        )
        for number, body in enumerate(bodies)
    ]  # fmt: skip


def measure(work: tuple) -> tuple[float, float, int]:
    """Return seconds, growth of the process's peak in MB, and rows; a frame's name of None is json_normalize."""
    name, endpoint, raws, document, number, times = work
    chance, vocabulary = random.Random(0), Vocabulary.parse(document)  # noqa: S311 - the same answers every time
    bodies = [varied(raws[position % len(raws)], position, chance) for position in range(number)]
    records = records_of(endpoint, bodies)
    taken, before = [], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(times):
        frame = None
        gc.collect()
        started = time.perf_counter()
        if name is None:
            frame = pd.json_normalize([json.loads(body) for body in bodies])
        else:
            frame = frame_of(name, records, vocabulary)
        taken.append(time.perf_counter() - started)
    return min(taken), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024, len(frame)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=100_000, help="how many answers (100000)")
    parser.add_argument("--times", type=int, default=3, help="how many runs, of which the quickest counts (3)")
    asked = parser.parse_args()
    with tk.Client() as client:
        endpoints = list(dict.fromkeys(endpoint for _, endpoint in MEASURED))
        outcomes = client.ask([site.host for site in sample_sites()], endpoints).outcomes()
        document = client.filters().raw
    raws = {name: [o.answer.raw for o in outcomes if o.endpoint == name and o.answer] for name in endpoints}
    print("| frame | of answers of | rows | seconds | MB more | json_normalize: seconds | MB more | times as fast |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    theirs: dict[str, tuple[float, float, int]] = {}
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for name, endpoint in MEASURED:
            rest = (endpoint, raws[endpoint], document, asked.answers, asked.times)
            if endpoint not in theirs:
                theirs[endpoint] = pool.map(measure, [(None, *rest)])[0]
            other, other_memory, _ = theirs[endpoint]
            mine, memory, rows = pool.map(measure, [(name, *rest)])[0]
            print(
                f"| {name} | {asked.answers:,} × {endpoint} | {rows:,} | {mine:.2f} | {memory:,.0f} | {other:.2f} "
                f"| {other_memory:,.0f} | {other / mine:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
