"""The garbage collector rests while a page is read, and works again afterwards."""

import gc
import threading

import pytest
from written_pages import segmented

from toolkit.service.collector import uncollected


@pytest.fixture(autouse=True)
def working():
    assert gc.isenabled()
    yield
    gc.enable()


def test_it_works_again_after_an_error():
    with pytest.raises(ZeroDivisionError), uncollected():
        _ = 1 / gc.isenabled()
    assert gc.isenabled()


def test_it_works_again_whichever_of_two_threads_leaves_first():
    for first_leaves_first in (True, False):
        inside, leave = threading.Event(), threading.Event()

        def second(inside=inside, leave=leave):
            with uncollected():
                inside.set()
                assert leave.wait(10)

        thread = threading.Thread(target=second)
        with uncollected():
            thread.start()
            assert inside.wait(10)
            if not first_leaves_first:
                leave.set()
                thread.join(10)
        leave.set()
        thread.join(10)
        assert gc.isenabled()


def test_one_that_is_off_stays_off():
    gc.disable()
    with uncollected():
        pass
    assert not gc.isenabled()


def test_a_page_leaves_it_as_it_was():
    segmented("Kites", "A kite is held by its line, and the wind does the rest of what anybody ever has to do.")
    assert gc.isenabled()
