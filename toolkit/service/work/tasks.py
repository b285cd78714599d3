"""What is done for one answer: a page or text is read, and the reading becomes the answer's body."""

from __future__ import annotations

import json
import pickle
import time
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias

from toolkit.service.company.wanted import GROUPS
from toolkit.service.failures import Failure
from toolkit.service.knowledge.arithmetic import one_thread
from toolkit.service.readers.segmentation import legacy_shape, structured_shape
from toolkit.service.subjects.readings import Reading, classified, taken_apart
from toolkit.service.web.shapes import categories_shape, content_shape

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from toolkit.service.pages.fetching import Fetched

__all__ = ["Done", "Source", "Task", "Workers", "is_prepared", "overdue", "perform", "prepare"]

#: A page as it was fetched, a text, or a reading as `perform` has returned it.
Source: TypeAlias = "Fetched | str | bytes"

_loading: Final = Lock()
#: Bodies of which all is loaded.
_loaded: Final[set[str]] = set()
_SAMPLE: Final = "We fold the flour into the egg whites, then bake the sponge cake for half an hour in our kitchen."
#: What a body is made of beside the sample.
_SAMPLE_ARGUMENTS: Final[Mapping[str, tuple[Hashable, ...]]] = {
    "categories": (),
    "content": (True,),
    "enrichment": ("kites.example", tuple(GROUPS)),
}


@dataclass(frozen=True, slots=True)
class Task:
    """What is wanted of a page: the name of a body in `_BODIES`, and what it is made of beside the reading."""

    body: str
    arguments: tuple[Hashable, ...] = ()


class Done(NamedTuple):
    """What came of a task: the body as JSON, and the reading to go on from, empty where it cannot be kept."""

    body: bytes
    reading: bytes


class Workers(Protocol):
    """Who performs tasks: threads of this process, or other processes."""

    async def start(self) -> None:
        """Be ready to answer at once."""

    async def perform(self, source: Source, task: Task) -> Done:
        """Perform a task, or raise a `Failure`: that of the task, or 410 for one that takes too long."""

    async def close(self) -> None:
        """Leave what is under way."""


def perform(source: Source, task: Task, until: float) -> Done:
    """Read a page or text and make the body of an answer; 410 where it goes on beyond a time of the monotonic clock.

    >>> done = perform(_SAMPLE, Task("content", (False,)), time.monotonic() + 60)
    >>> list(json.loads(done.body))[0]
    'std_classification'
    """
    if isinstance(source, bytes):
        reading: Reading = pickle.loads(source)  # noqa: S301 - made by this function
    else:
        reading = classified(taken_apart(source))
    _check(until)
    body = json.dumps(_BODIES[task.body](reading, *task.arguments)).encode()
    # Afterwards, with the categories that it was asked for.
    return Done(body, b"" if isinstance(source, bytes) else _kept(reading))


def prepare(*bodies: str) -> None:
    """Load all that some bodies need, or any, each once, whoever asks first; others wait for it."""
    # With more, threads of the arithmetic wait for each other by turning round, on every core.
    with _loading, one_thread():
        until = time.monotonic() + 1e9
        for body in bodies or _BODIES:
            if body not in _loaded:
                perform(_SAMPLE, _sample_task(body), until)
                _loaded.add(body)


def is_prepared(body: str) -> bool:
    """Tell whether all is loaded that a body needs."""
    return body in _loaded


def _sample_task(body: str) -> Task:
    if body == "explanation":
        from toolkit.service.why.asked import find_subject  # noqa: PLC0415 - long to load, and seldom needed

        return Task(body, (find_subject("Food & Drink"),))
    return Task(body, _SAMPLE_ARGUMENTS.get(body, ("",)))


def overdue(seconds: float) -> Failure:
    """Return what a page is answered with that takes too long."""
    return Failure(410, f"the content was not read within {seconds:g} seconds; send less of it, or another page")


def _check(until: float) -> None:
    """End a work that nobody waits for any more, where it can be ended in this process."""
    if time.monotonic() > until:
        raise Failure(410, "the content was not read in time")


def _kept(reading: Reading) -> bytes:
    try:
        return pickle.dumps(reading, protocol=pickle.HIGHEST_PROTOCOL)
    except RecursionError:  # structured data may be nested deeper than can be written
        return b""


def _categories(reading: Reading) -> dict[str, Any]:
    return {"categories": categories_shape(reading)}


def _content(reading: Reading, personas: bool) -> dict[str, Any]:
    return content_shape(reading, personas=personas)


def _structured(reading: Reading, query: str) -> dict[str, Any]:
    return structured_shape(query, reading)


def _legacy(reading: Reading, query: str) -> dict[str, Any]:
    return legacy_shape(query, reading)


def _enrichment(reading: Reading, domain: str, groups: tuple[str, ...]) -> dict[str, Any]:
    from toolkit.service.company.enrichment import enrich  # noqa: PLC0415 - long to load, and no other body needs it

    return enrich(domain, reading.page, reading.content, groups)


def _explanation(reading: Reading, subject: Any) -> dict[str, Any]:
    from toolkit.service.why.explanations import explain  # noqa: PLC0415 - long to load, and seldom needed

    return explain(reading, subject)


_BODIES: Final[Mapping[str, Callable[..., dict[str, Any]]]] = {
    "categories": _categories,
    "content": _content,
    "structured": _structured,
    "legacy": _legacy,
    "enrichment": _enrichment,
    "explanation": _explanation,
}
