"""The asynchronous client: one coroutine per endpoint; and what both clients are made of."""

from __future__ import annotations

import inspect
import secrets
import sys
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Concatenate, Final, Literal, ParamSpec, Self, TypeVar, cast, overload

import httpx

from toolkit.interface import calls
from toolkit.interface.checks import as_secret, check_seconds, check_whole
from toolkit.interface.errors import ConfigurationError, InputError, need
from toolkit.net.body import LARGEST_ANSWER
from toolkit.net.cache import Cache, Reading
from toolkit.net.connection import NOT_PICKLED, Connection, sealed
from toolkit.net.retries import Retries
from toolkit.net.session import Session
from toolkit.net.transport import Mounted, Transport
from toolkit.net.ways import Ways
from toolkit.run import Run
from toolkit.store.answers import Store

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pydantic import SecretStr

    from toolkit.interface.explanations import Explanation
    from toolkit.interface.models import (
        BatchResults,
        BatchSubmission,
        Categorization,
        ContentCategorization,
        Enrichment,
        LegacySegmentation,
        Segmentation,
    )
    from toolkit.interface.targets import Target
    from toolkit.interface.vocabulary import Vocabulary
    from toolkit.net.certificates import Verify
    from toolkit.net.proxies import ProxyOption
    from toolkit.service.settings import Settings
    from toolkit.store.answers import When
    from toolkit.store.freshness import Age

__all__ = ["ASK", "AsyncClient", "BaseClient", "with_signature"]

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., object])

#: Where the settings of the embedded service are, once they are loaded.
_SETTINGS: Final = "toolkit.service.settings"

#: The docstring of `ask`, of both clients.
ASK: Final = """Ask about some sites, and wait for the answers.

        The run is `Client.run`, begun at once: nothing is paid for twice, failures are rows, a refused key stops only
        what needs it. A long list is better planned first, with `Client.run`.

        Parameters
        ----------
        targets, ask, **options
            As of `Client.run`.

        Returns
        -------
        Run
            It has been started; ``run.audiences()``, ``run.codes()`` and so on give its frames.

        Raises
        ------
        InputError
            If an argument cannot work.
        ConfigurationError
            If a base URL or key is missing for a question; nothing is sent.
        StoreError
            If the store cannot be used.

        Examples
        --------
        >>> import toolkit as tk
        >>> run = tk.Client().ask(["ledgerline.example", "nowhere.example"], ["segment", "enrich"])
        >>> run.audiences()[["target", "status", "audience_type"]].to_numpy().tolist()
        [['ledgerline.example', 200, 'b2b'], ['nowhere.example', 411, nan]]
        """


def with_signature(function: F, other: Callable[..., object], docstring: str | None) -> F:
    """Give a function the parameters of another one, but for its first, and a docstring."""
    parameters = list(inspect.signature(other).parameters.values())
    parameters[0] = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__doc__ = docstring
    return function


def _over_session(kind: Callable[Concatenate[Session, P], R]) -> Callable[Concatenate[BaseClient, P], R]:
    """Return the method of a client that makes something over its session, with the same parameters and docstring."""

    def run(self: BaseClient, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return kind(self._session, *args, **kwargs)

    return with_signature(run, kind, kind.__doc__)


def _asking(
    run: Callable[Concatenate[BaseClient, P], Run],
) -> Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, Run]]:
    """Return the method that makes a run, starts it and waits for its end, with the same parameters."""

    async def ask(self: AsyncClient, /, *args: P.args, **kwargs: P.kwargs) -> Run:
        return await run(self, *args, **kwargs).start_async()

    return with_signature(ask, run, ASK)


class BaseClient:
    """What both clients share: settings, and nothing that sends."""

    def __init__(
        self,
        api_key: str | SecretStr | None = None,
        base_url: str | None = None,
        *,
        v1_api_key: str | SecretStr | None = None,
        v1_base_url: str | None = None,
        content_api: Literal["std", "iab"] | None = None,
        timeout: float = 60.0,
        retries: Retries | None = None,
        embedded: Settings | None = None,
        store: Store | str | Path | None = None,
        largest_answer: int = LARGEST_ANSWER,
        proxy: ProxyOption = None,
        verify: Verify = True,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        # Sealed at once: a traceback from here may print the variables.
        api_key, v1_api_key = sealed(api_key), sealed(v1_api_key)
        check_seconds(timeout, "timeout")
        largest_answer = check_whole(largest_answer, "largest_answer", 1, error=ConfigurationError)
        _check_kinds(retries, embedded, transport)
        connection = Connection.resolve(api_key, base_url, v1_api_key, v1_base_url, content_api)
        if embedded is not None and not connection.embedded:
            raise ConfigurationError(
                "embedded=… was given together with a base URL. Leave one out; TOOLKIT_BASE_URL and "
                "TOOLKIT_V1_BASE_URL count as given."
            )
        if transport is not None and (proxy is not None or verify is not True):
            raise ConfigurationError(
                "transport=… stands in the place of the network, which proxy=… and verify=… are about. Leave one out."
            )
        urls = (
            [] if connection.embedded or transport is not None else [way.base_url for way in connection.routes.values()]
        )
        way = Transport(
            connection,
            timeout,
            retries or Retries(),
            lambda: _mounted(embedded),
            transport,
            network=Ways.resolve(urls, proxy, verify),
            largest=largest_answer,
        )
        self._owned_store = None if store is None or isinstance(store, Store) else Store(store)
        kept = self._owned_store or cast("Store | None", store)
        self._session = Session(way, None if kept is None else Cache(kept, connection))

    @property
    def store(self) -> Store | None:
        """The file of stored answers, if there is one."""
        return self._session.store

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
        if self._session.store is None:
            raise InputError("The client keeps no answers. Make it with store=…, such as Client(store='answers.db').")
        options = Reading(max_age=max_age, stale=stale, refresh=refresh, as_of=as_of)
        found = object.__new__(type(self))
        found._owned_store = self._owned_store
        found._session = self._session.with_reading(options)
        return found

    run = _over_session(Run)

    @property
    def is_embedded(self) -> bool:
        """Whether the embedded service answers."""
        return self._session.connection.embedded

    def __repr__(self) -> str:
        if "_session" not in vars(self):  # a traceback may show one that was refused
            return f"<{type(self).__name__}, never open>"
        connection = self._session.connection
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

    ask = _asking(BaseClient.run)

    async def categorize(self, domain: str | Target) -> Categorization:
        """Categorize a domain (family A).

        Parameters
        ----------
        domain : str or Target
            A domain; of a URL, its domain.

        Returns
        -------
        Categorization
            Categories of the content taxonomy with identifier, tier and confidence.

        Raises
        ------
        TargetError
            If it is no domain; nothing is sent.
        ServiceError
            The class of the service's error code.
        ConnectionFailedError, ResponseError
            If no answer came, or one that is not of the interface's form.
        """
        return cast("Categorization", await self._session.answer(calls.question_of("categorize").call(domain)))

    async def categorize_content(
        self,
        url: str | Target | None = None,
        *,
        text: str | None = None,
        personas: bool = False,
        root_fallback: bool = False,
    ) -> ContentCategorization:
        """Categorize the content of a URL, or a text (family B).

        Parameters
        ----------
        url : str or Target, optional
            A URL or domain. Exactly one of `url` and `text` is given.
        text : str, optional
            A text.
        personas : bool
            Whether to ask for persona scores.
        root_fallback : bool
            Whether a subdomain with no or too little content is answered with its root domain.

        Returns
        -------
        ContentCategorization
            Ranked categories in content taxonomy v3 and v2 and the filtering taxonomy.

        Raises
        ------
        InputError
            If not exactly one of `url` and `text` is given, or the URL is none; nothing is sent.
        ServiceError, ConnectionFailedError, ResponseError
            As `categorize`.
        """
        call = calls.categorize_content(url, text, personas=personas, root_fallback=root_fallback)
        return cast("ContentCategorization", await self._session.answer(call))

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
        """Segment the audience of a URL (family B).

        Parameters
        ----------
        url : str or Target
            A URL or domain.
        format : {"structured", "legacy"}
            The coded shape, or free text.

        Returns
        -------
        Segmentation or LegacySegmentation
            The audience.

        Raises
        ------
        InputError
            If the URL is none; nothing is sent.
        ServiceError, ConnectionFailedError, ResponseError
            As `categorize`.
        """
        return cast("Segmentation", await self._session.answer(calls.question_of("segment", format=format).call(url)))

    async def enrich(
        self,
        domain: str | Target,
        *,
        include: Iterable[str] | str | None = None,
        format: Literal["json", "xml"] = "json",  # noqa: A002 - the interface's name
    ) -> Enrichment:
        """Enrich a domain with facts about the company behind it (family A).

        Parameters
        ----------
        domain : str or Target
            A domain.
        include : iterable of str, or comma-separated str, optional
            Data groups: ``company``, ``firmographics``, ``technologies``, ``categories``, ``traffic``, ``social``.
            None for all.
        format : {"json", "xml"}
            How the answer travels; the result is the same.

        Returns
        -------
        Enrichment
            The facts. What is not known is missing.

        Raises
        ------
        InputError
            If the domain or a data group is none; nothing is sent.
        ServiceError, ConnectionFailedError, ResponseError
            As `categorize`.
        """
        question = calls.question_of("enrich", include=include, format=format)
        return cast("Enrichment", await self._session.answer(question.call(domain)))

    async def explain(
        self,
        subject: str,
        url: str | Target | None = None,
        *,
        text: str | None = None,
        kind: str | None = None,
        root_fallback: bool = False,
    ) -> Explanation:
        """Explain why an answer of the embedded service holds something, or does not.

        Parameters
        ----------
        subject : str
            An INT.* or PI.* code; identifier or path of a content category; name of a web-filtering category;
            ``field=value`` of demographics or B2B, such as ``income_level=high``; a persona; a technology; a fact of
            the company, such as ``employee_range``; or the label of any of these, such as ``upper middle income``.
        url : str or Target, optional
            The URL or domain that was asked. Exactly one of `url` and `text` is given.
        text : str, optional
            The text that was asked.
        kind : str, optional
            Where to look `subject` up: ``interest``, ``purchase_intent``, ``content-v3``, ``content-v2``,
            ``filtering``, ``value``, ``persona``, ``technology`` or ``fact``; by default everywhere, in this order.
        root_fallback : bool
            Whether a subdomain with no or too little content is answered with its root domain.

        Returns
        -------
        Explanation
            Words of the page and passages that spoke for it, how much, and the runner-up; of what is not given what
            is given in its place, and what kept it back. It costs no credits.

        Raises
        ------
        InputError
            If not exactly one of `url` and `text` is given, or the URL or `kind` is none; nothing is sent.
        BadRequestError
            If nothing has the name of `subject`; the nearest names are in its text, and in ``raw["suggestions"]``.
        NotFoundError
            If the service is a remote one that gives no reasons.
        ServiceError, ConnectionFailedError, ResponseError
            As `categorize`.

        Examples
        --------
        >>> import toolkit as tk
        >>> why = tk.Client().explain("INT.SPORTS.WALKING", "https://trailhead-outfitters.example/boots")
        >>> why.given, why.reasons[0].text
        (True, 'Hiking boots')
        """
        call = calls.explain(subject, url, text, kind=kind, root_fallback=root_fallback)
        return cast("Explanation", await self._session.answer(call))

    async def filters(self, *, refresh: bool = False) -> Vocabulary:
        """Fetch the vocabulary of the segmentation (family B). It needs no key.

        Parameters
        ----------
        refresh : bool
            Whether to fetch it again; otherwise a client fetches it once.

        Returns
        -------
        Vocabulary
            Every code and value that the segmentation can emit.

        Raises
        ------
        DataError
            If the document holds no vocabulary.
        ServiceError, ConnectionFailedError, ResponseError
            As `categorize`.
        """
        return await self._session.filters(refresh=refresh)

    async def submit_batch(
        self,
        domains: Iterable[str | Target],
        *,
        webhook_url: str | None = None,
        webhook_secret: str | None = None,
    ) -> BatchSubmission:
        """Submit a batch of domains for categorization (family A).

        Parameters
        ----------
        domains : iterable of str
            1 to 1,000 domains.
        webhook_url : str, optional
            Address that is notified when the batch has ended.
        webhook_secret : str, optional
            Secret that signs the notification.

        Returns
        -------
        BatchSubmission
            The batch's identifier.

        Raises
        ------
        InputError
            If there are too few or too many domains, or one is none; nothing is sent.
        ServiceError, ConnectionFailedError, ResponseError
            As `categorize`. A batch is not sent again after a server error: it may have been accepted.
        """
        call = calls.submit_batch(domains, webhook_url, webhook_secret)
        return cast("BatchSubmission", await self._session.answer(call))

    async def batch_results(self, batch: str | BatchSubmission) -> BatchResults:
        """Fetch the results of a batch, complete or so far (family A).

        Parameters
        ----------
        batch : str or BatchSubmission
            The submission, or its ``batch_id``.

        Returns
        -------
        BatchResults
            One item a domain that is done.

        Raises
        ------
        NotFoundError
            If the account has no such batch.
        ServiceError, ConnectionFailedError, ResponseError
            As `categorize`.
        """
        return cast("BatchResults", await self._session.answer(calls.batch_results(batch)))

    async def aclose(self) -> None:
        """Close the connections, and the store if the client opened it."""
        await self._session.close()
        if self._owned_store is not None:
            self._owned_store.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _check_kinds(retries: object, embedded: object, transport: object) -> None:
    """Refuse parts of a client that are none, before a call finds it out."""
    if retries is not None and not isinstance(retries, Retries):
        raise ConfigurationError(f"retries must be toolkit.Retries, such as Retries(attempts=5), not {retries!r:.80}.")
    if transport is not None and not isinstance(transport, httpx.AsyncBaseTransport):
        raise ConfigurationError(f"transport must be an httpx.AsyncBaseTransport, not {transport!r:.80}.")
    # Who has settings has loaded them.
    if embedded is not None and not isinstance(embedded, getattr(sys.modules.get(_SETTINGS), "Settings", ())):
        raise ConfigurationError(f"embedded must be toolkit.service.Settings, not {embedded!r:.80}.")


def _mounted(settings: Settings | None) -> Mounted:
    """Start the embedded service. Here, on first use, because it loads the model."""
    urls = ", or set TOOLKIT_BASE_URL or TOOLKIT_V1_BASE_URL"
    need("service", "No base URL is set, and the embedded service", otherwise=urls)
    from toolkit.service.app import create_app  # noqa: PLC0415
    from toolkit.service.settings import Settings  # noqa: PLC0415
    from toolkit.service.web.injector import FaultyTransport  # noqa: PLC0415

    settings = settings or Settings()
    if not settings.keys:
        settings = replace(settings, keys=(as_secret(secrets.token_urlsafe(24)),))
    app = create_app(settings)
    inside = httpx.ASGITransport(app, raise_app_exceptions=False)
    wire = FaultyTransport(inside) if settings.faults is not None else inside
    return Mounted(wire, settings.keys[0], app.state.service.close)
