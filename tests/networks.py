"""What stands between a client and a service in a company: a server with TLS of its own authority, and a proxy."""

import atexit
import base64
import json
import select
import shutil
import socket
import socketserver
import ssl
import tempfile
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import trustme
from listening import Listening

CERTIFICATES = Path(tempfile.mkdtemp(prefix="certificates-"))
AUTHORITY = CERTIFICATES / "authority.pem"
#: What the files of a folder of certificates are named by: the digest of the authority's name.
DIGEST = "244b7cf0"
ANSWER = {"domain": "a.example", "categories": [], "demographics": {}, "status": 200}


def make_certificates():
    """Write a certificate authority and, with their keys, what it signed: all of this process alone."""
    atexit.register(shutil.rmtree, CERTIFICATES, ignore_errors=True)
    authority = trustme.CA(organization_name="Company", organization_unit_name="Network")
    authority.cert_pem.write_to_path(AUTHORITY)
    past = datetime(2020, 1, 1, tzinfo=UTC), datetime(2020, 2, 1, tzinfo=UTC)
    for name, hosts, (begin, end) in (
        ("good", ("127.0.0.1", "localhost", "::1"), (None, None)),
        ("other", ("other.example",), (None, None)),
        ("expired", ("127.0.0.1", "localhost"), past),
    ):
        signed = authority.issue_cert(*hosts, not_before=begin, not_after=end)
        signed.private_key_and_cert_chain_pem.write_to_path(CERTIFICATES / f"{name}.pem")


make_certificates()


class _Quiet:
    """What a client does to its connections is its own."""

    daemon_threads = True

    def handle_error(self, *_):
        pass


class _WebServer(_Quiet, ThreadingHTTPServer):
    pass


class _ProxyServer(_Quiet, socketserver.ThreadingTCPServer):
    pass


class Service(Listening):
    """Answers every request with the same; with TLS where a certificate is named. Counts connections and requests."""

    def __init__(self, certificate=None, *, status=200, headers=None, body=None):
        self.connections = 0
        self.requests = []
        service = self
        content = json.dumps(ANSWER).encode() if body is None else body

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def setup(self):
                super().setup()
                service.connections += 1

            def do_POST(self):
                sent = self.rfile.read(int(self.headers.get("content-length") or 0))
                service.requests.append((self.command, self.path, dict(self.headers), sent))
                self.send_response(status)
                for name, value in {"content-type": "application/json", **(headers or {})}.items():
                    self.send_header(name, value)
                if self.close_connection:
                    self.send_header("connection", "close")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST  # noqa: N815 - the library's name

            def log_message(self, *_):
                pass

        server = _WebServer(("127.0.0.1", 0), Handler)
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATES / f"{certificate}.pem")
            # In the connection's own thread: a client that only connects holds nobody up.
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        super().__init__(server, "http" if certificate is None else "https")


class _Way(socketserver.StreamRequestHandler):
    """One connection to a proxy."""

    def handle(self):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = self.rfile.readline()
            if not line:
                return
            head += line
        first, *lines = filter(None, head.decode().splitlines())
        method, target, _ = first.split()
        given = next((line.split(" ", 2)[2] for line in lines if line.lower().startswith("proxy-auth")), "")
        proxy = self.server.proxy
        proxy.asked.append((method, target))
        proxy.logins.append(base64.b64decode(given).decode())
        if proxy.login is not None and proxy.logins[-1] != proxy.login:
            self.refuse(407, 'Proxy-Authenticate: Basic realm="x"\r\n')
        elif proxy.status is not None:
            self.refuse(proxy.status)
        elif method == "CONNECT":
            host, _, port = target.rpartition(":")
            with socket.create_connection((host, int(port))) as there:
                self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                self.join(there)
        else:
            self.forward(method, urlsplit(target), lines)

    def refuse(self, status, headers=""):
        self.wfile.write(f"HTTP/1.1 {status} No\r\n{headers}Content-Length: 0\r\n\r\n".encode())

    def forward(self, method, target, lines):
        """Send a request on, one a connection."""
        length = next((int(line.split(": ")[1]) for line in lines if line.lower().startswith("content-length")), 0)
        kept = [line for line in lines if not line.lower().startswith("proxy-")]
        path = target.path + ("?" + target.query if target.query else "")
        head = "\r\n".join([f"{method} {path} HTTP/1.1", *kept, "Connection: close", "", ""])
        with socket.create_connection((target.hostname, target.port)) as there:
            there.sendall(head.encode() + self.rfile.read(length))
            self.join(there)

    def join(self, there):
        pair = [self.connection, there]
        while not self.server.proxy.stopping.is_set():
            for one in select.select(pair, [], [], 0.05)[0]:
                data = one.recv(65_536)
                if not data:
                    return
                pair[one is self.connection].sendall(data)


class Proxy(Listening):
    """A proxy that tunnels and forwards, for whoever has the name and password where there are some.

    `status` is what it says in the place of a tunnel.
    """

    def __init__(self, login=None, *, status=None):
        self.asked = []
        self.logins = []
        self.login, self.status = login, status
        server = _ProxyServer(("127.0.0.1", 0), _Way)
        server.proxy = self
        super().__init__(server)
