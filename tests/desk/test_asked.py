"""What came of asking, when not all goes well: keys, quotas and networks; what was spent, and when a page failed."""

import asyncio
import inspect
import json
import os
import pydoc
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pandas as pd
import pytest
from asking import outcomes_of
from pandas.testing import assert_frame_equal
from stubs import VOCABULARY

import toolkit as tk
from toolkit.interface import errors
from toolkit.service.samples import sample_sites

ROOT = Path(tk.__file__).parents[1]
SITES = [f"site{number}.example" for number in range(6)]
SEGMENTED = {
    "status": 200,
    "demographics": {},
    "interests": {"tier2": ["INT.PETS.DOGS", "INT.PETS.CATS"], "confidence": "high"},
}
OTHERS = {
    "categories": [{"id": "150", "name": "Attractions", "tier": 1, "confidence": 0.9}],
    "company": {"name": "A"},
    "std_taxonomy": [["Category name: Attractions", "Confidence: 0.9"]],
}
PRICES = {"segment": 2, "categorize": 1, "categorize_content": 3, "enrich": 5}


@pytest.fixture
def stub(stub):
    stub.vocabulary = VOCABULARY
    return stub


class Service:
    """A service of both families that keeps what it is asked, and refuses as it is told to."""

    def __init__(self):
        self.bad_keys, self.quota, self.failing = set(), None, {}
        self.paid = []
        self.requests = 0

    def answer(self, request):
        path, sent = request.url.path, request.content.decode() + str(request.url)
        if path.endswith("filters.php"):
            return httpx.Response(200, json={**VOCABULARY, "interests": ["INT.PETS.DOGS", "INT.PETS.CATS"]})
        self.requests += 1
        words = json.dumps({"headers": dict(request.headers)}) + sent
        if any(key in words for key in self.bad_keys):
            return httpx.Response(401, json={"status": 401, "error": "That key is no key of ours."})
        if self.quota is not None and len(self.paid) >= self.quota:
            return httpx.Response(403, json={"status": 403, "error": "All of it is used up."})
        site = next((site for site in SITES if site in sent), "")
        if site in self.failing:
            return httpx.Response(200, json=self.failing[site])
        self.paid.append((request.url.host, path, site))
        kind = next(name for name in ("segment", "enrich", "content", "categor") if name in path or name in sent)
        name = {"content": "categorize_content", "categor": "categorize"}.get(kind, kind)
        body = SEGMENTED if name == "segment" else {"domain": site, **OTHERS}
        return httpx.Response(200, json={**body, "credits_used": PRICES[name], "remaining_credits": 100})

    def client(self, kind=tk.Client, **settings):
        given = {
            "api_key": "keyofb51d0c7e9",
            "base_url": "https://b.stub.example",
            "v1_api_key": "keyofa8e21b4f0",
            "v1_base_url": "https://a.stub.example",
            "retries": tk.Retries(attempts=2, first_wait=0.0, longest_wait=0.0),
            "transport": httpx.MockTransport(self.answer),
        }
        return kind(**{**given, **settings})


@pytest.fixture
def service():
    return Service()


# Keys, quotas and networks --------------------------------------------------------------------------------------------

BAD = {"a": {"v1_api_key": "badkey7f1c"}, "b": {"api_key": "badkey7f1c"}}
OF = {"a": ("categorize", "enrich"), "b": ("segment", "categorize_content")}


@pytest.mark.parametrize("refused", ["a", "b"])
@pytest.mark.parametrize(
    "ask", [("segment", "enrich"), ("enrich", "segment"), ("segment", "categorize", "categorize_content", "enrich")]
)
def test_refused_key_stops_its_own_family_alone(service, tmp_path, ask, refused):
    service.bad_keys = {"badkey7f1c"}
    with (
        tk.Store(tmp_path / "answers.db") as store,
        service.client(store=store, **BAD[refused]) as client,
        client.ask(SITES, ask) as run,
    ):
        for outcome in run.outcomes():
            if outcome.endpoint in OF[refused]:
                assert outcome.status == 401
                assert isinstance(outcome.error, errors.InvalidKeyError)
                assert "That key is no key of ours." in str(outcome.error)
            else:
                assert outcome.error is None
        failures = run.failures()
        assert (failures["status"] == 401).all()
        assert failures["error"].str.contains("That key is no key of ours").all()
        assert len(failures) == len(SITES) * len(set(ask) & set(OF[refused]))
        assert run.progress.state == "stopped"
        assert run.progress.reason == "the key was refused (401)"
        spent = run.progress.credits_used
        with service.client(store=store) as good, good.ask(SITES, ask) as again:
            assert {outcome.status for outcome in again.outcomes()} == {200}
            assert again.progress.state == "finished"
            assert again.progress.credits_used == len(SITES) * sum(PRICES[name] for name in ask) > spent
    assert len(service.paid) == len(set(service.paid)) == len(SITES) * len(ask)


def test_both_keys_may_be_refused(service):
    service.bad_keys = {"badkey7f1c"}
    with service.client(**BAD["a"], **BAD["b"]) as client, client.ask(SITES, ("segment", "enrich")) as run:
        assert {outcome.status for outcome in run.outcomes()} == {401}
        assert run.progress.credits_used == 0
    assert not service.paid


def test_quota_that_is_used_up_in_the_middle_keeps_what_was_paid_for(service, tmp_path):
    service.quota = 4
    with tk.Store(tmp_path / "answers.db") as store, service.client(store=store) as client:
        with client.ask(SITES, ("segment", "enrich"), concurrency=1) as run:
            statuses = [outcome.status for outcome in run.outcomes()]
            assert statuses.count(200) == 4
            assert statuses.count(403) == 8
            assert run.failures()["error"].str.contains("All of it is used up").all()
            assert all(
                isinstance(outcome.error, errors.QuotaExceededError) for outcome in run.outcomes() if outcome.error
            )
        service.quota = None
        with client.ask(SITES, ("segment", "enrich")) as run:
            assert {outcome.status for outcome in run.outcomes()} == {200}
    assert len(service.paid) == len(set(service.paid)) == 12


def test_service_that_cannot_be_reached_says_so_in_each_row(service, tmp_path):
    def refuse(request):
        raise httpx.ConnectError("nobody listens", request=request)

    with service.client(transport=httpx.MockTransport(refuse)) as client, client.ask(SITES, "categorize") as run:
        for outcome in run.outcomes():
            assert isinstance(outcome.error, errors.ConnectionFailedError)
            assert outcome.status is None
        assert run.progress.reason == "the service cannot be reached"
        assert run.failures()["error"].str.contains("reach|connect", case=False).all()
        again = tk.load_run(run.save(tmp_path / "run.gz"))
        assert_frame_equal(again.failures(), run.failures())


# What was spent -------------------------------------------------------------------------------------------------------

FRAMES = {"audiences": "segment", "codes": "segment", "categories": "categorize", "companies": "enrich"}


@pytest.mark.parametrize("name", list(FRAMES))
def test_credits_of_a_frame_sum_to_what_was_spent(service, tmp_path, name):
    ask = FRAMES[name]
    service.failing = {
        SITES[1]: {"status": 411, "error": "no", "credits_used": 0},
        SITES[2]: {"status": 410, "error": "no", "credits_used": 7},
    }
    given = [*SITES, SITES[0], f"https://{SITES[0]}/", "not a host", SITES[2]]
    with tk.Store(tmp_path / "answers.db") as store, service.client(store=store) as client:
        with client.ask(SITES[:1], ask) as first:
            assert first.frame(name)["credits_used"].sum() == first.progress.credits_used == PRICES[ask]
        with client.ask(given, ask) as run:
            frame = run.frame(name)
            assert frame["credits_used"].sum() == run.progress.credits_used == 3 * PRICES[ask] + 7
            parts = pd.concat(run.iter_frames(name, rows=2), ignore_index=True)
            assert_frame_equal(parts, frame)
            saved = tk.load_run(run.save(tmp_path / "run.gz"))
            assert_frame_equal(saved.frame(name), frame)
        with client.ask(given, ask) as again:
            assert again.frame(name)["credits_used"].sum() == again.progress.credits_used == 0
            assert not again.frame(name)["credits_used"].isna().all()


def test_answers_that_came_broken_are_spent_and_no_frame_has_their_credits():
    faults = tk.service.Faults.parse("malformed=0.5,seed=2")
    hosts = [site.host for site in sample_sites()[:12]]
    with tk.Client(embedded=tk.service.Settings(faults=faults)) as client, client.ask(hosts, "segment") as run:
        spent = run.progress.credits_used
        assert spent == 1_000_000 - run.progress.credits_left
        answered = int(run.audiences()["error"].isna().sum())
        assert run.audiences()["credits_used"].sum() == run.codes()["credits_used"].sum() == answered < spent


def test_credits_of_an_answer_without_a_row_are_in_no_frame(sample):
    missing = set(sample.companies()["target"]) - set(sample.technologies()["target"])
    known = sample.companies().set_index("target")["credits_used"]
    assert known[list(missing)].sum() > 0
    assert sample.technologies()["credits_used"].sum() == known.sum() - known[list(missing)].sum()


# Failures that are stored ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("status", "kind"), [(410, errors.InsufficientContentError), (411, errors.FetchFailedError)])
def test_stored_failure_says_when_it_was_on_every_road(service, tmp_path, status, kind):
    service.failing = {SITES[0]: {"status": status, "error": "no"}}
    with tk.Store(tmp_path / "answers.db") as store, service.client(store=store) as client:
        with pytest.raises(kind):
            client.segment(SITES[0])
        [kept] = store.answers()
        at = pd.Timestamp(kept.fetched_at)
        sent = service.requests
        with pytest.raises(kind) as caught:
            client.segment(SITES[0])
        assert (caught.value.fetched_at, caught.value.from_cache) == (kept.fetched_at, True)
        vocabulary = client.filters()
        with client.ask(SITES[:1], "segment") as run:
            [outcome] = run.outcomes()
            assert (outcome.error.fetched_at, outcome.error.from_cache) == (kept.fetched_at, True)
            [yielded] = client.run(SITES[:1], "segment").results()
            assert (yielded.error.fetched_at, yielded.error.from_cache) == (kept.fetched_at, True)
            saved = tk.load_run(run.save(tmp_path / "run.gz"))
            frames = {
                "error": tk.frames.audiences(caught.value, vocabulary),
                "outcome": tk.frames.audiences(outcome, vocabulary),
                "run": run.audiences(),
                "codes": run.codes(),
                "saved": saved.audiences(),
            }
        for name, frame in frames.items():
            assert frame["fetched_at"].tolist() == [at], name
            assert frame["from_cache"].tolist() == [True], name
    assert service.requests == sent


def test_new_failure_says_when_it_was_too(service):
    service.failing = {SITES[0]: {"status": 410, "error": "no"}}
    with service.client() as client, client.ask(SITES[:1], "segment") as run:
        [outcome] = run.outcomes()
        assert outcome.error.from_cache is False
        assert outcome.error.fetched_at is not None
        assert run.audiences()["fetched_at"].tolist() == [pd.Timestamp(outcome.error.fetched_at)]


# Halves of characters -------------------------------------------------------------------------------------------------


def test_half_a_character_never_raises(service, tmp_path):
    broken = json.dumps({"status": 410, "error": "half \ud800 of it"}).encode()
    given = ["half\ud800.example", *SITES[:2], "https://site3.example/\udfff?x=\ud800"]

    def answer(request):
        if SITES[0] in request.content.decode():
            return httpx.Response(200, content=broken, headers={"content-type": "application/json"})
        return service.answer(request)

    with service.client(transport=httpx.MockTransport(answer)) as client, client.ask(given, "segment") as run:
        again = tk.load_run(run.save(tmp_path / "run.gz"))
        for one in (run, again):
            for name in one.frames:
                assert_frame_equal(one.frame(name), run.frame(name))
            assert len(one.to_parquet(tmp_path / "frames")) == 3
            assert len(one.table) == len(one.sites()) == 4
            one.shares()
        vocabulary = client.filters()
        outcomes = run.outcomes()
        assert tk.frames.audiences(outcomes, vocabulary)["error"].isna().tolist() == [False, False, True, False]
        with pytest.raises(errors.InsufficientContentError) as caught:
            client.segment(SITES[0])
        assert len(tk.frames.audiences(caught.value, vocabulary)) == 1
        assert len(list(client.run(given, "segment").results())) == 2


# The clients as seen --------------------------------------------------------------------------------------------------

METHODS = [
    "ask",
    "batch_results",
    "categorize",
    "categorize_content",
    "enrich",
    "explain",
    "filters",
    "run",
    "segment",
    "submit_batch",
    "with_options",
]


def test_the_methods_are_all_there_is():
    for kind, more in ((tk.Client, "close"), (tk.AsyncClient, "aclose")):
        public = {name for name in dir(kind) if not name.startswith("_")}
        assert public == {*METHODS, more, "store", "is_embedded"}


@pytest.mark.parametrize("name", METHODS)
def test_both_clients_methods_have_one_signature_and_docstring(name):
    one, other = (getattr(kind, name) for kind in (tk.Client, tk.AsyncClient))
    parameters = [list(inspect.signature(method).parameters.values()) for method in (one, other)]
    assert [str(parameter) for parameter in parameters[0][1:]] == [str(parameter) for parameter in parameters[1][1:]]
    assert parameters[0][0].name == parameters[1][0].name == "self"
    assert inspect.getdoc(one) == inspect.getdoc(other)
    assert len(inspect.getdoc(one)) > 100
    assert not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters[0])
    for kind in (tk.Client, tk.AsyncClient):
        bound = inspect.signature(getattr(object.__new__(kind), name))
        assert "self" not in bound.parameters


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("kind", [tk.Client, tk.AsyncClient])
def test_help_shows_a_method_by_its_name_with_its_parameters(kind, name):
    shown = pydoc.plain(pydoc.render_doc(getattr(kind, name)))
    head = shown.split("\n\n")[1]
    assert f"{name}(self" in head
    for parameter in list(inspect.signature(getattr(kind, name)).parameters)[1:]:
        assert parameter in head


def test_coroutines_are_told_from_what_waits():
    coroutines = {name for name in METHODS if inspect.iscoroutinefunction(getattr(tk.AsyncClient, name))}
    assert coroutines == set(METHODS) - {"run", "with_options"}
    assert not any(inspect.iscoroutinefunction(getattr(tk.Client, name)) for name in METHODS)


SEEN = """
import asyncio
import toolkit as tk
client, twin = tk.Client(), tk.AsyncClient()
reveal_type(client.segment("a.example"))
reveal_type(client.segment("a.example", format="structured"))
reveal_type(client.segment("a.example", format="legacy"))
reveal_type(client.categorize("a.example"))
reveal_type(client.enrich("a.example", include="company"))
reveal_type(client.filters(refresh=True))
reveal_type(client.run(["a.example"], "segment"))
reveal_type(client.ask(["a.example"], ["segment"], column="url"))
reveal_type(client.with_options(stale=True))
async def main() -> None:
    reveal_type(await twin.segment("a.example"))
    reveal_type(await twin.segment("a.example", format="legacy"))
    reveal_type(await twin.ask(["a.example"], "segment"))
client.segment("a.example", format="xml")
client.ask(["a.example"], akss="segment")
client.categorize(7)
"""


def test_type_checkers_see_each_method(tmp_path):
    (tmp_path / "seen.py").write_text(SEEN, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--follow-imports=silent", "seen.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT), "MYPY_CACHE_DIR": str(ROOT / ".mypy_cache" / "seen")},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    lines = [line.partition(": ")[2] for line in done.stdout.splitlines() if line.startswith("seen.py")]
    revealed = [line.rpartition('"toolkit.')[2].rstrip('"').rpartition(".")[2] for line in lines if "Revealed" in line]
    assert revealed == [
        "Segmentation",
        "Segmentation",
        "LegacySegmentation",
        "Categorization",
        "Enrichment",
        "Vocabulary",
        "Run",
        "Run",
        "Client",
        "Segmentation",
        "LegacySegmentation",
        "Run",
    ], done.stdout
    wrong = [line for line in lines if "error" in line]
    assert len(wrong) == 3, done.stdout
    assert ["call-overload" in wrong[0], "call-arg" in wrong[1], "arg-type" in wrong[2]] == [True] * 3


def test_few_names_stand_at_the_top_and_all_of_them_can_be_had():
    assert len(tk.__all__) <= 26
    assert sorted(tk.__all__) == sorted(set(tk.__all__))
    names = {}
    exec("from toolkit import *", names)  # noqa: S102 - what people do in notebooks
    assert set(tk.__all__) <= set(names)
    assert all(names[name] is getattr(tk, name) for name in tk.__all__)


# Loops and interrupts -------------------------------------------------------------------------------------------------


def test_blocking_client_asks_inside_a_running_loop(service):
    async def main():
        with service.client() as client:
            run = client.ask(SITES, ("segment", "enrich"))
            return [outcome.status for outcome in run.outcomes()], len(run.codes())

    assert asyncio.run(main()) == ([200] * 12, 12)


def test_blocking_client_asks_from_several_threads(service):
    found = {}
    with service.client() as client:
        threads = [
            threading.Thread(target=lambda site=site: found.update({site: outcomes_of(client, [site])}))
            for site in SITES
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
    assert [found[site][0].status for site in SITES] == [200] * 6


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_interrupt_while_asking_keeps_what_was_answered(service, tmp_path):
    async def slowly(request):
        await asyncio.sleep(0.15)
        return service.answer(request)

    def interrupt():
        deadline = time.monotonic() + 20
        while len(service.paid) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        signal.raise_signal(signal.SIGINT) if os.name == "nt" else os.kill(os.getpid(), signal.SIGINT)

    with (
        tk.Store(tmp_path / "answers.db") as store,
        service.client(store=store, transport=httpx.MockTransport(slowly)) as client,
    ):
        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(KeyboardInterrupt) as caught:
            client.ask(SITES, "segment", concurrency=1)
        thread.join()
        run = caught.value.run
        answered = [outcome.error is None for outcome in run.outcomes()]
        assert 2 <= sum(answered) < 6
        assert sum(answered) == len(service.paid)
        assert run.progress.state == "stopped"
        assert run.progress.reason == "interrupted"
        again = client.ask(SITES, "segment")
        assert {outcome.status for outcome in again.outcomes()} == {200}
    assert len(service.paid) == len(set(service.paid)) == 6
