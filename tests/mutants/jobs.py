"""Batches of other services: how they take a job, tell how far it is, and give its results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from . import facts
from .truth import Case, Reply, Truth

if TYPE_CHECKING:
    from random import Random

_DONE: Final = {
    "completed": "must",
    "success": "named",
    "ok": "named",
    "ended": "named",
    "done": "free",
    "finished": "free",
    "complete": "free",
    "COMPLETED": "free",
    "Completed": "free",
    "succeeded": "free",
    "SUCCESS": "named",
    "partial": "free",
    "completed_with_errors": "free",
}


def _submission(rng: Random, mark: str) -> tuple[dict[str, Any], str, str]:
    results = {
        "none": ("must", None),
        "same": ("must", f"@base@/v1/batch/{mark}/results"),
        "relative": ("free", f"/v1/batch/{mark}/results"),
        "other scheme": ("named", f"https://127.0.0.1:1/v1/batch/{mark}/results"),
        "other host": ("named", f"https://api.classifier.example/v1/batch/{mark}/results"),
        "localhost": ("named", f"http://localhost:@port@/v1/batch/{mark}/results"),
        "rubbish": ("free", "results.html"),
    }
    forms = {
        "batch_id": ("must", {"batch_id": mark}),
        "status": ("must", {"batch_id": mark, "status": "processing", "total_domains": 3}),
        "200": ("must", {"batch_id": mark, "status": 200}),
        "queued": ("must", {"batch_id": mark, "state": "queued"}),
        "id": ("free", {"id": mark, "status": "queued"}),
        "job_id": ("free", {"job_id": mark}),
        "camel case": ("free", {"batchId": mark}),
        "in data": ("free", {"status": "success", "data": {"batch_id": mark}}),
        "in batch": ("free", {"batch": {"id": mark, "state": "queued"}}),
        "success": ("must", {"success": True, "batch_id": mark, "message": "Batch accepted"}),
    }
    place, (level, address) = rng.choice(tuple(results.items()))
    form, (form_level, body) = rng.choice(tuple(forms.items()))
    if rng.random() < 0.5:
        form, (form_level, body) = "batch_id", forms["batch_id"]
    # Most differ in one thing alone, so that it can be told what was not read.
    if rng.random() < 0.6:
        place, (level, address) = "none", results["none"]
    if address is not None:
        body = {**body, "results_url": address}
    odd = [f"results_url: {place}"] if level != "must" else []
    odd += [f"submission: {form}"] if form_level != "must" else []
    return body, _level(level, form_level), "; ".join(odd)


def _level(*levels: str) -> str:
    return max(levels, key=("must", "named", "free").index)


def _waiting(rng: Random, mark: str) -> tuple[dict[str, Any], int, str, str]:
    """Return what is said while the job is under way: body, HTTP status, level and name."""
    ways: dict[str, tuple[str, dict[str, Any], int]] = {
        "processing": ("must", {"batch_id": mark, "status": "processing"}, 200),
        "state": ("must", {"batch_id": mark, "state": "processing", "total_domains": 3}, 200),
        "queued": ("must", {"batch_id": mark, "status": "queued", "results": []}, 200),
        "pending": ("must", {"batch_id": mark, "status": "pending", "results": None}, 200),
        "running": ("free", {"batch_id": mark, "status": "RUNNING"}, 200),
        "in_progress": ("free", {"batch_id": mark, "status": "in_progress"}, 200),
        "progress": ("named", {"batch_id": mark, "progress": 40}, 200),
        "progress, share": ("named", {"progress": 0.4}, 200),
        "progress, text": ("named", {"batch_id": mark, "progress": "1/3"}, 200),
        "progress, object": ("named", {"batch_id": mark, "progress": {"done": 1, "total": 3}}, 200),
        "counts": ("free", {"batch_id": mark, "total_domains": 3, "processed": 1}, 200),
        "202": ("free", {"status": "accepted"}, 202),
        "not ready": ("free", {"status": 202, "message": "not ready yet"}, 200),
        "404": ("free", {"error": "results not found"}, 404),
        "409": ("free", {"error": "batch is still processing"}, 409),
        "425": ("free", {"error": "too early"}, 425),
        "503": ("free", {"error": "busy"}, 503),
    }
    if rng.random() < 0.6:
        return {"batch_id": mark, "status": "processing"}, 200, "must", "processing"
    name, (level, body, http) = rng.choice(tuple(ways.items()))
    return body, http, level, name


def job(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return a job: responses in order, and what must come of each domain."""
    mark = f"c{index}-mutant"
    domains = [f"{mark}-{number}.example" for number in range(rng.choice((1, 2, 3, 5, 9)))]
    wanted: dict[str, frozenset[str] | None] = {}
    entries: list[dict[str, Any]] = []
    for domain in domains:
        body, said = facts.categorize(rng, domain)
        chance = rng.random()
        if chance < 0.12:
            wanted[domain] = None
            entries.append(
                rng.choice(
                    (
                        {"domain": domain, "status": 411, "error": "URL content could not be fetched"},
                        {"domain": domain, "status": 410, "categories": []},
                        {
                            "domain": domain,
                            "error": {"code": 411, "message": "could not be fetched"},
                            "categories": None,
                        },
                        {"domain": domain, "success": False, "error": "could not be fetched", "categories": []},
                        {"domain": domain, "status": "failed", "error": "timeout"},
                    )
                )
            )
            continue
        if chance < 0.17:
            wanted[domain] = None  # the service forgot it
            continue
        wanted[domain] = frozenset(said["categories"])
        entries.append({"domain": domain, "categories": body["categories"]} | rng.choice(({}, {"status": 200})))
    submission, level, odd = _submission(rng, mark)
    told = [odd] if odd else []
    waits = []
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        body, http, wait_level, name = _waiting(rng, mark)
        waits.append((http, body))
        level = _level(level, wait_level)
        told += [f"waiting: {name}"] if wait_level != "must" else []
    pages, pages_level, name = _pages(rng, mark, entries, wanted)
    level = _level(level, pages_level)
    told += [name] if name else []
    told = "; ".join(told).split("; ") if told else []
    truth = Truth("answer", level, {"domains": wanted})
    script = {"submission": submission, "waits": waits, "pages": pages, "domains": domains}
    kind = "batch" if not told else f"batch, {told[0]}" if len(told) == 1 else f"batch, {len(told)} things"
    return Case(index, kind, endpoint, target, Reply(), truth, script=script, notes=f"{level}: {'; '.join(told)}")


def _pages(
    rng: Random, mark: str, entries: list[dict[str, Any]], wanted: dict[str, frozenset[str] | None]
) -> tuple[list[dict[str, Any]], str, str]:
    """Return the results, on one page or several."""
    end, level = rng.choice(tuple(_DONE.items()))
    if rng.random() < 0.55:
        end, level = "completed", "must"
    told = [f"end: {end}"] if level != "must" else []
    name = rng.choice(("status", "state"))
    head: dict[str, Any] = {"batch_id": mark, name: end}
    if end == "completed" and rng.random() < 0.2:
        head = rng.choice(({}, {"batch_id": mark}))
    elif end == "completed" and rng.random() < 0.1:
        head = {"batch_id": mark, "progress": 100, "status": "completed"}
    if rng.random() < 0.5:
        answered = sum(part is not None for part in wanted.values())
        head |= {"total_domains": len(wanted), "successful": answered, "failed": len(wanted) - answered}
    ways: dict[str, str] = {
        "list": "must",
        "mapping": "named",
        "mapping to categories": "named",
        "items": "named",
        "url": "named",
        "pages": "named",
        "data": "free",
        "domains": "free",
        "records": "free",
        "in data": "free",
        "site": "free",
        "capitals": "must",
        "www": "must",
        "addresses": "free",
        "sparse": "free",
        "list at the top": "free",
        "failures apart": "free",
        "pages by number": "free",
        "links": "free",
    }
    way = rng.choice(tuple(ways)) if end == "completed" or rng.random() < 0.3 else "list"
    way_level = ways[way]
    if way_level != "must":
        told.append(f"results: {way}")
    level = _level(level, way_level)
    pages = [{**head, "results": entries}]
    if way == "mapping":
        pages = [{**head, "results": {e["domain"]: {k: v for k, v in e.items() if k != "domain"} for e in entries}}]
    elif way == "mapping to categories":
        pages = [{**head, "results": {e["domain"]: e.get("categories") for e in entries}}]
        # An empty list of a failed domain says no more than that nothing is known of it.
        wanted |= {e["domain"]: frozenset() for e in entries if e.get("categories") == []}
    elif way in {"items", "data", "domains", "records"}:
        pages = [{**head, way: entries}]
    elif way == "in data":
        pages = [{"status": "success", "data": {**head, "results": entries}}]
    elif way in {"url", "site"}:
        pages = [{**head, "results": [{way if k == "domain" else k: v for k, v in e.items()} for e in entries]}]
        if way == "url":
            pages = [
                {
                    **head,
                    "results": [
                        {**e, "url": rng.choice(("{}", "https://{}/")).format(e["url"])} for e in pages[0]["results"]
                    ],
                }
            ]
    elif way in {"capitals", "www", "addresses"}:
        form = {"capitals": str.upper, "www": lambda d: f"www.{d}", "addresses": lambda d: f"https://{d}/"}[way]
        pages = [{**head, "results": [{**e, "domain": form(e["domain"])} for e in entries]}]
    elif way == "sparse":
        pages = [{**head, "results": {str(n): e for n, e in enumerate(entries)}}]
    elif way == "list at the top":
        pages = [entries]  # type: ignore[list-item]
    elif way == "failures apart":
        bad = [e for e in entries if not e.get("categories")]
        good = [e for e in entries if e.get("categories")]
        pages = [{**head, "results": good, "errors": {e["domain"]: "could not be fetched" for e in bad}}]
    elif way in {"pages", "pages by number", "links"} and len(entries) > 1:
        cut = rng.randint(1, len(entries) - 1)
        second = {**head, "results": entries[cut:], "next": None}
        address = rng.choice(
            (
                f"@base@/v1/batch/{mark}/results?page=2",
                f"/v1/batch/{mark}/results?page=2",
                "?page=2",
                f"https://api.classifier.example/v1/batch/{mark}/results?page=2",
            )
        )
        onward: dict[str, Any] = {"next": address}
        if way == "pages by number":
            onward = {"next_page": 2, "page": 1, "pages": 2}
        elif way == "links":
            onward = {"links": {"self": "x", "next": address}}
        pages = [{**head, "results": entries[:cut], **onward}, second]
    return pages, level, "; ".join(told)
