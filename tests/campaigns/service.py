"""`toolkit serve` on a database, in a process group of its own: killed as a whole, or a worker at a time."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

import httpx

ROOT: Final = Path(__file__).parents[2]
PROGRAM: Final = "import sys; from toolkit.cli.main import main; sys.exit(main())"


def environment() -> dict[str, str]:
    """Return this process's environment without settings of the toolkit, and with one thread of linear algebra."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TOOLKIT_")}
    return {**kept, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}


@cache
def help_of_serve() -> str:
    """Return what `toolkit serve --help` says."""
    words = [sys.executable, "-c", PROGRAM, "serve", "--help"]
    return subprocess.run(words, env=environment(), capture_output=True, text=True, check=True, timeout=60).stdout


def options_of_keys(keys: list[str], folder: Path) -> list[str]:
    """Return how this `toolkit serve` is given its keys. The only place that knows."""
    file = folder / "keys.txt"
    file.write_text("\n".join(keys) + "\n", encoding="utf-8")
    file.chmod(0o600)
    return ["--key-file", str(file)]


class Served:
    """A `toolkit serve` that is started again and again on the same port and database."""

    def __init__(self, folder: Path, keys: list[str], workers: int) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self.database = folder / "service.db"
        self.workers = workers if "--workers" in help_of_serve() else 0
        options = ["--port", str(self.port), "--database", str(self.database), "--allow-private"]
        options += [*options_of_keys(keys, folder), *(["--workers", str(workers)] if self.workers else [])]
        self._words = [sys.executable, "-c", PROGRAM, "serve", *options]
        self._errors = (folder / "serve.log").open("ab")
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.process = subprocess.Popen(
            self._words,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            start_new_session=True,
        )
        watchdog = threading.Timer(120, self.process.kill)
        watchdog.start()
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("Vocabulary:"):
                break
        else:
            raise RuntimeError(f"toolkit serve ended with {self.process.wait()}; see {self._errors.name}")
        watchdog.cancel()

    @property
    def is_answering(self) -> bool:
        """Whether it answers a request that needs no key."""
        with suppress(httpx.HTTPError):
            return httpx.get(f"{self.base}/api/audience/filters.php", timeout=10).status_code == 200
        return False

    def kill(self) -> None:
        """Kill it with all its workers, and wait for their end."""
        assert self.process is not None
        group = self.process.pid
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
        self.process.wait(30)
        if self.process.stdout is not None:
            self.process.stdout.close()
        # A worker that outlives its parent would hold port and database.
        until = time.monotonic() + 30
        while time.monotonic() < until:
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                return
            time.sleep(0.005)

    def children(self) -> list[int]:
        """Return the processes below it."""
        assert self.process is not None
        found, waiting = [], [self.process.pid]
        while waiting:
            parent = waiting.pop()
            for tasks in Path(f"/proc/{parent}/task").glob("*/children"):
                with suppress(OSError):
                    below = [int(number) for number in tasks.read_text().split()]
                    found += below
                    waiting += below
        return found

    def kill_worker(self, number: int) -> bool:
        """Kill one of its workers; return whether there was one."""
        children = sorted(self.children())
        if not children:
            return False
        with suppress(ProcessLookupError):
            os.kill(children[number % len(children)], signal.SIGKILL)
            return True
        return False

    def stop(self) -> float:
        """End it in order, and return how many seconds that took."""
        assert self.process is not None
        began = time.monotonic()
        self.process.terminate()
        try:
            self.process.wait(60)
        finally:
            if self.process.poll() is None:
                self.kill()
        self._errors.close()
        return time.monotonic() - began
