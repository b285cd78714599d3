"""Runs survive the end of their process at any moment, and a service that fails: nothing is lost, or paid for twice."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from paying import PaidServer

import toolkit as tk

HERE = Path(__file__).parents[1]
KEY = "survival-key-71c09"
#: A parent that has everything loaded, so that a child begins at once: it forks one for each line that it is sent.
PARENT = """
import os, sys
import toolkit as tk
import toolkit.run, toolkit.frames.readers, toolkit.net.aiohttp
base, store, key, number, concurrency = sys.argv[1:]
targets = [f"site-{n}.example" for n in range(int(number))]
print("ready", flush=True)
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        with tk.Client(key, base) as client:
            client.run(targets, "segment", concurrency=int(concurrency), store=store).start(progress=False)
        os._exit(0)
    print(child, flush=True)
    _, status = os.waitpid(child, 0)
    print("ended", os.waitstatus_to_exitcode(status), flush=True)
"""


@pytest.fixture
def paid():
    """Start servers that charge."""
    started = []

    def start(*arguments):
        started.append(PaidServer(*arguments))
        return started[-1]

    yield start
    for server in started:
        server.stop()


def test_a_run_that_is_killed_again_and_again_ends_complete_and_sends_only_what_was_open_twice(paid, tmp_path):
    number, concurrency, kills = 1_200, 20, 10
    server, store, chance = paid("", 0.02), tmp_path / "run.db", random.Random(4)  # noqa: S311 - moments, no secrets
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, server.base, str(store), KEY, str(number), str(concurrency)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(HERE.parent)},
    )
    try:
        assert parent.stdout.readline() == "ready\n"

        def begin():
            parent.stdin.write("\n")
            parent.stdin.flush()
            return int(parent.stdout.readline())

        killed = 0
        while killed < kills:
            before, child = server.asked.total(), begin()
            # At any moment: while it reads its inputs or plans, and while it sends and writes.
            more = chance.randrange(1, 120) if killed % 2 else 0
            until = time.monotonic() + (10 if more else chance.uniform(0.0, 0.2))
            while time.monotonic() < until and not (more and server.asked.total() >= before + more):
                time.sleep(0.002)
            os.kill(child, signal.SIGKILL)
            ended = parent.stdout.readline().split()
            killed += ended[1] == str(-signal.SIGKILL)
            if ended[1] == "0":
                break
        begin()
        assert parent.stdout.readline() == "ended 0\n"
    finally:
        parent.kill()
        parent.communicate()
    targets = [f"site-{n}.example" for n in range(number)]
    asked = server.asked
    assert killed == kills
    assert set(asked) == set(targets)
    assert asked.total() <= number + kills * concurrency
    assert asked.total() > number  # some of the kills met open requests, or this test shows nothing
    with tk.Client(KEY, server.base) as client, client.run(targets, "segment", store=store) as run:
        assert [answer.answer.url for answer in run.results()] == targets
        assert run.plan().to_send == 0
    assert server.asked == asked


def test_under_faults_every_target_is_answered_or_an_honest_failure_and_the_budget_is_kept(paid, tmp_path):
    number, budget = 2_000, 600
    faults = "429=0.05:0,500=0.05,reset=0.03,slow=0.03:0.02,malformed=0.02,truncated=0.02,seed=1"
    server = paid(faults)
    targets = [f"site-{n}.example" for n in range(number)]
    retries = tk.Retries(first_wait=0.01, longest_wait=0.05)
    with tk.Client(KEY, server.base, retries=retries) as client:
        limited = client.run(targets, "segment", budget=budget, store=tmp_path / "run.db")
        limited.start(progress=False)
        assert limited.progress.state == "stopped"
        assert limited.progress.reason == "the budget is used up"
        assert budget * 0.8 < server.asked.total() <= budget
        assert limited.progress.credits_used <= budget
        run = client.run(targets, "segment", store=tmp_path / "run.db")
        assert run.plan().resumed
        run.start(progress=False)
        assert run.progress.state == "finished"
        assert run.progress.done == number
        assert run.progress.slowed
        sites, failures = run.audiences(), run.failures()
    assert sites["target"].tolist() == targets
    assert len(sites) == number
    assert (sites["status"] == 200).sum() + len(failures) == number
    assert len(failures) < 0.02 * number
    assert failures["error"].notna().all()
    # Each answer is its own target's: nothing was mixed up.
    with tk.Client(KEY, server.base) as client, client.run(targets, "segment", store=tmp_path / "run.db") as again:
        answered = [outcome for outcome in again.results() if outcome.answer]
        assert all(outcome.answer.url == outcome.target for outcome in answered)


def test_no_more_requests_are_open_than_are_allowed(paid):
    server = paid("", 0.01)
    with tk.Client(KEY, server.base) as client, client.run([f"a{n}.example" for n in range(400)], concurrency=7) as run:
        run.start(progress=False)
    assert server.counted()["most_open"] <= 7
