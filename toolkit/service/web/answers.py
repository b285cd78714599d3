"""Answers that are errors, and the identifier that every answer carries."""

from __future__ import annotations

import math
import uuid
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from toolkit.service.failures import Failure

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from starlette.requests import Request

__all__ = ["RequestId", "answer_crash", "answer_failure", "answer_http"]

_REQUEST_ID = "X-Request-Id"


class RequestId:
    """Gives every request an identifier and every response its header."""

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
                message["headers"] = [*message["headers"], (_REQUEST_ID.lower().encode(), identifier.encode())]
            await send(message)

        await self._app(scope, receive, send_marked)


def answer_failure(request: Request, error: Exception) -> Response:
    """Answer with a code of the error table: a `Failure`, or a setting that turns out not to work."""
    # What is wrong with a setting, such as a full disk below the database, only the operator can mend; without the
    # words nobody would know.
    return _answer(request, error if isinstance(error, Failure) else Failure(500, str(error)))


def answer_http(request: Request, error: Exception) -> Response:
    """Answer what the framework refuses, such as an unknown path; its headers (``Allow``) are kept."""
    if not isinstance(error, HTTPException):
        return _answer(request, Failure(500))
    failure = Failure(error.status_code, f"{request.method} {request.url.path}")
    return _answer(request, failure, error.headers)


def answer_crash(request: Request, error: Exception) -> Response:  # noqa: ARG001 - its text may hold what was sent
    """Answer what broke inside."""
    # The framework sends this answer from outside of the middleware that marks the others.
    return _answer(request, Failure(500), {_REQUEST_ID: request.state.request_id})


def _answer(request: Request, failure: Failure, more: Mapping[str, str] | None = None) -> Response:
    account = getattr(request.state, "account", None)
    headers = {**(account.rate_headers() if account else {}), **(more or {})}
    if failure.retry_after is not None:
        headers["Retry-After"] = str(max(math.ceil(failure.retry_after), 1))
    body: dict[str, Any] = {"status": failure.status, "error": failure.message}
    if request.url.path.startswith("/v1/"):
        body["meta"] = {"request_id": request.state.request_id, "credits_used": 0}
    else:
        body["credits_used"] = 0
    return JSONResponse(body, status_code=failure.status, headers=headers)
