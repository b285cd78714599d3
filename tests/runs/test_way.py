"""How far it is from asking about one URL to its first request: how often control changes file on the way."""

import sys
import threading
from pathlib import Path

import toolkit as tk
from toolkit.net.blocking import run_blocking

ROOT = Path(tk.__file__).parent
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

    client.run([TARGET]).start(progress=False).close()  # what is loaded once is loaded
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
