"""Texts of columns as numbers: what pandas.factorize says, however the column is stored and whichever rows it has."""

import numpy as np
import pandas as pd
import pytest

from toolkit.frames.numbering import numbered, numbered_columns, numbered_lists, placed_among

TEXTS = {
    "none": [],
    "missing alone": [None, None],
    "in stretches": ["b"] * 5 + [None] * 3 + ["a"] * 4 + ["b"] * 2,
    "in any order": ["b", "a", None, "b", "", "a", "c"],
}


def parts(column):
    """Return a column as pandas joins it from several, in several pieces of memory."""
    return pd.concat([column, column.iloc[::-1], column])


@pytest.mark.parametrize("texts", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("dtype", ["str", pd.StringDtype("python", na_value=np.nan), "object"])
@pytest.mark.parametrize("made", [lambda column: column, parts], ids=["whole", "in parts"])
def test_numbers_are_those_of_pandas_whatever_the_column_is_made_of(texts, dtype, made):
    column = made(pd.Series(texts, dtype=dtype))
    number, found = numbered(column)
    expected, values = pd.factorize(column)
    assert number.tolist() == expected.tolist()
    assert found.tolist() == list(values)
    assert number.dtype == np.int32


def test_values_of_a_categorical_column_are_those_in_use_in_its_order():
    column = pd.Series(pd.Categorical(["high", None, "low", "high"], ["low", "medium", "high"], ordered=True))
    number, found = numbered(column)
    assert (number.tolist(), found.tolist()) == ([1, -1, 0, 1], ["low", "high"])


def test_columns_and_lists_are_numbered_together():
    first, second = pd.Series(["a", None, "b"], dtype="str"), pd.Series(["c", "b"], dtype="category")
    numbers, texts = numbered_columns([first, second])
    assert [[None if at < 0 else texts[at] for at in number] for number in numbers] == [["a", None, "b"], ["c", "b"]]
    (places, again), every = numbered_lists([pd.Index(["x", "y"], dtype="str"), pd.Index(["y", "z"], dtype="str")])
    assert (places.tolist(), again.tolist(), every.tolist()) == ([0, 1], [1, 2], ["x", "y", "z"])


def test_texts_are_found_among_others_and_missing_ones_are_not():
    known = pd.Index(["a", "b"], dtype="str")
    assert placed_among(pd.Index(["b", None, "c", "b"], dtype="str"), known).tolist() == [1, -1, -1, 1]
