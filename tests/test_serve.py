"""`toolkit serve`: what it prints, what it refuses, how it ends."""

import signal
import socket
import time

import pytest
import requests

KEY = "key-that-is-never-shown"
PAGE = "torque-journal.example"
TEXT = "A test drive of the new electric sedan: range, charging, handling on mountain roads, and its price."
AT_ONCE = 10


def bearer(key):
    return {"Authorization": f"Bearer {key}"}


def ask(served, key=KEY, query=TEXT):
    form = {"api_key": key, "data_type": "text", "query": query}
    return requests.post(f"{served.base}/api/std/std_content_filtering.php", data=form, timeout=30)


def categorize(served, domain=PAGE):
    return requests.get(f"{served.v1_base}/v1/categorize", params={"domain": domain}, headers=bearer(KEY), timeout=30)


@pytest.fixture(scope="module")
def served(serve):
    return serve("--key", KEY, "--key", "second-key")


@pytest.mark.parametrize("name", ["TOOLKIT_BASE_URL", "TOOLKIT_V1_BASE_URL"])
def test_the_base_url_that_it_prints_is_where_it_listens(served, name):
    response = requests.get(f"{served.values[name]}/api/audience/filters.php", timeout=30)
    assert response.status_code == 200


def test_it_is_ready_once_it_has_said_so(start):
    assert ask(start("--key", KEY)).status_code == 200


def test_the_address_of_the_vocabulary_page_that_it_prints_is_right(served):
    [line] = [line for line in served.lines if line.startswith("Vocabulary: ")]
    response = requests.get(line.removeprefix("Vocabulary: "), timeout=30)
    assert response.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("key", [KEY, "second-key"])
def test_every_given_key_works(served, key):
    assert ask(served, key).status_code == 200


def test_no_key_is_printed_where_one_was_given(served):
    assert "TOOLKIT_API_KEY" not in served.values


def test_without_a_key_it_makes_one_and_prints_it(start):
    served = start()
    assert len(served.values["TOOLKIT_API_KEY"]) >= 20
    assert ask(served, served.values["TOOLKIT_API_KEY"]).status_code == 200
    assert ask(served, KEY).status_code == 401


def test_given_keys_and_secrets_are_never_in_the_output(start, receiver):
    served = start("--key", KEY, "--webhook-url", receiver.url, "--webhook-secret", "hush-hush", "--quota", "2")
    ask(served)
    ask(served, "a-wrong-key")
    ask(served, query="")
    categorize(served)
    requests.get(f"{served.base}/nowhere", params={"api_key": KEY}, headers=bearer(KEY), timeout=30)
    requests.post(f"{served.v1_base}/v1/batch", data=f"{{{KEY}", headers=bearer(KEY), timeout=30)
    printed = "\n".join([*served.lines, *served.stop()])
    assert [text for text in (KEY, "hush-hush", "a-wrong-key") if text in printed] == []


OUTSIDE = ["0.0.0.0", "::", "192.168.1.10", "8.8.8.8", "service.example", "localhost.evil.example", ""]  # noqa: S104


@pytest.mark.parametrize("host", OUTSIDE)
def test_it_listens_on_loopback_only(start, host):
    served = start("--key", KEY, "--host", host)
    out, complaint = served.stop()
    assert served.process.returncode == 1
    assert "loopback" in complaint
    assert (served.lines, out) == ([], "")


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        pytest.param("::1", marks=pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6 loopback")),
    ],
)
def test_every_way_to_write_loopback_works(start, host):
    assert ask(start("--key", KEY, "--host", host)).status_code == 200


@pytest.fixture
def taken_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield str(taken.getsockname()[1])


def test_a_port_in_use_is_exit_code_1_and_a_message(start, taken_port):
    served = start("--key", KEY, "--port", taken_port)
    _, complaint = served.stop()
    assert served.process.returncode == 1
    assert "address already in use" in complaint
    assert taken_port in complaint


def test_a_port_in_use_is_no_traceback(start, taken_port):
    _, complaint = start("--key", KEY, "--port", taken_port).stop()
    assert "Traceback" not in complaint


def test_a_port_in_use_is_never_announced(start, taken_port):
    assert start("--key", KEY, "--port", taken_port).lines == []


@pytest.mark.parametrize(
    "options",
    [
        ("--port", "70000"),
        ("--port", "-1"),
        ("--port", "many"),
        ("--rate", "0"),
        ("--rate", "-1"),
        ("--rate", "nan"),
        ("--rate", "5", "--burst", "0"),
        ("--quota", "-1"),
        ("--credits", "-1"),
        ("--key", ""),
        ("--webhook-url", "ftp://receiver.example"),
    ],
    ids=" ".join,
)
def test_an_option_that_cannot_work_is_refused_with_a_message(start, options):
    served = start(*(() if "--key" in options else ("--key", KEY)), *options)
    assert served.lines == []
    _, complaint = served.stop()
    assert served.process.returncode in (1, 2)
    assert complaint
    assert "Traceback" not in complaint


def test_the_sample_web_can_be_left_out(start):
    assert categorize(start("--key", KEY, "--no-samples")).status_code == 411


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


both_signals = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)


@both_signals
def test_a_signal_ends_it_without_noise(start, number):
    served = start("--key", KEY)
    ask(served)
    code, out, complaint = end(served, number)
    assert code in (0, -number, 128 + number)
    assert (out, complaint) == ("", "")


@both_signals
def test_an_idle_connection_does_not_keep_it(start, number):
    served = start("--key", KEY)
    with requests.Session() as session:
        session.get(f"{served.base}/api/audience/filters.php", timeout=30)
        code, _, _ = end(served, number)
    assert code in (0, -number, 128 + number)


def test_a_delivery_that_waits_for_its_next_attempt_does_not_keep_it(start, receiver):
    receiver.statuses = [500]
    served = start("--key", KEY, "--allow-private", "--webhook-url", receiver.url)
    requests.post(f"{served.v1_base}/v1/batch", json={"domains": [PAGE]}, headers=bearer(KEY), timeout=30)
    receiver.next()
    code, _, complaint = end(served, signal.SIGTERM)
    assert code in (0, -signal.SIGTERM, 128 + signal.SIGTERM)
    assert complaint == ""


def test_a_running_batch_does_not_keep_it(start):
    served = start("--key", KEY)
    domains = [f"{n}.no-such-site.example" for n in range(400)] + [PAGE] * 600
    requests.post(f"{served.v1_base}/v1/batch", json={"domains": domains}, headers=bearer(KEY), timeout=30)
    code, _, complaint = end(served, signal.SIGTERM)
    assert code in (0, -signal.SIGTERM, 128 + signal.SIGTERM)
    assert complaint == ""


def test_its_port_is_free_when_it_has_ended(start):
    served = start("--key", KEY)
    port = int(served.base.rsplit(":", 1)[1])
    ask(served)
    end(served, signal.SIGINT)
    deadline = time.monotonic() + AT_ONCE
    while True:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
                break
            except OSError:
                assert time.monotonic() < deadline, "the port is still taken"
                time.sleep(0.05)
