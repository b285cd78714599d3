"""Runs: what is planned, sent, kept and shown; see `test_run_survival` for kills and failing services."""

import asyncio
import os
import socket
import subprocess
import sys
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pytest
from asking import QUESTIONS, outcomes_of
from pandas.testing import assert_frame_equal
from paying import KEY, Paid

import toolkit as tk
from toolkit import frames
from toolkit.frames.records import FRAMES
from toolkit.interface import errors
from toolkit.net.blocking import start_background
from toolkit.runs.counts import Counts
from toolkit.runs.journal import _own_name as holder_name
from toolkit.service import Faults
from toolkit.service.settings import Settings
from toolkit.store.answers import Store
from toolkit.store.freshness import Freshness

NOT_ASKED = "Not asked yet: the run stopped before. Start it again to go on."
#: With a duplicate in other words, a row that is none, and pages of which nothing can be had.
TARGETS = [
    "torque-journal.example",
    "nowhere.example",
    "two words",
    "https://TORQUE-JOURNAL.example/",
    "ledgerline.example",
    "trailhead-outfitters.example/boots",
    "",
    "torque-journal.example",
]
OF_THE_ASKING = ["row", "request_id", "fetched_at", "from_cache", "credits_used"]


@pytest.fixture
def paid():
    return Paid()


@pytest.fixture(scope="session")
def everything(client, tmp_path_factory):
    """A run of the embedded service that asks everything, and the answers that it has in a store."""
    with Store(tmp_path_factory.mktemp("runs") / "everything.db") as store:
        run = client.run(TARGETS, QUESTIONS, store=store)
        plan = run.plan()
        run.start(progress=False)
        with tk.Client(store=store) as reading:
            outcomes = outcomes_of(reading, TARGETS, QUESTIONS)
        yield run, plan, outcomes


def sites(number):
    return [f"site-{n}.example" for n in range(number)]


def add_up(progress):
    assert 0 <= progress.answered + progress.stored + progress.failed == progress.done <= progress.total
    assert progress.open <= progress.sent
    assert (progress.reason != "") == (progress.state == "stopped")


def known(run):
    """Return what the run knows already."""
    results = run.results()
    return [next(results) for _ in range(run.progress.done)]


# Plans --------------------------------------------------------------------------------------------------------------


def test_a_plan_counts_by_hand_and_sends_nothing(paid, tmp_path):
    with paid.client() as client:
        client.run(["a.example", "b.example"], store=tmp_path / "s.db").start(progress=False)
        paid.asked.clear()
        targets = ["a.example", "A.example", "c.example", "no target", "c.example", "b.example/x", "", "b.example"]
        with client.run(targets, ("segment", "categorize"), store=tmp_path / "s.db", budget=7) as run:
            plan = run.plan()
            assert plan.counts == Counts(entries=8, sites=4, repeated=2, blank=1, invalid=1, waiting=4)
            segment, categorize = plan.questions
            assert (segment.targets, segment.stored, segment.to_send, segment.stale, segment.failed) == (4, 2, 2, 0, 0)
            assert (categorize.targets, categorize.stored, categorize.to_send) == (3, 0, 3)
            assert (plan.stored, plan.to_send, plan.stale, plan.resumed) == (2, 5, 0, False)
            assert (plan.credits_low, plan.credits_expected, plan.credits_worst) == (None, None, None)
            assert "budget:           7, of which 0 are spent" in str(plan)
            assert "not known yet: the first answer tells its price" in plan._repr_html_()
    assert paid.asked == []


def test_credits_are_known_after_a_run_and_bounded_by_the_budget(paid, tmp_path):
    paid.price = 3
    with paid.client() as client:
        assert client.run(sites(4)).plan().credits_expected is None
        client.run(sites(2), store=tmp_path / "s.db").start(progress=False)
        plan = client.run(sites(4), store=tmp_path / "s.db").plan()
        assert (plan.credits_low, plan.credits_expected, plan.credits_worst) == (0, 6.0, 2 * 3 * 3)
        assert plan.credits_left == 998
        assert plan.seconds > 0
        limited = client.run(sites(5), store=tmp_path / "s.db", budget=5).plan()
        assert (limited.credits_expected, limited.credits_worst) == (5, 5)


@pytest.mark.parametrize(
    ("budget", "ask", "told"),
    [
        (25, "segment", "about 80; the budget of 25 pays for some 12 of the 40 sites"),
        (1, "segment", "about 80; the budget of 1 pays for less than one of the 40 sites"),
        (25, ("segment", "enrich"), "about 160; the budget of 25 pays for some 12 of the 80 questions"),
        (0, "segment", "about 80; the budget is 0, so nothing is asked"),
        (80, "segment", "about 80; a page that cannot be opened costs nothing"),
        (None, "segment", "about 80, at most 240; a page that cannot be opened costs nothing"),
    ],
)
def test_a_plan_says_where_the_budget_is_too_small_for_the_list(paid, budget, ask, told):
    prices = dict.fromkeys([ask] if isinstance(ask, str) else ask, 2)
    with paid.client() as client, client.run(sites(40), ask, prices=prices, budget=budget) as run:
        shown = dict(run.plan().rows_shown())
    assert shown["credits"] == told


def test_a_plan_of_a_run_that_is_gone_on_with_says_for_how_many_sites_the_rest_of_the_budget_is_enough(paid, tmp_path):
    with paid.client() as client:
        client.run(sites(6), budget=2, store=tmp_path / "s.db").start(progress=False)
        again = client.run(sites(6), budget=3, store=tmp_path / "s.db").plan()
        spent = client.run(sites(6), budget=2, store=tmp_path / "s.db").plan()
    told = "about 4; what is left of the budget, 1, pays for one of the 4 sites"
    assert dict(again.rows_shown())["credits"] == told
    assert dict(spent.rows_shown())["credits"] == "about 4; the budget is spent, so nothing is asked"


def test_prices_that_are_given_are_planned_with(paid):
    with paid.client() as client, client.run(sites(4), prices={"segment": 2}) as run:
        assert (run.plan().credits_expected, run.plan().credits_worst) == (8, 4 * 2 * 3)


def test_a_plan_says_what_is_gone_on_with(paid, tmp_path):
    with paid.client() as client:
        client.run(sites(5), budget=2, store=tmp_path / "s.db").start(progress=False)
        plan = client.run(iter(sites(5)), store=tmp_path / "s.db").plan()
        assert plan.resumed
        assert (plan.questions[0].answered, plan.to_send, plan.spent) == (2, 3, 2)
        assert "5 different sites" in str(plan)
        assert "2 answered, 3 not asked yet" in str(plan)
        assert "An unfinished run with the same list is gone on with." in plan._repr_html_()
        assert not client.run(sites(4), store=tmp_path / "s.db").plan().resumed
        assert not client.run(sites(5), "categorize", store=tmp_path / "s.db").plan().resumed


def test_a_plan_after_the_run_does_not_say_that_nothing_was_sent(paid):
    with paid.client() as client, client.run(sites(1)) as run:
        assert "Nothing was sent yet." in run.plan()._repr_html_()
        run.start(progress=False)
        assert "Nothing was sent yet." not in run.plan()._repr_html_()


def test_hostile_inputs_and_reasons_are_escaped_where_a_run_is_shown(paid):
    hostile = "<img src=x onerror=alert(1)>"
    with paid.client() as client, client.run(pd.Series([hostile, "a.example"], name=hostile)) as run:
        assert "<img" not in run.plan()._repr_html_()
        run.start(progress=False)
        assert run.failures().loc[0, "target"] == hostile


UNKNOWN_PRICE = "prices must be for 'segment', 'categorize', 'categorize_content', 'enrich', not 'segmant'."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"ask": "segments"},
            "ask must be of 'segment', 'categorize', 'categorize_content', 'enrich', not 'segments'.",
        ),
        ({"ask": ()}, "ask must name each thing to be asked once, and at least one. Pass ask='segment', for example."),
        (
            {"ask": ("enrich", "enrich")},
            "ask must name each thing to be asked once, and at least one. Pass ask='segment', for example.",
        ),
        ({"options": {"enrich": {}}}, "options has 'enrich', which is not asked. Add it to ask, or drop it."),
        ({"options": {"segment": {"x": 1}}}, "segment takes the options 'format', not 'x'."),
        ({"stale": True, "refresh": True}, "stale and refresh contradict each other. Pass one of them."),
        ({"budget": -1}, "The budget is -1. Give a whole number of credits, from 0."),
        ({"prices": {"segment": 1.5}}, "The price of segment is 1.5. Give a whole number of credits, from 0."),
        ({"prices": {"segmant": 1}}, UNKNOWN_PRICE),
        ({"prices": {"segment": 1, "segmant": 1}, "budget": 5}, UNKNOWN_PRICE),
        ({"prices": 5}, "prices must be a mapping of questions to credits: {'segment': 1}."),
        ({"concurrency": 0}, "concurrency is 0. Give a whole number from 1 to 1,000."),
    ],
)
def test_arguments_that_cannot_work_are_refused_before_anything_is_read(paid, arguments, message):
    def never():
        raise AssertionError
        yield

    with paid.client() as client, pytest.raises(errors.InputError) as refused:
        client.run(never(), **arguments)
    assert str(refused.value) == message
    assert paid.asked == []


def test_a_price_of_what_is_not_asked_is_no_mistake(paid):
    with paid.client() as client, client.run(sites(2), "segment", prices={"segment": 2, "enrich": 3}) as run:
        assert run.plan().credits_expected == 2 * 2


# Frames -------------------------------------------------------------------------------------------------------------


def without_requests(frame):
    """Return a frame without what differs between two times that the same is asked."""
    return frame.assign(error=frame["error"].str.replace(r"req_\w+", "req", regex=True)).drop(columns=OF_THE_ASKING)


def of_the_models(name, outcomes, client):
    vocabulary = (client.filters(),) if FRAMES[name] == ("segment",) else ()
    return getattr(frames, name)(outcomes, *vocabulary)


@pytest.mark.parametrize("name", FRAMES)
def test_frames_are_those_of_the_same_answers(everything, client, name):
    run, _, outcomes = everything
    found, expected = run.frame(name), of_the_models(name, outcomes, client)
    assert_frame_equal(without_requests(found), without_requests(expected))
    assert not found["from_cache"].any()
    answered = found["error"].isna()
    assert_frame_equal(found.loc[answered, ["request_id", "fetched_at"]],
                       expected.loc[answered, ["request_id", "fetched_at"]])  # fmt: skip


@pytest.mark.parametrize("name", ["audiences", "companies"])
def test_a_frame_of_scalars_has_a_row_for_each_input_in_order(everything, name):
    found = everything[0].frame(name)
    assert found["row"].tolist() == list(range(len(TARGETS)))
    assert found["target"].tolist() == TARGETS
    assert found["status"].tolist()[:5] == [200, 411 if name == "audiences" else found["status"][1], pd.NA, 200, 200]
    assert found.loc[2, "error"] == found.loc[2, "error"].strip() != ""
    first, again = (found.loc[row].drop(["row", "target", "credits_used"]) for row in (0, 7))
    assert first.equals(again)


@pytest.mark.parametrize("name", ["audiences", "companies"])
def test_credits_sum_to_what_was_spent(client, name):
    question = FRAMES[name][0]
    with client.run(TARGETS, question) as run:
        found = run.start(progress=False).frame(name)
        again = client.run(TARGETS, question, store=run.store, name="again").start(progress=False)
        cached = again.frame(name)
        assert found["credits_used"].sum() == run.progress.credits_used > 0
        assert found["credits_used"].count() == found["error"].isna().sum() > found["credits_used"].sum()
        assert (again.progress.credits_used, cached["credits_used"].sum()) == (0, 0)


def test_credits_of_a_frame_with_many_rows_an_answer_are_counted_once(client):
    with client.ask(TARGETS, "segment") as run:
        codes = run.codes()
        assert codes["credits_used"].sum() == run.progress.credits_used
        joined = pd.concat(run.iter_frames("codes", rows=1))
    assert joined["credits_used"].sum() == codes["credits_used"].sum()


def test_failures_are_a_row_for_each_input_and_question_without_an_answer(everything):
    run, plan, outcomes = everything
    failed = [outcome for outcome in outcomes if outcome.error is not None]
    found = run.failures()
    asked = found[found["normal"].notna()]
    targets = [outcome for outcome in failed if not isinstance(outcome.error, errors.TargetError)]
    assert asked["target"].tolist() == [outcome.target for outcome in targets]
    assert asked["endpoint"].tolist() == [outcome.endpoint for outcome in targets]
    assert asked["error"].tolist() == [str(outcome.error) for outcome in targets]
    # What is no web address is told once, of no question; a blank entry is not told.
    others = found[found["normal"].isna()]
    assert others["target"].tolist() == [given for given in TARGETS if given == "two words"]
    assert others["endpoint"].isna().all()
    assert found.dtypes.to_dict() == {
        name: pd.Series(dtype=kind).dtype for name, kind in frames.SCHEMAS["failures"].items()
    }
    assert len(found) == plan.counts.invalid + len(QUESTIONS)


@pytest.mark.parametrize("name", [*FRAMES, "failures"])
def test_parts_of_a_frame_are_the_frame(everything, name):
    run, _, _ = everything
    parts = list(run.iter_frames(name, rows=3))
    assert len(parts) == 3
    assert_frame_equal(pd.concat(parts, ignore_index=True), run.frame(name))


def test_parquet_parts_are_the_frames_complete(everything, tmp_path):
    run, _, _ = everything
    (tmp_path / "audiences").mkdir()
    (tmp_path / "audiences" / "part-00009.parquet").write_bytes(b"of a longer run")
    written = run.to_parquet(tmp_path, rows=3)
    assert sorted(written) == sorted(path for path in tmp_path.rglob("*") if path.is_file())
    for name in run.frames:
        parts = [pd.read_parquet(tmp_path / name / f"part-{number:05}.parquet") for number in range(3)]
        assert_frame_equal(pd.concat(parts, ignore_index=True), run.frame(name))


@pytest.mark.parametrize("rows", [0, -1, 2.5, True])
def test_parts_have_an_input_at_least(everything, tmp_path, rows):
    message = f"rows is {rows!r}. Give a whole number of inputs a part, from 1."
    for ask in (lambda run: next(run.iter_frames("codes", rows)), lambda run: run.to_parquet(tmp_path, rows=rows)):
        with pytest.raises(errors.InputError) as refused:
            ask(everything[0])
        assert str(refused.value) == message


def test_frames_that_are_not_asked_are_refused(paid, tmp_path):
    with paid.client() as client, client.run(["a.example"], ("segment", "categorize")) as run:
        assert run.frames == ("audiences", "codes", "categories", "failures")
        for ask in (
            run.companies,
            lambda: run.to_parquet(tmp_path, ["companies"]),
            lambda: next(run.iter_frames("companies")),
        ):
            with pytest.raises(errors.InputError) as refused:
                ask()
            assert (
                str(refused.value) == "companies needs enrich, and the run asks segment, categorize. Add it to ask=…."
            )
        with pytest.raises(errors.InputError) as refused:
            run.frame("people")
        known = "audiences, codes, categories, companies, technologies, failures"
        assert str(refused.value) == f"There is no frame 'people'. Choose from {known}."
    assert list(tmp_path.iterdir()) == []


def test_frames_of_a_run_that_is_not_finished_say_so(paid):
    with paid.client() as client, client.run(["a.example", "two words", "b.example"], budget=1) as run:
        assert run.audiences()["error"].tolist()[::2] == [NOT_ASKED, NOT_ASKED]
        run.start(progress=False)
        found = run.audiences()
        assert found["status"].tolist() == [200, pd.NA, pd.NA]
        assert found.loc[2, "error"] == NOT_ASKED
        assert run.failures()["error"].tolist()[1] == NOT_ASKED


def test_an_empty_list_is_a_finished_run_with_empty_frames(paid, tmp_path):
    with paid.client() as client, client.run([], ("segment", "categorize")) as run:
        assert (run.counts(), run.plan().to_send, run.plan().credits_expected) == (Counts(), 0, 0)
        assert run.start(progress=False).progress.state == "finished"
        assert list(run.results()) == []
        for name in run.frames:
            assert list(run.frame(name).columns) == list(frames.SCHEMAS[name])
            assert len(run.frame(name)) == 0
        assert len(run.to_parquet(tmp_path)) == len(run.frames)
    assert paid.asked == []


# Options and inputs -------------------------------------------------------------------------------------------------


def test_the_free_text_segmentation_is_a_row_without_codes(client):
    targets = ["torque-journal.example", "nowhere.example", "two words"]
    options = {"segment": {"format": "legacy"}}
    outcomes = outcomes_of(client, targets, "segment", options)
    with client.run(targets, options=options) as run:
        assert [o.answer.raw["interests"] for o in run.results() if o.answer] == [outcomes[0].answer.raw["interests"]]
        for name in ("audiences", "codes"):
            found, expected = (
                without_requests(frame) for frame in (run.frame(name), of_the_models(name, outcomes, client))
            )
            assert_frame_equal(found, expected)
        assert run.audiences()["status"].tolist() == [200, 411, pd.NA]


def test_options_reach_the_service(client):
    options = {"enrich": {"include": iter(["technologies"]), "format": "xml"}, "categorize_content": {"personas": True}}
    with client.run(["torque-journal.example"], ("enrich", "categorize_content"), options=options) as run:
        answers = {outcome.endpoint: outcome.answer for outcome in run.results()}
        enriched, content = answers["enrich"], answers["categorize_content"]
        direct = client.enrich("torque-journal.example", include="technologies")
        assert enriched.technologies == direct.technologies != []
        assert enriched.company.name is None
        assert content.raw.get("personas") or "personas" in str(content.raw)
        assert run.technologies()["technology"].tolist() == [found.name for found in direct.technologies]


def test_inputs_are_read_in_every_form(paid, tmp_path):
    targets = ["a.example", "b.example", "a.example"]
    frame = pd.DataFrame({"id": [1, 2, 3], "page": targets})
    frame.to_csv(tmp_path / "list.csv", index=False)
    frame.to_parquet(tmp_path / "list.parquet")
    given = [
        (targets, None),
        ((target for target in targets), None),
        (pd.Series(targets), None),
        (frame, "page"),
        (tmp_path / "list.csv", "page"),
        (str(tmp_path / "list.parquet"), None),
    ]
    with paid.client() as client:
        for source, column in given:
            with client.run(source, column=column, store=False) as run:
                assert run.start(progress=False).audiences()["target"].tolist() == targets
    assert Counter(paid.asked) == {"a.example": len(given), "b.example": len(given)}


# Results and stops --------------------------------------------------------------------------------------------------


def test_results_are_the_stored_first_and_each_task_once(paid, tmp_path):
    with paid.client() as client:
        client.run(["c.example", "b.example"], store=tmp_path / "s.db").start(progress=False)
        paid.asked.clear()
        targets = ["a.example", "b.example", "B.example", "two words", "c.example", "a.example", "d.example"]
        with client.run(targets, store=tmp_path / "s.db") as run:
            found = [(outcome.target, outcome.answer.provenance.from_cache) for outcome in run.results()]
            assert found[:2] == [("b.example", True), ("c.example", True)]
            assert sorted(found[2:]) == [("a.example", False), ("d.example", False)]
            assert [outcome.target for outcome in run.results()] == ["a.example", "b.example", "c.example", "d.example"]
    assert sorted(paid.asked) == ["a.example", "d.example"]


def test_leaving_the_results_early_stops_the_run_and_keeps_what_was_answered(paid, tmp_path):
    paid.seconds = 0.01
    with paid.client() as client:
        with client.run(sites(60), concurrency=3, store=tmp_path / "s.db") as run:
            results = run.results()
            next(results)
            results.close()
            kept = run.progress
            assert (kept.state, kept.reason) == ("stopped", "stopped")
            assert len(paid.asked) == kept.answered < 60
        with client.run(sites(60), store=tmp_path / "s.db") as run:
            assert run.plan().resumed
            assert run.start(progress=False).progress.answered == 60
    assert sorted(paid.asked) == sorted(sites(60))


@pytest.mark.parametrize("way", ["thread", "watcher", "at once"])
def test_a_stop_keeps_what_was_answered_and_the_same_call_goes_on(paid, tmp_path, way):
    paid.seconds = 0.01
    begun = threading.Event()
    paid.how = lambda _: begun.set()
    with paid.client() as client:
        with client.run(sites(200), concurrency=2, store=tmp_path / "s.db") as run:
            if way == "watcher":
                run.watch(lambda progress: run.stop("seen enough") if progress.answered else None)
                run.start(progress=False)
            elif way == "thread":
                run.start_background()
                assert begun.wait(10)
                run.stop("seen enough")
            else:
                free = threading.Event()
                start_background(_busy, free)  # so that the run cannot have begun when it is stopped
                run.start_background()
                run.stop("seen enough")
                free.set()
            run.wait()
            stopped = run.progress
            assert (stopped.state, stopped.reason) == ("stopped", "seen enough")
            assert stopped.answered == len(paid.asked) < 200
            paid.seconds = 0.0
        with client.run(sites(200), store=tmp_path / "s.db") as run:
            assert run.start(progress=False).progress.state == "finished"
    assert sorted(paid.asked) == sorted(sites(200))


async def _busy(free):
    free.wait(10)


INTERRUPTED = """
import _thread, asyncio, sys, threading
import httpx, toolkit as tk
asked = []

async def answer(request):
    if request.method == "GET":  # the vocabulary
        return httpx.Response(404)
    asked.append(1)
    if len(asked) == 4:
        threading.Timer(0.02, _thread.interrupt_main).start()
    await asyncio.sleep(0.05)
    body = {"demographics": {}, "status": 200, "credits_used": 1}
    return httpx.Response(200, json=body)

with tk.Client("key", "https://a.stub.example", transport=httpx.MockTransport(answer)) as client:
    with client.run([f"site-{n}.example" for n in range(500)], concurrency=2, store=sys.argv[1]) as run:
        try:
            run.start(progress=False)
        except KeyboardInterrupt as error:
            print(error.run is run, *error.__notes__)
        print(run.progress.state, run.progress.reason, run.progress.answered == len(asked) < 500, flush=True)
        print(run.progress.answered)
"""


def test_an_interrupt_stops_cleanly(tmp_path):
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(tmp_path / "s.db")],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    told, said, answered = ended.stdout.splitlines()
    assert told.startswith("True What was answered is kept, and the same call goes on: stopped: ")
    assert said == "stopped interrupted True"
    assert int(answered) >= 4


# Costs --------------------------------------------------------------------------------------------------------------


def test_a_second_run_costs_nothing_but_when_it_is_to_be_anew(paid, tmp_path):
    store = tmp_path / "s.db"
    with paid.client() as client:
        for again in range(2):
            run = client.run(sites(3), store=store).start(progress=False)
            assert (run.progress.stored, run.progress.answered, run.progress.sent) == (
                (3, 0, 0) if again else (0, 3, 3)
            )
            assert run.audiences()["from_cache"].tolist() == [bool(again)] * 3
        assert len(paid.asked) == 3
        client.run(sites(3), store=store, refresh=True).start(progress=False)
        assert len(paid.asked) == 6


def test_answers_that_are_too_old_are_asked_anew_or_used_when_stale_ones_will_do(paid, tmp_path):
    with paid.client() as client, Store(tmp_path / "s.db", fresh=Freshness(answers=0)) as store:
        client.run(sites(3), store=store).start(progress=False)
        plan = client.run(sites(4), store=store).plan()
        assert (plan.stored, plan.stale, plan.to_send) == (0, 3, 4)
        run = client.run(sites(4), store=store, stale=True)
        assert (run.plan().stored, run.plan().stale, run.plan().to_send) == (3, 0, 1)
        run.start(progress=False)
        assert (run.progress.stored, run.progress.answered) == (3, 1)
        assert len(paid.asked) == 4
        client.run(sites(3), store=store).start(progress=False)
        assert len(paid.asked) == 7


@pytest.mark.parametrize(
    ("budget", "prices", "sent", "reason"),
    [
        (0, None, 0, "the budget is 0"),
        (2, {"segment": 3}, 0, "the budget is used up"),
        (7, {"segment": 3}, 2, "the budget is used up"),
        (7, None, 2, "the budget is used up"),
        (30, None, 10, ""),
    ],
)
def test_a_budget_is_kept(paid, budget, prices, sent, reason):
    paid.price, paid.seconds = 3, 0.002
    with paid.client() as client, client.run(sites(10), budget=budget, prices=prices) as run:
        run.start(progress=False)
        assert len(paid.asked) == run.progress.answered == sent
        assert run.progress.credits_used == 3 * sent
        assert (run.progress.reason, run.progress.state) == (reason, "stopped" if reason else "finished")


def test_under_a_budget_a_request_of_unknown_price_goes_alone(paid):
    opened = []

    class Watching(Paid):
        async def answer(self, request):
            self.open += 1
            opened.append(self.open)
            try:
                return await super().answer(request)
            finally:
                self.open -= 1

    service = Watching()
    service.seconds = 0.01
    with service.client() as client, client.run(sites(8), budget=8) as run:
        run.start(progress=False)
        assert run.progress.answered == 8
    assert opened[0] == 1
    assert opened[1] == 1
    assert max(opened) > 1


# Refusals and failures ----------------------------------------------------------------------------------------------


def test_a_refused_key_stops_at_once_and_what_other_runs_stored_stays(paid, tmp_path):
    with paid.client() as client:
        client.run(sites(3), store=tmp_path / "s.db").start(progress=False)
        paid.asked.clear()
        paid.how = lambda _: (401, {"status": 401, "error": "no such key"})
        with client.run(sites(300), concurrency=5, store=tmp_path / "s.db") as run:
            run.start(progress=False)
            assert (run.progress.state, run.progress.reason) == ("stopped", "the key was refused (401)")
            assert run.progress.failed == run.progress.credits_used == 0
            assert 1 <= len(paid.asked) <= 5
        paid.how = lambda _: None
        with client.run(sites(300), store=tmp_path / "s.db") as run:
            assert run.start(progress=False).progress.state == "finished"
            assert run.progress.stored == 3
            assert KEY not in run.audiences().to_csv()


def test_a_used_up_quota_stops_with_exactly_so_many_charged_and_the_same_call_goes_on(tmp_path):
    targets = ["torque-journal.example", "ledgerline.example", "trailhead-outfitters.example", "wholegrain.example"]
    settings, store = Settings(faults=Faults.parse("quota=2")), tmp_path / "s.db"
    with tk.Client(embedded=settings) as client, client.run(targets, "categorize", concurrency=3, store=store) as run:
        first = run.start(progress=False).progress
        assert (first.state, first.reason) == ("stopped", "the quota is used up (403)")
        assert (first.answered, first.failed) == (2, 0)
        charged = [outcome.answer.provenance.credits_used for outcome in known(run)]
        assert first.credits_used == sum(charged)
        assert len(charged) == 2
    with tk.Client() as client, client.run(targets, "categorize", store=tmp_path / "s.db") as run:
        assert (run.plan().resumed, run.plan().to_send) == (True, 2)
        assert run.start(progress=False).progress.state == "finished"


def test_a_retry_after_that_is_too_long_stops(paid):
    paid.how = lambda _: (429, {"error": "slow down"}, {"retry-after": "200"})
    with paid.client() as client, client.run(sites(50), concurrency=2) as run:
        run.start(progress=False)
        assert run.progress.reason == "the service asks to wait 200 s"
        assert (run.progress.failed, run.progress.credits_used) == (0, 0)
        assert run.progress.slowed == len(paid.asked) <= 2


@pytest.mark.parametrize("number", [1, 3, 30])
def test_a_service_that_cannot_be_reached_stops_and_fails_no_task(tmp_path, number):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    retries = tk.Retries(attempts=3, first_wait=0.0, longest_wait=0.0)
    with tk.Client(KEY, f"http://127.0.0.1:{port}", retries=retries) as client:
        with client.run(sites(number), store=tmp_path / "s.db") as run:
            run.start(progress=False)
            assert (run.progress.state, run.progress.reason) == ("stopped", "the service cannot be reached")
            assert (run.progress.failed, run.progress.credits_used) == (0, 0)
        with client.run(sites(number), store=tmp_path / "s.db") as run:
            assert run.plan().to_send == number


def test_only_what_failed_is_sent_again(paid, tmp_path):
    bodies = {
        "gone.example": (200, {"status": 410, "error": "gone"}),
        "none.example": (411, {"status": 411, "error": "no"}),
        "bad.example": (503, {"status": 503, "error": "down"}),
        "odd.example": (200, ["odd"]),
    }
    paid.how = bodies.get
    with paid.client() as client, client.run(["a.example", *bodies], store=tmp_path / "s.db") as run:
        run.start(progress=False)
        assert (run.progress.state, run.progress.answered, run.progress.failed) == ("finished", 3, 2)
        assert Counter(paid.asked) == {
            "a.example": 1,
            "gone.example": 1,
            "none.example": 1,
            "bad.example": 3,
            "odd.example": 3,
        }
        assert run.failures()["status"].tolist() == [410, 411, 503, pd.NA]
        paid.asked.clear()
        paid.how = lambda query: bodies["odd.example"] if query == "odd.example" else None
        run.retry_failed(progress=False)
        assert Counter(paid.asked) == {"bad.example": 1, "odd.example": 3}
        assert (run.progress.answered, run.progress.failed) == (4, 1)
        assert run.plan().questions[0].failed == 1


# One at a time, stores and threads ----------------------------------------------------------------------------------


def test_the_same_run_is_not_begun_twice_at_a_time(paid, tmp_path):
    begun, go_on = threading.Event(), threading.Event()

    def hold(_):
        begun.set()
        go_on.wait(20)

    paid.how = hold
    message = (
        f"This run is under way already in process {holder_name()}. Wait for it, or stop it there; then ask again."
    )
    with paid.client() as client, Store(tmp_path / "s.db") as store:
        first, second = (client.run(sites(3), store=store) for _ in range(2))
        first.plan()
        second.plan()
        first.start_background()
        try:
            assert begun.wait(20)
            answers = []
            threads = [threading.Thread(target=_said, args=(run, answers)) for run in (first, second)]
            for thread in threads:
                thread.start()
        finally:
            go_on.set()
        for thread in threads:
            thread.join()
        first.wait()
        assert first.progress.state == "finished"
    assert set(answers) <= {message, "finished"}
    assert sorted(paid.asked) == sites(3)


def _said(run, answers):
    try:
        run.start(progress=False)
    except errors.ConfigurationError as error:
        answers.append(str(error))
    else:
        answers.append(run.progress.state)


def test_a_run_that_another_has_begun_is_refused_and_can_begin_later(paid, tmp_path):
    paid.seconds = 0.01
    message = (
        f"This run is under way already in process {holder_name()}. Wait for it, or stop it there; then ask again."
    )
    begun = threading.Event()
    paid.how = lambda _: begun.set()
    with paid.client() as client, Store(tmp_path / "s.db") as store:
        first, second = (client.run(sites(100), concurrency=1, store=store) for _ in range(2))
        second.plan()
        first.start_background()
        assert begun.wait(20)
        for begin in (lambda: second.start(progress=False), lambda: second.start_background().wait()):
            with pytest.raises(errors.ConfigurationError) as refused:
                begin()
            assert str(refused.value) == message
            assert second.progress.state == "ready"
        with pytest.raises(errors.ConfigurationError):
            first.start(progress=False)
        assert first.progress.state == "running"
        first.stop()
        first.wait()
        assert first.progress.reason == "stopped"
        paid.seconds = 0.0
        assert second.start(progress=False).progress.state == "finished"
    assert sorted(paid.asked) == sorted(sites(100))


def test_a_store_that_is_not_wanted_is_deleted_and_a_named_one_stays(paid, tmp_path):
    with paid.client() as client:
        run = client.run(sites(2), store=False)
        path = run.store.path
        with run:
            run.start(progress=False)
            assert path.exists()
        assert not path.parent.exists()
        assert repr(run) == "<Run of audience over list: closed>"
        with client.run(sites(2), store=tmp_path / "s.db") as run:
            run.start(progress=False)
        assert (tmp_path / "s.db").exists()
    with paid.client(store=tmp_path / "s.db") as client, client.run(sites(2)) as run:
        assert run.plan().to_send == 0


def test_a_run_in_the_background_is_waited_for(paid):
    go_on = threading.Event()

    paid.how = lambda _: go_on.wait(20) and None
    with paid.client() as client, client.run(sites(2), concurrency=1) as run:
        assert run.wait() is run
        threading.Timer(0.05, go_on.set).start()
        assert run.start_background().progress.state == "running"
        assert run.wait(0.001).progress.state == "running"
        assert run.wait().progress.state == "finished"


def test_a_run_is_awaited_within_an_event_loop_and_stopped_from_a_thread(paid):
    paid.seconds = 0.01

    async def ask():
        async with paid.client(tk.AsyncClient) as client:
            run = client.run(sites(100), concurrency=2)
            threading.Timer(0.1, run.stop, ["enough"]).start()
            await run.start_async()
            stopped = run.progress
            run._pace.resize(50)
            await run.start_async()
            return stopped, run.progress, run

    stopped, ended, run = asyncio.run(ask(), debug=True)
    assert (stopped.state, stopped.reason) == ("stopped", "enough")
    assert (ended.state, ended.answered) == ("finished", 100)
    assert sorted(paid.asked) == sorted(sites(100))
    run.stop()
    run.close()


def test_a_cancelled_run_says_that_it_was_interrupted(paid):
    paid.seconds = 30.0

    async def ask():
        begun = asyncio.Event()
        paid.how = lambda _: begun.set()
        async with paid.client(tk.AsyncClient) as client:
            with client.run(sites(3)) as run:
                task = asyncio.create_task(run.start_async())
                await begun.wait()
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
                return run.progress

    ended = asyncio.run(ask())
    assert (ended.state, ended.reason, ended.answered) == ("stopped", "interrupted", 0)


def test_start_works_within_a_running_event_loop_as_in_a_notebook(paid):
    async def cell():
        with paid.client() as client, client.run(sites(3)) as run:
            return run.start(progress=False).audiences()

    assert len(asyncio.run(cell())) == 3


def test_progress_adds_up_at_any_moment(paid, tmp_path):
    paid.seconds = 0.002
    seen = []
    paid.how = {f"site-{n}.example": (404, {"status": 404, "error": "no"}) for n in range(10)}.get
    with paid.client() as client:
        client.run(sites(30)[20:], store=tmp_path / "s.db").start(progress=False)
        with client.run(sites(120), concurrency=3, store=tmp_path / "s.db", budget=50) as run:
            for budget in (50, None):
                run._budget.ceiling = budget
                run.start_background()
                while run.progress.state == "running":
                    seen.append(run.progress)
                run.wait()
                seen.append(run.progress)
    for progress in seen:
        add_up(progress)
        assert progress.total == 120
    dones = [progress.done for progress in seen]
    assert dones == sorted(dones)
    assert (seen[-1].answered, seen[-1].stored, seen[-1].failed, seen[-1].state) == (100, 10, 10, "finished")
    assert seen[-1].seconds_left in (0.0, None)
    # An error that does not say what it cost is counted as an answer.
    assert (
        str(seen[-1]) == "finished: 120 of 120 questions done, 10 kept already, 10 failed, 110 credits used, 880 left"
    )


def test_keys_are_shown_nowhere(paid, tmp_path):
    paid.how = lambda query: (500, {"status": 500, "error": f"key {KEY} fell over"}) if "1" in query else None
    with paid.client() as client, client.run(sites(3), store=tmp_path / "s.db") as run:
        plan = run.plan()
        run.start(progress=False)
        outcomes = list(run.results())
        shown = [plan, plan._repr_html_(), run, run.progress, run.questions, vars(run), vars(run._engine), outcomes]
        shown += [run.frame(name).to_csv() for name in run.frames]
        shown += [str(outcome.error) for outcome in outcomes]
        text = " ".join(f"{thing!s} {thing!r}" for thing in shown)
    assert "fell over" in text
    assert KEY not in text
    assert KEY.encode() not in (tmp_path / "s.db").read_bytes()
