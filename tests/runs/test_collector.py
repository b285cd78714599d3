"""The garbage collector while runs send."""

import gc

import pytest

from toolkit.runs.engine import fewer_collections


@pytest.fixture(autouse=True)
def usual():
    before = gc.get_threshold()
    yield before
    gc.set_threshold(*before)


def test_the_own_setting_is_back_only_when_the_last_of_several_has_left(usual):
    first, second = fewer_collections(), fewer_collections()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold()[0] > usual[0]
    second.__exit__(None, None, None)
    assert gc.get_threshold() == usual


def test_the_own_setting_is_back_after_an_error(usual):
    with pytest.raises(ValueError, match="broken"), fewer_collections():
        raise ValueError("broken")
    assert gc.get_threshold() == usual


@pytest.mark.parametrize("own", [(0, 10, 10), (1_000_000, 10, 10)])
def test_a_collector_that_is_off_or_rarer_stays_so(own):
    gc.set_threshold(*own)
    with fewer_collections():
        assert gc.get_threshold() == own
    assert gc.get_threshold() == own


def test_a_run_leaves_the_setting_as_it_was(usual):
    import toolkit as tk

    with tk.Client() as client:
        run = client.run(["trailhead-outfitters.example"], "segment")
        run.start(progress=False)
    assert gc.get_threshold() == usual
