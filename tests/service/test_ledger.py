"""The service's database: batch jobs, deliveries and accounts across restarts and SIGKILL at any moment."""

import asyncio
import hashlib
import itertools
import json
import os
import queue
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
import requests

from toolkit.interface.errors import ConfigurationError
from toolkit.interface.signatures import is_signed
from toolkit.service.accounts.ledger import Ledger
from toolkit.service.accounts.records import Batch, Delivery, Submission, Usage
from toolkit.service.app import create_app
from toolkit.service.samples import sample_sites
from toolkit.service.settings import Settings

KEY, OTHER = "key-of-the-ledger-5a7c", "another-key-91e0"
SECRET = "a secret of the webhook"
PAGE = "torque-journal.example"
HOSTS = [site.host for site in sample_sites()]
QUICK = 20

# Forks a service a line, so that a start takes a fraction of a second. A service can be told to kill itself when a
# method of its ledger is called for the n-th time, before or after the call.
NURSERY = """
import json, os, signal, sys, traceback
import aiohttp, httpx_aiohttp, uvicorn, uvicorn.lifespan.on, uvicorn.protocols.http.auto
from toolkit.service.app import create_app
from toolkit.service.accounts.ledger import Ledger
from toolkit.service.settings import Settings
from toolkit.service.work.tasks import prepare

prepare()  # loads all that an answer needs, which each service would else load again

class Server(uvicorn.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        print(json.dumps([os.getpid(), self.servers[0].sockets[0].getsockname()[1]]), flush=True)

def die_in(method, call, moment):
    whole, calls = getattr(Ledger, method), 0
    def deadly(*arguments, **named):
        nonlocal calls
        calls += 1
        if calls == call and moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        found = whole(*arguments, **named)
        if calls == call:
            os.kill(os.getpid(), signal.SIGKILL)
        return found
    setattr(Ledger, method, deadly)

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    port, values, death = json.loads(line)
    if os.fork() == 0:
        os.close(0)
        if death:
            die_in(*death)
        try:
            Server(uvicorn.Config(create_app(Settings(**values)), port=port, log_level=60, access_log=False)).run()
        except Exception:
            print(json.dumps([traceback.format_exc(), 0]), flush=True)
        os._exit(0)
"""


class Service:
    """A service on a database and a port of its own, which can be killed and started again."""

    def __init__(self, nursery, database, values):
        self._nursery = nursery
        self._values = {"keys": [KEY], "allow_private": True, "database": str(database), **values}
        self.database = database
        self.port = 0
        self.pid = None

    def start(self, *death, **changes):
        values = {**self._values, **changes}
        self._nursery.stdin.write(json.dumps([self.port, values, death]) + "\n")
        self._nursery.stdin.flush()
        told, port = json.loads(self._nursery.stdout.readline())
        assert port, told
        self.pid, self.port = told, port
        self.base = f"http://127.0.0.1:{self.port}"
        return self

    def end(self, number=signal.SIGKILL):
        if self.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)
            self.await_end()
        return self

    def await_end(self):
        try:
            eventually(lambda: not is_alive(self.pid))
        finally:
            if is_alive(self.pid):
                os.kill(self.pid, signal.SIGKILL)
        self.pid = None

    def submit(self, domains, key=KEY, mark="", **more):
        headers = {"Authorization": f"Bearer {key}", **({"Idempotency-Key": mark} if mark else {})}
        response = requests.post(
            f"{self.base}/v1/batch", json={"domains": domains, **more}, headers=headers, timeout=QUICK
        )
        assert response.status_code == 200, response.text
        return response.json()

    def results(self, batch_id, key=KEY):
        headers = {"Authorization": f"Bearer {key}"}
        return requests.get(f"{self.base}/v1/batch/{batch_id}/results", headers=headers, timeout=QUICK)

    def finished(self, batch_id):
        """Wait until a batch is finished and return its results."""

        def found():
            body = self.results(batch_id).json()
            return body if body["state"] != "processing" else None

        return eventually(found)

    def content(self, text="Charging an electric sedan on mountain roads: range, handling and price."):
        form = {"api_key": KEY, "data_type": "text", "query": text}
        return requests.post(f"{self.base}/api/std/std_content_filtering.php", data=form, timeout=QUICK).json()

    def rows(self, question, *values):
        """Read the database from outside, whether or not the service runs."""
        with closing(sqlite3.connect(self.database, timeout=QUICK)) as connection:
            return connection.execute(question, values).fetchall()

    def deliveries(self):
        return self.rows("SELECT state, attempts, length(body), secret FROM deliveries ORDER BY number")


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def eventually(found):
    """Return what is found once it is something."""
    deadline = time.monotonic() + QUICK
    while not (value := found()):
        assert time.monotonic() < deadline, "it does not come about"
        time.sleep(0.02)
    return value


@pytest.fixture(scope="module")
def nursery():
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TOOLKIT_")}
    # The model is loaded before the forks, which no thread survives.
    environment |= {"TOKENIZERS_PARALLELISM": "false", "OPENBLAS_NUM_THREADS": "1"}
    environment["PYTHONPATH"] = str(Path(__file__).parents[2])
    process = subprocess.Popen(
        [sys.executable, "-c", NURSERY], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        yield process
        process.stdin.close()


@pytest.fixture
def service(nursery, tmp_path):
    """Make a service; it is killed at the end."""
    made = []

    def make(**values):
        made.append(Service(nursery, tmp_path / "service.db", values))
        return made[-1]

    yield make
    for one in made:
        one.end()


class Gate:
    """A web site and receiver on loopback that answers nobody until it is opened."""

    def __init__(self):
        self.opened = threading.Event()
        self.pages, self.deliveries = queue.Queue(), queue.Queue()
        gate = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                gate.pages.put(self.path)
                self._answer(b"<title>Bread</title><p>" + b"Bake sourdough bread at home with flour and water. " * 9)

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                gate.deliveries.put((self.path, self.headers, body))
                self._answer(b"")

            def _answer(self, body):
                gate.opened.wait(QUICK)
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_):
                pass  # who was to be answered has been killed

        self._server = Server(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self._server.server_port}"
        self.url = f"http://{self.host}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def close(self):
        self.opened.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def gate():
    gate = Gate()
    yield gate
    gate.close()


def name_of(body):
    return json.loads(body)["webhook_id"]


def is_right(headers, body, secret=SECRET):
    return is_signed([secret], headers["X-Webhook-Timestamp"], body, headers["X-Webhook-Signature"])


def is_silent(receiver, seconds=0.3):
    try:
        receiver.next(seconds)
    except queue.Empty:
        return True
    return False


# Deliveries ----------------------------------------------------------------------------------------------------------


def hook(receiver, path=""):
    return {"webhook_url": f"{receiver.url}{path}", "webhook_secret": SECRET}


def test_a_delivery_that_no_attempt_was_made_of_is_made_after_the_restart(service, receiver):
    served = service(webhook_delays=[0.4]).start()
    batch = served.submit(["no-dot"], **hook(receiver, "/mine"))
    served.finished(batch["batch_id"])
    served.end().start()
    path, headers, body = receiver.next()
    payload = json.loads(body)
    assert (path, payload["event"], payload["data"]["batch_id"]) == ("/mine", "batch.completed", batch["batch_id"])
    assert is_right(headers, body)


def test_an_attempt_after_the_restart_has_the_same_bytes_and_a_fresh_signature(service, receiver):
    receiver.statuses = [503]
    served = service(webhook_delays=[0, 1.1]).start()
    served.submit(["no-dot"], **hook(receiver))
    _, first_headers, first = receiver.next()
    eventually(lambda: served.deliveries()[0][1] == 1)
    served.end().start()
    _, headers, second = receiver.next()
    assert second == first
    assert int(headers["X-Webhook-Timestamp"]) > int(first_headers["X-Webhook-Timestamp"])
    assert is_right(first_headers, first)
    assert is_right(headers, second)


def test_an_attempt_that_the_kill_interrupted_is_made_again_as_the_same(service, gate):
    served = service(webhook_delays=[0, 30]).start()
    served.submit(["no-dot"], **hook(gate))
    _, _, first = gate.deliveries.get(timeout=QUICK)
    served.end()
    gate.opened.set()
    served.start()
    _, headers, second = gate.deliveries.get(timeout=QUICK)
    assert second == first
    assert is_right(headers, second)


def test_what_was_delivered_is_not_sent_again_after_a_restart(service, receiver):
    served = service(webhook_delays=[0, 0.05]).start()
    served.submit(["no-dot"], **hook(receiver))
    receiver.next()
    eventually(lambda: served.deliveries()[0][0] == "delivered")
    served.end().start()
    assert is_silent(receiver)


def test_attempts_are_counted_across_restarts_and_given_up_after_the_last(service, receiver):
    receiver.statuses = [500] * 10
    served = service(webhook_delays=[0, 0.15, 0.15]).start()
    served.submit(["no-dot"], **hook(receiver))
    for made in (1, 2):
        receiver.next()
        eventually(lambda made=made: served.deliveries()[0][1] == made)
        served.end().start()
    receiver.next()
    assert eventually(lambda: [row for row in served.deliveries() if row[0] == "given_up"]) == [("given_up", 3, 0, "")]
    served.end().start()
    assert is_silent(receiver)


def test_a_delivery_waits_for_its_time_though_the_service_was_restarted(service, receiver):
    receiver.statuses = [500]
    served = service(webhook_delays=[0, 60]).start()
    served.submit(["no-dot"], **hook(receiver))
    receiver.next()
    eventually(lambda: served.deliveries()[0][1] == 1)
    served.end().start()
    assert is_silent(receiver)
    assert served.deliveries()[0][:2] == ("pending", 1)


def test_an_attempt_that_is_no_longer_allowed_is_given_up(service, receiver):
    receiver.statuses = [500]
    served = service(webhook_delays=[0, 60]).start()
    served.submit(["no-dot"], **hook(receiver))
    receiver.next()
    eventually(lambda: served.deliveries()[0][1] == 1)
    served.end().start(webhook_delays=[0])
    assert eventually(lambda: served.deliveries()[0][0] != "pending")
    assert served.deliveries()[0][0] == "given_up"


def test_an_address_that_is_private_gets_nothing_once_private_addresses_are_closed(service, receiver):
    served = service(webhook_delays=[0.4]).start()
    served.finished(served.submit(["no-dot"], **hook(receiver))["batch_id"])
    served.end().start(allow_private=False)
    assert eventually(lambda: served.deliveries()[0][0] == "given_up")
    assert is_silent(receiver, 0.05)


def test_an_answer_that_never_ends_does_not_keep_a_delivery(service, raw_server):
    dripping = raw_server(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nx", 30)
    served = service(webhook_delays=[0, 30]).start()
    served.submit(["no-dot"], webhook_url=f"{dripping.url}/")
    assert eventually(lambda: [row for row in served.deliveries() if row[0] == "delivered"])


def test_no_delivery_is_lost_or_made_another_by_kills_at_random_moments(service, receiver):
    chance = random.Random(7)  # noqa: S311 - no secret comes of it
    receiver.statuses = [chance.choice([200, 500, 302]) for _ in range(40)]
    served = service(webhook_delays=[0, 0.05] + [0.02] * 60).start()
    ids = []
    for number in range(24):
        ids.append(served.submit(["no-dot"], **hook(receiver, f"/{number}"))["batch_id"])
        if number % 3 == 2:
            time.sleep(chance.random() * 0.08)
            served.end().start()
    assert eventually(lambda: [row[0] for row in served.deliveries()] == ["delivered"] * 24)
    assert [served.results(name).json()["state"] for name in ids] == ["completed"] * 24
    bodies = {}
    while not receiver.deliveries.empty():
        path, headers, body = receiver.next()
        assert is_right(headers, body)
        bodies.setdefault(path, set()).add(body)
    assert sorted(bodies) == sorted(f"/{number}" for number in range(24))
    assert [json.loads(*bodies[f"/{number}"])["data"]["batch_id"] for number in range(24)] == ids


# Batches -------------------------------------------------------------------------------------------------------------


def assert_whole(body, domains, charged):
    """Check that a batch has an answer a domain, in order, and that each good one was charged once."""
    assert [item["domain"] for item in body["results"]] == domains
    assert body["successful"] + body["failed"] == len(domains)
    assert body["successful"] == sum(item["status"] == 200 for item in body["results"])
    assert body["total_credits"] - body["remaining_credits"] == charged == body["successful"]


def test_a_batch_goes_on_after_a_kill_where_it_was(service, gate):
    served = service().start()
    done, held = [*HOSTS[:3], "no-such-site.example", "two words"], [gate.host] * 12
    domains = [*done, *held, PAGE]
    batch = served.submit(domains, **hook(gate))
    name = batch["batch_id"]
    before = eventually(lambda: len(b["results"]) == 5 and b if (b := served.results(name).json()) else None)
    gate.pages.get(timeout=QUICK)
    served.end()
    assert before["state"] == "processing"
    gate.opened.set()
    served.start()
    body = served.finished(name)
    assert body["results"][:5] == before["results"]
    assert body["results_url"] == batch["results_url"]
    assert body["state"] == "completed"
    assert_whole(body, domains, charged=body["successful"])
    assert body["successful"] >= 14
    _, headers, payload = gate.deliveries.get(timeout=QUICK)
    assert is_right(headers, payload)
    assert json.loads(payload)["data"]["successful"] == body["successful"]
    assert gate.deliveries.empty()


def test_a_submission_with_the_same_key_is_the_same_batch_after_a_kill_too(service, gate):
    served = service().start()
    names = {served.submit([gate.host, PAGE], mark="mark-1")["batch_id"] for _ in range(3)}
    gate.pages.get(timeout=QUICK)
    served.end()
    gate.opened.set()
    served.start()
    names |= {served.submit([gate.host, PAGE], mark="mark-1")["batch_id"]}
    (name,) = names
    body = served.finished(name)
    assert served.submit([gate.host, PAGE], mark="mark-1")["state"] == "completed"
    assert_whole(served.results(name).json(), [gate.host, PAGE], charged=body["successful"])
    assert served.rows("SELECT count(*) FROM batches") == [(1,)]


def test_the_keys_of_forgotten_batches_are_forgotten():
    ledger = Ledger(None)
    for number in range(1_003):
        batch = Batch(f"b{number}", "5f2a", ["a.example"], "", state="completed")
        ledger.add_batch(batch, Submission(f"mark-{number}", "digest"))
    assert ledger.submitted("5f2a", "mark-0") is None
    assert ledger.submitted("5f2a", "mark-1002") == ("digest", "b1002")
    assert ledger.submitted("other", "mark-1002") is None
    ledger.close()


def test_a_database_of_the_layout_before_is_taken_over(tmp_path):
    path = made(tmp_path / "a.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("DROP TABLE submissions; PRAGMA user_version = 1")
    ledger = Ledger(path)
    ledger.add_batch(Batch("b1", "5f2a", ["a.example"], ""), Submission("mark", "digest"))
    assert ledger.submitted("5f2a", "mark") == ("digest", "b1")
    ledger.close()


def test_a_domain_that_is_done_is_not_fetched_again(service, gate):
    gate.opened.set()
    served = service().start()
    name = served.submit([gate.host])["batch_id"]
    before = served.finished(name)
    assert gate.pages.qsize() >= 1
    fetched = gate.pages.qsize()
    served.end().start()
    assert served.results(name).json()["results"] == before["results"]
    assert gate.pages.qsize() == fetched


def test_a_batch_killed_again_and_again_is_whole_and_charged_once(service, receiver):
    chance = random.Random(11)  # noqa: S311
    served = service().start()
    domains = list(itertools.islice(itertools.cycle([*HOSTS, "no-such-site.example"]), 150))
    name = served.submit(domains, **hook(receiver))["batch_id"]
    for least in sorted(chance.sample(range(len(domains) - 20), 5)):
        eventually(lambda least=least: served.rows("SELECT count(*) FROM batch_items")[0][0] >= least)
        time.sleep(chance.random() * 0.01)
        served.end().start()
    body = served.finished(name)
    assert_whole(body, domains, charged=body["successful"])
    names = {name_of(receiver.next()[2])}
    eventually(lambda: [row[0] for row in served.deliveries()] == ["delivered"])
    while not receiver.deliveries.empty():
        names.add(name_of(receiver.next()[2]))
    assert len(names) == 1


MOMENTS = [
    ("add_batch", 1),
    ("write_usage", 1),
    ("write_usage", 2),
    ("add_item", 1),
    ("add_item", 3),
    ("finish_batch", 1),
    ("add_delivery", 1),
    ("settle_delivery", 1),
]


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize(("method", "call"), MOMENTS)
def test_a_kill_at_any_write_neither_loses_nor_repeats(service, receiver, method, call, moment):
    domains = [PAGE, "vinyl-attic.example", "no-such-site.example"]
    served = service().start(method, call, moment)
    try:
        served.submit(domains, **hook(receiver))
    except requests.ConnectionError:
        assert method == "add_batch"
    served.await_end()
    # Killed in the transaction of its submission, a batch was never told to anybody.
    kept = served.rows("SELECT id FROM batches")
    assert len(kept) == (0 if method == "add_batch" else 1) or moment == "after"
    served.start()
    for (name,) in kept:
        assert_whole(served.finished(name), domains, charged=2)
        eventually(lambda: [row[0] for row in served.deliveries()] == ["delivered"])
    bodies = {receiver.next()[2] for _ in kept}  # one is known as delivered a moment before it is here
    while not receiver.deliveries.empty():
        bodies.add(receiver.next()[2])
    assert len(bodies) == len(kept)


def test_the_quota_that_ends_within_a_batch_is_told_though_the_service_was_killed(service, gate):
    served = service(monthly_quota=3).start()
    name = served.submit([PAGE, PAGE, *[gate.host] * 3], **hook(gate))["batch_id"]
    eventually(lambda: len(served.results(name).json()["results"]) == 2)
    served.end()
    gate.opened.set()
    served.start()
    body = served.finished(name)
    payload = json.loads(gate.deliveries.get(timeout=QUICK)[2])
    assert sorted(item["status"] for item in body["results"]) == [200, 200, 200, 403, 403]
    assert (body["state"], payload["event"]) == ("failed", "batch.failed")
    assert payload["data"]["partial_results"] == body["results"]


def test_results_survive_a_restart_for_their_own_key_only(service):
    served = service(keys=[KEY, OTHER]).start()
    name = served.submit(HOSTS[:4])["batch_id"]
    before = served.finished(name)
    served.end(signal.SIGTERM).start()
    after = served.results(name).json()
    assert {**after, "meta": 0} == {**before, "meta": 0}
    assert served.results(name, OTHER).status_code == 404
    assert served.results(name, "wrong").status_code == 401


def test_a_batch_whose_key_was_taken_away_waits_until_it_is_back(service, gate):
    served = service().start()
    name = served.submit([gate.host])["batch_id"]
    gate.pages.get(timeout=QUICK)
    gate.opened.set()
    served.end().start(keys=[OTHER])
    assert served.results(name, OTHER).status_code == 404
    served.end().start()
    assert served.finished(name)["successful"] == 1


def test_a_batch_goes_on_after_an_orderly_stop_too(service, gate):
    served = service().start()
    name = served.submit([PAGE, gate.host])["batch_id"]
    gate.pages.get(timeout=QUICK)
    served.end(signal.SIGTERM)
    gate.opened.set()
    served.start()
    assert_whole(served.finished(name), [PAGE, gate.host], charged=2)


# Accounts ------------------------------------------------------------------------------------------------------------


def test_credits_and_quota_survive_a_restart(service):
    served = service(total_credits=10, monthly_quota=3).start()
    assert [served.content()["remaining_credits"] for _ in range(2)] == [9, 8]
    served.end().start()
    assert served.content()["remaining_credits"] == 7
    served.end().start()
    assert served.content()["status"] == 403


def test_credits_that_an_operator_adds_count_at_the_next_start(service):
    served = service(total_credits=1).start()
    served.content()
    assert served.content()["status"] == 403
    served.end().start(total_credits=3)
    answer = served.content()
    assert (answer["status"], answer["total_credits"], answer["remaining_credits"]) == (200, 3, 1)


def test_a_quota_event_is_raised_once_though_the_service_was_restarted(service, receiver):
    account = {"webhook_url": f"{receiver.url}/account", "webhook_secret": SECRET}
    served = service(monthly_quota=5, **account).start()
    for _ in range(4):
        served.content()
    warning = json.loads(receiver.next()[2])
    eventually(lambda: served.deliveries()[0][0] == "delivered")
    served.end().start()
    served.content()
    path, headers, body = receiver.next()
    assert (warning["event"], json.loads(body)["event"]) == ("quota.warning", "quota.exceeded")
    assert path == "/account"
    assert is_right(headers, body)
    assert is_silent(receiver, 0.1)


def test_a_kill_between_a_charge_and_its_quota_event_undoes_both(service, receiver):
    account = {"webhook_url": receiver.url, "webhook_secret": SECRET}
    served = service(monthly_quota=5, **account).start("add_delivery", 1, "after")
    for _ in range(3):
        served.content()
    with pytest.raises(requests.ConnectionError):
        served.content()
    served.await_end()
    served.start()
    assert served.content()["status"] == 200
    assert json.loads(receiver.next()[2])["data"]["used"] == 4


# In process ----------------------------------------------------------------------------------------------------------


def settings(database=None, **more):
    return Settings(keys=(KEY,), allow_private=True, database=database, **more)


def mounted(app, work):
    """Do some work with a client on an app that has no lifespan."""

    async def run():
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        headers = {"Authorization": f"Bearer {KEY}"}
        async with httpx.AsyncClient(transport=transport, base_url="http://mounted.invalid", headers=headers) as client:
            try:
                return await work(client)
            finally:
                await app.state.service.close()

    return asyncio.run(run())


async def ended(client, batch_id):
    deadline = time.monotonic() + QUICK
    while (body := (await client.get(f"/v1/batch/{batch_id}/results")).json())["state"] == "processing":
        assert time.monotonic() < deadline, "the batch does not end"
        await asyncio.sleep(0.005)
    return body


def test_without_a_lifespan_the_first_request_starts_what_is_pending(tmp_path, receiver):
    async def submit(client):
        batch = (await client.post("/v1/batch", json={"domains": ["no-dot"], **hook(receiver)})).json()
        await ended(client, batch["batch_id"])

    async def ask(client):
        await client.get("/api/audience/filters.php")
        return await asyncio.to_thread(receiver.next)

    mounted(create_app(settings(tmp_path / "a.db", webhook_delays=(0.2,))), submit)
    _, headers, body = mounted(create_app(settings(tmp_path / "a.db", webhook_delays=(0.2,))), ask)
    assert is_right(headers, body)


def test_a_full_disk_is_said_and_costs_no_batch_its_answers(tmp_path, monkeypatch):
    monkeypatch.setattr("toolkit.service.accounts.ledger._PAUSE", 0.01)
    app = create_app(settings(tmp_path / "a.db"))
    ledger = app.state.service.ledger

    async def work(client):
        batch = (await client.post("/v1/batch", json={"domains": [PAGE] * 40})).json()
        [(pages,)] = ledger._read("PRAGMA page_count")
        ledger._read(f"PRAGMA max_page_count = {pages}")
        refused = await client.post("/v1/batch", json={"domains": ["x" * 5000 + ".example"]})
        await asyncio.sleep(0.3)
        meanwhile = (await client.get(f"/v1/batch/{batch['batch_id']}/results")).json()
        ledger._read("PRAGMA max_page_count = 1000000")
        return refused, meanwhile, await ended(client, batch["batch_id"])

    refused, meanwhile, body = mounted(app, work)
    assert refused.status_code == 500
    assert "database or disk is full" in refused.json()["error"]
    assert "Check the folder, its rights and the free space" in refused.json()["error"]
    assert meanwhile["state"] == "processing"
    assert_whole(body, [PAGE] * 40, charged=40)


@pytest.mark.parametrize("form", [{}, {"api_key": "wrong"}, {"api_key": KEY}])
def test_an_error_of_family_b_states_that_it_cost_nothing(form):
    async def ask(client):
        return (await client.post("/api/audience/segment.php", data=form)).json()

    body = mounted(create_app(settings()), ask)
    assert (body["status"] in (400, 401), body["credits_used"]) == (True, 0)


# The file ------------------------------------------------------------------------------------------------------------

ELSEWHERE = "Check the folder and its rights."


def message(path):
    with pytest.raises(ConfigurationError) as caught:
        Ledger(path)
    return str(caught.value)


def made(path):
    """Make a database with something in it."""
    with closing(Ledger(path)) as ledger:
        for number in range(50):
            ledger.add_batch(Batch(f"batch_{number}", "digest", ["torque-journal.example"] * 100, "https://x.example"))
    return path


def test_a_folder_that_is_missing_is_a_message(tmp_path):
    path = tmp_path / "missing" / "a.db"
    assert message(path) == f"The service's database {path} cannot be opened: No such file or directory. {ELSEWHERE}"


def test_a_folder_in_place_of_a_file_is_a_message(tmp_path):
    assert message(tmp_path) == f"The service's database {tmp_path} cannot be opened: Is a directory. {ELSEWHERE}"


def test_a_name_that_no_file_can_have_is_a_message():
    assert message("a\0b.db").endswith(f"cannot be opened: embedded null byte. {ELSEWHERE}")


def test_a_file_that_is_no_database_is_a_message_and_stays_as_it_is(tmp_path):
    path = tmp_path / "a.db"
    path.write_text("rank,domain\n" * 500)
    path.chmod(0o644)
    assert message(path) == (
        f"The service's database {path} is damaged or no database (file is not a database). Restore a copy, or name "
        "another file."
    )
    assert path.read_text() == "rank,domain\n" * 500
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_another_programs_database_is_a_message(tmp_path):
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE accounts(name TEXT)")
    before = path.read_bytes()
    assert message(path) == f"{path} is a database of another program. Name another file."
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.db"]


def test_a_newer_toolkits_database_is_a_message(tmp_path):
    path = made(tmp_path / "a.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 3")
    assert message(path) == (
        f"The service's database {path} was written by a newer toolkit (layout 3; this one knows 2). Update the "
        "toolkit, or name another file."
    )


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_a_damaged_database_is_a_message(tmp_path, share):
    path = made(tmp_path / "a.db")
    content = bytearray(path.read_bytes())
    start = int(len(content) * share) // 4096 * 4096
    content[start : start + 4096] = b"\xa5" * 4096
    path.write_bytes(content)
    words = message(path)
    assert words.startswith(f"The service's database {path} is damaged or no database (")
    assert words.endswith("). Restore a copy, or name another file.")


def test_a_database_that_was_cut_off_is_a_message(tmp_path):
    path = made(tmp_path / "a.db")
    os.truncate(path, 8192)
    assert "is damaged or no database" in message(path)


def test_a_database_serves_one_service_at_a_time(tmp_path):
    path = tmp_path / "a.db"
    with closing(Ledger(path)):
        assert message(path) == (
            f"The service's database {path} is in use by another service. Stop that one, or name another file."
        )
    Ledger(path).close()


def test_a_database_is_for_its_owner_only_from_the_first_byte(tmp_path):
    path = tmp_path / "a.db"
    with closing(Ledger(path)) as ledger:
        ledger.add_delivery(Delivery("wh_1", "https://x.example", SECRET, b"{}", 0, 0.0))
        modes = {entry.name: stat.S_IMODE(entry.stat().st_mode) for entry in tmp_path.iterdir()}
    assert modes == dict.fromkeys(("a.db", "a.db-lock", "a.db-wal", "a.db-shm"), 0o600)


def test_an_empty_file_becomes_a_database_for_its_owner_only(tmp_path):
    path = tmp_path / "a.db"
    path.touch(0o644)
    Ledger(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_key_is_kept_as_a_digest_only(tmp_path):
    async def submit(client):
        await client.post("/v1/batch", json={"domains": ["no-dot"]})

    mounted(create_app(settings(tmp_path / "a.db")), submit)
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert KEY.encode() not in stored
    assert hashlib.sha256(KEY.encode()).hexdigest().encode() in stored


def test_secrets_are_not_shown():
    records = [Batch("b", "d", [], "u", "w", SECRET), Delivery("w", "u", SECRET, SECRET.encode(), 0, 0.0)]
    assert SECRET not in repr(records)


def test_what_is_undone_is_undone_whole():
    with closing(Ledger(None)) as ledger:
        ledger.write_usage("a", Usage("2031-01", 1, 1))
        with suppress(KeyError), ledger.transaction():
            ledger.write_usage("a", Usage("2031-01", 2, 2))
            with ledger.transaction():
                ledger.add_delivery(Delivery("wh_1", "https://x.example", "", b"{}", 0, 0.0))
            raise KeyError
        assert ledger.usage("a").credits == 1
        assert ledger.pending_deliveries() == []


def test_the_oldest_finished_batches_are_forgotten_beyond_1000():
    with closing(Ledger(None)) as ledger:
        for number in range(1_010):
            ledger.add_batch(Batch(f"batch_{number}", "digest", ["a.example"], "https://x.example"))
            ledger.add_item(f"batch_{number}", 0, {"domain": "a.example", "status": 200})
            if number != 3:
                ledger.finish_batch(f"batch_{number}", "completed", 1.0)
        kept = [number for number in range(1_010) if ledger.batch(f"batch_{number}")]
        assert kept == [3, *range(10, 1_010)]
        assert ledger._read("SELECT count(*) FROM batch_items") == [(1_001,)]


def test_the_oldest_settled_deliveries_are_forgotten_beyond_1000():
    with closing(Ledger(None)) as ledger:
        for number in range(1_010):
            ledger.add_delivery(Delivery(f"wh_{number}", "https://x.example", "", b"{}", 0, 0.0))
            if number != 3:
                ledger.settle_delivery(f"wh_{number}", "delivered", "200")
        assert ledger.pending_deliveries() == ["wh_3"]
        assert ledger._read("SELECT count(*) FROM deliveries") == [(1_001,)]
