"""What holds for the examples in the package and for the tests: runs are kept in a folder that is thrown away."""

import atexit
import os
import shutil
import tempfile

import pytest


def pytest_configure() -> None:
    """Give kernels and fixtures of a module a folder; each test has its own."""
    folder = tempfile.mkdtemp(prefix="toolkit-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["TOOLKIT_RUNS"] = folder


@pytest.fixture(autouse=True)
def own_runs(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Let a test find no runs but its own."""
    if "clean_environment" in request.fixturenames:
        request.getfixturevalue("clean_environment")
    monkeypatch.setenv("TOOLKIT_RUNS", str(tmp_path_factory.mktemp("kept")))
