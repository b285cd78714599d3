"""What is found in a run and asked further: a segment over its sites."""

import pandas as pd
import pytest

import toolkit as tk

TEXT = "any(INT.SPORTS.*, INT.TRAVEL.*) and income_level >= middle"


@pytest.mark.parametrize("planned", [False, True])
def test_a_segment_of_a_run_writes_the_sites_that_match(tmp_path, planned):
    segment = tk.sample_run().segment(TEXT, name="Active")
    plan = segment.plan(most=3) if planned else None
    paths = segment.export(tmp_path / "active.csv", plan=plan)
    written = pd.read_csv(paths[0])
    assert sorted(written["site"]) == sorted(segment.sites())
