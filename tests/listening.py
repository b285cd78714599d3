"""Servers on loopback: one that receives notifications, one that writes what it is told to."""

import queue
import re
import socketserver
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Listening:
    """Serves in a thread of its own until it is closed; then `stopping` tells what is under way to end."""

    def __init__(self, server, scheme="http"):
        self.stopping = threading.Event()
        self.port = server.server_address[1]
        self.url = f"{scheme}://127.0.0.1:{self.port}"
        self._server = server
        self._thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def close(self):
        self.stopping.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class Receiver(Listening):
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

        super().__init__(ThreadingHTTPServer(("127.0.0.1", 0), Handler))

    def next(self, seconds=20):
        """Return path, headers and raw body of the next delivery."""
        return self.deliveries.get(timeout=seconds)


class RawServer(Listening):
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
                    elif server.stopping.wait(piece):
                        return
                if not close:
                    server.stopping.wait(30)

        super().__init__(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler))
