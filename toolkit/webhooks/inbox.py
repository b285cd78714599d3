"""The inbox of notifications: each kept once, and found by whoever waits for it."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import islice
from threading import TIMEOUT_MAX, Lock
from typing import TYPE_CHECKING, Final

from toolkit.interface.checks import is_number
from toolkit.interface.errors import AnswerTimeoutError, EventError, InboxError, InputError, WebhookError
from toolkit.interface.models import BatchSubmission, WebhookEvent
from toolkit.interface.text import printable, shortened
from toolkit.webhooks.verify import event_json, read_event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from os import PathLike

    from toolkit.webhooks.kept import InboxFile

__all__ = ["Inbox"]

_KEPT_IDS: Final = 100_000
_KEPT_EVENTS: Final = 1_000
_KEPT_REFUSALS: Final = 100
#: Seconds; the interface's last attempt at a delivery comes this long after the one before.
_LONGEST_WAIT: Final = 3_600.0
_SHOWN: Final = 120


class Inbox:
    """Keeps verified events, each `webhook_id` once, and wakes whoever waits for one.

    It may be used from any number of threads and event loops at a time.

    Parameters
    ----------
    path : str or path-like, optional
        A file that events are kept in before they are acknowledged, so that none comes twice or is lost when the
        process ends. It is made if it is missing, readable by its owner only, and holds no secret. Left out, ids and
        events are kept in memory.

    Raises
    ------
    InboxError
        If the file cannot be used.

    Examples
    --------
    >>> inbox = Inbox()
    >>> event = WebhookEvent(event="quota.warning", timestamp="2026-01-01T00:00:00Z", webhook_id="w1")
    >>> inbox.take(event), inbox.take(event), len(inbox.events)
    (True, False, 1)
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        self._lock = Lock()
        self._events: deque[WebhookEvent] = deque(maxlen=_KEPT_EVENTS)
        #: Number of events that came, those no longer kept included.
        self._count = 0
        self._ids: OrderedDict[str, None] = OrderedDict()
        self._waiting: set[Future[None]] = set()
        self._refusals: deque[str] = deque(maxlen=_KEPT_REFUSALS)
        self._file: InboxFile | None = None
        if path is not None:
            from toolkit.webhooks.kept import InboxFile  # noqa: PLC0415 - SQLite is for those who keep a file

            self._file = InboxFile(path)
            try:
                self._events.extend(map(read_event, self._file.latest(_KEPT_EVENTS)))
            except EventError:
                raise InboxError(f"The inbox {self._file} holds what is no event. Name another file.") from None
            self._count = len(self._events)

    @property
    def events(self) -> list[WebhookEvent]:
        """The latest events, at most 1,000, in the order they came; with a file, those of earlier processes too."""
        with self._lock:
            return list(self._events)

    @property
    def refusals(self) -> list[str]:
        """Why notifications were refused, the latest 100."""
        with self._lock:
            return list(self._refusals)

    def take(self, event: WebhookEvent) -> bool:
        """Keep a verified event and wake whoever waits.

        Parameters
        ----------
        event : WebhookEvent
            What `verify` returned.

        Returns
        -------
        bool
            False if its `webhook_id` has come before; then nothing happens.

        Raises
        ------
        InboxError
            If the file cannot be written; the event is not kept, and must not be acknowledged.
        EventError
            If the event is nested too deeply to be written.
        """
        with self._lock:
            if not self._is_new(event):
                return False
            self._events.append(event)
            self._count += 1
            woken, self._waiting = self._waiting, set()
        for waiter in woken:
            waiter.set_result(None)
        return True

    def refuse(self, error: WebhookError) -> None:
        """Note why a notification was refused: whoever waits in vain is told."""
        with self._lock:
            self._refusals.append(str(error))

    def wait_for(
        self,
        wanted: str | Callable[[WebhookEvent], bool] | None = None,
        *,
        batch_id: str | BatchSubmission | None = None,
        after: WebhookEvent | None = None,
        timeout: float | None = _LONGEST_WAIT,
    ) -> WebhookEvent:
        """Return the first event that is wanted, whether it has come already or is still to come.

        Parameters
        ----------
        wanted : str or callable, optional
            Name of an event, such as ``batch.completed``; or a function that tells of an event whether it is wanted.
            Left out, any.
        batch_id : str or BatchSubmission, optional
            Only events about this batch. It may have failed as well as completed: look at `event`.
        after : WebhookEvent, optional
            Only events that came after this one.
        timeout : float or None
            Seconds to wait; None for ever.

        Returns
        -------
        WebhookEvent
            The event; the inbox keeps it.

        Raises
        ------
        AnswerTimeoutError
            If none came in time.
        InputError
            If `timeout` is no number of seconds.
        """
        matches, deadline = _matcher(wanted, batch_id), _deadline(timeout)
        position = self._position_of(after)
        while True:
            with self._arrival(position) as (events, position, arrived):
                for event in events:
                    if matches(event):
                        return event
                try:
                    arrived.result(None if deadline is None else max(deadline - time.monotonic(), 0.0))
                except TimeoutError:
                    raise self._none_came(wanted, batch_id, timeout) from None

    async def next_for(
        self,
        wanted: str | Callable[[WebhookEvent], bool] | None = None,
        *,
        batch_id: str | BatchSubmission | None = None,
        after: WebhookEvent | None = None,
        timeout: float | None = _LONGEST_WAIT,  # noqa: ASYNC109 - as `wait_for`, whose error says what was waited for
    ) -> WebhookEvent:
        """Return the first event that is wanted, as `wait_for` does, without holding up the event loop."""
        matches, deadline = _matcher(wanted, batch_id), _deadline(timeout)
        position = self._position_of(after)
        while True:
            with self._arrival(position) as (events, position, arrived):
                for event in events:
                    if matches(event):
                        return event
                left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
                try:
                    await asyncio.wait_for(asyncio.wrap_future(arrived), left)
                except TimeoutError:
                    raise self._none_came(wanted, batch_id, timeout) from None

    def __repr__(self) -> str:
        with self._lock:
            return f"<Inbox of {len(self._events)} events>"

    def _is_new(self, event: WebhookEvent) -> bool:
        if self._file is not None:
            return self._file.add(event.webhook_id, event_json(event))
        if event.webhook_id in self._ids:
            return False
        self._ids[event.webhook_id] = None
        if len(self._ids) > _KEPT_IDS:
            self._ids.popitem(last=False)
        return True

    def _position_of(self, after: WebhookEvent | None) -> int:
        """Return how many events came up to this one, or before those that are kept if it is not among them."""
        if after is None:
            return 0
        with self._lock:
            first = self._count - len(self._events)
            places = (place for place, event in enumerate(self._events, 1) if event.webhook_id == after.webhook_id)
            return first + next(places, 0)

    @contextmanager
    def _arrival(self, position: int) -> Iterator[tuple[list[WebhookEvent], int, Future[None]]]:
        """Give the events since a position, the new position, and what is set when another event comes."""
        arrived: Future[None] = Future()
        # It is shared between threads; a waiter that gives up must not be able to cancel it.
        arrived.set_running_or_notify_cancel()
        with self._lock:
            skipped = max(position - (self._count - len(self._events)), 0)
            events, count = list(islice(self._events, skipped, None)), self._count
            self._waiting.add(arrived)
        try:
            yield events, count, arrived
        finally:
            with self._lock:
                self._waiting.discard(arrived)

    def _none_came(self, wanted: object, batch: str | BatchSubmission | None, timeout: float | None) -> Exception:
        kind = f"{wanted} " if isinstance(wanted, str) else ""
        about = "" if batch is None else f" about batch {_id_of(batch)}"
        with self._lock:
            refused = f" The last that was refused: {self._refusals[-1]}" if self._refusals else ""
            count = len(self._events)
        what = printable(shortened(f"{kind}notification{about}", _SHOWN))
        return AnswerTimeoutError(
            f"No {what} came within {timeout:g} s; the inbox holds {count or 'no'} "
            f"{'event' if count == 1 else 'events'}. Check that the sender can reach the receiver's address.{refused}"
        )


def _matcher(
    wanted: str | Callable[[WebhookEvent], bool] | None, batch: str | BatchSubmission | None
) -> Callable[[WebhookEvent], bool]:
    batch_id = None if batch is None else _id_of(batch)

    def matches(event: WebhookEvent) -> bool:
        if batch_id is not None and str(event.data.get("batch_id")) != batch_id:
            return False
        if wanted is None:
            return True
        return event.event == wanted if isinstance(wanted, str) else bool(wanted(event))

    return matches


def _id_of(batch: str | BatchSubmission) -> str:
    return batch.batch_id if isinstance(batch, BatchSubmission) else batch


def _deadline(timeout: float | None) -> float | None:
    if timeout is None:
        return None
    if not is_number(timeout, 0):
        raise InputError(f"timeout must be a number of seconds, or None to wait for ever, not {timeout!r}.")
    return time.monotonic() + min(timeout, TIMEOUT_MAX / 2)
