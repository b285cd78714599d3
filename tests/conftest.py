"""Shared by all tests: a clean environment and the embedded service."""

import os
import signal
from collections import Counter, defaultdict

import pytest
from listening import RawServer, Receiver
from serving import start_serve
from stubs import Stub, Wire

import toolkit as tk


def pytest_configure(config):
    """Take interrupts again where a shell that runs the tests in its background had them ignored."""
    if config.getoption("dist", "no") == "loadscope":
        config.option.dist = "loadgroup"  # by the groups that are made below
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch):
    for name in [name for name in os.environ if name.startswith("TOOLKIT_")]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def client():
    """A client on the embedded service."""
    with tk.Client() as client:
        yield client


@pytest.fixture(scope="session")
def vocabulary(client):
    return client.filters()


class Kept:
    """A run whose frames are built once."""

    def __init__(self, run):
        self.run = run
        self.frames = {}

    def __getattr__(self, name):
        if name not in self.frames:
            self.frames[name] = getattr(self.run, name)()
        return lambda: self.frames[name]


@pytest.fixture(scope="session")
def sample():
    """The sample run, each frame built once."""
    return Kept(tk.sample_run())


@pytest.fixture(scope="session")
def serve():
    """Give a running `toolkit serve` with these options; one a set of options."""
    running = {}

    def served(*options):
        if options not in running:
            running[options] = start_serve(*options)
        return running[options]

    yield served
    for one in running.values():
        one.stop()


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def start():
    """Start a `toolkit serve` of the test's own; it is stopped at the end."""
    started = []

    def starting(*options):
        started.append(start_serve(*options))
        return started[-1]

    yield starting
    for one in started:
        if not one.process.stdout.closed:
            one.stop()


@pytest.fixture(scope="session")
def session_wire():
    wire = Wire()
    base = "http://wire.invalid"
    wire.client = tk.Client(wire.key, base, v1_api_key=wire.key, v1_base_url=base, transport=wire)
    with wire.client:
        yield wire


@pytest.fixture
def wire(session_wire):
    """The real service over a wire that is watched: `client`, `requests` and `responses`."""
    session_wire.requests.clear()
    session_wire.responses.clear()
    return session_wire


@pytest.fixture
def stub():
    return Stub()


@pytest.fixture
def raw_server():
    """Start a server that writes what it is told to, however broken."""
    started = []

    def start(*pieces, close=True):
        started.append(RawServer(*pieces, close=close))
        return started[-1]

    yield start
    for server in started:
        server.close()


def pytest_sessionfinish(session):
    """Where skips are refused, as in CI, a skipped test is a failed run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")  # one of several processes has none
    if os.environ.get("REFUSE_SKIPS") and reporter and reporter.stats.get("skipped"):
        reporter.write_line("Skipped tests are refused here.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_make_parametrize_id(val):
    """Name functions by their names: their addresses would differ from process to process."""
    return val.__name__ if callable(val) and hasattr(val, "__name__") else None


# Several processes --------------------------------------------------------------------------------------------------

#: What takes longest in one piece, and so begins first.
LONGEST = (
    "tests/test_browser.py",
    "notebooks/06_report.ipynb",
    "notebooks/",
    "tests/test_readme.py",
    "tests/reports/test_notebook.py",
    "tests/service/test_properties.py",
    "tests/runs/test_survival.py",
    "tests/cluster/",
    "tests/widgets/test_run_panel.py",
    "tests/cli/",
    "tests/runs/",
    "tests/reports/",
    "tests/charts/test_pictures.py",
)
#: How many tests that share nothing are handed out at a time.
HANDFUL = 8


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """Run a test that is named alone in this process: others would take longer to start than it does."""
    return 0 if all("::" in argument for argument in config.args) else None


def own_fixtures(item, file):
    """Return the names of the fixtures of a test's file that it shares with other tests."""
    found = getattr(item, "_fixtureinfo", None)
    definitions = found.name2fixturedefs.values() if found else ()
    return {used[-1].argname for used in definitions if used[-1].baseid == file and used[-1].scope != "function"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Keep on one process what belongs together: a notebook's cells, tests that share a fixture of their file."""
    if not config.getoption("loadgroup", False):
        return
    shared, seen = defaultdict(list), Counter()
    for item in items:
        file = item.nodeid.partition("::")[0]
        if names := own_fixtures(item, file):
            together = [known for known in shared[file] if known & names]
            shared[file] = [known for known in shared[file] if not known & names] + [names.union(*together)]
    for item in items:
        file = item.nodeid.partition("::")[0]
        if item.get_closest_marker("xdist_group"):
            continue
        if file.endswith(".ipynb"):
            group = file
        elif names := own_fixtures(item, file):
            group = f"{file} {min(next(known for known in shared[file] if known & names))}"
        else:
            group = f"{file} {seen[file] // HANDFUL}"
            seen[file] += 1
        item.add_marker(pytest.mark.xdist_group(group))
    ranks = {start: rank for rank, start in enumerate(LONGEST)}
    items.sort(
        key=lambda item: min((rank for start, rank in ranks.items() if item.nodeid.startswith(start)), default=99)
    )
