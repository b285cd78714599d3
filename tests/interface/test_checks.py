"""Checks of arguments."""

import numpy as np
import pandas as pd
import pytest

from toolkit.interface.checks import check_columns, check_number, check_one_of, check_seconds, check_whole
from toolkit.interface.errors import ConfigurationError, InputError


@pytest.mark.parametrize("value", [1, 5, np.int64(3), np.uint8(5)])
def test_whole_numbers_within_bounds_are_returned_as_ints(value):
    found = check_whole(value, "most", 1, 5)
    assert (found, type(found)) == (value, int)


@pytest.mark.parametrize(
    "value", [0, 6, 1.5, "3", None, True, np.bool_(True), np.float64(2.5), float("nan"), float("inf")]
)
def test_nothing_else_is_a_whole_number(value):
    with pytest.raises(InputError) as caught:
        check_whole(value, "most", 1, 5)
    assert str(caught.value) == f"most is {value!r}. Give a whole number from 1 to 5."


def test_the_error_and_the_advice_may_be_another():
    with pytest.raises(ConfigurationError, match=r"^attempts is -1\. Pass 4, for example\.$"):
        check_whole(-1, "attempts", 0, advice="Pass 4, for example.", error=ConfigurationError)


@pytest.mark.parametrize("value", [0, 1, 0.5, np.float32(0.5), np.int64(1)])
def test_numbers_within_bounds_are_returned_as_floats(value):
    found = check_number(value, "level", 0, 1)
    assert (found, type(found)) == (value, float)


@pytest.mark.parametrize("value", [-0.1, 2, "1", None, True, float("nan"), float("inf"), 10**400])
def test_nothing_else_is_a_number(value):
    with pytest.raises(InputError) as caught:
        check_number(value, "level", 0, 1)
    assert str(caught.value) == f"level is {value!r:.80}. Give a number from 0 to 1."


@pytest.mark.parametrize("value", [0, -1, 86_401, "5", None, True, float("nan"), float("inf")])
def test_what_is_no_number_of_seconds_is_refused(value):
    check_seconds(86_400, "wait")
    with pytest.raises(ConfigurationError) as caught:
        check_seconds(value, "wait")
    assert str(caught.value) == f"wait must be a number of seconds above 0 up to 86,400, not {value!r}."


def test_no_seconds_may_be_a_number_of_seconds_and_the_most_may_be_less():
    check_seconds(0, "wait", 60, zero=True)
    with pytest.raises(InputError, match=r"^wait must be a number of seconds from 0 up to 60, not 61\.$"):
        check_seconds(61, "wait", 60, zero=True, error=InputError)


def test_one_of_is_exact():
    check_one_of("csv", "format", ("csv", "json"))
    for value in ("pdf", None, ["csv"]):
        with pytest.raises(InputError) as caught:
            check_one_of(value, "format", ("csv", "json"))
        assert str(caught.value) == f"format must be one of 'csv', 'json', not {value!r}."


def test_columns_that_are_missing_are_named_with_what_is_there_and_what_to_pass():
    frame = pd.DataFrame({"target": [], 1: []})
    check_columns(frame, ["target"], "run.codes()")
    with pytest.raises(InputError) as caught:
        check_columns(frame, ["code", "target", "label"], "run.codes()", what="The frame of codes")
    assert str(caught.value) == "The frame of codes has no column 'code', 'label'. Pass run.codes(). It has target, 1."
    with pytest.raises(InputError, match=r"^A frame is needed, not list\. Pass run\.codes\(\)\.$"):
        check_columns([], ["code"], "run.codes()")
