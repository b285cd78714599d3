"""Integer programmes, solved in bounded time: here where that is quick, else in a process that an interrupt ends.

While the solver works it hears no interrupt, and no thread of it can be stopped: a process can. This file is also what
that process runs, so it needs nothing of the toolkit.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import tempfile
import time
from typing import Any, Final, NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

__all__ = ["Programme", "Solution", "solved"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Integers = np.ndarray[Any, np.dtype[np.int64]]

#: Seconds that the solver works here: an interrupt is heard after them at the latest.
_HERE: Final = 0.15
#: Numbers in the rules of a programme above which even its first step may take longer.
_MOST_HERE: Final = 20_000
#: Seconds that a process may need beyond its time before it is ended.
_GRACE: Final = 1.0
_TICK: Final = 0.02
_TIMED_OUT: Final = 1


class Programme(NamedTuple):
    """What is to be made least: `objective` of numbers from 0 to 1, whole where `whole` is 1, that keep the `rules`.

    `nodes` is the largest number of nodes of the search tree, None for any.
    """

    objective: Floats
    whole: Integers
    rules: list[LinearConstraint]
    nodes: int | None = None


class Solution(NamedTuple):
    """Numbers that keep the rules, or None; what is certain of the least; whether the numbers are known to have it."""

    numbers: Floats | None
    bound: float
    proven: bool


def solved(programme: Programme, until: float) -> Solution:
    """Return the best solution that is found until a time of `time.monotonic`; an interrupt is heard at once."""
    known, is_over = Solution(None, -np.inf, proven=False), False
    if sum(map(_size, programme.rules)) <= _MOST_HERE:
        known, is_over = _run(programme, _HERE)
    left = until - time.monotonic()
    if is_over or left <= 0:
        return known
    found = _apart(programme, left)
    if found is None or found.numbers is None:
        return Solution(known.numbers, max(known.bound, -np.inf if found is None else found.bound), proven=False)
    return found


def _size(rule: Any) -> int:
    return int(sparse.csr_array(rule.A).nnz)


def _run(programme: Programme, seconds: float) -> tuple[Solution, bool]:
    """Return what is found in so many seconds, and whether more of them would change nothing."""
    limits: dict[str, Any] = {"mip_rel_gap": 0, "time_limit": seconds}
    if programme.nodes is not None:
        limits["node_limit"] = programme.nodes
    result = milp(
        programme.objective,
        integrality=programme.whole,
        bounds=Bounds(0, 1),
        constraints=programme.rules,
        options=limits,  # type: ignore[arg-type]  # the stubs know no dict
    )
    bound = -np.inf if result.mip_dual_bound is None else float(result.mip_dual_bound)
    timed_out = result.status == _TIMED_OUT and "time" in str(result.message).lower()
    return Solution(result.x, bound, proven=result.status == 0), not timed_out


def _apart(programme: Programme, seconds: float) -> Solution | None:
    """Return what a process of its own finds; None where none can be had, or it does not end in time."""
    end = time.monotonic() + seconds
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as answer:
        # The clock of the day is the same in both processes; what the start takes is time of the search.
        pickle.dump((tuple(programme), time.time() + seconds), asked)
        asked.seek(0)
        try:
            process = subprocess.Popen(  # noqa: S603 - this file
                [sys.executable, "-P", __file__],
                stdin=asked,
                stdout=answer,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError):
            return None
        try:
            while process.poll() is None and time.monotonic() < end + _GRACE:
                time.sleep(_TICK)
        finally:
            process.kill()
            process.wait()
        answer.seek(0)
        written = answer.read()
    return Solution(*pickle.loads(written)) if written and not process.returncode else None  # noqa: S301 - our own


def main() -> None:
    """Solve the programme that stands in the standard input, and write the solution."""
    programme, end = pickle.load(sys.stdin.buffer)  # noqa: S301 - our own
    solution, _ = _run(Programme(*programme), max(end - time.time(), _HERE))
    pickle.dump(tuple(solution), sys.stdout.buffer)


if __name__ == "__main__":
    main()
