"""Runs on a Dask cluster: one limit and one budget for all workers, and nothing asked twice."""

import json
import os
import pickle
import random
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import dask.dataframe as dd
import distributed
import pandas as pd
import pytest

import toolkit as tk
from toolkit.cluster.allowance import Allowance, Answer, Ledger, Report
from toolkit.cluster.outcome import DaskReport, PartitionReport
from toolkit.cluster.parts import Job, check_worker
from toolkit.cluster.runs import run_dask

KEY = "daskkey4c9e0b72d15a"
SITES = ["trailhead-outfitters.example", "ledgerline.example", None, "no target", "nowhere.example"] + [
    f"{name}.example" for name in ("torque-journal", "ledgerline", "trailhead-outfitters", "torque-journal")
]
CATEGORIES = [{"id": "150", "name": "Attractions", "tier": 1, "confidence": 0.9}]
WHEN_ASKED = ["request_id", "fetched_at", "from_cache", "credits_used"]


class Counter:
    """A service that charges each request as it comes, and counts those under way."""

    def __init__(self):
        self.price = 1
        self.delay = 0.0
        self.refuse_after = None
        self.block_after = None
        self.fill_to = 0
        self.gate = threading.Event()
        self.reached = threading.Event()
        self.asked = []
        self.open = self.most_open = 0
        self._changed = threading.Condition()
        counter = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                domain = parse_qs(urlsplit(self.path).query)["domain"][0]
                assert self.headers["authorization"] == f"Bearer {KEY}"
                status, body = counter.answer(domain)
                raw = json.dumps(body).encode()
                try:
                    self.send_response(status)
                    self.send_header("content-type", "application/json")
                    self.send_header("content-length", str(len(raw)))
                    self.end_headers()
                    self.wfile.write(raw)
                except OSError:
                    self.close_connection = True

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    @property
    def charged(self):
        return self.price * len(self.asked)

    def answer(self, domain):
        with self._changed:
            self.open += 1
            self.most_open = max(self.most_open, self.open)
            self._changed.notify_all()
            try:
                if self.refuse_after is not None and len(self.asked) >= self.refuse_after:
                    return 403, {"status": 403, "message": "quota"}
                self.asked.append(domain)
                if self.block_after is not None and len(self.asked) > self.block_after:
                    self.reached.set()
                    self._changed.wait_for(self.gate.is_set, timeout=30)
                self._changed.wait_for(lambda: self.most_open >= self.fill_to, timeout=30)
                self._changed.wait(self.delay)
            finally:
                self.open -= 1
        return 200, {"domain": domain, "categories": CATEGORIES, "credits_used": self.price}

    def let_go(self):
        with self._changed:
            self.gate.set()
            self._changed.notify_all()

    def close(self):
        self.let_go()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def counter():
    counter = Counter()
    yield counter
    counter.close()


@pytest.fixture(scope="module")
def cluster():
    """Two processes; their environment holds the keys."""
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            host="127.0.0.1",
            env={
                "TOOLKIT_API_KEY": KEY,
                "TOOLKIT_V1_API_KEY": KEY,
                # The profiler's sys._current_frames() can wait for itself for ever where it collects garbage: seen with
                # Python 3.11.7.
                "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
            },
            silence_logs=50,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def frame_of(targets, parts=3):
    return dd.from_pandas(pd.DataFrame({"url": pd.Series(targets, dtype="str")}), npartitions=parts, sort=False)


def domains(count):
    return [f"site-{number}.example" for number in range(count)]


@pytest.fixture
def asking(cluster, counter, tmp_path):
    """Ask the counting service about this many domains."""

    def asking(count, parts=4, **options):
        connection = {"v1_base_url": counter.url}
        frame = frame_of(domains(count), parts)
        return run_dask(
            frame, "url", tmp_path / "plan", ask="categorize", connection=connection, cluster=cluster, **options
        )

    return asking


# The whole way -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def asked(cluster, serve, tmp_path_factory):
    """The same list by a plain run and on the cluster: folder, both, and how to ask again."""
    served = serve("--key", KEY)
    connection = {"base_url": served.base, "v1_base_url": served.v1_base}
    folder = tmp_path_factory.mktemp("dask")
    client = tk.Client(KEY, served.base, v1_api_key=KEY, v1_base_url=served.v1_base)
    with client, client.run(SITES, ["segment", "categorize"]) as run:
        run.start(progress=False)
        plain = {name: run.frame(name) for name in run.frames}

    def again(**options):
        return run_dask(frame_of(SITES), "url", folder, ask=["segment", "categorize"], connection=connection, **options)

    return folder, plain, again(), again


def test_frames_are_those_of_a_plain_run_over_the_same_list(asked):
    _, plain, report, _ = asked
    assert report.is_done
    assert set(report.frames) == set(plain) == {"audiences", "codes", "categories", "failures"}
    for name, expected in plain.items():
        found = report.frame(name).compute().reset_index(drop=True)
        assert found.dtypes.to_dict() == expected.dtypes.to_dict()
        for one in (found, expected):
            one["error"] = one["error"].str.replace(r"request \w+", "request …", regex=True)
        drop = [column for column in WHEN_ASKED if column in expected]
        order = ["row", "endpoint"] if name == "failures" else ["row"]
        pd.testing.assert_frame_equal(
            found.drop(columns=drop).sort_values(order, kind="stable", ignore_index=True),
            expected.drop(columns=drop).sort_values(order, kind="stable", ignore_index=True),
        )


def test_frames_are_read_lazily_partition_by_partition(asked):
    found = asked[2].frame("audiences")
    assert (type(found), found.npartitions) == (dd.DataFrame, 3)
    assert found["row"].compute().tolist() == list(range(len(SITES)))


def test_report_counts_each_partition(asked):
    summary = asked[2].summary()
    assert summary["rows"].tolist() == [3, 3, 3]
    assert summary["state"].tolist() == ["finished"] * 3
    assert summary["credits"].sum() == asked[2].credits > 0
    assert "3 of 3 partitions done, 9 rows" in repr(asked[2])
    assert "<table>" in asked[2]._repr_html_()


def test_done_partitions_are_kept_and_give_the_same_frames(asked):
    _, _, report, again = asked
    second = again()
    assert second.summary()["state"].tolist() == ["kept"] * 3
    pd.testing.assert_frame_equal(second.frame("codes").compute(), report.frame("codes").compute())


def test_no_key_stands_in_what_is_written(asked):
    files = [path for path in asked[0].rglob("*") if path.is_file()]
    assert len(files) >= 3 * (1 + 4 + 1)
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


def test_no_key_travels_to_the_scheduler(cluster, counter, asking, monkeypatch):
    monkeypatch.setenv("TOOLKIT_V1_API_KEY", KEY)
    sent = []
    compute = type(cluster).compute
    monkeypatch.setattr(type(cluster), "compute", lambda self, tasks: sent.extend(tasks) or compute(self, tasks))
    assert asking(2, parts=1).is_done
    travels = distributed.protocol.pickle.dumps(sent)
    assert counter.url.encode() in travels
    assert KEY.encode() not in travels


def test_embedded_service_answers_where_no_base_url_is_set(cluster, tmp_path):
    cluster.run(lambda: [os.environ.pop(name, None) for name in ("TOOLKIT_API_KEY", "TOOLKIT_V1_API_KEY")])
    try:
        report = run_dask(frame_of(["ledgerline.example"], 1), "url", tmp_path, cluster=cluster.cluster)
        assert report.frame("audiences")["status"].compute().tolist() == [200]
    finally:
        cluster.run(lambda: os.environ.update(dict.fromkeys(("TOOLKIT_API_KEY", "TOOLKIT_V1_API_KEY"), KEY)))


def test_partitions_may_be_empty(cluster, counter, tmp_path):
    frame = frame_of(domains(4), 4)
    frame = frame[frame["url"] == "site-3.example"]
    report = run_dask(frame, "url", tmp_path, ask="categorize", connection={"v1_base_url": counter.url})
    assert report.summary()["rows"].tolist() == [0, 0, 0, 1]
    assert report.frame("categories")["row"].compute().tolist() == [0]


# Going on ------------------------------------------------------------------------------------------------------------


def test_second_call_sends_nothing(counter, asking):
    assert asking(30).is_done
    assert sorted(counter.asked) == sorted(domains(30))
    assert asking(30).summary()["state"].tolist() == ["kept"] * 4
    assert len(counter.asked) == 30


def test_further_frames_are_written_without_asking_again(counter, asking):
    asking(8, frames=["failures"])
    report = asking(8)
    assert (len(counter.asked), report.summary()["stored"].sum()) == (8, 8)
    assert len(report.frame("categories").compute()) == 8


def test_rows_are_counted_anew_when_an_earlier_partition_has_grown(cluster, counter, tmp_path):
    def ask(targets):
        frame = dd.from_map(lambda part: pd.DataFrame({"url": part}), targets)
        return run_dask(frame, "url", tmp_path, ask="categorize", connection={"v1_base_url": counter.url})

    ask([["a.example"], ["b.example"]])
    report = ask([["a.example", "c.example"], ["b.example"]])
    assert sorted(counter.asked) == ["a.example", "b.example", "c.example"]
    assert report.frame("categories")[["row", "target"]].compute().to_numpy().tolist() == [
        [0, "a.example"],
        [1, "c.example"],
        [2, "b.example"],
    ]


def test_killed_worker_ends_neither_the_run_nor_its_accounts(cluster, counter, asking):
    counter.block_after = 20
    budget, reports = 60, []
    thread = threading.Thread(target=lambda: reports.append(asking(60, concurrency=8, budget=budget)))
    thread.start()
    try:
        assert counter.reached.wait(60)
        busy = {worker: tasks for worker, tasks in cluster.processing().items() if tasks}
        victim = cluster.run(os.getpid, workers=[next(iter(busy))])
        os.kill(next(iter(victim.values())), signal.SIGKILL)
    finally:
        counter.let_go()
        thread.join(120)
    assert [report.reason in {"", "the budget is used up"} for report in reports] == [True]
    assert counter.charged <= budget
    counter.block_after = None
    cluster.wait_for_workers(2, timeout=60)
    report = asking(60, concurrency=8, budget=500)
    assert report.is_done
    found = report.frame("categories").compute()
    assert (found["row"].tolist(), found["target"].tolist()) == (list(range(60)), domains(60))
    # Only what was under way when the worker was killed is asked again.
    assert set(counter.asked) == set(domains(60))
    assert len(counter.asked) <= 60 + 8
    sent = len(counter.asked)
    assert asking(60, concurrency=8, budget=500).is_done
    assert len(counter.asked) == sent


def test_interrupt_keeps_what_was_answered(counter, asking):
    counter.block_after, counter.delay = 5, 0.01

    def interrupt():
        assert counter.reached.wait(60)
        os.kill(os.getpid(), signal.SIGINT)
        counter.let_go()

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        asking(400, concurrency=2)
    thread.join()
    counter.delay = 0.0
    assert asking(400).is_done
    assert sorted(counter.asked) == sorted(domains(400))


# Limits --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prices", [None, {"categorize": 2}], ids=["unknown price", "known price"])
def test_budget_is_used_up_and_never_exceeded(counter, asking, prices):
    counter.price = 2
    first = asking(60, budget=31, prices=prices, concurrency=6)
    assert counter.charged == first.credits == 30
    assert not first.is_done
    assert first.reason == "the budget is used up"
    assert "the budget is used up" in repr(first)
    # What was spent before counts.
    second = asking(60, budget=31, prices=prices)
    assert (counter.charged, second.reason) == (30, "the budget is used up")
    assert asking(60, budget=120, prices=prices).is_done
    assert sorted(counter.asked) == sorted(domains(60))
    assert counter.charged == 120


def test_budget_of_nothing_sends_nothing(counter, asking):
    assert asking(4, budget=0).reason == "the budget is 0"
    assert counter.asked == []


def test_concurrency_is_that_of_the_whole_cluster(counter, asking):
    counter.fill_to, counter.delay = 5, 0.02
    assert asking(80, concurrency=5).is_done
    assert counter.most_open == 5


def test_more_partitions_than_open_requests_take_turns(counter, asking):
    counter.delay = 0.02
    assert asking(24, parts=6, concurrency=1).is_done
    assert counter.most_open == 1


def test_run_under_a_rate_finishes(counter, asking):
    assert asking(20, rate=200).is_done
    assert len(counter.asked) == 20


def test_used_up_quota_stops_all(counter, asking):
    counter.refuse_after = 10
    report = asking(400, concurrency=4)
    assert report.reason == "the quota is used up (403)"
    assert len(counter.asked) == 10
    assert (report.summary()["state"] == "stopped").all()
    counter.refuse_after = None
    assert asking(400).is_done
    assert sorted(counter.asked) == sorted(domains(400))


# What cannot work ----------------------------------------------------------------------------------------------------


def test_missing_extra_says_how_to_install_it(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(tk.errors.ConfigurationError, match=r"pip install 'audience-toolkit\[dask\]'"):
        run_dask(None, "url", tmp_path)


@pytest.mark.parametrize(
    ("frame", "options", "words"),
    [
        (pd.DataFrame({"url": []}), {}, "A Dask DataFrame is needed, not DataFrame"),
        (None, {"column": "site"}, "no column 'site'. It has 'url'"),
        (None, {"frames": ["companies"]}, "audiences, codes, failures"),
        (None, {"rate": 0}, "rate must be a number of requests a second above 0, not 0"),
        (None, {"concurrency": 0}, "concurrency is 0. Give a whole number from 1 to 1,000."),
        (None, {"budget": -1}, "The budget is -1. Give a whole number of credits, from 0."),
        (
            None,
            {"prices": {"segmant": 1}},
            "prices must be for 'segment', 'categorize', 'categorize_content', 'enrich'",
        ),
        (None, {"prices": 5}, "prices must be a mapping of questions to credits"),
        (None, {"ask": "everything"}, "everything"),
    ],
)
def test_argument_that_cannot_work_is_refused(cluster, tmp_path, frame, options, words):
    with pytest.raises(tk.errors.InputError) as caught:
        run_dask(
            frame_of(["a.example"], 1) if frame is None else frame,
            options.pop("column", "url"),
            tmp_path,
            connection={"base_url": "http://127.0.0.1:9"},
            **options,
        )
    assert words in str(caught.value)


def test_key_in_the_connection_is_refused_and_not_shown(tmp_path):
    with pytest.raises(tk.errors.InputError) as caught:
        run_dask(frame_of(["a.example"], 1), "url", tmp_path, connection={"api_key": KEY})
    assert "environment of the workers" in str(caught.value)
    assert KEY not in str(caught.value)


def test_missing_key_at_a_worker_is_said(cluster, tmp_path):
    cluster.run(lambda: os.environ.pop("TOOLKIT_API_KEY"))
    try:
        with pytest.raises(tk.errors.ConfigurationError, match=r"Worker tcp://127.0.0.1:\d+: segment needs an API key"):
            run_dask(frame_of(["a.example"], 1), "url", tmp_path, connection={"base_url": "http://127.0.0.1:9"})
    finally:
        cluster.run(lambda: os.environ.update(TOOLKIT_API_KEY=KEY))


def test_workers_that_would_ask_different_services_are_refused(cluster, tmp_path):
    def point(dask_worker):
        os.environ["TOOLKIT_BASE_URL"] = f"http://127.0.0.1:{dask_worker.address.rpartition(':')[2]}"

    cluster.run(point)
    try:
        with pytest.raises(tk.errors.ConfigurationError, match="The workers differ"):
            run_dask(frame_of(["a.example"], 1), "url", tmp_path)
    finally:
        cluster.run(lambda: os.environ.pop("TOOLKIT_BASE_URL"))


def test_partition_that_cannot_be_computed_is_named(counter, asking, cluster, tmp_path):
    def broken(part):
        raise OSError("the disk is gone")

    frame = dd.from_map(broken, [1, 2], meta=pd.DataFrame({"url": pd.Series(dtype="str")}))
    with pytest.raises(tk.errors.InputError, match="Partition 0 of the frame cannot be computed: OSError: the disk"):
        run_dask(frame, "url", tmp_path, ask="categorize", connection={"v1_base_url": counter.url})


def test_damaged_store_is_said(counter, asking, tmp_path):
    (tmp_path / "plan" / "stores").mkdir(parents=True)
    (tmp_path / "plan" / "stores" / "part-00001.db").write_bytes(b"no store" * 1000)
    with pytest.raises(tk.errors.StoreError, match=r"part-00001\.db"):
        asking(8)


def test_worker_that_does_not_see_the_folder_is_refused(tmp_path):
    job = Job("", str(tmp_path), ("segment",), {}, ("codes",), {}, 1, None, None)
    with pytest.raises(tk.errors.ConfigurationError, match="does not see the folder"):
        check_worker(job, "marker", "text")


def test_report_without_a_done_partition_has_no_frame(tmp_path):
    report = DaskReport(tmp_path, ("codes",), (PartitionReport(0, 5, reason="interrupted"),))
    with pytest.raises(tk.errors.InputError, match=r"No partition is done yet, so there is no codes\. interrupted"):
        report.frame("codes")
    with pytest.raises(tk.errors.InputError, match=r"no frame 'audiences' here\. Choose from codes"):
        report.frame("audiences")


def test_ledger_is_forgotten_when_the_call_ends(cluster, asking):
    assert asking(2).is_done
    left = cluster.run_on_scheduler(
        lambda dask_scheduler: [
            name for name in (*dask_scheduler.handlers, *dask_scheduler.plugins) if "toolkit" in name
        ]
    )
    assert left == []


# The ledger ----------------------------------------------------------------------------------------------------------


class Simulated:
    """A run under a ledger, in a simulation that decides what it does next."""

    def __init__(self, ledger, number, prices):
        self.ledger, self.number = ledger, number
        self.allowance = Allowance(prices)
        self.allowance.begin()
        self.held = []
        self.stop = ""

    def exchange(self):
        answer = self.ledger.exchange(
            self.allowance.report(f"lease {self.number}", str(self.number), f"w{self.number}")
        )
        self.allowance.take(answer)
        self.stop = answer.stop

    def end(self):
        spent = self.allowance.report("", "", "").spent
        self.ledger.exchange(Report(f"lease {self.number}", str(self.number), spent=spent, ended=True))


class Simulation:
    """Runs under one ledger that do at random what runs do; each request is charged as it is sent."""

    def __init__(self, seed, *, probing):
        self.chance = random.Random(seed)  # noqa: S311 - it decides nothing secret
        self.budget, self.concurrency = self.chance.randint(0, 200), self.chance.randint(1, 12)
        self.rate = self.chance.choice([None, 7.0, 50.0])
        self.cost = {"segment": self.chance.randint(1, 4), "enrich": self.chance.randint(1, 9)}
        self.known = {} if probing else dict(self.cost)
        self.now = 0.0
        self.ledger = Ledger(
            budget=self.budget,
            prices=self.known,
            concurrency=self.concurrency,
            rate=self.rate,
            clock=lambda: self.now,
        )
        self.runs, self.begun, self.charged, self.sent = [], 0, 0, 0

    def step(self):
        self.now += 0.01
        if len(self.runs) < 5 and self.chance.random() < 0.05:
            self.runs.append(Simulated(self.ledger, self.begun, self.known))
            self.begun += 1
        if self.runs:
            run = self.chance.choice(self.runs)
            action = self.chance.choices(
                [self.send, self.settle, self.exchange, self.end, self.lose], [50, 20, 28, 1, 1]
            )
            action[0](run)

    def send(self, run):
        endpoint = self.chance.choice(list(self.cost))
        is_probe = endpoint not in run.allowance.prices
        held = run.allowance.hold(endpoint)
        if held is not None:
            run.held.append((endpoint, held))
            self.sent += 1
            self.charged += self.cost[endpoint]
            assert not is_probe or sum(1 for other in self.runs if other.allowance.probing) == 1

    def settle(self, run):
        if run.held:
            endpoint, held = run.held.pop(self.chance.randrange(len(run.held)))
            run.allowance.settle(endpoint, held, self.cost[endpoint], answered=True)

    def exchange(self, run):
        run.exchange()

    def end(self, run):
        while run.held:
            self.settle(run)
        run.end()
        self.runs.remove(run)

    def lose(self, run):
        self.ledger.lose(f"w{run.number}")
        self.runs.remove(run)


@pytest.mark.parametrize("probing", [False, True], ids=["known prices", "unknown prices"])
@pytest.mark.parametrize("seed", range(12))
def test_ledger_exceeds_no_limit_whatever_the_order(seed, probing):
    simulation = Simulation(seed, probing=probing)
    # Each answer that first tells a price, or was lost with its run, may cost more than was left.
    slack = 0
    for _ in range(1_000):
        simulation.step()
        assert sum(len(run.held) for run in simulation.runs) <= simulation.concurrency
        if probing:
            slack = max(simulation.cost.values()) * (2 + simulation.begun)
        assert simulation.charged <= simulation.budget + slack
        if simulation.rate is not None:
            assert simulation.sent <= simulation.rate * simulation.now + max(1.0, simulation.rate / 4) + 1e-6
    if simulation.rate is None and not probing and simulation.budget >= 20:
        assert simulation.charged > 0


def test_lost_lease_counts_as_spent_and_the_lost_run_is_stopped():
    ledger = Ledger(budget=10, prices={"segment": 1}, concurrency=4)
    lost = Simulated(ledger, 1, {"segment": 1})
    for _ in range(2):  # it knows how much it may send, and then what that may cost
        lost.exchange()
    held = [lost.allowance.hold("segment") for _ in range(5)]
    assert held == [1, 1, 1, 1, None]
    given = ledger.leased
    ledger.lose("w1")
    assert (ledger.spent, ledger.leased) == (given, 0)
    lost.exchange()
    assert lost.stop == "it was taken for lost"
    assert lost.allowance.hold("segment") is None


def test_second_attempt_at_a_part_ends_the_lease_of_the_first():
    ledger = Ledger(budget=10, prices={"segment": 1}, concurrency=4)
    first = ledger.exchange(Report("first", "0", needs=1, wants=6))
    assert ledger.exchange(Report("second", "0", needs=1, wants=6)).credits == 10 - first.credits
    assert ledger.exchange(Report("first", "0")).stop


def test_smaller_share_is_given_to_others_only_once_it_is_taken():
    ledger = Ledger(concurrency=4)
    one, two = Simulated(ledger, 1, {}), Simulated(ledger, 2, {})
    one.exchange()
    two.exchange()
    assert (one.allowance.limit, two.allowance.limit) == (4, 0)
    held = [one.allowance.hold("segment") for _ in range(4)]
    one.exchange()
    two.exchange()
    assert (held, one.allowance.limit, two.allowance.limit) == ([0] * 4, 2, 0)
    one.allowance.settle("segment", 0, 1, answered=True)
    one.exchange()
    two.exchange()
    assert (one.allowance.hold("segment"), two.allowance.limit) == (None, 1)


def test_sends_are_leased_as_time_passes():
    now = [0.0]
    ledger = Ledger(concurrency=9, rate=8.0, clock=lambda: now[0])
    assert ledger.exchange(Report("one", "0")).sends == 2
    assert ledger.exchange(Report("one", "0")).sends == 0
    now[0] = 0.125
    assert ledger.exchange(Report("one", "0")).sends == 1
    now[0] = 100.0
    assert ledger.exchange(Report("one", "0", sends=1)).sends == 1


def test_only_one_run_finds_out_a_price():
    ledger = Ledger(budget=30, concurrency=4)
    one, two = Simulated(ledger, 1, {}), Simulated(ledger, 2, {})
    for _ in range(2):
        for run in (one, two):
            run.exchange()
            if not run.held and (held := run.allowance.hold("segment")) is not None:
                run.held.append(held)
    one.exchange()
    two.exchange()
    assert (one.allowance.hold("segment"), two.allowance.hold("segment"), len(one.held)) == (None, None, 1)
    one.allowance.settle("segment", 0, 3, answered=True)
    one.exchange()
    two.exchange()
    two.exchange()
    assert two.allowance.hold("segment") == 3


def test_stop_gives_nothing():
    allowance = Allowance({"segment": 1})
    allowance.begin()
    allowance.take(Answer(stop="the budget is used up"))
    assert (allowance.ceiling, allowance.limit, allowance.hold("segment")) == (0, 0, None)


def test_pickled_parts_of_a_call_hold_no_key(monkeypatch):
    monkeypatch.setenv("TOOLKIT_API_KEY", KEY)
    job = Job("", "/plan", ("segment",), {}, ("codes",), {}, 1, "https://api.example.com", None)
    assert KEY.encode() not in pickle.dumps(job)
    assert KEY not in repr(job)


def test_run_takes_a_budget_and_a_pace_of_its_caller(stub):
    from toolkit.runs.budget import Budget
    from toolkit.runs.pace import Pace

    budget, pace = Budget(5), Pace(3)
    stub.reply(200, {"domain": "a.example", "categories": CATEGORIES, "credits_used": 2})
    with (
        stub.client() as client,
        client.run(["a.example"], "categorize", budget=budget, concurrency=pace) as run,
    ):
        run.start(progress=False)
    assert (budget.spent, pace.most) == (2, 3)
