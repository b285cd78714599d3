"""Memory and time of a run over many targets against stub answers, and of its frames read in parts.

``python tests/benchmarks/million.py [--targets 1000000]``. The targets come from a text file; a stub in the place of
the network answers at once with a real structured segmentation, so that it is the run that is measured, with its store
and journal. Memory is the most that the process ever held.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

import toolkit as tk

if TYPE_CHECKING:
    from collections.abc import Callable

PROGRAM = """
import json
import toolkit as tk
from toolkit.service.knowledge.vocabulary import filters_document
answer = tk.Client().segment("https://trailhead-outfitters.example/boots").raw | {"url": None}  # for all alike
print(json.dumps([answer, filters_document()]))
"""


class Canned(httpx.AsyncBaseTransport):
    """Answers with the same bodies."""

    def __init__(self, answer: bytes, filters: bytes) -> None:
        self._answer, self._filters = answer, filters

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer at once."""
        body = self._filters if request.url.path.endswith("filters.php") else self._answer
        return httpx.Response(200, headers={"content-type": "application/json"}, stream=httpx.ByteStream(body))


def held() -> float:
    """Return the most memory that this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def shown(name: str, number: int, step: Callable[[], object]) -> None:
    """Do a step and print its line of the table."""
    begun = time.perf_counter()
    step()
    print(f"| {name} of {number:,} targets | {time.perf_counter() - begun:,.0f} | {held():,.0f} |", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--targets", type=int, default=1_000_000)
    number: int = parser.parse_args().targets
    # In another process, so that the model is not loaded in this one.
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    bodies = [json.dumps(body).encode() for body in json.loads(done.stdout)]
    with tempfile.TemporaryDirectory() as named:
        folder = Path(named)
        with (folder / "targets.txt").open("w", encoding="utf-8") as lines:
            lines.writelines(f"site-{position}.example\n" for position in range(number))
        print("| step | s | MB held at most |\n|---|---|---|")
        canned = Canned(*bodies)
        with tk.Client("key", "https://stub.invalid", transport=canned, store=folder / "run.db") as client:
            run = client.run(folder / "targets.txt", "segment", concurrency=100)
            shown("plan", number, run.plan)
            shown("run", number, lambda: run.start(progress=False))
            shown("audiences in parts", number, lambda: sum(map(len, run.iter_frames("audiences"))))
            assert run.progress.answered == number
        size = (folder / "run.db").stat().st_size
        print(f"\nThe store holds {size / 1e6:,.0f} MB, {size / number:,.0f} bytes a target.")


if __name__ == "__main__":
    main()
