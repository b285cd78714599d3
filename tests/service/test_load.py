"""The service under load: what one page, one request or one worker can take from the others, and from the machine."""

import asyncio
import json
import os
import pickle
import random
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest
import requests
import uvicorn
from cases import every
from hostile_pages import KINDS, hostile_page
from selectolax.lexbor import LexborHTMLParser

import toolkit as tk
from toolkit.interface.targets import parse_target
from toolkit.service.app import create_app
from toolkit.service.failures import Failure
from toolkit.service.knowledge.arithmetic import one_thread
from toolkit.service.pages.bounds import _before_excess, _trimmed, bounded
from toolkit.service.pages.fetching import Fetched
from toolkit.service.settings import Settings
from toolkit.service.subjects import content
from toolkit.service.subjects.content import score
from toolkit.service.web import borders
from toolkit.service.web.connections import Connection
from toolkit.service.work import threads
from toolkit.service.work.library import Library
from toolkit.service.work.processes import Processes, _Worker
from toolkit.service.work.tasks import Done, Task, perform
from toolkit.service.work.threads import Threads

KEY = "key-of-the-load"
PAGE = "torque-journal.example"
TEXT = "A test drive of the new electric sedan: range, charging, handling on mountain roads, and its price."
CATEGORIES = Task("categories")


def html(source):
    return Fetched("https://kites.example/about", {}, source.encode(), "text/html", "utf-8")


@contextmanager
def running(**values):
    """Run a service as `toolkit serve` does, in a thread; yields its address and the app."""
    app = create_app(Settings(keys=(KEY,), **values))
    server = uvicorn.Server(uvicorn.Config(app, port=0, http=Connection, log_level=60, timeout_graceful_shutdown=3))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until = time.monotonic() + 60
        while not server.started:
            assert thread.is_alive(), "the service does not start"
            assert time.monotonic() < until, "the service does not start"
            time.sleep(0.005)
        yield server.servers[0].sockets[0].getsockname(), app
    finally:
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive()


def base(address):
    return "http://{}:{}".format(*address)


def send(method, address, path, **options):
    headers = {"Authorization": f"Bearer {KEY}"}
    return requests.request(method, f"{base(address)}{path}", headers=headers, timeout=60, **options)


def categorize(address, domain=PAGE):
    return send("GET", address, "/v1/categorize", params={"domain": domain})


def used(address):
    """Tell how many credits are used; itself it costs one."""
    form = {"api_key": KEY, "query": TEXT, "data_type": "text"}
    answer = send("POST", address, "/api/std/std_content_filtering.php", data=form).json()
    return answer["total_credits"] - answer["remaining_credits"]


def answered(address, *pieces):
    """Send pieces over a connection, and return all that comes until it is closed."""
    with socket.create_connection(address, timeout=30) as connection:
        for piece in pieces:
            connection.sendall(piece)
        received = b""
        while piece := connection.recv(65_536):
            received += piece
    return received


# One page -------------------------------------------------------------------------------------------------------------


def test_a_tag_keeps_a_hundred_attributes_whatever_it_has():
    source = f"<div {' '.join(f'a{n}' for n in range(80_000))}>Kites</div>"
    [node] = LexborHTMLParser(bounded(source.encode())).css("div")
    assert (len(node.attributes), node.text()) == (100, "Kites")


HIDDEN = {
    "in a value": '<i v="{} ">x</i>',
    "after a script": '<script>"<i v=\'"</script>{}',
    "in a script that ends in a value": '<script><i v="</script>{}',
    "of an end tag": "<p>x</p {}>",
    "after many that are trimmed too": f"<b {'a ' * 101}>x</b>" * 30 + "{}",
}


@pytest.mark.parametrize("place", HIDDEN)
def test_attributes_cannot_hide_from_the_bound(place):
    names = " ".join(f"a{n}" for n in range(5_000))
    inner = names if place == "of an end tag" else f"<div {names}>Kites</div>"
    tree = LexborHTMLParser(bounded(HIDDEN[place].format(inner).encode()))
    assert max(len(node.attributes) for node in tree.css("*")) <= 101


#: What decides where a tag ends, and how many attributes it has.
SIGNS = (
    *(
        "<",
        "<a",
        "</b",
        "<script>",
        "</script>",
        ">",
        '"',
        "'",
        "=",
        '="',
        "='",
        ' = "',
        '=\x0c"',
        " ",
        "\n",
        "/",
        "x",
        "é",
    ),
    *("“", "\x0b", "\x1f", 'c="d" ', '<i a="', "a" * 60, "a b/", " b=c" * 40, "d='e'" * 50, '=""' * 120),
    *(f"<x {'a ' * number}" for number in (109, 110, 111, 112)),
)


def test_before_the_first_tag_of_too_many_attributes_nothing_is_trimmed():
    rng = random.Random(5)  # noqa: S311 - no secret
    plain = 0
    for _ in range(10_000):
        signs = rng.choices(rng.sample(SIGNS, rng.randint(2, len(SIGNS))), k=rng.choice((3, 10, 40, 200)))
        source = "".join(signs).encode()
        trimmed = _trimmed(source)
        assert _trimmed(source, _before_excess(source)) == trimmed
        plain += trimmed == source
    assert 2_000 < plain < 8_000


def test_what_looks_like_a_tag_in_a_script_costs_the_page_nothing_else():
    source = f"<script>if (a <b {'and c ' * 200}) x()</script><p class=last>Kites</p>"
    assert LexborHTMLParser(bounded(source.encode())).css_first("p.last").text() == "Kites"


@every("kind", KINDS)
def test_no_tag_of_a_hostile_page_has_too_many_attributes(kind):
    tree = LexborHTMLParser(bounded(hostile_page(kind, 100_000).encode()))
    # Those of a second body are added to the first one's: as many as tags may be open.
    most = 6_000 if kind.endswith("again") else 111
    assert max((len(node.attributes) for node in tree.css("*")), default=0) <= most


def test_a_page_keeps_no_more_tags_than_it_may_have():
    assert bounded(b"<p>Kites</p>" * 1_000) == b"<p>Kites</p>" * 1_000
    assert bounded(b"<p>Kites" * 300_000).count(b"<") == 150_000


WORST = """
import resource, sys, time
sys.path.insert(0, sys.argv[1])
from hostile_pages import hostile_page
from toolkit.service.pages.fetching import Fetched
from toolkit.service.work.tasks import Task, perform, prepare
prepare()
spent = resource.getrusage(resource.RUSAGE_SELF)
resource.setrlimit(resource.RLIMIT_CPU, (int(spent.ru_utime + spent.ru_stime) + 60,) * 2)
for kind in sys.argv[2:]:
    source = hostile_page(kind, 1_000_000).encode()
    page = Fetched("https://kites.example/", {}, source, "text/html", "utf-8")
    perform(page, Task("enrichment", ("kites.example", ("company", "technologies", "social"))), time.monotonic() + 1e9)
    print(kind)
"""
#: Each took minutes of processor before it was bounded, or while its bound was built.
QUADRATIC = (
    "attribute names of one tag",
    "attributes of an end tag",
    "attributes of equal signs",
    "nested tables",
    "a table of rows, one wide",
    "data of organisations",
)


def test_no_page_takes_the_square_of_its_size():
    """All of them together get a minute of processor, beyond which the system ends the program."""
    program = [sys.executable, "-c", WORST, str(Path(__file__).parents[1]), *QUADRATIC]
    done = subprocess.run(program, capture_output=True, text=True, check=False, env={**os.environ})
    assert done.stdout.splitlines() == list(QUADRATIC), done.stderr


# The work has an end --------------------------------------------------------------------------------------------------


class Stuck:
    """A page that is read for as long as a test wants."""

    def __init__(self, monkeypatch):
        self.begun, self.end = threading.Semaphore(0), threading.Event()
        monkeypatch.setattr(threads, "perform", self.perform)

    def perform(self, source, task, until):
        if source == "stuck":
            self.begun.release()
            assert self.end.wait(60)
        return perform(source, task, until)


@pytest.fixture
def stuck(monkeypatch):
    stuck = Stuck(monkeypatch)
    yield stuck
    stuck.end.set()
    for thread in list(threads._running):
        thread.join()


def test_threads_answer_others_while_pages_are_stuck(stuck):
    async def ask():
        workers = Threads(0.2)
        await workers.start()
        many = await asyncio.gather(*(workers.perform("stuck", CATEGORIES) for _ in range(9)), return_exceptions=True)
        return many, await workers.perform(TEXT, CATEGORIES)

    many, last = asyncio.run(ask())
    assert [error.status for error in many] == [410] * 9
    assert json.loads(last.body)["categories"]


def test_a_work_that_nobody_waits_for_ends_at_its_next_step():
    with pytest.raises(Failure) as caught:
        perform(TEXT, CATEGORIES, time.monotonic() - 1)
    assert caught.value.status == 410


def test_a_client_closes_while_a_page_is_stuck(stuck):
    client = tk.Client()

    def ask():
        with suppress(tk.ToolkitError):
            client.categorize_content(text="stuck")

    threading.Thread(target=ask, daemon=True).start()
    assert stuck.begun.acquire(timeout=60)
    closing = threading.Thread(target=client.close, daemon=True)
    closing.start()
    closing.join(60)
    assert not closing.is_alive()


@contextmanager
def processes(number, seconds):
    workers = Processes(number, seconds)
    asyncio.run(workers.start())
    try:
        yield workers
    finally:
        asyncio.run(workers.close())


def pids(workers):
    return {worker._process.pid for worker in workers._workers}


def test_a_worker_that_takes_too_long_is_ended_and_another_takes_its_place():
    with processes(1, 1.0) as workers:
        [first] = pids(workers)
        os.kill(first, signal.SIGSTOP)
        with pytest.raises(Failure) as caught:
            asyncio.run(workers.perform(TEXT, CATEGORIES))
        assert caught.value.status == 410
        assert json.loads(asyncio.run(workers.perform(TEXT, CATEGORIES)).body)["categories"]
        assert first not in pids(workers)


def test_a_worker_that_reads_much_is_replaced_before_it_has_taken_much():
    with processes(1, 60.0) as workers:
        [first] = pids(workers)
        large = html(f"<p>{TEXT * 3}</p><script>{'x' * 2_990_000}</script>")
        for _ in range(20):
            asyncio.run(workers.perform(large, CATEGORIES))
        assert first not in pids(workers)


@pytest.fixture(scope="module")
def served():
    with running(workers=1) as (address, app):
        yield address, app.state.service


ALL = [Task("structured", ("kites",)), Task("legacy", ("kites",)), Task("content", (True,)), CATEGORIES]


def test_workers_answer_as_threads_do():
    page = html(f"<title>Sedans</title><main><p>{TEXT * 5}</p></main>")
    with processes(1, 60.0) as workers:
        for task in ALL:
            theirs = asyncio.run(workers.perform(page, task))
            assert theirs.body == asyncio.run(Threads(60).perform(page, task)).body
            assert theirs.body == asyncio.run(workers.perform(theirs.reading, task)).body


@pytest.mark.parametrize(("kills", "status"), [(1, 200), (2, 500)])
def test_a_page_is_given_to_another_worker_once_and_is_charged_once_if_at_all(served, monkeypatch, kills, status):
    address, _ = served
    domain = ("vinyl-attic.example", "azure-cove-resort.example")[kills - 1]
    wait_ready, left = _Worker.wait_ready, [None] * kills

    def killed(worker):
        wait_ready(worker)
        if left:
            left.pop()
            os.kill(worker._process.pid, signal.SIGKILL)
            worker._process.join()

    before = used(address)
    monkeypatch.setattr(_Worker, "wait_ready", killed)
    answer = categorize(address, domain=domain)
    assert (answer.status_code, answer.json()["meta"]["credits_used"]) == (status, int(status == 200))
    assert categorize(address, domain=domain).status_code == 200
    assert used(address) == before + 2 + int(status == 200)


def test_others_are_answered_while_a_page_waits_for_its_worker(served):
    address, service = served
    [pid] = pids(service.library._workers)
    os.kill(pid, signal.SIGSTOP)
    answers = []
    asking = threading.Thread(target=lambda: answers.append(categorize(address, domain="agrifields-coop.example")))
    asking.start()
    while service.library._workers._places.borrowed_tokens == 0:
        time.sleep(0.01)
    assert send("GET", address, "/api/audience/filters.php").status_code == 200
    assert send("GET", address, "/nothing").status_code == 404
    os.kill(pid, signal.SIGKILL)
    asking.join()
    assert answers[0].status_code == 200


def test_what_is_kept_is_answered_without_a_worker(served):
    address, service = served
    first = categorize(address).json()["categories"]
    [pid] = pids(service.library._workers)
    os.kill(pid, signal.SIGSTOP)
    try:
        assert categorize(address).json()["categories"] == first
    finally:
        os.kill(pid, signal.SIGCONT)


# The start ------------------------------------------------------------------------------------------------------------

FIRSTS = """
import threading
import safetensors.numpy, numpy, toolkit as tk
loads = []
whole, arrays = safetensors.numpy.load_file, numpy.load
safetensors.numpy.load_file = lambda *a: loads.append("model") or whole(*a)
numpy.load = lambda *a, **b: loads.append("arrays") or arrays(*a, **b)
with tk.Client() as client:
    texts = [f"A test drive of the new electric sedan number {n}: range, charging, handling." for n in range(40)]
    asking = [threading.Thread(target=client.categorize_content, kwargs={"text": text}) for text in texts]
    [one.start() for one in asking], [one.join() for one in asking]
print(loads.count("model"), loads.count("arrays"))
"""


def test_forty_first_requests_at_once_load_the_model_once():
    done = subprocess.run([sys.executable, "-c", FIRSTS], capture_output=True, text=True, check=True)
    # A text's categories need two of the four matchers, what tells siblings and kinds of pages apart, and the examples,
    # the codes of its readers the other matchers; each file is read once.
    assert done.stdout.split() == ["1", "5"]


# The arithmetic -------------------------------------------------------------------------------------------------------


def blas_threads():
    from threadpoolctl import threadpool_info

    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


@pytest.fixture
def three_threads():
    from threadpoolctl import threadpool_limits

    [before] = blas_threads()
    for number in (3, before):
        # In a thread that ends: as long as one lives that has set the number, no other can.
        setting = threading.Thread(target=threadpool_limits, kwargs={"limits": number, "user_api": "blas"})
        setting.start()
        setting.join()
        if number == 3:
            yield


@pytest.mark.usefixtures("three_threads")
def test_a_page_is_computed_with_one_thread_and_the_users_number_comes_back(monkeypatch):
    seen = []
    monkeypatch.setattr(threads, "perform", lambda *_: seen.append(blas_threads()) or Done(b"{}", b""))
    asyncio.run(Threads(60).perform(TEXT, CATEGORIES))
    assert (seen, blas_threads()) == ([{1}], {3})


@pytest.mark.usefixtures("three_threads")
def test_texts_are_scored_with_one_thread(monkeypatch):
    from toolkit.service.knowledge.matching import Matcher

    seen, whole = [], Matcher.score
    monkeypatch.setattr(Matcher, "score", lambda *a: seen.append(blas_threads()) or whole(*a))
    ids, scores = score([TEXT] * 3)
    assert (seen, blas_threads(), scores.shape) == ([{1}], {3}, (3, len(ids)))
    assert np.isfinite(scores).all()


@pytest.mark.usefixtures("three_threads")
def test_the_number_of_threads_comes_back_with_the_last_of_several_that_compute():
    first, second = one_thread(), one_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert blas_threads() == {1}
    second.__exit__(None, None, None)
    assert blas_threads() == {3}


# What is kept ---------------------------------------------------------------------------------------------------------


class Pages:
    """Fetches and reads pages of a megabyte that do not exist."""

    def __init__(self):
        self.performed = 0

    async def fetch(self, target):
        return html(target.url)

    async def perform(self, source, task):
        self.performed += 1
        return Done(b"{}", bytes(1_000_000))


def test_pages_are_kept_up_to_so_many_bytes():
    pages = Pages()
    library = Library(pages, pages)

    async def ask():
        for number in range(200):
            await library.answer(parse_target(f"kites.example/{number}"), CATEGORIES)
        await library.answer(parse_target("kites.example/199"), CATEGORIES)
        assert pages.performed == 200
        await library.answer(parse_target("kites.example/0"), CATEGORIES)

    asyncio.run(ask())
    assert pages.performed == 201
    assert sum(map(len, library._kept.values())) <= 64_000_000


def test_nothing_is_kept_of_a_pages_source():
    page = html(f"<p>{TEXT * 3}</p><script>var marked = 'in the source alone'</script><!-- {'x' * 500_000} -->")
    kept = perform(page, CATEGORIES, time.monotonic() + 60).reading
    assert b"in the source alone" not in kept
    assert len(kept) < 10_000
    assert pickle.loads(kept).content.v3


# Requests -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch):
    """A service that waits for nobody for long."""
    monkeypatch.setattr(borders, "BODY_SECONDS", 0.3)
    monkeypatch.setattr(Connection, "seconds", 1.0)
    monkeypatch.setattr(Connection, "most", 3)
    with running() as (address, _):
        yield address


POST = b"POST /api/std/std_content_filtering.php HTTP/1.1\r\nhost: a\r\n"
FORM = b"content-type: application/x-www-form-urlencoded\r\n"


def test_a_body_that_drips_is_answered_with_408_and_the_connection_closed(quick):
    received = answered(quick, POST, FORM, b"content-length: 100\r\n\r\n", b"api_key=")
    assert received.startswith(b"HTTP/1.1 408 ")
    assert json.loads(received.partition(b"\r\n\r\n")[2])["status"] == 408


@pytest.mark.parametrize("sent", [b"", b"GET /noth", b"GET /nothing HTTP/1.1\r\nhost: a\r\nx: "])
def test_a_connection_that_asks_nothing_is_closed(quick, sent):
    assert answered(quick, sent) == b""


def test_a_body_that_nobody_reads_does_not_hold_its_connection(quick):
    received = answered(quick, b"POST /nothing HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nx")
    assert received.startswith(b"HTTP/1.1 404 ")


def test_a_connection_too_many_is_told_so_and_those_before_it_are_answered(quick):
    ask = b"GET /api/audience/filters.php HTTP/1.1\r\nhost: a\r\n"
    with socket.create_connection(quick) as one, socket.create_connection(quick), socket.create_connection(quick):
        one.sendall(ask)
        with socket.create_connection(quick, timeout=30) as late:
            late.sendall(ask)
            received = late.recv(65_536)
            # It is not taken back by what is sent after it.
            late.sendall(b"accept: */*\r\n")
            late.sendall(b"\r\n")
            assert late.recv(65_536) == b""
        assert received.startswith(b"HTTP/1.1 503 ")
        assert json.loads(received.partition(b"\r\n\r\n")[2])["status"] == 503
        one.sendall(b"\r\n")
        assert one.recv(12) == b"HTTP/1.1 200"


def test_a_length_beside_chunks_is_refused(quick):
    both = b"content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
    received = answered(quick, POST, FORM, both + b"GET /api/audience/filters.php HTTP/1.1\r\nhost: a\r\n\r\n")
    assert received.startswith(b"HTTP/1.1 400 ")
    # What follows in the connection is not taken for another request.
    assert received.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize("path", ["/v1/categorize", "/v1/enrich"])
def test_to_ask_for_the_head_of_an_answer_costs_nothing(served, path):
    address, _ = served
    before = used(address)
    response = send("HEAD", address, path, params={"domain": PAGE})
    assert (response.status_code, response.headers["allow"], response.content) == (405, "GET", b"")
    assert used(address) == before + 1


def test_the_head_of_what_is_free_is_given(served):
    address, _ = served
    assert send("HEAD", address, "/api/audience/filters.php").status_code == 200


# The end --------------------------------------------------------------------------------------------------------------


def test_a_service_that_is_ended_says_so_to_whoever_waits_and_ends_whatever_is_under_way(start, raw_server):
    """A page that never comes, a body that is never sent, and connections that ask nothing."""
    site = raw_server(b"HTTP/1.1 200 OK\r\n", 60)
    served = start("--key", KEY, "--allow-private", "--workers", "2")
    host, _, port = served.base.removeprefix("http://").rpartition(":")
    address = (host, int(port))
    body = f"api_key={KEY}&data_type=url&query={site.url}".encode()
    waiting, dripping, silent = (socket.create_connection(address, timeout=60) for _ in range(3))
    with waiting, dripping, silent:
        waiting.sendall(POST + FORM + b"content-length: %d\r\n\r\n%s" % (len(body), body))
        dripping.sendall(POST + FORM + b"content-length: 100\r\n\r\napi")
        while not site.requests:
            time.sleep(0.01)
        served.process.send_signal(signal.SIGTERM)
        received = waiting.recv(65_536)
        assert received.startswith(b"HTTP/1.1 503 ")
        served.process.wait(60)
    out, said = served.stop()
    assert (out, "Traceback" in said) == ("", False)


def limit_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (300, 300))


def test_connections_leave_files_for_what_else_is_to_be_opened():
    program = "from toolkit.service.web.connections import Connection; print(Connection.most)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, preexec_fn=limit_files
    )
    assert done.stdout.strip() == "100"


def test_of_a_page_only_what_an_answer_holds_is_found_and_what_is_found_is_kept(monkeypatch):
    versions = []
    found = content.confidences
    monkeypatch.setattr(content, "confidences", lambda page, version: versions.append(version) or found(page, version))
    first = perform(TEXT, Task("categories"), time.monotonic() + 60)
    assert versions == ["content-v3"]
    again = perform(first.reading, Task("categories"), time.monotonic() + 60)
    assert (again.body, again.reading, versions) == (first.body, b"", ["content-v3"])
    whole = json.loads(perform(first.reading, Task("content", (False,)), time.monotonic() + 60).body)
    assert set(versions) == {"content-v3", "content-v2"}
    assert all(whole[name] for name in ("std_taxonomy", "std_taxonomy_version2", "filtering_taxonomy"))
