"""Routes of the embedded service and its error table."""

from __future__ import annotations

import json
import math
import time
import uuid
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from toolkit.service.accounts import Account, Accounts
from toolkit.service.batches import MOST_DOMAINS, Batches
from toolkit.service.deliveries import Deliveries, refusal_of_address
from toolkit.service.enrichment import GROUPS, enrich
from toolkit.service.failures import Failure
from toolkit.service.filters import browsable_page, filters_document
from toolkit.service.library import Library, wanted_target
from toolkit.service.shapes import as_xml, categories_shape, content_shape, legacy_shape, structured_shape

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from starlette.requests import Request

    from toolkit.service.settings import Settings

__all__ = ["Service", "create_app"]

_LONGEST_BODY: Final = 2_000_000
_LONGEST_TEXT: Final = 1_000_000


class Service:
    """The parts of the service and the handlers that join them.

    Parameters
    ----------
    settings : Settings
        Settings of the service.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.accounts = Accounts(settings)
        self.library = Library(settings)
        self.deliveries = Deliveries(settings)
        self.batches = Batches(self._categorize_domain, self.deliveries)

    async def close(self) -> None:
        """Stop jobs and deliveries and close the connections."""
        await self.batches.close()
        await self.deliveries.close()
        await self.library.close()

    # Family A -----------------------------------------------------------------------------------------------------

    async def categorize(self, request: Request) -> Response:
        """GET /v1/categorize."""
        account, started = self._bearer(request), time.perf_counter()
        domain = _required(request.query_params, "domain")
        body = await self._categorize_domain(account, domain)
        return self._keyed(request, account, body, started, used=1)

    async def enrich(self, request: Request) -> Response:
        """GET /v1/enrich."""
        account, started = self._bearer(request), time.perf_counter()
        target = wanted_target(_required(request.query_params, "domain"))
        groups = _wanted_groups(request.query_params.get("include", ""))
        kind = request.query_params.get("format", "json") or "json"
        if kind not in ("json", "xml"):
            raise Failure(400, f"format must be json or xml, not {kind!r}")
        self._affordable(account)
        reading = await self.library.read_url(target)
        record = await anyio.to_thread.run_sync(enrich, target.domain, reading.page, reading.content, groups)
        self._charge(account)
        return self._keyed(request, account, record, started, used=1, xml=kind == "xml")

    async def submit_batch(self, request: Request) -> Response:
        """POST /v1/batch and /v1/batch/categorize."""
        account, started = self._bearer(request), time.perf_counter()
        payload = await _json_body(request)
        domains = payload.get("domains")
        if not isinstance(domains, list) or not domains or not all(isinstance(domain, str) for domain in domains):
            raise Failure(400, "domains must be a list of at least one text")
        if len(domains) > MOST_DOMAINS:
            raise Failure(400, f"domains has {len(domains)} entries; at most {MOST_DOMAINS} are allowed")
        url, secret = payload.get("webhook_url"), payload.get("webhook_secret")
        for name, value in (("webhook_url", url), ("webhook_secret", secret)):
            if value is not None and not isinstance(value, str):
                raise Failure(400, f"{name} must be text")
        if url and (refusal := refusal_of_address(url, allow_private=self.settings.allow_private)):
            raise Failure(400, refusal)
        self._affordable(account)
        batch = self.batches.submit(account, domains, str(request.base_url), url or None, secret)
        body = {
            "batch_id": batch.id,
            "state": batch.state,
            "total_domains": len(domains),
            "results_url": batch.results_url,
        }
        return self._keyed(request, account, body, started, used=0)

    async def batch_results(self, request: Request) -> Response:
        """GET /v1/batch/<batch_id>/results."""
        account, started = self._bearer(request), time.perf_counter()
        batch = self.batches.find(account, request.path_params["batch_id"])
        return self._keyed(request, account, batch.results(), started, used=0)

    # Family B -----------------------------------------------------------------------------------------------------

    async def segment(self, request: Request) -> Response:
        """POST /api/audience/segment.php."""
        form = await _form(request)
        account, started = self._form_key(form), time.perf_counter()
        query = _required(form, "query")
        kind = form.get("format", "")
        if kind not in ("", "structured"):
            raise Failure(400, f"format must be 'structured' or left out, not {kind!r}")
        target = wanted_target(query)
        self._affordable(account)
        reading = await self.library.read_url(target)
        shape = structured_shape if kind else legacy_shape
        body = await anyio.to_thread.run_sync(shape, query, reading)
        self._charge(account)
        return self._keyed(request, account, body, started, used=1)

    async def content(self, request: Request) -> Response:
        """POST /api/std/std_web_content_filtering.php and /api/std/std_content_filtering.php."""
        form = await _form(request)
        account, started = self._form_key(form), time.perf_counter()
        kind = form.get("data_type", "")
        if kind not in ("url", "text"):
            raise Failure(407, f"got {kind!r}" if kind else "")
        query = _required(form, "query")
        if len(query) > _LONGEST_TEXT:
            raise Failure(400, f"query has {len(query)} characters; at most {_LONGEST_TEXT} are allowed")
        if kind == "url":
            target = wanted_target(query)
            self._affordable(account)
            fall_back = form.get("use_domain_as_basis_of_categorization_for_insufficient_subdomain_content") == "1"
            reading = await self.library.read_url(target, fall_back=fall_back)
        else:
            self._affordable(account)
            reading = await self.library.read_text(query)
        self._charge(account)
        body = content_shape(reading, personas=form.get("confidence") == "1")
        return self._keyed(request, account, body, started, used=1)

    async def filters(self, request: Request) -> Response:  # noqa: ARG002 - the framework passes it
        """GET /api/audience/filters.php."""
        return JSONResponse(filters_document())

    async def vocabulary_page(self, request: Request) -> Response:  # noqa: ARG002
        """GET /audience-segmentation-taxonomy.php."""
        return HTMLResponse(browsable_page())

    # Common -------------------------------------------------------------------------------------------------------

    async def _categorize_domain(self, account: Account, domain: str) -> dict[str, Any]:
        target = wanted_target(domain)
        self._affordable(account)
        reading = await self.library.read_url(wanted_target(target.domain))
        self._charge(account)
        return {"domain": target.domain, "categories": categories_shape(reading)}

    def _bearer(self, request: Request) -> Account:
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            raise Failure(401, "send the key in the header 'Authorization: Bearer <API_KEY>'")
        return self._admitted(key.strip())

    def _form_key(self, form: Mapping[str, str]) -> Account:
        return self._admitted(form.get("api_key", ""))

    def _admitted(self, key: str) -> Account:
        account = self.accounts.find(key) if key else None
        if account is None:
            raise Failure(401, "" if key else "no key was sent")
        if refusal := account.admit():
            raise Failure(refusal.status, refusal.detail, retry_after=refusal.retry_after)
        return account

    def _affordable(self, account: Account) -> None:
        if refusal := account.afford():
            raise Failure(refusal.status, refusal.detail)

    def _charge(self, account: Account) -> None:
        # Another request may have used the last credit while this one was fetching its page.
        self._affordable(account)
        for event in account.charge():
            data = {
                "monthly_quota": account.monthly_quota,
                "used": account.used_this_month,
                "remaining": max((account.monthly_quota or 0) - account.used_this_month, 0),
            }
            self.deliveries.notify(event, data)

    def _keyed(
        self, request: Request, account: Account, body: dict[str, Any], started: float, *, used: int, xml: bool = False
    ) -> Response:
        fields = account.credit_fields(used)
        if request.url.path.startswith("/v1/"):
            meta = {
                "request_id": request.state.request_id,
                "processing_time_ms": round(1000 * (time.perf_counter() - started)),
                "credits_used": fields.pop("credits_used"),
            }
            body = {**body, "meta": meta, **fields}
        else:
            body = {**body, **fields, "status": 200}
        headers = account.rate_headers()
        if xml:
            return Response(as_xml(body), media_type="application/xml", headers=headers)
        return JSONResponse(body, headers=headers)


def create_app(settings: Settings) -> Starlette:
    """Build the ASGI application.

    Parameters
    ----------
    settings : Settings
        Keys, limits and what pages may be fetched.

    Returns
    -------
    Starlette
        The application; ``app.state.service`` is its `Service`, to be closed by whoever runs it without a lifespan.
    """
    service = Service(settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await service.close()

    app = Starlette(
        routes=[
            Route("/v1/categorize", service.categorize, methods=["GET"]),
            Route("/v1/enrich", service.enrich, methods=["GET"]),
            Route("/v1/batch", service.submit_batch, methods=["POST"]),
            Route("/v1/batch/categorize", service.submit_batch, methods=["POST"]),
            Route("/v1/batch/{batch_id}/results", service.batch_results, methods=["GET"]),
            Route("/api/audience/segment.php", service.segment, methods=["POST"]),
            Route("/api/audience/filters.php", service.filters, methods=["GET"]),
            Route("/audience-segmentation-taxonomy.php", service.vocabulary_page, methods=["GET"]),
            Route("/api/std/std_web_content_filtering.php", service.content, methods=["POST"]),
            Route("/api/std/std_content_filtering.php", service.content, methods=["POST"]),
        ],
        exception_handlers={Failure: _answer_failure, HTTPException: _answer_http, Exception: _answer_crash},
        lifespan=lifespan,
    )
    app.add_middleware(_RequestId)
    app.state.service = service
    return app


class _RequestId:
    """Gives every request an identifier and every response its header."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        identifier = f"req_{uuid.uuid4().hex}"
        scope.setdefault("state", {})["request_id"] = identifier

        async def send_marked(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"x-request-id", identifier.encode())]
            await send(message)

        await self._app(scope, receive, send_marked)


def _answer_failure(request: Request, error: Exception) -> Response:
    failure = error if isinstance(error, Failure) else Failure(500)
    headers = {}
    if failure.retry_after is not None:
        headers["Retry-After"] = str(max(math.ceil(failure.retry_after), 1))
    body: dict[str, Any] = {"status": failure.status, "error": failure.message}
    if request.url.path.startswith("/v1/"):
        body["meta"] = {"request_id": request.state.request_id, "credits_used": 0}
    return JSONResponse(body, status_code=failure.status, headers=headers)


def _answer_http(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _answer_failure(request, Failure(status, f"{request.method} {request.url.path}"))


def _answer_crash(request: Request, error: Exception) -> Response:  # noqa: ARG001 - its text may hold what was sent
    return _answer_failure(request, Failure(500))


async def _form(request: Request) -> dict[str, str]:
    _refuse_long(request)
    try:
        form = await request.form(max_fields=50, max_part_size=_LONGEST_BODY)
    except HTTPException as error:
        raise Failure(400, error.detail) from None
    return {name: value for name, value in form.items() if isinstance(value, str)}


async def _json_body(request: Request) -> dict[str, Any]:
    _refuse_long(request)
    try:
        payload = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise Failure(400, "the body is not JSON") from None
    if not isinstance(payload, dict):
        raise Failure(400, "the body must be a JSON object")
    return payload


def _refuse_long(request: Request) -> None:
    length = request.headers.get("content-length", "0")
    if length.isdigit() and int(length) > _LONGEST_BODY:
        raise Failure(400, f"the body has {length} bytes; at most {_LONGEST_BODY} are allowed")


def _required(values: Mapping[str, str], name: str) -> str:
    value = values.get(name, "").strip()
    if not value:
        raise Failure(400, f"{name} is missing")
    return value


def _wanted_groups(include: str) -> list[str]:
    tokens = [token.strip().lower() for token in include.split(",") if token.strip()]
    groups = {alias: group for group, aliases in GROUPS.items() for alias in aliases}
    unknown = [token for token in tokens if token not in groups]
    if unknown:
        raise Failure(400, f"include does not know {', '.join(unknown)}; it knows {', '.join(GROUPS)}")
    return list(dict.fromkeys(groups[token] for token in tokens)) or list(GROUPS)
