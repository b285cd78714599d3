"""The project's own files agree with each other."""

import re
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TOP_LEVEL = {
    "CHANGELOG.md",
    "LICENSE",
    "NOTICE",
    "README.md",
    "conftest.py",
    "environment.yml",
    "notebooks",
    "pyproject.toml",
    "tests",
    "toolkit",
}


def environment_packages():
    lines = (ROOT / "environment.yml").read_text(encoding="utf-8").splitlines()
    return {line.strip().removeprefix("- ") for line in lines if line.startswith("      - ")} - {"--editable ."}


def packages_of(*extras):
    """Return the packages of the project with extras; an extra may be made of others."""
    listed = [package for extra in extras for package in PROJECT["optional-dependencies"][extra]]
    own = [re.fullmatch(rf"{PROJECT['name']}\[(.+)\]", package) for package in listed]
    others = [name for found in own if found for name in found[1].split(",")]
    kept = {package for package, found in zip(listed, own, strict=True) if not found}
    return {*PROJECT["dependencies"], *kept, *(packages_of(*others) if others else ())}


def test_environment_lists_exactly_the_packages_of_the_project():
    assert environment_packages() == packages_of("all", "test")


def test_environment_asks_for_the_same_python():
    assert f"- python{PROJECT['requires-python']}" in (ROOT / "environment.yml").read_text(encoding="utf-8")


def test_packages_asked_for_are_there():
    names = {re.split(r"[<>=\[]", package)[0] for package in environment_packages()}
    assert {"pandas", "httpx", "ipywidgets", "plotly", "jupyterlab", "nbval"} <= names


def test_version_stands_once():
    import toolkit

    assert PROJECT["version"] == toolkit.__version__


def test_nothing_else_stands_at_the_top():
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert found - {"__pycache__", "build", "dist"} == TOP_LEVEL


def test_notice_credits_the_taxonomy():
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    assert "IAB Tech Lab" in notice
    assert "CC BY 3.0" in notice


def modules():
    return sorted((ROOT / "toolkit").rglob("*.py"))


def test_no_module_is_long():
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    assert {str(path): length for path, length in lengths.items() if length > 600} == {}


def test_no_folder_has_more_than_15_modules():
    counts = Counter(path.parent for path in modules() if path.name != "__init__.py")
    assert {str(folder): count for folder, count in counts.items() if count > 15} == {}


def test_no_module_is_named_after_its_folder():
    found = [path for path in modules() if path.stem.startswith(path.parent.name.removesuffix("s"))]
    assert [str(path) for path in found if path.stem != "__init__"] == []


def test_every_module_has_future_annotations_or_no_code():
    texts = {path: path.read_text(encoding="utf-8") for path in modules()}
    with_code = {path: text for path, text in texts.items() if "def " in text or "class " in text}
    assert [str(path) for path, text in with_code.items() if "from __future__ import annotations" not in text] == []
