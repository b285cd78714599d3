"""The journal of a run: its rows and tasks, where they stand, and who is at it."""

import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from toolkit.interface import errors
from toolkit.interface.reading import Received, provenance
from toolkit.net.cache import Reading
from toolkit.runs import journal as journal_module
from toolkit.runs.budget import Budget, Price
from toolkit.runs.journal import Journal, Standing
from toolkit.runs.questions import questions_of
from toolkit.runs.tasks import Entry, State
from toolkit.store.answers import Store
from toolkit.store.freshness import Freshness

SERVICE = "https://api.stub.example"
NAMES = ("position", "given", "normal", "problem", "state", "status", "error", "request_id", "vocab_version",
         "fetched_at", "credits", "asked", "kind", "media", "packed", "body")  # fmt: skip

# Opens a journal over so many inputs, and does as it is told: line for line.
HOLDER = """
import os, signal, sys
from toolkit.runs.budget import Budget
from toolkit.runs.journal import Journal
from toolkit.runs.questions import questions_of
from toolkit.store.answers import Store
path, how = sys.argv[1:]

def targets():
    for number in range(11_000):
        if number == 10_500 and how == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if number == 10_500 and how == "pause":
            print("reading", flush=True)
            sys.stdin.readline()
        yield f"a{number}.example"

with Store(path) as store:
    journal = Journal(store, questions_of("segment"), ["https://api.stub.example"])
    journal.open(targets() if how != "hold" else ["a.example", "b.example"])
    if how == "hold":
        journal.begin(Budget(), [None])
        journal.send(journal.waiting(0, 10))
    print(journal.run, journal.rows, flush=True)
    sys.stdin.readline()
    if how == "hold":
        journal.let_go()
"""


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "answers.db") as store:
        yield store


@pytest.fixture
def started(store):
    """Start a process that is at the file too."""
    processes = []

    def start(how):
        process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(store.path), how],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def opened(store, targets, ask="segment", options=None):
    questions = questions_of(ask, options)
    journal = Journal(store, questions, [SERVICE] * len(questions))
    journal.open(targets)
    return journal


def came(question, target, *, status=200, cost=1, age=0.0, body=None):
    """Return call, answer and provenance as they come."""
    call = question.call(target)
    raw = body or {
        "demographics": {},
        "categories": [],
        "status": status,
        "meta": {"credits_used": cost, "request_id": f"r-{target}"},
    }
    received = Received(200, {"content-type": "application/json"}, json.dumps(raw).encode())
    return call, received, provenance(call, received, raw, datetime.now(UTC) - timedelta(hours=age))


def keep(store, target, *, ask="segment", status=200, cost=1, age=0.0):
    call, received, source = came(questions_of(ask)[0], target, status=status, cost=cost, age=age)
    return store.keep(call, SERVICE, received, source, status)


def answered(journal, task, *, status=200, cost=1):
    call, received, source = came(journal.questions[task.place], task.target, status=status, cost=cost)
    return Entry(task, State.ANSWERED, status, None, call, received, source)


def results(journal, place=0, *between):
    return [dict(zip(NAMES, row, strict=True)) for row in journal.results(place, *between)]


def select(store, question, *values):
    with closing(sqlite3.connect(store.path)) as connection:
        return connection.execute(question, values).fetchall()


def windows(journal, **options):
    reading = Reading(**options)
    return [reading.window(journal.store.fresh, question.endpoint) for question in journal.questions]


def stand(journal, place=0, **options):
    return journal.standing(windows(journal, **options))[place]


def hold(journal, prices=None):
    """Begin without stored answers, and return what was spent."""
    budget = Budget(None, prices or {})
    journal.begin(budget, [None] * len(journal.questions))
    return budget.spent


def use_stored(journal, place=0, **options):
    """Begin with stored answers, and return how many tasks of a question had one."""
    before = stand(journal, place, refresh=True).stored
    journal.begin(Budget(), windows(journal, **options))
    journal.let_go(reason="not at its end")
    return stand(journal, place, refresh=True).stored - before


# Rows and tasks -----------------------------------------------------------------------------------------------------

INPUTS = [
    "b.example",
    "https://www.A.example/",
    "not a target",
    "a.example",
    "",
    "B.example",
    "a.example/page?utm_source=x",
    "http://a.example/page",
    "half \ud800 a character",
    "café.example",
]


def test_rows_are_the_inputs_in_order_with_duplicates_and_unreadable_ones(store):
    rows = results(opened(store, INPUTS))
    assert [row["position"] for row in rows] == list(range(len(INPUTS)))
    assert [row["given"] for row in rows] == [*INPUTS[:8], "half ? a character", INPUTS[9]]
    assert [row["normal"] if row["problem"] is None else None for row in rows] == [
        "b.example", "a.example", None, "a.example", None, "b.example", "a.example/page", "a.example/page", None,
        "xn--caf-dma.example",
    ]  # fmt: skip
    assert [row["problem"] is not None for row in rows] == [False, False, True, False, True] + [False] * 3 + [
        True,
        False,
    ]
    assert all(row["state"] is None for row in rows if row["problem"])
    assert all(row["state"] == State.WAITING for row in rows if not row["problem"])


def test_what_is_the_same_is_asked_once_in_the_order_and_spelling_of_its_first_row(store):
    journal = opened(store, INPUTS, ["segment", "categorize"])
    tasks = journal.waiting(0, 100)
    assert [task.target for task in tasks if task.place == 0] == [
        "b.example", "https://www.A.example/", "a.example/page?utm_source=x", "café.example"]  # fmt: skip
    assert [task.target for task in tasks if task.place == 1] == ["b.example", "https://www.A.example/", "café.example"]
    assert [task.id for task in tasks] == sorted(task.id for task in tasks)
    assert journal.unreadable() == 3
    assert stand(journal, 0).waiting == 4
    assert stand(journal, 1).waiting == 3


def test_duplicates_share_an_answer_however_far_apart_they_are(store):
    inputs = [f"a{number % 4000}.example" for number in range(12_000)]
    journal = opened(store, inputs)
    tasks = journal.waiting(0, 20_000)
    assert len(tasks) == 4000
    journal.record([answered(journal, tasks[7])], spent=1, sent=1, seconds=1)
    assert [row["position"] for row in results(journal) if row["body"]] == [7, 4007, 8007]


def test_a_run_of_nothing_has_no_rows(store):
    journal = opened(store, [])
    assert (journal.rows, results(journal), journal.waiting(0, 10)) == (0, [], [])
    assert stand(journal) == Standing()


def test_rows_can_be_had_in_parts(store):
    journal = opened(store, [f"a{number}.example" for number in range(10)])
    assert [row["position"] for row in results(journal, 0, 3, 6)] == [3, 4, 5]
    assert [row["position"] for row in results(journal, 0, 8)] == [8, 9]


def test_a_question_about_the_domain_has_one_answer_for_its_pages(store):
    journal = opened(store, ["a.example/one", "a.example/two", "b.example"], "categorize")
    first, _ = journal.waiting(0, 10)
    call, received, source = came(journal.questions[0], first.target, body={"categories": []})
    journal.record([Entry(first, State.ANSWERED, 200, None, call, received, source)], spent=1, sent=1, seconds=1)
    assert [row["asked"] for row in results(journal)] == ["a.example", "a.example", None]


# Going on -----------------------------------------------------------------------------------------------------------


def test_the_same_inputs_and_questions_go_on(store):
    first = opened(store, INPUTS)
    again = opened(store, iter(INPUTS))
    assert (again.run, again.resumed, again.rows) == (first.run, True, len(INPUTS))
    assert not first.resumed
    assert select(store, "SELECT count(*) FROM run") == [(1,)]
    assert select(store, "SELECT count(*) FROM row") == [(len(INPUTS),)]
    assert select(store, "SELECT count(*) FROM task") == [(4,)]


OTHERS = {
    "another order": {"targets": ["b.example", "a.example"]},
    "one more": {"targets": ["a.example", "b.example", "c.example"]},
    "one twice": {"targets": ["a.example", "b.example", "b.example"]},
    "another spelling": {"targets": ["a.example", "www.b.example"]},
    "two joined into one": {"targets": ["a.example\nb.example"]},
    "another question": {"ask": "categorize"},
    "one more question": {"ask": ["segment", "categorize"]},
    "another option": {"options": {"segment": {"format": "legacy"}}},
}


@pytest.mark.parametrize("what", list(OTHERS))
def test_other_inputs_or_questions_do_not_go_on(store, what):
    given = {"targets": ["a.example", "b.example"]}
    first = opened(store, **given)
    other = opened(store, **{**given, **OTHERS[what]})
    assert other.run != first.run
    assert not other.resumed


def test_another_service_does_not_go_on(store):
    first = opened(store, ["a.example"])
    other = Journal(store, questions_of("segment"), ["https://other.stub.example"])
    other.open(["a.example"])
    assert other.run != first.run


def test_a_finished_run_does_not_go_on_unless_its_failures_are_sent_again(store):
    first = opened(store, ["a.example"])
    hold(first)
    [task] = first.waiting(0, 10)
    first.record([Entry(task, State.FAILED, 500, "no")], spent=0, sent=1, seconds=1)
    first.let_go()
    second = opened(store, ["a.example"])
    assert second.run != first.run
    hold(second)
    second.record([answered(second, second.waiting(0, 10)[0])], spent=1, sent=1, seconds=1)
    second.let_go()
    first.retry()
    assert opened(store, ["a.example"]).run == first.run


def test_a_run_with_something_left_or_a_reason_to_stop_is_not_finished(store):
    first = opened(store, ["a.example"])
    hold(first)
    first.let_go()
    assert opened(store, ["a.example"]).run == first.run
    hold(first)
    first.record([answered(first, first.waiting(0, 10)[0])], spent=1, sent=1, seconds=1)
    first.let_go(reason="the key was refused (401)")
    assert opened(store, ["a.example"]).run == first.run


def test_inputs_that_cannot_be_read_to_the_end_leave_nothing(store):
    def targets():
        yield from (f"a{number}.example" for number in range(6000))
        raise errors.InputError("line 6001 is odd")

    with pytest.raises(errors.InputError, match="line 6001 is odd"):
        opened(store, targets())
    for table in ("run", "row", "task", "asked"):
        assert select(store, f"SELECT count(*) FROM {table}") == [(0,)]  # noqa: S608 - names above


def test_what_a_killed_process_left_while_it_read_its_inputs_is_swept(store, started):
    process = started("die")
    assert process.wait(30) == -signal.SIGKILL
    assert select(store, "SELECT state FROM run") == [("reading",)]
    assert select(store, "SELECT count(*) FROM row") == [(10_000,)]
    journal = opened(store, ["b.example"])
    assert select(store, "SELECT id, state FROM run") == [(journal.run, "open")]
    assert select(store, "SELECT DISTINCT run FROM row UNION SELECT run FROM task UNION SELECT run FROM asked") == [
        (journal.run,)
    ]


def test_what_a_living_process_is_reading_is_left_alone(store, started):
    process = started("pause")
    assert process.stdout.readline() == "reading\n"
    opened(store, ["b.example"])
    process.stdin.write("\n")
    process.stdin.flush()
    run, rows = map(int, process.stdout.readline().split())
    assert rows == 11_000
    assert select(store, "SELECT count(*) FROM row WHERE run = ?", run) == [(11_000,)]


def test_what_a_thread_of_this_process_is_reading_is_left_alone(store):
    reading, go_on, found = threading.Event(), threading.Event(), []

    def targets():
        yield "a.example"
        reading.set()
        go_on.wait(20)

    thread = threading.Thread(target=lambda: found.append(opened(store, targets())))
    thread.start()
    assert reading.wait(20)
    opened(store, ["b.example"])
    go_on.set()
    thread.join()
    assert [row["given"] for row in results(found[0])] == ["a.example"]


# Who is at it -------------------------------------------------------------------------------------------------------


def test_a_run_is_held_once_in_a_process(store):
    one, other = (opened(store, ["a.example"]) for _ in range(2))
    hold(one)
    with pytest.raises(errors.ConfigurationError) as caught:
        hold(other)
    assert str(caught.value) == (
        f"This run is under way already in process {journal_module._own_name()}. "
        "Wait for it, or stop it there; then ask again."
    )
    one.let_go()
    hold(other)
    other.let_go()


def test_other_runs_of_the_file_are_free(store):
    one, other = opened(store, ["a.example"]), opened(store, ["b.example"])
    hold(one)
    hold(other)
    one.let_go()
    other.let_go()


def test_a_run_that_another_process_is_at_is_not_held(store, started):
    process = started("hold")
    run, _ = map(int, process.stdout.readline().split())
    journal = opened(store, ["a.example", "b.example"])
    assert journal.run == run
    with pytest.raises(errors.ConfigurationError) as caught:
        hold(journal)
    assert f"in process {socket.gethostname()}:{process.pid}." in str(caught.value)
    process.communicate("\n", timeout=30)
    hold(journal)
    journal.let_go()


def test_a_run_of_a_process_that_died_is_taken_over_and_what_it_had_sent_is_known(store, started):
    process = started("hold")
    process.stdout.readline()
    process.kill()
    process.wait(30)
    journal = opened(store, ["a.example", "b.example"])
    assert journal.resumed
    assert (hold(journal, {"segment": 3}), journal.spent()) == (6, 6)
    assert [(task.target, task.attempts) for task in journal.waiting(0, 10)] == [("a.example", 1), ("b.example", 1)]
    assert select(store, "SELECT holder FROM run") == [(journal_module._own_name(),)]
    journal.let_go()
    assert select(store, "SELECT holder FROM run") == [(None,)]
    assert hold(journal, {"segment": 3}) == 6
    journal.let_go()


def test_a_process_of_another_machine_holds_while_it_is_heard_of(monkeypatch):
    moment = 10**15
    monkeypatch.setattr(journal_module, "now", lambda: moment)
    is_held = journal_module._is_held
    assert is_held("another-machine:1", moment - 119_000_000)
    assert not is_held("another-machine:1", moment - 121_000_000)
    assert not is_held(None, moment)
    assert not is_held(journal_module._own_name(), moment)
    assert is_held(f"{socket.gethostname()}:1", 0)


# Where tasks stand --------------------------------------------------------------------------------------------------

#: Stored answers of a target, newest last, as status and age in hours; whether the newest is fresh, None for none.
STORED = {
    "nothing": ([], None),
    "fresh": ([(200, 1)], True),
    "nearly stale": ([(200, 47.9)], True),
    "stale": ([(200, 48.1)], False),
    "fresh failure": ([(411, 23.9)], True),
    "stale failure": ([(410, 24.1)], False),
    "fresh after stale": ([(200, 100), (200, 2)], True),
    "stale failure after an answer that would be fresh": ([(200, 40), (411, 30)], False),
    "fresh failure after an answer": ([(200, 5), (411, 3)], True),
    "answer after a failure": ([(411, 30), (200, 28)], True),
}


@pytest.fixture
def standing_journal(store):
    """A run of one target for each of `STORED`, and one more in each state that a task can have."""
    targets = [f"s{number}.example" for number in range(len(STORED))]
    for target, (answers, _) in zip(targets, STORED.values(), strict=True):
        for status, age in answers:
            keep(store, target, status=status, age=age)
    keep(store, "s1.example", ask="categorize")  # of another question
    journal = opened(store, [*targets, "sent.example", "answered.example", "read.example", "failed.example", "odd one"])
    tasks = {task.target: task for task in journal.waiting(0, 100)}
    journal.send([tasks["sent.example"]])
    keep(store, "sent.example")
    journal.record(
        [
            answered(journal, tasks["answered.example"]),
            answered(journal, tasks["read.example"], status=411),
            Entry(tasks["failed.example"], State.FAILED, 500, "no"),
        ],
        spent=2,
        sent=3,
        seconds=1.5,
    )
    return journal


FRESH = sum(is_fresh is True for _, is_fresh in STORED.values())
STALE = sum(is_fresh is False for _, is_fresh in STORED.values())


@pytest.mark.parametrize(
    ("options", "fresh", "stale", "to_send"),
    [
        ({}, FRESH + 1, STALE, len(STORED) - FRESH),
        ({"stale": True}, FRESH + 1 + STALE, 0, len(STORED) - FRESH - STALE),
        ({"refresh": True}, 0, 0, len(STORED) + 1),
    ],
)
def test_standing_counts_as_one_counts_by_hand(standing_journal, options, fresh, stale, to_send):
    assert stand(standing_journal, **options) == Standing(
        answered=2,
        stored=0,
        failed=1,
        fresh=fresh,
        stale=stale,
        waiting=len(STORED) + 1,
        to_send=to_send,
        total=len(STORED) + 4,
    )


@pytest.mark.parametrize("stale", [False, True])
def test_stored_answers_are_used_as_the_standing_said_before(standing_journal, stale):
    before = stand(standing_journal, stale=stale)
    assert use_stored(standing_journal, stale=stale) == before.fresh
    after = stand(standing_journal, stale=stale)
    assert after.stored == before.fresh
    assert (after.waiting, after.to_send) == (before.to_send, before.to_send)
    assert (after.answered, after.failed) == (before.answered, before.failed)
    assert use_stored(standing_journal, stale=stale) == 0


def test_the_newest_stored_answer_is_used_if_it_is_fresh(standing_journal):
    use_stored(standing_journal)
    rows = {row["given"]: row for row in results(standing_journal)}
    for number, (answers, is_fresh) in enumerate(STORED.values()):
        row = rows[f"s{number}.example"]
        assert row["state"] == (State.STORED if is_fresh else State.WAITING)
        if is_fresh:
            status, age = answers[-1]
            assert row["status"] == status
            moment = (datetime.now(UTC) - timedelta(hours=age)).timestamp()
            assert abs(row["fetched_at"] / 1e6 - moment) < 300
        else:
            assert row["body"] is None


def test_what_a_run_uses_is_what_a_single_ask_would_be_served(store, standing_journal):
    question = standing_journal.questions[0]
    use_stored(standing_journal)
    for row in results(standing_journal)[: len(STORED)]:
        found = store.find(question.call(row["given"]), SERVICE)
        assert (found is not None) == (row["state"] == State.STORED)
        assert found is None or found.fetched_at.timestamp() == pytest.approx(row["fetched_at"] / 1e6, abs=1e-5)


def test_ages_of_the_store_count_per_endpoint(tmp_path):
    fresh = Freshness(answers=1, failures=2, endpoints={"segment": 10})
    with Store(tmp_path / "answers.db", fresh=fresh) as store:
        for target, status, age in (("a.example", 200, 9), ("b.example", 200, 11), ("c.example", 411, 3)):
            keep(store, target, status=status, age=age)
            keep(store, target, ask="categorize", status=status, age=age)
        journal = opened(store, ["a.example", "b.example", "c.example"], ["segment", "categorize"])
        assert [(stand(journal, place).fresh, stand(journal, place).stale) for place in (0, 1)] == [(1, 2), (0, 3)]
        assert use_stored(journal) == 1
        assert stand(journal, 1).stored == 0


def test_an_answer_to_another_question_is_not_used(store):
    keep(store, "a.example", ask="categorize_content")
    journal = opened(store, ["a.example"])
    assert stand(journal).fresh == 0
    assert use_stored(journal, stale=True) == 0


def test_counts_agree_with_a_simple_model_of_tasks(store):
    rng = random.Random(17)  # noqa: S311 - no secrets
    targets = [f"a{number}.example" for number in range(120)]
    journal = opened(store, targets)
    tasks, model = journal.waiting(0, 200), dict.fromkeys(range(120), State.WAITING)
    for _ in range(60):
        chosen = rng.sample(range(120), rng.randrange(1, 9))
        match rng.choice(["send", "unsend", "answer", "fail", "retry"]):
            case "send":
                chosen = [number for number in chosen if model[number] in {State.WAITING, State.SENT}]
                journal.send([tasks[number] for number in chosen])
                model.update(dict.fromkeys(chosen, State.SENT))
            case "unsend":
                journal.unsend([tasks[number] for number in chosen])
                model.update({number: State.WAITING for number in chosen if model[number] == State.SENT})
            case "answer":
                journal.record([answered(journal, tasks[n]) for n in chosen], spent=0, sent=0, seconds=0)
                model.update(dict.fromkeys(chosen, State.ANSWERED))
            case "fail":
                entries = [Entry(tasks[number], State.FAILED, 500, "no") for number in chosen]
                journal.record(entries, spent=0, sent=0, seconds=0)
                model.update(dict.fromkeys(chosen, State.FAILED))
            case "retry":
                failed = [number for number, state in model.items() if state == State.FAILED]
                journal.retry()
                model.update(dict.fromkeys(failed, State.WAITING))
        states = list(model.values())
        stands = stand(journal, refresh=True)
        assert (stands.answered, stands.failed) == (states.count(State.ANSWERED), states.count(State.FAILED))
        assert stands.waiting == states.count(State.WAITING) + states.count(State.SENT) == stands.to_send
        assert [row["state"] for row in results(journal)] == states
        left = [number for number, state in model.items() if state in {State.WAITING, State.SENT}]
        assert [task.target for task in journal.waiting(0, 200)] == [targets[n] for n in left]


# What is written ----------------------------------------------------------------------------------------------------


def test_what_came_is_written_with_where_the_run_stands(store):
    journal = opened(store, ["a.example", "b.example", "c.example"])
    one, two, three = journal.waiting(0, 10)
    entries = [
        answered(journal, one, cost=3),
        answered(journal, two, status=411),
        Entry(three, State.FAILED, None, "cut"),
    ]
    journal.record(entries, spent=3, sent=4, seconds=2.0)
    rows = results(journal)
    assert [(row["state"], row["status"], row["error"]) for row in rows] == [
        (State.ANSWERED, 200, None), (State.ANSWERED, 411, None), (State.FAILED, None, "cut")]  # fmt: skip
    assert (rows[0]["credits"], rows[0]["request_id"], rows[0]["asked"]) == (3, "r-a.example", "a.example")
    assert [kept.normal for kept in store.answers()] == ["a.example", "b.example"]
    assert journal.spent() == 3
    assert journal.rate() == 2.0
    assert journal.without_answer() == {"segment 411": 1, "segment no answer": 1}


def test_what_came_is_written_as_a_whole_or_not_at_all(store):
    journal = opened(store, ["a.example", "b.example"])
    one, two = journal.waiting(0, 10)
    broken = Entry(two, State.FAILED, 500, object())
    with pytest.raises((errors.StoreError, sqlite3.Error)):
        journal.record([answered(journal, one), broken], spent=9, sent=2, seconds=1)
    assert store.count() == 0
    assert journal.spent() == 0
    assert stand(journal).waiting == 2


def test_failures_wait_again(store):
    journal = opened(store, [f"a{number}.example" for number in range(4)])
    tasks = journal.waiting(0, 10)
    journal.send(tasks)
    statuses = [500, 503, None]
    failed = [Entry(task, State.FAILED, status, "no") for task, status in zip(tasks, statuses, strict=False)]
    journal.record([*failed, answered(journal, tasks[3])], spent=0, sent=4, seconds=1)
    assert stand(journal).failed == 3
    journal.retry()
    assert [(task.target, task.attempts) for task in journal.waiting(0, 10)] == [
        (f"a{number}.example", 0) for number in range(3)
    ]


def test_tasks_are_given_out_in_parts(store):
    journal = opened(store, [f"a{number}.example" for number in range(10)])
    first = journal.waiting(0, 4)
    second = journal.waiting(first[-1].id, 100)
    assert [task.target for task in (*first, *second)] == [f"a{number}.example" for number in range(10)]


# Prices, rates and accounts -----------------------------------------------------------------------------------------


def test_prices_are_learnt_from_answers_of_the_same_question(store):
    journal = opened(store, ["a.example"], ["segment", "categorize"])
    assert journal.price(0) is None
    for number, cost in enumerate((2, 5, 2)):
        keep(store, f"b{number}.example", cost=cost)
    keep(store, "c.example", status=411, cost=99)
    keep(store, "d.example", cost=None)
    keep(store, "e.example", ask="categorize_content", cost=77)
    assert journal.price(0) == Price(2, 3.0, 5)
    assert journal.price(1) is None


def test_prices_are_learnt_from_the_newest_answers(store):
    keep(store, "old.example", cost=1000)
    question = questions_of("segment")[0]
    call, received, source = came(question, "a.example", cost=2)
    number = store.question_of(SERVICE, call.endpoint, call.parameters)
    with store.database.writing() as connection:
        for _ in range(500):
            store.insert(connection, number, call, received, source, 200)
    assert opened(store, ["a.example"]).price(0) == Price(2, 2.0, 2)


def test_the_rate_is_that_of_the_last_runs_of_the_same_service(store):
    assert opened(store, ["z.example"]).rate() is None
    for number, (sent, seconds) in enumerate([(1000, 1.0), (10, 5.0), (20, 5.0), (30, 5.0)]):
        opened(store, [f"a{number}.example"]).record([], spent=0, sent=sent, seconds=seconds)
    assert opened(store, ["y.example"]).rate() == 4.0
    other = Journal(store, questions_of("segment"), ["https://other.stub.example"])
    other.open(["a.example"])
    assert other.rate() is None


def test_the_account_is_as_it_was_last_said(store):
    journal = opened(store, ["a.example"])
    assert journal.remaining() is None
    for remaining in (90, 80):
        hold(journal)
        journal.let_go(remaining)
    assert journal.remaining() == 80
    assert opened(store, ["b.example"]).remaining() == 80
