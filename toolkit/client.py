"""The blocking client: the asynchronous one, for scripts, notebook cells and widget callbacks."""

from __future__ import annotations

from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, Protocol, Self, TypeVar, cast, overload

from toolkit.aclient import ASK, AsyncClient, BaseClient, with_signature
from toolkit.net.blocking import is_ending, run_blocking

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from toolkit.interface.models import LegacySegmentation, Segmentation
    from toolkit.interface.targets import Target
    from toolkit.run import Run

__all__ = ["Client"]

P = ParamSpec("P")
T = TypeVar("T")


def _blocking(
    method: Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Client, P], T]:
    """Return a coroutine method of the asynchronous client as a method that waits, with its signature and docstring."""

    @wraps(method)
    def call(self: Client, *args: P.args, **kwargs: P.kwargs) -> T:
        # Both clients are a session and nothing more, so that one's methods are the other's.
        return run_blocking(partial(method, cast("AsyncClient", self), *args, **kwargs))

    return cast("Callable[Concatenate[Client, P], T]", call)


def _asking(run: Callable[Concatenate[BaseClient, P], Run]) -> Callable[Concatenate[Client, P], Run]:
    """Return `AsyncClient.ask` as a method that waits: an interrupt stops it and keeps what was answered."""

    def ask(self: Client, /, *args: P.args, **kwargs: P.kwargs) -> Run:
        return run(self, *args, **kwargs).start(progress=False)

    return with_signature(ask, run, ASK)


class _Segment(Protocol):
    """`AsyncClient.segment` without waiting: a `ParamSpec` knows one signature alone."""

    @overload
    def __call__(self, url: str | Target, *, format: Literal["structured"] = ...) -> Segmentation: ...
    @overload
    def __call__(self, url: str | Target, *, format: Literal["legacy"]) -> LegacySegmentation: ...


class Client(BaseClient):
    """The blocking client. It works in scripts, in notebook cells and in widget callbacks.

    Parameters
    ----------
    api_key, base_url : str, optional
        Key and base URL of family B (segment, filters, categorize_content). Without them ``TOOLKIT_API_KEY`` and
        ``TOOLKIT_BASE_URL`` are used.
    v1_api_key, v1_base_url : str, optional
        The same for family A (categorize, enrich, batches): ``TOOLKIT_V1_API_KEY``, ``TOOLKIT_V1_BASE_URL``. A key
        that is missing is taken from the other family where both base URLs have the same origin.
    content_api : {"std", "iab"}, optional
        What the service calls the content categorization in its paths, ``/api/std/…`` or ``/api/iab/…``; by default as
        ``TOOLKIT_CONTENT_API`` says, else ``std``.
    timeout : float
        Seconds for one attempt, above 0 up to a day.
    retries : Retries, optional
        When a request is tried again; by default 4 attempts within 180 s.
    embedded : Settings, optional
        Settings of the embedded service, which answers where no base URL is set at all.
    store : Store, str or Path, optional
        Keeps every answer in a file and gives it again while it is fresh; see `Store` and `with_options`.
    largest_answer : int
        Bytes of an answer at most, as it comes and unpacked. A larger one is a `ResponseError`.
    proxy : str or False, optional
        A proxy, ``http://host:port`` or ``http://name:password@host:port``; False for none. By default as
        ``HTTPS_PROXY``, ``HTTP_PROXY``, ``ALL_PROXY`` and ``NO_PROXY`` say, or the system's settings.
    verify : str, Path, ssl.SSLContext or bool
        Whom a secure connection trusts: a file or folder of certificate authorities, or a context. By default those
        that ``SSL_CERT_FILE``, ``SSL_CERT_DIR``, ``REQUESTS_CA_BUNDLE`` or ``CURL_CA_BUNDLE`` name, else those that the
        system and the package `certifi` know. False checks nothing, and warns.
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
    '1.2'
    """

    ask = _asking(BaseClient.run)
    categorize = _blocking(AsyncClient.categorize)
    categorize_content = _blocking(AsyncClient.categorize_content)
    segment = cast("_Segment", _blocking(AsyncClient.segment))
    enrich = _blocking(AsyncClient.enrich)
    explain = _blocking(AsyncClient.explain)
    filters = _blocking(AsyncClient.filters)
    submit_batch = _blocking(AsyncClient.submit_batch)
    batch_results = _blocking(AsyncClient.batch_results)

    def close(self) -> None:
        """Close the connections, and the store if the client opened it. At the end of the program it does nothing."""
        if not is_ending():  # the loop is closed, and all that was open in it
            run_blocking(partial(AsyncClient.aclose, cast("AsyncClient", self)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
