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
    ResponseError,
    ServerError,
    TargetError,
)
from toolkit.interface.models import Categorization, WebhookEvent
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
        return reply or httpx.Response(200, json={"batch_id": name, "state": self.state, "results": items})

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
    return run.inputs == len(outcomes) == answers(run) + len(run.failures()) and sum(stands(run)) == run.progress.total


# The real service ---------------------------------------------------------------------------------------------------

INPUTS = [*HOSTS, "no domain at all", HOSTS[0], f"https://www.{HOSTS[1].upper()}/page?x=1", "nowhere.example", ""]


def check_inputs(report, client):
    assert adds_up(report)
    assert (report.reason, report.missing, report.unknown) == ("", 0, [])
    assert [outcome.target for outcome in report.outcomes] == INPUTS
    assert len(set(report.batches)) == 4
    alone = {host: client.categorize(host) for host in HOSTS[:5]}
    for outcome in report.outcomes:
        domain = "" if isinstance(outcome.error, TargetError) else tk.Target.parse(outcome.target).domain
        if outcome.answer is not None:
            assert isinstance(outcome.answer, Categorization)
            assert outcome.answer.provenance.endpoint == "categorize"
            assert (outcome.answer.domain, outcome.answer.provenance.normal) == (domain, domain)
        if domain in alone:
            assert outcome.answer.categories == alone[domain].categories
    by_status = Counter(outcome.status for outcome in report.outcomes)
    assert by_status == {200: report.successful, 410: 3, 411: 4, None: 2}


def test_every_input_has_its_outcome_in_order_whatever_it_is(client, small):
    report = client.batch(INPUTS, **QUICK)
    check_inputs(report, client)
    assert isinstance(report.outcomes[-2].error, FetchFailedError)
    assert isinstance(report.outcomes[-1].error, TargetError)
    assert any(isinstance(outcome.error, InsufficientContentError) for outcome in report.outcomes)
    frame, same = report.categories(), tk.frames.categories(report.outcomes)
    for column in ("row", "target", "status", "error", "id", "level_1", "confidence", "request_id", "fetched_at"):
        pd.testing.assert_series_equal(frame[column], same[column])
    assert frame[frame["row"] == len(HOSTS) + 1]["id"].tolist() == frame[frame["row"] == 0]["id"].tolist()
    assert report.failures()["row"].tolist() == [n for n, outcome in enumerate(report.outcomes) if outcome.error]


def test_it_is_the_same_over_a_service_in_another_process(serve, small, tmp_path):
    served = serve(*SERVED)
    with tk.Client(v1_api_key="served-batches", v1_base_url=served.v1_base, store=tmp_path / "kept.db") as client:
        check_inputs(client.batch(INPUTS, **QUICK), client)


def test_the_asynchronous_client_does_the_same(small):
    async def main():
        async with tk.AsyncClient() as client:
            return await client.batch(HOSTS[:30], **QUICK)

    report = asyncio.run(main())
    assert (report.total, len(report.batches), report.reason) == (30, 2, "")


def test_a_file_of_domains_is_read_by_its_column(client, tmp_path):
    path = tmp_path / "sites.csv"
    path.write_text(f"name,site\none,{HOSTS[0]}\ntwo,{HOSTS[1]}\n")
    assert [o.target for o in client.batch(path, column="site", **QUICK).outcomes] == HOSTS[:2]


@pytest.mark.parametrize("listens", ["receiver", "inbox"])
def test_a_notification_wakes_whoever_waits(listens):
    settings = tk.service.Settings(keys=("k",), allow_private=True)
    with tk.Client(embedded=settings) as client, Receiver(SECRET) as receiver:
        given = {"receiver": receiver} if listens == "receiver" else {"receiver": receiver.inbox}
        given |= {} if listens == "receiver" else {"webhook_url": receiver.url}
        # Without the notification it would be asked for only after the time allowed.
        report = client.batch(HOSTS[:5], webhook_secret=SECRET, poll=(3000, 3000), progress=False, **given)
        assert [event.event for event in receiver.inbox.events] == ["batch.completed"]
    assert (report.successful, report.reason) == (5, "")


def test_a_used_up_quota_stops_it_and_the_partial_results_count(tmp_path):
    settings = tk.service.Settings(keys=("k",), monthly_quota=3)
    with tk.Client(embedded=settings, store=tmp_path / "kept.db") as client:
        report = client.batch(HOSTS[12:20], **QUICK)
    assert adds_up(report)
    assert (report.successful, report.reason) == (3, "the quota is used up (403)")
    refused = [outcome.error for outcome in report.outcomes if outcome.answer is None]
    assert len(refused) == 5
    assert all(isinstance(error, QuotaExceededError) for error in refused)
    # Another process has another embedded service, and the same file.
    with tk.Client(store=tmp_path / "kept.db") as client:
        again = client.batch(HOSTS[12:20], **QUICK)
    assert (again.successful, again.reason, len(again.batches)) == (8, "", 2)


def test_batches_of_an_embedded_service_that_is_gone_are_submitted_again(tmp_path, small):
    # A remote service keeps its batches; this one keeps them in the memory of a process that was ended.
    with tk.Client(store=tmp_path / "kept.db") as client:
        report = client.batch(HOSTS[:5], poll=(0.001, 0.001), timeout=0.001, progress=False)
        assert (report.missing, len(report.batches)) == (5, 1)
    with tk.Client(store=tmp_path / "kept.db") as client:
        report = client.batch(HOSTS[:5], **QUICK)
    assert (report.successful, len(report.batches)) == (5, 1)


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
        report = client.batch(given, **QUICK)
    assert adds_up(report)
    assert [outcome.status for outcome in report.outcomes] == [500, None, 411, 500, *[200] * 6, None, None, 200]
    assert (report.successful, report.failed, report.missing) == (7, 4, 2)
    assert [entry.get("domain") for entry in report.unknown] == [None, "stranger.example", "not a domain"]
    for outcome, domain in zip(report.outcomes, given, strict=True):
        if outcome.answer is not None:
            assert outcome.answer.categories[0].name in {domain, f"HTTPS://WWW.{domain.upper()}/"}
    assert isinstance(report.outcomes[0].error, ServerError)
    assert "it broke" in str(report.outcomes[0].error)
    assert str(report.outcomes[10].error).startswith("The service returned no result")
    frame = report.categories()
    assert frame["row"].tolist() == list(range(13))
    assert frame["status"].isna().sum() == 3


def test_domains_are_submitted_once_each_in_chunks(faked, monkeypatch):
    monkeypatch.setattr(endpoints, "MOST_BATCH_DOMAINS", 7)
    given = [*names(30), *(f"www.{name}" for name in names(30)), "site3.example/page", "???"]
    with faked.client() as client:
        report = client.batch(given, **QUICK)
    assert [len(domains) for domains in faked.submitted] == [7, 7, 7, 7, 2]
    assert sorted(domain for domains in faked.submitted for domain in domains) == sorted(names(30))
    assert (report.total, report.successful, report.failed) == (62, 61, 1)


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
        assert client.batch(names(12), poll=(0.001, 0.01), progress=False).successful == 12
    assert max(most) == 4


def test_a_job_that_failed_gives_what_it_has(faked):
    faked.state = "failed"
    faked.items = lambda domains: [item_of(domains[0])]
    with faked.client() as client:
        report = client.batch(names(3), **QUICK)
    assert (report.successful, report.failed, report.missing, report.reason) == (1, 0, 2, "")


def test_results_of_another_batch_are_not_taken(faked):
    def change(request, number):
        wrong = {"batch_id": "b99", "state": "completed", "results": [item_of("site0.example", categories=[])]}
        return httpx.Response(200, json=wrong) if request.method == "GET" and number == 1 else None

    faked.change = change
    with faked.client() as client:
        [outcome] = client.batch(names(1), **QUICK).outcomes
    assert len(outcome.answer.categories) == 1
    assert faked.fetched == {"b1": 2}


# The store ----------------------------------------------------------------------------------------------------------


def test_answers_are_stored_for_single_questions_and_used_before_submitting(faked, tmp_path):
    def items(domains):
        found = {"site1.example": {"domain": "site1.example", "status": 410, "error": "few words"}}
        return [found.get(domain, item_of(domain)) for domain in domains]

    faked.items = items
    with faked.client(store=tmp_path / "kept.db") as client:
        client.batch(names(3), **QUICK)
        answer = client.categorize("site0.example")
        assert (answer.provenance.from_cache, answer.categories[0].name) == (True, "site0.example")
        with pytest.raises(InsufficientContentError):
            client.categorize("site1.example")
        report = client.batch(names(4), **QUICK)
        assert faked.submitted == [names(3), ["site3.example"]]
        assert [o.answer.provenance.from_cache for o in report.outcomes if o.answer] == [True, True, False]
        assert report.outcomes[1].status == 410
        client.with_options(refresh=True).batch(names(4), **QUICK)
        assert faked.submitted[2:] == [names(4)]
        client.with_options(max_age=0).batch(names(2), **QUICK)
        assert faked.submitted[3:] == [names(2)]


def test_stored_answers_are_not_given_to_a_key_that_was_never_accepted(faked, tmp_path):
    with faked.client() as client:
        client.batch(names(2), store=tmp_path / "kept.db", **QUICK)
    faked.change = lambda request, number: httpx.Response(401, json={"status": 401})
    with faked.client(v1_api_key="another-key-5521ab") as client:
        report = client.batch(names(2), store=tmp_path / "kept.db", **QUICK)
    assert (report.missing, report.reason) == (2, "the key was refused (401)")


def test_what_one_key_was_answered_is_not_told_to_another_that_goes_on(faked, tmp_path, monkeypatch):
    monkeypatch.setattr(endpoints, "MOST_BATCH_DOMAINS", 1)
    faked.change = lambda request, number: httpx.Response(429) if "b2" in request.url.path else None
    with faked.client() as client:
        report = client.batch(names(2), store=tmp_path / "kept.db", timeout=0.1, **QUICK)
    assert (report.successful, report.missing) == (1, 1)
    faked.change = lambda request, number: httpx.Response(401, json={"status": 401})
    with faked.client(v1_api_key="another-key-5521ab") as client:
        report = client.batch(names(2), store=tmp_path / "kept.db", **QUICK)
    assert (report.successful, report.missing, report.reason) == (0, 2, "the key was refused (401)")
    faked.change = lambda request, number: None
    with faked.client() as client:
        assert client.batch(names(2), store=tmp_path / "kept.db", **QUICK).successful == 2
    assert len(faked.submitted) == 2
    with Store(tmp_path / "kept.db") as store, store.database.writing() as connection:
        connection.execute("UPDATE run SET state = 'open'")  # as after an end just before the end
    with faked.client(v1_api_key="a-third-key-90817263") as client:
        report = client.batch(names(2), store=tmp_path / "kept.db", **QUICK)
        assert (report.missing, report.reason[:40]) == (2, "the service has not accepted this key ye")
        assert client.batch(names(2), store=tmp_path / "kept.db", **QUICK).successful == 2
    assert len(faked.submitted) == 4


def test_what_failed_is_submitted_again_by_the_next_call(faked, tmp_path):
    faked.items = lambda domains: [{"domain": domains[0], "status": 500}, *map(item_of, domains[2:])]
    with faked.client(store=tmp_path / "kept.db") as client:
        assert client.batch(names(4), **QUICK).successful == 2
        faked.items = faked.item_for
        assert client.batch(names(4), **QUICK).successful == 4
    assert faked.submitted == [names(4), names(2)]


def test_no_domains_are_no_batch(faked):
    with faked.client() as client:
        report = client.batch(["", "no domain"], **QUICK)
        assert (report.total, report.failed, report.reason) == (2, 2, "")
        assert (client.batch([], **QUICK).total, len(client.batch([], **QUICK).categories())) == (0, 0)
    assert not faked.submitted


def test_neither_key_nor_secret_is_in_the_file_or_the_report(faked, tmp_path):
    given = {"webhook_url": "https://hooks.example/x", "webhook_secret": SECRET}
    with faked.client(store=tmp_path / "kept.db") as client:
        report = client.batch(names(2), **given, **QUICK)
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert KEY.encode() not in written
    assert SECRET.encode() not in written
    assert SECRET not in f"{report!r}{vars(report)}"


def test_two_at_a_time_are_refused(faked, tmp_path):
    store, refused = tmp_path / "kept.db", []

    async def second():
        async with faked.client(tk.AsyncClient) as other:
            with pytest.raises(ConfigurationError) as caught:
                await other.batch(names(2), store=store, **QUICK)
            refused.append(caught.value)

    faked.change = lambda request, number: second() if request.method == "POST" else None
    with faked.client() as client:
        assert client.batch(names(2), store=store, **QUICK).successful == 2
    assert len(refused) == len(faked.submitted) == 1


def test_a_run_of_the_same_inputs_does_not_take_up_a_batch(faked, tmp_path):
    faked.change = lambda request, number: httpx.Response(404, json={}) if request.method == "GET" else None
    with faked.client(store=tmp_path / "kept.db") as client:
        assert client.batch(names(2), **QUICK).reason
        with client.run(names(2), "categorize") as run:
            assert not run.plan().resumed


# Where results are --------------------------------------------------------------------------------------------------

FOREIGN = {
    "https://results.attacker.example/v1/batch/b1/results?token=s3cr3t": "results.attacker.example",
    "https://v1.batches.example:8443/v1/batch/b1/results": ":8443",
    "http://v1.batches.example/v1/batch/b1/results": "http://v1.batches.example",
    "https://v1.batches.example@evil.example/x": "evil.example",
    "//evil.example/v1/batch/b1/results": "evil.example",
    "https://127.0.0.1/v1/batch/b1/results": "the private address 127.0.0.1",
    "http://169.254.169.254/latest/meta-data": "the private address 169.254.169.254",
    "https://[::1]/x": "the private address",
    "https://localhost/x": "the private address localhost",
    "file:///etc/passwd": "no host",
    "https://[bad": "no address",
}


@pytest.mark.parametrize("url", FOREIGN)
def test_results_at_a_foreign_or_private_address_are_refused(faked, tmp_path, url):
    asked = []
    faked.results_url = url.replace("{", "{{")
    faked.change = lambda request, number: asked.append(str(request.url))
    with faked.client(store=tmp_path / "kept.db") as client:
        for _ in range(2):  # what was refused once is not taken later, nor submitted again
            with pytest.raises(ResponseError, match="results_url points to") as caught:
                client.batch(names(2), **QUICK)
            assert FOREIGN[url] in str(caught.value)
            assert "s3cr3t" not in str(caught.value)
        assert client.batch_results("b1").results
    assert asked == [f"{BASE}/v1/batch", f"{BASE}/v1/batch/b1/results"]


@pytest.mark.parametrize("url", ["", "/v1/batch/{id}/results", "HTTPS://V1.Batches.example:443/v1/batch/{id}/results"])
def test_an_address_of_the_base_url_is_fine_however_it_is_written(faked, url):
    faked.results_url = url
    with faked.client() as client:
        assert client.batch(names(2), **QUICK).successful == 2


def event_of(name, number=1, **data):
    return WebhookEvent(event=name, timestamp="2026-01-01T00:00:00Z", webhook_id=f"wh_{number}", data=data)


def test_a_notification_of_results_at_a_foreign_address_is_refused(faked):
    inbox = Inbox()
    inbox.take(event_of("batch.completed", batch_id="b1", results_url="http://10.0.0.8/v1/batch/b1/results"))
    given = {"receiver": inbox, "webhook_url": "https://hooks.example/x", "webhook_secret": SECRET}
    with faked.client() as client, pytest.raises(ResponseError, match=r"the private address 10\.0\.0\.8"):
        client.batch(names(2), **given, **QUICK)
    assert not faked.fetched


def test_partial_results_in_a_notification_serve_where_the_job_has_none(faked):
    inbox = Inbox()
    inbox.take(event_of("batch.other", 1, batch_id="b1", partial_results=[]))
    inbox.take(event_of("batch.failed", 2, batch_id="b1", partial_results=[item_of("site1.example")]))
    faked.change = lambda request, number: httpx.Response(404, json={}) if request.method == "GET" else None
    given = {"receiver": inbox, "webhook_url": "https://hooks.example/x", "webhook_secret": SECRET}
    with faked.client() as client:
        report = client.batch(names(3), **given, **QUICK)
    assert [outcome.status for outcome in report.outcomes] == [None, 200, None]
    assert (report.missing, report.reason) == (2, "")


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
        [outcome] = client.batch(names(1), poll=(0.001, 0.01), progress=False).outcomes
    assert len(outcome.answer.categories) == 1
    assert faked.fetched["b1"] == len(replies) + 1


def test_a_longer_wait_than_the_time_allowed_is_not_begun(faked):
    later = httpx.Response(429, headers={"retry-after": "200000"})
    faked.change = lambda request, number: later if request.method == "GET" else None
    with faked.client() as client:
        report = client.batch(names(2), **QUICK)
    assert report.missing == 2
    assert report.reason.startswith("batch b1 was not finished within 3600 s.")
    assert "asks to wait 200000 s" in report.reason


def test_a_batch_that_takes_too_long_is_fetched_by_the_same_call_later(faked, tmp_path):
    faked.state = "processing"
    with faked.client(store=tmp_path / "kept.db") as client:
        report = client.batch(names(2), timeout=0.05, poll=(0.01, 0.01), progress=False)
        assert (report.missing, report.reason) == (2, "batch b1 was not finished within 0.05 s.")
        assert "No result yet" in str(report.outcomes[0].error)
        faked.state = "completed"
        assert client.batch(names(2), **QUICK).successful == 2
    assert len(faked.submitted) == 1


@pytest.mark.parametrize("second", [httpx.Response(403, json={"status": 403}), httpx.Response(429), None])
def test_a_submission_that_is_refused_stops_it_and_the_same_call_goes_on(faked, tmp_path, small, second):
    def change(request, number):
        if request.method == "POST" and number >= 1:
            if second is None:
                raise httpx.ConnectError("no way")
            return second
        return None

    faked.change = change
    with faked.client(store=tmp_path / "kept.db") as client:
        report = client.batch(names(50), **QUICK)
        assert adds_up(report)
        assert (report.successful, report.missing) == (20, 30)
        assert "may have been taken" not in report.reason
        assert report.reason in str(report.outcomes[-1].error)
        faked.change = lambda request, number: None
        faked.submitted.clear()
        faked.fetched.clear()
        report = client.batch(names(50), **QUICK)
    assert faked.submitted == [names(20, 20), names(10, 40)]
    assert (report.successful, report.reason) == (50, "")


@pytest.mark.parametrize("lost", [httpx.ReadError("gone"), httpx.Response(500), httpx.Response(200, content=b"{")])
def test_a_submission_that_was_not_answered_is_not_sent_again_by_the_same_call(faked, tmp_path, lost):
    def change(request, number):
        if request.method == "POST" and isinstance(lost, Exception):
            raise lost
        return lost if request.method == "POST" else None

    requests = []
    faked.change = lambda request, number: requests.append(request) or change(request, number)
    with faked.client(store=tmp_path / "kept.db") as client:
        report = client.batch(names(2), **QUICK)
        assert report.missing == 2
        assert "may have been taken" in report.reason
        assert len(requests) == 1
        faked.change = lambda request, number: None
        assert client.batch(names(2), **QUICK).successful == 2


def test_a_batch_that_the_service_does_not_know_is_told_and_submitted_by_the_next_call(faked, tmp_path):
    gone = httpx.Response(404, json={"error": "there is no batch"})
    faked.change = lambda request, number: gone if request.method == "GET" else None
    with faked.client(store=tmp_path / "kept.db") as client:
        report = client.batch(names(2), **QUICK)
        assert report.reason.startswith("the service does not know batch b1 (404)")
        assert isinstance(report.outcomes[0].error, NotFoundError)
        assert (report.failed, len(faked.submitted)) == (2, 1)
        faked.change = lambda request, number: None
        assert client.batch(names(2), **QUICK).successful == 2
    assert len(faked.submitted) == 2


def test_domains_that_the_quota_left_out_of_a_batch_are_submitted_by_the_next_call(faked, tmp_path):
    faked.items = lambda domains: [item_of(domains[0]), *({"domain": name, "status": 403} for name in domains[1:])]
    with faked.client(store=tmp_path / "kept.db") as client:
        report = client.batch(names(3), **QUICK)
        assert (report.successful, report.failed, report.reason) == (1, 2, "the quota is used up (403)")
        faked.items = faked.item_for
        assert client.batch(names(3), **QUICK).successful == 3
    assert faked.submitted == [names(3), names(2, 1)]


def test_an_interrupt_stops_it_and_the_same_call_goes_on(faked, tmp_path):
    def change(request, number):
        if request.method == "GET" and number == 1:
            _thread.interrupt_main()

    faked.state, faked.change = "processing", change
    with faked.client(store=tmp_path / "kept.db") as client:
        report = client.batch(names(2), **QUICK)
        assert (report.missing, report.reason) == (2, "interrupted")
        faked.state = "completed"
        assert client.batch(names(2), **QUICK).successful == 2
    assert len(faked.submitted) == 1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"timeout": 0}, "timeout must be a number of seconds"),
        ({"timeout": True}, "timeout must be a number of seconds"),
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
    with faked.client() as client, pytest.raises(InputError, match=words):
        client.batch(names(1), **given)
    assert not faked.submitted


def test_a_store_as_of_a_time_has_no_batches(faked, tmp_path):
    with faked.client(store=tmp_path / "kept.db") as client, pytest.raises(InputError, match="as_of"):
        client.with_options(as_of="2026-01-01").batch(names(1))


def test_a_report_shows_its_sums_and_nothing_that_is_harmful(faked):
    later = httpx.Response(503, json={"error": "<script>alert(1)</script>"})
    faked.change = lambda request, number: later if request.method == "POST" else None
    with faked.client() as client:
        report = client.batch(names(2), progress=True)
    assert repr(report).startswith("<BatchReport: 2 inputs: 0 successful, 0 failed, 2 missing; stopped: a batch was")
    assert "<script>" not in report._repr_html_()
    assert "&lt;script&gt;" in report._repr_html_()


# Killed at any moment -----------------------------------------------------------------------------------------------

CHILD = """
import json, sys
import toolkit as tk
from toolkit.interface import calls as endpoints

endpoints.MOST_BATCH_DOMAINS = 12
base, store, out, hosts = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
with tk.Client(v1_api_key="killed-batches", v1_base_url=base) as client:
    report = client.batch(hosts, store=store, poll=(0.02, 0.1), progress=False)
assert not report.reason, report.reason
found = [[o.target, o.status, [c.id for c in o.answer.categories] if o.answer else None] for o in report.outcomes]
with open(out, "w") as file:
    json.dump([found, report.missing, report.batches], file)
"""


class Watched:
    """A proxy before the service that counts requests, and kills who asks: before, after or soon after a chosen one."""

    def __init__(self, base):
        self.taken = []
        self.requests = 0
        self.victim = None
        self.plan = {}
        self._lock = threading.Lock()
        watched, target = self, urlsplit(base)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
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
                if moment == "after":
                    watched.kill()
                    return
                self.send_response(response.status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer)))
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
            kills += killed
            unanswered += killed and len(watched.taken) > taken
            assert out.exists() or killed
        found, missing, batches = json.loads(out.read_text())
        ended = watched.requests
        again = subprocess.run([*command[:5], str(tmp_path / "again.json"), *given], env=environment, check=True)
        assert again.returncode == 0
    finally:
        watched.close()
    assert kills >= 3
    assert missing == 0
    chunks = -(-len(HOSTS) // 12)
    assert chunks <= len(watched.taken) <= chunks + unanswered
    assert len(batches) == len(set(batches)) == chunks
    assert watched.requests == ended, "what is known is not asked again"
    assert json.loads((tmp_path / "again.json").read_text())[0] == found
    with tk.Client(v1_api_key="killed-batches", v1_base_url=served.v1_base) as client:
        whole = client.batch(given, **QUICK)
    assert found == [
        [o.target, o.status, [c.id for c in o.answer.categories] if o.answer else None] for o in whole.outcomes
    ]
    with Store(store) as kept:
        subjects = [answer.subject for answer in kept.answers("categorize", history=True)]
        assert sorted(subjects) == sorted(HOSTS)
        assert kept.database.read("SELECT count(*) FROM run") == [(2,)]
