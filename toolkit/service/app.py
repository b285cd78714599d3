"""Routes of the embedded service and what joins its parts."""

from __future__ import annotations

import hashlib
import json
import time
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from toolkit.interface.errors import ConfigurationError
from toolkit.service.accounts.batches import MOST_DOMAINS, Batches
from toolkit.service.accounts.deliveries import Deliveries
from toolkit.service.accounts.ledger import Ledger
from toolkit.service.accounts.limits import Account, Accounts
from toolkit.service.accounts.records import Submission
from toolkit.service.company.traffic import RankedDomains
from toolkit.service.company.wanted import GROUPS
from toolkit.service.failures import Failure
from toolkit.service.knowledge.vocabulary import filters_document
from toolkit.service.pages.addresses import refusal_of_address
from toolkit.service.pages.fetching import Fetcher
from toolkit.service.web.answers import RequestId, answer_crash, answer_failure, answer_http
from toolkit.service.web.bodies import read_form, read_json, required, wanted_home_page, wanted_target
from toolkit.service.web.borders import Borders
from toolkit.service.web.browsable import answer_page
from toolkit.service.web.injector import FaultInjector
from toolkit.service.web.shapes import as_xml
from toolkit.service.work.library import Library
from toolkit.service.work.processes import Processes
from toolkit.service.work.tasks import Task
from toolkit.service.work.threads import Threads

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping

    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from toolkit.service.settings import Settings

__all__ = ["Service", "create_app"]

_LONGEST_KEY: Final = 255

_LONGEST_TEXT: Final = 1_000_000
#: Seconds in which a page or text is read and classified; what is read of it is bounded so that a second is enough.
_WORK_SECONDS: Final = 10.0


class Service:
    """The parts of the service and the handlers that join them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        listed = settings.ranked_domains
        self.ranking = None if listed is None else RankedDomains(listed)
        fetcher = Fetcher(settings.fetch, allow_private=settings.allow_private, sample_web=settings.sample_web)
        number, seconds = settings.workers, _WORK_SECONDS
        self.library = Library(fetcher, Processes(number, seconds) if number else Threads(seconds))
        self.ledger = Ledger(settings.database)
        self.accounts = Accounts(settings, self.ledger)
        self.deliveries = Deliveries(self.ledger, settings)
        self.batches = Batches(
            self.ledger, self.accounts, self._categorize_domain, self._charge_affordable, self.deliveries
        )
        self._open: AsyncGenerator[None] | None = None
        #: Whether requests that are cancelled are told that the service ends.
        self.is_stopping = False

    async def prepare(self) -> None:
        """Load what answers need, so that the first one waits for nothing."""
        await self.library.start()

    async def start(self) -> None:
        """Go on with the jobs and deliveries of a service before this one, once; in the event loop that runs it."""
        if self._open is None:
            self._open = self._until_closed()
            await anext(self._open)

    async def _until_closed(self) -> AsyncGenerator[None]:
        """Work until the loop closes, which ends its generators, and so what nobody closed; another goes on."""
        self.deliveries.start()
        self.batches.start()
        try:
            yield
        finally:
            self._open = None
            await self._rest()

    async def _rest(self) -> None:
        await self.batches.close()
        await self.deliveries.close()
        await self.library.close()

    async def close(self) -> None:
        """Stop jobs and deliveries and close the connections and the database."""
        await self._rest()
        self.ledger.close()

    # Family A -----------------------------------------------------------------------------------------------------

    async def categorize(self, request: Request) -> Response:
        """GET /v1/categorize."""
        account, started = self._bearer(request), time.perf_counter()
        domain = required(request.query_params, "domain")
        body = await self._categorize_domain(account, domain)
        return self._keyed(request, account, body, started, used=1)

    async def enrich(self, request: Request) -> Response:
        """GET /v1/enrich."""
        account, started = self._bearer(request), time.perf_counter()
        home = wanted_home_page(required(request.query_params, "domain"))
        groups = _wanted_groups(request.query_params.get("include", ""))
        kind = request.query_params.get("format", "json") or "json"
        if kind not in ("json", "xml"):
            raise Failure(400, f"format must be json or xml, not {kind!r}")
        self._affordable(account)
        record = await self.library.answer(home, Task("enrichment", (home.domain, tuple(groups))))
        record["domain"] = home.site
        if "traffic" in record:
            record["traffic"] = await anyio.to_thread.run_sync(self._traffic, home.domain)
        return self._keyed(request, account, record, started, used=1, xml=kind == "xml")

    async def submit_batch(self, request: Request) -> Response:
        """POST /v1/batch and /v1/batch/categorize."""
        account, started = self._bearer(request), time.perf_counter()
        payload = await read_json(request)
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
        submission = _submission(request, [domains, url, secret])
        batch = self.batches.repeated(account, submission) if submission else None
        is_repeated = batch is not None
        if batch is None:
            self._affordable(account)
            base_url = str(request.base_url)
            batch = self.batches.submit(account, domains, base_url, url or None, secret or None, submission=submission)
        body = {
            "batch_id": batch.id,
            "state": batch.state,
            "total_domains": len(domains),
            "results_url": batch.results_url,
        }
        if url or self.settings.webhook_url:
            body["signed"] = bool(secret) if url else self.settings.webhook_secret is not None
        response = self._keyed(request, account, body, started, used=0)
        if submission is not None:
            # So a client knows that it may repeat what was not answered.
            response.headers["Idempotency-Key"] = submission.key
            response.headers["Idempotent-Replayed"] = str(is_repeated).lower()
        return response

    async def batch_results(self, request: Request) -> Response:
        """GET /v1/batch/<batch_id>/results."""
        account, started = self._bearer(request), time.perf_counter()
        batch = self.batches.find(account, request.path_params["batch_id"])
        return self._keyed(request, account, batch.results(), started, used=0)

    # Family B -----------------------------------------------------------------------------------------------------

    async def segment(self, request: Request) -> Response:
        """POST /api/audience/segment.php."""
        form = await read_form(request)
        account, started = self._form_key(request, form), time.perf_counter()
        query = required(form, "query")
        kind = form.get("format", "")
        if kind not in ("", "structured"):
            raise Failure(400, f"format must be 'structured' or left out, not {kind!r}")
        target = wanted_target(query)
        self._affordable(account)
        body = await self.library.answer(target, Task("structured" if kind else "legacy", (query,)))
        return self._keyed(request, account, body, started, used=1)

    async def content(self, request: Request) -> Response:
        """POST /api/std/std_web_content_filtering.php and /api/std/std_content_filtering.php."""
        form = await read_form(request)
        account, started = self._form_key(request, form), time.perf_counter()
        answer = self._asked(form)
        self._affordable(account)
        body = await answer(Task("content", (form.get("confidence") == "1",)))
        return self._keyed(request, account, body, started, used=1)

    async def explain(self, request: Request) -> Response:
        """POST /api/explain.php, an addition to the interface: the reasons of an answer. It costs no credits."""
        form = await read_form(request)
        account, started = self._form_key(request, form), time.perf_counter()
        # What takes an answer apart is loaded where somebody asks for it.
        from toolkit.service.why.asked import find_subject  # noqa: PLC0415

        subject = find_subject(required(form, "subject"), form.get("kind", ""))
        body = await self._asked(form)(Task("explanation", (subject,)))
        return self._keyed(request, account, body, started, used=0)

    async def filters(self, request: Request) -> Response:  # noqa: ARG002 - the framework passes it
        """GET /api/audience/filters.php."""
        return JSONResponse(filters_document())

    async def vocabulary_page(self, request: Request) -> Response:
        """GET /audience-segmentation-taxonomy.php."""
        return answer_page(request)

    # Common -------------------------------------------------------------------------------------------------------

    def _asked(self, form: Mapping[str, str]) -> Callable[[Task], Awaitable[dict[str, Any]]]:
        """Return what answers from the page or text of a form, once the form is known to be right."""
        kind = form.get("data_type", "")
        if kind not in ("url", "text"):
            raise Failure(407, f"got {kind!r}" if kind else "")
        query = required(form, "query")
        if len(query) > _LONGEST_TEXT:
            raise Failure(400, f"query has {len(query)} characters; at most {_LONGEST_TEXT} are allowed")
        if kind == "text":
            return partial(self.library.answer_text, query)
        fall_back = form.get("use_domain_as_basis_of_categorization_for_insufficient_subdomain_content") == "1"
        return partial(self.library.answer, wanted_target(query), fall_back=fall_back)

    async def _categorize_domain(self, account: Account, domain: str) -> dict[str, Any]:
        home = wanted_home_page(domain)
        self._affordable(account)
        return {"domain": home.site, **await self.library.answer(home, Task("categories"))}

    def _traffic(self, domain: str) -> dict[str, Any]:
        try:
            return {} if self.ranking is None else self.ranking.facts(domain)
        except ConfigurationError as error:
            # Only the operator can mend the list; without these words nobody would know that it is the list.
            raise Failure(500, str(error)) from None

    def _bearer(self, request: Request) -> Account:
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            raise Failure(401, "send the key in the header 'Authorization: Bearer <API_KEY>'")
        return self._admitted(request, key.strip())

    def _form_key(self, request: Request, form: Mapping[str, str]) -> Account:
        return self._admitted(request, form.get("api_key", ""))

    def _admitted(self, request: Request, key: str) -> Account:
        account = self.accounts.find(key) if key else None
        if account is None:
            raise Failure(401, "" if key else "no key was sent")
        # From here on every answer, an error too, tells the account's rate limit.
        request.state.account = account
        if refusal := account.admit():
            raise Failure(refusal.status, refusal.detail, retry_after=refusal.retry_after)
        return account

    def _affordable(self, account: Account) -> None:
        if refusal := account.afford():
            raise Failure(refusal.status, refusal.detail)

    def _charge(self, account: Account) -> None:
        with self.ledger.transaction():
            for event in account.charge():
                used = account.used_this_month
                data = {
                    "monthly_quota": account.monthly_quota,
                    "used": used,
                    "remaining": max((account.monthly_quota or 0) - used, 0),
                }
                self.deliveries.notify(event, data)

    def _charge_affordable(self, account: Account) -> None:
        self._affordable(account)
        self._charge(account)

    def _keyed(
        self, request: Request, account: Account, body: dict[str, Any], started: float, *, used: int, xml: bool = False
    ) -> Response:
        if used:
            # Another request may have used the last credit while this one was fetching its page.
            self._affordable(account)
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
        response: Response
        if xml:
            response = Response(as_xml(body), media_type="application/xml", headers=headers)
        else:
            response = JSONResponse(body, headers=headers)
        if used:
            # Last, so that an answer that cannot be written costs nothing.
            self._charge(account)
        return response


class _Starter:
    """Starts the service with its first request, where no lifespan has: mounted in process, there is none."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._service.start()
        await self._app(scope, receive, send)


def create_app(settings: Settings) -> Starlette:
    """Build the ASGI application.

    ``app.state.service`` is its `Service`, to be closed by whoever runs it without a lifespan. A database or a list of
    ranked domains that cannot be used is a `ConfigurationError`.
    """
    service = Service(settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await service.prepare()
        await service.start()
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
            Route("/api/explain.php", service.explain, methods=["POST"]),
        ],
        exception_handlers={
            Failure: answer_failure,
            ConfigurationError: answer_failure,
            HTTPException: answer_http,
            Exception: answer_crash,
        },
        lifespan=lifespan,
    )
    # A redirect would be no answer of the interface: a path with a slash too many is unknown.
    app.router.redirect_slashes = False
    for route in app.routes:
        if isinstance(route, Route) and route.methods and route.path.startswith("/v1/"):
            # The framework takes HEAD for GET, and would ask for and charge an answer that nobody gets.
            route.methods.discard("HEAD")
    app.add_middleware(_Starter, service=service)
    app.add_middleware(Borders, is_stopping=lambda: service.is_stopping)
    app.add_middleware(RequestId)  # around the others, as their errors carry the identifier too
    if settings.faults is not None:
        # The last one added is the outermost.
        app.add_middleware(FaultInjector, faults=settings.faults)
    app.state.service = service
    return app


def _submission(request: Request, payload: list[Any]) -> Submission | None:
    """Return by what a repetition of a request is known; None where it has no idempotency key."""
    key = request.headers.get("idempotency-key", "").strip()
    if not key:
        return None
    if len(key) > _LONGEST_KEY or not (key.isascii() and key.isprintable()):
        raise Failure(400, f"Idempotency-Key must be 1 to {_LONGEST_KEY} printable characters of ASCII")
    return Submission(key, hashlib.sha256(json.dumps(payload).encode()).hexdigest())


def _wanted_groups(include: str) -> list[str]:
    tokens = [token.strip().lower() for token in include.split(",") if token.strip()]
    groups = {alias: group for group, aliases in GROUPS.items() for alias in aliases}
    unknown = [token for token in tokens if token not in groups]
    if unknown:
        raise Failure(400, f"include does not know {', '.join(unknown)}; it knows {', '.join(GROUPS)}")
    return list(dict.fromkeys(groups[token] for token in tokens)) or list(GROUPS)
