"""What holds for the examples in the package and for the tests: runs are kept in a folder that is thrown away."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import pytest

_FOLDER = tempfile.mkdtemp(prefix="toolkit-tests-")
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Give each file, so its fixtures and a notebook's kernel, a folder of its own; each test has another."""
    os.environ["TOOLKIT_RUNS"] = str(Path(_FOLDER, item.path.parent.name, item.path.name))


@pytest.fixture(autouse=True)
def own_runs(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Let a test find no runs but its own."""
    if "clean_environment" in request.fixturenames:
        request.getfixturevalue("clean_environment")
    monkeypatch.setenv("TOOLKIT_RUNS", str(tmp_path_factory.mktemp("kept")))
