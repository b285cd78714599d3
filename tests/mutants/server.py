"""A server on loopback that writes the bytes of cases, however broken; it runs in a thread of its own."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections import Counter
from typing import Any, Final

from toolkit.service.knowledge.vocabulary import filters_document

from .truth import Case, Reply

_MARK: Final = re.compile(rb"c(\d+)-mutant")
_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_PAGE: Final = re.compile(rb"[?&]page=(\d+)")
_JSON: Final = [("Content-Type", "application/json")]


class MutantServer:
    """Answers each request with the case whose mark stands in it.

    Attributes
    ----------
    cases : dict of int to Case
        What there is to answer with.
    asked : Counter
        How often each case was asked for.
    url : str
        Its address.
    """

    def __init__(self) -> None:
        self.cases: dict[int, Case] = {}
        self.asked: Counter[int] = Counter()
        self._polls: Counter[int] = Counter()
        self.submitted: Counter[int] = Counter()
        #: The case that is the vocabulary for now: a request for it carries no mark.
        self.vocabulary: int | None = None
        self._filters = json.dumps(filters_document()).encode()
        self._loop = asyncio.new_event_loop()
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        ready.wait()

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        self._server = self._loop.run_until_complete(
            asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2**20, backlog=512)
        )
        self.port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        ready.set()
        self._loop.run_forever()

    def close(self) -> None:
        """End it and its connections."""

        async def ending() -> None:
            self._server.close()
            others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            self._loop.stop()

        asyncio.run_coroutine_threadsafe(ending(), self._loop)
        self._thread.join(10)
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = _LENGTH.search(head)
                body = await reader.readexactly(int(length[1])) if length else b""
                reply = self._reply(head, body)
                for piece in reply.pieces():
                    if isinstance(piece, bytes):
                        writer.write(piece)
                        await writer.drain()
                    else:
                        await asyncio.sleep(piece)
                if reply.closes:
                    break
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    def _reply(self, head: bytes, body: bytes) -> Reply:
        line = head.split(b"\r\n", 1)[0]
        found = _MARK.search(line) or _MARK.search(body)
        if found is None or int(found[1]) not in self.cases:
            if b"/filters.php" in line:
                if self.vocabulary is not None:
                    self.asked[self.vocabulary] += 1
                    return self.cases[self.vocabulary].reply
                return Reply(self._filters, headers=_JSON)
            return Reply(b'{"error": "no such case"}', 404, "Not Found", _JSON)
        index = int(found[1])
        self.asked[index] += 1
        case = self.cases[index]
        return self._of_job(case, line) if case.script else case.reply

    def _of_job(self, case: Case, line: bytes) -> Reply:
        """Return what a job says next: to its submission, while it is under way, and at its end by pages."""
        script = case.script
        if line.startswith(b"POST"):
            self.submitted[case.index] += 1
            return self._written(script["submission"], 200)
        page = _PAGE.search(line)
        number = self._polls[case.index]
        if page is None and number < len(script["waits"]):
            self._polls[case.index] += 1
            status, said = script["waits"][number]
            return self._written(said, status)
        pages = script["pages"]
        return self._written(pages[min(int(page[1]) if page else 1, len(pages)) - 1], 200)

    def _written(self, body: Any, status: int) -> Reply:
        text = json.dumps(body).replace("@base@", self.url).replace("@port@", str(self.port))
        return Reply(text.encode(), status, headers=_JSON)
