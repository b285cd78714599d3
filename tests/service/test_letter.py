"""The interface to the letter: what errors, notifications and the page for people carry beside their words."""

import re
import threading
from base64 import b64encode
from hashlib import sha256
from xml.etree import ElementTree as ET

import httpx
import pytest
import requests

import toolkit as tk
from toolkit.interface import errors
from toolkit.service.accounts.records import Usage
from toolkit.service.settings import Settings

KEY = "key-of-the-letter-1"
PAGE = "torque-journal.example"
VOCABULARY = "/audience-segmentation-taxonomy.php"
CREDITS = {"credits_used": 0, "total_credits": 9, "remaining_credits": 8}


@pytest.fixture(scope="module")
def served(serve):
    return serve("--key", KEY, "--credits", "9")


@pytest.fixture(scope="module")
def asked(served):
    """A client that has had one answer of nine."""
    with tk.Client(KEY, served.base, v1_base_url=served.v1_base, retries=tk.Retries(attempts=1)) as client:
        client.categorize(PAGE)
        yield client


ERRORS = {
    "404": lambda client: client.batch_results("batch_of_nobody"),
    "410": lambda client: client.categorize_content(text="two words"),
    "411": lambda client: client.categorize("gone-fishing.example"),
    "411 in XML": lambda client: client.enrich("gone-fishing.example", format="xml"),
}


@pytest.mark.parametrize("name", list(ERRORS))
def test_an_error_carries_the_credits_and_the_client_tells_them(asked, name):
    with pytest.raises(errors.ServiceError) as caught:
        ERRORS[name](asked)
    assert caught.value.status == int(name[:3])
    assert {field: getattr(caught.value, field) for field in CREDITS} == CREDITS


def test_a_refusal_for_want_of_credits_carries_them():
    with (
        tk.Client(embedded=Settings(keys=(KEY,), total_credits=0)) as client,
        pytest.raises(errors.QuotaExceededError) as caught,
    ):
        client.segment(PAGE)
    assert (caught.value.total_credits, caught.value.remaining_credits) == (0, 0)


def test_an_error_to_a_key_that_is_nobodys_tells_no_credits(served):
    with (
        tk.Client("another", served.base, v1_base_url=served.v1_base) as client,
        pytest.raises(errors.InvalidKeyError) as caught,
    ):
        client.segment(PAGE)
    assert (caught.value.credits_used, caught.value.total_credits, caught.value.remaining_credits) == (0, None, None)


def test_the_words_of_an_error_stay_though_the_credits_cannot_be_read(monkeypatch):
    from toolkit.service.accounts.ledger import Ledger

    def unreadable(self, digest) -> Usage:
        raise errors.ConfigurationError("The service's database cannot be used (disk is full).")

    with tk.Client(embedded=Settings(keys=(KEY,)), retries=tk.Retries(attempts=1)) as client:
        client.filters()
        monkeypatch.setattr(Ledger, "usage", unreadable)
        with pytest.raises(errors.ServerError, match="disk is full"):
            client.segment(PAGE)


# XML ----------------------------------------------------------------------------------------------------------------


def enrich(base, key=KEY, **params):
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return requests.get(f"{base}/v1/enrich", params=params, headers=headers, timeout=30)


IN_XML = {
    "no key": (401, {"key": None, "domain": PAGE}),
    "another key": (401, {"key": "another", "domain": PAGE}),
    "no domain": (400, {}),
    "unknown group": (400, {"domain": PAGE, "include": "<b>"}),
    "not fetched": (411, {"domain": "gone-fishing.example"}),
    "too few words": (410, {"domain": "blank-canvas.example"}),
}


@pytest.mark.parametrize("name", list(IN_XML))
def test_the_error_of_an_xml_request_is_xml(served, name):
    status, given = IN_XML[name]
    response = enrich(served.base, format="xml", **given)
    assert (response.status_code, response.headers["content-type"]) == (status, "application/xml")
    root = ET.fromstring(response.content)  # noqa: S314 - it is ours
    assert root.find("status").text == str(status)
    assert root.find("error").text
    assert root.find("meta").find("request_id").text == response.headers["x-request-id"]
    assert enrich(served.base, **given).headers["content-type"] == "application/json"


REFUSALS = {401: "expire=0", 403: "quota=0", 429: "429=1", 500: "500=1"}


@pytest.mark.parametrize("code", list(REFUSALS))
def test_a_refusal_in_xml_is_read_as_what_it_is(code):
    faults = tk.service.Faults.parse(REFUSALS[code])
    with tk.Client(embedded=Settings(keys=(KEY,), faults=faults), retries=tk.Retries(attempts=1)) as client:
        client.filters()
        wire, kinds = client._session.transport._wire, []
        carry = wire.carry

        async def watched(sent):
            status, headers, body = await carry(sent)
            kinds.append(dict(headers)[b"content-type"].decode())
            return status, headers, body

        wire.carry = watched
        with pytest.raises(errors.service_error(code)) as caught:
            client.enrich(PAGE, format="xml")
    assert kinds == ["application/xml"]
    assert "on demand" in caught.value.detail
    assert caught.value.request_id.startswith("req_")


# Headers ------------------------------------------------------------------------------------------------------------


def test_the_vocabulary_page_has_the_usual_headers(served):
    response = requests.get(f"{served.base}{VOCABULARY}", timeout=30)
    headers = response.headers
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] == "public, max-age=3600"
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    for tag, name in (("script", "script-src"), ("style", "style-src")):
        [own] = re.findall(rf"<{tag}>(.*?)</{tag}>", response.text, re.DOTALL)
        assert policy[name] == f"'sha256-{b64encode(sha256(own.encode()).digest()).decode()}'"
    assert not re.search(r"<script[^>]+>|\bon[a-z]+=|style=", response.text)


def test_the_vocabulary_page_is_not_sent_again_to_who_has_it(served):
    first = requests.get(f"{served.base}{VOCABULARY}", timeout=30)
    again = requests.get(
        f"{served.base}{VOCABULARY}", headers={"If-None-Match": f'"other", {first.headers["etag"]}'}, timeout=30
    )
    other = requests.get(f"{served.base}{VOCABULARY}", headers={"If-None-Match": '"other"'}, timeout=30)
    head = requests.head(f"{served.base}{VOCABULARY}", timeout=30)
    assert (again.status_code, again.content) == (304, b"")
    assert (other.status_code, other.content) == (200, first.content)
    assert (head.status_code, head.headers["etag"], head.content) == (200, first.headers["etag"], b"")


@pytest.mark.parametrize(
    "path", ["/v1/categorize?domain=ledgerline.example", "/v1/enrich?domain=x", "/v1/none", "/v1/batch/x/results"]
)
def test_an_answer_to_a_key_is_stored_by_nobody_in_between(served, path):
    for key in (KEY, "another"):
        response = requests.get(f"{served.base}{path}", headers={"Authorization": f"Bearer {key}"}, timeout=30)
        assert response.headers["cache-control"] == "no-store"
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["x-request-id"].startswith("req_")


def test_an_answer_that_broke_inside_has_the_usual_headers(monkeypatch):
    from toolkit.service.app import create_app
    from toolkit.service.work.library import Library

    async def broken(self, text, task):
        raise LookupError

    monkeypatch.setattr(Library, "answer_text", broken)
    app = create_app(Settings(keys=(KEY,)))

    async def ask():
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://x.invalid") as client:
            form = {"api_key": KEY, "data_type": "text", "query": "some text to read"}
            return await client.post("/api/std/std_content_filtering.php", data=form)

    import asyncio

    response = asyncio.run(ask())
    assert response.status_code == 500
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert len(response.headers.get_list("x-request-id")) == 1


# Notifications ------------------------------------------------------------------------------------------------------

SECRETS = {"none": {}, "empty": {"webhook_secret": ""}, "null": {"webhook_secret": None}}


@pytest.fixture(scope="module")
def notifying(serve):
    return serve("--key", KEY, "--allow-private")


def submit(base, **given):
    headers = {"Authorization": f"Bearer {KEY}"}
    return requests.post(f"{base}/v1/batch", json={"domains": [PAGE], **given}, headers=headers, timeout=30).json()


@pytest.mark.parametrize("name", list(SECRETS))
def test_a_notification_without_a_secret_is_unsigned_and_its_submission_says_so(notifying, receiver, name):
    submission = submit(notifying.base, webhook_url=receiver.url, **SECRETS[name])
    _, headers, body = receiver.next()
    assert submission["signed"] is False
    assert headers["x-webhook-signature"] is None
    assert headers["x-webhook-timestamp"]
    with pytest.raises(errors.SignatureError):
        tk.verify(body, dict(headers), "s3cret")
    with pytest.raises(errors.ConfigurationError):
        tk.verify(body, dict(headers), "")


def test_a_notification_with_a_secret_is_signed_and_its_submission_says_so(notifying, receiver):
    submission = submit(notifying.base, webhook_url=receiver.url, webhook_secret="s3cret")
    _, headers, body = receiver.next()
    assert submission["signed"] is True
    assert tk.verify(body, dict(headers), "s3cret").event == "batch.completed"


def test_a_submission_without_an_address_says_nothing_of_signing(notifying):
    assert "signed" not in submit(notifying.base)


@pytest.mark.parametrize(("secret", "signed"), [("s3cret", True), (None, False), ("", False)])
def test_notifications_of_an_account_are_signed_with_its_secret_or_not(receiver, secret, signed):
    settings = Settings(allow_private=True, webhook_url=receiver.url, webhook_secret=secret)
    with tk.Client(embedded=settings) as client:
        assert client.submit_batch([PAGE]).raw["signed"] is signed
        assert (receiver.next()[1]["x-webhook-signature"] is not None) is signed


def test_the_client_sends_no_empty_secret(stub):
    stub.reply(200, {"batch_id": "b"})
    with stub.client() as client:
        client.submit_batch([PAGE], webhook_url="https://hooks.example", webhook_secret="")
    assert b"webhook_secret" not in stub.requests[0].content


def test_credits_are_read_in_the_loop_alone_where_no_other_statement_runs(monkeypatch):
    from toolkit.service.accounts.ledger import Ledger

    threads, usage = set(), Ledger.usage

    def noted(self, digest):
        threads.add(threading.current_thread().name)
        return usage(self, digest)

    with tk.Client(embedded=Settings(keys=(KEY,)), retries=tk.Retries(attempts=1)) as client:
        client.filters()
        monkeypatch.setattr(Ledger, "usage", noted)
        for ask in ERRORS.values():
            with pytest.raises(errors.ServiceError):
                ask(client)
    assert threads == {"toolkit-loop"}
