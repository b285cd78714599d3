"""What an earlier toolkit kept as an answer, and is none today, is neither served nor shown as data."""

import gzip
import json
import sqlite3
from contextlib import closing

import pytest

import toolkit as tk
from toolkit.interface.errors import ServiceError

ERROR = b'{"url": null, "demographics": {}, "interests": [], "error": "Invalid API key", "code": 403}'
GOOD = {"demographics": {}, "interests": {"tier2": ["INT.PETS.DOGS"]}, "status": 200}
SITES = ["a.example", "b.example", "c.example"]


@pytest.fixture(autouse=True)
def vocabulary(stub):
    stub.vocabulary = {"age_bracket": ["18_24"], "interests": ["INT.PETS.DOGS"]}


@pytest.fixture
def path(tmp_path, stub):
    """A store with an answer for each site, of which the one for b.example is an error that was kept as an answer."""
    path = tmp_path / "answers.db"
    stub.reply(200, GOOD)
    with stub.client(store=path) as client:
        for site in SITES:
            client.segment(site)
    spoil(path)
    stub.again().reply(200, GOOD)
    return path


def spoil(path, body=ERROR):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE answer SET body = ?, packed = 0 WHERE subject = 'b.example'", (body,))


@pytest.mark.parametrize(
    "body", [ERROR, b"{}", b'{"status": "401 Unauthorized"}', b'{"url": "other.example"}', b"<html>"]
)
def test_a_client_asks_again(path, stub, body):
    spoil(path, body)
    with stub.client(store=path) as client:
        answers = [client.segment(site) for site in SITES]
    assert [answer.provenance.from_cache for answer in answers] == [True, False, True]
    assert len(stub.requests) == 1


def test_an_older_answer_that_is_one_is_served_in_its_place(path, stub):
    with stub.client(store=path) as client:
        client.segment("b.example")
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE answer SET body = ?, packed = 0 WHERE id = 4", (ERROR,))
            connection.execute("UPDATE answer SET body = ? WHERE id = 2", (json.dumps(GOOD).encode(),))
        assert client.segment("b.example").provenance.from_cache


def test_what_is_stored_of_the_page_itself_is_still_served(stub, tmp_path):
    stub.reply(200, {"status": 411})
    with stub.client(store=tmp_path / "answers.db") as client:
        for _ in range(2):
            with pytest.raises(ServiceError):
                client.segment("a.example")
    assert len(stub.requests) == 1


def test_a_run_asks_again_and_its_plan_says_so(path, stub):
    with stub.client(store=path) as client, client.run(SITES, "segment") as run:
        plan = run.plan()
        assert (plan.questions[0].stored, plan.to_send) == (2, 1)
        codes = run.start(progress=False).codes()
        assert codes["from_cache"].tolist() == [True, False, True]
    assert [request.method for request in stub.requests] == ["POST"]


def resumed(path, stub):
    """Return a client and a run that was stopped after two of three sites, and was kept by an earlier toolkit."""
    with stub.client(store=path) as client, client.run([*SITES, "d.example"], "segment", budget=0) as run:
        run.start(progress=False)
        assert run.progress.stored == 2
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE task SET state = 3, status = 200, answer = 2 WHERE subject = 'b.example'")
    client = stub.client(store=path)
    return client, client.run([*SITES, "d.example"], "segment")


def test_a_run_that_is_gone_on_with_shows_no_error_as_data_and_asks_again(path, stub):
    stub.again().reply(200, {**GOOD, "credits_used": 1})
    client, run = resumed(path, stub)
    with client, run:
        client.segment("e.example")
        frame = run.codes()
        assert set(frame["target"][frame["error"].isna()]) == {"a.example", "c.example"}
        assert list(run.failures()["target"]) == ["b.example", "d.example"]
        assert run.failures()["error"][0].startswith("What an earlier version kept as its answer is none.")
        assert run.progress.stored == 2
        run.start(progress=False)
        assert run.failures().empty
        assert [outcome.status for outcome in run.outcomes()] == [200] * 4


@pytest.mark.parametrize("body", [ERROR, b"{}", b'{"url": "x.example", "personas": ["A"]}'])
def test_a_saved_run_shows_an_error_that_was_kept_as_a_failure(path, stub, body, tmp_path):
    with stub.client(store=path) as client, client.ask(SITES, "segment") as run:
        saved = run.save(tmp_path / "run.gz")
    lines = [json.loads(line) for line in gzip.decompress(saved.read_bytes()).splitlines()]
    for line in lines:
        if line.get("normal") == "b.example":
            line["raw"] = body.decode()
    saved.write_bytes(gzip.compress(b"\n".join(json.dumps(line).encode() for line in lines)))
    again = tk.load_run(saved)
    assert list(again.failures()["target"]) == ["b.example"]
    assert again.audiences()["error"].notna().tolist() == [False, True, False]
    assert again.sites()["error"].notna().tolist() == [False, True, False]


def test_a_saved_run_of_legacy_answers_is_looked_at_as_such(stub, tmp_path):
    stub.reply(200, {"audience": "everyone", "status": 200}).reply(200, {"interests": {"tier2": ["INT.PETS.DOGS"]}})
    with (
        stub.client() as client,
        client.ask(SITES[:1], "segment", options={"segment": {"format": "legacy"}}) as run,
    ):
        saved = run.save(tmp_path / "run.gz")
    assert tk.load_run(saved).failures().empty
