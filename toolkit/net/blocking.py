"""Running coroutines from blocking code: in a script, in a notebook cell with its loop, in a widget callback."""

from __future__ import annotations

import atexit
import os
from concurrent.futures import Future
from contextlib import suppress
from threading import Event, Lock, Thread, current_thread
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from anyio import CancelScope
from anyio.from_thread import BlockingPortal

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

__all__ = ["run_blocking", "start_background"]

T = TypeVar("T")

_portal: BlockingPortal | None = None
_portal_lock = Lock()


def _forget_portal() -> None:
    """Let a forked child start a loop thread of its own: the parent's is not in it."""
    global _portal, _portal_lock
    _portal, _portal_lock = None, Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_portal)


def run_blocking(function: Callable[..., Awaitable[T]], *args: Any) -> T:
    """Run a coroutine function to its end from any thread, also inside a running event loop.

    An interrupt cancels what runs, at whatever moment it comes.
    """
    scopes: list[CancelScope] = []
    abandoned = Event()

    async def cancellable() -> T:
        with CancelScope() as scope:
            scopes.append(scope)
            if abandoned.is_set():
                scope.cancel()
            return await function(*args)
        raise AssertionError  # a cancelled scope ends here, and nobody waits for it

    def cancel() -> None:
        for scope in scopes:
            scope.cancel()

    portal = _running_portal()
    try:
        return portal.start_task_soon(cancellable).result()
    except Exception:
        raise
    except BaseException:
        # The task may run although the interrupt came before there was a future to cancel.
        abandoned.set()
        portal.start_task_soon(cancel)
        raise


def start_background(function: Callable[..., Awaitable[T]], *args: Any) -> Future[T]:
    """Start a coroutine function in the loop thread and return its future; cancelling that cancels it."""
    return _running_portal().start_task_soon(function, *args)


def _running_portal() -> BlockingPortal:
    global _portal  # noqa: PLW0603 - one loop thread a process
    with _portal_lock:
        if _portal is None:
            # By the thread itself, where no interrupt comes: one while it opens would wait for its end for ever.
            opened: Future[BlockingPortal] = Future()
            # A thread that Python waits for at its end would be waited for before it is told to end.
            Thread(target=_hold_portal, args=(opened,), daemon=True).start()
            _portal = opened.result()
        return _portal


def _hold_portal(opened: Future[BlockingPortal]) -> None:
    async def hold() -> None:
        async with BlockingPortal() as portal:
            atexit.register(_close_portal, portal, current_thread(), os.getpid())
            opened.set_result(portal)
            await portal.sleep_until_stopped()

    try:
        anyio.run(hold)
    except BaseException as error:
        if opened.done():
            raise
        opened.set_exception(error)


def _close_portal(portal: BlockingPortal, thread: Thread, process: int) -> None:
    """End the loop thread; that of a parent is not in its child, which would wait for it for ever."""
    if os.getpid() == process:
        with suppress(RuntimeError):  # it has ended
            portal.call(portal.stop)
        thread.join()
