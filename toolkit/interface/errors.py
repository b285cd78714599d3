"""Every error that the toolkit raises, in one tree.

::

    ToolkitError
    ├── InputError (also ValueError)      refused at the door, nothing was sent
    │   ├── TargetError                   neither a domain nor a URL
    │   └── UnknownCodeError              not in the vocabulary or taxonomy (also KeyError)
    ├── ConfigurationError                a key or base URL is missing or contradicts another
    ├── DataError                         a bundled or supplied data file is not what it should be
    ├── StoreError                        the file of stored answers is damaged, too new or cannot be used
    ├── WebhookError                      a notification was refused or could not be kept
    │   ├── SignatureError                not signed, or not with a known secret
    │   ├── OutsideWindowError            its timestamp is too far from this clock, either way
    │   ├── EventError                    rightly signed, but not an event of the interface
    │   └── InboxError                    the inbox's file is damaged or cannot be used
    ├── ConnectionFailedError             no answer came
    │   └── AnswerTimeoutError            … in the time allowed
    ├── ResponseError                     an answer came that is not of the interface's form
    └── ServiceError                      the service answered with an error code
        ├── BadRequestError               400
        ├── InvalidKeyError               401
        ├── QuotaExceededError            403  stop: retrying does not help
        ├── NotFoundError                 404
        ├── DataTypeError                 407
        ├── ContentError                  about the page, not the request
        │   ├── InsufficientContentError  410
        │   └── FetchFailedError          411
        ├── RateLimitedError              429  slow down, then go on
        ├── ServerError                   500 and other 5xx, 408, 425
        └── MovedError                    3xx  what is asked sends elsewhere

Messages say what happened, to what, and what to do next. Keys never stand in them.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from toolkit.interface.text import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

__all__ = [
    "EXTRAS",
    "AnswerTimeoutError",
    "BadRequestError",
    "ConfigurationError",
    "ConnectionFailedError",
    "ContentError",
    "DataError",
    "DataTypeError",
    "EventError",
    "FetchFailedError",
    "InboxError",
    "InputError",
    "InsufficientContentError",
    "InvalidKeyError",
    "MovedError",
    "NotFoundError",
    "OutsideWindowError",
    "QuotaExceededError",
    "RateLimitedError",
    "ResponseError",
    "ServerError",
    "ServiceError",
    "SignatureError",
    "StoreError",
    "TargetError",
    "ToolkitError",
    "UnknownCodeError",
    "WebhookError",
    "nearest_to",
    "need",
    "service_error",
]

#: What the extras of ``pip install`` bring, each by the name it is imported by.
EXTRAS: Final[dict[str, tuple[str, ...]]] = {
    "lab": ("IPython", "anywidget", "ipywidgets", "jupyterlab", "nbformat", "traitlets"),
    "office": ("PIL", "choreographer", "kaleido", "lxml", "pptx", "xlsxwriter"),
    "service": (
        "cachetools",
        "python_multipart",
        "safetensors",
        "selectolax",
        "starlette",
        "threadpoolctl",
        "tokenizers",
        "uvicorn",
        "wordllama",
    ),
    "dask": ("dask", "distributed"),
}
_SHOWN_NAME: Final = 120
_SHOWN_MISSING: Final = 3
_SHOWN_DETAIL: Final = 300
_KEPT_BODY: Final = 500
#: Below this likeness, from 0 to 100, a spelling is no help to find another.
_LEAST_ALIKE: Final = 55
_LONGEST_COMPARED: Final = 200


class ToolkitError(Exception):
    """The root of every error the toolkit raises."""

    def __reduce__(self) -> tuple[object, ...]:
        # Errors travel between processes; the default would call __init__ with the finished message.
        return (_restored, (type(self), self.args, self.__dict__))


class InputError(ToolkitError, ValueError):
    """An argument was refused before anything was sent."""


class TargetError(InputError):
    """A text is neither a domain nor a URL that could be looked up."""


class UnknownCodeError(InputError, KeyError):
    """A code, identifier or value is not in the vocabulary or taxonomy.

    Attributes
    ----------
    code : str
        What was asked for, as text.
    nearest : tuple of str
        Known ones with a similar spelling, best first.
    """

    def __init__(
        self, code: object, *, among: str, nearest: tuple[str, ...] = (), where: str = "", advice: str = ""
    ) -> None:
        self.code = str(code)
        self.nearest = nearest
        near = printable(shortened(", ".join(nearest), _SHOWN_DETAIL))
        hint = f" Nearest: {near}." if nearest and not advice else ""
        place = f" at {where}" if where else ""
        if not advice:
            advice = "Check the spelling or search for it." if nearest else "Nothing is spelt like it; search for it."
        if not isinstance(code, str):
            advice = f"It must be text, not {type(code).__name__}."
        shown = shortened(self.code, _SHOWN_NAME)
        super().__init__(f"{shown!r}{place} is not in {printable(among)}.{hint} {advice}")

    def __str__(self) -> str:
        # KeyError would show the repr of the message.
        return str(self.args[0])


class ConfigurationError(ToolkitError):
    """A key or base URL is missing, or two settings contradict each other."""


class DataError(ToolkitError):
    """A data file, or a document that stands for one, is not what it should be."""


class StoreError(ToolkitError):
    """The file of stored answers is damaged, of a newer toolkit, no such file at all, or cannot be read or written."""


class WebhookError(ToolkitError):
    """A notification was refused, or could not be kept."""


class SignatureError(WebhookError):
    """A notification is not signed, or not with a secret that is known here."""


class OutsideWindowError(WebhookError):
    """A notification is rightly signed, but its timestamp is too far from this clock, before or after."""


class EventError(WebhookError):
    """A notification is rightly signed, but its body is not an event of the interface."""


class InboxError(WebhookError):
    """The file of an inbox is damaged, is another program's, or cannot be read or written."""


class ConnectionFailedError(ToolkitError):
    """The service could not be reached, or the connection broke before an answer was complete."""

    #: Whether it is certain that the service never had the request.
    was_not_sent = False
    #: Whether it stays so until something is set otherwise: a certificate that is not trusted, a proxy that refuses.
    is_lasting = False


class AnswerTimeoutError(ConnectionFailedError):
    """No complete answer came in the time allowed."""


class ResponseError(ToolkitError):
    """An answer came, but not of the interface's form.

    Parameters
    ----------
    message : str
        What is wrong.
    path, http_status, raw : optional
        As the attributes.
    body : str
        The body as text. Left out, it is written from `raw` as JSON.

    Attributes
    ----------
    path : str
        JSON path of what was wrong, ``$`` for the whole body.
    http_status : int or None
        HTTP status of the answer.
    body : str
        The first 500 characters of the body.
    raw : object
        The whole decoded body where it could be decoded, so that nothing paid for is lost; otherwise None.
    """

    def __init__(
        self,
        message: str,
        *,
        path: str = "$",
        http_status: int | None = None,
        body: str = "",
        raw: object = None,
    ) -> None:
        self.path = path
        self.http_status = http_status
        self.raw = raw
        self.body = (body or _as_json(raw))[:_KEPT_BODY]
        super().__init__(printable(message))


class ServiceError(ToolkitError):
    """The service answered with an error code.

    Attributes
    ----------
    status : int
        The code of the interface's error table.
    http_status : int
        HTTP status of the answer; not always the same as `status`.
    endpoint, target : str
        What was asked, of what.
    detail : str
        The service's own words, if it sent any.
    request_id : str or None
        The service's identifier of the request.
    retry_after : float or None
        Seconds the service asked to wait.
    raw : object
        The decoded body of the answer, or its text.
    credits_used, total_credits, remaining_credits : int or None
        What the account had and has, where the service says so.
    from_cache : bool
        Whether it was served from a store.
    fetched_at : datetime or None
        When the service said so, UTC, where that is known.
    """

    from_cache = False
    fetched_at: datetime | None = None
    advice = "Try again later; if it stays, report the request id to the service."

    def __init__(
        self,
        status: int,
        *,
        endpoint: str = "",
        target: str = "",
        detail: str = "",
        http_status: int | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        raw: object = None,
        credits_used: int | None = None,
        total_credits: int | None = None,
        remaining_credits: int | None = None,
    ) -> None:
        self.status = status
        self.credits_used = credits_used
        self.total_credits = total_credits
        self.remaining_credits = remaining_credits
        self.endpoint = endpoint
        self.target = target
        self.detail = detail
        self.http_status = status if http_status is None else http_status
        self.request_id = request_id
        self.retry_after = retry_after
        self.raw = raw
        subject = printable(" for ".join(part for part in (endpoint, shortened(target, _SHOWN_NAME)) if part))
        said = f": {shortened(printable(detail).rstrip('.'), _SHOWN_DETAIL)}" if detail else ""
        wait = f" The service asks to wait {retry_after:g} s." if retry_after is not None else ""
        # A question in words that names nothing is no request that anybody would look for.
        is_misnamed = endpoint == "explain" and status == 400  # noqa: PLR2004 - of the interface's table
        named = printable(shortened(str(request_id), _SHOWN_NAME)) if request_id and not is_misnamed else ""
        mark = f" (request {named})" if named else ""
        what = f"{subject} answered {status}" if subject else f"The service answered {status}"
        super().__init__(f"{what}{said}{mark}.{wait} {self._advice()}")

    def _advice(self) -> str:
        return self.advice


class BadRequestError(ServiceError):
    """400: the request was not formed as the interface says."""

    advice = "Check the parameters."

    def _advice(self) -> str:
        return "Ask with the name of one of these, or in other words." if self.endpoint == "explain" else self.advice


class InvalidKeyError(ServiceError):
    """401: the API key is not valid."""

    advice = "Check the API key: TOOLKIT_API_KEY and TOOLKIT_V1_API_KEY, or the client's arguments."


class QuotaExceededError(ServiceError):
    """403: the monthly quota is used up. Retrying does not help."""

    advice = "Stop here: wait for the next month, buy credits or upgrade the plan. Stored answers stay usable."


class NotFoundError(ServiceError):
    """404: there is no such resource, such as a batch with this identifier."""

    advice = "Check the base URL and the identifier."

    def _advice(self) -> str:
        if self.endpoint == "explain":
            return (
                "This service gives no reasons: they are an addition of the embedded service, also as `toolkit serve`."
            )
        kept = " Results live only as long as the service keeps them." if self.endpoint == "batch_results" else ""
        return self.advice + kept


class DataTypeError(ServiceError):
    """407: `data_type` is missing or is neither ``url`` nor ``text``."""

    advice = "Pass data_type 'url' or 'text'."


class ContentError(ServiceError):
    """The request was fine; the page it names gave nothing to classify."""


class InsufficientContentError(ContentError):
    """410: the content has too few tokens, or the URL could not be loaded."""

    advice = "Try the root domain or a page with more text. Asking again soon gives the same answer."


class FetchFailedError(ContentError):
    """411: the URL's content could not be fetched."""

    advice = (
        "Check the spelling, and that the page opens in a browser without signing in. "
        "Asking again soon gives the same answer."
    )


class RateLimitedError(ServiceError):
    """429: too many requests at a time. Slow down and go on; the quota is not touched."""

    advice = "Slow down and try again after a pause."


class ServerError(ServiceError):
    """500 and other 5xx: the service failed; 408 and 425: it did not take the request this time."""


class MovedError(ServiceError):
    """3xx: what stands at the base URL sends elsewhere. Neither the request nor the key goes there."""

    advice = (
        "Neither the request nor the key was sent there. If the service has moved, set its new base URL; if this is a "
        "sign-in page of the network, sign in, or set its proxy."
    )


_CLASSES: dict[int, type[ServiceError]] = {
    400: BadRequestError,
    401: InvalidKeyError,
    403: QuotaExceededError,
    404: NotFoundError,
    407: DataTypeError,
    410: InsufficientContentError,
    411: FetchFailedError,
    408: ServerError,
    425: ServerError,
    429: RateLimitedError,
}


def service_error(status: int) -> type[ServiceError]:
    """Return the error class of a code of the interface's table.

    It is `ServerError` for every 5xx, `MovedError` for every 3xx, and `ServiceError` itself for another code that the
    table does not have.

    >>> service_error(429).__name__
    'RateLimitedError'
    >>> service_error(503).__name__
    'ServerError'
    """
    if 500 <= status <= 599:  # noqa: PLR2004 - the HTTP class of server errors
        return ServerError
    if 300 <= status <= 399:  # noqa: PLR2004 - the HTTP class of redirects
        return MovedError
    return _CLASSES.get(status, ServiceError)


def need(extra: str, what: str, *modules: str, otherwise: str = "") -> None:
    """Raise a ConfigurationError that names the extra where a package of it is missing; all of it, or these modules.

    Asked before the import, not after it failed, so that an import that fails for another reason is seen as it is.
    """
    missing = [module for module in modules or EXTRAS[extra] if find_spec(module) is None]
    if missing:
        shown = ", ".join(missing[:_SHOWN_MISSING]) + ", …" * (len(missing) > _SHOWN_MISSING)
        raise ConfigurationError(
            f"{what} needs packages that are not installed ({shown}). "
            f"Run pip install 'audience-toolkit[{extra}]'{otherwise}."
        )


def nearest_to(value: object, known: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Return the known texts that are spelt most like a value, in capitals or not, best first.

    Those that are spelt otherwise altogether are left out.

    >>> nearest_to("jlbcu8", ["150", "JLBCU7"])
    ('JLBCU7',)
    """
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - only where something was misspelt

    hits = process.extract(
        str(value)[:_LONGEST_COMPARED],
        list(known),
        scorer=fuzz.ratio,
        processor=str.casefold,
        limit=limit,
        score_cutoff=_LEAST_ALIKE,
    )
    return tuple(hit[0] for hit in hits)


def _as_json(raw: object) -> str:
    if raw is None:
        return ""
    try:
        return json.dumps(raw, ensure_ascii=False, default=repr)
    except (RecursionError, TypeError, ValueError):  # no JSON, or nested too deeply to be written as such
        return ""


def _restored(kind: type[ToolkitError], args: tuple[object, ...], state: dict[str, object]) -> ToolkitError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error
