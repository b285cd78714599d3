"""Batches of services that say the same in other words: identifiers, states, results and pages."""

import itertools
import json

import httpx
import pytest
from cases import every

import toolkit as tk
from toolkit.interface import calls
from toolkit.interface.errors import InputError
from toolkit.interface.models import BatchResults, BatchSubmission
from toolkit.runs.batches import Batches

BASE = "https://v1.dialects.example"
KEY = "dialectkey5519c0aa"
DOMAINS = [f"site{number}.example" for number in range(3)]
QUICK = Batches(poll=(0.001, 0.002), timeout=20)


class Service:
    """A service of batches: what it answers to a submission, and, one after another, to questions for results."""

    def __init__(self, *replies, submission=None):
        self.submission = {"batch_id": "b1"} if submission is None else submission
        self.replies = [
            reply if isinstance(reply, httpx.Response) else httpx.Response(200, json=reply) for reply in replies
        ]
        self.requests = []

    def answer(self, request):
        self.requests.append(request)
        if request.method == "POST":
            return httpx.Response(200, json=self.submission)
        asked = sum(1 for earlier in self.requests if earlier.method == "GET")
        return self.replies[min(asked, len(self.replies)) - 1]

    def client(self, **given):
        retries = tk.Retries(attempts=2, first_wait=0.0, longest_wait=0.0)
        transport = httpx.MockTransport(self.answer)
        return tk.Client(v1_api_key=KEY, v1_base_url=BASE, retries=retries, transport=transport, **given)

    def run(self, by=QUICK, domains=DOMAINS):
        with self.client() as client:
            run = client.ask(domains, "categorize", by=by, store=False)
            return run, run.outcomes()


def item(domain, **other):
    return {"domain": domain, "status": 200, "categories": [{"id": "150", "name": domain, "confidence": 0.5}], **other}


def without_name(domain):
    return {name: value for name, value in item(domain).items() if name != "domain"}


ITEMS = [item(domain) for domain in DOMAINS]


def named(outcomes):
    return [outcome.answer.categories[0].name if outcome.answer else None for outcome in outcomes]


RESULTS = {
    "a list": {"results": ITEMS},
    "by domain": {"results": {domain: without_name(domain) for domain in DOMAINS}},
    "by address": {"results": {f"https://www.{domain}/": without_name(domain) for domain in DOMAINS}},
    "categories by domain": {"results": {domain: item(domain)["categories"] for domain in DOMAINS}},
    "by domain, at data": {"data": {domain: without_name(domain) for domain in DOMAINS}},
    "items": {"items": ITEMS},
    "data": {"data": ITEMS},
    "data.results": {"status": "ok", "data": {"state": "done", "results": ITEMS}},
    "result.items": {"result": {"items": ITEMS}},
    "domains": {"domains": ITEMS},
    "batch.results": {"batch": {"id": "b1", "status": "success", "results": ITEMS}},
    "sparse": {"results": {str(number): entry for number, entry in enumerate(ITEMS, 3)}},
    "groups": {"results": {"successful": ITEMS[:2], "failed": ITEMS[2:]}},
    "url": {"results": [{**without_name(domain), "url": f"https://{domain}/"} for domain in DOMAINS]},
    "host": {"results": [{**without_name(domain), "host": domain} for domain in DOMAINS]},
    "target": {"results": [{**without_name(domain), "target": domain} for domain in DOMAINS]},
    "wrapped": {"results": [{"domain": d, "status": "ok", "result": without_name(d)} for d in DOMAINS]},
    "a list at the top": ITEMS,
}  # fmt: skip


@every("name", RESULTS)
def test_results_in_any_form_are_mapped_to_their_domains(name):
    body = RESULTS[name]
    run, outcomes = Service(body).run()
    assert (named(outcomes), run.unknown, run.progress.reason) == (DOMAINS, [], "")


@every("name", RESULTS)
def test_results_in_any_form_are_items_of_the_typed_answer(name):
    with Service(RESULTS[name]).client() as client:
        answer = client.batch_results("b1")
    assert isinstance(answer, BatchResults)
    assert [tk.Target.parse(entry.domain).domain for entry in answer.results] == DOMAINS
    assert [entry.categories[0].name for entry in answer.results] == DOMAINS
    assert answer.is_finished


ENDS = (
    "completed", "Complete", "success", "SUCCEEDED", "ok", "ended", "end", "done", "finished", "ready", "processed",
    "completed_with_errors", "partially-completed", "failed", "error", "cancelled", "expired",
)  # fmt: skip


@every("word", ENDS)
def test_a_word_of_an_end_is_one(word):
    for name in ("state", "job_status"):
        service = Service({name: word, "results": ITEMS})
        assert named(service.run()[1]) == DOMAINS
        assert len(service.requests) == 2


UNDER_WAY = [
    *({"state": word, "results": ITEMS[:1]} for word in ("progress", "in_progress", "running", "queued", "Processing")),
    *({"state": word, "results": []} for word in ("finishing", "completing", "not started", "simmering", "in queue")),
    {"progress": 40},
    {"progress": "40%", "results": ITEMS[:1]},
    {"progress": 0.4, "results": []},
    {"status": "ok", "progress": 40, "results": ITEMS[:1]},
    {"status": "success", "pending": 2, "results": ITEMS[:1]},
    {"status": "ok", "batch_id": "b1"},
    {"status": "progress", "batch_id": "b1"},
    {"done": False, "results": ITEMS[:1]},
    {"batch_id": "b1", "domains": DOMAINS},
    {"data": {"state": "processing", "results": ITEMS[:1]}},
]


@every("body", UNDER_WAY)
def test_what_is_under_way_is_waited_for(body):
    service = Service(body, {"state": "completed", "results": ITEMS})
    assert named(service.run()[1]) == DOMAINS
    assert len(service.requests) == 3


def test_a_job_that_says_that_it_failed_has_ended_without_any_results():
    run, outcomes = Service({"batch_id": "b1", "status": "failed", "error": "no workers"}).run()
    assert (named(outcomes), run.progress.failed, run.progress.reason) == ([None] * 3, 3, "")


def test_a_state_that_nobody_knows_is_waited_for_and_told_in_words():
    service = Service({"state": "Simmering\u202e", "results": ITEMS})
    run, outcomes = service.run(Batches(poll=(0.001, 0.002), timeout=0.05))
    assert run.progress.reason == (
        "batch b1 was not finished within 0.05 s. The service says that it is 'simmering', which is no state that is "
        "known here."
    )
    assert named(outcomes) == [None] * 3


def test_domains_that_the_results_leave_out_are_failures_and_asked_again(tmp_path):
    body = {"state": "success", "total": 3, "successful": 1, "results": ITEMS[:1]}
    service = Service(body)
    with service.client(store=tmp_path / "kept.db") as client:
        run = client.ask(DOMAINS, "categorize", by=QUICK)
        assert (run.progress.answered, run.progress.failed) == (1, 2)
        assert run.failures()["error"].str.startswith("The service returned no result for this domain").all()
        service.replies = [httpx.Response(200, json={"results": ITEMS})]
        assert named(client.ask(DOMAINS, "categorize", by=QUICK).outcomes()) == DOMAINS
    sent = [json.loads(request.content)["domains"] for request in service.requests if request.method == "POST"]
    assert sent == [DOMAINS, DOMAINS[1:]]


PATH = "/v1/batch/b1/results"
PAGES = {
    "next": [{"next": f"{BASE}{PATH}?page=2"}, f"{PATH}?page=2"],
    "next of another host": [{"next": f"http://169.254.169.254{PATH}?page=2"}, f"{PATH}?page=2"],
    "next of another path": [{"next": "https://evil.example/steal?page=2&token=x"}, f"{PATH}?page=2&token=x"],
    "next as a path": [{"next_url": f"{PATH}?offset=1"}, f"{PATH}?offset=1"],
    "next as parameters": [{"next": "?cursor=ab"}, f"{PATH}?cursor=ab"],
    "next below": [{"next_page_url": f"{BASE}{PATH}/page/2"}, f"{PATH}/page/2"],
    "a number": [{"next_page": 2}, f"{PATH}?page=2"],
    "links": [{"links": {"next": {"href": f"{PATH}?page=2"}}}, f"{PATH}?page=2"],
    "pagination": [{"pagination": {"next": f"{PATH}?page=2"}}, f"{PATH}?page=2"],
    "a cursor": [{"next_cursor": "c2"}, f"{PATH}?cursor=c2"],
    "a cursor in meta": [{"meta": {"next_cursor": "c2"}}, f"{PATH}?cursor=c2"],
    "a token": [{"next_page_token": "t/2"}, f"{PATH}?page_token=t%2F2"],
    "numbered": [{"page": 1, "total_pages": 2}, f"{PATH}?page=2"],
}


@every("name", PAGES)
def test_pages_of_results_are_joined_and_asked_for_at_the_base_url_alone(name):
    more, second = PAGES[name]
    last = {"next": None, "next_cursor": "", "page": 2, "total_pages": 2, "results": ITEMS[1:]}
    service = Service({"state": "completed", "results": ITEMS[:1], **more}, last)
    run, outcomes = service.run()
    assert (named(outcomes), run.unknown) == (DOMAINS, [])
    assert [request.url.raw_path.decode() for request in service.requests[1:]] == [PATH, second]
    assert {request.url.host for request in service.requests} == {"v1.dialects.example"}


def test_a_page_that_names_itself_as_the_next_is_the_last():
    service = Service({"results": ITEMS, "next": f"{PATH}?page=1"})
    assert named(service.run()[1]) == DOMAINS
    assert len(service.requests) == 3


def test_a_link_header_leads_to_the_next_page():
    link = {"link": f'<{BASE}{PATH}?page=1>; rel="prev", <{BASE}{PATH}?page=2>; rel="next"'}
    service = Service(httpx.Response(200, json={"results": ITEMS[:1]}, headers=link), {"results": ITEMS[1:]})
    assert named(service.run()[1]) == DOMAINS


SUBMISSIONS = [
    {"batch_id": "b1"}, {"id": "b1"}, {"job_id": "b1"}, {"batchId": "b1"}, {"data": {"batch_id": "b1"}},
    {"status": "ok", "result": {"id": "b1"}}, {"batch": {"id": "b1", "status": "queued"}}, {"job": {"job_id": "b1"}},
    {"data": {"results_url": "https://other.example/v1/batch/b1/results"}},
]  # fmt: skip


@every("body", SUBMISSIONS)
def test_the_identifier_is_found_wherever_it_stands(body):
    service = Service({"results": ITEMS}, submission=body)
    run, outcomes = service.run()
    assert (named(outcomes), run.batches) == (DOMAINS, ["b1"])
    with service.client() as client:
        answer = client.submit_batch(DOMAINS)
    assert isinstance(answer, BatchSubmission)
    assert answer.batch_id == "b1"
    assert answer.raw == body


@every("identifier", ["." * 200_000, "a" * 200_000 + "/", "-" * 100_000 + " ", "..", "", "a/b"])
def test_what_is_no_identifier_is_refused_at_once_and_shown_in_short(identifier):
    with pytest.raises(InputError, match="is no batch identifier") as caught:
        calls.batch_results(identifier)
    assert len(str(caught.value)) < 200


# The idempotency key ------------------------------------------------------------------------------------------------


def keys_of(service):
    return [request.headers["idempotency-key"] for request in service.requests if request.method == "POST"]


def lost(service, times, error=None, *, once=True):
    """Let a service take submissions without an answer, and after so many say what it does with keys."""
    answer, left = service.answer, itertools.count(1)

    def answering(request):
        reply = answer(request)
        if request.method != "POST":
            return reply
        if next(left) <= times:
            if error is None:
                raise httpx.ReadError("gone")
            return httpx.Response(error)
        return httpx.Response(
            200, json=service.submission, headers={"idempotency-key": keys_of(service)[-1]} if once else {}
        )

    service.answer = answering
    return service


def test_each_submission_has_a_key_of_its_own():
    service = Service({"results": ITEMS})
    with service.client() as client:
        for _ in range(2):
            client.submit_batch(DOMAINS)
    assert len(set(keys_of(service))) == 2


@pytest.mark.parametrize("error", [None, 500, 503])
def test_a_submission_without_an_answer_is_sent_again_with_its_key_by_the_next_call(tmp_path, error):
    service = lost(Service({"results": ITEMS}), 1, error)
    with service.client(store=tmp_path / "kept.db") as client:
        run = client.ask(DOMAINS, "categorize", by=QUICK)
        assert "may have been taken" in run.progress.reason
        # Other inputs are another run, and a failed domain another batch.
        assert named(client.ask(DOMAINS[:2], "categorize", by=QUICK).outcomes()) == DOMAINS[:2]
        assert named(client.ask(DOMAINS, "categorize", by=QUICK).outcomes()) == DOMAINS
    first, other, again = keys_of(service)
    assert first == again != other
    sent = [request.content for request in service.requests if request.method == "POST"]
    assert sent[0] == sent[2]


def test_another_store_has_other_keys(tmp_path):
    service = Service({"results": ITEMS})
    for name in ("one.db", "two.db"):
        with service.client(store=tmp_path / name) as client:
            client.ask(DOMAINS, "categorize", by=QUICK)
    assert len(set(keys_of(service))) == 2


@pytest.mark.parametrize("error", [None, 502])
def test_a_service_that_takes_a_key_once_is_asked_again_in_the_same_call(monkeypatch, error):
    monkeypatch.setattr(calls, "MOST_BATCH_DOMAINS", 2)
    service = Service({"results": ITEMS})
    answer, seen = service.answer, []

    def answering(request):
        reply = answer(request)
        if request.method != "POST":
            return reply
        key = request.headers["idempotency-key"]
        seen.append(key)
        if len(seen) == 2:
            if error is None:
                raise httpx.ReadError("gone")
            return httpx.Response(error)
        return httpx.Response(200, json=service.submission, headers={"idempotency-key": key})

    service.answer = answering
    with service.client() as client:
        run = client.ask(DOMAINS, "categorize", by=QUICK, prices={"categorize": 1})
        assert (named(run.outcomes()), run.progress.reason) == (DOMAINS, "")
        assert run.progress.credits_used == 3
    assert len(seen) == 3
    assert seen[1] == seen[2] != seen[0]


def test_what_is_refused_for_good_is_not_submitted_as_it_was(tmp_path):
    service = lost(Service({"results": ITEMS}), 2)
    with service.client(store=tmp_path / "kept.db") as client:
        for _ in range(2):
            assert "may have been taken" in client.ask(DOMAINS, "categorize", by=QUICK).progress.reason
        ordinary, service.answer = (
            service.answer,
            lambda request: httpx.Response(400, json={"error": "another payload"}),
        )
    with service.client(store=tmp_path / "kept.db") as client:
        assert "another payload" in client.ask(DOMAINS, "categorize", by=QUICK).progress.reason
        service.answer = ordinary
    with service.client(store=tmp_path / "kept.db") as client:
        assert named(client.ask(DOMAINS, "categorize", by=QUICK).outcomes()) == DOMAINS
    keys = keys_of(service)
    assert keys[0] == keys[1] != keys[2]
