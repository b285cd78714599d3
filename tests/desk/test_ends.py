"""A program ends as it means to, whatever the embedded service is at; `tests/benchmarks/ends.py` ends a hundred."""

import subprocess
import sys

import pytest
from ending import WAYS, end_one

WORK = ["segment", "batch", "run"]
ENDS = [(way, WORK[(place + turn) % 3], (2 + place) / 4) for turn in (0, 1) for place, way in enumerate(WAYS)]


@pytest.mark.parametrize(("way", "work", "moment"), ENDS[:13], ids=lambda part: f"{part}")
def test_a_program_ends_in_the_middle_of_the_services_work(way, work, moment):
    assert end_one(way, work, moment).problem == ""


SLOW_START = """
import asyncio, threading, time
from toolkit.service.work import threads

class SlowToStart(threading.Thread):
    def start(self):
        time.sleep(1.0)
        super().start()

threads.Thread = SlowToStart
threading.Thread(target=lambda: asyncio.run(threads.Threads(5.0).start()), daemon=True).start()
time.sleep(0.5)
"""


def test_a_program_may_end_while_the_service_begins_a_thread():
    ended = subprocess.run([sys.executable, "-c", SLOW_START], check=False, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")
