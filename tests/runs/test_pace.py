"""The pace: how many requests may be open, whatever the service says and in whatever order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.interface import errors
from toolkit.net.connection import MOST_OPEN
from toolkit.runs.pace import Pace

MOST = st.integers(1, MOST_OPEN)
#: An answer, or a 429: seconds since the last event, how long ago its request was sent, and seconds to wait.
EVENTS = st.lists(
    st.one_of(st.none(), st.tuples(st.floats(0, 10), st.floats(0, 30), st.floats(0, 200))),
    max_size=60,
)


def played(pace, events):
    """Let events happen, and yield after each."""
    now = 0.0
    for event in events:
        if event is None:
            pace.went_well()
        else:
            passed, ago, wait = event
            now += passed
            pace.slow_down(now - ago, now, wait)
        yield now


@given(MOST, EVENTS)
def test_the_limit_is_always_from_one_to_the_most(most, events):
    pace = Pace(most)
    assert 1 <= pace.limit <= most
    for _ in played(pace, events):
        assert 1 <= pace.limit <= most
        assert isinstance(pace.limit, int)


@given(MOST, EVENTS)
def test_the_time_to_go_on_never_goes_back(most, events):
    pace, earlier = Pace(most), 0.0
    for _ in played(pace, events):
        assert pace.resumes_at >= earlier
        earlier = pace.resumes_at


@given(MOST, EVENTS)
def test_an_answer_never_lowers_the_limit_and_a_complaint_never_raises_it(most, events):
    pace = Pace(most)
    before = pace.limit
    for event, _ in zip(events, played(pace, events), strict=True):
        assert pace.limit >= before if event is None else pace.limit <= before
        before = pace.limit


@given(MOST, EVENTS)
def test_a_complaint_never_takes_more_than_half(most, events):
    pace = Pace(most)
    before = pace.limit
    for _ in played(pace, events):
        assert pace.limit >= before // 2
        before = pace.limit


@given(MOST, EVENTS)
def test_answers_bring_the_limit_to_the_most_after_anything(most, events):
    pace = Pace(most)
    for _ in played(pace, events):
        pass
    for _ in range(most * (most + 1) // 2 + most if most < 40 else 0):
        pace.went_well()
    if most < 40:
        assert pace.limit == most


@given(st.integers(2, MOST_OPEN), st.lists(st.floats(0, 10), min_size=1, max_size=50))
def test_complaints_of_one_moment_halve_once(most, sent):
    pace = Pace(most)
    for _ in range(most):
        pace.went_well()
    for number, sent_at in enumerate(sent):
        pace.slow_down(sent_at, 10.0 + number, 1.0)
    assert pace.limit == max(most // 2, 1)


def test_a_complaint_about_a_request_sent_after_the_halving_halves_again():
    pace = Pace(8)
    assert pace.limit == 8
    pace.slow_down(sent_at=1.0, now=2.0, wait=1.0)
    pace.slow_down(sent_at=2.0, now=2.5, wait=1.0)
    assert pace.limit == 4
    pace.slow_down(sent_at=2.1, now=3.0, wait=1.0)
    assert pace.limit == 2


def test_it_begins_with_a_few_and_doubles_with_each_round():
    pace = Pace(500)
    first = pace.limit
    assert 1 <= first <= 100
    for times in (2, 4):
        for _ in range(pace.limit):
            pace.went_well()
        assert pace.limit == times * first


def test_after_a_complaint_a_round_of_answers_adds_one():
    pace = Pace(100)
    for _ in range(100):
        pace.went_well()
    pace.slow_down(1.0, 2.0, 1.0)
    assert pace.limit == 50
    for _ in range(51):
        pace.went_well()
    assert pace.limit == 51
    for _ in range(52):
        pace.went_well()
    assert pace.limit == 52


def test_a_short_wait_does_not_shorten_a_long_one():
    pace = Pace(8)
    pace.slow_down(1.0, 2.0, 60.0)
    pace.slow_down(1.5, 3.0, 1.0)
    assert pace.resumes_at == 62.0


@given(MOST, EVENTS, MOST, EVENTS)
def test_another_most_holds_from_then_on(most, before, other, after):
    pace = Pace(most)
    for _ in played(pace, before):
        pass
    pace.resize(other)
    assert 1 <= pace.limit <= other
    for _ in played(pace, after):
        assert 1 <= pace.limit <= other


@pytest.mark.parametrize("most", [1, 5, 8])
def test_it_begins_with_no_more_than_the_most(most):
    assert Pace(most).limit == most


@pytest.mark.parametrize("most", [0, -1, MOST_OPEN + 1, 2.5, "50", True, None])
def test_what_is_no_number_of_requests_is_refused(most):
    with pytest.raises(errors.InputError) as caught:
        Pace(most)
    assert str(caught.value) == f"concurrency is {most!r}. Give a whole number from 1 to 1,000."
