"""The asynchronous client: one coroutine per endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self, cast, overload

from toolkit import endpoints
from toolkit.errors import ConfigurationError
from toolkit.receiving import Received, read_answer, read_json
from toolkit.transport import NOT_PICKLED, Connection, Retries, Transport, check_seconds, sealed
from toolkit.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable

    import httpx
    from pydantic import SecretStr

    from toolkit.endpoints import Call
    from toolkit.explanations import Explanation
    from toolkit.models import (
        Answer,
        BatchResults,
        BatchSubmission,
        Categorization,
        ContentCategorization,
        Enrichment,
        LegacySegmentation,
        Segmentation,
    )
    from toolkit.service.settings import Settings
    from toolkit.targets import Target

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
        self._vocabulary: Vocabulary | None = None

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
        return cast("Categorization", await self._answer(endpoints.categorize(domain)))

    async def categorize_content(
        self,
        url: str | Target | None = None,
        *,
        text: str | None = None,
        personas: bool = False,
        root_fallback: bool = False,
    ) -> ContentCategorization:
        """Categorize a URL or a text (family B); see `Client.categorize_content`."""
        call = endpoints.categorize_content(url, text, personas=personas, root_fallback=root_fallback)
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
        return cast("Segmentation", await self._answer(endpoints.segment(url, format)))

    async def enrich(
        self,
        domain: str | Target,
        *,
        include: Iterable[str] | str | None = None,
        format: Literal["json", "xml"] = "json",  # noqa: A002 - the interface's name
    ) -> Enrichment:
        """Enrich a domain (family A); see `Client.enrich`."""
        return cast("Enrichment", await self._answer(endpoints.enrich(domain, include, format)))

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
        call = endpoints.explain(subject, url, text, kind=kind, root_fallback=root_fallback)
        return cast("Explanation", await self._answer(call))

    async def filters(self, *, refresh: bool = False) -> Vocabulary:
        """Fetch the vocabulary (family B, no key); see `Client.filters`."""
        if self._vocabulary is None or refresh:
            call = endpoints.filters()

            def read(received: Received) -> Vocabulary:
                return Vocabulary.parse(read_json(call, received))

            self._vocabulary = await self._transport.send(call, read)
        return self._vocabulary

    async def submit_batch(
        self,
        domains: Iterable[str | Target],
        *,
        webhook_url: str | None = None,
        webhook_secret: str | None = None,
    ) -> BatchSubmission:
        """Submit a batch of domains (family A); see `Client.submit_batch`."""
        call = endpoints.submit_batch(domains, webhook_url, webhook_secret)
        return cast("BatchSubmission", await self._answer(call))

    async def batch_results(self, batch: str | BatchSubmission) -> BatchResults:
        """Fetch the results of a batch (family A); see `Client.batch_results`."""
        return cast("BatchResults", await self._answer(endpoints.batch_results(batch)))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _answer(self, call: Call) -> Answer:
        def read(received: Received) -> Answer:
            return read_answer(call, received)

        return await self._transport.send(call, read)
