"""Runs in batches: submitted once, waited for, mapped back, reconciled, and gone on with after any end."""

import _thread
import asyncio
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pandas as pd
import pytest

import toolkit as tk
from toolkit.interface import calls as endpoints
from toolkit.interface.errors import (
    ConfigurationError,
    FetchFailedError,
    InputError,
    InsufficientContentError,
    NotFoundError,
    QuotaExceededError,
    ServerError,
    TargetError,
)
from toolkit.interface.models import Categorization, WebhookEvent
from toolkit.net.blocking import start_background
from toolkit.runs.batches import Batches
from toolkit.service.samples import sample_sites
from toolkit.store.answers import Store
from toolkit.webhooks.inbox import Inbox
from toolkit.webhooks.receiver import Receiver

HOSTS = [site.host for site in sample_sites()]
QUICK = Batches(poll=(0.02, 0.2))
BASE = "https://v1.batches.example"
SERVED = ("--key", "served-batches", "--key", "killed-batches")
KEY = "batchkey7f20c9d14ab8"
SECRET = "whs-77ab20c9d14f8e55"


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(endpoints, "MOST_BATCH_DOMAINS", 20)


class Faked:
    """A service of batches that finishes each at once; `change` may answer a request in its place."""

    def __init__(self):
        self.submitted = []
        self.fetched = Counter()
        self.change = lambda request, number: None
        self.results_url = "{base}/v1/batch/{id}/results"
        self.items = self.item_for
        self.state = "completed"
        self.stated, self.credits, self.total, self.left = "job", None, None, 1000

    @staticmethod
    def item_for(domains):
        return [item_of(domain) for domain in domains]

    async def answer(self, request):
        if request.method == "POST":
            reply = self.change(request, len(self.submitted))
            reply = await reply if asyncio.iscoroutine(reply) else reply
            self.submitted.append(json.loads(request.content)["domains"])
            name = f"b{len(self.submitted)}"
            body = {"batch_id": name, "results_url": self.results_url.format(base=BASE, id=name)}
            return reply or httpx.Response(200, json=body)
        name = request.url.path.split("/")[-2]
        self.fetched[name] += 1
        reply = self.change(request, self.fetched[name])
        items = self.items(self.submitted[int(name[1:]) - 1])
        body = {"batch_id": name, "state": self.state, "results": items}
        return reply or httpx.Response(200, json={**body, **self.costs(items)})

    def costs(self, items):
        """Let the items state what they have cost, and return what the job states."""
        if self.credits is None and self.total is None:
            return {}
        answered = [item for item in items if isinstance(item, dict) and item.get("status") == 200]
        total = len(answered) * self.credits if self.total is None else self.total
        self.left -= total
        if self.stated in {"items", "both"}:
            for item in answered:
                item["meta"] = {"credits_used": self.credits}
        own = {
            "job": {"credits_used": total},
            "both": {"credits_used": total},
            "meta": {"meta": {"credits_used": total}},
        }
        return {"remaining_credits": self.left, **own.get(self.stated, {})}

    def client(self, kind=tk.Client, **settings):
        retries = tk.Retries(attempts=2, first_wait=0.0, longest_wait=0.0)
        given = {"v1_api_key": KEY, "v1_base_url": BASE, "retries": retries}
        return kind(**{**given, "transport": httpx.MockTransport(self.answer), **settings})


@pytest.fixture
def faked():
    return Faked()


def item_of(domain, **other):
    return {"domain": domain, "status": 200, "categories": [{"id": "150", "name": domain, "confidence": 0.5}], **other}


def names(count, start=0):
    return [f"site{number}.example" for number in range(start, start + count)]


def ask(client, domains, by=QUICK, **given):
    return client.ask(domains, "categorize", by=by, **given)


def stands(run):
    """Domains with an answer or a fact about their page, failed ones, and those that are left to the next call."""
    progress = run.progress
    found = (progress.answered + progress.stored, progress.failed, progress.total - progress.done)
    assert progress.state == ("stopped" if progress.reason else "finished")
    assert found[2] == 0 or progress.reason
    return found


def answers(run):
    return sum(1 for outcome in run.outcomes() if outcome.answer is not None)


def adds_up(run):
    outcomes = run.outcomes()
    # Blank entries are no failures.
    told = answers(run) + len(run.failures()) + run.counts().blank
    return run.inputs == len(outcomes) == told and sum(stands(run)) == run.progress.total


# The real service ---------------------------------------------------------------------------------------------------

INPUTS = [*HOSTS, "no domain at all", HOSTS[0], f"https://www.{HOSTS[1].upper()}/page?x=1", "nowhere.example", ""]


def check_inputs(run, client):
    assert adds_up(run)
    assert (run.progress.reason, stands(run)[2], run.unknown) == ("", 0, [])
    assert [outcome.target for outcome in run.outcomes()] == INPUTS
    assert len(set(run.batches)) == 4
    alone = {host: client.categorize(host) for host in HOSTS[:5]}
    for outcome in run.outcomes():
        domain = "" if isinstance(outcome.error, TargetError) else tk.Target.parse(outcome.target).domain
        if outcome.answer is not None:
            assert isinstance(outcome.answer, Categorization)
            assert outcome.answer.provenance.endpoint == "categorize"
            assert (outcome.answer.domain, outcome.answer.provenance.normal) == (domain, domain)
        if domain in alone:
            assert outcome.answer.categories == alone[domain].categories
    by_status = Counter(outcome.status for outcome in run.outcomes())
    assert by_status == {200: answers(run), 410: 3, 411: 4, None: 2}


def test_every_input_has_its_outcome_in_order_whatever_it_is(client, small):
    run = ask(client, INPUTS)
    check_inputs(run, client)
    outcomes = run.outcomes()
    assert isinstance(outcomes[-2].error, FetchFailedError)
    assert isinstance(outcomes[-1].error, TargetError)
    assert any(isinstance(outcome.error, InsufficientContentError) for outcome in outcomes)
    frame, same = run.categories(), tk.frames.categories(outcomes)
    for column in ("row", "target", "status", "error", "id", "level_1", "confidence", "request_id", "fetched_at"):
        pd.testing.assert_series_equal(frame[column], same[column])
    assert frame[frame["row"] == len(HOSTS) + 1]["id"].tolist() == frame[frame["row"] == 0]["id"].tolist()
    assert run.failures()["row"].tolist() == [
        n for n, outcome in enumerate(outcomes) if outcome.error and outcome.target
    ]


def test_it_is_the_same_over_a_service_in_another_process(serve, small, tmp_path):
    served = serve(*SERVED)
    with tk.Client(v1_api_key="served-batches", v1_base_url=served.v1_base, store=tmp_path / "kept.db") as client:
        check_inputs(ask(client, INPUTS), client)


def test_the_asynchronous_client_does_the_same(small):
    async def main():
        async with tk.AsyncClient() as client:
            return await ask(client, HOSTS[:30])

    run = asyncio.run(main())
    assert (run.progress.total, len(run.batches), run.progress.reason) == (30, 2, "")


def test_a_file_of_domains_is_read_by_its_column(client, tmp_path):
    path = tmp_path / "sites.csv"
    path.write_text(f"name,site\none,{HOSTS[0]}\ntwo,{HOSTS[1]}\n")
    run = ask(client, path, column="site")
    assert [outcome.target for outcome in run.outcomes()] == HOSTS[:2]
    assert run.table["name"].tolist() == ["one", "two"]


@pytest.mark.parametrize("listens", ["receiver", "inbox"])
def test_a_notification_wakes_whoever_waits(listens):
    settings = tk.service.Settings(keys=("k",), allow_private=True)
    with tk.Client(embedded=settings) as client, Receiver(SECRET) as receiver:
        given = {"receiver": receiver} if listens == "receiver" else {"receiver": receiver.inbox}
        given |= {} if listens == "receiver" else {"webhook_url": receiver.url}
        # Without the notification it would be asked for only after the time allowed.
        run = ask(client, HOSTS[:5], Batches(webhook_secret=SECRET, poll=(3000, 3000), **given))
        assert [event.event for event in receiver.inbox.events] == ["batch.completed"]
    assert (answers(run), run.progress.reason) == (5, "")


def test_a_used_up_quota_stops_it_and_the_partial_results_count(tmp_path):
    settings = tk.service.Settings(keys=("k",), monthly_quota=3)
    with tk.Client(embedded=settings, store=tmp_path / "kept.db") as client:
        run = ask(client, HOSTS[12:20])
        assert adds_up(run)
        assert (stands(run), run.progress.reason) == ((3, 0, 5), "the quota is used up (403)")
        assert run.progress.credits_used == run.categories()["credits_used"].sum() == 3
        refused = [outcome.error for outcome in run.outcomes() if outcome.answer is None]
    assert len(refused) == 5
    assert all(isinstance(error, QuotaExceededError) for error in refused)
    assert all("the monthly quota of 3 answers is used up" in str(error) for error in refused)
    # Another process has another embedded service, and the same file.
    with tk.Client(store=tmp_path / "kept.db") as client:
        again = ask(client, HOSTS[12:20])
        assert (stands(again), again.progress.reason, len(again.batches)) == ((8, 0, 0), "", 2)
        assert again.progress.credits_used == again.categories()["credits_used"].sum() == 8


def test_batches_of_an_embedded_service_that_is_gone_are_submitted_again(tmp_path, small):
    # A remote service keeps its batches; this one keeps them in the memory of a process that was ended.
    with tk.Client(store=tmp_path / "kept.db") as client:
        run = ask(client, HOSTS[:5], Batches(poll=(0.001, 0.001), timeout=0.001))
        assert (stands(run), len(run.batches)) == ((0, 0, 5), 1)
    with tk.Client(store=tmp_path / "kept.db") as client:
        run = ask(client, HOSTS[:5])
        assert (answers(run), len(run.batches), run.progress.credits_used) == (5, 1, 5)


# Mapping back -------------------------------------------------------------------------------------------------------


def test_results_out_of_order_short_doubled_and_unknown_are_reconciled(faked):
    def items(domains):
        odd = [None, "text", {"status": 200}, item_of("stranger.example"), item_of("not a domain")]
        failed = {"domain": domains[0], "status": 500, "error": "it broke"}
        bad = {"domain": domains[1], "status": 200, "categories": "none"}
        facts = [{"domain": domains[2], "status": "error", "code": 411}, {"domain": domains[3], "error": "no words"}]
        doubled = [{"domain": domains[4], "status": 500}, item_of(domains[4]), item_of(domains[4], categories=[])]
        good = [item_of(f"HTTPS://WWW.{domain.upper()}/") for domain in domains[5:-2]]
        return [*odd, *reversed([failed, bad, *facts]), *doubled, *reversed(good)]

    faked.items = items
    given = [*names(12), "site6.example"]
    with faked.client() as client:
        run = ask(client, given)
        assert adds_up(run)
        outcomes = run.outcomes()
        assert [outcome.status for outcome in outcomes] == [500, None, 411, 500, *[200] * 6, None, None, 200]
        # A fact about a page is known for good; of 12 domains five failed, two of them as nothing came.
        assert (answers(run), stands(run)) == (7, (7, 5, 0))
        assert [entry.get("domain") for entry in run.unknown] == [None, "stranger.example", "not a domain"]
        for outcome, domain in zip(outcomes, given, strict=True):
            if outcome.answer is not None:
                assert outcome.answer.categories[0].name in {domain, f"HTTPS://WWW.{domain.upper()}/"}
        assert isinstance(outcomes[0].error, ServerError)
        assert "it broke" in str(outcomes[0].error)
        missing = [n for n, outcome in enumerate(outcomes) if "The service returned no result" in str(outcome.error)]
        assert missing == [10, 11]
        frame = run.categories()
    assert frame["row"].tolist() == list(range(13))
    assert frame["status"].isna().sum() == 3


def test_domains_are_submitted_once_each_in_chunks(faked, monkeypatch):
    monkeypatch.setattr(endpoints, "MOST_BATCH_DOMAINS", 7)
    given = [*names(30), *(f"www.{name}" for name in names(30)), "site3.example/page", "???"]
    with faked.client() as client:
        run = ask(client, given)
        assert (len(run.outcomes()), answers(run), len(run.failures())) == (62, 61, 1)
    assert [len(domains) for domains in faked.submitted] == [7, 7, 7, 7, 2]
    assert sorted(domain for domains in faked.submitted for domain in domains) == sorted(names(30))


def test_no_more_than_a_few_batches_are_under_way(faked, monkeypatch):
    monkeypatch.setattr(endpoints, "MOST_BATCH_DOMAINS", 1)
    ended, most = set(), []

    def change(request, number):
        if request.method == "POST":
            most.append(number + 1 - len(ended))
        elif number < 3:
            return httpx.Response(200, json={"state": "processing", "results": []})
        else:
            ended.add(request.url.path)
        return None

    faked.change = change
    with faked.client() as client:
        assert answers(ask(client, names(12), Batches(poll=(0.001, 0.01)))) == 12
    assert max(most) == 4


def test_a_job_that_failed_gives_what_it_has(faked):
    faked.state = "failed"
    faked.items = lambda domains: [item_of(domains[0])]
    with faked.client() as client:
        run = ask(client, names(3))
        assert (stands(run), run.progress.reason) == ((1, 2, 0), "")
        words = run.failures()["error"]
    assert words.str.startswith("The service returned no result for this domain").tolist() == [True, True]


def test_results_of_another_batch_are_not_taken(faked):
    def change(request, number):
        wrong = {"batch_id": "b99", "state": "completed", "results": [item_of("site0.example", categories=[])]}
        return httpx.Response(200, json=wrong) if request.method == "GET" and number == 1 else None

    faked.change = change
    with faked.client() as client:
        [outcome] = ask(client, names(1)).outcomes()
    assert len(outcome.answer.categories) == 1
    assert faked.fetched == {"b1": 2}


# The store ----------------------------------------------------------------------------------------------------------


def test_answers_are_stored_for_single_questions_and_used_before_submitting(faked, tmp_path):
    def items(domains):
        found = {"site1.example": {"domain": "site1.example", "status": 410, "error": "few words"}}
        return [found.get(domain, item_of(domain)) for domain in domains]

    faked.items = items
    with faked.client(store=tmp_path / "kept.db") as client:
        ask(client, names(3))
        answer = client.categorize("site0.example")
        assert (answer.provenance.from_cache, answer.categories[0].name) == (True, "site0.example")
        with pytest.raises(InsufficientContentError):
            client.categorize("site1.example")
        outcomes = ask(client, names(4)).outcomes()
        assert faked.submitted == [names(3), ["site3.example"]]
        assert [outcome.answer.provenance.from_cache for outcome in outcomes if outcome.answer] == [True, True, False]
        assert outcomes[1].status == 410
        ask(client.with_options(refresh=True), names(4))
        assert faked.submitted[2:] == [names(4)]
        ask(client.with_options(max_age=0), names(2))
        assert faked.submitted[3:] == [names(2)]
        ask(client, names(2), refresh=True)
        assert faked.submitted[4:] == [names(2)]


def test_stored_answers_are_not_given_to_a_key_that_was_never_accepted(faked, tmp_path):
    with faked.client(store=tmp_path / "kept.db") as client:
        ask(client, names(2))
    faked.change = lambda request, number: httpx.Response(401, json={"status": 401, "error": "who is that"})
    with faked.client(v1_api_key="another-key-5521ab", store=tmp_path / "kept.db") as client:
        run = ask(client, names(2))
        assert (stands(run), run.progress.reason) == ((0, 0, 2), "the key was refused (401)")
        failures = run.failures()
        assert failures["status"].tolist() == [401, 401]
        assert failures["error"].str.contains("who is that").all()


def test_what_one_key_was_answered_is_not_told_to_another_that_goes_on(faked, tmp_path, monkeypatch):
    def shows_nothing(run):
        for show in (run.outcomes, run.categories, run.failures, lambda: run.unknown, lambda: list(run.results())):
            with pytest.raises(ConfigurationError, match="The service has not accepted this key yet"):
                show()

    monkeypatch.setattr(endpoints, "MOST_BATCH_DOMAINS", 1)
    store = tmp_path / "kept.db"
    faked.items = lambda domains: [*map(item_of, domains), item_of("stranger.example")]
    faked.change = lambda request, number: httpx.Response(429) if "b2" in request.url.path else None
    with faked.client(store=store) as client:
        run = ask(client, names(2), Batches(poll=QUICK.poll, timeout=0.1))
        assert (answers(run), stands(run)) == (1, (1, 0, 1))
    faked.change = lambda request, number: httpx.Response(401, json={"status": 401})
    with faked.client(v1_api_key="another-key-5521ab", store=store) as client:
        run = ask(client, names(2))
        assert (stands(run), run.progress.reason) == ((1, 0, 1), "the key was refused (401)")
        shows_nothing(run)
    faked.change = lambda request, number: None
    with faked.client(store=store) as client:
        run = ask(client, names(2))
        assert (answers(run), len(run.unknown)) == (2, 2)
    assert len(faked.submitted) == 2
    with Store(store) as kept, kept.database.writing() as connection:
        connection.execute("UPDATE run SET state = 'open'")  # as after an end just before the end
    with faked.client(v1_api_key="a-third-key-90817263", store=store) as client:
        shows_nothing(ask(client, names(2)))
        assert answers(ask(client, names(2))) == 2
    assert len(faked.submitted) == 4


def test_what_failed_is_submitted_again_by_the_next_call(faked, tmp_path):
    faked.items = lambda domains: [{"domain": domains[0], "status": 500}, *map(item_of, domains[2:])]
    with faked.client(store=tmp_path / "kept.db") as client:
        assert answers(ask(client, names(4))) == 2
        faked.items = faked.item_for
        assert answers(ask(client, names(4))) == 4
    assert faked.submitted == [names(4), names(2)]


def test_what_failed_is_submitted_again_by_retry_failed(faked):
    faked.items = lambda domains: [{"domain": domains[0], "status": 500}, *map(item_of, domains[2:])]
    with faked.client() as client, client.run(names(4), "categorize", by=QUICK) as run:
        assert stands(run.start(progress=False)) == (2, 2, 0)
        faked.items = faked.item_for
        assert stands(run.retry_failed(progress=False)) == (4, 0, 0)
        assert answers(run) == 4
    assert faked.submitted == [names(4), names(2)]


def test_no_domains_are_no_batch(faked):
    with faked.client() as client:
        run = ask(client, ["", "no domain"])
        assert (len(run.outcomes()), len(run.failures()), run.progress.reason) == (2, 1, "")
        none = ask(client, [])
        assert (none.inputs, len(none.categories())) == (0, 0)
    assert not faked.submitted


def test_neither_key_nor_secret_is_in_the_file_or_shown(faked, tmp_path):
    how = Batches(webhook_url="https://hooks.example/x", webhook_secret=SECRET, poll=QUICK.poll)
    with faked.client(store=tmp_path / "kept.db") as client:
        run = ask(client, names(2), how)
        shown = f"{how!r}{how}{run!r}{run.plan()!r}{run.progress!r}{vars(run)}"
        run.categories().to_csv(tmp_path / "frame.csv")
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for secret in (KEY, SECRET):
        assert secret.encode() not in written
        assert secret not in shown


def test_two_at_a_time_are_refused(faked, tmp_path):
    store, refused = tmp_path / "kept.db", []

    async def second():
        async with faked.client(tk.AsyncClient) as other:
            with pytest.raises(ConfigurationError) as caught:
                await ask(other, names(2), store=store)
            refused.append(caught.value)

    faked.change = lambda request, number: second() if request.method == "POST" else None
    with faked.client() as client:
        assert answers(ask(client, names(2), store=store)) == 2
    assert len(refused) == len(faked.submitted) == 1


def test_a_run_of_the_same_inputs_does_not_take_up_a_batch(faked, tmp_path):
    faked.change = lambda request, number: httpx.Response(404, json={}) if request.method == "GET" else None
    with faked.client(store=tmp_path / "kept.db") as client:
        assert ask(client, names(2)).progress.reason
        with client.run(names(2), "categorize") as run:
            assert not run.plan().resumed
        with client.run(names(2), "categorize", by="batch") as run:
            assert run.plan().resumed


# Where results are --------------------------------------------------------------------------------------------------

FOREIGN = (
    "https://results.attacker.example/v1/batch/b1/results?token=s3cr3t",
    "https://v1.batches.example:8443/v1/batch/b1/results",
    "http://v1.batches.example/v1/batch/b1/results",
    "https://v1.batches.example@evil.example/x",
    "//evil.example/v1/batch/b1/results",
    "http://169.254.169.254/latest/meta-data",
    "https://[::1]/x",
    "https://localhost/x",
    "file:///etc/passwd",
    "https://[bad",
)


@pytest.mark.parametrize("url", FOREIGN)
def test_results_said_to_be_elsewhere_are_asked_for_by_their_identifier_alone(faked, tmp_path, url):
    asked = []
    faked.results_url = url.replace("{", "{{")
    faked.change = lambda request, number: asked.append(str(request.url))
    with faked.client(store=tmp_path / "kept.db") as client:
        run = ask(client, names(2))
        assert (answers(run), run.progress.reason) == (2, "")
    assert asked == [f"{BASE}/v1/batch", f"{BASE}/v1/batch/b1/results"]


@pytest.mark.parametrize("url", ["", "/v1/batch/{id}/results", "HTTPS://V1.Batches.example:443/v1/batch/{id}/results"])
def test_an_address_of_the_base_url_is_fine_however_it_is_written(faked, url):
    faked.results_url = url
    with faked.client() as client:
        assert answers(ask(client, names(2))) == 2


def event_of(name, number=1, **data):
    return WebhookEvent(event=name, timestamp="2026-01-01T00:00:00Z", webhook_id=f"wh_{number}", data=data)


def listening(inbox):
    return Batches(inbox, "https://hooks.example/x", SECRET, poll=QUICK.poll)


def test_a_notification_of_results_elsewhere_is_followed_by_the_identifier_alone(faked):
    asked, inbox = [], Inbox()
    inbox.take(event_of("batch.completed", batch_id="b1", results_url="http://10.0.0.8/v1/batch/b1/results"))
    faked.change = lambda request, number: asked.append(request.url.host)
    with faked.client() as client:
        assert answers(ask(client, names(2), listening(inbox))) == 2
    assert set(asked) == {"v1.batches.example"}


def test_partial_results_in_a_notification_serve_where_the_job_has_none(faked):
    inbox = Inbox()
    inbox.take(event_of("batch.other", 1, batch_id="b1", partial_results=[]))
    partial = {"partial_results": [item_of("site1.example")], "credits_used": 3}
    inbox.take(event_of("batch.failed", 2, batch_id="b1", **partial))
    faked.change = lambda request, number: httpx.Response(404, json={}) if request.method == "GET" else None
    with faked.client() as client:
        run = ask(client, names(3), listening(inbox))
        assert [outcome.status for outcome in run.outcomes()] == [None, 200, None]
        assert run.progress.credits_used == run.categories()["credits_used"].sum() == 3
        assert (stands(run), run.progress.reason) == ((1, 2, 0), "")


# Going on -----------------------------------------------------------------------------------------------------------


def test_what_passes_is_waited_for(faked):
    replies = [
        httpx.Response(200, json={"state": "processing", "results": [item_of("site0.example", categories=[])]}),
        httpx.Response(200, json={"status": "processing", "results": []}),
        httpx.Response(503),
        httpx.Response(429, headers={"retry-after": "0"}),
        httpx.Response(200, content=b"<html>"),
        httpx.Response(200, content=b""),
    ]

    def change(request, number):
        return replies[number - 1] if request.method == "GET" and number <= len(replies) else None

    faked.change = change
    with faked.client() as client:
        [outcome] = ask(client, names(1), Batches(poll=(0.001, 0.01))).outcomes()
    assert len(outcome.answer.categories) == 1
    assert faked.fetched["b1"] == len(replies) + 1


def test_a_longer_wait_than_the_time_allowed_is_not_begun(faked):
    later = httpx.Response(429, headers={"retry-after": "200000"})
    faked.change = lambda request, number: later if request.method == "GET" else None
    with faked.client() as client:
        progress = ask(client, names(2)).progress
    assert (progress.total, progress.done) == (2, 0)
    assert progress.reason.startswith("batch b1 was not finished within 3600 s.")
    assert "asks to wait 200000 s" in progress.reason


def test_a_batch_that_takes_too_long_is_fetched_by_the_same_call_later(faked, tmp_path):
    faked.state = "processing"
    with faked.client(store=tmp_path / "kept.db") as client:
        run = ask(client, names(2), Batches(timeout=0.05, poll=(0.01, 0.01)))
        assert (stands(run)[2], run.progress.reason) == (2, "batch b1 was not finished within 0.05 s.")
        assert "No result yet" in str(run.outcomes()[0].error)
        assert run.progress.reason.rstrip(".") in str(run.outcomes()[0].error)
        faked.state = "completed"
        assert answers(ask(client, names(2))) == 2
    assert len(faked.submitted) == 1


@pytest.mark.parametrize("second", [httpx.Response(403, json={"error": "nothing is left"}), httpx.Response(429), None])
def test_a_submission_that_is_refused_stops_it_and_the_same_call_goes_on(faked, tmp_path, small, second):
    def change(request, number):
        if request.method == "POST" and number >= 1:
            if second is None:
                raise httpx.ConnectError("no way")
            return second
        return None

    faked.change = change
    with faked.client(store=tmp_path / "kept.db") as client:
        run = ask(client, names(50))
        assert adds_up(run)
        assert stands(run) == (20, 0, 30)
        assert "may have been taken" not in run.progress.reason
        refused = run.outcomes()[-1]
        if second is not None and second.status_code == 403:
            assert (run.progress.reason, refused.status) == ("the quota is used up (403)", 403)
            assert "nothing is left" in str(refused.error)
        else:
            assert refused.status is None
            assert run.progress.reason.rstrip(".") in str(refused.error)
        faked.change = lambda request, number: None
        faked.submitted.clear()
        faked.fetched.clear()
        run = ask(client, names(50))
        assert (answers(run), run.progress.reason) == (50, "")
    assert faked.submitted == [names(20, 20), names(10, 40)]


@pytest.mark.parametrize("lost", [httpx.ReadError("gone"), httpx.Response(500), httpx.Response(200, content=b"{")])
def test_a_submission_that_was_not_answered_is_not_sent_again_by_the_same_call(faked, tmp_path, lost):
    def change(request, number):
        if request.method == "POST" and isinstance(lost, Exception):
            raise lost
        return lost if request.method == "POST" else None

    requests = []
    faked.change = lambda request, number: requests.append(request) or change(request, number)
    with faked.client(store=tmp_path / "kept.db") as client:
        run = ask(client, names(2))
        assert stands(run) == (0, 0, 2)
        assert "may have been taken" in run.progress.reason
        assert "may have been taken" in str(run.outcomes()[0].error)
        assert len(requests) == 1
        faked.change = lambda request, number: None
        assert answers(ask(client, names(2))) == 2


def test_a_batch_that_the_service_does_not_know_is_told_and_submitted_by_the_next_call(faked, tmp_path):
    gone = httpx.Response(404, json={"error": "there is no batch"})
    faked.change = lambda request, number: gone if request.method == "GET" else None
    with faked.client(store=tmp_path / "kept.db") as client:
        run = ask(client, names(2))
        assert run.progress.reason.startswith("the service does not know batch b1 (404)")
        assert isinstance(run.outcomes()[0].error, NotFoundError)
        assert (stands(run), len(run.failures()), len(faked.submitted)) == ((0, 0, 2), 2, 1)
        faked.change = lambda request, number: None
        assert answers(ask(client, names(2))) == 2
    assert len(faked.submitted) == 2


def test_domains_that_the_quota_left_out_of_a_batch_are_submitted_by_the_next_call(faked, tmp_path):
    words = {"status": 403, "error": "that was all"}
    faked.items = lambda domains: [item_of(domains[0]), *({"domain": name, **words} for name in domains[1:])]
    with faked.client(store=tmp_path / "kept.db") as client:
        run = ask(client, names(3))
        assert (stands(run), run.progress.reason) == ((1, 0, 2), "the quota is used up (403)")
        failures = run.failures()
        assert failures["status"].tolist() == [403, 403]
        assert failures["error"].str.contains("that was all").all()
        faked.items = faked.item_for
        assert answers(ask(client, names(3))) == 3
    assert faked.submitted == [names(3), names(2, 1)]


def test_an_interrupt_stops_it_and_the_same_call_goes_on(faked, tmp_path):
    def change(request, number):
        if request.method == "GET" and number == 1:
            _thread.interrupt_main()

    faked.state, faked.change = "processing", change
    with faked.client(store=tmp_path / "kept.db") as client:
        with pytest.raises(KeyboardInterrupt) as caught:
            ask(client, names(2))
        run = caught.value.run
        assert (stands(run), run.progress.reason) == ((0, 0, 2), "interrupted")
        faked.state = "completed"
        assert answers(ask(client, names(2))) == 2
    assert len(faked.submitted) == 1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"timeout": 0}, "timeout must be a number of seconds above 0 up to 2,678,400, not 0"),
        ({"timeout": True}, "timeout must be a number of seconds above 0 up to 2,678,400, not True"),
        ({"poll": 3}, "poll must be two numbers"),
        ({"poll": (5, 1)}, "poll must be two numbers"),
        ({"poll": (0, 1)}, "poll must be two numbers"),
        ({"receiver": Inbox()}, "Pass webhook_secret"),
        ({"webhook_secret": "x"}, "Pass webhook_url"),
        ({"webhook_url": "no address"}, "no address"),
        ({"column": "url"}, "column='url' is for"),
    ],
)
def test_an_argument_that_cannot_work_is_refused_before_anything_is_sent(faked, given, words):
    of_run = {"column": given.pop("column")} if "column" in given else {}
    with faked.client() as client, pytest.raises(InputError, match=words):
        ask(client, names(1), Batches(**given), **of_run)
    assert not faked.submitted


def test_a_store_as_of_a_time_has_no_batches(faked, tmp_path):
    with faked.client(store=tmp_path / "kept.db") as client, pytest.raises(InputError, match="as_of"):
        client.with_options(as_of="2026-01-01").run(names(1), "categorize", by="batch")
    assert not faked.submitted


@pytest.mark.parametrize(
    ("ask_for", "by", "words"),
    [
        ("segment", "batch", "Batches ask categorize alone, not segment"),
        (["categorize", "enrich"], QUICK, "Batches ask categorize alone, not categorize, enrich"),
        ("categorize", "batches", "by must be 'request', 'batch' or Batches"),
        ("categorize", None, "by must be"),
    ],
)
def test_batches_ask_for_categories_alone(client, ask_for, by, words):
    with pytest.raises(InputError, match=words):
        client.run(names(1), ask_for, by=by)


def test_a_run_shows_its_sums_and_why_it_stopped(faked):
    later = httpx.Response(503, json={"error": "later"})
    faked.change = lambda request, number: later if request.method == "POST" else None
    with faked.client() as client, client.run(names(2), "categorize", by=QUICK) as run:
        run.start(progress=True)
        shown = repr(run)
    assert shown.startswith(
        "<Run of topics of the domain over list: 2 different sites: 2 not asked yet; stopped: 0 of 2 questions done, "
        "0 credits used, a batch was submitted"
    )
    assert "later" in shown


# As any run ---------------------------------------------------------------------------------------------------------


def test_a_run_in_batches_is_planned(faked, tmp_path):
    given = [*names(30), "site0.example/page", "no domain"]
    with faked.client(store=tmp_path / "kept.db") as client:
        with client.run(given, "categorize", by="batch") as run:
            plan = run.plan()
        assert (str(plan.counts), plan.to_send) == (
            "32 entries: 30 different sites, 1 repeated, 1 is no web address; of the 30: 30 not asked yet",
            30,
        )
        assert (plan.stored, plan.credits_worst, plan.resumed) == (0, None, False)
        faked.credits = 2
        ask(client, names(10))
        with client.run(given, "categorize", by="batch", budget=90) as run:
            plan = run.plan()
            assert (plan.stored, plan.to_send, plan.budget) == (10, 20, 90)
            # A batch is submitted once a call: no attempt is charged twice.
            assert (plan.credits_low, plan.credits_expected, plan.credits_worst) == (0, 40, 40)
            assert run.start(progress=False).progress.credits_used == 40
    assert faked.submitted == [names(10), names(20, 10)]


@pytest.mark.parametrize("stated", ["job", "items", "both", "meta"])
def test_what_is_stated_is_counted_and_the_frame_sums_to_it(faked, stated):
    faked.stated, faked.credits = stated, 3
    faked.items = lambda domains: [{"domain": domains[0], "status": 410}, *map(item_of, domains[1:-1])]
    with faked.client() as client:
        run = ask(client, [*names(6), "www.site2.example"])
        # Four answers, a page of which nothing can be had, and one of which nothing came; a duplicate costs nothing.
        assert run.progress.credits_used == 12
        assert run.categories()["credits_used"].sum() == 12
        assert run.progress.credits_left == 988


def test_an_uneven_sum_of_a_job_is_shared_among_its_answers_without_loss(faked):
    faked.stated, faked.total = "job", 10
    with faked.client() as client:
        run = ask(client, names(4))
        assert run.categories()["credits_used"].tolist() == [3, 3, 2, 2]
        assert run.progress.credits_used == 10


def test_where_nothing_is_stated_a_price_that_was_told_is_counted(faked):
    with faked.client() as client:
        assert ask(client, names(4)).progress.credits_used == 0
        run = ask(client, names(4), prices={"categorize": 2}, store=False)
        assert run.progress.credits_used == 8
        assert run.categories()["credits_used"].isna().all()


def test_the_embedded_service_states_what_a_batch_has_cost(client, small):
    run = ask(client, INPUTS)
    paid = [outcome.answer for outcome in run.outcomes()[: len(HOSTS)] if outcome.answer is not None]
    assert {answer.provenance.credits_used for answer in paid} == {1}
    # A site without any category is in no frame of categories.
    without = sum(not answer.categories for answer in paid)
    assert run.progress.credits_used == run.categories()["credits_used"].sum() + without == len(paid)
    results = client.batch_results(run.batches[0])
    assert results.provenance.credits_used == results.raw["credits_used"] == results.successful


@pytest.mark.parametrize("ceiling", [0, 1, 3, 45, 200])
def test_a_budget_is_never_exceeded_where_the_price_is_known(faked, small, ceiling):
    faked.credits = 2
    with faked.client() as client:
        run = ask(client, names(70), budget=ceiling, prices={"categorize": 2})
        submitted = sum(map(len, faked.submitted))
        assert submitted == min(ceiling // 2, 70)
        assert run.progress.credits_used == 2 * submitted <= ceiling
        reason = "the budget is used up" if ceiling else "the budget is 0"
        assert run.progress.reason == (reason if submitted < 70 else "")
        words = run.failures()["error"]
    assert words.str.startswith(f"No result yet: {reason}").all()


def test_domains_are_held_at_what_they_may_cost_until_their_batch_is_finished(faked, small):
    faked.credits = 1  # half of what was told
    with faked.client() as client:
        run = ask(client, names(70), budget=50, prices={"categorize": 2})
        # 20 and 5 may cost 50, cost 25, and so on: in the end one domain is held at 2 where 1 credit is left.
        assert [len(domains) for domains in faked.submitted][:2] == [20, 5]
        assert (run.progress.credits_used, run.progress.reason) == (49, "the budget is used up")
    assert sum(map(len, faked.submitted)) == 49


@pytest.mark.parametrize("price", [1, 4, 30])
def test_one_domain_of_unknown_price_goes_alone_first(faked, small, price):
    faked.credits = price
    with faked.client() as client:
        run = ask(client, names(70), budget=21)
        assert faked.submitted[0] == names(1)
        assert sum(map(len, faked.submitted)) == max(21 // price, 1)
        # Only the answer that tells the price can cost more than is left.
        assert run.progress.credits_used == price * max(21 // price, 1)


def test_what_an_earlier_call_had_under_way_counts_before_anything_more_is_spent(faked, tmp_path, small):
    faked.credits, faked.state = 1, "processing"
    told = {"budget": 60, "prices": {"categorize": 1}}
    with faked.client(store=tmp_path / "kept.db") as client:
        run = ask(client, names(90), Batches(poll=(0.01, 0.01), timeout=0.05), **told)
        assert ([len(domains) for domains in faked.submitted], run.progress.credits_used) == ([20, 20, 20], 0)
        faked.state = "completed"
        run = ask(client, names(90), **told)
        assert (run.progress.credits_used, run.progress.reason) == (60, "the budget is used up")
        assert len(faked.submitted) == 3
        assert ask(client, names(90)).progress.credits_used == 90


def test_a_submission_that_may_have_been_taken_counts_as_charged(faked, tmp_path):
    def change(request, number):
        raise httpx.ReadError("gone")

    faked.change = change
    told = {"prices": {"categorize": 2}}
    with faked.client(store=tmp_path / "kept.db") as client:
        assert ask(client, names(5), budget=10, **told).progress.credits_used == 10
        faked.change = lambda request, number: None
        run = ask(client, names(5), budget=10, **told)
        assert (run.progress.credits_used, run.progress.reason) == (10, "the budget is used up")
        assert not faked.submitted
        assert ask(client, names(5), budget=20, **told).progress.credits_used == 20


def test_a_call_that_is_cancelled_while_it_submits_counts_as_charged_and_the_next_one_submits_again(faked, tmp_path):
    async def main():
        asked = asyncio.Event()

        async def never(request):
            asked.set()
            await asyncio.Event().wait()

        faked.change = lambda request, number: never(request)
        async with faked.client(tk.AsyncClient, store=tmp_path / "kept.db") as client:
            asking = asyncio.create_task(ask(client, names(5), prices={"categorize": 2}))
            await asked.wait()
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            faked.change, faked.credits = lambda request, number: None, 2
            run = await ask(client, names(5), prices={"categorize": 2})
            assert (answers(run), run.progress.credits_used) == (5, 20)
            assert run.categories()["credits_used"].sum() == 10

    asyncio.run(main())
    assert faked.submitted == [names(5)]


def test_it_is_stopped_from_another_thread_and_gone_on_with_by_the_same_run(faked, small):
    faked.state, fetched = "processing", threading.Event()
    faked.change = lambda request, number: fetched.set() if request.method == "GET" else None
    with faked.client() as client, client.run(names(90), "categorize", by=QUICK) as run:
        run.start_background()
        assert fetched.wait(20)
        assert run.is_under_way
        assert run.wait(0.01) is run
        assert (run.progress.state, run.progress.total, run.progress.sent, run.progress.open) == ("running", 90, 4, 4)
        started = time.monotonic()
        run.stop()
        assert run.wait(20).progress.reason == "stopped"
        assert time.monotonic() - started < 10
        assert not run.is_under_way
        assert stands(run) == (0, 0, 90)
        assert "No result yet: stopped. The same call goes on" in str(run.outcomes()[0].error)
        faked.state = "completed"
        ended = threading.Event()
        run.start_background(ended.set).wait(20)
        assert ended.wait(20)
        assert (stands(run), answers(run)) == ((90, 0, 0), 90)
    assert sum(map(len, faked.submitted)) == 90


def test_a_run_that_is_stopped_before_it_sends_waits_for_no_batch_of_an_earlier_call(faked, tmp_path):
    faked.state, stopped = "processing", threading.Event()
    with faked.client(store=tmp_path / "kept.db") as client:
        ask(client, names(2), Batches(poll=(0.01, 0.01), timeout=0.05))
        faked.fetched.clear()
        with client.run(names(2), "categorize", by=QUICK) as run:

            async def hold():
                assert stopped.wait(20)

            holding = start_background(hold)  # the loop's thread, so that the run begins only when it was stopped
            starting = threading.Thread(target=run.start_background)
            starting.start()
            while run.progress.state != "running":
                time.sleep(0.001)
            run.stop("at once")
            stopped.set()
            holding.result()
            starting.join()
            assert run.wait(20).progress.reason == "at once"
            assert "No result yet: at once" in str(run.outcomes()[0].error)
    assert not faked.fetched
    assert len(faked.submitted) == 1


def test_results_come_as_the_batches_end_one_a_domain(faked, tmp_path, monkeypatch):
    monkeypatch.setattr(endpoints, "MOST_BATCH_DOMAINS", 4)

    def items(domains):
        if domains[0] != "site0.example":
            return [item_of(domain) for domain in domains]
        failed = [{"domain": domains[1], "status": 410}, {"domain": domains[2], "status": 500, "error": "it broke"}]
        return [*failed, item_of(domains[0])]

    def change(request, number):
        held = request.method == "GET" and "b2" in request.url.path and not first.is_set()
        return httpx.Response(200, json={"state": "processing", "results": []}) if held else None

    faked.items, faked.change, first = items, change, threading.Event()
    given = ["https://www.Site0.example/page", *names(5, 1), "site1.example", "no domain"]
    with faked.client(store=tmp_path / "kept.db") as client, client.run(given, "categorize", by=QUICK) as run:
        found = []
        for outcome in run.results():
            found.append(outcome)
            if len(found) == 4:
                assert run.progress.state == "running"
                first.set()
        assert [outcome.target for outcome in found] == given[:6]
        assert [outcome.status for outcome in found] == [200, 410, 500, None, 200, 200]
        assert isinstance(found[1].error, InsufficientContentError)
        assert isinstance(found[2].error, ServerError)
        assert "it broke" in str(found[2].error)
        assert "The service returned no result" in str(found[3].error)
        assert [str(outcome.error) for outcome in found] == [str(outcome.error) for outcome in run.outcomes()[:6]]
        again = client.run(given[:1], "categorize", by=QUICK)
        assert [outcome.answer.provenance.from_cache for outcome in again.results()] == [True]


def test_results_have_nothing_of_a_domain_that_the_quota_left_out(faked):
    faked.items = lambda domains: [item_of(domains[0]), *({"domain": name, "status": 403} for name in domains[1:])]
    with faked.client() as client, client.run(names(3), "categorize", by=QUICK) as run:
        assert [outcome.target for outcome in run.results()] == names(1)
        assert stands(run) == (1, 0, 2)


def test_who_leaves_off_reading_results_stops_it(faked, monkeypatch):
    monkeypatch.setattr(endpoints, "MOST_BATCH_DOMAINS", 1)
    faked.change = lambda request, number: (
        httpx.Response(200, json={"state": "processing"}) if "b2" in request.url.path else None
    )
    with faked.client() as client, client.run(names(2), "categorize", by=QUICK) as run:
        for outcome in run.results():
            assert outcome.target == "site0.example"
            break
        assert (stands(run), run.progress.reason) == ((1, 0, 1), "stopped")


def test_a_run_in_batches_is_saved_and_has_the_findings_of_any_run(client, tmp_path):
    run = ask(client, pd.DataFrame({"site": HOSTS[:12], "group": ["a", "b"] * 6}), column="site")
    saved = tk.load_run(run.save(tmp_path / "run.jsonl.gz"))
    pd.testing.assert_frame_equal(saved.categories(), run.categories())
    pd.testing.assert_frame_equal(saved.failures(), run.failures())
    assert saved.table["group"].tolist() == ["a", "b"] * 6
    assert saved.coverage("content-v3").attrs["about"]["sites"] == answers(run)


# Killed at any moment -----------------------------------------------------------------------------------------------

CHILD = """
import json, sys
import toolkit as tk
from toolkit.interface import calls as endpoints
from toolkit.runs.batches import Batches

endpoints.MOST_BATCH_DOMAINS = 12
base, store, out, hosts = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
with tk.Client(v1_api_key="killed-batches", v1_base_url=base) as client:
    run = client.ask(hosts, "categorize", by=Batches(poll=(0.02, 0.1)), store=store)
    assert not run.progress.reason, run.progress.reason
    found = [[o.target, o.status, [c.id for c in o.answer.categories] if o.answer else None] for o in run.outcomes()]
    left = run.progress.total - run.progress.done
    with open(out, "w") as file:
        json.dump([found, left, run.batches, run.progress.credits_used], file)
    run.close()
"""


class Watched:
    """A proxy before the service that counts requests, and kills who asks: before, after or soon after a chosen one."""

    def __init__(self, base):
        self.taken, self.jobs = [], set()
        self.requests = self.open = 0
        self.victim = None
        self.plan = {}
        self._lock = threading.Lock()
        watched, target = self, urlsplit(base)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                with watched._lock:
                    watched.open += 1
                try:
                    self.pass_on()
                finally:
                    with watched._lock:
                        watched.open -= 1

            def pass_on(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                with watched._lock:
                    watched.requests += 1
                    moment = watched.plan.get(watched.requests)
                if moment == "before":
                    watched.kill()
                    return
                inner = http.client.HTTPConnection(target.hostname, target.port, timeout=30)
                inner.request(self.command, self.path, body, dict(self.headers))
                response = inner.getresponse()
                answer = response.read()
                inner.close()
                if self.command == "POST":
                    watched.taken.append(json.loads(body)["domains"])
                    watched.jobs.add(json.loads(answer)["batch_id"])
                if moment == "after":
                    watched.kill()
                    return
                self.send_response(response.status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer)))
                self.send_header("idempotency-key", response.headers.get("idempotency-key", ""))
                self.end_headers()
                self.wfile.write(answer)
                if moment:  # some time in what the process does with the answer
                    time.sleep(moment)
                    watched.kill()

            def do_GET(self):
                self.do_POST()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def kill(self):
        os.kill(self.victim.pid, signal.SIGKILL)
        self.victim.wait()

    def settle(self):
        """Wait for what a killed process had under way: the service takes it all the same."""
        seen = None
        while self.open or seen != self.requests:
            seen = self.requests
            time.sleep(0.1)

    def close(self):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def test_after_sigkill_at_any_moment_nothing_is_submitted_or_there_twice(serve, tmp_path):
    served = serve(*SERVED)
    watched, chance = Watched(served.v1_base), random.Random(20)  # noqa: S311 - moments, not secrets
    store, out = tmp_path / "kept.db", tmp_path / "out.json"
    given = [*HOSTS, HOSTS[3], "no domain"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    kills, unanswered = 0, 0
    try:
        while not out.exists():
            watched.requests, taken = 0, len(watched.taken)
            moments = ("before", "after", chance.uniform(0.0001, 0.03))
            watched.plan = {chance.randint(1, 5): chance.choice(moments)} if kills < 5 else {}
            command = [sys.executable, "-c", CHILD, watched.base, str(store), str(out), *given]
            child = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
            watched.victim = child
            problem = child.communicate(timeout=60)[1].decode()
            assert child.returncode in {0, -signal.SIGKILL}, problem
            killed = child.returncode != 0
            watched.settle()
            kills += killed
            unanswered += killed and len(watched.taken) > taken
            assert out.exists() or killed
        found, left, batches, spent = json.loads(out.read_text())
        ended = watched.requests
        again = subprocess.run([*command[:5], str(tmp_path / "again.json"), *given], env=environment, check=True)
        assert again.returncode == 0
    finally:
        watched.close()
    assert kills >= 3
    assert left == 0
    answered = sum(1 for outcome in found[: len(HOSTS)] if outcome[1] == 200)
    assert answered <= spent <= answered + 12 * kills, "what may have been taken counts as charged"
    chunks = -(-len(HOSTS) // 12)
    assert chunks <= len(watched.taken) <= chunks + unanswered
    assert len(batches) == len(set(batches)) == chunks
    assert watched.jobs == set(batches), "what was submitted again is the same job"
    assert watched.requests == ended, "what is known is not asked again"
    assert json.loads((tmp_path / "again.json").read_text())[0] == found
    with tk.Client(v1_api_key="killed-batches", v1_base_url=served.v1_base) as client:
        whole = ask(client, given).outcomes()
    assert found == [[o.target, o.status, [c.id for c in o.answer.categories] if o.answer else None] for o in whole]
    with Store(store) as kept:
        subjects = [answer.subject for answer in kept.answers("categorize", history=True)]
        assert sorted(subjects) == sorted(HOSTS)
        assert kept.database.read("SELECT count(*) FROM run") == [(2,)]
