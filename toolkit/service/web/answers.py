"""Answers that are errors, and the identifier that every answer carries."""

from __future__ import annotations

import math
import uuid
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from toolkit.interface.errors import ConfigurationError
from toolkit.service.failures import Failure
from toolkit.service.web.shapes import as_xml

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from starlette.requests import Request

__all__ = ["RequestId", "answer_crash", "answer_failure", "answer_http"]

_REQUEST_ID: Final = "X-Request-Id"
#: What every answer says, unless it says otherwise: it is of one account, and what it states it is.
_USUAL: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
#: The endpoint that answers in XML where it is asked to.
_WITH_XML: Final = "/v1/enrich"


class RequestId:
    """Gives every request an identifier, and every response its header and the usual ones."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        identifier = f"req_{uuid.uuid4().hex}"
        scope.setdefault("state", {})["request_id"] = identifier

        async def send_marked(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message["headers"]))
                headers[_REQUEST_ID] = identifier
                for name, value in _USUAL.items():
                    headers.setdefault(name, value)
                message["headers"] = headers.raw
            await send(message)

        await self._app(scope, receive, send_marked)


# Coroutines, as the framework calls functions in threads, and credits are read in the event loop alone.


async def answer_failure(request: Request, error: Exception) -> Response:
    """Answer with a code of the error table: a `Failure`, or a setting that turns out not to work."""
    # What is wrong with a setting, such as a full disk below the database, only the operator can mend; without the
    # words nobody would know.
    return _answer(request, error if isinstance(error, Failure) else Failure(500, str(error)))


async def answer_http(request: Request, error: Exception) -> Response:
    """Answer what the framework refuses, such as an unknown path; its headers (``Allow``) are kept."""
    if not isinstance(error, HTTPException):
        return _answer(request, Failure(500))
    failure = Failure(error.status_code, f"{request.method} {request.url.path}")
    return _answer(request, failure, error.headers)


async def answer_crash(request: Request, error: Exception) -> Response:  # noqa: ARG001 - its text may hold what was sent
    """Answer what broke inside."""
    # The framework sends this answer from outside of the middleware that marks the others.
    return _answer(request, Failure(500), {_REQUEST_ID: request.state.request_id, **_USUAL})


def _answer(request: Request, failure: Failure, more: Mapping[str, str] | None = None) -> Response:
    account = getattr(request.state, "account", None)
    headers = {**(account.rate_headers() if account else {}), **(more or {})}
    if failure.retry_after is not None:
        headers["Retry-After"] = str(max(math.ceil(failure.retry_after), 1))
    body: dict[str, Any] = {"status": failure.status, "error": failure.message}
    if failure.suggestions:
        body["suggestions"] = list(failure.suggestions)
    with suppress(ConfigurationError):  # a database that cannot be read must not hide what the answer says
        body |= account.credit_fields(0) if account else {"credits_used": 0}
    if request.url.path.startswith("/v1/"):
        body["meta"] = {"request_id": request.state.request_id, "credits_used": body.pop("credits_used", 0)}
    if request.url.path == _WITH_XML and request.query_params.get("format") == "xml":
        content = as_xml(body, root="error")
        return Response(content, status_code=failure.status, headers=headers, media_type="application/xml")
    return JSONResponse(body, status_code=failure.status, headers=headers)
