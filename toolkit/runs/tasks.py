"""What a journal is of: tasks, what came of them, and rows of the input with the answers to them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from toolkit.interface.calls import Call
    from toolkit.interface.errors import ToolkitError
    from toolkit.interface.models import Provenance
    from toolkit.interface.reading import Received, Stated

__all__ = ["Entry", "Row", "State", "Task"]


class State(IntEnum):
    """Where a task stands."""

    WAITING = 0
    SENT = 1
    ANSWERED = 2
    STORED = 3
    FAILED = 4


@dataclass(frozen=True, slots=True)
class Task:
    """Something to be asked once: its number, which question, of what target, and the attempts so far."""

    id: int
    place: int
    target: str
    attempts: int


@dataclass(frozen=True, slots=True)
class Entry:
    """What came of a task, to be written."""

    task: Task
    state: State
    status: int | None = None
    error: str | None = None
    call: Call | None = None
    received: Received | None = None
    source: Provenance | Stated | None = None
    problem: ToolkitError | None = None


class Row(NamedTuple):
    """A row of the input for one question, what came of its task, and the answer if there is one."""

    position: int
    given: str
    normal: str
    problem: str | None
    state: int | None
    status: int | None
    error: str | None
    request_id: str | None
    vocab_version: str | None
    #: In microseconds since 1970.
    fetched_at: int | None
    #: 0 where an earlier row has the same answer, or the store had it.
    credits_used: int | None
    #: The normal form of what was asked about.
    asked: str | None
    #: The class of the error.
    kind: str | None
    media: str
    packed: int
    #: None where there is no answer.
    body: bytes | None
