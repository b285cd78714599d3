"""`toolkit serve`: what it prints, what it refuses, how it ends."""

import signal
import socket
import time
from pathlib import Path

import pytest
import requests

from toolkit.cli.main import main

KEY = "key-that-is-never-shown"
PAGE = "torque-journal.example"
TEXT = "A test drive of the new electric sedan: range, charging, handling on mountain roads, and its price."
AT_ONCE = 10
#: Where nothing is asked of the processes that read pages: they take longer to start than all the rest.
THREADS = ("--workers", "0")


def bearer(key):
    return {"Authorization": f"Bearer {key}"}


def ask(served, key=KEY, query=TEXT):
    form = {"api_key": key, "data_type": "text", "query": query}
    return requests.post(f"{served.base}/api/std/std_content_filtering.php", data=form, timeout=30)


def categorize(served, domain=PAGE):
    return requests.get(f"{served.v1_base}/v1/categorize", params={"domain": domain}, headers=bearer(KEY), timeout=30)


def is_known(served, key):
    """Tell whether a key is an account's: asked for a batch that nobody has, which loads no model."""
    response = requests.get(f"{served.v1_base}/v1/batch/batch_of_nobody/results", headers=bearer(key), timeout=30)
    return {404: True, 401: False}[response.status_code]


# A start takes seconds, so each of these three servers shows a way to write loopback beside its own facts.


@pytest.fixture(scope="module")
def served(serve):
    return serve("--key", KEY, "--key", "second-key", "--host", "127.0.0.1")


@pytest.fixture(scope="module")
def first_answer(served):
    """The first answer, asked for as soon as the server has said that it is ready."""
    return ask(served)


@pytest.fixture(scope="module")
def keyless(serve):
    return serve("--host", "localhost", *THREADS)


def test_it_is_ready_once_it_has_said_so(first_answer):
    assert first_answer.status_code == 200


@pytest.mark.parametrize("name", ["TOOLKIT_BASE_URL", "TOOLKIT_V1_BASE_URL"])
def test_the_base_url_that_it_prints_is_where_it_listens(served, name):
    response = requests.get(f"{served.values[name]}/api/audience/filters.php", timeout=30)
    assert response.status_code == 200


def test_the_address_of_the_vocabulary_page_that_it_prints_is_right(served):
    [line] = [line for line in served.lines if line.startswith("Vocabulary: ")]
    response = requests.get(line.removeprefix("Vocabulary: "), timeout=30)
    assert response.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("key", [KEY, "second-key"])
def test_every_given_key_works(served, key):
    assert is_known(served, key)


def test_no_key_is_printed_where_one_was_given(served):
    assert "TOOLKIT_API_KEY" not in served.values


def test_without_a_key_it_makes_one_and_prints_it(keyless):
    made = keyless.values["TOOLKIT_API_KEY"]
    assert len(made) >= 20
    assert is_known(keyless, made)
    assert not is_known(keyless, KEY)


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.fixture(scope="module")
def sampleless(serve):
    return serve("--key", KEY, "--no-samples", "--host", "::1" if has_ipv6() else "127.0.0.1", *THREADS)


def test_the_sample_web_can_be_left_out(sampleless):
    assert categorize(sampleless).status_code == 411


# Where a machine has no IPv6 loopback, that way does not exist.
@pytest.mark.parametrize("name", ["served", "keyless", *(["sampleless"] if has_ipv6() else [])])
def test_every_way_to_write_loopback_works(request, name):
    base = request.getfixturevalue(name).base
    assert requests.get(f"{base}/api/audience/filters.php", timeout=30).status_code == 200


def test_given_keys_and_secrets_are_never_in_the_output(start, receiver):
    account = ("--webhook-url", receiver.url, "--webhook-secret", "hush-hush", "--allow-private")
    served = start("--key", KEY, "--quota", "2", *account)
    ask(served)
    ask(served, "a-wrong-key")
    ask(served, query="")
    categorize(served)
    requests.get(f"{served.base}/nowhere", params={"api_key": KEY}, headers=bearer(KEY), timeout=30)
    requests.post(f"{served.v1_base}/v1/batch", data=f"{{{KEY}", headers=bearer(KEY), timeout=30)
    printed = "\n".join([*served.lines, *served.stop()])
    assert [text for text in (KEY, "hush-hush", "a-wrong-key") if text in printed] == []


@pytest.fixture
def key_file(tmp_path):
    def written(*lines):
        path = tmp_path / "keys.txt"
        path.write_text("\n".join(lines))
        return str(path)

    return written


def test_keys_are_read_from_a_file_one_a_line(start, key_file):
    served = start("--key-file", key_file("first-key", "", "  with,comma  ", ""), *THREADS)
    assert [is_known(served, key) for key in ("first-key", "with,comma", "other")] == [True, True, False]
    assert "TOOLKIT_API_KEY" not in served.values


def test_neither_keys_nor_secrets_stand_among_the_arguments_of_the_process(start):
    served = start("--key", KEY, "--webhook-secret", "hush-hush", *THREADS)
    told = Path(f"/proc/{served.process.pid}/cmdline").read_bytes()
    assert b"serve" in told
    assert KEY.encode() not in told
    assert b"hush-hush" not in told
    for option in ("--key", "--webhook-secret"):
        with pytest.raises(SystemExit):
            main(["serve", option, "value"])


@pytest.mark.parametrize("option", ["--key-file", "--webhook-secret-file"])
@pytest.mark.parametrize(("content", "words"), [("", "is empty"), (None, "cannot be read: No such file"), ("x", "")])
def test_a_file_of_keys_that_has_none_is_refused_with_a_message(tmp_path, capsys, option, content, words):
    path = tmp_path / "given"
    if content is not None:
        path.write_text(content)
    code = main(["serve", option, str(path), "--host", "0.0.0.0" if words == "" else "127.0.0.1", "--burst", "0"])  # noqa: S104
    complaint = capsys.readouterr().err
    assert code == 1
    assert words in complaint
    assert "Traceback" not in complaint


def test_notifications_without_a_secret_are_said_to_be_unsigned(start, receiver):
    served = start("--key", KEY, "--quota", "2", "--webhook-url", receiver.url, "--allow-private", *THREADS)
    ask(served)
    ask(served)
    _, headers, _ = receiver.next()
    assert headers["x-webhook-signature"] is None
    assert "not signed" in served.stop()[1]


# Refusals ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def refused(start):
    """Start a server that cannot be; return what it complains of. It must have said nothing else."""

    def complaint(*options, codes=(1,)):
        served = start(*(() if "--key" in options else ("--key", KEY)), *options)
        out, complained = served.stop()
        assert (served.lines, out) == ([], "")
        assert served.process.returncode in codes
        return complained

    return complaint


OUTSIDE = ["0.0.0.0", "::", "192.168.1.10", "8.8.8.8", "service.example", "localhost.evil.example", ""]  # noqa: S104


@pytest.mark.parametrize("host", OUTSIDE)
def test_it_listens_on_loopback_only(refused, host):
    assert "loopback" in refused("--host", host)


def test_a_port_in_use_is_a_message_and_neither_a_traceback_nor_announced(refused):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        complaint = refused("--port", port)
    assert "address already in use" in complaint
    assert port in complaint
    assert "Traceback" not in complaint


RATE = "The rate must be from 1e-06 to 1,000,000,000 requests a second, not "
WITHOUT_SPACES = "A key must be visible ASCII characters without spaces, at least one."


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--rate", "0"), f"{RATE}0.0."),
        (("--rate", "-1"), f"{RATE}-1.0."),
        (("--rate", "nan"), f"{RATE}nan."),
        (("--rate", "inf"), f"{RATE}inf."),
        (("--rate", "5", "--burst", "0"), "The burst must be from 1 to 1,000,000,000 requests, not 0."),
        (("--quota", "-1"), "The quota must be from 0 to 1,000,000,000 answers a month, not -1."),
        (("--credits", "-1"), "The stock of credits must be from 0 to 1,000,000,000 credits, not -1."),
        (("--key", "two words"), WITHOUT_SPACES),
        (
            ("--webhook-url", "ftp://receiver.example"),
            "Notifications cannot be sent: webhook_url must begin with http:// or https://.",
        ),
        (
            ("--webhook-url", "http://127.0.0.1:9/"),
            "Notifications cannot be sent: webhook_url points to 127.0.0.1, which is not a public address.",
        ),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_an_option_that_cannot_work_is_refused_with_a_message(refused, options, message):
    assert refused(*options) == f"toolkit: {message}\n"


@pytest.mark.parametrize("port", ["70000", "65536", "-1", "many", "8e3", ""])
def test_a_port_that_is_none_is_refused_with_a_message(port, capsys):
    with pytest.raises(SystemExit) as left:
        main(["serve", f"--port={port}"])
    assert left.value.code == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.endswith(f"argument --port: a port is a whole number from 0 to 65535, not {port!r}")


# The end -------------------------------------------------------------------------------------------------------------


def end(served, signal_number):
    """Signal a server; return its exit code and what else it printed."""
    served.process.send_signal(signal_number)
    try:
        out, complaint = served.process.communicate(timeout=AT_ONCE)
    except Exception:
        served.process.kill()
        served.process.communicate()
        raise
    return served.process.returncode, out, complaint


@pytest.fixture(scope="module", params=[signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def ended(request):
    """A server that has answered, ended by a signal while a connection to it is open: exit code, output and port."""
    from serving import start_serve

    served = start_serve("--key", KEY)
    with requests.Session() as session:
        session.get(f"{served.base}/api/audience/filters.php", timeout=30)
        code, out, complaint = end(served, request.param)
    return code in endings(request.param), out, complaint, int(served.base.rsplit(":", 1)[1])


def endings(number):
    return (0, -number, 128 + number)


def test_a_signal_ends_it_though_a_connection_is_idle(ended):
    assert ended[0]


def test_a_signal_ends_it_without_noise(ended):
    assert ended[1:3] == ("", "")


def test_its_port_is_free_when_it_has_ended(ended):
    deadline = time.monotonic() + AT_ONCE
    while True:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", ended[3]))
                break
            except OSError:
                assert time.monotonic() < deadline, "the port is still taken"
                time.sleep(0.05)


def test_a_delivery_that_waits_for_its_next_attempt_does_not_keep_it(start, receiver):
    receiver.statuses = [500]
    account = ("--webhook-url", receiver.url, "--webhook-secret", "hush", "--allow-private")
    served = start("--key", KEY, *account, *THREADS)
    requests.post(f"{served.v1_base}/v1/batch", json={"domains": ["no-dot"]}, headers=bearer(KEY), timeout=30)
    receiver.next()
    code, _, complaint = end(served, signal.SIGTERM)
    assert code in endings(signal.SIGTERM)
    assert complaint == ""


def test_a_running_batch_does_not_keep_it(start):
    served = start("--key", KEY)
    domains = [f"{n}.no-such-site.example" for n in range(400)] + [PAGE] * 600
    requests.post(f"{served.v1_base}/v1/batch", json={"domains": domains}, headers=bearer(KEY), timeout=30)
    code, _, complaint = end(served, signal.SIGTERM)
    assert code in endings(signal.SIGTERM)
    assert complaint == ""
