"""Shared by all tests: a clean environment and the embedded service."""

import os
import re
import signal

import pytest
from hypothesis import settings
from listening import RawServer, Receiver
from serving import start_serve
from stubs import Stub, Wire

import toolkit as tk

# The same examples each time, however long one takes on a machine that does much else.
settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("repeatable")

#: Programs that are run elsewhere, and not imported.
collect_ignore = ["bare_program.py", "ending_program.py"]


def pytest_configure():
    """Take interrupts again where a shell that runs the tests in its background had them ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # One thread of linear algebra a process: with as many as there are cores, several processes wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")


#: What says by which way a network is reached, and whom it trusts.
NETWORK = re.compile(r"(https?|all|no)_proxy|ssl_cert_(file|dir)|(requests|curl)_ca_bundle", re.IGNORECASE)


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch):
    for name in [name for name in os.environ if name.startswith("TOOLKIT_") or NETWORK.fullmatch(name)]:
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
    "tests/browser/",
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


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """Run a test that is named alone in this process: others would take longer to start than it does.

    One more than there are processors: a part of the time is waiting, for a page or for a server that starts.
    """
    return 0 if all("::" in argument for argument in config.args) else 1 + (os.cpu_count() or 1)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from handing_out import Handfuls

    return Handfuls(config, log) if config.getoption("dist") == "loadscope" else None


def pytest_collection_modifyitems(config, items):
    """Begin with what takes longest, where there are several processes."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: next((n for n, start in enumerate(LONGEST) if item.nodeid.startswith(start)), 99))
