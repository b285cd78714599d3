"""Stored answers in the place of new ones: what a client with a store asks first, and what it keeps."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from toolkit.interface.calls import model_of
from toolkit.interface.errors import ContentError, InputError, InvalidKeyError
from toolkit.interface.reading import provenance, read_json
from toolkit.store.answers import NEVER, microseconds_of, moment_of
from toolkit.store.freshness import CLOCKS_DIFFER, STORED_ENDPOINTS, age_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolkit.interface.calls import Call, Family, Question
    from toolkit.interface.models import Answer
    from toolkit.interface.reading import Received
    from toolkit.net.connection import Connection
    from toolkit.store.answers import Kept, Store, When
    from toolkit.store.freshness import Age, Freshness

__all__ = ["Cache", "Reading", "Window"]


@dataclass(frozen=True, slots=True)
class Reading:
    """Which stored answers are used: see `Client.with_options`."""

    max_age: Age | None = None
    stale: bool = False
    refresh: bool = False
    as_of: When | None = None

    def __post_init__(self) -> None:
        if self.max_age is not None:
            age_of(self.max_age, "max_age")
        if self.as_of is not None:
            moment_of(self.as_of)
        options = {"max_age": self.max_age, "stale": self.stale, "refresh": self.refresh, "as_of": self.as_of}
        # By identity: an age of 0 is given, too.
        given = [name for name, value in options.items() if value is not None and value is not False]
        if len(given) > 1:
            raise InputError(f"{' and '.join(given)} contradict each other. Pass one of them.")

    def window(self, fresh: Freshness, endpoint: str) -> Window | None:
        """Return from when to when stored answers of an endpoint are used; None where they are not."""
        now = time.time_ns() // 1000
        if self.refresh:
            return None
        if self.as_of is not None:
            return Window(0, 0, microseconds_of(moment_of(self.as_of)))
        if self.stale:
            return Window(0, 0, NEVER)
        until = now + CLOCKS_DIFFER // timedelta(microseconds=1)
        if self.max_age is not None:
            oldest = now - round(1e6 * age_of(self.max_age).total_seconds())
            return Window(oldest, oldest, until)
        return Window(*fresh.since(endpoint, now), until)


class Window(NamedTuple):
    """Times of stored answers that are used, in microseconds since 1970: answers and failures since, and both until."""

    answers: int
    failures: int
    until: int


class Cache:
    """A store in front of a service."""

    def __init__(self, store: Store, connection: Connection, reading: Reading | None = None) -> None:
        self.store = store
        self.reading = reading or Reading()
        self._connection = connection
        # By family: both may be asked at one address with a key each.
        self._proven: set[Family] = set()

    def with_reading(self, reading: Reading) -> Cache:
        """Return the same store used in another way."""
        found = Cache(self.store, self._connection, reading)
        found._proven = self._proven
        return found

    def find(self, call: Call, *, refresh: bool = False) -> Kept | None:
        """Return the stored answer that stands for a call, or None if the service is to be asked.

        Where only the state as of a time is wanted, nobody is asked, and what is missing is an InputError.
        """
        how = self.reading
        if call.endpoint not in STORED_ENDPOINTS or refresh or how.refresh:
            return None
        if call.keyed and not self.may_serve(call.family):
            if how.as_of is not None:
                raise InputError(self._untried(call.endpoint))
            return None
        service = self._connection.service(call.family)
        found = self.store.find(call, service, max_age=how.max_age, stale=how.stale, as_of=how.as_of)
        # The vocabulary of now is better than none: it costs nothing, and reads what was answered then.
        if found is None and how.as_of is not None and call.keyed:
            raise InputError(self._missing(call.endpoint, f" for {call.normal}"))
        return found

    def lacks(self, question: Question) -> str:
        """Return why a question has no answer as of a time."""
        served = self.may_serve(question.family)
        return self._missing(question.endpoint, " for this target") if served else self._untried(question.endpoint)

    def _untried(self, endpoint: str) -> str:
        return (
            f"The service has not accepted this key yet, so {endpoint} cannot be answered from the store. "
            "Ask for anything without as_of first."
        )

    def _missing(self, endpoint: str, about: str) -> str:
        moment = "" if self.reading.as_of is None else f" as of {moment_of(self.reading.as_of):%Y-%m-%d %H:%M} UTC"
        return f"The store has no answer of {endpoint}{about}{moment}. Ask without as_of, or later."

    def window(self, question: Question) -> Window | None:
        """Return from when to when stored answers to a question are used; None where none is."""
        return self.reading.window(self.store.fresh, question.endpoint) if self.may_serve(question.family) else None

    def read(self, call: Call, received: Received) -> Answer:
        """Read what came, and keep it before anything else can go wrong with it."""
        try:
            raw = read_json(call, received)
        except ContentError as error:
            self.keep(call, received, error.raw if isinstance(error.raw, dict) else {}, error.status)
            raise
        except InvalidKeyError:
            self.refuse(call.family)
            raise
        source = self.keep(call, received, raw)
        return model_of(call).decode(raw, source)

    def keep(self, call: Call, received: Received, raw: Mapping[str, Any], status: int = 200) -> Any:
        """Write what came, remember that the key was good, and return what the answer states of itself."""
        source = provenance(call, received, raw)
        if call.endpoint in STORED_ENDPOINTS:
            self.store.keep(call, self._connection.service(call.family), received, source, status)
        if call.keyed:
            self.prove(call.family)
        return source

    def may_serve(self, family: Family) -> bool:
        """Tell whether stored answers may be used: not with a key that the service has never accepted."""
        connection = self._connection
        if connection.embedded or family in self._proven:
            return True
        key = connection.key(family)
        if key is not None and self.store.knows(connection.service(family), key.get_secret_value()):
            self._proven.add(family)
            return True
        return False

    def prove(self, family: Family) -> None:
        """Remember that the service has accepted the key of a family."""
        if family not in self._proven and (key := self._connection.key(family)) is not None:
            self.store.accept(self._connection.service(family), key.get_secret_value())
            self._proven.add(family)

    def refuse(self, family: Family) -> None:
        """Forget a key that the service has refused."""
        self._proven.discard(family)
        if (key := self._connection.key(family)) is not None:
            self.store.refuse(self._connection.service(family), key.get_secret_value())
