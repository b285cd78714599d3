"""Ends: of programs that close nothing, of forked children, of loops that are interrupted; and what is printed then."""

import logging
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from networks import AUTHORITY, Service

TESTS = Path(__file__).parents[1]
posix = pytest.mark.skipif(os.name == "nt", reason="forks and signals of POSIX")


@pytest.fixture
def service(request):
    service = Service(getattr(request, "param", None))
    yield service
    service.close()


def ended(program, *arguments, seconds=60):
    """Run a program to its end, and return its exit status and what it printed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS.parent), str(TESTS)])}
    command = [sys.executable, "-c", program, *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=seconds, check=False)
    return done.returncode, done.stdout, done.stderr


# What is not closed -------------------------------------------------------------------------------------------------

UNCLOSED = """
import asyncio, os, signal, sys
import toolkit as tk
url, authority, end = sys.argv[1:]
options = {"v1_base_url": url, "v1_api_key": "k12345678", "verify": authority}

def forgotten():
    for _ in range(3):
        tk.Client(**options).categorize("a.example")

async def asynchronous():
    global kept
    kept = tk.AsyncClient(**options)
    await kept.categorize("a.example")

forgotten()
asyncio.run(asynchronous())
loop = asyncio.new_event_loop()
loop.run_until_complete(asynchronous())
if end != "open loop":
    loop.close()
client = tk.Client(**options)
client.ask([f"site-{n}.example" for n in range(60)], "categorize")
print("done", flush=True)
if end == "exit":
    sys.exit(3)
if end == "interrupt":
    os.kill(os.getpid(), signal.SIGINT)
if end == "error":
    raise SystemExit("words")
"""


@posix
@pytest.mark.parametrize(
    ("service", "end", "status", "printed"),
    [
        (None, "", 0, ""),
        ("good", "", 0, ""),
        (None, "open loop", 0, ""),
        (None, "exit", 3, ""),
        ("good", "error", 1, "words"),
        ("good", "interrupt", -signal.SIGINT, None),
    ],
    indirect=["service"],
)
def test_a_program_that_closes_nothing_prints_nothing(service, end, status, printed):
    code, said, told = ended(UNCLOSED, service.url, AUTHORITY, end)
    assert (code, said) == (status, "done\n")
    if printed is None:  # Python's own words for an interrupt
        assert told.splitlines()[-1] == "KeyboardInterrupt"
        assert "Unclosed" not in told
        assert told.count("Traceback") == 1
    else:
        assert told.strip() == printed


# Forks --------------------------------------------------------------------------------------------------------------

FORKING = """
import gc, multiprocessing, os, signal, sys, tempfile
import toolkit as tk
name, url, authority, *kinds = sys.argv[1:]

def remote():
    client = tk.Client(v1_base_url=url, v1_api_key="k12345678", verify=authority, timeout=10)
    return client, client, lambda: client.categorize("a.example").domain

def embedded():
    client = tk.Client(store=tempfile.mkdtemp() + "/answers.db")
    return client, client, lambda: client.with_options(refresh=True).segment("ledgerline.example").url

def running():
    client = tk.Client()
    run = client.run(["ledgerline.example"])
    return client, run, lambda: len(run.start(progress=False).audiences())

def in_child(kind, open_, ask):
    signal.alarm(20)  # a child that hangs says so by its status
    if kind in ("asks", "asks and closes", "asks and forgets"):
        ask()
    if "closes" in kind:
        open_.close()
    if "forgets" in kind:
        return
    sys.exit(0)

client, open_, ask = globals()[name]()
first = ask()
for kind in kinds:
    child = os.fork()
    if child == 0:
        in_child(kind, open_, ask)
        client = open_ = ask = None
        gc.collect()
        sys.exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    signal.alarm(20)
    assert ask() == first
    signal.alarm(0)
    print(kind, status)
process = multiprocessing.get_context("fork").Process(target=ask)
process.start()
process.join(20)
assert ask() == first
print("process", process.exitcode)
"""
KINDS = ("ends", "closes", "forgets", "asks", "asks and closes", "asks and forgets")


@posix
@pytest.mark.parametrize("service", [None, "good"], ids=["plain", "tls"], indirect=True)
def test_a_forked_child_leaves_its_parents_connections_alone(service):
    code, said, told = ended(FORKING, "remote", service.url, AUTHORITY, *KINDS)
    assert (code, told) == (0, "")
    assert said.splitlines() == [f"{kind} 0" for kind in (*KINDS, "process")]
    # One of the parent, for all of its requests, and one for each child that asked.
    assert service.connections == 1 + 4


@posix
@pytest.mark.parametrize("place", ["embedded", "running"])
def test_a_forked_child_leaves_its_parents_service_and_files_alone(place):
    kinds = ("closes", "forgets", "asks and closes")
    code, said, told = ended(FORKING, place, "", "", *kinds)
    assert (code, told) == (0, "")
    assert said.splitlines() == [f"{kind} 0" for kind in (*kinds, "process")]


# Interrupts ---------------------------------------------------------------------------------------------------------

LOOP = """
import os, signal, sys, threading, time
import httpx, toolkit as tk
asked = []

def answer(request):
    asked.append(request.url.params["domain"])
    if len(asked) == 30:
        os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)
    return httpx.Response(200, json={"domain": asked[-1], "categories": [], "credits_used": 1})

options = {"v1_base_url": "https://a.example", "v1_api_key": "k12345678", "transport": httpx.MockTransport(answer)}
client = tk.Client(**options, store=sys.argv[1])
lists = [[f"site-{number}-{n}.example" for n in range(20)] for number in range(10)]
begun = []
try:
    for sites in lists:
        begun.append(client.run(sites, "categorize", concurrency=2))
        begun[-1].start(progress=False)
except KeyboardInterrupt as error:
    print(len(begun), error.run is begun[-1], sum(run.progress.answered for run in begun) == len(asked) < 60)
for sites in lists:
    client.ask(sites, "categorize")
print(len(asked), len(set(asked)))
raise KeyboardInterrupt
"""


@posix
def test_ctrl_c_leaves_a_loop_over_runs_and_loses_nothing_that_was_paid(tmp_path):
    code, said, told = ended(LOOP, tmp_path / "answers.db")
    assert said.splitlines() == ["2 True True", "200 200"]
    assert (code, told.splitlines()[-1]) == (-signal.SIGINT, "KeyboardInterrupt")


# What retries say ---------------------------------------------------------------------------------------------------

RETRYING = """
import sys
import httpx, toolkit as tk
replies = iter([429, 503, 408, 200])
reply = lambda _: httpx.Response(next(replies), json={"domain": "a.example", "categories": []})
options = {"v1_base_url": "https://a.example", "v1_api_key": "k12345678", "transport": httpx.MockTransport(reply)}
if len(sys.argv) > 1:
    import logging
    logging.basicConfig(format="%(name)s %(levelname)s %(message)s")
tk.Client(**options, retries=tk.Retries(first_wait=0.0)).categorize("a.example")
"""


def test_retries_print_nothing_where_no_logging_is_set_up():
    assert ended(RETRYING) == (0, "", "")


def test_retries_are_told_where_logging_is_set_up():
    code, said, told = ended(RETRYING, "logging")
    assert (code, said) == (0, "")
    first, *others = told.splitlines()
    assert first.startswith("toolkit WARNING categorize for a.example answered 429. ")
    assert first.endswith("Trying again in 0.0 s (attempt 2).")
    assert len(others) == 2


def test_the_logger_is_the_toolkits_and_shows_no_key(stub, caplog):
    stub.reply(429, {"error": f"slow down, {stub.v1_key}"}).reply(200, {"domain": "a.example", "categories": []})
    with caplog.at_level(logging.DEBUG), stub.client() as client:
        client.categorize("a.example")
    assert [record.name for record in caplog.records if record.levelno >= logging.INFO] == ["toolkit"]
    assert stub.v1_key not in caplog.text
