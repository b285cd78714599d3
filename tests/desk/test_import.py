"""What `import toolkit` does, what it exports, and which module may know which."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cases import every

import toolkit as tk

PACKAGE = Path(tk.__file__).parent
HEAVY = (
    "anyio",
    "httpx",
    "ipywidgets",
    "numpy",
    "pandas",
    "plotly",
    "pydantic",
    "selectolax",
    "starlette",
    "wordllama",
)


def run_python(program, *options):
    """Run a program in a fresh interpreter in which warnings are errors."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TOOLKIT_")}
    return subprocess.run(
        [sys.executable, "-W", "error", *options, "-c", program],
        env={**clean, "PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )


# The import ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def imported():
    """What stands in a fresh interpreter after the import."""
    program = """
import json, logging, os, sys, threading, warnings
before = set(sys.modules), dict(os.environ), list(sys.path), list(warnings.filters), sys.excepthook
import toolkit
root = logging.getLogger()
print(json.dumps({
    "modules": sorted(set(sys.modules) - before[0]),
    "root": [len(root.handlers), root.level],
    "threads": threading.active_count(),
    "same": [
        dict(os.environ) == before[1],
        sys.path == before[2],
        warnings.filters == before[3],
        sys.excepthook is before[4],
    ],
}))
"""
    done = run_python(program)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    return {**json.loads(lines[-1]), "printed": lines[:-1], "stderr": done.stderr}


def test_import_is_silent(imported):
    assert (imported["printed"], imported["stderr"]) == ([], "")


@every("name", HEAVY)
def test_import_leaves_the_library_unloaded(imported, name):
    assert name not in {module.split(".")[0] for module in imported["modules"]}


def test_import_loads_no_submodule(imported):
    assert [module for module in imported["modules"] if module.startswith("toolkit")] == ["toolkit"]


def test_import_leaves_the_root_logger_untouched(imported):
    assert imported["root"] == [0, 30]


def test_import_starts_no_thread(imported):
    assert imported["threads"] == 1


def test_import_leaves_environment_path_warnings_and_hook_untouched(imported):
    assert imported["same"] == [True] * 4


def test_embedded_service_is_loaded_on_first_use():
    program = """
import sys
import toolkit as tk
client = tk.Client()
print([name for name in ("starlette", "numpy", "wordllama", "toolkit.service") if name in sys.modules])
"""
    done = run_python(program)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_using_the_embedded_service_is_silent_and_leaves_the_root_logger_untouched():
    program = """
import logging
import toolkit as tk
with tk.Client() as client:
    client.segment("torque-journal.example")
root = logging.getLogger()
print(len(root.handlers), root.level)
"""
    done = run_python(program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 30\n", "")


def test_using_another_base_url_does_not_load_the_embedded_service():
    program = """
import sys
import httpx
import toolkit as tk
answer = httpx.MockTransport(lambda request: httpx.Response(200, json={"domain": "a.example", "categories": []}))
with tk.Client(v1_api_key="k", v1_base_url="https://a.example", transport=answer) as client:
    client.categorize("a.example")
print([name for name in ("starlette", "wordllama", "toolkit.service") if name in sys.modules])
"""
    assert run_python(program).stdout == "[]\n"


# What is exported ---------------------------------------------------------------------------------------------------


def test_there_are_few_names():
    assert len(tk.__all__) <= 26


def test_all_is_sorted_without_repetition():
    assert tk.__all__ == sorted(set(tk.__all__))


def test_exported_names_resolve_and_are_documented():
    assert [name for name in tk.__all__ if not (getattr(tk, name).__doc__ or "").strip()] == []


def test_dir_is_all():
    assert dir(tk) == tk.__all__


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nonsense"):
        _ = tk.nonsense


def test_star_import_gives_every_name():
    done = run_python(f"from toolkit import *\nprint(sorted(set({tk.__all__!r}) - set(globals())))")
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_version_is_the_projects():
    project = (PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{tk.__version__}"\n' in project
