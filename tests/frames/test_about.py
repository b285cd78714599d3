"""What a finding is about."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolkit as tk
from toolkit.frames.about import about, answered, site_of
from toolkit.interface.errors import InputError


def test_sample_run_is_about_its_answered_sites():
    run = tk.sample_run()
    found = about(run.codes(), run.audiences())
    assert (found["sites"], found["failed"], found["vocabularies"]) == (62, 6, ["1.2"])
    assert found["first"] == found["last"] == f"{run.codes()['fetched_at'].max():%Y-%m-%d}"


def test_site_that_failed_in_one_frame_and_answered_in_another_has_not_failed():
    bad = pd.DataFrame({"target": ["a.example", "b.example"], "error": ["no", "no"]})
    good = pd.DataFrame({"target": ["a.example"], "error": [None]})
    assert {name: about(bad, good)[name] for name in ("sites", "failed")} == {"sites": 1, "failed": 1}


def test_sites_that_count_can_be_named():
    assert about(pd.DataFrame({"target": ["a.example"]}), sites=["x", "y", "y"])["sites"] == 2


def test_nothing_has_no_dates():
    assert about(pd.DataFrame({"target": pd.Series(dtype="str")}))["first"] is None


def test_site_is_the_normal_form_or_else_the_target():
    frame = pd.DataFrame({"target": ["WWW.A.example", "my shop"], "normal": ["a.example", None]})
    assert site_of(frame).tolist() == ["a.example", "my shop"]
    with pytest.raises(InputError, match="no column 'target'"):
        site_of(pd.DataFrame({"site": []}))


def test_answered_rows_are_those_without_an_error():
    frame = pd.DataFrame({"target": ["a", "b"], "error": [None, "no"]})
    assert answered(frame)["target"].tolist() == ["a"]
    assert answered(frame[["target"]])["target"].tolist() == ["a", "b"]


ROWS = st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans()), max_size=12)


@given(ROWS, ROWS, st.none() | st.lists(st.sampled_from("abcxy")))
def test_sites_and_failures_are_those_counted_one_by_one(first, second, sites):
    frames = [
        pd.DataFrame(
            {"target": [name for name, _ in rows], "error": ["no" if bad else None for _, bad in rows]}
        ).astype("str")
        for rows in (first, second)
    ]
    good = {name for name, bad in [*first, *second] if not bad}
    bad = {name for name, bad in [*first, *second] if bad}
    found = about(*frames, sites=sites)
    assert (found["sites"], found["failed"]) == (len(good if sites is None else set(sites)), len(bad - good))
