"""What a single question loads and sets to work in a fresh process: what it needs, and no more."""

import json
import os
import subprocess
import sys

import pytest

#: Run a command, then tell what is loaded and how long threads have worked that Python did not start, in ticks.
PROGRAM = """
import json, pathlib, sys, threading
from toolkit.cli.main import command

native, sys.argv[0] = [], "toolkit"
assert command() == 0
ours = {str(thread.native_id) for thread in threading.enumerate()}
for task in pathlib.Path("/proc/self/task").iterdir():
    if task.name not in ours:
        fields = (task / "stat").read_text().rpartition(")")[2].split()
        native.append(int(fields[11]) + int(fields[12]))
print(json.dumps({"modules": sorted(sys.modules), "ticks": sum(native)}), file=sys.stderr)
"""
SHOP = "trailhead-outfitters.example/boots"
HEAVY = {"IPython", "dask", "jinja2", "matplotlib", "pandas", "plotly", "pyarrow", "rich", "scipy", "tqdm", "uvicorn"}
QUESTIONS = [["segment", SHOP], ["categorize", SHOP], ["categorize", "--domain", SHOP], ["enrich", SHOP]]


def fresh(arguments):
    """What a command leaves in a process of its own, with as many threads of arithmetic as there are cores."""
    names = ("TOOLKIT_", "OPENBLAS_", "OMP_", "MKL_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(names)}
    command = [sys.executable, "-c", PROGRAM, *arguments]
    done = subprocess.run(command, env=kept, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stderr.splitlines()[-1])


@pytest.fixture(scope="module", params=[*QUESTIONS, ["filters", "dogs"]], ids=" ".join)
def left(request):
    return fresh(request.param)


def test_no_heavy_package_is_loaded(left):
    assert {name.partition(".")[0] for name in left["modules"]} & HEAVY == set()


def test_threads_of_the_arithmetic_do_not_turn_round_idly(left):
    assert left["ticks"] < 10


@pytest.mark.parametrize("arguments", [["segment", SHOP], ["categorize", SHOP], ["filters", "dogs"]], ids=" ".join)
def test_what_reads_companies_is_loaded_where_companies_are_asked_for(arguments):
    assert not {name for name in fresh(arguments)["modules"] if name == "toolkit.service.company.enrichment"}
