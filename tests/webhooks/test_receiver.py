"""The receiver of notifications over HTTP, the embedded service's deliveries to it, and `toolkit listen`."""

import argparse
import asyncio
import copy
import hashlib
import hmac
import json
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest

import toolkit as tk
from toolkit.cli.listen import listen
from toolkit.interface.errors import AnswerTimeoutError, ConfigurationError
from toolkit.service.settings import Settings
from toolkit.webhooks.app import LONGEST_BODY, receiver_app
from toolkit.webhooks.inbox import Inbox
from toolkit.webhooks.receiver import Receiver

SECRET = "whs-5f1d0c7ea94b-sécret"
OTHER = "whs-0b39c1d2e4f5-other"
PAGE = "torque-journal.example"
THREAD = "toolkit-receiver"
#: One for all: a client takes longer to make than a notification to send.
SENDER = httpx.Client(timeout=20, trust_env=False, headers={"connection": "close"})
ANYWHERE = "0.0.0.0"  # noqa: S104 - to see it refused, and once allowed


def body_of(number=1, name="batch.completed", **data):
    payload = {"event": name, "timestamp": "2025-06-15T15:06:40Z", "webhook_id": f"wh_{number}", "data": data}
    return json.dumps(payload, ensure_ascii=False).encode()


def signed(body, secret=SECRET, skew=0):
    timestamp = str(int(time.time() + skew))
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return {"X-Webhook-Signature": f"sha256={digest}", "X-Webhook-Timestamp": timestamp}


def post(receiver, body, headers=None, **given):
    headers = signed(body, **given) if headers is None else headers
    return SENDER.post(receiver.url, content=body, headers=headers).status_code


@pytest.fixture
def open_receiver():
    with Receiver([OTHER, SECRET], path="/hooks") as receiver:
        yield receiver


@pytest.fixture(scope="module")
def shared():
    """For what is refused, which leaves nothing behind; a receiver takes a moment to close."""
    with Receiver([OTHER, SECRET], path="/hooks") as receiver:
        yield receiver
        assert receiver.inbox.events == []


# Over HTTP ----------------------------------------------------------------------------------------------------------


def test_a_notification_is_taken(open_receiver):
    assert post(open_receiver, body_of(1, batch_id="b", note="Café")) == 200
    [event] = open_receiver.inbox.events
    assert (event.event, event.webhook_id, event.data) == ("batch.completed", "wh_1", {"batch_id": "b", "note": "Café"})


def test_a_notification_that_came_before_is_acknowledged_and_not_kept_again(open_receiver):
    body = body_of()
    headers = signed(body)
    assert [post(open_receiver, body, headers), post(open_receiver, body, headers)] == [200, 200]
    assert post(open_receiver, body_of(name="batch.failed")) == 200
    assert [event.event for event in open_receiver.inbox.events] == ["batch.completed"]


@pytest.mark.parametrize("secret", [SECRET, OTHER])
def test_each_of_two_secrets_signs(open_receiver, secret):
    assert post(open_receiver, body_of(), secret=secret) == 200


def test_a_receiver_with_one_secret_does_not_know_another():
    with Receiver(OTHER) as receiver:
        assert post(receiver, body_of()) == 401
        assert receiver.inbox.events == []


@pytest.mark.parametrize("skew", [-240, 240])
def test_a_clock_that_is_a_little_off_is_no_harm(open_receiver, skew):
    assert post(open_receiver, body_of(), skew=skew) == 200


REFUSED = {
    "unsigned": (401, lambda body: (body, {})),
    "no timestamp": (401, lambda body: (body, {**signed(body), "X-Webhook-Timestamp": ""})),
    "other secret": (401, lambda body: (body, signed(body, "unknown"))),
    "late": (401, lambda body: (body, signed(body, skew=-400))),
    "early": (401, lambda body: (body, signed(body, skew=400))),
    "changed": (401, lambda body: (body + b" ", signed(body))),
    "twice": (401, lambda body: (body, [*signed(body).items(), *signed(body, skew=-1).items()])),
    "no JSON": (400, lambda _: (b"no", signed(b"no"))),
    "no event": (400, lambda _: (b"{}", signed(b"{}"))),
    "no body": (400, lambda _: (b"", signed(b""))),
}


@pytest.mark.parametrize("case", list(REFUSED))
def test_a_notification_that_is_not_right_is_refused_and_noted(shared, case):
    status, make = REFUSED[case]
    before = len(shared.inbox.refusals)
    assert post(shared, *make(body_of())) == status
    assert shared.inbox.events == []
    assert len(shared.inbox.refusals) == before + 1


def test_a_refusal_tells_the_sender_nothing_of_what_is_known_here(shared):
    answers = {
        SENDER.post(shared.url, content=b"{}", headers=headers).text
        for headers in ({}, signed(b"{}", "unknown"), signed(b"{}", skew=-400))
    }
    assert answers == {"not signed rightly, or not now"}


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_other_methods_are_not_taken(shared, method):
    assert SENDER.request(method, shared.url).status_code == 405


@pytest.mark.parametrize("path", ["/", "/hooks/", "/hooks/x", "/favicon.ico"])
def test_other_paths_are_not_there(shared, path):
    address = shared.url.removesuffix("/hooks") + path
    assert SENDER.post(address, content=b"{}", headers=signed(b"{}")).status_code == 404


def padded(length):
    body = body_of()
    return body + b" " * (length - len(body))


def test_a_body_of_the_greatest_length_is_taken(open_receiver):
    assert post(open_receiver, padded(LONGEST_BODY)) == 200


def test_a_longer_body_is_refused(open_receiver):
    body = padded(LONGEST_BODY + 1)
    host, port = open_receiver.url.removeprefix("http://").removesuffix("/hooks").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        head = f"POST /hooks HTTP/1.1\r\nhost: {host}\r\ncontent-length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 413")
    assert "more than 5,000,000 bytes" in open_receiver.inbox.refusals[0]


def test_a_longer_body_that_does_not_tell_its_length_is_refused(open_receiver):
    host, port = open_receiver.url.removeprefix("http://").removesuffix("/hooks").split(":")
    chunk = b"10000\r\n" + b" " * 65_536 + b"\r\n"
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(b"POST /hooks HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n")
        for _ in range(LONGEST_BODY // 65_536 + 1):
            connection.sendall(chunk)
        assert connection.recv(100).startswith(b"HTTP/1.1 413")


def test_a_sender_that_leaves_in_the_middle_does_no_harm(open_receiver):
    host, port = open_receiver.url.removeprefix("http://").removesuffix("/hooks").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(b"POST /hooks HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf")
    assert post(open_receiver, body_of()) == 200


def test_an_event_that_cannot_be_kept_is_not_acknowledged(tmp_path):
    path = tmp_path / "inbox.db"
    with Receiver(SECRET, inbox=Inbox(path)) as receiver:
        path.rename(tmp_path / "away.db")
        assert post(receiver, body_of()) == 503
        (tmp_path / "away.db").rename(path)
        assert post(receiver, body_of()) == 200
        assert [event.webhook_id for event in receiver.inbox.events] == ["wh_1"]


def test_an_inbox_with_a_file_knows_after_a_restart_what_came_before(tmp_path):
    body = body_of(batch_id="b")
    headers = signed(body)
    with Receiver(SECRET, inbox=Inbox(tmp_path / "inbox.db")) as receiver:
        assert post(receiver, body, headers) == 200
    told = []
    with Receiver(SECRET, inbox=Inbox(tmp_path / "inbox.db")) as receiver:
        receiver.inbox.take, take = lambda event: told.append(take(event)) or told[-1], receiver.inbox.take
        assert post(receiver, body, headers) == 200
        assert receiver.inbox.wait_for(batch_id="b", timeout=0).webhook_id == "wh_1"
        assert len(receiver.inbox.events) == 1
    assert told == [False]


def test_the_app_can_be_served_elsewhere():
    inbox = Inbox()

    async def send():
        transport = httpx.ASGITransport(receiver_app(inbox, SECRET, path="/n"))
        async with httpx.AsyncClient(transport=transport, base_url="http://app.invalid") as client:
            first = await client.post("/n", content=body_of(), headers=signed(body_of()))
            second = await client.post("/n", content=body_of(), headers=signed(body_of(), OTHER))
        return first.status_code, second.status_code

    assert asyncio.run(send()) == (200, 401)
    assert len(inbox.events) == 1


# Its life -----------------------------------------------------------------------------------------------------------


def test_closing_ends_the_thread_and_frees_the_port():
    before = set(threading.enumerate())
    with Receiver(SECRET) as receiver:
        post(receiver, body_of())
        port = httpx.URL(receiver.url).port
        begun = set(threading.enumerate()) - before
        assert [thread.name for thread in begun].count(THREAD) == 1
    receiver.close()
    for thread in begun:
        thread.join(5)
    assert [thread for thread in begun if thread.is_alive()] == []
    with Receiver(SECRET, port=port) as again:
        assert again.url == receiver.url
        assert repr(again) == f"<Receiver at {again.url}>"
    assert repr(receiver) == f"<Receiver closed, was at {receiver.url}>"
    with pytest.raises(httpx.ConnectError):
        post(receiver, body_of())


def test_a_receiver_can_be_closed_as_soon_as_it_is_made():
    before = set(threading.enumerate())
    for _ in range(3):
        Receiver(SECRET).close()
    assert set(threading.enumerate()) <= before


def test_closing_does_not_wait_for_a_sender_that_says_nothing():
    receiver = Receiver(SECRET)
    url = httpx.URL(receiver.url)
    with socket.create_connection((url.host, url.port), timeout=20) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf")
        assert post(receiver, body_of()) == 200
        closing = threading.Thread(target=receiver.close)
        closing.start()
        closing.join(20)
        assert not closing.is_alive()


def test_what_came_stays_after_closing():
    with Receiver(SECRET) as receiver:
        post(receiver, body_of())
    assert receiver.inbox.wait_for(timeout=0).webhook_id == "wh_1"


def test_it_works_inside_a_running_event_loop():
    async def cell():
        with Receiver(SECRET) as receiver:
            waiting = asyncio.create_task(receiver.inbox.next_for(batch_id="b", timeout=20))
            await asyncio.sleep(0)
            status = await asyncio.to_thread(post, receiver, body_of(batch_id="b"))
            return status, (await waiting).webhook_id

    assert asyncio.run(cell()) == (200, "wh_1")


def test_a_blocking_wait_inside_a_running_event_loop_is_woken_too():
    async def cell():
        with Receiver(SECRET) as receiver:
            sender = threading.Thread(target=post, args=(receiver, body_of(batch_id="b")))
            sender.start()
            event = receiver.inbox.wait_for(batch_id="b", timeout=20)
            sender.join()
            return event.webhook_id

    assert asyncio.run(cell()) == "wh_1"


def test_it_says_nothing_and_leaves_logging_and_signals_as_they_are(capfd, caplog):
    root, ours = logging.getLogger(), logging.getLogger("uvicorn.error")
    before = (root.level, list(root.handlers), ours.level, list(ours.handlers), signal.getsignal(signal.SIGINT))
    with caplog.at_level(logging.DEBUG), Receiver(SECRET) as receiver:
        url = httpx.URL(receiver.url)
        with socket.create_connection((url.host, url.port), timeout=20) as connection:
            connection.sendall(b"not http at all\r\n\r\n")
            connection.recv(100)
        post(receiver, body_of())
        post(receiver, b"{}")
    assert capfd.readouterr() == ("", "")
    assert [record for record in caplog.records if record.name.startswith("uvicorn")] == []
    after = (root.level, list(root.handlers), ours.level, list(ours.handlers), signal.getsignal(signal.SIGINT))
    assert after == before


def test_the_lines_of_other_servers_are_let_through(caplog, monkeypatch):
    # A server that was started in this process before may have cut its lines off from the root.
    for name in ("uvicorn", "uvicorn.error"):
        monkeypatch.setattr(logging.getLogger(name), "propagate", True)
        monkeypatch.setattr(logging.getLogger(name), "disabled", False)
        monkeypatch.setattr(logging.getLogger(name), "level", logging.NOTSET)
    Receiver(SECRET).close()
    logging.getLogger("uvicorn.error").warning("of an application's own")
    assert "of an application's own" in caplog.text


# What is refused at the door ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", [ANYWHERE, "::", "192.168.0.1", "example.com", ""])
def test_an_address_that_others_can_reach_is_refused(host):
    with pytest.raises(ConfigurationError, match=r"not a loopback address.*reverse proxy with TLS"):
        Receiver(SECRET, host)


def test_an_address_that_others_can_reach_can_be_allowed():
    with Receiver(SECRET, ANYWHERE, allow_public=True) as receiver:
        assert receiver.url.startswith("http://127.0.0.1:")
        assert post(receiver, body_of()) == 200


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.parametrize("host", ["localhost", *(["::1"] if has_ipv6() else [])])
def test_every_way_to_write_loopback_works(host):
    with Receiver(SECRET, host) as receiver:
        assert post(receiver, body_of()) == 200


@pytest.mark.parametrize("secrets", [[], "", None, [SECRET, ""]])
def test_without_a_secret_there_is_no_receiver(secrets):
    with pytest.raises(ConfigurationError, match="secret"):
        Receiver(secrets)
    with pytest.raises(ConfigurationError, match="secret"):
        receiver_app(Inbox(), secrets)


@pytest.mark.parametrize("port", [-1, 65_536, "80", True, 1.5])
def test_an_odd_port_is_refused(port):
    with pytest.raises(ConfigurationError, match=rf"port is {port!r}\. Give a whole number from 0 to 65,535\."):
        Receiver(SECRET, port=port)


@pytest.mark.parametrize("path", ["", "hooks", "/{x}", "/a b", "/a?b", "/a#b", "/é", "/%41", None])
def test_an_odd_path_is_refused(path):
    with pytest.raises(ConfigurationError, match="path must be the path of an address"):
        Receiver(SECRET, path=path)


def test_an_odd_tolerance_is_refused():
    with pytest.raises(ConfigurationError, match="tolerance"):
        Receiver(SECRET, tolerance=0)


def test_a_port_that_is_taken_is_told():
    with Receiver(SECRET) as receiver, pytest.raises(ConfigurationError, match=r"cannot listen on .* in use"):
        Receiver(SECRET, port=httpx.URL(receiver.url).port)


# The secret ---------------------------------------------------------------------------------------------------------


def parts_of(thing, depth=6, seen=None):
    """Everything that can be reached from a thing by its attributes and items, as it is shown."""
    seen = {} if seen is None else seen
    if id(thing) in seen or depth < 0:
        return []
    seen[id(thing)] = thing
    inner = list(vars(thing).values()) if hasattr(thing, "__dict__") and not isinstance(thing, type) else []
    if isinstance(thing, dict):
        inner += list(thing.values())
    elif isinstance(thing, list | tuple | set | frozenset):
        inner += list(thing)
    if type(thing).__name__ in {"SecretStr", "module"}:
        inner = []
    return [repr(thing), *(shown for part in inner for shown in parts_of(part, depth - 1, seen))]


def test_the_secret_is_in_nothing_that_is_shown(open_receiver):
    post(open_receiver, body_of())
    post(open_receiver, body_of(), secret="unknown")
    shown = "\n".join([*parts_of(open_receiver), str(open_receiver), repr(open_receiver.inbox.refusals)])
    assert "wh_1" in shown
    for secret in (SECRET, OTHER):
        assert secret not in shown


@pytest.mark.parametrize("way", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_receiver_is_not_pickled_or_copied(open_receiver, way):
    with pytest.raises(ConfigurationError, match="not pickled"):
        way(open_receiver)


@pytest.mark.parametrize("given", [{"host": ANYWHERE}, {"port": -1}, {"path": "x"}, {"tolerance": 0}])
def test_the_secret_is_in_no_frame_behind_an_error(given):
    with pytest.raises(ConfigurationError) as caught:
        Receiver([SECRET, OTHER], **given)
    trace, frames = caught.value.__traceback__.tb_next, []
    while trace is not None:
        frames.append(repr(trace.tb_frame.f_locals))
        trace = trace.tb_next
    assert frames
    assert not [frame for frame in frames if SECRET in frame or OTHER in frame]


# The embedded service's deliveries ----------------------------------------------------------------------------------


@pytest.fixture
def delivering():
    """A client on an embedded service whose quota is three answers."""
    with tk.Client(embedded=Settings(allow_private=True, monthly_quota=3, webhook_delays=(0,))) as client:
        yield client


def test_a_batch_of_the_embedded_service_wakes_who_waits_for_it(delivering):
    with Receiver(SECRET) as receiver:
        job = delivering.submit_batch([PAGE, "gone-fishing.example"], webhook_url=receiver.url, webhook_secret=SECRET)
        event = receiver.inbox.wait_for(batch_id=job, timeout=60)
        assert receiver.inbox.refusals == []
    assert (event.event, event.data["batch_id"], event.data["total_domains"]) == ("batch.completed", job.batch_id, 2)
    assert delivering.batch_results(job).is_finished


def test_a_batch_that_fails_wakes_who_waits_for_it_too(delivering):
    with Receiver(SECRET) as receiver:
        job = delivering.submit_batch([PAGE] * 5, webhook_url=receiver.url, webhook_secret=SECRET)
        event = receiver.inbox.wait_for(batch_id=job.batch_id, timeout=60)
    assert (event.event, len(event.data["partial_results"])) == ("batch.failed", 5)


class TellingInbox(Inbox):
    """Says when it has refused something."""

    def __init__(self):
        super().__init__()
        self.refused = threading.Event()

    def refuse(self, error):
        super().refuse(error)
        self.refused.set()


def test_a_batch_that_is_signed_with_another_secret_wakes_nobody(delivering):
    with Receiver(SECRET, inbox=TellingInbox()) as receiver:
        job = delivering.submit_batch([PAGE], webhook_url=receiver.url, webhook_secret=OTHER)
        assert receiver.inbox.refused.wait(60)
        with pytest.raises(AnswerTimeoutError, match="made with none of the secrets known here"):
            receiver.inbox.wait_for(batch_id=job.batch_id, timeout=0)


# toolkit listen -----------------------------------------------------------------------------------------------------

PROGRAM = """
import argparse, sys
from toolkit.cli.main import _complain, main
from toolkit.interface.errors import ToolkitError
from toolkit.cli.listen import listen
parser = argparse.ArgumentParser()
parser.add_argument("--port", type=int, default=0)
parser.add_argument("--host", default="127.0.0.1")
parser.add_argument("--path", default="/")
parser.add_argument("--inbox")
parser.add_argument("--secret-file")
parser.add_argument("--once", action="store_true")
parser.add_argument("--allow-public", action="store_true")
try:
    sys.exit(listen(parser.parse_args()))
except ToolkitError as error:
    _complain(str(error))
    sys.exit(1)
except KeyboardInterrupt:
    sys.exit(130)
"""


class Listening:
    """A running `toolkit listen`."""

    def __init__(self, *options, secret=None, encoding="utf-8"):
        clean = {name: value for name, value in os.environ.items() if not name.startswith("TOOLKIT_")}
        clean |= {"PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONIOENCODING": encoding}
        if secret is not None:
            clean["TOOLKIT_WEBHOOK_SECRET"] = secret
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", PROGRAM, *options],
            env=clean,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        watchdog = threading.Timer(60, self.process.kill)
        watchdog.start()
        self.first = self.process.stderr.readline()
        watchdog.cancel()
        self.url = self.first.partition(" at ")[2].partition(" ")[0]

    def end(self, number=None):
        if number is not None:
            self.process.send_signal(number)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


@pytest.fixture
def listening():
    running = []

    def start(*options, **given):
        running.append(Listening(*options, **given))
        return running[-1]

    yield start
    for one in running:
        if one.process.poll() is None:
            one.process.kill()
        one.process.communicate()


def test_listen_prints_each_event_as_a_line_of_json_until_it_is_stopped(listening):
    command = listening("--path", "/hooks", secret=f" {OTHER} ,\n{SECRET}\n")
    assert command.first == f"Listening for notifications at {command.url} - stop with Ctrl-C.\n"
    bodies = [body_of(1, note="Café \x9b31m \u202e \u2028"), body_of(2, "quota.warning")]
    assert [post(command, bodies[0]), post(command, bodies[0]), post(command, bodies[1], secret=OTHER)] == [200] * 3
    assert post(command, body_of(3), secret="unknown") == 401
    lines = [command.process.stdout.readline() for _ in bodies]
    assert [json.loads(line) for line in lines] == [json.loads(body) for body in bodies]
    assert "Café" in lines[0]
    assert not {"\x9b", "\u202e", "\u2028"} & set(lines[0])
    code, out, err = command.end(signal.SIGINT)
    assert (code, out) == (130, "")
    assert err.startswith("refused: The signature was made with none of the secrets known here (2)")
    assert len(err.splitlines()) == 1
    assert SECRET not in err
    assert OTHER not in err


def test_listen_makes_a_secret_where_there_is_none_and_ends_after_one_event(listening):
    command = listening("--once", secret=" , ")
    name, _, secret = command.process.stderr.readline().strip().partition("=")
    assert (name, len(secret) >= 40) == ("TOOLKIT_WEBHOOK_SECRET", True)
    assert post(command, body_of(), secret=secret) == 200
    code, out, err = command.end()
    assert (code, err) == (0, "")
    assert json.loads(out)["webhook_id"] == "wh_1"


def test_listen_does_not_print_again_what_its_file_has(listening, tmp_path):
    options = ("--once", "--inbox", str(tmp_path / "inbox.db"))
    first = listening(*options, secret=SECRET, encoding="ascii")
    post(first, body_of(1, note="Café"))
    assert json.loads(first.end()[1])["data"] == {"note": "Café"}
    second = listening(*options, secret=SECRET)
    assert [post(second, body_of(1, note="Café")), post(second, body_of(2))] == [200, 200]
    assert [json.loads(line)["webhook_id"] for line in second.end()[1].splitlines()] == ["wh_2"]


def test_listen_takes_its_secrets_from_a_file(listening, tmp_path):
    path = tmp_path / "secrets"
    path.write_text(f"another, with a comma\n{SECRET}\n")
    command = listening("--secret-file", str(path))
    assert [post(command, body_of(1)), post(command, body_of(2), secret="another, with a comma")] == [200, 200]
    assert post(command, body_of(3), secret="another") == 401
    assert SECRET not in "".join(command.end(signal.SIGINT)[1:])


@pytest.mark.parametrize("headers", [{}, {"X-Webhook-Timestamp": "1"}, {"X-Webhook-Signature": ""}])
def test_an_unsigned_notification_is_refused(open_receiver, headers):
    assert post(open_receiver, body_of(), headers) == 401
    assert open_receiver.inbox.events == []


def test_what_an_empty_secret_signs_is_refused(open_receiver):
    assert post(open_receiver, body_of(), secret="") == 401
    with pytest.raises(ConfigurationError, match="is empty"):
        Receiver("")


def test_listen_refuses_an_address_that_others_can_reach(monkeypatch):
    monkeypatch.setenv("TOOLKIT_WEBHOOK_SECRET", SECRET)
    given = {
        "host": ANYWHERE,
        "port": 0,
        "path": "/",
        "inbox": None,
        "once": True,
        "allow_public": False,
        "secret_file": None,
    }
    with pytest.raises(ConfigurationError, match="not a loopback address"):
        listen(argparse.Namespace(**given))
