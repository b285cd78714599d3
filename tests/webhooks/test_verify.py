"""Verifying notifications, and the inbox that keeps each once."""

import asyncio
import hashlib
import hmac
import json
import os
import sqlite3
import stat
import threading
import traceback
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from cases import every
from pydantic import SecretStr
from starlette.datastructures import Headers

import toolkit as tk
from toolkit.interface.errors import (
    AnswerTimeoutError,
    ConfigurationError,
    EventError,
    InboxError,
    InputError,
    OutsideWindowError,
    SignatureError,
    WebhookError,
)
from toolkit.interface.models import BatchSubmission, WebhookEvent
from toolkit.webhooks import inbox as inbox_module
from toolkit.webhooks.inbox import Inbox
from toolkit.webhooks.verify import event_json, verify

SECRET = "whs-5f1d0c7ea94b-sécret"
OTHER = "whs-0b39c1d2e4f5-other"
NOW = 1_750_000_000
#: Spaces, order and letters that no JSON writer of Python would write so.
BODY = (
    '{"webhook_id" :"wh_1", "event":"batch.completed","timestamp": "2025-06-15T15:06:40Z",'
    '  "data":{"total_domains":2,"batch_id":"batch_1","note":"Caf\u00e9 \\u00e9 1.50", "share": 1.50}}'
).encode()


def signed(body=BODY, secret=SECRET, timestamp=NOW, **other):
    """Headers as the interface says, by a computation of the test's own."""
    digest = hmac.new(secret.encode(), str(timestamp).encode() + b"." + body, hashlib.sha256).hexdigest()
    return {"X-Webhook-Signature": f"sha256={digest}", "X-Webhook-Timestamp": str(timestamp), **other}


def check(body=BODY, headers=None, secrets=SECRET, now=NOW, **others):
    return verify(body, signed(body) if headers is None else headers, secrets, now=now, **others)


def event_of(number=1, name="batch.completed", **data):
    return WebhookEvent(event=name, timestamp="2025-06-15T15:06:40Z", webhook_id=f"wh_{number}", data=data)


# Signatures ---------------------------------------------------------------------------------------------------------


def test_a_notification_that_is_signed_as_the_interface_says_is_its_event():
    event = check()
    assert (event.event, event.webhook_id, event.timestamp) == ("batch.completed", "wh_1", "2025-06-15T15:06:40Z")
    assert event.data == {"total_domains": 2, "batch_id": "batch_1", "note": "Café é 1.50", "share": 1.5}


@pytest.mark.parametrize("options", [{}, {"ensure_ascii": False}, {"separators": (",", ":")}, {"sort_keys": True}])
def test_json_that_was_written_again_does_not_verify(options):
    again = json.dumps(json.loads(BODY), **options).encode()
    assert json.loads(again) == json.loads(BODY)
    with pytest.raises(SignatureError, match="rewrites the body"):
        check(again, signed(BODY))


@pytest.mark.parametrize("place", [0, 40, len(BODY) - 1])
def test_a_changed_byte_does_not_verify(place):
    changed = BODY[:place] + bytes([BODY[place] ^ 1]) + BODY[place + 1 :]
    with pytest.raises(SignatureError):
        check(changed, signed(BODY))


@pytest.mark.parametrize("timestamp", [NOW + 1, NOW - 1, f"0{NOW}"])
def test_a_changed_timestamp_does_not_verify(timestamp):
    with pytest.raises(SignatureError, match="none of the secrets"):
        check(headers={**signed(), "X-Webhook-Timestamp": str(timestamp)})


@pytest.mark.parametrize("written", [str, str.upper, str.lower])
def test_header_names_are_read_in_any_case(written):
    assert check(headers={written(name): value for name, value in signed().items()}).webhook_id == "wh_1"


@pytest.mark.parametrize("kind", [httpx.Headers, Headers])
def test_headers_of_http_libraries_are_taken(kind):
    assert check(headers=kind(signed())).webhook_id == "wh_1"


@pytest.mark.parametrize("kind", [list, tuple, iter], ids=["list", "tuple", "iterator"])
def test_headers_as_pairs_are_taken(kind):
    assert check(headers=kind(signed().items())).webhook_id == "wh_1"


def test_headers_as_bytes_are_taken():
    """As ASGI has them."""
    pairs = [(name.lower().encode(), value.encode()) for name, value in signed(Accept="*/*").items()]
    assert check(headers=pairs).webhook_id == "wh_1"
    assert check(headers=dict(pairs)).webhook_id == "wh_1"


def test_a_pair_that_is_there_twice_is_refused():
    with pytest.raises(SignatureError, match="has 2 headers X-Webhook-Timestamp"):
        check(headers=[*signed().items(), ("x-webhook-timestamp", b"1")])


def test_a_header_without_a_name_of_text_is_no_header():
    assert check(headers={**signed(), 5: "five", None: "none"}).webhook_id == "wh_1"


@pytest.mark.parametrize("headers", [5, None, "X-Webhook-Timestamp: 1", b"raw", [1], [("a", "b", "c")], dict], ids=repr)
def test_what_are_no_headers_is_told(headers):
    with pytest.raises(InputError) as refused:
        verify(BODY, headers, SECRET, now=NOW)
    assert str(refused.value) == (
        f"headers must be a mapping of names to values, or pairs of them; this {type(headers).__name__} is neither. "
        "Pass the headers of the request."
    )


def test_a_digest_in_capitals_is_the_same_number():
    headers = signed()
    headers["X-Webhook-Signature"] = "sha256=" + headers["X-Webhook-Signature"][7:].upper()
    assert check(headers=headers).webhook_id == "wh_1"


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_other_kinds_of_bytes_are_taken(kind):
    assert check(kind(BODY), signed()).webhook_id == "wh_1"


@pytest.mark.parametrize("body", [BODY.decode(), json.loads(BODY), None])
def test_a_body_that_is_no_bytes_is_refused_with_the_reason(body):
    with pytest.raises(InputError, match="must be the bytes of the request as they came"):
        check(body, signed())


@pytest.mark.parametrize("name", ["X-Webhook-Signature", "X-Webhook-Timestamp"])
def test_a_missing_header_is_named(name):
    headers = signed()
    del headers[name]
    with pytest.raises(SignatureError, match=f"has no header {name}; it must have one"):
        check(headers=headers)


@pytest.mark.parametrize("name", ["X-Webhook-Signature", "X-Webhook-Timestamp"])
def test_a_header_that_is_there_twice_is_refused(name):
    twice = Headers(raw=[(key.lower().encode(), value.encode()) for key, value in [*signed().items(), (name, "1")]])
    with pytest.raises(SignatureError, match=f"has 2 headers {name}"):
        check(headers=twice)
    with pytest.raises(SignatureError, match=f"has 2 headers {name}"):
        check(headers={**signed(), name.lower(): signed()[name]})
    with pytest.raises(SignatureError, match=f"{name} is not"):
        check(headers=httpx.Headers([*signed().items(), (name, signed()[name])]))


DIGEST = signed()["X-Webhook-Signature"][7:]


@every(
    "value",
    ["", DIGEST, f"sha256={DIGEST[:-1]}", f"sha256={DIGEST}0", f"sha1={DIGEST}", f"sha256={DIGEST[:-1]}\ud800",
     f"sha256={DIGEST[:-1]}g", f"v1,sha256={DIGEST}", "sha256=", 5, None],
)  # fmt: skip
def test_an_odd_signature_is_refused(value):
    with pytest.raises(SignatureError, match="'sha256=' and 64 hexadecimal digits"):
        check(headers={**signed(), "X-Webhook-Signature": value})


@every(
    "value",
    ["", "now", f"{NOW}.0", f"+{NOW}", "-5", "1_750_000_000", "١٧٥٠٠٠٠٠٠٠", f"{NOW},{NOW}", "9" * 16, NOW, None],
)
def test_an_odd_timestamp_is_refused_although_it_is_signed(value):
    headers = {**signed(timestamp=value), "X-Webhook-Timestamp": value}
    with pytest.raises(SignatureError, match="whole number of seconds"):
        check(headers=headers)


def test_space_around_a_header_is_no_part_of_it():
    assert check(headers={name: f" {value}\t" for name, value in signed().items()}).webhook_id == "wh_1"


# Secrets ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "secrets", [[SECRET, OTHER], (OTHER, SECRET), {OTHER, SECRET}, [OTHER, SecretStr(SECRET)], SecretStr(SECRET)]
)
def test_any_of_several_secrets_may_have_signed(secrets):
    assert check(secrets=secrets).webhook_id == "wh_1"


def test_secrets_may_come_from_a_generator():
    assert check(secrets=(secret for secret in (OTHER, SECRET))).webhook_id == "wh_1"


@pytest.mark.parametrize("secrets", [OTHER, [OTHER], [OTHER, SECRET[:-1]], SECRET.upper()])
def test_without_the_right_secret_nothing_verifies(secrets):
    with pytest.raises(SignatureError, match="none of the secrets"):
        check(secrets=secrets)


@pytest.mark.parametrize("secrets", [[], (), None])
def test_no_secret_is_a_mistake_of_the_receiver(secrets):
    with pytest.raises(ConfigurationError, match="There is no webhook secret"):
        check(secrets=secrets)


@pytest.mark.parametrize("secrets", ["", [SECRET, ""], [SecretStr("")], [None], b"secret", [b"secret"], "\ud800"])
def test_a_secret_that_cannot_be_one_is_refused(secrets):
    with pytest.raises(ConfigurationError, match="empty or is no text"):
        check(secrets=secrets)


def test_an_empty_secret_opens_nothing():
    with pytest.raises(ConfigurationError):
        check(headers=signed(secret=""), secrets=[SECRET, ""])


BAD = {
    "wrong": {"secrets": [SECRET, OTHER], "headers": signed(secret="x")},
    "empty": {"secrets": [SECRET, ""]},
    "no text": {"secrets": [SECRET, 5]},
    "missing": {"secrets": SECRET, "headers": {}},
    "late": {"secrets": SECRET, "now": NOW + 9999},
    "tolerance": {"secrets": SECRET, "tolerance": -1},
    "text": {"secrets": SECRET, "body": "text", "headers": {}},
    "no event": {"secrets": SECRET, "body": b"[]"},
}


@pytest.mark.parametrize("case", list(BAD))
def test_no_secret_is_in_an_error_or_in_the_frames_behind_it(case):
    arguments = {"body": BODY, "now": NOW, **BAD[case]}
    if "headers" not in arguments:
        arguments["headers"] = signed(arguments["body"])
    with pytest.raises((ConfigurationError, InputError, WebhookError)) as caught:
        verify(arguments.pop("body"), arguments.pop("headers"), arguments.pop("secrets"), **arguments)
    seen = traceback.TracebackException.from_exception(caught.value)
    link, frames = caught.value, []
    while link is not None:
        frames += [frame for frame, _ in traceback.walk_tb(link.__traceback__)]
        link = link.__context__
    shown = [repr(frame.f_locals) for frame in frames if Path(frame.f_code.co_filename).parent != Path(__file__).parent]
    text = "".join([*seen.format(), repr(caught.value), repr(vars(caught.value)), *shown])
    assert len(shown) >= 1
    assert SECRET not in text
    assert repr(SECRET)[1:-1] not in text
    assert OTHER not in text


# The window ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("skew", [-300, -299.5, 0, 299.5, 300])
def test_a_timestamp_in_the_window_is_taken(skew):
    assert check(now=NOW + skew).webhook_id == "wh_1"


@pytest.mark.parametrize(
    ("skew", "side"), [(300.5, "behind"), (301, "behind"), (-300.5, "ahead of"), (-301, "ahead of")]
)
def test_a_timestamp_outside_the_window_is_refused_on_either_side(skew, side):
    with pytest.raises(OutsideWindowError, match=f"s {side} this clock, and 300 s are allowed"):
        check(now=NOW + skew)


@pytest.mark.parametrize("skew", [10, -10])
def test_the_window_can_be_chosen(skew):
    assert check(now=NOW + skew, tolerance=10).webhook_id == "wh_1"
    with pytest.raises(OutsideWindowError, match=r"9\.5 s are allowed"):
        check(now=NOW + skew, tolerance=9.5)


def test_this_machines_clock_is_used_where_none_is_given():
    with pytest.raises(OutsideWindowError):
        verify(BODY, signed(), SECRET)


@pytest.mark.parametrize(
    "now", [datetime.fromtimestamp(NOW, UTC), str(NOW), True, float("nan"), float("inf")], ids=repr
)
def test_a_clock_that_is_no_number_of_seconds_is_refused(now):
    with pytest.raises(InputError) as refused:
        check(now=now)
    assert str(refused.value) == f"now is {now!r:.80}. Give seconds since 1970, such as moment.timestamp()."


def test_milliseconds_are_told():
    with pytest.raises(OutsideWindowError, match="looks like milliseconds"):
        check(headers=signed(timestamp=NOW * 1000))


def test_a_wrong_signature_is_told_before_a_wrong_time():
    with pytest.raises(SignatureError):
        check(headers=signed(secret=OTHER), now=NOW + 9999)


@pytest.mark.parametrize("tolerance", [0, -1, 86_401, float("nan"), float("inf"), "300", True, None])
def test_an_odd_tolerance_is_refused(tolerance):
    with pytest.raises(ConfigurationError, match="tolerance must be a number of seconds"):
        check(tolerance=tolerance)


# The event ----------------------------------------------------------------------------------------------------------


@every(
    ("body", "words"),
    [
        (b"", "not JSON"),
        (b"batch.completed", "not JSON"),
        (b"\xff\xfe\xff", "not JSON"),
        (b'{"event": ' + b"1" * 5000 + b"}", "not JSON"),
        (b'{"a":' * 100_000, "not JSON"),
        (b"[]", "a JSON list, not an object"),
        (b"null", "a JSON NoneType, not an object"),
        (b"{}", r"\$\.event is missing"),
        (b'{"event":"quota.warning","timestamp":"t","data":{}}', r"\$\.webhook_id is missing"),
        (b'{"event":"quota.warning","timestamp":"t","webhook_id":null}', r"\$\.webhook_id is missing"),
        (b'{"event":"quota.warning","timestamp":"t","webhook_id":" "}', r"\$\.webhook_id is missing"),
        (b'{"event":"","timestamp":"t","webhook_id":"w"}', r"\$\.event is missing"),
        (b'{"event":["a"],"timestamp":"t","webhook_id":"w"}', r"\$\.event is missing or of the wrong kind"),
        (b'{"event":"a","timestamp":"t","webhook_id":"w","data":[1]}', r"\$\.data is missing or of the wrong kind"),
    ],
)
def test_a_signed_body_that_is_no_event_is_refused(body, words):
    with pytest.raises(EventError, match=words):
        check(body)


def test_a_body_is_read_only_once_its_signature_is_right():
    with pytest.raises(SignatureError):
        check(b"no JSON", signed())


def test_an_event_of_another_name_is_taken_with_fields_that_are_not_known():
    body = b'{"event":"key.rotated","timestamp":"t","webhook_id":7,"data":null,"more":[1]}'
    event = check(body)
    assert event_json(event) == {"event": "key.rotated", "timestamp": "t", "webhook_id": "7", "data": {}, "more": [1]}


# The inbox ----------------------------------------------------------------------------------------------------------


@pytest.fixture(params=["memory", "file"])
def make(request, tmp_path):
    return lambda: Inbox(tmp_path / "inbox.db") if request.param == "file" else Inbox()


def test_an_event_is_kept_once(make):
    inbox = make()
    assert [inbox.take(event_of(number)) for number in (1, 2, 1, 2, 3)] == [True, True, False, False, True]
    assert [event.webhook_id for event in inbox.events] == ["wh_1", "wh_2", "wh_3"]


def test_an_event_is_kept_once_by_many_threads(make):
    inbox, taken = make(), []
    start = threading.Barrier(8)

    def take():
        start.wait()
        taken.extend(inbox.take(event_of(number)) for number in range(5))

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (sum(taken), len(taken), len(inbox.events)) == (5, 40, 5)


def test_the_list_of_events_is_a_copy():
    inbox = Inbox()
    inbox.events.append(event_of())
    assert inbox.events == []


def test_ids_and_events_in_memory_are_bounded(monkeypatch):
    monkeypatch.setattr(inbox_module, "_KEPT_IDS", 3)
    inbox = Inbox()
    for number in range(1_005):
        inbox.take(event_of(number))
    assert [event.webhook_id for event in inbox.events] == [f"wh_{number}" for number in range(5, 1_005)]
    assert list(inbox._ids) == ["wh_1002", "wh_1003", "wh_1004"]


def test_an_event_that_came_before_is_found():
    inbox = Inbox()
    for number, name, batch in [(1, "quota.warning", None), (2, "batch.failed", "a"), (3, "batch.completed", "b")]:
        inbox.take(event_of(number, name, batch_id=batch))
    assert inbox.wait_for(timeout=0).webhook_id == "wh_1"
    assert inbox.wait_for("batch.completed", timeout=0).webhook_id == "wh_3"
    assert inbox.wait_for(batch_id="a", timeout=0).webhook_id == "wh_2"
    assert inbox.wait_for(batch_id=BatchSubmission(batch_id="b"), timeout=0).webhook_id == "wh_3"
    assert inbox.wait_for(lambda event: event.webhook_id > "wh_1", timeout=0).webhook_id == "wh_2"
    with pytest.raises(AnswerTimeoutError):
        inbox.wait_for("batch.completed", batch_id="a", timeout=0)


def test_events_are_gone_through_one_after_the_other(make):
    inbox = make()
    for number in (1, 2, 3):
        inbox.take(event_of(number))
    first = inbox.wait_for(timeout=0)
    second = inbox.wait_for(after=first, timeout=0)
    third = inbox.wait_for(after=second, timeout=0)
    assert [event.webhook_id for event in (first, second, third)] == ["wh_1", "wh_2", "wh_3"]
    with pytest.raises(AnswerTimeoutError):
        inbox.wait_for(after=third, timeout=0)


def test_events_after_one_that_is_no_longer_kept_are_those_that_are(monkeypatch):
    monkeypatch.setattr(inbox_module, "_KEPT_EVENTS", 2)
    inbox = Inbox()
    events = [event_of(number) for number in range(5)]
    for event in events:
        inbox.take(event)
    assert inbox.wait_for(after=events[0], timeout=0).webhook_id == "wh_3"
    assert inbox.wait_for(after=events[3], timeout=0).webhook_id == "wh_4"


def started(inbox, count=1):
    """Wait until so many wait."""
    done = threading.Event()
    for _ in range(2_000):
        if len(inbox._waiting) >= count:
            return
        done.wait(0.005)
    raise AssertionError("nobody waits")


def test_an_event_wakes_those_who_wait_for_it_and_no_others(make):
    inbox, found = make(), {}

    def wait(batch):
        found[batch] = inbox.wait_for(batch_id=batch, timeout=20)

    threads = [threading.Thread(target=wait, args=(batch,)) for batch in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    started(inbox, 3)
    inbox.take(event_of(1, batch_id="b"))
    threads[1].join(20)
    assert (set(found), found["b"].webhook_id) == ({"b"}, "wh_1")
    inbox.take(event_of(2, batch_id="c"))
    inbox.take(event_of(3, "batch.failed", batch_id="a"))
    for thread in threads:
        thread.join(20)
    assert {batch: event.webhook_id for batch, event in found.items()} == {"a": "wh_3", "b": "wh_1", "c": "wh_2"}
    assert inbox._waiting == set()


def test_an_event_that_came_twice_wakes_nobody():
    inbox = Inbox()
    inbox.take(event_of())
    asked = []

    def wait():
        with pytest.raises(AnswerTimeoutError):
            inbox.wait_for(asked.append, timeout=0.2)

    thread = threading.Thread(target=wait)
    thread.start()
    started(inbox)
    inbox.take(event_of())
    thread.join()
    assert len(asked) == 1


def test_a_task_waits_without_holding_up_its_loop():
    inbox = Inbox()

    async def main():
        early = [asyncio.create_task(inbox.next_for(batch_id=batch, timeout=20)) for batch in "ab"]
        await asyncio.sleep(0)  # both have begun to wait
        assert len(inbox._waiting) == 2
        await asyncio.to_thread(inbox.take, event_of(1, batch_id="a"))
        await asyncio.to_thread(inbox.take, event_of(2, batch_id="b"))
        late = await inbox.next_for("batch.completed", timeout=0)
        return [(await task).webhook_id for task in early], late.webhook_id

    assert asyncio.run(main()) == (["wh_1", "wh_2"], "wh_1")
    assert inbox._waiting == set()


def test_a_task_that_gives_up_leaves_the_others_waiting():
    inbox = Inbox()

    async def main():
        tasks = [asyncio.create_task(inbox.next_for(timeout=20)) for _ in range(2)]
        await asyncio.sleep(0)  # both have begun to wait
        assert len(inbox._waiting) == 2
        tasks[0].cancel()
        await asyncio.wait(tasks[:1])
        assert len(inbox._waiting) == 1
        await asyncio.to_thread(inbox.take, event_of())
        return tasks[0].cancelled(), (await tasks[1]).webhook_id

    assert asyncio.run(main()) == (True, "wh_1")


def test_a_wait_in_vain_says_what_was_waited_for_and_what_was_refused():
    inbox = Inbox()
    with pytest.raises(AnswerTimeoutError) as caught:
        inbox.wait_for("batch.completed", batch_id="batch_9", timeout=0)
    assert str(caught.value) == (
        "No batch.completed notification about batch batch_9 came within 0 s; the inbox holds no events. Check that "
        "the sender can reach the receiver's address."
    )
    inbox.take(event_of())
    inbox.refuse(SignatureError("It was signed with another secret."))
    with pytest.raises(AnswerTimeoutError, match=r"holds 1 event\. .* The last that was refused: It was signed with"):
        asyncio.run(inbox.next_for("quota.warning", timeout=0))
    assert inbox.refusals == ["It was signed with another secret."]


@pytest.mark.parametrize("timeout", [-1, float("nan"), float("inf"), "5", True])
def test_an_odd_timeout_is_refused(timeout):
    with pytest.raises(InputError, match="timeout must be a number of seconds"):
        Inbox().wait_for(timeout=timeout)


def test_a_very_long_timeout_is_a_wait():
    inbox = Inbox()
    thread = threading.Thread(target=inbox.wait_for, kwargs={"timeout": 1e300})
    thread.start()
    started(inbox)
    inbox.take(event_of())
    thread.join(20)
    assert not thread.is_alive()


def test_the_error_of_a_predicate_is_the_askers_alone():
    inbox = Inbox()
    inbox.take(event_of())
    with pytest.raises(ZeroDivisionError):
        inbox.wait_for(lambda _: 1 / 0, timeout=0)
    assert inbox.take(event_of(2))


def test_a_predicate_may_look_at_the_inbox():
    inbox = Inbox()
    inbox.take(event_of())
    assert inbox.wait_for(lambda _: len(inbox.events) == 1, timeout=0).webhook_id == "wh_1"


# Its file -----------------------------------------------------------------------------------------------------------


def test_what_came_before_a_restart_is_known_after_it(tmp_path):
    path = tmp_path / "päth?#%.db"
    event = event_of(1, note="Café \x00 \ud800 \u202e", share=1.5, big=2**70)
    assert Inbox(path).take(event)
    inbox = Inbox(str(path))
    assert not inbox.take(event)
    assert inbox.wait_for("batch.completed", timeout=0) == event
    assert inbox.take(event_of(2))
    assert list(tmp_path.iterdir()) == [path]


def test_two_inboxes_on_one_file_take_an_event_once(tmp_path):
    one, two = Inbox(tmp_path / "inbox.db"), Inbox(tmp_path / "inbox.db")
    assert (one.take(event_of()), two.take(event_of())) == (True, False)


def test_the_latest_events_of_a_file_are_read(tmp_path, monkeypatch):
    path = tmp_path / "inbox.db"
    first = Inbox(path)
    for number in range(5):
        first.take(event_of(number))
    monkeypatch.setattr(inbox_module, "_KEPT_EVENTS", 2)
    second = Inbox(path)
    assert [event.webhook_id for event in second.events] == ["wh_3", "wh_4"]
    assert not second.take(event_of(0))


@pytest.mark.skipif(os.name != "posix", reason="file modes are of POSIX")
def test_the_file_is_its_owners_alone(tmp_path):
    path = tmp_path / "inbox.db"
    before = os.umask(0)
    try:
        Inbox(path).take(event_of())
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_no_secret_and_no_signature_is_in_the_file(tmp_path):
    path = tmp_path / "inbox.db"
    Inbox(path).take(check())
    content = path.read_bytes()
    assert b"wh_1" in content
    assert SECRET.encode() not in content
    assert DIGEST.encode() not in content


def test_a_file_in_no_folder_is_refused(tmp_path):
    with pytest.raises(InboxError, match="cannot be used: No such file or directory"):
        Inbox(tmp_path / "nowhere" / "inbox.db")


def foreign_database(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE answers (a)")
    connection.close()


def newer_inbox(path):
    Inbox(path)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 2")
    connection.close()


@pytest.mark.parametrize("prepare", [foreign_database, newer_inbox, lambda path: path.write_text("notes " * 100)])
def test_a_file_that_is_no_inbox_is_left_as_it_is(tmp_path, prepare):
    path = tmp_path / "file.db"
    prepare(path)
    before = path.read_bytes()
    with pytest.raises(InboxError, match=r"not an inbox|not a database"):
        Inbox(path)
    assert path.read_bytes() == before


def test_an_inbox_with_something_else_in_it_is_refused(tmp_path):
    path = tmp_path / "inbox.db"
    Inbox(path)
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO events (webhook_id, event) VALUES ('w', '[]')")
    connection.close()
    with pytest.raises(InboxError, match="holds what is no event"):
        Inbox(path)


def test_an_event_that_cannot_be_written_is_not_kept(tmp_path):
    path = tmp_path / "inbox.db"
    inbox = Inbox(path)
    path.unlink()
    with pytest.raises(InboxError, match="cannot be used"):
        inbox.take(event_of())
    assert inbox.events == []
    assert not path.exists()


def test_importing_the_toolkit_loads_none_of_it():
    import subprocess
    import sys

    program = "import sys, toolkit; print([name for name in sys.modules if 'webhooks' in name or 'sqlite' in name])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"
    assert tk.__version__
