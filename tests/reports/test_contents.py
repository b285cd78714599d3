"""What a report can hold: texts that are clean as they come in, tables, charts, and what is refused."""

import datetime as dt

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reports.made import AT, made_report

from toolkit.interface.errors import InputError
from toolkit.reports.contents import Advice, Chart, Column, Part, Series, Table


def test_texts_are_clean_as_they_come_in():
    made = made_report(title="Kites\x0b and \x00boots\ufffe", client="\u202eNorth\x07wind")
    assert (made.title, made.client) == ("Kites  and boots", "Northwind")
    table = Table("x\x00", pd.DataFrame({"a": ["b\x00", None]}), (Column("a", "A\x07"),))
    assert (table.caption, table.frame["a"].tolist()[0], table.columns[0].heading) == ("x", "b", "A")


def test_a_table_is_a_copy_and_the_callers_frame_stays():
    frame = pd.DataFrame({"label": ["a\x00", "b"], "other": [1, 2]})
    before = frame.copy(deep=True)
    table = Table("Shares", frame, (Column("label", "Value"),))
    table.frame.loc[0, "label"] = "changed"
    pd.testing.assert_frame_equal(frame, before)


def test_what_speaks_against_a_claim_is_not_told_again_to_who_reads_it_beside():
    """On a page it stood above the picture, and once more below it."""
    against = "it is not known of 36 of the 62 sites"
    part = Part("proofs", "A", "A.", notes=("Read it so.", f"What speaks against it: {against}."), against=against)
    assert part.reading == ("Read it so.",)
    assert len(part.notes) == 2
    assert Part("proofs", "A", "A.", notes=("Read it so.",)).reading == ("Read it so.",)


ONE = pd.DataFrame({"a": [1]})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Part("profile", "", "A finding"), "needs a name and a title"),
        (lambda: Part("profile", "Profile", "\x00"), "needs a name and a title"),
        (lambda: Part("pages", "Profile", "A finding"), "of must be one of"),
        (lambda: Part("profile", "Profile", "A finding", basis="guessed"), "basis must be one of"),
        (lambda: Advice("sleep", "Sleep.", "It is late."), "kind must be one of"),
        (lambda: Table("x", ONE, (Column("b", "B"),)), "has no column 'b'"),
        (lambda: Column("a", "A", "percentage"), "form must be one of"),
        (lambda: Column("a", "A", "percent", low="b"), "one end of an interval"),
        (lambda: Chart("pie", "x", ONE, "a", (Series("a", "A"),)), "kind must be one of"),
        (lambda: Chart("bars", "x", ONE.head(0), "a", (Series("a", "A"),)), "nothing to draw"),
        (lambda: Chart("slope", "x", ONE, "a", (Series("a", "A"),)), "A slope has two"),
        (lambda: Chart("bars", "x", pd.DataFrame({"a": range(13)}), "a", (Series("a", "A"),)), "Draw 12"),
        (lambda: made_report(at="today"), "must be a datetime"),
        (lambda: made_report(order=("answer", "weather")), "order must be one of"),
        (lambda: made_report(proofs=made_report().proofs * 4), "3 proofs at most"),
    ],
)
def test_contents_that_cannot_be_are_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_an_interval_stands_behind_its_value_and_what_is_missing_is_a_dash():
    frame = pd.DataFrame({"v": [0.294, None], "l": [0.1, None], "h": [0.5, None]})
    table = Table("x", frame, (Column("v", "V", "percent", "l", "h"),))
    assert table.rows() == [["29 % (10 % to 50 %)"], ["–"]]


@settings(max_examples=100)
@given(st.lists(st.floats(0, 1e6, allow_nan=False), min_size=1, max_size=5))
def test_the_axis_of_a_chart_ends_beyond_all_that_is_drawn(values):
    frame = pd.DataFrame({"label": [str(place) for place in range(len(values))], "a": values, "b": values})
    chart = Chart("bars", "x", frame, "label", (Series("a", "A"), Series("b", "B")), form="number")
    assert max(values) <= chart.top * (1 + 1e-6)
    assert chart.top <= max(max(values) * 10, 1)


def test_a_report_states_whole_seconds_without_a_zone():
    assert made_report(at=AT.replace(microsecond=7)).at == dt.datetime(2026, 11, 22, 9, 30)  # noqa: DTZ001
