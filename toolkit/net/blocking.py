"""Running coroutines from blocking code: in a script, in a notebook cell with its loop, in a widget callback.

One thread a process keeps an event loop. As the program ends what is under way is stopped, and the loop after it,
before anything else is cleaned up: the files of a run, or a database, must not go while somebody works with them.
"""

from __future__ import annotations

import atexit
import concurrent.futures.thread  # noqa: F401 - what reads pages asks for it, and after the end of the main thread too late
import os
import threading
import time
import weakref
from concurrent.futures import Future, wait
from contextlib import suppress
from functools import partial
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import anyio
from anyio import CancelScope
from anyio.from_thread import BlockingPortal

from toolkit.interface.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

__all__ = ["is_ending", "run_blocking", "start_background"]

T = TypeVar("T")

#: Seconds that the end of the program waits for each: for what was asked to stop, for the loop, for pages being read.
_PATIENCE: Final = 3.0
#: How anyio names the threads in which the embedded service reads pages.
_READER: Final = "AnyIO worker thread"

_portal: BlockingPortal | None = None
_portal_lock = Lock()
_loop_thread: Thread | None = None
#: What was started in the background and has not ended, and how each is asked to stop.
_background: dict[Future[Any], Callable[[], object]] = {}
_ending = False


def _forget_portal() -> None:
    """Let a forked child start a loop thread of its own: the parent's is not in it."""
    global _portal, _portal_lock, _loop_thread
    _portal, _portal_lock, _loop_thread = None, Lock(), None
    _background.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_portal)


def is_ending() -> bool:
    """Tell whether the program is at its end, and nothing can be asked any more."""
    return _ending


def run_blocking(function: Callable[..., Awaitable[T]], *args: Any) -> T:
    """Run a coroutine function to its end from any thread, also inside a running event loop.

    An interrupt cancels what runs, at whatever moment it comes. At the end of the program it is a ConfigurationError.
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
        if _ending:
            _refuse()
        raise
    except BaseException:
        # The task may run although the interrupt came before there was a future to cancel.
        abandoned.set()
        portal.start_task_soon(cancel)
        raise


def start_background(
    function: Callable[..., Awaitable[T]], *args: Any, stop: Callable[[], object] = lambda: None
) -> Future[T]:
    """Start a coroutine function in the loop thread and return its future; cancelling that cancels it.

    `stop` asks it to come to an end soon, with the program. Of what has to be cancelled then nobody hears.
    """
    future: Future[T] = Future()
    work = _running_portal().start_task_soon(function, *args)
    _background[work] = stop
    future.add_done_callback(lambda _: work.cancel())
    work.add_done_callback(partial(_tell, future))
    return future


def _tell(future: Future[T], work: Future[T]) -> None:
    _background.pop(work, None)
    if not work.cancelled():
        if not future.set_running_or_notify_cancel():
            return
        if (error := work.exception()) is not None:
            future.set_exception(error)
        else:
            future.set_result(work.result())
    elif not _ending:
        future.cancel()


def _running_portal() -> BlockingPortal:
    global _portal, _loop_thread
    if _ending:
        _refuse()
    with _portal_lock:
        if _portal is None:
            opened: Future[BlockingPortal] = Future()
            # A daemon: no other thread would be stopped only after the others have ended.
            thread = Thread(target=_keep_loop, args=(opened,), name="toolkit-loop", daemon=True)
            thread.start()
            _portal, _loop_thread = opened.result(), thread
        return _portal


def _keep_loop(opened: Future[BlockingPortal]) -> None:
    async def keep() -> None:
        async with BlockingPortal() as portal:
            opened.set_result(portal)
            await portal.sleep_until_stopped()

    try:
        anyio.run(keep)
    except BaseException as error:
        if not opened.done():  # whatever it is, who waits must hear of it
            opened.set_exception(error)
        elif not _ending:  # at the end the loop lacks threads to clean up with, and nothing depends on it any more
            raise


def _refuse() -> NoReturn:
    if threading.current_thread() is not threading.main_thread():
        # A daemon, as for any other thread the end has waited. It has no more to say: it ends where it stands.
        Event().wait()
    raise ConfigurationError("The program is ending, and nothing can be asked any more. Ask before its end.")


def _end() -> None:
    """Stop what is under way, and the loop; each within bounds, as a program must end."""
    global _ending  # noqa: PLW0603 - a program ends once
    _ending = True
    for stop in list(_background.values()):
        stop()
    wait(list(_background), _PATIENCE)
    if _portal is not None and _loop_thread is not None:
        with suppress(RuntimeError):  # it was interrupted, and is not running
            _portal.start_task_soon(_portal.stop, True)
        _loop_thread.join(_PATIENCE)
    # Cancelling does not end a thread that reads a page. In compiled code it would take the process down when it comes
    # back into an interpreter that is gone. Those of loops that are open are somebody else's.
    until = time.monotonic() + _PATIENCE
    for thread in threading.enumerate():
        loop = getattr(thread, "loop", None)
        if thread.name == _READER and loop is not None and loop.is_closed():
            thread.join(max(until - time.monotonic(), 0.0))


# What is registered last runs first: this before the finalisers that remove the files of runs and others' folders.
weakref.finalize(Event(), _forget_portal).detach()
atexit.register(_end)
