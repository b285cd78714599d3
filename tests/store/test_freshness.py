"""Freshness: how old a stored answer may be, by default, per endpoint and per call."""

import json
import sqlite3
from contextlib import closing, suppress
from datetime import timedelta

import pytest
from cases import every
from hypothesis import given
from hypothesis import strategies as st

import toolkit as tk
from toolkit.interface import errors
from toolkit.store.answers import Store
from toolkit.store.freshness import STORED_ENDPOINTS, Freshness, age_of

ASK = {
    "segment": (lambda client: client.segment("a.example"), {"status": 200, "demographics": {}}),
    "categorize": (lambda client: client.categorize("a.example"), {"status": 200, "categories": []}),
    "categorize_content": (
        lambda client: client.categorize_content("a.example"),
        {"status": 200, "std_classification": []},
    ),
    "enrich": (lambda client: client.enrich("a.example"), {"status": 200, "company": {}}),
}
of_every_endpoint = pytest.mark.parametrize("name", list(ASK))
SHORTLY = timedelta(minutes=1)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "answers.db"


def grow_older(path, age):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE answer SET fetched_at = fetched_at - ?", (age // timedelta(microseconds=1),))
        connection.commit()


def is_served(stub, path, name, age, *, fresh=None, body=None):
    """Tell whether an answer of an age is served without a request."""
    ask, answer = ASK[name]
    stub.again().reply(200, body or answer)
    with Store(path, fresh=fresh) as store, stub.client(store=store) as client:
        for asked in (1, 2):
            with suppress(errors.ContentError):
                ask(client)
            if asked == 1:
                grow_older(path, age)
    return len(stub.requests) == 1


@of_every_endpoint
def test_answers_are_fresh_for_two_days(stub, path, name):
    assert is_served(stub, path, name, timedelta(hours=48) - SHORTLY)


@of_every_endpoint
def test_answers_are_stale_after_two_days(stub, path, name):
    assert not is_served(stub, path, name, timedelta(hours=48) + SHORTLY)


@pytest.mark.parametrize("code", [410, 411])
@pytest.mark.parametrize(("hours", "served"), [(24, True), (25, False), (47, False)])
def test_what_is_known_of_a_page_is_fresh_for_one_day(stub, path, code, hours, served):
    assert is_served(stub, path, "segment", timedelta(hours=hours) - SHORTLY, body={"status": code}) == served


@pytest.mark.parametrize(("hours", "body", "served"), [
    (4, {"status": 200, "b2b": {}}, True), (5, {"status": 200, "b2b": {}}, False), (1, {"status": 411}, True),
    (2, {"status": 411}, False)])  # fmt: skip
def test_in_real_time_answers_are_fresh_for_four_hours_and_failures_for_one(stub, path, hours, body, served):
    age = timedelta(hours=hours) - SHORTLY
    assert is_served(stub, path, "segment", age, fresh=Freshness.real_time(), body=body) == served


@pytest.mark.parametrize(("name", "hours", "served"), [("enrich", 700, True), ("enrich", 721, False),
                                                       ("segment", 47, True), ("segment", 49, False)])  # fmt: skip
def test_an_endpoint_may_have_an_age_of_its_own(stub, path, name, hours, served):
    fresh = Freshness(endpoints={"enrich": 24 * 30})
    assert is_served(stub, path, name, timedelta(hours=hours), fresh=fresh) == served


def test_an_age_of_an_endpoint_is_not_that_of_its_failures(stub, path):
    fresh = Freshness(failures=2, endpoints={"segment": 24 * 30})
    assert not is_served(stub, path, "segment", timedelta(hours=3), fresh=fresh, body={"status": 411})


def test_the_vocabulary_has_an_age_too(stub, path):
    stub.reply(200, {"interests": ["INT.PETS.DOGS"]})
    with Store(path, fresh=Freshness(endpoints={"filters": timedelta(days=7)})) as store:
        for days, asked in ((0, 1), (6, 1), (2, 2)):
            grow_older(path, timedelta(days=days))
            with stub.client(store=store) as client:
                client.filters()
            assert len(stub.requests) == asked


def test_the_newest_answer_decides_not_an_older_one_that_would_be_fresh(stub, path):
    stub.reply(200, {"status": 200, "demographics": {}, "edition": 1}).reply(200, {"status": 411})
    stub.reply(200, {"status": 200, "demographics": {}, "edition": 2})
    with Store(path, fresh=Freshness(answers=1000, failures=1)) as store, stub.client(store=store) as client:
        client.segment("a.example")
        with pytest.raises(errors.FetchFailedError):
            client.with_options(refresh=True).segment("a.example")
        grow_older(path, timedelta(hours=2))
        assert client.segment("a.example").raw["edition"] == 2


def test_an_age_of_a_call_wins_over_that_of_the_store(stub, path):
    stub.reply(200, {"status": 200, "demographics": {}})
    with Store(path, fresh=Freshness(answers=1, endpoints={"segment": 2})) as store, stub.client(store=store) as client:
        client.segment("a.example")
        grow_older(path, timedelta(hours=10))
        assert client.with_options(max_age=11).segment("a.example").provenance.from_cache
        assert client.with_options(max_age=timedelta(hours=11)).segment("a.example").provenance.from_cache
        assert not client.with_options(max_age=9).segment("a.example").provenance.from_cache


def test_an_age_of_a_call_holds_for_failures_too(stub, path):
    stub.reply(200, {"status": 411})
    with stub.client(store=path) as client:
        for options in ({}, {"max_age": 11}, {"max_age": 9}):
            if options == {"max_age": 11}:
                grow_older(path, timedelta(hours=10))
            with pytest.raises(errors.FetchFailedError):
                (client.with_options(**options) if options else client).segment("a.example")
    assert len(stub.requests) == 2


def test_an_age_of_nothing_asks_always(stub, path):
    stub.reply(200, {"status": 200, "demographics": {}})
    with Store(path, fresh=Freshness(answers=0)) as store, stub.client(store=store) as client:
        for _ in range(3):
            assert not client.segment("a.example").provenance.from_cache
        assert client.with_options(max_age=1).segment("a.example").provenance.from_cache
        assert [json.loads(kept.body) for kept in store.answers(history=True)] == [
            {"status": 200, "demographics": {}}
        ] * 3


def test_an_answer_of_a_clock_that_is_ahead_is_served(stub, path):
    assert is_served(stub, path, "segment", timedelta(minutes=-10))


@pytest.mark.parametrize("ahead", [timedelta(minutes=16), timedelta(hours=1), timedelta(days=400)])
@pytest.mark.parametrize("name", ["segment", "enrich"])
def test_an_answer_of_the_future_is_not_fresh(stub, path, name, ahead):
    assert not is_served(stub, path, name, -ahead)


def test_a_clock_that_went_back_costs_one_question_more_and_no_others(stub, path):
    stub.reply(200, {"demographics": {}, "status": 200})
    with stub.client(store=path) as client:
        client.segment("a.example")
        grow_older(path, -timedelta(days=1))
        assert [client.segment("a.example").provenance.from_cache for _ in range(3)] == [False, True, True]
        assert client.with_options(max_age=1).segment("a.example").provenance.from_cache
    assert len(stub.requests) == 2


def test_a_run_takes_no_answer_of_the_future_but_where_any_age_will_do(stub, path):
    stub.reply(200, {"demographics": {}, "status": 200})
    with stub.client(store=path) as client:
        client.segment("a.example")
        grow_older(path, -timedelta(days=1))
        assert client.run(["a.example"], stale=True).plan().to_send == 0
        assert client.with_options(stale=True).segment("a.example").provenance.from_cache
        assert client.run(["a.example"]).plan().to_send == 1
        assert client.with_options(max_age=1000).run(["a.example"]).plan().to_send == 1
        grow_older(path, timedelta(days=1) - timedelta(minutes=10))
        assert client.run(["a.example"]).plan().to_send == 0


def test_the_defaults_and_the_preset_are_the_advice_of_the_interface():
    assert Freshness() == Freshness(answers=48, failures=24)
    assert Freshness.real_time() == Freshness(answers=4, failures=1)
    assert [Freshness().limit(name, 200) for name in STORED_ENDPOINTS] == [timedelta(days=2)] * len(STORED_ENDPOINTS)


@given(st.timedeltas(timedelta(0), timedelta(days=36_500)))
def test_an_age_is_a_time_span_or_a_number_of_hours(age):
    assert age_of(age) == age
    assert abs(age_of(age / timedelta(hours=1)) - age) < timedelta(milliseconds=1)


@pytest.mark.parametrize("age", [-1, -0.001, timedelta(seconds=-1), 24 * 36_501, True, False])
def test_an_age_out_of_range_is_refused(age):
    with pytest.raises(errors.InputError) as caught:
        Freshness(answers=age)
    assert str(caught.value) == f"answers must be a timedelta or a number of hours from 0 to 100 years, not {age!r}."


@every("age", ["24", None, [24], float("nan"), float("inf"), 1e300])
@every("name", ["answers", "failures", "enrich"])
def test_an_age_that_is_none_is_refused_by_its_name(name, age):
    with pytest.raises(errors.InputError) as caught:
        Freshness(endpoints={name: age}) if name == "enrich" else Freshness(**{name: age})
    assert str(caught.value) == f"{name} must be a timedelta or a number of hours from 0 to 100 years, not {age!r}."


@pytest.mark.parametrize("name", ["segmnt", "submit_batch", "Segment", ""])
def test_an_age_of_what_is_not_stored_is_refused(name):
    with pytest.raises(errors.InputError) as caught:
        Freshness(endpoints={name: 24})
    assert str(caught.value) == (
        f"{name!r} is no endpoint whose answers are kept: segment, categorize, categorize_content, enrich, filters."
    )


def test_every_endpoint_that_is_stored_is_a_method_of_the_client():
    assert all(callable(getattr(tk.Client, name)) for name in STORED_ENDPOINTS)
