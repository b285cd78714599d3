"""The budget: a ceiling that holds whatever the order in which requests are sent and answered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.interface import errors
from toolkit.runs.budget import Budget, Price

PRICES = st.dictionaries(st.sampled_from(["segment", "categorize", "enrich"]), st.integers(0, 7), min_size=1)
#: Which endpoint is tried, which of the open requests is settled, and what part of its price it cost; None: unknown.
STEPS = st.lists(
    st.tuples(st.integers(0, 2), st.booleans(), st.integers(0, 99), st.none() | st.floats(0, 1), st.booleans()),
    max_size=80,
)


@given(st.integers(0, 40), PRICES, STEPS)
def test_what_is_spent_and_held_never_exceeds_the_ceiling_for_known_prices(ceiling, prices, steps):
    budget, under_way = Budget(ceiling, dict(prices)), []
    names = sorted(prices)
    spent = 0
    for which, is_answer, one, part, answered in steps:
        if is_answer and under_way:
            endpoint, held = under_way.pop(one % len(under_way))
            cost = None if part is None else int(prices[endpoint] * part)
            budget.settle(endpoint, held, cost, answered=answered)
            spent += prices[endpoint] if cost is None else cost
        else:
            endpoint = names[which % len(names)]
            held = budget.hold(endpoint)
            if held is None:
                assert budget.spent + budget.held + prices[endpoint] > ceiling
            else:
                under_way.append((endpoint, held))
        assert budget.spent + budget.held <= ceiling
        assert budget.spent == spent
        assert budget.held == sum(held for _, held in under_way)
        assert budget.prices == prices
        assert budget.is_waiting == (budget.held > 0)
    for endpoint, held in under_way:
        budget.settle(endpoint, held, 0, answered=False)
    assert budget.held == 0
    assert not budget.is_waiting


@given(st.integers(1, 40), STEPS, st.integers(0, 7))
def test_a_request_of_unknown_price_goes_alone_until_its_answer_tells(ceiling, steps, price):
    budget, under_way = Budget(ceiling), []
    for which, is_answer, one, part, _ in steps:
        if is_answer and under_way:
            endpoint, held = under_way.pop(one % len(under_way))
            budget.settle(endpoint, held, None if part is None else price, answered=part is not None)
        else:
            endpoint = ("segment", "categorize", "enrich")[which]
            is_unknown = endpoint not in budget.prices
            held = budget.hold(endpoint)
            if held is not None:
                assert not budget.probing - {endpoint}
                if is_unknown:
                    assert budget.held == 0
                    assert all(budget.prices[other] == 0 for other, _ in under_way)
                under_way.append((endpoint, held))
        assert len(budget.probing) <= 1
        # Only the answer that tells a price can cost more than is left.
        assert budget.spent + budget.held <= ceiling - 1 + max(price, 1)


def test_an_unknown_price_is_learnt_from_the_first_answer():
    budget = Budget(10)
    assert budget.hold("segment") == 0
    assert budget.is_waiting
    assert budget.hold("segment") is None
    assert budget.hold("categorize") is None
    budget.settle("segment", 0, 4, answered=True)
    assert (budget.spent, budget.prices) == (4, {"segment": 4})
    assert budget.hold("segment") == 4
    assert budget.hold("segment") is None
    assert budget.is_waiting


def test_a_probe_that_failed_lets_the_next_one_go():
    budget = Budget(10)
    budget.hold("segment")
    budget.settle("segment", 0, None, answered=False)
    assert budget.prices == {}
    assert budget.hold("segment") == 0


def test_the_price_of_a_failure_is_no_price_of_an_answer():
    budget = Budget(10, {"segment": 3})
    budget.settle("segment", budget.hold("segment"), 0, answered=False)
    assert budget.prices == {"segment": 3}


def test_the_highest_price_counts():
    budget = Budget(100, {"segment": 3})
    for cost in (2, 5, 1):
        budget.settle("segment", budget.hold("segment"), cost, answered=True)
    assert budget.prices == {"segment": 5}
    assert budget.spent == 8


def test_what_is_not_known_to_be_free_is_counted_as_charged():
    budget = Budget(10, {"segment": 3})
    budget.settle("segment", budget.hold("segment"), None, answered=False)
    assert budget.spent == 3


def test_without_a_ceiling_everything_goes_and_is_counted():
    budget = Budget()
    assert [budget.hold("segment") for _ in range(3)] == [0, 0, 0]
    for cost in (1, None, 2):
        budget.settle("segment", 0, cost, answered=True)
    assert budget.spent == 1 + 1 + 2
    assert not budget.is_waiting


@pytest.mark.parametrize(("prices", "held"), [({}, None), ({"segment": 1}, None), ({"segment": 0}, 0)])
def test_a_ceiling_of_nothing_lets_only_what_is_free_go(prices, held):
    assert Budget(0, prices).hold("segment") == held


def test_prices_that_were_given_are_not_replaced_by_those_seen_before():
    budget = Budget(10, {"segment": 2})
    budget.learn({"segment": Price(1, 5.0, 9), "enrich": Price(1, 2.0, 3)})
    assert budget.prices == {"segment": 2, "enrich": 3}


@pytest.mark.parametrize("ceiling", [-1, 1.5, "10", True])
def test_a_ceiling_that_is_none_is_refused(ceiling):
    with pytest.raises(errors.InputError) as caught:
        Budget(ceiling)
    assert str(caught.value) == f"The budget is {ceiling!r}. Give a whole number of credits, from 0."


@pytest.mark.parametrize("price", [-1, 1.5, "10", False])
def test_a_price_that_is_none_is_refused(price):
    with pytest.raises(errors.InputError) as caught:
        Budget(10, {"segment": price})
    assert str(caught.value) == f"The price of segment is {price!r}. Give a whole number of credits, from 0."
