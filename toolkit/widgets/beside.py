"""Work that a widget does beside the kernel's loop, so that other cells can run meanwhile."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Beside", "at_once", "in_this_loop"]

_T = TypeVar("_T")


class Beside:
    """Does one piece of blocking work at a time, in a thread where a loop runs, else at once.

    `started` and `ended` are called before and after each piece, `failed` with a sentence if it breaks or is stopped:
    what a task raises is shown nowhere else. `tasks` are under way.
    """

    def __init__(self, started: Callable[[], None], ended: Callable[[], None], failed: Callable[[str], None]) -> None:
        self.tasks: set[asyncio.Task[None]] = set()
        self._started, self._ended, self._failed = started, ended, failed

    @property
    def is_busy(self) -> bool:
        """Whether work is under way."""
        return bool(self.tasks)

    def do(self, work: Callable[[], _T], show: Callable[[_T], None]) -> None:
        """Do a piece of work that touches no widget, and show in the widgets' thread what it returns.

        Nothing is begun while another piece is under way.
        """
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            show(work())
            return
        if self.is_busy:
            return
        self._started()
        task = loop.create_task(self._run(work, show))
        self.tasks.add(task)
        task.add_done_callback(self._finished)

    async def _run(self, work: Callable[[], _T], show: Callable[[_T], None]) -> None:
        try:
            show(await asyncio.to_thread(work))
        except Exception as error:  # noqa: BLE001 - a task's error is shown nowhere else
            self._failed(f"{type(error).__name__}: {error}")

    def _finished(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        self._ended()
        if task.cancelled():
            self._failed("The work was stopped.")


def at_once(function: Callable[..., object], *given: object) -> None:
    """Call a function."""
    function(*given)


def in_this_loop() -> Callable[..., object]:
    """Return what calls a function in the running loop, where widgets may be changed; at once where there is none."""
    try:
        return asyncio.get_running_loop().call_soon_threadsafe
    except RuntimeError:
        return at_once
