"""Faults on demand: each arrives as it is described, as often as it is asked for, and in the same order again."""

import asyncio
import json
import logging
import socket
import ssl
import threading
import time
from collections import Counter

import httpx
import pytest
import uvicorn
from cases import every
from hypothesis import given
from hypothesis import strategies as st

import toolkit as tk
from toolkit.interface.errors import (
    AnswerTimeoutError,
    ConfigurationError,
    ConnectionFailedError,
    InvalidKeyError,
    QuotaExceededError,
    RateLimitedError,
    ResponseError,
    ServerError,
)
from toolkit.service import Faults
from toolkit.service.app import create_app
from toolkit.service.settings import Settings
from toolkit.service.web.injector import FaultInjector, FaultyTransport

KEY = "faultykey3e9a71c0b5"
OTHER_KEY = "otherkey77d20c41fa"
TEXT = "A test drive of the new electric sedan: range, charging, handling on mountain roads, and its price."
CREDITS = 1_000_000
#: Nothing here is encrypted, and to load the certificates takes longer than most of these tests.
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
NOBODYS = "/v1/batch/batch_of_nobody/results"
CONTENT = "/api/std/std_content_filtering.php"
KNOWN = (
    " Known are 429=share[:retry_after], 503=share (any of 500 to 599), reset=share, slow=share[:seconds], "
    "truncated=share, malformed=share, burst=every:length, expire=requests, quota=answers, seed=number; shares are "
    "from 0 to 1, and commas join faults."
)


# Writing and reading them --------------------------------------------------------------------------------------------


def test_a_text_is_read():
    text = "429=0.05:2, burst=20:5, 500=0.05, 503=0.02, reset=0.02, slow=0.1:3, truncated=0.03, malformed=.05"
    with pytest.raises(ConfigurationError):
        Faults.parse(text)
    assert Faults.parse(f"{text[:-3]}0.04, expire=100, quota=50, seed=7") == Faults(
        rate_limited=0.05,
        retry_after=2,
        burst=(20, 5),
        server_errors=((500, 0.05), (503, 0.02)),
        reset=0.02,
        slow=0.1,
        slow_seconds=3,
        truncated=0.03,
        malformed=0.04,
        expire=100,
        quota=50,
        seed=7,
    )


@pytest.mark.parametrize("text", ["", " ", ",", "seed=0", "429=0:1"])
def test_a_text_that_asks_for_nothing_is_no_fault(text):
    assert Faults.parse(text) == Faults()
    assert str(Faults.parse(text)) == ""


def test_what_is_left_out_has_a_stated_default():
    faults = Faults.parse("429=0.1,slow=0.1")
    assert (faults.retry_after, faults.slow_seconds, faults.seed, faults.burst) == (1, 1, 0, None)


SHARE = st.floats(0, 1 / 8)


@given(
    st.builds(
        Faults,
        rate_limited=SHARE,
        retry_after=st.integers(0, 86_400),
        server_errors=st.dictionaries(st.integers(500, 599), SHARE, max_size=3).map(lambda found: tuple(found.items())),
        reset=SHARE,
        slow=SHARE,
        slow_seconds=st.floats(0, 86_400),
        truncated=SHARE,
        malformed=SHARE,
        burst=st.none() | st.tuples(st.integers(10, 99), st.integers(1, 9)),
        expire=st.none() | st.integers(0, 10**9),
        quota=st.none() | st.integers(0, 10**9),
        seed=st.integers(0, 10**9),
    )
)
def test_the_text_of_faults_gives_them_back(faults):
    assert Faults.parse(str(faults)) == faults
    assert eval(repr(faults)) == faults  # noqa: S307 - its own repr


@every(
    ("text", "message"),
    [
        ("foo=1", "Unknown fault 'foo'."),
        ("5xx=0.1", "Unknown fault '5xx'."),
        ("404=0.1", "Unknown fault '404'."),
        ("=1", "Unknown fault ''."),
        ("x" * 99, f"Unknown fault '{'x' * 59}…'."),
        ("reset=0.1,reset=0.2", "The fault reset is given twice."),
        ("reset", "'reset' is not written as reset=share."),
        ("reset=", "'reset=' is not written as reset=share."),
        ("reset=often", "'reset=often' is not written as reset=share."),
        ("reset=nan", "'reset=nan' is not written as reset=share."),
        ("reset=0.1:2", "'reset=0.1:2' is not written as reset=share."),
        ("503=0.1:2", "'503=0.1:2' is not written as 503=share (any of 500 to 599)."),
        ("slow=0.1:2:3", "'slow=0.1:2:3' is not written as slow=share[:seconds]."),
        ("429=0.1:", "'429=0.1:' is not written as 429=share[:retry_after]."),
        ("burst=20", "'burst=20' is not written as burst=every:length."),
        ("429=2", "The share of 429 must be a number from 0 to 1, not 2."),
        ("503=1.5", "The share of 503 must be a number from 0 to 1, not 1.5."),
        ("slow=-0.1", "The share of slow must be a number from 0 to 1, not -0.1."),
        ("429=0.1:-1", "The Retry-After of 429 must be a whole number from 0 to 86,400, not -1."),
        ("429=0.1:1.5", "The Retry-After of 429 must be a whole number from 0 to 86,400, not 1.5."),
        ("slow=0.1:-3", "The seconds of slow must be a number from 0 to 86,400, not -3."),
        ("slow=0.1:1e999", "The seconds of slow must be a number from 0 to 86,400, not inf."),
        ("burst=1:1", "The distance of bursts must be a whole number from 2 to 1,000,000,000, not 1."),
        ("burst=5:5", "The length of a burst must be a whole number from 1 to 4, not 5."),
        ("burst=5:0", "The length of a burst must be a whole number from 1 to 4, not 0."),
        ("expire=-1", "The number of expire must be a whole number from 0 to 1,000,000,000, not -1."),
        ("quota=1.5", "The number of quota must be a whole number from 0 to 1,000,000,000, not 1.5."),
        ("seed=-7", "The number of seed must be a whole number from 0 to 1,000,000,000, not -7."),
        ("429=0.5,slow=0.6", "The shares of all faults together must be at most 1, not 1.1."),
    ],
)
def test_a_text_that_makes_no_sense_is_refused_with_what_is_known(text, message):
    with pytest.raises(ConfigurationError) as caught:
        Faults.parse(text)
    assert str(caught.value) == message + KNOWN


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"reset": True}, "The share of reset must be a number from 0 to 1, not True."),
        ({"reset": "0.1"}, "The share of reset must be a number from 0 to 1, not '0.1'."),
        ({"seed": None}, "The number of seed must be a whole number from 0 to 1,000,000,000, not None."),
        ({"server_errors": ((404, 0.1),)}, "A server error's code must be a whole number from 500 to 599, not 404."),
        ({"server_errors": ((500, 0.1), (500, 0.2))}, "A server error's code is given twice."),
    ],
)
def test_values_that_make_no_sense_are_refused_too(values, message):
    with pytest.raises(ConfigurationError) as caught:
        Faults(**values)
    assert str(caught.value) == message + KNOWN


@pytest.mark.parametrize("text", ["429=0.1,slow=0.2,reset=0.7", "429=0.7,slow=0.2,reset=0.1", "malformed=1"])
def test_shares_may_fill_everything(text):
    assert sum(share for _, share in Faults.parse(text).shares()) == pytest.approx(1)


def test_settings_take_faults_and_not_their_text():
    assert Settings(faults=Faults.parse("500=1")).faults.server_errors == ((500, 1),)
    with pytest.raises(ConfigurationError) as caught:
        Settings(faults="500=1")
    assert str(caught.value) == "faults must be Faults, not str. Faults.parse reads a text."


# Over a real connection ----------------------------------------------------------------------------------------------


class Served:
    """The service with faults, under uvicorn in a thread."""

    def __init__(self, faults):
        self.app = create_app(Settings(keys=(KEY, OTHER_KEY)))
        application = FaultInjector(self.app, Faults.parse(faults))
        ready = threading.Event()
        served = self

        class Server(uvicorn.Server):
            async def main_loop(self):
                # In place of a look at the clock ten times a second: most of these tests are shorter than that.
                served._loop, served._stopping = asyncio.get_running_loop(), asyncio.Event()
                served.address = self.servers[0].sockets[0].getsockname()
                ready.set()
                await served._stopping.wait()

        # No logging of its own: what it reports goes to the log that the tests read.
        config = uvicorn.Config(application, port=0, log_config=None, access_log=False)
        self._thread = threading.Thread(target=Server(config).run)
        self._thread.start()
        assert ready.wait(20)
        self.url = "http://{}:{}".format(*self.address)
        self.http = httpx.Client(base_url=self.url, trust_env=False, timeout=20, verify=NO_CERTIFICATES)

    @property
    def used(self):
        return self.app.state.service.accounts.find(KEY).used_this_month

    def ask(self, key=KEY, **more):
        return self.http.post(CONTENT, data={"api_key": key, "data_type": "text", "query": TEXT}, **more)

    def poll(self, key=KEY):
        """Ask for a batch that nobody has, which loads no model: 404 where no fault happens."""
        return self.http.get(NOBODYS, headers={"Authorization": f"Bearer {key}"})

    def client(self, **more):
        given = {"retries": tk.Retries(attempts=1), **more}
        return tk.Client(KEY, self.url, v1_api_key=KEY, v1_base_url=self.url, **given)

    def close(self):
        self.http.close()
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(20)
        assert not self._thread.is_alive()


@pytest.fixture
def served():
    """Serve with these faults."""
    started = []

    def start(faults):
        started.append(Served(faults))
        return started[-1]

    yield start
    for one in started:
        one.close()


def words(response):
    """Return what an error answer says, and check that it says the same twice."""
    body = response.json()
    assert body["status"] == response.status_code
    return body["status"], body["error"]


def post_bytes():
    body = httpx.Request("POST", "http://x", data={"api_key": KEY, "data_type": "text", "query": TEXT}).content
    head = (
        f"POST {CONTENT} HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\n"
        "content-type: application/x-www-form-urlencoded\r\n\r\n"
    )
    return head.encode() + body


def bytes_until_closed(served):
    """Ask over a bare socket and return everything that comes until the other side closes."""
    with socket.create_connection(served.address, timeout=20) as connection:
        connection.sendall(post_bytes())
        found = b""
        while piece := connection.recv(65_536):
            found += piece
    return found


def test_429_looks_like_the_services_own_and_says_when_to_come_again(served):
    one = served("429=1:7")
    b, a = one.ask(), one.poll()
    assert [b.status_code, a.status_code] == [429, 429]
    assert [b.headers["retry-after"], a.headers["retry-after"]] == ["7", "7"]
    assert {words(b), words(a)} == {(429, "Rate limit reached: a fault on demand")}
    assert a.headers["x-request-id"].startswith("req_")
    assert a.json()["meta"] == {"request_id": a.headers["x-request-id"], "credits_used": 0}
    assert one.used == 0


def test_a_retry_after_of_0_is_none(served):
    assert "retry-after" not in served("429=1:0").poll().headers


def test_a_burst_begins_at_every_nth_request(served):
    one = served("burst=5:2")
    statuses = [one.poll() for _ in range(16)]
    assert [n for n, response in enumerate(statuses, 1) if response.status_code == 429] == [5, 6, 10, 11, 15, 16]
    assert {response.headers.get("retry-after") for response in statuses} == {None, "1"}


@pytest.mark.parametrize(("code", "meaning"), [(500, "General error"), (503, "Error")])
def test_any_5xx_arrives(served, code, meaning):
    one = served(f"{code}=1")
    response = one.ask()
    assert words(response) == (code, f"{meaning}: a fault on demand")
    assert response.headers["x-request-id"].startswith("req_")
    assert (one.poll().status_code, one.used) == (code, 0)


def test_a_reset_closes_the_connection_without_an_answer_and_every_other_one_is_charged(served, caplog):
    one = served("reset=1")
    charged = []
    for _ in range(4):
        assert bytes_until_closed(one) == b""
        charged.append(one.used)
    assert charged == [1, 1, 2, 2]
    with pytest.raises(httpx.TransportError):
        one.ask()
    assert caplog.records == []


def test_a_truncated_answer_is_shorter_than_it_says_and_charged(served, caplog):
    one = served("truncated=1")
    head, _, body = bytes_until_closed(one).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200")
    said = int(dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])[b"content-length"])
    assert 0 < len(body) < said
    assert body.startswith(b"{")
    assert one.used == 1
    with pytest.raises(httpx.RemoteProtocolError, match="without sending complete message body"):
        one.ask()
    assert caplog.records == []


def test_malformed_answers_are_200_and_charged_and_of_four_kinds_in_turn(served):
    one = served("malformed=1")
    cut, page, nothing, listed = answers = [one.ask() for _ in range(4)]
    assert {response.status_code for response in answers} == {200}
    with pytest.raises(json.JSONDecodeError):
        cut.json()
    assert cut.text.startswith("{")
    assert page.text.startswith("<!DOCTYPE html>")
    assert page.headers["content-type"].startswith("text/html")
    assert nothing.content == b""
    assert isinstance(listed.json(), list)
    assert one.used == 4
    assert len({response.headers["x-request-id"] for response in answers}) == 4
    assert one.ask().content[:40] == cut.content[:40]


def test_a_slow_answer_comes_late_and_whole(served):
    one = served("slow=1:0.3")
    one.poll()
    started = time.monotonic()
    response = one.poll()
    assert time.monotonic() - started >= 0.3
    assert (response.status_code, response.json()["status"]) == (404, 404)


def test_a_slow_answer_that_nobody_waits_for_is_charged(served):
    one = served("slow=1:0.5")
    one.ask()
    with pytest.raises(httpx.ReadTimeout):
        one.ask(timeout=0.2)
    deadline = time.monotonic() + 20
    while one.used < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert one.used == 2


def test_a_key_expires_after_n_requests_and_no_other_key_does(served):
    one = served("expire=3")
    assert [one.poll().status_code for _ in range(5)] == [404, 404, 404, 401, 401]
    assert one.poll(OTHER_KEY).status_code == 404
    assert words(one.ask()) == (401, "Invalid API key: the key has expired (a fault on demand)")
    assert [one.ask(OTHER_KEY).status_code for _ in range(3)] == [200, 200, 401]


def test_a_key_may_be_expired_from_the_start(served):
    assert served("expire=0").poll().status_code == 401


def test_the_quota_ends_at_n_successful_answers_and_what_costs_nothing_goes_on(served):
    one = served("quota=2")
    refused = one.http.post(CONTENT, data={"api_key": KEY, "data_type": "nonsense", "query": TEXT})
    assert refused.status_code == 407
    assert [one.ask().status_code for _ in range(4)] == [200, 200, 403, 403]
    used_up = "Monthly quota used up: the monthly quota of 2 answers is used up (a fault on demand)"
    assert words(one.ask()) == (403, used_up)
    assert (one.poll().status_code, one.ask(OTHER_KEY).status_code, one.used) == (404, 200, 2)
    batch = {"json": {"domains": ["torque-journal.example"]}, "headers": {"Authorization": f"Bearer {KEY}"}}
    response = one.http.post("/v1/batch", **batch)
    assert (response.status_code, response.json()["meta"]["credits_used"]) == (403, 0)


def test_charged_answers_that_never_came_count_against_the_quota(served):
    one = served("malformed=1,quota=2")
    assert [one.ask().status_code for _ in range(3)] == [200, 200, 403]


def test_a_wrong_key_is_still_a_wrong_key(served):
    assert words(served("quota=1,expire=9").ask("a-wrong-key")) == (401, "Invalid API key")


def test_a_body_that_is_too_long_is_the_services_to_refuse(served):
    one = served("quota=1")
    response = one.http.post(CONTENT, data={"api_key": KEY, "data_type": "text", "query": "x" * 2_100_000})
    assert response.status_code == 400
    assert "2,000,000 bytes" in response.json()["error"]


# In this process, as the embedded service ----------------------------------------------------------------------------


@pytest.fixture
def wired():
    """Give the transport of an embedded service with these faults, and its app."""

    def wire(faults):
        app = create_app(Settings(keys=(KEY, OTHER_KEY), total_credits=CREDITS))
        injector = FaultInjector(app, Faults.parse(faults))
        return FaultyTransport(httpx.ASGITransport(injector, raise_app_exceptions=False)), app

    return wire


def requests_to(transport):
    return httpx.AsyncClient(transport=transport, base_url="http://wired.invalid", verify=NO_CERTIFICATES)


def statuses(transport, requests, at_once=1):
    """Send requests for a batch that nobody has and return what became of each; 404 where no fault happened."""

    async def send():
        async with requests_to(transport) as client:

            async def one(_):
                try:
                    response = await client.get(NOBODYS, headers={"Authorization": f"Bearer {KEY}"})
                except httpx.TransportError as error:
                    return type(error).__name__
                return response.status_code

            found = []
            for start in range(0, requests, at_once):
                found += await asyncio.gather(*map(one, range(start, start + at_once)))
            return found

    return asyncio.run(send())


MANY = "429=0.1,500=0.05,503=0.05,reset=0.1,truncated=0.1,malformed=0.2"


def test_the_shares_are_met(wired):
    found = Counter(statuses(wired(MANY)[0], 400))
    wanted = {429: 0.1, 500: 0.05, 503: 0.05, "ReadError": 0.1, "RemoteProtocolError": 0.1, 200: 0.2, 404: 0.4}
    assert set(found) == set(wanted)
    # Four standard deviations of a share, and the seed is fixed.
    off = {name: abs(found[name] / 400 - share) / (share * (1 - share) / 400) ** 0.5 for name, share in wanted.items()}
    assert max(off.values()) < 4, off


def test_the_same_seed_gives_the_same_sequence_and_another_one_another(wired):
    first = statuses(wired(MANY)[0], 100)
    assert statuses(wired(MANY)[0], 100) == first
    assert statuses(wired(MANY)[0], 100, at_once=10) == first
    assert statuses(wired(f"{MANY},seed=1")[0], 100) != first


def test_the_order_in_which_faults_are_written_changes_nothing(wired):
    backwards = ",".join(reversed(MANY.split(",")))
    assert statuses(wired(backwards)[0], 100) == statuses(wired(MANY)[0], 100)


def test_a_burst_does_not_shift_what_later_requests_meet(wired):
    without, with_burst = (statuses(wired(f"{MANY}{more}")[0], 60) for more in ("", ",burst=20:5"))
    hit = {n for start in (20, 40) for n in range(start, start + 5)} | {60}
    assert [status for n, status in enumerate(with_burst, 1) if n not in hit] == [
        status for n, status in enumerate(without, 1) if n not in hit
    ]
    assert {with_burst[n - 1] for n in hit} == {429}


def test_every_route_that_takes_a_key_is_hit_and_no_other(wired):
    transport, app = wired("503=1")
    paths = {route.path: route for route in app.routes}

    async def send():
        async with requests_to(transport) as client:
            return {
                path: (await client.request(min(route.methods), path.format(batch_id="batch_1"))).status_code
                for path, route in paths.items()
            }

    spared = {path for path, status in asyncio.run(send()).items() if status != 503}
    assert spared == {"/api/audience/filters.php", "/audience-segmentation-taxonomy.php"}


@pytest.mark.parametrize("faults", ["429=1", "503=1", "expire=0", "quota=0"])
def test_an_error_has_the_fields_of_the_services_own_errors(wired, faults):
    async def send(transport):
        async with requests_to(transport) as client:
            return [await client.get("/v1/categorize"), await client.post(CONTENT)]

    own, injected = (asyncio.run(send(wired(text)[0])) for text in ("", faults))
    for expected, response in zip(own, injected, strict=True):
        assert response.json().keys() == expected.json().keys()
        assert response.headers.keys() - {"retry-after"} == expected.headers.keys()


def test_a_path_that_is_none_is_left_alone(wired):
    async def send():
        async with requests_to(wired("503=1")[0]) as client:
            return (await client.get("/nowhere")).status_code

    assert asyncio.run(send()) == 404


def test_the_quota_is_exact_among_requests_at_once(wired):
    transport, app = wired("quota=3,slow=1:0.05")

    async def send():
        async with requests_to(transport) as client:
            forms = [{"api_key": KEY, "data_type": "text", "query": TEXT if n % 2 else ""} for n in range(12)]
            answers = await asyncio.gather(*(client.post(CONTENT, data=form) for form in forms))
            return Counter(answer.status_code for answer in answers)

    found = asyncio.run(send())
    assert (found[200], found[200] + found[400] + found[403]) == (3, 12)
    assert app.state.service.accounts.find(KEY).used_this_month == 3


# What the toolkit's client makes of them -----------------------------------------------------------------------------


@pytest.fixture(params=["served", "embedded"])
def reaching(request, served, wired):
    """Reach a service with these faults: over a connection, or in this process. Gives client and account."""
    clients = []

    def reach(faults, **more):
        given = {"retries": tk.Retries(attempts=1), **more}
        if request.param == "served":
            one = served(faults)
            app, client = one.app, one.client(**given)
        else:
            transport, app = wired(faults)
            base = "http://wired.invalid"
            client = tk.Client(KEY, base, v1_api_key=KEY, v1_base_url=base, transport=transport, **given)
        clients.append(client)
        return client, app.state.service.accounts.find(KEY)

    yield reach
    for client in clients:
        client.close()


@pytest.mark.parametrize(
    ("faults", "kind", "charged"),
    [
        ("429=1:9", RateLimitedError, 0),
        ("500=1", ServerError, 0),
        ("503=1", ServerError, 0),
        ("reset=1", ConnectionFailedError, 1),
        ("truncated=1", ConnectionFailedError, 1),
        ("malformed=1", ResponseError, 1),
        ("expire=0", InvalidKeyError, 0),
        ("quota=0", QuotaExceededError, 0),
    ],
)
def test_the_client_tells_each_fault_and_it_costs_what_a_real_one_does(reaching, faults, kind, charged):
    client, account = reaching(faults)
    with pytest.raises(kind) as caught:
        client.categorize_content(text=TEXT)
    assert type(caught.value) is kind
    assert (account.used_this_month, CREDITS - account.remaining_credits) == (charged, charged)


def test_the_client_hears_when_to_come_again(reaching):
    client, _ = reaching("429=1:9")
    with pytest.raises(RateLimitedError) as caught:
        client.categorize_content(text=TEXT)
    assert caught.value.retry_after == 9


def test_the_client_gives_the_codes_and_identifiers_of_family_a_too(reaching):
    client, _ = reaching("503=1")
    with pytest.raises(ServerError) as caught:
        client.categorize("torque-journal.example")
    assert caught.value.status == 503
    assert caught.value.request_id.startswith("req_")


def test_every_kind_of_malformed_answer_is_a_response_error(reaching):
    client, account = reaching("malformed=1")
    for _ in range(4):
        with pytest.raises(ResponseError):
            client.categorize_content(text=TEXT)
    assert account.used_this_month == 4


def test_an_answer_that_is_too_slow_is_a_timeout(reaching):
    client, account = reaching("slow=1:1", timeout=0.4)
    with pytest.raises(AnswerTimeoutError):
        client.categorize_content(text=TEXT)
    assert account.used_this_month == 1


def test_the_client_comes_through_a_burst(reaching):
    client, account = reaching("burst=3:2,429=0:0", retries=tk.Retries(first_wait=0.0, longest_wait=0.0))
    assert [client.categorize_content(text=TEXT).provenance.credits_used for _ in range(3)] == [1, 1, 1]
    assert account.used_this_month == 3


def test_the_vocabulary_is_never_hit(reaching):
    client, _ = reaching("500=1")
    assert client.filters().version


def test_nothing_is_logged(reaching, caplog):
    caplog.set_level(logging.WARNING)
    client, _ = reaching("reset=0.4,truncated=0.3,malformed=0.3")
    for _ in range(6):
        with pytest.raises((ConnectionFailedError, ResponseError)):
            client.categorize_content(text=TEXT)
    assert [record for record in caplog.records if record.name != "toolkit"] == []
