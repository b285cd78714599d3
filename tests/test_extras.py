"""Where only the packages of the core are installed: a pipeline works, and each door names the extra that opens it.

The bare environment is a folder of links to the installed files of the core's packages and of what they require, and
Python is started without any other folder of packages.
"""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import toolkit as tk
from toolkit.interface.errors import EXTRAS, ConfigurationError, need

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
KEY = "key-of-the-bare"
#: Packages that come with one that is asked for.
BROUGHT = {"choreographer": "kaleido", "markupsafe": "jinja2", "pydantic-core": "pydantic"}
#: Packages that are used without an import: files of one are read, the others serve an imported one.
UNIMPORTED = {"wordllama", "python-multipart"}


def names(requirements):
    return {canonicalize_name(Requirement(text).name) for text in requirements}


def closure(requirements):
    """Return the installed packages that requirements need, as pip would choose them."""
    open_, done = [Requirement(text) for text in requirements], set()
    while open_:
        wanted = open_.pop()
        name = canonicalize_name(wanted.name)
        for extra in {"", *wanted.extras}:
            if (name, extra) in done:
                continue
            done.add((name, extra))
            needs = map(Requirement, metadata.requires(name) or ())
            open_ += [one for one in needs if one.marker is None or one.marker.evaluate({"extra": extra})]
    return {name for name, _ in done}


@pytest.fixture(scope="module")
def bare(tmp_path_factory, serve):
    """What came of the program where only the core is installed."""
    folder = tmp_path_factory.mktemp("bare")
    for name in closure(PROJECT["dependencies"]):
        for top in {path.parts[0] for path in metadata.files(name)} - {"..", "__pycache__"}:
            (folder / top).symlink_to(metadata.distribution(name).locate_file(top))
    (folder / "toolkit").symlink_to(ROOT / "toolkit")
    served = serve("--key", KEY)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", ROOT / "tests" / "bare_program.py", folder],
        env={**os.environ, **served.values, "TOOLKIT_API_KEY": KEY},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


# The core ------------------------------------------------------------------------------------------------------------


def test_every_public_name_resolves(bare):
    assert bare["star"]


def test_a_run_over_the_network_gives_frames_findings_a_segment_a_chart_and_a_page(bare):
    done = bare["pipeline"]
    assert done["single"] == "ledgerline.example"
    assert done["frames"]["audiences"] == 3
    assert done["frames"]["failures"] == 1
    assert min(done["frames"].values()) > 0
    assert done["saved"] == [done["frames"]["codes"], done["frames"]["categories"]]
    assert done["shares"] > 0
    assert 0 < done["matching"] < 62
    assert "topics seen" in done["title"]
    assert done["page"] == "<!doctype html>"


def test_only_what_an_extra_is_for_misses_its_packages(bare):
    extras = {
        "toolkit.cli.serve": "service",
        "toolkit.cluster": "dask",
        "toolkit.reports.book": "office",
        "toolkit.reports.deck": "office",
        "toolkit.service": "service",
        "toolkit.webhooks.app": "service",
        "toolkit.widgets": "lab",
    }
    others = {
        module: package
        for module, package in bare["missing"].items()
        if not any(f"{module}.".startswith(f"{start}.") and package in EXTRAS[of] for start, of in extras.items())
    }
    assert others == {}
    assert {"toolkit.service.app", "toolkit.widgets.lookup.box", "toolkit.reports.deck.slides"} <= {*bare["missing"]}


# The doors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("extra", "doors"),
    [
        ("service", {"client", "receiver", "serve", "listen"}),
        ("lab", {"widget", "panel", "lab"}),
        ("office", {"deck", "book", "segment", "picture"}),
        ("dask", {"cluster"}),
    ],
)
def test_a_door_says_in_one_line_which_extra_opens_it(bare, extra, doors):
    line = re.compile(
        r"(ConfigurationError: |1: toolkit: )[^\n]+ needs packages that are not installed \([^\n]+\)\. "
        rf"Run pip install 'audience-toolkit\[{extra}\]'(, or set [^\n]+)?\.\n?"
    )
    said = {door: bare["doors"][door] for door in doors}
    assert {door: words for door, words in said.items() if not line.fullmatch(words)} == {}


def test_every_door_was_tried_and_left_no_file(bare):
    assert len(bare["doors"]) == 12
    assert bare["files"] == ["report.html", "run.db", "run.gz"]


def test_a_client_without_a_service_says_both_ways_out(bare):
    assert bare["doors"]["client"] == (
        "ConfigurationError: No base URL is set, and the embedded service needs packages that are not installed "
        "(cachetools, python_multipart, safetensors, …). Run pip install 'audience-toolkit[service]', or set "
        "TOOLKIT_BASE_URL or TOOLKIT_V1_BASE_URL."
    )


@pytest.mark.parametrize("extra", EXTRAS)
def test_what_is_installed_is_needed_without_a_word(extra):
    need(extra, "A test")


def test_only_what_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    need("office", "A deck", "pptx")
    with pytest.raises(ConfigurationError, match=r"^A book needs .* installed \(xlsxwriter\)\. Run .*\[office\]'\.$"):
        need("office", "A book", "pptx", "xlsxwriter")


def test_a_module_of_its_own_that_is_missing_is_no_missing_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "toolkit.service.app", None)
    with tk.Client() as client, pytest.raises(ModuleNotFoundError, match=r"toolkit\.service\.app"):
        client.segment("ledgerline.example")


# What is asked for ---------------------------------------------------------------------------------------------------


def imported():
    """Return the packages that the toolkit imports anywhere, also late and for types alone."""
    trees = [ast.parse(path.read_bytes()) for path in (ROOT / "toolkit").rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    tops = {module.split(".")[0] for module in modules} - {*sys.stdlib_module_names, "toolkit"}
    return {module: packages_of(module) for module in sorted(tops)}


@cache
def packages():
    """Return which packages bring each module that can be imported: a look at every file that is installed."""
    return metadata.packages_distributions()


def packages_of(module):
    return {canonicalize_name(name) for name in packages().get(module, [module])}


def test_what_is_imported_is_asked_for_and_what_is_asked_for_is_used():
    found = {BROUGHT.get(name, name) for packages in imported().values() for name in packages}
    extras = [PROJECT["optional-dependencies"][extra] for extra in EXTRAS]
    asked = {*PROJECT["dependencies"], *(package for packages in extras for package in packages)}
    assert found | UNIMPORTED == names(asked)


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_is_known_by_what_its_packages_are_imported_as(extra):
    known = {BROUGHT.get(name, name) for module in EXTRAS[extra] for name in packages_of(module)}
    assert known == names(PROJECT["optional-dependencies"][extra])


def test_all_is_every_extra_but_that_of_the_tests():
    assert PROJECT["optional-dependencies"].keys() == {*EXTRAS, "all", "test"}
    [whole] = map(Requirement, PROJECT["optional-dependencies"]["all"])
    assert (whole.name, whole.extras) == (PROJECT["name"], {*EXTRAS})
