"""How many targets a second a run asks, beside two others, in the same process and minute.

``python tests/benchmarks/throughput.py [--targets N] [--repeats N]``. Client and server have one core each. The others
keep nothing; the run keeps every answer and its journal in a file:

- by hand, as an analyst would: a `requests.Session` with a pool as large as its threads, in a `ThreadPoolExecutor`;
- the interface's public client, ``pip install cookielessaudiences`` (MIT): its `segment_many` with as many workers.
  Where it is not installed its cells say so.

Each is asked in turn, in the other order every other time. Printed are medians: targets a second by the clock, and
microseconds of processor a target, which other work on the machine weighs less on.
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import requests

import toolkit as tk

try:
    import cookielessaudiences
except ImportError:
    cookielessaudiences = None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Way = Callable[[str, list[str], int], None]

HERE = Path(__file__).parent
KEY = "benchmark-key"
RUN, HAND, CLIENT = "a run", "requests and threads", "the public client"


@contextmanager
def stub(body: Path, seconds: float = 0.0) -> Iterator[str]:
    """Run the stub server on the second core and give its base URL."""
    pin = partial(os.sched_setaffinity, 0, {max(os.sched_getaffinity(0))})
    process = subprocess.Popen(
        [sys.executable, str(HERE / "stub_server.py"), str(body), str(seconds)],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=pin,  # noqa: PLW1509 - no other thread runs yet
    )
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.communicate()


def by_hand(base: str, targets: list[str], threads: int) -> None:
    """Ask as an analyst would."""
    with requests.Session() as session, ThreadPoolExecutor(threads) as pool:
        session.mount("http://", requests.adapters.HTTPAdapter(pool_connections=threads, pool_maxsize=threads))

        def ask(target: str) -> object:
            form = {"query": target, "api_key": KEY, "format": "structured"}
            return session.post(f"{base}/api/audience/segment.php", data=form, timeout=60).json()

        assert len(list(pool.map(ask, targets))) == len(targets)


def by_run(base: str, targets: list[str], at_once: int) -> None:
    """Ask with a run, store and journal included."""
    with tempfile.TemporaryDirectory() as folder, tk.Client(KEY, base, store=Path(folder) / "run.db") as client:
        run = client.run(targets, "segment", concurrency=at_once)
        run.start(progress=False)
        assert run.progress.answered == len(targets)


def by_client(base: str, targets: list[str], at_once: int) -> None:
    """Ask with the public client, as it comes but for the address."""
    cookielessaudiences.client.BASE = base
    answers = cookielessaudiences.CookielessAudiences(KEY).segment_many(targets, workers=at_once)
    assert not any(isinstance(answer, Exception) for answer in answers.values())
    assert len(answers) == len(targets)


def measured(ask: Way, base: str, number: int, at_once: int) -> tuple[float, float]:
    """Return targets a second, and microseconds of processor a target."""
    targets = [f"site-{at_once}-{position}.example" for position in range(number)]
    gc.collect()
    begun, worked = time.perf_counter(), time.process_time()
    ask(base, targets, at_once)
    return number / (time.perf_counter() - begun), (time.process_time() - worked) / number * 1e6


def compared(base: str, number: int, at_once: int, repeats: int) -> dict[str, tuple[float, float]]:
    """Measure each way so often, in turn, and return the medians by its name."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in WAYS}
    for repeat in range(repeats):
        names = list(WAYS) if repeat % 2 else list(reversed(WAYS))
        for name in names:
            found[name].append(measured(WAYS[name], base, number, at_once))
    return {name: (median(r for r, _ in each), median(w for _, w in each)) for name, each in found.items()}


def printed(at_once: int, found: dict[str, tuple[float, float]]) -> None:
    """Print a row a way: targets a second, microseconds, and how often the run has them."""
    ours, own = found[RUN]
    for name in (RUN, HAND, CLIENT):
        if name not in found:
            print(f"| {at_once} | {name} | not installed | | | |")
            continue
        rate, work = found[name]
        times = " | " if name == RUN else f"{ours / rate:.1f} | {work / own:.1f}"
        print(f"| {at_once} | {name} | {rate:,.0f} | {work:,.0f} | {times} |", flush=True)


WAYS: dict[str, Way] = {HAND: by_hand, RUN: by_run}
if cookielessaudiences is not None:
    WAYS[CLIENT] = by_client


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--targets", type=int, default=15_000)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    # A full pool is a warning a request.
    logging.getLogger("urllib3.connectionpool").setLevel(logging.ERROR)
    cores = sorted(os.sched_getaffinity(0))
    with tk.Client() as client, tempfile.TemporaryDirectory() as folder:
        body = Path(folder) / "body.json"
        answer = client.segment("https://trailhead-outfitters.example/boots").raw
        # One answer for all, which so names no site.
        body.write_text(json.dumps(answer | {"url": None}), encoding="utf-8")
        print("| open requests | asked by | targets/s | µs of processor a target | run × by clock | × by processor |")
        print("|---:|---|---:|---:|---:|---:|")
        with stub(body) as base:
            os.sched_setaffinity(0, {cores[0]})
            for at_once in (50, 500):
                printed(at_once, compared(base, given.targets, at_once, given.repeats))
        os.sched_setaffinity(0, set(cores))
        with stub(body, seconds=1.0) as base:
            os.sched_setaffinity(0, {cores[0]})
            slow, _ = measured(by_run, base, 40_000, 500)
            print(f"\nWith 1 s latency and 500 open requests: {slow:,.0f} targets/s")


if __name__ == "__main__":
    main()
