"""Where the processor's time of a run goes, in microseconds a target.

``python tests/benchmarks/parts.py [--targets N]``, with the server of `throughput.py` and one core each. The parts that
wait for nothing are timed one by one while a run is under way; `aiohttp` alone is a program of a few lines that sends
the same requests with it; the rest is what is left of the whole.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import json
import os
import tempfile
import time
import zlib
from collections import Counter
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import aiohttp
from throughput import KEY, by_run, measured, stub

import toolkit as tk
from toolkit.interface.calls import Question
from toolkit.net.transport import Transport
from toolkit.runs import engine
from toolkit.runs.journal import Journal
from toolkit.store import answers

if TYPE_CHECKING:
    from collections.abc import Callable

REPEATS = 5
ANSWER = "the answer as JSON, and whether it is one"
#: What is timed: its part, whose it is, its name.
TIMED = (
    ("the list read, put in normal form, written down", Journal, "open"),
    ("the list read, put in normal form, written down", Journal, "begin"),
    ("tasks read again and marked as sent", Journal, "waiting"),
    ("tasks read again and marked as sent", Journal, "send"),
    ("the request made, with its key", Question, "call"),
    ("the request made, with its key", Transport, "_request"),
    ("keys taken out of the answer", Transport, "_without_keys"),
    (ANSWER, engine, "read_json"),
    ("what the answer states of itself", engine, "stated_by"),
    ("answer and task written, in transactions", Journal, "record"),
)
PACKED = "— of which packing the answer"

spent: Counter[str] = Counter()


def timed(function: Callable[..., Any], part: str) -> Callable[..., Any]:
    """Return the function, its time counted to a part."""

    @functools.wraps(function)
    def wrapper(*args: Any, **named: Any) -> Any:
        begun = time.thread_time()
        try:
            return function(*args, **named)
        finally:
            spent[part] += time.thread_time() - begun

    return wrapper


def by_aiohttp(base: str, targets: list[str], at_once: int) -> None:
    """Ask with aiohttp and nothing else."""

    async def main() -> None:
        waiting = iter(targets)
        connector = aiohttp.TCPConnector(limit=at_once)
        async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session:

            async def work() -> None:
                for target in waiting:
                    form = f"query={target}&format=structured&api_key={KEY}".encode()
                    async with session.post(f"{base}/api/audience/segment.php", data=form) as response:
                        await response.read()

            await asyncio.gather(*(work() for _ in range(at_once)))

    asyncio.run(main())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--targets", type=int, default=15_000)
    number: int = parser.parse_args().targets
    cores = sorted(os.sched_getaffinity(0))
    columns = []
    with tk.Client() as client, tempfile.TemporaryDirectory() as folder:
        body = Path(folder) / "body.json"
        answer = client.segment("https://trailhead-outfitters.example/boots").raw
        # One answer for all, which so names no site.
        body.write_text(json.dumps(answer | {"url": None}), encoding="utf-8")
        with stub(body) as base:
            os.sched_setaffinity(0, {cores[0]})
            whole = {
                at_once: [measured(by_run, base, number, at_once)[1] for _ in range(REPEATS)] for at_once in (50, 500)
            }
            alone = {n: median(measured(by_aiohttp, base, number, n)[1] for _ in range(REPEATS)) for n in whole}
            for part, owner, name in TIMED:
                setattr(owner, name, timed(getattr(owner, name), part))
            answers.zlib.compress = timed(zlib.compress, PACKED)
            for at_once, all_of_it in whole.items():
                found = []
                for _ in range(REPEATS):
                    spent.clear()
                    measured(by_run, base, number, at_once)
                    found.append({part: seconds / number * 1e6 for part, seconds in spent.items()})
                column = {part: median(each[part] for each in found) for part in found[0]}
                known = alone[at_once] + sum(column.values()) - column[PACKED]
                column["aiohttp and the event loop, alone"] = alone[at_once]
                column["the rest: workers, limits of time, budget, pace"] = median(all_of_it) - known
                column["**together**"] = median(all_of_it)
                columns.append(column)
    print("| part | 50 open, µs | 500 open, µs |\n|---|---:|---:|")
    for part in dict.fromkeys([*(part for part, *_ in TIMED), PACKED, *columns[0]]):
        print(f"| {part} | {columns[0][part]:.0f} | {columns[1][part]:.0f} |")


if __name__ == "__main__":
    main()
