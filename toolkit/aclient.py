"""The asynchronous client: one coroutine per endpoint."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Self, cast, overload

from toolkit.interface import calls
from toolkit.interface.calls import model_of
from toolkit.interface.errors import ConfigurationError, InputError
from toolkit.interface.reading import Received, read_answer, read_json
from toolkit.interface.vocabulary import Vocabulary
from toolkit.net.cache import Cache, Reading
from toolkit.net.connection import NOT_PICKLED, Connection, check_seconds, sealed
from toolkit.net.transport import Retries, Transport
from toolkit.store.answers import Store

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    import httpx
    from pydantic import SecretStr

    from toolkit.interface.calls import Call
    from toolkit.interface.explanations import Explanation
    from toolkit.interface.models import (
        Answer,
        BatchResults,
        BatchSubmission,
        Categorization,
        ContentCategorization,
        Enrichment,
        LegacySegmentation,
        Segmentation,
    )
    from toolkit.interface.targets import Target
    from toolkit.run import Run
    from toolkit.runs.batches.report import BatchReport
    from toolkit.runs.inputs import Source as Targets
    from toolkit.service.settings import Settings
    from toolkit.store.answers import When
    from toolkit.store.freshness import Age
    from toolkit.webhooks.inbox import Inbox
    from toolkit.webhooks.receiver import Receiver

__all__ = ["AsyncClient", "BaseClient"]


class BaseClient:
    """What both clients share: settings, and nothing that sends."""

    def __init__(
        self,
        api_key: str | SecretStr | None = None,
        base_url: str | None = None,
        *,
        v1_api_key: str | SecretStr | None = None,
        v1_base_url: str | None = None,
        timeout: float = 60.0,
        retries: Retries | None = None,
        embedded: Settings | None = None,
        store: Store | str | Path | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        # Sealed at once: a traceback from here may print the variables.
        api_key, v1_api_key = sealed(api_key), sealed(v1_api_key)
        check_seconds("timeout", timeout)
        connection = Connection.resolve(api_key, base_url, v1_api_key, v1_base_url)
        if embedded is not None and not connection.embedded:
            raise ConfigurationError(
                "embedded=… was given together with a base URL. Leave one out; TOOLKIT_BASE_URL and "
                "TOOLKIT_V1_BASE_URL count as given."
            )
        self._transport = Transport(connection, timeout, retries or Retries(), embedded, transport)
        self._cache: Cache | None = None
        self._owned_store: Store | None = None
        if store is not None:
            opened = store if isinstance(store, Store) else Store(store)
            self._owned_store = None if isinstance(store, Store) else opened
            self._cache = Cache(opened, self._transport)
        self._vocabulary: Vocabulary | None = None

    @property
    def store(self) -> Store | None:
        """The file of stored answers, if there is one."""
        return self._cache.store if self._cache else None

    def with_options(
        self, *, max_age: Age | None = None, stale: bool = False, refresh: bool = False, as_of: When | None = None
    ) -> Self:
        """Return the same client with another use of its stored answers.

        Parameters
        ----------
        max_age : timedelta or float, optional
            How old a stored answer may be, a number being hours; by default as the store's `Freshness` says.
        stale : bool
            Whether a stored answer of any age is used before the service is asked.
        refresh : bool
            Whether the service is asked in any case; the answer is stored.
        as_of : datetime, date or str, optional
            Answer as of this time, from the store alone; a date means its end, UTC.

        Raises
        ------
        InputError
            If the client has no store, an age is none, or options contradict each other.

        Examples
        --------
        >>> import tempfile, pathlib, toolkit as tk
        >>> folder = tempfile.TemporaryDirectory()
        >>> with tk.Client(store=pathlib.Path(folder.name) / "answers.db") as client:
        ...     first = client.segment("ledgerline.example")
        ...     new = client.with_options(refresh=True).segment("ledgerline.example")
        ...     client.store.count()
        2
        >>> folder.cleanup()
        """
        if self._cache is None:
            raise InputError("The client keeps no answers. Make it with store=…, such as Client(store='answers.db').")
        options = Reading(max_age=max_age, stale=stale, refresh=refresh, as_of=as_of)
        found = object.__new__(type(self))
        found.__dict__ = {name: value for name, value in self.__dict__.items() if name != "_shared_twin"}
        found.__dict__["_cache"] = self._cache.with_reading(options)
        found.__dict__["_vocabulary"] = None  # it was read with other options
        return found

    @property
    def is_embedded(self) -> bool:
        """Whether the embedded service answers."""
        return self._transport.connection.embedded

    def __repr__(self) -> str:
        connection = self._transport.connection
        where = (
            "embedded service"
            if connection.embedded
            else ", ".join(dict.fromkeys(route.base_url for route in connection.routes.values()))
        )
        return f"<{type(self).__name__}: {where}>"

    def __reduce__(self) -> tuple[Any, ...]:
        raise ConfigurationError(NOT_PICKLED)


class AsyncClient(BaseClient):
    """The asynchronous client.

    Takes what `Client` takes, and has the same methods as coroutines. It belongs to the event loop that uses it first.

    Examples
    --------
    >>> import asyncio
    >>> async def main():
    ...     async with AsyncClient() as client:
    ...         return await client.segment("harvest-table.example")
    >>> asyncio.run(main()).audience_type
    'b2c'
    """

    async def categorize(self, domain: str | Target) -> Categorization:
        """Categorize a domain (family A); see `Client.categorize`."""
        return cast("Categorization", await self._answer(calls.categorize(domain)))

    async def categorize_content(
        self,
        url: str | Target | None = None,
        *,
        text: str | None = None,
        personas: bool = False,
        root_fallback: bool = False,
    ) -> ContentCategorization:
        """Categorize a URL or a text (family B); see `Client.categorize_content`."""
        call = calls.categorize_content(url, text, personas=personas, root_fallback=root_fallback)
        return cast("ContentCategorization", await self._answer(call))

    @overload
    async def segment(self, url: str | Target, *, format: Literal["structured"] = ...) -> Segmentation: ...
    @overload
    async def segment(self, url: str | Target, *, format: Literal["legacy"]) -> LegacySegmentation: ...
    async def segment(
        self,
        url: str | Target,
        *,
        format: Literal["structured", "legacy"] = "structured",  # noqa: A002 - the interface's name
    ) -> Segmentation | LegacySegmentation:
        """Segment the audience of a URL (family B); see `Client.segment`."""
        return cast("Segmentation", await self._answer(calls.segment(url, format)))

    async def enrich(
        self,
        domain: str | Target,
        *,
        include: Iterable[str] | str | None = None,
        format: Literal["json", "xml"] = "json",  # noqa: A002 - the interface's name
    ) -> Enrichment:
        """Enrich a domain (family A); see `Client.enrich`."""
        return cast("Enrichment", await self._answer(calls.enrich(domain, include, format)))

    async def explain(
        self,
        subject: str,
        url: str | Target | None = None,
        *,
        text: str | None = None,
        kind: str | None = None,
        root_fallback: bool = False,
    ) -> Explanation:
        """Explain an answer of the embedded service; see `Client.explain`."""
        call = calls.explain(subject, url, text, kind=kind, root_fallback=root_fallback)
        return cast("Explanation", await self._answer(call))

    async def filters(self, *, refresh: bool = False) -> Vocabulary:
        """Fetch the vocabulary (family B, no key); see `Client.filters`."""
        if self._vocabulary is None or refresh:
            call = calls.filters()
            kept = self._cache.find(call, refresh=refresh) if self._cache else None

            def read(received: Received) -> Vocabulary:
                raw = read_json(call, received)
                vocabulary = Vocabulary.parse(raw)
                # Only then: what is no vocabulary would be served for days, and cost nothing to have.
                if self._cache and kept is None:
                    self._cache.keep(call, received, raw)
                return vocabulary

            self._vocabulary = read(kept.received) if kept else await self._transport.send(call, read)
        return self._vocabulary

    async def submit_batch(
        self,
        domains: Iterable[str | Target],
        *,
        webhook_url: str | None = None,
        webhook_secret: str | None = None,
    ) -> BatchSubmission:
        """Submit a batch of domains (family A); see `Client.submit_batch`."""
        call = calls.submit_batch(domains, webhook_url, webhook_secret)
        return cast("BatchSubmission", await self._answer(call))

    async def batch_results(self, batch: str | BatchSubmission) -> BatchResults:
        """Fetch the results of a batch (family A); see `Client.batch_results`."""
        return cast("BatchResults", await self._answer(calls.batch_results(batch)))

    async def batch(
        self,
        domains: Targets,
        *,
        column: str | None = None,
        store: Store | str | Path | None = None,
        receiver: Receiver | Inbox | None = None,
        webhook_url: str | None = None,
        webhook_secret: str | None = None,
        timeout: float = 3600.0,  # noqa: ASYNC109 - of one batch of many, whose end the report tells
        poll: tuple[float, float] = (2.0, 60.0),
        progress: bool = True,
    ) -> BatchReport:
        """Categorize many domains in batches (family A); see `Client.batch`."""
        from toolkit.runs.batches.jobs import Batching  # noqa: PLC0415 - only where a batch is made

        return await Batching(
            self,
            domains,
            column=column,
            store=store,
            receiver=receiver,
            webhook_url=webhook_url,
            webhook_secret=webhook_secret,
            timeout=timeout,
            poll=poll,
        ).run_async(progress=progress)

    def run(
        self,
        targets: Targets,
        ask: str | Iterable[str] = ("segment",),
        *,
        options: Mapping[str, Mapping[str, Any]] | None = None,
        column: str | None = None,
        budget: int | None = None,
        prices: Mapping[str, int] | None = None,
        concurrency: int = 50,
        store: Store | str | Path | None = None,
        stale: bool = False,
        refresh: bool = False,
    ) -> Run:
        """Ask about many targets; see `Client.run`. Begin it with ``await run.start_async()``."""
        from toolkit.run import Run  # noqa: PLC0415 - only where a run is made

        return Run(
            self,
            targets,
            ask,
            options=options,
            column=column,
            budget=budget,
            prices=prices,
            concurrency=concurrency,
            store=store,
            stale=stale,
            refresh=refresh,
        )

    async def aclose(self) -> None:
        """Close the connections, and the store if the client opened it."""
        await self._transport.close()
        if self._owned_store is not None:
            self._owned_store.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _answer(self, call: Call) -> Answer:
        if self._cache is None:
            return await self._transport.send(call, partial(read_answer, call))
        if (kept := self._cache.find(call)) is not None:
            return model_of(call).decode(read_json(call, kept.received), kept.provenance)
        return await self._transport.send(call, partial(self._cache.read, call))
