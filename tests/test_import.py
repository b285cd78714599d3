"""What `import toolkit` does, what it exports, and which module may know which."""

import ast
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

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
    "starlette",
    "trafilatura",
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


@pytest.mark.parametrize("name", HEAVY)
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


def typed_names():
    """The names that type checkers see."""
    found = set()
    for node in ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            found |= {alias.asname or alias.name for part in node.body for alias in part.names}
    return found


def test_all_is_sorted_without_repetition():
    assert tk.__all__ == sorted(set(tk.__all__))


def test_all_is_what_type_checkers_see_and_the_version():
    assert set(tk.__all__) == typed_names() | {"__version__"}


def test_all_is_what_is_loaded_on_first_use_and_the_version():
    assert set(tk.__all__) == {*tk._NAMES, *tk._MODULES, "__version__"}


@pytest.mark.parametrize("name", tk.__all__)
def test_exported_name_resolves(name):
    try:
        assert getattr(tk, name) is not None
    except ModuleNotFoundError as error:
        assert name in {"charts", "widgets"} and error.name == f"toolkit.{name}"  # noqa: PT017, PT018 - being written


@pytest.mark.parametrize("name", [name for name in tk.__all__ if name in tk._NAMES])
def test_exported_name_is_in_the_all_of_its_module(name):
    assert name in importlib.import_module(f"toolkit.{tk._NAMES[name]}").__all__


@pytest.mark.parametrize("name", [name for name in tk.__all__ if name in tk._NAMES])
def test_exported_name_is_documented(name):
    assert (getattr(tk, name).__doc__ or "").strip()


def test_dir_is_all():
    assert dir(tk) == tk.__all__


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"^module 'toolkit' has no attribute 'nonsense'$"):
        _ = tk.nonsense


def test_star_import_gives_every_name():
    names = [name for name in tk.__all__ if name not in {"charts", "widgets"}]
    done = run_python(f"from toolkit import *\nprint(sorted(set({names!r}) - set(globals())))")
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_version_is_the_projects():
    project = (PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{tk.__version__}"\n' in project


# Who may know whom --------------------------------------------------------------------------------------------------

#: Floors of the design; what it does not name stands where it belongs.
FLOORS = {
    0: {
        "company",
        "data",
        "display",
        "endpoints",
        "errors",
        "explanations",
        "fields",
        "filters_document",
        "models",
        "outcomes",
        "receiving",
        "signatures",
        "targets",
        "taxonomy",
        "vocabulary",
    },
    1: {
        "about",
        "frames",
        "record_categories",
        "record_columns",
        "record_companies",
        "record_frames",
        "record_segments",
        "record_shapes",
        "records",
        "schemas",
        "tables",
        "whole_file",
    },
    2: {
        "allowance",
        "async_client",
        "batch_answers",
        "batch_items",
        "batch_jobs",
        "batch_journal",
        "batch_report",
        "budget",
        "cache",
        "client",
        "client_lists",
        "collector",
        "connection",
        "dask_parts",
        "dask_report",
        "dask_runs",
        "database",
        "engine",
        "frame_methods",
        "freshness",
        "holders",
        "inbox",
        "inbox_file",
        "inputs",
        "journal",
        "lookup",
        "network",
        "pace",
        "plan",
        "portal",
        "progress",
        "questions",
        "receiver",
        "run_frames",
        "run_results",
        "runs",
        "saved_run",
        "store",
        "store_schema",
        "text_lines",
        "transport",
        "webhooks",
    },
    3: {
        "accumulation",
        "code_columns",
        "compare",
        "counting",
        "coverage",
        "coverage_nodes",
        "coverage_summaries",
        "drift",
        "groups",
        "hypergeometric",
        "links",
        "nearest",
        "overlap",
        "paired",
        "proportions",
        "richness",
        "segment_export",
        "segment_language",
        "segment_matching",
        "segment_overlaps",
        "segment_plan",
        "segment_reasons",
        "segment_rows",
        "segment_tree",
        "segment_words",
        "segments",
        "set_cover",
        "shares",
        "wanted_codes",
    },
    4: {"charts", "labels", "pictures"},
    5: {
        "cli",
        "cli_report",
        "cli_run",
        "cli_vocabulary",
        "lab",
        "listen",
        "report",
        "report_book",
        "report_contents",
        "report_coverage",
        "report_deck",
        "report_failures",
        "report_groups",
        "report_html",
        "report_methods",
        "report_native",
        "report_sections",
        "report_slide_texts",
        "report_svg",
        "report_texts",
        "report_words",
        "server",
        "streams",
        "widgets",
    },
}
FLOOR_OF = {name: floor for floor, names in FLOORS.items() for name in names}
GROUND_OF_SERVICE = {"targets", "models", "errors", "taxonomy", "vocabulary", "display", "signatures", "data"}
MOUNTS = {"transport", "server"}
#: `run.report(…)` is a method of runs, because that is where an analyst looks for it; it opens the door on demand.
OPENS_A_DOOR = {("frame_methods", "report")}


def is_for_types(node):
    return isinstance(node, ast.If) and ast.unparse(node.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}


def import_nodes(node):
    """Walk to every import that runs: inside functions too, but not those for type checkers."""
    for child in ast.iter_child_nodes(node):
        if is_for_types(child):
            for part in child.orelse:
                yield from import_nodes(ast.Module([part], []))
        elif isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        else:
            yield from import_nodes(child)


def imports_of(path, *, typed=False):
    """Full names of what a file imports; relative imports made absolute."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = ast.walk(tree) if typed else import_nodes(tree)
    package = [*path.relative_to(PACKAGE.parent).with_suffix("").parts][:-1]
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*start, *(node.module or "").split(".")]).strip(".")
            found |= {f"{module}.{alias.name}" for alias in node.names}
    return found


def rooms_of(path, *, typed=False):
    """First names below `toolkit` of what a file imports from the package."""
    parts = [name.split(".") for name in imports_of(path, typed=typed)]
    return {part[1] for part in parts if part[0] == "toolkit" and len(part) > 1}


def room(path):
    inner = path.relative_to(PACKAGE)
    return inner.parts[0].removesuffix(".py")


FILES = sorted(path for path in PACKAGE.rglob("*.py") if "sites" not in path.parts)
OF_SERVICE = [path for path in FILES if room(path) == "service"]
OUTSIDE = [path for path in FILES if room(path) not in {"service", "__init__"}]


def of_files(paths):
    return pytest.mark.parametrize("path", paths, ids=lambda path: str(path.relative_to(PACKAGE)))


@of_files(OUTSIDE)
def test_every_module_has_a_floor(path):
    assert room(path) in FLOOR_OF, "give the module a floor in FLOORS"


@of_files(OUTSIDE)
def test_module_imports_no_floor_above_its_own(path):
    rooms = rooms_of(path) & set(FLOOR_OF)
    above = {name for name in rooms if FLOOR_OF[name] > FLOOR_OF[room(path)]}
    assert {name for name in above if (room(path), name) not in OPENS_A_DOOR} == set()


@of_files(OF_SERVICE)
def test_service_imports_the_ground_floor_and_itself_only(path):
    assert rooms_of(path, typed=True) <= GROUND_OF_SERVICE | {"service"}


@of_files([path for path in OUTSIDE if room(path) not in MOUNTS])
def test_module_does_not_import_the_service(path):
    assert "service" not in rooms_of(path)


def test_the_service_is_mounted_in_one_place_of_transport():
    tree = ast.parse((PACKAGE / "transport.py").read_text(encoding="utf-8"))
    holders = {
        function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in import_nodes(function)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("toolkit.service")
    }
    assert len(holders) == 1
    assert not [node for node in tree.body if isinstance(node, ast.ImportFrom) and "service" in (node.module or "")]


@of_files([*OF_SERVICE, *(path for path in OUTSIDE if FLOOR_OF.get(room(path), 5) <= 2)])
@pytest.mark.parametrize("library", ["plotly", "ipywidgets", "anywidget", "IPython"])
def test_floors_0_to_2_and_the_service_know_no_pictures_and_no_widgets(path, library):
    assert library not in {name.split(".")[0] for name in imports_of(path, typed=True)}


@of_files([path for path in OUTSIDE if FLOOR_OF.get(room(path)) in {3, 4}])
def test_findings_and_pictures_never_fetch(path):
    names = {name.split(".")[0] for name in imports_of(path)}
    assert not names & {"httpx", "aiohttp", "requests", "urllib3"}
    assert not rooms_of(path) & {"client", "transport", "lookup", "runs"}


@of_files([path for path in OUTSIDE if FLOOR_OF.get(room(path)) == 0])
def test_ground_floor_does_no_network(path):
    names = {name.split(".")[0] for name in imports_of(path)}
    assert not names & {"httpx", "aiohttp", "requests", "socket", "asyncio", "anyio", "starlette"}


@of_files(FILES)
def test_no_file_imports_with_a_star(path):
    assert not [name for name in imports_of(path, typed=True) if name.endswith(".*")]
