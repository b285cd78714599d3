"""The blocking client: one method per endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self, cast, overload

from toolkit.aclient import AsyncClient, BaseClient
from toolkit.client_lists import ListMethods
from toolkit.net.blocking import run_blocking

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

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
    from toolkit.runs.batches.report import BatchReport
    from toolkit.runs.inputs import Source as Targets
    from toolkit.store.answers import Store
    from toolkit.webhooks.inbox import Inbox
    from toolkit.webhooks.receiver import Receiver

__all__ = ["AsyncClient", "Client"]


class Client(ListMethods, BaseClient):
    """The blocking client. It works in scripts, in notebook cells and in widget callbacks.

    Parameters
    ----------
    api_key, base_url : str, optional
        Key and base URL of family B (segment, filters, categorize_content). Without them ``TOOLKIT_API_KEY`` and
        ``TOOLKIT_BASE_URL`` are used.
    v1_api_key, v1_base_url : str, optional
        The same for family A (categorize, enrich, batches): ``TOOLKIT_V1_API_KEY``, ``TOOLKIT_V1_BASE_URL``. A key
        that is missing is taken from the other family where both base URLs have the same origin.
    timeout : float
        Seconds for one attempt, above 0 up to a day.
    retries : Retries, optional
        When a request is tried again; by default 4 attempts within 180 s.
    embedded : Settings, optional
        Settings of the embedded service, which answers where no base URL is set at all.
    store : Store, str or Path, optional
        Keeps every answer in a file and gives it again while it is fresh; see `Store` and `with_options`.
    transport : httpx.AsyncBaseTransport, optional
        In place of the network.

    Raises
    ------
    ConfigurationError
        If settings are missing, out of range or contradict each other.

    Examples
    --------
    >>> client = Client()
    >>> client
    <Client: embedded service>
    >>> answer = client.segment("https://trailhead-outfitters.example/boots")
    >>> answer.vocab_version
    '1.1'
    """

    def categorize(self, domain: str | Target) -> Categorization:
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
        return run_blocking(self._twin.categorize, domain)

    def categorize_content(
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

        async def ask() -> ContentCategorization:
            return await self._twin.categorize_content(url, text=text, personas=personas, root_fallback=root_fallback)

        return run_blocking(ask)

    @overload
    def segment(self, url: str | Target, *, format: Literal["structured"] = ...) -> Segmentation: ...
    @overload
    def segment(self, url: str | Target, *, format: Literal["legacy"]) -> LegacySegmentation: ...
    def segment(
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

        async def ask() -> Segmentation | LegacySegmentation:
            if format == "legacy":
                return await self._twin.segment(url, format="legacy")
            return await self._twin.segment(url, format=format)

        return run_blocking(ask)

    def enrich(
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

        async def ask() -> Enrichment:
            return await self._twin.enrich(domain, include=include, format=format)

        return run_blocking(ask)

    def explain(
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
            ``field=value`` of demographics or B2B, such as ``income_level=high``; or a persona.
        url : str or Target, optional
            The URL or domain that was asked. Exactly one of `url` and `text` is given.
        text : str, optional
            The text that was asked.
        kind : {"interest", "purchase_intent", "content-v3", "content-v2", "filtering", "value", "persona"}, optional
            Where to look `subject` up; by default everywhere, in this order.
        root_fallback : bool
            Whether a subdomain with no or too little content is answered with its root domain.

        Returns
        -------
        Explanation
            Terms, words and passages that spoke for it, how much, and the runner-up. It costs no credits.

        Raises
        ------
        InputError
            If not exactly one of `url` and `text` is given, or the URL or `kind` is none; nothing is sent.
        BadRequestError
            If nothing has the name of `subject`.
        NotFoundError
            If the service is a remote one that gives no reasons.
        ServiceError, ConnectionFailedError, ResponseError
            As `categorize`.

        Examples
        --------
        >>> why = Client().explain("INT.SPORTS.WALKING", "https://trailhead-outfitters.example/boots")
        >>> why.given, why.reasons[0].text
        (True, 'Sports > Walking')
        """

        async def ask() -> Explanation:
            return await self._twin.explain(subject, url, text=text, kind=kind, root_fallback=root_fallback)

        return run_blocking(ask)

    def filters(self, *, refresh: bool = False) -> Vocabulary:
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

        async def ask() -> Vocabulary:
            return await self._twin.filters(refresh=refresh)

        return run_blocking(ask)

    def submit_batch(
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

        async def ask() -> BatchSubmission:
            return await self._twin.submit_batch(domains, webhook_url=webhook_url, webhook_secret=webhook_secret)

        return run_blocking(ask)

    def batch_results(self, batch: str | BatchSubmission) -> BatchResults:
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
        return run_blocking(self._twin.batch_results, batch)

    def batch(
        self,
        domains: Targets,
        *,
        column: str | None = None,
        store: Store | str | Path | None = None,
        receiver: Receiver | Inbox | None = None,
        webhook_url: str | None = None,
        webhook_secret: str | None = None,
        timeout: float = 3600.0,
        poll: tuple[float, float] = (2.0, 60.0),
        progress: bool = True,
    ) -> BatchReport:
        """Categorize many domains in batches of 1,000 (family A): submit, wait, fetch, and map back.

        Each domain is submitted once, and not at all where a stored answer is fresh. With a named store the same call
        goes on after any end: what was submitted is not submitted again, and what was fetched not fetched again.

        Parameters
        ----------
        domains : iterable of str, Series, DataFrame, path, or stream
            Domains or URLs, as the targets of `run`.
        column : str, optional
            The column of a DataFrame or a file.
        store : Store, str or Path, optional
            The file that keeps the answers and the journal; by default the client's, else one that is deleted at the
            end.
        receiver : Receiver or Inbox, optional
            Waits for the notification that a batch has ended, rather than ask for it often. It needs `webhook_secret`.
        webhook_url : str, optional
            Address that is notified; by default the receiver's.
        webhook_secret : str, optional
            Secret that signs the notifications; one that the receiver knows.
        timeout : float
            Seconds to wait for one batch.
        poll : tuple of float
            Seconds before the results of a batch are asked for first, doubled each time up to the second number.
        progress : bool
            Whether to show a bar.

        Returns
        -------
        BatchReport
            One outcome an input, in order: an answer, the failure that the service states, or a failure of its own
            where no result came. `reason` says why it stopped early, as when the quota is used up.

        Raises
        ------
        InputError
            If the domains cannot be read, or an argument cannot work.
        ConfigurationError
            If a key or base URL is missing, or another process is at the same call.
        ResponseError
            If a submission or a notification says that results are at another address than the base URL's.
        StoreError
            If the store cannot be used.

        Examples
        --------
        >>> with Client() as client:
        ...     report = client.batch(["ledgerline.example", "nowhere.example"], poll=(0.05, 0.5), progress=False)
        >>> report
        <BatchReport: 2 inputs: 1 successful, 1 failed, 0 missing>
        >>> [outcome.status for outcome in report.outcomes]
        [200, 411]
        """
        from toolkit.runs.batches.jobs import Batching  # noqa: PLC0415 - only where a batch is made

        return Batching(
            self._twin,
            domains,
            column=column,
            store=store,
            receiver=receiver,
            webhook_url=webhook_url,
            webhook_secret=webhook_secret,
            timeout=timeout,
            poll=poll,
        ).run(progress=progress)

    def close(self) -> None:
        """Close the connections, and the store if the client opened it."""
        run_blocking(self._twin.aclose)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _twin(self) -> AsyncClient:
        """The same client with coroutines; it shares this one's transport and vocabulary."""
        twin = self.__dict__.get("_shared_twin")
        if twin is None:
            twin = AsyncClient.__new__(AsyncClient)
            twin.__dict__ = self.__dict__
            self.__dict__["_shared_twin"] = twin
        return cast("AsyncClient", twin)
