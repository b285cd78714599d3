"""What asking needs, whoever asks: the way to the service, the stored answers before it, and the vocabulary."""

from __future__ import annotations

import asyncio
import warnings
from functools import partial
from typing import TYPE_CHECKING, Final

from toolkit.interface import calls
from toolkit.interface.checks import levels_inside
from toolkit.interface.errors import ContentError, ToolkitError
from toolkit.interface.reading import read_answer, read_json
from toolkit.interface.vocabulary import Vocabulary, VocabularyWarning
from toolkit.net.cache import Cache, Reading

if TYPE_CHECKING:
    from toolkit.interface.calls import Call
    from toolkit.interface.models import Answer
    from toolkit.interface.reading import Received
    from toolkit.net.transport import Transport
    from toolkit.store.answers import Store

__all__ = ["Session"]

#: Seconds that a run waits for the vocabulary before it begins without it.
_LONGEST_LOOK: Final = 10.0


class Session:
    """A service, and the store before it if there is one; clients, runs and batches ask through it."""

    def __init__(self, transport: Transport, cache: Cache | None = None) -> None:
        self.transport = transport
        self.connection = transport.connection
        self.retries = transport.retries
        self.cache = cache
        self._vocabulary: Vocabulary | None = None
        #: Whether it was looked whether the vocabulary can read the bands of answers; the embedded service's own can,
        #: and to read it takes longer than to answer.
        self.is_looked_at = self.connection.embedded

    @property
    def store(self) -> Store | None:
        """The file of stored answers, if there is one."""
        return self.cache.store if self.cache else None

    def with_reading(self, reading: Reading) -> Session:
        """Return the same session with another use of its stored answers, if it has some."""
        return Session(self.transport, self.cache and self.cache.with_reading(reading))

    def cache_of(self, store: Store, *, stale: bool = False, refresh: bool = False) -> Cache:
        """Return what stands before the service where answers are kept in this store, and are read as is said."""
        own = self.cache
        reading = Reading(stale=stale, refresh=refresh) if stale or refresh or own is None else own.reading
        if own is not None and own.store is store:
            return own.with_reading(reading)
        return Cache(store, self.connection, reading)

    async def answer(self, call: Call) -> Answer:
        """Return the answer to a call, stored or new."""
        if self.cache is None:
            return await self.transport.send(call, partial(read_answer, call))
        if (kept := self.cache.find(call)) is None:
            return await self.transport.send(call, partial(self.cache.read, call))
        try:
            return calls.model_of(call).decode(read_json(call, kept.received), kept.provenance)
        except ContentError as error:
            error.fetched_at, error.from_cache = kept.fetched_at, True
            raise

    async def filters(self, *, refresh: bool = False) -> Vocabulary:
        """Return the vocabulary, fetched once."""
        if self._vocabulary is None or refresh:
            call = calls.filters()
            kept = self.cache.find(call, refresh=refresh) if self.cache else None
            if kept is None and self.cache and self.cache.reading.as_of is not None and not refresh:
                # A later vocabulary reads what was answered then, and nothing need be sent for it.
                kept = self.cache.store.find(call, self.connection.service(call.family), stale=True)

            def read(received: Received) -> Vocabulary:
                raw = read_json(call, received)
                vocabulary = Vocabulary.parse(raw)
                # Only then: what is no vocabulary would be served for days, and cost nothing to have.
                if self.cache and kept is None:
                    self.cache.keep(call, received, raw)
                return vocabulary

            self._vocabulary = read(kept.received) if kept else await self.transport.send(call, read)
        return self._vocabulary

    async def look_at_vocabulary(self) -> None:
        """Warn, once, where the vocabulary lists no values: the bands of answers would be missing in every frame.

        It is free and needs no key. One that cannot be had now is no reason not to ask.
        """
        self.is_looked_at = True
        try:
            async with asyncio.timeout(_LONGEST_LOOK):
                vocabulary = await self.filters()
        except (ToolkitError, TimeoutError):
            return
        if not vocabulary.lists_values:
            warnings.warn(
                f"{vocabulary!r} lists no values of any field, so that ages, incomes and other bands of the answers "
                "cannot be read into frames; codes can. vocabulary.problems() says what was not understood.",
                VocabularyWarning,
                stacklevel=levels_inside(),
            )

    async def close(self) -> None:
        """Close the connections; the store is whose it was."""
        await self.transport.close()
