"""The app that takes notifications; `Receiver` serves it on this machine, any ASGI server does elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from toolkit.interface.errors import ConfigurationError, EventError, OutsideWindowError, SignatureError, WebhookError
from toolkit.webhooks.verify import TOLERANCE, check_sealed, check_tolerance, seal, verify

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import SecretStr

    from toolkit.webhooks.inbox import Inbox

__all__ = ["LONGEST_BODY", "receiver_app"]

#: Bytes of a notification; that of a failed batch carries the results of up to 1,000 domains.
LONGEST_BODY: Final = 5_000_000


def receiver_app(
    inbox: Inbox,
    secrets: str | SecretStr | Iterable[str | SecretStr],
    tolerance: float = TOLERANCE,
    path: str = "/",
) -> Starlette:
    """Return an ASGI app that puts genuine notifications into an inbox, and notes there why others were refused.

    It answers 200 for an event that was taken or had come before, 400 for a body that is no event, 401 for a signature
    or a timestamp that is not right, 413 for more than 5 MB, and 503 where the inbox cannot keep the event, so that it
    is sent again. No secret, or a `tolerance` or `path` that is not as it must be, is a `ConfigurationError`.
    """
    secrets = seal(secrets)
    check_sealed(secrets)
    check_tolerance(tolerance)
    _check_path(path)
    known = secrets

    async def receive(request: Request) -> Response:
        try:
            body = await _read(request)
        except ClientDisconnect:
            return Response(status_code=400)  # nobody reads it
        if body is None:
            inbox.refuse(EventError(f"The notification has more than {LONGEST_BODY:,} bytes. Check what is sent."))
            return PlainTextResponse("too long", 413, {"connection": "close"})
        # Away from the event loop: a long body takes its time, and so may the inbox's file.
        return await run_in_threadpool(_answer, inbox, body, request.headers, known, tolerance)

    app = Starlette(routes=[Route(path, receive, methods=["POST"])])
    app.router.redirect_slashes = False  # a sender follows no redirect
    return app


async def _read(request: Request) -> bytes | None:
    """Return the body, or None if it is too long, whether or not it tells its length."""
    told = request.headers.get("content-length", "")
    if told.isdigit() and int(told) > LONGEST_BODY:
        return None
    parts, length = [], 0
    async for part in request.stream():
        length += len(part)
        if length > LONGEST_BODY:
            return None
        parts.append(part)
    return b"".join(parts)


def _answer(
    inbox: Inbox, body: bytes, headers: Any, secrets: tuple[SecretStr, ...], tolerance: float
) -> PlainTextResponse:
    """Take a notification; the sender learns what it was refused for only in outline."""
    try:
        new = inbox.take(verify(body, headers, secrets, tolerance=tolerance))
    except (SignatureError, OutsideWindowError) as error:
        inbox.refuse(error)
        return PlainTextResponse("not signed rightly, or not now", 401)
    except EventError as error:
        inbox.refuse(error)
        return PlainTextResponse("not an event", 400)
    except WebhookError as error:
        inbox.refuse(error)
        return PlainTextResponse("not kept; send it again", 503)
    return PlainTextResponse("taken" if new else "known")


def _check_path(path: str) -> None:
    if not (isinstance(path, str) and path.startswith("/") and path.isascii() and path.isprintable()) or set(
        path
    ) & set(" {}?#%"):
        raise ConfigurationError(
            f"path must be the path of an address, such as /notifications, without characters that need escaping, "
            f"not {path!r}."
        )
