"""The store: what is kept, what is served again, to whom, and what becomes of the file when something goes wrong."""

import asyncio
import gc
import json
import os
import pickle
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import tracemalloc
import zlib
from contextlib import closing
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import httpx
import pandas as pd
import pytest

import toolkit as tk
from toolkit.interface import errors
from toolkit.store.answers import Store, moment_of
from toolkit.store.database import RESCUE
from toolkit.store.freshness import Freshness
from toolkit.store.layout import APPLICATION_ID, MIGRATIONS

BAD_KEY = "badkey61e0f7c3d852"
FILTERS = {"interests": ["INT.PETS.DOGS"]}
ASK = {
    "categorize": (lambda client: client.categorize("a.example"), {"domain": "a.example", "categories": []}),
    "enrich": (lambda client: client.enrich("a.example"), {"domain": "a.example", "company": {"name": "A"}}),
    "segment": (lambda client: client.segment("a.example"), {"demographics": {}, "status": 200}),
    "legacy": (lambda client: client.segment("a.example", format="legacy"), {"audience": "everyone", "status": 200}),
    "url": (lambda client: client.categorize_content("a.example"), {"status": 200, "std_classification": []}),
    "text": (lambda client: client.categorize_content(text="some words"), {"status": 200, "std_classification": []}),
}
of_every_endpoint = pytest.mark.parametrize("name", list(ASK))
ROOM = "Check the folder, its rights and the free space."

# Forks a process a line, which asks about targets of its own one after the other, and prints each once it is answered.
NURSERY = """
import json, os, signal, sys, traceback, httpx
import toolkit as tk
from toolkit import client
from toolkit.store import answers as store

body = b'{"status": 200, "demographics": {}, "padding": "' + b"".join(b"%d " % number for number in range(400)) + b'"}'

def say(line):
    os.write(1, (line + "\\n").encode())  # at once: others say something too

def write(path, name, most):
    say(f"pid {os.getpid()}")
    wire = httpx.MockTransport(lambda request: httpx.Response(200, content=body))
    with tk.Client("writerkey77a1", "https://api.stub.example", store=path, transport=wire) as client:
        for number in range(most):
            client.segment(f"{name}-{number}.example")
            say(f"{name}-{number}.example")

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    path, name, most = json.loads(line)
    if not path:
        say("so far")
    elif os.fork() == 0:
        try:
            write(path, name, most)
            say("done")
        except BaseException:
            say(f"failed: {traceback.format_exc()!r}")
        os._exit(0)
"""


class Nursery:
    """Processes that write to a store, forked from one that has loaded everything."""

    def __init__(self):
        self._process = start(NURSERY, start_new_session=True)

    def write(self, path, name="", most=0):
        self._process.stdin.write(json.dumps([str(path), name, most]) + "\n")
        self._process.stdin.flush()

    def line(self):
        line = self._process.stdout.readline().strip()
        assert line, "the nursery ended"
        assert not line.startswith("failed"), line
        return line

    def lines_so_far(self):
        self.write("")
        return list(iter(self.line, "so far"))

    def kill(self, pid):
        os.kill(pid, signal.SIGKILL)
        until = time.monotonic() + 20
        while is_alive(pid):
            assert time.monotonic() < until
            time.sleep(0.002)

    def close(self):
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(scope="module")
def nursery():
    nursery = Nursery()
    yield nursery
    nursery.close()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "answers.db"


class Unclosed(httpx.AsyncBaseTransport):
    """A transport that several clients use one after the other."""

    def __init__(self, inner):
        self._inner = inner

    async def handle_async_request(self, request):
        return await self._inner.handle_async_request(request)


@pytest.fixture
def kept(wire, path):
    """A client with a store on the real service, over the watched wire."""
    base = "http://wire.invalid"
    with tk.Client(
        wire.key, base, v1_api_key=wire.key, v1_base_url=base, transport=Unclosed(wire), store=path
    ) as client:
        yield client


def seeded(number):
    return random.Random(number)  # noqa: S311 - damage, no secrets


def start(program, *arguments, **options):
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def run(program, *arguments):
    process = start(program, *arguments)
    output, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    return output


def change(path, *statements):
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(*statement if isinstance(statement, tuple) else (statement,))
        connection.commit()


def select(path, question):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question).fetchall()


def grow_older(path, **age):
    """Move everything in the file into the past."""
    microseconds = timedelta(**age) // timedelta(microseconds=1)
    change(path, ("UPDATE answer SET fetched_at = fetched_at - ?", (microseconds,)))


def bytes_of(path):
    return b"".join(found.read_bytes() for found in path.parent.iterdir() if found.name.startswith(path.name))


# What is served again -----------------------------------------------------------------------------------------------


@of_every_endpoint
def test_the_second_ask_is_served_from_the_file_byte_for_byte(stub, path, name):
    ask, body = ASK[name]
    sent = json.dumps({**body, "unknown": {"of the service": [1.50, "\u00fc\u6f22"]}}, ensure_ascii=False).encode()
    stub.reply(200, sent, {"content-type": "application/json"})
    with stub.client(store=path) as client:
        first, again = ask(client), ask(client)
        [kept] = client.store.answers()
    assert len(stub.requests) == 1
    assert (first.provenance.from_cache, again.provenance.from_cache) == (False, True)
    assert again.model_dump() == first.model_dump()
    assert again.raw == first.raw == json.loads(sent)
    assert kept.body == sent


@of_every_endpoint
def test_another_client_is_served_what_an_earlier_one_was_answered(stub, path, name):
    ask, body = ASK[name]
    stub.reply(200, body)
    with stub.client(store=path) as client:
        first = ask(client)
    with stub.client(store=path) as client:
        again = ask(client)
    assert len(stub.requests) == 1
    assert again.raw == first.raw
    expected = first.provenance.model_copy(update={"from_cache": True})
    assert again.provenance == expected


def test_the_asynchronous_client_is_served_too(stub, path):
    stub.reply(200, ASK["segment"][1])

    async def ask():
        async with stub.client(tk.AsyncClient, store=path) as client:
            return [(await client.segment("a.example")).provenance.from_cache for _ in range(2)]

    assert asyncio.run(ask()) == [False, True]
    assert asyncio.run(ask()) == [True, True]
    assert len(stub.requests) == 1


def test_the_embedded_service_is_asked_once(path):
    with tk.Client(store=path) as client:
        first = client.segment("ledgerline.example")
        again = client.segment("https://www.ledgerline.example/")
        assert client.store.count() == 1
    assert again.raw == first.raw
    assert again.provenance.from_cache


@pytest.mark.parametrize(
    "ask",
    [
        lambda client: client.segment("ledgerline.example"),
        lambda client: client.segment("ledgerline.example", format="legacy"),
        lambda client: client.categorize("ledgerline.example"),
        lambda client: client.categorize_content("ledgerline.example", personas=True),
        lambda client: client.categorize_content(text="Sourdough needs a starter, flour, water and salt."),
        lambda client: client.enrich("ledgerline.example", include="company"),
        lambda client: client.enrich("ledgerline.example", format="xml"),
    ],
)
def test_answers_of_the_real_service_are_the_same_from_the_file(kept, wire, ask):
    first, again = ask(kept), ask(kept)
    assert len(wire.requests) == 1
    assert again.model_dump() == first.model_dump()
    assert again.raw == first.raw
    assert next(kept.store.answers()).body == wire.responses[0].content


def test_an_answer_is_kept_with_all_that_is_known_of_it(kept, wire):
    before = datetime.now(UTC)
    answer = kept.segment("HTTPS://WWW.Ledgerline.example/pricing?utm_source=x#top")
    [found] = kept.store.answers()
    assert (found.service, found.endpoint) == ("http://wire.invalid", "segment")
    assert json.loads(found.parameters) == {"format": "structured"}
    assert (found.target, found.normal, found.subject) == (
        "HTTPS://WWW.Ledgerline.example/pricing?utm_source=x#top",
        "ledgerline.example/pricing",
        "ledgerline.example/pricing",
    )
    assert before <= found.fetched_at == answer.provenance.fetched_at <= datetime.now(UTC)
    assert (found.status, found.http_status) == (200, 200)
    assert found.request_id == answer.provenance.request_id is not None
    assert found.credits_used == answer.provenance.credits_used is not None
    assert found.vocab_version == answer.vocab_version == "1.2"
    assert found.media == wire.responses[0].headers["content-type"]


@pytest.mark.parametrize(
    "spelling",
    ["A.example", "www.a.example", "http://a.example", "https://a.example/", " a.example\n", "a.example?utm_source=x"],
)
@pytest.mark.parametrize("name", ["segment", "categorize_content", "categorize", "enrich"])
def test_spellings_of_one_target_share_an_answer(stub, path, name, spelling):
    body = ASK["url" if name == "categorize_content" else name][1]
    stub.reply(200, body)
    with stub.client(store=path) as client:
        getattr(client, name)("a.example")
        assert getattr(client, name)(spelling).provenance.from_cache
    assert len(stub.requests) == 1


def test_answers_about_a_domain_are_shared_by_its_pages(stub, path):
    stub.reply(200, ASK["categorize"][1])
    with stub.client(store=path) as client:
        client.categorize("a.example")
        assert client.categorize("https://a.example/page?x=1").provenance.from_cache


def test_different_questions_share_nothing(stub, path):
    questions = [
        lambda client: client.segment("a.example"),
        lambda client: client.segment("a.example", format="legacy"),
        lambda client: client.segment("b.example"),
        lambda client: client.segment("a.example/page"),
        lambda client: client.segment("sub.a.example"),
        lambda client: client.categorize_content("a.example"),
        lambda client: client.categorize_content("a.example", personas=True),
        lambda client: client.categorize_content("a.example", root_fallback=True),
        lambda client: client.categorize_content("a.example", personas=True, root_fallback=True),
        lambda client: client.categorize_content(text="a.example"),
        lambda client: client.categorize_content(text="a.example", personas=True),
        lambda client: client.categorize("a.example"),
        lambda client: client.enrich("a.example"),
        lambda client: client.enrich("a.example", include="company"),
        lambda client: client.enrich("a.example", include=["company", "social"]),
        lambda client: client.enrich("a.example", format="xml"),
        lambda client: client.filters(),
    ]
    for _ in questions[1:]:
        stub.reply(200, {name: value for _, body in ASK.values() for name, value in body.items() if name != "domain"})
    stub.reply(200, FILTERS)
    with stub.client(store=path) as client:
        for number, ask in enumerate(questions, 1):
            ask(client)
            assert len(stub.requests) == number
        for ask in questions:
            ask(client)
    assert len(stub.requests) == len(questions)


def test_services_at_two_addresses_share_nothing(stub, path):
    stub.reply(200, ASK["segment"][1])
    for base in (stub.base, "https://other.stub.example"):
        with stub.client(store=path, base_url=base) as client:
            assert not client.segment("a.example").provenance.from_cache
    assert len(stub.requests) == 2


def test_texts_with_the_same_beginning_are_different(stub, path):
    stub.reply(200, {"status": 200, "std_classification": [], "of": 1}).reply(
        200, {"status": 200, "std_classification": [], "of": 2}
    )
    one, other = ("same words " * 20 + end for end in ("one", "other"))
    assert one[:60] == other[:60]
    with stub.client(store=path) as client:
        for _ in range(2):
            assert client.categorize_content(text=one).raw["of"] == 1
            assert client.categorize_content(text=other).raw["of"] == 2
    assert len(stub.requests) == 2


def test_a_text_is_not_written_as_a_whole(stub, path):
    stub.reply(200, ASK["text"][1])
    with stub.client(store=path) as client:
        client.categorize_content(text="Words of a contract. " * 10 + "the secret clause")
        assert b"the secret clause" not in bytes_of(path)


def test_the_vocabulary_is_stored_and_needs_no_key(stub, path):
    stub.reply(200, FILTERS)
    for _ in range(2):
        with tk.Client(base_url=stub.base, transport=httpx.MockTransport(stub.answer), store=path) as client:
            assert "INT.PETS.DOGS" in client.filters()
    assert len(stub.requests) == 1
    with stub.client(store=path) as client:
        client.filters(refresh=True)
    assert len(stub.requests) == 2


def test_what_is_no_vocabulary_is_not_served_as_one_later(stub, path):
    stub.reply(200, {"message": "back soon"}).reply(200, FILTERS)
    with stub.client(store=path) as client:
        with pytest.raises(errors.DataError):
            client.filters()
        assert client.store.count() == 0
        assert "INT.PETS.DOGS" in client.filters()


def test_batches_are_not_stored(stub, path):
    stub.reply(200, {"batch_id": "b1", "results": []})
    with stub.client(store=path) as client:
        for _ in range(2):
            client.batch_results(client.submit_batch(["a.example"]))
        assert client.store.count() == 0
    assert len(stub.requests) == 4


def test_without_a_store_everything_is_asked(stub):
    stub.reply(200, ASK["segment"][1])
    with stub.client() as client:
        assert client.store is None
        for _ in range(2):
            assert not client.segment("a.example").provenance.from_cache
    assert len(stub.requests) == 2


# Errors -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [410, 411])
@pytest.mark.parametrize("http", [200, 400])
def test_what_is_known_of_a_page_is_the_same_error_again_without_a_request(stub, path, code, http):
    stub.reply(http, {"status": code, "error": "no such luck"}, {"x-request-id": "r-17"})
    caught = []
    for _ in range(2):
        with stub.client(store=path) as client:
            for _ in range(2):
                with pytest.raises(errors.service_error(code)) as found:
                    client.segment("a.example")
                caught.append(found.value)
    assert len(stub.requests) == 1
    assert len({str(error) for error in caught}) == 1
    assert "no such luck" in str(caught[0])
    assert {(e.status, e.http_status, e.request_id, e.endpoint, e.target, e.detail) for e in caught} == {
        (code, http, "r-17", "segment", "a.example", "no such luck")
    }
    assert all(error.raw == caught[0].raw for error in caught)


def test_a_page_that_cannot_be_read_is_known_of_the_real_service_too(kept, wire):
    caught = []
    for _ in range(2):
        with pytest.raises(errors.FetchFailedError) as found:
            kept.segment("nowhere.example")
        caught.append(str(found.value))
    assert len(wire.requests) == 1
    assert caught[0] == caught[1]


TRANSIENT = {
    **{f"HTTP {code}": (code, {"error": "no"}) for code in (400, 401, 403, 404, 407, 429, 500, 502, 503, 504)},
    **{f"status {code} at 200": (200, {"status": code, "demographics": {}}) for code in (401, 403, 429, 500)},
    "an error alone": (200, {"error": "no"}),
    "no body": (200, b""),
    "HTML": (200, b"<html>sign in</html>"),
    "half a body": (200, b'{"demographics": {'),
    "a list": (200, b"[]"),
    "other fields": (200, {"hello": "world"}),
    "time-out": httpx.ReadTimeout("too long"),
    "no connection": httpx.ConnectError("refused"),
    "a broken connection": httpx.RemoteProtocolError("cut"),
}


@pytest.mark.parametrize("what", list(TRANSIENT))
def test_errors_that_pass_are_never_stored(stub, path, what):
    reply = TRANSIENT[what]
    _ = stub.fail(reply) if isinstance(reply, Exception) else stub.reply(*reply)
    stub.reply(200, ASK["segment"][1])
    with stub.client(store=path, retries=tk.Retries(attempts=1)) as client:
        with pytest.raises(errors.ToolkitError):
            client.segment("a.example")
        assert client.store.count() == 0
        assert not client.segment("a.example").provenance.from_cache
        assert client.store.count() == 1
    assert len(stub.requests) == 2


def test_an_error_that_passes_leaves_the_stored_answer(stub, path):
    stub.reply(200, ASK["segment"][1]).reply(500, {"error": "no"})
    with stub.client(store=path, retries=tk.Retries(attempts=1)) as client:
        client.segment("a.example")
        with pytest.raises(errors.ServerError):
            client.with_options(refresh=True).segment("a.example")
        assert client.segment("a.example").provenance.from_cache


# Keys ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def refusing(stub):
    """The same service, asked with a key that it refuses."""
    bad = type(stub)().reply(401, {"error": "invalid key"})
    bad.key = bad.v1_key = BAD_KEY
    return bad


@of_every_endpoint
def test_a_wrong_key_gets_its_401_and_not_the_stored_answer(stub, refusing, path, name):
    ask, body = ASK[name]
    stub.reply(200, body)
    with stub.client(store=path) as client:
        ask(client)
    for _ in range(2):
        with refusing.client(store=path) as client:
            for _ in range(2):
                with pytest.raises(errors.InvalidKeyError):
                    ask(client)
    assert len(refusing.requests) == 4
    with stub.client(store=path) as client:
        assert ask(client).provenance.from_cache


@pytest.mark.parametrize("options", [{"stale": True}, {"max_age": 1000}])
def test_a_wrong_key_gets_nothing_by_options_either(stub, refusing, path, options):
    stub.reply(200, ASK["segment"][1])
    with stub.client(store=path) as client:
        client.segment("a.example")
    with refusing.client(store=path) as client, pytest.raises(errors.InvalidKeyError):
        client.with_options(**options).segment("a.example")
    assert len(refusing.requests) == 1


def test_a_wrong_key_does_not_learn_that_a_page_could_not_be_read(stub, refusing, path):
    stub.reply(200, {"status": 411})
    with stub.client(store=path) as client, pytest.raises(errors.FetchFailedError):
        client.segment("a.example")
    with refusing.client(store=path) as client, pytest.raises(errors.InvalidKeyError):
        client.segment("a.example")


def test_a_good_key_of_one_family_does_not_open_the_answers_of_the_other(stub, path):
    def answer(request):
        stub.requests.append(request)
        good = stub.key in request.headers.get("authorization", "") + request.content.decode()
        return httpx.Response(
            200 if good else 401, json={"status": 200, "demographics": {}, "categories": []} if good else {}
        )

    given = {"v1_base_url": stub.base, "transport": httpx.MockTransport(answer), "store": path}
    with stub.client(**given, v1_api_key=stub.key) as client:
        client.segment("a.example")
    with stub.client(**given, api_key=BAD_KEY, v1_api_key=stub.key) as client:
        client.categorize("a.example")
        with pytest.raises(errors.InvalidKeyError):
            client.segment("a.example")
    assert len(stub.requests) == 3


def test_a_key_is_needed_although_the_answer_is_stored(stub, path):
    stub.reply(200, ASK["segment"][1])
    with stub.client(store=path) as client:
        client.segment("a.example")
    with (
        tk.Client(base_url=stub.base, transport=httpx.MockTransport(stub.answer), store=path) as client,
        pytest.raises(errors.ConfigurationError) as caught,
    ):
        client.segment("a.example")
    assert str(caught.value) == "segment needs an API key: set TOOLKIT_API_KEY or pass api_key=…."


def test_a_key_that_was_never_accepted_asks_once_and_is_served_from_then_on(stub, path):
    stub.reply(200, ASK["segment"][1])
    with stub.client(store=path) as client:
        client.segment("a.example")
    with stub.client(store=path, api_key="another-good-key") as client:
        assert not client.segment("a.example").provenance.from_cache
        assert client.segment("a.example").provenance.from_cache
    with stub.client(store=path, api_key="another-good-key") as client:
        assert client.segment("a.example").provenance.from_cache
    assert len(stub.requests) == 2


@pytest.mark.parametrize("code", [410, 411])
def test_a_key_is_accepted_by_what_is_said_of_a_page_too(stub, path, code):
    stub.reply(200, {"status": code})
    for _ in range(2):
        with stub.client(store=path) as client, pytest.raises(errors.ContentError):
            client.segment("a.example")
    assert len(stub.requests) == 1


@pytest.mark.parametrize("code", [403, 429, 500])
def test_a_key_is_not_accepted_by_another_error(stub, path, code):
    stub.reply(code, {"error": "no"})
    with stub.client(store=path, retries=tk.Retries(attempts=1)) as client:
        with pytest.raises(errors.ServiceError):
            client.segment("a.example")
        assert not client.store.knows(stub.base, stub.key)


def test_a_key_that_is_refused_later_is_not_served_any_more(stub, path):
    stub.reply(200, ASK["segment"][1]).reply(401, {"error": "revoked"})
    with stub.client(store=path) as client:
        client.segment("a.example")
        assert client.segment("a.example").provenance.from_cache
        with pytest.raises(errors.InvalidKeyError):
            client.segment("b.example")
        with pytest.raises(errors.InvalidKeyError):
            client.segment("a.example")
    with stub.client(store=path) as client, pytest.raises(errors.InvalidKeyError):
        client.with_options(stale=True).segment("a.example")
    assert len(stub.requests) == 4


def test_a_refused_key_is_forgotten_although_two_processes_had_accepted_it(stub, path):
    with Store(path.with_name("other.db")) as other:
        other.accept(stub.base, stub.key)
        [row] = select(other.path, "SELECT * FROM accepted")
    with Store(path) as store:
        store.accept(stub.base, stub.key)
        change(path, ("INSERT INTO accepted VALUES (?, ?, ?)", row))
        store.refuse(stub.base, stub.key)
        assert not store.knows(stub.base, stub.key)


def test_an_accepted_key_is_written_once(stub, path):
    stub.reply(200, ASK["segment"][1])
    for number in range(3):
        with stub.client(store=path) as client:
            client.segment(f"a{number}.example")
    assert select(path, "SELECT count(*) FROM accepted") == [(1,)]


def test_the_same_key_is_written_differently_in_every_file(stub, tmp_path):
    written = set()
    for name in ("one.db", "two.db"):
        with Store(tmp_path / name) as store:
            store.accept(stub.base, stub.key)
        written.update(select(tmp_path / name, "SELECT digest FROM accepted"))
    assert len(written) == 2


def test_keys_are_nowhere_in_the_file_nor_in_what_is_shown(stub, refusing, path):
    stub.reply(
        200,
        {"status": 200, "demographics": {}, "categories": [], "echo": [stub.key, stub.v1_key], "filler": "x " * 500},
    )
    with stub.client(store=path) as client, refusing.client(store=path) as other:
        for ask in (client.segment, client.categorize):
            ask("a.example")
            ask("a.example")
        with pytest.raises(errors.InvalidKeyError):
            other.segment("a.example")
        store = client.store
        shown = [repr(store), str(store), repr(vars(store)), repr(vars(store.database)), *map(repr, store.answers())]
        while_open = bytes_of(path)
        assert len(list(path.parent.iterdir())) == 3
    written = while_open + bytes_of(path)
    rows = repr(contents(path))
    for key in (stub.key, stub.v1_key, BAD_KEY):
        assert key.encode() not in written
        assert key not in rows
        assert not any(key in words for words in shown)


# Options of a call --------------------------------------------------------------------------------------------------


@pytest.fixture
def aged(stub, path):
    """A client whose store has one answer, of ten days ago; the service has another one by now."""
    stub.reply(200, {"status": 200, "demographics": {}, "edition": "old"}).reply(
        200, {"status": 200, "demographics": {}, "edition": "new"}
    )
    with stub.client(store=path) as client:
        client.segment("a.example")
        grow_older(path, days=10)
        yield client


def edition(client):
    return client.segment("a.example").raw["edition"]


def test_an_answer_that_is_too_old_is_asked_for_anew_and_both_are_kept(aged, stub):
    assert edition(aged) == "new"
    assert edition(aged) == "new"
    assert len(stub.requests) == 2
    assert [json.loads(kept.body)["edition"] for kept in aged.store.answers(history=True)] == ["old", "new"]
    assert [json.loads(kept.body)["edition"] for kept in aged.store.answers()] == ["new"]


def test_a_stale_answer_is_used_on_request(aged, stub):
    assert edition(aged.with_options(stale=True)) == "old"
    assert len(stub.requests) == 1


def test_stale_asks_for_what_is_not_stored(aged, stub):
    assert aged.with_options(stale=True).segment("b.example").raw["edition"] == "new"


@pytest.mark.parametrize("age", [24 * 11, 240.5, timedelta(days=11)])
def test_an_older_answer_is_used_by_its_age_on_request(aged, age):
    assert edition(aged.with_options(max_age=age)) == "old"


@pytest.mark.parametrize("age", [0, 239.5, timedelta(days=9)])
def test_an_answer_older_than_asked_for_is_not_used(aged, age):
    assert edition(aged.with_options(max_age=age)) == "new"


def test_refreshing_asks_in_any_case_and_keeps_the_answer(aged, stub):
    refreshing = aged.with_options(refresh=True)
    for count in (2, 3):
        assert edition(refreshing) == "new"
        assert len(stub.requests) == count
    assert edition(aged) == "new"
    assert len(stub.requests) == 3
    assert aged.store.count() == 3


def test_options_leave_the_client_as_it_was(aged, stub):
    assert edition(aged.with_options(stale=True)) == "old"
    assert edition(aged) == "new"
    assert edition(aged.with_options(refresh=True).with_options(stale=True)) == "new"
    assert len(stub.requests) == 2


def test_options_hold_for_the_vocabulary_too(stub, path):
    stub.reply(200, FILTERS).reply(200, {"interests": ["INT.PETS.CATS"]})
    with stub.client(store=path) as client:
        client.filters()
        grow_older(path, days=3)
        yesterday = datetime.now(UTC) - timedelta(days=1)
        assert "INT.PETS.CATS" in client.with_options(refresh=True).filters()
        assert "INT.PETS.DOGS" in client.with_options(as_of=yesterday).filters()
        assert "INT.PETS.CATS" in client.with_options(stale=True).filters()
    assert len(stub.requests) == 2


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"max_age": 0, "stale": True}, "max_age and stale"),
        ({"max_age": 5, "refresh": True}, "max_age and refresh"),
        ({"stale": True, "refresh": True}, "stale and refresh"),
        ({"stale": True, "as_of": "2026-11-01"}, "stale and as_of"),
        (
            {"max_age": 5, "stale": True, "refresh": True, "as_of": "2026-11-01"},
            "max_age and stale and refresh and as_of",
        ),
    ],
)
def test_options_that_contradict_each_other_are_refused(aged, options, named):
    with pytest.raises(errors.InputError) as caught:
        aged.with_options(**options)
    assert str(caught.value) == f"{named} contradict each other. Pass one of them."


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_age": -1}, "max_age must be a timedelta or a number of hours from 0 to 100 years, not -1."),
        ({"max_age": True}, "max_age must be a timedelta or a number of hours from 0 to 100 years, not True."),
        ({"max_age": "24"}, "max_age must be a timedelta or a number of hours from 0 to 100 years, not '24'."),
        ({"as_of": "soon"}, "'soon' is no time. Pass a date or an ISO time such as '2026-11-01T12:00'."),
        ({"as_of": 2026}, "2026 is no time. Pass a date or an ISO time such as '2026-11-01T12:00'."),
    ],
)
def test_options_that_are_none_are_refused(aged, options, words):
    with pytest.raises(errors.InputError) as caught:
        aged.with_options(**options)
    assert str(caught.value) == words


@pytest.mark.parametrize("kind", [tk.Client, tk.AsyncClient])
def test_options_need_a_store(stub, kind):
    with pytest.raises(errors.InputError) as caught:
        stub.client(kind).with_options(stale=True)
    assert str(caught.value) == "The client keeps no answers. Make it with store=…, such as Client(store='answers.db')."


# History ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def history(stub, path):
    """Answers about a.example of 1, 11 and 21 November, noon UTC, and one about b.example of the 11th."""
    for name in ("first", "second", "third"):
        stub.reply(200, {"status": 200, "demographics": {}, "edition": name})
    with stub.client(store=path) as client:
        for day in (1, 11, 21):
            client.with_options(refresh=True).segment("a.example")
            noon = int(datetime(2026, 11, day, 12, tzinfo=UTC).timestamp() * 1e6)
            change(path, ("UPDATE answer SET fetched_at = ? WHERE id = (SELECT max(id) FROM answer)", (noon,)))
        client.with_options(refresh=True).segment("b.example")
        noon = int(datetime(2026, 11, 11, 12, tzinfo=UTC).timestamp() * 1e6)
        change(path, ("UPDATE answer SET fetched_at = ? WHERE id = (SELECT max(id) FROM answer)", (noon,)))
        stub.again()
        yield client


AS_OF = {
    "2026-11-01": "first",
    "20261101": "first",
    "2026-11-10": "first",
    "2026-11-11": "second",
    "2026-11-11T12:00": "second",
    "2026-11-11T11:59:59.999999": "first",
    "2026-11-11T13:59+02:00": "first",
    "2026-11-11T14:00+02:00": "second",
    date(2026, 11, 20): "second",
    datetime(2026, 11, 21, 12, tzinfo=UTC): "third",
    datetime(2026, 11, 21, 14, tzinfo=timezone(timedelta(hours=2))): "third",
    pd.Timestamp("2026-11-12"): "second",
    "2099-01-01": "third",
}


@pytest.mark.parametrize("when", list(AS_OF), ids=str)
def test_the_state_as_of_a_time_comes_from_the_file(history, stub, when):
    assert edition(history.with_options(as_of=when)) == AS_OF[when]
    found = {kept.normal: json.loads(kept.body)["edition"] for kept in history.store.answers(as_of=when)}
    assert found["a.example"] == AS_OF[when]
    assert not stub.requests


@pytest.mark.parametrize("when", ["2026-10-31", "2026-11-01T11:59", date(1900, 1, 1)])
def test_a_time_before_the_first_answer_is_an_error_and_nothing_is_sent(history, stub, when):
    with pytest.raises(errors.InputError) as caught:
        history.with_options(as_of=when).segment("a.example")
    assert str(caught.value) == (
        f"The store has no answer of segment for a.example as of {moment_of(when):%Y-%m-%d %H:%M} UTC. "
        "Ask without as_of, or later."
    )
    assert list(history.store.answers(as_of=when)) == []
    assert not stub.requests


def test_the_state_as_of_a_time_is_not_asked_for_with_a_key_that_was_never_accepted(history, stub, path):
    with stub.client(store=path, api_key=BAD_KEY) as client, pytest.raises(errors.InputError) as caught:
        client.with_options(as_of="2026-11-11").segment("a.example")
    assert str(caught.value) == (
        "The service has not accepted this key yet, so segment cannot be answered from the store. "
        "Ask for anything without as_of first."
    )
    assert not stub.requests


def test_a_page_that_could_not_be_read_then_is_an_error_then(stub, path):
    stub.reply(200, {"status": 411}).reply(200, {"status": 200, "demographics": {}, "edition": "new"})
    with stub.client(store=path) as client:
        with pytest.raises(errors.FetchFailedError):
            client.segment("a.example")
        grow_older(path, days=30)
        assert edition(client) == "new"
        with pytest.raises(errors.FetchFailedError):
            client.with_options(as_of=datetime.now(UTC) - timedelta(days=1)).segment("a.example")
    assert len(stub.requests) == 2


def test_history_is_everything_in_the_order_in_which_it_came(history):
    def found(**options):
        return [(kept.normal, json.loads(kept.body)["edition"]) for kept in history.store.answers(**options)]

    everything = [("a.example", name) for name in ("first", "second", "third")] + [("b.example", "third")]
    assert found(history=True) == everything
    assert found() == everything[2:]
    assert found(history=True, as_of="2026-11-11") == [everything[0], everything[1], everything[3]]
    assert found(as_of="2026-11-11") == [everything[1], everything[3]]
    assert found(endpoint="segment") == everything[2:]
    assert found(endpoint="categorize") == []


def test_answers_can_be_written_while_they_are_read(history, stub):
    stub.reply(200, {"status": 200, "demographics": {}})
    answers = history.store.answers(history=True)
    next(answers)
    history.with_options(refresh=True).segment("a.example")  # by the loop's thread
    history.store.accept("service", "a key")  # by this one
    assert len(list(answers)) == 3
    assert history.store.count() == 5


def test_a_store_can_be_closed_while_answers_are_read(stub, path):
    stub.reply(200, {"status": 200, "demographics": {}})
    with stub.client(store=path) as client:
        for name in ("a.example", "b.example"):
            client.segment(name)
        answers = client.store.answers()
        next(answers)
    with pytest.raises(errors.StoreError):
        next(answers)
    with pytest.raises(errors.StoreError, match="is closed"):
        next(client.store.answers())
    del answers
    gc.collect()


def unfolding(megabytes):
    pack = zlib.compressobj(9)
    return b"".join([*(pack.compress(bytes(1_000_000)) for _ in range(megabytes)), pack.flush()])


@pytest.mark.parametrize(("size", "cut", "words"), [(300, 0, "unfolds to more than"), (20, 9, "is cut off")])
def test_a_stored_body_that_unfolds_without_end_is_a_damaged_one(stub, path, size, cut, words):
    stub.reply(200, {"demographics": {}, "status": 200})
    bomb = unfolding(size)
    with stub.client(store=path) as client:
        client.segment("a.example")
        run = client.run(["a.example"]).start(progress=False)
        change(path, ("UPDATE answer SET packed = 1, body = ?", (bomb[: len(bomb) - cut],)))
        for read in (lambda: client.segment("a.example"), run.outcomes, client.store.check):
            with pytest.raises(errors.StoreError, match=words):
                read()


@pytest.mark.parametrize("is_resumed", [False, True], ids=["begun", "resumed"])
def test_a_run_unfolds_no_stored_body_without_end_and_pays_for_none_again(stub, path, is_resumed):
    stub.reply(200, {"demographics": {}, "status": 200})
    sites = ["a.example", "b.example"]
    with stub.client(store=path) as client:
        client.segment("a.example")
        if is_resumed:
            client.run(sites, "segment", budget=0).start(progress=False)
        change(path, ("UPDATE answer SET packed = 1, body = ?", (unfolding(150),)))
        tracemalloc.start()
        try:
            run = client.run(sites, "segment")
            plan = run.plan()
            run.start(progress=False)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert plan.to_send == 1
        assert [request.method for request in stub.requests].count("POST") == 2
        with pytest.raises(errors.StoreError, match="unfolds to more than"):
            run.outcomes()
    assert peak < 200_000_000  # what is allowed, twice, as it is put together of pieces


def test_an_answer_that_is_kept_can_be_read_again_however_it_repeats_itself(stub, path):
    body = b'{"demographics": {}, "status": 200, "x": "%s"}' % (b" " * 60_000_000)
    stub.reply(200, body, {"content-type": "application/json"})
    with stub.client(store=path, largest_answer=100_000_000) as client:
        client.segment("a.example")
        assert client.segment("a.example").provenance.from_cache
        assert [kept.body for kept in client.store.answers()] == [body]


def test_the_newest_is_the_newest_by_time_also_where_a_clock_was_set_back(history, path):
    noon = int(datetime(2026, 11, 30, tzinfo=UTC).timestamp() * 1e6)
    change(path, ("UPDATE answer SET fetched_at = ? WHERE id = 1", (noon,)))
    assert edition(history.with_options(stale=True)) == "first"
    assert [json.loads(kept.body)["edition"] for kept in history.store.answers()] == ["first", "third"]


@pytest.mark.parametrize(
    "when", [None, 5, "", "2026-13-01", pd.NaT, datetime.min.replace(tzinfo=timezone(timedelta(hours=5)))]
)
def test_what_is_no_time_is_refused(when):
    with pytest.raises(errors.InputError) as caught:
        moment_of(when)
    assert str(caught.value) == f"{when!r} is no time. Pass a date or an ISO time such as '2026-11-01T12:00'."


# Threads and processes ----------------------------------------------------------------------------------------------


def test_threads_write_the_same_file_at_once(stub, path):
    stub.reply(200, ASK["segment"][1])
    problems = []

    async def ask(name):
        async with stub.client(tk.AsyncClient, store=path) as client:
            for number in range(20):
                await client.segment(f"{name}-{number}.example")

    def work(name):
        try:
            asyncio.run(ask(name))
        except Exception as error:  # noqa: BLE001 - shown by the test
            problems.append(error)

    threads = [threading.Thread(target=work, args=(f"t{number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    with Store(path) as store:
        store.check()
        assert len({kept.normal for kept in store.answers()}) == 120 == store.count()


def test_one_store_serves_many_threads(stub, path):
    with Store(path) as store:
        stub.reply(200, ASK["segment"][1])
        with stub.client(store=store) as client:
            client.segment("a.example")
        counts = []
        threads = [threading.Thread(target=lambda: counts.append(store.count())) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert counts == [1] * 8


def test_processes_make_and_write_the_same_file_at_once(path, nursery):
    for number in range(4):
        nursery.write(path, f"p{number}", 50)
    told, done = [], 0
    while done < 4:
        line = nursery.line()
        done += line == "done"
        told.append(line)
    with Store(path) as store:
        store.check()
        assert store.count() == 200
        assert {kept.normal for kept in store.answers()} == {line for line in told if line.endswith(".example")}


def test_a_file_is_made_by_many_at_the_same_moment(tmp_path):
    problems = []

    def work(path, barrier):
        try:
            barrier.wait()
            Store(path).close()
        except Exception as error:  # noqa: BLE001 - shown by the test
            problems.append(error)

    for number in range(20):
        barrier = threading.Barrier(6)
        threads = [threading.Thread(target=work, args=(tmp_path / f"{number}.db", barrier)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert problems == []


def test_what_was_answered_survives_sigkill_in_the_middle_of_writing(path, nursery):
    reported, rng = [], seeded(11)
    for attempt in range(5):
        nursery.write(path, f"k{attempt}", 100_000)
        pid = int(nursery.line().removeprefix("pid "))
        reported += [nursery.line() for _ in range(rng.randrange(5, 60))]
        nursery.kill(pid)
        reported += nursery.lines_so_far()
        with Store(path) as store:
            store.check()
            assert {kept.normal for kept in store.answers()} >= set(reported)
    assert len(reported) == len(set(reported)) > 25


FORKED = """
import os, sys
from datetime import UTC, datetime
from toolkit.store.answers import Store
store = Store(sys.argv[1])
store.accept("service", "key of the parent")
with store.database.reading() as connection:
    pass
child = os.fork()
if child == 0:
    try:
        if sys.argv[2] == "use":
            assert store.knows("service", "key of the parent")
            store.accept("service", "key of the child")
        store.close()
        connection.total_changes  # raises if the parent's connection was closed, too
    except BaseException as error:
        os.write(2, repr(error).encode())
        os._exit(1)
    os._exit(0)
_, ended = os.waitpid(child, 0)
assert ended == 0
assert store.knows("service", "key of the child") == (sys.argv[2] == "use")
store.accept("service", "key of the parent, later")
store.check()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("how", ["use", "close"])
def test_a_store_can_be_used_and_closed_after_a_fork(path, how):
    run(FORKED, path, how)
    with Store(path) as store:
        store.check()
        assert store.knows("service", "key of the parent, later")


def test_a_store_travels_to_another_process_as_its_name_and_ages(path):
    with Store(path, fresh=Freshness(answers=7, endpoints={"enrich": 99})) as store:
        store.accept("service", "a key that is good")
        sent = pickle.dumps(store)
        with pickle.loads(sent) as other:
            assert (other.path, other.fresh) == (store.path, store.fresh)
            assert other.knows("service", "a key that is good")
    assert b"a key that is good" not in sent


def test_a_client_with_a_store_is_not_pickled(stub, path):
    with stub.client(store=path) as client, pytest.raises(errors.ConfigurationError, match="not pickled"):
        pickle.dumps(client)


# Opening and closing ------------------------------------------------------------------------------------------------


def test_a_client_closes_the_store_that_it_opened(stub, path):
    with stub.client(store=path) as client:
        store = client.store
        assert str(path) in repr(store)
    with pytest.raises(errors.StoreError) as caught:
        store.count()
    assert str(caught.value) == f"The store {path} is closed. Open it again with Store({str(path)!r})."


def test_a_client_leaves_a_store_open_that_it_was_given(stub, path):
    stub.reply(200, ASK["segment"][1])
    with Store(path) as store:
        for _ in range(2):
            with stub.client(store=store) as client:
                client.segment("a.example")
        assert store.count() == 1
    with pytest.raises(errors.StoreError, match="is closed"):
        store.check()
    store.close()


def test_the_file_stays_the_same_when_the_working_folder_changes(stub, tmp_path, monkeypatch):
    stub.reply(200, ASK["segment"][1])
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with stub.client(store="answers.db") as client:
        monkeypatch.chdir(tmp_path / "elsewhere")
        client.segment("a.example")
        assert client.store.path == tmp_path / "answers.db"
        assert client.store.count() == 1
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_nothing_beside_the_file_is_left_when_it_is_closed(stub, path):
    stub.reply(200, ASK["segment"][1])
    with stub.client(store=path) as client:
        client.segment("a.example")
    assert [found.name for found in path.parent.iterdir()] == ["answers.db"]


UNUSABLE = {
    "a folder that is not there": (lambda folder: folder / "none" / "answers.db", "unable to open database file"),
    "a folder": (lambda folder: folder, "unable to open database file"),
    "a path below a file": (lambda folder: folder / "text" / "answers.db", "unable to open database file"),
}


@pytest.mark.parametrize("what", list(UNUSABLE))
def test_a_place_where_no_file_can_be_is_said(tmp_path, what):
    (tmp_path / "text").write_text("words")
    build, words = UNUSABLE[what]
    with pytest.raises(errors.StoreError) as caught:
        Store(build(tmp_path))
    assert str(caught.value) == f"{build(tmp_path)} cannot be used ({words}). {ROOM}"


def test_a_name_that_no_file_can_have_is_said():
    with pytest.raises(errors.StoreError) as caught:
        Store("a\0b")
    assert str(caught.value) == "'a\\x00b' is no name of a file. Name another file for the stored answers."


def test_ages_that_are_no_freshness_are_refused(path):
    with pytest.raises(errors.InputError) as caught:
        Store(path, fresh=24)
    assert str(caught.value) == "fresh must be a Freshness, such as Freshness(answers=24), not 24."
    assert not path.exists()


FULL = """
import resource, signal, sys, httpx, toolkit as tk
from pathlib import Path
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
noise = b"".join(b"%d" % (number * 7919 % 1000003) for number in range(20000))
wire = httpx.MockTransport(lambda request: httpx.Response(200, content=b'{"status": 200, "b2b": {}, "n":"%b"}' % noise))
with tk.Client("fullkey77a1", "https://api.stub.example", store=sys.argv[1], transport=wire) as client:
    client.segment("before.example")
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, resource.RLIM_INFINITY))
    for name in ("one.example", "two.example"):
        try:
            client.segment(name)
        except tk.errors.StoreError as error:
            print(error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    client.segment("after.example")
    client.store.check()
    print(*[kept.normal for kept in client.store.answers()])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of files here")
def test_a_file_that_cannot_grow_is_said_and_goes_on_when_it_can_again(path):
    one, two, found = run(FULL, path).splitlines()
    for line in (one, two):
        assert line.startswith(f"{path} cannot be used (")
        assert line.endswith(f"). {ROOM}")
        assert "transaction" not in line
    assert found == "before.example after.example"


# Layouts ------------------------------------------------------------------------------------------------------------


def make_layout(path, version, application=APPLICATION_ID):
    """Make a file as an earlier toolkit left it, with an answer and, from layout 2 on, a run."""
    with closing(sqlite3.connect(path)) as connection:
        for statements in MIGRATIONS[:version]:
            connection.executescript(statements)
        body = zlib.compress(
            json.dumps({"status": 200, "demographics": {}, "edition": "of long ago", "filler": "x" * 300}).encode()
        )
        connection.execute("INSERT INTO question VALUES (7, 'embedded', 'segment', '{\"format\": \"structured\"}')")
        connection.execute(
            "INSERT INTO answer(id, question, subject, target, normal, fetched_at, status, http_status, credits, "
            "media, packed, body) VALUES (3, 7, 'a.example', 'A.example', 'a.example', 1793534400000000, 200, 200, 5, "
            "'application/json', 1, ?)",
            (body,),
        )
        connection.execute("INSERT INTO accepted VALUES ('https://x.example', x'01', x'02')")
        if version > 1:
            connection.execute("INSERT INTO run(id, digest, created_at, state) VALUES (4, 'digest', 1, 'open')")
            connection.execute("INSERT INTO asked VALUES (4, 0, 7)")
            connection.execute("INSERT INTO row(run, position, given) VALUES (4, 0, 'A.example')")
            connection.execute("INSERT INTO task(run, place, subject, target) VALUES (4, 0, 'a', 'A')")
        connection.execute(f"PRAGMA application_id = {application}")
        connection.execute(f"PRAGMA user_version = {version}")
        connection.commit()


def contents(path):
    """Return the rows of each table as dicts."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        tables = [row["name"] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        select_all = "SELECT * FROM {}".format
        return {table: [dict(row) for row in connection.execute(select_all(table))] for table in tables}


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS) + 1))
def test_a_file_of_an_earlier_layout_is_brought_to_the_newest_with_its_data(path, version):
    make_layout(path, version)
    before = contents(path)
    with Store(path) as store:
        store.check()
        [kept] = store.answers()
        assert json.loads(kept.body)["edition"] == "of long ago"
        assert (kept.id, kept.target, kept.credits_used) == (3, "A.example", 5)
        assert kept.fetched_at == datetime(2026, 11, 1, 12, tzinfo=UTC)
    after = contents(path)
    for table, rows in before.items():
        assert len(after[table]) == len(rows)
        # A later layout may have more columns.
        assert all(row.items() <= found.items() for row, found in zip(rows, after[table], strict=True))
    assert select(path, "PRAGMA user_version") == [(len(MIGRATIONS),)]
    with Store(path.with_name("new.db")):
        pass
    layout = "SELECT type, name, sql FROM sqlite_master ORDER BY name"
    assert select(path, layout) == select(path.with_name("new.db"), layout)


def test_an_answer_of_an_earlier_layout_is_served(path):
    make_layout(path, 1)
    with tk.Client(store=path) as client:
        answer = client.with_options(stale=True).segment("https://www.a.example")
    assert answer.raw["edition"] == "of long ago"
    assert answer.provenance.from_cache


def test_a_migration_that_fails_leaves_the_file_as_it_was(path, monkeypatch):
    make_layout(path, 1)
    before = contents(path)
    monkeypatch.setattr("toolkit.store.layout.MIGRATIONS", (*MIGRATIONS[:2], "CREATE TABLE batch(id); CREATE rubbish"))
    with pytest.raises(errors.StoreError, match="cannot be used"):
        Store(path)
    assert contents(path) == before
    assert select(path, "PRAGMA user_version") == [(1,)]
    monkeypatch.undo()
    with Store(path) as store:
        assert store.count() == 1


def test_a_file_of_a_newer_toolkit_is_left_alone(path):
    make_layout(path, len(MIGRATIONS))
    newer = len(MIGRATIONS) + 1
    change(path, f"PRAGMA user_version = {newer}")
    before = path.read_bytes()
    with pytest.raises(errors.StoreError) as caught:
        Store(path)
    assert str(caught.value) == (
        f"{path} was written by a newer toolkit (layout {newer}; this one knows {len(MIGRATIONS)}). "
        "Update the toolkit, or name another file."
    )
    assert path.read_bytes() == before


@pytest.mark.parametrize("application", [0, 0x12345678])
def test_a_database_of_another_program_is_left_alone(path, application):
    change(path, "CREATE TABLE answer(x)", "INSERT INTO answer VALUES (1)", f"PRAGMA application_id = {application}")
    before = path.read_bytes()
    with pytest.raises(errors.StoreError) as caught:
        Store(path)
    assert str(caught.value) == f"{path} is a database of another program. Name another file for the stored answers."
    assert path.read_bytes() == before
    assert [found.name for found in path.parent.iterdir()] == ["answers.db"]


@pytest.mark.parametrize("content", [b"target,code\na.example,1\n" * 40, b"\x00" * 4096, b"words"])
def test_a_file_that_is_no_database_is_left_alone(path, content):
    path.write_bytes(content)
    with pytest.raises(errors.StoreError) as caught:
        Store(path)
    assert str(caught.value) == f"{path} is damaged or no store (file is not a database). {RESCUE}"
    assert path.read_bytes() == content


# Damage -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a store with some answers, long and short."""
    path, rng = tmp_path_factory.mktemp("whole") / "answers.db", seeded(5)

    def answer(request):
        filler = rng.randbytes(rng.choice([0, 20, 400, 9_000])).hex()
        return httpx.Response(200, json={"status": 200, "demographics": {}, "filler": filler})

    with tk.Client("wholekey77a1", "https://api.stub.example", store=path, transport=httpx.MockTransport(answer)) as c:
        for number in range(60):
            c.segment(f"a{number}.example")
    return path.read_bytes()


def damage_of(path):
    """Open, read and check a file, and return the errors of it."""
    found = []
    for use in (lambda store: list(store.answers()), lambda store: store.check(), lambda store: store.count()):
        try:
            with Store(path) as store:
                use(store)
        except errors.StoreError as error:
            found.append(str(error))
    return found


def test_a_whole_file_has_no_damage(path, whole):
    path.write_bytes(whole)
    assert damage_of(path) == []


@pytest.mark.parametrize("part", [0.9, 0.5, 0.1])
def test_a_file_that_was_cut_off_is_said_to_be_damaged(path, whole, part):
    path.write_bytes(whole[: int(len(whole) * part)])
    found = damage_of(path)
    assert found
    assert all(error.startswith(f"{path} is damaged") and error.endswith(RESCUE) for error in found)


def test_pages_that_were_overwritten_are_found_by_the_check(path, whole):
    page = int.from_bytes(whole[16:18])
    for first in range(1, len(whole) // page, 7):
        path.write_bytes(whole[: first * page] + seeded(first).randbytes(page) + whole[(first + 1) * page :])
        found = damage_of(path)
        assert found, first
        assert all(error.startswith(f"{path} ") for error in found)


def test_whatever_is_damaged_no_foreign_error_is_raised(path, whole):
    rng = seeded(3)
    for _ in range(60):
        garbled = bytearray(whole)
        for _ in range(rng.choice([1, 3, 30])):
            start_at = rng.randrange(len(whole))
            garbled[start_at : start_at + 16] = rng.randbytes(min(16, len(whole) - start_at))
        path.write_bytes(garbled)
        damage_of(path)
        try:
            with tk.Client(store=path) as client:
                client.with_options(as_of="2099-01-01").segment("a7.example")
        except errors.ToolkitError:
            pass


def test_a_body_with_one_other_bit_is_found_and_never_served(path, stub):
    stub.reply(200, {"status": 200, "demographics": {}, "filler": seeded(2).randbytes(4000).hex()})
    with stub.client(store=path) as client:
        client.segment("a.example")
    [(body,)] = select(path, "SELECT body FROM answer")
    content = bytearray(path.read_bytes())
    content[content.index(body[-300:]) + 100] ^= 1
    path.write_bytes(content)
    with stub.client(store=path) as client:
        for use in (client.store.check, lambda: client.segment("a.example"), lambda: list(client.store.answers())):
            with pytest.raises(errors.StoreError) as caught:
                use()
            assert str(caught.value).startswith(f"{path} is damaged: answer 1 cannot be read (")
            assert str(caught.value).endswith(RESCUE)


def test_another_program_that_writes_for_too_long_is_said(path, monkeypatch, stub):
    monkeypatch.setattr("toolkit.store.database._PATIENCE", 0.05)
    stub.reply(200, ASK["segment"][1])
    with stub.client(store=path) as client, closing(sqlite3.connect(path, isolation_level=None)) as other:
        client.segment("a.example")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(errors.StoreError) as caught:
            client.segment("b.example")
        assert str(caught.value) == f"{path} is in use by another process for too long. Wait for it, or end it."
        assert client.segment("a.example").provenance.from_cache
        other.execute("ROLLBACK")
        client.segment("b.example")
        assert client.store.count() == 2


@pytest.mark.parametrize(
    "stated",
    [
        {},
        {"request_id": " r1 ", "vocab_version": 1.1, "credits_used": "1", "meta": {"request_id": "r2"}},
        {"request_id": ["x"], "meta": {"request_id": 12, "vocab_version": " "}, "credits": {"credits_used": 2.0}},
        {
            "request_id": "",
            "vocab_version": True,
            "credits_used": None,
            "meta": [],
            "credits": {"credits_used": "many"},
        },
        {"request_id": "half \ud83d", "credits_used": 10**30},
    ],
)
def test_a_run_writes_down_what_the_client_does_of_what_an_answer_states(stub, tmp_path, stated):
    answer = {"status": 200, "audience_type": "b2c", "demographics": {"age_bracket": ["25_34"]}, **stated}
    stub.reply(200, answer, {"x-request-id": "in the head"})
    with stub.client(store=tmp_path / "one.db") as client:
        client.segment("a.example")
    with stub.client(store=tmp_path / "many.db") as client:
        client.run(["a.example"], "segment").start(progress=False)
    kept = []
    for name in ("one.db", "many.db"):
        with tk.Store(tmp_path / name) as store:
            kept += [(one.request_id, one.vocab_version, one.credits_used) for one in store.answers("segment")]
    assert len(kept) == 2
    assert kept[0] == kept[1]


def test_an_odd_number_of_credits_loses_no_answer(stub, path):
    stub.reply(200, {"status": 200, "demographics": {}, "credits_used": 10**30})
    with stub.client(store=path) as client:
        assert client.segment("a.example").provenance.credits_used is None
        assert client.store.count() == 1
