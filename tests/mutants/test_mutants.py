"""Whatever a service answers, it is a typed answer or an error of the toolkit, and harms itself alone: a small part.

The whole is ``python -m tests.mutants``, and ``--only SEED:INDEX`` shows one case.
"""

import pytest

from .__main__ import groups
from .campaign import Worker
from .cases import case_of
from .judge import RIGHT

SEED = 13
BODIES = 300


@pytest.fixture(scope="module")
def lines():
    worker = Worker(SEED, timeout=20.0)
    found = list(worker.chunk(range(BODIES)))
    worker.close()
    return found


def test_no_odd_answer_is_taken_for_what_it_is_not_and_none_harms_others(lines):
    wrong = [line for line in lines if line["outcome"] not in RIGHT]
    if wrong:
        pytest.fail(groups(wrong, SEED), pytrace=False)


def test_each_body_was_sent_and_judged(lines):
    judged = {line["index"] for line in lines if line["way"] in {"client", "batch"}}
    assert judged == set(range(BODIES))
    assert sum(line["way"] == "run" for line in lines) > BODIES / 4
    assert sum(line["outcome"] == "ok" for line in lines) > BODIES


def test_the_same_numbers_give_the_same_case():
    assert all(case_of(SEED, index).reply == case_of(SEED, index).reply for index in range(40) if index % 7)
