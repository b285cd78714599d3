"""How many targets a second a run asks, beside what an analyst would write by hand, in the same process and minute.

``python tests/benchmarks/throughput.py [--targets N]``. Client and server have one core each. By hand: a
`requests.Session` with a pool as large as its threads, in a `ThreadPoolExecutor`; it keeps nothing. The run keeps every
answer and its journal in a file.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import requests

import toolkit as tk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).parent
KEY = "benchmark-key"


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


def rate(ask: Callable[[str, list[str], int], None], base: str, number: int, at_once: int) -> float:
    """Return targets a second."""
    targets = [f"site-{at_once}-{position}.example" for position in range(number)]
    begun = time.perf_counter()
    ask(base, targets, at_once)
    return number / (time.perf_counter() - begun)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--targets", type=int, default=15_000)
    number: int = parser.parse_args().targets
    cores = sorted(os.sched_getaffinity(0))
    with tk.Client() as client, tempfile.TemporaryDirectory() as folder:
        body = Path(folder) / "body.json"
        answer = client.segment("https://trailhead-outfitters.example/boots").raw
        # One answer for all, which so names no site.
        body.write_text(json.dumps(answer | {"url": None}), encoding="utf-8")
        print("| open requests | requests + threads, targets/s | run, targets/s | ratio |\n|---|---|---|---|")
        with stub(body) as base:
            os.sched_setaffinity(0, {cores[0]})
            for at_once in (50, 500):
                # The better of two each, in turn, so that both meet the same machine.
                hand = max(rate(by_hand, base, number, at_once) for _ in range(2))
                ours = max(rate(by_run, base, number, at_once) for _ in range(2))
                print(f"| {at_once} | {hand:,.0f} | {ours:,.0f} | {ours / hand:.1f} |", flush=True)
        os.sched_setaffinity(0, set(cores))
        with stub(body, seconds=1.0) as base:
            os.sched_setaffinity(0, {cores[0]})
            print(f"\nWith 1 s latency and 500 open requests: {rate(by_run, base, 40_000, 500):,.0f} targets/s")


if __name__ == "__main__":
    main()
