"""Pages and what was made of them: fetched, handed to those who read, and kept for a while."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from cachetools import TTLCache

from toolkit.interface.targets import parse_target
from toolkit.service.failures import Failure
from toolkit.service.pages.problems import FetchProblem

if TYPE_CHECKING:
    from toolkit.interface.targets import Target
    from toolkit.service.pages.fetching import Fetcher
    from toolkit.service.work.tasks import Source, Task, Workers

__all__ = ["Library"]

_KEPT_BYTES: Final = 64_000_000
_KEPT_SECONDS: Final = 600
#: What an entry takes beside its own bytes.
_ENTRY_BYTES: Final = 1_000


class Library:
    """Answers from pages, with a fetcher and workers that it closes.

    Of a page are kept what was read of it, not its source, and the bodies made of that; both as bytes, so many at most.
    """

    def __init__(self, fetcher: Fetcher, workers: Workers) -> None:
        self._fetcher = fetcher
        self._workers = workers
        self._kept: TTLCache[tuple[str, Task | None], bytes] = TTLCache(_KEPT_BYTES, _KEPT_SECONDS, getsizeof=_size)

    async def start(self) -> None:
        """Be ready to answer at once."""
        await self._workers.start()

    async def answer(self, target: Target, task: Task, *, fall_back: bool = False) -> dict[str, Any]:
        """Return the body that a task makes of a page.

        The answer is 411 if no page came, 410 if it has too few words, is that of a parked domain, or takes too long to
        read. With `fall_back` a subdomain with no or too little content is answered with its root domain.
        """
        try:
            return await self._answer(target, task)
        except Failure:
            if not (fall_back and target.is_subdomain and target.registrable):
                raise
        return await self._answer(parse_target(target.registrable), task)

    async def answer_text(self, text: str, task: Task) -> dict[str, Any]:
        """Return the body that a task makes of a text, or answer 410 if it has too few words."""
        return _parsed((await self._workers.perform(text, task)).body)

    async def close(self) -> None:
        """Close the connections, and leave what is under way."""
        await self._workers.close()
        await self._fetcher.close()

    async def _answer(self, target: Target, task: Task) -> dict[str, Any]:
        url = target.url
        if (kept := self._kept.get((url, task))) is not None:
            return _parsed(kept)
        done = await self._workers.perform(self._kept.get((url, None)) or await self._fetched(target), task)
        if done.reading:
            self._kept[url, None] = done.reading
        self._kept[url, task] = done.body
        return _parsed(done.body)

    async def _fetched(self, target: Target) -> Source:
        try:
            return await self._fetcher.fetch(target)
        except FetchProblem as problem:
            raise Failure(411, str(problem)) from None


def _parsed(body: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(body)
    return found


def _size(entry: bytes) -> int:
    return len(entry) + _ENTRY_BYTES
