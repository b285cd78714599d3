"""A server that answers every request at once, or after a while, with the body that it is given.

``python stub_server.py BODY-FILE [SECONDS]`` prints its port. It speaks as little HTTP as a client needs, so that a
benchmark measures the client. A request to ``/count`` is answered with the number of the others so far.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path


class Stub(asyncio.Protocol):
    """One connection, kept open."""

    answer = b""
    seconds = 0.0
    requests = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = transport
        self._buffer = b""

    def data_received(self, data: bytes) -> None:
        """Answer each request that is whole."""
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[:end].lower()
            place = head.find(b"content-length:")
            length = int(head[place + 15 :].split(b"\r\n", 1)[0]) if place >= 0 else 0
            if len(self._buffer) < end + 4 + length:
                return
            self._buffer = self._buffer[end + 4 + length :]
            if head.startswith(b"get /count"):
                self._transport.write(as_response(str(Stub.requests).encode()))
                continue
            Stub.requests += 1
            if Stub.seconds:
                asyncio.get_running_loop().call_later(Stub.seconds, self._transport.write, Stub.answer)
            else:
                self._transport.write(Stub.answer)


def as_response(body: bytes) -> bytes:
    """Return an HTTP response with a JSON body."""
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def main(body: bytes, seconds: float) -> None:
    """Serve until the process is ended."""
    Stub.answer, Stub.seconds = as_response(body), seconds
    server = await asyncio.get_running_loop().create_server(Stub, "127.0.0.1", 0, backlog=2048)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]).read_bytes(), float(sys.argv[2]) if len(sys.argv) > 2 else 0.0))
