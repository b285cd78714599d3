"""Shared by all tests: a clean environment and the embedded service."""

import json
import os
import queue
import re
import signal
import socketserver
import subprocess
import sys
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

import toolkit as tk


def pytest_configure():
    """Take interrupts again where a shell that runs the tests in its background had them ignored."""
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


@dataclass
class Served:
    """A running `toolkit serve`: its process, what it has printed, and its addresses."""

    process: subprocess.Popen
    lines: list[str]

    @property
    def values(self):
        return dict(line.split("=", 1) for line in self.lines if line.startswith("TOOLKIT_"))

    @property
    def base(self):
        return self.values["TOOLKIT_BASE_URL"]

    @property
    def v1_base(self):
        return self.values["TOOLKIT_V1_BASE_URL"]

    def stop(self):
        """Stop it and return the rest of what it printed: standard output, standard error."""
        if self.lines and self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.communicate(timeout=20)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.communicate()


def start_serve(*options):
    """Start `toolkit serve` on a free port, and wait until it says that it is ready or ends."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TOOLKIT_")}
    environment["PYTHONPATH"] = str(Path(__file__).parents[1])
    program = "import sys; from toolkit.cli.main import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", program, "serve", *(() if "--port" in options else ("--port", "0")), *options],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    lines = []
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        if line.startswith("Vocabulary:"):
            break
    watchdog.cancel()
    return Served(process, lines)


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


class Receiver:
    """A receiver of notifications: keeps each delivery, and answers with the statuses it is told to, 200 at the end."""

    def __init__(self):
        self.deliveries = queue.Queue()
        self.statuses = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                status = receiver.statuses.pop(0) if receiver.statuses else 200
                self.send_response(status)
                if 300 <= status < 400:
                    self.send_header("location", f"{receiver.url}/elsewhere")
                self.send_header("content-length", "0")
                self.end_headers()
                receiver.deliveries.put((self.path, self.headers, body))

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def next(self, seconds=20):
        """Return path, headers and raw body of the next delivery."""
        return self.deliveries.get(timeout=seconds)

    def close(self):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


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


class Wire(httpx.AsyncBaseTransport):
    """The real service behind a transport that keeps what goes over the wire."""

    key = "wirekey5d1f0c7ea94b"

    def __init__(self):
        from toolkit.service.app import create_app
        from toolkit.service.settings import Settings

        self._app = create_app(Settings(keys=(self.key,)))
        self._inner = httpx.ASGITransport(self._app, raise_app_exceptions=False)
        self.requests = []
        self.responses = []

    async def handle_async_request(self, request):
        response = await self._inner.handle_async_request(request)
        await response.aread()
        self.requests.append(request)
        self.responses.append(response)
        return httpx.Response(response.status_code, headers=response.headers, content=response.content)

    async def aclose(self):
        await self._app.state.service.close()


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


class Stub:
    """A service that answers as it is told to: `replies` in turn, the last of them for ever.

    A reply is an exception to raise, or status, body and headers.
    """

    base = "https://api.stub.example"
    v1_base = "https://v1.stub.example"
    key = "stubkey8c2e41d09f63"
    v1_key = "stubkeyv1b7a350e2cd"

    def __init__(self):
        self.replies = []
        self.requests = []

    def reply(self, status=200, body=b"", headers=None, **json_headers):
        if not isinstance(body, bytes):
            body, headers = json.dumps(body).encode(), {"content-type": "application/json", **(headers or {})}
        self.replies.append((status, body, {**(headers or {}), **json_headers}))
        return self

    def fail(self, error):
        self.replies.append(error)
        return self

    def again(self):
        self.replies, self.requests = [], []
        return self

    def answer(self, request):
        self.requests.append(request)
        reply = self.replies[min(len(self.requests), len(self.replies)) - 1]
        if isinstance(reply, BaseException):
            raise reply
        status, body, headers = reply
        headers = {"content-length": str(len(body)), **headers}
        return httpx.Response(status, headers=headers, stream=httpx.ByteStream(body))

    def client(self, kind=tk.Client, **settings):
        given = {
            "api_key": self.key,
            "base_url": self.base,
            "v1_api_key": self.v1_key,
            "v1_base_url": self.v1_base,
            "retries": tk.Retries(first_wait=0.0, longest_wait=0.0),
            "transport": httpx.MockTransport(self.answer),
        }
        return kind(**{**given, **settings})


@pytest.fixture(scope="session")
def shared_stub():
    """For property tests, which run many examples a test."""
    return Stub()


@pytest.fixture
def stub():
    return Stub()


class RawServer:
    """A server on loopback that reads a request whole, then writes its pieces: bytes, or seconds to wait."""

    def __init__(self, *pieces, close=True):
        self.requests = []
        server = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                head = b""
                while not head.endswith(b"\r\n\r\n"):
                    line = self.rfile.readline()
                    if not line:
                        return
                    head += line
                length = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
                server.requests.append(head + self.rfile.read(int(length[1]) if length else 0))
                for piece in pieces:
                    if isinstance(piece, bytes):
                        try:
                            self.wfile.write(piece)
                        except OSError:
                            return
                    elif server._stopping.wait(piece):
                        return
                if not close:
                    server._stopping.wait(30)

        self._stopping = threading.Event()
        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def close(self):
        self._stopping.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


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
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("REFUSE_SKIPS") and reporter.stats.get("skipped"):
        reporter.write_line("Skipped tests are refused here.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_make_parametrize_id(val):
    """Name functions by their names: their addresses would differ from process to process."""
    return val.__name__ if callable(val) and hasattr(val, "__name__") else None
