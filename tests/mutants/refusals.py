"""Errors, in every way in which a service may say one, and answers that look like errors."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from . import facts
from .truth import KEY, V1_KEY, Case, Reply, Truth

if TYPE_CHECKING:
    from random import Random

#: Codes with the words that go with them; those of the interface's table first.
_CODES: Final = {
    400: ("Bad Request", "Error forming the request; check the parameters"),
    401: ("Unauthorized", "Invalid API key"),
    403: ("Forbidden", "Monthly quota used up"),
    407: ("Proxy Authentication Required", "data_type missing; must be url or text"),
    410: ("Gone", "Insufficient tokens in the content"),
    411: ("Length Required", "URL content could not be fetched"),
    500: ("Internal Server Error", "General error"),
    404: ("Not Found", "No such resource"),
    402: ("Payment Required", "Please upgrade your plan"),
    422: ("Unprocessable Entity", "domain is not valid"),
    429: ("Too Many Requests", "Rate limit exceeded"),
    503: ("Service Unavailable", "Down for maintenance"),
}
#: Places that the project names: there a code is read, so that a run knows whether to stop.
_NAMED: Final = frozenset(
    {"code", "status", "status_code", "statusCode", "error_code", "error.code", "error.status", "status.code"}
)
_CALM: Final = frozenset({400, 404, 407, 410, 411, 422, 500})
#: Where a code may stand: a path of names, ``0`` for the first entry of a list.
_PLACES: Final = (
    "code",
    "status",
    "status_code",
    "statusCode",
    "StatusCode",
    "error_code",
    "errorCode",
    "http_status",
    "httpStatus",
    "http_code",
    "responseCode",
    "response_code",
    "error.code",
    "error.status",
    "error.status_code",
    "status.code",
    "status.statusCode",
    "errors.0.code",
    "errors.0.status",
    "fault.code",
    "fault.faultcode",
    "meta.code",
    "meta.status",
    "meta.status.code",
    "response.status",
    "response.error.code",
    "result.code",
    "result.status",
    "data.error.code",
    "data.status",
    "Error.Code",
    "STATUS",
)
#: What says that something failed, without a number.
_FLAGS: Final[tuple[dict[str, Any], ...]] = (
    {"success": False},
    {"success": "false"},
    {"success": 0},
    {"Success": False},
    {"ok": False},
    {"ok": 0},
    {"valid": False, "error": "not valid"},
    {"status": "error"},
    {"status": "Error"},
    {"status": "fail"},
    {"status": "failed"},
    {"status": "failure"},
    {"status": "ERROR"},
    {"status": False, "message": "failed"},
    {"result": "error"},
    {"error": True},
    {"error": 1, "message": "failed"},
    {"is_error": True},
    {"has_error": True, "message": "failed"},
    {"hasErrors": True},
    {"state": "error", "message": "failed"},
    {"response": "failure"},
)
_WORDS: Final = (
    "error",
    "message",
    "msg",
    "error_message",
    "errorMessage",
    "error_description",
    "detail",
    "details",
    "reason",
    "title",
    "description",
    "error.message",
    "error.msg",
    "error.detail",
    "error.description",
    "errors.0",
    "errors.0.message",
    "errors.0.detail",
    "errors.domain.0",
    "fault.faultstring",
    "fault",
    "exception",
    "status.message",
    "meta.message",
    "Error.Message",
    "Message",
    "ERROR",
    "fehler",
    "data.error.message",
)
_FIRM: Final = frozenset(
    {
        "error",
        "error_message",
        "errorMessage",
        "error_description",
        "error.message",
        "error.msg",
        "error.detail",
        "error.description",
        "errors.0",
        "errors.0.message",
        "errors.0.detail",
        "errors.domain.0",
        "fault.faultstring",
        "fault",
        "exception",
        "Error.Message",
        "ERROR",
        "data.error.message",
    }
)


def put(body: Any, path: str, value: Any) -> None:
    """Write a value at a path, making what is on the way where it is not there."""
    names = path.split(".")
    for name, following in zip(names, [*names[1:], None], strict=True):
        inner: Any = value if following is None else [] if following == "0" else {}
        if isinstance(body, list):
            if not body:
                body.append(inner)
            elif following is None or not isinstance(body[0], dict | list):
                body[0] = inner
            body = body[0]
        else:
            if following is None or not isinstance(body.get(name), dict | list):
                body[name] = inner
            body = body[name]


def _coded(rng: Random, code: int) -> Any:
    words = _CODES[code][0]
    return rng.choice((code, code, code, str(code), f"{code} {words}", float(code), f" {code} ", f"{code}: {words}"))


def _blocks(rng: Random, endpoint: str, target: str) -> dict[str, Any]:
    """Return the endpoint's fields without content."""
    fields = facts.BLOCKS[endpoint]
    way = rng.choice(("none", "null", "list", "dict", "mixed", "empty"))
    empty: tuple[Any, ...] = (None, [], {}, "")
    found: dict[str, Any] = {}
    for name in fields if way != "none" else ():
        value = {"null": None, "list": [], "dict": {}}.get(way, rng.choice(empty))
        if way == "empty" and endpoint == "segment" and name in {"interests", "purchase_intent"}:
            value = {"tier1": [], "tier2": [], "codes": [], "confidence": rng.choice((None, "", "low"))}
        found[name] = value
    if rng.random() < 0.5:
        found["url" if endpoint in {"segment", "legacy"} else "domain"] = target
    if rng.random() < 0.3:
        found |= rng.choice(
            (
                {"total_credits": 1000, "remaining_credits": 0},
                {"meta": {"request_id": "req_1", "processing_time_ms": 3}},
                {"request_id": "req_1"},
                {"vocab_version": "1.1"},
                {"timestamp": "2026-01-01T00:00:00Z"},
            )
        )
    return found


def error(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return an error that says so in one way or several."""
    code = rng.choice(tuple(_CODES))
    words = rng.choice(_CODES[code])
    body: dict[str, Any] = _blocks(rng, endpoint, target) if rng.random() < 0.75 else {}
    way = rng.choices(("code", "flag", "words", "interface"), (6, 3, 2, 2))[0]
    statuses: frozenset[int] = frozenset()
    level, notes = "free", way
    if way == "code":
        place = rng.choice(_PLACES)
        put(body, place, _coded(rng, code))
        notes, level = place, "named" if place in _NAMED else "free"
        statuses = frozenset({code})
        # A code alone, under any name, is an error beside words alone; a service's own name for a number is no code.
        if rng.random() < 0.85 or not place.startswith(("status", "code", "error", "http")):
            said = rng.choice(_WORDS)
            if said.split(".")[0] != place.split(".")[0]:
                put(body, said, words)
        if rng.random() < 0.3:
            body |= {
                name: value for name, value in rng.choice(_FLAGS[:6]).items() if name not in body or body[name] is None
            }
    elif way == "flag":
        flag = rng.choice(_FLAGS)
        body |= flag
        notes = json.dumps(flag)
        if rng.random() < 0.6 and "message" not in body:
            body["message"] = words
    elif way == "words":
        place = rng.choice(_WORDS)
        put(body, place, words)
        notes = place
        if place not in _FIRM:
            body.pop("vocab_version", None)
    else:
        # The interface's own status says that all is well, the words do not.
        place = rng.choice(("error", "errors.0", "fault", "error.message", "message", "exception"))
        body["status"] = 200
        put(body, place, words)
        notes = f"status 200, {place}"
    verdict = "either" if _is_unclear(endpoint, way, notes, words, body) else "error"
    http = rng.choice((200, 200, 200, 200, 201, 202, code, code, 400, 500, 404, 418))
    if http >= 400:
        statuses |= {http}
        if not statuses - {http} and way != "code":
            statuses = frozenset()
    spoken = {code} | ({http} if http >= 400 else set())
    text = json.dumps(body, ensure_ascii=rng.random() < 0.5)
    if endpoint == "enrich_xml" and rng.random() < 0.4:
        text = f"<error><code>{code}</code><message>{facts.escaped(words)}</message></error>"
        statuses, notes = frozenset(spoken), "XML"
    reply = Reply(text.encode(), http, headers=[("Content-Type", rng.choice(_TYPES))])
    truth = Truth("error" if http >= 400 else verdict, level, loose={"texts"}, statuses=statuses)
    calm = spoken <= _CALM | {418}
    return Case(index, "error", endpoint, target, reply, truth, calm=calm, notes=notes)


def _is_unclear(endpoint: str, way: str, notes: str, words: str, body: dict[str, Any]) -> bool:
    """Tell whether somebody may take it for an answer that has nothing to say."""
    if endpoint == "batch_results":  # a job that failed is told of like this
        return way == "flag" and any(name in body for name in ("status", "state"))
    if endpoint == "legacy" and way == "words":  # its fields are not described, so that any text may be one
        return notes in {"detail", "details", "reason", "title", "description", "fehler"}
    clear = ("invalid", "error", "used up", "could not", "missing", "not valid", "insufficient", "exceeded", "no such")
    return way == "interface" and notes.endswith("message") and not any(word in words.casefold() for word in clear)


_TYPES: Final = ("application/json", "application/json; charset=utf-8", "text/html; charset=UTF-8", "text/plain")


def bare_error(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return an error that is no JSON object."""
    words = rng.choice(tuple(_CODES.values()))[1]
    text = rng.choice(
        (
            words,
            f"Error: {words}",
            f"401 - {words}",
            json.dumps(words),
            json.dumps([words]),
            json.dumps([{"error": words, "code": 401}]),
            json.dumps(["error", 401, words]),
            f"<error>{facts.escaped(words)}</error>",
            f"<?xml version='1.0'?><response><status>401</status><message>{facts.escaped(words)}</message></response>",
            f'string({len(words)}) "{words}"\n',
            f"array(2) {{\n  'code' =>\n  int(401)\n  'error' =>\n  string(5) \"{words}\"\n}}\n",
            f"<br />\n<b>Fatal error</b>:  Uncaught PDOException: {words} in /var/www/html/api.php:41",
            "<br />\n<b>Warning</b>:  mysqli_connect(): (HY000/1045): Access denied in <b>/var/www/db.php</b>",
            "N;",
            'a:1:{s:5:"error";s:7:"no good";}',
            "Array",
            "[object Object]",
            "undefined",
            "NaN",
            "false",
            "true",
            "0",
            "-1",
            "1",
            "OK",
            "Database connection error",
        )
    )
    http = rng.choice((200, 200, 200, 400, 500))
    reply = Reply(text.encode(), http, headers=[("Content-Type", rng.choice(_TYPES))])
    return Case(index, "bare error", endpoint, target, reply, Truth("error"), calm=False, notes=text[:60])


def lookalike(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return an answer that is full, and speaks of errors or of success beside it."""
    body, content = facts.MAKERS[endpoint](rng, target)
    beside = rng.choice(
        (
            {"error": None},
            {"error": ""},
            {"error": False},
            {"error": []},
            {"error": {}},
            {"errors": []},
            {"errors": {}},
            {"errors": None},
            {"success": True},
            {"ok": True},
            {"code": 200},
            {"status_code": 200},
            {"statusCode": "200"},
            {"message": "OK"},
            {"message": "success"},
            {"message": None},
            {"msg": "Request processed successfully"},
            {"fault": None},
            {"warnings": ["The page was large; only its first 100,000 characters were read."]},
            {"warning": "This endpoint will change."},
            {"notice": "Your plan renews on 1 May"},
            {"error_code": 0},
            {"error_code": None},
            {"errno": 0},
            {"has_error": False},
            {"exception": None},
            {"debug": {"errors": 0, "cache": "miss"}},
            {"error_count": 0},
            {"meta2": {"error": None}},
            {"status": 200},
        )
    )
    form = rng.choice((body, body, {name: part for name, part in body.items() if name != "status"}))
    said = {**beside, **form} if rng.random() < 0.5 else {**form, **{k: v for k, v in beside.items() if k != "status"}}
    text = facts.written_as_xml(body) if endpoint == "enrich_xml" else json.dumps(said)
    truth = Truth("answer", "must", content, loose={"texts"} if endpoint == "legacy" else set())
    reply = Reply(text.encode(), headers=[("Content-Type", _type_of(endpoint))])
    return Case(index, "answer that looks like an error", endpoint, target, reply, truth, notes=json.dumps(beside))


def hollow(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return a body without content: an answer where the interface's own status is 200, an error otherwise."""
    body: dict[str, Any] = {name: rng.choice((None, [], {})) for name in facts.BLOCKS[endpoint]}
    way = rng.choice(("status", "nothing", "bare"))
    if endpoint in {"submit_batch", "batch_results"}:
        way = "bare"
    if way == "bare":
        body = rng.choice(({}, {}, {"url": target}, {"request_id": "r1"}, {"version": "2.1", "build": 7}))
        verdict = "error"
        if endpoint == "batch_results" and rng.random() < 0.3:
            body, verdict = {"batch_id": target, "state": "processing"}, "answer"
    elif way == "status":
        body["status"] = rng.choice((200, 200, "200"))
        # What family A says with nothing in it is no error, and its `status` is not described.
        verdict = "answer" if endpoint in {"segment", "content_url", "content_text"} else "either"
    else:
        verdict = "either" if endpoint in {"categorize", "enrich", "enrich_xml"} else "error"
    text = facts.written_as_xml(body) if endpoint == "enrich_xml" else json.dumps(body)
    truth = Truth(verdict, "named", loose={"texts"})
    reply = Reply(text.encode(), headers=[("Content-Type", _type_of(endpoint))])
    return Case(index, f"hollow: {way}", endpoint, target, reply, truth, notes=text[:80])


def _type_of(endpoint: str) -> str:
    return "application/xml" if endpoint == "enrich_xml" else "application/json"


_PAGES: Final = (
    (403, "Blocked by web application firewall", "<p>Your request has been blocked. Support ID: 117281</p>"),
    (503, "Just a moment...", "<noscript>Enable JavaScript and cookies to continue</noscript>"),
    (407, "Proxy Authentication Required", "<h1>ERR_CACHE_ACCESS_DENIED</h1><p>squid/5.7</p>"),
    (502, "502 Bad Gateway", "<center><h1>502 Bad Gateway</h1></center><hr><center>nginx/1.18.0</center>"),
    (504, "504 Gateway Time-out", "<center><h1>504 Gateway Time-out</h1></center>"),
    (200, "Sign in to the guest network", "<form action='/login'><input name=user></form>"),
    (200, "Index of /api/audience", "<pre><a href='segment.php.bak'>segment.php.bak</a></pre>"),
    (200, "Domain is parked", "<p>This domain may be for sale.</p>"),
    (200, "403 Forbidden", "<h1>Forbidden</h1><p>You don't have permission to access this resource.</p>"),
    (404, "404 Not Found", "<h1>Not Found</h1><p>Apache/2.4.52 (Ubuntu)</p>"),
    (500, "Whoops, looks like something went wrong.", "<div class=exception>QueryException</div>"),
    (200, "Maintenance", "<p>We will be back soon</p>"),
    (413, "413 Request Entity Too Large", "<h1>413</h1>"),
    (451, "Unavailable For Legal Reasons", "<p>Blocked by policy category “uncategorized”</p>"),
)


def page(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return a page of HTML that a proxy, a firewall or a broken site sends in place of an answer."""
    status, title, inside = rng.choice(_PAGES)
    text = f"<!DOCTYPE html>\n<html><head><title>{title}</title></head>\n<body>{inside}</body></html>\n"
    if rng.random() < 0.2:
        text += "<!-- a padding to disable MSIE and Chrome friendly error page -->\n" * rng.choice((6, 4000))
    kind = rng.choice(("text/html", "text/html; charset=iso-8859-1", "application/json", "application/xhtml+xml"))
    headers = [("Content-Type", kind), ("Server", rng.choice(("nginx", "cloudflare", "squid/5.7")))]
    if rng.random() < 0.1:
        status = rng.choice((301, 302, 303, 307, 308))
        place = rng.choice(
            ("https://login.corp.example/?back=1", "/login", "http://127.0.0.1:9/x", "", "//", "ftp://x")
        )
        headers.append(("Location", place))
    reply = Reply(text.encode(), status, title if rng.random() < 0.5 and title.isascii() else "X", headers)
    statuses = frozenset({status}) if status >= 400 else frozenset()
    return Case(
        index, "page of HTML", endpoint, target, reply, Truth("error", statuses=statuses), calm=False, notes=title
    )


def limited(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return a 429 with some `Retry-After`."""
    wait = rng.choice(
        ("0", "5", "Wed, 21 Oct 2015 07:28:00 GMT", "200000", "-3", "soon", "", "1e9", "9" * 400, "5, 7", "٣")
    )
    text = rng.choice(('{"error": "rate limit"}', "", "<h1>429</h1>", '{"status": 200}', "null"))
    headers = [("Content-Type", "application/json"), ("Retry-After", wait)]
    reply = Reply(text.encode(), 429, "Too Many Requests", headers)
    truth = Truth("error", statuses=frozenset({429}))
    return Case(index, "429", endpoint, target, reply, truth, calm=False, notes=f"Retry-After: {wait[:20]}")


# Keys ---------------------------------------------------------------------------------------------------------------


def spellings(key: str) -> dict[str, str]:
    """Return the ways in which a service may write a key."""
    specials = "".join(c if c.isalnum() else f"\\u{ord(c):04X}" for c in key)
    return {
        "plain": key,
        "JSON solidus": key.replace("/", "\\/"),
        "JSON escapes": specials,
        "JSON escapes, all": "".join(f"\\u{ord(c):04x}" for c in key),
        "percent": quote(key, safe=""),
        "percent, lower": "".join(c if c.isalnum() else f"%{ord(c):02x}" for c in key),
        "percent, twice": quote(quote(key, safe=""), safe=""),
        "percent, part": key.replace("/", "%2F"),
        "percent, all": "".join(f"%{ord(c):02X}" for c in key),
        "HTML": "".join(c if c.isalnum() else f"&#{ord(c)};" for c in key),
        "HTML, hexadecimal": "".join(c if c.isalnum() else f"&#x{ord(c):X};" for c in key),
        "UTF-16": "\x00".join(key),
        "base64": base64.b64encode(key.encode()).decode(),
        "hexadecimal": key.encode().hex(),
        "lower case": key.lower(),
        "upper case": key.upper(),
        "prefix": key[:8],
    }


def echo(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return an error or an answer that shows the key."""
    key = KEY if endpoint in {"segment", "legacy", "content_url", "content_text"} else V1_KEY
    way, written = rng.choice(tuple(spellings(key).items()))
    shown = f"{written}{rng.choice(('...', '****', '…'))}" if way == "prefix" else written
    said = rng.choice(
        (f"Invalid API key: {shown}", f"Bearer {shown}", f"api_key={shown}&format=structured", f"'{shown}'", shown)
    )
    escaped_already = way.startswith("JSON")
    place = rng.choice(("message", "error.message", "errors.0", "request", "debug.headers.authorization", "error"))
    full = rng.random() < 0.4 and endpoint not in {"submit_batch", "batch_results", "enrich_xml", "legacy"}
    mark = "@@said@@"
    if full:
        body, content = facts.MAKERS[endpoint](rng, target)
        put(body, rng.choice(("request", "debug.headers.authorization", "meta.echo", "input.api_key")), mark)
        if rng.random() < 0.2:
            body[mark] = "a name"
        truth = Truth("answer", "must", content)
        calm = True
    else:
        body = _blocks(rng, endpoint, target)
        body["status"] = rng.choice((401, 400, 500, "error"))
        put(body, place, mark)
        truth, calm = Truth("error"), False
    text = json.dumps(body, ensure_ascii=False).replace(mark, said if escaped_already else json.dumps(said)[1:-1])
    http = 200 if full else rng.choice((200, 401, 400, 500))
    headers = [("Content-Type", "application/json")]
    if rng.random() < 0.15:
        headers.append(("X-Request-Id", quote(said, safe="")[:90] if way == "UTF-16" else said.replace("…", "")))
    data = text.encode()
    if way == "UTF-16" and not full and rng.random() < 0.5:
        data, headers[0] = text.replace("\\u0000", "").encode("utf-16"), ("Content-Type", "text/plain; charset=utf-16")
    if not full and rng.random() < 0.25:
        data = f"<html><body><p>{said}</p></body></html>".encode()
        headers[0] = ("Content-Type", "text/html")
    reply = Reply(data, http, headers=headers)
    kind = f"key: {way}"
    return Case(index, kind, endpoint, target, reply, truth, calm=calm, notes=("answer" if full else "error"))


def short_key(rng: Random, index: int, endpoint: str, target: str) -> Case:
    """Return an echo of a key that is a short word, beside values that contain it."""
    target = facts.target_of("enrich", f"c{index}-mutant")
    key = rng.choice(("fin7", "finan", "k3x", "abc123", "demo"))
    if rng.random() < 0.5:
        body, content = facts.enrich(rng, target)
        body["company"]["industry"] = content["industry"] = "finance"
        body["company"]["description"] = content["description"] = "A demonstration of finance in Indiana"
        return Case(
            index,
            "key: short, beside an answer",
            "enrich",
            target,
            Reply(json.dumps(body).encode(), headers=[("Content-Type", "application/json")]),
            Truth("answer", "must", content),
            key=key,
            notes=key,
        )
    body = {"error": f"Invalid API key '{key}'", "status": 401, "api_key": key}
    reply = Reply(json.dumps(body).encode(), 401, headers=[("Content-Type", "application/json")])
    truth = Truth("error", statuses=frozenset({401}))
    return Case(index, "key: short, in an error", "enrich", target, reply, truth, calm=False, key=key, notes=key)
