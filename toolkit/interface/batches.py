"""What a service may say of a batch, in its own words and places: identifier, state, results, and where more are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from toolkit.interface.errors import TargetError
from toolkit.interface.targets import parse_target

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "BATCH_ID",
    "RESULTS",
    "entries_of",
    "has_ended",
    "has_failed",
    "has_results",
    "identifier_of",
    "next_of",
    "odd_state_of",
    "tells_of_job",
]

#: How an identifier is written: anything that stays one step of a path.
BATCH_ID: Final = re.compile(r"(?!\.+\Z)[A-Za-z0-9_.-]{1,200}\Z")
_IDENTIFIERS: Final = ("batch_id", "batchId", "job_id", "jobId", "id", "uuid", "task_id")
#: Those that can only be of a job: a request may have an ``id`` too.
_OF_JOBS: Final = ("batch_id", "batchId", "job_id", "jobId")
_IN_ADDRESS: Final = re.compile(r"/batch(?:es)?/(?:categorize/)?([^/?#]+)")
#: Objects in which a service may wrap what it says.
_WRAPPERS: Final = ("data", "batch", "job", "result", "response", "payload")
_ADDRESSES: Final = ("results_url", "result_url", "status_url", "url", "location", "href", "self")

_STATES: Final = ("state", "job_state", "batch_state", "job_status", "batch_status", "phase", "status")
#: How words of a state begin, in small letters: of one that is over, and of one that is not.
_ENDED: Final = re.compile(
    r"completed?\b|completion|finish(?!ing)|done|ended|end\b|success|succeed|ok\b|ready|processed|partially completed|"
    r"partial success|fail(?!ing)|error|cancel(?!l?ing)|abort(?!ing)|expire|terminat(?!ing)|closed|stopped|timed ?out"
)
#: Words by which a job failed, where an answer that failed says "error".
_FAILED: Final = re.compile(
    r"fail(?!ing)|cancel(?!l?ing)|abort(?!ing)|expire|terminat(?!ing)|stopped|timed ?out|partial"
)
_UNDER_WAY: Final = re.compile(
    r"queue|pend|process|run|progress|in |start|wait|accept|schedul|submit|creat|new\b|init|work|active|receiv|enqueue|"
    r"open|prepar|batching|complet|not "
)
#: Words that a service may mean of its answer, and not of the job.
_OF_THE_ANSWER: Final = re.compile(r"ok$|success|succeed")
_FLAGS: Final = ("done", "finished", "completed", "complete", "is_finished", "is_complete", "is_done", "ready")
_PORTIONS: Final = ("progress", "percent", "percentage", "percent_complete", "progress_percent", "completion")
_LEFT: Final = ("pending", "remaining", "queued", "in_progress", "processing", "remaining_domains", "pending_domains")
_WHOLE: Final = 100

#: Names under which results stand, the surest first.
RESULTS: Final = (
    "results", "items", "domains", "data", "result", "entries", "records", "rows", "output", "answers",
    "categorizations", "partial_results", "batch_results",
)  # fmt: skip
_NAMES: Final = ("domain", "url", "host", "hostname", "target", "site", "website", "input", "query", "name")
_INNER: Final = ("result", "data", "response", "answer", "categorization", "output")
_DEEPEST: Final = 4

_LINKS: Final = ("next", "next_url", "nextUrl", "next_page_url", "next_link", "nextLink", "next_page", "nextPage")
_CURSORS: Final = {
    "next_cursor": "cursor", "nextCursor": "cursor", "cursor": "cursor", "next_page_token": "page_token",
    "nextPageToken": "pageToken", "next_token": "token", "nextToken": "nextToken", "next_offset": "offset",
    "continuation_token": "continuation_token", "after": "after",
}  # fmt: skip
_AROUND: Final = ("links", "_links", "paging", "pagination", "meta", "page_info", "pageInfo", "cursors")
_PAGES: Final = ("total_pages", "totalPages", "pages", "page_count", "last_page")
_LINK_HEADER: Final = re.compile(r"<([^<>]{1,2000})>\s{0,5};[^<>,]{0,200}\brel\s{0,5}=\s{0,5}\"?next\b", re.IGNORECASE)
_PORTION: Final = re.compile(r"\d{1,9}(?:\.\d{1,9})?\s?%?\Z")
_STEP: Final = re.compile(r"(?:/[A-Za-z0-9_.-]{1,80}){0,3}\Z")


def identifier_of(raw: Any) -> str | None:
    """Return the identifier of the batch that an answer is about; None where it names none.

    Examples
    --------
    >>> identifier_of({"data": {"job_id": 17}}), identifier_of({"results_url": "https://x.example/v1/batch/b1/results"})
    ('17', 'b1')
    """
    for node in _around(raw):
        for name in _IDENTIFIERS:
            value = node.get(name)
            if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
                return str(value).strip()
    for node in _around(raw):
        for name in _ADDRESSES:
            if isinstance(node.get(name), str) and (found := _IN_ADDRESS.search(node[name])):
                return unquote(found[1])
    return None


def tells_of_job(raw: Mapping[str, Any]) -> bool:
    """Tell whether an answer says how a batch stands: which it is, its results, its state or its progress.

    Examples
    --------
    >>> tells_of_job({"job_id": 17, "status": "failed"}), tells_of_job({"status": "failed", "id": "req_1"})
    (True, False)
    """
    return (
        any(node.get(name) for node in _around(raw) for name in _OF_JOBS)
        or any(name != "status" for name, _ in _words_of(raw))
        or any(name in node for node in _around(raw) for name in (*_PORTIONS, *_LEFT))
        or any(isinstance(entry, dict) for entry in entries_of(raw))
    )


def has_failed(raw: Mapping[str, Any]) -> bool:
    """Tell whether what an answer says of a failure is said of the job: by its state, or beside results.

    Examples
    --------
    >>> has_failed({"job_id": 17, "status": "Failed"}), has_failed({"status": "failed", "message": "Invalid API key"})
    (True, False)
    """
    answered = any(isinstance(entry, dict) and len(entry) > 1 for entry in entries_of(raw))
    return answered or (tells_of_job(raw) and any(_FAILED.match(word) for _, word in _words_of(raw)))


def odd_state_of(raw: Mapping[str, Any]) -> str:
    """Return the state of the job where it is none that is known; else an empty text.

    Examples
    --------
    >>> odd_state_of({"state": "Simmering"}), odd_state_of({"state": "running"})
    ('simmering', '')
    """
    words = (word for _, word in _words_of(raw) if not _ENDED.match(word) and not _UNDER_WAY.match(word))
    return next(words, "")


def has_results(raw: Mapping[str, Any]) -> bool:
    """Tell whether an answer has a place of results, be it empty."""
    return _block_of(raw) is not None


def has_ended(raw: Mapping[str, Any]) -> bool:
    """Tell from the decoded results of a batch whether it has ended.

    A state that nobody knows is none that has ended. Where no state is stated it is the results that tell, if nothing
    else says that the job goes on.

    Examples
    --------
    >>> has_ended({"state": "processing"}), has_ended({"state": "failed"}), has_ended({"results": []})
    (False, True, True)
    >>> has_ended({"progress": 40}), has_ended({"status": "ok", "progress": 40, "results": []})
    (False, False)
    """
    for name, word in _words_of(raw):
        if not _ENDED.match(word):
            return False
        if name != "status" or not _OF_THE_ANSWER.match(word):
            return True
    flags = [node[name] for node in _around(raw) for name in _FLAGS if isinstance(node.get(name), bool)]
    if False in flags or _goes_on(raw):
        return False
    return True in flags or has_results(raw)


def entries_of(raw: Mapping[str, Any]) -> list[Any]:
    """Return the results of a batch as a list, each with its domain under ``domain`` where it names one.

    Examples
    --------
    >>> entries_of({"data": {"items": [{"url": "https://a.example/", "result": {"categories": []}}]}})
    [{'categories': [], 'url': 'https://a.example/', 'domain': 'https://a.example/'}]
    >>> entries_of({"results": {"a.example": [], "b.example": None}})
    [{'domain': 'a.example', 'categories': []}, {'domain': 'b.example'}]
    """
    block = _block_of(raw)
    return [] if block is None else [_named(entry) for entry in _listed(block, _DEEPEST)]


def next_of(raw: Mapping[str, Any], path: str, header: str = "") -> tuple[str, dict[str, str]] | None:
    """Return path and parameters of the page of results after this one; None if it is the last.

    Whatever host an address names, it is the results' own path with what the address adds to it, so that neither a key
    nor a question goes anywhere else.

    Examples
    --------
    >>> next_of({"next": "https://other.example/v1/batch/b1/results?page=2"}, "/v1/batch/b1/results")
    ('/v1/batch/b1/results', {'page': '2'})
    >>> next_of({"page": 1, "total_pages": 3}, "/v1/batch/b1/results")
    ('/v1/batch/b1/results', {'page': '2'})
    """
    around = _around(raw)
    around += [node[name] for node in around for name in _AROUND if isinstance(node.get(name), dict)]
    links = [node[name] for node in around for name in _LINKS if node.get(name)]
    links += [found[1] for found in [_LINK_HEADER.search(header)] if found]
    cursors = [(name, node[key]) for node in around for key, name in _CURSORS.items() if _is_mark(node.get(key))]
    pages = [page + 1 for node in around if (page := _page_before_the_last(node))]
    steps = (_step(link.get("href") or link.get("url") if isinstance(link, dict) else link, path) for link in links)
    return next(
        (step for step in steps if step),
        next(((path, {name: str(value)}) for name, value in [*cursors, *(("page", page) for page in pages)]), None),
    )


def _around(raw: Any) -> list[Mapping[str, Any]]:
    """Return an answer and the objects in which it may be wrapped."""
    if not isinstance(raw, dict):
        return []
    inner = [raw[name] for name in _WRAPPERS if isinstance(raw.get(name), dict)]
    return [raw, *inner]


def _words_of(raw: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the words of a job's state, the surest first, with the field's name."""
    for name in _STATES:
        for node in _around(raw):
            word = node.get(name)
            if isinstance(word, str) and word.strip() and not word.strip()[0].isdigit():
                yield name, " ".join(word.lower().replace("_", " ").replace("-", " ").split())


def _goes_on(raw: Mapping[str, Any]) -> bool:
    """Tell whether numbers say that something is left to be done."""
    for node in _around(raw):
        if any(type(node.get(name)) is int and node[name] > 0 for name in _LEFT):
            return True
        for name in _PORTIONS:
            value = node.get(name)
            text = str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
            if _PORTION.match(text):
                number, whole = float(text.rstrip("% ")), 1 if "." in text and "%" not in text else _WHOLE
                if number < whole and not (whole == _WHOLE and text == "1"):
                    return True
    return False


def _block_of(raw: Mapping[str, Any], levels: int = _DEEPEST) -> Any:
    """Return the list or mapping of results; None if there is none."""
    for name in RESULTS:
        block = raw.get(name)
        # A list of names alone is what was submitted.
        if isinstance(block, list) and (name == RESULTS[0] or any(isinstance(entry, dict) for entry in block)):
            return block
        if isinstance(block, dict) and levels:
            inner = _block_of(block, levels - 1)
            if inner is not None:
                return inner
            if name == RESULTS[0] or any(map(_is_site, block)):
                return block
    inner_nodes = (raw[name] for name in ("batch", "job", "response", "payload") if isinstance(raw.get(name), dict))
    found = (_block_of(node, levels - 1) for node in inner_nodes) if levels else ()
    return next((block for block in found if block is not None), None)


def _listed(block: Any, levels: int) -> list[Any]:
    """Return the entries of a list, of a mapping by domain, or of groups of either."""
    if isinstance(block, list):
        return block
    if not isinstance(block, dict) or not levels:
        return []
    if all(name.isdecimal() for name in block):
        return list(block.values())
    found: list[Any] = []
    for name, value in block.items():
        if _is_site(name):
            found.append(_by_site(name, value))
        elif isinstance(value, list | dict):
            found += _listed(value, levels - 1)
    return found


def _by_site(name: str, value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return {**value, "domain": name}
    if isinstance(value, list):
        return {"domain": name, "categories": value}
    return {"domain": name} if value is None else {"domain": name, "error": str(value)}


def _named(entry: Any) -> Any:
    """Return an entry with what it wraps beside its own marks, and its site under ``domain``."""
    if not isinstance(entry, dict):
        return entry
    if "categories" not in entry:
        inner = next((entry[name] for name in _INNER if isinstance(entry.get(name), dict | list)), None)
        inner = {"categories": inner} if isinstance(inner, list) else inner
        entry = {**(inner or {}), **{name: value for name, value in entry.items() if name not in _INNER}}
    if not isinstance(entry.get("domain"), str):
        site = next(
            (entry[name] for name in _NAMES if isinstance(entry.get(name), str) and _is_site(entry[name])), None
        )
        entry = entry if site is None else {**entry, "domain": site}
    return entry


def _is_site(text: str) -> bool:
    try:
        return bool(parse_target(text).domain) and "." in text
    except TargetError:
        return False


def _is_mark(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and value != ""


def _page_before_the_last(node: Mapping[str, Any]) -> int | None:
    page = node.get("page", node.get("current_page"))
    last = next((node[name] for name in _PAGES if name in node), None)
    return page if type(page) is int and type(last) is int and page < last else None


def _step(link: Any, path: str) -> tuple[str, dict[str, str]] | None:
    """Return the page that an address or a number names: a path below the results' own, and its parameters."""
    if _is_mark(link) and str(link).isdecimal():
        return path, {"page": str(link)}
    try:
        parts = urlsplit(link if isinstance(link, str) else "")
    except ValueError:
        return None
    parameters = dict(parse_qsl(parts.query))
    _, found, rest = parts.path.rpartition(path)
    added = rest if found and _STEP.match(rest) and ".." not in rest else ""
    return (path + added, parameters) if added or parameters else None
