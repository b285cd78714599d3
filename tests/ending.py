"""Programs that end in the middle of the embedded service's work, each in a process of its own."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).parent
#: Each way to end, its exit code, and the last line of what it prints.
WAYS = {
    "end": (0, ""),
    "closing": (0, ""),
    "exit": (3, ""),
    "error": (1, "RuntimeError: as wanted"),
    "interrupt": (-signal.SIGINT, "KeyboardInterrupt"),
    "terminate": (-signal.SIGTERM, ""),
    "at-once": (4, ""),
    "thread": (0, ""),
    "loop": (0, ""),
}
WORK = ("segment", "batch", "run")
#: What no program prints, however it ends.
NEVER = ("Exception ignored", "Exception in thread", "Fatal Python error", "Unclosed", "was destroyed", "never awaited")
SECONDS_TO_END = 15.0


@dataclass(frozen=True)
class Ended:
    """A program that has ended: how it should, and how it did."""

    way: str
    work: str
    moment: float
    code: int | None
    printed: str
    seconds: float

    @property
    def problem(self) -> str:
        """What is wrong with its end; empty where nothing is."""
        code, last = WAYS[self.way]
        if self.code is None:
            return f"it had not ended {SECONDS_TO_END:g} s later: {self.printed[-6000:]}"
        # A thread that imports something when the interrupt comes makes it the code of any other error.
        if self.code != code and (self.way, self.code) != ("interrupt", 1):
            return f"exit code {self.code}, not {code}: {self.printed[-1500:]}"
        if found := [words for words in NEVER if words in self.printed]:
            return f"it printed {found}: {self.printed[-1500:]}"
        # The note of an interrupted run, which follows the traceback, says how it stands.
        lines = [line for line in self.printed.strip().splitlines() if not line.startswith("What was answered is kept")]
        # An interrupt may come while an earlier one is dealt with.
        most = 2 if self.way == "interrupt" else int(bool(last))
        if (lines[-1] if lines else "") != last or self.printed.count("Traceback (most recent call last)") > most:
            return f"it printed: {self.printed[-1500:]}"
        return ""

    def __str__(self) -> str:
        return f"{self.way} during {self.work} after {self.moment:.2f} s"


def end_one(way: str, work: str, moment: float, python: str = sys.executable) -> Ended:
    """Run a program to its end."""
    again = None
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [python, "-X", "faulthandler", str(TESTS / "ending_program.py"), way, work, str(moment), folder],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(TESTS.parent), "TMPDIR": folder, "OPENBLAS_NUM_THREADS": "1"},
        )
        if way in ("interrupt", "terminate"):
            process.stdout.readline()
            time.sleep(moment)
            process.send_signal(signal.SIGINT if way == "interrupt" else signal.SIGTERM)
            again = threading.Timer(5.0, process.send_signal, (signal.SIGINT,))  # one may end a run that had just ended
            again.start()
        began, code = time.monotonic(), None
        try:
            printed = process.communicate(timeout=moment + SECONDS_TO_END)[1]
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGABRT)
            printed = process.communicate()[1]
        if again is not None:
            again.cancel()
        return Ended(way, work, moment, code, printed, time.monotonic() - began)
