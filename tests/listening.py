"""Servers on loopback: one that receives notifications, one that writes what it is told to."""

import queue
import re
import socketserver
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


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
