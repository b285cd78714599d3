"""A program ends as it means to, whatever the embedded service is at; `tests/benchmarks/ends.py` ends a hundred."""

import pytest
from ending import WAYS, end_one

WORK = ["segment", "batch", "run"]
ENDS = [(way, WORK[(place + turn) % 3], (2 + place) / 4) for turn in (0, 1) for place, way in enumerate(WAYS)]


@pytest.mark.parametrize(("way", "work", "moment"), ENDS[:13], ids=lambda part: f"{part}")
def test_a_program_ends_in_the_middle_of_the_services_work(way, work, moment):
    assert end_one(way, work, moment).problem == ""
