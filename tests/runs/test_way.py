"""How far it is from asking about one URL to its first request, and how much is done for each target of a run."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import toolkit as tk
from toolkit.net.blocking import run_blocking

ROOT = Path(tk.__file__).parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT.parent)}
TARGET = "https://trailhead-outfitters.example/boots"


class Way:
    """Notes the toolkit's file of each call, in this thread and in the loop's, until the service is reached."""

    def __init__(self):
        self.files = []
        self.is_watched = False
        self._lock = threading.Lock()

    def __call__(self, frame, event, _):
        if event != "call" or not self.is_watched:
            return
        path = Path(frame.f_code.co_filename)
        if not path.is_relative_to(ROOT):
            return
        with self._lock:
            if path.is_relative_to(ROOT / "service"):
                self.is_watched = False
            elif self.files[-1:] != [path]:
                self.files.append(path)


def test_control_changes_file_fewer_than_50_times_before_the_first_request(client):
    def watched(way):
        async def in_the_loop():
            sys.setprofile(way)

        run_blocking(in_the_loop)

    client.run([TARGET], store=False).start(progress=False).close()  # what is loaded once is loaded
    before, way = sys.getprofile(), Way()
    watched(way)
    way.is_watched = True
    sys.setprofile(way)
    try:
        run = client.run([TARGET]).start(progress=False)
    finally:
        sys.setprofile(before)
        watched(None)
    assert run.progress.done == 1
    run.close()
    assert way.files[0] == ROOT / "aclient.py"
    assert ROOT / "net" / "transport.py" in way.files
    assert len(way.files) < 50, [str(path.relative_to(ROOT)) for path in way.files]


CALLS = """
import sys, tempfile
from collections import Counter
from pathlib import Path

import toolkit as tk
from toolkit.net.blocking import run_blocking

found = Counter()
others = [f"{folder}/{name}/" for folder in sys.path for name in ("httpx", "pydantic")]
roots = (str(Path(tk.__file__).parent), *others)

def note(frame, event, _):
    found["calls"] += event == "call" and frame.f_code.co_filename.startswith(roots)

async def watch(noted):
    sys.setprofile(noted)

def calls(client, number):
    with client.run([f"{number}-{place}.example" for place in range(number)], concurrency=20) as run:
        run.plan()
        found.clear()
        run_blocking(watch, note)
        run.start(progress=False)
        run_blocking(watch, None)
        assert run.progress.answered == number
    return found["calls"]

with tempfile.TemporaryDirectory() as folder:
    with tk.Client("key-of-a-count", sys.argv[1], store=f"{folder}/a.db") as client:
        calls(client, 20)  # what is loaded once is loaded, and the key is accepted
        print((calls(client, 600) - calls(client, 100)) / 500)
"""


def test_a_target_of_a_run_takes_fewer_than_120_calls(tmp_path):
    """Of functions of the toolkit, httpx and pydantic, over a real network: each is a part of a run's time."""
    answer = {"audience_type": "b2c", "interests": {"tier1": []}, "status": 200, "credits_used": 1}
    body = tmp_path / "body.json"
    body.write_text(json.dumps(answer), encoding="utf-8")
    stub = Path(__file__).parents[1] / "benchmarks" / "stub_server.py"
    with subprocess.Popen([sys.executable, str(stub), str(body)], stdout=subprocess.PIPE, text=True) as server:
        try:
            base = f"http://127.0.0.1:{int(server.stdout.readline())}"
            counted = subprocess.run(
                [sys.executable, "-c", CALLS, base], capture_output=True, text=True, check=True, env=ENVIRONMENT
            )
        finally:
            server.kill()
    assert float(counted.stdout) < 120
